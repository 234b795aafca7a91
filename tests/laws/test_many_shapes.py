"""Many free bodies whose shapes touch: the loop that all models share, against known numbers and the other way to go."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.thorough import cases

import sistel
from sistel.automaton import elements_of
from sistel.simulation import Run
from sistel.simulation.contact._overlaps import overlap
from sistel.simulation.plane import FEW, MANY_SIDES, crowd_of
from sistel.simulation.run._warnings import Warnings
from tests.laws.test_shapes import CLIFF, CRATE, LEDGE, ON, PAIRS, SQUARE, ball, stairs, system


def crowded(made: sistel.System, until: float) -> Run:
    """A run in the loop for many bodies, however few there are."""
    model = made.model
    crowd = crowd_of(model, elements_of(model), 20, 2.0**-52, few=0)
    assert crowd is not None
    y = np.array([*model.start.q, *model.start.v, model.start_time])
    return crowd.run(y, until, math.inf, None, True, 2.0**31, Warnings())


def test_the_square_on_stairs_has_its_published_events() -> None:
    made = system(
        f'<polyline name="stairs" points="{stairs(10)}"/>',
        '<body name="b" joint="free" mass="1" inertia="0.04/6">'
        '<polygon name="sides" points="100,-100; 100,100; -100,100; -100,-100"/></body>',
        '<contact name="c" of="sides" to="stairs" friction="0.5"/>',
        'b="100, -350, -10" b.rate="1800, 0, 6 rad/s"',
    )
    run = crowded(made, 1.1)
    assert len(run.events) == len(SQUARE)
    for event, (time, corner, x, y, turn, vx, vy, spin) in zip(run.events, SQUARE, strict=True):
        assert event.time == pytest.approx(time, abs=3e-14)
        assert event.transition.split()[1].rstrip("′") == corner
        q, v = run(event.time)
        np.testing.assert_allclose(q, [x, -y, -turn], rtol=0, atol=2e-13)
        np.testing.assert_allclose(v, [vx, -vy, -spin], rtol=0, atol=2e-12)


ROLLS = '<contact name="c" of="s" to="f" friction="0.5"/>'
CASES = {
    "tips over an edge": (LEDGE, CRATE, ON.replace("0.2", "none"), 'b="0,-50,0" b.rate="2000,0,0"', 1.0),
    "slides and rests": (LEDGE, CRATE, ON, 'b="0,-50,0" b.rate="1340,0,0"', 2.0),
    "rolls over an edge": (CLIFF, ball(), ROLLS, 'b="0,-50,0" b.rate="300,0,6 rad/s"', 1.9),
    "leaves an edge at once": (CLIFF, ball(), ROLLS, 'b="0,-50,0" b.rate="1000,0,20 rad/s"', 0.6),
}


@pytest.mark.parametrize("case", CASES)
def test_both_ways_to_go_agree(case: str) -> None:
    """Equations of its own for each system, and one loop for all, share neither derivation nor problem nor steps."""
    world, body, contact, start, until = CASES[case]
    made = system(world, body, contact, start)
    assert len(elements_of(made.model)) <= FEW, "else both are the same"
    one, two = crowded(made, until), made.simulate(until)
    assert [event.after for event in one.events] == [event.after for event in two.events]
    for mine, other in zip(one.events, two.events, strict=True):
        assert mine.time == pytest.approx(other.time, abs=1e-13)
        assert mine.energy_loss == pytest.approx(other.energy_loss, abs=1e-12)
    np.testing.assert_allclose(one.q[-1], two.q[-1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(one.v[-1], two.v[-1], rtol=0, atol=1e-11)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("law", ["newton", "poisson"])
def test_momenta_of_two_that_collide_are_kept(pair: str, law: str) -> None:
    first, second = PAIRS[pair]
    made = sistel.parse(
        f'<system name="two"><gravity value="0"/><body name="b" joint="free" mass="2" inertia="0.01" com="5,3">{first}'
        f'</body><body name="d" joint="free" mass="3" inertia="0.03">{second}</body>'
        f'<links><contact name="c" of="s" to="o" friction="0.3" restitution="0.7" impact="{law}"/></links>'
        '<start b="-300,10,20" d="100,0,40" b.rate="2000,100,3 rad/s" d.rate="-500,0,-2 rad/s"/></system>'
    )
    one, two = crowded(made, 0.3), made.simulate(0.3)
    assert any(event.impulses for event in one.events)
    np.testing.assert_allclose(one.v[-1], two.v[-1], rtol=0, atol=1e-11)
    kinetic = one.energies()[0]
    assert kinetic[0] - kinetic[-1] == pytest.approx(sum(event.energy_loss for event in one.events), abs=1e-11)


def dominoes(count: int) -> sistel.System:
    return sistel.parse(
        f'<system name="dominoes"><world><polyline name="floor" points="-1000,0; {28 * count + 2000},0"/></world>'
        f'<repeat count="{count}"><body name="d{{i}}" joint="free" mass="0.01" inertia="0.01*(0.008^2 + 0.048^2)/12">'
        '<box name="s{i}" size="8,48"/></body></repeat>'
        f'<links><repeat count="{count}"><contact name="g{{i}}" of="s{{i}}" to="floor" friction="0.6"/></repeat>'
        f'<repeat count="{count - 1}"><contact name="c{{i}}" of="s{{i}}" to="s{{i + 1}}" friction="0.2"/></repeat>'
        '</links><start d1.rate="96, -16, 4 rad/s">'
        f'<repeat count="{count}"><coordinate of="d{{i}}" value="28*i, -24, 0"/></repeat></start></system>'
    )


def test_dominoes_fall_one_after_another() -> None:
    """Every impact keeps the momentum, energy never grows, and nothing lies in anything at any time."""
    count = 12
    made = dominoes(count)
    assert len(elements_of(made.model)) > FEW
    run = made.simulate(2.0)
    angles = run.q[-1][2::3]
    assert (angles > 1.0).all() and angles[-1] == pytest.approx(math.pi / 2, abs=1e-9)
    strikes = [next(e.time for e in run.events if f"c{i} B′" in e.impulses) for i in range(1, count)]
    assert strikes == sorted(strikes)
    # The wave gains speed at first: the time from one to the next becomes shorter.
    assert np.diff(strikes)[0] > np.diff(strikes)[-1]
    energy = np.sum(run.energies(), axis=0)
    assert np.diff(energy).max() < 1e-10  # of 0.03 J; what parts slower than 1e-7 m/s is stopped
    first = run.events[0]
    at = int(np.searchsorted(run.t, first.time, side="left"))
    assert run.t[at] == run.t[at + 1] == first.time
    jump = 0.01 * (run.v[at + 1] - run.v[at]).reshape(count, 3)[:, :2].sum(axis=0)
    pushed = sum(load[3:5] for name, load in first.impulses.items() if name.startswith("g"))
    np.testing.assert_allclose(jump, pushed, rtol=0, atol=1e-15)
    for q in run.q[:: len(run.q) // 50]:
        assert overlap(run.model, q.tolist(), 1e-9) is None


@pytest.mark.slow
def test_many_dominoes_come_to_rest() -> None:
    """Leaning chains multiply what is done at one end by ten powers of ten at the other: all laws are kept all the same.

    Thirty of them; fifty where `SISTEL_THOROUGH=1` asks for them.
    """
    run = dominoes(cases(30, 50)).simulate(2.5)
    assert (run.v[-1] == 0.0).all()
    angles = run.q[-1][2::3]
    assert (angles > 1.0).all() and angles[-1] == pytest.approx(math.pi / 2, abs=1e-9)
    energy = np.sum(run.energies(), axis=0)
    assert np.diff(energy).max() < 1e-10  # of 0.1 J
    for q in run.q[:: len(run.q) // 30]:
        assert overlap(run.model, q.tolist(), 1e-9) is None


def circles(count: int, columns: int, restitution: float, friction: str = "0.3") -> sistel.System:
    """Circles of 40 mm above a box; places are irregular, and the same in every run."""
    wide = 50 * columns + 100
    bodies = f'<repeat count="{count}"><body name="b{{i}}" joint="free" mass="0.1" inertia="0.5*0.1*0.02^2">'
    laws = f'friction="{friction}" restitution="{restitution}"'
    pairs = (f'<contact name="c{i}_{j}" of="s{i}" to="s{j}" {laws}/>' for i in range(1, count + 1) for j in range(1, i))
    places = (
        f'<coordinate of="b{k + 1}" value="{60 + 50 * (k % columns) + 4 * math.sin(7 * k):.3f}, '
        f'{-60 - 60 * (k // columns) + 4 * math.cos(5 * k):.3f}, 0"/>'
        for k in range(count)
    )
    return sistel.parse(
        f'<system name="circles"><world><polyline name="box" points="0,-3000; 0,0; {wide},0; {wide},-3000"/></world>'
        f'{bodies}<circle name="s{{i}}" radius="20"/></body></repeat><links><repeat count="{count}">'
        f'<contact name="g{{i}}" of="s{{i}}" to="box" {laws}/></repeat>{"".join(pairs)}</links>'
        f"<start>{''.join(places)}</start></system>"
    )


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7, 8, 10])
def test_circles_that_just_fill_a_box_end_wedged(count: int) -> None:
    """A row of them carries what statics does not determine; what is wedged stays there, on the floor and in no other.

    Three and four may roll on: nothing resists that.
    """
    made = circles(count, math.isqrt(count), 0.3)
    run = made.simulate(3.0)
    assert len(run.events) > 100
    speeds = run.v[-1].reshape(count, 3)
    assert (speeds == 0.0).all() if count > 4 else np.abs(speeds[:, 1]).max() < 1e-12
    assert np.diff(np.sum(run.energies(), axis=0)).max() < 1e-9  # of 1 J
    for q in run.q[:: len(run.q) // 30]:
        assert overlap(run.model, q.tolist(), 1e-9) is None
    # Newton's third law holds in every impact, whatever was done: the walls take what the bodies lose.
    times = [event.time for event in run.events]
    for event in [e for e in run.events if e.impulses and times.count(e.time) == 1][::10]:
        at = int(np.searchsorted(run.t, event.time, side="left"))
        jump = 0.1 * (run.v[at + 1] - run.v[at]).reshape(count, 3)[:, :2].sum(axis=0)
        pushed = sum((load[3:5] for name, load in event.impulses.items() if name.startswith("g")), np.zeros(2))
        np.testing.assert_allclose(jump, pushed, rtol=0, atol=1e-6)


@pytest.mark.slow
def test_circles_in_a_box_come_to_rest() -> None:
    """Impacts crowd together in all contacts at once, and end: momentum is kept in each, energy never grows."""
    count = 16
    run = circles(count, 4, 0.3).simulate(3.0)
    assert (run.v[-1] == 0.0).all()
    # What is left out is said, once.
    assert [each.code for each in run.noted] == ["slow-contacts"]
    assert "1e-05 m/s" in run.noted[0].line("en") and "1e-05 м/с" in run.noted[0].line("ru")
    energy = np.sum(run.energies(), axis=0)
    assert np.diff(energy).max() < 1e-10  # of 3 J
    times = [event.time for event in run.events]
    alone = [e for e in run.events if e.impulses and times.count(e.time) == 1]
    for event in alone[:: len(alone) // 40]:
        at = int(np.searchsorted(run.t, event.time, side="left"))
        jump = 0.1 * (run.v[at + 1] - run.v[at]).reshape(count, 3)[:, :2].sum(axis=0)
        pushed = sum((load[3:5] for name, load in event.impulses.items() if name.startswith("g")), np.zeros(2))
        # In heaps, contacts that part slower than 1e-5 m/s are stopped: what that takes is not among the impulses.
        np.testing.assert_allclose(jump, pushed, rtol=0, atol=1e-6)
    for q in run.q[:: len(run.q) // 30]:
        assert overlap(run.model, q.tolist(), 1e-9) is None
    # Reactions of all steps would need equations of thousands of structures; those of one time add up to the weight.
    with pytest.raises(sistel.SistelError, match=r"structures at these times"):
        run.reactions()
    with pytest.raises(sistel.SistelError, match=r"structures at these times"):
        run.quantity("reaction(g1 1).n")
    carried = run.reactions([run.end])
    down = sum(load[0, 4] for name, load in carried.items() if name.startswith("g"))
    assert down == pytest.approx(-0.1 * 9.81 * count, rel=1e-6)


@pytest.mark.slow
def test_a_heap_of_circles_comes_to_rest() -> None:
    """More than sixty contacts at once share their loads: all rests, nothing lies in anything, energy never grows."""
    run = circles(36, 6, 0.3).simulate(3.0)
    assert (run.v[-1] == 0.0).all()
    assert "0.001 m/s where more than 60" in run.noted[0].line("en") and "больше 60" in run.noted[0].line("ru")
    energy = np.sum(run.energies(), axis=0)
    assert np.diff(energy).max() < 1e-9  # of 8 J
    for q in run.q[:: len(run.q) // 20]:
        assert overlap(run.model, q.tolist(), 1e-9) is None


def test_a_hundred_circles_bounce_for_ever() -> None:
    """Nothing is lost where nothing rubs; events and steps are made of what was written when they are asked for."""
    count = 100
    run = circles(count, 10, 1.0, "none").simulate(0.3)
    assert len(run.events) > 200 and run.steps >= len({event.time for event in run.events})
    energy = np.sum(run.energies(), axis=0)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-13)
    place = run.q.reshape(-1, count, 3)[:: len(run.t) // 40, :, :2]
    apart = np.linalg.norm(place[:, :, None] - place[:, None], axis=3) + np.eye(count)
    assert apart.min() > 0.04 - 1e-11
    # A motion that is asked for at any time goes through the states of the steps; names follow each other.
    middle = run.t[len(run.t) // 2]
    np.testing.assert_allclose(run(middle)[0], run.q[np.searchsorted(run.t, middle, side="right") - 1], atol=1e-14)
    assert all(one.after == two.before for one, two in zip(run.events[:-1], run.events[1:], strict=True))
    assert run.structure[-1] == run.final_structure == run.events[-1].after


def test_a_belt_among_many_contacts_carries_what_lies_on_it() -> None:
    """What the loop does not know goes the other way: a crate slips on a belt for v/(μg) and then goes with it."""
    far = "".join(f'<box name="o{i}" place="{5000 + 500 * i}, -100" size="100, 100"/>' for i in range(3))
    made = sistel.parse(
        f'<system name="belt"><world><polyline name="floor" points="-1000,0; 4000,0"/>{far}</world>'
        '<body name="crate" joint="free" mass="2" inertia="0.01"><box name="sides" size="100,60"/></body>'
        '<links><contact name="c" of="sides" to="world" friction="0.3" speed="1.5 m/s"/></links>'
        '<start crate="0, -30, 0"/></system>'
    )
    assert len(elements_of(made.model)) > FEW
    run = made.simulate(1.0)
    assert run.q[-1][0] == pytest.approx(1.5 - 1.5**2 / (2 * 0.3 * 9.81), abs=1e-12)


def ball_over_teeth(count: int) -> sistel.System:
    """A ball that hops on a floor with so many teeth; it meets the first of them."""
    teeth = "".join(f'<polygon name="o{i}" place="{300 * i},0" points="-60,0; 0,-60; 60,0"/>' for i in range(count))
    return sistel.parse(
        f'<system name="teeth"><world><polyline name="floor" points="-1 m,0; 300 m,0"/>{teeth}</world>'
        '<body name="ball" joint="free" mass="1" inertia="0.001"><circle name="c" radius="50"/></body>'
        '<links><contact name="k" of="c" to="world" friction="0.3" restitution="0.3"/></links>'
        '<start ball="20,-200,0" ball.rate="2000,0,0"/></system>'
    )


def test_obstacles_far_away_change_no_bit() -> None:
    """Boxes leave out what cannot be reached in a step, and nothing else: with all of it the same numbers come out."""
    few, many = (ball_over_teeth(count).simulate(1.0) for count in (MANY_SIDES // 3 + 1, 10 * MANY_SIDES))
    assert len(few.events) > 10
    assert [(e.time, e.transition, e.after, e.energy_loss) for e in few.events] == [
        (e.time, e.transition, e.after, e.energy_loss) for e in many.events
    ]
    for one, two in ((few.t, many.t), (few.q, many.q), (few.v, many.v)):
        np.testing.assert_array_equal(one, two)


def test_many_sides_are_met_as_by_equations_of_their_own() -> None:
    """The same floor, once with so few teeth that equations look at all of them in every step."""
    written, near = (ball_over_teeth(count).simulate(0.515) for count in (MANY_SIDES // 3 - 1, MANY_SIDES))
    # Both end the crowd of hops on the floor, each at the velocity that is none to it.
    for mine, other in zip(written.events[:12], near.events[:12], strict=True):
        assert (mine.transition, mine.after) == (other.transition, other.after)
        assert mine.time == pytest.approx(other.time, abs=1e-12)
        assert mine.energy_loss == pytest.approx(other.energy_loss, abs=1e-12)
    assert written.final_structure == near.final_structure == "k 1 rolls"
    np.testing.assert_allclose(written.q[-1], near.q[-1], rtol=0, atol=1e-9)
