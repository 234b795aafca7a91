"""Files of `sistel drive`: programs, reports, and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.cli._console import Console

if TYPE_CHECKING:
    from sistel.drives import Emulation, Program
    from sistel.errors import Language
    from sistel.system import System


BOTH: tuple[Language, Language] = ("en", "ru")


def driven_system(system: System, emulated: Emulation) -> System:
    """The system with the motion that emulated drives have made, in the place of motions of its own."""
    from sistel.drives import driven_text
    from sistel.system import parse

    roots = system.source.roots
    return parse(driven_text(system.model, emulated), system.source.path, allow=roots or ())


def start_of(moved: System, emulated: Emulation) -> list[float]:
    """Coordinates at the first time of the table."""
    q = [float(x) for x in moved.model.start.q]
    for i, axis in enumerate(emulated.plan.axes):
        q[axis.drive.coordinate] = float(emulated.positions[emulated.plan.lead, i])
    return q


def texts_of(
    target: str, kind: str, system: System, program: Program, emulated: Emulation | None, console: Console
) -> list[tuple[str, str]]:
    """Paths and texts: a file for every drive where each has a program of its own, with its node in the name."""
    if kind not in program.each:
        return [(target, _text_of(kind, system, program, emulated, console))]
    own = program.each[kind]
    if len(own) == 1:
        return [(target, text) for text in own.values()]
    return [(f"{target[: -len(kind)]}.{node}{kind}", text) for node, text in own.items()]


def _text_of(kind: str, system: System, program: Program, emulated: Emulation | None, console: Console) -> str:
    """The text of a file of a kind."""
    if kind in program.files:
        return program.files[kind]
    if kind == ".report.csv":
        from sistel.views.drives import plan_csv

        return plan_csv(program.plan, console.lang)
    if kind == ".table.html":
        assert emulated is not None
        return emulated.table().html(lang=console.lang)
    if kind == ".svg":
        from sistel.views.drives import draw_tracking

        assert emulated is not None
        return draw_tracking(emulated, system.name, console.lang)
    if emulated is None:
        from sistel.views.drives import draw_sender

        return draw_sender(program, system.name, console.lang)
    return _moving_page(system, emulated, console)


def _moving_page(system: System, emulated: Emulation, console: Console) -> str:
    """The system, moved in a simulation by what the drives have made."""
    from sistel.cli.run import progress_of
    from sistel.views.drives import draw_tracking
    from sistel.views.page import draw_page

    moved = driven_system(system, emulated)
    until = float(emulated.times[-1])
    with progress_of(moved.model, until, console) as progress:
        run = moved.simulate(until, q=start_of(moved, emulated), progress=progress)
    console.warnings(run.warnings)
    chart: dict[str, str] = {lang: draw_tracking(emulated, system.name, lang) for lang in BOTH}
    return draw_page(moved.model, run, lang=console.lang, live=False, equations=False, chart=chart, chart_of="drives")
