"""A programmed walk → the machine with its structures in XsysTel, and the walk as a run of it."""

from __future__ import annotations

import math
from html import escape
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from sistel.cells._drive import Drive, orders
from sistel.cells._gaits import Walk, postures
from sistel.simulation import Event, Run, Segment

if TYPE_CHECKING:
    from sistel.errors import Language
    from sistel.model import Model


DEGREE = 9
"""Of the polynomials between two rows: with sixteen of them in a cycle they are within 10⁻⁹ rad of the program."""
STEPS = 16
"""Polynomials in a cycle."""
RELEASE = 0.1
"""How much a foot is pulled before it is let go [N]: with nothing, rounding would say whether it leaves the ground."""


def walk_xml(walk: Walk, file: str, drive: Drive | None = None, lang: Language = "en") -> str:
    """The machine with its contacts and the structures that a walk passes, as a text in XsysTel.

    Without motors structures follow each other at the times of the program, for `walk_run`. With motors the text can be
    simulated: a foot goes up where nothing presses it to the ground any more, and sticks where it comes down.

    Args:
        walk: The walk.
        file: The description of the machine, seen from where the text will stand.
        drive: Motors that follow the program.
        lang: Language of the names that are not in the file of the machine.
    """
    machine = walk.machine
    far = 1e3 * walk.course.stride * walk.course.cycles
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<system name="{escape(machine.model.name)}" class="changing tree" space="spatial">',
        f'  <box size="{far + 2000:.6g}, 2000, 10" place="{far / 2:.6g}, 0, -5" colour="whitesmoke"/>',
        f'  <include file="{escape(file)}"/>',
    ]
    if drive is not None:
        lines += _motion(walk, drive)
    lines.append("  <links>")
    lines += [
        f'    <contact name="{escape(point.name)}" point="{escape(point.name)}" surface="z = 0" friction="stick"/>'
        for leg in machine.legs
        for point in leg.soles
    ]
    titles = structure_titles(walk, lang) if drive is None else {s: _title(walk, s, lang) for s in _possible(walk)}
    for state, title in titles.items():
        stands = [leg for leg, on in zip(machine.legs, state, strict=True) if on]
        held = ", ".join(point.name for leg in stands for point in leg.soles)
        lines.append(f'    <structure name="{escape(title)}" holds="{escape(held)}"/>')
    passages = _by_time(walk) if drive is None else _by_load(walk, list(titles))
    for before, after, when in passages:
        lines.append(f'    <transition from="{escape(titles[before])}" to="{escape(titles[after])}" when="{when}"/>')
    q = walk.q[0]
    place = ", ".join(f"{1e3 * float(x) + 0.0:.9g}" for x in q[machine.trunk.first_q + 4 :][:3])
    said = " ".join(
        f'{escape(body.name)}="{math.degrees(float(q[body.first_q])):.9g}"'
        for leg in machine.legs
        for body in leg.bodies
    )
    first = _first(walk) if drive is None else (True,) * len(machine.legs)
    lines += [
        "  </links>",
        f'  <start structure="{escape(titles[first])}" {said}>',
        f'    <coordinate of="{escape(machine.trunk.name)}" place="{place}" turn="0, 0, 0"/>',
        "  </start>",
        "</system>",
    ]
    return "\n".join(lines) + "\n"


def _motion(walk: Walk, drive: Drive) -> list[str]:
    """The table that the motors follow."""
    told = orders(walk, drive)
    names = ", ".join(escape(body.name) for leg in walk.machine.legs for body in leg.bodies)
    gains = f'kp="{drive.kp:.12g} N*m/rad" kd="{drive.kd:.12g} N*m*s/rad"'
    lines = [f'  <motion of="{names}" interpolation="spline" {gains}>']
    for time, row in zip(told.times, np.degrees(told.joints), strict=True):
        lines.append(f'    <row time="{time:.12g}" values="{", ".join(f"{x + 0.0:.10g}" for x in row)}"/>')
    return [*lines, "  </motion>"]


State = tuple[bool, ...]
"""Which feet stand."""


def _by_time(walk: Walk) -> list[tuple[State, State, str]]:
    """The passages of the program, when it has them."""
    made, now = [], _first(walk)
    for time, state in walk.switches:
        if time > 0.0 and state != now:
            made.append((now, state, f"t rises through {time:.12g} s"))
            now = state
    return made


def _possible(walk: Walk) -> list[State]:
    """What may stand while feet that the program raises or lowers do so a little sooner or later than others."""
    count = len(walk.machine.legs)
    states = [(True,) * count, _first(walk), *(state for _, state in walk.switches)]
    up = [frozenset(i for i, stands in enumerate(state) if not stands) for state in states]
    moving = dict.fromkeys(before | after for before, after in pairwise(up))
    found = {
        frozenset(part)
        for each in moving
        for size in range(len(each) + 1)
        for part in combinations(sorted(each), size)
        if size < count
    }
    order = sorted(found, key=lambda each: (len(each), sorted(each)))
    return [tuple(i not in each for i in range(count)) for each in order]


def _by_load(walk: Walk, states: list[State]) -> list[tuple[State, State, str]]:
    """Feet go up where their load ends, and come down where they meet the ground."""
    made = []
    for state in states:
        for number, leg in enumerate(walk.machine.legs):
            other = (*state[:number], not state[number], *state[number + 1 :])
            if other in states:
                when = f"normal({{}}) lt -{RELEASE:g} N" if state[number] else "gap({}) falls through 0"
                made.append((state, other, " or ".join(when.format(escape(point.name)) for point in leg.soles)))
    return made


def walk_run(walk: Walk, model: Model, lang: Language = "en") -> Run:
    """The walk as a run of the system that `walk_xml` describes: exactly the program, whatever drives it.

    Args:
        walk: The walk.
        model: That system.
        lang: That of its names.
    """
    titles = structure_titles(walk, lang)
    moments = [(time, state) for time, state in walk.switches if time > 0.0]
    bounds = [0.0, *(time for time, _ in moments), walk.course.length]
    states = [_first(walk), *(state for _, state in moments)]
    segments, events = [], []
    for number, (begin, end, state) in enumerate(zip(bounds, bounds[1:], states, strict=False)):
        segments.append(_segment(walk, model, titles[state], begin, end))
        if number:
            events.append(
                Event(
                    time=begin,
                    transition="",
                    before=titles[states[number - 1]],
                    after=titles[state],
                    energy_loss=0.0,
                    impulses={},
                )
            )
    last = segments[-1]
    h = last.times[-1, 1]
    final = np.array([np.polynomial.polynomial.polyval(h, row) for row in last.coefficients[-1]])
    return Run(model, segments, events, final, None, programmed=True)


def structure_titles(walk: Walk, lang: Language = "en") -> dict[State, str]:
    """Names of the sets of standing feet that a walk passes."""
    every = dict.fromkeys([_first(walk), *(state for _, state in walk.switches)])
    return {state: _title(walk, state, lang) for state in every}


def _first(walk: Walk) -> State:
    if walk.switches and walk.switches[0][0] == 0.0:
        return walk.switches[0][1]
    return (True,) * len(walk.machine.legs)


def _segment(walk: Walk, model: Model, structure: str, begin: float, end: float) -> Segment:
    """A stay as polynomials through the program at Chebyshev's nodes."""
    count = max(1, math.ceil(STEPS * (end - begin) / walk.course.cycle))
    edges = np.linspace(begin, end, count + 1)
    nodes = 0.5 - 0.5 * np.cos(np.pi * np.arange(DEGREE + 1) / DEGREE)
    # Just inside, where both ends belong to this stay.
    inside = np.clip(nodes, 1e-12, 1.0 - 1e-12)
    inverse = np.linalg.inv(np.vander(nodes, increasing=True))
    made = np.zeros((count, model.nq + model.nv + 1, DEGREE + 1))
    trunk = walk.machine.trunk
    for number, (left, right) in enumerate(pairwise(edges)):
        h = right - left
        q = postures(walk.machine, walk.course, left + h * inside)[0]
        q[[0, -1]] = postures(walk.machine, walk.course, np.array([left + 1e-12 * h, right - 1e-12 * h]))[0]
        powers = (inverse @ q) / h ** np.arange(DEGREE + 1)[:, None]
        made[number, : model.nq] = powers.T
        rates = np.zeros((model.nq, DEGREE + 1))
        rates[:, :-1] = powers.T[:, 1:] * np.arange(1, DEGREE + 1)
        # A trunk that does not turn: its velocity is the rate of its place, in its own axes too.
        first = model.nq
        made[number, first + trunk.first_v + 3 : first + trunk.first_v + 6] = rates[
            trunk.first_q + 4 : trunk.first_q + 7
        ]
        for leg in walk.machine.legs:
            for body in leg.bodies:
                made[number, first + body.first_v] = rates[body.first_q]
        made[number, -1, :2] = left, 1.0
    times = np.stack([edges[:-1], np.diff(edges)], axis=1)
    return Segment(structure=structure, times=times, coefficients=made)


def _title(walk: Walk, state: State, lang: Language) -> str:
    up = [leg.name.rsplit("_", 1)[0] for leg, stands in zip(walk.machine.legs, state, strict=True) if not stands]
    if lang == "ru":
        return f"перенос {' '.join(up)}" if up else "стоит"
    return f"swing {' '.join(up)}" if up else "stand"
