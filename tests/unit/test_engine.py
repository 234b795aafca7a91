"""What the face accepts and refuses where structures are concerned, and what it keeps."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.structures import gallery, met_states, parsed

import sistel
from sistel.engine import Engine
from sistel.mechanics import structure_dynamics

NAMES = ("four_bar", "rimless_wheel", "gripper_load", "bricard", "spinning_top")


def calls(system: sistel.System) -> dict[str, Any]:
    """Everything that depends on q, v and forces; with what each returns."""
    return {
        "forward_dynamics": lambda q, v, tau: system.forward_dynamics(q, v, tau, applied=True),
        "reactions": lambda q, v, tau: np.concatenate(list(system.reactions(q, v, tau).values()), axis=-1),
        "impact": lambda q, v, tau: system.impact(q, v)[0],
        "constraint_bias": lambda q, v, tau: system.constraint_bias(q, v),
        "constraint_errors": lambda q, v, tau: system.constraint_errors(q),
        "applied_forces": lambda q, v, tau: system.applied_forces(q, v),
        "momentum": lambda q, v, tau: system.momentum(q, v),
    }


@pytest.mark.parametrize("name", NAMES)
def test_batches_are_their_rows(name: str, rng: np.random.Generator) -> None:
    system = gallery(name)
    q, v, tau = met_states(system, system.structure().name, rng, 6)
    for what, call in calls(system).items():
        flat = np.array([call(q[i], v[i], tau[i]) for i in range(6)])
        assert np.array_equal(call(q, v, tau), flat), what
        shaped = call(*(block.reshape(2, 3, -1) for block in (q, v, tau)))
        assert np.array_equal(shaped.reshape(6, -1), flat), what
        # One state for many of the others.
        one = call(q[:1], v, tau)
        if one.shape == flat.shape:
            assert np.array_equal(one[3], call(q[0], v[3], tau[3])), what


@pytest.mark.parametrize("name", NAMES)
def test_arrays_of_any_kind(name: str, rng: np.random.Generator) -> None:
    system = gallery(name)
    q, v, tau = met_states(system, system.structure().name, rng, 4)
    for what, call in calls(system).items():
        expected = call(q, v, tau)
        frozen = [np.array(block) for block in (q, v, tau)]
        for block in frozen:
            block.setflags(write=False)
        assert np.array_equal(call(*frozen), expected), what
        assert np.array_equal(call(*(np.asfortranarray(block) for block in (q, v, tau))), expected), what
        wide = [np.repeat(block, 2, axis=1)[:, ::2] for block in (q, v, tau)]
        assert np.array_equal(call(*wide), expected), what
        assert np.array_equal(call(*(block.tolist() for block in (q, v, tau))), expected), what
        swapped = [block.astype(">f8") for block in (q, v, tau)]
        assert np.array_equal(call(*swapped), expected), what
    still = np.zeros(system.nv, int)
    if system.nq == system.nv:
        whole = system.forward_dynamics(np.zeros(system.nq, int), still, still)
        assert np.array_equal(whole, system.forward_dynamics(np.zeros(system.nq), 0.0 * still, 0.0 * still))


@pytest.mark.parametrize("name", NAMES)
def test_empty_batches(name: str) -> None:
    system = gallery(name)
    none = np.zeros((0, system.nq)), np.zeros((0, system.nv)), np.zeros((0, system.nv))
    for what, call in calls(system).items():
        assert call(*none).shape[0] == 0 and call(*none).ndim == 2, what
    assert system.forward_dynamics(np.zeros((3, 0, system.nq)), none[1], none[2]).shape == (3, 0, system.nv)
    assert all(load.shape == (0, 6) for load in system.reactions(*none).values())
    assert all(load.shape == (0, 6) for load in system.impact(*none[:2])[1].values())


@pytest.mark.parametrize("name", NAMES)
def test_numbers_that_are_none_give_none(name: str, rng: np.random.Generator) -> None:
    """NaN in, NaN out, never an exception; the other states of the batch do not notice."""
    system = gallery(name)
    q, v, tau = met_states(system, system.structure().name, rng, 3)
    for bad in (math.nan, math.inf):
        for where in range(3):
            blocks = [np.array(block) for block in (q, v, tau)]
            blocks[where][1] = bad
            for what in ("forward_dynamics", "reactions", "impact"):
                call = calls(system)[what]
                with np.errstate(all="ignore"):
                    found, good = call(*blocks), call(q, v, tau)
                assert np.array_equal(found[[0, 2]], good[[0, 2]]), what
                # Of a gripper on straight guides the coordinates do not matter, in loops everything does.
                uses = (where < 2 or what != "impact") and name in ("four_bar", "bricard")
                if math.isnan(bad) and (uses or (where == 2 and what == "forward_dynamics")):
                    assert np.isnan(found[1]).any(), what


def test_wrong_shapes_name_the_argument() -> None:
    system = gallery("four_bar")
    good = np.zeros(3)
    for index, name in enumerate(("q", "v", "tau")):
        for bad in (np.zeros(2), np.zeros((4, 5)), 0.0, "abc", [[1.0], [2.0, 3.0]], None):
            given = [good, good, good]
            given[index] = bad  # type: ignore[call-overload]
            with pytest.raises(sistel.SistelError, match=f"{name}: "):
                system.forward_dynamics(*given)
            with pytest.raises(sistel.SistelError, match=f"{name}: "):
                system.reactions(*given)
            if index < 2:
                with pytest.raises(sistel.SistelError, match=f"{name}: "):
                    system.impact(*given[:2])
                with pytest.raises(sistel.SistelError, match=f"{name}: "):
                    system.constraint_bias(*given[:2])
    with pytest.raises(sistel.SistelError, match="restitution"):
        system.impact(good, good, restitution="much")  # type: ignore[arg-type]
    with pytest.raises(sistel.SistelError, match="batch axes"):
        system.forward_dynamics(np.zeros((2, 3)), np.zeros((4, 3)), good)
    for ask in (
        lambda: system.forward_dynamics(good, good, good, structure="none"),
        lambda: system.reactions(good, good, good, structure="none"),
        lambda: system.impact(good, good, structure="none"),
        lambda: system.mobility("none"),
        lambda: system.assemble(structure="none"),
        lambda: system.constraint_jacobian(good, structure="none"),
    ):
        with pytest.raises(sistel.SistelError, match='no structure "none"'):
            ask()


def test_massless_coordinates_are_refused() -> None:
    system = gallery("paper_listing1")
    still = np.zeros(system.nv)
    for ask in (system.forward_dynamics, system.reactions):
        with pytest.raises(sistel.SistelError) as refusal:
            ask(still, still, still)
        assert refusal.value.diagnostics[0].code == "no-dynamics"


def test_structures_without_links_are_the_tree(rng: np.random.Generator) -> None:
    system = gallery("walker")
    q, v, tau = rng.normal(size=(3, system.nv))
    a = system.forward_dynamics(q, v, tau, structure="полёт")
    M = system.mass_matrix(q)
    assert M @ a + system.bias_forces(q, v) == pytest.approx(tau, abs=1e-12 * np.abs(M).max() * np.abs(a).max())
    assert system.constraint_errors(q, structure="полёт").shape == (0,)
    assert system.constraint_jacobian(q, structure="полёт").shape == (0, system.nv)
    after, impulses = system.impact(q, v, structure="полёт")
    assert np.array_equal(after, v) and impulses == {}
    assert system.mobility("полёт").dof == system.nv


def test_time_and_results_in_place(rng: np.random.Generator) -> None:
    """Times broadcast as states do; `out` receives what is returned."""
    system = parsed(
        '<system><body name="box" joint="prismatic2" mass="2"><point name="p"/><force value="0, 3 N*sin(2 rad/s*t)"/></body>'
        '<links><contact name="wall" point="p" surface="x &gt;= 0" friction="none"/><structure name="s" holds="wall"/></links></system>'
    )
    t = rng.uniform(0, 3, (4, 1))
    still = np.zeros(2)
    a = system.forward_dynamics(np.zeros((1, 5, 2)), still, still, applied=True, t=t)
    assert a.shape == (4, 5, 2)
    assert a[..., 1] == pytest.approx(np.broadcast_to(9.81 + 1.5 * np.sin(2 * t), (4, 5)), abs=1e-14)
    assert np.array_equal(a[..., 0], np.zeros((4, 5)))
    out = np.empty((4, 5, 2))
    assert system.forward_dynamics(np.zeros((1, 5, 2)), still, still, applied=True, t=t, out=out) is out
    assert np.array_equal(out, a)
    # Without applied forces the time does not matter.
    assert system.forward_dynamics(still, still, still, t=7.0) == pytest.approx([0.0, 9.81], abs=1e-15)


CHAIN = 63
"""Hinges of a chain that is too long for straight-line code."""


def long_chain(extra: str = "") -> str:
    inner = ""
    for i in range(CHAIN - 1, -1, -1):
        inner = f'<body name="b{i}" joint="revolute" place="{"0" if i == 0 else "100"},0" mass="1" com="50,0" inertia="0.001">{inner}{extra if i == CHAIN - 1 else ""}</body>'
    return (
        f'<system>{inner}<links><closure name="end" joint="revolute" body="b{CHAIN - 1}" at="100,0" to="0" at-to="3000,1000"/>'
        f'<lock name="k" of="b5"/></links></system>'
    )


def test_large_systems(rng: np.random.Generator) -> None:
    """Without machine code: the same laws, batches, and numbers that are none."""
    system = parsed(long_chain())
    assert Engine.of(system.model).large
    q = system.assemble(np.linspace(-0.05, 0.06, CHAIN))
    J = system.constraint_jacobian(q)
    v = rng.normal(size=CHAIN)
    v -= np.linalg.lstsq(J, J @ v, rcond=None)[0]
    tau = rng.normal(size=CHAIN)
    a = system.forward_dynamics(q, v, tau)
    assert J @ a + system.constraint_bias(q, v) == pytest.approx(np.zeros(3), abs=1e-9 * np.abs(a).max())
    M, bias = system.mass_matrix(q), system.bias_forces(q, v)
    rest = M @ a + bias - tau
    multipliers, *_ = np.linalg.lstsq(J.T, rest, rcond=None)
    assert J.T @ multipliers == pytest.approx(rest, abs=1e-9 * np.abs(tau).max() * np.linalg.cond(M) ** 0.5)
    loads = system.reactions(q, v, tau)
    assert loads["end"][3:5] == pytest.approx(multipliers[:2] * np.sign(loads["end"][3] / multipliers[0]), rel=1e-6)
    after, impulses = system.impact(q, np.ones(CHAIN))
    assert np.abs(J @ after).max() < 1e-10 and list(impulses) == ["end", "k"]
    assert M @ (after - 1) == pytest.approx(J.T @ np.linalg.lstsq(J.T, M @ (after - 1), rcond=None)[0], abs=1e-7)
    both = system.forward_dynamics(np.stack([q, q * math.nan]), v, tau)
    assert np.array_equal(both[0], a) and np.isnan(both[1]).all()


def test_what_was_derived_is_kept() -> None:
    """The second call compiles nothing: the engine of a structure is one object."""
    system = gallery("hopper")
    engine = system._engine
    assert engine.structure(system.structure("stance"), True) is engine.structure(system.structure("stance"), True)
    assert engine.structure(system.structure("stance"), True) is not engine.structure(system.structure("stance"), False)
    setting = engine.structure(system.structure("stance"), True).setting
    q, v = list(system.model.start.q), [0.0] * system.nv
    expected = structure_dynamics(setting, q, v, v, 0.0).a
    found = system.forward_dynamics(q, v, v, structure="stance", applied=True)
    assert found == pytest.approx(np.array(expected, float), rel=1e-9, abs=1e-9)


# --- single precision ----------------------------------------------------------------------------------------------


def test_single_precision_for_batches(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "panda_like.xml")
    q, v, x = rng.normal(size=(3, 200, arm.nv))
    for name, blocks in (("inverse_dynamics", (q, v, x)), ("forward_dynamics", (q, v, x)), ("mass_matrix", (q,))):
        double, single = getattr(arm, name)(*blocks), getattr(arm, name)(*blocks, dtype="float32")
        assert single.dtype == np.float32 and single.shape == double.shape
        condition = np.linalg.cond(arm.mass_matrix(q)).max() if name == "forward_dynamics" else 1.0
        assert np.abs(single - double).max() < 1e-6 * condition * np.abs(double).max(), name
    out = np.empty((200, arm.nv), np.float32)
    assert arm.inverse_dynamics(q, v, x, out=out, dtype="float32") is out
    # One state, after the method has become machine code for doubles.
    arm.inverse_dynamics(q[0], v[0], x[0])
    assert arm.inverse_dynamics(q[0], v[0], x[0], dtype="float32").dtype == np.float32


def test_single_precision_is_refused_where_there_is_none(models_dir: Path) -> None:
    linkage = sistel.load(models_dir / "four_bar.xml")
    with pytest.raises(sistel.SistelError, match="single"):
        linkage.forward_dynamics([0, 0, 0], [0, 0, 0], [0, 0, 0], dtype="float32")
    with pytest.raises(sistel.SistelError, match="half"):
        linkage.mass_matrix([0, 0, 0], dtype="half")  # type: ignore[arg-type]
