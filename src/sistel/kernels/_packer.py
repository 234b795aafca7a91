"""Where limb lanes are found.

Starting from outputs of the same shape, their operands are paired, the operands of these, and so on down to what the
limbs share. Where the limbs come together again, a sum of a term from each is computed in lanes too, and its lanes are
added at the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

from sistel.expr import Op
from sistel.kernels._lanes import PACKED, Node, Pack, Packed, Tuple, columns_of, shapes_of, signs_of, term_shape
from sistel.kernels._sums import LONG_CHAIN, SUM, Line, Sums, Term, renumbered

FEW, LONG = 250, 1300
"""Operations of programs whose order matters: a processor sees all of a shorter one, and of a longer one only memory
counts."""


def find_packs(sums: Sums, lanes: int) -> Packed:
    """Find lines to compute in at most so many lanes, where that makes fewer instructions.

    The lines may change the order of their terms.
    """
    single = Packed(sums, (), tuple((-1, line) for line in range(len(sums.lines))), sums)
    if lanes < 2:
        return single
    packed = _Packer(sums, lanes).run()
    return packed if _cost(packed) < _cost(single) else _Packer(sums, lanes).ordered()


def _cost(packed: Packed) -> int:
    """Instructions, more or less."""
    lines = packed.sums.lines
    where = {x: i for i, pack in enumerate(packed.packs) for x in pack.lines}
    single, built = set(packed.sums.results), set[Tuple]()
    total = 0
    for pack, line in packed.steps:
        if pack < 0:
            single.update(lines[line].sources())
            total += max(1, len(lines[line].terms)) if lines[line].op in PACKED else 0
            continue
        columns = columns_of([lines[x] for x in packed.packs[pack].lines])
        total += max(1, len(lines[packed.packs[pack].lines[0]].terms))
        for column in columns:
            if column[0] in where and packed.packs[where[column[0]]].lines == column:
                continue
            if column not in built and any(lines[x].op != Op.CONSTANT for x in column):
                built.add(column)
                total += 1 if len(set(column)) == 1 else len(column)
                single.update(column)
    return total + sum(x in where for x in single)


class _Packer:
    def __init__(self, sums: Sums, lanes: int) -> None:
        self.sums = sums
        self.lines = list(sums.lines)
        self.lanes = lanes
        self.shapes = shapes_of(self.lines)
        self.position = [float(i) for i in range(len(self.lines))]
        self.packs: list[Tuple] = []
        self.where: dict[int, tuple[int, int]] = {}
        """Pack and lane of a line."""
        self.limbs = 0

    def run(self) -> Packed:
        for seed in self._outputs():
            self._expand(seed)
        for index in range(len(self.lines) - 1, -1, -1):
            if index not in self.where and self.lines[index].op == SUM:
                self._reduce(index)
        return self._finish()

    def ordered(self) -> Packed:
        """Lines that are computed one by one, in the best order."""
        return self._finish()

    # --- seeds -------------------------------------------------------------------------------------------------

    def _outputs(self) -> Iterator[Tuple]:
        """Outputs of one shape, as many as there are limbs."""
        places: dict[int, int] = {}
        for place, index in enumerate(self.sums.results):
            places.setdefault(index, place)
        classes: dict[int, list[int]] = defaultdict(list)
        for index in places:
            if self.lines[index].op in PACKED:
                classes[self.shapes[index]].append(index)
        sizes = Counter(len(members) for members in classes.values() if 1 < len(members) <= self.lanes)
        if not sizes:
            return
        limbs = self.limbs = max(sizes, key=lambda size: (sizes[size] * size, size))
        steps = {
            tuple(places[x] - places[members[0]] for x in members)
            for members in classes.values()
            if len(members) == limbs
        }
        # Where limbs have several outputs of one shape, the distances of the unambiguous ones tell which go together.
        for members in classes.values():
            at = {places[x]: x for x in members}
            for start in sorted(at):
                for step in sorted(steps):
                    chosen = [at.get(start + further, -1) for further in step]
                    if all(x >= 0 for x in chosen):
                        yield tuple(chosen)
                        for further in step:
                            at.pop(start + further)
                        break

    def _expand(self, seed: Tuple) -> None:
        waiting = [seed]
        while waiting:
            chosen = waiting.pop()
            if len(set(chosen)) < len(chosen) or any(x in self.where for x in chosen):
                continue
            if len({self.shapes[x] for x in chosen}) > 1 or self.lines[chosen[0]].op not in PACKED:
                continue
            pack = len(self.packs)
            self.packs.append(chosen)
            self.where.update({x: (pack, lane) for lane, x in enumerate(chosen)})
            waiting += self._paired(chosen)

    def _paired(self, chosen: Tuple) -> list[Tuple]:
        """Operands of the lines of a pack, one a lane; orders terms and factors of all lanes as in the first."""
        first = self.lines[chosen[0]]
        if first.op == SUM:
            for lane in range(1, len(chosen)):
                self._align_terms(chosen[0], chosen[lane])
        elif first.op == Op.MULTIPLY:
            for x in chosen[1:]:
                self.lines[x] = Line(Op.MULTIPLY, self._orient(first.operands, self.lines[x].operands))
        return columns_of([self.lines[x] for x in chosen])

    def _align_terms(self, model: int, other: int) -> None:
        left: dict[tuple[int, int], list[Term]] = defaultdict(list)
        for term in self.lines[other].terms:
            left[term_shape(term, self.shapes)].append(term)
        terms = []
        for term in self.lines[model].terms:
            candidates = left[term_shape(term, self.shapes)]
            best = max(candidates, key=lambda each: self._likeness(term, each))  # the first of equals
            candidates.remove(best)
            a, b = self._orient((term.a, term.b), (best.a, best.b)) if term.b >= 0 else (best.a, -1)
            terms.append(Term(best.sign, a, b))
        line = self.lines[other]
        self.lines[other] = Line(SUM, line.operands, tuple(terms))

    def _likeness(self, term: Term, other: Term) -> int:
        if term.b < 0:
            return self._match(term.a, other.a)
        straight = self._match(term.a, other.a) + self._match(term.b, other.b)
        return max(straight, self._match(term.a, other.b) + self._match(term.b, other.a))

    def _orient(self, model: Tuple, other: Tuple) -> tuple[int, int]:
        (a, b), (x, y) = model, other
        if self.shapes[a] != self.shapes[b]:
            return (x, y) if self.shapes[x] == self.shapes[a] else (y, x)
        straight, crossed = self._match(a, x) + self._match(b, y), self._match(a, y) + self._match(b, x)
        return (y, x) if crossed > straight else (x, y)

    def _match(self, a: int, b: int) -> int:
        """Whether two operands are known to belong together."""
        if a == b:
            return 1
        return int(a in self.where and b in self.where and self.where[a][0] == self.where[b][0])

    # --- where limbs come together -----------------------------------------------------------------------------

    def _reduce(self, index: int) -> None:
        """Add the terms of each limb by themselves, in lanes."""
        self._meet(index)
        groups: dict[tuple[int, ...], dict[int, Term]] = defaultdict(dict)
        for term in self.lines[index].terms:
            factors = [x for x in (term.a, term.b) if x >= 0]
            places = [self.where[x] for x in factors if x in self.where]
            if places and len({lane for _, lane in places}) == 1:
                shared = (x for x in factors if x not in self.where and self.lines[x].op != Op.CONSTANT)
                key = (*sorted(pack for pack, _ in places), -1, *shared, -1, len(factors))
                groups[key].setdefault(places[0][1], term)
        whole: dict[int, list[dict[int, Term]]] = defaultdict(list)
        for key, group in groups.items():
            lanes = len(self.packs[key[0]])
            if len(group) == lanes:
                whole[lanes].append(group)
        for lanes, complete in whole.items():
            if len(complete) > 1 or complete[0][0].b >= 0:
                self._split(index, lanes, complete)

    def _meet(self, index: int) -> None:
        """Pack the factors of a sum that come from all limbs alike."""
        factors: dict[int, dict[int, int]] = defaultdict(dict)
        for x in self.lines[index].sources():
            lane = self._lane(x) if x not in self.where and self.lines[x].op in PACKED else None
            if lane is not None:
                factors[self.shapes[x]].setdefault(lane, x)
        for group in factors.values():
            if len(group) == self.limbs and set(group) == set(range(self.limbs)):
                self._expand(tuple(group[lane] for lane in range(self.limbs)))

    def _lane(self, index: int) -> int | None:
        """The only lane that a line's operands belong to."""
        lanes: set[int] = set()
        waiting, seen = [index], {index}
        while waiting:
            for x in self.lines[waiting.pop()].sources():
                if x in self.where:
                    lanes.add(self.where[x][1])
                elif x not in seen and self.lines[x].op in PACKED:
                    seen.add(x)
                    waiting.append(x)
            if len(lanes) > 1 or len(seen) > 50:
                return None
        return lanes.pop() if lanes else None

    def _split(self, index: int, lanes: int, groups: list[dict[int, Term]]) -> None:
        rest = list(self.lines[index].terms)
        for group in groups:
            for term in group.values():
                rest.remove(term)
        parts = []
        for lane in range(lanes):
            terms = tuple(group[lane] for group in groups)
            parts.append(len(self.lines))
            self.lines.append(Line(SUM, terms=terms))
            self.position.append(self.position[index] - 0.5)
            self.shapes.append(-1)
        self.lines[index] = Line(SUM, terms=(*rest, *(Term(1, part, -1) for part in parts)))
        pack = len(self.packs)
        self.packs.append(tuple(parts))
        self.where.update({x: (pack, lane) for lane, x in enumerate(parts)})
        self._paired(tuple(parts))

    # --- order and signs ---------------------------------------------------------------------------------------

    def _finish(self) -> Packed:
        nodes = self._order()
        sums, number = self._arranged([x for pack, line in nodes for x in (self.packs[pack] if pack >= 0 else (line,))])
        steps = tuple((pack, line if pack >= 0 else number[line]) for pack, line in nodes)
        packs = [tuple(number[x] for x in pack) for pack in self.packs]
        signs = signs_of(sums, packs, [pack for pack, _ in steps if pack >= 0])
        plain, _ = self._arranged(sorted(range(len(self.lines)), key=self.position.__getitem__))
        return Packed(sums, tuple(map(Pack, packs, signs)), steps, plain)

    def _arranged(self, order: Sequence[int]) -> tuple[Sums, dict[int, int]]:
        """The lines in another order, and their new numbers."""
        number = {-1: -1} | {line: i for i, line in enumerate(order)}
        lines = [renumbered(self.lines[x], number) for x in order]
        results = tuple(number[x] for x in self.sums.results)
        return Sums(self.sums.inputs, self.sums.outputs, lines, results, self.sums.signs), number

    def _order(self) -> list[Node]:
        """Packs and single lines, operands first.

        Packs stay in the order of their recursion, and so do all lines of programs that are long or have long sums.
        Others are written depth first, what takes longest before the rest: what is computed is soon used, and nothing
        is waited for at the end.
        """
        needs: dict[Node, dict[Node, None]] = {}
        for x, line in enumerate(self.lines):
            needs.setdefault(self._node(x), {}).update(dict.fromkeys(self._node(y) for y in line.sources()))
        order = self._in_place(needs)
        work = sum(max(1, len(self.lines[line if pack < 0 else self.packs[pack][0]].terms)) for pack, line in order)
        ordered = self.packs or not FEW <= work <= LONG or self.sums.chain() == LONG_CHAIN
        return order if ordered else self._depth_first(needs, order)

    def _node(self, line: int) -> Node:
        return (self.where[line][0], -1) if line in self.where else (-1, line)

    def _in_place(self, needs: Mapping[Node, Mapping[Node, None]]) -> list[Node]:
        """As the lines stand in the program; a pack stands where the last of its lines does."""
        users: dict[Node, list[Node]] = defaultdict(list)
        for node, sources in needs.items():
            for source in sources:
                users[source].append(node)

        def place(node: Node) -> tuple[float, Node]:
            return max(self.position[x] for x in (self.packs[node[0]] if node[0] >= 0 else (node[1],))), node

        missing = {node: len(sources) for node, sources in needs.items()}
        ready = [place(node) for node, count in missing.items() if not count]
        heapify(ready)
        order = []
        while ready:
            _, node = heappop(ready)
            order.append(node)
            for user in users[node]:
                missing[user] -= 1
                if not missing[user]:
                    heappush(ready, place(user))
        assert len(order) == len(needs)
        return order

    def _depth_first(self, needs: Mapping[Node, Mapping[Node, None]], places: Sequence[Node]) -> list[Node]:
        """Outputs and operands that are far from the inputs come first."""
        place = {node: i for i, node in enumerate(places)}
        height: dict[Node, int] = {}
        for node in places:
            height[node] = 1 + max((height[source] for source in needs[node]), default=0)
        order: dict[Node, None] = {}
        for result in sorted(map(self._node, self.sums.results), key=lambda node: -height[node]):
            waiting = [(result, False)]
            while waiting:
                node, complete = waiting.pop()
                if complete:
                    order.setdefault(node)
                elif node not in order:
                    waiting.append((node, True))
                    # The last of these is written first.
                    sources = sorted(needs[node], key=lambda source: (height[source], -place[source]))
                    waiting += [(source, False) for source in sources if source not in order]
        return list(order)
