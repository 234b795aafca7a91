"""Linear systems as terminals show them: the point, the matrices, the poles, what inputs reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.errors import Language, user_language
from sistel.units import UNIT_BY_WORD
from sistel.views.text._numbers import clean, short
from sistel.views.text._paper import Paper, fits
from sistel.views.text._tables import Column, Table

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.linear import Linear, Reach, Variable
    from sistel.plain import JsonObject


def linear_data(linear: Linear, lang: Language | None = None) -> JsonObject:
    """A linear system as plain data [SI]."""
    lang = lang or user_language()
    return {
        **{key: getattr(linear, key) for key in ("structure", "t", "period", "equilibrium", "stable")},
        **{key: [_variable(each) for each in getattr(linear, key)] for key in ("states", "inputs", "outputs")},
        **{key: getattr(linear, key).tolist() for key in "ABCD"},
        "rates": linear.rates.tolist(),
        "poles": [[x.real, x.imag] for x in linear.poles.tolist()],
        "frequencies": linear.frequencies.tolist(),
        "damping": linear.damping.tolist(),
        "controllability": _reach(linear.controllability),
        "observability": _reach(linear.observability),
        "warnings": [warning.say(lang) for warning in linear.warnings],
    }


def _variable(each: Variable) -> JsonObject:
    return {"name": each.name, "unit": each.unit, "value": each.value}


def _reach(found: Reach) -> JsonObject:
    missing = [[x.real, x.imag] for x in found.poles.tolist()]
    return {"rank": found.rank, "of": found.size, "missing": missing, "states": list(found.states)}


def linear_text(linear: Linear, lang: Language | None = None, *, width: int = 120, colour: bool = False) -> str:
    """The same for a terminal."""
    from sistel.linear import without_noise

    sheet = _Sheet(linear, lang or user_language(), Paper(width, colour), width)
    sheet.heading()
    sheet.point()
    sheet.matrix(
        "A, B", without_noise(linear.A), without_noise(linear.B), [f"({name})'" for name in linear.state_names]
    )
    if linear.outputs != linear.states:
        sheet.matrix("C, D", without_noise(linear.C), without_noise(linear.D), linear.output_names)
    sheet.poles()
    sheet.reaches()
    for warning in linear.warnings:
        sheet.paper.blank()
        sheet.paper.write((f"{sheet.say('warning', 'внимание')}: ", "bold"), clean(warning.say(sheet.lang)))
    return sheet.paper.text()


class _Sheet:
    """The parts, one below the other."""

    def __init__(self, linear: Linear, lang: Language, paper: Paper, width: int) -> None:
        self.linear, self.lang, self.paper, self.width = linear, lang, paper, width

    def say(self, en: str, ru: str) -> str:
        return ru if self.lang == "ru" else en

    def unit(self, text: str) -> str:
        """A unit in the words of a language."""
        if self.lang == "en" or not text:
            return text
        above, slash, below = text.partition("/")
        words = [[_russian(word) for word in part.split("·")] for part in (above, below)]
        return "·".join(words[0]) + slash + "·".join(words[1])

    def table(self, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> Table:
        columns = tuple(
            Column(title=clean(head), align="left" if i < left else "right", keep=True) for i, head in enumerate(heads)
        )
        cells = tuple(tuple(map(clean, row)) for row in rows)
        return Table(title=title, columns=columns, rows=cells, total=len(cells))

    def put(self, table: Table) -> None:
        if table.rows:
            self.paper.titled(table, self.lang)

    def heading(self) -> None:
        linear, say = self.linear, self.say
        self.paper.name(linear.model.name)
        kind = say("linear system", "линейная система")
        if linear.period is not None:
            kind += say(f" with steps of {linear.period:g} s", f" с шагом {linear.period:g} с")
        rest = say("an equilibrium", "равновесие") if linear.equilibrium else say("no equilibrium", "не равновесие")
        where = say(f'in structure "{linear.structure}"', f"в структуре «{linear.structure}»")
        self.paper.write(clean(f"{kind} {where}, t = {linear.t:g} {self.unit('s')}; {rest}"))

    def point(self) -> None:
        say, linear = self.say, self.linear
        words = {
            "place": say("coordinate", "координата"),
            "rate": say("velocity", "скорость"),
            "flow": say("current or store", "ток или память"),
            "input": say("input", "вход"),
            "output": say("output", "выход"),
        }
        shown = [*linear.states, *linear.inputs, *(linear.outputs if linear.outputs != linear.states else ())]
        rows = [(each.name, words[each.kind], short(each.value, 9), self.unit(each.unit)) for each in shown]
        heads = (say("name", "имя"), say("what", "что это"), say("value", "значение"), say("unit", "единица"))
        self.put(self.table(say("Point", "Точка"), heads, rows, left=2))

    def matrix(self, title: str, left: Array, right: Array, names: Sequence[str]) -> None:
        """Two matrices side by side; where they do not fit, their rows as sums."""
        linear = self.linear
        heads = [*linear.state_names, *linear.input_names]
        rows = [[*map(float, a), *map(float, b)] for a, b in zip(left, right, strict=True)]
        shown = self.table(
            title, ["", *heads], [[n, *(short(x) for x in row)] for n, row in zip(names, rows, strict=True)]
        )
        if fits(shown, self.width):
            self.put(shown)
            return
        self.paper.blank()
        self.paper.write((title, "title"))
        for name, row in zip(names, rows, strict=True):
            parts = [f"{short(x)}·{head}" for x, head in zip(row, heads, strict=True) if x]
            self.paper.write(clean(f"{name} = {' + '.join(parts) or '0'}".replace("+ -", "- ")))

    def poles(self) -> None:
        say, linear = self.say, self.linear
        found: dict[tuple[str, str, str], int] = {}
        for pole, frequency, damping in zip(linear.poles, linear.frequencies, linear.damping, strict=True):
            if pole.imag >= 0.0:
                row = _number(complex(pole), 9), short(float(frequency), 6), short(float(damping), 6)
                found[row] = found.get(row, 0) + 1
        rows = [(f"{text} ({count}×)" if count > 1 else text, *rest) for (text, *rest), count in found.items()]
        heads = (say("pole", "полюс"), f"ω, {self.unit('rad/s')}", say("damping", "затухание"))
        stable = say("stable", "устойчиво") if linear.stable else say("not stable", "неустойчиво")
        self.put(self.table(f"{say('Poles', 'Полюса')}: {stable}", heads, rows))

    def reaches(self) -> None:
        linear, say = self.linear, self.say
        found = [(say("controllability", "управляемость"), linear.controllability)] if linear.inputs else []
        if linear.outputs != linear.states:
            found.append((say("observability", "наблюдаемость"), linear.observability))
        self.paper.blank()
        if not linear.states:
            self.paper.write(say("There are no states: nothing is free to move.", "Состояний нет: двигаться нечему."))
        for word, each in found:
            text = say(f"rank {each.rank} of {each.size}", f"ранг {each.rank} из {each.size}")
            if not each.full:
                poles = ", ".join(dict.fromkeys(_number(complex(x)) for x in each.poles if x.imag >= 0.0))
                states = ", ".join(each.states)
                text += say(f"; out of reach: poles {poles}, of {states}", f"; не охвачены: полюса {poles}, у {states}")
            self.paper.write((f"{word}: ", "bold"), clean(text))
        if not linear.inputs:
            self.paper.write(say("There are no inputs: the file has no motors.", "Входов нет: в файле нет приводов."))


def _number(value: complex, digits: int = 6) -> str:
    return short(value.real, digits) + (f" ± {short(value.imag, digits)} i" if value.imag else "")


def _russian(word: str) -> str:
    known = UNIT_BY_WORD.get(word)
    return word if known is None else known.ru[0]
