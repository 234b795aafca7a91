"""Random state charts: what a tick computes against python-statemachine, which runs the text of SCXML."""

from __future__ import annotations

import logging
import random
import re
from typing import Any

import pytest
from support.state_charts import EVENTS, RandomChart, Ticking, loaded
from support.thorough import cases

pytest.importorskip("statemachine", reason="python-statemachine is not installed")

from statemachine.engines.sync import SyncEngine
from statemachine.io.scxml.processor import SCXMLProcessor
from statemachine.orderedset import OrderedSet

pytestmark = pytest.mark.peer

MOST_STEPS = 150
"""Of the peer at one event, after which a chart counts as endless."""


class _EndlessError(BaseException):
    """The peer would never come to an end; it catches all that is an Exception."""


_ORDER: dict[str, int] = {}
"""Places of states in the document."""
_step = SyncEngine.microstep


def _in_order(self: Any, trigger_data: Any, predicate: Any) -> Any:
    """What the peer selects, by states in the order of the document, which it says itself it does not keep yet."""
    enabled = OrderedSet()
    atomic = (state for state in self.sm.configuration if state.is_atomic)
    for state in sorted(atomic, key=lambda state: _ORDER[state.id]):
        found = self._first_transition_that_matches(state, trigger_data, predicate)
        if found is not None:
            enabled.add(found)
    return self._filter_conflicting_transitions(enabled)


def _limited(self: Any, *given: Any, **more: Any) -> Any:
    """A step of the peer, of which there may be so many."""
    self.steps = getattr(self, "steps", 0) + 1
    if self.steps > MOST_STEPS:
        raise _EndlessError
    return _step(self, *given, **more)


class _Peer:
    """A chart that the peer runs."""

    def __init__(self, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
        _ORDER.clear()
        _ORDER.update((name, place) for place, name in enumerate(re.findall(r' id="(s\w*)"', text)))
        monkeypatch.setattr(SyncEngine, "_select_transitions", _in_order)
        monkeypatch.setattr(SyncEngine, "microstep", _limited)
        processor = SCXMLProcessor(trusted=True)
        processor.parse_scxml("m", text)
        for kind in processor.scs.values():
            for state in kind.states_map.values():
                state.document_order = _ORDER.get(state.id, 0) + 1
        self.machine = processor.start()

    def send(self, event: str) -> None:
        self.machine._engine.steps = 0
        self.machine.send(event)

    def active(self) -> set[str]:
        return {str(state.id) for state in self.machine.configuration}

    def data(self) -> list[float]:
        return [getattr(self.machine.model, name) for name in ("x", "z")]


def compare(seed: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Send fifty random events to both; how many had been compared when one of them ended or both became endless."""
    text, rng = RandomChart(seed).text, random.Random(seed)
    own = Ticking(loaded(text))
    inputs = [name for name in EVENTS if name in own.places]
    try:
        peer = _Peer(text, monkeypatch)
    except _EndlessError:
        assert not own.go(), seed
        return 0
    assert own.go(), seed
    assert own.active() == peer.active(), seed
    for count in range(50 if inputs else 0):
        event = rng.choice(inputs)
        try:
            peer.send(event)
        except _EndlessError:
            assert not own.go(**{event: 1.0}), (seed, count)
            return count
        assert own.go(**{event: 1.0}), (seed, count)
        assert own.active() == peer.active(), (seed, count, event)
        assert [own.value("m.x"), own.value("m.z")] == peer.data(), (seed, count, event)
    return 50


def test_some_random_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    logging.disable(logging.CRITICAL)
    try:
        assert sum(compare(seed, monkeypatch) for seed in range(4)) > 60
    finally:
        logging.disable(logging.NOTSET)


@pytest.mark.slow
def test_many_random_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Configurations and data are the same after each of fifty random events, and so is what never ends.

    A hundred charts; three hundred in all where `SISTEL_THOROUGH=1` asks for them.
    """
    logging.disable(logging.CRITICAL)
    last = cases(100, 300)
    try:
        assert sum(compare(seed, monkeypatch) for seed in range(4, last)) > 25 * (last - 4)
    finally:
        logging.disable(logging.NOTSET)
