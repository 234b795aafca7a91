"""What a functional scheme consists of as a drawing: boxes with ports, and wires between them.

Sums that stand in attributes become circles with their signs, quantities of bodies become sources, whatever is more
than that becomes a box with its formula. Where a continuous quantity meets a clock the wire bears a sample, and a hold
where what a clock computed goes on without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, fields, is_dataclass, replace
from textwrap import wrap
from typing import Literal, get_args

from sistel.errors import Language
from sistel.markup import Binary, Call, Expression, Member, Name, Number, Unary, print_expression, walk_expression
from sistel.markup import expressions as nodes
from sistel.markup.schema import ELEMENT_BY_KEY, Keyword
from sistel.model import Item, Model, Scheme, is_quantity, written_truths
from sistel.model.charts import Chart
from sistel.records import entry, mutable
from sistel.units import Dimension, si_symbol
from sistel.views.text import clean

Mark = Literal["", "sample", "hold"]
Sort = Literal["block", "signal", "input", "display", "motor", "source", "constant", "sum", "gain", "function", "item"]

LONGEST_GAIN = 12
"""Letters of a factor that is drawn as a gain."""
SHARED = 3
"""Boxes that read a quantity from one place."""
WIDTH = 28
"""Letters of a line of a formula."""
MANY = ("in", "points", "values")
"""Attributes with several values."""


@entry
class Wire:
    """From an output of one box to an input of another."""

    source: int
    out: int
    target: int
    port: int
    mark: Mark


@mutable
class Box:
    """Anything that stands in a drawing."""

    sort: Sort
    name: str
    """By which the file knows it; empty for what the drawing has made."""
    kind: str
    """Key of the block's kind."""
    title: str
    lines: list[str] = field(default_factory=list)
    """Small print: formulas and parameters."""
    ports: list[str] = field(default_factory=list)
    """Labels of its inputs."""
    signs: list[str] = field(default_factory=list)
    """− where an input is taken with the other sign."""
    outs: list[str] = field(default_factory=list)
    """Names of the signals that leave it; empty for what has no name."""
    units: list[str] = field(default_factory=list)
    """Of these."""
    place: tuple[int, float] | None = None
    """Column and row, where the file gives them."""
    told: str = ""
    """What is cut short in its lines, whole."""

    @property
    def parts(self) -> list[str]:
        """What is written at its outputs: parts of its name, where it has not one alone."""
        if not self.name or self.outs in ([], [""], [self.name]):
            return []
        return [clean(name.removeprefix(f"{self.name}.")) for name in self.outs]


@entry
class Net:
    """A scheme as boxes and wires."""

    name: str
    boxes: list[Box]
    wires: list[Wire]


def net_of(model: Model, scheme: Scheme, lang: Language) -> Net:
    """The boxes and wires of a scheme, with words of a language."""
    return _Weaver(model, scheme, lang).net()


class _Weaver:
    """Makes boxes of items, and wires of what their attributes name."""

    def __init__(self, model: Model, scheme: Scheme, lang: Language) -> None:
        self.model, self.scheme, self.lang = model, scheme, lang
        self.boxes: list[Box] = []
        self.wires: list[Wire] = []
        self.places = {each.name: (each.column, each.row) for each in scheme.places}
        self.homes = {name: each for each in model.schemes for name in each.dimensions}
        self.homes |= {name: each for each in model.schemes for name, _ in each.vectors}
        """The schemes of signals, inputs and vectors."""
        self.truths = {each.name for own in model.schemes for each in own.named if each.truth}
        self.outs: dict[str, tuple[int, int]] = {}
        """Where signals of this scheme come out."""
        self.sources: dict[str, int] = {}
        """Boxes of quantities, by their texts."""

    def net(self) -> Net:
        given = [each for item in self.scheme.items for _, values in item.given for each in values]
        given += [each for chart in self.scheme.own_behaviours for each in expressions_of(chart)]
        used = {name for each in given for name in _names(each)}
        used |= {name for command in self.scheme.commands for name in _names(command.value.expression)}
        for item in self.scheme.items:
            self._declare(item, used)
        charts = [self._declare_chart(chart, used) for chart in self.scheme.own_behaviours]
        for number, item in enumerate(self.scheme.items):
            self._join(number, item)
        for number, chart in zip(charts, self.scheme.own_behaviours, strict=True):
            for value in expressions_of(chart):
                self._open(number, value)
        for command in self.scheme.commands:
            unit = _dotted(si_symbol(command.value.dimension, self.lang))
            box = Box("motor", command.label, "", clean(command.label), [unit] if unit else [], [""], [""])
            box.place = self.places.get(command.label)
            # What goes straight to a motor, past all blocks, acts as it comes.
            outside = {each.name for each in self.scheme.inputs}
            signals = [each for each in self._atoms(command.value.expression) if isinstance(each, Name)]
            held = self.scheme.clock is not None and any(each.name not in outside for each in signals)
            self._feed(self._add(box), 0, command.value.expression, held=held, straight=not held)
        self._share_out()
        return Net(clean(self.scheme.name), self.boxes, self.wires)

    def _share_out(self) -> None:
        """A quantity that many boxes read stands beside each of them: long wires through the drawing would say less."""
        for number in self.sources.values():
            readers = list(dict.fromkeys(wire.target for wire in self.wires if wire.source == number))
            if len(readers) <= SHARED:
                continue
            copies = {reader: self._add(replace(self.boxes[number])) for reader in readers[1:]}
            self.wires = [
                replace(wire, source=copies.get(wire.target, number)) if wire.source == number else wire
                for wire in self.wires
            ]

    def _add(self, box: Box) -> int:
        self.boxes.append(box)
        return len(self.boxes) - 1

    def text(self, expression: Expression) -> str:
        """An expression as people read it."""
        if isinstance(expression, Name) and expression.name in self.homes:
            return clean(expression.name)
        return clean(print_expression(written_truths(expression, self.truths), self.lang))

    # --- items -------------------------------------------------------------------------------------------------------

    def _declare(self, item: Item, used: set[str]) -> None:
        """The box of an item, with its outputs."""
        known = self.scheme.dimensions
        own = [each.name for each in self.scheme.named]
        outs = _asked(item.name, own, used)
        word = kind_word(item, self.lang)
        sort: Sort = {"signal": "signal", "block": "block", "input": "input"}.get(item.key, "item")  # type: ignore[assignment]
        if item.key in ("lamp", "dial", "indicator"):
            sort, outs = "display", [name for name in outs if name in used]
        box = Box(sort, item.name, item.kind or item.key, clean(item.name), place=self.places.get(item.name))
        box.outs, box.units = outs, [self._unit(known[name], name) for name in outs]
        if sort != "signal":
            box.lines.append(word)
        box.lines += [clean(", ".join(names)) for _, names in item.names]
        number = self._add(box)
        self.outs |= {name: (number, i) for i, name in enumerate(outs)}
        if item.name in used and item.name not in self.outs:
            # A vector leaves as one wire; it has no one number to show.
            self.outs[item.name] = number, len(box.outs)
            box.outs.append("")
            box.units.append("")

    def _declare_chart(self, chart: Chart, used: set[str]) -> int:
        """The box of a behaviour: what its states give."""
        outs = _asked(chart.name, [each.name for each in self.scheme.held], used)
        units = [self._unit(self.scheme.dimensions[name], name) for name in outs]
        states = ", ".join(clean(state.name) for state in chart.states if state.name)
        word = ELEMENT_BY_KEY["behaviour"].written(self.lang)
        box = Box("item", chart.name, "behaviour", clean(chart.name), [word, *_wrapped(states)], told=states)
        box.outs, box.units, box.place = outs, units, self.places.get(chart.name)
        number = self._add(box)
        self.outs |= {name: (number, i) for i, name in enumerate(outs)}
        return number

    def _unit(self, dimension: Dimension, name: str) -> str:
        return "" if dimension.plain or name in self.truths else _dotted(si_symbol(dimension, self.lang))

    def _join(self, number: int, item: Item) -> None:
        """The inputs of an item."""
        box = self.boxes[number]
        if item.key == "input":
            return
        if item.key == "signal":
            self._formula(number, dict(item.given)["value"][0])
            return
        spec = ELEMENT_BY_KEY[item.key].by_key
        fed: list[tuple[str, Expression]] = []
        for key, values in item.given:
            word = spec[key].written(self.lang) if key in spec else clean(key)
            live = [each for each in values if self._alive(each)]
            if not live:
                if box.sort != "display":
                    told = ", ".join(self.text(each) for each in values)
                    box.lines.append(f"{word} = {told}")
                continue
            only = key == "in" and len(values) == 1
            for i, each in enumerate(values):
                label = "" if only or key == "from" else f"{i + 1}" if key in MANY else word
                if self._alive(each) or key in MANY:
                    fed.append((label, each))
        if item.kind == "sum" and box.sort == "block":
            box.sort, box.lines = "sum", []
            fed = [("", each) for _, each in fed]
        box.ports, box.signs = [label for label, _ in fed], [""] * len(fed)
        for port, (_, each) in enumerate(fed):
            self._feed(number, port, each)

    def _formula(self, number: int, value: Expression) -> None:
        """A signal is a sum, or a box with its formula."""
        box, terms = self.boxes[number], list(_terms(value, 1))
        if len(terms) > 1 and all(self._atom(each) or not self._alive(each) for each, _ in terms):
            box.sort = "sum"
            box.ports, box.signs = [""] * len(terms), ["−" if sign < 0 else "" for _, sign in terms]
            for port, (each, _) in enumerate(terms):
                self._feed(number, port, each)
            return
        box.told = self.text(value)
        box.lines += _wrapped(box.told)
        self._open(number, value)

    def _open(self, number: int, value: Expression) -> None:
        """Wire a box to everything that its formula names."""
        atoms: dict[str, Expression] = {}
        own = self.boxes[number]
        known = {*own.ports, own.name}
        for each in self._atoms(value):
            if self.text(each) not in known and not self.text(each).startswith(f"{own.name}." if own.name else "\0"):
                atoms.setdefault(self.text(each), each)
        first = len(own.ports)
        own.ports += [text if len(atoms) > 1 or own.sort == "item" else "" for text in atoms]
        own.signs += [""] * len(atoms)
        for i, each in enumerate(atoms.values()):
            self._feed(number, first + i, each)

    # --- expressions -------------------------------------------------------------------------------------------------

    def _alive(self, value: Expression) -> bool:
        """Whether an expression changes with time."""
        return next(self._atoms(value), None) is not None

    def _atoms(self, value: Expression) -> Iterator[Expression]:
        """Signals and quantities in an expression, from left to right."""
        if self._atom(value):
            yield value
            return
        for each in _children(value):
            yield from self._atoms(each)

    def _atom(self, value: Expression) -> bool:
        """Whether it is a signal, the time, or a quantity of bodies."""
        if isinstance(value, Name):
            return value.name in self.homes or value.name == "t"
        if isinstance(value, Member):
            return True
        return isinstance(value, Call) and is_quantity(value.function)

    def _feed(self, target: int, port: int, value: Expression, *, held: bool = False, straight: bool = False) -> None:
        """Lead a value to a port; `held` by a clock, or `straight` past it."""
        if isinstance(value, Unary) and self._alive(value):
            self.boxes[target].signs[port] = "" if self.boxes[target].signs[port] else "−"
            value = value.operand
        value = self._plain(value)
        source, out = self._source(value)
        self.wires.append(Wire(source, out, target, port, "" if straight else self._mark(source, value, held)))

    def _plain(self, value: Expression) -> Expression:
        """A truth is the signal that it asks."""
        return written_truths(value, self.truths)

    def _source(self, value: Expression) -> tuple[int, int]:
        """The box and the output at which a value is had; made where there is none yet."""
        if isinstance(value, Name) and value.name in self.outs:
            return self.outs[value.name]
        if self._atom(value):
            return self._shared(value), 0
        text = self.text(value)
        if not self._alive(value):
            return self._add(Box("constant", "", "", text, outs=[""], units=[""])), 0
        terms = list(_terms(value, 1))
        if len(terms) > 1:
            signs = ["−" if sign < 0 else "" for _, sign in terms]
            number = self._add(Box("sum", "", "sum", "", [], [""] * len(terms), signs, [""], [""]))
            for port, (each, _) in enumerate(terms):
                self._feed(number, port, each)
            return number, 0
        factor = self._factor(value)
        if factor is not None:
            told, inner = factor
            number = self._add(Box("gain", "", "gain", told, [], [""], [""], [""], [""]))
            self._feed(number, 0, inner)
            return number, 0
        first, *rest = _wrapped(text)
        number = self._add(Box("function", "", "", first, rest, outs=[""], units=[""], told=text))
        self._open(number, value)
        return number, 0

    def _factor(self, value: Expression) -> tuple[str, Expression] | None:
        """A constant factor and what it multiplies."""
        if not isinstance(value, Binary) or value.operator not in "*/":
            return None
        left, right = self._alive(value.left), self._alive(value.right)
        if left and right:
            return None
        if value.operator == "/" and right:
            return None
        inner = value.left if left else value.right
        told = self.text(value.right if left else value.left)
        told = f"1/{told}" if value.operator == "/" else told
        return (told, inner) if len(told) <= LONGEST_GAIN else None

    def _shared(self, value: Expression) -> int:
        """The source of a quantity, or of a signal of another scheme."""
        text = self.text(value)
        if text not in self.sources:
            box = Box("source", "", "", text, outs=[""], units=[""])
            if isinstance(value, Name) and value.name in self.homes:
                home = self.homes[value.name]
                box.outs, box.units = [value.name], [self._unit(home.dimensions[value.name], value.name)]
                box.lines = [clean(home.name)]
            self.sources[text] = self._add(box)
        return self.sources[text]

    def _mark(self, source: int, value: Expression, held: bool) -> Mark:
        """Whether a wire samples what flows, or holds what a clock has computed."""
        clock, box = self.scheme.clock, self.boxes[source]
        if held:
            return "hold"
        if box.sort == "source":
            home = self.homes.get(value.name) if isinstance(value, Name) else None
            if home is not None and home.clock is not None:
                return "hold"
            return "sample" if clock is not None else ""
        return "sample" if clock is not None and box.sort == "input" else ""


def kind_word(item: Item, lang: Language) -> str:
    """What a thing of a scheme is: its kind, the scheme that it uses, or its element."""
    spec = ELEMENT_BY_KEY[item.key]
    own = spec.by_key.get("kind")
    if item.kind and own is not None and isinstance(own.kind, Keyword):
        return own.kind.choice(item.kind).written(lang)
    return clean(item.kind) if item.kind else spec.written(lang)


def expressions_of(value: object) -> Iterator[Expression]:
    """All expressions within a description, from the outside in."""
    if isinstance(value, get_args(Expression)):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from expressions_of(each)
    elif is_dataclass(value):
        for each in fields(value):
            if each.name != "span":
                yield from expressions_of(getattr(value, each.name))


def _asked(name: str, known: Sequence[str], used: set[str]) -> list[str]:
    """The signals of a thing: the one of its name, and those of its parts that somebody asks for; all where none is."""
    own = [each for each in known if each == name or each.startswith(f"{name}.")]
    own.sort(
        key=lambda each: (
            each != name,
            [(len(part), part) if part.isdigit() else (0, part) for part in each.split(".")],
        )
    )
    asked = [each for each in own if each == name or each in used]
    return asked if asked or name in used else own


def _dotted(unit: str) -> str:
    return unit.replace("*", "·")


def _wrapped(text: str) -> list[str]:
    """A formula in a few lines."""
    return wrap(text, WIDTH, max_lines=3, placeholder="…", break_on_hyphens=False) or [""]


def _names(value: Expression) -> Iterator[str]:
    return (each.name for each in walk_expression(value) if isinstance(each, Name))


def _children(value: Expression) -> Sequence[Expression]:
    match value:
        case nodes.Unary() | nodes.Not():
            return (value.operand,)
        case nodes.Binary() | nodes.Compare():
            return (value.left, value.right)
        case nodes.Logic():
            return value.operands
        case nodes.Call():
            return value.arguments
    return ()


def _terms(value: Expression, sign: int) -> Iterator[tuple[Expression, int]]:
    """The terms of a sum, with their signs."""
    if isinstance(value, Binary) and value.operator in "+-":
        yield from _terms(value.left, sign)
        yield from _terms(value.right, sign if value.operator == "+" else -sign)
    elif isinstance(value, Unary) and not isinstance(value.operand, Number):
        yield from _terms(value.operand, -sign)
    else:
        yield value, sign
