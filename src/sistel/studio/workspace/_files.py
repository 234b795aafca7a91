"""Files of the folder: read, saved whole or not at all, never over what somebody else has written meanwhile."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from sistel.errors import Language, SistelError, Text, did_you_mean, refuse
from sistel.files import drafted, open_regular, reason_of, remove_forsaken
from sistel.records import entry
from sistel.studio.workspace._folder import Folder
from sistel.studio.workspace._samples import NONE, Samples
from sistel.studio.workspace._texts import Form, decode, encode

if TYPE_CHECKING:
    from sistel.plain import JsonObject

T = TypeVar("T")

MOST: Final = 16 * 2**20
"""Bytes of a file that is opened: what the language itself reads at most."""
RECENT: Final = 20
"""Files that are remembered."""

_KINDS: Final = {
    "model": (".xml", ".urdf", ".mjcf", ".xacro"),
    "table": (".csv", ".ods", ".xlsx", ".json", ".tsv"),
    "mesh": (".stl", ".obj", ".dae", ".ply"),
    "run": (".npz",),
    "page": (".html",),
    "picture": (".svg", ".png", ".jpg", ".x3d"),
    "text": (".md", ".txt", ".py", ".xsl", ".srdf", ".scxml"),
}
_ROOT: Final = re.compile(rb"<([^\s!?/>]+)")
_ROOTS: Final = {
    **dict.fromkeys(("task", "задача"), "task"),
    **dict.fromkeys(("drives", "приводы"), "drives"),
    "motors": "motors",
    **dict.fromkeys(("cell", "ячейка"), "cell"),
}
"""Kinds of XML files that are no models, by their first elements."""
_NAMED_MOTOR: Final = re.compile(r"<привод\s[^>]*\bимя\s*=", re.IGNORECASE)


@entry
class Held:
    """A file as it was read."""

    text: str
    stamp: str
    form: Form


class Files:
    """The files of a folder."""

    def __init__(self, folder: Folder, samples: Samples = NONE) -> None:
        """Of a folder, with what new files may begin with."""
        self.folder = folder
        self.samples = samples
        self._turn = threading.Lock()
        self._known: dict[str, tuple[tuple[int, int, int], str, str]] = {}
        """Stamp and kind of a file, as long as the disk says that it is the same."""

    def tidy(self) -> None:
        """Remove what servers left in the folder that were killed while they saved."""
        for place in islice(self.folder.folders(), 500):
            remove_forsaken(place)

    # --- what is there

    def listed(self) -> dict[str, object]:
        """All files, with their stamps."""
        listing = self.folder.listing()
        rows, known = [], {}
        for found in listing.files:
            state = found.state
            key = (state.st_mtime_ns, state.st_size, state.st_ino)
            before = self._known.get(found.path)
            if before is None or before[0] != key:
                try:
                    before = (key, *self._look(found.path, state))
                except (OSError, SistelError):
                    continue
            known[found.path] = before
            rows.append({"path": found.path, "size": state.st_size, "stamp": before[1], "kind": before[2]})
        self._known = known
        return {"files": rows, "left_out": listing.left_out, "cut": listing.cut}

    def _look(self, path: str, state: os.stat_result) -> tuple[str, str]:
        """Stamp and kind of a file."""
        suffix = Path(path).suffix.casefold()
        kind = next((kind for kind, suffixes in _KINDS.items() if suffix in suffixes), "other")
        if state.st_size > MOST:
            return _far_stamp(state), kind
        with open_regular(self.folder.place(path)) as file:
            data = file.read(MOST + 1)
        if kind == "model" and suffix == ".xml":
            kind = _kind_of(data)
        return stamp_of(data), kind

    def read(self, path: str) -> dict[str, object]:
        """The text of a file, and what was typed into it and not saved."""
        held = self.held(path)
        self._remember(path)
        found: dict[str, object] = {"path": path, "text": held.text, "stamp": held.stamp}
        draft = self._draft(path)
        if draft is not None and draft["text"] != held.text:
            found["draft"] = draft
        return found

    def held(self, path: str) -> Held:
        """A file as it stands on the disk.

        Raises:
            SistelError: It cannot be read, or is no text.
        """
        data = self._bytes(path)
        text, form = decode(data, path)
        return Held(text, stamp_of(data), form)

    def _bytes(self, path: str) -> bytes:
        place = self.folder.place(path)
        try:
            with open_regular(place) as file:
                data = file.read(MOST + 1)
        except OSError as problem:
            said = reason_of(problem)
            code = "no-file" if problem.errno in (errno.ENOENT, errno.ENOTDIR) else "not-read"
            refuse(code, Text(f"{path}: {said.en}", f"{path}: {said.ru}"))
        if len(data) > MOST:
            refuse(
                "file-too-large",
                Text(
                    f"{path} is larger than {MOST >> 20} MiB, which is the most that is opened",
                    f"{path} больше {MOST >> 20} МиБ: столько открывается самое большее",
                ),
            )
        return data

    # --- what is written

    def save(self, path: str, text: str, stamp: str | None, force: bool = False) -> dict[str, object]:
        """Write a file, unless the disk has something else by now than what was read.

        Args:
            path: Its name.
            text: What it is to hold.
            stamp: Of what was read; None for a file that was not there.
            force: Whether what others wrote meanwhile is written over.
        """
        with self._alone():
            try:
                now: Held | None = self.held(path)
            except SistelError as problem:
                if problem.diagnostics[0].code not in ("no-file", "not-text", "file-too-large"):
                    raise
                if problem.diagnostics[0].code != "no-file" and not force:
                    raise
                now = None
            if not force and (None if now is None else now.stamp) != stamp:
                _conflict(path, now is None)
            data = encode(text, Form() if now is None else now.form, path)
            self._write(path, data)
        self.draft(path, None)
        self._remember(path)
        return {"stamp": stamp_of(data)}

    def create(self, path: str, text: str) -> dict[str, object]:
        """A file that is not there yet."""
        with self._alone():
            place = self.folder.place(path)
            if place.exists():
                _taken(path)
            data = encode(text, Form(), path)
            self._write(path, data)
        self._remember(path)
        return {"path": path, "stamp": stamp_of(data)}

    def put(self, path: str, data: bytes) -> str:
        """A new file with these bytes, under this name or, where that is taken, with a number; returns the name."""
        with self._alone():
            folder, slash, name = path.rpartition("/")
            stem, dot, suffixes = name.partition(".")
            number = 1
            while self.folder.place(path).exists():
                number += 1
                path = f"{folder}{slash}{stem}_{number}{dot}{suffixes}"
            self._write(path, data)
        return path

    def content(self, path: str) -> bytes:
        """What stands in a file.

        Raises:
            SistelError: It cannot be read, or is too large.
        """
        return self._bytes(path)

    def rename(self, path: str, to: str) -> dict[str, object]:
        """Another name; nothing is written over."""
        with self._alone():
            self._bytes(path)
            target = self.folder.place(to)
            if target.exists():
                _taken(to)
            draft = self._draft(path)
            with _told(to):
                target.parent.mkdir(parents=True, exist_ok=True)
                # The link, not what it leads to: that stays where it is.
                os.rename(self.folder.root / path, target)
            self.draft(path, None)
            if draft is not None:
                self.draft(to, draft["text"], draft["stamp"])
        self._remember(to, instead=path)
        return {"path": to}

    def remove(self, path: str) -> dict[str, object]:
        """Take a file away: into the studio's own folder, from which it can be had back by hand."""
        with self._alone():
            place = self.folder.place(path)
            if not place.is_file():
                refuse("no-file", Text(f"{path}: there is no such file", f"{path}: такого файла нет"))
            bin_ = self.folder.own_folder("removed")
            target = bin_ / place.name
            number = 1
            while target.exists():
                number += 1
                target = bin_ / f"{place.stem} {number}{place.suffix}"
            with _told(path):
                os.rename(self.folder.root / path, target)
            self.draft(path, None)
        return {"kept": f"{target.relative_to(self.folder.root)}"}

    def _write(self, path: str, data: bytes) -> None:
        if len(data) > MOST:
            refuse(
                "file-too-large",
                Text(f"{path}: more than {MOST >> 20} MiB", f"{path}: больше {MOST >> 20} МиБ"),
            )
        place = self.folder.place(path)
        with _told(path):
            place.parent.mkdir(parents=True, exist_ok=True)
            mode = place.stat().st_mode & 0o777 if place.exists() else None
            with drafted(place, durable=True) as draft:
                draft.write_bytes(data)
                if mode is not None:
                    draft.chmod(mode)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else looks and writes meanwhile: no other window, and no other studio on this folder."""
        with self._turn, (self.folder.own_folder() / "lock").open("wb") as lock:
            try:
                import fcntl
            except ImportError:  # Windows: its tabs still wait for each other
                yield
                return
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    # --- what was typed and not saved

    def draft(self, path: str, text: str | None, stamp: str | None = None) -> None:
        """Keep what was typed into a file, or forget it.

        Args:
            path: The file.
            text: What its window holds; None forgets it.
            stamp: Of the file that it was typed into.
        """
        place = self._draft_place(path)
        if text is None:
            with suppress(OSError):
                place.unlink(missing_ok=True)
            return
        with _told(path), drafted(place) as draft:
            draft.write_text(json.dumps({"path": path, "text": text, "stamp": stamp}), encoding="utf-8")

    def _draft(self, path: str) -> JsonObject | None:
        try:
            found = json.loads(self._draft_place(path).read_text(encoding="utf-8"))
            return {"text": str(found["text"]), "stamp": found["stamp"]} if found["path"] == path else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _draft_place(self, path: str) -> Path:
        self.folder.place(path)
        name = hashlib.sha256(path.encode()).hexdigest()[:24]
        return self.folder.own_folder("drafts") / f"{name}.json"

    # --- what was opened

    @property
    def recent(self) -> list[str]:
        """Names of files that were opened, the last one first, as far as they are still there."""
        found = []
        for path in self._recent():
            with suppress(SistelError):
                if self.folder.place(path).is_file():
                    found.append(path)
        return found

    def _recent(self) -> list[str]:
        try:
            found = json.loads((self.folder.own / "recent.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return [path for path in found if isinstance(path, str)] if isinstance(found, list) else []

    def _remember(self, path: str, instead: str | None = None) -> None:
        before = self._recent()
        now = [path, *(each for each in before if each not in (path, instead))][:RECENT]
        if now != before:
            with suppress(OSError, SistelError), drafted(self.folder.own_folder() / "recent.json") as draft:
                draft.write_text(json.dumps(now, ensure_ascii=False), encoding="utf-8")

    # --- what a new file may begin with

    def beginning(self, *, template: str | None = None, sample: str | None = None, lang: Language = "en") -> str:
        """The text of a template or of a model of the gallery."""
        if template is not None:
            missing = Text(f'there is no template "{template[:60]}"', f"нет образца «{template[:60]}»")
            return _known(template, self.samples.templates, "unknown-template", missing).text(lang)
        assert sample is not None
        missing = Text(f'the gallery has no model "{sample[:60]}"', f"в галерее нет модели «{sample[:60]}»")
        return _known(sample, self.samples.models, "unknown-sample", missing).text(lang)


def _known(name: str, known: Mapping[str, T], code: str, missing: Text) -> T:
    if name not in known:
        refuse(code, missing, hint=did_you_mean(name, known))
    return known[name]


def stamp_of(data: bytes) -> str:
    """What tells one content of a file from another."""
    return hashlib.sha256(data).hexdigest()[:20]


def _far_stamp(state: os.stat_result) -> str:
    return f"{state.st_mtime_ns:x}-{state.st_size:x}-{state.st_ino:x}"


def _kind_of(data: bytes) -> str:
    """What an XML file describes, by its first element."""
    head = re.sub(rb"<!--.*?(?:-->|$)|<\?.*?\?>", b"", data[:4096], flags=re.DOTALL)
    found = _ROOT.search(head)
    name = found[1].decode("utf-8", "replace").rpartition(":")[2] if found else ""
    kind = _ROOTS.get(name.casefold(), "model")
    if kind == "drives" and _NAMED_MOTOR.search(head.decode("utf-8", "replace")):
        return "motors"  # in Russian both are called so: motors of a catalogue have names, drives are of joints
    return kind


def _conflict(path: str, gone: bool) -> None:
    refuse(
        "conflict",
        Text(f"{path} is gone from the disk", f"файла {path} на диске больше нет")
        if gone
        else Text(f"{path} was changed on the disk meanwhile", f"{path} тем временем изменён на диске"),
        hint=Text(
            "nothing was written: compare, then save over it or take what is there",
            "ничего не записано: сравните, затем сохраните поверх или возьмите то, что на диске",
        ),
    )


def _taken(path: str) -> None:
    refuse("file-exists", Text(f"{path} is there already", f"{path} уже есть"))


@contextmanager
def _told(path: str) -> Iterator[None]:
    """What the disk refuses, as an error with the name of the file."""
    try:
        yield
    except OSError as problem:
        said = reason_of(problem)
        refuse("not-written", Text(f"{path}: {said.en}", f"{path}: {said.ru}"))
