"""A chunk on another machine: what travels there, what comes back, and whether both ends would round alike."""

from __future__ import annotations

import hashlib
import pickle
import platform
import zlib
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sistel._version import __version__
from sistel.ensembles._chunk import do_piece
from sistel.ensembles._store import code_digest
from sistel.ensembles._work import Blueprint, Piece, Work
from sistel.errors import Text, refuse
from sistel.kernels import host
from sistel.once import COMPILING, once

if TYPE_CHECKING:
    from sistel.ensembles._part import Part

Machine = dict[str, str]
"""What numbers depend on, beside what is computed: versions and the processor, by name."""

DECIDES = "code"
"""Machines that differ in this do not work together; those that differ in something else may round otherwise."""


class Carried(NamedTuple):
    """What comes back from another machine."""

    machine: Machine
    worker: str
    """Its address, for people."""
    part: Part | None
    """None where the machine did not try: its sistel is another."""


@once
def this_machine() -> Machine:
    """What numbers depend on here."""
    here = host()
    features = hashlib.sha256(f"{here.features} {here.width} {here.lanes}".encode()).hexdigest()
    return {
        "sistel": __version__,
        DECIDES: code_digest(),
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "NumPy": np.__version__,
        "LLVM": here.versions,
        "system": here.triple,
        "processor": f"{here.cpu} ({features[:8]})",
    }


class Parcels:
    """Chunks of an ensemble as bytes: the model is packed once, with all the files that it was read from."""

    def __init__(self, work: Work) -> None:
        """Raises `SistelError` where the model cannot be sent."""
        self.work = work
        self.code = code_digest()
        try:
            packed = pickle.dumps(work.blueprint, pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError, RecursionError) as problem:
            refuse(
                "cannot-send",
                Text(
                    f"the system cannot be sent to other machines: {problem}",
                    f"систему нельзя отправить на другие машины: {problem}",
                ),
            )
        self.blueprint = zlib.compress(packed)

    def arguments(self, index: int) -> tuple[str, bytes, bytes]:
        """What `do_carried` takes for a chunk: text and bytes alone, which nobody on the way needs to understand."""
        piece = self.work.piece(index)
        own = piece.options, piece.index, piece.begin, piece.count, piece.columns
        return self.code, self.blueprint, pickle.dumps(own, pickle.HIGHEST_PROTOCOL)


def do_carried(code: str, blueprint: bytes, piece: bytes) -> Carried:
    """Do a chunk that came from elsewhere.

    The model is built, and its structures are compiled, for the first chunk alone. A worker whose sistel is another
    does not even look at what it was sent.
    """
    if code != code_digest():
        return Carried(this_machine(), _worker(), None)
    with COMPILING:
        model = _unpacked(blueprint)
    return Carried(this_machine(), _worker(), do_piece(Piece(model, *pickle.loads(piece))))


@lru_cache(maxsize=8)
def _unpacked(blueprint: bytes) -> Blueprint:
    found = pickle.loads(zlib.decompress(blueprint))
    assert isinstance(found, Blueprint)
    return found


def _worker() -> str:
    """How the cluster calls this process."""
    try:
        return str(import_module("distributed").get_worker().address)
    except (ImportError, ValueError):
        return platform.node()
