"""The loop over runs as a program for a CUDA device: one thread does one run, from its start to its end.

It is the loop of processors, put together with the flows, passages and projections of one system. Where processors go
through addresses, a thread goes through numbers: flow 1, kernel 1, kernel 2 …, and a function that tells them apart
calls them by name. What a thread overwrites lies in a room of its own, in local memory, which devices interleave: the
same place of all rooms of a warp is one piece of memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from sistel.ensembles import _device_loop as m
from sistel.errors import Text, refuse
from sistel.kernels.device import Leaves, Module, emit_flow, emit_kernel, emit_loop, folded, to_ptx
from sistel.kernels.taylor import is_large
from sistel.records import entry
from sistel.simulation.taylor import TURNS
from sistel.simulation.taylor import tables as t

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole
    from sistel.ensembles._workshop import Workshop
    from sistel.expr import Program
    from sistel.simulation import CompiledStructure, TaylorDriver

KERNEL: Final = "ensemble"
ALL: Final = -1
"""All threads of a warp."""
FIXED: Final = (t.SIZE, t.ORDER, t.STRIDE, t.LOG, t.MOST_LEAVES, t.RECORD, t.PLACES, t.STOP)
"""Places of the table of counts that no run changes."""
EVENT_BLOCK: Final = 1
"""Events for which a room has a log: after each of them the loop over runs notes it."""
GIVEN: Final = ("starts", "lives", "asks", "answers", "rows", "finals", "sequences", "moments", "losses")
"""Arrays that a launch is given, in this order, after the image of a room and before the number of runs."""
_CALL: Final = re.compile(r"call (void|i64) (%[\w.]+)\(([^()]*)\)")
_REACHED: Final = {
    ("void", ("i64", "ptr", "ptr", "ptr", "ptr")): "@at.flow",
    ("void", ("i64", "i64", "i64", "i64")): "@at.kernel",
}
"""Functions that processors call by address, by what they return and take."""
_LOCAL: Final = ("  %room = addrspacecast ptr addrspace(5) %local to ptr",)
"""Rooms are in local memory, which is quicker to read where that is known."""
_SAME: Final = {"shared": "live"}
"""Tables that the two loops call differently."""


@entry
class DeviceCode:
    """What a device is given once for a system."""

    ptx: str
    image: Whole
    """What every room holds at first."""
    room: int
    """Numbers of a room."""
    driver: TaylorDriver
    """Whose tables are in it."""


class _Rooms:
    """Where everything is in a room."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.parts: list[Whole] = []
        self.size = self.filled = 0

    def add(self, name: str, content: Array | Whole) -> None:
        self.places[name] = self.size
        flat = np.ascontiguousarray(content).ravel().view(np.int64)
        self.parts.append(flat)
        self.size += len(flat)

    @property
    def image(self) -> Whole:
        return np.concatenate(self.parts)


def device_code(shop: Workshop) -> DeviceCode:
    """The program of a device for the runs of a workshop.

    Raises:
        SistelError: The system needs what a device does not do.
    """
    simulation = shop.simulation
    if simulation.contacts is not None:
        _refuse(Text("contacts are decided by complementarity", "контакты решаются дополнительностью"))
    if simulation.scheme is not None and not simulation.watchful:
        _refuse(Text("the method is implicit", "метод неявный"))
    with shop.lock:
        return DeviceBuilder(shop).build()


def _refuse(reason: Text) -> NoReturn:
    refuse(
        "no-device-code",
        Text(f"a GPU cannot do these runs: {reason.en}", f"GPU не может выполнить эти запуски: {reason.ru}"),
        hint=Text('leave out device="cuda": processors can', 'без device="cuda" их выполнит процессор'),
    )


class DeviceBuilder:
    """Puts the program of a device together."""

    def __init__(self, shop: Workshop) -> None:
        """Compile all structures and passages, so that none is met on the way."""
        self.shop = shop
        simulation = shop.simulation
        self.structures: list[CompiledStructure] = [simulation.compiled(name) for name in shop.names]
        for compiled in self.structures:
            if is_large(compiled.modes.program):
                name = compiled.structure.name
                _refuse(Text(f'the equations of "{name}" are too long', f"уравнения «{name}» слишком длинные"))
            for each in compiled.equations.exits:
                if compiled.native_passage(each.transition) is None:
                    name = each.transition.name
                    _refuse(Text(f'impacts of "{name}" are searched for', f"удары «{name}» находятся перебором"))
        self.driver: TaylorDriver = shop.driver()
        self.order = simulation.order
        self.modules: list[Module] = []
        self.kernels: list[str] = []
        """Cases of the function that calls kernels."""
        self.flows: list[str] = []
        self.rooms = _Rooms()
        self.most_blocks = 1
        self.constants: list[str] = []
        self.constant_names: set[str] = set()

    def build(self) -> DeviceCode:
        modules = self.gather()
        name = self.shop.model.name
        ptx = to_ptx(modules, KERNEL, Text(name, name))
        image = self.rooms.image[: self.rooms.filled]
        return DeviceCode(ptx=ptx, image=image, room=self.rooms.size, driver=self.driver)

    def gather(self) -> list[Module]:
        """Everything that is put together."""
        driver = self.driver
        scratch = 1
        flows: dict[str, str] = {}
        for number, compiled in enumerate(self.structures, 1):
            text, need = emit_flow(compiled.modes.program, self.order)
            scratch = max(scratch, need)
            flows[compiled.structure.name] = f"flow.{number}"
            self.modules.append(Module(text, {"taylor": f"flow.{number}"}))
        self._fill_rooms(scratch)
        plans, exits = self._numbered(flows)
        for name, content in (
            ("plans", plans.ravel()),
            ("exits", exits.ravel()),
            ("words", np.array([*driver.words, 0])),
            ("kinds", np.array([*driver.kinds, 0])),
            ("directions", driver.directions),
            ("switches", np.array([*driver.switches, 0])),
            ("heads", np.array([*(number for head in driver.heads for number in head), 0])),
            ("passages", self.shop.exit_numbers(driver)),
            ("stops", self.shop.stops()),
        ):
            numbers = ", ".join(f"i64 {int(each)}" for each in content)
            self.constant_names.add(name)
            self.constants.append(f"@{name} = internal constant [{len(content)} x i64] [{numbers}], align 8")
        return [*self.modules, Module(self._loop_text(), {KERNEL: KERNEL})]

    def _fill_rooms(self, scratch: int) -> None:
        driver, rooms = self.driver, self.rooms
        rows = max(compiled.taylor.rows for compiled in self.structures)
        driver.counts[t.RECORD], driver.counts[t.STOP] = 0, 0
        for name in ("counts", "numbers", "weights", "y", "parameters", "results", "zeros", "signs"):
            rooms.add(name, getattr(driver, name))
        rooms.add("live", driver.live)
        rooms.add("log", np.zeros(EVENT_BLOCK * driver.log_width))
        rooms.add("marks", np.zeros(2 * EVENT_BLOCK, dtype=np.int64))
        rooms.add("coefficients", np.zeros(rows * driver.stride))
        # What needs no values to begin with is behind what does: `image` ends before it.
        rooms.filled = rooms.size
        rooms.add("scratch", np.zeros(scratch))
        rooms.add("work", np.zeros(len(driver.work)))

    def _numbered(self, flows: dict[str, str]) -> tuple[Whole, Whole]:
        """The tables of structures and exits with numbers of functions instead of addresses."""
        driver = self.driver
        plans, exits = driver.plans.copy(), driver.exit_rows.copy()
        place = self.rooms.places
        for compiled in self.structures:
            name = compiled.structure.name
            row = plans[driver.names.index(name)]
            held, first = driver.home(name)
            number, own = len(self.flows) + 1, place["parameters"] + first
            self.flows.append(
                f"%p{number} = getelementptr i64, ptr %room, i64 {own}\n"
                f"  call void @{flows[name]}(ptr %y, ptr %p{number}, ptr %coefficients, ptr %scratch)"
            )
            row[t.FLOW] = len(self.flows)
            row[[t.LOW, t.REST, t.CLOCKS, t.RATES]] = 0  # threads take their steps together, with all orders
            base = place["results"]
            anchor = base + held + driver.size + 1
            row[[t.CORRECT_ARGUMENTS, t.ANCHOR_ARGUMENTS, t.CHOOSE_ARGUMENTS]] = 0
            if row[t.CHOOSE]:
                target = place["parameters"] + first + compiled.modes.first
                row[t.CHOOSE] = self._kernel(compiled.modes.initial, [target], place["live"])
            if row[t.CORRECT]:
                outputs = [base + held, base + held + driver.size]
                row[t.CORRECT] = self._kernel(compiled.projection_program, outputs, anchor)
            if row[t.ANCHOR]:
                row[t.ANCHOR] = self._kernel(compiled.anchor_program, [anchor], anchor)
        for number, (compiled, each) in enumerate(driver.exits):
            row = exits[number]
            result, links = int(row[t.RESULT]), int(row[t.IMPULSES])
            outputs = [place["results"] + result, place["results"] + result + driver.size]
            outputs += [place["results"] + result + driver.size + 1] if links else []
            row[t.PASSAGE] = self._kernel(compiled.passage_program(each.transition), outputs, 0)
            row[t.PASSAGE_ARGUMENTS] = 0
        return plans, exits

    def _kernel(self, program: Program, outputs: Sequence[int], p: int) -> int:
        """Number a kernel; its blocks are at fixed places of a room."""
        number = len(self.kernels) + 1
        for each in program.routines():
            _refuse(Text(f"{each.name} is a program of its own", f"{each.name} — отдельная программа"))
        self.modules.append(Module(emit_kernel(program), {"kernel": f"kernel.{number}"}))
        known = {"y": self.rooms.places["y"], "live": self.rooms.places["live"], "p": p}
        blocks = [*(known[name] for name, _ in program.inputs), *outputs]
        self.most_blocks = max(self.most_blocks, len(blocks))
        lines = []
        for i, block in enumerate(blocks):
            lines += [
                f"%a{number}.{i} = getelementptr i64, ptr %room, i64 {block}",
                f"%t{number}.{i} = getelementptr i64, ptr %arguments, i64 {2 * i}",
                f"store ptr %a{number}.{i}, ptr %t{number}.{i}, align 8",
                f"%s{number}.{i} = getelementptr i64, ptr %arguments, i64 {2 * i + 1}",
                f"store i64 0, ptr %s{number}.{i}, align 8",
            ]
        lines.append(f"call void @kernel.{number}(i64 0, i64 1, ptr %arguments)")
        self.kernels.append("\n  ".join(lines))
        return number

    # --- the text ----------------------------------------------------------------------------------------------------

    def _loop_text(self) -> str:
        exports = ["before_flow", "after_flow", "first_turn", "end_turn"]
        text, leaves = emit_loop([*m.FUNCTIONS, *TURNS], exports)
        # What never changes is known while this is compiled: loops over it have a known length.
        counts = self.driver.counts
        text = folded(text, "counts", {place: int(counts[place]) for place in FIXED})
        parts = [_CALL.sub(_direct, text), *self.constants]
        return "\n".join([*parts, self._flows(), self._kernels(), self._thread(leaves)]) + "\n"

    def _flows(self) -> str:
        """Calls a flow by its number; where it reads and writes is known without being told."""
        given = "ptr %anywhere, i64 %f, ptr %y, ptr %p, ptr %t, ptr %s"
        lines = [f"define internal void @at.flow({given}) alwaysinline nounwind {{", *_near("flow"), *_LOCAL]
        lines += [
            f"  %{name} = getelementptr i64, ptr %room, i64 {self.rooms.places[name]}"
            for name in ("y", "coefficients", "scratch")
        ]
        known = [f"declare void @flow.{i}(ptr, ptr, ptr, ptr)" for i in range(1, len(self.flows) + 1)]
        return "\n".join([*lines, *_switch(self.flows), "}", *known])

    def _kernels(self) -> str:
        """Calls a kernel by its number."""
        given = "ptr %anywhere, i64 %f, i64 %b, i64 %e, i64 %a"
        lines = [f"define internal void @at.kernel({given}) alwaysinline nounwind {{", *_near("kernel"), *_LOCAL]
        lines.append(f"  %arguments = alloca [{2 * self.most_blocks} x i64], align 8")
        known = [f"declare void @kernel.{i}(i64, i64, ptr)" for i in range(1, len(self.kernels) + 1)]
        return "\n".join([*lines, *_switch(self.kernels), "}", *known])

    def _given(self, leaves: list[tuple[str, str]], known: dict[str, str], lines: list[str], prefix: str) -> str:
        """The arguments of a call, by the names of the fields that they are."""
        found = []
        for place, (leaf, kind) in enumerate(leaves):
            name = _SAME.get(leaf.rpartition(".")[2], leaf.rpartition(".")[2])
            if name in known:
                value = known[name]
            elif name in self.constant_names:
                value = f"@{name}"
            elif name in self.rooms.places:
                value = f"%{prefix}{place}"
                lines.append(f"  {value} = getelementptr i64, ptr %room, i64 {self.rooms.places[name]}")
            else:
                value = "%room" if kind == "ptr" else "0"
            found.append(f"{kind} {value}")
        return ", ".join(found)

    def _call(
        self, leaves: Leaves, name: str, known: dict[str, str], prefix: str, result: str | None = None
    ) -> list[str]:
        """A call of a compiled function of a turn, and what makes its arguments."""
        lines: list[str] = []
        given = self._given(leaves[name], known, lines, prefix)
        found = "call void" if result is None else f"%{result} = call i64"
        return [*lines, f"  {found} @subset.{name}({given})"]

    def _thread(self, leaves: Leaves) -> str:
        """What a thread does: it fills its room and does runs, in turns with the others of its block.

        In each turn the structure in which most threads of the block are moves on: so all that move do the same, and
        read the same instructions at the same time.
        """
        arrays = ", ".join(f"ptr noalias %{name}" for name in ("image", *GIVEN, "queue"))
        place = self.rooms.places
        lines = [f"define ptx_kernel void @{KERNEL}({arrays}, i64 %count) {{", "entry:"]
        lines += [f"  %room = alloca [{self.rooms.size} x i64], align 16", "  br label %fill"]
        lines += [
            "fill:",
            "  %k = phi i64 [ 0, %entry ], [ %next, %fill ]",
            "  %from = getelementptr i64, ptr %image, i64 %k",
            "  %number = load i64, ptr %from, align 8",
            "  %to = getelementptr i64, ptr %room, i64 %k",
            "  store i64 %number, ptr %to, align 8",
            "  %next = add i64 %k, 1",
            f"  %filling = icmp ult i64 %next, {self.rooms.filled}",
            "  br i1 %filling, label %fill, label %head",
            # Whoever has no run takes the next one.
            "head:",
            "  %i = phi i64 [ -1, %fill ], [ %i.next, %again ]",
            "  %free = icmp slt i64 %i, 0",
            "  br i1 %free, label %take, label %taken",
            "take:",
            "  %drawn = atomicrmw add ptr %queue, i64 1 monotonic, align 8",
            "  %some = icmp slt i64 %drawn, %count",
            "  br i1 %some, label %begin, label %taken",
            "begin:",
        ]
        known = {name: f"%{name}" for name in GIVEN}
        lines += [
            *self._call(leaves, "first_turn", known | {"i": "%drawn"}, "b"),
            "  br label %taken",
            "taken:",
            "  %run = phi i64 [ %i, %head ], [ %drawn, %begin ], [ -1, %take ]",
            "  %alive = icmp sge i64 %run, 0",
            f"  %structure.at = getelementptr i64, ptr %room, i64 {place['counts'] + t.STRUCTURE}",
            "  %structure.wide = load i64, ptr %structure.at, align 8",
            "  %most.0 = add i32 0, 0",
            "  %chosen.0 = add i64 -1, 0",
        ]
        for i in range(1, len(self.structures) + 1):
            lines += [
                f"  %here.{i} = icmp eq i64 %structure.wide, {i - 1}",
                f"  %votes.{i} = and i1 %here.{i}, %alive",
                f"  %vote.{i} = zext i1 %votes.{i} to i32",
                f"  %many.{i} = call i32 @llvm.nvvm.barrier0.popc(i32 %vote.{i})",
                f"  %more.{i} = icmp ugt i32 %many.{i}, %most.{i - 1}",
                f"  %most.{i} = select i1 %more.{i}, i32 %many.{i}, i32 %most.{i - 1}",
                f"  %chosen.{i} = select i1 %more.{i}, i64 {i - 1}, i64 %chosen.{i - 1}",
            ]
        lines += [
            f"  %any = icmp sge i64 %chosen.{len(self.structures)}, 0",
            "  br i1 %any, label %group, label %done",
            "group:",
            f"  %same = icmp eq i64 %structure.wide, %chosen.{len(self.structures)}",
            "  %mine = and i1 %same, %alive",
            "  br i1 %mine, label %before, label %between",
            "before:",
            *self._call(leaves, "before_flow", known, "c", "early"),
            "  br label %between",
            "between:",
            f"  %answer.early = phi i64 [ {t.GO_ON}, %group ], [ %early, %before ]",
            "  call void @llvm.nvvm.barrier0()",
            f"  %well = icmp eq i64 %answer.early, {t.GO_ON}",
            "  %flows = and i1 %mine, %well",
            "  br i1 %flows, label %flow, label %behind",
            "flow:",
            f"  %plan.at = mul i64 %structure.wide, {t.PLAN}",
            "  %plan = getelementptr i64, ptr @plans, i64 %plan.at",
            "  %f = load i64, ptr %plan, align 8",
            "  call void @at.flow(ptr %room, i64 %f, ptr null, ptr null, ptr null, ptr null)",
            "  br label %behind",
            "behind:",
            f"  call void @llvm.nvvm.bar.warp.sync(i32 {ALL})",
            "  br i1 %flows, label %after, label %noted",
            "after:",
            *self._call(leaves, "after_flow", known, "d", "late"),
            "  br label %noted",
            "noted:",
            "  %answer = phi i64 [ %answer.early, %behind ], [ %late, %after ]",
            f"  call void @llvm.nvvm.bar.warp.sync(i32 {ALL})",
            "  br i1 %mine, label %note, label %again",
            "note:",
            *self._call(leaves, "end_turn", known | {"i": "%run", "answer": "%answer"}, "e", "over"),
            "  %ended = icmp ne i64 %over, 0",
            "  %left = select i1 %ended, i64 -1, i64 %run",
            "  br label %again",
            "again:",
            "  %i.next = phi i64 [ %run, %noted ], [ %left, %note ]",
            f"  call void @llvm.nvvm.bar.warp.sync(i32 {ALL})",
            "  br label %head",
            "done:",
            "  ret void",
            "}",
            "declare void @llvm.nvvm.bar.warp.sync(i32) convergent",
            "declare i32 @llvm.nvvm.barrier0.popc(i32) convergent",
            "declare void @llvm.nvvm.barrier0() convergent",
        ]
        return "\n".join(lines)


def _near(name: str) -> list[str]:
    """The end of a function that hands the room on as local memory, and the beginning of the one that takes it."""
    return [
        "  %local = addrspacecast ptr %anywhere to ptr addrspace(5)",
        f"  call void @near.{name}(ptr addrspace(5) %local, i64 %f)",
        "  ret void",
        "}",
        f"define internal void @near.{name}(ptr addrspace(5) %local, i64 %f) noinline nounwind {{",
    ]


def _switch(cases: Sequence[str]) -> list[str]:
    """One of several pieces of text, by its number from 1."""
    lines = [
        f"  switch i64 %f, label %done [ {' '.join(f'i64 {i}, label %case{i}' for i in range(1, len(cases) + 1))} ]"
    ]
    for i, case in enumerate(cases, 1):
        lines += [f"case{i}:", f"  {case}", "  br label %done"]
    return [*lines, "done:", "  ret void"]


def _direct(found: re.Match[str]) -> str:
    """A call through a pointer as one of the function that it would reach: the pointer is the room."""
    result, pointer, given = found.groups()
    kinds = tuple(word.split()[0] for word in given.split(", "))
    if (result, kinds) not in _REACHED:
        return found.group()
    return f"call {result} {_REACHED[result, kinds]}(ptr {pointer}, {given})"
