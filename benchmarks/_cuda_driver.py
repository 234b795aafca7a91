"""CUDA's driver through ctypes, for machines that have a driver and no Python packages but NumPy.

Sources are compiled by nvcc where there is one, several at a time, else by NVRTC, wherever a package has brought it.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import glob
import os
import shutil
import site
import subprocess
import sysconfig
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


class Driver:
    """One context on one device. Nothing is freed: the process ends when the benchmark does."""

    def __init__(self, device: int = 0) -> None:
        self._library = ctypes.CDLL("libcuda.so.1")
        self._call("cuInit", 0)
        handle = ctypes.c_int()
        self._call("cuDeviceGet", ctypes.byref(handle), device)
        name = ctypes.create_string_buffer(100)
        self._call("cuDeviceGetName", name, 100, handle)
        self.name = name.value.decode()
        self.processors = self._attribute(16, handle)
        self.capability = self._attribute(75, handle), self._attribute(76, handle)
        context = ctypes.c_void_p()
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), handle)
        self._call("cuCtxSetCurrent", context)

    def _attribute(self, number: int, device: ctypes.c_int) -> int:
        value = ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(value), number, device)
        return value.value

    def _call(self, function: str, *arguments: object) -> None:
        status = getattr(self._library, function)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self._library.cuGetErrorString(status, ctypes.byref(text))
            raise RuntimeError(f"{function}: {(text.value or b'?').decode()} ({status})")

    def version(self) -> str:
        """The newest CUDA that the driver serves."""
        value = ctypes.c_int()
        self._call("cuDriverGetVersion", ctypes.byref(value))
        return f"{value.value // 1000}.{value.value % 1000 // 10}"

    def allocate(self, size: int) -> int:
        """Memory of so many bytes; its address."""
        pointer = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer.value

    def free(self, pointer: int) -> None:
        self._call("cuMemFree_v2", ctypes.c_uint64(pointer))

    def upload(self, pointer: int, array: object, size: int) -> None:
        self._call("cuMemcpyHtoD_v2", ctypes.c_uint64(pointer), _address(array), ctypes.c_size_t(size))

    def download(self, array: object, pointer: int, size: int) -> None:
        self._call("cuMemcpyDtoH_v2", _address(array), ctypes.c_uint64(pointer), ctypes.c_size_t(size))

    def copy(self, to: int, pointer: int, size: int) -> None:
        """Device to device, without waiting."""
        self._call("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(to), ctypes.c_uint64(pointer), ctypes.c_size_t(size), None)

    def poison(self, pointer: int, size: int) -> None:
        """Fill with bytes that are NaN in every precision."""
        self._call("cuMemsetD8_v2", ctypes.c_uint64(pointer), ctypes.c_ubyte(255), ctypes.c_size_t(size))

    def load(self, image: bytes) -> ctypes.c_void_p:
        """A module from a cubin or PTX."""
        module = ctypes.c_void_p()
        self._call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(image + b"\0"))
        return module

    def function(self, module: ctypes.c_void_p, name: str) -> ctypes.c_void_p:
        function = ctypes.c_void_p()
        self._call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def registers(self, function: ctypes.c_void_p) -> tuple[int, int]:
        """Registers of a thread, and its bytes of local memory."""
        values = []
        for number in (4, 3):
            value = ctypes.c_int()
            self._call("cuFuncGetAttribute", ctypes.byref(value), number, function)
            values.append(value.value)
        return values[0], values[1]

    def resident(self, function: ctypes.c_void_p, block: int) -> int:
        """How many blocks a multiprocessor holds at once."""
        value = ctypes.c_int()
        self._call(
            "cuOccupancyMaxActiveBlocksPerMultiprocessor",
            ctypes.byref(value),
            function,
            ctypes.c_int(block),
            ctypes.c_size_t(0),
        )
        return value.value

    def launcher(self, function: ctypes.c_void_p, grid: int, block: int, pointers: Sequence[int], count: int) -> Launch:
        return Launch(self, function, grid, block, pointers, count)

    def synchronize(self) -> None:
        self._call("cuCtxSynchronize")

    def event(self) -> ctypes.c_void_p:
        event = ctypes.c_void_p()
        self._call("cuEventCreate", ctypes.byref(event), 0)
        return event

    def record(self, event: ctypes.c_void_p) -> None:
        self._call("cuEventRecord", event, None)

    def seconds(self, start: ctypes.c_void_p, end: ctypes.c_void_p) -> float:
        """Time between two events, once the second has happened [s]."""
        self._call("cuEventSynchronize", end)
        value = ctypes.c_float()
        self._call("cuEventElapsedTime", ctypes.byref(value), start, end)
        return value.value * 1e-3


class Launch:
    """A launch with all arguments bound."""

    def __init__(
        self,
        driver: Driver,
        function: ctypes.c_void_p,
        grid: int,
        block: int,
        pointers: Sequence[int],
        count: int,
    ) -> None:
        self._driver = driver
        self._values = [*(ctypes.c_uint64(pointer) for pointer in pointers), ctypes.c_uint32(count)]
        addresses = [ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in self._values]
        self._arguments = (ctypes.c_void_p * len(addresses))(*addresses)
        self._launch = (function, grid, 1, 1, block, 1, 1, 0, None, self._arguments, None)

    def __call__(self) -> None:
        self._driver._call("cuLaunchKernel", *self._launch)


def _address(array: object) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)  # type: ignore[attr-defined]


def compile_all(sources: Mapping[str, Path], folder: Path, capability: tuple[int, int]) -> tuple[dict[str, bytes], str]:
    """Machine code of every source, and the name of what compiled it."""
    architecture = f"sm_{capability[0]}{capability[1]}"
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if nvcc is not None:
        folder.mkdir(parents=True, exist_ok=True)

        def build(item: tuple[str, Path]) -> tuple[str, bytes]:
            key, path = item
            cubin = folder / f"{key}.cubin"
            command = [nvcc, "-cubin", f"-arch={architecture}", "-o", str(cubin), str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"nvcc, {path.name}: {done.stderr[-2000:]}")
            return key, cubin.read_bytes()

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return dict(pool.map(build, sources.items())), nvcc
    nvrtc = _nvrtc()
    compiled = {key: _compile(nvrtc, path.read_text(encoding="utf-8"), architecture) for key, path in sources.items()}
    return compiled, nvrtc._name


def _nvrtc() -> ctypes.CDLL:
    found = ctypes.util.find_library("nvrtc")
    candidates = [found] if found else []
    for root in {*site.getsitepackages(), sysconfig.get_path("purelib"), "/usr/local/cuda"}:
        for pattern in ("nvidia/*/lib/libnvrtc.so.*", "lib64/libnvrtc.so.*", "torch/lib/libnvrtc*.so*"):
            candidates += sorted(glob.glob(os.path.join(root, pattern)), reverse=True)
    for path in candidates:
        if "builtins" in path:
            continue
        try:
            return ctypes.CDLL(path)
        except OSError:
            continue
    raise RuntimeError("neither nvcc nor libnvrtc is here")


def _compile(nvrtc: ctypes.CDLL, source: str, architecture: str) -> bytes:
    handle = ctypes.c_void_p()
    if nvrtc.nvrtcCreateProgram(ctypes.byref(handle), source.encode(), b"kernel.cu", 0, None, None):
        raise RuntimeError("nvrtcCreateProgram failed")
    options = (ctypes.c_char_p * 1)(f"--gpu-architecture={architecture}".encode())
    size = ctypes.c_size_t()
    if nvrtc.nvrtcCompileProgram(handle, 1, options):
        nvrtc.nvrtcGetProgramLogSize(handle, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(handle, log)
        raise RuntimeError(log.value.decode()[-2000:])
    nvrtc.nvrtcGetCUBINSize(handle, ctypes.byref(size))
    image = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetCUBIN(handle, image)
    return image.raw
