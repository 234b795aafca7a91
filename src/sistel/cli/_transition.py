"""`--transition IJ,KL`: an arm turns what it carries from one axial orientation to another, in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._described import options
from sistel.cli._motion import POLYNOMIALS, USUAL, read_every
from sistel.cli._postures import read_place, read_posture
from sistel.cli._values import read_positive
from sistel.errors import SistelError, Text
from sistel.records import entry
from sistel.units import TIME

if TYPE_CHECKING:
    from sistel.arms import Travel
    from sistel.system import System

(TRANSITION,) = options(
    """
    --transition IJ,KL
        the tool turns from one axial orientation to another, by their codes, in its place or in that of --at; forces
            are computed in quaternions too, with that of the transition put in
        инструмент поворачивается из одной осевой ориентации в другую, по их кодам, на своём месте или на месте --at;
            силы вычисляются и в кватернионах, с подстановкой кватерниона перехода
    """
)
OTHERS = ("--q", "--to", "--code", "--table", "--via", "--speed", "--acceleration", "--jerk", "--task")
"""Options that say another motion."""


@entry
class Passage:
    """A transition, carried out."""

    start: int
    end: int
    travel: Travel
    apart: float
    """How far its forces are from those in quaternions, of the greatest of them."""

    def say(self) -> Text:
        """A sentence."""
        return Text(
            f"transition {self.start} → {self.end}: in quaternions, with that of the transition put in, the forces are "
            f"the same to {self.apart:.1e} of the greatest",
            f"переход {self.start} → {self.end}: в кватернионах, с подстановкой кватерниона перехода, силы те же с "
            f"точностью до {self.apart:.1e} наибольшей",
        )


def pass_over(call: Call, system: System, frame: str, more: dict[str, Any]) -> Passage:
    """Carry out the transition that a call asks for, and compute its forces again, in quaternions.

    Raises:
        CallError: The codes are none, or the arm cannot turn its tool there.
    """
    import numpy as np

    from sistel.arms import Course, quaternion_dynamics, transition_course, transition_path
    from sistel.motion.trajectories import along, polynomial_move
    from sistel.pose import conjugate, quaternion

    kind = call.value("kind") or "quintic"
    if kind not in POLYNOMIALS:
        listed = ", ".join(POLYNOMIALS)
        wrong_call(
            "bad-call",
            Text(f"a transition has no --kind {kind}", f"у перехода не бывает --kind {kind}"),
            expected=Text(listed, listed),
        )
    first, last = _codes(call)
    start = read_posture(call, "from", system) or [float(x) for x in system.model.start.q]
    place = read_place(call, "at")
    place = system.pose(start, frame)[:3, 3].tolist() if place is None else place
    profile = polynomial_move([0.0], [1.0], read_positive(call, "time", TIME, USUAL), kind=cast("Any", kind))
    try:
        travel = system.along(
            along(transition_path(first, last, place), profile), frame, every=read_every(call), q=start, **more
        )
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None
    s, v, a = (each[:, 0] for each in profile(travel.t))
    number, _, R_BF = travel.model.place_of(frame)
    # The body that carries the tool turns as the tool does, less what the tool is turned in it.
    off = conjugate(np.array(quaternion(R_BF)))
    tool, still = transition_course(first, last, s, v, a), np.zeros((len(s), 4))
    course = tool.then(Course(np.broadcast_to(off, (len(s), 4)), still, still))
    body = travel.model.bodies[number - 1].name
    forces = quaternion_dynamics(travel.model, travel.q, travel.v, travel.a, {body: course})
    own = travel.torques
    if travel.applied:
        own = own + travel.arm.applied_forces(travel.q, travel.v, t=travel.t)
    size = float(np.abs(own).max()) or 1.0
    return Passage(first, last, travel, float(np.abs(forces - own).max()) / size)


def _codes(call: Call) -> tuple[int, int]:
    from sistel.pose import CODES

    parts = [part.strip() for part in str(call.value("transition")).replace("→", ",").split(",")]
    found = [int(part) for part in parts if part.isascii() and part.isdecimal() and len(part) < 4]
    if len(parts) != 2 or len(found) != 2 or not set(found) <= set(CODES):
        listed = ", ".join(map(str, CODES))
        wrong_call(
            "bad-code",
            Text(
                f'--transition cannot be "{call.value("transition")}"',
                f"--transition не может быть «{call.value('transition')}»",
            ),
            expected=Text(f"two of the codes {listed}: 13,46", f"два из кодов {listed}: 13,46"),
        )
    return found[0], found[1]
