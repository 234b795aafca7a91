"""Several quantities of one state in one call: what they share is computed once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sistel.errors import Text, did_you_mean, one_of, refuse
from sistel.face._kept import often

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.engine import Together
    from sistel.face._system import System

WHOLE = ("mass_matrix", "gravity_forces", "bias_forces", "momentum", "inverse_dynamics")
"""Quantities of the whole system."""
OF_FRAMES = ("pose", "jacobian", "jacobian_rate")
"""Quantities of a body, frame or point."""


def compute(
    self: System, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None, *, want: Sequence[str]
) -> tuple[Array, ...]:
    """Several quantities at once, for one state or a batch: a call of machine code that computes what they share once.

    >>> import sistel
    >>> arm = sistel.load("models/arm5.xml")
    >>> T, J, M = arm.compute([0.1] * 5, want=("pose:инструмент", "jacobian:инструмент", "mass_matrix"))
    >>> T.shape, J.shape, M.shape
    ((4, 4), (6, 5), (5, 5))

    Args:
        q: Coordinates, shape (..., nq).
        v: Velocities, shape (..., nv), where something wanted needs them.
        a: Accelerations, shape (..., nv), where something wanted needs them.
        want: Names of methods: "mass_matrix", "gravity_forces", "bias_forces", "momentum", "inverse_dynamics"; with the
            name of a body, frame or point behind a colon "pose:hand", "jacobian:hand", "jacobian_rate:hand".

    Returns:
        What those methods give, in the order of `want`.

    Raises:
        SistelError: A name is unknown, or something that is needed is not given.
    """
    together = _together(self, want)
    given = {name: block for name, block in (("q", q), ("v", v), ("a", a)) if block is not None}
    missing = [name for name in together.inputs if name not in given]
    if missing:
        names = ", ".join(missing)
        refuse(
            "missing-argument",
            Text(f"what is wanted is not computed without {names}", f"без {names} то, что просят, не вычислить"),
            hint=Text(f"give {names} after q, in the order q, v, a", f"передайте {names} после q, по порядку q, v, a"),
        )
    found = together.call(*(given[name] for name in together.inputs))
    # Lists may change; and only what is the very same tuple can be told without looking inside.
    if type(want) is tuple and len(together.inputs) == len(given):
        often(self, "compute", tuple(map(str, want)), lambda general: together.method(general, want))
    return found


def _together(self: System, want: Sequence[str]) -> Together:
    """What computes the quantities of some names; made once for each list of them."""
    key = tuple(str(name) for name in want) if isinstance(want, (tuple, list)) else ()
    made = self._kept.together
    if key not in made:
        if not key:
            refuse(
                "bad-want",
                Text("want is a tuple of names", "want — кортеж имён"),
                expected=Text('such as ("pose:hand", "mass_matrix")', "например («pose:hand», «mass_matrix»)"),
            )
        made[key] = self._engine.together([_part(self, name) for name in key])
    return made[key]


def _part(self: System, name: str) -> tuple[str, tuple[Any, ...]]:
    """The quantity of a name, and the place of its frame."""
    quantity, colon, frame = name.partition(":")
    if quantity not in (OF_FRAMES if colon else WHOLE):
        refuse(
            "unknown-name",
            Text(f'"{name}" is not computed together with others', f"«{name}» вместе с другими не вычисляется"),
            expected=one_of([*WHOLE, *(f"{each}:NAME" for each in OF_FRAMES)]),
            hint=did_you_mean(quantity, [*WHOLE, *OF_FRAMES]),
        )
    return quantity, self._place_of(frame) if colon else ()
