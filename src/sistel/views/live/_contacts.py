"""Contacts, stops and dry friction that make their own structures: what a page needs to decide what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.automaton import FREE, GRIP, WAYS, asks_dynamics, decides, event_text, part_text
from sistel.views._page_data import LiveElement, LiveElements, LiveExit, LiveLeaf, LiveMotion
from sistel.views._page_words import Words
from sistel.views.live._programs import only
from sistel.views.live._refusals import no_passage_here
from sistel.views.live._structures import exit_of, said

if TYPE_CHECKING:
    from sistel.automaton import ContactMode, Element, Exit, Layout
    from sistel.engine import Engine
    from sistel.expr import Program
    from sistel.model import Model, Structure
    from sistel.views.live._source import Source

STATUSES = 8
"""What an element may do: four grips while it is open, and four while it pushes."""
CLOSED = 4
"""What is added to a grip where an element pushes."""


def elements_table(engine: Engine) -> LiveElements:
    """All elements, and where everything of them has its place in the numbers that their statuses give."""
    model = engine.model
    mode = engine.automaton.contact_mode(model.structure())
    layout = mode.layout
    return {
        "elements": [_element(layout, i, model.planar) for i in range(len(layout.elements))],
        "leaves": [_leaf(model, layout, leaf) for leaf in range(len(layout.leaves))],
        "rows": layout.count,
        "size": layout.size,
        "share": layout.places.get(("share", 0, 0), -1),
        "groups": [list(group) for group in layout.rigid],
        "sides": 1 if model.planar else 2,
        "reads": mode.reads,
    }


def _element(layout: Layout, i: int, planar: bool) -> LiveElement:
    element = layout.elements[i]
    partners = layout.partners[i]
    by_newton = element.impact in ("newton", "coulomb")
    return {
        "label": element.label,
        "kind": "contact" if element.contact is not None else "grip" if element.kind == GRIP else "stop",
        "normal": layout.normals[i],
        "tangent": layout.tangents[i][0] if layout.tangents[i] else -1,
        "friction": None if element.friction is None else float(element.friction),
        "back": float(element.pull(-1.0)),
        "grasp": (float(element.grasp(1.0)), float(element.grasp(-1.0))),
        "newton": float(element.restitution) if by_newton else 0.0,
        "poisson": float(element.restitution) if element.impact == "poisson" else 0.0,
        "bound": float(element.bound) if element.single else 1.0,
        "tight": element.twin if element.tight else 0,
        "pull": layout.places.get(("pull", i, 0), -1) if layout.slides(i) else -1,
        "partners": [(j, layout.places["group", i, j]) for j in partners] if len(partners) > 1 else [],
        "said": [_said(element, status, planar) for status in range(STATUSES)],
    }


def _said(element: Element, status: int, planar: bool) -> Words:
    grip = status % CLOSED
    there = element.kind == GRIP or status >= CLOSED or status == FREE
    slides = element.tangents or grip not in WAYS
    if not (there and slides):
        return {"en": "", "ru": ""}
    return said(part_text(element, (status >= CLOSED, grip), planar))


def _leaf(model: Model, layout: Layout, leaf: int) -> LiveLeaf:
    i, which = layout.leaves[leaf]
    element = layout.elements[i]
    opened = (False, FREE)
    moving = (element.kind != GRIP, next(iter(WAYS)))
    held = (element.kind != GRIP, FREE)
    names = []
    for status in (opened, held) if which == "normal" else (held, moving):
        statuses = [opened] * len(layout.elements)
        statuses[i] = status
        names.append(f"{element.label} {layout.word(leaf, statuses)}")
    return {
        "element": i,
        "which": ("normal", "low", "high").index(which),
        "place": layout.places["leaf", leaf, 0],
        "names": names,
        "said": [said(event_text(model, name)) for name in names],
    }


def moves_alone(engine: Engine, structure: Structure, source: Source, pushed: bool) -> LiveMotion:
    """What moves a structure of the file with all that its elements may do; `pushed` where hands may, too."""
    mode, base = engine.automaton.contact_mode(structure), engine.automaton.mode(structure)
    by_rows = mode.moves_by_rows
    modes = mode.motion_by_rows(pushed=pushed) if by_rows else mode.modes_under(pushed=pushed)
    whole = modes.program
    watched = [name for name, size in whole.outputs if name != "dy" and size]
    exits = mode.written
    rows = [_exit(engine, mode, each, source) for each in exits]
    kinds = [leaf.kind for each in exits for leaf in each.condition.leaves]
    first = mode.first_leaf
    corrects = base.corrects or not by_rows
    return {
        "flow": source.add(whole if by_rows else only(whole, ["dy"])),
        "watch": None if by_rows else source.add(only(whole, watched)),
        "leaves": first + len(mode.layout.leaves),
        "kinds": kinds,
        "exits": rows,
        "first": modes.first,
        "modes": modes.count,
        "switches": [(modes.first + switch.mode, switch.kind) for switch in modes.switches],
        "choose": source.add(modes.initial) if modes.count else None,
        "corrects": True,
        "correct": source.add(base.projection() if by_rows else mode.projection) if corrects else None,
        "held": source.add(mode.held) if by_rows else None,
        "data": source.add(mode.data_under(pushed=pushed)),
        "find": source.add(mode.found) if mode.found_count else None,
        "found": mode.found_count,
    }


def _exit(engine: Engine, mode: ContactMode, each: Exit, source: Source) -> LiveExit:
    """A transition of the file."""
    transition = each.transition
    refused = no_passage_here(transition) if decides(engine.automaton, transition) else None
    program, links = (None, ()) if refused is not None else _passage(engine, mode, each)
    return exit_of(engine, each, transition.target or mode.base.name, program, links, refused, source)


def _passage(engine: Engine, mode: ContactMode, each: Exit) -> tuple[Program, tuple[str, ...]]:
    if (each.transition.tick or each.transition.chart) and asks_dynamics(engine.model, each.transition):
        return mode.tick(each.transition), ()
    return engine.automaton.edge(each.transition).map(engine.automaton.mode(mode.base))
