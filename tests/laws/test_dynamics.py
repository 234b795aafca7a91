"""Laws of mechanics that equations of motion obey, whatever way they were derived: the gallery, and joints it lacks.

Closed systems take part with their trees of bodies, and with their constraints where these matter. Derivatives are taken by central differences over five points with
a step of 1e-3: the error of the formula is h⁴/30 of a fifth derivative, 3e-14, that of rounding 1.5 ε/h = 3e-13 of the
largest value, so 1e-11 leaves a margin of thirty where one coordinate moves; motions along all velocities at once
add up turns, whose fifth powers count, and are granted 1e-9.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.robots import gallery_files
from support.structures import gallery, met_states, parsed

import sistel
from sistel.mechanics import Kinematics, build_tree, momentum

if TYPE_CHECKING:
    import numpy as np

STEP = 1e-3

SPATIAL = """<system name="joints in space" space="spatial">
  <gravity along="1, -2, -9"/>
  <body name="a" joint="free" place="100,0,300" turn="20,30,40" mass="2" com="10,-20,30" inertia="0.1,0.2,0.25,0.01,0.02,0.03">
    <body name="b" joint="planar" axis="1,2,2" place="200,50,0" turn="10,50,70" mass="1" com="0,20,30" inertia="0.2,0.2,0.25,0.02,0.01,0.03"/>
    <body name="c" joint="cylindrical" axis="2,-1,2" place="-200,50,90" turn="70,20,10" mass="1.5" com="50,20,10" inertia="0.1,0.15,0.2">
      <body name="d" joint="spherical" place="90,80,70" turn="5,60,7" mass="0.7" com="100,20,30" inertia="0.1,0.2,0.21,0.01,0.01,0">
        <body name="e" joint="universal" axis="1,1,0" axis2="1,-1,1" place="10,120,70" mass="0.5" com="10,20,70" inertia="0.02,0.03,0.04"/>
      </body>
      <body name="f" joint="fixed" place="0,0,150" turn="45,0,30" mass="0.4" com="0,10,0" inertia="0.01">
        <body name="g" joint="prismatic" axis="0,3,4" place="10,20,30" turn="0,90,0" mass="0.6" com="10,0,20" inertia="0.01,0.02,0.025">
          <body name="h" joint="free" place="50,0,0" turn="0,0,1,90" mass="0.3" com="10,20,30" inertia="0.01,0.02,0.025"/>
        </body>
      </body>
    </body>
  </body>
</system>"""

PLANE = """<system name="joints in the plane">
  <body name="a" joint="free" place="100,300" turn="20" mass="2" com="10,-20" inertia="0.25">
    <body name="b" joint="prismatic" axis="3,4" place="200,50" turn="10" mass="1" com="0,20" inertia="0.25">
      <body name="c" joint="revolute" place="-200,50" turn="70" mass="1.5" com="50,20" inertia="0.2"/>
    </body>
    <body name="d" joint="prismatic2" place="90,80" turn="60" mass="0.7" com="100,20" inertia="0.21">
      <body name="e" joint="fixed" place="10,120" turn="180" mass="0.5" com="10,20" inertia="0.04">
        <body name="f" joint="free" place="10,20" turn="-30" mass="0.6" com="10,70" inertia="0.01"/>
      </body>
    </body>
  </body>
</system>"""

BACKWARDS = """<system name="axes that look the other way" space="spatial">
  <body name="a" joint="revolute" axis="0,0,1" turn="30,40,50" mass="1" com="100,20,30" inertia="0.1,0.2,0.25">
    <body name="b" joint="revolute" axis="0,0,-1" place="300,0,50" mass="1" com="100,20,30" inertia="0.1,0.2,0.25">
      <body name="c" joint="prismatic" axis="0,1,0" place="0,100,0" mass="1" com="0,20,30" inertia="0.1,0.2,0.25">
        <body name="d" joint="revolute" axis="0,0,1" place="0,0,70" turn="180,0,30" mass="1" com="50,20,10" inertia="0.1,0.15,0.2">
          <body name="e" joint="revolute" axis="1,0,0" place="200,0,0" mass="1" com="50,20,10" inertia="0.1,0.15,0.2"/>
          <body name="f" joint="revolute" axis="0,0,-1" place="0,200,40" mass="1" com="50,20,10" inertia="0.1,0.15,0.2"/>
        </body>
      </body>
    </body>
  </body>
</system>"""

OWN = {"space": SPATIAL, "plane": PLANE, "backwards": BACKWARDS}

SAME_TREE = {"biped_double_support", "biped_flight", "biped_single_support", "four_bar_graph", "planar_biped"}
"""Systems of the gallery that are others with other links."""

NAMES = [*OWN, *(path.stem for path in gallery_files() if path.stem not in SAME_TREE)]


def load(name: str) -> sistel.System:
    """Loaded once: a system keeps its compiled kernels."""
    return parsed(OWN[name]) if name in OWN else gallery(name)


@pytest.fixture(params=NAMES)
def system(request: pytest.FixtureRequest) -> sistel.System:
    return load(request.param)


def small(system: sistel.System) -> bool:
    """Without quaternions, and with few coordinates."""
    return system.nq == system.nv <= 6


def solvable(system: sistel.System) -> bool:
    structure = system.structure()
    return not (structure.why_not or structure.holds or structure.changes)


def named(condition: Callable[[sistel.System], bool]) -> Any:
    return pytest.mark.parametrize("system", [name for name in NAMES if condition(load(name))], indirect=True)


def random_state(system: sistel.System, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Coordinates, velocities and accelerations."""
    q = rng.uniform(-np.pi, np.pi, system.nq)
    for body in system.bodies:
        if body.joint.type.has_quaternion:
            at = slice(body.first_q, body.first_q + 4)
            q[at] /= np.linalg.norm(q[at])
    v, a = rng.normal(size=(2, system.nv))
    return q, v, a


def moved(system: sistel.System, q: Any, v: Any, time: float) -> Any:
    """Where velocities lead in a short time: exact to first order, and along the velocities of any one joint."""
    new = np.array(q, float)
    for body in system.bodies:
        i, j = body.first_q, body.first_v
        if not body.joint.type.has_quaternion:
            new[i : i + body.joint.type.nq] += time * v[j : j + body.joint.type.nv]
            continue
        # The angular velocity, and the velocity of a free body, are along the axes of the body.
        turn = time * v[j : j + 3] / 2
        angle = float(np.linalg.norm(turn))
        new[i : i + 4] = multiply(q[i : i + 4], np.array([np.cos(angle), *(np.sinc(angle / np.pi) * turn)]))
        if body.joint.type.key == "free":
            w, u = q[i], q[i + 1 : i + 4]
            x = v[j + 3 : j + 6]
            new[i + 4 : i + 7] += time * (x + 2 * np.cross(u, np.cross(u, x) + w * x))
    return new


def multiply(a: Any, b: Any) -> Any:
    """Product of quaternions."""
    u, w = a[1:], b[1:]
    return np.array([a[0] * b[0] - u @ w, *(a[0] * w + b[0] * u + np.cross(u, w))])


def slope(function: Callable[[float], Any]) -> Any:
    """Derivative at zero."""
    near = np.asarray(function(STEP)) - np.asarray(function(-STEP))
    far = np.asarray(function(2 * STEP)) - np.asarray(function(-2 * STEP))
    return (8 * near - far) / (12 * STEP)


def norm(x: Any) -> float:
    return float(np.linalg.norm(x))


def centres(system: sistel.System, q: Any) -> Any:
    """Places of the centres of mass: numbers through Python, for sums over all bodies in many poses."""
    kinematics = Kinematics(build_tree(system.model), list(map(float, q)))
    return np.array([kinematics.place(body.number, body.p_BoBcm_B) for body in system.bodies])


def kinematics_of(system: sistel.System, q: Any) -> list[tuple[Any, Any]]:
    """Rotation and Jacobian of every body: compiled where bodies are few, else numbers through Python."""
    if len(system.bodies) <= 4 or system is load("space"):
        return [(system.pose(q, body.name)[:3, :3], system.jacobian(q, body.name)) for body in system.bodies]
    kinematics = Kinematics(build_tree(system.model), list(map(float, q)))
    unit = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return [
        (np.array(kinematics.axes(body.number, unit)), np.array(kinematics.jacobian(body.number, (0.0, 0.0, 0.0))))
        for body in system.bodies
    ]


def test_the_mass_matrix_is_symmetric_and_positive(system: sistel.System, rng: np.random.Generator) -> None:
    for _ in range(5):
        q, _, _ = random_state(system, rng)
        M = system.mass_matrix(q)
        assert np.array_equal(M, M.T)
        smallest, largest = np.linalg.eigvalsh(M)[[0, -1]]
        if not system.structure().why_not:
            assert smallest > 1e-14 * largest  # more than rounding could make of a singular matrix
        assert smallest >= -1e-14 * largest


def central(body: Any, R: Any, J: Any) -> tuple[Any, Any, Any]:
    """Inertia about the centre of mass in the axes of the world; Jacobians of the turn and of the centre of mass."""
    xx, yy, zz, xy, xz, yz = body.I_BBcm_B
    tensor = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    return tensor, J[:3], J[3:] + np.cross(J[:3].T, R @ np.array(body.p_BoBcm_B)).T


def test_the_mass_matrix_is_the_kinetic_energy_of_the_bodies(system: sistel.System, rng: np.random.Generator) -> None:
    """M = Σ Jᵀ diag(I, m) J over Jacobians at the centres of mass, which know nothing of composite bodies.

    Rotors of motors are felt at their own coordinate alone, through the square of the gear.
    """
    for _ in range(2):
        q, _, _ = random_state(system, rng)
        M = np.zeros((system.nv, system.nv))
        for motor in system.model.motors:
            at = system.bodies[motor.body - 1].first_v + motor.coordinate
            M[at, at] += motor.inertia * motor.ratio**2
        for body, (R, J) in zip(system.bodies, kinematics_of(system, q), strict=True):
            tensor, turn, centre = central(body, R, J)
            M += turn.T @ tensor @ turn + body.mass * centre.T @ centre
        assert norm(system.mass_matrix(q) - M) <= 1e-13 * norm(M)


def test_forces_are_mass_times_acceleration_and_bias(system: sistel.System, rng: np.random.Generator) -> None:
    for _ in range(5):
        q, v, a = random_state(system, rng)
        M, bias = system.mass_matrix(q), system.bias_forces(q, v)
        size = norm(M) * norm(a) + norm(bias)
        assert norm(system.inverse_dynamics(q, v, a) - (M @ a + bias)) <= 1e-13 * size
        assert norm(system.bias_forces(q, 0 * v) - system.gravity_forces(q)) <= 1e-13 * size


@named(solvable)
def test_forward_dynamics_undoes_inverse_dynamics(system: sistel.System, rng: np.random.Generator) -> None:
    for _ in range(5):
        q, v, a = random_state(system, rng)
        tau = system.inverse_dynamics(q, v, a)
        M, bias = system.mass_matrix(q), system.bias_forces(q, v)
        # Rounding of forces of this size is worth |M⁻¹| times as much in the accelerations.
        bound = 1e-15 * norm(np.linalg.inv(M)) * (norm(M) * norm(a) + norm(tau) + norm(bias))
        assert norm(system.forward_dynamics(q, v, tau) - a) <= bound
    assert np.all(np.isfinite(system.forward_dynamics(q, v, tau)))


@named(lambda system: bool(system.structure().why_not))
def test_massless_systems_are_refused(system: sistel.System) -> None:
    q, v = np.zeros(system.nq), np.zeros(system.nv)
    with pytest.raises(sistel.SistelError) as refusal:
        system.forward_dynamics(q, v, v)
    assert refusal.value.diagnostics[0].code == "no-dynamics"


def test_weight_is_the_slope_of_potential_energy(system: sistel.System, rng: np.random.Generator) -> None:
    g = np.array(system.model.gravity)
    masses = np.array([body.mass for body in system.bodies])

    def potential(q: Any) -> float:
        return -float(masses @ (centres(system, q) @ g))

    q, _, _ = random_state(system, rng)
    units = np.eye(system.nv)
    expected = [slope(lambda time, unit=unit: potential(moved(system, q, unit, time))) for unit in units]
    # Rounding is of the terms of the sum: every body at the length of all coordinates and offsets together.
    length = 1 + np.abs(q).max() + np.abs(centres(system, q)).max()
    size = float(masses.sum()) * norm(g) * length
    assert norm(system.gravity_forces(q) - expected) <= 1e-11 * size


@named(small)
def test_forces_of_motion_are_those_of_christoffel(system: sistel.System, rng: np.random.Generator) -> None:
    """Σ (∂M_kj/∂q_i − ½ ∂M_ij/∂q_k) v_i v_j, for coordinates whose rates are the velocities."""
    q, v, _ = random_state(system, rng)
    units = np.eye(system.nv)
    slopes = np.array([slope(lambda time, unit=unit: system.mass_matrix(q + time * unit)) for unit in units])
    expected = np.einsum("ikj,i,j->k", slopes, v, v) - np.einsum("kij,i,j->k", slopes, v, v) / 2
    moving = system.bias_forces(q, v) - system.gravity_forces(q)
    size = norm(system.mass_matrix(q)) * norm(v) ** 2 + norm(system.gravity_forces(q))
    assert norm(moving - expected) <= 1e-11 * size


def test_forces_of_motion_are_those_of_newton_and_euler_on_each_body(
    system: sistel.System, rng: np.random.Generator
) -> None:
    """Σ Jᵀ (m J̇ v, I J̇ v + ω × I ω) with J̇ by differences: any joint, quaternions too, and no recursion."""
    q, v, _ = random_state(system, rng)
    v /= max(norm(v), 1.0)

    def jacobians(time: float) -> Any:
        all_bodies = zip(system.bodies, kinematics_of(system, moved(system, q, v, time)), strict=True)
        return np.array([central(body, *found)[1:] for body, found in all_bodies])

    rates = slope(jacobians)
    expected, size = np.zeros(system.nv), norm(system.gravity_forces(q))
    for body, found, (dturn, dcentre) in zip(system.bodies, kinematics_of(system, q), rates, strict=True):
        tensor, turn, centre = central(body, *found)
        spin = turn @ v
        moment = tensor @ (dturn @ v) + np.cross(spin, tensor @ spin)
        expected += turn.T @ moment + body.mass * centre.T @ (dcentre @ v)
        size += norm(turn) * norm(tensor) * norm(turn) + body.mass * norm(centre) ** 2
    moving = system.bias_forces(q, v) - system.gravity_forces(q)
    assert norm(moving - expected) <= 1e-9 * size


def test_poses_move_as_the_jacobian_says(system: sistel.System, rng: np.random.Generator) -> None:
    """With velocities along the axes of the body where the orientation is a quaternion."""
    body = system.bodies[-1].name
    for _ in range(2):
        q, v, _ = random_state(system, rng)
        v /= max(norm(v), 1.0)
        X = system.pose(q, body)
        rate = slope(lambda time, q=q, v=v: system.pose(moved(system, q, v, time), body))
        spin = rate[:3, :3] @ X[:3, :3].T
        expected = [spin[2, 1], spin[0, 2], spin[1, 0], *rate[:3, 3]]
        assert norm(system.jacobian(q, body) @ v - expected) <= 1e-9 * (1 + norm(X[:3, 3]))
        assert norm(spin + spin.T) <= 1e-9
        assert norm(X[:3, :3] @ X[:3, :3].T - np.eye(3)) <= 1e-14


@named(solvable)
def test_power_becomes_kinetic_energy(system: sistel.System, rng: np.random.Generator) -> None:
    """d/dt ½ vᵀMv along the accelerations that forces give is the power of the forces and of weight."""
    for _ in range(2):
        q, v, tau = random_state(system, rng)
        v /= max(norm(v), 1.0)
        a = system.forward_dynamics(q, v, tau)

        def energy(time: float, q: Any = q, v: Any = v, a: Any = a) -> float:
            rates = v + time * a
            return float(rates @ system.mass_matrix(moved(system, q, v, time)) @ rates) / 2

        power = (tau - system.gravity_forces(q)) @ v
        M = system.mass_matrix(q)
        # Parts of the rate of energy that may cancel: M a · v, and the change of M at unit speed.
        size = norm(M) * (1 + norm(a)) + norm(system.gravity_forces(q)) + norm(tau)
        assert abs(float(slope(energy)) - power) <= 1e-9 * size


@pytest.mark.parametrize(
    "system", [*OWN, "arm5", "cart_pole", "n_pendulum", "spinning_top", "telescope"], indirect=True
)
def test_a_batch_is_its_states_one_by_one(system: sistel.System, rng: np.random.Generator) -> None:
    """To the last bit, whatever the place in the batch: 19 states are not a whole number of vectors."""
    states = [random_state(system, rng) for _ in range(19)]
    q, v, a = (np.array(part) for part in zip(*states, strict=True))
    body = system.bodies[-1].name
    functions: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (system.inverse_dynamics, (q, v, a)),
        (system.mass_matrix, (q,)),
        (system.forward_dynamics, (q, v, a)),
        (lambda q: system.pose(q, body), (q,)),
        (lambda q: system.jacobian(q, body), (q,)),
    ]
    for function, blocks in functions:
        batch = function(*blocks)
        single = np.array([function(*(block[i] for block in blocks)) for i in range(19)])
        assert np.array_equal(batch, single)


HELD = (
    ("andrews_squeezer", "only"),
    ("bricard", "only"),
    ("cam", "lift"),
    ("compass_walker", "on the right"),
    ("four_bar", "only"),
    ("geneva", "engaged"),
    ("gripper_load", "squeeze"),
    ("hopper", "stance"),
    ("slider_crank_spatial", "only"),
    ("universal_shaft", "only"),
    ("vending_pusher", "толкают"),
    ("walker", "на двух"),
)
"""Structures of the gallery with links of every kind; `unit/mechanics/test_structure.py` looks at all of them."""


@pytest.fixture(params=HELD, ids=lambda pair: "-".join(pair))
def held(request: pytest.FixtureRequest) -> tuple[sistel.System, str]:
    name, structure = request.param
    return load(name), structure


def friction(system: sistel.System, structure: str) -> bool:
    """Whether a contact slides with friction, which takes power."""
    return any(c.name in system.structure(structure).slides and c.friction for c in system.model.contacts)


def test_constraints_keep_to_themselves(held: tuple[sistel.System, str], rng: np.random.Generator) -> None:
    """J a cancels J̇ v, and what is missing in M a + h = τ lies in the rows of J: there is no other force."""
    system, structure = held
    q, v, tau = met_states(system, structure, rng, 3)
    a = system.forward_dynamics(q, v, tau, structure=structure)
    J, gain = system.constraint_jacobian(q, structure=structure), system.constraint_bias(q, v, structure=structure)
    M, bias = system.mass_matrix(q), system.bias_forces(q, v)
    for i in range(3):
        size = norm(a[i]) * norm(J[i]) + norm(gain[i])
        condition = float(np.linalg.cond(M[i]))
        assert norm(J[i] @ a[i] + gain[i]) <= 1e-14 * condition * size
        if friction(system, structure):
            continue
        rest = M[i] @ a[i] + bias[i] - tau[i]
        inside = J[i].T @ np.linalg.lstsq(J[i].T, rest, rcond=1e-10)[0]
        assert norm(rest - inside) <= 1e-14 * condition * (norm(M[i]) * norm(a[i]) + norm(tau[i]) + norm(bias[i]))


def test_constraints_take_no_power(held: tuple[sistel.System, str], rng: np.random.Generator) -> None:
    """d/dt ½ vᵀMv along the constrained motion is the power of the given forces and of weight alone."""
    system, structure = held
    assert not friction(system, structure), "friction takes power"
    q, v, tau = (block[0] for block in met_states(system, structure, rng, 1))
    v = v / max(norm(v), 1.0)
    a = system.forward_dynamics(q, v, tau, structure=structure)
    # In units of time in which velocities change by about 1.
    unit = 1 / max(1.0, norm(a))

    def energy(time: float) -> float:
        rates = v + unit * time * a
        return float(rates @ system.mass_matrix(moved(system, q, v, unit * time)) @ rates) / 2

    power = unit * float((tau - system.gravity_forces(q)) @ v)
    M = system.mass_matrix(q)
    size = norm(M) * (1 + unit * norm(a)) ** 2 + unit * (norm(system.gravity_forces(q)) + norm(tau))
    assert abs(float(slope(energy)) - power) <= 1e-9 * size


def test_gauss(held: tuple[sistel.System, str], rng: np.random.Generator) -> None:
    """Of all accelerations that constraints allow, the true ones are nearest to those of the free system."""
    system, structure = held
    assert not friction(system, structure), "friction is no constraint"
    q, v, tau = (block[0] for block in met_states(system, structure, rng, 1))
    a = system.forward_dynamics(q, v, tau, structure=structure)
    M, J = system.mass_matrix(q), system.constraint_jacobian(q, structure=structure)
    free = np.linalg.solve(M, tau - system.bias_forces(q, v))

    def compulsion(x: Any) -> float:
        return float((x - free) @ M @ (x - free))

    for _ in range(5):
        way = rng.normal(size=system.nv)
        way -= np.linalg.lstsq(J, J @ way, rcond=1e-10)[0]
        if norm(way) < 1e-8:
            continue
        # A minimum: the same to both sides, and more, by exactly the square of the way.
        more, less = compulsion(a + way) - compulsion(a), compulsion(a - way) - compulsion(a)
        size = compulsion(a) + norm(M) * norm(way) ** 2
        assert more == pytest.approx(float(way @ M @ way), abs=1e-11 * size)
        assert less == pytest.approx(float(way @ M @ way), abs=1e-11 * size)


def test_momentum_is_that_of_the_bodies(system: sistel.System, rng: np.random.Generator) -> None:
    """Momentum is Σ m v, angular momentum Σ (r × m v + I ω), body by body from Jacobians."""
    q, v, _ = random_state(system, rng)
    angular, linear, size = np.zeros(3), np.zeros(3), 0.0
    places = centres(system, q)
    for body, place, found in zip(system.bodies, places, kinematics_of(system, q), strict=True):
        tensor, turn, centre = central(body, *found)
        push = body.mass * (centre @ v)
        linear += push
        angular += np.cross(place, push) + tensor @ (turn @ v)
        size += norm(push) * (1 + norm(place)) + norm(tensor) * norm(v)
    found = momentum(system.model, q.tolist(), v.tolist())
    assert norm(np.array(found, float).ravel() - [*angular, *linear]) <= 1e-13 * size
    if system.nv <= 3:  # compiled as well, where that takes no time
        assert norm(system.momentum(q, v) - [*angular, *linear]) <= 1e-13 * size


def test_names_that_do_not_exist(models_dir: Path) -> None:
    system = load("arm5")
    for function in (system.pose, system.jacobian):
        with pytest.raises(sistel.SistelError):
            function(np.zeros(system.nq), "nothing")
