"""CONTRIBUTING.md and the READMEs name what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sistel.cli._commands import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ("CONTRIBUTING.md", "README.md", "README.ru.md")
PLACE = re.compile(r"(?:src|tests|tools|docs|models|benchmarks|web)/[\w./-]*|[\w.-]+\.(?:py|yml|lock|toml)")
MADE = ("site/", "build/fuzz/", "web/node_modules")
"""What exists only after a command."""


def names(text: str) -> set[str]:
    """What stands between backticks, without the blocks."""
    return set(re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)))


def column(text: str, folder: str) -> set[str]:
    """The names in the first column of the table whose head is a folder."""
    table = text.partition(f"| `{folder}` |")[2].partition("\n\n")[0]
    return {name.rstrip("/") for row in table.splitlines()[2:] for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


@pytest.mark.parametrize("name", TEXTS)
def test_files_and_folders_exist(name: str) -> None:
    named = {
        word
        for text in names((ROOT / name).read_text(encoding="utf-8"))
        if "<" not in text
        for word in PLACE.findall(text)
    }
    missing = [place for place in sorted(named) if not _is_there(place)]
    assert missing == []


def _is_there(place: str) -> bool:
    if place in MADE or (ROOT / place).exists():
        return True
    # A file whose folder the sentence has named already.
    return "/" not in place and any(True for home in ("src", "tools") for _ in (ROOT / home).rglob(place))


@pytest.mark.parametrize("name", TEXTS)
def test_targets_of_make_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert set(re.findall(r"(?:`|\$ )make ([a-z]+)", text)) <= targets


def test_tables_list_every_folder() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    packages = {path.name for path in (ROOT / "src" / "sistel").iterdir() if (path / "__init__.py").exists()}
    modules = {path.name for path in (ROOT / "src" / "sistel").glob("[a-z]*.py")}
    assert column(text, "src/sistel/") == packages | modules
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert column(text, "tests/") == folders


@pytest.mark.parametrize("name", ["README.md", "README.ru.md"])
def test_readmes_list_every_command(name: str) -> None:
    table = (ROOT / name).read_text(encoding="utf-8").partition("| `sistel show")[2].partition("\n\n")[0]
    rows = ("| `sistel show" + table).splitlines()
    assert {word for row in rows for word in re.findall(r"`sistel ([a-z]+)", row.split("|")[1])} == {
        c.name for c in COMMANDS
    }
