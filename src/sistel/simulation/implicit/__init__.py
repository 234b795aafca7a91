"""Implicit steps: Radau's method for stiff motions, Gauss's for long ones."""
