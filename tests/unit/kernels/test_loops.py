"""Looped kernels: the same numbers as recursions and straight lines, for systems of any size, in one machine code."""

from __future__ import annotations

import gc
import sys
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.robots import gallery_files, robot_files
from support.structures import gallery

import sistel
from sistel.expr import Graph, Program
from sistel.kernels import LoopedKernel, Loops, compile_program
from sistel.kernels import _loops as loops_module
from sistel.kernels import _machine as machine
from sistel.kernels._loops_code import looped_code
from sistel.mechanics import (
    Kinematics,
    Rates,
    build_tree,
    derive,
    derive_energies,
    derive_frame,
    derive_jacobian_rate,
    derive_momentum,
    forward_dynamics,
    joint_loads,
    momentum,
    recur,
    recur_frame,
)
from sistel.mechanics.steps import RECURSIONS

if TYPE_CHECKING:
    import numpy as np

TOLERANCE = 1e-13
"""Normwise: the norm of the difference over the norm of the whole."""

FRAMES = ("pose", "jacobian", "jacobian_rate")
QUANTITIES = tuple(name for name in RECURSIONS if name not in FRAMES)
TURNED = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))

MIXED = """<system name="mixed" space="spatial">
  <gravity along="1, -2, -9"/>
  <body name="a" joint="free" place="100,0,300" turn="20,30,40" mass="2" com="10,-20,30" inertia="0.1,0.2,0.25,0.01,0.02,0.03">
    <body name="b" joint="planar" axis="1,2,2" place="200,50,0" turn="10,50,70" mass="1" com="0,20,30" inertia="0.2,0.2,0.25,0.02,0.01,0.03"/>
    <body name="c" joint="cylindrical" axis="2,-1,2" place="-200,50,90" turn="70,20,10" mass="1.5" com="50,20,10" inertia="0.1,0.15,0.2">
      <body name="d" joint="spherical" place="90,80,70" turn="5,60,7" mass="0.7" com="100,20,30" inertia="0.1,0.2,0.21,0.01,0.01,0">
        <motor name="first" of="d.wx" ratio="10" inertia="0.002"/>
        <motor name="second" of="d.wz" ratio="10" inertia="0.003"/>
        <body name="e" joint="universal" axis="1,1,0" axis2="1,-1,1" place="10,120,70" mass="0.5" com="10,20,70" inertia="0.02,0.03,0.04"/>
      </body>
      <body name="f" joint="fixed" place="0,0,150" turn="45,0,30" mass="0.4" com="0,10,0" inertia="0.01">
        <body name="g" joint="prismatic" axis="0,3,4" place="10,20,30" turn="0,90,0" mass="0.6" com="10,0,20" inertia="0.01,0.02,0.025">
          <motor name="third" inertia="0.5"/>
          <body name="h" joint="free" place="50,0,0" turn="0,0,1,90" mass="0.3" com="10,20,30" inertia="0.01,0.02,0.025">
            <motor name="fourth" of="h.wy" ratio="10" inertia="0.001"/>
            <motor name="fifth" of="h.vz" inertia="0.2"/>
          </body>
        </body>
      </body>
    </body>
  </body>
</system>"""


def random_state(model: sistel.Model, rng: np.random.Generator, count: int) -> dict[str, Any]:
    q = rng.uniform(-np.pi, np.pi, (count, model.nq))
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            part = q[:, body.first_q : body.first_q + 4]
            part /= np.linalg.norm(part, axis=1, keepdims=True)
    v, a, tau = rng.normal(size=(3, count, model.nv))
    return {"q": q, "v": v, "a": a, "tau": tau}


def blocks_of(kernel: LoopedKernel, state: dict[str, Any]) -> list[Any]:
    return [state[name] for name, _ in kernel.inputs]


def kernels_of(model: sistel.Model, body: int = -1, **options: Any) -> dict[str, LoopedKernel]:
    loops = Loops(model, **options)
    frame = (model.bodies[body].number, (0.1, -0.2, 0.3), TURNED)
    made = {name: loops.kernel(name) for name in QUANTITIES}
    return made | {name: loops.frame_kernel(name, *frame) for name in FRAMES}


def by_recursion(model: sistel.Model, quantity: str, *state: Any) -> Any:
    tree, body, p = build_tree(model), model.bodies[-1].number, (0.1, -0.2, 0.3)
    if quantity == "jacobian_rate":
        rates = [Rates(Kinematics(tree, q.tolist()), v.tolist()) for q, v in zip(*state, strict=True)]
        return np.array([np.ravel(one.jacobian_rate(body, p)) for one in rates])
    if quantity == "momentum":
        return np.array([np.ravel(momentum(model, q.tolist(), v.tolist())) for q, v in zip(*state, strict=True)])
    if quantity in FRAMES:
        frame = (body, p, TURNED)
        return np.array([recur_frame(tree, quantity, *frame, q.tolist()) for q in state[0]])
    return np.array([recur(model, tree, quantity, *(x.tolist() for x in row)) for row in zip(*state, strict=True)])


def close(ours: Any, theirs: Any, tolerance: float = TOLERANCE) -> bool:
    """Row by row."""
    norms = np.linalg.norm(theirs, axis=-1)
    return bool(np.all(np.linalg.norm(ours - theirs, axis=-1) <= tolerance * norms))


def condition_of(model: sistel.Model, q: Any) -> float:
    M = by_recursion(model, "mass_matrix", q).reshape(len(q), model.nv, model.nv)
    return float(np.linalg.cond(M).max()) if model.nv else 1.0


def assert_same(model: sistel.Model, rng: np.random.Generator, count: int) -> None:
    """Every quantity by looped kernels and by recursions on plain numbers."""
    state = random_state(model, rng, count)
    for name, kernel in kernels_of(model).items():
        given_blocks = blocks_of(kernel, state)
        tolerance = TOLERANCE
        if name in ("forward_dynamics", "reactions"):
            condition = condition_of(model, state["q"])
            if condition > 1e14:
                with pytest.raises(sistel.SistelError, match="moves no mass"):
                    kernel(*given_blocks)
                continue
            # Both solve M a = b, so rounding of b and M alone is worth cond(M) times as much.
            tolerance = max(TOLERANCE, 1e-15 * condition)
        assert close(kernel(*given_blocks), by_recursion(model, name, *given_blocks), tolerance), name


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_the_gallery(path: Path, rng: np.random.Generator) -> None:
    assert_same(gallery(path.stem).model, rng, 2)


def test_every_joint_and_rotors_at_each(rng: np.random.Generator) -> None:
    assert_same(sistel.parse(MIXED).model, rng, 10)


ROBOTS = [path for path in robot_files() if path.stem not in ("falcon", "ur3", "test")]
"""Without the files that describe no robot."""


@pytest.mark.peer
@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_robots(path: Path, rng: np.random.Generator) -> None:
    assert_same(sistel.load(path, base="free").model, rng, 1)


def derive_reactions(model: Any, tree: Any) -> Program:
    """Loads at all joints of the tree under given driving forces, in a straight line."""
    graph = Graph()
    q, v, tau = (graph.inputs(name, size) for name, size in (("q", tree.nq), ("v", tree.nv), ("tau", tree.nv)))
    loads = joint_loads(model, q, v, forward_dynamics(tree, q, v, tau))[1:]
    return graph.program({"reactions": [entry for load in loads for entry in (*load.moment, *load.force)]})


@pytest.mark.parametrize("name", ["arm5", "biped", "free_body", "universal_shaft", "telescope"])
def test_straight_lines(name: str, models_dir: Path, rng: np.random.Generator) -> None:
    model = sistel.load(models_dir / f"{name}.xml").model
    tree, state = build_tree(model), random_state(model, rng, 20)
    frame = (model.bodies[-1].number, (0.1, -0.2, 0.3), TURNED)
    programs = {quantity: derive(tree, quantity) for quantity in QUANTITIES[:5]}
    programs |= {"energies": derive_energies(model, tree), "reactions": derive_reactions(model, tree)}
    programs |= {name: derive_frame(tree, name, *frame) for name in ("pose", "jacobian")}
    programs |= {"jacobian_rate": derive_jacobian_rate(tree, *frame[:2]), "momentum": derive_momentum(model, tree)}
    solved = max(TOLERANCE, 1e-15 * condition_of(model, state["q"]))
    for quantity, kernel in kernels_of(model).items():
        straight = compile_program(programs[quantity])
        blocks = [state[block] for block, _ in straight.inputs]
        tolerance = solved if quantity in ("forward_dynamics", "reactions") else TOLERANCE
        assert close(kernel(*blocks), straight(*blocks), tolerance), quantity


# --- trees at random ---------------------------------------------------------------------------------------------------

JOINTS = ("fixed", "revolute", "prismatic", "cylindrical", "universal", "planar", "spherical", "free")
whole = st.integers(-300, 300)


@st.composite
def trees(draw: st.DrawFn) -> str:
    """A system of bodies with any joints between them, each hung on one before it."""
    rows = []
    for i in range(draw(st.integers(1, 7))):
        joint, base = draw(st.sampled_from(JOINTS)), draw(st.integers(0, i))
        axis, axis2 = draw(st.sampled_from((("1,0,0", "0,1,0"), ("0,0,-1", "1,0,0"), ("1,2,-2", "0,1,1"))))
        axes = f'axis="{axis}"' * (joint in ("revolute", "prismatic", "cylindrical", "universal", "planar"))
        axes += f' axis2="{axis2}"' * (joint == "universal")
        place, com, turn = (f"{draw(whole)},{draw(whole)},{draw(whole)}" for _ in range(3))
        motor = "<motor ratio='5' inertia='0.01'/>" * (joint in ("revolute", "prismatic") and draw(st.booleans()))
        rows.append(
            f'<body name="b{i}" base="{f"b{base - 1}" if base else 0}" joint="{joint}" {axes} place="{place}" turn="{turn}" '
            f'mass="{draw(st.integers(1, 9))}" com="{com}" inertia="0.3,0.4,0.5,0.01,0.02,0.03">{motor}</body>'
        )
    return f'<system space="spatial">{"".join(rows)}</system>'


@settings(max_examples=50)
@given(text=trees(), seed=st.integers(0, 2**32 - 1))
def test_any_tree(text: str, seed: int) -> None:
    assert_same(sistel.parse(text).model, np.random.default_rng(seed), 2)


# --- large systems -----------------------------------------------------------------------------------------------------


def chain(bodies: int, masses: str = 'mass="1" com="50,10,20" inertia="0.01,0.02,0.025"') -> sistel.Model:
    """Hinges about changing axes; a few are read from text, and then repeated."""
    axes, few = ("1,0,0", "0,1,0", "1,2,3"), min(bodies, 22)
    rows = "".join(
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" axis="{axes[i % 3]}" '
        f'place="{100 if i else 0},0,10" turn="10,20,{i % 7}" {masses}/>'
        for i in range(few)
    )
    model = sistel.parse(f'<system space="spatial">{rows}</system>').model
    more = [
        replace(model.bodies[1 + (i - 1) % 21], number=i + 1, name=f"b{i}", base=i, first_q=i, first_v=i)
        for i in range(few, bodies)
    ]
    return replace(model, bodies=(*model.bodies, *more))


@pytest.fixture(scope="module")
def long_chain() -> sistel.Model:
    return chain(10_000)


def test_ten_thousand_bodies(long_chain: sistel.Model, rng: np.random.Generator) -> None:
    """Forward and inverse dynamics undo each other; power becomes energy; the last body is where it is."""
    loops, n = Loops(long_chain), 10_000
    forward, inverse, energies = (loops.kernel(name) for name in ("forward_dynamics", "inverse_dynamics", "energies"))
    q, v, a = rng.uniform(-0.1, 0.1, n), 0.001 * rng.normal(size=n), rng.normal(size=n)
    tau = inverse(q, v, a)
    # A chain this long answers forces on its ends millions of times more readily than at its root: what is lost of the
    # accelerations is what rounding of the forces is worth there, not more.
    found = forward(q, v, tau)
    assert np.linalg.norm(inverse(q, v, found) - tau) <= 1e-12 * np.linalg.norm(tau)
    h = 1e-4
    energy = [sum(energies(q + t * v + t * t / 2 * a, v + t * a)[:2]) for t in (-2 * h, -h, h, 2 * h)]
    rate = (8 * (energy[2] - energy[1]) - (energy[3] - energy[0])) / (12 * h)
    assert rate == pytest.approx(float(tau @ v), rel=1e-7)
    tip = loops.frame_kernel("pose", n, (0.0, 0.0, 0.0), TURNED)(q).reshape(4, 4)
    assert np.abs(tip[:3, :3] @ tip[:3, :3].T - np.eye(3)).max() < 1e-12
    assert loops.frame_kernel("jacobian", n, (0.0, 0.0, 0.0), TURNED)(q).shape == (6 * n,)
    assert loops.kernel("reactions")(q, v, tau).shape == (6 * n,)


def test_hundreds_of_bodies_the_other_way(rng: np.random.Generator) -> None:
    model = chain(400)
    kernels = kernels_of(model)
    state = random_state(model, rng, 1)
    q, v, a, tau = (state[name][0] for name in ("q", "v", "a", "tau"))
    M = kernels["mass_matrix"](q).reshape(400, 400)
    solved = 1e-15 * float(np.linalg.cond(M))
    for name in ("inverse_dynamics", "forward_dynamics", "energies", "momentum", "reactions", *FRAMES):
        blocks = blocks_of(kernels[name], state)
        tolerance = solved if name in ("forward_dynamics", "reactions") else TOLERANCE
        assert close(kernels[name](*blocks), by_recursion(model, name, *blocks), tolerance), name
    assert np.array_equal(M, M.T)
    bias = kernels["bias_forces"](q, v)
    forces = M @ a + bias
    assert np.linalg.norm(kernels["inverse_dynamics"](q, v, a) - forces) <= TOLERANCE * np.linalg.norm(forces)
    assert v @ M @ v / 2 == pytest.approx(kernels["energies"](q, v)[0], rel=1e-13)
    found, other = kernels["forward_dynamics"](q, v, tau), np.linalg.solve(M, tau - bias)
    assert np.linalg.norm(found - other) <= solved * np.linalg.norm(other)
    assert np.linalg.norm(kernels["inverse_dynamics"](q, v, found) - tau) <= 1e-14 * np.linalg.norm(bias)


# --- calls -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_a_batch_is_its_states_one_by_one(width: int, rng: np.random.Generator) -> None:
    """To the last bit, whatever the place in the batch: 19 states are not a whole number of vectors."""
    model = sistel.parse(MIXED).model
    state = random_state(model, rng, 19)
    for name, kernel in kernels_of(model, width=width).items():
        blocks = blocks_of(kernel, state)
        batch = kernel(*blocks)
        assert np.array_equal(batch, [kernel(*(block[i] for block in blocks)) for i in range(19)]), name
        assert np.array_equal(kernel(*(block[:18].reshape(2, 9, -1) for block in blocks)).reshape(18, -1), batch[:18])


def test_threads_share_a_large_batch(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    model = sistel.parse(MIXED).model
    state = random_state(model, rng, 150)
    alone = kernels_of(model, threads=1)
    monkeypatch.setattr(loops_module, "WORK_PER_THREAD", 100)
    for name, kernel in kernels_of(model, threads=3).items():
        blocks = blocks_of(kernel, state)
        assert np.array_equal(kernel(*blocks), alone[name](*blocks)), name
        few = [block[:5] for block in blocks]
        assert np.array_equal(kernel(*few), alone[name](*few)), name


def test_threads_share_a_kernel(rng: np.random.Generator) -> None:
    model = chain(60)
    kernel = Loops(model).kernel("forward_dynamics")
    states = [random_state(model, rng, 12) for _ in range(8)]
    expected = [kernel(*blocks_of(kernel, state)) for state in states]
    together = threading.Barrier(4)

    def work(number: int) -> bool:
        together.wait()
        same = True
        for _ in range(20):
            for i in range(number, number + 5):
                state, right = states[i % 8], expected[i % 8]
                blocks = blocks_of(kernel, state)
                same &= np.array_equal(kernel(*blocks), right)
                same &= np.array_equal(kernel.call(*(block[3] for block in blocks)), right[3])
        return same

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))


def test_ways_to_call(rng: np.random.Generator) -> None:
    model = sistel.parse(MIXED).model
    kernel = Loops(model).kernel("inverse_dynamics")
    state = random_state(model, rng, 3)
    q, v, a = (state[name] for name in "qva")
    right = kernel(q, v, a)
    assert right.shape == (3, model.nv)
    assert np.array_equal(kernel(q[0].tolist(), v[0].tolist(), a[0].tolist()), right[0])
    assert np.array_equal(kernel(q, v[0], a), [right[0], *(kernel(q[i], v[0], a[i]) for i in (1, 2))])
    assert np.array_equal(kernel(np.asfortranarray(q), v[:, ::-1][:, ::-1], a), right)
    out = np.empty_like(right)
    assert kernel(q, v, a, out=out) is out and np.array_equal(out, right)
    single = np.empty(model.nv)
    assert kernel(q[0], v[0], a[0], out=single) is single and np.array_equal(single, right[0])
    assert kernel(q[0], v[0], single, out=single) is single, "the result may go where an input was"
    assert np.array_equal(single, kernel(q[0], v[0], right[0]))
    assert kernel(q[:0], v[:0], a[:0]).shape == (0, model.nv)
    assert repr(kernel) == "<LoopedKernel inverse_dynamics(q[26], v[23], a[23]) -> [23]>"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.0] * 6, [0.0] * 5, [0.0] * 5), r"q: expected \(..., 5\), got \(..., 6\)"),
        (([0.0] * 5, [0.0] * 5), r"expected 3 arrays \(q, v, tau\), got 2"),
        (([0.0] * 5, ["x"] * 5, [0.0] * 5), "v: expected real numbers, got text"),
        ((np.zeros((2, 5)), np.zeros((3, 5)), [0.0] * 5), "the batch axes do not fit together"),
    ],
)
def test_arrays_that_do_not_fit(arguments: Any, message: str) -> None:
    kernel = Loops(chain(5)).kernel("forward_dynamics")
    with pytest.raises(sistel.SistelError, match=message):
        kernel(*arguments)


def test_numbers_that_are_none_go_through() -> None:
    """As straight lines do: what is not a number in the state is none in the result, and is no singular system."""
    kernel = Loops(chain(20)).kernel("forward_dynamics")
    state = np.zeros((3, 20))
    state[0, 3] = np.nan
    assert np.isnan(kernel(*state)).any()
    assert np.isnan(kernel(*state[:, None, :].repeat(9, axis=1))).any(axis=1).all()


def test_quaternions_of_another_length_are_no_singular_system(rng: np.random.Generator) -> None:
    """They stand for no rotation, and what comes out for no motion; straight lines do not object either."""
    model = sistel.parse(MIXED).model
    state = random_state(model, rng, 20)
    state["q"][:, :4] *= 2.0
    kernel = Loops(model).kernel("forward_dynamics")
    assert kernel(*blocks_of(kernel, state)).shape == (20, model.nv)


def test_a_system_at_rest() -> None:
    """No coordinates at all."""
    model = sistel.parse('<system><body name="a" joint="fixed" place="10,20" mass="2" com="10,0"/></system>').model
    kernels = kernels_of(model)
    assert kernels["forward_dynamics"]([], [], []).shape == (0,)
    assert kernels["mass_matrix"]([]).shape == (0,)
    kinetic, potential, *centre = kernels["energies"]([], [])
    assert kinetic == 0 and centre == pytest.approx([0.02, 0.02, 0.0]) and potential == pytest.approx(-2 * 9.81 * 0.02)
    load = kernels["reactions"]([], [], [])
    assert load == pytest.approx([0, 0, -2 * 9.81 * 0.01, 0, -2 * 9.81, 0])
    ground = Loops(model).frame_kernel("pose", 0, (1.0, 2.0, 3.0), TURNED)([]).reshape(4, 4)
    assert np.array_equal(ground, [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])


# --- coordinates that move no mass ----------------------------------------------------------------------------------

POINT = 'mass="1" com="0,0,100" inertia="0"'
HEAVY = 'mass="1" com="10,20,30" inertia="0.1,0.2,0.25"'
SINGULAR = {
    "an end without mass": (f'<body name="a" joint="revolute" {HEAVY}><body name="b" joint="prismatic"/></body>', "b"),
    "a point on its axis": (f'<body name="a" joint="revolute" axis="1,2,2" {HEAVY}><body name="b" joint="revolute" {POINT}/></body>', "b"),
    "two hinges on one axis": (f'<body name="a" joint="revolute" axis="1,2,2"><body name="b" joint="revolute" axis="1,2,2" {HEAVY}/></body>', "a"),
    "two slides along one axis": (f'<body name="a" joint="prismatic" axis="1,2,2"><body name="b" joint="prismatic" axis="1,2,2" {HEAVY}/></body>', "a"),
    "a ball with a point": (f'<body name="a" joint="spherical" {POINT}/>', "a"),
    "a free point": (f'<body name="a" joint="free" {POINT}/>', "a"),
    "a hinge under a ball": (f'<body name="a" joint="revolute" axis="1,2,2"><body name="b" joint="spherical" {HEAVY}/></body>', "a"),
    "a slide under a free body": (f'<body name="a" joint="prismatic" axis="1,2,2"><body name="b" joint="free" {HEAVY}/></body>', "a"),
    "a universal joint with a point": (f'<body name="a" joint="universal" axis="0,0,1" axis2="1,0,0" {POINT}/>', "a.first"),
}  # fmt: skip


@pytest.mark.parametrize("name", SINGULAR)
def test_coordinates_that_move_no_mass_are_named(name: str, rng: np.random.Generator) -> None:
    rows, coordinate = SINGULAR[name]
    model = sistel.parse(f'<system space="spatial">{rows}</system>').model
    state = random_state(model, rng, 9)
    if name.startswith("a universal"):
        state["q"][:4, 1] = 1.0  # singular only where the point comes to lie on the first axis
        state["q"][4:, 1] = 0.0
    row = 4 if name.startswith("a universal") else 0
    for quantity in ("forward_dynamics", "reactions"):
        kernel = Loops(model, width=4).kernel(quantity)
        blocks = blocks_of(kernel, state)
        with pytest.raises(sistel.SistelError) as refusal:
            kernel(*blocks)
        diagnostic = refusal.value.diagnostics[0]
        assert diagnostic.code == "no-dynamics"
        assert diagnostic.message.en.endswith(f'the coordinate "{coordinate}" moves no mass in state {row}')
        assert diagnostic.message.ru.endswith(f"координата «{coordinate}» не перемещает массы в состоянии {row}")
        single = [np.ascontiguousarray(block[row]) for block in blocks]
        for options in ({}, {"out": np.empty(kernel.outputs[0][1])}):
            with pytest.raises(sistel.SistelError, match=f'"{coordinate}" moves no mass$'):
                kernel.call(*single, **options)


def test_a_rotor_is_mass_enough(rng: np.random.Generator) -> None:
    text = (
        f'<system space="spatial"><body name="a" joint="revolute" axis="1,2,2"><motor inertia="0.1"/>'
        f'<body name="b" joint="revolute" axis="1,2,2" {HEAVY}/></body></system>'
    )
    assert_same(sistel.parse(text).model, rng, 3)


@pytest.mark.parametrize("bodies", [2, 50, 2000])
def test_light_ends_are_no_error(bodies: int, rng: np.random.Generator) -> None:
    """Inertia that is small beside that of the neighbours is not rounding."""
    model = chain(bodies, 'mass="0.000001" com="1,0.1,0.2" inertia="1e-12,2e-12,2.5e-12"')
    heavy = chain(bodies)
    for system in (model, heavy):
        kernel = Loops(system).kernel("forward_dynamics")
        state = random_state(system, rng, 1)
        assert np.all(np.isfinite(kernel(*blocks_of(kernel, state))))


def test_calls_give_back_what_they_take(rng: np.random.Generator) -> None:
    good, bad = Loops(chain(200)).kernel("forward_dynamics"), Loops(chain(200, "")).kernel("forward_dynamics")
    state, out = rng.normal(size=(3, 200)), np.empty(200)

    def call(times: int) -> None:
        for _ in range(times):
            good.call(*state)
            good.call(*state, out=out)
            for options in ({}, {"out": out}):
                with pytest.raises(sistel.SistelError):
                    bad.call(*state, **options)

    call(3)
    count = sys.getrefcount(out)
    gc.collect()
    tracemalloc.start()
    try:
        call(20)  # what is only kept once, such as lines of source for tracebacks, is kept now
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        call(100)
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert kept < 100 * out.nbytes / 2, "half of what the results of one kind of call take"
    assert sys.getrefcount(out) == count


# --- code --------------------------------------------------------------------------------------------------------------


def test_one_code_for_all_systems_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    original = machine.assemble

    def assemble(text: str) -> bytes:
        texts.append(text)
        return original(text)

    monkeypatch.setattr(machine, "assemble", assemble)
    folder = tmp_path / "kernels"
    results = []
    for model in (chain(5), chain(5), sistel.parse(MIXED).model):
        looped_code.forget()  # as in another process
        kernel = Loops(model, cache=folder).kernel("gravity_forces")
        results.append(kernel(np.zeros(model.nq)))
        assert len(texts) == 1
    assert np.array_equal(results[0], results[1])
    assert len(list(folder.iterdir())) == 1
    looped_code.forget()
