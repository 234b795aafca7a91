"""Runs as pictures that move: kinematic schemes in SVG, without scripts."""

from sistel.views.animation._animate import animate_run

__all__ = ["animate_run"]
