"""Models as tables and screws in files, with a list of what such files cannot say."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from sistel.arms._chains import chain_to
from sistel.arms.tables._dh import write_dh
from sistel.arms.tables._dh_of import dh_of
from sistel.arms.tables._exponentials import exponentials_of
from sistel.errors import Text, refuse
from sistel.markup import Loss, Losses, Node, write_text
from sistel.markup.formats.nodes import drop, drop_attributes, title
from sistel.model import to_document

if TYPE_CHECKING:
    from sistel.markup.chains import Convention
    from sistel.model import Model

Kind = Literal["dh", "poe"]
GRAVITY = (0.0, 0.0, -9.81)
"""What an arm of a table has [m/s²]."""


def write_chain(
    model: Model, to: Kind, frame: str | None = None, convention: Convention = "standard"
) -> tuple[str, tuple[Loss, ...]]:
    """The chain of joints that carries a frame as a text, and what of the model it does not say.

    Args:
        model: The system.
        to: A table of Denavit and Hartenberg (CSV) or a product of exponentials (JSON).
        frame: Name of a frame or body; the last frame of the file unless told otherwise, or the body that most joints
            carry.
        convention: Of the table.

    Raises:
        SistelError: There is no such frame, or its chain has other joints than hinges and slides.
    """
    chosen = frame or default_frame(model)
    if to == "dh":
        text = write_dh(dh_of(model, chosen, convention))
    else:
        text = _screws(model, chosen)
    return text, _losses(model, chosen, masses=to == "dh")


def save_chain(model: Model, path: str) -> tuple[Loss, ...]:
    """Write the arm of a model to a file, .csv or .json by its suffix; returns what did not carry over."""
    text, losses = write_chain(model, "dh" if path.endswith(".csv") else "poe")
    write_text(path, text)
    return losses


def default_frame(model: Model) -> str:
    """The last frame of a file; without one, the body that most joints carry.

    Raises:
        SistelError: There are no bodies.
    """
    if model.frames:
        return model.frames[-1].name
    if not model.bodies:
        refuse("no-chain", Text("there are no bodies", "тел нет"))
    return max((body.name for body in model.bodies), key=lambda name: len(chain_to(model, name)[1]))


def _screws(model: Model, frame: str) -> str:
    """The screws of the joints in JSON, in SI; `sistel.load` reads it."""
    arm = exponentials_of(model, frame)
    limits = {body.name: (body.joint.minimum[0], body.joint.maximum[0]) for body in model.bodies if body.joint.minimum}
    joints = []
    for name, screw in zip(arm.names, arm.screws.tolist(), strict=True):
        ends = {key: end for key, end in zip(("min", "max"), limits[name], strict=True) if math.isfinite(end)}
        joints.append({"name": name, "screw": [each + 0.0 for each in screw], **ends})
    home = [[each + 0.0 for each in row] for row in arm.home.tolist()]
    rows = ",\n".join(f"    {json.dumps(joint, ensure_ascii=False)}" for joint in joints)
    poses = ",\n".join(f"    {json.dumps(row)}" for row in home)
    said = f'  "system": {json.dumps(model.name, ensure_ascii=False)},\n' if model.name else ""
    frame_said = json.dumps(frame, ensure_ascii=False)
    return f'{{\n{said}  "frame": {frame_said},\n  "home": [\n{poses}\n  ],\n  "joints": [\n{rows}\n  ]\n}}\n'


def _losses(model: Model, frame: str, *, masses: bool) -> tuple[Loss, ...]:
    losses = Losses()
    if model.planar:
        losses.changed(
            None,
            Text(
                "the plane became z = 0 of space, x right, y down, z away from the reader",
                "плоскость стала плоскостью z = 0 пространства: x вправо, y вниз, z от читателя",
            ),
        )
    if tuple(model.gravity) != GRAVITY:
        given = ", ".join(f"{each:g}" for each in model.gravity)
        losses.dropped(None, Text(f"gravity ({given} m/s²)", f"тяжесть ({given} м/с²)"))
    chosen, chain = chain_to(model, frame)
    moving = {body.number for body in chain if body.joint.type.key != "fixed"}
    bodies = {body.name: body for body in model.bodies}
    root = to_document(model)
    lost: dict[str, list[Node]] = {}
    for node in root.walk():
        if node.key == "body":
            body = bodies[str(node.text("name"))]
            owner = body
            while owner.joint.type.key == "fixed" and owner.base:
                owner = model.bodies[owner.base - 1]
            if owner.number not in moving:
                drop(node, losses, Text(f'it does not carry "{chosen.name}"', f"оно не несёт «{chosen.name}»"))
            elif body.number not in moving and body.mass and masses:
                losses.changed(
                    node.span,
                    Text(
                        f'{title(node).en}, fixed to "{owner.name}", became a part of it',
                        f"{title(node).ru}, закреплённое на «{owner.name}», стало его частью",
                    ),
                )
            drop_attributes(node, title(node), losses, *_ATTRIBUTES)
        for child in node.children:
            kept = child.key in ("body", "gravity") or (child.key == "frame" and child.text("name") == frame)
            if not kept and node.key in ("system", "body"):
                lost.setdefault(child.key, []).append(child)
    for nodes in lost.values():
        _many(nodes, losses)
    if not masses and any(body.mass for body in model.bodies):
        losses.dropped(None, Text("masses: screws say how an arm moves", "массы: винты говорят, как рука движется"))
    return losses.sorted()


_ATTRIBUTES = ("speed", "stiffness", "damping", "friction")
"""Of bodies, that rows do not have."""


def _many(nodes: Sequence[Node], losses: Losses) -> None:
    """Name nodes of one kind as lost, at the place of the first."""
    if len(nodes) == 1:
        drop(nodes[0], losses)
        return
    words = nodes[0].spec
    en, ru = words.written("en"), words.written("ru")
    losses.dropped(nodes[0].span, Text(f"{len(nodes)} × {en}", f"{len(nodes)} × {ru}"))
