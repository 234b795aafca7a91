"""What methods of collocation share: the polynomial of a step, and watched functions along it.

Written in the compiled subset of Python. Kernels are called with rows and a table of addresses and strides, made once
by who owns the arrays: rates read `points` and write `slopes`, a row a stage; watched functions read `points` and
write `values`, a row a node.

A method is a table of numbers, see `sistel.simulation.implicit._tableaus`, which writes it:
    c (s), b (s), A (s·s), nodes (d + 1 + CHECKS), then what the method alone needs.
Watched functions become polynomials of degree d by their values at the nodes, the first of which is 0 and the last 1;
at the nodes after these they are compared with the polynomials.
"""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, Function, Ints, shift
from sistel.records import record
from sistel.simulation.taylor import _roots
from sistel.simulation.taylor._roots import first_root, polynomial, slope
from sistel.simulation.taylor.steps import NUMBERS as NUMBERS_OF_ALL
from sistel.simulation.taylor.steps import STEPS

Rows = Function[[int, int, Ints], None]
"""A kernel: rows from, rows to, and its table of arguments."""

# Places in the table of integers, after those that all methods of motion share.
STAGES: Final = 16
REFUSED: Final = 17
"""Steps that were taken again, in and out."""
EVALUATIONS: Final = 18
"""Of the rates, in and out."""
FACTORISATIONS: Final = 19
FRESH: Final = 20
"""Whether the derivatives are those at the state where the step begins."""
REPEATED: Final = 21
"""Whether the step was refused before, in another length."""
ITERATIONS: Final = 22
"""Of the stages of the last step."""
WIDTH: Final = 23
"""Rows that kernels compute at a time: there is room for so many more."""
DIFFERENCES: Final = 24
"""Whether derivatives are differences of rates: `jacobian` is not called then."""
BLOCKS: Final = 25
"""Parts of the state that are solved apart."""
DIRECTIONS: Final = 26
"""Along which derivatives are asked for; 1 where they are written to the matrix at once."""
ENTRIES: Final = 27
"""Derivatives that are put into the matrix from those along directions."""
AREA: Final = 28
"""Numbers of all matrices."""
COUNTS: Final = 29

# Places in the table of numbers, after those that all methods of motion share.
STEP: Final = NUMBERS_OF_ALL
"""Length of the next step; in and out. 0 for a guess."""
TOLERANCE: Final = NUMBERS_OF_ALL + 1
RATE: Final = NUMBERS_OF_ALL + 2
"""How the last iteration converged."""
NEXT: Final = NUMBERS_OF_ALL + 3
"""Length of the step that is tried next; unlike STEP, of one that was refused too."""
BEFORE: Final = NUMBERS_OF_ALL + 4
"""Length of the last step, whose polynomial foresees the next; 0 for none."""
LENGTH: Final = NUMBERS_OF_ALL + 5
"""Length of the step up to an event."""
FACTORED: Final = NUMBERS_OF_ALL + 6
"""The step for which there are factors; 0 where their derivatives are old as well, -1 where only they are missing."""
LAST_ERROR: Final = NUMBERS_OF_ALL + 7
LAST_STEP: Final = NUMBERS_OF_ALL + 8
GROWTH: Final = NUMBERS_OF_ALL + 9
"""The next step in parts of the last, as errors allow it."""
NUMBERS: Final = NUMBERS_OF_ALL + 10

CHECKS: Final = 2
"""Nodes at which polynomials are compared with what they stand for."""
TRUE: Final = 1.0e-9
"""Part of the largest value by which they may differ there."""
INSTANT: Final = 2.0e-15
"""Times that rounding does not tell apart, in parts of the time."""
SHORTEST: Final = 1.0e-3
"""Part of a step that is not divided further."""
SLOPE: Final = 1.0e-13
"""Slope at the start, in parts of the largest value, that rounding of values at the nodes may make."""


@record
class Problem:
    """What moves, and where what becomes of it is written."""

    rates: Rows
    """The flow, from `points` to `slopes`."""
    rates_table: Ints
    """Its arguments."""
    jacobian: Rows
    """Its derivatives, from `y` to `matrix` or along directions to `along`; only Radau's method calls it."""
    jacobian_table: Ints
    blocks: Ints
    """Of every part that is solved apart, four numbers: see `Sparsity`."""
    order: Ints
    """Components of the state that are solved for, part by part."""
    followers: Ints
    """Of each of these, the component whose rate it is; -1 for none."""
    entries: Ints
    """Of every derivative along a direction: its place in `along`, and in `matrix`."""
    along: Floats
    """Room for derivatives along directions."""
    spare: Floats
    """Room for two right-hand sides."""
    watch: Rows
    """The watched functions, from `points` to `values`."""
    watch_table: Ints
    correct: Rows
    """Back to the constraints; reads y and writes `corrected`."""
    correct_table: Ints
    corrected: Floats
    y: Floats
    """The state, the time last; in and out."""
    low: Floats
    """What y has no digits for; in and out, zeros for a new state."""
    table: Floats
    """Coefficients of the last step: of the state, then of the watched functions."""
    directions: Ints
    """Of every watched function: in which direction its zeros count, 0 for both."""
    zeros: Ints
    """Whether a function is zero at the start, because it has just been an event; in and out."""
    counts: Ints
    """See the places of the table of integers."""
    numbers: Floats
    """See the places of the table of numbers."""
    weights: Floats
    """Of the components in the measure of errors, see `taylor.steps.step_length`."""
    times: Floats
    """Beginning and length of every step, two numbers each."""
    coefficients: Floats
    """Those of the state, for every step."""
    method: Floats
    """The table of the method."""
    points: Floats
    """Room for states, a row a stage or a node."""
    slopes: Floats
    """Room for rates."""
    matrix: Floats
    """Room for the derivatives of the flow."""
    values: Floats
    """Room for watched functions."""
    pivots: Ints
    """Room for the order of rows, (s + 1) / 2 · n."""
    work: Floats
    """Room, see `workspace_size`."""


@record
class Workspace:
    """The sizes of a problem, and the room for work cut into pieces by them."""

    size: int
    """Numbers of the state, the time included."""
    watched: int
    """Number of watched functions."""
    s: int
    """Stages."""
    d: int
    """Degree of the polynomials that are written down."""
    scale: Floats
    """Of every component: the error that it may have."""
    error: Floats
    """The estimated error of a step."""
    start: Floats
    """The rates at its beginning."""
    found: Floats
    """Where on a step a watched function is zero, and its slope there."""
    z: Floats
    """What the stages add to the state."""
    lack: Floats
    """What is missing in the equations of the stages; then the same in the basis of eigenvectors."""
    unit: Floats
    """Coefficients of the state on a step, from 0 to 1."""
    powers: Floats
    """Coefficients of the watched functions."""
    one: Floats
    """A polynomial whose zeros are searched for."""
    roots: Floats
    """Room for the search."""
    factors: Floats
    """Those of the equations of the stages."""


def workspace_size(size: int, watched: int, s: int, d: int, area: int) -> int:
    """How many numbers the pieces of a `Workspace` take together, with factors of matrices of so many numbers."""
    polynomials = (size + watched + 1) * (d + 1) + d + 2 + 53 * (d + 4)
    return 3 * size + 2 + 3 * s * size + polynomials + s * area


def method_end(s: int, d: int) -> int:
    """Where what a method alone needs begins in its table."""
    return 2 * s + s * s + d + 1 + CHECKS


def find_rates(problem: Problem, rows: int) -> None:
    """The rates of the first states in `points`."""
    width = problem.counts[WIDTH]
    problem.rates(0, (rows + width - 1) // width * width, problem.rates_table)
    problem.counts[EVALUATIONS] = problem.counts[EVALUATIONS] + rows


def find_watched(problem: Problem, rows: int) -> None:
    """The watched functions of the first states in `points`."""
    width = problem.counts[WIDTH]
    problem.watch(0, (rows + width - 1) // width * width, problem.watch_table)


def through(nodes: Floats, degree: int, row: Floats) -> None:
    """Coefficients of powers in the place of values at nodes: divided differences, then products multiplied out.

    Björck and Pereyra's way through Vandermonde's equations: the polynomial meets its values to the last digits, which
    a product with the inverse matrix does not.
    """
    for k in range(1, degree + 1):
        for j in range(degree, k - 1, -1):
            row[j] = (row[j] - row[j - 1]) / (nodes[j] - nodes[j - k])
    for k in range(degree - 1, -1, -1):
        for j in range(k, degree):
            row[j] = row[j] - nodes[k] * row[j + 1]


def expand(problem: Problem, work: Workspace, h: float) -> None:
    """Coefficients of every component on [0, 1], from what the stages add to the state; those beyond s are 0."""
    size = work.size
    s = work.s
    d = work.d
    method = problem.method
    for i in range(size):
        row = shift(work.unit, i * (d + 1))
        row[0] = problem.y[i]
        for j in range(s):
            row[j + 1] = work.z[j * size + i] / method[j]
        through(method, s - 1, shift(row, 1))  # what is added begins with the first power
        for k in range(s + 1, d + 1):
            row[k] = 0.0
    clock = shift(work.unit, (size - 1) * (d + 1))
    for k in range(1, d + 1):
        clock[k] = h if k == 1 else 0.0


def guess_stages(problem: Problem, work: Workspace, h: float) -> None:
    """Let the polynomial of the last step go on over the next one, of length h; without it, begin with nothing."""
    size = work.size
    before = problem.numbers[BEFORE]
    if before > 0.0:
        for j in range(work.s):
            x = 1.0 + problem.method[j] * (h / before)
            for i in range(size):
                row = shift(work.unit, i * (work.d + 1))
                work.z[j * size + i] = polynomial(row, work.s, x) - problem.y[i]
    else:
        clear_stages(work)


def clear_stages(work: Workspace) -> None:
    """Let the stages add nothing."""
    for i in range(work.s * work.size):
        work.z[i] = 0.0


def put_stages(problem: Problem, work: Workspace) -> None:
    """The states of the stages, and the rates there."""
    size = work.size
    for j in range(work.s):
        for i in range(size):
            problem.points[j * size + i] = problem.y[i] + work.z[j * size + i]
    find_rates(problem, work.s)


def sample(problem: Problem, work: Workspace, low: float, width: float) -> bool:
    """Watched functions on a part of a step as polynomials on [0, 1]; whether these are true between the nodes."""
    size = work.size
    watched = work.watched
    s = work.s
    d = work.d
    values = problem.values
    nodes = shift(problem.method, 2 * s + s * s)
    for j in range(d + 1 + CHECKS):
        for i in range(size):
            problem.points[j * size + i] = polynomial(shift(work.unit, i * (d + 1)), d, low + width * nodes[j])
    find_watched(problem, d + 1 + CHECKS)
    true = True
    for i in range(watched):
        row = shift(work.powers, i * (d + 1))
        largest = 0.0
        for j in range(d + 1):
            row[j] = values[j * watched + i]
            largest = max(largest, abs(row[j]))
        through(nodes, d, row)
        for j in range(d + 1, d + 1 + CHECKS):
            if abs(polynomial(row, d, nodes[j]) - values[j * watched + i]) > TRUE * largest:
                true = False
    return true


def passes_next(row: Floats, degree: int, direction: int, late: float) -> bool:
    """Whether a polynomial passes zero hardly later than at 1: rounding would hide that from both steps."""
    end = polynomial(row, degree, 1.0)
    steep = slope(row, degree, 1.0)
    if steep == 0.0 or end * steep > 0.0 or abs(end) > late * abs(steep):
        return False
    return direction == 0 or float(direction) * steep > 0.0


def first_event(problem: Problem, work: Workspace, starts: bool, late: float) -> int:
    """The polynomial that passes zero first on [0, 1], -1 for none; where, and its slope, go to `found`.

    Where the step ends there, one that passes zero no later than `late` after it does so at 1: rounding hides the rest.
    """
    watched = work.watched
    d = work.d
    one = work.one
    first = _roots.NONE
    leaf = -1
    for i in range(watched):
        row = shift(work.powers, i * (d + 1))
        degree = d
        # A function that has just been an event is zero at the start of the step, not at that of a later part.
        if (starts and problem.zeros[i] != 0) or row[0] == 0.0:
            for k in range(d):
                one[k] = row[k + 1]
            degree = d - 1
            # A slope that rounding may have made is none, else a function that starts at rest would pass zero again.
            largest = 0.0
            for j in range(d + 1):
                largest = max(largest, abs(problem.values[j * watched + i]))
            if abs(one[0]) <= SLOPE * largest:
                one[0] = 0.0
        else:
            for k in range(d + 1):
                one[k] = row[k]
        root = first_root(one, degree, problem.directions[i], work.roots)
        if root > 1.0 and late > 0.0 and degree == d and passes_next(row, d, problem.directions[i], late):
            root = 1.0
        if root < first:
            first = root
            leaf = i
    work.found[0] = first
    if leaf >= 0:
        work.found[1] = slope(shift(work.powers, leaf * (d + 1)), d, first)
    return leaf


def find_event(problem: Problem, work: Workspace, now: float, h: float) -> int:
    """The watched function that passes zero first on a step, -1 for none; where, and its slope there, go to `found`.

    Steps are as long as the state allows, and a watched function may bend more: the step is looked at in parts that are
    short enough for polynomials to be true.
    """
    if work.watched == 0:
        return -1
    found = work.found
    low = 0.0
    width = 1.0
    while low < 1.0:
        width = min(width, 1.0 - low)
        true = sample(problem, work, low, width)
        if not true and width > SHORTEST:
            width = 0.5 * width
            continue
        # In parts of the part that is looked at, which is the last one where it matters.
        late = INSTANT * max(abs(now), h) / (h * width) if low + width >= 1.0 else 0.0
        leaf = first_event(problem, work, low == 0.0, late)
        if leaf >= 0:
            found[0] = low + width * found[0]
            found[1] = found[1] / width
            return leaf
        low += width
        width = 2.0 * width
    return -1


def write_down(problem: Problem, work: Workspace, now: float, h: float) -> None:
    """Write down a step: its beginning, its length, and its coefficients as those of powers of the time."""
    size = work.size
    d = work.d
    step = problem.counts[STEPS]
    problem.times[2 * step] = now
    problem.times[2 * step + 1] = h
    place = step * size * (d + 1)
    for i in range(size + work.watched):
        row = shift(work.unit, i * (d + 1)) if i < size else shift(work.powers, (i - size) * (d + 1))
        power = 1.0
        for k in range(d + 1):
            # Divided one by one: a power of a short step may be too small for a number.
            number = row[k]
            if number != 0.0:
                number = number / power if power > 1.0e-290 else 0.0
            problem.table[i * (d + 1) + k] = number
            power = power * h
            if i < size:
                problem.coefficients[place + i * (d + 1) + k] = number


FUNCTIONS: Final = (
    *_roots.FUNCTIONS,
    method_end,
    find_rates,
    find_watched,
    through,
    expand,
    guess_stages,
    clear_stages,
    put_stages,
    sample,
    passes_next,
    first_event,
    find_event,
    write_down,
)
