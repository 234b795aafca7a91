"""The processor that code is compiled for, and the way from LLVM assembly to an address. Imports llvmlite."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import llvmlite  # type: ignore[import-untyped]  # ships no annotations
import llvmlite.binding as llvm  # type: ignore[import-untyped]

OPTIMISATION = 2
"""Effort of the code generator. The passes over LLVM's assembly gain nothing on straight-line code and are not run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """This computer, as LLVM names it."""

    triple: str
    cpu: str
    features: str
    width: int
    """Doubles in a vector of the batched code."""
    versions: str
    """Versions of llvmlite and LLVM."""


@functools.cache
def host() -> Host:
    """Ask LLVM about the processor; the same for the whole life of the process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    known = llvm.get_host_cpu_features()
    version = ".".join(str(part) for part in llvm.llvm_version_info)
    return Host(
        triple=llvm.get_process_triple(),
        cpu=llvm.get_host_cpu_name(),
        features=known.flatten(),
        width=lanes(known),
        versions=f"llvmlite {llvmlite.__version__}, LLVM {version}",
    )


def lanes(features: dict[str, bool]) -> int:
    """How many doubles a vector of the batched code holds on a processor with these features."""
    return 8 if features.get("avx512f") else 4 if features.get("avx") else 2


def assemble(text: str) -> bytes:
    """Compile LLVM assembly for this processor into a relocatable object."""
    here = host()
    module = llvm.parse_assembly(text)
    module.triple = here.triple
    module.verify()
    machine = _machine(here)
    module.data_layout = str(machine.target_data)
    return bytes(machine.emit_object(module))


def _machine(here: Host) -> llvm.TargetMachine:
    target = llvm.Target.from_triple(here.triple)
    return target.create_target_machine(
        cpu=here.cpu, features=here.features, opt=OPTIMISATION, reloc="default", codemodel="jitdefault", jit=True
    )


class Code:
    """An object loaded into this process; its addresses are good for as long as this lives."""

    __slots__ = ("_engine",)

    def __init__(self, compiled: bytes) -> None:
        empty = llvm.parse_assembly("")
        self._engine = llvm.create_mcjit_compiler(empty, _machine(host()))
        self._engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(compiled))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Where a function begins."""
        address = int(self._engine.get_function_address(name))
        if not address:
            raise LookupError(f"the object has no function {name!r}")
        return address

    def variable(self, name: str) -> int:
        """Where a global variable lies."""
        address = int(self._engine.get_global_value_address(name))
        if not address:
            raise LookupError(f"the object has no variable {name!r}")
        return address
