"""The face is a contract: its names, and how they are called."""

from __future__ import annotations

import inspect
from pathlib import Path

import sistel

GOLDEN = Path(__file__).parents[1] / "golden" / "face.txt"
"""Every public name of `System` with its signature, a line each. People script against them."""


def test_system_has_these_names_and_signatures() -> None:
    lines = []
    for name in sorted(dir(sistel.System)):
        if name.startswith("_"):
            continue
        own = inspect.getattr_static(sistel.System, name)
        called = "property" if isinstance(own, property) else str(inspect.signature(getattr(sistel.System, name)))
        lines.append(f"{name} {called}".replace("(self: 'System'", "(self"))
    assert lines == GOLDEN.read_text(encoding="utf-8").splitlines()


def test_system_is_one_final_class() -> None:
    assert sistel.System.__mro__ == (sistel.System, object)
    assert getattr(sistel.System, "__final__", False)


def test_every_method_says_what_it_does() -> None:
    for name in dir(sistel.System):
        if not name.startswith("_"):
            assert inspect.getdoc(inspect.getattr_static(sistel.System, name)), name
