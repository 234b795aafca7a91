"""A sweep or a map: many runs, what became of each, kept chunk by chunk so that a kill loses little."""

from __future__ import annotations

import json
import math
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError, Text, did_you_mean, one_of, refuse
from sistel.files import drafted
from sistel.studio.jobs._orders import SWEEP_TABLE, SweepOrder
from sistel.studio.jobs._running import OFTEN, UNTIL, Say, Shelf, changed_by

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.ensembles import Ensemble
    from sistel.system import System

CHUNKS: Final = 40
"""Into about how many pieces a sweep is divided, each of which is kept when it is done."""
KEEP: Final = "chunks"
"""Folder of those."""
VALUES: Final = "values.jsonl"
"""Values of the quantity, a line for some runs; added to, never written anew."""
RESULT: Final = "result.npz"
LINES: Final = 0.5
"""Between two lines of values [s]."""


class _Progress:
    """How far it is, told now and then: first the runs, then what is asked of each."""

    def __init__(self, say: Say, asked: bool) -> None:
        self._say, self._part = say, 0.5 if asked else 1.0
        self._last = 0.0

    def runs(self, done: int, of: int) -> None:
        self._tell(self._part * done / max(of, 1), done, of)

    def values(self, done: int, of: int) -> None:
        self._tell(self._part + (1.0 - self._part) * done / max(of, 1), done, of)

    def _tell(self, share: float, done: int, of: int) -> None:
        now = time.monotonic()
        if now - self._last < OFTEN and done < of:
            return
        self._last = now
        self._say({"share": share, "note": {"en": f"{done} of {of} runs", "ru": f"расчётов: {done} из {of}"}})


def do_sweep(order: SweepOrder, shelf: Shelf, say: Say) -> None:
    """Do what is not done yet, and write down what there is."""
    from sistel.studio.service import failure

    say({"share": None, "note": {"en": "equations", "ru": "уравнения"}})
    progress = _Progress(say, bool(order.quantity))
    try:
        system = shelf.system(order)
        changed = changed_by(order)
        if changed:
            system = system.with_parameters(changed)
        found = _ensemble(system, order, progress)
        values, whole = None, found.stopped is None
        if order.quantity and whole:
            values, whole = _values(found, order, progress)
    except SistelError as failed:
        say({"failed": failure(failed, order.path)})
        return
    say({"keeping": True})
    say({"kept": _kept(found, values, order, whole)})


def _ensemble(system: System, order: SweepOrder, progress: _Progress) -> Ensemble:
    from sistel.studio.service import in_si

    model = system.model
    known = {parameter.name for parameter in model.parameters}
    starts = [*model.coordinate_names, *(f"{name}.rate" for name in model.rate_names), "t"]
    axes: dict[str, dict[str, list[float]]] = {"parameters": {}, "initial": {}}
    for each in order.vary:
        if each.name not in known and each.name not in starts:
            refuse(
                "unknown-name",
                Text(
                    f'there is no parameter, coordinate or velocity "{each.name[:60]}"',
                    f"нет параметра, координаты, скорости «{each.name[:60]}»",
                ),
                expected=one_of((*known, *starts)),
                hint=did_you_mean(each.name, (*known, *starts)),
            )
        if each.name in known:
            axes["parameters"][each.name] = in_si(order.path, order.text, each.name, each.values())
        else:
            axes["initial"][each.name] = each.values()
    if order.quantity:
        from sistel.model import read_quantity

        read_quantity(model, order.quantity)
    count = math.prod(each.count for each in order.vary)
    return system.ensemble(
        model.start_time + UNTIL if order.until is None else order.until,
        initial=axes["initial"],
        parameters=axes["parameters"],
        grid=True,
        chunk=max(1, -(-count // CHUNKS)),
        keep=Path(order.folder) / KEEP,
        progress=progress.runs,
    )


def _values(found: Ensemble, order: SweepOrder, progress: _Progress) -> tuple[Array, bool]:
    """The quantity of every run, and whether of all: each is done once more, with all its steps; NaN for none."""
    import numpy as np

    place = Path(order.folder) / VALUES
    made = np.full(len(found), np.nan)
    done = _read_values(place, made)
    row: list[float | None] = []
    begin = time.monotonic()

    def write() -> None:
        with place.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    try:
        for index in range(done, len(found)):
            made[index] = _asked(found, index, order)
            row.append(made[index] if math.isfinite(made[index]) else None)
            progress.values(index + 1, len(found))
            if time.monotonic() - begin > LINES:
                write()
                row, begin = [], time.monotonic()
    except KeyboardInterrupt:  # asked to stop: what there is stays
        return made, False
    finally:
        if row:
            write()
    return made, True


def _read_values(place: Path, made: Array) -> int:
    """Fill in what is known already; returns of how many runs. A line that was cut off ends it."""
    done, whole = 0, 0
    try:
        data = place.read_bytes()
    except FileNotFoundError:
        return 0
    for line in data.split(b"\n")[:-1]:
        try:
            row = [math.nan if each is None else float(each) for each in json.loads(line)]
        except (ValueError, TypeError):
            break
        if done + len(row) > len(made):
            break
        made[done : done + len(row)] = row
        done, whole = done + len(row), whole + len(line) + 1
    if whole < len(data):
        with place.open("r+b") as file:
            file.truncate(whole)
    return done


def _asked(found: Ensemble, index: int, order: SweepOrder) -> float:
    import numpy as np

    try:
        values = np.asarray(found.run(index).quantity(order.quantity), dtype=float)
    except SistelError:
        return math.nan  # that run failed: the table says how
    values = values[np.isfinite(values)] if order.of != "last" else values[-1:]
    if not len(values):
        return math.nan
    return float(values[-1] if order.of == "last" else values.min() if order.of == "least" else values.max())


def _kept(found: Ensemble, values: Array | None, order: SweepOrder, done: bool) -> dict[str, object]:
    """Write the results; returns what is told of them."""
    import numpy as np

    from sistel.ensembles import OUTCOMES

    folder = Path(order.folder)
    part = found.whole
    arrays: dict[str, NDArray[np.generic]] = {
        **{f"axis_{i}": found.values(each.name) for i, each in enumerate(order.vary)},
        "outcome": part.outcome,
        "structure": part.structure,
        "events": part.events,
        "end": part.state[:, -1],
        "structures": np.array(part.structures, dtype=np.str_),
    }
    if values is not None:
        arrays["values"] = values
    with drafted(folder / RESULT, durable=True) as draft, draft.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    with drafted(folder / SWEEP_TABLE) as draft:
        draft.write_text(_table(arrays, order), encoding="utf-8")
    if done and len(order.vary) == 2:
        for lang in ("en", "ru"):
            what = "ends" if values is None else values
            drawn = found.map(
                what, x=order.vary[0].name, y=order.vary[1].name, label=order.quantity or None, title="", lang=lang
            )
            drawn.save(folder / f"map-{lang}.svg")
    if done:
        shutil.rmtree(folder / KEEP, ignore_errors=True)
    summary = found.summary
    said = [
        {"text": {"en": OUTCOMES[key].en, "ru": OUTCOMES[key].ru}, "count": n} for key, n in summary.outcomes.items()
    ]
    return {
        "done": summary.runs,
        "state": "done" if done else "unfinished",
        "outcomes": said,
        "warnings": summary.failed,
    }


def _table(arrays: dict[str, NDArray[np.generic]], order: SweepOrder) -> str:
    """All runs as a table [SI]."""
    import csv
    import io

    from sistel.ensembles import OUTCOMES

    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    names = [each.name for each in order.vary]
    asked = [f"{order.quantity} ({order.of})"] if "values" in arrays else []
    rows.writerow([*(_cell(name) for name in names), *map(_cell, asked), "outcome", "structure", "events", "end"])
    structures = [str(each) for each in arrays["structures"]]
    columns = [arrays[f"axis_{i}"].tolist() for i in range(len(names))]
    values = [arrays["values"].tolist()] if asked else []
    told = zip(
        *columns,
        *values,
        (OUTCOMES[int(each)].en for each in arrays["outcome"].tolist()),
        (_cell(structures[int(each)]) if int(each) >= 0 else "" for each in arrays["structure"].tolist()),
        arrays["events"].tolist(),
        arrays["end"].tolist(),
        strict=True,
    )
    rows.writerows(told)
    return out.getvalue()


def _cell(text: str) -> str:
    """A text that no spreadsheet computes."""
    return f"'{text}" if text[:1] in "=+-@" else text
