"""How results show and save themselves, though what draws them lies in layers above.

Results know no pictures. They ask here by a word ("html", "plot" …), and layers above have said beforehand who answers.
Nothing of these layers is imported before somebody asks: the package itself says once what to call then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

_answers: dict[str, Callable[..., Any]] = {}
_waiting: list[Callable[[], None]] = []
_registering = threading.RLock()


def answer(word: str, draw: Callable[..., Any]) -> None:
    """Say who answers a word from now on."""
    _answers[word] = draw


def when_asked(register: Callable[[], None]) -> None:
    """Say what to call before the first question is answered: it says who answers."""
    _waiting.append(register)


def ask(word: str, *arguments: object, **options: object) -> Any:
    """What a layer above makes of a result."""
    if _waiting:
        with _registering:  # of threads that ask at once, all wait until everybody has said who answers
            while _waiting:
                _waiting[-1]()
                _waiting.pop()
    return _answers[word](*arguments, **options)


def html(thing: object) -> str:
    """A result as a fragment of HTML, for notebooks."""
    return str(ask("html", thing))


class NotebookShown:
    """What notebooks show as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return html(self)
