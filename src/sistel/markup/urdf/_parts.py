"""The parts of URDF links and joints: poses, inertia, geometry, colours."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sistel.errors import Diagnostics, Span, Text, one_of
from sistel.markup._document import Node, make_node
from sistel.markup.formats._foreign import Foreign, Reading, put, put_numbers, read_numbers
from sistel.markup.xml._reader import Element
from sistel.pose import (
    Rotation,
    Vector3,
    exact_angles,
    exact_rotation,
    from_quaternion,
    from_roll_pitch_yaw,
    norm,
    roll_pitch_yaw,
    rotate_inertia,
)
from sistel.units import ANGLE, INERTIA, LENGTH, MASS, PLAIN

ZERO: Vector3 = (0.0, 0.0, 0.0)
SHAPES = ("box", "cylinder", "sphere", "capsule", "mesh")

DUST = 1e-16
"""Moments of inertia below this are rounding of 0, and often negative [kg·m²]."""

_NO_COLLISIONS = Text(
    "collisions are declared as contacts, not detected", "столкновения описываются контактами, а не обнаруживаются"
)


class Origin:
    """An ``<origin>``: a place, angles, and where they stand."""

    __slots__ = ("angles", "place", "place_span", "turn_span")

    def __init__(self, place: Vector3, angles: Vector3, place_span: Span, turn_span: Span) -> None:
        self.place = place
        """[m]"""
        self.angles = angles
        """Roll, pitch, yaw [rad]."""
        self.place_span = place_span
        self.turn_span = turn_span

    @property
    def rotation(self) -> Rotation:
        """The orientation as a matrix."""
        return from_roll_pitch_yaw(*self.angles)

    def put(self, node: Node) -> None:
        """Give a node the place and the turn, where they are not zero."""
        if any(self.place):
            put_numbers(node, "place", self.place, LENGTH, self.place_span)
        if any(self.angles):
            put_numbers(node, "turn", self.angles, ANGLE, self.turn_span)


def read_origin(owner: Foreign) -> Origin:
    """The ``<origin>`` of an element, or the identity."""
    origin = owner.child("origin")
    if origin is None:
        return Origin(ZERO, ZERO, owner.span, owner.span)
    reading = origin.reading
    place = origin.vector("xyz") or ZERO
    angles = origin.vector("rpy") or ZERO
    turn_name = "rpy"
    exact = exact_angles(angles, reading.snap)
    quaternion = origin.numbers("quat_xyzw", 4)
    if quaternion is not None:
        turn_name = "quat_xyzw"
        angles = exact = _quaternion_angles(origin, quaternion)
    if exact != angles:
        report_snapped(reading, origin.at(turn_name), angles, exact)
    origin.report()
    return Origin(place, exact, origin.at("xyz"), origin.at(turn_name))


def _quaternion_angles(origin: Foreign, quaternion: tuple[float, ...]) -> Vector3:
    x, y, z, w = quaternion
    if norm(quaternion) == 0:
        origin.reading.diagnostics.error(
            "zero-vector",
            origin.at("quat_xyzw"),
            Text("a quaternion of length zero is no orientation", "кватернион нулевой длины не задаёт ориентацию"),
        )
        return ZERO
    R = from_quaternion((w, x, y, z))
    exact = exact_rotation(R, origin.reading.snap)
    origin.reading.losses.changed(
        origin.at("quat_xyzw"), Text("a quaternion became three angles", "кватернион стал тремя углами")
    )
    return roll_pitch_yaw(exact)


def report_snapped(reading: Reading, span: Span, before: Iterable[float], after: Iterable[float]) -> None:
    """Name numbers that were made exact."""
    pairs = [f"{old!r} → {new!r}" for old, new in zip(before, after, strict=True) if old != new]
    shown = ", ".join(pairs)
    reading.losses.snapped(span, Text(f"made exact: {shown}", f"сделано точным: {shown}"))


def read_inertial(link: Foreign, body: Node) -> None:
    """Mass, centre of mass and inertia of a link, in the axes of the body."""
    inertial = link.child("inertial")
    if inertial is None:
        return
    origin = read_origin(inertial)
    mass = inertial.child("mass")
    value = None
    if mass is None:
        _missing(inertial, "mass")
    else:
        value = mass.number("value")
        if value is None and not mass.has("value"):
            mass.required_word("value")
        if value is not None:
            put_numbers(body, "mass", value, MASS, mass.at("value"), mass.element.name_span)
        mass.report()
    inertia = inertial.child("inertia")
    if inertia is None:
        _missing(inertial, "inertia")
    else:
        keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        numbers = [inertia.number(key) for key in keys]
        for key in keys[:3]:
            if not inertia.has(key):
                inertia.required_word(key)
        given = [number or 0.0 for number in numbers]
        exact = [0.0 if abs(number) < DUST and inertial.reading.snap else number for number in given]
        if exact != given:
            report_snapped(inertial.reading, inertia.span, given, exact)
        turned = rotate_inertia(origin.rotation, exact)
        if any(turned):
            put_numbers(body, "inertia", turned, INERTIA, inertia.span, inertia.element.name_span)
        inertia.report()
    if any(origin.place):
        put_numbers(body, "com", origin.place, LENGTH, origin.place_span)
    inertial.report()


def _missing(owner: Foreign, tag: str) -> None:
    owner.reading.diagnostics.error(
        "missing-element",
        owner.element.name_span,
        Text(f"{owner.label} has no <{tag}>", f"в {owner.label} нет <{tag}>"),
    )


def read_shapes(link: Foreign, body: Node, colours: dict[str, str]) -> None:
    """What a link looks like: its visuals, or its collision geometry when it has no visuals.

    Args:
        link: The link.
        body: The body that gets the shapes.
        colours: Colours of named materials.
    """
    losses = link.reading.losses
    visuals = list(link.children("visual"))
    collisions = list(link.children("collision"))
    for visual in visuals:
        _read_shape(visual, body, colours)
    if not collisions:
        return
    count = len(collisions)
    if visuals:
        what = Text(
            f"{link.label}: {count} × <collision>: {_NO_COLLISIONS.en}",
            f"{link.label}: {count} × <collision>: {_NO_COLLISIONS.ru}",
        )
        losses.dropped(collisions[0].span, what)
        return
    losses.changed(
        collisions[0].span,
        Text(
            f"{link.label} has no <visual>: its <collision> is drawn instead; {_NO_COLLISIONS.en}",
            f"в {link.label} нет <visual>: вместо него рисуется <collision>; {_NO_COLLISIONS.ru}",
        ),
    )
    for collision in collisions:
        _read_shape(collision, body, colours)


def _read_shape(visual: Foreign, body: Node, colours: dict[str, str]) -> None:
    origin = read_origin(visual)
    colour = None
    material = visual.child("material")
    if material is not None:
        colour = read_material(material, colours)
    geometry = visual.child("geometry")
    if geometry is None:
        _missing(visual, "geometry")
    else:
        for tag in SHAPES:
            shape = geometry.child(tag)
            if shape is None:
                continue
            node = _SHAPE_READERS[tag](shape)
            shape.report()
            if node is not None:
                origin.put(node)
                put(node, "colour", colour, visual.span)
                body.children.append(node)
            break
        else:
            if not geometry.element.children:
                visual.reading.diagnostics.error(
                    "missing-element",
                    geometry.element.name_span,
                    Text("<geometry> is empty", "<geometry> пуст"),
                    expected=one_of(SHAPES),
                )
        geometry.report()
    visual.report()


def _box(shape: Foreign) -> Node | None:
    size = shape.vector("size")
    if size is None:
        if not shape.has("size"):
            shape.required_word("size")
        return None
    if min(size) <= 0:
        shape.refuse_size("size", min(size))
        return None
    node = make_node("box", shape.span)
    put_numbers(node, "size", size, LENGTH, shape.at("size"))
    return node


def _round(shape: Foreign) -> Node | None:
    sizes = {"radius": shape.positive("radius")}
    if shape.tag != "sphere":
        sizes["length"] = shape.positive("length")
    node = make_node(shape.tag, shape.span)
    for key, value in sizes.items():
        if value is None:
            return None
        put_numbers(node, key, value, LENGTH, shape.at(key))
    return node


def _mesh(shape: Foreign) -> Node | None:
    name = shape.required_word("filename")
    scale = shape.numbers("scale", 1, 3)
    if name is None:
        return None
    file = _mesh_file(name, shape)
    if file is None:
        return None
    node = make_node("mesh", shape.span)
    put(node, "file", file, shape.at("filename"))
    if scale is not None and any(factor != 1 for factor in scale):
        put_numbers(node, "scale", scale, PLAIN, shape.at("scale"))
    return node


def _mesh_file(name: str, shape: Foreign) -> str | None:
    losses = shape.reading.losses
    if name.startswith("file://"):
        path = name.removeprefix("file://")
        losses.changed(shape.at("filename"), Text(f'the file became "{path}"', f"файл стал «{path}»"))
        return path
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", name) and not name.startswith("package://"):
        losses.dropped(
            shape.at("filename"),
            Text(
                f'mesh "{name}": files are read from this computer only',
                f"сетка «{name}»: файлы читаются только с этого компьютера",
            ),
        )
        return None
    return name


_SHAPE_READERS = {"box": _box, "cylinder": _round, "sphere": _round, "capsule": _round, "mesh": _mesh}


def read_material(material: Foreign, colours: dict[str, str]) -> str | None:
    """The colour of a ``<material>``, which may only name one that is defined elsewhere."""
    name = material.word("name")
    color = material.child("color")
    found = None
    if color is not None:
        rgba = color.numbers("rgba", 4)
        if rgba is None and not color.has("rgba"):
            color.required_word("rgba")
        if rgba is not None:
            found = colour_of(rgba)
        color.report()
    elif name not in colours and material.child("texture") is None:
        material.reading.losses.dropped(
            material.span, Text(f'material "{name}" is defined nowhere', f"материал «{name}» нигде не определён")
        )
    material.report()
    return found or colours.get(name or "")


def named_colours(root: Element) -> dict[str, str]:
    """Colours of all materials of a file that have a name, wherever they are defined; the first definition counts."""
    colours: dict[str, str] = {}
    for element in root.walk():
        if element.name != "material" or "name" not in element.attributes:
            continue
        for child in element.children:
            rgba = child.attributes.get("rgba")
            numbers = read_numbers(rgba.value, Diagnostics()) if rgba is not None else None
            if child.name == "color" and numbers is not None and len(numbers) == 4:
                colours.setdefault(element.attributes["name"].value.text.strip(), colour_of(numbers))
    return colours


def colour_of(rgba: Iterable[float]) -> str:
    """#rrggbb of four parts from 0 to 1; two more digits where it is not opaque."""
    parts = [round(255 * min(max(part, 0.0), 1.0)) for part in rgba]
    return "#" + "".join(f"{part:02x}" for part in (parts if parts[3] < 255 else parts[:3]))
