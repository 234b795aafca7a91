"""Derived programs on disk: recalled as they were, derived again when anything they depend on changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import sistel
from sistel.expr import Program
from sistel.kernels import _programs, keep_program, recall_program
from sistel.mechanics import build_tree, derive


@pytest.fixture
def made(models_dir: Path) -> Program:
    return derive(build_tree(sistel.load(models_dir / "scara.xml").model), "inverse_dynamics")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_a_program_comes_back_as_it_was(made: Program, store: Path) -> None:
    assert keep_program(store, ("a", "b"), (made, ("x", "стопа"))) == (made, ("x", "стопа"))
    found = recall_program(store, ("a", "b"))
    assert found is not None
    known, names = found
    assert names == ("x", "стопа")
    assert known.fingerprint() == made.fingerprint()
    assert known.count() == made.count()


def test_another_question_is_derived(made: Program, store: Path) -> None:
    keep_program(store, ("a", "b"), (made, ()))
    for what in (("a",), ("b", "a"), ("a\0b",), ("ab",)):
        assert recall_program(store, what) is None


def test_other_sources_derive_again(made: Program, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_program(store, ("a",), (made, ()))
    assert recall_program(store, ("a",)) is not None
    monkeypatch.setattr(_programs, "deriving", lambda: "another version")
    assert recall_program(store, ("a",)) is None


def test_a_damaged_entry_is_derived_again(made: Program, store: Path) -> None:
    keep_program(store, ("a",), (made, ()))
    (entry,) = store.iterdir()
    whole = entry.read_bytes()
    for damaged in (whole[:-1], whole[:60], b"", whole[:-1] + bytes([whole[-1] ^ 1])):
        entry.write_bytes(damaged)
        assert recall_program(store, ("a",)) is None


@pytest.mark.parametrize("cut", [0, 4, 8, 40, -1, -8])
def test_a_short_record_is_no_program(made: Program, cut: int) -> None:
    packed = _programs._pack(made, ())
    assert _programs._unpack(packed[:cut]) is None


def test_without_a_directory_everything_is_derived(made: Program) -> None:
    assert keep_program(None, (), (made, ()))[0] is made
    assert recall_program(None, ()) is None
