"""The text of a picture, as notebooks and files take it."""

from __future__ import annotations


class Drawing(str):
    """The text of an SVG picture, which notebooks show as the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)
