"""A motion that keeps pace with the clock: the operator's button, and how far behind it may fall."""

from __future__ import annotations

import queue
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.studio.jobs import _live as live_module
from sistel.studio.jobs._live import TICK, Touch, live


class Clock:
    """A clock on the wall for somebody who has this processor alone: what others take of it does not count."""

    def __init__(self) -> None:
        self._slept = 0.0

    def monotonic(self) -> float:
        return time.process_time() + self._slept

    def sleep(self, seconds: float) -> None:
        self._slept += seconds


@pytest.mark.slow
def test_the_mission_of_mf4_keeps_pace_and_hands_its_container_over(
    models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is compiled before the clock begins; the button is pressed and let go, and the rest is its own."""
    system = sistel.load(models_dir / "mf4" / "mission.xml")
    monkeypatch.setattr(live_module, "time", Clock())
    touched: queue.SimpleQueue[Touch] = queue.SimpleQueue()
    told: list[dict[str, Any]] = []

    def say(message: Any) -> None:
        state = message["live"]
        told.append(state)
        if presses and state["t"] >= presses[0][0]:
            touched.put(presses.pop(0)[1])

    presses: list[tuple[float, Touch]] = [(0.5, ("task", 1.0)), (0.8, ("task", 0.0))]
    watched = ["task", "mission.done", "mission.idle", "x(hull)", "no such thing"]
    stepper = system.stepper(period=TICK)
    lived = live(stepper, system.model, 62.0, watched, touched, say)
    assert lived.end == pytest.approx(62.0, abs=1e-9)
    assert max(each["late"] for each in told) < 0.5
    (pressed, on), (freed, off) = lived.inputs["task"]
    assert (on, off) == (1.0, 0.0)
    assert 0.5 <= pressed < 0.65
    assert 0.8 <= freed < 0.95
    # The run that is kept is the same motion, and D13's: what the lamp shows changes where the run says so.
    run = system.simulate(62.0, inputs=lived.inputs)
    assert run.final_structure == stepper.structure == "in the bin"
    # What is told is just before a tick, and a run has at that instant what holds from then on.
    at = np.array([each["t"] for each in told]) - 1e-10
    for name in ("task", "mission.done", "mission.idle", "x(hull)"):
        shown = np.array([each["values"][name] for each in told])
        assert np.abs(shown - run.quantity(name, at)).max() < 1e-9, name
    assert "no such thing" not in told[0]["values"]
    (dropped,) = (each.time for each in run.events if each.after == "dropped")
    (plain,) = (
        each.time
        for each in system.simulate(62.0, inputs={"task": [(0.5, 1.0), (0.8, 0.0)]}).events
        if each.after == "dropped"
    )
    assert dropped == pytest.approx(plain + pressed - 0.5, abs=0.25)  # clocks of the scheme tick at 20 and 200 ms
