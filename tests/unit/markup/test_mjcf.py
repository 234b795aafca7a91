"""MJCF in and out: exact places of errors, exact lists of losses. Numbers are compared with MuJoCo in tests/peers."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from support.foreign import canonical, good, mjcf, places, rebuilt
from support.kinematics import bodies, inertia_of, numbers

import sistel
from sistel.errors import Source, Span
from sistel.markup.mjcf._write import write_mjcf
from sistel.markup.xml._reader import Element, read_xml


def model(body: str, before: str = "", after: str = "") -> str:
    return f'<mujoco model="m">{before}<worldbody>{body}</worldbody>{after}</mujoco>'


def losses(text: str) -> list[tuple[str, str]]:
    answer = mjcf(text)
    good(answer)
    return [(loss.kind, loss.what.en) for loss in answer[1]]


def errors(text: str) -> list[tuple[str, str]]:
    _, _, diagnostics = mjcf(text)
    assert diagnostics.failed
    return places(problem for problem in diagnostics if problem.severity == "error")


PENDULUM = model(
    '<body name="rod" pos="0 0 1"><joint name="hinge" axis="0 1 0" range="-90 45" damping="0.1" frictionloss="0.2"'
    ' stiffness="3" springref="10"/><inertial pos="0 0 -0.5" mass="2" diaginertia="0.1 0.1 0.01"/>'
    '<site name="tip" pos="0 0 -1"/></body>'
)


def test_a_body_with_a_joint() -> None:
    rod = bodies(good(mjcf(PENDULUM)))["rod"]
    assert (rod.text("joint"), rod.text("joint-name")) == ("revolute", "hinge")
    values = {
        key: numbers(rod, key) for key in ("place", "axis", "min", "max", "damping", "friction", "stiffness", "rest")
    }
    assert values == {
        "place": [0, 0, 1],
        "axis": [0, 1, 0],
        "min": [-math.pi / 2],
        "max": [math.pi / 4],
        "damping": [0.1],
        "friction": [0.2],
        "stiffness": [3],
        "rest": [math.radians(10)],
    }
    (tip,) = rod.of("frame")
    assert (tip.text("name"), numbers(tip, "place")) == ("tip", [0, 0, -1])
    assert losses(PENDULUM) == []
    rebuilt(good(mjcf(PENDULUM)))


def test_several_joints_become_a_chain_of_bodies() -> None:
    text = model(
        '<body name="b"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>'
        '<joint name="r" axis="0 0 1"/><geom size="0.1"/></body>'
    )
    document = good(mjcf(text))
    assert [(name, body.text("joint")) for name, body in bodies(document).items()] == [
        ("b__x", "prismatic"),
        ("b__y", "prismatic"),
        ("b", "revolute"),
    ]
    assert inertia_of(bodies(document)["b__x"]).mass == 0


def test_a_joint_away_from_the_origin_moves_the_pole_and_leaves_a_frame() -> None:
    text = model('<body name="b" pos="1 0 0"><joint axis="0 0 1" pos="0 2 0"/><inertial pos="0 1 0" mass="1"/></body>')
    document, report, _ = mjcf(text)
    assert document is not None
    (body,) = document.root.of("body")
    (frame,) = body.of("frame")
    assert (body.text("name"), frame.text("name")) == ("b__pole", "b")
    assert (numbers(body, "place"), numbers(body, "com"), numbers(frame, "place")) == (
        [1, 2, 0],
        [0, -1, 0],
        [0, -2, 0],
    )
    assert [loss.kind for loss in report] == ["changed"]
    along = model('<body name="b"><joint axis="0 0 1" pos="0 0 2"/><geom size="1"/></body>')
    assert list(bodies(good(mjcf(along)))) == ["b"]


def test_free_bodies_start_where_the_file_puts_them() -> None:
    document = good(mjcf(model('<body name="b" pos="1 2 3"><freejoint/><geom size="1"/></body>')))
    body = bodies(document)["b"]
    assert body.text("joint") == "free" and "place" not in body.attributes
    (start,) = document.root.of("start")
    (pose,) = start.children
    assert (pose.names("of"), numbers(pose, "place"), numbers(pose, "quaternion")) == (("b",), [1, 2, 3], [1, 0, 0, 0])
    rebuilt(document)


def test_defaults_are_inherited() -> None:
    text = model(
        '<body name="a" childclass="inner"><joint/><geom size="1" mass="1"/>'
        '<body name="b"><joint class="outer"/><geom class="main" size="1" mass="1"/></body></body>',
        before='<default><joint damping="1"/><default class="outer"><joint axis="1 0 0"/>'
        '<default class="inner"><joint damping="2"/></default></default></default>',
    )
    a, b = bodies(good(mjcf(text))).values()
    assert (numbers(a, "axis"), numbers(a, "damping")) == ([1, 0, 0], [2])
    assert (numbers(b, "axis"), numbers(b, "damping")) == ([1, 0, 0], [1])


def test_inertia_from_geoms() -> None:
    text = model('<body name="b"><geom type="box" size="0.5 1 1.5" mass="12"/><geom size="1" mass="0"/></body>')
    found = inertia_of(bodies(good(mjcf(text)))["b"])
    assert found.mass == 12
    assert found.tensor.diagonal() == pytest.approx([13, 10, 5])


def test_a_mesh_cannot_be_weighed() -> None:
    text = model(
        '<body name="b"><geom type="mesh" mesh="m"/></body>',
        before='<compiler meshdir="meshes"/><asset><mesh name="m" file="a.stl" scale="2 2 2"/></asset>',
    )
    document, _, diagnostics = mjcf(text)
    assert document is not None
    assert [(d.code, d.severity) for d in diagnostics] == [("no-inertia", "warning")]
    (mesh,) = bodies(document)["b"].of("mesh")
    assert (mesh.text("file"), numbers(mesh, "scale")) == ("meshes/a.stl", [2, 2, 2])


def test_actuators_become_motors() -> None:
    text = model(
        '<body name="a"><joint name="j" armature="0.08"/><geom size="1"/>'
        '<body name="b"><joint name="k" armature="0.5"/><geom size="1"/></body>'
        '<body name="c"><joint name="l" actuatorfrcrange="-7 7"/><geom size="1"/></body></body>',
        after='<actuator><motor name="m" joint="j" gear="2" ctrlrange="-3 3"/>'
        '<position name="p" joint="j" kp="10" forcerange="-4 5"/><general name="t" tendon="x"/></actuator>',
    )
    by_name = bodies(good(mjcf(text)))
    first, second = by_name["a"].of("motor")
    assert (first.text("name"), numbers(first, "ratio"), numbers(first, "limit")) == ("m", [2], [6])
    assert numbers(first, "inertia") == [0.02] and numbers(second, "limit") == [5]
    (passive,) = by_name["b"].of("motor")
    assert (numbers(passive, "inertia"), numbers(passive, "limit")) == ([0.5], [0])
    (plain,) = by_name["c"].of("motor")
    assert numbers(plain, "limit") == [7]
    assert losses(text) == [
        ("changed", 'forcerange of <position name="p"> was made symmetric'),
        ("dropped", 'attribute kp of <position name="p">: no counterpart'),
        ("dropped", '<general name="t">: it drives no joint'),
        ("changed", 'armature of <joint name="k"> became the rotor of a motor without force'),
    ]
    rebuilt(good(mjcf(text)))


TWO = (
    '<body name="a" pos="1 0 0"><joint name="ja"/><geom size="1"/></body>'
    '<body name="b" pos="3 0 0"><joint name="jb"/><geom size="1"/></body>'
)


def test_equalities_become_links() -> None:
    text = model(
        TWO,
        after='<equality><connect name="c" body1="a" body2="b" anchor="1 0 0"/>'
        '<weld name="w" body1="a" body2="b" active="false"/>'
        '<joint name="g" joint1="ja" joint2="jb" polycoef="0.1 2 0 0 0"/>'
        '<joint name="h" joint1="ja"/><tendon name="t" tendon1="x"/></equality>',
    )
    (links,) = good(mjcf(text)).root.of("links")
    connect, weld, gear, lock = links.children
    assert (connect.text("joint"), numbers(connect, "at"), numbers(connect, "at-to")) == (
        "spherical",
        [1, 0, 0],
        [-1, 0, 0],
    )
    assert (weld.text("joint"), weld.get("holds"), numbers(weld, "at")) == ("fixed", False, [2, 0, 0])
    assert (gear.key, gear.names("of"), gear.names("to")) == ("coupling", ("a",), ("b",))
    assert (numbers(gear, "ratio"), numbers(gear, "offset")) == ([2], [0.1])
    assert (lock.key, lock.names("of")) == ("lock", ("a",))
    assert losses(text) == [
        ("changed", '<joint name="h"> became a lock, which holds the joint wherever it starts'),
        ("dropped", '<tendon name="t">: no counterpart'),
    ]
    rebuilt(good(mjcf(text)))


def test_keyframes_become_postures() -> None:
    text = model(
        '<body name="f"><freejoint/><geom size="1"/></body>' + TWO,
        after='<keyframe><key name="home" time="1" qpos="1 2 3 1 0 0 0 0.5 0.6"/><key qvel="0 0"/></keyframe>',
    )
    (posture,) = good(mjcf(text)).root.of("posture")
    assert posture.text("name") == "home"
    assert [node.names("of") for node in posture.children] == [("f",), ("a",), ("b",)]
    assert losses(text) == [
        ("dropped", 'attribute time of <key name="home">: no counterpart'),
        ("dropped", "attribute qvel of <key>: no counterpart"),
        ("dropped", "<key>: it gives no coordinates"),
    ]
    rebuilt(good(mjcf(text)))


def test_gravity() -> None:
    (node,) = good(mjcf(model(TWO, before='<option gravity="0 3 -4"/>'))).root.of("gravity")
    assert (numbers(node, "value"), numbers(node, "along")) == ([5], [0, 0.6, -0.8])
    (node,) = good(mjcf(model(TWO, before='<option><flag gravity="disable"/></option>'))).root.of("gravity")
    assert numbers(node, "value") == [0]
    assert not list(good(mjcf(model(TWO, before='<option gravity="0 0 -9.81"/>'))).root.of("gravity"))


def test_joints_can_be_locked() -> None:
    text = model('<body name="a" pos="1 0 0"><joint name="j" pos="0 1 0"/><geom size="1"/></body>')
    body = bodies(good(mjcf(text, lock={"j": math.pi / 2})))["a"]
    assert body.text("joint") == "fixed"
    assert numbers(body, "place") == pytest.approx([2, 1, 0])
    assert numbers(body, "turn") == [0, 0, math.pi / 2]
    _, _, diagnostics = mjcf(text, lock=("k",))
    assert [problem.code for problem in diagnostics] == ["unknown-name"]


def test_included_files() -> None:
    files = {
        "arm.xml": '<mujocoinclude><body name="arm"><include file="geoms.xml"/></body></mujocoinclude>',
        "geoms.xml": '<mujoco><geom size="1"/></mujoco>',
        "self.xml": '<mujoco><include file="self.xml"/></mujoco>',
    }

    def load(name: str, span: Span) -> Element | None:
        from sistel.errors import Diagnostics

        return read_xml(Source(name, files[name]), Diagnostics())

    document = good(mjcf(model('<include file="arm.xml"/>'), load=load))
    assert [child.key for child in bodies(document)["arm"].children] == ["sphere"]
    _, _, diagnostics = mjcf(model('<include file="self.xml"/>'), load=load)
    assert [problem.code for problem in diagnostics] == ["include-cycle"]


def test_a_missing_file_is_an_error_at_its_name(tmp_path: Path) -> None:
    assert errors(model('<include file="nowhere.xml"/>'))[0] == ("no-file", "nowhere.xml")


def test_everything_that_does_not_carry_over_is_named() -> None:
    text = model(
        '<body name="a" gravcomp="1"><joint name="j" margin="1"/><geom name="g" size="1" friction="1 0 0" condim="3"/>'
        '<camera name="eye"/><site/></body><light name="sun"/><geom type="plane" size="1 1 1"/>',
        before='<option timestep="0.001" integrator="RK4"/><size memory="1M"/>'
        '<visual><map/></visual><statistic extent="1"/>'
        '<default><geom contype="1"/></default><asset><texture name="t"/></asset>',
        after='<contact><exclude body1="a" body2="world"/></contact><sensor><gyro name="s" site="x"/></sensor>'
        '<tendon><fixed name="f"/></tendon><custom><numeric name="n"/></custom>',
    )
    assert sorted(losses(text)) == sorted(
        [
            ("dropped", '<texture name="t">: no counterpart'),
            ("dropped", "attributes timestep, integrator of <option>: no counterpart"),
            ("dropped", '<light name="sun">: no counterpart'),
            ("dropped", "<geom>: a plane is not drawn"),
            ("dropped", "contype of <default>: collisions are declared as contacts, not detected"),
            ("dropped", 'attribute margin of <joint name="j">: no counterpart'),
            ("dropped", 'condim, friction of <geom name="g">: collisions are declared as contacts, not detected'),
            ("dropped", '<camera name="eye">: no counterpart'),
            ("dropped", "<site>: it has no name"),
            ("dropped", 'attribute gravcomp of <body name="a">: no counterpart'),
            ("dropped", '<exclude body1="a">: no counterpart'),
            ("dropped", '<gyro name="s">: no counterpart'),
            ("dropped", '<fixed name="f">: no counterpart'),
            ("dropped", '<numeric name="n">: no counterpart'),
            ("dropped", "<size>: no counterpart"),
            ("dropped", "<visual>: no counterpart"),
            ("dropped", "<statistic>: no counterpart"),
        ]
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (model('<body><joint axis="0 0 0"/></body>'), [("zero-vector", "0 0 0")]),
        (model('<body quat="0 0 0 0"/>'), [("zero-vector", "0 0 0 0")]),
        (model('<body quat="1 0 0"/>'), [("wrong-count", "1 0 0")]),
        (model('<body euler="0 0 x"/>'), [("not-a-number", "x")]),
        (model('<body quat="1 0 0 0" euler="0 0 0"/>'), [("two-orientations", "0 0 0")]),
        (model('<body><joint type="weld"/></body>'), [("unknown-word", "weld")]),
        (model('<body><geom type="box" size="1 2"/></body>'), [("wrong-count", "1 2")]),
        (model('<body><geom type="capsule"/></body>'), [("missing-attribute", "geom")]),
        (model('<body><geom size="-1"/></body>'), [("not-positive", "-1")]),
        (model('<body><geom type="mesh" mesh="none"/></body>'), [("unknown-name", "none")]),
        (model('<body><geom class="none" size="1"/></body>'), [("unknown-name", "none")]),
        (model('<body name="a"/><body name="a"/>'), [("same-name", "a")]),
        (model('<composite type="cable"/>'), [("unsupported-element", "composite")]),
        (model("<body><body><freejoint/></body></body>"), [("free-inside", "<freejoint/>")]),
        (model(TWO, before='<compiler eulerseq="xy"/>'), [("unknown-word", "xy")]),
        (model(TWO, before='<compiler coordinate="global"/>'), [("global-coordinates", "global")]),
        (model(TWO, after='<equality><connect body1="x" anchor="0 0 0"/></equality>'), [("unknown-name", "x")]),
        (model(TWO, after='<equality><joint joint1="jx"/></equality>'), [("unknown-name", "jx")]),
        (model(TWO, after='<actuator><motor joint="jx"/></actuator>'), [("unknown-name", "jx")]),
        (model(TWO, after='<keyframe><key qpos="1"/></keyframe>'), [("wrong-count", "1")]),
        ("<mujoco/>", [("no-bodies", "mujoco")]),
    ],
)
def test_errors_point_at_their_place(text: str, found: list[tuple[str, str]]) -> None:
    assert errors(text) == found


def test_losses_of_writing_are_named() -> None:
    document = canonical(
        """<system name="s"><parameter name="m" value="1 kg"/>
          <body name="a" joint="revolute" mass="m" min="0"><shape d="m0,0h10"/><force value="0,1"/>
            <point name="p" place="100,0"/><motor limit="3" voltage="12" resistance="2" constant="0.1"/>
            <body name="b" joint="prismatic" axis="y"/></body>
          <spring name="spring" body="a" at="0,10" stiffness="5"/>
          <links><closure name="c" joint="revolute" body="a" at="100,0"/><closure name="d" joint="prismatic" body="b"/>
            <contact name="k" point="p" surface="y = 1 m"/></links>
          <start a="10 deg"/></system>"""
    )
    text, report = write_mjcf(document.root)
    assert sorted((loss.kind, loss.what.en.split(":")[0]) for loss in report) == sorted(
        [
            ("changed", "closures and couplings are soft in MuJoCo"),
            ("changed", "the plane became z = 0 of space, x right, y down, z away from the reader"),
            ("changed", '"a"'),
            ("changed", '"a" got a mass of 1 kg and at least 1e-12 kg·m²'),
            ("changed", '"b" got a mass of 1e-09 kg and at least 1e-12 kg·m²'),
            ("dropped", 'parameter "m"'),
            ("dropped", "shape"),
            ("dropped", "force"),
            ("dropped", '"voltage" of motor "a"'),
            ("dropped", '"resistance" of motor "a"'),
            ("dropped", '"constant" of motor "a"'),
            ("dropped", 'closure "d"'),
            ("dropped", 'contact "k"'),
            ("dropped", "start"),
        ]
    )
    assert '<option gravity="0 9.81 0"/>' in text
    assert '<connect name="c" site1="c__a" site2="c__b"/>' in text
    assert '<spatial name="spring" stiffness="5" damping="0" springlength="0">' in text


def test_couplings_are_written_as_polynomials() -> None:
    document = canonical(
        """<system space="spatial"><body name="a" joint="revolute" mass="1" inertia="1"/>
        <body name="b" joint="revolute" mass="1" inertia="1"/>
        <links><coupling name="k" of="a" to="b" ratio="0.5, 0.25" offset="0.1 rad" holds="no"/></links></system>"""
    )
    (links,) = good(mjcf(write_mjcf(document.root)[0])).root.of("links")
    (coupling,) = links.children
    assert (coupling.names("of"), coupling.names("to"), coupling.get("holds")) == (("a",), ("b",), False)
    assert (numbers(coupling, "ratio"), numbers(coupling, "offset")) == ([0.5, 0.25], [0.1])


def test_a_body_called_world_is_renamed() -> None:
    document = canonical('<system space="spatial"><body name="world" joint="revolute" mass="1" inertia="1"/></system>')
    text, report = write_mjcf(document.root)
    assert '<body name="world_2">' in text
    assert ("changed", 'the name "world" became "world_2"') in [(loss.kind, loss.what.en) for loss in report]


def test_written_and_read_again() -> None:
    text, report = write_mjcf(rebuilt(good(mjcf(PENDULUM))).root)
    assert [loss.what.en for loss in report] == []
    rod = bodies(good(mjcf(text)))["rod"]
    assert (numbers(rod, "min"), numbers(rod, "rest")) == ([-math.pi / 2], [math.radians(10)])
    assert numbers(rod, "inertia") == [0.1, 0.1, 0.01, 0, 0, 0]


@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "box", "ellipsoid"])
@pytest.mark.parametrize("size", ["1e200 1e200 1e200", "1e-200 1e-200 1e-200", "1e77 1e-77 1e77"])
def test_sizes_beyond_all_measure_are_told(kind: str, size: str) -> None:
    count = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}[kind]
    geom = f'<geom type="{kind}" size="{" ".join(size.split()[:count])}"/>'
    for more in ("", '<inertial pos="0 0 0" mass="1" diaginertia="1e200 1 1"/>'):
        with pytest.raises(sistel.SistelError) as caught:
            sistel.parse(model(f'<body name="a"><joint/>{geom}{more}</body>'), "a.mjcf").simulate(0.1)
        assert all(item.span is not None for item in caught.value.diagnostics)


SHAFT = '<body name="a"><joint name="j" axis="0 0 1" armature="0.5"/><geom size="0.1" mass="1"/></body>'


def shaft(motors: str) -> str:
    return model(SHAFT, after=f"<actuator>{motors}</actuator>")


def test_electric_motors() -> None:
    text = shaft(
        '<dcmotor name="m" joint="j" gear="10" motorconst="0.04 0.09" resistance="2" inductance="0.003"'
        ' ctrlrange="-24 24" saturation="0.5" armature="1e-4"/>'
    )
    root = good(mjcf(text))
    (motor,) = bodies(root)["a"].of("motor")
    values = {key: numbers(motor, key) for key in ("ratio", "constant", "resistance", "inductance", "voltage", "limit")}
    assert values == {
        "ratio": [10],
        "constant": [pytest.approx(0.06)],  # the geometric mean of both
        "resistance": [2],
        "inductance": [0.003],
        "voltage": [24],
        "limit": [5],
    }
    assert numbers(motor, "inertia") == [pytest.approx(1e-4 + 0.5 / 100)]
    (scheme,) = root.root.of("scheme")
    (given,) = scheme.of("input")
    assert given.text("name") == "m voltage" and numbers(given, "value") == [0]
    rebuilt(root)


def test_electric_motors_that_are_not_described_are_told() -> None:
    plain = good(mjcf(shaft('<dcmotor joint="j" motorconst="0.05" resistance="1"/>')))
    (motor,) = bodies(plain)["a"].of("motor")
    assert "ratio" not in motor.attributes and "voltage" not in motor.attributes
    for attributes, why in (
        ('motorconst="0.05"', "motorconst and resistance are needed"),
        ('motorconst="0.05" resistance="0"', "motorconst and resistance are needed"),
        ('motorconst="0.05" resistance="1" input="position"', "its control is no voltage"),
    ):
        answer = mjcf(shaft(f'<dcmotor name="m" joint="j" {attributes}/>'))
        assert any(why in str(loss) for loss in answer[1]), attributes
