"""The page of every model of the gallery: it opens without a word, asks for nothing, and shows what the run has."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium
from support.thorough import cases

import sistel
from sistel.simulation import Run, RunError
from sistel.system import System
from sistel.views.page import draw_page

MODELS = Path(__file__).resolve().parents[2] / "models"
UNTIL = {"andrews_squeezer": 0.03, "balls_in_a_box": 0.3, "boxes_on_boxes": 0.2, "dominoes": 0.1}
"""How long models run [s]; the others 0.8. The mechanism is over after 0.03 s, as the published problem has it; in piles one
contact follows the other, and a page tells of all of them."""
IN_SCENES = (
    *("arm5", "bicycle", "boxes_on_boxes", "bricard", "delta", "free_body", "gyroscope", "hexapod_leg", "hover"),
    *("mr_cylindrical", "slider_crank_spatial", "tracked_vehicle"),
)
"""Models in space whose scene is drawn, which takes three seconds of a processor each: joints, shapes and grounds of all
kinds. The others are looked at without WebGL, where the page computes the same poses; all where `SISTEL_THOROUGH=1` asks."""
PLANAR, SPATIAL = 350_000, 900_000
"""Limits of the pages [bytes]."""
FLAT = """() => {
  const camera = document.querySelector('[id="s-камера"]').getCTM().inverse();
  return sistel.data.bodies.map(({ number }) => {
    const { a, b, e, f } = camera.multiply(document.querySelector(`[id="s-тело_${number}"]`).getCTM());
    return [e / 1e3, f / 1e3, Math.atan2(b, a)];
  });
}"""
FIELDS = "() => sistel.data.scene.transforms.map((name) => sistelScene.fields(name))"


def moved(system: System, until: float) -> Run | None:
    """A short run; what there is of it where it ends early, None where nothing can move."""
    try:
        return system.simulate(until)
    except RunError as problem:
        return problem.run if problem.run.segments else None
    except sistel.SistelError:
        return None


def turned(axis_angle: Any) -> np.ndarray:
    x, y, z, angle = axis_angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def seen(tab: Any, system: System, known: np.ndarray, webgl: bool) -> np.ndarray:
    """The poses of the bodies as the browser shows them, shape (bodies, 4, 4); those that are part of others, known."""
    own = [np.eye(4), *known]
    if system.planar:
        made = []
        for x, y, angle in tab.run(FLAT):
            X = np.eye(4)
            X[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
            X[:2, 3] = x, y
            made.append(X)
        return np.array(made)
    if not webgl:
        rows = np.reshape(tab.run("() => [...sistel.poses]"), (-1, 3, 4))[1:]
        return np.concatenate([rows, np.broadcast_to([[[0.0, 0.0, 0.0, 1.0]]], (len(rows), 1, 4))], axis=1)
    found = [np.eye(4)]
    places = tab.run("() => sistel.data.scene.places")
    for body, place, fields in zip(system.model.bodies, places, tab.run(FIELDS), strict=True):
        if place is None:
            found.append(found[body.base] @ np.linalg.inv(own[body.base]) @ own[body.number])
            continue
        joint, X = np.eye(4), np.eye(4)
        joint[:3] = np.reshape(place, (3, 4))
        X[:3, :3], X[:3, 3] = turned(fields["rotation"]), fields["translation"]
        found.append(found[body.base] @ joint @ X)
    return np.array(found[1:])


@pytest.mark.parametrize("name", sorted(path.stem for path in MODELS.glob("*.xml")))
def test_a_page_shows_what_the_run_has(chromium: Chromium, name: str) -> None:
    look(chromium, name)


@pytest.mark.parametrize("name", ["four_bar", "arm5"])
def test_so_it_does_in_the_browser_that_people_have(chromium: Chromium, name: str) -> None:
    look(chromium, name, complete=True)


def look(chromium: Chromium, name: str, complete: bool = False) -> None:
    """Compares what is seen at three moments with what Python knows."""
    system = sistel.load(MODELS / f"{name}.xml")
    run = moved(system, UNTIL.get(name, 0.8))
    # Equations of motion for a page take long to derive where there are many; their own tests have some of those.
    few = system.nv <= 9
    page = draw_page(system.model, run, lang="ru" if len(name) % 2 else "en", live=few, equations=few)
    assert len(page.encode()) < (PLANAR if system.planar else SPATIAL)
    # Scenes are drawn by the processor here: small ones take a part of the time.
    webgl = not system.planar and (name in IN_SCENES or bool(cases(0, 1)))
    size_of_tab = (420, 300) if webgl else (1000, 700)
    with chromium.tab(size=size_of_tab, webgl=webgl, still=True, kept=not complete, complete=complete) as tab:
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        if webgl:
            tab.wait("globalThis.sistelScene")
        if run is None:
            q = np.array(tab.run("() => [...sistel.now.q]"))
            states = [(None, q)]
        else:
            begin, end = run.begin, run.end
            states = [(t, run(t)[0]) for t in (begin + part * (end - begin) for part in (0.0, 0.37, 1.0))]
        frames = [f"pose:{body.name}" for body in system.model.bodies]  # in one program: one to compile
        expected = np.array([system.compute(q, want=frames) for _, q in states])
        size = max(float(np.ptp(expected[..., :3, 3].reshape(-1, 3), axis=0).max()), 0.05)
        for (t, _), poses in zip(states, expected, strict=True):
            if t is not None:
                tab.run("(t) => sistel.seek(t)", t)
            off = seen(tab, system, expected[0], webgl) - poses
            assert np.abs(off[:, :3, 3]).max() < 1e-3 * size and np.abs(off[:, :3, :3]).max() < 2e-3
