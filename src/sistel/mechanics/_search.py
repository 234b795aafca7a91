"""Which of several derivations takes the fewest operations, found with as few derivations as that needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any

from sistel.expr import IDENTITY, LIVE, Program, split_prologue
from sistel.kept import cached_property
from sistel.mechanics._frames import shareable_runs
from sistel.mechanics._linear import NoInertiaError
from sistel.mechanics._tree import Link, Tree

REDUCED = "reduced coordinates"
"""The formulation that expresses some velocities by the others: it has postures of its own in which it fails."""
COMPOSITE = "composite bodies"
ARTICULATED = "articulated bodies"
"""The two formulations of a tree: its mass matrix factorised, or the links one after another."""
LOOPED = "articulated bodies in loops"
"""The second one where loops close."""
CHEAP = 4_000
"""Weighted operations that are derived sooner than it is thought about whether they pay."""
SAMPLE = 24
"""Links of a large tree on which it is found out what a link costs."""
CLEAR = 1.25
"""How many times as much as another a formulation has to take at least before it is left out underived."""


@dataclass(frozen=True, eq=False)
class Variant:
    """One way of deriving a quantity; it is derived when its program is asked for."""

    shared: frozenset[int]
    """Hinges that share the axes of the link before them."""
    derive: Callable[[], Program]
    formulation: str = ""
    dynamics: Callable[..., Any] | None = None
    """What the motion of a structure was derived with, to derive other things with: see `structure_dynamics`."""

    @cached_property
    def program(self) -> Program:
        """The quantity."""
        return self.derive()

    @cached_property
    def cost(self) -> float:
        """Weighted operations; those on live parameters alone are done once and do not count."""
        if all(name != LIVE for name, _ in self.program.inputs):
            return self.program.count().weighted
        return split_prologue(self.program, (LIVE,))[1].count().weighted

    @property
    def price(self) -> float:
        """What variants are compared by: the cost, with a tenth more where something that may vanish is divided by."""
        return self.cost * (1.1 if self.formulation.endswith(REDUCED) else 1.0)


def cheapest(tried: Sequence[Variant], price: Callable[[Variant], float] = attrgetter("cost")) -> Variant:
    """The variant with the fewest weighted operations; where there is one alone, it need not be derived for that."""
    return min(tried, key=price) if len(tried) > 1 else tried[0]


def tree_variants(
    tree: Tree,
    formulated: Callable[[str, frozenset[int]], Variant],
    likely: Callable[[], Sequence[frozenset[int]]],
    sample: Callable[[Tree, frozenset[int]], Program],
) -> list[Variant]:
    """The formulations of the motion of a tree that may take the fewest operations.

    Articulated bodies take a number of operations for every link, which a part of the tree shows. What composite bodies
    take at least is known from the shape of the tree. Where that is clearly more, they are left out, and hinges share
    axes as is best for the part.

    Args:
        tree: The links.
        formulated: The motion in a formulation, with hinges that share axes.
        likely: Hinges that may share axes where both formulations are tried.
        sample: The motion of a part of the tree by articulated bodies.
    """
    least = dense_operations(tree)
    if least > CHEAP:
        best, links = _sampled(tree, sample)
        if least > CLEAR * best.cost * len(tree.links) / links:
            return [formulated(ARTICULATED, best.shared)]
    tried = likely()
    return [formulated(name, shared) for name in (COMPOSITE, ARTICULATED) for shared in tried]


def sampled_axes(tree: Tree, sample: Callable[[Tree, frozenset[int]], Program]) -> frozenset[int]:
    """Hinges that share axes in equations of a large tree by articulated bodies; `sample` as of `tree_variants`."""
    return _sampled(tree, sample)[0].shared


def _sampled(tree: Tree, sample: Callable[[Tree, frozenset[int]], Program]) -> tuple[Variant, int]:
    """The best variant of the first links of a tree, runs of parallel hinges sharing axes or not; how many links."""
    runs = frozenset(hinge for run in shareable_runs(tree) if len(run) > 1 for hinge in run)
    size = SAMPLE
    while True:
        links = tuple(
            replace(link, children=[child for child in link.children if child < size]) for link in tree.links[:size]
        )
        part = replace(tree, links=links)
        choices = dict.fromkeys((frozenset[int](), runs))
        try:
            return min(
                (Variant(shared, partial(sample, part, shared)) for shared in choices), key=attrgetter("cost")
            ), len(links)
        except NoInertiaError:
            # Some link at the end of the part has no mass, and carries one that has.
            if size >= len(tree.links):
                raise
            size += 1


def dense_operations(tree: Tree) -> int:
    """At least so many operations take the mass matrix of a tree and its factorisation.

    An entry takes two operations, and twelve more where two vectors have to be turned on the way to it, because axes
    are not parallel. What the elimination of one velocity does to an entry of two others that carry it takes two.
    Slides are not counted: between them entries may be constant.
    """
    carrying: list[int] = []
    """Velocities of every link and of those that carry it, without slides."""
    turned: list[int] = []
    """How many of its entries two vectors have to be turned for."""
    total = 0
    for link in tree.links:
        before, skew = (carrying[link.parent], turned[link.parent]) if link.parent >= 0 else (0, 0)
        own = {"turn": 1, "slide": 0, "ball": 3, "free": 6}[link.kind]
        total += sum(2 * count + count * (count + 1) for count in range(before, before + own)) + 12 * skew * own
        carrying.append(before + own)
        turned.append(skew + (link.R_PL != IDENTITY))
    return total


def search(tree: Tree, derive_with: Callable[[frozenset[int]], Program], formulation: str = "") -> list[Variant]:
    """Try runs of parallel axes one after another, whole and without their last hinge; keep what makes it cheaper.

    Runs hardly influence each other's cost, so one pass finds the best combination or one beside it. Runs that are
    alike are decided alike: the first of them is tried, and the others follow it.
    """
    best = Variant(frozenset(), partial(derive_with, frozenset()), formulation)
    tried = [best]
    decided: dict[object, int] = {}
    """For every kind of run, how many of its last hinges do not share axes; all for -1."""
    following: list[int] = []
    """Hinges of the runs that follow others."""
    for run in shareable_runs(tree):
        before, ordered = best, sorted(run)
        kind = _kind(tree, ordered)
        if kind in decided:
            left = decided[kind]
            following += ordered[: len(ordered) - left] if left >= 0 else ()
            continue
        decided[kind] = -1
        for left in (0, 1):
            part = ordered[: len(ordered) - left]
            if not part:
                continue
            shared = before.shared.union(part)
            variant = Variant(shared, partial(derive_with, shared), formulation)
            tried.append(variant)
            if variant.cost < best.cost:
                best, decided[kind] = variant, left
    if following:
        shared = best.shared.union(following)
        tried.append(Variant(shared, partial(derive_with, shared), formulation))
    return tried


def _kind(tree: Tree, run: Sequence[int]) -> object:
    """What the cost of sharing axes in a run depends on: the shapes of its links, and of those about it."""
    links = tree.links
    places = {index: place for place, index in enumerate(run)}
    members = tuple(
        (
            _shape(links[index]),
            places.get(links[index].parent),
            tuple(_shape(links[child]) for child in links[index].children if child not in places),
        )
        for index in run
    )
    above: list[object] = []
    at = links[run[0]].parent
    while at >= 0 and len(above) < _ABOVE:
        above.append(_shape(links[at]))
        at = links[at].parent
    return members, tuple(above)


_ABOVE = 3
"""Links before a run that are looked at: beyond so many, all components of a velocity are there."""


def _shape(link: Link) -> object:
    """Which numbers of a link are 0, and which are 1 or -1, where that changes the operations."""
    inertia = link.inertia
    signs = tuple(x if x in (0.0, 1.0, -1.0) else 2.0 for row in link.R_PL for x in row)
    zeros = tuple(x == 0.0 for x in (*link.p_PL, inertia.m, *inertia.s, *inertia.J, link.angle))
    return link.kind, link.sign, signs, zeros, inertia.J[0] == inertia.J[1]
