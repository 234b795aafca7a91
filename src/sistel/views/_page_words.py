"""Texts of pages, and what their numbers count: the smallest of the types that pages are told, see `_page_data`."""

from __future__ import annotations

from typing import Literal, TypedDict


class Words(TypedDict):
    """A text in both languages."""

    en: str
    ru: str


Said = str | Words
"""A text that is the same in both languages, or one for each."""
Sort = Literal["angle", "length", "number"]
"""Of a coordinate: what it counts."""
Quantity = Literal["angle", "length", "number", "force", "moment", "energy", "power"]
"""Of a curve: what it counts."""
