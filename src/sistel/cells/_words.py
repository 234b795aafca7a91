"""Words of cell files in both languages: one English key for each element, attribute and choice."""

from __future__ import annotations

ELEMENTS: dict[str, tuple[str, ...]] = {
    "cell": ("cell", "ячейка", "РТК", "ГПС"),
    "robot": ("robot", "робот"),
    "station": ("station", "место"),
    "slot": ("slot", "гнездо"),
    "part": ("part", "деталь"),
    "process": ("process", "процесс"),
    "row": ("row", "строка"),
}
"""The first word is English, the others Russian."""

ATTRIBUTES: dict[str, dict[str, tuple[str, str]]] = {
    "cell": {"name": ("name", "имя")},
    "robot": {
        "name": ("name", "имя"),
        "model": ("model", "модель"),
        "frame": ("frame", "репер"),
        "place": ("place", "место"),
        "turn": ("turn", "поворот"),
        "fingers": ("fingers", "пальцы"),
        "open": ("open", "раскрыт"),
        "approach": ("approach", "подход"),
    },
    "station": {"name": ("name", "имя"), "kind": ("kind", "вид"), "out": ("out", "готовые")},
    "slot": {"name": ("name", "имя"), "code": ("code", "код")},
    "part": {
        "name": ("name", "имя"),
        "slot": ("slot", "гнездо"),
        "mass": ("mass", "масса"),
        "size": ("size", "размеры"),
        "colour": ("colour", "цвет"),
    },
    "process": {},
    "row": {
        "do": ("do", "действие"),
        "robot": ("robot", "робот"),
        "part": ("part", "деталь"),
        "slot": ("slot", "гнездо"),
        "time": ("time", "время"),
        "start": ("start", "начало"),
    },
}
REQUIRED: dict[str, tuple[str, ...]] = {
    "robot": ("name", "model", "frame"),
    "station": ("name", "kind"),
    "slot": ("name", "code"),
    "part": ("name", "slot"),
    "row": ("do",),
}
INSIDE: dict[str, tuple[str, ...]] = {
    "cell": ("robot", "station", "part", "process"),
    "station": ("slot",),
    "process": ("row",),
}

DOINGS: dict[str, tuple[str, str]] = {
    "take": ("take", "взять"),
    "put": ("put", "положить"),
    "work": ("work", "обработать"),
    "paint": ("paint", "окрасить"),
    "assemble": ("assemble", "собрать"),
    "transport": ("transport", "перевезти"),
    "go": ("go", "перейти"),
    "wait": ("wait", "ждать"),
}
KINDS: dict[str, tuple[str, str]] = {
    "rack": ("rack", "накопитель"),
    "machine": ("machine", "станок"),
    "booth": ("booth", "камера"),
    "table": ("table", "стол"),
    "belt": ("belt", "конвейер"),
}
FLAGS = {"yes": True, "да": True, "no": False, "нет": False}


def key_of(word: str, table: dict[str, tuple[str, ...]] | dict[str, tuple[str, str]]) -> str | None:
    """The English key of a word, whatever its case."""
    folded = word.strip().casefold()
    for key, words in table.items():
        if folded in (each.casefold() for each in words):
            return key
    return None


def all_words(table: dict[str, tuple[str, ...]] | dict[str, tuple[str, str]]) -> list[str]:
    """Every word that is known."""
    return [word for words in table.values() for word in words]
