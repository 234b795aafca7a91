"""Forces from the energies alone, by Lagrange's equations.

Velocities of balls and free bodies are along their own axes and are no rates of coordinates, so the equations take
Hamel's form: with p = ∂T/∂v, and X_k the derivative along the k-th velocity,

    τ_k = dp_k/dt + (ω × p_ω + u × p_u, ω × p_u)_k − X_k (T − U),

where the middle term belongs to balls (ω alone) and to free bodies (ω and u, both in the body's axes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.expr import Expr, Graph, cross, derivative, gradient
from sistel.kernels import compile_program
from sistel.mechanics import coordinate_rates, energies
from sistel.model import Body, Model
from sistel.proofs._differences import TIMES, path, slope
from sistel.proofs._subject import Subject

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.expr import Scalar, Scalars
    from sistel.kernels import Kernel


SYMBOLIC = 2500
"""Nodes of the energies' graph up to which they are differentiated as formulas; derivatives take about ten times as
many, and a second at most."""


def _moving(model: Model) -> list[Body]:
    return [body for body in model.bodies if body.joint.type.has_quaternion]


def lagrange_program(model: Model) -> Kernel | None:
    """Inverse dynamics derived from the energies as a callable of q, v and a; None where that is too large."""
    graph = Graph()
    q, v, a = graph.inputs("q", model.nq), graph.inputs("v", model.nv), graph.inputs("a", model.nv)
    kinetic, potential = energies(model, q, v)
    if len(graph) > SYMBOLIC:
        return None
    momenta = gradient(graph, kinetic, v)
    seeds = dict(zip((*q, *v), (*coordinate_rates(model, q, v), *a), strict=True))
    tau: list[Scalar] = list(derivative(graph, momenta, seeds))
    along = gradient(graph, _difference(graph, kinetic, potential), q)
    for body in model.bodies:
        at, first, kind = body.first_q, body.first_v, body.joint.type
        for i in range(kind.nv):
            if not kind.has_quaternion:
                tau[first + i] = tau[first + i] - along[at + i]
                continue
            unit = [0.0] * model.nv
            unit[first + i] = 1.0
            turned = coordinate_rates(model, q, unit)
            for place in range(at, at + kind.nq):
                tau[first + i] = tau[first + i] - along[place] * turned[place]
        if kind.has_quaternion:
            twist = _twisted(v[first : first + kind.nv], momenta[first : first + kind.nv])
            for i, extra in enumerate(twist):
                tau[first + i] = tau[first + i] + extra
    return compile_program(graph.program({"tau": tau}), backend="numpy")


def _difference(graph: Graph, kinetic: Scalar, potential: Scalar) -> Expr:
    made = kinetic - potential
    return made if isinstance(made, Expr) else graph.constant(float(made))


def _twisted(v: Scalars, p: Scalars) -> list[Scalar]:
    """The middle term of one joint."""
    turned = cross(v[:3], p[:3])
    if len(v) == 3:
        return list(turned)
    return [*(turned + cross(v[3:], p[3:])), *cross(v[:3], p[3:])]


def lagrange_differences(subject: Subject, state: int) -> Array:
    """Work of the forces of one state along every probe, by differences of the energies."""
    model, units = subject.model, subject.units
    q, v, a = subject.q[state], subject.v[state], subject.a[state]
    pace = units.pace(v)
    # Along the motion, time runs so that all turns together make one radian.
    track = path(model, q, v / pace, a / pace**2)
    rates = v + np.outer(TIMES / pace, a)
    twist = np.zeros(model.nv)
    for body in _moving(model):
        span = slice(body.first_v, body.first_v + body.joint.type.nv)
        pushes = np.eye(model.nv)[span] * units.velocities
        p = _momenta(subject, q, v, pushes) / units.velocities[span]
        twist[span] = np.array(_twisted(v[span].tolist(), p.tolist()), dtype=float)
    made = []
    for probe in subject.probes:
        along = [_momenta(subject, track[i], rates[i], probe[np.newaxis] * units.rate)[0] for i in range(len(TIMES))]
        inertia = pace * slope(along) / units.rate
        shifted = path(model, q, probe)
        both = subject.energies(shifted, v)
        made.append(inertia + twist @ probe - slope(both[:, 0] - both[:, 1]))
    return np.array(made)


def _momenta(subject: Subject, q: Array, v: Array, pushes: Array) -> Array:
    """∂T/∂v along given velocities: exact, for T is a square of v."""
    more = subject.energies(q, v + pushes)[:, 0]
    less = subject.energies(q, v - pushes)[:, 0]
    return np.asarray((more - less) / 2)
