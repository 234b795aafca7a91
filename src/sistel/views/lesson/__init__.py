"""A page that teaches an arm: forward and inverse kinematics, trajectories and the forces that they need."""

from sistel.views.lesson._begin import Mode
from sistel.views.lesson._page import lesson_page

__all__ = ["Mode", "lesson_page"]
