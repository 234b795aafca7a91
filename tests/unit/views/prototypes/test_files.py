"""The files of prototypes and scenes: valid, of one make with the gallery, and whole where they have to be."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.x3d import Scene, schema_problems

from sistel.errors import SistelError
from sistel.pose import read_body, read_position, read_transitions
from sistel.views.prototypes import (
    Operation,
    draw_scene,
    gripper_scene,
    prototype,
    prototype_names,
    read_operations,
    scene_names,
    static_body,
    whole_scene,
    write_operations,
    write_prototypes,
    write_scenes,
)
from sistel.views.x3d import check_scene

NAMES = prototype_names()
SCENES = [*scene_names("ru"), *scene_names("en")]


@pytest.mark.parametrize("lang", ["ru", "en"])
def test_the_gallery_has_what_is_written_now(models_dir: Path, tmp_path: Path, lang: str) -> None:
    made = [*write_prototypes(tmp_path / "prototypes", lang), *write_scenes(tmp_path / "scenes", lang)]  # type: ignore[arg-type]
    assert len(made) == 14
    for path in made:
        kept = models_dir / path.relative_to(tmp_path)
        assert kept.read_text(encoding="utf-8") == path.read_text(encoding="utf-8"), f"{kept} is not up to date"


DAMPED = [gripper_scene({}, "ru", smooth="damper"), prototype("gripper", smooth="damper")]


@pytest.mark.parametrize(
    "text",
    [*map(prototype, NAMES), *map(draw_scene, SCENES), *DAMPED],
    ids=[*NAMES, *SCENES, "damped scene", "damped gripper"],
)
def test_files_are_valid(text: str, shared_dir: Path) -> None:
    assert check_scene(text) == []
    assert schema_problems(shared_dir)(text) == []


@pytest.mark.parametrize("name", SCENES)
def test_scenes_name_files_that_are_there(name: str, models_dir: Path) -> None:
    root = ElementTree.fromstring(draw_scene(name, beside="../prototypes").encode())
    for declared in root.iter("ExternProtoDeclare"):
        path = (models_dir / "scenes" / declared.get("url", "").strip('"')).resolve()
        inner = ElementTree.parse(path).find("Scene/ProtoDeclare")
        assert inner is not None and inner.get("name") == declared.get("name")
        fields = [[field.get(key) for key in ("name", "type", "accessType")] for field in declared.findall("field")]
        own = [
            [field.get(key) for key in ("name", "type", "accessType")]
            for field in inner.findall("ProtoInterface/field")
        ]
        assert fields == own


def test_a_scene_becomes_whole() -> None:
    for name in SCENES:
        text = whole_scene(draw_scene(name, beside="../prototypes"))
        assert "ExternProtoDeclare" not in text
        assert check_scene(text) == []
        assert {each.get("name") for each in ElementTree.fromstring(text.encode()).iter("ProtoDeclare")} <= {*NAMES}
    foreign = "<X3D><Scene><ExternProtoDeclare name='other' url='\"other.x3d\"'/></Scene></X3D>"
    assert whole_scene(foreign) == foreign


def test_codes_in_scenes_can_be_read() -> None:
    read = {"код": read_body, "положение": read_position, "переходы": read_transitions, "операции": read_operations}
    seen = set()
    for name in scene_names("ru"):
        for value in ElementTree.fromstring(draw_scene(name).encode()).iter("fieldValue"):
            reader = read.get(value.get("name", ""))
            if reader is not None:
                assert reader([float(word) for word in value.get("value", "").split()])  # type: ignore[operator]
                seen.add(value.get("name"))
    assert seen == set(read)


def test_operations_are_written_back() -> None:
    code = (0.5, 1.0, 2.0, 0.03, 0.0, 5.0, 0.1, 0.2, 0.3, 42.0, 2.0, 2.0, 2.0, 0.05, 0.0, 5.0, 0.1, 0.2, 0.3, 13.0)
    made = read_operations(code)
    assert [(each.time, each.action, each.number, each.spread) for each in made] == [
        (0.5, "take", 2, 0.03),
        (2.0, "release", 2, 0.05),
    ]
    assert isinstance(made[0], Operation)
    assert write_operations(made, 0, 5) == code
    assert read_operations([0]) == () and write_operations([]) == (0.0,)


def test_what_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(SistelError, match="hand") as caught:
        prototype("hand")
    assert caught.value.diagnostics[0].expected is not None
    with pytest.raises(SistelError, match="septic") as caught:
        gripper_scene({}, "en", smooth="septic")
    assert caught.value.diagnostics[0].expected is not None
    assert "damper" in caught.value.diagnostics[0].expected.en
    with pytest.raises(SistelError, match="flight"):
        draw_scene("flight")
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SistelError, match="cannot write"):
        write_prototypes(file, "en")


def test_a_body_without_scripts(shared_dir: Path) -> None:
    code = [
        1,
        0.1,
        0.2,
        0.3,
        1,
        0.5,
        90,
        0.1,
        5,
        32,
        1,
        0,
        0,
        0.5,
        5,
        1,
        0.25,
        1,
        0,
        0,
        0,
        0,
        3,
        1,
        0,
        0,
        0,
        0,
        1,
        0,
        0,
    ]
    text = f"<X3D profile='Immersive' version='4.0'><Scene>{static_body(code)}</Scene></X3D>"
    assert check_scene(text) == [] and schema_problems(shared_dir)(text) == []
    named = text.replace("<Transform scale", "<Transform DEF='box' scale", 1)
    X = Scene(named).pose("box", 0.0)
    (first, _) = read_body(code)
    assert np.abs(X - first.pose.matrix @ np.diag([*first.sizes, 1.0])).max() < 1e-9
    # 0.5 m along y; fingers up means that its x has become y.
    assert np.abs(X @ [1, 0, 0, 1] - [0, 0.6, 0.1, 1]).max() < 1e-9


def test_fields_of_a_scene() -> None:
    text = gripper_scene({"spread": "0.05", "turn": "5 42"}, "en")
    (instance,) = [
        each for each in ElementTree.fromstring(text.encode()).find("Scene") or [] if each.tag == "ProtoInstance"
    ]
    assert {each.get("name"): each.get("value") for each in instance} == {"fingerSpread": "0.05", "turn": "5 42"}
