"""One state of a looped kernel, called from Python without any Python in between; see `_fastcall`.

The code is shared by all systems, so what belongs to one of them comes with the function's ``self``: a tuple of the
general function and of an array with the numbers of the table. The interpreter's lock is held meanwhile, hence the
memory to work in, whose address is in the table too, has no other user. Where a coordinate moves no mass the general
function is called, which says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from sistel.kernels import _fastcall
from sistel.kernels._writer import Writer


def write_loops_call(function: str, table: Sequence[str], inputs: Sequence[str], flagged: bool) -> str:
    """The text of `@context` and of the function `call`, to stand beside the scalar function.

    Args:
        function: The scalar function.
        table: What is in the table; of it, sizes of the blocks and the address of the memory are read here.
        inputs: Names of the input blocks.
        flagged: Whether the function tells rows in which a coordinate moves no mass.
    """
    return _Call(function, list(table), list(inputs), flagged).text()


class _Call(_fastcall._Wrapper):
    def __init__(self, function: str, table: list[str], inputs: list[str], flagged: bool) -> None:
        self.function, self.table, self.names, self.flagged = function, table, inputs, flagged
        self.w = Writer(1)

    def text(self) -> str:
        w, blocks = self.w, len(self.names) + 1
        w.line(f"%table = alloca [{2 * blocks} x i64], align 8")
        w.line("%length = alloca i64, align 8")
        for i in range(blocks):  # distances between rows, of which there is one
            w.line(f"store i64 0, ptr {w.value(f'getelementptr i64, ptr %table, i64 {2 * i + 1}')}, align 8")
        general, numbers = (w.value(f"call ptr {self._entry('get_item')}(ptr %self, i64 {i})") for i in range(2))
        data = self._field(numbers, _fastcall.DATA, "ptr")
        self.work = self._field(data, 8 * self.table.index("work"), "ptr")
        self.data = data
        self._require(w.value(f"icmp eq i64 %count, {len(self.names)}"))
        ends: list[tuple[str, str]] = []
        for i, name in enumerate(self.names):
            size = self._field(data, 8 * self.table.index(f"size.{name}"), "i64")
            first = self._block(self._argument(i), size, _fastcall._ALIGNED)
            self._put(i, first)
            ends.append((first, w.value(f"getelementptr double, ptr {first}, i64 {size}")))
        self.size = self._field(data, 8 * self.table.index("size"), "i64")
        given, fresh = w.name("given"), w.name("fresh")
        bare = w.value("icmp eq ptr %words, null")
        w.line(f"br i1 {bare}, label %{fresh}, label %{given}")
        w.label(given)
        self._into_given(ends)
        w.label(fresh)
        self._into_fresh()
        w.label("slow")
        result = w.value(f"call ptr {self._entry('vectorcall')}(ptr {general}, ptr %arguments, i64 %count, ptr %words)")
        w.line(f"ret ptr {result}")
        head = f"define ptr @{_fastcall.CALL}(ptr %self, ptr %arguments, i64 %count, ptr %words) nounwind {{"
        context = f"@{_fastcall.CONTEXT} = global [{len(_fastcall._TABLE)} x i64] zeroinitializer, align 8"
        return "\n".join([context, head, "entry:", *w.lines, "}", ""])

    def _block(self, array: str, size: str, flags: int) -> str:
        """Require a plain float64 vector of a size known at the call; returns the address of its numbers."""
        w = self.w
        self._require(w.value(f"icmp eq ptr {self._field(array, 8, 'ptr')}, {self._entry('array_type')}"))
        self._require(w.value(f"icmp eq i32 {self._field(array, _fastcall.AXES, 'i32')}, 1"))
        shape, strides = self._field(array, _fastcall.SHAPE, "ptr"), self._field(array, _fastcall.STRIDES, "ptr")
        self._require(w.value(f"icmp eq i64 {self._field(shape, 0, 'i64')}, {size}"))
        self._require(w.value(f"icmp eq i64 {self._field(strides, 0, 'i64')}, 8"))
        description = self._field(array, _fastcall.DESCRIPTION, "ptr")
        self._require(w.value(f"icmp eq ptr {description}, {self._entry('description')}"))
        held = w.value(f"and i32 {self._field(array, _fastcall.FLAGS, 'i32')}, {flags}")
        self._require(w.value(f"icmp eq i32 {held}, {flags}"))
        return self._field(array, _fastcall.DATA, "ptr")

    def _loops(self) -> str:
        """Compute; returns the truth of its having gone well."""
        w = self.w
        failed = w.value(f"call i64 @{self.function}(i64 0, i64 1, ptr %table, ptr {self.data}, ptr {self.work})")
        return w.value(f"icmp slt i64 {failed}, 0")

    def _into_given(self, inputs: list[tuple[str, str]]) -> None:
        w = self.w
        words = w.value(f"call i64 {self._entry('tuple_size')}(ptr %words)")
        self._require(w.value(f"icmp eq i64 {words}, 1"))
        word = w.value(f"call ptr {self._entry('get_item')}(ptr %words, i64 0)")
        self._require(w.value(f"icmp eq ptr {word}, {self._entry('out_word')}"))
        out = self._argument(len(self.names))
        data = self._block(out, self.size, _fastcall._ALIGNED | _fastcall._WRITEABLE)
        end = w.value(f"getelementptr double, ptr {data}, i64 {self.size}")
        for first, last in inputs:
            before, behind = w.value(f"icmp ule ptr {last}, {data}"), w.value(f"icmp ule ptr {end}, {first}")
            self._require(w.value(f"or i1 {before}, {behind}"))
        self._put(len(self.names), data)
        well = self._loops()
        if self.flagged:
            self._require(well)
        w.line(f"call void {self._entry('own')}(ptr {out})")
        w.line(f"ret ptr {out}")

    def _into_fresh(self) -> None:
        w = self.w
        w.line(f"store i64 {self.size}, ptr %length, align 8")
        description, kind = self._entry("description"), self._entry("array_type")
        w.line(f"call void {self._entry('own')}(ptr {description})")  # the new array takes this reference
        array = w.value(
            f"call ptr {self._entry('new_array')}(ptr {kind}, ptr {description}, i32 1, ptr %length, ptr null, "
            "ptr null, i32 0, ptr null)"
        )
        self._unless_null(array, [])
        self._put(len(self.names), self._field(array, _fastcall.DATA, "ptr"))
        well, good, bad = self._loops(), w.name("good"), w.name("bad")
        w.line(f"br i1 {well}, label %{good}, label %{bad}")
        w.label(bad)
        w.line(f"call void {self._entry('release')}(ptr {array})")
        w.line("br label %slow")
        w.label(good)
        w.line(f"ret ptr {array}")
