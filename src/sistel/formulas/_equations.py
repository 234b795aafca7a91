"""Equations of a system as formulas, and the texts that they become."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from sistel.errors import Language, Text
from sistel.formulas._formula import ZERO, Formula, Sym, pushed, symbols, total
from sistel.formulas._symbols import Symbol
from sistel.records import entry, record
from sistel.shown import NotebookShown

if TYPE_CHECKING:
    from sistel.expr import Count, Program
    from sistel.model import Model, Structure

Line = tuple[Sym, Formula]


@entry
class JointLoad:
    """What a base does to a body through their joint: its components in the world, about the pole of the body.

    Attributes:
        body: Number of the body.
        name: Its name.
        components: Name and formula of each: Fx, Fy, Mz in the plane, Fx, Fy, Fz, Mx, My, Mz in space [N and N·m].
    """

    body: int
    name: str
    components: tuple[tuple[str, Formula], ...]


@record
class Constraint:
    """One scalar equation of a link that a structure holds: position = 0, J · v + drift = 0, J · a + bias = 0.

    Attributes:
        link: Name of the closure, contact, lock, coupling or changed joint.
        part: Which of its equations: x, y, normal, turn …
        position: How far it is from being met [m or rad]; None where only velocities are held.
        jacobian: One formula a velocity.
        drift: Rate with time alone, of a surface that moves by itself [m/s].
        bias: J̇ · v [m/s² or rad/s²].
        drag: Generalized force of sliding friction for a unit multiplier; None without friction.
        redundant: Whether it follows from the others, so that its multiplier is not determined and left out.
        exact: Whether the derivatives of `position` are J · v + drift and J · a + bias everywhere; else only where it
            is 0.
    """

    link: str
    part: str
    position: Formula | None
    jacobian: tuple[Formula, ...]
    drift: Formula
    bias: Formula
    drag: tuple[Formula, ...] | None
    redundant: bool
    exact: bool


@entry
class LinkLoad:
    """What a link does to a body, expressed by multipliers: its components in the world, at its point there.

    Attributes:
        name: Name of the link.
        about: The body that it acts on.
        components: As for a joint.
    """

    name: str
    about: Text
    components: tuple[tuple[str, Formula], ...]


@record
class Equations(NotebookShown):
    """Equations of motion of a structure: M(q) · a + c(q, v) + g(q) = tau + Q + Jᵀ · λ, symbolic in the parameters.

    tau are the driving forces, Q generalized forces that the description itself applies. Velocities v are the
    derivatives of the coordinates, except for balls and free bodies in space, where they are along the body's axes.
    A structure that holds nothing beside the joints of the tree has no constraints, and no λ.

    Attributes:
        model: The system, in numbers.
        symbols: How everything is called.
        definitions: Parameters that others determine.
        lines: Named intermediate variables, in the order of their computation; none where formulas are short.
        motion: The left side of every equation, as one formula [N or N·m].
        mass: The mass matrix [kg, kg·m or kg·m²].
        coriolis: Forces of products of velocities [N or N·m].
        gravity: Forces against weight [N or N·m].
        applied: Generalized forces that the description applies, the right side beside tau [N or N·m].
        loads: Reactions and driving forces at every joint.
        kinetic: Kinetic energy [J].
        potential: Potential energy of weight [J].
        notes: What the equations leave out, or keep as numbers.
        program: Everything as one straight line of operations, from q, v, a and p, and from λ and anchors.
        structure: What holds.
        constraints: The equations of everything that holds, one for every multiplier λ.
        links: What the links do to the bodies.
        anchors: What links that hold the place they find would find at given coordinates.
        programs: Positions, Jacobian and biases as straight lines of their own, by name.
        dof: Motions that the constraints leave.
    """

    model: Model
    symbols: Mapping[Sym, Symbol]
    definitions: tuple[Line, ...]
    lines: tuple[Line, ...]
    motion: tuple[Formula, ...]
    mass: tuple[tuple[Formula, ...], ...]
    coriolis: tuple[Formula, ...]
    gravity: tuple[Formula, ...]
    applied: tuple[Formula, ...]
    loads: tuple[JointLoad, ...]
    kinetic: Formula
    potential: Formula
    notes: tuple[Text, ...]
    program: Program
    structure: Structure
    constraints: tuple[Constraint, ...] = ()
    links: tuple[LinkLoad, ...] = ()
    anchors: tuple[Line, ...] = ()
    programs: Mapping[str, Program] = field(default_factory=dict)
    dof: int = 0

    def to_latex(self, *, document: bool = True, lang: Language = "en") -> str:
        """LaTeX with amsmath: a document, or the formulas alone to include in one."""
        from sistel.formulas._latex import to_latex

        return to_latex(self, document=document, lang=lang)

    def to_mathml(self, *, lang: Language = "en") -> str:
        """MathML Core: a fragment of HTML with headings and formulas."""
        from sistel.formulas._mathml import to_mathml

        return to_mathml(self, lang=lang)

    def to_html(self, *, lang: Language | None = None) -> str:
        """A page of its own, in both languages; `lang` is the one that it opens in, by default the user's."""
        from sistel.formulas._html import to_html

        return to_html(self, lang=lang)

    def to_maxima(self, *, lang: Language = "en") -> str:
        """A file for Maxima, which ends with a check: Lagrange's equations of the energies minus these are 0."""
        from sistel.formulas._maxima import to_maxima

        return to_maxima(self, lang=lang)

    def to_python(self, *, lang: Language = "en") -> str:
        """A module of Python that needs nothing but `math`."""
        from sistel.formulas._python import to_python

        return to_python(self, lang=lang)

    def to_c(self, name: str = "equations") -> str:
        """A file of C99 with one function of that name, the fewest operations and the parameters as an array."""
        from sistel.formulas._c import to_c

        return to_c(self, name)

    def count(self, quantity: str = "inverse_dynamics") -> Count:
        """How many operations one evaluation takes, all parameters being numbers.

        Args:
            quantity: "inverse_dynamics", "bias_forces", "gravity_forces", "mass_matrix" or "forward_dynamics".
        """
        from sistel.mechanics import build_tree, derive

        return derive(build_tree(self.model), quantity).count()

    def used(self) -> tuple[Symbol, ...]:
        """The parameters that some formula needs, in the order of the description."""
        needed: set[Sym] = set()
        for formula in self._formulas():
            needed |= symbols(formula)
        for key, formula in reversed((*self.definitions, *self.lines)):
            if key in needed:
                needed |= symbols(formula)
        return tuple(symbol for key, symbol in self.symbols.items() if key.block == "p" and key in needed)

    def _formulas(self) -> Iterator[Formula]:
        yield from (*self.motion, *self.coriolis, *self.gravity, *self.applied, self.kinetic, self.potential)
        for row in self.mass:
            yield from row
        for components in (*(load.components for load in self.loads), *(link.components for link in self.links)):
            yield from (formula for _, formula in components)
        for constraint in self.constraints:
            yield from (*constraint.jacobian, constraint.drift, constraint.bias, *(constraint.drag or ()))
            if constraint.position is not None:
                yield constraint.position
        yield from (formula for _, formula in self.anchors)

    def constraint_forces(self) -> tuple[Formula, ...]:
        """Jᵀ · λ, with sliding friction: what the links add to the right side of every equation [N or N·m]."""
        return tuple(
            total(tuple(pushed(self.share(k, i), Sym("lambda", k)) for k in range(len(self.constraints))))
            for i in range(len(self.motion))
        )

    def share(self, k: int, i: int) -> Formula:
        """What a unit multiplier adds to an equation of motion; 0 for redundant constraints, which do nothing."""
        one = self.constraints[k]
        if one.redundant:
            return ZERO
        return total((one.jacobian[i], *(() if one.drag is None else (one.drag[i],))))

    def held(self) -> tuple[Symbol, ...]:
        """Symbols of the multipliers that are determined, and of the anchors that positions need."""
        needed: set[Sym] = set()
        for one in self.constraints:
            needed |= set() if one.position is None else symbols(one.position)
        for key, formula in reversed(self.lines):
            if key in needed:
                needed |= symbols(formula)
        needed |= {Sym("lambda", k) for k, one in enumerate(self.constraints) if not one.redundant}
        return tuple(x for key, x in self.symbols.items() if key in needed and key.block in ("lambda", "h"))

    def __repr__(self) -> str:
        held = f", {len(self.constraints)} constraints" if self.constraints else ""
        return f"<Equations of {self.model.name!r}: nv={self.model.nv}{held}, {len(self.lines)} intermediate variables>"
