"""Impact rules of declared transitions: against closed forms, balances of momentum, and the contacts' own law."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.automaton._impacts import planar_impulse, stuck_impulse
from sistel.simulation import Run, RunError
from sistel.simulation.contact._complementarity import impact_impulses
from sistel.simulation.contact._searched_impacts import struck
from sistel.simulation.cycle._variation import Variation

# --- the laws themselves ---------------------------------------------------------------------------------------------


def _planar_cases(count: int, seed: int) -> list[tuple[np.ndarray, np.ndarray, float, float, float]]:
    """Random responses, velocities of approach, frictions and restitutions by one of the two rules."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        A, u = rng.normal(size=(2, 3)), rng.normal(size=2)
        u[0] = -abs(u[0])
        friction, e = rng.choice([0.0, 0.2, 0.6, 1.5]), rng.choice([0.0, 0.4, 1.0])
        made.append((A @ A.T, u, float(friction), *((e, 0.0) if rng.integers(2) else (0.0, e))))
    return made


def test_one_contact_has_the_law_of_many() -> None:
    grew = 0
    for G, u, friction, newton, poisson in _planar_cases(1500, 1):
        theirs = impact_impulses(G, u, [friction], [newton], [poisson])
        ours = np.array(planar_impulse(G.tolist(), u.tolist(), friction, newton, poisson))
        if theirs is None:
            assert np.isnan(ours).all()  # Painlevé: no impulse stops the point
            continue
        scale = u @ np.linalg.solve(G, u)  # twice the energy that an impact can take
        if u @ theirs + 0.5 * theirs @ G @ theirs > 1e-12 * scale:
            grew += 1  # Kane's paradox: here the rules differ on purpose
        else:
            # Both decide by the same margins; what is left is rounding, amplified by G.
            assert ours == pytest.approx(theirs, abs=1e-9 * np.abs(theirs).max())
    assert 0 < grew < 60


def test_impacts_take_energy_and_keep_to_the_cone() -> None:
    for G, u, friction, newton, poisson in _planar_cases(1500, 2):
        p = np.array(planar_impulse(G.tolist(), u.tolist(), friction, newton, poisson))
        if np.isnan(p).any():
            continue
        scale = u @ np.linalg.solve(G, u)
        assert u @ p + 0.5 * p @ G @ p <= 1e-13 * scale
        assert p[0] >= 0.0 and abs(p[1]) <= friction * p[0] * (1 + 1e-12) + 1e-10 * p[0]
        assert (u + G @ p)[0] >= -1e-9 * math.sqrt(scale * np.trace(G))


def test_newton_and_poisson_agree_without_friction() -> None:
    for G, u, _, newton, poisson in _planar_cases(200, 3):
        e = newton + poisson
        one = planar_impulse(G.tolist(), u.tolist(), 0.0, e, 0.0)
        other = planar_impulse(G.tolist(), u.tolist(), 0.0, 0.0, e)
        assert one == pytest.approx(other, rel=1e-15)
        assert one[0] == pytest.approx(-(1 + e) * u[0] / G[0, 0], rel=1e-15) and one[1] == 0.0


def test_a_point_that_cannot_slide() -> None:
    rng = np.random.default_rng(4)
    for _ in range(300):
        A, u, n = rng.normal(size=(3, 5)), rng.normal(size=3), rng.normal(size=3)
        G, n = A @ A.T, n / np.linalg.norm(n)
        scale = u @ np.linalg.solve(G, u)
        for newton, poisson in ((0.0, 0.0), (0.6, 0.0), (0.0, 0.6)):
            p = np.array(stuck_impulse(G.tolist(), u.tolist(), n.tolist(), newton, poisson))
            after = u + G @ p
            assert u @ p + 0.5 * p @ G @ p <= 1e-12 * scale
            assert after - n * (n @ after) == pytest.approx(
                np.zeros(3), abs=1e-10 * np.linalg.norm(u) * np.linalg.cond(G)
            )
            if not newton and not poisson:
                assert p == pytest.approx(-np.linalg.solve(G, u), rel=1e-9, abs=1e-9)


def test_circular_cones() -> None:
    rng = np.random.default_rng(5)
    stuck = slid = 0
    for _ in range(200):
        A, u, n = rng.normal(size=(3, 5)), rng.normal(size=3), rng.normal(size=3)
        G, n = A @ A.T, n / np.linalg.norm(n)
        u -= n * (u @ n + abs(rng.normal()))
        friction, e = float(rng.choice([0.2, 0.6])), float(rng.choice([0.0, 0.5]))
        for newton, poisson in ((e, 0.0), (0.0, e)):
            found = struck(u, G, n[np.newaxis], [friction], [newton], [poisson])
            if found is None:
                continue
            p, (left,) = found
            scale, after = u @ np.linalg.solve(G, u), u + G @ p
            push, pull = n @ p, p - n * (n @ p)
            slip = after - n * (n @ after)
            assert left == pytest.approx(np.linalg.norm(slip), abs=1e-9)
            assert u @ p + 0.5 * p @ G @ p <= 1e-12 * scale
            assert push >= 0.0 and np.linalg.norm(pull) <= friction * push * (1 + 1e-9)
            if e == 0.0:
                assert n @ after == pytest.approx(0.0, abs=1e-9 * np.linalg.norm(u))
                if np.linalg.norm(pull) < 0.999 * friction * push:
                    stuck += 1
                    assert slip == pytest.approx(np.zeros(3), abs=1e-9)
                else:
                    slid += 1  # the impulse is on the edge, exactly against the slip
                    assert pull @ slip == pytest.approx(-np.linalg.norm(pull) * np.linalg.norm(slip), rel=1e-12)
    assert stuck > 15 and slid > 50


def test_cones_in_the_plane_are_planar() -> None:
    """A problem without a third direction has the solution of the plane, for several contacts too."""
    rng = np.random.default_rng(6)
    for _ in range(60):
        A, u = rng.normal(size=(4, 6)), rng.normal(size=4)
        G = A @ A.T + 2.0 * np.eye(4)
        u[:2] = -np.abs(u[:2])
        theirs = impact_impulses(G, u, [0.3, 0.5], [0.0, 0.0], [0.0, 0.0])
        assert theirs is not None
        places, flat = [0, 2, 1, 3], np.zeros((6, 6))
        at = [0, 1, 3, 4]
        flat[np.ix_(at, at)] = G[np.ix_(places, places)]
        flat[2, 2] = flat[5, 5] = 1.0
        speeds = np.zeros(6)
        speeds[at] = u[places]
        normals = np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
        ours = struck(speeds, flat, normals, [0.3, 0.5], [0.0, 0.0], [0.0, 0.0])
        assert ours is not None
        assert ours[0][at] == pytest.approx(theirs[places], abs=1e-9)


# --- a rod that strikes the ground -----------------------------------------------------------------------------------

_ROD = """<system name="rod">
  <body name="rod" joint="free" mass="2" inertia="2*1.2^2/12"><point name="tip" place="0, 600"/></body>
  <links>
    <contact name="ground" point="tip" surface="y = 0" friction="{friction}"/>
    <structure name="flight"/>
    <transition from="flight" to="flight" when="gap(ground) falls through 0" impact="{rule}" restitution="{e}"/>
  </links>
  <start rod="0, -600 - 400, {turn} rad" rod.rate="{vx} m/s, 0, {w} rad/s"/>
</system>"""


def _rod(friction: str, rule: str, e: float, turn: float, vx: float = 0.0, w: float = 0.0) -> tuple[Run, list[float]]:
    run = sistel.parse(_ROD.format(friction=friction, rule=rule, e=e, turn=turn, vx=vx, w=w)).simulate(0.5)
    assert run.events
    return run, _around(run)


def _around(run: Run, event: int = 0) -> list[np.ndarray]:
    """States before and after an event."""
    stay = run.segments[event]
    h = stay.times[-1, 1]
    before = np.array([np.polynomial.polynomial.polyval(h, row) for row in stay.coefficients[-1]])
    return [before, run.segments[event + 1].coefficients[0, :, 0]]


@pytest.mark.parametrize("rule", ["newton", "poisson", "coulomb"])
@pytest.mark.parametrize(
    ("friction", "vx", "w"), [(0.1, 0.0, 0.0), (0.9, 0.0, 0.0), (0.3, 1.0, -1.0), (0.3, -4.0, 2.0)]
)
def test_rod(rule: str, friction: float, vx: float, w: float) -> None:
    """A uniform rod that falls on its tip at an angle: Whittaker's formulas, in units of the mass.

    With c and s the cosine and sine of the angle to the ground, a unit of normal impulse changes the normal velocity of
    the tip by (1 + 3c²)/m and the tangential one by ±3cs/m; a tangential one changes the latter by (1 + 3s²)/m.
    """
    m, e = 2.0, 0.4
    run, (before, after) = _rod(str(friction), rule, e, -0.5, vx, w)
    turn = before[2]
    c, s = math.sin(abs(turn)), math.cos(turn)
    side = -math.copysign(1.0, turn)
    # The tangent of the ground is +x: the normal −y turned by a quarter.
    G = np.array([[1 + 3 * c * c, side * 3 * c * s], [side * 3 * c * s, 1 + 3 * s * s]]) / m
    tip = 0.6 * np.array([-math.sin(turn), math.cos(turn)])

    def velocity(y: np.ndarray) -> np.ndarray:
        vx, vy, w = y[3:6]
        x, y_ = vx - w * tip[1], vy + w * tip[0]  # clockwise is positive, y points down
        return np.array([-y_, x])

    u = velocity(before)
    stuck = np.linalg.solve(G, -u if rule == "poisson" else -np.array([(1 + e) * u[0], u[1]]))
    if abs(stuck[1]) > friction * stuck[0]:
        way = -math.copysign(1.0, stuck[1])
        push = -(1.0 if rule == "poisson" else 1 + e) * u[0] / (G[0, 0] - way * friction * G[0, 1])
        p = np.array([push, -way * friction * push])
    else:
        p = stuck
    if rule == "poisson":
        rest, back = u + G @ p, e * p[0]
        pull = -(rest[1] + G[1, 0] * back) / G[1, 1]
        if abs(pull) > friction * back:
            pull = math.copysign(friction * back, pull)
        p = p + np.array([back, pull])
    found = run.events[0].impulses["ground"]
    assert found[3:5] == pytest.approx([p[1], -p[0]], abs=1e-12)
    # Momentum, and the moment of momentum about the tip, which no impulse there can change.
    assert m * (after[3:5] - before[3:5]) == pytest.approx(found[3:5], abs=1e-12)
    inertia = m * 1.2**2 / 12

    def spin(y: np.ndarray) -> float:
        return inertia * y[5] + m * (-tip[0] * y[4] + tip[1] * y[3])

    assert spin(after) == pytest.approx(spin(before), abs=1e-12)
    kinetic = [0.5 * m * (y[3] ** 2 + y[4] ** 2) + 0.5 * inertia * y[5] ** 2 for y in (before, after)]
    assert run.events[0].energy_loss == pytest.approx(kinetic[0] - kinetic[1], abs=1e-12)
    assert run.events[0].energy_loss > 0.0


def test_the_friction_at_which_a_dropped_rod_sticks() -> None:
    """Dropped without a turn, the tip sticks where mu ≥ 3cs/(1 + 3s²) (plastic, by the formulas above)."""
    turn = -0.5
    c, s = math.sin(0.5), math.cos(0.5)
    edge = 3 * c * s / (1 + 3 * s * s)
    for friction, sticks in ((edge - 1e-6, False), (edge + 1e-6, True)):
        # What the impact does is looked at; a tip that stays on the ground has no way on through flights.
        with pytest.raises(RunError, match="without end") as problem:
            _rod(repr(friction), "coulomb", 0.0, turn)
        after = problem.value.run.last
        slip = after[3] - after[5] * 0.6 * math.cos(after[2])
        assert (abs(slip) < 1e-12) == sticks


@pytest.mark.parametrize("rule", ["coulomb", "poisson"])
@pytest.mark.parametrize("friction", ["none", "0.15", "0.8"])
def test_written_transitions_do_what_contacts_do(rule: str, friction: str) -> None:
    """The same body with a contact alone, whose structures are made by complementarity."""
    run, (_, after) = _rod(friction, rule, 0.5, -0.4, 1.0, 1.0)
    text = _ROD.format(friction=friction, rule=rule, e=0.5, turn=-0.4, vx=1.0, w=1.0)
    alone = text[: text.index("<structure")] + "</links>" + text[text.index("<start") :]
    alone = alone.replace(f'friction="{friction}"', f'friction="{friction}" impact="{rule}" restitution="0.5"')
    other = sistel.parse(alone).simulate(0.5)
    assert other.events[0].time == pytest.approx(run.events[0].time, abs=1e-15)
    there = _around(other)[1]
    assert there[:6] == pytest.approx(after[:6], abs=1e-11)
    assert other.events[0].energy_loss == pytest.approx(run.events[0].energy_loss, abs=1e-11)


def test_a_rod_that_would_gain_energy_gains_none() -> None:
    """Kane's paradox: Newton's rule with friction can end with more energy than there was."""
    text = _ROD.format(friction="1.2", rule="newton", e=1.0, turn=-0.6, vx="{v}", w=2.5)
    losses = []
    for v in np.linspace(-6.0, 6.0, 9):
        run = sistel.parse(text.format(v=v)).simulate(0.5)
        losses.append(run.events[0].energy_loss)
        assert losses[-1] >= -1e-12
    assert min(losses) == pytest.approx(0.0, abs=1e-12) and max(losses) > 1.0


# --- in space --------------------------------------------------------------------------------------------------------

_SPHERE = """<system name="sphere" space="spatial">
  <body name="ball" joint="free" mass="0.7" inertia="0.0007, 0.0007, 0.0007"><point name="bottom" place="0, 0, -50"/></body>
  <links>
    <contact name="floor" point="bottom" surface="z = 0" friction="{friction}"/>
    <structure name="flight"/>
    <transition from="flight" to="flight" when="gap(floor) falls through 0" impact="{rule}" restitution="{e}"/>
  </links>
  <start><coordinate of="ball" place="0, 0, 500" velocity="1200 mm/s, -500 mm/s, 0"/></start>
</system>"""


@pytest.mark.parametrize("rule", ["newton", "poisson"])
@pytest.mark.parametrize("friction", ["none", "0.05", "0.4", "stick"])
def test_sphere(rule: str, friction: str) -> None:
    """A sphere whose inertia is 2/5 m r²: the slip ends if mu (1 + e) |u_n| ≥ 2/7 |u_t|; else friction slows it."""
    m, r, e = 0.7, 0.05, 0.6
    assert 0.4 * m * r * r == pytest.approx(0.0007)
    run = sistel.parse(_SPHERE.format(friction=friction, rule=rule, e=e)).simulate(0.4)
    before, after = _around(run)
    vz = before[12]
    assert vz == pytest.approx(-math.sqrt(2 * 9.81 * 0.45), rel=1e-14)
    slip = np.array([1.2, -0.5])
    push = -m * (1 + e) * vz
    pull = -m * 2 / 7 * slip
    if friction == "none":
        pull = np.zeros(2)
    elif friction != "stick" and float(friction) * push < np.linalg.norm(pull):
        pull = -float(friction) * push * slip / np.linalg.norm(slip)
    assert run.events[0].impulses["floor"][3:] == pytest.approx([*pull, push], abs=1e-12)
    assert after[10:13] == pytest.approx([*(slip + pull / m), -e * vz], abs=1e-12)
    # The impulse at the bottom turns the ball about the horizontal.
    assert after[7:10] == pytest.approx(np.cross([0, 0, -r], [*pull, push]) / 0.0007, abs=1e-10)


def test_four_feet_at_once() -> None:
    """A plate that lands on four feet while it slides: one problem for all of them, with circular cones."""
    feet = [(x, y) for x in (-200, 200) for y in (-100, 100)]
    points = "".join(f'<point name="p{i}" place="{x}, {y}, 0"/>' for i, (x, y) in enumerate(feet))
    contacts = "".join(f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="0.2"/>' for i in range(4))
    system = sistel.parse(
        '<system name="plate" space="spatial"><body name="plate" joint="free" mass="3" com="0, 0, 60" '
        f'inertia="0.02, 0.05, 0.06">{points}</body><links>{contacts}<structure name="flight"/>'
        '<transition from="flight" to="flight" when="gap(c0) falls through 0" impact="poisson" restitution="0.3" '
        'strikes="c0, c1, c2, c3"/></links>'
        '<start><coordinate of="plate" place="0, 0, 200" velocity="900, 400, 0"/></start></system>'
    )
    run = system.simulate(0.25)
    before, after = _around(run)
    event = run.events[0]
    total = np.zeros(3)
    for i in range(4):
        force = event.impulses[f"c{i}"][3:]
        assert force[2] >= 0.0 and math.hypot(*force[:2]) <= 0.2 * force[2] * (1 + 1e-9)
        total += force
    # The pole is not the centre of mass.
    spins = [np.cross(y[7:10], [0, 0, 0.06]) for y in (before, after)]
    assert 3.0 * (after[10:13] + spins[1] - before[10:13] - spins[0]) == pytest.approx(total, abs=1e-11)
    assert event.energy_loss > 0.0
    for x, y in feet:
        r = np.array([x, y, 0]) / 1000
        assert (after[10:13] + np.cross(after[7:10], r))[2] >= -1e-9


# --- laws of the file ------------------------------------------------------------------------------------------------

_BALL = (
    '<system name="ball"><parameter name="e" value="0.7"/><parameter name="m" value="2 kg"/>'
    '<body name="b" joint="prismatic2" mass="m"><point name="p"/></body><links>'
    '<contact name="floor" point="p" surface="y = 0" friction="0.3"/><structure name="flight"/>'
    '<transition from="flight" to="flight" when="gap(floor) falls through 0"{0}</links>'
    '<start b="0, -1 m" b.rate="3 m/s, 0"/></system>'
)


def test_velocities_by_a_law_of_the_file() -> None:
    law = '><set of="b.y" rate="-e*v(b.y)"/><set of="b.x" rate="v(b.x) - 0.1*abs(v(b.y))"/></transition>'
    run = sistel.parse(_BALL.format(law)).simulate(1.0)
    speed = math.sqrt(2 * 9.81)
    _, after = _around(run)
    assert after[2:4] == pytest.approx([3 - 0.1 * speed, -0.7 * speed], abs=1e-14)
    assert not run.events[0].impulses


def test_impulses_by_a_law_of_the_file() -> None:
    """The law of Newton and Coulomb, written out: as the rule itself."""
    law = '><impulse of="floor" value="(1 + e)*m*approach(floor), -0.3*(1 + e)*m*approach(floor)"/></transition>'
    run = sistel.parse(_BALL.format(law)).simulate(1.0)
    rule = sistel.parse(_BALL.format(' impact="coulomb" restitution="e"/>')).simulate(1.0)
    assert _around(run)[1] == pytest.approx(_around(rule)[1], abs=1e-14)
    assert run.events[0].impulses["floor"] == pytest.approx(rule.events[0].impulses["floor"], abs=1e-14)
    assert run.events[0].energy_loss == pytest.approx(rule.events[0].energy_loss, abs=1e-12)


def test_a_kick_on_a_coordinate() -> None:
    law = ' impact="newton" restitution="e"><impulse of="b.x" value="4 N*s"/></transition>'
    run = sistel.parse(_BALL.format(law).replace("0.3", "none", 1)).simulate(1.0)
    _, after = _around(run)
    assert after[2:4] == pytest.approx([3 + 4 / 2, -0.7 * math.sqrt(2 * 9.81)], abs=1e-14)


def test_impulses_along_the_slip_in_space() -> None:
    law = '<impulse of="floor" value="2 N*s, -0.3 N*s"/></transition>'
    text = _SPHERE.format(friction="0.3", rule="none", e=0).replace(' restitution="0"/>', f">{law}")
    run = sistel.parse(text).simulate(0.4)
    way = np.array([1.2, -0.5]) / 1.3
    assert run.events[0].impulses["floor"][3:] == pytest.approx([*(-0.3 * way), 2.0], abs=1e-13)


# --- links that hold during an impact --------------------------------------------------------------------------------


def test_a_loop_stays_closed_when_its_point_strikes() -> None:
    """A four-bar whose coupler strikes a wall: the closure carries an impulse, and the rule holds at the wall."""
    system = sistel.parse(
        '<system name="four-bar"><gravity value="0"/>'
        '<body name="crank" joint="revolute" mass="1" com="100,0" inertia="0.0033"><body name="coupler" '
        'joint="revolute" place="200,0" mass="2" com="250,0" inertia="0.042"><point name="knob" place="250, -100"/></body>'
        '</body><body name="rocker" joint="revolute" place="400,0" mass="1.5" com="150,0" inertia="0.011"/><links>'
        '<closure name="B" body="coupler" at="500,0" to="rocker" at-to="300,0"/>'
        '<contact name="wall" point="knob" surface="x &lt;= 400 mm" friction="none"/><structure name="moves"/>'
        '<transition from="moves" to="moves" when="gap(wall) falls through 0" impact="newton" restitution="0.5"/>'
        '</links><start crank="90 deg" crank.rate="-180 deg/s"/></system>'
    )
    run = system.simulate(2.0)
    assert run.events and set(run.events[0].impulses) == {"B", "wall"}
    before, after = _around(run)
    nq = system.model.nq
    M = np.array(system.mass_matrix(before[:nq]))
    t = run.events[0].time
    approach = run.quantity("approach(wall)", [t - 1e-9, t])
    assert approach[1] == pytest.approx(-0.5 * approach[0], rel=1e-6)  # 1e-9 s before the impact
    # Lagrange: M Δv = Jᵀ λ in every direction; along the motion that the loop allows only the wall acts.
    free = before[nq:-1] / before[nq]
    push = -run.events[0].impulses["wall"][3]
    lever = approach[0] / before[nq]
    assert free @ M @ (after[nq:-1] - before[nq:-1]) == pytest.approx(-push * lever, rel=1e-6)
    assert run.quantity("speed(B)", [t])[0] == pytest.approx(0.0, abs=1e-13)
    assert run.events[0].energy_loss == pytest.approx(0.75 * 0.5 * before[nq:-1] @ M @ before[nq:-1], rel=1e-9)


def test_an_impact_that_slides_has_no_place_in_a_structure_that_sticks() -> None:
    text = _ROD.format(friction="0.1", rule="coulomb", e=0, turn=-0.5, vx=0, w=0)
    text = text.replace(
        '<structure name="flight"/>', '<structure name="flight"/><structure name="stands" holds="ground"/>'
    )
    text = text.replace('to="flight"', 'to="stands"')
    with pytest.raises(sistel.SistelError, match="does not slide") as caught:
        sistel.parse(text).simulate(0.5)
    (problem,) = caught.value.diagnostics
    assert problem.code == "no-passage" and problem.span is not None and "<transition" in problem.span.text
    sistel.parse(text.replace('friction="0.1"', 'friction="0.9"')).simulate(0.3)


@pytest.mark.parametrize(
    ("friction", "rule"), [("0.1", "coulomb"), ("0.9", "poisson"), ("0.3", "newton"), ("stick", "newton")]
)
def test_derivatives_through_an_impact(friction: str, rule: str) -> None:
    """Those that limit cycles need, against differences of 1e-6, which are good to some 1e-9."""
    system = sistel.parse(_ROD.format(friction=friction, rule=rule, e=0.4, turn=-0.5, vx=1.0, w=1.0))
    before, _ = _around(system.simulate(0.5))
    variation = Variation(system.simulation(2.0**-52).compiled("flight"))
    (transition,) = system.model.transitions
    _, slopes = variation.jump(transition, before)
    for column, step in enumerate(1e-6 * np.eye(len(before))):
        ends = [variation.after(transition, before + sign * step) for sign in (1.0, -1.0)]
        assert slopes[:, column] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-8)


def test_an_impact_that_is_searched_for_has_no_derivatives() -> None:
    text = _ROD.format(friction="0.1", rule="coulomb", e=0.4, turn=-0.5, vx=1.0, w=1.0)
    text = text.replace(
        '<structure name="flight"/>', '<contact name="more" point="tip" surface="y = 0"/><structure name="flight"/>'
    )
    system = sistel.parse(text.replace('restitution="0.4"', 'restitution="0.4" strikes="ground, more"'))
    variation = Variation(system.simulation(2.0**-52).compiled("flight"))
    with pytest.raises(sistel.SistelError, match="search"):
        variation.jump(system.model.transitions[0], np.zeros(7))
