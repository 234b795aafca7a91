"""tools/private_imports: what is private to a package is found where another imports it, and only there."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def lint() -> ModuleType:
    loader = SourceFileLoader("tools_private_imports", str(ROOT / "tools" / "private_imports"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


def tree(folder: Path, text: str) -> Path:
    """A package `views` with one module of the given text."""
    module = folder / "sistel" / "views" / "_page.py"
    module.parent.mkdir(parents=True)
    module.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("from sistel.pose._codes import Reader", "sistel.pose._codes.Reader"),
        ("from sistel.pose import _codes", "sistel.pose._codes"),
        ("from sistel.pose import _hidden as seen", "sistel.pose._hidden"),
        ("def late():\n    import sistel.pose._codes", "sistel.pose._codes"),
        ("import_module('sistel.pose._codes')", "sistel.pose._codes"),
    ],
)
def test_what_is_private_elsewhere_is_found(
    lint: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, name: str
) -> None:
    assert lint.main([str(tree(tmp_path, text))]) == 1
    line = 2 if text.startswith("def") else 1
    assert f"sistel/views/_page.py:{line}: {name} is private" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    [
        "from sistel.pose import Rotation",
        "from sistel.pose.codes import Reader",
        "from sistel.views._html import show",
        "from sistel._version import __version__",
        "from other._codes import Reader",
        "'of sistel.pose._codes much can be said'",
    ],
)
def test_doors_and_what_is_at_home_are_free(lint: ModuleType, tmp_path: Path, text: str) -> None:
    assert lint.main([str(tree(tmp_path, text))]) == 0
