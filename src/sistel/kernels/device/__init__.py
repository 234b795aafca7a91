"""Programs for CUDA devices, made of what processors run; llvmlite and NumPy are imported with it."""

from sistel.kernels.device._emit import FLOW, PROGRAM, Leaves, emit_flow, emit_kernel, emit_loop, folded
from sistel.kernels.device._ptx import Module, put_together, to_ptx

__all__ = [
    "FLOW",
    "PROGRAM",
    "Leaves",
    "Module",
    "emit_flow",
    "emit_kernel",
    "emit_loop",
    "folded",
    "put_together",
    "to_ptx",
]
