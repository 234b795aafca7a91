"""What equations cost, as a page and as data."""

from __future__ import annotations

from pathlib import Path

import pytest

import sistel
from sistel.cli._counts import WORDS
from sistel.errors import Language
from sistel.mechanics import QUANTITIES, build_tree, derive, variants


def test_every_quantity_has_words():
    assert list(WORDS) == list(QUANTITIES)


def test_counts_are_those_of_the_derived_programs(run, files: Path):
    data = run("equations", "spatial.xml", "--count", "--json").data
    tree = build_tree(sistel.load("spatial.xml").model)
    assert (data["name"], data["file"], data["nq"], data["nv"]) == ("рука", "spatial.xml", 6, 5)
    assert [row["key"] for row in data["quantities"]] == list(QUANTITIES)
    for row in data["quantities"]:
        program = derive(tree, row["key"])
        count = program.count()
        assert row["cost"] == count.weighted
        assert row["count"]["multiplications"] == count.multiplications
        assert row["count"]["additions"] == count.additions
        assert row["count"]["sincos"] == count.sincos
        assert "variants" not in row
    assert data["why_not"] == [] and data["not_counted"] == {}


def test_a_pendulum_by_hand(run, files: Path):
    # τ = J·a + m·g·c·sin q: J and m·g·c are constants, and J is 1 here.
    (files / "rod.xml").write_text('<system><body name="rod" joint="revolute" mass="1" com="0, 1 m"/></system>')
    rows = {row["key"]: row["count"] for row in run("equations", "rod.xml", "--json").data["quantities"]}
    inverse = rows["inverse_dynamics"]
    assert (inverse["multiplications"], inverse["additions"], inverse["sincos"]) == (1, 1, 1)
    assert not any(rows["mass_matrix"].values())


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["inverse dynamics", "bias forces", "gravity forces", "mass matrix", "forward dynamics", "pairs"]),
        ("ru", ["силы по ускорениям", "силы при нулевых", "силы против", "матрица масс", "ускорения по силам", "пары"]),
    ],
)
def test_page(run, files: Path, lang: Language, words: list[str]):
    result = run("equations", "spatial.xml", "--lang", lang)
    assert (result.status, result.err) == (0, "")
    assert all(word in result.out for word in words)
    assert result.out == run("equations", "spatial.xml", "--lang", lang, "--count").out
    rows = run("equations", "spatial.xml", "--json").data["quantities"]
    for row, line in zip(rows, result.out.splitlines()[6:], strict=False):
        count = row["count"]
        assert line.split()[-3:] == [str(count[key]) for key in ("multiplications", "additions", "sincos")]


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("columns", [1, 40, 80, 1000])
def test_any_width_works(run, files: Path, lang: Language, columns: int):
    result = run("equations", "changing.xml", "--all", "--lang", lang, columns=columns)
    assert result.status == 0
    assert max(map(len, result.out.splitlines())) <= max(columns, 40)


def test_alternatives_name_their_hinges(run, files: Path):
    tree = build_tree(sistel.load("changing.xml").model)
    for row in run("equations", "changing.xml", "--all", "--json").data["quantities"]:
        (kept,) = [variant for variant in row["variants"] if variant["kept"]]
        assert kept["cost"] == row["cost"] == min(variant["cost"] for variant in row["variants"])
        assert kept["shared"] == row["shared"]
        names = [tuple(variant["shared"]) for variant in row["variants"]]
        ways = {(variant["formulation"], tuple(variant["shared"])) for variant in row["variants"]}
        tried = {(variant.formulation, variant.shared) for variant in variants(tree, row["key"])}
        assert len(ways) == len(names) == len(tried)
        assert names[0] == ()
        # The slider is no hinge. Forward dynamics is tried with what is best for its parts.
        hinges = set[str]().union(*names)
        assert hinges == {"arm", "forearm", "gear"} or (row["key"] == "forward_dynamics" and "slider" not in hinges)
    page = run("equations", "changing.xml", "--all").out
    structures = sistel.load("changing.xml").structures
    assert page.count("✓") == len(QUANTITIES) + len(structures) + 1
    assert "arm, forearm" in page


def test_hinges_of_a_joint_with_several_coordinates(run, files: Path):
    (files / "free.xml").write_text(
        '<system><body name="box" joint="free" mass="1" inertia="0.1">'
        '<body name="flap" joint="revolute" mass="1" com="100, 0"/></body></system>'
    )
    assert "box.angle, flap" in run("equations", "free.xml", "--all").out
    assert "box.угол, flap" in run("equations", "free.xml", "--all", "--lang", "ru").out


def test_what_is_not_counted(run, files: Path):
    assert run("equations", "changing.xml", "--json").data["not_counted"] == {
        "closures": 1,
        "contacts": 1,
        "locks": 1,
        "couplings": 1,
    }
    assert "without: closures 1, contacts 1, locks 1" in run("equations", "changing.xml").out
    assert "без учёта: замыкания 1, контакты 1" in run("equations", "changing.xml", "--lang", "ru").out
    assert "without" not in run("equations", "spatial.xml").out
    (files / "soft.xml").write_text(
        '<system><body name="a" joint="revolute" mass="1" com="0, 100" stiffness="2" damping="1"/>'
        '<body name="b" joint="revolute" mass="1" com="0, 100"/></system>'
    )
    assert run("equations", "soft.xml", "--json").data["not_counted"] == {"joint_forces": 1}


def test_structures_with_their_alternatives(run, models_dir: Path):
    path = str(models_dir / "compass_walker.xml")
    for row in run("equations", path, "--json").data["structures"]:
        kept, *others = row["variants"]
        assert kept["kept"] and not any(other["kept"] for other in others)
        assert kept["formulation"].startswith("re-rooted at ")
        assert {other["formulation"] for other in others} == {"multipliers", "reduced coordinates"}
        # Reduced coordinates divide by what may vanish: they have to be a tenth cheaper.
        assert all(kept["cost"] < other["cost"] * 1.1 for other in others)
        assert kept["count"]["multiplications"] <= 39 and kept["count"]["additions"] <= 35
        assert kept["count"]["divisions"] == 1  # the swing leg has a constant inertia about the hip
    page = run("equations", path, "--lang", "ru").out
    assert "дерево от «L»" in page and "множители" in page
    assert "Motion of every structure" not in run("equations", str(models_dir / "pendulum.xml")).out


@pytest.mark.parametrize(("lang", "reason"), [("en", "has no mass"), ("ru", "не имеет массы")])
def test_forces_that_determine_no_accelerations(run, files: Path, lang: Language, reason: str):
    (files / "bare.xml").write_text(
        '<system><body name="a" joint="revolute"><body name="b" joint="revolute"/></body></system>'
    )
    page = run("equations", "bare.xml", "--lang", lang, "--all")
    assert page.status == 0
    assert reason in page.out and "—" in page.out
    data = run("equations", "bare.xml", "--lang", lang, "--all", "--json").data
    assert reason in data["why_not"][0]
    last = data["quantities"][-1]
    assert (last["key"], last["count"], last["variants"]) == ("forward_dynamics", None, [])
    assert data["quantities"][0]["count"] is not None


def test_foreign_files_and_their_options(run, files: Path):
    assert run("equations", "two.urdf", "--json").data["nv"] == 1
    assert run("equations", "two.urdf", "--json", "--base", "free").data["nv"] == 7
    nothing = run("equations", "two.urdf", "--lock", "elbow", "--all")
    assert (nothing.status, nothing.err) == (0, "")
    data = run("equations", "two.urdf", "--json", "--lock", "elbow").data
    assert not any(value for row in data["quantities"] for value in row["count"].values())


def test_statuses(run, files: Path):
    assert run("equations", "broken.xml").status == 1
    assert run("equations", "broken.xml", "--json").data["diagnostics"]
    assert run("equations", "absent.xml").status == 1
    assert run("equations").status == 2
    assert run("equations", "spatial.xml", "--al").status == 2
    assert "--count" in run("equations", "--help").out


def test_warnings_go_to_standard_error(run, files: Path):
    (files / "light.xml").write_text('<system class="closed chain"><body name="a" mass="1" com="1,0"/></system>')
    result = run("equations", "light.xml")
    assert result.status == 0
    assert "warning" in result.err and "warning" not in result.out


def test_names_cannot_command_the_terminal(run, files: Path):
    (files / "evil.xml").write_text(
        '<system name="&#x9b;31mred&#x202e;"><body name="a&#x9b;2J&#x200b;" mass="1" com="1,0"/></system>',
        encoding="utf-8",
    )
    result = run("equations", "evil.xml", "--all")
    assert result.status == 0
    assert not {"\x9b", "\u202e", "\u200b", "\x1b"} & set(result.out + result.err)


def test_a_large_system_is_not_written_out(run, files: Path):
    bodies = "".join(
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" place="100,0" mass="1" com="50,0"/>'
        for i in range(61)
    )
    (files / "long.xml").write_text(f"<system>{bodies}</system>")
    done = run("equations", "long.xml")
    assert done.status == 1
    assert "61" in done.err


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("mathml", ["<math", "<mtable>", "Mass matrix"]),
        ("latex", [r"\documentclass", r"\begin{pmatrix}", "Mass matrix"]),
        ("maxima", ["mass_matrix: matrix(", "reaction_1:", "residual"]),
        ("python", ["import math", "def inverse_dynamics(", "PARAMETERS"]),
        ("c", ["void equations(", "#include <math.h>"]),
        ("html", ["<!doctype html>", "<mtable>", "Уравнения движения"]),
    ],
)
def test_equations_as_text(run, files: Path, language: str, words: list[str]):
    (files / "rod.xml").write_text(
        '<system><parameter name="m" value="1 kg"/><body name="rod" joint="revolute" mass="m" com="0, 1 m"/></system>'
    )
    result = run("equations", "rod.xml", "--to", language, "--lang", "en")
    assert (result.status, result.err) == (0, "")
    assert all(word in result.out for word in words)
    data = run("equations", "rod.xml", "--to", language, "--lang", "en", "--json").data
    assert (data["language"], data["text"], data["notes"]) == (language, result.out, [])


def test_the_text_speaks_the_language_of_the_call(run, files: Path):
    assert "Матрица масс" in run("equations", "spatial.xml", "--to", "latex", "--lang", "ru").out
    assert "Mass matrix" in run("equations", "spatial.xml", "--to", "latex", "--lang", "en").out


def test_what_is_left_out_goes_to_standard_error(run, files: Path):
    result = run("equations", "changing.xml", "--to", "python")
    assert result.status == 0 and "Do not hold in this structure: closures 1, contacts 1." in result.err
    compile(result.out, "equations", "exec")


def test_the_structure_can_be_chosen(run, files: Path):
    initial = run("equations", "changing.xml", "--to", "latex").out
    assert run("equations", "changing.xml", "--to", "latex", "--structure", "approach").out == initial
    data = run("equations", "changing.xml", "--to", "maxima", "--structure", "tightening", "--json").data
    assert data["structure"] == "tightening" and "nut: force on the ground from forearm along x" in data["text"]
    result = run("equations", "changing.xml", "--to", "maxima", "--structure", "aproach")
    assert result.status == 1 and "approach" in result.err
    assert run("equations", "changing.xml", "--count", "--structure", "approach").status == 2


def test_wrong_calls_of_the_text(run, files: Path):
    assert run("equations", "spatial.xml", "--to", "word").status == 2
    assert run("equations", "spatial.xml", "--to", "latex", "--all").status == 2
    assert run("equations", "spatial.xml", "--to", "latex", "--count").status == 2
    assert run("equations", "broken.xml", "--to", "latex").status == 1
