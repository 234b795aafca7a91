"""Calls of the server itself, answered in a process of its own: pages of models and of runs, runs in files.

Windows cannot make them: their parameters are places on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError
from sistel.studio.service import language, replied

if TYPE_CHECKING:
    from sistel.plain import JsonObject
    from sistel.simulation import Run


def page_of_model(params: JsonObject) -> object:
    """The page of a text, which moves by itself."""
    from sistel.studio.service import tried_values
    from sistel.studio.workspace import write_page
    from sistel.system import parse
    from sistel.views.page import draw_page

    system = parse(params["text"], params["path"])
    changed = {**params["changed"], **tried_values(params["path"], params["text"], params["tried"])}
    if changed:
        system = system.with_parameters(changed)
    page = draw_page(system.model, lang=language(params), live=True)
    return {"page": write_page(Path(params["pages"]), page), "title": system.name}


def page_of_run(params: JsonObject) -> object:
    """The page of a run that is kept."""
    from sistel.studio.workspace import write_page
    from sistel.views.page import draw_page

    run = kept_run(params["run"])
    return {"page": write_page(Path(params["pages"]), draw_page(run.model, run, lang=language(params)))}


def page_of_several(params: JsonObject) -> object:
    """The page of a run with others over it."""
    from sistel.studio.workspace import write_page
    from sistel.views.page import draw_page

    first, *others = params["runs"]
    run = kept_run(first)
    compare = {each["name"]: kept_run(each) for each in others}
    page = draw_page(run.model, run, lang=language(params), compare=compare, called=first["name"])
    return {"page": write_page(Path(params["pages"]), page)}


def page_of_sweep(params: JsonObject) -> object:
    """The page of a sweep, as far as it came."""
    from sistel.studio.jobs._sweep_page import sweep_page
    from sistel.studio.workspace import write_page

    return {
        "page": write_page(Path(params["pages"]), sweep_page(Path(params["run"]["archive"]).parent, language(params)))
    }


def save_run(params: JsonObject) -> object:
    """Write a run to a file, by its suffix."""
    kept_run(params["run"]).save(params["target"], lang=language(params))
    return {}


def kept_run(kept: JsonObject) -> Run:
    """A run that is kept: of the system that its text describes, where that is still the one that was simulated.

    Args:
        kept: `archive`, `model`, `path` and `changed`.
    """
    from sistel.simulation import load_run
    from sistel.system import parse

    archive = kept["archive"]
    with suppress(SistelError, OSError):  # what it includes may have changed: the archive has all of it
        system = parse(Path(kept["model"]).read_text(encoding="utf-8"), kept["path"])
        if kept["changed"]:
            system = system.with_parameters(kept["changed"])
        return load_run(archive, system)
    return load_run(archive)


METHODS: Final[Mapping[str, Callable[[JsonObject], object]]] = {
    "model": page_of_model,
    "run": page_of_run,
    "several": page_of_several,
    "sweep": page_of_sweep,
    "save": save_run,
}


def reply(name: str, params: JsonObject) -> dict[str, object]:
    """What a call gives as `done`, or why it fails as `failed`."""
    return replied(METHODS[name], params, params.get("path"))
