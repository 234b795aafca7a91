"""Words of cell files in both languages: one English key for each element, attribute and choice."""

from __future__ import annotations

from sistel.described import word_pairs

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
    "cell": word_pairs("name имя"),
    "robot": word_pairs(
        "name имя, model модель, frame репер, place место, turn поворот, fingers пальцы, open раскрыт, approach подход"
    ),
    "station": word_pairs("name имя, kind вид, out готовые"),
    "slot": word_pairs("name имя, code код"),
    "part": word_pairs("name имя, slot гнездо, mass масса, size размеры, colour цвет"),
    "process": {},
    "row": word_pairs("do действие, robot робот, part деталь, slot гнездо, time время, start начало"),
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

DOINGS = word_pairs(
    "take взять, put положить, work обработать, paint окрасить, assemble собрать, transport перевезти, go перейти, "
    "wait ждать"
)
KINDS = word_pairs("rack накопитель, machine станок, booth камера, table стол, belt конвейер")
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
