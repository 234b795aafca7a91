"""Finished chunks in a folder: written whole or not at all, and found again after whatever happened."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sistel._version import __version__
from sistel.ensembles._part import COLUMNS, NOWHERE, OUTCOMES, Part, Passage, empty
from sistel.ensembles._work import Work
from sistel.errors import Diagnostic, Text, refuse
from sistel.files import drafted, open_regular, reason_of, remove_forsaken
from sistel.simulation import BROKEN, read_archive, write_archive

if TYPE_CHECKING:
    from sistel.arrays import AnyArray
    from sistel.plain import JsonObject

FORMAT = 2
"""Version of the files; from 2 on chunks know which they are."""
MANIFEST = "ensemble.json"
ROOM = 2**20
"""What the file of a chunk may take beside its columns [bytes]: names and messages."""
NAMED = 8
"""Chunks that a warning names by number."""


class Stranger(ValueError):
    """A file is no chunk of an ensemble, or another than it should be; `why` says so in both languages."""

    def __init__(self, en: str, ru: str) -> None:
        """With the reason."""
        super().__init__(en)
        self.why = Text(en, ru)


def save_part(part: Part, path: Path, identity: JsonObject) -> None:
    """Write results to an .npz file; it is there whole or not at all, even when the power goes."""
    meta = {
        "format": FORMAT,
        **identity,
        "structures": part.structures,
        "passages": part.passages,
        "messages": part.messages,
    }
    arrays: dict[str, AnyArray] = {name: getattr(part, name) for name in COLUMNS}
    # All names of a folder with many chunks are looked at once, when it is opened.
    with drafted(path, durable=True, clean=False) as draft, draft.open("wb") as file:
        write_archive(file, meta, arrays, compressed=False)


def load_part(path: Path, identity: JsonObject) -> Part:
    """Read results back.

    Raises:
        FileNotFoundError: There are none.
        Stranger: They are damaged, or those of another chunk or another ensemble.
    """
    damaged = Stranger("damaged", "повреждены")
    try:
        meta, arrays, whole = read_archive(path, os.stat(path).st_size + ROOM)  # columns are not compressed
        if meta["format"] < FORMAT:
            raise Stranger("written by an earlier version", "записаны прежней версией")
        if meta["format"] > FORMAT or not whole:
            raise damaged
        if meta["ensemble"] != identity["ensemble"]:
            raise Stranger("of another ensemble", "из другого ансамбля")
        if any(meta[name] != value for name, value in identity.items()):
            raise Stranger("in the place of others", "на чужом месте")
        columns = {name: arrays[name] for name in COLUMNS}
        part = Part(
            **columns,
            structures=tuple(map(str, meta["structures"])),
            passages=tuple(Passage(*map(str, each)) for each in meta["passages"]),
            messages=tuple((int(i), str(en), str(ru)) for i, en, ru in meta["messages"]),
        )
        if not _sound(part, identity["end"] - identity["begin"]):
            raise damaged
    except FileNotFoundError:
        raise
    except Stranger:
        raise
    except (OSError, *BROKEN):
        raise damaged from None
    return part


def _sound(part: Part, count: int) -> bool:
    """Whether the columns are those of so many runs, and their numbers lead to names that are there."""
    kept = part.times.shape[1] if part.times.ndim == 2 else 0
    size = part.state.shape[1] if part.state.ndim == 2 else 0
    usual = empty(count, size, kept, (), ())
    for name in COLUMNS:
        own, other = getattr(part, name), getattr(usual, name)
        if own.shape != other.shape or own.dtype != other.dtype:
            return False
    return bool(
        np.isin(part.outcome, list(OUTCOMES)).all()
        and ((part.structure >= NOWHERE) & (part.structure < len(part.structures))).all()
        and ((part.sequence >= NOWHERE) & (part.sequence < len(part.passages))).all()
    )


class Store:
    """The folder of one ensemble."""

    def __init__(self, folder: str | os.PathLike[str], work: Work, device: str | None = None) -> None:
        """Open a folder, or make it.

        Args:
            folder: Where it is.
            work: The ensemble.
            device: What does the runs; None for processors. They round otherwise, and results of two are not mixed.

        Raises:
            SistelError: It cannot be made or written to, or holds another ensemble.
        """
        self.folder, self.work, self.device = Path(folder), work, device
        self._strange: dict[Text, list[int]] = {}
        """Chunks that were there and are not taken, by the reason."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._manifest()
            remove_forsaken(self.folder)
        except OSError as problem:
            said = reason_of(problem)
            refuse("no-folder", Text(f"{folder}: {said.en}", f"{folder}: {said.ru}"), expected=None)

    def _manifest(self) -> None:
        own, path = _about(self.work) | {"device": self.device}, self.folder / MANIFEST
        try:
            with open_regular(path) as file:
                known = json.loads(file.read(ROOM).decode("utf-8"))
            # Folders of earlier versions say nothing of devices.
            found = {key: known[key] for key in own if key != "device"} | {"device": known.get("device")}
        except FileNotFoundError:
            self._describe(own)
            return
        except (ValueError, KeyError, TypeError, AttributeError):
            refuse(
                "no-folder",
                Text(f"{path} is no description of an ensemble", f"{path} — не описание ансамбля"),
                expected=Text("an empty folder, or that of this ensemble", "пустая папка или папка этого ансамбля"),
            )
        other = [key for key in own if key != "digest" and found[key] != json.loads(json.dumps(own[key]))]
        if found["format"] == 1 and found["digest"] == own["digest"] and not {*other} - {"format", "sistel", "code"}:
            # Its chunks do not know which they are: each is said to be of an earlier version, and done again.
            self._describe(own)
            return
        if other or found["digest"] != own["digest"]:
            what = ", ".join(other) or "values"
            refuse(
                "no-folder",
                Text(
                    f"{self.folder} holds another ensemble; what differs: {what}",
                    f"в {self.folder} лежит другой ансамбль; различаются: {what}",
                ),
                expected=Text("an empty folder, or that of this ensemble", "пустая папка или папка этого ансамбля"),
            )

    def _describe(self, own: JsonObject) -> None:
        with drafted(self.folder / MANIFEST) as draft:
            draft.write_text(json.dumps(own, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")

    def path(self, index: int) -> Path:
        """The file of a chunk."""
        return self.folder / f"part-{index:06d}.npz"

    def identity(self, index: int) -> JsonObject:
        """What a chunk knows of itself: its ensemble, its number, and which runs it holds."""
        begin, end = self.work.bounds(index)
        return {"ensemble": self.work.digest, "code": code_digest(), "index": index, "begin": begin, "end": end}

    def load(self, index: int) -> Part | None:
        """A chunk that was finished before; None for one that was not, or whose file holds something else."""
        try:
            return load_part(self.path(index), self.identity(index))
        except FileNotFoundError:
            return None
        except Stranger as problem:
            self._strange.setdefault(problem.why, []).append(index)
            return None

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What was found in the folder and not taken, one warning for every reason."""
        return tuple(
            Diagnostic(
                "strange-chunk",
                "warning",
                Text(
                    f"{self.folder}: results that are {why.en} are not taken, and their runs are done again "
                    f"(chunks {_numbers(found)})",
                    f"{self.folder}: результаты, которые {why.ru}, не взяты, их запуски выполнены заново "
                    f"(порции {_numbers(found)})",
                ),
            )
            for why, found in self._strange.items()
        )

    def save(self, index: int, part: Part) -> None:
        """Keep a finished chunk.

        Raises:
            SistelError: It cannot be written.
        """
        try:
            save_part(part, self.path(index), self.identity(index))
        except OSError as problem:
            said = reason_of(problem)
            refuse("no-folder", Text(f"{self.folder}: {said.en}", f"{self.folder}: {said.ru}"), expected=None)


def _numbers(found: Sequence[int]) -> str:
    """Some numbers in words."""
    more = f" … {found[-1]}" if len(found) > NAMED else ""
    return ", ".join(map(str, found[:NAMED])) + more


def _about(work: Work) -> JsonObject:
    """What identifies an ensemble."""
    options = work.options
    return {
        "format": FORMAT,
        "sistel": __version__,
        "code": code_digest(),
        "fingerprint": work.blueprint.fingerprint,
        "parameters": dict(work.blueprint.values),
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
def code_digest() -> str:
    """A digest of this package: another state of it may round otherwise, and results of two are not mixed."""
    digest = hashlib.sha256()
    folder = Path(__file__).resolve().parent.parent
    for file in sorted(folder.rglob("*.py")):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\n" + file.read_bytes())
    return digest.hexdigest()
