"""The spatial half of the gallery: every file loads cleanly, has the structure that it should, and its closures close.

The kinematics here is written from the definitions of the joints, in NumPy, and shares nothing with the package but the
frozen data of the model. Derivatives are complex steps: exact to the last digit.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sistel.errors import Diagnostics, Source
from sistel.markup import include, read_xsystel
from sistel.model import Closure, Contact, Model, Posture, build

MODELS = Path(__file__).resolve().parents[3] / "models"

Matrix = np.ndarray

EXACT = 1e-12
"""What published digits and closures are held to [m, rad or pure]."""


def build_text(name: str, text: str) -> Model:
    diagnostics = Diagnostics()
    document = read_xsystel(Source(str(MODELS / f"{name}.xml"), text), diagnostics)
    diagnostics.raise_if_failed()
    assert document is not None
    return build(document, diagnostics, lambda path, span: include(path, span, diagnostics))


@cache
def load(name: str) -> Model:
    return build_text(name, (MODELS / f"{name}.xml").read_text(encoding="utf-8"))


# name: (class, list of bases, nq, nv, {structure: (class, loops, degrees of freedom by Grübler)})
ONLY = "only"
LEGS = tuple(base for leg in range(6) for base in (1, 3 * leg + 2, 3 * leg + 3))
TABLE: dict[str, tuple[str, tuple[int, ...], int, int, dict[str, tuple[str, int, int]]]] = {
    "arm5": ("СТОВ", (0, 1, 2, 3, 4), 5, 5, {ONLY: ("СТОВ", 0, 5)}),
    "balls_in_a_box": ("ДСТОВ", (0, 0, 0, 0), 28, 24, {ONLY: ("ДСТОВ", 0, 24)}),
    "boxes_on_boxes": ("ДСТОВ", (0, 0), 14, 12, {ONLY: ("ДСТОВ", 0, 12)}),
    "bicycle": ("ДСТВ", (0, 1, 1, 3), 10, 9, {ONLY: ("ДСТВ", 1, 3)}),
    "bricard": ("СТВ", (0, 1, 2, 3, 4), 5, 5, {ONLY: ("СТВ", 1, 0)}),
    "car": ("ДСТВ", (0, 1, 1, 1, 1), 7, 7, {ONLY: ("ДСТВ", 1, 3)}),
    "delta": ("ДСТВ", (0, 1, 2, 1, 0, 5, 5, 0, 8, 8), 19, 18, {ONLY: ("ДСТВ", 5, 3)}),
    "differential_drive": ("ДСТОВ", (0, 1, 1), 5, 5, {ONLY: ("ДСТОВ", 0, 2)}),
    "flyball_governor": ("ДСТОВ", (0, 1, 1, 3, 1, 5), 4, 4, {ONLY: ("ДСТОВ", 0, 4)}),
    "free_body": ("СТОВ", (0,), 7, 6, {ONLY: ("СТОВ", 0, 6)}),
    "gripper": ("ДСТОВ", (0, 0, 0), 3, 3, {ONLY: ("ДСТОВ", 0, 1)}),
    "gyroscope": ("СТОВ", (0, 1, 2, 2), 3, 3, {ONLY: ("СТОВ", 0, 3)}),
    "hexapod": (
        "ДСТ",
        (0, *LEGS),
        25,
        24,
        {"stand": ("ДСТВ", 5, 6), "tripod L": ("ДСТВ", 2, 15), "tripod R": ("ДСТВ", 2, 15)},
    ),
    "arm_control": ("СТОВ", (0, 1, 2, 3, 4, 5), 6, 6, {ONLY: ("СТОВ", 0, 6)}),
    "hover": ("ДСТОВ", (0, 1, 1, 1, 1), 11, 10, {ONLY: ("ДСТОВ", 0, 10)}),
    "hexapod_leg": ("СТОВ", (0, 1, 2), 3, 3, {ONLY: ("СТОВ", 0, 3)}),
    "panda_like": ("СТОВ", (0, 1, 2, 3, 4, 5, 6), 7, 7, {ONLY: ("СТОВ", 0, 7)}),
    "puma560": ("СТОВ", (0, 1, 2, 3, 4, 5), 6, 6, {ONLY: ("СТОВ", 0, 6)}),
    "quadrotor": ("ДСТОВ", (0, 1, 1, 1, 1), 11, 10, {ONLY: ("ДСТОВ", 0, 10)}),
    "quadruped": (
        "ДСТ",
        (0, *LEGS[:12]),
        19,
        18,
        {
            "стойка": ("ДСТВ", 3, 6),
            "рысь 1": ("ДСТВ", 1, 12),
            "рысь 2": ("ДСТВ", 1, 12),
            "полёт": ("ДСТОВ", 0, 18),
        },
    ),
    "bowl": ("СТОВ", (0,), 7, 6, {ONLY: ("СТОВ", 0, 6)}),
    "marble_run": ("СТОВ", (0,), 7, 6, {ONLY: ("СТОВ", 0, 6)}),
    "rolling_disk": ("СТОВ", (0,), 7, 6, {ONLY: ("СТОВ", 0, 3)}),
    "scara": ("СТОВ", (0, 1, 2, 3), 4, 4, {ONLY: ("СТОВ", 0, 4)}),
    "slider_crank_spatial": ("СТВ", (0, 0, 2), 4, 4, {ONLY: ("СТВ", 1, 1)}),
    "spinning_top": ("СТОВ", (0,), 4, 3, {ONLY: ("СТОВ", 0, 3)}),
    "stanford": ("СТОВ", (0, 1, 2, 3, 4, 5), 6, 6, {ONLY: ("СТОВ", 0, 6)}),
    "stewart": ("ДСТВ", (0, 1, 2, 0, 4, 0, 6, 0, 8, 0, 10, 0, 12), 22, 21, {ONLY: ("ДСТВ", 5, 6)}),
    "telescope": ("СТОВ", (0, 1, 2), 4, 4, {ONLY: ("СТОВ", 0, 4)}),
    "tippe_top": ("СТОВ", (0,), 7, 6, {ONLY: ("СТОВ", 0, 6)}),
    "tracked_vehicle": ("ДСТОВ", (0, 1, 1, 1), 6, 6, {ONLY: ("ДСТОВ", 0, 6)}),
    "universal_shaft": ("СТВ", (0, 1, 2, 0), 5, 5, {ONLY: ("СТВ", 1, 1)}),
    "ur5_like": ("СТОВ", (0, 1, 2, 3, 4, 5), 6, 6, {ONLY: ("СТОВ", 0, 6)}),
}

CLOSED = {
    # name: degrees of freedom that the mechanism really has: velocities less the rank of the conditions
    "bricard": 1,
    "delta": 3,
    "gripper": 1,
    "slider_crank_spatial": 1,
    "stewart": 6,
    "universal_shaft": 1,
}


@pytest.mark.parametrize("name", TABLE)
def test_structure_is_what_the_file_says(name: str) -> None:
    model = load(name)
    structure_class, bases, nq, nv, structures = TABLE[name]
    assert not model.planar
    assert [str(d) for d in model.diagnostics if d.severity != "note"] == []
    assert (model.structure_class, model.bases, model.nq, model.nv) == (structure_class, bases, nq, nv)
    found = {s.name: (s.structure_class, s.loops, s.dof) for s in model.structures}
    assert found == structures
    assert all(not s.why_not for s in model.structures)


@pytest.mark.parametrize("name", TABLE)
def test_files_teach(name: str) -> None:
    text = (MODELS / f"{name}.xml").read_text(encoding="utf-8")
    comment = text[text.index("<!--") : text.index("-->")]
    assert 2 <= comment.count("\n") + 1 <= 6
    assert text.index("<!--") < text.index("space=" if "space=" in text else "вид=")
    assert max(map(len, text.splitlines())) <= 120
    model = load(name)
    assert {shape.body for shape in model.shapes} >= {body.number for body in model.bodies}
    assert all(shape.colour for shape in model.shapes)


def assert_within_limits(model: Model, posture: Posture) -> None:
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            continue
        q = posture.q[body.first_q : body.first_q + body.joint.type.nq]
        for value, low, high in zip(q, body.joint.minimum, body.joint.maximum, strict=True):
            assert low - EXACT <= value <= high + EXACT, f"{posture.name}: {body.name}"


@pytest.mark.parametrize("name", TABLE)
def test_start_and_postures_are_within_limits(name: str) -> None:
    model = load(name)
    for posture in (model.start, *model.postures):
        assert_within_limits(model, posture)


# Kinematics ----------------------------------------------------------------------------------------------------------


def cross(a: Sequence[float] | Matrix) -> Matrix:
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def rotation(axis: Sequence[float], angle: complex) -> Matrix:
    K = cross(axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def quaternion_matrix(q: Matrix) -> Matrix:
    """Of a quaternion of any length, without absolute values, so that complex steps pass."""
    w, V = q[0], cross(q[1:])
    return np.eye(3) + 2 / (q @ q) * (w * V + V @ V)


def quaternion_product(a: Matrix, b: Matrix) -> Matrix:
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + cross(a[1:]) @ b[1:])])


def joint_motion(key: str, axis: Sequence[float], axis2: Sequence[float], q: Matrix) -> tuple[Matrix, Matrix]:
    """Rotation and displacement of a body against its place at zero coordinates."""
    still = np.zeros(3)
    if key == "fixed":
        return np.eye(3), still
    if key == "revolute":
        return rotation(axis, q[0]), still
    if key == "prismatic":
        return np.eye(3), np.asarray(axis) * q[0]
    if key == "cylindrical":
        return rotation(axis, q[0]), np.asarray(axis) * q[1]
    if key == "universal":
        return rotation(axis, q[0]) @ rotation(axis2, q[1]), still
    if key == "spherical":
        return quaternion_matrix(q), still
    if key == "planar":
        assert tuple(axis) == (0.0, 0.0, 1.0)  # then its first two directions are x and y
        return rotation(axis, q[2]), np.array([q[0], q[1], 0.0])
    assert key == "free", key
    return quaternion_matrix(q[:4]), q[4:]


def poses(model: Model, q: Matrix) -> list[tuple[Matrix, Matrix]]:
    """R_WB and p_WB [m] of the ground and of all bodies, by number."""
    found: list[tuple[Matrix, Matrix]] = [(np.eye(3), np.zeros(3))]
    for body in model.bodies:
        R_WP, p_WP = found[body.base]
        joint = body.joint
        R, p = joint_motion(joint.type.key, joint.axis, joint.axis2, q[body.first_q : body.first_q + joint.type.nq])
        R_PB = np.asarray(body.R_PB)
        found.append((R_WP @ R_PB @ R, p_WP + R_WP @ (np.asarray(body.p_PB) + R_PB @ p)))
    return found


def frame_pose(model: Model, q: Matrix, name: str) -> Matrix:
    frame = next(frame for frame in model.frames if frame.name == name)
    R, p = poses(model, q)[frame.body]
    return np.column_stack([R @ np.asarray(frame.R_BF), p + R @ np.asarray(frame.p_BF)])


def point_place(model: Model, q: Matrix, name: str) -> Matrix:
    point = next(point for point in model.points if point.name == name)
    R, p = poses(model, q)[point.body]
    return p + R @ np.asarray(point.p_BP)


def height(model: Model, contact: Contact, q: Matrix) -> float:
    """Of a contact above the floor z = 0: of its point, or of the lowest place of the rim of its wheel."""
    if contact.round is None:
        return float(point_place(model, q, contact.point)[2])
    R, p = poses(model, q)[contact.body]
    if contact.round.axis is None:
        return float((p + R @ np.asarray(contact.p_BP))[2] - contact.round.radius)
    tilt = (R @ np.asarray(contact.round.axis))[2]
    return float((p + R @ np.asarray(contact.p_BP))[2] - contact.round.radius * math.sqrt(1 - tilt**2))


def across(axis: Sequence[float]) -> Matrix:
    """Two unit vectors normal to an axis and to each other, as rows."""
    return np.linalg.svd(np.asarray(axis)[None])[2][1:]


def closure_residual(closure: Closure, where: list[tuple[Matrix, Matrix]]) -> list[complex]:
    (R1, p1), (R2, p2) = (
        (R @ np.asarray(side.R_BS), p + R @ np.asarray(side.p_BS))
        for side, (R, p) in ((closure.first, where[closure.first.body]), (closure.second, where[closure.second.body]))
    )
    apart = R1.T @ (p2 - p1)
    turn = R1.T @ R2
    axis, plane = np.asarray(closure.axis), across(closure.axis)
    key = closure.type.key
    if key == "spherical":
        return [*apart]
    if key == "revolute":
        return [*apart, *(plane @ turn @ axis)]
    if key == "cylindrical":
        return [*(plane @ apart), *(plane @ turn @ axis)]
    assert key == "universal", key
    return [*apart, axis @ turn @ np.asarray(closure.axis2) - axis @ np.asarray(closure.axis2)]


def residual(model: Model, q: Matrix) -> Matrix:
    """What the closures and couplings that hold at the start leave open [m or pure]."""
    holds = model.structure().holds
    where = poses(model, q)
    values: list[complex] = []
    for closure in model.closures:
        if closure.name in holds:
            values += closure_residual(closure, where)
    for coupling in model.couplings:
        if coupling.name in holds:
            driver = q[coupling.driver]
            wanted = sum(ratio * driver ** (k + 1) for k, ratio in enumerate(coupling.ratio)) + coupling.offset
            values.append(q[coupling.driven] - wanted)
    return np.array(values)


def moved(model: Model, q: Matrix, step: Matrix) -> Matrix:
    """Coordinates after a small step of the velocities; quaternions turn in the body frame."""
    q = q.astype(np.result_type(q, step))
    for body in model.bodies:
        kind = body.joint.type
        own = step[body.first_v : body.first_v + kind.nv]
        at = body.first_q
        if kind.has_quaternion:
            turned = q[at : at + 4] + quaternion_product(q[at : at + 4], np.array([0, *own[:3] / 2]))
            q[at : at + 4] = turned
            q[at + 4 : at + kind.nq] += quaternion_matrix(q[at : at + 4]) @ own[3:] if kind.nq == 7 else 0
        else:
            q[at : at + kind.nq] += own
    return q


def jacobian(model: Model, q: Matrix) -> Matrix:
    tiny = 1e-30
    columns = [residual(model, moved(model, q, 1j * tiny * unit)).imag / tiny for unit in np.eye(model.nv)]
    return np.array(columns).T


def assemble(model: Model, q: Matrix) -> tuple[Matrix, float]:
    """Newton's method by least change; returns the coordinates and how far they moved."""
    first = q
    for _ in range(20):
        r = residual(model, q)
        if np.abs(r).max(initial=0.0) < 1e-15:
            break
        q = moved(model, q, -np.linalg.pinv(jacobian(model, q), rcond=1e-9) @ r)
        for body in model.bodies:
            if body.joint.type.has_quaternion:
                at = slice(body.first_q, body.first_q + 4)
                q[at] /= np.linalg.norm(q[at])
    return q, float(np.abs(q - first).max())


def start(model: Model) -> Matrix:
    return np.array(model.start.q)


@pytest.mark.parametrize("name", CLOSED)
def test_start_closes_every_loop(name: str) -> None:
    model = load(name)
    q = start(model)
    assert np.abs(residual(model, q)).max() < EXACT
    assembled, distance = assemble(model, q)
    assert np.abs(residual(model, assembled)).max() < EXACT
    assert distance < 1e-9


@pytest.mark.parametrize("name", CLOSED)
def test_true_mobility(name: str) -> None:
    model = load(name)
    q = start(model)
    J = jacobian(model, q)
    rank = int(np.linalg.matrix_rank(J, tol=1e-9))
    assert model.nv - rank == CLOSED[name]
    # Somewhere else on the way it is the same: the start is no special position.
    free = np.linalg.svd(J)[2][rank:]
    there, _ = assemble(model, moved(model, q, 0.1 * free.sum(axis=0)))
    assert np.abs(residual(model, there)).max() < EXACT
    assert model.nv - np.linalg.matrix_rank(jacobian(model, there), tol=1e-9) == CLOSED[name]


def test_rates_at_the_start_obey_the_closures_or_are_left_to_them() -> None:
    """A file gives the rates of independent coordinates only; the others follow."""
    for name in CLOSED:
        model = load(name)
        assert len(model.start.given_v) <= CLOSED[name], name


@pytest.mark.parametrize("name", TABLE)
def test_sliders_of_parameters_keep_the_start_whole(name: str) -> None:
    """A reader may drag any parameter from its least to its greatest value: the start follows."""
    text = (MODELS / f"{name}.xml").read_text(encoding="utf-8")
    pattern = r'<(?:parameter|параметр) [^>]*?(?:value|значение)="([^"]*)" min="([^"]*)" max="([^"]*)"'
    for found in re.finditer(pattern, text):
        for limit in found.group(2, 3):
            model = build_text(name, text[: found.start(1)] + limit + text[found.end(1) :])
            assert not [d for d in model.diagnostics if d.severity != "note"]
            assert_within_limits(model, model.start)
            assert np.abs(residual(model, start(model))).max(initial=0.0) < EXACT
            # What touches shapes may begin anywhere: a run refuses those that overlap.
            for contact in (each for each in model.contacts if not each.measured):
                assert abs(height(model, contact, start(model))) < EXACT


# Single files --------------------------------------------------------------------------------------------------------


def test_bricard_closes_on_the_published_path() -> None:
    """IFToMM A04: joint angles a and b by turns, with (1 + sin a)(1 − sin b) = 1; P3 at 1 s."""
    model = load("bricard")
    a, b = 1.035028459518062182276, 0.4806211041771847315799
    q = np.array([a, -b, a, -b, a])
    assert np.abs(residual(model, q)).max() < EXACT
    expected = (0.5105014611872197359220, -1.649167599394806308075, 0.1401231145531858282638)
    assert np.abs(point_place(model, q, "P3") - expected).max() < EXACT
    assert model.gravity == (0.0, -9.81, 0.0)
    J = jacobian(model, start(model))
    assert J.shape == (5, 5)
    assert np.linalg.matrix_rank(J, tol=1e-9) == 4


def test_flyball_governor_has_the_published_data() -> None:
    """IFToMM A05: masses from volumes, springs slack at the start."""
    model = load("flyball_governor")
    masses = {body.name: body.mass for body in model.bodies}
    expected = {"shaft": 0.3, "slider": 3.0, "rod_right": 0.3, "ball_right": 5.0, "rod_left": 0.3, "ball_left": 5.0}
    assert masses == pytest.approx(expected, rel=1e-14)
    where = poses(model, start(model))
    for spring in model.springs:
        ends = [where[s.body][1] + where[s.body][0] @ np.asarray(s.p_BS) for s in (spring.first, spring.second)]
        assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(spring.length, abs=1e-15)
        assert (spring.stiffness, spring.damping, spring.length) == (8e5, 4e4, 0.5)
    assert model.start.v == pytest.approx((2 * math.pi, 0, 0, 0))
    # Both balls hang equally, 30° below the horizontal.
    low = 1 - math.sin(math.pi / 6)
    assert [where[4][1][2], where[6][1][2]] == pytest.approx([low, low], abs=1e-15)


def test_delta_platform_never_turns() -> None:
    model = load("delta")
    q = start(model)
    rng = np.random.default_rng(5)
    seen = []
    for _ in range(5):
        J = jacobian(model, q)
        free = np.linalg.svd(J)[2][15:]
        q, _ = assemble(model, moved(model, q, 0.15 * rng.standard_normal(3) @ free))
        assert np.abs(residual(model, q)).max() < EXACT
        X = frame_pose(model, q, "tool")
        assert np.abs(X[:, :3] - np.eye(3)).max() < 1e-10
        seen.append(X[:, 3])
    assert np.ptp(seen, axis=0).min() > 0.01


def test_stewart_platform_is_level_and_central_at_the_start() -> None:
    model = load("stewart")
    X = frame_pose(model, start(model), "centre")
    assert np.abs(X - np.column_stack([np.eye(3), (0, 0, 0.5)])).max() < EXACT


def test_stewart_lengths_follow_the_pose() -> None:
    """Inverse kinematics in closed form: the length of a leg is the distance of its ends."""
    model = load("stewart")
    q, _ = assemble(model, moved(model, start(model), 0.05 * np.random.default_rng(3).standard_normal(model.nv)))
    X = frame_pose(model, q, "centre")
    feet = np.radians([0, 90, 120, 210, 240, 330])
    balls = np.radians([30, 60, 150, 180, 270, 300])
    for index, (foot, ball) in enumerate(zip(feet, balls, strict=True), 1):
        p_foot = 0.4 * np.array([np.cos(foot), np.sin(foot), 0])
        p_ball = X[:, :3] @ (0.25 * np.array([np.cos(ball), np.sin(ball), 0])) + X[:, 3]
        rod = model.bodies[model.number(f"rod{index}") - 1]
        assert q[rod.first_q] == pytest.approx(float(np.linalg.norm(p_ball - p_foot)), abs=1e-12)


def test_double_cardan_turns_evenly() -> None:
    """The output follows the input exactly, while the shaft between them does not."""
    model = load("universal_shaft")
    q = start(model)
    first, last = (model.bodies[model.number(name) - 1].first_q for name in ("input", "output"))
    for _ in range(40):
        step = np.linalg.svd(jacobian(model, q))[2][4]
        q, _ = assemble(model, moved(model, q, 0.1 * step * np.sign(step[0])))
        assert q[last] == pytest.approx(q[first], abs=1e-12)
    assert q[first] > 1


def test_spatial_slider_crank_starts_where_the_book_does() -> None:
    model = load("slider_crank_spatial")
    q = start(model)
    assert q[model.bodies[model.number("slider") - 1].first_q] == pytest.approx(0.2, abs=1e-15)
    assert point_place(model, q, "ball") == pytest.approx([0, 0.1, 0.2], abs=1e-15)


@pytest.mark.parametrize("name", ["hexapod", "quadruped"])
def test_feet_stand_on_the_floor(name: str) -> None:
    model = load(name)
    q = start(model)
    assert len(model.contacts) == len(model.structure().holds)
    for contact in model.contacts:
        assert abs(point_place(model, q, contact.point)[2]) < EXACT
    # The feet surround the centre of mass, so the walker can stand.
    where = poses(model, q)
    mass = sum(body.mass for body in model.bodies)
    com = sum(b.mass * (where[b.number][1] + where[b.number][0] @ np.asarray(b.p_BoBcm_B)) for b in model.bodies) / mass
    feet = np.array([point_place(model, q, contact.point) for contact in model.contacts])
    assert (feet[:, :2].min(axis=0) < com[:2]).all()
    assert (com[:2] < feet[:, :2].max(axis=0)).all()


def test_free_body_spins_about_its_middle_axis() -> None:
    model = load("free_body")
    xx, yy, zz, *products = model.bodies[0].I_BBcm_B
    assert xx < yy < zz
    assert not any(products)
    assert model.gravity == (0.0, 0.0, 0.0)
    assert model.start.v == pytest.approx((0.06, 6.0, 0, 0, 0, 0))
    assert model.start.q == pytest.approx((1, 0, 0, 0, 0, 0, 0.5))


def test_spinning_top_starts_leaning_and_spinning() -> None:
    model = load("spinning_top")
    R, _ = poses(model, start(model))[1]
    assert R[:, 2] == pytest.approx([math.sin(math.radians(20)), 0, math.cos(math.radians(20))], abs=1e-15)
    assert model.start.v == pytest.approx((0, 0, 100 * math.pi))


# Arms against their tables -------------------------------------------------------------------------------------------


def dh(theta: float, d: float, a: float, alpha: float) -> Matrix:
    """Standard Denavit-Hartenberg: Rz(θ) Tz(d) Tx(a) Rx(α)."""
    c, s, ca, sa = math.cos(theta), math.sin(theta), math.cos(alpha), math.sin(alpha)
    return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])


def chain(links: Sequence[Matrix]) -> Matrix:
    X = np.eye(4)
    for link in links:
        X = X @ link
    return X[:3]


H = math.pi / 2
PUMA_DH = ((0.67183, 0, H), (0, 0.4318, 0), (0.15005, 0.0203, -H), (0.4318, 0, H), (0, 0, -H), (0, 0, 0))
UR5_DH = ((0.089159, 0, H), (0, -0.425, 0), (0, -0.39225, 0), (0.10915, 0, H), (0.09465, 0, -H), (0.0823, 0, 0))
ARM5_DH = ((0.071, 0, H), (0, 0.246, 0), (0, 0.163, 0), (0, 0, H), (0.165, 0, 0))


@pytest.mark.parametrize(
    ("name", "frame", "table"),
    [("puma560", "tool", PUMA_DH), ("ur5_like", "tool", UR5_DH), ("arm5", "инструмент", ARM5_DH)],
)
def test_arms_follow_their_tables(
    name: str, frame: str, table: Sequence[tuple[float, float, float]], rng: np.random.Generator
) -> None:
    model = load(name)
    for _ in range(20):
        q = rng.uniform(-math.pi, math.pi, model.nq)
        expected = chain([dh(theta, *row) for theta, row in zip(q, table, strict=True)])
        assert np.abs(frame_pose(model, q, frame) - expected).max() < EXACT


def test_panda_follows_its_table(rng: np.random.Generator) -> None:
    """Modified Denavit-Hartenberg: Rx(α) Tx(a) Rz(θ) Tz(d)."""
    table = ((0, 0, 0.333), (-H, 0, 0), (H, 0, 0.316), (H, 0.0825, 0), (-H, -0.0825, 0.384), (H, 0, 0), (H, 0.088, 0))
    model = load("panda_like")
    for _ in range(20):
        q = rng.uniform(-math.pi, math.pi, 7)
        links = [dh(0, 0, a, alpha) @ dh(theta, d, 0, 0) for theta, (alpha, a, d) in zip(q, table, strict=True)]
        expected = chain([*links, dh(0, 0.107, 0, 0), dh(-math.pi / 4, 0.1034, 0, 0)])
        assert np.abs(frame_pose(model, q, "tool") - expected).max() < EXACT


def test_stanford_wrist_is_where_the_textbook_says(rng: np.random.Generator) -> None:
    model = load("stanford")
    for _ in range(20):
        q = rng.uniform(-1, 1, 6)
        c1, s1, c2, s2, d3 = math.cos(q[0]), math.sin(q[0]), math.cos(q[1]), math.sin(q[1]), q[2]
        expected = (c1 * s2 * d3 - s1 * 0.154, s1 * s2 * d3 + c1 * 0.154, 0.412 + c2 * d3)
        assert np.abs(frame_pose(model, q, "wrist centre")[:, 3] - expected).max() < EXACT


def test_scara_reaches_in_a_plane(rng: np.random.Generator) -> None:
    model = load("scara")
    for _ in range(20):
        q = rng.uniform(-1, 1, 4)
        a, b = q[0], q[0] + q[1]
        expected = (
            0.325 * math.cos(a) + 0.275 * math.cos(b),
            0.325 * math.sin(a) + 0.275 * math.sin(b),
            0.387 + 0.06 - 0.11 - 0.03 - q[2],
        )
        X = frame_pose(model, q, "инструмент")
        assert np.abs(X[:, 3] - expected).max() < EXACT
        assert np.abs(X[:, 2] - (0, 0, -1)).max() < EXACT


def test_telescope_looks_up(rng: np.random.Generator) -> None:
    model = load("telescope")
    azimuth, height, turn, slide = 0.4, 0.7, 0.3, 0.02
    q = np.array([azimuth, height, turn, slide])
    line = np.array([math.cos(height) * math.cos(azimuth), math.cos(height) * math.sin(azimuth), math.sin(height)])
    centre = np.array([0, 0, 1.1])
    assert point_place(model, q, "объектив") == pytest.approx(centre + 0.45 * line, abs=1e-15)
    X = frame_pose(model, q, "камера")
    assert X[:, 3] == pytest.approx(centre - (0.45 + 0.08 + slide) * line, abs=1e-15)
    # The camera's own turn is about the same line, and only that.
    assert X[:, 0] == pytest.approx(line, abs=1e-15)


# Puma 560: published digits ------------------------------------------------------------------------------------------

PUMA_POSTURES = {"zero": (0, 0), "ready": (H, -H), "stretched": (0, -H), "nominal": (math.pi / 4, math.pi)}
"""Shoulder and elbow of Corke's qz, qr, qs, qn [rad]."""

# Corke & Armstrong 1994 parameters, recomputed with 20 digits by Newton–Euler in multiple precision. [m, N·m]
PUMA_PLACES = {
    "zero": (0.4521, -0.15005, 1.10363),
    "ready": (0.0203, -0.15005, 1.53543),
    "stretched": (0.8636, -0.15005, 0.65153),
    "nominal": (0.59630314857461552733, -0.15005, 0.65747573234191308525),
}
PUMA_TURNS = {
    "zero": np.eye(3),
    "ready": np.eye(3),
    "stretched": np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
    "nominal": np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]),
}
PUMA_GRAVITY = {
    "zero": (0, 37.48366665, 0.24892875, 0, 0, 0),
    "ready": (0, -0.77523525, 0.24892875, 0, 0, 0),
    "stretched": (0, 46.006938, 8.7722001, 0, 0.0282528, 0),
    "nominal": (0, 31.639880378357121048, 6.0351380230105122302, 0, 0.0282528, 0),
}
PUMA_TORQUES = {
    # velocities, accelerations, whether gravity, whether friction and motors
    (0, 1, True, True): (
        3.3531108580630241663, 36.002511243975701536, 7.4259640773502702033,
        0.19004303456689685151, 0.20344093111341469392, 0.1941327899392474619,
    ),
    (1, 1, True, True): (
        32.495242754930701344, 60.866988475136302847, 17.743594912764320598,
        1.4545190260797086527, 1.2991104105378865107, 0.7137808874836949238,
    ),
    (1, 0, True, True): (
        29.142131896867677178, 56.504357609517722359, 16.352768858424562625,
        1.2644759915128118012, 1.1239222794244718168, 0.5196480975444474619,
    ),
    (1, 1, False, True): (
        32.495242754930701344, 29.227108096779181798, 11.708456889753808368,
        1.4545190260797086527, 1.2708576105378865107, 0.7137808874836949238,
    ),
    (1, 1, True, False): (
        1.1780065183379013443, 35.460614988311302847, 6.0970639904541205985,
        0.00047549025887665271276, 0.035114117945486510719, 0.00021656854249492380195,
    ),
}  # fmt: skip


def puma_coordinates(name: str) -> Matrix:
    shoulder, elbow = PUMA_POSTURES[name]
    return np.array([0, shoulder, elbow, 0, math.pi / 4 if name == "nominal" else 0, 0])


@pytest.mark.parametrize("name", PUMA_POSTURES)
def test_puma_poses(name: str) -> None:
    model = load("puma560")
    X = frame_pose(model, puma_coordinates(name), "tool")
    assert np.abs(X[:, 3] - PUMA_PLACES[name]).max() < EXACT
    assert np.abs(X[:, :3] - PUMA_TURNS[name]).max() < EXACT
    posture = next(posture for posture in model.postures if posture.name == name)
    assert np.abs(frame_pose(model, np.array(posture.q), "tool") - X).max() < EXACT


def potential(model: Model, q: Matrix) -> complex:
    """Of gravity [J]."""
    where = poses(model, q)
    g = np.asarray(model.gravity)
    return -sum(b.mass * g @ (where[b.number][1] + where[b.number][0] @ np.asarray(b.p_BoBcm_B)) for b in model.bodies)


@pytest.mark.parametrize("name", PUMA_POSTURES)
def test_puma_gravity_torques(name: str) -> None:
    """The torque that holds a joint is the gradient of the potential energy."""
    model, q, tiny = load("puma560"), puma_coordinates(name), 1e-30
    torques = [potential(model, q + 1j * tiny * unit).imag / tiny for unit in np.eye(6)]
    assert np.abs(torques - np.asarray(PUMA_GRAVITY[name])).max() < EXACT


def newton_euler(model: Model, q: Matrix, v: Matrix, a: Matrix, g: Matrix) -> Matrix:
    """Torques of an arm of hinges: accelerations outwards, forces inwards, all in world axes."""
    where = poses(model, q)
    w, dw, acc = [np.zeros(3)], [np.zeros(3)], [-g]
    axes = [np.zeros(3)]
    for body in model.bodies:
        R, p = where[body.number]
        base = body.base
        arm = p - where[base][1]
        axis = R @ np.asarray(body.joint.axis)
        i = body.number - 1
        axes.append(axis)
        acc.append(acc[base] + np.cross(dw[base], arm) + np.cross(w[base], np.cross(w[base], arm)))
        dw.append(dw[base] + axis * a[i] + np.cross(w[base], axis * v[i]))
        w.append(w[base] + axis * v[i])
    force = [np.zeros(3) for _ in where]
    moment = [np.zeros(3) for _ in where]
    torques = np.zeros(len(model.bodies))
    for body in reversed(model.bodies):
        i, (R, p) = body.number, where[body.number]
        xx, yy, zz, xy, xz, yz = body.I_BBcm_B
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        c = R @ np.asarray(body.p_BoBcm_B)
        push = body.mass * (acc[i] + np.cross(dw[i], c) + np.cross(w[i], np.cross(w[i], c)))
        force[i] = force[i] + push
        moment[i] = moment[i] + inertia @ dw[i] + np.cross(w[i], inertia @ w[i]) + np.cross(c, push)
        torques[i - 1] = axes[i] @ moment[i]
        if body.base:
            force[body.base] = force[body.base] + force[i]
            moment[body.base] = moment[body.base] + moment[i] + np.cross(p - where[body.base][1], force[i])
    return torques


@pytest.mark.parametrize("case", PUMA_TORQUES)
def test_puma_torques(case: tuple[int, int, bool, bool]) -> None:
    """At the nominal posture, all joints with unit velocity or acceleration; rotors, gears and friction included."""
    rate, acceleration, gravity, drive = case
    model = load("puma560")
    v, a = np.full(6, float(rate)), np.full(6, float(acceleration))
    g = np.asarray(model.gravity) if gravity else np.zeros(3)
    torques = newton_euler(model, puma_coordinates("nominal"), v, a, g)
    if drive:
        for motor in model.motors:
            joint = model.bodies[motor.body - 1].joint
            i = motor.body - 1
            torques[i] += motor.ratio**2 * motor.inertia * a[i]
            torques[i] += joint.damping[0] * v[i] + joint.friction[0] * np.sign(v[i])
    assert np.abs(torques - np.asarray(PUMA_TORQUES[case])).max() < EXACT


# The five-axis arm in two formats ------------------------------------------------------------------------------------


def numbers(text: str) -> list[float]:
    return [float(word) for word in text.split()]


def test_arm5_closed_form(rng: np.random.Generator) -> None:
    """Position and orientation of the tool in the paper's letters, its two misprinted entries put right."""
    d1, a2, a3, d5 = 0.071, 0.246, 0.163, 0.165
    model = load("arm5")
    for _ in range(20):
        t1, t2, t3, t4, t5 = q = rng.uniform(-math.pi, math.pi, 5)
        c1, s1, c5, s5 = math.cos(t1), math.sin(t1), math.cos(t5), math.sin(t5)
        c234, s234 = math.cos(t2 + t3 + t4), math.sin(t2 + t3 + t4)
        reach = a2 * math.cos(t2) + a3 * math.cos(t2 + t3) + d5 * s234
        n = (s1 * s5 + c1 * c5 * c234, -c1 * s5 + s1 * c5 * c234, c5 * s234)
        o = (s1 * c5 - c1 * s5 * c234, -c1 * c5 - s1 * s5 * c234, -s5 * s234)
        a = (c1 * s234, s1 * s234, -c234)
        p = (c1 * reach, s1 * reach, d1 + a2 * math.sin(t2) + a3 * math.sin(t2 + t3) - d5 * c234)
        assert np.abs(frame_pose(model, q, "инструмент") - np.column_stack([n, o, a, p])).max() < EXACT


def test_arm5_home_is_vertical() -> None:
    model = load("arm5")
    up = frame_pose(model, start(model), "инструмент")
    assert up[:, 3] == pytest.approx([0, 0, 0.071 + 0.246 + 0.163 + 0.165], abs=1e-15)
    assert frame_pose(model, np.zeros(5), "инструмент")[:, 2] == pytest.approx([0, 0, -1], abs=1e-15)


def test_arm5_urdf_is_the_same_arm(rng: np.random.Generator) -> None:
    model = load("arm5")
    root = ElementTree.parse(MODELS / "arm5.urdf").getroot()
    joints = root.findall("joint")
    moving = [joint for joint in joints if joint.get("type") == "revolute"]
    for _ in range(20):
        q = rng.uniform(-math.pi, math.pi, 5)
        angles = dict(zip((joint.get("name") for joint in moving), q, strict=True))
        R, p = np.eye(3), np.zeros(3)
        link = "base"
        for joint in joints:
            assert joint.find("parent").get("link") == link
            link = joint.find("child").get("link")
            roll, pitch, yaw = numbers(joint.find("origin").get("rpy"))
            p = p + R @ numbers(joint.find("origin").get("xyz"))
            R = R @ rotation((0, 0, 1), yaw) @ rotation((0, 1, 0), pitch) @ rotation((1, 0, 0), roll)
            if joint in moving:
                R = R @ rotation(numbers(joint.find("axis").get("xyz")), angles[joint.get("name")])
        assert link == "tool"
        assert np.abs(frame_pose(model, q, "инструмент") - np.column_stack([R, p])).max() < EXACT
    for body, joint in zip(model.bodies, moving, strict=True):
        limit = joint.find("limit")
        assert numbers(limit.get("lower")) == pytest.approx(body.joint.minimum, abs=1e-15)
        assert numbers(limit.get("upper")) == pytest.approx(body.joint.maximum, abs=1e-15)
        found = next(link for link in root.findall("link") if link.get("name") == joint.find("child").get("link"))
        inertial = found.find("inertial")
        assert float(inertial.find("mass").get("value")) == body.mass
        assert numbers(inertial.find("origin").get("xyz")) == pytest.approx(body.p_BoBcm_B, abs=1e-15)
        tensor = [float(inertial.find("inertia").get(key)) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]
        assert tensor == pytest.approx(body.I_BBcm_B, rel=1e-12)
    assert [body.mass for body in model.bodies] == [0.102, 0.569, 0.310, 0.123, 0.142]
