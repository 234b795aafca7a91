"""A kinematic scheme in SVG → a document of XsysTel, and what of it did not carry over.

The correspondence of the papers, backwards: a nested ``<g>`` is a body, the translation of its transform is its pole
(КПТ), the turn is its state, the paths in it are its shapes; markers say how bodies are joined. A unit of the drawing
is a millimetre. Schemes that sistel draws say the kinds of joints besides, in ``data-joint``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import atan2, cos, radians, sin

from sistel.errors import Diagnostics, Text
from sistel.markup._document import Document, Node, make_node
from sistel.markup._losses import Losses
from sistel.markup._svgpath import check_path
from sistel.markup.formats._foreign import Reading, put, put_numbers
from sistel.markup.svg._bodies import Body, Ends, Mark
from sistel.markup.svg._bodies import near as _near
from sistel.markup.svg._geometry import STILL, Placed, Point, apply, compose, inverse, read_transform, vertices
from sistel.markup.svg._outlines import FIGURES, path_of
from sistel.markup.xml._element import Element, shorten
from sistel.units import ANGLE, LENGTH, PLAIN

MM = 1e-3
MARKS: dict[str, tuple[str, ...]] = {
    "earth": ("земля", "заземление", "earth", "ground"),
    "hinge": ("шарнир", "стойка", "hinge", "pivot", "support"),
    "carriage": ("каретка", "carriage", "slider"),
    "guide": ("направляющая", "guide"),
    "gripper": ("схват", "gripper"),
    "weld": ("жёстко", "жестко", "weld"),
    "motor": ("привод", "motor"),
    "spring": ("пружина", "spring", "coil"),
    "contact": ("контакт", "contact"),
    "note": ("центр", "поворот", "ход", "com", "turn", "travel"),
}
"""What markers mean, by the words that their names begin with."""
JOINTS = ("revolute", "prismatic", "prismatic2", "free", "fixed")
SILENT = ("title", "desc", "defs", "style", "metadata", "marker")
_NUMBER_AT_END = re.compile(r"(\d+)$")
_BODY_WORD = re.compile(r"(?:тело|звено|body|link|g)?[_\s-]*\d*", re.IGNORECASE)
_HATCH = re.compile(r"(?:M[-\d.]+,[-\d.]+l[-\d.]+,[-\d.]+)+")
_POINT = re.compile(r"[mM]\s*[-+\d.eE]+[\s,]*[-+\d.eE]+\s*(?:h\s*0|l\s*0[\s,]+0)?")
_URL = re.compile(r"url\(\s*[\"']?#([^\"')]+)")
_COLOUR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?|[a-zA-Z]{3,24}")
_PLAIN_COLOURS = ("none", "black", "currentcolor", "inherit", "transparent", "white")


def read_svg(root: Element, diagnostics: Diagnostics) -> tuple[Document | None, Losses]:
    """The document that a drawing stands for; None where there is no body in it.

    Args:
        root: The element ``svg``.
        diagnostics: Takes the problems.
    """
    return _Drawing(root, diagnostics).read()


class _Drawing:
    def __init__(self, root: Element, diagnostics: Diagnostics) -> None:
        self.root = root
        self.told = diagnostics
        self.losses = Losses()
        self.reading = Reading(self.losses, diagnostics)
        own = root.attributes.get("class")
        self.own = own is not None and "sistel-scheme" in own.text.split()
        self.markers = {
            (each.attributes["id"].text if "id" in each.attributes else ""): _meaning(each)
            for each in root.walk()
            if _plain(each) == "marker"
        }
        self.bodies: list[Body] = []
        self.numbered = False
        """Whether the ids of groups number the bodies from 1."""

    def read(self) -> tuple[Document | None, Losses]:
        """The whole drawing."""
        system = make_node("system", self.root.span, space="planar")
        title = next((each for each in self.root.children if _plain(each) == "title"), None)
        if title is not None and title.text:
            put(system, "name", title.text[0].text.strip()[:180] or None, title.span)
        ground = self._ground(system)
        self._fill(ground)
        for body in self.bodies:
            body.node.children[:0] = body.shapes
        if len(self.bodies) < 2:
            message = Text("there is no body in this drawing", "в этом рисунке нет ни одного тела")
            expected = Text("a group <g> for every body", "группа <g> для каждого тела")
            self.told.error("no-bodies", self.root.name_span, message, expected=expected)
            return None, self.losses
        numbers = [_number(body.element) or 0 for body in self.bodies[1:]]
        self.numbered = sorted(numbers) == [*range(1, len(self.bodies))]
        for place, body in enumerate(self.bodies[1:], 1):
            self._join(body, place)
        self._frames()
        links = self._closures()
        if links:
            system.children.append(make_node("links", self.root.span, *links))
        self._start(system)
        what = Text(
            "masses, limits, forces, motions and conditions: a drawing has none",
            "массы, пределы, силы, движения и условия: в рисунке их нет",
        )
        self.losses.dropped(self.root.span, what)
        return Document(system, self.root.source, "ru" if self._russian() else "en"), self.losses

    def _russian(self) -> bool:
        # The schemes of sistel have Russian names for markers and groups, and titles of the author's.
        titles = (each.text[0].text for each in self.root.walk() if _plain(each) == "title" and each.text)
        return any(not word.isascii() for word in (titles if self.own else self.markers))

    # --- groups ------------------------------------------------------------------------------------------------------

    def _ground(self, system: Node) -> Body:
        """The group of the ground, or the drawing itself."""
        groups = [each for each in self.root.children if _plain(each) == "g"]
        named = [each for each in groups if _number(each) == 0 or "earth" in self._kinds(each)]
        first = named[0] if named else None
        if first is None and len(groups) == 1 and _number(groups[0]) in (None, 0):
            first = groups[0]
        if first is None:
            return self._body(self.root, None, system)
        for each in self.root.children:
            if each is not first and not (self.own or _plain(each) in SILENT):
                self._drop(each, Text("it stands beside the ground", "стоит рядом с основанием"))
        return self._body(first, None, system)

    def _kinds(self, group: Element) -> set[str]:
        """What the markers of a group's own lines mean."""
        return {kind for each in group.children if _plain(each) in FIGURES for _, kind in self._named(each)}

    def _body(self, element: Element, base: Body | None, node: Node) -> Body:
        transform = None if base is None and element is self.root else element.attributes.get("transform")
        placed = Placed() if transform is None else read_transform(transform.value, self.told)
        # The ground may stand anywhere on the paper.
        X_W = STILL if base is None else compose(base.X_W, placed.matrix)
        body = Body(element=element, base=base, placed=placed, X_W=X_W, node=node)
        self.bodies.append(body)
        return body

    def _fill(self, ground: Body) -> None:
        """Shapes, marks and bodies, in the order of the file; no recursion, for chains are long."""
        stack = [ground]
        while stack:
            body = stack.pop()
            inner: list[Body] = []
            for each in body.element.children:
                name = _plain(each)
                if name == "g":
                    node = make_node("body", each.span)
                    body.node.children.append(node)
                    inner.append(self._body(each, body, node))
                elif name in FIGURES:
                    body.over = body.over or bool(inner)
                    self._figure(each, name, body)
                elif name not in SILENT and not (self.own and body is ground):
                    self._drop(each, Text("schemes have no such thing", "в схемах такого нет"))
            stack.extend(reversed(inner))

    def _drop(self, element: Element, why: Text) -> None:
        label = shorten(element.label, 60)
        self.losses.dropped(element.span, Text(f"{label}: {why.en}", f"{label}: {why.ru}"))

    # --- shapes and marks --------------------------------------------------------------------------------------------

    def _named(self, element: Element) -> Iterator[tuple[str, str]]:
        """The ends of a line that bear markers, and what those mean."""
        style = element.attributes.get("style")
        rows = [] if style is None else [part.partition(":")[::2] for part in style.text.split(";")]
        said = {key.strip(): value for key, value in rows}
        for end in ("start", "mid", "end"):
            attribute = element.attributes.get(f"marker-{end}")
            value = attribute.text if attribute is not None else said.get(f"marker-{end}", "")
            found = _URL.search(value)
            if found is not None:
                yield end, self.markers.get(found[1], "") or _word_meaning(found[1])

    def _figure(self, element: Element, name: str, body: Body) -> None:
        d = path_of(element, name, self.told)
        if d is None:
            self._drop(element, Text("nothing is to be seen of it", "его не видно"))
            return
        if name == "path" and not check_path(element.attributes["d"].value, self.told):
            return
        transform = element.attributes.get("transform")
        placed = Placed() if transform is None else read_transform(transform.value, self.told)
        corners = [apply(placed.matrix, corner) for corner in vertices(d)]
        marks = list(self._marks(element, corners, placed))
        bare = _POINT.fullmatch(d) is not None
        if self.own and self._drawn_by_itself(element, d, body):
            return
        body.marks += marks
        if bare:
            return
        body.corners += corners
        shape = make_node("shape", element.span)
        span = element.attributes["d"].value.span() if name == "path" else element.span
        put(shape, "d", d, span)
        if placed.place != (0.0, 0.0):
            put_numbers(shape, "place", [each * MM for each in placed.place], LENGTH, element.span)
        if placed.angle:
            put_numbers(shape, "turn", [radians(placed.angle)], ANGLE, element.span)
        put(shape, "colour", _colour(element, closed="z" in d.lower()), element.span)
        body.shapes.append(shape)

    def _drawn_by_itself(self, element: Element, d: str, body: Body) -> bool:
        """Whether sistel draws this anew: hatches and the line of the ground, springs, marks of contacts."""
        kind = element.attributes.get("class")
        words = () if kind is None else tuple(kind.text.split())
        if "spring" in words or "touch" in words:
            self._drop(element, Text("forces are not read from drawings", "силы из рисунков не читаются"))
            return True
        if body.base is not None or words != ("earth",):
            return False
        return _HATCH.fullmatch(d) is not None or "marker-mid" in element.attributes

    def _marks(self, element: Element, corners: list[Point], placed: Placed) -> Iterator[Mark]:
        for end, kind in self._named(element):
            if not kind:
                what = Text("the meaning of this marker is not known", "что значит этот маркер, неизвестно")
                self._drop(element, what)
                continue
            if kind in ("motor", "spring", "contact"):
                self._drop(element, Text(f"a mark of a {kind}", f"знак «{MARKS[kind][0]}»"))
                continue
            ends = {"start": corners[:1], "mid": corners[1:-1], "end": corners[-1:]}
            for corner in ends[end]:
                yield Mark(kind=kind, at=corner, angle=placed.angle, span=element.span)

    # --- joints ------------------------------------------------------------------------------------------------------

    def _join(self, body: Body, place: int) -> None:
        """Number, name, kind of joint, pole and axis of a body."""
        node, element = body.node, body.element
        number = _number(element)
        if self.numbered:
            put(node, "number", number, element.span)
        body.name = self._name(body, number or place)
        put(node, "name", body.name, element.span)
        body.joint = self._kind(body)
        put(node, "joint", body.joint, element.span)
        put_numbers(node, "place", [each * MM for each in body.placed.place], LENGTH, element.span)
        if body.joint == "fixed" and body.placed.angle:
            put_numbers(node, "turn", [radians(body.placed.angle)], ANGLE, element.span)
        if body.joint == "prismatic":
            self._axis(body)

    def _name(self, body: Body, number: int) -> str:
        title = next((each for each in body.element.children if _plain(each) == "title" and each.text), None)
        label = body.element.attributes.get("id")
        wanted = title.text[0].text.strip() if title is not None else ""
        if not wanted and label is not None and _BODY_WORD.fullmatch(label.text) is None:
            wanted = label.text
        return self.reading.fresh(wanted or str(number), body.element.span)

    def _kind(self, body: Body) -> str:
        said = body.element.attributes.get("data-joint")
        if said is not None:
            if said.text in JOINTS:
                return said.text
            message = Text(
                f'there is no planar joint "{shorten(said.text, 40)}"',
                f"нет плоского сочленения «{shorten(said.text, 40)}»",
            )
            expected = Text(", ".join(JOINTS), ", ".join(JOINTS))
            self.told.error("unknown-value", said.value.span(), message, expected=expected)
        if body.at_pole("carriage", "guide") or (body.base and self._guide_of(body)):
            return "prismatic"
        ground = body.base is self.bodies[0]
        # A free body carries the hinges of those that hang on its pole, so its lines lie over theirs.
        if ground and body.over:
            return "free"
        if body.at_pole("hinge"):
            return "revolute"
        if body.at_pole("weld"):
            return "fixed"
        if body.placed.turns and ground:
            return "free"
        if self._hung(body):
            return "revolute"
        if body.placed.turns:
            hinge = Text(
                "nothing says how this body is joined: it is turned, and taken for one on a hinge",
                "ничто не говорит, как присоединено это тело: оно повёрнуто, и принято, что на шарнире",
            )
            self.losses.changed(body.element.span, hinge)
            return "revolute"
        guess = Text(
            "nothing says how this body is joined: it is taken for a fixed one",
            "ничто не говорит, как присоединено это тело: принято, что жёстко",
        )
        self.losses.changed(body.element.span, guess)
        return "fixed"

    def _hung(self, body: Body) -> bool:
        """Whether the body that carries it has a hinge where its pole is."""
        assert body.base is not None
        pole = body.placed.place
        return any(mark.kind == "hinge" and _near(mark.at, pole, 1e-6) for mark in body.base.marks)

    def _guide_of(self, body: Body) -> bool:
        assert body.base is not None
        pole = body.placed.place
        return any(mark.kind == "guide" and _near(mark.at, pole, 1e-6) for mark in body.base.marks)

    def _axis(self, body: Body) -> None:
        """The way of a slide: as the scheme says, or along its carriage."""
        said = body.element.attributes.get("data-axis")
        mark = body.at_pole("carriage", "guide")
        span = body.element.span
        words = {"x": (1.0, 0.0), "y": (0.0, 1.0), "-x": (-1.0, 0.0), "-y": (0.0, -1.0)}
        way: Point | None = None if said is None else words.get(said.text.strip())
        if said is not None and way is None:
            try:
                x, y = (float(word) for word in said.text.split(","))
                way = (x, y)
            except ValueError:
                message = Text("this is no axis in the plane", "это не ось на плоскости")
                expected = Text("x, y or two numbers", "x, y или два числа")
                self.told.error("bad-axis", said.value.span(), message, expected=expected)
        if way is None:
            placed = Placed() if mark is None else Placed(angle=mark.angle)
            way = _direction(placed.angle)
        # Its base turns the axis, the body itself does not.
        put_numbers(body.node, "axis", way, PLAIN, span)

    # --- what closes loops, frames, the state ------------------------------------------------------------------------

    def _frames(self) -> None:
        word = "схват" if self._russian() else "gripper"
        for body in self.bodies:
            for mark in body.marks:
                if mark.kind == "gripper":
                    frame = make_node("frame", mark.span)
                    put(
                        frame,
                        "name",
                        self.reading.fresh(word, mark.span),
                        mark.span,
                    )
                    put_numbers(frame, "place", [each * MM for each in mark.at], LENGTH, mark.span)
                    body.node.children.append(frame)

    def _closures(self) -> list[Node]:
        """Hinges and welds that are no joints of the tree: they close loops between the bodies that end there."""
        ends = Ends(self.bodies)
        made: list[Node] = []
        for body in self.bodies:
            for mark in body.marks:
                at = apply(body.X_W, mark.at)
                if mark.kind not in ("hinge", "weld") or self._of_tree(body, mark, ends) or not ends.first_at(at):
                    continue
                found = ends.joined(body, mark.at)
                if not found and body.base is not None:
                    found = [(self.bodies[0], at)]
                    what = Text(
                        "nothing else ends at this joint: it is taken for one with the ground",
                        "в этом сочленении больше ничто не кончается: принято, что оно с основанием",
                    )
                    self.losses.changed(mark.span, what)
                elif not found:
                    what = Text("a joint of the ground with nothing", "сочленение основания ни с чем")
                    self.losses.dropped(mark.span, what)
                for other, there in found:
                    made.append(self._closure(mark, body, other, there, len(made) + 1))
        return made

    def _of_tree(self, body: Body, mark: Mark, ends: Ends) -> bool:
        """Whether a mark is that of a joint of the tree: of its own body, or of one that hangs there."""
        pole = _near(mark.at, (0.0, 0.0), 1e-6)
        if pole and body.base is not None and body.joint in (("revolute",) if mark.kind == "hinge" else ("fixed",)):
            return True
        if self.own and body.joint != "free":
            return False  # there every body bears the mark of its own joint
        return any(
            other.base is body and other.joint in ("revolute", "fixed") and ends.hangs(other, apply(body.X_W, mark.at))
            for other, _ in ends.at(apply(body.X_W, mark.at))
        )

    def _closure(self, mark: Mark, body: Body, other: Body, there: Point, number: int) -> Node:
        closure = make_node("closure", mark.span, joint="revolute" if mark.kind == "hinge" else "fixed")
        word = "разрез" if self._russian() else "cut"
        put(closure, "name", self.reading.fresh(f"{word} {number}", mark.span, "links"), mark.span)
        put(closure, "body", (body.name if body.base else "0",), mark.span)
        put_numbers(closure, "at", [each * MM for each in mark.at], LENGTH, mark.span)
        put(closure, "to", (other.name if other.base else "0",), mark.span)
        put_numbers(closure, "at-to", [each * MM for each in there], LENGTH, mark.span)
        if mark.kind == "weld":
            step = compose(inverse(other.X_W), body.X_W)
            put_numbers(closure, "turn-to", [atan2(step[1], step[0])], ANGLE, mark.span)
        return closure

    def _start(self, system: Node) -> None:
        """The state that is drawn."""
        rows = []
        for body in self.bodies[1:]:
            if body.joint in ("revolute", "free") and body.placed.angle:
                row = make_node("coordinate", body.element.span)
                name = body.name if body.joint == "revolute" else f"{body.name}.angle"
                put(row, "of", (name,), body.element.span)
                put_numbers(row, "value", [radians(body.placed.angle)], ANGLE, body.element.span)
                rows.append(row)
        if rows:
            system.children.append(make_node("start", self.root.span, *rows))


def _plain(element: Element) -> str:
    """The name of an element without its prefix."""
    return element.name.rpartition(":")[2]


def _number(element: Element) -> int | None:
    label = element.attributes.get("id")
    found = None if label is None else _NUMBER_AT_END.search(label.text)
    return int(found[1]) if found is not None and len(found[1]) < 9 else None


def _meaning(marker: Element) -> str:
    label = marker.attributes.get("id")
    found = "" if label is None else _word_meaning(label.text)
    title = next((each for each in marker.children if _plain(each) == "title" and each.text), None)
    return found or ("" if title is None else _word_meaning(title.text[0].text))


def _word_meaning(word: str) -> str:
    word = word.strip().casefold()
    return next((kind for kind, words in MARKS.items() if word.startswith(words)), "")


def _direction(degrees: float) -> Point:
    return {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), -90.0: (0.0, -1.0), 180.0: (-1.0, 0.0)}.get(
        degrees, (cos(radians(degrees)), sin(radians(degrees)))
    )


def _colour(element: Element, closed: bool) -> str | None:
    """The colour of a shape: of its inside, or of a line that is open."""
    key = "fill" if closed else "stroke"
    style = element.attributes.get("style")
    rows = [] if style is None else [part.partition(":")[::2] for part in style.text.split(";")]
    said = {name.strip(): value.strip() for name, value in rows}
    attribute = element.attributes.get(key)
    found = said.get(key, "" if attribute is None else attribute.text.strip())
    return found if _COLOUR.fullmatch(found) and found.casefold() not in _PLAIN_COLOURS else None
