"""A canonical document → MJCF and a list of what did not carry over.

MuJoCo lets a body have several joints one after another, so joints with several coordinates need no bodies between.
Closures become equality constraints between sites, which are given on both bodies and so need no assembled posture.
"""

from __future__ import annotations

import math

from sistel.errors import Text
from sistel.markup._document import Node
from sistel.markup._losses import Losses
from sistel.markup.formats._writer import KEPT_BY_VALUE, SEPARATOR, Writer
from sistel.markup.formats._xml_text import Namer, listed, shown
from sistel.markup.formats.export import SHAPES, Motion, Out, OutBody, export
from sistel.markup.formats.nodes import ORIGIN, X, Y, Z, inertia, joint_word, numbers, one, place, title, turn
from sistel.markup.mjcf._joint import ENDLESS
from sistel.pose import IDENTITY, Rotation, Vector3, quaternion, rotate

LEAST_MASS = 1e-9
"""MuJoCo moves no body without mass; a massless one gets this much [kg]."""
LEAST_INERTIA = 1e-12
"""[kg·m²]"""

_ARM = 0.1
"""Distance of the two points by which a hinge is held [m]."""


def write_mjcf(root: Node) -> tuple[str, Losses]:
    """The MJCF file of a canonical document, given its root (see `export`), and what it cannot say."""
    losses = Losses()
    writer = _Writer(export(root, losses))
    writer.write()
    return writer.xml.text(), losses


class _Side:
    """One end of a closure or a spring."""

    def __init__(self, body: OutBody | None, p: Vector3, R: Rotation) -> None:
        self.body = body
        self.p = p
        self.R = R


_WHY: dict[str, Text] = {
    "parameter": KEPT_BY_VALUE,
}


class _Writer(Writer):
    why_not = _WHY

    def __init__(self, out: Out) -> None:
        super().__init__(out)
        self.site_name = Namer(out.losses)
        self.body_name = Namer(out.losses)
        self.body_name.used.add("world")  # MuJoCo's own name for the ground
        self.extra_sites: dict[int, list[tuple[str, Vector3, Rotation]]] = {}
        """Ends of closures and springs, by the identity of the body; 0 for the ground."""
        self.equalities: list[tuple[str, dict[str, str]]] = []
        self.tendons: list[tuple[dict[str, str], tuple[str, str]]] = []
        self.meshes: dict[tuple[str, tuple[float, ...]], str] = {}
        self.actuators: list[dict[str, str]] = []

    def write(self) -> None:
        out, xml = self.out, self.xml
        for node in (out.root, *(body.node for body in out.bodies)):
            for child in node.of("point", "frame"):
                self.site_name.used.add(child.text("name") or "")
        for body in out.bodies:
            self._name_joints(body)
        self._couplings()
        for node in out.links("closure"):
            self._closure(node)
        for node in out.root.of("spring"):
            self._spring(node)
        xml.open("mujoco", model=out.name or "system")
        xml.empty("compiler", angle="radian", autolimits="true", inertiafromgeom="false")
        xml.empty("option", gravity=listed(out.gravity))
        self._assets()
        xml.open("worldbody")
        self._contents(out.root, 0)
        self._bodies()
        xml.close()
        self._sections()
        xml.close()
        self.leave_out(("spring",), ("closure",))

    def _name_joints(self, body: OutBody) -> None:
        span = body.node.at("joint-name")
        motions = self._motions(body)
        for index, motion in enumerate(motions):
            name = body.joint_name if len(motions) == 1 else f"{body.joint_name}{SEPARATOR}{motion.name}"
            self.joints[id(body), index] = self.joint_name(name, span, made_up=len(motions) > 1)
        if body.joint in ("spherical", "free") and not body.motions:
            self.joints[id(body), len(motions)] = self.joint_name(body.joint_name, span)

    def _motions(self, body: OutBody) -> tuple[Motion, ...]:
        """The simple joints of a body; a free body that is carried slides along x, y and z before it turns."""
        if body.joint == "free" and not body.motions and body.base is not None:
            return (Motion("x", "slide", X), Motion("y", "slide", Y), Motion("z", "slide", Z))
        return body.motions

    def _bodies(self) -> None:
        """The tree of bodies, without recursion: it may be deep."""
        stack: list[OutBody | None] = list(reversed(self.out.grounded))
        while stack:
            body = stack.pop()
            if body is None:
                self.xml.close()
                continue
            self.xml.open(
                "body", name=self.body_name(body.name, body.node.at("name")), **self._pose(body.p_PB, body.R_PB)
            )
            self._joint(body)
            self._inertial(body)
            self._contents(body.node, id(body))
            for child in body.node.of("force", "moment", "stop", "motion"):
                self.drop(child)
            stack.append(None)
            stack.extend(reversed(body.children))

    def _pose(self, p: Vector3, R: Rotation) -> dict[str, str | None]:
        return {
            "pos": listed(p) if p != ORIGIN else None,
            "quat": listed(quaternion(R)) if R != IDENTITY else None,
        }

    def _joint(self, body: OutBody) -> None:
        motions = self._motions(body)
        motors = body.motors(self.losses)
        for index, motion in enumerate(motions):
            self._simple_joint(body, index, motion, motors[index] if index < len(motors) else None)
        if body.joint == "spherical" or (body.joint == "free" and motions and not body.motions):
            damping = numbers(body.node, "damping")
            self.xml.empty(
                "joint",
                name=self.joints[id(body), len(motions)],
                type="ball",
                damping=shown(damping[0]) if damping and body.joint == "spherical" else None,
            )
            self.drop_attributes(body.node, "min", "max", "stiffness", "rest", "friction")
        elif body.joint == "free" and not body.motions:
            self.xml.empty("freejoint", name=self.joints[id(body), 0])
            self.drop_attributes(body.node, "min", "max", "stiffness", "rest", "friction", "damping")
            if body.p_PB != ORIGIN or body.R_PB != IDENTITY:
                self.losses.changed(
                    body.node.span,
                    Text(
                        f'MuJoCo counts the coordinates of "{body.name}" from the ground, not from its place',
                        f"MuJoCo отсчитывает координаты «{body.name}» от земли, а не от его места",
                    ),
                )
        self.drop_attributes(body.node, "speed")

    def _simple_joint(self, body: OutBody, index: int, motion: Motion, motor: Node | None) -> None:
        name = self.joints[id(body), index]
        if len(body.motions) != len(self._motions(body)):
            self.xml.empty("joint", name=name, type="slide", axis=listed(motion.axis))
            return
        low, high = body.per_motion("min", -math.inf)[index], body.per_motion("max", math.inf)[index]
        ends = None
        if math.isfinite(low) or math.isfinite(high):
            ends = listed((max(low, -ENDLESS), min(high, ENDLESS)))
            if not (math.isfinite(low) and math.isfinite(high)):
                self.losses.changed(
                    body.node.span,
                    Text(f'"{body.name}": the range is {ends}', f"«{body.name}»: диапазон {ends}"),
                )
        stiffness, rest = body.per_motion("stiffness", 0.0)[index], body.per_motion("rest", 0.0)[index]
        damping, friction = body.per_motion("damping", 0.0)[index], body.per_motion("friction", 0.0)[index]
        armature = 0.0
        if motor is not None:
            armature = (one(motor, "inertia") or 0.0) * (one(motor, "ratio") or 1.0) ** 2
            self._actuator(motor, name, body)
        self.xml.empty(
            "joint",
            name=name,
            type="slide" if motion.kind == "slide" else "hinge",
            axis=listed(motion.axis),
            range=ends,
            stiffness=shown(stiffness) if stiffness else None,
            springref=shown(rest) if stiffness and rest else None,
            damping=shown(damping) if damping else None,
            frictionloss=shown(friction) if friction else None,
            armature=shown(armature) if armature else None,
        )

    def _actuator(self, motor: Node, joint: str, body: OutBody) -> None:
        ratio = one(motor, "ratio") or 1.0
        limit = one(motor, "limit")
        given: dict[str, str] = {"name": motor.text("name") or body.name, "joint": joint}
        if ratio != 1:
            given["gear"] = shown(ratio)
        if limit is not None:
            given["forcerange"] = listed((-limit / abs(ratio), limit / abs(ratio)))
        if limit != 0:
            self.actuators.append(given)
        self.drop_attributes(motor, "speed", "efficiency", "voltage", "resistance", "inductance", "constant", "current")
        self.drop_attributes(motor, "kp", "kd", "brake")

    def _inertial(self, body: OutBody) -> None:
        mass = one(body.node, "mass") or 0.0
        tensor = inertia(body.node, self.out.planar)
        moves = body.joint != "fixed"
        if not mass and not any(tensor) and not moves:
            return
        com = place(body.node, "com")
        least = max(mass, LEAST_MASS) if moves else mass
        if not any(tensor[3:]):
            a, b, c = (max(value, LEAST_INERTIA) if moves else value for value in tensor[:3])
            if (least, a, b, c) != (mass, *tensor[:3]):
                self.losses.changed(
                    body.node.span,
                    Text(
                        f'"{body.name}" got a mass of {least:g} kg and at least {min(a, b, c):g} kg·m²: '
                        "MuJoCo moves nothing lighter",
                        f"«{body.name}»: масса {least:g} кг, инерция не меньше {min(a, b, c):g} кг·м²: "
                        "более лёгкие тела MuJoCo не движет",
                    ),
                )
            self.xml.empty("inertial", pos=listed(com), mass=shown(least), diaginertia=listed((a, b, c)))
            return
        self.xml.empty("inertial", pos=listed(com), mass=shown(least), fullinertia=listed(tensor))

    def _contents(self, node: Node, key: int) -> None:
        """Shapes, frames and points of a body or of the ground."""
        for child in node.of(*SHAPES):
            self._geom(child)
        for child in node.of("frame", "point"):
            self.xml.empty("site", name=child.text("name"), **self._pose(place(child), turn(child)))
        for name, p, R in self.extra_sites.get(key, ()):
            self.xml.empty("site", name=name, **self._pose(p, R))

    def _geom(self, node: Node) -> None:
        kind = node.key
        look = {
            **self._pose(place(node), turn(node)),
            "rgba": self.rgba(node),
            "contype": "0",
            "conaffinity": "0",
        }
        if kind in ("shape", "cone"):
            self.drop(node, Text("MJCF has no such geometry", "в MJCF нет такой геометрии"))
        elif kind == "mesh":
            self.xml.empty("geom", type="mesh", mesh=self.meshes[_mesh_key(node)], **look)
        elif kind == "box":
            size = numbers(node, "size") or ()
            half = [edge / 2 for edge in size] + [0.0005] * (3 - len(size))
            self.xml.empty("geom", type="box", size=listed(half), **look)
        else:
            radius, length = one(node, "radius") or 0.0, one(node, "length") if kind != "sphere" else None
            sizes = [radius] if length is None else [radius, length / 2]
            self.xml.empty("geom", type=kind, size=listed(sizes), **look)

    def _assets(self) -> None:
        nodes = [
            child for owner in (self.out.root, *(body.node for body in self.out.bodies)) for child in owner.of("mesh")
        ]
        if not nodes:
            return
        self.xml.open("asset")
        for node in nodes:
            key = _mesh_key(node)
            if key not in self.meshes:
                self.meshes[key] = f"mesh{len(self.meshes) + 1}"
                scale = key[1] * 3 if len(key[1]) == 1 else key[1]
                file = key[0]
                self.xml.empty("mesh", name=self.meshes[key], file=file, scale=listed(scale) if scale else None)
                if file.startswith("package://"):
                    self.losses.changed(
                        node.at("file"),
                        Text(f'"{file}": MuJoCo knows no packages', f"«{file}»: MuJoCo не знает пакетов"),
                    )
        self.xml.close()

    def _couplings(self) -> None:
        for node, of, to, ratio in self.couplings():
            if of is None or to is None or len(ratio) > 4:
                self.drop(node, Text("it joins no single coordinates", "она соединяет не отдельные координаты"))
                continue
            given = {
                "name": node.text("name") or "",
                "joint1": self.joints[id(of[0]), of[1]],
                "joint2": self.joints[id(to[0]), to[1]],
                "polycoef": listed((one(node, "offset") or 0.0, *ratio, *[0.0] * (4 - len(ratio)))),
            }
            self._equality("joint", given, node)

    def _equality(self, tag: str, given: dict[str, str], node: Node) -> None:
        if node.get("holds") is False:
            given["active"] = "false"
        self.equalities.append((tag, given))

    def _side(self, node: Node, second: bool) -> _Side | None:
        body_key, at_key, point_key, turn_key = (
            ("to", "at-to", "point-to", "turn-to") if second else ("body", "at", "point", "turn")
        )
        own = turn(node, turn_key)
        named = node.names(point_key)
        if named:
            found = self.out.places().get(named[0])
            return None if found is None else _Side(found[0], found[1], own if found[2] == IDENTITY else found[2])
        name = node.names(body_key)
        body = self.out.by_name.get(name[0]) if name else None
        return _Side(body, place(node, at_key), own)

    def _end_site(self, side: _Side, name: str) -> str:
        name = self.site_name(name, None, made_up=True)
        key = 0 if side.body is None else id(side.body)
        self.extra_sites.setdefault(key, []).append((name, side.p, side.R))
        return name

    def _closure(self, node: Node) -> None:
        name = node.text("name") or ""
        first, second = self._side(node, False), self._side(node, True)
        kind = node.text("joint") or "revolute"
        if first is None or second is None:
            self.drop(node)
            return
        if kind == "fixed":
            self._pair("weld", name, first, second, node)
        elif kind == "spherical" or (kind == "revolute" and self.out.planar):
            self._pair("connect", name, first, second, node)
        elif kind == "revolute":
            # Two points on the axis, held together one by one, leave only the turn about it.
            given = numbers(node, "axis")
            axis_first: Vector3 = Z if given is None else (given[0], given[1], given[2])
            away_first = rotate(first.R, _scaled(rotate(_back(first.R), axis_first)))
            away_second = rotate(second.R, _scaled(rotate(_back(first.R), axis_first)))
            self._pair("connect", name, first, second, node)
            moved = [
                _Side(side.body, _added(side.p, away), side.R)
                for side, away in ((first, away_first), (second, away_second))
            ]
            self._pair("connect", f"{name}{SEPARATOR}axis", moved[0], moved[1], node)
            self.losses.changed(
                node.span,
                Text(
                    f"{title(node).en} became two points held together",
                    f"{title(node).ru}: стало двумя точками, которые держатся вместе",
                ),
            )
        else:
            word = joint_word(kind)
            why = Text(f"MuJoCo cannot close a loop with a {word.en} joint", f"MuJoCo не замыкает цикл парой {word.ru}")
            self.drop(node, why)

    def _pair(self, tag: str, name: str, first: _Side, second: _Side, node: Node) -> None:
        sites = [self._end_site(side, f"{name}{SEPARATOR}{end}") for side, end in ((first, "a"), (second, "b"))]
        self._equality(tag, {"name": name, "site1": sites[0], "site2": sites[1]}, node)

    def _spring(self, node: Node) -> None:
        """A spring is a tendon through two sites."""
        first, second = self._side(node, False), self._side(node, True)
        if first is None or second is None:
            self.drop(node)
            return
        name = node.text("name") or f"spring{len(self.tendons) + 1}"
        sites = [self._end_site(side, f"{name}{SEPARATOR}{end}") for side, end in ((first, "a"), (second, "b"))]
        given = {
            "name": name,
            "stiffness": shown(one(node, "stiffness") or 0.0),
            "damping": shown(one(node, "damping") or 0.0),
            "springlength": shown(one(node, "length") or 0.0),
        }
        self.tendons.append((given, (sites[0], sites[1])))

    def _sections(self) -> None:
        xml = self.xml
        if self.tendons:
            xml.open("tendon")
            for given, sites in self.tendons:
                xml.open("spatial", **given)
                for site in sites:
                    xml.empty("site", site=site)
                xml.close()
            xml.close()
        if self.equalities:
            xml.open("equality")
            for tag, given in self.equalities:
                xml.empty(tag, **given)
            xml.close()
            self.losses.changed(
                None,
                Text("closures and couplings are soft in MuJoCo", "замыкания и передачи в MuJoCo податливы"),
            )
        if self.actuators:
            xml.open("actuator")
            for given in self.actuators:
                xml.empty("motor", **given)
            xml.close()


def _mesh_key(node: Node) -> tuple[str, tuple[float, ...]]:
    return node.text("file") or "", numbers(node, "scale") or ()


def _scaled(v: Vector3) -> Vector3:
    return (v[0] * _ARM, v[1] * _ARM, v[2] * _ARM)


def _added(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _back(R: Rotation) -> Rotation:
    a, b, c = zip(*R, strict=True)
    return (a, b, c)
