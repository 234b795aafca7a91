"""What pages of every kind are told: where `_page_data` and the types beside it are put together."""

from __future__ import annotations

from typing import Literal, TypedDict

from sistel.errors import Language
from sistel.views._lesson_data import LessonData
from sistel.views._model_data import EquationsBlock
from sistel.views._page_data import CommonData, PageData
from sistel.views._page_words import Words
from sistel.views._picture_data import PlanarScheme, SpatialScheme


class ViewerData(TypedDict):
    """The page of one scene: its viewer, and what of it the page carries."""

    viewer: Literal["x_ite", "x3dom"]
    title: str
    lang: Language
    parts: list[str]
    fonts: list[str]
    blocks: list[str]
    fit: bool
    """Whether the scene has no viewpoint of its own: then all of it is shown."""


class GripperData(TypedDict):
    """The page of the gripper: components of the viewer, fields of the prototype by key, codes, and a tour."""

    lang: Language
    parts: list[str]
    fields: dict[str, str]
    octants: list[list[int]]
    euler: dict[str, list[float]]
    tour: list[float]


class SentItem(TypedDict):
    """Bytes for a drive in hexadecimal digits; whether, how soon and until what it answers; when they are sent [ms]."""

    data: str
    answer: bool
    patience: int
    until: tuple[int, int] | None
    time: int | None
    shown: str


class SentStage(TypedDict):
    """What one click sends."""

    title: Words
    items: list[SentItem]


class SenderData(TypedDict):
    """The page that sends a program to drives over a serial line."""

    lang: Language
    baud: int
    frame: Literal["line", "telegram", "packet"]
    good: str
    stages: list[SentStage]
    stop: list[SentItem]


PAYLOADS = (PageData, LessonData, ViewerData, GripperData, SenderData, EquationsBlock)
"""What pages read as JSON; everything else is a part of these."""
COMMON = (CommonData, PlanarScheme, SpatialScheme)
"""What several of them begin with."""
