"""Wires between two columns: each net has one upright line, none upon another."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from sistel.records import entry, mutable

NEAR = 6.0
"""Level lines that are nearer than this would look like one [px]."""
Point = tuple[float, float]


@mutable
class Run:
    """A net between two columns: where it comes in on either side."""

    net: int
    left: list[float]
    right: list[float]
    track: int = -1
    half: bool = False
    """Whether it is one of two parts of a net."""

    @property
    def low(self) -> float:
        """The upper end of its upright line."""
        return min((*self.left, *self.right))

    @property
    def high(self) -> float:
        """The lower end."""
        return max((*self.left, *self.right))

    @property
    def level(self) -> bool:
        """Whether it needs no upright line."""
        return self.high - self.low < 0.5


@entry
class Tracks:
    """The upright lines of a channel."""

    runs: list[Run]
    count: int


def tracks_of(runs: list[Run]) -> Tracks:
    """Give every net a track, so that level and upright lines of different nets never lie upon each other.

    Where the left end of one net is as high as the right end of another, the line of the first comes first. A circle of
    such demands is broken by a net that takes two tracks.
    """
    open_runs = [run for run in runs if not run.level]
    while True:
        order, stuck = _ordered(open_runs)
        if stuck is None or stuck.half:
            break
        open_runs = [*(run for run in open_runs if run is not stuck), *_halves(stuck, open_runs)]
    ends: list[list[tuple[float, float]]] = []
    least: dict[int, int] = {}
    after = _after(open_runs)
    order += [run for run in open_runs if run not in order]
    for run in order:
        track = max((least.get(id(other), -1) + 1 for other in after[id(run)]), default=0)
        while track < len(ends) and any(run.low < high + NEAR and low - NEAR < run.high for low, high in ends[track]):
            track += 1
        while track >= len(ends):
            ends.append([])
        ends[track].append((run.low, run.high))
        run.track = least[id(run)] = track
    return Tracks([*(run for run in runs if run.level), *order], len(ends))


def _after(runs: list[Run]) -> dict[int, list[Run]]:
    """The nets whose lines must stand to the left of each."""
    found: dict[int, dict[int, Run]] = {id(run): {} for run in runs}
    lefts = sorted((y, i) for i, run in enumerate(runs) for y in run.left)
    heights = [y for y, _ in lefts]
    for run in runs:
        for y in run.right:
            for k in range(bisect_left(heights, y - NEAR), bisect_right(heights, y + NEAR)):
                other = runs[lefts[k][1]]
                if other.net != run.net:
                    found[id(run)][id(other)] = other
    halves = {(run.net, tuple(run.right)): run for run in runs if len(run.right) == 1}
    for run in runs:
        first = halves.get((run.net, tuple(run.left)))
        if first is not None and first is not run:
            found[id(run)][id(first)] = first
    return {key: list(each.values()) for key, each in found.items()}


def _ordered(runs: list[Run]) -> tuple[list[Run], Run | None]:
    """An order in which every net comes after those that must be to its left; or a net of a circle of such demands."""
    after = _after(runs)
    before: dict[int, list[Run]] = {id(run): [] for run in runs}
    waiting = {id(run): len(after[id(run)]) for run in runs}
    for run in runs:
        for other in after[id(run)]:
            before[id(other)].append(run)
    # Those that lead down begin with the lowest, so that few cross.
    ready = sorted((run for run in runs if not waiting[id(run)]), key=_eager)
    order: list[Run] = []
    while ready:
        run = ready.pop(0)
        order.append(run)
        fresh = []
        for other in before[id(run)]:
            waiting[id(other)] -= 1
            if not waiting[id(other)]:
                fresh.append(other)
        if fresh:
            ready = sorted([*ready, *fresh], key=_eager)
    if len(order) == len(runs):
        return order, None
    done = {id(run) for run in order}
    return order, _of_circle(next(run for run in runs if id(run) not in done), after, done)


def _of_circle(run: Run, after: dict[int, list[Run]], done: set[int]) -> Run:
    """A net of the circle of demands that a net waits for: one that is whole, with few ends."""
    path: list[Run] = []
    while run not in path:
        path.append(run)
        run = next(other for other in after[id(run)] if id(other) not in done)
    circle = path[path.index(run) :]
    return min(circle, key=lambda each: (each.half, len(each.left) + len(each.right), each.net))


def _eager(run: Run) -> tuple[float, int]:
    rises = sum(run.right) / max(1, len(run.right)) < sum(run.left) / max(1, len(run.left))
    return (run.low if rises else -run.high), run.net


def _halves(run: Run, others: list[Run]) -> list[Run]:
    """A net with two upright lines, and a level one between them at a height of its own."""
    taken = [y for other in others for y in (*other.left, *other.right)]
    middle = (run.low + run.high) / 2
    steps = (middle + way * NEAR * k for k in range(4 * len(taken) + 4) for way in (1, -1))
    y = next(y for y in steps if all(abs(y - other) >= 1.5 * NEAR for other in taken))
    return [Run(run.net, run.left, [y], half=True), Run(run.net, [y], run.right, half=True)]
