"""Bodies that are pushed in a page: as by a spring that the file has, and energy by the work of the hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.live import Drive, job

import sistel
from sistel.system import System
from sistel.views.page._curve_loads import loads_of

PUSHES: dict[str, tuple[str, str, float]] = {
    # System: the body, the point of it that is held in its axes, the stiffness [N/m].
    "double_pendulum": ("lower", "0, 700", 30.0),
    "four_bar": ("coupler", "300, 20", 55.0),
    "compass_walker": ("hip", "0, 0", 12.0),
    "slider_crank": ("rod", "50, 0", 40.0),
    "hopper": ("trunk", "20, 0", 90.0),
}
HAND = (0.31, -0.12)
"""Where the hand is [m]."""


def held(models: Path, name: str) -> tuple[System, System, dict[str, Any]]:
    """A system, the same with a spring in its file, and what the page is told instead."""
    body, at, stiffness = PUSHES[name]
    text = (models / f"{name}.xml").read_text(encoding="utf-8")
    system = sistel.parse(text, f"{name}.xml")
    place = ", ".join(f"{1e3 * x}" for x in HAND)
    spring = (
        f'<spring name="hand" body="{body}" at="{at}" to="0" at-to="{place}" stiffness="{stiffness} N/m" length="0"/>'
    )
    end = "</system>"
    other = sistel.parse(text.replace(end, spring + end), f"{name}_held.xml")
    number = next(each.number for each in system.model.bodies if each.name == body)
    point = [float(x) / 1e3 for x in at.split(",")]
    return system, other, {"body": number, "p": [*point, 0.0], "to": [*HAND, 0.0], "stiffness": stiffness}


@pytest.mark.parametrize("name", PUSHES)
def test_a_hand_is_a_spring(name: str, models_dir: Path, drive: Drive) -> None:
    system, other, pull = held(models_dir, name)
    run = other.simulate(0.9)
    times = np.linspace(0.0, 0.9, 10)[1:].tolist()
    ((_, _, rows, events, stopped, work),) = drive(
        [job(system, [["start", {}], ["pull", pull], ["advance", times], ["events"], ["stopped"], ["work"]])]
    )
    assert stopped is None
    q, v = run(times)
    own = np.array([[*row["q"], *row["v"]] for row in rows])
    exact = np.hstack([q, v])
    assert (np.abs(own - exact) / np.maximum(1.0, np.abs(exact))).max() < 2e-9
    assert [event["time"] for event in events] == pytest.approx([event.time for event in run.events], abs=1e-9)
    # The hand stood still: it has given what its spring no longer holds.
    ends = [system.pose(run(t)[0], PUSHES[name][0]) @ [*pull["p"], 1.0] for t in (0.0, 0.9)]
    held_by = [0.5 * PUSHES[name][2] * np.sum((end[:2] - HAND) ** 2) for end in ends]
    assert work == pytest.approx(held_by[0] - held_by[1], abs=1e-8)


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar"])
def test_energy_changes_by_the_work_of_the_hand(name: str, models_dir: Path, drive: Drive) -> None:
    """Without losses; the hand moves, lets go, and takes another body."""
    system, _, pull = held(models_dir, name)
    steps: list[list[Any]] = [["start", {}], ["total"], ["pull", pull], ["advance", [0.2]]]
    steps += [["pull", pull | {"to": [0.4, 0.3, 0.0]}], ["advance", [0.5]], ["pull", None], ["total"], ["work"]]
    steps += [["advance", [0.8]], ["total"], ["pull", pull | {"body": 1}], ["advance", [1.1]], ["total"], ["work"]]
    (found,) = drive([job(system, steps)])
    begin, pushed, first, free, last, second = (found[i] for i in (1, 7, 8, 10, 13, 14))
    assert abs(first) > 0.05 and abs(second - first) > 0.05
    assert pushed - begin == pytest.approx(first, abs=1e-9)
    assert free == pytest.approx(pushed, abs=1e-9)
    assert last - begin == pytest.approx(second, abs=1e-9)


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "compass_walker"])
def test_joints_and_contacts_carry_what_they_would(name: str, models_dir: Path, drive: Drive) -> None:
    system, other, pull = held(models_dir, name)
    run = other.simulate(0.3)
    t = 0.2
    (q,), (v,) = (each for each in run([t]))
    names = [structure.name for structure in system.structures]
    structure = str(run.structure_at(t))
    state = {"t": t, "q": q.tolist(), "v": v.tolist(), "structure": names.index(structure)}
    ((_, free, loads),) = drive([job(system, [["start", {}], ["loads", state], ["loads", state | {"pull": pull}]])])
    known = loads_of(run, np.array([[*q, *v, t]]), np.array([structure])).joints
    assert set(loads) == set(known) - {"hand"}
    for link, load in loads.items():
        assert load == pytest.approx(known[link][0], abs=1e-9), link
    plain = loads_of(system.simulate(0.1), np.array([[*q, *v, t]]), np.array([structure])).joints
    for link, load in free.items():
        assert load == pytest.approx(plain[link][0], abs=1e-9), link
