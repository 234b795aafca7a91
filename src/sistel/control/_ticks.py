"""What a tick of a clock makes of what schemes remember.

At a tick the state is read as it was just before. The signals of the scheme are computed in their order, each from the
fresh values of those before it; then what blocks remember goes on, all at once. Signals of other clocks are what they
held. A tick with a behaviour that has not settled changes only that, and comes again at the same instant.
"""

from __future__ import annotations

from collections.abc import Mapping

from sistel.expr import logical_and, logical_not, logical_or, select
from sistel.mechanics import Quantities, Scalar, expression_value
from sistel.model import RELEASE, Scheme, Transition, tick_name

Changed = Mapping[tuple[str, str], Scalar]
"""New values, by the kind and the name of what remembers them."""


def tick(state: Quantities, name: str) -> Changed:
    """What is remembered after a tick of a scheme, or after the instant at which its results begin to act."""
    schemes = {scheme.name: scheme for scheme in state.model.schemes}
    own = tick_name(name)
    if name not in schemes:
        released = _released(state, schemes[name.removeprefix(f"{RELEASE} ")])
        return {("tick", own): state.names[own] + 1.0, **released}
    scheme = schemes[name]
    assert scheme.clock is not None
    fresh = _computed(state, scheme)
    kind = "pending" if scheme.clock.latency else "signal"
    made: dict[tuple[str, str], Scalar] = {(kind, each.name): fresh[each.name] for each in scheme.held}
    done, goes_on = _settled(scheme, fresh)
    made["tick", own] = state.names[own] + done
    for store in scheme.stores:
        following = expression_value(store.following, fresh, state)
        made["store", store.name] = select(goes_on.get(store.chart, done), following, state.names[store.name])
    return made


def _computed(state: Quantities, scheme: Scheme) -> dict[str, Scalar]:
    """The signals of a scheme at a tick, with all other names."""
    fresh = state.names.without(signal.name for signal in scheme.signals)
    for signal in scheme.signals:
        fresh[signal.name] = expression_value(signal.value, fresh, state)
    return fresh


def restless(state: Quantities, name: str) -> tuple[str, list[str]] | None:
    """The behaviour of a scheme that does not settle at a tick, and the states that it passes; None where all do.

    Args:
        state: In plain numbers.
        name: Of the scheme.
    """
    scheme = next((each for each in state.model.schemes if each.name == name), None)
    if scheme is None:
        return None
    fresh = _computed(state, scheme)
    for each in scheme.settles:
        if fresh[each.settled]:
            continue
        passed = [" + ".join(found) for step in each.trail if (found := [own for own, at in step if fresh[at]])]
        return each.chart, passed
    return None


def _settled(scheme: Scheme, fresh: Mapping[str, Scalar]) -> tuple[Scalar, dict[str, Scalar]]:
    """Whether a tick is over, and which behaviours go on with it.

    A behaviour that has not settled needs the tick again. Until then it goes on alone, so that all others, which may
    depend on it, meet the tick when it has settled.
    """
    done: Scalar = 1.0
    before: dict[str, tuple[Scalar, Scalar]] = {}
    for each in scheme.settles:
        before[each.chart] = done, fresh[each.settled]
        done = logical_and(done, fresh[each.settled])
    return done, {
        chart: logical_and(earlier, logical_or(logical_not(settled), done))
        for chart, (earlier, settled) in before.items()
    }


def _released(state: Quantities, scheme: Scheme) -> Changed:
    """The signals that were computed at the last tick."""
    return {("signal", signal.name): state.remembered("pending", signal.name) for signal in scheme.held}


def updated(state: Quantities, transition: Transition) -> Changed:
    """What is remembered after a jump, or after a step of a behaviour."""
    known = state.names.without(name for name, _ in transition.lets)
    for name, value in transition.lets:
        known[name] = expression_value(value, known, state)
    return {("store", name): expression_value(value, known, state) for name, value in transition.updates}
