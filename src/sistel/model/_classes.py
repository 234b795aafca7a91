"""Structural classes: what the papers call СТОВ, СТВ, ДСТОВ, ДСТВ and ДСТ, from the graph of the bodies.

Nodes are the bodies and the ground; edges are joints, closures, contacts that hold, and locks of body to body. A free
joint is no mechanical contact and closes no loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from sistel.model._contact_elements import Blade, Contact
from sistel.model._elements import Body, Closure, Coupling, Lock
from sistel.model._model import Change
from sistel.model.joints import constraints
from sistel.records import entry

Edge = tuple[int, int]


@entry
class Topology:
    """What the graph of one structure tells."""

    structure_class: str
    loops: int
    dof: int
    rolling: int
    """Velocities that are held without any place: of what rolls, and across blades."""


def classify(
    bodies: Sequence[Body],
    holds: Iterable[Closure | Contact | Blade | Lock | Coupling],
    changes: Sequence[Change],
    planar: bool,
    slides: Collection[str] = (),
) -> Topology:
    """Class, loops and degrees of freedom (Grübler) of a structure."""
    links = list(holds)
    types = {body.number: body.joint.type for body in bodies} | {change.body: change.type for change in changes}
    # Bodies that are fixed to their base are one body with it.
    whole = list(range(len(bodies) + 1))
    for body in bodies:
        if types[body.number].key == "fixed":
            whole[body.number] = whole[body.base]
    tree = [(whole[body.base], body.number) for body in bodies if whole[body.number] == body.number]
    solid = [edge for edge in tree if types[edge[1]].key != "free"]
    for link in links:
        if isinstance(link, Closure):
            solid.append((whole[link.first.body], whole[link.second.body]))
        elif isinstance(link, (Contact, Blade)):
            solid.append((whole[link.on], whole[link.body]))
        elif isinstance(link, Lock) and link.first is not None:
            solid.append((whole[link.first], whole[link.second or 0]))
    # Heel and toe of one foot on the ground close no loop: links between the same two bodies count once.
    solid = list(dict.fromkeys((min(edge), max(edge)) for edge in solid if edge[0] != edge[1]))
    parent = list(range(len(bodies) + 1))
    loops = sum(not _join(parent, *edge) for edge in solid)
    dof = sum(kind.nv for kind in types.values()) - sum(_removed(link, planar, link.name in slides) for link in links)
    rolling = sum(_rolling(link, planar, link.name in slides) for link in links)
    return Topology(("П" if planar else "") + _name(tree, solid, loops), loops, dof, rolling)


def _join(parent: list[int], a: int, b: int) -> bool:
    """Union of two sets of bodies; False when they were one already (the edge closes a loop)."""
    a, b = _root(parent, a), _root(parent, b)
    if a == b:
        return False
    parent[a] = b
    return True


def _root(parent: list[int], at: int) -> int:
    while parent[at] != at:
        parent[at] = parent[parent[at]]
        at = parent[at]
    return at


def _removed(link: Closure | Contact | Blade | Lock | Coupling, planar: bool, slides: bool) -> int:
    """How many motions a link forbids."""
    if isinstance(link, Closure):
        return constraints(link.type, planar)
    if isinstance(link, Contact):
        return 1 if slides or not link.grips else (2 if planar else 3)
    if isinstance(link, Lock):
        return len(link.rates) if link.first is None else (3 if planar else 6)
    return 1


def _rolling(link: Closure | Contact | Blade | Lock | Coupling, planar: bool, slides: bool) -> int:
    """How many velocities a link holds without holding a place."""
    if isinstance(link, Contact) and link.round is not None:
        return _removed(link, planar, slides) - 1
    return int(isinstance(link, Blade))


def _name(tree: list[Edge], solid: list[Edge], loops: int) -> str:
    """СТОВ: one open branch; СТВ: one branch, closed; ДСТОВ, ДСТВ: a tree of branches, open or with closed ones."""
    children = Counter(base for base, _ in tree)
    branching = any(count > 1 for number, count in children.items() if number != 0)
    if loops == 0:
        return "ДСТОВ" if branching or children[0] > 1 else "СТОВ"
    # One closed branch is a single ring through the ground on which every body lies.
    degree = Counter(number for edge in solid for number in edge)
    ring = loops == 1 and degree[0] == 2 and all(degree[number] == 2 for _, number in tree)
    return "СТВ" if ring and not branching else "ДСТВ"
