"""Which patches of tracks press the ground: none pulls, and the others share the whole load with the least norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from sistel.errors import Diagnostics, SistelError, Text
from sistel.mechanics import bed_shares
from sistel.model import Track

if TYPE_CHECKING:
    from sistel.arrays import Array

CHANGES: Final = 200
"""Patches that are lifted or put down in search of those that press."""
NOTHING: Final = 1e-13
"""Part of the whole load that counts as none."""


def carried_loads(tracks: Sequence[Track], whole: Array) -> dict[str, float]:
    """What the patches of a hull carry of its whole load and its moments; what one would have to pull, negative [N]."""
    lifted: frozenset[str] = frozenset()
    little = NOTHING * abs(float(whole[0]))
    loads: dict[str, float] = {}
    for _ in range(CHANGES):
        shares = bed_shares(tracks, lifted)
        if shares is None or not whole[0] > 0.0:
            tips(tracks[0])
        loads = {name: float(sum(a * b for a, b in zip(share, whole, strict=True))) for name, share in shares.items()}
        least = min((name for name in loads if name not in lifted), key=lambda name: loads[name])
        most = max(lifted, key=lambda name: loads[name], default="")
        if loads[least] < -little:
            lifted |= {least}
        elif most and loads[most] > little:
            lifted -= {most}
        else:
            break
    return loads


def tips(track: Track) -> NoReturn:
    """End where a hull would tip over its tracks."""
    diagnostics = Diagnostics()
    diagnostics.error(
        "track-lifts",
        track.span,
        Text(
            f'the hull on "{track.name}" would tip over: to stay on the ground, its tracks would have to pull at it',
            f"корпус на «{track.name}» опрокинулся бы: чтобы он остался на земле, гусеницам пришлось бы тянуть за неё",
        ),
        hint=Text(
            "a lower or more central weight, gentler forces, longer tracks; what tips over is a free body on contacts",
            "груз ниже или ближе к середине, силы поменьше, гусеницы длиннее; что опрокидывается, то свободное тело на "
            "контактах",
        ),
    )
    raise SistelError(diagnostics.sorted())
