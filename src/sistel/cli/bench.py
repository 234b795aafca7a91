"""`sistel bench`: declared structures against checks after every step, on one machine."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._reading import of_system, read_system
from sistel.cli._values import read_positive
from sistel.errors import Language, Text

if TYPE_CHECKING:
    from sistel.cli._bench import Race, Trial
    from sistel.system import System

UNTIL, TARGET, BUDGET = 10.0, 1e-6, 60.0
"""Simulated time [s], error to be met, and time that all may take [s], unless told otherwise."""

USAGE = of_system(
    about=Text(
        "Measures what it saves to declare structures instead of looking for collisions: the file's motion with events "
        "located exactly, against the same compiled equations with equal steps and all conditions checked after every "
        "step, as engines do that look for collisions first. The step is halved until the error meets the target. "
        "Where nothing changes structure and MuJoCo is installed, it takes part with the exported file.",
        "Измеряет, сколько экономит объявление структур вместо поиска столкновений: движение файла с точно найденными "
        "событиями против тех же скомпилированных уравнений с равными шагами и проверкой всех условий после каждого "
        "шага, как делают движки, которые сначала ищут столкновения. Шаг делится пополам, пока погрешность не станет "
        "требуемой. Где структура не меняется и установлен MuJoCo, участвует и он, с экспортированным файлом.",
    ),
    options=options(
        """
        --until TIME | ВРЕМЯ
            how long the motion is; 10 s by default
            сколько длится движение; по умолчанию 10 с
        --error NUMBER | ЧИСЛО
            the error to be met; 1e-6 by default
            требуемая погрешность; по умолчанию 1e-6
        --budget TIME | ВРЕМЯ
            how long all may take; 60 s by default
            сколько всё может длиться; по умолчанию 60 с
        """
    ),
    examples=examples(
        """
        sistel bench walker.xml
            the walker
            ходок
        sistel bench bouncing_ball.xml --error 1e-4
            less exact
            менее точно
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Measure and tell."""
    from sistel.units import PLAIN, TIME

    until = read_positive(call, "until", TIME, UNTIL)
    target = read_positive(call, "error", PLAIN, TARGET)
    budget = read_positive(call, "budget", TIME, BUDGET)
    system = read_system(call)
    if until <= system.model.start_time:
        wrong_call("no-time", Text("--until lies before the start", "--until — раньше начала"))
    from sistel.cli._bench import race

    line = _Line(console)
    try:
        found = race(system, until, target, budget, line)
    finally:
        line.wipe()
    if console.json:
        console.document(_data(system, found, console.lang))
    else:
        console.write(_page(system, found, console))
        console.flush()
        console.diagnostics(system.diagnostics)
    return 0


class _Line:
    """What is being measured, in one line of a terminal."""

    def __init__(self, console: Console) -> None:
        self.console, self.shown = console, False
        try:
            self.on = not console.json and sys.stderr is not None and sys.stderr.isatty()
        except ValueError:
            self.on = False

    def __call__(self, text: Text) -> None:
        if self.on:
            self.shown = True
            self._put("\r\x1b[K" + text.say(self.console.lang)[: max(self.console.width - 1, 8)])

    def wipe(self) -> None:
        """Leave no trace."""
        if self.shown:
            self._put("\r\x1b[K")

    def _put(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            self.on = False


def _page(system: System, found: Race, console: Console) -> str:
    from sistel.views.text import Column, Paper, Table, short, unit

    lang, ru = console.lang, console.lang == "ru"
    paper = Paper(console.width, console.colour)
    paper.name(system.name)
    paper.write(f"{'до момента' if ru else 'until'} {short(found.until, 6)} {unit('s', lang)}")
    if found.crowd:
        paper.write(
            "дальше события сгущаются: равным шагам за ними не уследить"
            if ru
            else "later the events crowd together, which equal steps cannot follow"
        )
    rows = [_row(trial, found, lang) for trial in shown(found)]
    titles = (
        ("способ", "шаг, с", "шагов", "событий", "погрешность", "события, с", "время, с", "раз")
        if ru
        else ("way", "step, s", "steps", "events", "error", "event times, s", "time, s", "ratio")
    )
    used = [i for i in range(len(titles)) if any(row[i] for row in rows)]
    columns = tuple(Column(title=titles[i], align="left" if i == 0 else "right", keep=True) for i in used)
    rows = [tuple(row[i] for i in used) for row in rows]
    paper.blank()
    paper.table(Table(title="", columns=columns, rows=tuple(rows), total=len(rows)))
    paper.blank()
    for text in verdicts(found):
        paper.write(text.say(lang))
    return paper.text()


def shown(found: Race) -> list[Trial]:
    """The rows of the table: of the equal steps, those that reach another power of a hundred, and the best."""
    made = [found.exact]
    if found.declared is not found.exact:
        made.append(found.declared)
    for trials in (found.checked, found.mujoco):
        level = 1e-1
        best = min(trials, key=lambda trial: (trial.error > found.target, trial.error), default=None)
        for trial in trials:
            if trial is best or trial.error <= level:
                made.append(trial)
                while trial.error <= level:
                    level *= 1e-2
            if trial is best:
                break
    return made


def _row(trial: Trial, found: Race, lang: Language) -> tuple[str, ...]:
    ru = lang == "ru"
    ways = {
        "declared": Text("declared structures", "объявленные структуры"),
        "checked": Text("checks after every step", "проверки на шагах"),
        "mujoco": Text("MuJoCo, RK4", "MuJoCo, RK4"),
    }
    if trial is found.exact:
        error = "все знаки" if ru else "all digits"
    else:
        error = "—" if math.isinf(trial.error) else f"{trial.error:.1e}"
    delay = "другие" if ru else "others"
    if trial.delay is not None or trial.way == "mujoco":
        delay = "" if trial is found.exact or not trial.events else f"{trial.delay or 0.0:.1e}"
    ratio = "" if trial.way == "declared" else _times(trial.wall / found.declared.wall)
    step = "" if trial.step is None else f"{trial.step:.3g}"
    return (
        ways[trial.way].say(lang),
        step,
        str(trial.steps),
        str(trial.events) if found.exact.events else "",
        error,
        delay,
        f"{trial.wall:.3g}",
        ratio,
    )


def _times(ratio: float) -> str:
    """How many times, with three digits."""
    return f"{ratio:.3g}" if ratio < 1000 else f"{round(ratio, 2 - math.floor(math.log10(ratio))):.0f}"


def verdicts(found: Race) -> list[Text]:
    """What it comes to, in sentences."""
    said = []
    best = found.best
    if best is not None and not math.isinf(best.error):
        ratio = best.wall / found.declared.wall
        times = _times(ratio)
        if best.error <= found.target:
            said.append(
                Text(
                    f"At an error of {found.target:g} declared structures take {times} times less time.",
                    f"При погрешности {found.target:g} объявленные структуры требуют в {times} раз меньше времени.",
                )
            )
        else:
            said.append(
                Text(
                    f"Checks after every step came to {best.error:.1e} in the time given, with {times} times the time "
                    f"of declared structures at {found.target:g}.",
                    f"Проверки после каждого шага за отведённое время дошли до {best.error:.1e}, взяв в {times} "
                    f"раз больше времени, чем объявленные структуры при {found.target:g}.",
                )
            )
    elif best is not None:
        said.append(
            Text(
                "Checks after every step did not follow the motion in the time given.",
                "Проверки после каждого шага за отведённое время не проследили движение.",
            )
        )
    if found.without is not None:
        said.append(Text(f"{found.without.en}.", f"{found.without.ru}."))
    return said


def _data(system: System, found: Race, lang: Language) -> dict[str, object]:
    def finite(x: float | None) -> float | None:
        return x if x is not None and math.isfinite(x) else None

    def data(trial: Trial) -> dict[str, object]:
        return {
            "way": trial.way,
            "step": trial.step,
            "tolerance": trial.tolerance,
            "steps": trial.steps,
            "events": trial.events,
            "error": finite(trial.error),
            "event_times": finite(trial.delay),
            "time": trial.wall,
            "ratio": trial.wall / found.declared.wall,
        }

    best = found.best
    return {
        "name": system.name,
        "until": found.until,
        "crowd": found.crowd,
        "target": found.target,
        "exact": data(found.exact),
        "declared": data(found.declared),
        "checked": [data(trial) for trial in found.checked],
        "mujoco": [data(trial) for trial in found.mujoco],
        "ratio": None if best is None or math.isinf(best.error) else best.wall / found.declared.wall,
        "reached": best is not None and best.error <= found.target,
        "verdict": [text.say(lang) for text in verdicts(found)],
        "diagnostics": [diagnostic.to_json(lang) for diagnostic in system.diagnostics],
    }
