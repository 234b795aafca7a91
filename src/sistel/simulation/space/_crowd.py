"""Runs of many free bodies whose shapes touch in space: tables in, steps and events out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.automaton import Element
from sistel.errors import Text
from sistel.kernels import USER
from sistel.kernels.subset import CompiledFunctions, compile_functions
from sistel.once import once
from sistel.pose import matrices
from sistel.simulation.plane import Crowd
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._frames import from_world, to_world
from sistel.simulation.space import _loop
from sistel.simulation.space import tables as s
from sistel.simulation.space._bodies import suits, world_of
from sistel.simulation.space._impacts import DULL_IN_STACKS, STACK
from sistel.simulation.space._series import SLOWEST

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model

FEW_IN_SPACE: Final = 12
"""Contacts up to which equations of their own are written for a system."""


@once
def code() -> CompiledFunctions:
    """The loop, one for all models."""
    return compile_functions(
        list(_loop.FUNCTIONS), exports=["travel", "start", "went_through"], cache=USER, quick=False
    )


class SpatialCrowd(Crowd):
    """Free bodies whose shapes touch in space."""

    blow = s.BLOW
    kept = s.PLACE + s.RATE

    def code(self) -> CompiledFunctions:
        """The loop: `start` and `travel`."""
        return code()

    def _tables(self) -> tuple[Array, Array, Array]:
        world = self.world
        com = np.asarray(world.bodies).reshape(-1, s.BODY)[1:, s.COM : s.COM + 3]
        return np.asarray(world.place).reshape(-1, s.PLACE), np.asarray(world.rate).reshape(-1, s.RATE), com

    def put_state(self, y: Array) -> None:
        """Put bodies where a state (q, v, t) has them."""
        n = len(self.model.bodies)
        q, v = to_world(self.crew.frames, y[: 7 * n].reshape(n, 7), y[7 * n : 13 * n].reshape(n, 6))
        place, rate, com = self._tables()
        place[0], rate[0] = 0.0, 0.0
        place[0, 3] = 1.0
        place[1:, 3:] = q[:, :4] / np.linalg.norm(q[:, :4], axis=1, keepdims=True)
        turns = matrices(place[1:, 3:])
        place[1:, :3] = q[:, 4:] + _turned(turns, com)
        rate[1:, :3] = _turned(turns, v[:, 3:] + np.cross(v[:, :3], com))
        rate[1:, 3:] = _turned(turns, v[:, :3])

    def state(self) -> Array:
        """(q, v, t) now."""
        place, rate, com = self._tables()
        turns = matrices(place[1:, 3:])
        back = turns.transpose(0, 2, 1)
        q = np.concatenate([place[1:, 3:], place[1:, :3] - _turned(turns, com)], axis=1)
        spin = _turned(back, rate[1:, 3:])
        v = np.concatenate([spin, _turned(back, rate[1:, :3]) - np.cross(spin, com)], axis=1)
        from_world(self.crew.frames, q, v)
        return np.concatenate([q.ravel(), v.ravel(), np.asarray(self.world.numbers)[t.TIME : t.TIME + 1]])

    def begin(self, y: Array, until: float, longest: float, keep: bool) -> None:
        """Stand at the beginning of a run."""
        super().begin(y, until, longest, keep)
        np.asarray(self.world.counts)[[s.CHAINS, s.ROUGH]] = 0
        np.asarray(self.world.numbers)[s.ROUGHEST] = 0.0

    def notes(self) -> Sequence[Text]:
        """What else a run did less exactly than its laws say."""
        counts = self.world.counts
        chains, rough, held = (int(counts[each]) for each in (s.CHAINS, s.ROUGH, t.HELD_ALL))
        if not chains and not rough and not held:
            return ()
        off, longest = float(self.world.numbers[s.ROUGHEST]), float(self.world.numbers[t.LONGEST_HOLD])
        return [
            Text(
                f"many contacts at once: forces and impulses were found to a part of {off:.2g} only ({rough} times), "
                f"contacts struck one by one ({chains} times), or all held for a moment ({held} times, up to "
                f"{longest:g} s)",
                f"много контактов сразу: силы и импульсы найдены лишь с относительной погрешностью {off:.2g} "
                f"({rough} раз), контакты ударялись по очереди ({chains} раз) или все держали "
                f"недолго ({held} раз, до {longest:g} с)",
            )
        ]

    def left_out(self, speed: float) -> Text:
        """What was too slow to be followed, the fastest of it with this speed [m/s]."""
        return Text(
            f"slips that stop from less than {SLOWEST:g} m/s are taken for stopped at once, and where more than "
            f"{STACK} contacts take part slips and hops slower than {DULL_IN_STACKS:g} m/s; here from {speed:.3g} m/s",
            f"скольжения медленнее {SLOWEST:g} м/с считаются сразу прекратившимися, а где участвует больше {STACK} "
            f"контактов — скольжения и подскоки медленнее {DULL_IN_STACKS:g} м/с; здесь с {speed:.3g} м/с",
        )

    def load(self, blow: Sequence[float]) -> Array:
        """The impulse of a contact as a run has it: moments and forces."""
        return np.array([0.0, 0.0, 0.0, *blow[1:4]])


def _turned(turns: Array, a: Array) -> Array:
    return np.asarray(np.einsum("nij,nj->ni", turns, a))


def crowd_in_space(
    model: Model, elements: Sequence[Element], order: int, tolerance: float, few: int = FEW_IN_SPACE
) -> SpatialCrowd | None:
    """What simulates a system of many contacts between free bodies in space; None for others."""
    if len(elements) <= few or not suits(model, elements):
        return None
    return SpatialCrowd(model, elements, world_of(model, elements, order, tolerance))
