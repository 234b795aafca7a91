"""A run, in a process of its own: it tells how far it is, keeps what there is of it, and then draws its page."""

from __future__ import annotations

import math
import queue
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, cast

from sistel.errors import Diagnostic, SistelError
from sistel.studio.jobs._live import TICK, Touch, live
from sistel.studio.jobs._orders import RunOrder, SweepOrder
from sistel.studio.jobs._stopping import check_condition, run_until

if TYPE_CHECKING:
    from sistel.simulation import InputCourse, Run
    from sistel.system import System

Say = Callable[[Mapping[str, object]], None]

UNTIL: Final = 10.0
"""How long to simulate unless told otherwise [s]."""
OFTEN: Final = 0.1
"""Between two words about how far it is [s]."""
MOST_SAID: Final = 30
"""Warnings that are told with a run; all are counted."""


class Shelf:
    """The system of the last order: what was derived and compiled for it serves the next one."""

    def __init__(self, touched: queue.SimpleQueue[Touch] | None = None) -> None:
        """Empty; with what an operator does to the motion under way."""
        self.touched: queue.SimpleQueue[Touch] = queue.SimpleQueue() if touched is None else touched
        self._kept: tuple[tuple[str, str], System] | None = None

    def system(self, order: RunOrder | SweepOrder) -> System:
        """The system of an order.

        Raises:
            SistelError: Its text describes none.
        """
        from sistel.system import parse

        key = order.path, order.text
        if self._kept is None or self._kept[0] != key or names_files(self._kept[1]):
            self._kept = None
            self._kept = key, parse(order.text, order.path)
        return self._kept[1]


def do_run(order: RunOrder, shelf: Shelf, say: Say) -> None:
    """Simulate, keep, and draw."""
    from sistel.simulation import RunError
    from sistel.studio.service import failure

    begin = time.perf_counter()
    say({"share": None, "note": {"en": "equations", "ru": "уравнения"}})
    problem: SistelError | None = None
    time_of_stop: float | None = None
    try:
        system = shelf.system(order)
        try:
            run, time_of_stop = _simulated(system, order, say, shelf.touched)
        except RunError as failed:
            # What was computed before is right, and may say why the motion could not go on.
            problem, run = failed, failed.run
            if not run.segments:
                raise
    except SistelError as failed:
        say({"failed": failure(failed, order.path)})
        return
    if run.stopped is not None and not run.segments:
        raise KeyboardInterrupt  # before its first step
    say({"keeping": True})
    entry = keep(run, order, time.perf_counter() - begin, time_of_stop)
    done: dict[str, object] = {"kept": entry}
    if problem is not None:
        done["failed"] = failure(problem, order.path)
    say(done)
    say({"page": draw(run, order)})


def _simulated(
    system: System, order: RunOrder, say: Say, touched: queue.SimpleQueue[Touch]
) -> tuple[Run, float | None]:
    """The run, and when a condition ended it."""
    begin = system.model.start_time
    until = begin + UNTIL if order.until is None else order.until
    changed = changed_by(order)
    if order.stop:
        check_condition(system.model, order.stop)
    inputs = given_to(order)
    if order.live:
        own = system.with_parameters(changed) if changed else system
        while not touched.empty():
            touched.get()  # of a motion before
        stepper = own.stepper(period=TICK)
        say({"share": None, "note": {"en": "live", "ru": "вживую"}})
        lived = live(stepper, own.model, order.until, order.watched, touched, say)
        until, inputs = lived.end, dict(lived.inputs) or None
    last = [0.0]

    def progress(t: float, structure: str) -> None:
        now = time.monotonic()
        if now - last[0] < OFTEN:
            return
        last[0] = now
        share = min(max((t - begin) / (until - begin), 0.0), 1.0) if until > begin else None
        say({"share": share, "note": {"en": f"{t:.4g} s · {structure}", "ru": f"{t:.4g} с · {structure}"}})

    tolerance = 2.0**-52 if order.tolerance is None else order.tolerance
    method = cast('Literal["auto", "taylor", "runge-kutta", "radau"]', order.method)

    def first(end: float) -> Run:
        return system.simulate(
            end,
            tolerance=tolerance,
            progress=progress,
            memory=float(order.memory),
            method=method,
            parameters=changed or None,
            inputs=inputs,
        )

    if not order.stop:
        return first(until), None

    def later(run: Run, end: float) -> Run:
        return run.resume(end, progress=progress, memory=float(order.memory))

    found = run_until(order.stop, begin, until, first, later)
    return found.run, found.time


def given_to(order: RunOrder) -> dict[str, InputCourse] | None:
    """What its inputs are given.

    Raises:
        SistelError: That cannot be read.
    """
    if not any(order.inputs.values()) and not order.record[0]:
        return None
    from sistel.studio.service import Given

    return Given(lines=order.inputs, path=order.record[0], text=order.record[1]).courses()


def changed_by(order: RunOrder | SweepOrder) -> dict[str, float | str]:
    """Values of parameters that an order gives [SI]."""
    from sistel.studio.service import tried_values

    return {**order.changed, **tried_values(order.path, order.text, order.tried)}


def keep(run: Run, order: RunOrder, took: float, time_of_stop: float | None = None) -> dict[str, object]:
    """Write a run to the folder of the order; returns what is told of it."""
    from sistel.studio.workspace import ARCHIVE, MODEL

    draft = Path(order.draft)
    run.save(draft / ARCHIVE)
    (draft / MODEL).write_text(order.text, encoding="utf-8")
    told = described_run(run, path=order.path, changed=changed_by(order), took=took)
    inputs = {name: line.strip() for name, line in order.inputs.items() if line.strip()}
    if order.record[0]:
        inputs[""] = order.record[0]
    return {**told, "inputs": inputs, "stop": {"condition": order.stop, "time": time_of_stop} if order.stop else None}


def described_run(
    run: Run, *, path: str, changed: Mapping[str, float | str], took: float | None = None
) -> dict[str, object]:
    """What is told of a run.

    Args:
        run: The run.
        path: The file of its system, in the folder.
        changed: Values of parameters that are not those of the file [SI].
        took: How long it took to compute [s].
    """
    from sistel.studio.service import told

    warnings = [each.diagnostic() for each in run.warnings]
    if run.stopped is not None:
        warnings.append(Diagnostic("stopped", "warning", run.stopped))
    return {
        "kind": "run",
        "model": run.model.name,
        "path": path,
        "changed": {name: _plain(value) for name, value in changed.items()},
        "until": float(run.end),
        "made": time.time(),
        "took": took,
        "events": len(run.events),
        "warnings": len(warnings),
        "said": [told(each, path) for each in warnings[:MOST_SAID]],
        "drift": drift(run),
        "fingerprint": run.model.fingerprint,
    }


def names_files(system: System) -> bool:
    """Whether a system is made of other files too, which may change."""
    from sistel.markup.schema import FilePath

    recipe = system.model.recipe
    if recipe is None:
        return True
    return any(
        isinstance(attribute.spec.kind, FilePath)
        for node in recipe.document.root.walk()
        for attribute in node.attributes.values()
    )


def drift(run: Run) -> float | None:
    """The largest departure of the energy, what impacts take counted, as a part of the largest energy that was there.

    None where energy is no law of the run: something drives or brakes it.
    """
    import numpy as np

    from sistel.tasks import conservative

    if not run.keeps_motion or not conservative(run.model):
        return None
    kinetic, potential = run.energies()
    whole = kinetic + potential
    t = run.t
    lost = np.array([event.energy_loss for event in run.events])
    at = np.array([event.time for event in run.events])
    gone = np.concatenate([[0.0], np.cumsum(lost)])[np.searchsorted(at, t, side="left")]
    # Rows at an event may stand on either side of it: those are left out.
    clear = ~np.isin(t, at)
    if not clear.any():
        return None
    scale = max(float(kinetic[clear].max()), float(np.ptp(potential[clear])))
    found = float(np.abs((whole + gone)[clear] - whole[0]).max())
    if not math.isfinite(found) or not math.isfinite(scale):
        return None
    return found / scale if scale > 0.0 else 0.0


def draw(run: Run, order: RunOrder) -> str | None:
    """Write the page of a run; None where it cannot be drawn, which is told when somebody asks for it."""
    from sistel.studio.workspace import write_page
    from sistel.views.page import draw_page

    try:
        page = draw_page(run.model, run, lang="ru" if order.lang == "ru" else "en")
    except SistelError:
        return None
    return write_page(Path(order.pages), page)


def _plain(value: float | str) -> float | str:
    return value if isinstance(value, str) else float(value)
