"""Loops by articulated bodies, against the mass matrix and its multipliers; and how their operations grow."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.expr import Graph
from sistel.mechanics import Setting, mass_matrix, solve_constrained, solve_looped, structure_variants
from sistel.mechanics._derive import expressions, symbols
from sistel.mechanics._derive_structure import clearly_cheaper, looped_axes
from sistel.mechanics._frames import shareable_runs
from sistel.mechanics._inverse_dynamics import inverse_dynamics
from sistel.mechanics._search import LOOPED

MODELS = Path(__file__).resolve().parents[3] / "models"
CLOSED = ("four_bar", "five_bar", "watt", "stephenson", "peaucellier", "pantograph", "andrews_squeezer")
CLOSED += ("delta", "stewart", "slider_crank", "slider_crank_spatial", "universal_shaft", "bricard")


def tower(count: int) -> str:
    """Parallelograms that hang from one another."""
    rows, closures, starts = [], [], []
    for i in range(count):
        base, angle = f"p{i - 1}" if i else "0", 20 if i % 2 else -15
        rows.append(
            f'<body name="a{i}" base="{base}" joint="revolute" mass="0.2" com="0, 50" inertia="0.0002"/>'
            f'<body name="b{i}" base="{base}" joint="revolute" place="150, 0" mass="0.2" com="0, 50" inertia="0.0002"/>'
            f'<body name="p{i}" base="a{i}" joint="revolute" place="0, 100" mass="0.3" com="75, 0" inertia="0.0006"/>'
        )
        closures.append(f'<closure name="k{i}" joint="revolute" body="p{i}" at="150, 0" to="b{i}" at-to="0, 100"/>')
        starts += [f'a{i}="{angle} deg" b{i}="{angle} deg" p{i}="{-angle} deg"']
    links, start = f"<links>{''.join(closures)}</links>", f"<start {' '.join(starts)}/>"
    return f'<system name="tower">{"".join(rows)}{links}{start}</system>'


def spatial_row(count: int) -> str:
    """A free body that carries chains of hinges and balls, each closed by a ball joint."""
    rows = ['<body name="trunk" joint="free" mass="5" com="0,10,20" inertia="0.1,0.2,0.3"/>']
    closures = []
    for i in range(count):
        base = f"e{i - 1}" if i else "trunk"
        rows.append(
            f'<body name="u{i}" base="{base}" joint="ball" place="10,20,30" mass="1" com="0,0,50" inertia="0.01"/>'
            f'<body name="d{i}" base="{base}" joint="revolute" axis="1,2,2" place="100,0,0" mass="1" com="0,30,50" '
            'inertia="0.01,0.02,0.025"/>'
            f'<body name="e{i}" base="d{i}" joint="revolute" axis="y" place="0,10,90" mass="1" com="0,0,40" '
            'inertia="0.01,0.02,0.025"/>'
        )
        closures.append(f'<closure name="k{i}" joint="ball" body="u{i}" at="90,-10,60" to="e{i}" at-to="0,0,0"/>')
    return f'<system name="row" space="spatial">{"".join(rows)}<links>{"".join(closures)}</links></system>'


def setting_of(source: str | Path, folder: Path) -> Setting:
    if isinstance(source, str):
        path = folder / "system.xml"
        path.write_text(source, encoding="utf-8")
        source = path
    automaton = sistel.load(source)._engine.automaton
    return automaton.mode(automaton.model.structures[0]).setting


def both(setting: Setting, shared: frozenset[int], seed: int) -> None:
    """Accelerations and multipliers by both ways, at random velocities and forces."""
    model, tree = setting.model, setting.tree
    generator = random.Random(seed)
    q = [float(number) for number in model.start.q]
    v, tau = ([generator.uniform(-1.0, 1.0) for _ in range(model.nv)] for _ in range(2))
    rows = setting.rows(q, v, 0.0)
    demands = [-row.bias for row in rows]
    bias = inverse_dynamics(tree, q, v, [0.0] * model.nv)
    dense = solve_constrained(mass_matrix(tree, q), [a - b for a, b in zip(tau, bias, strict=True)], rows, demands)
    found = solve_looped(tree, q, v, tau, rows, demands, shared=shared)
    scale = np.abs(np.array(dense.x, dtype=float)).max()
    np.testing.assert_allclose(np.array(found.x, dtype=float), np.array(dense.x, dtype=float), atol=1e-10 * scale)
    loads = np.array(dense.multipliers, dtype=float)
    np.testing.assert_allclose(np.array(found.multipliers, dtype=float), loads, atol=1e-9 * np.abs(loads).max())
    # The constraints are met, whichever way it was found.
    J = np.array([row.J for row in rows], dtype=float)
    asked = np.array(demands, dtype=float)
    np.testing.assert_allclose(J @ np.array(found.x, dtype=float), asked, atol=1e-11 * max(1.0, scale))


@pytest.mark.parametrize("name", CLOSED)
def test_closed_models_agree(name: str, tmp_path: Path) -> None:
    setting = setting_of(MODELS / f"{name}.xml", tmp_path)
    if setting.weights:
        pytest.skip("its rows have weights, which are for the mass matrix")
    both(setting, frozenset(), 1)


@pytest.mark.parametrize("text", [tower, spatial_row])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_nested_loops_agree(text: Callable[[int], str], count: int, tmp_path: Path) -> None:
    setting = setting_of(text(count), tmp_path)
    runs = frozenset(hinge for run in shareable_runs(setting.tree) if len(run) > 1 for hinge in run)
    for shared in {frozenset[int](), runs}:
        both(setting, shared, count)


def operations(setting: Setting) -> float:
    graph = Graph()
    x = symbols(graph, setting.tree, ("q", "v", "tau"))
    rows = setting.rows(x["q"], x["v"], 0.0)
    found = solve_looped(setting.tree, x["q"], x["v"], x["tau"], rows, [-row.bias for row in rows])
    return graph.program({"a": expressions(graph, found.x)}).count().weighted


def test_operations_grow_with_the_loops(tmp_path: Path) -> None:
    """Every further loop takes as many operations as the one before."""
    four, eight, sixteen = (operations(setting_of(tower(count), tmp_path)) for count in (4, 8, 16))
    assert sixteen - eight == pytest.approx(2 * (eight - four), rel=0.05)


def test_large_loops_are_articulated_and_small_ones_are_not(tmp_path: Path) -> None:
    small, large = setting_of(tower(3), tmp_path), setting_of(tower(24), tmp_path)
    assert looped_axes(small) is None
    (only,) = structure_variants(large, safe=True)
    assert only.formulation == LOOPED
    assert clearly_cheaper(large.tree, only.program)


def test_run_of_a_tower_keeps_its_energy_and_its_closures(tmp_path: Path) -> None:
    path = tmp_path / "tower.xml"
    path.write_text(tower(16), encoding="utf-8")
    system = sistel.load(path)
    run = system.simulate(0.2)
    kinetic, potential = run.energies()
    total = kinetic + potential
    assert kinetic.max() > 1e-3
    assert np.abs(total - total[0]).max() < 1e-9 * kinetic.max()
    rows = system._engine.automaton.mode(system._engine.model.structures[0]).setting.rows(
        run.q[-1].tolist(), run.v[-1].tolist(), 0.0
    )
    assert max(abs(float(row.value)) for row in rows) < 1e-9
    J = np.array([row.J for row in rows], dtype=float)
    assert np.abs(J @ run.v[-1]).max() < 1e-9
