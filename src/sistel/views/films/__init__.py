"""Runs as films: MP4, WebM and GIF."""

from sistel.views.films._encode import SUFFIXES
from sistel.views.films._film import (
    RATE,
    WIDTH,
    check_look,
    film_times,
    require_film,
    usual_speed,
    write_film,
)

__all__ = [
    "RATE",
    "SUFFIXES",
    "WIDTH",
    "check_look",
    "film_times",
    "require_film",
    "usual_speed",
    "write_film",
]
