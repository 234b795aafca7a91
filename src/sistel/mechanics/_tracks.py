"""Tracks on the ground: what each of their patches carries, and how it rubs.

The weight of all that a hull carries, taken along gravity to the plane of the patches, is spread linearly over them, as
an even elastic bed would carry it: with x_i the middles of the patches, w_i their lengths, c their weighted mean and P
where the line of the weight meets the plane,

    N_i = N w_i (1 / W + (x_i - c) · S⁻¹ (P - c)),    W = Σ w_i,    S = Σ w_i (x_i - c)(x_i - c)ᵀ.

These are the loads of rest: what accelerations would add is left out, so that friction is a function of the state.
"""

from __future__ import annotations

from collections.abc import Sequence

from sistel.expr import ZERO, Scalar, Vector, dot, less, maximum, select, sqrt
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._quantities import Quantities
from sistel.mechanics._rows import common_link
from sistel.model import Model, Track
from sistel.pose import IDENTITY, Vector3, cross


def patch_loads(model: Model, kinematics: Kinematics, hull: int) -> dict[str, Scalar]:
    """What the patches of a hull carry [N], negative where the linear law would have them pull; by their names."""
    tracks = [track for track in model.tracks if track.body == hull]
    forward, normal = Vector(*tracks[0].forward), Vector(*tracks[0].normal)
    aside = Vector(*cross(tracks[0].normal, tracks[0].forward))
    gravity = kinematics.axes(hull, IDENTITY).T @ kinematics.tree.gravity
    mass, centre = _carried(model, kinematics, hull)
    height = dot(normal, centre) - dot(normal, Vector(*tracks[0].patches[0]))
    steep = -dot(normal, gravity)
    middles = [
        (dot(forward, Vector(*place)), dot(aside, Vector(*place))) for track in tracks for place in track.patches
    ]
    weights = [_length(track) / len(track.patches) for track in tracks for _ in track.patches]
    total = sum(weights)
    mean = [sum(w * x[side] for w, x in zip(weights, middles, strict=True)) / total for side in (0, 1)]
    arms = [(x - mean[0], y - mean[1]) for x, y in middles]
    xx, xy, yy = (
        sum((w * arm[i] * arm[j] for w, arm in zip(weights, arms, strict=True)), 0.0)
        for i, j in ((0, 0), (0, 1), (1, 1))
    )
    reach = height / steep  # along gravity down to the plane
    off = [dot(way, centre) + reach * dot(way, gravity) - mean[side] for side, way in enumerate((forward, aside))]
    det = xx * yy - xy * xy
    tilt = (yy * off[0] - xy * off[1]) / det, (xx * off[1] - xy * off[0]) / det
    press = mass * steep
    names = [track.patch_name(i) for track in tracks for i in range(len(track.patches))]
    return {
        name: press * (w / total + w * (arm[0] * tilt[0] + arm[1] * tilt[1]))
        for name, w, arm in zip(names, weights, arms, strict=True)
    }


def _length(track: Track) -> Scalar:
    way = Vector(*track.front) - track.rear
    return sqrt(dot(way, way))


def _carried(model: Model, kinematics: Kinematics, hull: int) -> tuple[Scalar, Vector]:
    """The mass of all that a hull carries [kg], and its centre in the hull [m]."""
    owner = {hull: True}
    for body in model.bodies:
        owner.setdefault(body.number, owner.get(body.base, False))
    own = [body for body in model.bodies if owner[body.number]]
    root = common_link(kinematics.tree, [hull])
    view = Kinematics(kinematics.tree, kinematics.q, root=root, made=kinematics.frames)
    R, pole = view.axes(hull, IDENTITY), view.place(hull, (0.0, 0.0, 0.0))
    mass: Scalar = 0.0
    moment = ZERO
    for body in own:
        mass = mass + body.mass
        moment = moment + body.mass * (view.place(body.number, body.p_BoBcm_B) - pole)
    return mass, (1.0 / mass) * (R.T @ moment)


def track_friction(
    state: Quantities, track: Track, off: frozenset[str] = frozenset()
) -> Sequence[tuple[int, Vector3, Vector, Vector]]:
    """Sliding friction of the patches of a track: body, point, and moment and force there in W.

    Args:
        state: Where it is.
        track: The track.
        off: Names of patches that stick, or that nothing presses.
    """
    made: list[tuple[int, Vector3, Vector, Vector]] = []
    loads = patch_loads(state.model, state.kinematics, track.body)
    axes = state.kinematics.axes(track.body, IDENTITY)
    forward, left = axes @ track.forward, axes @ cross(track.normal, track.forward)
    sprocket = state.model.bodies[track.belt.body - 1]
    axis = state.kinematics.axes(sprocket.number, IDENTITY) @ sprocket.joint.axis
    for index, place in enumerate(track.patches):
        if track.patch_name(index) in off:
            continue
        ahead, aside = patch_slip(state, track, index)
        speed = sqrt(ahead * ahead + aside * aside)
        moving = less(0.0, speed)
        most = -track.friction * maximum(loads[track.patch_name(index)], 0.0)
        pull = select(moving, most / select(moving, speed, 1.0), 0.0)
        turn = (track.belt.speed * (pull * ahead)) * axis
        made.append((track.body, place, turn, (pull * ahead) * forward + (pull * aside) * left))
        made.append((track.belt.body, (0.0, 0.0, 0.0), -turn, ZERO))
    return made


def patch_slip(state: Quantities, track: Track, index: int) -> tuple[Scalar, Scalar]:
    """Velocity of slip of a patch, forwards and to the left [m/s]."""
    axes = state.kinematics.axes(track.body, IDENTITY)
    velocity = state.rates.velocity(track.body, track.patches[index])
    ahead = dot(axes @ track.forward, velocity) - track.belt.speed * state.v[track.belt.rate]
    return ahead, dot(axes @ cross(track.normal, track.forward), velocity)
