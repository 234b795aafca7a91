"""Tracks: belts under hulls that move in a plane, with friction or ideal."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.errors import Diagnostics, Span, Text
from sistel.expr import sqrt
from sistel.markup import Node
from sistel.model._assembly import MountedFile
from sistel.model._bodies import Roster
from sistel.model._contact_elements import Belt, Blade, Track
from sistel.model._elements import Body
from sistel.model._model import Memory
from sistel.model._names import Names
from sistel.pose import Vector3, cross, norm

MOST_PATCHES = 24
"""Of one track."""
SLANT = 1e-9
"""Sine of the angle by which a track may be out of the plane of its hull, or its sprocket out of line."""


def read_tracks(
    parts: Sequence[MountedFile], bodies: Sequence[Body], names: Names, roster: Roster, diagnostics: Diagnostics
) -> tuple[Track, ...]:
    """The tracks of all files."""
    made: list[Track] = []
    complete = True
    for part in parts:
        for node in part.of("track"):
            track = _track(node, part, bodies, names, roster, diagnostics)
            if track is None:
                complete = False
                continue
            made.append(track)
            if track.widening:
                words = "an ideal track never slips", "идеальная гусеница не скользит"
                _refuse(node, ("friction", "patches", "shear"), *words, diagnostics)
            else:
                words = "an ideal track has a widening", "уширение бывает у идеальной гусеницы"
                _refuse(node, ("widening",), *words, diagnostics)
    for hull in {track.body: None for track in made if complete}:
        _check_stance([track for track in made if track.body == hull], diagnostics)
    return tuple(made)


def _track(
    node: Node, part: MountedFile, bodies: Sequence[Body], names: Names, roster: Roster, diagnostics: Diagnostics
) -> Track | None:
    own, of = node.text("name"), node.names("of")
    owner = roster.refer(of[0], part, node.at("of")) if of else None
    if own is None or owner is None or not owner.number:
        return None
    name, values, hull = part.scope.full(own), part.values, bodies[owner.number - 1]
    if hull.joint.type.key != "planar" or hull.base:
        diagnostics.error(
            "no-hull",
            node.at("of"),
            Text(
                f'a track lies under a hull that moves in a plane, and "{hull.name}" does not',
                f"гусеница лежит под корпусом, который движется в плоскости, а «{hull.name}» — нет",
            ),
            expected=Text(
                'joint="planar" on the ground, in a spatial system; `turn` makes a slope of it',
                'КП="ПлКП" на земле, в пространственной системе; `поворот` делает из неё склон',
            ),
        )
        return None
    rear, front = (owner.here(values.place(node, key)) for key in ("rear", "front"))
    normal, way = hull.joint.axis, _minus(front, rear)
    length = sqrt(_dot(way, way))
    assert isinstance(length, float)
    if not length > 0 or abs(_dot(way, normal)) > SLANT * length:
        diagnostics.error(
            "no-track",
            node.at("front"),
            Text(
                "a track goes from its rear to its front along the plane of its hull",
                "гусеница идёт от зада к переду вдоль плоскости корпуса",
            ),
        )
        return None
    forward = _scaled(1.0 / length, way)
    belt = _belt(node, part, hull, forward, bodies, names, diagnostics)
    count = node.get("patches")
    count = count if isinstance(count, int) else 6
    if not 1 <= count <= MOST_PATCHES:
        message = Text(f"a track of {count} patches", f"гусеница из {count} участков")
        most = Text(f"1 to {MOST_PATCHES}", f"от 1 до {MOST_PATCHES}")
        diagnostics.error("bad-count", node.at("patches"), message, expected=most)
        return None
    named = [names.declare("track", name, node.at("name"))]
    if node.text("rolls") != "ideal":
        named += [names.declare("patch", f"{name} {i + 1}", node.at("name")) for i in range(count)]
        if "friction" not in node.attributes and "friction" not in node.failed:
            message = Text("the track does not say how it rubs", "гусеница не говорит, как она трётся")
            either = Text('friction, or rolls="ideal"', 'трение или катится="идеально"')
            diagnostics.error("missing-attribute", node.span, message, expected=either)
            return None
    if belt is None or not all(named):
        return None
    return Track(
        name=name,
        body=hull.number,
        patches=tuple(_plus(rear, _scaled((i + 0.5) / count, way)) for i in range(count)),
        rear=rear,
        front=front,
        forward=forward,
        normal=normal,
        belt=belt,
        friction=values.positive(node, "friction"),
        shear=_shear(node, part, diagnostics),
        widening=values.positive(node, "widening", 1.0) if node.text("rolls") == "ideal" else 0.0,
        span=node.span,
    )


def _shear(node: Node, part: MountedFile, diagnostics: Diagnostics) -> float:
    """The shear modulus of soft ground [m], 0 for firm ground."""
    if "shear" not in node.attributes:
        return 0.0
    found = part.values.positive(node, "shear")
    if not found > 0:
        message = Text("the shear modulus of the ground is not positive", "модуль сдвига грунта не больше нуля")
        expected = Text("above 0, as 25 mm; firm ground has none", "больше 0, как 25 мм; у твёрдой земли его нет")
        diagnostics.error("not-positive", node.at("shear"), message, expected=expected)
    return found


def shears(tracks: Sequence[Track]) -> tuple[Memory, ...]:
    """What states remember of soft ground: its shear under every patch, along the track and across it."""
    return tuple(
        Memory(kind="shear", name=f"{track.patch_name(index)} {side}", start=0.0)
        for track in tracks
        if track.shear
        for index in range(len(track.patches))
        for side in ("ahead", "aside")
    )


def _belt(
    node: Node,
    part: MountedFile,
    hull: Body,
    forward: Vector3,
    bodies: Sequence[Body],
    names: Names,
    diagnostics: Diagnostics,
) -> Belt | None:
    """The sprocket of a track and how fast it drives the belt."""
    drive = node.names("drive")
    found = names.coordinate(drive[0], part.scope, node.at("drive")) if drive else None
    radius = part.values.positive(node, "radius")
    if found is None:
        return None
    body = next(each for each in bodies if each.name == found.slot.body)  # a name given twice is told elsewhere
    ahead = _dot(cross(body.joint.axis, hull.joint.axis), forward)
    if body.base != hull.number or body.joint.type.key != "revolute" or abs(abs(ahead) - 1.0) > SLANT:
        diagnostics.error(
            "no-sprocket",
            node.at("drive"),
            Text(
                f'"{body.name}" does not turn on the hull about an axis across the track',
                f"«{body.name}» не вращается на корпусе вокруг оси поперёк гусеницы",
            ),
            expected=Text(
                "a body on the hull with a revolute joint across the track", "тело на корпусе с ВКП поперёк гусеницы"
            ),
        )
        return None
    if not radius > 0:
        message = Text("the radius of a sprocket is not positive", "радиус звёздочки не больше нуля")
        diagnostics.error("not-positive", node.at("radius"), message, expected=Text("above 0", "больше 0"))
        return None
    return Belt(rate=body.first_v, body=body.number, speed=radius if ahead > 0 else -radius)


def _check_stance(own: Sequence[Track], diagnostics: Diagnostics) -> None:
    """Refuse hulls whose patches do not say what each of them carries."""
    rubbing = [track for track in own if not track.widening]
    if not rubbing:
        return
    if len(rubbing) < len(own):
        first = next(track for track in own if track.widening)
        _say(first.span, "a hull has ideal tracks, or others", "у корпуса идеальные гусеницы или иные", diagnostics)
    patches = [place for track in rubbing for place in track.patches]
    arms = [_minus(place, patches[0]) for place in patches[1:]]
    longest = max((norm(arm) for arm in arms), default=0.0)
    if any(abs(_dot(arm, rubbing[0].normal)) > SLANT * longest for arm in arms):
        words = "the tracks of a hull are not at one height", "гусеницы корпуса не на одной высоте"
        _say(rubbing[0].span, *words, diagnostics)
    elif all(norm(cross(one, arms[-1])) <= SLANT * longest**2 for one in arms):
        words = (
            "all patches of the hull lie on one line: it would fall over",
            "все участки корпуса на одной прямой: он упал бы",
        )
        _say(rubbing[0].span, *words, diagnostics)


def _say(span: Span, en: str, ru: str, diagnostics: Diagnostics) -> None:
    diagnostics.error("no-stance", span, Text(en, ru))


def _refuse(node: Node, keys: Sequence[str], en: str, ru: str, diagnostics: Diagnostics) -> None:
    """Refuse attributes that mean nothing beside others."""
    for key in keys:
        if key in node.attributes:
            hint = Text("keep one of the two", "оставьте что-то одно")
            diagnostics.error("contradiction", node.at(key), Text(en, ru), hint=hint)


def track_blades(tracks: Sequence[Track]) -> tuple[Blade, ...]:
    """What ideal tracks hold.

    The middle of the hull does not move across them, and at its centre of rotation, so many times as far aside as the
    track is, each moves as its belt does.
    """
    made: list[Blade] = []
    ideal = [track for track in tracks if track.widening]
    for hull in {track.body: None for track in ideal}:
        own = [track for track in ideal if track.body == hull]
        middles = [_scaled(0.5, _plus(track.rear, track.front)) for track in own]
        centre = (0.0, 0.0, 0.0)
        for middle in middles:
            centre = _plus(centre, _scaled(1.0 / len(own), middle))
        for track, middle in zip(own, middles, strict=True):
            place = _plus(centre, _scaled(track.widening, _minus(middle, centre)))
            made.append(_blade(track, track.name, place, track.forward, track.belt))
        across = cross(own[0].normal, own[0].forward)
        made.append(_blade(own[0], f"{own[0].name} across", centre, across, None))
    return tuple(made)


def _blade(track: Track, name: str, place: Vector3, across: Vector3, belt: Belt | None) -> Blade:
    return Blade(
        name=name, point="", body=track.body, p_BP=place, across=across, on=0, always=True, belt=belt, span=track.span
    )


def _dot(a: Vector3, b: Vector3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _plus(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _minus(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _scaled(k: float, a: Vector3) -> Vector3:
    return (k * a[0], k * a[1], k * a[2])
