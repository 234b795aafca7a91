"""Values on a command line: numbers with units, pairs, parameters of a system."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._described import options
from sistel.errors import Diagnostics, SistelError, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.model import Parameter
    from sistel.units import Dimension


PARAMETER, STRUCTURE, TOLERANCE = options(
    """
    --parameter -p NAME=VALUE | ИМЯ=ЗНАЧЕНИЕ *
        another value of a parameter, in SI or with its unit: l=0.8, l=800mm; may be repeated
        другое значение параметра, в СИ или с единицей: l=0.8, l=800мм; можно повторять
    --structure NAME | ИМЯ
        the structure to begin with, instead of the file's
        с какой структуры начать, вместо заданной
    --tolerance NUMBER | ЧИСЛО
        relative error of a step; by default that of the numbers themselves
        относительная погрешность шага; по умолчанию точность самих чисел
    """
)


def check_formats(outputs: Sequence[str], known: Sequence[str], of: Text) -> None:
    """Refuse files whose suffix names no format.

    Args:
        outputs: The files that are asked for.
        known: Suffixes.
        of: Of what there are formats, in the genitive.
    """
    for output in outputs:
        if not output.endswith(tuple(known)) or not PurePath(output).suffix:
            *others, last = known
            wrong_call(
                "unknown-format",
                Text(f"{output}: there is no such format of {of.en}", f"{output}: нет такого формата {of.ru}"),
                expected=Text(f"{', '.join(others)} or {last}", f"{', '.join(others)} или {last}"),
            )


def check_reports(outputs: Sequence[str]) -> None:
    """Refuse reports that nothing here can set, before anything is computed for them."""
    if not any(output.endswith((".pdf", ".fo")) for output in outputs):
        return
    from sistel.views.reports import report_suffix, require_suffix

    try:
        for output in outputs:
            suffix = report_suffix(output)
            if suffix is not None:
                require_suffix(suffix)
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None


def read_parameters(call: Call) -> dict[str, float | str]:
    """What the options `-p` say."""
    found: dict[str, float | str] = {}
    for word in call.all("parameter"):
        pair = _pair(word)
        if pair is None:
            wrong_call(
                "bad-parameter",
                Text(f'"{word}" is no parameter with a value', f"«{word}» — не параметр со значением"),
                expected=Text("name=value: -p l=0.8", "имя=значение: -p l=0.8"),
            )
        found.update([pair])
    return found


def read_pairs(call: Call, key: str) -> dict[str, str]:
    """What an option of pairs says."""
    words = call.all(key)
    pairs = [pair for pair in map(_pair, words) if pair is not None]
    if len(pairs) < len(words):
        word = next(word for word in words if _pair(word) is None)
        said = Text(f'"{word}" in --{key} is no pair', f"«{word}» в --{key} — не пара")
        wrong_call("bad-pair", said, expected=Text("two words with = between them", "два слова и = между ними"))
    return dict(pairs)


def _pair(word: str) -> tuple[str, str] | None:
    """What stands before and after the first =; None where one of them is missing."""
    name, _, value = (half.strip() for half in word.partition("="))
    return (name, value) if name and value else None


def read_whole(call: Call, key: str, least: int, most: int) -> int | None:
    """A whole number that an option says; None where it is not given."""
    word = call.value(key)
    return None if word is None else whole_number(key, word, least, most)


def whole_number(key: str, word: str, least: int, most: int) -> int:
    """A word of an option as a whole number."""
    text = word.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most):
        wrong_call(
            "bad-number",
            Text(f'--{key} cannot be "{word}"', f"--{key} не может быть «{word}»"),
            expected=Text(f"a whole number from {least} to {most}", f"целое число от {least} до {most}"),
        )
    return int(text)


def read_number(option: str, text: str, dimension: Dimension, known: Sequence[Parameter] = ()) -> float:
    """A number of an option, in SI unless it has a unit; it may use parameters that are known."""
    from sistel.model import read_value

    diagnostics = Diagnostics()
    value = read_value(option, text, dimension, {parameter.name: parameter for parameter in known}, diagnostics)
    if value is None:
        # Where no parameters are known, a word is no parameter that could be declared, but no number.
        said = Text(f'{option} cannot be "{text}"', f"{option} не может быть «{text}»")
        plain = Text("a number, with a unit or without", "число, с единицей или без")
        found = diagnostics.sorted()
        raise CallError(
            found
            if known
            else tuple(
                replace(each, message=said, expected=plain, hint=None) if each.code == "unknown-name" else each
                for each in found
            )
        )
    return value


def read_positive(call: Call, key: str, dimension: Dimension, default: float) -> float:
    """A number above zero."""
    text = call.value(key)
    if text is None:
        return default
    value = read_number(f"--{key}", text, dimension)
    if not 0.0 < value < math.inf:
        wrong_call("bad-number", Text(f'--{key} cannot be "{text}"', f"--{key} не может быть «{text}»"))
    return value


def read_tolerance(call: Call) -> float:
    """Relative error of a step."""
    from sistel.units import PLAIN

    text = call.value("tolerance")
    value = 2.0**-52 if text is None else read_number("--tolerance", text, PLAIN)
    if not 0.0 < value < 1.0:
        wrong_call(
            "bad-number",
            Text(f'--tolerance cannot be "{text}"', f"--tolerance не может быть «{text}»"),
            expected=Text("a number between 0 and 1, such as 1e-9", "число между 0 и 1, например 1e-9"),
        )
    return max(value, 2.0**-52)
