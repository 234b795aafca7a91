"""tools/quick: the tests of what has changed are chosen, the nearest first, and time is kept."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
FILES = {
    "src/sistel/pose/__init__.py": "from sistel.pose._turn import turn\n",
    "src/sistel/pose/_turn.py": "def turn(): ...\n",
    "src/sistel/pose/_move.py": "STEP: float = 1.0\n",
    "src/sistel/units.py": "MM = 1e-3\n",
    "tests/unit/pose/test_turn.py": "from sistel.pose import turn\n",
    "tests/unit/views/test_arrows.py": "def test():\n    from sistel.pose import turn\n",
    "tests/mission/test_steps.py": "from sistel.pose._move import STEP\n",
    "tests/mission/test_lengths.py": "import sistel.units\nfrom support.tables import table\n",
    "tests/support/tables.py": "table = ()\n",
    "docs/ru/model.md": "# Модель\n",
}


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tool, in a small checkout."""
    loader = SourceFileLoader("tools_quick", str(ROOT / "tools" / "quick"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        (
            "src/sistel/pose/_turn.py",
            ["tests/unit/pose", "src/sistel/pose/_turn.py", "tests/unit/views/test_arrows.py"],
        ),
        ("src/sistel/pose/_move.py", ["tests/unit/pose", "src/sistel/pose/_move.py", "tests/mission/test_steps.py"]),
        ("src/sistel/pose/_gone.py", ["tests/unit/pose"]),
        ("src/sistel/units.py", ["src/sistel/units.py", "tests/mission/test_lengths.py"]),
        ("tests/support/tables.py", ["tests/mission/test_lengths.py"]),
        ("tests/unit/pose/test_turn.py", ["tests/unit/pose/test_turn.py"]),
        ("docs/ru/model.md", ["tests/docs/test_blocks.py::test_page_does_what_it_says[docs/ru/model.md]"]),
        ("LICENSE", []),
    ],
)
def test_tests_of_a_file(file: str, tests: list[str], quick: ModuleType) -> None:
    assert quick.tests_of([file]) == tests


def test_a_surface_is_all_that_it_gives(quick: ModuleType) -> None:
    tests = quick.tests_of(["src/sistel/pose/__init__.py"])
    assert tests == ["tests/unit/pose", "src/sistel/pose/__init__.py", "tests/unit/views/test_arrows.py"]


def test_every_place_has_tests() -> None:
    """The table of places, in this checkout."""
    loader = SourceFileLoader("tools_quick", str(ROOT / "tools" / "quick"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    assert [test for tests in module.PLACES.values() for test in tests if not (ROOT / test).exists()] == []
    assert [place for place in module.PLACES if not any(ROOT.glob(f"{place.rstrip('/')}*"))] == []


def test_changes_are_those_since_a_commit_and_new_files(quick: ModuleType, tmp_path: Path) -> None:
    def git(*words: str) -> None:
        name = ("-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false")
        subprocess.run(("git", *name, *words), cwd=tmp_path, check=True, capture_output=True)

    git("init", "--initial-branch=main")
    git("add", ".")
    git("commit", "-m", "one")
    (tmp_path / "tests/support/tables.py").write_text("table = (1,)\n")
    git("commit", "-a", "-m", "two")
    assert quick.changed(None) == ["tests/support/tables.py"]  # nothing differs: the last commit
    (tmp_path / "LICENSE").write_text("MIT\n")
    assert quick.changed(None) == ["LICENSE"]
    git("checkout", "-b", "branch", "HEAD~1")
    (tmp_path / "src/sistel/units.py").write_text("MM = 1\n")
    git("commit", "-a", "-m", "three")
    assert quick.changed(None) == ["src/sistel/units.py", "LICENSE"]  # since the branch left
    assert quick.changed("HEAD") == ["LICENSE"]


def test_no_test_begins_when_time_is_up() -> None:
    call = (sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "tests/docs/test_block_rules.py")
    done = subprocess.run((*call, "--within=0"), cwd=ROOT, capture_output=True, text=True, check=False)
    assert "there was no time for it within 0 s" in done.stdout
    assert "passed" not in done.stdout
