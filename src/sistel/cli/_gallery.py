"""The gallery: models that come with the package, or lie in `models/` of a checkout."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sistel.errors import SistelError, Text
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.system import System

_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
# A dot after a short word belongs to an abbreviation.
_SENTENCE = re.compile(r"(?<=[\w)»\"]{4})[.!?](?=\s|$)")


@entry
class Entry:
    """A model of the gallery."""

    name: str
    path: Path

    def text(self) -> str:
        """Its file."""
        return self.path.read_text(encoding="utf-8")

    @property
    def names(self) -> Text | None:
        """What it is called in both languages."""
        from sistel.cli._gallery_names import NAMES

        return NAMES.get(self.name)

    @property
    def walks(self) -> bool:
        """Whether it moves by a gait that is composed for it."""
        from sistel.cli._gallery_names import WALKING

        return self.name in WALKING

    def about(self) -> str:
        """The first sentence of its first comment."""
        found = _COMMENT.search(self.text())
        words = " ".join(found.group(1).split()) if found else ""
        return _SENTENCE.split(words, maxsplit=1)[0]

    def system(self) -> System | None:
        """The system, unless its file is wrong."""
        from sistel.system import load

        try:
            return load(self.path)
        except SistelError:
            return None


@cache
def folder() -> Path | None:
    """Where the models are; None for an installation without them."""
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent.parent / "models"
    for candidate in (package / "gallery", checkout if package.parent.name == "src" else package / "gallery"):
        if candidate.is_dir():
            return candidate
    return None


def entries() -> tuple[Entry, ...]:
    """All models by name, without the parts that they include."""
    where = folder()
    if where is None:
        return ()
    from sistel.cli._gallery_names import PARTS

    # Folders hold scenes, cells and prototypes, and parts of a mission, which has the name of its folder.
    found = {path.stem: path for path in where.glob("*.xml") if path.is_file()}
    found |= {path.parent.name: path for path in where.glob("*/mission.xml")}
    return tuple(Entry(name, found[name]) for name in sorted(found) if name not in PARTS)
