"""The scripts of a page as one module: plain files, one after another, without their imports and exports."""

from __future__ import annotations

import posixpath
import re
from functools import cache
from importlib.resources import files

FIRST = "page/app/main.js"
"""The module that needs all others, in the folder of the package `views`."""

_IMPORT = re.compile(r'^import .* from "(.*)";\n', re.MULTILINE)
_REMARK = re.compile(r"^ *(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
_INDENT = re.compile(r"^ +|\n(?=\n)", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async |function|class|const|let)", re.MULTILINE)


def view_text(name: str) -> str:
    """A file in a folder of the package `views`."""
    return files("sistel.views").joinpath(*name.split("/")).read_text(encoding="utf-8")


@cache
def app_text(name: str) -> str:
    """A file of the page's own folder."""
    return view_text(f"page/app/{name}")


def modules(first: str = FIRST) -> dict[str, str]:
    """The texts of a module and of all that it imports, each after those that it needs."""
    found: dict[str, str] = {}
    open_: list[tuple[str, bool]] = [(first, False)]
    seen: set[str] = set()
    while open_:
        name, ready = open_.pop()
        if ready:
            found[name] = view_text(name)
        elif name not in seen:
            seen.add(name)
            near = [posixpath.normpath(f"{name}/../{path}") for path in _IMPORT.findall(view_text(name))]
            open_ += [(name, True), *((each, False) for each in reversed(near))]
    return found


@cache
def bundle(first: str = FIRST) -> str:
    """A module and all that it imports as one, without the comments that stand on lines of their own."""
    whole = "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in modules(first).values())
    return _INDENT.sub("", _REMARK.sub("", whole))
