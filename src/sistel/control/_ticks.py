"""What a tick of a clock makes of what schemes remember.

At a tick the state is read as it was just before. The signals of the scheme are computed in their order, each from the
fresh values of those before it; then what blocks remember goes on, all at once. Signals of other clocks are what they
held.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sistel.markup import Call, Expression, Name, print_expression, walk_expression
from sistel.markup import expressions as nodes
from sistel.mechanics import DYNAMIC, Quantities, Scalar, expression_value
from sistel.model import RELEASE, Model, Scheme, Transition, quantities_from, tick_name

Changed = Mapping[tuple[str, str], Scalar]
"""New values, by the kind and the name of what remembers them."""


def tick(state: Quantities, name: str) -> Changed:
    """What is remembered after a tick of a scheme, or after the instant at which its results begin to act."""
    schemes = {scheme.name: scheme for scheme in state.model.schemes}
    own = tick_name(name)
    made: dict[tuple[str, str], Scalar] = {("tick", own): state.names[own] + 1.0}
    if name not in schemes:
        return {**made, **_released(state, schemes[name.removeprefix(f"{RELEASE} ")])}
    scheme = schemes[name]
    assert scheme.clock is not None
    fresh = state.names.without(signal.name for signal in scheme.signals)
    kind = "pending" if scheme.clock.latency else "signal"
    for signal in scheme.signals:
        fresh[signal.name] = expression_value(signal.value, fresh, state)
        if not signal.inner:
            made[kind, signal.name] = fresh[signal.name]
    for store in scheme.stores:
        made["store", store.name] = expression_value(store.following, fresh, state)
    return made


def _released(state: Quantities, scheme: Scheme) -> Changed:
    """The signals that were computed at the last tick."""
    return {("signal", signal.name): state.remembered("pending", signal.name) for signal in scheme.held}


def updated(state: Quantities, transition: Transition) -> Changed:
    """What is remembered after a jump."""
    return {("store", name): expression_value(value, state.names, state) for name, value in transition.updates}


def asks_dynamics(model: Model, name: str) -> bool:
    """Whether a tick of a scheme reads accelerations, or what is carried."""
    scheme = next((scheme for scheme in model.schemes if scheme.name == name), None)
    if scheme is None:
        return False
    return reads_dynamics(
        model, [*(each.value for each in scheme.signals), *(each.following for each in scheme.stores)]
    )


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
