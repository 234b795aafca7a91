"""Modules of LLVM assembly as one program for a CUDA device: what the processor runs, the device runs too.

Every module is put into one, in which functions call each other directly: what goes through addresses and tables on
the processor (flows, kernels, the C library) is known by name here, so that the optimiser sees through it. What the C
library gives on the processor is written out: see `_library`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import llvmlite.binding as llvm  # type: ignore[import-untyped]  # ships no annotations

from sistel.errors import Text, refuse
from sistel.kernels._cache import USER
from sistel.kernels._machine import kept
from sistel.kernels._writer import LIBRARY, LIBRARY_TABLE
from sistel.kernels.device._library import FAR, library_text
from sistel.kernels.subset._frame import LIBRARY as SUBSET_LIBRARY
from sistel.kernels.subset._frame import LIBRARY_TABLE as SUBSET_TABLE
from sistel.once import COMPILING, once
from sistel.records import entry

TRIPLE: Final = "nvptx64-nvidia-cuda"
CHIP: Final = "sm_75"
"""The oldest kind of device that is served; drivers translate its code for younger ones."""
LAYOUT: Final = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
_PREFIX: Final = "library."


@entry
class Module:
    """A module of LLVM assembly, and what it is to be called."""

    text: str
    names: dict[str, str]
    """New names of its functions; all others are its own business."""


def to_ptx(modules: Sequence[Module], kernel: str, words: Text, effort: int = 2) -> str:
    """The assembly of a CUDA device for modules that know each other's functions by their names.

    Args:
        modules: What is put together.
        kernel: The name of the function that a host launches.
        words: What is compiled, for messages.
        effort: Of the optimiser, 1 to 3.

    Raises:
        SistelError: Something is used that devices do not have.
    """
    texts = [(module.text, sorted(module.names.items())) for module in modules]

    def make() -> bytes:
        with COMPILING:
            machine = _machine(effort)
            whole = put_together(modules, kernel)
            whole.triple, whole.data_layout = TRIPLE, LAYOUT
            whole.verify()
            _optimise(whole, machine, effort)
            _refuse_missing(whole, words)
            return str(machine.emit_assembly(whole)).encode()

    return kept(USER, ("ptx", CHIP, kernel, effort, texts), make).decode()


def put_together(modules: Sequence[Module], kernel: str) -> llvm.ModuleRef:
    """One module of all, and of the library: only the kernel is seen from outside."""
    whole = llvm.parse_assembly(_adapted(library_text()))
    for module in modules:
        whole.link_in(_renamed(module))
    for each in (*whole.functions, *whole.global_variables):
        if not each.is_declaration and each.name != kernel:
            each.linkage = "internal"
    return whole


def _renamed(module: Module) -> llvm.ModuleRef:
    made = llvm.parse_assembly(_adapted(module.text))
    for each in (*made.functions, *made.global_variables):
        if each.is_declaration:
            continue
        if each.name in module.names:
            each.name = module.names[each.name]
        else:
            each.linkage = "internal"
    return made


def _adapted(text: str) -> str:
    """Without what only processors have."""
    text = text.replace("preserve_mostcc ", "")
    # A row by itself: the call for the next one is not a jump here.
    text = re.sub(r"br i1 %more, label %again, label %done\nagain:\n.*\n  ret void", "br label %done", text)
    text = re.sub(r"load atomic volatile (i64, ptr \S+) monotonic,", r"load \1,", text)
    text = re.sub(r"define internal (\{ double, double \}) @far_double_1\(.*?\n\}", _far_call, text, flags=re.DOTALL)
    text = _tables(text, LIBRARY_TABLE, LIBRARY)
    return _tables(text, SUBSET_TABLE, SUBSET_LIBRARY)


def _far_call(found: re.Match[str]) -> str:
    pair = found.group(1)
    return (
        f"define internal {pair} @far_double_1(double %x) cold noinline nounwind {{\n"
        f"  %r = call {pair} @{FAR}(double %x)\n  ret {pair} %r\n}}\n"
        f"declare {pair} @{FAR}(double)"
    )


def _tables(text: str, table: str, names: Sequence[str]) -> str:
    """The table of library functions as constants: then they are called by name."""
    empty = f"@{table} = global [{len(names)} x ptr] zeroinitializer, align 8"
    if empty not in text:
        return text
    places = ", ".join(f"ptr @{_PREFIX}{name}" for name in names)
    lines = [f"@{table} = internal constant [{len(names)} x ptr] [{places}], align 8"]
    for name in names:
        given = "double, double" if name in ("atan2", "pow", "hypot", "fmod") else "double"
        lines.append(f"declare double @{_PREFIX}{name}({given})")
    return text.replace(empty, "\n".join(lines))


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine, effort: int) -> None:
    tuning = llvm.create_pipeline_tuning_options(speed_level=effort)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    tuning.loop_interleaving = False
    builder = llvm.create_pass_builder(machine, tuning)
    first = llvm.create_new_module_pass_manager()
    for name in ("sroa", "ipsccp", "dead_arg_elimination"):
        getattr(first, f"add_{name}_pass")()
    first.run(module, builder)
    for _ in range(2):  # what the first round made direct calls of, the second one puts in place
        builder.getModulePassManager().run(module, builder)


def _refuse_missing(module: llvm.ModuleRef, words: Text) -> None:
    missing = sorted(
        each.name.removeprefix(_PREFIX)
        for each in module.functions
        if each.is_declaration and not each.name.startswith("llvm.")
    )
    if missing:
        said = ", ".join(missing)
        refuse(
            "no-device-code",
            Text(f"{words.en}: a GPU does not compute {said} here", f"{words.ru}: GPU здесь не вычисляет {said}"),
        )


@once
def _machine(effort: int) -> llvm.TargetMachine:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=CHIP, opt=effort)
