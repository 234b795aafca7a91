"""Quantities of formulas and conditions, and formulas over any scalar."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from support.structures import at, gallery, met_states, parsed, poses, random_q, slope, tree_of

import sistel
from sistel.errors import Diagnostics, Fragment, Source
from sistel.expr import Graph, evaluate
from sistel.markup import parse_expression
from sistel.markup.expressions._words import FUNCTION_BY_KEY
from sistel.mechanics import Quantities, Setting, expression_value, moved, reactions, structure_dynamics
from sistel.mechanics._derive import expressions
from sistel.model._check import QUANTITIES

FORMULAS = {
    "1 + 2*3 - 4/5": 1 + 6 - 0.8,
    "-x^2 + 2^3^2": -(0.7**2) + 512,
    "x^-2": 0.7**-2,
    "x^0.5": 0.7**0.5,
    "x^1.5": 0.7**1.5,
    "x^-2.5": 0.7**-2.5,
    "x^y": 0.7**1.9,
    "x^0": 1.0,
    "sin(x) + cos(y)*tan(x)": math.sin(0.7) + math.cos(1.9) * math.tan(0.7),
    "asin(x) + acos(x) + atan(y)": math.asin(0.7) + math.acos(0.7) + math.atan(1.9),
    "atan2(-x, -y)": math.atan2(-0.7, -1.9),
    "sqrt(x)*exp(y) - log(y)": math.sqrt(0.7) * math.exp(1.9) - math.log(1.9),
    "abs(-x) + sign(-x) + sign(0)": 0.7 - 1,
    "min(x, y, 0.2) + max(x, y, 3)": 0.2 + 3,
    "floor(y) + ceil(y) + floor(-y)": 1 + 2 - 2,
    "hypot(x, y)": math.hypot(0.7, 1.9),
    "hypot(x, y, 2)": math.sqrt(0.49 + 1.9**2 + 4),
    "clamp(y, 0, 1) + clamp(-y, 0, 1)": 1.0,
    "step(x) + step(-x) + step(0)": 2.0,
    "rem(7, y) + rem(-7, y)": 7 % 1.9 + (-7) % 1.9,
    "select(x < y, 5, 6) + select(x > y, 5, 6)": 11,
    "x < y and not y <= x or x = y": 1.0,
    "x != y": 1.0,
    "x >= y": 0.0,
    "2*pi": 2 * math.pi,
}


def refused(function: str, targets: tuple[str, ...], component: str) -> Any:
    raise AssertionError(function)


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_over_numbers_and_graphs(text: str) -> None:
    diagnostics = Diagnostics()
    node = parse_expression(Fragment(text, Source("<text>", text), 0), diagnostics)
    assert node is not None, diagnostics
    names = {"x": 0.7, "y": 1.9}
    assert expression_value(node, names, refused) == pytest.approx(FORMULAS[text], rel=1e-14)
    graph = Graph()
    x, y = graph.inputs("s", 2)
    value = expression_value(node, {"x": x, "y": y}, refused)
    ((found,),) = evaluate(graph.program({"f": expressions(graph, [value])}), [0.7, 1.9])
    assert found == pytest.approx(FORMULAS[text], rel=1e-14)


def quantities(system: sistel.System, q: Any, v: Any, t: float = 0.0, **more: Any) -> Quantities:
    return Quantities(system.model, tree_of(system.model), list(q), list(v), t, **more)


def test_places_and_velocities(rng: np.random.Generator) -> None:
    system = gallery("quadruped")
    model = system.model
    q, v = random_q(model, rng), list(rng.normal(size=model.nv))
    ask = quantities(system, q, v)
    for point in model.points:
        where = at(poses(model, q)[point.body], point.p_BP)
        rate = slope(lambda h, point=point: at(poses(model, moved(model, q, v, h))[point.body], point.p_BP))
        assert [ask(name, (point.name,), "") for name in "xyz"] == pytest.approx(where, abs=1e-13)
        assert [ask(f"v{name}", (point.name,), "") for name in "xyz"] == pytest.approx(rate, abs=1e-10)
    one, two = model.points[:2]
    way = at(poses(model, q)[one.body], one.p_BP) - at(poses(model, q)[two.body], two.p_BP)
    assert ask("distance", (one.name, two.name), "") == pytest.approx(np.linalg.norm(way), rel=1e-13)
    assert ask("distance", (one.name,), "") == pytest.approx(
        np.linalg.norm(at(poses(model, q)[one.body], one.p_BP)), rel=1e-13
    )
    speed = np.linalg.norm([ask(f"v{n}", (one.name,), "") - ask(f"v{n}", (two.name,), "") for n in "xyz"])
    assert ask("speed", (one.name, two.name), "") == pytest.approx(speed, rel=1e-13)


def test_coordinates_by_name() -> None:
    walker, top = gallery("walker"), gallery("free_body")
    q, v = list(range(1, walker.nq + 1)), list(range(101, 101 + walker.nv))
    ask = quantities(walker, q, v)
    trunk = walker.bodies[0]
    assert (ask("angle", (trunk.name,), ""), ask("q", (trunk.name,), "")) == (3, 1)
    assert (ask("rate", (trunk.name,), ""), ask("v", (trunk.name,), "")) == (103, 101)
    assert ask("q", (f"{trunk.name}.y",), "") == 2 and ask("v", (f"{trunk.name}.angle",), "") == 103
    knee = walker.bodies[3]
    assert ask("angle", (knee.name,), "") == q[knee.first_q] == ask("q", (knee.joint.name,), "")
    body = top.bodies[0].name
    free = quantities(top, [1.0, 0, 0, 0, 5.0, 6.0, 7.0], [1.0, 2, 3, 4, 5, 6])
    assert [free("q", (f"{body}.{axis}",), "") for axis in "xyz"] == [5.0, 6.0, 7.0]
    assert [free("v", (f"{body}.w{axis}",), "") for axis in "xyz"] == [1.0, 2, 3]


def test_gaps_and_slips(rng: np.random.Generator) -> None:
    """A roller on a disc of another body: distance of the centres less the radii, and the speed across the line."""
    system = gallery("cam")
    (contact,) = (contact for contact in system.model.contacts if contact.name == "disc")
    q, v = rng.normal(size=2), rng.normal(size=2)
    ask = quantities(system, q, v)
    X = poses(system.model, q)
    centre = at(X[contact.on], (0.025, 0.0, 0.0))
    roller = at(X[contact.body], contact.p_BP)
    n = (roller - centre) / np.linalg.norm(roller - centre)
    assert ask("gap", ("disc",), "") == pytest.approx(np.linalg.norm(roller - centre) - 0.075, abs=1e-14)
    # The roller moves along its guide, the disc below it turns about the origin.
    carried = v[0] * np.array([-roller[1], roller[0], 0.0])
    speed = np.array([0.0, -v[1], 0.0]) - carried
    assert ask("slip", ("disc",), "") == pytest.approx(n[0] * speed[1] - n[1] * speed[0], abs=1e-14)
    spatial = parsed(
        '<system space="spatial"><body name="a" joint="free" mass="1" inertia="1"><point name="p" place="0,0,-100"/></body>'
        '<links><contact name="c" point="p" surface="z &gt;= 0" friction="0.3"/></links></system>'
    )
    ask = quantities(spatial, [1.0, 0, 0, 0, 0, 0, 0.1], [2.0, 0, 0, 0.3, 0, 9.0])
    assert ask("slip", ("c",), "") == pytest.approx(math.hypot(0.3, 0.2), rel=1e-14)
    assert ask("gap", ("c",), "") == pytest.approx(0.0, abs=1e-16)


def test_energies(rng: np.random.Generator) -> None:
    system = gallery("hopper")
    q, v = rng.normal(size=system.nq), rng.normal(size=system.nv)
    ask = quantities(system, q, v)
    kinetic, potential = (float(part) for part in system.energies(q, v))
    assert ask("kinetic", (), "") == pytest.approx(kinetic, rel=1e-13)
    assert ask("potential", (), "") == pytest.approx(potential, rel=1e-13)
    assert ask("energy", (), "") == pytest.approx(kinetic + potential, rel=1e-13)
    parts = [ask("energy", (body.name,), "") for body in system.bodies]
    # Springs belong to no body.
    stored = sum(
        0.5 * k * (q[body.first_q + i] - body.joint.rest[i]) ** 2
        for body in system.bodies
        for i, k in enumerate(body.joint.stiffness)
    )
    assert stored > 0 and min(map(abs, parts)) > 0
    assert sum(parts) + stored == pytest.approx(kinetic + potential, rel=1e-13)


def test_reactions_by_component(rng: np.random.Generator) -> None:
    system = gallery("hopper")
    q, v, tau = (block[0].tolist() for block in met_states(system, "stance", rng, 1))
    setting = Setting(model=system.model, tree=tree_of(system.model), structure=system.structure("stance"))
    loads = reactions(setting, q, v, structure_dynamics(setting, q, v, tau, 0.0))
    ask = quantities(system, q, v, reactions=loads)
    x, y, _ = loads["ground"][1]
    # The ground is y = 0 with y down: its normal points up.
    assert ask("normal", ("ground",), "") == ask("reaction", ("ground",), "n") == pytest.approx(-y, rel=1e-14)
    assert ask("tangent", ("ground",), "") == ask("reaction", ("ground",), "t") == pytest.approx(abs(x), rel=1e-12)
    assert (ask("reaction", ("ground",), "x"), ask("reaction", ("ground",), "y")) == (x, y)
    assert ask("force", ("ground",), "") == pytest.approx(math.hypot(x, y), rel=1e-14)
    leg = next(body for body in system.bodies if body.name == "leg")
    assert ask("moment", ("leg",), "") == loads[leg.joint.name][0][2]  # in the plane with its sign
    assert ask("reaction", ("leg",), "mz") == loads[leg.joint.name][0][2]
    with pytest.raises(sistel.SistelError, match="depend on itself"):
        quantities(system, q, v)("force", ("ground",), "")


def test_conditions_of_the_gallery_can_be_computed(rng: np.random.Generator) -> None:
    """Every condition of every transition has a value where reactions are known."""
    from sistel.markup import Compare, walk_expression

    seen = 0
    for name in ("walker", "hopper", "cam", "compass_walker", "wrench_nut"):
        system = gallery(name)
        q, v = list(system.model.start.q), list(rng.normal(size=system.nv))
        for transition in system.transitions:
            structure = transition.sources[0] if transition.sources else system.structure().name
            chosen = system.structure(structure)
            setting = Setting(model=system.model, tree=tree_of(system.model), structure=chosen)
            loads = reactions(setting, q, v, structure_dynamics(setting, q, v, [0.0] * system.nv, 0.0))
            ask = quantities(system, q, v, reactions=loads)
            for node in walk_expression(transition.condition):
                if isinstance(node, Compare):
                    assert math.isfinite(float(expression_value(node.left, ask.names, ask)))
                    seen += 1
    assert seen


ASKED = {
    "point": "tip",
    "contact": "floor",
    "coordinate": "rod",
    "closure": "pin",
    "body": "rod",
    "motor": "drive",
    "counter": "steps",
    "structure": "swing",
    "frame": "eye",
    "shape": "wall",
}
"""One thing of each kind in the system below."""


@pytest.mark.parametrize(
    "name", [key for key, word in FUNCTION_BY_KEY.items() if word.kind == "quantity" and key != "t"]
)
def test_every_quantity_of_the_language_is_measured(name: str):
    system = parsed(
        """<system name="asked" space="planar">
          <body name="slider" joint="prismatic" mass="1" inertia="1"/>
          <body name="rod" joint="revolute" mass="1" inertia="1"><point name="tip" place="300,0"/>
            <frame name="eye"/><motor name="drive" resistance="1 Ohm" constant="1"/></body>
          <world><box name="wall" place="900,0" size="100,900"/></world>
          <links>
            <closure name="pin" body="rod" at="0,0" to="0" at-to="0,0" holds="no"/>
            <contact name="floor" point="tip" surface="y = 900" friction="0.5"/>
            <counter name="steps" value="0"/>
            <structure name="swing"/>
          </links>
        </system>"""
    )
    kinds = QUANTITIES[name].targets
    target = "slider" if name in ("q", "v") else ASKED[kinds[0]] if kinds else ""
    component = ".x" if name == "reaction" else ""
    if QUANTITIES[name].second:
        target += f", {ASKED[QUANTITIES[name].second[0]]}"
    assert np.isfinite(system.simulate(0.01).quantity(f"{name}({target}){component}")).all()


def test_a_spring_carries_what_it_pulls_with() -> None:
    """k (length − rest) along itself on its first body, by hand; with damping, what its stretching adds."""
    text = """<system><gravity value="0"/><body name="block" joint="prismatic" axis="x" mass="2"/>
    <spring name="coil" body="block" to="0" at="0, 0" at-to="-500, 0" length="300 mm" stiffness="100 N/m" damping="{c}"/>
    <start><coordinate of="block" value="-100 mm" rate="200 mm/s"/></start></system>"""
    run = sistel.parse(text.format(c=0)).simulate(0.5)
    x = run.q[:, 0]
    assert np.abs(run.quantity("force(coil)") - np.abs(100.0 * (x + 0.5 - 0.3))).max() < 1e-13
    assert np.abs(run.quantity("reaction(coil).x") + 100.0 * (x + 0.5 - 0.3)).max() < 1e-13
    assert not run.quantity("moment(coil)").any()
    damped = sistel.parse(text.format(c=3)).simulate(0.5)
    expected = 100.0 * (damped.q[:, 0] + 0.2) + 3.0 * damped.v[:, 0]
    assert np.abs(damped.quantity("reaction(coil).x") + expected).max() < 1e-12
