"""The way to the first step: what is derived is kept on disk, tables come before machine code, and bits do not change."""

from __future__ import annotations

from pathlib import Path

import pytest

import sistel
from sistel.automaton import Edge, Mode
from sistel.simulation import _compiled_structure as _compiled
from sistel.simulation.contact._equations import Overlay
from sistel.simulation.taylor import _driver

MODELS = Path(__file__).parents[3] / "models"


def _walk() -> sistel.Run:
    return sistel.load(MODELS / "walker.xml").simulate(1.0)


def _bits(run: sistel.Run) -> tuple[bytes, ...]:
    return run.t.tobytes(), run.q.tobytes(), run.v.tobytes(), repr([event.time.hex() for event in run.events]).encode()


def test_what_is_derived_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = _walk()
    assert len(first.events) > 2

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("derived again")

    for name in ("flow", "projection", "anchors"):
        monkeypatch.setattr(Mode, name, refuse)
    monkeypatch.setattr(Edge, "map", refuse)
    monkeypatch.setattr(_compiled, "split_modes", refuse)
    assert _bits(_walk()) == _bits(first)
    # Another structure of the same file, and another file, have to be derived.
    with pytest.raises(AssertionError, match="derived again"):
        sistel.load(MODELS / "biped.xml").simulate(0.01)


@pytest.mark.slow
def test_machine_code_takes_the_place_of_a_table_within_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made: list[bool] = []
    optimise = _compiled.CompiledStructure.optimise

    def counted(compiled: _compiled.CompiledStructure) -> bool:
        made.append(optimise(compiled))
        return made[-1]

    monkeypatch.setattr(_compiled.CompiledStructure, "optimise", counted)
    monkeypatch.setattr(_driver, "STEPS", 16)
    table = _walk()
    assert not made
    monkeypatch.setattr(_driver, "LONG_STAY", 10)
    both = _walk()
    assert any(made)
    assert _bits(both) == _bits(table)
    # Machine code that is on disk is taken at once.
    made.clear()
    again = _walk()
    assert _bits(again) == _bits(table)


def test_contacts_begin_with_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code takes its place after many steps, whatever the statuses were; the bits stay the same."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sistel.simulation.contact._equations.LONG_FLOW", 600)  # of which a woodpecker has more
    monkeypatch.setattr(_driver, "STEPS", 16)
    made: list[bool] = []
    optimise = Overlay.optimise

    def counted(overlay: Overlay) -> bool:
        assert overlay.steps_taken >= _driver.LONG_STAY
        made.append(optimise(overlay))
        return made[-1]

    monkeypatch.setattr(Overlay, "optimise", counted)

    def peck() -> tuple[bytes, ...]:
        run = sistel.load(MODELS / "woodpecker.xml").simulate(0.5)
        assert len(run.events) > 3
        return _bits(run)

    table = peck()
    assert not made
    monkeypatch.setattr(_driver, "LONG_STAY", 40)
    assert peck() == table
    assert made == [True]
    assert peck() == table  # from the machine code on disk
    assert made == [True]


def test_another_tolerance_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a flow that is read as a table, long or large; and what is read does not depend on runs before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    _walk()
    stewart = sistel.load(MODELS / "stewart.xml")
    first = _bits(stewart.simulate(0.3))

    def refuse(*_: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr("sistel.kernels._machine._emit", refuse)
    assert sistel.load(MODELS / "walker.xml").simulate(0.2, tolerance=1e-7).events
    rough = stewart.simulate(0.3, tolerance=1e-6)
    assert rough.q[-1] == pytest.approx(stewart.simulate(0.3).q[-1], abs=1e-6)
    assert _bits(sistel.load(MODELS / "stewart.xml").simulate(0.3)) == first
