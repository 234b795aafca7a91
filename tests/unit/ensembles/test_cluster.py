"""Runs on the machines of a cluster: the same bits whoever is killed meanwhile, and a kind word where nobody is there.

Schedulers, workers and clients are processes of their own, started as users start them.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import sistel_program

import sistel
from sistel.ensembles import Ensemble, _carried, _cluster
from sistel.ensembles import _batch_loop as m
from sistel.ensembles._part import COLUMNS

MODELS = Path(__file__).resolve().parents[3] / "models"
FALLS = ("fell forward", "fell backward")
RUNS, CHUNK = 4000, 100
PATIENCE = 120.0
"""How long anything here may take on a busy machine [s]."""

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow


def walker() -> sistel.System:
    return sistel.load(MODELS / "simplest_walker_basin.xml")


def basin(system: sistel.System, **options: Any) -> Ensemble:
    random = np.random.default_rng(3)
    given = {"theta": random.uniform(0.05, 0.3, RUNS), "excess": random.uniform(-0.01, 0.03, RUNS)}
    return system.ensemble(200.0, parameters=given, events=20, stop=FALLS, **{"chunk": CHUNK, **options})


def same(first: Ensemble, second: Ensemble) -> bool:
    """To the bit."""
    return all(np.asarray(getattr(first, c)).tobytes() == np.asarray(getattr(second, c)).tobytes() for c in COLUMNS)


def environment(**more: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LC_MESSAGES", "LANGUAGE")}
    return kept | {"LANG": "C.UTF-8", "PYTHONPATH": str(Path(sistel.__file__).parent.parent)} | more


class Command:
    """`sistel cluster`, which is running."""

    def __init__(self, *words: str, cwd: Path, **variables: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sistel", "cluster", "--json", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(**variables),
            cwd=cwd,
        )
        lines: list[str] = []
        assert self.process.stdout is not None
        while not lines or lines[-1] != "}\n":
            lines.append(self.process.stdout.readline())
            assert lines[-1], self.process.communicate()
        self.address = str(json.loads("".join(lines))["address"])

    def worker(self) -> int:
        """The process of its only worker."""
        psutil: Any = pytest.importorskip("psutil")
        (child,) = psutil.Process(self.process.pid).children()
        return int(child.pid)

    def end(self, number: signal.Signals = signal.SIGINT) -> tuple[str, str]:
        """End it, unless it has ended; what it has said since."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.communicate(timeout=PATIENCE)


class Machines:
    """A scheduler and workers, each a command of its own."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.scheduler = Command("--workers", "0", "--port", "0", cwd=folder)
        self.address = self.scheduler.address
        self.workers = [Command("--workers", "1", "--join", self.address, cwd=folder) for _ in range(workers)]

    def close(self) -> None:
        for command in (*self.workers, self.scheduler):
            out, err = command.end()
            assert "Traceback" not in out + err


@contextmanager
def machines(folder: Path, workers: int = 2) -> Iterator[Machines]:
    with ExitStack() as stack:
        found = Machines(folder, workers)
        stack.callback(found.close)
        yield found


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    with machines(tmp_path_factory.mktemp("elsewhere")) as found:
        yield found


@pytest.fixture(scope="module")
def system() -> sistel.System:
    return walker()


@pytest.fixture(scope="module")
def whole(system: sistel.System) -> Ensemble:
    return basin(system, threads=2)


def once(at: float, act: Callable[[], object]) -> Callable[[int, int], None]:
    """Progress that does something once, when a share of the runs is done."""
    waiting = [act]

    def progress(done: int, of: int) -> None:
        if waiting and done >= at * of:
            waiting.pop()()

    return progress


def test_no_bit_changes(cluster: Machines, system: sistel.System, whole: Ensemble, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    found = basin(system, cluster=cluster.address, keep=tmp_path, progress=lambda *now: seen.append(now))
    assert same(whole, found) and not found.warnings and found.stopped is None
    assert seen[-1] == (RUNS, RUNS) and seen == sorted(seen) and len(seen) == RUNS // CHUNK
    assert same(whole, basin(system, threads=1, keep=tmp_path))  # the folder is that of threads
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", *[".npz"] * (RUNS // CHUNK)]


def test_workers_need_no_files(cluster: Machines, tmp_path: Path) -> None:
    """The system goes to them with all that it includes."""
    shutil.copy(MODELS / "two_legs.xml", tmp_path)
    shutil.copy(MODELS / "leg.xml", tmp_path)
    system = sistel.load(tmp_path / "two_legs.xml")
    name = system.model.coordinate_names[-1]
    given = {name: np.linspace(-0.1, 0.1, 6)}
    here = system.ensemble(0.05, initial=given, chunk=2)
    for file in tmp_path.iterdir():
        file.unlink()
    assert same(here, system.ensemble(0.05, initial=given, chunk=2, cluster=cluster.address))
    assert not here.failed.any()


def test_a_system_is_unpacked_once(whole: Ensemble) -> None:
    """However many of its chunks a worker does."""
    parcels = _carried.Parcels(whole.work)
    _carried._unpacked.cache_clear()
    parts = [_carried.do_carried(*parcels.arguments(index)).part for index in (0, 1, 2)]
    assert all(part is not None for part in parts) and _carried._unpacked.cache_info().misses == 1
    assert b"".join(part.state.tobytes() for part in parts if part) == whole.state[: 3 * CHUNK].tobytes()


def test_few_chunks_are_under_way(cluster: Machines, system: sistel.System, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as keep two workers busy, of however many there are; results do not pile up here either."""
    most: list[int] = []
    submit = _cluster._Shift._submit

    def counted(shift: Any, index: int) -> None:
        submit(shift, index)
        most.append(len(shift.waiting))

    monkeypatch.setattr(_cluster._Shift, "_submit", counted)
    found = basin(system, cluster=cluster.address, chunk=20, records=False)
    assert len(most) == RUNS // 20 and max(most) == 2 * _cluster.AHEAD and found.summary.runs == RUNS


def test_interrupting_keeps_what_is_finished(
    cluster: Machines, system: sistel.System, whole: Ensemble, tmp_path: Path
) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    part = basin(system, cluster=cluster.address, keep=tmp_path, progress=once(0.3, stop))
    assert part.stopped is not None and (part.outcome == m.NOT_RUN).any()
    assert 0.3 * RUNS / CHUNK <= len(list(tmp_path.glob("part-*.npz"))) < RUNS / CHUNK
    assert same(whole, basin(system, cluster=cluster.address, keep=tmp_path))


def test_a_worker_is_killed(cluster: Machines, system: sistel.System, whole: Ensemble) -> None:
    killed = cluster.workers[0].worker()
    found = basin(system, cluster=cluster.address, progress=once(0.3, lambda: os.kill(killed, signal.SIGKILL)))
    assert same(whole, found)
    # Another takes its place.
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with_two = Ask(cluster.address).workers()
        if len(with_two) == 2:
            break
        time.sleep(0.2)
    assert len(with_two) == 2


def test_runs_that_kill_every_worker(tmp_path: Path) -> None:
    """As those do for which there is too little memory: nobody tries for ever."""
    psutil: Any = pytest.importorskip("psutil")
    system = sistel.load(MODELS / "double_pendulum.xml")
    found = Command("--workers", "1", "--port", "0", cwd=tmp_path)
    over = threading.Event()

    def kill() -> None:
        while not over.wait(0.5):
            for worker in psutil.Process(found.process.pid).children():
                if len(Ask(found.address).workers()) == 1 and not over.wait(1.0):
                    worker.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with pytest.raises(sistel.SistelError, match="died one after another with the same runs") as problem:
            system.ensemble(1e9, steps=10**9, cluster=found.address)
        assert problem.value.diagnostics[0].code == "cluster-lost"
    finally:
        over.set()
        killer.join()
        found.end()


class Ask:
    """A scheduler, asked directly."""

    def __init__(self, address: str) -> None:
        self.address = address

    def workers(self) -> list[str]:
        import distributed

        with distributed.Client(self.address, set_as_default=False, timeout=PATIENCE) as client:
            return list(client.sync(client.scheduler.ncores))


CLIENT = """
import os, signal, sys
sys.path[:0] = sys.argv[3:]
from test_cluster import basin, walker
def progress(done, of):
    print(done, flush=True)
    if done >= of // 2:
        os.kill(os.getpid(), signal.SIGKILL)
basin(walker(), keep=sys.argv[1], cluster=sys.argv[2], progress=progress)
"""


def test_the_client_is_killed(cluster: Machines, system: sistel.System, whole: Ensemble, tmp_path: Path) -> None:
    own = Path(__file__).resolve().parent
    words = [sys.executable, "-c", CLIENT, str(tmp_path), cluster.address, str(own), str(own.parents[1])]
    killed = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment())
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    left = {path: path.stat().st_mtime_ns for path in tmp_path.glob("part-*.npz")}
    assert RUNS // CHUNK // 2 <= len(left) < RUNS // CHUNK
    assert same(whole, basin(system, cluster=cluster.address, keep=tmp_path))
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in left.items())  # nothing is done twice


def test_the_scheduler_is_killed(cluster: Machines, system: sistel.System, whole: Ensemble, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    with machines(tmp_path, workers=1) as found:
        killed: list[float] = []

        def kill() -> None:
            found.scheduler.process.kill()
            killed.append(time.monotonic())

        with pytest.raises(sistel.SistelError) as problem:
            basin(system, cluster=found.address, keep=folder, progress=once(0.3, kill))
        assert time.monotonic() - killed[0] < _cluster.ANSWERING + _cluster.LEAVING + 10.0
        (said,) = problem.value.diagnostics
        assert said.code == "cluster-lost" and "does not answer any more" in said.message.en
        assert said.hint is not None and "the same call goes on" in said.hint.en and "продолжит" in said.hint.ru
        left = {path: path.stat().st_mtime_ns for path in folder.glob("part-*.npz")}
        assert 0.3 * RUNS / CHUNK <= len(left) < RUNS / CHUNK
        for worker in found.workers:  # they say so too, and go
            assert "has gone" in worker.process.communicate(timeout=PATIENCE)[1]
            assert worker.process.returncode == 1
    assert same(whole, basin(system, cluster=cluster.address, keep=folder))  # another one goes on
    assert all(path.stat().st_mtime_ns == stamp for path, stamp in left.items())


def test_nobody_to_do_it(system: sistel.System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_cluster, "STAFFING", 1.0)
    alone = Command("--workers", "0", "--port", "0", cwd=tmp_path)
    try:
        with pytest.raises(sistel.SistelError, match="has had no workers") as problem:
            basin(system, cluster=alone.address)
    finally:
        alone.end(signal.SIGTERM)
    assert alone.process.returncode == 0
    hint = problem.value.diagnostics[0].hint
    assert hint is not None and "nothing was kept" in hint.en


def test_another_version(cluster: Machines, system: sistel.System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_carried, "code_digest", lambda: "another")
    with pytest.raises(sistel.SistelError, match="might round otherwise") as problem:
        basin(system, cluster=cluster.address)
    (said,) = problem.value.diagnostics
    assert said.code == "other-version" and "tcp://127.0.0.1:" in said.message.ru and said.hint is not None


def test_another_processor(
    cluster: Machines, system: sistel.System, whole: Ensemble, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = _carried.this_machine()
    monkeypatch.setattr(_cluster, "this_machine", lambda: own | {"processor": "abacus", "NumPy": "1.0"})
    found = basin(system, cluster=cluster.address)
    (said,) = found.warnings  # both workers differ in the same way
    assert (said.code, said.severity) == ("other-machine", "warning") and same(whole, found)
    assert f"NumPy: {np.__version__} ≠ 1.0, processor: {own['processor']} ≠ abacus" in said.message.en
    assert said.message.ru.count("tcp://127.0.0.1:") == 2 and said.message.en in repr(found)


def test_the_address_of_a_worker(cluster: Machines, system: sistel.System) -> None:
    with pytest.raises(sistel.SistelError, match="there is no scheduler at") as problem:
        basin(system, cluster=Ask(cluster.address).workers()[0])
    assert problem.value.diagnostics[0].code == "no-cluster"


def test_machines_without_sistel(system: sistel.System, tmp_path: Path) -> None:
    """A cluster of Dask that knows nothing of it."""
    (tmp_path / "sistel").mkdir()
    (tmp_path / "sistel" / "__init__.py").write_text("")
    words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    words += ["--no-dashboard", "--dashboard-address", "127.0.0.1:0", "--scheduler-file", "scheduler.json"]
    path = tmp_path / "scheduler.json"
    streams: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen(words, cwd=tmp_path, env=environment(PYTHONPATH=str(tmp_path)), **streams)
    words = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", "scheduler.json", "--no-nanny"]
    try:
        end = time.monotonic() + PATIENCE
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.1)
        worker = subprocess.Popen(words, cwd=tmp_path, env=environment(PYTHONPATH=str(tmp_path)), **streams)
        try:
            address = json.loads(path.read_text())["address"]
            with pytest.raises(sistel.SistelError, match="have no sistel, or another one"):
                basin(system, cluster=address)
        finally:
            worker.kill()
            worker.wait()
    finally:
        scheduler.kill()
        scheduler.wait()


def command(*words: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sistel_program(), *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env=environment(**variables),
        cwd=cwd,
    )


GRID = ("--x", "theta=0.05:0.3:80", "--y", "excess=-0.01:0.03:60", "--events", "20", "--until", "200")
MAP = ("map", str(MODELS / "simplest_walker_basin.xml"), *GRID, "--stop", FALLS[0], "--stop", FALLS[1])


def test_maps_of_a_cluster(cluster: Machines, tmp_path: Path) -> None:
    assert command(*MAP, "-o", "here.npz", cwd=tmp_path).returncode == 0
    done = command(*MAP, "-o", "there.npz", "--cluster", cluster.address, "--keep", "kept", cwd=tmp_path)
    assert done.returncode == 0 and "4,800 runs" in done.stdout, done.stderr
    assert (tmp_path / "here.npz").read_bytes() == (tmp_path / "there.npz").read_bytes()


def test_ctrl_c_is_quiet(cluster: Machines, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "sistel", *MAP, "--x", "theta=0.05:0.3:8000", "--keep", "kept"]
    call = subprocess.Popen(
        [*words, "--cluster", cluster.address], stderr=subprocess.PIPE, text=True, env=environment(), cwd=tmp_path
    )
    end = time.monotonic() + PATIENCE
    while not list(tmp_path.glob("kept/part-*.npz")) and time.monotonic() < end:
        time.sleep(0.05)
    call.send_signal(signal.SIGINT)
    said = call.communicate(timeout=PATIENCE)[1]
    assert call.returncode == 130 and "interrupted: " in said and "Traceback" not in said
    assert "distributed" not in said  # nothing of what Dask would write


def test_a_port_that_is_taken(cluster: Machines, tmp_path: Path) -> None:
    result = command("cluster", "--workers", "0", "--port", cluster.address.rpartition(":")[2], cwd=tmp_path)
    assert result.returncode == 1 and "--port 0" in result.stderr and "Traceback" not in result.stderr


def test_workers_go_with_whoever_started_them(tmp_path: Path) -> None:
    psutil: Any = pytest.importorskip("psutil")
    found = Command("--workers", "1", "--port", "0", cwd=tmp_path)
    worker = psutil.Process(found.worker())
    found.end(signal.SIGKILL)
    worker.wait(timeout=PATIENCE)


def test_certificates(tmp_path: Path) -> None:
    """With them a cluster is encrypted, and nobody comes in without."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl to make certificates with")
    made = ["-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj", "/CN=sistel"]
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *made]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    cert, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    prefix = "DASK_DISTRIBUTED__COMM__TLS__"
    roles = ("SCHEDULER", "WORKER", "CLIENT")
    shown = {f"{prefix}{role}__{word}": path for role in roles for word, path in (("CERT", cert), ("KEY", key))}
    shown[f"{prefix}CA_FILE"] = cert
    found = Command("--workers", "1", "--host", "tls://127.0.0.1", "--port", "0", cwd=tmp_path, **shown)
    try:
        assert found.address.startswith("tls://127.0.0.1:")
        few = (*MAP, "--x", "theta=0.05:0.3:4", "--cluster")
        done = command(*few, found.address, cwd=tmp_path, **shown)
        assert done.returncode == 0 and "240 runs" in done.stdout, done.stderr
        for address, said in (
            (found.address, "needs certificates"),
            (found.address.replace("tls", "tcp"), "no cluster answers"),
        ):
            refused = command(*few, address, cwd=tmp_path)
            assert refused.returncode == 2 and said in refused.stderr and "Traceback" not in refused.stderr
    finally:
        out, err = found.end()
    assert "Traceback" not in out + err
