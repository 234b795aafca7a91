"""Words for calls that cannot be answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from sistel.errors import Diagnostics, SistelError, Text, did_you_mean, one_of


def refuse(code: str, message: Text, reasons: Sequence[Text]) -> NoReturn:
    """Say why something cannot be computed."""
    diagnostics = Diagnostics()
    en, ru = "; ".join(reason.en for reason in reasons), "; ".join(reason.ru for reason in reasons)
    diagnostics.error(code, None, Text(f"{message.en}: {en}", f"{message.ru}: {ru}"))
    raise SistelError(diagnostics.sorted())


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
