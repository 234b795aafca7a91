"""Larger functions of the subset, against CPython and against answers known otherwise."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import pytest

from sistel.kernels.subset import CompiledFunctions, Floats, Function, Ints, compile_functions, poll, reference, shift

Rates = Function[[float, Floats, Floats, Floats], None]
"""Time, state, parameters, and where the rates go."""
Scalar = Function[[float, Floats], float]

EPSILON: Final = 2.220446049250313e-16
INTERRUPTED: Final = -1


def oscillate(t: float, y: Floats, p: Floats, dy: Floats) -> None:
    """A mass on a spring, p = (ω²,)."""
    dy[0] = y[1]
    dy[1] = -p[0] * y[0]


def swing(t: float, y: Floats, p: Floats, dy: Floats) -> None:
    """A pendulum, p = (g/l,)."""
    dy[0] = y[1]
    dy[1] = -p[0] * math.sin(y[0])


def combine(n: int, y: Floats, h: float, k: Floats, out: Floats) -> None:
    for i in range(n):
        out[i] = y[i] + h * k[i]


def rk4_step(f: Rates, n: int, t: float, h: float, y: Floats, p: Floats, work: Floats) -> None:
    """One step of the classical Runge–Kutta method; the work has room for 5 n numbers."""
    k1 = work
    k2 = shift(work, n)
    k3 = shift(work, 2 * n)
    k4 = shift(work, 3 * n)
    z = shift(work, 4 * n)
    f(t, y, p, k1)
    combine(n, y, 0.5 * h, k1, z)
    f(t + 0.5 * h, z, p, k2)
    combine(n, y, 0.5 * h, k2, z)
    f(t + 0.5 * h, z, p, k3)
    combine(n, y, h, k3, z)
    f(t + h, z, p, k4)
    for i in range(n):
        y[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])


def rk4(f: Rates, n: int, h: float, steps: int, y: Floats, p: Floats, work: Floats, flag: Ints) -> int:
    """The number of steps that were made."""
    for step in range(steps):
        if step % 64 == 0 and poll(flag, 0) != 0:
            return INTERRUPTED
        rk4_step(f, n, step * h, h, y, p, work)
    return steps


def brent(f: Scalar, p: Floats, a: float, b: float, tolerance: float, count: Ints) -> float:
    """A root between two ends of opposite sign, after Brent (1973), chapter 4."""
    fa = f(a, p)
    fb = f(b, p)
    c = a
    fc = fa
    d = b - a
    e = d
    while True:
        count[0] += 1
        if abs(fc) < abs(fb):
            a = b
            b = c
            c = a
            fa = fb
            fb = fc
            fc = fa
        limit = 2.0 * EPSILON * abs(b) + tolerance
        m = 0.5 * (c - b)
        if abs(m) <= limit or fb == 0.0:
            return b
        if abs(e) < limit or abs(fa) <= abs(fb):
            d = m
            e = m
        else:
            s = fb / fa
            if a == c:
                u = 2.0 * m * s
                v = 1.0 - s
            else:
                q = fa / fc
                r = fb / fc
                u = s * (2.0 * m * q * (q - r) - (b - a) * (r - 1.0))
                v = (q - 1.0) * (r - 1.0) * (s - 1.0)
            if u > 0.0:
                v = -v
            else:
                u = -u
            before = e
            e = d
            if 2.0 * u < 3.0 * m * v - abs(limit * v) and u < abs(0.5 * before * v):
                d = u / v
            else:
                d = m
                e = m
        a = b
        fa = fb
        b += d if abs(d) > limit else math.copysign(limit, m)
        fb = f(b, p)
        if (fb > 0.0) == (fc > 0.0):
            c = a
            fc = fa
            d = b - a
            e = d


def kepler(x: float, p: Floats) -> float:
    """Kepler's equation for the eccentric anomaly x, p = (eccentricity, mean anomaly)."""
    return x - p[0] * math.sin(x) - p[1]


def cubic(x: float, p: Floats) -> float:
    return x**3 - p[0]


def root_of_cubic(p: Floats, count: Ints) -> float:
    return brent(cubic, p, 0.0, 10.0, 0.0, count)


def solve(n: int, a: Floats, b: Floats) -> bool:
    """Solve a·x = b by elimination with pivots, in place; false if the matrix has no inverse."""
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i * n + k]) > abs(a[best * n + k]):
                best = i
        if a[best * n + k] == 0.0:
            return False
        if best != k:
            for j in range(n):
                swapped = a[k * n + j]
                a[k * n + j] = a[best * n + j]
                a[best * n + j] = swapped
            swapped = b[k]
            b[k] = b[best]
            b[best] = swapped
        for i in range(k + 1, n):
            factor = a[i * n + k] / a[k * n + k]
            if factor == 0.0:
                continue
            for j in range(k, n):
                a[i * n + j] -= factor * a[k * n + j]
            b[i] -= factor * b[k]
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= a[i * n + j] * b[j]
        b[i] = total / a[i * n + i]
    return True


def sieve(n: int, marks: Ints) -> int:
    """How many primes there are below n."""
    count = 0
    for i in range(2, n):
        if marks[i] != 0:
            continue
        count += 1
        j = i * i
        while j < n:
            marks[j] = 1
            j += i
    return count


def gcd(a: int, b: int) -> int:
    return abs(a) if b == 0 else gcd(b, a % b)


FUNCTIONS: Final[list[Any]] = [
    *(oscillate, swing, combine, rk4_step, rk4, brent, kepler, cubic, root_of_cubic, solve, sieve, gcd),
]


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "checked"])
def code(request: pytest.FixtureRequest) -> CompiledFunctions:
    names = [function.__name__ for function in FUNCTIONS]
    return compile_functions(FUNCTIONS, exports=names, checked=request.param)


@pytest.fixture(scope="module")
def plain() -> CompiledFunctions:
    return compile_functions(FUNCTIONS, exports=[function.__name__ for function in FUNCTIONS])


def integrate(run: Any, f: Any, y0: list[float], p: list[float], h: float, steps: int) -> Any:
    y, n = np.array(y0), len(y0)
    assert run(f, n, h, steps, y, np.array(p), np.zeros(5 * n), np.zeros(1, np.int64)) == steps
    return y


def test_rk4_of_an_oscillator(code: CompiledFunctions, plain: CompiledFunctions) -> None:
    """A step of RK4 multiplies the complex amplitude by the Taylor polynomial of exp(iωh), which is known."""
    w, h, steps = 2.0, 0.01, 250
    factor = sum((-1j * w * h) ** k / math.factorial(k) for k in range(5)) ** steps
    exact = [factor.real, factor.imag * w]  # y = Re, y' = ω Im, from y = 1, y' = 0
    found = integrate(code.rk4, plain.oscillate, [1.0, 0.0], [w * w], h, steps)
    np.testing.assert_allclose(found, exact, rtol=1e-13)
    # Only sums and products: CPython gives the same bits.
    assert found.tolist() == integrate(reference(rk4), oscillate, [1.0, 0.0], [w * w], h, steps).tolist()


def test_rk4_of_a_pendulum(code: CompiledFunctions, plain: CompiledFunctions) -> None:
    """After a quarter of the period, which the arithmetic-geometric mean gives, the pendulum hangs straight down."""
    amplitude = 2.0
    a, b = 1.0, math.cos(amplitude / 2)
    for _ in range(6):
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    quarter = math.pi / (2 * a)
    found = integrate(code.rk4, plain.swing, [amplitude, 0.0], [1.0], quarter / 1000, 1000)
    speed = 2 * math.sin(amplitude / 2)  # from the energy
    np.testing.assert_allclose(found, [0.0, -speed], atol=5e-12)  # the error of the method falls with h⁴
    # The sine differs from the C library's in the last place.
    expected = integrate(reference(rk4), swing, [amplitude, 0.0], [1.0], quarter / 1000, 1000)
    np.testing.assert_allclose(found, expected, atol=1e-14)


def test_an_integration_is_interrupted(code: CompiledFunctions, plain: CompiledFunctions) -> None:
    y = np.array([1.0, 0.0])
    arguments = (2, 0.1, 10, y, np.ones(1), np.zeros(10), np.ones(1, np.int64))
    assert code.rk4(plain.oscillate, *arguments) == INTERRUPTED
    assert reference(rk4)(oscillate, *arguments) == INTERRUPTED
    assert y.tolist() == [1.0, 0.0]


def test_brent_finds_roots(code: CompiledFunctions, plain: CompiledFunctions) -> None:
    for eccentricity in (0.0, 0.3, 0.9, 0.99):
        for x in (0.1, 1.0, 2.5, 3.0):
            p = np.array([eccentricity, x - eccentricity * math.sin(x)])
            count = np.zeros(1, np.int64)
            found = code.brent(plain.kepler, p, 0.0, math.pi, 0.0, count)
            # The equation is known to an ulp of its terms, and its slope is 1 - e cos x.
            assert found == pytest.approx(x, abs=8 * EPSILON * max(1.0, x) / (1 - eccentricity * math.cos(x)))
            assert 1 <= count[0] < 20


def test_brent_takes_the_steps_that_cpython_takes(code: CompiledFunctions) -> None:
    for number in (2.0, 27.0, 100.5):
        counts = np.zeros(1, np.int64), np.zeros(1, np.int64)
        found = code.root_of_cubic(np.array([number]), counts[0])
        expected = reference(root_of_cubic)(np.array([number]), counts[1])
        assert found == pytest.approx(number ** (1 / 3), rel=4 * EPSILON)
        assert expected == pytest.approx(found, rel=4 * EPSILON)  # x**3 may differ in the last place
        assert abs(int(counts[0][0]) - int(counts[1][0])) <= 1


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_elimination(code: CompiledFunctions, n: int) -> None:
    rng = np.random.default_rng(n)
    a, x = rng.normal(size=(n, n)), rng.normal(size=n)
    b = a @ x
    ours, theirs = (a.reshape(-1).copy(), b.copy()), (a.reshape(-1).copy(), b.copy())
    assert code.solve(n, *ours) is True and reference(solve)(n, *theirs) is True
    assert ours[0].tobytes() == theirs[0].tobytes() and ours[1].tobytes() == theirs[1].tobytes()
    np.testing.assert_allclose(ours[1], x, rtol=0, atol=50 * n * EPSILON * float(np.linalg.cond(a)))
    assert code.solve(2, np.array([1.0, 2.0, 2.0, 4.0]), np.ones(2)) is False


def test_integers(code: CompiledFunctions) -> None:
    assert code.sieve(10_000, np.zeros(10_000, np.int64)) == 1229  # π(10⁴)
    for a, b in ((12, 18), (-12, 18), (12, -18), (0, -5), (2**40, 6**20)):
        assert code.gcd(a, b) == math.gcd(a, b)
