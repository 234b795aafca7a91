"""Words for calls that cannot be answered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, NoReturn

from sistel.errors import Diagnostics, SistelError, Text, did_you_mean, one_of


def refuse(code: str, message: Text, reasons: Sequence[Text]) -> NoReturn:
    """Say why something cannot be computed."""
    diagnostics = Diagnostics()
    en, ru = "; ".join(reason.en for reason in reasons), "; ".join(reason.ru for reason in reasons)
    diagnostics.error(code, None, Text(f"{message.en}: {en}", f"{message.ru}: {ru}"))
    raise SistelError(diagnostics.sorted())


def only_in_the_main_interpreter() -> None:
    """Refuse to work in a sub-interpreter.

    NumPy supports none, and LLVM would be entered by two at once: their locks do not know of each other.
    """
    if _in_a_part():
        reason = Text(
            "NumPy and LLVM serve one interpreter of a process; take threads or processes",
            "NumPy и LLVM обслуживают один интерпретатор процесса; возьмите потоки или процессы",
        )
        refuse("sub-interpreter", Text("nothing is computed here", "здесь ничего не вычисляется"), (reason,))


@cache
def _in_a_part() -> bool:
    """Whether this is another interpreter than the one that the process began with."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # from Python 3.13 on, and before
        try:
            known: Any = import_module(name)
            # A number, or a pair of it and of who made the interpreter.
            here, main = (each[0] if isinstance(each, tuple) else int(each) for each in _both(known))
        except (ImportError, AttributeError, TypeError):
            continue
        return bool(here != main)
    return False


def _both(interpreters: Any) -> tuple[Any, Any]:
    return interpreters.get_current(), interpreters.get_main()


def unknown(en: str, ru: str, name: str, known: list[str]) -> None:
    diagnostics = Diagnostics()
    diagnostics.error(
        "unknown-name",
        None,
        Text(f'there is no {en} "{name}"', f"нет {ru} «{name}»"),
        expected=one_of(known),
        hint=did_you_mean(str(name), known),
    )
    diagnostics.raise_if_failed()
