"""Which contacts push, stick and slide: one complementarity problem for all of them at once.

With x the forces (or impulses) of the contacts and w the accelerations (or velocities) that follow, w = G x + b. Every
contact either pushes and stays (w = 0, x ≥ 0), or opens (x = 0, w ≥ 0); along its tangent it either sticks (w = 0, the
force within the friction cone) or slides (the force on the cone, against w). Dry friction of a joint is a contact whose
normal force is given. Few contacts are solved by trying all
statuses: that finds a solution whenever there is one, which a pivoting method cannot promise once friction is strong
(Painlevé). Many are solved by Lemke's pivots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.automaton import FREE, MINUS, PLUS, ROUNDING, STICK, WAYS, Status, Statuses
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation.contact._cones import ConeProblem


MET: Final = 1e-9
"""Part of its terms that a row of a solution may be off."""
NEARLY_MET: Final = 1e-6
"""The same where no better one is found."""
TRIALS: Final = 5000
"""Combinations of statuses up to which all are tried: 4^6 and some more."""
SHARING: Final = 6
"""Times that bounds of friction are found anew from the loads that follow from them."""
UNSEEN: Final = 1e-15
"""Velocity or acceleration that counts as none where equations depend on each other [m/s, m/s²]."""


@record
class ContactProblem:
    """Contacts that may push: k of them, the numbers of the normals first, then those of the tangents."""

    G: Array
    """Response of w to x, shape (2k, 2k)."""
    b: Array
    """W without contact forces, shape (2k,)."""
    friction: tuple[float | None, ...]
    """Coefficients; None where a contact cannot slide while it pushes."""
    ways: tuple[float, ...]
    """Known direction of the slip of every contact, 0 where it is not slipping."""
    pressed: tuple[float, ...]
    """Normal force that every contact has beside x, whatever w is: the impulse that an expansion gives back."""
    bare: tuple[bool, ...] = ()
    """Whether there is no normal, but friction that `pressed` alone bounds: that of a joint. Empty where none is."""
    back: tuple[float, ...] = ()
    """Coefficients where a contact slides backwards. Empty where they are the same."""
    hosts: tuple[int, ...] = ()
    """Whose normal force bounds the friction of each: its own, or for a resistance to rolling that of a contact, -1
    where that does not touch. Empty where all have their own."""

    def host(self, i: int) -> int:
        """Whose normal force bounds a friction."""
        return self.hosts[i] if self.hosts else i

    def pull(self, i: int, grip: int) -> float:
        """The coefficient of a slip."""
        return (self.back[i] if self.back and grip == MINUS else self.friction[i]) or 0.0


@record
class ContactSolution:
    """What the contacts do."""

    statuses: Statuses
    x: Array
    """Forces, shape (2k,); of the normals, those beside `pressed`."""
    w: Array


def solve_contacts(problem: ContactProblem, prefer: Sequence[Status] = ()) -> ContactSolution | None:
    """A solution, or None where there is none.

    Args:
        problem: The contacts.
        prefer: Statuses to try first, where there are several solutions.
    """
    options = [_options(problem, index) for index in range(len(problem.friction))]
    if prod(len(each) for each in options) > TRIALS:
        return _by_pivots(problem)
    put_first(options, prefer)
    for statuses in product(*options):
        found = try_statuses(problem, statuses)
        if found is not None:
            return found
    return None


def _options(problem: ContactProblem, index: int) -> list[Status]:
    friction, way = problem.friction[index], problem.ways[index]
    grips = [STICK, PLUS, MINUS]
    if friction == 0.0 and not problem.pull(index, MINUS):
        grips = [FREE]
    elif friction is None:
        grips = [STICK]
    elif way:
        grips = [PLUS if way > 0 else MINUS]
    return statuses_with(grips, problem, index)


def put_first(options: Sequence[list[Status]], prefer: Sequence[Status]) -> None:
    """Let the statuses that are preferred be tried before the others of their contacts."""
    for index, first in enumerate(prefer):
        if first in options[index]:
            options[index].remove(first)
            options[index].insert(0, first)


def statuses_with(grips: Sequence[int], problem: ContactProblem | ConeProblem, index: int) -> list[Status]:
    """What a contact may do that slides, or holds, in these ways while it pushes."""
    # Without any normal force there is no friction.
    if problem.host(index) != index:
        return [(False, grip) for grip in ([FREE] if problem.host(index) < 0 else [*grips, FREE])]
    if problem.bare and problem.bare[index]:
        return [(False, grip) for grip in grips]
    loose = grips if problem.pressed[index] else [FREE]
    return [*((True, grip) for grip in grips), *((False, grip) for grip in loose)]


def held_together(problem: ContactProblem, found: ContactSolution) -> ContactSolution | None:
    """Where some contacts rest without pushing, a solution in which all that does not move holds; None for none.

    Statics does not determine how they share the load. Of all ways in which they may, one is sought that uses as little
    as can be of what friction can do: on the edge of that it would be used up at once, and another one taken.
    """
    k = len(found.statuses)
    slow = ROUNDING * (np.abs(problem.G) @ np.abs(found.x) + np.abs(problem.b))
    still = np.abs(found.w) <= slow
    statuses = list(found.statuses)
    for i in range(k):
        bare = bool(problem.bare and problem.bare[i])
        smooth = problem.friction[i] == 0.0 and not problem.pull(i, MINUS)
        if problem.host(i) == i and not problem.ways[i] and still[k + i] and (bare or still[i]):
            statuses[i] = (not bare, FREE if smooth else STICK)
    if statuses == list(found.statuses):
        return None
    weights = np.ones(2 * k)
    for _ in range(SHARING):
        shared = try_statuses(problem, statuses, weights)
        if shared is not None:
            return shared
        x = _solve(*_equations(problem, statuses), weights=weights)
        if x is None:
            return None
        least = 1e-3 * max(float(np.abs(x).max()), 1e-300)
        for i in range(k):
            load = max(x[problem.host(i)] + problem.pressed[problem.host(i)], least)
            weights[i], weights[k + i] = load, (problem.friction[i] if problem.friction[i] is not None else 1.0) * load
        weights = np.maximum(weights, 1e-6 * float(weights.max()))
    return None


def try_statuses(
    problem: ContactProblem, statuses: Sequence[Status], weights: Array | None = None
) -> ContactSolution | None:
    """The solution in which the contacts have given statuses, if there is one.

    Args:
        problem: The contacts.
        statuses: What they do.
        weights: How large forces may be, where there are several: those of least norm in parts of it.
    """
    k = len(statuses)
    G, b = problem.G, problem.b
    if not fitting_hosts(problem, statuses):
        return None
    x = _solve(*_equations(problem, statuses), weights=weights)
    if x is None:
        return None
    w = G @ x + b
    size = np.abs(G) @ np.abs(x) + np.abs(b)
    slack_w, slack_x = ROUNDING * size, ROUNDING * float(np.abs(x).max(initial=0.0))
    for i, (closed, grip) in enumerate(statuses):
        j, friction = k + i, problem.friction[i]
        if (closed and x[i] < -slack_x) or (not closed and w[i] < -slack_w[i]):
            return None
        if grip == STICK and friction is not None:
            # What pulls forwards keeps from slipping backwards.
            most, host = problem.pull(i, MINUS if x[j] > 0.0 else PLUS), problem.host(i)
            if abs(x[j]) > most * (x[host] + problem.pressed[host]) + slack_x:
                return None
        elif grip in WAYS and not problem.ways[i] and WAYS[grip] * w[j] < -slack_w[j]:
            return None
    return ContactSolution(statuses=tuple(statuses), x=x, w=w)


def _equations(problem: ContactProblem, statuses: Sequence[Status]) -> tuple[Array, Array]:
    """Linear equations for the forces: matrix and right-hand side."""
    k = len(statuses)
    G, b = problem.G, problem.b
    A, right = np.zeros((2 * k, 2 * k)), np.zeros(2 * k)
    for i, (closed, grip) in enumerate(statuses):
        if closed:
            A[i], right[i] = G[i], -b[i]
        else:
            A[i, i] = 1.0
        j = k + i
        if grip == STICK:
            A[j], right[j] = G[j], -b[j]
        else:
            A[j, j] = 1.0
            if grip != FREE:
                pull, host = WAYS[grip] * problem.pull(i, grip), problem.host(i)
                A[j, host], right[j] = pull, -pull * problem.pressed[host]
    return A, right


def fitting_hosts(problem: ContactProblem | ConeProblem, statuses: Sequence[Status]) -> bool:
    """Whether what resists rolling does so where its contact pushes, and only there."""
    for i, host in enumerate(problem.hosts):
        if host != i and (statuses[i][1] == FREE) == (host >= 0 and statuses[host][0]):
            return False
    return True


def _solve(A: Array, right: Array, near: Array | None = None, weights: Array | None = None) -> Array | None:
    """Solution of linear equations: of several the shortest, or the one nearest to a given one; None where none is."""
    base = np.zeros(len(right)) if near is None else near
    scale = np.ones(len(right)) if weights is None else weights
    step, _, rank, _ = np.linalg.lstsq(A * scale, right - A @ base, rcond=1e-11)
    step = scale * step
    if rank == len(A):
        return np.asarray(np.linalg.solve(A, right), dtype=np.float64)
    found = base + step
    lack = np.abs(A @ found - right)
    terms = np.abs(A) @ np.abs(found) + np.abs(right)
    # Equations that say no more than others do so but for the rounding of what they were made of.
    allowed = 1e-9 * terms + 1e-12 * float(terms.max(initial=0.0)) + UNSEEN
    return np.asarray(found, dtype=np.float64) if (lack <= allowed).all() else None


def impact_impulses(
    G: Array,
    u: Array,
    friction: Sequence[float | None],
    newton: Sequence[float],
    poisson: Sequence[float],
    phase: Callable[[Array, Sequence[float]], Array | None] | None = None,
    back: tuple[float, ...] = (),
) -> Array | None:
    """Impulses of contacts that strike at once; None where there are none.

    By Newton's rule a contact leaves with at least its restitution times the velocity of approach. By Poisson's there
    are two phases: in the compression all contacts come to rest, in the expansion each gives at least its restitution
    times the normal impulse of compression. Friction acts in both phases.

    Args:
        G: Response of the velocities to impulses, shape (2k, 2k).
        u: Velocities before, those along the normals first.
        friction: Coefficients; None where a contact cannot slide.
        newton: Restitutions by Newton's rule, 0 for contacts that have another one.
        poisson: Restitutions by Poisson's.
        phase: Solves one phase, from velocities and normal impulses beside the unknown ones; without, contacts are in
            the plane.
        back: Coefficients of slips backwards, see `ContactProblem`.
    """
    k = len(friction)
    beside = np.zeros(len(u) - k)
    if k == 1 and friction[0] == 0.0 and not any(back):
        # One smooth contact, by either rule.
        returned = 1.0 + newton[0] + poisson[0]
        return np.array([max(0.0, -returned * float(u[0]) / float(G[0, 0])), *beside])
    none = (0.0,) * k
    added = np.concatenate([np.array(newton) * u[:k], beside])

    def in_plane(b: Array, pressed: Sequence[float]) -> Array | None:
        problem = ContactProblem(G=G, b=b, friction=tuple(friction), ways=none, pressed=tuple(pressed), back=back)
        found = solve_contacts(problem)
        return None if found is None else found.x

    phase = phase or in_plane
    if not any(poisson):
        return phase(u + added, none)
    compressed = phase(u, none)
    if compressed is None:
        return None
    pressed = np.array(poisson) * compressed[:k]
    given = compressed + np.concatenate([pressed, beside])
    more = phase(u + G @ given + added, [float(each) for each in pressed])
    return None if more is None else given + more


# --- many contacts ---------------------------------------------------------------------------------------------------


def _by_pivots(problem: ContactProblem) -> ContactSolution | None:
    """As one linear complementarity problem: z = (normal, friction above its lower bound, slip backward)."""
    k = len(problem.friction)
    if any(friction is None for friction in problem.friction):
        return None  # a force without bounds that exists only while the contact pushes is no linear problem
    mu = np.array([problem.pull(i, PLUS) for i in range(k)])
    back = np.array([problem.pull(i, MINUS) for i in range(k)])
    ways, pressed = np.array(problem.ways), np.array(problem.pressed)
    hosts = np.array([problem.host(i) for i in range(k)])
    mu[hosts < 0] = back[hosts < 0] = 0.0
    hosts = np.maximum(hosts, 0)
    open_ways = [i for i in range(k) if (mu[i] or back[i]) and not ways[i]]
    m = len(open_ways)
    # x = T z + c: a tangent's force is the known friction, or what lies above −mu · normal.
    T, c = np.zeros((2 * k, k + 2 * m)), np.zeros(2 * k)
    T[:k, :k] = np.eye(k)
    for i in range(k):
        pull = back[i] if ways[i] < 0.0 else -mu[i]
        T[k + i, hosts[i]], c[k + i] = pull, pull * pressed[hosts[i]]
    for place, i in enumerate(open_ways):
        T[k + i, k + place] = 1.0
    response, still = problem.G @ T, problem.G @ c + problem.b
    M, q = np.zeros((k + 2 * m, k + 2 * m)), np.zeros(k + 2 * m)
    M[:k], q[:k] = response[:k], still[:k]
    for i in range(k):
        if problem.bare and problem.bare[i]:
            M[i], q[i] = 0.0, 1.0
    for place, i in enumerate(open_ways):
        M[k + place], q[k + place] = response[k + i], still[k + i]
        M[k + place, k + m + place] = 1.0
        M[k + m + place, hosts[i]], M[k + m + place, k + place] = mu[i] + back[i], -1.0
        q[k + m + place] = (mu[i] + back[i]) * pressed[hosts[i]]
    z = lemke(M, q)
    if z is None:
        return None
    x = T @ z + c
    w = problem.G @ x + problem.b
    statuses: list[Status] = []
    for i in range(k):
        closed = bool(z[i] > 0.0)
        if mu[i] == back[i] == 0.0 or not (z[hosts[i]] > 0.0 or pressed[hosts[i]]):
            statuses.append((closed, FREE))
        elif ways[i]:
            statuses.append((closed, PLUS if ways[i] > 0 else MINUS))
        else:
            place = open_ways.index(i)
            above, below = z[k + place], (mu[i] + back[i]) * (z[hosts[i]] + pressed[hosts[i]]) - z[k + place]
            edge = ROUNDING * (above + below)
            statuses.append((closed, PLUS if above <= edge else MINUS if below <= edge else STICK))
    return ContactSolution(statuses=tuple(statuses), x=x, w=w)


def lemke(M: Array, q: Array) -> Array | None:
    """The z ≥ 0 with w = M z + q ≥ 0 and w · z = 0, by Lemke's pivots; None where they find none.

    Pivots lose what is a millionth of the largest: what they find is looked at, and where it is none, they go again
    with rows and columns in units of their own.
    """
    found = _pivots(M, q)
    if found is not None and _unmet(M, q, found) <= MET:
        return found
    sizes = np.sqrt(np.abs(np.diag(M)))
    units = 1.0 / np.where(sizes > 0.0, sizes, 1.0)
    again = _pivots(units[:, None] * M * units, units * q)
    tried = [z for z in (found, None if again is None else units * again) if z is not None]
    best = min(tried, key=lambda z: _unmet(M, q, z), default=None)
    return best if best is not None and _unmet(M, q, best) <= NEARLY_MET else None


def _unmet(M: Array, q: Array, z: Array) -> float:
    """How far z is from a solution, in parts of the terms of its rows."""
    w = M @ z + q
    terms = np.abs(M) @ z + np.abs(q)
    off = np.where(z > 0.0, np.abs(w), np.maximum(0.0, -w))
    # Terms that are nothing but rounding of the others say nothing.
    return float((off / (terms + 1e-6 * float(terms.max()) + 1e-300)).max())


def _pivots(M: Array, q: Array) -> Array | None:
    """What Lemke's pivots come to; None where they end on a ray.

    For matrices that are positive semidefinite a ray means that there is no solution; for others it may mean less.
    """
    n = len(q)
    if (q >= 0.0).all():
        return np.zeros(n)
    # Columns: w, z, the artificial variable, the right-hand side; the identity at the left breaks ties in order.
    tableau = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q.reshape(-1, 1)])
    basis = list(range(n))
    entering, row = 2 * n, int(np.argmin(q))
    for _ in range(50 * n + 100):
        tableau[row] /= tableau[row, entering]
        for i in range(n):
            if i != row and tableau[i, entering]:
                tableau[i] -= tableau[i, entering] * tableau[row]
        leaving, basis[row] = basis[row], entering
        if leaving == 2 * n:
            z = np.zeros(n)
            for i, variable in enumerate(basis):
                if n <= variable < 2 * n:
                    z[variable - n] = max(0.0, tableau[i, -1])
            return z
        entering = leaving + n if leaving < n else leaving - n
        column = tableau[:, entering]
        rows = [i for i in range(n) if column[i] > 1e-12 * max(1.0, float(np.abs(column).max()))]
        if not rows:
            return None
        # The lexicographically smallest ratio: pivots cannot cycle. The artificial variable leaves where it may.
        best = min(tableau[i, -1] / column[i] for i in rows)
        tied = [i for i in rows if tableau[i, -1] / column[i] <= best + 1e-13 * (1.0 + abs(best))]
        row = next((i for i in tied if basis[i] == 2 * n), -1)
        if row < 0:
            row = min(tied, key=lambda i: tuple(tableau[i, :n] / column[i]))
    return None
