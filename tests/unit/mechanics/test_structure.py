"""Motion under constraints: one dense matrix, Newton and Euler body by body, and closed forms of textbooks."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from support.robots import gallery_files
from support.structures import (
    allowed,
    at,
    dense,
    gallery,
    integrated,
    jacobian,
    met_states,
    parsed,
    poses,
    second_slope,
    slope,
    touching,
    tree_of,
)

import sistel
from sistel.expr import Graph, Program, evaluate
from sistel.mechanics import Motion, Setting, mass_matrix, moved, solve_singular, structure_dynamics
from sistel.mechanics import impact as impact_of
from sistel.mechanics import reactions as reactions_of
from sistel.mechanics._derive import expressions
from sistel.model import Model

G = 9.81


def structures() -> list[Any]:
    found = []
    for path in gallery_files():
        system = gallery(path.stem)
        found += [
            pytest.param(path.stem, structure.name, id=f"{path.stem}-{structure.name}")
            for structure in system.structures
            if structure.holds or structure.changes
        ]
    return found


GALLERY = structures()


@cache
def setting_of(name: str, structure: str) -> Setting:
    system = gallery(name)
    return Setting(
        model=system.model,
        tree=tree_of(system.model),
        structure=system.structure(structure),
        redundant=frozenset(system.mobility(structure).redundant),
        applied=True,
    )


def derived(setting: Setting) -> Program:
    """The equations as they are compiled, without the search for the cheapest ones."""
    graph, tree = Graph(), setting.tree
    q, v, tau, (t,) = (
        graph.inputs(name, n) for name, n in (("q", tree.nq), ("v", tree.nv), ("tau", tree.nv), ("t", 1))
    )
    motion = structure_dynamics(setting, list(q), list(v), list(tau), t)
    return graph.program(
        {
            "a": expressions(graph, motion.a),
            "multipliers": expressions(graph, motion.multipliers),
            "margin": expressions(graph, [motion.margin]),
        },
    )


def whole(setting: Setting, motion: Motion, q: Any, v: Any, tau: Any) -> tuple[Any, Any, float]:
    """Accelerations and multipliers of one dense matrix, and its condition."""
    tree = setting.tree
    system_rows = [row for index, row in enumerate(motion.rows) if index not in setting.redundant]
    J = np.array([row.J for row in system_rows], float)
    pushing = J + np.array([[0.0] * tree.nv if row.drag is None else row.drag for row in system_rows], float)
    M = np.array(mass_matrix(tree, list(q)), float)
    M = np.tril(M) + np.tril(M, -1).T
    from sistel.mechanics import inverse_dynamics

    force = np.array(tau) - np.array(inverse_dynamics(tree, list(q), list(v), [0.0] * tree.nv), float)
    if motion.applied is not None:
        force = force + np.array(motion.applied.generalized, float)
    a, multipliers = dense(M, force, J, pushing, [-float(row.bias) for row in system_rows])
    scales = 1 / np.sqrt(np.diag(M))
    scaled = (J * scales) / np.linalg.norm(J * scales, axis=1)[:, None]
    condition = float(np.linalg.cond(M * np.outer(scales, scales)) * np.linalg.cond(scaled) ** 2)
    return a, multipliers, condition


CANCELS = {"scout": 4.0}
"""Where servos push some times harder than rows hold: what is left of their forces has the rounding of the larger."""


@pytest.mark.parametrize(("name", "structure"), GALLERY)
def test_motion_of_the_gallery_is_that_of_one_dense_matrix(name: str, structure: str, rng: np.random.Generator) -> None:
    """Derived equations, the same on numbers, and singular values: three ways to what NumPy solves at once."""
    setting, system = setting_of(name, structure), gallery(name)
    q, v, tau = met_states(system, structure, rng, 2)
    line = derived(setting)
    for i in range(2):
        state = [list(map(float, block)) for block in (q[i], v[i], tau[i])]
        motion = structure_dynamics(setting, *state, 0.3)
        a, multipliers, condition = whole(setting, motion, *state)
        kept = [k for k in range(len(motion.rows)) if k not in setting.redundant]
        bound = 1e-14 * condition
        graph_a, graph_multipliers, (margin,) = evaluate(line, *state, [0.3])
        by_values = structure_dynamics(setting, *state, 0.3, solve_singular)
        for found, carried in (
            (motion.a, motion.multipliers),
            (graph_a, graph_multipliers),
            (by_values.a, by_values.multipliers),
        ):
            assert np.linalg.norm(np.array(found, float) - a) <= bound * np.linalg.norm(a)
            forces = np.array(carried, float)
            carries = CANCELS.get(name, 1.0) * max(1.0, float(np.linalg.norm(multipliers)))
            assert np.linalg.norm(forces[kept] - multipliers) <= bound * carries
            assert not np.any(np.delete(forces, kept))
        # A foot of 1e-12 kg moves so easily that all rows of its leg look alike: elimination is left for singular values.
        assert 1e-8 < margin <= 1.0 or name == "simplest_walker"


@pytest.mark.parametrize(
    ("name", "structure"),
    [
        ("four_bar", "only"),
        ("hopper", "stance"),
        ("walker", "на левой"),
        ("universal_shaft", "only"),
        ("vending_pusher", "толкают"),
    ],
)
def test_what_is_compiled(name: str, structure: str, rng: np.random.Generator) -> None:
    """The face on batches, with and without applied forces: as numbers one by one."""
    system, setting = gallery(name), setting_of(name, structure)
    q, v, tau = met_states(system, structure, rng, 3)
    for applied in (False, True):
        found = system.forward_dynamics(q, v, tau, structure=structure, applied=applied)
        given = tau if not applied else tau + system.applied_forces(q, v)
        carried = system.reactions(q, v, tau, structure=structure, applied=applied)
        for i in range(3):
            motion = structure_dynamics(setting, q[i].tolist(), v[i].tolist(), tau[i].tolist(), 0.0)
            bare = Motion(motion.a, motion.rows, motion.multipliers, motion.margin, None)
            a, _, condition = whole(setting, bare, q[i], v[i], given[i])
            # The cheapest equations may be those of another tree, whose matrix is no better than the whole one here.
            condition *= float(np.linalg.cond(system.mass_matrix(q[i])))
            assert np.linalg.norm(found[i] - a) <= 1e-15 * condition * np.linalg.norm(a)
        if applied:
            loads = reactions_of(setting, q[2].tolist(), v[2].tolist(), motion)
            assert set(loads) == set(carried)
            size = max(np.abs(array).max() for array in carried.values())
            for key, (moment, force) in loads.items():
                assert carried[key][2] == pytest.approx(
                    np.array([*moment, *force], float), abs=1e-15 * condition * size
                )


# --- reactions ---------------------------------------------------------------------------------------------------------


def cross_matrix(X: Any) -> Any:
    return np.array([X[2, 1] - X[1, 2], X[0, 2] - X[2, 0], X[1, 0] - X[0, 1]]) / 2


@pytest.mark.parametrize(("name", "structure"), GALLERY)
def test_every_body_obeys_newton_and_euler(name: str, structure: str, rng: np.random.Generator) -> None:
    """m a = Σ forces and d/dt (I ω) = Σ moments with the reactions as they are returned.

    Accelerations are second differences of poses along q(h) = q ⊕ (v + ½ a h) h, so nothing of the derivation is used.
    Rounding is worth ε / step² = 2e-12 of lengths and turns; velocities of norm 1 keep the ninth derivatives small.
    """
    setting, system = setting_of(name, structure), gallery(name)
    model = system.model
    q, v, tau = (block[0] for block in met_states(system, structure, rng, 1, 0.2))
    v = v / max(1.0, float(np.linalg.norm(v)))
    motion = structure_dynamics(setting, q.tolist(), v.tolist(), tau.tolist(), 0.3, solve_singular)
    a = np.array(motion.a, float)
    speed = max(1.0, math.sqrt(float(np.linalg.norm(a))))  # a unit of time in which everything moves by about 1
    carried = reactions_of(setting, q.tolist(), v.tolist(), motion)
    X = poses(model, q)
    acting: list[list[tuple[Any, Any, Any]]] = [[] for _ in X]  # on every body: a place, a moment, a force

    def act(body: int, other: int, place: Any, moment: Any, force: Any) -> None:
        acting[body].append((place, moment, force))
        acting[other].append((place, -moment, -force))

    changed = {model.bodies[change.body - 1].joint.name: change for change in setting.structure.changes}
    for body in model.bodies:
        moment, force = (np.array(part, float) for part in carried[body.joint.name])
        if body.joint.name not in changed:
            act(body.number, body.base, X[body.number][:3, 3], moment, force)
            continue
        # What the joint drives is on its body, and no part of its reaction: that is what it holds now, on the body of
        # the point, at that point.
        change = changed[body.joint.name]
        owner = body.number if change.about is None else model.place_of(change.about)[0]
        held = np.array(
            [
                m * np.array(row.wrenches[0].force, float)
                for row, m in zip(motion.rows, motion.multipliers, strict=True)
                if row.wrenches
            ]
        ).sum(axis=0)
        act(owner, body.base, at(X[owner], change.p_BP), np.zeros(3), held)
        turn = next(i for i, (_, kind) in enumerate(body.joint.type.rates) if kind == "turn")
        driving = np.array([*(tau[body.first_v : body.first_v + turn]), 0.0])
        act(body.number, body.base, X[body.number][:3, 3], np.array([0, 0, tau[body.first_v + turn]]), driving)
        assert force == pytest.approx(held, abs=1e-10 * (1 + np.abs(force).max()))
    for key in setting.structure.holds:
        for thing in (*model.closures, *model.contacts, *model.locks):
            if thing.name != key or key not in carried:
                continue
            moment, force = (np.array(part, float) for part in carried[key])
            if hasattr(thing, "gap"):
                normal = next(row for row in motion.rows if row.link == key).wrenches[0].force
                act(thing.body, thing.on, touching(thing, normal, X), moment, force)
            elif hasattr(thing, "axis"):
                act(thing.first.body, thing.second.body, at(X[thing.first.body], thing.first.p_BS), moment, force)
            elif thing.first is not None:
                act(thing.first, thing.second or 0, X[thing.first][:3, 3], moment, force)
    blades = {blade.name for blade in model.blades}
    for row, m in zip(motion.rows, motion.multipliers, strict=True):
        # A belt draws at the hull and turns its sprocket: both are told by the row alone.
        for wrench in row.wrenches if row.link in blades else ():
            turning, pulling = (float(m) * np.array(part, float) for part in (wrench.moment, wrench.force))
            acting[wrench.body].append((at(X[wrench.body], wrench.p), turning, pulling))
    assert motion.applied is not None
    for number, p, moment, force in motion.applied.outer:
        acting[number].append((at(X[number], p), np.array(moment, float), np.array(force, float)))
    step = 1e-2 / speed
    second = second_slope(lambda h: np.array(poses(model, moved(model, list(q), list(v + a * h / 2), h))), step)
    first = slope(lambda h: np.array(poses(model, moved(model, list(q), list(v + a * h / 2), h))), step)
    size = max(1.0, *(float(np.abs(part).max()) for loads in acting for load in loads for part in load[1:]))
    length = 1 + max(float(np.abs(pose[:3, 3]).max()) for pose in X)
    for body in model.bodies:
        pose, rate, gain = X[body.number], first[body.number], second[body.number]
        R = pose[:3, :3]
        spin, spun = cross_matrix(rate[:3, :3] @ R.T), cross_matrix(gain[:3, :3] @ R.T)
        centre = at(pose, body.p_BoBcm_B)
        pull = body.mass * (gain[:3, 3] + gain[:3, :3] @ body.p_BoBcm_B - np.array(model.gravity))
        xx, yy, zz, xy, xz, yz = body.I_BBcm_B
        tensor = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        torque = tensor @ spun + np.cross(spin, tensor @ spin)
        forces = sum((force for _, _, force in acting[body.number]), np.zeros(3))
        moments = sum((m + np.cross(p - centre, force) for p, m, force in acting[body.number]), np.zeros(3))
        assert forces == pytest.approx(pull, abs=1e-9 * size)
        assert moments == pytest.approx(torque, abs=1e-9 * size * length)


@pytest.mark.parametrize(("name", "structure"), GALLERY)
def test_joints_carry_what_drives_them(name: str, structure: str, rng: np.random.Generator) -> None:
    """Along a hinge or a slide a joint carries its driving force, its spring and lock, less what spins up its rotor."""
    setting, model = setting_of(name, structure), gallery(name).model
    q, v, tau = (block[0].tolist() for block in met_states(gallery(name), structure, rng, 1))
    motion = structure_dynamics(setting, q, v, tau, 0.3)
    carried, X = reactions_of(setting, q, v, motion), poses(model, q)
    assert motion.applied is not None
    expected = np.array(tau) + np.array(motion.applied.joints, float)
    expected -= np.array(setting.tree.rotors) * np.array(motion.a, float)
    for row, multiplier in zip(motion.rows, motion.multipliers, strict=True):
        if row.rate is not None:
            expected += multiplier * np.array(row.J, float)  # locks and gears act in the joints as motors do
    size = 1 + max(float(np.abs(np.array(load, float)).max()) for load in carried.values())
    for body in model.bodies:
        key = body.joint.type.key
        if key not in ("revolute", "prismatic") or body.joint.name in {row.link for row in motion.rows}:
            continue
        axis = X[body.number][:3, :3] @ ((0, 0, 1) if model.planar and key == "revolute" else body.joint.axis)
        moment, force = carried[body.joint.name]
        found = float(axis @ np.array(moment if key == "revolute" else force, float))
        assert found == pytest.approx(expected[body.first_v], abs=1e-11 * size)


def test_two_feet_share_a_weight() -> None:
    """A table at rest on a foot that sticks and one that slides freely: moments about the feet tell who bears what."""
    system = parsed(
        '<system><body name="table" joint="free" mass="3" com="100,-50" inertia="0.1"><point name="l" place="-200,0"/>'
        '<point name="r" place="400,0"/></body><links><contact name="L" point="l" surface="y = 0"/>'
        '<contact name="R" point="r" surface="y = 0" friction="none"/><structure name="s" holds="L, R"/></links></system>'
    )
    loads = system.reactions([0.0] * 3, [0.0] * 3, [0.0] * 3)
    assert loads["L"] == pytest.approx([0, 0, 0, 0, -3 * G / 2, 0], abs=1e-13)
    assert loads["R"] == pytest.approx([0, 0, 0, 0, -3 * G / 2, 0], abs=1e-13)
    pushed = system.reactions([0.0] * 3, [0.0] * 3, [6.0, 0.0, 0.0])  # at the pole, on the level of the feet
    assert pushed["L"][3:] == pytest.approx([-6.0, -3 * G / 2, 0], abs=1e-13)
    assert system.forward_dynamics([0.0] * 3, [0.0] * 3, [6.0, 0.0, 0.0]) == pytest.approx(np.zeros(3), abs=1e-13)


def test_feet_that_statics_does_not_need_share_the_load_evenly() -> None:
    """The shortest vector of loads under a weight over the middle foot has all alike."""
    feet = "".join(f'<point name="p{i}" place="{100 * i},0"/>' for i in range(3))
    contacts = "".join(f'<contact name="C{i}" point="p{i}" surface="y = 0"/>' for i in range(3))
    system = sistel.parse(
        f'<system><body name="table" joint="free" mass="3" com="100,-50" inertia="0.1">{feet}</body>'
        f'<links>{contacts}<structure name="s" holds="C0, C1, C2"/></links></system>'
    )
    assert system.mobility().redundant_links == ("C1", "C2")
    loads = system.reactions([0.0] * 3, [0.0] * 3, [0.0] * 3)
    assert list(loads) == ["table", "C0", "C1", "C2"]
    assert sum(loads[f"C{i}"] for i in range(3))[3:] == pytest.approx([0, -3 * G, 0], abs=1e-12)
    for i in range(3):
        assert loads[f"C{i}"] == pytest.approx([0, 0, 0, 0, -G, 0], abs=1e-13)
    after, impulses = system.impact([0.0] * 3, [0.3, 1.0, 2.0])
    assert after == pytest.approx(np.zeros(3), abs=1e-14) and list(impulses) == ["C0", "C1", "C2"]
    assert sum(impulses.values())[3:5] == pytest.approx([-3 * (0.3 + 0.05 * 2), -3 * (1.0 + 0.1 * 2)], abs=1e-13)


def test_a_pinned_body_is_a_pendulum(rng: np.random.Generator) -> None:
    """A free body held by a closure, and the same on a hinge: one acceleration, and one force in the pin."""
    body = 'mass="2" com="30,400" inertia="0.05"'
    hinge = parsed(f'<system><body name="bob" joint="revolute" place="100,200" {body}/></system>')
    pinned = parsed(
        f'<system><body name="bob" joint="free" {body}/><links><closure name="pin" joint="revolute" body="bob" to="0" '
        f'at-to="100,200" holds="no"/><structure name="s" holds="pin"/></links></system>'
    )
    angle, rate, moment = rng.normal(size=(3, 50, 1))
    still = np.zeros((50, 2))
    q = np.concatenate([np.full((50, 1), 0.1), np.full((50, 1), 0.2), angle], axis=1)
    v, tau = np.concatenate([still, rate], axis=1), np.concatenate([still, moment], axis=1)
    a = hinge.forward_dynamics(angle, rate, moment)
    assert pinned.forward_dynamics(q, v, tau) == pytest.approx(np.concatenate([still, a], axis=1), abs=1e-13)
    one, other = hinge.reactions(angle, rate, moment)["bob"], pinned.reactions(q, v, tau)
    assert other["pin"][:, 3:] == pytest.approx(one[:, 3:], abs=1e-12)
    assert other["pin"][:, :3] == pytest.approx(np.zeros((50, 3)), abs=1e-14)
    assert other["bob"][:, 2] == pytest.approx(moment[:, 0], abs=1e-12)  # the free joint carries what drives it
    # The textbook: m c (ω² along the rod + α across it) and the weight.
    c, s = np.cos(angle[:, 0]), np.sin(angle[:, 0])
    arm = np.stack([0.03 * c - 0.4 * s, 0.03 * s + 0.4 * c], axis=-1)
    across = np.stack([-arm[:, 1], arm[:, 0]], axis=-1)
    force = 2 * (a * across - rate**2 * arm - [0, G])
    assert one[:, 3:5] == pytest.approx(force, abs=1e-12)


# --- closed forms ------------------------------------------------------------------------------------------------------


def test_atwood() -> None:
    system = parsed(
        '<system><body name="a" joint="prismatic" axis="y" mass="3"/><body name="b" joint="prismatic" axis="y" mass="5"/>'
        '<body name="wheel" joint="revolute" mass="1" inertia="0.02"/>'
        '<links><coupling name="rope" of="b" to="a" ratio="-1"/><coupling name="rim" of="wheel" to="a" ratio="10"/></links></system>'
    )
    a = (3 - 5) * G / (3 + 5 + 0.02 * 100)
    found = system.forward_dynamics([0.0] * 3, [0.7, -0.7, 7.0], [0.0] * 3)
    assert found == pytest.approx([a, -a, 10 * a], rel=1e-14)
    loads = system.reactions([0.0] * 3, [0.0] * 3, [0.0] * 3)
    assert loads["rope"][4] == pytest.approx(5 * (-a - G), rel=1e-14)  # on the driven body, along its guide
    assert loads["rim"][2] == pytest.approx(0.02 * 10 * a, rel=1e-14)
    assert loads["a"][4] == pytest.approx(3 * (a - G), rel=1e-14)


def test_a_gear_with_a_rotor_and_a_polynomial(rng: np.random.Generator) -> None:
    """y = x² / 2 as a cam: the mass above it feels x ẍ + ẋ², the shaft its rotor through the gear squared."""
    system = parsed(
        '<system><body name="shaft" joint="revolute" mass="1" inertia="0.3"><motor name="m" inertia="2e-4" ratio="50"/></body>'
        '<body name="tappet" joint="prismatic" axis="-y" mass="2"/>'
        '<links><coupling name="cam" of="tappet" to="shaft" ratio="0, 0.5"/></links></system>'
    )
    x, w, tau = rng.normal(size=(3, 20))
    q, v = np.stack([x, x * x / 2], axis=-1), np.stack([w, x * w], axis=-1)
    a = system.forward_dynamics(q, v, np.stack([tau, 0 * tau], axis=-1))
    expected = (tau - 2 * (w * w + G) * x) / (0.3 + 2e-4 * 2500 + 2 * x * x)
    assert a[:, 0] == pytest.approx(expected, rel=1e-13)
    assert a[:, 1] == pytest.approx(x * expected + w * w, rel=1e-12)
    carried = system.reactions(q, v, np.stack([tau, 0 * tau], axis=-1))
    # The joint of the shaft carries the motor less its rotor, and the gear: what turns the shaft alone.
    assert carried["shaft"][:, 2] == pytest.approx(0.3 * expected, abs=1e-12)
    assert carried["cam"][:, 4] == pytest.approx(-2 * (a[:, 1] + G), rel=1e-12)


@pytest.mark.parametrize("angle", [0.1, 0.5, 1.2])
def test_a_block_on_an_incline(angle: float) -> None:
    slide = 'slides="plane"'
    text = (
        '<system><parameter name="k" value="{k}"/><body name="block" joint="prismatic2" mass="2"><point name="p"/></body>'
        '<links><contact name="plane" point="p" surface="y = k*x" friction="0.3"/>'
        '<structure name="s" holds="plane" {slide}/></links></system>'
    )
    k = math.tan(angle)
    system = parsed(text.format(k=repr(k), slide=slide))
    down = np.array([math.cos(angle), math.sin(angle)])
    for way, gain in ((1, math.sin(angle) - 0.3 * math.cos(angle)), (-1, math.sin(angle) + 0.3 * math.cos(angle))):
        a = system.forward_dynamics([1.0, k], way * 2 * down, [0.0, 0.0])
        assert a == pytest.approx(G * gain * down, abs=1e-14 * G)
        load = system.reactions([1.0, k], way * 2 * down, [0.0, 0.0])["plane"]
        push = 2 * G * math.cos(angle)
        normal = np.array([math.sin(angle), -math.cos(angle)])
        assert load[3:5] == pytest.approx(push * normal - way * 0.3 * push * down, abs=1e-13)
    # At rest friction has no direction, and the block begins to slide as if there were none.
    assert system.forward_dynamics([1.0, k], [0.0, 0.0], [0.0, 0.0]) == pytest.approx(
        G * math.sin(angle) * down, abs=1e-13
    )
    stuck = parsed(text.format(k=repr(k), slide=""))
    assert stuck.forward_dynamics([1.0, k], [0.0, 0.0], [0.0, 0.0]) == pytest.approx([0.0, 0.0], abs=1e-15)
    assert stuck.reactions([1.0, k], [0.0, 0.0], [0.0, 0.0])["plane"][3:5] == pytest.approx([0, -2 * G], abs=1e-14)


def test_friction_in_space_is_against_the_slip(rng: np.random.Generator) -> None:
    """A block on a table: μ g against its velocity, whatever its direction."""
    system = parsed(
        '<system space="spatial"><body name="block" joint="free" mass="2" inertia="0.1"><point name="p"/></body>'
        '<links><contact name="table" point="p" surface="z &gt;= 0" friction="0.4"/>'
        '<structure name="s" holds="table" slides="table"/></links></system>'
    )
    u = rng.normal(size=(20, 2))
    v = np.concatenate([np.zeros((20, 3)), u, np.zeros((20, 1))], axis=1)
    q = np.array([1.0, 0, 0, 0, 0, 0, 0])
    a = system.forward_dynamics(q, v, np.zeros(6))
    assert a[:, 3:5] == pytest.approx(-0.4 * G * u / np.linalg.norm(u, axis=1, keepdims=True), abs=1e-14 * G)
    assert a[:, [0, 1, 2, 5]] == pytest.approx(np.zeros((20, 4)), abs=1e-15)


def test_a_bead_in_a_parabola(rng: np.random.Generator) -> None:
    """Height k x²: (1 + 4k²x²) ẍ + 4k²x ẋ² + 2gkx = 0."""
    k = 0.7
    system = parsed(
        f'<system><parameter name="k" value="{k} 1/m"/><body name="bead" joint="prismatic2" mass="3"><point name="p"/></body>'
        '<links><contact name="wire" point="p" surface="y &lt;= -k*x^2" friction="none"/><structure name="s" holds="wire"/></links></system>'
    )
    x, u = rng.normal(size=(2, 50))
    q, v = np.stack([x, -k * x * x], axis=-1), np.stack([u, -2 * k * x * u], axis=-1)
    steep = 1 + 4 * k * k * x * x
    gain = -(4 * k * k * x * u * u + 2 * G * k * x) / steep
    a = system.forward_dynamics(q, v, np.zeros(2))
    assert a[:, 0] == pytest.approx(gain, abs=1e-13 * np.abs(gain).max())
    assert a[:, 1] == pytest.approx(-2 * k * (x * gain + u * u), abs=1e-12)
    push = np.linalg.norm(system.reactions(q, v, np.zeros(2))["wire"][:, 3:], axis=1)
    assert push == pytest.approx(3 * (G + 2 * k * u * u) / np.sqrt(steep), rel=1e-13)


def test_a_bead_on_a_turning_wire() -> None:
    """A straight wire through the origin turns at ω: along it the bead gains ω² r, across it 2 ω ṙ."""
    system = parsed(
        '<system><gravity value="0"/><body name="bead" joint="prismatic2" mass="1"><point name="p"/></body><links>'
        '<contact name="wire" point="p" surface="y*cos(2 rad/s*t) &gt;= x*sin(2 rad/s*t)" friction="none"/>'
        '<structure name="s" holds="wire"/></links></system>'
    )
    for t in (0.0, 0.4, 1.3):
        along, across = np.array([math.cos(2 * t), math.sin(2 * t)]), np.array([-math.sin(2 * t), math.cos(2 * t)])
        r, rate = 0.6, -0.9
        a = system.forward_dynamics(r * along, rate * along + 2 * r * across, [0.0, 0.0], t=t)
        assert a == pytest.approx((4 * r - 4 * r) * along + 2 * 2 * rate * across, abs=1e-13)


def test_slider_crank() -> None:
    """x = r cos θ + √(l² − r² sin² θ), as the textbooks differentiate it."""
    system, r, l = gallery("slider_crank"), 0.1, 0.3  # noqa: E741
    angle = np.linspace(-3, 3, 41)

    def piston(x: Any) -> Any:
        return r * np.cos(x) + np.sqrt(l * l - (r * np.sin(x)) ** 2)

    def rod(x: Any) -> Any:
        return -x - np.arcsin(r * np.sin(x) / l)

    place = np.array([1.0, 0.0, 0.0])[None, :] * angle[:, None]
    place[:, 1], place[:, 2] = rod(angle), piston(angle)
    first = np.stack([1 + 0 * angle, slope(lambda h: rod(angle + h)), slope(lambda h: piston(angle + h))], axis=-1)
    second = np.stack(
        [0 * angle, second_slope(lambda h: rod(angle + h)), second_slope(lambda h: piston(angle + h))], axis=-1
    )
    assert np.abs(system.constraint_errors(place)).max() < 1e-15
    a = system.forward_dynamics(place, 5 * first, [2.0, 0.0, 0.0])
    # Differences of these curves are right to 1e-11, at 25 times that for the squared speed.
    assert a == pytest.approx(a[:, :1] * first + 25 * second, abs=1e-9)
    # Virtual work with the same curves: one equation for the crank.
    M, bias = system.mass_matrix(place), system.bias_forces(place, 5 * first)
    inertia = np.einsum("ni,nij,nj->n", first, M, first)
    given = np.einsum("ni,ni->n", first, [2.0, 0.0, 0.0] - bias - np.einsum("nij,nj->ni", M, 25 * second))
    assert a[:, 0] == pytest.approx(given / inertia, rel=1e-9)


def test_four_bar_is_a_crossing_of_circles() -> None:
    """Angles of coupler and rocker from the triangle of the diagonal."""
    system, (crank, coupler, rocker, base) = gallery("four_bar"), (0.2, 0.45, 0.35, 0.4)
    (start,) = (system.assemble(),)

    def angles(x: float) -> Any:
        # The crank points up at zero, clockwise positive: its tip is at (sin, −cos).
        A = np.array([crank * math.sin(x), -crank * math.cos(x)])
        way = np.array([base, 0.0]) - A
        d = float(np.linalg.norm(way))
        along = (coupler**2 - rocker**2 + d * d) / (2 * d)
        off = math.sqrt(coupler**2 - along**2)
        B = A + (along * way + off * np.array([way[1], -way[0]])) / d  # above the base: y is down
        return np.array([x, math.atan2(B[1] - A[1], B[0] - A[0]) - x, math.atan2(B[0] - base, -B[1])])

    assert start == pytest.approx(angles(math.radians(30)), abs=1e-11)
    for x in np.linspace(0, 6, 13):
        q, first, second = angles(x), slope(lambda h, x=x: angles(x + h)), second_slope(lambda h, x=x: angles(x + h))
        q[1:] = (q[1:] + math.pi) % (2 * math.pi) - math.pi
        assert np.abs(system.constraint_errors(q)).max() < 1e-15
        assert np.abs(system.constraint_jacobian(q) @ first).max() < 1e-10
        assert system.constraint_jacobian(q) @ second + system.constraint_bias(q, first) == pytest.approx(
            [0.0, 0.0], abs=1e-8
        )
        a = system.forward_dynamics(q, 3 * first, [0.5, 0.0, 0.0])
        assert a == pytest.approx(a[0] * first + 9 * second, abs=1e-7)


ANDREWS = {
    "q": "15.8107711951537070971193873047 -15.7563710584118394697277528449 0.0408222401196458048582823195936 "
    "-0.534730116342079593770185031132 0.524409965879954069371655799946 0.534730116342079593770185031132 "
    "1.04808074104193787306851547184",
    "v": "1139.92030225910606419809684778 -1424.37929517754007319602644410 11.0329119106185937453273113358 "
    "19.2933741050320408316275568592 0.573569914829502453817687863375 -19.2933741050320408316275568592 "
    "0.323179149249130874990748392019",
    "a": "-24631.7631228746344700507957148 51850.3196364642315337540008095 324102.600707578605811941103046 "
    "566749.422000995326493294836956 16743.6354183454446096446261553 -566749.422000995326493294836956 "
    "9826.50780154416268849050420759",
    "multipliers": "199.175348104538628186239545653 -29.7553099749717633244157281093 23.0665436116221511286173653905 "
    "31.4527252757711370753845357938 22.6424947863943785777129183805 11.6173923526112559068014767996",
}
"""State of the squeezing mechanism at 0.03 s in the order of the test set, β θ γ φ δ ω ε, by a Taylor series with 30
digits; the solution of the IVP test set (Mazzia and Magherini, release 2.4) agrees to its printed accuracy of 1e-6."""


def andrews(values: str) -> Any:
    """Numbers by body, K1 to K7 in the order of the file."""
    found = dict(zip(("K1", "K2", "K3", "K4", "K5", "K6", "K7"), map(float, values.split()), strict=True))
    return np.array([found[body.name] for body in gallery("andrews_squeezer").bodies])


def test_andrews_squeezer() -> None:
    system = gallery("andrews_squeezer")
    start = np.array(system.model.start.q)
    assert np.abs(system.constraint_errors(start)).max() < 1e-15
    a = dict(
        zip(
            [b.name for b in system.bodies],
            system.forward_dynamics(start, 0 * start, 0 * start, applied=True),
            strict=True,
        )
    )
    # Initial values of the test set.
    assert a["K1"] == pytest.approx(14222.4439199541138705911625887, rel=1e-13)
    assert a["K2"] == pytest.approx(-10666.8329399655854029433719415, rel=1e-13)
    assert [a[f"K{i}"] for i in (3, 4, 5, 6, 7)] == pytest.approx([0] * 5, abs=1e-9)
    load = system.reactions(start, 0 * start, 0 * start, applied=True)["P K3"]
    assert -load[3:5] == pytest.approx([98.5668703962410896057654982170, -6.12268834425566265503114393122], rel=1e-13)
    q, v = andrews(ANDREWS["q"]), andrews(ANDREWS["v"])
    assert np.abs(system.constraint_errors(q)).max() < 1e-15
    found = system.forward_dynamics(q, v, 0 * v, applied=True)
    # Speeds of 1e3 rad/s: rounding of q alone, 2e-15, moves the accelerations by 1e6 times that times the condition.
    assert found == pytest.approx(andrews(ANDREWS["a"]), rel=1e-12, abs=1e-8)
    carried = system.reactions(q, v, 0 * v, applied=True)
    expected = np.array(list(map(float, ANDREWS["multipliers"].split()))).reshape(3, 2)
    for key, force in zip(("P K3", "P K4", "P K6"), expected, strict=True):
        assert -carried[key][3:5] == pytest.approx(force, rel=1e-11)


# --- impacts -----------------------------------------------------------------------------------------------------------


def test_a_falling_rod_is_caught_at_its_end() -> None:
    """Moment about the end is kept: ω = 3 v / 2 l; the pin takes a quarter of the momentum."""
    l, m, u = 0.8, 1.5, 3.0  # noqa: E741
    system = parsed(
        f'<system><body name="rod" joint="free" mass="{m}" inertia="{m * l * l / 12}"><point name="end" place="-400,0"/></body>'
        '<links><contact name="pin" point="end" surface="y = 0" impact="plastic"/><structure name="s" holds="pin"/></links></system>'
    )
    after, impulses = system.impact([0.4, 0.0, 0.0], [0.0, u, 0.0])
    w = 3 * u / (2 * l)
    assert after == pytest.approx([0.0, w * l / 2, w], abs=1e-15)
    assert impulses["pin"] == pytest.approx([0, 0, 0, 0, -m * u / 4, 0], abs=1e-15)
    # An elastic one keeps the energy.
    bounced, _ = system.impact([0.4, 0.0, 0.0], [0.0, u, 0.0], restitution=1.0)
    assert m * bounced[1] ** 2 + m * l * l / 12 * bounced[2] ** 2 == pytest.approx(m * u * u, rel=1e-15)


def test_a_ball_bounces() -> None:
    """Newton: −e times the velocity of approach, whatever comes along the floor."""
    system = parsed(
        '<system><body name="ball" joint="prismatic2" mass="0.4"><point name="p"/></body><links>'
        '<contact name="floor" point="p" surface="y = 0" friction="none"/><structure name="s" holds="floor"/></links></system>'
    )
    v = np.array([[1.0, 2.0], [-3.0, 0.5]])
    for e in (0.0, 0.3, 1.0):
        after, impulses = system.impact([0.0, 0.0], v, restitution=e)
        assert after == pytest.approx(np.stack([v[:, 0], -e * v[:, 1]], axis=-1), abs=1e-15)
        assert impulses["floor"][:, 4] == pytest.approx(-0.4 * (1 + e) * v[:, 1], abs=1e-15)


def test_the_strike_of_a_rimless_wheel() -> None:
    """Moment about the new spoke: ω⁺ / ω⁻ = (I + m l² cos 2a) / (I + m l²); the limit cycle of McGeer (1990)."""
    system = gallery("rimless_wheel")
    a, inertia = math.radians(22.5), 0.25
    before = 1.166370980440465 / ((inertia + math.cos(2 * a)) / (inertia + 1))
    # Just before a strike the standing spoke is behind by a; after it the wheel is set back by 2a.
    q = np.array([math.sin(a), -math.cos(a), a - 2 * a])
    v = before * np.array([math.cos(a), math.sin(a), 1.0])
    q[0] = 0.0
    after, impulses = system.impact(q, v)
    assert after[2] == pytest.approx(1.166370980440465, rel=1e-14)
    assert after[2] / before == pytest.approx(0.7656854249492380195, rel=1e-14)
    assert impulses["pivot"][3:5] == pytest.approx(after[:2] - v[:2], rel=1e-13)  # the hub weighs 1 kg


def test_one_step_of_the_compass_walker() -> None:
    """Goswami's limit cycle: the swing of a period, the strike of the other foot, and the start again, mirrored."""
    system = gallery("compass_walker")
    model = system.model

    def rate(t: Any, y: Any) -> Any:
        return np.concatenate([y[:, 4:], system.forward_dynamics(y[:, :4], y[:, 4:], np.zeros(4))], axis=1)

    start = np.concatenate([model.start.q, model.start.v])
    end = integrated(rate, start, 0.73446062133643889202, 24)
    right = system.pose(end[:4], "right foot")[:2, 3]
    assert right[1] == pytest.approx(0.0, abs=1e-13)
    assert right[0] == pytest.approx(0.53591931879380164760, abs=1e-12)
    after, _ = system.impact(end[:4], end[4:], structure="on the right")
    alpha, stance, swing = (
        next(p.value for p in model.parameters if p.name == n) for n in ("alpha", "stance", "swing")
    )
    assert end[2:4] == pytest.approx([alpha, -alpha], abs=1e-12)
    assert after[2:] == pytest.approx([swing, stance], abs=1e-12)
    assert after[:2] == pytest.approx([math.cos(alpha) * stance, -math.sin(alpha) * stance], abs=1e-12)


@pytest.mark.parametrize(("name", "structure"), GALLERY)
def test_impacts_of_the_gallery(name: str, structure: str, rng: np.random.Generator) -> None:
    """Velocities after it obey the constraints, and the change is the impulses of these alone: M Δv = Jᵀ Λ."""
    setting, system = setting_of(name, structure), gallery(name)
    q, _, _ = (block[0].tolist() for block in met_states(system, structure, rng, 1))
    v = rng.normal(size=system.nv)
    M = np.array(mass_matrix(setting.tree, q), float)
    M = np.tril(M) + np.tril(M, -1).T
    for restitution in (0.0, 0.5):
        for solve in (None, solve_singular):
            extra = () if solve is None else (solve,)
            found = impact_of(setting, q, v.tolist(), restitution, 0.0, *extra)
            J = np.array([row.J for row in found.rows], float)
            after = np.array(found.v, float)
            size = float(np.linalg.norm(v))
            assert J @ after == pytest.approx(-restitution * (J @ v), abs=1e-11 * size * np.linalg.norm(J))
            change = J.T @ np.array(found.impulses, float)
            assert M @ (after - v) == pytest.approx(change, abs=1e-11 * np.linalg.norm(M) * size)
            # Plastic impacts lose the kinetic energy of the velocities that are lost (Carnot).
            if restitution == 0.0:
                lost = v @ M @ v - after @ M @ after
                assert lost == pytest.approx((v - after) @ M @ (v - after), rel=1e-9)


# --- singular postures -------------------------------------------------------------------------------------------------


def test_the_flat_posture_of_parallelograms() -> None:
    """Three cranks and two couplers, all alike: θ̈ = (3/2 + 2) g sin θ / (3/3 + 2), through the flat posture too.

    There the loops could as well open crosswise; elimination loses all digits on the way, singular values do not.
    """
    system = gallery("four_bar_iftomm")
    crank = system.assemble()
    names = [body.name for body in system.bodies]
    chains = [body for body in system.bodies if body.base == 0]

    def posture(theta: float) -> Any:
        """Cranks turned alike; couplers stay level."""
        q = np.zeros(system.nq)
        for body in system.bodies:
            q[body.first_q] = theta if body in chains else -theta
        return q

    assert len(chains) == 3 and len(names) == 5
    assert np.abs(system.constraint_errors(posture(0.3))).max() < 1e-15
    assert crank == pytest.approx(posture(crank[0]), abs=1e-12)
    rates = posture(1.0)
    for away in (0.3, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
        for side in (-1, 1):
            theta = math.pi / 2 + side * away
            for speed in (0.0, 3.0):
                a = system.forward_dynamics(posture(theta), speed * rates, np.zeros(5))
                # Rounding of the coordinates, 2e-16, is worth its inverse distance from the singularity.
                assert a == pytest.approx(3.5 * G * math.sin(theta) / 3 * rates, abs=1e-11 + 1e-13 / away)
    flat = system.forward_dynamics(posture(math.pi / 2), 3.0 * rates, np.zeros(5))
    assert np.all(np.isfinite(flat))
    assert system.mobility(q=posture(math.pi / 2)).singular and not system.mobility(q=posture(1.0)).singular
    loads = system.reactions(posture(math.pi / 2), 3.0 * rates, np.zeros(5))
    after, _ = system.impact(posture(math.pi / 2), rates)
    assert all(np.all(np.isfinite(load)) for load in loads.values()) and after == pytest.approx(rates, abs=1e-12)


def test_batches_with_one_singular_posture() -> None:
    """Only what is singular is computed another way: neighbours in the batch do not change by a bit."""
    system = gallery("four_bar_iftomm")
    q, v = system.assemble(), np.zeros(5)
    flat = np.array([math.pi / 2 if body.base == 0 else -math.pi / 2 for body in system.bodies])
    batch = system.forward_dynamics(np.stack([q, flat, q]), v, v)
    alone = system.forward_dynamics(q, v, v)
    assert np.array_equal(batch[0], alone) and np.array_equal(batch[2], alone)
    assert np.array_equal(batch[1], system.forward_dynamics(flat, v, v))
    after, impulses = system.impact(np.stack([q, flat, q]), np.ones(5))
    single, one = system.impact(q, np.ones(5))
    assert np.array_equal(after[0], single) and np.array_equal(impulses["B1"][2], one["B1"])


def test_bricard_moves_although_it_should_not() -> None:
    """Its angles obey (1 + sin a)(1 − sin b) = 1 (Wohlhart's mechanism on a cube); from rest both begin alike."""
    system = gallery("bricard")
    begin = system.forward_dynamics(np.zeros(5), np.zeros(5), np.zeros(5))
    assert np.all(np.isfinite(begin)) and np.abs(begin).max() > 1
    assert begin == pytest.approx(begin[0] * np.array([1, -1, 1, -1, 1]), abs=1e-12)
    for a in (0.25, 1.0, 2.9):
        b = math.asin(1 - 1 / (1 + math.sin(a)))
        rate = math.cos(a) * (1 - math.sin(b)) / ((1 + math.sin(a)) * math.cos(b))
        q, v = np.array([a, -b, a, -b, a]), np.array([1, -rate, 1, -rate, 1])
        assert np.abs(system.constraint_errors(q)).max() < 1e-15
        assert np.abs(system.constraint_jacobian(q) @ v).max() < 1e-14

        def turn(h: float, a: float = a) -> float:
            return math.asin(1 - 1 / (1 + math.sin(a + h)))

        found = system.forward_dynamics(q, 2 * v, np.zeros(5))
        bend = 4 * float(second_slope(turn, 5e-3))
        assert found == pytest.approx(found[0] * v + bend * np.array([0, -1, 0, -1, 0]), abs=1e-8)
        loads = system.reactions(q, 2 * v, np.zeros(5))
        assert all(np.all(np.isfinite(load)) for load in loads.values())


def test_solve_singular_prefers_short_multipliers(rng: np.random.Generator) -> None:
    """A constraint said three times: the same motion, and every copy carries a third."""
    from sistel.mechanics import Row, solve_constrained

    A = rng.normal(size=(5, 5))
    M, J, force = A @ A.T + np.eye(5), rng.normal(size=(2, 5)), rng.normal(size=5)
    once = [Row("r", "x", list(J[0]), 0.0, 0.0), Row("s", "x", list(J[1]), 0.0, 0.0)]
    thrice = [once[0], once[1], once[0], once[0]]
    one = solve_constrained(M.tolist(), force.tolist(), once, [0.3, -0.2])
    many = solve_singular(M.tolist(), force.tolist(), thrice, [0.3, -0.2, 0.3, 0.3])
    a, multipliers = dense(M, force, J, J, [0.3, -0.2])
    assert one.x == pytest.approx(a, rel=1e-12) and one.multipliers == pytest.approx(multipliers, rel=1e-12)
    assert many.x == pytest.approx(a, rel=1e-11)
    third = multipliers[0] / 3
    assert many.multipliers == pytest.approx([third, multipliers[1], third, third], rel=1e-11)
    assert many.margin < 1e-15
    assert solve_singular(M.tolist(), force.tolist(), [], []).x == pytest.approx(np.linalg.solve(M, force), rel=1e-12)


def test_rows_that_are_but_rounding_are_not_divided_by() -> None:
    """cos 90° is 6e-17 in numbers: what is left of a row after others must not become a pivot."""
    from sistel.mechanics import Row, solve_constrained

    M = np.eye(3) + 0.1
    rows = [Row("r", "x", [1.0, 1.0, 0.0], 0.0, 0.0), Row("s", "x", [1.0, 1.0 + 2e-16, 1.0], 0.0, 0.0)]
    found = solve_constrained(M.tolist(), [1.0, 2.0, 3.0], rows, [0.5, 0.7])
    J = np.array([row.J for row in rows], float)
    a, multipliers = dense(M, [1, 2, 3], J, J, [0.5, 0.7])
    assert found.x == pytest.approx(a, rel=1e-14) and found.multipliers == pytest.approx(multipliers, rel=1e-13)


def test_velocities_that_constraints_allow(rng: np.random.Generator) -> None:
    """J v = 0 for what `met_states` gives, so that the tests above are on the constraints."""
    for name, structure in (("stewart", "only"), ("walker", "на двух")):
        system = gallery(name)
        q, v, _ = met_states(system, structure, rng, 2)
        model: Model = system.model
        for i in range(2):
            J = jacobian(model, system.structure(structure), q[i])
            assert np.abs(J @ v[i]).max() < 1e-13 and np.linalg.norm(allowed(J, v[i]) - v[i]) < 1e-13
