"""Geoms of MJCF: what a body looks like, and the mass that its shape gives it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from sistel.errors import Text
from sistel.markup._document import Node, make_node
from sistel.markup.formats._foreign import Foreign, drop_element, put, put_numbers
from sistel.markup.mjcf._source import Mjcf, from_z
from sistel.markup.urdf._parts import colour_of
from sistel.pose import IDENTITY, Rotation, Vector3, compose, roll_pitch_yaw, rotate, rotate_inertia
from sistel.records import mutable
from sistel.units import ANGLE, LENGTH, PLAIN

Inertia = tuple[float, float, float, float, float, float]
"""xx, yy, zz, xy, xz, yz [kg·m²]."""

_TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
_LONG = ("capsule", "cylinder", "ellipsoid", "box")
_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
_WEIGHTLESS = ("plane", "hfield")
_COLLISION = (
    *("contype", "conaffinity", "condim", "friction", "solmix", "solref", "solimp", "margin", "gap", "priority"),
    *("fluidshape", "fluidcoef"),
)
"""Attributes about contacts, which XsysTel declares instead."""


@mutable
class Mass:
    """Mass, centre of mass and inertia about it, in the axes of a body."""

    mass: float
    """[kg]"""
    com: Vector3
    """[m]"""
    inertia: Inertia


def add_masses(parts: Sequence[Mass]) -> Mass | None:
    """The mass of several parts together; None when there is none."""
    total = sum(part.mass for part in parts)
    if total <= 0:
        return None
    x, y, z = (sum(part.mass * part.com[i] for part in parts) / total for i in range(3))
    sums = [0.0] * 6
    for part in parts:
        # Steiner's theorem.
        a, b, c = part.com[0] - x, part.com[1] - y, part.com[2] - z
        m = part.mass
        shift = (m * (b * b + c * c), m * (a * a + c * c), m * (a * a + b * b), -m * a * b, -m * a * c, -m * b * c)
        sums = [s + i + d for s, i, d in zip(sums, part.inertia, shift, strict=True)]
    xx, yy, zz, xy, xz, yz = sums
    return Mass(total, (x, y, z), (xx, yy, zz, xy, xz, yz))


def principal_moments(inertia: Inertia) -> tuple[float, float, float]:
    """The eigenvalues of an inertia tensor, the least first [kg·m²].

    In closed form by the trigonometric solution of the characteristic cubic (Smith, CACM 4:4, 1961).
    """
    xx, yy, zz, xy, xz, yz = inertia
    mean = (xx + yy + zz) / 3
    a, b, c = xx - mean, yy - mean, zz - mean
    spread = math.sqrt((a * a + b * b + c * c + 2 * (xy * xy + xz * xz + yz * yz)) / 6)
    if spread * spread * spread == 0:
        return (mean, mean, mean)
    half = (a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz)) / (2 * spread * spread * spread)
    angle = math.acos(min(1.0, max(-1.0, half))) / 3
    first = mean + 2 * spread * math.cos(angle)
    last = mean + 2 * spread * math.cos(angle + 2 * math.pi / 3)
    return (last, 3 * mean - first - last, first)


def _diagonal(a: float, b: float, c: float) -> Inertia:
    return (a, b, c, 0.0, 0.0, 0.0)


def _sphere(m: float, s: Sequence[float]) -> Inertia:
    i = 2 * m * s[0] * s[0] / 5
    return _diagonal(i, i, i)


def _box(m: float, s: Sequence[float]) -> Inertia:
    a, b, c = (size * size for size in s)
    return _diagonal(m * (b + c) / 3, m * (a + c) / 3, m * (a + b) / 3)


def _ellipsoid(m: float, s: Sequence[float]) -> Inertia:
    a, b, c = (size * size for size in s)
    return _diagonal(m * (b + c) / 5, m * (a + c) / 5, m * (a + b) / 5)


def _cylinder(m: float, s: Sequence[float]) -> Inertia:
    r, h = s[0], 2 * s[1]
    across = m * (3 * r * r + h * h) / 12
    return _diagonal(across, across, m * r * r / 2)


def _capsule(m: float, s: Sequence[float]) -> Inertia:
    r, h = s[0], 2 * s[1]
    ends = m * 4 * r / (4 * r + 3 * h)
    across, _, along, *_ = _cylinder(m - ends, s)
    ball = 2 * ends * r * r / 5
    across += ball + ends * h * (3 * r + 2 * h) / 8
    return _diagonal(across, across, along + ball)


_INERTIAS: dict[str, Callable[[float, Sequence[float]], Inertia]] = {
    "sphere": _sphere,
    "box": _box,
    "ellipsoid": _ellipsoid,
    "cylinder": _cylinder,
    "capsule": _capsule,
}
# Products, because powers raise an error where products are infinite: numbers are judged where the model is built.
_VOLUMES: dict[str, Callable[[Sequence[float]], float]] = {
    "sphere": lambda s: 4 * math.pi * s[0] * s[0] * s[0] / 3,
    "box": lambda s: 8 * s[0] * s[1] * s[2],
    "ellipsoid": lambda s: 4 * math.pi * s[0] * s[1] * s[2] / 3,
    "cylinder": lambda s: 2 * math.pi * s[0] * s[0] * s[1],
    "capsule": lambda s: math.pi * (s[0] * s[0] * 2 * s[1] + 4 * s[0] * s[0] * s[0] / 3),
}


class Geom:
    """A geom: its shape for the eye and its mass."""

    __slots__ = ("group", "mass", "node", "unknown_mass")

    def __init__(self, node: Node | None, mass: Mass | None, unknown_mass: bool, group: float) -> None:
        self.node = node
        self.mass = mass
        self.unknown_mass = unknown_mass
        """Whether it has a mass that only its mesh could tell."""
        self.group = group


def read_geom(foreign: Foreign, mjcf: Mjcf, R_BF: Rotation, p_BF: Vector3, offset: Vector3) -> Geom:
    """A geom inside a frame of a body.

    Args:
        foreign: The geom, defaults filled in.
        mjcf: The file.
        R_BF: Axes of the MJCF ``<frame>`` that it stands in, in the body.
        p_BF: Origin of that frame in the body [m].
        offset: Origin of MuJoCo's body frame in the frame of the XsysTel body, axes alike [m].
    """
    kind = foreign.word("type", *_TYPES) or ("mesh" if foreign.has("mesh") else "sphere")
    foreign.ignore("name")  # shapes have no names
    p_FG, R_FG, half = place_and_axes(foreign, mjcf, kind)
    dx, dy, dz = rotate(R_BF, p_FG)
    p: Vector3 = (p_BF[0] + dx + offset[0], p_BF[1] + dy + offset[1], p_BF[2] + dz + offset[2])
    R = compose(R_BF, R_FG) if R_BF != IDENTITY else R_FG
    sizes = _sizes(foreign, kind, half)
    colour = _colour(foreign, mjcf)
    node = _shape(foreign, mjcf, kind, sizes)
    if node is not None:
        if any(p):
            put_numbers(node, "place", p, LENGTH, foreign.at("pos"))
        angles = roll_pitch_yaw(R)
        if any(angles):
            put_numbers(node, "turn", angles, ANGLE, foreign.span)
        put(node, "colour", colour, foreign.at("rgba"))
    mass = foreign.number("mass")
    density = foreign.number("density")
    shell = mjcf.flag(foreign, "shellinertia", False)
    weight, unknown = _weight(kind, sizes, mass, 1000.0 if density is None else density)
    if shell and weight:
        weight, unknown = 0.0, True
    found = None
    if weight and sizes is not None:
        found = Mass(weight, p, rotate_inertia(R, _INERTIAS[kind](weight, sizes)))
    group = foreign.number("group") or 0.0
    _report(foreign)
    return Geom(node, found, unknown, group)


def place_and_axes(foreign: Foreign, mjcf: Mjcf, kind: str) -> tuple[Vector3, Rotation, float | None]:
    """Place and axes of a geom or site; with `fromto` also half the length that it spans."""
    ends = foreign.numbers("fromto", 6) if kind in _LONG else None
    if ends is None:
        return mjcf.position(foreign), mjcf.orientation(foreign), None
    foreign.ignore("pos", "quat", "axisangle", "euler", "xyaxes", "zaxis")
    a, b = ends[:3], ends[3:]
    x, y, z = ((p + q) / 2 for p, q in zip(a, b, strict=True))
    direction = tuple(p - q for p, q in zip(a, b, strict=True))
    half = math.sqrt(sum(d * d for d in direction)) / 2
    if half == 0:
        foreign.reading.diagnostics.error(
            "zero-vector",
            foreign.at("fromto"),
            Text("both ends are the same point", "оба конца — одна и та же точка"),
        )
        return (x, y, z), IDENTITY, 0.0
    return (x, y, z), from_z(direction), half


def _sizes(foreign: Foreign, kind: str, half: float | None) -> tuple[float, ...] | None:
    """The half sizes of a shape; None where it has none, or after an error."""
    given = foreign.numbers("size", 1, 2, 3)
    wanted = _SIZES.get(kind)
    if wanted is None:
        return None
    sizes = given or ()
    if half is not None and sizes:
        # The length comes from `fromto`; for boxes and ellipsoids the first size counts for x and y.
        sizes = (sizes[0], half) if wanted == 2 else (sizes[0], sizes[0], half)
    if len(sizes) < wanted:
        foreign.reading.diagnostics.error(
            "missing-attribute" if given is None else "wrong-count",
            foreign.at("size"),
            Text(
                f"{foreign.label} is a {kind} of {len(sizes)} sizes",
                f"{foreign.label}: {kind}, размеров задано {len(sizes)}",
            ),
            expected=Text(f"{wanted} sizes", f"размеров: {wanted}"),
        )
        return None
    sizes = sizes[:wanted]
    if min(sizes) <= 0:
        foreign.refuse_size("size", min(sizes))
        return None
    return sizes


def _weight(kind: str, sizes: tuple[float, ...] | None, mass: float | None, density: float) -> tuple[float, bool]:
    """The mass of a geom, and whether only its mesh could tell it [kg]."""
    if kind in _WEIGHTLESS or mass == 0 or (mass is None and density == 0):
        return 0.0, False
    if kind in ("mesh", "sdf"):
        return 0.0, True
    if sizes is None:
        return 0.0, False
    return (mass if mass is not None else density * _VOLUMES[kind](sizes)), False


def _shape(foreign: Foreign, mjcf: Mjcf, kind: str, sizes: tuple[float, ...] | None) -> Node | None:
    span = foreign.span
    if kind == "mesh":
        return _mesh(foreign, mjcf)
    if sizes is None or kind == "ellipsoid":
        if kind in ("plane", "hfield", "sdf", "ellipsoid"):
            drop_element(foreign.element, mjcf.reading.losses, Text(f"a {kind} is not drawn", f"{kind} не рисуется"))
        return None
    node = make_node(kind, span)
    if kind == "box":
        put_numbers(node, "size", [2 * size for size in sizes], LENGTH, foreign.at("size"))
        return node
    put_numbers(node, "radius", sizes[0], LENGTH, foreign.at("size"))
    if kind != "sphere":
        put_numbers(node, "length", 2 * sizes[1], LENGTH, foreign.at("size"))
    return node


def _mesh(foreign: Foreign, mjcf: Mjcf) -> Node | None:
    name = foreign.required_word("mesh")
    asset = mjcf.meshes.get(name or "")
    if asset is None:
        if name is not None:
            mjcf.reading.diagnostics.error(
                "unknown-name", foreign.at("mesh"), Text(f'there is no mesh "{name}"', f"нет сетки «{name}»")
            )
        return None
    file = asset.word("file")
    if file is None:
        drop_element(foreign.element, mjcf.reading.losses, Text("its mesh is in no file", "её сетка не в файле"))
        return None
    inside = PurePosixPath(file.replace("\\", "/"))
    path = PurePosixPath(mjcf.compiler.meshdir, inside.name if mjcf.compiler.strippath else inside)
    node = make_node("mesh", foreign.span)
    put(node, "file", str(path), asset.at("file"))
    scale = asset.numbers("scale", 3)
    if scale is not None and any(factor != 1 for factor in scale):
        put_numbers(node, "scale", scale, PLAIN, asset.at("scale"))
    return node


def _colour(foreign: Foreign, mjcf: Mjcf) -> str | None:
    material = foreign.word("material")
    rgba = foreign.numbers("rgba", 4)
    if rgba is not None:
        return colour_of(rgba)
    if material is None:
        return None
    return mjcf.colours.get(material)


def _report(foreign: Foreign) -> None:
    """Name what is left, the attributes about collisions as one thing."""
    about = [name for name in _COLLISION if name in foreign.attributes]
    foreign.ignore(*_COLLISION)
    own = [name for name in about if foreign.attributes[name] is foreign.element.attributes.get(name)]
    if own:
        _no_collisions(foreign, own, foreign.label)
    for name in about:
        if name not in own:
            _no_collisions(foreign, [name], "<default>")
    foreign.report()


def _no_collisions(foreign: Foreign, names: list[str], label: str) -> None:
    words = ", ".join(names)
    foreign.reading.losses.dropped(
        foreign.attributes[names[0]].name_span,
        Text(
            f"{words} of {label}: collisions are declared as contacts, not detected",
            f"{words} в {label}: столкновения описываются контактами, а не обнаруживаются",
        ),
    )
