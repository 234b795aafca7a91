"""Conditions as functions whose zeros are watched, and what their signs say.

Every comparison is a *leaf*: a function of the state that is positive while the comparison holds. A crossing is a leaf
that counts only at the instant at which it passes zero. The condition is a postfix word over the leaves, short enough
to be evaluated in machine code at every zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sistel.markup import Binary, Call, Compare, Crossing, Expression, Logic, Not, Number
from sistel.mechanics import CONE_SIDES
from sistel.model import only_counters
from sistel.records import entry
from sistel.units import PLAIN

HOLDS, RISES, FALLS, CROSSES = range(4)
"""Kinds of leaves: a comparison, or an instant of passing zero upward, downward, or either way."""

SAME = 1e-9
"""Difference of counters that counts as none: they are whole numbers, or what formulas make of them."""

AND, OR, NOT = -1, -2, -3
"""Operations of a postfix word; numbers from 0 on are leaves."""


@entry
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

    def holds(self, truths: Sequence[bool], ways: Sequence[int]) -> bool:
        """Whether it holds, as machine code decides it.

        Args:
            truths: Of every leaf, whether it is positive.
            ways: Of every leaf, whether it passes zero now: 1 upward, -1 downward, 0 not.
        """
        stack: list[bool] = []
        for word in self.word:
            if word == NOT:
                stack.append(not stack.pop())
            elif word in (AND, OR):
                right, left = stack.pop(), stack.pop()
                stack.append(left and right if word == AND else left or right)
            elif self.leaves[word].kind == HOLDS:
                stack.append(truths[word])
            else:
                kind, way = self.leaves[word].kind, ways[word]
                stack.append(way > 0 if kind == RISES else way < 0 if kind == FALLS else way != 0)
        return stack.pop()


def read_condition(node: Expression) -> Condition:
    """The leaves and the word of a checked condition."""
    made = Condition()
    _read(node, made)
    return made


def _read(node: Expression, made: Condition) -> None:
    if isinstance(node, (Compare, Crossing)) and _reads_margin(node, made):
        return
    if isinstance(node, Compare) and only_counters(node.left, node.right):
        _read_counters(node, made)
        return
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


def _read_counters(node: Compare, made: Condition) -> None:
    """Read a comparison of what changes in transitions alone: it may stand at equality, and then it is equal."""

    def most(low: Expression, high: Expression, slack: float) -> None:
        """That `low` is at most `high`, or less where the slack is negative."""
        number = Number(value=slack, dimension=PLAIN, unit=None, literal=repr(slack), span=node.span)
        _leaf(made, Leaf(Binary(span=node.span, operator="+", left=high, right=number), low, HOLDS))

    match node.operator:
        case "<" | "<=":
            most(node.left, node.right, -SAME if node.operator == "<" else SAME)
        case ">" | ">=":
            most(node.right, node.left, -SAME if node.operator == ">" else SAME)
        case _:
            most(node.left, node.right, SAME)
            most(node.right, node.left, SAME)
            made.word.append(AND)
            if node.operator == "!=":
                made.word.append(NOT)


def _reads_margin(node: Compare | Crossing, made: Condition) -> bool:
    """Read a margin to the friction cone that is compared with 0; False where there is none.

    The margin itself has a corner where nothing pulls along the surface. It is positive where two smooth functions are,
    and those are watched instead.
    """
    level = node.right if isinstance(node, Compare) else node.level
    call = node.left
    way: str = node.operator if isinstance(node, Compare) else node.direction
    if isinstance(node, Compare) and isinstance(level, Call) and level.function == "margin":
        call, level, way = level, call, {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(node.operator, "")
    if not (isinstance(call, Call) and call.function == "margin" and isinstance(level, Number) and level.value == 0.0):
        return False
    if way not in ("<", "<=", ">", ">=", "rises", "falls"):
        return False
    first = len(made.leaves)
    for side in CONE_SIDES:
        made.leaves += [Leaf(replace(call, function=side), level, HOLDS)]
    made.word += [first, first + 1, AND]
    if way in ("<", "<="):
        made.word.append(NOT)
    if way not in ("rises", "falls"):
        return True
    # It passes zero where one of the two does, and is inside before or after.
    del made.word[-3:]
    kind = RISES if way == "rises" else FALLS
    for side in CONE_SIDES:
        made.leaves += [Leaf(replace(call, function=side), level, kind)]
    for own, other in ((0, 1), (1, 0)):
        made.word += [first + 2 + own, first + other]
        made.word += [AND] if way == "rises" else [first + 2 + other, OR, AND]
    made.word.append(OR)
    return True


def _leaf(made: Condition, leaf: Leaf) -> None:
    made.word.append(len(made.leaves))
    made.leaves.append(leaf)
