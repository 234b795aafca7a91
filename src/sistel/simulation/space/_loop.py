"""The motion of free bodies whose shapes touch in space: the loop of the plane, with bodies and shapes of space."""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import renamed
from sistel.simulation.plane import _loop
from sistel.simulation.plane._places import add_near, width
from sistel.simulation.space import _islands, _laws, _lives, _passages, _places, _series, _watching
from sistel.simulation.taylor import _roots

_OWN: Final = (
    *_roots.FUNCTIONS,
    *_places.FUNCTIONS,
    *_lives.FUNCTIONS,
    *_laws.FUNCTIONS,
    *_series.FUNCTIONS,
    *_watching.FUNCTIONS,
    *_islands.FUNCTIONS,
    *_passages.FUNCTIONS,
    add_near,
    width,
)
FUNCTIONS: Final = renamed(_loop.GENERAL, _OWN)
