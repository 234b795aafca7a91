"""What reads digital codes number by number, and the primitives that they name."""

from sistel.pose._body_code import PRIMITIVES
from sistel.pose._codes import Reader

__all__ = ["PRIMITIVES", "Reader"]
