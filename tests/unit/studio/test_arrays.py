"""What stands in for NumPy in browsers: the same numbers, shapes and refusals as NumPy itself."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from sistel.studio.browser import arrays

NUMBERS = st.floats(-8.0, 8.0, allow_nan=False, width=32).map(lambda x: x + 0.0)


def numbers(least: int = 1, most: int = 3) -> st.SearchStrategy[Any]:
    return nps.arrays(float, nps.array_shapes(min_dims=least, max_dims=most, max_side=4), elements=NUMBERS)


def same(own: Any, other: Any) -> None:
    expected = np.asarray(other)
    found = np.array(own.tolist() if isinstance(own, arrays.ndarray) else own)
    assert found.reshape(expected.shape).shape == expected.shape
    if isinstance(own, arrays.ndarray):
        assert own.shape == expected.shape
    np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=1e-12, atol=1e-12)


@given(numbers(), st.data())
def test_parts(given_: Any, data: st.DataObject) -> None:
    """Parts, views, and what is written into them."""
    own = arrays.array(given_.tolist())
    same(own, given_)
    key = data.draw(nps.basic_indices(given_.shape, allow_newaxis=True))
    same(own[key], given_[key])
    same(own.T, given_.T)
    same(own.reshape(-1)[::-1], given_.reshape(-1)[::-1])
    other = given_.copy()
    own[key] = 7.0
    other[key] = 7.0
    same(own, other)
    if isinstance(other[key], np.ndarray) and not any(each is None for each in np.atleast_1d(np.array(key, object))):
        part, twin = own[key], other[key]
        part *= 2.0
        twin *= 2.0
        same(own, other)
    chosen = data.draw(st.lists(st.integers(0, len(given_) - 1), max_size=4))
    if chosen:
        same(own[chosen], other[chosen])
        same(own[arrays.array(chosen)], other[chosen])
    same(own[own > 0.5], other[other > 0.5])
    own[own > 0.5] = 0.0
    other[other > 0.5] = 0.0
    same(own, other)


@given(nps.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3), st.data())
def test_arithmetic(shapes: Any, data: st.DataObject) -> None:
    a, b = (data.draw(nps.arrays(float, shape, elements=NUMBERS)) for shape in shapes.input_shapes)
    p, q = arrays.array(a.tolist()), arrays.array(b.tolist())
    with np.errstate(all="ignore"):
        same(p + q, a + b)
        same(p - q, a - b)
        same(p * q, a * b)
        found, expected = arrays.array(p / q), np.asarray(a / b)
        np.testing.assert_array_equal(np.array(found.tolist()), expected)
    same(p < q, a < b)
    same(arrays.minimum(p, q), np.minimum(a, b))
    same(arrays.arctan2(p, q), np.arctan2(a, b))
    same(arrays.hypot(p, q), np.hypot(a, b))
    same(arrays.where(p > q, p, 0.0), np.where(a > b, a, 0.0))
    same(2.0 - p, 2.0 - a)
    same(-p, -a)


@given(numbers(), st.data())
def test_over_axes(given_: Any, data: st.DataObject) -> None:
    own = arrays.array(given_.tolist())
    axis = data.draw(st.one_of(st.none(), st.integers(-given_.ndim, given_.ndim - 1)))
    keep = data.draw(st.booleans())
    same(own.sum(axis, keepdims=keep), given_.sum(axis, keepdims=keep))
    same(own.min(axis), given_.min(axis))
    same(own.max(axis, initial=3.0), given_.max(axis, initial=3.0))
    same((own > 0).any(axis), (given_ > 0).any(axis))
    same(arrays.ptp(own, axis), np.ptp(given_, axis))
    same(arrays.linalg.norm(own, axis=-1, keepdims=keep), np.linalg.norm(given_, axis=-1, keepdims=keep))
    for way in (-1, 0):
        same(arrays.stack([own, own + 1], way), np.stack([given_, given_ + 1], way))
        same(arrays.concatenate([own, own], way), np.concatenate([given_, given_], way))
        same(arrays.moveaxis(own, way, 0), np.moveaxis(given_, way, 0))
    same(arrays.tile(own, (2, 1)), np.tile(given_, (2, 1)))


@given(nps.arrays(float, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=NUMBERS))
def test_linear(A: Any) -> None:
    """By what defines the result, for directions may differ; and against NumPy, where it is one."""
    own = arrays.array(A.tolist())
    U, s, Vt = (np.array(each.tolist()) for each in arrays.linalg.svd(own))
    _, expected, _ = np.linalg.svd(A)
    scale = max(1.0, float(expected.max()))
    np.testing.assert_allclose(s, expected, rtol=1e-10, atol=1e-12 * scale)
    whole = np.zeros(A.shape)
    np.fill_diagonal(whole, s)
    np.testing.assert_allclose(U @ whole @ Vt, A, atol=1e-11 * scale)
    for square in (U, Vt):
        np.testing.assert_allclose(square @ square.T, np.eye(len(square)), atol=1e-11)
    b = np.arange(1.0, len(A) + 1)
    cut = 1e-9
    if not np.any(np.abs(expected / max(float(expected.max()), 1e-300) - cut) < 0.9 * cut):
        x = np.array(arrays.linalg.lstsq(own, arrays.array(b.tolist()), rcond=cut)[0].tolist())
        wanted = np.linalg.lstsq(A, b, rcond=cut)[0]
        np.testing.assert_allclose(x, wanted, rtol=1e-6, atol=1e-6 * max(1.0, float(np.abs(wanted).max())))
    M = A @ A.T + np.eye(len(A))
    same(arrays.linalg.solve(arrays.array(M.tolist()), arrays.array(b.tolist())), np.linalg.solve(M, b))
    np.testing.assert_allclose(arrays.linalg.cond(arrays.array(M.tolist())), np.linalg.cond(M), rtol=1e-9)
    values, ways = arrays.linalg.eigh(arrays.array(M.tolist()))
    np.testing.assert_allclose(values.tolist(), np.linalg.eigvalsh(M), rtol=1e-10)
    np.testing.assert_allclose(
        M @ np.array(ways.tolist()), np.array(ways.tolist()) * values.tolist(), atol=1e-9 * scale**2
    )


def test_products(rng: np.random.Generator) -> None:
    R, v = rng.normal(size=(4, 3, 3)), rng.normal(size=(4, 3))
    P, w = arrays.array(R.tolist()), arrays.array(v.tolist())
    same(P @ w[0], R @ v[0])
    same(P @ P, R @ R)
    same(w @ P[0].T, v @ R[0].T)
    same(w[0] @ w[1], v[0] @ v[1])
    same(arrays.einsum("nij,nj->ni", P, w), np.einsum("nij,nj->ni", R, v))
    same(arrays.einsum("nij,kj->nki", P, w), np.einsum("nij,kj->nki", R, v))
    same(arrays.einsum("nij,njk->nik", P, P), np.einsum("nij,njk->nik", R, R))
    same(arrays.cross(w, w[::-1]), np.cross(v, v[::-1]))
    same(arrays.outer(w[0], w[1]), np.outer(v[0], v[1]))
    same(arrays.linspace(0.0, 1.0, 7), np.linspace(0.0, 1.0, 7))
    same(arrays.diag(P[0]), np.diag(R[0]))
    same(arrays.tril(P[0], -1), np.tril(R[0], -1))
    Q, T = (np.array(each.tolist()) for each in arrays.linalg.qr(P[0]))
    np.testing.assert_allclose(Q @ T, R[0], atol=1e-13)


def test_what_is_not_there_says_so() -> None:
    with pytest.raises(NotImplementedError, match="fft"):
        _ = arrays.fft
    assert not hasattr(arrays, "__wrapped__")


def test_pages_need_no_numerics_beside_it() -> None:
    """A planar and a spatial page, equations and checks, where NumPy, lxml and LLVM are not installed."""
    code = """if True:
        import sys
        for name in ("numpy", "llvmlite", "lxml"):
            sys.modules[name] = None
        from importlib.util import find_spec
        import tempfile
        from pathlib import Path
        import sistel.studio.browser.arrays as arrays
        sys.modules["numpy"] = arrays
        from sistel.studio.browser import Desk
        from sistel.studio.workspace import Files, Folder
        desk = Desk(Files(Folder(tempfile.mkdtemp())))
        for name in ("four_bar", "scara", "hills"):
            text = Path(f"models/{name}.xml").read_text()
            found = desk.reply("text.check", {"path": f"{name}.xml", "text": text})
            assert not found["done"]["diagnostics"], found
            found = desk.reply("page.make", {"path": f"{name}.xml", "text": text, "lang": "ru"})
            assert len(found["done"]["html"]) > 100_000, found
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
