"""tools/check: all steps run, the summary names those that failed, the exit status follows."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def check() -> ModuleType:
    loader = SourceFileLoader("tools_check", str(ROOT / "tools" / "check"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


def step(check: ModuleType, name: str, code: str) -> object:
    return check.Step(name, (sys.executable, "-c", code))


def test_all_steps_run_and_the_summary_names_failures(check: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    steps = [
        step(check, "first", "print('out of first'); raise SystemExit(1)"),
        step(check, "tests", "print('=== \\x1b[32m3 passed\\x1b[0m, 1 skipped in 0.12s ===')"),
        check.Step("absent", ("no-such-command-anywhere",)),
    ]
    assert check.main([], steps) == 1
    output = capsys.readouterr().out
    assert "out of first" in output
    summary = output[output.index("── summary") :].splitlines()
    assert summary[1].startswith("FAILED  first")
    assert summary[2].startswith("ok      tests")
    assert summary[2].endswith("3 passed, 1 skipped in 0.12s")
    assert summary[3].startswith("FAILED  absent")
    assert summary[4] == "2 of 3 checks failed: first, absent"


def test_chosen_steps(check: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    steps = [step(check, "bad", "raise SystemExit(1)"), step(check, "good", "pass")]
    assert check.main(["good"], steps) == 0
    assert "all 1 checks passed" in capsys.readouterr().out
    with pytest.raises(SystemExit) as caught:
        check.main(["other"], steps)
    assert caught.value.code == 2


def test_the_steps_are_those_of_the_project(check: ModuleType) -> None:
    assert [step.name for step in check.STEPS] == [
        "ruff",
        "format",
        "mypy",
        "imports",
        "reading",
        "tests",
        "coverage markup",
        "coverage model",
        "docs",
    ]
