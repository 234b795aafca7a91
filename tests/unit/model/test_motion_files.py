"""Motions whose rows stand in files: the same model as with rows written out, and what is wrong with its place."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import pytest

import sistel
from sistel.errors import SistelError
from sistel.motion.trajectories import load_table, motion_table

TABLE = "t, s;hip;knee;ход\n;deg;град;мм\n0;0;0;5\n0,5;30;-12,5;5\n2;10;0;-7\n"
ROD = 'joint="revolute" mass="1" inertia="0.1"'
BODIES = f'<body name="hip" {ROD}>{{}}<body name="knee" {ROD} place="300,0"/></body><body name="ход" joint="prismatic" mass="1"/>'
ROWS = '<row time="0" values="{}"/><row time="0.5" values="{}"/><row time="2" values="{}"/>'


def system(inside: str, body: str = "") -> str:
    return f"<system>{BODIES.format(body)}{inside}</system>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "move.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def parse(folder: Path, text: str) -> sistel.System:
    return sistel.parse(text, str(folder / "model.xml"))


@pytest.mark.parametrize(
    ("inside", "body", "written"),
    [
        ('<motion file="move.csv"/>', "", ("hip, knee, ход", "0,0,5", "30,-12.5,5", "10,0,-7")),
        ('<motion file="move.csv" of="knee, hip"/>', "", ("knee, hip", "0,0", "-12.5,30", "0,10")),
        ('<motion file="move.csv" of="knee" columns="hip"/>', "", ("knee", "0", "30", "10")),
        ("", '<motion file="move.csv"/>', ("hip", "0", "30", "10")),
        ("", '<motion file="move.csv" columns="knee" kp="3" interpolation="spline"/>', ("hip", "0", "-12.5", "0")),
    ],
)
def test_rows_of_a_file_are_those_of_the_model(folder: Path, inside: str, body: str, written: tuple[str, ...]) -> None:
    found = parse(folder, system(inside, body))
    how = 'kp="3" interpolation="spline"' if "kp" in body else ""
    of, *rows = written
    plain = sistel.parse(system(f'<motion of="{of}" {how}>{ROWS.format(*rows)}</motion>'))
    assert found.fingerprint == plain.fingerprint
    # Built anew, elsewhere or with the file gone, it is the same.
    (folder / "move.csv").unlink()
    assert pickle.loads(pickle.dumps(found)).with_parameters().fingerprint == plain.fingerprint


def test_files_of_repetitions_and_of_included_files(folder: Path) -> None:
    for i in (1, 2):
        (folder / f"move{i}.csv").write_text(f"t;leg {i} [deg]\n0;0\n1;{10 * i}\n", encoding="utf-8")
    text = f'<system><repeat count="2"><body name="leg {{i}}" {ROD}><motion file="move{{i}}.csv"/></body></repeat></system>'
    motions = parse(folder, text).model.motions
    assert [motion.rows[1] for motion in motions] == [(math.radians(10),), (math.radians(20),)]
    (folder / "leg.xml").write_text(system('<motion file="move.csv"/>'), encoding="utf-8")
    (motion,) = parse(folder, '<system><include file="leg.xml" prefix="left "/></system>').model.motions
    assert motion.rows[1] == (math.radians(30), math.radians(-12.5), 0.005)


@pytest.mark.parametrize(
    ("inside", "code", "place"),
    [
        ('<motion file="none.csv"/>', "no-file", "model.xml:1:"),
        ('<motion file="../x.csv"/>', "file-outside", "model.xml:1:"),
        ('<motion file="move.csv" sheet="x"/>', "no-table", "move.csv:1:1"),
        ('<motion of="hip" sheet="x" value="0"/>', "no-table", "model.xml:1:"),
        ('<motion file="move.csv" value="0"/>', "two-sources", "model.xml:1:"),
        ('<motion file="move.csv" of="hip" columns="hop"/>', "no-column", "model.xml:1:"),
        ('<motion file="move.csv" columns="hip"/>', "missing-attribute", "model.xml:1:"),
        ('<motion file="other.csv"/>', "unknown-name", "other.csv:1:3"),
        ('<motion file="length.csv"/>', "wrong-dimension", "length.csv:2:3"),
        ('<motion file="bad.csv"/>', "bad-numbers", "bad.csv:2:3"),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(folder: Path, inside: str, code: str, place: str) -> None:
    (folder / "other.csv").write_text("t;hop [deg]\n0;0\n1;1\n", encoding="utf-8")
    (folder / "length.csv").write_text("t;hip [mm]\n0;0\n1;1\n", encoding="utf-8")
    (folder / "bad.csv").write_text("t;hip [deg]\n0;a\n1;1\n", encoding="utf-8")
    with pytest.raises(SistelError) as caught:
        parse(folder, system(inside))
    (told,) = [each for each in caught.value.diagnostics if each.severity == "error"]
    assert told.code == code and place in str(told.span) and told.message.en != told.message.ru


def test_a_system_follows_a_table_and_its_own_motion_gives_way(folder: Path) -> None:
    own = parse(folder, system('<motion of="hip" value="1"/><motion of="knee" value="2"/>'))
    moved = own.with_motion(folder / "move.csv")
    assert [len(motion.rows) for motion in moved.model.motions] == [3]
    assert [each.code for each in moved.diagnostics].count("gives-way") == 2
    again = own.with_motion(load_table(folder / "move.csv"))
    assert again.fingerprint == moved.fingerprint
    hip = moved.with_motion(motion_table([0, 1], [0.0, 1.0], names=["ход"], units="mm"), interpolation="linear")
    assert hip.model.motions[0].rows == ((0.0,), (1.0,)) and hip.model.motions[0].interpolation == "linear"
    # A run along it is such a table again: no number of its rows has changed.
    table = moved.simulate(2.0).table()
    assert table.times.tolist() == [0.0, 0.5, 2.0] and table.units == ("deg", "deg", "mm")
    assert [tuple(row) for row in table.values.tolist()] == list(moved.model.motions[0].rows)
    assert moved.simulate(1.0).table(0.1).times.tolist() == [k / 10 for k in range(11)]
    with pytest.raises(SistelError, match="hop"):
        own.with_motion(motion_table([0, 1], [0.0, 1.0], names=["hop"]))


@pytest.mark.parametrize(
    ("rows", "passed", "then"),
    [
        ("-1;0\n0.5;1\n1;2\n", "1 of 3", "between two rows"),
        ("-1;0\n0;1\n1;2\n", "1 of 3", "the row of 0 s"),
        ("-2;0\n-1;1\n", "2 of 2", "the last row"),
    ],
)
def test_rows_before_the_start_are_told(folder: Path, rows: str, passed: str, then: str) -> None:
    (folder / "early.csv").write_text(f"t;hip [deg]\n{rows}", encoding="utf-8")
    own = parse(folder, system(""))
    in_file = parse(folder, system('<motion file="early.csv"/>'))
    for made in (own.with_motion(folder / "early.csv"), own.with_motion(load_table(folder / "early.csv")), in_file):
        (told,) = [each for each in made.diagnostics if each.code == "rows-before-start"]
        assert passed in told.message.en and then in told.message.en and told.message.en != told.message.ru
        assert told.severity == "warning"
    assert "early.csv:2:1" in str(told.span)


def test_rows_before_the_start_of_what_repeats_are_not_passed_over(folder: Path) -> None:
    (folder / "early.csv").write_text("t;hip [deg]\n-1;0\n0;1\n1;0\n", encoding="utf-8")
    made = parse(folder, system('<motion file="early.csv" repeat="yes"/>'))
    assert all(each.code != "rows-before-start" for each in made.diagnostics)
    # The row of −1 s is that of 1 s, 3 s …
    assert made.simulate(1.0)(1.0)[0][0] == pytest.approx(0.0, abs=1e-12)
