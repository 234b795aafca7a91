"""What a job is told when it begins, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Final

from sistel.records import record

if TYPE_CHECKING:
    from sistel.plain import JsonObject

SWEEP_TABLE: Final = "table.csv"
"""Of all runs of a sweep, in its folder."""


@record
class Varied:
    """What changes from run to run: a parameter, a coordinate or a velocity of the start [SI]."""

    name: str
    begin: float
    end: float
    count: int
    unit: str = ""
    """Of both, as people read it; values themselves are in the author's unit of a parameter, else in SI."""

    def values(self) -> list[float]:
        """All of them, at equal distances."""
        step = (self.end - self.begin) / (self.count - 1)
        return [self.begin + step * i for i in range(self.count)]

    def described(self) -> dict[str, object]:
        """As it is kept."""
        return {"name": self.name, "begin": self.begin, "end": self.end, "count": self.count, "unit": self.unit}


@record
class SweepOrder:
    """Runs of a text along one or two things that change."""

    id: str
    path: str
    text: str
    until: float | None
    changed: Mapping[str, float | str]
    tried: Mapping[str, float]
    vary: tuple[Varied, ...]
    quantity: str
    """An expression that is told of every run; empty for how it ended alone."""
    of: str
    """last, least or greatest."""
    folder: str
    """That it is kept in; what is finished there is not done again."""


@record
class RunOrder:
    """A run of a text."""

    path: str
    text: str
    until: float | None
    """[s]; None for what runs usually last."""
    changed: Mapping[str, float | str]
    """Other values of parameters [SI]."""
    tried: Mapping[str, float]
    """The same in the units of their authors, as windows have them."""
    draft: str
    """The folder that it is put into."""
    pages: str
    """The folder for its page."""
    lang: str
    method: str = "auto"
    tolerance: float | None = None
    memory: int = 2**31
    """That its steps may take [bytes]."""
    stop: str = ""
    """A condition at whose beginning it ends; empty without."""
    live: bool = False
    """Whether it keeps pace with the clock on the wall, and an operator touches its inputs."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """What inputs are given, as people write it."""
    record: tuple[str, str] = ("", "")
    """A table of inputs: its name and what stands in it."""
    watched: tuple[str, ...] = ()
    """Signals that are told meanwhile."""


@record
class WorkOrder:
    """A work of the service."""

    name: str
    params: Mapping[str, object]
    run: JsonObject | None
    """The run that it is about: `archive`, `model`, `path`, `changed`."""
    pages: str
    """The folder for its pages."""
