"""What bodies carry: joints, masses, points, frames, shapes, forces and stops."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal, cast, get_args

from sistel.errors import Diagnostics, Text
from sistel.markup import Node
from sistel.model._assembly import MountedFile
from sistel.model._bodies import Draft, Roster
from sistel.model._check import Checker
from sistel.model._elements import Body, Force, Frame, Inertia, Joint, Point, Shape, Stop, Vector2
from sistel.model._formulas import formulas
from sistel.model._graph import default_axis
from sistel.model._names import Names
from sistel.model._surfaces import SurfaceReader
from sistel.model._values import Values
from sistel.model.joints import JointType
from sistel.pose import IDENTITY, Rotation, Vector3, cross, determinant, norm, plane_axes, transpose
from sistel.units import ANGULAR_DAMPING, DAMPING, LENGTH

Placed = tuple[Draft | None, Vector3, Rotation]
"""A body (None for the ground), a place in the frame that the file uses, and axes."""

ShapeKind = Literal[
    "shape", "box", "polygon", "polyline", "cylinder", "sphere", "circle", "wheel", "cone", "capsule", "mesh", "profile"
]
SHAPES: tuple[ShapeKind, ...] = get_args(ShapeKind)


def joint_type(draft: Draft, types: dict[str, JointType], planar: bool, diagnostics: Diagnostics) -> JointType:
    """The type of a body's joint, refused when it belongs to the other kind of system."""
    found = types.get(draft.joint_key)
    if found is not None:
        return found
    assert draft.joint_node is not None
    wrong_joint(draft.joint_node, planar, diagnostics)
    return types["fixed"]


def wrong_joint(node: Node, planar: bool, diagnostics: Diagnostics) -> None:
    """Say that a joint type belongs to the other kind of system."""
    word = node.attributes["joint"].span.text
    diagnostics.error(
        "wrong-joint",
        node.at("joint"),
        Text(
            f'"{word}" is a joint of {"spatial" if planar else "planar"} systems',
            f"«{word}» — пара {'пространственных' if planar else 'плоских'} систем",
        ),
        hint=Text('write <system space="spatial">', 'напишите <системаТел вид="пространственная">')
        if planar
        else Text("in space use free, planar or two prismatic joints", "в пространстве есть СКП, ПлКП или две ПКП1"),
    )


def build_joint(draft: Draft, kind: JointType, diagnostics: Diagnostics, planar: bool) -> Joint:
    """The joint of a body, with the numbers of its coordinates."""
    node = draft.joint_node
    assert node is not None
    values = draft.part.values
    kinds = tuple(rate for _, rate in kind.rates)
    axis = draft.axis or values.axis(node, "axis", default_axis(kind.key))
    axis2 = draft.axis2 or values.axis(node, "axis2", (1.0, 0.0, 0.0))
    if not kind.uses_axis:
        if "axis" in node.attributes:
            unused_axis(node, diagnostics)
        axis = (0.0, 0.0, 1.0)
    if not kind.uses_axis2:
        if "axis2" in node.attributes:
            unused_axis(node, diagnostics, "axis2")
        axis2 = (1.0, 0.0, 0.0)
    elif norm(cross(axis, axis2)) < 1e-6:
        parallel_axes(node, diagnostics)
    minimum = values.per_coordinate(node, "min", kinds, -math.inf)
    maximum = values.per_coordinate(node, "max", kinds, math.inf)
    for low, high in zip(minimum, maximum, strict=True):
        if float(low) > float(high):
            diagnostics.error(
                "limits-crossed",
                node.at("min"),
                Text(
                    f"the least value is above the greatest ({_shown(node, 'min')} > {_shown(node, 'max')})",
                    f"наименьшее значение больше наибольшего ({_shown(node, 'min')} > {_shown(node, 'max')})",
                ),
                related=[(node.at("max"), Text("the greatest is here", "наибольшее здесь"))],
                hint=Text("exchange min and max", "поменяйте min и max местами"),
            )
            break
    damping = values.per_coordinate(node, "damping", kinds, 0.0)
    if _is_viscous(node, draft.part):
        attribute, friction = node.attributes["friction"], (0.0,) * len(kinds)
        assert isinstance(attribute.value, tuple)
        items = [item for item in attribute.value if not isinstance(item, str)]
        viscous = values.coordinates(items, "damping", kinds, attribute.span) or friction
        damping = tuple(a + b for a, b in zip(damping, viscous, strict=True))
    else:
        friction = values.per_coordinate(node, "friction", kinds, 0.0)
    stiffness = values.per_coordinate(node, "stiffness", kinds, 0.0)
    for key, numbers in (("damping", damping), ("friction", friction), ("stiffness", stiffness)):
        if key in node.attributes and min(map(float, numbers), default=0.0) < 0:
            values.negative(node, key, min(map(float, numbers)))
    speed = (
        values.per_coordinate(node, "speed", kinds, math.inf)
        if "speed" in node.spec.by_key
        else (math.inf,) * len(kinds)
    )
    own = node.text("joint-name") if node is draft.node else node.text("name")
    return Joint(
        name=draft.part.scope.full(own) if own is not None else draft.name,
        type=kind,
        axis=axis,
        axis2=axis2,
        minimum=minimum,
        maximum=maximum,
        speed=tuple(abs(s) for s in speed),
        stiffness=stiffness,
        rest=values.per_coordinate(node, "rest", kinds, 0.0),
        damping=damping,
        friction=friction,
    )


def unused_axis(node: Node, diagnostics: Diagnostics, key: str = "axis") -> None:
    """Say that a joint of this type has no axis."""
    diagnostics.warning(
        "unused-axis",
        node.at(key),
        Text("a joint of this type has no such axis; it is not used", "у пары этого типа нет такой оси; она не нужна"),
    )


def parallel_axes(node: Node, diagnostics: Diagnostics) -> None:
    """Say that the two axes of a universal joint coincide."""
    diagnostics.error(
        "parallel-axes",
        node.at("axis2" if "axis2" in node.attributes else "axis"),
        Text("the two axes of the joint are parallel", "две оси пары параллельны"),
        expected=Text("axis and axis2 in different directions", "ось и ось2 в разных направлениях"),
    )


def _is_viscous(node: Node, part: MountedFile) -> bool:
    """Whether `friction` is written in units of damping, as N·m·s/rad."""
    attribute = node.attributes.get("friction")
    if attribute is None or not isinstance(attribute.value, tuple) or not attribute.value:
        return False
    first = attribute.value[0]
    if isinstance(first, str):
        return False
    quiet = Diagnostics()
    typed = Checker(part.scope, quiet).number(first)
    return (
        typed is not None
        and typed.dimension is not None
        and any(typed.dimension.fits(d) for d in (DAMPING, ANGULAR_DAMPING))
    )


def _shown(node: Node, key: str) -> str:
    return node.attributes[key].span.text if key in node.attributes else "∞"


def build_body(draft: Draft, joint: Joint, first_q: int, first_v: int, diagnostics: Diagnostics, planar: bool) -> Body:
    """A body with its mass and inertia, checked."""
    values = draft.part.values
    return Body(
        number=draft.number,
        name=draft.name,
        base=draft.base.number if draft.base is not None else 0,
        joint=joint,
        p_PB=draft.p_PB,
        R_PB=draft.R_PB,
        mass=values.positive(draft.node, "mass"),
        p_BoBcm_B=draft.here(values.place(draft.node, "com"))
        if "com" in draft.node.attributes
        else draft.here((0.0, 0.0, 0.0)),
        I_BBcm_B=_inertia(draft, diagnostics, planar),
        first_q=first_q,
        first_v=first_v,
        span=draft.node.span,
    )


def _inertia(draft: Draft, diagnostics: Diagnostics, planar: bool) -> Inertia:
    node = draft.node
    numbers = draft.part.values.numbers(node, "inertia")
    if numbers is None:
        return (0.0,) * 6
    if planar:
        if float(numbers[0]) < 0:
            draft.part.values.negative(node, "inertia", numbers[0])
        return (0.0, 0.0, numbers[0], 0.0, 0.0, 0.0)
    xx, yy, zz, xy, xz, yz = (numbers * 3 if len(numbers) == 1 else numbers) + (0.0,) * (0 if len(numbers) == 6 else 3)
    least = min(map(float, (xx, yy, zz)))
    if least < 0:
        draft.part.values.negative(node, "inertia", least)
        return (0.0,) * 6
    problem = inertia_problem((xx, yy, zz, xy, xz, yz))
    if problem is not None:
        # Not an error: identified and published data are often like this, and a single joint feels one moment only.
        diagnostics.warning(
            "impossible-inertia",
            node.at("inertia"),
            problem,
            hint=Text(
                "the order is Ixx, Iyy, Izz, Ixy, Ixz, Iyz, about the centre of mass",
                "порядок: Ixx, Iyy, Izz, Ixy, Ixz, Iyz, относительно центра масс",
            ),
        )
    return (xx, yy, zz, xy, xz, yz)


def inertia_problem(inertia: Inertia, tolerance: float = 1e-6) -> Text | None:
    """Why no real body can have this inertia, or None.

    The principal moments must be positive and none may exceed the sum of the others; with the second-moment matrix
    Σ = ½ tr(I) 1 − I that is one statement: Σ is positive semidefinite.
    """
    xx, yy, zz, xy, xz, yz = map(float, inertia)
    half = (xx + yy + zz) / 2
    scale = max(abs(half), 1e-300)
    a, b, c = (half - xx) / scale, (half - yy) / scale, (half - zz) / scale
    d, e, f = -xy / scale, -xz / scale, -yz / scale
    names = ("Ixx", "Iyy", "Izz")
    for index, value in enumerate((a, b, c)):
        if value < -tolerance:
            others = [name for i, name in enumerate(names) if i != index]
            return Text(
                f"{names[index]} exceeds {others[0]} + {others[1]}: no body has such moments of inertia",
                f"{names[index]} больше, чем {others[0]} + {others[1]}: таких моментов инерции не бывает",
            )
    # The remaining principal minors of Σ.
    minors = (a * b - d * d, a * c - e * e, b * c - f * f, determinant(((a, d, e), (d, b, f), (e, f, c))))
    if min(minors) < -tolerance:
        return Text(
            "the products of inertia are too large for the moments: no body is like that",
            "центробежные моменты слишком велики: таких тел не бывает",
        )
    return None


def named_places(
    drafts: list[Draft], parts: list[MountedFile], names: Names, roster: Roster
) -> tuple[dict[str, Placed], list[tuple[Node, str]]]:
    """All points and frames by name, in the frames that the files use."""
    places: dict[str, Placed] = {}
    nodes: list[tuple[Node, str]] = []

    def enter(node: Node, part: MountedFile, draft: Draft | None) -> None:
        own = node.text("name")
        if own is None:
            return
        name = part.scope.full(own)
        if names.declare(node.key, name, node.at("name")):
            place = part.values.place(node)
            turn = part.values.turn(node) if node.key == "frame" else IDENTITY
            places[name] = roster.ground(part, place, turn) if draft is None else (draft, place, turn)
            nodes.append((node, name))

    for part in parts:
        for node in part.of("point", "frame"):
            enter(node, part, None)
    for draft in drafts:
        for node in draft.node.of("point", "frame"):
            enter(node, draft.part, draft)
    return places, nodes


def points_and_frames(
    places: dict[str, Placed], nodes: list[tuple[Node, str]]
) -> tuple[tuple[Point, ...], tuple[Frame, ...]]:
    """The points and frames of the model."""
    points, frames = [], []
    for node, name in nodes:
        draft, place, turn = places[name]
        number, here = (0, place) if draft is None else (draft.number, draft.here(place))
        if node.key == "point":
            points.append(Point(name=name, body=number, p_BP=here, span=node.span))
        else:
            frames.append(Frame(name=name, body=number, p_BF=here, R_BF=turn, span=node.span))
    # By body, whatever the order of bodies in the file: the canonical file has them so.
    points.sort(key=lambda point: point.body)
    frames.sort(key=lambda frame: frame.body)
    return tuple(points), tuple(frames)


def shapes(
    drafts: list[Draft], parts: list[MountedFile], bodies: tuple[Body, ...], roster: Roster, surfaces: SurfaceReader
) -> tuple[Shape, ...]:
    """How the bodies and the ground look, and what of them may touch."""
    made, names = [], surfaces.names
    for part in parts:
        made += [_shape(node, part, None, roster, None, names) for node in part.of(*SHAPES)]
        for world in part.of("world"):
            for node in world.of(*SHAPES):
                shape = replace(_shape(node, part, None, roster, None, names), obstacle=True)
                if node.key == "profile":
                    gap, shown = surfaces.profile(node, part)
                    if gap is None:
                        continue
                    shape = replace(shape, surface=gap, shown=shown)
                made.append(shape)
    for draft in drafts:
        joint = bodies[draft.number - 1].joint
        made += [_shape(node, draft.part, draft, roster, joint, names) for node in draft.node.of(*SHAPES)]
    return tuple(made)


def _shape(
    node: Node, part: MountedFile, draft: Draft | None, roster: Roster, joint: Joint | None, names: Names
) -> Shape:
    values = part.values
    own = node.text("name") if "name" in node.spec.by_key else None
    name = "" if own is None else part.scope.full(own)
    if name and not names.declare("shape", name, node.at("name")):
        name = ""
    sizes: tuple[float, ...] = ()
    corners: tuple[Vector2, ...] = ()
    for key in ("size", "radius", "length", "scale", "tread"):
        numbers = values.numbers(node, key) if key in node.spec.by_key else None
        if numbers is not None:
            if key != "scale" and min(map(float, numbers), default=0.0) < 0:
                values.negative(node, key, min(map(float, numbers)))
            sizes += numbers
    if node.key in ("polygon", "polyline"):
        if not values.planar:
            _spatial_corners(node, names.diagnostics)
        else:
            numbers = values.numbers(node, "points") or ()
            corners = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    if node.key in ("circle", "wheel"):
        _check_round(node, sizes, values.planar, names.diagnostics)
    path, gaps = _path(node, values) if node.key in ("shape", "mesh") else ("", ())
    place = values.place(node) if "place" in node.spec.by_key else (0.0, 0.0, 0.0)
    if node.key == "wheel":
        turn = _along(values.axis(node, "axis", _Z if joint is None else joint.axis))
    else:
        turn = values.turn(node) if "turn" in node.spec.by_key else IDENTITY
    if draft is None:
        draft, place, turn = roster.ground(part, place, turn)
    return Shape(
        name=name,
        kind=cast(ShapeKind, node.key),
        body=0 if draft is None else draft.number,
        p_BS=place if draft is None else draft.here(place),
        R_BS=turn,
        sizes=sizes,
        path=path,
        gaps=gaps,
        corners=corners,
        free=cast(Literal["", "left", "right"], node.text("free") or "") if node.key == "polyline" else "",
        colour=node.text("colour"),
        span=node.span,
    )


def _path(node: Node, values: Values) -> tuple[str, tuple[float, ...]]:
    """The path of a shape with its lengths, or the file of a mesh."""
    written = node.get("d" if node.key == "shape" else "file")
    if not isinstance(written, tuple):
        return str(written or ""), ()
    gaps = [values.expression(piece, LENGTH, "mm") for piece in written if not isinstance(piece, str)]
    text = "".join(piece if isinstance(piece, str) else "{}" for piece in written)
    # What is wrong with an expression has been said.
    return text, tuple(0.0 if gap is None else gap for gap in gaps)


def _spatial_corners(node: Node, diagnostics: Diagnostics) -> None:
    diagnostics.error(
        "wrong-shape",
        node.span,
        Text(f'"{node.spec.en[0]}" is a shape of planar systems', f"«{node.spec.ru[0]}» — фигура плоских систем"),
        hint=Text("in space there are box and mesh", "в пространстве есть коробка и сетка"),
    )


_Z: Vector3 = (0.0, 0.0, 1.0)


def _along(axis: Vector3) -> Rotation:
    """Axes whose z lies along a direction."""
    if axis == _Z:
        return IDENTITY
    first, second = plane_axes(axis)
    return transpose((first, second, axis))


def _check_round(node: Node, sizes: tuple[float, ...], planar: bool, diagnostics: Diagnostics) -> None:
    """A circle belongs to the plane, a wheel to space; a tread is within its wheel."""
    if planar == (node.key == "wheel"):
        hint = Text("in space there are wheel and sphere", "в пространстве есть колесо и шар")
        if planar:
            hint = Text("in the plane a wheel is a circle", "на плоскости колесо — это круг")
        diagnostics.error(
            "wrong-shape",
            node.span,
            Text(
                f'"{node.spec.en[0]}" is a shape of {"spatial" if planar else "planar"} systems',
                f"«{node.spec.ru[0]}» — фигура {'пространственных' if planar else 'плоских'} систем",
            ),
            hint=hint,
        )
    if node.key == "wheel" and len(sizes) == 2 and float(sizes[1]) > float(sizes[0]):
        diagnostics.error(
            "bad-tread",
            node.at("tread"),
            Text("the tread is rounder than the wheel is large", "закругление обода больше радиуса колеса"),
            expected=Text("at most the radius", "не больше радиуса"),
        )


def forces(drafts: list[Draft], names: Names, diagnostics: Diagnostics, planar: bool) -> tuple[Force, ...]:
    """Applied forces and moments."""
    made = []
    for draft in drafts:
        for node in draft.node.of("force", "moment"):
            size = (2 if planar else 3) if node.key == "force" else (1 if planar else 3)
            components = formulas(node, "value", draft.part, names, diagnostics, size)
            if components is None:
                continue
            place = draft.part.values.place(node, "at") if node.key == "force" else (0.0, 0.0, 0.0)
            made.append(
                Force(
                    kind="force" if node.key == "force" else "moment",
                    name=_own_name(node, draft),
                    body=draft.number,
                    p_BP=draft.here(place),
                    components=components,
                    in_body=node.text("in") == "body",
                    span=node.span,
                )
            )
    return tuple(made)


def _own_name(node: Node, draft: Draft) -> str:
    own = node.text("name")
    return draft.part.scope.full(own) if own is not None else draft.name


def stops(drafts: list[Draft], bodies: tuple[Body, ...], diagnostics: Diagnostics) -> tuple[Stop, ...]:
    """Mechanical stops at the limits of joints."""
    made = []
    for draft in drafts:
        joint = bodies[draft.number - 1].joint
        for node in draft.node.of("stop"):
            side = node.text("at") or "both"
            limits = {"min": joint.minimum, "max": joint.maximum}
            for key, numbers in limits.items():
                if side in (key, "both") and not any(math.isfinite(number) for number in numbers) and side != "both":
                    diagnostics.error(
                        "stop-without-limit",
                        node.span,
                        Text(
                            f'the joint has no "{key}" for the stop to be at',
                            f"у сочленения нет «{key}», у которого стоял бы упор",
                        ),
                    )
            if not any(math.isfinite(number) for numbers in limits.values() for number in numbers) and side == "both":
                diagnostics.error(
                    "stop-without-limit",
                    node.span,
                    Text(
                        "the joint has no limits for the stop to be at",
                        "у сочленения нет пределов, у которых стоял бы упор",
                    ),
                )
            if joint.type.has_quaternion:
                diagnostics.error(
                    "no-stop",
                    node.span,
                    Text(
                        "a joint whose orientation is a quaternion has no coordinate for a stop to act on",
                        "у сочленения, ориентация которого — кватернион, нет координаты, на которую действовал бы упор",
                    ),
                    expected=Text(
                        "a contact, or joints that turn about one axis each, one after another",
                        "контакт или цепочка сочленений, каждое из которых поворачивается вокруг одной оси",
                    ),
                )
            kinds = tuple(rate for _, rate in joint.type.rates)
            values = draft.part.values
            stiffness = values.per_coordinate(node, "stiffness", kinds, 0.0) if "stiffness" in node.attributes else None
            made.append(
                Stop(
                    body=draft.number,
                    at_min=side in ("min", "both"),
                    at_max=side in ("max", "both"),
                    stiffness=stiffness,
                    damping=values.per_coordinate(node, "damping", kinds, 0.0),
                    restitution=values.fraction(node, "restitution"),
                    span=node.span,
                )
            )
    return tuple(made)
