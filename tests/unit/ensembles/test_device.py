"""Runs on a GPU: what makes its program is tested here without one, by running that very program on the processor."""

from __future__ import annotations

import ctypes
import math
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.ensembles import Blueprint, options_of
from sistel.ensembles import _batch_loop as m
from sistel.ensembles._device import device_named
from sistel.ensembles._device_code import GIVEN, KERNEL, DeviceBuilder, device_code
from sistel.ensembles._live import live_workshop
from sistel.ensembles._store import Store
from sistel.ensembles._workshop import Workshop
from sistel.errors import SistelError, Text
from sistel.kernels import Code, assemble
from sistel.kernels.device import Module, put_together, to_ptx

MODELS = Path(__file__).parents[3] / "models"
LIBRARY = """
define void @values(i64 %count, ptr %x, ptr %exp, ptr %log, ptr %sin) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %number = load double, ptr %at
  %a = call double @library.exp(double %number)
  %b = call double @library.log(double %number)
  %c = call { double, double } @library.far(double %number)
  %s = extractvalue { double, double } %c, 0
  %at.exp = getelementptr double, ptr %exp, i64 %i
  %at.log = getelementptr double, ptr %log, i64 %i
  %at.sin = getelementptr double, ptr %sin, i64 %i
  store double %a, ptr %at.exp
  store double %b, ptr %at.log
  store double %s, ptr %at.sin
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare double @library.exp(double)
declare double @library.log(double)
declare { double, double } @library.far(double)
"""


@pytest.fixture(scope="module")
def walker() -> sistel.System:
    return sistel.load(MODELS / "compass_walker.xml")


def shop_of(system: sistel.System, method: str = "auto") -> Workshop:
    options = options_of(
        system._model,
        until=4.0,
        events=6,
        stop=(),
        structure=None,
        tolerance=2.0**-52,
        method=method,
        longest=math.inf,
        steps=100_000,
        kept=8,
    )
    return Workshop(Blueprint(system._recipe, system.fingerprint), (), options)


def on_host(builder: DeviceBuilder) -> Code:
    """The program of a device as that of one thread of the processor, which does all runs."""
    text = str(put_together(builder.gather(), KERNEL))
    text = re.sub(r"addrspacecast ptr (%\S+) to ptr addrspace\(5\)", r"getelementptr i8, ptr \1, i64 0", text)
    text = re.sub(r"addrspacecast ptr addrspace\(5\) (%\S+) to ptr", r"getelementptr i8, ptr \1, i64 0", text)
    text = text.replace(" addrspace(5)", "").replace("ptx_kernel ", "")
    text = re.sub(r"call void @llvm.nvvm.bar.warp.sync\(i32 -1\)", "", text)
    text = re.sub(r"(tail )?call void @llvm\.nvvm\.barrier\S*\(.*\)", "", text)
    text = re.sub(r"(tail )?call i32 @llvm\.nvvm\.barrier\S*\(i32 0, i1 (%\S+)\)", r"zext i1 \2 to i32", text)
    text = re.sub(r"declare .*@llvm\.nvvm\..*\n", "", text)
    return Code(assemble(text))


def run_on_host(builder: DeviceBuilder, starts: Any, values: Any = None) -> dict[str, Any]:
    """Results of runs from some states, with some values of live parameters."""
    code = on_host(builder)
    (count, size), kept, asks, lives = starts.shape, 8, builder.shop.asks(), np.zeros(1)
    if values is not None:
        engine: Any = builder.shop.engine
        lives = np.ascontiguousarray(engine.hoisted_rows(values)[:, : len(builder.driver.live)])
        asks[m.LIVE], asks[m.HEADS] = lives.shape[1], len(builder.driver.heads)
    arrays = {
        "starts": np.ascontiguousarray(starts),
        "lives": lives,
        "asks": asks,
        "answers": np.zeros(count, dtype=np.int64),
        "rows": np.zeros((count, m.ROW), dtype=np.int64),
        "finals": np.full((count, size), np.nan),
        "sequences": np.full((count, kept), -1, dtype=np.int64),
        "moments": np.full((count, kept + 1), np.nan),
        "losses": np.zeros(count),
    }
    image, queue = builder.rooms.image.copy(), np.zeros(1, dtype=np.int64)
    given = [image, *(arrays[name] for name in GIVEN), queue]
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(given), ctypes.c_int64)(code.address(KERNEL))
    function(*(each.ctypes.data for each in given), count)
    return arrays


def test_the_program_of_a_device_does_the_runs_of_the_processor(walker: sistel.System) -> None:
    stance = np.linspace(0.95, 1.15, 9)
    found = walker.ensemble(4.0, parameters={"stance": stance}, events=6, method="taylor")
    starts = np.array([found.run(i).segments[0].coefficients[0, :, 0] for i in range(len(stance))])
    arrays = run_on_host(DeviceBuilder(shop_of(walker)), starts)
    rows = arrays["rows"]
    assert (rows[:, m.OUTCOME] == found.outcome).all() and (rows[:, m.PASSED] == found.events).all()
    assert (rows[:, m.FINAL] == found.structure).all() and (rows[:, m.TAKEN] == found.steps).all()
    pattern = rows[:, m.PATTERN] * (m.PRIME + 1) + rows[:, m.PATTERN_2]
    assert (pattern == found.pattern).all() and found.events.max() >= 4
    first = np.arange(8) < found.events[:, np.newaxis]
    np.testing.assert_allclose(arrays["moments"][:, :8][first], found.times[first], rtol=1e-9)
    np.testing.assert_allclose(arrays["losses"], found.loss, rtol=1e-7)
    np.testing.assert_allclose(arrays["finals"], found.state, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "rimless_wheel", "stick_slip"])
def test_smooth_motions_loops_and_comparisons_are_the_same_too(name: str) -> None:
    system = sistel.load(MODELS / f"{name}.xml")
    found = system.ensemble(4.0, events=6, method="taylor")
    arrays = run_on_host(DeviceBuilder(shop_of(system)), found.run(0).segments[0].coefficients[:1, :, 0])
    row = arrays["rows"][0]
    assert (row[m.OUTCOME], row[m.PASSED], row[m.TAKEN]) == (found.outcome[0], found.events[0], found.steps[0])
    np.testing.assert_allclose(arrays["finals"], found.state, rtol=1e-11, atol=1e-11)


def test_equations_follow_live_parameters(walker: sistel.System) -> None:
    slopes = np.array([0.04, 0.05, 0.06])
    found = walker.ensemble(4.0, parameters={"slope": slopes}, events=6, method="taylor")
    starts = np.array([found.run(i).segments[0].coefficients[0, :, 0] for i in range(len(slopes))])
    shop = live_workshop(found.work.blueprint, ("slope",), found.work.options)
    assert shop is not None
    arrays = run_on_host(DeviceBuilder(shop), starts, slopes[:, np.newaxis])
    assert (arrays["rows"][:, m.PASSED] == found.events).all() and len(set(found.state[:, 0])) == 3
    np.testing.assert_allclose(arrays["finals"], found.state, rtol=1e-7, atol=1e-7)


def test_ptx_is_made_for_a_system_with_events(walker: sistel.System) -> None:
    code = device_code(shop_of(walker))
    assert f".entry {KERNEL}" in code.ptx and "bar.warp.sync" in code.ptx
    assert len(code.image) < code.room
    # Everything is in it: nothing is called that it does not define.
    assert ".extern" not in code.ptx


def test_functions_of_devices_are_those_of_the_library() -> None:
    code = Code(assemble(str(put_together([Module(LIBRARY, {"values": "values"})], "values"))))
    random = np.random.default_rng(3)
    x = np.concatenate([random.uniform(-700, 700, 2000), 10.0 ** random.uniform(-300, 300, 2000), [1.0, 0.0, 5e-324]])
    x = np.concatenate([x, random.uniform(0.9, 1.1, 1000), random.uniform(1e5, 9e8, 1000), [-800.0, 710.0, np.inf]])
    found = np.zeros((3, len(x)))
    function = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 4)(code.address("values"))
    function(len(x), x.ctypes.data, *(row.ctypes.data for row in found))
    with np.errstate(all="ignore"):
        exp, log = np.exp(x), np.log(x)
    np.testing.assert_allclose(found[0], exp, rtol=4.5e-16, atol=5e-324)
    np.testing.assert_allclose(found[1], log, rtol=4.5e-16)
    near = np.abs(x) < 1e9
    np.testing.assert_allclose(found[2][near], np.sin(x[near]), rtol=4.5e-16)
    assert np.isnan(found[2][~near]).all()


def test_what_devices_do_not_compute_is_refused() -> None:
    text = "define void @f(ptr %p) {\n  %x = call double @library.atan2(double 1.0, double 2.0)\n"
    text += "  store double %x, ptr %p\n  ret void\n}\ndeclare double @library.atan2(double, double)\n"
    with pytest.raises(SistelError, match="atan2") as caught:
        to_ptx([Module(text, {"f": "f"})], "f", Text("swing", "качели"))
    assert "качели" in caught.value.diagnostics[0].message.ru


def test_contacts_and_implicit_methods_are_refused(walker: sistel.System) -> None:
    with pytest.raises(SistelError, match="complementarity"):
        device_code(shop_of(sistel.load(MODELS / "bouncing_ball.xml")))
    with pytest.raises(SistelError, match="implicit"):
        device_code(shop_of(walker, method="radau"))


def test_a_device_that_is_not_there_is_refused(walker: sistel.System) -> None:
    with pytest.raises(SistelError, match="no device 'tpu'"):
        walker.ensemble(1.0, device="tpu")  # type: ignore[arg-type]
    if find_spec("cupy") is None:
        with pytest.raises(SistelError, match="CuPy"):
            walker.ensemble(1.0, device="cuda")


def test_results_of_devices_and_processors_do_not_mix(walker: sistel.System, tmp_path: Path) -> None:
    """They round otherwise: a folder begun by one of them is not finished by the other."""
    given = {"stance": np.linspace(0.95, 1.15, 4)}
    done = walker.ensemble(1.0, parameters=given, keep=tmp_path / "processors")
    with pytest.raises(SistelError, match="what differs: device"):
        Store(tmp_path / "processors", done.work, "cuda")
    Store(tmp_path / "cuda", done.work, "cuda")
    Store(tmp_path / "cuda", done.work, "cuda")
    with pytest.raises(SistelError, match="what differs: device"):
        walker.ensemble(1.0, parameters=given, keep=tmp_path / "cuda")


@pytest.mark.gpu
def test_runs_on_a_device(walker: sistel.System) -> None:
    try:
        device_named("cuda")
    except SistelError as problem:
        pytest.skip(str(problem))
    given = {"stance": np.linspace(0.95, 1.15, 500)}
    here = walker.ensemble(4.0, parameters=given, events=6, method="taylor")
    there = walker.ensemble(4.0, parameters=given, events=6, device="cuda")
    assert (here.outcome == there.outcome).all() and (here.pattern == there.pattern).all()
    np.testing.assert_allclose(there.times, here.times, rtol=1e-8)
