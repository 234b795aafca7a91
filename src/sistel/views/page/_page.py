"""One file that opens anywhere: the moving picture of a system, its plots, its equations, and the system itself."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from sistel._version import __version__
from sistel.errors import Diagnostic, Language, SistelError, Text
from sistel.model import Model
from sistel.views.assets import asset, asset_text
from sistel.views.page._bundle import app_text, bundle
from sistel.views.page._packed import packed
from sistel.views.page._payload import (
    Payload,
    add_run,
    chosen_language,
    describe,
    measures,
    named,
    start_of,
    structures_of,
    to_json,
)

if TYPE_CHECKING:
    from sistel.model import Live
    from sistel.simulation import Run

    Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
    Rebuild = Callable[[Live], Model]

SAMPLES = 600
"""States of a run by which windows and sizes are chosen."""

_LICENCES = """
This page was made by sistel {version} and holds, besides its own scripts:
{libraries}
"""
_LIBRARIES = {
    "uplot": "uPlot, plots: MIT licence, https://github.com/leeoniya/uPlot",
    "x_ite": "X_ITE, X3D scenes: MIT licence, https://github.com/create3000/x_ite",
    "font": "STIX Two Math, a font for formulas (a part of it): SIL Open Font License 1.1, https://github.com/stipub/stixfonts",
}


def draw_page(
    model: Model,
    run: Run | None = None,
    *,
    at: Sequence[float] | None = None,
    lang: Language | None = None,
    title: str | None = None,
    live: bool = True,
    equations: bool = True,
    quantities: Sequence[str] = (),
    chart: Mapping[str, str] | None = None,
    rebuild: Rebuild | None = None,
) -> str:
    """A page that shows a system and its motion, whole in one text; it asks for nothing outside.

    Args:
        model: The system.
        run: A motion to show; without one, the page poses the system and moves it by itself.
        at: Without a run, coordinates to begin with, shape (nq,) [m or rad]; those of the start unless told otherwise.
        lang: Language in which the page opens; the user's unless told otherwise. The page has both.
        title: Of the window; the name of the system unless told otherwise.
        live: Whether the page can integrate the equations itself.
        equations: Whether it shows them.
        quantities: Expressions of the language that are plotted too.
        chart: A picture of a schedule as SVG, by language; it gets a panel of its own.
        rebuild: Builds the model again, asking what stands for each parameter; with it, the page can change them.

    Raises:
        SistelError: The run has kept no steps, or the libraries of pages are not installed.
    """
    if run is not None and run.events and not run.segments and run.events[0].time < run.end:
        message = Text("this run has kept no steps to show", "этот расчёт не сохранил шагов, показывать нечего")
        hint = Text('simulate with keep="steps"', 'моделируйте с keep="steps"')
        raise SistelError([Diagnostic("no-steps", "error", message, hint=hint)])
    language = chosen_language(lang)
    page = Payload()
    start = start_of(model, at)
    states = np.array([start["q"]], dtype=float) if run is None else _samples(run)
    size, reach = measures(model, states)
    names = [] if run is None else [*(segment.structure for segment in run.segments), run.final_structure]
    if run is not None:
        names += [name for event in run.events for name in (event.before, event.after)]
    structures, number = structures_of(model, names)
    page.data |= {"lang": language, **describe(model, size), "structures": structures, "start": start, "run": None}
    if run is not None:
        add_run(page, run, number, size, reach)
    add_picture(page, model, run, states, language)
    page.data["chart"] = chart and {lang: page.pack(f"chart-{lang}", _upright(svg)) for lang, svg in chart.items()}
    _add_live(page, model, live, rebuild)
    _add_panels(page, model, run, quantities)
    if equations:
        _add_equations(page, model, rebuild)
    return _written(page, model, states[0], title or named(model.name), language)


def save_page(
    model: Model,
    path: str | os.PathLike[str],
    run: Run | None = None,
    *,
    lang: Language | None = None,
    rebuild: Rebuild | None = None,
) -> None:
    """Write `draw_page` to a file, which is replaced whole or not at all.

    Raises:
        SistelError: The page cannot be made, or the file cannot be written.
    """
    from sistel.markup import write_text

    write_text(os.fspath(path), draw_page(model, run, lang=lang, rebuild=rebuild))


def _samples(run: Run) -> Array:
    """Coordinates at times all over the run, shape (n, nq); the ends of stays are among them."""
    if not run.segments:
        return run.last[np.newaxis, : run.model.nq]
    stays = run.segments[:: max(1, len(run.segments) // SAMPLES)]
    times = np.concatenate([np.linspace(run.begin, run.end, SAMPLES), [stay.begin for stay in stays]])
    return run(np.sort(np.clip(times, run.begin, run.end)))[0]


def add_picture(
    page: Payload,
    model: Model,
    run: Run | None,
    states: Array,
    lang: Language,
    points: Sequence[Sequence[float]] = (),
) -> None:
    """Put the scheme of a system into a page, and the scene of a spatial one, wide enough for points of the world."""
    from sistel.views.schemes import moving_scheme

    alone = run is None and len(states) == 1
    scheme = moving_scheme(model, None if alone else states, prefix="s-", labels="numbers", look="page")
    assert scheme is not None
    page.data["scheme"] = {"id": page.pack("scheme", _upright(scheme.svg)), **scheme.description}
    page.data["scene"] = None
    if not model.planar:
        from sistel.views.viewer import scene_for_page

        part = scene_for_page(model, run, points=points, lang=lang)
        page.data["scene"] = {"id": "scene", "x_ite": "x_ite", "style": "x_ite_style", **part.table}
        page.pack("scene", part.text)
        page.pack("x_ite", asset("x_ite.mjs"))
        page.pack("x_ite_style", asset("x_ite.css"))


def _add_live(page: Payload, model: Model, live: bool, rebuild: Rebuild | None) -> None:
    from sistel.views.live import live_kit
    from sistel.views.page._tree import parameters_of

    kit = live_kit(model, rebuild=rebuild)
    table = kit.table
    page.data["live"] = {"id": page.pack("live", kit.source), "table": table, "on": live}
    page.scripts.append(kit.source)
    rows = {row["name"]: row for row in table.get("parameters", [])}
    page.data["parameters"] = [
        {
            **row,
            "live": bool(rows.get(row["name"], {}).get("live")),
            "low": rows.get(row["name"], {}).get("min"),
            "high": rows.get(row["name"], {}).get("max"),
            "refused": rows.get(row["name"], {}).get("refused"),
        }
        for row in parameters_of(model)
    ]


def _add_panels(page: Payload, model: Model, run: Run | None, quantities: Sequence[str]) -> None:
    from sistel.views.page._curves import curves_of
    from sistel.views.page._tree import tree_of

    page.data["curves"] = page.data["equations"] = None
    if run is not None:
        data, curves = curves_of(run, quantities=quantities) if quantities else curves_of(run)
        page.data["curves"] = data
        page.pack(data["id"], curves)
    data, text = tree_of(model)
    page.data["tree"] = data
    page.pack(data["id"], text)


def _add_equations(page: Payload, model: Model, rebuild: Rebuild | None) -> None:
    from sistel.views.page._equations import equations_of

    data, text = equations_of(model, rebuild)
    page.data["equations"] = data
    page.pack(data["id"], text)


def _upright(svg: str) -> str:
    """A picture without characters that turn the direction of writing, which names of strangers may have."""
    return re.sub("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", "\N{REPLACEMENT CHARACTER}", svg)


def _written(page: Payload, model: Model, q: Array, title: str, lang: Language) -> str:
    return write_page(page, title, lang, still=still_picture(model, q), app=bundle(), start="startPage")


def still_picture(model: Model, q: Array) -> str:
    """The scheme at coordinates of shape (nq,), for those who run no scripts."""
    from sistel.views.schemes import draw_scheme

    return _upright(str(draw_scheme(model, q.tolist(), labels="none")))


def write_page(
    page: Payload,
    title: str,
    lang: Language,
    *,
    still: str,
    app: str,
    start: str,
    style: str = "",
    formulas: bool = True,
) -> str:
    """A page out of its data and blocks: one file, which runs no scripts but its own and asks for nothing outside.

    Args:
        page: The data; with a summary in both languages, and a scene or None.
        title: Of the window.
        lang: Language in which it opens.
        still: A picture for those who run no scripts, as SVG.
        app: Its modules as one.
        start: The function of theirs that makes the page.
        style: What is added to the style sheet.
        formulas: Whether it shows formulas, which need a font of their own.
    """
    page.pack("app", f"{asset_text('uplot.js')}\n{app}\nawait {start}();\n//# sourceURL=sistel.js\n")
    boot = app_text("boot.js")
    whole_style = app_text("page.css") + style + asset_text("uplot.css")
    if formulas:
        font = base64.b64encode(asset("math.woff2")).decode()
        whole_style += f'@font-face{{font-family:"sistel-math";src:url(data:font/woff2;base64,{font}) format("woff2")}}'
    used = {"uplot": True, "font": formulas, "x_ite": page.data["scene"] is not None}
    libraries = [_LIBRARIES[name] for name, there in used.items() if there]
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (boot, *page.scripts)
    )
    policy = (
        f"default-src 'none'; script-src {hashes} blob:; style-src 'unsafe-inline' blob:; img-src data: blob:; "
        "font-src data: blob:; connect-src data: blob:; worker-src blob:; media-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "<!--LICENCES-->": "<!--"
        + _LICENCES.format(version=__version__, libraries="\n".join(f"  {line}" for line in libraries))
        + "-->",
        "LANG": lang,
        "POLICY": policy,
        "VERSION": __version__,
        "TITLE": escape(title),
        "STYLE": whole_style,
        "SUMMARY": escape(page.data["summary"][lang]),
        "STILL": still[still.index("<svg") :],
        "PAYLOAD": packed("payload", to_json(page.data)),
        "BLOCKS": "\n".join(page.blocks),
        "SCRIPTS": f'<script type="module">{boot}</script>',
    }
    pattern = re.compile("|".join(re.escape(key) for key in parts))
    # In one pass, so that nothing that is put in is taken for a gap itself.
    return pattern.sub(lambda found: parts[found.group()], app_text("page.html"))
