"""Files that a stranger's file names: nothing outside its folder is read, quoted or waited for, unless it is allowed."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import sistel_program

import sistel
from sistel.cells import read_cell
from sistel.errors import SistelError
from sistel.markup import Losses
from sistel.views.viewer import view_scene

SECRET = "root:x:0:0:SECRET-LINE"
BODY = '<body name="a" joint="revolute" mass="1" com="0,100"/>'
LINK = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def stl(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    corners = struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)
    path.write_bytes(b"".ljust(80) + struct.pack("<I", 1) + corners)
    return path


def urdf(path: Path, *meshes: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    shown = "".join(f'<visual><geometry><mesh filename="{mesh}"/></geometry></visual>' for mesh in meshes)
    path.write_text(
        f'<robot name="r"><link name="base"/><link name="a">{LINK}{shown}</link><joint name="j" type="continuous">'
        '<parent link="base"/><child link="a"/><axis xyz="0 1 0"/></joint></robot>'
    )
    return path


def system(path: Path, inside: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<system>{inside}</system>")
    return path


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text(SECRET + "\n")
    return path


def refused(path: Path) -> SistelError:
    with pytest.raises(SistelError) as caught:
        sistel.load(path)
    for lang in ("en", "ru"):
        assert "SECRET" not in caught.value.render(lang)
    return caught.value


@pytest.mark.parametrize("how", ["../secret", "{abs}", "link", "folder/secret", "./x/../../secret"])
def test_inclusions_stay_inside(how: str, secret: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    path = system(home / "a.xml", f'{BODY}<include file="{how.format(abs=secret)}"/>')
    (home / "link").symlink_to(secret)
    (home / "folder").symlink_to(tmp_path)
    (problem,) = refused(path).diagnostics
    assert problem.code == "file-outside" and problem.hint is not None
    assert f"--allow {tmp_path}" in problem.hint.en and f"--allow {tmp_path}" in problem.hint.ru
    # Allowed, it is read as any other, and told that it is no description.
    with pytest.raises(SistelError) as caught:
        sistel.load(path, allow=[tmp_path])
    assert caught.value.diagnostics[0].code not in ("file-outside", "no-file")


def test_an_included_file_may_read_what_the_main_one_may(tmp_path: Path) -> None:
    """What is inside is judged by the main file: a part in a folder below may include its neighbours."""
    main = system(tmp_path / "home" / "a.xml", f'{BODY}<include file="parts/b.xml" prefix="p"/>')
    system(tmp_path / "home" / "parts" / "b.xml", '<include file="../c.xml"/>')
    system(tmp_path / "home" / "c.xml", BODY)
    assert [body.name for body in sistel.load(main).bodies] == ["a", "pa"]
    system(tmp_path / "home" / "parts" / "b.xml", '<include file="../../d.xml"/>')
    system(tmp_path / "d.xml", BODY)
    assert refused(main).diagnostics[0].code == "file-outside"
    assert len(sistel.load(main, allow=[tmp_path]).bodies) == 2


def test_mjcf_inclusions_stay_inside(secret: Path, tmp_path: Path) -> None:
    path = tmp_path / "home" / "a.xml"
    path.parent.mkdir()
    path.write_text('<mujoco><include file="../secret"/><worldbody/></mujoco>')
    assert "file-outside" in [each.code for each in refused(path).diagnostics]


@pytest.mark.parametrize("what", ["fifo", "socket", "/dev/zero", "/proc/self/environ", "/dev/tty", "folder"])
def test_only_regular_files_are_read(what: str, tmp_path: Path) -> None:
    """In a process of its own: a pipe that nobody writes to would else hold up everything."""
    path = system(tmp_path / "a.xml", f'{BODY}<include file="it"/>')
    mesh = urdf(tmp_path / "b.urdf", "it.stl")
    for name in ("it", "it.stl"):
        place = tmp_path / name
        if what == "fifo":
            os.mkfifo(place)
        elif what == "folder":
            place.mkdir()
        elif what == "socket":
            import socket

            with socket.socket(socket.AF_UNIX) as made:
                os.chdir(tmp_path)  # names of sockets are short
                made.bind(name)
        else:
            place.symlink_to(what)
    code = (
        "import sistel, sys\n"
        "try: sistel.load(sys.argv[1], allow=['/'])\n"
        "except sistel.SistelError as error: print(error.diagnostics[0].code)\n"
        "print(*[each.code for each in sistel.load(sys.argv[2], allow=['/']).diagnostics])"
    )
    done = subprocess.run([sys.executable, "-c", code, path, mesh], capture_output=True, text=True, timeout=60)
    told = done.stdout.split()
    assert told[0] in ("no-regular-file", "no-file") and "mesh-file" in told[1], (told, done.stderr)


def test_meshes_stay_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sibling folder and a package are refused with the words that allow them; both then work."""
    stl(tmp_path / "arm" / "meshes" / "a.stl")
    inside = stl(tmp_path / "arm" / "urdf" / "near.stl")
    for name, folder in (("../meshes/a.stl", "arm/meshes"), ("package://arm/meshes/a.stl", "arm")):
        path = urdf(tmp_path / "arm" / "urdf" / "arm.urdf", name, inside.name)
        (told,) = sistel.load(path).diagnostics
        assert told.code == "mesh-file-outside" and told.severity == "warning" and told.hint is not None
        assert told.span is not None and name in told.span.text
        assert f"--allow {tmp_path / folder}" in told.hint.en
        assert sistel.load(path, allow=[tmp_path / folder]).diagnostics == ()
        lost = sistel.load(path).save(tmp_path / "a.x3d")
        assert [each for each in lost if "outside" in each.render("en")]
        assert not sistel.load(path, allow=[tmp_path / folder]).save(tmp_path / "a.x3d")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path))
    assert sistel.load(path).diagnostics == ()


def test_missing_meshes_are_told_together(tmp_path: Path) -> None:
    path = urdf(tmp_path / "arm.urdf", *(f"m{i}.stl" for i in range(30)), "hand.ply")
    (tmp_path / "hand.ply").touch()
    first, second = sistel.load(path).diagnostics
    assert first.code == "no-mesh-file" and "(and 29 more)" in first.message.en and str(tmp_path) in first.message.en
    assert second.code == "mesh-format" and ".stl" in second.message.ru


@pytest.mark.parametrize("options", [[], ["--allow", "."], ["--allow", "nowhere"]])
def test_the_option(options: list[str], tmp_path: Path) -> None:
    stl(tmp_path / "meshes" / "a.stl")
    urdf(tmp_path / "urdf" / "arm.urdf", "../meshes/a.stl")
    call = [sistel_program(), "check", "urdf/arm.urdf", "--reading", "--json", "--lang", "en", *options]
    done = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path)
    told = json.loads(done.stdout)["diagnostics"] if done.stdout else []
    if options[1:] == ["nowhere"]:
        assert done.returncode == 2 and "nowhere" in done.stdout + done.stderr
    else:
        assert done.returncode == 0
        assert [each["code"] for each in told] == ([] if options else ["mesh-file-outside"])


def test_check_reads_the_meshes(tmp_path: Path) -> None:
    path = urdf(tmp_path / "arm.urdf", "broken.stl")
    (tmp_path / "broken.stl").write_bytes(b"".ljust(80) + struct.pack("<I", 1000))
    assert sistel.load(path).diagnostics == ()
    call = [sistel_program(), "check", str(path), "--reading", "--json", "--lang", "en"]
    done = subprocess.run(call, capture_output=True, text=True)
    (told,) = json.loads(done.stdout)["diagnostics"]
    assert told["code"] == "bad-mesh" and told["line"] == 1 and done.returncode == 0


def test_cells_stay_inside(tmp_path: Path, models_dir: Path) -> None:
    path = tmp_path / "cell.xml"
    path.write_text(f'<cell name="c"><robot name="R" model="{models_dir}/mr_cylindrical.xml" frame="схват"/></cell>')
    with pytest.raises(SistelError) as caught:
        read_cell(path, lambda file: sistel.load(file).model)
    assert caught.value.diagnostics[0].code == "file-outside"
    assert read_cell(path, lambda file: sistel.load(file).model, allow=[models_dir]).robots


def scene(inside: str) -> str:
    return f'<X3D profile="Interchange" version="4.0"><Scene>{inside}</Scene></X3D>'


def test_scenes_stay_inside(tmp_path: Path) -> None:
    (tmp_path / "part.x3d").write_text(scene("<Transform DEF='SECRET'/>"))
    home = tmp_path / "home"
    home.mkdir()
    os.mkfifo(home / "pipe.x3d")
    (home / "link.x3d").symlink_to(tmp_path / "part.x3d")
    for name in ("../part.x3d", "link.x3d", "pipe.x3d"):
        losses = Losses()
        view_scene(scene(f"<Inline url='\"{name}\"'/>"), base=home, losses=losses)
        (lost,) = losses.sorted()
        assert name in lost.render("en") and ("--allow" in lost.render("ru")) == (name != "pipe.x3d")
        losses = Losses()
        view_scene(scene(f"<Inline url='\"{name}\"'/>"), base=home, losses=losses, allow=[tmp_path])
        assert bool(losses.sorted()) == (name == "pipe.x3d")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-7", "utf-32"])
def test_entities_of_scenes_are_refused_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE X3D [<!ENTITY a "&#60;Group/>">]>' + scene("&a;")
    (tmp_path / "a.x3d").write_bytes(text.encode(encoding))
    losses = Losses()
    view_scene(scene("<Inline url='\"a.x3d\"'/>"), base=tmp_path, losses=losses)
    assert len(losses.sorted()) == 1


@pytest.mark.parametrize("suffix", ["xml", "urdf", "mjcf"])
def test_a_system_saved_elsewhere_finds_its_meshes(suffix: str, tmp_path: Path) -> None:
    """Names are those that the new file sees; that it needs a folder to be allowed is told."""
    stl(tmp_path / "old" / "meshes" / "a.stl")
    old = sistel.load(urdf(tmp_path / "old" / "arm.urdf", "meshes/a.stl"))
    below, away = tmp_path / "arm", tmp_path / "new" / "arm"
    away.parent.mkdir()
    for target in (below.with_suffix(f".{suffix}"), away.with_suffix(f".{suffix}")):
        told = [loss.render("en") for loss in old.save(target) if "meshes/a.stl" in loss.render("en")]
        outside = target.parent.name == "new"
        assert len(told) == 1 and ("--allow" in told[0]) == outside
        again = sistel.load(target, allow=[tmp_path / "old"] if outside else [])
        assert not [each for each in again.diagnostics if "mesh" in each.code]
        assert not [loss for loss in again.save(tmp_path / "a.x3d") if "mesh" in loss.render("en")]
    assert 'file="../old/meshes/a.stl"' in old.to_xml(folder=tmp_path / "new")
    assert 'file="meshes/a.stl"' in old.to_xml()


def test_convert_keeps_meshes(tmp_path: Path) -> None:
    stl(tmp_path / "old" / "a.stl")
    urdf(tmp_path / "old" / "arm.urdf", "a.stl")
    call = [sistel_program(), "convert", "old/arm.urdf", "arm.xml", "--lang", "en"]
    done = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0 and 'mesh "a.stl" is now "old/a.stl"' in done.stderr
    assert sistel.load(tmp_path / "arm.xml").diagnostics == ()
