"""A flow in coordinates and momenta, in which a symplectic method keeps what it promises.

In coordinates and velocities a method that is symplectic is merely symmetric, unless the mass matrix is constant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.expr import Graph, Program, Scalar, derivative, replay
from sistel.mechanics import Factor, expressions, inner, mass_matrix
from sistel.records import record

if TYPE_CHECKING:
    from sistel.automaton._automaton import Automaton


@record
class Momenta:
    """A change of the state from y = (q, v, t) to x = (q, M v, t)."""

    whole: Program
    """(x, p) → rates of x, then watched functions."""
    there: Program
    """y → x."""
    back: Program
    """x → y."""


def derive_momenta(automaton: Automaton, whole: Program) -> Momenta | None:
    """A flow in momenta; None where velocities are not the rates of coordinates, so that there are no such momenta.

    Args:
        automaton: Of the model.
        whole: (y, p) → rates of y, then watched functions.
    """
    model, n = automaton.model, automaton.model.nv
    if model.memory or model.nq != n or any(body.joint.type.has_quaternion for body in model.bodies):
        return None
    graph = Graph()
    y = list(graph.inputs("y", 2 * n + 1))
    M = mass_matrix(automaton.tree, y[:n])
    momenta = [inner(row, y[n : 2 * n]) for row in M]
    there = graph.program({"x": expressions(graph, [*y[:n], *momenta, y[-1]])})

    # The rates of momenta along the flow: derivatives of M v, seeded with the rates of q and v as inputs.
    graph = Graph()
    y, dy = list(graph.inputs("y", 2 * n + 1)), list(graph.inputs("dy", 2 * n + 1))
    momenta = [inner(row, y[n : 2 * n]) for row in mass_matrix(automaton.tree, y[:n])]
    rates = derivative(graph, expressions(graph, momenta), dict(zip(y, dy, strict=True)))
    change = graph.program({"rates": rates})

    graph = Graph()
    x = list(graph.inputs("x", 2 * n + 1))
    blocks = [list(graph.inputs(name, size)) for name, size in whole.inputs[1:]]
    v = Factor(mass_matrix(automaton.tree, x[:n])).solve(x[n : 2 * n])
    state: list[Scalar] = [*x[:n], *v, x[-1]]
    flow, *watched = replay(whole, state, *blocks)
    (push,) = replay(change, state, flow)
    outputs = {"dx": expressions(graph, [*flow[:n], *push, flow[-1]])}
    for number, block in enumerate(watched):
        outputs[f"g{number}"] = expressions(graph, block)
    in_momenta = graph.program(outputs)
    back = graph.program({"y": expressions(graph, state)})
    # The way back reads the state alone.
    back = replace(back, inputs=back.inputs[:1])
    return Momenta(whole=in_momenta, there=there, back=back)
