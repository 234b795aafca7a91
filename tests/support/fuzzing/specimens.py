"""Whole files of every format that is read, small ones, to be damaged: from the gallery, the pages, and made here."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path

from support.fuzzing import damage
from support.gltf import Gltf, cuboid

import sistel

LARGEST = 9_000
"""Larger files are left out: they only make the same damage slower [bytes]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Kind:
    """A format."""

    name: str
    suffix: str
    damage: damage.Damage
    share: int
    """How many of a thousand mutants are of it."""
    files: tuple[bytes, ...]


CUBE = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)]
FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
CORNERS = [(CUBE[a], CUBE[b], CUBE[c]) for f in FACES for a, b, c in ((f[0], f[1], f[2]), (f[0], f[2], f[3]))]

SMALL = (
    """<system name="s"><parameter name="m" value="1 kg" min="0.1 kg" max="5 kg"/><body name="a" joint="revolute" mass="m"
  com="0, 300 mm" inertia="0.01" damping="0.1 N*m*s" max="90" min="-90"><point name="p" place="0, 500"/></body>
<body name="b" base="a" joint="revolute" mass="1" com="0, 200" place="0, 500" stiffness="3 N*m" rest="10"/>
<start a="30 deg" a.rate="1 rad/s"/></system>""",
    """<system name="s"><body name="b" joint="prismatic2" mass="1"><point name="p"/></body>
<links><contact name="floor" point="p" surface="y = 1 m" friction="0.3" restitution="0.5"/></links>
<start b="0, 0.9 m"/></system>""",
    """<system name="s"><body name="a" joint="prismatic" mass="1" axis="1, 0"/><body name="b" joint="prismatic" mass="2" axis="1, 0"/>
<links><coupling name="c" of="b" to="a" ratio="2"/><structure name="u"/><structure name="w" holds="c"/>
<transition from="u" to="w" when="x(a) &gt; 0.1 m"/></links><start a.rate="1 m/s"/></system>""",
    """<системаТел имя="с"><тело имя="а" сочленение="поступательное" масса="1" ><движение значение="10 мм*sin(3*t/(1 с))"/></тело>
<тело имя="б" основание="а" сочленение="вращательное" масса="0.5" цм="0, 200"/></системаТел>""",
    """<system name="s"><parameter name="n" value="3"/><repeat count="n" nested="yes"><body name="a {i}" joint="revolute" mass="0.1*i"
  com="0, 50" place="0, select(i gt 1, 100, 0)"/></repeat><repeat count="2" index="j" from="0"><repeat count="j + 1"><body name="b {10*j + i}"
  joint="prismatic" mass="1"><force value="0, 1 N/m*x('a {i}')"/></body></repeat></repeat>
<links><repeat count="2"><coupling name="c {i}" of="b {9 + i}" to="b 1" ratio="i"/></repeat></links>
<start><repeat count="n"><coordinate of="a {rem(i, n) + 1}" value="i*5 deg"/></repeat></start></system>""",
)
"""XsysTel with much in little room."""

MJCF = (
    """<mujoco model="m"><compiler angle="degree" autolimits="true"/><option gravity="0 0 -9.81" timestep="0.002"/>
<default><joint damping="0.1"/><default class="thin"><geom size="0.02" rgba="1 0 0 1" density="500"/></default></default>
<asset><material name="red" rgba="1 0 0 1"/></asset><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
<body name="rod" pos="0 0 1" euler="0 10 0"><joint name="hinge" axis="0 1 0" range="-90 45" stiffness="3" springref="10"/>
<geom class="thin" type="capsule" fromto="0 0 0 0 0 -.5"/><site name="tip" pos="0 0 -.5"/>
<body name="bob" pos="0 0 -.5"><joint name="slide" type="slide" axis="1 0 0" range="-.1 .1"/><geom type="sphere" size=".05" mass="1"/>
</body></body></worldbody><equality><joint joint1="hinge" joint2="slide" polycoef="0 1 0 0 0"/></equality>
<actuator><motor name="u" joint="hinge" gear="10" ctrlrange="-1 1"/></actuator>
<keyframe><key name="home" qpos="0.1 0"/></keyframe></mujoco>""",
    """<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia=".1 .1 .1"/>
<geom type="box" size=".1 .2 .3" quat="1 0 0 0"/></body><body name="b" pos="1 0 1" axisangle="0 0 1 90">
<joint name="ball" type="ball"/><geom type="ellipsoid" size=".1 .1 .2"/></body></worldbody>
<equality><connect body1="a" body2="b" anchor="0.5 0 0"/></equality></mujoco>""",
)
URDF = """<robot name="arm"><link name="base"/><link name="upper"><inertial><origin xyz="0 0 0.2" rpy="0 0.1 0"/><mass value="1"/>
<inertia ixx="0.02" iyy="0.02" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><box size="0.1 0.1 0.4"/></geometry>
<material name="red"><color rgba="1 0 0 1"/></material></visual></link><link name="lower"><inertial><mass value="0.5"/>
<inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="tool"/><link name="other">
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="shoulder" type="continuous"><axis xyz="0 1 0"/><parent link="base"/><child link="upper"/><dynamics damping="0.1" friction="0"/></joint>
<joint name="elbow" type="prismatic"><origin xyz="0 0 0.4" rpy="0 0 1.57"/><axis xyz="0 0 1"/><parent link="upper"/><child link="lower"/>
<limit lower="0" upper="1" effort="1" velocity="1"/></joint>
<joint name="mount" type="fixed"><parent link="lower"/><child link="tool"/></joint>
<joint name="second" type="revolute"><axis xyz="1 0 0"/><parent link="base"/><child link="other"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
<mimic joint="shoulder" multiplier="2" offset="0.1"/></joint></robot>"""
SRDF = """<robot name="arm"><group name="arm"><chain base_link="base" tip_link="tool"/></group><group name="two"><joint name="elbow"/>
<link name="base"/></group><group name="all"><group name="two"/><group name="arm"/><joint name="second"/></group>
<group_state name="home" group="arm"><joint name="shoulder" value="0.5"/><joint name="elbow" value="0.1"/></group_state>
<end_effector name="hand" parent_link="tool" group="two"/><disable_collisions link1="base" link2="upper" reason="Adjacent"/></robot>"""
DH_XML = """<dh system="arm" convention="standard" frame="tool"><row name="one" joint="R" theta="0" d="71" a="0" alpha="90" min="-180" max="180"
 mass="0.1" cx="0" cy="-35" cz="0" ixx="0.0001" iyy="0.0002" izz="0.0001"/><row name="two" joint="P" theta="0" d="0" a="246" alpha="0" mass="0.5"/></dh>"""
MOTION = (
    """<!DOCTYPE html><html><head><title>Table 1</title><script>var t = "<table><tr><td>x";</script></head><body><table><tr><td>menu</td></tr>
</table><table class="motion"><thead><tr><th>Time, s</th><th>hip [deg]</th><th>slide (mm)</th></tr></thead><tr><td>0</td><td>0</td><td>0</td>
<tr><td>0,5<td><b>30</b><td>&minus;12.5<tr><td>1 s</td><td>0.5 rad</td><td>2&nbsp;cm</td></tr></table></body></html>""",
    "<table><tr><td>t</td><td>a</td></tr><tr><td>0</td><td>1</td></tr><tr><td>0.1</td><td>2</td></tr><tr><td>0.4</td><td>-1e3</td></tr></table>",
)
PROCESS = (
    "действие;деталь;гнездо;время;начало\nвзять;вал 1;З1;;\nположить;;патрон;;\nобработать;;патрон;8;\nвзять;вал 1;патрон;;\nположить;;Г1;2;0\n",
    "do,part,slot,time,start\ntake,вал 1,З1,,\nput,,патрон,1,0\n",
)
COLLADA = (
    '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset><unit meter="0.5"/><up_axis>Y_UP</up_axis></asset>'
    '<library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong><diffuse><color>1 0 0 1</color></diffuse></phong></technique>'
    '</profile_COMMON></effect></library_effects><library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>'
    '<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f" count="24">'
    + " ".join(f"{x:g}" for point in CUBE for x in point)
    + '</float_array><technique_common><accessor source="#f" count="8" stride="3"/></technique_common></source><vertices id="v">'
    '<input semantic="POSITION" source="#p"/></vertices><polylist count="6" material="M"><input semantic="VERTEX" source="#v" offset="0"/>'
    "<vcount>4 4 4 4 4 4</vcount><p>"
    + " ".join(str(i) for face in FACES for i in face)
    + '</p></polylist></mesh></geometry></library_geometries><library_nodes><node id="n"><rotate>0 0 1 30</rotate><instance_geometry url="#g">'
    '<bind_material><technique_common><instance_material symbol="M" target="#m"/></technique_common></bind_material></instance_geometry></node>'
    '</library_nodes><library_visual_scenes><visual_scene id="s"><node><translate>2 0 0</translate><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>'
    '<instance_node url="#n"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>'
)

ARM = (
    '<system><body name="a" joint="revolute" min="-90" max="90" mass="2" com="200, 0" inertia="0.03"><body name="b" joint="revolute" '
    'place="400, 0" min="20" max="150" mass="1" com="150, 0" inertia="0.01"><point name="tip" place="300, 0"/></body></body></system>'
)
"""What networks are trained for."""


def specimens(root: Path, folder: Path) -> tuple[Kind, ...]:
    """All formats with their files.

    Args:
        root: Of the checkout.
        folder: For what has to be written first, such as runs.
    """
    models = root / "models"
    gallery = [path.read_bytes() for path in sorted(models.glob("*.xml"))]
    gallery = [text for text in gallery if len(text) <= LARGEST]
    return (
        _kind("xsystel", ".xml", damage.xml, 440, *gallery, *_pages(root), *SMALL),
        _kind(
            "urdf",
            ".urdf",
            damage.xml,
            80,
            URDF,
            (models / "arm5.urdf").read_bytes(),
            *_written(models, folder, ".urdf"),
        ),
        _kind("mjcf", ".mjcf", damage.xml, 90, *MJCF, *_written(models, folder, ".mjcf")),
        _kind("srdf", ".srdf", damage.xml, 30, SRDF),
        _kind(
            "dh table",
            ".csv",
            damage.table,
            40,
            (models / "arm5_dh.csv").read_bytes(),
            *_written(models, folder, ".csv"),
        ),
        _kind(
            "dh xml",
            ".xml",
            damage.xml,
            20,
            DH_XML,
            DH_XML.replace("<dh ", "<таблицаДХ ").replace("</dh>", "</таблицаДХ>"),
        ),
        _kind("screws", ".json", damage.tree, 40, *_written(models, folder, ".json")),
        _kind("motion", ".html", damage.xml, 40, *MOTION),
        _kind(
            "cell",
            ".xml",
            damage.xml,
            30,
            *((models / "cells" / f"{name}.xml").read_bytes() for name in ("turning", "flexible")),
        ),
        _kind("process", ".csv", damage.table, 20, *PROCESS),
        *_meshes(folder),
        _kind("run", ".npz", damage.archive, 40, *_runs(models, folder)),
        _kind("networks", ".json", damage.tree, 20, *_networks(folder)),
        _kind("x3d", ".x3d", damage.xml, 20, *_scenes(models, folder)),
    )


def _kind(name: str, suffix: str, how: damage.Damage, share: int, *files: bytes | str) -> Kind:
    read = tuple(each.encode() if isinstance(each, str) else each for each in files)
    return Kind(name=name, suffix=suffix, damage=how, share=share, files=read)


def _pages(root: Path) -> list[bytes]:
    """Examples of the pages: small, and with every word of the language somewhere."""
    found = []
    for page in sorted((root / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        found += [
            each[2]
            for each in re.finditer(r"```xml([^\n]*)\n(.*?)```", text, re.S)
            if not re.search("fragment|broken", each[1])
        ]
    return [text.encode() for text in dict.fromkeys(found) if len(text) < LARGEST]


def _written(models: Path, folder: Path, suffix: str) -> list[bytes]:
    """Some of the gallery in another format."""
    arms = ("arm5", "puma560", "scara", "mr_reach")
    names = (
        arms
        if suffix in (".csv", ".json")
        else ("pendulum", "four_bar", "free_body", "cart_pole", "slider_crank", "scara")
    )
    texts = []
    for name in names:
        path = folder / f"{name}{suffix}"
        try:
            sistel.load(models / f"{name}.xml").save(path)
        except sistel.SistelError:
            continue  # not every arm has every table
        texts.append(path.read_bytes())
    return [text for text in texts if len(text) <= LARGEST]


def _meshes(folder: Path) -> tuple[Kind, ...]:
    stl = b"solid but binary".ljust(80) + struct.pack("<I", len(CORNERS))
    stl += b"".join(struct.pack("<12fH", 0, 0, 1, *(x for point in three for x in point), 0) for three in CORNERS)
    facets = (
        "facet normal 0 0 1\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*p) for p in three)
        + "endloop\nendfacet\n"
        for three in CORNERS
    )
    obj = "mtllib absent.mtl\n" + "\n".join("v {} {} {}".format(*p) for p in CUBE) + "\nusemtl red\n"
    obj += "\n".join("f " + " ".join(f"{i + 1}/1/1" for i in f) for f in FACES) + "\nf -1 -2 -3\n"
    made = Gltf()
    points, triangles, normals = cuboid((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))
    first = made.mesh(points, triangles, normals=normals, material=made.material(1, 0, 0, 0.5))
    inner = made.node(root=False, mesh=first, rotation=[0, 0.6, 0, 0.8], scale=[2, 2, 2], translation=[1, 0, 0])
    made.node(children=[inner], matrix=[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1])
    return (
        _kind("stl", ".stl", damage.binary, 15, stl),
        _kind("stl text", ".stl", damage.tokens, 15, "solid a\n" + "".join(facets) + "endsolid a"),
        _kind("obj", ".obj", damage.tokens, 15, obj),
        _kind("dae", ".dae", damage.xml, 25, COLLADA),
        _kind("gltf", ".gltf", damage.tree, 15, made.save(folder / "a.gltf").read_bytes()),
        _kind("glb", ".glb", damage.glb, 15, made.save(folder / "a.glb").read_bytes()),
    )


def _runs(models: Path, folder: Path) -> list[bytes]:
    texts = []
    for name in ("pendulum", "bouncing_ball", "cart_pole"):
        path = folder / f"{name}.npz"
        sistel.load(models / f"{name}.xml").simulate(0.7).save(path)
        texts.append(path.read_bytes())
    return texts


def _networks(folder: Path) -> list[bytes]:
    """Small networks of a small arm."""
    from sistel.solve import anfis

    arm = sistel.parse(ARM)
    made = (
        anfis.train_ik(arm, "tip", 60, rules=[3, 4], epochs=2),
        anfis.train_dynamics(arm, 60, inputs=5, rules=3, epochs=2),
    )
    for number, nets in enumerate((*made, made[0].networks[0])):
        anfis.save(nets, folder / f"networks {number}.json")
    return [(folder / f"networks {number}.json").read_bytes() for number in range(3)]


def _scenes(models: Path, folder: Path) -> list[bytes]:
    path = folder / "scene.x3d"
    sistel.load(models / "pendulum.xml").simulate(0.1).save(path)
    return [path.read_bytes(), *(each.read_bytes() for each in sorted((models / "scenes").glob("*.x3d"))[:5])]
