"""What notebooks show of results: well-formed fragments in both languages, without scripts, whatever the names are."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.errors import Text
from sistel.simulation import Event, Run
from sistel.views import notebook_html

MODELS = Path(__file__).resolve().parents[3] / "models"
EVIL = '<script>alert("1")</script> & \' ]]> \u202e' + "x" * 300
VOID = {"br", "img", "hr", "meta", "input"}


@cache
def system(name: str) -> sistel.System:
    return sistel.load(MODELS / f"{name}.xml")


@cache
def run() -> Run:
    return system("bouncing_ball").simulate(1.2)


class Elements(HTMLParser):
    """Checks that what is opened is closed, and keeps the names of elements and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data


def things() -> dict[str, Any]:
    """One of everything that the face gives."""
    walker, ball, bar = system("walker"), system("bouncing_ball"), system("four_bar")
    return {
        "Model": ball.model,
        "Body": walker.bodies[1],
        "Joint": system("puma560").bodies[0].joint,
        "Structure": walker.structures[0],
        "Transition": walker.transitions[0],
        "Mobility": bar.mobility(),
        "Run": run(),
        "Event": run().events[0],
        "Events": run().events,
        "Equations": system("double_pendulum").equations(),
        "Count": system("double_pendulum").equations().count(),
        "Equilibrium": system("double_pendulum").equilibrium(),
        "Diagnostic": _problem(),
    }


def _problem() -> sistel.Diagnostic:
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse("<system name='a'><bodi/></system>")
    return caught.value.diagnostics[0]


def test_everything_is_shown_in_both_languages() -> None:
    for name, thing in things().items():
        assert type(thing).__name__ in (name, "tuple"), name
        texts = {}
        for lang in ("en", "ru"):
            text = notebook_html(thing, lang)
            found = Elements(text)
            assert text.startswith(f'<div class="sistel" lang="{lang}">'), name
            assert not found.seen & {"script", "iframe", "link", "object"}, name
            assert not any(each.startswith("on") for each in found.attributes), name
            assert found.text.strip(), name
            texts[lang] = found.text
        assert texts["en"] != texts["ru"], name
        if type(thing).__name__ != "tuple":
            assert thing._repr_html_() in (notebook_html(thing, "en"), notebook_html(thing, "ru")), name


def test_numbers_are_right() -> None:
    body = system("puma560").bodies[1]
    text = Elements(notebook_html(body, "en")).text
    assert f"{body.mass:.6g} kg" in text
    event = run().events[0]
    text = Elements(notebook_html(event, "en")).text
    # Dropped from a metre: it strikes after √(2 h / g).
    assert f"{event.time:.9g}" in text and event.time == pytest.approx((2 / 9.81) ** 0.5)
    assert f"{event.energy_loss:.6g}" in text
    count = system("double_pendulum").equations().count()
    assert f"{count.multiplications}" in Elements(notebook_html(count, "ru")).text
    mobility = system("four_bar").mobility()
    assert mobility.dof == 1 and "1" in Elements(notebook_html(mobility, "en")).text


def test_a_cycle() -> None:
    found = system("rimless_wheel").cycle()
    text = Elements(notebook_html(found, "en")).text
    assert f"{found.period:.9g} s" in text
    assert ("not stable" in text) != found.stable
    assert "период" in Elements(notebook_html(found, "ru")).text
    assert found._repr_html_()


def test_an_ensemble_and_its_summary() -> None:
    made = system("bouncing_ball").ensemble(0.3, initial={"ball": [-0.2, -0.5, -1.0]})
    for thing in (made, made.summary):
        text = Elements(notebook_html(thing, "en")).text
        assert str(made.summary.runs) in text
        assert Elements(notebook_html(thing, "ru")).text != text
        assert thing._repr_html_()


def test_hostile_names_stay_texts() -> None:
    walker = system("walker")
    renamed = {
        "Body": replace(walker.bodies[1], name=EVIL),
        "Joint": replace(walker.bodies[1].joint, name=EVIL),
        "Structure": replace(
            walker.structures[0], name=EVIL, holds=(EVIL,) * 100, why_not=(Text(EVIL, EVIL),), structure_class=EVIL
        ),
        "Transition": replace(walker.transitions[0], sources=(EVIL,), target=EVIL),
        "Event": Event(
            time=0.1,
            transition=EVIL,
            before=EVIL,
            after=EVIL,
            energy_loss=1.0,
            impulses={EVIL: np.ones(6)},
        ),
        "Model": replace(walker.model, name=EVIL, about=EVIL),
        "Diagnostic": dataclasses.replace(_problem(), message=Text(EVIL, EVIL), span=None),
    }
    for name, thing in renamed.items():
        for lang in ("en", "ru"):
            text = notebook_html(thing, lang)
            found = Elements(text)
            assert "script" not in found.seen, name
            assert "<script" not in text, name
            assert "\u202e" not in text, name  # nothing turns the direction of writing
            assert '<script>alert("1")</script>' in found.text, name
            assert len(text) < 60_000, name


def test_hostile_names_in_equations_and_runs() -> None:
    plain = system("double_pendulum")
    bodies = tuple(replace(body, name=f"{EVIL}{body.number}") for body in plain.model.bodies)
    model = replace(plain.model, name=EVIL, bodies=bodies)
    moved = plain.simulate(0.1)
    odd = Run(model, moved.segments, moved.events, moved.last, Text(EVIL, EVIL))
    equations = dataclasses.replace(plain.equations(), model=model)
    for thing in (odd, equations):
        text = notebook_html(thing, "en")
        assert "<script" not in text
        Elements(text)


def test_what_is_unknown_says_what_it_is() -> None:
    class Odd:
        def __repr__(self) -> str:
            return EVIL

    text = notebook_html(Odd(), "en")
    assert "<script" not in text and "&lt;script&gt;" in text


def test_long_equations_are_for_files(monkeypatch: pytest.MonkeyPatch) -> None:
    from sistel.views.notebook import _results as _notebook

    monkeypatch.setattr(_notebook, "LONGEST", 10)
    assert "to_html()" in notebook_html(system("double_pendulum").equations(), "en")


def test_a_run_from_a_file_is_shown_too(tmp_path: Path) -> None:
    """In a process that has made no system, too: whoever shows it says so from above."""
    made = run()
    made.save(tmp_path / "a.npz")
    code = (
        "import sys; from sistel.simulation import Run; assert 'sistel.views' not in sys.modules; "
        "sys.stdout.reconfigure(encoding='utf-8'); print(Run.load(sys.argv[1])._repr_html_(), end='')"
    )
    call = [sys.executable, "-c", code, str(tmp_path / "a.npz")]
    shown = subprocess.run(call, check=True, capture_output=True, encoding="utf-8").stdout
    assert shown == made._repr_html_() and made.model.name in shown
