"""Systems as works use them: of the text that was sent, with the values of parameters that the window tries."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.errors import Diagnostic, SistelError, Source
from sistel.studio.service._parameters import tried
from sistel.studio.service._read import given

if TYPE_CHECKING:
    from sistel.model import Model
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


def wrong_cell(source: Source) -> tuple[Diagnostic, ...]:
    """What is wrong with a text of a cell, and with what it names."""
    from sistel.cells import parse_cell

    if not os.path.isabs(source.path):
        # Arms usually lie beside the folder of cells; the folder of the studio has both.
        source = Source(source.path, source.text, roots=(os.path.dirname(source.path) or ".", "."))
    try:
        parse_cell(source, _arm)
    except SistelError as problem:
        return problem.diagnostics
    return ()


def wrong_motors(source: Source) -> tuple[Diagnostic, ...]:
    """What is wrong with a text of motors to choose from."""
    from sistel.tasks import read_motors

    try:
        read_motors(source, _bare())
    except SistelError as problem:
        return problem.diagnostics
    return ()


@lru_cache(maxsize=1)
def _bare() -> Model:
    """A model of no parameters."""
    from sistel.system import parse

    return parse('<system name="bare"><body name="rod" mass="1 kg"/></system>').model


def _arm(path: str) -> Model:
    """The model of a file that a cell names."""
    return _loaded(path, os.stat(path).st_mtime_ns).model


@lru_cache(maxsize=4)
def _loaded(path: str, changed: int) -> System:
    """A file as it was at a time: the same one is asked for at every key that is typed."""
    from sistel.system import load

    return load(path)


def stem_of(path: str) -> str:
    """What files that are made of another one begin with."""
    return PurePath(path).name.partition(".")[0] or "system"
