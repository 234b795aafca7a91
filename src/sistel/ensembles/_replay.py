"""One run of an ensemble once more, and ensembles as files."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sistel.ensembles._dependence import start_formulas
from sistel.ensembles._live import LiveStarts, LiveWorkshop, live_workshop
from sistel.ensembles._part import COLUMNS, OUTCOMES
from sistel.ensembles._python_fallback import careful_run
from sistel.ensembles._starts import Starts
from sistel.ensembles._store import _about
from sistel.ensembles._work import Axis, Work
from sistel.ensembles._workshop import workshop
from sistel.errors import Text, refuse
from sistel.files import drafted, reason_of
from sistel.simulation import Run

if TYPE_CHECKING:
    from sistel.ensembles._ensemble import Ensemble


def run_again(work: Work, index: int, end: float) -> Run:
    """A run with all its steps, until it ends; what fails there is missing from it.

    Args:
        work: The ensemble.
        index: The run.
        end: When it ended [s].

    Raises:
        SistelError: There is no state to begin with.
    """
    columns = work.columns(index, index + 1)
    names = tuple(axis.name for axis in columns if axis.kind == "p")
    formulas = start_formulas(work.blueprint, names)
    values = tuple((a.name, float(a.values[0])) for a in columns if a.kind == "p" and a.name not in formulas.names)
    live = live_workshop(work.blueprint, names, work.options) if values else None
    if live is not None:
        return _live_again(live, columns, end)
    shop = workshop(work.blueprint, values, work.options)
    structure = shop.model.structure(work.options.structure)
    with shop.lock:
        states, wrong = Starts(shop.engine, structure, formulas).states(columns, np.arange(1))
        for text in wrong.values():
            refuse("no-start", text)
        return careful_run(shop.simulation, states[0], work.options, end).run


def _live_again(shop: LiveWorkshop, columns: Sequence[Axis], end: float) -> Run:
    values = np.array([[float(axis.values[0]) for axis in columns if axis.kind == "p"]])
    with shop.lock:
        wrong = shop.wrong(values)
        if not wrong:
            structure = shop.model.structure(shop.options.structure)
            states, wrong = LiveStarts(shop, structure, values).states(columns, np.arange(1))
        for text in wrong.values():
            refuse("no-start", text)
        return careful_run(shop.tuned(values[0]), states[0], shop.options, end).run


def save_whole(ensemble: Ensemble, path: str | os.PathLike[str]) -> None:
    """Write everything to an .npz file, replaced whole or not at all."""
    target = Path(path)
    if target.suffix != ".npz":
        refuse("no-file", Text(f'"{target.suffix}" is no format of ensembles: .npz', "ансамбли хранятся в .npz"))
    whole = ensemble.whole
    meta = _about(ensemble.work) | {
        "structures": whole.structures,
        "passages": whole.passages,
        "messages": whole.messages,
        "outcomes": {str(key): text.en for key, text in OUTCOMES.items()},
    }
    arrays = {name: getattr(whole, name) for name in COLUMNS}
    arrays |= {f"given_{i}": axis.values for i, axis in enumerate(ensemble.work.axes)}
    try:
        with drafted(target) as draft, draft.open("wb") as file:
            np.savez_compressed(file, meta=np.array(json.dumps(meta, ensure_ascii=False)), **arrays)
    except OSError as problem:
        said = reason_of(problem)
        refuse("no-file", Text(f"{target}: {said.en}", f"{target}: {said.ru}"))
