"""Gears and clutches that give way: how far they are from the middle of their play, and what they do meanwhile.

With d = driven − ratio · driver − offset, elastic teeth push where |d| is beyond half of the play, and never pull. A
clutch that slips has its full moment against the slip; whether it holds is decided with the structures, not here.
"""

from __future__ import annotations

from collections.abc import Iterator

from sistel.expr import Scalar, Scalars, less, maximum, select
from sistel.model import Coupling, Drive, Model


def rate_index(model: Model, index: int) -> int:
    """Index in v of the rate of a coordinate of a joint without a quaternion."""
    for body in model.bodies:
        if body.first_q <= index < body.first_q + body.joint.type.nq:
            return body.first_v + index - body.first_q
    raise AssertionError(index)


def rates_of(model: Model, coupling: Coupling) -> tuple[int, int]:
    """Indices in v of the driven velocity and of its driver."""
    return rate_index(model, coupling.driven), rate_index(model, coupling.driver)


def gear_place(coupling: Coupling, q: Scalars) -> Scalar:
    """How far a gear of one ratio is from where it would hold [m or rad]."""
    return q[coupling.driven] - coupling.ratio[0] * q[coupling.driver] - coupling.offset


def flanks(drive: Drive, q: Scalars) -> Iterator[tuple[float, Scalar]]:
    """Of elastic teeth: the sign of each flank, and how deep it is pressed in [m or rad]."""
    away = gear_place(drive.coupling, q)
    for outward in (1.0, -1.0):
        yield outward, outward * away - 0.5 * drive.backlash


def drive_forces(model: Model, q: Scalars, v: Scalars, joints: list[Scalar]) -> None:
    """Add what elastic teeth do to the forces on velocities."""
    for drive in model.drives:
        if drive.stiffness is not None:
            driven, driver = rates_of(model, drive.coupling)
            act(drive, driven, driver, teeth_force(model, drive, q, v), joints)


def teeth_force(model: Model, drive: Drive, q: Scalars, v: Scalars) -> Scalar:
    """What elastic teeth do to the driven velocity [N or N·m]."""
    assert drive.stiffness is not None
    driven, driver = rates_of(model, drive.coupling)
    speed = v[driven] - drive.coupling.ratio[0] * v[driver]
    total: Scalar = 0.0
    for outward, depth in flanks(drive, q):
        push = drive.stiffness * depth
        if drive.damping:
            push = maximum(push + drive.damping * (outward * speed), 0.0)
        total = total - outward * select(less(0.0, depth), push, 0.0)
    return total


def act(drive: Drive, driven: int, driver: int, force: Scalar, joints: list[Scalar]) -> None:
    """Add a force on the driven velocity, and what it does to the driver."""
    joints[driven] = joints[driven] + force
    joints[driver] = joints[driver] - drive.coupling.ratio[0] * force
