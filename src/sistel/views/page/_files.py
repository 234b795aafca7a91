"""Templates and style sheets of pages, which stand beside the sources."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def view_text(name: str) -> str:
    """A file in a folder of the package `views`."""
    return files("sistel.views").joinpath(*name.split("/")).read_text(encoding="utf-8")
