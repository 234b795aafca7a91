"""Drops of convex bodies on a floor, and a judge of the runs that shares nothing with what made them.

The judge is told the corners of a body, its mass and inertia, the coefficient of friction and the run. It evaluates the
polynomials of the steps, and applies the laws of Newton, Euler and Coulomb in NumPy: no equation of the package is
asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel import Run

    Array = NDArray[np.float64]

GRAVITY: Final = 9.81
DEPTH: Final = 1e-9
"""How far below the floor a corner may be [m]."""
ROUNDING: Final = 1e-9
"""Part of momenta and energies of a drop that rounding may make."""
CONE: Final = 1e-9
"""Part of the normal impulse by which friction may exceed Coulomb's."""
STILL: Final = 1e-7
"""Velocity that counts as rest [m/s and rad/s]."""
FASTEST: Final = 100.0
"""Acceleration that the time which an event takes may be filled with [m/s² and rad/s², times the size of a body]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shape:
    """A body of 1 kg with the mass centre at its origin and principal axes."""

    name: str
    corners: Array
    """Shape (n, 3) [m]."""
    inertia: Array
    """About its axes, shape (3,) [kg·m²]."""


def shape_of(name: str, corners: Any) -> Shape:
    """A body with given corners: its mass is spread as three fifths of that of equal masses at them."""
    p = np.array(corners, dtype=float)
    p -= p.mean(axis=0)
    _, axes = np.linalg.eigh(p.T @ p)
    axes[:, 2] *= np.linalg.det(axes)
    p = np.round(p @ axes, 4)
    p -= p.mean(axis=0)
    second = 0.6 * np.diag(p.T @ p) / len(p)
    return Shape(name=name, corners=p, inertia=second.sum() - second)


def shapes() -> dict[str, Shape]:
    """Bodies with 4 to 12 corners."""
    rng = np.random.default_rng(7)
    box = [[x, y, z] for x in (-0.1, 0.1) for y in (-0.06, 0.06) for z in (-0.04, 0.04)]
    ring = [[np.cos(a), np.sin(a)] for a in np.arange(6) * np.pi / 3]
    made = [
        shape_of("tetrahedron", 0.08 * np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1.0]])),
        shape_of("pyramid", [[0.08, 0.08, 0], [0.08, -0.08, 0], [-0.08, 0.08, 0], [-0.08, -0.08, 0], [0, 0, 0.15]]),
        shape_of("prism", [[0.07 * x, 0.07 * y, z] for x, y in ring[::2] for z in (-0.08, 0.08)]),
        shape_of("octahedron", [[0.1, 0, 0], [-0.1, 0, 0], [0, 0.08, 0], [0, -0.08, 0], [0, 0, 0.06], [0, 0, -0.06]]),
        shape_of("box", box),
        shape_of("hexagonal prism", [[0.08 * x, 0.08 * y, z] for x, y in ring for z in (-0.04, 0.04)]),
    ]
    for count in (7, 9):
        points = rng.normal(size=(count, 3))
        points *= np.array([0.1, 0.08, 0.06]) / np.linalg.norm(points, axis=1)[:, None]
        made.append(shape_of(f"random {count}", points))
    return {shape.name: shape for shape in made}


LAWS: Final = {
    "newton": ("newton", 0.2),
    "plastic": ("plastic", 0.0),
    "poisson": ("poisson", 0.2),
    "smooth": ("newton", 0.5),
}
"""Rule of impact and restitution."""


def document(shape: Shape, law: str, friction: float) -> str:
    """The model of a body above a floor."""
    rule, restitution = LAWS[law]
    points = "".join(
        f'<point name="p{i}" place="{x:.17g} m, {y:.17g} m, {z:.17g} m"/>'
        for i, (x, y, z) in enumerate(shape.corners, start=1)
    )
    contacts = "".join(
        f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="{friction:g}" impact="{rule}" '
        f'restitution="{restitution:g}"/>'
        for i in range(1, len(shape.corners) + 1)
    )
    inertia = ", ".join(f"{x:.17g}" for x in shape.inertia)
    return (
        f'<system name="drop" space="spatial"><body name="b" joint="free" mass="1" inertia="{inertia}">{points}</body>'
        f'<links>{contacts}</links><start b.z="1 m"/></system>'
    )


def drop(shape: Shape, rng: np.random.Generator) -> tuple[Array, Array]:
    """A place above the floor in any posture, and velocities: q (w, x, y, z, place) and v (spin, velocity)."""
    quaternion = rng.normal(size=4)
    quaternion /= np.linalg.norm(quaternion)
    lowest = float((turned(quaternion) @ shape.corners.T)[2].min())
    height = -lowest + rng.uniform(0.02, 0.4)
    return np.array([*quaternion, 0.0, 0.0, height]), np.array([*rng.normal(0, 4, 3), *rng.normal(0, 0.6, 3)])


def turned(quaternion: Array) -> Array:
    """The matrix of a rotation, shape (..., 3, 3)."""
    w, x, y, z = np.moveaxis(quaternion, -1, 0)
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    length = w * w + x * x + y * y + z * z
    return np.moveaxis(np.array(rows) / length, (0, 1), (-2, -1))


@dataclass(slots=True, kw_only=True)
class Verdict:
    """What the judge found: the greatest lacks, and what is wrong in words."""

    depth: float = 0.0
    """[m]"""
    momentum: float = 0.0
    """[N·s, and N·m·s divided by the size of the body]"""
    gained: float = 0.0
    """Energy [J]."""
    cone: float = 0.0
    """Friction beyond Coulomb's, in parts of the normal impulse."""
    end: str = ""
    """rests, slides or moves."""
    wrong: list[str] = field(default_factory=list)

    def note(self, name: str, value: float, most: float, time: float) -> None:
        """Keep the greatest lack, and say where there is more than is allowed."""
        if value > getattr(self, name):
            setattr(self, name, value)
        if not value <= most:
            self.wrong.append(f"{name} {value:.3g} > {most:.3g} at {time:.9g} s")


def judge(shape: Shape, friction: float, run: Run, *, inside: int = 6) -> Verdict:
    """Whether a run keeps the laws.

    Args:
        shape: The body.
        friction: Coefficient of all its corners.
        run: Of it.
        inside: Places looked at inside every step.
    """
    found = Verdict()
    times = np.concatenate([segment.times for segment in run.segments])
    order = max(segment.coefficients.shape[2] for segment in run.segments)
    pieces = np.concatenate(
        [np.pad(s.coefficients, ((0, 0), (0, 0), (0, order - s.coefficients.shape[2]))) for s in run.segments]
    )
    powers = np.arange(pieces.shape[2])
    parts = np.linspace(0.0, 1.0, inside + 1)
    at = (times[:, 1, None] * parts)[..., None] ** powers  # steps, places, powers
    states = np.einsum("sik,spk->spi", pieces, at)
    q, v = states[..., :7], states[..., 7:13]
    heights = np.einsum("...j,cj->...c", turned(q[..., :4])[..., 2, :], shape.corners) + q[..., 6, None]
    lowest = heights.min(axis=-1)
    place = np.unravel_index(int(lowest.argmin()), lowest.shape)
    found.note("depth", -float(lowest[place]), DEPTH, float(states[place][-1]))
    kinetic = 0.5 * ((v[..., :3] ** 2) @ shape.inertia + (v[..., 3:] ** 2).sum(axis=-1))
    energy = kinetic + GRAVITY * q[..., 6]
    first = float(energy[0, 0])
    rises = np.diff(energy, axis=1)
    place = np.unravel_index(int(rises.argmax()), rises.shape)
    found.note("gained", float(rises[place]), ROUNDING * first, float(states[place][-1]))
    # What happens between one step and the next.
    size = float(np.abs(shape.corners).max())
    events = sorted(run.events, key=lambda event: event.time)
    ends, begins = times[:, 0] + times[:, 1], np.append(times[1:, 0], run.last[-1])
    after = np.concatenate([states[1:, 0], run.last[None]])
    number = 0
    for i, (end, begin) in enumerate(zip(ends, begins, strict=True)):
        linear, angular, before = np.zeros(3), np.zeros(3), states[i, -1]
        turn = turned(before[:4])
        while number < len(events) and events[number].time <= max(end, begin):
            for name, load in events[number].impulses.items():
                force = np.array(load[3:])
                arm = turn @ shape.corners[int(name[1:]) - 1]
                linear, angular = linear + force, angular + np.cross(arm, force)
                _coulomb(found, friction, force, float(end))
            number += 1
        given = max(0.0, float(begin - end))
        turn_after = turned(after[i][:4])
        change = turn_after @ after[i][10:13] - turn @ before[10:13]
        spun = turn_after @ (shape.inertia * after[i][7:10]) - turn @ (shape.inertia * before[7:10])
        speed = float(np.abs(before[7:13]).max()) + 1.0
        allowed = ROUNDING * speed + FASTEST * given
        lack = max(float(np.abs(change - linear).max()), float(np.abs(spun - angular).max()) / size)
        found.note("momentum", lack, allowed, float(end))
        own = 0.5 * (after[i][7:10] ** 2 @ shape.inertia + after[i][10:13] @ after[i][10:13]) + GRAVITY * after[i][6]
        found.note("gained", float(own - energy[i, -1]), ROUNDING * first, float(end))
        moved = float(np.abs(after[i][:7] - before[:7]).max())
        if moved > DEPTH + 2.0 * speed * given:
            found.wrong.append(f"moved by {moved:.3g} at {end:.9g} s")
    _at_the_end(found, shape, friction, run)
    return found


def _coulomb(found: Verdict, friction: float, force: Array, time: float) -> None:
    normal, tangent = float(force[2]), float(np.hypot(force[0], force[1]))
    scale = max(abs(normal), 1e-9)  # less than that is what rounding makes of impulses of 1 N·s
    found.note("cone", max(-normal, tangent - friction * normal) / scale, CONE if abs(normal) > 1e-6 else 1e-3, time)


def _at_the_end(found: Verdict, shape: Shape, friction: float, run: Run) -> None:
    """Whether it rests, slides on the floor, or still moves; with friction it must not slide for ever."""
    last = run.last
    heights = (turned(last[:4]) @ shape.corners.T)[2] + last[6]
    flat = bool((np.sort(heights)[:3] < 1e-8).all())
    velocity = turned(last[:4]) @ last[10:13]
    spin = turned(last[:4]) @ last[7:10]
    found.end = "moves"
    if float(np.abs(last[7:13]).max()) < STILL and flat:
        found.end = "rests"
    elif flat and abs(velocity[2]) < STILL and float(np.abs(spin[:2]).max()) < STILL:
        found.end = "slides"
        # The floor is smooth: what the body has along it, it keeps.
        if friction == 0.0:
            first = run.segments[0].coefficients[0, :, 0]
            start = turned(first[:4]) @ first[10:13]
            if float(np.abs(velocity[:2] - start[:2]).max()) > ROUNDING * (1.0 + float(np.abs(start).max())):
                found.wrong.append("a smooth floor has changed the velocity along it")
