"""A page that teaches an arm: forward and inverse kinematics, trajectories and the forces that they need."""

from sistel.views.lesson._begin import Mode, Opening
from sistel.views.lesson._page import lesson_page

__all__ = ["Mode", "Opening", "lesson_page"]
