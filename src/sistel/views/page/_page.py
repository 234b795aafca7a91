"""One file that opens anywhere: the moving picture of a system, its plots, its equations, and the system itself."""

from __future__ import annotations

import base64
import hashlib
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel._version import __version__
from sistel.errors import Language
from sistel.look import header, style_sheet, tidied
from sistel.model import Model
from sistel.views._form_data import FormData
from sistel.views._model_data import EquationsData, ParameterRow, TreeData
from sistel.views._page_data import (
    CommonData,
    ControlData,
    Curves,
    LiveData,
    LiveParameter,
    PageData,
    PageSceneData,
    Picture,
    SourceData,
)
from sistel.views._steps import check_steps
from sistel.views.assets import asset_text
from sistel.views.page._compared import add_compared, named_runs, values_that_differ
from sistel.views.page._files import view_text
from sistel.views.page._geometry import geometry_of, traced_model
from sistel.views.page._motion import sampled, structures_in
from sistel.views.page._packed import packed
from sistel.views.page._payload import (
    Blocks,
    add_run,
    chosen_language,
    describe,
    measures,
    named,
    start_of,
    structures_of,
    to_json,
)
from sistel.views.page._said import BOTH
from sistel.views.wiring import page_style

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.markup import Loss, Losses
    from sistel.simulation import Run


_LICENCES = """
This page was made by sistel {version} and holds, besides its own scripts:
{libraries}
"""
_LIBRARIES = {
    "uplot": "uPlot, plots: MIT licence, https://github.com/leeoniya/uPlot",
    "x_ite": "X_ITE, X3D scenes: MIT licence, https://github.com/create3000/x_ite",
    "font": "STIX Two Math, a font for formulas (a part of it): SIL Open Font License 1.1, https://github.com/stipub/stixfonts",
}
PARTS = ("form", "control", "scene", "compared")
"""Scripts that a page carries where its payload has what they show."""
FONT_LICENCE = _LIBRARIES["font"]
"""Of the font of formulas, for other pages that carry it."""


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
    chart_of: Literal["chart", "drives"] = "chart",
    form: tuple[FormData, str] | None = None,
    losses: Losses | None = None,
    back: str = "",
    studio: str = "",
    framed: bool = False,
    compare: Sequence[Run] | Mapping[str, Run] = (),
    called: str = "",
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
        chart_of: What the panel is called after: a schedule, or drives.
        form: A form of the file that the system was read from, and the text of that file; the page opens at it.
        losses: Where to note what is drawn otherwise than it is: meshes that cannot be read, or are simplified.
        back: Address of the gallery that it belongs to.
        studio: Address of a studio without a server, in which the page opens its model.
        framed: Whether a window around it may hand runs over, to be shown over each other.
        compare: Runs that are shown over this one, at most three; by the names that they are to have.
        called: What the run itself is called among them.

    Raises:
        SistelError: A run has kept no steps, or the libraries of pages are not installed.
    """
    others: list[tuple[str, Run]] = []
    if run is not None:
        check_steps(run)
        if compare:
            called, others = named_runs(run, compare, called)
    language = chosen_language(lang)
    page = Blocks()
    start = start_of(model, at)
    states = np.array([start["q"]], dtype=float) if run is None else sampled(run)
    kit = _add_live(page, model, live)
    # The picture is wide enough for all whose bodies it shows.
    like = [each for _, each in others if values_that_differ(model, each.model, kit["table"]["parameters"]) is not None]
    states = np.concatenate([states, *(sampled(each) for each in like)])
    size, reach = measures(model, states)
    structures, number = structures_of(model, [] if run is None else structures_in(run))
    traced = traced_model(model, kit["table"]["parameters"])
    about = describe(traced or model, size)
    shown = None if run is None else add_run(page, run, number, size, reach, about["partners"])
    scheme, scene = add_picture(page, model, run, states, language, losses=losses, traced=traced)
    data: PageData = {
        "lang": language,
        **about,
        "structures": structures,
        "start": start,
        "run": shown,
        "scheme": scheme,
        "scene": scene,
        "chart": None if not chart else _add_charts(page, chart),
        "chart_of": chart_of,
        "live": kit,
        "form": None if form is None else form[0],
        "source": _add_source(page, model),
        "parameters": _parameters(model, kit["table"]["parameters"]),
        "curves": None if run is None else _add_curves(page, run, quantities),
        "control": _add_control(page, model, run, kit),
        "tree": _add_tree(page, model),
        "equations": _add_equations(page, model) if equations else None,
        "geometry": None,
        "called": called,
        "compared": add_compared(page, model, kit["table"]["parameters"], others, quantities),
    }
    _add_geometry(page, data)
    if form is not None:
        page.pack(form[0]["id"], form[1])
    still = still_picture(model, states[0])
    style = "" if data["control"] is None else page_style()
    heading = title or named(model.name)
    return write_page(
        page, data, heading, still=still, app="page.js", style=style, back=back, studio=studio, framed=framed
    )


def save_page(
    model: Model,
    path: str | os.PathLike[str],
    run: Run | None = None,
    *,
    lang: Language | None = None,
) -> tuple[Loss, ...]:
    """Write `draw_page` to a file, which is replaced whole or not at all; returns what is drawn otherwise than it is.

    Raises:
        SistelError: The page cannot be made, or the file cannot be written.
    """
    from sistel.markup import Losses, write_text

    losses = Losses()
    write_text(os.fspath(path), draw_page(model, run, lang=lang, losses=losses))
    return tuple(losses.items)


def add_picture(
    page: Blocks,
    model: Model,
    run: Run | None,
    states: Array,
    lang: Language,
    points: Sequence[Sequence[float]] = (),
    losses: Losses | None = None,
    traced: Model | None = None,
) -> tuple[Picture, PageSceneData | None]:
    """Put the scheme of a system into a page, and the scene of a spatial one, wide enough for points of the world.

    Where a traced model is given, numbers that follow parameters know their formulas.
    """
    from sistel.views.schemes import moving_scheme

    alone = run is None and len(states) == 1
    scheme = moving_scheme(model, None if alone else states, prefix="s-", labels="numbers", look="page", traced=traced)
    assert scheme is not None
    name, description = page.pack("scheme", _upright(scheme.svg)), scheme.description
    # Both ways look alike: each kind of scheme has a type of its own.
    picture: Picture
    if description["kind"] == "planar":
        picture = {"id": name, **description}
    else:
        picture = {"id": name, **description}
    if model.planar:
        return picture, None
    from sistel.views.viewer import scene_for_page

    part = scene_for_page(model, run, points=points, lang=lang, traced=traced, losses=losses)
    scene: PageSceneData = {
        "id": page.pack("scene", part.text),
        "x_ite": page.pack_asset("x_ite", "x_ite.mjs"),
        "style": page.pack_asset("x_ite_style", "x_ite.css"),
        "trail": 1.0,
        **part.table,
    }
    return picture, scene


def _add_source(page: Blocks, model: Model) -> SourceData | None:
    """Put the file of the model into a page, with its expressions; none where it has no file."""
    from sistel.markup import write_document

    recipe = model.recipe
    if recipe is None or recipe.change is not None or recipe.moves:
        return None
    wanted = {each.name: each.value for each in model.parameters if math.isfinite(each.value)}
    own = wanted
    if recipe.values:
        plain = replace(recipe, values=()).build()
        own = {each.name: each.value for each in plain.parameters if math.isfinite(each.value)}
    given = dict(recipe.values)
    text = write_document(recipe.document.root, recipe.document.lang)
    return {
        "id": page.pack("source", text),
        "own": own,
        "wanted": {name: value for name, value in wanted.items() if name in given},
    }


def _add_charts(page: Blocks, chart: Mapping[str, str]) -> dict[Language, str]:
    return {each: page.pack(f"chart-{each}", _upright(chart[each])) for each in BOTH}


def _add_live(page: Blocks, model: Model, live: bool) -> LiveData:
    from sistel.views.live import live_kit

    kit = live_kit(model)
    page.scripts.append(kit.source)
    return {"id": page.pack("live", kit.source), "table": kit.table, "on": live}


def _add_geometry(page: Blocks, data: PageData) -> None:
    """What follows parameters: pictures, points and frames."""
    found = geometry_of(data, "geometry")
    if found is not None:
        data["geometry"], source = found
        page.pack("geometry", source)
        page.scripts.append(source)


def _parameters(model: Model, known: Sequence[LiveParameter]) -> list[ParameterRow]:
    from sistel.views.page._tree import parameters_of

    rows = {row["name"]: row for row in known}
    made: list[ParameterRow] = []
    for row in parameters_of(model):
        own = rows.get(row["name"])
        made.append(
            {
                **row,
                "live": own is not None and own["live"],
                "low": None if own is None else own["min"],
                "high": None if own is None else own["max"],
                "refused": None if own is None else own["refused"],
            }
        )
    return made


def _add_curves(page: Blocks, run: Run, quantities: Sequence[str]) -> Curves:
    from sistel.views.page._curves import TOLD, curves_of

    data, curves = curves_of(run, quantities=quantities, told=TOLD)
    page.pack(data["id"], curves)
    return data


def _add_control(page: Blocks, model: Model, run: Run | None, kit: LiveData) -> ControlData | None:
    from sistel.views.page._control import control_of

    found = control_of(model, run, kit["table"])
    if found is None:
        return None
    data, drawings = found
    for lang, svg in drawings.items():
        page.pack(data["drawing"][lang], _upright(svg))
    return data


def _add_tree(page: Blocks, model: Model) -> TreeData:
    from sistel.views.page._tree import tree_of

    data, text = tree_of(model)
    page.pack(data["id"], text)
    return data


def _add_equations(page: Blocks, model: Model) -> EquationsData:
    from sistel.views.page._kept_equations import kept_equations

    data, text = kept_equations(model)
    page.pack(data["id"], text)
    return data


def _upright(svg: str) -> str:
    """A picture without characters that turn the direction of writing, which names of strangers may have."""
    return re.sub("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", "\N{REPLACEMENT CHARACTER}", svg)


def still_picture(model: Model, q: Array) -> str:
    """The scheme at coordinates of shape (nq,), for those who run no scripts."""
    from sistel.views.schemes import draw_scheme

    return _upright(str(draw_scheme(model, q.tolist(), labels="none")))


def write_page(
    page: Blocks,
    data: CommonData,
    title: str,
    *,
    still: str,
    app: str,
    style: str = "",
    formulas: bool = True,
    back: str = "",
    studio: str = "",
    framed: bool = False,
) -> str:
    """A page out of its data and blocks: one file, which runs no scripts but its own and asks for nothing outside.

    Args:
        page: Its blocks.
        data: Its payload.
        title: Of the window.
        still: A picture for those who run no scripts, as SVG.
        app: The asset with its scripts; its function `start` makes the page.
        style: What is added to the style sheet.
        formulas: Whether it shows formulas, which need a font of their own.
        back: Address of the gallery that it belongs to.
        studio: Address of a studio without a server.
        framed: Whether a window around it may hand runs over.
    """
    page.pack_asset("app", app)
    for part in PARTS if app == "page.js" else ():
        if data.get(part) or (framed and part == "compared"):
            page.pack_asset(f"app-{part}", f"page.{part}.js")
    boot = asset_text("boot.js")
    # What stands before the scripts do has its style at once; they bring that of what they make.
    page.blocks.append(_style_block(style))
    if formulas:
        page.pack_asset("font", "math.woff2")
    used = {"uplot": True, "font": formulas, "x_ite": data["scene"] is not None}
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
        "LANG": data["lang"],
        "STUDIO": f' data-studio-at="{escape(studio)}"' if studio else "",
        "POLICY": policy,
        "VERSION": __version__,
        "TITLE": escape(title),
        "STYLE": style_sheet(),
        "HEADER": header(escape(title), escape(data["summary"][data["lang"]]), back=back),
        "STILL": still[still.index("<svg") :],
        "PAYLOAD": packed("payload", to_json(data)),
        "BLOCKS": "\n".join(page.blocks),
        "SCRIPTS": f'<script type="module">{boot}</script>',
    }
    pattern = re.compile("|".join(re.escape(key) for key in parts))
    # In one pass, so that nothing that is put in is taken for a gap itself.
    return pattern.sub(lambda found: parts[found.group()], view_text("page/app/page.html"))


@cache
def _style_block(more: str) -> str:
    return packed(
        "look", tidied(view_text("page/app/page.css"), view_text("page/app/take.css"), more, asset_text("uplot.css"))
    )
