"""What may be written at a place: elements, attributes, words, names, functions, units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypedDict

from sistel.errors import Language, Source, Span, Text
from sistel.markup import schema
from sistel.markup.expressions import CONSTANTS, FUNCTIONS, KEYWORDS, Name, find_function, print_expression, spelling
from sistel.model import asked_of
from sistel.studio.service._cursor import Cursor, allowed_in
from sistel.studio.service._edits import escaped
from sistel.studio.service._names import Declared, bindings, foreign_names
from sistel.units import PLAIN, UNITS, Dimension

ItemKind = Literal[
    "element", "attribute", "word", "name", "function", "quantity", "constant", "unit", "colour", "close"
]


class Item(TypedDict):
    """One of the things that may be written."""

    label: str
    """What is shown, and what typed letters are compared with."""
    insert: str
    """What is put in the place of the letters typed so far."""
    snippet: str | None
    """The same with ${…} where more is to be written, for editors that go from one to the next."""
    kind: ItemKind
    detail: dict[str, str]
    """A few words beside it."""
    about: dict[str, str]
    """What it means."""


class Offer(TypedDict):
    """What may be written in the place of some characters."""

    start: int
    end: int
    items: list[Item]


COLOURS: Final = [
    "black",
    "gray",
    "white",
    "red",
    "orange",
    "gold",
    "green",
    "teal",
    "blue",
    "purple",
    "brown",
    "steelblue",
    "firebrick",
    "none",
]
NOTHING = Text("", "")


def item(
    label: str,
    kind: ItemKind,
    about: Text = NOTHING,
    *,
    detail: Text = NOTHING,
    insert: str | None = None,
    snippet: str | None = None,
) -> Item:
    """One of the things that may be written."""
    return {
        "label": label,
        "insert": label if insert is None else insert,
        "snippet": snippet,
        "kind": kind,
        "detail": {"en": detail.en, "ru": detail.ru},
        "about": {"en": about.en, "ru": about.ru},
    }


def offers(path: str, text: str, place: Cursor, lang: Language) -> Offer:
    """What may be written at a place."""
    if place.where in ("content", "element"):
        return _elements(text, place, lang)
    if place.where == "close":
        return _close(text, place)
    if place.where == "attribute":
        return {"start": place.start, "end": place.end, "items": _attributes(path, text, place, lang)}
    if place.where == "value":
        return _values(path, text, place, lang)
    return {"start": place.at, "end": place.at, "items": []}


# Elements and attributes ---------------------------------------------------------------------------------------------


def _elements(text: str, place: Cursor, lang: Language) -> Offer:
    bracket = place.where == "element"
    items = []
    for key in allowed_in(place.around):
        spec = schema.ELEMENT_BY_KEY[key]
        word = _word(spec, lang, text)
        plain, snippet = element_snippet(spec, word, lang)
        before = "" if bracket else "<"
        items.append(item(word, "element", spec.doc, insert=before + plain, snippet=before + snippet))
    if bracket and place.around and place.at == place.start:
        last = place.around[-1]
        items.append(item(f"/{last}", "close", insert=f"/{last}>"))
    return {"start": place.start, "end": place.end, "items": items}


def element_snippet(spec: schema.ElementSpec, word: str, lang: Language) -> tuple[str, str]:
    """An element with the attributes that it must have, plain and with places to fill in; without its first ``<``."""
    needed = [attribute.written(lang) for attribute in spec.attributes if attribute.required]
    plain = word + "".join(f' {name}=""' for name in needed)
    snippet = word + "".join(f' {name}="${{{number}}}"' for number, name in enumerate(needed, 1))
    if spec.children and spec.key not in ("start", "include", "motion", "motor", "signal", "block"):
        last = "" if needed else "${}"
        return (
            f"{plain}></{word}>",
            f"{snippet}{last}>\n\t${{}}\n</{word}>" if needed else f"{snippet}>\n\t{last}\n</{word}>",
        )
    gap = "" if needed else " ${}"
    return f"{plain}/>", f"{snippet}{gap}/>"


def _word(spec: schema.ElementSpec, lang: Language, text: str) -> str:
    """The spelling of an element that the file has already, or the usual one: Тело as well as тело."""
    for word in spec.ru if lang == "ru" else spec.en:
        found = re.search(rf"<({re.escape(word)})[\s/>]", text, re.IGNORECASE)
        if found is not None and (found[1] == word or schema.ELEMENT_BY_WORD.get(found[1].casefold()) is spec):
            return found[1]
    return spec.written(lang)


def _close(text: str, place: Cursor) -> Offer:
    items = [
        item(name, "close", insert=name + ("" if text[place.end : place.end + 1] == ">" else ">"))
        for name in reversed(place.around)
    ]
    return {"start": place.start, "end": place.end, "items": items[:3]}


def _attributes(path: str, text: str, place: Cursor, lang: Language) -> list[Item]:
    spec = place.spec
    if spec is None:
        return []
    given = {known.key for known in (spec.by_word.get(word.casefold()) for word in place.given) if known is not None}
    valued = re.compile(r"\s*=").match(text, place.end) is not None

    def made(word: str, about: Text, detail: Text) -> Item:
        tail = "" if valued else '=""'
        snippet = None if valued else f'{word}="${{}}"'
        return item(word, "attribute", about, detail=detail, insert=word + tail, snippet=snippet)

    items = [made(each.written(lang), each.doc, _detail(each)) for each in spec.attributes if each.key not in given]
    if spec.open == "coordinates":
        ending = ".скорость" if lang == "ru" else ".rate"
        for thing in bindings(path, text).of_kinds(("coordinate",)):
            if not re.search(r"\s", thing.name) and not thing.name[0].isdigit() and thing.name not in place.given:
                about = Text(f"Coordinates of {thing.name}", f"Координаты: {thing.name}")
                items.append(made(thing.name, about, Text("coordinate", "координата")))
                if thing.name + ending not in place.given:
                    items.append(made(thing.name + ending, about, Text("rate", "скорость")))
    return items


def _detail(spec: schema.AttributeSpec) -> Text:
    """A few words: whether it is needed, its unit, what holds without it."""
    parts_en, parts_ru = [], []
    if spec.required:
        parts_en.append("required")
        parts_ru.append("нужен")
    unit = unit_words(spec)
    if unit is not None:
        parts_en.append(unit.en)
        parts_ru.append(unit.ru)
    if spec.default is not None:
        parts_en.append(f"else {spec.default.en}")
        parts_ru.append(f"иначе {spec.default.ru}")
    return Text("; ".join(parts_en), "; ".join(parts_ru))


def unit_words(spec: schema.AttributeSpec) -> Text | None:
    """The unit that a plain number of an attribute is in."""
    kind = spec.kind
    if isinstance(kind, schema.CoordinateNumbers) or (isinstance(kind, schema.Formula) and kind.measure is not None):
        measure = kind.measure
        assert measure is not None
        slide, turn = schema.MEASURES[measure]
        return Text(f"{slide[1]} or {turn[1]}", f"{_ru_unit(slide[1])} или {_ru_unit(turn[1])}")
    if isinstance(kind, (schema.Numbers, schema.Formula)) and kind.unit:
        return Text(kind.unit, _ru_unit(kind.unit))
    return None


def _ru_unit(unit: str) -> str:
    from sistel.units import spell_unit

    return spell_unit(unit, "ru")


# Values --------------------------------------------------------------------------------------------------------------


def _values(path: str, text: str, place: Cursor, lang: Language) -> Offer:
    spec = place.attribute_spec
    before = text[place.start : place.at]
    if spec is None:
        element = place.spec
        if element is None or not element.open:
            return {"start": place.at, "end": place.at, "items": []}
        return _expression(path, text, place, lang, (), quantities=True)
    kind = spec.kind
    whole: list[Item] | None = None
    if isinstance(kind, schema.Keyword):
        whole = [_choice(choice, lang) for choice in kind.choices]
    elif isinstance(kind, schema.Flag):
        whole = [item(word, "word") for word in (("да", "нет") if lang == "ru" else ("yes", "no"))]
    elif isinstance(kind, schema.Axis):
        whole = [item(sign + letter, "word") for letter in "xyz" for sign in ("", "-")]
    elif isinstance(kind, schema.Colour):
        whole = [item(word, "colour") for word in COLOURS]
    elif isinstance(kind, schema.UnitWord):
        whole = list(_units((), lang))
    if whole is not None:
        return {"start": place.start, "end": place.end, "items": whole}
    if isinstance(kind, schema.Reference):
        return _references(path, text, place, kind, lang)
    if isinstance(kind, schema.SvgPath):
        if before.rfind("{") <= before.rfind("}"):
            return {"start": place.at, "end": place.at, "items": []}
        return _expression(path, text, place, lang, ("mm",), quantities=False)
    if isinstance(
        kind,
        (schema.Numbers, schema.CoordinateNumbers, schema.Formula, schema.Condition, schema.Surface, schema.Friction),
    ):
        offer = _expression(
            path,
            text,
            place,
            lang,
            units_of(spec),
            quantities=isinstance(kind, (schema.Formula, schema.Condition)),
            kind=kind,
        )
        if isinstance(kind, schema.Friction) and not before.strip():
            offer["items"] = [*(_choice(choice, lang) for choice in kind.words.choices), *offer["items"]]
        return offer
    return {"start": place.at, "end": place.at, "items": []}


def _choice(choice: schema.Choice, lang: Language) -> Item:
    other = ", ".join(choice.both)
    return item(choice.written(lang), "word", choice.doc, detail=Text(other, other))


def _references(path: str, text: str, place: Cursor, kind: schema.Reference, lang: Language) -> Offer:
    start = place.start
    if kind.many:
        start = max(start, text.rfind(",", place.start, place.at) + 1)
        while start < place.at and text[start] == " ":
            start += 1
    end = place.end
    comma = text.find(",", place.at, place.end)
    end = comma if kind.many and comma >= 0 else end
    quote = text[place.start - 1 : place.start]
    items = [_thing(each, quote) for each in _nearest(bindings(path, text).of_kinds(kind.to))]
    taken = {each["label"] for each in items}
    items += [
        item(name, "name", _about(what), insert=escaped(name, quote))
        for what, name in foreign_names(path, text, kind.to)
        if name not in taken
    ]
    if "body" in kind.to and place.attribute_spec is not None and place.attribute_spec.key in ("to", "base", "on"):
        items.append(item("0", "name", Text("The ground", "Земля")))
    if "shape" in kind.to:
        items.append(item("мир" if lang == "ru" else "world", "name", Text("All obstacles", "Все препятствия")))
    return {"start": start, "end": end, "items": items}


def _nearest(things: Iterable[Declared]) -> list[Declared]:
    return list({thing.name: thing for thing in things}.values())


def _about(kind: str) -> Text:
    found = schema.THINGS.get(kind, Text(kind, kind))
    return Text(found.en.capitalize(), found.ru.capitalize())


def _written(word: str, quote: str | None) -> str:
    """A word as it stands inside an attribute; as it is, in a line that stands alone."""
    return word if quote is None else escaped(word, quote)


def _thing(thing: Declared, quote: str | None, expression: bool = False) -> Item:
    about = thing.node.text("about") if "about" in thing.node.spec.by_key else None
    said = Text(about, about) if about else _about(thing.kind)
    word = _in_expression(thing.name) if expression else thing.name
    detail = _about(thing.kind) if about else NOTHING
    value = thing.node.attributes.get("value") if thing.kind == "parameter" else None
    if value is not None:
        detail = Text(value.span.text, value.span.text)
    return item(thing.name, "name", said, detail=detail, insert=_written(word, quote))


def _in_expression(name: str) -> str:
    """A name as it stands in an expression: in quotes where it needs them."""
    source = Source("<name>", name)
    return print_expression(Name(name, Span(source, 0, len(name))))


# Expressions ---------------------------------------------------------------------------------------------------------


def line_offers(path: str, text: str, line: str, at: int, lang: Language) -> Offer:
    """What may be written at a place of a line that asks something of a model: an expression, then ` at 1.5 s`."""
    place = Cursor("value", 0, len(line), at, ())
    when = re.search(r"\s(?:at|при)\s+[^;]*$", line[:at], re.IGNORECASE)
    units = ("s",) if when is not None else ()
    offer = _expression(path, text, place, lang, units, quantities=when is None, line=line)
    if re.search(r"[\w)'°]\s+\w*$", line[:at]) and when is None:
        # An expression stands there already: what joins it to another, or says when.
        offer["items"] = [
            item("при" if lang == "ru" else "at", "word", Text("At a time of the run", "В момент времени расчёта")),
            *(item(spelling(each, lang), "word", each.doc) for each in KEYWORDS),
        ]
    return offer


def _expression(
    path: str,
    text: str,
    place: Cursor,
    lang: Language,
    units: Sequence[str],
    *,
    quantities: bool,
    kind: object = None,
    line: str | None = None,
) -> Offer:
    """What may be written in an expression: in the value of an attribute, or in a line that stands alone."""
    whole = text if line is None else line
    before = whole[place.start : place.at]
    number = re.search(r"(?:^|[^\w.])\d[\d.]*(?:[eE][+-]?\d+)?[ ]*([^\W\d]*)$", before)
    if number is not None:
        start = place.at - len(number[1])
        return {"start": start, "end": _word_end(whole, place), "items": list(_units(units, lang))}
    quoted = re.search(r"'([^']*)$", before) if before.count("'") % 2 else None
    prefix = "'" + quoted[1] if quoted is not None else re.search(r"[\w.]*$", before).group()  # type: ignore[union-attr]
    start, end = place.at - len(prefix), _word_end(whole, place)
    quote = text[place.start - 1 : place.start] if line is None else None
    function, argument = _call_around(before)
    targets = asked_of(function) if function else ()
    names = bindings(path, text)
    homes = tuple(each.home for each in names.declared if each.home >= 0)
    if targets:
        kinds = targets[min(argument, len(targets) - 1)]
        things = names.of_kinds(kinds)
        items = [_thing(each, quote, True) for each in _nearest(things)]
        taken = {each["label"] for each in items}
        items += [
            item(name, "name", _about(what), insert=_written(_in_expression(name), quote))
            for what, name in foreign_names(path, text, kinds)
            if name not in taken
        ]
        return {"start": start, "end": end, "items": items}
    values = names.of_kinds(("parameter", "index", "signal", "datum") if quantities else ("parameter", "index"), homes)
    items = [_thing(each, quote, True) for each in _nearest(values)]
    if line is not None:
        taken = {each["label"] for each in items}
        items += [
            item(name, "name", _about(what), insert=_in_expression(name))
            for what, name in foreign_names(path, text, ("parameter", "signal"))
            if name not in taken
        ]
    if isinstance(kind, schema.Surface):
        items += [item(letter, "word", Text("Coordinate", "Координата")) for letter in "xyz"]
    for each in FUNCTIONS:
        if each.kind == "mathematics" or (quantities and each.kind == "quantity"):
            word = spelling(each, lang)
            bare = each.arity == (0, 0) or (each.arity[0] == 0 and each.key == "t")
            inserted = word if bare else f"{word}()"
            called: ItemKind = "function" if each.kind == "mathematics" else "quantity"
            items.append(item(word, called, each.doc, insert=inserted, snippet=None if bare else f"{word}(${{}})"))
    items += [item(spelling(each, lang), "constant", each.doc) for each in CONSTANTS]
    if isinstance(kind, schema.Condition):
        items += [item(spelling(each, lang), "word", each.doc) for each in KEYWORDS]
    return {"start": start, "end": end, "items": items}


def _word_end(text: str, place: Cursor) -> int:
    found = re.compile(r"\w*").match(text, place.at, place.end)
    return place.at if found is None else found.end()


def _call_around(before: str) -> tuple[str, int]:
    """The key of the function whose brackets are open at the end of a text, and which argument is being written."""
    depth = commas = 0
    for at in range(len(before) - 1, -1, -1):
        letter = before[at]
        if letter == ")":
            depth += 1
        elif letter == "(" and depth:
            depth -= 1
        elif letter == "(":
            word = re.search(r"[^\W\d]\w*\s*$", before[:at])
            found = None if word is None else find_function(word.group().strip())
            return ("" if found is None else found.key), commas
        elif letter == "," and not depth:
            commas += 1
    return "", 0


def units_of(spec: schema.AttributeSpec) -> tuple[str, ...]:
    """Units that suit the numbers of an attribute; none where any do."""
    kind = spec.kind
    if isinstance(kind, schema.CoordinateNumbers) or (isinstance(kind, schema.Formula) and kind.measure is not None):
        measure = kind.measure
        assert measure is not None
        return schema.MEASURES[measure][0][1], schema.MEASURES[measure][1][1]
    if isinstance(kind, (schema.Numbers, schema.Formula)) and kind.unit:
        return (kind.unit,)
    return ()


def _units(usual: Sequence[str], lang: Language) -> Iterator[Item]:
    from sistel.units import spell_unit, unit_of

    said = set()
    dimensions: list[Dimension] = []
    for unit in usual:
        found = unit_of(unit)
        dimensions += [] if found is None else [found.dimension]
        word = spell_unit(unit, lang)
        said.add(word)
        yield item(word, "unit")
    for each in sorted(UNITS, key=lambda one: one.dimension not in dimensions):
        word = (each.ru if lang == "ru" else each.en)[0]
        fits = not dimensions or each.dimension in dimensions or each.dimension != PLAIN
        if word not in said and fits:
            yield item(word, "unit")
