"""`sistel cycle`: the limit cycle of a system, and whether it is stable."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._documents import event_data, finite
from sistel.cli._progress import ProgressLine
from sistel.cli._reading import of_system, read_system
from sistel.cli._values import PARAMETER, read_number, read_pairs, read_parameters, read_positive
from sistel.errors import Language, SistelError, Text

if TYPE_CHECKING:
    from sistel.simulation import Cycle
    from sistel.system import System

INTERRUPTED = 130
"""As `_main` says it."""
MOST = 10_000
"""Values of a parameter that a cycle is followed through."""

USAGE = of_system(
    about=Text(
        "Finds a motion that repeats, near the one from the start of the file: its period, its state just after an "
        "event, and its multipliers, which tell how much a small disturbance grows in a period. Coordinates that no "
        "equation contains, such as the place on a slope, may go on from period to period, and so may counters that "
        "nothing reads. Numbers are in SI.",
        "Находит повторяющееся движение рядом с тем, что начинается в файле: период, состояние сразу после события и "
        "мультипликаторы, которые говорят, во сколько раз малое возмущение вырастает за период. Координаты, которых "
        "нет в уравнениях, например место на склоне, могут меняться от периода к периоду, как и счётчики, которых "
        "никто не читает. Числа — в СИ.",
    ),
    options=(
        *options(
            """
            --section TRANSITION | ПЕРЕХОД
                the transition after which the cycle begins; by default the first that repeats
                переход, после которого начинается цикл; по умолчанию первый, который повторяется
            --mirror BODY=BODY | ТЕЛО=ТЕЛО *
                bodies that exchange their roles: one step is then a cycle; -BODY turns signs; may be repeated
                тела, которые меняются ролями: циклом будет один шаг; -ТЕЛО меняет знаки; можно повторять
            """
        ),
        PARAMETER,
        *options(
            """
            --along NAME=FROM:TO:COUNT | ИМЯ=ОТ:ДО:СКОЛЬКО
                follow the cycle through values of a parameter [SI], a line each; where its branch ends before, the
                    last line says where and why
                проследить цикл по значениям параметра [СИ], по строке на значение; если ветвь кончается раньше,
                    последняя строка говорит где и почему
            --period TIME | ВРЕМЯ
                where forces repeat with the time: their period, as 2.5, 800 ms or 2*pi/w with a parameter w; states a
                    period apart are compared, instead of those after an event
                если силы повторяются со временем: их период, 2.5, 800 мс или 2*pi/w с параметром w; сравниваются
                    состояния через период, а не после события
            --until TIME | ВРЕМЯ
                how long to wait for a repetition, and for the motion to settle; 100 s by default
                сколько ждать повторения и установившегося движения; по умолчанию 100 с
            --tolerance NUMBER | ЧИСЛО
                difference of states a period apart that counts as none; 1e-10 by default
                различие состояний через период, которое не считается; по умолчанию 1e-10
            """
        ),
    ),
    examples=examples(
        """
        sistel cycle rimless_wheel.xml
            a wheel without a rim
            колесо без обода
        sistel cycle compass_walker.xml --mirror left_leg=right_leg
            one step of a walker
            один шаг ходока
        sistel cycle compass_walker.xml --mirror left_leg=right_leg --along slope=0.05:0.08:13
            steeper and steeper
            всё круче и круче
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, find the cycle, and say what it is."""
    from sistel.units import PLAIN, TIME

    until = read_positive(call, "until", TIME, 100.0)
    tolerance = read_positive(call, "tolerance", PLAIN, 1e-10)
    mirror = read_pairs(call, "mirror")
    given = read_parameters(call)
    along = _along(call)
    system = read_system(call)
    try:
        if given:
            system = system.with_parameters(given)
        if along is not None:
            system.with_parameters({along[0]: along[1][0]}).with_parameters({along[0]: along[1][-1]})
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None
    period = call.value("period")
    if period is not None and not 0.0 < read_number("--period", period, TIME, system.model.parameters) < math.inf:
        wrong_call("bad-number", Text(f'--period cannot be "{period}"', f"--period не может быть «{period}»"))
    watch = _Watch(console, None if along is None else along[0])
    interrupted = False
    try:
        cycles = _cycles(system, along, call.value("section"), mirror, until, tolerance, period, watch)
    except SistelError as problem:
        if all(diagnostic.code == "unknown-name" for diagnostic in problem.diagnostics):
            raise CallError(problem.diagnostics) from None
        raise
    except KeyboardInterrupt:
        if not watch.found:
            raise
        interrupted, cycles = True, tuple(watch.found)  # what was found before is not lost
    finally:
        watch.wipe()
    if console.json:
        rows = [_data(system, cycle, console.lang) for cycle in cycles]
        data: dict[str, object] = {"name": system.name}
        if along is None:
            data |= rows[0]
        else:
            data |= {
                "parameter": along[0],
                "complete": len(cycles) == len(along[1]) and cycles[-1].success,
                "cycles": [{"value": x, **row} for x, row in zip(along[1], rows, strict=False)],
            }
        data["diagnostics"] = [diagnostic.to_json(console.lang) for diagnostic in system.diagnostics]
        data["losses"] = [loss.to_json(console.lang) for loss in system.losses]
        console.document(data)
    else:
        text = _page(system, cycles[0], console.lang) if along is None else _table(along, cycles, console.lang)
        console.write(text)
        console.flush()
        console.diagnostics(system.diagnostics)
    if interrupted:
        return INTERRUPTED
    return 0 if cycles[-1].success else 1


class _Watch(ProgressLine):
    """Says how the search goes on, and keeps the cycles that were found."""

    def __init__(self, console: Console, parameter: str | None) -> None:
        super().__init__(console)
        self.parameter = parameter
        self.found: list[Cycle] = []

    def round(self, count: int, residual: float) -> None:
        """One more round was simulated."""
        if self.due:
            words = Text(f"round {count}, difference {residual:.3g}", f"оборот {count}, различие {residual:.3g}")
            self.show(words.say(self.console.lang))

    def value(self, value: float, cycle: Cycle | None, residual: float) -> None:
        """Something was simulated for a value of the parameter, or its cycle was found."""
        if cycle is not None:
            self.found.append(cycle)
        elif self.due:
            words = Text(f"difference {residual:.3g}", f"различие {residual:.3g}")
            self.show(f"{self.parameter} = {value:.9g}, {words.say(self.console.lang)}")


def _cycles(
    system: System,
    along: tuple[str, list[float]] | None,
    section: str | None,
    mirror: dict[str, str],
    until: float,
    tolerance: float,
    period: str | None,
    watch: _Watch,
) -> tuple[Cycle, ...]:
    if along is None:
        return (
            system.cycle(section, mirror=mirror, until=until, tolerance=tolerance, period=period, progress=watch.round),
        )
    from sistel.simulation import follow_cycles

    return follow_cycles(
        system,
        *along,
        section=section,
        mirror=mirror,
        until=until,
        tolerance=tolerance,
        period=period,
        progress=watch.value,
    )


def _along(call: Call) -> tuple[str, list[float]] | None:
    """A parameter and its values."""
    word = call.value("along")
    if word is None:
        return None
    name, _, rest = word.partition("=")
    try:
        first, last, count = rest.split(":")
        begin, end, number = float(first), float(last), int(count)
        good = bool(name.strip()) and math.isfinite(begin) and math.isfinite(end) and 2 <= number <= MOST
    except ValueError:
        good = False
    if not good:
        wrong_call(
            "bad-values",
            Text(f'--along cannot be "{word}"', f"--along не может быть «{word}»"),
            expected=Text("name=from:to:count, such as slope=0.05:0.08:13", "имя=от:до:сколько: slope=0.05:0.08:13"),
        )
    return name.strip(), [begin + (end - begin) * i / (number - 1) for i in range(number)]


def _data(system: System, cycle: Cycle, lang: Language) -> dict[str, object]:
    data = {
        "success": cycle.success,
        "stable": cycle.stable,
        "reason": cycle.reason.say(lang),
        "period": finite(cycle.period),
        "transition": cycle.transition,
        "structure": cycle.structure,
        "q": dict(zip(system.model.coordinate_names, cycle.q.tolist(), strict=True)),
        "v": dict(zip(system.model.rate_names, cycle.v.tolist(), strict=True)),
        "multipliers": [[x.real, x.imag] for x in cycle.multipliers.tolist()],
        "events": [event_data(event) for event in cycle.events],
        "shift": cycle.shift,
        "residual": finite(cycle.residual),
        "iterations": cycle.iterations,
        "rounds": cycle.rounds,
    }
    if system.model.memory:
        data["memory"] = dict(zip(system.model.memory_names, cycle.memory.tolist(), strict=True))
    if cycle.reached is not None:
        data["reached"] = cycle.reached
    return data


def _page(system: System, cycle: Cycle, lang: Language) -> str:
    from sistel.views.text import clean

    ru = lang == "ru"
    lines = [f"{clean(system.name)}: {cycle.reason.say(lang)}"]
    if not cycle.iterations:
        return lines[0] + "\n"
    second = "с" if ru else "s"
    rows = [("период" if ru else "period", f"{cycle.period:.15g} {second}")]
    if cycle.transition:
        rows += [("начало" if ru else "begins after", clean(cycle.transition))]
    rows += [("невязка" if ru else "residual", f"{cycle.residual:.2g}")]
    rows += [(f"{clean(name)} {'за период' if ru else 'per period'}", f"{x:+.12g}") for name, x in cycle.shift.items()]
    for number, x in enumerate(cycle.multipliers.tolist(), 1):
        value = f"{x.real:.10g}" + (f" {'+' if x.imag > 0 else '-'} {abs(x.imag):.10g} i" if x.imag else "")
        rows.append((f"{'мультипликатор' if ru else 'multiplier'} {number}", f"{value}   |{abs(x):.8g}|"))
    names, rates = system.model.coordinate_names, system.model.rate_names
    rows += [(clean(name), f"{x:.15g}") for name, x in zip(names, cycle.q, strict=True)]
    rows += [(clean(name) + "'", f"{x:.15g}") for name, x in zip(rates, cycle.v, strict=True)]
    counted = zip(system.model.memory, system.model.memory_names, cycle.memory, strict=True)
    rows += [(clean(name), f"{x:.15g}") for each, name, x in counted if each.kind != "entered"]
    unit = "Дж" if ru else "J"
    rows += [
        (f"{event.time:.9g} {second}", f"{clean(event.transition)}, {event.energy_loss:.6g} {unit}")
        for event in cycle.events
    ]
    width = max(len(name) for name, _ in rows)
    return "\n".join([*lines, *(f"  {name:<{width}}  {text}" for name, text in rows)]) + "\n"


def _table(along: tuple[str, list[float]], cycles: tuple[Cycle, ...], lang: Language) -> str:
    from sistel.views.text import clean

    ru = lang == "ru"
    head = (clean(along[0]), "период" if ru else "period", "|λ|", "")
    rows = [head]
    for value, cycle in zip(along[1], cycles, strict=False):
        sizes = ", ".join(f"{abs(x):.6g}" for x in cycle.multipliers.tolist())
        period = f"{cycle.period:.12g}"
        if cycle.reached is not None:
            period, sizes = "—", "—"  # there is no cycle at this value
        rows.append((f"{value:.9g}", period, sizes, cycle.reason.say(lang)))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return "".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)), row[3]]).rstrip() + "\n"
        for row in rows
    )
