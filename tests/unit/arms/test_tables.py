"""Arms by tables of Denavit and Hartenberg and by products of exponentials, against forward kinematics of the models."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sistel
from sistel.arms import (
    DHRow,
    DHTable,
    dh_of,
    dh_xml,
    exponentials,
    exponentials_of,
    exponentials_xml,
    read_dh,
)

MODELS = Path(__file__).parents[3] / "models"
ARMS = {"arm5": "инструмент", "puma560": "tool", "panda_like": "", "ur5_like": "", "scara": "", "stanford": "", "mr_spherical": "схват"}  # fmt: skip
EXACT = 3e-15  # some ten products of matrices with lengths of 1 m

PAPER = """joint,theta,d,a,alpha,min,max
R,0,71,0,90,-180,180
R,0,0,246,0,0,180
R,0,0,163,0,-150,150
R,0,0,0,90,-30,210
R,0,165,0,0,-180,180
"""


def chain(name: str) -> tuple[sistel.System, str, list[int]]:
    system = sistel.load(MODELS / f"{name}.xml")
    frame = ARMS[name] or system.model.frames[-1].name
    places = {body.name: body.first_q for body in system.model.bodies}
    return system, frame, [places[row.name] for row in dh_of(system.model, frame).rows]


@pytest.mark.parametrize("convention", ["standard", "modified"])
@pytest.mark.parametrize("name", ARMS)
def test_a_model_and_its_table_are_one_arm(name: str, convention: str) -> None:
    """The table's own product, and the system that is made of the table."""
    system, frame, places = chain(name)
    table = dh_of(system.model, frame, convention)  # type: ignore[arg-type]
    again = sistel.parse(dh_xml(table, tool="tool"))
    for q in np.random.default_rng(1).uniform(-1.5, 1.5, size=(10, system.nq)):
        expected = system.pose(q, frame)
        assert np.abs(table.pose(q[places]) - expected).max() < EXACT
        assert np.abs(again.pose(q[places], "tool") - expected).max() < EXACT
    limits = [end for body in again.model.bodies for end in (body.joint.minimum[0], body.joint.maximum[0])]
    assert limits == pytest.approx([end for row in table.rows for end in (row.low, row.high)])


@pytest.mark.parametrize("name", ARMS)
def test_a_model_and_its_screws_are_one_arm(name: str) -> None:
    system, frame, places = chain(name)
    arm = exponentials_of(system.model, frame)
    again = sistel.parse(exponentials_xml(arm))
    for q in np.random.default_rng(2).uniform(-1.5, 1.5, size=(10, system.nq)):
        expected = system.pose(q, frame)
        assert np.abs(arm.pose(q[places]) - expected).max() < EXACT
        assert np.abs(again.pose(q[places], "tool") - expected).max() < EXACT
    # At zero, the Jacobian in the ground's frame has the screws for columns.
    jacobian = system.jacobian(np.zeros(system.nq), frame)[:, [body.first_v for body in system.model.bodies if body.name in arm.names]]  # fmt: skip
    tip = arm.home[:3, 3]
    for column, screw in zip(jacobian.T, arm.screws, strict=True):
        assert np.abs(column[:3] - screw[:3]).max() < EXACT
        assert np.abs(column[3:] - (screw[3:] + np.cross(screw[:3], tip))).max() < EXACT


def test_the_table_of_the_paper_is_the_arm_of_the_gallery() -> None:
    """Thu Rein and others (2023), Table 1 with α4 = +90°; d1 is the height of the first link, as the model assumes."""
    table = read_dh(PAPER)
    arm, made = sistel.load(MODELS / "arm5.xml"), sistel.parse(dh_xml(table, tool="инструмент"))
    for q in np.random.default_rng(3).uniform(-1.5, 1.5, size=(10, 5)):
        a, b = arm.pose(q, "инструмент"), made.pose(q, "инструмент")
        assert np.abs(a[:3, 3] - b[:3, 3]).max() < EXACT and np.abs(a[:3, 2] - b[:3, 2]).max() < EXACT


# Lengths of nothing, or such as links have: the direction of a normal of 10⁻⁷ m is known to nine digits only.
LENGTHS = st.just(0.0) | st.floats(0.01, 1.0) | st.floats(-1.0, -0.01)
ROWS = st.builds(
    DHRow,
    kind=st.sampled_from(["revolute", "prismatic"]),
    theta=st.floats(-3, 3),
    d=LENGTHS,
    a=LENGTHS,
    alpha=st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi, 0.7, -2.1, 0.02]),
)


@pytest.mark.slow
@given(st.lists(ROWS, min_size=1, max_size=5), st.sampled_from(["standard", "modified"]), st.integers(0, 10**6))
def test_any_table_becomes_a_system_and_comes_back(rows: list[DHRow], convention: str, seed: int) -> None:
    """Not with the same numbers, which are not unique, but as the same arm."""
    table = DHTable(rows=tuple(rows), convention=convention)  # type: ignore[arg-type]
    system = sistel.parse(dh_xml(table))
    q = np.random.default_rng(seed).uniform(-2, 2, len(rows))
    expected = table.pose(q)
    assert np.abs(system.pose(q, "tool") - expected).max() < 1e-13
    for other in ("standard", "modified"):
        back = dh_of(system.model, "tool", other)  # type: ignore[arg-type]
        # Axes that are nearly parallel have their common normal far away: long lengths cost digits.
        far = max([1.0, *(abs(row.a) + abs(row.d) for row in back.rows)])
        assert np.abs(back.pose(q) - expected).max() < 1e-12 * far


def test_masses_come_along() -> None:
    """The centre of mass and the inertia of a row are in the frame of the row, behind the link."""
    text = "joint;theta;d;a;alpha;mass;cx;cy;cz;ixx;iyy;izz\nR;0;100;300;90;2;-150;10;0;0.001;0.02;0.03\n"
    for convention in ("standard", "modified"):
        table = read_dh(text, convention=convention)  # type: ignore[arg-type]
        system = sistel.parse(dh_xml(table))
        centre = table.pose([0.4]) @ [-0.15, 0.01, 0.0, 1.0]
        assert system.centre_of_mass([0.4]) == pytest.approx(centre[:3], abs=1e-15)
        # Kinetic energy of a turn about z of the ground, or of the joint: I + m r² about that axis.
        axis = np.array([0.0, 0.0, 1.0]) if convention == "standard" else table.rows[0].matrix(0.0, "modified")[:3, 2]
        X = table.pose([0.4])
        point = np.zeros(3) if convention == "standard" else X[:3, 3]
        arm = np.cross(axis, centre[:3] - point)
        local = X[:3, :3].T @ axis
        energy = 0.5 * (local @ np.diag([0.001, 0.02, 0.03]) @ local + 2 * arm @ arm)
        assert system.energies([0.4], [1.0])[0] == pytest.approx(energy, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no rows"),
        ("theta,d,a\n0,0,0\n", 'column "alpha" is missing'),
        ("theta,d,a,alpa\n0,0,0,0\n", 'no column "alpa"'),
        ("theta,d,a,alpha\n0,x,0,0\n", '"x"'),
        ("joint,theta,d,a,alpha\nQ,0,0,0,0\n", "no kind of joint"),
        ("theta,d,a,alpha,min,max\n0,0,0,0,10,-10\n", "above"),
        ("theta,d,a,alpha\n" + "0,0,0,0\n" * 300, "more than 200"),
    ],
)
def test_wrong_tables_are_told(text: str, words: str) -> None:
    with pytest.raises(sistel.SistelError, match=words):
        read_dh(text)


def test_wrong_screws_are_told() -> None:
    for screws in ([[0, 0, 2, 0, 0, 0]], [[0, 0, 1, 0, 0, 0.5]], [[0, 0, 0, 0, 0, 0]], [[1, 2, 3]], [[np.nan] * 6]):
        with pytest.raises(sistel.SistelError):
            exponentials(screws, np.eye(4))
    with pytest.raises(sistel.SistelError):
        exponentials([[0, 0, 1, 0, 0, 0]], np.diag([1, 1, 2, 1]))
    assert exponentials([[0, 0, 1, 0, 0, 0]], np.eye(4)).pose([math.pi / 2])[0, 1] == pytest.approx(-1)
