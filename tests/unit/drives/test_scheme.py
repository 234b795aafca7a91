"""Drives as blocks of schemes: closed forms, a joint computed by hand, and the profiles of emulated drives."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cli import main
from sistel.cli._drive_files import scheme_of
from sistel.drives import FAMILIES, emulate, plan_drives, read_drives, write_program
from sistel.errors import SistelError
from sistel.motion.trajectories import load_table

MODELS = Path(__file__).parents[3] / "models" / "drives"
ARM = sistel.load(MODELS / "arm.xml")
DRIVES = read_drives(MODELS / "drives.xml", ARM.model)
TABLE = load_table(MODELS / "move.html")

TICK = 1e-3
STEP, SPEED, ACCELERATION = 2.0 * math.pi / 10_000, 5.0, 40.0
INERTIA, KP, KD, KI, LIMIT = 0.02, 500.0, 5.5, 15_000.0, 2.0
TURNTABLE = f"""<system name="turntable"><gravity value="0"/>
<body name="table" joint="revolute" mass="1" com="0,0" inertia="{INERTIA}"><motor name="M"/></body>
<scheme name="s" period="1 ms">
  <signal name="goal" value="select(t lt 0.5 s, 1.2 rad, -0.3 rad)"/>
  <block name="d" kind="drive" in="goal" measured="angle(table)" step="360 deg/10000" speed="{SPEED} rad/s"
         acceleration="{ACCELERATION} rad/s^2" deceleration="{{down}} rad/s^2" kp="{KP} N*m/rad"
         kd="{KD} N*m*s/rad" ki="{KI} N*m/rad/s" limit="{LIMIT} N*m" band="360 deg/1000"/>
  <output motor="M" from="d.force"/>
</scheme></system>"""


def trapezoid(way: float, t: float, speed: float, up: float, down: float) -> float:
    """Where a profile from rest to rest is after a time, in closed form."""
    top = min(speed, math.sqrt(2.0 * way * up * down / (up + down)))
    first, last = top / up, top / down
    whole = way / top + 0.5 * (first + last)
    if t >= whole:
        return way
    if t <= first:
        return 0.5 * up * t * t
    if t <= whole - last:
        return top * (t - 0.5 * first)
    return way - 0.5 * down * (whole - t) ** 2


@pytest.mark.parametrize("down", [ACCELERATION, 25.0])
def test_set_points_are_trapezoids(down: float) -> None:
    run = sistel.parse(TURNTABLE.format(down=down)).simulate(1.0)
    ticks = TICK * np.arange(1000)
    found = run.quantity("d.position", ticks)
    goals = [STEP * round(goal / STEP) for goal in (1.2, -0.3)]
    there = [trapezoid(goals[0], t, SPEED, ACCELERATION, down) for t in ticks[:500]]
    back = [goals[0] - trapezoid(goals[0] - goals[1], t - 0.5, SPEED, ACCELERATION, down) for t in ticks[500:]]
    assert np.abs(found - np.array(there + back)).max() < 1e-12
    rates = run.quantity("d.rate", ticks)
    assert rates.max() == pytest.approx(SPEED, rel=1e-12)
    steps = np.diff(rates) / TICK
    assert max(steps.max(), -steps.min()) < max(ACCELERATION, down) * (1.0 + 1e-9)


def test_the_loop_moves_a_turntable_as_parabolas_by_hand_do() -> None:
    run = sistel.parse(TURNTABLE.format(down=ACCELERATION)).simulate(1.0)
    ticks = TICK * np.arange(1000)
    wanted = run.quantity("d.position", ticks), run.quantity("d.rate", ticks)
    q = v = total = 0.0
    last = None
    forces, places = [], []
    for position, rate in zip(*wanted, strict=True):
        count = math.floor(q / STEP + 0.5)
        shaft = 0.0 if last is None else (count - last) * STEP / TICK
        last = count
        error = position - count * STEP
        following = total + KI * error * TICK
        force = KP * error + KD * (rate - shaft) + following
        if abs(force) <= LIMIT:
            total = following
        force = max(-LIMIT, min(LIMIT, force))
        forces.append(force)
        places.append(q)
        a = force / INERTIA
        q, v = q + v * TICK + 0.5 * a * TICK * TICK, v + a * TICK
    assert max(map(abs, forces)) == LIMIT  # it was on its limit, too
    assert np.abs(run.quantity("angle(table)", ticks) - places).max() < 1e-9
    assert np.abs(run.quantity("d.force", ticks) - forces).max() < 1e-6
    assert run.quantity("d.reached", [0.0, 0.2, 0.99]).tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("family", ["faulhaber-v2", "faulhaber-v3", "dynamixel"])
def test_profiles_are_those_of_emulated_drives(family: str) -> None:
    """To a millionth of an increment, where one would do; and the joint follows."""
    plan = plan_drives(TABLE, DRIVES, FAMILIES[family])
    made = emulate(plan, write_program(plan))
    ticks = TICK * np.arange(len(made.counts))
    run = sistel.parse(scheme_of(ARM, plan, True, "en")).simulate(float(ticks[-1]))
    for i, axis in enumerate(plan.axes):
        node, joint = axis.drive.node, axis.drive.joint
        counts = run.quantity(f"drive {node}.position", ticks) * axis.scale
        assert np.abs(counts - made.counts[:, i]).max() < 1e-6
        late = run.quantity(f"q({joint})", ticks) - made.positions[:, i]
        assert np.degrees(np.abs(late).max()) < 0.1
        assert abs(late[-1] * axis.scale) < 20


def test_the_command_writes_the_scheme_in_both_languages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arm, table = str(MODELS / "arm.xml"), str(MODELS / "move.html")
    led, free = tmp_path / "led.xml", tmp_path / "free.xml"
    assert main(["drive", arm, "--table", table, "-o", str(led), "--lang", "en"]) == 0
    assert main(["drive", arm, "-o", str(free), "--lang", "ru"]) == 0
    assert "<привод" in free.read_text(encoding="utf-8")
    (by_plan,), (by_hand,) = (sistel.load(path).model.schemes for path in (led, free))
    assert [each.motor for each in by_plan.commands] == ["drive 1", "drive 2"]
    assert not by_plan.inputs
    away = tmp_path / "away.xml"
    text = (MODELS / "drives.xml").read_text(encoding="utf-8")
    away.write_text('home="20"'.join(text.rsplit('home="0"', 1)), encoding="utf-8")
    assert main(["drive", arm, "--drives", str(away), "-o", str(tmp_path / "off.xml"), "--lang", "en"]) == 0
    assert sistel.load(tmp_path / "off.xml").model.start.q == pytest.approx((0.0, math.radians(20)))
    assert [(each.minimum, each.maximum) for each in by_hand.inputs] == [
        pytest.approx((math.radians(-150), math.radians(30))), pytest.approx((math.radians(-10), math.radians(150)))
    ]  # fmt: skip
    capsys.readouterr()
    assert main(["run", str(led), "--until", "2.5", "--json", "--lang", "en"]) == 0
    final = json.loads(capsys.readouterr().out)
    assert final
    assert main(["drive", arm, "--load", "-o", str(free)]) == 2
    assert main(["drive", arm, "--for", "grbl", "-o", str(tmp_path / "no.xml"), "--lang", "en"]) == 1
    assert "GRBL 1.1 has no position loop" in capsys.readouterr().err
    assert not (tmp_path / "no.xml").exists()
    # A scheme moves these joints already.
    assert main(["drive", str(led), "--drives", str(MODELS / "drives.xml"), "-o", str(free), "--lang", "en"]) == 1
    assert "the file moves these joints itself" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("360 deg/10000", "0 deg", "a positive increment"),
        ("5.0 rad/s", "5 m/s", "cannot be compared"),
        ('measured="angle(table)"', 'measured="1 m"', "cannot be added"),
        ('period="1 ms"', "", "a scheme with a period"),
        ('kp="500.0 N*m/rad"', "", 'needs "kp"'),
    ],
)
def test_wrong_blocks_are_refused(old: str, new: str, said: str) -> None:
    text = TURNTABLE.format(down=1.0)
    assert old in text
    with pytest.raises(SistelError, match=said):
        sistel.parse(text.replace(old, new, 1))
