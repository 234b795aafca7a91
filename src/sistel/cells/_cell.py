"""A robotic cell as frozen data: robots, stations with slots, parts, and the list of what is to be done."""

from __future__ import annotations

from typing import Literal

from sistel.cells._arms import Arm
from sistel.errors import Span
from sistel.pose import Pose
from sistel.records import record

Doing = Literal["take", "put", "work", "paint", "assemble", "transport", "go", "wait"]
StationKind = Literal["rack", "machine", "booth", "table", "belt"]


@record
class Slot:
    """A place for one part: the pose of a gripper that takes it there, in the scene (x right, y up, z to us)."""

    name: str
    station: str
    pose: Pose
    span: Span


@record
class Station:
    """A rack, a machine, a booth, a table, or a belt that carries from its first slot to its last."""

    name: str
    kind: StationKind
    slots: tuple[Slot, ...]
    out: bool
    """Whether parts that lie here at the end are finished."""
    span: Span


@record
class Robot:
    """An arm with a gripper, and where it stands."""

    name: str
    file: str
    """The description of the arm, as the cell's file names it."""
    arm: Arm
    place: tuple[float, float, float]
    """Of its ground in the world (z up) [m]."""
    turn: float
    """About the vertical [rad]."""
    fingers: tuple[str, ...]
    """Coordinates that open and close the gripper, each the way of one finger from the middle."""
    wide: float
    """Where the fingers stand when the gripper is open [m]."""
    approach: float
    """How far before a slot the gripper stops and turns [m]."""
    span: Span


@record
class Part:
    """Something that is carried."""

    name: str
    slot: str
    """Where it lies at first."""
    mass: float
    """[kg]"""
    sizes: tuple[float, float, float]
    """Along the fingers, across them (where they press), and along the third axis, in the gripper that takes it [m]."""
    colour: str
    span: Span


@record
class Row:
    """One line of the process list."""

    number: int
    """From 1 on."""
    doing: Doing
    robot: str
    part: str
    slot: str
    """Where; for a transport: where to."""
    time: float | None
    """How long it takes [s]; None where motions say so."""
    start: float | None
    """When it is to begin [s]; None for as soon as possible."""
    span: Span


@record
class Cell:
    """A robotic cell.

    Who works there, where parts may lie, and what is to be done with them.
    """

    name: str
    robots: tuple[Robot, ...]
    stations: tuple[Station, ...]
    parts: tuple[Part, ...]
    rows: tuple[Row, ...]
    span: Span

    @property
    def slots(self) -> dict[str, Slot]:
        """All slots by name."""
        return {slot.name: slot for station in self.stations for slot in station.slots}

    def station_of(self, slot: str) -> Station:
        """The station that a slot belongs to."""
        return next(each for each in self.stations if any(own.name == slot for own in each.slots))
