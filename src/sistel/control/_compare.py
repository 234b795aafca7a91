"""What differs between the functional schemes of two systems, whatever order, places and spelling they have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Literal

from sistel.errors import Language, Span
from sistel.markup import Expression, Name, print_expression, walk_expression
from sistel.markup.schema import ELEMENT_BY_KEY
from sistel.model import Clock, Display, Input, Item, Model, Scheme, written_truths
from sistel.records import record

Part = Literal["scheme", "clock", "signal", "block", "input", "wire", "parameter", "output", "item", "behaviour"]
INPUT_FIELDS = ("dimension", "start", "minimum", "maximum", "positions")
DISPLAY_FIELDS = ("colour", "digits")
Way = Literal["added", "removed", "changed"]


@record
class Difference:
    """One thing that one of two systems has otherwise."""

    scheme: str
    part: Part
    way: Way
    name: str
    """Of the block, signal, motor or parameter."""
    attribute: str = ""
    """Key of the attribute that is other."""
    before: str = ""
    after: str = ""
    """What it was and is, in words of the language that was asked for."""

    def to_json(self) -> dict[str, str]:
        """As plain data."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


def compare_schemes(first: Model, second: Model, lang: Language = "en") -> tuple[Difference, ...]:
    """What has been added, removed and changed in the schemes of a system.

    The order of things, places in drawings, units and spellings of numbers, and the language of words do not count.
    A wire is an attribute that follows signals or bodies, a parameter one that does not.

    Args:
        first: The system as it was.
        second: As it is.
        lang: Language of the expressions in the result.
    """
    return tuple(_Comparison(first, second, lang).differences())


class _Comparison:
    def __init__(self, first: Model, second: Model, lang: Language) -> None:
        self.models, self.lang = (first, second), lang
        self.truths = [
            {each.name for scheme in model.schemes for each in scheme.named if each.truth} for model in self.models
        ]

    def differences(self) -> Iterator[Difference]:
        before, after = ([scheme for scheme in model.schemes if not scheme.asks] for model in self.models)
        pairs = _pairs(before, after)
        for old, new in pairs:
            if old is None or new is None:
                own = old or new
                assert own is not None
                yield Difference(
                    scheme=own.name, part="scheme", way="added" if old is None else "removed", name=own.name
                )
                continue
            yield from self._scheme(old, new)
        yield from self._parameters(before, after)

    def text(self, side: int, values: Sequence[Expression]) -> str:
        """Expressions as people read them."""
        return ", ".join(print_expression(written_truths(each, self.truths[side]), self.lang) for each in values)

    def _scheme(self, old: Scheme, new: Scheme) -> Iterator[Difference]:
        if old.name != new.name:
            yield Difference(
                scheme=new.name,
                part="scheme",
                way="changed",
                name=new.name,
                attribute="name",
                before=old.name,
                after=new.name,
            )
        for key, before, after in _clocks(old.clock, new.clock):
            yield Difference(
                scheme=new.name, part="clock", way="changed", name=new.name, attribute=key, before=before, after=after
            )
        had, has = ({item.name: item for item in scheme.items} for scheme in (old, new))
        for name in [name for name in had if name not in has]:
            yield Difference(scheme=new.name, part=_part(had[name]), way="removed", name=name, before=had[name].kind)
        for name in has:
            if name not in had:
                yield Difference(scheme=new.name, part=_part(has[name]), way="added", name=name, after=has[name].kind)
            else:
                yield from self._item(new.name, had[name], has[name])
        yield from self._behaviours(old, new)
        yield from self._faces(old, new)
        yield from self._outputs(old, new)

    def _item(self, scheme: str, old: Item, new: Item) -> Iterator[Difference]:
        if (old.key, old.kind) != (new.key, new.kind):
            kinds = (old.kind or old.key, new.kind or new.key)
            yield Difference(
                scheme=scheme,
                part=_part(new),
                way="changed",
                name=new.name,
                attribute="kind",
                before=kinds[0],
                after=kinds[1],
            )
        if new.key == "input" and old.key == "input":
            return  # their numbers are compared as numbers
        for before_, after_ in ((old.names, new.names), (old.words, new.words)):
            for key in dict.fromkeys((*dict(before_), *dict(after_))):
                texts = [_said(dict(each).get(key)) for each in (before_, after_)]
                if texts[0] != texts[1]:
                    yield Difference(
                        scheme=scheme,
                        part="parameter",
                        way="changed",
                        name=new.name,
                        attribute=key,
                        before=texts[0],
                        after=texts[1],
                    )
        had, has = dict(old.given), dict(new.given)
        for key in dict.fromkeys((*had, *has)):
            before, after = had.get(key, ()), has.get(key, ())
            if _meaning(before) == _meaning(after):
                continue
            way: Way = "added" if not before else "removed" if not after else "changed"
            live = self._alive(0, before) or self._alive(1, after)
            yield Difference(
                scheme=scheme,
                part="wire" if live else "parameter",
                way=way,
                name=new.name,
                attribute=key,
                before=self.text(0, before),
                after=self.text(1, after),
            )

    def _behaviours(self, old: Scheme, new: Scheme) -> Iterator[Difference]:
        """Behaviours as wholes: their states and ways are charts of their own."""
        had, has = ({chart.name: chart for chart in scheme.behaviours} for scheme in (old, new))
        for name in dict.fromkeys((*had, *has)):
            if name in had and name in has and _meaning(had[name]) == _meaning(has[name]):
                continue
            way: Way = "added" if name not in had else "removed" if name not in has else "changed"
            yield Difference(scheme=new.name, part="behaviour", way=way, name=name)

    def _faces(self, old: Scheme, new: Scheme) -> Iterator[Difference]:
        """Numbers of inputs, and looks of what shows signals."""
        inputs, displays = ({each.name: each for each in table} for table in (old.inputs, old.displays))
        for given in new.inputs:
            yield from self._fields(new.name, "input", inputs.get(given.name), given, INPUT_FIELDS)
        for shown in new.displays:
            yield from self._fields(new.name, "item", displays.get(shown.name), shown, DISPLAY_FIELDS)

    def _fields(
        self, scheme: str, part: Part, before: Input | Display | None, after: Input | Display, names: Sequence[str]
    ) -> Iterator[Difference]:
        for key in names if before is not None else ():
            texts = _said(getattr(before, key)), _said(getattr(after, key))
            if texts[0] != texts[1]:
                yield Difference(
                    scheme=scheme,
                    part=part,
                    way="changed",
                    name=after.name,
                    attribute=key,
                    before=texts[0],
                    after=texts[1],
                )

    def _outputs(self, old: Scheme, new: Scheme) -> Iterator[Difference]:
        had, has = ({each.label: each for each in scheme.commands} for scheme in (old, new))
        for motor in dict.fromkeys((*had, *has)):
            texts = [
                self.text(side, (table[motor].value.expression,)) if motor in table else ""
                for side, table in enumerate((had, has))
            ]
            meanings = [_meaning((table[motor].value.expression,)) if motor in table else None for table in (had, has)]
            if meanings[0] != meanings[1]:
                way: Way = "added" if motor not in had else "removed" if motor not in has else "changed"
                yield Difference(
                    scheme=new.name,
                    part="output",
                    way=way,
                    name=motor,
                    attribute="from",
                    before=texts[0],
                    after=texts[1],
                )

    def _parameters(self, before: Sequence[Scheme], after: Sequence[Scheme]) -> Iterator[Difference]:
        """Parameters of the file that schemes of both name, with other values."""
        used = {name for scheme in (*before, *after) for each in _expressions(scheme) for name in _names(each)}
        tables: list[Mapping[str, float]] = [
            {each.name: float(each.value) for each in model.parameters} for model in self.models
        ]
        for name in sorted(used & tables[0].keys() & tables[1].keys()):
            if tables[0][name] != tables[1][name]:
                yield Difference(
                    scheme="",
                    part="parameter",
                    way="changed",
                    name=name,
                    before=_said(tables[0][name]),
                    after=_said(tables[1][name]),
                )

    def _alive(self, side: int, values: Sequence[Expression]) -> bool:
        """Whether an attribute follows signals, the time or bodies."""
        from sistel.markup import Call
        from sistel.model import is_quantity

        signals = {name for scheme in self.models[side].schemes for name in scheme.dimensions} | {"t"}
        return any(
            (isinstance(node, Name) and node.name in signals) or (isinstance(node, Call) and is_quantity(node.function))
            for value in values
            for node in walk_expression(value)
        )


def _pairs(before: Sequence[Scheme], after: Sequence[Scheme]) -> Iterator[tuple[Scheme | None, Scheme | None]]:
    """Schemes of one name; the only ones of both belong together whatever they are called."""
    if len(before) == len(after) == 1:
        yield before[0], after[0]
        return
    had, has = ({scheme.name: scheme for scheme in each} for each in (before, after))
    for name in dict.fromkeys((*had, *has)):
        yield had.get(name), has.get(name)


def _clocks(old: Clock | None, new: Clock | None) -> Iterator[tuple[str, str, str]]:
    def times(clock: Clock | None) -> dict[str, str]:
        if clock is None:
            return {"period": "", "offset": "", "latency": ""}
        numbers = {"period": clock.step, "offset": clock.first, "latency": clock.latency}
        return {key: f"{number / clock.parts:.12g} s" for key, number in numbers.items()}

    had, has = times(old), times(new)
    return ((key, had[key], has[key]) for key in had if had[key] != has[key])


def _part(item: Item) -> Part:
    return item.key if item.key in ("signal", "block", "input") else "item"  # type: ignore[return-value]


def _said(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, tuple):
        return ", ".join(_said(each) for each in value)
    return "" if value is None else str(value)


def _expressions(scheme: Scheme) -> Iterator[Expression]:
    for item in scheme.items:
        for _, values in item.given:
            yield from values
    for command in scheme.commands:
        yield command.value.expression


def _names(value: Expression) -> Iterator[str]:
    return (node.name for node in walk_expression(value) if isinstance(node, Name))


def _meaning(values: object) -> object:
    """What an expression says, without where and how it is written."""
    if isinstance(values, tuple):
        return tuple(_meaning(each) for each in values)
    if is_dataclass(values) and not isinstance(values, (Span, type)):
        skipped = ("span", "function_span", "member_span", "literal", "unit")
        own = tuple(_meaning(getattr(values, item.name)) for item in fields(values) if item.name not in skipped)
        return (type(values).__name__, *own)
    return values


def attribute_word(key: str, lang: Language) -> str:
    """An attribute of blocks and the like in words of a language."""
    for element in ("block", "signal", "output", "scheme", "input", "dial"):
        spec = ELEMENT_BY_KEY[element].by_key.get(key)
        if spec is not None:
            return spec.written(lang)
    return key
