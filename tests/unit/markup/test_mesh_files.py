"""Meshes that documents name: what is told of those that cannot be shown, and their names from another folder."""

from __future__ import annotations

from pathlib import Path

import pytest

import sistel
from sistel.markup import write_texts

ARM = (
    '<system name="arm" space="spatial"><body name="a" joint="revolute" axis="0,0,1" mass="1">{meshes}</body></system>'
)
TRIANGLE = b"\0" * 80 + (0).to_bytes(4, "little")


def written(folder: Path, *meshes: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "arm.xml"
    path.write_text(ARM.format(meshes="".join(f'<mesh file="{name}"/>' for name in meshes)))
    return path


def warned(path: Path) -> list[tuple[str, str]]:
    return [(each.code, each.message.en) for each in sistel.load(path).diagnostics if "mesh" in each.code]


def test_meshes_that_cannot_be_shown_are_told_once_a_cause(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"")
    path = written(tmp_path, "one.stl", "two.stl", "picture.png", "../above/three.stl")
    found = dict(warned(path))
    assert "one.stl" in found["no-mesh-file"] and "(and 1 more)" in found["no-mesh-file"]
    assert "only .stl, .obj, .dae, .glb, .gltf" in found["mesh-format"]
    assert len(found) == 3, found


@pytest.mark.parametrize(
    ("new", "name"),
    [("beside/arm.xml", "../parts/a.stl"), ("arm.xml", "parts/a.stl"), ("parts/arm.xml", "a.stl")],
)
def test_meshes_are_named_from_the_folder_of_the_new_file(tmp_path: Path, new: str, name: str) -> None:
    path = written(tmp_path / "old", "../parts/a.stl", "lost.stl", "package://robot/b.stl")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.stl").write_bytes(TRIANGLE)
    (tmp_path / new).parent.mkdir(exist_ok=True)
    losses = [str(loss) for loss in sistel.load(path, allow=[tmp_path]).save(tmp_path / new)]
    text = (tmp_path / new).read_text()
    assert f'file="{name}"' in text and 'file="package://robot/b.stl"' in text
    assert any('mesh "lost.stl" was not found' in each for each in losses)
    told = any(f'mesh "../parts/a.stl" is now "{name}"' in each for each in losses)
    assert told is (name != "../parts/a.stl")
    assert any("outside the folder of the new file" in each for each in losses) is False


def test_several_files_appear_together_or_not_at_all(tmp_path: Path) -> None:
    write_texts([(str(tmp_path / "a.txt"), "a\n"), (str(tmp_path / "b.txt"), "b\n")])
    assert (tmp_path / "a.txt").read_bytes() == b"a\n" and (tmp_path / "b.txt").read_bytes() == b"b\n"
    with pytest.raises(sistel.SistelError, match="cannot be written"):
        write_texts([(str(tmp_path / "a.txt"), "new"), (str(tmp_path / "no" / "c.txt"), "c")])
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.txt", "b.txt"]
    assert (tmp_path / "a.txt").read_bytes() == b"a\n"
