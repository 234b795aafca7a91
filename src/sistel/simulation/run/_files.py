"""Runs in files: tables for people and programs, and archives that read back."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from sistel import shown
from sistel._version import __version__
from sistel.errors import Diagnostics, Language, SistelError, Source, Span, Text, refuse
from sistel.files import cell, drafted, reason_of
from sistel.markup.tables import WRITERS as SHEETS
from sistel.records import record
from sistel.simulation.run._archive_checks import check_arrays, check_words
from sistel.simulation.run._archives import BROKEN, TooLarge, read_archive, write_archive
from sistel.simulation.run._bookmark import Book, from_arrays, to_arrays
from sistel.simulation.run._columns import run_columns
from sistel.simulation.run._warning_data import plain_warnings, warnings_of

if TYPE_CHECKING:
    from sistel.arrays import AnyArray
    from sistel.model import Model
    from sistel.plain import Json, JsonObject
    from sistel.simulation.run._run import Run, Simulated


FORMAT = 1
"""Version of the archives."""
MOST_BYTES = 2.0**32
"""What a run that is read may take, if nothing else is said: twice what one may keep while it is simulated [bytes]."""

PRINTED: Final = ".print.html"
"""Suffix of a report as a page for print; .html alone is a page that plays the run."""
FILMS: Final = (".mp4", ".webm", ".gif")
"""Suffixes of films."""
MOST_ROWS = 10_000_000
"""Rows of a table; more are rather a mistake in `every`."""


@record
class _Order:
    """What is asked of a file."""

    quantities: Sequence[str] = ()
    every: float | None = None
    lang: Language | None = None
    compare: Sequence[Run] | Mapping[str, Run] = ()


def save_run(
    run: Run,
    path: str | os.PathLike[str],
    *,
    quantities: Sequence[str] = (),
    every: float | None = None,
    lang: Language | None = None,
    compare: Sequence[Run] | Mapping[str, Run] = (),
) -> None:
    """Write a run, see `Run.save`; a file is replaced whole or not at all."""
    target = Path(path)
    suffix = _suffix(target)
    if compare and suffix != ".html":
        _fail(
            Text(f"{target.name} cannot show several runs", f"{target.name} не может показать несколько расчётов"),
            None,
            Text("a page can: .html", "это может страница: .html"),
        )
    if suffix not in WRITERS:
        *others, last = WRITERS
        _fail(
            Text(f'"{target.suffix}" is no format of a run', f"«{target.suffix}» — не формат расчёта"),
            Text(f"{', '.join(others)} or {last}", f"{', '.join(others)} или {last}"),
        )
    if every is not None and not (every > 0.0 and run.end - run.begin <= MOST_ROWS * every):
        _fail(
            Text(
                f"every = {every:g} s is no time between rows of a run of {run.end - run.begin:g} s",
                f"every = {every:g} с — не шаг таблицы для расчёта в {run.end - run.begin:g} с",
            ),
            None,
        )
    try:
        with drafted(target) as draft:
            WRITERS[suffix](run, draft, _Order(quantities=tuple(quantities), every=every, lang=lang, compare=compare))
    except OSError as problem:
        reason = reason_of(problem)
        _fail(Text(f"{target}: {reason.en}", f"{target}: {reason.ru}"), None)


def save_film(run: Run, path: str | os.PathLike[str], **options: object) -> None:
    """Write a film of a run, see `Run.film`; the file is replaced whole or not at all."""
    target = Path(path)
    if target.suffix not in FILMS:
        *others, last = FILMS
        _fail(
            Text(f'"{target.suffix}" is no format of a film', f"«{target.suffix}» — не формат фильма"),
            Text(f"{', '.join(others)} or {last}", f"{', '.join(others)} или {last}"),
        )
    try:
        with drafted(target) as draft:
            shown.ask("run film", run, draft, target.suffix, **options)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        _fail(Text(f"{target}: {reason}", f"{target}: {reason}"), None)


def _suffix(path: Path) -> str:
    """The suffix that names the format: pages for print and tables of motion have two."""
    double = "".join(path.suffixes[-2:])
    return double if double in WRITERS else path.suffix


def load_run(path: str | os.PathLike[str], system: Simulated | None = None, memory: float = MOST_BYTES) -> Run:
    """Read a run from an archive that `save_run` has written: to the bit what it was.

    Args:
        path: The .npz file.
        system: The system that was simulated; without, the one that the file itself describes.
        memory: What its arrays may take [bytes].

    Raises:
        SistelError: The file is no run, or a damaged one, or one of another system, or takes too much memory.
    """
    try:
        meta, arrays, whole = read_archive(path, memory)
        if meta["format"] > FORMAT:
            _fail(Text(f"{path}: written by a newer sistel", f"{path}: записано более новой версией"), None)
        if not whole and (whole is not None or "warnings" in meta):
            _damaged(path)
        parts = [(arrays[f"times_{i}"], arrays[f"coefficients_{i}"]) for i in range(len(meta["structures"]))]
        book = from_arrays(arrays, meta.get("keep", True))
        return _run(path, meta, parts, arrays["last"], system, book)
    except OSError as problem:
        reason = reason_of(problem)
        _fail(Text(f"{path}: {reason.en}", f"{path}: {reason.ru}"), None)
    except TooLarge:
        _fail(
            Text(
                f"{path}: the run takes more than {memory / 2**20:.6g} MiB of memory",
                f"{path}: расчёт занимает больше {memory / 2**20:.6g} МиБ памяти",
            ),
            None,
            Text("memory= allows more", "больше разрешает memory="),
        )
    except BROKEN:
        _fail(
            Text(f"{path} does not hold a run", f"в {path} нет расчёта"),
            Text("a file that run.save() wrote as .npz", "файл .npz, записанный run.save()"),
        )


def _run(
    path: str | os.PathLike[str],
    meta: Json,
    parts: list[tuple[AnyArray, AnyArray]],
    last: AnyArray,
    system: Simulated | None,
    book: Book,
) -> Run:
    from sistel.automaton import Automaton
    from sistel.engine import Engine
    from sistel.simulation._simulate import simulation_of
    from sistel.simulation.run._run import Event, Run, Segment

    model = _rebuilt(meta["xml"], f"<{path}>") if system is None else system.model
    if meta.get("asks") is not None:
        from sistel.model import asking

        period, offset = (float(number) for number in meta["asks"])
        model = asking(model, period, offset)
        system = None if model.fingerprint == meta["fingerprint"] else system
    noted = warnings_of(meta.get("warnings", []))
    if model.fingerprint != meta["fingerprint"] and system is None and meta["sistel"] != __version__:
        # Another version may have counted the fingerprint otherwise.
        noted.add(
            "unproved-system",
            float(last[-1]),
            Text(
                "the system in the file is not the one that it names: that the run is its own cannot be proved",
                "система в файле — не та, которую он называет: принадлежит ли расчёт ей, доказать нельзя",
            ),
        )
    elif model.fingerprint != meta["fingerprint"] and system is None:
        _fail(
            Text(
                f"{path}: the system in the file is not the one that was simulated",
                f"{path}: система в файле — не та, которую рассчитывали",
            ),
            Text("a file that run.save() wrote as .npz", "файл .npz, записанный run.save()"),
        )
    elif model.fingerprint != meta["fingerprint"]:
        _fail(
            Text(
                f'{path} is a run of "{meta["system"]}" with other numbers or bodies than those of this system',
                f"{path} — расчёт «{meta['system']}» с другими числами или телами, чем у этой системы",
            ),
            None,
        )
    size = model.state_size
    for name in set(meta["structures"]):
        Automaton(model).structure(name)
    check_arrays(size, last, parts, book)
    check_words(meta)
    segments = [
        Segment(structure=name, times=times, coefficients=coefficients)
        for name, (times, coefficients) in zip(meta["structures"], parts, strict=True)
    ]
    events = [
        Event(**{**event, "impulses": {name: np.array(impulse) for name, impulse in event["impulses"].items()}})
        for event in meta["events"]
    ]
    stopped = None if meta["stopped"] is None else Text(*meta["stopped"])
    programmed = bool(meta.get("programmed", False))
    run = Run(model, segments, events, last, stopped, book=book, programmed=programmed, warnings=noted)
    how = (meta["tolerance"], *meta.get("method", ("auto", None)))
    try:
        simulation = simulation_of(Engine.of(model), *how) if system is None else system.simulation(*how)
    except SistelError:
        raise ValueError("no method, or none with this tolerance") from None
    return run.kept_by(simulation, meta["longest"] or math.inf)


def _damaged(path: str | os.PathLike[str]) -> NoReturn:
    """Refuse an archive whose checksum is another, or missing: it came with the list of warnings."""
    _fail(
        Text(
            f"{path} does not hold a run that is whole: its numbers are not those that were written",
            f"в {path} нет целого расчёта: числа в нём не те, что были записаны",
        ),
        Text("a file that run.save() wrote as .npz", "файл .npz, записанный run.save()"),
    )


def _rebuilt(xml: str, name: str) -> Model:
    """The system that a file of a run describes itself."""
    from sistel.markup import read_any
    from sistel.model import build

    diagnostics = Diagnostics()

    def refuse(path: str, span: Span) -> None:
        # What was written had all its inclusions inside: whoever put one there wants another file to be read.
        message = Text("the system in an archive includes no files", "система в архиве не включает файлов")
        diagnostics.error("bad-inclusion", span, message)

    document, _ = read_any(Source(name, xml), diagnostics, base="fixed", lock=(), srdf=None)
    diagnostics.raise_if_failed()
    assert document is not None
    return build(document, diagnostics, refuse)


def _csv(run: Run, path: Path, order: _Order) -> None:
    times, structures, columns = run_columns(run, order.quantities, order.every)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(cell(word) for word in ("t", "structure", *columns)) + "\r\n")
        names = {name: cell(str(name)) for name in np.unique(structures)}
        # `repr` of a float is the shortest text that reads back to the bit.
        for row in zip(times.tolist(), structures, *(column.tolist() for column in columns.values()), strict=True):
            file.write(",".join([repr(row[0]), names[row[1]], *map(repr, row[2:])]) + "\r\n")


def _parquet(run: Run, path: Path, order: _Order) -> None:
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        _fail(
            Text("Parquet tables need the package pyarrow", "для таблиц Parquet нужен пакет pyarrow"),
            None,
            Text("pip install 'sistel[tables]'", "pip install 'sistel[tables]'"),
        )
    times, structures, columns = run_columns(run, order.quantities, order.every)
    named = arrow.array(structures.tolist(), arrow.string()).dictionary_encode()
    table = arrow.table({"t": times, "structure": named, **{name: np.array(c) for name, c in columns.items()}})
    about = {key: _meta(run)[key] for key in ("sistel", "system", "fingerprint", "tolerance")}
    about["events"] = _meta(run)["events"]
    about["warnings"] = [warning.to_json("en") for warning in run.warnings]
    table = table.replace_schema_metadata({"sistel": json.dumps(about, ensure_ascii=False)})
    with path.open("wb") as file:
        parquet.write_table(table, file)


def _without_expressions(order: _Order, what: Text) -> None:
    if order.quantities:
        _fail(
            Text(f"{what.en} shows no expressions", f"{what.ru} не показывает выражений"),
            None,
            Text("run.plot() draws them as curves", "кривыми их рисует run.plot()"),
        )


def _svg(run: Run, path: Path, order: _Order) -> None:
    _without_expressions(order, Text("a moving scheme", "подвижная схема"))
    path.write_text(shown.ask("run picture", run, order.lang), encoding="utf-8")


def _html(run: Run, path: Path, order: _Order) -> None:
    path.write_text(shown.ask("run page", run, order.lang, order.quantities, order.compare), encoding="utf-8")


def _x3d(run: Run, path: Path, order: _Order) -> None:
    path.write_text(shown.ask("run scene", run, order.lang), encoding="utf-8")


def _report(suffix: str) -> Callable[[Run, Path, _Order], None]:
    def write(run: Run, path: Path, order: _Order) -> None:
        path.write_bytes(shown.ask("run report", run, suffix, order.lang, order.quantities, order.every))

    return write


def _film(suffix: str) -> Callable[[Run, Path, _Order], None]:
    def write(run: Run, path: Path, order: _Order) -> None:
        _without_expressions(order, Text("a film", "фильм"))
        shown.ask("run film", run, path, suffix, lang=order.lang)

    return write


def _meta(run: Run) -> JsonObject:
    """What a file says of its run."""
    return {
        "format": FORMAT,
        "sistel": __version__,
        "system": run.model.name,
        "fingerprint": run.model.fingerprint,
        "coordinates": run.model.coordinate_names,
        "rates": run.model.rate_names,
        "tolerance": run.tolerance or 2.0**-52,
        "method": list(run.method),
        "keep": run.book.keep,
        "programmed": run.programmed,
        "longest": run.longest if math.isfinite(run.longest) else None,
        "stopped": None if run.stopped is None else [run.stopped.en, run.stopped.ru],
        "structures": [segment.structure for segment in run.segments],
        "events": [
            {
                "time": event.time,
                "transition": event.transition,
                "before": event.before,
                "after": event.after,
                "energy_loss": event.energy_loss,
                "impulses": {name: impulse.tolist() for name, impulse in event.impulses.items()},
            }
            for event in run.passages
        ],
    }


def _npz(run: Run, path: Path, order: _Order) -> None:
    from sistel.markup import write_document
    from sistel.model import to_document

    meta = {**_meta(run), "xml": write_document(to_document(run.model), "en"), "quantities": list(order.quantities)}
    meta["warnings"] = plain_warnings(run.noted)
    for scheme in run.model.schemes:
        if scheme.asks and scheme.clock is not None:
            meta["asks"] = [scheme.clock.period, scheme.clock.time(0)]
    arrays: dict[str, AnyArray] = {"t": run.t, "q": run.q, "v": run.v, "structure": np.array(run.structure)}
    arrays["last"] = run.last
    if run.book.marks:
        arrays |= to_arrays(run.book)
    for number, text in enumerate(order.quantities):
        arrays[f"quantity_{number}"] = run.quantity(text)
    for number, segment in enumerate(run.segments):
        arrays[f"times_{number}"] = segment.times
        arrays[f"coefficients_{number}"] = np.asarray(segment.coefficients)
    with path.open("wb") as file:
        write_archive(file, meta, arrays, compressed=True)


def _motion(kind: str, run: Run, path: Path, order: _Order) -> None:
    from sistel.simulation.run._tables import table_of

    path.write_bytes(table_of(run, order.every).encoded(kind, lang=order.lang))


WRITERS: Final[Mapping[str, Callable[[Run, Path, _Order], None]]] = {
    ".html": _html,
    ".svg": _svg,
    ".x3d": _x3d,
    **{kind: _film(kind) for kind in FILMS},
    ".csv": _csv,
    ".parquet": _parquet,
    ".npz": _npz,
    ".pdf": _report(".pdf"),
    ".fo": _report(".fo"),
    PRINTED: _report(PRINTED),
    **{f".table{kind}": partial(_motion, kind) for kind in SHEETS},
}
"""Formats of runs, by the suffix of their files; `sistel run --output` tells of each."""


def _fail(message: Text, expected: Text | None, hint: Text | None = None) -> NoReturn:
    refuse("no-file", message, expected=expected, hint=hint)
