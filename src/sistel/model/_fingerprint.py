"""A hash of what a model says, whatever words and layout say it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from sistel.model._elements import Shape
from sistel.model._model import Model
from sistel.model.joints import JointType

# Places, spellings, pictures and remarks for people are not content; nor is the system's name, by default that of its
# file.
_SKIPPED = frozenset(
    (
        "span",
        "function_span",
        "member_span",
        "literal",
        "unit",
        "about",
        "diagnostics",
        "declared_class",
        "found",
        "memory",
        "remembered",
        "assumed",
        "picture",
        "ticks",
        "items",
        "subschemes",
        "vectors",
        "behaviours",
        "shown",
        "reach",
        "displays",
        "places",
        "wedge",
        "gaps",
    )
)

# Words that came into the language later: files without them keep their fingerprint.
_LATER = frozenset(
    (
        "since_entry",
        "strikes",
        "recounts",
        "impulses",
        "counters",
        "keeps_offsets",
        "within",
        "current",
        "name",
        "round",
        "rolls",
        "rolling",
        "blades",
        "belt",
        "tracks",
        "corners",
        "free",
        "obstacle",
        "outline",
        "pair",
        "solids",
        "crossing",
        "second",
        "drives",
        "schemes",
        "tick",
        "updates",
        "asks",
        "inner",
        "chart",
        "settles",
        "moves",
        "lets",
        "quiet",
        "height",
        "resistance",
        "spinning",
        "surface",
        "sensors",
        "seed",
        "face",
        "positions",
        "shear",
    )
)


def fingerprint(model: Model) -> str:
    """SHA-256 of the content, in hexadecimal."""
    digest = hashlib.sha256()
    for piece in _pieces(model, top=True):
        digest.update(piece.encode())
        digest.update(b"\0")
    return digest.hexdigest()


def _pieces(value: object, top: bool = False) -> Iterator[str]:
    if isinstance(value, float):
        yield (value + 0.0).hex()  # -0.0 becomes 0.0
    elif isinstance(value, JointType):
        yield value.key
    elif is_dataclass(value):
        yield type(value).__name__
        for item in fields(value):
            # A path says the same with numbers and with expressions that have their values.
            content = value.d if type(value) is Shape and item.name == "path" else getattr(value, item.name)
            if item.name in _SKIPPED or (top and item.name == "name") or (item.name in _LATER and not content):
                continue
            yield item.name
            yield from _pieces(content)
    elif isinstance(value, tuple):
        yield f"({len(value)}"
        for item in value:
            yield from _pieces(item)
    elif isinstance(value, frozenset):
        yield from _pieces(tuple(sorted(value)))
    else:
        yield repr(value)
