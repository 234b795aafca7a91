"""What is asked of a transition in plain numbers, whatever parameters of the system are live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.automaton import Distance, Way

if TYPE_CHECKING:
    from sistel.engine import Engine
    from sistel.model import Structure, Transition


def plain_transition(engine: Engine, transition: Transition) -> Transition:
    """A transition of a model whose parameters are live, with the numbers that they have now."""
    plain = engine.plain
    if plain is engine:
        return transition
    pairs = zip(engine.model.transitions, plain.model.transitions, strict=True)
    return next((other for own, other in pairs if own is transition), transition)


def distances_at(engine: Engine, transition: Transition, source: Structure, y: Sequence[float]) -> list[Distance]:
    """How far apart the links are that begin to hold in a transition at a state, in plain numbers."""
    plain, own = engine.plain, plain_transition(engine, transition)
    return Way(plain.automaton, own, source, plain.model.structure(own.target), y).distances()
