"""A row of many parallelograms through the posture in which all of them are flat."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import sistel
from sistel.simulation.taylor._singular_jump import MANY

COUNT = MANY // 2 + 2
"""Loops, of two constraints each: so many that their independence is found in the quick way."""


def test_row_of_parallelograms_passes_its_flat_posture(tmp_path: Path) -> None:
    rockers = "".join(
        f'<body name="r{i}" joint="revolute" place="{300 * i}, 0" mass="0.5" com="0, -100" inertia="0.002"/>'
        for i in range(COUNT + 1)
    )
    couplers = "".join(
        f'<body name="c{i}" base="r{i}" joint="revolute" place="0, -200" mass="0.7" com="150, 0" inertia="0.005"/>'
        for i in range(COUNT)
    )
    closures = "".join(
        f'<closure name="k{i}" joint="revolute" body="c{i}" at="300, 0" to="r{i + 1}" at-to="0, -200"/>'
        for i in range(COUNT)
    )
    angles = [(f"r{i}", 30) for i in range(COUNT + 1)] + [(f"c{i}", -30) for i in range(COUNT)]
    start = "".join(f'<coordinate of="{name}" value="{angle} deg"/>' for name, angle in angles)
    path = tmp_path / "row.xml"
    path.write_text(
        f'<system name="row">{rockers}{couplers}<links>{closures}</links><start>{start}</start></system>',
        encoding="utf-8",
    )
    system = sistel.load(path)
    run = system.simulate(0.3)
    model = system._engine.model
    places = {body.name: body.first_q for body in model.bodies}
    turned = np.array([run.q[-1][places[f"r{i}"]] for i in range(COUNT + 1)])
    # Behind the flat posture all of them go on as parallelograms, side by side.
    assert turned[0] > np.radians(100.0)
    np.testing.assert_allclose(turned, turned[0], atol=1e-8)
    kinetic, potential = run.energies()
    total = kinetic + potential
    assert np.abs(total - total[0]).max() < 1e-8 * kinetic.max()
