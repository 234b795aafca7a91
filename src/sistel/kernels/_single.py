"""The function for single states: scalars, with lines of one shape in the lanes of vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from sistel.expr import Op
from sistel.kernels._packer import find_packs
from sistel.kernels._sincos import write_sincos
from sistel.kernels._sums import SUM, sums_of
from sistel.kernels._values import Summand, Values, write_sum
from sistel.kernels._writer import Writer

if TYPE_CHECKING:
    from sistel.expr import Program

Tuple = tuple[int, ...]
T = TypeVar("T")

SHORT: Final = 600
"""Operations of a program for which a loop around a single row costs more than it saves."""

LONG, MANY = 2500, 4
"""Operations of a program, and vectors of sines in it, from which on these are taken in a loop: a long program waits
for its instructions to be fetched."""

ZEROS: Final = 16
"""Outputs in a row that are always zero, from which on memory is cleared at once."""

SINES: Final = "sines"
"""The function that has this loop."""


def write_single(program: Program, name: str, kind: str, lanes: int) -> tuple[str, Writer, set[int]]:
    """The text of the function, its writer, and the widths in which it takes sines."""
    return _Single(program, name, kind, lanes).text()


class _Single:
    def __init__(self, program: Program, name: str, kind: str, lanes: int) -> None:
        self.name = name
        self.lanes = lanes
        packed = find_packs(sums_of(program), lanes)
        self.packed = packed
        self.sums = packed.sums
        self.lines = packed.sums.lines
        self.blocks = ("in", packed.sums.inputs), ("out", packed.sums.outputs)
        self.w = Writer(1, kind)
        self.scalars = Values(self.w, self.sums, self._fetch)
        self.vectors: dict[tuple[Tuple, Tuple], str] = {}
        """Vectors of lines with signs, by both."""
        self.where = {x: (i, lane) for i, pack in enumerate(packed.packs) for lane, x in enumerate(pack.lines)}
        self.written: set[int] = set()
        self.sines: dict[Tuple, tuple[str, str]] = {}
        self.widths: set[int] = set()
        self.looped = False
        """Whether sines are taken in a loop."""

    def text(self) -> tuple[str, Writer, set[int]]:
        w = self.w
        blocks = [f"{way}{i}" for way, sizes in self.blocks for i in range(len(sizes))]
        for i, block in enumerate(blocks):
            for part, kind, offset in (("base", "ptr", 2 * i), ("stride", "i64", 2 * i + 1)):
                w.line(f"%{block}.{part}.at = getelementptr i64, ptr %arguments, i64 {offset}")
                w.line(f"%{block}.{part} = load {kind}, ptr %{block}.{part}.at, align 8")
        short = self.packed.work() <= SHORT
        if short:
            w.line("%i = add i64 %begin, 0")
        else:
            w.line("br label %head")
            w.label("head")
            # The value of %i on the way back is known by name only: the body ends in a block of its own.
            w.line("%i = phi i64 [ %begin, %entry ], [ %next, %tail ]")
            w.line("%more = icmp slt i64 %i, %end")
            w.line("br i1 %more, label %body, label %done")
            w.label("body")
        for block in blocks:
            w.line(f"%{block}.shift = mul i64 %i, %{block}.stride")
            w.line(f"%{block}.at = getelementptr i8, ptr %{block}.base, i64 %{block}.shift")
        self._body()
        if short:
            # The next row is another call in place of this one: no loop that constants are loaded and kept for.
            w.line("%next = add i64 %i, 1")
            w.line("%more = icmp slt i64 %next, %end")
            w.line("br i1 %more, label %again, label %done")
            w.label("again")
            w.line(f"musttail call void @{self.name}(i64 %next, i64 %end, ptr %arguments)")
            w.line("ret void")
        else:
            w.line("br label %tail")
            w.label("tail")
            w.line("%next = add i64 %i, 1")
            w.line("br label %head")
        w.label("done")
        w.line("ret void")
        head = f"define void @{self.name}(i64 %begin, i64 %end, ptr noalias nocapture readonly %arguments) #0 {{"
        widths = self.widths | ({1} if self.scalars.angles else set())
        text = "\n".join([head, "entry:", *w.lines, "}"])
        return text + _sines_function(w.of_width(self.lanes)) if self.looped else text, w, widths

    def _body(self) -> None:
        targets: dict[int, list[int]] = {}
        for place, line in enumerate(self.sums.results):
            targets.setdefault(line, []).append(place)
        self._constants()
        self._early_sines()
        for pack, line in self.packed.steps:
            if pack >= 0:
                self._pack(pack)
            elif self.lines[line].op not in (Op.INPUT, Op.CONSTANT):
                self.scalars.write(line)
            if pack >= 0:
                self._send_pack(pack, targets)
            elif self.lines[line].op != Op.CONSTANT:
                for place in targets.get(line, ()):
                    value = self.scalars.number(line)
                    self._store(place, value if self.sums.signs[place] > 0 else self.w.negate(value), 1)

    def _send_pack(self, number: int, targets: dict[int, list[int]]) -> None:
        """Store the lanes of a pack that are outputs, their signs changed all at once."""
        pack = self.packed.packs[number]
        w = self.w.of_width(_width(pack.lines))
        wanted = tuple(
            self.sums.signs[targets[x][0]] if x in targets else sign
            for x, sign in zip(pack.lines, pack.signs, strict=True)
        )
        for lane, x in enumerate(pack.lines):
            if x in targets:
                value = w.extract(self._vector(pack.lines, wanted), lane)
                for place in targets[x]:
                    same = self.sums.signs[place] == wanted[lane]
                    self._store(place, value if same else self.w.negate(value), 1)

    def _constants(self) -> None:
        """Outputs that are always the same, as many as fit into a vector at a time."""
        place = 0
        for _, size in self.sums.outputs:
            run: list[float] = []
            for i in range(place, place + size + 1):
                line = self.lines[self.sums.results[i]] if i < place + size else None
                if line is not None and line.op == Op.CONSTANT:
                    run.append(line.number * self.sums.signs[i])
                    continue
                at = i - len(run)
                if len(run) >= ZEROS and all(str(number) == "0.0" for number in run):
                    self._zeros(at, len(run))
                    run = []
                while run:
                    count = min(self.lanes, 1 << (len(run).bit_length() - 1))
                    w = self.w.of_width(count)
                    self._store(at, w.constants(run[:count]) if count > 1 else w.constant(run[0]), count)
                    at, run = at + count, run[count:]
            place += size

    def _zeros(self, place: int, count: int) -> None:
        """Many outputs that are always zero, as those of a sparse matrix, in one instruction."""
        w = self.w
        w.declarations.add("declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg)")
        size = count * w.of_width(1).bytes
        w.line(f"call void @llvm.memset.p0.i64(ptr {self._target(place)}, i8 0, i64 {size}, i1 false)")

    def _target(self, place: int) -> str:
        """Where an output goes."""
        block = 0
        while place >= self.sums.outputs[block][1]:
            place -= self.sums.outputs[block][1]
            block += 1
        return self._at(f"%out{block}.at", place)

    def _store(self, place: int, value: str, width: int) -> None:
        w = self.w.of_width(width)
        w.line(f"store {w.number} {value}, ptr {self._target(place)}, align {w.bytes}")

    def _at(self, base: str, place: int) -> str:
        return self.w.value(f"getelementptr {self.w.kind}, ptr {base}, i64 {place}")

    # --- scalars -----------------------------------------------------------------------------------------------

    def _fetch(self, index: int) -> str | None:
        """An input, or a lane of a pack."""
        w, line = self.w, self.lines[index]
        if line.op == Op.INPUT:
            block, place = line.operands
            return w.value(f"load {w.kind}, ptr {self._at(f'%in{block}.at', place)}, align {w.bytes}")
        if line.op in (Op.SIN, Op.COS) and (line.operands[0],) in self.sines:
            return self.sines[line.operands[0],][0 if line.op == Op.SIN else 1]
        if index not in self.where:
            return None
        number, lane = self.where[index]
        pack = self.packed.packs[number]
        self._pack(number)
        vector = self.vectors[pack.lines, pack.signs]
        scalar = w.of_width(_width(pack.lines)).extract(vector, lane)
        return w.negate(scalar) if pack.signs[lane] < 0 else scalar

    # --- packs -------------------------------------------------------------------------------------------------

    def _pack(self, number: int) -> None:
        """Write the instructions of a pack, unless it is there already."""
        pack = self.packed.packs[number]
        if number in self.written:
            return
        self.written.add(number)
        w = self.w.of_width(_width(pack.lines))
        lines = [self.lines[x] for x in pack.lines]
        op = lines[0].op
        if op == SUM:
            vector = self._sum(number)
        elif op in (Op.SIN, Op.COS):
            angle = tuple(line.operands[0] for line in lines)
            wanted = pack.signs if op == Op.SIN else (1,) * len(lines)
            if angle not in self.sines:
                known = self.packed.packs[self.where[angle[0]][0]].signs if angle[0] in self.where else None
                taken = known if known is not None and (angle, known) in self.vectors else (1,) * len(lines)
                sine, cosine = write_sincos(w, self._vector(angle, taken))
                self.widths.add(w.width)
                self.sines[angle] = (sine, cosine)
                self.vectors[self._lines_like(angle, Op.SIN), taken] = sine
            vector = self.sines[angle][1] if op == Op.COS else self._vector(pack.lines, wanted)
        else:
            plain = (1,) * len(lines)
            operands = [tuple(line.operands[k] for line in lines) for k in range(len(lines[0].operands))]
            if op == Op.SQRT:
                vector = w.intrinsic("sqrt", self._vector(operands[0], plain))
            else:
                names = [self._vector(operand, self._own(operand)) for operand in operands]
                vector = w.multiply(*names) if op == Op.MULTIPLY else w.divide(*names)
        self.vectors[pack.lines, pack.signs] = vector

    def _lines_like(self, angle: Tuple, op: Op) -> Tuple:
        """The pack of the sines of these angles; the angles themselves where there is none."""
        for pack in self.packed.packs:
            if self.lines[pack.lines[0]].op == op and tuple(self.lines[x].operands[0] for x in pack.lines) == angle:
                return pack.lines
        return (-1, *angle)

    def _own(self, lines: Tuple) -> Tuple:
        """The signs with which a pack is there."""
        if lines[0] in self.where:
            pack = self.packed.packs[self.where[lines[0]][0]]
            if pack.lines == lines:
                return pack.signs
        return (1,) * len(lines)

    def _sum(self, number: int) -> str:
        pack = self.packed.packs[number]
        summands = []
        for terms in zip(*(self.lines[x].terms for x in pack.lines), strict=True):
            a = tuple(t.a for t in terms)
            b = tuple(t.b for t in terms) if terms[0].b >= 0 else ()
            wanted = tuple(t.sign * sign for t, sign in zip(terms, pack.signs, strict=True))
            summands.append(self._summand(a, b, wanted))
        return write_sum(self.w.of_width(_width(pack.lines)), summands, self.scalars.chain)

    def _summand(self, a: Tuple, b: Tuple, wanted: Tuple) -> Summand:
        """A term whose lanes have wanted signs, one of its factors turned where need be."""
        signs = [self._own(a), self._own(b)] if b else [self._own(a)]
        have = [1] * len(a)
        for sign in signs:
            have = [x * y for x, y in zip(have, sign, strict=True)]
        change = tuple(x * y for x, y in zip(wanted, have, strict=True))
        uniform, change = change[0], tuple(x * change[0] for x in change)
        if -1 in change:
            turned = [tuple(x * y for x, y in zip(sign, change, strict=True)) for sign in signs]
            # Constants take any signs; otherwise a factor that was turned before is turned already.
            k = min(
                range(len(signs)),
                key=lambda i: (not self._constant((a, b)[i]), ((a, b)[i], turned[i]) not in self.vectors),
            )
            signs[k] = turned[k]
        return Summand(uniform, self._vector(a, signs[0]), self._vector(b, signs[1]) if b else "")

    def _constant(self, lines: Tuple) -> bool:
        return all(self.lines[x].op == Op.CONSTANT for x in lines)

    def _vector(self, lines: Tuple, signs: Tuple) -> str:
        """A vector with the values of lines, times signs."""
        key = lines, signs
        if key not in self.vectors:
            own = self._own(lines)
            if self._constant(lines):
                numbers = [self.lines[x].number * sign for x, sign in zip(lines, signs, strict=True)]
                return self.w.of_width(_width(lines)).constants(_padded(numbers))
            if signs == own:
                self.vectors[key] = self._build(lines)
            else:
                change = [x * y for x, y in zip(signs, own, strict=True)]
                self.vectors[key] = self._turned(self._vector(lines, own), change)
        return self.vectors[key]

    def _turned(self, vector: str, signs: list[int]) -> str:
        w = self.w.of_width(_width(signs))
        if all(sign < 0 for sign in signs):
            return w.negate(vector)
        top = 1 << (w.size - 1)
        mask = ", ".join(f"i{w.size} {-top if sign < 0 else 0}" for sign in _padded(signs))
        raw = w.value(f"bitcast {w.number} {vector} to {w.integer}")
        turned = w.value(f"xor {w.integer} {raw}, <{mask}>")
        return w.value(f"bitcast {w.integer} {turned} to {w.number}")

    def _build(self, lines: Tuple) -> str:
        """A vector of values that are not computed in lanes."""
        w = self.w.of_width(_width(lines))
        if len(set(lines)) == 1:
            return w.broadcast(self.scalars.number(lines[0]))
        first = self.lines[lines[0]]
        if first.op == Op.INPUT and len(lines) == w.width:
            block, place = first.operands
            if all(
                self.lines[x].op == Op.INPUT and self.lines[x].operands == (block, place + i)
                for i, x in enumerate(lines)
            ):
                return w.value(f"load {w.number}, ptr {self._at(f'%in{block}.at', place)}, align {w.bytes}")
        return w.gather(_padded([self.scalars.number(x) for x in lines]))

    # --- sines -------------------------------------------------------------------------------------------------

    def _early_sines(self) -> None:
        """Sines and cosines of angles that need none themselves, as many as fit into vectors at a time."""
        early = self._early()
        groups: dict[Tuple, None] = {}
        for pack, line in self.packed.steps:
            lines = self.packed.packs[pack].lines if pack >= 0 else (line,)
            if self.lines[lines[0]].op in (Op.SIN, Op.COS) and all(early[self.lines[x].operands[0]] for x in lines):
                groups[tuple(self.lines[x].operands[0] for x in lines)] = None
        chunks = _chunks(list(groups), self.lanes)
        if self.lanes > 1 and len(chunks) >= MANY and self.packed.work() >= LONG:
            self._looped_sines([group for chunk in chunks for group in chunk])
            return
        for chunk in chunks:
            self._sines_of(chunk)

    def _early(self) -> list[bool]:
        early: list[bool] = []
        for line in self.lines:
            simple = line.op in (SUM, Op.MULTIPLY, Op.INPUT, Op.CONSTANT)
            early.append(simple and all(early[x] for x in line.sources()))
        return early

    def _sines_of(self, chunk: list[Tuple]) -> None:
        angles = tuple(x for group in chunk for x in group)
        # A scalar's bits would travel through general registers: two lanes are quicker than one.
        width = max(_width(angles), min(2, self.lanes))
        w = self.w.of_width(width)
        if len(chunk) == 1 and len(angles) > 1 and angles[0] in self.where:
            return  # computed in lanes, in its turn
        pad = angles + (angles[0],) * (width - len(angles))
        vector = self._build(pad) if len(angles) > 1 else w.broadcast(self.scalars.number(angles[0]))
        pair = write_sincos(w, vector)
        self.widths.add(width)
        at = 0
        for group in chunk:
            self.sines[group] = (self._part(pair[0], width, at, group), self._part(pair[1], width, at, group))
            if len(group) > 1:
                self.vectors[self._lines_like(group, Op.SIN), (1,) * len(group)] = self.sines[group][0]
            at += len(group)

    def _looped_sines(self, groups: list[Tuple]) -> None:
        """Sines and cosines of many angles: a loop over arrays, whose instructions are there only once."""
        w, lanes = self.w, self.lanes
        count = -(-sum(map(len, groups)) // lanes) * lanes
        # A group of three is read as four.
        arrays = [f"%{name} = alloca [{count + lanes} x {w.kind}], align 64" for name in ("angles", "sines", "cosines")]
        w.lines[:0] = [f"  {array}" for array in arrays]
        at = 0
        for group in groups:
            self._store_angles(group, at)
            at += len(group)
        for spare in range(at, count):
            w.line(f"store {w.kind} {w.constant(0.0)}, ptr {self._at('%angles', spare)}, align {w.bytes}")
        w.line(f"call void @{SINES}(ptr %angles, ptr %sines, ptr %cosines, i64 {count})")
        self.looped = True
        self.widths.add(lanes)
        at = 0
        for group in groups:
            self._load_sines(group, at)
            at += len(group)

    def _store_angles(self, group: Tuple, at: int) -> None:
        w = self.w
        if len(group) > 1 and _width(group) == len(group) and group[0] in self.where:
            wide = w.of_width(len(group))
            vector = self._vector(group, (1,) * len(group))
            w.line(f"store {wide.number} {vector}, ptr {self._at('%angles', at)}, align {w.bytes}")
            return
        for i, x in enumerate(group):
            w.line(f"store {w.kind} {self.scalars.number(x)}, ptr {self._at('%angles', at + i)}, align {w.bytes}")

    def _load_sines(self, group: Tuple, at: int) -> None:
        w = self.w.of_width(_width(group))
        sine, cosine = (
            w.value(f"load {w.number}, ptr {self._at(array, at)}, align {w.bytes}") for array in ("%sines", "%cosines")
        )
        self.sines[group] = sine, cosine
        if len(group) > 1:
            lines = self._lines_like(group, Op.SIN)
            self.vectors[lines, (1,) * len(group)] = sine
            own = self._own(lines)
            if -1 in own:
                self.vectors[lines, own] = self._turned(sine, list(own))

    def _part(self, vector: str, width: int, start: int, group: Tuple) -> str:
        w = self.w.of_width(width)
        if width == 1 or len(group) == width:
            return vector
        if len(group) == 1:
            return w.extract(vector, start)
        lanes = [start + i if i < len(group) else start for i in range(_width(group))]
        return w.shuffle(vector, "undef", lanes)


def _sines_function(like: Writer) -> str:
    """The loop over angles, as a function of its own."""
    w = Writer(like.width, like.kind)
    w.line("br label %head")
    w.label("head")
    w.line("%i = phi i64 [ 0, %entry ], [ %next, %tail ]")
    places = [w.value(f"getelementptr {w.kind}, ptr %{name}, i64 %i") for name in ("angles", "sines", "cosines")]
    angles = w.value(f"load {w.number}, ptr {places[0]}, align {w.bytes}")
    for place, found in zip(places[1:], write_sincos(w, angles), strict=True):
        w.line(f"store {w.number} {found}, ptr {place}, align {w.bytes}")
    w.line("br label %tail")
    w.label("tail")
    w.line(f"%next = add i64 %i, {w.width}")
    w.line("%more = icmp slt i64 %next, %count")
    w.line("br i1 %more, label %head, label %done")
    w.label("done")
    w.line("ret void")
    like.declarations |= w.declarations
    pointers = ", ".join(f"ptr noalias nocapture %{name}" for name in ("angles", "sines", "cosines"))
    head = f"define internal void @{SINES}({pointers}, i64 %count) noinline #0 {{"
    return "\n".join(["", head, "entry:", *w.lines, "}"])


def _width(lanes: Sequence[object]) -> int:
    """Lanes of the vector that holds so many: a power of two."""
    return 1 << (len(lanes) - 1).bit_length()


def _padded(values: Sequence[T]) -> list[T]:
    """As many values as the vector has lanes."""
    return [*values, *[values[0]] * (_width(values) - len(values))]


def _chunks(groups: list[Tuple], lanes: int) -> list[list[Tuple]]:
    """Groups of angles together in vectors: large ones first, small ones where there is room."""
    chunks: list[list[Tuple]] = []
    for group in sorted(groups, key=len, reverse=True):
        for chunk in chunks:
            # Parts begin where a part of their size may begin, so that they are cheap to take out.
            used = sum(map(len, chunk))
            if used + len(group) <= lanes and used % _width(group) == 0:
                chunk.append(group)
                break
        else:
            chunks.append([group])
    return chunks
