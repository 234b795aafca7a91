"""What the file gives a block: its attributes, as many values as they take, and those that have to be constant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sistel.errors import Diagnostics, Text, one_of, word_hint
from sistel.expr import decide
from sistel.markup import Attribute, Expression, Node
from sistel.model._check import constant
from sistel.model._control import Clock
from sistel.model._names import Names
from sistel.model._scope import Scope
from sistel.model._vectors import Written, expanded
from sistel.model.blocks import LISTED, Block, Given

MOST_TICKS = 1000
"""That a block may remember."""


def has_all(node: Node, needs: Iterable[str], who: Text, diagnostics: Diagnostics) -> bool:
    """Whether an element has the attributes that it needs; an error for each that it has not.

    Args:
        node: The element.
        needs: Keys of the attributes.
        who: What needs them; in Russian in the dative.
        diagnostics: For errors.
    """
    missing = [node.spec.by_key[key] for key in needs if key not in node.attributes]
    for spec in missing:
        text = Text(f'{who.en} needs "{spec.en[0]}"', f"{who.ru} нужно «{spec.ru[0]}»")
        diagnostics.error("missing-attribute", node.span, text, expected=spec.doc)
    return not missing


def block_values(
    block: Block, written: Written, names: Names, diagnostics: Diagnostics
) -> dict[str, list[Expression]] | None:
    """What the file gives a block; None, with an error, where that does not fit its kind."""
    node, fine = written.node, True
    word = node.attributes["kind"].span.text
    if block.clocked and not written.clocked:
        fine = False
        diagnostics.error(
            "wrong-block",
            node.at("kind"),
            Text(f'"{word}" works from tick to tick', f"«{word}» работает от такта к такту"),
            expected=Text("a scheme with a period", "схема с периодом"),
        )
    needs = (*block.needs, *(() if written.clocked else block.flowing))
    fine = has_all(node, needs, Text(f'a block "{word}"', f"блоку «{word}»"), diagnostics) and fine
    made: dict[str, list[Expression]] = {}
    for key, attribute in node.attributes.items():
        if key in ("name", "kind") or (key in block.attributes and not isinstance(attribute.value, tuple)):
            continue
        if key not in block.attributes:
            fine = False
            known = [node.spec.by_key[one].written("en") for one in block.attributes]
            diagnostics.error(
                "unknown-attribute",
                attribute.name_span,
                Text(
                    f'a block "{word}" has no "{attribute.name_span.text}"',
                    f"у блока «{word}» нет «{attribute.name_span.text}»",
                ),
                expected=one_of(known, 20),
                hint=word_hint(attribute.name_span.text, known),
            )
            continue
        found = attribute_values(
            attribute, None if key in LISTED or key in block.lists else 1, names, written.scope, diagnostics
        )
        if found is None:
            fine = False
            continue
        made[key] = list(found)
    return made if fine else None


def attribute_values(
    attribute: Attribute | None, count: int | None, names: Names, scope: Scope, diagnostics: Diagnostics
) -> tuple[Expression, ...] | None:
    """The expressions of an attribute, of which there must be so many."""
    if attribute is None:
        return None
    assert isinstance(attribute.value, tuple)
    found = tuple(each for each in attribute.value if not isinstance(each, str))
    if count is None:
        return expanded(found, names, scope)
    if len(found) != count:
        said = Text(f"{len(found)} expressions where {count} is needed", f"выражений: {len(found)}, а нужно: {count}")
        diagnostics.error("wrong-count", attribute.span, said)
        return None
    return found


def whole_ticks(value: Expression, scope: Scope, diagnostics: Diagnostics) -> int | None:
    """How many ticks a block counts; None, with an error, where that is no such number."""
    found = constant(value, scope, diagnostics)
    if found is None:
        return None
    count = float(decide(found[0]))
    if count != int(count) or not 1 <= count <= MOST_TICKS:
        said = Text(f"{count:g} is no number of ticks", f"{count:g} — не число тактов")
        expected = Text(f"a whole number from 1 to {MOST_TICKS}", f"целое число от 1 до {MOST_TICKS}")
        diagnostics.error("wrong-count", value.span, said, expected=expected)
        return None
    return int(count)


def with_numbers(
    block: Block,
    given: Given,
    values: Mapping[str, Sequence[Expression]],
    clock: Clock | None,
    scope: Scope,
    diagnostics: Diagnostics,
) -> Given | None:
    """What is given, with the values of what has to be constant; None after an error."""
    numbers: dict[str, tuple[float, ...]] = {}
    for key in (*block.constants, *(block.sampled if given.clocked else ())):
        if key not in values:
            continue
        found = [constant(value, scope, diagnostics) for value in values[key]]
        if any(each is None for each in found):
            return None
        numbers[key] = tuple(float(decide(each[0])) for each in found if each is not None)
    return replace(given, numbers=numbers, period=0.0 if clock is None else clock.period)
