"""Rows of the mission on sensors: what schemes measure, through the public face alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel


def at(run: sistel.Run, name: str, t: float) -> float:
    return float(run.quantity(name, [t])[0])


VEHICLE = """<system space="spatial">
  <body name="hull" joint="planar" mass="50 kg" inertia="3, 3, 3.6">
    <point name="rear" place="-400, 0, 250"/><point name="nose" place="600, 0, 250"/>
  </body>
  <scheme name="pose" period="20 ms">
    <sensor name="P1" kind="position" of="hull" point="rear"/>
    <sensor name="P2" kind="position" of="hull" point="nose"/>
    <block name="way" kind="vector" in="P2.x - P1.x, P2.y - P1.y, P2.z - P1.z" parts="x, y, z"/>
    <block name="n" kind="unit" in="way"/>
    <signal name="heading" value="atan2(n.y, n.x)"/>
    <signal name="x" value="P1.x + 400 mm*n.x"/><signal name="y" value="P1.y + 400 mm*n.y"/>
  </scheme>
  <start><coordinate of="hull.x" value="{x}" rate="700"/><coordinate of="hull.y" value="{y}" rate="-300"/>
    <coordinate of="hull.angle" value="{turn}" rate="40"/></start>
</system>"""


@pytest.mark.parametrize(("x", "y", "turn"), [(1200, -350, 25), (-40, 8000, -170)])
def test_D2_two_position_sensors_give_the_pose(x: float, y: float, turn: float) -> None:
    """Two position sensors on a body: its place and its axis are those that the run has."""
    system = sistel.parse(VEHICLE.format(x=x, y=y, turn=turn))
    run = system.simulate(3.0)
    for t in (0.0, 1.0, 3.0):
        angle = math.radians(turn + 40 * t)
        assert at(run, "heading", t) == pytest.approx(math.remainder(angle, 2 * math.pi), abs=1e-13)
        assert at(run, "x", t) == pytest.approx(x / 1000 + 0.7 * t, abs=1e-13)
        assert at(run, "y", t) == pytest.approx(y / 1000 - 0.3 * t, abs=1e-13)
        assert at(run, "n.z", t) == 0.0


def course(count: int) -> str:
    """A hull with rangefinders on three sides, all of whose rays look straight out."""
    frames, sensors = [], []
    for side, place, turn in (("front", "300,{y}", 0), ("left", "{y},-200", -90), ("right", "{y},200", 90)):
        names = []
        for i in range(count):
            y = 0 if count == 1 else -150 + 300 * i / (count - 1)
            names.append(f"{side} {i + 1}")
            frames.append(f'<frame name="{names[-1]}" place="{place.format(y=y)}" turn="{turn}"/>')
        sensors.append(
            f'<sensor name="{side}" kind="rangefinder" rays="{", ".join(names)}" range="5 m"/>'
            f'<block name="d {side}" kind="min" in="{side}"/>'
        )
    return (
        '<system><gravity value="0"/><world><box name="wall" place="1400,0" size="200,6000"/>'
        '<circle name="barrel" place="0,-1450" radius="250"/></world>'
        f'<body name="hull" joint="free" mass="50" inertia="3">{"".join(frames)}<box size="600,400"/></body>'
        f'<scheme name="eyes" period="10 ms">{"".join(sensors)}</scheme>'
        '<start><coordinate of="hull.x" rate="500"/></start></system>'
    )


@pytest.mark.parametrize("count", [1, 5])
def test_D3_rangefinders_on_three_sides(count: int) -> None:
    """A wall at 1 m reads 1.000; the barrel beside the hull is met by the rays that meet it; nothing is 5 m."""
    run = sistel.parse(course(count)).simulate(1.0)
    for i in range(count):
        assert at(run, f"front.{i + 1}", 0.0) == pytest.approx(1.0, abs=1e-15)
        assert at(run, f"right.{i + 1}", 0.0) == 5.0
    assert at(run, "d front", 0.0) == pytest.approx(1.0, abs=1e-15)
    assert at(run, "d front", 1.0) == pytest.approx(0.5, abs=1e-15)
    assert at(run, "d right", 0.0) == 5.0
    wanted = []
    for i in range(count):
        aside = 0.0 if count == 1 else -0.15 + 0.3 * i / (count - 1)
        wanted.append(1.25 - math.sqrt(0.25**2 - aside**2))
        assert at(run, f"left.{i + 1}", 0.0) == pytest.approx(wanted[-1], abs=1e-14)
    assert at(run, "d left", 0.0) == pytest.approx(min(wanted), abs=1e-14) == 1.0


def test_D16_inertial_sensors_at_rest() -> None:
    """At rest: the accelerometer reads g, the gyroscope 0, the compass the heading; the force sensor the weight."""
    roll, pitch, heading = 10.0, -20.0, 35.0
    system = sistel.parse(
        f"""<system space="spatial">
          <body name="arm" joint="revolute" axis="y" mass="1" inertia="1" com="0,0,-100">
            <frame name="imu" turn="{roll},{pitch},{heading}"/></body>
          <scheme name="s" period="10 ms">
            <sensor name="a" kind="accelerometer" of="imu"/><sensor name="w" kind="gyroscope" of="imu"/>
            <sensor name="m" kind="magnetometer" of="imu" field="0.2, 0, -0.4"/>
            <sensor name="c" kind="compass" of="imu" field="0.2, 0, -0.4"/>
            <sensor name="f" kind="force" of="arm"/>
            <sensor name="noisy" kind="accelerometer" of="imu" noise="10 mm/s^2"/>
          </scheme></system>"""
    )
    run = system.simulate(10.0)
    R = np.asarray(system.pose(np.asarray(run(10.0)[0]), "imu"))[:3, :3]
    a = np.array([at(run, f"a.{k}", 9.0) for k in "xyz"])
    assert np.linalg.norm(a) == pytest.approx(9.81, abs=1e-13)
    assert np.abs(a - R.T @ [0, 0, 9.81]).max() < 1e-13
    assert all(abs(at(run, f"w.{k}", 9.0)) < 1e-14 for k in "xyz")
    assert np.abs([at(run, f"m.{k}", 9.0) for k in "xyz"] - R.T @ [0.2, 0, -0.4]).max() < 1e-14
    assert at(run, "c", 9.0) == pytest.approx(math.radians(heading), abs=1e-13)
    assert [at(run, f"f.{k}", 9.0) for k in "xyz"] == pytest.approx([0.0, 0.0, 9.81], abs=1e-12)
    # A thousand readings with a noise of 1 cm/s²: mean and deviation.
    times = [0.01 * k + 0.005 for k in range(1000)]
    off = np.asarray(run.quantity("noisy.x", times)) - a[0]
    assert abs(off.mean()) < 4 * 0.01 / math.sqrt(1000)
    assert 0.009 < off.std() < 0.011
