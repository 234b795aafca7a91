"""Runs in files: tables for people and programs, and archives that read back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel._version import __version__
from sistel.errors import Diagnostics, SistelError, Text

if TYPE_CHECKING:
    from sistel.simulation._run import Run


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
    meta = {
        "sistel": __version__,
        "system": run.model.name,
        "fingerprint": run.model.fingerprint,
        "coordinates": run.model.coordinate_names,
        "rates": run.model.rate_names,
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
    for number, segment in enumerate(run.segments):
        arrays[f"times_{number}"] = segment.times
        arrays[f"coefficients_{number}"] = segment.coefficients
    with path.open("wb") as file:
        np.savez_compressed(file, meta=np.array(json.dumps(meta, ensure_ascii=False)), **arrays)


def _fail(message: Text, expected: Text | None) -> None:
    diagnostics = Diagnostics()
    diagnostics.error("no-file", None, message, expected=expected)
    raise SistelError(diagnostics.sorted())
