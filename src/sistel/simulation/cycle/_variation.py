"""Derivatives of a motion by its initial state: exact along the steps of a run, and through its events.

Within a structure a perturbation w follows dw/dt = (∂f/∂y) w, whose Taylor coefficients come from the same machine code
as those of the motion. At an event the instant itself depends on the state; that is what the saltation matrix adds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import forced_at, split, with_memory
from sistel.expr import (
    Expr,
    Graph,
    Program,
    derivative,
    evaluate,
    forward_derivative,
    gradient,
    is_constant,
    replay,
    split_modes,
)
from sistel.kernels import USER, compile_taylor
from sistel.kernels.taylor import is_large
from sistel.mechanics import constraint_rows, coordinate_rates, expressions, inner
from sistel.once import once_property
from sistel.simulation.taylor.steps import WEIGHTS, step_length

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.automaton import Exit
    from sistel.engine import Engine
    from sistel.kernels import Taylor
    from sistel.model import Model, Structure, Transition
    from sistel.simulation._compiled_structure import CompiledStructure
    from sistel.simulation.run._run import Segment


JUMP = 1e-9
"""Relative change of the rates at a change of modes under which they count as continuous."""
SOON = 1e-9
"""How far from the zero of a watched function an event may be that it makes [s]."""
STILL = 1e-300
"""Rate of a watched function that counts as none: counters do not change while anything moves."""
RANK = 1e-9
"""Relative size under which a singular value of constraints counts as zero."""


class Variation:
    """The derivatives of one structure."""

    def __init__(self, compiled: CompiledStructure) -> None:
        """Nothing is derived yet."""
        self.compiled = compiled
        self.size = dict(compiled.modes.program.inputs)["y"]
        self.jumps: dict[str, Program] = {}
        self.passed: dict[str, frozenset[int]] = {}
        self.compared: dict[str, tuple[Program, Program] | None] = {}

    @once_property
    def taylor(self) -> Taylor:
        """Coefficients of (y, w): the motion, and a perturbation of it."""
        smooth, n = self.compiled.modes.program, self.size
        graph = Graph()
        y = graph.inputs("y", 2 * n)
        p = graph.inputs("p", dict(smooth.inputs).get("p", 0))
        blocks = [y[:n] if name == "y" else p for name, _ in smooth.inputs]
        rates = expressions(graph, replay(smooth, *blocks)[0])
        changes = derivative(graph, rates, dict(zip(y[:n], y[n:], strict=True)))
        made = graph.program({"dy": [*rates, *changes]})
        return compile_taylor(made, order=self.compiled.order, cache=USER, rows=is_large(made))

    @once_property
    def _local(self) -> tuple[Program, frozenset[int], frozenset[int]]:
        """Program of the rates, the watched functions and their gradients; what the rates, and what all, do not have.

        Of velocities this is not asked: a motion that does not depend on one does not exist.
        """
        smooth, n, model = self.compiled.modes.program, self.size, self.compiled.engine.model
        graph = Graph()
        inputs = {name: graph.inputs(name, size) for name, size in smooth.inputs}
        y = inputs["y"]
        rates, *watched = replay(smooth, *inputs.values())
        functions = [function for block in watched for function in block]
        unmoved: set[int] = set()
        for i in (*range(model.nq), *range(model.nq + model.nv, n)):
            changes = derivative(graph, rates, dict.fromkeys(_moved(model, y, i), 1.0))
            if all(_is(change, 0.0) for change in changes):
                unmoved.add(i)
        slopes = [gradient(graph, function, list(y)) for function in functions]
        absent: set[int] = set()
        for i in unmoved:
            changes = derivative(graph, functions, dict.fromkeys(_moved(model, y, i), 1.0)) if functions else []
            if all(_is(change, 0.0) for change in changes):
                absent.add(i)
        outputs = {"f": expressions(graph, rates)}
        if functions:
            outputs["g"] = expressions(graph, functions)
            outputs["slopes"] = [entry for row in slopes for entry in row]
        return graph.program(outputs), frozenset(unmoved), frozenset(absent)

    @once_property
    def _rate_slopes(self) -> Program:
        smooth = self.compiled.modes.program
        graph = Graph()
        inputs = {name: graph.inputs(name, size) for name, size in smooth.inputs}
        rates = replay(smooth, *inputs.values())[0]
        slopes = forward_derivative(graph, rates, list(inputs["y"]))
        return graph.program({"slopes": [entry for row in slopes for entry in row]})

    def rate_slopes(self, y: Array) -> Array:
        """Derivatives of the rates by the state."""
        line = self._rate_slopes
        found = evaluate(line, *self._inputs(line, y, self.modes_at(y)))
        return np.array(found[0]).reshape(self.size, self.size)

    @property
    def unmoved(self) -> frozenset[int]:
        """Components of the state, velocities apart, that the rates do not contain; the clock with the last entry."""
        return self._local[1]

    @property
    def absent(self) -> frozenset[int]:
        """Those that neither the rates nor the watched functions contain."""
        return self._local[2]

    def modes_at(self, y: Array) -> Array:
        """What live parameters determine, and which sides of the comparisons hold at a state."""
        modes = self.compiled.modes
        return self.compiled.parameters(y)[: modes.first + modes.count]

    @staticmethod
    def _inputs(of: Program, y: Array, p: Array) -> list[list[float]]:
        return [[float(x) for x in (y if name == "y" else p)] for name, _ in of.inputs]

    def local(self, y: Array, p: Array | None = None) -> tuple[Array, Array, Array]:
        """The rates at a state, the watched functions, and their gradients, a row each."""
        chosen = self.modes_at(y) if p is None else p
        rates, *rest = evaluate(self._local[0], *self._inputs(self._local[0], y, chosen))
        if not rest:
            return np.array(rates), np.zeros(0), np.zeros((0, self.size))
        return np.array(rates), np.array(rest[0]), np.array(rest[1]).reshape(-1, self.size)

    def along(self, segments: Sequence[Segment], W: Array) -> tuple[Array, Array]:
        """Perturbations at the end of a stay from those at its beginning, and the modes that hold there."""
        before: Array | None = None
        for segment in segments:
            for (_, h), coefficients in zip(segment.times, segment.coefficients, strict=True):
                y = coefficients[:, 0]
                p = self.modes_at(horner(coefficients, 0.5 * h))  # a step ends where a mode changes
                if before is not None and not np.array_equal(before, p):
                    W = self._change(y, before, p) @ W
                W = self._step(y, p, W, float(h))
                before = p
        return W, np.zeros(0) if before is None else before

    def _step(self, y: Array, p: Array, W: Array, h: float) -> Array:
        """Perturbations after a time that is one step of the Taylor method, or several where another took it."""
        n, order = self.size, self.compiled.order
        given = p if self.taylor.parameters else None
        while True:
            tables = [self.taylor(np.concatenate([y, w]), given)[0] for w in W.T]
            radius = step_length(tables[0][:n].ravel(), n, order, order + 1, np.ones(WEIGHTS * n))
            part = math.exp(-2.0 - 0.7 / (order - 1)) * radius * (1.0 + 1e-9)
            if not part > 0.0 or h <= part:
                return np.stack([horner(table[n:], h) for table in tables], axis=1)
            W = np.stack([horner(table[n:], part) for table in tables], axis=1)
            y = horner(tables[0][:n], part)
            h -= part

    def _change(self, y: Array, before: Array, after: Array) -> Array:
        """What a change of modes does: nothing, unless the rates jump."""
        f, _, _ = self.local(y, before)
        new, values, slopes = self.local(y, after)
        jump = new - f
        if np.abs(jump).max() <= JUMP * max(1.0, float(np.abs(f).max())):
            return np.eye(self.size)
        modes, leaves = self.compiled.modes, self.compiled.leaves
        changed = set((np.flatnonzero(before != after) - modes.first).tolist())
        places = [leaves + i for i, switch in enumerate(modes.switches) if switch.mode in changed]
        slope = slopes[min(places, key=lambda i: abs(values[i]))]
        return np.asarray(np.eye(self.size) + np.outer(jump, slope / float(slope @ f)))

    def leaf(self, y: Array, p: Array, transition: Transition) -> tuple[Array, Array]:
        """The rates before an event, and the gradient of the function whose zero it is."""
        f, values, slopes = self.local(y, p)
        exit_ = next(each for each in self.compiled.equations.exits if each.transition is transition)
        places = range(exit_.first_leaf, exit_.first_leaf + len(exit_.condition.leaves))
        # Of all its comparisons, the one whose zero is nearest in time.
        speeds = np.abs(slopes @ f)
        delays = np.divide(np.abs(values), speeds, out=np.full(len(values), np.inf), where=speeds > STILL)
        return f, slopes[min(places, key=lambda i: float(delays[i]))]

    def fired(self, y: Array, exits: Sequence[Exit]) -> Exit:
        """Which of several exits is taken at a state: the first whose condition comes true, or is true already."""
        f, values, slopes = self.local(y)
        speeds = slopes @ f
        here = np.abs(values) <= SOON * np.abs(speeds)
        for each in exits:
            own = slice(each.first_leaf, each.first_leaf + len(each.condition.leaves))
            ways = np.where(here[own], np.sign(speeds[own]), 0.0).astype(int)
            truths = np.where(here[own], speeds[own] > 0.0, values[own] > 0.0)
            if each.condition.holds(truths.tolist(), ways.tolist()):
                return each
        return exits[0]

    def jump(self, transition: Transition, y: Array) -> tuple[Array, Array]:
        """The state after a transition, and its derivatives by the state before."""
        key = self.compiled.key(transition)
        if key not in self.jumps:
            graph = Graph()
            inputs, after = self._replayed(transition, graph)
            slopes = forward_derivative(graph, after, inputs)
            self.jumps[key] = graph.program({"y": after, "D": [entry for row in slopes for entry in row]})
        line = self.jumps[key]
        made, D = evaluate(line, *(block.tolist() for block in self.compiled.blocks(line, y=y)))
        return np.array(made), np.array(D).reshape(self.size, self.size)

    def after(self, transition: Transition, y: Array) -> Array:
        """The state after a transition."""
        kernel, line = self.compiled.passage(transition)[0], self.compiled.passage_program(transition)
        return np.array(kernel(*self.compiled.blocks(line, y=y))[0])

    def carried(self, transition: Transition) -> frozenset[int]:
        """Components of the state that a transition passes on by a constant shift, and uses for nothing else.

        The clock is one of them where it goes together with that of the entry.
        """
        key = self.compiled.key(transition)
        if key not in self.passed:
            self.passed[key] = self._carried(transition)
        return self.passed[key]

    def _carried(self, transition: Transition) -> frozenset[int]:
        graph = Graph()
        inputs, after = self._replayed(transition, graph)
        model, n = self.compiled.engine.model, self.size
        found: set[int] = set()
        for j in (*range(model.nq), *range(model.nq + model.nv, n)):
            moved = _moved(model, inputs, j)
            changes = derivative(graph, after, dict.fromkeys(moved, 1.0))
            if all(_is(change, float(x in moved)) for x, change in zip(inputs, changes, strict=True)):
                found.add(j)
        smooth = split_modes(self.compiled.passage_program(transition)).program
        graph = Graph()
        blocks = {name: list(graph.inputs(name, size)) for name, size in smooth.inputs}
        functions = expressions(graph, replay(smooth, *blocks.values())[-1])
        for j in sorted(found) if functions else ():
            moved = _moved(model, blocks["y"], j)
            if not all(_is(change, 0.0) for change in derivative(graph, functions, dict.fromkeys(moved, 1.0))):
                found.discard(j)  # a transition that only compares it uses it, too
        return frozenset(found)

    def choices(self, transition: Transition, y: Array) -> Array:
        """Gradients of what a transition compares at a state, a row each: its derivatives do not show it."""
        key = self.compiled.key(transition)
        if key not in self.compared:
            self.compared[key] = self._choices(transition)
        both = self.compared[key]
        if both is None:
            return np.zeros((0, self.size))
        initial, slopes = both
        known = {"y": y, "p": np.zeros(0)}
        first = evaluate(initial, *(block.tolist() for block in self.compiled.blocks(initial, **known)))
        known["p"] = np.array(first[0])
        found = evaluate(slopes, *(block.tolist() for block in self.compiled.blocks(slopes, **known)))
        return np.array(found[0]).reshape(-1, self.size)

    def _choices(self, transition: Transition) -> tuple[Program, Program] | None:
        modes = split_modes(self.compiled.passage_program(transition))
        if not modes.switches:
            return None
        graph = Graph()
        blocks = {name: list(graph.inputs(name, size)) for name, size in modes.program.inputs}
        functions = expressions(graph, replay(modes.program, *blocks.values())[-1])
        slopes = [entry for function in functions for entry in gradient(graph, function, blocks["y"])]
        return modes.initial, graph.program({"slopes": slopes})

    def _replayed(self, transition: Transition, graph: Graph) -> tuple[list[Expr], list[Expr]]:
        """The state before a transition as inputs of a graph, and the state after it."""
        line = self.compiled.passage_program(transition)
        blocks = {name: list(graph.inputs(name, size)) for name, size in line.inputs}
        return blocks["y"], expressions(graph, replay(line, *blocks.values())[0])


def _moved(model: Model, y: Sequence[Expr], i: int) -> tuple[Expr, ...]:
    """A component of the state; with the clock, the instant of the last entry goes on as well."""
    entered = [model.nq + model.nv + place for place, each in enumerate(model.memory) if each.kind == "entered"]
    return tuple(y[place] for place in [i, *entered]) if i == len(y) - 1 else (y[i],)


def _is(x: Expr, value: float) -> bool:
    return is_constant(x) and x.graph.number[x.index] == value


class Surface:
    """The states that a structure allows: its constraints and those that follow for the velocities."""

    def __init__(self, engine: Engine, structure: Structure) -> None:
        """Derive them."""
        self.model = model = engine.model
        self.size = model.state_size
        graph = Graph()
        y = graph.inputs("y", self.size)
        q, v, t = split(model, y)
        held = constraint_rows(model, engine.tree, structure, q, v, t=t)
        forced = forced_at(with_memory(model, y), engine.tree, structure, q, v, t)
        self.forced = len(forced)
        """Constraints that are given motions; theirs come last, the values of all before the velocities."""
        rows = [*held, *forced]
        values = [row.value for row in rows]
        speeds = [inner(row.J, v) + row.drift for row in rows]
        functions = expressions(graph, [*values, *speeds])
        slopes = forward_derivative(graph, functions, list(y))
        absent = {i for i in range(self.size) if all(_is(row[i], 0.0) for row in slopes)}
        clock = derivative(graph, functions, dict.fromkeys(_moved(model, y, self.size - 1), 1.0)) if functions else []
        self.absent = frozenset(absent - {self.size - 1})
        if all(_is(change, 0.0) for change in clock):
            self.absent |= {self.size - 1}
        entries = [entry for row in slopes for entry in row]
        self.engine = engine
        self.program = engine.automaton.hoist(graph.program({"slopes": entries})) if entries else None

    def slopes(self, y: Array) -> Array:
        """Derivatives of the constraints and of their velocities by the state, a row each."""
        if self.program is None:
            return np.zeros((0, self.size))
        blocks = [y.tolist()]
        if len(self.program.inputs) > 1 and self.engine.hoisted is not None:
            blocks.append(self.engine.hoisted[: self.program.inputs[1][1]].tolist())
        return np.array(evaluate(self.program, *blocks)[0]).reshape(-1, self.size)

    def tangent(self, y: Array, entered: bool = True) -> Array:
        """Directions within it, orthonormal columns of the size of a state; counters stay as they are.

        Args:
            y: The state.
            entered: Whether the structure is entered at this state, now: the clock and that of the entry go together.
        """
        model = self.model
        nq, nv = model.nq, model.nv
        entries = [nq + nv + place for place, each in enumerate(model.memory) if each.kind == "entered"]
        alone = [] if entered else entries
        moves = np.zeros((self.size, 2 * nv + 1 + len(alone)))
        for i in range(nv):
            rates = coordinate_rates(model, y[:nq].tolist(), [float(i == j) for j in range(nv)])
            moves[:nq, i] = [float(rate) for rate in rates if not isinstance(rate, Expr)]
        moves[nq : nq + nv, nv : 2 * nv] = np.eye(nv)
        moves[-1, 2 * nv] = 1.0
        if entered:
            moves[entries, 2 * nv] = 1.0
        for number, place in enumerate(alone):
            moves[place, 2 * nv + 1 + number] = 1.0
        if self.program is not None:
            slopes = self.slopes(y) @ moves
            _, sizes, turned = np.linalg.svd(slopes)
            rank = int((sizes > RANK * max(1.0, float(sizes[0]))).sum())
            moves = moves @ turned[rank:].T
        return np.asarray(np.linalg.qr(moves)[0])


def horner(coefficients: Array, h: float) -> Array:
    """Polynomials at a place, a row each."""
    total = coefficients[:, -1].copy()
    for k in range(coefficients.shape[1] - 2, -1, -1):
        total = total * h + coefficients[:, k]
    return np.asarray(total)
