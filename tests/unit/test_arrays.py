"""The door of a system: what would lose something on its way to the numbers is refused in words, everywhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel

ROOT = Path(__file__).resolve().parents[2]
Q = np.array([0.3, 0.5, -0.4, 0.2, 0.6, -0.1])


@cache
def arm() -> sistel.System:
    return sistel.load(ROOT / "models" / "puma560.xml")


WRONG: dict[str, tuple[Any, str]] = {
    "masked": (np.ma.array(Q, mask=[0, 0, 1, 0, 0, 0]), "some numbers are masked"),
    "complex": (Q + 0j, "expected real numbers, got complex128"),
    "complex list": ([1j, *Q[1:]], "expected real numbers, got complex128"),
    "objects": (Q.astype(object), "expected real numbers, got object"),
    "nothing": ([None] * 6, "expected real numbers, got object"),
    "text": (Q.astype(str), "expected real numbers, got text"),
    "dates": (np.zeros(6, "M8[s]"), "expected real numbers, got datetime64"),
    "ragged": ([[1.0], [2.0, 3.0]], "not an array of numbers"),
}

CALLS: dict[str, Callable[[sistel.System, Any], object]] = {
    "inverse_dynamics q": lambda s, x: s.inverse_dynamics(x, Q, Q),
    "inverse_dynamics v": lambda s, x: s.inverse_dynamics(Q, x, Q),
    "inverse_dynamics a": lambda s, x: s.inverse_dynamics(Q, Q, x),
    "inverse_dynamics float32": lambda s, x: s.inverse_dynamics(x, Q, Q, dtype="float32"),
    "bias_forces": lambda s, x: s.bias_forces(x, Q),
    "gravity_forces": lambda s, x: s.gravity_forces(x),
    "mass_matrix": lambda s, x: s.mass_matrix(x),
    "applied_forces": lambda s, x: s.applied_forces(x, Q),
    "applied_forces t": lambda s, x: s.applied_forces(Q, Q, t=x),
    "forward_dynamics": lambda s, x: s.forward_dynamics(Q, Q, x),
    "forward_dynamics applied": lambda s, x: s.forward_dynamics(Q, Q, x, applied=True),
    "reactions": lambda s, x: s.reactions(Q, x, Q),
    "energies": lambda s, x: s.energies(x, Q),
    "momentum": lambda s, x: s.momentum(x, Q),
    "centre_of_mass": lambda s, x: s.centre_of_mass(x),
    "pose": lambda s, x: s.pose(x, "tool"),
    "jacobian": lambda s, x: s.jacobian(x, "tool"),
    "jacobian_rate": lambda s, x: s.jacobian_rate(Q, x, "tool"),
    "constraint_errors": lambda s, x: s.constraint_errors(x),
    "mobility": lambda s, x: s.mobility(q=x),
    "assemble": lambda s, x: s.assemble(x),
    "static_forces": lambda s, x: s.static_forces(x),
    "equilibrium": lambda s, x: s.equilibrium(x),
    "equilibrium tau": lambda s, x: s.equilibrium(tau=x),
    "inverse_kinematics q": lambda s, x: s.inverse_kinematics(s.pose(Q, "tool"), "tool", q=x),
    "manipulability": lambda s, x: s.manipulability(x, "tool"),
    "simulate q": lambda s, x: s.simulate(0.01, q=x),
    "simulate v": lambda s, x: s.simulate(0.01, v=x),
    "ensemble": lambda s, x: s.ensemble(0.01, initial={"column": x}),
    "run": lambda s, x: s.simulate(0.01)(x),
}


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("name", CALLS)
def test_what_would_lose_something_is_refused(name: str, kind: str) -> None:
    value, words = WRONG[kind]
    system = arm()
    if name == "ensemble":
        initial = {system.model.coordinate_names[0]: value}
        with pytest.raises(sistel.SistelError, match=words):
            system.ensemble(0.01, initial=initial)
        return
    for _ in range(2):  # the second time the way is quick
        with pytest.raises(sistel.SistelError, match=words):
            CALLS[name](system, value)


@pytest.mark.parametrize("kind", ["masked", "complex", "objects", "text"])
def test_targets(kind: str) -> None:
    system = arm()
    X = system.pose(Q, "tool")
    wrong = {
        "masked": np.ma.array(X, mask=np.eye(4)),
        "complex": X + 0j,
        "objects": X.astype(object),
        "text": X.astype(str),
    }[kind]
    for _ in range(20):  # by then plain calls are machine code
        assert system.inverse_kinematics(X, "tool").success
        with pytest.raises(sistel.SistelError, match=r"target: (expected real numbers|some numbers are masked)"):
            system.inverse_kinematics(wrong, "tool")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_searches_and_runs_need_finite_numbers(bad: float) -> None:
    system, x = arm(), Q.copy()
    x[2] = bad
    for name in ("simulate q", "simulate v", "assemble", "static_forces", "equilibrium", "equilibrium tau", "mobility"):
        with pytest.raises(sistel.SistelError, match="finite"):
            CALLS[name](system, x)
    with pytest.raises(sistel.SistelError, match="finite"):
        CALLS["inverse_kinematics q"](system, x)


def test_unknown_numbers_stay_unknown() -> None:
    """A quantity of a batch: the rows with numbers that are not finite say so, the others are as ever."""
    system, rows = arm(), np.stack([Q, Q * np.nan, Q])
    found = system.inverse_dynamics(rows, Q, Q)
    assert np.isnan(found[1]).any() and np.array_equal(found[0], found[2]) and np.isfinite(found[0]).all()
    assert np.isnan(system.inverse_dynamics(Q * np.nan, Q, Q)).any()


def test_what_loses_nothing_is_taken() -> None:
    """Masked arrays without a mask, whole numbers, other floats, lists, matrices."""
    system = arm()
    expected = system.inverse_dynamics(Q, Q, Q)
    for same in (np.ma.array(Q), np.ma.array(Q, mask=np.zeros(6, bool)), Q.tolist(), tuple(Q), Q[::-1][::-1]):
        assert np.array_equal(system.inverse_dynamics(same, Q, Q), expected)
    ones = np.ones(6)
    for same in (np.ones(6, int), np.ones(6, bool), np.ones(6, np.float32), np.ones(6, ">f8")):
        assert np.array_equal(system.inverse_dynamics(same, Q, Q), system.inverse_dynamics(ones, Q, Q))
