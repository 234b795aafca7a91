"""Lists of operations as rows of numbers: what `operations` plays, read and written in Python.

A record is: a time [s], an action (0 move, 1 take a load, 2 release it, 3 leave the gripper, 4 fit one), the number of
the load or gripper (from 1; 0 for none), the gap of the fingers at that time [m], and the pose at that time as in
`position`. The way from record to record starts and ends at rest; loads and grippers change hands at the times.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sistel.errors import Text
from sistel.pose import Parameters, Pose, write_position
from sistel.pose.codes import Reader
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

ACTIONS = ("move", "take", "release", "leave", "fit")
"""What can be done, by number."""


@record
class Operation:
    """What has been done by a time."""

    time: float
    """Since the list began [s]."""
    action: str
    """One of `ACTIONS`."""
    number: int = 0
    """Of the load or gripper, from 1."""
    spread: float = 0.0
    """The gap of the fingers [m]."""
    pose: Pose
    """Of the flange, and of the pole of a gripper that is fitted."""


def read_operations(code: ArrayLike, parameters: Parameters | None = None) -> tuple[Operation, ...]:
    """The operations of a list; a single 0 means none.

    Raises:
        SistelError: A number is wrong: which one, and why.
    """
    reader = Reader(code, "transitions", parameters)
    reader.field = Text("list", "операции")
    if reader.numbers in ([], [0.0]):
        return ()
    made: list[Operation] = []
    while not reader.ended:
        time = reader.time(made[-1].time if made else None)
        action, number, spread = (_one(reader, which) for which in range(3))
        pose = reader.pose(last=False)
        made.append(Operation(time=time, action=ACTIONS[int(action)], number=int(number), spread=spread, pose=pose))
    return tuple(made)


def _one(reader: Reader, which: int) -> float:
    """The action, the number or the gap."""
    place, number = reader.place, reader.one()
    whole = number >= 0.0 and number == int(number)
    if which == 0 and not (whole and number < len(ACTIONS)):
        known = ", ".join(f"{k} {name}" for k, name in enumerate(ACTIONS))
        reader.wrong(place, Text("is no action", "— не действие"), Text(known, known))
    if which == 1 and not whole:
        reader.wrong(place, Text("is no number of a thing", "— не номер предмета"))
    if which == 2 and number < 0.0:
        reader.wrong(place, Text("is no gap", "— не развод"), Text("≥ 0 m", "≥ 0 м"))
    return number


def write_operations(
    operations: Iterable[Operation], coordinates: str | int = 0, orientation: str | int = 0
) -> tuple[float, ...]:
    """The list of some operations [s, m and deg]."""
    made: list[float] = []
    for each in operations:
        made += [each.time, ACTIONS.index(each.action), each.number, each.spread]
        made += write_position(each.pose, coordinates, orientation)
    return tuple(made) or (0.0,)


def records(*rows: Sequence[float]) -> tuple[float, ...]:
    """Rows of numbers, one after another."""
    return tuple(number for row in rows for number in row)
