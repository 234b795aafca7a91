"""Inverse kinematics in closed form, for arms that Pieper's conditions allow it."""

from sistel.arms.closed_forms._pieper import ClosedForm, closed_form
from sistel.arms.closed_forms._solution import closed_single, closed_solution

__all__ = ["ClosedForm", "closed_form", "closed_single", "closed_solution"]
