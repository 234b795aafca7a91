"""Things in an order in which each comes after what it needs, however long the chains are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sistel.markup import Name, walk_expression
from sistel.model._control import Signal


def in_order(roots: Iterable[str], needs: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """All that some names need, then these; in a circle, what is met first comes last.

    Args:
        roots: The names.
        needs: What a name needs, directly.
    """
    seen: set[str] = set()
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(needs(root)))]
        while stack:
            name, rest = stack[-1]
            following = next((each for each in rest if each not in seen), None)
            if following is None:
                stack.pop()
                yield name
            else:
                seen.add(following)
                stack.append((following, iter(needs(following))))


def signals_in_order(
    signals: Mapping[str, Signal], inner: Mapping[str, Signal], items: Sequence[str]
) -> tuple[Signal, ...]:
    """The signals of a scheme in an order in which each has what it needs; loops have been refused.

    Otherwise they stand as their items do, wherever among them behaviours are written: what these make themselves,
    `inner`, comes first, and outputs of theirs that no item needs come last.
    """
    places = {name: number for number, name in enumerate(items)}

    def place(name: str) -> tuple[int, str]:
        if name in inner:
            return -1, ""
        number = places.get(name, places.get(name.split(".")[0]))
        return (len(items), name) if number is None else (number, "")

    def needs(name: str) -> Iterator[str]:
        named = (node.name for node in walk_expression(signals[name].value) if isinstance(node, Name))
        return (each for each in named if each in signals)

    return tuple(signals[name] for name in in_order(sorted(signals, key=place), needs))
