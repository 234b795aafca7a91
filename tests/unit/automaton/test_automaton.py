"""The automaton: what it is made of, and that its graphs are those that motions follow."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.automaton import Automaton, Mode
from sistel.cli import main
from sistel.expr import evaluate
from sistel.views import automaton_data, automaton_text

MODELS = Path(__file__).parents[3] / "models"


def _walker() -> sistel.System:
    return sistel.load(MODELS / "walker.xml")


def test_it_is_a_frozen_value_with_a_mode_for_every_structure_and_an_edge_for_every_transition() -> None:
    system = _walker()
    automaton = system.automaton
    assert [mode.name for mode in automaton.modes] == [structure.name for structure in system.structures]
    assert [edge.transition for edge in automaton.edges] == list(system.transitions)
    assert automaton.start.name == system.structure().name
    assert len(automaton.state) == system.model.state_size
    assert len({signal.name for signal in automaton.state}) == system.model.state_size
    assert not automaton.inputs and not automaton.clocks
    with pytest.raises(dataclasses.FrozenInstanceError):
        automaton.model = system.model  # type: ignore[misc]
    assert automaton is system.automaton and automaton.mode(system.structure()) is automaton.start


def test_the_flow_of_a_mode_is_forward_dynamics() -> None:
    """Rates of the compass walker: velocities, and the accelerations that the face computes by another way."""
    system = sistel.load(MODELS / "compass_walker.xml")
    rng = np.random.default_rng(3)
    for mode in system.automaton.modes:
        q, v = rng.normal(size=system.nq), rng.normal(size=system.nv)
        memory = [0.0] * len(system.model.memory)
        rates = evaluate(mode.flow(), [*q, *v, *memory, 0.0])[0]
        a = system.forward_dynamics(q, v, np.zeros(system.nv), structure=mode.name, applied=True)
        assert rates[: system.nq] == pytest.approx(v.tolist(), abs=1e-15)
        assert rates[system.nq : system.nq + system.nv] == pytest.approx(a.tolist(), rel=1e-10, abs=1e-10)


def test_the_map_of_an_edge_is_the_impact() -> None:
    """A plastic impact keeps what the new structure allows: the face computes the same velocities."""
    system = sistel.load(MODELS / "rimless_wheel.xml")
    (edge, *_) = system.automaton.edges
    run = system.simulate(2.0)
    event = run.passages[0]
    before = np.array(
        run.segments[0].coefficients[-1]
        @ run.segments[0].times[-1, 1] ** np.arange(run.segments[0].coefficients.shape[2])
    )
    after, loss, *_ = evaluate(edge.map(system.automaton.mode(system.structure(event.before)))[0], before.tolist())
    assert after == pytest.approx(run.segments[1].coefficients[0, :, 0].tolist(), rel=1e-12, abs=1e-12)
    assert loss[0] == pytest.approx(event.energy_loss, rel=1e-12)


def test_nothing_is_derived_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("derived")

    monkeypatch.setattr(Mode, "flow", refuse)
    automaton = _walker().automaton
    assert isinstance(automaton, Automaton) and automaton.edges and automaton.outputs and repr(automaton)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_it_prints_itself(lang: str) -> None:
    automaton = _walker().automaton
    text = automaton_text(automaton, lang, width=100)  # type: ignore[arg-type]
    for mode in automaton.modes:
        assert mode.name in text
    assert ("гибридный автомат" if lang == "ru" else "hybrid automaton") in text
    assert max(map(len, text.splitlines())) <= 100
    data = automaton_data(automaton)
    assert [mode["name"] for mode in data["modes"]] == [mode.name for mode in automaton.modes]
    counts = {mode["name"]: mode["flow"]["multiplications"] for mode in data["modes"]}
    assert counts["полёт"] == automaton.modes[0].flow().count().multiplications > 0


def test_the_command_shows_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    walker = str(MODELS / "walker.xml")
    assert main(["show", walker, "--automaton", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data["modes"]) == 4 and len(data["edges"]) == 8 and data["state"][-1]["unit"] == "s"
    assert main(["show", walker, "--automaton"]) == 0
    assert "Modes" in capsys.readouterr().out
    assert main(["show", walker, "--automaton", "-o", str(tmp_path / "g.svg")]) == 0
    assert (tmp_path / "g.svg").read_text(encoding="utf-8").startswith("<svg")


def test_what_makes_its_own_structures_is_named() -> None:
    data = automaton_data(sistel.load(MODELS / "bouncing_ball.xml").automaton)
    assert data["contacts"] == ["floor"] and [mode["name"] for mode in data["modes"]] == ["only"]
