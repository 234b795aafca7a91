"""The form of a page in a browser: what links make of its numbers, systems that stand still, both languages."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.views.forms import draw_form, read_form


def form_page(path: Path, lang: str = "en") -> str:
    system = sistel.load(path)
    return draw_form(read_form(system.model, system.source), system.model, lang)  # type: ignore[arg-type]


def note(tab: Tab, key: str) -> str:
    (row,) = tab.page.locator(f".form-row:has([data-field={key}]) .form-note").all()
    return str(row.inner_text())


@pytest.mark.slow
def test_links_and_refusals_are_told_beside_the_fields(chromium: Chromium, models_dir: Path) -> None:
    with chromium.tab(size=(1100, 800), still=True, kept=True) as tab:
        tab.open(form_page(models_dir / "watt.xml"))
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        # The file gives all coordinates, and so they cannot all stay: what becomes of a number is told.
        for key, index, typed in (("f2", 0, "30"), ("f7", 4, "100")):
            tab.page.fill(f"[data-field={key}]", typed)
            made = note(tab, key).removeprefix("The links make it ").removesuffix(" deg.").replace("−", "-")
            assert tab.run("(i) => sistel.now.q[i]", index) == pytest.approx(math.radians(float(made)), rel=1e-4)
            assert float(made) != float(typed)
        tab.run("() => sistel.setLang('ru')")
        assert note(tab, "f7").startswith("По связям получается")
        tab.page.get_by_text("Как в файле").click()
        assert note(tab, "f7") == "" and tab.run("() => sistel.now.q[0]") == pytest.approx(math.radians(20), abs=1e-6)


@pytest.mark.slow
def test_what_cannot_move_is_posed(chromium: Chromium, models_dir: Path) -> None:
    with chromium.tab(size=(1100, 800), still=True, kept=True) as tab:
        tab.open(form_page(models_dir / "tracked_vehicle.xml"))
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        assert tab.page.locator("[data-form=run]").count() == 0
        assert "cannot be integrated in the page" in tab.page.inner_text("[data-part=panels]")
        system = sistel.load(models_dir / "tracked_vehicle.xml")
        form = read_form(system.model, system.source)
        field = next(each for each in form.fields if each.of == "q" and not each.formula)
        tab.page.fill(f"[data-field={field.key}]", "12")
        assert tab.run("(i) => sistel.now.q[i]", field.index) == pytest.approx(field.measure.to_si(12.0))
        parameter = next(each for each in form.fields if each.of == "parameter" and not each.formula)
        tab.page.fill(f"[data-field={parameter.key}]", str(float(parameter.written) * 0.9))
        told = note(tab, parameter.key)
        live = next(
            row["live"] for row in tab.run("() => sistel.data.parameters") if row["name"] == parameter.parameter
        )
        assert live or told.startswith("This page goes on with the number of the file")


@pytest.mark.slow
def test_what_follows_from_parameters_follows(chromium: Chromium, models_dir: Path) -> None:
    """The start of the compass walker is made of formulas; what the file leaves out shows what the links make of it."""
    with chromium.tab(size=(1100, 800), still=True, kept=True) as tab:
        tab.open(form_page(models_dir / "compass_walker.xml"))
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        tab.page.fill("[data-field=f6]", "0.3")  # alpha [rad]
        shown = [float(tab.page.inner_text(f"[data-field=f{i}]").replace("−", "-")) for i in (10, 12, 13)]
        wanted = [-math.degrees(0.3), -1000 * math.sin(0.3), -1000 * math.cos(0.3)]
        assert shown == pytest.approx(wanted, rel=1e-5)
        tab.open(form_page(models_dir / "four_bar.xml"))
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        system = sistel.load(models_dir / "four_bar.xml")
        form = read_form(system.model, system.source)
        blank = next(each for each in form.fields if each.slot is not None and each.of == "q")
        text = tab.page.get_attribute(f"[data-field={blank.key}]", "placeholder") or ""
        q = tab.run("(i) => sistel.now.q[i]", blank.index)
        assert blank.measure.to_si(float(text.replace("−", "-"))) == pytest.approx(q, rel=1e-5) and q != 0
