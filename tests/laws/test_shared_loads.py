"""What contacts carry where statics does not say it: shares of least norm, none of which pulls."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import numpy as np
import pytest

import sistel

G = 9.81
MASS = 50.0
HALF = np.array([0.5, 0.3])
"""Half of the sides of the box [m]."""
HEIGHT = 0.2
"""Of its middle [m]."""


def least(feet: np.ndarray, weight: float, place: Sequence[float]) -> np.ndarray:
    """The shortest loads ≥ 0 of feet under a weight over a place: the best of all sets of feet that carry."""
    A = np.vstack([np.ones(len(feet)), feet.T])
    right = weight * np.array([1.0, *place])
    best: np.ndarray | None = None
    for count in range(1, len(feet) + 1):
        for chosen in itertools.combinations(range(len(feet)), count):
            loads = np.zeros(len(feet))
            loads[list(chosen)] = np.linalg.lstsq(A[:, chosen], right, rcond=1e-12)[0]
            fits = np.abs(A @ loads - right).max() < 1e-9 * weight and loads.min() > -1e-9 * weight
            if fits and (best is None or loads @ loads < best @ best):
                best = loads
    assert best is not None
    return best


@functools.cache
def _box(friction: str, com: str = "0, 0, 0") -> sistel.System:
    return sistel.parse(
        f'<system name="t" space="spatial"><body name="b" joint="free" mass="50" inertia="2, 3, 4" com="{com}">'
        '<box name="s" size="1 m, 0.6 m, 0.4 m"/></body><links>'
        f'<contact name="c" of="s" surface="z = 0" friction="{friction}"/></links><start b.z="200"/></system>'
    )


def _corners(run: sistel.Run, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Places of the corners that touch, from the middle of the box, and the forces on them."""
    loads = {name: load[0, 3:] for name, load in run.reactions([t]).items() if name != "b"}
    places = {contact.name: contact.p_BP[:2] for contact in run.model.contacts}
    assert len(loads) == 4
    return np.array([places[name] for name in loads]), np.array(list(loads.values()))


def _table(feet: Sequence[tuple[float, float]], com: tuple[float, float], friction: str) -> sistel.System:
    points = "".join(f'<point name="p{i}" place="{x} m, {y} m, -0.1 m"/>' for i, (x, y) in enumerate(feet))
    contacts = "".join(
        f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="{friction}"/>' for i in range(len(feet))
    )
    return sistel.parse(
        '<system name="t" space="spatial"><body name="b" joint="free" mass="2" inertia="0.1, 0.1, 0.2" '
        f'com="{com[0]} m, {com[1]} m, 0">{points}</body><links>{contacts}</links><start b.z="100"/></system>'
    )


@pytest.mark.parametrize("friction", ["0", "0.3"])
def test_each_corner_of_a_box_at_rest_carries_a_quarter(friction: str) -> None:
    run = _box(friction).simulate(0.1)
    _, forces = _corners(run, 0.05)
    assert forces == pytest.approx(np.tile([0.0, 0.0, MASS * G / 4.0], (4, 1)), abs=1e-12 * MASS * G)
    (warning,) = run.warnings
    assert warning.code == "shared-loads" and "one of the possible" not in warning.message.en


def test_friction_of_a_sliding_box_shifts_the_load_forwards() -> None:
    """Its couple μ m g h is balanced by the corners in front and behind, evenly on both sides."""
    friction = 0.3
    run = _box(str(friction)).simulate(0.2, v=[0, 0, 0, 2.0, 0, 0])
    places, forces = _corners(run, 0.1)
    shift = friction * MASS * G * HEIGHT / (4.0 * HALF[0])
    expected = MASS * G / 4.0 + shift * np.sign(places[:, 0])
    assert forces[:, 2] == pytest.approx(expected, abs=1e-11)
    assert forces[:, 0] == pytest.approx(-friction * expected, abs=1e-11)
    name = next(name for name in run.reactions([0.1]) if name != "b")
    assert run.quantity(f"normal({name})", [0.1])[0] == pytest.approx(forces[0, 2], abs=1e-12)


@pytest.mark.parametrize("friction", ["0", "0.3"])
@pytest.mark.parametrize(("x", "y"), [(0.2, 0.1), (0.4, -0.2)])
def test_a_box_that_is_heavier_on_one_side(friction: str, x: float, y: float) -> None:
    """In the second place the shortest loads of all would let a corner pull: it carries nothing instead."""
    run = _box(friction, f"{1000 * x}, {1000 * y}, 0").simulate(0.1)
    places, forces = _corners(run, 0.05)
    assert forces[:, 2] == pytest.approx(least(places, MASS * G, (x, y)), abs=1e-11)
    assert forces[:, 2].min() > -1e-12 * MASS * G


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (0.3, 0.1), (-0.75, 0.3), (0.8, -0.05)])
def test_six_legs(x: float, y: float) -> None:
    """Up to three of them carry nothing; machine code chooses as the search over all sets does."""
    feet = [(1.0, 0.1), (0.4, 0.7), (-0.5, 0.6), (-1.0, 0.0), (-0.4, -0.8), (0.6, -0.7)]
    run = _table(feet, (x, y), "0").simulate(0.1)
    loads = run.reactions([0.05])
    found = [loads[f"c{i}"][0, 5] if f"c{i}" in loads else 0.0 for i in range(6)]
    assert found == pytest.approx(least(np.array(feet), 2.0 * G, (x, y)), abs=1e-12 * 2.0 * G)


@pytest.mark.parametrize("com", [0.0, 150.0, 300.0])
def test_legs_in_the_plane(com: float) -> None:
    places = (-400.0, -100.0, 250.0, 500.0)
    points = "".join(f'<point name="p{i}" place="{x}, 100"/>' for i, x in enumerate(places))
    contacts = "".join(f'<contact name="c{i}" point="p{i}" surface="y = 0" friction="0.4"/>' for i in range(4))
    run = sistel.parse(
        f'<system name="t"><body name="b" joint="free" mass="3" inertia="0.1" com="{com}, 0">{points}</body>'
        f'<links>{contacts}</links><start b.y="-100"/></system>'
    ).simulate(0.1)
    loads = run.reactions([0.05])
    found = [-loads[f"c{i}"][0, 4] for i in range(4)]
    expected = least(np.array(places).reshape(-1, 1) / 1000.0, 3.0 * G, (com / 1000.0,))
    assert found == pytest.approx(expected, abs=1e-12 * 3.0 * G)
    assert run.quantity("normal(c1)", [0.05])[0] == pytest.approx(expected[1], abs=1e-12 * 3.0 * G)


def test_structures_may_name_the_corners_of_a_shape() -> None:
    """A written structure of the corners that touch moves and carries as the one that contacts make themselves."""
    corners = "c A, c C, c E, c G"
    text = (
        '<system name="t" space="spatial"><body name="b" joint="free" mass="50" inertia="2, 3, 4">'
        '<box name="s" size="1 m, 0.6 m, 0.4 m"/></body><links><contact name="c" of="s" surface="z = 0" friction="0.3"/>'
        f'<structure name="slips" holds="{corners}" slides="{corners}"/><structure name="stands" holds="{corners}"/>'
        '<transition from="slips" to="stands" when="vx(b) falls through 0"/></links><start b.z="200"/></system>'
    )
    written, made = (system.simulate(1.0, v=[0, 0, 0, 2.0, 0, 0]) for system in (sistel.parse(text), _box("0.3")))
    assert written.events[0].time == pytest.approx(made.events[0].time, rel=1e-12)
    for t in (0.3, 0.9):
        assert written(t)[0] == pytest.approx(made(t)[0], abs=1e-12)
        assert _corners(written, t)[1] == pytest.approx(_corners(made, t)[1], abs=1e-9)
    assert _corners(written, 0.9)[1][:, 2] == pytest.approx(np.full(4, MASS * G / 4.0), abs=1e-11)
