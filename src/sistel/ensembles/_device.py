"""A GPU that does the runs of chunks, all runs of a chunk side by side."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from sistel.ensembles import _batch_loop as m
from sistel.ensembles._device_code import GIVEN, KERNEL, DeviceCode, device_code
from sistel.errors import Diagnostic, Text, one_of, refuse
from sistel.kernels import cupy_of

if TYPE_CHECKING:
    from types import ModuleType

    from sistel.arrays import AnyArray
    from sistel.ensembles._workshop import Workshop
    from sistel.simulation import TaylorDriver

DEVICES: Final = ("cuda",)
LOADED: Final = 8
"""Programs that stay in the memory of a device for further calls."""
BLOCK: Final = 64
"""Threads of a block."""
BLOCKS: Final = 2
"""Blocks of a multiprocessor. More threads would have less of its cache each, and wait longer for their numbers."""


@dataclasses.dataclass(eq=False)
class Prepared:
    """The code of a system, loaded into a device."""

    driver: TaylorDriver
    """What its tables are like."""
    code: DeviceCode
    function: Any
    image: Any
    """What rooms of threads hold at first, in the memory of the device."""


class Device:
    """A device, and what is loaded into it."""

    def __init__(self, number: int = 0) -> None:
        """Raises `SistelError` where there is none."""
        self.number = number
        self.left = 0
        """Runs that it could not do to their end."""
        self._cupy: ModuleType = cupy_of(number)
        self._prepared: dict[Workshop, Prepared] = {}

    def prepare(self, shop: Workshop) -> Prepared:
        """Load what does the runs of a workshop.

        Raises:
            SistelError: They need what a device does not do.
        """
        if shop not in self._prepared:
            code = device_code(shop)
            function = _loaded(code.ptx, self.number)
            with self._cupy.cuda.Device(self.number):
                self._prepared[shop] = Prepared(code.driver, code, function, self._cupy.asarray(code.image))
        return self._prepared[shop]

    def run(self, ready: Prepared, batch: m.Batch) -> None:
        """Do all runs; those that Python has to look at keep no outcome."""
        cupy = self._cupy
        given: dict[str, AnyArray] = {name: getattr(batch, name) for name in GIVEN}
        count = len(given["losses"])
        given["answers"] = np.zeros(count, dtype=np.int64)
        with cupy.cuda.Device(self.number) as device:
            arrays = {name: cupy.asarray(array) for name, array in given.items()}
            queue = cupy.zeros(1, dtype=np.int64)
            blocks = min(-(-count // BLOCK), BLOCKS * int(device.attributes["MultiProcessorCount"]))
            arguments = (ready.image, *arrays.values(), queue, np.int64(count))
            ready.function((blocks,), (BLOCK,), arguments)
            for name in ("rows", "finals", "sequences", "moments", "losses"):
                given[name][:] = cupy.asnumpy(arrays[name])
        self.left += int((given["rows"][m.OUTCOME :: m.ROW] == m.NOT_RUN).sum())

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What a user must know of how runs were done."""
        if not self.left:
            return ()
        text = Text(
            f"{self.left} runs were done by processors: the device could not do them to their end",
            f"{self.left} запусков выполнил процессор: GPU не мог довести их до конца",
        )
        return (Diagnostic("left-by-device", "warning", text),)

    def refuse_parameter(self, name: str) -> NoReturn:
        """Say that runs differ in a parameter for which equations are made anew."""
        refuse(
            "no-device-code",
            Text(
                f'a GPU cannot do these runs: equations cannot follow the parameter "{name}"',
                f"GPU не может выполнить эти запуски: уравнения не могут следовать за параметром «{name}»",
            ),
            hint=Text('leave out device="cuda": processors can', 'без device="cuda" их выполнит процессор'),
        )


@lru_cache(maxsize=LOADED)
def _loaded(ptx: str, number: int) -> Any:
    """A program in a device: drivers take seconds to translate it, and the next call of an ensemble wants it again."""
    cupy = cupy_of(number)
    with cupy.cuda.Device(number):
        module = cupy.cuda.Module()
        try:
            module.load(ptx.encode())
        except cupy.cuda.driver.CUDADriverError as error:
            reason = str(error)
            refuse(
                "cuda-failed",
                Text(f"CUDA cannot load the runs: {reason}", f"CUDA не может загрузить запуски: {reason}"),
                hint=Text(
                    "a device of compute capability 7.5 or more is needed, and a driver that is not older",
                    "нужно устройство с compute capability 7.5 или выше и не более старый драйвер",
                ),
            )
        return module.get_function(KERNEL)


def device_named(name: str) -> Device:
    """The device of a name.

    Raises:
        SistelError: There is none.
    """
    if name not in DEVICES:
        refuse(
            "bad-device",
            Text(f"there is no device {name!r} here", f"здесь нет устройства {name!r}"),
            expected=one_of(DEVICES),
        )
    return Device()
