"""Rows A25, A29, C3, C12 and C13 of the mission, through the public face alone; each test is named after its row."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Firefox, firefox
from support.structures import gallery

from sistel.cli import main

PAGES = ("walker", "compass_walker", "four_bar", "cart_pole", "hopper")


@pytest.fixture(scope="module")
def other() -> Iterator[Firefox]:
    with firefox() as browser:
        yield browser


def shades(picture: bytes | Path, cells: tuple[int, int] = (64, 40)) -> Any:
    """A picture as a coarse grid of greys, 0 to 1."""
    from PIL import Image as image

    opened_image = image.open(io.BytesIO(picture) if isinstance(picture, bytes) else picture)
    return np.asarray(opened_image.convert("L").resize(cells, image.Resampling.BOX), dtype=float) / 255


MATRIX = """
const table = [...document.querySelectorAll("mtable")].find(
  (each) => each.children.length === 2 && [...each.children].every((row) => row.children.length === 2));
const box = (node) => { const { left, right, top, bottom } = node.getBoundingClientRect(); return { left, right, top, bottom }; };
return {
  cells: [...table.children].map((row) => [...row.children].map((cell) => ({ text: cell.textContent, ...box(cell) }))),
  fractions: [...table.querySelectorAll("mfrac")].map((each) => [...each.children].map(box)),
  letter: box(table.querySelector("mi")),
};
"""
"""Where a browser puts the parts of the mass matrix [px]."""


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_A25(
    browser: str,
    models_dir: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The mass matrix as MathML: both browsers lay it out as a matrix of formulas, not as a line of letters."""
    page = tmp_path / "page.html"
    assert main(["equations", str(models_dir / "cart_pendulum.xml"), "--to", "mathml"]) == 0
    text = capsys.readouterr().out
    page.write_text(
        f'<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><body>{text}</body>', encoding="utf-8"
    )
    if browser == "chromium":
        with request.getfixturevalue("chromium").tab(size=(900, 1200)) as tab:
            tab.open(page)
            found = tab.run(f"() => {{ {MATRIX} }}")
    else:
        other = request.getfixturevalue("other").open(page)
        found = other.run(MATRIX)
        assert other.complaints() == []
    (a, b), (c, d) = found["cells"]
    for cell in (a, b, c, d):
        assert cell["right"] - cell["left"] > 5 and cell["bottom"] - cell["top"] > 5
    # Two columns and two rows, and symmetric: the cosine stands in both corners beside the diagonal.
    assert max(a["right"], c["right"]) <= min(b["left"], d["left"]) + 1
    assert max(a["bottom"], b["bottom"]) <= min(c["top"], d["top"]) + 1
    assert b["text"] == c["text"] and "cos" in b["text"] and "cos" not in a["text"] + d["text"]
    # Fractions stand one part above the other, and the whole is higher than two lines of letters.
    assert found["fractions"] and all(above["bottom"] <= below["top"] + 1 for above, below in found["fractions"])
    assert d["bottom"] - a["top"] > 3 * (found["letter"]["bottom"] - found["letter"]["top"])


@pytest.mark.parametrize("name", PAGES)
def test_A29(chromium: Chromium, other: Firefox, tmp_path: Path, name: str) -> None:
    """Network off, file:// opens, console clean; Chromium and Firefox show the same."""
    page = tmp_path / f"{name}.html"
    gallery(name).simulate(2.0).save(page, lang="en")
    assert page.stat().st_size < 400_000
    with chromium.tab(size=(1000, 700)) as tab:  # the fixture forbids the network and fails on any complaint
        tab.page.emulate_media(reduced_motion="reduce")
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        tab.page.wait_for_timeout(300)
        ours = shades(tab.picture())
        tab.run("() => sistel.seek(1.0)")
        tab.page.wait_for_timeout(100)
        later = shades(tab.picture())
    assert np.abs(later - ours).max() > 0.02  # it moves
    other.open(page, "document.documentElement.dataset.ready === 'yes'")
    (tmp_path / "firefox.png").write_bytes(picture := other.picture())
    assert other.complaints() == []
    theirs = shades(picture)
    # Letters and lines are smoothed differently: cells differ a little everywhere, and nowhere much.
    assert np.abs(theirs - ours).mean() < 0.01
    assert (np.abs(theirs - ours) > 0.2).mean() < 0.01


def test_C3(chromium: Chromium, tmp_path: Path) -> None:
    """Five sliders or fields move the arm; joint 1 by +90°: the readout (x, y) becomes (−y, x)."""
    page = tmp_path / "arm.html"
    assert main(["draw", str(Path(__file__).parents[2] / "models" / "arm5.xml"), "-o", str(page)]) == 0
    row = "name => [...document.querySelectorAll('.poses tbody tr')].find(r => r.dataset.place === name).innerText"
    with chromium.tab(size=(1280, 800), webgl=True) as tab:
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        fields = tab.page.locator(".joint input[type=number]")
        assert fields.count() == 5 and tab.page.locator(".joint input[type=range]").count() == 5

        def read() -> list[float]:
            return [float(cell) for cell in tab.run(row, "инструмент").replace("−", "-").split("\t")[1:4]]

        for place, value in enumerate(("0", "35", "25", "15", "5")):
            fields.nth(place).fill(value)
            fields.nth(place).press("Enter")
        x, y, z = read()
        fields.nth(0).fill("90")
        fields.nth(0).press("Enter")
        assert read() == pytest.approx([-y, x, z], abs=2e-3) and math.hypot(x, y) > 50


def test_C12(chromium: Chromium, tmp_path: Path) -> None:
    """The path of the tool in space, and motion along it: the drawn polyline is the forward kinematics of the samples."""
    system = gallery("mr_angular")
    run = system.simulate(0.6)
    page = tmp_path / "arm.html"
    run.save(page)
    with chromium.tab(size=(1000, 700), webgl=True) as tab:
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready === 'yes' && globalThis.sistelScene")
        tab.run("() => { sistel.player.pause(); sistel.seek(0.6); }")
        tab.page.get_by_role("button", name="Trails").or_(tab.page.get_by_role("button", name="Следы")).click()
        tab.page.locator(".trail-list label", has_text="схват").click()
        tab.wait("sistel.trails?.length")
        (line,) = tab.run("() => sistel.trails.map((path) => path.map((point) => [...point]))")
    points = np.array(line)
    path = system.pose(run(np.linspace(0.0, 0.6, 4001))[0], "схват")[:, :3, 3]
    off = np.sqrt(((points[:, None] - path[None]) ** 2).sum(axis=2)).min(axis=1)
    assert len(points) > 10 and off.max() < 2e-4  # the page keeps its run to a part in ten thousand of the size, 1.4 m
    assert np.abs(points[0] - path[0]).max() < 2e-4 and np.abs(points[-1] - path[-1]).max() < 2e-4


@pytest.mark.slow
def test_C13(chromium: Chromium, tmp_path: Path) -> None:
    """Graphs: torque, position, velocity, acceleration of five joints, and the place of the tool: 20 + 3 curves."""
    page = tmp_path / "arm.html"
    gallery("arm5").simulate(0.5).save(page)
    with chromium.tab(size=(1000, 700)) as tab:
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        charts = tab.run("() => sistel.data.curves.charts.map(({ group, curves }) => [group, curves.length])")
        tab.wait("document.querySelector('.uplot canvas')")
    drawn: dict[str, int] = {}
    for group, count in charts:
        drawn[group] = drawn.get(group, 0) + count
    assert [drawn[key] for key in ("coordinates", "velocities", "accelerations", "torques", "places")] == [
        5,
        5,
        5,
        5,
        3,
    ]
