"""Blocks of chains: inverse kinematics, waypoints, computed torques."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.markup import write_document
from sistel.model import to_document
from sistel.model.blocks._waypoints import waypoint_routine
from sistel.motion import trajectories

INPUTS = "".join(f'<input name="t{i}" value="{"0 m" if i < 3 else float(i == 3)}"/>' for i in range(7))


def quaternion(axes: np.ndarray) -> list[float]:
    """w, x, y, z of a rotation: the eigenvector of the largest eigenvalue, whatever the angle."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = axes.ravel()
    matrix = np.array(
        [
            [xx + yy + zz, zy - yz, xz - zx, yx - xy],
            [zy - yz, xx - yy - zz, xy + yx, xz + zx],
            [xz - zx, xy + yx, yy - xx - zz, yz + zy],
            [yx - xy, xz + zx, yz + zy, zz - xx - yy],
        ]
    )
    return np.linalg.eigh(matrix)[1][:, -1].tolist()


@pytest.mark.parametrize(("method", "share"), [("ccd", 0.5), ("lm", 0.9)])
def test_inverse_kinematics_of_an_arm(method: str, share: float, models_dir: Path, rng: np.random.Generator) -> None:
    """Near poses of an arm with six joints: what the block says of its answer is what the arm does with it."""
    text = (models_dir / "puma560.xml").read_text(encoding="utf-8")
    end = text.rindex("</system>")
    block = (
        f'<block name="g" kind="ik" of="tool" in="t0, t1, t2, t3, t4, t5, t6" method="{method}" within="1 mm, 0.01"/>'
    )
    arm = sistel.parse(f'{text[:end]}<scheme name="c" period="1 s">{INPUTS}{block}</scheme>{text[end:]}')
    names = [body.name for body in arm.bodies]
    low, high = (np.array([getattr(body.joint, end)[0] for body in arm.bodies]) for end in ("minimum", "maximum"))
    good = 0
    for _ in range(10):
        q = rng.uniform(low, high)
        goal = arm.pose(q, "tool")
        pose = [*goal[:3, 3].tolist(), *quaternion(goal[:3, :3])]
        run = arm.simulate(
            1e-4,
            q=np.clip(q + rng.uniform(-0.3, 0.3, 6), low, high),
            inputs={f"t{i}": value for i, value in enumerate(pose)},
        )
        there = arm.pose([run.quantity(f"g.{name}")[-1] for name in names], "tool")
        miss = np.linalg.norm(there[:3, 3] - goal[:3, 3])
        askew = np.linalg.norm(there[:3, :3] - goal[:3, :3]) / math.sqrt(2)
        assert run.quantity("g.miss")[-1] == pytest.approx(miss, abs=1e-12)
        assert run.quantity("g.askew")[-1] == pytest.approx(askew, abs=1e-12)
        good += miss <= 1e-3 and askew <= 0.01
    assert good >= share * 10


ARM = """<system><body name="truck" joint="prismatic" mass="9">
  <body name="upper arm" joint="revolute" place="0, 100" mass="1" com="200, 0" inertia="0.1" min="-90" max="90">
    <motor name="M"/>
    <body name="mount" joint="fixed" place="400, 0" turn="90" mass="0.1">
      <body name="slide" joint="prismatic" axis="x" mass="1" min="0" max="500"><motor name="N"/>
        <point name="tip" place="100, 0"/></body></body></body></body>
  <scheme name="c" period="10 ms">{}</scheme></system>"""


@pytest.mark.parametrize("method", ["ccd", "lm"])
def test_a_plane_chain_from_a_base_on(method: str) -> None:
    """A hinge and a slide at right angles, on a truck that drives: the target is in the frame of the truck."""
    block = f'<block name="g" kind="ik" of="tip" base="truck" in="0.1 m, 0.6 m" method="{method}"/>'
    run = sistel.parse(ARM.format(block)).simulate(0.001)
    a, s = (float(run.quantity(name)[-1]) for name in ("g.upper arm", "g.slide"))
    x = 0.4 * math.cos(a) - (s + 0.1) * math.sin(a)
    y = 0.1 + 0.4 * math.sin(a) + (s + 0.1) * math.cos(a)
    assert (x, y) == pytest.approx((0.1, 0.6), abs=2e-6)
    assert run.quantity("g.miss")[-1] <= 1e-6 and run.quantity("g.iterations")[-1] < (200 if method == "ccd" else 50)


def test_what_cannot_be_reached_is_told() -> None:
    block = '<block name="g" kind="ik" of="tip" base="truck" in="5 m, 0 m" method="lm"/>'
    run = sistel.parse(ARM.format(block)).simulate(0.001)
    assert run.quantity("g.miss")[-1] > 4.0
    assert 0 <= run.quantity("g.slide")[-1] <= 0.5


def test_waypoints_are_those_of_trajectories(rng: np.random.Generator) -> None:
    for _ in range(5):
        poses = np.zeros((2, 4, 4))
        for pose in poses:
            pose[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
            pose[:3, 0] *= np.linalg.det(pose[:3, :3])
            pose[:3, 3] = rng.uniform(-0.3, 0.3, 3)
            pose[3, 3] = 1.0
        expected = trajectories.staged_waypoints(*poses, 0.01, stages=(4, 7))
        routine = waypoint_routine(0.01, 4, 7)
        given = [number for pose in poses for number in (*pose[:3, 3], *quaternion(pose[:3, :3]))]
        for k, pose in enumerate(expected, 1):
            count, *found = routine.compute([*given, float(k)])[:8]
            assert count == len(expected)
            assert found[:3] == pytest.approx(pose[:3, 3], abs=1e-14)
            # A quaternion and its negative are one orientation.
            assert abs(np.dot(found[3:], quaternion(pose[:3, :3]))) == pytest.approx(1.0, abs=1e-13)


def test_computed_torques_make_joints_linear() -> None:
    """With springs, damping and a rotor: every joint is an oscillator of its own, by its closed form."""
    run = sistel.parse(
        """<system><body name="a" joint="revolute" mass="1" com="0,500" inertia="0.1" damping="0.3">
        <motor name="A" inertia="1e-3" ratio="10"/>
        <body name="b" joint="revolute" place="0,500" mass="1" com="0,500" inertia="0.1" stiffness="2"><motor name="B"/></body></body>
        <scheme name="c"><block name="u" kind="computed-torque" motors="A, B" in="9 1/s^2*(1 rad - angle(a)) - 4 1/s*rate(a),
          16 1/s^2*(-0.5 rad - angle(b)) - 8 1/s*rate(b)"/>
        <output motor="A" from="u.A"/><output motor="B" from="u.B"/></scheme></system>"""
    ).simulate(2.0)
    w, t = math.sqrt(5), 2.0
    a = 1 - math.exp(-2 * t) * (math.cos(w * t) + 2 / w * math.sin(w * t))
    b = -0.5 * (1 - math.exp(-4 * t) * (1 + 4 * t))
    assert run.q[-1] == pytest.approx([a, b], abs=1e-13)


@pytest.mark.parametrize("period", ["", 'period="10 ms"'])
def test_compensated_weight_keeps_still(period: str) -> None:
    run = sistel.parse(
        f"""<system><body name="a" joint="revolute" mass="1" com="0,500" inertia="0.1"><motor name="A"/>
        <body name="b" joint="prismatic" axis="x" mass="1" com="0,500" inertia="0.1" stiffness="20"><motor name="B"/></body></body>
        <start><coordinate of="a" value="1 rad"/><coordinate of="b" value="200"/></start>
        <scheme name="c" {period}><block name="u" kind="gravity" motors="A, B"/>
        <output motor="A" from="u.A"/><output motor="B" from="u.B"/></scheme></system>"""
    ).simulate(1.0)
    assert run.q[-1] == pytest.approx([1.0, 0.2], abs=1e-12)


POSE = "0 m, 0 m, 0 m, 1, 0, 0, 0"
BLOCKS = f"""
  <block name="g" kind="ik" of="tip" base="truck" in="0.1 m, 0.6 m" method="lm" within="1 mm, 0.01" iterations="30"/>
  <block name="u" kind="computed-torque" motors="M, N" in="0 rad/s^2, 1 m/s^2"/>
  <block name="v" kind="gravity" motors="N"/>
  <block name="w" kind="waypoints" in="{POSE}" target="1 m, 0 m, 0 m, 1, 0, 0, 0" step="1 mm" stages="2, 3" within="1 mm, 0.1"/>
"""


def test_round_trip_keeps_them() -> None:
    made = sistel.parse(ARM.format(BLOCKS))
    assert sistel.parse(write_document(to_document(made.model), "ru")).fingerprint == made.fingerprint


@pytest.mark.parametrize(
    ("block", "message", "at"),
    [
        ('kind="ik" of="tipp" in="0 m, 0 m"', 'no frame or point or body "tipp"', "tipp"),
        ('kind="ik" of="truck" base="slide" in="0 m, 0 m"', "no chain of hinges", "truck"),
        ('kind="ik" of="tip" in="0 m"', "another number of values", '0 m"'),
        ('kind="ik" of="tip" in="0 m, 0 m" within="1 mm"', "no such numbers", "1 mm"),
        ('kind="computed-torque" motors="M, K" in="1, 1"', 'no motor "K"', "M, K"),
        ('kind="computed-torque" motors="M, N" in="1 rad/s^2"', "1 accelerations for 2 motors", "1 rad"),
        ('kind="computed-torque" motors="M" in="1 m/s^2"', "cannot be added", "<block"),
        (
            f'kind="waypoints" in="{POSE}" target="1 m" step="1 mm" stages="2, 3" within="1 mm, 1"',
            "another number",
            "1 m",
        ),
        (
            f'kind="waypoints" in="{POSE}" target="{POSE}" step="1 mm" stages="3, 2" within="1 mm, 1"',
            "another number",
            "3, 2",
        ),
    ],
)
def test_what_is_refused_and_where(block: str, message: str, at: str) -> None:
    with pytest.raises(sistel.SistelError) as raised:
        sistel.parse(ARM.format(f'<block name="y" {block}/>'))
    first = raised.value.diagnostics[0]
    assert message in f"{first.message.en} {first.expected.en if first.expected else ''}"
    assert first.span.source.text[first.span.start :].startswith(at)
