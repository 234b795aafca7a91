"""The helper of the benchmarks: every case has its turn in every round, and the numbers say where they come from."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmarks_bench", ROOT / "benchmarks" / "_bench.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_rounds_are_interleaved_and_shuffled(bench: ModuleType) -> None:
    calls: list[str] = []
    names = ("a", "b", "c")
    timings = bench.measure({name: lambda name=name: calls.append(name) for name in names}, rounds=20, calls=1)
    rounds = [tuple(calls[index : index + 3]) for index in range(0, 60, 3)]
    assert all(sorted(turn) == ["a", "b", "c"] for turn in rounds)
    assert len(set(rounds)) > 1
    assert [timing.name for timing in timings] == ["a", "b", "c"]
    assert all(len(timing.seconds) == 20 for timing in timings)


def test_short_calls_are_repeated(bench: ModuleType) -> None:
    (timing,) = bench.measure({"nothing": lambda: None}, rounds=2, least=1e-3)
    assert timing.calls > 100


def test_report(bench: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    timings = [
        bench.Timing(name="base", calls=1, seconds=(2e-3, 1e-3, 4e-3)),
        bench.Timing(name="twice", calls=1, seconds=(2e-3, 3e-3, 5e-3)),
    ]
    bench.report("x", timings, tmp_path / "x.json", {"operations": 12})
    assert capsys.readouterr().out.splitlines()[2].split() == ["twice", "2", "ms", "3", "ms", "2.000"]
    data = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert data["operations"] == 12
    assert [case["ratio"] for case in data["cases"]] == [1.0, 2.0]
    assert {"cpu", "python", "commit", "cores"} <= set(data["machine"])
