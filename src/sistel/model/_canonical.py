"""Model → canonical document: one spelling, expressions evaluated, units as in the schema, inclusions resolved.

Stylesheets and the writers of other formats read this form. Every body has its number, name, joint and place; what
equals its default is left out otherwise. Bodies are nested as the tree is, unless the tree is deeper than XML tools
like (`DEEPEST`): then they stand flat, each with its `base`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from sistel import units
from sistel.errors import Span
from sistel.markup import MEASURES, Compare, Expression, Measure, Node, Number, make_node, si
from sistel.model._canonical_drives import belt_values, drive_nodes
from sistel.model._canonical_schemes import put_truths, scheme_nodes
from sistel.model._contact_elements import Blade, Contact, Pair, Track
from sistel.model._elements import Body, Closure, Coupling, Force, Formula, Lock, Motion, Motor, Shape, Side, Stop
from sistel.model._formulas import si_number
from sistel.model._model import Model, Picture, Posture, Structure, Transition
from sistel.model._structures import ONLY
from sistel.pose import (
    IDENTITY,
    Rotation,
    Vector3,
    axis_angle,
    from_axis_angle,
    from_roll_pitch_yaw,
    norm,
    roll_pitch_yaw,
    rotate,
)

DEEPEST = 100

Values = tuple[Expression, ...]


class _OnBody(Protocol):
    @property
    def body(self) -> int: ...


_T = TypeVar("_T", bound=_OnBody)


def to_document(model: Model) -> Node:
    """The root of the canonical document."""
    return _Canonical(model).root()


class _Canonical:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.span: Span = model.span
        # Grouped once, so that a long chain costs no more per body than a short one.
        self.points = _by_body(model.points)
        self.frames = _by_body(model.frames)
        self.shapes = _by_body(model.shapes)
        self.forces = _by_body(model.forces)
        self.motors = _by_body(model.motors)
        self.stops = _by_body(model.stops)

    def root(self) -> Node:
        model = self.model
        root = make_node(
            "system",
            self.span,
            name=model.name,
            class_=model.structure_class,
            space="planar" if model.planar else "spatial",
            version=1,
            about=model.about or None,
        )
        add = root.children.extend
        add(
            make_node(
                "parameter",
                parameter.span,
                name=parameter.name,
                value=(self._quantity(parameter.value, parameter.dimension),),
                min=None if parameter.minimum is None else (self._quantity(parameter.minimum, parameter.dimension),),
                max=None if parameter.maximum is None else (self._quantity(parameter.maximum, parameter.dimension),),
                about=parameter.about or None,
            )
            for parameter in model.parameters
        )
        value, along = _written_gravity(model.gravity)
        root.children.append(
            make_node(
                "gravity",
                self.span,
                value=si(value, units.ACCELERATION, self.span),
                along=None if along is None else si(along[: self.size], units.PLAIN, self.span),
            )
        )
        add(self._fixed_parts(0))
        add(self._bodies())
        add(
            make_node(
                "spring",
                spring.span,
                name=spring.name,
                **self._sides(spring.first, spring.second),
                stiffness=si(spring.stiffness, units.STIFFNESS, self.span) if spring.stiffness else None,
                damping=si(spring.damping, units.DAMPING, self.span) if spring.damping else None,
                length=si(spring.length, units.LENGTH, self.span) if spring.length else None,
            )
            for spring in model.springs
        )
        add(self._track(track) for track in model.tracks)
        add(self._motion(motion) for motion in model.motions)
        links = self._links()
        if links.children:
            root.children.append(links)
        add(scheme_nodes(model))
        add(self._state())
        add(self._posture("posture", posture) for posture in model.postures)
        add(
            make_node("group", group.span, name=group.name, of=tuple(self._name(number) for number in group.bodies))
            for group in model.groups
        )
        if model.picture is not None:
            root.children.append(self._picture(model.picture))
        put_truths(root, model)
        return root

    @property
    def size(self) -> int:
        return 2 if self.model.planar else 3

    def _quantity(self, value: float, dimension: units.Dimension) -> Number:
        return si_number(value, dimension, self.span)

    def _name(self, number: int) -> str:
        return "0" if number == 0 else self.model.bodies[number - 1].name

    def _place(self, place: Vector3, always: bool = False) -> Values | None:
        return si(place[: self.size], units.LENGTH, self.span) if always or any(place) else None

    def _turn(self, turn: Rotation) -> Values | None:
        """The shortest form that reads back to the bit: one angle in the plane; three, axis and angle, or a matrix."""
        if turn == IDENTITY:
            return None
        if self.model.planar:
            angle = math.atan2(turn[1][0], turn[0][0])
            near = [angle + ulps * math.ulp(angle) for ulps in (0, 1, -1, 2, -2, 3, -3, 4, -4)]
            exact = next((a for a in near if from_axis_angle((0.0, 0.0, 1.0), a) == turn), angle)
            return si(exact, units.ANGLE, self.span)
        angles = tuple(_whole_degrees(angle) for angle in roll_pitch_yaw(turn))
        if from_roll_pitch_yaw(*angles) == turn:
            return si(angles, units.ANGLE, self.span)
        axis, angle = axis_angle(turn)
        if from_axis_angle(axis, angle) == turn:
            return (*si(axis, units.PLAIN, self.span), *si(angle, units.ANGLE, self.span))
        return si((*turn[0], *turn[1], *turn[2]), units.PLAIN, self.span)

    def _measured(self, measure: Measure, values: Sequence[float], kinds: Iterable[str]) -> Values:
        made: list[Expression] = []
        for value, kind in zip(values, kinds, strict=True):
            made += si(value, MEASURES[measure][1 if kind == "turn" else 0][0], self.span)
        return tuple(made)

    def _bodies(self) -> list[Node]:
        model = self.model
        depth = [0] * (len(model.bodies) + 1)
        for body in model.bodies:
            depth[body.number] = depth[body.base] + 1
        flat = max(depth) > DEEPEST
        nodes: dict[int, Node] = {}
        top = []
        for body in model.bodies:
            node = nodes[body.number] = self._body(body, flat)
            if flat or body.base == 0:
                top.append(node)
            else:
                nodes[body.base].children.append(node)
        return top

    def _body(self, body: Body, flat: bool) -> Node:
        joint = body.joint
        kinds = tuple(kind for _, kind in joint.type.rates)
        planar = self.model.planar
        axis = joint.axis if joint.type.uses_axis else None
        inertia = body.I_BBcm_B[2:3] if planar else body.I_BBcm_B[: 6 if any(body.I_BBcm_B[3:]) else 3]

        def measured(measure: Measure, values: tuple[float, ...], absent: float) -> Values | None:
            return self._measured(measure, values, kinds) if any(value != absent for value in values) else None

        node = make_node(
            "body",
            body.span,
            number=body.number,
            name=body.name,
            base=(self._name(body.base),) if flat and body.base else None,
            joint=joint.type.key,
            joint_name=joint.name if joint.name != body.name else None,
            place=self._place(body.p_PB, always=True),
            turn=self._turn(body.R_PB),
            axis=None
            if axis is None
            else si(axis[:2] if planar and not _is_letter(axis) else axis, units.PLAIN, self.span),
            axis2=si(joint.axis2, units.PLAIN, self.span) if joint.type.uses_axis2 else None,
            min=measured("position", joint.minimum, -math.inf),
            max=measured("position", joint.maximum, math.inf),
            speed=measured("rate", joint.speed, math.inf),
            mass=si(body.mass, units.MASS, self.span) if body.mass else None,
            com=self._place(body.p_BoBcm_B),
            inertia=si(inertia, units.INERTIA, self.span) if any(inertia) else None,
            stiffness=measured("stiffness", joint.stiffness, 0.0),
            rest=measured("position", joint.rest, 0.0),
            damping=measured("damping", joint.damping, 0.0),
            friction=measured("force", joint.friction, 0.0),
        )
        node.children += self._fixed_parts(body.number)
        node.children += [self._force(force) for force in self.forces.get(body.number, ())]
        node.children += [self._motor(motor) for motor in self.motors.get(body.number, ())]
        node.children += [self._stop(stop, kinds) for stop in self.stops.get(body.number, ())]
        return node

    def _fixed_parts(self, number: int) -> list[Node]:
        """Points, frames and shapes of a body."""
        made = [
            make_node("point", point.span, name=point.name, place=self._place(point.p_BP, always=True))
            for point in self.points.get(number, ())
        ]
        made += [
            make_node(
                "frame",
                frame.span,
                name=frame.name,
                place=self._place(frame.p_BF, always=True),
                turn=self._turn(frame.R_BF),
            )
            for frame in self.frames.get(number, ())
        ]
        obstacles = make_node("world", self.span)
        for shape in self.shapes.get(number, ()):
            node = make_node(shape.kind, shape.span, name=shape.name or None, colour=shape.colour)
            if shape.kind != "profile":
                node.attributes |= make_node(shape.kind, shape.span, place=self._place(shape.p_BS)).attributes
            if shape.kind not in ("wheel", "profile"):
                node.attributes |= make_node(shape.kind, shape.span, turn=self._turn(shape.R_BS)).attributes
            node.attributes |= make_node(shape.kind, shape.span, **self._sizes(shape)).attributes
            (obstacles.children if shape.obstacle else made).append(node)
        return [*made, obstacles] if obstacles.children else made

    def _sizes(self, shape: Shape) -> dict[str, Values | Compare | str | None]:
        if shape.surface is not None:
            return {"surface": self._surface(shape.surface), "shown": si(shape.shown, units.LENGTH, self.span)}
        if shape.kind == "shape":
            return {"d": shape.d}
        if shape.kind == "mesh":
            return {"file": shape.path, "scale": si(shape.sizes, units.PLAIN, self.span) if shape.sizes else None}
        if shape.kind in ("polygon", "polyline"):
            points = si([number for corner in shape.corners for number in corner], units.LENGTH, self.span)
            return {"points": points, "free": shape.free} if shape.free else {"points": points}
        if shape.kind == "box":
            return {"size": si(shape.sizes, units.LENGTH, self.span)}
        made: dict[str, Values | Compare | str | None] = {"radius": si(shape.sizes[:1], units.LENGTH, self.span)}
        if shape.kind == "wheel":
            made["axis"] = si([row[2] for row in shape.R_BS], units.PLAIN, self.span)
            made["tread"] = si(shape.sizes[1:], units.LENGTH, self.span) if any(shape.sizes[1:]) else None
        elif shape.kind not in ("sphere", "circle"):
            made["length"] = si(shape.sizes[1:], units.LENGTH, self.span)
        return made

    def _force(self, force: Force) -> Node:
        place = self._place(force.p_BP) if force.kind == "force" else None
        return make_node(
            force.kind,
            force.span,
            name=force.name if force.name != self._name(force.body) else None,
            value=tuple(component.expression for component in force.components),
            **({"at": place} if place is not None else {}),
            in_="body" if force.in_body else None,
        )

    def _motor(self, motor: Motor) -> Node:
        body = self.model.bodies[motor.body - 1]
        name, kind = body.joint.type.rates[motor.coordinate]

        def optional(value: float | None, dimension: units.Dimension, absent: float | None = None) -> Values | None:
            return None if value is None or value == absent else si(value, dimension, self.span)

        return make_node(
            "motor",
            motor.span,
            name=motor.name,
            of=(f"{body.name}.{name}",) if name else None,
            ratio=optional(motor.ratio, units.PLAIN, 1.0),
            limit=self._measured("force", (motor.limit,), (kind,)) if motor.limit < math.inf else None,
            speed=self._measured("rate", (motor.speed,), (kind,)) if motor.speed < math.inf else None,
            inertia=optional(motor.inertia, units.INERTIA, 0.0),
            efficiency=optional(motor.efficiency, units.PLAIN, 1.0),
            voltage=optional(motor.voltage, units.VOLTAGE),
            resistance=optional(motor.resistance, units.RESISTANCE),
            inductance=optional(motor.inductance, units.INDUCTANCE, 0.0),
            constant=optional(motor.constant, units.VOLTAGE.over(units.ANGULAR_SPEED)),
            current=optional(motor.current, units.CURRENT),
            kp=self._measured("stiffness", (motor.kp,), (kind,)) if motor.kp is not None else None,
            kd=self._measured("damping", (motor.kd,), (kind,)) if motor.kd is not None else None,
            brake=self._measured("force", (motor.brake,), (kind,)) if motor.brake is not None else None,
        )

    def _stop(self, stop: Stop, kinds: Sequence[str]) -> Node:
        side = "both" if stop.at_min and stop.at_max else ("min" if stop.at_min else "max")
        return make_node(
            "stop",
            stop.span,
            at=side,
            stiffness=None if stop.stiffness is None else self._measured("stiffness", stop.stiffness, kinds),
            damping=self._measured("damping", stop.damping, kinds) if any(stop.damping) else None,
            restitution=si(stop.restitution, units.PLAIN, self.span) if stop.restitution else None,
        )

    def _motion(self, motion: Motion) -> Node:
        kinds = tuple(self.model.rate_kinds[rate] for rate in motion.rates)
        node = make_node(
            "motion",
            motion.span,
            name=motion.name,
            of=tuple(self.model.rate_names[rate] for rate in motion.rates),
            value=tuple(formula.expression for formula in motion.formulas) or None,
            kp=None if motion.kp is None else self._measured("stiffness", motion.kp, kinds),
            kd=None if motion.kd is None else self._measured("damping", motion.kd, kinds),
            structure=motion.structures or None,
            interpolation=motion.interpolation if motion.rows else None,
            repeat=True if motion.repeat else None,
            since="entry" if motion.since_entry else None,
        )
        for time, row in zip(motion.times, motion.rows, strict=True):
            values = self._measured("position", row, kinds)
            node.children.append(make_node("row", motion.span, time=si(time, units.TIME, self.span), values=values))
        return node

    def _sides(self, first: Side, second: Side) -> dict[str, Values | tuple[str, ...] | None]:
        return {
            "body": (self._name(first.body),),
            "at": self._place(first.p_BS),
            "to": (self._name(second.body),),
            "at_to": self._place(second.p_BS),
        }

    def _links(self) -> Node:
        model, span = self.model, self.span
        links = make_node("links", span)
        links.children += [self._closure(closure) for closure in model.closures]
        pairs: set[str] = set()
        for contact in model.contacts:
            pair = contact.pair
            if pair is not None:
                if pair.name not in pairs:
                    pairs.add(pair.name)
                    links.children.append(self._pair(contact, pair))
                continue
            links.children.append(self._contact(contact, contact.name, contact.round is not None))
        links.children += [self._blade(blade) for blade in model.blades if blade.point]
        for lock in model.locks:
            links.children.append(
                make_node(
                    "lock",
                    lock.span,
                    name=lock.name,
                    of=tuple(self.model.rate_names[rate] for rate in lock.rates) or None,
                    body=None if lock.first is None else (self._name(lock.first),),
                    to=None if lock.second is None else (self._name(lock.second),),
                    holds=None if lock.always else False,
                )
            )
        links.children += drive_nodes(model)
        links.children += [
            make_node(
                "counter",
                counter.span,
                name=counter.name,
                value=si(counter.start, units.PLAIN, self.span) if counter.start else None,
            )
            for counter in model.counters
        ]
        links.children += [
            self._structure(structure) for structure in model.structures if structure.name != ONLY or structure.span
        ]
        links.children += [self._transition(transition) for transition in model.transitions]
        return links

    def _surface(self, gap: Formula) -> Compare:
        """The free side of a surface."""
        zero = Number(value=0.0, dimension=units.PLAIN, unit=None, literal="0", span=self.span)
        return Compare(operator=">=", left=gap.expression, right=zero, span=self.span)

    def _contact(self, contact: Contact, name: str, of: bool) -> Node:
        """A contact with a surface, of a shape or a point."""
        span = self.span
        return make_node(
            "contact",
            contact.span,
            name=name,
            point=None if of else (contact.point,),
            of=(contact.point,) if of else None,
            surface=self._surface(contact.gap),
            on=(self._name(contact.on),) if contact.on else None,
            friction="stick" if contact.friction is None else si(contact.friction, units.PLAIN, span),
            impact=None if contact.rolls else contact.impact,
            restitution=si(contact.restitution, units.PLAIN, span) if contact.restitution else None,
            rolls="ideal" if contact.rolls else None,
            speed=belt_values(contact),
            **self._resistance(contact),
        )

    def _pair(self, contact: Contact, pair: Pair) -> Node:
        if not pair.to:
            return self._contact(contact, pair.name, True)
        return make_node(
            "contact",
            contact.span,
            name=pair.name,
            point=(pair.of,) if pair.is_point else None,
            of=None if pair.is_point else (pair.of,),
            to=(pair.to,),
            friction="stick" if contact.friction is None else si(contact.friction, units.PLAIN, self.span),
            impact=contact.impact,
            restitution=si(contact.restitution, units.PLAIN, self.span) if contact.restitution else None,
            speed=belt_values(contact),
            **self._resistance(contact),
        )

    def _resistance(self, contact: Contact) -> dict[str, Values | None]:
        """What resists rolling and spin."""
        numbers = {"rolling": contact.resistance, "spinning": contact.spinning}
        return {key: si(value, units.LENGTH, self.span) if value else None for key, value in numbers.items()}

    def _closure(self, closure: Closure) -> Node:
        spatial = not self.model.planar
        axis = closure.axis if closure.type.uses_axis else None
        if axis is not None and spatial:
            axis = rotate(closure.first.R_BS, axis)
        axis2 = None
        if closure.type.uses_axis2:
            axis2 = si(rotate(closure.second.R_BS, closure.axis2), units.PLAIN, self.span)
        return make_node(
            "closure",
            closure.span,
            name=closure.name,
            joint=closure.type.key,
            **self._sides(closure.first, closure.second),
            axis=None
            if axis is None
            else si(axis[:2] if not spatial and not _is_letter(axis) else axis, units.PLAIN, self.span),
            axis2=axis2,
            turn=self._turn(closure.first.R_BS),
            turn_to=self._turn(closure.second.R_BS),
            holds=None if closure.always else False,
        )

    def _track(self, track: Track) -> Node:
        ideal = bool(track.widening)
        return make_node(
            "track",
            track.span,
            name=track.name,
            of=(self._name(track.body),),
            rear=si(track.rear, units.LENGTH, self.span),
            front=si(track.front, units.LENGTH, self.span),
            patches=None if ideal else len(track.patches),
            drive=(self._name(track.belt.body),),
            radius=si(abs(track.belt.speed), units.LENGTH, self.span),
            friction=None if ideal else si(track.friction, units.PLAIN, self.span),
            shear=si(track.shear, units.LENGTH, self.span) if track.shear else None,
            rolls="ideal" if ideal else None,
            widening=si(track.widening, units.PLAIN, self.span) if ideal else None,
        )

    def _blade(self, blade: Blade) -> Node:
        across = si(blade.across[:2] if self.model.planar else blade.across, units.PLAIN, self.span)
        on = (self._name(blade.on),) if blade.on else None
        holds = None if blade.always else False
        return make_node("blade", blade.span, name=blade.name, point=(blade.point,), across=across, on=on, holds=holds)

    def _structure(self, structure: Structure) -> Node:
        links: list[Closure | Blade | Lock | Coupling] = [
            *self.model.closures,
            *self.model.blades,
            *self.model.locks,
            *self.model.couplings,
        ]
        always = {link.name for link in links if link.always}
        node = make_node(
            "structure",
            structure.span or self.span,
            name=structure.name,
            holds=tuple(name for name in structure.holds if name not in always and name not in structure.slides)
            or None,
            slides=structure.slides or None,
            class_=structure.structure_class,
        )
        for change in structure.changes:
            about = None if change.about is None else (change.about,)
            made = make_node("change", change.span, body=(self._name(change.body),), joint=change.type.key, about=about)
            node.children.append(made)
        return node

    def _transition(self, transition: Transition) -> Node:
        node = make_node(
            "transition",
            transition.span,
            name=transition.name,
            from_=transition.sources or None,
            to=(transition.target,),
            when=transition.condition,
            impact=transition.impact,
            restitution=si(transition.restitution, units.PLAIN, self.span) if transition.restitution else None,
            strikes=transition.strikes or None,
            engage="found" if transition.keeps_offsets else None,
            within=self._within(transition),
            counts=tuple(each.counter for each in transition.recounts if each.value is None) or None,
            priority=si(transition.priority, units.PLAIN, self.span) if transition.priority else None,
        )
        for reset in transition.resets:
            node.children.append(
                make_node(
                    "set",
                    reset.span,
                    of=(self.model.rate_names[reset.rate],),
                    value=None if reset.value is None else (reset.value.expression,),
                    rate=None if reset.velocity is None else (reset.velocity.expression,),
                )
            )
        for recount in transition.recounts:
            if recount.value is not None:
                made = make_node("set", recount.span, of=(recount.counter,), value=(recount.value.expression,))
                node.children.append(made)
        for impulse in transition.impulses:
            of = impulse.contact if impulse.rate is None else self.model.rate_names[impulse.rate]
            assert of is not None
            values = tuple(value.expression for value in impulse.values)
            node.children.append(make_node("impulse", impulse.span, of=(of,), value=values))
        return node

    def _within(self, transition: Transition) -> tuple[Expression, ...] | None:
        if not transition.within:
            return None
        length, angle = transition.within
        # With their units: a plain number would not say which of the two it is.
        return si_number(length, units.LENGTH, self.span), si_number(angle, units.ANGLE, self.span)

    def _state(self) -> list[Node]:
        model = self.model
        node = self._posture("start", model.start)
        if model.start_structure != model.structures[0].name:
            node.attributes |= make_node("start", self.span, structure=(model.start_structure,)).attributes
        if model.start_time:
            node.attributes |= make_node(
                "start", self.span, time=si(model.start_time, units.TIME, self.span)
            ).attributes
        return [node] if node.children or node.attributes else []

    def _posture(self, key: str, posture: Posture) -> Node:
        """A state as `coordinate` elements, for the coordinates that the file gave."""
        node = make_node(key, posture.span or self.span, **({"name": posture.name} if key == "posture" else {}))
        for body in self.model.bodies:
            kind = body.joint.type
            q = range(body.first_q, body.first_q + kind.nq)
            v = range(body.first_v, body.first_v + kind.nv)
            if not (posture.given_q.intersection(q) or posture.given_v.intersection(v)):
                continue
            if kind.has_quaternion:
                node.children.append(self._free(posture, body, q, v))
            else:
                node.children += self._plain(posture, body, q, v)
        return node

    def _picture(self, picture: Picture) -> Node:
        node = self._posture("drawing", picture.posture)
        values = {
            "frame": None if picture.frame is None else si(picture.frame, units.LENGTH, self.span),
            "size": None if picture.size is None else si(picture.size, units.LENGTH, self.span),
        }
        node.attributes |= make_node("drawing", self.span, **values).attributes
        return node

    def _plain(self, posture: Posture, body: Body, q: range, v: range) -> list[Node]:
        """Coordinates of a joint without a quaternion, one element each: a file may give some of them only."""
        made = []
        for index, (name, kind) in enumerate(body.joint.type.rates):
            value = rate = None
            if q[index] in posture.given_q:
                value = self._measured("position", (posture.q[q[index]],), (kind,))
            if v[index] in posture.given_v:
                rate = self._measured("rate", (posture.v[v[index]],), (kind,))
            if value or rate:
                of = f"{body.name}.{name}" if name else body.name
                made.append(make_node("coordinate", self.span, of=(of,), value=value, rate=rate))
        return made

    def _free(self, posture: Posture, body: Body, q: range, v: range) -> Node:
        given_turn = posture.given_q.intersection(q[:4])
        given_place = posture.given_q.intersection(q[4:])
        return make_node(
            "coordinate",
            self.span,
            of=(body.name,),
            place=si([posture.q[i] for i in q[4:]], units.LENGTH, self.span) if given_place else None,
            quaternion=si([posture.q[i] for i in q[:4]], units.PLAIN, self.span) if given_turn else None,
            velocity=si([posture.v[i] for i in v[3:]], units.SPEED, self.span)
            if posture.given_v.intersection(v[3:])
            else None,
            spin=si([posture.v[i] for i in v[:3]], units.ANGULAR_SPEED, self.span)
            if posture.given_v.intersection(v[:3])
            else None,
        )


def _by_body(things: Iterable[_T]) -> dict[int, list[_T]]:
    groups: dict[int, list[_T]] = {}
    for thing in things:
        groups.setdefault(thing.body, []).append(thing)
    return groups


def _written_gravity(gravity: Vector3) -> tuple[float, Vector3 | None]:
    """Value and direction of gravity that are read as the same vector, to the last digit; None where there is none.

    Reading divides by the length of the direction and multiplies by the value, and each may round: values nearby and
    directions of other lengths are tried until they give the vector back.
    """
    value = math.hypot(*gravity)
    if not value:
        return 0.0, None
    x, y, z = gravity
    for scale in (value, *map(float, range(1, 100))):
        along = (x / scale, y / scale, z / scale)
        length = norm(along)
        up = down = value
        for _ in range(6):
            for each in (up, down):
                if length and all(a / length * each == g for a, g in zip(along, gravity, strict=True)):
                    return each, along
            up, down = math.nextafter(up, math.inf), math.nextafter(down, 0.0)
    return value, (x / value, y / value, z / value)


def _whole_degrees(angle: float) -> float:
    """The angle that a person meant: as many people write 30 and not 29.999999999999996."""
    degrees = round(math.degrees(angle), 9)
    return math.radians(degrees) if abs(math.radians(degrees) - angle) < 1e-15 else angle


def _is_letter(axis: Vector3) -> bool:
    return sorted(map(abs, axis)) == [0, 0, 1]
