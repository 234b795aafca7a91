"""Writes the pages of docs/ that the program knows better than people: the gallery and the reference.

They are kept under version control, so that they can be read without building anything; a test says when one is old.

    python tools/pages           writes what has changed
    python tools/pages --check   only says what is old
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import api
import commands
import gallery

from sistel.errors import Language
from sistel.markup.schema.generate import schema_reference

DOCS = Path(__file__).resolve().parents[2] / "docs"
FOLDERS: dict[Language, Path] = {"en": DOCS, "ru": DOCS / "ru"}
PAGES: dict[str, Callable[[Language], str]] = {
    "gallery.md": gallery.page,
    "reference.md": schema_reference,
    "commands.md": commands.page,
    "python.md": api.page,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes or checks the pages; 0 when all is well, 1 when a check finds old ones."""
    parser = argparse.ArgumentParser(prog="python tools/pages", description="Write the generated pages of docs/.")
    parser.add_argument("--check", action="store_true", help="write nothing, say which pages are old")
    options = parser.parse_args(arguments)
    old = 0
    for lang, folder in FOLDERS.items():
        for name, page in PAGES.items():
            path, text = folder / name, page(lang)
            if path.exists() and path.read_text(encoding="utf-8") == text:
                continue
            old += 1
            print(f"{path.relative_to(DOCS.parent)}: {'old' if options.check else 'written'}")
            if not options.check:
                path.write_text(text, encoding="utf-8")
    if options.check and old:
        print("run `python tools/pages`")
    return 1 if options.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
