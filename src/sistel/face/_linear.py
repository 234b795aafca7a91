"""Linear systems for control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from sistel.errors import Text
from sistel.face._refusals import refuse, unknown
from sistel.model import Structure

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.face._system import System
    from sistel.linear import Linear, Options, Plan
    from sistel.simulation import Run
    from sistel.solve import Equilibrium


MOVED = 1e-8
"""How far closing the links may move a coordinate that was given [m or rad], or a velocity."""

_OPEN = Text(
    "contacts of this file make structures by themselves, and none of them holds at a given point: linearise a run at "
    "a time, or name a structure of a run",
    "контакты этого файла сами образуют структуры, и в заданной точке ни один из них не держит: линеаризуйте расчёт в "
    "момент времени или назовите структуру расчёта",
)


def linearize(
    self: System,
    structure: str | None = None,
    at: str | Mapping[str, float] | ArrayLike | Equilibrium | Run | None = None,
    *,
    v: ArrayLike | None = None,
    t: float | None = None,
    tau: ArrayLike | Literal["hold"] | None = None,
    inputs: str | Sequence[str] = "force",
    outputs: Sequence[str] = (),
    motions: bool = False,
    applied: bool = True,
    coordinates: Sequence[str] | None = None,
) -> Linear:
    """The linear system for small deviations from a point, with exact derivatives: ẋ = A x + B u, y = C x + D u.

    States are independent coordinates and velocities of the structure: what its closures, contacts and rolling wheels
    leave. Of a body with a quaternion they are small turns about its own axes (`body.rx` …).

    Args:
        structure: The structure, by default the initial one; also the name of one that contacts made in a run.
        at: The point: the name of a posture ("start", "zero" or of the file), coordinates by name, all of them, shape
            (nq,), an equilibrium, or a run (with the time `t`). Without, the start of the file.
        v: Velocities there, shape (nv,); without, those of the start, and none at other points.
        t: Time [s].
        tau: Driving forces there, shape (nv,) [N or N·m], or "hold" for those that hold the point at rest; without,
            those of the equilibrium or of the run, and else none.
        inputs: "force": the forces of all motors at their joints; "voltage": the voltages of electric motors instead,
            whose currents are states where their windings have an inductance; or names of motors, of inputs of
            schemes and of coordinates.
        outputs: Expressions of the language, such as "x(tip)" or "reaction(knee).n"; without, the states.
        motions: Whether motions and schemes of the file act at the coordinates of the inputs, too, and these come on
            top: the poles are then those of the system as the file controls it. Without, inputs take their place
            there; those of other coordinates act in any case.
        applied: Whether springs, dampers, friction and forces of the file act.
        coordinates: Names of the coordinates that are states; without, they are chosen: those of motors first, then of
            hinges and slides.

    Returns:
        `.A`, `.B`, `.C`, `.D`, `.states`, `.inputs`, `.outputs`, `.poles`, `.controllability`, `.lqr(Q, R)` …

    Raises:
        SistelError: The point does not meet the links of the structure, or these depend on each other there.
    """
    import numpy as np

    from sistel.automaton import makes_structures
    from sistel.kernels import as_rows
    from sistel.linear import Point
    from sistel.linear import linearize as linearized
    from sistel.simulation import Run, plan_of
    from sistel.solve import Equilibrium

    if isinstance(at, Run):
        _check_run(self, at, structure, v, tau)
        options: Options = {"inputs": inputs, "outputs": outputs, "motions": motions, "applied": applied}
        options |= {"tau": None if isinstance(tau, str) else tau, "coordinates": coordinates}
        return at.linearize(t, **options)
    chosen = _structure(self, structure)
    if isinstance(at, Equilibrium):
        if not at.success:
            reason = at.reason or Text("", "")
            refuse("no-equilibrium", Text("this is no equilibrium", "это не равновесие"), (reason,))
        tau = at.tau if tau is None else tau
        at = at.q
    plan = plan_of(self._engine, chosen, inputs, outputs, motions, applied)
    y = _state(self, plan, at, v, t)
    forces_given: ArrayLike = np.zeros(self.nv)
    if isinstance(tau, str):
        forces_given = _holding(self, plan, y)
    elif tau is not None:
        forces_given = tau
    forces = as_rows([("tau", self.nv)], [("tau", self.nv)], (forces_given,), None).inputs[0][0]
    nq, nv = self.nq, self.nv
    point = Point(q=y[:nq], v=y[nq : nq + nv], memory=y[nq + nv : -1], t=float(y[-1]), tau=np.array(forces))
    found = linearized(self._engine, plan, point, coordinates)
    if structure is None and makes_structures(self._model):
        found = replace(found, warnings=(*found.warnings, _OPEN))
    return found


def _check_run(self: System, run: Run, structure: str | None, v: ArrayLike | None, tau: ArrayLike | str | None) -> None:
    """Refuse what a run does not leave open."""
    reasons = []
    if run.model.fingerprint != self.fingerprint:
        reasons.append(Text("the run is of another system", "это расчёт другой системы"))
    if structure is not None or v is not None or isinstance(tau, str):
        reasons.append(
            Text("a run brings its structure, velocities and forces", "структура, скорости и силы берутся из расчёта")
        )
    if reasons:
        refuse("bad-point", Text("the call is wrong", "вызов неверен"), reasons)


def _structure(self: System, name: str | None) -> Structure:
    """A structure of the file, or one that contacts make."""
    names = [each.name for each in self.structures]
    try:
        chosen = self.structure() if name is None else self._engine.automaton.structure(str(name))
    except KeyError:
        unknown("structure", "структуры", str(name), names)
        raise AssertionError from None
    if chosen.why_not:
        refuse("no-dynamics", Text("the motion cannot be computed", "движение нельзя вычислить"), chosen.why_not)
    return chosen


def _holding(self: System, plan: Plan, y: Array) -> Array:
    """Forces of the inputs that hold a point at rest."""
    from sistel.solve import static_forces

    driven = sorted({each.rate for each in plan.inputs})
    return static_forces(self._engine.structure(plan.structure, plan.applied), y[: self.nq], driven, float(y[-1]))


def _state(
    self: System,
    plan: Plan,
    at: str | Mapping[str, float] | ArrayLike | None,
    v: ArrayLike | None,
    t: float | None,
) -> Array:
    """The state (q, v, memory, t) of a point; refused where links do not allow what was given."""
    import numpy as np

    from sistel.automaton import first_memory
    from sistel.kernels import as_rows
    from sistel.simulation import initial_state

    model, structure = self._model, plan.structure
    speed = None if v is None else as_rows([("v", self.nv)], [("v", self.nv)], (v,), None).inputs[0][0]
    if at is None or (isinstance(at, str) and at == "start"):
        return initial_state(self._engine, structure, None, speed, t)
    q, given = _coordinates(self, at)
    place = _assembled(self, structure, q, given)
    time = model.start_time if t is None else float(t)
    rates = _velocities(self, plan, place, speed, time)
    return np.array([*place, *rates, *first_memory(model, structure.name, time), time])


def _coordinates(self: System, at: str | Mapping[str, float] | ArrayLike) -> tuple[Array, list[int]]:
    """Coordinates of a posture, and which of them were given."""
    import numpy as np

    model = self._model
    if isinstance(at, (str, Mapping)):
        from sistel.views.schemes import coordinates_at

        found = np.array(coordinates_at(model, at))
        if isinstance(at, str):
            posture = next((each for each in model.postures if each.name == at), None)
            return found, [] if posture is None else sorted(posture.given_q)
        return found, [i for i, name in enumerate(model.coordinate_names) if name in at]
    return self._one_state(at), list(range(self.nq))


def _assembled(self: System, structure: Structure, q: Array, given: list[int]) -> Array:
    """The coordinates where links hold: those that were given must not move."""
    import numpy as np

    from sistel.mechanics import assemble

    if type(structure) is Structure and not (structure.holds or structure.changes):
        return q
    simple = [body for body in self.bodies if not body.joint.type.has_quaternion]
    pairs = ((body.first_q + i, body.first_v + i) for body in simple for i in range(body.joint.type.nv))
    fixed = frozenset(rate for place, rate in pairs if place in given)
    found = np.array(assemble(self._model, structure, q.tolist(), fixed=fixed).q)
    moved = [self._model.coordinate_names[i] for i in given if abs(found[i] - q[i]) > MOVED]
    if moved:
        listed = ", ".join(moved)
        reason = Text(
            f'the links of structure "{structure.name}" do not allow these coordinates: {listed}',
            f"связи структуры «{structure.name}» не допускают этих координат: {listed}",
        )
        refuse("off-constraints", Text("this is no point of it", "такой точки у неё нет"), (reason,))
    return found


def _velocities(self: System, plan: Plan, q: Array, v: Array | None, t: float) -> Array:
    """Velocities that the links allow; those that were given must not change."""
    import numpy as np

    from sistel.mechanics import Quantities, constraint_rows

    structure, tree = plan.structure, self._engine.tree
    begin = np.zeros(self.nv) if v is None else np.array(v)
    rows = constraint_rows(self._model, tree, structure, q.tolist(), begin.tolist(), t=t)
    if self._model.motions:
        rows += plan.forced(Quantities(self._model, tree, q.tolist(), begin.tolist(), t))
    if not rows:
        return begin
    J = np.array([row.J for row in rows], dtype=float)
    lack = J @ begin + np.array([row.drift for row in rows], dtype=float)
    change = np.linalg.lstsq(J, lack, rcond=1e-10)[0]
    if v is not None and np.abs(change).max(initial=0.0) > MOVED * max(1.0, float(np.abs(begin).max())):
        reason = Text(
            f'the links of structure "{structure.name}" do not allow these velocities',
            f"связи структуры «{structure.name}» не допускают этих скоростей",
        )
        refuse("off-constraints", Text("this is no point of it", "такой точки у неё нет"), (reason,))
    return np.asarray(begin - change)
