"""The language as a page for people and as plain data for editors, made from the schema table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from sistel.errors import Language, Text
from sistel.markup.expressions._words import COMPONENTS, CONSTANTS, FUNCTIONS, KEYWORDS, Function, Word
from sistel.markup.expressions._words import Keyword as Operator
from sistel.markup.schema import _choices
from sistel.markup.schema import _kinds as kinds
from sistel.markup.schema._rows import PLACED
from sistel.markup.schema._table import ELEMENT_BY_KEY, ELEMENTS, VERSION
from sistel.units import UNITS, si_symbol, spell_unit

_WIDTH = 84
"""Lines of examples up to this length show without scrolling [characters]."""

_SECTIONS: tuple[tuple[Text, tuple[str, ...]], ...] = (
    (Text("The system", "Система"), ("system", "parameter", "gravity", "include", "repeat", "group")),
    (Text("Bodies", "Тела"), ("body", "point", "frame")),
    (
        Text("Shapes", "Фигуры"),
        ("world", "profile", *(word for word in PLACED if word not in ("point", "frame"))),
    ),
    (Text("Forces and motors", "Силы и приводы"), ("force", "moment", "spring", "motor", "stop")),
    (Text("State and motion", "Состояние и движение"), ("start", "coordinate", "posture", "motion", "row")),
    (
        Text("Links", "Связи"),
        (
            *("links", "joint", "closure", "contact", "blade", "track", "lock", "coupling"),
            *("gear", "clutch", "differential"),
        ),
    ),
    (
        Text("Structures and transitions", "Структуры и переходы"),
        ("structure", "change", "transition", "set", "impulse", "counter"),
    ),
    (
        Text("Control", "Управление"),
        (
            *("scheme", "signal", "block", "variable", "term", "rule", "rules"),
            *("use", "sensor", "input", "output", "lamp", "dial", "indicator"),
        ),
    ),
    (
        Text("Behaviours", "Поведения"),
        (
            *("behaviour", "state", "parallel", "final", "history", "go"),
            *("enter", "exit", "assign", "raise", "data"),
        ),
    ),
    (Text("Drawing", "Рисунок"), ("drawing", "pose", "line", "mark", "dimensions", "dimension", "place")),
    (
        Text("Tasks", "Задачи"),
        (
            *("task", "vary", "kinematics", "statics", "dynamics", "control"),
            *("identification", "synthesis", "motors"),
        ),
    ),
)

KEYWORD_LISTS: tuple[tuple[Text, kinds.Keyword], ...] = (
    (Text("Joint types", "Типы пар"), _choices.JOINTS),
    (Text("Spaces", "Виды систем"), _choices.SPACES),
    (Text("Classes", "Классы"), _choices.CLASSES),
    (Text("Impacts", "Удары"), _choices.IMPACTS),
    (Text("Friction", "Трение"), _choices.FRICTIONS),
    (Text("Rolling", "Качение"), _choices.ROLLINGS),
    (Text("Free sides", "Свободные стороны"), _choices.FREE_SIDES),
    (Text("Sides of a stop", "Где упор"), _choices.STOP_SIDES),
    (Text("Axes of a force", "Оси сил"), _choices.FORCE_FRAMES),
    (Text("Interpolation", "Интерполяция"), _choices.INTERPOLATIONS),
    (Text("How links begin to hold", "Как связи начинают держать"), _choices.ENGAGEMENTS),
    (Text("Clocks", "Отсчёт времени"), _choices.CLOCKS),
    (Text("Kinds of blocks", "Виды блоков"), _choices.BLOCK_KINDS),
    (Text("Methods of inverse kinematics", "Методы обратной кинематики"), _choices.CHAIN_METHODS),
    (Text("Kinds of inputs", "Виды вводов"), _choices.INPUT_KINDS),
    (Text("Kinds of sensors", "Виды датчиков"), _choices.SENSOR_KINDS),
    (Text("Forms of orientations", "Виды ориентаций"), _choices.SENSOR_FORMS),
    (Text("Lines of a drawing", "Линии рисунка"), _choices.DRAWN_LINES),
    (Text("Marks of a drawing", "Знаки рисунка"), _choices.DRAWN_MARKS),
    (Text("Sides of a label", "Стороны надписи"), _choices.LABEL_SIDES),
    (Text("Dimensions of a drawing", "Размеры рисунка"), _choices.DIMENSION_KINDS),
    (Text("Labels of a drawing", "Надписи рисунка"), _choices.LABEL_KINDS),
    (Text("Problems of statics", "Задачи статики"), _choices.STATICS),
)

_SIZES: dict[kinds.Size, Text] = {
    "one": Text("", ""),
    "place": Text("x, y (z)", "x, y (z)"),
    "turn": Text("1 (3, 4 or 9 in space)", "1 (в пространстве 3, 4 или 9)"),
    "direction": Text("x, y (z)", "x, y (z)"),
    "inertia": Text("1 (1, 3 or 6 in space)", "1 (в пространстве 1, 3 или 6)"),
    "size3": Text("x, y, z", "x, y, z"),
    "points": Text("x, y; x, y; …", "x, y; x, y; …"),
    "quaternion": Text("w, x, y, z", "w, x, y, z"),
    "any": Text("one or several", "одно или несколько"),
}

_KINDS: dict[type[kinds.Kind], tuple[str, Text]] = {
    kinds.FreeText: ("text", Text("text", "текст")),
    kinds.Prefix: ("text", Text("the beginning of names", "начало имён")),
    kinds.NewName: ("name", Text("a new name", "новое имя")),
    kinds.Reference: ("reference", Text("", "")),
    kinds.Keyword: ("keyword", Text("", "")),
    kinds.Whole: ("whole", Text("whole number", "целое число")),
    kinds.Flag: ("flag", Text("`yes` or `no`", "`да` или `нет`")),
    kinds.Numbers: ("numbers", Text("", "")),
    kinds.CoordinateNumbers: ("numbers", Text("", "")),
    kinds.Formula: ("formula", Text("", "")),
    kinds.Condition: ("condition", Text("condition", "условие")),
    kinds.Surface: ("surface", Text("equation or inequality", "уравнение или неравенство")),
    kinds.Friction: ("friction", Text("word or number", "слово или число")),
    kinds.Axis: ("axis", Text("`x`, `-y` … or a vector", "`x`, `-y` … или вектор")),
    kinds.SvgPath: ("path", Text("SVG path", "путь SVG")),
    kinds.FilePath: ("file", Text("file", "файл")),
    kinds.Colour: ("colour", Text("colour", "цвет")),
    kinds.UnitWord: ("unit", Text("[unit](#units)", "[единица](#единицы)")),
}
"""A word for programs and a word for people."""


def plain_unit(kind: kinds.Kind) -> Text | None:
    """The unit that a plain number of an attribute is in, in both languages; None where it has none."""
    if isinstance(kind, kinds.Numbers) and kind.unit:
        return _spelt(kind.unit)
    if isinstance(kind, kinds.Formula) and kind.unit:
        return _spelt(kind.unit)
    measure = kind.measure if isinstance(kind, (kinds.CoordinateNumbers, kinds.Formula)) else None
    if measure is None:
        return None
    slide, turn = (_spelt(unit) for _, unit in kinds.MEASURES[measure])
    return Text(f"{slide.en} or {turn.en}", f"{slide.ru} или {turn.ru}")


def _spelt(unit: str) -> Text:
    return Text(spell_unit(unit, "en"), spell_unit(unit, "ru"))


# The page ------------------------------------------------------------------------------------------------------------


def schema_reference(lang: Language) -> str:
    """The reference of the language as Markdown: every element, attribute, word of a value, function and unit.

    >>> schema_reference("en").splitlines()[0]
    '# Reference'
    """
    return "\n".join(_Page(lang).lines()) + "\n"


class _Page:
    """Writes the page in one language; the words of the other stand beside."""

    def __init__(self, lang: Language) -> None:
        self.lang = lang
        self.other: Language = "en" if lang == "ru" else "ru"

    def say(self, en: str, ru: str) -> str:
        return ru if self.lang == "ru" else en

    def lines(self) -> Iterator[str]:
        yield "# " + self.say("Reference", "Справочник")
        yield ""
        yield self.say(
            f"Every word of XsysTel, version {VERSION}. This page is made from the table that the reader itself uses.",
            f"Все слова XsysTel версии {VERSION}. Страница сделана из той же таблицы, по которой читаются файлы.",
        )
        yield ""
        yield from self.introduction()
        for title, keys in _SECTIONS:
            yield f"## {title.say(self.lang)}"
            yield ""
            for key in keys:
                yield from self.element(ELEMENT_BY_KEY[key])
        yield from self.keywords()
        yield from self.expressions()
        yield from self.units()

    def introduction(self) -> Iterator[str]:
        yield self.say(
            "Spellings of both languages are equal and may be mixed in one file; capital and small letters are the "
            "same. Where a word has several spellings, sistel writes the first. Under *value* stands the unit "
            'of a plain number; any other unit of the same dimension may be written: `place="20 cm, 1 m"`. Where it '
            "depends on the joint, the first unit is for slides, the second for turns. Every number may be an "
            "[expression](#expressions).",
            "Написания обоих языков равноправны, их можно смешивать в одном файле; заглавные и строчные буквы не "
            "различаются. Если написаний несколько, sistel пишет первое. В столбце «значение» стоит единица, в которой "
            'понимается просто число; можно написать другую единицу той же размерности: `КПТ="20 см, 1 м"`. Если '
            "единица зависит от пары, первая — для скольжения, вторая — для поворота. Любое число может быть "
            "[выражением](#выражения).",
        )
        yield ""
        shown = [
            f"[`{ELEMENT_BY_KEY[key].written(self.lang)}`](#{self.anchor(ELEMENT_BY_KEY[key])})"
            for _, keys in _SECTIONS
            for key in keys
        ]
        yield self.say("Elements: ", "Элементы: ") + ", ".join(shown) + "."
        yield ""

    # elements

    def title(self, element: kinds.ElementSpec) -> str:
        return f"{element.written(self.lang)} · {element.written(self.other)}"

    def anchor(self, element: kinds.ElementSpec) -> str:
        return _slug(self.title(element))

    def element(self, element: kinds.ElementSpec) -> Iterator[str]:
        yield f"### {self.title(element)}"
        yield ""
        yield element.doc.say(self.lang)
        also = [*element.en[1:], *element.ru[1:]]
        if also:
            yield self.say("Also spelt ", "Пишется и так: ") + ", ".join(f"`{word}`" for word in also) + "."
        yield ""
        yield "```xml fragment"
        yield from _layout(element.example.say(self.lang))
        yield from _layout(element.example.say(self.other))
        yield "```"
        yield ""
        homes = [home for home in ELEMENTS if element.key in home.children]
        if homes:
            yield self.say("Stands in ", "Стоит внутри: ") + self.links(homes) + "."
        if element.children:
            yield (
                self.say("May hold ", "Может содержать: ")
                + self.links(ELEMENT_BY_KEY[k] for k in element.children)
                + "."
            )
        if homes or element.children:
            yield ""
        if element.attributes:
            yield from self.attributes(element.attributes)

    def links(self, elements: Iterable[kinds.ElementSpec]) -> str:
        return ", ".join(f"[{element.written(self.lang)}](#{self.anchor(element)})" for element in elements)

    def attributes(self, attributes: Sequence[kinds.AttributeSpec]) -> Iterator[str]:
        rows = []
        for attribute in attributes:
            doc = attribute.doc.say(self.lang)
            if attribute.required:
                doc += self.say(" **Required.**", " **Обязателен.**")
            elif attribute.default is not None:
                doc += self.say(" *Default:* ", " *По умолчанию:* ") + attribute.default.say(self.lang) + "."
            rows.append((*self.spellings(attribute.en, attribute.ru), self.value(attribute.kind), doc))
        yield from _table((*self.languages(), self.say("value", "значение"), self.say("meaning", "смысл")), rows)

    def languages(self) -> tuple[str, str]:
        return ("рус.", "англ.") if self.lang == "ru" else ("English", "Russian")

    def spellings(self, en: Iterable[str], ru: Iterable[str]) -> tuple[str, str]:
        both = (", ".join(f"`{word}`" for word in en), ", ".join(f"`{word}`" for word in ru))
        return (both[1], both[0]) if self.lang == "ru" else both

    def value(self, kind: kinds.Kind) -> str:
        """What to write, in a few words."""
        if isinstance(kind, kinds.Keyword):
            title = next(title for title, keyword in KEYWORD_LISTS if keyword is kind).say(self.lang)
            return f"[{title.lower()}](#{_slug(title)})"
        if isinstance(kind, kinds.Reference):
            what = self.say(" or ", " или ").join(kinds.THINGS[thing].say(self.lang) for thing in kind.to)
            return what + (self.say(", several with commas", ", можно несколько через запятую") if kind.many else "")
        if isinstance(kind, (kinds.Numbers, kinds.Formula, kinds.CoordinateNumbers)):
            return self.numbers(kind)
        return _KINDS[type(kind)][1].say(self.lang)

    def numbers(self, kind: kinds.Numbers | kinds.Formula | kinds.CoordinateNumbers) -> str:
        unit = plain_unit(kind)
        size = _SIZES[kind.size].say(self.lang) if not isinstance(kind, kinds.CoordinateNumbers) else ""
        shown = (
            "" if unit is None else re.sub(r"[^\s]*[^\w\s][^\s]*|\b(?!or\b|или\b)\w+", r"`\g<0>`", unit.say(self.lang))
        )
        return ": ".join(part for part in (shown, size) if part) or self.say("number", "число")

    # words, functions, units

    def keywords(self) -> Iterator[str]:
        yield self.say("## Words of values", "## Слова значений")
        yield ""
        for title, keyword in KEYWORD_LISTS:
            yield f"### {title.say(self.lang)}"
            yield ""
            rows = [
                (*self.spellings((*choice.en, *choice.both), (*choice.ru, *choice.both)), choice.doc.say(self.lang))
                for choice in keyword.choices
            ]
            yield from _table((*self.languages(), self.say("meaning", "смысл")), rows)

    def expressions(self) -> Iterator[str]:
        yield self.say("## Expressions", "## Выражения")
        yield ""
        yield self.say(
            "Numbers with units, parameters, `+ - * / ^`, brackets and functions. `20 mm`, `2*l + 5 cm`, "
            "`sqrt(a^2 + b^2)`. Dimensions are checked. Conditions and formulas of forces and motions also use the "
            "quantities below; a condition adds comparisons, crossings and `and`, `or`, `not`.",
            "Числа с единицами, параметры, `+ - * / ^`, скобки и функции. `20 мм`, `2*l + 5 см`, "
            "`корень(a^2 + b^2)`. Размерности проверяются. Условия, а также формулы сил и движений используют и "
            "величины, перечисленные ниже; в условиях есть ещё сравнения, пересечения уровня и `и`, `или`, `не`.",
        )
        yield ""
        entries: tuple[tuple[Text, Sequence[Function | Word | Operator]], ...] = (
            (Text("Functions", "Функции"), [f for f in FUNCTIONS if f.kind == "mathematics"]),
            (Text("Quantities", "Величины"), [f for f in FUNCTIONS if f.kind == "quantity"]),
            (Text("Words of reports", "Слова отчётов"), [f for f in FUNCTIONS if f.kind == "report"]),
            (Text("Components of a reaction", "Составляющие реакции"), COMPONENTS),
            (Text("Words of conditions", "Слова условий"), KEYWORDS),
            (Text("Constants", "Постоянные"), CONSTANTS),
        )
        for title, words in entries:
            yield f"### {title.say(self.lang)}"
            yield ""
            rows = [(*self.spellings(word.en, word.ru), word.doc.say(self.lang)) for word in words]
            yield from _table((*self.languages(), self.say("meaning", "смысл")), rows)

    def units(self) -> Iterator[str]:
        yield self.say("## Units", "## Единицы")
        yield ""
        yield self.say(
            "Units are multiplied and divided: `N*m/rad`, `kg*m^2`, `m/s^2`. Their case matters.",
            "Единицы перемножаются и делятся: `Н*м/рад`, `кг*м^2`, `м/с^2`. Заглавные и строчные буквы различаются.",
        )
        yield ""
        rows = [
            (
                *self.spellings(unit.en, unit.ru),
                f"{unit.to_si(1.0):.10g} {si_symbol(unit.dimension, self.lang)}".removesuffix(" 1"),
            )
            for unit in UNITS
        ]
        yield from _table((*self.languages(), self.say("in SI", "в СИ")), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def _slug(text: str) -> str:
    """The anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def _layout(example: str) -> Iterator[str]:
    """An example with a line for every tag, and attributes on further lines where one is too long."""
    depth = 0
    for tag in re.findall(r"<[^>]*>", example):
        closing, alone = tag.startswith("</"), tag.endswith("/>")
        depth -= closing
        margin = "  " * depth
        name, *attributes = re.findall(r'</?[^\s/>]*>?|[^\s"]+="[^"]*"', tag)
        line = margin + name
        for attribute in attributes:
            if len(line) + len(attribute) + 3 > _WIDTH:
                yield line
                line = margin + " " * len(name)
            line += " " + attribute
        yield line + ("" if not attributes else "/>" if alone else ">")
        depth += not closing and not alone


# Plain data ----------------------------------------------------------------------------------------------------------


def schema_completions() -> dict[str, object]:
    """All words of the language as plain data (JSON can hold it), for editors that complete and explain.

    >>> schema_completions()["version"]
    1
    """
    return {
        "version": VERSION,
        "elements": {element.key: _element_data(element) for element in ELEMENTS},
        "functions": [
            _word_data(function) | {"kind": function.kind, "arguments": list(function.arity)} for function in FUNCTIONS
        ],
        "constants": [_word_data(word) for word in CONSTANTS],
        "components": [_word_data(word) for word in COMPONENTS],
        "operators": [_word_data(word) | {"kind": word.kind} for word in KEYWORDS],
        "units": [
            {"key": unit.key, "en": list(unit.en), "ru": list(unit.ru), "si": unit.to_si(1.0)}
            | {"dimension": si_symbol(unit.dimension)}
            for unit in UNITS
        ],
    }


def _both(text: Text) -> dict[str, str]:
    return {"en": text.en, "ru": text.ru}


def _word_data(word: Function | Word | Operator | kinds.Choice) -> dict[str, object]:
    return {"key": word.key, "en": list(word.en), "ru": list(word.ru), "doc": _both(word.doc)}


def _element_data(element: kinds.ElementSpec) -> dict[str, object]:
    return {
        "en": list(element.en),
        "ru": list(element.ru),
        "doc": _both(element.doc),
        "example": _both(element.example),
        "children": list(element.children),
        "parents": [home.key for home in ELEMENTS if element.key in home.children],
        "open": bool(element.open),
        "attributes": {attribute.key: _attribute_data(attribute) for attribute in element.attributes},
    }


def _attribute_data(attribute: kinds.AttributeSpec) -> dict[str, object]:
    kind = attribute.kind
    data: dict[str, object] = {
        "en": list(attribute.en),
        "ru": list(attribute.ru),
        "doc": _both(attribute.doc),
        "kind": _KINDS[type(kind)][0],
        "required": attribute.required,
    }
    if attribute.default is not None:
        data["default"] = _both(attribute.default)
    unit = plain_unit(kind)
    if unit is not None:
        data["unit"] = _both(unit)
    if isinstance(kind, (kinds.Numbers, kinds.Formula)):
        data["size"] = kind.size
    if isinstance(kind, kinds.Reference):
        data |= {"to": list(kind.to), "many": kind.many}
    words = kind.words if isinstance(kind, kinds.Friction) else kind
    if isinstance(words, kinds.Keyword):
        data["choices"] = [_word_data(choice) | {"both": list(choice.both)} for choice in words.choices]
    if isinstance(kind, kinds.Flag):
        data["choices"] = [
            {"key": "yes", "en": ["yes"], "ru": ["да"]},
            {"key": "no", "en": ["no"], "ru": ["нет"]},
        ]
    return data
