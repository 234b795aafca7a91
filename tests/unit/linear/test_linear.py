"""Linear systems: digits of references, central differences on the constraints, and what other packages make of them."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from types import ModuleType
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


def same(found: Any, expected: Any, rel: float = 0.0, abs: float = 1e-15) -> bool:
    return bool(np.allclose(found, np.array(expected), rtol=rel, atol=abs))


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


@pytest.mark.parametrize(
    ("name", "until", "states"),
    [
        ("ball_slips_and_rolls", 0.1, 4),  # sliding with friction
        ("ball_slips_and_rolls", 1.9, 3),  # rolling in the plane: as many places as velocities, and one more
        ("conveyor", 0.9, 1),  # carried by a belt
        ("backlash", 0.3, 2),  # on a flank
    ],
)
def test_structures_that_contacts_make(name: str, until: float, states: int) -> None:
    system = gallery(name)
    linear = system.simulate(until).linearize()
    assert len(linear.states) == states and linear.warnings == ()
    assert same(linear.A, Charted(linear).differences()[0], abs=1e-8)
    again = system.linearize(linear.structure, at=linear.q, v=linear.v, t=linear.t)
    assert same(again.A, linear.A, abs=1e-9) and again.structure == linear.structure


# --- inputs and outputs --------------------------------------------------------------------------------------------------


def test_outputs_are_expressions_of_the_language() -> None:
    # What carries the pole is its mass times the acceleration of its centre; the energy is at rest a sum of squares.
    asked = ["x(tip)", "vx(tip)", "reaction(pole).x", "torque(drive)", "energy()"]
    linear = gallery("cart_pole").linearize(at="zero", outputs=asked)
    assert linear.output_names == tuple(asked)
    assert [each.unit for each in linear.outputs] == ["m", "m/s", "N", "N", "N·m"]
    assert linear.C[:2] == pytest.approx(np.array([[1, 1, 0, 0], [0, 0, 1, 1]]), abs=1e-15)
    assert linear.C[2] == pytest.approx(0.1 * (linear.A[2] + 0.5 * linear.A[3]), abs=1e-14)
    assert linear.D[2] == pytest.approx(0.1 * (linear.B[2] + 0.5 * linear.B[3]), abs=1e-15)
    assert linear.D[3:].tolist() == [[1.0], [0.0]] and np.abs(linear.C[3:]).max() < 1e-15
    assert linear.outputs[4].value == pytest.approx(0.1 * 9.81 * 0.5)


def test_motors_that_hold_a_mechanism_make_an_equilibrium() -> None:
    system = gallery("five_bar")
    q = system.assemble()
    linear = system.linearize(at=q, tau="hold")
    assert linear.equilibrium and not system.linearize(at=q).equilibrium
    held = system.static_forces(q)
    assert [each.value for each in linear.inputs] == pytest.approx(held[[each.index for each in linear.inputs]])
    # By hand: the rates of the coordinates by the forces are the inverse of the mass that they move.
    assert linear.B[2:] == pytest.approx(linear.B[2:].T, rel=1e-12) and np.linalg.eigvalsh(linear.B[2:]).min() > 0


MOTOR = """<system><body name="wheel" joint="revolute" mass="1" inertia="0.02" friction="0.003 N*m*s/rad">
    <motor name="m" voltage="24 V" resistance="2 Ohm" constant="0.1 V*s/rad" ratio="5"{}/></body></system>"""


def test_voltage_of_a_settled_winding() -> None:
    # J w' = K (u - K w) / R - c w, K = ratio k.
    linear = sistel.parse(MOTOR.format("")).linearize(inputs="voltage", outputs=["current(m)"])
    K, J = 0.5, 0.02
    assert same(linear.A, [[0, 1], [0, -(K * K / 2 + 0.003) / J]], rel=1e-14)
    assert linear.B[:, 0] == pytest.approx([0, K / 2 / J], rel=1e-14)
    assert (linear.C[0, 1], linear.D[0, 0]) == pytest.approx((-K / 2, 1 / 2), rel=1e-14)
    assert linear.inputs[0].unit == "V"


def test_voltage_of_a_winding_with_inductance() -> None:
    # L i' = u - R i - K w; J w' = K i - c w.
    linear = sistel.parse(MOTOR.format(' inductance="0.004 H"')).linearize(inputs="voltage")
    assert linear.state_names == ("wheel", "wheel'", "current(m)")
    expected = [[0, 1, 0], [0, -0.15, 25], [0, -125, -500]]
    assert same(linear.A, expected, rel=1e-14)
    assert linear.B[:, 0] == pytest.approx([0, 0, 250], rel=1e-14)


def test_motions_close_the_loop() -> None:
    # J q'' = kp (r - q) - kd q' + u; without them the motor is the input alone.
    text = """<system><body name="wheel" joint="revolute" mass="1" inertia="0.5"><motor name="m"/>
        <motion value="0.3 rad" kp="8" kd="2"/></body></system>"""
    system = sistel.parse(text)
    assert system.linearize(at=[0.3], motions=True).A[1] == pytest.approx([-16, -4])
    assert system.linearize(at=[0.3]).A[1] == pytest.approx([0, 0])
    with pytest.raises(sistel.SistelError, match="no electric motor"):
        system.linearize(inputs="voltage", motions=False)


def test_forced_motions_hold_where_no_input_is() -> None:
    # The belt moves as it is told, and the block is locked to it: nothing can deviate.
    linear = gallery("stick_slip").simulate(1.0).linearize(0.8)
    assert linear.states == () and linear.stable and "no states" in str(linear)


def test_what_dry_friction_holds_is_no_state() -> None:
    # Pushed with less than it takes to slip, a block stays; the spring on it moves a second one.
    system = sistel.parse(
        """<system><gravity value="0"/><body name="a" joint="prismatic" axis="x" mass="1" friction="5 N">
        <body name="b" joint="prismatic" axis="x" mass="2" stiffness="8 N/m"/></body><start b="100"/></system>"""
    )
    linear = system.simulate(0.1).linearize(inputs=["b"])
    assert linear.state_names == ("b", "b'") and linear.warnings == ()
    assert same(linear.A, [[0, 1], [-4, 0]], abs=1e-14) and same(linear.B, [[0], [0.5]])


def test_dry_friction_at_rest_is_warned_of() -> None:
    (warning,) = gallery("puma560").linearize().warnings
    assert "kink" in warning.en and "излом" in warning.ru


# --- what is made of it --------------------------------------------------------------------------------------------------


def test_feedback_holds_the_pole_in_a_run() -> None:
    # The law as a force of the file: from 0.3 rad the nonlinear system comes to rest, and as the linear one at the end.
    K = cart().lqr([1, 10, 1, 1], 0.1).K[0]
    law = "-({} N/m)*q(cart) - ({} N/rad)*angle(pole) - ({} N*s/m)*v(cart) - ({} N*s/rad)*rate(pole)".format(*K)
    system = sistel.parse(
        CART.replace("<motor", f'<force name="law" value="{law}, 0"/><motor').format('<start pole="0.3 rad"/>')
    )
    run = system.simulate(12.0)
    assert np.abs(np.concatenate(run(12.0))).max() < 1e-4
    closed = system.linearize(at="zero")
    assert closed.poles == pytest.approx(cart().lqr([1, 10, 1, 1], 0.1).poles, rel=1e-10)
    small = cart().deviation([1e-6, 2e-6], [3e-6, 4e-6])
    assert small == pytest.approx([1e-6, 2e-6, 3e-6, 4e-6])


def test_discrete_steps() -> None:
    scipy_signal = pytest.importorskip("scipy.signal")
    step = cart().discrete(0.01)
    A, B, *_ = scipy_signal.cont2discrete((cart().A, cart().B, cart().C, cart().D), 0.01)
    assert same(step.A, A, rel=1e-13) and same(step.B, B, rel=1e-12)
    assert sorted(step.frequencies) == pytest.approx(sorted(cart().frequencies), rel=1e-9, abs=1e-7)
    feedback = step.lqr([1, 10, 1, 1], 0.1)
    assert np.abs(feedback.poles).max() < 1 and step.closed(feedback.K).stable
    assert step.to_scipy().dt == 0.01  # type: ignore[attr-defined]
    with pytest.raises(sistel.SistelError, match="already"):
        step.discrete(0.1)


def test_modes_out_of_reach_are_named() -> None:
    # Two pendulums, one of them driven; the other swings as it likes.
    rod = '<body name="{}" joint="revolute" mass="1" com="0, 500">{}</body>'
    system = sistel.parse(f"<system>{rod.format('a', '<motor/>')}{rod.format('b', '')}</system>")
    linear = system.linearize()
    reach = linear.controllability
    assert (reach.rank, reach.size, reach.full, reach.states) == (2, 4, False, ("b", "b'"))
    assert np.abs(reach.poles) == pytest.approx([np.sqrt(9.81 / 0.5)] * 2)
    with pytest.raises(sistel.SistelError, match="modes of b, b'"):
        linear.lqr([1, 1, 1, 1])
    assert linear.only(["a", "a'"]).controllability.full
    with pytest.raises(sistel.SistelError, match="depend on others: a"):
        linear.only(["a'", "b", "b'"])


def test_python_control_gets_names(monkeypatch: pytest.MonkeyPatch) -> None:
    linear = gallery("bicycle").linearize(inputs=["fork"])
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(sistel.SistelError, match=r"sistel\[control\]"):
        linear.to_control()
    package = ModuleType("control")
    package.StateSpace = lambda *matrices, **names: (matrices, names)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "control", package)
    matrices, names = linear.to_control()  # type: ignore[misc]
    assert matrices[0] is linear.A and matrices[4] == 0
    assert names["inputs"] == ["fork"] and names["states"][0] == "frame_rx"


# --- what is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("four_bar", {"at": [1.0, 0.0, 0.0]}, "do not allow these coordinates: crank"),
        ("four_bar", {"at": {"crank": 1.0}, "v": [1, 1, 1]}, "do not allow these velocities"),
        ("four_bar", {"coordinates": ["crank", "rocker"]}, "1 independent ones are needed"),
        ("cart_pole", {"tau": [0, 1]}, "tau acts where no input does: pole"),
        ("cart_pole", {"inputs": ["drivee"]}, 'did you mean "drive"'),
        ("cart_pole", {"structure": "nothing"}, 'no structure "nothing"'),
        ("cart_pole", {"structure": [0.0]}, r'no structure "\[0.0\]"'),
        ("ball_slips_and_rolls", {"structure": "стол slipz"}, 'no structure "стол slipz"'),
    ],
)
def test_refusals(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(sistel.SistelError, match=said):
        gallery(name).linearize(**options)


def test_links_that_depend_on_each_other_are_refused() -> None:
    # A parallelogram stretched out: it can leave that posture in two ways.
    bar = 'joint="revolute" mass="1" com="{0}, 0"'
    system = sistel.parse(
        f"""<system><body name="a" {bar.format(250)}><body name="b" {bar.format(500)} place="500, 0">
        <point name="end" place="1000, 0"/></body></body><body name="c" {bar.format(250)} place="1000, 0"/>
        <links><closure name="loop" joint="revolute" body="b" at="1000, 0" to="c" at-to="500, 0"/></links></system>"""
    )
    with pytest.raises(sistel.SistelError, match='structure "only" depend on each other at this point: loop'):
        system.linearize(at=[0.0, 0.0, 0.0])


# --- schemes -------------------------------------------------------------------------------------------------------------


def test_a_scheme_closes_the_loop() -> None:
    # J q'' = kp (r - q) + ki ∫ (r - q) dt - kd q': one more state, and q follows r in the end.
    system = sistel.parse(
        """<system><gravity value="0"/><body name="a" joint="revolute" mass="1" com="0,0" inertia="0.25"><motor name="a"/></body>
        <scheme name="c"><input name="r" value="0.2 rad"/>
        <block name="u" kind="pid" in="r - angle(a)" rate="-rate(a)" kp="30 N*m/rad" ki="40 N*m/rad/s" kd="1 N*m*s/rad"/>
        <output motor="a" from="u"/></scheme><start a="0.2 rad"/></system>"""
    )
    closed = system.linearize(motions=True, inputs=["r"])
    assert len(closed.states) == 3 and closed.equilibrium and closed.inputs[0].value == 0.2
    assert closed.poles == pytest.approx(np.sort_complex(np.roots([0.25, 1, 30, 40])), rel=1e-12)
    assert np.linalg.solve(-closed.A, closed.B)[0, 0] == pytest.approx(1.0, rel=1e-12)
    plant = system.linearize()
    assert same(plant.A, [[0, 1], [0, 0]]) and same(plant.B, [[0], [4]])


def test_ticks_are_no_part_of_it() -> None:
    system = sistel.parse(
        """<system><body name="a" joint="revolute" mass="1" com="0,500"><motor name="a"/></body>
        <scheme name="c" period="10 ms"><output motor="a" from="-2 N*m/rad*angle(a)"/></scheme></system>"""
    )
    assert system.linearize().warnings == ()
    (warning,) = system.linearize(motions=True).warnings
    assert "(c)" in warning.en and "тактами" in warning.ru
