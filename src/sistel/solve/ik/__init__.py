"""Inverse kinematics: targets, one damped step, the search with restarts, cyclic coordinate descent, networks.

Its names are in `sistel.solve`, which imports them when they are asked for.
"""
