"""What can be said of conditions without simulating: truths that follow from what holds and from how it was entered.

Answers are True, False or None, where None means that only the motion knows. Nothing is guessed: a condition is called
true or false only where every motion makes it so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sistel.errors import Diagnostics
from sistel.markup import Expression, print_expression, walk_expression
from sistel.markup import expressions as nodes
from sistel.model._check import quantities_from
from sistel.model._contact_elements import Blade, Contact
from sistel.model._elements import Closure, Coupling, Lock
from sistel.model._model import Model, Structure
from sistel.model._scope import FUNCTIONS, Scope, evaluate
from sistel.records import mutable
from sistel.units import PLAIN

FORCES = quantities_from("load")
"""Quantities that a link carries only while it holds."""
RATES = quantities_from("rate")
"""Quantities that depend on velocities, and on no forces."""
PLACES = quantities_from("place")
"""Quantities of the posture alone."""

MOST_ALTERNATIVES = 16
"""Ways in which a condition may come true that are followed; beyond, nothing is known of how it came true."""

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(frozen=True, slots=True)
class Range:
    """Where a quantity is at an instant; `…_leaves` tells that, if it is at that end, it moves into the range's side.

    After "rises through 1" both ends are 1, and `low_leaves` says that it will be above at once.
    """

    low: float = -math.inf
    high: float = math.inf
    low_leaves: bool = False
    high_leaves: bool = False

    def meet(self, other: Range) -> Range:
        """What both say together."""
        low, high = max(self, other, key=lambda one: one.low), min(self, other, key=lambda one: one.high)
        return Range(low.low, high.high, low.low_leaves, high.high_leaves)

    def above(self, level: float) -> bool | None:
        """Whether the quantity is above a level at once after the instant."""
        if self.low > level or (self.low == level and self.low_leaves):
            return True
        if self.high < level or (self.high == level and self.high_leaves):
            return False
        return None

    def below(self, level: float) -> bool | None:
        """Whether it is below."""
        return Range(-self.high, -self.low, self.high_leaves, self.low_leaves).above(-level)


Facts = Mapping[str, Range]
"""Ranges of quantities, by their text."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """`text` `operator` `level`; without a text `level` is the constant difference of the two sides."""

    text: str
    operator: str
    level: float
    depth: int
    """0 where the quantity is of the posture alone, 1 where velocities enter, 2 where more does; -1 for the time, which
    goes on whatever happens."""


@mutable
class Judge:
    """Decides conditions of one model."""

    model: Model
    links: Mapping[str, Closure | Contact | Blade | Lock | Coupling]
    _scope: Scope = field(default_factory=lambda: Scope(prefix=""))
    _leaves: dict[tuple[int, str | None], _Leaf] = field(default_factory=dict)
    """By the identity of a comparison, which the model keeps alive, and the name of the structure."""

    def __post_init__(self) -> None:
        """Know the parameters."""
        self._scope.parameters |= {parameter.name: parameter for parameter in self.model.parameters}

    def decide(self, node: Expression, structure: Structure, facts: Facts) -> bool | None:
        """Whether a condition holds in a structure, at an instant of which facts are known."""
        match node:
            case nodes.Logic():
                answers = [self.decide(operand, structure, facts) for operand in node.operands]
                strong = node.operator == "or"
                return strong if strong in answers else None if None in answers else not strong
            case nodes.Not():
                answer = self.decide(node.operand, structure, facts)
                return None if answer is None else not answer
            case nodes.Compare() | nodes.Crossing():
                return self._decide_leaf(self._leaf(node, structure), facts)
        return None

    def _decide_leaf(self, leaf: _Leaf, facts: Facts) -> bool | None:
        operator, level = leaf.operator, leaf.level
        if not leaf.text:
            if operator in ("rises", "falls", "crosses"):
                return False
            # At equality round-off decides, unless the comparison is strict.
            return None if level == 0 and "=" in operator else level > 0 if operator[0] == ">" else level < 0
        known = facts.get(leaf.text)
        if known is None or operator not in _MIRRORED:
            return None
        return known.above(level) if operator[0] == ">" else known.below(level)

    def causes(self, node: Expression, structure: Structure) -> tuple[tuple[nodes.Call, bool], ...]:
        """The quantities of a condition that never change in a structure, and whether it is because a link holds."""
        calls = (one for one in walk_expression(node) if isinstance(one, nodes.Call))
        found = ((call, self._constant_zero(call, structure)) for call in calls)
        return tuple((call, why) for call, why in found if why is not None)

    def entered(self, node: Expression, *, still: bool, continuous: bool) -> tuple[Facts, ...]:
        """What is known after a condition came true, for every way in which it can have come true.

        Args:
            node: The condition.
            still: Whether the posture is the same after the transition.
            continuous: Whether the velocities are too.
        """
        ways = self._ways(node, True)
        made = []
        for way in ways if len(ways) <= MOST_ALTERNATIVES else [[]]:
            facts: dict[str, Range] = {}
            for leaf in way:
                clock = leaf.depth < 0
                if not leaf.text or not (clock or (still and (leaf.depth == 0 or (leaf.depth == 1 and continuous)))):
                    continue
                # Accelerations change with the structure, so only what is a function of the posture keeps its way.
                found = _range(leaf, clock or (continuous and leaf.depth == 0))
                facts[leaf.text] = facts[leaf.text].meet(found) if leaf.text in facts else found
            made.append(facts)
        return tuple(made)

    def _ways(self, node: Expression, wanted: bool) -> list[list[_Leaf]]:
        """The sets of leaves that make a condition true (or false)."""
        match node:
            case nodes.Not():
                return self._ways(node.operand, not wanted)
            case nodes.Logic():
                parts = [self._ways(operand, wanted) for operand in node.operands]
                if (node.operator == "or") == wanted:
                    return [way for part in parts for way in part]
                ways: list[list[_Leaf]] = [[]]
                for part in parts:
                    if len(ways) * len(part) > MOST_ALTERNATIVES:
                        return [[]]
                    ways = [[*way, *more] for way in ways for more in part]
                return ways
            case nodes.Compare() if node.operator in _MIRRORED:
                leaf = self._leaf(node, None)
                return [[leaf if wanted else replace(leaf, operator=_OPPOSITE[leaf.operator])]]
            case nodes.Crossing() if wanted:
                return [[self._leaf(node, None)]]
        return [[]]

    def _leaf(self, node: nodes.Compare | nodes.Crossing, structure: Structure | None) -> _Leaf:
        key = id(node), None if structure is None else structure.name
        if key not in self._leaves:
            self._leaves[key] = self._read_leaf(node, structure)
        return self._leaves[key]

    def _read_leaf(self, node: nodes.Compare | nodes.Crossing, structure: Structure | None) -> _Leaf:
        """A comparison in its normal form; quantities that a structure keeps at zero are zero."""
        right = node.right if isinstance(node, nodes.Compare) else node.level
        operator: str = node.operator if isinstance(node, nodes.Compare) else node.direction
        first, second = (self._settled(side, structure) for side in (node.left, right))
        a, b = self._number(first), self._number(second)
        depth = max(_depth(first), _depth(second))
        if a is not None and b is not None:
            return _Leaf("", operator, a - b, depth)
        if b is not None:
            return _Leaf(print_expression(first), operator, b, depth)
        if a is not None:
            return _Leaf(print_expression(second), _mirrored(operator), a, depth)
        one, other = print_expression(first), print_expression(second)
        if one <= other:
            return _Leaf(f"{one} - ({other})", operator, 0.0, depth)
        return _Leaf(f"{other} - ({one})", _mirrored(operator), 0.0, depth)

    def _settled(self, node: Expression, structure: Structure | None) -> Expression:
        if structure is None:
            return node
        match node:
            case nodes.Call() if self._constant_zero(node, structure) is not None:
                return nodes.Number(value=0.0, dimension=PLAIN, unit=None, literal="0", span=node.span)
            case nodes.Call() if node.function in FUNCTIONS:
                return replace(node, arguments=tuple(self._settled(one, structure) for one in node.arguments))
            case nodes.Member():
                inner = self._settled(node.operand, structure)
                return inner if isinstance(inner, nodes.Number) else node
            case nodes.Unary():
                return replace(node, operand=self._settled(node.operand, structure))
            case nodes.Binary():
                sides = (self._settled(side, structure) for side in (node.left, node.right))
                return replace(node, left=next(sides), right=next(sides))
        return node

    def _constant_zero(self, node: nodes.Call, structure: Structure) -> bool | None:
        """Why a quantity is zero throughout a structure: a link holds (True) or does not (False); None if it is not."""
        if len(node.arguments) != 1 or not isinstance(node.arguments[0], nodes.Name):
            return None
        name = node.arguments[0].name
        link = self.links.get(name)
        if link is None:
            return None
        if node.function in FORCES:
            return False if name not in structure.holds else None
        if name not in structure.holds:
            return None
        zero = (
            (node.function == "gap" and isinstance(link, Contact))
            or (
                node.function == "slip"
                and isinstance(link, Contact)
                and link.friction is None
                and name not in structure.slides
            )
            or (
                node.function in ("distance", "speed")
                and isinstance(link, Closure)
                and all(kind == "turn" for _, kind in link.type.rates)
            )
        )
        return True if zero else None

    def _number(self, node: Expression) -> float | None:
        """The value [SI] of an expression that does not depend on the state."""
        if any(
            (isinstance(one, nodes.Call) and one.function not in FUNCTIONS)
            or (isinstance(one, nodes.Name) and one.name not in self._scope.parameters and one.name != "pi")
            for one in walk_expression(node)
        ):
            return None
        # What has no value, such as 1/0, is the business of those who check expressions.
        return evaluate(node, self._scope, Diagnostics())


def _mirrored(operator: str) -> str:
    """A comparison or crossing with its sides exchanged."""
    return {"rises": "falls", "falls": "rises", **_MIRRORED}.get(operator, operator)


def _range(leaf: _Leaf, moves: bool) -> Range:
    """Where the quantity of a leaf is at the instant at which the leaf has come true."""
    level = leaf.level
    match leaf.operator:
        case "rises":
            return Range(level, level, low_leaves=moves)
        case "falls":
            return Range(level, level, high_leaves=moves)
        case "crosses":
            return Range(level, level)
        case ">" | ">=":
            return Range(low=level, low_leaves=moves)
    return Range(high=level, high_leaves=moves)


def _depth(node: Expression) -> int:
    calls = [
        one.function for one in walk_expression(node) if isinstance(one, nodes.Call) and one.function not in FUNCTIONS
    ]
    if any(name not in PLACES and name not in RATES for name in calls):
        return 2
    return int(any(name in RATES for name in calls)) if calls else -1
