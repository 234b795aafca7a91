"""The first moment of slips in space in machine code; see `_onsets` for the method.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import PLUS, ROUNDING, SLOWEST, STICK, TOUCHING
from sistel.kernels.subset import Floats, shift
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._algebra import eliminate, shortest
from sistel.simulation.contact._gauss import ASTRAY, HOPELESS, LENGTHS, NODES, PLAIN, ROUGH, SMOOTH, TURNS
from sistel.simulation.contact._looking import gather, gather_motion, look, move_on, row_of, solve_motion
from sistel.simulation.contact._scene import Data, Scene
from sistel.simulation.contact._slipping import START
from sistel.simulation.contact._trials import CLOSED, cone_forces, cone_matrix, follow, forces_of_turn
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor.tables import Tables

MOMENTS: Final = len(LENGTHS)
LATEST: Final = 1e-3
"""Time that a slip which begins slowly is given to find its direction [s]."""


def put_accelerations(scene: Scene, data: Data) -> None:
    """Accelerations with the forces of all rows, in `free`."""
    nv = scene.counts[s.RATES]
    for c in range(nv):
        total = data.free[c]
        for row in range(3 * scene.counts[s.ELEMENTS]):
            total += data.P[row * nv + c] * scene.x[row]
        scene.free[c] = total


def put_forces(scene: Scene, count: int, there: bool) -> None:
    """The forces of a problem as those of all rows; none where there are none."""
    for row in range(3 * scene.counts[s.ELEMENTS]):
        scene.x[row] = 0.0
    if there:
        for j in range(3 * count):
            scene.x[row_of(scene, scene.chosen, count, j)] = scene.problem.x[j]


def slips_anew(scene: Scene, i: int) -> bool:
    """Whether an element begins to slip in space."""
    known = scene.slipping[2 * i] != 0.0 or scene.slipping[2 * i + 1] != 0.0
    two = scene.elements[s.ELEMENT * i + s.TANGENTS] == 2
    return two and scene.next[i] == CLOSED + PLUS and not known


def give_time(tables: Tables, scene: Scene, count: int, gone: float, wanted: float) -> None:
    """Bring the state `later` to where slips that begin have found their directions, about; see `Motions._tried`.

    Args:
        tables: Those of the loop.
        scene: The elements; `x` has their forces, `here` is where these were decided.
        count: Elements that take part.
        gone: Time until there [s].
        wanted: Time in which accelerations make slips that count [s].
    """
    k = scene.counts[s.ELEMENTS]
    nv = scene.counts[s.RATES]
    data = scene.data
    if gone > 0.0:
        slowly(tables, scene, count, gone, wanted)
        return
    h = max(START, min(LATEST, wanted))
    # Slips that are there already must not end before.
    for place in range(count):
        i = scene.chosen[place]
        if scene.slipping[2 * i] != 0.0 or scene.slipping[2 * i + 1] != 0.0:
            one = scene.all_w[k + i]
            two = scene.all_w[2 * k + i]
            speed = math.sqrt(data.u[k + i] * data.u[k + i] + data.u[2 * k + i] * data.u[2 * k + i])
            h = min(h, 0.3 * speed / max(1e-300, math.sqrt(one * one + two * two)))
    put_accelerations(scene, data)
    for c in range(nv):
        scene.first[c] = scene.free[c]
    move_on(tables, scene, min(h, LATEST))


def slowly(tables: Tables, scene: Scene, count: int, gone: float, wanted: float) -> None:
    """The same for slips that begin without acceleration; see `Motions._slowly`."""
    problem = scene.problem
    data = scene.data
    nv = scene.counts[s.RATES]
    size = tables.counts[t.SIZE]
    h = min(gone, LATEST, math.sqrt(2.0 * gone * wanted))
    gather(scene, data, scene.chosen, count)
    for j in range(3 * count):
        problem.b[j] = data.a[row_of(scene, scene.chosen, count, j)]
    for place in range(count):
        i = scene.chosen[place]
        problem.pressed[place] = data.bound[i]
        problem.statuses[place] = scene.next[i]
        for side in range(2):
            problem.found[2 * place + side] = scene.slipping[2 * i + side]
        known = scene.slipping[2 * i] != 0.0 or scene.slipping[2 * i + 1] != 0.0
        if scene.next[i] % CLOSED == PLUS and not known:
            problem.statuses[place] = scene.next[i] - PLUS + STICK
    put_forces(scene, count, cone_forces(problem, count, False))
    put_accelerations(scene, data)
    for c in range(nv):
        scene.first[c] = scene.free[c]
    for _ in range(2):
        for i in range(size):
            scene.later[i] = scene.start[i]
        move_on(tables, scene, h)
        look(tables, scene, scene.later, True)
        if solve_motion(scene, scene.here, count, scene.next):
            put_forces(scene, count, True)
            put_accelerations(scene, scene.here)
    for i in range(size):
        scene.later[i] = scene.start[i]
    move_on(tables, scene, h)


def slip_at_node(scene: Scene, count: int, sliding: int, node: int) -> int:
    """Forces of the chosen elements at the state `here`, with directions of slips at a node.

    The answer is the rank of their equations, which stay triangular; -1 where there are no such forces.
    """
    problem = scene.problem
    n = 3 * count
    gather_motion(scene, scene.here, count)
    for place in range(count):
        i = scene.chosen[place]
        problem.statuses[place] = scene.next[i]
        problem.found[2 * place] = 0.0
        problem.found[2 * place + 1] = 0.0
    for slip in range(sliding):
        place = scene.sliding[slip]
        problem.found[2 * place] = math.cos(scene.theta[node * sliding + slip])
        problem.found[2 * place + 1] = math.sin(scene.theta[node * sliding + slip])
    cone_matrix(problem, count)
    rank = shortest(problem.A, n, n, problem.right, 1e-11, problem.x, problem.room, problem.order)
    follow(problem, n)
    forces = shift(scene.forces_at, node * n)
    for j in range(n):
        forces[j] = problem.x[j]
        if not math.isfinite(forces[j]):
            return -1
    return rank


def put_slips_at(scene: Scene, count: int, sliding: int, node: int, rank: int) -> None:
    """Accelerations of slips at a node, and what turns of their directions do to all of them."""
    problem = scene.problem
    n = 3 * count
    forces = shift(scene.forces_at, node * n)
    for slip in range(sliding):
        place = scene.sliding[slip]
        for side in range(2):
            row = count * (1 + side) + place
            scene.slips_at[(node * sliding + slip) * 2 + side] = problem.w[row]
        pull = problem.friction[place] * forces[place]
        rank = forces_of_turn(problem, count, place, pull, problem.held, rank)
        for other in range(sliding):
            for side in range(2):
                row = count * (1 + side) + scene.sliding[other]
                total = 0.0
                for j in range(n):
                    total += problem.G[row * n + j] * problem.held[j]
                scene.turns_at[((node * sliding + other) * 2 + side) * sliding + slip] = total


def put_rates_at(tables: Tables, scene: Scene, count: int, node: int) -> None:
    """Rates of the state at a node, with the forces there."""
    here = scene.here
    nv = scene.counts[s.RATES]
    nq = scene.counts[s.FIRST_RATE]
    size = tables.counts[t.SIZE]
    forces = shift(scene.forces_at, node * 3 * count)
    tables.kernel_at(scene.counts[s.MOVE], 0, 1, scene.counts[s.MOVE_ARGUMENTS])
    rates = shift(scene.rates_at, node * size)
    for i in range(size):
        rates[i] = scene.rates[i] if i < nq else 0.0
    for c in range(nv):
        total = here.free[c]
        for j in range(3 * count):
            total += here.P[row_of(scene, scene.chosen, count, j) * nv + c] * forces[j]
        rates[nq + c] = total
    rates[size - 1] = 1.0


def at_nodes(tables: Tables, scene: Scene, count: int, sliding: int) -> bool:
    """Forces and accelerations for states and directions of slips at the nodes; whether there are such."""
    k = scene.counts[s.ELEMENTS]
    for node in range(NODES):
        look(tables, scene, shift(scene.states, node * tables.counts[t.SIZE]), True)
        rank = slip_at_node(scene, count, sliding, node)
        if rank < 0:
            return False
        put_slips_at(scene, count, sliding, node, rank)
        for i in range(k):
            scene.gaps_at[node * k + i] = scene.here.gap[i]
        put_rates_at(tables, scene, count, node)
    return True


def begin_nodes(tables: Tables, scene: Scene, sliding: int, length: float) -> None:
    """Begin with the state and the directions of slips at the beginning of a moment, at all its nodes."""
    size = tables.counts[t.SIZE]
    for node in range(NODES):
        for i in range(size):
            scene.states[node * size + i] = scene.start[i]
        scene.states[node * size + size - 1] += scene.gauss[node] * length
        for slip in range(sliding):
            i = scene.chosen[scene.sliding[slip]]
            scene.theta[node * sliding + slip] = math.atan2(scene.ways[2 * i + 1], scene.ways[2 * i])


def move_nodes(tables: Tables, scene: Scene, length: float) -> float:
    """States at the nodes from the rates there; the largest change."""
    size = tables.counts[t.SIZE]
    integrals = shift(scene.gauss, NODES)
    moved = 0.0
    for node in range(NODES):
        for i in range(size - 1):
            total = 0.0
            for other in range(NODES):
                total += integrals[node * NODES + other] * scene.rates_at[other * size + i]
            new = scene.start[i] + length * total
            moved = max(moved, abs(new - scene.states[node * size + i]))
            scene.states[node * size + i] = new
    return moved


def put_equations(scene: Scene, sliding: int, length: float) -> bool:
    """Equations of Newton's method for the angles of slips at the nodes; whether all slips go ahead."""
    k = scene.counts[s.ELEMENTS]
    c = sliding
    integrals = shift(scene.gauss, NODES)
    ahead = True
    for node in range(NODES):
        for slip in range(c):
            row = node * c + slip
            i = scene.chosen[scene.sliding[slip]]
            one = scene.data.u[k + i]
            two = scene.data.u[2 * k + i]
            if math.sqrt(one * one + two * two) <= SLOWEST:  # what rounding has left has no direction
                one = 0.0
                two = 0.0
            cosine = math.cos(scene.theta[row])
            sine = math.sin(scene.theta[row])
            for other in range(NODES):
                part = length * integrals[node * NODES + other]
                own = (other * c + slip) * 2
                one += part * scene.slips_at[own]
                two += part * scene.slips_at[own + 1]
                for column in range(c):
                    turned = cosine * scene.turns_at[(own + 1) * c + column] - sine * scene.turns_at[own * c + column]
                    scene.matrix[row * NODES * c + other * c + column] = part * turned
            along = cosine * one + sine * two
            scene.matrix[row * NODES * c + row] -= along
            scene.off[row] = -(cosine * two - sine * one)
            ahead = ahead and along > 0.0
    return ahead


def turn_nodes(scene: Scene, n: int) -> float:
    """Solve the equations of the n angles, and turn these; the largest turn wanted, infinite where there is none."""
    eliminate(scene.matrix, n, scene.off, scene.step)
    most = 0.0
    for row in range(n):
        if not math.isfinite(scene.step[row]):
            return math.inf
        most = max(most, abs(scene.step[row]))
    part = min(1.0, 0.5 / max(most, 1e-300))
    for row in range(n):
        scene.theta[row] = scene.theta[row] + part * scene.step[row]
    return most


def collocated(tables: Tables, scene: Scene, count: int, sliding: int, length: float, smooth: bool) -> float:
    """The motion at the nodes of a moment, by Newton's method; what its series lacks, infinite where that fails.

    Where it has to be smooth, the search ends as soon as it shows that it will not be.
    """
    begin_nodes(tables, scene, sliding, length)
    last = math.inf
    best = math.inf
    for turn in range(TURNS):
        if not at_nodes(tables, scene, count, sliding):
            return math.inf
        moved = move_nodes(tables, scene, length)
        ahead = put_equations(scene, sliding, length)
        most = turn_nodes(scene, NODES * sliding)
        if most == math.inf:
            return math.inf
        now = max(most, moved)
        if now < 1e-15 or (now < 1e-9 and now >= 0.5 * last):
            lack = lacks(tables, scene, length)
            return lack if ahead and lack <= ROUGH else math.inf
        if smooth and now < PLAIN and lacks(tables, scene, length) > HOPELESS:
            return math.inf
        last = now
        best = min(best, now)
        if turn >= ASTRAY and best > PLAIN:
            return math.inf
    return math.inf


def lacks(tables: Tables, scene: Scene, length: float) -> float:
    """What the last two terms of the series at the nodes are worth."""
    size = tables.counts[t.SIZE]
    legendre = shift(scene.gauss, NODES + NODES * NODES + NODES)
    worst = 0.0
    for term in range(NODES - 2, NODES):
        for i in range(size):
            total = 0.0
            for node in range(NODES):
                total += legendre[term * NODES + node] * scene.rates_at[node * size + i]
            worst = max(worst, abs(length * total) / (1.0 + abs(scene.start[i])))
    return worst


def put_end(tables: Tables, scene: Scene, rates: Floats, length: float) -> None:
    """The state at the end of a moment, in `later`."""
    size = tables.counts[t.SIZE]
    weights = shift(scene.gauss, NODES + NODES * NODES)
    for i in range(size):
        total = 0.0
        for node in range(NODES):
            total += weights[node] * rates[node * size + i]
        scene.later[i] = scene.start[i] + length * total
    scene.later[size - 1] = scene.start[size - 1] + length


def stays(tables: Tables, scene: Scene, count: int, sliding: int, length: float) -> bool:
    """Whether all elements keep their statuses for the whole moment."""
    k = scene.counts[s.ELEMENTS]
    first = scene.data.gap
    for node in range(NODES):
        forces = shift(scene.forces_at, node * 3 * count)
        largest = 0.0
        for j in range(3 * count):
            largest = max(largest, abs(forces[j]))
        slack = ROUNDING * largest
        for place in range(count):
            i = scene.chosen[place]
            one = forces[count + place]
            two = forces[2 * count + place]
            if scene.next[i] >= CLOSED and forces[place] < -slack:
                return False
            if scene.next[i] % CLOSED == STICK and scene.elements[s.ELEMENT * i + s.CLINGS] == 0:
                bound = scene.laws[s.LAW * i + s.FRICTION] * forces[place]
                if math.sqrt(one * one + two * two) > bound + slack:
                    return False
        for i in range(k):
            if is_free(scene, i) and scene.gaps_at[node * k + i] < min(0.0, first[i]):
                return False
    put_end(tables, scene, scene.rates_at, length)
    look(tables, scene, scene.later, True)
    u = scene.here.u
    for slip in range(sliding):
        i = scene.chosen[scene.sliding[slip]]
        if not math.sqrt(u[k + i] * u[k + i] + u[2 * k + i] * u[2 * k + i]) > 10.0 * SLOWEST:
            return False
    # What is open must not be near enough to have been down and up again between two nodes, nor strike at the end.
    deepest = 0.0
    for i in range(k):
        if is_free(scene, i):
            deepest = max(deepest, 0.01 * length * abs(u[i]))
    for i in range(k):
        up = u[i] > 0.0 and first[i] <= TOUCHING
        if is_free(scene, i) and not up and not scene.here.gap[i] > max(deepest, 10.0 * TOUCHING):
            return False
    return True


def is_free(scene: Scene, i: int) -> bool:
    """Whether an element that can strike is open."""
    return scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and scene.next[i] < CLOSED


def begin_slips(tables: Tables, scene: Scene, count: int) -> float:
    """The first moment of slips: its end in `later`, its series in `series`; its length, 0 where there is none [s]."""
    sliding = 0
    for place in range(count):
        i = scene.chosen[place]
        if scene.elements[s.ELEMENT * i + s.NORMAL] < 0:
            return 0.0
        if scene.next[i] == CLOSED + PLUS:
            if scene.ways[2 * i] == 0.0 and scene.ways[2 * i + 1] == 0.0:
                return 0.0
            scene.sliding[sliding] = place
            sliding += 1
    if sliding == 0:
        return 0.0
    length = find_moment(tables, scene, count, sliding, True)
    if length > 0.0:
        return length
    return find_moment(tables, scene, count, sliding, False)


def find_moment(tables: Tables, scene: Scene, count: int, sliding: int, smooth: bool) -> float:
    """The longest moment that is smooth, or else the longest at all; see `begin_slips`."""
    k = scene.counts[s.ELEMENTS]
    size = tables.counts[t.SIZE]
    now = scene.start[size - 1]
    lengths = shift(scene.gauss, NODES + NODES * NODES + NODES + NODES * NODES + (NODES + 1) * NODES)
    for at in range(MOMENTS):
        length = lengths[at]
        strikes = False
        for i in range(k):
            if is_free(scene, i):
                falls = scene.data.gap[i] + length * scene.data.u[i] + 0.5 * length * length * scene.all_w[i]
                strikes = strikes or falls < -TOUCHING
        if strikes or now + length >= tables.numbers[_steps.UNTIL]:
            continue
        lack = collocated(tables, scene, count, sliding, length, smooth)
        if lack == math.inf or (smooth and lack > SMOOTH) or not stays(tables, scene, count, sliding, length):
            continue
        put_end(tables, scene, scene.rates_at, length)
        put_series(tables, scene, scene.rates_at, length)
        return length
    return 0.0


def put_series(tables: Tables, scene: Scene, rates: Floats, length: float) -> None:
    """The motion of a moment as powers of the time: NODES + 1 numbers for every number of the state."""
    size = tables.counts[t.SIZE]
    powers = shift(scene.gauss, NODES + NODES * NODES + NODES + NODES * NODES)
    for i in range(size):
        scene.series[i * (NODES + 1)] = scene.start[i]
        power = 1.0
        for term in range(1, NODES + 1):
            power = power * length
            total = 0.0
            for node in range(NODES):
                total += powers[term * NODES + node] * rates[node * size + i]
            scene.series[i * (NODES + 1) + term] = total * length / power


FUNCTIONS: Final = (
    put_accelerations,
    put_forces,
    slips_anew,
    give_time,
    slowly,
    slip_at_node,
    put_slips_at,
    put_rates_at,
    at_nodes,
    begin_nodes,
    move_nodes,
    put_equations,
    turn_nodes,
    collocated,
    lacks,
    put_end,
    stays,
    is_free,
    find_moment,
    begin_slips,
    put_series,
)
