"""Finite groups by their table of products: orders, classes, subgroups and how they contain each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import field
from typing import Generic, TypeVar

from sistel.records import entry

Element = TypeVar("Element", bound=Hashable)


@entry
class Group(Generic[Element]):
    """A finite group."""

    elements: tuple[Element, ...]
    unit: Element
    table: tuple[tuple[int, ...], ...]
    """Places of the products among the elements: first factor, second factor."""
    _places: dict[Element, int] = field(repr=False)

    @staticmethod
    def of(
        elements: Sequence[Element], unit: Element, product: Callable[[Element, Element], Element]
    ) -> Group[Element]:
        """The group of some elements with a product that stays among them."""
        places = {element: place for place, element in enumerate(elements)}
        table = tuple(tuple(places[product(a, b)] for b in elements) for a in elements)
        return Group(tuple(elements), unit, table, places)

    def __len__(self) -> int:
        return len(self.elements)

    def multiply(self, a: Element, b: Element) -> Element:
        """The product of two elements."""
        return self.elements[self.table[self._places[a]][self._places[b]]]

    def inverse(self, a: Element) -> Element:
        """The element whose product with this one is the unit."""
        row = self.table[self._places[a]]
        return self.elements[row.index(self._places[self.unit])]

    def powers(self, a: Element) -> tuple[Element, ...]:
        """The cyclic subgroup of an element: unit, a, a² and so on."""
        found = [self.unit]
        while (power := self.multiply(found[-1], a)) != self.unit:
            found.append(power)
        return tuple(found)

    def order(self, a: Element) -> int:
        """The smallest power of an element that is the unit."""
        return len(self.powers(a))

    def classes(self) -> tuple[tuple[Element, ...], ...]:
        """Classes of conjugate elements, in the order of the elements."""
        left = list(self.elements)
        found: list[tuple[Element, ...]] = []
        while left:
            a = left[0]
            orbit = {self.multiply(self.multiply(x, a), self.inverse(x)) for x in self.elements}
            found.append(tuple(each for each in self.elements if each in orbit))
            left = [each for each in left if each not in orbit]
        return tuple(found)

    def generated(self, generators: Iterable[Element]) -> frozenset[Element]:
        """The smallest subgroup that contains some elements."""
        made = self._closure(frozenset(self._places[each] for each in generators))
        return frozenset(self.elements[place] for place in made)

    def _closure(self, places: frozenset[int]) -> frozenset[int]:
        found = {self._places[self.unit]}
        ahead = set(found)
        while ahead:
            ahead = {self.table[a][b] for a in ahead for b in places} - found
            found |= ahead
        return frozenset(found)

    def subgroups(self) -> tuple[frozenset[Element], ...]:
        """All subgroups, the smallest first; equally large ones in the order of their elements."""
        unit = frozenset([self._places[self.unit]])
        found = {unit}
        ahead = [unit]
        while ahead:
            group = ahead.pop()
            for place in range(len(self.elements)):
                if place not in group:
                    larger = self._closure(group | {place})
                    if larger not in found:
                        found.add(larger)
                        ahead.append(larger)
        ordered = sorted(found, key=lambda group: (len(group), sorted(group)))
        return tuple(frozenset(self.elements[place] for place in group) for group in ordered)

    def lattice(self) -> tuple[tuple[int, int], ...]:
        """Which subgroups lie directly in which: pairs of places in `subgroups`, the smaller first."""
        groups = self.subgroups()
        below = {(a, b) for a, small in enumerate(groups) for b, large in enumerate(groups) if small < large}
        return tuple(
            sorted((a, b) for a, b in below if not any((a, c) in below and (c, b) in below for c in range(len(groups))))
        )

    def is_abelian(self, members: Iterable[Element] | None = None) -> bool:
        """Whether the order of factors does not matter, in the whole group or among some of its elements."""
        places = [self._places[each] for each in (self.elements if members is None else members)]
        return all(self.table[a][b] == self.table[b][a] for a in places for b in places)
