"""Curves of a section where a frame loses a direction of motion."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.arms.workspaces._plane import first_axis
from sistel.arms.workspaces._rank import name_of
from sistel.arms.workspaces._section import into_plane
from sistel.errors import Text
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arms.workspaces._chain import Chain
    from sistel.arms.workspaces._plane import Plane
    from sistel.arms.workspaces._section import Nodes
    from sistel.arrays import Array, Flags, Indices


SAMPLES: Final = 24_000
STARTS: Final = 3_000
"""Postures from which singular ones are looked for: of the samples, those that are nearest to being so."""
STEPS: Final = 30
EXACT: Final = 1e-10
GROWTH: Final = 60
"""How many times gaps along the curves are filled at most."""
CONSTANT: Final = 1e-6
"""Part of a unit motion along a curve below which a coordinate keeps its value."""


SAME: Final = 1e-5
"""Values of a coordinate nearer than this are one [rad or m]."""
FEW: Final = 6
"""Points of a kind that are too few for a curve: where kinds meet."""


@record
class SingularCurve:
    """Places of the section that are reached in singular postures of one kind."""

    points: Array
    """In the plane, one after another, shape (k, 2) [m]."""
    q: Array
    """Postures, shape (k, nq)."""
    fixed: dict[str, float]
    """Coordinates that keep their values along it [rad or m]."""
    words: Text
    """What is special about it."""


class _Found:
    """Singular postures in a plane: coordinates, lost directions, places."""

    def __init__(self, x: Array, u: Array, s: Array) -> None:
        self.x, self.u, self.s = x, u, s

    def __getitem__(self, rows: Flags | Indices) -> _Found:
        return _Found(self.x[rows], self.u[rows], self.s[rows])

    def plus(self, other: _Found) -> _Found:
        return _Found(*(np.concatenate(pair) for pair in ((self.x, other.x), (self.u, other.u), (self.s, other.s))))


def section_curves(chain: Chain, plane: Plane, nodes: Nodes) -> tuple[SingularCurve, ...]:
    """Where the Jacobian of the place of the frame loses rank, in a plane, all coordinates within their limits."""
    if int(chain.used.sum()) < chain.dimension or chain.dimension < 2:
        return ()
    q, _ = into_plane(chain, plane, chain.spread(SAMPLES, seed=13))
    if not len(q):
        return ()
    tracer = _Tracer(chain, plane, 0.5 * nodes.step)
    found = tracer.first(q)
    found = tracer.grown(found)
    curves = []
    for key, rows in tracer.kinds(found).items():
        part = found[np.array(rows)]
        for line in _threads(part.s, 0.5 * nodes.step):
            if len(line) >= FEW:
                curves += [tracer.curve(part[np.array(line)], key)]
    return tuple(sorted(curves, key=lambda curve: -len(curve.points)))


class _Tracer:
    def __init__(self, chain: Chain, plane: Plane, step: float) -> None:
        self.chain, self.plane, self.step = chain, plane, step
        self.used = np.flatnonzero(chain.used)
        self.basis = chain.basis
        normal = plane.normal
        self.flat = chain.dimension == 2 and float(np.abs(self.basis @ normal).max()) < 1e-9
        self.axis = first_axis(chain)

    def rows(self, x: Array, u: Array) -> tuple[Array, Array, Array]:
        """What is left of the equations, their derivatives by coordinates and by u, and places."""
        chain, m, d = self.chain, len(self.used), len(self.basis)
        found = chain.columns(chain.full(x))
        V = found.v[:, :, self.used] / chain.size
        world = u @ self.basis
        H = chain.curvature(found, world)[:, self.used][:, :, self.used] / chain.size
        count = m + 1 + (not self.flat)
        left, A = np.zeros((len(x), count)), np.zeros((len(x), count, m + d))
        left[:, :m] = np.einsum("rkj,rk->rj", V, world)
        A[:, :m, :m], A[:, :m, m:] = H, np.einsum("rkj,dk->rjd", V, self.basis)
        left[:, m], A[:, m, m:] = 0.5 * ((u * u).sum(axis=1) - 1.0), u
        if not self.flat:
            n = self.plane.normal
            left[:, m + 1] = (found.p - self.plane.point) @ n / chain.size
            A[:, m + 1, :m] = np.einsum("k,rkj->rj", n, V)
        return left, A, found.p

    def corrected(self, x: Array, u: Array) -> _Found:
        """Newton's method; what does not converge or is beyond the limits is left out."""
        x, u, m = x.copy(), u.copy(), len(self.used)
        for _ in range(STEPS):
            left, A, _ = self.rows(x, u)
            square = A @ A.transpose(0, 2, 1) + 1e-14 * np.eye(A.shape[1])
            step = -np.einsum("rij,ri->rj", A, np.linalg.solve(square, left[:, :, None])[:, :, 0])
            step *= np.minimum(1.0, 0.3 / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
            x[:, self.used] += step[:, :m]
            u += step[:, m:]
            if np.abs(left).max(initial=0.0) < 1e-12:
                break
        left, _, p = self.rows(x, u)
        kept, fits = self.chain.into_limits(x)
        good = (np.abs(left).max(axis=1) < EXACT) & fits
        return _Found(kept[good], u[good], self.plane.into(p[good]))

    def first(self, q: Array) -> _Found:
        found = self.chain.columns(q)
        J = np.einsum("dk,rkj->rdj", self.basis, found.v[:, :, self.used])
        left, values, _ = np.linalg.svd(J, full_matrices=False)
        # Half of them from anywhere: kinds that take more equations are near few postures.
        near = np.argsort(values[:, -1])[: STARTS // 2]
        near = np.concatenate([near, np.arange(0, len(q), max(1, 2 * len(q) // STARTS))])
        return self.thinned(self.corrected(q[near][:, self.chain.places], left[near][:, :, -1]))

    def cells(self, found: _Found) -> list[tuple[object, ...]]:
        """Where points are, of which kind, and roughly which way the curve goes: curves that cross stay apart."""
        index = np.floor(found.s / self.step).astype(int)
        angle = np.arctan2(*(found.u @ self.basis @ np.stack([self.plane.up, self.plane.right], axis=1)).T)
        way = np.rint(angle / (math.pi / 4)).astype(int) % 4
        rows = np.column_stack([index, way]).tolist()
        return [(*row, kind) for row, kind in zip(rows, self.labels(found), strict=True)]

    def thinned(self, found: _Found) -> _Found:
        """One point a cell."""
        first: dict[tuple[object, ...], int] = {}
        for row, cell in enumerate(self.cells(found)):
            first.setdefault(cell, row)
        return found[np.array(list(first.values()), dtype=int)]

    def grown(self, found: _Found) -> _Found:
        """Points beside the ends of what is known, until there are no gaps."""
        known = set(self.cells(found))
        front = found
        for _ in range(GROWTH):
            if not len(front.x):
                break
            x, u = self.moved(front)
            more = self.corrected(x, u)
            fresh = []
            for row, cell in enumerate(self.cells(more)):
                if cell not in known:
                    known.add(cell)
                    fresh.append(row)
            front = more[np.array(fresh, dtype=int)]
            found = found.plus(front)
        return found

    def tangents(self, found: _Found) -> tuple[Array, Array]:
        """Unit motions along the curves, shape (rows, m + d), and the speed of the place there, shape (rows, 2).

        Where more than one motion keeps a posture singular, it is the one that moves the place most.
        """
        _, A, _ = self.rows(found.x, found.u)
        _, strength, axes = np.linalg.svd(A)
        m = len(self.used)
        v = self.chain.columns(self.chain.full(found.x)).v[:, :, self.used]
        seen = np.einsum("ak,rkj->raj", np.stack([self.plane.right, self.plane.up]), v)
        ranks = (strength > 1e-6 * strength[:, :1]).sum(axis=1)
        way, speed = np.zeros((len(A), A.shape[2])), np.zeros((len(A), 2))
        for rank in np.unique(ranks):
            rows = np.flatnonzero(ranks == rank)
            free = axes[rows, rank:]
            image = np.einsum("raj,rfj->raf", seen[rows], free[:, :, :m])
            _, _, best = np.linalg.svd(image)
            way[rows] = np.einsum("rf,rfj->rj", best[:, 0], free)
            speed[rows] = np.einsum("raf,rf->ra", image, best[:, 0])
        return way, speed

    def moved(self, found: _Found) -> tuple[Array, Array]:
        """A step along the curve, both ways."""
        way, speed = self.tangents(found)
        size = np.linalg.norm(speed, axis=1)
        # Near a cusp the place hardly moves: the coordinates then go by a small angle.
        length = np.minimum(self.step / np.maximum(size, 1e-9), 0.05)[:, None] * way
        m = len(self.used)
        xs, us = [], []
        for sign in (1.0, -1.0):
            x = found.x.copy()
            x[:, self.used] += sign * length[:, :m]
            xs.append(x)
            us.append(found.u + sign * length[:, m:])
        return np.concatenate(xs), np.concatenate(us)

    def kinds(self, found: _Found) -> dict[_Kind, list[int]]:
        """Points by their kinds, those of kinds that have very few left out."""
        made: dict[_Kind, list[int]] = {}
        for row, kind in enumerate(self.labels(found)):
            made.setdefault(kind, []).append(row)
        return {kind: rows for kind, rows in made.items() if len(rows) > FEW}

    def labels(self, found: _Found) -> list[_Kind]:
        """What is special about points, the plane apart: coordinates that keep their values, or the first axis."""
        if not len(found.x):
            return []
        _, A, p = self.rows(found.x, found.u)
        m = len(self.used)
        _, strength, axes = np.linalg.svd(A[:, : m + 1])
        on_axis = np.zeros(len(p), dtype=bool)
        if self.axis is not None and self.chain.dimension == 3:
            point, along = self.axis
            on_axis = np.linalg.norm(np.cross(p - point, along), axis=1) < 1e-7 * self.chain.size
        weight = np.zeros((len(p), m))
        ranks = (strength > 1e-6 * strength[:, :1]).sum(axis=1)
        for rank in np.unique(ranks):
            rows = np.flatnonzero(ranks == rank)
            _, size, ways = np.linalg.svd(axes[rows, rank:, :m])
            # Of the motions of the coordinates, those across what keeps the posture singular.
            lost = np.ones((len(rows), m), dtype=bool)
            lost[:, : size.shape[1]] = size <= CONSTANT
            weight[rows] = np.sqrt(np.einsum("rij,ri->rj", ways**2, lost))
        matters, still = weight > 1e3 * CONSTANT, weight > 1.0 - CONSTANT
        whole = np.rint((found.x[:, self.used] % (2.0 * math.pi)) / SAME).astype(int) % round(2.0 * math.pi / SAME)
        made: list[_Kind] = []
        for row in range(len(p)):
            if on_axis[row]:
                made.append(_Kind(axis=True))
                continue
            support, fixed = self.used[matters[row]], self.used[still[row]]
            values = whole[row, still[row]]
            made.append(
                _Kind(support=tuple(support.tolist()), fixed=tuple(fixed.tolist()), values=tuple(values.tolist()))
            )
        return made

    def curve(self, part: _Found, kind: _Kind) -> SingularCurve:
        chain = self.chain
        names = chain.joints.names
        fixed: dict[str, float] = {}
        said = []
        for j in kind.fixed:
            value = float(np.median(part.x[:, j]))
            fixed[names[j]] = math.remainder(value, 2.0 * math.pi) if chain.turns[j] else value
            text = f"{round(math.degrees(fixed[names[j]]) if chain.turns[j] else 1e3 * value, 3) + 0.0:g}"
            said.append((f"{names[j]} = {text}", "°" if chain.turns[j] else " mm"))
        others = ", ".join(names[j] for j in kind.support if j not in kind.fixed)
        if kind.axis:
            words = Text("the frame is on the first axis", "репер на первой оси")
        else:
            values = [", ".join(a + b.replace("mm", mm) for a, b in said) for mm in ("mm", "мм")]
            more = [f"a relation of {others}", f"соотношение между {others}"] if others else ["", ""]
            both = ["; ".join(part for part in pair if part) for pair in zip(values, more, strict=True)]
            name = name_of(chain, kind.support)
            words = Text(both[0], both[1]) if name is None else Text(f"{name.en}, {both[0]}", f"{name.ru}, {both[1]}")
        points, q = part.s.copy(), chain.full(part.x)
        points.setflags(write=False)
        q.setflags(write=False)
        return SingularCurve(points=points, q=q, fixed=fixed, words=words)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """What postures of one kind have in common."""

    axis: bool = False
    support: tuple[int, ...] = ()
    fixed: tuple[int, ...] = ()
    values: tuple[int, ...] = ()


def _threads(points: Array, step: float) -> list[list[int]]:
    """Points put one after another: from each to the nearest that is ahead, curves as long as they go."""
    cell: dict[tuple[int, int], list[int]] = {}
    size = 3.0 * step
    index = np.floor(points / size).astype(int)
    for row, (i, j) in enumerate(index.tolist()):
        cell.setdefault((i, j), []).append(row)
    left = set(range(len(points)))

    def after(row: int, way: Array | None) -> int | None:
        i, j = index[row]
        near = [k for a in (-1, 0, 1) for b in (-1, 0, 1) for k in cell.get((i + a, j + b), ()) if k in left]
        if not near:
            return None
        d = points[near] - points[row]
        far = np.linalg.norm(d, axis=1)
        good = far < size
        if way is not None:
            good &= d @ way > 0.5 * far
        if not good.any():
            return None
        return near[int(np.argmin(np.where(good, far, math.inf)))]

    lines = []
    while left:
        begin = left.pop()
        line = [begin]
        for side in (0, 1):
            if side:
                line.reverse()
            while True:
                way = None
                if len(line) > 1:
                    d = points[line[-1]] - points[line[max(-4, -len(line))]]
                    way = d / max(float(np.linalg.norm(d)), 1e-300)
                following = after(line[-1], way)
                if following is None:
                    break
                left.discard(following)
                line.append(following)
        lines.append(line)
    return lines
