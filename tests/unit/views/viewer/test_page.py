"""Pages that show X3D files: what they carry, and what they refuse."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sistel import SistelError
from sistel.markup import Losses
from sistel.views.page._packed import unpacked
from sistel.views.viewer import view_scene

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
"""A picture of one red point."""
SCENE = '<X3D profile="Immersive" version="4.0"><Scene>{}</Scene></X3D>'


def blocks(page: str) -> dict[str, bytes]:
    """What is packed in a page, by name."""
    found = re.findall(r'<script type="text/plain" data-packed="([^"]*)">([^<]*)</script>', page)
    return {name: unpacked(letters) for name, letters in found}


def test_the_scene_is_inside_as_it_is(models_dir: Path) -> None:
    text = (models_dir / "scenes" / "gripper_turn.x3d").read_text(encoding="utf-8")
    for viewer, most in (("x_ite", 470_000), ("x3dom", 310_000)):
        page = view_scene(text, viewer=viewer, lang="ru")  # type: ignore[arg-type]
        assert blocks(page)["scene"].decode() == text
        assert len(page.encode()) < most
        assert "<title>Схват: ОС(13) → ОС(64)</title>" in page and '<html lang="ru">' in page
        assert ("X_ITE (MIT" if viewer == "x_ite" else "X3DOM (MIT") in page[:300]
        assert view_scene(text, viewer=viewer, lang="ru") == page  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<Shape><Box/></Shape>", set()),
        ("<Shape><Rectangle2D/></Shape>", {"part-Geometry2D"}),
        ("<KeySensor/><Script/>", {"part-KeyDeviceSensor", "part-Scripting"}),
        ("<Shape><Text/></Shape>", {"part-Text", "font-SERIF"}),
        ("<Shape><Text><FontStyle family='\"SANS\"'/></Text></Shape>", {"part-Text", "font-SANS"}),
        ("<Shape><Text><FontStyle/></Text></Shape>", {"part-Text", "font-SERIF"}),
        ("<Shape><Text><FontStyle family='\"Papyrus\" \"TYPEWRITER\"'/></Text></Shape>", {"part-Text", "font-TYPEWRITER"}),
        ("<ScreenGroup/>", {"part-Text", "part-Layout"}),
        ("<Shape><Appearance><Material><ImageTexture containerField='normalTexture'/></Material></Appearance></Shape>", {"tangents"}),
    ],
)  # fmt: skip
def test_what_the_nodes_need_comes_along(inside: str, expected: set[str]) -> None:
    assert set(blocks(view_scene(SCENE.format(inside)))) == {"scene", "module", "style"} | expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty-file"),
        ("not at all", "not-xml"),
        ("<X3D/>", "no-scene"),
        ("<svg/>", "no-scene"),
        ("<html><body></body></html>", "no-scene"),
        ("<html><body><X3D><Scene>", "no-scene"),
        ("<X3D><Scene>\x01</Scene></X3D>", "control-character"),
        ("<X3D><Scene>\ud800</Scene></X3D>", "control-character"),
        ('<!DOCTYPE X3D [<!ENTITY a "b">]><X3D><Scene/></X3D>', "doctype"),
        (SCENE.format("<RigidBody/>"), "unknown-node"),
    ],
)
def test_what_is_no_scene_is_refused(text: str, code: str) -> None:
    with pytest.raises(SistelError) as caught:
        view_scene(text)
    (found,) = caught.value.diagnostics
    assert found.code == code and found.message.en != found.message.ru


def test_what_is_no_xml_has_its_place() -> None:
    with pytest.raises(SistelError) as caught:
        view_scene("<X3D>\n  <Scene>\n    <Shape></Shpae>\n  </Scene></X3D>")
    (found,) = caught.value.diagnostics
    assert found.span is not None and found.span.line == 3
    for lang in ("en", "ru"):
        assert "<Shape></Shpae>" in found.render(lang) and "<x3d>:3:14:" in found.render(lang)
    assert "</Shape>" in found.render("en") and "ошибка" in found.render("ru")


def test_a_text_of_another_encoding_is_taken() -> None:
    """Whoever read the file knows its letters; what its first line says is past."""
    text = '\ufeff<?xml version="1.0" encoding="windows-1251"?>\n' + SCENE.format("<WorldInfo title='Схват'/>")
    page = view_scene(text)
    assert "<title>Схват</title>" in page and blocks(page)["scene"].decode() == text


def test_an_unknown_viewer_is_refused() -> None:
    with pytest.raises(SistelError, match="there is no viewer"):
        view_scene(SCENE.format(""), viewer="cortona")  # type: ignore[arg-type]


def test_titles_cannot_leave_their_place() -> None:
    page = view_scene(SCENE.format(""), title='</title></script><script>alert("<!--")</script>')
    head, _, rest = page.partition("<header>")
    assert "<script>" not in head and "<script>alert" not in rest


def test_files_of_a_scene_come_into_the_page(tmp_path: Path) -> None:
    """Pictures, scenes and prototypes, also those of such a scene; the first of several places that is there."""
    (tmp_path / "more").mkdir()
    (tmp_path / "цвет 1.png").write_bytes(PIXEL)
    (tmp_path / "more" / "wheel.x3d").write_text(
        SCENE.format(
            "<ProtoDeclare name='w'><ProtoInterface><field accessType='inputOutput' type='SFFloat' name='f'/>"
            "</ProtoInterface><ProtoBody><Group/></ProtoBody></ProtoDeclare><Shape><Appearance><ImageTexture url='\"../%D1%86%D0%B2%D0%B5%D1%82%201.png\"'/></Appearance><Text/></Shape>"
        )
    )
    text = SCENE.format(
        '<Inline url=\'"https://example.org/wheel.x3d" "more/wheel.x3d"\'/>'
        "<ExternProtoDeclare name='w' url='\"more/wheel.x3d#w\"'/><Anchor url='\"#view\"'/>"
    )
    losses = Losses()
    found = blocks(view_scene(text, base=tmp_path, losses=losses))
    assert losses.items == []
    assert {"part-Text", "font-SERIF"} <= set(found)  # of the scene within
    outer = ElementTree.fromstring(found["scene"])
    urls = [element.get("url", "") for element in outer.iter() if element.get("url")]
    assert urls[2] == '"#view"' and urls[1].endswith('#w"')
    inner = base64.b64decode(urls[0].removeprefix('"data:model/x3d+xml;base64,').rstrip('"'))
    picture = ElementTree.fromstring(inner).find(".//ImageTexture")
    assert picture is not None
    assert base64.b64decode(picture.get("url", "").removeprefix('"data:image/png;base64,').rstrip('"')) == PIXEL
    # Without a folder, they stay where they are, and are told.
    assert blocks(view_scene(text, losses=losses))["scene"].decode() == text
    assert [loss.what.en.split(":")[0] for loss in losses.items] == [
        "Inline https",
        "ExternProtoDeclare more/wheel.x3d#w",
    ]


@pytest.mark.parametrize(
    "url", ["../secret.png", "/etc/passwd.png", "%2e%2e/secret.png", "link.png", "absent.png", "page.html", "https://a.b/c.png", "a\x01.png", "self.x3d"]
)  # fmt: skip
def test_nothing_else_is_read(url: str, tmp_path: Path) -> None:
    folder = tmp_path / "scene"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(PIXEL)
    (folder / "page.html").write_bytes(PIXEL)
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "self.x3d").write_text(SCENE.format(3 * "<Inline url='self.x3d'/>"))
    tag = "Inline" if url.endswith("x3d") else "ImageTexture"
    losses = Losses()
    if "\x01" in url:
        with pytest.raises(SistelError):
            view_scene(SCENE.format(f"<{tag} url='{url}'/>"), base=folder, losses=losses)
        return
    page = view_scene(SCENE.format(f"<{tag} url='{url}'/>"), base=folder, losses=losses)
    assert len(losses.items) == 1
    assert len(page) < 1_000_000  # what holds itself ends


def test_scripts_alone_may_run_code(models_dir: Path) -> None:
    plain, script = (view_scene(SCENE.format(inside)) for inside in ("<Group/>", "<Script/>"))
    assert "unsafe-eval" not in plain[:1000] and "'unsafe-eval'" in script[:1000]
    assert "https:" not in re.findall(r'Content-Security-Policy" content="([^"]*)"', plain)[0]
