"""The five robots of the races, as sistel and Pinocchio see them: the same numbers, states converted exactly.

sistel snaps rotations that a file writes as truncated multiples of π; it writes the snapped robot as URDF, and that
file is what the others read. The planar biped is built for spatial engines in its own plane: x right, y down, z into
the page, hips 0.1 m to either side and inertias completed, none of which changes its motion.
"""

from __future__ import annotations

import sysconfig
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from _bench import ROOT
from _native import Missing

import sistel

ROBOTS = Path(sysconfig.get_path("purelib"), "cmeel.prefix", "share", "example-robot-data", "robots")
BIPED_INERTIAS = {
    # About x, the hinges' y and z, of the table that the gallery's biped comes from; here y is down and z the hinges'.
    "torso": (1.3, 1.2, 0.4),
    "thigh": (0.11, 0.10, 0.02),
    "shank": (0.06, 0.055, 0.01),
    "foot": (0.003, 0.005, 0.004),
}
HIPS = 0.1
"""Distance of the hips from the plane, on either side [m]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Robot:
    """A robot of the races."""

    key: str
    title: str
    title_ru: str
    path: Path
    base: str = "fixed"
    lock: tuple[str, ...] = ()
    tool: str
    """The body that carries the tool frame."""
    p_tool: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Origin of the tool frame in that body [m]."""

    def load(self, **options: Any) -> sistel.System:
        if not self.path.exists():
            raise Missing(f"{self.path.name} is missing (pip install example-robot-data)")
        if self.path.suffix == ".xml":
            return sistel.load(self.path)
        return sistel.load(self.path, **{"base": self.base, "lock": self.lock, **options})

    def urdf(self, folder: Path) -> Path:
        """The snapped robot, on a fixed base, for those who read URDF: without shapes, friction and limits."""
        path = folder / f"{self.key}.urdf"
        self.load(base="fixed").save(path)
        tree = ElementTree.parse(path)
        for parent in tree.iter():
            for child in [child for child in parent if child.tag in ("visual", "collision", "dynamics", "mimic")]:
                parent.remove(child)
        if self.p_tool != (0.0, 0.0, 0.0):
            link = ElementTree.SubElement(tree.getroot(), "link", name="tool_frame")
            joint = ElementTree.SubElement(tree.getroot(), "joint", name="tool_frame_joint", type="fixed")
            ElementTree.SubElement(joint, "parent", link=self.tool)
            ElementTree.SubElement(joint, "child", link=link.get("name", ""))
            ElementTree.SubElement(joint, "origin", xyz=" ".join(map(repr, self.p_tool)), rpy="0 0 0")
        tree.write(path)
        return path

    @property
    def frame(self) -> str:
        """The link of the tool frame in that URDF."""
        return self.tool if self.p_tool == (0.0, 0.0, 0.0) else "tool_frame"


RACE = {
    robot.key: robot
    for robot in (
        Robot(
            key="panda",
            title="Panda, 7 DoF",
            title_ru="Panda, 7 степеней",
            path=ROBOTS / "panda_description" / "urdf" / "panda.urdf",
            lock=("panda_finger_joint1", "panda_finger_joint2"),
            tool="panda_hand_tcp",
        ),
        Robot(
            key="ur5",
            title="UR5, 6 DoF",
            title_ru="UR5, 6 степеней",
            path=ROBOTS / "ur_description" / "urdf" / "ur5_robot.urdf",
            tool="tool0",
        ),
        Robot(
            key="biped",
            title="planar biped, 9 DoF",
            title_ru="плоский двуногий, 9 степеней",
            path=ROOT / "models" / "planar_biped.xml",
            base="planar",
            tool="left_foot",
            p_tool=(0.05, 0.08, 0.0),
        ),
        Robot(
            key="anymal",
            title="ANYmal, 18 DoF",
            title_ru="ANYmal, 18 степеней",
            path=ROBOTS / "anymal_b_simple_description" / "robots" / "anymal.urdf",
            base="free",
            tool="LF_FOOT",
        ),
        Robot(
            key="g1",
            title="G1 humanoid, 35 DoF",
            title_ru="человекоподобный G1, 35 степеней",
            path=ROBOTS / "g1_description" / "urdf" / "g1_29dof_rev_1_0.urdf",
            base="free",
            tool="left_wrist_yaw_link",
            p_tool=(0.1, 0.0, 0.0),
        ),
    )
}

MORE = {
    robot.key: robot
    for robot in (
        Robot(
            key="ur10",
            title="UR10, 6 DoF",
            title_ru="UR10, 6 степеней",
            path=ROBOTS / "ur_description" / "urdf" / "ur10_robot.urdf",
            tool="tool0",
        ),
        Robot(
            key="talos",
            title="Talos humanoid, 38 DoF",
            title_ru="человекоподобный Talos, 38 степеней",
            path=ROBOTS / "talos_data" / "robots" / "talos_reduced.urdf",
            base="free",
            tool="gripper_left_base_link",
        ),
        Robot(
            key="icub",
            title="iCub humanoid, 38 DoF",
            title_ru="человекоподобный iCub, 38 степеней",
            path=ROBOTS / "icub_description" / "robots" / "icub.urdf",
            base="free",
            tool="l_hand",
        ),
        Robot(
            key="alex",
            title="Alex humanoid with hands, 45 DoF",
            title_ru="человекоподобный Alex с кистями, 45 степеней",
            path=ROBOTS / "alex_description" / "urdf" / "alex_psyonic_hands.urdf",
            base="free",
            tool="LeftGripperYawLink",
        ),
        Robot(
            key="centauro",
            title="Centauro, 45 DoF",
            title_ru="Centauro, 45 степеней",
            path=ROBOTS / "centauro_description" / "urdf" / "centauro.urdf",
            base="free",
            tool="arm1_8",
        ),
    )
}
ALL = RACE | MORE
"""Those of the tables, and those that are raced when they are asked for."""
SKEW = ("alex", "centauro")
"""Robots with skew axes: 14 joints of Alex are neither parallel nor square to the joint before; 18 axes of Centauro are
along none of the axes of their frames. MuJoCo refuses iCub and Romeo, whose files have bodies without inertia.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One robot in sistel and in Pinocchio's Python module."""

    robot: Robot
    system: sistel.System
    model: Any
    """pinocchio.Model"""
    tool: tuple[int, Any]
    """Joint that carries the tool frame, and the frame's placement there (pinocchio.SE3)."""
    order: Any
    """For every number of Pinocchio's v, where it is in ours."""
    q_order: Any
    """The same for q; a planar base has cos and sin of its angle there instead."""

    def states(self, count: int, seed: int = 1) -> States:
        """Angles uniform in ±π, velocities and accelerations standard normal, forces ten times that."""
        rng = np.random.default_rng(seed)
        q = rng.uniform(-np.pi, np.pi, (count, self.system.nq))
        v, a, tau = rng.normal(size=(3, count, self.system.nv))
        if self.robot.base == "free":
            q[:, :4] /= np.linalg.norm(q[:, :4], axis=1, keepdims=True)
        return States(q, v, a, 10 * tau)


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """Rows of states in our coordinates."""

    q: Any
    v: Any
    a: Any
    tau: Any

    def blocks(self, names: Iterable[str]) -> list[Any]:
        """The inputs of a program, row after row."""
        return [np.ascontiguousarray(getattr(self, name)) for name in names]


def pair(robot: Robot) -> Pair:
    """Load a robot on both sides."""
    try:
        import pinocchio as pin
    except ImportError:
        raise Missing("Pinocchio is missing (pip install pin)") from None
    system = robot.load()
    if robot.base == "planar":
        model = _planar(system, pin)
        joint = model.getJointId(robot.tool)
        placement = pin.SE3(np.eye(3), np.array(robot.p_tool))
        return Pair(robot, system, model, (joint, placement), np.arange(system.nv), None)
    with tempfile.TemporaryDirectory() as folder:
        path = str(robot.urdf(Path(folder)))
        free = [pin.JointModelFreeFlyer()] if robot.base == "free" else []
        model = pin.buildModelFromUrdf(path, *free)
    frame = model.frames[model.getFrameId(robot.frame, pin.FrameType.BODY)]
    tool = frame.parentJoint, frame.placement
    order, q_order = np.empty(system.nv, int), np.empty(system.nq, int)
    for body in system.bodies:
        if body.joint.type.nv:
            joint = model.joints[model.getJointId("root_joint" if body.joint.type.key == "free" else body.joint.name)]
            assert joint.nv == body.joint.type.nv and joint.nq == body.joint.type.nq
            rates, coordinates = ([3, 4, 5, 0, 1, 2], [4, 5, 6, 1, 2, 3, 0]) if joint.nv == 6 else ([0], [0])
            order[joint.idx_v : joint.idx_v + joint.nv] = [body.first_v + k for k in rates]
            q_order[joint.idx_q : joint.idx_q + joint.nq] = [body.first_q + k for k in coordinates]
    return Pair(robot, system, model, tool, order, q_order)


def _planar(system: sistel.System, pin: Any) -> Any:
    model = pin.Model()
    model.gravity.linear = np.array(system.model.gravity)
    joints = [0]
    for body in system.bodies:
        kind = body.name.split("_")[-1]
        side = {"left": -HIPS, "right": HIPS}[body.name.split("_")[0]] if kind == "thigh" else 0.0
        place = pin.SE3(np.eye(3), np.add(body.p_PB, (0.0, 0.0, side)))
        type_ = pin.JointModelPlanar() if body.base == 0 else pin.JointModelRZ()
        joint = model.addJoint(joints[body.base], type_, place, body.name)
        along_x, across, along_z = BIPED_INERTIAS[kind]
        assert across == body.I_BBcm_B[2]
        inertia = pin.Inertia(body.mass, np.array(body.p_BoBcm_B), np.diag([along_x, along_z, across]))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
        joints.append(joint)
    return model


def dump(pair: Pair) -> str:
    """The Pinocchio model as the text that peers/pinocchio_race.cpp reads."""
    model = pair.model
    lines = ["gravity " + _numbers(model.gravity.linear)]
    for number in range(1, model.njoints):
        joint, inertia = model.joints[number], model.inertias[number]
        kind = joint.shortname().removeprefix("JointModel")
        axis = skew_axis(joint) if kind.endswith("Unaligned") else [0.0, 0.0, 0.0]
        I_C = np.asarray(inertia.inertia)
        moments = [I_C[0, 0], I_C[0, 1], I_C[1, 1], I_C[0, 2], I_C[1, 2], I_C[2, 2]]
        numbers = _numbers(axis, *placement(model.jointPlacements[number]), [inertia.mass], inertia.lever, moments)
        lines.append(f"joint {kind} {model.parents[number]} {numbers}")
    lines.append(f"frame {pair.tool[0]} {_numbers(*placement(pair.tool[1]))}")
    return "\n".join(lines) + "\n"


def skew_axis(joint: Any) -> Any:
    """The axis of a joint of Pinocchio's that is along none of the axes of its frame."""
    column = np.asarray(joint.createData().S).ravel()
    return column[3:] if joint.shortname().startswith("JointModelRevolute") else column[:3]


def placement(X: Any) -> tuple[Any, Any]:
    """Rotation by rows, what is 0 or ±1 but for rounding made so, and the place."""
    R = np.asarray(X.rotation)
    whole = np.round(R)
    return np.where(np.abs(R - whole) < 1e-15, whole, R).ravel(), X.translation


def _numbers(*parts: Any) -> str:
    return " ".join(repr(float(number)) for part in parts for number in part)
