"""The basin of attraction of the simplest walker against its limit equations, integrated here by themselves.

The equations are those of Garcia, Chatterjee, Ruina and Coleman (1998), "The simplest walking model", for massless
feet; the region of Schwab and Wisse (2001), "Basin of attraction of the simplest walking model", has a slope of 0.004.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import sistel

MODELS = Path(__file__).resolve().parents[3] / "models"
SLOPE = 0.004
MOST = 6
"""Strikes after which a walk counts as one."""
FORWARD, BACKWARD, WALKS = "fell forward", "fell backward", "walks"


def rates(y: np.ndarray) -> np.ndarray:
    """Of stance angle, its rate, the angle between the legs and its rate."""
    theta, theta_rate, phi, phi_rate = y
    lift = np.sin(theta - SLOPE)
    pull = np.sin(phi) * (theta_rate**2 - np.cos(theta - SLOPE))
    return np.array([theta_rate, lift, phi_rate, lift + pull])


def stepped(y: np.ndarray, h: np.ndarray | float) -> np.ndarray:
    """A step of the classical Runge-Kutta method."""
    k1 = rates(y)
    k2 = rates(y + h / 2 * k1)
    k3 = rates(y + h / 2 * k2)
    k4 = rates(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def gap(y: np.ndarray) -> np.ndarray:
    """Height of the swing foot over the slope."""
    return np.cos(y[0]) - np.cos(y[0] - y[2])


def bisected(y: np.ndarray, h: float, above: object) -> np.ndarray:
    """States at the instant at which something ceases to be above zero within a step."""
    low, high = np.zeros(y.shape[1]), np.full(y.shape[1], h)
    for _ in range(48):
        middle = (low + high) / 2
        inside = above(stepped(y, middle)) > 0  # type: ignore[operator]
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return stepped(y, high)


def walked(theta: np.ndarray, theta_rate: np.ndarray, h: float = 0.005) -> tuple[np.ndarray, np.ndarray]:
    """Strikes and end of every walk. Angles here fall as the walker goes forward."""
    y = np.array([theta, -theta_rate, 2 * theta, -(1 - np.cos(2 * theta)) * theta_rate])
    strikes, ends = np.zeros(len(theta), dtype=int), np.full(len(theta), "", dtype="U13")
    ago = np.zeros(len(theta))  # time since the last strike: at the strike itself the gap is zero
    for _ in range(20_000):
        going = np.flatnonzero(ends == "")
        if not len(going):
            break
        old = y[:, going]
        new = stepped(old, h)
        ago[going] += h
        fallen = np.cos(new[0]) <= 0
        ends[going[fallen]] = np.where(new[0, fallen] < 0, FORWARD, BACKWARD)
        y[:, going] = new
        # Where the legs are parallel the gap is zero too, but the foot is not ahead.
        struck = (gap(old) > 0) & (gap(new) <= 0) & ~fallen & (ago[going] > 1.5 * h)
        if struck.any():
            at = bisected(old[:, struck], h, gap)
            ahead = np.sin(at[0] - at[2]) - np.sin(at[0]) > 1e-3
            where, at = going[struck][ahead], at[:, ahead]
            turn = np.cos(2 * at[0])
            y[:, where] = [-at[0], turn * at[1], -2 * at[0], turn * (1 - turn) * at[1]]
            strikes[where] += 1
            ago[where] = 0.0
            ends[where[strikes[where] >= MOST]] = WALKS
    return strikes, ends


def test_two_hundred_walks_against_the_limit_equations() -> None:
    random = np.random.default_rng(4)
    # Where something happens: most of the plane falls at the first step.
    theta, excess = random.uniform(0.02, 0.45, 200), random.uniform(-0.01, 0.03, 200)
    strikes, ends = walked(theta, theta + excess)
    system = sistel.load(MODELS / "simplest_walker_basin.xml")
    found = system.ensemble(
        1000.0, parameters={"theta": theta, "excess": excess}, events=MOST, stop=(FORWARD, BACKWARD), threads=2
    )
    ours = np.where(found.outcome == 2, WALKS, found.final_structure)
    assert {*np.unique(ends)} == {FORWARD, BACKWARD, WALKS}  # the sample says something
    assert (np.bincount(strikes)[[0, 1, 2, MOST]] >= 3).all()
    np.testing.assert_array_equal(ours, ends)
    np.testing.assert_array_equal(found.events, np.where(ends == WALKS, MOST, strikes + 1))


def test_the_gait_of_the_file_is_the_fixed_point_of_the_limit_equations() -> None:
    # Newton with differences on the map of the limit equations; feet of 1e-9 and the steps above leave some 1e-8.
    state = np.array([0.15, 0.153])

    def strike(x: np.ndarray) -> np.ndarray:
        y = np.array([[x[0]], [-x[1]], [2 * x[0]], [-(1 - np.cos(2 * x[0])) * x[1]]])
        for k in range(4_000):
            new = stepped(y, 0.005)
            if k > 2 and gap(y) > 0 and gap(new) <= 0:
                at = bisected(y, 0.005, gap)[:, 0]
                if np.sin(at[0] - at[2]) - np.sin(at[0]) > 1e-3:
                    return np.array([-at[0], -np.cos(2 * at[0]) * at[1]])
            y = new
        raise AssertionError("no strike")

    for _ in range(6):
        base = strike(state) - state
        columns = [(strike(state + d) - state - d - base) / 1e-6 for d in (np.array([1e-6, 0]), np.array([0, 1e-6]))]
        state = state - np.linalg.solve(np.array(columns).T, base)
    model = sistel.load(MODELS / "simplest_walker_basin.xml").model
    values = {p.name: p.value for p in model.parameters}
    np.testing.assert_allclose([values["theta"], values["theta_rate"]], state, atol=1e-8)
