"""What a system keeps for its next calls: the one owner, beside the engine, which keeps what is compiled.

Two kinds of methods are called so often that a call of Python would be most of their time: quantities of the tree of
bodies, and inverse kinematics of one pose. Once such a method has been called, `hand_over` puts machine code in its
place, into the dictionary of that one system: Python looks there before it looks into the class. What the machine code
does not know (batches, other types, errors) it hands back to the method of the class. Methods that have names besides
arrays, or that return matrices, are handed over one kind of call after the other, those that come `often`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import MethodType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sistel.arms import Chain, ClosedForm
    from sistel.engine import Together
    from sistel.errors import Text
    from sistel.face._system import System
    from sistel.simulation import Simulation
    from sistel.solve import Single, Solver


@dataclass(slots=True, eq=False)
class Kept:
    """By everything that each depends on."""

    simulations: dict[tuple[object, str, float | None], Simulation] = field(default_factory=dict)
    live: dict[tuple[tuple[str, ...], object, str, float | None], Simulation | None] = field(default_factory=dict)
    controlled: dict[tuple[float, float], System] = field(default_factory=dict)
    """With a clock at which a law is asked, by its period and its first tick [s]."""
    solvers: dict[object, Solver] = field(default_factory=dict)
    singles: dict[tuple[object, ...], Single] = field(default_factory=dict)
    closed_forms: dict[object, ClosedForm | Text] = field(default_factory=dict)
    chains: dict[str, Chain] = field(default_factory=dict)
    carrying: dict[object, System] = field(default_factory=dict)
    together: dict[object, Together] = field(default_factory=dict)
    calls: dict[tuple[str, object], int] = field(default_factory=dict)
    """How often methods were called in one way, as far as that is counted."""


OFTEN = 8
"""Calls of one kind after which machine code answers them: it takes some milliseconds to make."""
MOST_LINKS = 8
"""Ways to call one method, such as names of frames, that machine code answers."""


def often(
    system: System, method: str, way: object, quick: Callable[[Callable[..., Any]], Callable[..., Any] | None]
) -> None:
    """Let machine code answer calls of one kind once they have come often; others go to what answered before.

    Args:
        system: The system.
        method: Name of the method.
        way: What tells calls of this kind from others: the name of a frame.
        quick: Makes what answers, given what answers other calls; None for nothing.
    """
    calls = system._kept.calls
    count = calls.get((method, way), 0) + 1
    if count > OFTEN:
        return
    calls[method, way] = count
    if count == OFTEN and sum(name == method and many == OFTEN for (name, _), many in calls.items()) <= MOST_LINKS:
        found = quick(system.__dict__.get(method) or MethodType(getattr(type(system), method), system))
        if found is not None:
            system.__dict__[method] = found


def hand_over(system: System, method: str, quick: Callable[[Callable[..., Any]], Callable[..., Any] | None]) -> None:
    """Let machine code answer a method of one system from now on.

    Args:
        system: The system.
        method: Name of the method.
        quick: Makes what answers, given the method of the class to hand unusual calls back to; None for nothing.
    """
    if method in system.__dict__:
        return
    found = quick(MethodType(getattr(type(system), method), system))
    if found is not None:
        system.__dict__[method] = found
