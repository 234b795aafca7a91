"""Explicit steps of a few stages: Runge and Kutta's way, for loose tolerances and large systems."""
