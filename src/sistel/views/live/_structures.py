"""The table of a structure: its kernels, its conditions and its comparisons, as pages read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.automaton import beginning, decides
from sistel.markup import Name
from sistel.model import Contact
from sistel.simulation import CompiledStructure
from sistel.views._page_data import LiveExit, LiveMotion, LiveStructure
from sistel.views._page_words import Words
from sistel.views.live._programs import only
from sistel.views.live._refusals import no_passage_here, no_pulling_here

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.automaton import Exit
    from sistel.engine import Engine
    from sistel.errors import Text
    from sistel.expr import Program
    from sistel.model import Model, Structure
    from sistel.views.live._source import Source

APART = 0.6
"""Part of the whole flow from which on the watched functions are computed with it rather than by themselves."""
MOST_SIGNAL_LINES = 4000
"""Lines of what computes the signals of a structure."""
MOST_LOADED = 16
"""Velocities of systems whose loads pages compute."""
MOST_LOAD_LINES = 2500
"""Lines of what computes the loads of all structures."""
Loads = tuple["Program", tuple[str, ...]]
_ORDER = 20
"""Of the series that simulations take; nothing of it goes into programs."""


def said(text: Text) -> Words:
    """A text in both languages."""
    return {"en": text.en, "ru": text.ru}


def reachable(model: Model) -> list[Structure]:
    """The structures that a motion may come to from that of the start, in the order of the model."""
    found = {model.start_structure}
    while True:
        more = {
            transition.target
            for transition in model.transitions
            if not transition.sources or found & set(transition.sources)
        }
        if more <= found:
            return [structure for structure in model.structures if structure.name in found]
        found |= more


def postures_of(engine: Engine, structure: Structure, source: Source) -> LiveStructure:
    """What closes the loops of a structure."""
    compiled = CompiledStructure(engine, structure, _ORDER)
    program, forced = engine.automaton.mode(structure).posture_constraints()
    rows = program.outputs[0][1] if program.outputs else 0
    return {
        "name": structure.name,
        "rows": rows - len(forced),
        "forced": list(forced),
        "constraints": source.add(engine.automaton.hoist(program)),
        "anchors": compiled.anchor_count,
        "anchor": source.add(compiled.anchor_program) if compiled.anchor_count else None,
        "motion": None,
    }


def flow_lines(engine: Engine, structure: Structure) -> int:
    """How many lines the equations of motion of a structure have."""
    return len(CompiledStructure(engine, structure, _ORDER).modes.program)


def flowing_signals(model: Model) -> list[str]:
    """Signals of schemes without a clock: formulas of the state, which no state holds."""
    return [signal.name for scheme in model.schemes if scheme.clock is None for signal in scheme.held]


def signals_of(engine: Engine, structure: Structure, source: Source, names: list[str]) -> int | None:
    """What computes these signals from a state; None where that is too long for a page."""
    asked = [Name(name, engine.model.span) for name in names]
    program = engine.automaton.mode(structure).quantities(asked)
    return None if len(program) > MOST_SIGNAL_LINES else source.add(engine.automaton.hoist(program))


def load_programs(engine: Engine, structures: Sequence[Structure], pushed: bool) -> dict[str, Loads]:
    """What computes the loads of joints and links, and their names, by structure; none where all are too long."""
    if engine.model.nv > MOST_LOADED:
        return {}
    found: dict[str, Loads] = {}
    for structure in structures:
        mode = engine.automaton.mode(structure)
        if structure.why_not or mode.is_shared:  # shares of contacts are a search
            continue
        program, names = mode.loads(pushed)
        found[structure.name] = only(program, ["loads"]), names
        if sum(len(each) for each, _ in found.values()) > MOST_LOAD_LINES:
            return {}
    return found


def exit_of(
    engine: Engine,
    leaves: Exit,
    target: str,
    program: Program | None,
    links: Sequence[str],
    refused: Text | None,
    source: Source,
) -> LiveExit:
    """A transition out of a structure, with the program of its passage, or why there is none."""
    return {
        "transition": leaves.transition.name,
        "target": [structure.name for structure in engine.model.structures].index(target),
        "word": leaves.condition.word,
        "first": leaves.first_leaf,
        "passage": None if program is None else source.add(program),
        "links": list(links),
        "refused": None if refused is None else said(refused),
        "tick": bool(leaves.transition.tick),
        "quiet": leaves.transition.quiet,
    }


def motion_of(engine: Engine, structure: Structure, source: Source, pushed: bool) -> LiveMotion:
    """What moves a structure; `pushed` where hands may, too."""
    model = engine.model
    compiled = CompiledStructure(engine, structure, _ORDER, pushed=pushed)
    modes, exits = compiled.modes, compiled.equations.exits
    whole = modes.program
    watched = [name for name, size in whole.outputs if name != "dy" and size]
    flow, watch = only(whole, ["dy"]), only(whole, watched)
    if watched and len(watch) > APART * len(whole):
        flow = watch = only(whole, ["dy", *watched])
    leaving: list[LiveExit] = []
    for each in exits:
        transition = each.transition
        refused = no_passage_here(transition) if decides(engine.automaton, transition) else None
        target = model.structure(transition.target) if transition.target else structure
        new = beginning(model, transition, structure, target)
        if transition.within and any(isinstance(link, Contact) for link in new):
            refused = no_pulling_here(transition)
        program = None if refused is not None else compiled.passage_program(transition)
        links = () if refused is not None else compiled.derived[compiled.key(transition)][1]
        leaving.append(exit_of(engine, each, target.name, program, links, refused, source))
    return {
        "flow": source.add(flow),
        "watch": source.add(watch) if watched else None,
        "leaves": compiled.leaves,
        "kinds": [leaf.kind for each in exits for leaf in each.condition.leaves],
        "exits": leaving,
        "first": modes.first,
        "modes": modes.count,
        "switches": [(modes.first + switch.mode, switch.kind) for switch in modes.switches],
        "choose": source.add(modes.initial) if modes.count else None,
        "corrects": compiled.corrects,
        "correct": source.add(compiled.projection_program) if compiled.corrects else None,
    }
