"""Pages that the program writes about itself are those that it would write now (tools/pages)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import sistel
from sistel.errors import Language
from sistel.markup.schema.generate import schema_reference

ROOT = Path(__file__).resolve().parents[2]
FOLDERS: dict[Language, Path] = {"en": ROOT / "docs", "ru": ROOT / "docs" / "ru"}


@pytest.fixture(scope="module")
def tools() -> Iterator[dict[str, ModuleType]]:
    folder = str(ROOT / "tools" / "pages")
    sys.path.insert(0, folder)
    try:
        yield {name: import_module(name) for name in ("api", "commands", "gallery")}
    finally:
        sys.path.remove(folder)


@pytest.mark.parametrize("lang", FOLDERS)
@pytest.mark.parametrize("name", ["gallery", "reference", "commands", "python"])
def test_page_is_up_to_date(name: str, lang: Language, tools: dict[str, ModuleType]) -> None:
    page = schema_reference if name == "reference" else tools["api" if name == "python" else name].page
    path = FOLDERS[lang] / f"{name}.md"
    assert path.read_text(encoding="utf-8") == page(lang), "run `python tools/pages`"


def test_every_public_name_is_described(tools: dict[str, ModuleType]) -> None:
    api = tools["api"]
    listed = [name for group in api.GROUPS if group.owner is sistel.System for name in group.names]
    assert sorted(listed) == sorted(name for name in dir(sistel.System) if not name.startswith("_"))
    described = {"System", *api.GROUPS[0].names, *(value.__name__ for value in api.VALUES)}
    # `Model` is what `System.model` gives: docs/model.md is about it.
    assert set(sistel.__all__) - {"__version__", "Model"} == described & set(sistel.__all__)


def test_no_russian_sentence_is_left_over(tools: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    api = tools["api"]
    asked: set[str] = set()

    class Sentences(dict[str, str]):
        def __getitem__(self, name: str) -> str:
            asked.add(name)
            return super().__getitem__(name)

    sentences = Sentences(api.russian())
    monkeypatch.setattr(api, "russian", lambda: sentences)
    api.page("ru")
    assert set(sentences) == asked
