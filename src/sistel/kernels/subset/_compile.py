"""From functions to an object, through the cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from sistel.kernels import _machine
from sistel.kernels._cache import read_entry, write_entry
from sistel.kernels._sources import emitting
from sistel.kernels.subset._call import CompiledFunctions, Export
from sistel.kernels.subset._emit import emit, symbol
from sistel.kernels.subset._source import Source, read_source


def compile_functions(
    functions: Iterable[object],
    *,
    exports: Sequence[str],
    cache: Path | None = None,
    contract: bool = False,
    checked: bool = False,
    quick: bool = False,
    hasty: bool = False,
) -> CompiledFunctions:
    """Compile functions of the subset together.

    Args:
        functions: The functions, each with all that it calls.
        exports: The names of those that can be called from Python.
        cache: Directory in which objects are kept between runs; None to keep nothing.
        contract: Whether a product and a sum may be rounded once, which is faster and gives other last digits.
        checked: Whether indices are compared with the lengths of arrays, and divisors of ints with 0. Slower: for the
            search for mistakes.
        quick: Whether only the passes that gain most are run: a fifth of the time, for code that runs a few parts in a
            hundred longer. Which arrays are only read is not found out then: none may be locked.
        hasty: Whether code is to be there as soon as possible, half as fast, where none is kept that was made with
            more effort: with `quick`, half of the time. The bits that it computes are the same.

    Raises:
        SubsetError: A function is outside the subset.
        ValueError: The exports are not among the functions, or not ASCII, or two functions of one name are exported.
    """
    if isinstance(exports, str):
        raise ValueError("exports is a sequence of names")
    sources = [read_source(function) for function in dict.fromkeys(functions)]
    wanted = sorted(set(exports))
    names = [source.name for source in sources]
    for name in wanted:
        if not name.isascii():
            raise ValueError(f"the names of exported functions are of ASCII letters: {name!r}")
        if names.count(name) != 1:
            raise ValueError(f"{names.count(name)} of the functions are called {name!r}, one is needed")
    stored = None
    for hurried in (False, True) if hasty else (False,):
        key = entry_key(sources, wanted, contract=contract, checked=checked, quick=quick, hasty=hurried)
        stored = stored or (read_entry(cache, key) if cache is not None else None)
    if stored is None:
        text, signatures = emit(sources, wanted, contract=contract, checked=checked)
        effort = 0 if hasty else _machine.OPTIMISATION
        stored = _assemble(text, {name: Export.describe(of) for name, of in signatures.items()}, quick, effort)
        if cache is not None:
            write_entry(cache, key, stored)
    header, _, compiled = stored.partition(b"\n")
    listed = {name: Export(**entry) for name, entry in json.loads(header).items()}
    return CompiledFunctions(_machine.Code(compiled), listed, names if checked else None)


def entry_key(
    sources: Sequence[Source],
    exports: Sequence[str],
    *,
    contract: bool,
    checked: bool,
    quick: bool = False,
    hasty: bool = False,
) -> str:
    """The name of an object in the cache: a digest of all that it depends on."""
    members: dict[object, int] = {source.function: place for place, source in enumerate(sources)}
    texts = [(source.name, source.text, source.meanings(members)) for source in sources]
    # Only checked code knows where its lines stand.
    places = [source.first for source in sources] if checked else []
    here = _machine.host()
    machine = (here.versions, here.triple, here.cpu, here.features, _machine.OPTIMISATION)
    options = (places, contract, checked, quick, hasty)
    return hashlib.sha256(repr((texts, list(exports), options, _own(), machine)).encode()).hexdigest()


def _own() -> str:
    """A digest of this compiler, so that a changed one finds none of its old objects."""
    return emitting()


def _assemble(text: str, exports: dict[str, dict[str, Any]], quick: bool, effort: int) -> bytes:
    """The object, behind a line that says how its functions are called."""
    module = _machine.library().parse_assembly(text)
    optimise(module, quick)
    for name, entry in exports.items():
        entry["written"] = _written(module, symbol(name))
    return json.dumps(exports).encode() + b"\n" + _machine.assemble(str(module), effort)


QUICK: Final = (
    "sroa",
    "dead_arg_elimination",
    "simplify_cfg",
    "instruction_combine",
    "new_gvn",
    "loop_simplify",
    "lcssa",
    "loop_rotate",
)
"""Passes that gain most: variables become registers, what no function reads is not passed to it, what is known is not
computed again, loops test at their end."""


FIRST: Final = ("sroa", "ipsccp", "dead_arg_elimination")
"""Passes before the usual ones: with arguments that nobody reads, functions look as if it paid to inline them."""


def optimise(module: Any, quick: bool = False) -> None:
    """Variables become registers, small functions are inlined: the usual passes, without fast mathematics."""
    here, llvm = _machine.host(), _machine.library()
    target = llvm.Target.from_triple(here.triple)
    machine = target.create_target_machine(cpu=here.cpu, features=here.features, opt=_machine.OPTIMISATION)
    module.triple = here.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    # Vectors of states are short: loops that take several numbers at a time double the time of all this and gain
    # nothing; nor does the next level of passes.
    tuning = llvm.create_pipeline_tuning_options(speed_level=1)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    tuning.loop_unrolling = tuning.loop_interleaving = False
    builder = llvm.create_pass_builder(machine, tuning)
    first = llvm.create_new_module_pass_manager()
    for name in (*QUICK, "simplify_cfg") if quick else FIRST:
        getattr(first, f"add_{name}_pass")()
    first.run(module, builder)
    if not quick:
        builder.getModulePassManager().run(module, builder)


def _written(module: Any, name: str) -> list[bool]:
    """For each argument of machine code, whether memory behind it may be written."""
    only_read = {b"readonly", b"readnone"}
    arguments = module.get_function(name).arguments
    return [not only_read & {word for text in each.attributes for word in text.split()} for each in arguments]
