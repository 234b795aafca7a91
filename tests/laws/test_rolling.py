"""What rolls: digits of reference motions, and laws that rolling obeys.

The numbers come from 30-digit arithmetic: closed forms of slipping that becomes rolling, an extrapolation integrator for
the thin disk and for Chaplygin's sleigh, and for the bicycle the formulas of Meijaard, Papadopoulos, Ruina and Schwab
(Proc. R. Soc. A 463, 2007, 1955-1982).
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.mechanics import assemble, build_tree, constraint_rows
from sistel.simulation import RunError

MODELS = Path(__file__).resolve().parents[2] / "models"
DIGITS = 1e-12
"""How near a run comes to a reference, of its size."""


def near(x: Any) -> Any:
    return pytest.approx(x, rel=DIGITS, abs=DIGITS)


def state_at(run: sistel.Run, t: float) -> Any:
    """Coordinates, then velocities."""
    return np.concatenate(run(t))


# --- slip, then roll ---------------------------------------------------------------------------------------------------


def plane(inertia: str, friction: float, surface: str = "y = 0") -> sistel.System:
    return sistel.parse(
        f"""<system><parameter name="m" value="2 kg"/><parameter name="r" value="100 mm"/>
        <body name="b" joint="free" mass="m" inertia="{inertia}"><circle name="rim" radius="r"/></body>
        <links><contact name="floor" of="rim" surface="{surface}" friction="{friction}"/></links></system>"""
    )


@pytest.mark.parametrize(
    ("inertia", "v", "w", "begins", "rolling", "there", "end", "angle"),
    [
        ("2*m*r^2/5", 3.0, -20.0, 0.485413329450026698, 11 / 7, 1.10951618160006102, 3.48958094960716193, 22.7604762598209518),
        ("m*r^2/2", 3.0, 0.0, 0.339789330615018688, 2.0, 0.849473326537546721, 4.16989466530750934, None),
    ],
    ids=["sphere", "disk"],
)  # fmt: skip
def test_slip_becomes_rolling(
    inertia: str, v: float, w: float, begins: float, rolling: float, there: float, end: float, angle: float | None
) -> None:
    # y points down: forward rolling along x is clockwise, which is positive.
    run = plane(inertia, 0.3).simulate(2.0, q=[0.0, -0.1, 0.0], v=[v, 0.0, w])
    (event,) = run.events
    assert event.time == near(begins) and event.transition == "floor stops sliding"
    at = state_at(run, event.time)
    assert at[0] == near(there) and at[3] == near(rolling) and at[5] == near(10 * rolling)
    assert run.q[-1][0] == near(end)
    assert angle is None or run.q[-1][2] == near(angle)
    assert np.abs(run.quantity("slip(floor)")[run.t > begins]).max() < 1e-14


def test_slip_becomes_rolling_in_space() -> None:
    system = sistel.parse(
        """<system space="spatial"><body name="b" joint="free" mass="2" inertia="2*0.4*0.01">
        <sphere name="skin" radius="100"/></body>
        <links><contact name="floor" of="skin" surface="z = 0" friction="0.2"/></links></system>"""
    )
    run = system.simulate(2.0, q=[1, 0, 0, 0, 0, 0, 0.1], v=[15, -10, 5, 2, 0, 0])
    (event,) = run.events
    assert event.time == near(0.488437740825642136)
    places = [state_at(run, event.time), state_at(run, 2.0)]
    assert places[0][4:6] == near([0.767545021297437642, -0.104665230176923315])
    assert places[1][4:6] == near([2.49504474606813234, -0.752477626965933828])
    assert [float(run.quantity(f"{key}(b)")[-1]) for key in ("vx", "vy", "vz")] == near([8 / 7, -3 / 7, 0.0])


def test_a_disk_rolls_up_an_incline_and_back() -> None:
    """The slope is y = -x tan 20°; s is the way along it."""
    c, s = math.cos(math.radians(20)), math.sin(math.radians(20))
    system = plane("m*r^2/2", 0.4, "y = -tan(20 deg)*x")
    run = system.simulate(2.0, q=[-0.1 * s, -0.1 * c, 0.0], v=[3 * c, -3 * s, 0.0])
    (event,) = run.events
    assert event.time == near(0.208083645416158415)

    def way(t: float) -> tuple[float, float]:
        state = state_at(run, t)
        x, y, vx, vy = state[0] + 0.1 * s, state[1] + 0.1 * c, state[3], state[4]
        return c * x - s * y, c * vx - s * vy

    assert way(event.time) == near((0.471783477610937839, 1.53455605958258765))
    assert way(0.894129785982595490) == near((0.998171608690674697, 0.0))
    assert way(1.0)[0] == near(0.985635954033142450)
    assert way(1.83884930353925951)[0] == near(0.0)


def test_a_ball_that_falls_bounces_and_spins_up() -> None:
    """A dropped spinning ball: Newton's rule along the normal, friction that sticks or slides across, by hand."""
    system = sistel.parse(
        """<system><body name="b" joint="free" mass="1" inertia="0.004"><circle name="rim" radius="100"/></body>
        <links><contact name="floor" of="rim" surface="y = 0" friction="0.5" restitution="0.5"/></links></system>"""
    )
    run = system.simulate(0.9, q=[0.0, -1.1, 0.0], v=[0.0, 0.0, 5.0])
    fall = math.sqrt(2 / 9.81)
    assert run.events[0].time == near(fall)
    # Slip at the floor −rω = −0.5 m/s. To stop it takes j = 0.5/(1/m + r²/I) = 1/7 N·s, less than μ (1 + e) 9.81 t.
    j, after = 0.5 / 3.5, state_at(run, fall + 0.1)
    assert after[3] == near(j) and after[5] == near(5 - 0.1 * j / 0.004)
    assert after[4] == near(-0.5 * 9.81 * fall + 0.981)


CART = """<system space="spatial"><body name="hull" joint="free" place="0,0,100" mass="20" com="0,0,50" inertia="0.5,0.8,1">
{wheels}</body><links>{links}</links></system>"""


def cart(how: str) -> sistel.System:
    """Four wheels on a hull: more contacts than it takes to stand."""
    places = ((-300, -200), (-300, 200), (300, -200), (300, 200))
    wheels = "".join(
        f"""<body name="w{i}" joint="revolute" axis="y" place="{x},{y},0" mass="1" inertia="0.003,0.005,0.003">
        <wheel name="r{i}" radius="100"/></body>"""
        for i, (x, y) in enumerate(places)
    )
    links = "".join(f'<contact name="c{i}" of="r{i}" surface="z = 0" {how}/>' for i in range(4))
    return sistel.parse(CART.format(wheels=wheels, links=links))


def test_spinning_wheels_of_a_cart_come_to_roll() -> None:
    """What the ground takes from the turns of the wheels it gives to the cart: M r v + I Σω is kept along the way."""
    v = np.array([0, 0, 0, 1.0, 0, 0, 60, 60, 10, 10])
    run = cart('friction="0.5"').simulate(1.0, v=v)
    (event,) = run.events
    assert event.transition == "c0 stops sliding" and run.final_structure.count("rolls") == 4
    speed = (24 * 0.1 * 1.0 + 0.005 * 140) / (24 * 0.1 + 0.005 * 40)
    assert run.v[-1] == pytest.approx([0, 0, 0, speed, 0, 0, *[10 * speed] * 4], abs=1e-12)
    assert np.abs(run.q[-1][5:7]).max() < 1e-12


def test_four_ideal_wheels_leave_the_way_ahead() -> None:
    system = cart('rolls="ideal"')
    found = system.mobility()
    assert (found.dof, found.places, len(found.redundant)) == (1, 7, 3)
    run = system.simulate(2.0, v=[0, 0, 0, 1.0, 0, 0, 10, 10, 10, 10])
    assert run.q[-1][4:] == pytest.approx([2, 0, 0, 20, 20, 20, 20], abs=1e-12)


# --- ideal rolling -----------------------------------------------------------------------------------------------------


def turned(axis: int, angle: float) -> Any:
    c, s = math.cos(angle), math.sin(angle)
    R = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def disk_state(theta: float, rates: tuple[float, float, float]) -> tuple[list[float], list[float]]:
    """R = Rz(ψ) Rx(θ) Rz(φ) with ψ = φ = 0, its z the axis, and the lowest point at the origin; rates of θ, ψ, φ.

    In the model the axis is y: its axes are turned by a quarter about x, so that it stands upright at zero.
    """
    d_theta, d_psi, d_phi = rates
    R = turned(0, theta)
    w = np.array([d_theta, 0.0, d_psi]) + d_phi * R[:, 2]
    centre = np.array([0.0, -0.3 * math.cos(theta), 0.3 * math.sin(theta)]) * [1, -1, 1]
    B, half = turned(0, theta - math.pi / 2), (theta - math.pi / 2) / 2
    v = np.cross(w, centre)
    return [math.cos(half), math.sin(half), 0.0, 0.0, *centre], [*(B.T @ w), *(B.T @ v)]


@cache
def disk() -> sistel.System:
    return sistel.load(MODELS / "rolling_disk.xml")


GENERAL = (math.radians(75), (0.2, 1.5, -6.0))


def test_the_disk_of_the_gallery_starts_as_the_reference() -> None:
    theta, rates = GENERAL
    q, v = disk_state(theta, rates)
    run = disk().simulate(0.0)
    assert run.q[0] == pytest.approx(q, abs=1e-15) and run.v[0] == pytest.approx(v, abs=1e-14)


def test_the_general_motion_of_a_disk() -> None:
    run = disk().simulate(2.0)
    state = state_at(run, 2.0)
    centre = [2.18506999039105118, 2.14203890482817505, 0.296024299915857830]
    assert state[4:7] == near(centre)
    theta, psi, phi = 1.40781345516520043, 1.63700456866933967, -11.5297176228883283
    R = turned(2, psi) @ turned(0, theta) @ turned(2, phi) @ turned(0, -math.pi / 2)
    w, x, y, z = state[:4]
    own = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
    assert own == pytest.approx(R, abs=DIGITS)
    rates = (0.359913449963799297, 0.331367870873800131, -5.60728922852728785)
    spin = np.array([rates[0] * math.cos(psi), rates[0] * math.sin(psi), rates[1]]) + rates[2] * R @ [0, -1, 0]
    # The axis of the disk is -y of the model's axes.
    assert own @ state[7:10] == pytest.approx(spin, abs=DIGITS)


def test_steady_precession_of_a_disk() -> None:
    """At 70° and 2.5 rad/s the centre goes round a circle, and the lean stays."""
    theta = math.radians(70)
    q, v = disk_state(theta, (0.0, 2.5, -3.88636240806309445))
    lap = 2 * math.pi / 2.5
    run = disk().simulate(3 * lap, q=q, v=v)
    t = np.linspace(0, 3 * lap, 301)
    assert run.quantity("z(disk)", t) == pytest.approx(0.3 * math.sin(theta), abs=DIGITS)
    places = run(t)[0][:, 4:6]
    # Three turns later it is where it was; half a turn later on the other side of the circle.
    assert places[-1] == pytest.approx(places[0], abs=1e-11)
    half = state_at(run, math.pi / 2.5)[4:6]
    assert math.dist(half, places[0]) / 2 == near(0.363757445969870714)
    middle = (half + places[0]) / 2
    assert np.linalg.norm(places - middle, axis=1) == pytest.approx(0.363757445969870714, abs=1e-11)


@pytest.mark.parametrize("how", ['rolls="ideal"', 'friction="0.9"'])
def test_steady_precession_of_a_hoop(how: str) -> None:
    """All mass on the rim. With θ the lean, Ω the turn about the vertical and n the spin about the axis in space,

    Ω n sin θ (C + m r²) − A Ω² sin θ cos θ + m g r cos θ = 0, where C = m r², A = m r²/2; the same holds where friction
    alone makes it roll, for it is enough.
    """
    text = (MODELS / "rolling_disk.xml").read_text(encoding="utf-8").replace('rolls="ideal"', how)
    hoop = sistel.parse(text.replace("m*r^2/4, m*r^2/2, m*r^2/4", "m*r^2/2, m*r^2, m*r^2/2"))
    r, g, turn, theta = 0.3, 9.81, 2.0, math.radians(65)
    spin = (0.5 * r * turn**2 * math.sin(theta) - g) * math.cos(theta) / (2.0 * r * turn * math.sin(theta))
    q, v = disk_state(theta, (0.0, turn, spin - turn * math.cos(theta)))
    lap = 2 * math.pi / turn
    run = hoop.simulate(2 * lap, q=q, v=v)
    t = np.linspace(0, 2 * lap, 101)
    assert run.quantity("z(disk)", t) == pytest.approx(r * math.sin(theta), abs=1e-11)
    places = run(t)[0][:, 4:6]
    middle = (places[0] + state_at(run, 0.5 * lap)[4:6]) / 2
    assert np.linalg.norm(places - middle, axis=1) == pytest.approx(r * abs(spin) / turn, abs=1e-10)
    assert np.ptp(run.quantity("energy()", t)) < 1e-11


@pytest.mark.parametrize("name", ["rolling_disk", "bicycle"])
def test_ideal_rolling_conserves_energy(name: str) -> None:
    run = sistel.load(MODELS / f"{name}.xml").simulate(100.0)
    energy = run.quantity("energy()")
    assert np.ptp(energy) < 1e-11 * abs(energy[0])
    for contact in run.model.contacts:
        assert np.abs(run.quantity(f"slip({contact.name})")).max() < 1e-11
        assert np.abs(run.quantity(f"gap({contact.name})")).max() < 1e-13


def test_a_rounded_tread_rolls_without_loss_too() -> None:
    text = (MODELS / "rolling_disk.xml").read_text(encoding="utf-8")
    system = sistel.parse(text.replace('radius="r"', 'radius="r" tread="0.05 m"'))
    run = system.simulate(20.0)
    assert np.ptp(run.quantity("energy()")) < 1e-12 * run.quantity("energy()")[0]
    # Upright it is as high as the sharp one; leaning it stands on its tread.
    height = run.quantity("z(disk)")
    lean = np.arcsin((height - 0.05) / 0.25)
    assert height == pytest.approx(0.25 * np.sin(lean) + 0.05, abs=1e-12) and lean.min() < math.radians(80)


@pytest.mark.parametrize("how", ['rolls="ideal"', 'friction="0.3"'])
def test_a_disk_that_falls_flat_says_so(how: str) -> None:
    text = (MODELS / "rolling_disk.xml").read_text(encoding="utf-8").replace('rolls="ideal"', how)
    q, _ = disk_state(*GENERAL)
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(text).simulate(2.0, q=q, v=np.zeros(6))
    (told,) = caught.value.diagnostics
    assert '"table" lies down flat' in told.message.en and told.span is not None


SLEIGH = """<system><gravity value="0"/>
  <body name="s" joint="free" mass="2" com="150, 0" inertia="0.05"><point name="heel"/></body>
  <links><blade name="runner" point="heel"/></links>
  <start s.rate="-0.4 m/s, 0, 2 rad/s"/></system>"""


def test_chaplygins_sleigh() -> None:
    system = sistel.parse(SLEIGH)
    assert (system.mobility().dof, system.mobility().places) == (2, 3)
    run = system.simulate(4.0)
    x, y, heading = run.q[-1]
    assert (x, y, heading) == near((-1.83539342580365265, 0.00742618140746487334, 3.35736817482831411))
    vx, vy, w = run.v[-1]
    assert vx * math.cos(heading) + vy * math.sin(heading) == near(0.591606001003435564)
    assert -vx * math.sin(heading) + vy * math.cos(heading) == near(0.0)
    assert w == near(0.00701813698925539333)
    late = system.simulate(40.0)
    assert late.q[-1][2] == near(3.36112473762671575)
    assert np.hypot(*late.v[-1][:2]) == near(0.591607978309961604)
    assert np.ptp(late.quantity("energy()")) < 1e-13


# --- the bicycle -------------------------------------------------------------------------------------------------------

EIGENVALUES = {
    0.0: (-5.53094371765393464, -3.13164324790655567, 3.13164324790655567, 5.53094371765393464),
    2.0: (-8.67387984831737163, -3.07158645641514251, 2.68234517512745345 - 1.68066296590675776j, 2.68234517512745345 + 1.68066296590675776j),
    5.0: (-14.0783896927982472, -0.775341882195841925 - 4.46486771378822514j, -0.775341882195841925 + 4.46486771378822514j, -0.322866429004087078),
    8.0: (-20.2794089439456630, -2.69348683581094772 - 8.4603797139693359j, -2.69348683581094772 + 8.4603797139693359j, 0.143278797657129498),
}  # fmt: skip
CENTRAL = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
STEP = 0.02
"""[rad, rad/s]: the eighth-order formula errs by 1e-16 of a ninth derivative, rounding by ε/STEP = 1e-14 of an
acceleration, which for the fork is some 1e2 where it leans by 0.1: eigenvalues are good to some 1e-11."""


def bicycle_state(system: sistel.System, speed: float, x: Any) -> tuple[Any, Any]:
    """Coordinates and velocities for lean, steer and their rates; pitch and height are what the wheels demand."""
    model, structure, tree = system.model, system.structure(), build_tree(system.model)
    rates = {name: i for i, name in enumerate(model.rate_names)}
    q = np.zeros(model.nq)
    q[0], q[1], q[model.coordinate_names.index("fork")] = math.cos(x[0] / 2), math.sin(x[0] / 2), x[1]
    kept = frozenset(range(model.nv)) - {rates["frame.wy"], rates["frame.vz"]}
    met = assemble(model, structure, q.tolist(), fixed=kept, tree=tree)
    assert met.success
    J = np.array([row.J for row in constraint_rows(model, tree, structure, list(met.q), [0.0] * model.nv)], float)
    given = [rates[name] for name in ("frame.wx", "fork", "rear_wheel")]
    rest = [i for i in range(model.nv) if i not in given]
    v = np.zeros(model.nv)
    v[given] = x[2], x[3], speed / 0.3
    v[rest] = np.linalg.solve(J[:, rest], -J[:, given] @ v[given])
    return np.array(met.q), v


@pytest.mark.parametrize("speed", EIGENVALUES)
def test_eigenvalues_of_the_bicycle(speed: float) -> None:
    system = sistel.load(MODELS / "bicycle.xml")
    watched = [system.model.rate_names.index(name) for name in ("frame.wx", "fork")]
    A = np.zeros((4, 4))
    A[0, 2] = A[1, 3] = 1.0
    for column in range(4):
        for i, weight in enumerate(CENTRAL, 1):
            for side in (1, -1):
                x = np.zeros(4)
                x[column] = side * i * STEP
                q, v = bicycle_state(system, speed, x)
                found = system.forward_dynamics(q, v, np.zeros(system.model.nv))[watched]
                A[2:, column] += side * weight / STEP * found
    assert np.sort_complex(np.linalg.eigvals(A)) == pytest.approx(np.array(EIGENVALUES[speed]), abs=5e-11)


def test_the_bicycle_rights_itself_between_weave_and_capsize() -> None:
    system = sistel.load(MODELS / "bicycle.xml")
    assert system.mobility().dof == 3 and system.mobility().places == 7
    early, late = np.linspace(0, 2, 81), np.linspace(6, 8, 81)

    def swings(speed: float) -> tuple[float, float]:
        run = system.with_parameters(speed=speed, push=0.01).simulate(8.0)
        return tuple(float(np.abs(run.quantity("angle(fork)", t)).max()) for t in (early, late))

    before, after = swings(5.0)
    assert after < 0.1 * before
    before, after = swings(4.0)
    assert after > 2 * before


def test_a_ball_in_a_groove_slips_as_it_should_and_is_not_guessed_at() -> None:
    """While it slips, both forces are known; where it would roll, how the groove squeezes it is not."""
    system = sistel.parse(
        """<system space="spatial"><body name="ball" joint="free" mass="1" inertia="0.004">
        <sphere name="b" radius="100"/></body><links>
        <contact name="left" of="b" surface="z - y &gt;= 0" friction="0.3"/>
        <contact name="right" of="b" surface="z + y &gt;= 0" friction="0.3"/></links>
        <start ball.z="100*sqrt(2)" ball.vx.rate="1 m/s"/></system>"""
    )
    with pytest.raises(RunError, match="statics does not determine") as problem:
        system.simulate(1.0)
    # Both normal forces are m g / √2; the ball turns about y on arms of r / √2.
    friction, arm = 2 * 0.3 * 9.81 / math.sqrt(2), 0.1 / math.sqrt(2)
    rolls = 1.0 / (friction * (1.0 + arm**2 / 0.004))
    assert problem.value.run.end == pytest.approx(rolls, rel=1e-4)  # directions of friction end a little before
    q, v = problem.value.run(0.1)
    turned = 0.1**2 / 2 * friction * arm / 0.004
    assert q[4] == near(0.1 - friction * 0.1**2 / 2) and abs(q[0]) == near(math.cos(turned / 2))
    assert v[1] == near(0.1 * friction * arm / 0.004)


@cache
def _two_wheels(left: float, right: float) -> sistel.System:
    """A hull on two ideal wheels of one axle, with a moment on each [N·m]."""
    sides = (("left", "w", left), ("right", "-w", right))
    wheels = "".join(
        f'<body name="{name}" joint="revolute" axis="y" place="0, {place}, 0" mass="1" inertia="0.003, 0.005, 0.003">'
        f'<wheel name="rim of {name}" radius="r" axis="y"/><moment value="0, {moment} N*m, 0" in="body"/></body>'
        for name, place, moment in sides
    )
    contacts = "".join(
        f'<contact name="{name} tyre" of="rim of {name}" surface="z = 0" rolls="ideal"/>' for name, *_ in sides
    )
    return sistel.parse(
        '<system space="spatial"><parameter name="r" value="100 mm"/><parameter name="w" value="200 mm"/>'
        f'<body name="hull" joint="planar" place="0, 0, r" mass="5" inertia="0.1, 0.1, 0.2">{wheels}</body>'
        f"<links>{contacts}</links></system>"
    )


def test_two_ideal_wheels_of_one_axle_drive_in_circles() -> None:
    """Which of their rows follows from the others does not depend on the heading: the rows go with the wheels."""
    system = _two_wheels(0.0, 0.0)
    assert system.mobility().dof == 2 and system.mobility().places == 5
    wl, wr, time = 2.0, 6.0, 10.0
    speed, spin = 0.1 * (wl + wr) / 2.0, 0.1 * (wr - wl) / 0.4
    run = system.simulate(time, v=[speed, 0.0, spin, wl, wr])
    radius, turn = speed / spin, spin * time
    assert turn > 2.0 * math.pi
    assert run.q[-1] == near([radius * math.sin(turn), radius * (1.0 - math.cos(turn)), turn, wl * time, wr * time])
    energy = run.quantity("energy()")
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-14
    # What keeps it on the circle is the same for both wheels: statics leaves it open.
    loads = run.reactions([time / 3.0])
    inward = 7.0 * speed * spin * np.array([-math.sin(turn / 3.0), math.cos(turn / 3.0)])
    for name in ("left tyre", "right tyre"):
        assert loads[name][0, 3:5] == near(inward / 2.0)


def test_two_driven_ideal_wheels_of_one_axle() -> None:
    """Constant moments: a constant push and couple for what rolls and turns; the work is all in the energy."""
    left, right, time = 0.05, 0.11, 8.0
    run = _two_wheels(left, right).simulate(time)
    push = (left + right) / 0.1 / (7.0 + 2.0 * 0.005 / 0.01)
    couple = (right - left) * 0.2 / 0.1 / (0.2 + 2.0 * 0.04 + 2.0 * 0.003 + 2.0 * 0.005 * 0.04 / 0.01)
    turn, way = couple * time**2 / 2.0, push * time**2 / 2.0
    assert turn > 2.0 * math.pi
    assert run.q[-1][2:] == near([turn, (way - 0.2 * turn) / 0.1, (way + 0.2 * turn) / 0.1])
    work = left * run.q[:, 3] + right * run.q[:, 4]
    assert np.abs(run.quantity("kinetic()") - work).max() < 1e-11 * work[-1]


def test_work_of_a_belt() -> None:
    # What the belt does, speed times friction, is twice what the crate gets: the other half is heat of the slip.
    text = """<system name="a crate on a belt"><body name="crate" joint="prismatic2" mass="2"><point name="bottom"/></body>
        <links><contact name="belt" point="bottom" surface="y = 0" friction="0.3" speed="1.5 m/s"/></links></system>"""
    run = sistel.parse(text).simulate(1.0)
    times = np.linspace(0.0, 1.5 / (0.3 * 9.81), 101)
    middle = (times[1:] + times[:-1]) / 2  # of pieces on which friction is constant and slip linear
    pull, slip = run.quantity("tangent(belt)", middle), np.abs(run.quantity("slip(belt)", middle))
    step = times[1] - times[0]
    gained = run.quantity("energy()")[-1] - run.quantity("energy()")[0]
    assert gained == pytest.approx(0.5 * 2 * 1.5**2, rel=1e-13)
    assert step * float(np.sum(1.5 * pull)) == pytest.approx(2 * gained, rel=1e-12)
    assert step * float(np.sum(pull * slip)) == pytest.approx(gained, rel=1e-12)
