"""The ground under the tracks of a hull: what each patch carries while everything moves, and how it rubs.

A hull with a planar joint neither lifts nor tilts, and its patches carry what holds it so. Let three virtual motions of
the hull, with all that it carries, be a lift along the normal of the ground and two tilts about the weighted mean O of
the patches, so chosen that they lift a patch at (x, y) from O by 1, x and y. With z their accelerations,

    M a + Cᵀ z + h = τ + Jᵀ μ + D λ
    C a + V z + c  = Eᵀ μ + λ,           z = 0,

where C, V and c are inertia, weight and what acts from outside as these motions feel it, and λ is the whole load with
its moments. Friction of sliding patches is proportional to loads, and so to λ: its generalized force is D λ. It lies in
the plane of O and is not felt by the tilts. Loads of least norm over the patches, weighted by their lengths w as an
even elastic bed would carry them, are

    N_i = w_i (1, x_i, y_i) S⁻¹ λ,    S = Σ w_i (1, x_i, y_i)ᵀ (1, x_i, y_i)

over those that press. What would have to pull is not among them: that is decided with the structures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sistel.expr import ZERO, Scalar, Scalars, Vector, cross, dot, symmetric
from sistel.mechanics._bodies import joint_loads
from sistel.mechanics._forces import Push, spread
from sistel.mechanics._quantities import Quantities
from sistel.mechanics._rows import Row
from sistel.mechanics._tracks import unit_pull
from sistel.model import Model, Track
from sistel.pose import IDENTITY, Vector3, norm
from sistel.pose import cross as across
from sistel.records import entry

Pulls = Mapping[str, tuple[Scalar, Scalar]]
"""By the name of a patch: friction forwards and to the left for a unit of its load; 0 where it sticks."""
Shares = Mapping[str, Sequence[Scalar]]
"""By the name of a patch: what it carries of each part of λ."""

FLAT = 1e-9
"""Part of the spread of patches below which they count as being on one line."""


def hulls_of(model: Model) -> tuple[int, ...]:
    """Bodies with tracks that rub."""
    return tuple({track.body: None for track in model.tracks if not track.widening})


def rubbing(model: Model) -> bool:
    """Whether something rubs under a track."""
    return any(track.friction for track in model.tracks)


def patches_of(tracks: Sequence[Track]) -> dict[str, tuple[float, float, float]]:
    """Of the patches of one hull, by name: their weight, and their place forwards and to the left of the mean [m]."""
    first = tracks[0]
    left = across(first.normal, first.forward)
    middles: dict[str, tuple[float, float, float]] = {}
    for track in tracks:
        part = norm(_minus(track.front, track.rear)) / len(track.patches)
        for index, place in enumerate(track.patches):
            middles[track.patch_name(index)] = part, _dot(first.forward, place), _dot(left, place)
    total = sum(w for w, _, _ in middles.values())
    mean = [sum(each[0] * each[side] for each in middles.values()) / total for side in (1, 2)]
    return {name: (w / total, x - mean[0], y - mean[1]) for name, (w, x, y) in middles.items()}


def bed_shares(tracks: Sequence[Track], lifted: frozenset[str] = frozenset()) -> dict[str, list[float]] | None:
    """What the patches of a hull carry of λ: those that are lifted, what they would if they stood there.

    None where the others are on one line: the hull would fall over.
    """
    patches = patches_of(tracks)
    pressed = [each for name, each in patches.items() if name not in lifted]
    total = sum(w for w, _, _ in pressed)
    if not total:
        return None
    mx, my = (sum(each[0] * each[side] for each in pressed) / total for side in (1, 2))
    xx = sum(w * (x - mx) ** 2 for w, x, _ in pressed)
    yy = sum(w * (y - my) ** 2 for w, _, y in pressed)
    xy = sum(w * (x - mx) * (y - my) for w, x, y in pressed)
    det = xx * yy - xy * xy
    if not det > FLAT * (xx + yy) ** 2:
        return None
    made: dict[str, list[float]] = {}
    for name, (w, x, y) in patches.items():
        along = (yy * (x - mx) - xy * (y - my)) / det, (xx * (y - my) - xy * (x - mx)) / det
        made[name] = [w * (1.0 / total - along[0] * mx - along[1] * my), w * along[0], w * along[1]]
    return made


@entry
class Bed:
    """What the ground under a hull holds, at a state."""

    state: Quantities
    hull: int
    tracks: tuple[Track, ...]
    own: frozenset[int]
    """Numbers of the hull and of all that it carries."""
    origin: Vector
    """O, in W [m]."""
    ways: tuple[Vector, Vector, Vector]
    """The normal, and the axes of the two tilts, in W."""
    C: list[list[Scalar]]
    V: list[list[Scalar]]
    c: list[Scalar]

    def felt(self, pushes: Sequence[Push]) -> list[Scalar]:
        """What pushes do to the virtual motions."""
        force = moment = ZERO
        for body, p, turn, push in pushes:
            if body in self.own:
                force = force + push
                moment = moment + turn + cross(self.state.kinematics.place(body, p) - self.origin, push)
        return [dot(self.ways[0], force), dot(self.ways[1], moment), dot(self.ways[2], moment)]

    def felt_row(self, row: Row) -> list[Scalar]:
        """What a unit multiplier of a constraint does to the virtual motions."""
        wrenches = [wrench for wrench in row.wrenches if wrench.body in self.own]
        patch = any(row.link == track.patch_name(i) for track in self.tracks for i in range(len(track.patches)))
        if patch or not wrenches or len(wrenches) == len(row.wrenches):
            return [0.0, 0.0, 0.0]  # in the plane of the ground, or between what moves together
        felt = self.felt([(each.body, each.p, each.moment, each.force) for each in wrenches])
        return [(1.0 - row.idle) * x for x in felt]


def bed_of(state: Quantities, hull: int, outer: Sequence[Push]) -> Bed:
    """What the ground under a hull holds where some pushes act."""
    model, kinematics = state.model, state.kinematics
    tracks = tuple(track for track in model.tracks if track.body == hull)
    own = {hull}
    for body in model.bodies:
        own |= {body.number} if body.base in own else set()
    axes = kinematics.axes(hull, IDENTITY)
    normal, forward = axes @ tracks[0].normal, axes @ tracks[0].forward
    left = axes @ across(tracks[0].normal, tracks[0].forward)
    ways = normal, -left, forward
    origin = kinematics.place(hull, _mean(tracks))
    C: list[list[Scalar]] = [[0.0] * model.nv for _ in ways]
    V: list[list[Scalar]] = [[0.0] * 3 for _ in ways]
    for number in sorted(own):
        body = model.bodies[number - 1]
        R = kinematics.axes(number, IDENTITY)
        inertia = R @ symmetric(body.I_BBcm_B) @ R.T
        arm = kinematics.place(number, body.p_BoBcm_B) - origin
        # Momentum and spin of the body for unit velocities of the virtual motions.
        turned = [None, inertia @ ways[1], inertia @ ways[2]]
        moved = [normal, cross(ways[1], arm), cross(ways[2], arm)]
        J = kinematics.jacobian(number, body.p_BoBcm_B)
        for k in range(3):
            push, spin = body.mass * moved[k], turned[k]
            for j in range(model.nv):
                part = dot(push, (J[3][j], J[4][j], J[5][j]))
                if spin is not None:
                    part = part + dot(spin, (J[0][j], J[1][j], J[2][j]))
                C[k][j] = C[k][j] + part
            for m in range(3):
                part = dot(push, moved[m])
                V[k][m] = V[k][m] + (part if spin is None or not m else part + dot(spin, ways[m]))
    still: list[Scalar] = [0.0] * model.nv
    load = joint_loads(model, state.q, state.v, still, outer)[hull]
    moment = load.moment + cross(kinematics.place(hull, (0.0, 0.0, 0.0)) - origin, load.force)
    c = [dot(normal, load.force), dot(ways[1], moment), dot(ways[2], moment)]
    return Bed(state, hull, tracks, frozenset(own), origin, ways, C, V, c)


@entry
class Stand:
    """A bed with the friction of its patches."""

    bed: Bed
    pulls: Pulls
    shares: Shares

    def pushes(self, k: int) -> list[Push]:
        """What friction does to the hull and to the sprockets for a unit of a part of λ."""
        bed, kinematics = self.bed, self.bed.state.kinematics
        axes = kinematics.axes(bed.hull, IDENTITY)
        force = moment = ZERO
        made: list[Push] = []
        for track in bed.tracks:
            left, drawn = Vector(*across(track.normal, track.forward)), _nothing()
            for index, place in enumerate(track.patches):
                name = track.patch_name(index)
                ahead, aside = (self.shares[name][k] * pull for pull in self.pulls[name])
                push = ahead * Vector(*track.forward) + aside * left
                force, moment, drawn = force + push, moment + cross(Vector(*place), push), drawn + ahead
            sprocket = bed.state.model.bodies[track.belt.body - 1]
            turn = (track.belt.speed * drawn) * (kinematics.axes(sprocket.number, IDENTITY) @ sprocket.joint.axis)
            made.append((bed.hull, _ORIGIN, turn, ZERO))
            made.append((track.belt.body, _ORIGIN, -turn, ZERO))
        made.append((bed.hull, _ORIGIN, axes @ moment, axes @ force))
        return made

    def rows(self, first: int, size: int) -> list[Row]:
        """The three constraints of the virtual motions, which are so many velocities on among so many."""
        made = []
        for k in range(3):
            J: list[Scalar] = [0.0] * size
            J[first + k] = 1.0
            drag: list[Scalar] = [0.0] * size
            for push in self.pushes(k):
                spread(self.bed.state, *push, drag)
            made.append(Row(f"{self.bed.hull} stands", str(k), J, 0.0, 0.0, drag=drag))
        return made

    def loads(self, whole: Scalars) -> dict[str, Scalar]:
        """What the patches carry of λ [N]."""
        return {
            name: share[0] * whole[0] + (share[1] * whole[1] + share[2] * whole[2])
            for name, share in self.shares.items()
        }

    def forces(self, whole: Scalars) -> dict[str, tuple[int, Vector3, Vector, Vector]]:
        """What the ground does to the patches, by name: body, place, normal force and whole force in W [N].

        Of patches that stick the friction is not among it.
        """
        bed, axes = self.bed, self.bed.state.kinematics.axes(self.bed.hull, IDENTITY)
        loads, made = self.loads(whole), {}
        for track in bed.tracks:
            left = Vector(*across(track.normal, track.forward))
            for index, place in enumerate(track.patches):
                name = track.patch_name(index)
                ahead, aside = self.pulls[name]
                push = Vector(*track.normal) + ahead * Vector(*track.forward) + aside * left
                made[name] = bed.hull, place, loads[name] * bed.ways[0], loads[name] * (axes @ push)
        return made


def stands_of(
    state: Quantities, outer: Sequence[Push], sticks: frozenset[str] = frozenset(), lifted: frozenset[str] = frozenset()
) -> list[Stand]:
    """The beds of all hulls with patches that rub, where it is known which of them stick or are lifted."""
    made = []
    for hull in hulls_of(state.model) if rubbing(state.model) else ():
        bed = bed_of(state, hull, outer)
        shares = bed_shares(bed.tracks, lifted)
        none = [0.0, 0.0, 0.0]
        known: dict[str, Sequence[Scalar]] = {
            name: none if shares is None or name in lifted else shares[name] for name in patches_of(bed.tracks)
        }
        pulls = {
            track.patch_name(i): (0.0, 0.0) if track.patch_name(i) in sticks else unit_pull(state, track, i)
            for track in bed.tracks
            for i in range(len(track.patches))
        }
        made.append(Stand(bed, pulls, known))
    return made


Extended = tuple[list[list[Scalar]], list[Scalar], list[Row]]


def extended(M: Sequence[Scalars], force: Scalars, rows: Sequence[Row], beds: Sequence[Bed]) -> Extended:
    """Equations of motion with the virtual motions of hulls as velocities of their own, after all others."""
    more, nv = 3 * len(beds), len(force)
    size = nv + more
    big = [[*row, *(bed.C[k][j] for bed in beds for k in range(3))] for j, row in enumerate(M)]
    for at, bed in enumerate(beds):
        for k in range(3):
            line: list[Scalar] = [*bed.C[k], *([0.0] * more)]
            line[nv + 3 * at : nv + 3 * at + 3] = bed.V[k]
            big.append(line)
    pushed: list[Scalar] = [*force, *(-x for bed in beds for x in bed.c)]
    made = []
    for row in rows:
        felt = [x for bed in beds for x in bed.felt_row(row)]
        drag = row.drag
        if drag is not None:
            outer = [(each.body, each.p, each.moment, each.force) for each in row.dragged]
            drag = [*drag, *(x for bed in beds for x in bed.felt(outer))]
        made.append(replace(row, J=[*row.J, *felt], drag=drag))
    assert all(len(line) == size for line in big)
    return big, pushed, made


_ORIGIN: Vector3 = (0.0, 0.0, 0.0)


def _nothing() -> Scalar:
    return 0.0


def _mean(tracks: Sequence[Track]) -> Vector3:
    """The weighted mean of the patches, in the hull."""
    total, sums = 0.0, [0.0, 0.0, 0.0]
    for track in tracks:
        part = norm(_minus(track.front, track.rear)) / len(track.patches)
        for place in track.patches:
            total += part
            sums = [s + part * x for s, x in zip(sums, place, strict=True)]
    return sums[0] / total, sums[1] / total, sums[2] / total


def _minus(a: Vector3, b: Vector3) -> Vector3:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Vector3, b: Vector3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
