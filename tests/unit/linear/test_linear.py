"""Linear systems: digits of references, central differences on the constraints, and what other packages make of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.charts import Charted

import sistel
from sistel.linear import Linear

MODELS = Path(__file__).resolve().parents[3] / "models"
CART = """<system><body name="cart" joint="prismatic" axis="x" mass="1"><motor name="drive"/>
    <body name="pole" joint="revolute" mass="0.2" com="0, -500" inertia="0.2 kg*(1 m)^2/12"/></body>{}</system>"""
DOUBLE = """<system><body name="one" joint="revolute" mass="1" com="0, 250" inertia="1 kg*(0.5 m)^2/12"><motor/>
    <body name="two" joint="revolute" place="0, 500" mass="0.8" com="0, 200" inertia="0.8 kg*(0.4 m)^2/12"/>
    </body></system>"""


@cache
def gallery(name: str) -> sistel.System:
    return sistel.load(MODELS / f"{name}.xml")


@cache
def cart() -> Linear:
    return sistel.parse(CART.format("")).linearize()


# --- digits of references ------------------------------------------------------------------------------------------------


def test_inverted_pendulum_on_a_cart() -> None:
    # By hand, against a nonlinear model in 30 digits; the gain from Riccati's equation in 60 digits.
    linear = cart()
    assert linear.state_names == ("cart", "pole", "cart'", "pole'")
    expected = np.zeros((4, 4))
    expected[0, 2] = expected[1, 3] = 1.0
    expected[2, 1], expected[3, 1] = -1.40142857142857143, 16.8171428571428571
    assert pytest.approx(expected, rel=1e-14, abs=1e-15) == linear.A
    assert linear.B[:, 0] == pytest.approx([0, 0, 20 / 21, -10 / 7], rel=1e-14)
    feedback = linear.lqr([1, 10, 1, 1], 0.1)
    gain = [-3.16227766016837933, -51.2451578163017653, -5.95386758955585896, -13.0926329303239219]
    assert feedback.K[0] == pytest.approx(gain, rel=1e-12)
    assert pytest.approx(linear.lqr({"cart": 1, "pole": 10, "cart'": 1, "pole'": 1}, {"drive": 0.1}).K) == feedback.K
    assert linear.closed(feedback.K).poles == pytest.approx(feedback.poles, rel=1e-12)
    assert linear.closed(feedback.K).stable and not linear.stable and linear.equilibrium
    assert linear.controllability.full and linear.observability.full


def test_hanging_double_pendulum() -> None:
    linear = sistel.parse(DOUBLE).linearize()
    assert linear.A[2:, :2] == pytest.approx(np.array([[-25.75125, 22.0725], [37.24734375, -100.2459375]]), rel=1e-14)
    assert linear.B[2:, 0] == pytest.approx([7.5, -21.5625], rel=1e-14)
    assert sorted(linear.frequencies)[::2] == pytest.approx([3.99915048185190173, 10.4882783584105786], rel=1e-13)
    assert linear.damping == pytest.approx(0.0, abs=1e-14)
    gain = [-2.73203233024627600, -5.33660978509544349, 1.92804472439548939, -0.956893700311020795]
    assert linear.lqr([10, 10, 1, 1], 0.5).K[0] == pytest.approx(gain, rel=1e-12)


@pytest.mark.parametrize(
    ("speed", "poles"),
    [
        (2.0, [-8.67387984831737163, -3.07158645641514251, 2.68234517512745345 + 1.68066296590675776j]),
        (5.0, [-14.0783896927982472, -0.775341882195841925 + 4.46486771378822514j, -0.322866429004087078]),
        (8.0, [-20.2794089439456630, -2.69348683581094772 + 8.4603797139693359j, 0.143278797657129498]),
    ],
)
def test_bicycle(speed: float, poles: list[complex]) -> None:
    # Meijaard, Papadopoulos, Ruina, Schwab 2007: 7 places and 3 velocities, of which lean and steer matter to others.
    linear = gallery("bicycle").with_parameters(speed=speed, push=0.0).linearize()
    assert (len(linear.states), linear.equilibrium, linear.warnings) == (10, True, ())
    lean = linear.only()
    assert lean.state_names == ("frame.rx", "fork", "frame.wx'", "fork'")
    found = [pole for pole in lean.poles if pole.imag >= 0]
    assert found == pytest.approx(poles, rel=1e-11)
    assert sorted(abs(linear.poles))[:6] == [0.0] * 6


# --- central differences -------------------------------------------------------------------------------------------------


def arm() -> Linear:
    rng = np.random.default_rng(3)
    system = gallery("puma560")
    q, v, tau = (rng.uniform(-1, 1, 6) for _ in range(3))
    return system.linearize(at=q, v=v, tau=10 * tau)


def four_bar() -> Linear:
    return gallery("four_bar").linearize(at={"crank": 1.0}, v=_rolling("four_bar", {"crank": 1.0}, 0.7))


def _rolling(name: str, at: dict[str, float], speed: float) -> Any:
    """Velocities of a mechanism with one freedom."""
    system = gallery(name)
    still = system.linearize(at=at)
    J = system.constraint_jacobian(still.q)
    free = np.linalg.svd(J)[2][-1]
    return speed * free / free[0]


def walker() -> Linear:
    # A run that stands on the left foot, whose free joint has become a hinge about its sole.
    return gallery("walker").simulate(0.2).linearize(0.15)


def spinning() -> Linear:
    system = sistel.parse(
        '<system space="spatial"><body name="b" joint="free" mass="2" com="10, 20, -30" inertia="0.1, 0.2, 0.3, 0.01, 0, 0">'
        '<body name="tail" joint="spherical" place="100, 0, 0" mass="1" com="0, 0, -200" inertia="0.01, 0.02, 0.01"/>'
        "</body></system>"
    )
    rng = np.random.default_rng(4)
    turn, tail = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 4)))
    q = [*turn, 0.1, 0.2, 0.3, *tail]
    return system.linearize(at=q, v=rng.uniform(-1, 1, 9), inputs=["b", "tail"], tau=rng.uniform(-1, 1, 9))


def bicycle() -> Linear:
    # Leaning and steering, somewhere on its way: nothing is zero, and velocities are held without places.
    return gallery("bicycle").simulate(0.4).linearize(inputs=["fork", "rear_wheel"])


@pytest.mark.parametrize("make", [arm, four_bar, walker, spinning, bicycle])
def test_central_differences(make: Any) -> None:
    linear = make()
    assert linear.warnings == ()
    chart = Charted(linear)
    A, B = chart.differences()
    size = max(1.0, float(np.abs(linear.A).max()))
    assert linear.A / size == pytest.approx(A / size, abs=1e-8)
    assert pytest.approx(B, abs=1e-8 * max(1.0, float(np.abs(B).max(initial=0.0)))) == linear.B
