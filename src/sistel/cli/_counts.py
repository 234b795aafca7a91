"""What the equations of motion cost: the tables of `sistel equations --count`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call
from sistel.cli._console import Console
from sistel.errors import Language, SistelError, Text, refuse
from sistel.records import record

if TYPE_CHECKING:
    from sistel.expr import Count
    from sistel.mechanics import Tree, Variant
    from sistel.model import Model
    from sistel.system import System
    from sistel.views import Summary
    from sistel.views.text import Paper


@record
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
    "blades": (Text("blades", "полозья"), lambda model: len(model.blades)),
    "tracks": (Text("tracks", "гусеницы"), lambda model: len(model.tracks)),
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
}
"""What a model may have beside its tree of bodies, and how many of them there are."""

KEPT = "✓"


@record
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
    "articulated bodies in loops": Text("articulated bodies in loops", "сочленённые тела с петлями"),
    "multipliers": Text("multipliers", "множители"),
    "reduced coordinates": Text("reduced coordinates", "независимые координаты"),
}


def formulation_name(variant: Variant, lang: Language) -> str:
    """What a formulation is called; a re-rooted tree names its root."""
    words, _, root = variant.formulation.partition(" at ")
    if words != "re-rooted":
        return FORMULATIONS[variant.formulation].say(lang)
    root, comma, rest = root.rpartition(", ") if root.endswith(", reduced coordinates") else (root, "", "")
    name = Text(f"re-rooted at {root}", f"дерево от «{root}»").say(lang)
    return f"{name}{comma}{FORMULATIONS[rest].say(lang) if rest else ''}"


@record
class Ways:
    """A structure, and the cheapest variant of every formulation of its motion, the one that is kept first."""

    structure: str
    variants: tuple[Variant, ...]


def print_counts(system: System, call: Call, console: Console) -> int:
    """Derive the equations of a system and count their operations."""
    from sistel.automaton import STRAIGHT_LINE
    from sistel.mechanics import QUANTITIES, build_tree
    from sistel.views import summarize

    if system.nv > STRAIGHT_LINE:
        message = Text(
            f"equations of {system.nv} velocities are not written out: beyond {STRAIGHT_LINE} recursion computes them",
            f"уравнения для {system.nv} скоростей не выписываются: свыше {STRAIGHT_LINE} считает рекурсия",
        )
        refuse("too-large", message)
    model = system.model
    tree = build_tree(model)
    quantities = [_quantity(model, tree, key) for key in QUANTITIES]
    structures = _structures(system, tree)
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
                "structures": [_ways_data(ways) for ways in structures],
                "not_counted": apart,
                "why_not": _reasons(quantities, summary, console.lang),
                "diagnostics": [diagnostic.to_json(console.lang) for diagnostic in system.diagnostics],
                "losses": [loss.to_json(console.lang) for loss in system.losses],
            }
        )
        return 0
    from sistel.views.text import Paper

    page = _Page(Paper(console.width, console.colour), console.lang)
    page.heading(summary)
    page.costs(quantities)
    page.notes(_reasons(quantities, summary, console.lang), apart)
    page.structures(structures, bool(apart))
    if call.given("all"):
        for quantity in quantities:
            page.ways(quantity, hinges)
    if call.given("all") or structures:
        page.weights(call.given("all"), any(way.price > way.cost for ways in structures for way in ways.variants))
    console.write(page.paper.text())
    console.flush()
    console.diagnostics(system.diagnostics)
    return 0


def _structures(system: System, tree: Tree) -> list[Ways]:
    """The motion of every structure, with everything that holds and acts; none for a plain tree."""
    from sistel.mechanics import Setting, acts, mobility, structure_variants

    model = system.model
    acting = acts(model)
    if len(model.structures) == 1 and not acting and not model.structures[0].holds:
        return []
    made = []
    for structure in model.structures:
        if structure.why_not:
            continue
        held = structure.holds or structure.changes
        redundant = frozenset(mobility(model, structure).redundant) if held else frozenset[int]()
        setting = Setting(model=model, tree=tree, structure=structure, redundant=redundant, applied=acting)
        best: dict[str, Variant] = {}
        for variant in structure_variants(setting):
            known = best.get(variant.formulation)
            if known is None or variant.cost < known.cost:
                best[variant.formulation] = variant
        made.append(Ways(structure=structure.name, variants=tuple(sorted(best.values(), key=lambda way: way.price))))
    return made


def _ways_data(ways: Ways) -> dict[str, object]:
    return {
        "structure": ways.structure,
        "variants": [
            {
                "formulation": variant.formulation,
                "count": _count_data(variant),
                "cost": variant.cost,
                "kept": variant is ways.variants[0],
            }
            for variant in ways.variants
        ],
    }


def _count_data(variant: Variant) -> dict[str, int]:
    count = variant.program.count()
    return {field.name: getattr(count, field.name) for field in fields(count)}


def _quantity(model: Model, tree: Tree, key: str) -> Quantity:
    from sistel.mechanics import QUANTITIES, variants

    arguments = ", ".join("τ" if name == "tau" else name for name in QUANTITIES[key][0])
    tried: tuple[Variant, ...] = ()
    # Where some coordinate moves no mass, forces do not determine the accelerations.
    if key != "forward_dynamics" or not model.structure().why_not:
        try:
            found = {(variant.formulation, variant.shared): variant for variant in reversed(variants(tree, key))}
            tried = tuple(found.values())[::-1]
        except SistelError:  # some coordinate moves no inertia
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
    return {
        "count": _count_data(variant),
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

    def structures(self, structures: Sequence[Ways], acting: bool) -> None:
        """One row a formulation of the motion of every structure."""
        if not structures:
            return
        self.title(self.say("Motion of every structure", "Движение каждой структуры"))
        rows = []
        for ways in structures:
            for variant in ways.variants:
                kept = variant is ways.variants[0]
                mark = KEPT if kept else " "
                words = (ways.structure if kept else "", f"{mark} {formulation_name(variant, self.lang)}")
                rows.append((words, variant.program.count(), (f"{variant.cost:.0f}",)))
        self.table(
            [(self.say("Structure", "Структура"), False), (f"  {self.say('Formulation', 'Способ')}", False)],
            rows,
            [self.say("Cost", "Цена")],
        )
        if acting:
            text = self.say(
                "accelerations from q, v and τ, with everything that holds and acts in the file",
                "ускорения по q, v и τ, со всем, что держит и действует в файле",
            )
            self.paper.write((text, "dim"))

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
                        formulation_name(variant, self.lang),
                        ", ".join(hinges.names(variant)) or none,
                    ),
                    variant.program.count(),
                    (f"{variant.cost:.0f}",),
                )
                for variant in quantity.variants
            ],
            [self.say("Cost", "Цена")],
        )

    def weights(self, shared: bool, reduced: bool) -> None:
        """What the marks and the costs mean."""
        self.paper.blank()
        text = self.say(
            f"{KEPT} kept. Cost in additions: × 1, ÷ 8, √ 8, a sin/cos pair 20, other operations 2.",
            f"{KEPT} остаётся. Цена в сложениях: × 1, ÷ 8, √ 8, пара sin/cos 20, прочие операции 2.",
        )
        if reduced:
            text += self.say(
                " Reduced coordinates divide by what may vanish, so they have to be a tenth cheaper.",
                " Независимые координаты делят на то, что может обратиться в ноль, и потому должны быть дешевле на "
                "десятую часть.",
            )
        if shared:
            text += self.say(
                " A hinge that shares axes has its vectors in the axes of what carries it.",
                " Векторы за шарниром с общими осями выражены в осях того, что его несёт.",
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
        from sistel.views.text import Column, Table

        counts = [count for _, count, _ in rows if count is not None]
        shown: list[tuple[str, str]] = [
            ("×", "multiplications"),
            ("+", "additions"),
            (self.say("sin/cos pairs", "пары sin/cos"), "sincos"),
            ("√", "roots"),
            (self.say("other", "прочие"), "other"),
        ]
        rare = [(title, key) for title, key in shown[3:] if any(getattr(row, key) for row in counts)]
        shown = shown[:3] + (rare if self.paper.width >= 60 else [])  # narrow paper keeps what weighs most
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
