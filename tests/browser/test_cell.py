"""The page of a robotic cell: it plays the cycle with its chart."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from support.browser import Chromium

from sistel.cells import plan_cell, read_cell, world_pose
from sistel.cli import main
from sistel.system import load

CELL = """<cell name="one part">
  <robot name="R" model="{models}/mr_cylindrical.xml" frame="схват" fingers="губка_1, губка_2"/>
  <station name="rack" kind="rack"><slot name="a" code="0, 5, 0.6, 0.5, 0.3, 46"/></station>
  <station name="lathe" kind="machine"><slot name="m" code="0, 5, 0.75, 0.6, 0, 13"/></station>
  <part name="shaft" slot="a" mass="2"/>
  <process>
    <row do="take" slot="a"/> <row do="put" slot="m"/> <row do="work" slot="m" time="3"/>
  </process>
</cell>
"""


def test_a_cell_plays_with_its_chart(chromium: Chromium, models_dir: Path, tmp_path: Path) -> None:
    cell, page = tmp_path / "cell.xml", tmp_path / "cell.html"
    cell.write_text(CELL.format(models=models_dir), encoding="utf-8")
    assert main(["cell", str(cell), "--allow", str(models_dir), "-o", str(page), "--lang", "en"]) == 0
    plan = plan_cell(read_cell(cell, lambda path: load(path).model, allow=[models_dir]))
    assert page.stat().st_size < 2_500_000
    with chromium.tab(size=(1200, 760), webgl=True) as tab:
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready === 'yes' && globalThis.sistelScene")
        tab.run("() => { sistel.player.pause(); sistel.choose('chart'); }")
        tab.wait("document.querySelector('.sistel-chart .now')")
        bars = tab.run("() => document.querySelectorAll('.sistel-chart rect > title').length")
        assert bars == sum(bar.what != "idle" for bar in plan.bars)
        left, right, end = tab.run("() => document.querySelector('.sistel-chart').dataset.time.split(' ').map(Number)")
        assert math.isclose(end, plan.end, rel_tol=1e-8)
        places = []
        for t in (0.0, 0.5 * plan.end, plan.end):
            tab.run("(t) => sistel.seek(t)", t)
            x = float(tab.run("() => document.querySelector('.sistel-chart .now').getAttribute('x1')"))
            assert math.isclose(x, left + (right - left) * t / end, abs_tol=0.01)
            number = tab.run("() => sistel.data.bodies.find(({ name }) => name === 'shaft').number")
            poses = tab.run("() => [...sistel.system.poses(sistel.now.q)]")
            places.append(np.array(poses).reshape(-1, 3, 4)[number])
        for found, slot in ((places[0], "a"), (places[-1], "m")):
            assert np.abs(found - world_pose(plan.cell.slots[slot])[:3]).max() < 1e-3
        tab.run("() => sistel.setLang('ru')")
        tab.wait("document.querySelector('.sistel-chart').textContent.includes('положить')")
        assert len(tab.picture()) > 20_000
