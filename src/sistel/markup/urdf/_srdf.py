"""SRDF: the groups and postures that accompany a URDF file, merged into its document."""

from __future__ import annotations

from dataclasses import field

from sistel.errors import Diagnostics, Span, Text, did_you_mean, one_of
from sistel.markup._document import Document, Node, make_node
from sistel.markup._losses import Losses
from sistel.markup.formats._foreign import Foreign, Reading, drop_element, put, put_numbers
from sistel.markup.formats.nodes import joint_word
from sistel.markup.xml._reader import Element
from sistel.records import mutable
from sistel.units import ANGLE, LENGTH, PLAIN

_ROOT_JOINT = "root_joint"
"""What Pinocchio calls the joint of a free base, and what many files therefore call it too."""


@mutable
class _Robot:
    """The document as SRDF sees it."""

    bodies: dict[str, Node] = field(default_factory=dict)
    bases: dict[str, str | None] = field(default_factory=dict)
    joints: dict[str, str] = field(default_factory=dict)
    """Body that a joint carries."""


def read_srdf(root: Element, document: Document, losses: Losses, diagnostics: Diagnostics) -> None:
    """Add the groups and states of an SRDF file to a document that was read from URDF.

    Names that the document does not have are warnings, because such files are often shared by variants of a robot.
    """
    reading = Reading(losses, diagnostics)
    semantic = Foreign(root, reading)
    semantic.ignore("name", "version")
    robot = _survey(document)
    _read_virtual_joints(semantic, robot)
    groups = _read_groups(semantic, robot)
    document.root.children.extend(groups)
    document.root.children.extend(_read_states(semantic, robot))
    for tag in ("disable_collisions", "disable_collision", "enable_collisions"):
        pairs = list(semantic.children(tag))
        if pairs:
            losses.dropped(
                pairs[0].span,
                Text(
                    f"{len(pairs)} × <{tag}>: collisions are declared as contacts, not detected",
                    f"{len(pairs)} × <{tag}>: столкновения описываются контактами, а не обнаруживаются",
                ),
            )
    semantic.report()


def _survey(document: Document) -> _Robot:
    robot = _Robot()
    stack: list[tuple[Node, str | None]] = [(document.root, None)]
    while stack:
        node, base = stack.pop()
        for child in node.of("body"):
            name = child.text("name") or ""
            robot.bodies[name] = child
            robot.bases[name] = base
            joint = child.text("joint-name")
            if joint is not None:
                robot.joints[joint] = name
            stack.append((child, name))
    return robot


def _read_virtual_joints(semantic: Foreign, robot: _Robot) -> None:
    """The joint between the world and the root link; it means the root body, when that is free."""
    roots = [name for name, base in robot.bases.items() if base is None]
    for element in semantic.children("virtual_joint"):
        name, child = element.word("name"), element.word("child_link")
        kind = element.word("type")
        element.ignore("parent_frame")
        free = child in roots and robot.bodies[child or ""].text("joint") == "free"
        if name is not None and child is not None and free and kind == "floating":
            robot.joints.setdefault(name, child)
        else:
            drop_element(
                element.element,
                element.reading.losses,
                Text("the root body is not free", "корневое тело не свободно") if kind == "floating" else None,
            )
        element.report()
    if len(roots) == 1 and robot.bodies[roots[0]].text("joint") == "free":
        robot.joints.setdefault(_ROOT_JOINT, roots[0])


def _read_groups(semantic: Foreign, robot: _Robot) -> list[Node]:
    elements: dict[str, Foreign] = {}
    for element in semantic.children("group"):
        name = element.required_word("name")
        if name is None:
            continue
        if name in elements:
            element.reading.diagnostics.error(
                "same-name",
                element.at("name"),
                Text(f'there are two groups called "{name}"', f"две группы с именем «{name}»"),
                related=[(elements[name].at("name"), Text("the first is here", "первая здесь"))],
            )
            continue
        elements[name] = element
    members: dict[str, dict[str, None]] = {}
    inner: dict[str, list[str]] = {}
    for name, element in elements.items():
        members[name] = dict.fromkeys(_own_members(element, robot))
        inner[name] = _subgroups(element, elements)
        element.report()
    nodes = []
    for name, element in elements.items():
        bodies: dict[str, None] = {}
        seen, stack = {name}, [name]
        while stack:
            group = stack.pop()
            bodies.update(members[group])
            fresh = [other for other in inner[group] if other not in seen]
            seen.update(fresh)
            stack.extend(reversed(fresh))
        if not bodies:
            drop_element(element.element, element.reading.losses, Text("it has no bodies", "в ней нет тел"))
            continue
        node = make_node("group", element.span, name=name)
        put(node, "of", tuple(bodies), element.span)
        nodes.append(node)
    return nodes


def _own_members(group: Foreign, robot: _Robot) -> list[str]:
    found: list[str] = []
    for element in group.children("link"):
        name = _body(element, "name", robot)
        if name is not None:
            found.append(name)
        element.report()
    for element in group.children("joint"):
        name = _joint(element, robot)
        if name is not None:
            found.append(name)
        element.report()
    for element in group.children("chain"):
        base, tip = _body(element, "base_link", robot), _body(element, "tip_link", robot)
        element.report()
        if base is None or tip is None:
            continue
        path: list[str] = []
        at: str | None = tip
        while at is not None and at != base:
            path.append(at)
            at = robot.bases[at]
        if at is None:
            element.reading.diagnostics.warning(
                "no-chain",
                element.at("base_link"),
                Text(f'"{tip}" is not carried by "{base}"', f"«{base}» не несёт «{tip}»"),
            )
            continue
        found.extend(reversed(path))
    return found


def _subgroups(group: Foreign, groups: dict[str, Foreign]) -> list[str]:
    found = []
    for element in group.children("group"):
        name = element.required_word("name")
        element.report()
        if name is not None and name in groups:
            found.append(name)
        elif name is not None:
            _unknown(element, "name", name, list(groups), Text("group", "группы"))
    return found


def _body(element: Foreign, key: str, robot: _Robot) -> str | None:
    name = element.required_word(key)
    if name is not None and name not in robot.bodies:
        _unknown(element, key, name, list(robot.bodies), Text("link", "звена"))
        return None
    return name


def _joint(element: Foreign, robot: _Robot) -> str | None:
    """The body that a named joint carries."""
    name = element.required_word("name")
    if name is None:
        return None
    if name not in robot.joints:
        if name == _ROOT_JOINT:
            why = Text("the root body is not free", "корневое тело не свободно")
            drop_element(element.element, element.reading.losses, why)
            return None
        _unknown(element, "name", name, list(robot.joints), Text("joint", "сочленения"))
        return None
    return robot.joints[name]


def _unknown(element: Foreign, key: str, name: str, known: list[str], what: Text) -> None:
    element.reading.diagnostics.warning(
        "unknown-name",
        element.at(key),
        Text(f'there is no {what.en} "{name}"; it is left out', f"нет {what.ru} «{name}»; пропущено"),
        expected=one_of(known) if known else None,
        hint=did_you_mean(name, known),
    )


def _read_states(semantic: Foreign, robot: _Robot) -> list[Node]:
    nodes: dict[str, Node] = {}
    for element in semantic.children("group_state"):
        name, group = element.required_word("name"), element.word("group")
        if name is None:
            continue
        title = name
        if name in nodes:
            # Names of states need to differ only within their group.
            title = f"{group}/{name}"
            element.reading.losses.changed(
                element.at("name"), Text(f'the name "{name}" became "{title}"', f"имя «{name}» стало «{title}»")
            )
        node = make_node("posture", element.span)
        put(node, "name", title, element.at("name"))
        for joint in element.children("joint"):
            coordinate = _coordinate(joint, robot)
            if coordinate is not None:
                node.children.append(coordinate)
            joint.report()
        element.report()
        if node.children:
            nodes[title] = node
        else:
            drop_element(element.element, element.reading.losses, Text("it has no coordinates", "в ней нет координат"))
    return list(nodes.values())


def _coordinate(joint: Foreign, robot: _Robot) -> Node | None:
    values = joint.numbers("value")
    body = _joint(joint, robot)
    if body is None or values is None:
        return None
    kind = robot.bodies[body].text("joint") or "fixed"
    span = joint.at("value")
    node = make_node("coordinate", joint.span)
    put(node, "of", (body,), joint.at("name"))
    if kind in ("revolute", "prismatic") and len(values) == 1:
        put_numbers(node, "value", values, LENGTH if kind == "prismatic" else ANGLE, span)
        return node
    if kind == "free" and len(values) == 7:
        _put_pose(node, values, span)
        return node
    drop_element(
        joint.element,
        joint.reading.losses,
        Text(
            f"{len(values)} numbers for a {joint_word(kind).en} joint",
            f"чисел: {len(values)}, а сочленение — {joint_word(kind).ru}",
        ),
    )
    return None


def _put_pose(node: Node, values: tuple[float, ...], span: Span) -> None:
    """The coordinates of a free joint, which SRDF writes as x, y, z and a quaternion with w last."""
    put_numbers(node, "place", values[:3], LENGTH, span)
    put_numbers(node, "quaternion", (values[6], *values[3:6]), PLAIN, span)
