"""What a call must not wait for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .conftest import environment

HEAVY = ("rich", "numpy", "lxml", "argparse", "json", "sistel.markup", "sistel.model", "sistel.views", "sistel.system")


def imported(*words: str) -> set[str]:
    code = (
        "import sys\nfrom sistel.cli import main\n"
        f"status = main({list(words)!r})\n"
        "print('\\n'.join(['', '!' + str(status), *sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env=environment(), capture_output=True, text=True, check=True, timeout=60
    )
    head, _, modules = done.stdout.rpartition("\n!")
    assert head or not words
    return set(modules.splitlines()[1:])


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["show", "--help"], ["--lang", "ru", "--help"], []])
def test_help_imports_nothing_heavy(words: list[str]):
    assert not imported(*words) & set(HEAVY)


def test_completion_imports_no_reader():
    assert not imported("completion", "bash") & {"rich", "numpy", "sistel.markup", "sistel.model", "sistel.views"}


def test_show_needs_no_numerics():
    assert not imported("models", "--json") & {"rich", "numpy", "scipy", "lxml"}


def test_python_m():
    done = subprocess.run(
        [sys.executable, "-m", "sistel", "--version"], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("sistel ")
