"""Steps from Python, as programs that learn take them: `stepper.step(u)` beside MuJoCo's `mj_step`, at equal error.

A pendulum with ticks of 10 ms and a Panda with ticks of 1 ms. MuJoCo takes one Runge-Kutta step a tick; sistel takes
the loosest tolerance whose error after 500 ticks is not larger. "bare" is the same machine code called again and again
from C, without what Python adds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from _bench import RESULTS, machine, options, write
from _controlled import GOAL, KD, KP, START, Arm

import sistel

PENDULUM = (
    '<system><body name="arm" joint="revolute" mass="1" com="0,500" inertia="0.01"><motor name="arm"/></body></system>'
)
PENDULUM_MJCF = """<mujoco><option gravity="0 9.81 0"><flag constraint="disable" contact="disable"/></option><worldbody>
  <body><inertial pos="0 0.5 0" mass="1" diaginertia="0.01 0.01 0.01"/><joint type="hinge" axis="0 0 1"/></body>
</worldbody></mujoco>"""
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 2.0**-52)
TICKS = 500


def least(rounds: int, go: Callable[[], object]) -> float:
    """The least time of some rounds [s]."""
    found = np.inf
    for _ in range(rounds):
        start = time.perf_counter()
        go()
        found = min(found, time.perf_counter() - start)
    return float(found)


def race(system: sistel.System, mjcf: str, period: float, q: Any, goal: Any, gains: Any, rounds: int) -> dict[str, Any]:
    """Seconds a step, and errors."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf)
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, period
    data = mujoco.MjData(model)
    kp, kd = gains

    def theirs() -> Any:
        mujoco.mj_resetData(model, data)
        data.qpos[:] = q
        for _ in range(TICKS):
            data.qfrc_applied[:] = kp * (goal - data.qpos) - kd * data.qvel
            mujoco.mj_step(model, data)
        return np.concatenate([data.qpos, data.qvel])

    def through(stepper: Any) -> Any:
        stepper.reset(q=q)
        for _ in range(TICKS):
            stepper.step(kp * (goal - stepper.q) - kd * stepper.v)
        return np.concatenate([stepper.q, stepper.v])

    exact = through(system.stepper(period))
    error = float(np.abs(theirs() - exact).max())
    for tolerance in TOLERANCES:
        stepper = system.stepper(period, tolerance=tolerance)
        own = float(np.abs(through(stepper) - exact).max())
        if own <= error:
            break
    u = np.zeros(len(stepper.names))

    def steps() -> None:
        for _ in range(TICKS):
            stepper.step(u)

    def mj_steps() -> None:
        for _ in range(TICKS):
            data.qfrc_applied[:] = u
            mujoco.mj_step(model, data)

    bare = stepper._native

    def native() -> None:
        for _ in range(TICKS):
            bare()

    for _ in range(14):
        steps()  # machine code with all effort
    return {
        "error": error,
        "own error": own,
        "tolerance": tolerance,
        "step": least(rounds, steps) / TICKS,
        "machine code and its call": least(rounds, native) / TICKS,
        "mj_step": least(rounds, mj_steps) / TICKS,
        "loop": least(rounds, lambda: through(stepper)) / TICKS,
        "MuJoCo's loop": least(rounds, theirs) / TICKS,
        "copy": least(rounds, stepper.copy),
        "reset": least(rounds, stepper.reset),
    }


def main() -> int:
    """Race, and write the outcome."""
    chosen, arm = options(__doc__, rounds=30), Arm()
    one = np.array([1.0])
    outcome = {
        "pendulum": race(sistel.parse(PENDULUM), PENDULUM_MJCF, 0.01, 0.3 * one, one, (20.0, 0.8), chosen.rounds),
        "panda": race(arm.bare, arm.mjcf, 1e-3, START, GOAL, (KP, KD), chosen.rounds),
    }
    for name, row in outcome.items():
        print(name)
        for key, value in row.items():
            timed = key not in ("error", "own error", "tolerance")
            print(f"  {key:26} {value * 1e6:9.2f} µs" if timed else f"  {key:26} {value:9.1e}")
    write({"machine": machine(), **outcome}, RESULTS / "stepper.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
