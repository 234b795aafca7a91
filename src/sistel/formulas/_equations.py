"""Equations of a system as formulas, and the texts that they become."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sistel.errors import Language, Text
from sistel.formulas._formula import Formula, Sym, symbols
from sistel.formulas._symbols import Symbol

if TYPE_CHECKING:
    from sistel.expr import Count, Program
    from sistel.model import Model

Line = tuple[Sym, Formula]


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Equations:
    """Equations of motion of the tree of bodies: M(q) · a + c(q, v) + g(q) = tau + Q, symbolic in the parameters.

    tau are the driving forces, Q generalized forces that the description itself applies. Velocities v are the
    derivatives of the coordinates, except for balls and free bodies in space, where they are along the body's axes.

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
        program: Everything as one straight line of operations, from q, v, a and p.
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
        for load in self.loads:
            yield from (formula for _, formula in load.components)

    def __repr__(self) -> str:
        return f"<Equations of {self.model.name!r}: nv={self.model.nv}, {len(self.lines)} intermediate variables>"
