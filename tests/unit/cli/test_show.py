"""The page of a system, compared with kept ones, and its data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "cli"

PAGES = {
    "changing_en_100": ["changing.xml", "--lang", "en"],
    "changing_ru_100": ["changing.xml", "--lang", "ru"],
    "changing_en_80": ["changing.xml", "--lang", "en"],
    "changing_en_120": ["changing.xml", "--lang", "en"],
    "graph_ru_100": ["changing.xml", "--lang", "ru", "--graph"],
    "structure_en_100": ["changing.xml", "--lang", "en", "--structure", "tightening"],
    "spatial_ru_80": ["spatial.xml", "--lang", "ru"],
    "spatial_en_120": ["spatial.xml", "--lang", "en"],
}


@pytest.mark.parametrize("name", PAGES)
def test_page(run, files: Path, name: str, request: pytest.FixtureRequest):
    columns = int(name.rpartition("_")[2])
    result = run("show", *PAGES[name], columns=columns)
    assert (result.status, result.err) == (0, "")
    assert max(map(len, result.out.splitlines())) <= columns
    golden = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-golden", default=False):
        golden.write_text(result.out, encoding="utf-8")
    assert result.out == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", [1, 20, 40, 60, 1000])
def test_any_width_works(run, files: Path, columns: int):
    result = run("show", "changing.xml", columns=columns)
    assert result.status == 0
    assert max(map(len, result.out.splitlines())) <= max(columns, 40)


def test_standard_input(run, files: Path, monkeypatch: pytest.MonkeyPatch):
    with (files / "spatial.xml").open("rb") as source:
        import io

        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(source.read())))
    result = run("show", "-", "--json")
    assert result.data["name"] == "рука"
    assert result.data["file"] == "<stdin>"


def test_data_is_si_and_complete(run, files: Path):
    data = run("show", "changing.xml", "--json").data
    arm, forearm, _, slider = data["bodies"]
    assert arm["place"] == [0.0, 0.0] and forearm["place"] == [0.3, 0.0]
    assert arm["coordinates"][0]["maximum"] == pytest.approx(2.792526803)
    assert forearm["coordinates"][0]["minimum"] is None
    assert slider["turn"] == [pytest.approx(0.5235987756)]
    assert data["bases"] == [0, 1, 2, 2]
    assert (data["nq"], data["nv"], data["structure_class"]) == (4, 4, "ПДСТ")
    assert [link["kind"] for link in data["links"]] == ["closure", "contact", "lock", "coupling"]
    assert data["links"][0] | {"found": False} == {
        "kind": "closure",
        "name": "nut",
        "always": False,
        "joint": "revolute",
        "bodies": [2, 0],
        "places": [[0.2, 0.0], [0.3, -0.1]],
        "found": False,
    }
    assert data["transitions"][0]["condition"] == "distance(nut) < 1 mm and speed(nut) < 5 mm/s"
    assert data["parameters"] == [
        {"name": "l", "value": 0.3, "unit": "m", "minimum": 0.1, "maximum": 0.5, "about": "length of the arm"}
    ]
    assert data["motors"][0]["limit"] == 20.0
    assert data["start"][0]["value"] == pytest.approx(0.5235987756)
    assert data["diagnostics"] == [] and data["losses"] == []


def test_data_of_one_structure(run, files: Path):
    data = run("show", "changing.xml", "--json", "--structure", "tightening", "--graph").data
    assert [row["name"] for row in data["structures"]] == ["tightening"]
    assert [row["target"] for row in data["transitions"]] == ["tightening", "approach", "resting"]
    assert "bodies" not in data


def test_no_graph_where_no_structures_are_named(run, files: Path):
    result = run("show", "spatial.xml", "--graph")
    assert (result.status, result.out) == (0, "")
    assert "no structures" in result.err


def test_graph_as_a_picture(run, files: Path):
    from xml.etree import ElementTree

    result = run("show", "changing.xml", "--graph", "-o", "graph.svg")
    assert (result.status, result.out) == (0, "") and "graph.svg" in result.err
    drawn = (files / "graph.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
    assert run("show", "changing.xml", "--graph", "--output=-").out == drawn
    data = run("show", "changing.xml", "--graph", "-o", "-", "--json").data
    assert (data["output"], data["text"]) == ("-", drawn)
    assert "text" not in run("show", "changing.xml", "--graph", "-o", "graph.svg", "--json").data
    russian = run("show", "changing.xml", "--graph", "-o", "-", "--lang", "ru").out
    assert "расстояние(nut)" in russian and "distance" not in russian


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["-o", "graph.svg"], "missing-option"),
        (["--graph", "-o", "graph.png"], "unknown-format"),
        (["--graph", "-o", "graph.svg", "--structure", "tightening"], "exclusive-options"),
        (["--graph", "-o", "no folder/graph.svg"], "cannot-write"),
    ],
)
def test_pictures_that_cannot_be(run, files: Path, words: list[str], code: str):
    result = run("show", "changing.xml", "--json", *words)
    assert result.status != 0
    assert [item["code"] for item in result.data["diagnostics"]] == [code]


def test_warnings_go_to_standard_error(run, files: Path):
    (files / "light.xml").write_text('<system class="closed chain"><body name="a" mass="1" com="1,0"/></system>')
    result = run("show", "light.xml")
    assert result.status == 0
    assert "warning" in result.err and "warning" not in result.out
    quiet = run("show", "light.xml", "--json")
    assert quiet.err == ""
    assert quiet.data["diagnostics"][0]["code"] == "class-differs"


def test_foreign_files(run, files: Path):
    assert run("show", "two.urdf", "--json").data["nv"] == 1
    assert run("show", "two.urdf", "--json", "--lock", "elbow=0.5").data["nv"] == 0
    assert run("show", "two.urdf", "--json", "--lock", "elbow").data["nv"] == 0
    assert run("show", "two.urdf", "--json", "--base", "free").data["nv"] == 7
    text = (files / "two.urdf").read_text().replace("</robot>", "<transmission name='t'/></robot>")
    (files / "more.urdf").write_text(text)
    assert "sistel convert lists them" in run("show", "more.urdf").err
    assert run("show", "more.urdf", "--json").data["losses"]


def big(path: Path, count: int) -> Path:
    rows = [
        f'<body name="b{i}" joint="revolute" base="b{i - 1}" place="10,0" mass="1" com="5,0" inertia="1e-4"/>'
        for i in range(2, count + 1)
    ]
    path.write_text(f'<system name="chain"><body name="b1" mass="1" com="5,0"/>{"".join(rows)}</system>')
    return path


def test_long_tables_are_cut(run, files: Path):
    path = big(files / "chain.xml", 100)
    short, full = run("show", path), run("show", path, "--all")
    assert "… and 40 more (--all)" in short.out
    assert "more (--all)" not in full.out
    assert full.out.count("\n") > short.out.count("\n") + 70
    assert len(json.loads(run("show", path, "--json").out)["bodies"]) == 100
    # Far from the ground the tree stops moving to the right, and bodies name their bases.
    assert "⋮  60 b60 · revolute ← 59" in short.out


@pytest.mark.slow
def test_ten_thousand_bodies(run, files: Path):
    import time

    path = big(files / "chain.xml", 10_000)
    start = time.perf_counter()
    assert "and 9940 more" in run("show", path).out
    assert time.perf_counter() - start < 30.0


def test_names_cannot_command_the_terminal(run, files: Path):
    (files / "evil.xml").write_text(
        '<system name="&#x9b;31mred&#x202e;"><body name="a&#x9b;2J&#x200b;" mass="1" com="1,0"/></system>',
        encoding="utf-8",
    )
    result = run("show", "evil.xml")
    assert result.status == 0
    assert not {"\x9b", "\u202e", "\u200b", "\x1b"} & set(result.out + result.err)
