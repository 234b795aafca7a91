"""Inverse dynamics of the Panda arm called from Python, one state at a time and in batches, against Pinocchio's module.

Pinocchio's Python functions take one state; its C++ library is not part of this race. Both sides see the same numbers:
the robot is read by sistel, written as URDF, and that file is given to Pinocchio.
"""

from __future__ import annotations

import sysconfig
import tempfile
from pathlib import Path

import numpy as np
import pinocchio
from _bench import measure, options, report

import sistel

ROBOTS = Path(sysconfig.get_path("purelib"), "cmeel.prefix", "share", "example-robot-data", "robots")
FINGERS = ("panda_finger_joint1", "panda_finger_joint2")
STATES = 4096


def main() -> None:
    arguments = options(__doc__, rounds=30)
    arm = sistel.load(ROBOTS / "panda_description" / "urdf" / "panda.urdf", lock=FINGERS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "panda.urdf")
        arm.save(path)
        peer = pinocchio.buildModelFromUrdf(str(path))
    data = peer.createData()
    rng = np.random.default_rng(1)
    Q = rng.uniform(-np.pi, np.pi, size=(STATES, arm.nq))
    V, A = rng.normal(size=(2, STATES, arm.nv))
    q, v, a = Q[0].copy(), V[0].copy(), A[0].copy()
    expected = np.array([pinocchio.rnea(peer, data, *state) for state in zip(Q, V, A, strict=True)])
    found = arm.inverse_dynamics(Q, V, A)
    assert np.abs(found - expected).max() < 1e-13 * np.abs(expected).max()
    assert np.abs(arm.inverse_dynamics(q, v, a) - expected[0]).max() < 1e-13 * np.abs(expected).max()
    out = np.empty(arm.nv)
    cases = {
        "pin.rnea, one state": lambda: pinocchio.rnea(peer, data, q, v, a),
        "sistel, one state": lambda: arm.inverse_dynamics(q, v, a),
        "sistel, one state, out=": lambda: arm.inverse_dynamics(q, v, a, out=out),
        f"sistel, {STATES} states": lambda: arm.inverse_dynamics(Q, V, A),
    }
    timings = measure(cases, rounds=arguments.rounds)
    report("dynamics", timings, arguments.json)
    print(f"\n{timings[-1].minimum / STATES * 1e9:.0f} ns a state in the batch")


if __name__ == "__main__":
    main()
