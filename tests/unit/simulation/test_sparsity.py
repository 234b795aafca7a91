"""Radau's derivatives along directions, and its matrices in parts, against all derivatives in one matrix."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import simulation_of
from sistel.simulation.implicit import _kernels
from sistel.simulation.implicit._scheme import fastest_decay
from sistel.simulation.implicit._sparsity import Sparsity, sparsity, whole

MODELS = Path(__file__).resolve().parents[3] / "models"


def rope(count: int) -> str:
    """Rods on stiff and damp hinges."""
    rows = (
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" place="0, {20 if i else 0}" mass="0.02" '
        'com="0, 10" inertia="0.000001" stiffness="0.5" damping="0.05"/>'
        for i in range(count)
    )
    return f'<system name="rope">{"".join(rows)}<start b0="60 deg"/></system>'


def apart(count: int) -> str:
    """Pendulums that do not touch each other."""
    rows = (
        f'<body name="b{i}" joint="revolute" mass="0.001" com="0, 5" inertia="0.0000001" stiffness="0.01" '
        f'damping="{0.001 * (1 + i)}"/>'
        for i in range(count)
    )
    return f'<system name="apart">{"".join(rows)}<start b0="60 deg" b1="-10 deg"/></system>'


def test_columns_that_share_no_row_share_a_direction() -> None:
    # Rates of (x, y, z): x and y alone, z of both.
    found = sparsity([0b001, 0b010, 0b111], [None, None, None])
    assert len(found.seeds) == 3
    found = sparsity([0b001, 0b010, 0b100], [None, None, None])
    assert found.seeds.tolist() == [[1.0, 1.0, 1.0]]
    assert found.blocks.reshape(-1, 4)[:, 1].tolist() == [1, 1, 1]


def test_coordinates_follow_their_velocities() -> None:
    # x' = u, y' = v, u' of x and u, v' of y and v.
    found = sparsity([0b0100, 0b1000, 0b0101, 0b1010], [2, 3, None, None])
    assert found.order.tolist() == [2, 3]
    assert found.followers.tolist() == [0, 1]
    assert found.area == 2
    assert len(found.seeds) == 2


def test_none_follows_a_follower_and_no_two_follow_one() -> None:
    # x' = y, y' = z, z' = 0; and w' = z.
    found = sparsity([0b0010, 0b0100, 0, 0b0100], [1, 2, None, 2])
    assert 0 in found.followers
    assert sorted([*found.order.tolist(), *(each for each in found.followers.tolist() if each >= 0)]) == [0, 1, 2, 3]


@pytest.mark.parametrize("case", ["rope", "apart", "andrews_squeezer", "universal_shaft"])
def test_runs_agree(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same motion, whether derivatives are derived one by one or found along directions.

    Rounding of the first tiny steps is all that tells them apart.
    """
    path = MODELS / f"{case}.xml"
    if case in ("rope", "apart"):
        path = tmp_path / "system.xml"
        path.write_text({"rope": rope, "apart": apart}[case](6), encoding="utf-8")
    monkeypatch.setattr(_kernels, "SMALL", 10**9)
    plain = sistel.load(path).simulate(0.02, method="radau")
    monkeypatch.setattr(_kernels, "SMALL", 1)
    monkeypatch.setattr(_kernels, "WHOLE", 0)
    made: list[Sparsity] = []
    monkeypatch.setattr(_kernels, "sparsity", lambda *given: made.append(sparsity(*given)) or made[-1])
    found = sistel.load(path).simulate(0.02, method="radau")
    assert made
    assert abs(len(found.t) - len(plain.t)) <= 3
    np.testing.assert_allclose(found.q[-1], plain.q[-1], atol=1e-11)
    np.testing.assert_allclose(found.v[-1], plain.v[-1], atol=1e-11 * max(1.0, float(np.abs(plain.v).max())))


def test_decay_of_parts_is_that_of_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "system.xml"
    path.write_text(apart(5), encoding="utf-8")
    engine = sistel.load(path)._engine
    compiled = simulation_of(engine, 1e-9).compiled(engine.model.structures[0].name)
    y = np.linspace(-0.5, 0.5, compiled.taylor.size)
    p = compiled.parameters(y)
    compiled.__dict__["parts"] = whole(len(y))
    once = fastest_decay(compiled, y, p)
    monkeypatch.setattr(_kernels, "SMALL", 1)
    del compiled.__dict__["parts"]
    assert len(compiled.parts.blocks) // 4 == 6
    assert fastest_decay(compiled, y, p) == pytest.approx(once, rel=1e-6)
