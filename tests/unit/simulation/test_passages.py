"""Passages of contacts in machine code: they are those that Python decides on, and nothing depends on which was first."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from support.thorough import cases

import sistel
from sistel.automaton import PLUS, STICK
from sistel.kernels.subset import compile_functions
from sistel.simulation.contact import _complementarity, _cones, _driver, _trials
from sistel.simulation.contact._trials import CLOSED, OPTIONS, Problem

LAWS = {"newton": 0.5, "plastic": 0.0, "poisson": 0.4}


@pytest.fixture(scope="module")
def code() -> Any:
    """The functions of the problems, compiled by themselves."""
    names = ["shortest", "shortest_again", "solve", "solve_plane", "solve_cones"]
    return compile_functions(_trials.FUNCTIONS, exports=names, quick=True)


def test_the_shortest_solution_is_that_of_numpy(code: Any) -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        n = int(rng.integers(1, 13))
        rows, rank = n + int(rng.integers(0, 3)), int(rng.integers(1, n + 1))
        A, b = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, n)), rng.normal(size=rows)
        wanted, _, known, values = np.linalg.lstsq(A, b, rcond=1e-11)
        x = np.zeros(n)
        room, order = np.zeros(n * n + 2 * n), np.zeros(n, dtype=np.int64)
        assert code.shortest(A.ravel().copy(), rows, n, b.copy(), 1e-11, x, room, order) == known
        bound = 1e-12 * (values[0] / values[known - 1]) ** 2 * np.abs(wanted).max()
        assert np.abs(x - wanted).max() <= bound


def test_the_same_equations_with_another_side(code: Any) -> None:
    """The bits are those of equations that are solved anew."""
    rng = np.random.default_rng(2)
    for n in range(1, 13):
        A, sides = rng.normal(size=(n, n)), rng.normal(size=(3, n))
        room, order = np.zeros(n * n + 2 * n), np.zeros(n, dtype=np.int64)
        made, x, anew = A.ravel().copy(), np.zeros(n), np.zeros(n)
        assert code.shortest(made, n, n, sides[0].copy(), 1e-11, x, room, order) == n
        for side in sides:
            code.shortest_again(made, n, side.copy(), x, room, order)
            code.shortest(A.ravel().copy(), n, n, side.copy(), 1e-11, anew, np.zeros_like(room), np.zeros_like(order))
            assert x.tobytes() == anew.tobytes()
            assert x == pytest.approx(np.linalg.solve(A, side), rel=1e-9, abs=1e-9)


def test_equations_without_a_solution_have_none(code: Any) -> None:
    A = np.array([1.0, 2.0, 2.0, 4.0])
    room, order, x = np.zeros(40), np.zeros(2, dtype=np.int64), np.zeros(2)
    assert not code.solve(A, 2, np.array([1.0, 1.0]), False, x, room, order)
    assert code.solve(A, 2, np.array([1.0, 2.0]), False, x, room, order)
    assert x == pytest.approx([0.2, 0.4], rel=1e-14)
    x[:] = 1.0, 0.0
    assert code.solve(A, 2, np.array([1.0, 2.0]), True, x, room, order)  # the nearest is where it was
    assert x == pytest.approx([1.0, 0.0], abs=1e-15)


def test_zeros_stay_zeros(code: Any) -> None:
    """Elimination as in Python: a block that nothing pulls has no force of rounding."""
    A = np.array([0.3, 0.0, 0.1, 0.0, 0.7, 0.0, 0.1, 0.0, 0.9])
    x = np.zeros(3)
    assert code.solve(A, 3, np.array([1.0, 0.0, 0.0]), False, x, np.zeros(60), np.zeros(3, dtype=np.int64))
    assert x[1] == 0.0


def _problem(sides: int, k: int, rng: np.random.Generator) -> Problem:
    n = k * (1 + sides)
    J = rng.normal(size=(n, n + 2))
    whole = lambda size: np.zeros(size, dtype=np.int64)  # noqa: E731
    return Problem(
        sides=sides,
        G=(J @ J.T).ravel(),
        b=rng.normal(size=n),
        friction=rng.choice([0.0, 0.3, 0.6], size=k),
        back=rng.choice([0.0, 0.2, 0.6], size=k),
        clings=whole(k),
        ways=np.zeros(2 * k),
        pressed=np.zeros(k),
        bare=whole(k),
        x=np.zeros(n),
        w=np.zeros(n),
        found=np.zeros(2 * k),
        statuses=whole(k),
        options=whole(OPTIONS * k),
        places=whole(k),
        A=np.zeros(n * n),
        right=np.zeros(n),
        size=np.zeros(n),
        held=np.zeros(n),
        turn=np.zeros(n * k + k * k + 2 * k + n),
        room=np.zeros(2 * n * n + 8 * n),
        order=whole(n),
        kinds=whole(k),
    )


@pytest.mark.parametrize("sides", [1, 2])
def test_problems_have_the_solutions_of_python(code: Any, sides: int) -> None:
    rng, met = np.random.default_rng(3), set()
    for turn in range(120):
        k = 1 + turn % 3
        own: Any = _problem(sides, k, rng)
        n, friction, back = k * (1 + sides), tuple(own.friction.tolist()), ()
        if sides == 2 or turn % 2:
            own.back[:] = own.friction  # another coefficient backwards is for what has one tangent
        else:
            back = tuple(own.back.tolist())
        G, b = own.G.reshape(n, n), own.b.copy()
        none = np.zeros(k, dtype=np.int64)
        if sides == 1:
            plane = _complementarity.ContactProblem(
                G=G, b=b, friction=friction, ways=(0.0,) * k, pressed=(0.0,) * k, back=back
            )
            wanted: Any = _complementarity.solve_contacts(plane)
            found = code.solve_plane(own, k, none, False)
        else:
            cone = _cones.ConeProblem(
                G=G, b=b, friction=friction, ways=np.zeros((k, 2)), pressed=(0.0,) * k, bare=(False,) * k
            )
            wanted = _cones.solve_cones(cone)
            found = code.solve_cones(own, k, none, False, np.zeros(2 * n))
        assert wanted is not None
        assert found
        assert [CLOSED * closed + grip for closed, grip in wanted.statuses] == own.statuses.tolist()
        assert np.abs(own.x - wanted.x).max() <= 1e-10 * max(1.0, np.abs(wanted.x).max())
        met |= set(own.statuses.tolist())
    assert {0, CLOSED, CLOSED + STICK, CLOSED + PLUS} <= met


def _legs(law: str) -> str:
    """A trunk on two legs with feet, in the plane."""
    rows, contacts = '<body name="trunk" joint="free" mass="6" inertia="0.1"/>', ""
    for i, side in enumerate((-1, 1)):
        rows += (
            f'<body name="h{i}" base="trunk" joint="revolute" place="{200 * side},0" mass="0.4" com="0,100" '
            f'inertia="0.002"><point name="p{i}" place="0,300"/></body>'
            f'<motion of="h{i}" value="{-25 * side} deg" kp="60" kd="0.8"/>'
        )
        contacts += (
            f'<contact name="c{i}" point="p{i}" surface="y = 0" friction="0.4" impact="{law}" '
            f'restitution="{LAWS[law]}"/>'
        )
    return f'<system name="legs">{rows}<links>{contacts}</links><start trunk.y="-1 m"/></system>'


def _stool(law: str) -> str:
    """A body with three feet, in space."""
    points = ((80, 0, -60), (-40, 70, -60), (-40, -70, -60))
    feet = "".join(f'<point name="p{i}" place="{x},{y},{z}"/>' for i, (x, y, z) in enumerate(points))
    contacts = "".join(
        f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="0.3" impact="{law}" restitution="{LAWS[law]}"/>'
        for i in range(3)
    )
    return (
        '<system name="stool" space="spatial"><body name="b" joint="free" mass="1" inertia="0.003,0.003,0.004">'
        f'{feet}</body><links>{contacts}</links><start b.z="1 m"/></system>'
    )


def _drop(name: str, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng([5, seed])
    if name == "legs":
        q = np.array([0.0, -rng.uniform(0.4, 0.5), rng.uniform(-0.2, 0.2), 0.4, -0.4])
        return q, np.array([*rng.normal(0, 0.6, 2), *rng.normal(0, 1, 3)])
    turn = np.array([1.0, *rng.normal(0, 0.15, 3)])
    q = np.array([*(turn / np.linalg.norm(turn)), 0.0, 0.0, rng.uniform(0.12, 0.2)])
    return q, np.array([*rng.normal(0, 1, 3), *rng.normal(0, 0.5, 3)])


TEXTS = {"legs": _legs, "stool": _stool}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", TEXTS)
def test_machine_code_decides_what_python_decides(name: str, law: str) -> None:
    system = sistel.parse(TEXTS[name](law))
    contacts: Any = system.simulation(2.0**-52).contacts
    decided = 0
    for seed in range(cases(2, 4)):
        q, v = _drop(name, seed)
        runs = []
        for quick in (False, True):
            contacts.quick, contacts.decided = quick, 0
            runs.append(system.simulate(0.6, q=q, v=v))
            assert quick or not contacts.decided
        decided += contacts.decided
        by_python, by_machine = runs
        assert len(by_python.passages) == len(by_machine.passages)
        assert [warning.code for warning in by_python.warnings] == [warning.code for warning in by_machine.warnings]
        # Sums are rounded in another order; what impacts make of that grows from each to the next.
        allowed = 1e-13
        for one, other in zip(by_python.passages, by_machine.passages, strict=True):
            assert (one.transition, one.before, one.after) == (other.transition, other.before, other.after)
            assert one.time == pytest.approx(other.time, abs=allowed)
            (_, before), (_, after) = (run(one.time + 1e-6) for run in runs)
            assert np.abs(before - after).max() <= 1e3 * allowed
            assert one.energy_loss == pytest.approx(other.energy_loss, abs=1e3 * allowed)
            for link in {**one.impulses, **other.impulses}:  # what is only rounding may be exactly nothing
                loads = [event.impulses.get(link, np.zeros(6)) for event in (one, other)]
                assert loads[0] == pytest.approx(loads[1], abs=1e3 * allowed)
            allowed = min(1e-9, 1.25 * allowed)
    assert decided > 10


def _table() -> str:
    """A trunk on four legs that motors hold, each with a foot, in space."""
    rows, contacts = '<body name="trunk" joint="free" mass="6" inertia="0.04,0.09,0.12"/>', ""
    for i in range(4):
        turn = 45 + 90 * i
        x, y = 250 * math.cos(math.radians(turn)), 180 * math.sin(math.radians(turn))
        rows += (
            f'<body name="l{i}" base="trunk" joint="revolute" axis="y" place="{x:.3f},{y:.3f},0" turn="0,0,{turn}" '
            f'mass="0.3" com="0,0,-100" inertia="0.001,0.001,0.0001"><point name="p{i}" place="0,0,-200"/></body>'
            f'<motion of="l{i}" value="-20 deg" kp="20" kd="0.3"/>'
        )
        contacts += f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="0.25" impact="plastic"/>'
    return f'<system name="table" space="spatial">{rows}<links>{contacts}</links><start trunk.z="1 m"/></system>'


@pytest.mark.parametrize(("seed", "tolerance"), [(0, 2.0**-52), (7, 2.0**-52), (2, 1e-5)])
def test_python_is_not_asked(monkeypatch: pytest.MonkeyPatch, seed: int, tolerance: float) -> None:
    """Neither by impacts that follow at once, nor by hops that no step would see, nor where slips begin."""
    rng = np.random.default_rng([1, seed])
    turn = np.array([1.0, *rng.normal(0, 0.06, 3)])
    q = np.array([*turn / np.linalg.norm(turn), 0.0, 0.0, rng.uniform(0.3, 0.5), *rng.uniform(-0.6, 0.0, 4)])
    v = np.array([*rng.normal(0, 0.5, 3), *rng.normal(0, 0.6, 3), *rng.normal(0, 1, 4)])
    system = sistel.parse(_table())
    contacts: Any = system.simulation(tolerance).contacts
    contacts.quick = False
    by_python = system.simulate(2.0, q=q, v=v, tolerance=tolerance)
    contacts.quick = True
    system.simulate(2.0, q=q, v=v, tolerance=tolerance)  # learns statuses, and strikes alone
    monkeypatch.setattr(type(contacts), "successor", None)
    by_machine = system.simulate(2.0, q=q, v=v, tolerance=tolerance)
    assert len(by_machine.events) > 20
    told = [[(each.transition, each.before, each.after) for each in run.events] for run in (by_python, by_machine)]
    assert told[0] == told[1]
    for one, other in zip(by_python.events, by_machine.events, strict=True):
        assert one.time == pytest.approx(other.time, abs=max(1e-9, tolerance))
        assert one.energy_loss == pytest.approx(other.energy_loss, abs=max(1e-6, 10 * tolerance))
    # Where a slip begins, its first moment is a part of the motion like any other.
    for before, after in itertools.pairwise(by_machine.segments):
        if before.end == after.begin:
            end, begin = (np.concatenate(by_machine(time)) for time in (before.end - 1e-12, after.begin + 1e-12))
            strikes = any(event.time == after.begin and event.impulses for event in by_machine.events)
            assert strikes or np.abs(end - begin).max() <= 1e-7


@pytest.mark.parametrize("name", TEXTS)
def test_a_first_run_is_like_all_others(name: str) -> None:
    """Statuses that were not met before are learned on the way, and decided by the same code."""
    q, v = _drop(name, 1)
    system = sistel.parse(TEXTS[name]("newton"))
    first, second = (system.simulate(0.6, q=q, v=v) for _ in range(2))
    assert np.array_equal(first.last, second.last)
    assert [event.time for event in first.passages] == [event.time for event in second.passages]


def test_more_statuses_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    q, v = _drop("stool", 2)
    whole = sistel.parse(_stool("newton")).simulate(0.6, q=q, v=v)
    names = {event.after for event in whole.passages}
    assert len(names) > 3
    monkeypatch.setattr(_driver, "MOST_STANDS", 3)
    system = sistel.parse(_stool("newton"))
    small = system.simulate(0.6, q=q, v=v)
    contacts: Any = system.simulation(2.0**-52).contacts
    assert contacts.decided > 10
    assert max(len(overlay.stands) for overlay in contacts.overlays.values()) <= 3
    assert np.array_equal(whole.last, small.last)
    assert whole.structure == small.structure
    told = [[(each.time, each.transition, each.before, each.after) for each in run.passages] for run in (whole, small)]
    assert told[0] == told[1]


def test_segments_are_those_of_python() -> None:
    """Stays have the names and the times that they have where every passage ends a call of the loop."""
    q, v = _drop("legs", 3)
    system = sistel.parse(_legs("poisson"))
    contacts: Any = system.simulation(2.0**-52).contacts
    found = []
    for quick in (False, True):
        contacts.quick = quick
        run = system.simulate(0.6, q=q, v=v)
        found.append([(segment.structure, len(segment.times)) for segment in run.segments])
        ends = [segment.begin for segment in run.segments[1:]]
        assert all(before < after for before, after in itertools.pairwise(ends))
    assert [name for name, _ in found[0]] == [name for name, _ in found[1]]


def test_events_alone_are_kept_where_steps_are_not() -> None:
    q, v = _drop("legs", 0)
    system = sistel.parse(_legs("poisson"))
    whole, bare = (system.simulate(0.6, q=q, v=v, keep=keep) for keep in ("steps", "events"))
    assert [event.time for event in whole.passages] == [event.time for event in bare.passages]
    assert np.array_equal(whole.last, bare.last)
