"""Gaits by program: feet stand still on the ground, the machine never tips over, the run is the program."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cells import Walk, machine_of, plan_walk, postures, walk_run, walk_xml

MODELS = Path(__file__).parents[3] / "models"
WALKS = [("shm_quadruped", "crawl", 0.16), ("shm_quadruped", "wave", 0.12), ("shm_hexapod", "tripod", 0.2), ("shm_hexapod", "wave", 0.2)]  # fmt: skip


def walked(name: str, gait: str, stride: float) -> tuple[sistel.System, Walk]:
    system = sistel.load(MODELS / f"{name}.xml")
    return system, plan_walk(system.model, gait, stride=stride)


@pytest.mark.parametrize(("name", "gait", "stride"), WALKS)
def test_a_walk_is_stable_and_begins_and_ends_at_rest(name: str, gait: str, stride: float) -> None:
    system, walk = walked(name, gait, stride)
    assert walk.margin.min() > 0.0
    first = walk.machine.trunk.first_q + 4
    assert walk.q[-1, first] - walk.q[0, first] == pytest.approx(stride * walk.course.cycles, rel=1e-12)
    for number, leg in enumerate(walk.machine.legs):
        # Against forward kinematics; a foot that stands does not move at all.
        seen = system.pose(walk.q, leg.foot.name)[:, :3, 3]
        assert np.abs(seen - walk.feet[:, number]).max() < 1e-14
        both = walk.stands[1:, number] & walk.stands[:-1, number]
        together = np.abs(np.diff(walk.feet[:, number], axis=0)).max(axis=1)
        same = walk.times[1:][both & (together > 1e-14)]
        assert len(same) <= walk.course.cycles + 1  # rows between which a whole swing lies, at most one a cycle
        assert (walk.feet[walk.stands[:, number], number, 2] == 0.0).all()
        assert (walk.feet[:, number, 2] >= 0.0).all() and walk.feet[:, number, 2].max() > 0.04
    # The centre of mass against a sum over the bodies, the polygon against its corners.
    centre = system.centre_of_mass(walk.q)
    masses = np.array([body.mass for body in system.model.bodies])
    middle = len(walk.times) // 2
    places = [system.pose(walk.q[middle], body.name) @ [*body.p_BoBcm_B, 1.0] for body in system.model.bodies]
    assert centre[middle] == pytest.approx((masses @ np.array(places)[:, :3]) / masses.sum(), abs=1e-14)
    assert walk.margin[middle] < np.ptp(walk.feet[middle, :, 1])


def test_the_margin_is_the_distance_to_the_nearest_edge() -> None:
    """Against all lines through two feet that have the others on one side."""
    system, walk = walked("shm_hexapod", "tripod", 0.2)
    for i in range(0, len(walk.times), 9):
        feet, c = walk.feet[i, walk.stands[i], :2], system.centre_of_mass(walk.q[i])[:2]
        best = np.inf
        for a in range(len(feet)):
            for b in range(len(feet)):
                if a == b:
                    continue
                normal = np.array([-(feet[b] - feet[a])[1], (feet[b] - feet[a])[0]]) / np.linalg.norm(feet[b] - feet[a])
                if ((feet - feet[a]) @ normal >= -1e-12).all():
                    best = min(best, float((c - feet[a]) @ normal))
        assert walk.margin[i] == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize(("name", "gait", "stride"), WALKS[::2])
def test_the_run_is_the_program(name: str, gait: str, stride: float) -> None:
    _, walk = walked(name, gait, stride)
    system = sistel.parse(walk_xml(walk, f"{name}.xml"), str(MODELS / "walk.xml"))
    run = walk_run(walk, system.model)
    times = np.random.default_rng(1).uniform(0.0, run.end, 40)
    q, v = run(times)
    assert np.abs(q - postures(walk.machine, walk.course, times)[0]).max() < 1e-7  # polynomials of degree nine
    h = 1e-6
    for t, rate in zip(times, v, strict=True):
        if any(abs(event.time - t) < 2 * h for event in run.events):
            continue
        slope = (run(t + h)[0] - run(t - h)[0]) / (2 * h)
        assert np.abs(slope[7:] - rate[6:]).max() < 1e-6 and np.abs(slope[4:7] - rate[3:6]).max() < 1e-6
    for t, name_at in zip(times, run.structure_at(times), strict=True):
        stands = postures(walk.machine, walk.course, np.array([t]))[2][0]
        held = {leg.name for leg, on in zip(walk.machine.legs, stands, strict=True) if on}
        assert set(system.structure(str(name_at)).holds) == held
    # Nothing is claimed about forces: the equations of the machine without its motors would give others.
    with pytest.raises(sistel.SistelError, match="is a program"):
        run.reactions()
    assert run(0.0)[1] == pytest.approx(np.zeros(system.nv), abs=1e-6)
    assert run(run.end)[1] == pytest.approx(np.zeros(system.nv), abs=1e-6)


def test_what_cannot_walk_is_told() -> None:
    quadruped = sistel.load(MODELS / "shm_quadruped.xml").model
    with pytest.raises(sistel.SistelError, match="no gait"):
        plan_walk(quadruped, "tripod", stride=0.1)
    with pytest.raises(sistel.SistelError, match="out of reach"):
        plan_walk(quadruped, "crawl", stride=1.5)
    with pytest.raises(sistel.SistelError, match="outside the standing feet"):
        plan_walk(quadruped, "crawl", stride=0.16, sway=-0.1)
    with pytest.raises(sistel.SistelError, match="one free body"):
        machine_of(sistel.load(MODELS / "mr_arm.xml").model)
    with pytest.raises(sistel.SistelError, match="legs of three hinges"):
        machine_of(sistel.load(MODELS / "free_body.xml").model)
