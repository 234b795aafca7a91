"""Runs as moving schemes: where every body is, read from the text of the picture alone, against the run."""

from __future__ import annotations

import math
import random
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.kinematics import poses
from support.smil import SVG, Matrix, attribute_at, matrices, numbers_of

import sistel
from sistel.errors import SistelError
from sistel.markup import Document
from sistel.model import to_document
from sistel.simulation import Event, Run, Segment
from sistel.views.animation import animate_run
from sistel.views.animation._clock import Clock
from sistel.views.animation._keys import fit
from sistel.views.animation._pieces import Pieces, along
from sistel.views.schemes import moving_scheme
from sistel.views.schemes._posture import drawn_coordinates
from sistel.views.schemes._range import clouds, world_places
from sistel.views.schemes._scene import Scene, links

MODELS = Path(__file__).resolve().parents[4] / "models"
HELD = 0.6
"""How long the last posture is shown [s]."""
EXAMPLES = {
    "walker": 1.2,
    "compass_walker": 3.0,
    "hopper": 1.0,
    "bouncing_ball": 4.2,
    "four_bar": 2.0,
    "cart_pole": 2.0,
    "stick_slip": 2.0,
    "woodpecker": 0.4,
    "gripper_load": 2.0,
    "simplest_walker": 6.0,
    "vending_lift": 1.5,
    "andrews_squeezer": 0.02,
}


@cache
def run_of(name: str, until: float) -> Run:
    return sistel.load(MODELS / f"{name}.xml").simulate(until)


@cache
def picture_of(name: str) -> ElementTree.Element:
    return ElementTree.fromstring(animate_run(run_of(name, EXAMPLES[name]), lang="en"))


def places(run: Run, q: np.ndarray) -> dict[str, np.ndarray]:
    """World poses of the bodies, by other code than the package's."""
    own = {body.name: q[body.first_q : body.first_q + body.joint.type.nq] for body in run.model.bodies}
    return poses(Document(to_document(run.model), None, "en"), own)  # type: ignore[arg-type]


def corners_of(run: Run) -> dict[int, list[tuple[float, float]]]:
    """What is drawn of the bodies, in their axes [mm]."""
    scene = Scene(run.model, world_places(run.model, np.array([drawn_coordinates(run.model)])).at(0))
    scene.shapes()
    links(scene)
    return clouds(scene)


def apply(m: Matrix, p: tuple[float, float]) -> tuple[float, float]:
    return (m[0] * p[0] + m[2] * p[1] + m[4], m[1] * p[0] + m[3] * p[1] + m[5])


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_point_of_every_body_is_where_the_run_has_it(name: str) -> None:
    """At random times and around events: within 0.1 px, read from the file."""
    run, picture = run_of(name, EXAMPLES[name]), picture_of(name)
    source, corners = random.Random(name), corners_of(run)
    times = [source.uniform(run.begin, run.end) for _ in range(12)]
    times += [t + d for e in list(run.events)[:6] for t in [e.time] for d in (-1e-3, 1e-5, 1e-3)]
    times += [run.begin, run.end - 1e-9]
    for t in times:
        if not run.begin <= t <= run.end:
            continue
        found, true = matrices(picture, t - run.begin), places(run, run(t)[0])
        ground = found["тело_0"]
        for body in run.model.bodies:
            own, pose = found[f"тело_{body.number}"], true[body.name]
            for x, y in [(0.0, 0.0), *corners[body.number]]:
                px, py = (1e3 * pose[i, 3] + pose[i, 0] * x + pose[i, 1] * y for i in (0, 1))
                assert math.dist(apply(own, (x, y)), apply(ground, (px, py))) <= 0.1, (name, t, body.name)


@pytest.mark.parametrize("name", ["walker", "hopper", "stick_slip", "woodpecker"])
def test_everything_stays_in_the_picture(name: str) -> None:
    run, picture = run_of(name, EXAMPLES[name]), picture_of(name)
    width, height = float(picture.get("width", "")), float(picture.get("height", ""))
    corners = corners_of(run)
    for t in np.linspace(run.begin, run.end, 25):
        found = matrices(picture, float(t) - run.begin)
        for number, points in corners.items():
            for point in points:
                x, y = apply(found[f"тело_{number}"], point)
                assert 0 < x < width and 36 < y < height - 40


def test_sizes() -> None:
    """Ten seconds of the walker of the papers."""
    run = sistel.load(MODELS / "walker.xml").simulate(10.0)
    text = animate_run(run, lang="en")
    assert len(text.encode()) < 110_000
    # The system goes away; the camera follows its trunk, which stays where it is along the ground.
    picture = ElementTree.fromstring(text)
    seen = [matrices(picture, t)["тело_1"][4] for t in (0.1, 3.3, 9.7)]
    assert max(seen) - min(seen) < 1e-3 and run(9.7)[0][0] - run(0.1)[0][0] > 2.0
    ground = [matrices(picture, t)["тело_0"][4] for t in (0.1, 9.7)]
    scale = matrices(picture, 0.0)["тело_0"][0]
    assert ground[0] - ground[1] == pytest.approx(1e3 * scale * (run(9.7)[0][0] - run(0.1)[0][0]), abs=0.1)


# --- keys ------------------------------------------------------------------------------------------------------------


def jumping(seed: int) -> Run:
    """A run of a pendulum that never was: polynomials of high degree, with jumps between them."""
    source = np.random.default_rng(seed)
    model = sistel.load(MODELS / "pendulum.xml").model
    segments, events, t = [], [], 0.0
    for number in range(4):
        steps = int(source.integers(1, 4))
        lengths = source.uniform(0.05, 0.6, steps)
        times = np.stack([t + np.concatenate([[0.0], np.cumsum(lengths)[:-1]]), lengths], axis=1)
        coefficients = source.normal(0.0, 2.0, (steps, model.state_size, 15)) / np.arange(1, 16) ** 1.5
        for i in range(1, steps):  # within a stay nothing jumps
            coefficients[i, :, 0] = np.polyval(coefficients[i - 1].T[::-1], lengths[i - 1])
        segments.append(Segment(structure="only", times=times, coefficients=coefficients))
        t += float(lengths.sum())
        if number < 3:
            after = {"before": "only", "after": "only", "energy_loss": 0.0, "impulses": {}}
            events.append(Event(time=float(times[-1].sum()), transition="", **after))  # type: ignore[arg-type]
            t = float(times[-1].sum())
    last = np.polyval(segments[-1].coefficients[-1].T[::-1], segments[-1].times[-1, 1])
    last[-1] = t
    return Run(model, segments, events, last, None)


@pytest.mark.parametrize("seed", range(12))
def test_keys_of_any_polynomials(seed: int) -> None:
    """Steps of degree 14 with jumps between stays: the bound holds everywhere, and the ends of stays are exact."""
    run = jumping(seed)
    clock, bound = Clock(run.begin, run.end, 1.0), 0.01
    gain = 180 / math.pi
    pieces = along(run, {0: gain}, 3.0, 0.01 * bound)
    keys = fit(pieces, clock, bound, 3)
    assert len(pieces.jumps) == 3
    assert [key.share for key in keys] == sorted(key.share for key in keys)
    worst = 0.0
    for a, b in pairwise(keys):
        if a.ease is None:
            # Both sides of a jump, to the last digit that is written.
            assert a.share == b.share
            t = min(pieces.jumps, key=lambda x: abs(x - clock.time(a.share)))
            before = next(segment for segment in run.segments if abs(segment.end - t) < 1e-12)
            left = gain * float(np.polyval(before.coefficients[-1, 0, ::-1], before.times[-1, 1])) + 3.0
            assert abs(a.value - left) <= 5.1e-4 and abs(b.value - (gain * run(t)[0][0] + 3.0)) <= 5.1e-4
            continue
        for s in (0.03, 0.21, 0.4, 0.55, 0.76, 0.97):
            height = 3 * s * (1 - s) ** 2 * a.ease[0] + 3 * s * s * (1 - s) * a.ease[1] + s**3
            t = clock.time(a.share + s * (b.share - a.share))
            if any(abs(t - jump) < 1e-8 for jump in pieces.jumps):
                continue
            off = abs(a.value + (b.value - a.value) * height - 3.0 - gain * float(run(t)[0][0]))
            worst = max(worst, off)
    # Not only below the bound, but near it: keys are few.
    assert 0.1 * bound < worst <= bound


def test_bound_of_a_difference() -> None:
    """What is said of the distance between two functions is never too little, and not much too much."""
    source = np.random.default_rng(4)
    for _ in range(50):
        c = source.normal(size=(3, 6))
        begin, length = np.array([0.0, 0.4, 1.0]), np.array([0.4, 0.6, 0.7])
        pieces = Pieces(begin, length, c, np.zeros(3), (), ())
        a, b = sorted(source.uniform(0.0, 1.7, 2))
        cubic = tuple(source.normal(size=4))
        t = np.linspace(a, b, 2001)[1:-1]
        place = np.searchsorted(begin, t, side="right") - 1
        true = sum(c[place, k] * (t - begin[place]) ** k for k in range(6))
        s = (t - a) / (b - a)
        off = np.abs(true - sum(cubic[k] * s**k for k in range(4))).max()
        found = pieces.distance(a, b, cubic)  # type: ignore[arg-type]
        assert off <= found + 1e-12 and found <= 3 * off + 1e-9


# --- the rest of the picture -------------------------------------------------------------------------------------------


def test_springs() -> None:
    """The ends of a spring, and all of its corners, between the wall and the block."""
    run, picture = run_of("stick_slip", EXAMPLES["stick_slip"]), picture_of("stick_slip")
    (spring,) = [each for each in picture.iter(f"{SVG}path") if each.get("id") == "пружина_1"]
    scale = matrices(picture, 0.0)["тело_0"][0]
    (declared,) = run.model.springs
    for t in (0.0, 0.31, 0.9, 1.333, 1.99):
        found = attribute_at(spring, "d", t)
        assert not isinstance(found, str) and len(found) == 30
        true = places(run, run(t)[0])
        names = {0: np.eye(4), **{body.number: true[body.name] for body in run.model.bodies}}
        for side, place in ((declared.first, 0), (declared.second, -2)):
            at = 1e3 * (names[side.body] @ [*side.p_BS, 1.0])[:2]
            assert math.dist(found[place:][:2], at) * scale <= 0.1
        corners = np.array(found).reshape(-1, 2)
        steps = np.diff(corners[1:-1, 0])
        assert steps == pytest.approx(steps.mean(), abs=0.2 / scale)


def test_structures_and_time_are_told() -> None:
    run, picture = run_of("compass_walker", EXAMPLES["compass_walker"]), picture_of("compass_walker")
    said = [g for g in picture.iter(f"{SVG}g") if g.find(f"{SVG}text[@class='said']") is not None]
    for t in (0.2, run.events[0].time - 1e-6, run.events[0].time + 1e-6, 1.6, 2.9):
        seen = [g.find(f"{SVG}text").text for g in said if attribute_at(g, "visibility", t) == "visible"]  # type: ignore[union-attr]
        assert seen == [str(run.structure_at(t))]
        digits = ""
        for window in picture.findall(f"{SVG}g[@clip-path='url(#цифра)']"):
            (strip,) = window
            lift = matrices_of_strip(strip, t)
            digits = (
                next((e.text or "" for e in strip.findall(f"{SVG}text") if float(e.get("y", "")) + lift == 14), "")
                + digits
            )
        assert int(digits) == math.floor(10 * t + 1e-4)
    # A ring at the foot that strikes, at the moment at which it does.
    first, (struck,) = run.events[0].time, run.events[0].impulses
    contact = next(c for c in run.model.contacts if c.name == struck)
    (body,) = [g for g in picture.iter(f"{SVG}g") if g.get("id") == f"тело_{contact.body}"]
    (place,) = [g for g in body if g.find(f"{SVG}circle[@class='flash']") is not None]
    assert numbers_of(place.get("transform", "")) == pytest.approx([1e3 * x for x in contact.p_BP[:2]], abs=1e-3)
    seen_at = [attribute_at(place[0], "opacity", first + d)[0] for d in (-1e-3, 1e-3, 0.2, 0.5)]
    assert seen_at[0] == seen_at[3] == 0.0 and seen_at[1] > 0.8 > seen_at[2] > 0.3  # type: ignore[operator]


def matrices_of_strip(strip: ElementTree.Element, t: float) -> float:
    animation = strip.find(f"{SVG}animateTransform")
    if animation is None:
        return numbers_of(strip.get("transform", "0,0"))[1]
    from support.smil import value_at

    value = value_at(animation, t)
    assert not isinstance(value, str)
    return value[1]


def test_links_that_break() -> None:
    """The symbol of a link is seen while the link holds."""
    system = sistel.load(MODELS / "geneva.xml")
    run = system.simulate(2.0)
    picture = ElementTree.fromstring(animate_run(run))
    (mark,) = [e for e in picture.iter(f"{SVG}path") if e.get("id", "").startswith("связь_")]
    for t in np.linspace(0.01, 1.99, 40):
        held = "slot" in system.structure(str(run.structure_at(t))).holds
        assert attribute_at(mark, "visibility", float(t)) == ("visible" if held else "hidden")


def test_trails() -> None:
    run = run_of("four_bar", EXAMPLES["four_bar"])
    picture = ElementTree.fromstring(animate_run(run, trails=["coupler"]))
    way = next(e for e in picture.iter(f"{SVG}path") if e.get("class") == "trail")
    line = np.array(numbers_of(way.get("d", ""))).reshape(-1, 2)
    scale = matrices(picture, 0.0)["тело_0"][0]
    for t in np.linspace(run.begin, run.end, 60):
        at = 1e3 * places(run, run(t)[0])["coupler"][:2, 3]
        a, b = line[:-1], line[1:]
        share = np.clip(((at - a) * (b - a)).sum(1) / ((b - a) ** 2).sum(1), 0.0, 1.0)
        assert np.linalg.norm(at - a - share[:, None] * (b - a), axis=1).min() * scale <= 0.3
    drawn = next(e for e in picture.iter(f"{SVG}path") if "drawn" in e.get("class", ""))
    left = [attribute_at(drawn, "stroke-dashoffset", t)[0] for t in (0.0, 0.5, 1.0, 1.9999)]
    assert left[0] == 1.0 and left == sorted(left, reverse=True) and left[-1] == pytest.approx(0.0, abs=1e-3)  # type: ignore[type-var]
    with pytest.raises(SistelError, match="coupler"):
        animate_run(run, trails=["couple"])


def test_css_says_the_same() -> None:
    """The keyframes of CSS stand at the same times, with the same values and easings."""
    run = run_of("cart_pole", EXAMPLES["cart_pole"])
    smil, css = (ElementTree.fromstring(animate_run(run, style=style, lang="en")) for style in ("smil", "css"))  # type: ignore[arg-type]
    assert not [e for e in css.iter() if "animate" in e.tag]
    sheet = next(css.iter(f"{SVG}style")).text or ""
    for number in (1, 2):
        (group,) = [e for e in css.iter(f"{SVG}g") if e.get("id") == f"тело_{number}"]
        (twin,) = [e for e in smil.iter(f"{SVG}g") if e.get("id") == f"тело_{number}"]
        name = re.fullmatch(r"animation-name:(.+)", group.get("style", ""))
        assert name and "moves" in group.get("class", "").split()
        body = sheet.split(f"@keyframes {name[1]}{{")[1].split("}\n")[0]
        rules = re.findall(
            r"([\d.]+)%\{transform:\w+\(([^)]*)\)(?:;animation-timing-function:cubic-bezier\(([^)]*)\))?\}", body
        )
        animation = twin.find(f"{SVG}animateTransform")
        assert animation is not None
        shares = [float(x) for x in animation.get("keyTimes", "").split(";")]
        assert [float(rule[0]) / 100 for rule in rules] == pytest.approx(shares, abs=1e-9)
        values = [numbers_of(x) for x in animation.get("values", "").split(";")]
        assert [numbers_of(rule[1]) for rule in rules] == values
        splines = [numbers_of(x) for x in animation.get("keySplines", "").split(";")]
        assert [numbers_of(rule[2]) for rule in rules][:-1] == splines


def test_speed() -> None:
    run = run_of("cart_pole", EXAMPLES["cart_pole"])
    slow = ElementTree.fromstring(animate_run(run, speed=0.25))
    usual = picture_of("cart_pole")
    for t in (0.1, 0.7, 1.9):
        a, b = matrices(slow, 4 * t), matrices(usual, t)
        assert apply(a["тело_2"], (0.0, 500.0)) == pytest.approx(apply(b["тело_2"], (0.0, 500.0)), abs=0.2)
    dur = {e.get("dur") for e in slow.iter() if e.get("dur")}
    assert dur == {f"{4 * (run.end - run.begin) + HELD:g}s"}
    for wrong in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(SistelError, match="speed"):
            animate_run(run, speed=wrong)


# --- files, strangers, what cannot be ------------------------------------------------------------------------------------


def test_files(tmp_path: Path) -> None:
    run = run_of("cart_pole", EXAMPLES["cart_pole"])
    run.save(tmp_path / "cart.svg", lang="ru")
    text = (tmp_path / "cart.svg").read_text(encoding="utf-8")
    assert text == animate_run(run, lang="ru") and "<script" not in text
    assert ">c<" in text.replace("с", "c") and animate_run(run, lang="en") != text
    with pytest.raises(SistelError) as problem:
        run.save(tmp_path / "other.svg", quantities=["energy()"])
    assert "run.plot()" in problem.value.render("en") if hasattr(problem.value, "render") else str(problem.value)
    assert not (tmp_path / "other.svg").exists()


def test_names_of_strangers_do_no_harm() -> None:
    evil = "&lt;script&gt;alert(1)&lt;/script&gt;\"']]&gt;" + "я" * 3000 + "\u202e"
    system = sistel.parse(
        f"""<system name="{evil.replace('"', "&quot;")}"><body name="a-b.c/d" joint="revolute" mass="1" com="0,100"/>
        </system>"""
    )
    run = system.simulate(0.3)
    for labels in ("none", "numbers", "names"):
        text = animate_run(run, labels=labels)  # type: ignore[arg-type]
        picture = ElementTree.fromstring(text)
        assert not [e for e in picture.iter() if e.tag.endswith(("script", "foreignObject"))]
        assert "<script" not in text
        shown = [e.text or "" for e in picture.iter(f"{SVG}text")]
        assert all(len(word) < 100 for word in shown)
        identifiers = [e.get("id") for e in picture.iter() if e.get("id")]
        assert len(set(identifiers)) == len(identifiers)


def test_runs_without_motion() -> None:
    run = sistel.load(MODELS / "cart_pole.xml").simulate(0.0)
    picture = ElementTree.fromstring(animate_run(run))
    assert not [e for e in picture.iter() if "animateTransform" in e.tag and e.get("type") == "rotate"]
    lean = sistel.load(MODELS / "compass_walker.xml").simulate(3.0, keep="events")
    with pytest.raises(SistelError, match="keep"):
        animate_run(lean)


def test_labels_stand_upright() -> None:
    run = run_of("four_bar", EXAMPLES["four_bar"])
    picture = ElementTree.fromstring(animate_run(run, labels="numbers"))
    for t in (0.0, 0.4, 1.1, 1.7):
        found = matrices(picture, t)
        for number in (1, 2, 3):
            a, b = found[f"надпись_{number}"][:2]
            assert abs(math.degrees(math.atan2(b, a))) <= 0.6
            at = found[f"надпись_{number}"][4:]
            body = found[f"тело_{number}"]
            scheme = moving_scheme(run.model, run.q)
            assert scheme is not None
            assert math.dist(at, apply(body, next(x.at for x in scheme.labels if x.body == number))) < 200


def test_spatial_systems() -> None:
    """Links in isometric projection, by the text of the picture: within 0.1 px at random times."""
    run = run_of("flyball_governor", 0.6)
    picture = ElementTree.fromstring(animate_run(run, trails=[run.model.bodies[-1].name]))
    scheme = moving_scheme(run.model, run.q)
    assert scheme.space is not None
    paths = {e.get("id"): e for e in picture.iter(f"{SVG}path")}
    scale = next(float(numbers_of(g.get("transform", ""))[0]) for g in picture.iter(f"{SVG}g") if g.get("clip-path"))
    source, looked_at = random.Random(5), 0
    for t in (source.uniform(run.begin, run.end) for _ in range(12)):
        true = places(run, run(t)[0])
        world = {0: np.eye(4), **{body.number: true[body.name] for body in run.model.bodies}}
        for number, figure in enumerate(scheme.space.figures, 1):
            if figure.kind != "line" or not any(body for body, _ in figure.points):
                continue
            found = np.array(attribute_at(paths[f"фигура_{number}"], "d", t)).reshape(-1, 2)
            for (body, p), corner in zip(figure.points, found, strict=True):
                x, y, z = 1e3 * world[body][:3, 3] + world[body][:3, :3] @ p
                at = (math.sqrt(3) / 2 * (y - x), (x + y) / 2 - z)
                assert math.dist(at, corner) * scale <= 0.1
                looked_at += 1
    assert looked_at > 50
