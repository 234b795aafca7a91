"""Postures in which a frame loses a direction of motion: found by Newton's method, sorted by what they depend on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.arms.workspaces._chain import directions
from sistel.arms.workspaces._measures import TASKS
from sistel.errors import Text, refuse
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arms.workspaces._chain import Chain, Columns
    from sistel.arrays import Array, Flags, Indices


STARTS: Final = 1500
STEPS: Final = 40
EXACT: Final = 1e-11
"""What is left of the equations, whose lengths are in sizes of the arm, at a posture that counts."""
ALONG: Final = 1e-6
"""Part of a unit vector below which a coordinate does not matter."""
SAME: Final = 1e-6
"""Values of a coordinate nearer than this are one [rad or m]."""
NEAR, BESIDE = 1e-3, 12
"""How far, and how often, it is looked beside a posture for singular ones with fewer equations [rad or m]."""
SHARE: Final = 4
"""Postures of a kind, at least: fewer are where two kinds meet."""


@record
class Singularity:
    """One kind of postures in which a frame loses a direction of motion."""

    name: Text | None
    """"wrist", "elbow" or "shoulder", of arms whose last three axes meet."""
    fixed: dict[str, float]
    """Coordinates that have one value in all of them [rad or m]."""
    depends: tuple[str, ...]
    """Coordinates on which it depends whether a posture is of this kind."""
    q: Array
    """Such postures, within the limits, shape (k, nq)."""
    codimension: int
    """How many equations between coordinates it takes."""
    slides: frozenset[str]
    """Coordinates that are lengths."""

    @property
    def words(self) -> Text:
        """The condition in words."""
        said = Text(*(", ".join(self._value(name, mm) for name in self.fixed) for mm in ("mm", "мм")))
        others = [name for name in self.depends if name not in self.fixed]
        if not others:
            return said
        names = ", ".join(others)
        more = Text(f"a relation of {names}", f"соотношение между {names}")
        return Text(f"{said.en}; {more.en}", f"{said.ru}; {more.ru}") if self.fixed else more

    def _value(self, name: str, mm: str) -> str:
        slide = name in self.slides
        text = f"{round(1e3 * self.fixed[name] if slide else math.degrees(self.fixed[name]), 4):.6g}"
        return f"{name} = {'0' if text == '-0' else text}{' ' + mm if slide else '°'}"

    def __repr__(self) -> str:
        name = "" if self.name is None else f"{self.name.en}: "
        return f"Singularity({name}{self.words.en})"


def singularities(chain: Chain, task: str) -> tuple[Singularity, ...]:
    """All kinds of singular postures that are found within the limits, those with the fewest equations first.

    A posture q is singular where some u has uᵀJ(q) = 0 or, of arms with fewer coordinates than the task has
    directions, some w has J(q)w = 0. Newton's method solves that for q and u at once, from postures all over the
    limits; what the solutions have in common near each of them says to which kind it belongs.

    Raises:
        SistelError: There is no such task.
    """
    if task not in TASKS:
        known = ", ".join(TASKS)
        refuse("bad-task", Text(f"task is one of {known}", f"task — {known}"))
    basis = _basis(chain, task)
    columns = _columns(chain, basis)
    x = chain.spread(STARTS, seed=7)[:, chain.places]
    problem = _Problem(chain, basis, columns)
    x, nulls, good = problem.newton(x)
    x, fits = chain.into_limits(x)
    x, nulls = x[good & fits], nulls[good & fits]
    kinds: dict[tuple[object, ...], list[int]] = {}
    tangents: dict[tuple[object, ...], tuple[tuple[int, ...], tuple[int, ...], int]] = {}
    for row, (support, fixed, codimension) in enumerate(problem.shapes(x, nulls)):
        if not codimension:
            continue
        values = tuple(_rounded(x[row, j], bool(chain.turns[j])) for j in fixed)
        key = (codimension, support, fixed, values)
        kinds.setdefault(key, []).append(row)
        tangents[key] = (support, fixed, codimension)
    names = chain.joints.names
    found = []
    for kind, rows in kinds.items():
        if len(rows) < SHARE:
            continue
        support, fixed, codimension = tangents[kind]
        q = chain.full(x[rows])
        q.setflags(write=False)
        found.append(
            Singularity(
                name=name_of(chain, support),
                fixed={names[j]: _shown(x[rows, j], bool(chain.turns[j])) for j in fixed},
                depends=tuple(names[j] for j in support),
                q=q,
                codimension=codimension,
                slides=frozenset(names[j] for j in support if not chain.turns[j]),
            )
        )
    least = min((each.codimension for each in found), default=0)
    found = [each for each in found if each.codimension == least or not problem.within_others(each)]
    return tuple(
        sorted(
            found,
            key=lambda each: (each.codimension, [names.index(n) for n in each.depends], list(each.fixed.values())),
        )
    )


def _rounded(value: float, turn: bool) -> int:
    """Whole numbers that are the same for values that are; angles but for whole turns."""
    at = value % (2.0 * math.pi) if turn else value
    if turn and 2.0 * math.pi - at < SAME:
        at = 0.0
    return round(at / (10.0 * SAME))


def _shown(values: Array, turn: bool) -> float:
    middle = float(np.median(values))
    return math.remainder(middle, 2.0 * math.pi) if turn else middle


def _basis(chain: Chain, task: str) -> Array:
    """Directions of the task in which the frame moves, turns first, lengths in sizes of the arm, shape (d, 6)."""
    drawn = chain.columns(chain.spread(256, seed=5))
    rows = np.concatenate([drawn.w, drawn.v / chain.size], axis=1)
    rows[:, 3:] *= task != "turning"
    rows[:, :3] *= task != "position"
    axes, rank = directions(rows)
    return axes[:rank]


def _columns(chain: Chain, basis: Array) -> Indices:
    """Coordinates that move the frame in these directions."""
    drawn = chain.columns(chain.spread(64, seed=9))
    J = basis @ np.concatenate([drawn.w, drawn.v / chain.size], axis=1)
    return np.flatnonzero(np.abs(J).max(axis=(0, 1)) > 1e-9)


def name_of(chain: Chain, support: tuple[int, ...]) -> Text | None:
    """What people call it, of six joints of which the last three turn about axes that meet."""
    if chain.n != 6 or not chain.turns[3:].all() or not _axes_meet(chain):
        return None
    if set(support) <= {3, 4, 5}:
        return Text("wrist", "запястье")
    if support == (2,) and chain.turns[2]:
        return Text("elbow", "локоть")
    return Text("shoulder", "плечо") if set(support) <= {0, 1, 2} else None


def _axes_meet(chain: Chain) -> bool:
    """Whether the last three axes meet in one point, in all postures."""
    found = chain.columns(chain.spread(8, seed=11))
    for p, w, v in zip(found.p, found.w, found.v, strict=True):
        # The point c with w × (p − c) = v for all three.
        A = np.concatenate([_cross(w[:, k]) for k in (3, 4, 5)])
        b = np.concatenate([np.cross(w[:, k], p) - v[:, k] for k in (3, 4, 5)])
        c, *_ = np.linalg.lstsq(A, b, rcond=None)
        if np.abs(A @ c - b).max() > 1e-9 * chain.size:
            return False
    return True


def _cross(w: Array) -> Array:
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


class _Problem:
    """The equations of singular postures, all rows at once."""

    def __init__(self, chain: Chain, basis: Array, columns: Indices) -> None:
        self.chain, self.basis, self.used = chain, basis, columns
        self.tall = len(columns) < len(basis)
        """Whether w, with Jw = 0, is looked for instead of u."""

    def parts(self, x: Array) -> tuple[Array, Array]:
        """J, shape (rows, d, m), and its derivatives, shape (rows, d, m, m): by coordinate i of column j."""
        found = self.chain.columns(self.chain.full(x))
        J = np.concatenate([found.w, found.v / self.chain.size], axis=1)[:, :, self.used]
        D = rates_of(found, self.chain.size)[:, :, self.used][:, :, :, self.used]
        return np.einsum("dk,rkj->rdj", self.basis, J), np.einsum("dk,rkij->rdij", self.basis, D)

    def start(self, J: Array) -> Array:
        left, _, right = np.linalg.svd(J)
        return np.asarray(right[:, -1] if self.tall else left[:, :, -1])

    def rows(self, x: Array, u: Array) -> tuple[Array, Array]:
        """What is left, shape (rows, k), and its derivatives by x and u."""
        J, D = self.parts(x)
        if self.tall:
            left, by_x, by_u = np.einsum("rdj,rj->rd", J, u), np.einsum("rdij,rj->rdi", D, u), J
        else:
            left, by_x, by_u = np.einsum("rdj,rd->rj", J, u), np.einsum("rdij,rd->rji", D, u), J.transpose(0, 2, 1)
        unit = 0.5 * ((u * u).sum(axis=1) - 1.0)
        m = len(self.used)
        A = np.zeros((len(x), left.shape[1] + 1, m + u.shape[1]))
        A[:, :-1, :m], A[:, :-1, m:], A[:, -1, m:] = by_x, by_u, u
        return np.concatenate([left, unit[:, None]], axis=1), A

    def newton(self, x: Array) -> tuple[Array, Array, Flags]:
        """Singular postures near given ones, their null vectors, and whether they are singular."""
        x = x.copy()
        u = self.start(self.parts(x)[0])
        m = len(self.used)
        for _ in range(STEPS):
            left, A = self.rows(x, u)
            square = A @ A.transpose(0, 2, 1) + 1e-15 * np.eye(A.shape[1])
            step = -np.einsum("rij,ri->rj", A, np.linalg.solve(square, left[:, :, None])[:, :, 0])
            size = np.abs(step).max(axis=1, keepdims=True)
            step *= np.minimum(1.0, 0.4 / np.maximum(size, 1e-300))
            x[:, self.used] += step[:, :m]
            u += step[:, m:]
        left, _ = self.rows(x, u)
        return x, u, np.abs(left).max(axis=1) < EXACT

    def within_others(self, kind: Singularity) -> bool:
        """Whether singular postures with fewer equations are as near to one as one likes: it is where others meet."""
        chain = self.chain
        x = np.repeat(kind.q[:2, chain.places], BESIDE, axis=0)
        moved = x + np.random.default_rng(1).normal(0.0, NEAR, x.shape)
        found, u, good = self.newton(moved)
        close = good & (np.abs(found - x).max(axis=1) < 10.0 * NEAR)
        return any(0 < codimension < kind.codimension for _, _, codimension in self.shapes(found[close], u[close]))

    def shapes(self, x: Array, u: Array) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
        """By posture: the coordinates that matter, those that are fixed, and how many equations there are."""
        if not len(x):
            return []
        _, A = self.rows(x, u)
        m = len(self.used)
        _, strength, axes = np.linalg.svd(A)
        made = []
        for s, a in zip(strength, axes, strict=True):
            rank = int((s > 1e-7 * s[0]).sum())
            free = a[rank:, :m]
            # What small motions keep the posture singular; the rest of the space is what matters.
            _, size, ways = np.linalg.svd(free) if len(free) else (None, np.zeros(0), np.eye(m))
            kept = int((size > ALONG).sum())
            across = ways[kept:]
            weight = np.sqrt((across**2).sum(axis=0))
            support = tuple(int(self.used[j]) for j in np.flatnonzero(weight > 1e3 * ALONG))
            fixed = tuple(int(self.used[j]) for j in np.flatnonzero(weight > 1.0 - ALONG))
            made.append((support, fixed, m - kept))
        return made


def rates_of(found: Columns, size: float) -> Array:
    """Derivatives of Jacobians by coordinate i of column j, lengths in parts of a size, shape (rows, 6, n, n).

    A coordinate nearer to the base turns what lies beyond: of turns, wᵢ × wⱼ for i < j; of places, wᵢ × vⱼ for i ≤ j,
    and wⱼ × vᵢ for those beyond.
    """
    w, v = found.w, found.v / size
    turned = np.cross(w[:, :, :, None], w[:, :, None, :], axis=1)
    moved = np.cross(w[:, :, :, None], v[:, :, None, :], axis=1)
    n = w.shape[2]
    before = np.triu(np.ones((n, n), dtype=bool), 1)
    upto = np.triu(np.ones((n, n), dtype=bool))
    D = np.zeros((len(w), 6, n, n))
    D[:, :3] = np.where(before, turned, 0.0)
    D[:, 3:] = np.where(upto, moved, moved.transpose(0, 1, 3, 2))
    return D
