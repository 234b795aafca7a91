"""One engine called from Python, one state at a time: a process that times itself when it is told to.

Started by benchmarks/bench_calls.py with an interpreter that has the engine: calls.py ENGINE FOLDER. The folder holds
robot.json (see `Job`), states.npz and the files that robot.json names. The first line of the answer is JSON: the
engine's version and the cases. Then every line that comes in is answered with one line:
    results          writes results.npz with the results of every case for every state
    time CASE CALLS  seconds of one call of the case, over that many calls
"""

from __future__ import annotations

import gc
import itertools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Case = Callable[[int], Any]
"""Computes state number i from arrays of its own, and returns the result."""


class Job:
    """What to compute: the robot in every form, and states in the engine's own coordinates."""

    def __init__(self, folder: Path) -> None:
        import numpy as np

        self.folder = folder
        self.data = json.loads((folder / "robot.json").read_text(encoding="utf-8"))
        with np.load(folder / "states.npz") as states:
            # Every state has arrays of its own, as a person's program would.
            self.q, self.v, self.a, self.tau = ([row.copy() for row in states[name]] for name in ("q", "v", "a", "tau"))

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def path(self, name: str) -> str:
        return str(self.folder / self.data[name])


def sistel(job: Job) -> tuple[str, dict[str, Case]]:
    import numpy as np

    import sistel

    system = sistel.load(job.path("urdf"), base=job["base"])
    q, v, a, tau, tool = job.q, job.v, job.a, job.tau, job["tool"]
    out = np.empty(system.nv)
    both = (f"pose:{tool}", f"jacobian:{tool}")
    return sistel.__version__, {
        "RNEA": lambda i: system.inverse_dynamics(q[i], v[i], a[i]),
        "RNEA, out=": lambda i: system.inverse_dynamics(q[i], v[i], a[i], out=out),
        "CRBA": lambda i: system.mass_matrix(q[i]),
        "FD": lambda i: system.forward_dynamics(q[i], v[i], tau[i]),
        "FD, out=": lambda i: system.forward_dynamics(q[i], v[i], tau[i], out=out),
        "FK+J": lambda i: (system.pose(q[i], tool), system.jacobian(q[i], tool)),
        "FK+J, at once": lambda i: system.compute(q[i], want=both),
    }


def pinocchio(job: Job) -> tuple[str, dict[str, Case]]:
    import pinocchio as pin

    free = [pin.JointModelFreeFlyer()] if job["base"] == "free" else []
    model = pin.buildModelFromUrdf(job.path("urdf"), *free)
    data = model.createData()
    frame = model.getFrameId(job["tool"])
    q, v, a, tau = job.q, job.v, job.a, job.tau

    def frame_jacobian(i: int) -> Any:
        J = pin.computeFrameJacobian(model, data, q[i], frame, pin.LOCAL_WORLD_ALIGNED)
        return data.oMf[frame], J

    return pin.__version__, {
        "RNEA": lambda i: pin.rnea(model, data, q[i], v[i], a[i]),
        "CRBA": lambda i: pin.crba(model, data, q[i]),
        "FD": lambda i: pin.aba(model, data, q[i], v[i], tau[i]),
        "FK+J": frame_jacobian,
    }


def mujoco(job: Job) -> tuple[str, dict[str, Case]]:
    import mujoco as mj
    import numpy as np

    model = mj.MjModel.from_xml_path(job.path("mjcf"))
    data = mj.MjData(model)
    site = model.site("tool").id
    q, v, a, tau = job.q, job.v, job.a, job.tau
    J, M = np.empty((6, model.nv)), np.empty((model.nv, model.nv))

    def inverse(i: int) -> Any:
        data.qpos, data.qvel, data.qacc = q[i], v[i], a[i]
        mj.mj_inverse(model, data)
        return data.qfrc_inverse

    def matrix(i: int) -> Any:
        data.qpos = q[i]
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_makeM(model, data)
        mj.mj_fullM(model, data, M)
        return M

    def forward(i: int) -> Any:
        data.qpos, data.qvel, data.qfrc_applied = q[i], v[i], tau[i]
        mj.mj_forward(model, data)
        return data.qacc

    def frame(i: int) -> Any:
        data.qpos = q[i]
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_jacSite(model, data, J[:3], J[3:], site)
        return data.site_xmat[site], data.site_xpos[site], J

    return mj.__version__, {"RNEA": inverse, "CRBA": matrix, "FD": forward, "FK+J": frame}


def drake(job: Job) -> tuple[str, dict[str, Case]]:
    from importlib.metadata import version

    import numpy as np
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import JacobianWrtVariable, MultibodyForces

    plant = MultibodyPlant(time_step=0.0)
    Parser(plant).AddModels(job.path("urdf"))
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(job["root"]))
    plant.Finalize()
    context = plant.CreateDefaultContext()
    forces = MultibodyForces(plant)
    frame, world = plant.GetFrameByName(job["tool"]), plant.world_frame()
    port = plant.get_applied_generalized_force_input_port()
    q, v, a, tau = job.q, job.v, job.a, job.tau
    fixed = port.FixValue(context, tau[0])

    def inverse(i: int) -> Any:
        plant.SetPositions(context, q[i])
        plant.SetVelocities(context, v[i])
        plant.CalcForceElementsContribution(context, forces)
        return plant.CalcInverseDynamics(context, a[i], forces)

    def matrix(i: int) -> Any:
        plant.SetPositions(context, q[i])
        return plant.CalcMassMatrix(context)

    def forward(i: int) -> Any:
        plant.SetPositions(context, q[i])
        plant.SetVelocities(context, v[i])
        fixed.GetMutableData().set_value(tau[i])
        return plant.EvalTimeDerivatives(context).CopyToVector()[plant.num_positions() :]

    def frame_jacobian(i: int) -> Any:
        plant.SetPositions(context, q[i])
        X = frame.CalcPoseInWorld(context)
        return X, plant.CalcJacobianSpatialVelocity(context, JacobianWrtVariable.kV, frame, np.zeros(3), world, world)

    return version("drake"), {"RNEA": inverse, "CRBA": matrix, "FD": forward, "FK+J": frame_jacobian}


def rtb(job: Job) -> tuple[str, dict[str, Case]]:
    from importlib.metadata import version

    import numpy as np
    import roboticstoolbox as toolbox

    links = []
    for row in job["links"]:
        names = ("a", "d", "alpha", "m", "r")
        I_C = np.array(row["I"])
        links.append(toolbox.RevoluteMDH(**{name: row[name] for name in names}, I=I_C, Jm=0, G=1, B=0))
    robot = toolbox.DHRobot(links)  # gravity is 9.81 m/s² down, whose sign differs between releases
    ets = toolbox.ETS([part for X in job["placements"] for part in (toolbox.ET.SE3(np.array(X)), toolbox.ET.Rz())])
    ets = ets * toolbox.ETS([toolbox.ET.SE3(np.array(job["tool_placement"]))])
    q, v, a = job.q, job.v, job.a
    return version("roboticstoolbox-python"), {
        "RNEA": lambda i: robot.rne(q[i], v[i], a[i]),
        "FK+J": lambda i: (ets.eval(q[i]), ets.jacob0(q[i])),
    }


ENGINES = {engine.__name__: engine for engine in (sistel, pinocchio, mujoco, drake, rtb)}


def numbers(result: Any) -> Any:
    """A result as one row of numbers; a pose is its rotation by rows and its place."""
    import numpy as np

    if isinstance(result, tuple):
        return np.concatenate([numbers(part) for part in result])
    if hasattr(result, "homogeneous"):  # Pinocchio
        return np.concatenate([np.ravel(result.rotation), np.ravel(result.translation)])
    if hasattr(result, "GetAsMatrix34"):  # Drake
        return np.concatenate([np.ravel(result.rotation().matrix()), np.ravel(result.translation())])
    result = np.asarray(result)
    if result.shape == (4, 4):
        return np.concatenate([result[:3, :3].ravel(), result[:3, 3]])
    return result.ravel().copy()


def main() -> None:
    engine, folder = sys.argv[1], Path(sys.argv[2])
    # What engines print belongs to people; the answers go where the parent listens.
    answers, sys.stdout = sys.stdout, sys.stderr
    job = Job(folder)
    try:
        version, cases = ENGINES[engine](job)
    except ImportError as error:
        print(json.dumps({"missing": str(error)}), file=answers, flush=True)
        return
    for case in cases.values():
        case(0)  # the first call may compile or load
    print(json.dumps({"version": version, "cases": list(cases)}), file=answers, flush=True)
    gc.disable()
    count = len(job.q)
    for line in sys.stdin:
        word, *rest = line.rstrip("\n").split("\t")
        if word == "results":
            import numpy as np

            rows = {name: np.array([numbers(case(i)) for i in range(count)]) for name, case in cases.items()}
            np.savez(folder / "results.npz", **rows)
            answer = 0.0
        else:
            case, calls = cases[rest[0]], int(rest[1])
            states = list(itertools.islice(itertools.cycle(range(count)), calls))
            start = time.perf_counter()
            for i in states:
                case(i)
            answer = (time.perf_counter() - start) / calls
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    main()
