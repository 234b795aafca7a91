"""Programs on a GPU, through CuPy: the printed source is compiled by NVRTC and called with arrays of many states."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, final

import numpy as np

from sistel.errors import Text, refuse
from sistel.kernels._arrays import check_count, check_out_count
from sistel.kernels._c_text import checked_precision
from sistel.kernels._cuda_source import BLOCK, LARGE, to_cuda

if TYPE_CHECKING:
    from types import ModuleType

    from sistel.expr import Program
    from sistel.kernels._c_text import Precision

QUICKEST: dict[Precision, int] = {"float32": 4, "float64": 1}
"""States of a thread that suit most programs on an H200 (benchmarks/bench_gpu.py); large programs take 1."""

DeviceArray = Any
"""An array of CuPy, or of NumPy: types are checked without CuPy."""

MOST = 2**32 - 2**16
"""Most states of one call: their numbers are 32-bit in the kernel."""


@final
class CudaKernel:
    """A program compiled for one device. Calls keep no state; they run on CuPy's current stream."""

    __slots__ = (
        "_cupy",
        "_one",
        "_several",
        "block",
        "device",
        "dtype",
        "inputs",
        "name",
        "outputs",
        "program",
        "source",
        "states",
    )

    def __init__(
        self,
        program: Program,
        *,
        name: str,
        dtype: Precision,
        device: int,
        states: int,
        block: int,
        least_blocks: int | None,
        cupy: ModuleType,
    ) -> None:
        self.program, self.name, self.dtype, self.device = program, name, dtype, device
        self.inputs, self.outputs = program.inputs, program.outputs
        self.states, self.block = states, block
        self.source = to_cuda(program, name, dtype, states=states, block=block, least_blocks=least_blocks)
        """What NVRTC compiled."""
        self._cupy = cupy
        with cupy.cuda.Device(device):
            try:
                module = cupy.RawModule(code=self.source, backend="nvrtc")
                self._one = module.get_function(name)
                self._several = module.get_function(f"{name}_x{states}") if states > 1 else self._one
            except Exception as error:  # CuPy has an exception of its own for each of the libraries below it
                reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
                refuse(
                    "cuda-failed",
                    Text(f"CUDA cannot compile {name}: {reason}", f"CUDA не может скомпилировать {name}: {reason}"),
                    hint=Text(
                        "do CuPy, CUDA and the driver fit together? python -c 'import cupy; cupy.show_config()'",
                        "подходят ли CuPy, CUDA и драйвер? python -c 'import cupy; cupy.show_config()'",
                    ),
                )

    def __call__(self, *blocks: DeviceArray, out: DeviceArray = None) -> DeviceArray:
        """Compute the outputs for a batch of states.

        Args:
            blocks: One array per input block, shape (size, count): one row a coordinate, one column a state; (size, 1)
                when all states share it. NumPy or CuPy arrays of real numbers; those that are not C-contiguous or of
                another type are converted.
            out: Where the results go instead of new arrays: a CuPy array, or a tuple of them when there are several
                output blocks; C-contiguous, (size, count), of the kernel's type.

        Returns:
            The output block, shape (size, count), or a tuple of them when the program has several: CuPy arrays when
            `out` or any input is one (the device may still be at work then), else NumPy arrays.

        Raises:
            SistelError: An array does not fit; the message names its block.
        """
        cupy = self._cupy
        with cupy.cuda.Device(self.device):
            count = self._count(blocks, out)
            arrays = [self._input(block, value, count) for block, value in zip(self.inputs, blocks, strict=True)]
            results = self._results(count, out)
            if out is not None:
                arrays = [a.copy() if any(cupy.may_share_memory(a, b) for b in results) else a for a in arrays]
            if count:
                self._launch([*arrays, *results], count)
            if out is None and not any(isinstance(value, cupy.ndarray) for value in blocks):
                results = [cupy.asnumpy(result) for result in results]
        return results[0] if len(results) == 1 else tuple(results)

    @staticmethod
    def columns(rows: DeviceArray) -> DeviceArray:
        """States one after another, shape (count, size), as the kernel takes them: (size, count), contiguous."""
        return rows.T.copy(order="C")

    @staticmethod
    def rows(columns: DeviceArray) -> DeviceArray:
        """The way back: (size, count) to (count, size), contiguous."""
        return columns.T.copy(order="C")

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}[{size}]" for name, size in self.inputs)
        outputs = ", ".join(f"{name}[{size}]" for name, size in self.outputs)
        return f"<CudaKernel {self.name}({inputs}) -> {outputs}, {self.dtype}, device {self.device}>"

    # --- arrays ------------------------------------------------------------------------------------------------

    def _count(self, blocks: tuple[DeviceArray, ...], out: DeviceArray) -> int:
        """How many states the arrays hold."""
        check_count(self.inputs, blocks)
        shapes = [self._shape(block, value) for block, value in zip(self.inputs, blocks, strict=True)]
        counts = {shape[1] for shape in shapes if shape[1] != 1} or {1}
        if not shapes and out is not None:
            first = out[0] if isinstance(out, (tuple, list)) and out else out
            shape: tuple[int, ...] = getattr(first, "shape", ())
            counts = {shape[1]} if len(shape) == 2 else {1}
        if len(counts) > 1:
            said = ", ".join(f"{name} {shape}" for (name, _), shape in zip(self.inputs, shapes, strict=True))
            refuse("bad-shape", Text(f"the counts of states differ: {said}", f"число состояний разное: {said}"))
        count: int = counts.pop()
        if count > MOST:
            refuse(
                "too-many",
                Text(
                    f"at most {MOST} states in a call, got {count}", f"не больше {MOST} состояний сразу, дано {count}"
                ),
            )
        return count

    def _shape(self, block: tuple[str, int], value: DeviceArray) -> tuple[int, int]:
        name, size = block
        if not isinstance(value, (np.ndarray, self._cupy.ndarray)):
            kind = type(value).__name__
            refuse(
                "bad-array",
                Text(
                    f"{name}: expected a NumPy or CuPy array, got {kind}",
                    f"{name}: нужен массив NumPy или CuPy, получено {kind}",
                ),
            )
        if value.dtype.kind not in "biuf":
            refuse(
                "bad-array",
                Text(
                    f"{name}: expected real numbers, got {value.dtype}",
                    f"{name}: ожидались вещественные числа, получено {value.dtype}",
                ),
            )
        if value.ndim != 2 or value.shape[0] != size:
            shape = tuple(value.shape)
            hint = None
            if value.ndim == 2 and value.shape[1] == size:
                hint = Text(
                    "one row a coordinate, one column a state: CudaKernel.columns(rows) turns rows of states",
                    "строка — координата, столбец — состояние: CudaKernel.columns(rows) переворачивает массив",
                )
            refuse(
                "bad-shape",
                Text(
                    f"{name}: expected ({size}, count), got {shape}",
                    f"{name}: ожидалось ({size}, count), получено {shape}",
                ),
                hint=hint,
            )
        self._check_device(name, value)
        return value.shape[0], value.shape[1]

    def _check_device(self, name: str, value: DeviceArray) -> None:
        if isinstance(value, self._cupy.ndarray) and value.device.id != self.device:
            refuse(
                "wrong-device",
                Text(
                    f"{name}: the array is on device {value.device.id}, the kernel on {self.device}",
                    f"{name}: массив на устройстве {value.device.id}, ядро — на {self.device}",
                ),
            )

    def _input(self, block: tuple[str, int], value: DeviceArray, count: int) -> DeviceArray:
        cupy = self._cupy
        array = cupy.asarray(value, dtype=self.dtype)
        return cupy.ascontiguousarray(cupy.broadcast_to(array, (block[1], count)))

    def _results(self, count: int, out: DeviceArray) -> list[DeviceArray]:
        cupy = self._cupy
        if out is None:
            return [cupy.empty((size, count), dtype=self.dtype) for _, size in self.outputs]
        given = list(out) if isinstance(out, (tuple, list)) else [out]
        check_out_count([name for name, _ in self.outputs], given)
        for index, ((name, size), array) in enumerate(zip(self.outputs, given, strict=True)):
            self._check_out(name, (size, count), array)
            if any(cupy.may_share_memory(array, other) for other in given[:index]):
                refuse("bad-out", Text(f"out {name}: overlaps another array", f"out {name}: общая память с другим"))
        return given

    def _check_out(self, name: str, shape: tuple[int, int], array: DeviceArray) -> None:
        where = f"out {name}"
        if not isinstance(array, self._cupy.ndarray):
            kind = type(array).__name__
            text = Text(f"{where}: expected a CuPy array, got {kind}", f"{where}: нужен массив CuPy, получено {kind}")
        elif array.dtype != self.dtype:
            text = Text(
                f"{where}: expected {self.dtype}, got {array.dtype}",
                f"{where}: нужен {self.dtype}, получено {array.dtype}",
            )
        elif tuple(array.shape) != shape:
            got = tuple(array.shape)
            text = Text(f"{where}: expected {shape}, got {got}", f"{where}: нужно {shape}, получено {got}")
        elif not array.flags.c_contiguous:
            text = Text(f"{where}: the array is not contiguous", f"{where}: массив не сплошной (не C-contiguous)")
        else:
            self._check_device(where, array)
            return
        refuse("bad-out", text)

    def _launch(self, arrays: list[DeviceArray], count: int) -> None:
        width = self.states * np.dtype(self.dtype).itemsize
        together = self.states > 1 and count % self.states == 0
        together = together and all(array.data.ptr % width == 0 for array in arrays)
        states, function = (self.states, self._several) if together else (1, self._one)
        grid = -(-count // (self.block * states))
        function((grid,), (self.block,), (*arrays, np.uint32(count)))


def compile_cuda(
    program: Program,
    *,
    dtype: str = "float64",
    name: str = "kernel",
    device: int = 0,
    states: int | None = None,
    block: int = BLOCK,
    least_blocks: int | None = None,
) -> CudaKernel:
    """Turn a program into a kernel on a GPU.

    Args:
        program: What to compute.
        dtype: ``float64`` or ``float32``.
        name: What the kernel is called.
        device: The number of the GPU, from 0.
        states: States of a thread, see `to_cuda`; None takes `QUICKEST`.
        block: Threads of a block.
        least_blocks: See `to_cuda`.

    Raises:
        SistelError: CuPy, a driver or the device is missing, or an option is wrong.
    """
    precision = checked_precision(dtype)
    if states is None:
        states = QUICKEST[precision] if len(program) <= LARGE else 1
    return CudaKernel(
        program,
        name=name,
        dtype=precision,
        device=device,
        states=states,
        block=block,
        least_blocks=least_blocks,
        cupy=cupy_of(device),
    )


def cupy_of(device: int) -> ModuleType:
    """CuPy, once it is sure that the device is there."""
    try:
        cupy = import_module("cupy")
    except ImportError:
        refuse(
            "no-cupy",
            Text(
                "CuPy is not installed, and GPUs are reached through it",
                "CuPy не установлен, а GPU доступен через него",
            ),
            hint=Text(
                "install the CuPy package for your version of CUDA, cupy-cuda12x or cupy-cuda13x",
                "установите пакет CuPy для вашей версии CUDA: cupy-cuda12x или cupy-cuda13x",
            ),
        )
    try:
        devices = int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError as error:
        _no_device(str(error))
    if not devices:
        _no_device("0")
    if not 0 <= device < devices:
        refuse(
            "no-device",
            Text(
                f"there is no GPU {device}; this machine has {devices}",
                f"нет GPU {device}; на этой машине их {devices}",
            ),
        )
    module: ModuleType = cupy
    return module


def _no_device(reason: str) -> NoReturn:
    hint = Text(
        "the nvidia-smi command shows the devices and the driver's version",
        "команда nvidia-smi показывает устройства и версию драйвера",
    )
    refuse("no-device", Text(f"CUDA sees no GPU here ({reason})", f"CUDA не видит здесь GPU ({reason})"), hint=hint)
