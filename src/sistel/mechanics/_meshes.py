"""What gears and clutches hold, as rows of a Jacobian: a flank that pushes, a driver that its losses hold, a clutch."""

from __future__ import annotations

from collections.abc import Callable

from sistel.expr import ZERO, Scalar, Scalars
from sistel.mechanics._rows import Row
from sistel.model import Drive
from sistel.records import entry


@entry
class Mesh:
    """What a gear or a clutch holds."""

    drive: str
    outward: float = 0.0
    """Which flank of a gear pushes: 1 or -1; 0 where all is held, as by a clutch."""
    way: float | None = None
    """Which way a driver with losses goes: 1, -1, or 0 where it is held; None where nothing rubs."""
    pull: float = 0.0
    """Friction for a unit force of the flank."""


def mesh_rows(
    mesh: Mesh, drive: Drive, row: Row, driver: Row, place: Scalar, anchor: Callable[[str, list[Scalar]], Scalars]
) -> list[Row]:
    """What a gear or a clutch holds.

    Args:
        mesh: What it does.
        drive: The gear or clutch.
        row: Of its coupling.
        driver: Of the velocity of its driver.
        place: The coordinate of the driver.
        anchor: Tells what a link has found, from its name and from what is there now.
    """
    if not mesh.outward:
        if drive.limit is not None:
            row.value = row.value - anchor(drive.name, [row.value])[0]
        return [row]
    flank = flank_row(row, mesh.outward, 0.5 * drive.backlash, drive.name)
    if mesh.way is None:
        return [flank]
    if mesh.way:
        flank.drag = [-(mesh.way * mesh.pull) * x for x in driver.J]
        return [flank]
    driver.value = place - anchor(drive.name, [place])[0]
    driver.shown = ZERO, ZERO  # the load of a gear is what it does to the driven coordinate
    return [flank, driver]


def flank_row(row: Row, outward: float, half: float, link: str) -> Row:
    """The flank of a gear as a stop: how far it is from pushing, half of the play from the middle."""
    J = [-outward * x for x in row.J]
    shown = None if row.shown is None else (-outward * row.shown[0], -outward * row.shown[1])
    return Row(link, "normal", J, -outward * row.bias, half - outward * row.value, shown=shown)
