"""Ensembles over parameters that equations follow: every run is the one that a single simulation makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.structures import gallery

from sistel.ensembles import _chunk


@pytest.fixture
def one_workshop(monkeypatch: pytest.MonkeyPatch) -> None:
    """No equations are made for single values."""

    def refuse(*_: Any) -> Any:
        raise AssertionError("a workshop for one set of values")

    monkeypatch.setattr(_chunk, "workshop", refuse)


@pytest.mark.usefixtures("one_workshop")
def test_runs_over_parameters_are_single_runs() -> None:
    """Slopes and masses, which equations contain, and angles of the start, which hangs on all of them."""
    system = gallery("compass_walker")
    values = {
        "slope": np.linspace(0.05, 0.055, 7),
        "m": np.linspace(4.8, 5.2, 7),
        "l": np.linspace(0.98, 1.02, 7),
        "alpha": np.linspace(0.26, 0.28, 7),
    }
    found = system.ensemble(2.0, parameters=values, chunk=3, threads=2)
    assert len(set(found.state[:, 0].tolist())) == 7
    for i in (0, 3, 6):
        one = {name: float(each[i]) for name, each in values.items()}
        run = system.simulate(2.0, parameters=one)
        assert found.events[i] == len(run.events)
        assert np.array_equal(found.state[i], run.last)
        other = system.with_parameters(one).simulate(2.0)
        assert np.abs(found.state[i] - other.last).max() <= 1e-11
        assert np.array_equal(found.run(i).last, run.last)


@pytest.mark.usefixtures("one_workshop")
def test_closed_loops_are_closed_for_every_value() -> None:
    system = gallery("four_bar")
    lengths = np.linspace(0.10, 0.13, 4)
    found = system.ensemble(0.5, parameters={"a": lengths})
    for i, length in enumerate(lengths):
        other = system.with_parameters(a=length).simulate(0.5)
        # States to begin with are closed by other steps than those of a single run: both to rounding.
        assert np.abs(found.state[i] - other.last).max() <= 1e-10


@pytest.mark.usefixtures("one_workshop")
def test_values_without_a_system_are_results_of_their_runs() -> None:
    """A negative mass fails alone, with the reason; the others go on."""
    system = gallery("double_pendulum")
    found = system.ensemble(1.0, parameters={"m": [0.2, -1.0, 0.3]})
    other = system.simulate(1.0, parameters={"m": 0.3})
    assert np.array_equal(found.state[2], other.last)
    assert np.isfinite(found.state[0]).all() and not np.isfinite(found.state[1]).any()
    assert found.messages[0][0] == 1 and "negative" in found.messages[0][1]


def test_what_cannot_follow_is_built_for_every_value() -> None:
    """Contacts without written structures."""
    system = gallery("bouncing_ball")
    found = system.ensemble(1.0, parameters={"e": [0.5, 0.7]})
    for i, e in enumerate((0.5, 0.7)):
        other = system.with_parameters(e=e).simulate(1.0)
        assert np.abs(found.state[i] - other.last).max() <= 1e-12
