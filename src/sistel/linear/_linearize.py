"""The matrices of a structure at a point, from exact derivatives along all directions that its constraints allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse, refuse_name
from sistel.linear._directions import Chart, chart_of, kinematics, spread
from sistel.linear._equations import Compiled, Plan, compile_plan
from sistel.linear._linear import Linear, Variable
from sistel.model import read_quantity
from sistel.records import record
from sistel.units import si_symbol

if TYPE_CHECKING:
    from sistel.arrays import Array, Flags
    from sistel.engine import Engine
    from sistel.model import Model

MET = 1e-8
"""How far constraints may be from being met at the point [m, rad, and of velocities relative to the largest]."""
SINGULAR = 1e-8
"""Margin of the constraints (see `mechanics.Solution`) below which they depend on each other."""
ASIDE = (1e-5, 1e-7)
"""How far aside the derivatives are looked at, to see whether they jump at the point."""
JUMP = 1e-3
"""Change of a derivative that close by, relative to the largest of its row, that counts as a jump."""

_UNITS = {"slide": "m", "turn": "rad"}


@record
class Point:
    """A state, and the inputs there."""

    q: Array
    v: Array
    memory: Array
    """Counters, clocks and currents, as the model has them."""
    t: float
    tau: Array
    """Driving forces on every velocity, shape (nv,) [N or N·m]; motions of the file, where they act, come on top."""


def linearize(engine: Engine, plan: Plan, point: Point, coordinates: Sequence[str] | None = None) -> Linear:
    """The linear system of a structure at a point.

    Args:
        engine: The system.
        plan: The structure, what acts in it, inputs and outputs.
        point: Where.
        coordinates: Names of the coordinates that are states; without, they are chosen: motors first, then hinges and
            slides.

    Raises:
        SistelError: The point does not meet the constraints, or these depend on each other there; or the coordinates do
            not tell the motions apart.
    """
    compiled = compile_plan(engine, plan)
    at = _At(engine, plan, compiled, point)
    at.check()
    places, rates = at.charts(coordinates)
    return at.matrices(places, rates)


class _At:
    """A plan at a point."""

    def __init__(self, engine: Engine, plan: Plan, compiled: Compiled, point: Point) -> None:
        self.engine = engine
        self.model: Model = engine.model
        self.plan, self.compiled, self.point = plan, compiled, point
        self.nq, self.nv = self.model.nq, self.model.nv
        self.nc, self.nu, self.ny = len(compiled.flows), len(plan.inputs), len(plan.outputs)
        self.nr = len(compiled.places)
        self.flowing, self.u = self._inputs()
        self.x = np.concatenate([point.q, point.v, self.flowing, self.u])
        self.k = np.array([*point.memory, point.t])
        found = np.asarray(compiled.point(self.x, self.k))
        ends = np.cumsum([self.nv, self.nc, self.nr, self.ny, self.nr, 1])
        self.a, self.flows, self.speeds, self.y, self.values, margin, J = np.split(found, ends)
        self.margin, self.J = float(margin[0]), J.reshape(self.nr, self.nv)
        self.T, self.W = kinematics(self.model, point.q, point.v)
        self.spread = spread(self.model, point.q)

    def _inputs(self) -> tuple[Array, Array]:
        """Currents and inputs that give the driving forces; the first of several inputs at a coordinate gives all."""
        left = self.point.tau.copy()
        currents, u = dict[str, float](), list[float]()
        for each in self.plan.inputs:
            if each.memory is not None:
                u.append(float(self.point.memory[each.memory]))
                continue
            force, motor = float(left[each.rate]), each.motor
            left[each.rate] = 0.0
            if motor is None:
                u.append(force)
                continue
            assert motor.resistance is not None and motor.constant is not None
            K = abs(motor.ratio) * motor.constant
            current, speed = force / K, float(self.point.v[each.rate])
            if each.has_current:
                currents[f"current({each.name})"] = current
            u.append(motor.resistance * current + K * speed)
        names = self.model.rate_names
        lost = [names[i] for i in np.flatnonzero(left)]
        if lost:
            listed = ", ".join(lost)
            refuse(
                "no-input",
                Text(f"tau acts where no input does: {listed}", f"tau действует там, где нет входа: {listed}"),
                hint=Text("name these coordinates in `inputs`", "назовите эти координаты в `inputs`"),
            )
        # Currents of inputs are those that give their forces.
        known = dict(zip(self.model.memory_names, map(float, self.point.memory), strict=True)) | currents
        return np.array([known[name] for name in self.compiled.flows]), np.array(u)

    def check(self) -> None:
        """Refuse a point that constraints do not allow, or at which they depend on each other."""
        name = self.plan.structure.name
        if not np.isfinite(self.a).all() or self.margin <= SINGULAR:
            links = ", ".join(dict.fromkeys(self.compiled.links))
            refuse(
                "singular-point",
                Text(
                    f'the constraints of structure "{name}" depend on each other at this point: {links}'
                    if links
                    else "some coordinate moves no mass at this point",
                    f"связи структуры «{name}» в этой точке зависимы: {links}"
                    if links
                    else "в этой точке какая-то координата не перемещает массы",
                ),
                span=self.plan.structure.span,
                hint=Text("take a point beside it", "возьмите точку рядом"),
            )
        fastest = max(1.0, float(np.abs(self.point.v).max(initial=0.0)))
        for which, off, size in (("place", self.values, 1.0), ("velocity", self.speeds, fastest)):
            worst = int(np.abs(off).argmax()) if len(off) else 0
            if len(off) and not abs(off[worst]) <= MET * size:
                ru = "место" if which == "place" else "скорость"
                refuse(
                    "off-constraints",
                    Text(
                        f'"{self.compiled.links[worst]}" does not hold at this point: its {which} is off by '
                        f"{abs(off[worst]):.3g}",
                        f"в этой точке не выполнена связь «{self.compiled.links[worst]}»: {ru} расходится на "
                        f"{abs(off[worst]):.3g}",
                    ),
                    span=self.plan.structure.span,
                    hint=Text("`assemble` finds coordinates that hold", "`assemble` находит подходящие координаты"),
                )

    def charts(self, coordinates: Sequence[str] | None) -> tuple[Chart, Chart]:
        """Independent displacements, and independent velocities."""
        model = self.model
        driven = [each.rate for each in self.plan.inputs]
        lone = [body.first_v for body in model.bodies if body.joint.type.nv == 1]
        order = list(dict.fromkeys([*driven, *lone, *range(self.nv)]))
        holding = np.array(self.compiled.places, dtype=bool)
        J = self.J[holding] @ np.linalg.inv(self.T) if holding.any() else np.zeros((0, self.nv))
        wanted = None if coordinates is None else [self._place_named(name) for name in coordinates]
        places = chart_of(J, order, wanted)
        first = [] if places is None else list(places.chosen)
        rates = chart_of(self.J, list(dict.fromkeys([*[i for i in order if i in first], *order])), None)
        if wanted is not None and places is not None and len(self.J) == holding.sum():
            rates = chart_of(self.J, order, wanted) or rates
        if places is None or rates is None:
            count = self.nv - np.linalg.matrix_rank(J) if len(J) else self.nv
            refuse(
                "bad-coordinates",
                Text(
                    f"these coordinates do not tell the motions apart: {count} independent ones are needed",
                    f"эти координаты не различают движений: нужно независимых: {count}",
                ),
                expected=Text(", ".join(self.place_names), ", ".join(self.place_names)),
            )
        return places, rates

    @property
    def place_names(self) -> list[str]:
        """A name for every displacement."""
        made = []
        for body in self.model.bodies:
            kind = body.joint.type
            names = [name for name, _ in kind.coordinates]
            if kind.has_quaternion:
                names = ["rx", "ry", "rz", *names[4:]]
            made += [f"{body.name}.{name}" if name else body.name for name in names]
        return made

    def _place_named(self, name: str) -> int:
        names = self.place_names
        if name not in names:
            refuse_name(Text("coordinate", "координаты"), name, names)
        return names.index(name)

    def slopes(self, x: Array, places: Chart) -> Array:
        """Derivatives of accelerations, currents, speeds and outputs, a row each, by displacements, v, currents, u."""
        count = len(places.chosen)
        rest = self.nv + self.nc + self.nu
        directions = np.zeros((count + rest, len(x)))
        directions[:count, : self.nq] = (self.spread @ places.basis).T
        directions[count:, self.nq :] = np.eye(rest)
        if not len(directions):
            return np.zeros((self.nv + self.nc + self.nr + self.ny, 0))
        return np.asarray(self.compiled.slope(x[None], self.k[None], directions)).T

    def matrices(self, places: Chart, rates: Chart) -> Linear:
        """Put everything together."""
        p, d = len(places.chosen), len(rates.chosen)
        P, R = places.basis, rates.basis
        picked, kept = list(places.chosen), list(rates.chosen)
        by = self.slopes(self.x, places)
        ends = np.cumsum([self.nv, self.nc, self.nr])
        Da, Df, Ds, Dy = np.split(by, ends)
        # What velocities do beside the independent ones where something is displaced: J S + ∂(J v) = 0.
        S = np.zeros((self.nv, p))
        if self.nr:
            S = np.linalg.lstsq(self.J, -Ds[:, :p], rcond=None)[0]
            S = S - R @ S[kept]

        def by_states(D: Array) -> tuple[Array, Array]:
            """Derivatives by the states, and by the inputs."""
            of_v = D[:, p : p + self.nv]
            flows = D[:, p + self.nv : p + self.nv + self.nc]
            return np.hstack([D[:, :p] + of_v @ S, of_v @ R, flows]), D[:, p + self.nv + self.nc :]

        moved = np.hstack([(self.T @ S + self.W @ P)[picked], (self.T @ R)[picked], np.zeros((p, self.nc))])
        gained, pushed = by_states(Da[kept])
        flowing, fed = by_states(Df)
        A = np.vstack([moved, gained, flowing])
        B = np.vstack([np.zeros((p, self.nu)), pushed, fed])
        states = self.states(picked, kept)
        C, D = by_states(Dy)
        outputs = self.outputs()
        if not outputs:
            C, D, outputs = np.eye(p + d + self.nc), np.zeros((p + d + self.nc, self.nu)), states
        for matrix in (A, B, C, D):
            matrix.setflags(write=False)
        return Linear(
            A=A,
            B=B,
            C=C,
            D=D,
            states=states,
            inputs=tuple(
                Variable(name=each.name, unit=each.unit, value=float(x), kind="input", index=each.rate)
                for each, x in zip(self.plan.inputs, self.u, strict=True)
            ),
            outputs=outputs,
            model=self.model,
            structure=self.plan.structure.name,
            q=self.point.q.copy(),
            v=self.point.v.copy(),
            t=float(self.point.t),
            rates=np.concatenate([(self.T @ self.point.v)[picked], self.a[kept], self.flows]),
            warnings=tuple(self.warnings(places, by, self._way(P, S, R))),
        )

    def states(self, places: Sequence[int], rates: Sequence[int]) -> tuple[Variable, ...]:
        """The states by name."""
        model, point = self.model, self.point
        values = np.zeros(self.nv)
        for body in model.bodies:
            kind, at, first = body.joint.type, body.first_q, body.first_v
            shift = kind.nq - kind.nv
            begin = 3 if kind.has_quaternion else 0
            values[first + begin : first + kind.nv] = point.q[at + shift + begin : at + kind.nq]
        names, kinds = self.place_names, model.rate_kinds
        units = {each.name: each.unit.replace("*", "·") for each in self.engine.automaton.state if each.kind == "store"}
        return (
            *(
                Variable(name=names[i], unit=_UNITS[kinds[i]], value=float(values[i]), kind="place", index=i)
                for i in places
            ),
            *(
                Variable(
                    name=f"{model.rate_names[i]}'",
                    unit=f"{_UNITS[kinds[i]]}/s",
                    value=float(point.v[i]),
                    kind="rate",
                    index=i,
                )
                for i in rates
            ),
            *(
                Variable(name=name, unit=units.get(name, "A"), value=float(x), kind="flow")
                for name, x in zip(self.compiled.flows, self.flowing, strict=True)
            ),
        )

    def outputs(self) -> tuple[Variable, ...]:
        """The outputs that were asked for."""
        made = []
        for name, value in zip(self.plan.outputs, self.y, strict=True):
            dimension = read_quantity(self.model, name).dimension
            unit = "" if dimension is None else si_symbol(dimension).replace("*", "·")
            made.append(Variable(name=name, unit=unit, value=float(value), kind="output"))
        return tuple(made)

    def _way(self, P: Array, S: Array, R: Array) -> Array:
        """Some direction that constraints allow, in which everything moves."""
        draw = np.random.default_rng(1).uniform
        shift, speed = draw(0.5, 1.0, P.shape[1]), draw(0.5, 1.0, R.shape[1])
        ahead = [self.spread @ (P @ shift), S @ shift + R @ speed, draw(0.5, 1.0, self.nc), np.zeros(self.nu)]
        return np.concatenate(ahead)

    def _bent(self, places: Chart, by: Array, way: Array) -> Flags:
        """Of every velocity and current, whether its rate or the derivatives of it differ on two sides of the point."""
        sides, count = [self.x + way, self.x - way], self.nv + self.nc
        near = [self.slopes(x, places)[:count] for x in sides]
        values = [np.asarray(self.compiled.point(x, self.k))[:count] for x in sides]
        size = 1.0 + np.abs(by[:count]).max(axis=1, initial=0.0)
        jumps = np.abs(values[0] - values[1]) > 1e3 * np.abs(way).max(initial=0.0) * size
        return np.asarray(jumps | (np.abs(near[0] - near[1]).max(axis=1, initial=0.0) > JUMP * size))

    def warnings(self, places: Chart, by: Array, way: Array) -> list[Text]:
        """Derivatives that jump at the point, on a way through it, and forces that motors cannot give."""
        made = []
        # Where derivatives are smooth, they differ a hundred times less a hundred times nearer.
        bent = np.logical_and(*(self._bent(places, by, aside * way) for aside in ASIDE))
        names = [*self.model.rate_names, *self.compiled.flows]
        found = [name for name, bad in zip(names, bent, strict=True) if bad]
        if found:
            listed = ", ".join(found)
            made.append(
                Text(
                    f"forces have a kink or a jump at this point (dry friction, stops, limits): the rates of {listed} "
                    f"have different derivatives on its two sides, and these are those of one",
                    f"в этой точке у сил излом или скачок (сухое трение, упоры, пределы): по разные стороны от неё "
                    f"производные {listed} различны, здесь они с одной стороны",
                )
            )
        clocked = [scheme.name for scheme in self.plan.commanded(self.model) if scheme.clock is not None]
        if clocked:
            listed = ", ".join(clocked)
            made.append(
                Text(
                    f"schemes with a clock hold what they command between ticks: here it is constant ({listed})",
                    f"схемы с часами держат команды между тактами: здесь они постоянны ({listed})",
                )
            )
        for motor in self.model.motors:
            rate = self.model.bodies[motor.body - 1].first_v + motor.coordinate
            force = float(self.point.tau[rate])
            if abs(force) > motor.limit:
                made.append(
                    Text(
                        f'motor "{motor.name}" cannot give {force:.6g}: its limit is {motor.limit:g}',
                        f"привод «{motor.name}» не может дать {force:.6g}: его предел {motor.limit:g}",
                    )
                )
        return made
