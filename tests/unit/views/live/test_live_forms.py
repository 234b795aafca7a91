"""What the form of a page computes: the start that the saved file has, and small swings as `linearize` knows them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from support.live import Drive, job

import sistel
from sistel.engine import Engine
from sistel.simulation import initial_state
from sistel.views.forms import read_form

TYPED = {
    # Of closed loops the crank and its rate are given, all others follow.
    "four_bar": {"crank": "75", "crank, rate": "100"},
    "slider_crank": {"crank": "-30", "crank, rate": "12.5"},
    "double_pendulum": {"a": "1.2", "lower": "-7", "upper, rate": "3"},
    "compass_walker": {"alpha": "0.3", "swing": "-0.4", "slope": "0.06"},
}
SWINGING = ("double_pendulum", "cart_pendulum", "leg", "gyroscope", "shm_foot", "bricard", "watt", "universal_shaft")
"""Undamped; damped and with a free slide; with springs; spinning; that only creeps; closed loops, in space too."""

NONE = {
    "compass_walker": "may let go",
    "scara": "no equilibrium",
    "walker": "forces jump",
    "slider_crank": "programmed motion",
    "spinning_top": "turn freely",
}


def test_the_start_is_that_of_the_saved_file(drive: Drive, models_dir: Path) -> None:
    """By another way: the file as the form would save it is read, and its start computed by Python."""
    jobs, wanted = [], []
    for name, typed in TYPED.items():
        system = sistel.load(models_dir / f"{name}.xml")
        form = read_form(system.model, system.source)
        by_name = {field.name.en: field for field in form.fields}
        parameters, changes = {}, {"q": [], "v": []}
        for key, text in typed.items():
            field = by_name[key]
            value = field.measure.to_si(float(text))
            if field.of == "parameter":
                parameters[field.parameter] = value
            else:
                changes[field.of].append([field.index, value])
        jobs.append(job(system, [("form", parameters, changes["q"], changes["v"])]))
        saved = sistel.parse(form.filled({by_name[key].key: text for key, text in typed.items()}), system.source.path)
        wanted.append(initial_state(Engine.of(saved.model), saved.model.structure(), None, None, None))
        assert saved.model.start.q != system.model.start.q
    for (found,), state, name in zip(drive(jobs), wanted, TYPED, strict=True):
        assert found["wrong"] is None
        made = np.array([*found["q"], *found["v"]])
        assert np.abs(made - np.array(state[: len(made)], dtype=float)).max() < 1e-9, name


@pytest.fixture(scope="module")
def swings(drive: Drive, models_dir: Path) -> dict[str, tuple[sistel.System, dict[str, object]]]:
    systems = {name: sistel.load(models_dir / f"{name}.xml") for name in (*SWINGING, *NONE)}
    found = drive([job(system, [("start",), ("swings",)]) for system in systems.values()])
    return {name: (system, made[1]) for (name, system), made in zip(systems.items(), found, strict=True)}


@pytest.mark.parametrize("name", SWINGING)
def test_small_swings_are_the_poles_of_the_linear_system(name: str, swings: dict[str, object]) -> None:
    """The page takes differences of its kernels; `linearize` has exact derivatives."""
    system, found = swings[name]  # type: ignore[misc]
    linear = system.linearize(at=found["q"])
    greatest = max(abs(linear.poles))
    poles = [pole for pole in linear.poles if abs(pole) > 1e-5 * greatest]
    assert found["free"] == len(linear.poles) - len(poles)
    made = []
    for swing in found["swings"]:
        turn = 2j * math.pi / swing["period"] if swing["period"] else 0
        made += [swing["rate"] + turn, swing["rate"] - turn][: 2 if turn else 1]
    assert len(made) == len(poles)
    for pole in poles:
        assert min(abs(pole - each) for each in made) < 1e-9 * greatest


def test_where_there_are_none_it_says_why(swings: dict[str, object]) -> None:
    for name, reason in NONE.items():
        assert reason in swings[name][1]["en"]  # type: ignore[index]
