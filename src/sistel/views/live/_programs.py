"""Parts of programs."""

from __future__ import annotations

from collections.abc import Collection

from sistel.expr import Op, Program


def only(whole: Program, names: Collection[str]) -> Program:
    """The lines of a program that some of its outputs need."""
    results: list[int] = []
    outputs: list[tuple[str, int]] = []
    start = 0
    for name, size in whole.outputs:
        if name in names:
            outputs.append((name, size))
            results += whole.results[start : start + size]
        start += size
    needed = set(results)
    for i in range(len(whole) - 1, -1, -1):
        if i in needed and whole.operation[i] not in (Op.CONSTANT, Op.INPUT):
            needed |= {x for x in (whole.first[i], whole.second[i], whole.third[i]) if x >= 0}
    places = {old: new for new, old in enumerate(sorted(needed))}
    places[-1] = -1

    def moved(i: int, operand: int) -> int:
        return operand if whole.operation[i] in (Op.CONSTANT, Op.INPUT) else places[operand]

    kept = sorted(needed)
    return Program(
        inputs=whole.inputs,
        outputs=tuple(outputs),
        operation=tuple(whole.operation[i] for i in kept),
        first=tuple(moved(i, whole.first[i]) for i in kept),
        second=tuple(moved(i, whole.second[i]) for i in kept),
        third=tuple(moved(i, whole.third[i]) for i in kept),
        number=tuple(whole.number[i] for i in kept),
        results=tuple(places[i] for i in results),
    )
