"""Closed loops and standing feet against Pinocchio's constrained dynamics, on the same bodies.

Pinocchio solves the same equations through a sparse Cholesky factorisation of the whole matrix, without the proximal
term here. Velocities keep to the constraints: off them the two engines stabilise differently.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from support.structures import allowed, at, jacobian, poses, random_q, rigid, tree_of

import sistel
from sistel.mechanics import Setting, impact, mass_matrix, reactions, solve_singular, structure_dynamics
from sistel.model import Model, Structure

pin = pytest.importorskip("pinocchio")

pytestmark = pytest.mark.peer


def constrained(model: Any, constraints: list[Any], q: Any, v: Any, tau: Any) -> tuple[Any, list[Any]]:
    """Accelerations, and the forces of the constraints."""
    data = model.createData()
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for constraint in constraints:
        models.append(constraint)
        datas.append(constraint.createData())
    try:
        pin.initConstraintDynamics(model, data, models, datas)
    except TypeError:  # before release 4
        pin.initConstraintDynamics(model, data, models)
    a = pin.constraintDynamics(model, data, q, v, tau, models, datas, pin.ProximalSettings(1e-14, 0.0, 20))
    return np.array(a), [np.array(each.contact_force.vector) for each in datas]


def setting_of(model: Model, structure: Structure) -> Setting:
    return Setting(model=model, tree=tree_of(model), structure=structure)


def condition_of(model: Model, structure: Structure, q: Any) -> float:
    """What rounding is worth: the condition of M, and the square of that of the rows in its metric."""
    M = np.array(mass_matrix(tree_of(model), list(q)), float)
    M = np.tril(M) + np.tril(M, -1).T
    half = np.linalg.solve(np.linalg.cholesky(M), jacobian(model, structure, q).T)
    return float(np.linalg.cond(M) * np.linalg.cond(half) ** 2)


# --- feet of a quadruped -----------------------------------------------------------------------------------------------

FEET = {"LF": (0.02, -0.01, -0.03), "RF": (0.0, 0.01, -0.02), "LH": (0.01, 0.0, -0.03), "RH": (-0.01, 0.02, -0.02)}
"""Places on the feet, off their origins [m]."""


@cache
def quadruped(path: Path) -> tuple[sistel.System, Any]:
    """ANYmal with a point on every foot, and a structure for one to four of them; the same in Pinocchio."""
    tree = ET.fromstring(sistel.load(path, base="free").to_xml())
    for body in tree.iter("body"):
        for leg, p in FEET.items():
            if body.get("name") == f"{leg}_FOOT" or body.get("name") == f"{leg}_SHANK":
                if body.get("name") == f"{leg}_SHANK" and any(
                    b.get("name") == f"{leg}_FOOT" for b in tree.iter("body")
                ):
                    continue
                place = ", ".join(repr(1000 * x) for x in p)
                ET.SubElement(body, "point", {"name": f"sole {leg}", "place": place})
    links = tree.find("links")
    links = ET.SubElement(tree, "links") if links is None else links
    for leg in FEET:
        ET.SubElement(links, "contact", {"name": leg, "point": f"sole {leg}", "surface": "z >= 0"})
    for count in range(1, 5):
        ET.SubElement(links, "structure", {"name": f"on {count}", "holds": ", ".join(list(FEET)[:count])})
    order = {"start": 1}
    tree[:] = sorted(tree, key=lambda node: order.get(node.tag, 0))
    system = sistel.parse(ET.tostring(tree, encoding="unicode"))
    with TemporaryDirectory() as folder:
        file = Path(folder, "written.urdf")
        sistel.load(path).save(file)
        theirs = pin.buildModelFromUrdf(str(file), pin.JointModelFreeFlyer())
    return system, theirs


def to_theirs(system: sistel.System, theirs: Any, q: Any) -> tuple[Any, Any]:
    """Coordinates in their order, and for every velocity of ours where it is in theirs."""
    found, rates = np.zeros(theirs.nq), np.empty(system.nv, int)
    for body in system.bodies:
        if not body.joint.type.nv:
            continue
        free = body.joint.type.key == "free"
        joint = theirs.joints[theirs.getJointId("root_joint" if free else body.joint.name)]
        if free:
            found[joint.idx_q : joint.idx_q + 7] = np.array(q)[[4, 5, 6, 1, 2, 3, 0]]
        else:
            found[joint.idx_q] = q[body.first_q]
        order = [3, 4, 5, 0, 1, 2] if free else [0]
        rates[body.first_v : body.first_v + joint.nv] = [joint.idx_v + k for k in order]
    return found, rates


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_feet_of_a_quadruped(count: int, robots_dir: Path, rng: np.random.Generator) -> None:
    system, theirs = quadruped(robots_dir / "anymal_b_simple_description" / "robots" / "anymal.urdf")
    model, structure = system.model, system.structure(f"on {count}")
    setting = setting_of(model, structure)
    for _ in range(3):
        q = random_q(model, rng)
        v = allowed(jacobian(model, structure, q), rng.normal(size=model.nv))
        tau = 10 * rng.normal(size=model.nv)
        where, rates = to_theirs(system, theirs, q)
        X = poses(model, q)
        constraints = []
        data = theirs.createData()
        pin.forwardKinematics(theirs, data, where)
        for contact in model.contacts[:count]:
            body = model.bodies[contact.body - 1]
            while not body.joint.type.nv:
                body = model.bodies[body.base - 1]
            joint = theirs.getJointId(body.joint.name)
            place = data.oMi[joint].actInv(at(X[contact.body], contact.p_BP))
            constraints.append(
                pin.RigidConstraintModel(
                    pin.ContactType.CONTACT_3D, theirs, joint, pin.SE3(np.eye(3), place), pin.ReferenceFrame.LOCAL
                )
            )
        given = np.empty((2, system.nv))
        given[:, rates] = v, tau
        expected, forces = constrained(theirs, constraints, where, *given)
        bound = 1e-14 * condition_of(model, structure, q)
        for solve in ((), (solve_singular,)):
            motion = structure_dynamics(setting, q, v.tolist(), tau.tolist(), 0.0, *solve)
            a = np.array(motion.a, float)
            assert np.linalg.norm(a - expected[rates]) <= bound * np.linalg.norm(a)
            carried = reactions(setting, q, v.tolist(), motion)
            for contact, constraint, force in zip(model.contacts, constraints, forces, strict=False):
                # Theirs is in the axes of the joint.
                world = data.oMi[constraint.joint1_id].rotation @ force[:3]
                assert np.array(carried[contact.name][1], float) == pytest.approx(
                    world, abs=bound * max(1.0, float(np.abs(world).max()))
                )


@pytest.mark.parametrize("count", [1, 4])
def test_strikes_of_a_quadruped(count: int, robots_dir: Path, rng: np.random.Generator) -> None:
    """A plastic impact, and one that gives back a part."""
    system, theirs = quadruped(robots_dir / "anymal_b_simple_description" / "robots" / "anymal.urdf")
    model, structure = system.model, system.structure(f"on {count}")
    q, v = random_q(model, rng), rng.normal(size=model.nv)
    where, rates = to_theirs(system, theirs, q)
    before = np.empty(system.nv)
    before[rates] = v
    J = jacobian(model, structure, q)
    rows = np.empty_like(J)
    rows[:, rates] = J
    data = theirs.createData()
    pin.crba(theirs, data, where)
    for restitution in (0.0, 0.4):
        after = np.array(pin.impulseDynamics(theirs, data, where, before, rows, restitution, 0.0))[rates]
        found = np.array(impact(setting_of(model, structure), q, v.tolist(), restitution, 0.0).v, float)
        assert np.linalg.norm(found - after) <= 1e-14 * condition_of(model, structure, q) * np.linalg.norm(after)


# --- loops -------------------------------------------------------------------------------------------------------------


def branch(name: str, count: int, rng: Any) -> str:
    """A chain of hinges in space, as URDF."""
    text, parent = "", "ground"
    for i in range(count):
        x, axis = rng.uniform(-0.3, 0.3, 3), rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        turn, com = rng.uniform(-1, 1, 3), rng.uniform(-0.1, 0.1, 3)
        words = {
            key: " ".join(repr(float(y)) for y in value)
            for key, value in (("x", x), ("a", axis), ("r", turn), ("c", com))
        }
        text += (
            f'<joint name="{name}{i}" type="continuous"><parent link="{parent}"/><child link="{name}{i}l"/>'
            f'<origin xyz="{words["x"]}" rpy="{words["r"]}"/><axis xyz="{words["a"]}"/></joint>'
            f'<link name="{name}{i}l"><inertial><origin xyz="{words["c"]}"/><mass value="{1 + 0.3 * i}"/>'
            '<inertia ixx="0.02" iyy="0.03" izz="0.025" ixy="0.001" ixz="-0.002" iyz="0.003"/></inertial></link>'
        )
        parent = f"{name}{i}l"
    return text


@pytest.mark.parametrize(("joint", "kind"), [("spherical", "CONTACT_3D"), ("fixed", "CONTACT_6D")])
def test_loops_in_space(joint: str, kind: str, rng: np.random.Generator) -> None:
    """Two branches of four hinges each, whose ends are a ball or welded together."""
    urdf = f'<robot name="loop"><link name="ground"/>{branch("l", 4, rng)}{branch("r", 4, rng)}</robot>'
    opened = sistel.parse(urdf)
    with TemporaryDirectory() as folder:
        file = Path(folder, "written.urdf")
        opened.save(file)
        theirs = pin.buildModelFromUrdf(str(file))
    text = opened.to_xml().replace(
        "</system>", f'<links><closure name="c" joint="{joint}" body="l3l" to="r3l"/></links></system>'
    )
    if "<links>" in opened.to_xml():
        pytest.fail("the branches should have no links")
    system = sistel.parse(text)
    model, structure = system.model, system.structure()
    for _ in range(5):
        q = random_q(model, rng, 3.0)
        X = poses(model, q)
        (closure,) = model.closures
        first = rigid(np.eye(3), (0.05, -0.02, 0.07))
        second = np.linalg.inv(X[closure.second.body]) @ X[closure.first.body] @ first
        sides = [
            replace(
                side, p_BS=tuple(map(float, place[:3, 3])), R_BS=tuple(tuple(map(float, row)) for row in place[:3, :3])
            )
            for side, place in ((closure.first, first), (closure.second, second))
        ]
        met = replace(model, closures=(replace(closure, first=sides[0], second=sides[1]),))
        v = allowed(jacobian(met, structure, q), rng.normal(size=model.nv))
        tau = rng.normal(size=model.nv)
        data = theirs.createData()
        rates = np.array(
            [theirs.joints[theirs.getJointId(body.joint.name)].idx_v for body in model.bodies if body.joint.type.nv]
        )
        angles = np.array([q[body.first_q] for body in model.bodies if body.joint.type.nv])
        where = np.array(pin.neutral(theirs))
        for body, angle in zip([b for b in model.bodies if b.joint.type.nv], angles, strict=True):
            index = theirs.joints[theirs.getJointId(body.joint.name)].idx_q
            where[index : index + 2] = np.cos(angle), np.sin(angle)
        pin.forwardKinematics(theirs, data, where)
        ends = []
        for side, name in zip(sides, ("l3", "r3"), strict=True):
            number = theirs.getJointId(name)
            place = X[side.body] @ rigid(side.R_BS, side.p_BS)
            ends.append((number, data.oMi[number].actInv(pin.SE3(place[:3, :3], place[:3, 3]))))
        constraint = pin.RigidConstraintModel(
            getattr(pin.ContactType, kind), theirs, *ends[0], *ends[1], pin.ReferenceFrame.LOCAL
        )
        given = np.empty((2, model.nv))
        given[:, rates] = v, tau
        expected, _ = constrained(theirs, [constraint], where, *given)
        bound = 1e-14 * condition_of(met, structure, q)
        for solve in ((), (solve_singular,)):
            a = np.array(
                structure_dynamics(setting_of(met, structure), q, v.tolist(), tau.tolist(), 0.0, *solve).a, float
            )
            assert np.linalg.norm(a - expected[rates]) <= bound * np.linalg.norm(a)
