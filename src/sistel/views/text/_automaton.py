"""The automaton of a system in words: state, parameters, outputs, modes and edges, as tables and as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from sistel.automaton import elements_of
from sistel.errors import Language, Text, user_language
from sistel.markup import print_expression
from sistel.units import si_symbol, unit_of
from sistel.views.text._numbers import clean, short
from sistel.views.text._paper import Paper
from sistel.views.text._tables import LIMIT, Column, Table

if TYPE_CHECKING:
    from sistel.automaton import Automaton, Edge, Mode, Signal
    from sistel.plain import JsonObject

_KINDS: Final = {
    "coordinate": Text("coordinate", "координата"),
    "velocity": Text("velocity", "скорость"),
    "counter": Text("counter", "счётчик"),
    "entries": Text("times entered", "сколько раз вошла"),
    "entered": Text("time of entry", "время входа"),
    "current": Text("current", "ток"),
    "shear": Text("shear of soft ground", "сдвиг мягкой земли"),
    "time": Text("time", "время"),
    "energy": Text("energy", "энергия"),
    "force": Text("driving force", "движущее усилие"),
    "load": Text("moment and force", "момент и сила"),
    "input": Text("input", "ввод"),
    "store": Text("memory of a block", "память блока"),
    "signal": Text("held signal", "сигнал, удерживается"),
    "pending": Text("signal that waits", "сигнал, ожидает"),
    "tick": Text("number of ticks", "число тактов"),
}


def automaton_data(automaton: Automaton, lang: Language | None = None) -> JsonObject:
    """The automaton as plain data, in SI."""
    lang = lang or user_language()
    return {
        "name": automaton.model.name,
        "state": [_signal(signal) for signal in automaton.state],
        "inputs": [_signal(signal) for signal in automaton.inputs],
        "parameters": [
            {"name": each.name, "value": each.value, "unit": each.unit, "live": each.live}
            for each in automaton.parameters
        ],
        "outputs": [_signal(signal) for signal in automaton.outputs],
        "start": automaton.start.name,
        "modes": [_mode(mode) for mode in automaton.modes],
        "edges": [_edge(edge, lang) for edge in automaton.edges],
        "contacts": [element.label for element in elements_of(automaton.model)],
        "clocks": [
            {
                "name": each.name,
                "period": each.period / each.parts,
                "offset": each.offset / each.parts,
                "latency": each.latency / each.parts,
            }
            for each in automaton.clocks
        ],
    }


def automaton_text(
    automaton: Automaton,
    lang: Language | None = None,
    *,
    width: int = 120,
    colour: bool = False,
    everything: bool = False,
) -> str:
    """The same for a terminal."""
    lang = lang or user_language()
    sheet = _Sheet(automaton_data(automaton, lang), lang, Paper(width, colour), None if everything else LIMIT)
    sheet.heading()
    sheet.signals("state", sheet.say("State", "Состояние"))
    sheet.signals("inputs", sheet.say("Inputs", "Входы"))
    sheet.parameters()
    sheet.modes()
    sheet.edges()
    sheet.contacts()
    sheet.clocks()
    sheet.signals("outputs", sheet.say("Outputs", "Выходы"))
    return sheet.paper.text()


class _Sheet:
    """The tables of an automaton, one below the other."""

    def __init__(self, data: JsonObject, lang: Language, paper: Paper, most: int | None) -> None:
        self.data, self.lang, self.paper, self.most = data, lang, paper, most

    def say(self, en: str, ru: str) -> str:
        return ru if self.lang == "ru" else en

    def table(self, title: str, columns: Sequence[tuple[str, bool]], rows: Iterable[Sequence[str]]) -> None:
        """A table; columns have a title and may be set to the right."""
        every = [tuple(row) for row in rows]
        if not every:
            return
        heads = tuple(Column(title=word, align="right" if right else "left") for word, right in columns)
        shown = Table(title=title, columns=heads, rows=tuple(every[: self.most]), total=len(every))
        self.paper.titled(shown, self.lang, "--all")

    def heading(self) -> None:
        data, say = self.data, self.say
        self.paper.name(data["name"])
        self.paper.write(
            say("hybrid automaton", "гибридный автомат"),
            f"; {say('modes', 'режимов')}: {len(data['modes'])}, {say('edges', 'рёбер')}: {len(data['edges'])}, "
            f"{say('numbers of state', 'чисел состояния')}: {len(data['state'])}",
        )

    def clocks(self) -> None:
        say = self.say
        columns = [
            (say("scheme", "схема"), False),
            *((word, True) for word in (say("period, s", "период, с"), say("offset, s", "сдвиг, с"))),
            (say("latency, s", "запаздывание, с"), True),
        ]
        rows = [
            (clean(row["name"]), *(f"{row[key]:.9g}" for key in ("period", "offset", "latency")))
            for row in self.data["clocks"]
        ]
        self.table(say("Clocks, in the order of one instant", "Часы, в порядке одного мига"), columns, rows)

    def signals(self, key: str, title: str) -> None:
        say = self.say
        columns = [(say("name", "имя"), False), (say("what", "что это"), False), (say("unit", "единица"), False)]
        self.table(
            title,
            columns,
            [
                (
                    clean(row["name"]),
                    _KINDS[row["kind"]].say(self.lang),
                    _unit(row["unit"], self.lang) + ("" if row["size"] == 1 else f" × {row['size'] // 2}"),
                )
                for row in self.data[key]
            ],
        )

    def parameters(self) -> None:
        say, rows = self.say, self.data["parameters"]
        self.table(
            say("Parameters", "Параметры"),
            [(say("name", "имя"), False), (say("value", "значение"), True), (say("unit", "единица"), False)],
            [(clean(row["name"]), short(row["value"]), _unit(row["unit"], self.lang)) for row in rows],
        )

    def modes(self) -> None:
        say = self.say
        counted = ("multiplications", "additions", "sincos", "watched")
        columns = [(say("structure", "структура"), False), ("×", True), ("+", True), ("sincos", True)]
        columns += [(say("watched", "следит"), True), (say("constraints", "связи"), True)]
        columns += [(say("motion", "движение"), False)]
        rows = []
        for row in self.data["modes"]:
            motion = say("forced", "вынужденное") if row["forced"] else row["why_not"] or say("free", "свободное")
            name = clean(row["name"]) + (" ◂" if row["name"] == self.data["start"] else "")
            rows.append((name, *(_cell(row["flow"], key) for key in counted), str(row["constraints"]), motion))
        self.table(say("Modes", "Режимы"), columns, rows)

    def edges(self) -> None:
        say = self.say
        columns = [(say("transition", "переход"), False), (say("from", "откуда"), False), (say("to", "куда"), False)]
        columns += [(say("condition", "условие"), False), (say("map", "отображение"), False)]
        rows = []
        for row in self.data["edges"]:
            made = say("searched", "поиск") if row["searched"] else say("program", "программа")
            texts = (row["name"], ", ".join(row["sources"]) or "*", row["target"], row["condition"])
            rows.append((*map(clean, texts), made))
        self.table(say("Edges", "Рёбра"), columns, rows)

    def contacts(self) -> None:
        names = self.data["contacts"]
        if not names:
            return
        self.paper.blank()
        made = self.say(
            "These make modes of their own, as they touch, stick and slide: ",
            "Эти сами создают режимы, когда касаются, держатся и скользят: ",
        )
        self.paper.write(made, clean(", ".join(names[: self.most])))


def _unit(text: str, lang: Language) -> str:
    """A unit in the words of a language; `text` may name several."""
    if lang == "en" or not text:
        return text
    found = [unit_of(part.strip()) for part in text.split(",")]
    return ", ".join(
        part if each is None else si_symbol(each.dimension, lang)
        for part, each in zip(text.split(","), found, strict=True)
    )


def _signal(signal: Signal) -> JsonObject:
    return {"name": signal.name, "kind": signal.kind, "unit": signal.unit, "size": signal.size}


def _cell(flow: dict[str, int] | None, key: str) -> str:
    return "" if flow is None else str(flow[key])


def _mode(mode: Mode) -> JsonObject:
    structure, automaton = mode.structure, mode.automaton
    data: JsonObject = {
        "name": mode.name,
        "holds": list(structure.holds),
        "degrees_of_freedom": structure.dof,
        "freedoms_of_places": structure.dof + structure.rolling,
        "constraints": automaton.model.nv - structure.dof,
        "forced": mode.forced,
        "corrected": mode.corrects,
        "why_not": structure.why_not[0].say(user_language()) if structure.why_not else "",
        "flow": None,
    }
    if not structure.why_not and not automaton.large:
        flow = mode.flow()
        count, sizes = flow.count(), dict(flow.outputs)
        data["flow"] = {
            "multiplications": count.multiplications,
            "additions": count.additions,
            "sincos": count.sincos,
            "other": count.roots + count.other,
            "watched": sizes.get("g", 0),
        }
    return data


def _edge(edge: Edge, lang: Language) -> JsonObject:
    transition = edge.transition
    return {
        "name": transition.name,
        "sources": list(transition.sources),
        "target": transition.target,
        "condition": print_expression(transition.condition, lang),
        "watched": len(edge.condition.leaves),
        "impact": transition.impact,
        "searched": edge.searched,
    }
