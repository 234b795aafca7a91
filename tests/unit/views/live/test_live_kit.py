"""Kits: postures, closing, parameters, refusals, and scripts that pages can carry."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.javascript import sources
from support.live import Drive, job, kit_of

import sistel
from sistel.mechanics import build_tree, constraint_rows
from sistel.views.live import _kit, live_kit

POSED = ("walker", "panda_like", "free_body", "spinning_top", "bouncing_ball", "puma560", "paper_listing2")


def test_poses_and_energies_are_those_of_the_system(models_dir: Path, drive: Drive, rng: np.random.Generator) -> None:
    jobs, systems, states = [], [], []
    for name in POSED:
        system = sistel.load(models_dir / f"{name}.xml")
        q = rng.uniform(-1.0, 1.0, system.nq)
        for body in system.model.bodies:
            if body.joint.type.has_quaternion:
                q[body.first_q : body.first_q + 4] /= np.linalg.norm(q[body.first_q : body.first_q + 4])
        v = rng.uniform(-1.0, 1.0, system.nv)
        jobs.append(job(system, [["poses", q.tolist()], ["energies", q.tolist(), v.tolist()]]))
        systems.append(system)
        states.append((q, v))
    for (poses, energies), system, (q, v) in zip(drive(jobs), systems, states, strict=True):
        found = np.array(poses).reshape(-1, 3, 4)
        assert np.array_equal(found[0], np.eye(3, 4))
        for body in system.model.bodies:
            exact = system.pose(q, body.name)[:3]
            np.testing.assert_allclose(found[body.number], exact, rtol=0, atol=1e-14 * max(1.0, np.abs(exact).max()))
        kinetic, potential = system.energies(q, v)
        assert energies["kinetic"] == pytest.approx(float(kinetic), rel=1e-13, abs=1e-14)
        assert energies["potential"] == pytest.approx(float(potential), rel=1e-13, abs=1e-12)
        np.testing.assert_allclose(energies["centre"], system.centre_of_mass(q), rtol=0, atol=1e-14)


def number(value: object) -> float:
    """A number of equations that were derived for numbers."""
    assert isinstance(value, float)
    return value


CLOSED = {"four_bar": 0, "walker": 3, "universal_shaft": 0, "bricard": 1, "stephenson": 0}


def test_loops_are_closed_around_a_coordinate(models_dir: Path, drive: Drive) -> None:
    """What a page does when a joint is dragged: that coordinate stays, the others follow, and velocities too."""
    jobs, systems = [], []
    for name, fixed in CLOSED.items():
        system = sistel.load(models_dir / f"{name}.xml")
        model = system.model
        index = [each.name for each in model.structures].index(model.start_structure)
        q = [float(number) for number in model.start.q]
        q[fixed] += 0.05
        v = np.linspace(-1.0, 1.0, model.nv).tolist()
        jobs.append(job(system, [["close", q, fixed, index], ["velocities", q, v, [], index]]))
        # Velocities belong to closed coordinates: a second job has them.
        systems.append((system, q, fixed, index, v))
    first = drive(jobs)
    again = []
    for (closed, _), (system, q, fixed, index, v) in zip(first, systems, strict=True):
        assert closed["success"], system
        assert closed["q"][fixed] == pytest.approx(q[fixed], abs=1e-12)
        again.append(job(system, [["velocities", closed["q"], v, [], index]]))
    for (speeds,), (closed, _), (system, _, _, index, v) in zip(drive(again), first, systems, strict=True):
        assert speeds["success"]
        name = system.structures[index].name
        J = system.constraint_jacobian(np.array(closed["q"]), structure=name)
        tree, still = build_tree(system.model), [0.0] * system.nv
        rows = constraint_rows(system.model, tree, system.structures[index], closed["q"], still)
        assert max((abs(number(row.value)) for row in rows), default=0.0) < 1e-10
        # The nearest velocities that the links allow, by NumPy.
        nearest = np.array(v) - np.linalg.pinv(J, rcond=1e-10) @ (J @ np.array(v)) if J.size else np.array(v)
        np.testing.assert_allclose(speeds["v"], nearest, rtol=0, atol=1e-9)


def test_what_cannot_be_closed_is_said(models_dir: Path, drive: Drive) -> None:
    system = sistel.load(models_dir / "four_bar.xml")
    q = [float(number) for number in system.model.start.q]
    q[2] += 2.5  # the rocker does not reach so far
    ((closed,),) = drive([job(system, [["close", q, 2, 0]])])
    assert not closed["success"] and closed["error"] > 1e-3


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bowl", ("friction in space", "трением в пространстве")),
        ("paper_listing1", ("no mass", "массы")),
    ],
)
def test_refusals_are_in_words_of_mechanics(models_dir: Path, drive: Drive, name: str, words: tuple[str, str]) -> None:
    system = sistel.load(models_dir / f"{name}.xml")
    refused = kit_of(system).table["refused"]
    assert words[0] in refused["en"] and words[1] in refused["ru"]
    ((begun, state, moved),) = drive([job(system, [["start", {}], ["state"], ["advance", [1.0]]])])
    assert begun == refused
    assert moved[0]["t"] == state["t"] and np.isfinite(state["q"]).all()


def test_parameters_tell_what_they_are(models_dir: Path) -> None:
    system = sistel.load(models_dir / "hopper.xml")
    rows = {row["name"]: row for row in kit_of(system).table["parameters"]}
    assert rows["k"] == {
        "name": "k",
        "value": 4000.0,
        "unit": {"en": "N/m", "ru": "Н/м"},
        "about": "stiffness of the leg",
        "live": True,
        "place": rows["k"]["place"],
        "min": 1000.0,
        "max": 10000.0,
        "refused": None,
    }
    for row in rows.values():
        assert row["min"] < row["value"] < row["max"]
    # What decides how many bodies there are cannot follow a slider.
    chain = sistel.load(models_dir / "chain5.xml")
    found = {row["name"]: row for row in kit_of(chain).table["parameters"]}
    assert any(not row["live"] and row["refused"]["en"] and row["refused"]["ru"] for row in found.values())
    # A model that was made of another does not know its parameters.
    fixed = live_kit(replace(system.model)).table["parameters"]
    assert not any(row["live"] for row in fixed) and all(row["refused"]["ru"] for row in fixed)


def test_kits_are_plain_small_and_the_same_again(models_dir: Path) -> None:
    for name, most in (("pendulum", 600), ("compass_walker", 4_000), ("walker", 40_000)):
        system = sistel.load(models_dir / f"{name}.xml")
        kit, again = kit_of(system), kit_of(system)
        assert len(gzip.compress(kit.source.encode())) < most
        assert (kit.source, kit.table) == (again.source, again.table)
        assert json.loads(json.dumps(kit.table, allow_nan=False)) == kit.table
        # Names of the file never become code.
        assert kit.source.isascii() and "</script" not in kit.source


def test_equations_that_are_too_long_are_left_out(models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First parameters become numbers, then there is no motion; postures stay."""
    system = sistel.load(models_dir / "four_bar.xml")
    monkeypatch.setattr(_kit, "MOST_LIVE", 1500)
    fixed = _kit._derived(system.model, True)
    assert fixed.table["refused"] is None and fixed.table["structures"][0]["motion"]
    assert all("too long" in row["refused"]["en"] and not row["live"] for row in fixed.table["parameters"])
    monkeypatch.setattr(_kit, "MOST", 1400)
    still = _kit._derived(system.model, False)
    assert "too long for a page" in still.table["refused"]["en"] and "длинны" in still.table["refused"]["ru"]
    assert still.table["structures"][0]["motion"] is None and still.table["structures"][0]["constraints"] is not None


def test_only_structures_that_can_be_reached_are_there() -> None:
    system = sistel.parse(
        '<system name="s"><body name="a" joint="prismatic" axis="x" mass="1"/><links>'
        '<lock name="l" of="a" holds="no"/><structure name="one"/><structure name="two" holds="l"/>'
        '<structure name="lone"/><transition from="one" to="two" when="x(a) &gt; 1 m"/></links></system>'
    )
    rows = {row["name"]: row["motion"] for row in kit_of(system).table["structures"]}
    assert list(rows) == ["one", "two", "lone"]
    assert rows["one"] and rows["two"] and rows["lone"] is None


def test_the_method_is_the_published_one(drive: Drive) -> None:
    """Rows of the tableau add up to their times, and quadratures are exact to order 8."""
    text = sources()["live/tableau.ts"]
    table = {
        name: json.loads(re.sub(r",\s*\]", "]", value))
        for name, value in re.findall(r"export const LIVE_(\w+)(?:: [\w\[\]]+)? = (\[.*?\]);", text, re.S)
    }
    A, B, C = table["A"], np.array(table["B"]), np.array(table["C"])
    for row, time in zip(A, C, strict=True):
        assert sum(row) == pytest.approx(time, abs=2e-14)
    for k in range(8):
        assert B @ C[:12] ** k == pytest.approx(1 / (k + 1), abs=1e-14)
    assert A[12][:12] == pytest.approx(table["B"], abs=1e-16)
    for name, order in (("E3", 3), ("E5", 5)):
        for k in range(order):
            assert np.array(table[name]) @ C[:13] ** k == pytest.approx(0.0, abs=1e-13)
