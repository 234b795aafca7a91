"""Functional schemes in the canonical document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sistel import units
from sistel.errors import Span
from sistel.markup import Attribute, Compare, Expression, Name, Node, OpenAttribute, make_node
from sistel.markup import expressions as nodes
from sistel.model._canonical_charts import chart_node
from sistel.model._control import Clock, Display, Input, Item, Scheme
from sistel.model._formulas import si_number
from sistel.model._model import Model


def truths_of(model: Model) -> set[str]:
    """Names of signals and inputs that are conditions."""
    signals = {each.name for scheme in model.schemes for each in scheme.signals if each.truth}
    return signals | {each.name for scheme in model.schemes for each in scheme.inputs if each.truth}


def put_truths(root: Node, model: Model) -> None:
    """Signals that are conditions stand by themselves outside schemes too: in forces, motions, transitions."""
    truths = truths_of(model)
    waiting = [root] if truths else []
    while waiting:
        node = waiting.pop()
        waiting += node.children
        for key, given in node.attributes.items():
            several = isinstance(given.value, tuple)
            values = given.value if isinstance(given.value, tuple) else (given.value,)
            put = tuple(each if isinstance(each, str | int) else written_truths(each, truths) for each in values)
            node.attributes[key] = replace(given, value=put if several else put[0])  # type: ignore[arg-type]


def scheme_nodes(model: Model) -> Iterator[Node]:
    """All schemes that a file has; not the clock of a program."""
    truths = truths_of(model)
    for inner in model.subschemes:
        node = make_node("scheme", inner.span, name=inner.name, ports=", ".join(inner.ports))
        node.children += [_item(item, set()) for item in inner.items]
        yield node
    for scheme in model.schemes:
        if not scheme.asks:
            yield _scheme(scheme, truths)


def _scheme(scheme: Scheme, truths: set[str]) -> Node:
    clock = scheme.clock
    node = make_node("scheme", scheme.span, name=scheme.name)
    if clock is not None:
        times = {"period": clock.step, "offset": clock.first, "latency": clock.latency}
        for key, count in times.items():
            if count:
                made = make_node("scheme", scheme.span, **{key: (_seconds(count, clock, scheme),)})
                node.attributes |= made.attributes
    if scheme.seed:
        seed = (si_number(scheme.seed, units.PLAIN, scheme.span),)
        node.attributes |= make_node("scheme", scheme.span, seed=seed).attributes
    inputs = {each.name.removesuffix(".x") if each.face == "joystick" else each.name: each for each in scheme.inputs}
    displays = {each.name: each for each in scheme.displays}
    for item in scheme.items:
        if item.key == "input":
            node.children.append(_input(item.name, inputs[item.name]))
        elif item.name in displays:
            node.children.append(_display(item, displays[item.name], scheme, truths))
        else:
            node.children.append(_item(item, truths))
    for chart in scheme.own_behaviours:
        node.children.append(chart_node(chart, lambda value: written_truths(value, truths)))
    for command in scheme.commands:
        value = (written_truths(command.value.expression, truths),)
        asked = {"brake" if command.kind == "brake" else "from_": value}
        node.children.append(make_node("output", command.span, motor=(command.motor,), **asked))
    if scheme.places:
        drawing = make_node("drawing", scheme.span)
        for each in scheme.places:
            at = [si_number(number, units.PLAIN, scheme.span) for number in (float(each.column), each.row)]
            drawing.children.append(make_node("place", scheme.span, of=each.name, at=tuple(at)))
        node.children.append(drawing)
    return node


def _seconds(count: int, clock: Clock, scheme: Scheme) -> Expression:
    """A time as a fraction, so that it stays exact."""
    return nodes.Binary(
        "/",
        si_number(float(count), units.TIME, scheme.span),
        si_number(float(clock.parts), units.PLAIN, scheme.span),
        scheme.span,
    )


def _number(value: float | None, dimension: units.Dimension, span: Span) -> tuple[Expression, ...] | None:
    return None if value is None else (si_number(value, dimension, span),)


def _input(name: str, given: Input) -> Node:
    def number(value: float | None) -> tuple[Expression, ...] | None:
        return _number(value, given.dimension, given.span)

    return make_node(
        "input",
        given.span,
        name=name,
        kind=given.face or None,
        value=number(given.start),
        min=number(given.minimum),
        max=number(given.maximum),
        positions=tuple(si_number(each, given.dimension, given.span) for each in given.positions) or None,
    )


def _display(item: Item, shown: Display, scheme: Scheme, truths: set[str]) -> Node:
    value = dict(item.given)["from"][0]
    dimension = scheme.dimensions[shown.name]
    return make_node(
        item.key,
        item.span,
        name=item.name,
        from_=(written_truths(value, truths),),
        min=_number(shown.minimum, dimension, shown.span),
        max=_number(shown.maximum, dimension, shown.span),
        colour=shown.colour,
        digits=shown.digits,
    )


def _item(item: Item, truths: set[str]) -> Node:
    node = make_node(item.key, item.span, name=item.name or None)
    node.children += [_item(each, truths) for each in item.inside]
    if item.kind:
        word = {"scheme" if item.key == "use" else "kind": item.kind}
        node.attributes |= make_node(item.key, item.span, **word).attributes
    for key, values in item.given:
        written = tuple(written_truths(value, truths) for value in values)
        if item.key == "use":
            node.open.append(OpenAttribute(key, False, written, item.span, item.span))
            continue
        spec = node.spec.by_key[key]
        node.attributes[key] = Attribute(spec, written, item.span, item.span)
    for key, values in item.outputs:
        written = tuple(written_truths(value, truths) for value in values)
        node.open.append(OpenAttribute(key, False, written, item.span, item.span))
    for key, flag in item.flags:
        node.attributes |= make_node(item.key, item.span, **{key: flag}).attributes
    for key, things in item.names:
        if item.key == "use":
            written = tuple(Name(thing, item.span) for thing in things)
            node.open.append(OpenAttribute(key, False, written, item.span, item.span))
            continue
        node.attributes |= make_node(item.key, item.span, **{key: things}).attributes
    for key, text in item.words:
        node.attributes |= make_node(item.key, item.span, **{key: text}).attributes
    return node


def written_truths(node: Expression, truths: set[str]) -> Expression:
    """An expression as a file has it: signals that are conditions stand by themselves."""
    if isinstance(node, Compare) and isinstance(node.left, Name) and node.left.name in truths:
        return node.left
    return nodes.with_operands(node, lambda inner: written_truths(inner, truths))
