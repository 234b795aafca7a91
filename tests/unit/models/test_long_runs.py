"""Long runs of the gallery: what nothing takes stays, and what is closed stays closed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from support.structures import gallery

import sistel
from sistel.model import Model

MODELS = Path(__file__).resolve().parents[3] / "models"
ALL = sorted(path.stem for path in MODELS.glob("*.xml"))


def conservative(model: Model) -> bool:
    """Whether nothing in a file gives or takes energy: gravity and springs alone, and passages that strike nothing."""
    joints = [body.joint for body in model.bodies]
    return not (
        any(any(joint.damping) or any(joint.friction) for joint in joints)
        or any(spring.damping for spring in model.springs)
        or model.motions
        or model.schemes
        or model.forces
        or model.contacts
        or model.stops
        or any(structure.why_not for structure in model.structures)
        or any(t.impact != "none" or t.resets for t in model.transitions)
    )


CONSERVATIVE = [name for name in ALL if conservative(gallery(name).model)]
LONG = ("n_pendulum", "panda_like", "ur5_like")
"""Of these a hundred seconds take 30,000 steps and more: a part of them is enough to see what grows."""


def energy(system: sistel.System, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Kinetic energy, and all of it [J]."""
    kinetic, potential = system.energies(q, v)
    return kinetic, kinetic + potential


def test_there_are_enough_to_tell() -> None:
    assert len(CONSERVATIVE) >= 25
    assert {"four_bar", "bricard", "four_bar_iftomm", "spinning_top", "chain5", "stephenson"} <= set(CONSERVATIVE)


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_energy_stays_for_a_hundred_seconds(name: str) -> None:
    system = gallery(name)
    until = 30.0 if name in LONG else 100.0
    run = system.simulate(until)
    assert run.end == until and run.stopped is None
    kinetic, total = energy(system, run.q, run.v)
    drift = np.abs(total - total[0]).max()
    assert drift <= 1e-9 * kinetic.max()
    # Far below what is asked: rounding alone, which grows with the steps and with the energy that is exchanged.
    size = max(kinetic.max(), np.abs(total - kinetic).max())
    assert drift <= 2e-15 * (30 + len(run.t)) * size + 1e-12 * kinetic.max()


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_energies_of_a_run_agree(name: str) -> None:
    """`run.energies`, `energy()` and `kinetic() + potential()` are one number, and it stays."""
    system = gallery(name)
    run = system.simulate(system.model.start_time + 10.0)
    kinetic, potential = run.energies()
    peak = max(float(kinetic.max()), 1e-300)
    asked = run.quantity("energy()")
    size = max(peak, float(np.abs(potential).max()))
    assert np.abs(asked - kinetic - potential).max() <= 1e-13 * size
    assert np.abs(run.quantity("kinetic() + potential()") - asked).max() <= 1e-13 * size
    assert np.abs(asked - asked[0]).max() <= 1e-11 * peak + 1e-14 * size


def test_a_four_bar_closes_after_a_thousand_turns() -> None:
    """The crank is given enough speed to go round; its angle grows to 6,400 rad, whose last digit is worth 9e-13."""
    text = (MODELS / "four_bar.xml").read_text(encoding="utf-8")
    assert text.count('crank.rate="90 deg/s"') == 1
    system = sistel.parse(text.replace('crank.rate="90 deg/s"', 'crank.rate="600 deg/s"'))
    run = system.simulate(486.0)
    turned = (run.q[:, 0] - run.q[0, 0]) / math.tau
    assert np.all(np.diff(turned) > 0) and turned[-1] > 1000
    assert np.abs(system.constraint_errors(run.q)).max() < 1e-12
    # Between steps as well.
    assert np.abs(system.constraint_errors(run(np.linspace(0.0, run.end, 20_001))[0])).max() < 1e-12
    kinetic, total = energy(system, run.q, run.v)
    assert np.abs(total - total[0]).max() < 1e-9 * kinetic.max()


def test_a_driven_four_bar_closes_after_a_thousand_turns() -> None:
    text = (MODELS / "four_bar.xml").read_text(encoding="utf-8")
    motor = '<motor name="drive" limit="5 N*m"/>'
    assert text.count(motor) == 1
    system = sistel.parse(text.replace(motor, f'{motor}<motion value="30 deg + t*360 deg/s"/>'))
    run = system.simulate(1000.0)
    assert run.q[-1, 0] == pytest.approx(math.radians(30) + 1000 * math.tau, abs=1e-12)
    assert np.abs(system.constraint_errors(run.q)).max() < 1e-12


def test_jumps_over_flat_postures_keep_the_energy() -> None:
    """The inversor without its drive goes through postures in which its links depend on each other."""
    text = (MODELS / "peaucellier.xml").read_text(encoding="utf-8")
    start = text.index("<motion ")
    system = sistel.parse(text[:start] + text[text.index("/>", start) + 2 :])
    run = system.simulate(20.0)
    kinetic, total = energy(system, run.q, run.v)
    assert np.abs(total - total[0]).max() < 1e-9 * kinetic.max()
    # D stays on its line, whatever the mechanism passes through.
    assert np.abs(system.pose(run.q, "D")[:, 0, 3] - 0.5).max() < 1e-12
    assert np.abs(system.constraint_errors(run.q)).max() < 1e-12


def test_a_loop_that_closes_a_little_apart_is_closed() -> None:
    """The wrench takes the nut from up to a millimetre away; from that instant on it sits on it."""
    system = gallery("wrench_nut")
    run = system.simulate(3.0)
    inside = np.array(run.structure) == "затяжка"
    assert inside.any()
    assert np.abs(system.constraint_errors(run.q[inside], structure="затяжка")).max() < 1e-9


def test_forced_coordinates_begin_where_their_motion_has_them() -> None:
    """The file gives other angles of the arms: motions come first, the rods and the platform follow."""
    system = gallery("delta")
    run = system.simulate(1.0)
    for k in range(3):
        arm = run.q[:, system.body(f"arm{k + 1}").first_q]
        told = math.radians(20) + math.radians(15) * np.sin(np.radians(120) * (run.t + k))
        assert arm == pytest.approx(told, abs=1e-12)
    assert np.abs(system.constraint_errors(run.q)).max() < 1e-14
    # The platform never turns.
    assert np.abs(system.pose(run.q, "tool")[:, :3, :3] - np.eye(3)).max() < 1e-13
