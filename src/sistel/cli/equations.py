"""`sistel equations`: what the equations of motion cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, Option, Usage
from sistel.cli._console import Console
from sistel.cli._reading import BASE, FILE, LOCK, RENUMBER, SRDF, read_system
from sistel.errors import Diagnostic, Language, SistelError, Text

if TYPE_CHECKING:
    from sistel.expr import Count
    from sistel.mechanics import Tree, Variant
    from sistel.model import Model
    from sistel.views import Summary
    from sistel.views._layout import Paper

USAGE = Usage(
    about=Text(
        "Derives the equations of the tree of bodies and counts the operations that one evaluation takes. Each "
        "quantity is derived in several ways, and the cheapest is kept. Closures, contacts, springs and other forces "
        "are not counted.",
        "Выводит уравнения дерева тел и считает операции одного вычисления. Каждая величина выводится несколькими "
        "способами, остаётся самый дешёвый. Замыкания, контакты, пружины и другие силы не входят в счёт.",
    ),
    arguments=(FILE,),
    options=(
        Option(
            name="--count",
            help=Text("how many operations there are (the default)", "сколько в них операций (по умолчанию)"),
        ),
        Option(name="--all", help=Text("also the ways that were not kept", "также способы, которые не остались")),
        BASE,
        LOCK,
        SRDF,
        RENUMBER,
    ),
    examples=(
        ("sistel equations arm.xml --count", Text("what an evaluation costs", "сколько стоит вычисление")),
        ("sistel equations arm.xml --count --all", Text("what else was tried", "что ещё пробовали")),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """What a quantity is called."""

    name: Text
    symbol: str


# «Прямая» and «обратная» задача mean opposite things in mechanics and in robotics, so the Russian names avoid them.
WORDS: dict[str, Words] = {
    "inverse_dynamics": Words(name=Text("inverse dynamics", "силы по ускорениям"), symbol="τ"),
    "bias_forces": Words(name=Text("bias forces", "силы при нулевых ускорениях"), symbol="h"),
    "gravity_forces": Words(name=Text("gravity forces", "силы против тяжести"), symbol="g"),
    "mass_matrix": Words(name=Text("mass matrix", "матрица масс"), symbol="M"),
    "forward_dynamics": Words(name=Text("forward dynamics", "ускорения по силам"), symbol="a"),
}

APART: dict[str, tuple[Text, Callable[[Model], int]]] = {
    "closures": (Text("closures", "замыкания"), lambda model: len(model.closures)),
    "contacts": (Text("contacts", "контакты"), lambda model: len(model.contacts)),
    "locks": (Text("locks", "замки"), lambda model: len(model.locks)),
    "couplings": (Text("couplings", "передачи"), lambda model: len(model.couplings)),
    "springs": (Text("springs", "пружины"), lambda model: len(model.springs)),
    "joint_forces": (
        Text("joints with a spring, damping or friction", "КП с пружиной, демпфированием или трением"),
        lambda model: sum(
            any((*body.joint.stiffness, *body.joint.damping, *body.joint.friction)) for body in model.bodies
        ),
    ),
    "stops": (Text("stops", "упоры"), lambda model: len(model.stops)),
    "forces": (Text("applied forces", "приложенные силы"), lambda model: len(model.forces)),
    "rotors": (Text("rotors", "роторы"), lambda model: sum(motor.inertia > 0 for motor in model.motors)),
}
"""What a model may have beside its tree of bodies, and how many of them there are."""

KEPT = "✓"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quantity:
    """A quantity and the ways of deriving it, each once; none where it has no equations."""

    key: str
    formula: str
    variants: tuple[Variant, ...]
    kept: Variant | None


FORMULATIONS: dict[str, Text] = {
    "newton-euler": Text("Newton–Euler", "Ньютон — Эйлер"),
    "composite bodies": Text("composite bodies", "составные тела"),
    "articulated bodies": Text("articulated bodies", "сочленённые тела"),
}


def run(call: Call, console: Console) -> int:
    """Read the file, derive its equations and count."""
    system = read_system(call)
    from sistel.mechanics import QUANTITIES, build_tree
    from sistel.engine import STRAIGHT_LINE

    if system.nv > STRAIGHT_LINE:
        message = Text(
            f"equations of {system.nv} velocities are not written out: beyond {STRAIGHT_LINE} recursion computes them",
            f"уравнения для {system.nv} скоростей не выписываются: свыше {STRAIGHT_LINE} считает рекурсия",
        )
        raise SistelError([Diagnostic("too-large", "error", message)])
    from sistel.views import summarize

    model = system.model
    tree = build_tree(model)
    quantities = [_quantity(model, tree, key) for key in QUANTITIES]
    summary = summarize(model, console.lang)
    apart = {key: number for key, (_, count) in APART.items() if (number := count(model))}
    hinges = _Hinges(summary, tree)
    if console.json:
        console.document(
            {
                "name": summary.name,
                "file": summary.file,
                "nq": summary.nq,
                "nv": summary.nv,
                "quantities": [_data(quantity, hinges, call.given("all"), console.lang) for quantity in quantities],
                "not_counted": apart,
                "why_not": _reasons(quantities, summary, console.lang),
                "diagnostics": [diagnostic.to_json(console.lang) for diagnostic in system.diagnostics],
                "losses": [loss.to_json(console.lang) for loss in system.losses],
            }
        )
        return 0
    from sistel.views._layout import Paper

    page = _Page(Paper(console.width, console.colour), console.lang)
    page.heading(summary)
    page.costs(quantities)
    page.notes(_reasons(quantities, summary, console.lang), apart)
    if call.given("all"):
        for quantity in quantities:
            page.ways(quantity, hinges)
        page.weights()
    console.write(page.paper.text())
    console.flush()
    console.diagnostics(system.diagnostics)
    return 0


def _quantity(model: Model, tree: Tree, key: str) -> Quantity:
    from sistel.mechanics import QUANTITIES, variants

    arguments = ", ".join("τ" if name == "tau" else name for name in QUANTITIES[key][0])
    tried: tuple[Variant, ...] = ()
    # Where some coordinate moves no mass, forces do not determine the accelerations.
    if key != "forward_dynamics" or not model.structure().why_not:
        try:
            found = {(variant.formulation, variant.shared): variant for variant in reversed(variants(tree, key))}
            tried = tuple(found.values())[::-1]
        except ZeroDivisionError:
            tried = ()
    kept = min(tried, key=lambda variant: variant.cost, default=None)
    return Quantity(key=key, formula=f"{WORDS[key].symbol}({arguments})", variants=tried, kept=kept)


def _reasons(quantities: Sequence[Quantity], summary: Summary, lang: Language) -> list[str]:
    """Why some quantity has no equations."""
    if all(quantity.kept for quantity in quantities):
        return []
    unknown = Text("some coordinate moves no mass", "есть координата, которая не движет массу")
    return list(summary.structures[0].why_not) or [unknown.say(lang)]


class _Hinges:
    """Names of hinges: of their bodies, and of their coordinates where a joint has several."""

    def __init__(self, summary: Summary, tree: Tree) -> None:
        self.rates = [
            f"{body.name}.{coordinate.name}" if coordinate.name else body.name
            for body in summary.bodies
            for coordinate in body.coordinates
        ]
        self.tree = tree

    def names(self, variant: Variant) -> list[str]:
        """The hinges that share the axes of the link before them."""
        return [self.rates[self.tree.links[index].first_v] for index in sorted(variant.shared)]


def _data(quantity: Quantity, hinges: _Hinges, everything: bool, lang: Language) -> dict[str, object]:
    data: dict[str, object] = {
        "key": quantity.key,
        "name": WORDS[quantity.key].name.say(lang),
        "formula": quantity.formula,
    }
    kept = quantity.kept
    data |= (
        {"count": None, "cost": None, "formulation": None, "shared": None}
        if kept is None
        else _variant_data(kept, hinges)
    )
    if everything:
        data["variants"] = [_variant_data(variant, hinges) | {"kept": variant is kept} for variant in quantity.variants]
    return data


def _variant_data(variant: Variant, hinges: _Hinges) -> dict[str, object]:
    count = variant.program.count()
    return {
        "count": {field.name: getattr(count, field.name) for field in fields(count)},
        "cost": variant.cost,
        "formulation": variant.formulation,
        "shared": hinges.names(variant),
    }


class _Page:
    def __init__(self, paper: Paper, lang: Language) -> None:
        self.paper = paper
        self.lang = lang

    def say(self, en: str, ru: str) -> str:
        return ru if self.lang == "ru" else en

    def heading(self, summary: Summary) -> None:
        self.paper.write((summary.name, "bold"))
        sizes = f"nq = nv = {summary.nq}" if summary.nq == summary.nv else f"nq = {summary.nq} · nv = {summary.nv}"
        self.paper.write((f"{self.say('bodies', 'тел')} {len(summary.bodies)} · {sizes}", "dim"))

    def costs(self, quantities: Sequence[Quantity]) -> None:
        """One row a quantity, of the way that is kept."""
        self.title(self.say("Operations of one evaluation", "Операции одного вычисления"))
        self.table(
            [(self.say("Quantity", "Величина"), False), (self.say("Formula", "Формула"), True)],
            [
                (
                    (WORDS[quantity.key].name.say(self.lang), quantity.formula),
                    None if quantity.kept is None else quantity.kept.program.count(),
                    (),
                )
                for quantity in quantities
            ],
        )
        self.paper.write(
            (
                self.say(
                    "× with divisions, + with subtractions; sine and cosine of one angle are one pair",
                    "× вместе с делениями, + вместе с вычитаниями; синус и косинус одного угла — одна пара",
                ),
                "dim",
            )
        )

    def notes(self, reasons: Sequence[str], apart: dict[str, int]) -> None:
        """What has no equations, and what is not in them."""
        for reason in reasons:
            name = WORDS["forward_dynamics"].name.say(self.lang)
            self.paper.write((self.say(f"no {name}: ", f"{name} не определены: "), "yellow"), reason, indent=2)
        if apart:
            things = ", ".join(f"{APART[key][0].say(self.lang)} {number}" for key, number in apart.items())
            label = self.say("the tree of bodies only, without: ", "только дерево тел, без учёта: ")
            self.paper.write((label, "yellow"), things, indent=2)

    def ways(self, quantity: Quantity, hinges: _Hinges) -> None:
        """All ways of deriving a quantity."""
        if not quantity.variants:
            return
        self.title(f"{WORDS[quantity.key].name.say(self.lang)} {quantity.formula}")
        none = self.say("none", "ни одного")
        self.table(
            [
                ("", True),
                (self.say("Formulation", "Способ"), True),
                (self.say("Hinges that share axes", "Шарниры с общими осями"), False),
            ],
            [
                (
                    (
                        KEPT if variant is quantity.kept else "",
                        FORMULATIONS[variant.formulation].say(self.lang),
                        ", ".join(hinges.names(variant)) or none,
                    ),
                    variant.program.count(),
                    (f"{variant.cost:.0f}",),
                )
                for variant in quantity.variants
            ],
            [self.say("Cost", "Цена")],
        )

    def weights(self) -> None:
        """What the marks and the costs of `ways` mean."""
        self.paper.blank()
        text = self.say(
            f"{KEPT} kept. Cost in additions: × 1, ÷ 8, √ 8, a sin/cos pair 20, other operations 2. A hinge that "
            "shares axes has its vectors in the axes of what carries it.",
            f"{KEPT} остаётся. Цена в сложениях: × 1, ÷ 8, √ 8, пара sin/cos 20, прочие операции 2. Векторы за "
            "шарниром с общими осями выражены в осях того, что его несёт.",
        )
        self.paper.write((text, "dim"))

    def title(self, words: str) -> None:
        self.paper.blank()
        self.paper.write((words[:1].upper() + words[1:], "title"))

    def table(
        self,
        left: Sequence[tuple[str, bool]],
        rows: Sequence[tuple[tuple[str, ...], Count | None, tuple[str, ...]]],
        right: Sequence[str] = (),
    ) -> None:
        """Words, counts, numbers. Columns of counts that only some systems have are there when they are needed.

        Args:
            left: Titles of the columns of words, and whether their cells stay on one line.
            rows: Words, counts, and numbers after them; dashes where there is no count.
            right: Titles of the columns after the counts.
        """
        from sistel.views._tables import Column, Table

        counts = [count for _, count, _ in rows if count is not None]
        shown: list[tuple[str, str]] = [
            ("×", "multiplications"),
            ("+", "additions"),
            (self.say("sin/cos pairs", "пары sin/cos"), "sincos"),
            ("√", "roots"),
            (self.say("other", "прочие"), "other"),
        ]
        shown = shown[:3] + [(title, key) for title, key in shown[3:] if any(getattr(row, key) for row in counts)]
        table = Table(
            title="",
            columns=(
                *(Column(title=title, keep=keep) for title, keep in left),
                *(Column(title=title, align="right", keep=True) for title, _ in shown),
                *(Column(title=title, align="right", keep=True) for title in right),
            ),
            rows=tuple(
                (*words, *("—" if count is None else str(getattr(count, key)) for _, key in shown), *numbers)
                for words, count, numbers in rows
            ),
            total=len(rows),
        )
        self.paper.table(table)
