"""Quantities that formulas and conditions ask of a state: places, angles, gaps, distances, energies, reactions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sistel.errors import Text, refuse
from sistel.expr import ZERO, Scalar, Scalars, Vector, cross, dot, is_zero
from sistel.mechanics._bodies import body_energies, rotor_energy
from sistel.mechanics._constraints import RowDeriver, root_of_squares
from sistel.mechanics._crossings import Crossed, crossing_of
from sistel.mechanics._drives import rates_of, teeth_force
from sistel.mechanics._elastic import elastic_energy
from sistel.mechanics._formula import belt_speed, expression_value, gap_values
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._pair_gaps import pair_gap
from sistel.mechanics._ranges import ray_range
from sistel.mechanics._rates import Rates
from sistel.mechanics._sensors import DYNAMIC, measured
from sistel.mechanics._touching import arm_of
from sistel.mechanics._tree import Tree
from sistel.model import Blade, Body, Closure, Contact, Drive, Model, Motor
from sistel.pose import Vector3
from sistel.records import entry

Reactions = Mapping[str, tuple[Vector, Vector]]
"""Moment and force in W by the name of a joint, closure, contact, lock or spring."""


@entry
class Winding:
    """What flows in an electric motor."""

    current: Scalar
    """Positive where it drives the joint forwards [A]."""
    voltage: Scalar
    """That the drive applies, of the same sign [V]."""
    rate: Scalar | None
    """Of the current, where it is a part of the state [A/s]."""


class Drives(list[Scalar]):
    """Driving forces of the motors on every velocity [N or N·m], and what flows in the motors."""

    def __init__(self, forces: Scalars, windings: Mapping[str, Winding]) -> None:
        """Windings are those that are known, of motors that something commands."""
        super().__init__(forces)
        self.windings = windings


class Known(dict[str, Scalar]):
    """Values by names: parameters and the time at once, what schemes compute and remember when it is asked for."""

    def __init__(self, state: Quantities) -> None:
        """Of a state."""
        super().__init__({parameter.name: parameter.value for parameter in state.model.parameters}, t=state.t)
        self._state = state

    def __missing__(self, name: str) -> Scalar:
        """A signal that flows is computed once; all else is remembered by the state."""
        model = self._state.model
        for i, each in enumerate(model.memory):
            if each.name == name and each.kind in _HELD:
                found: Scalar = each.start if model.remembered is None else model.remembered[i]
                break
        else:
            signal = model.signal(name)
            found = expression_value(signal.value, self, self._state)
        self[name] = found
        return found

    def without(self, names: Iterable[str]) -> Known:
        """The same, some names forgotten: they are about to be computed."""
        made = Known(self._state)
        made.update(self)
        for name in names:
            made.pop(name, None)
        return made


_HELD = ("input", "store", "signal", "tick")
"""Kinds of memory that expressions name."""


class Quantities:
    """Values of quantities for one state; used as the `quantity` of formulas."""

    def __init__(
        self,
        model: Model,
        tree: Tree,
        q: Scalars,
        v: Scalars,
        t: Scalar = 0.0,
        *,
        shared: frozenset[int] = frozenset(),
        reactions: Reactions | None = None,
        torques: Scalars | None = None,
        accelerations: Scalars | None = None,
    ) -> None:
        """Nothing is computed before it is asked for.

        Args:
            model: The system.
            tree: Its links.
            q: Coordinates.
            v: Velocities.
            t: Time [s].
            shared: Hinges that keep the axes of the link before them.
            reactions: What joints and links carry, where that is known; forces cannot depend on it.
            torques: Driving forces of the motors on every velocity, where they are known [N or N·m].
            accelerations: Of all velocities, where they are known; forces cannot depend on them.
        """
        self.model, self.tree, self.q, self.v, self.t = model, tree, q, v, t
        self.kinematics = Kinematics(tree, q, shared)
        self.rates = Rates(self.kinematics, v)
        self.reactions = reactions
        self.torques = torques
        self._accelerations = accelerations
        self._readings: dict[str, list[Scalar]] = {}
        self._energies: list[tuple[Scalar, Scalar]] | None = None
        self._names: Known | None = None

    @property
    def names(self) -> Known:
        """Parameters, the time, and what schemes compute and remember."""
        if self._names is None:
            self._names = Known(self)
        return self._names

    def __call__(self, function: str, targets: tuple[str, ...], component: str) -> Scalar:
        """The value in SI of a quantity of the named things."""
        if self.model.assumed is not None and self._unknown(function, targets):
            return self.model.assumed[function, targets, component]
        if function in ("x", "y", "z"):
            return self.place(targets[0])["xyz".index(function)]
        if function in ("vx", "vy", "vz"):
            return self.velocity(targets[0])["xyz".index(function[1])]
        if function in ("angle", "q"):
            return self.coordinate(targets[0], function == "angle")
        if function in ("rate", "v"):
            return self.rate(targets[0], function == "rate")
        if function in ("slip", "normal"):
            found = self._patch(function, targets[0])
            if found is not None:
                return found
        if function in ("gap", "slip", "approach"):
            measured = {"gap": self.gap, "slip": self.slip, "approach": self.approach}
            return measured[function](targets[0])
        if function in ("counter", "elapsed"):
            return remembered(self.model, function, targets, self.t)
        if function in ("distance", "speed"):
            return self.apart(targets, function == "speed")
        if function in ("energy", "kinetic", "potential"):
            return self.energy(function, targets)
        if function == "acceleration":
            body, index = self._joint(targets[0], False)
            return self.accelerations()[body.first_v + index]
        if function in _CARRIED:
            return self.reaction(function, targets, component)
        if function == "range":
            return ray_range(self, targets[0], targets[1])
        if function == "reading":
            return self.reading(targets[0])[int(targets[1])]
        raise AssertionError(f'nobody measures "{function}": say here what it is')

    def _unknown(self, function: str, targets: Sequence[str]) -> bool:
        """Whether a quantity follows from the forces, which are not known yet."""
        if function == "reading":
            return self._accelerations is None and self.model.sensor(targets[0]).kind in DYNAMIC
        if function == "acceleration":
            return self._accelerations is None
        return function in _CARRIED and self.reactions is None

    def reading(self, name: str) -> list[Scalar]:
        """What a sensor measures."""
        if name not in self._readings:
            self._readings[name] = measured(self, self.model.sensor(name))
        return self._readings[name]

    def accelerations(self) -> Scalars:
        """Of all velocities; only where they are known."""
        if self._accelerations is None:
            _cannot(
                Text(
                    "a force cannot depend on an acceleration: it would depend on itself",
                    "сила не может зависеть от ускорения: она зависела бы сама от себя",
                )
            )
            raise AssertionError
        return self._accelerations

    # --- geometry --------------------------------------------------------------------------------------------------

    def place(self, name: str) -> Vector:
        """Where a body, frame or point is, in W [m]."""
        body, p, _ = self.model.place_of(name)
        return self.kinematics.place(body, p)

    def velocity(self, name: str) -> Vector:
        """Velocity of a body's pole, a frame's origin or a point, in W [m/s]."""
        body, p, _ = self.model.place_of(name)
        return self.rates.velocity(body, p)

    def _joint(self, name: str, turn: bool) -> tuple[Body, int]:
        """Body and index of the velocity that a coordinate's name means."""
        for body in self.model.bodies:
            rates = [rate for rate, _ in body.joint.type.rates]
            if name in (body.name, body.joint.name):
                kinds = [kind for _, kind in body.joint.type.rates]
                return body, kinds.index("turn") if turn else 0
            owner, _, part = name.rpartition(".")
            if owner == body.name and part in rates:
                return body, rates.index(part)
            if owner == body.name and part in "xyz" and body.joint.type.nq == 7:
                return body, 3 + "xyz".index(part)
        raise KeyError(name)

    def coordinate(self, name: str, turn: bool = False) -> Scalar:
        """A coordinate of a joint [m or rad]."""
        body, index = self._joint(name, turn)
        shift = body.joint.type.nq - body.joint.type.nv
        return self.q[body.first_q + index + shift]

    def rate(self, name: str, turn: bool = False) -> Scalar:
        """A velocity of a joint [m/s or rad/s]."""
        body, index = self._joint(name, turn)
        return self.v[body.first_v + index]

    def from_surface(self, contact: Contact) -> tuple[Vector, Vector]:
        """The point of a contact from the origin of the surface's body, in W and in that body [m]."""
        axes = self.kinematics.axes(contact.on, _IDENTITY)
        arm = self.kinematics.place(contact.body, contact.p_BP) - self.kinematics.place(contact.on, (0.0, 0.0, 0.0))
        return arm, axes.T @ arm

    def _surface(self, contact: Contact) -> tuple[Vector, Vector, Vector]:
        """Of a contact: its point from the origin of the surface's body, in W and in that body, and the normal in W."""
        axes = self.kinematics.axes(contact.on, _IDENTITY)
        arm, local = self.from_surface(contact)
        slope = self._gap_values(contact, local)[1]
        return arm, local, axes @ (1.0 / root_of_squares(slope) * Vector(*slope))

    def _gap_values(self, contact: Contact, local: Vector) -> list[list[Scalar]]:
        """The gap of a contact and its derivatives at a place in the frame of its surface."""
        axis = None
        if contact.height is not None and contact.round is not None and contact.round.axis is not None:
            own, on = (self.kinematics.axes(body, _IDENTITY) for body in (contact.body, contact.on))
            axis = on.T @ (own @ contact.round.axis)
        return gap_values(self.model, contact, local, self.t, axis=axis)

    def contact_state(self, contact: Contact) -> tuple[Vector, Vector, Vector]:
        """Of a contact: the place in the frame of its surface, and in W the relative velocity and the normal."""
        on = contact.on
        if crossing_of(contact) is not None:
            crossed, place = self._crossed(contact)
            return place, crossed.slip, crossed.n
        arm, local, normal = self._surface(contact)
        speed = self.rates.velocity(contact.body, contact.p_BP) - self.rates.velocity(on, (0.0, 0.0, 0.0))
        speed = speed - cross(self.rates.spin(on), arm)
        if contact.round is not None:
            # The velocity of the material that touches, or would.
            way = arm_of(contact, self.kinematics.axes(contact.body, _IDENTITY), normal).way
            speed = speed + cross(self.rates.spin(contact.body) - self.rates.spin(on), way)
        return local, speed, normal

    def _crossed(self, contact: Contact) -> tuple[Crossed, Vector]:
        """Of a contact of edges: where they touch or would, in W and in the frame of what is touched."""
        crossing = crossing_of(contact)
        assert crossing is not None
        deriver = RowDeriver(self.model, self.tree, self.q, self.v, self.t, frozenset(), None, None)
        ends = ((contact.on, (0.0, 0.0, 0.0), _IDENTITY), (contact.body, contact.p_BP, _IDENTITY))
        carrier, other = deriver.world_spots(*ends)
        crossed = Crossed(crossing, carrier, other)
        return crossed, carrier.axes.T @ crossed.reach

    def touching(self, contact: Contact) -> Vector:
        """Where a contact touches, or would, in W [m]: its point, or what of its shape is nearest to the surface."""
        place = self.kinematics.place(contact.body, contact.p_BP)
        if contact.round is None and crossing_of(contact) is None:
            return place
        if crossing_of(contact) is not None:
            return place + self._crossed(contact)[0].arm.way
        _, _, normal = self.contact_state(contact)
        return place + arm_of(contact, self.kinematics.axes(contact.body, _IDENTITY), normal).way

    def wheel_tilt(self, contact: Contact) -> Scalar:
        """Sine of the angle between the axis of the wheel of a contact and the normal: 0 where it lies flat."""
        assert contact.round is not None and contact.round.axis is not None
        _, _, normal = self._surface(contact)
        return root_of_squares(cross(normal, self.kinematics.axes(contact.body, _IDENTITY) @ contact.round.axis))

    def _contact(self, name: str) -> Contact:
        return next(contact for contact in self.model.contacts if contact.name == name)

    def _patch(self, function: str, name: str) -> Scalar | None:
        """Size of the slip of a patch of a track [m/s], or what it carries [N]; None for other names."""
        from sistel.mechanics._tracks import patch_loads, patch_slip

        for track in self.model.tracks:
            for index in range(0 if track.widening else len(track.patches)):
                if track.patch_name(index) == name:
                    if function == "normal":
                        if self.reactions is None:
                            return patch_loads(self.model, self.kinematics, track.body)[name]
                        push = self.reactions.get(name, (ZERO, ZERO))[1]
                        return dot(push, self.kinematics.axes(track.body, _IDENTITY) @ track.normal)
                    return root_of_squares((*patch_slip(self, track, index), 0.0))
        return None

    def gap(self, name: str) -> Scalar:
        """Gap of a contact: the difference of the two sides of its surface's equation, or a shape's distance [m].

        Of a pair of shapes, which stands for several contacts: their distance.
        """
        contact = next((contact for contact in self.model.contacts if contact.name == name), None)
        if contact is None:
            return pair_gap(self, name)
        if crossing_of(contact) is not None:
            return self._crossed(contact)[0].within.gap
        local, _, normal = self.contact_state(contact)
        (gap,), slope, *_ = self._gap_values(contact, local)
        if contact.round is None:
            return gap
        arm = arm_of(contact, self.kinematics.axes(contact.body, _IDENTITY), normal)
        return gap / root_of_squares(slope) - arm.depth

    def slip(self, name: str) -> Scalar:
        """Velocity of slip [m/s]: in the plane with a sign, along the normal turned by a quarter; else its size."""
        contact = self._contact(name)
        _, speed, normal = self.contact_state(contact)
        if self.model.planar:
            slip = speed[1] * normal[0] - speed[0] * normal[1]
            return slip - belt_speed(self.model, contact, self.t)[0]
        along = speed - dot(speed, normal) * normal
        return root_of_squares(along)

    def approach(self, name: str) -> Scalar:
        """Speed at which the point of a contact comes nearer to its surface, along the normal [m/s]."""
        contact = self._contact(name)
        local, speed, normal = self.contact_state(contact)
        if crossing_of(contact) is not None:
            return -dot(speed, normal)
        (_, slope, _, (rate,), *_) = self._gap_values(contact, local)
        own = 0.0 if is_zero(rate) else rate / root_of_squares(slope)
        return -(dot(speed, normal) + own)

    def apart(self, names: Sequence[str], speed: bool) -> Scalar:
        """Distance, or relative speed, of two points, of the ends of a link, or of one point from the origin."""
        ends = self._ends(names)
        places = [self.kinematics.place(body, p) for body, p in ends]
        motions = [self.rates.velocity(body, p) for body, p in ends]
        d = places[0] - places[1] if not speed else motions[0] - motions[1]
        return root_of_squares(d)

    def _ends(self, names: Sequence[str]) -> list[tuple[int, Vector3]]:
        if len(names) == 2:
            return [self.model.place_of(name)[:2] for name in names]
        name = names[0]
        links: dict[str, Closure] = {closure.name: closure for closure in self.model.closures}
        if name in links:
            closure = links[name]
            return [(closure.first.body, closure.first.p_BS), (closure.second.body, closure.second.p_BS)]
        held: tuple[Contact | Blade, ...] = (*self.model.contacts, *self.model.blades)
        for contact in held:
            if contact.name == name:
                return [(contact.body, contact.p_BP), (contact.on, (0.0, 0.0, 0.0))]
        for lock in self.model.locks:
            if lock.name == name and lock.first is not None:
                return [(lock.first, (0.0, 0.0, 0.0)), (lock.second or 0, (0.0, 0.0, 0.0))]
        try:
            return [self.model.place_of(name)[:2], (0, (0.0, 0.0, 0.0))]
        except KeyError:
            _cannot(Text(f'"{name}" has no two ends to measure between', f"у «{name}» нет двух концов для измерения"))
            raise AssertionError from None

    def energy(self, function: str, targets: Sequence[str]) -> Scalar:
        """Kinetic, potential or whole energy [J]: of the system with its rotors and springs, or of one body alone."""
        if self._energies is None:
            self._energies = body_energies(self.model, self.q, self.v)
        kinetic: Scalar = 0.0
        potential: Scalar = 0.0
        chosen = self._energies
        if targets:
            number = self.model.number(targets[0])
            chosen = chosen[number - 1 : number]
        for moving, lifted in chosen:
            kinetic, potential = kinetic + moving, potential + lifted
        if not targets:
            kinetic = kinetic + rotor_energy(self.model, self.v)
            potential = potential + elastic_energy(self.kinematics, self.model, self.q)
        if function == "energy":
            return kinetic + potential
        return kinetic if function == "kinetic" else potential

    # --- forces ----------------------------------------------------------------------------------------------------

    def _carried(self, name: str) -> tuple[Vector, Vector]:
        """Moment and force of a joint, link or spring, in W."""
        from sistel.mechanics._forces import spring_pull

        spring = next((spring for spring in self.model.springs if spring.name == name), None)
        if spring is not None:
            return ZERO, spring_pull(spring, self)
        assert self.reactions is not None
        # What does not hold carries nothing.
        return self.reactions.get(self._carrier(name), (ZERO, ZERO))

    def reaction(self, function: str, targets: Sequence[str], component: str) -> Scalar:
        """A force or moment that a joint or link carries; only where reactions are known."""
        if self.reactions is None or not targets:
            _cannot(
                Text(
                    f'a force cannot depend on "{function}": it would depend on itself',
                    f"сила не может зависеть от «{function}»: она зависела бы сама от себя",
                )
            )
            raise AssertionError
        name = targets[0]
        if function in ("torque", "power"):
            motor = self._motor(name)
            rate = self.model.bodies[motor.body - 1].first_v + motor.coordinate
            torque = 0.0 if self.torques is None else self.torques[rate]
            return torque if function == "torque" else torque * self.v[rate]
        if function in ("current", "voltage"):
            return self._flow(name, function == "current")
        drive = next((drive for drive in self.model.drives if drive.name == name), None)
        if drive is not None:
            return self._meshed(drive)
        moment, force = self._carried(name)
        contact = next((contact for contact in self.model.contacts if contact.name == name), None)
        if function in ("normal", "tangent", "margin", *CONE_SIDES) or component in ("n", "t"):
            assert contact is not None
            _, _, normal = self.contact_state(contact)
            push = dot(force, normal)
            if function == "normal" or component == "n":
                return push
            along = force - push * normal
            if function in CONE_SIDES:
                return self._cone_side(CONE_SIDES.index(function), contact, push, force, along, normal)
            if function == "margin":
                return _friction(contact) * push - root_of_squares(along)
            return root_of_squares(along)
        if component in ("x", "y", "z"):
            return force["xyz".index(component)]
        if component in ("mx", "my", "mz"):
            return moment["xyz".index(component[1])]
        vector = moment if function == "moment" or component == "m" else force
        if self.model.planar and vector is moment:
            return vector[2]
        return root_of_squares(vector)

    def effort(self, rate: int, accelerations: Mapping[int, Scalar], still: bool) -> Scalar:
        """The force that a velocity needs for accelerations; others have none [N or N·m].

        It is that of the bodies and of what springs, dampers and friction of joints do; with `still`, of a system at
        rest: weight and springs alone.
        """
        from sistel.mechanics._forces import joint_forces
        from sistel.mechanics._inverse_dynamics import inverse_dynamics

        v: Scalars = [0.0] * self.tree.nv if still else self.v
        a: list[Scalar] = [accelerations.get(i, 0.0) for i in range(self.tree.nv)]
        needed = inverse_dynamics(self.tree, self.q, v, a)
        return needed[rate] - joint_forces(self.model, self.q, v)[rate]

    def _meshed(self, drive: Drive) -> Scalar:
        """What a gear or a clutch does to its driven coordinate: teeth that bend, a slip, what it holds [N or N·m]."""
        from sistel.mechanics._forces import slip_force

        total: Scalar = 0.0
        if drive.stiffness is not None:
            total = teeth_force(self.model, drive, self.q, self.v)
        if drive.limit is not None:
            total = slip_force(self, drive)
        moment, force = self._carried(drive.name)
        deriver = RowDeriver(self.model, self.tree, self.q, self.v, self.t, frozenset(), None, None)
        turn, slide = deriver.along(rates_of(self.model, drive.coupling)[0])
        return total + dot(moment, turn) + dot(force, slide)

    def _motor(self, name: str) -> Motor:
        return next(motor for motor in self.model.motors if motor.name == name)

    def current(self, motor: str) -> Scalar | None:
        """The current of a motor where it is a part of the state [A]."""
        for i, each in enumerate(self.model.memory):
            if each.kind == "current" and each.name == motor:
                return each.start if self.model.remembered is None else self.model.remembered[i]
        return None

    def remembered(self, kind: str, name: str) -> Scalar:
        """What the state remembers under a name."""
        for i, each in enumerate(self.model.memory):
            if each.kind == kind and each.name == name:
                return each.start if self.model.remembered is None else self.model.remembered[i]
        raise KeyError(name)

    def _flow(self, name: str, current: bool) -> Scalar:
        """Current [A] or voltage [V] of a motor that is commanded."""
        if not self._motor(name).electric:
            _cannot(
                Text(
                    f'motor "{name}" has neither current nor voltage: its winding is not given',
                    f"у привода «{name}» нет ни тока, ни напряжения: его обмотка не задана",
                )
            )
        winding = self.torques.windings.get(name) if isinstance(self.torques, Drives) else None
        if winding is None:
            return 0.0  # the drive is off
        return winding.current if current else winding.voltage

    def _cone_side(
        self, side: int, contact: Contact, push: Scalar, force: Vector, along: Vector, normal: Vector
    ) -> Scalar:
        """One of two smooth functions that are both positive inside the friction cone, and only there."""
        most = _friction(contact) * push
        if self.model.planar:
            pull = force[1] * normal[0] - force[0] * normal[1]
            return most - pull if side == 0 else most + pull
        return most * most - dot(along, along) if side == 0 else most

    def _carrier(self, name: str) -> str:
        """The name under which reactions list what carries a load: a body's joint for the body."""
        assert self.reactions is not None
        for body in self.model.bodies:
            if name == body.name and name not in self.reactions:
                return body.joint.name
        return name


CONE_SIDES = ("cone side 0", "cone side 1")
"""Quantities that no file can name: a margin is positive where both of them are, and they are smooth."""
_CARRIED = (
    *("force", "moment", "reaction", "normal", "tangent", "margin", *CONE_SIDES),
    *("torque", "power", "current", "voltage"),
)
"""What is asked of links and of motors, and known where reactions are."""


def remembered(model: Model, function: str, targets: Sequence[str], t: Scalar) -> Scalar:
    """What a counter shows, or the time since the present structure was entered [s].

    Outside of a simulation counters are as at the start, and so is the structure.
    """
    values: Scalars = [each.start for each in model.memory] if model.remembered is None else model.remembered
    if function == "elapsed":
        entered = next((i for i, each in enumerate(model.memory) if each.kind == "entered"), None)
        return t - (model.start_time if entered is None else values[entered])
    for each, value in zip(model.memory, values, strict=True):
        if each.kind != "entered" and each.name == targets[0]:
            return value
    counter = next((each for each in model.counters if each.name == targets[0]), None)
    return float(targets[0] == model.start_structure) if counter is None else counter.start


def _friction(contact: Contact) -> float:
    if contact.friction is None:
        _cannot(
            Text(
                f'contact "{contact.name}" sticks whatever the force: it has no friction cone',
                f"контакт «{contact.name}» сцеплен при любой силе: конуса трения у него нет",
            )
        )
        raise AssertionError
    return contact.friction


_IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _cannot(message: Text) -> None:
    refuse("no-quantity", message)
