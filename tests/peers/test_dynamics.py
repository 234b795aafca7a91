"""Equations of motion against Pinocchio: every robot of the data packages, on the URDF that sistel writes.

Robots are snapped on loading as by default and written again, so that both engines see the same numbers. All errors are
normwise: the norm of the difference over the norm of what Pinocchio finds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from support.robots import FOLDERS, robot_files

import sistel
from sistel.kernels import Loops, compile_program, user_cache
from sistel.mechanics import build_tree, derive, inverse_dynamics, mass_matrix
from sistel.pose import IDENTITY

pin = pytest.importorskip("pinocchio")

if TYPE_CHECKING:
    import numpy as np

pytestmark = pytest.mark.peer

Base = Literal["fixed", "free"]

NO_ROBOTS = {"falcon", "ur3", "test"}
"""Files that describe no robot."""

MOBILE = (
    *(
        "a1",
        "alex",
        "alexander",
        "anymal_b_simple",
        "anymal_c_simple",
        "b1",
        "bluevolta",
        "bolt",
        "borinot",
        "centauro",
    ),
    *("falcon", "g1", "go1", "go2", "hector", "hextilt", "human", "hyq", "icub", "iris", "laikago", "quadruped"),
    *("romeo", "simple_humanoid", "solo", "talos"),
)
"""Robots that walk, fly or swim: their base is free as well. Beginnings of the names of their folders."""

COMPILED: tuple[tuple[str, Base, int], ...] = (
    ("panda_description/urdf/panda.urdf", "fixed", 1000),
    ("ur_description/urdf/ur5_robot.urdf", "fixed", 1000),
    ("anymal_b_simple_description/robots/anymal.urdf", "free", 1000),
    ("g1_description/urdf/g1_29dof_rev_1_0.urdf", "free", 1000),
    ("tiago_description/robots/tiago_no_hand.urdf", "fixed", 20),
    ("xarm_description/urdf/xarm7.urdf", "fixed", 20),
)
"""Robots whose compiled kernels are compared, and in how many states: arms, a slide, a quadruped, a humanoid."""

TOLERANCE = 1e-13
UPPER = np.triu(np.ones((200, 200), dtype=bool))
"""The upper triangle of matrices, also of the largest robots."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One robot in both engines."""

    system: sistel.System
    model: Any
    data: Any
    rates: Any
    """For every number of our v, where it is in theirs."""

    def states(self, count: int, rng: np.random.Generator) -> tuple[Any, Any]:
        """Random coordinates in our order and in theirs."""
        ours = rng.uniform(-np.pi, np.pi, (count, self.system.nq))
        theirs = np.empty((count, self.model.nq))
        for body in self.system.bodies:
            if not body.joint.type.nq:
                continue
            joint = self.model.joints[joint_of(self.model, body)]
            i, j = body.first_q, joint.idx_q
            if body.joint.type.key == "free":
                ours[:, i : i + 4] /= np.linalg.norm(ours[:, i : i + 4], axis=1, keepdims=True)
                theirs[:, j : j + 7] = ours[:, [i + 4, i + 5, i + 6, i + 1, i + 2, i + 3, i]]
            elif joint.nq == 2:
                theirs[:, j], theirs[:, j + 1] = np.cos(ours[:, i]), np.sin(ours[:, i])
            else:
                theirs[:, j] = ours[:, i]
        return ours, theirs

    def given(self, ours: Any) -> Any:
        """Velocities, accelerations or forces, as Pinocchio orders them."""
        theirs = np.empty_like(ours)
        theirs[..., self.rates] = ours
        return theirs


def joint_of(model: Any, body: Any) -> int:
    name = "root_joint" if body.joint.type.key == "free" else body.joint.name
    assert model.existJointName(name), name
    return int(model.getJointId(name))


@cache
def pair(path: Path, base: Base) -> Pair:
    # A free base is Pinocchio's own, on the same file: what is written for a fixed base has no joint at the root.
    system = sistel.load(path, base=base)
    with TemporaryDirectory() as folder:
        file = Path(folder, "written.urdf")
        (system if base == "fixed" else sistel.load(path)).save(file)
        model = pin.buildModelFromUrdf(str(file), *([] if base == "fixed" else [pin.JointModelFreeFlyer()]))
    assert system.model.gravity == tuple(model.gravity.linear)
    assert system.nv == model.nv
    rates = np.empty(system.nv, int)
    for body in system.bodies:
        if body.joint.type.nv:
            joint = model.joints[joint_of(model, body)]
            order = [3, 4, 5, 0, 1, 2] if body.joint.type.key == "free" else [0]
            rates[body.first_v : body.first_v + joint.nv] = [joint.idx_v + k for k in order]
    return Pair(system, model, model.createData(), rates)


def condition(matrices: Any) -> Any:
    """Of symmetric matrices with positive eigenvalues."""
    sizes = np.linalg.eigvalsh(matrices)
    return sizes[:, -1] / sizes[:, 0]


def error(ours: Any, theirs: Any) -> float:
    """Normwise relative; what is exactly zero for them, as the weight of robots without masses, is zero for us."""
    ours, theirs = np.ravel(ours), np.ravel(theirs)
    difference, size = math.sqrt((ours - theirs) @ (ours - theirs)), math.sqrt(theirs @ theirs)
    return difference / size if size > 0 else difference


def their_mass_matrix(robot: Pair, q: Any) -> Any:
    M = np.array(pin.crba(robot.model, robot.data, q))
    M = np.where(UPPER[: len(M), : len(M)], M, M.T)  # older releases leave the lower triangle empty
    return M[robot.rates[:, np.newaxis], robot.rates]


def forward_dynamics(system: sistel.System) -> Any:
    """Of the tree alone: Pinocchio lets fingers move freely that are coupled in the file, as those of the Panda."""
    if not system.structure().holds:
        return system.forward_dynamics
    return compile_program(derive(build_tree(system.model), "forward_dynamics"))


def cases() -> list[Any]:
    bases: list[tuple[Path, Base]] = []
    for path in robot_files():
        folder = path.relative_to(next(root for root in FOLDERS if path.is_relative_to(root))).parts[0]
        if path.stem in NO_ROBOTS:
            continue
        bases.append((path, "fixed"))
        if any(folder.startswith(f"{name}_") for name in MOBILE):
            bases.append((path, "free"))
    return [pytest.param(path, base, id=f"{path.parent.parent.name}-{path.stem}-{base}") for path, base in bases]


@pytest.mark.parametrize(("path", "base"), cases())
def test_every_robot_in_numbers(path: Path, base: Base, rng: np.random.Generator) -> None:
    """The formulations on plain numbers: what kernels are derived from, without the time that deriving takes."""
    robot = pair.__wrapped__(path, base)
    tree = build_tree(robot.system.model)
    count = 20 if robot.system.nv <= 20 else 4  # numbers through Python: large humanoids take their time
    q, theirs = robot.states(count, rng)
    v, a = rng.normal(size=(2, count, robot.system.nv))
    for i in range(count):
        tau = pin.rnea(robot.model, robot.data, theirs[i], robot.given(v[i]), robot.given(a[i]))[robot.rates]
        ours = inverse_dynamics(tree, q[i].tolist(), v[i].tolist(), a[i].tolist())
        assert error(ours, tau) <= TOLERANCE
    for i in range(0, count, 4):
        M = np.array(mass_matrix(tree, q[i].tolist())).reshape(robot.system.nv, robot.system.nv)
        assert error(M, their_mass_matrix(robot, theirs[i])) <= TOLERANCE


@pytest.mark.parametrize(("path", "base"), cases())
def test_every_robot_in_a_thousand_states(path: Path, base: Base, rng: np.random.Generator) -> None:
    """Machine code that loops over bodies serves all robots: nothing is derived for them."""
    robot = pair.__wrapped__(path, base)
    model, count = robot.system.model, 1000
    loops = Loops(model, cache=user_cache())
    q, theirs = robot.states(count, rng)
    v, x = rng.normal(size=(2, count, robot.system.nv))
    forces, matrices = loops.kernel("inverse_dynamics")(q, v, x), loops.kernel("mass_matrix")(q)
    matrices = matrices.reshape(count, robot.system.nv, robot.system.nv)
    massless = bool(robot.system.structure().why_not)
    accelerations = None if massless else loops.kernel("forward_dynamics")(q, v, 10 * x)
    conditions = np.ones(count) if massless or not robot.system.nv else condition(matrices)
    body = next(body for body in robot.system.bodies if body.name in some_bodies(robot.system))
    place = body.number, (0.0, 0.0, 0.0), IDENTITY
    poses = loops.frame_kernel("pose", *place)(q).reshape(count, 4, 4)
    jacobians = loops.frame_kernel("jacobian", *place)(q).reshape(count, 6, robot.system.nv)
    frame = robot.model.getFrameId(body.name, pin.FrameType.BODY)
    for i in range(count):
        state = theirs[i], robot.given(v[i])
        tau = np.array(pin.rnea(robot.model, robot.data, *state, robot.given(x[i])))[robot.rates]
        assert error(forces[i], tau) <= TOLERANCE
        assert error(matrices[i], their_mass_matrix(robot, theirs[i])) <= TOLERANCE
        if accelerations is not None:
            a = np.array(pin.aba(robot.model, robot.data, *state, robot.given(10 * x[i])))[robot.rates]
            assert error(accelerations[i], a) <= 1e-15 * conditions[i]
        J = pin.computeFrameJacobian(robot.model, robot.data, theirs[i], frame, pin.LOCAL_WORLD_ALIGNED)
        assert error(jacobians[i], J[np.ix_([3, 4, 5, 0, 1, 2], robot.rates)]) <= TOLERANCE
        pin.updateFramePlacement(robot.model, robot.data, frame)
        assert error(poses[i], robot.data.oMf[frame].homogeneous) <= TOLERANCE


def compiled_case(name: str, base: Base, count: int) -> Any:
    slow = [pytest.mark.slow] if name.startswith("g1") else []  # deriving the equations of a humanoid
    return pytest.param((name, base, count), id=f"{Path(name).stem}-{base}", marks=slow)


@pytest.fixture(params=[compiled_case(*case) for case in COMPILED])
def compiled(request: pytest.FixtureRequest, robots_dir: Path) -> tuple[Pair, int]:
    name, base, count = request.param
    return pair(robots_dir / name, base), count


def test_inverse_dynamics(compiled: tuple[Pair, int], rng: np.random.Generator) -> None:
    robot, count = compiled
    q, theirs = robot.states(count, rng)
    v, a = rng.normal(size=(2, count, robot.system.nv))
    results = [(robot.system.inverse_dynamics(q, v, a), v, a)]
    if robot.system.nv <= 20:  # the others are the same recursion with zeros, not worth the time that a humanoid takes
        results.append((robot.system.bias_forces(q, v), v, 0 * a))
        results.append((robot.system.gravity_forces(q), 0 * v, 0 * a))
    for ours, velocities, accelerations in results:
        rates = zip(theirs, robot.given(velocities), robot.given(accelerations), strict=True)
        expected = [np.array(pin.rnea(robot.model, robot.data, *state)) for state in rates]
        # Weight alone may vanish in some pose while its parts do not: it is measured by what it is over all states.
        typical = float(np.median([np.linalg.norm(tau) for tau in expected]))
        worst = max(
            float(np.linalg.norm(tau - other[robot.rates])) / max(float(np.linalg.norm(other)), 0.1 * typical)
            for tau, other in zip(ours, expected, strict=True)
        )
        assert worst <= TOLERANCE


def test_mass_matrix_and_forward_dynamics(compiled: tuple[Pair, int], rng: np.random.Generator) -> None:
    robot, count = compiled
    q, theirs = robot.states(count, rng)
    v, tau = rng.normal(size=(2, count, robot.system.nv))
    tau *= 10
    matrices = robot.system.mass_matrix(q)
    conditions = np.linalg.cond(matrices)
    accelerations = forward_dynamics(robot.system)(q, v, tau)
    for i in range(count):
        assert error(matrices[i], their_mass_matrix(robot, theirs[i])) <= TOLERANCE
        a = np.array(pin.aba(robot.model, robot.data, theirs[i], robot.given(v[i]), robot.given(tau[i])))[robot.rates]
        # Both engines solve M a = b, so rounding of b and M alone is worth cond(M) times as much in a.
        assert error(accelerations[i], a) <= 1e-15 * conditions[i]


def some_bodies(system: sistel.System) -> set[str]:
    """The body with the most joints between it and the ground, the last one, and one between."""
    joints = [0]
    for body in system.bodies:
        joints.append(joints[body.base] + body.joint.type.nv)
    between = next(body for body in system.bodies if joints[body.number] >= max(joints) // 2)
    return {system.bodies[joints.index(max(joints)) - 1].name, between.name, system.bodies[-1].name}


def test_poses_and_jacobians(compiled: tuple[Pair, int], rng: np.random.Generator) -> None:
    robot, count = compiled
    q, theirs = robot.states(count, rng)
    for name in some_bodies(robot.system):
        frame = robot.model.getFrameId(name, pin.FrameType.BODY)
        poses, jacobians = robot.system.pose(q, name), robot.system.jacobian(q, name)
        for i in range(count):
            J = pin.computeFrameJacobian(robot.model, robot.data, theirs[i], frame, pin.LOCAL_WORLD_ALIGNED)
            assert error(jacobians[i], J[np.ix_([3, 4, 5, 0, 1, 2], robot.rates)]) <= TOLERANCE
            pin.updateFramePlacement(robot.model, robot.data, frame)
            assert error(poses[i], robot.data.oMf[frame].homogeneous) <= TOLERANCE
