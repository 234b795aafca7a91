"""Laws of blocks that need more than their attributes: what stands inside them, chains of joints, motors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sistel.errors import Diagnostics
from sistel.markup import Expression, Node
from sistel.model._fuzzy import FUZZY, FuzzyReader, output_names
from sistel.model._names import Names
from sistel.model._reaching import EFFORTS, Places, ReachReader, joint_names, motor_names, read_efforts
from sistel.model._scope import Scope
from sistel.model._vectors import Written
from sistel.model.blocks import Block, Law
from sistel.records import entry


@entry
class Special:
    """A law, and the expressions that it names; none after an error."""

    law: Law | None
    values: Mapping[str, Sequence[Expression]]


def special_law(
    block: Block,
    written: Written,
    name: str,
    values: Mapping[str, Sequence[Expression]],
    names: Names,
    places: Places,
    diagnostics: Diagnostics,
) -> Special | None:
    """The law of such a block; None where its attributes tell it."""
    node, scope = written.node, written.scope
    if block.key in FUZZY:
        found = FuzzyReader(node, name, scope, diagnostics).read()
    elif block.key == "ik":
        found = ReachReader(node, name, scope, names, places, diagnostics).read(values)
    elif block.key in EFFORTS:
        found = read_efforts(node, name, scope, names, places, len(values.get("in", ())), diagnostics)
    else:
        return None
    return Special(None, {}) if found is None else Special(found[0], {**values, **found[1]})


def special_outputs(node: Node, scope: Scope, names: Names, places: Places) -> tuple[str, ...]:
    """Names of the outputs of a block that follow from more than its attributes."""
    kind = node.text("kind")
    if kind == "ik":
        return joint_names(node, scope, names, places)
    return motor_names(node) if kind in EFFORTS else output_names(node)
