"""How notebooks show what this package makes."""

from __future__ import annotations

from importlib import import_module


class NotebookShown:
    """Shown as a page of its own in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        # Pages are made further up: nothing below them is loaded for their sake.
        return str(import_module("sistel.views").notebook_html(self))
