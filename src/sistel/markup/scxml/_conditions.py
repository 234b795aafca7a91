"""Expressions of SCXML files in the words of XsysTel: what the usual languages of data share is understood."""

from __future__ import annotations

import re

from sistel.errors import Diagnostics, Fragment, Source
from sistel.markup.expressions import Node as Expression
from sistel.markup.expressions import parse_expression

OWN = "sistel"
"""The language of data in which files are written: expressions of XsysTel."""

_IN = re.compile(r"\bIn\(\s*['\"]([^'\"]*)['\"]\s*\)")
_TEXT = re.compile(r"'[^']*'|\"[^\"]*\"")
_WORDS = (
    (re.compile(r"&&"), " and "),
    (re.compile(r"\|\|"), " or "),
    (re.compile(r"!(?!=)"), " not "),
    (re.compile(r"==="), "="),
    (re.compile(r"!=="), "!="),
    (re.compile(r"=="), "="),
)
_TRUTHS = {"true": "0 < 1", "True": "0 < 1", "false": "1 < 0", "False": "1 < 0"}


def read_expression(fragment: Fragment, behaviour: str, own: bool) -> Expression | None:
    """An expression of a file; None where XsysTel cannot say it.

    Args:
        fragment: The text.
        behaviour: Name of the behaviour, which stands before those of states.
        own: Whether the file has expressions of XsysTel.
    """
    text = fragment.text.strip()
    if own:
        return parse_expression(fragment, Diagnostics())
    text = _TRUTHS.get(text, text)
    text = _IN.sub(lambda found: f"'{behaviour}.{found.group(1)}'", text)
    if _TEXT.search(_without_states(text, behaviour)) or "_event" in text:
        return None
    for pattern, word in _WORDS:
        text = pattern.sub(word, text)
    made = Fragment(text, Source(fragment.source.path, text), 0)
    return parse_expression(made, Diagnostics())


def _without_states(text: str, behaviour: str) -> str:
    return re.sub(rf"'{re.escape(behaviour)}\.[^']*'", "", text)


def seconds(text: str) -> float | None:
    """A delay as CSS writes it: 2s, 500ms."""
    found = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(ms|s|min|h)\s*", text)
    if found is None:
        return None
    return float(found.group(1)) * {"ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}[found.group(2)]
