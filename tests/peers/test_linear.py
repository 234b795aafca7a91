"""Linear systems against Pinocchio's analytic derivatives and MuJoCo's differences, on the same files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.robots import FOLDERS

import sistel

pytestmark = pytest.mark.peer

ARM, DOG = "ur_description/urdf/ur5_robot.urdf", "anymal_b_simple_description/robots/anymal.urdf"


def _file(name: str) -> Path:
    return next(folder / name for folder in FOLDERS if (folder / name).exists())


@pytest.mark.parametrize(("name", "free"), [(ARM, False), (DOG, True)])
def test_derivatives_of_pinocchio(name: str, free: bool, tmp_path: Path) -> None:
    pin = pytest.importorskip("pinocchio")
    system = sistel.load(_file(name), base="free" if free else "fixed")
    written = tmp_path / "robot.urdf"
    sistel.load(_file(name)).save(written)
    model = pin.buildModelFromUrdf(str(written), *([pin.JointModelFreeFlyer()] if free else []))
    data = model.createData()
    rng = np.random.default_rng(7)
    nv = system.nv
    q, v, tau = pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq)), *rng.uniform(-1, 1, (2, nv))
    pin.computeABADerivatives(model, data, q, v, tau)
    by_q, by_v, by_u = data.ddq_dq, data.ddq_dv, np.triu(data.Minv) + np.triu(data.Minv, 1).T
    # Places of velocities: hinges by their names; a free body has turns first here, and shifts first there.
    order = [model.joints[model.getJointId(body.joint.name)].idx_v for body in system.bodies if body.joint.type.nv == 1]
    at = [model.joints[model.getJointId(body.joint.name)].idx_q for body in system.bodies if body.joint.type.nv == 1]
    own_q = list(q[at])
    R = np.eye(3)
    if free:
        x, y, z, w = q[3:7]
        own_q = [w, x, y, z, *q[:3], *own_q]
        order = [3, 4, 5, 0, 1, 2, *order]
        R = pin.Quaternion(q[3:7]).matrix()
    linear = system.linearize(at=own_q, v=v[order], tau=tau[order], inputs=list(system.model.rate_names), applied=False)
    by_q, by_v, by_u = (matrix[np.ix_(order, order)] for matrix in (by_q, by_v, by_u))
    if free:
        by_q[:, 3:6] = by_q[:, 3:6] @ R.T  # shifts along axes of the world here, of the body there
    for found, expected in ((linear.A[nv:, :nv], by_q), (linear.A[nv:, nv:], by_v), (linear.B[nv:], by_u)):
        assert np.linalg.norm(found - expected) <= 1e-12 * np.linalg.norm(expected)


MJCF = """<mujoco><compiler angle="radian"/><option gravity="0 0 -9.81" timestep="1e-4" integrator="Euler"/><worldbody>
  <body name="b" pos="0 0 1"><freejoint name="b"/>
    <inertial pos="0.01 0.02 -0.03" mass="2" fullinertia="0.1 0.2 0.25 0.01 0 0"/>
    <body name="one" pos="0.1 0 0"><joint name="one" type="hinge" axis="0 1 0" damping="0.1"/>
      <inertial pos="0 0 -0.2" mass="1" diaginertia="0.01 0.02 0.01"/>
      <body name="two" pos="0 0 -0.4"><joint name="two" type="slide" axis="1 0 1"/>
        <inertial pos="0 0.1 0" mass="0.5" diaginertia="0.003 0.002 0.004"/></body></body></body>
  </worldbody><actuator><motor name="m" joint="one"/><motor name="n" joint="two"/></actuator></mujoco>"""


def test_differences_of_mujoco(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    path = tmp_path / "flyer.xml"
    path.write_text(MJCF)
    system = sistel.load(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_EULERDAMP)  # damping as a force, not within the step
    data = mujoco.MjData(model)
    rng = np.random.default_rng(5)
    turn = rng.normal(size=4)
    data.qpos[:] = [0.1, 0.2, 1.3, *turn / np.linalg.norm(turn), 0.3, 0.05]
    data.qvel[:] = rng.uniform(-1, 1, 8)
    data.ctrl[:] = 0.7, -0.4
    step, B_step = np.zeros((16, 16)), np.zeros((16, 2))
    mujoco.mjd_transitionFD(model, data, 1e-6, True, step, B_step, None, None)
    h = model.opt.timestep
    mujoco.mj_forward(model, data)
    # There: shifts and their velocities along axes of the world first, then turns; here turns first, velocities in the body.
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, data.qpos[3:7])
    R = R.reshape(3, 3)
    v = np.concatenate([data.qvel[3:6], R.T @ data.qvel[:3], data.qvel[6:]])
    q = np.concatenate([data.qpos[3:7], data.qpos[:3], data.qpos[7:]])
    tau = np.concatenate([np.zeros(6), data.ctrl])
    linear = system.linearize(at=q, v=v, tau=tau)
    swap = np.zeros((8, 8))
    swap[:3, 3:6], swap[3:6, :3], swap[6:, 6:] = np.eye(3), np.eye(3), np.eye(2)
    T = np.zeros((16, 16))
    T[:8, :8], T[8:, 8:] = swap, swap
    T[11:14, 8:11] = R.T
    T[11:14, 3:6] = _turning(v[3:6])
    # Rates of the hinge and the slide are the same there; half of the digits are left to differences.
    assert (linear.A @ T)[14:] == pytest.approx((step[14:] - np.eye(16)[14:]) / h, rel=1e-5, abs=1e-5)
    assert linear.B[14:] == pytest.approx(B_step[14:] / h, rel=1e-6)


def _turning(u: np.ndarray) -> np.ndarray:
    """Change of what a velocity that stays is in axes of a body that turns: u × turn."""
    return np.array([[0.0, -u[2], u[1]], [u[2], 0.0, -u[0]], [-u[1], u[0], 0.0]])


@pytest.mark.parametrize("name", ["double_pendulum", "cart_pole", "ur5_like", "panda_like", "stanford"])
def test_five_systems_against_mujoco(name: str, models_dir: Path, tmp_path: Path) -> None:
    """Accelerations that MuJoCo finds at states around one, by differences of the fourth order: about ten digits."""
    mujoco = pytest.importorskip("mujoco")
    system = sistel.load(models_dir / f"{name}.xml")
    system.save(tmp_path / "there.mjcf")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "there.mjcf"))
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT) | int(mujoco.mjtDisableBit.mjDSBL_LIMIT)
    data, n = mujoco.MjData(model), system.nv
    rng = np.random.default_rng(11)
    at, tau = np.concatenate([rng.uniform(0.1, 0.6, n), rng.uniform(-1.0, 1.0, n)]), rng.uniform(-2.0, 2.0, n)

    def accelerations(x: np.ndarray) -> np.ndarray:
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = x[:n], x[n : 2 * n], x[2 * n :]
        mujoco.mj_forward(model, data)
        return np.array(data.qacc)

    there, h = np.concatenate([at, tau]), 1e-3
    columns = []
    for i in range(3 * n):
        step = np.zeros(3 * n)
        step[i] = h
        near, far = (accelerations(there + k * step) - accelerations(there - k * step) for k in (1, 2))
        columns.append((8.0 * near - far) / (12.0 * h))
    found = np.array(columns).T
    linear = system.linearize(at=at[:n], v=at[n:], tau=tau, inputs=list(system.model.rate_names), applied=False)
    own = np.hstack([linear.A[n:], linear.B[n:]])
    assert np.abs(own - found).max() <= 1e-8 * np.abs(found).max()
    assert np.abs(own[:, :n]).max() > 0.1  # gravity and turning make them large enough to tell
