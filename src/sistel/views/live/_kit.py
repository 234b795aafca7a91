"""What a page needs to move a model by itself: kernels in JavaScript, and the table that says how to use them."""

from __future__ import annotations

import gzip
import math
from typing import TYPE_CHECKING

from sistel.engine import Engine, LiveEngine
from sistel.errors import SistelError, Text
from sistel.expr import Program, Traced
from sistel.kernels import keep_written, recall_written
from sistel.records import entry
from sistel.views._page_data import LiveStructure, LiveTable
from sistel.views.live._contacts import elements_table, moves_alone
from sistel.views.live._parameters import live_engine, parameter_rows
from sistel.views.live._refusals import moved_by_contacts, too_long, why_no_motion
from sistel.views.live._source import Source
from sistel.views.live._structures import (
    flow_lines,
    flowing_signals,
    load_programs,
    motion_of,
    postures_of,
    reachable,
    said,
    signals_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.model import Model

MOST = 450_000
"""Size of the kernels of a page, packed [bytes]."""
MOST_LIVE = 250_000
"""The same where they follow parameters; beyond, parameters become fixed numbers [bytes]."""
MOST_LINES = 20_000
"""Lines of the flows of all structures up to which it is worth while to derive them with live parameters."""
BYTES_A_LINE = 11
"""What a kit takes at least for every line of its flows, packed: projections and passages are as long as they are."""
FEW = 15
"""Velocities up to which there are never as many."""


@entry
class LiveKit:
    """Kernels and their table.

    Attributes:
        source: A script; see `makeKernels` in ``web/src/live/live.ts``.
        table: Plain data for `LiveSystem`; ``table["refused"]`` is the reason in both languages why there is no motion,
            or None.
    """

    source: str
    table: LiveTable


def live_kit(model: Model, *, parameters: bool = True) -> LiveKit:
    """Derive what a page needs to move a model.

    Args:
        model: The system, in plain numbers.
        parameters: Whether parameters may be changed in the page.
    """
    followed = parameters and model.lettered is not None
    what = _depends_on(model, followed)
    known = recall_written(*what)
    if known is None:
        made = _derived(model, followed)
        known = keep_written((made.source, made.table), *what)
    source, table = known
    return LiveKit(source, table)


def _depends_on(model: Model, followed: bool) -> tuple[object, ...]:
    """What a kit depends on: the model, with the words that its fingerprint leaves out."""
    words = [model.name, *(each.name for each in model.structures)]
    words += [f"{each.name} {each.value!r} {each.about}" for each in model.parameters]
    return "live kit", model.fingerprint, followed, words


def _derived(model: Model, followed: bool) -> LiveKit:
    reason = why_no_motion(model)
    lines = 0
    try:
        lines = 0 if reason is not None else _lines(model)
        if lines * BYTES_A_LINE > MOST:
            reason = too_long(lines * BYTES_A_LINE, MOST)
    except SistelError as problem:
        reason = problem.diagnostics[0].message
    engine, refused = live_engine(model, followed)
    if engine is not None:
        fixed = Text(
            "equations that follow parameters would be too long for a page",
            "уравнения, следующие за параметрами, были бы слишком длинны для страницы",
        )
        try:
            if lines <= MOST_LINES:
                made = _printed(model, engine, refused, reason)
                if _packed(made.source) <= MOST_LIVE:
                    return made
        except SistelError as problem:
            fixed = problem.diagnostics[0].message
        refused |= dict.fromkeys(engine.live.names, fixed)
    try:
        made = _printed(model, Engine.of(model), refused, reason)
    except SistelError as problem:
        return _printed(model, Engine.of(model), refused, problem.diagnostics[0].message)
    size = _packed(made.source)
    return made if size <= MOST else _printed(model, Engine.of(model), refused, too_long(size, MOST))


def _lines(model: Model) -> int:
    """How many lines the flows of all structures have, where there may be many."""
    if model.nv <= FEW:
        return 0
    engine = Engine.of(model)
    return sum(flow_lines(engine, structure) for structure in reachable(model) if not structure.why_not)


def _packed(source: str) -> int:
    return len(gzip.compress(source.encode(), 6))


def _printed(model: Model, engine: Engine, refused: dict[str, Text], reason: Text | None) -> LiveKit:
    """The kit of an engine; where there is a reason against motion, of its kinematics alone."""
    source = Source()
    table: LiveTable = {
        "nq": model.nq,
        "nv": model.nv,
        "bodies": len(model.bodies),
        "joints": [(body.joint.type.nq, body.joint.type.nv, body.first_q, body.first_v) for body in model.bodies],
        "limits": _limits(model),
        "memory": [(each.kind, each.name, float(each.start)) for each in model.memory],
        "poses": source.add(engine.automaton.hoist(engine.automaton.poses())),
        "energies": source.add(engine.automaton.hoist(engine.automaton.energies())),
        "rays": source.add(engine.automaton.hoist(engine.automaton.rays())),
        "structures": [],
        "start": {
            "q": [float(number) for number in model.start.q],
            "v": [float(number) for number in model.start.v],
            "t": float(model.start_time),
            "structure": [each.name for each in model.structures].index(model.start_structure),
            "givenQ": sorted(model.start.given_q),
            "givenV": sorted(model.start.given_v),
        },
        "refused": None if reason is None else said(reason),
        "parameters": [],
        "kernels": source.kernels,
    }
    # Pushes that forces read again, by way of accelerations, would make other equations.
    pushed = reason is None and not engine.automaton.feeds_back
    table["push"] = {
        "twists": source.add(engine.automaton.hoist(engine.automaton.twists())),
        "bases": [body.base for body in model.bodies],
        "mass": float(sum(body.mass for body in model.bodies)),
        "acts": pushed,
    }
    flowing = flowing_signals(engine.model)
    if flowing:
        table["flowing"] = flowing
    there = reachable(engine.model)
    alone = reason is None and moved_by_contacts(engine.model)
    if alone:
        table["elements"] = elements_table(engine)
    loads = {} if reason is not None or alone else load_programs(engine, there, pushed)
    known = {structure.name for structure in there}
    for structure in engine.model.structures:
        row: LiveStructure = {"name": structure.name, "rows": 0, "forced": [], "constraints": None, "motion": None}
        if structure.name in known:
            row = postures_of(engine, structure, source)
            if reason is None and not structure.why_not:
                row["motion"] = (moves_alone if alone else motion_of)(engine, structure, source, pushed)
                if structure.name in loads:
                    program, carriers = loads[structure.name]
                    row["loads"], row["carriers"] = source.add(engine.automaton.hoist(program)), list(carriers)
                if flowing:
                    row["signals"] = signals_of(engine, structure, source, flowing)
        if structure.why_not:
            row["refused"] = said(structure.why_not[0])
        table["structures"].append(row)
    own = engine if isinstance(engine, LiveEngine) else None
    if own is not None:
        table["hoisted"] = own.block_size
        table["line"] = source.add(own.line) if own.block_size else None
        table["sizes"] = None if own.live.sizes is None else source.add(own.live.sizes)
        table["begin"] = source.add(_start_program(own))
    table["parameters"] = parameter_rows(model, own, refused)
    return LiveKit(source.text, table)


def _start_program(engine: LiveEngine) -> Program:
    """From the parameters to the coordinates and velocities that the file gives, where they follow them."""
    start = engine.model.start
    numbers: Sequence[float] = (*start.q, *start.v)
    traced = [number for number in numbers if isinstance(number, Traced)]
    if not traced:
        return Program((), (), (), (), (), (), (), ())
    graph = traced[0].node.graph
    entries = [number.node if isinstance(number, Traced) else float(number) for number in numbers]
    return graph.program({"q": entries[: len(start.q)], "v": entries[len(start.q) :]})


def _limits(model: Model) -> list[tuple[float | None, float | None]]:
    """The least and the greatest value of every coordinate; None where there is none."""
    rows: list[tuple[float | None, float | None]] = []
    for body in model.bodies:
        kind = body.joint.type
        simple = not kind.has_quaternion and len(body.joint.minimum) == kind.nq
        for i in range(kind.nq):
            low, high = (body.joint.minimum[i], body.joint.maximum[i]) if simple else (-math.inf, math.inf)
            rows.append((float(low) if math.isfinite(low) else None, float(high) if math.isfinite(high) else None))
    return rows
