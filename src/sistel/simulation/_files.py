"""Runs in files: tables for people and programs, and archives that read back."""

from __future__ import annotations

import json
import math
import os
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from sistel._version import __version__
from sistel.errors import Diagnostics, SistelError, Source, Text

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.simulation._run import Run, Simulated

FORMAT = 1
"""Version of the archives."""


def save_run(run: Run, path: str | os.PathLike[str]) -> None:
    """Write a run: .csv (a row a step) or .npz (everything); a file is replaced whole or not at all.

    Raises:
        SistelError: The suffix means nothing, or the file cannot be written.
    """
    target = Path(path)
    writers = {".csv": _csv, ".npz": _npz}
    if target.suffix not in writers:
        _fail(
            Text(f'"{target.suffix}" is no format of a run', f"«{target.suffix}» — не формат расчёта"),
            Text(".csv or .npz", ".csv или .npz"),
        )
    draft = target.with_name(f".{target.name}.{os.getpid()}.draft")
    try:
        writers[target.suffix](run, draft)
        os.replace(draft, target)
    except OSError as problem:
        draft.unlink(missing_ok=True)
        _fail(Text(f"{target}: {problem.strerror}", f"{target}: {problem.strerror}"), None)


def load_run(path: str | os.PathLike[str], system: Simulated | None = None) -> Run:
    """Read a run from an archive that `save_run` has written: to the bit what it was.

    Args:
        path: The .npz file.
        system: The system that was simulated; without, the one that the file itself describes.

    Raises:
        SistelError: The file is no run, or one of another system.
    """
    try:
        # Opened here, because NumPy leaves open what it cannot read.
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as archive:
            meta = json.loads(str(archive["meta"]))
            if meta["format"] != FORMAT:
                _fail(Text(f"{path}: written by a newer sistel", f"{path}: записано более новой версией"), None)
            parts = [(archive[f"times_{i}"], archive[f"coefficients_{i}"]) for i in range(len(meta["structures"]))]
            return _run(path, meta, parts, archive["last"], system)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        _fail(Text(f"{path}: {reason}", f"{path}: {reason}"), None)
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error):
        _fail(
            Text(f"{path} does not hold a run", f"в {path} нет расчёта"),
            Text("a file that run.save() wrote as .npz", "файл .npz, записанный run.save()"),
        )


def _run(path: Any, meta: Any, parts: list[tuple[Any, Any]], last: Any, system: Simulated | None) -> Run:
    from sistel.engine import Engine
    from sistel.simulation._run import Event, Run, Segment
    from sistel.simulation._simulate import Simulation

    model = _rebuilt(meta["xml"], f"<{path}>") if system is None else system.model
    if model.fingerprint != meta["fingerprint"] and system is not None:
        _fail(
            Text(
                f'{path} is a run of "{meta["system"]}" with other numbers or bodies than those of this system',
                f"{path} — расчёт «{meta['system']}» с другими числами или телами, чем у этой системы",
            ),
            None,
        )
    segments = [
        Segment(structure=name, times=times, coefficients=coefficients)
        for name, (times, coefficients) in zip(meta["structures"], parts, strict=True)
    ]
    events = [
        Event(**{**event, "impulses": {name: np.array(impulse) for name, impulse in event["impulses"].items()}})
        for event in meta["events"]
    ]
    stopped = None if meta["stopped"] is None else Text(*meta["stopped"])
    run = Run(model, segments, events, last, stopped)
    tolerance = meta["tolerance"]
    simulation = Simulation(Engine(model), tolerance) if system is None else system.simulation(tolerance)
    return run.kept_by(simulation, meta["longest"] or math.inf)


def _rebuilt(xml: str, name: str) -> Model:
    """The system that a file of a run describes itself."""
    from sistel.markup import include, read_any
    from sistel.model import build

    diagnostics = Diagnostics()
    document, _ = read_any(Source(name, xml), diagnostics, base="fixed", lock=(), srdf=None)
    diagnostics.raise_if_failed()
    assert document is not None
    return build(document, diagnostics, lambda path, span: include(path, span, diagnostics))


def _csv(run: Run, path: Path) -> None:
    model = run.model
    head = ["t", "structure", *model.coordinate_names, *(f"{name}'" for name in model.rate_names)]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(_quoted(word) for word in head) + "\r\n")
        for t, q, v, structure in run:
            numbers = [repr(float(x)) for x in (*q, *v)]
            file.write(",".join([repr(float(t)), _quoted(structure), *numbers]) + "\r\n")


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\r\n') else text


def _npz(run: Run, path: Path) -> None:
    from sistel.markup import write_document
    from sistel.model import to_document

    meta = {
        "format": FORMAT,
        "sistel": __version__,
        "system": run.model.name,
        "fingerprint": run.model.fingerprint,
        "coordinates": run.model.coordinate_names,
        "rates": run.model.rate_names,
        "xml": write_document(to_document(run.model), "en"),
        "tolerance": run.tolerance or 2.0**-52,
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
            for event in run.events
        ],
    }
    arrays: dict[str, Any] = {"t": run.t, "q": run.q, "v": run.v, "structure": np.array(run.structure)}
    arrays["last"] = run.last
    for number, segment in enumerate(run.segments):
        arrays[f"times_{number}"] = segment.times
        arrays[f"coefficients_{number}"] = segment.coefficients
    with path.open("wb") as file:
        np.savez_compressed(file, meta=np.array(json.dumps(meta, ensure_ascii=False)), **arrays)


def _fail(message: Text, expected: Text | None) -> NoReturn:
    diagnostics = Diagnostics()
    diagnostics.error("no-file", None, message, expected=expected)
    raise SistelError(diagnostics.sorted())
