"""Finished chunks in a folder: written whole or not at all, and found again after whatever happened."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from sistel._version import __version__
from sistel.ensembles._part import COLUMNS, Part, Passage
from sistel.ensembles._work import Work
from sistel.errors import Diagnostics, SistelError, Text

FORMAT = 1
"""Version of the files."""
MANIFEST = "ensemble.json"
_BROKEN = (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError)
"""What reading a file that is no chunk may raise."""


def save_part(part: Part, path: Path) -> None:
    """Write results to an .npz file; it is there whole or not at all, even when the power goes."""
    meta = {
        "format": FORMAT,
        "structures": part.structures,
        "passages": part.passages,
        "messages": part.messages,
    }
    arrays: dict[str, Any] = {name: getattr(part, name) for name in COLUMNS}
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        with draft.open("wb") as file:
            np.savez(file, meta=np.array(json.dumps(meta, ensure_ascii=False)), **arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def load_part(path: Path) -> Part:
    """Read results back; raises one of many errors where there are none."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
        meta = json.loads(str(archive["meta"]))
        if meta["format"] != FORMAT:
            raise ValueError("another format")
        columns = {name: archive[name] for name in COLUMNS}
    if len({len(column) for column in columns.values()}) != 1:
        raise ValueError("columns of different lengths")
    return Part(
        **columns,
        structures=tuple(meta["structures"]),
        passages=tuple(Passage(*each) for each in meta["passages"]),
        messages=tuple((int(i), str(en), str(ru)) for i, en, ru in meta["messages"]),
    )


class Store:
    """The folder of one ensemble."""

    def __init__(self, folder: str | os.PathLike[str], work: Work) -> None:
        """Open a folder, or make it.

        Raises:
            SistelError: It cannot be made or written to, or holds another ensemble.
        """
        self.folder, self.work = Path(folder), work
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._manifest()
            for draft in self.folder.glob(f".*.{os.getpid()}.draft"):
                draft.unlink(missing_ok=True)
        except OSError as problem:
            _fail(Text(f"{folder}: {problem.strerror}", f"{folder}: {problem.strerror}"), None)

    def _manifest(self) -> None:
        own, path = _about(self.work), self.folder / MANIFEST
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            found = {key: known[key] for key in own}
        except FileNotFoundError:
            draft = path.with_name(f".{MANIFEST}.{os.getpid()}.draft")
            draft.write_text(json.dumps(own, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
            os.replace(draft, path)
            return
        except (ValueError, KeyError, TypeError):
            _fail(
                Text(f"{path} is no description of an ensemble", f"{path} — не описание ансамбля"),
                Text("an empty folder, or that of this ensemble", "пустая папка или папка этого ансамбля"),
            )
        other = [key for key in own if key != "digest" and found[key] != json.loads(json.dumps(own[key]))]
        if other or found["digest"] != own["digest"]:
            what = ", ".join(other) or "values"
            _fail(
                Text(
                    f"{self.folder} holds another ensemble; what differs: {what}",
                    f"в {self.folder} лежит другой ансамбль; различаются: {what}",
                ),
                Text("an empty folder, or that of this ensemble", "пустая папка или папка этого ансамбля"),
            )

    def path(self, index: int) -> Path:
        """The file of a chunk."""
        return self.folder / f"part-{index:06d}.npz"

    def load(self, index: int) -> Part | None:
        """A chunk that was finished before; None for one that was not, or whose file is damaged."""
        begin, end = self.work.bounds(index)
        try:
            part = load_part(self.path(index))
        except _BROKEN:
            return None
        return part if len(part) == end - begin else None

    def save(self, index: int, part: Part) -> None:
        """Keep a finished chunk.

        Raises:
            SistelError: It cannot be written.
        """
        try:
            save_part(part, self.path(index))
        except OSError as problem:
            _fail(Text(f"{self.folder}: {problem.strerror}", f"{self.folder}: {problem.strerror}"), None)


def _about(work: Work) -> dict[str, Any]:
    """What identifies an ensemble."""
    options = work.options
    return {
        "format": FORMAT,
        "sistel": __version__,
        "code": _code(),
        "fingerprint": work.recipe.fingerprint,
        "parameters": dict(work.recipe.values),
        "tolerance": options.tolerance,
        "method": options.method,
        "until": options.until,
        "events": options.most_events,
        "steps": options.most_steps,
        "longest": repr(options.longest),
        "structure": options.structure,
        "stop": list(options.stop),
        "kept": options.kept,
        "shape": list(work.shape),
        "axes": [
            {"kind": axis.kind, "name": axis.name, "count": len(axis.values)}
            | ({"first": float(axis.values[0]), "last": float(axis.values[-1])} if len(axis.values) else {})
            for axis in work.axes
        ],
        "chunk": work.chunk,
        "digest": work.digest,
    }


@lru_cache(maxsize=1)
def _code() -> str:
    """A digest of this package: another state of it may round otherwise, and results of two are not mixed."""
    digest = hashlib.sha256()
    folder = Path(__file__).resolve().parent.parent
    for file in sorted(folder.rglob("*.py")):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\n" + file.read_bytes())
    return digest.hexdigest()


def _fail(message: Text, expected: Text | None) -> NoReturn:
    diagnostics = Diagnostics()
    diagnostics.error("no-folder", None, message, expected=expected)
    raise SistelError(diagnostics.sorted())
