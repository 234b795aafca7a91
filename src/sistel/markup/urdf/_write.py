"""A canonical document → URDF and a list of what did not carry over.

URDF knows trees of links with joints of one degree of freedom (and floating ones). A joint with more becomes a chain
of joints with massless links between them, which moves exactly alike; frames and points become links fixed to theirs.
"""

from __future__ import annotations

import math

from sistel.errors import Span, Text
from sistel.markup._document import Node
from sistel.markup._losses import Losses
from sistel.markup.formats._writer import KEPT_BY_VALUE, SEPARATOR, Writer
from sistel.markup.formats._xml_text import Namer, listed, shown
from sistel.markup.formats.export import SHAPES, Motion, Out, OutBody, export
from sistel.markup.formats.nodes import ORIGIN, X, Y, Z, inertia, joint_word, numbers, one, place, title, turn
from sistel.markup.urdf._read import ENDLESS
from sistel.pose import IDENTITY, Rotation, Vector3, roll_pitch_yaw, rotate


def write_urdf(root: Node) -> tuple[str, Losses]:
    """The URDF file of a canonical document, given its root (see `export`), and what it cannot say."""
    losses = Losses()
    out = export(root, losses)
    writer = _Writer(out)
    writer.write()
    return writer.xml.text(), losses


_TREE = Text("URDF describes trees only", "URDF описывает только деревья")
_WHY: dict[str, Text] = {
    "joint": _TREE,
    "closure": _TREE,
    "parameter": KEPT_BY_VALUE,
    "posture": Text("postures belong to SRDF", "позы хранит SRDF"),
    "group": Text("groups belong to SRDF", "группы хранит SRDF"),
}


class _Writer(Writer):
    why_not = _WHY

    def __init__(self, out: Out) -> None:
        super().__init__(out)
        self.link_name = Namer(out.losses)
        self.links: dict[int, str] = {}
        """Link of a body, by the identity of the body."""
        self.mimics: dict[tuple[int, int], Node] = {}

    def write(self) -> None:
        out, xml = self.out, self.xml
        xml.open("robot", name=out.name or "system")
        root = self._root_body()
        for body in out.bodies:
            self.links[id(body)] = self.link_name(body.name, body.node.span)
        for body in out.bodies:
            if body is not root:
                self._name_joints(body)
        self._find_mimics()
        if root is None:
            self.ground = self.link_name("world", None, made_up=True)
            xml.open("link", name=self.ground)
            self._visuals(out.root)
            xml.close()
            self._fixed_places(out.root, self.ground)
        for body in out.bodies:
            if body is not root:
                self._joint(body)
            elif body.joint_name != body.name:
                self.losses.dropped(
                    body.node.at("joint-name"),
                    Text(
                        f'joint "{body.joint_name}": the root link has none',
                        f"сочленение «{body.joint_name}»: у корневого звена его нет",
                    ),
                )
            self._link(body)
        xml.close()
        self._leave_out()

    def _root_body(self) -> OutBody | None:
        """The body that can be the root link as it is: alone on the ground, fixed there, at its origin."""
        grounded = self.out.grounded
        if len(grounded) != 1 or any(True for _ in self.out.root.of("point", "frame", *SHAPES)):
            return None
        body = grounded[0]
        at_origin = body.joint == "fixed" and body.p_PB == ORIGIN and body.R_PB == IDENTITY
        return body if at_origin else None

    def _name_joints(self, body: OutBody) -> None:
        span = body.node.at("joint-name")
        motions = self._chain(body)
        if len(motions) < 2:
            self.joints[id(body), 0] = self.joint_name(body.joint_name, span)
            return
        for index, motion in enumerate(motions):
            wanted = f"{body.joint_name}{SEPARATOR}{motion.name}"
            self.joints[id(body), index] = self.joint_name(wanted, span, made_up=True)
        names = ", ".join(self.joints[id(body), index] for index in range(len(motions)))
        self.losses.changed(
            body.node.at("joint"),
            Text(
                f'the {joint_word(body.joint).en} joint of "{body.name}" became a chain of simple joints: {names}',
                f"сочленение «{body.name}» ({joint_word(body.joint).ru}) стало цепочкой простых: {names}",
            ),
        )

    def _chain(self, body: OutBody) -> tuple[Motion, ...]:
        """The motions of a body's joint; a ball turns about x, then y, then z."""
        if body.joint == "spherical":
            return tuple(Motion(name, "turn", axis) for name, axis in (("x", X), ("y", Y), ("z", Z)))
        return body.motions

    def _find_mimics(self) -> None:
        for node, of, to, ratio in self.couplings():
            why = None
            if of is None or to is None:
                why = Text("it joins no single coordinates", "она соединяет не отдельные координаты")
            elif any(ratio[1:]):
                why = Text("<mimic> is linear", "<mimic> линеен")
            elif node.get("holds") is False:
                why = Text("<mimic> holds always", "<mimic> держит всегда")
            elif (id(of[0]), of[1]) in self.mimics:
                why = Text("a joint mimics one other joint only", "сочленение повторяет только одно другое")
            if why is not None or of is None:
                self.drop(node, why)
                continue
            self.mimics[id(of[0]), of[1]] = node

    def _joint(self, body: OutBody) -> None:
        base = self.ground if body.base is None else self.links[id(body.base)]
        motions = self._chain(body)
        child = self.links[id(body)]
        if not motions:
            kind = {"fixed": "fixed", "free": "floating"}[body.joint]
            self.xml.open("joint", name=self.joints[id(body), 0], type=kind)
            self._origin(body.p_PB, body.R_PB, body.node)
            self.xml.empty("parent", link=base)
            self.xml.empty("child", link=child)
            self.xml.close()
            if kind == "floating":
                self.drop_attributes(body.node, "min", "max", "speed", "damping", "friction")
        for index, motion in enumerate(motions):
            last = index == len(motions) - 1
            link = child
            if not last:
                link = self.link_name(f"{body.name}{SEPARATOR}{motion.name}", None, made_up=True)
                self.xml.empty("link", name=link)
            self._simple_joint(body, index, motion, base, link)
            base = link
        self.drop_attributes(body.node, "stiffness", "rest")

    def _simple_joint(self, body: OutBody, index: int, motion: Motion, base: str, child: str) -> None:
        slides = motion.kind == "slide"
        ball = body.joint == "spherical"
        low, high = (
            (-math.inf, math.inf)
            if ball
            else (body.per_motion("min", -math.inf)[index], body.per_motion("max", math.inf)[index])
        )
        limited = math.isfinite(low) or math.isfinite(high)
        kind = "prismatic" if slides else "revolute" if limited else "continuous"
        self.xml.open("joint", name=self.joints[id(body), index], type=kind)
        self._origin(*((body.p_PB, body.R_PB, body.node) if index == 0 else (ORIGIN, IDENTITY, body.node)))
        self.xml.empty("parent", link=base)
        self.xml.empty("child", link=child)
        self.xml.empty("axis", xyz=listed(motion.axis))
        self._limit(body, index, kind, (low, high))
        if not ball:
            damping, friction = body.per_motion("damping", 0.0)[index], body.per_motion("friction", 0.0)[index]
            if damping or friction:
                self.xml.empty("dynamics", damping=shown(damping), friction=shown(friction))
        mimic = self.mimics.get((id(body), index))
        if mimic is not None:
            driver = self.out.coordinate(mimic.names("to")[0])
            assert driver is not None
            self.xml.empty(
                "mimic",
                joint=self.joints[id(driver[0]), driver[1]],
                multiplier=shown((numbers(mimic, "ratio") or (1.0,))[0]),
                offset=shown(one(mimic, "offset") or 0.0),
            )
        self.xml.close()

    def _limit(self, body: OutBody, index: int, kind: str, between: tuple[float, float]) -> None:
        if body.joint == "spherical":
            if index == 0:
                self.drop_attributes(body.node, "min", "max", "speed", "damping", "friction")
            return
        speed = body.per_motion("speed", math.inf)[index]
        motor = body.motors(Losses())[index]
        effort = 0.0
        if motor is not None:
            limit = one(motor, "limit")
            effort = math.inf if limit is None else limit
            own = one(motor, "speed")
            speed = min(speed, math.inf if own is None else own)
        if kind == "continuous" and motor is None and not math.isfinite(speed):
            return
        bounds = {"effort": effort, "velocity": speed}
        if kind != "continuous":
            bounds = {"lower": between[0], "upper": between[1], **bounds}
        endless = [key for key, value in bounds.items() if not math.isfinite(value)]
        if endless:
            names = ", ".join(endless)
            self.losses.changed(
                body.node.span,
                Text(
                    f'"{body.name}" has no limit for {names}; URDF demands one, {ENDLESS:g} is written',
                    f"у «{body.name}» нет предела: {names}; URDF его требует, записано {ENDLESS:g}",
                ),
            )
        texts = {key: shown(min(max(value, -ENDLESS), ENDLESS)) for key, value in bounds.items()}
        self.xml.empty("limit", **texts)

    def _link(self, body: OutBody) -> None:
        node = body.node
        self.xml.open("link", name=self.links[id(body)])
        mass = one(node, "mass") or 0.0
        tensor = inertia(node, self.out.planar)
        if mass or any(tensor):
            self.xml.open("inertial")
            com = place(node, "com")
            if com != ORIGIN:
                self.xml.empty("origin", xyz=listed(com))
            self.xml.empty("mass", value=shown(mass))
            keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
            values = dict(zip(keys, (shown(value) for value in tensor), strict=True))
            self.xml.empty("inertia", **{key: values[key] for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")})
            self.xml.close()
        self._visuals(node)
        self.xml.close()
        self._fixed_places(node, self.links[id(body)])
        for child in node.of("force", "moment", "stop", "motion"):
            self.drop(child)
        body.motors(self.losses)
        for motor in node.of("motor"):
            if motor.text("name") not in (None, body.name, body.joint_name):
                self.losses.dropped(motor.at("name"), Text(f"the name of {title(motor).en}", f"имя: {title(motor).ru}"))
            self.drop_attributes(
                motor,
                *("ratio", "inertia", "efficiency", "voltage", "resistance", "inductance", "constant", "current"),
                *("kp", "kd", "brake"),
            )

    def _fixed_places(self, node: Node, link: str) -> None:
        """Points and frames, each as a link of its own."""
        for child in node.of("point", "frame"):
            name = self.link_name(child.text("name") or "", child.span)
            self.xml.empty("link", name=name)
            self.xml.open("joint", name=self.joint_name(f"{name}{SEPARATOR}fixed", None, made_up=True), type="fixed")
            self._origin(place(child), turn(child), child)
            self.xml.empty("parent", link=link)
            self.xml.empty("child", link=name)
            self.xml.close()
            what = title(child)
            self.losses.changed(child.span, Text(f"{what.en} became a link", f"{what.ru}: стало звеном"))

    def _origin(self, p: Vector3, R: Rotation, node: Node) -> None:
        if p == ORIGIN and R == IDENTITY:
            return
        given = numbers(node, "turn") if "turn" in node.spec.by_key else None
        # Three angles are written as they were given, not as they come back from the matrix.
        angles = given if given is not None and len(given) == 3 else roll_pitch_yaw(R)
        self.xml.empty("origin", xyz=listed(p), rpy=listed(angles) if R != IDENTITY else None)

    def _visuals(self, node: Node) -> None:
        for child in node.of(*SHAPES):
            self._visual(child)

    def _visual(self, node: Node) -> None:
        p, R = place(node), turn(node)
        match node.key:
            case "shape" | "cone":
                self.drop(node, Text("URDF has no such geometry", "в URDF нет такой геометрии"))
            case "box":
                size = numbers(node, "size") or ()
                flat = len(size) == 2
                self._geometry(node, p, R, "box", size=listed([*size, 0.001] if flat else list(size)))
                if flat:
                    self.losses.changed(
                        node.span, Text("a flat box became 1 mm thick", "плоская коробка стала толщиной 1 мм")
                    )
            case "sphere":
                self._geometry(node, p, R, "sphere", radius=shown(one(node, "radius") or 0.0))
            case "cylinder":
                self._geometry(
                    node,
                    p,
                    R,
                    "cylinder",
                    radius=shown(one(node, "radius") or 0.0),
                    length=shown(one(node, "length") or 0.0),
                )
            case "mesh":
                scale = numbers(node, "scale")
                text = None if scale is None else listed(scale * 3 if len(scale) == 1 else scale)
                self._geometry(node, p, R, "mesh", filename=node.text("file"), scale=text)
            case "capsule":
                self._capsule(node, p, R)

    def _capsule(self, node: Node, p: Vector3, R: Rotation) -> None:
        """A cylinder and two balls: most readers of URDF know no capsule."""
        radius, length = one(node, "radius") or 0.0, one(node, "length") or 0.0
        self._geometry(node, p, R, "cylinder", radius=shown(radius), length=shown(length))
        for end in (length / 2, -length / 2):
            dx, dy, dz = rotate(R, (0.0, 0.0, end))
            self._geometry(node, (p[0] + dx, p[1] + dy, p[2] + dz), IDENTITY, "sphere", radius=shown(radius))
        self.losses.changed(
            node.span, Text("a capsule became a cylinder and two balls", "капсула стала цилиндром и двумя шарами")
        )

    def _geometry(self, node: Node, p: Vector3, R: Rotation, tag: str, **sizes: str | None) -> None:
        self.xml.open("visual")
        self._origin(p, R, node)
        self.xml.open("geometry")
        self.xml.empty(tag, **sizes)
        self.xml.close()
        rgba = self.rgba(node)
        if rgba is not None:
            self.xml.open("material", name=node.text("colour"))
            self.xml.empty("color", rgba=rgba)
            self.xml.close()
        self.xml.close()

    def _leave_out(self) -> None:
        """Name what a whole system has and URDF does not."""
        out, losses = self.out, self.losses
        shown_gravity = listed(out.gravity)
        span: Span | None = next((node.span for node in out.root.of("gravity")), None)
        if out.gravity != (0.0, 0.0, -9.81):
            losses.dropped(
                span,
                Text(
                    f"gravity ({shown_gravity} m/s²): URDF leaves it to the program that reads it",
                    f"тяжесть ({shown_gravity} м/с²): URDF оставляет её читающей программе",
                ),
            )
        self.leave_out()
