"""Moving schemes in a real browser: SMIL, CSS, and the schemes that pages move themselves."""

from __future__ import annotations

import io
import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab, firefox_screenshot
from support.javascript import module_text
from support.kinematics import poses

import sistel
from sistel.markup import Document
from sistel.model import Model, to_document
from sistel.simulation import Run
from sistel.views.animation import animate_run
from sistel.views.schemes import moving_scheme

MODELS = Path(__file__).resolve().parents[2] / "models"
PAUSE = """(t) => {
    const picture = document.querySelector("svg");
    picture.pauseAnimations();
    picture.setCurrentTime(t);
    for (const animation of document.getAnimations()) { animation.pause(); animation.currentTime = 1000 * t; }
}"""
FRAMES = """() => Object.fromEntries([...document.querySelectorAll('[id*="тело_"]')].map((group) => {
    const m = group.getScreenCTM();
    return [group.id.split("_").pop(), [m.a, m.b, m.c, m.d, m.e, m.f]];
}))"""


@cache
def run_of(name: str, until: float) -> Run:
    return sistel.load(MODELS / f"{name}.xml").simulate(until)


def places(model: Model, q: Any) -> dict[int, Any]:
    """World poses of the bodies by number, by other code than the package's."""
    own = {body.name: q[body.first_q : body.first_q + body.joint.type.nq] for body in model.bodies}
    found = poses(Document(to_document(model), None, "en"), own)  # type: ignore[arg-type]
    return {0: np.eye(4), **{body.number: found[body.name] for body in model.bodies}}


def check_frames(tab: Tab, model: Model, q: Any, bound: float) -> None:
    """Every body is where it should be, relative to the ground [px]; points up to 300 mm from its pole."""
    frames, true = tab.run(FRAMES), places(model, q)
    a, b, c, d, e, f = frames["0"]
    for body in model.bodies:
        m, pose = frames[str(body.number)], true[body.number]
        for x, y in ((0.0, 0.0), (300.0, 0.0), (0.0, 300.0)):
            reach = max((math.hypot(*p.p_BP[:2]) for p in model.points if p.body == body.number), default=0.0)
            if math.hypot(x, y) > 1e3 * reach:
                continue
            px, py = (1e3 * pose[i, 3] + pose[i, 0] * x + pose[i, 1] * y for i in (0, 1))
            seen = (m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])
            assert math.dist(seen, (a * px + c * py + e, b * px + d * py + f)) <= bound


@pytest.mark.parametrize("style", ["smil", "css"])
@pytest.mark.parametrize(("name", "until"), [("compass_walker", 3.0), ("bouncing_ball", 2.0), ("stick_slip", 2.0)])
def test_bodies_are_where_the_run_has_them(
    chromium: Chromium, tmp_path: Path, name: str, until: float, style: Any
) -> None:
    run = run_of(name, until)
    file = tmp_path / "run.svg"
    file.write_text(animate_run(run, style=style, lang="en"), encoding="utf-8")
    with chromium.tab(size=(660, 560)) as tab:
        tab.open(file)
        for t in (0.0, 0.31, 0.777, 1.5, 0.98 * until):
            tab.run(PAUSE, t)
            # Besides the 0.1 px of the keys, single precision of the browser.
            check_frames(tab, run.model, run(t)[0], 0.105)


def grey(picture: bytes) -> Any:
    from PIL import Image as image

    return np.asarray(image.open(io.BytesIO(picture)).convert("L"), dtype=float)


@pytest.mark.parametrize("style", ["smil", "css"])
def test_it_moves_inside_an_image(chromium: Chromium, tmp_path: Path, style: Any) -> None:
    """Two screenshots of <img>: by its own cursor each tells its time, and equals the picture paused at that time."""
    run = run_of("cart_pole", 3.0)
    file, size = tmp_path / "run.svg", (660, 560)
    file.write_text(animate_run(run, style=style, lang="en", theme="light"), encoding="utf-8")
    with chromium.tab(size=size) as tab:
        tab.open(f'<!doctype html><style>body{{margin:0}}</style><img src="{file.as_uri()}">')
        tab.wait("document.images[0].complete")
        shown = []
        for _ in range(2):
            shown.append(grey(tab.picture()))
            tab.page.wait_for_timeout(700)
    with chromium.tab(size=size) as tab:
        tab.open(file)
        width, height = (
            float(tab.run(f"document.documentElement.getAttribute('{side}')")) for side in ("width", "height")
        )
        times = []
        for picture in shown:
            # The foot of the cursor stands just below the timeline.
            row = picture[round(height - 44 + 16 + 8)]
            dark = np.flatnonzero(row[: int(width)] < 70)
            assert 2 <= len(dark) <= 12
            t = (dark.mean() + 0.5 - 16) / (width - 32) * (run.end - run.begin)
            times.append(t)
            best = math.inf
            for guess in t + np.linspace(-0.02, 0.02, 21):  # the cursor tells the time to a pixel, 5 ms
                tab.run(PAUSE, float(np.clip(guess, run.begin, run.end)))
                best = min(best, float(np.abs(grey(tab.picture()) - picture).mean()))
            assert best < 0.25
        assert abs(times[1] - times[0]) > 0.2
        assert np.abs(shown[0] - shown[1]).mean() > 0.5


@pytest.mark.parametrize("name", ["walker", "stick_slip", "geneva", "four_bar"])
def test_pages_move_schemes_themselves(chromium: Chromium, name: str) -> None:
    """`moveScheme` puts groups, springs, labels and the camera where the poses say; two schemes do not disturb each other."""
    system = sistel.load(MODELS / f"{name}.xml")
    model = system.model
    source = np.random.default_rng(3)
    start = np.array(moving_start(system))
    states = [start, *(start + source.uniform(-0.4, 0.4, model.nq) for _ in range(4))]
    scheme, other = (moving_scheme(model, states, prefix=prefix) for prefix in ("a-", "b-"))
    script = module_text("scheme/moving.ts")
    page = f"""<!doctype html><meta charset="utf-8"><style>body{{margin:0}}svg{{width:600px;height:400px}}</style>
        <div id="one">{scheme.svg}</div><div id="two">{other.svg}</div>
        <script type="module">{script}
        window.description = {json.dumps(scheme.description)};
        window.move = (poses, structure) => moveScheme(document.querySelector("#one svg"), description, poses, structure);
        window.ready = true;</script>"""
    with chromium.tab(size=(660, 860)) as tab:
        tab.open(page)
        tab.wait("window.ready")
        ids = tab.run("[...document.querySelectorAll('[id]')].map((element) => element.id)")
        assert len(set(ids)) == len(ids)
        still = tab.run("document.querySelector('#two').innerHTML")
        for q in states:
            true = places(model, q)
            flat = [float(x) for number in range(len(true)) for x in true[number][:3].ravel()]
            tab.run("([poses, structure]) => move(poses, structure)", [flat, model.structures[0].name])
            frames = tab.run(FRAMES.replace('[id*="тело_"]', '#one [id*="тело_"]'))
            a, b, c, d, e, f = frames["0"]
            for body in model.bodies:
                pose, m = true[body.number], frames[str(body.number)]
                for x, y in ((0.0, 0.0), (100.0, 0.0), (0.0, 100.0)):
                    px, py = (1e3 * pose[i, 3] + pose[i, 0] * x + pose[i, 1] * y for i in (0, 1))
                    seen = (m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])
                    assert math.dist(seen, (a * px + c * py + e, b * px + d * py + f)) < 1e-2
            check_extras(tab, scheme, true)
            if scheme.follow:
                box = tab.run(
                    "(() => { const b = document.querySelector('#one svg').getBoundingClientRect(); return b.left; })()"
                )
                home = [frames[str(scheme.follows)][4] - box]
                assert home[0] == pytest.approx(tab.run("window.home ??= " + str(home[0])), abs=0.05)
        assert tab.run("document.querySelector('#two').innerHTML") == still


def moving_start(system: sistel.System) -> Any:
    from sistel.views.schemes._posture import drawn_coordinates

    return drawn_coordinates(system.model)


def check_extras(tab: Tab, scheme: Any, true: dict[int, Any]) -> None:
    """Ends of springs, and places of labels."""
    for spring in scheme.springs:
        d = tab.run(f"document.getElementById('{spring.id}').getAttribute('d')")
        corners = [tuple(map(float, pair.split(","))) for pair in d.removeprefix("M").split("L")]
        for (body, point), corner in zip(spring.ends, (corners[0], corners[-1]), strict=True):
            at = 1e3 * true[body][:2, 3] + true[body][:2, :2] @ point
            assert math.dist(at, corner) < 1e-3
    for label in scheme.labels:
        text = tab.run(f"document.getElementById('a-надпись_{label.body}').getAttribute('transform')")
        found = [float(x) for x in text.removeprefix("translate(").removesuffix(")").split(",")]
        at = 1e3 * true[label.body][:2, 3] + true[label.body][:2, :2] @ label.at + label.shift
        assert math.dist(at, found) < 1e-3


def test_spatial_schemes(chromium: Chromium, tmp_path: Path) -> None:
    """The arm in isometric projection: links by the text of paths, in the film and in the page alike."""
    run = run_of("puma560", 1.0)
    model = run.model
    scheme = moving_scheme(model, run.q, prefix="p")
    assert scheme.space is not None
    lines = [(n, f) for n, f in enumerate(scheme.space.figures, 1) if f.kind == "line" and any(b for b, _ in f.points)]
    assert len(lines) >= 4
    film = tmp_path / "run.svg"
    film.write_text(animate_run(run, lang="en"), encoding="utf-8")
    script = module_text("scheme/moving.ts")
    page = f"""<!doctype html><meta charset="utf-8"><div>{scheme.svg}</div><script type="module">{script}
        window.description = {json.dumps(scheme.description)};
        window.move = (poses) => moveScheme(document.querySelector("svg"), description, poses);
        window.ready = true;</script>"""

    def expected(figure: Any, q: Any) -> list[tuple[float, float]]:
        true, made = places(model, q), []
        for body, p in figure.points:
            x, y, z = 1e3 * true[body][:3, 3] + true[body][:3, :3] @ p
            made.append((math.sqrt(3) / 2 * (y - x), (x + y) / 2 - z))
        return made

    with chromium.tab() as tab:
        tab.open(page)
        tab.wait("window.ready")
        for t in (0.0, 0.4, 0.99):
            true = places(model, run(t)[0])
            tab.run("(poses) => move(poses)", [float(x) for n in range(len(true)) for x in true[n][:3].ravel()])
            for number, figure in lines:
                d = tab.run(f"document.getElementById('pфигура_{number}').getAttribute('d')")
                corners = [tuple(map(float, pair.split(","))) for pair in d.removeprefix("M").split("L")]
                assert np.array(corners) == pytest.approx(np.array(expected(figure, run(t)[0])), abs=1e-3)
    with chromium.tab() as tab:
        tab.open(film)
        for t in (0.0, 0.13, 0.5, 0.77, 0.99):
            tab.run(PAUSE, t)
            for number, figure in lines:
                # The box of a line is that of its two ends; a link has no marks.
                box = tab.run(
                    f"(() => {{ const e = document.getElementById('фигура_{number}'), b = e.getBBox(), m = e.getScreenCTM();"
                    "return [b.x, b.y, b.x + b.width, b.y + b.height, m.a]; })()"
                )
                (x1, y1), (x2, y2) = expected(figure, run(t)[0])
                true_box = [min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)]
                assert np.abs(np.array(box[:4]) - true_box).max() * box[4] <= 0.11


@pytest.mark.parametrize("style", ["smil", "css"])
def test_firefox(tmp_path: Path, style: Any) -> None:
    """The page compares the places of bodies with those of the run itself, and is green where they agree."""
    run, t = run_of("compass_walker", 3.0), 1.3
    picture = animate_run(run, style=style, lang="en")
    true = places(run.model, run(t)[0])
    expected = {n: [*(1e3 * pose[:2, 3]), pose[0, 0], pose[1, 0]] for n, pose in true.items() if n}
    page = tmp_path / "page.html"
    page.write_text(
        f"""<!doctype html><meta charset="utf-8"><style>body{{margin:0}}</style>{picture[picture.index("<svg") :]}
        <script>addEventListener("load", () => {{
        ({PAUSE})({t});
        const found = ({FRAMES})(), [a, , , , e, f] = found["0"];
        let worst = 0;
        for (const [number, [x, y, c, s]] of Object.entries({json.dumps(expected)})) {{
            const m = found[number];
            worst = Math.max(worst, Math.hypot(m[4] - a * x - e, m[5] - a * y - f), 200 * a * Math.hypot(m[0] / a - c, m[1] / a - s));
        }}
        document.body.textContent = worst;
        document.body.style.background = worst <= 0.105 ? "#00ff00" : "#ff0000";
        }});</script>""",
        encoding="utf-8",
    )
    from PIL import Image as image

    seen = image.open(firefox_screenshot(page, tmp_path / "seen.png", (300, 200))).convert("RGB")
    assert seen.getpixel((150, 100)) == (0, 255, 0)
