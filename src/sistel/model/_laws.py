"""The law of a block with the expressions of the file put in: one expression for all that it makes and remembers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from sistel.errors import Diagnostics, Fragment, Source, Span
from sistel.markup import Expression, parse_expression
from sistel.markup import expressions as nodes
from sistel.model._check import SI_VALUE
from sistel.model._control import Clock, tick_name
from sistel.model.blocks import Law
from sistel.records import entry
from sistel.units import PLAIN, TIME

_WORD = re.compile(r"[a-z]\w*")
_MARK = "x_"
"""Before the names of a law, some of which are words of the language."""


@entry
class WrittenLaw:
    """The expressions of a block, not checked yet; what is remembered goes by its full name."""

    out: Expression
    parts: Mapping[str, Expression]
    inner: Mapping[str, Expression]
    likes: Mapping[str, Expression]
    followings: Mapping[str, Expression]
    starts: Mapping[str, Expression]
    jumps: Mapping[str, tuple[tuple[Expression, Expression], ...]]


class _Unknown(Exception):
    """A law asks for a value that the file does not give."""


def computed_values(law: Law, name: str, span: Span) -> dict[str, list[Expression]]:
    """What the routines of a law make, for a block with its full name."""
    made: dict[str, list[Expression]] = {}
    for own, (routine, asked) in law.computed.items():
        given = tuple(nodes.Name(f"{name}.{each}", span) for each in asked)
        made[own] = [nodes.Computed(routine, i, given, PLAIN, span) for i in range(routine.gives)]
    return made


def written_law(
    law: Law, values: Mapping[str, Sequence[Expression]], name: str, scheme: str, clock: Clock | None, span: Span
) -> WrittenLaw | None:
    """The law of a block; None where it asks for other values than the file gives.

    Args:
        law: The law.
        values: What the file gives, by attributes.
        name: Full name of the block.
        scheme: Full name of its scheme.
        clock: Of the scheme.
        span: Of the block: the parts of the law itself stand there.
    """
    table: dict[str, Expression] = {}
    for key, given in values.items():
        if len(given) == 1:
            table[key] = given[0]
        table |= {f"{key}_{i}": each for i, each in enumerate(given)}
    table |= {own: nodes.Name(f"{name}.{own}", span) for own in (*law.stores, *law.inner)}
    table["ticks"] = nodes.Name(tick_name(scheme), span)
    if clock is not None:
        table["period"] = nodes.Number(clock.period, TIME, "s", repr(clock.period), span)

    def put(text: str) -> Expression:
        return _substituted(_parsed(text, frozenset(table)), table, span)

    stores = {f"{name}.{own}": memory for own, memory in law.stores.items()}
    try:
        return WrittenLaw(
            out=put(law.out or "0"),
            parts={f"{name}.{own}": put(text) for own, text in law.parts.items()},
            inner={f"{name}.{own}": put(text) for own, text in law.inner.items()},
            likes={full: put(memory.like) for full, memory in stores.items() if memory.like},
            followings={full: put(memory.following) for full, memory in stores.items()},
            starts={full: put(memory.start) for full, memory in stores.items()},
            jumps={full: tuple((put(a), put(b)) for a, b in memory.jumps) for full, memory in stores.items()},
        )
    except _Unknown:
        return None


@cache
def _parsed(text: str, known: frozenset[str]) -> Expression:
    """A text of a law as an expression, the names of the law marked."""
    marked = _WORD.sub(lambda found: _MARK + found.group() if found.group() in known else found.group(), text)
    diagnostics = Diagnostics()
    made = parse_expression(Fragment(marked, Source("<law>", marked), 0), diagnostics)
    assert made is not None, (text, diagnostics.sorted())
    return made


def _substituted(node: Expression, table: Mapping[str, Expression], span: Span) -> Expression:
    """An expression with names replaced, all else at one place."""

    def put(inner: Expression) -> Expression:
        return _substituted(inner, table, span)

    match node:
        case nodes.Name():
            own = node.name.removeprefix(_MARK)
            if own not in table:
                raise _Unknown
            return table[own]
        case nodes.Call():
            own = SI_VALUE if node.function == "si" else node.function
            node = replace(node, function=own, function_span=span)
        case nodes.Crossing() | nodes.Member() | nodes.Reading():
            raise AssertionError(f"no law has this: {type(node).__name__}")
    return replace(nodes.with_operands(node, put), span=span)
