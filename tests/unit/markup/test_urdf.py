"""URDF in and out: exact places of errors, exact lists of losses."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from support.foreign import canonical, good, places, rebuilt, urdf
from support.kinematics import assert_same_pose, bodies, inertia_of, numbers, poses, random_coordinates

from sistel.errors import Source, Text
from sistel.markup import AccessError, find_mesh, with_roots
from sistel.markup._document import Document
from sistel.markup._losses import Losses
from sistel.markup.urdf._write import write_urdf

TWO = """<robot name="two">
  <link name="base"/>
  <link name="arm">{link}</link>
  <joint name="shoulder" type="{type}">
    <parent link="base"/> <child link="arm"/>{joint}
  </joint>{more}
</robot>"""


def two(joint: str = "", link: str = "", kind: str = "continuous", more: str = "") -> str:
    return TWO.format(joint=joint, link=link, type=kind, more=more)


def errors(text: str) -> list[tuple[str, str]]:
    _, _, diagnostics = urdf(text)
    assert diagnostics.failed
    return places(d for d in diagnostics if d.severity == "error")


def losses(text: str) -> list[tuple[str, str]]:
    answer = urdf(text)
    good(answer)
    return [(loss.kind, loss.what.en) for loss in answer[1]]


def test_links_become_bodies_nested_by_joints() -> None:
    document = good(
        urdf(
            two(
                '<origin xyz="1 2 3" rpy="0 0 0.5"/> <axis xyz="0 0 1"/>'
                '<limit lower="-1" upper="2" effort="30" velocity="4"/> <dynamics damping="0.1" friction="0.2"/>',
                kind="revolute",
            )
        )
    )
    root = document.root
    assert (root.text("space"), root.text("name")) == ("spatial", "two")
    (base,) = root.of("body")
    assert (base.text("name"), base.text("joint")) == ("base", "fixed")
    (arm,) = base.of("body")
    assert (arm.text("name"), arm.text("joint"), arm.text("joint-name")) == ("arm", "revolute", "shoulder")
    values = {key: numbers(arm, key) for key in ("place", "turn", "axis", "min", "max", "speed", "damping", "friction")}
    assert values == {
        "place": [1, 2, 3],
        "turn": [0, 0, 0.5],
        "axis": [0, 0, 1],
        "min": [-1],
        "max": [2],
        "speed": [4],
        "damping": [0.1],
        "friction": [0.2],
    }
    (motor,) = arm.of("motor")
    assert numbers(motor, "limit") == [30]


def test_base_may_be_free() -> None:
    (base,) = good(urdf(two(), base="free")).root.of("body")
    assert base.text("joint") == "free"


@pytest.mark.parametrize(
    ("kind", "joint"),
    [("floating", "free"), ("planar", "planar"), ("fixed", "fixed"), ("continuous", "revolute")],
)
def test_joint_types(kind: str, joint: str) -> None:
    assert bodies(good(urdf(two(kind=kind))))["arm"].text("joint") == joint


def test_inertia_is_turned_into_the_axes_of_the_body() -> None:
    inertial = (
        '<inertial><origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>'
        '<inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0" iyz="0"/></inertial>'
    )
    arm = bodies(good(urdf(two(link=inertial))))["arm"]
    assert numbers(arm, "com") == [0.1, 0, 0]
    assert numbers(arm, "inertia") == [2, 1, 2.5, -0.1, 0, 0]


def test_shapes_and_colours() -> None:
    visual = (
        '<visual><geometry><box size="1 2 3"/></geometry><material name="m"/></visual>'
        '<visual><origin xyz="0 0 1"/><geometry><cylinder radius="0.1" length="2"/></geometry></visual>'
        '<visual><geometry><mesh filename="package://p/a.stl" scale="0.001 0.001 0.001"/></geometry></visual>'
    )
    more = '<material name="m"><color rgba="1 0.5 0 1"/></material>'
    arm = bodies(good(urdf(two(link=visual, more=more))))["arm"]
    assert [child.key for child in arm.children] == ["box", "cylinder", "mesh"]
    box, cylinder, mesh = arm.children
    assert (numbers(box, "size"), box.text("colour")) == ([1, 2, 3], "#ff8000")
    assert (numbers(cylinder, "radius"), numbers(cylinder, "place")) == ([0.1], [0, 0, 1])
    assert (mesh.text("file"), numbers(mesh, "scale")) == ("package://p/a.stl", [0.001] * 3)


def test_collision_geometry_is_drawn_only_without_visuals() -> None:
    collision = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    text = two(link=collision)
    assert [child.key for child in bodies(good(urdf(text)))["arm"].children] == ["sphere"]
    assert [kind for kind, _ in losses(text)] == ["changed"]
    text = two(link=collision + '<visual><geometry><box size="1 1 1"/></geometry></visual>' + collision)
    assert [child.key for child in bodies(good(urdf(text)))["arm"].children] == ["box"]
    assert losses(text) == [
        ("dropped", '<link name="arm">: 2 × <collision>: collisions are declared as contacts, not detected')
    ]


def test_mimic_becomes_a_coupling() -> None:
    text = two(
        more='<link name="hand"/><joint name="wrist" type="prismatic"><parent link="arm"/><child link="hand"/>'
        '<limit lower="0" upper="1" effort="1" velocity="1"/>'
        '<mimic joint="shoulder" multiplier="-0.5" offset="0.25"/></joint>'
    )
    document = good(urdf(text))
    (links,) = document.root.of("links")
    (coupling,) = links.children
    assert (coupling.names("of"), coupling.names("to")) == (("hand",), ("arm",))
    assert (numbers(coupling, "ratio"), numbers(coupling, "offset")) == ([-0.5], [0.25])


def test_locked_joints_and_those_that_follow_them() -> None:
    text = two(
        '<axis xyz="0 0 1"/>',
        more='<link name="hand"/><joint name="wrist" type="prismatic"><parent link="arm"/><child link="hand"/>'
        '<limit lower="0" upper="1" effort="1" velocity="1"/>'
        '<mimic joint="shoulder" multiplier="2" offset="0.25"/></joint>',
    )
    document, report, diagnostics = urdf(text, lock={"shoulder": 0.5})
    assert document is not None and not diagnostics.failed
    assert not list(document.root.of("links"))
    arm, hand = (bodies(document)[name] for name in ("arm", "hand"))
    assert (arm.text("joint"), numbers(arm, "turn")) == ("fixed", [0, 0, 0.5])
    assert (hand.text("joint"), numbers(hand, "place")) == ("fixed", [1.25, 0, 0])
    assert ("changed", 'joint "wrist" is locked at 1.25: it mimics the locked "shoulder"') in [
        (loss.kind, loss.what.en) for loss in report
    ]


def test_a_joint_to_lock_has_to_exist() -> None:
    _, _, diagnostics = urdf(two(), lock=("sholder",))
    (problem,) = diagnostics
    assert problem.code == "unknown-name" and problem.hint is not None and "shoulder" in problem.hint.en


def test_everything_that_does_not_carry_over_is_named() -> None:
    text = two(
        '<safety_controller k_velocity="1"/><calibration rising="0"/><limit effort="1" velocity="1" gear="5"/>',
        link='<contact><lateral_friction value="1"/></contact>',
        more='<gazebo reference="arm"><a/></gazebo><transmission name="t"/><sensor name="s"/><unknown:thing x="1"/>',
    )
    assert losses(text) == [
        ("dropped", '<contact> of <link name="arm">: no counterpart'),
        ("dropped", "attribute gear of <limit>: no counterpart"),
        ("dropped", '<safety_controller> of <joint name="shoulder">: no counterpart'),
        ("dropped", '<calibration> of <joint name="shoulder">: no counterpart'),
        ("dropped", '<gazebo reference="arm">: no counterpart'),
        ("dropped", '<transmission name="t">: no counterpart'),
        ("dropped", '<sensor name="s">: no counterpart'),
        ("dropped", "<unknown:thing>: no counterpart"),
    ]


def test_numbers_that_were_made_exact_are_named() -> None:
    text = two('<origin rpy="1.57079632679 0 0.3"/><axis xyz="0 0 2"/>')
    assert losses(text) == [
        ("snapped", "made exact: 1.57079632679 → 1.5707963267948966"),
        ("changed", "the axis was given unit length: 0.0 0.0 1.0"),
    ]
    arm = bodies(good(urdf(text)))["arm"]
    assert numbers(arm, "turn") == [math.pi / 2, 0, 0.3]
    kept = bodies(good(urdf(text, snap=0.0)))["arm"]
    assert numbers(kept, "turn") == [1.57079632679, 0, 0.3]


def test_dust_in_moments_of_inertia_is_made_zero() -> None:
    text = two(
        link='<inertial><mass value="1"/>'
        '<inertia ixx="-5e-20" iyy="1e-17" izz="0" ixy="0" ixz="2e-35" iyz="0"/></inertial>'
    )
    assert losses(text) == [("snapped", "made exact: -5e-20 → 0.0, 1e-17 → 0.0, 2e-35 → 0.0")]
    assert "inertia" not in bodies(good(urdf(text)))["arm"].attributes
    assert numbers(bodies(good(urdf(text, snap=0.0)))["arm"], "inertia") == [-5e-20, 1e-17, 0, 0, 2e-35, 0]


def test_the_losses_of_a_hostile_file_are_counted_not_kept() -> None:
    report = Losses(limit=3)
    for number in range(10):
        report.dropped(None, Text(f"thing {number}", f"вещь {number}"))
        report.dropped(None, Text("the same", "то же"))
    assert len(report) == 3
    assert report.sorted()[-1].what.en == "8 more losses are not listed"


def test_a_very_deep_tree_is_written_and_read() -> None:
    links = "".join(f'<link name="l{i}"/>' for i in range(300))
    joints = "".join(
        f'<joint name="j{i}" type="continuous"><parent link="l{i - 1}"/><child link="l{i}"/></joint>'
        for i in range(1, 300)
    )
    text, _ = write_urdf(rebuilt(good(urdf(f'<robot name="r">{links}{joints}</robot>'))).root)
    assert text.count("<link ") == 300 and text.count("<joint ") == 299
    good(urdf(text))


def test_limits_that_mean_none() -> None:
    text = two('<limit lower="-1e16" upper="inf" effort="0" velocity="0"/>', kind="revolute")
    arm = bodies(good(urdf(text)))["arm"]
    assert not {"min", "max", "speed"} & arm.attributes.keys() and not list(arm.of("motor"))
    assert [kind for kind, _ in losses(text)] == ["changed"] * 4


def test_a_missing_axis_is_x() -> None:
    assert numbers(bodies(good(urdf(two())))["arm"], "axis") == [1, 0, 0]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (two('<axis xyz="0 0 0"/>'), [("zero-vector", "0 0 0")]),
        (two('<axis xyz="0 zero 0"/>'), [("not-a-number", "zero")]),
        (two('<axis xyz="0, 0, 1"/>'), [("not-a-number", "0,")]),
        (two('<axis xyz="0 1"/>'), [("wrong-count", "0 1")]),
        (two('<origin xyz="1 2 1e400"/>'), [("not-a-number", "1e400")]),
        (two(kind="hinge"), [("unknown-word", "hinge")]),
        (two(link='<visual><geometry><box size="1 0 1"/></geometry></visual>'), [("not-positive", "1 0 1")]),
        (two(link='<visual><geometry><sphere radius="-1"/></geometry></visual>'), [("not-positive", "-1")]),
        (two(link="<visual><geometry><sphere/></geometry></visual>"), [("missing-attribute", "sphere")]),
        (two(link="<visual><geometry/></visual>"), [("missing-element", "geometry")]),
        (two(link='<inertial><mass value="x"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'), [("not-a-number", "x")]),
        (two(link='<inertial><mass value="1"/></inertial>'), [("missing-element", "inertial")]),
        (two(more='<link name="arm"/>'), [("same-name", "arm")]),
        (two(more='<link name="alone"/>'), [("several-roots", "alone")]),
        (
            two(more='<joint name="j" type="fixed"><parent link="basis"/><child link="arm"/></joint>'),
            [("unknown-name", "basis")],
        ),
        (
            two(more='<joint name="j" type="fixed"><parent link="base"/><child link="arm"/></joint>'),
            [("two-parents", "arm")],
        ),
        (
            two(more='<joint name="j" type="fixed"><parent link="arm"/></joint>'),
            [("missing-element", "joint")],
        ),
        ("<robot/>", [("no-bodies", "robot")]),
    ],
)
def test_errors_point_at_their_place(text: str, found: list[tuple[str, str]]) -> None:
    assert errors(text) == found


def test_a_misspelt_link_brings_the_nearest_name() -> None:
    _, _, diagnostics = urdf(two().replace('child link="arm"', 'child link="amr"'))
    (problem,) = diagnostics
    assert problem.span is not None and problem.span.text == "amr"
    assert problem.hint is not None and problem.hint.en == 'did you mean "arm"?'


def test_a_circle_of_joints() -> None:
    text = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
      <joint name="ab" type="fixed"><parent link="a"/><child link="b"/></joint>
      <joint name="bc" type="fixed"><parent link="b"/><child link="c"/></joint>
      <joint name="ca" type="fixed"><parent link="c"/><child link="a"/></joint></robot>"""
    document, _, diagnostics = urdf(text)
    (problem,) = diagnostics
    assert document is None and problem.code == "cycle"
    assert "→" in problem.message.en and problem.message.en.count("→") == 3


def test_a_mimic_of_nothing_is_a_warning() -> None:
    document, report, diagnostics = urdf(two('<mimic joint="elbow"/>'))
    (problem,) = diagnostics
    assert document is not None
    assert (problem.severity, problem.span.text if problem.span else "") == ("warning", "elbow")
    assert [loss.kind for loss in report] == ["dropped"]


@pytest.mark.parametrize(
    "text",
    [
        '<robot name="r" xmlns:xacro="x"><xacro:include filename="a"/></robot>',
        '<robot name="r"><link name="${prefix}arm"/></robot>',
        '<robot name="r"><link name="$(arg x)"/></robot>',
    ],
)
def test_xacro_is_recognised(text: str) -> None:
    document, _, diagnostics = urdf(text)
    (problem,) = diagnostics
    assert document is None and problem.code == "xacro" and problem.hint is not None and "xacro" in problem.hint.ru


def test_the_namespace_of_an_expanded_xacro_does_not_matter() -> None:
    assert losses('<robot name="r" xmlns:xacro="http://wiki.ros.org/xacro"><link name="a"/></robot>') == []


def test_meshes_are_found_in_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "arm_description"
    file = package / "meshes" / "a.stl"
    file.parent.mkdir(parents=True)
    file.touch()
    (package / "urdf").mkdir()
    path = str(package / "urdf" / "arm.urdf")
    name = "package://arm_description/meshes/a.stl"
    for allow in ([str(tmp_path)], [str(package)]):
        source = with_roots(Source(path, ""), allow)
        assert find_mesh(name, source) == str(file)
        assert find_mesh("../meshes/a.stl", source) == str(file)
    bare = with_roots(Source(path, ""), ())
    for wanted, folder in ((name, package), ("../meshes/a.stl", file.parent)):
        with pytest.raises(AccessError) as problem:
            find_mesh(wanted, bare)
        assert problem.value.code == "file-outside" and problem.value.hint is not None
        assert f"--allow {folder}" in problem.value.hint.en and f"--allow {folder}" in problem.value.hint.ru
    with pytest.raises(AccessError, match=r"there is no such file; looked for: .*other"):
        find_mesh("package://other/a.stl", bare)
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{tmp_path}")
    assert find_mesh(name, bare) == str(file)


ALL_JOINTS = """<system name="all joints" space="spatial">
  <body name="a" joint="revolute" place="100,200,300" turn="30,90,10" axis="0,1,1" min="-10" max="90" damping="0.1"
        mass="2" com="10,20,30" inertia="0.1,0.2,0.25,0.01,0.02,0.03">
    <frame name="tool" place="1,2,3" turn="10,20,30"/>
    <motor limit="5 N*m"/>
    <body name="b" joint="cylindrical" axis="1,2,3" place="10,0,0" mass="1" inertia="0.1">
      <body name="c" joint="universal" axis="1,0,0" axis2="0,1,1" place="0,10,0" turn="0,0,1,120"
            mass="1" inertia="0.1">
        <body name="d" joint="spherical" place="0,0,10" turn="70,89.99999,50" mass="1" inertia="0.1"/>
      </body>
    </body>
  </body>
  <body name="e" joint="planar" place="0,0,10" mass="1" inertia="0.1">
    <point name="tip" place="1,2,3"/>
    <body name="f" joint="prismatic" axis="0,0,-1" mass="1" min="-100" max="100"/>
  </body>
  <body name="g" joint="free" place="0,0,1000" mass="1" inertia="1"/>
  <links><coupling name="k" of="f" to="a" ratio="0.5"/></links>
</system>"""

PLANAR = """<system name="planar">
  <body name="cart" joint="prismatic" axis="x" mass="1" min="-1000" max="1000">
    <body name="rod" joint="revolute" place="0,10" turn="20" mass="0.1" com="0,250" inertia="0.002">
      <point name="end" place="0,500"/>
    </body>
  </body>
  <body name="table" joint="prismatic2" mass="1" inertia="0.1"/>
  <body name="puck" joint="free" place="100,0" turn="90" mass="1" inertia="0.1"/>
</system>"""


def chain_coordinates(document: Document, q: dict[str, list[float]]) -> dict[str, list[float]]:
    """Coordinates of the chains of simple joints that stand for joints with several coordinates."""
    endings = {
        "cylindrical": ["angle", "slide"],
        "universal": ["first", "second"],
        "planar": ["x", "y", "angle"],
        "prismatic2": ["x", "y"],
        "free": ["x", "y", "angle"],
        "spherical": ["x", "y", "z"],
    }
    found: dict[str, list[float]] = {}
    for name, values in q.items():
        joint = bodies(document)[name].text("joint") or ""
        names = endings.get(joint)
        if names is None or len(values) == 7:
            found[name] = values
            continue
        if joint == "spherical":
            values = intrinsic_angles(values)
        *inner, last = zip(names, values, strict=True)
        found |= {f"{name}__{ending}": [value] for ending, value in inner}
        found[name] = [last[1]]
    return found


def intrinsic_angles(q: list[float]) -> list[float]:
    """Angles about x, then the turned y, then the turned z."""
    w, x, y, z = q
    return [
        math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y)),
        math.asin(2 * (x * z + w * y)),
        math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z)),
    ]


@pytest.mark.parametrize("text", [ALL_JOINTS, PLANAR], ids=["spatial", "planar"])
def test_written_and_read_again_every_body_is_where_it_was(text: str, rng) -> None:  # type: ignore[no-untyped-def]
    document = canonical(text)
    written, _ = write_urdf(document.root)
    again = good(urdf(written))
    rebuilt(again)
    for _ in range(5):
        q = random_coordinates(document, rng)
        ours, theirs = poses(document, q), poses(again, chain_coordinates(document, q))
        for name, pose in ours.items():
            assert_same_pose(theirs[name], pose, name, 1e-12)
    for name, body in bodies(document).items():
        one, two = inertia_of(body), inertia_of(bodies(again)[name])
        assert (one.mass, list(one.com)) == (two.mass, list(two.com))
        planar = document.root.text("space") == "planar"
        assert (one.tensor == two.tensor).all() or (planar and one.tensor[2, 2] == two.tensor[2, 2])


def test_couplings_are_written_as_mimics() -> None:
    text = ALL_JOINTS.replace('ratio="0.5"', 'ratio="-0.5" offset="20 mm"')
    (links,) = good(urdf(write_urdf(canonical(text).root)[0])).root.of("links")
    (coupling,) = links.children
    assert (coupling.names("of"), coupling.names("to")) == (("f",), ("a",))
    assert (numbers(coupling, "ratio"), numbers(coupling, "offset")) == ([-0.5], [0.02])


def test_losses_of_writing_are_named() -> None:
    _, report = write_urdf(canonical(ALL_JOINTS).root)
    assert sorted(loss.what.en for loss in report) == [
        '"a" has no limit for velocity; URDF demands one, 1e+09 is written',
        '"b" has no limit for lower, upper, velocity; URDF demands one, 1e+09 is written',
        '"e" has no limit for lower, upper, velocity; URDF demands one, 1e+09 is written',
        '"f" has no limit for velocity; URDF demands one, 1e+09 is written',
        'frame "tool" became a link',
        'point "tip" became a link',
        'the cylindrical joint of "b" became a chain of simple joints: b__angle, b__slide',
        'the planar joint of "e" became a chain of simple joints: e__x, e__y, e__angle',
        'the spherical joint of "d" became a chain of simple joints: d__x, d__y, d__z',
        'the universal joint of "c" became a chain of simple joints: c__first, c__second',
    ]


def test_what_urdf_has_no_words_for() -> None:
    document = canonical(
        """<system name="s"><parameter name="m" value="1 kg"/>
          <body name="a" joint="revolute" mass="m" stiffness="3"><shape d="m0,0h10"/><stop/><force value="0,1"/>
            <point name="p" place="100,0"/></body>
          <spring name="spring" body="a" at="0,10" stiffness="5"/>
          <links><closure name="c" body="a" at="100,0"/><contact name="k" point="p" surface="y = 1 m"/>
            <structure name="one"/><structure name="two" holds="k"/>
            <transition name="t" from="one" to="two" when="gap(k) falls through 0"/></links>
          <start a="10 deg"/></system>""".replace("<stop/>", "")
    )
    _, report = write_urdf(document.root)
    dropped = {loss.what.en.split(":")[0] for loss in report if loss.kind == "dropped"}
    assert dropped == {
        "gravity (0 9.81 0 m/s²)",
        'parameter "m"',
        "shape",
        '"stiffness" of body "a"',
        "force",
        'spring "spring"',
        'closure "c"',
        'contact "k"',
        'structure "one"',
        'structure "two"',
        'transition "t"',
        "start",
    }


def test_an_imported_robot_is_written_as_it_was() -> None:
    text = two('<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/>')
    document = good(urdf(text))
    written, report = write_urdf(document.root)
    assert list(report) == []
    assert '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>' in written and "world" not in written


def test_a_loss_is_rendered_like_a_diagnostic() -> None:
    _, report, _ = urdf(two(more='<gazebo reference="arm"/>'))
    (loss,) = report
    assert loss.render("en").splitlines() == [
        'robot.urdf:6:11: dropped: <gazebo reference="arm">: no counterpart',
        '  |   </joint><gazebo reference="arm"/>',
        "  |           ^^^^^^^^^^^^^^^^^^^^^^^^^",
    ]
    assert loss.render("ru").startswith('robot.urdf:6:11: не перенесено: <gazebo reference="arm">: нет соответствия')
    assert loss.to_json("en") == {
        "kind": "dropped",
        "what": '<gazebo reference="arm">: no counterpart',
        "file": "robot.urdf",
        "line": 6,
        "column": 11,
    }
    assert isinstance(report, Losses) and len(report) == 1
