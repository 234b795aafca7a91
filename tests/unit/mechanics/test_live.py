"""Live parameters: equations that follow them against equations in plain numbers, built anew for every set of values."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.structures import gallery, parsed

from sistel.engine import Engine, LiveEngine
from sistel.errors import SistelError
from sistel.expr import LIVE, Graph, Program, Prologue, Traced, evaluate, split_prologue
from sistel.mechanics import (
    Quantities,
    Setting,
    applied_forces,
    build_tree,
    constraint_rows,
    impact,
    link_loads,
    reactions,
    structure_dynamics,
)
from sistel.mechanics._derive import expressions
from sistel.model import LiveModel, Model, live_model
from sistel.motion import forced_rows, motion_forces
from sistel.system import System

SETS = 20
"""Sets of values for every file."""

FILES = (
    "arm5",
    "biped_double_support",
    "biped_single_support",
    "breaking_pendulum",
    "bricard",
    "cam",
    "cart_pole",
    "compass_walker",
    "double_pendulum",
    "five_bar",
    "flyball_governor",
    "four_bar_iftomm",
    "free_body",
    "geneva",
    "gyroscope",
    "hopper",
    "rimless_wheel",
    "slider_crank_spatial",
    "stick_slip",
    "universal_shaft",
    "walker",
)


def live_of(system: System, names: Sequence[str] | None = None) -> LiveModel:
    return live_model(system.model, names)


def built(system: System, values: Mapping[str, float]) -> Model:
    return system._recipe.build(values)


def other_values(values: Sequence[float], number: int, generator: random.Random) -> list[float]:
    """Values near the file's own; in two sets of five one of them is 0, or has the other sign."""
    made = [value * generator.uniform(0.7, 1.3) for value in values]
    place = generator.randrange(len(made))
    if number % 5 == 3:
        made[place] = 0.0
    elif number % 5 == 4:
        made[place] = -made[place]
    return made


def state_of(model: Model, generator: random.Random) -> tuple[list[float], list[float]]:
    q = [generator.uniform(-1.0, 1.0) for _ in range(model.nq)]
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            four = q[body.first_q : body.first_q + 4]
            q[body.first_q : body.first_q + 4] = [number / math.hypot(*four) for number in four]
    return q, [generator.uniform(-1.0, 1.0) for _ in range(model.nv)]


def quantities(setting: Setting, q: Sequence[Any], v: Sequence[Any], t: Any) -> dict[str, list[Any]]:
    """Everything that simulation makes of a state, over any scalar."""
    model, tree, structure = setting.model, setting.tree, setting.structure
    state = Quantities(model, tree, q, v, t)
    still = [0.0] * model.nv
    motion = structure_dynamics(setting, q, v, still, t)
    carried = reactions(setting, q, v, motion)
    struck = impact(setting, q, v, 0.25, t)
    loads = link_loads(struck.rows, struck.impulses)
    rows = constraint_rows(model, tree, structure, q, v, t=t)
    forced = forced_rows(state, structure)
    return {
        "a": list(motion.a),
        "carried": [x for moment, force in carried.values() for x in (*moment, *force)],
        "struck": [*struck.v, *(x for moment, force in loads.values() for x in (*moment, *force))],
        "rows": [x for row in rows for x in (*row.J, row.bias, row.value, row.drift)],
        "applied": list(applied_forces(state).generalized),
        "motions": [
            *(motion_forces(state, structure) or ()),
            *(x for row in forced for x in (*row.J, row.bias, row.value)),
        ],
    }


def derived(setting: Setting) -> Program:
    """The same as one program of q, v, t and the live parameters."""
    graph = Graph()
    q, v = list(graph.inputs("q", setting.model.nq)), list(graph.inputs("v", setting.model.nv))
    (t,) = graph.inputs("t", 1)
    found = quantities(setting, q, v, t)
    return graph.program({name: expressions(graph, values) for name, values in found.items()})


def computed(setting: Setting, q: Sequence[float], v: Sequence[float], t: float) -> list[Any] | None:
    """The same in plain numbers; None where a matrix is singular."""
    try:
        found = [np.array([float(x) for x in values]) for values in quantities(setting, q, v, t).values()]
    except (ArithmeticError, ValueError):
        return None
    return found if all(np.isfinite(values).all() for values in found) else None


@pytest.mark.parametrize("name", FILES)
def test_live_equations_are_those_of_models_built_anew(name: str) -> None:
    """All parameters at once, for every structure; values that vanish or change their sign among them."""
    system, generator = gallery(name), random.Random(name)
    live = live_of(system)
    assert live.names and not live.refused
    engine = LiveEngine(live)
    compared = 0
    for structure in live.model.structures:
        own = engine.structure(structure, True).setting
        line = derived(own)
        for number in range(SETS):
            values = other_values(live.values, number, generator)
            q, v = state_of(live.model, generator)

            def plain(*given: Sequence[float], own: Setting = own) -> list[Any] | None:
                values, q, v = given
                try:
                    model = built(system, dict(zip(live.names, values, strict=True)))
                except SistelError:
                    return None  # the file makes no sense with these values
                there = model.structure(own.structure.name)
                setting = Setting(
                    model=model, tree=build_tree(model), structure=there, redundant=own.redundant, applied=True
                )
                return computed(setting, q, v, 0.3)

            expected = plain(values, q, v)
            if expected is None:
                continue
            inputs = {"q": q, "v": v, "t": [0.3], LIVE: values}
            found = evaluate(line, *(inputs[block] for block, _ in line.inputs))
            if not all(math.isfinite(x) for block in found for x in block):
                continue
            compared += 1
            errors = [np.abs(np.array(a) - b).max(initial=0.0) for a, b in zip(found, expected, strict=True)]
            bounds = [200 * 2.0**-52 * np.abs(block).max(initial=1e-3) for block in expected]
            if all(error <= bound for error, bound in zip(errors, bounds, strict=True)):
                continue
            # What the last digits of the arguments do to the result tells how many of its digits mean something.
            for _ in range(2):
                nudged = plain(
                    *([x * (1 + 1e-15 * generator.choice((-1, 1))) for x in block] for block in (values, q, v))
                )
                for place, block in enumerate(nudged or ()):
                    bounds[place] += 50 * np.abs(block - expected[place]).max(initial=0.0)
            assert all(error <= bound for error, bound in zip(errors, bounds, strict=True))
    assert compared >= len(live.model.structures) * SETS // 2


def test_prologue_leaves_what_the_state_decides() -> None:
    """The flow costs nearly what it does in numbers: products of parameters are taken out of it."""
    # The legs of the walker are 1 m long: in numbers a product with that is none.
    for name, share in (("compass_walker", 1.05), ("chain5", 1.02), ("four_bar", 1.03), ("quadruped", 1.01)):
        live = live_of(gallery(name))
        engine = LiveEngine(live)
        structure = live.model.structures[0]
        best = engine.structure(structure, True).variant.program
        early, late = split_prologue(best, (LIVE,))
        fixed = engine.fixed.structure(engine.fixed.model.structure(structure.name), True).variant.program
        assert late.count().weighted <= share * fixed.count().weighted
        assert early.count().weighted + late.count().weighted == best.count().weighted


def test_what_is_zero_by_accident_stays() -> None:
    """A centre of mass that lies on the axis today need not do so tomorrow."""
    text = """<system><parameter name="e" value="0 mm"/><parameter name="turn" value="0 deg"/>
      <body name="a" joint="revolute" mass="1" com="e, 100" inertia="0.1">
        <body name="b" joint="revolute" place="e, 200" turn="turn" mass="1" com="50, e" inertia="0.1"/>
      </body></system>"""
    system = parsed(text)
    live = live_of(system)
    line = derived(LiveEngine(live).structure(live.model.structures[0], True).setting)
    for e, turn in ((0.0, 0.0), (0.03, 0.0), (-0.2, 1.3), (0.0, -2.0), (0.1, math.pi / 2)):
        model = built(system, {"e": e, "turn": turn})
        setting = Setting(model=model, tree=build_tree(model), structure=model.structures[0], applied=True)
        expected = computed(setting, [0.3, -0.7], [1.0, 0.4], 0.0)
        assert expected is not None
        inputs = {"q": [0.3, -0.7], "v": [1.0, 0.4], "t": [0.0], LIVE: [e, turn]}
        found = evaluate(line, *(inputs[block] for block, _ in line.inputs))
        assert np.allclose(found[0], expected[0], rtol=1e-13, atol=1e-13)


def test_choices_are_made_on_plain_numbers() -> None:
    """The rank of constraints is that of the values of the file; the model that choices are made on has no traces."""
    live = live_of(gallery("four_bar"))
    engine = LiveEngine(live)
    setting = engine.structure(live.model.structures[0], True).setting
    assert setting.numbers is not None
    assert not any(isinstance(body.mass, Traced) for body in setting.numbers.model.bodies)
    assert any(isinstance(body.mass, Traced) for body in setting.model.bodies)
    fixed = Engine.of(gallery("four_bar").model)
    assert setting.redundant == fixed.structure(fixed.model.structures[0], True).setting.redundant


def test_one_prologue_serves_many_programs() -> None:
    """What two programs share is computed once; each reads its own first numbers of the vector."""
    live = live_of(gallery("compass_walker"))
    engine = LiveEngine(live)
    prologue = Prologue(LIVE, len(live.names))
    generator = random.Random(1)
    made = []
    for structure in live.model.structures:
        whole = derived(replace(engine.structure(structure, True).setting, shared=frozenset()))
        made.append((whole, prologue.split(whole, "hoisted")))
    first, second = (dict(main.inputs)["hoisted"] for _, main in made)
    assert len(prologue) == second and first <= second < 2 * first
    values = [value * 1.1 for value in live.values]
    (hoisted,) = evaluate(prologue.program(), values)
    for whole, main in made:
        q, v = state_of(live.model, generator)
        inputs = {"q": q, "v": v, "t": [0.1], LIVE: values, "hoisted": hoisted}
        one = evaluate(whole, *(inputs[block] for block, _ in whole.inputs))
        other = evaluate(main, *(inputs[block] for block, _ in main.inputs))
        for a, b in zip(one, other, strict=True):
            assert np.allclose(a, b, rtol=1e-13, atol=1e-13 * (1 + np.abs(a).max(initial=0.0)))
        assert main.count().weighted < whole.count().weighted
