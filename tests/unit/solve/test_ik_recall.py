"""Calls of inverse kinematics that are remembered: the same answers, by machine code, and nothing kept too long."""

from __future__ import annotations

import copy
import gc
import inspect
import math
import pickle
import sys
from pathlib import Path
from types import BuiltinFunctionType

import numpy as np
import pytest

import sistel
from sistel.kernels import Place, Remembered, remember
from sistel.solve import Solution
from sistel.solve.ik._single import Room


def some(arm: sistel.System, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    low = np.array([body.joint.minimum[0] for body in arm.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.bodies])
    q = rng.uniform(np.maximum(low, -math.pi), np.minimum(high, math.pi), (count, arm.nq))
    return q, arm.pose(q, "tool")


def same(one: Solution, many: Solution, i: int) -> bool:
    assert one.success is bool(many.success[i]) and one.reason is many.reason[i] is None and one.solutions is None
    assert one.iterations == many.iterations[i] and one.attempt == many.attempt[i]
    assert np.array_equal(one.nearest, many.nearest[i]) and np.abs(one.residual - many.residual[i]).max() < 1e-15
    return np.array_equal(one.q, many.q[i])


def test_remembered_calls_answer_as_all_others(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    q, X = some(arm, rng, 40)
    begin = np.clip(q + 0.02, -0.7, 0.7)
    together = arm.inverse_kinematics(X, "tool")
    seeded = arm.inverse_kinematics(X, "tool", q=begin, tolerance=1e-6)
    pointing = arm.inverse_kinematics(X, "tool", task="pointing", limits=False)
    for i, x in enumerate(X):
        # Three calls in turn, each of them remembered by and by.
        assert same(arm.inverse_kinematics(x, "tool"), together, i)
        assert same(arm.inverse_kinematics(x, "tool"), together, i)
        assert same(arm.inverse_kinematics(x, "tool", q=begin[i], tolerance=1e-6), seeded, i)
        assert same(arm.inverse_kinematics(x, "tool", q=begin[i], tolerance=1e-6), seeded, i)
        for _ in range(2):
            assert same(arm.inverse_kinematics(x, task="pointing", frame="tool", limits=False), pointing, i)
    assert isinstance(arm.__dict__["inverse_kinematics"], BuiltinFunctionType)
    # What is unusual goes the usual way.
    assert same(arm.inverse_kinematics(X[3].tolist(), "tool"), together, 3)
    assert same(arm.inverse_kinematics(np.asfortranarray(X[3]), "tool"), together, 3)
    assert same(arm.inverse_kinematics(X[3].astype(">f8"), "tool"), together, 3)
    assert same(arm.inverse_kinematics(target=X[3], frame="tool"), together, 3)
    assert same(arm.inverse_kinematics(X[3], "tool", q=begin[3].tolist(), tolerance=1e-6), seeded, 3)
    assert arm.inverse_kinematics(X, "tool").q.shape == (40, 6)
    assert arm.inverse_kinematics(X[3], "tool", "analytic").iterations == 0
    far = X[3].copy()
    far[0, 3] = 9.0
    lost = arm.inverse_kinematics(far, "tool")
    assert lost.success is False and np.array_equal(lost.q, arm.inverse_kinematics(far[None], "tool").q[0])
    for bad, word in ((np.full((4, 4), np.nan), "not finite"), (2.0 * np.eye(4), "right angles|0 0 0 1")):
        with pytest.raises(sistel.SistelError, match=word):
            arm.inverse_kinematics(bad, "tool")
    with pytest.raises(sistel.SistelError, match="not finite"):
        arm.inverse_kinematics(X[3], "tool", q=np.full(6, np.nan), tolerance=1e-6)
    for kind in (complex, str, object):
        with pytest.raises(sistel.SistelError, match="real numbers"):
            arm.inverse_kinematics(X[3].astype(kind), "tool")
        with pytest.raises(sistel.SistelError, match="real numbers"):
            arm.inverse_kinematics(X[3], "tool", q=begin[3].astype(kind), tolerance=1e-6)
    for threads in (0, -1, True, "x", 1.0):
        with pytest.raises(sistel.SistelError, match="threads"):
            arm.inverse_kinematics(X[3], "tool", threads=threads)
    with pytest.raises(TypeError):
        arm.inverse_kinematics(X[3], "tool", qq=3)
    # Answers are the caller's own.
    first = arm.inverse_kinematics(X[3], "tool")
    kept = first.q.copy()
    arm.inverse_kinematics(X[4], "tool")
    assert np.array_equal(first.q, kept) and first.q.flags.writeable and first.q.flags.owndata


def test_what_stands_for_the_method_says_what_it_does(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    X = arm.pose([0.3, 0.5, -0.4, 0.2, 0.6, -0.1], "tool")
    said, names = inspect.getdoc(arm.inverse_kinematics), list(inspect.signature(arm.inverse_kinematics).parameters)
    kinds = set()
    for words in ({}, {"task": "position"}):
        for _ in range(20):
            arm.inverse_kinematics(X, "tool", **words)
            method = arm.inverse_kinematics
            kinds.add(type(method))
            assert inspect.getdoc(method) == said and method.__name__ == "inverse_kinematics"
            assert list(inspect.signature(method).parameters) == names
    assert len(kinds) == 2 and BuiltinFunctionType in kinds


def test_copies_and_other_processes(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    q = np.array([0.3, 0.5, -0.4, 0.2, 0.6, -0.1])
    X = arm.pose(q, "tool")
    for _ in range(20):
        found = arm.inverse_kinematics(X, "tool")
    for made in (copy.copy(arm), copy.deepcopy(arm), pickle.loads(pickle.dumps(arm))):
        assert made is not arm and "inverse_kinematics" not in made.__dict__
        assert np.array_equal(made.inverse_kinematics(X, "tool").q, found.q)
        assert np.array_equal(made.mass_matrix(q), arm.mass_matrix(q))


def test_numbers_of_numpy_and_empty_batches(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    q = np.array([0.3, 0.5, -0.4, 0.2, 0.6, -0.1])
    X = arm.pose(q, "tool")
    plain = arm.inverse_kinematics(X, "tool", restarts=5, seed=3, tolerance=2.0**-20)
    other = arm.inverse_kinematics(
        X, "tool", restarts=np.int64(5), seed=np.uint8(3), threads=np.int32(1), tolerance=np.float32(2.0**-20)
    )
    assert plain.success and np.array_equal(plain.q, other.q)
    assert arm.inverse_kinematics(X[None][:0], "tool", q=q[None][:0]).q.shape == (0, 6)
    assert arm.manipulability(np.zeros((0, 6)), "tool").shape == (0,)
    assert arm.capacity(np.zeros((2, 0, 6)), "tool").mass.shape == (2, 0)
    with pytest.raises(sistel.SistelError, match="damping is"):
        arm.inverse_kinematics(X, "tool", damping=(1.0,))
    with pytest.raises(sistel.SistelError, match='"None"'):
        arm.pose(q, None)


def test_nothing_is_kept(models_dir: Path, rng: np.random.Generator) -> None:
    gc.collect()
    others = [each for each in gc.get_objects() if isinstance(each, sistel.System | Room)]
    arm = sistel.load(models_dir / "puma560.xml")
    X = some(arm, rng, 20)[1]
    for x in X:
        arm.inverse_kinematics(x, "tool")
    kind = np.dtype(np.float64)
    before = [sys.getrefcount(each) for each in (Solution, kind, X)]
    for _ in range(50):
        for x in X:
            arm.inverse_kinematics(x, "tool")
    after = [sys.getrefcount(each) for each in (Solution, kind, X)]
    assert all(abs(b - a) < 20 for a, b in zip(before, after, strict=True))
    solution = arm.inverse_kinematics(X[0], "tool")
    assert gc.is_tracked(solution)
    own = solution.q
    held = sys.getrefcount(own)
    del solution
    left = sys.getrefcount(own)
    assert left == held - 1
    del arm, x
    gc.collect()
    assert [each for each in gc.get_objects() if isinstance(each, sistel.System | Room)] == others


def test_a_call_of_another_shape_is_left_alone() -> None:
    calls = []

    def general(*arguments: object, **words: object) -> str:
        calls.append((arguments, words))
        return "general"

    numbers, room = np.zeros(3), np.zeros(3)
    call = Remembered(
        positional=(Place(address=room.ctypes.data, shape=(3,)), "a"),
        named=(("b", None),),
        defaults=(),
        function=0,
        made=Solution,
        fields={"q": None},
        keep=(),
    )
    # Not all slots are said: that cannot be remembered.
    assert remember(call, general) is general
    assert numbers.sum() == 0.0 and not calls
