"""Mission row A36: in the studio a new user writes a two-link arm, sees errors as they type, and runs it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from support.studio_page import studio_page

import sistel
from sistel.simulation import Run

BEGUN = """<system name="two-link arm">
<parameter name="l" value="300 mm"/>
<body name="upper arm" joint="revolut" mass="2" com="0, l/2" inertia="2 kg*l^2/12">
<body name="forearm" joint="revolute" place="0, l" mass="1" com="0, l/2" inertia="1 kg*l^2/12"/>
</body>
<start><coordinate of="upper arm" value="90"/></start>
</system>"""


@pytest.mark.slow
def test_A36(tmp_path: Path) -> None:
    with studio_page(tmp_path) as window:
        page = window.page
        page.click("[data-part=welcome] [data-act=begin]")
        page.click("dialog .card >> nth=0")
        page.fill("dialog [data-field=name]", "arm")
        page.click("dialog [data-act=create]")
        window.wait("document.querySelector('.cm-content')")
        page.focus(".cm-content")
        page.keyboard.press("Control+A")
        page.keyboard.press("Delete")
        page.keyboard.insert_text(BEGUN)

        # The slip of the keyboard is underlined and listed while nothing was saved or run.
        window.wait("document.querySelector('.cm-lintRange-error')")
        window.wait("/^1 /.test(document.querySelector('[data-part=count]').textContent.trim())")
        page.click("[data-part=count]")
        assert "revolute" in page.inner_text("[data-part=bottom]")  # what may have been meant

        # Mended by hand, it is right at once.
        at = BEGUN.index("revolut") + len("revolut")
        page.evaluate(
            "(at) => { const place = document.querySelector('.cm-content'); const { view } = place.cmTile ?? place.cmView;"
            " view.dispatch({ selection: { anchor: at } }); view.focus(); }",
            at,
        )
        page.keyboard.type("e")
        window.wait("!document.querySelector('.cm-lintRange-error')")
        text = window.text()
        assert text == BEGUN.replace('"revolut"', '"revolute"')

        page.fill("[data-field=until]", "2")
        page.keyboard.press("Control+Enter")
        window.wait("document.querySelector('[data-run]')")
        frame = page.frame_locator("[data-part=stage] iframe")
        frame.locator("[data-sistel][data-ready=yes]").wait_for()
        page.keyboard.press("Control+S")
        window.wait("!document.querySelector('.tab .dot')")

    assert (tmp_path / "arm.xml").read_text(encoding="utf-8") == text
    kept = next((tmp_path / ".sistel" / "runs").glob("*/run.npz"))
    arm = sistel.load(tmp_path / "arm.xml")
    run = Run.load(kept, arm)
    assert run.end == 2.0
    assert run.q[0].tolist() == pytest.approx([math.pi / 2, 0.0], abs=1e-15)
    # In a second way: the same fall computed here, and its energy.
    again = arm.simulate(2.0)
    assert np.array_equal(np.asarray(run(2.0)[0]), np.asarray(again(2.0)[0]))
    kinetic, potential = run.energies()
    assert float(np.ptp(kinetic + potential)) < 1e-9
