"""Digital codes: a pose, or a list of timed poses, as a row of numbers.

The first number of a position says which coordinates follow (0 Cartesian, 1 cylindrical, 2 spherical, 3 angular,
4 generalised), the second which parameters of orientation (0 Euler parameters, 1 Euler angles, 2 Bryant angles,
3 quaternion, 4 two points, 5 axial code); sets of one's own have the next numbers. Then come the coordinates and the
parameters. Lengths are in metres, angles in degrees. A row that ends early is filled up: with zeros, and with the
orientation of code 13.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from sistel.errors import SistelError, Text, refuse
from sistel.pose._displacements import homogeneous
from sistel.pose._sets import Parameters, ParameterSet
from sistel.pose._turns import to_euler_parameters
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


FIELDS = {
    "position": Text("position", "положение"),
    "move": Text("move", "перенос"),
    "turn": Text("turn", "поворот"),
    "transitions": Text("transitions", "переходы"),
    "body": Text("body code", "код"),
}
"""The fields that codes stand in."""

LONGEST = 100_000
"""Numbers of a code that are still read."""


@record
class Pose:
    """Where a gripper is and how it is turned."""

    place: Array
    """Of its pole, shape (3,) [m]."""
    quaternion: Array
    """Unit quaternion w, x, y, z, shape (4,)."""

    @property
    def matrix(self) -> Array:
        """Homogeneous, shape (4, 4)."""
        return homogeneous(self.quaternion, self.place)

    @property
    def euler_parameters(self) -> Array:
        """Unit axis and angle [rad], shape (4,)."""
        return to_euler_parameters(self.quaternion)


@record
class TimedPose:
    """A pose that is reached at a time."""

    time: float
    """Since the transitions began [s]."""
    pose: Pose


class Reader:
    """Takes numbers from a code one after another, and says which one is wrong."""

    def __init__(self, code: ArrayLike, field: str, parameters: Parameters | None) -> None:
        """Nothing is read yet.

        Raises:
            SistelError: The code is no row of finite numbers.
        """
        self.field = FIELDS[field]
        self.parameters = parameters or Parameters.standard()
        self.place = 0
        try:
            given = np.asarray(code, dtype=float)
        except (TypeError, ValueError):
            self._fail("no-numbers", Text("a code is a row of numbers", "код — это ряд чисел"))
        if given.ndim != 1 or given.size > LONGEST:
            self._fail(
                "no-row",
                Text(
                    f"a code is one row of at most {LONGEST} numbers", f"код — один ряд не более чем из {LONGEST} чисел"
                ),
            )
        self.numbers: list[float] = given.tolist()
        for place, number in enumerate(self.numbers):
            if not math.isfinite(number):
                self.wrong(place, Text("is no finite number", "— не конечное число"))

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self.place >= len(self.numbers)

    def one(self, missing: float = 0.0) -> float:
        """The next number."""
        self.place += 1
        return missing if self.place > len(self.numbers) else self.numbers[self.place - 1]

    def kind(self, sets: Sequence[ParameterSet], what: Text) -> ParameterSet:
        """The set whose number comes next."""
        place, number = self.place, self.one()
        found = [each for each in sets if each.code is not None and each.code == number]
        if not found:
            known = ", ".join(f"{each.code} {each.name}" for each in sets if each.code is not None)
            self.wrong(place, Text(f"is no kind of {what.en}", f"— не вид {what.ru}"), Text(known, known))
        return found[0]

    def place_kind(self) -> ParameterSet:
        """The kind of coordinates that comes next."""
        return self.kind(self.parameters.positions, Text("coordinates", "координат"))

    def turn_kind(self) -> ParameterSet:
        """The kind of orientation that comes next."""
        return self.kind(self.parameters.rotations, Text("orientation", "ориентации"))

    def need(self, count: int, what: Text) -> None:
        """Say so where fewer numbers are left."""
        if len(self.numbers) - self.place < count:
            self._fail(
                "code-ends",
                Text(
                    f"the code ends after {len(self.numbers)} numbers; {what.en} were to follow",
                    f"код кончается после {len(self.numbers)} чисел; дальше должны быть {what.ru}",
                ),
            )

    def values(self, chosen: ParameterSet, whole: bool) -> Array:
        """The next numbers of a set, in metres and radians.

        Args:
            chosen: The set.
            whole: Whether all of them have to be there; otherwise missing ones are zeros.
        """
        first, left = self.place, len(self.numbers) - self.place
        if whole and left < chosen.size:
            missing = ", ".join(chosen.numbers[max(0, left) :])
            self._fail(
                "code-ends",
                Text(
                    f'the code ends after {len(self.numbers)} numbers; "{chosen.name}" still needs {missing}',
                    f"код кончается после {len(self.numbers)} чисел; для «{chosen.name}» не хватает: {missing}",
                ),
            )
        given = np.array([self.one() for _ in range(chosen.size)])
        turned = sorted(chosen.angles)
        given[turned] = np.radians(given[turned])
        try:
            return np.asarray(chosen.read(given))
        except SistelError as problem:
            reason = problem.diagnostics[0].message
            last = min(self.place, len(self.numbers))
            self._fail(
                "wrong-number",
                Text(
                    f'numbers {first + 1} to {last} ("{chosen.name}"): {reason.en}',
                    f"числа с {first + 1} по {last} («{chosen.name}»): {reason.ru}",
                ),
            )

    def pose(self, last: bool) -> Pose:
        """A place and an orientation; the last pose of a code may be cut short."""
        place, turned = self.place_kind(), self.turn_kind()
        return Pose(place=self.where(place, last), quaternion=self.orientation(turned, last))

    def where(self, chosen: ParameterSet, last: bool) -> Array:
        """The place of the pole."""
        if self.ended and last:
            return np.zeros(3)
        return self.values(chosen, not last)

    def orientation(self, chosen: ParameterSet, last: bool) -> Array:
        """The orientation; where none is written, that of code 13."""
        if self.ended and last:
            return np.array([1.0, 0.0, 0.0, 0.0])
        return self.values(chosen, True)

    def time(self, before: float | None) -> float:
        """A time from zero on, after the one before [s]."""
        place, time = self.place, self.one()
        if time < 0.0 or (before is not None and time <= before):
            after = "0" if before is None else f"{before:g}"
            reason = Text("is no time after the one before", "— не время после предыдущего")
            self.wrong(place, reason, Text(f"> {after}", f"> {after}"))
        return time

    def wrong(self, place: int, reason: Text, expected: Text | None = None) -> NoReturn:
        """Say that a number is wrong."""
        number = f"{self.numbers[place]:g}" if place < len(self.numbers) else "?"
        self._fail(
            "wrong-number",
            Text(f"number {place + 1}, {number}, {reason.en}", f"число {place + 1}, {number}, {reason.ru}"),
            expected,
        )

    def _fail(self, code: str, message: Text, expected: Text | None = None) -> NoReturn:
        said = Text(f'"{self.field.en}": {message.en}', f"«{self.field.ru}»: {message.ru}")
        refuse(code, said, expected=expected)


def read_position(code: ArrayLike, parameters: Parameters | None = None) -> tuple[Pose, ...]:
    """The poses of a code of positions, one or several in a row.

    Args:
        code: Kind of coordinates, kind of orientation, coordinates, parameters; then the next pose. [m and deg]
        parameters: Known sets; the standard ones unless told otherwise.

    Raises:
        SistelError: A number is wrong: which one, and why.
    """
    reader = Reader(code, "position", parameters)
    poses = [reader.pose(last=True)]
    while not reader.ended:
        poses.append(reader.pose(last=False))
    return tuple(poses)


def read_move(code: ArrayLike, parameters: Parameters | None = None) -> Array:
    """The place, shape (3,) [m], of a code: kind of coordinates, coordinates; missing ones are 0."""
    reader = Reader(code, "move", parameters)
    return _whole(reader, reader.where(reader.place_kind(), last=True))


def read_turn(code: ArrayLike, parameters: Parameters | None = None) -> Array:
    """The unit quaternion of a code: kind of orientation, parameters; without them that of code 13."""
    reader = Reader(code, "turn", parameters)
    return _whole(reader, reader.orientation(reader.turn_kind(), last=True))


def read_transitions(code: ArrayLike, parameters: Parameters | None = None) -> tuple[TimedPose, ...]:
    """Timed poses of a code: a time [s], then a pose as in a position; and so on. A single 0 means none."""
    reader = Reader(code, "transitions", parameters)
    if reader.numbers in ([], [0.0]):
        return ()
    made: list[TimedPose] = []
    while not reader.ended:
        time = reader.time(made[-1].time if made else None)
        made.append(TimedPose(time=time, pose=reader.pose(last=False)))
    return tuple(made)


def _whole(reader: Reader, found: Array) -> Array:
    """What was found, if the code ends with it."""
    if not reader.ended:
        reader.wrong(
            reader.place, Text("is one too many: the code is complete before it", "— лишнее: код закончен до него")
        )
    return found


def write_position(
    pose: Pose, coordinates: str | int = 0, orientation: str | int = 0, parameters: Parameters | None = None
) -> tuple[float, ...]:
    """The code of a pose in chosen coordinates and parameters [m and deg].

    Raises:
        SistelError: A set has no number, or the pose cannot be written in it.
    """
    known = parameters or Parameters.standard()
    place, turned = known.position(coordinates), known.rotation(orientation)
    for chosen in (place, turned):
        if chosen.code is None:
            message = Text(f'"{chosen.name}" has no number in codes', f"у «{chosen.name}» нет номера в кодах")
            refuse("no-number", message)
    numbers = [float(place.code or 0), float(turned.code or 0)]
    for chosen, values in ((place, pose.place), (turned, pose.quaternion)):
        written = np.array(chosen.write(values), dtype=float)
        angles = sorted(chosen.angles)
        written[angles] = np.degrees(written[angles])
        numbers += written.tolist()
    return tuple(numbers)


def write_move(place: ArrayLike, coordinates: str | int = 0, parameters: Parameters | None = None) -> tuple[float, ...]:
    """The code of a place [m]: kind of coordinates, coordinates [m and deg]."""
    pose = Pose(place=np.asarray(place, dtype=float), quaternion=np.array([1.0, 0.0, 0.0, 0.0]))
    kind, _, *numbers = write_position(pose, coordinates, 0, parameters)
    return (kind, *numbers[:-4])


def write_turn(
    quaternion: ArrayLike, orientation: str | int = 0, parameters: Parameters | None = None
) -> tuple[float, ...]:
    """The code of a unit quaternion: kind of orientation, its parameters [deg]."""
    pose = Pose(place=np.zeros(3), quaternion=np.asarray(quaternion, dtype=float))
    _, kind, *numbers = write_position(pose, 0, orientation, parameters)
    return (kind, *numbers[3:])


def write_transitions(
    transitions: Sequence[TimedPose],
    coordinates: str | int = 0,
    orientation: str | int = 0,
    parameters: Parameters | None = None,
) -> tuple[float, ...]:
    """The code of timed poses, all in the same coordinates and parameters; a single 0 for none."""
    numbers: list[float] = []
    for each in transitions:
        numbers += [each.time, *write_position(each.pose, coordinates, orientation, parameters)]
    return tuple(numbers) or (0.0,)
