"""The complementarity problems of contacts in machine code: statuses are tried until one of them keeps the laws.

What `_complementarity` and `_cones` do in Python, for passages that no interpreter takes part in; where these have to
look further (pivots, combinations without end), there is no answer here. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from sistel.automaton import FREE, MINUS, PLUS, ROUNDING, STICK
from sistel.kernels.subset import Floats, Ints, shift
from sistel.simulation.contact import _algebra, _cones
from sistel.simulation.contact import _complementarity as _plane
from sistel.simulation.contact._algebra import clear, shortest, shortest_again, solve
from sistel.simulation.contact._sweeps import CLINGS, RUBS, SLIDES, SMOOTH, sweep

CLOSED: Final = 4
"""A status as a number: this where a contact pushes, and what it does along its tangent."""
OPTIONS: Final = 8
"""Room for what one contact may do: how many ways, and the ways."""
ALL: Final = _plane.TRIALS
FEW_TRIALS: Final = _cones.TRIALS
GUESSES: Final = _cones.GUESSES
TURNS: Final = _cones.TURNS
FIRST_SWEEPS: Final = _cones.EFFORTS[0][0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Contacts that may push: normals first, then all first tangents, then all second ones."""

    sides: int
    """Tangents of a contact: 1 in the plane, 2 in space."""
    G: Floats
    """Response of w to x."""
    b: Floats
    """What w is without x."""
    friction: Floats
    back: Floats
    """Coefficients of slips against the first tangent."""
    clings: Ints
    """Whether a contact cannot slide while it pushes."""
    ways: Floats
    """Known directions of slips, `sides` numbers a contact; zeros where it is not slipping."""
    pressed: Floats
    """Normal force beside x."""
    bare: Ints
    """Whether there is no normal."""
    x: Floats
    """Forces; out."""
    w: Floats
    """What follows from them; out."""
    found: Floats
    """Directions of slips; out."""
    statuses: Ints
    """What the contacts do; out."""
    options: Ints
    """Room for OPTIONS numbers a contact."""
    places: Ints
    """Room for a number a contact."""
    A: Floats
    """Room for a matrix."""
    right: Floats
    size: Floats
    held: Floats
    """Room for as many numbers as x has, each of the three."""
    turn: Floats
    """Room for two matrices of directions, and what they change."""
    room: Floats
    """For `solve`."""
    order: Ints
    kinds: Ints
    """For sweeps: a number a contact."""


def slides_already(problem: Problem, i: int) -> bool:
    """Whether the direction of a slip is known."""
    known = problem.ways[problem.sides * i] != 0.0
    return known or (problem.sides == 2 and problem.ways[problem.sides * i + 1] != 0.0)


def rubs(problem: Problem, i: int, way: float) -> float:
    """The coefficient of a slip with a part along the first tangent."""
    return problem.back[i] if way < 0.0 else problem.friction[i]


def smooth(problem: Problem, i: int) -> bool:
    """Whether a contact has no friction."""
    return problem.friction[i] == 0.0 and problem.back[i] == 0.0


def list_options(problem: Problem, count: int, prefer: Ints, preferred: bool) -> int:
    """What contacts may do, what they should do first; how many combinations there are."""
    total = 1
    for i in range(count):
        own = shift(problem.options, OPTIONS * i)
        n = 0
        for loose in range(2):
            closed = CLOSED if loose == 0 else 0
            if loose == 0 and problem.bare[i] != 0:
                continue
            if loose == 1 and problem.pressed[i] == 0.0 and problem.bare[i] == 0:
                own[1 + n] = FREE
                n += 1
            elif problem.clings[i] != 0:
                own[1 + n] = closed + STICK
                n += 1
            elif smooth(problem, i):
                own[1 + n] = closed + FREE
                n += 1
            elif slides_already(problem, i):
                own[1 + n] = closed + (PLUS if problem.sides == 2 or problem.ways[i] > 0.0 else MINUS)
                n += 1
            else:
                own[1 + n] = closed + STICK
                own[2 + n] = closed + PLUS
                n += 2
                if problem.sides == 1:
                    own[1 + n] = closed + MINUS
                    n += 1
        own[0] = n
        if preferred:
            at = -1
            for j in range(n):
                if own[1 + j] == prefer[i]:
                    at = j
            for back in range(at):
                own[1 + at - back] = own[at - back]
            if at >= 0:
                own[1] = prefer[i]
        total = min(total * n, 1000000)
    return total


def first_options(problem: Problem, count: int) -> None:
    """The first combination."""
    for i in range(count):
        problem.places[i] = 0
        problem.statuses[i] = problem.options[OPTIONS * i + 1]


def next_options(problem: Problem, count: int) -> bool:
    """The next combination, the last contact changes first; whether there is one."""
    for back in range(count):
        i = count - 1 - back
        at = problem.places[i] + 1
        more = at < problem.options[OPTIONS * i]
        problem.places[i] = at if more else 0
        problem.statuses[i] = problem.options[OPTIONS * i + 1 + problem.places[i]]
        if more:
            return True
    return False


def follow(problem: Problem, n: int) -> float:
    """What follows from forces, and in `size` the sizes of its terms; the largest force."""
    most = 0.0
    for i in range(n):
        total = 0.0
        terms = 0.0
        for j in range(n):
            part = problem.G[i * n + j] * problem.x[j]
            total += part
            terms += abs(part)
        problem.w[i] = total + problem.b[i]
        problem.size[i] = terms + abs(problem.b[i])
        most = max(most, abs(problem.x[i]))
    return most


# --- in the plane ----------------------------------------------------------------------------------------------------


def hold_row(problem: Problem, n: int, row: int) -> None:
    """Let what a row measures not change."""
    problem.right[row] = -problem.b[row]
    for c in range(n):
        problem.A[row * n + c] = problem.G[row * n + c]


def put_normals(problem: Problem, n: int, count: int) -> None:
    """Begin the equations for the forces with those of the normals: what is closed stays so, what is open has none."""
    clear(problem.A, n * n)
    clear(problem.right, n)
    for i in range(count):
        if problem.statuses[i] >= CLOSED:
            hold_row(problem, n, i)
        else:
            problem.A[i * n + i] = 1.0


def try_plane(problem: Problem, count: int) -> bool:
    """Whether contacts in the plane can have the statuses; forces and what follows from them."""
    n = 2 * count
    A = problem.A
    put_normals(problem, n, count)
    for i in range(count):
        j = count + i
        grip = problem.statuses[i] % CLOSED
        if grip == STICK:
            hold_row(problem, n, j)
        else:
            A[j * n + j] = 1.0
            if grip != FREE:
                pull = problem.friction[i] if grip == PLUS else -problem.back[i]
                A[j * n + i] = pull
                problem.right[j] = -pull * problem.pressed[i]
    if not solve(A, n, problem.right, False, problem.x, problem.room, problem.order):
        return False
    slack = ROUNDING * follow(problem, n)
    for i in range(count):
        j = count + i
        status = problem.statuses[i]
        grip = status % CLOSED
        if status >= CLOSED:
            if problem.x[i] < -slack:
                return False
        elif problem.w[i] < -(ROUNDING * problem.size[i]):
            return False
        if grip == STICK and problem.clings[i] == 0:
            # What pulls forwards keeps from slipping backwards.
            if abs(problem.x[j]) > rubs(problem, i, -problem.x[j]) * (problem.x[i] + problem.pressed[i]) + slack:
                return False
        elif grip != FREE and grip != STICK and problem.ways[i] == 0.0:
            ahead = problem.w[j] if grip == PLUS else -problem.w[j]
            if ahead < -(ROUNDING * problem.size[j]):
                return False
    return True


def solve_plane(problem: Problem, count: int, prefer: Ints, preferred: bool) -> bool:
    """The first statuses that keep the laws; none where there are too many to try."""
    if list_options(problem, count, prefer, preferred) > ALL:
        return False
    first_options(problem, count)
    while not try_plane(problem, count):
        if not next_options(problem, count):
            return False
    return True


# --- in space --------------------------------------------------------------------------------------------------------


def cone_forces(problem: Problem, count: int, near: bool) -> bool:
    """Forces for statuses and directions of slips, near to what they are where that is asked for."""
    n = 3 * count
    cone_matrix(problem, count)
    return solve(problem.A, n, problem.right, near, problem.x, problem.room, problem.order)


def cone_matrix(problem: Problem, count: int) -> None:
    """Linear equations for the forces, for statuses and directions of slips."""
    n = 3 * count
    A = problem.A
    put_normals(problem, n, count)
    for i in range(count):
        grip = problem.statuses[i] % CLOSED
        for side in range(2):
            j = count * (1 + side) + i
            if grip == STICK and problem.G[j * n + j] > 0.0:
                hold_row(problem, n, j)
            else:
                A[j * n + j] = 1.0
                if grip == PLUS:
                    pull = problem.found[2 * i + side] * rubs(problem, i, problem.found[2 * i])
                    A[j * n + i] = pull
                    problem.right[j] = -pull * problem.pressed[i]


def set_way(problem: Problem, i: int, one: float, two: float) -> None:
    """Give a slip its direction."""
    size = math.sqrt(one * one + two * two)
    problem.found[2 * i] = one / size if size > 0.0 else 1.0
    problem.found[2 * i + 1] = two / size if size > 0.0 else 0.0


def begins_to_slip(problem: Problem, i: int) -> bool:
    """Whether a contact slides in a direction that is to be found."""
    return problem.statuses[i] % CLOSED == PLUS and not slides_already(problem, i)


def try_cones(problem: Problem, count: int, guessed: bool, near: bool) -> bool:
    """Whether contacts in space can have the statuses; forces, directions of slips, and what follows from them.

    Args:
        problem: The contacts.
        count: How many.
        guessed: Whether `found` has directions to begin with.
        near: Whether x has forces to stay near to where they are not determined.
    """
    unknown = 0
    n = 3 * count
    for i in range(count):
        if begins_to_slip(problem, i):
            unknown += 1
        else:
            problem.found[2 * i] = problem.ways[2 * i]
            problem.found[2 * i + 1] = problem.ways[2 * i + 1]
    if unknown > 0 and not guessed:
        # Slips begin against the forces that would hold them.
        for i in range(count):
            problem.places[i] = 1 if begins_to_slip(problem, i) else 0
            if problem.places[i] != 0:
                problem.statuses[i] = problem.statuses[i] - PLUS + STICK
        held = cone_forces(problem, count, False)
        for i in range(count):
            if problem.places[i] != 0:
                problem.statuses[i] = problem.statuses[i] - STICK + PLUS
                one = problem.x[count + i] if held else problem.b[count + i]
                two = problem.x[2 * count + i] if held else problem.b[2 * count + i]
                set_way(problem, i, -one, -two)
    if near:
        for i in range(n):
            problem.held[i] = problem.x[i]
    if not again(problem, count, near):
        return False
    if unknown > 0 and not turned(problem, count, unknown, near):
        return False
    return allowed(problem, count)


def again(problem: Problem, count: int, near: bool) -> bool:
    """Forces for the directions as they are."""
    if near:
        for i in range(3 * count):
            problem.x[i] = problem.held[i]
    return cone_forces(problem, count, near)


def turn_once(problem: Problem, count: int) -> float:
    """Give slips that begin the directions that follow from the forces; the largest change of a direction."""
    n = 3 * count
    change = 0.0
    for i in range(count):
        if begins_to_slip(problem, i):
            first = count + i
            second = 2 * count + i
            stiff = 0.5 * (problem.G[first * n + first] + problem.G[second * n + second])
            # The tangents' own response to the force is moved to the other side: where it is the same in all
            # directions, one turn is enough.
            one = problem.found[2 * i]
            pull = stiff * rubs(problem, i, one) * max(0.0, problem.x[i] + problem.pressed[i])
            two = problem.found[2 * i + 1]
            set_way(problem, i, problem.w[first] + pull * one, problem.w[second] + pull * two)
            change = max(change, abs(problem.found[2 * i] - one), abs(problem.found[2 * i + 1] - two))
    return change


def forces_of_turn(problem: Problem, count: int, i: int, pull: float, change: Floats, rank: int) -> int:
    """How all forces change where the direction of a slip with some friction turns, for a turn of 1 rad.

    Args:
        problem: The contacts.
        count: How many.
        i: That of the slip.
        pull: Its friction.
        change: The changes, out.
        rank: Of the matrix, where it has just been made triangular; the answer tells it for the next turn.
    """
    n = 3 * count
    if rank != n:
        cone_matrix(problem, count)
    for j in range(n):
        problem.right[j] = 0.0
    problem.right[count + i] = pull * problem.found[2 * i + 1]
    problem.right[2 * count + i] = -pull * problem.found[2 * i]
    if rank != n:
        return shortest(problem.A, n, n, problem.right, 1e-11, change, problem.room, problem.order)
    shortest_again(problem.A, n, problem.right, change, problem.room, problem.order)
    return rank


def put_turns(problem: Problem, count: int, unknown: int, change_w: Floats, change_x: Floats) -> None:
    """How all w change where the directions of slips that begin turn, a column for each of these."""
    n = 3 * count
    place = 0
    rank = -1
    for i in range(count):
        if begins_to_slip(problem, i):
            pull = rubs(problem, i, problem.found[2 * i]) * (problem.x[i] + problem.pressed[i])
            rank = forces_of_turn(problem, count, i, pull, change_x, rank)
            for j in range(n):
                total = 0.0
                for c in range(n):
                    total += problem.G[j * n + c] * change_x[c]
                change_w[j * unknown + place] = total
            place += 1


def put_slope(problem: Problem, count: int, unknown: int, change_w: Floats, slope: Floats, off: Floats) -> None:
    """What w is across the directions of slips that begin, and how that changes where these turn."""
    place = 0
    for i in range(count):
        if begins_to_slip(problem, i):
            first = count + i
            second = 2 * count + i
            one = problem.found[2 * i]
            two = problem.found[2 * i + 1]
            off[place] = -(one * problem.w[second] - two * problem.w[first])
            for c in range(unknown):
                slope[place * unknown + c] = one * change_w[second * unknown + c] - two * change_w[first * unknown + c]
            slope[place * unknown + place] -= two * problem.w[second] + one * problem.w[first]
            place += 1


def turn_by(problem: Problem, count: int, part: float, step: Floats) -> None:
    """Turn the directions of slips that begin by part of their angles."""
    place = 0
    for i in range(count):
        if begins_to_slip(problem, i):
            cosine = math.cos(part * step[place])
            sine = math.sin(part * step[place])
            one = problem.found[2 * i]
            two = problem.found[2 * i + 1]
            set_way(problem, i, cosine * one - sine * two, sine * one + cosine * two)
            place += 1


def turned(problem: Problem, count: int, unknown: int, near: bool) -> bool:
    """Turn the directions of slips until they are those of what follows from the forces."""
    n = 3 * count
    for _ in range(GUESSES):
        follow(problem, n)
        change = turn_once(problem, count)
        if not again(problem, count, near):
            return False
        if change <= 4e-16:
            return True
    # Newton's steps on the angles: w across the directions has to vanish.
    change_w = problem.turn
    slope = shift(change_w, n * unknown)
    off = shift(slope, unknown * unknown)
    step = shift(off, unknown)
    change_x = shift(step, unknown)
    for _ in range(TURNS):
        follow(problem, n)
        put_turns(problem, count, unknown, change_w, change_x)
        put_slope(problem, count, unknown, change_w, slope, off)
        shortest(slope, unknown, unknown, off, 1e-14, step, problem.room, problem.order)
        most = 0.0
        for c in range(unknown):
            most = max(most, abs(step[c]))
        part = min(1.0, 0.5 / max(1e-300, most))
        turn_by(problem, count, part, step)
        if not again(problem, count, near):
            return False
        if part * most <= 1e-15:
            return True
    return True


def allowed(problem: Problem, count: int) -> bool:
    """Whether forces and what follows from them keep the laws in space."""
    slack = ROUNDING * follow(problem, 3 * count)
    for i in range(count):
        status = problem.statuses[i]
        first = count + i
        second = 2 * count + i
        if status >= CLOSED:
            if problem.x[i] < -slack:
                return False
        elif problem.w[i] < -(ROUNDING * problem.size[i]):
            return False
        if status % CLOSED == STICK and problem.clings[i] == 0:
            pull = math.sqrt(problem.x[first] * problem.x[first] + problem.x[second] * problem.x[second])
            if pull > rubs(problem, i, -problem.x[first]) * (problem.x[i] + problem.pressed[i]) + slack:
                return False
        elif begins_to_slip(problem, i):
            one = problem.found[2 * i]
            two = problem.found[2 * i + 1]
            edge = 100.0 * ROUNDING * max(problem.size[first], problem.size[second])
            if one * problem.w[first] + two * problem.w[second] < -edge:
                return False
            if abs(one * problem.w[second] - two * problem.w[first]) > edge:
                return False
    for i in range(count):
        if problem.statuses[i] % CLOSED != PLUS:
            problem.found[2 * i] = 0.0
            problem.found[2 * i + 1] = 0.0
    return True


def speak_for(problem: Problem, count: int, x: Floats, edge: float) -> None:
    """Statuses that forces speak for, and directions of slips."""
    largest = 0.0
    for i in range(3 * count):
        largest = max(largest, abs(x[i]))
    for i in range(count):
        one = x[count + i]
        two = x[2 * count + i]
        closed = problem.bare[i] == 0 and x[i] > edge * largest
        bound = rubs(problem, i, -one) * (max(0.0, x[i]) + problem.pressed[i])
        holds = problem.clings[i] != 0 or math.sqrt(one * one + two * two) < (1.0 - edge) * bound
        wanted = (CLOSED if closed else 0) + (STICK if holds else PLUS)
        own = shift(problem.options, OPTIONS * i)
        chosen = own[1]
        fits = 0
        for j in range(own[0]):
            if own[1 + j] == wanted:
                chosen = wanted
                fits = 2
            elif fits == 0 and (own[1 + j] >= CLOSED) == closed:
                chosen = own[1 + j]
                fits = 1
        problem.statuses[i] = chosen
        if begins_to_slip(problem, i):
            set_way(problem, i, -one, -two)
        else:
            problem.found[2 * i] = problem.ways[2 * i]
            problem.found[2 * i + 1] = problem.ways[2 * i + 1]


def solve_cones(problem: Problem, count: int, prefer: Ints, preferred: bool, swept: Floats) -> bool:
    """Statuses in space that keep the laws; none where they are not found soon.

    Args:
        problem: The contacts.
        count: How many.
        prefer: Statuses to try first.
        preferred: Whether there are such.
        swept: Room for twice as many numbers as x has.
    """
    total = list_options(problem, count, prefer, preferred)
    first_options(problem, count)
    if total <= FEW_TRIALS:
        # Directions are guessed with the places of the combination, which `kinds` keeps meanwhile.
        while True:
            for i in range(count):
                problem.kinds[i] = problem.places[i]
            if try_cones(problem, count, False, False):
                return True
            for i in range(count):
                problem.places[i] = problem.kinds[i]
            if not next_options(problem, count):
                return False
    if try_cones(problem, count, False, False):
        return True
    return solve_swept(problem, count, swept)


def solve_swept(problem: Problem, count: int, swept: Floats) -> bool:
    """The same among many combinations: sweeps look for a likely one."""
    n = 3 * count
    trace = 0.0
    for i in range(n):
        swept[i] = 0.0
        trace += problem.G[i * n + i]
    for i in range(count):
        kind = SLIDES if slides_already(problem, i) else RUBS
        if problem.clings[i] != 0:
            kind = CLINGS
        elif smooth(problem, i):
            kind = SMOOTH
        problem.kinds[i] = kind
    left = sweep(
        problem.G,
        problem.b,
        problem.friction,
        problem.back,
        problem.pressed,
        problem.ways,
        problem.kinds,
        problem.bare,
        count,
        0.0,
        1.0,
        FIRST_SWEEPS,
        swept,
    )
    if not math.isfinite(left):
        return False
    speak_for(problem, count, swept, 1e-9)
    if try_cones(problem, count, True, False):
        return True
    # Where forces are not determined, those near what the sweeps came to push where the shortest may pull.
    speak_for(problem, count, swept, 1e-9)
    for i in range(n):
        problem.x[i] = swept[i]
    return try_cones(problem, count, True, True)


FUNCTIONS: Final = (
    *_algebra.FUNCTIONS,
    sweep,
    slides_already,
    rubs,
    smooth,
    list_options,
    first_options,
    next_options,
    follow,
    hold_row,
    put_normals,
    try_plane,
    solve_plane,
    cone_forces,
    cone_matrix,
    set_way,
    begins_to_slip,
    try_cones,
    again,
    turn_once,
    forces_of_turn,
    put_turns,
    put_slope,
    turn_by,
    turned,
    allowed,
    speak_for,
    solve_cones,
    solve_swept,
)
