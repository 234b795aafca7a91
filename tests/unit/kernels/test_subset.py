"""Functions of the subset: what their machine code computes is what CPython computes, to the last bit."""

from __future__ import annotations

import math
import struct
from math import copysign, sqrt
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sistel.kernels.subset import CompiledFunctions, Floats, Ints, compile_functions, reference, shift

SCALE: Final = 0.1
OFFSET: Final = -3
EXACTLY: Final = True
LEAST, GREATEST = -(2**63), 2**63 - 1


def add(a: float, b: float) -> float:
    return a + b


def subtract(a: float, b: float) -> float:
    return a - b


def multiply(a: float, b: float) -> float:
    return a * b


def divide(a: float, b: float) -> float:
    return a / b


def fused(a: float, b: float, c: float) -> float:
    """Rounded twice, unless contraction is allowed."""
    return a * b + c


def mixed(n: int, x: float) -> float:
    return 2 * x - n / 3 + (n - x) * n + -x


def constants(x: float) -> float:
    y = x * SCALE + OFFSET + math.pi + 1e-300 + 0x10
    return y if EXACTLY else math.inf


def limits(which: int) -> float:
    return math.inf if which == 0 else -math.inf if which == 1 else math.nan if which == 2 else math.tau + math.e


def powers(x: float) -> float:
    return x**0 + x**1 + x**2


def high_power(x: float) -> float:
    return x**13


def whole_power(n: int) -> int:
    return n**0 + n**1 + n**2 + n**5


def float_floor(a: float, b: float) -> float:
    return a // b


def float_rest(a: float, b: float) -> float:
    return a % b


def floor_divide(a: int, b: int) -> int:
    return a // b


def rest(a: int, b: int) -> int:
    return a % b


def by_constants(a: int) -> int:
    return a // 7 + 3 * (a % 7) + 5 * (a // -4) + 7 * (a % -4) + 11 * (a % -1) + a // 1


def negated(a: int) -> int:
    return a // -1


def whole(a: int, b: int) -> int:
    return (a + b) * (a - b) - -a + +b + abs(b - a)


def smallest(a: float, b: float, c: float) -> float:
    return min(a, b, c)


def largest(a: float, b: float, c: float) -> float:
    return max(a, b, c)


def least_int(a: int, b: int) -> int:
    return min(a, b) * 1000 + max(a, b, 7)


def cut(x: float) -> int:
    return int(x)


def up_and_down(x: float) -> int:
    return math.floor(x) * 10000 + math.ceil(x) * 100 + math.trunc(x) + math.floor(3)


def truths(a: int, b: int) -> int:
    less = a < b
    same = a == b
    if less == same:
        return -1
    return int(less) * 10 + int(same != less) + int(float(less) == 1.0)


def exact(x: float, y: float) -> float:
    return sqrt(math.fabs(x)) + copysign(abs(x), y)


def kinds_of_float(x: float) -> int:
    return int(math.isfinite(x)) + 2 * int(math.isnan(x)) + 4 * int(math.isinf(x))


def exp_log(x: float) -> float:
    return math.exp(x) + math.log(abs(x) + 1) + math.expm1(x) - math.log1p(x * x)


def angles(x: float, y: float) -> float:
    return math.atan2(x, y) + math.atan(x) * math.tan(y) + math.asin(x / 8) - math.acos(y / 8)


def hyperbolic(x: float, y: float) -> float:
    return math.sinh(x) + math.cosh(y) * math.tanh(x) + math.fmod(x, y) + math.pow(abs(x) + 0.001, y)


def sine(x: float) -> float:
    return math.sin(x)


def cosine(x: float) -> float:
    return math.cos(x)


def distance(x: float, y: float) -> float:
    return math.hypot(x, y)


def chain(a: float, b: float, c: float) -> bool:
    return a < b <= c != a


def chain_of_ints(a: int, b: int, c: int, d: int) -> bool:
    return a <= b < c > d == a


def tick(log: Ints, name: int, value: int) -> int:
    """Leaves a trace of having been called."""
    log[0] += 1
    log[log[0]] = name
    return value


def order(log: Ints, a: int, b: int, c: int) -> int:
    """Everything that decides whether, and when, something is evaluated."""
    first = tick(log, 1, a) < tick(log, 2, b) < tick(log, 3, c)
    second = tick(log, 4, a) > 0 and (tick(log, 5, b) > 0 or not tick(log, 6, c) > 0)
    third = tick(log, 7, a) > 0 or tick(log, 8, b) > 0 or tick(log, 9, c) > 0
    fourth = tick(log, 10, a) if tick(log, 11, b) > 0 else tick(log, 12, c)
    log[tick(log, 13, 40)] = tick(log, 14, 5)
    log[tick(log, 15, 41)] += tick(log, 16, 7)
    return int(first) + 2 * int(second) + 4 * int(third) + 8 * fourth


def late(numbers: Floats) -> float:
    """The number is read before the call that changes it."""
    numbers[0] += change(numbers)
    return numbers[0]


def change(numbers: Floats) -> float:
    numbers[0] = 100.0
    return 1.0


def loops(n: int, log: Ints) -> int:
    """Nested loops, left and continued in every way."""
    total = 0
    i = -1
    for i in range(n):
        if i % 5 == 3:
            continue
        j = 0
        while True:
            j += 1
            if j > i:
                break
            if j % 3 == 0:
                continue
            for k in range(j, -j, -3):
                if k == -2:
                    break
                total += k * i
            else_reached = total % 7 == 0
            if else_reached:
                total += 1
        if total > 5000:
            break
    log[0] = i
    return total


def counted(first: int, last: int, log: Ints) -> int:
    """The variable of a loop can be changed without changing the loop, and keeps its last value."""
    i = 77
    count = 0
    for i in range(first, last, 3):
        count += 1
        log[count % 8] = i
        i = 5
        log[8] = i
        last = 0
    for i in range(last, first, -2):  # noqa: B007
        count += 100
    return count * 1000 + i


def ends(which: int) -> int:
    """Ranges at the limits of an int."""
    count = 0
    if which == 0:
        for i in range(9223372036854775800, 9223372036854775807):
            count += i % 10
    elif which == 1:
        for i in range(9223372036854775800, 9223372036854775807, 5):
            count += i % 10
    elif which == 2:
        for i in range(-9223372036854775800, -9223372036854775808, -5):
            count += i % 10
    else:
        for i in range(-9223372036854775808, 9223372036854775807, 4611686018427387904):
            count += 1 if i < 0 else 100
    return count


def many_ways(n: int) -> int:
    """A value on every way, by different ways."""
    result: int
    if n < 0:
        result = -1
    elif n == 0:
        return 0
    else:
        while True:
            if n % 2 == 1:
                result = n
                break
            n //= 2
    return result


def factorial(n: int) -> int:
    return 1 if n <= 1 else n * factorial(n - 1)


def is_even(n: int) -> bool:
    return True if n == 0 else is_odd(n - 1)


def is_odd(n: int) -> bool:
    return False if n == 0 else is_even(n - 1)


def ackermann(m: int, n: int) -> int:
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def nothing() -> None:
    """A function may do nothing."""


def stop_early(x: Floats, n: int) -> None:
    """Also with a return that gives nothing."""
    nothing()
    pass  # noqa: PIE790
    for i in range(n):
        if x[i] < 0.0:
            return
        x[i] = -x[i]
    x[0] = 9.5
    return None  # noqa: RET501


def parts(x: Floats, n: int) -> float:
    """Arrays are handed over in parts, and parts of parts."""
    middle = shift(x, n // 2)
    inner = shift(middle, 1) if n > 4 else middle
    inner[0] *= 2.0
    return total(shift(x, 1), n - 1) + inner[0] + shift(x, n - 1)[0]


def total(x: Floats, n: int) -> float:
    s = 0.0
    for i in range(n):
        s += x[i]
    return s


def greek(α: float, β: float) -> float:
    γ = α * β
    γ /= 3.0
    return γ


def single_line(x: float) -> float: return x * 3.0  # fmt: skip


def passed_by(x: Floats, n: int) -> None:
    """Ends in statements that leave no trace in CPython's code."""
    while n > 10:
        n -= 3
        x[0] += 1.5
        if n == 11:
            continue
        # a comment at the end


FUNCTIONS: Final[list[Any]] = [
    *(add, subtract, multiply, divide, fused, mixed, constants, limits, powers, high_power, whole_power),
    *(float_floor, float_rest, floor_divide, rest, by_constants, negated, whole, smallest, largest, least_int, cut),
    *(up_and_down, truths, exact, kinds_of_float, exp_log, angles, hyperbolic, sine, cosine, distance, chain),
    *(chain_of_ints, tick, order, late, change, loops, counted, ends, many_ways, factorial, is_even, is_odd),
    *(ackermann, nothing, stop_early, parts, total, greek, single_line, passed_by),
]


@pytest.fixture(scope="module")
def code() -> CompiledFunctions:
    return compile_functions(FUNCTIONS, exports=[function.__name__ for function in FUNCTIONS])


def same(a: Any, b: Any) -> bool:
    """The same type and, for floats, the same bits; any NaN is as good as another."""
    if isinstance(a, float) and isinstance(b, float) and not math.isnan(a):
        return struct.pack("d", a) == struct.pack("d", b)
    return type(a) is type(b) and (a == b or (a != a and b != b))


def agree(code: CompiledFunctions, function: Any, *arguments: Any) -> None:
    """Machine code and CPython give the same result and leave the same in arrays."""
    ours = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
    theirs = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
    result, expected = code[function.__name__](*ours), reference(function)(*theirs)
    assert same(result, expected), (function.__name__, arguments, result, expected)
    for mine, other in zip(ours, theirs, strict=True):
        if isinstance(mine, np.ndarray):
            assert mine.tobytes() == other.tobytes(), (function.__name__, mine, other)


floats = st.floats(allow_nan=False)
moderate = st.floats(-7.0, 7.0)
ints = st.integers(-(2**31), 2**31)
small = st.integers(-9, 9)


@given(floats, floats, floats)
@example(0.1, 10.0, -1.0)
def test_arithmetic_of_floats(code: CompiledFunctions, a: float, b: float, c: float) -> None:
    for function in (add, subtract, multiply, exact):
        agree(code, function, a, b)
    agree(code, fused, a, b, c)
    if b != 0.0:
        agree(code, divide, a, b)


@given(floats, floats.filter(lambda b: b != 0.0))
@example(-0.0, 3.0)
@example(0.0, -3.0)
@example(5.0, -math.inf)
@example(-1e-320, 1.0)
@example(1e300, 1e-300)
def test_quotients_of_floats_are_rounded_down(code: CompiledFunctions, a: float, b: float) -> None:
    if math.isinf(a):
        assert math.isnan(code.float_rest(a, b)) and math.isnan(code.float_floor(a, b))
        return
    agree(code, float_floor, a, b)
    agree(code, float_rest, a, b)


@given(st.integers(LEAST, GREATEST), st.integers(LEAST, GREATEST) | small)
@example(LEAST, 1)
@example(-7, 2)
@example(7, -2)
@example(-8, -2)
def test_quotients_of_ints_are_rounded_down(code: CompiledFunctions, a: int, b: int) -> None:
    if b == 0:
        assert code.floor_divide(a, b) == 0 and code.rest(a, b) == 0
    elif (a, b) != (LEAST, -1):
        agree(code, floor_divide, a, b)
        agree(code, rest, a, b)


def test_no_quotient_stops_the_processor(code: CompiledFunctions) -> None:
    assert code.floor_divide(LEAST, -1) == LEAST  # it wraps around
    assert code.rest(LEAST, -1) == 0
    assert code.negated(LEAST) == LEAST


@given(ints, ints, small)
def test_arithmetic_of_ints(code: CompiledFunctions, a: int, b: int, c: int) -> None:
    for function in (whole, least_int, truths):
        agree(code, function, a, b)
    agree(code, truths, c, c)
    agree(code, by_constants, a)
    agree(code, negated, a)
    agree(code, whole_power, c)
    agree(code, mixed, a, float(b) / 7)


def test_ints_wrap_around(code: CompiledFunctions) -> None:
    assert code.whole_power(2**40) == (1 + 2**40) % 2**64


@given(floats)
@example(-0.0)
def test_expressions_of_one_float(code: CompiledFunctions, x: float) -> None:
    agree(code, constants, x)
    agree(code, greek, x, 3.5)
    agree(code, single_line, x)
    agree(code, kinds_of_float, x)
    if abs(x) < 9e18:
        agree(code, cut, x)
    if abs(x) < 9e13:
        agree(code, up_and_down, x)


def test_special_numbers(code: CompiledFunctions) -> None:
    for which in range(4):
        agree(code, limits, which)
    assert code.kinds_of_float(math.nan) == 2
    assert code.divide(1.0, 0.0) == math.inf and code.divide(-1.0, 0.0) == -math.inf
    assert math.isnan(code.divide(0.0, 0.0)) and math.isnan(code.float_rest(1.0, 0.0))
    assert code.cut(1e300) == GREATEST and code.cut(-math.inf) == LEAST and code.cut(math.nan) == 0
    assert math.isnan(code.exp_log(math.nan))


@given(*[st.floats() | st.sampled_from([0.0, -0.0, 1.0])] * 3)
def test_extremes_and_chains_of_floats(code: CompiledFunctions, a: float, b: float, c: float) -> None:
    """With NaN, and with zeros of both signs, the order of the arguments matters."""
    for function in (smallest, largest, chain):
        agree(code, function, a, b, c)


@given(small, small, small, small)
def test_chains_of_ints(code: CompiledFunctions, a: int, b: int, c: int, d: int) -> None:
    agree(code, chain_of_ints, a, b, c, d)
    agree(code, chain_of_ints, a, b, b + 1, a)


@given(moderate, moderate.filter(lambda y: y != 0.0))
def test_functions_of_the_c_library(code: CompiledFunctions, x: float, y: float) -> None:
    agree(code, exp_log, x)
    agree(code, angles, x, y)
    agree(code, hyperbolic, x, y)


@given(floats)
@example(1e5)
@example(1e22)
def test_sine_and_cosine(code: CompiledFunctions, x: float) -> None:
    if math.isinf(x):
        assert math.isnan(code.sine(x)) and math.isnan(code.cosine(x))
        return
    # The package's own are within 1.5 ulp of the exact value, the C library's within 1: one ulp is 2.2e-16 at most.
    for function, exact_one in ((code.sine, math.sin(x)), (code.cosine, math.cos(x))):
        assert abs(function(x) - exact_one) <= 2.5 * math.ulp(exact_one)


@given(moderate, moderate)
def test_powers_and_distances(code: CompiledFunctions, x: float, y: float) -> None:
    # x*x is rounded correctly, CPython's pow to within an ulp of that; the sum then rounds once more on each side.
    assert code.powers(x) == pytest.approx(powers(x), rel=4e-16, abs=4e-16)
    # Six products, whose errors squaring doubles: 12 half ulps, and one of CPython's; below 1e-308 digits are lost.
    assert code.high_power(x) == pytest.approx(x**13, rel=14 * 2.0**-53, abs=1e-320)
    assert code.distance(x, y) == pytest.approx(math.hypot(x, y), rel=2**-52)


@given(*[st.integers(-1, 1)] * 3)
def test_nothing_is_evaluated_out_of_order(code: CompiledFunctions, a: int, b: int, c: int) -> None:
    agree(code, order, np.zeros(64, np.int64), a, b, c)


def test_a_number_is_read_before_it_is_changed(code: CompiledFunctions) -> None:
    agree(code, late, np.array([5.0]))


@given(st.integers(-1, 40))
def test_loops(code: CompiledFunctions, n: int) -> None:
    agree(code, loops, n, np.zeros(1, np.int64))
    agree(code, many_ways, n)
    agree(code, passed_by, np.zeros(1), n)


@given(st.integers(-30, 30), st.integers(-30, 30))
def test_ranges(code: CompiledFunctions, first: int, last: int) -> None:
    agree(code, counted, first, last, np.zeros(9, np.int64))


def test_ranges_at_the_limits_of_ints(code: CompiledFunctions) -> None:
    for which in range(4):
        agree(code, ends, which)


def test_recursion(code: CompiledFunctions) -> None:
    for n in range(21):
        agree(code, factorial, n)
        agree(code, is_even, n)
    agree(code, ackermann, 2, 3)
    assert code.is_even(1_000_000) is True  # calls at the end of a function become loops


@settings(max_examples=30)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=12))
def test_arrays(code: CompiledFunctions, numbers: list[float]) -> None:
    agree(code, stop_early, np.array(numbers), len(numbers))
    agree(code, parts, np.array(numbers), len(numbers))
    agree(code, total, np.array(numbers), len(numbers))


def test_contraction_is_a_choice(code: CompiledFunctions) -> None:
    a, b, c = 1.0 + 2.0**-30, 1.0 - 2.0**-30, -1.0
    contracted = compile_functions([fused], exports=["fused"], contract=True)
    assert code.fused(a, b, c) == 0.0  # the product is rounded to 1
    assert contracted.fused(a, b, c) in (0.0, -(2.0**-60))  # the exact sum, where the processor has the instruction
