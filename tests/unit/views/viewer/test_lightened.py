"""Simplified meshes that stay on disk: the bits of those made anew, and never those of other meshes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sistel.meshes import Mesh, Paint, Simplified, simplify
from sistel.views.x3d import _lightened
from sistel.views.x3d._lightened import kept_simplify


def hill(count: int, height: float = 0.2) -> Mesh:
    """A wavy sheet, half of it of another colour."""
    x, y = np.meshgrid(np.linspace(0, 1, count + 1), np.linspace(0, 1, count + 1), indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), height * np.sin(5 * x.ravel()) * np.cos(4 * y.ravel())])
    a = (np.arange(count)[:, None] * (count + 1) + np.arange(count)).ravel()
    triangles = np.concatenate(
        [np.stack([a, a + count + 1, a + 1], 1), np.stack([a + 1, a + count + 1, a + count + 2], 1)]
    )
    return Mesh(
        points=points,
        triangles=triangles.astype(np.int32),
        paint=(np.arange(len(triangles)) % 2).astype(np.int32),
        paints=(Paint((1.0, 0.0, 0.0)), Paint((0.0, 0.0, 1.0))),
    )


def same(one: Simplified, other: Simplified) -> None:
    assert (one.before, one.after, one.deviation) == (other.before, other.after, other.deviation)
    for a, b in zip(one.meshes, other.meshes, strict=True):
        for mine, theirs in ((a.points, b.points), (a.triangles, b.triangles), (a.paint, b.paint)):
            assert (mine is None) == (theirs is None)
            if mine is not None and theirs is not None:
                assert mine.dtype == theirs.dtype and mine.flags.writeable == theirs.flags.writeable
                assert_array_equal(mine.view(np.uint8), theirs.view(np.uint8))
        assert (a.paints, a.notes, a.grid) == (b.paints, b.notes, b.grid)


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often meshes were simplified, with an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made: list[int] = []

    def counted(meshes: list[Mesh], scales: list[float], most: int) -> Simplified:
        made.append(most)
        return simplify(meshes, scales, most)

    monkeypatch.setattr(_lightened, "simplify", counted)
    return made


def test_what_is_kept_has_the_bits_of_what_is_made(calls: list[int]) -> None:
    meshes, scales = [hill(24), replace(hill(16, 0.1), paint=None, paints=())], [1.0, 1e-3]
    made = simplify(meshes, scales, 500)
    for _ in range(3):
        same(kept_simplify(meshes, scales, 500), made)
    assert calls == [500]


def test_nothing_stale_is_used(calls: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = hill(20)
    kept_simplify([mesh], [1.0], 300)
    moved = mesh.points.copy()
    moved[7, 2] = np.nextafter(moved[7, 2], 1.0)
    turned = mesh.triangles.copy()
    turned[0] = turned[0][[1, 2, 0]]
    others = [
        ([replace(mesh, points=moved)], [1.0], 300),
        ([replace(mesh, triangles=turned)], [1.0], 300),
        ([replace(mesh, paint=None)], [1.0], 300),
        ([mesh], [np.nextafter(1.0, 2.0)], 300),
        ([mesh], [1.0], 301),
        ([mesh, mesh], [1.0, 1.0], 300),
    ]
    for number, (meshes, scales, most) in enumerate(others, 2):
        same(kept_simplify(meshes, scales, most), simplify(meshes, scales, most))
        assert len(calls) == number
    # Another state of the sources, or another numpy.
    monkeypatch.setattr("sistel.kernels._written.writing", lambda: "other sources")
    kept_simplify([mesh], [1.0], 300)
    monkeypatch.setattr(np, "__version__", "0")
    kept_simplify([mesh], [1.0], 300)
    assert len(calls) == len(others) + 3


def test_names_of_colours_are_those_of_the_file(calls: list[int]) -> None:
    """Other colours need no other triangles."""
    mesh = hill(20)
    kept_simplify([mesh], [1.0], 300)
    other = replace(mesh, paints=(Paint((0.0, 1.0, 0.0)), Paint((0.0, 0.0, 0.0))))
    same(kept_simplify([other], [1.0], 300), simplify([other], [1.0], 300))
    assert len(calls) == 1


def test_a_damaged_entry_counts_as_none(calls: list[int], tmp_path: Path) -> None:
    mesh = hill(20)
    kept_simplify([mesh], [1.0], 300)
    entries = list(tmp_path.rglob("*.object"))
    for each in entries:
        data = bytearray(each.read_bytes())
        data[-9] ^= 1
        each.write_bytes(data)
    same(kept_simplify([mesh], [1.0], 300), simplify([mesh], [1.0], 300))
    assert len(calls) == 2 and entries
