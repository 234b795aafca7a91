"""The planar half of the gallery: every file loads cleanly, has the structure that it should, and its loops close.

The kinematics is written here from the definitions of the joints, in NumPy, and shares nothing with the package but the
frozen data of the model. Derivatives are complex steps: exact to the last digit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.markup import Binary, Call, Expression, Name, Number, Unary
from sistel.model import Closure, Contact, JointType, Model

MODELS = Path(__file__).resolve().parents[3] / "models"

Matrix = np.ndarray

CLOSED = 1e-12
"""How well loops close where the file gives every coordinate [m or rad]; the gallery promises 1e-9."""


@cache
def load(name: str) -> Model:
    return sistel.load(MODELS / f"{name}.xml").model


# ---------------------------------------------------------------------------------------------------------------------
# What the files should be: class, list of base numbers, and for each structure its class and Grübler's mobility.

ONLY = "only"
BIPED = (0, 1, 2, 3, 1, 5, 6)
Row = tuple[str, tuple[int, ...], dict[str, tuple[str, int]]]


def same(structure_class: str, bases: tuple[int, ...], dof: int) -> Row:
    """A system of one structure."""
    return structure_class, bases, {ONLY: (structure_class, dof)}


def changing(bases: tuple[int, ...], **structures: tuple[str, int]) -> Row:
    return "ПДСТ", bases, {name.replace("_", " "): row for name, row in structures.items()}


PLANAR: dict[str, Row] = {
    # the papers
    "paper_listing1": same("ПСТОВ", (0, 1), 2),
    "paper_listing2": same("ПДСТОВ", BIPED, 9),
    "cart_pendulum": same("ПСТОВ", (0, 1), 2),
    "biped": same("ПДСТОВ", BIPED, 9),
    "biped_flight": same("ПДСТОВ", BIPED, 9),
    "biped_single_support": same("ПДСТОВ", BIPED, 6),
    "biped_double_support": same("ПДСТВ", BIPED, 3),
    "walker": changing(
        BIPED, полёт=("ПДСТОВ", 9), на_левой=("ПДСТОВ", 7), на_правой=("ПДСТОВ", 7), на_двух=("ПДСТВ", 5)
    ),
    "walker_control": same("ПДСТОВ", BIPED, 9),
    "wrench_nut": changing((0, 1, 2), подвод=("ПСТОВ", 3), затяжка=("ПСТВ", 1), отвод=("ПСТОВ", 3)),
    # trees
    "pendulum": same("ПСТОВ", (0,), 1),
    "double_pendulum": same("ПСТОВ", (0, 1), 2),
    "chain5": same("ПСТОВ", (0, 1, 2, 3, 4), 5),
    "n_pendulum": same("ПСТОВ", tuple(range(10)), 10),
    "rope": same("ПСТОВ", tuple(range(20)), 20),
    "pendulum_wave": same("ПДСТОВ", (0,) * 12, 12),
    "cart_pole": same("ПСТОВ", (0, 1), 2),
    "planar_biped": same("ПДСТОВ", BIPED, 9),
    "leg": same("ПСТОВ", (0, 1, 2), 3),
    "two_legs": same("ПДСТОВ", BIPED, 7),
    # closed mechanisms
    "four_bar": same("ПСТВ", (0, 1, 0), 1),
    "four_bar_graph": same("ПСТВ", (0, 1, 0), 1),
    "four_bar_iftomm": same("ПДСТВ", (0, 1, 0, 3, 0), 1),
    "slider_crank": same("ПСТВ", (0, 1, 0), 1),
    "five_bar": same("ПСТВ", (0, 1, 0, 3), 2),
    "andrews_squeezer": same("ПДСТВ", (0, 1, 0, 0, 4, 0, 6), 1),
    "peaucellier": same("ПДСТВ", (0, 1, 1, 0, 4, 4, 0), 1),
    "watt": same("ПДСТВ", (0, 1, 0, 3, 0), 1),
    "stephenson": same("ПДСТВ", (0, 1, 2, 0, 0), 1),
    "pantograph": same("ПДСТВ", (0, 1, 2, 1), 2),
    # devices that change their structure
    "geneva": changing((0, 0, 2), dwell=("ПДСТОВ", 1), engaged=("ПСТВ", 1)),
    "cam": changing((0, 0), dwell=("ПДСТОВ", 1), lift=("ПСТВ", 1), jump=("ПДСТОВ", 2)),
    "vending_lift": changing((0, 0, 0), на_полке=("ПДСТОВ", 2), сдвигается=("ПДСТОВ", 2), едет=("ПДСТОВ", 2)),
    "vending_pusher": changing(
        (0, 1, 0, 0),
        лежит=("ПДСТВ", 1),
        толкают=("ПДСТВ", 1),
        скользит=("ПДСТВ", 2),
        падает=("ПДСТВ", 3),
        продана=("ПДСТВ", 1),
    ),
    "vending_machine": same("ПДСТВ", (0, 1, 0, 0, 0), 7),
    "gripper_load": changing((0, 1, 1, 0), open=("ПДСТОВ", 2), squeeze=("ПДСТВ", 1), held=("ПДСТОВ", 1)),
    "breaking_pendulum": changing((0,), swings=("ПСТОВ", 1), flies=("ПСТОВ", 3)),
    "stick_slip": changing((0, 1), sticks=("ПСТОВ", 1), slips=("ПСТОВ", 2)),
    # walking, hopping, bouncing
    "simplest_walker": changing((0, 1, 1), on_the_left=("ПДСТВ", 2), on_the_right=("ПДСТВ", 2)),
    "simplest_walker_basin": changing(
        (0, 1, 1),
        on_the_left=("ПДСТВ", 2),
        on_the_right=("ПДСТВ", 2),
        fell_forward=("ПДСТОВ", 2),
        fell_backward=("ПДСТОВ", 2),
    ),
    "compass_walker": changing((0, 1, 1), on_the_left=("ПДСТВ", 2), on_the_right=("ПДСТВ", 2)),
    "rimless_wheel": ("ПСТОВ", (0,), {"rolls": ("ПСТОВ", 1)}),
    "hopper": changing((0, 1, 2), flight=("ПСТОВ", 5), stance=("ПСТОВ", 3)),
    "bouncing_ball": same("ПСТОВ", (0,), 1),
    "hills": same("ПСТОВ", (0,), 3),
    "ball_on_stairs": same("ПСТОВ", (0,), 3),
    "crawler": same("ПДСТОВ", (0, 1, 1, 1, 1, 5, 1, 7), 8),
    "crate_on_stairs": same("ПСТОВ", (0,), 3),
    "backlash": same("ПДСТОВ", (0, 0), 2),
    "conveyor": same("ПСТОВ", (0,), 3),
    "dominoes": same("ПДСТОВ", (0,) * 12, 36),
    "newtons_cradle": same("ПДСТОВ", (0,) * 5, 5),
    "balanced_cart": same("ПСТОВ", (0, 1), 2),
    "servo_arm": same("ПСТОВ", (0, 1), 2),
    "parallel_gripper": same("ПДСТОВ", (0, 1, 1, 0), 5),
    "swing_up": same("ПСТОВ", (0, 1), 2),
    "lidar_rover": same("ПСТОВ", (0,), 2),
    "scout": same("ПСТОВ", (0,), 2),
    "fuzzy_scout": same("ПСТОВ", (0,), 2),
    "line_follower": same("ПСТОВ", (0,), 2),
    "differential": same("ПДСТОВ", (0, 0, 0), 2),
    "ball_slips_and_rolls": same("ПСТОВ", (0,), 3),
    "block_ramp": same("ПСТОВ", (0,), 2),
    "painleve_rod": same("ПСТОВ", (0,), 3),
    "woodpecker": same("ПСТОВ", (0, 1, 2), 3),
}

ALL = sorted(path.stem for path in MODELS.glob("*.xml"))


def with_elements(*words: str) -> list[str]:
    """Planar files that use one of these elements; a look at the text, so that a broken file fails only its own tests."""
    used = re.compile(rf"<({'|'.join(words)}) ")
    return [name for name in PLANAR if used.search((MODELS / f"{name}.xml").read_text(encoding="utf-8"))]


CLOSED_FILES = with_elements("closure", "замыкание", "joint", "coupling", "дифференциал")


@pytest.mark.parametrize("name", ALL)
def test_loads_without_errors_and_warnings(name: str) -> None:
    assert [str(item) for item in load(name).diagnostics if item.severity != "note"] == []


def test_the_table_has_every_planar_file() -> None:
    assert sorted(PLANAR) == [name for name in ALL if load(name).planar]


@pytest.mark.parametrize("name", PLANAR)
def test_structure(name: str) -> None:
    structure_class, bases, structures = PLANAR[name]
    model = load(name)
    assert model.structure_class == structure_class
    assert model.bases == bases
    assert {item.name: (item.structure_class, item.dof) for item in model.structures} == structures
    assert not any(item.why_not for item in model.structures) or not any(body.mass for body in model.bodies)


@pytest.mark.parametrize("name", PLANAR)
def test_explains_and_draws_itself(name: str) -> None:
    text = (MODELS / f"{name}.xml").read_text(encoding="utf-8")
    comment = re.match(r'<\?xml version="1.0" encoding="UTF-8"\?>\n<!--(.*?)-->\n<', text, re.DOTALL)
    assert comment is not None, "a file begins with a comment"
    assert 2 <= len(comment.group(1).strip().splitlines()) <= 6
    assert max(map(len, text.splitlines())) <= 120
    model = load(name)
    drawn = {shape.body for shape in model.shapes}
    if not name.startswith("paper_"):  # those are as bare as in the papers
        assert {body.number for body in model.bodies if body.mass and body.name != "belt"} <= drawn
        assert 0 in drawn or name in ("biped", "leg")


@pytest.mark.parametrize("name", [name for name, row in PLANAR.items() if len(row[2]) > 1])
def test_every_structure_can_be_reached(name: str) -> None:
    model = load(name)
    reached, waiting = {model.start_structure}, [model.start_structure]
    while waiting:
        at = waiting.pop()
        for transition in model.transitions:
            if (not transition.sources or at in transition.sources) and transition.target not in reached:
                reached.add(transition.target)
                waiting.append(transition.target)
    assert reached == {structure.name for structure in model.structures}


# ---------------------------------------------------------------------------------------------------------------------
# Kinematics in the plane: poses are 3x3 homogeneous matrices, complex while a derivative is taken.


def pose(x: complex, y: complex, angle: complex) -> Matrix:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, x], [s, c, y], [0, 0, 1]])


def rigid(p: Sequence[float], R: Sequence[Sequence[float]]) -> Matrix:
    return np.array([[R[0][0], R[0][1], p[0]], [R[1][0], R[1][1], p[1]], [0, 0, 1]])


def across(joint: JointType, axis: Sequence[float], q: Sequence[complex]) -> Matrix:
    """Motion of a body in its joint."""
    if joint.key == "revolute":
        return pose(0, 0, q[0])
    if joint.key == "prismatic":
        return pose(axis[0] * q[0], axis[1] * q[0], 0)
    if joint.key == "prismatic2":
        return pose(q[0], q[1], 0)
    return pose(q[0], q[1], q[2]) if joint.key == "free" else np.eye(3)


def poses(model: Model, q: Sequence[complex]) -> list[Matrix]:
    """Of the ground and of every body, in the ground."""
    X_W = [np.eye(3)]
    for body in model.bodies:
        kind = body.joint.type
        X_PB = rigid(body.p_PB, body.R_PB) @ across(kind, body.joint.axis, q[body.first_q : body.first_q + kind.nq])
        X_W.append(X_W[body.base] @ X_PB)
    return X_W


def place(model: Model, q: Sequence[complex], point: str) -> Matrix:
    """A named point, in the ground [m]."""
    found = next(item for item in model.points if item.name == point)
    return (poses(model, q)[found.body] @ np.array([*found.p_BP[:2], 1]))[:2]


def opening(closure: Closure, X_W: list[Matrix]) -> list[complex]:
    """What the closure forbids: distances [m] and sines of angles."""
    X_WA = X_W[closure.first.body] @ rigid(closure.first.p_BS, closure.first.R_BS)
    X_WB = X_W[closure.second.body] @ rigid(closure.second.p_BS, closure.second.R_BS)
    # The inverse of a pose, written out: complex steps do not survive a conjugate.
    R_AW = X_WA[:2, :2].T
    p_AB, sine = R_AW @ (X_WB[:2, 2] - X_WA[:2, 2]), (R_AW @ X_WB[:2, :2])[1, 0]
    side = np.array([-closure.axis[1], closure.axis[0]])
    return {"revolute": [*p_AB], "fixed": [*p_AB, sine], "prismatic": [side @ p_AB, sine]}[closure.type.key]


def misfit(model: Model, q: Sequence[complex], holds: Collection[str]) -> Matrix:
    """All closures and couplings that hold [m or rad]."""
    X_W = poses(model, q)
    parts = [part for closure in model.closures if closure.name in holds for part in opening(closure, X_W)]
    for gear in model.couplings:
        if gear.name in holds:
            x = q[gear.driver] if gear.second is None else 0.5 * (q[gear.driver] + q[gear.second])
            drive = sum(ratio * x ** (power + 1) for power, ratio in enumerate(gear.ratio))
            parts.append(q[gear.driven] - drive - gear.offset)
    return np.array(parts)


def jacobian(of: Callable[[Matrix], Matrix], q: Matrix) -> Matrix:
    steps = 1e-30j * np.eye(len(q))
    return np.array([of(q + step).imag / 1e-30 for step in steps]).T


def assemble(model: Model, q: Sequence[float], fixed: Collection[int], holds: Collection[str]) -> Matrix:
    """The nearest coordinates at which the loops close, by Newton's method; `fixed` ones stay."""
    at, free = np.array(q, float), [i for i in range(len(q)) if i not in fixed]
    for _ in range(50):
        error = misfit(model, at, holds).real
        if np.abs(error).max() <= 1e-15:
            break
        J = jacobian(lambda q: misfit(model, q, holds), at)[:, free]
        step = np.linalg.lstsq(J, -error, rcond=None)[0]
        at[free] += step * min(1, 0.5 / max(np.linalg.norm(step), 1e-300))
    return at


def index(model: Model, *coordinates: str) -> list[int]:
    return [model.coordinate_names.index(name) for name in coordinates]


@pytest.mark.parametrize("name", CLOSED_FILES)
def test_start_is_assembled(name: str) -> None:
    """All coordinates given: the loops are closed as they stand. Else the others are found without going far."""
    model = load(name)
    holds = model.structure().holds
    given = model.start.given_q
    if len(given) == model.nq:
        assert np.abs(misfit(model, model.start.q, holds)).max(initial=0) <= CLOSED
        return
    q = assemble(model, model.start.q, given, holds)
    assert np.abs(misfit(model, q, holds)).max(initial=0) <= CLOSED
    assert np.abs(q - model.start.q).max() < 1.0, "another way of assembling may be nearer"


@pytest.mark.parametrize("name", CLOSED_FILES)
def test_mobility_is_the_true_one(name: str) -> None:
    """No constraint of the start structure is redundant there, so Grübler's number counts the real motions."""
    model = load(name)
    holds = model.structure().holds
    if misfit(model, model.start.q, holds).size == 0:
        # Nothing is closed at the start, and nobody says otherwise.
        assert model.structure().loops == 0
        return
    q = assemble(model, model.start.q, model.start.given_q, holds)
    J = jacobian(lambda q: misfit(model, q, holds), q)
    assert np.linalg.matrix_rank(J, tol=1e-9) == len(J)


@pytest.mark.parametrize("name", ["four_bar", "four_bar_graph", "slider_crank", "watt", "stephenson"])
def test_the_crank_turns_all_the_way_round(name: str) -> None:
    model = load(name)
    (crank,) = index(model, "crank")
    holds = model.structure().holds
    q = assemble(model, model.start.q, model.start.given_q, holds)
    first = q.copy()
    for _ in range(120):
        q[crank] += math.tau / 120
        before, q = q, assemble(model, q, {crank}, holds)
        assert np.abs(misfit(model, q, holds)).max() <= CLOSED
        assert np.abs(q - before).max() < 0.3, "it jumped to another way of assembling"
    assert np.allclose(np.exp(1j * (q - first)), 1, atol=1e-9), "the loop came back another way round"


# ---------------------------------------------------------------------------------------------------------------------
# Contacts at the start.

FUNCTIONS: Mapping[str, Callable[..., float]] = {"hypot": math.hypot, "atan": math.atan, "cos": math.cos}


def value(node: Expression, known: Mapping[str, float]) -> float:
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        return known[node.name]
    if isinstance(node, Unary):
        return -value(node.operand, known)
    if isinstance(node, Call):
        return FUNCTIONS[node.function](*(value(argument, known) for argument in node.arguments))
    assert isinstance(node, Binary)
    left, right = value(node.left, known), value(node.right, known)
    return {"+": left + right, "-": left - right, "*": left * right, "/": left / right if right else math.nan}[
        node.operator
    ]


def gap(model: Model, contact: Contact, q: Sequence[float]) -> float:
    """[m]"""
    X_W = poses(model, q)
    x, y, _ = np.linalg.solve(X_W[contact.on], X_W[contact.body] @ np.array([*contact.p_BP[:2], 1]))
    known = {parameter.name: parameter.value for parameter in model.parameters}
    return contact.gap.scale * value(contact.gap.expression, known | {"pi": math.pi, "x": x, "y": y})


@pytest.mark.parametrize("name", with_elements("contact", "контакт"))
def test_contacts_at_the_start(name: str) -> None:
    """Those that hold are closed; no other point has gone through a surface. The free side is where it should be."""
    model = load(name)
    q = model.start.q
    for contact in model.contacts:
        if contact.name in model.structure().holds:
            assert abs(gap(model, contact, q)) <= CLOSED
        else:
            assert gap(model, contact, q) >= -CLOSED


# ---------------------------------------------------------------------------------------------------------------------
# What each file is about.


def test_corrected_listing_of_the_walker() -> None:
    model = load("paper_listing2")
    trunk = model.bodies[0]
    assert model.terminal == (4, 7)
    assert model.adjacent(1) == (2, 5)
    assert np.allclose(trunk.joint.minimum, (0, -3, -math.pi / 2))
    assert np.allclose(trunk.joint.maximum, (5, 0, math.pi / 2))
    poles = [X_WB[:2, 2] for X_WB in poses(model, [0.0] * model.nq)]
    assert np.allclose(poles, [(0, 0), (0, -1), (0, -1), (0, -0.5), (0, 0), (0, -1), (0, -0.5), (0, 0)])
    limits = [
        (round(math.degrees(b.joint.minimum[0])), round(math.degrees(b.joint.maximum[0]))) for b in model.bodies[1:4]
    ]
    assert limits == [(-160, 90), (0, 160), (-30, 90)]


def test_walker_is_dropped_from_its_height() -> None:
    model = load("walker")
    height = next(parameter.value for parameter in model.parameters if parameter.name == "h")
    gaps = {contact.name: gap(model, contact, model.start.q) for contact in model.contacts}
    assert gaps["левая"] == pytest.approx(height, abs=1e-15)
    assert gaps["правая"] > height + 0.05, "the left foot lands first, and alone"
    (change,) = model.structure("на левой").changes
    assert (change.body, change.type.key, change.about) == (1, "revolute", "подошва_л")
    assert len(model.motors) == 6
    assert {name for motion in model.motions for name in motion.structures} == {item.name for item in model.structures}
    # The posture of the flight is that of the start, so nothing but gravity acts until touchdown.
    flight = next(motion for motion in model.motions if motion.structures == ("полёт",))
    assert len(flight.rates) == 6 and flight.kp is not None and flight.kd is not None


def test_biped_stands_flat() -> None:
    for name, standing in (("biped_single_support", ("л",)), ("biped_double_support", ("л", "п"))):
        model = load(name)
        for side in ("л", "п"):
            heel, toe = (place(model, model.start.q, f"{part}_{side}") for part in ("пятка", "носок"))
            if side in standing:
                assert np.allclose([heel[1], toe[1]], 0, atol=CLOSED)
            else:
                assert max(heel[1], toe[1]) < -0.05
    model = load("biped_flight")
    assert max(place(model, model.start.q, f"{part}_{side}")[1] for part in ("пятка", "носок") for side in "лп") < -0.1


def test_benchmark_states() -> None:
    pendulum = load("pendulum")
    assert np.allclose(place(pendulum, pendulum.start.q, "P1"), (-1, 0), atol=1e-15)
    assert load("double_pendulum").start.q == (0.5, 0.0)
    assert load("chain5").start.q == (0.8, 0.0, 0.0, 0.0, 0.0)
    chain = load("chain5")
    assert [(body.mass, body.p_BoBcm_B[1], body.I_BBcm_B[2]) for body in chain.bodies] == [
        (1.0, 0.1, pytest.approx(1 / 300))
    ] * 5
    assert load("cart_pole").start.q == (0.0, 0.1)
    pole = load("cart_pole")
    assert np.allclose(place(pole, pole.start.q, "tip"), (math.sin(0.1), -math.cos(0.1))), "it leans to +x"
    bars = load("four_bar_iftomm")
    assert np.allclose(place(bars, bars.start.q, "B0"), (0, -1))
    speed = jacobian(lambda q: place(bars, q, "B0"), np.array(bars.start.q)) @ bars.start.v
    assert np.allclose(speed, (1, 0), atol=1e-15)
    J = jacobian(lambda q: misfit(bars, q, bars.structure().holds), np.array(bars.start.q))
    assert np.allclose(J @ bars.start.v, 0, atol=1e-15), "the velocities keep the loops closed"
    ball = load("bouncing_ball")
    assert gap(ball, ball.contacts[0], ball.start.q) == 1
    assert ball.contacts[0].restitution == 0.8


def test_andrews_squeezer_starts_as_published() -> None:
    model = load("andrews_squeezer")
    published = {
        "K1": -0.0617138900142764496358948458001,
        "K2": 0.0,
        "K3": 0.455279819163070380255912382449,
        "K4": 0.222668390165885884674473185609,
        "K5": 0.487364979543842550225598953530,
        "K6": -0.222668390165885884674473185609,
        "K7": 1.23054744454982119249735015568,
    }
    assert dict(zip(model.coordinate_names, model.start.q, strict=True)) == published
    assert np.abs(misfit(model, model.start.q, model.structure().holds)).max() <= 1e-16
    assert model.gravity == (0, 0, 0)


def test_andrews_squeezer_accelerates_as_published() -> None:
    """Masses, spring and moment together: the accelerations at rest are 14222.4439… and -10666.8329… rad/s²."""
    model = load("andrews_squeezer")
    q = np.array(model.start.q)

    def centres(q: Matrix) -> Matrix:
        X_W = poses(model, q)
        return np.concatenate([(X_W[b.number] @ np.array([*b.p_BoBcm_B[:2], 1]))[:2] for b in model.bodies])

    def turns(q: Matrix) -> Matrix:
        angles = [0 * q[0]]
        for body in model.bodies:
            angles.append(angles[body.base] + q[body.first_q])
        return np.array(angles[1:])

    def stretch(q: Matrix) -> Matrix:
        X_W = poses(model, q)
        ends = [X_W[side.body] @ np.array([*side.p_BS[:2], 1]) for side in (spring.first, spring.second)]
        dx, dy, _ = ends[0] - ends[1]
        return np.array([np.sqrt(dx * dx + dy * dy) - spring.length])

    (spring,) = model.springs
    J_centre, J_turn, G = (
        jacobian(centres, q),
        jacobian(turns, q),
        jacobian(lambda q: misfit(model, q, model.structure().holds), q),
    )
    masses, inertias = np.repeat([b.mass for b in model.bodies], 2), np.array([b.I_BBcm_B[2] for b in model.bodies])
    M = J_centre.T @ (masses[:, None] * J_centre) + J_turn.T @ (inertias[:, None] * J_turn)
    force = -spring.stiffness * stretch(q).real[0] * jacobian(stretch, q)[0]
    force[0] += 0.033  # the driving moment acts on K1, which turns about the ground
    KKT = np.block([[M, G.T], [G, np.zeros((6, 6))]])
    acceleration = np.linalg.solve(KKT, np.concatenate([force, np.zeros(6)]))
    assert acceleration[:2] == pytest.approx(
        [14222.4439199541138705911625887, -10666.8329399655854029433719415], rel=1e-12
    )
    assert np.abs(acceleration[2:7]).max() < 1e-6, "the others only start to move"


def test_four_bar_as_a_graph_is_the_four_bar() -> None:
    tree, graph = load("four_bar"), load("four_bar_graph")
    assert graph.closures[0].found and not tree.closures[0].found
    for a, b in zip(tree.bodies, graph.bodies, strict=True):
        assert (a.name, a.base, a.p_PB, a.mass, a.p_BoBcm_B) == (b.name, b.base, b.p_PB, b.mass, b.p_BoBcm_B)
    q = assemble(tree, tree.start.q, tree.start.given_q, tree.structure().holds)
    assert np.abs(misfit(graph, q, graph.structure().holds)).max() <= CLOSED


def test_peaucellier_draws_a_straight_line() -> None:
    model = load("peaucellier")
    crank = index(model, "crank")
    q = np.array(model.start.q)
    heights = []
    for angle in np.radians([90, 60, 30, 60, 90, 120, 150]):
        for part in np.linspace(q[crank[0]], angle, 10):
            q[crank] = part
            q = assemble(model, q, crank, model.structure().holds)
        x, y = place(model, q, "D")
        assert x == pytest.approx(0.5, abs=CLOSED)
        heights.append(y)
    assert max(heights) > 0.28 and min(heights) < -0.28


def test_pantograph_magnifies() -> None:
    model = load("pantograph")
    first, second = index(model, "first", "second")
    q = np.array(model.start.q)
    for turn in (0.0, 0.3, 0.6, 0.9):
        q[first], q[second] = model.start.q[first] + turn, model.start.q[second] - turn / 2
        q = assemble(model, q, {first, second}, model.structure().holds)
        assert np.allclose(place(model, q, "pen"), 2 * place(model, q, "stylus"), atol=CLOSED)


def test_geneva_makes_a_quarter_turn() -> None:
    """The pin is at the mouth of the slot at both ends of the engagement, and the block is where the file says."""
    model = load("geneva")
    driver, wheel, block = index(model, "driver", "wheel", "block")
    q = np.array(model.start.q)
    for angle in np.radians(np.linspace(-45, 45, 19)):
        q[driver] = angle
        q = assemble(model, q, {driver}, {"slot"})
        assert np.abs(misfit(model, q, {"slot"})).max() <= CLOSED
        if angle == np.radians(-45):
            assert (q[wheel], q[block]) == pytest.approx((math.radians(45), 0), abs=1e-9)
            speed = jacobian(lambda q: misfit(model, q, {"slot"}), q)
            # The velocity that the transition sets: the wheel stands, the block runs in at the speed of the pin.
            rates = np.zeros(3)
            rates[driver], rates[block] = 1, math.sin(math.radians(45)) * 0.1
            assert np.allclose(speed @ rates, 0, atol=CLOSED)
    assert (q[wheel], q[block]) == pytest.approx((math.radians(-45), 0), abs=1e-9)


@pytest.mark.parametrize("name", ["simplest_walker", "compass_walker"])
def test_walkers_start_after_a_strike(name: str) -> None:
    """Both feet are on the slope, the standing one is still, and it is the one ahead."""
    model = load(name)
    q, v = np.array(model.start.q), np.array(model.start.v)
    left, right = place(model, q, "left foot"), place(model, q, "right foot")
    assert np.allclose([left[1], right[1]], 0, atol=CLOSED)
    assert left[0] > right[0]
    assert np.allclose(jacobian(lambda q: place(model, q, "left foot"), q) @ v, 0, atol=CLOSED)
    step = {"simplest_walker": 2 * math.sin(0.20031090054424708936), "compass_walker": 0.53591931879380164760}[name]
    assert left[0] - right[0] == pytest.approx(step, abs=1e-15)


def test_rimless_wheel_starts_after_a_strike() -> None:
    model = load("rimless_wheel")
    q, v = np.array(model.start.q), np.array(model.start.v)
    assert np.allclose(place(model, q, "standing"), 0, atol=CLOSED)
    assert np.allclose(jacobian(lambda q: place(model, q, "standing"), q) @ v, 0, atol=CLOSED)
    # Setting the wheel back by an eighth puts the spoke that stands where the spoke ahead was.
    strike = q + np.array([0, 0, math.radians(45)])
    assert np.allclose(place(model, strike, "ahead"), place(model, q, "standing"), atol=CLOSED)
    (transition,) = model.transitions
    assert transition.impact == "plastic" and len(transition.resets) == 1


def test_woodpecker_geometry() -> None:
    """To first order the gaps are those of the paper, with its angles and our sides exchanged."""
    model = load("woodpecker")
    sleeve, bird = index(model, "sleeve", "bird")
    beak, below, above = (next(c for c in model.contacts if c.name == name) for name in ("beak", "below", "above"))
    zero, small = np.zeros(3), 1e-6
    assert [gap(model, c, zero) for c in (beak, below, above)] == pytest.approx([0.0024, 0.0006, 0.0006], abs=1e-15)
    turned = zero.copy()
    turned[sleeve], turned[bird] = small, -small  # the bird keeps its direction
    slopes = [(gap(model, c, turned) - gap(model, c, zero)) / small for c in (below, above)]
    assert slopes == pytest.approx([0.0058, -0.0058], abs=1e-8)
    turned[sleeve], turned[bird] = 0, small
    assert (gap(model, beak, turned) - gap(model, beak, zero)) / small == pytest.approx(-0.02, abs=1e-7)


def test_two_legs_have_prefixes_and_a_parameter_of_their_own() -> None:
    model = load("two_legs")
    assert [body.name for body in model.bodies[1:4]] == ["left_thigh", "left_shank", "left_foot"]
    masses = {body.name: body.mass for body in model.bodies}
    assert masses["left_thigh"] == pytest.approx(4.0) and masses["right_thigh"] == pytest.approx(5.2)
    toes = [place(model, model.start.q, f"{side}_toe") for side in ("left", "right")]
    assert np.allclose(toes[1] - toes[0], (0.12, 0))
