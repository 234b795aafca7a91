"""Contacts, stops and dry friction that make structures of their own: pages decide as simulations do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.live import Drive, job, kit_of

import sistel

# How long each moves [s], and how far states may differ.
MODELS: dict[str, tuple[float, float]] = {
    "bouncing_ball": (3.0, 1e-12),
    "ball_on_stairs": (1.2, 1e-9),  # rolls over an edge, slips, falls and hops
    "ball_slips_and_rolls": (1.0, 1e-12),
    "block_ramp": (1.0, 1e-9),
    "newtons_cradle": (1.5, 1e-9),  # several contacts in one impact
    "hills": (1.0, 1e-9),
    "conveyor": (1.0, 1e-12),
    "backlash": (0.09, 1e-9),  # flanks of a gear
    "woodpecker": (0.5, 1e-7),
    "crate_on_stairs": (1.5, 1e-9),  # corners on sides, rest on two of them
    "walker_control": (0.49, 1e-9),  # a clock ticks every 5 ms
    "parallel_gripper": (0.1955, 1e-9),  # a brake
    "puma560": (0.4, 1e-11),  # dry friction in joints of space
}
SAMPLES = 6


@pytest.fixture(scope="module")
def runs(models_dir: Path) -> dict[str, tuple[sistel.System, Any]]:
    found = {}
    for name, (length, _) in MODELS.items():
        system = sistel.load(models_dir / f"{name}.xml")
        found[name] = system, system.simulate(length)
    return found


@pytest.fixture(scope="module")
def moved(runs: dict[str, tuple[sistel.System, Any]], drive: Drive) -> dict[str, list[Any]]:
    """All of them, in one process of node."""
    jobs = []
    for system, run in runs.values():
        times = np.linspace(0.0, run.end, SAMPLES + 1)[1:].tolist()
        jobs.append(job(system, [["start", {}], ["advance", times], ["events"], ["stopped"]]))
    return dict(zip(runs, drive(jobs), strict=True))


def apart(rows: list[Any], run: Any) -> float:
    q, v = run([row["t"] for row in rows])
    exact, own = np.hstack([q, v]), np.array([[*row["q"], *row["v"]] for row in rows])
    return float((np.abs(own - exact) / np.maximum(1.0, np.abs(exact))).max())


@pytest.mark.parametrize("name", MODELS)
def test_pages_decide_as_simulations_do(
    name: str, runs: dict[str, tuple[sistel.System, Any]], moved: dict[str, list[Any]]
) -> None:
    (_, run), (refusal, rows, events, stopped) = runs[name], moved[name]
    assert refusal is None and stopped is None
    assert apart(rows, run) < MODELS[name][1]
    known = [each for each in run.events if each.time > 0.0 or each.impulses]
    own = [each for each in events if each["time"] > 0.0 or each["impulses"]]
    assert len(own) == len(known) and (known or name == "puma560")
    for mine, event in zip(own, known, strict=True):
        assert mine["time"] == pytest.approx(event.time, abs=1e-8)
        assert mine["transition"] == event.transition
        assert mine["loss"] == pytest.approx(event.energy_loss, abs=1e-7)
        total = sum(np.array(each) for each in mine["impulses"].values()) if mine["impulses"] else np.zeros(6)
        assert total[3:] == pytest.approx(sum(event.impulses.values(), np.zeros(6))[3:], abs=1e-7)
    # What contacts do has the words of runs.
    ended = [each["did"][1]["en"] for each in own if "did" in each]
    names = [each.after.removeprefix("only: ") for each in known]
    assert [each or "open" for each in ended] == [each if each != "only" else "open" for each in names]


def test_a_hop_that_ends_rests(models_dir: Path, drive: Drive) -> None:
    """A ball whose hops crowd together lies still where their limit is, at its exact time."""
    system = sistel.load(models_dir / "ball_on_stairs.xml")
    run = system.simulate(2.0)
    ((_, rows, stopped),) = drive([job(system, [["start", {}], ["advance", [1.5, 2.0]], ["stopped"]])])
    assert stopped is None and apart(rows, run) < 1e-9


def test_a_hand_pushes_what_lies(models_dir: Path, drive: Drive) -> None:
    """A crate that is pulled by a hand does what one does that a spring of its file pulls."""
    text = (models_dir / "crate_on_stairs.xml").read_text(encoding="utf-8")
    system = sistel.parse(text, "crate.xml")
    body = next(body for body in system.model.bodies if body.mass)
    end = "</системаТел>"
    word = '<пружина имя="рука" тело="ящик" место="0, 0" к="0" место-к="900, -400" жёсткость="5 Н/м" длина="0"/>'
    other = sistel.parse(text.replace(end, word + end), "held.xml")
    pull = {"body": body.number, "p": [0.0, 0.0, 0.0], "to": [0.9, -0.4, 0.0], "stiffness": 5.0}
    run = other.simulate(0.8)
    times = np.linspace(0.0, 0.8, 5)[1:].tolist()
    ((_, _, rows, events, stopped),) = drive(
        [job(system, [["start", {}], ["pull", pull], ["advance", times], ["events"], ["stopped"]])]
    )
    assert stopped is None and apart(rows, run) < 1e-8
    assert len(events) == len([each for each in run.events if each.time > 0.0]) > 2


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tippe_top", ("friction in space", "трением в пространстве")),
        ("dominoes", ("at most", "не больше")),
        ("tracked_vehicle", ("patches", "участки")),
    ],
)
def test_what_a_page_does_not_decide_is_said(models_dir: Path, name: str, words: tuple[str, str]) -> None:
    refused = kit_of(sistel.load(models_dir / f"{name}.xml")).table["refused"]
    assert refused is not None and words[0] in refused["en"] and words[1] in refused["ru"]


def test_no_forces_agree_with_the_laws(models_dir: Path, drive: Drive) -> None:
    """Painlevé's rod: the page stops, and says so."""
    system = sistel.load(models_dir / "painleve_rod.xml")
    ((_, _, stopped),) = drive([job(system, [["start", {}], ["advance", [0.1]], ["stopped"]])])
    assert "Painlevé" in stopped["en"] and "Пенлеве" in stopped["ru"]


def test_what_begins_inside_is_refused(models_dir: Path, drive: Drive) -> None:
    system = sistel.load(models_dir / "bouncing_ball.xml")
    ((_, stopped),) = drive([job(system, [["start", {"q": [-0.2]}], ["stopped"]])])
    assert "inside" in stopped["en"] and "внутри" in stopped["ru"]


def test_a_brake_that_a_clock_commands(drive: Drive) -> None:
    """A shaft with dry friction is held, slips under a load that swings, and is let go."""
    system = sistel.parse(
        """<system name="shaft"><gravity value="0"/>
        <body name="a" joint="revolute" mass="1" inertia="2" friction="0.2 N*m"><motor name="m" brake="4 N*m"/>
        <moment value="1 N*m*sin(2*t/1 s)"/></body>
        <scheme name="s" period="1/10"><signal name="hold" value="t ge 1 s and t lt 2.55 s"/>
        <output motor="m" brake="hold"/></scheme><start a.rate="3 rad/s"/></system>"""
    )
    run = system.simulate(4.0)
    times = [0.5, 1.05, 1.4, 2.0, 2.6, 3.3, 4.0]
    ((_, rows, stopped),) = drive([job(system, [["start", {}], ["advance", times], ["stopped"]])])
    assert stopped is None and apart(rows, run) < 1e-9
