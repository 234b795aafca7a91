"""The code of a body: its look as a row of numbers, one record for every primitive.

A record is: kind (1 box, 2 cylinder, 3 cone, 4 sphere, 5 torus; 0 ends the list), three sizes [m], kind of coordinates,
coordinates, kind of orientation, its parameters, then red, green, blue and transparency from 0 to 1. Kinds of
coordinates and orientation are those of positions, so every record tells its own length. Sizes are the edges of the box
around the primitive; cylinders and cones stand along y, a torus lies around y.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.errors import Text
from sistel.pose._codes import Pose, Reader, write_move, write_turn
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.pose._sets import Parameters

PRIMITIVES = {1: "box", 2: "cylinder", 3: "cone", 4: "sphere", 5: "torus"}
"""Kinds of primitives by their numbers."""


@record
class Primitive:
    """A part of the look of a body."""

    kind: str
    sizes: tuple[float, float, float]
    """Along x, y and z [m]."""
    pose: Pose
    colour: tuple[float, float, float]
    """Red, green, blue, 0 to 1."""
    transparency: float
    """0 to 1."""


def read_body(code: ArrayLike, parameters: Parameters | None = None) -> tuple[Primitive, ...]:
    """The primitives of a code of a body.

    Raises:
        SistelError: A number is wrong: which one, and why.
    """
    reader = Reader(code, "body", parameters)
    made: list[Primitive] = []
    known = Text(
        ", ".join(f"{number} {name}" for number, name in PRIMITIVES.items()),
        "1 параллелепипед, 2 цилиндр, 3 конус, 4 шар, 5 тор",
    )
    while not reader.ended:
        place, kind = reader.place, reader.one()
        if kind == 0.0:
            break
        if kind not in PRIMITIVES:
            reader.wrong(place, Text("is no kind of primitive", "— не вид примитива"), known)
        reader.need(3, Text("three sizes", "три размера"))
        sizes = []
        for _ in range(3):
            place, size = reader.place, reader.one()
            if size <= 0.0:
                reader.wrong(place, Text("is no size", "— не размер"), Text("> 0 m", "> 0 м"))
            sizes.append(size)
        where = reader.kind(reader.parameters.positions, Text("coordinates", "координат"))
        at = reader.where(where, last=False)
        turned = reader.kind(reader.parameters.rotations, Text("orientation", "ориентации"))
        pose = Pose(place=at, quaternion=reader.orientation(turned, last=False))
        reader.need(4, Text("red, green, blue and transparency", "красный, зелёный, синий и прозрачность"))
        shares = []
        for _ in range(4):
            place, share = reader.place, reader.one()
            if not 0.0 <= share <= 1.0:
                reader.wrong(place, Text("is no share of colour", "— не доля цвета"), Text("0 … 1", "0 … 1"))
            shares.append(share)
        made.append(
            Primitive(
                kind=PRIMITIVES[int(kind)],
                sizes=(sizes[0], sizes[1], sizes[2]),
                pose=pose,
                colour=(shares[0], shares[1], shares[2]),
                transparency=shares[3],
            )
        )
    return tuple(made)


def write_body(
    primitives: Sequence[Primitive],
    coordinates: str | int = 0,
    orientation: str | int = 0,
    parameters: Parameters | None = None,
) -> tuple[float, ...]:
    """The code of the look of a body, which `read_body` reads back."""
    kinds = {name: number for number, name in PRIMITIVES.items()}
    numbers: list[float] = []
    for each in primitives:
        place = write_move(each.pose.place, coordinates, parameters)
        turn = write_turn(each.pose.quaternion, orientation, parameters)
        numbers += [kinds[each.kind], *each.sizes, *place, *turn, *each.colour, each.transparency]
    return (*numbers, 0.0)
