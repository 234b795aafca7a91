"""Tracks on the ground: what each of their patches carries at rest, how it slips, and how it shears soft ground.

The weight of all that a hull carries, taken along gravity to the plane of the patches, is spread linearly over them, as
an even elastic bed would carry it: with x_i the middles of the patches, w_i their lengths, c their weighted mean and P
where the line of the weight meets the plane,

    N_i = N w_i (1 / W + (x_i - c) · S⁻¹ (P - c)),    W = Σ w_i,    S = Σ w_i (x_i - c)(x_i - c)ᵀ.

These are the loads of rest, for where no accelerations are known; motion takes those of `_beds`.

Soft ground gives way before it slides (Janosi and Hanamoto): of its strength μ N the part 1 − exp(−j / K) is used up
after a shear by j. As a state that is a vector z along the shear, of length 0 in fresh ground and 1 where it slides,

    ż = (s − |s| z) / K − |u| (z − z_before) / d,

with s the slip, u the speed of the belt, d the length of a patch: what leaves a patch arrives at the next one, and the
belt lays itself on fresh ground. A shear that turns round uses up what there is first, and work is lost, never gained:
z · s = d/dt (K z² / 2) + |s| z² without the belt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sistel.expr import ZERO, Scalar, Vector, dot, less, maximum, select, sqrt
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._quantities import Quantities
from sistel.mechanics._rows import common_link
from sistel.model import Model, Track
from sistel.pose import IDENTITY, Vector3, cross

STILL = 1e-11
"""Speed below which a slip or a belt counts as none [m/s]: the sizes of both are rounded off there, so that series go
on where one turns round."""


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
    state: Quantities, track: Track, loads: Mapping[str, Scalar] | None = None
) -> Sequence[tuple[int, Vector3, Vector, Vector]]:
    """Friction of the patches of a track: body, point, and moment and force there in W.

    Args:
        state: Where it is.
        track: The track.
        loads: What the patches carry [N]; by default what they do at rest.
    """
    made: list[tuple[int, Vector3, Vector, Vector]] = []
    if loads is None:
        rest = patch_loads(state.model, state.kinematics, track.body)
        loads = {name: maximum(load, 0.0) for name, load in rest.items()}
    axes = state.kinematics.axes(track.body, IDENTITY)
    forward, left = axes @ track.forward, axes @ cross(track.normal, track.forward)
    sprocket = state.model.bodies[track.belt.body - 1]
    axis = state.kinematics.axes(sprocket.number, IDENTITY) @ sprocket.joint.axis
    for index, place in enumerate(track.patches):
        load = loads[track.patch_name(index)]
        ahead, aside = (load * pull for pull in unit_pull(state, track, index))
        turn = (track.belt.speed * ahead) * axis
        made.append((track.body, place, turn, ahead * forward + aside * left))
        made.append((track.belt.body, (0.0, 0.0, 0.0), -turn, ZERO))
    return made


def unit_pull(state: Quantities, track: Track, index: int) -> tuple[Scalar, Scalar]:
    """Friction of a patch that slides, or shears the ground, for a unit of its load: forwards and to the left."""
    if track.shear:
        ahead, aside = patch_shear(state, track, index)
        return -track.friction * ahead, -track.friction * aside
    ahead, aside = patch_slip(state, track, index)
    speed = sqrt(ahead * ahead + aside * aside)
    moving = less(0.0, speed)
    pull = select(moving, -track.friction / select(moving, speed, 1.0), 0.0)
    return pull * ahead, pull * aside


def patch_shear(state: Quantities, track: Track, index: int) -> tuple[Scalar, Scalar]:
    """Part of the strength of soft ground that is used up under a patch, forwards and to the left."""
    name = track.patch_name(index)
    return state.remembered("shear", f"{name} ahead"), state.remembered("shear", f"{name} aside")


def shear_rates(state: Quantities) -> dict[str, Scalar]:
    """How fast the shear under the patches of soft tracks grows, by the names of what states remember [1/s]."""
    made: dict[str, Scalar] = {}
    for track in state.model.tracks:
        if not track.shear:
            continue
        belt = track.belt.speed * state.v[track.belt.rate]
        whole = sqrt(belt * belt + STILL * STILL)
        back, onward = 0.5 * (whole + belt), 0.5 * (whole - belt)  # towards the rear, and towards the front
        part = _length(track) / len(track.patches)
        z = [patch_shear(state, track, index) for index in range(len(track.patches))]
        for index, now in enumerate(z):
            slip = patch_slip(state, track, index)
            speed = sqrt(slip[0] * slip[0] + slip[1] * slip[1] + STILL * STILL)
            for side, word in enumerate(("ahead", "aside")):
                front = z[index + 1][side] if index + 1 < len(z) else 0.0
                rear = z[index - 1][side] if index else 0.0
                gone = (back * (now[side] - front) + onward * (now[side] - rear)) / part
                grown = (slip[side] - speed * now[side]) / track.shear
                made[f"{track.patch_name(index)} {word}"] = grown - gone
    return made


def patch_slip(state: Quantities, track: Track, index: int) -> tuple[Scalar, Scalar]:
    """Velocity of slip of a patch, forwards and to the left [m/s]."""
    axes = state.kinematics.axes(track.body, IDENTITY)
    velocity = state.rates.velocity(track.body, track.patches[index])
    ahead = dot(axes @ track.forward, velocity) - track.belt.speed * state.v[track.belt.rate]
    return ahead, dot(axes @ cross(track.normal, track.forward), velocity)
