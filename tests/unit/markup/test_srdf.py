"""SRDF: groups and postures merged into a document."""

from __future__ import annotations

from support.foreign import good, places, urdf
from support.kinematics import numbers

from sistel.errors import Diagnostics, Source
from sistel.markup._document import Document
from sistel.markup._losses import Losses
from sistel.markup.urdf._srdf import read_srdf
from sistel.markup.xml._reader import read_xml

ARM = """<robot name="arm"><link name="base"/>
  <link name="upper"/><link name="lower"/><link name="tool"/><link name="other"/>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/></joint>
  <joint name="elbow" type="prismatic"><parent link="upper"/><child link="lower"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <joint name="mount" type="fixed"><parent link="lower"/><child link="tool"/></joint>
  <joint name="second" type="continuous"><parent link="base"/><child link="other"/></joint>
</robot>"""


def merged(text: str, base: str = "fixed") -> tuple[Document, Losses, Diagnostics]:
    document = good(urdf(ARM, base=base))
    losses, diagnostics = Losses(), Diagnostics()
    root = read_xml(Source("arm.srdf", f'<robot name="arm">{text}</robot>'), diagnostics)
    assert root is not None
    read_srdf(root, document, losses, diagnostics)
    return document, losses, diagnostics


def groups(document: Document) -> dict[str, tuple[str, ...]]:
    return {node.text("name") or "": node.names("of") for node in document.root.of("group")}


def test_groups_of_links_joints_chains_and_groups() -> None:
    document, losses, diagnostics = merged(
        '<group name="arm"><chain base_link="base" tip_link="tool"/></group>'
        '<group name="two"><joint name="elbow"/><link name="base"/></group>'
        '<group name="all"><group name="two"/><group name="arm"/><joint name="second"/></group>'
    )
    assert groups(document) == {
        "arm": ("upper", "lower", "tool"),
        "two": ("base", "lower"),
        "all": ("other", "base", "lower", "upper", "tool"),
    }
    assert len(losses) == 0 and len(diagnostics) == 0


def test_groups_inside_each_other_in_a_circle_end() -> None:
    document, _, _ = merged(
        '<group name="a"><group name="b"/><link name="upper"/></group><group name="b"><group name="a"/></group>'
    )
    assert groups(document) == {"a": ("upper",), "b": ("upper",)}


def test_states_become_postures() -> None:
    document, losses, _ = merged(
        '<group name="arm"><joint name="elbow"/></group>'
        '<group_state name="home" group="arm"><joint name="shoulder" value="0.5"/><joint name="elbow" value="0.2"/>'
        '<joint name="mount" value="1"/></group_state>'
        '<group_state name="home" group="other"><joint name="second" value="1"/></group_state>'
    )
    first, second = document.root.of("posture")
    assert [(node.names("of"), numbers(node, "value")) for node in first.children] == [
        (("upper",), [0.5]),
        (("lower",), [0.2]),
    ]
    assert (first.text("name"), second.text("name")) == ("home", "other/home")
    assert [(loss.kind, loss.what.en) for loss in losses] == [
        ("dropped", '<joint name="mount">: 1 numbers for a fixed joint'),
        ("changed", 'the name "home" became "other/home"'),
    ]


def test_the_pose_of_a_free_base() -> None:
    text = (
        '<virtual_joint name="float" type="floating" parent_frame="world" child_link="base"/>'
        '<group_state name="stand"><joint name="float" value="1 2 3 0.1 0.2 0.3 0.4"/></group_state>'
    )
    document, losses, _ = merged(text, base="free")
    (posture,) = document.root.of("posture")
    (pose,) = posture.children
    assert (numbers(pose, "place"), numbers(pose, "quaternion")) == ([1, 2, 3], [0.4, 0.1, 0.2, 0.3])
    assert len(losses) == 0
    _, losses, _ = merged(text)
    assert next(loss.what.en for loss in losses) == '<virtual_joint name="float">: the root body is not free'


def test_unknown_names_are_warnings_at_their_place() -> None:
    document, losses, diagnostics = merged(
        '<group name="a"><joint name="elbou"/><link name="uper"/><group name="b"/></group>'
        '<group_state name="s"><joint name="wrist" value="0"/></group_state>'
    )
    assert places(diagnostics) == [("unknown-name", word) for word in ("uper", "elbou", "b", "wrist")]
    assert {diagnostic.severity for diagnostic in diagnostics} == {"warning"}
    assert [loss.what.en for loss in losses] == [
        '<group name="a">: it has no bodies',
        '<group_state name="s">: it has no coordinates',
    ]
    assert groups(document) == {} and not list(document.root.of("posture"))


def test_everything_else_is_lost_by_name() -> None:
    _, losses, _ = merged(
        '<disable_collisions link1="a" link2="b"/><disable_collisions link1="a" link2="c"/>'
        '<end_effector name="hand"/><passive_joint name="elbow"/>'
    )
    assert [loss.what.en for loss in losses] == [
        "2 × <disable_collisions>: collisions are declared as contacts, not detected",
        '<end_effector name="hand">: no counterpart',
        '<passive_joint name="elbow">: no counterpart',
    ]
