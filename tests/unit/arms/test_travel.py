"""Along a trajectory: forces, powers, loads and friction, each against a second way of computing it."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.arms import Payload
from sistel.face._travel import _carrying
from sistel.motion import trajectories as tr
from sistel.solve.anfis import train_dynamics

MODELS = Path(__file__).parents[3] / "models"

# P. Corke and B. Armstrong-Helouvry, "A search for consensus among model parameters reported for the PUMA 560 robot",
# ICRA 1994; torques for these parameters recomputed with 20 digits by Newton and Euler in multiple precision [N·m].
GRAVITY = {
    "zero": (0, 37.48366665, 0.24892875, 0, 0, 0),
    "ready": (0, -0.77523525, 0.24892875, 0, 0, 0),
    "stretched": (0, 46.006938, 8.7722001, 0, 0.0282528, 0),
    "nominal": (0, 31.639880378357121048, 6.0351380230105122302, 0, 0.0282528, 0),
}
POSTURES = {
    "zero": (0, 0, 0, 0, 0, 0),
    "ready": (0, math.pi / 2, -math.pi / 2, 0, 0, 0),
    "stretched": (0, 0, -math.pi / 2, 0, 0, 0),
    "nominal": (0, math.pi / 4, math.pi, 0, math.pi / 4, 0),
}
# At "nominal": speed and acceleration of every joint [rad/s, rad/s²], friction and rotors included.
TORQUES = {
    (0.0, 1.0): (
        3.3531108580630241663, 36.002511243975701536, 7.4259640773502702033,
        0.19004303456689685151, 0.20344093111341469392, 0.1941327899392474619,
    ),
    (1.0, 1.0): (
        32.495242754930701344, 60.866988475136302847, 17.743594912764320598,
        1.4545190260797086527, 1.2991104105378865107, 0.7137808874836949238,
    ),
    (1.0, 0.0): (
        29.142131896867677178, 56.504357609517722359, 16.352768858424562625,
        1.2644759915128118012, 1.1239222794244718168, 0.5196480975444474619,
    ),
}  # fmt: skip
REST = [0.3, 0.5, -2.6, 0.2, 0.6, -0.1]
MOVED = [0.9, -0.1, -1.7, 0.6, -0.5, 0.8]


@pytest.fixture(scope="module")
def puma() -> sistel.System:
    return sistel.load(MODELS / "puma560.xml")


def moving(q: tuple[float, ...], speed: float, gain: float) -> tr.Trajectory:
    """A motion that begins in a posture with a speed and an acceleration of all joints."""
    begin, still = np.full(6, speed), np.zeros(6)
    return tr.polynomial_move(
        q, np.array(q) + 0.1, 1.0, velocities=(begin, still), accelerations=(np.full(6, gain), still)
    )


@pytest.mark.parametrize("name", GRAVITY)
def test_the_published_weight_of_the_puma(puma: sistel.System, name: str) -> None:
    still = tr.polynomial_move(POSTURES[name], POSTURES[name], 1.0)
    way = puma.along(still, "tool", every=0.5)
    assert np.abs(way.torques - np.array(GRAVITY[name])).max() < 1e-12
    assert not way.power.any() and not way.energy.any()


@pytest.mark.parametrize("case", TORQUES)
def test_the_published_torques_of_the_puma(puma: sistel.System, case: tuple[float, float]) -> None:
    way = puma.along(moving(POSTURES["nominal"], *case), "tool", times=[0.0], applied=True)
    # The published friction of joints at rest is none, as here.
    assert way.torques[0] == pytest.approx(TORQUES[case], rel=1e-13, abs=1e-13)


def loaded(text: str) -> sistel.System:
    """The arm of five joints with a load as a body of its own, fixed where the tool is."""
    mark = '<репер имя="инструмент" место="0, 0, d5"/>'
    assert mark in text
    load = (
        '<тело имя="груз" КП="ЖКП" место="0, 0, d5" масса="0.7" ЦМ="12, -5, 30" '
        'инерция="2e-4, 3e-4, 2.5e-4, 1e-5, -2e-5, 3e-5"/>'
    )
    return sistel.parse(text.replace(mark, mark + load))


def test_a_load_is_a_body_in_the_hand() -> None:
    text = (MODELS / "arm5.xml").read_text(encoding="utf-8")
    arm, other = sistel.parse(text), loaded(text)
    load = Payload(mass=0.7, centre=(0.012, -0.005, 0.03), inertia=(2e-4, 3e-4, 2.5e-4, 1e-5, -2e-5, 3e-5))
    move = tr.polynomial_move([0.1, 0.9, -0.7, 0.5, 0.2], [0.8, 0.4, 0.6, 1.2, -0.9], 0.8)
    way, expected = arm.along(move, "инструмент", payload=load), other.along(move, "инструмент")
    size = np.abs(expected.torques).max()
    assert size > 2.0 and np.abs(way.torques - expected.torques).max() < 2e-14 * size
    assert np.abs(way.kinetic - expected.kinetic).max() < 1e-14
    # The zero of the potential is the ground's in both.
    assert np.abs(way.potential - expected.potential).max() < 1e-14
    for name, carried in way.reactions.items():
        assert np.abs(carried - expected.reactions[name]).max() < 1e-12 * np.abs(expected.reactions[name]).max()
    plain = arm.along(move, "инструмент")
    assert np.abs(plain.torques - expected.torques).max() > 0.5 and plain.payload is None


def test_a_load_by_its_own_equations(puma: sistel.System) -> None:
    """Newton's and Euler's laws of the load alone, carried to the joints by the Jacobian."""
    mass, centre = 4.0, np.array([0.02, 0.05, 0.1])
    move = tr.polynomial_move(REST, MOVED, 1.0)
    way = puma.along(move, "tool", payload=[mass, *centre, 0.02, 0.03, 0.025])
    plain = puma.along(move, "tool")
    R, J = plain.poses[:, :3, :3], puma.jacobian(plain.q, "tool")
    w, u = plain.velocity[:, :3], plain.acceleration[:, :3]
    r = R @ centre
    gain = plain.acceleration[:, 3:] + np.cross(u, r) + np.cross(w, np.cross(w, r))
    force = mass * (gain - np.array([0.0, 0.0, -9.81]))
    inertia = R @ np.diag([0.02, 0.03, 0.025]) @ np.swapaxes(R, 1, 2)
    turned = np.einsum("nij,nj->ni", inertia, u) + np.cross(w, np.einsum("nij,nj->ni", inertia, w))
    wrench = np.concatenate([turned + np.cross(r, force), force], axis=1)
    expected = plain.torques + np.einsum("nij,ni->nj", J, wrench)
    assert np.abs(way.torques - expected).max() < 1e-12 * np.abs(expected).max()
    # The same systems are used again, and a massless load is none.
    assert puma.along(move, "tool", payload=0.0).torques == pytest.approx(plain.torques, abs=0.0)


def test_a_load_follows_parameters() -> None:
    """Formulas of parameters become heavier too: what a page needs to change them."""
    arm = sistel.load(MODELS / "arm5.xml")
    arm.along(tr.polynomial_move([0.0] * 5, [0.1] * 5, 1.0), "инструмент", payload=1.5)
    heavy = _carrying(arm, "инструмент", Payload(mass=1.5))
    assert heavy._recipe.build().fingerprint == heavy.fingerprint != arm.fingerprint
    lettered = heavy.model.lettered
    assert lettered is not None and lettered.at(lettered.trace.values).fingerprint == heavy.fingerprint


ROD = """<system space="spatial"><body name="rod" joint="revolute" axis="y" mass="2" com="300, 0, 0"
  inertia="0, 0.06, 0.06" damping="0.4" friction="1.5"><frame name="tip" place="600, 0, 0"/>
  <motor limit="{limit} N*m"/></body></system>"""


def test_friction_and_damping_by_a_closed_form() -> None:
    """A rod about a level axis: I a − m g l cos q, and against the motion the damper and the dry friction."""
    arm = sistel.parse(ROD.format(limit=100))
    there = tr.spline([[0.0], [1.2], [0.2]], [0.0, 1.0, 2.5])
    way = arm.along(there, "tip", applied=True)
    q, v, a = way.q[:, 0], way.v[:, 0], way.a[:, 0]
    inertia = 0.06 + 2 * 0.3**2
    expected = inertia * a - 2 * 9.81 * 0.3 * np.cos(q) + 0.4 * v + 1.5 * np.sign(v)
    assert np.abs(way.torques[:, 0] - expected).max() < 1e-14 * 20
    assert np.abs(arm.along(there, "tip").torques[:, 0] - (expected - 0.4 * v - 1.5 * np.sign(v))).max() < 1e-13
    # Work: what is stored, what the damper has taken, and what friction has: 1.5 N·m times the way there and back.
    stored = way.kinetic + way.potential
    knots = np.linspace(0.0, 2.5, 20001)
    speed = there(knots)[1][:, 0]
    damped = 0.4 * np.sum(speed[1:-1:2] ** 2 * 4 + speed[:-2:2] ** 2 + speed[2::2] ** 2) * (2.5 / 20000) / 3
    path = 1.5 * np.sum(np.abs(np.diff(there(np.linspace(0.0, 2.5, 200001))[0][:, 0])))
    # Simpson's rule and a broken line as the other way: both are good for ten digits.
    assert way.total_energy[-1] - (stored[-1] - stored[0]) == pytest.approx(damped + path, rel=1e-9)


def test_powers_are_rates_of_energy(puma: sistel.System) -> None:
    """Without friction all power goes into the bodies: the second way to the torques."""
    move = tr.fastest_move(REST, MOVED, tr.Limits(1.5, 4.0, 40.0))
    way = puma.along(move, "tool", payload=3.0)
    stored = way.kinetic + way.potential
    assert np.abs(way.total_energy - (stored - stored[0])).max() < 1e-12 * np.abs(stored).max()
    h = 1e-4
    t = np.linspace(0.2, move.t1 - 0.2, 11)
    knots = move.knots
    t = t[np.abs(t[:, None] - knots).min(axis=1) > 3 * h]
    stencil = puma.along(move, "tool", payload=3.0, times=np.sort((t[:, None] + h * np.arange(-2, 3)).ravel()))
    for energy in (stencil.total_energy, stencil.kinetic + stencil.potential):
        rows = energy.reshape(-1, 5)
        slope = (rows[:, 0] - 8 * rows[:, 1] + 8 * rows[:, 3] - rows[:, 4]) / (12 * h)
        # Of the order h⁴ and rounding over h.
        assert np.abs(slope - stencil.total_power.reshape(-1, 5)[:, 2]).max() < 1e-8


def test_reactions_balance_the_weight(puma: sistel.System) -> None:
    """At rest the first joint carries everything but the base; a drive is the part of a reaction about its axis."""
    still = tr.polynomial_move(REST, REST, 1.0)
    way = puma.along(still, "tool", payload=2.0, times=[0.0])
    masses = sum(body.mass for body in puma.bodies)
    assert way.reactions["waist"][0, 3:] == pytest.approx([0, 0, 9.81 * (masses + 2.0)], abs=1e-11)
    for i, body in enumerate(puma.bodies):
        axis = puma.pose(way.q[0], body.name)[:3, :3] @ np.array(body.joint.axis)
        assert axis @ way.reactions[body.joint.name][0, :3] == pytest.approx(way.torques[0, i], abs=1e-11)


def test_networks_are_compared() -> None:
    arm = sistel.parse(ROD.format(limit=100))
    networks = train_dynamics(arm, 400, rules=6, epochs=10, low=[-1.0], high=[1.5])
    way = arm.along(tr.polynomial_move([0.0], [0.8], 2.0), "tip", networks=networks)
    assert way.torques_anfis is not None and way.anfis_errors is not None
    errors = np.abs(way.torques_anfis - way.torques)[:, 0]
    assert way.anfis_errors[0].worst == pytest.approx(errors.max()) and errors.max() < 0.5
    assert way.anfis_errors[0].rmse == pytest.approx(math.sqrt((errors**2).mean()))
    other = sistel.load(MODELS / "puma560.xml")
    with pytest.raises(sistel.SistelError, match="another system"):
        other.along(tr.polynomial_move([0.0] * 6, [0.1] * 6, 1.0), "tool", networks=networks)
    with pytest.raises(sistel.SistelError, match="no networks of forces"):
        other.along(tr.polynomial_move([0.0] * 6, [0.1] * 6, 1.0), "tool", networks=3)


def test_some_joints_by_name(puma: sistel.System) -> None:
    move = tr.polynomial_move([0.1, -0.2], [0.5, 0.3], 1.0, names=["forearm", "waist"])
    way = puma.along(move, "tool", q=REST, times=[0.0, 0.5, 1.0])
    assert way.q[-1].tolist() == [0.3, REST[1], 0.5, *REST[3:]] and not way.v[:, 1].any()
    assert puma.along(move.table(0.1), "tool", every=0.5).q[-1, 2] == 0.5


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (-1.0, "mass"),
        (math.nan, "finite"),
        ((1.0, 2.0), "no load"),
        ("heavy", "no load"),
        ((1.0, 0, 0, 0, 1.0, 1.0, 3.0), "moments"),
        ((0.0, 0, 0, 0, 1.0, 1.0, 1.0), "no mass"),
    ],
)
def test_wrong_loads(puma: sistel.System, payload: object, said: str) -> None:
    with pytest.raises(sistel.SistelError, match=said):
        puma.along(tr.polynomial_move([0.0] * 6, [0.1] * 6, 1.0), "tool", payload=payload)  # type: ignore[arg-type]


def test_wrong_calls(puma: sistel.System) -> None:
    move = tr.polynomial_move([0.0] * 6, [0.1] * 6, 1.0)
    named = tr.polynomial_move([0.0], [0.1], 1.0, names=["elbo"])
    twice = tr.polynomial_move([0.0, 0.0], [0.1, 0.2], 1.0, names=["elbow", "forearm"])
    for said, wrong in (
        ("forearm", lambda: puma.along(named, "tool")),
        ("twice", lambda: puma.along(twice, "tool")),
        ("too", lambda: puma.along(move, "toool")),
        ("exclude", lambda: puma.along(move, "tool", every=0.1, times=[0.0])),
        ("times", lambda: puma.along(move, "tool", times=[1.0, 0.0])),
        ("times", lambda: puma.along(move, "tool", times=[])),
        ("above 0", lambda: puma.along(move, "tool", every=-1.0)),
        ("task", lambda: puma.along(move, "tool", task="posture")),  # type: ignore[arg-type]
        ("no trajectory", lambda: puma.along(np.eye(4), "tool")),  # type: ignore[arg-type]
        ("structure", lambda: puma.along(move, "tool", structure="walk")),
        ("q", lambda: puma.along(move, "tool", q=[1.0])),
        ("shape", lambda: puma.through(np.eye(4), "tool", times=[0.0])),
        ("pose 1 of 2", lambda: puma.through(np.array([np.eye(4)] * 2), "tool", q=REST)),
        ("times or limits", lambda: puma.through(puma.pose([REST, MOVED], "tool"), "tool", q=REST)),
    ):
        with pytest.raises(sistel.SistelError, match=said) as caught:
            wrong()
        assert all(each.message.ru for each in caught.value.diagnostics)
    ball = sistel.parse('<system space="spatial"><body name="b" joint="ball" mass="1" inertia="1,1,1"/></system>')
    with pytest.raises(sistel.SistelError, match="hinges"):
        ball.along(move, "b")
    loop = sistel.load(MODELS / "four_bar.xml")
    with pytest.raises(sistel.SistelError, match="links"):
        loop.along(tr.polynomial_move([0.0] * loop.nq, [0.1] * loop.nq, 1.0), loop.bodies[0].name)


def test_arms_without_masses_move_too() -> None:
    from sistel.arms import dh_xml, read_dh

    arm = sistel.parse(dh_xml(read_dh("theta,d,a,alpha\n0,0,300,0\n0,0,200,0")))
    way = arm.along(tr.polynomial_move([0.1, 0.2], [0.5, 1.5], 1.0), "tool")
    assert not way.torques.any() and dict(way.reactions) == {} and way.positions.shape == (201, 3)


def test_a_trajectory_of_another_size_is_told() -> None:
    arm = sistel.load(MODELS / "puma560.xml")
    with pytest.raises(sistel.SistelError, match="3 coordinates, the system 6"):
        arm.along(tr.polynomial_move([0.0] * 3, [1.0] * 3, 1.0), "tool")


def test_a_joint_has_one_colour_in_all_panels() -> None:
    arm = sistel.load(MODELS / "puma560.xml")
    picture = str(arm.along(tr.polynomial_move([0.0] * 6, [0.5] * 6, 2.0), "tool").plot())
    for joint in arm.model.rate_names:
        labels = re.findall(rf'<text class="small (c\d)"[^>]*>{joint}</text>', picture)
        assert len(labels) >= 4 and len(set(labels)) == 1, (joint, labels)
