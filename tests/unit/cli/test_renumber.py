"""`--renumber` and `--srdf`: options of reading, through the command line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from support.commands import sistel_program

ROD = 'joint="revolute" mass="1" com="0,100" inertia="0.01"'


def sistel(*words: str) -> str:
    done = subprocess.run([sistel_program(), *words], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_renumber(tmp_path: Path) -> None:
    path, out = tmp_path / "in.xml", tmp_path / "out.xml"
    path.write_text(
        f'<system><body number="2" {ROD}/><body number="1" {ROD}><body number="3" {ROD}/></body></system>', "utf-8"
    )
    assert json.loads(sistel("show", str(path), "--json"))["bases"] == [0, 0, 1]
    assert json.loads(sistel("show", str(path), "--json", "--renumber"))["bases"] == [0, 0, 2]
    sistel("convert", str(path), str(out), "--renumber")
    assert json.loads(sistel("show", str(out), "--json"))["bases"] == [0, 0, 2]


def test_srdf(tmp_path: Path) -> None:
    urdf, srdf, out = tmp_path / "arm.urdf", tmp_path / "arm.srdf", tmp_path / "arm.xml"
    urdf.write_text(
        '<robot name="arm"><link name="base"/><link name="rod"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" '
        'ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="hinge" type="continuous"><parent link="base"/>'
        '<child link="rod"/><axis xyz="0 0 1"/></joint></robot>',
        "utf-8",
    )
    srdf.write_text(
        '<robot name="arm"><group name="all"><joint name="hinge"/></group><group_state name="up" group="all">'
        '<joint name="hinge" value="1.5"/></group_state></robot>',
        "utf-8",
    )
    sistel("convert", str(urdf), str(out), "--srdf", str(srdf))
    text = out.read_text("utf-8")
    assert '<posture name="up">' in text and '<group name="all"' in text
