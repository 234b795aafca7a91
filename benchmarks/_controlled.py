"""A Panda under a PD law at 1 kHz, as sistel and MuJoCo see it: the same numbers, no friction, no limits."""

from __future__ import annotations

import ctypes
import re
import shutil
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from _mujoco import mjcf
from _native import OPTIMISED, SOURCES, Missing, build, load
from _robots import ALL, pair

import sistel

KP, KD = 60.0, 8.0
PERIOD = 1e-3
START = np.array([0.0, -0.3, 0.0, -2.0, 0.0, 1.7, 0.5])
GOAL = np.array([0.6, 0.2, -0.4, -1.4, 0.5, 2.1, -0.3])


class Arm:
    """The arm on both sides."""

    def __init__(self) -> None:
        found = pair(ALL["panda"])
        assert list(found.order) == list(range(7))
        plain = re.sub(r' damping="[^"]*"| (?:min|max|speed)="[^"]*"|<mesh [^>]*/>', "", found.system.to_xml())
        plain = re.sub(r'(<motor name="[^"]*") limit="[^"]*"/>', r"\1/>", plain)
        self.bare = sistel.parse(plain)
        motors = [motor.name for motor in self.bare.model.motors]
        assert len(motors) == 7
        blocks = "".join(
            f'<block name="u{i}" kind="pd" in="{goal!r} rad - angle({name})" rate="-rate({name})" '
            f'kp="{KP} N*m/rad" kd="{KD} N*m*s/rad"/><output motor="{name}" from="u{i}"/>'
            for i, (name, goal) in enumerate(zip(motors, GOAL.tolist(), strict=True))
        )
        scheme = f'<scheme name="drive" period="{PERIOD * 1e3:g} ms">{blocks}</scheme></system>'
        self.driven = sistel.parse(plain.replace("</system>", scheme))
        self.mjcf = mjcf(found)


def python_loop(arm: Arm, dt: float, ticks: int) -> tuple[Any, Any]:
    """MuJoCo's model and data, and a function that goes through some ticks with a law of Python."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(arm.mjcf)
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, dt
    data, parts = mujoco.MjData(model), round(PERIOD / dt)

    def go() -> Any:
        mujoco.mj_resetData(model, data)
        data.qpos[:] = START
        for _ in range(ticks):
            data.qfrc_applied[:] = KP * (GOAL - data.qpos) - KD * data.qvel
            mujoco.mj_step(model, data, parts)
        return np.concatenate([data.qpos, data.qvel])

    return model, go


class NativeLoop:
    """The same in C."""

    def __init__(self, arm: Arm) -> None:
        folder = Path(sysconfig.get_path("purelib"), "mujoco")
        native = next(iter((*folder.glob("libmujoco.so.*"), *folder.glob("libmujoco.*.dylib"))), None)
        compiler = next((found for name in ("clang", "cc", "gcc") if (found := shutil.which(name))), None)
        if native is None or compiler is None:
            raise Missing("MuJoCo or a C compiler is missing (pip install mujoco; apt install clang)")
        flags, after = (*OPTIMISED, f"-I{folder / 'include'}"), (str(native), f"-Wl,-rpath,{folder}")
        self.library = load(build(compiler, SOURCES / "mujoco_control.c", flags, native.name.encode(), after))
        pointer, whole, number = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
        self.library.control_model.restype = self.library.control_data.restype = pointer
        self.library.control_data.argtypes = (pointer,)
        self.library.control_run.restype = number
        self.library.control_run.argtypes = (*[pointer] * 4, *[number] * 3, whole, whole, pointer)
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch, "arm.xml")
            path.write_text(arm.mjcf, encoding="utf-8")
            self.model = self.library.control_model(str(path).encode())
        assert self.model
        self.data, self.end = self.library.control_data(self.model), np.zeros(14)

    def run(self, dt: float, ticks: int) -> tuple[float, Any]:
        """The time of all steps [s], and the state at the end."""
        parts = round(PERIOD / dt)
        q, goal, end = (array.ctypes.data for array in (START, GOAL, self.end))
        spent = self.library.control_run(self.model, self.data, q, goal, KP, KD, dt, ticks, parts, end)
        return spent, self.end.copy()
