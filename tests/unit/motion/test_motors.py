"""Electric motors against closed forms: run-up, stall, inductance, limits of current and speed, losses of the gear."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.simulation import Run

FULL_AHEAD = '<motion value="1e6 rad*t/1 s" kp="1e3" kd="1e2"/>'
"""Asks for more than any motor here can give."""
DC = 'resistance="1.2 Ohm" constant="0.05 V*s/rad"'
METHODS: list[dict[str, Any]] = [{"method": "taylor"}, {"method": "radau"}, {"method": "gauss", "step": 2e-4}]


def rotor(motor: str, body: str = 'inertia="2e-4" damping="1e-5"', rest: str = "", motion: str = FULL_AHEAD) -> str:
    """A rotor without weight that a motor turns against a constant moment."""
    return (
        f'<system name="rotor"><gravity value="0"/><body name="r" joint="revolute" mass="1" {body}>'
        f'<motor name="m" {motor}/>{rest}{motion}</body></system>'
    )


LOADED = rotor(f'voltage="24 V" inductance="3 mH" {DC}', rest='<moment value="-0.02 N*m"/>')
LIMITED = LOADED.replace('voltage="24 V"', 'voltage="24 V" current="6 A"')


def at_end(run: Run) -> list[float]:
    return [float(run.quantity("current(m)")[-1]), float(run.v[-1, 0]), float(run.q[-1, 0])]


def test_run_up_to_the_speed_without_load() -> None:
    """ω = U/k · (1 - exp(-k² t / (J R))), though 1000 rad/s are asked for."""
    text = rotor(
        'voltage="12 V" resistance="2 Ohm" constant="0.05 V*s/rad"',
        'inertia="1e-4"',
        motion='<motion value="1000 rad*t/1 s" kp="1e6" kd="1e2"/>',
    )
    run = sistel.parse(text).simulate(1.0)
    t = np.linspace(0.0, 1.0, 101)
    np.testing.assert_allclose(run(t)[1][:, 0], 240.0 * -np.expm1(-12.5 * t), rtol=1e-13, atol=1e-11)
    assert run.quantity("torque(m)", [0.0])[0] == pytest.approx(0.05 * 12 / 2, rel=1e-15)  # at stall
    np.testing.assert_allclose(run.quantity("voltage(m)", t), 12.0, rtol=1e-15)
    np.testing.assert_allclose(run.quantity("current(m)", t), 6.0 * np.exp(-12.5 * t), rtol=1e-9)


@pytest.mark.parametrize("how", METHODS)
def test_winding_with_inductance(how: dict[str, Any]) -> None:
    """Digits from arithmetic in 34 places; R 1.2, L 0.003, k 0.05, J 2e-4, b 1e-5, load 0.02, 24 V."""
    system = sistel.parse(LOADED)
    assert system.model.memory_names == ("current(m)",)
    run = system.simulate(0.1, **how)
    np.testing.assert_allclose(at_end(run), [7.53013241443998084, 303.817252449154083, 17.3385109673714264], rtol=1e-13)
    peak = run.quantity("current(m)", [0.00954366164979731919])[0]
    # Between its steps Gauss interpolates with a lower order.
    assert peak == pytest.approx(18.5935375988626342, rel=1e-11 if "step" in how else 1e-13)


@pytest.mark.parametrize("how", METHODS)
def test_current_is_limited(how: dict[str, Any]) -> None:
    """The current is at its limit exactly, and leaves it where U - kω - RI = 0."""
    run = sistel.parse(LIMITED).simulate(0.5, **how)
    np.testing.assert_allclose(
        at_end(run), [0.846450653019097333, 459.912847881188609, 149.944207522146366], rtol=1e-13
    )
    begin, end = 0.000892173057961649083, 0.241901083297547476
    np.testing.assert_allclose(run.quantity("current(m)", np.linspace(begin + 1e-9, end - 1e-9, 50)), 6.0, rtol=1e-14)
    assert run.quantity("current(m)", [begin - 1e-6, end + 1e-3]).max() < 6.0
    assert run([end])[1][0, 0] == pytest.approx(336.0, rel=1e-13)


def test_step_response_of_second_order() -> None:
    """Current and speed together: the exponential of their matrix."""
    R, L, k, J = 1.2, 3e-3, 0.05, 2e-4
    run = sistel.parse(rotor(f'voltage="24 V" inductance="3 mH" {DC}', 'inertia="2e-4"')).simulate(0.2)
    values, vectors = np.linalg.eig(np.array([[-R / L, -k / L], [k / J, 0.0]]))
    settled = np.array([0.0, 24.0 / k])
    weights = np.linalg.solve(vectors, -settled)
    t = np.linspace(0.0, 0.2, 41)
    exact = settled[:, None] + vectors @ (weights[:, None] * np.exp(values[:, None] * t))
    np.testing.assert_allclose(run.quantity("current(m)", t), exact[0], rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(run(t)[1][:, 0], exact[1], rtol=1e-11, atol=1e-11)


def test_current_of_a_rotor_that_is_held() -> None:
    """i = U/R · (1 - exp(-R t / L))."""
    text = rotor(f'voltage="24 V" inductance="3 mH" {DC}').replace(
        "</system>", '<links><lock name="brake" of="r"/></links></system>'
    )
    t = np.linspace(0.0, 0.05, 51)
    run = sistel.parse(text).simulate(0.05)
    assert np.abs(run.v).max() == 0.0
    np.testing.assert_allclose(run.quantity("current(m)", t), 20.0 * -np.expm1(-400.0 * t), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(run.reactions(t)["r"][:, 2], 0.0, atol=1e-12)
    np.testing.assert_allclose(run.quantity("torque(m)", t), 0.05 * run.quantity("current(m)", t), rtol=1e-15)


def test_gear_and_rotor() -> None:
    """A ratio of 30: the time constant is (J + n² Jr) R / (n k)², the speed U / (n k)."""
    text = rotor(f'voltage="24 V" ratio="-30" inertia="2e-5" {DC}', 'inertia="0.1"')
    t = np.linspace(0.0, 0.3, 31)
    run = sistel.parse(text).simulate(0.3)
    K, J = 30 * 0.05, 0.1 + 900 * 2e-5
    np.testing.assert_allclose(run(t)[1][:, 0], 24 / K * -np.expm1(-K * K / J / 1.2 * t), rtol=1e-12, atol=1e-13)


def test_current_limit_without_inductance() -> None:
    """A constant moment up to the speed at which the voltage allows no more."""
    run = sistel.parse(rotor(f'voltage="24 V" current="6 A" {DC}', 'inertia="2e-4"')).simulate(0.5)
    corner = (24 - 1.2 * 6) / 0.05
    until = corner / (0.05 * 6 / 2e-4)
    t = np.linspace(0.0, 0.5, 101)
    rising = t <= until
    v = np.where(rising, 1500.0 * t, 480.0 - (480.0 - corner) * np.exp(-0.0025 / 1.2 / 2e-4 * (t - until)))
    np.testing.assert_allclose(run(t)[1][:, 0], v, rtol=1e-12)
    np.testing.assert_allclose(run.quantity("current(m)", t[rising]), 6.0, rtol=1e-15)


@pytest.mark.parametrize("inductance", ["", 'inductance="2 mH"'])
@pytest.mark.parametrize("up", [True, False])
def test_efficiency_both_ways(inductance: str, up: bool) -> None:
    """A winch lifts with η of the moment of its motor; a load that overhauls it is braked by 1/η of it."""
    m, g, n, k, R, U, eta = 2.0, 9.81, 300.0, 0.04, 1.5, 24.0, 0.7
    text = f"""<system name="winch"><gravity value="{g}"/>
      <body name="b" joint="prismatic" axis="y" mass="{m}">
        <motor name="m" ratio="{n}" voltage="{U} V" resistance="{R} Ohm" constant="{k} V*s/rad"
               efficiency="{eta}" {inductance}/>
        <motion value="{-1 if up else 1}e6 m*t/1 s" kp="1e4" kd="1e4"/></body></system>"""
    run = sistel.parse(text).simulate(3.0)
    K = n * k
    settled = -(U - m * g * R / (K * eta)) / K if up else (U + m * g * R * eta / K) / K
    assert run.v[-1, 0] == pytest.approx(settled, rel=1e-11)
    assert run.quantity("torque(m)")[-1] == pytest.approx(-m * g, rel=1e-11)
    current = -m * g / K * (1 / eta if up else eta)
    assert run.quantity("current(m)")[-1] == pytest.approx(current, rel=1e-11)


def test_what_is_asked_for_within_limits_is_given_whatever_the_gear_loses() -> None:
    """The drive makes up for the loss: a servo moves as one without a winding."""
    servo = '<motion value="0.3 rad*sin(5*t/1 s)" kp="0.2" kd="0.02"/>'
    plain = sistel.parse(rotor('limit="1 N*m"', motion=servo)).simulate(2.0)
    lossy = sistel.parse(rotor(f'voltage="24 V" efficiency="0.6" {DC}', motion=servo)).simulate(2.0)
    t = np.linspace(0.0, 2.0, 101)
    np.testing.assert_allclose(lossy(t)[0], plain(t)[0], atol=1e-13)
    force, speed = lossy.quantity("torque(m)", t), lossy(t)[1][:, 0]
    drives = force * speed > 0
    fast = np.abs(speed) > 0.1
    current = np.where(drives, force / 0.6, force * 0.6) / 0.05
    np.testing.assert_allclose(lossy.quantity("current(m)", t)[fast], current[fast], rtol=1e-10)


def test_energy_balance() -> None:
    """What the supply gives is kinetic energy, heat in the winding, magnetic energy and what load and damping take."""
    run = sistel.parse(LOADED).simulate(0.1)
    x, w = np.polynomial.legendre.leggauss(12)
    edges = np.linspace(0.0, 0.1, 201)
    t = (edges[:-1, None] + (x + 1) / 2 * np.diff(edges)[:, None]).ravel()
    weights = np.tile(w, 200) * 0.1 / 400
    i, u = run.quantity("current(m)", t), run.quantity("voltage(m)", t)
    speed = run(t)[1][:, 0]
    supplied = weights @ (u * i)
    heat, load = weights @ (1.2 * i * i), weights @ (0.02 * speed + 1e-5 * speed**2)
    last, fast = at_end(run)[:2]
    assert supplied == pytest.approx(heat + load + 0.5 * 2e-4 * fast**2 + 0.5 * 3e-3 * last**2, rel=1e-12)
    assert weights @ run.quantity("power(m)", t) == pytest.approx(0.5 * 2e-4 * fast**2 + load, rel=1e-12)


def test_greatest_speed_is_kept_with_kd() -> None:
    """The speed that is asked for is cut: J v' = kd · (S - v)."""
    text = rotor('speed="100 rad/s"', 'inertia="2e-4"', motion='<motion value="1e3 rad*t/1 s" kp="1" kd="2e-3"/>')
    t = np.linspace(0.0, 0.5, 51)
    run = sistel.parse(text).simulate(0.5)
    np.testing.assert_allclose(run(t)[1][:, 0], 100.0 * -np.expm1(-10.0 * t), rtol=1e-12, atol=1e-12)


def test_greatest_speed_without_kd() -> None:
    """Nothing drives the joint beyond it; nothing slows it down there."""
    text = rotor('speed="100 rad/s" limit="0.2 N*m"', 'inertia="2e-4"', motion='<motion value="1e6 rad" kp="1"/>')
    run = sistel.parse(text).simulate(0.5)
    t = np.linspace(0.0, 0.5, 51)
    np.testing.assert_allclose(run(t)[1][:, 0], np.minimum(1000.0 * t, 100.0), rtol=1e-13)


def test_current_decays_where_nothing_commands() -> None:
    """A structure without the motion: the drive is off, and i falls as exp(-R t / L)."""
    text = LOADED.replace('kp="1e3"', 'structure="on" kp="1e3"').replace(
        "</system>",
        '<links><structure name="on"/><structure name="off"/><transition from="on" to="off" when="t &gt; 20 ms"/>'
        "</links></system>",
    )
    run = sistel.parse(text).simulate(0.05)
    assert run.final_structure == "off"
    t = np.linspace(0.0201, 0.04, 21)
    first = run.quantity("current(m)", [0.02])[0]
    np.testing.assert_allclose(run.quantity("current(m)", t), first * np.exp(-400.0 * (t - 0.02)), rtol=1e-12)
    assert run.reactions([0.03])["r"].shape == (1, 6)


def test_stops_and_friction_beside_a_winding() -> None:
    """The flow of systems with stops is another one: the current flows there as well."""
    beside = LOADED.replace('damping="1e-5"', 'damping="1e-5" max="1e6"').replace("<motor", '<stop at="max"/><motor')
    assert at_end(sistel.parse(beside).simulate(0.1)) == pytest.approx(
        at_end(sistel.parse(LOADED).simulate(0.1)), rel=1e-13
    )


def test_the_current_is_saved_and_taken_up_again(tmp_path: Path) -> None:
    system = sistel.parse(LIMITED)
    whole, part = system.simulate(0.5), system.simulate(0.2)
    assert at_end(part.resume(0.5)) == at_end(whole)
    part.save(tmp_path / "run.npz")
    again = Run.load(tmp_path / "run.npz")
    assert at_end(again.resume(0.5)) == at_end(whole)
    part.save(tmp_path / "run.csv")
    head = (tmp_path / "run.csv").read_text(encoding="utf-8").splitlines()
    assert head[0] == "t,structure,r,r',current(m)" and head[-1].endswith(",6.0")


def test_ensembles_follow_the_numbers_of_a_motor() -> None:
    text = LIMITED.replace("<gravity", '<parameter name="U" value="24 V"/><parameter name="L" value="3 mH"/><gravity')
    system = sistel.parse(
        text.replace('"24 V" current', '"U" current')
        .replace('"3 mH"', '"L"', 2)
        .replace('name="L" value="L"', 'name="L" value="3 mH"')
    )
    volts, henries = np.array([20.0, 24.0, 24.0]), np.array([3e-3, 3e-3, 1e-3])
    found = system.ensemble(0.5, parameters={"U": volts, "L": henries})
    assert not found.failed.any()
    for i, (U, L) in enumerate(zip(volts, henries, strict=True)):
        alone = sistel.parse(LIMITED.replace("24 V", f"{U} V").replace("3 mH", f"{L} H")).simulate(0.5)
        np.testing.assert_allclose(found.state[i], alone.last, rtol=1e-12)


def test_words_round_trip() -> None:
    system = sistel.parse(LIMITED.replace('voltage="24 V"', 'voltage="24 V" efficiency="0.5" ratio="3"'))
    for lang in ("en", "ru"):
        again = sistel.parse(system.to_xml(lang))
        assert again.model.fingerprint == system.model.fingerprint
        (motor,) = again.model.motors
        assert (motor.current, motor.voltage, motor.inductance) == (6.0, 24.0, 3e-3)


def test_refusals() -> None:
    plain = sistel.parse(rotor('limit="1 N*m"'))
    run = plain.simulate(0.1)
    with pytest.raises(sistel.SistelError, match="neither current nor voltage"):
        run.quantity("current(m)")
    with pytest.raises(sistel.SistelError, match="current of a motor"):
        sistel.parse(LOADED).cycle(period=1.0)
