"""MJCF → a document of XsysTel and a list of what did not carry over.

MuJoCo's body has its joints anywhere in its frame, several of them one after another. XsysTel's body has one joint at
its pole. So a body with n joints becomes n bodies, the first n - 1 massless, and where the last joint is not at the
origin of MuJoCo's frame, the body gets another name and a frame keeps the old one: asked for by name, every body is
where MuJoCo has it. Coordinates are MuJoCo's own, `ref` and the absolute pose of free bodies included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from sistel.errors import Diagnostics, Text, did_you_mean, one_of
from sistel.markup._document import Document, Node, make_node
from sistel.markup._losses import Losses
from sistel.markup.formats._foreign import Foreign, Reading, drop_element, put, put_numbers
from sistel.markup.mjcf._geom import Geom, Mass, add_masses, place_and_axes, principal_moments, read_geom
from sistel.markup.mjcf._joint import MjJoint, read_joint
from sistel.markup.mjcf._links import MjBody, Site, read_actuators, read_equalities, read_keyframes
from sistel.markup.mjcf._source import MAIN, Loader, Mjcf, expand, file_loader, read_compiler, read_defaults
from sistel.markup.urdf._parts import colour_of
from sistel.markup.xml._reader import Element
from sistel.pose import (
    IDENTITY,
    SNAP,
    Rotation,
    Vector3,
    compose,
    norm,
    quaternion,
    roll_pitch_yaw,
    rotate,
    rotate_inertia,
)
from sistel.records import mutable
from sistel.units import ACCELERATION, ANGLE, INERTIA, LENGTH, MASS, PLAIN

ZERO: Vector3 = (0.0, 0.0, 0.0)

_UNSUPPORTED = ("composite", "flexcomp", "replicate", "attach")
"""Elements that stand for many bodies."""


@mutable
class _Task:
    """A body to read: its element and where it stands."""

    element: Element
    base: MjBody
    R_PF: Rotation
    p_PF: Vector3
    """The MJCF ``<frame>`` that it stands in, in the frame of its base."""
    childclass: str


@mutable
class _Content:
    """A child of a body with the frame that it stands in."""

    element: Element
    R_BF: Rotation
    p_BF: Vector3
    childclass: str


@mutable
class _World:
    mjcf: Mjcf
    system: Node
    lock: dict[str, float]
    bodies: dict[str, MjBody] = field(default_factory=dict)
    sites: dict[str, Site] = field(default_factory=dict)
    joints: list[MjJoint] = field(default_factory=list)
    """In MuJoCo's order, which is that of its coordinates."""
    masses: list[tuple[Node, Mass, Foreign]] = field(default_factory=list)
    starts: list[Node] = field(default_factory=list)
    count: int = 0


def read_mjcf(
    root: Element,
    diagnostics: Diagnostics,
    *,
    lock: Iterable[str] | Mapping[str, float] = (),
    snap: float = SNAP,
    load: Loader | None = None,
) -> tuple[Document | None, Losses]:
    """The document that a ``<mujoco>`` describes; None when it describes none.

    Args:
        root: The element ``mujoco``.
        diagnostics: Takes the problems.
        lock: Joints that do not move: held at 0, or at the given coordinates [m or rad].
        snap: Orientations and axes this near to exact values become exact; 0 keeps all as they are.
        load: Reads the files that the file includes; from its own folder when absent.
    """
    losses = Losses()
    reading = Reading(losses, diagnostics, snap)
    mujoco = Foreign(expand(root, load or file_loader(root, diagnostics), diagnostics), reading)
    mjcf = Mjcf(reading)
    read_compiler(mujoco, mjcf)
    read_defaults(mujoco, mjcf)
    _read_assets(mujoco, mjcf)
    system = make_node("system", root.span, space="spatial", name=mujoco.word("model"))
    _read_options(mujoco, system)
    world = _World(mjcf, system, dict(lock) if isinstance(lock, Mapping) else dict.fromkeys(lock, 0.0))
    for element in mujoco.children("worldbody"):
        _read_tree(element.element, world)
    if not world.count and not diagnostics.failed:
        diagnostics.error("no-bodies", root.name_span, Text("the file has no bodies", "в файле нет тел"))
        return None, losses
    _unknown_locks(world)
    _give_masses(world)
    voltages = read_actuators(mujoco, mjcf, world.joints)
    links = read_equalities(mujoco, mjcf, world.bodies, world.sites, world.joints)
    if links:
        system.children.append(make_node("links", root.span, *links))
    if voltages is not None:
        system.children.append(voltages)
    if world.starts:
        system.children.append(make_node("start", root.span, *world.starts))
    system.children.extend(read_keyframes(mujoco, world.joints))
    _leave_out(mujoco)
    return Document(system, root.source, "en"), losses


def _read_options(mujoco: Foreign, system: Node) -> None:
    gravity: Vector3 = (0.0, 0.0, -9.81)
    span = None
    for option in mujoco.children("option"):
        given = option.vector("gravity")
        if given is not None:
            gravity, span = given, option.at("gravity")
        for flag in option.children("flag"):
            if flag.word("gravity", "enable", "disable") == "disable":
                gravity, span = ZERO, flag.at("gravity")
            flag.report()
        option.report()
    size = norm(gravity)
    if span is None or gravity == (0.0, 0.0, -9.81):
        return
    node = make_node("gravity", span)
    put_numbers(node, "value", size, ACCELERATION, span)
    if size:
        put_numbers(node, "along", [component / size for component in gravity], PLAIN, span)
    system.children.append(node)


def _read_assets(mujoco: Foreign, mjcf: Mjcf) -> None:
    for asset in mujoco.children("asset"):
        for element in asset.children("material"):
            material = mjcf.foreign(element.element)
            name, rgba = material.word("name"), material.numbers("rgba", 4)
            if name is not None and rgba is not None:
                mjcf.colours[name] = colour_of(rgba)
            material.report()
        for element in asset.children("mesh"):
            mesh = mjcf.foreign(element.element)
            file, name = mesh.word("file"), mesh.word("name")
            mesh.ignore("scale")
            if name is None and file is not None:
                name = file.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
            if name is not None:
                mjcf.meshes[name] = mesh
            mesh.report()
        asset.report()


def _read_tree(worldbody: Element, world: _World) -> None:
    """All bodies, each base before those that it carries and in MuJoCo's order."""
    ground = MjBody("world", None, world.system, ZERO, IDENTITY, ZERO, moves=False)
    world.bodies.setdefault("world", ground)
    stack = list(reversed(_read_contents(worldbody, ground, MAIN, world)))
    while stack:
        task = stack.pop()
        stack.extend(reversed(_read_body(task, world)))


def _flatten(element: Element, childclass: str, mjcf: Mjcf) -> Iterator[_Content]:
    """The children of a body in order, those inside ``<frame>`` elements with the pose of their frame."""
    stack = [_Content(child, IDENTITY, ZERO, childclass) for child in reversed(element.children)]
    while stack:
        content = stack.pop()
        if content.element.name != "frame":
            yield content
            continue
        frame = Foreign(content.element, mjcf.reading)
        p, R = mjcf.position(frame), mjcf.orientation(frame)
        inner = _childclass(frame, content.childclass, mjcf)
        frame.ignore("name")
        dx, dy, dz = rotate(content.R_BF, p)
        at: Vector3 = (content.p_BF[0] + dx, content.p_BF[1] + dy, content.p_BF[2] + dz)
        axes = compose(content.R_BF, R)
        for name in frame.attributes:
            if name not in ("name", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "childclass"):
                mjcf.reading.losses.dropped(
                    frame.attributes[name].name_span, Text(f"attribute {name} of <frame>", f"атрибут {name} в <frame>")
                )
        stack.extend(_Content(child, axes, at, inner) for child in reversed(content.element.children))


def _childclass(foreign: Foreign, inherited: str, mjcf: Mjcf) -> str:
    name = foreign.word("childclass")
    if name is None:
        return inherited
    mjcf.unknown_class(name, foreign.at("childclass"))
    return name


def _read_body(task: _Task, world: _World) -> list[_Task]:
    mjcf, reading = world.mjcf, world.mjcf.reading
    world.count += 1
    foreign = Foreign(task.element, reading)
    given = foreign.word("name")
    name = given if given is not None else f"body{world.count}"
    childclass = _childclass(foreign, task.childclass, mjcf)
    p, R = mjcf.position(foreign), mjcf.orientation(foreign)
    dx, dy, dz = rotate(task.R_PF, p)
    p_PB: Vector3 = (task.p_PF[0] + dx, task.p_PF[1] + dy, task.p_PF[2] + dz)
    R_PB = compose(task.R_PF, R) if task.R_PF != IDENTITY else R
    base = task.base
    ex, ey, ez = rotate(base.R_WB, p_PB)
    p_WB: Vector3 = (base.p_WB[0] + ex, base.p_WB[1] + ey, base.p_WB[2] + ez)
    body = MjBody(name, base, base.node, ZERO, compose(base.R_WB, R_PB), p_WB, moves=base.moves)
    joints = [
        read_joint(content.element, content.childclass, content.R_BF, content.p_BF, mjcf)
        for content in _flatten(task.element, childclass, mjcf)
        if content.element.name in ("joint", "freejoint")
    ]
    _make_nodes(body, [joint for joint in joints if joint is not None], p_PB, R_PB, foreign, world)
    if given is not None and given in world.bodies:
        reading.diagnostics.error(
            "same-name",
            foreign.at("name"),
            Text(f'there are two bodies called "{name}"', f"два тела с именем «{name}»"),
        )
    world.bodies[name] = body
    if mjcf.flag(foreign, "mocap", False):
        reading.losses.changed(
            foreign.at("mocap"),
            Text(f'"{name}" is fixed, not moved by hand (mocap)', f"«{name}» закреплено, а не движется извне (mocap)"),
        )
    tasks = _read_contents(task.element, body, childclass, world)
    foreign.ignore_children()
    foreign.report()
    return tasks


def _make_nodes(
    body: MjBody, joints: list[MjJoint], p_PB: Vector3, R_PB: Rotation, foreign: Foreign, world: _World
) -> None:
    """The chain of XsysTel bodies for a body of MuJoCo; `body.node` becomes the last of them."""
    assert body.base is not None
    reading = world.mjcf.reading
    parent = body.base.node
    # Pole of the current node in the frame of `parent`; `offset` brings MuJoCo's frame of the base to it.
    at = _sum(p_PB, body.base.offset)
    R = R_PB
    pole: Vector3 = ZERO
    moving = []
    for joint in joints:
        value = world.lock.pop(joint.name or "", None)
        if value is None:
            moving.append(joint)
            continue
        # A locked joint leaves a constant step: T(anchor) · motion · T(-anchor).
        step, turn = joint.step((value or 0.0) - joint.ref)
        shifted = _sum(joint.anchor, step, rotate(turn, _negative(joint.anchor)))
        at = _sum(at, rotate(R, shifted)) if not moving else at
        R = compose(R, turn) if not moving else R
        if moving:
            reading.diagnostics.error(
                "bad-lock",
                joint.foreign.span,
                Text(
                    f'joint "{joint.name}" moves behind another joint of its body and cannot be locked',
                    f"сочленение «{joint.name}» движется после другого на том же теле, закрепить его нельзя",
                ),
            )
    for index, joint in enumerate(moving):
        last = index == len(moving) - 1
        if joint.type == "free":
            node = _node(body, foreign, parent, ZERO, IDENTITY, "")
            put(node, "joint", "free", joint.foreign.span)
            _start_pose(node, p_PB, R_PB, foreign, world)
            if body.base.base is not None:
                reading.diagnostics.error(
                    "free-inside",
                    joint.foreign.span,
                    Text("only bodies of the world may be free", "свободными могут быть только тела мира"),
                )
            joint.attach(node, world.joints)
            _finish(body, node, ZERO, foreign, world)
            body.moves = True
            return
        place = _sum(at, rotate(R, _sum(joint.anchor, _negative(pole))))
        step, turn = joint.step(-joint.ref)
        suffix = "" if last else f"__{joint.name or index + 1}"
        node = _node(
            body, foreign, parent, _sum(place, rotate(R, step)), compose(R, turn) if turn != IDENTITY else R, suffix
        )
        joint.describe(node, reading)
        joint.attach(node, world.joints)
        parent, at, R, pole = node, ZERO, IDENTITY, joint.anchor
        body.moves = True
    if not moving:
        node = _node(body, foreign, parent, at, R, "")
        put(node, "joint", "fixed", foreign.span)
        pole = ZERO
    _finish(body, node, pole, foreign, world)


def _node(body: MjBody, foreign: Foreign, parent: Node, place: Vector3, R: Rotation, suffix: str) -> Node:
    node = make_node("body", foreign.span)
    if suffix:
        put(node, "name", foreign.reading.fresh(body.name + suffix, foreign.at("name")), foreign.at("name"))
    if any(place):
        put_numbers(node, "place", place, LENGTH, foreign.at("pos"))
    angles = roll_pitch_yaw(R)
    if any(angles):
        put_numbers(node, "turn", angles, ANGLE, foreign.span)
    parent.children.append(node)
    return node


def _finish(body: MjBody, node: Node, pole: Vector3, foreign: Foreign, world: _World) -> None:
    """Name the last node of a body, and keep MuJoCo's frame where the pole is elsewhere."""
    reading = world.mjcf.reading
    body.node, body.offset = node, _negative(pole)
    name = reading.fresh(body.name, foreign.at("name"))
    if not any(pole):
        put(node, "name", name, foreign.at("name"))
        return
    pole_name = reading.fresh(f"{name}__pole", foreign.at("name"))
    put(node, "name", pole_name, foreign.at("name"))
    frame = make_node("frame", foreign.span)
    put(frame, "name", name, foreign.at("name"))
    put_numbers(frame, "place", body.offset, LENGTH, foreign.at("pos"))
    node.children.append(frame)
    reading.losses.changed(
        foreign.at("name"),
        Text(
            f'body "{name}" is called "{pole_name}", because its joint is not at its origin; "{name}" is a frame of it',
            f"тело «{name}» названо «{pole_name}»: его сочленение не в начале его осей; «{name}» — его репер",
        ),
    )


def _start_pose(node: Node, p: Vector3, R: Rotation, foreign: Foreign, world: _World) -> None:
    """Where a free body starts: its coordinates are absolute, as MuJoCo's are."""
    if not any(p) and R == IDENTITY:
        return
    start = make_node("coordinate", foreign.span)
    put(start, "of", (foreign.word("name") or f"body{world.count}",), foreign.at("name"))
    put_numbers(start, "place", p, LENGTH, foreign.at("pos"))
    put_numbers(start, "quaternion", quaternion(R), PLAIN, foreign.span)
    world.starts.append(start)


def _read_contents(element: Element, body: MjBody, childclass: str, world: _World) -> list[_Task]:
    """Geoms, sites and inertia of a body; returns the bodies that it carries."""
    mjcf, reading = world.mjcf, world.mjcf.reading
    tasks: list[_Task] = []
    geoms: list[Geom] = []
    inertial: Foreign | None = None
    ground = body.base is None
    for content in _flatten(element, childclass, mjcf):
        child = content.element
        match child.name:
            case "body":
                tasks.append(_Task(child, body, content.R_BF, content.p_BF, content.childclass))
            case "geom":
                foreign = mjcf.foreign(child, content.childclass)
                geom = read_geom(foreign, mjcf, content.R_BF, content.p_BF, body.offset)
                geoms.append(geom)
                if geom.node is not None:
                    body.node.children.append(geom.node)
            case "site":
                _read_site(content, body, world)
            case "inertial":
                inertial = Foreign(child, reading)
            case "joint" | "freejoint" if not ground:
                pass
            case name if name in _UNSUPPORTED:
                reading.diagnostics.error(
                    "unsupported-element",
                    child.name_span,
                    Text(f"<{name}> stands for several bodies", f"<{name}> означает несколько тел"),
                    hint=Text(
                        "let MuJoCo write them out: load the file and call mj_saveLastXML",
                        "пусть MuJoCo выпишет их: загрузите файл и вызовите mj_saveLastXML",
                    ),
                )
            case _:
                drop_element(child, reading.losses, None, None if ground else Foreign(element, reading))
    if not ground:
        _read_mass(inertial, geoms, body, element, world)
    return tasks


def _read_site(content: _Content, body: MjBody, world: _World) -> None:
    mjcf = world.mjcf
    site = mjcf.foreign(content.element, content.childclass)
    kind = site.word("type") or "sphere"
    p_FS, R_FS, _ = place_and_axes(site, mjcf, kind)
    site.ignore("size", "rgba", "group", "material", "type")  # how it is drawn
    name = site.word("name")
    site.report()
    dx, dy, dz = rotate(content.R_BF, p_FS)
    p: Vector3 = (content.p_BF[0] + dx, content.p_BF[1] + dy, content.p_BF[2] + dz)
    R = compose(content.R_BF, R_FS) if content.R_BF != IDENTITY else R_FS
    if name is None:
        drop_element(content.element, mjcf.reading.losses, Text("it has no name", "у неё нет имени"))
        return
    node = make_node("frame", site.span)
    put(node, "name", mjcf.reading.fresh(name, site.at("name")), site.at("name"))
    put_numbers(node, "place", _sum(p, body.offset), LENGTH, site.at("pos"))
    angles = roll_pitch_yaw(R)
    if any(angles):
        put_numbers(node, "turn", angles, ANGLE, site.span)
    body.node.children.append(node)
    world.sites[name] = Site(body, p, R)


def _read_mass(inertial: Foreign | None, geoms: list[Geom], body: MjBody, element: Element, world: _World) -> None:
    """The mass of a body: given, or that of its geoms."""
    mjcf = world.mjcf
    way = mjcf.compiler.inertiafromgeom
    given = None
    if inertial is not None:
        given = _read_inertial(inertial, body.offset, mjcf)
        if way == "true":
            drop_element(inertial.element, mjcf.reading.losses, Text("inertiafromgeom", "inertiafromgeom"))
            given = None
    elif way == "false":
        return
    owner = Foreign(element, mjcf.reading)
    if given is None:
        low, high = mjcf.compiler.group_range
        counted = [geom for geom in geoms if low <= geom.group <= high]
        if any(geom.unknown_mass for geom in counted):
            mjcf.reading.diagnostics.warning(
                "no-inertia",
                element.name_span,
                Text(
                    f'the mass of body "{body.name}" depends on a mesh or a shell; that part is left out',
                    f"масса тела «{body.name}» зависит от сетки или оболочки; эта часть опущена",
                ),
                hint=Text("give the body an <inertial>", "задайте телу <inertial>"),
            )
        given = add_masses([geom.mass for geom in counted if geom.mass is not None])
    if given is not None:
        world.masses.append((body.node, given, owner if inertial is None else inertial))


def _read_inertial(inertial: Foreign, offset: Vector3, mjcf: Mjcf) -> Mass | None:
    p, R = mjcf.position(inertial), mjcf.orientation(inertial)
    mass = inertial.number("mass")
    if mass is None and not inertial.has("mass"):
        inertial.required_word("mass")
    diagonal, full = inertial.numbers("diaginertia", 3), inertial.numbers("fullinertia", 6)
    inertial.report()
    if mass is None:
        return None
    numbers = full if full is not None else (*(diagonal or ZERO), 0.0, 0.0, 0.0)
    return Mass(mass, _sum(p, offset), rotate_inertia(R, numbers))


def _give_masses(world: _World) -> None:
    settings = world.mjcf.compiler
    scale = 1.0
    total = sum(mass.mass for _, mass, _ in world.masses)
    if settings.settotalmass > 0 and total > 0:
        scale = settings.settotalmass / total
    for node, mass, foreign in world.masses:
        value = max(mass.mass, settings.boundmass) * scale
        low, middle, high = principal_moments(mass.inertia)
        if settings.balanceinertia and low + middle < high * (1 - 1e-12):
            mean = (low + middle + high) / 3
            mass.inertia = (mean, mean, mean, 0.0, 0.0, 0.0)
            world.mjcf.reading.losses.changed(
                foreign.span,
                Text(
                    f"balanceinertia: the moments of inertia became their mean, {mean:g} kg·m²",
                    f"balanceinertia: моменты инерции заменены средним, {mean:g} кг·м²",
                ),
            )
        put_numbers(node, "mass", value, MASS, foreign.at("mass"))
        if any(mass.com):
            put_numbers(node, "com", mass.com, LENGTH, foreign.at("pos"))
        if any(mass.inertia):
            put_numbers(node, "inertia", [scale * number for number in mass.inertia], INERTIA, foreign.span)


def _unknown_locks(world: _World) -> None:
    known = [joint.name for joint in world.joints if joint.name is not None]
    for name in world.lock:
        world.mjcf.reading.diagnostics.error(
            "unknown-name",
            None,
            Text(f'there is no joint "{name}" to lock', f"нет сочленения «{name}», которое нужно закрепить"),
            expected=one_of(known) if known else None,
            hint=did_you_mean(name, known),
        )


def _leave_out(mujoco: Foreign) -> None:
    """Name what is left: sections that describe one thing as a whole, others by their contents."""
    losses = mujoco.reading.losses
    for section in mujoco.children("contact", "sensor", "tendon", "custom", "deformable", "extension"):
        for child in section.element.children:
            drop_element(child, losses)
    mujoco.report()


def _sum(*vectors: Vector3) -> Vector3:
    return (sum(v[0] for v in vectors) + 0.0, sum(v[1] for v in vectors) + 0.0, sum(v[2] for v in vectors) + 0.0)


def _negative(v: Vector3) -> Vector3:
    return (-v[0] + 0.0, -v[1] + 0.0, -v[2] + 0.0)
