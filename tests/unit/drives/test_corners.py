"""Motions of emulated drives between the corners of their profiles: no spline, no ringing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cli._drive_files import driven_system, start_of
from sistel.drives import FAMILIES, Emulation, driven_text, emulate, plan_drives, read_drives, write_program
from sistel.drives._dynamixel import Servo, emulate_dynamixel
from sistel.motion.trajectories import load_table, motion_table

MODELS = Path(__file__).parents[3] / "models" / "drives"
ARM = sistel.load(MODELS / "arm.xml")
DRIVES = read_drives(MODELS / "drives.xml", ARM.model)
TABLE = load_table(MODELS / "move.html")


def emulated(family: str) -> Emulation:
    plan = plan_drives(TABLE, DRIVES, FAMILIES[family])
    return emulate(plan, write_program(plan))


@pytest.mark.parametrize("family", ["faulhaber-v2", "dynamixel"])
def test_the_model_goes_where_the_drives_went_with_their_accelerations(family: str) -> None:
    made = emulated(family)
    system = driven_system(ARM, made)
    run = system.simulate(float(made.times[-1]), q=start_of(system, made))
    for i, axis in enumerate(made.plan.axes):
        joint = axis.drive.joint
        counts = run.quantity(f"q({joint})", made.times) * axis.scale
        assert np.abs(counts - made.counts[:, i]).max() < 1e-6
        # Second differences of what the drives did, where no corner is near: constant accelerations, and zeros.
        steps = np.diff(made.positions[:, i], 2) / 1e-6
        found = np.diff(run.quantity(f"rate({joint})", made.times))[1:] / 1e-3
        even = np.abs(np.diff(steps, prepend=steps[0])) + np.abs(np.diff(steps, append=steps[-1])) < 1e-3
        even &= np.append(even[1:], True)
        assert even.mean() > 0.9
        assert np.abs(found - steps)[even].max() < 1e-4
        # A spline overshoots at corners; this does not.
        assert np.abs(found).max() <= np.abs(steps).max() + 1e-4


def test_random_tables_have_corners() -> None:
    rng = np.random.default_rng(4)
    for family in ("faulhaber-v2", "faulhaber-v3", "dynamixel") * 5:
        times = np.cumsum(rng.integers(600, 1500, size=6)) / 1e3 - 0.1
        rows = np.radians(rng.uniform((-140, -5), (25, 60), size=(6, 2)))
        rows[3, 0] = rows[2, 0]
        table = motion_table(times, rows, names=["shoulder", "elbow"], units=["deg", "deg"])
        plan = plan_drives(table, DRIVES, FAMILIES[family])
        made = emulate(plan, write_program(plan))
        found = made.corners()
        assert found is not None and not made.problems
        lead = plan.lead
        for i, each in enumerate(found):
            there = each.trajectory("parabolic")(made.times[lead:])[0][:, 0]
            apart = (there - made.positions[lead:, i]) * plan.axes[i].scale
            assert np.abs(apart).max() < 1e-4


def test_what_is_no_trapezoid_goes_along_a_spline() -> None:
    assert emulated("grbl").corners() is None
    plan = plan_drives(TABLE, DRIVES, FAMILIES["dynamixel"])
    servos = [Servo(node=axis.drive.node) for axis in plan.axes]
    servos[0].blocked = True
    held = emulate_dynamixel(plan, write_program(plan), servos=servos)
    assert held.corners() is None
    assert 'interpolation="spline"' in driven_text(ARM.model, held)


def test_parabolas_of_a_table() -> None:
    """Rows of x = t²/2, then of x = 1/2 + (t - 1) - (t - 1)²/2: down to rest."""
    text = """<system><gravity value="0"/><body name="x" joint="prismatic" mass="1">
      <motion interpolation="parabolic"><row time="0" values="0 m"/><row time="1" values="0.5 m"/>
      <row time="2" values="1 m"/><row time="3" values="1 m"/></motion></body></system>"""
    run = sistel.parse(text).simulate(3.0)
    t = np.linspace(0.0, 3.0, 31)
    wanted = np.select([t <= 1, t <= 2], [t * t / 2, 0.5 + (t - 1) - (t - 1) ** 2 / 2], 1.0)
    assert np.abs(run.quantity("q(x)", t) - wanted).max() < 1e-14
    assert run.quantity("v(x)", [0.5, 1.5, 2.5]) == pytest.approx([0.5, 0.5, 0.0], abs=1e-14)
