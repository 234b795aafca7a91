"""What a text about equations consists of: headings, and relations between formulas."""

from __future__ import annotations

from sistel.errors import Text
from sistel.formulas._equations import Equations
from sistel.formulas._formula import ZERO, Formula, Sum, Sym, negated, size, total
from sistel.formulas._relations import Relation, Section
from sistel.formulas._sections_held import HeldSections
from sistel.formulas._symbols import Symbol, printable

__all__ = ["Relation", "Section", "sections"]


SHORT = 16
"""Numbers and symbols of an applied force that is written within an equation."""


def _minus(formula: Formula) -> tuple[Formula, ...]:
    """Minus a formula, as the terms of a sum."""
    if formula == ZERO:
        return ()
    return tuple(map(negated, formula.terms)) if isinstance(formula, Sum) else (negated(formula),)


def sections(equations: Equations) -> tuple[list[Section], dict[Sym, Symbol]]:
    """The sections of a text, and the symbols that only they use."""
    labels: dict[Sym, Symbol] = {}

    def label(block: str, base: str, *subscript: str, place: int = 0) -> Sym:
        key = Sym(block, place)
        labels[key] = Symbol(key=key, base=base, subscript=tuple(subscript))
        return key

    made: list[Section] = []
    if equations.definitions:
        rows = tuple(Relation(key, formula) for key, formula in equations.definitions)
        made.append(Section("definitions", Text("Given by other parameters", "Выражаются через другие"), rows))
    if equations.lines:
        made.append(
            Section(
                "lines",
                Text("Intermediate variables", "Промежуточные переменные"),
                tuple(Relation(key, formula) for key, formula in equations.lines),
                Text("In the order in which they are computed.", "В том порядке, в котором вычисляются."),
            )
        )
    nv = len(equations.motion)
    held = HeldSections(equations, label)
    # What is applied stands beside the driving force where it is short, and under a name of its own where not.
    acting = [
        applied if size(applied) <= SHORT else label("Q", "Q", str(i + 1), place=i)
        for i, applied in enumerate(equations.applied)
    ]
    made.append(
        Section(
            "motion",
            Text("Equations of motion", "Уравнения движения"),
            tuple(
                Relation(left, total((Sym("tau", i), acting[i], held.forces[i])))
                for i, left in enumerate(equations.motion)
            ),
            Text(
                "One for every velocity; τ are the driving forces.",
                "По одному на каждую скорость; τ — движущие силы.",
            )
            if not equations.constraints
            else Text(
                "One for every velocity; τ are the driving forces, λ the forces of the links.",
                "По одному на каждую скорость; τ — движущие силы, λ — силы связей.",
            ),
        )
    )
    driving = "τ" if all(formula == ZERO for formula in equations.applied) else "τ + Q"
    driving += " + 𝐉ᵀλ" if equations.constraints else ""
    named = [(key, equations.applied[i]) for i, key in enumerate(acting) if isinstance(key, Sym) and key.block == "Q"]
    made.append(
        Section(
            "applied",
            Text("Applied forces", "Приложенные силы"),
            tuple(Relation(key, formula) for key, formula in named),
            Text(
                "Generalized forces of springs, friction and everything else that the description lets act.",
                "Обобщённые силы пружин, трения и всего прочего, что действует по описанию.",
            ),
        )
    )
    made += held.equations()
    if nv:
        matrix = Relation(label("M", "𝐌"), matrix=equations.mass)
        made.append(Section("mass", Text("Mass matrix", "Матрица масс"), (matrix,)))
    made.append(
        Section(
            "bias",
            Text("Forces at zero acceleration", "Силы при нулевых ускорениях"),
            (
                *(Relation(label("C", "C", str(i + 1), place=i), equations.coriolis[i]) for i in range(nv)),
                *(Relation(label("G", "G", str(i + 1), place=i), equations.gravity[i]) for i in range(nv)),
            ),
            Text(
                f"C from products of velocities, G against weight: 𝐌 q̈ + C + G = {driving}.",
                f"C — от произведений скоростей, G — против тяжести: 𝐌 q̈ + C + G = {driving}.",
            ),
        )
    )
    made.append(
        Section(
            "driving",
            Text("Generalized driving forces", "Обобщённые движущие силы"),
            tuple(
                Relation(Sym("tau", i), total((left, *_minus(acting[i]), *_minus(held.forces[i]))))
                for i, left in enumerate(equations.motion)
            ),
        )
    )
    kinetic, potential = label("T", "T"), label("V", "Π")
    made.append(
        Section(
            "energy",
            Text("Energies", "Энергии"),
            (Relation(kinetic, equations.kinetic), Relation(potential, equations.potential)),
            Text("Kinetic T, and potential Π of weight.", "Кинетическая T и потенциальная Π силы тяжести."),
        )
    )
    loads = [(load.body, name, formula) for load in equations.loads for name, formula in load.components]
    heads, at = {}, 0
    for load in equations.loads:
        name = printable(load.name)
        heads[at] = Text(f"{load.body}. {name}", f"{load.body}. {name}")
        at += len(load.components)
    made += held.loads()
    made.append(
        Section(
            "reactions",
            Text("Loads of the joints", "Реакции сочленений"),
            tuple(
                Relation(label("R", name[0], f"{body}{name[1]}", place=place), formula)
                for place, (body, name, formula) in enumerate(loads)
            ),
            Text(
                "Force F and moment M on a body from its base, in the axes of the ground, about the pole of the body; "
                "driving forces are a part of them.",
                "Сила F и момент M, действующие на тело со стороны базы, в осях земли, относительно полюса тела; "
                "движущие силы входят в них.",
            ),
            heads,
        )
    )
    return [section for section in made if section.relations], labels
