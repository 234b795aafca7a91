"""Contacts in space: which push, stick and slide, with the exact circular cone of Coulomb's friction.

As in the plane (see `_complementarity`), but every contact has two tangents. The direction of a slip that begins is not
known: the force on the cone is against the acceleration (or the velocity after an impact) that follows from it. For
given statuses that is a small nonlinear problem, solved by iteration on the directions; a direction of a slip that is
there already is data, and the problem linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.automaton import FREE, PLUS, ROUNDING, STICK, Status, Statuses
from sistel.records import record
from sistel.simulation.contact._complementarity import _solve, fitting_hosts, put_first, statuses_with
from sistel.simulation.contact._sweeps import swept

if TYPE_CHECKING:
    from sistel.arrays import Array


TRIALS: Final = 12
"""Combinations of statuses up to which all are tried before sweeps look for a likely one."""
MOST: Final = 2000
"""Combinations up to which all are tried where sweeps did not help."""
EFFORTS: Final = ((100, 0.0, 1.0), (3000, 1e-9, 1.0), (20000, 1e-12, 0.7), (20000, 1e-7, 0.3))
"""Sweeps, compliance and relaxation of every attempt."""
SETTLED: Final = 1e-11
"""Part of the largest force by which sweeps may still move forces that are taken for a solution."""
STIFF: Final = 1e-12
"""Compliance that changes no force by more than rounding."""
GUESSES: Final = 4
"""Plain iterations on the directions of slips before Newton's steps."""
TURNS: Final = 40
"""Newton's steps on the directions of slips."""
FEW: Final = 10
"""The same where many combinations are tried."""
NEWTON: Final = 60
"""Statuses that may follow from each other."""


@record
class ConeProblem:
    """Contacts that may push: k of them; the normals come first, then all first tangents, then all second ones."""

    G: Array
    """Response of w to x, shape (3k, 3k)."""
    b: Array
    """W without contact forces, shape (3k,)."""
    friction: tuple[float | None, ...]
    """Coefficients; None where a contact cannot slide while it pushes."""
    ways: Array
    """Known directions of slips, shape (k, 2); zeros where a contact is not slipping."""
    pressed: tuple[float, ...]
    """Normal force that every contact has beside x."""
    bare: tuple[bool, ...]
    """Whether there is no normal, but friction that `pressed` alone bounds."""
    back: tuple[float, ...] = ()
    """Coefficients where a contact with one tangent slides backwards. Empty where they are the same."""
    hosts: tuple[int, ...] = ()
    """See `ContactProblem`."""

    def host(self, i: int) -> int:
        """Whose normal force bounds a friction."""
        return self.hosts[i] if self.hosts else i

    def pull(self, i: int, way: float) -> float:
        """The coefficient of a slip with a part along the first tangent."""
        return (self.back[i] if self.back and way < 0.0 else self.friction[i]) or 0.0


@record
class ConeSolution:
    """What the contacts do; PLUS stands for a slip in any direction."""

    statuses: Statuses
    x: Array
    w: Array
    ways: Array
    """Directions of the slips, shape (k, 2); zeros where there is none."""


def solve_cones(problem: ConeProblem, prefer: Sequence[Status] = ()) -> ConeSolution | None:
    """A solution, or None where none was found.

    Args:
        problem: The contacts.
        prefer: Statuses to try first, where there are several solutions.
    """
    options = [_options(problem, index) for index in range(len(problem.friction))]
    put_first(options, prefer)
    count = prod(len(each) for each in options)
    best: tuple[float, Array] | None = None
    if count > TRIALS and not problem.hosts:
        likeliest = try_cones(problem, [each[0] for each in options])
        if likeliest is not None:
            return likeliest
        for most, compliance, relaxation in EFFORTS:
            forces, left = swept(problem, most, compliance=compliance, relaxation=relaxation)
            for statuses, ways in _likely(problem, options, forces):
                # Where forces are not determined, those near what the sweeps came to push where the shortest may pull.
                for near in (None, forces):
                    found = try_cones(problem, statuses, guess=ways, near=near)
                    if found is not None:
                        return found
            if left <= SETTLED:
                # On the border of several statuses none of them keeps the laws to rounding; the sweeps' forces do.
                return _as_swept(problem, options, forces)
            if compliance <= STIFF and (best is None or left < best[0]):
                best = left, forces
    if count <= MOST:
        for statuses in product(*options):
            found = try_cones(problem, statuses, turns=TURNS if count <= TRIALS else FEW)
            if found is not None:
                return found
    # Forces that many contacts share without need creep on for ever: what they still change counts as none.
    return _as_swept(problem, options, best[1]) if best is not None and best[0] <= ROUNDING else None


def _as_swept(problem: ConeProblem, options: Sequence[Sequence[Status]], x: Array) -> ConeSolution:
    """The solution that sweeps came to, with the statuses that it speaks for."""
    statuses, ways = _statuses(problem, options, x, 1e-9)
    for i, (_, grip) in enumerate(statuses):
        if grip != PLUS:
            ways[i] = 0.0
    return ConeSolution(statuses=statuses, x=x, w=problem.G @ x + problem.b, ways=ways)


def _options(problem: ConeProblem, index: int) -> list[Status]:
    friction = problem.friction[index]
    grips = [STICK, PLUS]
    if friction == 0.0 and not problem.pull(index, -1.0):
        grips = [FREE]
    elif friction is None:
        grips = [STICK]
    elif problem.ways[index].any():
        grips = [PLUS]
    return statuses_with(grips, problem, index)


def try_cones(
    problem: ConeProblem,
    statuses: Sequence[Status],
    turns: int = TURNS,
    guess: Array | None = None,
    near: Array | None = None,
) -> ConeSolution | None:
    """The solution in which the contacts have given statuses, if there is one.

    Args:
        problem: The contacts.
        statuses: What they do.
        turns: Newton's steps on the directions of slips.
        guess: Directions to begin with, shape (k, 2); without, slips begin against the forces that would hold them.
        near: Forces to stay near to where they are not determined; without, they are as small as can be.
    """
    k = len(statuses)
    if not fitting_hosts(problem, statuses):
        return None
    G, b = problem.G, problem.b
    ways = problem.ways.copy()
    unknown = [i for i, (_, grip) in enumerate(statuses) if grip == PLUS and not ways[i].any()]
    if unknown and guess is None:
        held = forces_of(problem, [(c, STICK if i in unknown else g) for i, (c, g) in enumerate(statuses)], ways)
        guess = -(b if held is None else held)[k:].reshape(2, k).T
    for i in unknown:
        assert guess is not None
        ways[i] = _unit(guess[i])
    if unknown:
        x = _turned(problem, statuses, ways, unknown, turns, near)
    else:
        x = forces_of(problem, statuses, ways, near)
    if x is None:
        return None
    w = G @ x + b
    if not _allowed(problem, statuses, x, w, ways, unknown):
        return None
    for i, (_, grip) in enumerate(statuses):
        if grip != PLUS:
            ways[i] = 0.0
    return ConeSolution(statuses=tuple(statuses), x=x, w=w, ways=ways)


def _turned(
    problem: ConeProblem,
    statuses: Sequence[Status],
    ways: Array,
    unknown: Sequence[int],
    turns: int,
    near: Array | None,
) -> Array | None:
    """Forces, and in `ways` directions of slips that are those of what follows from the forces."""
    k = len(statuses)
    G, b = problem.G, problem.b
    pairs = [[k + i, 2 * k + i] for i in unknown]
    stiff = [0.5 * (G[k + i, k + i] + G[2 * k + i, 2 * k + i]) for i in unknown]
    x = forces_of(problem, statuses, ways, near)
    for _ in range(GUESSES):
        if x is None:
            return None
        w = G @ x + b
        change = 0.0
        for place, i in enumerate(unknown):
            # The tangents' own response to the force is moved to the other side: where it is the same in all
            # directions, one turn is enough.
            pull = problem.pull(i, ways[i, 0]) * max(0.0, x[problem.host(i)] + problem.pressed[problem.host(i)])
            way = _unit(w[pairs[place]] + stiff[place] * pull * ways[i])
            change = max(change, float(np.abs(way - ways[i]).max()))
            ways[i] = way
        x = forces_of(problem, statuses, ways, near)
        if change <= 4e-16:
            return x
    # Newton's steps on the angles: w across the directions has to vanish.
    for _ in range(turns):
        if x is None:
            return None
        A, _ = cone_equations(problem, statuses, ways)
        right = np.zeros((3 * k, len(unknown)))
        for place, i in enumerate(unknown):
            pull = problem.pull(i, ways[i, 0]) * (x[problem.host(i)] + problem.pressed[problem.host(i)])
            right[k + i, place], right[2 * k + i, place] = pull * ways[i, 1], -pull * ways[i, 0]
        w, change_w = G @ x + b, G @ np.linalg.lstsq(A, right, rcond=1e-11)[0]
        off, slope = np.zeros(len(unknown)), np.zeros((len(unknown), len(unknown)))
        for place, i in enumerate(unknown):
            first, second = pairs[place]
            off[place] = ways[i, 0] * w[second] - ways[i, 1] * w[first]
            slope[place] = ways[i, 0] * change_w[second] - ways[i, 1] * change_w[first]
            slope[place, place] -= ways[i, 1] * w[second] + ways[i, 0] * w[first]
        step = np.linalg.lstsq(slope, -off, rcond=1e-14)[0]
        step *= min(1.0, 0.5 / max(1e-300, float(np.abs(step).max())))
        for place, i in enumerate(unknown):
            cosine, sine = np.cos(step[place]), np.sin(step[place])
            ways[i] = _unit(
                np.array([cosine * ways[i, 0] - sine * ways[i, 1], sine * ways[i, 0] + cosine * ways[i, 1]])
            )
        x = forces_of(problem, statuses, ways, near)
        if np.abs(step).max() <= 1e-15:
            break
    return x


def _allowed(
    problem: ConeProblem, statuses: Sequence[Status], x: Array, w: Array, ways: Array, unknown: Sequence[int]
) -> bool:
    """Whether forces and what follows from them keep the laws."""
    k = len(statuses)
    size = np.abs(problem.G) @ np.abs(x) + np.abs(problem.b)
    slack_w, slack_x = ROUNDING * size, ROUNDING * float(np.abs(x).max(initial=0.0))
    for i, (closed, grip) in enumerate(statuses):
        friction = problem.friction[i]
        if (closed and x[i] < -slack_x) or (not closed and w[i] < -slack_w[i]):
            return False
        tangents = [k + i, 2 * k + i]
        if grip == STICK and friction is not None:
            load = x[problem.host(i)] + problem.pressed[problem.host(i)]
            if float(np.hypot(*x[tangents])) > problem.pull(i, -x[k + i]) * load + slack_x:
                return False
        elif i in unknown:
            slack = 100.0 * float(slack_w[tangents].max())
            across = abs(float(ways[i][0] * w[2 * k + i] - ways[i][1] * w[k + i]))
            if float(ways[i] @ w[tangents]) < -slack or across > slack:
                return False
    return True


def forces_of(problem: ConeProblem, statuses: Sequence[Status], ways: Array, near: Array | None = None) -> Array | None:
    """Forces for statuses and directions of slips."""
    return _solve(*cone_equations(problem, statuses, ways), near)


def cone_equations(problem: ConeProblem, statuses: Sequence[Status], ways: Array) -> tuple[Array, Array]:
    """Linear equations for the forces: matrix and right-hand side."""
    k = len(statuses)
    G, b = problem.G, problem.b
    A, right = np.zeros((3 * k, 3 * k)), np.zeros(3 * k)
    for i, (closed, grip) in enumerate(statuses):
        if closed:
            A[i], right[i] = G[i], -b[i]
        else:
            A[i, i] = 1.0
        for side, j in enumerate((k + i, 2 * k + i)):
            if grip == STICK and G[j, j] > 0.0:
                A[j], right[j] = G[j], -b[j]
                continue
            A[j, j] = 1.0
            if grip == PLUS:
                pull = ways[i][side] * problem.pull(i, ways[i][0])
                A[j, problem.host(i)], right[j] = pull, -pull * problem.pressed[problem.host(i)]
    return A, right


def _unit(v: Array) -> Array:
    length = float(np.hypot(v[0], v[1]))
    return np.asarray(v / length) if length > 0.0 else np.array([1.0, 0.0])


def _likely(problem: ConeProblem, options: Sequence[Sequence[Status]], x: Array) -> Iterator[tuple[Statuses, Array]]:
    """Statuses worth trying: those that sweeps over the contacts come to, and what follows from them.

    For given statuses the forces are known, and what w then is says which of them should be others; where that changes
    nothing any more, the laws are kept.
    """
    seen: set[Statuses] = set()
    for edge in (1e-9, 1e-6, 1e-3):
        statuses, ways = _statuses(problem, options, x, edge)
        for _ in range(NEWTON):
            if statuses in seen:
                break
            seen.add(statuses)
            yield statuses, ways
            forces = forces_of(problem, statuses, ways)
            if forces is None:
                break
            statuses, ways = _statuses(problem, options, _answered(problem, forces), 0.0)


def _answered(problem: ConeProblem, x: Array) -> Array:
    """Forces less what would stop w, contact by contact."""
    k = len(problem.friction)
    w = problem.G @ x + problem.b
    diagonal = np.diag(problem.G).copy()
    for i in range(k):
        diagonal[[k + i, 2 * k + i]] = max(diagonal[k + i], diagonal[2 * k + i])
    return np.asarray(x - np.divide(w, diagonal, out=np.zeros_like(w), where=diagonal > 0.0))


def _statuses(
    problem: ConeProblem, options: Sequence[Sequence[Status]], x: Array, edge: float
) -> tuple[Statuses, Array]:
    """Statuses that forces speak for, and directions of slips."""
    k = len(problem.friction)
    statuses: list[Status] = []
    ways = problem.ways.copy()
    largest = float(np.abs(x).max(initial=0.0))
    for i in range(k):
        closed = not problem.bare[i] and bool(x[i] > edge * largest)
        friction = problem.friction[i]
        pull = x[[k + i, 2 * k + i]]
        bound = problem.pull(i, -pull[0]) * (max(0.0, x[i]) + problem.pressed[i])
        holds = friction is None or float(np.hypot(*pull)) < (1.0 - edge) * bound
        wanted = (closed, STICK if holds else PLUS)
        fitting = [each for each in options[i] if each == wanted] or [e for e in options[i] if e[0] == closed]
        statuses.append(fitting[0] if fitting else options[i][0])
        if statuses[-1][1] == PLUS and not problem.ways[i].any():
            ways[i] = -_unit(pull)
    return tuple(statuses), ways
