"""Equations of a system for a page: MathML in both languages, each formula once, however many structures share it."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError, Text
from sistel.formulas import Equations, write_equations
from sistel.formulas.setting import (
    NAMESPACE,
    MathmlSetter,
    Section,
    Sym,
    Symbol,
    general_rows,
    math,
    relation_math,
    sections,
)
from sistel.views._model_data import (
    Cost,
    EquationsBlock,
    EquationsData,
    EquationSection,
    EquationStructure,
    EquationSymbol,
)
from sistel.views._page_words import Said
from sistel.views.page._said import said, tidy
from sistel.views.text._numbers import short

if TYPE_CHECKING:
    from sistel.expr import Count
    from sistel.model import Model, Structure

BLOCK: Final = "equations"
"""Id of the block in the page."""
LARGEST_PLANAR: Final = 32
LARGEST: Final = 22
"""Velocities of a planar and of a spatial system whose equations are shown; of larger ones only what they cost."""
COUNTED: Final = 40
"""Velocities of a system whose operations are counted."""
MOST_WORK: Final = 130
"""Structures times the square of the velocities up to which the equations of all structures are shown."""
WIDTH: Final = 44
"""Characters of a line: a panel is narrower than a sheet of paper."""
LONGEST: Final = 64_000
"""Of the block in a page, roughly; what is longer is told in short [bytes]."""

QUANTITIES: Final = {
    "inverse_dynamics": Text("forces by accelerations", "силы по ускорениям"),
    "mass_matrix": Text("mass matrix", "матрица масс"),
    "forward_dynamics": Text("accelerations by forces", "ускорения по силам"),
}
SIGNS: Final = {"inverse_dynamics": "τ", "mass_matrix": "M", "forward_dynamics": "q̈"}


def equations_of(model: Model) -> tuple[EquationsData, str]:
    """The equations of a system: of its initial structure, and of the others where that is short.

    Args:
        model: The system.

    Returns:
        What the payload says of them, and the text of the block "equations": JSON with every formula once, as MathML.
        Where they are not shown, `shown` is false, and `note` says how to get them.
    """
    data: EquationsData = {"id": BLOCK, "shown": False, "counts": _counts(model), "note": None, "others": None}
    file = file_of(model)
    if model.nv == 0:
        data["note"] = said(
            Text("Nothing moves here, so there are no equations.", "Здесь ничего не движется: уравнений нет.")
        )
        return data, "{}"
    if model.nv > (LARGEST_PLANAR if model.planar else LARGEST):
        data["note"] = _elsewhere(file)
        return data, "{}"
    all_of_them = len(model.structures) * model.nv**2 <= MOST_WORK
    first = model.structure()
    chosen = [first, *(each for each in model.structures if all_of_them and each.name != first.name)]
    try:
        page = _Written([write_equations(model, structure) for structure in chosen])
    except SistelError as problem:
        reason = problem.diagnostics[0].message
        data["note"] = said(Text(f"No equations: {reason.en}", f"Уравнений нет: {reason.ru}"))
        return data, "{}"
    text = json.dumps(page.data(), ensure_ascii=False, separators=(",", ":"))
    if _packed_size(text) > LONGEST:
        data["note"] = _elsewhere(file)
        return data, "{}"
    if len(chosen) < len(model.structures):
        data["others"] = said(
            Text(
                f"These are the equations of the initial structure. Those of the others: "
                f"sistel equations {file} --to html --structure NAME",
                f"Это уравнения начальной структуры. Остальные: sistel equations {file} --to html --structure ИМЯ",
            )
        )
    return {**data, "shown": True}, text


def _packed_size(text: str) -> int:
    import zlib

    data = text.encode("utf-8", "replace")
    # What is short enough as it is need not be packed to know it.
    return len(data if len(data) * 4 // 3 <= LONGEST else zlib.compress(data, 9)) * 4 // 3


def file_of(model: Model) -> str:
    """The name of its file, as commands would have it."""
    name = tidy(PurePath(model.span.source.path).name)
    return name if name and not name.startswith("<") and len(name) <= 80 else "FILE"


def _elsewhere(file: str) -> Said:
    return said(
        Text(
            f"The equations are too long for a page. To have them: sistel equations {file} --to html > equations.html",
            f"Уравнения слишком длинны для страницы. Получить их: sistel equations {file} --to html > equations.html",
        )
    )


def _counts(model: Model) -> list[Cost]:
    """What one evaluation costs, for the tree of bodies."""
    from sistel.engine import Engine

    if not 0 < model.nv <= COUNTED or any(structure.why_not for structure in model.structures):
        return []
    engine = Engine.of(model)
    made: list[Cost] = []
    for key, name in QUANTITIES.items():
        try:
            # What is computed of it, or will be: derived once for both.
            program, _ = engine.recalled(key) or engine.keep((engine.automaton.quantity(key), ()), key)
        except SistelError:
            continue
        made.append({"name": said(name), "sign": SIGNS[key], "count": _operations(program.count())})
    return made


def _operations(count: Count) -> Said:
    parts = [
        Text(f"{count.multiplications} ×", f"{count.multiplications} ×"),
        Text(f"{count.additions} +", f"{count.additions} +"),
    ]
    if count.sincos:
        parts.append(Text(f"{count.sincos} sin, cos", f"{count.sincos} sin, cos"))
    if count.roots:
        parts.append(Text(f"{count.roots} √", f"{count.roots} √"))
    if count.other:
        parts.append(Text(f"{count.other} others", f"прочих {count.other}"))
    return said(Text(" · ".join(part.en for part in parts), " · ".join(part.ru for part in parts)))


# --- what is written -------------------------------------------------------------------------------------------------


class _Written:
    """Equations of several structures; formulas are numbers of a list in which each stands once."""

    def __init__(self, equations: list[Equations]) -> None:
        self.equations = equations
        self.formulas: dict[str, int] = {}

    def formula(self, text: str) -> int:
        plain = text.replace(f' xmlns="{NAMESPACE}"', "")
        return self.formulas.setdefault(plain, len(self.formulas))

    def data(self) -> EquationsBlock:
        structures = [self.structure(each) for each in self.equations]
        return {"structures": structures, "formulas": list(self.formulas)}

    def structure(self, equations: Equations) -> EquationStructure:
        parts, labels = sections(equations)
        setter = MathmlSetter({**equations.symbols, **labels})
        heroes = [self.formula(math(row, display=False)) for row in general_rows(equations)]
        return {
            "name": self.named(equations.structure),
            "dof": equations.dof,
            "holds": [tidy(name) for name in dict.fromkeys(one.link for one in equations.constraints)],
            "heroes": heroes,
            "notes": [said(note) for note in equations.notes],
            "symbols": [self.symbol(symbol, setter) for symbol in self.used(equations)],
            "sections": [self.section(part, setter) for part in parts],
        }

    def named(self, structure: Structure) -> Said:
        model = self.equations[0].model
        return "" if len(model.structures) == 1 and structure.span is None else tidy(structure.name)

    def used(self, equations: Equations) -> list[Symbol]:
        """Symbols that are explained: parameters, coordinates, velocities of their own, multipliers, motors' forces."""
        motors = {
            Sym("tau", equations.model.bodies[motor.body - 1].first_v + motor.coordinate)
            for motor in equations.model.motors
        }
        rows = [*equations.used()]
        for block in ("q", "v"):
            rows += [s for key, s in equations.symbols.items() if key.block == block and (block == "q" or s.about.en)]
        rows += [s for key, s in equations.symbols.items() if key in motors and s.about.en]
        return [*rows, *equations.held()]

    def symbol(self, symbol: Symbol, setter: MathmlSetter) -> EquationSymbol:
        return {
            "sign": self.formula(math(setter.symbol(symbol), display=False)),
            "about": said(Text(tidy(symbol.about.en), tidy(symbol.about.ru))),
            "value": "" if symbol.value is None else short(symbol.value),
            "unit": said(symbol.unit),
        }

    def section(self, section: Section, setter: MathmlSetter) -> EquationSection:
        return {
            "key": section.key,
            "title": said(section.title),
            "about": said(section.about),
            "heads": {str(index): said(head) for index, head in section.heads.items()},
            "rows": [self.formula(relation_math(relation, setter, WIDTH)) for relation in section.relations],
        }
