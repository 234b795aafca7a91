"""Synthesis of arms: from reach, payload and the time of a cycle to lengths of links and motors.

Lengths: of all that give the reach, those with the smallest hole around the shoulder, so that the arm reaches the most
for its length. Motors: of a table, for every joint the first that has the force and the speed that the cycle takes with
the load, its own rotor included. The result is verified by workspace, by capacity, and by a run in which the motors
follow the cycle within their limits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from sistel.arms import Chain, reach_of
from sistel.engine import Engine
from sistel.errors import Text, refuse
from sistel.model import Model, Motion, Parameter, values_of
from sistel.motion.trajectories import Trajectory, polynomial_move
from sistel.records import record
from sistel.tasks._mechanism import (
    Mechanism,
    call,
    held_mass,
    rate_place,
    reached_space,
    remade,
    simple_joints,
    simulated,
    travelled,
    with_load,
)
from sistel.tasks._motors import Offer, read_motors
from sistel.tasks._numbers import told
from sistel.tasks._problems import Problem
from sistel.tasks._results import Answer, Check, Curve, Grid, Head, Solved
from sistel.tasks._statics import force_measure
from sistel.units import ANGULAR_SPEED, LENGTH, MASS, SPEED

if TYPE_CHECKING:
    from sistel.arms import Travel
    from sistel.arrays import Array
    from sistel.errors import Source

SHARES = 5
"""Proportions of two links that are tried first; then so often closer ones."""
CLOSER = 5
NO_BETTER = 1e-9
"""Holes that differ by less are alike [m]."""
LEAST_SHARE = 0.02
"""Of a link in the length of all."""
MILLIMETRE = 1e-3
STIFF = 400.0
"""Gain of a motor that follows the cycle: its greatest force for an error of 1/400 [1/rad or, of slides, ten times that
per metre]."""
FOLLOWED = 0.02
"""How far from its place the tool may be at the ends of the cycle, as a part of the reach."""


@record
class Asked:
    """What an arm is made for."""

    frame: str
    reach: float
    """[m]"""
    payload: float
    """[kg]"""
    cycle: float
    """[s]"""
    ends: tuple[tuple[float, ...], tuple[float, ...]]
    """Coordinates between which it goes there and back."""
    parameters: tuple[Parameter, ...]


def solve_synthesis(problem: Problem, system: Mechanism, table: Source) -> Solved:
    """Lengths and motors for a purpose, verified."""
    asked = _asked(problem, system)
    offers = read_motors(table, system.model)
    lengths = _lengths(asked, system)
    if isinstance(lengths, Text):
        return problem.unsolved(lengths)
    arm = system.with_parameters(dict(zip((p.name for p in asked.parameters), lengths, strict=True)))
    asked = replace(asked, ends=_ends(problem, arm.model))
    chosen = _motors(asked, arm, offers)
    if isinstance(chosen, Text):
        return problem.unsolved(chosen)
    motors, travel = chosen
    fitted = remade(arm, lambda model: with_motors(model, motors))
    reach = float(reached_space(fitted, asked.frame, volume=False).reach)
    mass = float(held_mass(fitted, _cycle(asked, arm.model), asked.frame).mass)
    missed, curves = _followed(asked, fitted, travel)
    note = Text(
        "lengths: the smallest hole around the shoulder for this reach, rounded up to millimetres",
        "длины: наименьшая недостижимая область у плеча при этой досягаемости, округлены вверх до миллиметра",
    )
    return problem.solved(
        _answers(asked, arm.model, lengths, motors, reach, mass),
        [_drive_table(arm.model, motors, travel)],
        _checks(asked, reach, mass, missed),
        curves=curves,
        notes=[note],
        postures=asked.ends,
        drawn=fitted.model,
    )


def _asked(problem: Problem, system: Mechanism) -> Asked:
    node, model = problem.node, system.model
    from sistel.errors import Diagnostics

    diagnostics = Diagnostics()
    values = values_of(model, diagnostics)
    numbers = [values.optional(node, key) for key in ("reach", "cycle")]
    payload = values.positive(node, "payload")
    diagnostics.raise_if_failed()
    reach, cycle = (0.0 if number is None else float(number) for number in numbers)
    for key, number in (("reach", reach), ("cycle", cycle)):
        if not number > 0.0:
            refuse("out-of-range", Text("more than 0 is needed", "нужно больше 0"), span=node.at(key))
    if not simple_joints(model) or not model.motors:
        refuse(
            "no-arm",
            Text("only arms of hinges and slides with motors", "только манипуляторы из шарниров и ходов с приводами"),
            span=node.span,
        )
    known = {parameter.name: parameter for parameter in model.parameters}
    parameters = tuple(known[name] for name in node.names("parameters"))
    for parameter in parameters:
        if parameter.dimension != LENGTH or parameter.minimum is None or parameter.maximum is None:
            refuse(
                "no-limits",
                Text(
                    f'"{parameter.name}" has to be a length with min and max in the model',
                    f"«{parameter.name}» должен быть длиной с min и max в модели",
                ),
                span=node.at("parameters"),
            )
    assert problem.frame is not None
    return Asked(
        frame=problem.frame,
        reach=reach,
        payload=payload,
        cycle=cycle,
        ends=_ends(problem, model),
        parameters=parameters,
    )


def _ends(problem: Problem, model: Model) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The postures between which the cycle goes."""
    names = problem.node.names("between") if "between" in problem.node.attributes else ()
    known = {posture.name: posture for posture in model.postures}
    if not names:
        names = tuple(known)[:2]
    if len(names) != 2 or any(name not in known for name in names):
        refuse(
            "unknown-name",
            Text("a cycle goes between two postures of the model", "цикл идёт между двумя позами модели"),
            span=problem.node.at("between"),
            expected=Text(", ".join(known) or "two postures", ", ".join(known) or "две позы"),
        )
    return known[names[0]].q, known[names[1]].q


# --- lengths ---------------------------------------------------------------------------------------------------------


def _lengths(asked: Asked, system: Mechanism) -> tuple[float, ...] | Text:
    """The lengths [m], or why there are none."""
    low = np.array([float(p.minimum or 0.0) for p in asked.parameters])
    high = np.array([float(p.maximum or 0.0) for p in asked.parameters])
    names = [p.name for p in asked.parameters]
    seen: dict[tuple[float, ...], tuple[float, float]] = {}

    def reached(lengths: Array) -> tuple[float, float]:
        """The least and the greatest distance from the shoulder."""
        key = tuple(float(f"{x:.12g}") for x in lengths)
        if key not in seen:
            model = system.with_parameters(dict(zip(names, key, strict=True))).model
            seen[key] = reach_of(Chain(Engine.of(model), model.place_of(asked.frame), asked.frame))
        return seen[key]

    if reached(high)[1] < asked.reach:
        return Text(
            f"the longest links reach {reached(high)[1]:.4g} m, not {asked.reach:.4g} m",
            f"самые длинные звенья достают на {reached(high)[1]:.4g} м, а нужно {asked.reach:.4g} м",
        )

    def scaled(share: Array) -> Array | None:
        """Lengths in these proportions that just give the reach; None where the limits forbid it."""
        return _scaled(share, low, high, asked.reach, lambda lengths: reached(lengths)[1])

    start = np.array([float(p.value) for p in asked.parameters])
    if len(names) == 1:
        best = scaled(start / start.sum())
    elif len(names) == 2:
        best = _best_share(scaled, lambda lengths: reached(lengths)[0])
    else:
        best = _best_shares(scaled, lambda lengths: reached(lengths)[0], start / start.sum())
    if best is None:
        return Text("no lengths within their limits give this reach", "в пределах параметров такой досягаемости нет")
    rounded = np.minimum(np.ceil(best / MILLIMETRE - 1e-5) * MILLIMETRE, high)
    return tuple(float(f"{x:.12g}") for x in rounded)


def _scaled(share: Array, low: Array, high: Array, wanted: float, reach: Callable[[Array], float]) -> Array | None:
    """Lengths along a direction, kept within their limits, that give a reach; None where the limits forbid it.

    Where everything grows with the lengths, the second look is the last.
    """
    least, most = 0.0, float(np.max(high / share))
    size = min(wanted, most)
    for _ in range(60):
        lengths = np.clip(size * share, low, high)
        found = reach(lengths)
        if abs(found - wanted) < 1e-9 * wanted:
            return lengths
        if found < wanted and size == most:
            return None
        least, most = (size, most) if found < wanted else (least, size)
        if most - least < 1e-12:
            return lengths if found >= wanted else None
        guess = size * wanted / max(found, 1e-9)
        size = guess if least < guess < most else most if guess >= most else 0.5 * (least + most)
    return lengths


def _best_share(scaled: Callable[[Array], Array | None], hole: Callable[[Array], float]) -> Array | None:
    """The proportions of two links with the smallest hole: a look around, then closer."""

    def tried(part: float) -> tuple[float, Array | None]:
        lengths = scaled(np.array([part, 1.0 - part]))
        return (math.inf, None) if lengths is None else (hole(lengths), lengths)

    parts = np.linspace(0.25, 0.75, SHARES)
    found = [tried(float(part)) for part in parts]
    place = int(np.argmin([each[0] for each in found]))
    best, width, part = found[place], float(parts[1] - parts[0]), float(parts[place])
    for _ in range(CLOSER):
        width /= 2.0
        for near in (part - width, part + width):
            another = tried(min(max(near, 0.05), 0.95))
            if another[0] < best[0] - 1e-9:
                best, part = another, near
    return best[1]


def _best_shares(scaled: Callable[[Array], Array | None], hole: Callable[[Array], float], own: Array) -> Array | None:
    """The proportions of several links with the smallest hole; where many leave none, the most even of them.

    Even links are tried first, then those of the model; from the better ones parts are handed from link to link, less
    and less, as long as the hole shrinks.
    """

    def tried(share: Array) -> tuple[float, Array | None]:
        lengths = scaled(share)
        return (math.inf, None) if lengths is None else (hole(lengths), lengths)

    count = len(own)
    share = np.full(count, 1.0 / count)
    best = tried(share)
    other = tried(own)
    if other[0] < best[0] - NO_BETTER:
        best, share = other, own
    width = 0.5 / count
    for _ in range(CLOSER):
        better = True
        while better and best[0] > NO_BETTER:
            better = False
            for give, take in permutations(range(count), 2):
                near = share.copy()
                near[give], near[take] = near[give] - width, near[take] + width
                if near[give] < LEAST_SHARE:
                    continue
                another = tried(near)
                if another[0] < best[0] - NO_BETTER:
                    best, share, better = another, near, True
        width /= 2.0
    return best[1]


# --- motors ----------------------------------------------------------------------------------------------------------


def _cycle(asked: Asked, model: Model) -> Trajectory:
    """There and back, each way a polynomial from rest to rest."""
    names = model.coordinate_names
    half = 0.5 * asked.cycle
    there = polynomial_move(asked.ends[0], asked.ends[1], half, names=names)
    back = polynomial_move(asked.ends[1], asked.ends[0], half, t0=half, names=names)
    return Trajectory(
        knots=np.concatenate([there.knots, back.knots[1:]]),
        origins=np.concatenate([there.origins, back.origins]),
        coefficients=np.concatenate([there.coefficients, back.coefficients]),
        names=names,
    )


def with_motors(model: Model, motors: Sequence[Offer]) -> Model:
    """With these motors in the places of its own."""
    return replace(model, motors=tuple(offer.fitted(motor) for motor, offer in zip(model.motors, motors, strict=True)))


def _motors(asked: Asked, arm: Mechanism, offers: Sequence[Offer]) -> tuple[list[Offer], Travel] | Text:
    """For every joint the first motor that does, its own rotor included."""
    model = arm.model
    rates = [model.bodies[motor.body - 1].first_v + motor.coordinate for motor in model.motors]
    kinds = [[offer for offer in offers if offer.turns == (model.rate_kinds[rate] == "turn")] for rate in rates]
    for rate, suited in zip(rates, kinds, strict=True):
        if not suited:
            return Text(
                f"the table has no motor for {model.rate_names[rate]}",
                f"в таблице нет привода для {model.rate_names[rate]}",
            )
    places = [0] * len(rates)
    while True:
        chosen = [suited[place] for suited, place in zip(kinds, places, strict=True)]
        fitted = remade(arm, lambda given, chosen=tuple(chosen): with_motors(given, chosen))  # type: ignore[misc]
        travel = travelled(fitted, _cycle(asked, model), asked.frame, payload=asked.payload or None, applied=True)
        weak = []
        for i, rate in enumerate(rates):
            force = float(np.abs(travel.torques[:, rate]).max())
            speed = float(np.abs(travel.v[:, rate]).max())
            if force > chosen[i].limit or speed > chosen[i].speed:
                weak.append((i, rate, force, speed))
        if not weak:
            return chosen, travel
        for i, rate, force, speed in weak:
            places[i] += 1
            if places[i] == len(kinds[i]):
                en, ru = _too_weak(model, rate, force, speed)
                return Text(en, ru)


def _too_weak(model: Model, rate: int, force: float, speed: float) -> Text:
    turns = model.rate_kinds[rate] == "turn"
    wanted = told(force, force_measure(model, rate), 4)
    fast = told(speed, ANGULAR_SPEED if turns else SPEED, 4)
    name = model.rate_names[rate]
    return Text(
        f"no motor of the table does for {name}: it takes {wanted.en} and {fast.en}",
        f"ни один привод таблицы не годится для {name}: нужно {wanted.ru} и {fast.ru}",
    )


# --- verification ----------------------------------------------------------------------------------------------------


def _followed(asked: Asked, fitted: Mechanism, travel: Travel) -> tuple[tuple[float, float], tuple[Curve, ...]]:
    """A run in which the motors follow the cycle within their limits: how far the tool is off at its ends [m]."""
    model = fitted.model
    # Pieces of the fifth degree from rest to rest: the very motion that the motors were chosen for.
    times = (0.0, 0.5 * asked.cycle, asked.cycle)
    rows = (asked.ends[0], asked.ends[1], asked.ends[0])
    loaded = fitted if not asked.payload else remade(fitted, lambda m: with_load(m, asked.frame, asked.payload))
    M = np.abs(np.diag(np.asarray(call(loaded, "mass_matrix", np.array(asked.ends[0])))))
    rates = tuple(range(model.nv))
    size = np.array([STIFF if kind == "turn" else 10 * STIFF for kind in model.rate_kinds])
    force = np.maximum(np.abs(np.asarray(travel.torques)).max(axis=0), 1e-3)
    kp = size * force
    kd = 2.0 * np.sqrt(kp * M)

    def driven(given: Model) -> Model:
        follow = Motion(
            name="cycle",
            rates=rates,
            formulas=(),
            times=times,
            rows=tuple(tuple(float(row[rate_place(given, rate)]) for rate in rates) for row in rows),
            interpolation="quintic",
            repeat=False,
            kp=tuple(kp.tolist()),
            kd=tuple(kd.tolist()),
            structures=(),
            span=given.span,
        )
        return replace(given, motions=(follow,), schemes=(), subschemes=(), ticks=(), memory=())

    arm = remade(loaded, driven)
    run = simulated(arm, asked.cycle, q=np.array(asked.ends[0]), v=np.zeros(model.nv))
    missed = []
    for when, q in ((0.5 * asked.cycle, asked.ends[1]), (asked.cycle, asked.ends[0])):
        here = np.asarray(arm.pose(np.asarray(run(min(when, run.end))[0]), asked.frame))[:3, 3]
        there = np.asarray(arm.pose(np.array(q), asked.frame))[:3, 3]
        missed.append(float(np.linalg.norm(here - there)))
    t = np.linspace(0.0, run.end, 401)
    curves = []
    for motor in model.motors:
        rate = model.bodies[motor.body - 1].first_v + motor.coordinate
        values = np.asarray(run.quantity(f"torque('{motor.name}')", t))
        label = Text(f"torque({motor.name})", f"усилие({motor.name})")
        curves.append(Curve(label=label, dimension=force_measure(model, rate), t=t, values=values))
    return (missed[0], missed[1]), tuple(curves)


def _checks(asked: Asked, reach: float, mass: float, missed: tuple[float, float]) -> tuple[Check, ...]:
    return (
        Check(
            what=Text("workspace: what is missing of the reach", "рабочая область: чего не хватает до досягаемости"),
            error=max(0.0, asked.reach - reach) / asked.reach,
            bound=1e-6,
        ),
        Check(
            what=Text(
                "capacity along the cycle: what is missing of the load",
                "грузоподъёмность на цикле: чего не хватает до груза",
            ),
            error=max(0.0, asked.payload - mass) / max(asked.payload, 1e-9) if asked.payload else 0.0,
            bound=1e-9,
        ),
        Check(
            what=Text(
                "a run within the limits of the motors: how far off the tool is at the ends",
                "запуск в пределах приводов: как далеко инструмент от мест на концах",
            ),
            error=max(missed) / asked.reach,
            bound=FOLLOWED,
        ),
    )


def _answers(
    asked: Asked, model: Model, lengths: Sequence[float], motors: Sequence[Offer], reach: float, mass: float
) -> tuple[Answer, ...]:
    made = [
        Answer(label=Text(parameter.name, parameter.name), value=length, dimension=LENGTH)
        for parameter, length in zip(asked.parameters, lengths, strict=True)
    ]
    for motor, offer in zip(model.motors, motors, strict=True):
        rate = model.bodies[motor.body - 1].first_v + motor.coordinate
        made.append(
            Answer(
                label=Text(f"motor of {motor.name}", f"привод {motor.name}"),
                value=offer.limit,
                dimension=force_measure(model, rate),
                remark=Text(offer.name, offer.name),
            )
        )
    made.append(Answer(label=Text("reach", "досягаемость"), value=reach, dimension=LENGTH))
    made.append(
        Answer(label=Text("largest load along the cycle", "наибольший груз на цикле"), value=mass, dimension=MASS)
    )
    return tuple(made)


def _drive_table(model: Model, motors: Sequence[Offer], travel: Travel) -> Grid:
    rows = []
    for motor, offer in zip(model.motors, motors, strict=True):
        rate = model.bodies[motor.body - 1].first_v + motor.coordinate
        measure = force_measure(model, rate)
        fast = ANGULAR_SPEED if model.rate_kinds[rate] == "turn" else SPEED
        rows.append(
            (
                Text(motor.name, motor.name),
                Text(offer.name, offer.name),
                told(float(np.abs(travel.torques[:, rate]).max()), measure, 5),
                told(offer.limit, measure, 5),
                told(float(np.abs(travel.v[:, rate]).max()), fast, 5),
                told(offer.speed, fast, 5),
            )
        )
    heads = (
        Text("joint", "сочленение"),
        Text("motor", "привод"),
        Text("force needed", "нужная сила"),
        Text("limit", "предел"),
        Text("speed needed", "нужная скорость"),
        Text("limit", "предел"),
    )
    return Grid(title=Text("motors", "приводы"), heads=tuple(Head(label=head) for head in heads), rows=tuple(rows))
