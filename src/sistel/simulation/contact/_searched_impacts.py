"""Passages whose impact needs a search: several contacts at once, or friction in space.

What can be derived is compiled: the velocities and responses of the striking points, and what impulses do. Between the
two a complementarity problem is solved. It happens at an event, so nothing is lost between two of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import SLIDES, Strike, Way, no_program, restitutions, within_energy
from sistel.expr import Graph, Program
from sistel.kernels import USER, compile_program
from sistel.mechanics import expressions
from sistel.model import Structure, Transition
from sistel.simulation._plain import plain_transition
from sistel.simulation.contact._complementarity import impact_impulses
from sistel.simulation.contact._cones import ConeProblem, solve_cones

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.engine import Engine
    from sistel.kernels import Kernel


class DecidedPassage:
    """What a transition does, called as the kernel of a passage: a state in, the state after it, loss and impulses."""

    def __init__(self, engine: Engine, transition: Transition, source: Structure, target: Structure) -> None:
        """Nothing is compiled before it is called."""
        self.engine, self._transition, self.source, self._target = engine, transition, source, target
        self._known: tuple[Engine, tuple[Kernel, Kernel, tuple[str, ...]]] | None = None

    @property
    def transition(self) -> Transition:
        """In plain numbers."""
        return plain_transition(self.engine, self._transition)

    @property
    def target(self) -> Structure:
        """In plain numbers."""
        plain = self.engine.plain
        return self._target if plain is self.engine else plain.model.structure(self._target.name)

    @property
    def _derived(self) -> tuple[Kernel, Kernel, tuple[str, ...]]:
        """What the impact is made of; what impulses do; the names of the links whose impulses that gives.

        In plain numbers: where parameters are live, for the values that they have now.
        """
        engine = self.engine.plain
        if self._known is None or self._known[0] is not engine:
            self._known = engine, self._compiled(engine)
        return self._known[1]

    def _compiled(self, engine: Engine) -> tuple[Kernel, Kernel, tuple[str, ...]]:
        graph = Graph()
        y = list(graph.inputs("y", engine.model.state_size))
        strike = Way(engine.automaton, self.transition, self.source, self.target, y).strike()
        blocks = {
            "u": expressions(graph, strike.u),
            "G": expressions(graph, [entry for row in strike.G for entry in row]),
        }
        if strike.normals:
            blocks["n"] = expressions(graph, strike.normals)
        first = compile_program(graph.program(blocks), name="strike", cache=USER)
        line, names = self._after(engine, len(strike.rows))
        return first, compile_program(line, name="struck", cache=USER), names

    def _after(self, engine: Engine, rows: int) -> tuple[Program, tuple[str, ...]]:
        graph = Graph()
        y = list(graph.inputs("y", engine.model.state_size))
        p = list(graph.inputs("p", rows))
        way = Way(engine.automaton, self.transition, self.source, self.target, y)
        strike: Strike = way.strike()
        v, loads = strike.after(p)
        outputs, names = way.outputs(graph, v, loads)
        return graph.program(outputs), names

    @property
    def names(self) -> tuple[str, ...]:
        """The links whose impulses it gives."""
        return self._derived[2]

    @property
    def program(self) -> Program:
        """There is none: what happens is decided by a search."""
        no_program(self.transition)

    def __call__(self, y: Array) -> list[Array]:
        """The state after the transition, the loss of kinetic energy and the impulses."""
        first, second, _ = self._derived
        p = self._impulses(*(np.asarray(block) for block in first(y)))
        return [np.asarray(block) for block in second(y, p)]

    def _impulses(self, u: Array, G: Array, n: Array | None = None) -> Array:
        """Impulses along the rows; not numbers where there are none."""
        engine = self.engine.plain
        known = {contact.name: contact for contact in engine.model.contacts}
        contacts = [known[name] for name in self.transition.strikes]
        normals = None if n is None else n.reshape(len(contacts), 3)
        friction = [contact.friction for contact in contacts]
        found = struck(
            u, G.reshape(len(u), len(u)), normals, friction, *restitutions(engine.automaton, self.transition)
        )
        if found is None:
            return np.full(len(u), np.nan)
        p, after = found
        least = SLIDES * float(np.abs(u).max(initial=0.0))
        for contact, slip in zip(contacts, after, strict=True):
            stands = contact.name in self.target.holds and contact.name not in self.target.slides
            if stands and contact.friction != 0.0 and slip > least:
                return np.full(len(u), np.nan)
        return p


def struck(
    u: Array,
    G: Array,
    normals: Array | None,
    friction: Sequence[float | None],
    newton: Sequence[float],
    poisson: Sequence[float],
) -> tuple[Array, Array] | None:
    """Impulses of contacts that strike at once, within the energy that there was, and how fast each slides then.

    Args:
        u: Velocities before: in the plane the normals, then the tangents; in space three axes for each contact.
        G: Their response to impulses.
        normals: In space the normal of every contact along its axes, shape (k, 3).
        friction: Coefficients; None where a contact cannot slide.
        newton: Restitutions by Newton's rule, 0 for contacts that have another one.
        poisson: Restitutions by Poisson's.

    Returns:
        None where no impulses were found.
    """
    k = len(friction)
    Q = np.eye(len(u)) if normals is None else _turned(normals)
    own, w = Q @ G @ Q.T, Q @ u

    def cones(b: Array, pressed: Sequence[float]) -> Array | None:
        problem = ConeProblem(
            G=own,
            b=b,
            friction=tuple(friction),
            ways=np.zeros((k, 2)),
            pressed=tuple(pressed),
            bare=(False,) * k,
        )
        found = solve_cones(problem)
        return None if found is None else found.x

    phase = None if normals is None else cones
    still = impact_impulses(own, w, friction, [0.0] * k, [0.0] * k, phase)
    p = impact_impulses(own, w, friction, newton, poisson, phase)
    if p is None:
        return None
    if still is not None:
        p = np.array(within_energy(own.tolist(), w.tolist(), still.tolist(), p.tolist()), dtype=float)
    slips = (w + own @ p)[k:].reshape(-1, k)
    return np.asarray(Q.T @ p), np.asarray(np.sqrt((slips * slips).sum(axis=0)))


def _turned(normals: Array) -> Array:
    """The matrix to normals, then all first tangents, then all second ones."""
    k = len(normals)
    Q = np.zeros((3 * k, 3 * k))
    for i, n in enumerate(normals):
        first = np.cross(n, np.eye(3)[int(np.argmin(np.abs(n)))])
        first /= np.linalg.norm(first)
        Q[[i, k + i, 2 * k + i], 3 * i : 3 * i + 3] = n, first, np.cross(n, first)
    return Q
