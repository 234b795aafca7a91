"""Mamdani's output: the centroid of what rules cut from terms, integrated exactly.

In the compiled subset of Python. Each term is a trapezoid a ≤ b ≤ c ≤ d of height 1, cut at the height that its rules
give; what counts is the greatest of them, a line of straight pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sistel.arrays import Floats, shift
from sistel.expr import Routine

SAME: Final = 1e-12
"""Difference of two heights, from 0 to 1, that counts as none."""
ROOM: Final = 8
"""Numbers of room for every term: four corners, and a value and a slope."""


def corner(term: Floats, height: float, which: int) -> float:
    """Where a term that is cut has a corner."""
    if which == 0:
        return term[0]
    if which == 1:
        return term[0] + height * (term[1] - term[0])
    if which == 2:
        return term[3] - height * (term[3] - term[2])
    return term[3]


def sort(values: Floats, count: int) -> None:
    """Put numbers in order."""
    for i in range(1, count):
        value = values[i]
        j = i - 1
        while j >= 0 and values[max(j, 0)] > value:
            values[j + 1] = values[j]
            j -= 1
        values[j + 1] = value


def lines_at(terms: Floats, heights: Floats, count: int, at: float, values: Floats, slopes: Floats) -> None:
    """Values and slopes of all terms at a place where none has a corner."""
    for i in range(count):
        term = shift(terms, 4 * i)
        height = heights[i]
        values[i] = 0.0
        slopes[i] = 0.0
        if at > term[0] and at < term[3] and height > 0.0:
            if at < corner(term, height, 1):
                slopes[i] = 1.0 / (term[1] - term[0])
                values[i] = (at - term[0]) * slopes[i]
            elif at > corner(term, height, 2):
                slopes[i] = -1.0 / (term[3] - term[2])
                values[i] = (at - term[3]) * slopes[i]
            else:
                values[i] = height


def highest(values: Floats, slopes: Floats, count: int, by: float) -> int:
    """The line that is highest so far from where the values are; of those that meet there, the one that rises most.

    Lines meet within a rounding: two terms that are cut at one height do where one of them ends to be level.
    """
    best = 0
    for i in range(1, count):
        above = values[i] + slopes[i] * by - (values[best] + slopes[best] * by)
        if above > SAME or (above >= -SAME and slopes[i] > slopes[best]):
            best = i
    return best


def centroid(data: Floats, given: Floats, made: Floats) -> None:
    """The centroid, and the area.

    Args:
        data: How many terms; where there is nothing, what comes out; then four numbers of every term.
        given: The height of every term.
        made: The centroid, the area, and room.
    """
    count = int(data[0])
    terms = shift(data, 2)
    corners = shift(made, 2)
    values = shift(made, 2 + 4 * count)
    slopes = shift(made, 2 + 5 * count)
    used = 0
    for i in range(count):
        if given[i] > 0.0:
            for which in range(4):
                corners[used] = corner(shift(terms, 4 * i), given[i], which)
                used += 1
    sort(corners, used)
    area = 0.0
    moment = 0.0
    origin = corners[0] if used > 0 else 0.0
    for k in range(used - 1):
        begin = corners[k]
        end = corners[k + 1]
        if end > begin:
            middle = 0.5 * (begin + end)
            lines_at(terms, given, count, middle, values, slopes)
            at = begin
            best = highest(values, slopes, count, begin - middle)
            while at < end:
                # Up to where another line, which rises more, becomes the highest.
                stop = end
                for i in range(count):
                    if slopes[i] > slopes[best]:
                        crossing = middle + (values[best] - values[i]) / (slopes[i] - slopes[best])
                        if crossing > at and crossing < stop:
                            stop = crossing
                left = values[best] + slopes[best] * (at - middle)
                right = values[best] + slopes[best] * (stop - middle)
                width = stop - at
                piece = 0.5 * (left + right) * width
                area += piece
                moment += piece * (at - origin) + width * width * (left + 2.0 * right) / 6.0
                at = stop
                best = highest(values, slopes, count, at - middle)
    made[0] = origin + moment / area if area > 0.0 else data[1]
    made[1] = area


CENTROID: Final = (centroid, highest, lines_at, sort, corner)


def centroid_of(terms: Sequence[Sequence[float]], otherwise: float) -> Routine:
    """A routine that makes the centroid of terms, each of four numbers, from their heights."""
    data = [float(len(terms)), otherwise, *(number for term in terms for number in term)]
    return Routine("centroid", CENTROID, len(terms), 2 + ROOM * len(terms), data)
