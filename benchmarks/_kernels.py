"""sistel's kernels as addresses, for loops in C: one state a call, rows of NumPy arrays, and blocks of states."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from _robots import Pair

from sistel.expr import Graph, Program
from sistel.kernels import _machine, user_cache
from sistel.kernels._emit import emit
from sistel.kernels._llvm import FUNCTION, LlvmRunner
from sistel.mechanics import Kinematics, build_tree, derive, derive_mass_triangle, mass_pattern, variants
from sistel.pose import IDENTITY

QUANTITIES = {"RNEA": "inverse_dynamics", "CRBA": "mass_matrix", "FD": "forward_dynamics", "FK+J": "frame"}


def derive_quantity(pair: Pair, quantity: str) -> Program:
    """The program of a quantity of the races; `frame` is the tool's pose and Jacobian at once."""
    tree = build_tree(pair.system.model)
    if quantity == "mass_matrix":
        return derive_mass_triangle(tree)  # one half, without the zeros: what Pinocchio and MuJoCo fill
    if quantity != "frame":
        return derive(tree, quantity)
    body = next(body.number for body in pair.system.bodies if body.name == pair.robot.tool)

    def with_axes(shared: frozenset[int]) -> Program:
        graph = Graph()
        kinematics = Kinematics(tree, list(graph.inputs("q", tree.nq)), shared)
        p, R = kinematics.place(body, pair.robot.p_tool), kinematics.axes(body, IDENTITY)
        entries = {
            "pose": [*(entry for i in range(3) for entry in (*R[i], p[i])), 0.0, 0.0, 0.0, 1.0],
            "jacobian": [entry for row in kinematics.jacobian(body, pair.robot.p_tool) for entry in row],
        }
        return graph.program({name: [_expression(graph, entry) for entry in row] for name, row in entries.items()})

    # The same runs of parallel axes are worth trying as for dynamics.
    tried = {variant.shared for variant in variants(tree, "mass_matrix")}
    return min((with_axes(shared) for shared in tried), key=lambda found: found.count().weighted)


def half_of(pair: Pair, matrices: Any) -> Any:
    """The entries of mass matrices, given as rows, that the kernel of the races computes."""
    nv = pair.system.nv
    return matrices[:, [nv * i + j for i, j in mass_pattern(build_tree(pair.system.model))]]


def _expression(graph: Graph, value: Any) -> Any:
    return graph.constant(float(value)) if isinstance(value, (int, float)) else value


class RawKernel:
    """The functions of a compiled program, and arrays that they read and write."""

    def __init__(self, derived: Program, inputs: Sequence[Any], loop: Any) -> None:
        self.program = derived
        self.runner = LlvmRunner(derived, width=None, threads=1, cache=user_cache())
        self.loop = loop
        self.count = len(inputs[0])
        width = self.runner.width
        assert self.count % width == 0
        self.rows = [*inputs, *(np.zeros((self.count, size)) for _, size in derived.outputs)]
        # Blocks of `width` states: the same number of all of them side by side.
        self.blocks = [_aligned(rows.reshape(-1, width, rows.shape[1]).transpose(0, 2, 1)) for rows in self.rows]

    def turns(self) -> dict[str, Callable[[int], float]]:
        """What to time, by the way of calling: seconds a state, for a number of passes over all states."""
        width = self.runner.width
        scalar = self.runner.scalar_code.address(FUNCTION)
        vector = ctypes.cast(self.runner._vector_function(), ctypes.c_void_p).value
        self.code = _machine.Code(
            _machine.assemble(emit(self.program, width, FUNCTION, blocked=True), _machine.BATCHES)
        )
        rows, blocks, count = _arguments(self.rows), _arguments(self.blocks), self.count // width
        turn = self.loop.loop_rows
        return {
            "single": lambda passes: float(turn(scalar, rows, self.count, 1, passes)),
            "rows": lambda passes: float(turn(vector, rows, self.count, self.count, passes)),
            "blocked": lambda passes: float(turn(self.code.address(FUNCTION), blocks, count, count, passes)) / width,
        }

    def spoil(self) -> None:
        """Forget all results."""
        for out in (*self._outputs(self.rows), *self._outputs(self.blocks)):
            out[:] = np.nan

    def results(self, way: str) -> list[Any]:
        """What the last turn found: rows of the output blocks."""
        if way != "blocked":
            return self._outputs(self.rows)
        return [block.transpose(0, 2, 1).reshape(self.count, -1) for block in self._outputs(self.blocks)]

    def _outputs(self, arrays: Sequence[Any]) -> list[Any]:
        return list(arrays[len(self.program.inputs) :])


def _arguments(arrays: Sequence[Any]) -> Any:
    """Addresses, and distances between rows or blocks, as kernels take them."""
    found = (ctypes.c_int64 * (2 * len(arrays)))()
    for i, array in enumerate(arrays):
        assert array.flags.c_contiguous
        found[2 * i], found[2 * i + 1] = array.ctypes.data, array.strides[0]
    return found


def _aligned(array: Any) -> Any:
    """A copy that starts at the beginning of a cache line, as who chooses this layout would have it."""
    memory = np.empty(array.size + 8)
    first = -memory.ctypes.data % 64 // 8
    copy = memory[first : first + array.size].reshape(array.shape)
    copy[:] = array
    return copy
