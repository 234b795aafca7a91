"""URDF → a document of XsysTel and a list of what did not carry over.

A URDF link is a body whose frame is the frame of the joint that carries it, which is just what XsysTel means by a body,
so places, turns and axes carry over as they are. The root link becomes a body fixed to the ground, or a free one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from sistel.errors import Diagnostics, Text
from sistel.markup._document import Document, Node, make_node
from sistel.markup._losses import Losses
from sistel.markup.formats._foreign import Foreign, Reading, drop_element, put, put_numbers
from sistel.markup.formats.nodes import joint_word
from sistel.markup.urdf._parts import (
    named_colours,
    read_inertial,
    read_material,
    read_origin,
    read_shapes,
    report_snapped,
)
from sistel.markup.urdf._tree import (
    JOINT_TYPES,
    Robot,
    UrdfJoint,
    apply_locks,
    find_root,
    in_tree_order,
    is_xacro,
    read_joints,
    read_links,
)
from sistel.markup.xml._reader import Element
from sistel.pose import (
    SNAP,
    Vector3,
    compose,
    exact_axis,
    from_axis_angle,
    from_roll_pitch_yaw,
    norm,
    roll_pitch_yaw,
    rotate,
)
from sistel.units import ANGLE, ANGULAR_DAMPING, ANGULAR_SPEED, DAMPING, FORCE, LENGTH, MOMENT, PLAIN, SPEED

Base = Literal["fixed", "free"]

ENDLESS = 1e9
"""A limit of this size or more [SI] stands for none: URDF demands numbers where there is nothing to say."""


def read_urdf(
    root: Element,
    diagnostics: Diagnostics,
    *,
    base: Base = "fixed",
    lock: Iterable[str] | Mapping[str, float] = (),
    snap: float = SNAP,
) -> tuple[Document | None, Losses]:
    """The document that a ``<robot>`` describes; None when its links form no tree.

    Args:
        root: The element ``robot``.
        diagnostics: Takes the problems.
        base: ``free`` lets the root link move freely; ``fixed`` fixes it to the ground.
        lock: Joints that do not move: held at 0, or at the given coordinates [m or rad].
        snap: Angles [rad] and components of axes this near to an exact value become exact; 0 keeps all as they are.
    """
    losses = Losses()
    if is_xacro(root, diagnostics):
        return None, losses
    reading = Reading(losses, diagnostics, snap)
    robot = Foreign(root, reading)
    data = Robot(reading)
    read_links(robot, data)
    read_joints(robot, data)
    apply_locks(data, dict(lock) if isinstance(lock, Mapping) else dict.fromkeys(lock, 0.0))
    top = find_root(data, root)
    if top is None:
        return None, losses
    colours = named_colours(root)
    for material in robot.children("material"):
        read_material(material, colours)
    system = make_node("system", root.span, space="spatial", name=robot.word("name"))
    robot.ignore("version")
    for name in in_tree_order(top, data):
        body = _read_link(data.links[name], data, colours)
        data.bodies[name] = body
        carrier = data.carriers.get(name)
        (system if carrier is None else data.bodies[carrier.parent]).children.append(body)
        if carrier is None:
            put(body, "joint", "free" if base == "free" else "fixed", root.span)
        else:
            _read_joint(carrier, body, data)
    couplings = _couplings(data)
    if couplings:
        system.children.append(make_node("links", root.span, *couplings))
    robot.report()
    return Document(system, root.source, "en"), losses


def _read_link(link: Foreign, data: Robot, colours: dict[str, str]) -> Node:
    name = link.word("name") or ""
    body = make_node("body", link.span)
    put(body, "name", data.reading.fresh(name, link.at("name")), link.at("name"))
    read_inertial(link, body)
    read_shapes(link, body, colours)
    link.report()
    return body


def _read_joint(joint: UrdfJoint, body: Node, data: Robot) -> None:
    """Put what a joint says onto the body that it carries."""
    foreign = joint.foreign
    key = "fixed" if joint.locked is not None else JOINT_TYPES[joint.type]
    put(body, "joint", key, foreign.at("type"))
    put(body, "joint-name", data.reading.fresh(joint.name, foreign.at("name"), "joint"), foreign.at("name"))
    origin = read_origin(foreign)
    axis = _read_axis(joint)
    if joint.locked:
        if joint.slides:
            offset = rotate(origin.rotation, [component * joint.locked for component in axis])
            x, y, z = (a + b for a, b in zip(origin.place, offset, strict=True))
            origin.place = (x, y, z)
        else:
            held = from_axis_angle(axis, joint.locked)
            origin.angles = roll_pitch_yaw(compose(from_roll_pitch_yaw(*origin.angles), held))
    origin.put(body)
    if key in ("revolute", "prismatic", "planar"):
        given = next((child.span for child in foreign.element.children if child.name == "axis"), foreign.span)
        put_numbers(body, "axis", axis, PLAIN, given)
    if key in ("revolute", "prismatic"):
        _read_limit(joint, body)
        _read_dynamics(joint, body)
    else:
        # Limits and friction of a joint that cannot move, or of six coordinates at once, say nothing.
        for tag in ("limit", "dynamics"):
            for element in foreign.children(tag):
                drop_element(
                    element.element,
                    data.reading.losses,
                    Text(f"the joint is {joint_word(key).en}", f"сочленение имеет тип {joint_word(key).ru}"),
                    foreign,
                )
    foreign.report()


def _read_axis(joint: UrdfJoint) -> Vector3:
    element = joint.foreign.child("axis")
    if element is None:
        return (1.0, 0.0, 0.0)
    axis = element.vector("xyz")
    if axis is None:
        if not element.has("xyz"):
            element.required_word("xyz")
        return (1.0, 0.0, 0.0)
    element.report()
    reading, span = element.reading, element.at("xyz")
    if joint.type in ("fixed", "floating"):
        return (1.0, 0.0, 0.0)
    length = norm(axis)
    if length == 0:
        reading.diagnostics.error(
            "zero-vector",
            span,
            Text(
                f'the axis of joint "{joint.name}" has length zero',
                f"ось сочленения «{joint.name}» имеет нулевую длину",
            ),
            expected=Text("a direction such as 0 0 1", "направление, например 0 0 1"),
        )
        return (1.0, 0.0, 0.0)
    unit = exact_axis(axis, reading.snap)
    plain = exact_axis(axis, 0.0)
    if abs(length - 1) > 1e-12 and plain != axis:
        shown = " ".join(repr(component) for component in plain)
        reading.losses.changed(
            span, Text(f"the axis was given unit length: {shown}", f"ось приведена к единичной длине: {shown}")
        )
    if unit != plain:
        report_snapped(reading, span, plain, unit)
    return unit


def _read_limit(joint: UrdfJoint, body: Node) -> None:
    limit = joint.foreign.child("limit")
    reading = joint.foreign.reading
    if limit is None:
        if joint.type != "continuous":
            reading.diagnostics.warning(
                "no-limit",
                joint.foreign.element.name_span,
                Text(
                    f'joint "{joint.name}" is {joint.type}, which demands a <limit>; it is taken as unlimited',
                    f"сочленение «{joint.name}» имеет тип {joint.type}, которому нужен <limit>; считается без пределов",
                ),
            )
        return
    if joint.type != "continuous":
        lower, upper = (_limit(limit, key) for key in ("lower", "upper"))
        # Left out means 0, by the specification, though hardly any author means it.
        if not limit.has("lower") and not limit.has("upper"):
            reading.diagnostics.warning(
                "no-range",
                limit.element.name_span,
                Text(
                    f'joint "{joint.name}" has neither "lower" nor "upper": by URDF\'s rule both are 0, it cannot move',
                    f"у сочленения «{joint.name}» нет ни «lower», ни «upper»: по правилу URDF оба 0, оно неподвижно",
                ),
                hint=Text('type="continuous" turns without limits', 'type="continuous" вращается без пределов'),
            )
        for key, name, value in (("min", "lower", lower), ("max", "upper", upper)):
            if value is not None:
                put_numbers(body, key, value, LENGTH if joint.slides else ANGLE, limit.at(name), limit.name_at(name))
    speed = _limit(limit, "velocity", absent=None)
    if speed:
        dimension = SPEED if joint.slides else ANGULAR_SPEED
        put_numbers(body, "speed", speed, dimension, limit.at("velocity"), limit.name_at("velocity"))
    elif speed == 0:
        reading.losses.changed(
            limit.at("velocity"),
            Text('"velocity" of 0 counts as no limit', "«velocity» со значением 0 считается отсутствием предела"),
        )
    effort = limit.number("effort", endless=True)
    if effort == 0:
        reading.losses.changed(
            limit.at("effort"),
            Text('"effort" of 0 counts as no motor', "«effort» со значением 0 считается отсутствием привода"),
        )
    elif effort is not None:
        motor = make_node("motor", limit.span)
        if _limit(limit, "effort") is not None:
            dimension = FORCE if joint.slides else MOMENT
            put_numbers(motor, "limit", effort, dimension, limit.at("effort"), limit.name_at("effort"))
        body.children.append(motor)
    limit.report()


def _limit(limit: Foreign, name: str, absent: float | None = 0.0) -> float | None:
    """A limit, None where it is so large that it means there is none."""
    value = limit.number(name, endless=True)
    if value is None:
        return absent if not limit.has(name) else None
    if abs(value) < ENDLESS:
        return value
    limit.reading.losses.changed(
        limit.at(name),
        Text(
            f'"{name}" of {value:g} counts as no limit',
            f"«{name}» со значением {value:g} считается отсутствием предела",
        ),
    )
    return None


def _read_dynamics(joint: UrdfJoint, body: Node) -> None:
    dynamics = joint.foreign.child("dynamics")
    if dynamics is None:
        return
    dimensions = {
        "damping": DAMPING if joint.slides else ANGULAR_DAMPING,
        "friction": FORCE if joint.slides else MOMENT,
    }
    for key, dimension in dimensions.items():
        value = dynamics.number(key)
        if value:
            put_numbers(body, key, value, dimension, dynamics.at(key), dynamics.name_at(key))
    dynamics.report()


def _couplings(data: Robot) -> list[Node]:
    """The gears that ``<mimic>`` describes."""
    nodes: list[Node] = []
    for mimic in data.mimics.values():
        joint = data.joints[mimic.of]
        if joint.locked is not None:
            if data.joints[mimic.to].locked is not None:
                continue  # both are held, as was said
            drop = Text(
                f'<mimic> of "{joint.name}", which is locked', f"<mimic> закреплённого сочленения «{joint.name}»"
            )
            data.reading.losses.dropped(mimic.span, drop)
            continue
        names = [data.bodies[data.joints[name].child].text("name") or "" for name in (joint.name, mimic.to)]
        name = data.reading.fresh(joint.name, joint.foreign.at("name"), "links")
        node = make_node("coupling", mimic.span, name=name, of=(names[0],), to=(names[1],))
        if mimic.ratio != 1:
            put_numbers(node, "ratio", mimic.ratio, PLAIN, mimic.span)
        if mimic.offset:
            put_numbers(node, "offset", mimic.offset, LENGTH if joint.slides else ANGLE, mimic.span)
        nodes.append(node)
    return nodes
