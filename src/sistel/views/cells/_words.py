"""Words of plans in both languages."""

from __future__ import annotations

from sistel.described import word_pairs
from sistel.errors import Language

DOINGS = word_pairs(
    "take взять, put положить, work обработка, paint окраска, assemble сборка, transport перевозка, go переход, "
    "wait ожидание, idle простой"
)


def doing_said(doing: str, lang: Language) -> str:
    """What is done, in words."""
    return DOINGS[doing][lang == "ru"]
