"""Equations for people: symbolic in the parameters of a description, short, in the languages that people use."""

from sistel.formulas._equations import Equations, JointLoad
from sistel.formulas._write import write_equations

__all__ = ["Equations", "JointLoad", "write_equations"]
