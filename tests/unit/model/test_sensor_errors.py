"""Errors of inertial and ranging sensors: scale, misalignment, drift and noise that grows, by their formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

import sistel
from sistel.markup import write_document
from sistel.model import to_document
from sistel.model.random import noise

SPIN = """<system space="spatial"><gravity value="0"/><body name="b" joint="free" mass="1" inertia="1,1,1"/>
  <world><box name="wall" place="4000,0,0" size="2000,9000,9000"/></world>
  <scheme name="s" period="0.02 s" seed="11">{}</scheme>
  <start><coordinate of="b" spin="30,-60,90"/></start></system>"""
TRUE = np.radians([30.0, -60.0, 90.0])


def gyro(attributes: str) -> sistel.System:
    return sistel.parse(SPIN.format(f'<sensor name="w" kind="gyroscope" of="b" {attributes}/>'))


def read(run: sistel.Run, name: str, count: int) -> np.ndarray:
    """What three components were at ticks, shape (count, 3)."""
    times = [0.02 * k + 0.01 for k in range(count)]
    return np.stack([run.quantity(f"{name}.{part}", times) for part in "xyz"], axis=1)


def test_scale_misalignment_and_bias_are_a_matrix_and_a_vector() -> None:
    """y = (1 + M) S x + b."""
    S, M, b = [1.01, 0.98, 1.0], [[0, 0.02, -0.01], [0.005, 0, 0.03], [-0.02, 0.01, 0.001]], [0.1, -0.2, 0.05]
    cells = "; ".join(", ".join(str(x) for x in row) for row in M)
    given = f'scale="1.01, 0.98, 1" misalignment="{cells}" bias="0.1 rad/s, -0.2 rad/s, 0.05 rad/s"'
    for period in ('period="0.02 s" ', ""):
        system = sistel.parse(
            SPIN.replace('period="0.02 s" ', period).format(f'<sensor name="w" kind="gyroscope" of="b" {given}/>')
        )
        found = read(system.simulate(0.2), "w", 5)
        wanted = (np.eye(3) + np.array(M)) @ (np.array(S) * TRUE) + b
        assert found == pytest.approx(np.tile(wanted, (5, 1)), abs=1e-14)


def test_a_bias_may_follow_a_temperature() -> None:
    """k (T − T₀), T being a signal: here it warms up by 2 degrees a second, from 20 to where it began to be right."""
    system = sistel.parse(
        SPIN.format(
            '<signal name="T" value="20 + 2*t/1 s"/><sensor name="w" kind="gyroscope" of="b" bias="0.004 rad/s*(T - 25)"/>'
        )
    )
    found = read(system.simulate(1.0), "w", 40) - TRUE
    wanted = 0.004 * (2 * 0.02 * np.arange(40) - 5)
    assert found == pytest.approx(np.tile(wanted[:, None], (1, 3)), abs=1e-15)


def shakes(name: str, seed: float, count: int, parts: int = 3) -> Iterator[list[float]]:
    """Normal numbers of a drift, in plain Python."""
    routine = noise(f"drift of {name}", parts)
    for tick in range(count):
        yield routine.compute([seed, float(tick)])[:parts]


def test_a_drift_is_the_sum_of_its_steps() -> None:
    """Machine code against plain Python, whose logarithms and cosines differ by a last bit; the seed chooses, and the noise
    beside it is another."""
    system = gyro('drift="0.01 rad/s"')
    columns = [system.model.memory_names.index(f"w.walk{i}") for i in range(3)]
    for seed, run in ((11.0, system.simulate(1.0)), (4.0, system.simulate(1.0, seed=4))):
        walk = np.zeros(3)
        after = run.memory[1::2]  # the row after every tick
        for k, step in enumerate(shakes("w", seed, 40)):
            walk = walk + 0.01 * math.sqrt(0.02) * np.array(step)
            assert after[k, columns] == pytest.approx(walk, abs=1e-17)
    both = read(gyro('drift="0.01 rad/s" noise="0.003 rad/s"').simulate(1.0), "w", 40)
    alone = read(gyro('noise="0.003 rad/s"').simulate(1.0), "w", 40)
    assert both - alone == pytest.approx(read(system.simulate(1.0), "w", 40) - TRUE, abs=1e-15)


def test_the_variance_of_a_drift_grows_with_the_time() -> None:
    """Var b(t) = drift² t / 1 s, of 360 wandering components; 4 standard errors of a variance are √(2/n) · 4."""
    sensors = "".join(f'<sensor name="w{i}" kind="gyroscope" of="b" drift="0.05 rad/s"/>' for i in range(120))
    run = sistel.parse(SPIN.format(sensors)).simulate(8.05)
    for t in (1.0, 2.0, 4.0, 8.0):
        walks = np.array([run.quantity(f"w{i}.{part}", [t + 0.01])[0] for i in range(120) for part in "xyz"])
        walks -= np.tile(TRUE, 120)
        assert walks.mean() == pytest.approx(0.0, abs=4 * 0.05 * math.sqrt(t / 360))
        assert walks.var() == pytest.approx(0.05**2 * t, rel=4 * math.sqrt(2 / 360))


def test_a_run_that_is_resumed_drifts_on() -> None:
    system = gyro('drift="0.01 rad/s" noise="0.002 rad/s" scale="1.02"')
    whole = system.simulate(2.0)
    rest = system.simulate(2.0, resume=system.simulate(0.77))
    assert np.array_equal(rest.last, whole.last)


def test_noise_that_grows_with_the_distance() -> None:
    """σ = noise + relative · distance: 3 m away, 2 mm + 0.001 · 3 m."""
    text = SPIN.replace("<start>.*</start>", "").format(
        '<sensor name="d" kind="rangefinder" rays="r" range="9 m" noise="2 mm" relative="0.001"/>'
    )
    still = text.replace('spin="30,-60,90"', 'spin="0,0,0"').replace(
        'inertia="1,1,1"/>', 'inertia="1,1,1"><frame name="r"/></body>'
    )
    run = sistel.parse(still).simulate(40.0)
    found = run.quantity("d.1", [0.02 * k + 0.01 for k in range(2000)]) - 3.0
    assert found.std() == pytest.approx(0.005, rel=4 / math.sqrt(2 * 2000))
    assert abs(found.mean()) < 4 * 0.005 / math.sqrt(2000)


def test_they_come_back_from_their_text() -> None:
    system = gyro('scale="1.01, 1, 1" misalignment="0,1,0; 0,0,0; 0,0,0" drift="0.01 rad/s" relative="0.1"')
    for lang in ("en", "ru"):
        assert sistel.parse(write_document(to_document(system.model), lang)).fingerprint == system.fingerprint


@pytest.mark.parametrize(
    ("attributes", "code"),
    [
        ('misalignment="0, 1"', "wrong-count"),
        ('scale="1, 2"', "wrong-count"),
        ('drift="-1 rad/s"', "not-positive"),
        ('drift="1 m"', "wrong-dimension"),
        ('relative="-0.1"', "not-positive"),
    ],
)
def test_what_is_wrong_is_told(attributes: str, code: str) -> None:
    with pytest.raises(sistel.SistelError) as caught:
        gyro(attributes)
    assert caught.value.diagnostics[0].code == code


def test_a_drift_needs_ticks() -> None:
    with pytest.raises(sistel.SistelError, match="from tick to tick"):
        sistel.parse(
            SPIN.replace('period="0.02 s" seed="11"', "").format(
                '<sensor name="w" kind="gyroscope" of="b" drift="1 rad/s"/>'
            )
        )
