"""Rows D8 and D9 of the mission: joint voltages, and waypoints that sensors let pass, through the public face alone."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

import sistel

STEP = math.radians(30)
MOTOR = '<motor name="M" ratio="50" voltage="24 V" resistance="1.2 Ohm" constant="0.05 V*s/rad"/>'
K, R = 50 * 0.05, 1.2
J = 0.35 + 2 * 0.15**2
"""Inertia about the joint [kg·m²]."""


def joint(period: str, kp: float, kd: float) -> sistel.System:
    return sistel.parse(
        f"""<system><gravity value="0"/><body name="arm" joint="revolute" mass="2" com="150, 0" inertia="0.35">{MOTOR}</body>
        <scheme name="drive" {period}>
          <block name="U" kind="pd" in="30 deg - angle(arm)" rate="-rate(arm)" kp="{kp} V/rad" kd="{kd} V*s/rad"/>
          <output motor="M" from="U"/>
        </scheme></system>"""
    )


def test_D8_overshoot_and_settling(capsys: pytest.CaptureFixture[str]) -> None:
    """Voltages that stay within the limit make a linear system of second order: closed forms."""
    kp, kd = 40.0, 0.5
    run = joint("", kp, kd).simulate(3.0)
    answer = run.step_response("angle(arm)", "30 deg")
    print(answer)
    w = math.sqrt(K * kp / (R * J))
    damping = K * (kd + K) / (R * J) / (2 * w)
    assert 0 < damping < 1
    turning = w * math.sqrt(1 - damping**2)
    assert answer.overshoot == pytest.approx(math.exp(-damping * math.pi / math.sqrt(1 - damping**2)), abs=1e-12)
    assert answer.peak == pytest.approx(math.pi / turning, abs=1e-6)
    t = answer.settling

    def error(t: float) -> float:
        return math.exp(-damping * w * t) * (
            math.cos(turning * t) + damping / math.sqrt(1 - damping**2) * math.sin(turning * t)
        )

    assert abs(error(t)) == pytest.approx(0.02, abs=1e-8)
    assert all(abs(error(later)) < 0.02 for later in np.linspace(t + 1e-6, 3.0, 2000))
    shown = capsys.readouterr().out
    assert re.search(r"overshoot [\d.]+ % at [\d.]+ s, settles within 2 % in [\d.]+ s", shown)
    assert np.abs(run.quantity("voltage(M)")).max() <= 24.0


def test_D8_the_voltage_limit_is_kept() -> None:
    """A regulator with a tick that asks for far more than there is."""
    run = joint('period="1 ms"', 400.0, 20.0).simulate(2.0)
    asked, given = run.quantity("U"), run.quantity("voltage(M)")
    assert np.abs(asked).max() > 100.0
    assert np.abs(given).max() == pytest.approx(24.0, abs=1e-12)
    assert np.sum(np.abs(given) > 24.0 - 1e-9) > 50
    answer = run.step_response("angle(arm)", STEP)
    assert answer.settling < 0.5 and abs(answer.error) < 1e-3


def quaternion(axes: np.ndarray) -> np.ndarray:
    """w, x, y, z of a rotation that is not near a half turn."""
    w = math.sqrt(1 + np.trace(axes)) / 2
    return np.array([w, *(axes[[2, 0, 1], [1, 2, 0]] - axes[[1, 2, 0], [2, 0, 1]]) / (4 * w)])


@pytest.mark.slow
def test_D9(models_dir: Path) -> None:
    """An arm on its way: sensors of place and orientation gate the next waypoint."""
    path = models_dir / "puma560.xml"
    arm = sistel.load(path)
    first, last = [0.3, 0.5, -2.6, 0.2, 0.6, -0.1], [0.7, 0.2, -2.4, 0.9, 0.4, 0.6]
    goal = arm.pose(last, "tool")
    pose = [f"{value!r} m" for value in goal[:3, 3].tolist()]
    pose += [repr(value) for value in quaternion(goal[:3, :3]).tolist()]
    names = [body.name for body in arm.bodies]
    asked = ", ".join(f"900 1/s^2*(g.{name} - angle({name})) - 60 1/s*rate({name})" for name in names)
    outputs = "".join(f'<output motor="{name}" from="u.{name}"/>' for name in names)
    # Without dry friction: what sticks is another matter.
    text = re.sub(r'friction="[^"]*"', "", path.read_text(encoding="utf-8"))
    end = text.rindex("</system>")
    system = sistel.parse(
        f"""{text[:end]}<scheme name="mission" period="5 ms">
        <sensor name="P" kind="position" of="tool"/><sensor name="Q" kind="orientation" of="tool" as="quaternion"/>
        <block name="w" kind="waypoints" in="P, Q" target="{", ".join(pose)}" step="20 mm" stages="5, 9" within="1 mm, 0.01"/>
        <block name="g" kind="ik" of="tool" in="w.place, w.turn" method="lm"/>
        <block name="u" kind="computed-torque" motors="{", ".join(names)}" in="{asked}"/>{outputs}</scheme>{text[end:]}"""
    )
    run = system.simulate(4.0, q=first)
    t = np.arange(0.0, 4.0, 0.005) + 1e-4
    number, count = run.quantity("w.number", t), run.quantity("w.count", t)
    distance = np.linalg.norm(goal[:3, 3] - arm.pose(first, "tool")[:3, 3])
    assert set(count.tolist()) == {math.ceil(distance / 0.02)}
    assert number[0] == 1 and number[-1] == count[-1] and run.quantity("w.done", t)[-1] == 1.0
    # One after the other, each only after the tick at which its forerunner was reached.
    steps = np.flatnonzero(np.diff(number))
    assert np.all(np.diff(number)[steps] == 1) and len(steps) == count[-1] - 1
    place = np.stack([run.quantity(f"w.place.{axis}", t) for axis in "xyz"], axis=1)
    turn = np.stack([run.quantity(f"w.turn.{axis}", t) for axis in "wxyz"], axis=1)
    before = np.stack([run.quantity(f"P.{axis}", t) for axis in "xyz"], axis=1)
    seen = np.stack([run.quantity(f"Q.{axis}", t) for axis in "wxyz"], axis=1)
    miss = np.linalg.norm(place - before, axis=1)
    askew = 2 * np.sqrt(np.maximum(0, 1 - np.sum(turn * seen, axis=1) ** 2))
    near = (miss <= 1e-3) & (askew <= 0.01)
    assert near[steps].all()  # reached, at the tick before the next one begins
    waits = np.setdiff1d(np.arange(len(t) - 1), steps)
    assert not near[waits][number[waits] < count[-1]].any()
    assert run.q[-1] == pytest.approx(last, abs=1e-4)
