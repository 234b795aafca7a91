"""Mobility and assembly: linkages whose true freedom is known, and postures that are singular."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.robots import gallery_files
from support.structures import at, gallery, jacobian, parsed, poses, tree_of

import sistel
from sistel.mechanics import assemble, constraint_rows, mobility


def bar(name: str, place: str, length: float, inner: str = "", turn: str = "0") -> str:
    return f'<body name="{name}" joint="revolute" place="{place}" turn="{turn}" mass="1" com="{length / 2},0" inertia="0.1">{inner}</body>'


PARALLELOGRAM = (
    "<system>"
    + bar("left", "0,0", 300, bar("top", "300,0", 500, turn="90"), turn="-90")
    + bar("middle", "200,0", 300, turn="-90")
    + bar("right", "500,0", 300, turn="-90")
    + '<links><closure name="R" joint="revolute" body="top" at="500,0" to="right" at-to="300,0"/>'
    '<closure name="M" joint="revolute" body="top" at="200,0" to="middle" at-to="300,0"/></links></system>'
)


def bennett(a: float, b: float, alpha: float) -> str:
    """Four hinges in space; opposite bars alike, a / sin α = b / sin β (Bennett, 1903). Angles of its bars: θ and φ."""
    beta = math.asin(b / a * math.sin(alpha))

    def link(name: str, length: float, twist: float, inner: str) -> str:
        # A hinge about z, then along x by the length and about x by the twist, in the manner of Denavit and Hartenberg.
        return (
            f'<body name="{name}" joint="revolute" axis="z" mass="1" com="{500 * length},0,0" inertia="0.1">'
            f'<body name="{name}end" joint="fixed" place="{1000 * length},0,0" turn="{math.degrees(twist)},0,0">{inner}</body></body>'
        )

    chain = link("l1", a, alpha, link("l2", b, beta, link("l3", a, alpha, "")))
    return (
        f'<system space="spatial">{chain}<links><closure name="last" joint="revolute" axis="z" body="l3end" '
        f'to="0" at-to="{-1000 * b * 1},0,0" turn-to="{-math.degrees(beta)},0,0"/></links></system>'
    )


def test_parallelogram_with_a_redundant_bar() -> None:
    """Five bars: 3·4 − 2·6 = 0 by Grübler, and yet it swings, because the middle bar is as long as its neighbours."""
    system = parsed(PARALLELOGRAM)
    found = system.mobility()
    assert (found.grubler, found.dof, found.rank) == (0, 1, 3)
    assert found.redundant_links == ("M",) and len(found.redundant) == 1 and not found.singular
    assert found.rows[found.redundant[0]][0] == "M"
    a = system.forward_dynamics(np.zeros(4), np.zeros(4), [1.0, 0, 0, 0])
    # Three bars about their ends, and the coupler carried: one equation.
    inertia = 3 * (0.1 + 0.15**2) + 1 * 0.3**2
    assert a == pytest.approx(np.array([1, -1, 1, 1]) / inertia, rel=1e-12)
    # A bar that is a little longer locks it.
    stuck = parsed(PARALLELOGRAM.replace('to="middle" at-to="300,0"', 'to="middle" at-to="310,20"'))
    with pytest.raises(sistel.SistelError, match="cannot be assembled") as refusal:
        stuck.assemble([0.1, -0.1, 0.1, 0.1])
    assert "nan" not in str(refusal.value)


def test_bennett() -> None:
    """3 hinges in the tree less 5 equations is −2; Bennett's condition gives it one motion all the same."""
    system = parsed(bennett(0.4, 0.3, math.radians(60)))
    q = assembled(system)
    found = mobility(system.model, system.structure(), q)
    assert (found.grubler, found.dof, found.rank) == (-2, 1, 2)
    assert len(found.redundant) == 3 and found.redundant_links == ("last",)
    for theta in (0.8, 1.3):
        turned = assemble(system.model, system.structure(), [theta, *q[1:]], fixed=frozenset({0}))
        assert turned.success and turned.q[0] == theta
        # Opposite angles are alike, and tan θ/2 · tan φ/2 is constant.
        assert abs(math.cos(turned.q[0]) - math.cos(turned.q[2])) < 1e-9
    wrong = parsed(bennett(0.4, 0.3, math.radians(60)).replace('"400.0,0,0"', '"410.0,0,0"', 1))
    attempt = assemble(wrong.model, wrong.structure(), q)
    assert not attempt.success or mobility(wrong.model, wrong.structure(), attempt.q).dof == 0


def assembled(system: sistel.System) -> list[float]:
    """Coordinates away from the flat posture, in which all bars lie along one line."""
    for start in ((1.0, 2.0, 1.0), (1.0, -2.0, 1.0), (-1.0, 2.0, -1.0), (2.0, 1.0, 2.0)):
        found = assemble(system.model, system.structure(), start)
        if found.success and min(abs(math.sin(x)) for x in found.q) > 0.05:
            return list(found.q)
    raise AssertionError("it could not be assembled")


@pytest.mark.parametrize(
    ("name", "grubler", "dof", "redundant"),
    [("bricard", 0, 1, ("hinge 6",)), ("stewart", 6, 6, ()), ("delta", 3, 3, ()), ("universal_shaft", 1, 1, ())],
)
def test_mechanisms_in_space(name: str, grubler: int, dof: int, redundant: tuple[str, ...]) -> None:
    found = gallery(name).mobility()
    assert (found.grubler, found.dof, found.redundant_links) == (grubler, dof, redundant)


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_rank_is_that_of_singular_values(path: Any) -> None:
    """In a posture off the start; what is kept has full rank, and nothing that was left out adds to it."""
    system = gallery(path.stem)
    for structure in system.structures:
        found = system.mobility(structure.name)
        assert found.dof == system.nv - found.rank and found.rank == len(found.rows) - len(found.redundant)
        assert found.grubler == system.dof(structure.name) <= found.dof
        if not found.rows:
            continue
        model = system.model
        away = assemble(model, structure, np.array(model.start.q) + 0.01 * np.arange(model.nq) / model.nq)
        if model.nq != model.nv or not away.success:
            continue
        J = jacobian(model, structure, away.q)
        J = J / np.linalg.norm(J, axis=1, keepdims=True)
        sizes = np.linalg.svd(J, compute_uv=False)
        assert sum(sizes > 1e-7) == found.rank, structure.name


def test_flat_postures_are_singular() -> None:
    """Equal bars in one line: a closure loses an equation, whose numbers are but rounding."""
    equal = "<system>" + bar("a", "0,0", 300, bar("b", "300,0", 300)) + bar("c", "300,0", 300)
    equal += '<links><closure name="B" joint="revolute" body="b" at="300,0" to="c" at-to="300,0"/></links></system>'
    system = parsed(equal)
    flat = system.mobility(q=[0.0, 0.0, 0.0])
    assert flat.singular and flat.dof == 1
    bent = system.mobility(q=[0.5, -0.5, 0.5])
    assert not bent.singular and bent.dof == 1
    # The same along y: what was zero is 1e-17 now.
    quarter = parsed(
        equal.replace('name="c" joint="revolute" place="300,0"', 'name="c" joint="revolute" place="0,300"')
    )
    upright = [math.pi / 2, 0.0, math.pi / 2]
    assert 0 < np.abs(quarter.constraint_jacobian(upright)[1]).max() < 1e-15
    found = quarter.mobility(q=upright)
    assert found.singular and found.dof == 1
    assert np.all(np.isfinite(system.forward_dynamics([0.0] * 3, [1.0, -1.0, 1.0], [0.0] * 3)))


def test_links_that_say_the_same_twice() -> None:
    system = parsed(
        "<system>"
        + bar("a", "0,0", 300)
        + '<links><lock name="one" of="a"/><lock name="two" body="a" to="0"/></links></system>'
    )
    found = system.mobility()
    assert (found.dof, found.grubler, found.rank) == (0, -3, 1)
    assert found.redundant_links == ("two",) and len(found.redundant) == 3
    assert system.forward_dynamics([0.3], [0.0], [5.0]) == pytest.approx([0.0], abs=0)


def test_bad_coordinates_are_named() -> None:
    system = gallery("four_bar")
    for q in ([0.0], [0.0] * 4, [math.nan] * 3, [math.inf, 0, 0]):
        with pytest.raises(sistel.SistelError, match="q: expected 3 finite numbers"):
            system.mobility(q=q)
    with pytest.raises(sistel.SistelError, match="q: expected"):
        system.assemble([0.0])


# --- assembly ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_the_gallery_can_be_assembled(path: Any) -> None:
    system = gallery(path.stem)
    start = system.model.start
    for structure in system.structures:
        q = system.assemble(structure=structure.name)
        rows = constraint_rows(system.model, tree_of(system.model), structure, q.tolist(), [0.0] * system.nv)
        assert max((abs(float(row.value)) for row in rows), default=0.0) < 1e-11
        for body in system.bodies:
            if body.joint.type.has_quaternion:
                assert np.linalg.norm(q[body.first_q : body.first_q + 4]) == pytest.approx(1.0, abs=1e-15)
    first = system.assemble()
    for index in start.given_q:
        if not system.structure().why_not and system.nq == system.nv:
            assert first[index] == pytest.approx(start.q[index], abs=1e-9), "what the file gives stays"


def test_given_coordinates_stay_and_give_way() -> None:
    """The crank is where the file puts it; out of reach the others cannot follow, and it moves as little as it must."""
    system = gallery("four_bar")
    q = system.assemble()
    assert q[0] == math.radians(30)
    far = parsed(system.source.text.replace('crank="30 deg"', 'crank="30 deg" rocker="90 deg" coupler="0 deg"'))
    q = far.assemble()
    assert np.abs(far.constraint_errors(q)).max() < 1e-11
    assert q[0] != math.radians(30)


@settings(max_examples=12)
@given(st.lists(st.floats(-3, 3), min_size=6, max_size=6), st.integers(0, 2**32 - 1))
def test_random_loops(angles: list[float], seed: int) -> None:
    """A chain of six hinges in the plane, closed where it happens to end, and taken apart a little."""
    generator = np.random.default_rng(seed)
    lengths = generator.uniform(100, 500, 6)
    inner = ""
    for i in range(5, -1, -1):
        place = "0,0" if i == 0 else f"{lengths[i - 1]},0"
        inner = bar(f"b{i}", place, lengths[i], inner)
    open_chain = sistel.parse(f"<system>{inner}</system>")
    end = at(poses(open_chain.model, angles)[6], (lengths[5] / 1000, 0.0, 0.0))
    closed = sistel.parse(
        f'<system>{inner}<links><closure name="c" joint="revolute" body="b5" at="{lengths[5]},0" to="0" '
        f'at-to="{1000 * float(end[0])!r},{1000 * float(end[1])!r}"/></links></system>'
    )
    model, structure = closed.model, closed.structure()
    assert np.abs(jacobian(model, structure, angles)).max() < 4
    found = assemble(model, structure, np.array(angles) + generator.normal(scale=0.02, size=6))
    assert found.success and found.error < 1e-11
    tip = at(poses(model, found.q)[6], (lengths[5] / 1000, 0.0, 0.0))
    assert tip == pytest.approx(end, abs=1e-11)
    assert mobility(model, structure, found.q).dof == 4
