"""Files of `sistel drive`: programs, reports, and pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sistel.cli._console import Console
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.drives import Emulation, Load, Plan, Program
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


@entry
class Carried:
    """The system with the motors of drives at its joints, on the shafts of emulated ones."""

    system: System
    start: list[float]
    """Coordinates where the drives stand before the program."""
    load: Load


@entry
class Driven:
    """A program, and what became of it."""

    system: System
    program: Program
    emulated: Emulation | None = None
    carried: Carried | None = None


def carry(system: System, plan: Plan) -> Carried:
    """Put a system on the shafts of drives, where their counters are 0."""
    from sistel.drives import load_of

    moved, q = _with_motors(system, plan)
    inertias, holding = _at_rest(moved, plan, q)
    steps = moved.stepper(period=1e-3)
    steps.reset(q=q)
    return Carried(moved, q, load_of(plan, steps, inertias, holding))


def scheme_of(system: System, plan: Plan, led: bool, lang: Language) -> str:
    """The description of a system whose drives are blocks of a scheme; their goals are those of a plan, or sliders."""
    from sistel.drives import scheme_text
    from sistel.markup import write_document
    from sistel.model import to_document
    from sistel.system import parse

    moved, q = _with_motors(system, plan)
    text = scheme_text(system.model, plan, *_at_rest(moved, plan, q), led)
    made = parse(text, system.source.path, allow=system.source.roots or ())
    return write_document(to_document(made.model), lang)


def _with_motors(system: System, plan: Plan) -> tuple[System, list[float]]:
    """The system with the motors of its drives, and its coordinates where their counters are 0."""
    from sistel.drives import motored
    from sistel.markup import write_document
    from sistel.model import to_document
    from sistel.system import parse

    text = write_document(to_document(motored(system.model, plan)), "en")
    moved = parse(text, system.source.path, allow=system.source.roots or ())
    q = [float(x) for x in moved.model.start.q]
    for axis in plan.axes:
        q[axis.drive.coordinate] = axis.drive.home
    return moved, q


def _at_rest(moved: System, plan: Plan, q: list[float]) -> tuple[list[float], list[float]]:
    """Inertias of the driven joints, and the forces that hold them there."""
    import numpy as np

    places = [moved.model.rate_names.index(axis.drive.joint) for axis in plan.axes]
    rest = np.zeros(len(moved.model.rate_names))
    inertias = np.asarray(moved.mass_matrix(q)).diagonal()[places]
    holding = np.asarray(moved.inverse_dynamics(q, rest, rest))[places]
    return inertias.tolist(), holding.tolist()


def again(carried: Carried) -> Callable[[float, object], dict[str, float]]:
    """The forces of the motors as a law: what they were at the ticks, bit by bit."""
    names, forces = carried.load.motors, carried.load.forces

    def law(t: float, _: object) -> dict[str, float]:
        return dict(zip(names, forces[min(round(1e3 * t), len(forces) - 1)], strict=True))

    return law


def texts_of(target: str, kind: str, driven: Driven, console: Console) -> list[tuple[str, str]]:
    """Paths and texts: a file for every drive where each has a program of its own, with its node in the name."""
    if kind not in driven.program.each:
        return [(target, _text_of(kind, driven, console))]
    own = driven.program.each[kind]
    if len(own) == 1:
        return [(target, text) for text in own.values()]
    return [(f"{target[: -len(kind)]}.{node}{kind}", text) for node, text in own.items()]


def _text_of(kind: str, driven: Driven, console: Console) -> str:
    """The text of a file of a kind."""
    system, program, emulated = driven.system, driven.program, driven.emulated
    if kind in program.files:
        return program.files[kind]
    if kind == ".report.csv":
        from sistel.views.drives import plan_csv

        return plan_csv(program.plan, console.lang)
    if kind == ".xml":
        return scheme_of(system, program.plan, True, console.lang)
    if kind == ".table.html":
        assert emulated is not None
        return emulated.table().encoded(".html", lang=console.lang).decode()
    if kind == ".svg":
        from sistel.views.drives import draw_tracking

        assert emulated is not None
        return draw_tracking(emulated, system.name, console.lang)
    if emulated is None:
        from sistel.views.drives import draw_sender

        return draw_sender(program, system.name, console.lang)
    return _moving_page(driven, emulated, console)


def _moving_page(driven: Driven, emulated: Emulation, console: Console) -> str:
    """The system, moved in a simulation by what the drives have made."""
    from sistel.cli.run import progress_of
    from sistel.views.drives import draw_tracking
    from sistel.views.page import draw_page

    system, carried = driven.system, driven.carried
    moved = driven_system(system, emulated) if carried is None else carried.system
    until = float(emulated.times[-1]) if carried is None else 1e-3 * len(carried.load.forces)
    with progress_of(moved.model, until, console) as progress:
        if carried is None:
            run = moved.simulate(until, q=start_of(moved, emulated), progress=progress)
        else:
            run = moved.simulate(until, q=carried.start, control=again(carried), period=1e-3, progress=progress)
    console.warnings(run.warnings)
    chart: dict[str, str] = {lang: draw_tracking(emulated, system.name, lang) for lang in BOTH}
    return draw_page(moved.model, run, lang=console.lang, live=False, equations=False, chart=chart, chart_of="drives")
