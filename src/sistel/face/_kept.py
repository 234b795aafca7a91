"""What a system keeps for its next calls: the one owner, beside the engine, which keeps what is compiled.

Two kinds of methods are called so often that a call of Python would be most of their time: quantities of the tree of
bodies, and inverse kinematics of one pose. Once such a method has been called, `hand_over` puts machine code in its
place, into the dictionary of that one system: Python looks there before it looks into the class. What the machine code
does not know (batches, other types, errors) it hands back to the method of the class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import MethodType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sistel.arms import Chain, ClosedForm
    from sistel.errors import Text
    from sistel.face._system import System
    from sistel.simulation import Simulation
    from sistel.solve import Single, Solver


@dataclass(slots=True, eq=False)
class Kept:
    """By everything that each depends on."""

    simulations: dict[tuple[object, str, float | None], Simulation] = field(default_factory=dict)
    live: dict[tuple[tuple[str, ...], object, str, float | None], Simulation | None] = field(default_factory=dict)
    solvers: dict[object, Solver] = field(default_factory=dict)
    singles: dict[tuple[object, ...], Single] = field(default_factory=dict)
    closed_forms: dict[object, ClosedForm | Text] = field(default_factory=dict)
    chains: dict[str, Chain] = field(default_factory=dict)
    carrying: dict[object, System] = field(default_factory=dict)


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
