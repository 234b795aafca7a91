"""`sistel run`: the motion of a system, through all its structures."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._documents import event_data, finite
from sistel.cli._films import FILMS, OPTIONS, FilmLook, asked_film, is_film
from sistel.cli._motion_tables import SHEET, TABLE, asked_table
from sistel.cli._progress import ProgressLine, saying_report
from sistel.cli._reading import allowed, mesh_problems, of_system, read_system
from sistel.cli._values import (
    PARAMETER,
    STRUCTURE,
    TOLERANCE,
    check_formats,
    check_reports,
    read_number,
    read_parameters,
    read_tolerance,
)
from sistel.errors import Diagnostic, Diagnostics, SistelError, Text
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model
    from sistel.simulation import Record, Run
    from sistel.system import System


UNTIL = 10.0
"""How long to simulate unless told otherwise [s]."""
TABLES = (".table.html", ".table.csv", ".table.ods", ".table.xlsx")
FORMATS = (".html", ".svg", ".x3d", *FILMS, ".csv", ".parquet", ".npz", ".pdf", ".fo", ".print.html", *TABLES)
COMPILING = 0.5
"""After so long without a step it is said that equations are being compiled [s]."""
BAR = 20
"""Letters of the bar of progress."""

USAGE = of_system(
    about=Text(
        "Simulates the system from the state that the file gives: the motion within every structure, and the events "
        "at which the structure changes, with what their impacts take. Lengths are in millimetres, angles in degrees; "
        "with --json and in files everything is in SI. Ctrl-C ends the simulation and keeps what was computed.",
        "Моделирует систему из состояния, заданного в файле: движение в каждой структуре и события, в которых "
        "структура меняется, с потерями при ударах. Длины — в миллиметрах, углы — в градусах; с ключом --json и в "
        "файлах всё в СИ. Ctrl-C заканчивает расчёт и сохраняет то, что вычислено.",
    ),
    options=(
        *options(
            """
            --until TIME | ВРЕМЯ
                when to end: 2.5, 800 ms; 10 s by default, with --table its last row
                когда закончить: 2.5, 800 мс; по умолчанию 10 с, с --table — её последняя строка
            """
        ),
        PARAMETER,
        TABLE,
        SHEET,
        *options(
            """
            --output -o FILE | ФАЙЛ *
                where to keep the run: .html, a page with everything; .svg, a moving scheme; .x3d, a moving scene; .mp4,
                    .webm or .gif, a film of the scheme; .csv or .parquet, a table; .npz, all; a report: .pdf, .fo
                    (XSL-FO) or .print.html; .table.html, .table.csv, .table.ods or .table.xlsx, its motion as
                    --table reads it; may be repeated
                куда сохранить расчёт: .html — страница, на которой всё; .svg — подвижная схема, .x3d — сцена, .mp4,
                    .webm или .gif — фильм со схемой, .csv или .parquet — таблица, .npz — всё; отчёт: .pdf, .fo
                    (XSL-FO) или .print.html; .table.html, .table.csv, .table.ods или .table.xlsx — движение, какое
                    читает --table; можно повторять
            --plot FILE.svg | ФАЙЛ.svg
                coordinates, velocities and energies as curves
                координаты, скорости и энергии кривыми
            --quantity -q EXPRESSION | ВЫРАЖЕНИЕ *
                what else to follow [SI]: "energy()", "reaction(L).n"; a column of tables, a curve of pictures
                за чем ещё следить [СИ]: «энергия()», «реакция(Л).n»; столбец таблиц, кривая рисунков
            --with FILE.npz | ФАЙЛ.npz *
                another run to show over this one in a page, see -o; up to three
                ещё один расчёт, который страница (-o) покажет поверх этого; до трёх
            --inputs FILE | ФАЙЛ
                what an operator did: a table time,input,value (.csv) or .json, as pages record it [SI]
                что делал оператор: таблица время,ввод,значение (.csv) или .json, как её пишут страницы [СИ]
            --every TIME | ВРЕМЯ
                time between two rows of a table; a row a step without it
                время между строками таблицы; без него — строка на шаг
            --hold
                motors that nothing commands hold the posture of the start
                приводы, которыми ничто не управляет, держат позу начала
            """
        ),
        *OPTIONS,
        STRUCTURE,
        TOLERANCE,
        *options(
            """
            --method = auto|taylor|runge-kutta|radau|gauss
                of integration: taylor; runge-kutta for few digits of large systems; radau for stiff ones; gauss, with
                    --step, for long runs; auto, the default
                интегрирования: taylor; runge-kutta — для немногих знаков больших систем; radau — для жёстких; gauss,
                    с --step, — для долгих; по умолчанию auto
            --step TIME | ВРЕМЯ
                length of the steps of gauss
                длина шагов gauss
            --seed NUMBER | ЧИСЛО
                of the noise of sensors, instead of that in the file
                зерно шума датчиков вместо того, что в файле
            --all
                all events of long runs
                все события долгих расчётов
            """
        ),
    ),
    examples=examples(
        """
        sistel run compass_walker.xml --until 5
            five seconds of a walk
            пять секунд ходьбы
        sistel run cart_pole.xml -p l=800mm
            with a shorter pole
            с более коротким шестом
        sistel run arm.xml --table move.xlsx
            along a table of motion
            по таблице движения
        sistel run walker.xml -o walk.html
            the motion as a page
            движение страницей
        sistel run walker.xml --plot walk.svg
            the motion as curves
            движение кривыми
        sistel run cart_pole.xml -o both.html --with long.npz
            over another run, in the picture and in the curves
            поверх другого расчёта, на картинке и в кривых
        sistel run walker.xml -o walk.csv --every 10ms
            a table, a row every 10 ms
            таблица, строка на каждые 10 мс
        sistel run walker.xml -o walk.mp4 --speed 0.5
            a film, half as fast
            фильм, вдвое медленнее
        sistel run arm.urdf --hold -q "torque(elbow)"
            what it takes to hold an arm
            что нужно, чтобы удержать руку
        sistel run walker.xml -o walk.pdf
            a report to print
            отчёт для печати
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, simulate it, and say what happened."""
    outputs = call.all("output")
    check_formats(outputs, FORMATS, Text("runs", "расчётов"))
    check_reports(outputs)
    plot = call.value("plot")
    if plot is not None and PurePath(plot).suffix != ".svg":
        wrong_call(
            "unknown-format",
            Text(f"{plot}: curves are written as .svg", f"{plot}: кривые записываются как .svg"),
            expected=Text("--plot FILE.svg", "--plot ФАЙЛ.svg"),
        )
    film = asked_film(call, outputs)
    others = _others(call, outputs)
    until, tolerance, every = _time(call), read_tolerance(call), _every(call)
    quantities = call.all("quantity")
    method, step = _method(call)
    seed = _seed(call)
    given, record, table = read_parameters(call), _record(call), asked_table(call)
    system = read_system(call)
    structure = call.value("structure")
    from sistel.model import read_quantity
    from sistel.simulation import RunError, read_inputs

    try:
        if given:
            system = system.with_parameters(given)
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None
    if table is not None:
        system = system.with_motion(table, sheet=call.value("sheet"))
        until = until if call.given("until") else system.model.motions[0].times[-1]
    system, undriven = _held(call, system)
    try:
        system.structure(structure)
        for text in quantities:
            read_quantity(system.model, text)
        if record:
            read_inputs(system.model, record)
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None
    if until < system.model.start_time:
        wrong_call(
            "no-time",
            Text(
                f"--until {until:g} s lies before the start, {system.model.start_time:g} s",
                f"--until {until:g} с — раньше начала, {system.model.start_time:g} с",
            ),
        )
    from sistel.cli._main import DONE, INTERRUPTED, WRONG_MODEL

    status, problems = DONE, (*system.diagnostics, *undriven, *mesh_problems(system.model, outputs))
    try:
        with progress_of(system.model, until, console) as progress:
            found = system.simulate(
                until,
                structure=structure,
                tolerance=tolerance,
                progress=progress,
                method=method,
                step=step,
                seed=seed,
                inputs=record,
            )
    except RunError as problem:
        # What was computed before is right, and may say why the motion could not go on.
        found, status, problems = problem.run, WRONG_MODEL, (*problems, *problem.diagnostics)
        if not found.segments:
            raise
    _save(found, outputs, _Wanted(quantities=quantities, every=every, film=film, others=others), console)
    if plot is not None:
        from sistel.markup import write_text

        write_text(plot, found.plot(quantities, console.lang))
        outputs = (*outputs, plot)
    asked = {text: found.quantity(text) for text in quantities}
    _say(_Result(system, found, given, asked, outputs, problems), call.given("all"), console)
    return INTERRUPTED if status == DONE and found.stopped is not None else status


@entry
class _Wanted:
    """What files are to show."""

    quantities: Sequence[str]
    every: float | None
    film: FilmLook
    others: Mapping[str, Run]


def _save(found: Run, outputs: Sequence[str], wanted: _Wanted, console: Console) -> None:
    for output in outputs:
        with saying_report(console, output):
            if is_film(output):
                found.film(output, lang=console.lang, **wanted.film)
                continue
            # Moving schemes and tables of motion have no curves; what was asked is printed, and stands in other files.
            also = () if PurePath(output).suffix == ".svg" or output.endswith(TABLES) else wanted.quantities
            page = PurePath(output).suffix == ".html" and not output.endswith((*TABLES, ".print.html"))
            others = wanted.others if page else {}
            found.save(output, quantities=also, every=wanted.every, lang=console.lang, compare=others)


def _others(call: Call, outputs: Sequence[str]) -> Mapping[str, Run]:
    """Runs of `--with`, by the names of their files."""
    paths = call.all("with")
    if not paths:
        return {}
    if not any(each.endswith(".html") and not each.endswith((*TABLES, ".print.html")) for each in outputs):
        wrong_call(
            "nothing-to-compare-in",
            Text(
                "--with shows a run in a page, and none is asked for", "--with показывает расчёт на странице, а её нет"
            ),
            hint=Text("add -o page.html", "добавьте -o page.html"),
        )
    from sistel.simulation import load_run

    try:
        return {PurePath(path).stem: load_run(path) for path in paths}
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None


def _held(call: Call, system: System) -> tuple[System, Sequence[Diagnostic]]:
    """The system, held where that is asked for; and that nothing drives it, where that is so."""
    if call.given("hold"):
        try:
            return system.held(), ()
        except SistelError as problem:
            raise CallError(problem.diagnostics) from None
    model = system.model
    if not model.motors or model.motions or any(scheme.commands for scheme in model.schemes):
        return system, ()
    count = len(model.motors)
    message = Text(
        f"nothing drives this system: {count} motor{'' if count == 1 else 's'}, none of them commanded",
        f"эту систему ничто не приводит в движение: приводов — {count}, и ни одним не управляют",
    )
    hint = Text(
        "--hold holds the posture of the start, --table moves it along a table of motion",
        "--hold держит позу начала, --table ведёт по таблице движения",
    )
    return system, (Diagnostic("undriven", "note", message, hint=hint),)


def _time(call: Call) -> float:
    from sistel.units import TIME

    text = call.value("until")
    return UNTIL if text is None else read_number("--until", text, TIME)


def _record(call: Call) -> Record:
    """What `--inputs` says."""
    path = call.value("inputs")
    if path is None:
        return {}
    from sistel.markup import read_source
    from sistel.simulation import read_record

    diagnostics = Diagnostics()
    source = read_source(path, diagnostics, allowed(call))
    try:
        diagnostics.raise_if_failed()
        assert source is not None
        return read_record(source)
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None


def _method(call: Call) -> tuple[Literal["auto", "taylor", "runge-kutta", "radau", "gauss"], float | None]:
    from sistel.units import TIME

    word, text = call.value("method"), call.value("step")
    step = None if text is None else read_number("--step", text, TIME)
    if (word == "gauss") != (step is not None) or (step is not None and not 0.0 < step < math.inf):
        wrong_call(
            "bad-method",
            Text(
                "--method gauss and --step go together, and a step is more than 0",
                "--method gauss и --step задаются вместе, и шаг больше 0",
            ),
        )
    for known in ("taylor", "runge-kutta", "radau", "gauss"):
        if word == known:
            return known, step
    return "auto", None


def _seed(call: Call) -> int | None:
    from sistel.units import PLAIN

    text = call.value("seed")
    if text is None:
        return None
    number = read_number("--seed", text, PLAIN)
    if number != int(number):
        wrong_call("bad-seed", Text("a seed is a whole number", "зерно — целое число"))
    return int(number)


def _every(call: Call) -> float | None:
    from sistel.units import TIME

    text = call.value("every")
    value = None if text is None else read_number("--every", text, TIME)
    if value is not None and not 0.0 < value < math.inf:
        wrong_call("bad-number", Text(f'--every cannot be "{text}"', f"--every не может быть «{text}»"))
    return value


class Progress(ProgressLine):
    """Simulated time and structure on a terminal, now and then, in one line."""

    def __init__(self, model: Model, until: float, console: Console) -> None:
        super().__init__(console)
        self.model, self.until, self.first = model, until, model.start_time
        self._begins, self._turn = True, threading.Lock()

    def say_compiling(self) -> None:
        """What takes so long, where nothing moves yet; from a thread beside the work."""
        with self._turn:
            if self._begins:
                self.show("compiling …" if self.console.lang == "en" else "компиляция …")

    def begin(self) -> None:
        """Something moves, or has failed: nothing is compiled any more."""
        with self._turn:
            self._begins = False

    def __call__(self, now: float, structure: str) -> None:
        if self._begins:
            self.begin()
        if not self.due or now >= self.until:
            return
        from sistel.automaton import structure_text
        from sistel.views.text import clean, short, unit

        second = unit("s", self.console.lang)
        whole = self.until - self.first
        part = min(1.0, max(0.0, (now - self.first) / whole)) if whole > 0.0 else 0.0
        full, eighths = divmod(round(8 * BAR * part), 8)
        bar = ("█" * full + " ▏▎▍▌▋▊▉"[eighths] * (eighths > 0)).ljust(BAR)
        name = clean(structure_text(self.model, structure).say(self.console.lang))
        self.show(f"{bar} {100 * part:3.0f} %  {now:.3f} / {short(self.until)} {second}  {name}")


@contextmanager
def progress_of(model: Model, until: float, console: Console) -> Iterator[Progress | None]:
    """A line of progress while something is simulated, wiped after it; none where nobody would see it."""
    line = Progress(model, until, console)
    if not line.on:
        yield None
        return
    late = threading.Timer(COMPILING, line.say_compiling)
    late.daemon = True
    late.start()
    try:
        yield line
    finally:
        late.cancel()
        line.begin()
        line.wipe()


@entry
class _Result:
    """A run, and what there is to say beside."""

    system: System
    run: Run
    given: Mapping[str, object]
    asked: Mapping[str, Array]
    outputs: Sequence[str]
    problems: Sequence[Diagnostic]


def _say(result: _Result, everything: bool, console: Console) -> None:
    system, found, asked = result.system, result.run, result.asked
    if console.json:
        console.document(_data(result, console))
        return
    from sistel.views.text import LIMIT, Paper, asked_tables, run_heading, run_tables

    lang = console.lang
    paper = Paper(console.width, console.colour)
    paper.name(system.name)
    paper.write(run_heading(found, lang))
    for table in [*run_tables(found, lang, None if everything else LIMIT), *asked_tables(asked, lang)]:
        paper.titled(table, lang, "--all")
    console.write(paper.text())
    console.flush()
    console.diagnostics(result.problems)
    console.warnings(found.warnings)
    if found.stopped is not None:
        console.message(
            Text(
                f"{found.stopped.en}; what was computed until then is kept",
                f"{found.stopped.ru}; вычисленное до этого сохранено",
            )
        )
    for output in result.outputs:
        console.written(output)


def _data(result: _Result, console: Console) -> dict[str, object]:
    from sistel.views.text import final_rows, passed

    system, found = result.system, result.run
    model, rows = system.model, final_rows(system.model, found.last.tolist())
    return {
        "name": system.name,
        "file": system.source.path,
        "parameters": {p.name: finite(p.value) for p in model.parameters if p.name in result.given},
        "begin": found.begin,
        "time": found.end,
        "steps": found.steps,
        "structures": [{"name": name, "stays": stays, "time": length} for name, stays, length in passed(found)],
        "events": [
            {
                **event_data(event),
                "energy_loss": finite(event.energy_loss),
                "impulses": {name: [finite(x) for x in impulse] for name, impulse in event.impulses.items()},
            }
            for event in found.events
        ],
        "final": {
            "structure": found.final_structure,
            "q": {name: finite(value) for name, _, value, _ in rows if value is not None},
            "v": {name: finite(rate) for name, _, _, rate in rows if rate is not None},
        },
        "stopped": None if found.stopped is None else found.stopped.say(console.lang),
        "quantities": {
            text: {"first": finite(x[0]), "last": finite(x[-1]), "least": finite(x.min()), "most": finite(x.max())}
            for text, x in result.asked.items()
        },
        "output": result.outputs[0] if result.outputs else None,
        "outputs": list(result.outputs),
        "warnings": [warning.to_json(console.lang) for warning in found.warnings],
        "diagnostics": [diagnostic.to_json(console.lang) for diagnostic in result.problems],
        "losses": [loss.to_json(console.lang) for loss in system.losses],
    }
