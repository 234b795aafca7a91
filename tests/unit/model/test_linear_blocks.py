"""Linear blocks: transfer functions, state spaces, filters and estimators against SciPy and plain NumPy loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.linalg
import scipy.signal

import sistel
from sistel.markup import write_document
from sistel.model import to_document
from sistel.model.blocks._matrices import held, steady_covariance
from sistel.units import MOMENT

PERIOD, TICKS = 0.1, 14
BODY = '<body name="p" joint="prismatic" mass="1" com="0,0"/>'
U = np.array([math.sin(5 * PERIOD * k) for k in range(TICKS)])
AT = [PERIOD * (k + 0.3) for k in range(TICKS)]
CLOCK = 'period="100 ms"'


def system(blocks: str, period: str = CLOCK) -> sistel.System:
    return sistel.parse(
        f'<system><gravity value="0"/>{BODY}<scheme name="c" {period}>'
        f'<signal name="u" value="sin(5*t)"/>{blocks}</scheme></system>'
    )


def after_ticks(blocks: str, *names: str) -> np.ndarray:
    run = system(blocks).simulate(PERIOD * TICKS - 0.01)
    return np.stack([run.quantity(name, AT) for name in names], axis=1)


def listed(matrix: np.ndarray) -> str:
    return ", ".join(repr(float(each)) for each in np.ravel(matrix))


def answer(num: list[float], den: list[float], inputs: np.ndarray) -> np.ndarray:
    """Of a transfer function to inputs that are held, as SciPy has it."""
    discrete = scipy.signal.cont2discrete(scipy.signal.tf2ss(num, den), PERIOD)
    return np.asarray(scipy.signal.dlsim(discrete, inputs)[1][:, 0])


@pytest.mark.parametrize(
    ("num", "den"),
    [
        ([3.0], [2.0]),
        ([1.0], [0.3, 1.0]),
        ([1.0, 2.0], [0.5, 0.4, 3.0]),
        ([2.0, 1.0, 2.0, 5.0], [1.0, 6.0, 11.0, 6.0]),
        ([1.0], [1.0, 0.0, 0.0]),
    ],
)
def test_sampled_transfer_functions_meet_scipy(num: list[float], den: list[float]) -> None:
    found = after_ticks(
        f'<block name="y" kind="transfer-function" in="u" num="{listed(np.array(num))}" den="{listed(np.array(den))}"/>',
        "y",
    )
    assert found[:, 0] == pytest.approx(answer(num, den, U), abs=1e-12)


def test_a_step_into_a_transfer_function_that_flows() -> None:
    """1 / (s² + 0.4 s + 4) and (s + 3) / (s + 1): closed forms."""
    run = system(
        '<block name="a" kind="transfer-function" in="1 rad" num="4" den="1, 0.4, 4" gain="2 N*m/rad"/>'
        '<block name="b" kind="transfer-function" in="1" num="1, 3" den="1, 1"/>',
        "",
    ).simulate(3.0)
    t, w = np.array([0.5, 1.7, 3.0]), math.sqrt(4 - 0.04)
    a = 2 * (1 - np.exp(-0.2 * t) * (np.cos(w * t) + 0.2 / w * np.sin(w * t)))
    assert run.quantity("a", t) == pytest.approx(a, abs=1e-12)
    assert run.quantity("b", t) == pytest.approx(3 - 2 * np.exp(-t), abs=1e-12)
    assert run.model.signal("a").dimension.fits(MOMENT)


def test_filters_of_second_order() -> None:
    """With and without ticks; a notch leaves nothing of the oscillation that it is made for."""
    found = after_ticks(
        '<block name="y" kind="second-order" in="u" time="0.2 s" damping="0.3" start="0.5"/>'
        '<block name="z" kind="notch" in="u" time="0.2 s" damping="0.7"/>',
        "y",
        "z",
    )
    low, notch = ([1.0], [0.04, 0.12, 1.0]), ([0.04, 0.0, 1.0], [0.04, 0.28, 1.0])
    # A start at rest is a constant input until then: the answer to U − 0.5, and 0.5.
    assert found[:, 0] == pytest.approx(answer(*low, U - 0.5) + 0.5, abs=1e-12)
    assert found[:, 1] == pytest.approx(answer(*notch, U), abs=1e-12)
    run = system('<block name="z" kind="notch" in="u" time="0.2 s" damping="1"/>', "").simulate(12.0)
    assert np.max(np.abs(run.quantity("z", np.linspace(11, 12, 50)))) < 1e-12


def test_state_spaces_meet_scipy() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(3, 3)) - np.eye(3), rng.normal(size=(3, 2))
    c, d = rng.normal(size=(2, 3)), np.array([[0.0, 0.3], [0.0, 0.0]])
    start = rng.normal(size=3)
    written = f'A="{listed(a)}" B="{listed(b)}" C="{listed(c)}" D="{listed(d)}" start="{listed(start)}"'
    found = after_ticks(f'<block name="y" kind="state-space" in="u, 0.7" {written}/>', "y.1", "y.2")
    inputs = np.stack([U, np.full(TICKS, 0.7)], axis=1)
    discrete = scipy.signal.cont2discrete((a, b, c, d), PERIOD)
    _, expected, _ = scipy.signal.dlsim(discrete, inputs, x0=start)
    assert found == pytest.approx(expected, abs=1e-12)
    # Without ticks: x(t) by the exponential of the matrix with the oscillator that makes u in it.
    run = system(f'<block name="y" kind="state-space" in="u, 0.7" {written}/>', "").simulate(2.0)
    whole = np.zeros((6, 6))
    whole[:3, :3], whole[:3, 3], whole[:3, 5] = a, b[:, 0], b[:, 1]
    whole[3, 4], whole[4, 3] = 5.0, -5.0
    x = scipy.linalg.expm(whole * 2.0) @ [*start, 0.0, 1.0, 0.7]
    assert [run.quantity(f"y.{i + 1}")[-1] for i in range(2)] == pytest.approx(c @ x[:3] + d @ [x[3], 0.7], abs=1e-12)


def test_what_does_not_go_straight_through_makes_no_loop() -> None:
    """Pairs of ports: output 1 has no part of the input that comes from it."""
    run = system('<block name="y" kind="state-space" in="1 - y.1" A="-1" B="1" C="1, 2" D="0, 1"/>', "").simulate(1.0)
    assert run.quantity("y.1")[-1] == pytest.approx((1 - math.exp(-2)) / 2, abs=1e-13)
    with pytest.raises(sistel.SistelError, match="need each other at one instant"):
        system('<block name="y" kind="state-space" in="1 - y.2" A="-1" B="1" C="1, 2" D="0, 1"/>', "")


def kalman(
    a: np.ndarray,
    b: np.ndarray,
    c: np.ndarray,
    q: np.ndarray,
    r: np.ndarray,
    p: np.ndarray,
    y: np.ndarray,
    u: np.ndarray,
) -> np.ndarray:
    """The textbook's filter, with inverses; from the foreseen covariance p."""
    x, made = np.zeros(len(a)), []
    for measured, given in zip(y, u, strict=True):
        gain = p @ c.T @ np.linalg.inv(c @ p @ c.T + r)
        x = x + gain @ (measured - c @ x)
        p = p - gain @ c @ p
        made.append(x)
        x, p = a @ x + b @ given, a @ p @ a.T + q
    return np.array(made)


def test_kalman_meets_the_textbook() -> None:
    rng = np.random.default_rng(5)
    a = np.array([[1.0, 0.1, 0.0], [0.0, 0.9, 0.1], [-0.2, 0.0, 1.0]])
    b, c = rng.normal(size=(3, 1)), rng.normal(size=(2, 3))
    q, r, p = (m @ m.T + 0.1 * np.eye(len(m)) for m in (rng.normal(size=(n, n)) for n in (3, 2, 3)))
    q, r, p = ((m + m.T) / 2 for m in (q, r, p))
    written = f'measured="u, 0.3 - u" in="2*u" A="{listed(a)}" B="{listed(b)}" C="{listed(c)}" Q="{listed(q)}" R="{listed(r)}"'
    found = after_ticks(
        f'<block name="s" kind="kalman" {written}/>'
        f'<block name="v" kind="kalman" {written} covariance="{listed(p)}" parts="a, b, c"/>',
        *("s.1", "s.2", "s.3", "v.a", "v.b", "v.c"),
    )
    y, u = np.stack([U, 0.3 - U], axis=1), 2 * U[:, None]
    settled = scipy.linalg.solve_discrete_are(a.T, c.T, q, r)
    assert found[:, :3] == pytest.approx(kalman(a, b, c, q, r, settled, y, u), abs=1e-12)
    assert found[:, 3:] == pytest.approx(kalman(a, b, c, q, r, p, y, u), abs=1e-12)


def test_complementary_filter_goes_the_shorter_way_round() -> None:
    """A gyro and a compass that passes from 180° to −180°."""
    found = after_ticks(
        '<signal name="compass" value="atan2(sin(3 rad + 0.9*t*1 rad/s), cos(3 rad + 0.9*t*1 rad/s))"/>'
        '<block name="y" kind="complementary" in="compass" rate="1 rad/s" time="0.3 s"/>',
        "y",
    )[:, 0]
    y, made = 0.0, []
    for k in range(TICKS):
        seen = math.remainder(3 + 0.9 * PERIOD * k, 2 * math.pi)
        ahead = y + PERIOD if k else seen
        y = ahead + math.remainder(seen - ahead, 2 * math.pi) * PERIOD / (0.3 + PERIOD)
        made.append(y)
    assert found == pytest.approx(made, abs=1e-12)
    run = system('<block name="y" kind="complementary" in="1 rad" rate="0.2 rad/s" time="0.5 s"/>', "").simulate(1.0)
    assert run.quantity("y")[-1] == pytest.approx(1.1 * (1 - math.exp(-2)), abs=1e-13)


def test_matrices_meet_scipy() -> None:
    rng = np.random.default_rng(7)
    for size in (1, 3, 6):
        a, b = 40 * rng.normal(size=(size, size)), rng.normal(size=(size, 2))
        whole = np.zeros((size + 2, size + 2))
        whole[:size] = np.hstack([a, b])
        expected = scipy.linalg.expm(whole * 0.02)[:size]
        scale = np.max(np.abs(expected))
        assert np.hstack(held(a.tolist(), b.tolist(), 0.02)) == pytest.approx(expected, abs=1e-13 * scale)
    # An integrator that nothing measures never settles.
    assert steady_covariance([[1.0, 0.0], [0.0, 0.5]], [[0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0]]) is None


LINEAR = """
  <block name="a" kind="transfer-function" in="u" num="1, 2" den="1, 3, 2" gain="2 N"/>
  <block name="b" kind="notch" in="u" time="0.2 s" damping="0.3"/>
  <block name="c" kind="state-space" in="u, a / 1 N" A="0, 1, -1, -1" B="0, 0, 1, 1" C="1, 0, 0, 1" parts="x, v"/>
  <block name="d" kind="kalman" measured="u" A="1" C="1" Q="1" R="2" covariance="3"/>
  <block name="e" kind="complementary" in="u*1 rad" rate="0 rad/s" time="1 s"/>
"""


def test_round_trip_keeps_linear_blocks() -> None:
    made = system(LINEAR)
    assert sistel.parse(write_document(to_document(made.model), "ru")).fingerprint == made.fingerprint


@pytest.mark.parametrize(
    ("written", "message", "at"),
    [
        ('kind="transfer-function" in="u" num="1" den="0, 1"', "other than 0", "0, 1"),
        ('kind="transfer-function" in="u" num="1, 2, 3" den="1, 1"', "at most 2", "1, 2, 3"),
        ('kind="transfer-function" in="u" num="1" den="u, 1"', "there is no parameter", "u, 1"),
        ('kind="state-space" in="u" A="1, 2" B="1" C="1"', "as many rows as columns", "1, 2"),
        ('kind="state-space" in="u" A="1" B="1, 2" C="1"', "1 rows of 1 numbers", "1, 2"),
        ('kind="kalman" measured="u" A="1" C="1" Q="1" R="-1"', "symmetric positive", "-1"),
        ('kind="kalman" measured="u" A="2" C="0" Q="1" R="1"', "the covariance settles", '2" C'),
        ('kind="kalman" measured="u" in="u" A="1" C="1" Q="1" R="1"', "together", 'u" A'),
        ('kind="complementary" in="u" rate="1" time="1 s"', "rad", ""),
    ],
)
def test_what_is_refused_and_where(written: str, message: str, at: str) -> None:
    with pytest.raises(sistel.SistelError) as raised:
        system(f'<block name="y" {written}/>')
    first = raised.value.diagnostics[0]
    assert message in f"{first.message.en} {first.expected.en if first.expected else ''}"
    assert first.span.source.text[first.span.start :].startswith(at)
