"""The table of methods. To add a theme, add a row and a module with `METHODS`; to add a method, a row of that table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Final, TypedDict, TypeVar

from sistel.errors import Diagnostic, SistelError, Text, did_you_mean, refuse

Method = Callable[[Mapping[str, object]], object]
"""Of the parameters of a call, by name, as JSON has them; what it gives is JSON again."""
Say = Callable[[float | None, Text | None], None]
"""How far a work is, 0 to 1 or None, and what it is at."""
Work = Callable[[Mapping[str, object], Say], object]
"""A method that may take long: it says how far it is, and a server lets it work beside, where it can be interrupted."""

THEMES: Final[Mapping[str, str]] = {
    "drives": "_drives",
    "equations": "_equations",
    "forms": "_forms",
    "papers": "_papers",
    "parameters": "_parameters",
    "picture": "_picture",
    "scheme": "_scheme",
    "structures": "_structures",
    "tasks": "_tasks",
    "text": "_text",
    "tree": "_tree",
}
"""The first word of the names of methods, and the module that has them: what nobody asks for is not imported."""


P = TypeVar("P", bound=Mapping[str, object])


class Failure(TypedDict):
    """Why a call has no answer."""

    code: str
    """Of the first error."""
    message: dict[str, str]
    """Its sentence, by language."""
    diagnostics: list[dict[str, object]]


def methods(theme: str) -> Mapping[str, Method]:
    """The methods of a theme, by their whole names; none of a theme that is not known."""
    module = THEMES.get(theme)
    if module is None:
        return {}
    found: Mapping[str, Method] = import_module(f"sistel.studio.service.{module}").METHODS
    return found


def works(theme: str) -> Mapping[str, Work]:
    """The works of a theme, by their whole names."""
    module = THEMES.get(theme)
    found: Mapping[str, Work] = {}
    if module is not None:
        found = getattr(import_module(f"sistel.studio.service.{module}"), "WORKS", found)
    return found


def call(name: str, params: Mapping[str, object]) -> object:
    """What a method gives; works are called in the same way, where nobody wants to know how far they are.

    Raises:
        SistelError: There is no such method, its parameters are wrong, or it fails.
    """
    method = methods(name.partition(".")[0]).get(name)
    return work(name, params) if method is None else method(params)


def work(name: str, params: Mapping[str, object], say: Say = lambda share, note: None) -> object:
    """What a work gives.

    Args:
        name: Which one.
        params: As for a method.
        say: Told how far it is.

    Raises:
        SistelError: There is no such work, its parameters are wrong, or it fails.
    """
    found = works(name.partition(".")[0]).get(name)
    if found is None:
        known = [each for theme in THEMES for each in (*methods(theme), *works(theme))]
        refuse(
            "unknown-method",
            Text(f'there is no method "{name[:60]}"', f"нет метода «{name[:60]}»"),
            hint=did_you_mean(name, known),
        )
    return found(params, say)


def reply(name: str, params: Mapping[str, object]) -> dict[str, object]:
    """What a method gives as `done`, or why it fails as `failed`: the answer to a call, whatever carries it."""
    return replied(partial(call, name), params)


def replied(method: Callable[[P], object], params: P, path: str | None = None) -> dict[str, object]:
    """What a function of parameters gives as `done`, or why it fails as `failed`; see `failure` for the path."""
    try:
        return {"done": method(params)}
    except SistelError as problem:
        return {"failed": failure(problem, path)}


def failure(problem: SistelError, path: str | None = None) -> Failure:
    """An error as the window is told of it; places name their file unless it is the one of the text that was sent."""
    from sistel.studio.service._told import told

    first = next((each for each in problem.diagnostics if each.severity == "error"), None)
    first = first or Diagnostic("own-error", "error", Text("something failed", "что-то не удалось"))
    return {
        "code": first.code,
        "message": {"en": first.message.en, "ru": first.message.ru},
        "diagnostics": [told(each, path) for each in problem.diagnostics],
    }
