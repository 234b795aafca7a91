"""The links and joints of a URDF file, and the tree that they have to form."""

from __future__ import annotations

from dataclasses import field

from sistel.errors import Diagnostics, Span, Text, did_you_mean, one_of
from sistel.markup._document import Node
from sistel.markup.formats._foreign import Foreign, Reading, drop_element
from sistel.markup.xml._reader import Element
from sistel.records import mutable

JOINT_TYPES = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
}
"""URDF's word and that of XsysTel."""

_XACRO_MARKS = ("${", "$(")


@mutable
class UrdfJoint:
    name: str
    type: str
    """URDF's word."""
    parent: str
    child: str
    foreign: Foreign
    locked: float | None = None
    """Coordinate at which the joint is held; None for a joint that moves [m or rad]."""

    @property
    def slides(self) -> bool:
        return self.type == "prismatic"

    @property
    def single(self) -> bool:
        """Whether it has one coordinate."""
        return self.type in ("revolute", "continuous", "prismatic")


@mutable
class Mimic:
    of: str
    to: str
    ratio: float
    offset: float
    span: Span


@mutable
class Robot:
    reading: Reading
    links: dict[str, Foreign] = field(default_factory=dict)
    joints: dict[str, UrdfJoint] = field(default_factory=dict)
    carriers: dict[str, UrdfJoint] = field(default_factory=dict)
    """The joint whose child a link is."""
    mimics: dict[str, Mimic] = field(default_factory=dict)
    """By the joint that mimics."""
    bodies: dict[str, Node] = field(default_factory=dict)
    """By link name."""


def is_xacro(root: Element, diagnostics: Diagnostics) -> bool:
    """Whether the file still has to go through xacro, which is then an error at the first sign of it."""
    for element in root.walk():
        span = element.name_span if element.name.startswith("xacro:") else None
        for attribute in element.attributes.values():
            if span is None and any(mark in attribute.value.text for mark in _XACRO_MARKS):
                span = attribute.value.span()
        if span is not None:
            diagnostics.error(
                "xacro",
                span,
                Text(
                    "this is a xacro template, not yet a URDF file",
                    "это шаблон xacro, а не готовый файл URDF",
                ),
                hint=Text(
                    "expand it first: xacro in.urdf.xacro > out.urdf",
                    "сначала разверните его: xacro in.urdf.xacro > out.urdf",
                ),
            )
            return True
    return False


def read_links(robot: Foreign, data: Robot) -> None:
    """All links by name."""
    for link in robot.children("link"):
        name = link.required_word("name")
        if name is None:
            continue
        if name in data.links:
            _same_name(link, name, data.links[name])
            continue
        data.links[name] = link


def _same_name(element: Foreign, name: str, earlier: Foreign) -> None:
    element.reading.diagnostics.error(
        "same-name",
        element.at("name"),
        Text(f'there are two <{element.tag}> called "{name}"', f"два <{element.tag}> с именем «{name}»"),
        related=[(earlier.at("name"), Text("the first is here", "первый здесь"))],
    )


def read_joints(robot: Foreign, data: Robot) -> None:
    """All joints, who carries whom, and who mimics whom."""
    diagnostics = data.reading.diagnostics
    for element in robot.children("joint"):
        name = element.required_word("name")
        kind = element.word("type", *JOINT_TYPES)
        if not element.has("type"):
            element.required_word("type")
        ends = [_end(element, tag, data) for tag in ("parent", "child")]
        if name is None or kind is None or ends[0] is None or ends[1] is None:
            continue
        if name in data.joints:
            _same_name(element, name, data.joints[name].foreign)
            continue
        (parent, _), (child, child_span) = ends[0], ends[1]
        joint = UrdfJoint(name, kind, parent, child, element)
        data.joints[name] = joint
        earlier = data.carriers.get(child)
        if earlier is not None:
            diagnostics.error(
                "two-parents",
                child_span,
                Text(
                    f'link "{child}" is the child of two joints, "{earlier.name}" and "{name}"',
                    f"звено «{child}» — дочернее сразу у двух сочленений: «{earlier.name}» и «{name}»",
                ),
                related=[(earlier.foreign.span, Text("the other joint is here", "другое сочленение здесь"))],
                hint=Text(
                    "URDF describes trees only; write loops as a closure in XsysTel",
                    "URDF описывает только деревья; циклы в XsysTel задаёт замыкание",
                ),
            )
            continue
        data.carriers[child] = joint
    for joint in data.joints.values():
        _read_mimic(joint, data)


def _end(joint: Foreign, tag: str, data: Robot) -> tuple[str, Span] | None:
    """Name of the parent or child link of a joint, and its place."""
    element = joint.child(tag)
    if element is None:
        said = Text(f"{joint.label} has no <{tag}>", f"в {joint.label} нет <{tag}>")
        expected = Text(f'<{tag} link="…"/>', f'<{tag} link="…"/>')
        data.reading.diagnostics.error("missing-element", joint.element.name_span, said, expected=expected)
        return None
    name = element.required_word("link")
    element.report()
    if name is None:
        return None
    if name not in data.links:
        data.reading.diagnostics.error(
            "unknown-name",
            element.at("link"),
            Text(f'there is no link "{name}"', f"нет звена «{name}»"),
            expected=one_of(list(data.links)),
            hint=did_you_mean(name, data.links),
        )
        return None
    return name, element.at("link")


def _read_mimic(joint: UrdfJoint, data: Robot) -> None:
    element = joint.foreign.child("mimic")
    if element is None:
        return
    diagnostics = data.reading.diagnostics
    to = element.required_word("joint")
    ratio, offset = element.number("multiplier"), element.number("offset")
    element.report()
    if to is None:
        return
    driver = data.joints.get(to)
    if driver is None or driver is joint:
        # Other readers ignore it, and the rest of the robot can be used: a warning.
        others = [name for name in data.joints if name != joint.name]
        diagnostics.warning(
            "unknown-name",
            element.at("joint"),
            Text(
                f'joint "{joint.name}" mimics "{to}", which is no other joint; it moves on its own',
                f"сочленение «{joint.name}» повторяет «{to}», а другого такого нет; оно движется само",
            ),
            expected=one_of(others),
            hint=did_you_mean(to, others),
        )
        drop_element(
            element.element,
            data.reading.losses,
            Text("the other joint does not exist", "другого сочленения нет"),
            joint.foreign,
        )
        return
    if not joint.single:
        why = Text(f"the joint is {joint.type}", f"сочленение имеет тип {joint.type}")
        drop_element(element.element, data.reading.losses, why, joint.foreign)
        return
    if driver.type == "fixed":
        driver.locked = 0.0
    elif not driver.single:
        diagnostics.error(
            "bad-mimic",
            element.at("joint"),
            Text(
                f'joint "{to}" is {driver.type}: it has no single coordinate to follow',
                f"сочленение «{to}» имеет тип {driver.type}: у него нет одной координаты, за которой следовать",
            ),
        )
        return
    data.mimics[joint.name] = Mimic(joint.name, to, 1.0 if ratio is None else ratio, offset or 0.0, element.span)


def apply_locks(data: Robot, lock: dict[str, float]) -> None:
    """Hold joints at given coordinates [m or rad]."""
    for name, value in lock.items():
        joint = data.joints.get(name)
        if joint is None:
            data.reading.diagnostics.error(
                "unknown-name",
                None,
                Text(f'there is no joint "{name}" to lock', f"нет сочленения «{name}», которое нужно закрепить"),
                expected=one_of(list(data.joints)),
                hint=did_you_mean(name, data.joints),
            )
            continue
        if value and not joint.single:
            data.reading.diagnostics.error(
                "bad-lock",
                joint.foreign.span,
                Text(
                    f'joint "{name}" is {joint.type}: it can be locked at 0 only',
                    f"сочленение «{name}» имеет тип {joint.type}: его можно закрепить только в нуле",
                ),
            )
            continue
        joint.locked = float(value)
    # What follows a locked joint is locked as well. Each pass reaches at least one more of them.
    for _ in data.mimics:
        for mimic in data.mimics.values():
            driver, joint = data.joints[mimic.to], data.joints[mimic.of]
            if driver.locked is not None and joint.locked is None:
                joint.locked = mimic.ratio * driver.locked + mimic.offset
                data.reading.losses.changed(
                    mimic.span,
                    Text(
                        f'joint "{joint.name}" is locked at {joint.locked:g}: it mimics the locked "{driver.name}"',
                        f"«{joint.name}» закреплено в {joint.locked:g}: оно повторяет закреплённое «{driver.name}»",
                    ),
                )


def find_root(data: Robot, root: Element) -> str | None:
    """The link that no joint carries; None after an error when there is not exactly one, or there is a cycle."""
    diagnostics = data.reading.diagnostics
    if not data.links:
        diagnostics.error("no-bodies", root.name_span, Text("the robot has no links", "у робота нет звеньев"))
        return None
    if diagnostics.failed and len(data.carriers) < len(data.links) - 1:
        return None  # a joint that could not be read is missing, and was reported
    roots = [name for name in data.links if name not in data.carriers]
    for name in roots[1:]:
        link = data.links[name]
        alone = not any(joint.parent == name for joint in data.joints.values())
        diagnostics.error(
            "several-roots",
            link.at("name"),
            Text(f'link "{name}" is joined to nothing', f"звено «{name}» ни с чем не соединено")
            if alone
            else Text(f'no joint carries link "{name}"', f"звено «{name}» не несёт ни одно сочленение"),
            expected=Text(
                f'one root link; the first one is "{roots[0]}"', f"одно корневое звено; первое — «{roots[0]}»"
            ),
            related=[(data.links[roots[0]].at("name"), Text("the first root is here", "первое корневое звено здесь"))],
        )
    reached: set[str] = set()
    for name in roots:
        reached.update(in_tree_order(name, data))
    outside = [name for name in data.links if name not in reached]
    if outside:
        circle = [outside[0]]
        while (above := data.carriers[circle[-1]].parent) not in circle:
            circle.append(above)
        circle = [*reversed(circle[circle.index(above) :])]
        shown = " → ".join((*circle, circle[0]))
        diagnostics.error(
            "cycle",
            data.carriers[circle[0]].foreign.span,
            Text(f"the joints go round in a circle: {shown}", f"сочленения образуют круг: {shown}"),
            hint=Text(
                "URDF describes trees only; write loops as a closure in XsysTel",
                "URDF описывает только деревья; циклы в XsysTel задаёт замыкание",
            ),
        )
    return roots[0] if len(roots) == 1 and not outside else None


def in_tree_order(top: str, data: Robot) -> list[str]:
    """Links below a link, the link first, children in the order of the file's joints."""
    below: dict[str, list[str]] = {}
    for joint in data.joints.values():
        if data.carriers.get(joint.child) is joint:
            below.setdefault(joint.parent, []).append(joint.child)
    order, stack = [], [top]
    while stack:
        name = stack.pop()
        order.append(name)
        stack.extend(reversed(below.get(name, [])))
    return order
