"""What a structure holds → formulas: constraints, loads of links and anchors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sistel.expr import Expr, Graph, Op, Program, Scalars, replay
from sistel.formulas._derive import Derived
from sistel.formulas._equations import Constraint, Line, LinkLoad
from sistel.formulas._formula import Formula, Sym, positive_first, size
from sistel.formulas._holding import Holding
from sistel.formulas._link_words import acts_on
from sistel.formulas._poly import TooLarge
from sistel.model import Model, Structure
from sistel.records import entry

LONGEST_CONSTRAINT = 120
"""Numbers and symbols of one formula of a constraint; where one is longer, all get named parts."""

Form = Callable[[Expr], Formula]


@entry
class HeldFormulas:
    """Formulas of what a structure holds."""

    constraints: tuple[Constraint, ...] = ()
    links: tuple[LinkLoad, ...] = ()
    anchors: tuple[Line, ...] = ()


def short(form: Form) -> Form:
    """The same, refusing formulas that are too long to be read."""

    def checked(node: Expr) -> Formula:
        made = form(node)
        if size(made) > LONGEST_CONSTRAINT:
            raise TooLarge
        return made

    return checked


def held_formulas(
    model: Model, structure: Structure, holding: Holding, form: Form, wanted: Sequence[tuple[str, int]]
) -> HeldFormulas:
    """Write everything.

    Args:
        model: The system.
        structure: What holds.
        holding: The same as nodes.
        form: Writes one node.
        wanted: Components of a load: names, and indices among moment and force.
    """

    def tidy(node: Expr) -> Formula:
        return positive_first(form(node))

    constraints = tuple(
        Constraint(
            link=held.row.link,
            part=held.row.part,
            position=None if held.value is None else tidy(held.value),
            jacobian=tuple(map(tidy, held.J)),
            drift=form(held.drift),
            bias=tidy(held.bias),
            drag=None if held.drag is None else tuple(map(tidy, held.drag)),
            redundant=held.redundant,
            exact=held.exact,
        )
        for held in holding.rows
    )
    first = {held.row.link: held for held in reversed(holding.rows)}
    links = tuple(
        LinkLoad(name, acts_on(model, structure, first[name]), tuple((part, tidy(load[i])) for part, i in wanted))
        for name, load in holding.loads.items()
    )
    needed = tuple((Sym("h", place), tidy(anchor.now)) for place, anchor in enumerate(holding.anchors))
    return HeldFormulas(constraints, links, needed)


def held_outputs(derived: Derived) -> dict[str, list[Expr]]:
    """Outputs of the straight line of everything, for what the structure holds."""
    holding = derived.holding
    if holding is None:
        return {}
    zero = derived.graph.constant(0.0)
    made = {
        "constraints": [zero if held.value is None else held.value for held in holding.rows],
        "jacobian": [node for held in holding.rows for node in held.J],
        "constraint_bias": [held.bias for held in holding.rows],
        "drift": [held.drift for held in holding.rows],
        "friction": [node for held in holding.rows for node in held.drag or [zero] * len(held.J)],
        "link_reactions": [node for load in holding.loads.values() for node in load],
    }
    if all(held.drag is None for held in holding.rows):
        del made["friction"]
    if all(node == zero for node in made["drift"]):
        del made["drift"]
    return made


def held_programs(derived: Derived) -> dict[str, Program]:
    """Straight lines of the constraints alone: positions, Jacobian and biases."""
    outputs = held_outputs(derived)
    names = [name for name in ("constraints", "jacobian", "constraint_bias") if name in outputs]
    return {name: _needed(derived.graph.program({name: outputs[name]}), name) for name in names}


def _needed(line: Program, name: str) -> Program:
    """The same program, without blocks of inputs that it does not read; coordinates and parameters stay."""
    read = {block for op, block in zip(line.operation, line.first, strict=True) if op == Op.INPUT}
    graph = Graph()
    blocks: list[Scalars] = []
    for index, (block, count) in enumerate(line.inputs):
        wanted = index in read or block in ("q", "p")
        blocks.append(graph.inputs(block, count) if wanted else [0.0] * count)
    (values,) = replay(line, *blocks)
    return graph.program({name: values})
