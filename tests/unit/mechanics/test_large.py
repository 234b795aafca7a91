"""Systems too large for straight-line code: recursions on numbers, the same results, linear cost."""

from __future__ import annotations

import numpy as np
import pytest

import sistel


def chain(bodies: int) -> sistel.System:
    rows = "".join(
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" place="{100 if i else 0},0" mass="1" com="50,10" '
        'inertia="0.01"/>'
        for i in range(bodies)
    )
    return sistel.parse(f"<system>{rows}</system>")


def test_forward_dynamics_of_a_thousand_bodies_undoes_inverse_dynamics(rng: np.random.Generator) -> None:
    system = chain(1000)
    q, v, tau = rng.normal(size=(3, 1000))
    a = system.forward_dynamics(q, v, tau)
    found = system.inverse_dynamics(q, v, a)
    # The forces of a chain of a thousand bodies that is thrown about are huge beside the given ones.
    assert np.abs(found - tau).max() < 1e-12 * np.abs(system.bias_forces(q, v)).max()


def test_recursion_and_compiled_code_agree(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    system = chain(12)
    q, v, a = rng.normal(size=(3, 4, 12))
    q[1] = q[0]
    calls = {
        "inverse_dynamics": (q, v, a),
        "bias_forces": (q, v),
        "gravity_forces": (q,),
        "mass_matrix": (q,),
        "forward_dynamics": (q, v, a),
    }
    compiled = {name: getattr(system, name)(*arguments) for name, arguments in calls.items()}
    frame = system.pose(q, "b11"), system.jacobian(q, "b11")
    loads, energies = system.reactions(q, v, a), system.energies(q, v)
    monkeypatch.setattr("sistel.automaton._automaton.STRAIGHT_LINE", 5)
    system = chain(12)
    for name, arguments in calls.items():
        found = getattr(system, name)(*arguments)
        assert found.shape == compiled[name].shape
        scale = np.abs(compiled[name]).max()
        assert np.abs(found - compiled[name]).max() < 1e-11 * scale, name
    assert np.abs(system.pose(q, "b11") - frame[0]).max() < 1e-14
    assert np.abs(system.jacobian(q, "b11") - frame[1]).max() < 1e-14
    for joint, load in system.reactions(q, v, a).items():
        assert np.abs(load - loads[joint]).max() < 1e-11 * max(1, np.abs(loads[joint]).max())
    assert np.allclose(system.energies(q, v), energies, rtol=1e-13)
