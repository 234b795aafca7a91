"""Sets of parameters by name and by number, and conversions between any two of them.

Rotations are converted through unit quaternions, positions through Cartesian coordinates. A set of one's own is a pair
of functions: `Parameters.with_rotation` and `Parameters.with_position` give a new collection that has it too, with the
next free number, under which digital codes find it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, one_of, refuse
from sistel.pose import _places, _turns
from sistel.pose._angles import ORDERS, angles_read, angles_written
from sistel.pose._columns import ByColumns, finite, through
from sistel.pose._quaternions import normalised, to_nine
from sistel.records import entry, record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array

    Convert = Callable[[Array], Array]


@record
class ParameterSet:
    """One way to write down a rotation or a position."""

    name: str
    said: Text
    """What it is."""
    numbers: tuple[str, ...]
    """Names of the numbers, in their order."""
    angles: frozenset[int] = frozenset()
    """Which of them are angles: radians in Python, degrees in digital codes."""
    read: Callable[[Array], Array]
    """To unit quaternions or to Cartesian coordinates."""
    write: Callable[[Array], Array]
    """Back."""
    code: int | None = None
    """Its number in digital codes; None where it has none."""

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        return len(self.numbers)


def _order(name: str, order: str, said: Text, letters: Sequence[str], code: int | None = None) -> ParameterSet:
    return ParameterSet(
        name=name,
        said=said,
        numbers=tuple(letters),
        angles=frozenset(range(3)),
        read=angles_read(order),
        write=angles_written(order),
        code=code,
    )


def _rotations() -> tuple[ParameterSet, ...]:
    return (*_numbered_rotations(), *_other_rotations())


def _numbered_rotations() -> tuple[ParameterSet, ...]:
    """Those that codes of bodies name by a number."""
    return (
        ParameterSet(
            name="euler-parameters",
            said=Text("axis, of any length, and angle", "ось любой длины и угол (параметры Эйлера)"),
            numbers=("cx", "cy", "cz", "angle"),
            angles=frozenset({3}),
            read=_turns.from_euler_parameters,
            write=_turns.to_euler_parameters,
            code=0,
        ),
        _order("euler", "zxz", Text("Euler angles: z, x, z", "углы Эйлера: z, x, z"), ("psi", "theta", "phi"), 1),
        _order("bryant", "xyz", Text("Bryant angles: x, y, z", "углы Брайнта: x, y, z"), ("alpha", "beta", "gamma"), 2),
        ParameterSet(
            name="quaternion",
            said=Text("quaternion, of any length", "кватернион любой длины"),
            numbers=("w", "x", "y", "z"),
            read=normalised,
            write=ByColumns(_same, 4),
            code=3,
        ),
        ParameterSet(
            name="two-points",
            said=Text(
                "where two points of the body are, seen from its pole", "где две точки тела, если смотреть от полюса"
            ),
            numbers=("ax", "ay", "az", "bx", "by", "bz"),
            read=_turns.from_two_points,
            write=_turns.to_two_points,
            code=4,
        ),
        ParameterSet(
            name="axial",
            said=Text("code of an axial orientation", "код осевой ориентации"),
            numbers=("code",),
            read=_turns.from_axial,
            write=_turns.to_axial,
            code=5,
        ),
    )


def _other_rotations() -> tuple[ParameterSet, ...]:
    return (
        _order(
            "aircraft",
            "yzx",
            Text(
                "aircraft angles: yaw about y, pitch about z, roll about x",
                "самолётные углы: рыскание вокруг y, тангаж вокруг z, крен вокруг x",
            ),
            ("yaw", "pitch", "roll"),
        ),
        _order(
            "ship",
            "zxy",
            Text(
                "ship angles: trim about z, heel about x, yaw about y",
                "корабельные углы: дифферент вокруг z, крен вокруг x, рыскание вокруг y",
            ),
            ("trim", "heel", "yaw"),
        ),
        ParameterSet(
            name="cayley-klein",
            said=Text("Cayley–Klein parameters α, β", "параметры Кейли — Клейна α, β"),
            numbers=("re α", "im α", "re β", "im β"),
            read=_turns.from_cayley_klein,
            write=_turns.to_cayley_klein,
        ),
        ParameterSet(
            name="rotation-vector",
            said=Text("vector along the axis, as long as the angle", "вектор поворота: вдоль оси, длиной в угол"),
            numbers=("x", "y", "z"),
            angles=frozenset(range(3)),
            read=_turns.from_rotation_vector,
            write=_turns.to_rotation_vector,
        ),
        ParameterSet(
            name="rodrigues",
            said=Text(
                "Rodrigues parameters: axis times tan(angle / 2)", "параметры Родрига: ось, умноженная на tg(угол / 2)"
            ),
            numbers=("x", "y", "z"),
            read=_turns.from_rodrigues,
            write=_turns.to_rodrigues,
        ),
        ParameterSet(
            name="modified-rodrigues",
            said=Text("axis times tan(angle / 4)", "ось, умноженная на tg(угол / 4)"),
            numbers=("x", "y", "z"),
            read=_turns.from_modified_rodrigues,
            write=_turns.to_modified_rodrigues,
        ),
        ParameterSet(
            name="matrix",
            said=Text("rotation matrix, row by row", "матрица поворота, по строкам"),
            numbers=tuple(f"r{i}{j}" for i in range(1, 4) for j in range(1, 4)),
            read=_turns.from_nine,
            write=to_nine,
        ),
        *(
            _order(
                order,
                order,
                Text(f"turns about {', '.join(order)}", f"повороты вокруг {', '.join(order)}"),
                ("first", "second", "third"),
            )
            for order in ORDERS
        ),
    )


def _same(columns: Array) -> Array:
    return columns


def _positions(arm: _places.Articulated, column: _places.Column) -> tuple[ParameterSet, ...]:
    return (
        ParameterSet(
            name="cartesian",
            said=Text("Cartesian coordinates", "декартовы координаты"),
            numbers=("x", "y", "z"),
            read=ByColumns(_same, 3),
            write=ByColumns(_same, 3),
            code=0,
        ),
        ParameterSet(
            name="cylindrical",
            said=Text("cylindrical coordinates: ρ, φ, z", "цилиндрические координаты: ρ, φ, z"),
            numbers=("rho", "phi", "z"),
            angles=frozenset({1}),
            read=_places.from_cylindrical,
            write=_places.to_cylindrical,
            code=1,
        ),
        ParameterSet(
            name="spherical",
            said=Text("spherical coordinates: r, θ from z, φ", "сферические координаты: r, θ от z, φ"),
            numbers=("r", "theta", "phi"),
            angles=frozenset({1, 2}),
            read=_places.from_spherical,
            write=_places.to_spherical,
            code=2,
        ),
        ParameterSet(
            name="angular",
            said=Text(
                f"angular coordinates: angles of an arm of {arm.column:g} m, {arm.upper:g} m and {arm.fore:g} m",
                f"ангулярные координаты: углы руки в {arm.column:g} м, {arm.upper:g} м и {arm.fore:g} м",
            ),
            numbers=("column", "shoulder", "elbow"),
            angles=frozenset(range(3)),
            read=arm.to_cartesian,
            write=arm.from_cartesian,
            code=3,
        ),
        ParameterSet(
            name="generalised",
            said=Text(
                "generalised coordinates of an arm: turn about z, lift, reach",
                "обобщённые координаты руки: поворот вокруг z, подъём, вылет",
            ),
            numbers=("turn", "lift", "reach"),
            angles=frozenset({0}),
            read=column.to_cartesian,
            write=column.from_cartesian,
            code=4,
        ),
        ParameterSet(
            name="polar",
            said=Text("polar coordinates in the plane z = 0: ρ, φ", "полярные координаты в плоскости z = 0: ρ, φ"),
            numbers=("rho", "phi"),
            angles=frozenset({1}),
            read=_places.from_polar,
            write=_places.to_polar,
        ),
    )


@entry
class Parameters:
    """Collections of parameter sets: those that come along, and what users add."""

    rotations: tuple[ParameterSet, ...]
    positions: tuple[ParameterSet, ...]

    @staticmethod
    def standard(arm: _places.Articulated | None = None, column: _places.Column | None = None) -> Parameters:
        """Those that come along.

        Args:
            arm: The arm whose angles are angular coordinates; with lengths of 1 m unless told otherwise.
            column: The arm whose coordinates are generalised ones; `with_generalised` takes any other.
        """
        return Parameters(_rotations(), _positions(arm or _places.Articulated(), column or _places.Column()))

    def with_generalised(
        self,
        read: Convert,
        write: Convert,
        *,
        numbers: Sequence[str],
        angles: Sequence[int] = (),
        said: Text | None = None,
    ) -> Parameters:
        """The same collection with the generalised coordinates (number 4) of another arm.

        Args:
            read: From coordinates of the arm to x, y, z of the pole [m].
            write: Back.
            numbers: Names of the coordinates.
            angles: Which of them are angles.
            said: What it is, for people.
        """
        old = self.position("generalised")
        own = replace(
            old,
            said=said or old.said,
            numbers=tuple(numbers),
            angles=frozenset(angles),
            read=lambda values: _finite(read(values), "generalised"),
            write=lambda p: np.asarray(write(p), dtype=float),
        )
        return replace(self, positions=tuple(own if each is old else each for each in self.positions))

    def with_rotation(
        self,
        name: str,
        read: Convert,
        write: Convert,
        *,
        numbers: Sequence[str],
        angles: Sequence[int] = (),
        said: Text | None = None,
    ) -> Parameters:
        """The same collection with one more way to write a rotation; it has the next free number.

        Args:
            name: Its name.
            read: To unit quaternions, from shape (..., numbers) to (..., 4).
            write: Back.
            numbers: Names of the numbers.
            angles: Which of them are angles.
            said: What it is, for people.
        """
        return replace(self, rotations=_with(self.rotations, name, read, write, numbers, angles, said, _unit))

    def with_position(
        self,
        name: str,
        read: Convert,
        write: Convert,
        *,
        numbers: Sequence[str],
        angles: Sequence[int] = (),
        said: Text | None = None,
    ) -> Parameters:
        """The same collection with one more way to write a position: to and from x, y, z [m]."""
        return replace(self, positions=_with(self.positions, name, read, write, numbers, angles, said, _finite))

    def rotation(self, which: str | int) -> ParameterSet:
        """A set of rotations by its name or number."""
        return _chosen(self.rotations, which, Text("rotations", "поворотов"))

    def position(self, which: str | int) -> ParameterSet:
        """A set of positions by its name or number."""
        return _chosen(self.positions, which, Text("positions", "положений полюса"))

    def convert_rotation(self, values: ArrayLike, source: str | int, target: str | int) -> Array:
        """Rotations written in one set, in another; shape (..., numbers of a set), angles in radians."""
        return self._converted(values, self.rotation(source), self.rotation(target))

    def convert_position(self, values: ArrayLike, source: str | int, target: str | int) -> Array:
        """Positions written in one set, in another; metres and radians."""
        return self._converted(values, self.position(source), self.position(target))

    def _converted(self, values: ArrayLike, source: ParameterSet, target: ParameterSet) -> Array:
        given = checked(values, source)
        read, write = source.read, target.write
        if isinstance(read, ByColumns) and isinstance(write, ByColumns):
            if read is normalised:  # looks itself whether they are finite
                steps = (write.loose,) if write.loose else (read.step, write.step)
                return through(steps, given, write.numbers, write.sums)
            return through((finite, read.step, write.step), given, write.numbers, write.sums)
        return np.asarray(write(read(through((finite,), given, source.size))))


def checked(values: ArrayLike, source: ParameterSet) -> Array:
    """Numbers of a set as an array.

    Raises:
        SistelError: There are too many or too few of them.
    """
    try:
        given = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        refuse("no-numbers", Text("these are no numbers", "это не числа"))
    if given.ndim == 0 or given.shape[-1] != source.size:
        found = given.shape[-1] if given.ndim else 1
        refuse(
            "wrong-count",
            Text(
                f'"{source.name}" has {source.size} numbers, not {found}',
                f"у «{source.name}» чисел {source.size}, а не {found}",
            ),
            expected=Text(", ".join(source.numbers), ", ".join(source.numbers)),
        )
    return given


def _with(
    sets: tuple[ParameterSet, ...],
    name: str,
    read: Convert,
    write: Convert,
    numbers: Sequence[str],
    angles: Sequence[int],
    said: Text | None,
    check: Callable[[ArrayLike, str], Array],
) -> tuple[ParameterSet, ...]:
    if any(each.name == name for each in sets):
        refuse("taken", Text(f'there is a set "{name}" already', f"набор «{name}» уже есть"))
    code = 1 + max(each.code for each in sets if each.code is not None)
    own = ParameterSet(
        name=name,
        said=said or Text(name, name),
        numbers=tuple(numbers),
        angles=frozenset(angles),
        read=lambda values: check(read(values), name),
        write=lambda values: np.asarray(write(values), dtype=float),
        code=code,
    )
    return (*sets, own)


def _unit(q: ArrayLike, name: str) -> Array:
    """What a function of a user gives, as unit quaternions."""
    made = np.asarray(q, dtype=float)
    if made.ndim == 0 or made.shape[-1] != 4:
        refuse(
            "no-quaternion",
            Text(f'"{name}" gives no quaternions w, x, y, z', f"«{name}» даёт не кватернионы w, x, y, z"),
            expected=None,
        )
    return normalised(made)


def _finite(p: ArrayLike, name: str) -> Array:
    made = np.asarray(p, dtype=float)
    if made.ndim == 0 or made.shape[-1] != 3:
        refuse("no-position", Text(f'"{name}" gives no positions x, y, z', f"«{name}» даёт не положения x, y, z"))
    return made


def _chosen(sets: tuple[ParameterSet, ...], which: str | int, what: Text) -> ParameterSet:
    named = isinstance(which, str)
    found = next((each for each in sets if which == (each.name if named else each.code)), None)
    if found is None:
        known = [each.name for each in sets] if named else [str(each.code) for each in sets if each.code is not None]
        refuse(
            "no-set",
            Text(f'there is no set of {what.en} "{which}"', f"нет набора {what.ru} «{which}»"),
            expected=one_of(known),
        )
    return found
