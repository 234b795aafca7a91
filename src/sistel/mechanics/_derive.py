"""Tree → programs: each quantity is derived in every applicable way, and the one with the fewest operations is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from sistel.expr import Expr, Graph, Program, Scalar, Scalars
from sistel.mechanics._articulated import articulated_dynamics
from sistel.mechanics._bodies import centre_of_mass, energies, joint_loads
from sistel.mechanics._elastic import elastic_energy
from sistel.mechanics._forward_dynamics import forward_dynamics
from sistel.mechanics._inverse_dynamics import inverse_dynamics
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._mass_matrix import mass_matrix
from sistel.mechanics._search import ARTICULATED, COMPOSITE, Variant, cheapest, search, tree_variants
from sistel.mechanics._tree import Tree
from sistel.model import Model
from sistel.pose import Rotation, Vector3

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


def _mass_entries(tree: Tree, x: Symbols, shared: frozenset[int]) -> Scalars:
    M = mass_matrix(tree, x["q"], shared=shared)
    return [entry for i, row in enumerate(M) for entry in row[: i + 1] if isinstance(entry, Expr)]


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
        {COMPOSITE: _composite_dynamics, ARTICULATED: _articulated_dynamics},
    ),
}
"""What a quantity depends on, and the formulations that derive it."""


def derive(tree: Tree, quantity: str) -> Program:
    """The program of a quantity with the fewest weighted operations."""
    return cheapest(variants(tree, quantity)).program


def variants(tree: Tree, quantity: str) -> list[Variant]:
    """All ways of deriving a quantity that were tried, the first without shared axes."""
    inputs, formulations = QUANTITIES[quantity]

    def derived(formulation: str, shared: frozenset[int]) -> Program:
        return _program(tree, inputs, formulations[formulation], quantity, shared)

    def formulated(formulation: str, shared: frozenset[int]) -> Variant:
        return Variant(shared, partial(derived, formulation, shared), formulation)

    if quantity == "forward_dynamics":
        tried = tree_variants(tree, formulated, partial(likely_runs, tree), articulated_program)
        for variant in tried:
            _ = variant.program  # so that a coordinate without inertia is told here
        return tried
    (formulation,) = formulations
    return search(tree, partial(derived, formulation), formulation)


@lru_cache(maxsize=4)
def likely_runs(tree: Tree) -> tuple[frozenset[int], ...]:
    """Hinges that may share axes in whatever is made of a mass matrix and a bias: none, or as is best for one of them.

    Large equations are not searched themselves: it would take ten times as long, and finds the same. All structures
    of a system ask for the same.
    """
    # The order of the entries of the mass matrix does not matter here, and those that are always 0 cost nothing.
    mass = search(tree, partial(_program, tree, ("q",), _mass_entries, "mass_matrix"))
    bias = variants(tree, "bias_forces")
    return tuple(dict.fromkeys((frozenset[int](), cheapest(mass).shared, cheapest(bias).shared)))


def articulated_program(tree: Tree, shared: frozenset[int]) -> Program:
    """Forward dynamics by articulated bodies."""
    return _program(tree, ("q", "v", "tau"), _articulated_dynamics, "forward_dynamics", shared)


def _program(tree: Tree, inputs: tuple[str, ...], derivation: Derivation, name: str, shared: frozenset[int]) -> Program:
    graph = Graph()
    return graph.program({name: expressions(graph, derivation(tree, symbols(graph, tree, inputs), shared))})


def symbols(graph: Graph, tree: Tree, inputs: Sequence[str]) -> Symbols:
    """Blocks of inputs: q with nq numbers, all others with nv."""
    return {name: list(graph.inputs(name, tree.nq if name == "q" else tree.nv)) for name in inputs}


def expressions(graph: Graph, values: Scalars) -> list[Expr]:
    """Scalars as nodes of a graph."""
    return [value if isinstance(value, Expr) else graph.constant(value) for value in values]


def derive_mass_triangle(tree: Tree) -> Program:
    """Program of the entries of the mass matrix that `mass_pattern` names: each once, and none that is always 0."""
    tried = search(tree, partial(_program, tree, ("q",), _mass_triangle, "mass_triangle"))
    return cheapest(tried).program


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


def derive_frame(tree: Tree, quantity: str, body: int, p: Vector3, R: Rotation) -> Program:
    """Program of the pose of a frame fixed in a body (16 numbers of a 4×4 matrix), or of its Jacobian (6 × nv)."""

    def derived(shared: frozenset[int]) -> Program:
        graph = Graph()
        kinematics = Kinematics(tree, symbols(graph, tree, ("q",))["q"], shared)
        return graph.program({quantity: expressions(graph, _frame_entries(kinematics, quantity, body, p, R))})

    return cheapest(search(tree, derived)).program


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
    return graph.program({"elastic": expressions(graph, [elastic_energy(Kinematics(tree, q), model, q)])})


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
    return graph.program({"energies": expressions(graph, entries)})
