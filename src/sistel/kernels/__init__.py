"""Programs as callable code: machine code through LLVM, C text, and a NumPy interpreter as the reference.

    >>> from sistel.expr import Graph, cos, sin
    >>> from sistel.kernels import compile_program
    >>> graph = Graph()
    >>> (angle,) = graph.inputs("angle", 1)
    >>> rotation = compile_program(graph.program({"R": [cos(angle), -sin(angle), sin(angle), cos(angle)]}))
    >>> rotation([0.0]).reshape(2, 2)
    array([[ 1., -0.],
           [ 0.,  1.]])

NumPy and llvmlite are imported when a kernel is first compiled, not with this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.kernels._c import to_c
from sistel.kernels._cache import USER, user_cache
from sistel.lazy import names_at_home

if TYPE_CHECKING:
    from sistel.kernels._arrays import as_reals, as_rows
    from sistel.kernels._blocks import empty_blocks, from_blocks, to_blocks
    from sistel.kernels._call_site_cache import Place, Remembered, remember
    from sistel.kernels._cuda import CudaKernel, compile_cuda, cupy_of
    from sistel.kernels._cuda_source import to_cuda
    from sistel.kernels._exact import ExactRows
    from sistel.kernels._js import to_js
    from sistel.kernels._kernel import Kernel, compile_program
    from sistel.kernels._llvm import FUNCTION, LlvmRunner, compiled
    from sistel.kernels._loops import LoopedKernel, Loops
    from sistel.kernels._machine import Code, Native, assemble, host
    from sistel.kernels._programs import keep_program, recall_program
    from sistel.kernels._table import TableRunner
    from sistel.kernels._written import keep_written, recall_written
    from sistel.kernels.taylor import Taylor, compile_taylor

_HOMES = {
    "FUNCTION": "sistel.kernels._llvm",
    "Code": "sistel.kernels._machine",
    "CudaKernel": "sistel.kernels._cuda",
    "ExactRows": "sistel.kernels._exact",
    "Kernel": "sistel.kernels._kernel",
    "LlvmRunner": "sistel.kernels._llvm",
    "LoopedKernel": "sistel.kernels._loops",
    "Loops": "sistel.kernels._loops",
    "Native": "sistel.kernels._machine",
    "Place": "sistel.kernels._call_site_cache",
    "Remembered": "sistel.kernels._call_site_cache",
    "TableRunner": "sistel.kernels._table",
    "Taylor": "sistel.kernels.taylor",
    "as_reals": "sistel.kernels._arrays",
    "as_rows": "sistel.kernels._arrays",
    "assemble": "sistel.kernels._machine",
    "compile_cuda": "sistel.kernels._cuda",
    "compile_program": "sistel.kernels._kernel",
    "compile_taylor": "sistel.kernels.taylor",
    "compiled": "sistel.kernels._llvm",
    "cupy_of": "sistel.kernels._cuda",
    "empty_blocks": "sistel.kernels._blocks",
    "from_blocks": "sistel.kernels._blocks",
    "host": "sistel.kernels._machine",
    "keep_program": "sistel.kernels._programs",
    "keep_written": "sistel.kernels._written",
    "recall_program": "sistel.kernels._programs",
    "recall_written": "sistel.kernels._written",
    "remember": "sistel.kernels._call_site_cache",
    "to_blocks": "sistel.kernels._blocks",
    "to_cuda": "sistel.kernels._cuda_source",
    "to_js": "sistel.kernels._js",
}

__all__ = [
    "FUNCTION",
    "USER",
    "Code",
    "CudaKernel",
    "ExactRows",
    "Kernel",
    "LlvmRunner",
    "LoopedKernel",
    "Loops",
    "Native",
    "Place",
    "Remembered",
    "TableRunner",
    "Taylor",
    "as_reals",
    "as_rows",
    "assemble",
    "compile_cuda",
    "compile_program",
    "compile_taylor",
    "compiled",
    "cupy_of",
    "empty_blocks",
    "from_blocks",
    "host",
    "keep_program",
    "keep_written",
    "recall_program",
    "recall_written",
    "remember",
    "to_blocks",
    "to_c",
    "to_cuda",
    "to_js",
    "user_cache",
]

__getattr__ = names_at_home(__name__, _HOMES)
