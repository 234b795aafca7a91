"""Things in an order in which each comes after what it needs, however long the chains are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


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
