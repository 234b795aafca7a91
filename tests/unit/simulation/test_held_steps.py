"""Runs whose schemes hold many signals: what is kept of them is what it always was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel

BLOCKS = "".join(
    f'<block name="s{i + 1}" kind="{"lag" if i % 2 else "delay"}" in="s{i}" {"time=" + chr(34) + "20 ms" + chr(34) if i % 2 else ""}/>'
    for i in range(12)
)


@pytest.fixture(scope="module")
def system() -> sistel.System:
    return sistel.parse(
        '<system><body name="p" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="p"/></body>'
        f'<scheme name="c" period="10 ms"><signal name="s0" value="1 - angle(p)/1 rad"/>{BLOCKS}'
        '<output motor="p" from="s12*1 N*m"/></scheme></system>'
    )


def test_states_are_those_of_dense_steps(system: sistel.System) -> None:
    """As polynomials of everything, and as they are kept."""
    run = system.simulate(0.5)
    t = np.linspace(0, 0.5, 301)
    found = np.stack([run.quantity(f"s{i}", t) for i in range(13)], axis=1)
    for segment in run.segments[:5]:
        dense = np.asarray(segment.coefficients)
        assert dense.shape == segment.coefficients.shape == (len(segment.times), len(run.last), dense.shape[2])
        assert np.array_equal(dense[:, :, 0], segment.coefficients[:, :, 0])
        assert np.array_equal(dense[0], segment.coefficients[0])
        assert np.array_equal(dense[-1:, :, 1:], segment.coefficients[-1:, :, 1:])
    # By hand, tick by tick, from the angle that the run has at ticks.
    angles = run.quantity("angle(p)", np.arange(51) * 0.01)
    store, expected = np.zeros(12), []
    for angle in angles:
        now = np.array([1 - angle, *store])
        for i in range(12):
            store[i] = now[i] + (store[i] - now[i]) * np.exp(-0.5) if i % 2 else now[i]
        expected.append(now)
    ticks = np.minimum((t / 0.01 + 1e-9).astype(int), 50)
    assert np.abs(found - np.array(expected)[ticks]).max() < 1e-13


def test_they_are_saved_and_go_on(system: sistel.System, tmp_path: Path) -> None:
    whole = system.simulate(0.6)
    half = system.simulate(0.3)
    half.save(tmp_path / "half.npz")
    again = type(half).load(tmp_path / "half.npz")
    for run in (half.resume(0.6), again.resume(0.6)):
        assert run.q[-1] == pytest.approx(whole.q[-1], abs=1e-14)
        assert run.quantity("s9", [0.05, 0.45]) == pytest.approx(whole.quantity("s9", [0.05, 0.45]), abs=1e-14)
