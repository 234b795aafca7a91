"""Runs of work of one kind, as many at a time as have their operands. In the compiled subset of Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sistel.kernels._cache import user_cache
from sistel.kernels.subset import Ints, compile_functions
from sistel.once import once

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sistel.kernels.subset import CompiledFunction

    Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Work:
    """What there is to do, and room to find its order in."""

    kind: Ints
    """Of every item, from 0."""
    begin: Ints
    """Where the operands of every item begin, and where the last ones end."""
    needs: Ints
    """Operands: numbers of items, or -1 for what is there from the beginning."""
    order: Ints
    """Found: the items in the order of the runs."""
    runs: Ints
    """Found: pairs, a kind and how many items."""
    missing: Ints
    users_begin: Ints
    users: Ints
    following: Ints
    """Of every item that is ready, the next one of its kind, or -1."""
    head: Ints
    tail: Ints
    count: Ints


def order_work(work: Work, items: int, kinds: int) -> int:
    """Find the order; returns how many runs there are."""
    for i in range(items):
        for j in range(work.begin[i], work.begin[i + 1]):
            if work.needs[j] >= 0:
                work.missing[i] += 1
                work.users_begin[work.needs[j] + 1] += 1
    for i in range(items):
        work.users_begin[i + 1] += work.users_begin[i]
    work.users_begin[items + 1] = work.users_begin[items]
    for i in range(items):
        for j in range(work.begin[i], work.begin[i + 1]):
            need = work.needs[j]
            if need >= 0:
                # Filled from behind: then place i + 1 is where the users of item i begin.
                work.users_begin[need + 1] -= 1
                work.users[work.users_begin[need + 1]] = i
    for kind in range(kinds):
        work.head[kind] = -1
    for i in range(items):
        if work.missing[i] == 0:
            make_ready(work, i)
    runs = 0
    done = 0
    while done < items:
        # The longest run there is: the others grow meanwhile.
        longest = 0
        for kind in range(1, kinds):
            if work.count[kind] > work.count[longest]:
                longest = kind
        i = work.head[longest]
        work.runs[2 * runs] = longest
        work.runs[2 * runs + 1] = work.count[longest]
        runs += 1
        work.head[longest] = -1
        work.count[longest] = 0
        while i >= 0:
            after = work.following[i]
            work.order[done] = i
            done += 1
            for j in range(work.users_begin[i + 1], work.users_begin[i + 2]):
                user = work.users[j]
                work.missing[user] -= 1
                if work.missing[user] == 0:
                    make_ready(work, user)
            i = after
    return runs


def make_ready(work: Work, item: int) -> None:
    """Put an item behind those of its kind that have their operands."""
    kind = work.kind[item]
    work.following[item] = -1
    if work.head[kind] < 0:
        work.head[kind] = item
    else:
        work.following[work.tail[kind]] = item
    work.tail[kind] = item
    work.count[kind] += 1


FUNCTIONS: Final = (order_work, make_ready)


@once
def _code() -> CompiledFunction:
    return compile_functions(FUNCTIONS, exports=["order_work"], cache=user_cache(), quick=True).order_work


def in_runs(kind: Whole, begin: Whole, needs: Whole, kinds: int) -> tuple[Whole, Whole]:
    """The items in the order of their runs; and the runs: their kinds and lengths, shape (runs, 2).

    Args:
        kind: Of every item, below `kinds`.
        begin: Where the operands of every item begin, and where the last ones end.
        needs: Operands: numbers of items, or -1 for what is there from the beginning.
        kinds: How many there are.
    """
    import numpy as np

    items = len(kind)
    order, runs = np.zeros(items + 1, np.int64), np.zeros(2 * items + 2, np.int64)
    room = [np.zeros(size, np.int64) for size in (items + 1, items + 2, len(needs) + 1, items + 1, *[kinds + 1] * 3)]
    found: int = _code()(Work(kind, begin, needs, order, runs, *room), items, kinds)
    return order[:items], runs[: 2 * found].reshape(found, 2)


def in_order(begin: Whole, order: Whole) -> Whole:
    """Where the operands of items come from when the items come in another order.

    Args:
        begin: Where the operands of every item begin, and where the last ones end.
        order: The items.
    """
    import numpy as np

    lengths = np.diff(begin)[order]
    ends = np.cumsum(lengths)
    moved: Whole = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begin[order] - (ends - lengths), lengths)
    return moved
