"""Sums of products, and lines of one shape in lanes: found where they are, and the same numbers as without."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sistel import expr
from sistel.expr import Expr, Graph, Op, Program, cos, evaluate, sin
from sistel.kernels import _single, compile_program
from sistel.kernels._lanes import shapes_of
from sistel.kernels._packer import find_packs
from sistel.kernels._single import write_single
from sistel.kernels._sums import SUM, Sums, sums_of


def operations(sums: Sums) -> list[int]:
    return sorted(line.op for line in sums.lines if line.op not in (Op.INPUT, Op.CONSTANT))


# --- sums --------------------------------------------------------------------------------------------------------


def test_products_join_the_sum_that_needs_them() -> None:
    graph = Graph()
    a, b, c, d = graph.inputs("x", 4)
    sums = sums_of(graph.program({"y": [(a * b - c) + (c * d - a)]}))
    assert operations(sums) == [SUM]
    (line,) = (line for line in sums.lines if line.op == SUM)
    assert sorted((term.sign, term.b >= 0) for term in line.terms) == [(-1, False), (-1, False), (1, True), (1, True)]


def test_what_is_needed_twice_stays() -> None:
    graph = Graph()
    a, b, c = graph.inputs("x", 3)
    product, sum_ = a * b, a * c + b
    sums = sums_of(graph.program({"y": [product + c, product - c, sum_ + c, sum_ - a]}))
    assert operations(sums) == [Op.MULTIPLY, *[SUM] * 5]


def test_signs_go_into_terms_and_outputs() -> None:
    graph = Graph()
    a, b, c = graph.inputs("x", 3)
    sums = sums_of(graph.program({"y": [-(a * b + c), -(a * b), -sin(a), cos(-b)]}))
    assert Op.NEGATE not in operations(sums)
    assert sums.signs == (1, -1, -1, 1)
    assert [term.sign for term in sums.lines[sums.results[0]].terms] == [-1, -1]


def test_plain_sums_keep_their_order() -> None:
    graph = Graph()
    a, b, c = graph.inputs("x", 3)
    kernel = compile_program(graph.program({"y": [(a + b) + c, a + (b + c), c - (b + a)]}))
    assert kernel([1e16, -1e16, 1.0]).tolist() == [1.0, 0.0, 1.0]  # type: ignore[union-attr]


def test_long_sums(rng: np.random.Generator) -> None:
    graph = Graph()
    x = graph.inputs("x", 200)
    dot = graph.constant(0.0)
    for a, b in zip(x[::2], x[1::2], strict=True):
        dot = dot + a * b
    kernel = compile_program(graph.program({"y": [dot, -dot, dot + x[0]]}))
    values = rng.normal(size=(9, 200))
    expected = (values[:, ::2] * values[:, 1::2]).sum(axis=1)
    found = kernel(values)
    assert isinstance(found, np.ndarray)
    np.testing.assert_allclose(found, np.stack([expected, -expected, expected + values[:, 0]], 1), rtol=0, atol=3e-14)
    np.testing.assert_array_equal(found, [kernel(row) for row in values])


# --- lanes -------------------------------------------------------------------------------------------------------


def walker(limbs: int, mirrored: bool = True, joints: int = 3) -> Program:
    """A base with limbs that differ in constants and signs, and what they do to the base together."""
    graph = Graph()
    base, q, v = graph.inputs("base", 3), graph.inputs("q", limbs * joints), graph.inputs("v", limbs * joints)
    outputs: list[Expr | float] = []
    total: list[Any] = [base[0] * base[1], base[1] * base[2], base[2]]
    for limb in range(limbs):
        side = -1.0 if mirrored and limb % 2 else 1.0
        x, y, z = base
        for j in range(joints):
            angle, rate = q[limb * joints + j], v[limb * joints + j]
            c, s = cos(angle), sin(angle)
            x, y = c * x + side * s * y + rate * (0.3 + 0.1 * limb), c * y - side * s * x + side * (0.2 + limb)
            z = z * (1.5 + limb) + x * y / (x * x + y * y + 1.0)
            outputs.append(side * (x * rate - z * 0.25))
        total = [total[0] + x * side, total[1] + y * base[0] + expr.sqrt(x * x + 0.5), total[2] - z * y]
    return graph.program({"base": total, "limbs": outputs})


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(("limbs", "lanes", "expected"), [(4, 4, 4), (2, 4, 2), (2, 2, 2), (3, 4, 3)])
def test_limbs_are_found(limbs: int, lanes: int, expected: int, mirrored: bool) -> None:
    packed = find_packs(sums_of(walker(limbs, mirrored)), lanes)
    assert {len(pack.lines) for pack in packed.packs} == {expected}
    inside = {line for pack in packed.packs for line in pack.lines}
    outside = [x for x, line in enumerate(packed.sums.lines) if line.op in (SUM, Op.MULTIPLY, Op.DIVIDE)]
    # All of the limbs is in lanes; the base's own sums and products are not.
    assert len([x for x in outside if x not in inside]) <= 6
    for pack in packed.packs:
        assert len({packed.sums.lines[x].op for x in pack.lines}) == 1


def test_operands_come_first() -> None:
    packed = find_packs(sums_of(walker(4)), 4)
    done: set[int] = set()
    for pack, line in packed.steps:
        lines = packed.packs[pack].lines if pack >= 0 else (line,)
        for x in lines:
            assert all(source in done for source in packed.sums.lines[x].sources())
        done.update(lines)
    assert done == set(range(len(packed.sums.lines)))


def test_without_limbs_nothing_is_packed() -> None:
    graph = Graph()
    x = graph.inputs("x", 4)
    packed = find_packs(sums_of(graph.program({"y": [x[0] * x[1] + x[2], sin(x[3])]})), 4)
    assert packed.packs == ()


def test_shapes_leave_out_signs_constants_and_places() -> None:
    graph = Graph()
    q, v = graph.inputs("q", 2), graph.inputs("v", 2)
    compiled = graph.program({"y": [q[0] * 2.0 + v[0], v[1] - q[1] * 3.0, q[0] * 5.0 + q[1], q[0] * v[1] + v[0]]})
    sums = sums_of(compiled)
    first, second, third, fourth = (shapes_of(sums.lines)[x] for x in sums.results)
    assert first == second and len({first, third, fourth}) == 3


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("limbs", [2, 3, 4, 5, 6, 8])
def test_lanes_compute_the_same(limbs: int, mirrored: bool, rng: np.random.Generator) -> None:
    compiled = walker(limbs, mirrored)
    kernel = compile_program(compiled)
    blocks = [rng.uniform(-2, 2, (11, size)) for _, size in compiled.inputs]
    together = kernel(*blocks)
    for row in range(11):
        state = [block[row] for block in blocks]
        expected = evaluate(compiled, *(block.tolist() for block in state))
        for found, batch, known in zip(kernel(*state), together, expected, strict=True):
            np.testing.assert_allclose(found, known, rtol=0, atol=1e-12 * max(1.0, np.abs(known).max()))
            np.testing.assert_array_equal(found, batch[row])  # a batch rounds as a single state does


@st.composite
def symmetric_programs(draw: st.DrawFn) -> Program:
    """The same formulas for several limbs, with signs drawn anew and now and then something of another limb."""
    limbs, size = draw(st.sampled_from([2, 3, 4])), draw(st.integers(1, 3))
    graph = Graph()
    shared, own = graph.inputs("s", 2), graph.inputs("q", limbs * size)
    pools: list[list[Expr]] = [[*shared, *own[i * size : (i + 1) * size]] for i in range(limbs)]
    for _ in range(draw(st.integers(1, 12))):
        kind = draw(st.integers(0, 6))
        a, b = (draw(st.integers(0, len(pools[0]) - 1)) for _ in range(2))
        signs = draw(st.lists(st.sampled_from([1.0, -1.0]), min_size=limbs, max_size=limbs))
        crossed = draw(st.integers(0, 9)) == 0
        made = []
        for i, sign in enumerate(signs):
            x, y = pools[i][a], pools[(i + 1) % limbs if crossed else i][b]
            made.append(
                (
                    lambda x, y, s: x + s * y,
                    lambda x, y, s: x * y * s,
                    lambda x, y, s: x * y + s * 0.5 * x,
                    lambda x, y, s: sin(s * x),
                    lambda x, y, s: cos(x) * s,
                    lambda x, y, s: s * x / (y * y + 1.5),
                    lambda x, y, s: expr.sqrt(x * x + 0.25) * s - y,
                )[kind](x, y, sign)
            )
        for pool, node in zip(pools, made, strict=True):
            pool.append(node if draw(st.booleans()) else sin(node))
    results = [pool[-1 - k] for pool in pools for k in range(min(2, len(pool) - 2 - size))]
    together = sum(itertools.chain.from_iterable(pool[-2:] for pool in pools), start=graph.constant(1.0))
    return graph.program({"limbs": results, "sum": [together, together * pools[0][-1]]})


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(symmetric_programs(), st.integers(0, 2**32 - 1))
def test_any_limbs(compiled: Program, seed: int) -> None:
    rng = np.random.default_rng(seed)
    blocks = [rng.uniform(-2, 2, (3, size)) for _, size in compiled.inputs]
    kernel = compile_program(compiled, width=2)
    together = kernel(*blocks)
    for row in range(3):
        state = [block[row] for block in blocks]
        expected = evaluate(compiled, *(block.tolist() for block in state))
        for found, batch, known in zip(kernel(*state), together, expected, strict=True):
            scale = max(1.0, *(abs(x) for x in known)) ** 2
            np.testing.assert_allclose(found, known, rtol=0, atol=1e-12 * scale)
            np.testing.assert_array_equal(found, batch[row])


def test_the_text_is_always_the_same() -> None:
    assert write_single(walker(4), "f", "double", 4)[0] == write_single(walker(4), "f", "double", 4)[0]


# --- long programs -----------------------------------------------------------------------------------------------


def turning(angles: int, work: int) -> Program:
    """Many angles, half of them sums, in a program that has as many sums besides as is said."""
    choose = np.random.default_rng(1)
    graph = Graph()
    q = graph.inputs("q", angles)
    turns = [angle if i % 2 else angle + 0.25 * i for i, angle in enumerate(q)]
    values: list[Expr] = [each for angle in turns for each in (sin(angle), cos(angle))]
    first = len(values)
    for _ in range(work):
        a, b, c = (values[k] for k in choose.integers(max(0, len(values) - 60), len(values), 3))
        values.append(0.5 * (a * b) + 0.25 * c + 0.1 * values[int(choose.integers(first))])
    return graph.program({"x": values[-60:], "sines": values[:first]})


@pytest.mark.parametrize("angles", [17, 29, 32])
def test_sines_of_a_long_program_are_a_loop(angles: int, rng: np.random.Generator) -> None:
    program = turning(angles, 1500)
    short, long = (write_single(each, "kernel", "double", 4)[0] for each in (turning(angles, 50), program))
    assert "@sines(" not in short
    assert f"call void @sines(ptr %angles, ptr %sines, ptr %cosines, i64 {-(-angles // 4) * 4})" in long
    kernel = compile_program(program)
    q = rng.uniform(-4.0, 4.0, (9, angles))
    q[3, 1], q[4, 2] = 1e9, np.nan  # beyond what the instructions reduce themselves
    together = kernel(q)
    for row, state in enumerate(q):
        expected = evaluate(program, state.tolist())
        for found, batch, known, atol in zip(kernel(state), together, expected, (1e-13, 4e-16), strict=True):
            np.testing.assert_allclose(found, known, rtol=0, atol=atol)
            np.testing.assert_array_equal(found, batch[row])
    assert np.isnan(together[1][4]).tolist() == [angle == 2 for angle in range(angles) for _ in "sc"]


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("limbs", [2, 3, 4, 6])
def test_limbs_share_the_loop(
    limbs: int, mirrored: bool, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = leaning(limbs, mirrored)
    expected = compile_program(compiled, cache=None)
    blocks = [rng.uniform(-2, 2, (4, size)) for _, size in compiled.inputs]
    known = [expected(*(block[row] for block in blocks)) for row in range(4)]
    monkeypatch.setattr(_single, "LONG", 0)
    monkeypatch.setattr(_single, "MANY", 1)
    assert "call void @sines(" in write_single(compiled, "kernel", "double", 4)[0]
    kernel = compile_program(compiled, cache=None)
    for row in range(4):
        for found, same in zip(kernel(*(block[row] for block in blocks)), known[row], strict=True):
            np.testing.assert_array_equal(found, same)  # the same instructions, wherever they stand


def leaning(limbs: int, mirrored: bool) -> Program:
    """Limbs whose angles are sums, with signs, that are also used themselves."""
    graph = Graph()
    base, q = graph.inputs("base", 2), graph.inputs("q", 2 * limbs)
    outputs: list[Expr | float] = []
    for limb in range(limbs):
        side = -1.0 if mirrored and limb % 2 else 1.0
        hip, knee = q[2 * limb] * (0.5 + limb) - side * base[0], q[2 * limb + 1]
        lean = side * hip + (0.3 + limb) * knee
        x = cos(hip) * base[1] + sin(hip) * (1.5 + limb)
        outputs += [side * (x * sin(lean) + cos(lean) * lean), sin(knee) * x - cos(knee) * hip]
    return graph.program({"limbs": outputs})


def test_sums_without_limbs_go_depth_first() -> None:
    graph = Graph()
    x = graph.inputs("x", 3)
    quick, slow = x[0] * x[1], x[1] * x[2]
    for k in range(70):
        quick = quick * x[0] + x[1] * (1.0 + k)
    for k in range(90):
        slow = slow * x[k % 2] + x[2] * (1.0 + k) + x[0]
    sums = sums_of(graph.program({"y": [quick, slow]}))
    packed = find_packs(sums, 4)
    assert not packed.packs
    written = [line for _, line in packed.steps]
    # The longer way is written first and in one piece, and operands before what needs them.
    assert written.index(packed.sums.results[1]) < written.index(packed.sums.results[0])
    for line in written:
        assert all(source < line for source in packed.sums.lines[line].sources())
    # Sums that are long, or equations that are solved, stay as they are.
    solved = sums_of(graph.program({"y": [quick / slow * (slow + x[0]) + quick * x[2]]}))
    assert solved.chain() > sums.chain()
    assert [each for _, each in find_packs(solved, 4).steps] == list(range(len(solved.lines)))
