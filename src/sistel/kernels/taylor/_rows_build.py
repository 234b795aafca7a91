"""From the lines of a program to rows of series. In the compiled subset of Python.

A row gives the coefficient of one series at every order, from those of others. Most rows are sums of products of two
series and of terms, a factor of order 0 times a series: lines that only one sum needs become part of it. What is no sum
of products has rows of its own kind. Logarithms and angles are made of several:

    l = log a       t l' = (t a') / a
    θ = atan2(y, x) t θ' = (x (t y') - y (t x')) / (x² + y²)

where the coefficient of order k of t a' is k times that of a.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sistel.expr import Op
from sistel.kernels.subset import Floats, Ints

CONSTANT: Final = int(Op.CONSTANT)
INPUT: Final = int(Op.INPUT)
ADD: Final = int(Op.ADD)
SUBTRACT: Final = int(Op.SUBTRACT)
MULTIPLY: Final = int(Op.MULTIPLY)
DIVIDE: Final = int(Op.DIVIDE)
NEGATE: Final = int(Op.NEGATE)
SQRT: Final = int(Op.SQRT)
SIN: Final = int(Op.SIN)
COS: Final = int(Op.COS)
ATAN2: Final = int(Op.ATAN2)
MINIMUM: Final = int(Op.MINIMUM)
MAXIMUM: Final = int(Op.MAXIMUM)
ABSOLUTE: Final = int(Op.ABSOLUTE)
LESS: Final = int(Op.LESS)
EQUAL: Final = int(Op.EQUAL)
OR: Final = int(Op.OR)
NOT: Final = int(Op.NOT)
SELECT: Final = int(Op.SELECT)
EXP: Final = int(Op.EXP)
LOG: Final = int(Op.LOG)
FLOOR: Final = int(Op.FLOOR)

SUM: Final = 0
"""Products, then terms: pairs of numbers. A series is twice its slot, and one more where the sign changes."""
QUOTIENT: Final = 1
"""Slots of the dividend and of the divisor; the factor 1 over the divisor."""
ROOT: Final = 2
"""The slot of the radicand; the factor one half over the root."""
TURN: Final = 3
"""Sine and cosine, two slots: the slot of t times the rate of the angle."""
GROWTH: Final = 4
"""The exponential: the slot of t times the rate of the exponent."""
CHOICE: Final = 5
"""Two slots, and the factor that is not zero where the first is meant."""
TIMES: Final = 6
"""A slot, whose coefficients count as many times as their order says."""
OVER: Final = 7
"""The same, over the order."""

LINES: Final = 0
"""Here and below: places in `Draft.counts`."""
SLOTS: Final = 1
ROWS: Final = 2
FACTORS: Final = 3
REFERENCES: Final = 4
INPUTS: Final = 5
OWN: Final = 6
"""Lines of the program itself."""
WAITING: Final = 7
COUNTS: Final = 8

ZERO: Final = 0
"""Here and below: numbers among the lines, behind those of the program."""
ONE: Final = 1
HALF: Final = 2
MINUS: Final = 3


@dataclass(frozen=True, slots=True)
class Draft:
    """Rows in the making. Slot 0 is a series of zeros."""

    operation: Ints
    """Of every line; behind those of the program there is room for lines that are needed at order 0."""
    first: Ints
    second: Ints
    third: Ints
    number: Floats
    results: Ints
    moving: Ints
    """Of every line: whether it depends on the state smoothly, so that it has coefficients beyond order 0."""
    uses: Ints
    """How often its coefficients are needed; a sum counts once, everything else twice."""
    slot: Ints
    """Of every line, its series; -1 where that is part of a sum, or needed nowhere."""
    value: Ints
    """Of every line: the factor that is its value, or -1."""
    inverse: Ints
    """Of every line: the factor 1 over its value, or -1."""
    sine: Ints
    """Of every line: the line of its sine, or -1."""
    cosine: Ints
    turn: Ints
    """Of every line: the slot of its sine, or -1."""
    times: Ints
    """Of every line: the slot of t times its rate, or -1."""
    factors: Ints
    """Lines of the factors."""
    origin: Ints
    """Of every slot, the line that is its value of order 0."""
    inputs: Ints
    """Pairs: a slot, and the place in the state."""
    kind: Ints
    """Of every row."""
    products: Ints
    terms: Ints
    begin: Ints
    """Where the references of every row begin, and where the last ones end."""
    target: Ints
    """The slot of every row."""
    references: Ints
    stack: Ints
    waiting: Ints
    """Terms of a sum, which come behind its products."""
    counts: Ints


def draft_rows(draft: Draft, lines: int, results: int, state: int) -> None:
    """Find all rows.

    Args:
        draft: The program, and room.
        lines: How many the program has.
        results: How many of them are wanted.
        state: The block of inputs with the state.
    """
    counts = draft.counts
    counts[OWN] = lines
    counts[LINES] = lines
    for _ in range(4):
        new_line(draft, CONSTANT, -1, -1, -1)
    draft.number[lines + ONE] = 1.0
    draft.number[lines + HALF] = 0.5
    draft.number[lines + MINUS] = -1.0
    new_slot(draft, lines + ZERO)
    find_moving(draft, lines, state)
    find_uses(draft, lines, results)
    for i in range(lines):
        if draft.uses[i] > 0:
            op = draft.operation[i]
            if op == INPUT:
                draft.slot[i] = new_slot(draft, i)
                draft.inputs[2 * counts[INPUTS]] = draft.slot[i]
                draft.inputs[2 * counts[INPUTS] + 1] = draft.second[i]
                counts[INPUTS] += 1
            elif is_sum(draft, i):
                if draft.uses[i] > 1:
                    draft.slot[i] = sum_row(draft, i)
            elif SIN <= op <= COS:
                sine = turn_row(draft, draft.first[i])
                draft.slot[i] = sine if op == SIN else sine + 1
            else:
                draft.slot[i] = other_row(draft, i)


def find_moving(draft: Draft, lines: int, state: int) -> None:
    """Which lines have coefficients beyond order 0; and where sines and cosines are."""
    moving = draft.moving
    for i in range(lines):
        op = draft.operation[i]
        a = draft.first[i]
        b = draft.second[i]
        if op == INPUT:
            moving[i] = 1 if a == state else 0
        elif op != CONSTANT and op != FLOOR and not LESS <= op <= NOT:
            if op != SELECT:
                moving[i] = moving[a]
            if b >= 0 and moving[b] != 0:
                moving[i] = 1
            if draft.third[i] >= 0 and moving[draft.third[i]] != 0:
                moving[i] = 1
            if op == SIN:
                draft.sine[a] = i
            if op == COS:
                draft.cosine[a] = i


def find_uses(draft: Draft, lines: int, results: int) -> None:
    """How often coefficients are needed."""
    for r in range(results):
        if draft.moving[draft.results[r]] != 0:
            draft.uses[draft.results[r]] += 2
    for back in range(lines):
        i = lines - 1 - back
        op = draft.operation[i]
        if draft.uses[i] > 0 and op != INPUT:
            weight = 1 if ADD <= op <= SUBTRACT or op == NEGATE else 2
            if op != SELECT:
                use(draft, draft.first[i], weight)
            use(draft, draft.second[i], weight)
            use(draft, draft.third[i], weight)


def use(draft: Draft, line: int, weight: int) -> None:
    """Count a use."""
    if line >= 0 and draft.moving[line] != 0:
        draft.uses[line] += weight


def is_sum(draft: Draft, i: int) -> bool:
    """Whether a line is a sum of products and terms."""
    op = draft.operation[i]
    if op == DIVIDE:
        return draft.moving[draft.second[i]] == 0
    if op == NEGATE:
        return True
    return ADD <= op <= MULTIPLY or op == ABSOLUTE


def sum_row(draft: Draft, line: int) -> int:
    """The row of a sum, with all lines that it alone needs; returns its slot."""
    moving = draft.moving
    stack = draft.stack
    row = new_row(draft, SUM)
    stack[0] = 2 * line
    depth = 1
    while depth > 0:
        depth -= 1
        i = stack[depth] // 2
        sign = stack[depth] % 2
        op = draft.operation[i]
        a = draft.first[i]
        b = draft.second[i]
        if moving[i] == 0:
            pass
        elif draft.slot[i] >= 0:
            put_term(draft, row, draft.slot[i], sign, value_of(draft, draft.counts[OWN] + ONE))
        elif ADD <= op <= SUBTRACT:
            stack[depth] = 2 * b + (sign if op == ADD else 1 - sign)
            stack[depth + 1] = 2 * a + sign
            depth += 2
        elif op == NEGATE:
            stack[depth] = 2 * a + 1 - sign
            depth += 1
        elif op == DIVIDE:
            put_term(draft, row, draft.slot[a], sign, inverse_of(draft, b))
        elif op == ABSOLUTE:
            put_term(draft, row, draft.slot[a], sign, sign_of(draft, a))
        else:
            put_product(draft, row, a, b, sign)
    return end_sum(draft, row, line)


def put_product(draft: Draft, row: int, a: int, b: int, sign: int) -> None:
    """Put the product of two lines into a sum."""
    if draft.moving[a] == 0:
        put_term(draft, row, draft.slot[b], sign, value_of(draft, a))
    elif draft.moving[b] == 0:
        put_term(draft, row, draft.slot[a], sign, value_of(draft, b))
    else:
        put_series(draft, row, draft.slot[a], draft.slot[b], sign)


def put_series(draft: Draft, row: int, a: int, b: int, sign: int) -> None:
    """Put the product of two series into a sum."""
    put(draft, 2 * a + sign)
    put(draft, 2 * b + sign)
    draft.products[row] += 1


def put_term(draft: Draft, row: int, slot: int, sign: int, factor: int) -> None:
    """Put a series times a factor into a sum."""
    draft.waiting[draft.counts[WAITING]] = 2 * slot + sign
    draft.waiting[draft.counts[WAITING] + 1] = factor
    draft.counts[WAITING] += 2
    draft.terms[row] += 1


def end_sum(draft: Draft, row: int, line: int) -> int:
    """End a sum with its terms; returns its slot."""
    for i in range(draft.counts[WAITING]):
        put(draft, draft.waiting[i])
    draft.counts[WAITING] = 0
    return end_row(draft, row, line)


def other_row(draft: Draft, i: int) -> int:
    """The rows of a line that is no sum; returns its slot."""
    op = draft.operation[i]
    a = draft.first[i]
    b = draft.second[i]
    zero = draft.counts[OWN] + ZERO
    if op == DIVIDE:
        return pair_row(draft, QUOTIENT, slot_of(draft, a), draft.slot[b], inverse_of(draft, b), i)
    if op == SQRT:
        half = new_line(draft, DIVIDE, draft.counts[OWN] + HALF, i, -1)
        row = new_row(draft, ROOT)
        put(draft, draft.slot[a])
        put(draft, value_of(draft, half))
        return end_row(draft, row, i)
    if op == EXP:
        rate = times_row(draft, a)
        row = new_row(draft, GROWTH)
        put(draft, rate)
        return end_row(draft, row, i)
    if op == LOG:
        return over_row(
            draft, pair_row(draft, QUOTIENT, times_row(draft, a), draft.slot[a], inverse_of(draft, a), zero), i
        )
    if op == ATAN2:
        return angle_row(draft, i)
    if op == SELECT:
        return pair_row(draft, CHOICE, slot_of(draft, b), slot_of(draft, draft.third[i]), value_of(draft, a), i)
    # The smaller and the larger of two: the second one where it is that, or no number.
    beyond = new_line(draft, LESS, b if op == MINIMUM else a, a if op == MINIMUM else b, -1)
    missing = new_line(draft, NOT, new_line(draft, EQUAL, b, b, -1), -1, -1)
    second = new_line(draft, OR, beyond, missing, -1)
    return pair_row(draft, CHOICE, slot_of(draft, b), slot_of(draft, a), value_of(draft, second), i)


def angle_row(draft: Draft, i: int) -> int:
    """The rows of an angle of two lines, of which one may stand still."""
    y = draft.first[i]
    x = draft.second[i]
    rate_y = times_row(draft, y) if draft.moving[y] != 0 else 0
    rate_x = times_row(draft, x) if draft.moving[x] != 0 else 0
    dividend = new_row(draft, SUM)
    if rate_y > 0 and rate_x > 0:
        put_series(draft, dividend, draft.slot[x], rate_y, 0)
        put_series(draft, dividend, draft.slot[y], rate_x, 1)
    elif rate_y > 0:
        put_term(draft, dividend, rate_y, 0, value_of(draft, x))
    else:
        put_term(draft, dividend, rate_x, 1, value_of(draft, y))
    turned = end_sum(draft, dividend, draft.counts[OWN] + ZERO)
    squares = new_line(draft, ADD, new_line(draft, MULTIPLY, x, x, -1), new_line(draft, MULTIPLY, y, y, -1), -1)
    divisor = new_row(draft, SUM)
    if rate_x > 0:
        put_series(draft, divisor, draft.slot[x], draft.slot[x], 0)
    if rate_y > 0:
        put_series(draft, divisor, draft.slot[y], draft.slot[y], 0)
    norm = end_sum(draft, divisor, squares)
    rate = pair_row(draft, QUOTIENT, turned, norm, inverse_of(draft, squares), draft.counts[OWN] + ZERO)
    return over_row(draft, rate, i)


def pair_row(draft: Draft, kind: int, one: int, other: int, factor: int, line: int) -> int:
    """The row of what is made of two series and a factor, a quotient or a choice; returns its slot."""
    row = new_row(draft, kind)
    put(draft, one)
    put(draft, other)
    put(draft, factor)
    return end_row(draft, row, line)


def turn_row(draft: Draft, angle: int) -> int:
    """The row of the sine and the cosine of an angle, if it is not there; returns the slot of the sine."""
    if draft.turn[angle] < 0:
        rate = times_row(draft, angle)
        sine = draft.sine[angle]
        cosine = draft.cosine[angle]
        if sine < 0:
            sine = new_line(draft, SIN, angle, -1, -1)
        if cosine < 0:
            cosine = new_line(draft, COS, angle, -1, -1)
        row = new_row(draft, TURN)
        put(draft, rate)
        draft.turn[angle] = end_row(draft, row, sine)
        new_slot(draft, cosine)
    return draft.turn[angle]


def times_row(draft: Draft, line: int) -> int:
    """The row of t times the rate of a line, if it is not there; returns its slot."""
    if draft.times[line] < 0:
        row = new_row(draft, TIMES)
        put(draft, draft.slot[line])
        draft.times[line] = end_row(draft, row, draft.counts[OWN] + ZERO)
    return draft.times[line]


def over_row(draft: Draft, slot: int, line: int) -> int:
    """The row of the series with a given t times its rate; returns its slot."""
    row = new_row(draft, OVER)
    put(draft, slot)
    return end_row(draft, row, line)


def slot_of(draft: Draft, line: int) -> int:
    """The slot of a line; that of zeros for one that stands still."""
    return draft.slot[line] if draft.moving[line] != 0 else 0


def value_of(draft: Draft, line: int) -> int:
    """The factor that is the value of a line."""
    if draft.value[line] < 0:
        draft.value[line] = draft.counts[FACTORS]
        draft.factors[draft.counts[FACTORS]] = line
        draft.counts[FACTORS] += 1
    return draft.value[line]


def inverse_of(draft: Draft, line: int) -> int:
    """The factor 1 over the value of a line."""
    if draft.inverse[line] < 0:
        draft.inverse[line] = value_of(draft, new_line(draft, DIVIDE, draft.counts[OWN] + ONE, line, -1))
    return draft.inverse[line]


def sign_of(draft: Draft, line: int) -> int:
    """The factor -1 where a line is negative, else 1."""
    own = draft.counts[OWN]
    below = new_line(draft, LESS, line, own + ZERO, -1)
    return value_of(draft, new_line(draft, SELECT, below, own + MINUS, own + ONE))


def new_line(draft: Draft, op: int, a: int, b: int, c: int) -> int:
    """A line that is needed at order 0."""
    line = draft.counts[LINES]
    draft.operation[line] = op
    draft.first[line] = a
    draft.second[line] = b
    draft.third[line] = c
    draft.slot[line] = -1
    draft.value[line] = -1
    draft.inverse[line] = -1
    draft.sine[line] = -1
    draft.cosine[line] = -1
    draft.turn[line] = -1
    draft.times[line] = -1
    draft.counts[LINES] += 1
    return line


def new_slot(draft: Draft, line: int) -> int:
    """A series with the value of a line at order 0."""
    slot = draft.counts[SLOTS]
    draft.origin[slot] = line
    draft.counts[SLOTS] += 1
    return slot


def new_row(draft: Draft, kind: int) -> int:
    """Begin a row; what it refers to is put after it."""
    row = draft.counts[ROWS]
    draft.kind[row] = kind
    draft.begin[row] = draft.counts[REFERENCES]
    draft.counts[ROWS] += 1
    return row


def end_row(draft: Draft, row: int, line: int) -> int:
    """End a row with a slot of its own, whose value at order 0 a line has; returns the slot."""
    draft.target[row] = new_slot(draft, line)
    draft.begin[row + 1] = draft.counts[REFERENCES]
    return draft.target[row]


def put(draft: Draft, reference: int) -> None:
    """Put what a row refers to."""
    draft.references[draft.counts[REFERENCES]] = reference
    draft.counts[REFERENCES] += 1


FUNCTIONS: Final = (
    draft_rows,
    find_moving,
    find_uses,
    use,
    is_sum,
    sum_row,
    put_product,
    put_series,
    put_term,
    end_sum,
    other_row,
    angle_row,
    pair_row,
    turn_row,
    times_row,
    over_row,
    slot_of,
    value_of,
    inverse_of,
    sign_of,
    new_line,
    new_slot,
    new_row,
    end_row,
    put,
)
