"""Whether drives are strong enough for a table: forces along it against currents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sistel.errors import Diagnostics, Text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.drives._plan import Plan
    from sistel.model import Model

LOOKS = 12
"""Times that are looked at between two rows."""


class Driven(Protocol):
    """A system whose driving forces are asked for; `System` is one."""

    @property
    def model(self) -> Model:
        """Everything that its file says, in SI."""

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, /) -> Array:
        """Driving forces, shape (..., nv) [N or N·m]."""


def refuse_weak(system: Driven, plan: Plan) -> None:
    """Compare the forces of inverse dynamics along the table with what currents allow.

    Raises:
        SistelError: A drive is too weak; where in the table, and by how much.
    """
    import numpy as np

    table = plan.table
    limited = [axis for axis in plan.axes if axis.drive.force is not None]
    model = system.model
    if not limited or model.structure().why_not or len(model.coordinate_names) != len(model.rate_names):
        return
    looks = np.unique(
        np.concatenate([np.linspace(a, b, LOOKS + 1) for a, b in zip(table.times[:-1], table.times[1:], strict=True)])
    )
    # Both sides of every time: accelerations jump at the rows.
    at = np.stack([np.maximum(np.nextafter(looks, -np.inf), table.times[0]), looks], axis=1).ravel()
    position, velocity, acceleration = table.trajectory("cubic")(at)
    q = np.tile(np.asarray(model.start.q, dtype=float), (len(at), 1))
    v, a = np.zeros_like(q), np.zeros_like(q)
    columns = [axis.drive.coordinate for axis in plan.axes]
    for into, values in ((q, position), (v, velocity), (a, acceleration)):
        into[:, columns] = values[:, [axis.column for axis in plan.axes]]
    forces = system.inverse_dynamics(q, v, a)
    diagnostics = Diagnostics()
    for axis in limited:
        drive = axis.drive
        assert drive.force is not None
        needed = np.abs(forces[:, drive.coordinate])
        worst = int(needed.argmax())
        if needed[worst] <= drive.force:
            continue
        row = min(int(np.searchsorted(table.times, at[worst])), len(axis.moves) - 1)
        unit = ("N", "Н") if drive.slides else ("N·m", "Н·м")
        diagnostics.error(
            "too-weak",
            axis.moves[row].span,
            Text(
                f'at {at[worst]:.4g} s "{drive.joint}" needs {needed[worst]:.4g} {unit[0]}, '
                f"and its drive gives {drive.force:.4g} {unit[0]}",
                f"в {at[worst]:.4g} с «{drive.joint}» требует {needed[worst]:.4g} {unit[1]}, "
                f"а привод даёт {drive.force:.4g} {unit[1]}",
            ),
            related=[(drive.place("current"), Text("its current", "его ток"))],
        )
    diagnostics.raise_if_failed()
