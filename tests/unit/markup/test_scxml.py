"""SCXML files: random charts are read, written and read again, and mean the same."""

from __future__ import annotations

import pytest
from support.state_charts import RandomChart, loaded

import sistel
from sistel.markup.formats.table import write_format
from sistel.model import to_document


@pytest.mark.parametrize("seed", range(12))
def test_random_charts_come_back(seed: int) -> None:
    """What is written of a chart is read again as the same chart."""
    system = loaded(RandomChart(seed).text)
    again = sistel.parse(write_format(to_document(system.model), "chart.scxml")[0])
    (first,), (second,) = (each.model.schemes[0].behaviours for each in (system, again))
    assert [(state.name, state.key) for state in first.states] == [(state.name, state.key) for state in second.states]
