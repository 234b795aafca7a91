"""Systems as works use them: of the text that was sent, with the values of parameters that the window tries."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.studio.service._parameters import tried
from sistel.studio.service._read import given

if TYPE_CHECKING:
    from sistel.system import System


def system_of(params: Mapping[str, object]) -> System:
    """The system of a call.

    Raises:
        SistelError: Its text describes none.
    """
    path, text = given(params)
    changed = tried(path, text, params)
    system = _parsed(path, text)
    return system.with_parameters(changed) if changed else system


@lru_cache(maxsize=2)
def _parsed(path: str, text: str) -> System:
    from sistel.system import parse

    return parse(text, path)


def stem_of(path: str) -> str:
    """What files that are made of another one begin with."""
    return PurePath(path).name.partition(".")[0] or "system"
