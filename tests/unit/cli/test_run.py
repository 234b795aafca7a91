"""`sistel run`: what it prints, keeps and refuses."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cli import _progress
from sistel.cli import run as command
from sistel.errors import Language, SistelError
from sistel.simulation import Run

MODELS = Path(__file__).resolve().parents[3] / "models"
WALKER, CART = MODELS / "compass_walker.xml", MODELS / "cart_pole.xml"


def test_data_are_those_of_the_library(run):
    data = run("run", WALKER, "--until", "2", "--json").data
    found = sistel.load(WALKER).simulate(2.0)
    assert (data["name"], data["begin"], data["time"], data["steps"]) == ("compass walker", 0.0, 2.0, found.steps)
    assert [event["time"] for event in data["events"]] == [event.time for event in found.events]
    assert data["events"][0]["impulses"]["R"] == found.events[0].impulses["R"].tolist()
    assert data["events"][0]["energy_loss"] == found.events[0].energy_loss
    assert list(data["final"]["q"].values()) == found.q[-1].tolist()
    assert list(data["final"]["v"].values()) == found.v[-1].tolist()
    assert data["final"]["structure"] == found.final_structure == found.events[-1].after
    assert sum(row["time"] for row in data["structures"]) == pytest.approx(2.0, rel=1e-15)
    assert [row["stays"] for row in data["structures"]] == [2, 1]
    assert data["stopped"] is None


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["until 2 s", "Structures", "Events", "energy loss, J", "0.734460621", "R: ", "At 2 s", "left_leg"]),
        ("ru", ["до момента 2 с", "Структуры", "События", "потеря энергии, Дж", "0.734460621", "R: ", "В момент 2 с"]),
    ],
)
def test_page(run, lang: Language, words: list[str]):
    result = run("run", WALKER, "--until", "2000 ms", "--lang", lang)
    assert result.status == 0
    # The foot that swings passes through the slope: a line for each.
    assert [line.split(":")[1] for line in result.err.splitlines()] == ["31", "30"]
    assert all(word in result.out for word in words)
    assert max(map(len, result.out.splitlines())) <= 100


def test_long_tables_are_cut(run):
    page = run("run", WALKER, "--until", "50", "--tolerance", "1e-9").out
    assert page.count("→") == 60 and "--all" in page
    assert run("run", WALKER, "--until", "50", "--tolerance", "1e-9", "--all").out.count("→") == 68


def test_files(run, tmp_path: Path):
    result = run("run", CART, "--until", "1", "-o", tmp_path / "cart.csv")
    assert result.status == 0 and "cart.csv" in result.err
    lines = (tmp_path / "cart.csv").read_text(encoding="utf-8").splitlines()
    found = sistel.load(CART).simulate(1.0)
    assert len(lines) == len(found.t) + 1
    assert [float(word) for word in lines[-1].split(",")[2:]] == [*found.q[-1], *found.v[-1]]
    assert run("run", CART, "--until", "1", "--json", "-o", tmp_path / "cart.npz").data["output"].endswith("cart.npz")
    assert np.array_equal(Run.load(tmp_path / "cart.npz").q, found.q)
    assert run("run", CART, "--until", "1", "-o", tmp_path / "no folder" / "cart.npz").status == 1


def test_tables_and_pictures_of_what_is_asked(run, tmp_path: Path):
    files = [tmp_path / f"walk{suffix}" for suffix in (".csv", ".svg", ".npz")]
    asked = ["energy()", "reaction(L).n"]
    words = [word for file in files for word in ("-o", file)] + [word for text in asked for word in ("-q", text)]
    curves = tmp_path / "curves.svg"
    result = run("run", WALKER, "--until", "1", "--every", "100 ms", "--json", *words, "--plot", curves)
    assert result.status == 0 and result.data["outputs"] == [str(file) for file in (*files, curves)]
    found = sistel.load(WALKER).simulate(1.0)
    times = np.arange(11) * 0.1
    with files[0].open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert head == [
        "t",
        "structure",
        "hip.x",
        "hip.y",
        "left_leg",
        "right_leg",
        "hip.x'",
        "hip.y'",
        "left_leg'",
        "right_leg'",
        *asked,
    ]
    numbers = np.array([[float(x) for i, x in enumerate(row) if i != 1] for row in rows])
    q, v = found(numbers[:, 0])
    assert numbers[:, 0] == pytest.approx(times, rel=1e-15)
    expected = np.column_stack([q, v, *(found.quantity(text, numbers[:, 0]) for text in asked)])
    assert np.array_equal(numbers[:, 1:], expected)
    assert [row[1] for row in rows] == found.structure_at(numbers[:, 0]).tolist()
    assert all(text in curves.read_text(encoding="utf-8") for text in asked)
    assert "animateTransform" in files[1].read_text(encoding="utf-8")
    with np.load(files[2]) as archive:
        assert json.loads(str(archive["meta"]))["quantities"] == asked
        assert np.array_equal(archive["quantity_1"], found.quantity(asked[1]))
    along = found.quantity("energy()")
    assert result.data["quantities"]["energy()"] == {
        "first": along[0], "last": along[-1], "least": along.min(), "most": along.max()
    }  # fmt: skip
    assert "reaction(L).n" in run("run", WALKER, "--until", "1", "-q", "reaction(L).n").out


def test_parquet(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from pyarrow import parquet

    assert run("run", WALKER, "--until", "1", "-q", "energy()", "-o", tmp_path / "walk.parquet").status == 0
    table, found = parquet.read_table(tmp_path / "walk.parquet"), sistel.load(WALKER).simulate(1.0)
    assert np.array_equal(table["t"].to_numpy(), found.t) and table["structure"].to_pylist() == list(found.structure)
    assert np.array_equal(table["right_leg'"].to_numpy(), found.v[:, 3])
    assert np.array_equal(table["energy()"].to_numpy(), found.quantity("energy()"))
    about = json.loads(table.schema.metadata[b"sistel"])
    assert about["fingerprint"] == sistel.load(WALKER).fingerprint and about["tolerance"] == 2.0**-52
    assert [event["time"] for event in about["events"]] == [event.time for event in found.events]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run("run", WALKER, "--until", "1", "-o", tmp_path / "other.parquet")
    assert result.status == 1 and "pip install 'sistel[tables]'" in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["walk.parquet"]


def test_methods(run):
    for words, method, step in (
        ([], "auto", None),
        (["--method", "runge-kutta"], "runge-kutta", None),
        (["--method", "radau"], "radau", None),
        (["--method", "gauss", "--step", "10ms"], "gauss", 0.01),
    ):
        data = run("run", CART, "--until", "1", "--json", *words).data
        found = sistel.load(CART).simulate(1.0, method=method, step=step)
        assert data["steps"] == found.steps and list(data["final"]["q"].values()) == found.q[-1].tolist()


def test_parameters(run):
    changed = run("run", CART, "--until", "1", "-p", "l=800mm", "-p", "m = 0.2", "--json").data
    assert changed["parameters"] == {"m": 0.2, "l": 0.8}
    expected = sistel.load(CART).with_parameters(l=0.8, m=0.2).simulate(1.0)
    assert list(changed["final"]["q"].values()) == expected.q[-1].tolist()


def test_spatial_rotations_have_velocities_of_their_own(run):
    data = run("run", MODELS / "free_body.xml", "--until", "0.1", "--json").data
    system = sistel.load(MODELS / "free_body.xml")
    assert list(data["final"]["q"]) == list(system.model.coordinate_names)
    assert sorted(data["final"]["v"]) == sorted(system.model.rate_names)
    assert run("run", MODELS / "free_body.xml", "--until", "0.1").status == 0


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["-p", "L=1"], 2, 'did you mean "l"?'),
        (["-p", "l"], 2, "name=value"),
        (["-p", "l=2 kg"], 2, "this is a mass"),
        (["-p", "m=5"], 2, "beyond the limits"),
        (["--until", "soon"], 2, "soon"),
        (["--until", "3 kg"], 2, "this is a mass"),
        (["--until", "-1"], 2, "before the start"),
        (["--tolerance", "0"], 2, "between 0 and 1"),
        (["--structure", "flight"], 2, 'no structure "flight"'),
        (
            ["-o", "cart.xls"],
            2,
            ".svg, .x3d, .mp4, .webm, .gif, .csv, .parquet, .npz, .pdf, .fo, .print.html, .table.html",
        ),
        (["--every", "0"], 2, "--every cannot be"),
        (["--method", "euler"], 2, "euler"),
        (["--method", "gauss"], 2, "go together"),
        (["--step", "1 ms"], 2, "go together"),
        (["-q", "x(nothing)"], 2, "nothing"),
    ],
)
def test_bad_calls(run, words: list[str], status: int, said: str):
    result = run("run", CART, *words)
    assert (result.status, result.out) == (status, "")
    assert said in result.err and "Traceback" not in result.err


def test_formats_are_those_of_the_library(run, tmp_path: Path):
    with pytest.raises(SistelError) as refused:
        sistel.load(CART).simulate(0.1).save(tmp_path / "cart.xls")
    expected = refused.value.diagnostics[0].expected
    assert expected is not None and expected.en in run("run", CART, "-o", "cart.xls").err
    told = run("run", "--help").out
    assert [suffix for suffix in re.findall(r"\.\w+", expected.en) if suffix not in told] == []


def test_interrupts_keep_what_was_computed(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    calls = []

    def stop(self: object, now: float, structure: str) -> None:
        calls.append(now)
        if len(calls) == 2:
            raise KeyboardInterrupt

    # As on a terminal: elsewhere nobody is told of progress.
    monkeypatch.setattr(command.Progress, "on", property(lambda _: True, lambda *_: None), raising=False)
    monkeypatch.setattr(command.Progress, "__call__", stop)
    result = run("run", CART, "--until", "1e6", "-o", tmp_path / "part.npz")
    assert result.status == 130
    assert "interrupted at" in result.err and "is kept" in result.err and "At " in result.out
    kept = Run.load(tmp_path / "part.npz")
    assert kept.end == pytest.approx(calls[-1], rel=1e-15) and kept.stopped is not None


CHASE = """\
<system name="chase"><body name="a" joint="prismatic" axis="x" mass="1"/><gravity value="0"/>
  <links><lock name="l" of="a" holds="no"/>
    <structure name="free"/><structure name="held" holds="l"/><structure name="loose"/>
    <transition from="free" to="held" when="x(a) &gt; 1 m"/>
    <transition from="held" to="loose" when="x(a) &gt; 0.5 m"/>
    <transition from="loose" to="held" when="x(a) &gt; 0.5 m"/>
  </links><start a.rate="2 m/s"/></system>
"""


def test_failures_keep_what_was_computed(run, tmp_path: Path):
    (tmp_path / "chase.xml").write_text(CHASE)
    result = run("run", tmp_path / "chase.xml", "-o", tmp_path / "part.npz")
    assert result.status == 1 and "At 0.5 s" in result.out
    assert "without end at 0.5 s" in result.err and "failed at 0.5 s" in result.err
    assert Run.load(tmp_path / "part.npz").end == pytest.approx(0.5, rel=1e-15)
    data = run("run", tmp_path / "chase.xml", "--json").data
    assert "chattering" in [row["code"] for row in data["diagnostics"]] and data["stopped"] == "failed at 0.5 s"


def test_progress_is_for_terminals(run, monkeypatch: pytest.MonkeyPatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(_progress, "OFTEN", 0.0)
    assert run("run", WALKER, "--until", "1").status == 0
    said = terminal.getvalue()
    shown, _, rest = said.rpartition("\r\x1b[K")
    assert shown.startswith("\r\x1b[K") and "/ 1 s  on the" in shown and "/ 1 s" not in rest
    assert re.search(r"█\S? +\d+ %  \d\.\d{3} / 1 s", said)


def test_what_contacts_make_is_said_in_the_users_language(run, models_dir):
    file = str(models_dir / "bouncing_ball.xml")
    russian, english = (run("run", file, "--until", "1", "--lang", lang).out for lang in ("ru", "en"))
    assert "floor: ударяет" in russian and "floor открыт → floor открыт" in russian
    assert "floor strikes" in english and "floor open → floor open" in english


def test_pages_and_curves(run, tmp_path: Path):
    model = tmp_path / "ball.xml"
    model.write_text(
        '<system name="ball"><body name="b" joint="prismatic" axis="y" mass="1"/></system>', encoding="utf-8"
    )
    page, curves = tmp_path / "ball.html", tmp_path / "curves.svg"
    found = run("run", str(model), "--until", "0.5", "-o", str(page), "--plot", str(curves))
    assert found.status == 0, found.err
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "<svg" in curves.read_text(encoding="utf-8")
    assert "ball.html" in found.err and "curves.svg" in found.err
    assert run("run", str(model), "--plot", str(tmp_path / "curves.png")).status == 2


def test_it_says_that_nothing_drives_an_arm_and_holds_it(run):
    arm = MODELS / "arm5.urdf"
    free = run("run", arm, "--until", "0.1", "--json").data
    notes = [each for each in free["diagnostics"] if each["code"] == "undriven"]
    assert len(notes) == 1 and "5 motors" in notes[0]["message"] and "--hold" in notes[0]["hint"]
    assert "ничто не приводит" in run("run", arm, "--until", "0.1", "--lang", "ru").err
    held = run("run", arm, "--until", "0.1", "--hold", "--json").data
    assert [each for each in held["diagnostics"] if each["code"] == "undriven"] == []
    assert set(held["final"]["v"].values()) == {0.0}
    refused = run("run", MODELS / "servo_arm.xml", "--hold")
    assert refused.status == 2 and "nothing can be held" in refused.err
    assert "nothing drives" not in run("run", MODELS / "pendulum.xml", "--until", "0.1").err


def test_films(run, tmp_path):
    pytest.importorskip("resvg_py")
    film = tmp_path / "walk.gif"
    done = run("run", WALKER, "--until", "0.3", "-o", film, "--rate", "10", "--speed", "0.5", "--width", "200")
    assert done.status == 0 and str(film) in done.err
    from PIL import Image

    with Image.open(film) as image:
        # 0.3 s at half the speed are 0.6 s: seven pictures, the first and the last among them.
        assert (image.n_frames, image.width) == (7, 200)
    for words, said in (
        (("--rate", "10"), "--rate goes with a film"),
        (("-o", tmp_path / "a.mp4", "--width", "201"), "even number"),
        (("-o", tmp_path / "a.mp4", "--rate", "0"), "--rate cannot be"),
        (("-o", tmp_path / "a.mp4", "--width", "200.5"), "whole number"),
    ):
        refused = run("run", WALKER, *words)
        assert refused.status == 2 and said in refused.err
    assert [each.name for each in tmp_path.iterdir()] == ["walk.gif"]
