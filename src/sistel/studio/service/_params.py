"""Parameters of calls, which come from outside: each is what it should be, or refused with its name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn, TypeVar

from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from sistel.errors import Language
    from sistel.plain import JsonObject

T = TypeVar("T")


def text(params: Mapping[str, object], name: str, default: str | None = None, *, most: int = 20_000_000) -> str:
    """A text.

    Args:
        params: The parameters of the call.
        name: Which one.
        default: What stands for one that is missing; without, it has to be there.
        most: Letters that it may have.
    """
    found = params.get(name, default)
    if not isinstance(found, str):
        _wrong(name, Text("a text", "текст"))
    if len(found) > most:
        _wrong(name, Text(f"at most {most} letters", f"не более {most} знаков"))
    return found


def whole(params: Mapping[str, object], name: str, default: int | None = None) -> int:
    """A whole number."""
    found = params.get(name, default)
    if isinstance(found, float) and found.is_integer() and abs(found) < 2**53:
        found = int(found)  # JSON of some speakers has one kind of number
    if isinstance(found, bool) or not isinstance(found, int):
        _wrong(name, Text("a whole number", "целое число"))
    return found


def number(params: Mapping[str, object], name: str, default: float | None = None) -> float:
    """A finite number."""
    found = params.get(name, default)
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        _wrong(name, Text("a finite number", "конечное число"))
    return float(found)


def flag(params: Mapping[str, object], name: str, default: bool = False) -> bool:
    """Yes or no."""
    found = params.get(name, default)
    if not isinstance(found, bool):
        _wrong(name, Text("true or false", "да или нет"))
    return found


def table(params: Mapping[str, object], name: str) -> JsonObject:
    """Values by name; none where it is missing."""
    found = params.get(name)
    if found is None:
        return {}
    if not isinstance(found, dict):
        _wrong(name, Text("values by name", "значения по именам"))
    return found


def language(params: Mapping[str, object]) -> Language:
    """The language that a call asks for: English, unless it is Russian."""
    return "ru" if params.get("lang") == "ru" else "en"


def numbers(params: Mapping[str, object], name: str) -> list[float]:
    """A list of finite numbers; none where it is missing."""
    found = params.get(name)
    if found is None:
        return []
    if not isinstance(found, list):
        _wrong(name, Text("a list of numbers", "список чисел"))
    return [number({name: each}, name) for each in found]


def _wrong(name: str, expected: Text) -> NoReturn:
    refuse(
        "bad-parameter",
        Text(f'the parameter "{name}" of this call is wrong', f"параметр «{name}» этого вызова неверен"),
        expected=expected,
    )
