"""Tree → programs: each quantity is derived in every applicable way, and the one with the fewest operations is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sistel.expr import LIVE, Expr, Graph, Program, Scalar, Scalars, program, split_prologue
from sistel.mechanics._articulated import articulated_dynamics
from sistel.mechanics._bodies import centre_of_mass, energies, joint_loads
from sistel.mechanics._elastic import elastic_energy
from sistel.mechanics._forward_dynamics import forward_dynamics
from sistel.mechanics._frames import shareable_runs
from sistel.mechanics._inverse_dynamics import inverse_dynamics
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._mass_matrix import mass_matrix
from sistel.mechanics._tree import Tree
from sistel.model import Model
from sistel.pose import Rotation, Vector3
from sistel.records import entry

Symbols = dict[str, list[Scalar]]
Derivation = Callable[[Tree, Symbols, frozenset[int]], Scalars]


def _inverse_dynamics(tree: Tree, x: Symbols, shared: frozenset[int]) -> Scalars:
    return inverse_dynamics(tree, x["q"], x["v"], x["a"], shared=shared)


def _bias_forces(tree: Tree, x: Symbols, shared: frozenset[int]) -> Scalars:
    return inverse_dynamics(tree, x["q"], x["v"], [0.0] * tree.nv, shared=shared)


def _gravity_forces(tree: Tree, x: Symbols, shared: frozenset[int]) -> Scalars:
    still: list[Scalar] = [0.0] * tree.nv
    return inverse_dynamics(tree, x["q"], still, still, shared=shared)


def _mass_matrix(tree: Tree, x: Symbols, shared: frozenset[int]) -> Scalars:
    return [entry for row in mass_matrix(tree, x["q"], shared=shared) for entry in row]


def _mass_triangle(tree: Tree, x: Symbols, shared: frozenset[int]) -> Scalars:
    M = mass_matrix(tree, x["q"], shared=shared)
    return [M[i][j] for i, j in mass_pattern(tree)]


def mass_pattern(tree: Tree) -> list[tuple[int, int]]:
    """Places of the lower triangle of the mass matrix, row by row, that are not always 0: those along a branch."""
    chains: list[list[int]] = []
    """Velocities of each link and of all that carry it, ascending."""
    for link in tree.links:
        own = range(link.first_v, link.first_v + {"ball": 3, "free": 6}.get(link.kind, 1))
        chains.append([*(chains[link.parent] if link.parent >= 0 else ()), *own])
    return sorted({(max(i, j), min(i, j)) for chain in chains for i in chain for j in chain})


def _composite_dynamics(tree: Tree, x: Symbols, shared: frozenset[int]) -> Scalars:
    return forward_dynamics(tree, x["q"], x["v"], x["tau"], shared=shared)


def _articulated_dynamics(tree: Tree, x: Symbols, shared: frozenset[int]) -> Scalars:
    return articulated_dynamics(tree, x["q"], x["v"], x["tau"], shared=shared)


QUANTITIES: dict[str, tuple[tuple[str, ...], dict[str, Derivation]]] = {
    "inverse_dynamics": (("q", "v", "a"), {"newton-euler": _inverse_dynamics}),
    "bias_forces": (("q", "v"), {"newton-euler": _bias_forces}),
    "gravity_forces": (("q",), {"newton-euler": _gravity_forces}),
    "mass_matrix": (("q",), {"composite bodies": _mass_matrix}),
    "forward_dynamics": (
        ("q", "v", "tau"),
        {"composite bodies": _composite_dynamics, "articulated bodies": _articulated_dynamics},
    ),
}
"""What a quantity depends on, and the formulations that derive it."""


REDUCED = "reduced coordinates"
"""The formulation that expresses some velocities by the others: it has postures of its own in which it fails."""


@entry
class Variant:
    """One way of deriving a quantity."""

    shared: frozenset[int]
    """Hinges that share the axes of the link before them."""
    program: Program
    formulation: str = ""
    dynamics: Callable[..., Any] | None = None
    """What the motion of a structure was derived with, to derive other things with: see `structure_dynamics`."""

    @property
    def cost(self) -> float:
        """Weighted operations; those on live parameters alone are done once and do not count."""
        if all(name != LIVE for name, _ in self.program.inputs):
            return self.program.count().weighted
        return split_prologue(self.program, (LIVE,))[1].count().weighted

    @property
    def price(self) -> float:
        """What variants are compared by: the cost, with a tenth more where something that may vanish is divided by."""
        return self.cost * (1.1 if self.formulation.endswith(REDUCED) else 1.0)


def derive(tree: Tree, quantity: str) -> Program:
    """The program of a quantity with the fewest weighted operations."""
    return min(variants(tree, quantity), key=lambda variant: variant.cost).program


def variants(tree: Tree, quantity: str) -> list[Variant]:
    """All ways of deriving a quantity that were tried, the first without shared axes."""
    inputs, formulations = QUANTITIES[quantity]
    likely = likely_runs(tree) if quantity == "forward_dynamics" else []
    tried: list[Variant] = []
    for name, derivation in formulations.items():
        derive_with = partial(_program, tree, inputs, derivation, quantity)
        tried += [Variant(shared, derive_with(shared), name) for shared in likely] or search(tree, derive_with, name)
    return tried


def likely_runs(tree: Tree) -> list[frozenset[int]]:
    """Hinges that may share axes in whatever is made of a mass matrix and a bias: none, or as is best for one of them.

    Large equations are not searched themselves: it would take ten times as long, and finds the same.
    """
    best = [
        min(variants(tree, quantity), key=lambda variant: variant.cost).shared
        for quantity in ("mass_matrix", "bias_forces")
    ]
    return list(dict.fromkeys((frozenset[int](), *best)))


def search(tree: Tree, derive_with: Callable[[frozenset[int]], Program], formulation: str = "") -> list[Variant]:
    """Try runs of parallel axes one after another, whole and without their last hinge; keep what makes it cheaper.

    Runs hardly influence each other's cost, so one pass finds the best combination or one beside it.
    """
    best = Variant(frozenset(), derive_with(frozenset()), formulation)
    tried = [best]
    for run in shareable_runs(tree):
        before, ordered = best, sorted(run)
        for part in (ordered, ordered[:-1]):
            if not part:
                continue
            shared = before.shared.union(part)
            variant = Variant(shared, derive_with(shared), formulation)
            tried.append(variant)
            best = variant if variant.cost < best.cost else best
    return tried


def _program(tree: Tree, inputs: tuple[str, ...], derivation: Derivation, name: str, shared: frozenset[int]) -> Program:
    graph = Graph()
    return program(graph, {name: expressions(graph, derivation(tree, symbols(graph, tree, inputs), shared))})


def symbols(graph: Graph, tree: Tree, inputs: Sequence[str]) -> Symbols:
    """Blocks of inputs: q with nq numbers, all others with nv."""
    return {name: list(graph.inputs(name, tree.nq if name == "q" else tree.nv)) for name in inputs}


def expressions(graph: Graph, values: Scalars) -> list[Expr]:
    """Scalars as nodes of a graph."""
    return [value if isinstance(value, Expr) else graph.constant(value) for value in values]


def derive_mass_triangle(tree: Tree) -> Program:
    """Program of the entries of the mass matrix that `mass_pattern` names: each once, and none that is always 0."""
    tried = search(tree, partial(_program, tree, ("q",), _mass_triangle, "mass_triangle"))
    return min(tried, key=lambda variant: variant.cost).program


def recur(model: Model, tree: Tree, quantity: str, *blocks: Sequence[float]) -> list[float]:
    """A quantity of one state by its recursion on plain numbers: what looped kernels are checked against.

    The cost is linear in the number of links (quadratic in the depth for the mass matrix, which has as many entries).
    """
    state: list[list[Scalar]] = [list(block) for block in blocks]
    if quantity == "reactions":
        q, v, tau = state
        loads = joint_loads(model, q, v, articulated_dynamics(tree, q, v, tau))[1:]
        values: Scalars = [entry for load in loads for entry in (*load.moment, *load.force)]
    elif quantity == "energies":
        values = [*energies(model, *state), *centre_of_mass(model, state[0])]
    else:
        inputs, formulations = QUANTITIES[quantity]
        # The last formulation is the one that grows least with size.
        derivation = list(formulations.values())[-1]
        values = derivation(tree, dict(zip(inputs, state, strict=True)), frozenset())
    return [value for value in values if isinstance(value, (int, float))]


def derive_frame(tree: Tree, body: int, p: Vector3, R: Rotation) -> tuple[Program, Program]:
    """Programs of the pose of a frame fixed in a body (16 numbers of a 4×4 matrix), and of its Jacobian (6 × nv)."""

    def derived(quantity: str, shared: frozenset[int]) -> Program:
        graph = Graph()
        kinematics = Kinematics(tree, symbols(graph, tree, ("q",))["q"], shared)
        return program(graph, {quantity: expressions(graph, _frame_entries(kinematics, quantity, body, p, R))})

    poses, jacobians = (search(tree, partial(derived, quantity)) for quantity in ("pose", "jacobian"))
    return min(poses, key=lambda v: v.cost).program, min(jacobians, key=lambda v: v.cost).program


def recur_frame(tree: Tree, quantity: str, body: int, p: Vector3, R: Rotation, q: Sequence[float]) -> list[float]:
    """The pose or the Jacobian of a frame for one state on plain numbers: what looped kernels are checked against."""
    values = _frame_entries(Kinematics(tree, list(q)), quantity, body, p, R)
    return [value for value in values if isinstance(value, (int, float))]


def _frame_entries(kinematics: Kinematics, quantity: str, body: int, p: Vector3, R: Rotation) -> list[Scalar]:
    if quantity == "pose":
        x, axes = kinematics.place(body, p), kinematics.axes(body, R)
        return [*(entry for i in range(3) for entry in (*axes[i], x[i])), 0.0, 0.0, 0.0, 1.0]
    return [entry for row in kinematics.jacobian(body, p) for entry in row]


def derive_elastic(model: Model, tree: Tree) -> Program:
    """Program of what all springs store: q → one number [J]."""
    graph = Graph()
    q = symbols(graph, tree, ("q",))["q"]
    return program(graph, {"elastic": expressions(graph, [elastic_energy(Kinematics(tree, q), model, q)])})


def derive_energies(model: Model, tree: Tree, *, springs: bool = False) -> Program:
    """Program of the kinetic energy, the potential of weight, and the centre of mass: five numbers.

    Args:
        model: The system.
        tree: Its links.
        springs: Whether the potential has in it what springs store.
    """
    graph = Graph()
    x = symbols(graph, tree, ("q", "v"))
    entries = [*energies(model, x["q"], x["v"]), *centre_of_mass(model, x["q"])]
    if springs:
        entries[1] = entries[1] + elastic_energy(Kinematics(tree, x["q"]), model, x["q"])
    return program(graph, {"energies": expressions(graph, entries)})
