"""What views draw for results of layers below, which ask through `sistel.shown`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sistel import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Unpack

    from sistel.arms.travels import Travel
    from sistel.arms.workspaces import SectionMap, Workspace
    from sistel.automaton import Automaton
    from sistel.errors import Language
    from sistel.linear import Linear
    from sistel.simulation import Run
    from sistel.views.workspace import Looks


def register() -> None:
    """Answer from now on."""
    answers: dict[str, Callable[..., object]] = {
        "automaton": _automaton,
        "html": _html,
        "linear": _linear,
        "run page": _page,
        "run scene": _scene,
        "run picture": _picture,
        "run report": _report,
        "run film": _film,
        "run plot": _plot,
        "run figure": _figure,
        "run widget": _widget,
        "travel plot": _travel,
        "workspace picture": _workspace,
        "workspace file": _workspace_file,
    }
    for word, draw in answers.items():
        shown.answer(word, draw)


def _html(thing: object) -> str:
    from sistel.simulation import Run
    from sistel.views import notebook_html
    from sistel.views.notebook import run_html

    return run_html(thing) if isinstance(thing, Run) else notebook_html(thing)


def _automaton(automaton: Automaton) -> str:
    from sistel.views import automaton_text

    return automaton_text(automaton)


def _linear(linear: Linear) -> str:
    from sistel.views.text import linear_text

    return linear_text(linear)


def _page(
    run: Run, lang: Language | None, quantities: Sequence[str], compare: Sequence[Run] | Mapping[str, Run] = ()
) -> str:
    from sistel.views.page import draw_page

    return draw_page(run.model, run, lang=lang, quantities=quantities, compare=compare)


def _scene(run: Run, lang: Language | None) -> str:
    from sistel.views.x3d import draw_scene

    return draw_scene(run.model, run, lang=lang)


def _picture(run: Run, lang: Language | None) -> str:
    from sistel.views.animation import animate_run

    return animate_run(run, lang=lang)


def _report(run: Run, suffix: str, lang: Language | None, quantities: Sequence[str], every: float | None) -> bytes:
    from sistel.errors import user_language
    from sistel.views.reports import report_bytes, require_suffix, run_report

    require_suffix(suffix)
    return report_bytes(run_report(run, lang or user_language(), quantities, every), suffix)


def _film(run: Run, place: Path, suffix: str, **options: Any) -> None:
    from sistel.views.films import write_film

    write_film(run, place, suffix, **options)


def _plot(run: Run, quantities: Sequence[str], lang: Language | None) -> str:
    from sistel.views import draw_run

    return draw_run(run, quantities, lang)


def _figure(run: Run, quantities: Sequence[str], lang: Language | None) -> object:
    from sistel.views import figure_run

    return figure_run(run, quantities, lang)


def _widget(run: Run, lang: Language | None, height: int, quantities: Sequence[str]) -> object:
    from sistel.views.notebook import page_widget

    return page_widget(run.model, run, lang=lang, height=height, quantities=quantities)


def _travel(travel: Travel, lang: Language | None) -> str:
    from sistel.views import draw_travel

    return draw_travel(travel, lang)


def _workspace(workspace: Workspace, of: SectionMap | None, **options: Unpack[Looks]) -> str:
    from sistel.views.workspace import draw_workspace

    return draw_workspace(workspace, of, **options)


def _workspace_file(workspace: Workspace, path: str, of: SectionMap | None, **options: Unpack[Looks]) -> None:
    from sistel.views.workspace import save_workspace

    save_workspace(workspace, path, of, **options)
