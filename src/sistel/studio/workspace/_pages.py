"""Pages that windows show: kept by the digest of what is in them, the newest ones, and handed out by who made them."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Final

from sistel.files import drafted
from sistel.studio.workspace._folder import Folder

MOST_PAGES: Final = 32
"""That are handed out; a window shows one or two."""
STALE: Final = 86_400.0
"""After which pages of servers before are removed [s]."""
_NAME: Final = re.compile(r"[0-9a-f]{40}\.html")


def write_page(folder: Path, page: str) -> str:
    """Put a page into a folder; returns its name."""
    data = page.replace("<html ", "<html data-embedded ", 1).encode("utf-8", "replace")
    name = f"{hashlib.sha256(data).hexdigest()[:40]}.html"
    place = folder / name
    if not place.exists():
        with drafted(place, clean=False) as draft:
            draft.write_bytes(data)
    return name


class Pages:
    """The pages that a server hands out: only those that its own processes made, whatever else lies in the folder."""

    def __init__(self, folder: Folder) -> None:
        """None yet."""
        self._folder = folder
        self._known: OrderedDict[str, None] = OrderedDict()

    @property
    def place(self) -> Path:
        """Where they are."""
        return self._folder.own_folder("pages")

    def tidy(self) -> None:
        """Remove pages of servers before; one that still shows them has made them lately."""
        with suppress(OSError):
            for each in os.scandir(self._folder.own / "pages"):
                if each.is_file(follow_symlinks=False) and time.time() - each.stat().st_mtime > STALE:
                    with suppress(OSError):
                        os.unlink(each.path)

    def made(self, name: str) -> str:
        """Hand a page out from now on; returns its address, as seen from that of the studio."""
        self._known[name] = None
        self._known.move_to_end(name)
        while len(self._known) > MOST_PAGES:
            old, _ = self._known.popitem(last=False)
            with suppress(OSError):
                (self.place / old).unlink()
        return f"pages/{name}"

    def read(self, name: str) -> bytes | None:
        """A page, if it is one of those, and is what it was."""
        if _NAME.fullmatch(name) is None or name not in self._known:
            return None
        self._known.move_to_end(name)
        try:
            data = (self.place / name).read_bytes()
        except OSError:
            return None
        return data if hashlib.sha256(data).hexdigest()[:40] == name[:40] else None

    def has(self, name: str) -> bool:
        """Whether it can be handed out."""
        return name in self._known and (self.place / name).is_file()
