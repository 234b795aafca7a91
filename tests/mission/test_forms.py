"""Row A26 of the mission, through the public face alone."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from support.browser import Chromium
from support.xforms import Form, check_xforms

import sistel
from sistel.cli import main

G = 9.81
PENDULUM = """<?xml version="1.0" encoding="windows-1251"?>
<!-- Маятник: до корня. -->
<системаТел имя="маятник">
  <!-- Внутри. -->
  <параметр имя="l"   значение='50 см' min="10 см" max="3 м" описание="длина стержня"/>
  <тело имя="стержень" КП="ВКП" масса="2" ЦМ="0, l"/>   <!-- в конце строки -->
  <начало стержень="0.5 град"/>
</системаТел>
<!-- После. -->
"""


def closed(length: float) -> float:
    """The period of small swings [s]."""
    return 2 * math.pi * math.sqrt(length / G)


def measured(times: list[float], angles: list[float]) -> float:
    """The time between the first and the last fall through zero, over their number, from samples of a motion [s]."""
    falls = [
        t + (u - t) * a / (a - b)
        for t, u, a, b in zip(times, times[1:], angles, angles[1:], strict=False)
        if a > 0 >= b
    ]
    return (falls[-1] - falls[0]) / (len(falls) - 1)


@pytest.mark.slow
def test_A26_page(chromium: Chromium, tmp_path: Path) -> None:
    """In the page, l from 0.5 to 1 m makes the period of small swings √2 times as long; the saved file says so too."""
    file, page = tmp_path / "маятник.xml", tmp_path / "form.html"
    file.write_text(PENDULUM, encoding="windows-1251")
    assert main(["form", str(file), "-o", str(page), "--lang", "en"]) == 0
    with chromium.tab(size=(1100, 800), still=True) as tab:
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready === 'yes'")

        def period() -> float:
            return float(tab.page.get_attribute("[data-swing='0']", "data-period") or "nan")

        def swung() -> float:
            """By the motion that the page shows: the equations are integrated, nothing is linear."""
            rows = tab.run(
                """() => { const { live } = sistel;
                     for (let turn = 0; turn < 999 && live.system.t < 20; turn++) live.advance(Math.min(20, live.system.t + 0.01));
                     return live.motion.rows.map(({ t, q }) => [t, q[0]]); }"""
            )
            return measured([row[0] for row in rows], [row[1] for row in rows])

        first, seen = period(), swung()
        assert first == pytest.approx(closed(0.5), rel=1e-10)
        assert seen == pytest.approx(
            closed(0.5), rel=2e-5
        )  # half a degree: θ²/16 of the period, and samples 10 ms apart
        tab.page.fill("[data-field=f1]", "400")
        assert tab.page.get_attribute("[data-field=f1]", "aria-invalid") == "true"
        assert "At most 300 cm." in tab.page.inner_text("[data-part=panels]")
        tab.page.click("[data-form=save]")  # is not saved: the focus goes to what is wrong
        assert tab.run("() => document.activeElement.dataset.field") == "f1"
        kept = tab.page.locator("text=Bodies are drawn with the lengths")
        assert kept.is_hidden()
        tab.page.fill("[data-field=f1]", "100,0")
        assert kept.is_visible()
        assert period() / first == pytest.approx(math.sqrt(2), rel=1e-10)
        assert swung() / seen == pytest.approx(math.sqrt(2), rel=2e-6)
        with tab.page.expect_download() as download:
            tab.page.click("[data-form=save]")
        assert download.value.suggested_filename == "маятник.xml"
        saved = Path(download.value.path()).read_bytes().decode()
    # Nothing else has changed but the encoding, which pages write as UTF-8.
    assert saved == PENDULUM.replace("50 см", "100.0 см").replace("windows-1251", "UTF-8")
    poles = sistel.parse(saved).linearize(at="zero").poles
    assert 2 * math.pi / abs(poles[0].imag) == pytest.approx(closed(1.0), rel=1e-12)


def test_A26_xforms(tmp_path: Path) -> None:
    """The same through XForms: a processor fills in 100, checks limits and saves the file."""
    file, page = tmp_path / "маятник.xml", tmp_path / "form.xhtml"
    file.write_text(PENDULUM, encoding="windows-1251")
    assert main(["form", str(file), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    check_xforms(text)
    form = Form(text)
    periods = []
    for typed in ("50", "100"):
        form.set("f1", typed)
        saved = form.submit()
        assert saved is not None and "<!-- Внутри. -->" in saved and f'значение="{typed} см"' in saved
        poles = sistel.parse(saved).linearize(at="zero").poles
        periods.append(2 * math.pi / abs(poles[0].imag))
    assert periods[1] / periods[0] == pytest.approx(math.sqrt(2), rel=1e-12)
    for wrong in ("301", "9.9", "", "abc"):
        form.set("f1", wrong)
        assert form.submit() is None
        assert form.wrong() == ["instance('form')/f1"]
