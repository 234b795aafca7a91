"""Limits of the axes of a machine, and how a motion keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language, Text, refuse, user_language
from sistel.motion.trajectories._checks import locked, numbers
from sistel.records import entry, record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


ROUNDING = 1e-11
"""Part of a limit by which rounding may exceed it: a motion that touches its limits keeps them."""

QUANTITIES = {
    "position": Text("position", "положение"),
    "velocity": Text("velocity", "скорость"),
    "acceleration": Text("acceleration", "ускорение"),
    "jerk": Text("jerk", "рывок"),
}


@entry
class Limits:
    """What the axes of a machine can do; one number stands for all axes. Angles in radians, lengths in metres."""

    velocity: ArrayLike
    """Largest speed of every axis, either way, shape (n,) [per s]; may be infinite."""
    acceleration: ArrayLike
    """Largest acceleration while the speed grows, and also while it falls unless told, shape (n,) [per s²]."""
    jerk: ArrayLike | None = None
    """Largest rate of the acceleration, shape (n,) [per s³]; without one it may jump."""
    deceleration: ArrayLike | None = None
    """Largest acceleration while the speed falls, shape (n,) [per s²]."""
    lower: ArrayLike | None = None
    """Least coordinate of every axis, shape (n,); only reports use it."""
    upper: ArrayLike | None = None
    """Greatest coordinate of every axis, shape (n,); only reports use it."""

    def __post_init__(self) -> None:
        for field, name in (
            ("velocity", Text("limit of velocity", "предел скорости")),
            ("acceleration", Text("limit of acceleration", "предел ускорения")),
            ("deceleration", Text("limit of deceleration", "предел торможения")),
            ("jerk", Text("limit of jerk", "предел рывка")),
        ):
            given = getattr(self, field)
            if given is None and field in ("jerk", "deceleration"):
                continue
            values = _numbers(given, name)
            if not (values > 0.0).all():
                refuse("bad-limit", Text(f"{name.en} must be above 0", f"{name.ru}: нужно больше 0"))
            if "celeration" in field and not np.isfinite(values).all():
                refuse("bad-limit", Text(f"{name.en} must be finite", f"{name.ru}: нужно конечное число"))
            object.__setattr__(self, field, locked(values))
        for field, name in (
            ("lower", Text("least coordinate", "наименьшая координата")),
            ("upper", Text("greatest coordinate", "наибольшая координата")),
        ):
            if getattr(self, field) is not None:
                object.__setattr__(self, field, locked(_numbers(getattr(self, field), name)))
        if self.lower is not None and self.upper is not None:
            try:
                wrong = np.any(np.asarray(self.lower) >= np.asarray(self.upper))
            except ValueError:
                refuse("wrong-shape", Text("lower and upper differ in size", "размеры lower и upper различны"))
            if wrong:
                message = Text("the least coordinate is above the greatest", "наименьшая координата больше наибольшей")
                refuse("bad-limit", message)

    def over(self, count: int) -> tuple[Array, Array, Array, Array]:
        """Velocity, acceleration, deceleration and jerk of a number of axes, each shape (n,)."""
        falling = self.acceleration if self.deceleration is None else self.deceleration
        rows = (self.velocity, self.acceleration, falling, np.inf if self.jerk is None else self.jerk)
        made = [_each(np.asarray(row, dtype=float), count) for row in rows]
        return made[0], made[1], made[2], made[3]

    def range_over(self, count: int) -> tuple[Array, Array]:
        """Least and greatest coordinates of a number of axes, infinite where there is none."""
        lower = -np.inf if self.lower is None else self.lower
        upper = np.inf if self.upper is None else self.upper
        return _each(np.asarray(lower, dtype=float), count), _each(np.asarray(upper, dtype=float), count)


def are_limits(limits: object) -> Limits:
    """The same limits; what is something else is refused."""
    if not isinstance(limits, Limits):
        refuse(
            "bad-limit",
            Text("limits: these are no limits", "limits: это не пределы"),
            expected=Text("Limits(velocity, acceleration, …)", "Limits(velocity, acceleration, …)"),
        )
    return limits


def _numbers(values: ArrayLike, what: Text) -> Array:
    found = numbers(values, what)
    if np.isnan(found).any() or found.ndim > 1 or found.size == 0:
        message = Text(
            f"{what.en}: a number, or one for every axis, is needed",
            f"{what.ru}: нужно число или по одному на каждую ось",
        )
        refuse("bad-numbers", message)
    return found


def _each(row: Array, count: int) -> Array:
    if row.ndim == 1 and row.size not in (1, count):
        message = Text(
            f"limits of {row.size} axes, but {count} axes move", f"пределы для {row.size} осей, а осей {count}"
        )
        refuse("wrong-shape", message)
    return np.broadcast_to(row.reshape(-1), (count,)).astype(float)


@record
class Extremes:
    """The least and greatest values that every axis takes, exact, and when it does."""

    lowest: Array
    """Shape (n,)."""
    highest: Array
    """Shape (n,)."""
    lowest_at: Array
    """Shape (n,) [s]."""
    highest_at: Array
    """Shape (n,) [s]."""

    @property
    def peak(self) -> Array:
        """Largest absolute values, shape (n,)."""
        return np.maximum(np.abs(self.lowest), np.abs(self.highest))

    @property
    def peak_at(self) -> Array:
        """When they are reached, shape (n,) [s]."""
        return np.where(np.abs(self.highest) >= np.abs(self.lowest), self.highest_at, self.lowest_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """An axis goes beyond a limit."""

    name: str
    """Of the axis."""
    quantity: str
    """``position``, ``velocity``, ``acceleration`` or ``jerk``."""
    time: float
    """When it first does [s]."""
    worst: float
    """The value farthest beyond the limit."""
    worst_at: float
    """When it is reached [s]."""
    limit: float

    def say(self, lang: Language | None = None) -> str:
        """One line for people."""
        lang = lang or user_language()
        what = QUANTITIES[self.quantity].say(lang)
        if lang == "ru":
            return (
                f"{self.name}: {what} выходит за предел {self.limit:.6g} при t = {self.time:.6g} с; "
                f"крайнее значение {self.worst:.6g} при t = {self.worst_at:.6g} с"
            )
        return (
            f"{self.name}: {what} goes beyond {self.limit:.6g} at t = {self.time:.6g} s; "
            f"the worst is {self.worst:.6g} at t = {self.worst_at:.6g} s"
        )


@record
class LimitsReport:
    """Extreme values of a motion, found from its polynomials, not from samples; and the limits that it breaks."""

    names: tuple[str, ...]
    position: Extremes
    velocity: Extremes
    acceleration: Extremes
    jerk: Extremes
    """Inside the pieces; where the acceleration jumps, the jerk has no value."""
    crossings: tuple[Crossing, ...]

    @property
    def kept(self) -> bool:
        """Whether no limit is broken."""
        return not self.crossings

    def say(self, lang: Language | None = None) -> str:
        """A table for people, and a line for every limit that is broken."""
        lang = lang or user_language()
        head = ("ось", "от", "до", "скорость", "ускорение", "рывок") if lang == "ru" else (
            "axis", "from", "to", "velocity", "acceleration", "jerk"
        )  # fmt: skip
        rows: list[tuple[str, ...]] = [head]
        for i, name in enumerate(self.names):
            numbers = (
                self.position.lowest[i],
                self.position.highest[i],
                self.velocity.peak[i],
                self.acceleration.peak[i],
                self.jerk.peak[i],
            )
            rows.append((name, *(f"{value:.6g}" for value in numbers)))
        widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        return "\n".join([*lines, *(crossing.say(lang) for crossing in self.crossings)])
