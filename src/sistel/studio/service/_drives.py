"""Programs for drives: planned from a table or a run, tried on emulated drives, and handed out as files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import quoteattr

from sistel.errors import Source, Text, one_of, refuse
from sistel.studio.service import _params
from sistel.studio.service._calls import Method, Say, Work
from sistel.studio.service._made import Made
from sistel.studio.service._papers import held_run
from sistel.studio.service._read import given, model_of
from sistel.studio.service._systems import stem_of, system_of
from sistel.studio.service._tables import told_table
from sistel.studio.service._told import both

if TYPE_CHECKING:
    from sistel.drives import DriveSet, Emulation, Program
    from sistel.errors import Language, Span
    from sistel.motion.trajectories import MotionTable
    from sistel.simulation import Run
    from sistel.system import System

EVERY: Final = 0.1
"""Between the rows that are taken from a run, unless told otherwise [s]."""
MOST_ROWS: Final = 2000
"""That are taken from a run."""
BOTH: Final[tuple[Language, Language]] = ("en", "ru")


def families(params: Mapping[str, object]) -> object:
    """The families of drives: `[{key, title}]`."""
    from sistel.drives import FAMILIES

    return [{"key": key, "title": both(each.title)} for key, each in FAMILIES.items()]


def template(params: Mapping[str, object]) -> object:
    """A file of drives for the model that was sent: `{name, text}`; its numbers are there to be changed."""
    path, text = given(params)
    model = model_of(path, text)
    lang = _params.language(params)
    rows: list[str] = []
    for body in model.bodies:
        for part, sort in () if body.joint.type.has_quaternion else body.joint.type.rates:
            joint = body.joint.name or body.name
            name = f"{joint}.{part}" if part else joint
            lead = ' lead="5 mm"' if sort == "slide" else ""
            rows.append(
                f'  <drive joint={quoteattr(name)} node="{len(rows) + 1}" ratio="100"{lead} speed="6000 rpm" '
                'acceleration="1000"/>\n'
            )
    if not rows:
        refuse("no-drives", Text("this model has no joint that a drive turns", "у модели нет сочленений для приводов"))
    about = (
        "Приводы: передача, скорость двигателя (об/мин) и ускорение (об/с²) — впишите свои."
        if lang == "ru"
        else "Drives: the gear, the speed of the motor (rpm) and its acceleration (rev/s²) are to be changed."
    )
    return {"name": "приводы.xml" if lang == "ru" else "drives.xml", "text": _written(rows, about, lang)}


def _written(rows: list[str], about: str, lang: str) -> str:
    made = f"<!-- {about} -->\n<drives>\n{''.join(rows)}</drives>\n"
    if lang == "ru":
        for en, ru in (
            ("<drives>", "<приводы>"),
            ("</drives>", "</приводы>"),
            ("<drive ", "<привод "),
            (" joint=", " сочленение="),
            (" node=", " узел="),
            (" ratio=", " передача="),
            (" lead=", " шаг="),
            (" speed=", " скорость="),
            (" acceleration=", " ускорение="),
            ("6000 rpm", "6000"),
        ):
            made = made.replace(en, ru)
    return made.replace("6000 rpm", "6000")


def make(params: Mapping[str, object], say: Say) -> object:
    """The program of drives along a table of the folder or a run, and what emulated drives make of it.

    `family`; `drives`, the file of the drives; `table`, a file, or a run with `every` [s] between its rows; `load`,
    whether emulated drives carry the system.
    """
    from sistel.drives import FAMILIES, emulate, plan_drives, refuse_weak, write_program
    from sistel.views.drives import draw_sender, draw_tracking, plan_csv, plan_heading, plan_tables, tracking_table

    family = FAMILIES.get(_params.text(params, "family", "faulhaber-v2"))
    if family is None:
        refuse(
            "bad-parameter",
            Text("there is no such family of drives", "нет такого семейства приводов"),
            expected=one_of(list(FAMILIES)),
        )
    say(None, Text("reading", "чтение"))
    system = system_of(params)
    drives = _drives(params, system)
    table, places = _table(params, drives)
    say(None, Text("planning", "расчёт программы"))
    plan = plan_drives(table, drives, family, places)
    refuse_weak(system, plan)
    program = write_program(plan)
    say(None, Text("emulated drives execute it", "эмулируемые приводы выполняют её"))
    emulated = emulate(program.plan, program)
    lang = _params.language(params)
    stem = stem_of(_params.text(params, "path"))
    say(None, Text("drawing", "рисунки"))
    moved = _moved(system, emulated, lang) if _params.flag(params, "move") else None
    files = [*_files(stem, program), Made(name=f"{stem}.report.csv", data=plan_csv(program.plan, lang))]
    return {
        "heading": {each: plan_heading(program.plan, each) for each in BOTH},
        "tables": {each: [told_table(one) for one in plan_tables(program.plan, each)] for each in BOTH},
        "tracking": {each: told_table(tracking_table(emulated, each)) for each in BOTH},
        "curves": draw_tracking(emulated, system.name, lang),
        "problems": [both(each) for each in emulated.problems],
        "notes": [both(each) for each in (*program.plan.notes, *program.warnings)],
        "remarks": [both(each.message) for each in table.remarks],
        "programs": [each.told() for each in files],
        "page": moved,
        "sender": None if program.serial is None else draw_sender(program, system.name, lang),
    }


def _drives(params: Mapping[str, object], system: System) -> DriveSet:
    """The drives of a call: of a text that its window holds, or of a file."""
    from sistel.drives import parse_drives, read_drives

    where = _params.text(params, "drives")
    held = _params.table(params, "texts")
    if where in held:
        return parse_drives(Source(where, _params.text(held, where)), system.model)
    return read_drives(where, system.model)


def _table(params: Mapping[str, object], drives: DriveSet) -> tuple[MotionTable, tuple[tuple[Span, ...], ...] | None]:
    from sistel.motion.trajectories import open_table

    run = held_run(params)
    if run is not None:
        return _sampled(run, drives, _params.number(params, "every", EVERY)), None
    return open_table(_params.text(params, "table"))


def _sampled(run: Run, drives: DriveSet, every: float) -> MotionTable:
    """The motion of a run as rows of a table, for the joints that have drives."""
    import numpy as np

    from sistel.motion.trajectories import MotionTable

    begin, end = float(run.t[0]), float(run.end)
    if not every > 0.0 or (end - begin) / every > MOST_ROWS:
        refuse(
            "too-many-rows",
            Text(f"the run gives more than {MOST_ROWS} rows", f"расчёт даёт более {MOST_ROWS} строк"),
            expected=Text(
                f"at least {(end - begin) / MOST_ROWS:.3g} s between them",
                f"между ними не меньше {(end - begin) / MOST_ROWS:.3g} с",
            ),
        )
    times = np.append(np.arange(begin, end - 0.5 * every, every), end)
    if len(times) < 2:
        refuse("too-few-rows", Text("the run is too short for a table", "расчёт слишком короток для таблицы"))
    places = [drive.coordinate for drive in drives.drives]
    q, _ = run(times)
    return MotionTable(
        times=times - begin,
        values=np.ascontiguousarray(np.asarray(q)[:, places]),
        names=tuple(drive.joint for drive in drives.drives),
        units=tuple("mm" if drive.slides else "deg" for drive in drives.drives),
    )


def _files(stem: str, program: Program) -> list[Made]:
    """Files of a program: one, or one for every drive where each has its own."""
    made = [Made(name=f"{stem}{suffix}", data=text) for suffix, text in program.files.items()]
    for suffix, own in program.each.items():
        for node, text in own.items():
            name = f"{stem}{suffix}" if len(own) == 1 else f"{stem}.{node}{suffix}"
            made.append(Made(name=name, data=text))
    return made


def _moved(system: System, emulated: Emulation, lang: Language) -> str:
    """The page on which the system moves as the emulated drives have moved it."""
    from sistel.drives import driven_text
    from sistel.system import parse
    from sistel.views.drives import draw_tracking
    from sistel.views.page import draw_page

    roots = (os.path.abspath(os.path.dirname(system.source.path) or "."),)
    moved = parse(driven_text(system.model, emulated), system.source.path, allow=roots)
    q = [float(x) for x in moved.model.start.q]
    for i, axis in enumerate(emulated.plan.axes):
        q[axis.drive.coordinate] = float(emulated.positions[emulated.plan.lead, i])
    run = moved.simulate(float(emulated.times[-1]), q=q)
    chart: dict[str, str] = {each: draw_tracking(emulated, system.name, each) for each in BOTH}
    return draw_page(moved.model, run, lang=lang, live=False, equations=False, chart=chart, chart_of="drives")


METHODS: Final[Mapping[str, Method]] = {"drives.families": families, "drives.template": template}
WORKS: Final[Mapping[str, Work]] = {"drives.make": make}
