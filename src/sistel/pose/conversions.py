"""Conversions in batches, beside those that `sistel.pose` lists: quaternions of angles and of matrices, and back."""

from sistel.pose._angles import from_angles
from sistel.pose._quaternions import from_matrix
from sistel.pose._turns import to_euler_parameters

__all__ = ["from_angles", "from_matrix", "to_euler_parameters"]
