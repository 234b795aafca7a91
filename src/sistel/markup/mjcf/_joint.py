"""Joints of MJCF, each on its way to becoming the joint of one XsysTel body."""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup._document import Node, make_node
from sistel.markup.formats._foreign import Foreign, Reading, put, put_numbers
from sistel.markup.mjcf._source import Mjcf
from sistel.markup.urdf._parts import report_snapped
from sistel.markup.xml._reader import Element
from sistel.pose import IDENTITY, Rotation, Vector3, exact_axis, from_axis_angle, norm, rotate
from sistel.records import mutable
from sistel.units import (
    ANGLE,
    ANGULAR_DAMPING,
    ANGULAR_STIFFNESS,
    DAMPING,
    FORCE,
    INERTIA,
    LENGTH,
    MOMENT,
    PLAIN,
    STIFFNESS,
)

ENDLESS = 1e9
"""The end of a range that stands for none [m or rad]."""

_TYPES = {"hinge": "revolute", "slide": "prismatic", "ball": "spherical", "free": "free"}


@mutable
class MjJoint:
    """A joint of a MuJoCo body."""

    foreign: Foreign
    name: str | None
    type: str
    """MuJoCo's word."""
    axis: Vector3
    anchor: Vector3
    """A point of it in the frame of the body [m]."""
    ref: float = 0.0
    """Coordinate in the posture of the file [m or rad]."""
    limits: tuple[float | None, float | None] = (None, None)
    """[m or rad]"""
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    """[kg or kg·m²]"""
    greatest: float | None = None
    """Greatest force or moment of all motors together [N or N·m]."""
    node: Node | None = None
    """The body that it became the joint of."""

    @property
    def slides(self) -> bool:
        """Whether its coordinate is a length."""
        return self.type == "slide"

    @property
    def single(self) -> bool:
        """Whether it has one coordinate."""
        return self.type in ("hinge", "slide")

    def step(self, value: float) -> tuple[Vector3, Rotation]:
        """The motion of the joint by a coordinate: a shift and a turn."""
        if not value or not self.single:
            return (0.0, 0.0, 0.0), IDENTITY
        if self.slides:
            return (self.axis[0] * value, self.axis[1] * value, self.axis[2] * value), IDENTITY
        return (0.0, 0.0, 0.0), from_axis_angle(self.axis, value)

    def attach(self, node: Node, joints: list[MjJoint]) -> None:
        """Remember the body, and enter the joint into MuJoCo's order."""
        self.node = node
        if self.name is not None:
            at = self.foreign.at("name")
            put(node, "joint-name", self.foreign.reading.fresh(self.name, at, "joint"), at)
        joints.append(self)

    def describe(self, node: Node, reading: Reading) -> None:
        """Put what the joint says onto its body."""
        at, slides = self.foreign.at, self.slides
        put(node, "joint", _TYPES[self.type], self.foreign.span)
        if self.single:
            put_numbers(node, "axis", self.axis, PLAIN, at("axis"))
        for key, value in zip(("min", "max"), self.limits, strict=True):
            if value is not None:
                put_numbers(node, key, value, LENGTH if slides else ANGLE, at("range"))
        if self.stiffness:
            put_numbers(node, "stiffness", self.stiffness, STIFFNESS if slides else ANGULAR_STIFFNESS, at("stiffness"))
            if self.rest:
                put_numbers(node, "rest", self.rest, LENGTH if slides else ANGLE, at("springref"))
        if self.damping:
            put_numbers(node, "damping", self.damping, DAMPING if slides else ANGULAR_DAMPING, at("damping"))
        if self.friction:
            put_numbers(node, "friction", self.friction, FORCE if slides else MOMENT, at("frictionloss"))
        if not self.single and self.armature:
            reading.losses.dropped(
                at("armature"), Text(f"armature of {self.foreign.label}", f"armature в {self.foreign.label}")
            )

    def motor(self, actuator: Foreign) -> tuple[Node, float]:
        """The motor of an actuator that drives the joint, and its ratio."""
        actuator.ignore("joint", "group")
        name = actuator.word("name") or self.name or "motor"
        node = make_node("motor", actuator.span, name=actuator.reading.fresh(name, actuator.at("name"), "motor"))
        gear = actuator.numbers("gear")
        ratio = gear[0] if gear and gear[0] else 1.0
        if ratio != 1:
            put_numbers(node, "ratio", ratio, PLAIN, actuator.at("gear"))
        return node, ratio

    def passive_motor(self) -> Node | None:
        """A motor for what the joint itself says of motors, where no actuator drives it; None where it says nothing."""
        assert self.node is not None
        if not self.single or (self.greatest is None and not self.armature):
            return None
        motor = make_node("motor", self.foreign.span)
        if self.armature:
            put_numbers(motor, "inertia", self.armature, INERTIA, self.foreign.at("armature"))
        limit = self.greatest
        if limit is None:
            limit = 0.0
            self.foreign.reading.losses.changed(
                self.foreign.at("armature"),
                Text(
                    f"armature of {self.foreign.label} became the rotor of a motor without force",
                    f"armature в {self.foreign.label} стала ротором привода без силы",
                ),
            )
        put_numbers(motor, "limit", limit, FORCE if self.slides else MOMENT, self.foreign.at("actuatorfrcrange"))
        return motor


def read_joint(element: Element, childclass: str, R_BF: Rotation, p_BF: Vector3, mjcf: Mjcf) -> MjJoint | None:
    """A joint of a body; None after an error."""
    reading = mjcf.reading
    if element.name == "freejoint":
        foreign = Foreign(element, reading)
        joint = MjJoint(foreign, foreign.word("name"), "free", (0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
        if foreign.word("align", "true", "false", "auto") == "true":
            reading.losses.changed(
                foreign.at("align"),
                Text(
                    "the frame of the body is not moved to its centre of mass",
                    "оси тела не переносятся в его центр масс",
                ),
            )
        foreign.ignore("group")
        foreign.report()
        return joint
    foreign = mjcf.foreign(element, childclass)
    kind = foreign.word("type", *_TYPES) or "hinge"
    axis = foreign.vector("axis") or (0.0, 0.0, 1.0)
    dx, dy, dz = rotate(R_BF, mjcf.position(foreign))
    anchor: Vector3 = (p_BF[0] + dx, p_BF[1] + dy, p_BF[2] + dz)
    joint = MjJoint(foreign, foreign.word("name"), kind, (0.0, 0.0, 1.0), anchor)
    if kind in ("hinge", "slide"):
        if norm(axis) == 0:
            reading.diagnostics.error(
                "zero-vector",
                foreign.at("axis"),
                Text(f"the axis of {foreign.label} has length zero", f"ось {foreign.label} имеет нулевую длину"),
            )
            return None
        plain = exact_axis(rotate(R_BF, axis), 0.0)
        joint.axis = exact_axis(plain, reading.snap)
        if max(abs(a - b) for a, b in zip(plain, joint.axis, strict=True)) > 1e-15:
            report_snapped(reading, foreign.at("axis"), plain, joint.axis)
    foreign.ignore("axis")
    joint.anchor = _pole(joint)
    _read_numbers(joint, mjcf)
    foreign.ignore("group", "user")
    foreign.report()
    return joint


def _pole(joint: MjJoint) -> Vector3:
    """Where the pole of the body goes: the anchor, or the origin where that serves as well."""
    if joint.type in ("slide", "free"):
        return (0.0, 0.0, 0.0)
    if joint.type == "hinge":
        along = sum(a * b for a, b in zip(joint.axis, joint.anchor, strict=True))
        off = [p - along * a for p, a in zip(joint.anchor, joint.axis, strict=True)]
        if norm(off) <= 1e-16:
            return (0.0, 0.0, 0.0)
    return joint.anchor


def _read_numbers(joint: MjJoint, mjcf: Mjcf) -> None:
    foreign, settings = joint.foreign, mjcf.compiler

    def angle(value: float) -> float:
        return value if joint.slides else settings.angle(value)

    joint.ref = angle(foreign.number("ref") or 0.0)
    joint.damping = _first(foreign, "damping")
    joint.friction = foreign.number("frictionloss") or 0.0
    joint.armature = foreign.number("armature") or 0.0
    joint.stiffness = _first(foreign, "stiffness")
    joint.rest = angle(foreign.number("springref") or 0.0)
    if joint.stiffness and not joint.single:
        foreign.reading.losses.dropped(
            foreign.at("stiffness"), Text(f"stiffness of {foreign.label}", f"stiffness в {foreign.label}")
        )
        joint.stiffness = 0.0
    between = foreign.numbers("range", 2)
    limited = foreign.word("limited", "true", "false", "auto") or "auto"
    if between is not None and (limited == "true" or (limited == "auto" and settings.autolimits)):
        if joint.single:
            low, high = (angle(value) for value in between)
            joint.limits = (None if low <= -ENDLESS else low, None if high >= ENDLESS else high)
        else:
            foreign.reading.losses.dropped(
                foreign.at("range"), Text(f"range of {foreign.label}", f"range в {foreign.label}")
            )
    force = foreign.numbers("actuatorfrcrange", 2)
    limited = foreign.word("actuatorfrclimited", "true", "false", "auto") or "auto"
    if force is not None and limited != "false":
        joint.greatest = symmetric(foreign, "actuatorfrcrange", force)


def _first(foreign: Foreign, name: str) -> float:
    """The linear coefficient of what newer files may write as a polynomial."""
    numbers = foreign.numbers(name)
    if not numbers:
        return 0.0
    if any(numbers[1:]):
        foreign.reading.losses.dropped(
            foreign.at(name),
            Text(
                f"{name} of {foreign.label}: its higher coefficients", f"{name} в {foreign.label}: старшие коэффициенты"
            ),
        )
    return numbers[0]


def symmetric(foreign: Foreign, name: str, between: tuple[float, ...]) -> float:
    """The greater size of a range that should be symmetric; a range that is not is reported."""
    low, high = between
    if low != -high:
        foreign.reading.losses.changed(
            foreign.at(name),
            Text(f"{name} of {foreign.label} was made symmetric", f"{name} в {foreign.label} сделан симметричным"),
        )
    return max(abs(low), abs(high))
