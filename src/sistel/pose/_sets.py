"""Sets of parameters by name and by number, and conversions between any two of them.

Rotations are converted through unit quaternions, positions through Cartesian coordinates. A set of one's own is a pair
of functions: `Parameters.with_rotation` and `Parameters.with_position` give a new collection that has it too, with the
next free number, under which digital codes find it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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


def _set(
    name: str,
    said: Text,
    numbers: str,
    ways: tuple[Convert, Convert],
    angles: Iterable[int] = (),
    code: int | None = None,
) -> ParameterSet:
    """A set by its name, what it is, its numbers, how they are read and written, and which of them are angles."""
    read, write = ways
    names = tuple(numbers.split(", "))
    return ParameterSet(
        name=name, said=said, numbers=names, angles=frozenset(angles), read=read, write=write, code=code
    )


def _order(name: str, order: str, said: Text, numbers: str, code: int | None = None) -> ParameterSet:
    return _set(name, said, numbers, (angles_read(order), angles_written(order)), range(3), code)


def _rotations() -> tuple[ParameterSet, ...]:
    return (*_numbered_rotations(), *_other_rotations())


def _numbered_rotations() -> tuple[ParameterSet, ...]:
    """Those that codes of bodies name by a number."""
    axis = Text("axis, of any length, and angle", "ось любой длины и угол (параметры Эйлера)")
    points = Text("where two points of the body are, seen from its pole", "где две точки тела, если смотреть от полюса")
    quaternion = Text("quaternion, of any length", "кватернион любой длины")
    axial = Text("code of an axial orientation", "код осевой ориентации")
    by_axis = _turns.from_euler_parameters, _turns.to_euler_parameters
    by_points = _turns.from_two_points, _turns.to_two_points
    return (
        _set("euler-parameters", axis, "cx, cy, cz, angle", by_axis, {3}, code=0),
        _order("euler", "zxz", Text("Euler angles: z, x, z", "углы Эйлера: z, x, z"), "psi, theta, phi", 1),
        _order("bryant", "xyz", Text("Bryant angles: x, y, z", "углы Брайнта: x, y, z"), "alpha, beta, gamma", 2),
        _set("quaternion", quaternion, "w, x, y, z", (normalised, ByColumns(_same, 4)), code=3),
        _set("two-points", points, "ax, ay, az, bx, by, bz", by_points, code=4),
        _set("axial", axial, "code", (_turns.from_axial, _turns.to_axial), code=5),
    )


def _other_rotations() -> tuple[ParameterSet, ...]:
    aircraft = Text(
        "aircraft angles: yaw about y, pitch about z, roll about x",
        "самолётные углы: рыскание вокруг y, тангаж вокруг z, крен вокруг x",
    )
    ship = Text(
        "ship angles: trim about z, heel about x, yaw about y",
        "корабельные углы: дифферент вокруг z, крен вокруг x, рыскание вокруг y",
    )
    complexes = Text("Cayley–Klein parameters α, β", "параметры Кейли — Клейна α, β")
    vector = Text("vector along the axis, as long as the angle", "вектор поворота: вдоль оси, длиной в угол")
    half = Text("Rodrigues parameters: axis times tan(angle / 2)", "параметры Родрига: ось, умноженная на tg(угол / 2)")
    quarter = Text("axis times tan(angle / 4)", "ось, умноженная на tg(угол / 4)")
    rows = Text("rotation matrix, row by row", "матрица поворота, по строкам")
    nine = ", ".join(f"r{i}{j}" for i in range(1, 4) for j in range(1, 4))
    by_vector = _turns.from_rotation_vector, _turns.to_rotation_vector
    by_complexes = _turns.from_cayley_klein, _turns.to_cayley_klein
    by_quarter = _turns.from_modified_rodrigues, _turns.to_modified_rodrigues
    return (
        _order("aircraft", "yzx", aircraft, "yaw, pitch, roll"),
        _order("ship", "zxy", ship, "trim, heel, yaw"),
        _set("cayley-klein", complexes, "re α, im α, re β, im β", by_complexes),
        _set("rotation-vector", vector, "x, y, z", by_vector, range(3)),
        _set("rodrigues", half, "x, y, z", (_turns.from_rodrigues, _turns.to_rodrigues)),
        _set("modified-rodrigues", quarter, "x, y, z", by_quarter),
        _set("matrix", rows, nine, (_turns.from_nine, to_nine)),
        *(_order(order, order, _turned(order), "first, second, third") for order in ORDERS),
    )


def _turned(order: str) -> Text:
    return Text(f"turns about {', '.join(order)}", f"повороты вокруг {', '.join(order)}")


def _same(columns: Array) -> Array:
    return columns


def _positions(arm: _places.Articulated, column: _places.Column) -> tuple[ParameterSet, ...]:
    same = ByColumns(_same, 3), ByColumns(_same, 3)
    cartesian = Text("Cartesian coordinates", "декартовы координаты")
    cylindrical = Text("cylindrical coordinates: ρ, φ, z", "цилиндрические координаты: ρ, φ, z")
    spherical = Text("spherical coordinates: r, θ from z, φ", "сферические координаты: r, θ от z, φ")
    angular = Text(
        f"angular coordinates: angles of an arm of {arm.column:g} m, {arm.upper:g} m and {arm.fore:g} m",
        f"ангулярные координаты: углы руки в {arm.column:g} м, {arm.upper:g} м и {arm.fore:g} м",
    )
    generalised = Text(
        "generalised coordinates of an arm: turn about z, lift, reach",
        "обобщённые координаты руки: поворот вокруг z, подъём, вылет",
    )
    polar = Text("polar coordinates in the plane z = 0: ρ, φ", "полярные координаты в плоскости z = 0: ρ, φ")
    by_cylinder = _places.from_cylindrical, _places.to_cylindrical
    by_sphere = _places.from_spherical, _places.to_spherical
    by_arm, by_column = (arm.to_cartesian, arm.from_cartesian), (column.to_cartesian, column.from_cartesian)
    return (
        _set("cartesian", cartesian, "x, y, z", same, code=0),
        _set("cylindrical", cylindrical, "rho, phi, z", by_cylinder, {1}, code=1),
        _set("spherical", spherical, "r, theta, phi", by_sphere, {1, 2}, code=2),
        _set("angular", angular, "column, shoulder, elbow", by_arm, range(3), code=3),
        _set("generalised", generalised, "turn, lift, reach", by_column, {0}, code=4),
        _set("polar", polar, "rho, phi", (_places.from_polar, _places.to_polar), {1}),
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
