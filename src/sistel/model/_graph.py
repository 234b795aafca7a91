"""Joints among the links: a description as a graph, of which sistel makes a tree and cut joints.

Breadth first from the ground: bodies stay as few joints away from it as possible, so loops are cut in their middle,
which keeps the branches, and with them the equations, short.
"""

from __future__ import annotations

from collections import deque

from sistel.errors import Diagnostics, Text
from sistel.markup import Node
from sistel.model._assembly import MountedFile
from sistel.model._bodies import Draft
from sistel.pose import Rotation, Vector3, compose, rotate, transpose
from sistel.records import mutable


@mutable
class Ending:
    """One end of a link, in the frame that the file uses."""

    draft: Draft | None
    """None for the ground."""
    place: Vector3
    turn: Rotation


@mutable
class Edge:
    """A joint among the links."""

    node: Node
    part: MountedFile
    name: str
    first: Ending
    second: Ending
    used: bool = False


def attach(drafts: list[Draft], edges: list[Edge], diagnostics: Diagnostics) -> list[Edge]:
    """Hang the loose bodies on the tree; the joints that are left over close loops and are returned."""
    touched: dict[int, list[Edge]] = {}
    for edge in edges:
        for end in (edge.first, edge.second):
            touched.setdefault(id(end.draft), []).append(edge)
    for draft in drafts:
        # A body says itself how it hangs on the tree by a joint, a base, or by standing inside another.
        said = {"joint", "base"} & draft.node.attributes.keys() or draft.nested_in is not None
        draft.loose = not said and id(draft) in touched
    loose = {id(draft) for draft in drafts if draft.loose}
    by_base: dict[int, list[Draft]] = {}
    for draft in drafts:
        if draft.base is not None and not draft.loose:
            by_base.setdefault(id(draft.base), []).append(draft)
    carried = {id(child) for draft in drafts if draft.loose for child in _below(draft, by_base)}
    queue: deque[Draft | None] = deque([None])
    queue.extend(draft for draft in drafts if not draft.loose and id(draft) not in carried)
    seen = {id(draft) for draft in queue}
    while queue:
        body = queue.popleft()
        for edge in touched.get(id(body), []):
            near, far = (edge.first, edge.second) if edge.first.draft is body else (edge.second, edge.first)
            if far.draft is None or id(far.draft) not in loose or id(far.draft) in seen or edge.used:
                continue
            _hang(far.draft, near, far, edge)
            seen.add(id(far.draft))
            queue.append(far.draft)
            for child in _below(far.draft, by_base):
                if id(child) not in seen:
                    seen.add(id(child))
                    queue.append(child)
    adrift = [draft for draft in drafts if id(draft) not in seen]
    if adrift:
        shown = ", ".join(draft.name for draft in adrift[:8]) + (" …" if len(adrift) > 8 else "")
        diagnostics.error(
            "not-connected",
            adrift[0].node.span,
            Text(f"nothing connects to the ground: {shown}", f"ничто не связывает с землёй: {shown}"),
            hint=Text(
                'give one of these bodies a joint with 0, or make it free: joint="free"',
                'задайте одному из этих тел сочленение с 0 или сделайте его свободным: КП="СКП"',
            ),
        )
    return [edge for edge in edges if not edge.used]


def _below(draft: Draft, by_base: dict[int, list[Draft]]) -> list[Draft]:
    """Bodies nested below a loose body: they come along with it."""
    found, stack = [], [draft]
    while stack:
        for child in by_base.get(id(stack.pop()), []):
            found.append(child)
            stack.append(child)
    return found


def _hang(draft: Draft, near: Ending, far: Ending, edge: Edge) -> None:
    """Make the joint the base joint of a body; the pole of the body moves onto it."""
    edge.used = True
    draft.base = near.draft
    draft.joint_key = edge.node.text("joint") or "revolute"
    draft.joint_node = edge.node
    draft.shift = far.place
    draft.p_PB = near.place if near.draft is None else near.draft.here(near.place)
    draft.R_PB = compose(near.turn, transpose(far.turn))
    values = edge.part.values
    axis = values.axis(edge.node, "axis", default_axis(draft.joint_key))
    axis2 = values.axis(edge.node, "axis2", (1.0, 0.0, 0.0))
    # The axis is given in the frame of the first end; at zero coordinates the two frames coincide.
    draft.axis = rotate(transpose(draft.R_PB), axis) if near is edge.first else axis
    draft.axis2 = axis2 if near is edge.first else rotate(transpose(draft.R_PB), axis2)


def default_axis(joint_key: str) -> Vector3:
    """Slides go along x, turns about z."""
    return (1.0, 0.0, 0.0) if joint_key == "prismatic" else (0.0, 0.0, 1.0)
