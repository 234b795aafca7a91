"""What MJCF says of bodies and joints outside their tree: equalities, actuators, keyframes."""

from __future__ import annotations

from typing import TypeVar

from sistel.errors import Text, did_you_mean, one_of
from sistel.markup._document import Node, make_node
from sistel.markup.formats._foreign import Foreign, drop_element, put, put_numbers
from sistel.markup.mjcf._electric import TAG, electric_motor, voltages
from sistel.markup.mjcf._joint import MjJoint, symmetric
from sistel.markup.mjcf._source import Mjcf
from sistel.pose import IDENTITY, Rotation, Vector3, compose, from_quaternion, norm, roll_pitch_yaw, rotate, transpose
from sistel.records import mutable
from sistel.units import ANGLE, FORCE, INERTIA, LENGTH, MOMENT, PLAIN

T = TypeVar("T")

_DRIVES = (
    *("motor", "position", "velocity", "general", "intvelocity", "damper", "cylinder", "muscle", "adhesion"),
    TAG,
)


@mutable
class MjBody:
    """A body of MuJoCo and what it became."""

    name: str
    base: MjBody | None
    """None for the world."""
    node: Node
    """The last body of its chain; the system for the world."""
    offset: Vector3
    """Origin of MuJoCo's body frame in the frame of the node, axes alike [m]."""
    R_WB: Rotation
    """Axes in the posture of the file."""
    p_WB: Vector3
    """Origin in the posture of the file [m]."""
    moves: bool

    @property
    def known_as(self) -> str:
        """Its name in the document; 0 for the ground."""
        return "0" if self.base is None else self.node.text("name") or ""


@mutable
class Site:
    """A site: a frame of MuJoCo's body."""

    body: MjBody
    p_BS: Vector3
    """[m]"""
    R_BS: Rotation


class _Links:
    def __init__(self, mjcf: Mjcf, bodies: dict[str, MjBody], sites: dict[str, Site], joints: list[MjJoint]) -> None:
        self.mjcf = mjcf
        self.bodies = bodies
        self.sites = sites
        self.joints = {joint.name: joint for joint in joints if joint.name is not None}
        self.count = 0

    def name(self, foreign: Foreign) -> str:
        """The name of an equality, or one made for it."""
        self.count += 1
        return self.mjcf.reading.fresh(
            foreign.word("name") or f"{foreign.tag}{self.count}", foreign.at("name"), "links"
        )

    def side(self, foreign: Foreign, which: str) -> Site | None:
        """The end of an equality that a site or a body names; the world when neither is there."""
        site = foreign.word(f"site{which}")
        if site is not None:
            return self._find(self.sites, site, foreign, f"site{which}")
        body = foreign.word(f"body{which}")
        found = self._find(self.bodies, body or "world", foreign, f"body{which}")
        return None if found is None else Site(found, (0.0, 0.0, 0.0), IDENTITY)

    def joint(self, foreign: Foreign, key: str) -> MjJoint | None:
        name = foreign.word(key)
        return None if name is None else self._find(self.joints, name, foreign, key)

    def _find(self, table: dict[str, T], name: str, foreign: Foreign, key: str) -> T | None:
        found = table.get(name)
        if found is None:
            self.mjcf.reading.diagnostics.error(
                "unknown-name",
                foreign.at(key),
                Text(f'there is no {key.rstrip("12")} "{name}"', f"нет {key.rstrip('12')} «{name}»"),
                expected=one_of(list(table)) if table else None,
                hint=did_you_mean(name, table),
            )
        return found

    def closure(self, foreign: Foreign, kind: str, first: Site, second: Site) -> Node:
        """A cut joint between two frames."""
        node = make_node("closure", foreign.span, name=self.name(foreign), joint=kind)
        for site, body_key, at_key, turn_key in ((first, "body", "at", "turn"), (second, "to", "at-to", "turn-to")):
            put(node, body_key, (site.body.known_as,), foreign.span)
            at = _sum(site.p_BS, site.body.offset)
            if any(at):
                put_numbers(node, at_key, at, LENGTH, foreign.span)
            angles = roll_pitch_yaw(site.R_BS)
            if any(angles) and kind == "fixed":
                put_numbers(node, turn_key, angles, ANGLE, foreign.span)
        if foreign.word("active", "true", "false") == "false":
            put(node, "holds", False, foreign.at("active"))
        foreign.ignore("class")
        foreign.report()
        return node

    def connect(self, foreign: Foreign) -> Node | None:
        first, second = self.side(foreign, "1"), self.side(foreign, "2")
        anchor = foreign.vector("anchor")
        if first is None or second is None:
            return None
        if anchor is not None:
            # The second end is where the first one is in the posture of the file.
            first = Site(first.body, anchor, IDENTITY)
            second = Site(second.body, _seen_from(second.body, first.body, anchor), IDENTITY)
        return self.closure(foreign, "spherical", first, second)

    def weld(self, foreign: Foreign) -> Node | None:
        by_site = foreign.has("site1")
        first, second = self.side(foreign, "1"), self.side(foreign, "2")
        relative = foreign.numbers("relpose", 7)
        foreign.ignore("anchor")  # where errors are measured; it does not move the weld
        if first is None or second is None:
            return None
        if not by_site:
            if relative is not None and norm(relative[3:]):
                p: Vector3 = (relative[0], relative[1], relative[2])
                R = from_quaternion(relative[3:])
            else:
                p = _seen_from(first.body, second.body, (0.0, 0.0, 0.0))
                R = compose(transpose(first.body.R_WB), second.body.R_WB)
            first = Site(first.body, p, R)
        return self.closure(foreign, "fixed", first, second)

    def coupling(self, foreign: Foreign) -> Node | None:
        if not foreign.has("joint1"):
            foreign.required_word("joint1")
            return None
        first, second = self.joint(foreign, "joint1"), self.joint(foreign, "joint2")
        coefficients = foreign.numbers("polycoef", 1, 2, 3, 4, 5) or (0.0, 1.0)
        if first is None or (second is None and foreign.has("joint2")):
            return None
        others = [joint for joint in (first, second) if joint is not None and (not joint.single or joint.node is None)]
        if others:
            drop_element(
                foreign.element,
                self.mjcf.reading.losses,
                Text("it joins no single coordinates", "она соединяет не отдельные координаты"),
            )
            return None
        assert first.node is not None
        holds = foreign.word("active", "true", "false") != "false"
        name = self.name(foreign)
        foreign.ignore("class")
        foreign.report()
        if second is None:
            node = make_node(
                "lock", foreign.span, name=name, of=(first.node.text("name") or "",), holds=None if holds else False
            )
            self.mjcf.reading.losses.changed(
                foreign.span,
                Text(
                    f"{foreign.label} became a lock, which holds the joint wherever it starts",
                    f"{foreign.label}: стало замком, который держит сочленение там, где оно было в начале",
                ),
            )
            return node
        assert second.node is not None
        node = make_node("coupling", foreign.span, name=name)
        put(node, "of", (first.node.text("name") or "",), foreign.at("joint1"))
        put(node, "to", (second.node.text("name") or "",), foreign.at("joint2"))
        # y - ref1 = a0 + a1 (x - ref2) + …, where the reference positions shift what XsysTel counts from 0.
        ratio = [*coefficients[1:]]
        while len(ratio) > 1 and not ratio[-1]:
            ratio.pop()
        offset = coefficients[0] + first.ref
        if second.ref:
            ratio, change = _shift(ratio, second.ref)
            offset += change
        if ratio != [1.0]:
            put_numbers(node, "ratio", ratio or [0.0], PLAIN, foreign.at("polycoef"))
        if offset:
            put_numbers(node, "offset", offset, LENGTH if first.slides else ANGLE, foreign.at("polycoef"))
        if not holds:
            put(node, "holds", False, foreign.at("active"))
        return node


def _shift(ratio: list[float], by: float) -> tuple[list[float], float]:
    """Coefficients of p(x - by) for p(x) = Σ ratio[k] x^(k+1): the new ones, and the constant that appears."""
    result = [0.0]
    for coefficient in reversed([0.0, *ratio]):
        # Horner's scheme: result · (x - by) + coefficient.
        longer = [0.0, *result]
        for index, value in enumerate(result):
            longer[index] -= by * value
        longer[0] += coefficient
        result = longer
    while len(result) > 2 and not result[-1]:
        result.pop()
    return result[1:], result[0]


def _seen_from(viewer: MjBody, owner: MjBody, p: Vector3) -> Vector3:
    """A point of one body in the frame of another, in the posture of the file [m]."""
    world = _sum(owner.p_WB, rotate(owner.R_WB, p))
    back = (world[0] - viewer.p_WB[0], world[1] - viewer.p_WB[1], world[2] - viewer.p_WB[2])
    return rotate(transpose(viewer.R_WB), back)


def read_equalities(
    mujoco: Foreign, mjcf: Mjcf, bodies: dict[str, MjBody], sites: dict[str, Site], joints: list[MjJoint]
) -> list[Node]:
    """Closures, couplings and locks of ``<equality>``."""
    links = _Links(mjcf, bodies, sites, joints)
    readers = {"connect": links.connect, "weld": links.weld, "joint": links.coupling}
    nodes = []
    for section in mujoco.children("equality"):
        for child in section.element.children:
            reader = readers.get(child.name)
            if reader is None:
                drop_element(child, mjcf.reading.losses)
                continue
            node = reader(mjcf.foreign(child, "main", "equality"))
            if node is not None:
                nodes.append(node)
    return nodes


def read_actuators(mujoco: Foreign, mjcf: Mjcf, joints: list[MjJoint]) -> Node | None:
    """Motors for the joints that actuators drive, and for what joints say of motors themselves.

    Returns:
        A scheme for the voltages of electric motors; None where there are none.
    """
    electric: list[Node] = []
    by_name = {joint.name: joint for joint in joints if joint.name is not None}
    driven: set[int] = set()
    for section in mujoco.children("actuator"):
        for child in section.element.children:
            foreign = mjcf.foreign(child, "main", "general", child.name)
            target = child.attributes.get("joint")
            if child.name not in _DRIVES or target is None:
                why = Text("it drives no joint", "он не движет сочленение")
                drop_element(child, mjcf.reading.losses, why if child.name in _DRIVES else None)
                continue
            joint = by_name.get(target.value.text.strip())
            if joint is None:
                mjcf.reading.diagnostics.error(
                    "unknown-name",
                    target.value.span(),
                    Text(f'there is no joint "{target.value.text}"', f"нет сочленения «{target.value.text}»"),
                    expected=one_of(list(by_name)) if by_name else None,
                    hint=did_you_mean(target.value.text, by_name),
                )
                continue
            if not joint.single or joint.node is None:
                drop_element(
                    child, mjcf.reading.losses, Text(f"its joint is {joint.type}", f"его сочленение — {joint.type}")
                )
                continue
            first = id(joint) not in driven
            made = electric_motor(foreign, joint, first) if child.name == TAG else _motor(foreign, joint, first)
            if made is None:
                continue
            driven.add(id(joint))
            joint.node.children.append(made)
            electric += [made] if child.name == TAG else []
    for joint in joints:
        if id(joint) not in driven and joint.node is not None:
            motor = joint.passive_motor()
            if motor is not None:
                joint.node.children.append(motor)
    return voltages(electric)


def _motor(foreign: Foreign, joint: MjJoint, first: bool) -> Node:
    node, ratio = joint.motor(foreign)
    limits = []
    force = foreign.numbers("forcerange", 2)
    if force is not None and foreign.word("forcelimited", "true", "false", "auto") != "false":
        limits.append(abs(ratio) * symmetric(foreign, "forcerange", force))
    if foreign.tag == "motor":
        control = foreign.numbers("ctrlrange", 2)
        if control is not None and foreign.word("ctrllimited", "true", "false", "auto") != "false":
            limits.append(abs(ratio) * symmetric(foreign, "ctrlrange", control))
    if joint.greatest is not None:
        limits.append(joint.greatest)
    if limits:
        put_numbers(node, "limit", min(limits), FORCE if joint.slides else MOMENT, foreign.span)
    if joint.armature and first:
        put_numbers(node, "inertia", joint.armature / ratio**2, INERTIA, joint.foreign.at("armature"))
    foreign.report()
    return node


def read_keyframes(mujoco: Foreign, joints: list[MjJoint]) -> list[Node]:
    """Postures from ``<keyframe>``; what else a keyframe holds is lost."""
    counts = {"free": 7, "ball": 4}
    total = sum(counts.get(joint.type, 1) for joint in joints)
    nodes: list[Node] = []
    names: set[str] = set()
    for section in mujoco.children("keyframe"):
        for number, key in enumerate(section.children("key")):
            wanted = key.word("name") or f"key{number}"
            qpos = key.numbers("qpos", total)
            key.report()
            if qpos is None or wanted in names:
                drop_element(key.element, key.reading.losses, Text("it gives no coordinates", "он не задаёт координат"))
                continue
            names.add(wanted)
            node = make_node("posture", key.span, name=wanted)
            at = 0
            for joint in joints:
                count = counts.get(joint.type, 1)
                node.children.append(_coordinate(joint, qpos[at : at + count], key))
                at += count
            nodes.append(node)
    return nodes


def _coordinate(joint: MjJoint, values: tuple[float, ...], key: Foreign) -> Node:
    assert joint.node is not None
    span = key.at("qpos")
    node = make_node("coordinate", span, of=(joint.node.text("name") or "",))
    if joint.type == "free":
        put_numbers(node, "place", values[:3], LENGTH, span)
        put_numbers(node, "quaternion", values[3:], PLAIN, span)
    elif joint.type == "ball":
        put_numbers(node, "quaternion", values, PLAIN, span)
    else:
        put_numbers(node, "value", values, LENGTH if joint.slides else ANGLE, span)
    return node


def _sum(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0] + 0.0, a[1] + b[1] + 0.0, a[2] + b[2] + 0.0)
