"""Reads what operators touch and see, and where blocks of schemes are drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sistel.errors import Diagnostics, Text, one_of, word_hint
from sistel.expr import decide
from sistel.markup import Node
from sistel.model._assembly import MountedFile
from sistel.model._block_values import has_all
from sistel.model._check import constant
from sistel.model._control import Display, DrawnAt, Input
from sistel.units import PLAIN, Dimension

SWITCHES = ("button", "latching", "toggle")
"""Kinds of inputs that are conditions."""
DISPLAYS = ("lamp", "dial", "indicator")
"""What shows a signal to an operator."""
NAMED = ("signal", "block", "sensor", "input", *DISPLAYS)
"""Elements of a scheme that make a signal."""
AXES = ("x", "y")
"""Of a joystick."""

_TAKES = {
    "number": ("value", "min", "max"),
    "slider": ("value", "min", "max"),
    "joystick": ("value", "min", "max"),
    "rotary": ("value", "positions"),
    **dict.fromkeys(SWITCHES, ("value",)),
}
_NEEDS = {"slider": ("min", "max"), "joystick": ("min", "max"), "rotary": ("positions",)}


def input_names(node: Node, name: str) -> tuple[str, ...]:
    """What the numbers of an input are called."""
    return tuple(f"{name}.{axis}" for axis in AXES) if node.text("kind") == "joystick" else (name,)


def read_input(node: Node, part: MountedFile, name: str, scheme: str, diagnostics: Diagnostics) -> list[Input]:
    """The numbers of an input: one, or two of a joystick; none, with an error, where it is wrong."""
    kind = node.text("kind") or "number"
    if not _fits(node, kind, diagnostics):
        return []
    found = _numbers(node, part, kind, diagnostics)
    if found is None:
        return []
    values, dimension = found
    start, low, high = values["value"][0], _only(values.get("min")), _only(values.get("max"))
    positions = tuple(values.get("positions", ()))
    if not _within(node, start, low, high, positions, kind, diagnostics):
        return []
    return [
        Input(
            name=own,
            scheme=scheme,
            dimension=dimension,
            start=start,
            minimum=low,
            maximum=high,
            face="" if kind == "number" else kind,
            positions=positions,
            span=node.span,
        )
        for own in input_names(node, name)
    ]


def _only(values: list[float] | None) -> float | None:
    return None if values is None else values[0]


def _fits(node: Node, kind: str, diagnostics: Diagnostics) -> bool:
    """Whether an input has the attributes of its kind."""
    fine = True
    word = node.attributes["kind"].span.text if "kind" in node.attributes else kind
    for key, attribute in node.attributes.items():
        if key in ("name", "kind", *_TAKES[kind]):
            continue
        fine = False
        known = [node.spec.by_key[one].written("en") for one in _TAKES[kind]]
        diagnostics.error(
            "unknown-attribute",
            attribute.name_span,
            Text(
                f'an input "{word}" has no "{attribute.name_span.text}"',
                f"у ввода «{word}» нет «{attribute.name_span.text}»",
            ),
            expected=one_of(known),
        )
    return has_all(node, _NEEDS.get(kind, ()), Text(f'an input "{word}"', f"вводу «{word}»"), diagnostics) and fine


def _numbers(
    node: Node, part: MountedFile, kind: str, diagnostics: Diagnostics
) -> tuple[dict[str, list[float]], Dimension] | None:
    """The numbers of the attributes of an input, in SI, and the dimension of all of them."""
    dimension: Dimension | None = None
    made: dict[str, list[float]] = {}
    for key in ("value", "positions", "min", "max"):
        attribute = node.attributes.get(key)
        if attribute is None:
            continue
        assert isinstance(attribute.value, tuple)
        for each in attribute.value:
            assert not isinstance(each, str)
            if dimension is None:
                found = constant(each, part.scope, diagnostics)
                if found is None:
                    return None
                value: float | None = found[0]
                dimension = found[1]
            else:
                value = part.values.expression(each, dimension, "")
            if value is None:
                return None
            made.setdefault(key, []).append(float(decide(value)))
    if "value" not in made:
        made["value"] = made["positions"][:1] if kind == "rotary" else [0.0]
    return made, PLAIN if dimension is None else dimension


def _within(
    node: Node,
    start: float,
    low: float | None,
    high: float | None,
    positions: tuple[float, ...],
    kind: str,
    diagnostics: Diagnostics,
) -> bool:
    """Whether the limits of an input are in order, and its value is one that the operator can give."""
    if low is not None and high is not None and low >= high:
        wrong = Text("the limits leave nothing between them", "между пределами ничего нет")
        diagnostics.error("beyond-limits", node.at("max"), wrong, expected=Text("min below max", "min меньше max"))
        return False
    if kind == "rotary" and (len(positions) < 2 or len(set(positions)) < len(positions)):
        wrong = Text(
            "a switch has two positions or more, all different", "у переключателя два разных положения или больше"
        )
        diagnostics.error("wrong-count", node.at("positions"), wrong)
        return False
    choices = (0.0, 1.0) if kind in SWITCHES else positions
    fits = start in choices if choices else (low is None or low <= start) and (high is None or start <= high)
    if not fits:
        expected = one_of([f"{each:g}" for each in choices]) if choices else None
        if expected is None:
            ends = [("-∞" if low is None else f"{low:g}"), ("∞" if high is None else f"{high:g}")]
            expected = Text(f"{ends[0]} to {ends[1]} [SI]", f"от {ends[0]} до {ends[1]} [СИ]")
        diagnostics.error(
            "beyond-limits",
            node.at("value") if "value" in node.attributes else node.span,
            Text(f"the value {start:g} cannot be given here", f"значение {start:g} здесь задать нельзя"),
            expected=expected,
        )
    return fits


def read_display(
    node: Node, part: MountedFile, name: str, dimension: Dimension | None, diagnostics: Diagnostics
) -> Display | None:
    """How a signal is shown on the console; None, with an error, where it cannot be shown so.

    Args:
        node: The lamp, dial or indicator.
        part: Its file.
        name: Of its signal, in full.
        dimension: Of the signal; None for a truth.
        diagnostics: Take what is wrong.
    """
    if (node.key == "lamp") != (dimension is None):
        shown = node.span.text.split()[0].lstrip("<") if node.span.text else node.key
        diagnostics.error(
            "wrong-dimension",
            node.at("from"),
            Text(f'"{shown}" cannot show this', f"«{shown}» этого не покажет"),
            expected=Text("a condition", "условие") if node.key == "lamp" else Text("a number", "число"),
            hint=None
            if node.key == "lamp"
            else Text("a lamp shows a condition: <lamp …/>", "условие показывает лампа: <лампа …/>"),
        )
        return None
    limits: dict[str, float] = {}
    for key in ("min", "max"):
        bound = node.attributes.get(key)
        if bound is not None and dimension is not None:
            assert isinstance(bound.value, tuple) and not isinstance(bound.value[0], str)
            value = part.values.expression(bound.value[0], dimension, "")
            if value is None:
                return None
            limits[key] = float(decide(value))
    if node.key == "dial" and (len(limits) < 2 or limits["min"] >= limits["max"]):
        wrong = Text("the scale has no length", "у шкалы нет длины")
        diagnostics.error("beyond-limits", node.at("max"), wrong, expected=Text("min below max", "min меньше max"))
        return None
    digits = node.attributes.get("digits")
    return Display(
        name=name,
        kind=node.key,
        minimum=limits.get("min"),
        maximum=limits.get("max"),
        colour=node.text("colour"),
        digits=int(digits.value) if digits is not None and isinstance(digits.value, int) else None,
        span=node.span,
    )


def read_places(
    scheme: Node, part: MountedFile, names: Collection[str], motors: Collection[str], diagnostics: Diagnostics
) -> Iterator[DrawnAt]:
    """Where blocks of a scheme are drawn.

    Args:
        scheme: The scheme.
        part: Its file.
        names: Of its signals, blocks, inputs and displays, in full.
        motors: That it commands.
        diagnostics: Take what is wrong.
    """
    seen: set[str] = set()
    for drawing in scheme.of("drawing"):
        others = [attribute.name_span for attribute in drawing.attributes.values()]
        others += [attribute.name_span for attribute in drawing.open]
        others += [node.span for node in drawing.children if node.key != "place"]
        for span in others:
            diagnostics.error(
                "misplaced",
                span,
                Text("the drawing of a scheme has places of blocks alone", "в рисунке схемы — только места блоков"),
                expected=Text('<place of="u" at="2, 0"/>', '<место чего="u" где="2, 0"/>'),
            )
        for node in drawing.of("place"):
            own, at = node.text("of") or "", part.values.numbers(node, "at")
            full = part.scope.full(own)
            if full not in names and own not in motors:
                known = [*names, *motors]
                diagnostics.error(
                    "unknown-name",
                    node.at("of"),
                    Text(f'the scheme has no block "{own}"', f"в схеме нет блока «{own}»"),
                    expected=one_of(known) if known else None,
                    hint=word_hint(own, known),
                )
            elif at is not None and (len(at) != 2 or min(at) < 0 or at[0] != int(at[0])):
                diagnostics.error(
                    "wrong-count",
                    node.at("at"),
                    Text("this is no place of a drawing", "это не место на рисунке"),
                    expected=Text("a whole column and a row, both from 0", "целый столбец и строка, оба от 0"),
                )
            elif own in seen:
                twice = Text(f'the place of "{own}" is given twice', f"место «{own}» задано дважды")
                diagnostics.error("same-name", node.at("of"), twice)
            elif at is not None:
                seen.add(own)
                yield DrawnAt(name=full if full in names else own, column=int(at[0]), row=float(at[1]))
