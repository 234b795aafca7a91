"""Pages as files: who writes them, what stands in them, and what is refused."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

import sistel
from sistel.views.page import draw_page
from sistel.views.page._packed import unpacked

BALL = """<system name="ball &lt;1&gt;"><parameter name="m" value="1 kg"/><body name="b" joint="prismatic" axis="y" mass="m"/>
</system>"""


def block(page: str, name: str) -> bytes:
    found = re.search(rf'<script type="text/plain" data-packed="{name}">([^<]*)</script>', page)
    assert found is not None
    return unpacked(found.group(1))


def payload(page: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(block(page, "payload"))
    return data


def test_runs_and_systems_save_themselves(tmp_path: Path) -> None:
    system = sistel.parse(BALL)
    run = system.simulate(0.5)
    run.save(tmp_path / "run.html", lang="ru", quantities=["energy()"])
    system.save(tmp_path / "system.html")
    moving, still = ((tmp_path / f"{name}.html").read_text(encoding="utf-8") for name in ("run", "system"))
    assert moving.startswith("<!doctype html>") and '<html lang="ru">' in moving
    assert payload(moving)["run"]["end"] == 0.5
    assert payload(still)["run"] is None
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["run.html", "system.html"]
    # With the system at hand, and through a run of it, the page can change its parameters.
    for page in (moving, still):
        assert [row["live"] for row in payload(page)["parameters"]] == [True]


def test_the_same_page_each_time() -> None:
    system = sistel.parse(BALL)
    run = system.simulate(0.5)
    assert draw_page(system.model, run, lang="en") == draw_page(system.model, run, lang="en")


def test_what_runs_is_what_the_policy_names() -> None:
    page = draw_page(sistel.parse(BALL).model, lang="en")
    policy = re.search('<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    assert policy is not None
    assert policy.group(1).startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in page and "http:" not in policy.group(1) and "https:" not in policy.group(1)
    scripts = re.findall('<script type="module">(.*?)</script>', page, re.S)
    assert len(scripts) == 1
    for text in (scripts[0].encode(), block(page, "live")):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'" in policy.group(1)
    assert "uPlot" in page[:1200] and "MIT" in page[:1200]


def test_titles_and_options() -> None:
    system = sistel.parse(BALL)
    assert "<title>ball &lt;1&gt;</title>" in draw_page(system.model, lang="en")
    page = draw_page(system.model, lang="en", title="</title><b>", live=False, equations=False, at=[0.25])
    assert "<title>&lt;/title&gt;&lt;b&gt;</title>" in page
    data = payload(page)
    assert data["live"]["on"] is False and data["equations"] is None
    assert data["start"]["q"] == [0.25] and data["start"]["v"] == [0.0]


def test_a_schedule_has_a_panel() -> None:
    chart = {lang: f'<svg xmlns="http://www.w3.org/2000/svg"><title>{lang}</title></svg>' for lang in ("en", "ru")}
    page = draw_page(sistel.parse(BALL).model, lang="en", chart=chart)
    assert {lang: block(page, name).decode() for lang, name in payload(page)["chart"].items()} == chart


def test_runs_without_steps_are_refused(models_dir: Path) -> None:
    system = sistel.load(models_dir / "compass_walker.xml")
    run = system.simulate(2.0, keep="events")
    with pytest.raises(sistel.SistelError, match="kept no steps"):
        draw_page(system.model, run)


def test_limits_of_the_sliders() -> None:
    system = sistel.parse(
        '<system name="s"><body name="b" joint="free" place="100,0" min="0,-50,-90" max="500,50,90" mass="1" inertia="1"/>'
        "</system>"
    )
    rows = payload(draw_page(system.model, lang="en"))["coordinates"]
    # Those of a free body are of the place of its pole, sliders are of the coordinate.
    assert (rows[0]["min"], rows[0]["max"]) == pytest.approx((-0.1, 0.4))
    assert [row["kind"] for row in rows] == ["length", "length", "angle"]
