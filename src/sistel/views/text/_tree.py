"""The tree of bodies, drawn with box characters: lines that a terminal and a notebook show alike."""

from __future__ import annotations

from collections.abc import Iterator

from sistel.records import entry
from sistel.views.text._rows import BodyRow, Summary

DEEPEST = 16
"""Bodies further from the ground than this are not indented further; they name their base instead."""


@entry
class TreeLine:
    """One body of the drawing."""

    prefix: str
    """Box characters that lead to it."""
    body: BodyRow
    far: bool
    """Whether its base is to be named, because the drawing no longer shows it."""


def tree_lines(summary: Summary, deepest: int = DEEPEST) -> Iterator[TreeLine]:
    """The bodies below the ground, branch by branch."""
    children: dict[int, list[BodyRow]] = {}
    for body in summary.bodies:
        children.setdefault(body.base, []).append(body)
    # A stack rather than recursion: a chain may have ten thousand bodies.
    stack = [(body, 0, "", last) for body, last in _marked(children.get(0, []))]
    while stack:
        body, depth, indent, last = stack.pop()
        far = depth >= deepest
        yield TreeLine(f"{indent}{'⋮  ' if far else '└─ ' if last else '├─ '}", body, far)
        below = indent if far else indent + ("   " if last else "│  ")
        stack.extend((child, depth + 1, below, final) for child, final in _marked(children.get(body.number, [])))


def _marked(bodies: list[BodyRow]) -> list[tuple[BodyRow, bool]]:
    """The last one first, as a stack wants them, each with whether it is the last."""
    return [(body, index == 0) for index, body in enumerate(reversed(bodies))]
