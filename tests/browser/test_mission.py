"""The page of МФ-4: its button hands the task over, and the machine of the page goes through it as a run does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.browser import Chromium

import sistel
from sistel.errors import Source
from sistel.simulation import read_record
from sistel.views.page import draw_page


@pytest.mark.slow
def test_the_button_starts_the_mission_in_the_page(chromium: Chromium, models_dir: Path) -> None:
    """Rays, the state chart, inverse kinematics and tracks, live; the record of the press gives the same run."""
    system = sistel.load(models_dir / "mf4" / "mission.xml")
    page = draw_page(system.model, system.simulate(0.5), lang="en")
    with chromium.tab(size=(1280, 860), still=True) as tab:
        tab.open(page)
        tab.page.wait_for_selector("html[data-ready=yes]", timeout=120_000)
        tab.run("() => { sistel.player.pause(); return sistel.choose('console'); }")
        key = tab.page.locator('[data-input="task"] button')
        assert tab.page.locator('.console-lamp[data-on="yes"]').count() == 0
        key.click()
        tab.wait("sistel.live.record.length > 1")
        tab.run("() => sistel.live.hold()")
        state = tab.run(
            """() => { const { live } = sistel;
                 for (let turn = 0; turn < 9999 && live.system.t < 3; turn++) live.advance(3);
                 return {q: [...live.system.q], v: [...live.system.v], t: live.system.t, stuck: String(live.stuck ?? "")}; }"""
        )
        record = tab.run("() => sistel.live.record")
        tab.run("() => sistel.player.go(2.5)")
        assert tab.page.locator('.console-lamp[data-on="yes"]').count() == 1  # it drives
    assert state["t"] == 3.0 and state["stuck"] in ("", "null")
    rows = "".join(f"{each['time']!r},{each['input']},{each['value']}\n" for each in record)
    run = system.simulate(3.0, inputs=read_record(Source("record.csv", f"time,input,value\n{rows}")))
    found = np.array([*state["q"], *state["v"]])
    assert np.abs(found - run.last[: len(found)]).max() < 1e-9
    # It has left where it stood, by its own decision.
    assert run.quantity("mission.idle", [3.0])[0] == 0.0
    assert np.hypot(*(np.ptp(run.quantity(f"{axis}(hull)", [0.0, 3.0])) for axis in "xy")) > 0.3
