"""What the form of a page is told, as types: see `_page_data`."""

from __future__ import annotations

from typing import Literal, TypedDict

from sistel.views._page_words import Words


class FormField(TypedDict):
    """A number of the file.

    A number times the first of `scale` over the second is in SI, `value` is what the model has [SI], `min` and `max`
    are in the unit of the field. `place` is where the number stands in the text of the file, or nothing where the file
    leaves it out; then `slot` says which piece of text it would gain. `of` is what it sets of the motion.
    `drawn` says whether bodies would be drawn otherwise with another number: the picture keeps those of the file.
    """

    key: str
    group: Literal["parameters", "gravity", "start"]
    name: Words
    about: Words
    written: str
    unit: Words
    scale: tuple[float, float]
    value: float | None
    min: float | None
    max: float | None
    formula: bool
    required: bool
    of: Literal["parameter", "q", "v", ""]
    parameter: str
    drawn: bool
    index: int
    line: int
    place: list[int]
    slot: int


class FormSlot(TypedDict):
    """A piece of text that the file gains as soon as one of its fields is filled in; `parent` is -1 for none."""

    first: int
    last: int
    parent: int
    before: str
    after: str


class FormData(TypedDict):
    """A form of the file of a page: the block of its text, and its encoding where it is not UTF-8."""

    id: str
    file: str
    encoding: list[int]
    fields: list[FormField]
    slots: list[FormSlot]
    left: list[Words]
