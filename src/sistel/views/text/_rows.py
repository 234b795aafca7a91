"""Rows of data that the terminal, JSON and the notebook show of a system, in SI."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass

from sistel.model.joints import CoordinateKind
from sistel.records import record
from sistel.units import Dimension


@record
class CoordinateRow:
    """A coordinate of a joint."""

    name: str
    kind: CoordinateKind
    minimum: float
    """[m or rad]"""
    maximum: float
    """[m or rad]"""


@record
class BodyRow:
    """A body and its joint."""

    number: int
    name: str
    base: int
    joint: str
    """Key of the joint type."""
    joint_name: str
    axis: tuple[float, ...] | None
    place: tuple[float, ...]
    """[m]"""
    turn: tuple[float, ...]
    """Planar: one angle; spatial: about the fixed x, y, z, as files give it [rad]."""
    coordinates: tuple[CoordinateRow, ...]
    """Of the velocities: a quaternion has no limits."""
    mass: float
    """[kg]"""
    com: tuple[float, ...]
    """[m]"""
    inertia: tuple[float, ...]
    """Planar: one number; spatial: xx, yy, zz, xy, xz, yz [kg·m²]."""


@record
class LinkRow:
    """A closure, a contact, a blade, a lock or a coupling; what does not apply is None."""

    kind: str
    name: str
    always: bool
    """Whether it holds in every structure."""
    joint: str | None = None
    axis: tuple[float, ...] | None = None
    bodies: tuple[int, ...] = ()
    places: tuple[tuple[float, ...], ...] = ()
    """[m]"""
    found: bool | None = None
    """Whether sistel chose to cut this joint."""
    point: str | None = None
    gap: str | None = None
    """Expression that is positive on the free side."""
    friction: str | float | None = None
    impact: str | None = None
    restitution: float | None = None
    radius: float | None = None
    """Of a round shape [m]."""
    shape: str | None = None
    """The other shape of a pair that may touch, or "world"."""
    contacts: int | None = None
    """How many contacts come of a pair of shapes."""
    rolls: bool | None = None
    """Whether a contact never slips."""
    speed: str | None = None
    """Expression of the speed of its surface along itself."""
    coordinates: tuple[str, ...] = ()
    """What a lock holds; of a coupling: the driven one, then the driver."""
    kinds: tuple[CoordinateKind, ...] = ()
    ratio: tuple[float, ...] | None = None
    offset: float | None = None
    """[m or rad]"""
    limit: str | None = None
    """Of a clutch: expression of its greatest force or moment."""
    backlash: float | None = None
    """[m or rad]"""
    stiffness: float | None = None
    """Of the teeth of a gear [N/m or N·m/rad]."""
    efficiency: tuple[float, float] | None = None
    """Of a gear, forwards and backwards."""


@record
class StructureRow:
    """A structure."""

    name: str
    initial: bool
    structure_class: str
    dof: int
    places: int
    """Freedoms of the coordinates: more than `dof` where something rolls or has a blade."""
    loops: int
    holds: tuple[str, ...]
    changes: tuple[tuple[str, str, str | None], ...]
    """Body, joint type that it gets, point about which."""
    why_not: tuple[str, ...]


@record
class TransitionRow:
    """A transition."""

    name: str
    sources: tuple[str, ...]
    """Empty for any structure."""
    target: str
    condition: str
    impact: str
    restitution: float
    priority: float
    resets: tuple[str, ...]


@record
class ParameterRow:
    """A parameter."""

    name: str
    value: float
    """[SI]"""
    unit: str
    """The SI unit; empty for a pure number."""
    minimum: float | None
    maximum: float | None
    about: str
    dimension: Dimension


@record
class MotorRow:
    """A motor."""

    name: str
    body: int
    coordinate: str
    kind: CoordinateKind
    limit: float
    """[N or N·m]"""
    speed: float
    """[m/s or rad/s]"""
    ratio: float
    inertia: float
    """[kg·m²]"""
    efficiency: float
    voltage: float | None
    """[V]"""
    current: float | None
    """[A]"""
    resistance: float | None
    """[Ω]"""
    inductance: float
    """[H]"""
    constant: float | None
    """[V·s/rad]"""


@record
class StateRow:
    """An initial coordinate that the file gives."""

    coordinate: str
    kind: CoordinateKind
    value: float | None
    """[m or rad]"""
    rate: float | None
    """[m/s or rad/s]"""


@record
class SignalRow:
    """A signal of a scheme."""

    name: str
    kind: str
    """The word for its block; empty for a formula."""
    law: str
    unit: str


@record
class SchemeRow:
    """A functional scheme."""

    name: str
    period: float | None
    """[s]; None where it flows with the motion."""
    offset: float
    latency: float
    signals: tuple[SignalRow, ...]
    outputs: tuple[tuple[str, str], ...]
    """Motors, and what is asked of them."""


@record
class Summary:
    """All that is shown of a system.

    Whoever shows it, on a terminal, in a notebook or as data, shows these.
    """

    name: str
    about: str
    file: str
    planar: bool
    structure_class: str
    """The short name of the class, in letters."""
    class_words: str
    """The class in words."""
    nq: int
    nv: int
    mass: float
    """Of all bodies [kg]."""
    gravity: tuple[float, ...]
    """[m/s²]"""
    bodies: tuple[BodyRow, ...]
    bases: tuple[int, ...]
    """СНБТ"""
    links: tuple[LinkRow, ...]
    structures: tuple[StructureRow, ...]
    declared: bool
    """Whether the file itself names the structures."""
    transitions: tuple[TransitionRow, ...]
    motors: tuple[MotorRow, ...]
    schemes: tuple[SchemeRow, ...]
    parameters: tuple[ParameterRow, ...]
    start: tuple[StateRow, ...]
    counts: tuple[tuple[str, int], ...]
    """How many there are of the things that have no rows here."""

    def body_name(self, number: int) -> str:
        """The name of a body; empty for the ground."""
        return self.bodies[number - 1].name if number else ""

    def to_json(self) -> dict[str, object]:
        """The same as dictionaries and lists; what is absent or infinite is null."""
        data = _plain(self)
        assert isinstance(data, dict)
        data["counts"] = dict(self.counts)
        for parameter in data["parameters"]:
            del parameter["dimension"]
        return data


def _plain(value: object) -> object:
    """Dataclasses → dictionaries without the fields that do not apply; infinities → None."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_dataclass(value):
        absent = (None, ())
        optional = type(value) is LinkRow
        items = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {name: _plain(item) for name, item in items if not (optional and item in absent)}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value
