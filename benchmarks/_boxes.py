"""Drops of boxes on boxes and stacks of them, and a judge of the runs that shares nothing with what made them.

The judge is told sizes and masses and the run. It evaluates the polynomials of the steps in NumPy, looks for a plane
between every two boxes, adds up energies and momenta, and sees what rests: no equation of the package is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from _drops import turned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel import Run

    Array = NDArray[np.float64]

GRAVITY: Final = 9.81
DENSITY: Final = 500.0
DEPTH: Final = 1e-9
"""How far boxes may lie in each other [m]."""
ROUNDING: Final = 1e-9
"""Part of momenta and energies of a drop that rounding may make."""
DULL: Final = 1e-5
"""Velocities that are taken away where they are too small for an impact or a slip [m/s]."""
STILL: Final = 1e-7
"""Velocity that counts as rest [m/s and rad/s]."""
FLOOR: Final = (40.0, 40.0, 1.0)
LAWS: Final = ("newton", "poisson", "plastic")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """Boxes above a floor; the first ones may be fixed."""

    sizes: Array
    """Of all boxes, shape (n, 3) [m]."""
    places: Array
    """Of their centres at the start, shape (n, 3) [m]."""
    turns: Array
    """Quaternions at the start, shape (n, 4)."""
    rates: Array
    """Spins and velocities at the start, in the frames of the boxes, shape (n, 6)."""
    fixed: int
    """How many of them are part of the world."""
    friction: float
    restitution: float
    law: str

    @property
    def masses(self) -> Array:
        """Of those that are free [kg]."""
        return np.asarray(DENSITY * self.sizes[self.fixed :].prod(axis=1))

    @property
    def inertias(self) -> Array:
        """Of those that are free [kg·m²]."""
        squares = self.sizes[self.fixed :] ** 2
        return np.asarray(self.masses[:, None] * (squares.sum(axis=1, keepdims=True) - squares) / 12)

    @property
    def start(self) -> tuple[Array, Array]:
        """(q, v) of those that are free."""
        free = slice(self.fixed, None)
        return np.concatenate([self.turns[free], self.places[free]], axis=1).ravel(), self.rates[free].ravel()


def document(scene: Scene) -> str:
    """The model of a scene."""
    mm = [",".join(f"{1e3 * x:.17g}" for x in size) for size in scene.sizes]
    floor = ",".join(f"{1e3 * x:g}" for x in FLOOR)
    world = f'<box name="floor" place="0,0,{-500 * FLOOR[2]:g}" size="{floor}"/>'
    for i in range(scene.fixed):
        place = ",".join(f"{1e3 * x:.17g}" for x in scene.places[i])
        world += f'<box name="b{i}" place="{place}" size="{mm[i]}"/>'
    bodies = links = ""
    law = f'friction="{scene.friction:.17g}" impact="{scene.law}" restitution="{scene.restitution:.17g}"'
    for i, (mass, inertia) in enumerate(zip(scene.masses, scene.inertias, strict=True), scene.fixed):
        parts = ",".join(f"{x:.17g}" for x in inertia)
        bodies += f'<body name="o{i}" joint="free" mass="{mass:.17g}" inertia="{parts}">'
        bodies += f'<box name="b{i}" size="{mm[i]}"/></body>'
        links += f'<contact name="g{i}" of="b{i}" to="floor" {law}/>'
        links += "".join(f'<contact name="c{i}_{j}" of="b{i}" to="b{j}" {law}/>' for j in range(i))
    q, v = scene.start
    start = "".join(
        f'<coordinate of="o{i}" place="0,0,{1e3 * (10 + 10 * i)}"/>' for i in range(scene.fixed, len(scene.sizes))
    )
    assert q.size and v.size
    return (
        f'<system name="boxes" space="spatial"><world>{world}</world>{bodies}<links>{links}</links>'
        f"<start>{start}</start></system>"
    )


def drop(number: int, seed: int) -> Scene:
    """A box above another one: that is fixed, or free and stands on the floor."""
    rng = np.random.default_rng([seed, number])
    fixed = 1 - number % 2
    sizes = rng.uniform(0.06, 0.25, (2, 3))
    turns = np.zeros((2, 4))
    turns[0, 0] = 1.0
    turns[1] = rng.normal(size=4)
    turns[1] /= np.linalg.norm(turns[1])
    if fixed == 0:
        angle = rng.uniform(0, 2 * np.pi)
        turns[0] = [np.cos(angle / 2), 0, 0, np.sin(angle / 2)]
    height = sizes[0, 2] + 0.5 * float(np.linalg.norm(sizes[1])) + rng.uniform(0.02, 0.25)
    off = rng.uniform(-0.5, 0.5, 2) * sizes[0, :2]
    places = np.array([[0.0, 0.0, sizes[0, 2] / 2], [*off, height]])
    rates = np.zeros((2, 6))
    rates[1] = [*rng.normal(0, 3, 3), *rng.normal(0, 0.3, 3)]
    friction = 0.0 if number % 10 == 9 else rng.uniform(0.05, 0.8)
    law = LAWS[number % 3]
    restitution = 0.0 if law == "plastic" else rng.uniform(0.0, 0.6)
    return Scene(
        sizes=sizes,
        places=places,
        turns=turns,
        rates=rates,
        fixed=fixed,
        friction=friction,
        restitution=restitution,
        law=law,
    )


def duration(scene: Scene) -> float:
    """How long a drop may take until all rests [s]."""
    return 8.0 + 3.0 / (scene.friction * GRAVITY) if scene.friction else 3.0


def stack(count: int, gap: float = 0.02, friction: float = 0.5, restitution: float = 0.2) -> Scene:
    """Equal boxes above each other, a little turned, that fall on the floor and on each other."""
    rng = np.random.default_rng(count)
    size = np.array([0.2, 0.2, 0.1])
    places = [[*rng.uniform(-0.01, 0.01, 2), 0.05 + gap + i * (0.1 + gap)] for i in range(count)]
    angles = rng.uniform(-0.1, 0.1, count) / 2
    return Scene(
        sizes=np.tile(size, (count, 1)),
        places=np.array(places),
        turns=np.stack([np.cos(angles), 0 * angles, 0 * angles, np.sin(angles)], axis=1),
        rates=np.zeros((count, 6)),
        fixed=0,
        friction=friction,
        restitution=restitution,
        law="newton",
    )


@dataclass(slots=True, kw_only=True)
class Verdict:
    """What the judge found: the greatest lacks, and what is wrong in words."""

    depth: float = -np.inf
    """[m]"""
    gained: float = 0.0
    """Energy [J]."""
    momentum: float = 0.0
    """What an event adds to momenta beyond its impulses [N·s]."""
    speed: float = 0.0
    """At the end [m/s and rad/s]."""
    wrong: list[str] = field(default_factory=list)

    def note(self, name: str, value: float, most: float, time: float) -> None:
        """Keep the greatest lack, and say where there is more than is allowed."""
        setattr(self, name, max(value, getattr(self, name)))
        if not value <= most:
            self.wrong.append(f"{name} {value:.3g} > {most:.3g} at {time:.9g} s")


def depths(first: tuple[Any, Any, Any], second: tuple[Any, Any, Any]) -> Array:
    """How far two boxes lie in each other along the plane that keeps them apart best, by time [m].

    Each is given by its axes as columns, shape (..., 3, 3), its centre, shape (..., 3), and half of its size.
    """
    (R, p, h), (S, q, k) = first, second
    R, S = np.broadcast_arrays(R, S)
    ways = [R[..., :, i] for i in range(3)] + [S[..., :, i] for i in range(3)]
    ways += [np.cross(R[..., :, i], S[..., :, j]) for i in range(3) for j in range(3)]
    best = np.full(np.broadcast_shapes(p.shape, q.shape)[:-1], -np.inf)
    for way in ways:
        size = np.linalg.norm(way, axis=-1)
        n = way / np.where(size > 1e-7, size, 1.0)[..., None]
        reach = np.abs(np.einsum("...ij,...i->...j", R, n)) @ h + np.abs(np.einsum("...ij,...i->...j", S, n)) @ k
        apart = np.abs(np.einsum("...i,...i->...", n, p - q)) - reach
        best = np.maximum(best, np.where(size > 1e-7, apart, -np.inf))
    return np.asarray(-best)


def judge(scene: Scene, run: Run, *, inside: int = 4) -> Verdict:
    """Whether a run keeps the laws; `inside` places are looked at in every step."""
    found = Verdict()
    n = len(scene.masses)
    parts = np.linspace(0.0, 1.0, inside + 1)
    states = []
    for segment in run.segments:
        powers = np.arange(segment.coefficients.shape[2])
        at = (segment.times[:, 1, None] * parts)[..., None] ** powers
        states.append(np.einsum("sik,spk->spi", segment.coefficients, at))
    every = np.concatenate(states)
    flat = every.reshape(-1, every.shape[2])
    times = flat[:, -1]
    q, v = flat[:, : 7 * n].reshape(-1, n, 7), flat[:, 7 * n : 13 * n].reshape(-1, n, 6)
    R = turned(q[..., :4])
    placed: list[tuple[Any, Any, Any]] = [(np.eye(3), np.array([0, 0, -FLOOR[2] / 2]), np.array(FLOOR) / 2)]
    placed += [(np.eye(3), scene.places[i], scene.sizes[i] / 2) for i in range(scene.fixed)]
    placed += [(R[:, i], q[:, i, 4:], scene.sizes[scene.fixed + i] / 2) for i in range(n)]
    for one, two in combinations(range(len(placed)), 2):
        if two > scene.fixed:
            deep = depths(placed[two], placed[one])
            at = int(deep.argmax())
            found.note("depth", float(deep[at]), DEPTH, float(times[at]))
    kinetic = 0.5 * ((v[..., :3] ** 2 * scene.inertias).sum(axis=-1) + scene.masses * (v[..., 3:] ** 2).sum(axis=-1))
    energy = (kinetic + GRAVITY * scene.masses * q[..., 6]).sum(axis=-1)
    rises = np.diff(energy)
    at = int(rises.argmax())
    found.note("gained", float(rises[at]), ROUNDING * float(energy[0]), float(times[at]))
    _momenta(found, scene, run, every, n)
    found.speed = float(np.abs(run.last[7 * n : 13 * n]).max())
    if scene.friction > 0.0 and found.speed > STILL:
        found.wrong.append(f"does not rest: {found.speed:.3g}")
    return found


def _momenta(found: Verdict, scene: Scene, run: Run, every: Array, n: int) -> None:
    """Momenta of all boxes before and after events, with the impulses of these."""
    ends, begins = every[:-1, -1], every[1:, 0]
    number = 0
    events = [event for event in run.events if event.impulses]
    for before, after in zip(ends, begins, strict=True):
        given = np.zeros((n, 3))
        last = number
        while number < len(events) and events[number].time <= after[-1]:
            for name, load in events[number].impulses.items():
                _share(scene, name, np.array(load[3:]), given)
            number += 1
        if number == last:
            continue
        jump = np.zeros((n, 3))
        for i in range(n):
            speeds = [
                turned(each[7 * i : 7 * i + 4]) @ each[7 * n + 6 * i + 3 : 7 * n + 6 * i + 6]
                for each in (before, after)
            ]
            jump[i] = scene.masses[i] * (speeds[1] - speeds[0])
        allowed = ROUNDING * float(np.abs(given).max()) + DULL * float(scene.masses.max())
        found.note("momentum", float(np.abs(jump - given).max()), allowed, float(after[-1]))


def _share(scene: Scene, name: str, force: Array, given: Array) -> None:
    """Give an impulse to the boxes of its contact: the one whose corner or edge is named first is pushed along it."""
    pair, mark = name.split(" ")
    one, _, two = pair[1:].partition("_")
    push = 1.0 if mark[0].isalpha() else -1.0
    for box, sign in ((one, push), (two, -push)):
        if box and int(box) >= scene.fixed:
            given[int(box) - scene.fixed] += sign * force
