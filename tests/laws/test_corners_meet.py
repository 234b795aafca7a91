"""Corners that meet corners: shapes of one width on each other, beside each other, and tip on tip. None goes through."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import sistel
from sistel.simulation import Run
from tests.laws.test_many_shapes import crowded

G = 9.81
BOX, DIAMOND = '<box name="{}" size="100, 100"/>', '<polygon name="{}" points="0,-50; 50,0; 0,50; -50,0"/>'
WAYS: dict[str, Callable[[sistel.System, float], Run]] = {
    "equations": lambda made, until: made.simulate(until),
    "loop": crowded,
}


def falling(shape: str, x: float, y: float) -> sistel.System:
    """A body above an obstacle of its own shape; its place, in metres, against it."""
    return sistel.parse(
        f'<system name="s"><world>{shape.format("o")}</world><body name="b" joint="free" mass="1" inertia="0.01">'
        f'{shape.format("c")}</body><links><contact name="k" of="c" to="o" friction="0.3"/></links>'
        f'<start b="{x!r} m, {y!r} m, 0"/></system>'
    )


OFFS = (0.0, 1e-12, -1e-11, 4e-11, -7e-11, 2e-10, -3.9e-10, 1e-9)
TRIED = [("loop", off) for off in OFFS] + [("equations", off) for off in (0.0, -7e-11, 2e-10)]


@pytest.mark.parametrize(("way", "off"), TRIED)
def test_a_box_falls_flat_on_one_of_its_width(way: str, off: float) -> None:
    """With corners on corners, or next to them by less than the margins at the ends of sides."""
    run = WAYS[way](falling(BOX, off, -0.15), 0.3)
    (event,) = run.events
    assert event.time == pytest.approx(math.sqrt(2 * 0.05 / G), abs=1e-12)
    assert event.energy_loss == pytest.approx(G * 0.05, abs=1e-9)
    np.testing.assert_allclose(run.q[-1], [off, -0.1, 0.0], rtol=0, atol=1e-11)
    np.testing.assert_allclose(run.v[-1], 0.0, rtol=0, atol=1e-9)


@pytest.mark.parametrize("way", WAYS)
def test_a_box_falls_past_one_that_it_touches_with_a_whole_side(way: str) -> None:
    """Its corner goes along the other's side from its very end on, and nothing holds it."""
    run = WAYS[way](falling(BOX, 0.1, -0.15), 0.25)
    assert not any(event.impulses for event in run.events)
    np.testing.assert_allclose(run.q[-1], [0.1, -0.15 + 0.5 * G * 0.25**2, 0.0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("way", WAYS)
def test_tip_strikes_tip(way: str) -> None:
    """No normal is the right one there; that of a side is taken, and neither body goes into the other."""
    run = WAYS[way](falling(DIAMOND, 0.0, -0.15), 0.2)
    assert run.events[0].time == pytest.approx(math.sqrt(2 * 0.05 / G), abs=1e-12)
    assert run.events[0].energy_loss > 0.0
    for x, y, turn in run.q:
        c, s = math.cos(turn), math.sin(turn)
        corners = [(x + 0.05 * (c * px - s * py), y + 0.05 * (s * px + c * py)) for px, py in ((0, 1), (1, 0), (-1, 0))]
        assert all(abs(px) + abs(py) > 0.05 - 1e-9 for px, py in corners)


def test_a_tower_of_boxes_of_one_width_comes_down_and_stands() -> None:
    """Each falls on the one below it, corners on corners."""
    count = 5
    bodies = "".join(
        f'<body name="b{i}" joint="free" mass="1" inertia="1/600"><box name="s{i}" size="100, 100"/></body>'
        for i in range(count)
    )
    links = '<contact name="g" of="s0" to="floor" friction="0.4" restitution="0.2"/>' + "".join(
        f'<contact name="c{i}" of="s{i}" to="s{i - 1}" friction="0.4" restitution="0.2"/>' for i in range(1, count)
    )
    starts = "".join(f'<coordinate of="b{i}" value="0, {-60 - 110 * i}, 0"/>' for i in range(count))
    made = sistel.parse(
        f'<system name="tower"><world><polyline name="floor" points="-500,0; 500,0"/></world>{bodies}'
        f"<links>{links}</links><start>{starts}</start></system>"
    )
    run = made.simulate(1.5)
    assert (run.v[-1] == 0.0).all()
    expected = [[0.0, -0.05 - 0.1 * i, 0.0] for i in range(count)]
    np.testing.assert_allclose(run.q[-1].reshape(count, 3), expected, rtol=0, atol=1e-9)
    energy = np.sum(run.energies(), axis=0)
    assert np.diff(energy).max() < 1e-10  # of 10 J
