"""One source of rows for all views: it has to hold what the model holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.structures import gallery

import sistel
from sistel.errors import Language
from sistel.views import show_text, summarize
from sistel.views.text._paper import width_of
from sistel.views.text._tables import motor_table
from sistel.views.text._tree import tree_lines


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_gallery(models_dir: Path, lang: Language):
    for path in sorted(models_dir.glob("*.xml")):
        model = gallery(path.stem).model
        summary = summarize(model, lang)
        assert [body.name for body in summary.bodies] == [body.name for body in model.bodies]
        assert summary.bases == model.bases
        # The many contacts of two shapes are told as the one that the file declares.
        contacts = {contact.name if contact.pair is None else contact.pair.name for contact in model.contacts}
        assert len(summary.links) == sum(
            map(len, (model.closures, contacts, model.blades, model.locks, model.couplings, model.drives))
        )
        assert len(summary.transitions) == len(model.transitions)
        json.dumps(summary.to_json(), allow_nan=False)
        for width in (80, 120):
            page = show_text(summary, lang, width=width)
            assert all(width_of(line) <= width for line in page.splitlines()), path
            assert summary.structure_class in page


def test_the_tree_shows_every_body_once(models_dir: Path):
    for path in sorted(models_dir.glob("*.xml")):
        summary = summarize(gallery(path.stem).model, "en")
        numbers = [line.body.number for line in tree_lines(summary)]
        assert sorted(numbers) == list(range(1, len(summary.bodies) + 1))


def test_the_tree_is_drawn_branch_by_branch():
    system = sistel.parse(
        '<system><body name="a" mass="1"><body name="b" mass="1"><body name="c" mass="1"/></body>'
        '<body name="d" mass="1"/></body><body name="e" mass="1"/></system>'
    )
    summary = summarize(system.model, "en")
    assert [f"{line.prefix}{line.body.name}" for line in tree_lines(summary)] == [
        "├─ a",
        "│  ├─ b",
        "│  │  └─ c",
        "│  └─ d",
        "└─ e",
    ]
    assert [line.far for line in tree_lines(summary, deepest=2)] == [False, False, True, False, False]


def test_words_follow_the_language():
    system = sistel.parse(
        """<system><body name="trunk" joint="free" mass="1" inertia="1"><point name="p" place="0, 100"/></body>
        <links><contact name="L" point="p" surface="y = 0"/><structure name="up"/><structure name="down" holds="L"/>
        <transition from="up" to="down" when="gap(L) falls through 0"><set of="trunk.angle" value="0"/></transition></links>
        <start trunk.x="100"/></system>"""
    )
    english, russian = summarize(system.model, "en"), summarize(system.model, "ru")
    assert english.transitions[0].condition == "gap(L) falls through 0"
    assert russian.transitions[0].condition == "зазор(L) падает через 0"
    assert english.transitions[0].resets[0].startswith("trunk.angle := ")
    assert russian.transitions[0].resets[0].startswith("trunk.угол := ")
    assert russian.class_words == "плоская система тел с изменяющейся структурой"
    assert english.declared and not summarize(sistel.parse('<system><body name="a" mass="1"/></system>').model).declared


def test_windings_are_shown() -> None:
    text = """<system><body name="r" joint="revolute" mass="1" inertia="1"><motor name="m" voltage="24 V" current="6 A"
      resistance="1.2 Ohm" inductance="3 mH" constant="0.05 V*s/rad" efficiency="0.8"/>
      <motion value="0" kp="1" kd="1"/></body></system>"""
    system = sistel.parse(text)
    (row,) = motor_table(summarize(system.model, "en").motors, "en").rows
    assert row[-2:] == ("0.8", "24 V, 6 A, 1.2 Ohm, 0.003 H, 0.05 V·s/rad")
