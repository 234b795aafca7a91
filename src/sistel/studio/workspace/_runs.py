"""Runs that are kept in the folder: each a folder of its own, there whole or not at all."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sistel.errors import Text, refuse
from sistel.files import draft_name, drafted, is_forsaken, open_regular, reason_of
from sistel.studio.workspace._folder import Folder
from sistel.studio.workspace._names import why_not

if TYPE_CHECKING:
    from sistel.plain import JsonObject

ARCHIVE: Final = "run.npz"
MODEL: Final = "model.xml"
ENTRY: Final = "entry.json"
_ID: Final = re.compile(r"[0-9a-f]{10,13}-[0-9a-f]{6}")
MOST_ENTRY: Final = 2**20
"""Bytes of what is told of a run."""
LONGEST_NAME: Final = 120
"""Letters."""


class Runs:
    """The runs of a folder."""

    def __init__(self, folder: Folder) -> None:
        """Nothing is read or made yet."""
        self.folder = folder
        self._known: dict[str, tuple[int, JsonObject]] = {}
        """What the file of an entry said, and when that was written."""

    @property
    def _root(self) -> Path:
        return self.folder.own / "runs"

    def tidy(self) -> None:
        """Remove what processes left that were killed while they wrote."""
        with suppress(OSError):
            for name in os.listdir(self._root):
                if name.endswith(".draft") and is_forsaken(name):
                    shutil.rmtree(self._root / name, ignore_errors=True)

    def begun(self) -> tuple[str, Path]:
        """The name of a new run, and an empty folder to put it into; it is no run before `kept`."""
        made = f"{time.time_ns() // 1_000_000:x}-{secrets.token_hex(3)}"
        draft = self.folder.own_folder("runs") / draft_name(f".{made}")
        try:
            draft.mkdir(mode=0o700)
        except OSError as problem:
            said = reason_of(problem)
            refuse("not-written", Text(f"{draft}: {said.en}", f"{draft}: {said.ru}"))
        return made, draft

    def kept(self, made: str, draft: Path, entry: Mapping[str, object], name: str | None) -> JsonObject:
        """A run that is whole: from now on it is one of the folder.

        Args:
            made: Its name, as `begun` gave it.
            draft: The folder that it was put into.
            entry: What is told of it.
            name: What it is called; without one, after its model, with a number where that is taken.
        """
        called = _checked(name) if name else self._free(str(entry.get("model") or "run"))
        whole = {**entry, "id": made, "name": called}
        with drafted(draft / ENTRY, durable=True, clean=False) as file:
            file.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
        os.rename(draft, self._root / made)
        return whole

    def dropped(self, draft: Path) -> None:
        """A run that came to nothing."""
        shutil.rmtree(draft, ignore_errors=True)

    def listed(self) -> list[JsonObject]:
        """All of them, the last one first."""
        try:
            names = sorted((name for name in os.listdir(self._root) if _ID.fullmatch(name)), reverse=True)
        except OSError:
            return []
        known, found = {}, []
        for name in names:
            place = self._root / name / ENTRY
            try:
                stamp = place.stat().st_mtime_ns
                before = self._known.get(name)
                if before is None or before[0] != stamp:
                    with open_regular(place) as file:
                        read = json.loads(file.read(MOST_ENTRY))
                    if not _is_entry(read):
                        continue
                    before = stamp, {**read, "id": name}
            except (OSError, ValueError, TypeError, RecursionError):
                continue  # somebody else has written there: it is no run
            known[name] = before
            found.append(before[1])
        self._known = known
        return found

    def entry(self, which: str) -> JsonObject:
        """What is told of a run.

        Raises:
            SistelError: There is no such run.
        """
        found = next((each for each in self.listed() if each["id"] == which), None)
        if found is None:
            refuse(
                "no-run",
                Text(f'there is no run "{which[:40]}"', f"расчёта «{which[:40]}» нет"),
                hint=Text("it may have been removed in another window", "возможно, его убрали в другом окне"),
            )
        return found

    def place(self, which: str, name: str = ARCHIVE) -> Path:
        """A file of a run.

        Raises:
            SistelError: There is no such run.
        """
        self.entry(which)
        place = self._root / which / name
        if place.is_symlink():
            refuse("leads-out", Text("a link in this run points elsewhere", "ссылка в этом расчёте указывает наружу"))
        return place

    def rename(self, which: str, name: str) -> JsonObject:
        """Call a run otherwise."""
        return self.update(which, {"name": _checked(name)})

    def has(self, which: str) -> bool:
        """Whether it is still there."""
        return _ID.fullmatch(which) is not None and (self._root / which / ENTRY).is_file()

    def update(self, which: str, more: Mapping[str, object]) -> JsonObject:
        """Write down more of what is told of a run."""
        whole = {**self.entry(which), **more}
        with drafted(self._root / which / ENTRY, durable=True) as file:
            file.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
        return whole

    def remove(self, which: str) -> None:
        """Take a run away; from one instant to the next it is none."""
        self.entry(which)
        gone = self._root / draft_name(f".{which}")
        try:
            os.rename(self._root / which, gone)
        except OSError as problem:
            said = reason_of(problem)
            refuse("not-removed", Text(f"the run: {said.en}", f"расчёт: {said.ru}"))
        shutil.rmtree(gone, ignore_errors=True)

    def _free(self, name: str) -> str:
        name = _tidied(name)[:LONGEST_NAME] or "run"
        taken = {each.get("name") for each in self.listed()}
        if name not in taken:
            return name
        number = 2
        while f"{name} {number}" in taken:
            number += 1
        return f"{name} {number}"


def _is_entry(read: object) -> bool:
    """Whether a file says of a run what is always said."""
    if not isinstance(read, dict) or not isinstance(read.get("name"), str) or not isinstance(read.get("path"), str):
        return False
    if why_not(read["path"]) is not None:
        return False  # what its text includes would be looked for elsewhere
    kept = {"changed": dict, "tried": dict, "said": list, "vary": list}
    if any(not isinstance(read[key], kind) for key, kind in kept.items() if read.get(key) is not None):
        return False
    if read.get("kind") != "sweep":
        return True
    vary = read.get("vary") or []
    numbers = ("begin", "end", "count")
    return 1 <= len(vary) <= 2 and all(
        isinstance(each, dict)
        and set(each) <= {"name", "unit", *numbers}
        and isinstance(each.get("name"), str)
        and all(isinstance(each.get(key), int | float) for key in numbers)
        for each in vary
    )


def _checked(name: str) -> str:
    """A name as it may be shown, without what is not seen.

    Raises:
        SistelError: Nothing is left of it, or it is too long.
    """
    found = _tidied(name)
    if not found or len(found) > LONGEST_NAME:
        refuse(
            "bad-name",
            Text(f'"{found[:40]}" cannot be the name of a run', f"«{found[:40]}» не может быть именем расчёта"),
            expected=Text(f"1 to {LONGEST_NAME} letters", f"от 1 до {LONGEST_NAME} знаков"),
        )
    return found


def _tidied(name: str) -> str:
    return " ".join("".join(each if each.isprintable() else " " for each in name).split())
