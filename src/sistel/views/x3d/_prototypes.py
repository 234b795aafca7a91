"""Prototypes: every body a node of its own, the system another one, with a field for every joint.

A body has the fields of its place, of the motion of its joint and of its scale, and holds the bodies that it carries.
A system has its own place and, for every joint, what moves it. So a scene reuses them without knowing what is inside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sistel.errors import Language, Text
from sistel.model import Body, Model
from sistel.views.x3d._animation import rotations
from sistel.views.x3d._nodes import Node, identifier, name_note, node, numbers, string, strings, transform, write
from sistel.views.x3d._primitives import turn_of

if TYPE_CHECKING:
    from sistel.views.x3d._plan import Plan

PLACE = Text("place", "место")
TURN = Text("turn", "ориентация")
SCALE = Text("scale", "масштаб")
BODIES = Text("bodies", "тела")
JOINT = {"translation": Text("joint_slide", "ход_сочленения"), "rotation": Text("joint_turn", "поворот_сочленения")}
BODY = Text("Body_", "Тело_")
SYSTEM = Text("System_", "Система_")
_TYPES = {"translation": "SFVec3f", "rotation": "SFRotation"}


def prototypes_of(plan: Plan, figures: Callable[[int], list[Node]]) -> list[Node]:
    """Declarations of all bodies and then of the system, which needs them."""
    bodies = [_declare_body(plan, body, figures(body.number)) for body in plan.model.bodies]
    return [*bodies, _declare_system(plan, figures(0), [])]


def instance(plan: Plan) -> Node:
    """The system, used once."""
    return node("ProtoInstance", {"name": system_name(plan.model, plan.lang), "DEF": instance_name(plan)})


def instance_name(plan: Plan) -> str:
    """Name of the node that is the system."""
    return f"{system_name(plan.model, plan.lang)}_1"


def instance_target(plan: Plan, body: Body, field: str) -> tuple[str, str]:
    """Where the motion of a joint goes: the node and its field."""
    return instance_name(plan), joint_field(plan, body, field)


def system_name(model: Model, lang: Language) -> str:
    """Name of the prototype of a system."""
    return f"{SYSTEM.say(lang)}{identifier(model.name)[:60]}"


def body_name(plan: Plan, body: Body) -> str:
    """Name of the prototype of a body."""
    return f"{BODY.say(plan.lang)}{plan.joints[body.number - 1]}"


def joint_field(plan: Plan, body: Body, field: str) -> str:
    """The field of the system that moves a joint."""
    return f"{plan.joints[body.number - 1]}_{JOINT[field].say(plan.lang)}"


def prototype_file(plan: Plan, figures: Callable[[int], list[Node]], body: Body | None) -> Node:
    """A scene with a single prototype, as external declarations want it; a system then has its bodies inside."""
    if body is not None:
        name = body_name(plan, body)
        declared = _declare_body(plan, body, figures(body.number))
    else:
        name = system_name(plan.model, plan.lang)
        inner = [_declare_body(plan, each, figures(each.number)) for each in plan.model.bodies]
        declared = _declare_system(plan, figures(0), inner)
    return node("Scene", children=[declared, node("ProtoInstance", {"name": name})])


def external(plan: Plan, url: str, body: Body | None) -> str:
    """The text with which a scene declares a prototype that is in another file, with all its fields."""
    name = system_name(plan.model, plan.lang) if body is None else body_name(plan, body)
    fields = _body_fields(plan, body) if body is not None else _system_fields(plan)
    declared = [node("field", {key: each.fields[key] for key in ("accessType", "type", "name")}) for each in fields]
    return write(node("ExternProtoDeclare", {"name": name, "url": strings(url)}, declared))


def _declare_body(plan: Plan, body: Body, figures: list[Node]) -> Node:
    lang, name = plan.lang, plan.joints[body.number - 1]
    seen = _connected(transform(figures), {"scale": SCALE.say(lang)})
    carried = _connected(node("Group"), {"children": BODIES.say(lang)})
    inner: list[Node] = [seen, carried]
    if body.joint.type.nq:
        joint = transform(inner)
        inner = [*plan.rails(body), _connected(joint, {field: word.say(lang) for field, word in JOINT.items()})]
    outer = _connected(transform(inner), {"translation": PLACE.say(lang), "rotation": TURN.say(lang)})
    if name != body.name:
        # Metadata comes after IS.
        outer.children.insert(1, name_note(body.name))
    return _declaration(body_name(plan, body), body.name, _body_fields(plan, body), [outer])


def _declare_system(plan: Plan, ground: list[Node], inner: list[Node]) -> Node:
    lang = plan.lang
    held: list[list[Node]] = [[]]
    for body in plan.model.bodies:
        used = node("ProtoInstance", {"name": body_name(plan, body)})
        # The schema wants the values before the connections.
        carried = node("fieldValue", {"name": BODIES.say(lang)})
        if plan.model.adjacent(body.number):
            used.children.append(carried)
        if body.joint.type.nq:
            links = [
                node("connect", {"nodeField": word.say(lang), "protoField": joint_field(plan, body, field)})
                for field, word in JOINT.items()
            ]
            used.children.append(node("IS", children=links))
        held[body.base].append(used)
        held.append(carried.children)
    world = transform([], rotation=turn_of(plan.R_XW))
    world.children = [*ground, *held[0]]
    fields = {"translation": PLACE.say(lang), "rotation": TURN.say(lang), "scale": SCALE.say(lang)}
    outer = _connected(transform([world]), fields)
    return _declaration(system_name(plan.model, lang), plan.model.name, _system_fields(plan), [*inner, outer])


def _declaration(name: str, about: str, fields: list[Node], body: list[Node]) -> Node:
    children = [node("ProtoInterface", children=fields), node("ProtoBody", children=body)]
    return node("ProtoDeclare", {"name": name, "appinfo": string(about)}, children)


def _connected(holder: Node, fields: dict[str, str]) -> Node:
    """A node whose fields are those of its prototype."""
    links = [node("connect", {"nodeField": field, "protoField": outer}) for field, outer in fields.items()]
    holder.children.insert(0, node("IS", children=links))
    return holder


def _field(kind: str, name: str, value: str = "") -> Node:
    return node("field", {"accessType": "inputOutput", "type": kind, "name": name, "value": value})


def _body_fields(plan: Plan, body: Body) -> list[Node]:
    lang = plan.lang
    fields = [
        _field("SFVec3f", PLACE.say(lang), numbers(body.p_PB)),
        _field("SFRotation", TURN.say(lang), numbers(turn_of(body.R_PB))),
        _field("SFVec3f", SCALE.say(lang), "1 1 1"),
    ]
    if body.joint.type.nq:
        values = _joint_values(plan, body)
        fields += [_field(_TYPES[field], word.say(lang), values[field]) for field, word in JOINT.items()]
    return [*fields, _field("MFNode", BODIES.say(lang))]


def _system_fields(plan: Plan) -> list[Node]:
    lang = plan.lang
    fields = [
        _field("SFVec3f", PLACE.say(lang), "0 0 0"),
        _field("SFRotation", TURN.say(lang), "0 0 1 0"),
        _field("SFVec3f", SCALE.say(lang), "1 1 1"),
    ]
    for body in plan.model.bodies:
        if body.joint.type.nq:
            values = _joint_values(plan, body)
            fields += [_field(_TYPES[field], joint_field(plan, body, field), values[field]) for field in JOINT]
    return fields


def _joint_values(plan: Plan, body: Body) -> dict[str, str]:
    """Where a joint is at the beginning."""
    shift = plan.motion[body.number - 1]
    return {"translation": numbers(shift.place[0]), "rotation": numbers(rotations(shift)[0])}
