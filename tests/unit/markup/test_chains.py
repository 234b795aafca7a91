"""Arms as tables of Denavit and Hartenberg and as screws: read wherever systems are read, and written."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.arms import dh_of, exponentials_of, read_dh, write_chain, write_dh

MODELS = Path(__file__).parents[3] / "models"
EXACT = 3e-15  # some ten products of matrices with lengths of 1 m
ARMS = {"arm5": "инструмент", "puma560": "tool", "panda_like": "tool", "ur5_like": "", "scara": "", "stanford": ""}

HEAD = "joint,theta,d,a,alpha,min,max\n"
TWO = "R,10,71,5,90,-180,180\nP,-20,100,246,30,0,180\n"


def both(system: sistel.System, other: sistel.System, frame: str, tool: str, seed: int = 1) -> None:
    """Two systems are one arm: poses, and forces of a motion where there are masses."""
    rng = np.random.default_rng(seed)
    for q, v, a in rng.uniform(-1.5, 1.5, size=(5, 3, system.nq)):
        assert np.abs(system.pose(q, frame) - other.pose(q, tool)).max() < EXACT
        tau = system.inverse_dynamics(q, v, a)
        assert np.abs(tau - other.inverse_dynamics(q, v, a)).max() < 1e-12 * max(1.0, np.abs(tau).max())


# --- reading ---------------------------------------------------------------------------------------------------------


def test_the_table_of_the_gallery_is_its_arm() -> None:
    """Thu Rein and others (2023) with α4 = +90° and d1 of the first link's height: kinematics and dynamics."""
    arm, table = sistel.load(MODELS / "arm5.xml"), sistel.load(MODELS / "arm5_dh.csv")
    assert [body.name for body in table.model.bodies] == [body.name for body in arm.model.bodies]
    assert table.name == arm.name and [frame.name for frame in table.model.frames] == ["инструмент"]
    rng = np.random.default_rng(2)
    for q, v, a in rng.uniform(-3.0, 3.0, size=(20, 3, 5)):
        assert np.abs(arm.pose(q, "инструмент") - table.pose(q, "инструмент")).max() < EXACT
        assert np.abs(arm.jacobian(q, "инструмент") - table.jacobian(q, "инструмент")).max() < EXACT
        assert np.abs(arm.mass_matrix(q) - table.mass_matrix(q)).max() < 1e-16
        assert np.abs(arm.inverse_dynamics(q, v, a) - table.inverse_dynamics(q, v, a)).max() < 1e-14
    limits = [(body.joint.minimum, body.joint.maximum) for body in arm.model.bodies]
    assert [(body.joint.minimum, body.joint.maximum) for body in table.model.bodies] == limits


@pytest.mark.parametrize(
    ("text", "convention"),
    [
        (HEAD + TWO, "standard"),
        ("# modified\n" + HEAD + TWO, "modified"),
        ("#  модифицированная\n\n" + HEAD + TWO, "modified"),
        ("convention,modified\n" + HEAD + TWO, "modified"),
        ("соглашение;модифицированное\n" + (HEAD + TWO).replace(",", ";"), "modified"),
        ((HEAD + TWO).replace(",", "\t"), "standard"),
        (HEAD.replace("a,alpha", "a-1,alpha-1") + TWO, "modified"),
        ("тип,θ,d,a,α,мин,макс\n" + TWO.replace("R", "В").replace("P", "ход"), "standard"),
        ("# a remark, with a comma\n\ufeff" + HEAD + TWO.replace("\n", "\r\n"), "standard"),
    ],
)
def test_spellings(text: str, convention: str) -> None:
    """Words of both languages, delimiters, remarks and the three ways to name the convention: one arm."""
    table = read_dh(text)
    assert table.convention == convention
    system = sistel.parse(text, "arm.csv")
    q = [0.3, 0.05]
    assert np.abs(system.pose(q, "tool") - table.pose(q)).max() < EXACT
    plain = read_dh(HEAD + TWO, convention=convention)  # type: ignore[arg-type]
    assert np.abs(plain.pose(q) - table.pose(q)).max() == 0


def test_units_of_columns() -> None:
    text = "theta [rad],d (m),a [mm],alpha [°]\n0.5,0.071,246,90\n"
    assert [getattr(read_dh(text).rows[0], key) for key in ("theta", "d", "a", "alpha")] == [
        0.5,
        0.071,
        0.246,
        math.pi / 2,
    ]


def test_base_tool_and_names() -> None:
    text = "system,arm\nframe,hand\nbase,100,0,50,0,0,90\ntool,0,0,30,90\n"
    with pytest.raises(sistel.SistelError, match="3 or 6 numbers, not 4"):
        sistel.parse(text + HEAD + TWO)
    text = text.replace(",90\ntool,0,0,30,90", ",90\ntool,0,0,30")
    system, table = sistel.parse(text + HEAD + TWO), read_dh(text + HEAD + TWO)
    assert system.name == "arm" and table.base[:3, 3].tolist() == [0.1, 0.0, 0.05]
    q = [-0.4, 0.1]
    assert np.abs(system.pose(q, "hand") - table.pose(q)).max() < EXACT
    bare = read_dh(HEAD + TWO)
    assert np.abs(table.base @ bare.pose(q) @ table.tool - table.pose(q)).max() < EXACT


def test_tables_in_xml_and_inside_systems(tmp_path: Path) -> None:
    """A root of its own, and an inclusion, which may move it and add to it."""
    text = """<таблицаДХ имя="рука" соглашение="модифицированное" репер="кисть" инструмент="0, 0, 30">
      <строка имя="первое" тета="10" d="71" a="5" альфа="90" мин="-180" макс="180"/>
      <строка тип="П" тета="-20" d="100" a="246" альфа="30" min="0" max="180" масса="2" cx="10" ixx="0.1" iyy="0.1"/>
    </таблицаДХ>"""
    system = sistel.parse(text)
    table = read_dh("# modified\ntool,0,0,30\n" + HEAD + TWO)
    q = [0.7, 0.1]
    assert system.name == "рука" and system.model.bodies[0].name == "первое" and system.model.bodies[1].mass == 2.0
    assert np.abs(system.pose(q, "кисть") - table.pose(q)).max() < EXACT
    english = '<dh convention="modified"><row theta="10" d="71" a="5" alpha="90"/></dh>'
    one = read_dh("# modified\n" + HEAD + TWO.split("\n")[0])
    assert np.abs(sistel.parse(english).pose([0.2], "tool") - one.pose([0.2])).max() < EXACT

    (tmp_path / "arm.csv").write_text("# modified\n" + HEAD + TWO, encoding="utf-8")
    (tmp_path / "arm.xml").write_text(text, encoding="utf-8")
    for file, frame, tool in (("arm.csv", "tool", np.eye(4)), ("arm.xml", "кисть", table.tool)):
        whole = tmp_path / "whole.xml"
        whole.write_text(f'<system space="spatial"><include file="{file}" place="1000, 0, 0"/></system>')
        expected = read_dh("# modified\n" + HEAD + TWO).pose(q) @ tool
        expected[0, 3] += 1.0
        assert np.abs(sistel.load(whole).pose(q, frame) - expected).max() < EXACT


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (HEAD + "R,0,x,0,90\n", [(2, 5, "no-number")]),
        (HEAD + TWO + "Q,0, 1e999 ,0,90\n", [(4, 1, "unknown-word"), (4, 6, "no-number")]),
        ("joint,theta,d,a,alpa\nR,0,0,0,0\n", [(1, 1, "missing-column"), (1, 17, "unknown-column")]),
        (HEAD + 'R,0,"nan",0,90\n', [(2, 6, "no-number")]),
        ("theta,d,a,alpha,d\n0,0,0,0,0\n", [(1, 1, "two-columns")]),
        ("theta [mm],d,a,alpha\n0,0,0,0\n", [(1, 1, "unknown-unit")]),
        ("convention,other\n" + HEAD + TWO, [(1, 12, "unknown-word")]),
        ("convention,standard\n" + HEAD.replace(",a,", ",a-1,") + TWO, [(2, 15, "two-conventions")]),
        ("base,1,2,q\n" + HEAD + TWO, [(1, 10, "no-number")]),
        (HEAD + "R,0,0,0,0,10,-10\n", [(2, 11, "wrong-limits")]),
        ("theta,d,a,alpha\n0,71,5,0,90\n", [(2, 10, "wrong-row")]),
        ("theta,d,a,alpha\n0,0,0\n", [(2, 1, "wrong-row")]),
        (HEAD + "R,0,0,0,0\nname,d\n", [(3, 1, "unknown-word"), (3, 6, "no-number")]),
        ('<dh><row theta="0" d="1" a="2" alpha="z" beta="1"/><column/></dh>',
         [(1, 39, "no-number"), (1, 42, "unknown-column"), (1, 53, "unknown-element")]),
        ('<dh kind="modified"><row/></dh>', [(1, 5, "unknown-attribute")]),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_places(text: str, places: list[tuple[int, int, str]]) -> None:
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(text, "arm.csv")
    found = [(each.span.line, each.span.column, each.code) for each in caught.value.diagnostics if each.span]
    assert found == places


def test_later_mistakes_point_at_the_row() -> None:
    """What the table cannot know of itself: a body with moments that none has."""
    text = "theta,d,a,alpha,mass,ixx,iyy,izz\n0,0,0,0,1,0.1,0.1,0.9\n"
    (found,) = [each for each in sistel.parse(text, "arm.csv").diagnostics if each.severity == "warning"]
    assert found.span is not None and (found.span.source.path, found.span.line) == ("arm.csv", 2)
    with pytest.raises(sistel.SistelError, match="does not apply"):
        sistel.parse(HEAD + TWO, lock=["link 1"])
    # Names are made fit, and that is told; what is no table stays what it was.
    assert [loss.kind for loss in sistel.parse("name," + HEAD + "a,R,0,0,0,0\na,R,0,0,0,0\n").losses] == ["changed"]
    with pytest.raises(sistel.SistelError):
        sistel.parse("time,q1,q2\n0,1,2\n")


# --- from models and back --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("convention", ["standard", "modified"])
@pytest.mark.parametrize("name", ARMS)
def test_arms_of_the_gallery_as_tables(name: str, convention: str) -> None:
    """Kinematics to the last digits, and forces of motions: masses come along, friction and motors do not."""
    system = sistel.load(MODELS / f"{name}.xml")
    frame = ARMS[name] or system.model.frames[-1].name
    text, losses = write_chain(system.model, "dh", frame, convention)  # type: ignore[arg-type]
    made = sistel.parse(text, f"{name}.csv")
    assert made.model.frames[0].name == frame and made.name == system.name
    rng = np.random.default_rng(4)
    for q in rng.uniform(-1.5, 1.5, size=(5, system.nq)):
        assert np.abs(system.pose(q, frame) - made.pose(q, frame)).max() < EXACT
        # Rotors of motors are no part of the links; potential energies are those of the same heights.
        change = system.energies(q, np.zeros(system.nv))[1] - made.energies(q, np.zeros(system.nv))[1]
        assert change == pytest.approx(0.0, abs=1e-12)
        if not any(motor.inertia for motor in system.model.motors):
            assert np.abs(system.mass_matrix(q) - made.mass_matrix(q)).max() < 1e-13
    assert {loss.kind for loss in losses} <= {"dropped", "changed"}
    again = read_dh(text)
    twice = read_dh(write_dh(again))
    assert again.convention == twice.convention == convention
    for row, same in zip(again.rows, twice.rows, strict=True):
        # Degrees of a limit that was given in radians may have no digits that give it back.
        assert (row.low, row.high) == pytest.approx((same.low, same.high), rel=3e-16)
        assert (row.theta, row.d, row.a, row.alpha, row.mass, row.com) == (
            *(same.theta, same.d, same.a, same.alpha, same.mass, same.com),
        )
        assert (row.inertia, row.products, row.name, row.kind) == (same.inertia, same.products, same.name, same.kind)


def test_the_table_of_the_paper_comes_out_of_the_model() -> None:
    """Row by row what the article prints, with α4 = +90°."""
    rows = dh_of(sistel.load(MODELS / "arm5.xml").model, "инструмент").rows
    found = [(math.degrees(row.theta), row.d, row.a, math.degrees(row.alpha)) for row in rows]
    assert found == [(0, 0.071, 0, 90), (0, 0, 0.246, 0), (0, 0, 0.163, 0), (0, 0, 0, 90), (0, 0.165, 0, 0)]


def test_screws_come_back() -> None:
    for name, given in ARMS.items():
        system = sistel.load(MODELS / f"{name}.xml")
        frame = given or system.model.frames[-1].name
        text, losses = write_chain(system.model, "poe", frame)
        made = sistel.parse(text, f"{name}.json")
        assert any("masses" in loss.what.en for loss in losses)
        for q in np.random.default_rng(5).uniform(-1.5, 1.5, size=(5, system.nq)):
            assert np.abs(system.pose(q, frame) - made.pose(q, frame)).max() < EXACT
        assert (
            np.abs(exponentials_of(made.model, frame).screws - exponentials_of(system.model, frame).screws).max()
            < EXACT
        )
        limits = [body.joint.minimum for body in made.model.bodies]
        assert limits == [body.joint.minimum for body in system.model.bodies]


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        (lambda data: data["joints"][1].update(screw=[0, 0, 2, 0, 0, 0]), "no-arm", '"screw"'),
        (lambda data: data["joints"][1].update(screw=[0, 0, 1, 0, 0, 10**400]), "no-arm", '"screw"'),
        (lambda data: data["joints"][0].update(screw=[0, 0, 1, 0, 0, 0.5]), "no-arm", '"screw"'),
        (lambda data: data["joints"][0].update(min="low"), "no-number", '"screw"'),
        (lambda data: data["joints"][0].update(min=1.0, max=0.5), "wrong-limits", '"screw"'),
        (lambda data: data.update(home=[[1, 0, 0, 0]]), "no-arm", '"home"'),
        (lambda data: data["home"][0].__setitem__(0, 2.0), "no-arm", '"home"'),
        (lambda data: data.update(joints={}), "no-arm", '"joints"'),
    ],
)
def test_wrong_screws_are_told(change: object, code: str, place: str) -> None:
    text, _ = write_chain(sistel.load(MODELS / "scara.xml").model, "poe")
    data = json.loads(text)
    change(data)  # type: ignore[operator]
    wrong = json.dumps({**data, "about": {"screw": "by this word such files are known"}})
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(wrong, "arm.json")
    (found, *_) = caught.value.diagnostics
    assert found.code == code and found.span is not None and found.span.text == place


def test_json_that_is_none() -> None:
    with pytest.raises(sistel.SistelError, match="no JSON") as caught:
        sistel.parse('{\n "joints": [{"screw": }]}', "arm.json")
    assert str(caught.value.diagnostics[0].span) == "arm.json:2:23"


def test_what_cannot_be_a_table_is_told() -> None:
    model = sistel.load(MODELS / "free_body.xml").model
    with pytest.raises(sistel.SistelError, match="hinges and slides"):
        write_chain(model, "dh", model.bodies[-1].name)
    with pytest.raises(sistel.SistelError, match="no frame"):
        write_chain(sistel.load(MODELS / "arm5.xml").model, "dh", "nose")
    fixed = sistel.parse('<system space="spatial"><frame name="f"/><body name="b" mass="1"/></system>').model
    for frame in ("f", "b"):
        with pytest.raises(sistel.SistelError, match="nothing moves"):
            write_chain(fixed, "dh", frame)


def test_fixed_bodies_belong_to_their_links() -> None:
    """A load welded to a hand, and a plate welded to that: the row has the mass of all, about their centre."""
    text = """<system space="spatial">
      <body name="arm" joint="revolute" axis="x" mass="2" com="0, 100, 0" inertia="0.02, 0.001, 0.02">
        <body name="load" place="0, 300, 40" turn="10, 20, 30" mass="1" com="5, 6, 7" inertia="0.001, 0.002, 0.0025">
          <body name="plate" place="10, 20, 30" mass="0.5" inertia="0.001"/>
        </body>
        <body name="finger" joint="prismatic" mass="0.1" inertia="0.001"/>
      </body>
    </system>"""
    system = sistel.parse(text)
    made, losses = write_chain(system.model, "dh", "plate")
    other = sistel.parse(made)
    both(sistel.parse(text.replace('<body name="finger" joint="prismatic" mass="0.1" inertia="0.001"/>', "")), other, "plate", "plate")  # fmt: skip
    assert [loss.kind for loss in losses] == ["changed", "changed", "dropped"]


def test_tables_are_shown_and_saved(tmp_path: Path) -> None:
    system = sistel.load(MODELS / "arm5.xml")
    table = dh_of(system.model, "инструмент")
    lines = str(table).splitlines()
    assert lines[0].split()[:6] == ["name", "joint", "theta", "d", "a", "alpha"] and len(lines) == 6
    assert len({len(line) for line in lines}) == 1
    shown = table._repr_html_()
    assert "<td" in shown and "предплечье" in shown and "θ, °" in shown and shown.count("<tr>") == 6
    for name in ("arm.csv", "arm.json"):
        losses = system.save(tmp_path / name)
        assert losses
        q = [0.1, 0.2, 0.3, 0.4, 0.5]
        made = sistel.load(tmp_path / name)
        assert np.abs(made.pose(q, "инструмент") - system.pose(q, "инструмент")).max() < EXACT


def test_broken_texts_are_refused_and_never_fail() -> None:
    """Letters put in, taken out and moved: each text is a system or is told to be none."""
    draw = random.Random(6)
    table = (MODELS / "arm5_dh.csv").read_text(encoding="utf-8")
    screws = write_chain(sistel.load(MODELS / "arm5.xml").model, "poe")[0]
    words = [*',;"\n\t#[]{}<>01.e-+θ°\ufeff', "1e308", "-1e-320", "inf", "null", '"screw"', "base", "10" * 200]
    read = 0
    for _ in range(300):
        text = draw.choice((table, screws))
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(text) + 1)
            put = draw.choice((draw.choice(words), "", text[place // 2 : place // 2 + 20]))
            text = text[:place] + put + text[place + draw.choice((0, 0, 3)) :]
        try:
            read += sistel.parse(text, "arm.csv").nq > 0
        except sistel.SistelError as problem:
            assert str(problem)
    assert 10 < read < 200
