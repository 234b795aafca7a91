"""What is derived to find the fewest operations: all that may have them, and of large systems no more than that."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.expr import Graph, evaluate
from sistel.mechanics import Setting, build_tree, cheapest, inverse_dynamics, structure_variants, variants
from sistel.mechanics import _derive as derivation
from sistel.mechanics import _derive_structure as structures
from sistel.mechanics import _search as search
from sistel.mechanics._search import ARTICULATED, COMPOSITE, dense_operations

AXES = ("1,0,0", "0,1,0", "1,2,3")


def chain(bodies: int, *, spatial: bool = False, joint: str = "revolute", root: str = "") -> sistel.System:
    """Equal bodies on hinges, parallel ones in the plane; `root` is the joint of the first, where it is another."""
    axes = [f'axis="{axis}"' if spatial and joint == "revolute" else "" for axis in AXES]
    places = ("0,0,10", "100,0,10") if spatial else ("0,0", "100,0")
    shape = 'com="50,10,20" inertia="0.01,0.02,0.025"' if spatial else 'com="50,10" inertia="0.01"'
    rows = "".join(
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="{joint if i or not root else root}" '
        f'place="{places[i > 0]}" mass="1" {shape} {axes[i % 3]}/>'
        for i in range(bodies)
    )
    return sistel.parse(f'<system space="{"spatial" if spatial else "planar"}">{rows}</system>')


def setting_of(system: sistel.System) -> Setting:
    return Setting(model=system.model, tree=build_tree(system.model), structure=system.model.structures[0])


@pytest.fixture
def graphs(monkeypatch: pytest.MonkeyPatch) -> list[Graph]:
    """All graphs that are made while equations are derived."""
    made: list[Graph] = []

    class Noted(Graph):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    monkeypatch.setattr(derivation, "Graph", Noted)
    monkeypatch.setattr(structures, "Graph", Noted)
    return made


@pytest.mark.parametrize("spatial", [False, True])
def test_of_a_long_chain_one_formulation_is_derived(spatial: bool, graphs: list[Graph]) -> None:
    rows: dict[int, tuple[int, int]] = {}
    for bodies in (60, 120):
        graphs.clear()
        (only,) = structure_variants(setting_of(chain(bodies, spatial=spatial)))
        before = sum(map(len, graphs))
        lines = len(cheapest([only]).program)
        assert only.formulation == ARTICULATED
        rows[bodies] = before, sum(map(len, graphs)) - before
        # Dead rows, constants and signs: less than twice the lines that are left.
        assert lines <= rows[bodies][1] < 2 * lines
    # What is looked at before does not grow, but for the inputs; the equations grow as the chain does.
    assert rows[120][0] <= rows[60][0] + 2 * 3 * 60 and rows[60][0] < rows[60][1]
    assert rows[120][1] < 2.1 * rows[60][1]


def test_of_a_small_system_all_formulations_are_derived() -> None:
    tried = structure_variants(setting_of(chain(8)))
    assert {variant.formulation for variant in tried} == {COMPOSITE, ARTICULATED}


def test_what_composite_bodies_take_at_least_is_not_more_than_they_take(
    models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "CHEAP", 10**9)  # so that they are derived
    systems = [sistel.load(models_dir / f"{name}.xml") for name in ("n_pendulum", "panda_like", "shm_hexapod", "scara")]
    for system in (*systems, chain(25), chain(16, spatial=True), chain(8, spatial=True, joint="universal")):
        tree = build_tree(system.model)
        tried = [variant for variant in variants(tree, "forward_dynamics") if variant.formulation == COMPOSITE]
        assert tried and dense_operations(tree) <= min(variant.cost for variant in tried), system.model.name


@pytest.mark.parametrize(("bodies", "spatial"), [(30, False), (36, True)])
def test_the_formulation_that_is_left_has_the_fewest_operations(
    bodies: int, spatial: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = build_tree(chain(bodies, spatial=spatial).model)
    (only,) = variants(tree, "forward_dynamics")
    monkeypatch.setattr(search, "CHEAP", 10**9)
    tried = variants(tree, "forward_dynamics")
    assert {variant.formulation for variant in tried} == {COMPOSITE, ARTICULATED}
    # Single hinges at the end of a chain may save some ten operations of ten thousand.
    assert only.cost <= 1.001 * cheapest(tried).cost


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "mass_matrix"])
@pytest.mark.parametrize("name", ["shm_hexapod", "shm_quadruped", "quadruped", "hexapod", "stewart"])
def test_runs_that_are_alike_are_decided_alike(
    name: str, quantity: str, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = build_tree(sistel.load(models_dir / f"{name}.xml").model)
    found = variants(tree, quantity)
    numbers = count()
    monkeypatch.setattr(search, "_kind", lambda *_: next(numbers))
    every = variants(tree, quantity)
    assert cheapest(found).cost == cheapest(every).cost
    assert len(found) < len(every)


@pytest.mark.parametrize("root", ["revolute", "universal"])
def test_a_part_of_a_tree_may_end_at_a_link_without_mass(root: str, rng: np.random.Generator) -> None:
    """Of a joint of two hinges the first has no mass of its own: it may be the last of the links that are looked at."""
    system = chain(20, spatial=True, joint="universal", root=root)
    tree = build_tree(system.model)
    (only,) = variants(tree, "forward_dynamics")
    assert len(tree.links) > search.SAMPLE and only.formulation == ARTICULATED
    q, v, tau = rng.normal(size=(3, system.nv))
    (a,) = evaluate(only.program, q.tolist(), v.tolist(), tau.tolist())
    bias = inverse_dynamics(tree, q.tolist(), v.tolist(), [0.0] * system.nv)
    forces = inverse_dynamics(tree, q.tolist(), v.tolist(), a)
    assert np.abs(np.array(forces) - tau).max() < 1e-10 * np.abs(bias).max()
