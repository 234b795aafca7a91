"""States to begin with: what the file gives, made to meet the constraints of a structure."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import fields
from numbers import Real
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from sistel.automaton import first_memory, forced_at
from sistel.errors import Diagnostic, Diagnostics, SistelError, Text
from sistel.mechanics import DirectedStructure, Mesh, Row, assemble, constraint_rows
from sistel.model import MEETING, Model, Structure
from sistel.simulation._diagnosis import whereabouts
from sistel.simulation.run._warnings import Warnings

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.engine import Engine


MET = 1e-9
"""Velocity that constraints may be off by, relative to the largest one."""


SMALLEST = 1e-30
"""Tolerance below which series would take more terms than are of use."""
MOST_STEPS = 1e9
"""Steps that a run may be asked to take at least: some ten minutes."""


def check_call(model: Model, until: object, t: object, v: Array | None, **numbers: object) -> None:
    """Refuse numbers that no run can be made with.

    Args:
        model: The system.
        until: When to end [s].
        t: When to begin [s]; None for the time of the file.
        v: Velocities, where they are given.
        numbers: `tolerance`, `longest` and `step`, as `System.simulate` takes them; None for none.

    Raises:
        SistelError: One of them is no number or out of its range; all reasons are given.
    """
    if t is None and v is None and _is_usual(until, **numbers) and model.start_time <= until:  # type: ignore[operator]
        return  # a glance is enough
    diagnostics = Diagnostics()

    def refuse(en: str, ru: str) -> None:
        diagnostics.error("bad-number", None, Text(f"the call is wrong: {en}", f"вызов неверен: {ru}"))

    def number(value: object) -> TypeGuard[Real]:
        return type(value) is float or isinstance(value, Real)  # abstract classes take a microsecond to ask

    def finite(value: object) -> bool:
        return number(value) and math.isfinite(value)

    begin = model.start_time if t is None else t
    if not finite(begin):
        refuse(f"t is a finite time, not {t!r}", f"t — конечное время, а не {t!r}")
    if not finite(until):
        refuse(f"until is a finite time, not {until!r}", f"until — конечное время, а не {until!r}")
    length = float(until) - float(begin) if finite(begin) and finite(until) else 0.0  # type: ignore[arg-type]
    if length < 0.0:
        refuse(f"until {until} s is before the start at {begin} s", f"until {until} с раньше начала в {begin} с")
    tolerance = numbers.get("tolerance")
    if tolerance is not None and not (finite(tolerance) and SMALLEST <= tolerance < 1.0):  # type: ignore[operator]
        refuse(
            f"tolerance is a number from {SMALLEST:g} to 1, not {tolerance!r}",
            f"tolerance — число от {SMALLEST:g} до 1, а не {tolerance!r}",
        )
    for name in ("longest", "step"):
        value = numbers.get(name)
        if value is None:
            continue
        if not (number(value) and float(value) > 0.0):
            refuse(f"{name} is a positive time, not {value!r}", f"{name} — время больше 0, а не {value!r}")
        elif length / float(value) > MOST_STEPS:
            refuse(
                f"steps of {float(value):g} s would be more than {MOST_STEPS:g}",
                f"шагов по {float(value):g} с было бы больше {MOST_STEPS:g}",
            )
    if v is not None and not np.isfinite(v).all():
        refuse("v must be finite numbers", "v — конечные числа")
    diagnostics.raise_if_failed()


def _is_usual(until: object, tolerance: object = None, longest: object = math.inf, step: object = None) -> bool:
    """Whether the numbers of a call are usual ones, which need no further check."""
    good = type(until) is float and type(tolerance) is float and until < math.inf and SMALLEST <= tolerance < 1.0
    return good and step is None and type(longest) is float and longest == math.inf


def start_state(model: Model, structure: Structure) -> Array:
    """The state (q, v, t) that the file gives, made to meet the constraints of a structure.

    Raises:
        SistelError: No state near it meets them.
    """
    from sistel.engine import Engine

    return initial_state(Engine.of(model), structure, None, None, None)


def initial_state(
    engine: Engine,
    structure: Structure,
    q: Array | None,
    v: Array | None,
    t: float | None,
    given: tuple[Collection[int], Collection[int]] | None = None,
) -> Array:
    """The state (q, v, t) to begin with.

    Coordinates and velocities that the caller does not give come from the file. Those that the file gives stay as they
    are where the constraints allow it; the others follow.

    Args:
        engine: The system.
        structure: In which it begins.
        q: Coordinates, or None for those of the file.
        v: Velocities, likewise.
        t: Time [s], likewise.
        given: Places in q and v of what is given, where q and v are only in part the caller's.

    Raises:
        SistelError: No state near it meets the constraints.
    """
    model = engine.model
    structure = with_tight_gears(model, structure)
    start = model.start
    time = model.start_time if t is None else t
    simple = {
        body.first_v + i: body.first_q + i
        for body in model.bodies
        if not body.joint.type.has_quaternion
        for i in range(body.joint.type.nv)
    }
    if given is None:
        given = start.given_q if q is None else (), start.given_v if v is None else range(model.nv)
    kept_q = frozenset(rate for rate, place in simple.items() if place in given[0])
    place = np.array(start.q if q is None else q, dtype=float)
    forced = frozenset[int]()
    for row in _forced(engine, structure, place, np.zeros(model.nv), time):
        # A forced coordinate is where its motion has it.
        assert row.rate is not None and isinstance(row.value, float)
        place[simple[row.rate]] -= row.value
        forced |= {row.rate}
    if structure.holds or structure.changes or _meshed(structure):
        place = _assembled(engine, structure, place, kept_q, forced, time)
    speed = np.array(start.v) if v is None else v
    velocities = fitting_velocities(engine, structure, place, speed, frozenset(given[1]), time)
    return np.array([*place, *velocities, *first_memory(model, structure.name, time), time])


def with_tight_gears(model: Model, structure: Structure) -> Structure:
    """The same structure, in which gears that have losses and no play hold as couplings do."""
    tight = tuple(Mesh(drive.name) for drive in model.drives if drive.tight)
    if not tight or _meshed(structure):
        return structure
    given = {item.name: getattr(structure, item.name) for item in fields(structure) if item.name != "meshes"}
    return DirectedStructure(**{"ways": {}, **given}, meshes=tight)


def _meshed(structure: Structure) -> bool:
    return isinstance(structure, DirectedStructure) and bool(structure.meshes)


def _assembled(
    engine: Engine, structure: Structure, q: Array, given: frozenset[int], forced: frozenset[int], t: float
) -> Array:
    """Coordinates that meet the constraints; those that are given stay if they can, those that are forced always."""
    model, error = engine.model, math.inf
    for fixed in dict.fromkeys((given | forced, forced)):
        found = assemble(model, structure, q.tolist(), fixed=fixed, tree=engine.tree)
        error = min(error, found.error)
        if not found.success:
            continue
        rows = _forced(engine, structure, np.array(found.q), np.zeros(model.nv), t)
        if max((abs(float(row.value)) for row in rows), default=0.0) <= MET:  # type: ignore[arg-type]
            return np.array(found.q)
    apart = Text(f"its links remain {error:.3g} apart", f"связи расходятся на {error:.3g}")
    if error < MET:
        apart = Text(
            f"not where its motions force it to be at {t:g} s", f"не там, где её велят быть движения в {t:g} с"
        )
    message = Text(
        f'structure "{structure.name}" cannot be assembled: {apart.en}',
        f"структуру «{structure.name}» нельзя собрать: {apart.ru}",
    )
    raise SistelError(_diagnostics(message, engine.model, structure))


def fitting_velocities(
    engine: Engine, structure: Structure, q: Array, v: Array, given: frozenset[int], t: float
) -> Array:
    """Velocities that the constraints allow: the given ones as they are if possible, else the nearest."""
    model = engine.model
    structure = with_tight_gears(model, structure)
    forced = _forced(engine, structure, q, v, t)
    given -= {row.rate for row in forced}
    if not (structure.holds or structure.changes or forced or _meshed(structure)):
        return v
    held = constraint_rows(model, engine.tree, structure, q.tolist(), v.tolist(), t=t)
    rows = [*held, *forced]
    J = np.array([row.J for row in rows], dtype=float)
    drift = np.array([row.drift for row in rows], dtype=float)
    lack = J @ v + drift
    scale = max(1.0, float(np.abs(v).max(initial=0.0)))
    free = [i for i in range(model.nv) if i not in given]
    if free:
        made = v.copy()
        made[free] -= np.linalg.lstsq(J[:, free], lack, rcond=1e-10)[0]
        if np.abs(J @ made + drift).max(initial=0.0) <= MET * scale:
            return np.asarray(made)
    made = np.asarray(v - np.linalg.lstsq(J, lack, rcond=1e-10)[0])
    left = float(np.abs(J @ made + drift).max(initial=0.0))
    if not left <= MET * scale:
        message = Text(
            f'the links and motions of structure "{structure.name}" contradict each other at {t:g} s: '
            f"no velocities meet them all, {left:.3g} is left",
            f"связи и движения структуры «{structure.name}» противоречат друг другу в момент {t:g} с: "
            f"нет скоростей, при которых выполнены все, остаётся {left:.3g}",
        )
        raise SistelError(_diagnostics(message, engine.model, structure))
    return made


def _forced(engine: Engine, structure: Structure, q: Array, v: Array, t: float) -> list[Row]:
    """Constraints of the motions that a structure forces."""
    if all(motion.kp is not None for motion in engine.model.motions):
        return []  # and the links of the bodies need not be found for it
    return forced_at(engine.model, engine.tree, structure, q.tolist(), v.tolist(), t)


def _diagnostics(message: Text, model: Model, structure: Structure) -> tuple[Diagnostic, ...]:
    diagnostics = Diagnostics()
    diagnostics.error("no-assembly", whereabouts(model, structure), message)
    return tuple(diagnostics.sorted())


def note_moved_start(
    model: Model, structure: Structure, q: Array | None, v: Array | None, begin: Array, noted: Warnings
) -> None:
    """Warn of coordinates and velocities that are not those that were asked for: links and motions moved them.

    Args:
        model: The system.
        structure: In which it begins.
        q: Coordinates that the caller gave; None for those of the file.
        v: Velocities, likewise.
        begin: The state that was found, (q, v, memory, t).
        noted: Takes the warning.
    """
    start, nq, nv = model.start, model.nq, model.nv
    turned = {
        body.first_q + i for body in model.bodies if body.joint.type.has_quaternion for i in range(body.joint.type.nq)
    }  # a quaternion gets its length back, and is the same rotation
    places = [i for i in (start.given_q if q is None else range(nq)) if i not in turned]
    rates = list(start.given_v if v is None else range(nv))
    off_q = begin[places] - np.array(start.q if q is None else q, dtype=float)[places]
    off_v = begin[[nq + i for i in rates]] - np.array(start.v if v is None else v, dtype=float)[rates]
    moved = [model.coordinate_names[i] for i, off in zip(places, off_q, strict=True) if abs(off) > MEETING[0]]
    fastest = max(1.0, float(np.abs(begin[nq : nq + nv]).max(initial=0.0)))
    pushed = [model.rate_names[i] for i, off in zip(rates, off_v, strict=True) if abs(off) > MEETING[0] * fastest]
    for names, what in ((moved, Text("coordinates", "координаты")), (pushed, Text("velocities", "скорости"))):
        if names:
            some = ", ".join(f'"{name}"' for name in names[:3]) + (" …" if len(names) > 3 else "")
            own = ", ".join(f"«{name}»" for name in names[:3]) + (" …" if len(names) > 3 else "")
            noted.add(
                "moved-start",
                float(begin[-1]),
                Text(
                    f"the {what.en} of {some} at the start are not those that were given: the links and motions of "
                    f'structure "{structure.name}" do not allow them',
                    f"{what.ru} {own} в начале не те, что заданы: их не допускают связи и движения структуры "
                    f"«{structure.name}»",
                ),
                start.span or structure.span or model.span,
            )
