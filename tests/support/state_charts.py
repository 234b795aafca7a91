"""Random state charts as SCXML texts, and what a tick of a behaviour computes as a plain function."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import sistel
from sistel.expr import Op, Program

EVENTS = ("e1", "e2", "e3")
RAISED = ("r1", "r2")
MOST_PASSES = 40
"""Ticks at one instant after which a chart counts as endless."""

_TEXTS = {
    Op.ADD: "{} + {}",
    Op.SUBTRACT: "{} - {}",
    Op.MULTIPLY: "{} * {}",
    Op.DIVIDE: "{} / {}",
    Op.NEGATE: "-{}",
    Op.LESS: "float({} < {})",
    Op.LESS_EQUAL: "float({} <= {})",
    Op.EQUAL: "float({} == {})",
    Op.AND: "float({} != 0.0 and {} != 0.0)",
    Op.OR: "float({} != 0.0 or {} != 0.0)",
    Op.NOT: "float({} == 0.0)",
    Op.SELECT: "({1} if {0} != 0.0 else {2})",
    Op.FLOOR: "math.floor({})",
    Op.ABSOLUTE: "abs({})",
    Op.MINIMUM: "min({}, {})",
    Op.MAXIMUM: "max({}, {})",
}


def compiled(program: Program) -> Callable[[list[float]], list[float]]:
    """A program with one block of inputs as a function in plain Python."""
    lines = ["def f(y):"]
    for place, (op, a, b, c, number) in enumerate(
        zip(program.operation, program.first, program.second, program.third, program.number, strict=True)
    ):
        if op == Op.CONSTANT:
            text = repr(float(number))
        elif op == Op.INPUT:
            text = f"y[{b}]"
        else:
            text = _TEXTS[Op(op)].format(*(f"v{index}" for index in (a, b, c) if index >= 0))
        lines.append(f" v{place} = {text}")
    lines.append(f" return [{', '.join(f'v{place}' for place in program.results)}]")
    made: dict[str, Any] = {"math": math}
    exec("\n".join(lines), made)
    return made["f"]


class Ticking:
    """A system with one behaviour, tick by tick, as the program of its tick computes it."""

    def __init__(self, system: sistel.System) -> None:
        model = system.model
        self.scheme = model.schemes[0]
        automaton = system.automaton
        edge = automaton.edge(next(each for each in model.ticks if each.tick))
        self.tick = compiled(edge.map(automaton.modes[0])[0])
        first = model.nq + model.nv
        self.places = {each.name: first + i for i, each in enumerate(model.memory)}
        self.y = [0.0] * first + [each.start for each in model.memory] + [0.0]
        (self.chart,) = self.scheme.behaviours
        self.count = self.places[f"tick({self.scheme.name})"]

    def go(self, **inputs: float) -> bool:
        """A tick with inputs that are pressed; whether it came to an end."""
        for name, value in inputs.items():
            self.y[self.places[name]] = value
            before = f"before({self.chart.name} {name})"
            if before in self.places:
                self.y[self.places[before]] = 0.0
        ticks = self.y[self.count]
        for _ in range(MOST_PASSES):
            self.y[:] = self.tick(self.y)[: len(self.y)]
            if self.y[self.count] > ticks:
                break
        else:
            return False
        for name in inputs:
            self.y[self.places[name]] = 0.0
        return True

    def value(self, name: str) -> float:
        """What a signal is."""
        return self.y[self.places[name]]

    def active(self) -> set[str]:
        """The names of the states that are active."""
        return {
            state.name
            for index, state in enumerate(self.chart.states)
            if index and state.key != "history" and self.value(self.chart.full(index)) > 0.5
        }


class RandomChart:
    """A random chart: nested and parallel states, histories, guards, data, raised events."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names: list[str] = []
        self.text = self._chart()

    def _chart(self) -> str:
        tree = self._tree(0, "s")
        self.tree = tree
        self.names = [name for name, *_ in _all(tree)]
        body = "".join(self._written(child) for child in tree[2])
        data = "".join(f'<data id="{name}" expr="0"/>' for name in ("x", "z"))
        start = self.random.choice([child[0] for child in tree[2] if child[1] != "history"])
        return (
            f'<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="python" name="m" initial="{start}">'
            f"<datamodel>{data}</datamodel>{body}</scxml>"
        )

    def _tree(self, depth: int, name: str, kind: str = "state") -> tuple[str, str, list]:  # type: ignore[type-arg]
        rng, children = self.random, []
        if depth == 0 or kind == "parallel" or (kind == "state" and depth < 3 and rng.random() < 0.45):
            count = rng.randint(2, 3)
            for i in range(count):
                inner = "state"
                if kind != "parallel" and rng.random() < 0.2 and depth < 2:
                    inner = "parallel"
                children.append(self._tree(depth + 1, f"{name}{i}", inner))
            if kind != "parallel" and depth and rng.random() < 0.4:
                children.append((f"{name}f", "final", []))
            if depth and rng.random() < 0.45:
                children.append((f"{name}h", rng.choice(["shallow", "deep"]), []))
        return name, kind, children

    def _written(self, node: tuple[str, str, list]) -> str:  # type: ignore[type-arg]
        name, kind, children = node
        rng = self.random
        if kind in ("shallow", "deep"):
            home = next(each for each in _all(self.tree) if node in each[2])
            default = rng.choice([child[0] for child in home[2] if child[1] not in ("shallow", "deep")])
            return f'<history id="{name}" type="{kind}"><transition target="{default}"/></history>'
        tags = [tag for tag in ("onentry", "onexit") if rng.random() < 0.35]
        parts = [f"<{tag}>{self._actions()}</{tag}>" for tag in tags]
        if kind == "final":
            return f'<final id="{name}">{"".join(parts)}</final>'
        parts += [self._transition(node) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
        plain = [child[0] for child in children if child[1] not in ("shallow", "deep", "final")]
        start = f' initial="{rng.choice(plain)}"' if kind == "state" and plain else ""
        parts += [self._written(child) for child in children]
        return f'<{kind} id="{name}"{start}>{"".join(parts)}</{kind}>'

    def _transition(self, node: tuple[str, str, list]) -> str:  # type: ignore[type-arg]
        rng, name = self.random, node[0]
        words = ""
        if rng.random() < 0.85:
            done = [
                each[0]
                for each in _all(self.tree)
                if any(child[1] == "final" for child in each[2]) or each[1] == "parallel"
            ]
            pool = [*EVENTS, *EVENTS, *RAISED, "*", *(f"done.state.{each}" for each in done if each != "s")]
            words = f' event="{" ".join(rng.sample(pool, rng.choice([1, 1, 2])))}"'
        target = rng.choice(self.names[1:])
        to = f' target="{target}"' if rng.random() < 0.9 else ""
        guard = f' cond="{self._guard()}"' if rng.random() < (0.4 if words else 1.0) else ""
        compound = any(child[1] == "state" for child in node[2]) and node[1] == "state"
        inner = (
            ' type="internal"'
            if to and compound and target.startswith(name) and target != name and rng.random() < 0.5
            else ""
        )
        # The peer repeats what a passage to a history does; SCXML does it once.
        actions = "" if target.endswith("h") else self._actions()
        return f"<transition{words}{to}{guard}{inner}>{actions}</transition>"

    def _guard(self) -> str:
        rng = self.random
        plain = [each[0] for each in _all(self.tree)[1:] if each[1] not in ("shallow", "deep")]
        return rng.choice(
            [
                f"x &lt; {rng.randint(-2, 4)}",
                f"x &gt; z + {rng.randint(-1, 3)}",
                f"In('{rng.choice(plain)}')",
                f"not In('{rng.choice(plain)}') and x &gt;= {rng.randint(-2, 2)}",
                f"z == {rng.randint(0, 2)} or x &lt; 0",
            ]
        )

    def _actions(self) -> str:
        rng, made = self.random, ""
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            made += rng.choice(
                [
                    '<assign location="x" expr="x + 1"/>',
                    '<assign location="x" expr="x - 2"/>',
                    '<assign location="z" expr="x - z"/>',
                    f'<raise event="{rng.choice(RAISED)}"/>',
                    f'<if cond="{self._guard()}"><raise event="{rng.choice(RAISED)}"/></if>',
                ]
            )
        return made


def _all(node: tuple[str, str, list]) -> list[tuple[str, str, list]]:  # type: ignore[type-arg]
    return [node, *(each for child in node[2] for each in _all(child))]


def loaded(text: str) -> sistel.System:
    """A system with the behaviour of an SCXML text."""
    return sistel.parse(text, "chart.scxml")
