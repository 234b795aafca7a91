"""The folder: where a name leads, and never out of it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError, Text, refuse
from sistel.files import drafted, reason_of
from sistel.records import entry, record
from sistel.studio.workspace._names import check_name, why_not

if TYPE_CHECKING:
    from sistel.plain import JsonObject

OWN: Final = ".sistel"
"""Folder inside the folder, for drafts, runs and what else the studio keeps."""
SERVER: Final = "server.json"
"""Inside it: the address of who serves the folder, with its token."""
MOST_FILES: Final = 4000
"""Files that are listed; a home folder may have millions."""
MOST_SEEN: Final = 40_000
"""Names that are looked at for it."""
DEEP: Final = 8
"""Folders inside each other that are listed."""
_SKIPPED: Final = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})


@entry
class Found:
    """A file of the folder, as the disk knows it."""

    path: str
    """Inside the folder, with slashes."""
    state: os.stat_result


@record
class Listing:
    """The files of the folder."""

    files: tuple[Found, ...]
    left_out: int
    """Names that are not shown: links that lead out, names that are none everywhere."""
    cut: bool
    """Whether there are more."""


class Folder:
    """A folder and the names of files in it."""

    def __init__(self, place: str | os.PathLike[str]) -> None:
        """Of a folder that is there.

        Raises:
            SistelError: It is not there, or no folder.
        """
        try:
            self.root = Path(place).resolve(strict=True)
            os.listdir(self.root)
        except (OSError, RuntimeError, ValueError) as problem:
            said = reason_of(problem)
            refuse("no-folder", Text(f"{place}: {said.en}", f"{place}: {said.ru}"))

    @property
    def own(self) -> Path:
        """Where the studio keeps its own things; made when it is needed."""
        return self.root / OWN

    def own_folder(self, *parts: str) -> Path:
        """A folder of the studio's own, for this user alone.

        Raises:
            SistelError: It cannot be made, or is a link.
        """
        place = self.root
        for part in (OWN, *parts):
            place = place / part
            try:
                place.mkdir(mode=0o700, exist_ok=True)
            except OSError as problem:
                said = reason_of(problem)
                refuse("no-folder", Text(f"{place}: {said.en}", f"{place}: {said.ru}"))
            if place.is_symlink() or not place.is_dir():
                refuse("no-folder", Text(f"{place} is no folder", f"{place} — не папка"))
        return place

    def announce(self, said: Mapping[str, object]) -> None:
        """Write down who serves this folder, for scripts of the same user."""
        with suppress(OSError, SistelError), drafted(self.own_folder() / SERVER, durable=False) as draft:
            draft.touch(mode=0o600)
            draft.write_text(json.dumps(said), encoding="utf-8")

    def withdraw(self, pid: int) -> None:
        """Take that away again, if it is of this process."""
        if self.served().get("pid") == pid:
            with suppress(OSError):
                (self.own / SERVER).unlink()

    def served(self) -> JsonObject:
        """Who serves this folder, or did when it was killed; empty where nobody has."""
        try:
            found = json.loads((self.own / SERVER).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def place(self, path: str) -> Path:
        """Where a file of a name is, or would be, with all links followed.

        Raises:
            SistelError: The name is none, or leads out of the folder.
        """
        place = self.root / check_name(path)
        try:
            real = place.resolve()
        except (OSError, RuntimeError):
            real = Path(os.sep)
        if not real.is_relative_to(self.root) or OWN in real.relative_to(self.root).parts[:1]:
            refuse(
                "leads-out",
                Text(f"{path} leads out of the folder", f"{path} ведёт за пределы папки"),
                hint=Text("a link in it points elsewhere", "ссылка в нём указывает наружу"),
            )
        return real

    def listing(self) -> Listing:
        """The files that may be named, without hidden ones."""
        found: list[Found] = []
        left_out = seen = 0
        cut = False
        for where, names in self._folders():
            for name in names:
                seen += 1
                path = f"{where}/{name}" if where else name
                if seen > MOST_SEEN or len(found) >= MOST_FILES:
                    cut = True
                    break
                if why_not(path) is not None:
                    left_out += 1
                    continue
                try:
                    real = (self.root / path).resolve(strict=True)
                    state = real.stat()
                except (OSError, RuntimeError):
                    continue
                if not stat.S_ISREG(state.st_mode):
                    continue
                if real.is_relative_to(self.root):
                    found.append(Found(path, state))
                else:
                    left_out += 1
            if cut:
                break
        return Listing(files=tuple(found), left_out=left_out, cut=cut)

    def folders(self) -> Iterator[Path]:
        """The folders whose files are listed, this one first."""
        for where, _ in self._folders():
            yield self.root / where if where else self.root

    def _folders(self) -> Iterator[tuple[str, list[str]]]:
        """Folders by name, with the names of the files in them; links to folders are not followed."""
        waiting = [""]
        while waiting:
            where = waiting.pop()
            files, inside = [], []
            try:
                with os.scandir(self.root / where if where else self.root) as entries:
                    for each in sorted(entries, key=lambda each: each.name):
                        if each.name.startswith("."):
                            continue
                        if each.is_dir(follow_symlinks=False):
                            if each.name not in _SKIPPED and where.count("/") < DEEP - 1:
                                inside.append(f"{where}/{each.name}" if where else each.name)
                        else:
                            files.append(each.name)
            except OSError:
                continue
            yield where, files
            waiting += reversed(inside)
