"""Pictures of runs: true to a tenth of a pixel, small, well-formed, in both languages."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sistel
from sistel.errors import Language
from sistel.simulation import Run
from sistel.views import draw_run
from sistel.views.charts._curves import Sampler, sample, thin
from sistel.views.charts._panels import INNER, LEFT, apart
from sistel.views.charts._ticks import axis, number
from sistel.views.charts.chart import _hundredths

MODELS = Path(__file__).resolve().parents[3] / "models"
SVG = "{http://www.w3.org/2000/svg}"


@cache
def run_of(name: str, until: float) -> Run:
    return sistel.load(MODELS / f"{name}.xml").simulate(until)


def points(path: str) -> np.ndarray:
    """The places of a broken line in relative coordinates."""
    start, _, moves = path.removeprefix("M").partition("l")
    first = [float(x) for x in re.findall(r"-?\d*\.?\d+", start)]
    rest = np.array([float(x) for x in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", moves)]).reshape(-1, 2)
    return np.cumsum(np.vstack([first, rest]), axis=0)


def curves(picture: ElementTree.Element) -> list[np.ndarray]:
    return [points(path.get("d", "")) for path in picture.iter(f"{SVG}path") if "line" in path.get("class", "").split()]


def words(picture: ElementTree.Element) -> str:
    return " ".join("".join(text.itertext()) for text in picture.iter(f"{SVG}text"))


# --- axes ------------------------------------------------------------------------------------------------------------


@given(
    st.floats(-1e6, 1e6),
    st.floats(1e-6, 1e6),
    st.integers(3, 12),
)
def test_axes_hold_their_values_with_round_numbers(low: float, span: float, count: int) -> None:
    made = axis(low, low + span, count)
    assert made.low <= low and made.high >= low + span
    assert 2 <= len(made.ticks) <= 2 * count + 2 and made.ticks == tuple(sorted(made.ticks))
    mantissa = made.step / 10 ** math.floor(math.log10(made.step) + 1e-9)
    assert min(abs(mantissa - x) for x in (1.0, 2.0, 5.0)) < 1e-9
    assert len(set(made.words())) == len(made.ticks)
    assert all(made.low - 1e-9 * span <= tick <= made.high + 1e-9 * span for tick in made.ticks)


def test_axes_of_what_does_not_change() -> None:
    for value in (0.0, 3.0, -1e-7):
        made = axis(value, value, 4)
        assert made.low < value < made.high and made.ticks
    dust = axis(1.0, 1.0 + 1e-15, 4)
    assert dust.high - dust.low > 0.1
    assert axis(math.nan, math.inf, 4).ticks


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [(0.30000000000000004, 0.1, "0.3"), (-20.0, 20.0, "−20"), (1e-17, 0.5, "0"), (2.5e7, 5e6, "2.5·10⁷"), (3e-6, 1e-6, "3·10⁻⁶")],
)  # fmt: skip
def test_numbers_of_axes(value: float, step: float, text: str) -> None:
    assert number(value, step) == text


# --- curves ----------------------------------------------------------------------------------------------------------


@given(st.integers(0, 2**32 - 1), st.integers(3, 400))
@settings(max_examples=60)
def test_thinned_lines_stay_near_all_their_points(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    x = np.cumsum(rng.exponential(0.7, count))
    y = np.cumsum(rng.normal(0.0, 0.08, count)) + 30 * np.sin(0.05 * x)
    kept = thin(x, y, 0.05)
    assert kept[0] == 0 and kept[-1] == count - 1
    assert np.abs(np.interp(x, x[kept], y[kept]) - y).max() <= 0.05 + 1e-9


def test_straight_lines_have_two_points_and_jumps_stay() -> None:
    x = np.linspace(0.0, 700.0, 1000)
    assert len(thin(x, 3.0 * x + 1.0)) == 2
    stair_x, stair_y = np.array([0.0, 1.0, 2.0, 2.0, 3.0, 4.0]), np.array([0.0, 0.0, 0.0, 9.0, 9.0, 9.0])
    assert thin(stair_x, stair_y).tolist() == [0, 2, 3, 5]


def test_crowds_keep_their_extremes() -> None:
    x, y = np.linspace(0.0, 10.0, 100_001), np.zeros(100_001)
    y[[1234, 60_000]] = 50.0, -70.0
    kept = thin(x, y)
    assert {1234, 60_000} <= set(kept.tolist()) and len(kept) < 40


def between(run: Run, count: int) -> np.ndarray:
    """Many times, none of them near an event, where a jump makes every line steep."""
    times = np.linspace(run.begin, run.end, count)
    events = np.array([event.time for event in run.events])
    if events.size:
        times = times[np.abs(times[:, None] - events).min(axis=1) > 1e-3 * (run.end - run.begin)]
    return times


MOTIONS = [
    ("cart_pole", 10.0), ("compass_walker", 5.0), ("bouncing_ball", 5.0), ("biped_flight", 1.0), ("stick_slip", 3.0)
]  # fmt: skip


@pytest.mark.parametrize(("name", "until"), MOTIONS)
def test_curves_are_true_to_a_tenth_of_a_pixel(name: str, until: float) -> None:
    """Against the run itself at ten times more times than there are pixels."""
    run, height = run_of(name, until), 300.0
    found = sample(Sampler(run), INNER, height)
    times = between(run, 7001)
    q, v = run(times)
    truth = np.column_stack([q, v, *run.energies(times)])
    assert found.y.shape[1] == truth.shape[1]
    for drawn, true in zip(found.y.T, truth.T, strict=True):
        scale = height / max(np.ptp(drawn), 1e-300)
        if np.ptp(drawn) < 1e-9 * max(1.0, np.abs(drawn).max()):
            continue  # a constant is drawn as one
        kept = thin(found.t / until * INNER, drawn * scale)
        assert len(kept) < 1500
        assert np.abs(np.interp(times, found.t[kept], drawn[kept]) - true).max() * scale <= 0.1


@pytest.mark.parametrize("name", ["pendulum", "four_bar", "spinning_top"])
def test_rounding_is_not_followed(name: str) -> None:
    """What nothing takes stays: its curve is rounding alone, and has as many points as the others need."""
    run = run_of(name, 10.0)
    plain, more = sample(Sampler(run), INNER, 300.0), sample(Sampler(run, ["energy()"]), INNER, 300.0)
    assert np.ptp(more.y[:, -1]) < 1e-13 * np.abs(more.y[:, -3:-1]).max()
    assert len(more.t) < 2 * len(plain.t) + 64 * len(run.t)


def test_jumps_within_steps_are_followed() -> None:
    """A quantity that jumps where no step ends: its two sides are less than a pixel apart."""
    run = run_of("pendulum", 10.0)
    found = sample(Sampler(run, ["floor(1000*t/1 s/1717)", "energy()"]), INNER, 300.0)
    jumps = found.t[np.flatnonzero(np.diff(found.y[:, -2]) > 0)]
    ends = found.t[np.flatnonzero(np.diff(found.y[:, -2]) > 0) + 1]
    assert len(jumps) == 5
    assert (ends - jumps).max() < run.end / INNER
    np.testing.assert_allclose(jumps, 1.717 * np.arange(1, 6), atol=2 * run.end / INNER)


@pytest.mark.parametrize(("name", "until"), MOTIONS)
def test_lines_as_written_are_the_curves(name: str, until: float) -> None:
    """A line of the file is a coordinate, a velocity or an energy of the run, but for its scale and its place."""
    run = run_of(name, until)
    picture = ElementTree.fromstring(draw_run(run, lang="en"))
    times = between(run, 997)
    q, v = run(times)
    kinetic, potential = run.energies(times)
    truths = [*q.T, *v.T, kinetic, potential, kinetic + potential]
    lines = curves(picture)
    assert len(lines) == len(truths)
    matched = set()
    for places in lines:
        assert (np.diff(places[:, 0]) >= -1e-9).all()
        assert places[0, 0] == pytest.approx(LEFT, abs=0.01) and places[-1, 0] == pytest.approx(LEFT + INNER, abs=0.01)
        heights = np.interp(LEFT + (times - run.begin) / (run.end - run.begin) * INNER, places[:, 0], places[:, 1])
        misses = []
        for truth in truths:
            unit = np.column_stack([truth, np.ones_like(truth)])
            fitted = unit @ np.linalg.lstsq(unit, heights, rcond=None)[0]
            misses.append(np.abs(fitted - heights).max())
        assert min(misses) <= 0.1
        matched |= {i for i, miss in enumerate(misses) if miss <= 0.1}
    assert matched == set(range(len(truths)))


# --- pictures --------------------------------------------------------------------------------------------------------


def test_events_and_structures_are_marked() -> None:
    run = run_of("compass_walker", 5.0)
    picture = ElementTree.fromstring(draw_run(run, lang="en"))
    lanes = [one for one in picture.iter(f"{SVG}rect") if "lane" in one.get("class", "").split()]
    ends = [0.0, *(event.time for event in run.events), 5.0]
    assert [float(lane.get("x", "")) for lane in lanes] == pytest.approx(
        [LEFT + t / 5 * INNER for t in ends[:-1]], abs=0.01
    )
    widths = [(b - a) / 5 * INNER for a, b in pairwise(ends)]
    assert [float(lane.get("width", "")) for lane in lanes] == pytest.approx(widths, abs=0.02)
    colours = [lane.get("class", "").split()[0] for lane in lanes]
    assert colours[::2] == ["s0"] * 4 and colours[1::2] == ["s1"] * 3
    titles = [title.text or "" for title in picture.iter(f"{SVG}title")]
    assert (
        sum("0.734460621 s: on the left → on the right" in title and "loss 5.5177 J" in title for title in titles) == 1
    )
    assert "on the left" in words(picture) and "impact" in words(picture)


def test_dust_of_impulses_is_no_impact() -> None:
    run = run_of("stick_slip", 3.0)
    assert any(event.impulses for event in run.events)
    picture = ElementTree.fromstring(draw_run(run, lang="en"))
    assert "without impact" in words(picture)
    assert not [one for one in picture.iter(f"{SVG}path") if "hit" in one.get("class", "").split()]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ["Coordinates, °", "Velocities, m/s", "Energy, J", "kinetic", "time, s", "impact", "until 5 s"]),
        ("ru", ["Координаты, °", "Скорости, м/с", "Энергия, Дж", "кинетическая", "время, с", "удар", "до момента 5 с"]),
    ],
)
def test_words(lang: Language, said: list[str]) -> None:
    text = draw_run(run_of("compass_walker", 5.0), lang=lang)
    assert all(word in words(ElementTree.fromstring(text)) for word in said)
    assert (
        "prefers-color-scheme:dark" in text
        and "<script" not in text
        and "http" not in text.replace("http://www.w3.org/2000/svg", "")
    )


def test_quantities_have_panels() -> None:
    text = run_of("compass_walker", 5.0).plot(["reaction(L).n", "counter(on the left)"], lang="en")
    picture = ElementTree.fromstring(text)
    assert {"reaction(L).n", "counter(on the left)"} <= {"".join(t.itertext()) for t in picture.iter(f"{SVG}text")}
    assert len(curves(picture)) == 13
    with pytest.raises(sistel.SistelError, match="fot"):
        run_of("compass_walker", 5.0).plot(["x(left fot)"])


def test_many_coordinates_stayapart() -> None:
    """Of 18 joints no panel has more than six curves, and no two names lie on each other."""
    rods = "".join(f'<body name="rod {i}" joint="revolute" mass="1" com="0,{100 + 10 * i}"/>' for i in range(18))
    start = " ".join(f'rod_{i}="{3 * i}"' for i in range(18)).replace("_", "-")
    run = sistel.parse(f"<system>{rods.replace('rod ', 'rod-')}<start {start}/></system>").simulate(2.0)
    text = draw_run(run, lang="en")
    picture = ElementTree.fromstring(text)
    assert len(curves(picture)) == run.model.nq + run.model.nv + 3
    names = [one for one in picture.iter(f"{SVG}text") if re.search(r"\bc\d\b", one.get("class", ""))]
    heights = sorted(float(one.get("y", "")) for one in names)
    assert len(names) == run.model.nq + run.model.nv + 3
    assert min(np.diff(heights)) >= 12.0  # letters are 12 px high
    assert max(int(one.get("class", "")[-1]) for one in names) < 6


def test_sizes_of_files() -> None:
    assert len(draw_run(run_of("compass_walker", 5.0))) < 60_000
    assert len(draw_run(run_of("bouncing_ball", 5.0))) < 40_000
    # A thousand times as many events do not make a thousand times as large a picture.
    wheel = sistel.load(MODELS / "rimless_wheel.xml").simulate(300.0, tolerance=1e-9)
    assert len(wheel.events) > 300 and len(draw_run(wheel)) < 400_000


def test_runs_without_length() -> None:
    system = sistel.load(MODELS / "cart_pole.xml")
    ElementTree.fromstring(draw_run(system.simulate(0.0), lang="ru"))
    still = sistel.load(MODELS / "pendulum.xml").simulate(1.0, q=[0.0], v=[0.0])
    assert len(curves(ElementTree.fromstring(draw_run(still)))) == 5


def test_runs_without_steps() -> None:
    events = sistel.load(MODELS / "compass_walker.xml").simulate(2.0, keep="events")
    with pytest.raises(sistel.SistelError, match="no steps"):
        draw_run(events)


def test_names_of_strangers_do_no_harm() -> None:
    system = sistel.parse('<system name="&lt;script&gt;&amp;"><body joint="revolute" mass="1" com="0,100"/></system>')
    picture = ElementTree.fromstring(system.simulate(0.1).plot())
    assert "<script>&" in words(picture)
    text = system.simulate(0.1).plot(["1 < 2"])
    assert "1 < 2" in words(ElementTree.fromstring(text))


def test_archives_can_be_drawn(tmp_path: Path) -> None:
    run = run_of("compass_walker", 5.0)
    run.save(tmp_path / "walk.npz")
    assert Run.load(tmp_path / "walk.npz").plot(lang="en") == run.plot(lang="en")
    assert run.plot(lang="en")._repr_svg_() == run.plot(lang="en")  # type: ignore[attr-defined]


@given(st.lists(st.floats(0.0, 100.0), min_size=1, max_size=6))
def test_names_keep_their_order_and_their_distance(wanted: list[float]) -> None:
    places = apart(wanted, 0.0, 100.0)
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    assert all(places[b] - places[a] >= 15.0 - 1e-9 for a, b in pairwise(order))
    assert min(places) >= -1e-9 and max(places) <= 100.0 + 1e-9


@given(st.integers(-(10**6), 10**6))
def test_hundredths(whole: int) -> None:
    assert round(float(_hundredths(whole)) * 100) == whole
