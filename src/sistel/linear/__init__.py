"""Linearisation for control: named matrices of a structure at a point, poles, controllability, feedbacks."""

from sistel.linear._analysis import Reach, without_noise
from sistel.linear._design import Feedback
from sistel.linear._equations import Plan
from sistel.linear._inputs import Input, Options, read_inputs
from sistel.linear._linear import Linear, Variable
from sistel.linear._linearize import Point, linearize

__all__ = [
    "Feedback",
    "Input",
    "Linear",
    "Options",
    "Plan",
    "Point",
    "Reach",
    "Variable",
    "linearize",
    "read_inputs",
    "without_noise",
]
