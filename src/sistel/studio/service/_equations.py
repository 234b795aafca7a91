"""Equations of motion of the structures of a text: as MathML, section by section, and as text to take along."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError, Text, did_you_mean, refuse
from sistel.studio.service import _params
from sistel.studio.service._calls import Method, Say, Work
from sistel.studio.service._read import given, model_of
from sistel.studio.service._systems import stem_of, system_of
from sistel.studio.service._tables import told_table
from sistel.studio.service._told import both

if TYPE_CHECKING:
    from sistel.formulas import Equations
    from sistel.formulas.setting import MathmlSetter, Section, Symbol
    from sistel.plain import JsonObject
    from sistel.system import System

SECTION_MOST: Final = 300_000
"""Letters of MathML of a section that are shown; what is beyond is in the texts, which are whole."""
WIDTH: Final = 74
"""Characters of a line, roughly."""
FORMS: Final[Mapping[str, str]] = {"latex": ".tex", "maxima": ".mac", "python": ".py", "c": ".c", "mathml": ".mml"}
"""Languages of texts, and what their files are called."""
QUANTITIES: Final = {
    "inverse_dynamics": ("τ", Text("forces by accelerations", "силы по ускорениям")),
    "bias_forces": ("C + G", Text("forces at zero acceleration", "силы при нулевых ускорениях")),
    "gravity_forces": ("G", Text("forces against weight", "силы против тяжести")),
    "mass_matrix": ("M", Text("mass matrix", "матрица масс")),
    "forward_dynamics": ("q̈", Text("accelerations by forces", "ускорения по силам")),
}


def structures(params: Mapping[str, object]) -> object:
    """The structures of a text, the initial one first: `[{name, why_not, holds}]`."""
    path, text = given(params)
    model = model_of(path, text)
    first = model.structure().name
    ordered = sorted(model.structures, key=lambda each: each.name != first)
    return [
        {
            "name": each.name,
            "why_not": [both(reason) for reason in each.why_not],
            "holds": list(each.holds),
        }
        for each in ordered
    ]


def show(params: Mapping[str, object], say: Say) -> object:
    """The equations of a structure: general form, symbols, sections of formulas, what they cost, and the control."""
    say(None, Text("reading", "чтение"))
    system = system_of(params)
    _check_size(system)
    say(None, Text("deriving the equations", "вывод уравнений"))
    equations = _equations(system, *_which(params))
    say(None, Text("setting the formulas", "набор формул"))
    width = min(200, max(20, _params.whole(params, "width", WIDTH)))
    return {**_written(equations, width), "costs": _costs(system), "control": _control(system)}


def as_text(params: Mapping[str, object], say: Say) -> object:
    """The equations in a language of FORMS: `{text, name}`."""
    wanted = _params.text(params, "to")
    if wanted not in FORMS:
        refuse(
            "bad-parameter",
            Text(f'equations are not written in "{wanted[:40]}"', f"уравнения не пишутся на «{wanted[:40]}»"),
            hint=did_you_mean(wanted, FORMS),
        )
    say(None, Text("deriving the equations", "вывод уравнений"))
    system = system_of(params)
    _check_size(system)
    equations = _equations(system, *_which(params))
    say(None, Text("writing", "запись"))
    if wanted == "c":
        text = equations.to_c()
    else:
        write = getattr(equations, f"to_{wanted}")
        text = write(lang=_params.language(params))
    return {"text": text, "name": stem_of(_params.text(params, "path", "system")) + FORMS[wanted]}


def _which(params: Mapping[str, object]) -> tuple[str | None, bool]:
    return _params.text(params, "structure", "") or None, _params.flag(params, "symbols")


@lru_cache(maxsize=4)
def _equations(system: System, structure: str | None, symbols: bool) -> Equations:
    return system.equations(structure, symbols=symbols)


def _check_size(system: System) -> None:
    from sistel.automaton import STRAIGHT_LINE

    if system.nv > STRAIGHT_LINE:
        refuse(
            "too-large",
            Text(
                f"equations of {system.nv} velocities are not written out: beyond {STRAIGHT_LINE} recursion computes "
                "the motion",
                f"уравнения для {system.nv} скоростей не выписываются: свыше {STRAIGHT_LINE} движение считает рекурсия",
            ),
        )


def _written(equations: Equations, width: int) -> dict[str, object]:
    from sistel.formulas.setting import MathmlSetter, general_rows, math, sections

    parts, labels = sections(equations)
    setter = MathmlSetter({**equations.symbols, **labels})
    return {
        "name": equations.model.name,
        "structure": equations.structure.name,
        "dof": equations.dof,
        "holds": list(dict.fromkeys(each.link for each in equations.constraints)),
        "general": [math(row, display=False) for row in general_rows(equations)],
        "notes": [both(note) for note in equations.notes],
        "symbols": [_symbol(each, setter) for each in _explained(equations)],
        "sections": [_section(part, setter, width) for part in parts],
    }


def _explained(equations: Equations) -> Iterator[Symbol]:
    """Parameters, coordinates, velocities of their own, multipliers."""
    yield from equations.used()
    for block in ("q", "v"):
        yield from (s for key, s in equations.symbols.items() if key.block == block and (block == "q" or s.about.en))
    yield from equations.held()


def _symbol(symbol: Symbol, setter: MathmlSetter) -> dict[str, object]:
    from sistel.formulas.setting import math

    return {
        "sign": math(setter.symbol(symbol), display=False),
        "about": both(symbol.about),
        "value": None if symbol.value is None else f"{symbol.value:.6g}",
        "unit": both(symbol.unit),
    }


def _section(section: Section, setter: MathmlSetter, width: int) -> dict[str, object]:
    from sistel.formulas.setting import relation_math

    formulas: list[JsonObject] = []
    size = 0
    for index, relation in enumerate(section.relations):
        if size > SECTION_MOST:
            break
        head = section.heads.get(index)
        formulas.append({"head": None if head is None else both(head), "math": relation_math(relation, setter, width)})
        size += len(formulas[-1]["math"])
    return {
        "key": section.key,
        "title": both(section.title),
        "about": both(section.about),
        "formulas": formulas,
        "more": len(section.relations) - len(formulas),
    }


def _costs(system: System) -> list[dict[str, object]]:
    """Operations of one evaluation, of the tree of bodies; what has none is left out."""
    from sistel.automaton import Automaton

    automaton = Automaton(system.model)
    made: list[dict[str, object]] = []
    for key, (sign, name) in QUANTITIES.items():
        try:
            count = automaton.quantity(key).count()
        except SistelError:  # some coordinate moves no mass
            continue
        made.append(
            {
                "sign": sign,
                "name": both(name),
                "multiplications": count.multiplications,
                "additions": count.additions,
                "sincos": count.sincos,
                "other": count.roots + count.other,
            }
        )
    return made


def _control(system: System) -> dict[str, list[dict[str, object]]]:
    """The laws of the functional schemes, in both languages."""
    from sistel.views import summarize
    from sistel.views.text import scheme_tables

    if not system.model.schemes:
        return {"en": [], "ru": []}
    return {
        lang: [told_table(each) for each in scheme_tables(summarize(system.model, lang).schemes, lang, None)]
        for lang in ("en", "ru")
    }


METHODS: Final[Mapping[str, Method]] = {"equations.structures": structures}
WORKS: Final[Mapping[str, Work]] = {"equations.show": show, "equations.text": as_text}
