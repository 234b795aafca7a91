"""What is written down of a passage: its event, and the first moment of slips as a step.

Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import shift
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._gauss import NODES
from sistel.simulation.contact._scene import Scene
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor.tables import Tables


def write_down(tables: Tables, scene: Scene, leaf: int, before: int, after: int, event: int) -> None:
    """Write an event down: its time, its loss of energy, the impulses of the elements that have some."""
    k = scene.counts[s.ELEMENTS]
    size = tables.counts[t.SIZE]
    note = shift(tables.log, event * tables.counts[t.LOG])
    note[0] = scene.start[size - 1]
    note[1] = scene.numbers[s.LOSS]
    mask = 0
    bit = 1
    at = 2
    for i in range(k):
        some = False
        for part in range(1 + scene.counts[s.SIDES]):
            some = some or scene.total[k * part + i] != 0.0
        if some:
            for j in range(6):
                total = 0.0
                for part in range(1 + scene.counts[s.SIDES]):
                    row = k * part + i
                    total += scene.total[row] * scene.data.axes[6 * row + j]
                note[at + j] = total
            at += 6
            mask += bit
        bit = bit * 2
    code = leaf + 1
    for _ in range(s.NAMES):
        code = code * 2
    code += before
    for _ in range(s.NAMES):
        code = code * 2
    code += after
    for _ in range(s.MASK):
        code = code * 2
    tables.marks[2 * event] = code + mask
    tables.marks[2 * event + 1] = tables.counts[t.STEPS]
    tables.counts[t.EVENTS] = event + 1


def record_moment(tables: Tables, scene: Scene, after: int) -> None:
    """Write the first moment of slips down, as a step.

    Where series are shorter, their last term takes the rest: a part of the tolerance, and none at the end.
    """
    counts = tables.counts
    order = counts[t.ORDER]
    size = counts[t.SIZE]
    stride = counts[t.STRIDE]
    step = counts[t.STEPS]
    counts[t.STEPS] = step + 1
    counts[t.KNOWN] = 0
    if counts[t.RECORD] == 0:
        return
    tables.times[2 * step] = scene.start[size - 1]
    tables.times[2 * step + 1] = scene.numbers[s.MOMENT_LENGTH]
    tables.which[step] = after
    for i in range(size):
        row = shift(tables.coefficients, (step * size + i) * stride)
        own = shift(scene.series, i * (NODES + 1))
        for term in range(order + 1):
            row[term] = own[term] if term <= NODES else 0.0
        rest = 0.0
        for back in range(NODES - order):
            rest = (rest + own[NODES - back]) * scene.numbers[s.MOMENT_LENGTH]
        row[order] = row[order] + rest


FUNCTIONS: Final = (
    write_down,
    record_moment,
)
