"""Which patches of tracks press the ground: none pulls, and the others share the whole load with the least norm.

What patches carry is linear in the forces of all elements while the same of them press. So that goes into the problem
of the forces itself, as the row of the normal of every patch, and one solution is exact; only which of them press is
found in turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from sistel.automaton import Element
from sistel.errors import Text, refuse
from sistel.mechanics import bed_shares
from sistel.model import Track

if TYPE_CHECKING:
    from sistel.arrays import Array

CHANGES: Final = 200
"""Patches that are lifted or put down in search of those that press."""
NOTHING: Final = 1e-13
"""Part of the whole load that counts as none."""

Lifted = frozenset[int]
"""Indices of elements: patches that do not press."""


class Beds:
    """The ground under the tracks of all hulls."""

    def __init__(self, grounds: Sequence[Sequence[Track]], elements: Sequence[Element]) -> None:
        """Of the tracks with patches, hull by hull, and of all elements."""
        self.grounds = grounds
        self.patches = [i for i, element in enumerate(elements) if element.track is not None]
        """Indices of the patches among the elements."""
        self._names = [elements[i].name for i in self.patches]
        self._owners = [
            next(n for n, tracks in enumerate(grounds) if elements[i].track in tracks) for i in self.patches
        ]
        self._shares: dict[Lifted, Array | None] = {}

    def shares(self, lifted: Lifted) -> Array | None:
        """What patches carry of the whole loads of hulls, shape (patches, 3 · hulls); None where a hull tips over.

        Those that are lifted, what they would if they stood there.
        """
        if lifted not in self._shares:
            self._shares[lifted] = self._made(lifted)
        return self._shares[lifted]

    def _made(self, lifted: Lifted) -> Array | None:
        names = frozenset(name for i, name in zip(self.patches, self._names, strict=True) if i in lifted)
        every = [bed_shares(tracks, names) for tracks in self.grounds]
        made = np.zeros((len(self.patches), 3 * len(every)))
        for place, (name, owner) in enumerate(zip(self._names, self._owners, strict=True)):
            own = every[owner]
            if own is None:
                return None
            made[place, 3 * owner : 3 * owner + 3] = own[name]
        return made

    def standing(self, whole: Array) -> tuple[Lifted, Array] | None:
        """Patches that are lifted under whole loads, and what the others carry [N]; None where a hull tips over."""
        if not (whole[::3] > 0.0).all():
            return None
        lifted: Lifted = frozenset()
        little = NOTHING * float(whole[::3].max())
        for _ in range(CHANGES):
            shares = self.shares(lifted)
            if shares is None:
                return None
            loads = shares @ whole
            down = [i not in lifted for i in self.patches]
            least, most = int(np.where(down, loads, np.inf).argmin()), int(np.where(down, -np.inf, loads).argmax())
            if loads[least] < -little:
                lifted |= {self.patches[least]}
            elif lifted and loads[most] > little:
                lifted -= {self.patches[most]}
            else:
                return lifted, np.where(down, loads, 0.0)
        return None

    def next_lifted(self, lifted: Lifted, whole: Array) -> Lifted:
        """Where nothing carries some whole loads, the patch that would pull most is lifted too."""
        shares = self.shares(lifted)
        down = [i for i in self.patches if i not in lifted]
        if shares is not None:
            loads = dict(zip(self.patches, shares @ whole, strict=True))
            lifted |= {min(down, key=lambda i: loads[i])}
            if self.shares(lifted) is not None:
                return lifted
        return tips(self.grounds[0][0])


def tips(track: Track) -> NoReturn:
    """End where a hull would tip over its tracks."""
    refuse(
        "track-lifts",
        Text(
            f'the hull on "{track.name}" would tip over: to stay on the ground, its tracks would have to pull at it',
            f"корпус на «{track.name}» опрокинулся бы: чтобы он остался на земле, гусеницам пришлось бы тянуть за неё",
        ),
        span=track.span,
        hint=Text(
            "a lower or more central weight, gentler forces, longer tracks; what tips over is a free body on contacts",
            "груз ниже или ближе к середине, силы поменьше, гусеницы длиннее; что опрокидывается, то свободное тело на "
            "контактах",
        ),
    )
