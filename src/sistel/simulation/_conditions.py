"""Conditions as functions whose zeros are watched, and what their signs say.

Every comparison is a *leaf*: a function of the state that is positive while the comparison holds. A crossing is a leaf
that counts only at the instant at which it passes zero. The condition is a postfix word over the leaves, short enough
to be evaluated in machine code at every zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sistel.markup import Compare, Crossing, Expression, Logic, Not

HOLDS, RISES, FALLS, CROSSES = range(4)
"""Kinds of leaves: a comparison, or an instant of passing zero upward, downward, or either way."""

AND, OR, NOT = -1, -2, -3
"""Operations of a postfix word; numbers from 0 on are leaves."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """A watched function: left − right."""

    left: Expression
    right: Expression
    kind: int


@dataclass(slots=True, eq=False)
class Condition:
    """A condition: its leaves, and a postfix word over them."""

    leaves: list[Leaf] = field(default_factory=list)
    word: list[int] = field(default_factory=list)

    @property
    def instant(self) -> bool:
        """Whether it can hold only at an instant."""
        return any(leaf.kind != HOLDS for leaf in self.leaves)


def read_condition(node: Expression) -> Condition:
    """The leaves and the word of a checked condition."""
    made = Condition()
    _read(node, made)
    return made


def _read(node: Expression, made: Condition) -> None:
    match node:
        case Compare():
            # A changing quantity equals another only while it passes it.
            if node.operator in ("=", "!="):
                _leaf(made, Leaf(node.left, node.right, CROSSES))
                if node.operator == "!=":
                    made.word.append(NOT)
            elif node.operator in (">", ">="):
                _leaf(made, Leaf(node.left, node.right, HOLDS))
            else:
                _leaf(made, Leaf(node.right, node.left, HOLDS))
        case Crossing():
            kind = {"rises": RISES, "falls": FALLS, "crosses": CROSSES}[node.direction]
            _leaf(made, Leaf(node.left, node.level, kind))
        case Logic():
            for index, operand in enumerate(node.operands):
                _read(operand, made)
                if index:
                    made.word.append(AND if node.operator == "and" else OR)
        case Not():
            _read(node.operand, made)
            made.word.append(NOT)
        case _:
            raise AssertionError(f"no condition: {type(node).__name__}")


def _leaf(made: Condition, leaf: Leaf) -> None:
    made.word.append(len(made.leaves))
    made.leaves.append(leaf)
