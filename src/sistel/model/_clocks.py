"""Reads the clocks of schemes: whole parts of a second."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from sistel.errors import Diagnostics, Text
from sistel.expr import decide
from sistel.markup import Node
from sistel.model._assembly import MountedFile
from sistel.model._control import Clock

FINEST = 10**9
"""Parts of a second that clocks count in at most."""

NO_TICKS = Text("a scheme without a period has no ticks", "у схемы без периода нет тактов")
A_PERIOD = Text('a period, as period="10 ms"', 'период, например период="10 мс"')


def read_clock(part: MountedFile, node: Node, diagnostics: Diagnostics) -> Clock | None:
    """The clock of a scheme, in whole parts of a second."""
    if "period" not in node.attributes:
        for key in ("offset", "latency"):
            if key in node.attributes:
                diagnostics.error("no-clock", node.at(key), NO_TICKS, expected=A_PERIOD)
        return None
    times: list[Fraction] = []
    for key in ("period", "offset", "latency"):
        value = float(decide(part.values.one(node, key)))
        found = Fraction(value).limit_denominator(FINEST)
        if value < 0.0 or (key == "period" and found <= 0):
            diagnostics.error(
                "not-positive",
                node.at(key),
                Text(f"{value:g} s is no such time", f"{value:g} с — не такое время"),
                expected=Text(
                    "a positive time of 1 ns or more" if key == "period" else "0 or a positive time",
                    "положительное время от 1 нс" if key == "period" else "0 или положительное время",
                ),
            )
            return None
        times.append(found)
    period, offset, latency = times
    if latency > period:
        diagnostics.error(
            "long-latency",
            node.at("latency"),
            Text("results would act after the next tick", "результаты действовали бы после следующего такта"),
            expected=Text("at most one period", "не больше периода"),
            hint=Text("a delay block waits for whole ticks", "целые такты ждёт блок задержки"),
        )
        return None
    parts = lcm(*(time.denominator for time in times))
    return Clock(first=int(offset * parts), step=int(period * parts), parts=parts, latency=int(latency * parts))
