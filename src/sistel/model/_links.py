"""Closures, contacts, locks, couplings and springs: what holds bodies together beside the tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from sistel.errors import Diagnostics, Text
from sistel.markup import Node, Number
from sistel.model._assembly import MountedFile
from sistel.model._bodies import Roster
from sistel.model._check import first_part
from sistel.model._contact_elements import Blade, Contact, Pair, Round
from sistel.model._elements import Closure, Formula, Lock, Shape, Side, Spring
from sistel.model._formulas import formulas
from sistel.model._graph import Edge, Ending, default_axis
from sistel.model._names import Names
from sistel.model._outlines import CONVEX
from sistel.model._pairs import WORLDS, Touching, flat_corners, over_ground, read_pair
from sistel.model._parts import Placed, unused_axis, wrong_joint
from sistel.model._rolling import (
    Spot,
    check_rolling,
    check_squeezed,
    curved_ground,
    read_resistance,
    round_spot,
    slippery,
)
from sistel.model._solids import CORNERED, corner_spots
from sistel.model._surfaces import SurfaceReader, is_quantity
from sistel.model._values import DECIMAL_POINT
from sistel.model.joints import JointType
from sistel.pose import IDENTITY, Vector3, compose, rotate, transpose
from sistel.records import mutable
from sistel.units import LENGTH, PLAIN


@mutable
class LinkReader:
    """What reading a link needs to know."""

    roster: Roster
    names: Names
    places: dict[str, Placed]
    types: dict[str, JointType]
    planar: bool
    gravity: Vector3
    diagnostics: Diagnostics

    @property
    def surfaces(self) -> SurfaceReader:
        """Reads surfaces."""
        return SurfaceReader(self.names, self.planar, self.gravity, self.diagnostics)

    def _lacks(self, node: Node, message: Text, expected: Text) -> None:
        """Say that a link does not tell something of which there are several ways to tell it."""
        self.diagnostics.error("missing-attribute", node.span, message, expected=expected)

    def edges(self, parts: list[MountedFile]) -> list[Edge]:
        """The joints among the links."""
        made = []
        for part, node in links_of(parts, "joint"):
            name = part.scope.full(node.text("name") or "")
            first, second = self.ending(node, part, False), self.ending(node, part, True)
            if first is None or second is None or not name:
                continue
            if self._same_body(node, first, second):
                continue
            key = node.text("joint") or "revolute"
            if key not in self.types:
                wrong_joint(node, self.planar, self.diagnostics)
                continue
            made.append(Edge(node, part, name, first, second))
        return made

    def ending(self, node: Node, part: MountedFile, second: bool) -> Ending | None:
        """One end of a link: `body` and `at`, or `point`; for the second end `to` and `at-to`, or `point-to`."""
        body_key, at_key, point_key, turn_key = (
            ("to", "at-to", "point-to", "turn-to") if second else ("body", "at", "point", "turn")
        )
        turn = part.values.turn(node, turn_key)
        named = node.names(point_key)
        if named:
            for key in (body_key, at_key):
                if key in node.attributes:
                    self.diagnostics.error(
                        "two-places",
                        node.at(key),
                        Text(
                            "the place is given twice, by a point and by a body", "место задано дважды: точкой и телом"
                        ),
                    )
            found = self.names.refer(("point", "frame"), named[0], part.scope, node.at(point_key))
            if found is None:
                return None
            draft, place, axes = self.places[found[1]]
            return Ending(draft, place, compose(axes, turn))
        body = node.names(body_key)
        if not body and not second:
            self._lacks(
                node,
                Text("the link does not say on which body it is", "связь не говорит, на каком она теле"),
                Text("body or point", "тело или точка"),
            )
            return None
        place = part.values.place(node, at_key)
        if not body or body[0] == "0":
            return Ending(*self.roster.ground(part, place, turn))
        owner = self.roster.refer(body[0], part, node.at(body_key))
        return None if owner is None else Ending(owner, place, turn)

    def _same_body(self, node: Node, first: Ending, second: Ending) -> bool:
        if first.draft is not second.draft:
            return False
        self.diagnostics.error(
            "same-body",
            node.span,
            Text("both ends of the link are on one body", "оба конца связи на одном теле"),
        )
        return True

    def closures(self, parts: list[MountedFile], leftover: list[Edge]) -> tuple[Closure, ...]:
        """Declared closures, and the joints that sistel cut."""
        made = []
        for edge in leftover:
            self.names.declare("closure", edge.name, edge.node.at("name"))
            made.append(self._closure(edge.node, edge.part, edge.name, edge.first, edge.second, True, found=True))
        for part, node in links_of(parts, "closure"):
            name = self.declare(node, part)
            first, second = self.ending(node, part, False), self.ending(node, part, True)
            if name is None or first is None or second is None or self._same_body(node, first, second):
                continue
            made.append(self._closure(node, part, name, first, second, node.get("holds") is not False))
        return tuple(closure for closure in made if closure is not None)

    def _closure(
        self, node: Node, part: MountedFile, name: str, first: Ending, second: Ending, always: bool, found: bool = False
    ) -> Closure | None:
        key = node.text("joint") or "revolute"
        if key not in self.types:
            wrong_joint(node, self.planar, self.diagnostics)
            return None
        if key == "free":
            self.diagnostics.error(
                "closes-nothing",
                node.at("joint"),
                Text(
                    "a free joint holds nothing, so it closes no loop",
                    "свободная пара ничего не держит и цикла не замыкает",
                ),
            )
            return None
        kind = self.types[key]
        if not kind.uses_axis and "axis" in node.attributes:
            unused_axis(node, self.diagnostics)
        axis2 = (1.0, 0.0, 0.0)
        if kind.uses_axis2:
            axis2 = rotate(transpose(second.turn), part.values.axis(node, "axis2", axis2))
        elif "axis2" in node.attributes:
            unused_axis(node, self.diagnostics, "axis2")
        # `axis` is in the frame of the first body, as the file gives it; the side may have turned axes of its own.
        axis = part.values.axis(node, "axis", default_axis(key))
        return Closure(
            name=name,
            type=kind,
            first=side(first),
            second=side(second),
            axis=rotate(transpose(first.turn), axis) if kind.uses_axis else (0.0, 0.0, 1.0),
            axis2=axis2,
            always=always,
            found=found,
            span=node.span,
        )

    def declare(self, node: Node, part: MountedFile, kind: str | None = None) -> str | None:
        """The name of a link, which no other one has; None after an error."""
        own = node.text("name")
        if own is None:
            return None
        name = part.scope.full(own)
        return name if self.names.declare(kind or node.key, name, node.at("name")) else None

    def contacts(self, parts: list[MountedFile], shapes: Sequence[Shape]) -> tuple[Contact, ...]:
        """Points and round shapes that may rest on surfaces."""
        made: list[Contact] = []
        named = {shape.name: shape for shape in shapes if shape.name}
        for part, node in links_of(parts, "contact"):
            if "to" in node.attributes:
                found = self._pair(node, part, shapes, named)
                if found is not None:
                    made += self._touching(node, part, found)
                continue
            made += self._on_surface(node, part, named)
        if not self.planar:
            check_squeezed(made, self.diagnostics)
        return tuple(made)

    def _on_surface(self, node: Node, part: MountedFile, named: Mapping[str, Shape]) -> list[Contact]:
        """The contacts of a point or a shape with a surface."""
        if "surface" not in node.attributes and "surface" not in node.failed:
            self._lacks(
                node,
                Text("the contact does not say on what", "контакт не говорит, с чем он"),
                Text("surface or to", "поверхность или к"),
            )
        spots = self._spots(node, part, named)
        name = self.declare(node, part) if len(spots) < 2 else part.scope.full(node.text("name") or "")
        on = node.names("on")
        owner = self.roster.refer(on[0], part, node.at("on")) if on and on[0] != "0" else None
        gap = self.surfaces.gap(node.get("surface"), part, owner)
        if name is None or not spots or gap is None or (on and on[0] != "0" and owner is None):
            return []
        if len(spots) > 1 and not self.names.declare("pair", name, node.at("name")):
            return []
        (_, first), *_ = spots
        if first.body == (0 if owner is None else owner.number):
            self.diagnostics.error(
                "same-body",
                node.at("of" if node.names("of") else "point"),
                Text("the shape and the surface are on one body", "фигура и поверхность на одном теле")
                if node.names("of")
                else Text("the point and the surface are on one body", "точка и поверхность на одном теле"),
            )
            return []
        height = curved_ground(node, spots, gap, self.planar, self.diagnostics)
        if node.text("rolls") == "ideal" and not check_rolling(node, first, self.diagnostics):
            return []
        contact = self._contact(node, part, [spot.round for _, spot in spots])
        made = []
        for suffix, spot in spots:
            own = f"{name} {suffix}" if suffix else name
            if suffix and not self.names.declare("contact", own, node.at("name")):
                continue
            made.append(
                contact(
                    name=own,
                    point=spot.name,
                    body=spot.body,
                    p_BP=spot.place,
                    on=0 if owner is None else owner.number,
                    gap=gap,
                    round=spot.round,
                    rolls=node.text("rolls") == "ideal",
                    height=height,
                    pair=Pair(name, spot.name, "") if suffix else None,
                )
            )
        return made

    def _contact(self, node: Node, part: MountedFile, shapes: Sequence[Round | None]) -> partial[Contact]:
        """What makes the contacts of a node: how all of them rub, strike and roll."""
        coefficient, belt = self._friction(node, part), self._belt(node, part)
        restitution = part.values.fraction(node, "restitution")
        rolling, spinning = read_resistance(node, part.values, shapes, self.planar, self.diagnostics)
        return partial(
            Contact,
            friction=coefficient,
            impact=node.text("impact") or default_impact(node),
            restitution=restitution,
            belt=belt,
            resistance=rolling,
            spinning=spinning,
            span=node.span,
        )

    def _spots(self, node: Node, part: MountedFile, named: Mapping[str, Shape]) -> list[tuple[str, Spot]]:
        """All that of a body a contact lets touch a surface, with what their names have behind that of the contact."""
        of = node.names("of")
        if of and not node.names("point"):
            found = self.names.refer(("shape",), of[0], part.scope, node.at("of"))
            shape = None if found is None else named.get(found[1])
            if shape is not None and shape.kind in CORNERED and not self.planar:
                return corner_spots(node, shape, self.diagnostics)
            if shape is not None and shape.kind in CONVEX and self.planar:
                return flat_corners(shape, self.diagnostics)
        spot = self._spot(node, part, named)
        return [] if spot is None else [("", spot)]

    def _friction(self, node: Node, part: MountedFile) -> float | None:
        """The coefficient of friction of a contact, None where it sticks; its impacts are looked at, too."""
        friction, coefficient = node.get("friction"), None
        if isinstance(friction, tuple):
            items = [item for item in friction if not isinstance(item, str)]
            coefficient = part.values.expression(items[0], PLAIN, "") if len(items) == 1 else None
            if coefficient is None or float(coefficient) < 0:
                self.diagnostics.error(
                    "bad-friction",
                    node.at("friction"),
                    Text("this is no coefficient of friction", "это не коэффициент трения"),
                    expected=Text("a number from 0, stick, or none", "число от 0, сцепление или нет"),
                    hint=DECIMAL_POINT if len(items) == 2 else None,
                )
                coefficient = 0.0
        elif friction == "none":
            coefficient = 0.0
        if coefficient is not None and float(coefficient) == 0 and node.text("rolls") == "ideal":
            slippery(node, self.diagnostics)
        if node.text("impact") in ("plastic", "none") and "restitution" in node.attributes:
            self.diagnostics.warning(
                "no-rebound",
                node.at("restitution"),
                Text("after this impact nothing bounces off", "после такого удара ничто не отскакивает"),
                hint=Text('impact="newton" does', 'отскакивает при удар="ньютон"'),
            )
        return coefficient

    def _belt(self, node: Node, part: MountedFile) -> Formula | None:
        """The speed of a surface along itself; None where it stands."""
        made = formulas(node, "speed", part, self.names, self.diagnostics, 1)
        if made is None:
            return None
        why: Text | None = None
        if not self.planar:
            why = Text(
                "in space surfaces do not move along themselves", "в пространстве поверхности не движутся вдоль себя"
            )
        elif node.text("rolls") == "ideal":
            why = Text(
                "what rolls ideally does so on a surface at rest", "идеальное качение — по неподвижной поверхности"
            )
        elif first_part(made[0].expression, is_quantity) is not None:
            why = Text("a surface does not depend on the motion of bodies", "поверхность не зависит от движения тел")
        if why is not None:
            self.diagnostics.error("bad-surface", node.at("speed"), why)
            return None
        return made[0]

    def _tell_meshes(self, shapes: Sequence[Shape]) -> None:
        """Say that what may touch the world does not touch its meshes: once for each of them."""
        told = {each.span for each in self.diagnostics if each.code == "untouched-mesh"}
        for shape in shapes:
            if shape.obstacle and shape.kind == "mesh" and shape.span not in told:
                self.diagnostics.warning(
                    "untouched-mesh",
                    shape.span,
                    Text(
                        "bodies go through this mesh: nothing touches meshes",
                        "тела проходят сквозь эту сетку: сеток не касаются",
                    ),
                    hint=Text("put boxes in its place", "поставьте на её место коробки"),
                )

    def _pair(
        self, node: Node, part: MountedFile, shapes: Sequence[Shape], named: Mapping[str, Shape]
    ) -> Touching | None:
        """The two sides of a pair of shapes that may touch."""
        others: list[Shape] = []
        (to, *_) = node.names("to") or ("",)
        if to.casefold() in WORLDS and part.scope.full(to) not in named:
            others, to = [shape for shape in shapes if shape.obstacle and shape.kind != "mesh"], WORLDS[0]
            self._tell_meshes(shapes)
            if not others:
                message = Text("the file has no world with obstacles", "в файле нет мира с препятствиями")
                expected = Text("<world> with boxes and other shapes", "<мир> с препятствиями")
                self.diagnostics.error("no-world", node.at("to"), message, expected=expected)
                return None
        elif to:
            found = self.names.refer(("shape",), to, part.scope, node.at("to"))
            shape = None if found is None else named.get(found[1])
            if shape is None:
                return None
            others, to = [shape], shape.name
        of, down = node.names("of"), self.gravity if self.planar else None
        if of and not node.names("point"):
            known = self.names.refer(("shape",), of[0], part.scope, node.at("of"))
            first = None if known is None else named.get(known[1])
            if first is None:
                return None
            return read_pair(node, Pair("", first.name, to), first, others, down, self.diagnostics)
        spot = self._spot(node, part, named)
        if spot is None:
            return None
        pair = Pair("", spot.name, to, is_point=True)
        return read_pair(node, pair, spot, others, down, self.diagnostics)

    def _touching(self, node: Node, part: MountedFile, found: Touching) -> list[Contact]:
        """The contacts that come of a pair of shapes."""
        name = part.scope.full(node.text("name") or "")
        if any(each.suffix for each in found.candidates) and not self.names.declare("pair", name, node.at("name")):
            return []
        contact = self._contact(node, part, list({each.round: None for each in found.candidates}))
        pair = replace(found.pair, name=name)
        nothing = Number(value=0.0, dimension=LENGTH, unit=None, literal="0", span=node.span)
        made = []
        for each in found.candidates:
            own = f"{name} {each.suffix}" if each.suffix else name
            if not self.names.declare("contact", own, node.at("name")):
                continue
            made.append(
                contact(
                    name=own,
                    point=each.point,
                    body=each.body,
                    p_BP=each.place,
                    on=each.on,
                    gap=(each.ground and each.ground.surface) or Formula(expression=nothing, dimension=LENGTH),
                    round=each.round,
                    outline=each.outline,
                    pair=pair,
                    height=over_ground(each, self.planar),
                )
            )
        return made

    def _spot(self, node: Node, part: MountedFile, named: Mapping[str, Shape]) -> Spot | None:
        """What of a body a contact lets touch: a point, or a named round shape."""
        point, of = node.names("point"), node.names("of")
        if point and of:
            message = Text("the contact names a point and a shape", "контакт называет и точку, и фигуру")
            hint = Text("keep one of the two", "оставьте что-то одно")
            self.diagnostics.error("two-places", node.at("of"), message, hint=hint)
            return None
        if point:
            found = self.names.refer(("point", "frame"), point[0], part.scope, node.at("point"))
            if found is None:
                return None
            draft, place, _ = self.places[found[1]]
            number, here = (0, place) if draft is None else (draft.number, draft.here(place))
            return Spot(found[1], number, here)
        if of:
            found = self.names.refer(("shape",), of[0], part.scope, node.at("of"))
            shape = None if found is None else named.get(found[1])
            return None if shape is None else round_spot(node, shape, self.planar, self.diagnostics)
        if not node.failed & {"point", "of"}:
            self._lacks(
                node,
                Text("the contact does not say what touches", "контакт не говорит, что касается"),
                Text("point or of", "точка или чего"),
            )
        return None

    def blades(self, parts: list[MountedFile]) -> tuple[Blade, ...]:
        """Points that do not move across directions of their bodies."""
        made = []
        for part, node in links_of(parts, "blade"):
            name, point, on = self.declare(node, part), node.names("point"), node.names("on")
            found = self.names.refer(("point", "frame"), point[0], part.scope, node.at("point")) if point else None
            owner = self.roster.refer(on[0], part, node.at("on")) if on and on[0] != "0" else None
            across = part.values.axis(node, "across", (0.0, 1.0, 0.0))
            if name is None or found is None or (on and on[0] != "0" and owner is None):
                continue
            draft, place, _ = self.places[found[1]]
            if draft is owner:
                self.diagnostics.error(
                    "same-body",
                    node.at("point"),
                    Text("the blade cuts into its own body", "полоз врезается в собственное тело"),
                )
                continue
            made.append(
                Blade(
                    name=name,
                    point=found[1],
                    body=0 if draft is None else draft.number,
                    p_BP=place if draft is None else draft.here(place),
                    across=across,
                    on=0 if owner is None else owner.number,
                    always=node.get("holds") is not False,
                    span=node.span,
                )
            )
        return tuple(made)

    def locks(self, parts: list[MountedFile]) -> tuple[Lock, ...]:
        """Locks of joints and of bodies."""
        made = []
        for part, node in links_of(parts, "lock"):
            name = self.declare(node, part)
            rates: list[int] = []
            for index, target in enumerate(node.names("of")):
                found = self.names.coordinate(
                    target,
                    part.scope,
                    node.attributes["of"].parts[index] if node.attributes["of"].parts else node.at("of"),
                )
                rates += found.rates if found is not None else ()
            first = node.names("body")
            second = node.names("to")
            owner = self.roster.refer(first[0], part, node.at("body")) if first else None
            holder, _, _ = self.roster.ground(part, (0.0, 0.0, 0.0), IDENTITY)
            if second and second[0] != "0":
                holder = self.roster.refer(second[0], part, node.at("to"))
            if bool(first) == bool(node.names("of")):
                self.diagnostics.error(
                    "bad-lock",
                    node.span,
                    Text("a lock holds either coordinates or a body", "замок держит либо координаты, либо тело"),
                    expected=Text("of, or body and to", "чего, либо тело и к"),
                )
                continue
            if name is None or (first and owner is None) or (second and second[0] != "0" and holder is None):
                continue
            made.append(
                Lock(
                    name=name,
                    rates=tuple(rates),
                    first=owner.number if owner is not None else None,
                    second=None if owner is None else (holder.number if holder is not None else 0),
                    always=node.get("holds") is not False,
                    span=node.span,
                )
            )
        return tuple(made)

    def springs(self, parts: list[MountedFile]) -> tuple[Spring, ...]:
        """Springs between points."""
        made: list[Spring] = []
        for part in parts:
            for node in part.of("spring"):
                first, second = self.ending(node, part, False), self.ending(node, part, True)
                if first is None or second is None or self._same_body(node, first, second):
                    continue
                own = node.text("name")
                name = part.scope.full(own) if own is not None else f"{part.scope.prefix}spring {len(made) + 1}"
                self.names.declare("spring", name, node.at("name"))
                made.append(
                    Spring(
                        name=name,
                        first=side(first),
                        second=side(second),
                        stiffness=part.values.positive(node, "stiffness"),
                        damping=part.values.positive(node, "damping"),
                        length=part.values.positive(node, "length"),
                        span=node.span,
                    )
                )
        return tuple(made)


def default_impact(node: Node) -> str:
    """The impact rule of what names none: who gives a coefficient of restitution means it."""
    return "newton" if "restitution" in node.attributes else "plastic"


def side(ending: Ending) -> Side:
    """An end of a link in the frames of the model."""
    if ending.draft is None:
        return Side(body=0, p_BS=ending.place, R_BS=ending.turn)
    return Side(body=ending.draft.number, p_BS=ending.draft.here(ending.place), R_BS=ending.turn)


def links_of(parts: list[MountedFile], *keys: str) -> list[tuple[MountedFile, Node]]:
    """Links of some kinds, with the files that they stand in."""
    return [(part, node) for part in parts for links in part.of("links") for node in links.of(*keys)]
