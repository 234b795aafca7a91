"""A limit cycle followed along a parameter: each one begins where those before it point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from sistel.errors import SistelError

if TYPE_CHECKING:
    from sistel.simulation._cycle import Cycle


class Changeable(Protocol):
    """A system whose parameters can be changed."""

    @property
    def cycle(self) -> Callable[..., Cycle]:
        """Finds its limit cycle."""


def follow_cycles(
    system: Changeable,
    parameter: str,
    values: Sequence[float],
    *,
    section: str | None = None,
    mirror: Mapping[str, str] | None = None,
    until: float = 100.0,
    tolerance: float = 1e-10,
    period: float | str | None = None,
) -> tuple[Cycle, ...]:
    """The cycles of a system at several values of a parameter, in their order.

    Args:
        system: The system; its own start leads to the first cycle.
        parameter: Name of the parameter.
        values: Its values [SI], near enough to each other for Newton's method.
        section: As for `System.cycle`.
        mirror: As for `System.cycle`.
        until: As for `System.cycle`.
        tolerance: As for `System.cycle`.
        period: As for `System.cycle`; a text such as ``2*pi/w`` follows its parameters.

    Returns:
        One for every value; after one that was not found there are no more.
    """
    made: list[Cycle] = []
    for number, value in enumerate(values):

        def cycle(q: object, v: object, structure: str | None, value: float = value) -> Cycle:
            return system.cycle(
                section,
                parameters={parameter: value},
                mirror=mirror,
                q=q,
                v=v,
                structure=structure,
                until=until,
                tolerance=tolerance,
                period=period,
            )

        if not made:
            made.append(cycle(None, None, None))
        else:
            last = made[-1]
            q, v = last.q, last.v
            if number > 1 and values[number - 1] != values[number - 2] and made[-2].structure == last.structure:
                # Along the line through the last two.
                ahead = (value - values[number - 1]) / (values[number - 1] - values[number - 2])
                q, v = q + ahead * (q - made[-2].q), v + ahead * (v - made[-2].v)
            try:
                made.append(cycle(q, v, last.structure))
            except SistelError:
                made.append(cycle(last.q, last.v, last.structure))
        if not made[-1].success:
            break
    return tuple(made)
