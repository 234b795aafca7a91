"""Vectors and matrices: the same formulas over numbers and over expressions."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sistel.expr import (
    IDENTITY,
    ZERO,
    Graph,
    Matrix,
    Trace,
    Vector,
    cross,
    cross_matrix,
    evaluate,
    outer,
    symmetric,
    turn_z,
    turn_z_back,
)

components = st.floats(-100.0, 100.0)
vectors = st.builds(Vector, components, components, components)
matrices = st.builds(Matrix, vectors, vectors, vectors)


@given(matrices, matrices, vectors, components)
def test_numbers_are_those_of_numpy(A: Matrix, B: Matrix, v: Vector, factor: float) -> None:
    a, b, x = np.array(A), np.array(B), np.array(v)
    assert np.allclose(A @ v, a @ x, rtol=1e-12, atol=1e-9)
    assert np.allclose(A @ B, a @ b, rtol=1e-12, atol=1e-9)
    assert np.array_equal(A + B, a + b)
    assert np.array_equal(A - B, a - b)
    assert np.array_equal(A.T, a.T)
    assert np.array_equal(factor * v, factor * x)
    assert np.array_equal(-v, -x)
    assert np.allclose(cross(A[0], v), np.cross(a[0], x), rtol=1e-12, atol=1e-9)
    assert np.allclose(cross_matrix(A[0]) @ v, np.cross(a[0], x), rtol=1e-12, atol=1e-9)
    assert np.array_equal(outer(A[0], v), np.outer(a[0], x))


def test_expressions_give_what_numbers_give() -> None:
    graph = Graph()
    w, r = Vector(*graph.inputs("w", 3)), Vector(*graph.inputs("r", 3))
    (m,) = graph.inputs("m", 1)

    def force(m: object, w: Vector, r: Vector) -> Vector:
        return m * cross(w, cross(w, r)) + symmetric((1.0, 2.0, 3.0, 0.0, 0.0, 0.5)) @ w - r  # type: ignore[operator, no-any-return]

    line = graph.program({"f": list(force(m, w, r))})
    numbers = Vector(0.3, -0.2, 0.7), Vector(1.0, 2.0, -1.5)
    assert evaluate(line, *(list(x) for x in numbers), [2.5]) == [list(force(2.5, *numbers))]


def test_zeros_leave_no_trace_in_a_graph() -> None:
    graph = Graph()
    x, y = graph.inputs("q", 2)
    v = Vector(x, y, 0.0)
    assert cross(v, Vector(0.0, 0.0, 1.0)) == (y, -x, 0.0)
    assert IDENTITY @ v + ZERO == v
    assert (v - v)[0] == 0.0
    assert list(graph.operation).count(0) <= 2  # the constants 0 and 1 at the most


def test_all_kinds_of_numbers_scale_a_vector() -> None:
    length = Trace().symbol("l", 2.0)
    for two in (2, 2.0, np.float64(2.0), length):
        made = two * Vector(1.0, 0.0, 3.0)
        assert type(made) is Vector
        assert [float(x) for x in made] == [2.0, 0.0, 6.0]
    with pytest.raises(TypeError):
        Vector(1.0, 2.0)  # type: ignore[call-arg]


def test_plain_rows_are_added_to_vectors() -> None:
    v, row = Vector(1.0, 2.0, 3.0), (1.0, 0.0, -1.0)
    assert v + row == row + v == v + list(row) == (2.0, 2.0, 2.0)
    assert type(row + v) is Vector


def test_a_list_is_extended_by_a_vector() -> None:
    numbers = [0.0]
    numbers += Vector(1.0, 2.0, 3.0)
    assert numbers == [0.0, 1.0, 2.0, 3.0]


def test_a_turn_and_back() -> None:
    c, s, v = 0.6, 0.8, Vector(1.0, 2.0, 3.0)
    assert turn_z_back(c, s, turn_z(c, s, v)) == pytest.approx(v)


def test_they_can_be_copied() -> None:
    for each in (Vector(1.0, 2.0, 3.0), IDENTITY):
        for other in (copy.deepcopy(each), pickle.loads(pickle.dumps(each))):
            assert other == each
            assert type(other) is type(each)
