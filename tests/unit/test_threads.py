"""Several threads, tasks and processes that ask for the same thing for the first time: all are answered alike.

What is wrong here ends the process by a signal, so every case is a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.cold import ENTRIES

THREADS = 2
AGAIN = ("simulate one system", "simulate structures", "other values", "ensemble", "dynamics", "kinematics")
"""Entries that are called again with a full cache; the others load from it what these load too."""


def python(arguments: list[str], cache: Path, root: Path, folder: Path) -> str:
    """What a new interpreter says; it has to end well."""
    paths = [str(root / "src"), str(root / "tests"), os.environ.get("PYTHONPATH", "")]
    known = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(
        [sys.executable, *arguments], env=known, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ENTRIES)
def test_first_calls_of_several_threads(name: str, models_dir: Path, root_dir: Path, tmp_path: Path) -> None:
    """With an empty cache on disk, and again with a full one: to the last bit what a single thread finds."""
    for _ in range(2 if name in AGAIN else 1):
        call = ["-m", "support.cold", name, str(models_dir), str(THREADS)]
        assert python(call, tmp_path / "cache", root_dir, tmp_path) == "same\n"


TASKS = """
import asyncio, sys
import sistel
from support.cold import digest, run_of

async def main(path):
    system = sistel.load(path)
    found = await asyncio.gather(*(asyncio.to_thread(lambda: digest(run_of(system.simulate(0.5)))) for _ in range(24)))
    print(len(set(found)), len(found))

asyncio.run(main(sys.argv[1]))
"""


def test_many_tasks(models_dir: Path, root_dir: Path, tmp_path: Path) -> None:
    call = ["-c", TASKS, str(models_dir / "hopper.xml")]
    assert python(call, tmp_path / "cache", root_dir, tmp_path) == "1 24\n"


FORK = """
import multiprocessing, sys, threading, time
import numpy as np
import sistel
from support.cold import digest, run_of

path, other = sys.argv[1:]
system, ball = sistel.load(path), sistel.load(other)
def work(number):
    e = ball.ensemble(0.5, parameters={"e": np.linspace(0.1, 0.8, 4)}, chunk=2, threads=2)
    return digest((run_of(system.simulate(0.5)), run_of(system.simulate(0.5, parameters={"h": 0.2})), e.state))

expected = work(0)
stop = threading.Event()
def busy():  # simulates, compiles and runs ensembles while children begin
    while not stop.is_set():
        work(0)
        sistel.load(other).simulate(0.1)
threads = [threading.Thread(target=busy) for _ in range(2)]
[thread.start() for thread in threads]
try:
    found = []
    for _ in range(2):
        time.sleep(0.03)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            found += pool.map_async(work, range(2)).get(timeout=120)
finally:
    stop.set()
[thread.join() for thread in threads]
print(set(found) == {expected}, len(found))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_children_go_on_with_what_is_compiled(models_dir: Path, root_dir: Path, tmp_path: Path) -> None:
    """Also those that are made while other threads compile and simulate, whose locks nobody will ever let go."""
    call = ["-W", "ignore::DeprecationWarning", "-c", FORK]  # Python 3.12 warns of every fork beside threads
    call += [str(models_dir / "hopper.xml"), str(models_dir / "bouncing_ball.xml")]
    assert python(call, tmp_path / "cache", root_dir, tmp_path) == "True 4\n"


PART = """
import importlib, sys
try:
    import _xxsubinterpreters as parts
except ImportError:
    import _interpreters as parts
import sistel
sistel.load(sys.argv[1]).simulate(0.1)
text = '''
import sistel
try:
    sistel.load(%r)
except sistel.SistelError as error:
    print(error.diagnostics[0].code, error.diagnostics[0].message.en, flush=True)
''' % sys.argv[1]
made = parts.create()
getattr(parts, "run_string")(made, text)
"""


def test_another_interpreter_of_the_process_is_refused(models_dir: Path, root_dir: Path, tmp_path: Path) -> None:
    call = ["-c", PART, str(models_dir / "pendulum.xml")]
    said = python(call, tmp_path / "cache", root_dir, tmp_path)
    assert said.startswith("sub-interpreter nothing is computed here: NumPy and LLVM serve one interpreter")


def test_a_run_within_a_run(models_dir: Path) -> None:
    """What is told of the progress may simulate the same system; both go on undisturbed."""
    import numpy as np

    import sistel

    system = sistel.load(models_dir / "hopper.xml")
    expected = system.simulate(1.0).q
    inner: list[object] = []
    found = system.simulate(1.0, progress=lambda t, name: inner.append(system.simulate(1.0).q))
    assert np.array_equal(found.q, expected)
    assert inner and all(np.array_equal(np.asarray(each), expected) for each in inner)
