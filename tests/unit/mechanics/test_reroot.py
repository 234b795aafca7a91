"""Re-rooting: the tree that grows from a foot moves as the free one held with multipliers, for fewer operations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.structures import gallery, met_states, parsed, tree_of

import sistel
from sistel.expr import evaluate
from sistel.mechanics import Setting, mobility, reroots, structure_dynamics, structure_variants

TEXT = """<system name="w"><body name="trunk" joint="{free}" place="100,200" turn="20" mass="3" com="10,-20" inertia="0.2">{trunk}
 <body name="thigh" joint="revolute" place="30,40" turn="25" stiffness="7" rest="4" damping="0.3" mass="1" com="20,100" inertia="0.02">
   <motor name="m" inertia="1e-5" ratio="100"/>
   <body name="shin" joint="{shin}" place="10,200" turn="-15" mass="0.7" com="-10,90" inertia="0.01"><point name="foot" place="15,210"/></body>
 </body>
 <body name="arm" joint="revolute" place="-20,-90" turn="70" mass="0.5" com="100,0" inertia="0.004"><point name="hand" place="150,10"/></body>
</body>
<spring name="sp" point="hand" to="shin" at-to="10,20" stiffness="300" length="100" damping="3"/>
<links><contact name="F" point="foot" surface="y = 0"/>{links}<structure name="s" {holds}/></links></system>"""

CASES: dict[str, dict[str, str]] = {
    "a foot that sticks": {},
    "a trunk that does not turn": {"free": "prismatic2"},
    "a slide on the way": {"shin": 'prismatic" axis="1,3'},
    "a stiff knee": {"shin": "fixed"},
    "a lock on the way": {"links": '<lock name="k" of="shin" holds="no"/>', "holds": 'holds="F, k"'},
    "a lock of bodies": {"links": '<lock name="k" body="arm" to="thigh" holds="no"/>', "holds": 'holds="F, k"'},
    "a gear on the way": {"links": '<coupling name="k" of="shin" to="thigh" ratio="0.7, 0.2" offset="3"/>'},
    "a hand that slides": {
        "links": '<contact name="G" point="hand" surface="y = 0.2*x" friction="0.3"/>',
        "holds": 'holds="F, G" slides="G"',
    },
    "a loop": {"links": '<closure name="c" joint="revolute" body="arm" at="150,10" to="shin" at-to="0,50"/>'},
    "a guide": {
        "links": '<closure name="c" joint="prismatic" axis="1,2" body="arm" at="150,10" to="shin" at-to="0,50"/>'
    },
    "a foot that is welded": {
        "links": '<closure name="c" joint="fixed" body="shin" at="15,210" to="0" at-to="0,50" holds="no"/>',
        "holds": 'holds="c"',
    },
    "a hinge instead": {"holds": 'body="trunk" joint="revolute" about="foot"'},
    "a hinge and a lock": {
        "links": '<lock name="k" of="arm" holds="no"/>',
        "holds": 'holds="k" body="trunk" joint="revolute" about="foot"',
    },
}

REFUSED: dict[str, dict[str, str]] = {
    "a lock of the trunk": {"links": '<lock name="k" of="trunk.angle" holds="no"/>', "holds": 'holds="F, k"'},
    "a gear from the trunk": {"links": '<coupling name="k" of="arm" to="trunk.angle" ratio="0.7"/>'},
    "a surface on the way": {
        "links": '<contact name="G" point="hand" on="thigh" surface="hypot(x,y) &gt;= 120" friction="none"/>',
        "holds": 'holds="F, G"',
    },
    "a rotor at the trunk": {"trunk": '<motor name="m0" of="trunk.x" inertia="1e-5" ratio="100"/>'},
}


def system_of(case: dict[str, str]) -> sistel.System:
    return parsed(
        TEXT.format(**({"free": "free", "trunk": "", "shin": "revolute", "links": "", "holds": 'holds="F"'} | case))
    )


def setting_of(system: sistel.System, name: str, applied: bool = False) -> Setting:
    structure = system.structure(name)
    redundant = frozenset(mobility(system.model, structure).redundant)
    return Setting(
        model=system.model, tree=tree_of(system.model), structure=structure, redundant=redundant, applied=applied
    )


def assert_same_motion(system: sistel.System, name: str, applied: bool, rng: Any) -> None:
    setting = setting_of(system, name, applied)
    trees = reroots(system.model, setting.structure, applied)
    assert trees
    q, v, tau = met_states(system, name, rng, 3, 0.5)
    for state in zip(q.tolist(), v.tolist(), tau.tolist(), strict=True):
        expected = np.array(structure_dynamics(setting, *state, 0.0).a, float)
        # Both solve with a mass matrix; its condition is what rounding is worth in the accelerations.
        condition = float(np.linalg.cond(system.mass_matrix(state[0])))
        for tree in trees:
            found = np.array(tree.dynamics(setting, *state, 0.0).a, float)
            assert np.linalg.norm(found - expected) <= 1e-15 * condition * np.linalg.norm(expected), tree.name


@pytest.mark.parametrize("case", CASES)
def test_same_motion(case: str, rng: np.random.Generator) -> None:
    for applied in (False, True):
        assert_same_motion(system_of(CASES[case]), "s", applied, rng)


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_in_another_tree(case: str, rng: np.random.Generator) -> None:
    """Coordinates of the free body, and surfaces drawn in axes that change: multipliers it is, and rightly so."""
    system = system_of(REFUSED[case])
    assert reroots(system.model, system.structure("s")) == []
    q, v, tau = met_states(system, "s", rng, 1)
    setting = setting_of(system, "s")
    expected = structure_dynamics(setting, q[0].tolist(), v[0].tolist(), tau[0].tolist(), 0.0).a
    assert system.forward_dynamics(q[0], v[0], tau[0]) == pytest.approx(np.array(expected, float), rel=1e-10)


@pytest.mark.parametrize(
    ("name", "structure", "feet"),
    [
        ("compass_walker", "on the left", 1),
        ("compass_walker", "on the right", 1),
        ("rimless_wheel", "rolls", 1),
        ("hopper", "stance", 1),
        ("biped_single_support", "only", 1),
        ("biped_double_support", "only", 2),
        ("walker", "на левой", 1),
        ("walker", "на правой", 1),
        ("walker", "на двух", 2),
        ("breaking_pendulum", "swings", 1),
    ],
)
def test_the_gallery(name: str, structure: str, feet: int, rng: np.random.Generator) -> None:
    system = gallery(name)
    assert len(reroots(system.model, system.structure(structure))) == feet
    assert_same_motion(system, structure, False, rng)


def test_nothing_to_stand_on() -> None:
    for name, structure in (("four_bar", "only"), ("walker", "полёт"), ("bricard", "only"), ("hopper", "flight")):
        system = gallery(name)
        assert reroots(system.model, system.structure(structure)) == []


@pytest.mark.parametrize(
    ("name", "structure", "multiplications", "additions"),
    [
        ("compass_walker", "on the left", 39, 35),
        ("compass_walker", "on the right", 39, 35),
        ("rimless_wheel", "rolls", 11, 6),
        ("hopper", "stance", 48, 38),
        ("biped_single_support", "only", 233, 216),
    ],
)
def test_operations(name: str, structure: str, multiplications: int, additions: int) -> None:
    """Counts are a property of the derivation, the same everywhere: they may only fall."""
    tried = structure_variants(setting_of(gallery(name), structure))
    rooted = [variant for variant in tried if variant.formulation.startswith("re-rooted")]
    count = min(rooted, key=lambda variant: variant.cost).program.count()
    assert count.multiplications <= multiplications and count.additions <= additions
    plain = min((v for v in tried if v.formulation == "multipliers"), key=lambda variant: variant.cost)
    assert min(variant.cost for variant in rooted) < plain.cost


@pytest.mark.parametrize(
    ("name", "structure"),
    [
        ("compass_walker", "on the left"),
        ("hopper", "stance"),
        ("four_bar", "only"),
        ("slider_crank_spatial", "only"),
        ("five_bar", "only"),
        ("cam", "lift"),
        ("gripper_load", "held"),
        ("bricard", "only"),
    ],
)
def test_all_formulations_give_one_motion(name: str, structure: str, rng: np.random.Generator) -> None:
    """Whatever was tried for the fewest operations: multipliers, reduced coordinates, other roots, shared axes."""
    system = gallery(name)
    tried = structure_variants(setting_of(system, structure, True))
    q, v, tau = met_states(system, structure, rng, 2, 0.2)
    for state in zip(q.tolist(), v.tolist(), tau.tolist(), strict=True):
        expected = np.array(structure_dynamics(setting_of(system, structure, True), *state, 0.0).a, float)
        for variant in tried:
            blocks = [*state, [0.0]][: len(variant.program.inputs)]
            found, (margin,) = evaluate(variant.program, *blocks)
            # A formulation may divide by what is small in some posture; the margin says by how much.
            bound = 1e-15 * float(np.linalg.cond(system.mass_matrix(state[0]))) / min(1.0, margin)
            error = float(np.linalg.norm(np.array(found) - expected))
            assert error <= max(bound, 1e-13) * np.linalg.norm(expected), variant.formulation
