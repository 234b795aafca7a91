"""What a word of a text means: its row of the schema, its value, and where it is declared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from sistel.errors import Diagnostics, Span, Text
from sistel.markup import Attribute, Expression, Node, Number
from sistel.markup.expressions import FUNCTION_BY_KEY, Call, Member, Name, children, find_component
from sistel.markup.schema import MEASURES, THINGS, CoordinateNumbers, Formula, Keyword, Measure, Numbers, Spelt
from sistel.markup.xml import Element
from sistel.model import Model, Scope, constant
from sistel.studio.service._complete import unit_words
from sistel.studio.service._names import Declared, bindings
from sistel.studio.service._read import attributes_of, built, reading, spec_of
from sistel.units import Dimension, si_symbol, spell_unit, unit_of

Both = dict[str, str]


class Fact(TypedDict):
    """One thing to know about a word."""

    name: Both
    value: Both


class Told(TypedDict):
    """What a word means."""

    start: int
    end: int
    title: Both
    about: Both
    facts: list[Fact]
    declared: Span | None
    """Where it is declared."""


def both(text: Text) -> Both:
    """A sentence as plain data."""
    return {"en": text.en, "ru": text.ru}


def fact(name: Text, value: Text) -> Fact:
    """One thing to know."""
    return {"name": both(name), "value": both(value)}


def meaning(path: str, text: str, at: int) -> Told | None:
    """What the word at a place means; None where there is nothing to say."""
    read = reading(path, text)
    if read.tree is None:
        return None
    element = element_at(read.tree, at)
    if element is None:
        return None
    spec = spec_of(element)
    if spec is not None:
        for place in (element.name_span, element.end_name_span):
            if place is not None and place.start <= at <= place.end:
                return _told(place, Text(spec.en[0], spec.ru[0]), spec.doc, [_spellings(spec), _example(spec.example)])
    for known, attribute in attributes_of(element):
        span = attribute.name_span
        if known is not None and span.start <= at <= span.end:
            facts = [_spellings(known)]
            unit = unit_words(known)
            if unit is not None:
                facts.append(fact(Text("unit", "единица"), unit))
            if known.default is not None:
                facts.append(fact(Text("otherwise", "без него"), known.default))
            if known.required:
                facts.append(fact(Text("required", "обязателен"), Text("yes", "да")))
            return _told(span, Text(known.en[0], known.ru[0]), known.doc, facts)
        value = attribute.value.span()
        if value.start <= at <= value.end:
            return _value(path, text, at, element, known.key if known is not None else "")
    return None


def element_at(tree: Element, at: int) -> Element | None:
    """The element whose start tag or end tag a place is in."""
    for element in tree.walk():
        if element.start <= at < element.end or (at == element.end and element.end == len(element.source.text)):
            return element
        end = element.end_name
        if end is not None and end[0] - 2 <= at <= end[1]:
            return element
    return None


def node_at(root: Node, start: int) -> Node | None:
    """The node whose start tag begins at a place."""
    return next((node for node in root.walk() if node.span.start == start), None)


def _value(path: str, text: str, at: int, element: Element, key: str) -> Told | None:
    document = reading(path, text).document
    node = None if document is None else node_at(document.root, element.start)
    named = bindings(path, text).at(at)
    if named is not None:
        thing, span = named
        return _thing(path, text, thing, span)
    if node is None:
        return None
    attribute = node.attributes.get(key)
    if attribute is None:
        for given in node.open:
            if given.span.start <= at <= given.span.end:
                return _expression(path, text, at, given.values, None)
        return None
    kind = attribute.spec.kind
    if isinstance(kind, Keyword) and isinstance(attribute.value, str):
        choice = kind.choice(attribute.value)
        return _told(attribute.span, Text(choice.en[0], choice.ru[0]), choice.doc, [_spellings(choice)])
    value = attribute.value
    items = value if isinstance(value, tuple) else (value,)
    return _expression(path, text, at, [each for each in items if not isinstance(each, (str, int))], attribute)


def _expression(path: str, text: str, at: int, items: Iterable[Expression], attribute: Attribute | None) -> Told | None:
    """What the innermost part of an expression at a place is, and what it is worth."""
    for number, item in enumerate(items):
        if not item.span.start <= at <= item.span.end:
            continue
        part = _innermost(item, at)
        model = built(path, text).model
        if isinstance(part, Call) and part.function in FUNCTION_BY_KEY and at <= part.function_span.end:
            function = FUNCTION_BY_KEY[part.function]
            facts = _worth(part, model, None)
            return _told(part.function_span, Text(function.en[0], function.ru[0]), function.doc, facts)
        if isinstance(part, Member) and part.member_span.start <= at:
            component = find_component(part.member)
            if component is not None:
                return _told(part.member_span, Text(component.en[0], component.ru[0]), component.doc, [])
        if isinstance(part, Name) and part.name == "t":
            function = FUNCTION_BY_KEY["t"]
            return _told(part.span, Text(function.en[0], function.ru[0]), function.doc, [])
        unit = plain_unit(attribute, number, model) if attribute is not None else None
        facts = _worth(item, model, unit)
        if not facts:
            return None
        title = attribute.spec.doc if attribute is not None else Text("Value", "Значение")
        return _told(item.span, Text(item.span.text, item.span.text), title, facts)
    return None


def _innermost(item: Expression, at: int) -> Expression:
    while True:
        inner = next((each for each in children(item) if each.span.start <= at <= each.span.end), None)
        if inner is None:
            return item
        item = inner


def plain_unit(attribute: Attribute, place: int, model: Model | None) -> str | None:
    """The unit that a plain number of an attribute is in, where that needs no joint to be known."""
    kind = attribute.spec.kind
    if isinstance(kind, (Numbers, Formula)) and kind.unit:
        return kind.unit
    measure: Measure | None = kind.measure if isinstance(kind, (CoordinateNumbers, Formula)) else None
    if measure is None or model is None:
        return None
    body = next((each for each in model.bodies if each.span.start <= attribute.span.start <= each.span.end), None)
    if body is None or place >= len(body.joint.type.rates):
        return None
    return MEASURES[measure][1 if body.joint.type.rates[place][1] == "turn" else 0][1]


def _worth(item: Expression, model: Model | None, unit: str | None) -> list[Fact]:
    """The value of an expression of parameters."""
    if model is None:
        return []
    found = constant(item, Scope("", {each.name: each for each in model.parameters}), Diagnostics())
    if found is None:
        return []
    value, dimension, plain = found
    name = Text("value", "значение")
    if plain and not (isinstance(item, Number) and item.unit is not None):
        if unit:
            return [fact(name, Text(f"{value:.6g} {unit}", f"{value:.6g} {spell_unit(unit, 'ru')}"))]
        return [fact(name, Text(f"{value:.6g}", f"{value:.6g}"))]
    return [fact(name, quantity_words(value, dimension, unit))]


def quantity_words(value: float, dimension: Dimension, unit: str | None = None) -> Text:
    """A number in SI, told in a unit that people use for it."""
    usual = None if unit is None else unit_of(unit)
    if usual is not None and usual.dimension == dimension:
        number = f"{usual.from_si(value):.6g}"
        return Text(f"{number} {unit}", f"{number} {spell_unit(unit or '', 'ru')}")
    if dimension.plain:
        return Text(f"{value:.6g}", f"{value:.6g}")
    return Text(f"{value:.6g} {si_symbol(dimension)}", f"{value:.6g} {si_symbol(dimension, 'ru')}")


def _thing(path: str, text: str, thing: Declared, span: Span) -> Told:
    what = THINGS.get(thing.kind) or Text(thing.node.spec.en[0], thing.node.spec.ru[0])
    facts = []
    about = thing.node.text("about") if "about" in thing.node.spec.by_key else None
    model = built(path, text).model
    if thing.kind == "parameter" and model is not None:
        known = next((each for each in model.parameters if each.name == thing.name), None)
        if known is not None:
            facts.append(fact(Text("value", "значение"), quantity_words(known.value, known.dimension)))
    if thing.kind == "body" and model is not None:
        body = next((each for each in model.bodies if each.name == thing.name), None)
        if body is not None:
            facts.append(fact(Text("number", "номер"), Text(str(body.number), str(body.number))))
            facts.append(fact(Text("mass", "масса"), Text(f"{float(body.mass):.6g} kg", f"{float(body.mass):.6g} кг")))
            base = Text("ground", "земля") if body.base == 0 else Text(*[model.bodies[body.base - 1].name] * 2)
            facts.append(fact(Text("base", "база"), base))
    line = str(thing.span.line)
    facts.append(fact(Text("declared in line", "объявлено в строке"), Text(line, line)))
    said = Text(about, about) if about else thing.node.spec.doc
    title = Text(f"{what.en} {thing.name}", f"{what.ru} {thing.name}")
    told = _told(span, title, said, facts)
    told["declared"] = thing.span
    return told


def _spellings(spec: Spelt) -> Fact:
    extra = getattr(spec, "both", ())
    return fact(
        Text("in both languages", "на двух языках"),
        Text(*[", ".join((*spec.en, *spec.ru, *extra))] * 2),
    )


def _example(example: Text) -> Fact:
    return fact(Text("example", "пример"), example)


def _told(span: Span, title: Text, about: Text, facts: list[Fact]) -> Told:
    return {
        "start": span.start,
        "end": span.end,
        "title": both(title),
        "about": both(about),
        "facts": facts,
        "declared": None,
    }
