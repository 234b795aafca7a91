"""The walker of the papers walks: through flight, single and double support, and through a push."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import sistel

STANCES = ("на левой", "на правой")


@pytest.mark.slow
@pytest.mark.parametrize("push", ["0", "60", "-60"])
def test_twenty_steps_and_a_push(push: str, models_dir: Path) -> None:
    text = (models_dir / "walker.xml").read_text(encoding="utf-8")
    system = sistel.parse(text.replace('имя="F" значение="0 Н"', f'имя="F" значение="{push} Н"'), "walker.xml")
    run = system.simulate(12.0, tolerance=1e-8)
    stances = [event.after for event in run.events if event.after in STANCES]
    assert len(stances) > 25
    assert all(a != b for a, b in pairwise(stances)), "left and right take turns"
    assert [event.before for event in run.events if event.before == "полёт"] == ["полёт"], "it flies only at first"
    trunk = system.body("корпус").first_q
    height, lean = run.q[:, trunk + 1], run.q[:, trunk + 2]
    assert height.max() < -1.0 and np.abs(lean).max() < 0.3, "it does not fall (y points down)"
    assert run.q[-1, trunk] > 7.0
    # The gait settles: the last steps take the same time, but for what is left of the push.
    times = [event.time for event in run.events if event.after in STANCES]
    assert np.diff(times)[-3:] == pytest.approx(np.diff(times)[-1], abs=5e-3)


def test_motors_keep_to_their_limits_and_feet_to_the_cone(models_dir: Path) -> None:
    from sistel.mechanics import Quantities
    from sistel.motion import motion_forces

    system = sistel.load(models_dir / "walker.xml")
    run = system.simulate(6.0, tolerance=1e-8)
    limits = np.full(system.nv, 0.0)
    for motor in system.model.motors:
        limits[system.bodies[motor.body - 1].first_v + motor.coordinate] = motor.limit
    tree = system._engine.tree
    for t, q, v, name in list(run)[::9]:
        structure = system.structure(name)
        state = Quantities(system.model, tree, q.tolist(), v.tolist(), float(t))
        tau = np.array(motion_forces(state, structure), float)
        assert (np.abs(tau) <= limits).all()  # none on the trunk
        if name in STANCES:
            foot = "корпус" if name == "на левой" else "правая"
            push = system.reactions(q, v, tau, structure=name)[foot][3:]
            assert push[1] < 0 and abs(push[0]) < 0.7 * -push[1]
