"""Model → equations: short formulas where they stay readable, named intermediate variables where not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sistel.errors import Text, refuse
from sistel.expr import Expr, Graph, Program, Scalar, evaluate
from sistel.formulas._derive import Derived, applied_numbers, derive_bodies, derive_links, driving_numbers
from sistel.formulas._equations import Equations, JointLoad
from sistel.formulas._formula import ZERO, Formula, Sym, size
from sistel.formulas._holding import (
    Holding,
    Links,
    Other,
    derive_holding,
    evaluated,
    find_links,
    generic_blocks,
    generic_state,
    keep_letters,
)
from sistel.formulas._lines import LONGEST, Namer
from sistel.formulas._link_words import held_symbols
from sistel.formulas._naming import name_numbers
from sistel.formulas._near import perturbed
from sistel.formulas._notes import notes_of
from sistel.formulas._poly import Former, TooLarge
from sistel.formulas._readable import Reader
from sistel.formulas._symbols import Symbol
from sistel.formulas._table import symbol_table
from sistel.formulas._write_held import HeldFormulas, held_formulas, held_outputs, held_programs, short
from sistel.mechanics import mobility
from sistel.model import GRAVITY, Lettered, Model, Structure, letters_of
from sistel.units import MASS

MOST_TERMS = 400
"""Terms of a normal form; beyond, expressions are not multiplied out."""
LONGEST_EQUATION = 200
"""Numbers and symbols of one formula that people still read without named parts."""
LARGEST = 60
"""Velocities; equations of larger systems are not written out."""

PLANAR = (("Fx", 3), ("Fy", 4), ("Mz", 2))
SPATIAL = (("Fx", 3), ("Fy", 4), ("Fz", 5), ("Mx", 0), ("My", 1), ("Mz", 2))


def write_equations(model: Model, structure: Structure, *, symbols: bool = False) -> Equations:
    """The equations of a structure: of the tree of bodies, and of everything that holds beside its joints.

    Args:
        model: The system, in numbers.
        structure: What holds.
        symbols: Whether masses, lengths and moments of inertia that are plain numbers get letters too.

    Raises:
        SistelError: The system is too large to be written out.
    """
    if model.nv > LARGEST:
        message = Text(
            f"equations of {model.nv} velocities are not written out: beyond {LARGEST} recursion computes them",
            f"уравнения для {model.nv} скоростей не выписываются: свыше {LARGEST} считает рекурсия",
        )
        refuse("too-large", message)
    lettered = letters_of(model)
    traced = lettered.copy()
    known = len(traced.parameters)
    other = perturbed(lettered, traced.parameters)
    if symbols and other is not None:
        traced = name_numbers(traced)
        other = (other[0], [*other[1], *traced.trace.values[len(other[1]) :]])
    links = _find_links(model, traced, other, structure, known)
    hold = None
    if links is not None:
        hold = partial(_derive_holding, traced.model, model, structure.name, links)
    derived = derive_bodies(traced.model, len(traced.parameters), traced.model, hold)
    numeric = not _applied_agree(other, derived)
    if numeric:
        derived = derive_bodies(traced.model, len(traced.parameters), model, hold)
    recursive = derived if symbols else derive_links(traced.model, derived)
    cheap = recursive if _links_agree(other, recursive) else derived
    held = _short_held(traced, derived, structure)
    made: _Writer = _Short(traced, derived, structure)
    try:
        if derived.holding is not None and held is None:
            raise TooLarge
        made.write()
    except TooLarge:
        made = _Long(traced, cheap, structure, held is None)
        made.write()
    held = held or made.held
    plain = symbol_table(traced.model, traced.parameters, traced.trace.values, made.angles)
    words = [] if derived.holding is None else held_symbols(model, structure, derived.holding, list(plain.values()))
    table = symbol_table(traced.model, traced.parameters, traced.trace.values, made.angles, words) if words else plain
    for key in [key for key, _ in made.lines if key not in table]:
        table[key] = Symbol(
            key=key, base=key.block, subscript=(str(key.place + 1),), text=f"{key.block}_{key.place + 1}"
        )
    taken = {symbol.text for key, symbol in table.items() if key.block not in ("k", "z")}
    for key, symbol in table.items():
        if key.block in ("k", "z") and symbol.text in taken:
            table[key] = replace(symbol, text=f"{symbol.text}_")
    return Equations(
        model=model,
        symbols=table,
        definitions=tuple(made.definitions),
        lines=tuple(made.lines),
        motion=tuple(made.motion),
        mass=tuple(tuple(row) for row in made.mass),
        coriolis=tuple(made.coriolis),
        gravity=tuple(made.gravity),
        applied=tuple(made.applied),
        loads=tuple(_loads(model, made.loads)),
        kinetic=made.kinetic,
        potential=made.potential,
        notes=notes_of(model, _folded(lettered, traced), traced, numeric, structure, links),
        program=_program(cheap),
        structure=structure,
        constraints=held.constraints,
        links=held.links,
        anchors=held.anchors,
        programs=held_programs(cheap),
        dof=model.nv if links is None else model.nv - links.count + len(links.redundant),
    )


def _folded(lettered: Lettered, traced: Lettered) -> list[str]:
    """Names of the parameters that stay numbers."""
    kept = {parameter.name for parameter in traced.parameters}
    return [each.name for each in lettered.parameters if each.name not in kept and each.name != GRAVITY]


def _find_links(model: Model, traced: Lettered, other: Other | None, structure: Structure, known: int) -> Links | None:
    """What the structure holds, and which of it keeps letters; None for a tree.

    Args:
        model: The system, in numbers.
        traced: The same with letters.
        other: The same with other numbers.
        structure: What holds.
        known: How many letters are parameters of the file.
    """
    if not (structure.holds or structure.changes):
        return None
    found = mobility(model, structure)
    links = find_links(model, structure, found.rows, found.redundant)
    if known < len(traced.parameters) and other is not None:
        # Letters of plain numbers move too, as far as the places of bodies depend on them.
        values = [x * (1.0 if i < known else 1.0 + 1e-3 * (1 + i % 7)) for i, x in enumerate(other[1])]
        other = (evaluated(traced.model, traced.trace.graph, values, other[0]), values)
    return keep_letters(links, traced.model, other, structure.name)


def _derive_holding(
    traced: Model,
    model: Model,
    structure: str,
    links: Links,
    graph: Graph,
    state: tuple[Sequence[Expr], Sequence[Expr], Sequence[Expr], Expr],
) -> Holding:
    return derive_holding(graph, traced, model, structure, links, state)


def _short_held(traced: Lettered, derived: Derived, structure: Structure) -> HeldFormulas | None:
    """What the structure holds without named parts, even where the equations of motion need them; None if too long."""
    if derived.holding is None:
        return HeldFormulas()
    former, reader = _normal_forms(traced, derived)

    def form(node: Expr) -> Formula:
        return reader.formula(former.forms([node.index])[0])

    try:
        return held_formulas(traced.model, structure, derived.holding, short(form), _components(traced.model))
    except TooLarge:
        return None


class _Writer(ABC):
    """Formulas of everything that was derived."""

    def __init__(self, traced: Lettered, derived: Derived, structure: Structure, holds: bool = False) -> None:
        """Nothing is written yet; `holds` says whether to write what the structure holds."""
        self.traced, self.derived, self.structure, self.holds = traced, derived, structure, holds
        self.held = HeldFormulas()
        self.angles: dict[Sym, tuple[int, ...]] = {}
        self.definitions: list[tuple[Sym, Formula]] = []
        self.lines: list[tuple[Sym, Formula]] = []
        self.motion: list[Formula] = []
        self.mass: list[list[Formula]] = []
        self.coriolis: list[Formula] = []
        self.gravity: list[Formula] = []
        self.applied: list[Formula] = []
        self.loads: list[list[Formula]] = []
        self.kinetic: Formula = ZERO
        self.potential: Formula = ZERO

    @abstractmethod
    def write(self) -> None:
        """Fill in the formulas."""


def _reader(traced: Lettered, graph_owner: Former) -> Reader:
    """A reader that knows masses, and writes g before lengths."""
    masses = frozenset(i for i, parameter in enumerate(traced.parameters) if parameter.dimension == MASS)
    names = [parameter.name for parameter in traced.parameters]
    order = sorted(range(len(names)), key=lambda i: (names[i] not in (GRAVITY, "g"), i))
    return Reader(graph_owner, masses, [order.index(i) for i in range(len(names))])


def _normal_forms(traced: Lettered, derived: Derived) -> tuple[Former, Reader]:
    """What writes nodes as sums of products."""
    former = Former(derived.graph, MOST_TERMS)
    for block, (_, count) in enumerate(derived.graph.blocks):
        for place in range(count):
            former.input(block, place)
    for body in traced.model.bodies:
        if body.joint.type.has_quaternion:
            w, x, y, z = (former.input(0, body.first_q + i) for i in range(4))
            former.units[w] = (x, y, z)
    return former, _reader(traced, former)


def _definitions(traced: Lettered) -> list[tuple[Sym, Formula]]:
    former = Former(traced.trace.graph, MOST_TERMS)
    for place in range(len(traced.parameters)):
        former.input(0, place)
    reader = _reader(traced, former)
    made: list[tuple[Sym, Formula]] = []
    for place, node in traced.definitions.items():
        try:
            made.append((Sym("p", place), reader.formula(former.forms([node.index])[0])))
        except TooLarge:
            namer = Namer(traced.trace.graph, [node.index])
            made += [*namer.lines, (Sym("p", place), namer.formula(node.index))]
    return made


class _Short(_Writer):
    def write(self) -> None:
        derived = self.derived
        former, reader = _normal_forms(self.traced, derived)

        def forms(nodes: Sequence[Expr], write: str = "formula") -> list[Formula]:
            made = [getattr(reader, write)(form) for form in former.forms([node.index for node in nodes])]
            if any(size(formula) > LONGEST_EQUATION for formula in made):
                raise TooLarge
            return made

        self.motion = forms(derived.motion, "motion")
        self.mass = [forms(row) for row in derived.mass]
        self.coriolis, self.gravity = forms(derived.coriolis), forms(derived.gravity)
        self.applied = forms(derived.applied)
        self.loads = [forms(load, "load") for load in derived.loads]
        self.kinetic, self.potential = forms([derived.kinetic, derived.potential])
        self.definitions = _definitions(self.traced)


class _Long(_Writer):
    def write(self) -> None:
        derived = self.derived
        everything = [
            *derived.motion,
            *(node for row in derived.mass for node in row),
            *derived.coriolis,
            *derived.gravity,
            *derived.applied,
            *(node for load in derived.loads for node in load),
            derived.kinetic,
            derived.potential,
        ]
        holding = derived.holding if self.holds else None
        if holding is not None:
            everything += holding.nodes()
        former = Former(derived.graph, MOST_TERMS)
        for place in range(len(self.traced.parameters)):
            former.input(3, place)
        reader = _reader(self.traced, former)

        def simplify(node: int) -> Formula | None:
            try:
                made = reader.formula(former.forms([node])[0])
            except TooLarge:
                return None
            return made if size(made) <= 2 * LONGEST else None

        namer = Namer(derived.graph, [node.index for node in everything], simplify=simplify)

        def forms(nodes: Sequence[Expr]) -> list[Formula]:
            return [namer.formula(node.index) for node in nodes]

        self.angles, self.lines = namer.angles, namer.lines
        self.motion, self.mass = forms(derived.motion), [forms(row) for row in derived.mass]
        self.coriolis, self.gravity = forms(derived.coriolis), forms(derived.gravity)
        self.applied = forms(derived.applied)
        self.loads = [forms(load) for load in derived.loads]
        self.kinetic, self.potential = forms([derived.kinetic, derived.potential])
        self.definitions = _definitions(self.traced)
        if holding is not None:
            model = self.traced.model
            self.held = held_formulas(
                model, self.structure, holding, lambda node: namer.formula(node.index), _components(model)
            )


def _components(model: Model) -> tuple[tuple[str, int], ...]:
    return PLANAR if model.planar else SPATIAL


def _loads(model: Model, loads: Sequence[Sequence[Formula]]) -> list[JointLoad]:
    wanted = _components(model)
    return [
        JointLoad(body.number, body.name, tuple((name, load[index]) for name, index in wanted))
        for body, load in zip(model.bodies, loads, strict=True)
    ]


def _near(found: Sequence[float], expected: Sequence[Scalar]) -> bool:
    numbers = [float(x) for x in expected if isinstance(x, (int, float))]
    scale = max(map(abs, numbers), default=0.0) or 1.0
    return len(numbers) == len(found) and all(abs(x - y) <= 1e-9 * scale for x, y in zip(found, numbers, strict=True))


def _applied_agree(other: Other | None, derived: Derived) -> bool:
    """Whether the applied forces hold for other parameters too."""
    if other is None:
        return False
    model, values = other
    q, v, _ = generic_state(model)
    line = derived.graph.program({"applied": derived.applied})
    (found,) = evaluate(line, *generic_blocks(model, line.inputs, values))
    return _near(found, applied_numbers(model, q, v, 0.3))


def _links_agree(other: Other | None, links: Derived) -> bool:
    """Whether the equations over links hold for other parameters too."""
    if other is None:
        return False
    model, values = other
    q, v, a = generic_state(model)
    line = links.graph.program({"motion": links.motion, "mass": [node for row in links.mass for node in row]})
    found, mass = evaluate(line, *generic_blocks(model, line.inputs, values))
    rows = [sum(m * x for m, x in zip(mass[i * len(a) : (i + 1) * len(a)], a, strict=True)) for i in range(len(a))]
    driving, still = driving_numbers(model, q, v, a)
    return _near(found, driving) and _near(rows, still)


def _program(derived: Derived) -> Program:
    return derived.graph.program(
        {
            "motion": derived.motion,
            "mass_matrix": [node for row in derived.mass for node in row],
            "coriolis": derived.coriolis,
            "gravity": derived.gravity,
            "applied": derived.applied,
            "reactions": [node for load in derived.loads for node in load],
            "energies": [derived.kinetic, derived.potential],
            **held_outputs(derived),
        },
    )
