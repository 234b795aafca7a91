"""Whole motions in MuJoCo's C library (peers/mujoco_motion.c)."""

from __future__ import annotations

import ctypes
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from _motion_mjcf import document
from _native import OPTIMISED, SOURCES, Missing, build, clang, load

POINTER, WHOLE, NUMBER = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double


def library() -> ctypes.CDLL:
    folder = Path(sysconfig.get_path("purelib"), "mujoco")
    native = next(iter((*folder.glob("libmujoco.so.*"), *folder.glob("libmujoco.*.dylib"))), None)
    if native is None or not (folder / "include" / "mujoco" / "mujoco.h").exists():
        raise Missing("MuJoCo is missing (pip install mujoco)")
    flags = (*OPTIMISED, "-std=c11", f"-I{folder / 'include'}")
    after = (str(native), f"-Wl,-rpath,{folder}")
    found = load(build(clang("clang"), SOURCES / "mujoco_motion.c", flags, native.name.encode(), after))
    for name, result, arguments in (
        ("motion_model", POINTER, (ctypes.c_char_p,)),
        ("motion_data", POINTER, (POINTER,)),
        ("motion_delete", None, (POINTER, POINTER)),
        ("motion_version", ctypes.c_char_p, ()),
        ("motion_step_size", None, (POINTER, NUMBER, NUMBER, NUMBER)),
        ("motion_steps", NUMBER, (POINTER, POINTER, POINTER, POINTER, WHOLE, POINTER)),
        (
            "motion_strikes",
            NUMBER,
            (POINTER, POINTER, POINTER, POINTER, POINTER, WHOLE, WHOLE, NUMBER, NUMBER, WHOLE, POINTER),
        ),
    ):
        getattr(found, name).restype = result
        getattr(found, name).argtypes = arguments
    return found


class MuJoCo:
    """One system in MuJoCo, from one initial state."""

    def __init__(self, name: str, q: Sequence[float], v: Sequence[float]) -> None:
        self.library = library()
        self.version = self.library.motion_version().decode()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "system.xml")
            path.write_text(document(name), encoding="utf-8")
            self.model = self.library.motion_model(str(path).encode())
        assert self.model, f"MuJoCo does not read {name}"
        self.data = self.library.motion_data(self.model)
        self.q, self.v = np.array(q, dtype=float), np.array(v, dtype=float)

    def steps(self, dt: float, count: int) -> tuple[float, Any]:
        """Processor's time of so many steps [s], and the state at their end."""
        end = np.zeros(len(self.q) + len(self.v))
        self.library.motion_step_size(self.model, dt, 0.02, 1.0)
        spent = self.library.motion_steps(
            self.model, self.data, self.q.ctypes.data, self.v.ctypes.data, count, end.ctypes.data
        )
        return spent, end

    def strikes(
        self, dt: float, reference: tuple[float, float], feet: int, ahead: float, until: float, count: int
    ) -> tuple[float, Any]:
        """Processor's time until so many strikes [s], and when they were; feet are the geoms after the floor.

        Args:
            dt: Step [s].
            reference: `solref` of the contacts.
            feet: How many; the first one stands.
            ahead: How far ahead a foot touches [m].
            until: When to give up [s].
            count: Of strikes.
        """
        times, numbers = np.zeros(count), np.arange(1, feet + 1, dtype=np.int64)
        self.library.motion_step_size(self.model, dt, *reference)
        spent = self.library.motion_strikes(
            self.model,
            self.data,
            self.q.ctypes.data,
            self.v.ctypes.data,
            numbers.ctypes.data,
            feet,
            0,
            ahead,
            until,
            count,
            times.ctypes.data,
        )
        return spent, times

    def close(self) -> None:
        self.library.motion_delete(self.model, self.data)
