"""Gaits by program: feet stand still on the ground, the machine never tips over, the run is the program.

And by motors: what the ground carries is the weight, and the machine stays where the program has it.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cells import (
    Drive,
    Walk,
    drive_for,
    machine_of,
    orders,
    plan_walk,
    postures,
    structure_titles,
    walk_run,
    walk_xml,
    watch_walk,
)

MODELS = Path(__file__).parents[3] / "models"
WALKS = [
    ("shm_quadruped", "crawl", 0.16),
    ("shm_quadruped", "wave", 0.12),
    ("shm_hexapod", "tripod", 0.2),
    ("shm_hexapod", "wave", 0.2),
    ("shm_biped", "step", 0.15),
    ("quadruped", "crawl", 0.15),
]


@functools.cache
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
        for point, apart in zip(leg.soles, leg.spread, strict=True):
            seen = system.pose(walk.q, point.name)[:, :3, 3]
            assert np.abs(seen - apart - walk.feet[:, number]).max() < 1e-14
        both = walk.stands[1:, number] & walk.stands[:-1, number]
        together = np.abs(np.diff(walk.feet[:, number], axis=0)).max(axis=1)
        same = walk.times[1:][both & (together > 1e-14)]
        assert not len(same)
        assert (walk.feet[walk.stands[:, number], number, 2] == 0.0).all()
        assert (walk.feet[:, number, 2] >= 0.0).all() and walk.feet[:, number, 2].max() > 0.04
    # The centre of mass against a sum over the bodies, the polygon against its corners.
    centre = system.centre_of_mass(walk.q)
    masses = np.array([body.mass for body in system.model.bodies])
    middle = len(walk.times) // 2
    places = [system.pose(walk.q[middle], body.name) @ [*body.p_BoBcm_B, 1.0] for body in system.model.bodies]
    assert centre[middle] == pytest.approx((masses @ np.array(places)[:, :3]) / masses.sum(), abs=1e-14)
    assert walk.margin[middle] < np.ptp(walk.feet[middle, :, 1])


@pytest.mark.parametrize(("name", "gait", "stride"), WALKS[2::2])
def test_the_margin_is_the_distance_to_the_nearest_edge(name: str, gait: str, stride: float) -> None:
    """Against all lines through two points that have the others on one side."""
    system, walk = walked(name, gait, stride)
    for i in range(0, len(walk.times), 9):
        c = system.centre_of_mass(walk.q[i])[:2]
        on = [point.name for leg, stands in zip(walk.machine.legs, walk.stands[i], strict=True) if stands for point in leg.soles]  # fmt: skip
        feet = np.array([system.pose(walk.q[i], name)[:2, 3] for name in on])
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
        # Central differences.
        assert np.abs(slope[7:] - rate[6:]).max() < 1e-6 and np.abs(slope[4:7] - rate[3:6]).max() < 1e-6
    for t, name_at in zip(times, run.structure_at(times), strict=True):
        stands = postures(walk.machine, walk.course, np.array([t]))[2][0]
        held = {point.name for leg, on in zip(walk.machine.legs, stands, strict=True) if on for point in leg.soles}
        assert set(system.structure(str(name_at)).holds) == held
    # Nothing is claimed about forces: the equations of the machine without its motors would give others.
    with pytest.raises(sistel.SistelError, match="is a program"):
        run.reactions()
    assert run(0.0)[1] == pytest.approx(np.zeros(system.nv), abs=1e-6)
    assert run(run.end)[1] == pytest.approx(np.zeros(system.nv), abs=1e-6)


def test_a_biped_stands_on_one_foot_and_keeps_its_soles_level() -> None:
    system, walk = walked("shm_biped", "step", 0.15)
    alone = walk.stands.sum(axis=1) == 1
    assert alone.sum() > 20 and walk.stands[alone].any(axis=0).all()
    assert walk.margin[alone].min() > 0.03
    for name in ("Л_стопа", "П_стопа"):
        # Sole down, toes ahead: the axes of the foot are those of the hip at angle 0.
        axes = system.pose(walk.q, name)[:, :3, :3]
        assert np.abs(axes - [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]).max() < 1e-14
    # The sway that was chosen is better than those beside it.
    for other in (0.8, 1.2):
        less = plan_walk(system.model, "step", stride=0.15, sway=other * walk.course.sway)
        assert less.margin.min() < walk.margin.min()


def test_structures_have_russian_names() -> None:
    _, walk = walked("shm_biped", "step", 0.15)
    assert set(structure_titles(walk, "ru").values()) == {"стоит", "перенос Л", "перенос П"}
    assert set(structure_titles(walk).values()) == {"stand", "swing Л", "swing П"}
    system = sistel.parse(walk_xml(walk, "shm_biped.xml", lang="ru"), str(MODELS / "walk.xml"))
    run = walk_run(walk, system.model, "ru")
    assert {event.after for event in run.events} == {"стоит", "перенос Л", "перенос П"}


def test_orders_balance_the_trunk() -> None:
    """Loads of the feet against the accelerations that they and the torques give, by forward dynamics of the tree."""
    system, walk = walked("shm_quadruped", "crawl", 0.16)
    told = orders(walk, Drive())
    middle = np.array([40, len(told.times) // 2])
    h = 1e-4
    for i in middle:
        before, q, after = postures(walk.machine, walk.course, told.times[i] + np.array([-h, 0.0, h]))[0]
        v, a = np.zeros((2, system.nv))
        v[3:], a[3:] = ((after - before) / (2 * h))[4:], ((after - 2 * q + before) / h**2)[4:]
        tau = np.concatenate([np.zeros(6), told.torques[i]])
        for leg, force in zip(walk.machine.legs, told.forces[i], strict=True):
            tau = tau + system.jacobian(q, leg.soles[0].name)[3:].T @ force
        found = system.forward_dynamics(q, v, tau, applied=True)
        assert np.abs(found - a).max() < 1e-5  # second differences of the program
        assert (told.forces[i][~postures(walk.machine, walk.course, told.times[i : i + 1])[2][0]] == 0.0).all()
    # Rows where a foot leads by what its load takes, and one where nothing does.
    plain = orders(walk, Drive(leads=False))
    assert np.abs(told.joints - plain.joints - told.torques / Drive().kp).max() < 1e-15
    feet = told.forces[:, :, 2]
    assert feet.min() >= 0.0 and np.abs(told.forces[0].sum(axis=0) - [0, 0, 9.81 * 54]).max() < 1e-3


def test_weak_motors_are_as_stiff_as_they_can_be() -> None:
    assert drive_for(walked("shm_quadruped", "crawl", 0.16)[1].machine) == Drive()
    weak = drive_for(walked("quadruped", "crawl", 0.15)[1].machine)  # 30 N·m
    assert (weak.kp, weak.kd) == pytest.approx((3000.0, 15.0))


@pytest.mark.slow
def test_the_quadruped_walks_by_its_motors() -> None:
    """Its motors give 30 N·m: the trunk stays within a millimetre of the program, and nothing tips over."""
    system = sistel.load(MODELS / "quadruped.xml")
    walk = plan_walk(system.model, "crawl", stride=0.15, cycles=1)
    driven = sistel.parse(walk_xml(walk, "quadruped.xml", drive_for(walk.machine)), str(MODELS / "walk.xml"))
    seen = watch_walk(walk, driven.simulate(walk.course.length, method="taylor"))
    assert np.abs(seen.errors).max() < 1e-3 and seen.margin.min() > 0.9 * walk.margin.min()
    assert np.abs(seen.torques).max() < 30.0 and seen.load == pytest.approx(seen.weight, rel=1e-6)


@pytest.mark.slow
def test_motors_walk() -> None:
    """A cycle by servo motors: the ground pushes every foot that stands, and on average with the weight."""
    system = sistel.load(MODELS / "shm_quadruped.xml")
    walk = plan_walk(system.model, "crawl", stride=0.15, cycles=1)
    driven = sistel.parse(walk_xml(walk, "shm_quadruped.xml", Drive()), str(MODELS / "walk.xml"))
    run = driven.simulate(walk.course.length, method="taylor")
    seen = watch_walk(walk, run)
    # Every foot went up and came down, in the order of the gait.
    up = [event.after for event in run.events if event.before == "stand" and event.after.startswith("swing")]
    assert list(dict.fromkeys(up)) == ["swing Л2", "swing Л1", "swing П2", "swing П1"]
    assert run.final_structure == "stand"
    assert (seen.least > 0.0).all() and (seen.normals[~seen.stands] == 0.0).all()
    # From rest to rest the impulse of the ground is that of the weight; the end is at rest to the decay of motors.
    assert seen.load == pytest.approx(seen.weight, rel=1e-8)
    assert seen.weight == pytest.approx(9.81 * 54, rel=1e-12)
    assert np.abs(seen.errors).max() < 0.5e-3 and seen.margin.min() > 0.9 * walk.margin.min()
    # The law of the motors against the kernel of the run.
    motor = next(each for each in driven.model.motors if driven.model.bodies[each.body - 1].name == "Л1_плечо")
    asked = run.quantity(f"torque({motor.name})", seen.times[:40])
    assert seen.torques[:40, 1] == pytest.approx(asked, abs=1e-7)
    assert np.abs(seen.torques).max() < 200.0


def test_what_cannot_walk_is_told() -> None:
    quadruped = sistel.load(MODELS / "shm_quadruped.xml").model
    with pytest.raises(sistel.SistelError, match="no gait"):
        plan_walk(quadruped, "tripod", stride=0.1)
    with pytest.raises(sistel.SistelError, match="out of reach"):
        plan_walk(quadruped, "crawl", stride=1.5)
    with pytest.raises(sistel.SistelError, match="outside the standing feet"):
        plan_walk(quadruped, "crawl", stride=0.16, sway=-0.1)
    # Knees that bend from 10° on do not stretch the legs.
    with pytest.raises(sistel.SistelError, match=r"_голень\" would be at .* its limits are -150"):
        plan_walk(sistel.load(MODELS / "quadruped.xml").model, "crawl", stride=0.05, height=0.398, sway=0.0)
    with pytest.raises(sistel.SistelError, match="out of reach"):
        plan_walk(sistel.load(MODELS / "shm_biped.xml").model, "step", stride=1.5)
    with pytest.raises(sistel.SistelError, match="one free body"):
        machine_of(sistel.load(MODELS / "mr_arm.xml").model)
    with pytest.raises(sistel.SistelError, match="legs of three hinges"):
        machine_of(sistel.load(MODELS / "free_body.xml").model)
