"""What pages are told: the same types in Python and in TypeScript, and pages that keep to them."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

import sistel
from sistel.views._lesson_data import LessonData
from sistel.views._model_data import EquationsBlock
from sistel.views._page_data import PageData, Rate
from sistel.views._payloads import GripperData, ViewerData
from sistel.views.forms import draw_form, read_form
from sistel.views.lesson import Opening, lesson_page
from sistel.views.page import draw_page
from sistel.views.page._packed import unpacked
from sistel.views.prototypes import gripper_page
from sistel.views.viewer import view_scene

ROOT = Path(__file__).resolve().parents[3]


def misfit(value: Any, hint: Any, place: str = "") -> str | None:
    """Where a value of JSON is not what a type says; None where it is."""
    if is_typeddict(hint):
        if not isinstance(value, dict):
            return f"{place}: {value!r} is no table"
        hints = get_type_hints(hint, include_extras=True)
        needed = {key for key, each in hints.items() if get_origin(each) is not NotRequired}
        if wrong := (set(value) - set(hints)) | (needed - set(value)):
            return f"{place}: {sorted(wrong)}"
        plain = get_type_hints(hint)
        found = (misfit(each, plain[key], f"{place}.{key}") for key, each in value.items())
        return next(filter(None, found), None)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        problems = [misfit(value, each, place) for each in inner]
        return None if None in problems else f"{place}: {problems}"
    if origin is Literal:
        return None if value in inner else f"{place}: {value!r}"
    if origin in (list, tuple) and not isinstance(value, list):
        return f"{place}: {value!r} is no list"
    if origin is list:
        found = (misfit(each, inner[0], f"{place}[{i}]") for i, each in enumerate(value))
        return next(filter(None, found), None)
    if origin is tuple:
        if len(value) != len(inner):
            return f"{place}: {value!r}"
        found = (misfit(each, kind, f"{place}[{i}]") for i, (each, kind) in enumerate(zip(value, inner, strict=True)))
        return next(filter(None, found), None)
    if origin is dict and not isinstance(value, dict):
        return f"{place}: {value!r} is no table"
    if origin is dict:
        found = (misfit(each, inner[1], f"{place}.{key}") for key, each in value.items())
        return next(filter(None, found), None)
    kinds = {float: (int, float), int: (int,), str: (str,), bool: (bool,), NoneType: (NoneType,)}[hint]
    fits = isinstance(value, kinds) and (hint is bool or not isinstance(value, bool))
    return None if fits else f"{place}: {value!r} is no {hint.__name__}"


def block(page: str, name: str) -> Any:
    found = re.search(rf'<script type="text/plain" data-packed="{name}">([^<]*)</script>', page)
    assert found is not None
    return json.loads(unpacked(found[1]))


def test_typescript_has_the_same_types() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "payload.py"))
    assert tool["main"](["--check"]) == 0, "run python tools/payload.py"


def test_types_are_told_apart() -> None:
    """The comparison itself: what is missing, too much, or of another kind is found."""
    row = {"name": "a", "kind": "angle"}
    assert misfit(row, Rate) is None
    for wrong in ({"name": "a"}, row | {"more": 1}, row | {"kind": "area"}, row | {"name": None}, [row]):
        assert misfit(wrong, Rate)
    assert misfit([1, 2.5, None], list[float | None]) is None
    assert misfit([1, "2"], list[float]) and misfit(True, float) and misfit([1], tuple[int, int])


@pytest.mark.parametrize(
    ("name", "until"), [("compass_walker", 2.0), ("puma560", 0.2), ("four_bar", 0.5), ("spinning_top", None)]
)
def test_pages_keep_to_the_types(name: str, until: float | None, models_dir: Path) -> None:
    system = sistel.load(models_dir / f"{name}.xml")
    run = None if until is None else system.simulate(until)
    page = draw_page(system.model, run, lang="en")
    assert misfit(block(page, "payload"), PageData) is None
    equations = block(page, "equations")
    assert equations == {} or misfit(equations, EquationsBlock) is None


def test_forms_keep_to_the_types() -> None:
    system = sistel.parse(
        '<системаТел имя="😀"><параметр имя="l" значение="1"/><тело КП="ВКП" масса="l"/></системаТел>'
    )
    page = draw_form(read_form(system.model, system.source), system.model, "ru")
    data = block(page, "payload")
    assert misfit(data, PageData) is None
    # Browsers count the sign in the name as two.
    assert data["form"]["fields"][0]["place"] == [49, 50]


def test_lessons_keep_to_the_types(models_dir: Path) -> None:
    page = lesson_page(sistel.load(models_dir / "puma560.xml").model, opening=Opening(mode="inverse"), lang="ru")
    assert misfit(block(page, "payload"), LessonData) is None


def test_scenes_keep_to_the_types() -> None:
    def payload(page: str) -> Any:
        found = re.search(r'<script type="application/json" data-payload>(.*?)</script>', page, re.DOTALL)
        assert found is not None
        return json.loads(found[1])

    assert misfit(payload(view_scene("<X3D><Scene/></X3D>", lang="ru")), ViewerData) is None
    assert misfit(payload(gripper_page("en")), GripperData) is None
