"""What reads the motion that it makes: expressions that ask for accelerations, or for what links carry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sistel.automaton._conditions import Condition
from sistel.markup import Call, Expression, Name, print_expression, walk_expression
from sistel.markup import expressions as nodes
from sistel.mechanics import CONE_SIDES, DYNAMIC
from sistel.model import Model, Transition, quantities_from


def asks_dynamics(model: Model, transition: Transition) -> bool:
    """Whether a tick of a scheme, or a jump, reads accelerations, or what is carried."""
    if not transition.tick:
        return reads_dynamics(model, [value for _, value in (*transition.lets, *transition.updates)])
    scheme = next((scheme for scheme in model.schemes if scheme.name == transition.tick), None)
    if scheme is None:
        return False
    return reads_dynamics(
        model, [*(each.value for each in scheme.signals), *(each.following for each in scheme.stores)]
    )


def uses_reactions(model: Model, conditions: Sequence[Condition]) -> bool:
    """Whether a condition asks for accelerations or for forces that links carry, itself or through signals."""
    sides = [side for condition in conditions for leaf in condition.leaves for side in (leaf.left, leaf.right)]
    cones = (isinstance(node, Call) and node.function in CONE_SIDES for side in sides for node in walk_expression(side))
    return any(cones) or reads_dynamics(model, sides)


def reads_dynamics(model: Model, roots: Iterable[Expression]) -> bool:
    """Whether expressions read accelerations or what is carried, themselves or through signals that flow."""
    return bool(dynamics_path(model, roots))


def dynamics_path(model: Model, roots: Iterable[Expression]) -> tuple[str, ...]:
    """The signals through which one of several expressions reads accelerations or what is carried, then that itself.

    Empty where none does.
    """
    flowing = {each.name: each.value for other in model.schemes if other.clock is None for each in other.signals}
    loads = quantities_from("load") | quantities_from("drive")
    stack: list[tuple[Expression, tuple[str, ...]]] = [(root, ()) for root in roots]
    known: set[str] = set()
    while stack:
        expression, path = stack.pop()
        for node in walk_expression(expression):
            match node:
                case Call() if node.function in loads:
                    return *path, print_expression(node)
                case nodes.Reading() if model.sensor(node.sensor).kind in DYNAMIC:
                    return *path, node.sensor
                case Name() if node.name in flowing and node.name not in known:
                    known.add(node.name)
                    stack.append((flowing[node.name], (*path, node.name)))
    return ()
