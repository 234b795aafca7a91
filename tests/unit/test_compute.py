"""Calls that become machine code after some time, and several quantities in one call."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.face._kept import MOST_LINKS, OFTEN

WANT = ("pose:tool", "jacobian:tool", "jacobian_rate:tool", "mass_matrix", "bias_forces", "gravity_forces")
BOTH = ("inverse_dynamics", "momentum")


def states(system: sistel.System, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    q = np.tile(np.array(system.model.start.q, dtype=float), (count, 1))
    for body in system.model.bodies:
        if not body.joint.type.has_quaternion:
            first = body.first_q
            q[:, first : first + body.joint.type.nq] += rng.normal(size=(count, body.joint.type.nq))
    return q, rng.normal(size=(count, system.nv)), rng.normal(size=(count, system.nv))


@pytest.fixture
def arm(models_dir: Path) -> sistel.System:
    return sistel.load(models_dir / "panda_like.xml")


def test_methods_stay_the_same_when_they_become_machine_code(arm: sistel.System) -> None:
    """The same bits before and after, whatever else is asked in between; errors stay errors."""
    (q, *_), (v, *_), _ = states(arm, 3)
    calls = {
        "mass_matrix": (q,),
        "pose": (q, "tool"),
        "jacobian": (q, "tool"),
        "jacobian_rate": (q, v, "tool"),
    }
    before = {name: getattr(arm, name)(*given) for name, given in calls.items()}
    for _ in range(OFTEN + 2):
        for name, given in calls.items():
            found = getattr(arm, name)(*given)
            assert found.shape == before[name].shape and np.array_equal(found, before[name])
            assert found.flags.c_contiguous and found.flags.writeable
    for name in calls:
        assert type(getattr(arm, name)).__name__ == "builtin_function_or_method"
    # Everything else is handed back: lists, batches, other kinds of numbers, other names, numbers of bodies.
    assert np.array_equal(arm.pose(q.tolist(), "tool"), before["pose"])
    assert np.array_equal(arm.pose(np.tile(q, (3, 1)), "tool")[1], before["pose"])
    assert np.array_equal(arm.pose(np.tile(q, 2)[::2][: arm.nq].copy() * 0 + q, "".join(["to", "ol"])), before["pose"])
    assert arm.pose(q, 1).shape == (4, 4)
    assert arm.mass_matrix(q, dtype="float32").dtype == np.float32
    for wrong in (lambda: arm.pose(q, "tol"), lambda: arm.pose(q[:-1], "tool"), lambda: arm.mass_matrix("x")):
        with pytest.raises(sistel.SistelError):
            wrong()


def test_many_names_become_a_chain_that_ends(arm: sistel.System) -> None:
    (q, *_), _, _ = states(arm, 1)
    names = [*(body.name for body in arm.bodies), *(frame.name for frame in arm.model.frames)]
    expected = {name: arm.pose(q, name) for name in names}
    assert len(names) > MOST_LINKS
    for _ in range(2 * OFTEN):
        for name in names:
            assert np.array_equal(arm.pose(q, name), expected[name])
    assert sum(key[0] == "pose" for key in arm._kept.calls) == len(names)


@pytest.mark.parametrize("name", ["panda_like", "scara", "quadruped", "compass_walker"])
def test_several_at_once_are_what_methods_give(name: str, models_dir: Path) -> None:
    system = sistel.load(models_dir / f"{name}.xml")
    q, v, a = states(system, 4)
    frame = system.bodies[-1].name
    want = tuple(each.replace("tool", frame) for each in WANT)
    expected = [
        system.pose(q, frame),
        system.jacobian(q, frame),
        system.jacobian_rate(q, v, frame),
        system.mass_matrix(q),
        system.bias_forces(q, v),
        system.gravity_forces(q),
    ]
    for found, own in zip(system.compute(q, v, want=want), expected, strict=True):
        assert found.shape == own.shape
        # The same formulas, summed in another order where they are shared.
        assert np.abs(found - own).max() <= 1e-13 * max(1.0, np.abs(own).max())
    tau, momentum = system.compute(q, v, a, want=BOTH)
    assert np.abs(tau - system.inverse_dynamics(q, v, a)).max() <= 1e-13 * np.abs(tau).max()
    assert np.abs(momentum - system.momentum(q, v)).max() <= 1e-13 * max(1.0, np.abs(momentum).max())
    one = [system.compute(q[0], v[0], want=want) for _ in range(OFTEN + 2)]
    assert all(np.array_equal(x, y) for x, y in zip(one[0], one[-1], strict=True))
    assert type(one[-1]) is tuple and [x.shape for x in one[-1]] == [x.shape for x in one[0]]


def test_large_systems_too() -> None:
    bodies = "".join(
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" place="100, 0" mass="1" com="50, 0"/>'
        for i in range(70)
    )
    system = sistel.parse(f"<system>{bodies}</system>")
    q, v, _ = states(system, 2)
    T, M = system.compute(q, want=("pose:b69", "mass_matrix"))
    assert np.array_equal(T, system.pose(q, "b69")) and np.array_equal(M, system.mass_matrix(q))
    assert np.array_equal(system.compute(q, v, want=("bias_forces",))[0], system.bias_forces(q, v))


@pytest.mark.parametrize(
    ("want", "code", "words"),
    [
        ("mass_matrix", "bad-want", "tuple"),
        ((), "bad-want", "tuple"),
        (5, "bad-want", "tuple"),
        ((["pose"],), "unknown-name", "pose:NAME"),
        (("mas_matrix",), "unknown-name", "mass_matrix"),
        (("pose",), "unknown-name", "pose:NAME"),
        (("pose:tol",), "unknown-name", "tool"),
        (("mass_matrix:tool",), "unknown-name", "mass_matrix"),
        (("bias_forces",), "missing-argument", "without v"),
        (("inverse_dynamics",), "missing-argument", "without v, a"),
    ],
)
def test_what_cannot_be_computed_is_told(arm: sistel.System, want: object, code: str, words: str) -> None:
    with pytest.raises(sistel.SistelError) as caught:
        arm.compute(np.zeros(arm.nq), want=want)  # type: ignore[arg-type]
    (told,) = caught.value.diagnostics
    assert told.code == code and words in str(caught.value)
    assert told.message.ru and told.message.ru != told.message.en
