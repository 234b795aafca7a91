"""Several recorded runs in one page: ghosts, curves under curves and readings are those of each run, on one clock."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from browser.test_panels import settle
from support.browser import Chromium

import sistel
from sistel.errors import SistelError
from sistel.views.page import draw_page

TIP = """() => [...document.querySelectorAll('.stage g.ghost')].sort((a, b) => a.dataset.ghost - b.dataset.ghost).map((node) => {
  const rod = node.querySelector('[id$="тело_2"] path.link, [id$="тело_2"] path');
  const at = rod.getPointAtLength(rod.getTotalLength()).matrixTransform(rod.getScreenCTM());
  const camera = document.querySelector('svg.scheme > g:not(.ghost) [id$="камера"], svg.scheme [id$="камера"]');
  const place = at.matrixTransform(camera.getScreenCTM().inverse());
  return [place.x / 1e3, place.y / 1e3];
})"""
READ = """() => [...document.querySelectorAll('.plots-chart')].filter((c) => c.dataset.group === 'coordinates')
  .map((c) => c.querySelector('.plots-value').textContent)"""
KINETIC = "() => document.querySelector('figure[data-group=energy] .plots-value').textContent"
WHERE = "() => [...document.querySelectorAll('[data-part=compared] li')].map((each) => each.textContent)"


def numbers(text: str) -> list[float | None]:
    return [None if part == "—" else float(part.replace("\N{MINUS SIGN}", "-")) for part in text.split(" · ")]


def test_ghosts_curves_and_readings_are_those_of_the_other_runs(chromium: Chromium, models_dir: Path) -> None:
    system = sistel.load(models_dir / "cart_pole.xml")
    runs = [system.with_parameters(l=length).simulate(until) for length, until in ((1.0, 2.0), (0.8, 3.0), (0.3, 1.5))]
    page = draw_page(runs[0].model, runs[0], lang="en", compare=runs[1:], equations=False)
    with chromium.tab() as tab:
        tab.open(page)
        tab.wait("sistel?.ready")
        tab.run("() => sistel.player.pause()")
        assert tab.run("() => [sistel.motion.begin, sistel.motion.end]") == [0.0, 3.0]
        for t in (0.4, 1.2, 1.8, 2.7):
            tab.run("t => sistel.seek(t)", t)
            settle(tab)
            cart, pole = (numbers(text) for text in tab.run(READ))
            for run, x, angle in zip(runs, cart, pole, strict=True):
                if t > run.end:
                    assert (x, angle) == (None, None)
                    continue
                q, _ = run(t)
                assert x == pytest.approx(1e3 * q[0], rel=6e-4, abs=0.05)
                assert angle == pytest.approx(math.degrees(q[1]), rel=6e-4)
            for run, found, length in zip(runs[1:], tab.run(TIP), (0.8, 0.3), strict=True):
                q, _ = run(min(t, run.end))
                assert found == pytest.approx([q[0] + length * np.sin(q[1]), -length * np.cos(q[1])], abs=2e-3)
        assert tab.run(WHERE) == ["l 1ended at 2 s", "l 0.8", "l 0.3ended at 1.5 s"]
        # What is switched off is neither seen nor read.
        tab.run("() => document.querySelectorAll('[data-part=compared] input')[0].click()")
        settle(tab)
        assert len(tab.run(TIP)) == 1 and len(numbers(tab.run(READ)[0])) == 2
        table = tab.run("() => sistel.motion.own")
        assert table == [0.0, 2.0]


def test_runs_of_other_systems_are_compared_by_names_alone(chromium: Chromium, models_dir: Path) -> None:
    walker, other = (sistel.load(models_dir / name) for name in ("compass_walker.xml", "pendulum.xml"))
    run = walker.simulate(1.0)
    page = draw_page(walker.model, run, lang="ru", compare={"иной": other.simulate(2.0)}, equations=False)
    with chromium.tab() as tab:
        tab.open(page)
        tab.wait("sistel?.ready")
        tab.run("() => { sistel.player.pause(); sistel.seek(0.5); }")
        settle(tab)
        assert tab.run("() => document.querySelectorAll('.stage g.ghost').length") == 0
        said = tab.run("() => document.querySelector('[data-part=compared]').textContent")
        assert "иной — другая система" in said and "rod" in said
        tab.run("() => document.querySelector('figure[data-group=energy]').scrollIntoView()")
        tab.wait(f"({KINETIC})().includes(' · ')")
        own, beside = numbers(tab.run(KINETIC))
        for system, found in ((walker, own), (other, beside)):
            kinetic, _ = system.energies(*system.simulate(0.5)(0.5))
            assert found == pytest.approx(kinetic, rel=0.01)  # read from a curve through chosen points


def test_more_runs_than_can_be_told_apart_are_refused(models_dir: Path, tmp_path: Path) -> None:
    run = sistel.load(models_dir / "pendulum.xml").simulate(0.5)
    with pytest.raises(SistelError, match="cannot be told apart"):
        run.save(tmp_path / "a.html", compare=[run] * 4)
    with pytest.raises(SistelError, match="several runs"):
        run.save(tmp_path / "a.svg", compare=[run])
    assert not list(tmp_path.iterdir())
