"""Words of plans in both languages."""

from __future__ import annotations

from sistel.errors import Language

DOINGS: dict[str, tuple[str, str]] = {
    "take": ("take", "взять"),
    "put": ("put", "положить"),
    "work": ("work", "обработка"),
    "paint": ("paint", "окраска"),
    "assemble": ("assemble", "сборка"),
    "transport": ("transport", "перевозка"),
    "go": ("go", "переход"),
    "wait": ("wait", "ожидание"),
    "idle": ("idle", "простой"),
}


def doing_said(doing: str, lang: Language) -> str:
    """What is done, in words."""
    return DOINGS[doing][lang == "ru"]
