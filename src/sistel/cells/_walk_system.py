"""A programmed walk → the machine with its structures in XsysTel, and the walk as a run of it."""

from __future__ import annotations

import math
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sistel.cells._gaits import Walk, postures
from sistel.simulation import Event, Run, Segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.model import Model

    Array = NDArray[np.float64]

DEGREE = 9
"""Of the polynomials between two rows: with sixteen of them in a cycle they are within 10⁻⁹ rad of the program."""
STEPS = 16
"""Polynomials in a cycle."""


def walk_xml(walk: Walk, file: str) -> str:
    """The machine with its contacts and the structures that a walk passes, as a text in XsysTel.

    Args:
        walk: The walk.
        file: The description of the machine, seen from where the text will stand.
    """
    machine = walk.machine
    far = 1e3 * walk.course.stride * walk.course.cycles
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<system name="{escape(machine.model.name)}" class="changing tree" space="spatial">',
        f'  <box size="{far + 2000:.6g}, 2000, 10" place="{far / 2:.6g}, 0, -5" colour="whitesmoke"/>',
        f'  <include file="{escape(file)}"/>',
        "  <links>",
    ]
    lines += [
        f'    <contact name="{escape(leg.name)}" point="{escape(leg.foot.name)}" surface="z = 0" friction="stick"/>'
        for leg in machine.legs
    ]
    titles = structure_titles(walk)
    for state, title in titles.items():
        held = ", ".join(leg.name for leg, stands in zip(machine.legs, state, strict=True) if stands)
        lines.append(f'    <structure name="{escape(title)}" holds="{escape(held)}"/>')
    now = _first(walk)
    for time, state in walk.switches:
        if time > 0.0 and state != now:
            when = f"t rises through {time:.12g} s"
            lines.append(f'    <transition from="{escape(titles[now])}" to="{escape(titles[state])}" when="{when}"/>')
            now = state
    q = walk.q[0]
    place = ", ".join(f"{1e3 * float(x) + 0.0:.9g}" for x in q[machine.trunk.first_q + 4 :][:3])
    said = " ".join(
        f'{escape(body.name)}="{math.degrees(float(q[body.first_q])):.9g}"'
        for leg in machine.legs
        for body in leg.bodies
    )
    lines += [
        "  </links>",
        f'  <start structure="{escape(titles[_first(walk)])}" {said}>',
        f'    <coordinate of="{escape(machine.trunk.name)}" place="{place}" turn="0, 0, 0"/>',
        "  </start>",
        "</system>",
    ]
    return "\n".join(lines) + "\n"


def walk_run(walk: Walk, model: Model) -> Run:
    """The walk as a run of the system that `walk_xml` describes: exactly the program, whatever drives it.

    Args:
        walk: The walk.
        model: That system.
    """
    titles = structure_titles(walk)
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


def structure_titles(walk: Walk) -> dict[tuple[bool, ...], str]:
    """Names of the sets of standing feet that a walk passes."""
    every = dict.fromkeys([_first(walk), *(state for _, state in walk.switches)])
    return {state: _title(walk, state) for state in every}


def _first(walk: Walk) -> tuple[bool, ...]:
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


def _title(walk: Walk, state: tuple[bool, ...]) -> str:
    up = [leg.name for leg, stands in zip(walk.machine.legs, state, strict=True) if not stands]
    return "stand" if not up else "swing " + " ".join(name.rsplit("_", 1)[0] for name in up)
