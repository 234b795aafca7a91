"""What readers take along from a page: every file is read back."""

from __future__ import annotations

import csv
import io
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support.browser import Chromium, Tab

import sistel
from sistel.views.films._encode import find_ffmpeg
from sistel.views.page import draw_page
from sistel.views.page._motion import BOUND, COARSE, RATE_BOUND
from sistel.views.page._payload import measures

MODELS = Path(__file__).resolve().parents[2] / "models"


def taken(tab: Tab, what: str) -> Path:
    """The file that an entry of the menu hands out."""
    if tab.run("() => document.querySelector('.take-list').hidden"):
        tab.page.click("[data-id=take]")
    with tab.page.expect_download(timeout=90_000) as waiting:
        tab.page.click(f"[data-take={what}]")
    path = tab.folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


@pytest.fixture(scope="module")
def bar() -> sistel.System:
    return sistel.load(MODELS / "slider_crank.xml")


@pytest.fixture
def planar(chromium: Chromium, bar: sistel.System) -> Iterator[Tab]:
    with chromium.tab(size=(1100, 700), still=True, kept=True) as tab:
        tab.open(draw_page(bar.model, bar.simulate(0.5), lang="en"))
        tab.wait("document.documentElement.dataset.ready")
        yield tab


def test_the_table_is_the_run(planar: Tab, bar: sistel.System) -> None:
    rows = list(csv.reader(io.StringIO(taken(planar, "csv").read_text(encoding="utf-8"))))
    run = bar.simulate(0.5)
    columns = [*bar.model.coordinate_names, *(f"{name}'" for name in bar.model.rate_names)]
    assert rows[0] == ["t", *columns, "structure"]
    values = np.array([row[:-1] for row in rows[1:]], float)
    assert (values[0, 0], values[-1, 0]) == (0.0, 0.5)
    q, v = run(values[:, 0])
    # Places: as far as bodies may be from where the run has them, and rounding as much again. Crank and piston stand on
    # the ground, the rod on the crank: its angle has the errors of both.
    size, reach = measures(bar.model, run.q)
    assert planar.run("sistel.data.size") == pytest.approx(size, rel=1e-3)
    away = 2 * BOUND * size
    crank, rod = (away / max(reach[number], 0.1 * size) for number in (1, 2))
    places = np.abs(values[:, 1 : 1 + bar.nq] - q).max(axis=0)
    assert np.all(places <= [crank, crank + rod, away]), places
    # Rates: over the fastest of their column; the last term is the rounding of the keys.
    rates = np.abs(values[:, 1 + bar.nq :] - v).max(axis=0)
    assert np.all(rates <= (RATE_BOUND + COARSE[0]) * np.abs(v).max(axis=0)), rates
    # Who takes it is told so, and numbers have no digits beyond.
    assert "10⁻⁴" in planar.run("document.querySelector('.take-told').textContent")
    assert max(len(row[3].partition(".")[2]) for row in rows[1:]) == 7


def test_a_table_far_away_keeps_its_digits(chromium: Chromium) -> None:
    system = sistel.parse(
        '<system name="train"><gravity value="0"/><body name="wagon" joint="prismatic" axis="x" mass="1"/>'
        '<start wagon="1e9" wagon.rate="1000"/></system>'
    )
    with chromium.tab(still=True, kept=True) as tab:
        tab.open(draw_page(system.model, system.simulate(10.0), lang="en"))
        tab.wait("document.documentElement.dataset.ready")
        rows = list(csv.reader(io.StringIO(taken(tab, "csv").read_text(encoding="utf-8"))))[1:]
    t, q, v = np.array([row[:-1] for row in rows], float).T
    # A million metres away, and a hundredth of a metre from row to row.
    assert q == pytest.approx(1e6 + t, rel=0.0, abs=2e-6) and v == pytest.approx(np.ones(len(t)), rel=1e-5)


def test_drawing_and_picture_show_what_is_seen(planar: Tab) -> None:
    planar.run("() => sistel.seek(0.2)")
    drawing = taken(planar, "svg").read_text(encoding="utf-8")
    assert "var(" not in drawing and "<script" not in drawing
    with Image.open(taken(planar, "png")) as image:
        seen = np.asarray(image.convert("RGB"), float)
    box = planar.run("""() => { const { width, height } = document.querySelector('svg.scheme').getBoundingClientRect();
        return [width, height]; }""")
    assert (seen.shape[1], seen.shape[0]) == pytest.approx([2 * side for side in box], abs=3)
    assert (seen.min(axis=2) < 128).mean() > 0.003  # ink
    assert (seen.min(axis=2) > 240).mean() > 0.7  # on paper
    planar.run("() => sistel.seek(0.4)")
    with Image.open(taken(planar, "png")) as image:
        assert np.abs(np.asarray(image.convert("RGB"), float) - seen).mean() > 0.3


def test_the_model_has_the_parameters_that_were_changed(planar: Tab, bar: sistel.System) -> None:
    name = bar.model.parameters[0].name
    own = bar.model.parameters[0].value
    planar.run(
        "(name) => sistel.live.given({ [name]: 1.25 * sistel.live.parameters[name] }, { q: new Map(), v: new Map() })",
        name,
    )
    made = sistel.load(taken(planar, "xml"))
    assert made.model.parameters[0].value == pytest.approx(1.25 * own, rel=1e-15)
    assert [p.name for p in made.model.parameters] == [p.name for p in bar.model.parameters]
    # What follows from the parameter follows from it in the file, too.
    known = bar.with_parameters({name: 1.25 * own})
    assert [body.mass for body in made.model.bodies] == pytest.approx([body.mass for body in known.model.bodies])
    assert [b.p_PB for b in made.model.bodies] == [pytest.approx(b.p_PB) for b in known.model.bodies]


def test_a_page_of_other_parameters_gives_a_model_with_them(chromium: Chromium, bar: sistel.System) -> None:
    first = bar.model.parameters[0]
    other = bar.with_parameters({first.name: 0.9 * first.value})
    with chromium.tab(still=True, kept=True) as tab:
        tab.open(draw_page(other.model, lang="ru"))
        tab.wait("document.documentElement.dataset.ready")
        made = sistel.load(taken(tab, "xml"))
    assert made.model.parameters[0].value == pytest.approx(0.9 * first.value, rel=1e-15)


def test_a_link_carries_time_and_parameters(chromium: Chromium, bar: sistel.System) -> None:
    first = bar.model.parameters[0]
    page = draw_page(bar.model, bar.simulate(0.5), lang="en")
    with chromium.tab(still=True, kept=True) as tab:
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready")
        tab.run(
            """async ([name, value]) => {
          sistel.live.given({ [name]: value }, { q: new Map(), v: new Map() });
          sistel.live.advance(0.31);
          sistel.seek(0.3);
        }""",
            [first.name, 1.1 * first.value],
        )
        tab.page.click("[data-id=take]")
        tab.page.click("[data-take=link]")
        tab.wait("document.querySelector('.take-told').textContent")
        address = tab.run("() => location.href")
        seen = tab.run("() => [sistel.time, ...sistel.now.q]")
        assert "#t=0.3&p." in address
        tab.page.goto("about:blank")
        tab.page.goto(address)
        tab.wait("document.documentElement.dataset.ready")
        assert tab.run("() => [sistel.time, ...sistel.now.q]") == pytest.approx(seen, abs=1e-9)
        assert tab.run("(name) => sistel.live.parameters[name]", first.name) == 1.1 * first.value
    known = bar.with_parameters({first.name: 1.1 * first.value}).simulate(0.3)
    assert seen[1:] == pytest.approx(known.q[-1].tolist(), abs=1e-6)


def test_links_with_nonsense_do_nothing(chromium: Chromium, bar: sistel.System) -> None:
    with chromium.tab(still=True, kept=True, strict=False) as tab:
        path = tab.folder / "page.html"
        path.write_text(draw_page(bar.model, bar.simulate(0.2), lang="en"), encoding="utf-8")
        for words in ("#t=NaN&p.nobody=3", "#p.=&t=1e99", "#%", "#t=-5"):
            tab.page.goto("about:blank")
            tab.page.goto(path.as_uri() + words)
            tab.wait("document.documentElement.dataset.ready")
            assert 0.0 <= tab.run("() => sistel.time") <= 0.2
        assert not [each for each in tab.complaints if "exception" in each]


def test_a_gif_of_the_page_moves(planar: Tab) -> None:
    """Picture by picture at the times of the run, in a worker; it repeats, and its colours are those of the page."""
    with Image.open(taken(planar, "gif")) as film:
        assert film.is_animated and film.info["loop"] == 0
        lasts, pictures = [], []
        for number in range(film.n_frames):
            film.seek(number)
            lasts.append(film.info["duration"])
            pictures.append(np.asarray(film.convert("RGB"), dtype=float))
    begin, end, speed = planar.run("() => [sistel.motion.begin, sistel.motion.end, sistel.player.speed]")
    assert sum(lasts[:-1]) / 1000 == pytest.approx((end - begin) / speed, rel=0.15)
    assert max(np.abs(each - pictures[0]).max() for each in pictures) > 40  # something is elsewhere
    paper = planar.run("() => getComputedStyle(sistel.part('picture')).backgroundColor")
    if paper.startswith("rgb("):
        assert pictures[0][3, 3] == pytest.approx([float(x) for x in paper[4:-1].split(",")], abs=4)


def read_film(path: Path) -> np.ndarray:
    """The pictures of a film, shape (n, height, width)."""
    program = find_ffmpeg()
    assert program is not None
    command = [program, "-loglevel", "error", "-i", str(path), "-vf", "scale=160:100", "-f", "rawvideo"]
    found = subprocess.run([*command, "-pix_fmt", "gray", "-"], capture_output=True, check=True)
    return np.frombuffer(found.stdout, np.uint8).reshape(-1, 100, 160).astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slider_crank", "gyroscope"])
def test_a_film_of_the_page_moves(chromium: Chromium, name: str) -> None:
    if find_ffmpeg() is None:
        pytest.skip("ffmpeg is not installed")
    system = sistel.load(MODELS / f"{name}.xml")
    with chromium.tab(size=(700, 500), webgl=name == "gyroscope", still=True, kept=True) as tab:
        tab.open(draw_page(system.model, system.simulate(1.2), lang="en"))
        tab.wait("document.documentElement.dataset.ready")
        tab.run("() => sistel.player.setSpeed(0.5)")
        frames = read_film(taken(tab, "film"))
    assert len(frames) >= 3
    assert np.abs(frames[-1] - frames[0]).mean() > 0.2


@pytest.mark.slow
def test_scene_and_paper(chromium: Chromium) -> None:
    system = sistel.load(MODELS / "gyroscope.xml")
    with chromium.tab(size=(900, 600), webgl=True, still=True, kept=True) as tab:
        tab.open(draw_page(system.model, system.simulate(0.2), lang="ru"))
        tab.wait("document.documentElement.dataset.ready")
        assert "<X3D" in taken(tab, "x3d").read_text(encoding="utf-8")
        with Image.open(taken(tab, "png")) as image:
            assert len(image.convert("RGB").getcolors(1 << 24)) > 100
        tab.run(
            "() => { window.print = () => { window.printed = Boolean(document.querySelector('.paper-picture')); }; }"
        )
        tab.page.click("[data-take=print]")
        tab.wait("window.printed")
        tab.wait("!document.querySelector('.paper-picture')")


def test_the_menu_is_one_of_keys_and_languages(planar: Tab) -> None:
    planar.page.focus("[data-id=take]")
    planar.page.keyboard.press("Enter")
    assert planar.run("() => document.activeElement.dataset.take") == "csv"
    planar.page.keyboard.press("ArrowDown")
    assert planar.run("() => document.activeElement.dataset.take") == "png"
    planar.run("() => sistel.setLang('ru')")
    assert planar.run("() => document.querySelector('[data-take=print]').textContent") == "Печать"
    planar.page.keyboard.press("Escape")
    assert planar.run("() => document.querySelector('.take-list').hidden")
    planar.run("() => sistel.setLang('en')")


def test_what_is_short_is_shown_slowly(chromium: Chromium) -> None:
    system = sistel.load(MODELS / "andrews_squeezer.xml")
    with chromium.tab(still=True, kept=True) as tab:
        tab.open(draw_page(system.model, system.simulate(0.05), lang="en"))
        tab.wait("document.documentElement.dataset.ready")
        assert tab.run("() => sistel.player.speed") == 0.01
