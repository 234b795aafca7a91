"""The Panda arm on a GPU: evaluations a second and the share of the device's own copy bandwidth.

The machine with the GPU needs NumPy, CUDA's driver, and nvcc or NVRTC, but neither this package nor the robot::

    python benchmarks/bench_gpu.py --prepare FOLDER     # here: sources, states and expected results, a few MB
    python benchmarks/bench_gpu.py --run FOLDER         # there: checks every variant, then times it

Each quantity comes in several variants (states of a thread, block size, …). Every one is checked before anything is
timed: on a count that fills no block, over poisoned outputs, against the NumPy reference. Then rounds follow in which
each variant has its turn and so has a device-to-device copy of the same number of bytes. Bytes are those of inputs and
outputs, each touched once. With CuPy there, `compile_cuda` is checked on the same states too.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE)]

STATES = 1024
TOLERANCE = {"float32": 1e-5, "float64": 1e-12}
"""Largest error allowed, relative to the largest entry of the same output."""
VOLUME = 2.0e9
"""Bytes that one launch moves, about: many times the cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    quantity: str
    dtype: str
    states: int
    least_blocks: int | None = None
    sincos: str = "own"
    block: int = 64

    @property
    def key(self) -> str:
        words = [self.quantity, self.dtype, f"x{self.states}"]
        words += [f"block{self.block}"] if self.block != 64 else []
        words += [f"least{self.least_blocks}"] if self.least_blocks else []
        return "-".join([*words, *(["library"] if self.sincos == "library" else [])])


def variants() -> list[Variant]:
    found: list[Variant] = []
    caps = {("float32", 2): (8, 10), ("float32", 4): (8,), ("float64", 1): (5, 6, 7), ("float64", 2): (5,)}
    for quantity in ("inverse_dynamics", "forward_dynamics", "mass_matrix", "kinematics"):
        for dtype, many in (("float32", (1, 2, 4)), ("float64", (1, 2))):
            for states in many:
                case = {"quantity": quantity, "dtype": dtype, "states": states}
                found.append(Variant(**case))
                found += [Variant(**case, least_blocks=least) for least in caps.get((dtype, states), ())]
            # How much the own sine and cosine bring.
            found.append(Variant(quantity=quantity, dtype=dtype, states=1, sincos="library"))
    return found


# --- here ------------------------------------------------------------------------------------------------------------


def programs() -> dict[str, Any]:
    """The Panda arm's programs; kinematics are the pose and the Jacobian of the last body in one."""
    import sysconfig

    import sistel
    from sistel.expr import Expr, Graph
    from sistel.mechanics import Kinematics, build_tree, derive

    robots = Path(sysconfig.get_path("purelib"), "cmeel.prefix", "share", "example-robot-data", "robots")
    fingers = ("panda_finger_joint1", "panda_finger_joint2")
    arm = sistel.load(robots / "panda_description" / "urdf" / "panda.urdf", lock=fingers)
    tree = build_tree(arm.model)
    found = {name: derive(tree, name) for name in ("inverse_dynamics", "forward_dynamics", "mass_matrix")}
    graph = Graph()
    kinematics = Kinematics(tree, list(graph.inputs("q", arm.nq)))
    body = arm.model.bodies[-1].number
    place, axes = (
        kinematics.place(body, (0.0, 0.0, 0.0)),
        kinematics.axes(body, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))),
    )
    pose = [*(entry for i in range(3) for entry in (*axes[i], place[i])), 0.0, 0.0, 0.0, 1.0]
    jacobian = [entry for row in kinematics.jacobian(body, (0.0, 0.0, 0.0)) for entry in row]

    def expressions(values: list[Any]) -> list[Expr]:
        return [value if isinstance(value, Expr) else graph.constant(float(value)) for value in values]

    found["kinematics"] = graph.program({"pose": expressions(pose), "jacobian": expressions(jacobian)})
    return found


def prepare(folder: Path) -> None:
    """Write sources, programs, states and expected results."""
    from sistel.kernels import compile_program, to_cuda

    folder.mkdir(parents=True, exist_ok=True)
    found = programs()
    rng = np.random.default_rng(1)
    blocks = {"q": rng.uniform(-np.pi, np.pi, (STATES, 7))}
    blocks |= {name: rng.normal(size=(STATES, 7)) for name in ("v", "a", "tau")}
    # Exact in both precisions, so that one set of results serves both.
    blocks = {name: block.astype(np.float32).astype(np.float64) for name, block in blocks.items()}
    arrays: dict[str, Any] = {f"in.{name}": np.ascontiguousarray(block.T) for name, block in blocks.items()}
    for name, program in found.items():
        results = compile_program(program, backend="numpy")(*(blocks[block] for block, _ in program.inputs))
        results = results if isinstance(results, tuple) else (results,)
        for (block, _), result in zip(program.outputs, results, strict=True):
            arrays[f"out.{name}.{block}"] = np.ascontiguousarray(result.T)
    np.savez_compressed(folder / "states.npz", **arrays)
    (folder / "programs.json").write_text(json.dumps({name: asdict(program) for name, program in found.items()}))
    for variant in variants():
        source = to_cuda(
            found[variant.quantity],
            variant.quantity,
            variant.dtype,
            states=variant.states,
            block=variant.block,
            least_blocks=variant.least_blocks,
        )
        if variant.sincos == "library":
            source = source.replace("if (huge)", "if (true)")
        (folder / f"{variant.key}.cu").write_text(source, encoding="utf-8")
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{len(list(folder.glob('*.cu')))} sources, {size / 1e6:.1f} MB in {folder}")


# --- there -----------------------------------------------------------------------------------------------------------


class Quantity:
    """Arrays of one quantity in one precision on the device."""

    def __init__(self, driver: Any, name: str, dtype: str, fields: dict[str, Any], states: Any) -> None:
        self.driver, self.name, self.dtype = driver, name, dtype
        self.itemsize = np.dtype(dtype).itemsize
        self.inputs = [(block, size) for block, size in fields["inputs"]]
        self.outputs = [(block, size) for block, size in fields["outputs"]]
        self.numbers = sum(size for _, size in (*self.inputs, *self.outputs))
        self.count = int(VOLUME / (self.numbers * self.itemsize)) // 8192 * 8192
        self.states = states
        total = self.numbers * self.count * self.itemsize
        self.memory = driver.allocate(total + 256 * len((*self.inputs, *self.outputs)))
        self.bytes = total

    def pointers(self, count: int) -> list[int]:
        at, found = self.memory, []
        for _, size in (*self.inputs, *self.outputs):
            found.append(at)
            at += (size * count * self.itemsize + 255) // 256 * 256
        return found

    def fill(self, count: int) -> None:
        """The states over and over."""
        for pointer, (block, size) in zip(self.pointers(count), self.inputs, strict=False):
            rows = self.states[f"in.{block}"].astype(self.dtype)
            assert rows.shape == (size, STATES)
            for i, row in enumerate(rows):
                start, done = pointer + i * count * self.itemsize, min(STATES, count)
                self.driver.upload(start, np.ascontiguousarray(row), done * self.itemsize)
                while done < count:
                    more = min(done, count - done)
                    self.driver.copy(start + done * self.itemsize, start, more * self.itemsize)
                    done += more
        self.driver.synchronize()

    def error(self, count: int, launch: Any) -> float:
        """The largest error of one launch, relative to the largest entry of each output."""
        pointers = self.pointers(count)
        for pointer, (_, size) in zip(pointers[len(self.inputs) :], self.outputs, strict=True):
            self.driver.poison(pointer, size * count * self.itemsize)
        launch()
        self.driver.synchronize()
        worst = 0.0
        for pointer, (block, size) in zip(pointers[len(self.inputs) :], self.outputs, strict=True):
            got = np.empty((size, count), self.dtype)
            self.driver.download(got, pointer, got.nbytes)
            expected = self.states[f"out.{self.name}.{block}"]
            expected = np.tile(expected, (1, -(-count // STATES)))[:, :count]
            difference = np.abs(got - expected).max() / np.abs(expected).max()
            worst = max(worst, float(difference)) if np.isfinite(difference) else float("inf")
        return worst


def run(folder: Path, path: Path, seconds: float) -> int:
    """Check and time all variants; the numbers go to a file, a table to the screen."""
    from _cuda_driver import Driver, compile_all

    began = time.perf_counter()
    driver = Driver()
    fields = json.loads((folder / "programs.json").read_text())
    states = dict(np.load(folder / "states.npz"))
    tried = variants()
    with tempfile.TemporaryDirectory() as scratch:
        sources = {variant.key: folder / f"{variant.key}.cu" for variant in tried}
        images, compiler = compile_all(sources, Path(scratch), driver.capability)
    taken = time.perf_counter() - began
    print(f"{driver.name}, CUDA {driver.version()}, {compiler}: {len(images)} sources in {taken:.0f} s", flush=True)
    results: list[dict[str, Any]] = []
    pairs = sorted({(variant.quantity, variant.dtype) for variant in tried})
    for name, dtype in pairs:
        quantity = Quantity(driver, name, dtype, fields[name], states)
        mine = [variant for variant in tried if (variant.quantity, variant.dtype) == (name, dtype)]
        rows = race(quantity, mine, images, 0.8 * (seconds - taken) / len(pairs))
        driver.free(quantity.memory)
        show(quantity, rows)
        results += rows
    with_cupy = check_cupy(fields, states)
    print(f"\ncompile_cuda: {with_cupy}")
    document: dict[str, Any] = {"benchmark": "gpu", "device": driver.name, "cuda": driver.version()}
    document |= {"compiler": compiler, "cupy": with_cupy, "cases": results, "seconds": time.perf_counter() - began}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    wrong = [row["variant"] for row in results if not row["error"] <= TOLERANCE[row["dtype"]]]
    print(f"{document['seconds']:.0f} s, wrong: {', '.join(wrong) or 'none'}, {path}")
    return 1 if wrong or "WRONG" in with_cupy else 0


def race(quantity: Quantity, tried: list[Variant], images: dict[str, bytes], budget: float) -> list[dict[str, Any]]:
    """The variants of one quantity, checked and timed, the quickest first."""
    driver, count = quantity.driver, quantity.count
    cases: dict[str, Any] = {}
    rows: dict[str, dict[str, Any]] = {}
    odd = 33 * STATES + 4
    quantity.fill(odd)
    for variant in tried:
        module = driver.load(images[variant.key])
        suffix = "" if variant.states == 1 else f"_x{variant.states}"
        function = driver.function(module, variant.quantity + suffix)

        def launcher(number: int, variant: Variant = variant, function: Any = function) -> Any:
            grid = -(-number // (variant.block * variant.states))
            return driver.launcher(function, grid, variant.block, quantity.pointers(number), number)

        registers, local = driver.registers(function)
        rows[variant.key] = {
            "variant": variant.key,
            **asdict(variant),
            "registers": registers,
            "local": local,
            "threads": driver.resident(function, variant.block) * variant.block,
            "error": quantity.error(odd, launcher(odd)),
        }
        cases[variant.key] = launcher(count)
    quantity.fill(count)
    half = quantity.bytes // 2 // 256 * 256
    cases["copy"] = lambda: driver.copy(quantity.memory + half, quantity.memory, half)
    times = time_all(driver, cases, budget, refill=lambda: quantity.fill(count))
    copies = times.pop("copy")
    for key, values in times.items():
        best, middle = min(values), float(np.median(values))
        rows[key] |= {
            "count": count,
            "bytes": quantity.bytes,
            "rounds": len(values),
            "rate": count / best,
            "median_rate": count / middle,
            "copy": 2 * half / min(copies),
            "share": quantity.bytes / best / (2 * half / min(copies)),
            "median_share": quantity.bytes / middle / (2 * half / float(np.median(copies))),
        }
    return sorted(rows.values(), key=lambda row: -float(row["rate"]))


def time_all(driver: Any, cases: dict[str, Any], budget: float, refill: Callable[[], None]) -> dict[str, list[float]]:
    """Seconds of one launch, round by round, each case in its turn; the first round warms up."""
    launches = 3
    events = driver.event(), driver.event()
    times: dict[str, list[float]] = {key: [] for key in cases}
    rng = np.random.default_rng(2)
    begin = time.perf_counter()
    keys = list(cases)
    for round_ in range(60):
        if round_ > 5 and time.perf_counter() - begin > budget:
            break
        for index in rng.permutation(len(keys)):
            key = keys[index]
            cases[key]()
            driver.record(events[0])
            for _ in range(launches):
                cases[key]()
            driver.record(events[1])
            seconds = driver.seconds(*events) / launches
            if key == "copy":
                refill()  # the copy went over the inputs
            if round_:
                times[key].append(seconds)
    return times


def show(quantity: Quantity, rows: list[dict[str, Any]]) -> None:
    name, dtype, copy = quantity.name, quantity.dtype, rows[0]["copy"] / 1e12
    print(f"\n{name} {dtype}, {quantity.count} states, copy {copy:.3f} TB/s, {rows[0]['rounds']} rounds", flush=True)
    for row in rows:
        words = [
            f"  {row['variant'].removeprefix(f'{name}-{dtype}-'):16}",
            f"{row['registers']:3} registers, {row['threads']:4} threads, {row['local']:3} B",
            f"{row['rate'] / 1e9:6.2f} G/s {row['share']:6.1%} (median {row['median_share']:6.1%})",
            f"error {row['error']:.1e}",
        ]
        print(" ".join(words), flush=True)


def check_cupy(fields: dict[str, Any], states: Any) -> str:
    """The package's own runner on the same states, where CuPy is installed."""
    try:
        import cupy
    except ImportError as error:
        return f"no CuPy ({error})"
    from sistel.expr import Program
    from sistel.kernels import compile_cuda

    worst: dict[str, float] = {}
    for name, columns in fields.items():
        blocks = {key: tuple(map(tuple, columns[key])) for key in ("inputs", "outputs")}
        program = Program(**{key: tuple(value) for key, value in columns.items()} | blocks)
        for dtype in ("float32", "float64"):
            kernel = compile_cuda(program, dtype=dtype, name=name)
            for count in (1, 63, 1000, STATES):
                given = [states[f"in.{block}"][:, :count] for block, _ in program.inputs]
                for arrays in (given, [cupy.asarray(array) for array in given]):
                    got = kernel(*arrays)
                    for (block, _), array in zip(
                        program.outputs, got if isinstance(got, tuple) else (got,), strict=True
                    ):
                        expected = states[f"out.{name}.{block}"][:, :count]
                        error = np.abs(cupy.asnumpy(array) - expected).max() / np.abs(expected).max()
                        worst[dtype] = max(worst.get(dtype, 0.0), float(error))
    fits = all(worst[dtype] <= TOLERANCE[dtype] for dtype in worst)
    return f"CuPy {cupy.__version__}, {'right' if fits else 'WRONG'}, errors {worst}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepare", type=Path, metavar="FOLDER", help="write what the other machine needs")
    parser.add_argument("--run", type=Path, metavar="FOLDER", help="check and time what was prepared")
    parser.add_argument("--json", type=Path, default=HERE / "results" / "gpu.json", help="file for the numbers")
    parser.add_argument("--seconds", type=float, default=150.0, help="time to aim at (150)")
    arguments = parser.parse_args()
    if arguments.prepare:
        prepare(arguments.prepare)
    if arguments.run:
        return run(arguments.run, arguments.json, arguments.seconds)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main())
