"""From nodes to bodies: nesting and `base` become a tree, the tree becomes numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from sistel.errors import Diagnostics, Span, Text
from sistel.markup import Node
from sistel.model._assembly import MountedFile
from sistel.model._names import Names
from sistel.model._scope import Scope
from sistel.pose import IDENTITY, Rotation, Vector3, compose, rotate
from sistel.records import mutable


@mutable
class Draft:
    """A body on its way into the model."""

    node: Node
    part: MountedFile
    nested_in: Draft | None
    name: str = ""
    declared: int | None = None
    """The number that the file gives."""
    number: int = 0
    base: Draft | None = None
    """None for the ground."""
    joint_key: str = "fixed"
    joint_node: Node | None = None
    """Where the numbers of the joint are written: the body itself, or a joint among the links."""
    p_PB: Vector3 = (0.0, 0.0, 0.0)
    R_PB: Rotation = IDENTITY
    shift: Vector3 = (0.0, 0.0, 0.0)
    """Where the pole sits in the frame that the file uses: not 0 when a joint among the links became the base joint."""
    axis: Vector3 | None = None
    axis2: Vector3 | None = None
    """Set where the joint comes from the links."""
    loose: bool = False
    """Whether only joints among the links connect it."""
    children: list[Draft] = field(default_factory=list)

    def here(self, place: Vector3) -> Vector3:
        """A place of the file's frame in the frame of the model [m]."""
        return (place[0] - self.shift[0], place[1] - self.shift[1], place[2] - self.shift[2])


def collect(parts: list[MountedFile]) -> list[Draft]:
    """All bodies of all files, in the order of the files."""
    drafts = []
    for part in parts:
        stack: list[tuple[Node, Draft | None]] = [(node, None) for node in reversed(part.of("body"))]
        while stack:
            node, nested_in = stack.pop()
            draft = Draft(node, part, nested_in, joint_node=node)
            number = node.get("number")
            draft.declared = number if isinstance(number, int) and not part.included else None
            drafts.append(draft)
            stack.extend((child, draft) for child in reversed(list(node.of("body"))))
    return drafts


def name_bodies(drafts: list[Draft], names: Names, diagnostics: Diagnostics) -> None:
    """Give every body its name; bodies without one are called by their number, which must be known by then."""
    for draft in drafts:
        own = draft.node.text("name")
        draft.name = draft.part.scope.full(own) if own is not None else ""
        if own == "0" or draft.declared == 0:
            diagnostics.error(
                "ground-number",
                draft.node.at("name" if own == "0" else "number"),
                Text("0 is the ground", "0 — это земля"),
                expected=Text("a number from 1", "число от 1"),
            )
            draft.declared = None
    numbers: dict[int, Draft] = {}
    for draft in drafts:
        if draft.declared is None:
            continue
        first = numbers.setdefault(draft.declared, draft)
        if first is not draft:
            diagnostics.error(
                "same-number",
                draft.node.at("number"),
                Text(f"two bodies have the number {draft.declared}", f"у двух тел один номер {draft.declared}"),
                related=[(first.node.at("number"), Text("the first is here", "первое здесь"))],
                hint=Text(
                    "leave the numbers out, and sistel numbers the bodies itself",
                    "уберите номера, и тела будут пронумерованы сами",
                ),
            )
    free = (number for number in range(1, 2 * len(drafts) + 2) if number not in numbers)
    for draft in drafts:
        if not draft.name:
            # Without a name and a number, the order in the file decides; numbering the tree later agrees with it.
            draft.name = draft.part.scope.prefix + str(draft.declared if draft.declared is not None else next(free))
        elif draft.declared is None:
            next(free)
        names.declare("body", draft.name, draft.node.at("name") if "name" in draft.node.attributes else draft.node.span)


class Roster:
    """Finds bodies by name, or by the number that the main file gives them."""

    def __init__(self, drafts: list[Draft], names: Names) -> None:
        self.by_name = {draft.name: draft for draft in drafts}
        self.by_number = {str(draft.declared): draft for draft in drafts if draft.declared is not None}
        self.names = names
        self.mounts: dict[int, Draft | None] = {}
        """The body that carries each file, by the identity of the part."""

    def ground(self, part: MountedFile, place: Vector3, turn: Rotation) -> tuple[Draft | None, Vector3, Rotation]:
        """What a file calls its ground: the ground itself, or the place where an included file is mounted."""
        if not part.included:
            return None, place, turn
        x, y, z = rotate(part.R_PG, place)
        moved = (part.p_PG[0] + x, part.p_PG[1] + y, part.p_PG[2] + z)
        return self.mounts[id(part)], moved, compose(part.R_PG, turn)

    def find(self, name: str, part: MountedFile) -> Draft | None:
        """A body, or None."""
        found = self.by_name.get(part.scope.full(name))
        return self.by_number.get(name) if found is None and not part.included else found

    def refer(self, name: str, part: MountedFile, span: Span) -> Draft | None:
        """As `find`, with an error when there is none."""
        found = self.find(name, part)
        if found is None:
            self.names.unknown(("body",), name, part.scope, span, ["0"])
        return found


def connect(drafts: list[Draft], parts: list[MountedFile], roster: Roster, diagnostics: Diagnostics) -> None:
    """Find every body's base: the attribute, the nesting, the place of an included file, or the ground."""
    roster.mounts = {id(part): _mount(part, roster) for part in parts}
    for draft in drafts:
        values = draft.part.values
        place, turn = values.place(draft.node), values.turn(draft.node)
        given = draft.node.names("base")
        if given and draft.nested_in is not None:
            diagnostics.error(
                "two-bases",
                draft.node.at("base"),
                Text("the body is nested in another and names a base too", "тело вложено в другое и ещё называет базу"),
                hint=Text("keep one of the two", "оставьте что-то одно"),
            )
        if draft.nested_in is not None:
            draft.base = draft.nested_in
        elif given and given[0] != "0":
            draft.base = roster.refer(given[0], draft.part, draft.node.at("base"))
        else:
            draft.base, place, turn = roster.ground(draft.part, place, turn)
        draft.p_PB, draft.R_PB = place, turn
        # A joint that could not be read is an error already; taking it for a hinge keeps other messages sensible.
        draft.joint_key = draft.node.text("joint") or ("revolute" if "joint" in draft.node.failed else "fixed")
    _refuse_circles(drafts, diagnostics)


def _mount(part: MountedFile, roster: Roster) -> Draft | None:
    if part.base is None:
        return None
    found = roster.by_name.get(part.base)
    if found is None:
        roster.names.unknown(("body",), part.base, Scope(""), part.base_span, ["0"])
    return found


def _refuse_circles(drafts: list[Draft], diagnostics: Diagnostics) -> None:
    """Report bodies that are, through their bases, their own base, and put the first of each circle on the ground."""
    state: dict[int, int] = {}
    for draft in drafts:
        path: list[Draft] = []
        at: Draft | None = draft
        while at is not None and state.get(id(at), 0) == 0:
            state[id(at)] = 1
            path.append(at)
            at = at.base
        if at is not None and state[id(at)] == 1:
            circle = path[path.index(at) :]
            chain = " → ".join(body.name for body in (*circle, at)[:8])
            diagnostics.error(
                "base-cycle",
                at.node.at("base"),
                Text(
                    f"bodies are each other's base in a circle: {chain}",
                    f"тела являются базами друг друга по кругу: {chain}",
                ),
                hint=Text(
                    "cut the loop: describe one of the joints as a closure among the links",
                    "разорвите цикл: опишите одно из сочленений как замыкание среди связей",
                ),
            )
            at.base = None
        for body in path:
            state[id(body)] = 2


def order(drafts: list[Draft], diagnostics: Diagnostics, renumber: bool = False) -> list[Draft]:
    """Number the bodies and return them by number.

    The file's own numbers are kept when they are 1 to N with every base before its body; otherwise, or on request, the
    papers' subsystem numbering takes their place: from the ground along the bodies to an end, then back to the last
    branch.
    """
    for draft in drafts:
        draft.children = []
    roots = [draft for draft in drafts if draft.base is None]
    for draft in drafts:
        if draft.base is not None:
            draft.base.children.append(draft)
    depth_first = list(_depth_first(roots))
    declared = [draft for draft in drafts if draft.declared is not None]
    if renumber or not declared:
        _number(depth_first)
        return depth_first
    taken = {draft.declared for draft in declared}
    free = (number for number in range(1, len(drafts) + 1) if number not in taken)
    for draft in depth_first:
        draft.number = draft.declared if draft.declared is not None else next(free, 0)
    reason = _bad_numbers(drafts)
    if reason is not None:
        span, text = reason
        diagnostics.warning(
            "renumbered",
            span,
            text,
            hint=Text("the bodies are numbered anew, depth first", "тела пронумерованы заново, в глубину"),
        )
        _number(depth_first)
        return depth_first
    return sorted(drafts, key=lambda draft: draft.number)


def _depth_first(roots: list[Draft]) -> Iterator[Draft]:
    stack = list(reversed(roots))
    while stack:
        draft = stack.pop()
        yield draft
        stack.extend(reversed(draft.children))


def _number(drafts: list[Draft]) -> None:
    for number, draft in enumerate(drafts, 1):
        draft.number = number


def _bad_numbers(drafts: list[Draft]) -> tuple[Span, Text] | None:
    for draft in drafts:
        if not 1 <= draft.number <= len(drafts):
            span = draft.node.at("number")
            return span, Text(
                f"the numbers of {len(drafts)} bodies are not 1 to {len(drafts)}",
                f"номера тел ({len(drafts)}) — не от 1 до {len(drafts)}",
            )
        if draft.base is not None and draft.base.number >= draft.number:
            return draft.node.at("number"), Text(
                f"body {draft.number} stands before its base {draft.base.number}",
                f"тело {draft.number} стоит раньше своей базы {draft.base.number}",
            )
    return None
