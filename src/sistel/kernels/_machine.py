"""The processor that code is compiled for, and the way from LLVM assembly to an address.

llvmlite is imported when something is compiled: where it is not installed, all else works.
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from sistel.kernels._cache import read_entry, write_entry
from sistel.kernels._sources import emitting
from sistel.kernels._writer import LIBRARY, LIBRARY_TABLE
from sistel.once import COMPILING, hold_while_forking, once

OPTIMISATION = 1
"""Effort of the code generator: 2 gives the same bits and takes a fifteenth longer, to save 1 % on single states.

The passes over LLVM's assembly gain nothing on straight-line code and are not run.
"""
BATCHES = 2
"""The same for code that takes several states at a time: 1 would cost up to 9 % of its time, and saves a tenth here."""


@once
def library() -> ModuleType:
    """LLVM, as llvmlite gives it."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]  # ships no annotations

    lock: object = getattr(getattr(llvm.ffi, "lib", None), "_lock", None)
    if hasattr(lock, "__enter__") and hasattr(lock, "__exit__"):
        # Code that nobody holds any longer is given back by whichever thread notices, under this lock alone.
        hold_while_forking(lock)
    found: ModuleType = llvm
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """This computer, as LLVM names it."""

    triple: str
    cpu: str
    features: str
    width: int
    """Doubles in a vector of the batched code."""
    lanes: int
    """Doubles in a vector that is used beside scalars."""
    versions: str
    """Versions of llvmlite and LLVM."""


@once
def host() -> Host:
    """Ask LLVM about the processor; the same for the whole life of the process."""
    import llvmlite

    llvm = library()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    known = llvm.get_host_cpu_features()
    version = ".".join(str(part) for part in llvm.llvm_version_info)
    return Host(
        triple=llvm.get_process_triple(),
        cpu=llvm.get_host_cpu_name(),
        features=known.flatten(),
        width=lanes(known),
        # While vectors of 512 bits are under way, an Intel core adds and multiplies scalars on one port less.
        lanes=min(4, lanes(known)),
        versions=f"llvmlite {llvmlite.__version__}, LLVM {version}",
    )


def lanes(features: dict[str, bool]) -> int:
    """How many doubles a vector of the batched code holds on a processor with these features."""
    return 8 if features.get("avx512f") else 4 if features.get("avx") else 2


def assemble(text: str, effort: int = OPTIMISATION) -> bytes:
    """Compile LLVM assembly for this processor into a relocatable object.

    Constants are addressed relative to the code, which takes half the space, where the object needs nothing from
    outside: only then can all of it be loaded into one piece of memory.

    Args:
        text: The assembly.
        effort: Of the code generator, 0 to 3.
    """
    here = host()
    # Without fused instructions the C library's function is called.
    if here.triple.startswith("x86_64") and "linux" in here.triple and "+fma" in here.features:
        compiled = _emit(text, near=True, effort=effort)
        if self_contained(compiled):
            return compiled
    return _emit(text, near=False, effort=effort)


def _emit(text: str, near: bool, effort: int) -> bytes:
    llvm = library()
    with COMPILING:
        module = llvm.parse_assembly(text)
        module.triple = host().triple
        module.verify()
        machine = _machine(near, effort)
        module.data_layout = str(machine.target_data)
        return bytes(machine.emit_object(module))


def _machine(near: bool, effort: int = OPTIMISATION) -> Any:
    here = host()
    target = library().Target.from_triple(here.triple)
    reloc, model = ("pic", "small") if near else ("default", "jitdefault")
    return target.create_target_machine(
        cpu=here.cpu, features=here.features, opt=effort, reloc=reloc, codemodel=model, jit=True
    )


def kept(cache: Path | None, parts: tuple[object, ...], make: Callable[[], bytes]) -> bytes:
    """What is stored for these parts of a key and this computer, or else what is made, and stored then."""
    found = None if cache is None else read_entry(cache, entry_name(parts))
    if found is None:
        found = make()
        if cache is not None:
            write_entry(cache, entry_name(parts), found)
    return found


def entry_name(parts: tuple[object, ...]) -> str:
    """The name of an entry of the cache for these parts of a key and this computer."""
    here = host()
    machine = here.versions, here.triple, here.cpu, here.features, here.lanes, OPTIMISATION, emitting()
    return hashlib.sha256(repr((*parts, *machine)).encode()).hexdigest()


_SYMBOL_TABLE: Final = 2
_UNDEFINED: Final = 0


def self_contained(compiled: bytes) -> bool:
    """Whether an object is ELF for x86-64 and uses no symbol that it does not define."""
    if compiled[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", compiled, 18)[0] != 62:
        return False
    sections, size, count = struct.unpack_from("<Q", compiled, 40)[0], *struct.unpack_from("<HH", compiled, 58)
    for i in range(count):
        kind, start, length = struct.unpack_from("<4xI16xQQ", compiled, sections + i * size)
        if kind == _SYMBOL_TABLE:
            # The first symbol is always empty.
            for at in range(start + 24, start + length, 24):
                if struct.unpack_from("<6xH", compiled, at)[0] == _UNDEFINED:
                    return False
    return True


class Native(NamedTuple):
    """A function of machine code: its address, together with what keeps that address good.

    Whoever writes the address anywhere (into a table, into other code) holds this for as long as it may be called.
    """

    owner: object
    address: int


class Code:
    """An object loaded into this process; its addresses are good for as long as this lives."""

    __slots__ = ("_engine",)

    def __init__(self, compiled: bytes) -> None:
        near, llvm = self_contained(compiled), library()
        with COMPILING:
            # llvmlite's own memory manager takes one piece of memory for an object, but not for what that object calls.
            self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(near), use_lmm=near or None)
            self._engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(compiled))
            self._engine.finalize_object()
            table = int(self._engine.get_global_value_address(LIBRARY_TABLE))
        if table:
            addresses = [llvm.address_of_symbol(name) or 0 for name in LIBRARY]
            (ctypes.c_uint64 * len(LIBRARY)).from_address(table)[:] = addresses

    def address(self, name: str) -> int:
        """Where a function begins."""
        address = int(self._engine.get_function_address(name))
        if not address:
            raise LookupError(f"the object has no function {name!r}")
        return address

    def function(self, name: str) -> Native:
        """A function that keeps this code."""
        return Native(self, self.address(name))

    def variable(self, name: str) -> int:
        """Where a global variable lies."""
        address = int(self._engine.get_global_value_address(name))
        if not address:
            raise LookupError(f"the object has no variable {name!r}")
        return address
