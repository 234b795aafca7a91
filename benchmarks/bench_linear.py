"""Derivatives of an arm's motion at a state: a named linear system, MuJoCo's differences, Pinocchio's derivatives.

All are called from Python. MuJoCo takes two steps for every number of the state (`mjd_transitionFD`, centred) and gives
A alone here; Pinocchio's analytic derivatives (`computeABADerivatives`) are bare arrays. sistel gives A and B, and
finds the independent coordinates, names everything and looks for kinks besides. Before the clock starts all agree: with
Pinocchio to 1e-12, with differences to half of the digits.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from _bench import RESULTS, machine, measure, options, table, write
from _mujoco import mjcf
from _robots import ALL, pair

ROBOTS = ("panda", "ur5")
STEP = 1e-6
"""Of MuJoCo's differences."""


def cases(key: str) -> dict[str, Any]:
    """The ways for one robot, checked against each other."""
    import mujoco
    import pinocchio as pin

    found = pair(ALL[key])
    system, nv, state = found.system, found.system.nv, found.states(1)
    q, v, tau = state.q[0], state.v[0], state.tau[0]
    names = list(system.model.rate_names)
    theirs, data = found.model, found.model.createData()
    moved = q[found.q_order], v[found.order], tau[found.order]
    model = mujoco.MjModel.from_xml_string(mjcf(found))
    seen = mujoco.MjData(model)
    seen.qpos[:], seen.qvel[:], seen.qfrc_applied[:] = moved
    A = np.zeros((2 * nv, 2 * nv))

    def own() -> Any:
        return system.linearize(at=q, v=v, tau=tau, inputs=names, applied=False)

    def differences() -> Any:
        mujoco.mjd_transitionFD(model, seen, STEP, True, A, None, None, None)
        return A

    def analytic() -> Any:
        pin.computeABADerivatives(theirs, data, *moved)
        return data

    linear, analytic_data, step = own(), analytic(), differences() / model.opt.timestep
    by_q = linear.A[nv:, :nv][np.ix_(found.order, found.order)]
    assert np.linalg.norm(by_q - analytic_data.ddq_dq) <= 1e-12 * np.linalg.norm(by_q)
    assert np.linalg.norm(by_q - step[nv:, :nv]) <= 1e-5 * np.linalg.norm(by_q)
    return {"sistel": own, "MuJoCo, differences": differences, "Pinocchio, bare": analytic}


def main() -> int:
    """Race, and write the outcome."""
    chosen = options(__doc__, rounds=30)
    outcome: dict[str, Any] = {}
    for key in ROBOTS:
        timings = measure(cases(key), rounds=chosen.rounds)
        print(f"{key}\n{table(timings)}")
        outcome[key] = {timing.name: timing.minimum for timing in timings}
    write({"machine": machine(), "seconds": outcome}, RESULTS / "linear.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
