"""Compiled objects on disk: found again, never trusted when damaged, refused where others can write."""

from __future__ import annotations

import os
import random
import stat
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sistel.kernels._llvm as backend
import sistel.kernels._machine as machine
from sistel.expr import Graph, Program, cos
from sistel.kernels import compile_program, user_cache
from sistel.kernels._cache import LOOKS, SUFFIX, has_entry, read_entry, write_entry

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="the cache is used on POSIX systems only")


def pendulum(length: float = 2.0) -> Program:
    graph = Graph()
    q, w = graph.inputs("q", 1), graph.inputs("w", 1)
    return graph.program({"x": [cos(q[0]) * length + w[0]]})


@pytest.fixture
def assembled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was compiled, in order."""
    texts: list[str] = []
    original = machine.assemble

    def assemble(text: str, *effort: int) -> bytes:
        texts.append(text)
        return original(text, *effort)

    monkeypatch.setattr(machine, "assemble", assemble)
    return texts


def compute(folder: Path | None, length: float = 2.0) -> None:
    backend._called.cache_clear()  # as in a new process
    kernel = compile_program(pendulum(length), cache=folder, width=4)
    np.testing.assert_allclose(kernel([0.0], [1.0]), [length + 1.0])
    np.testing.assert_allclose(kernel(np.zeros((9, 1)), [1.0]), [[length + 1.0]] * 9)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_objects_are_found_again(tmp_path: Path, assembled: list[str]) -> None:
    folder = tmp_path / "a" / "kernels"
    compute(folder)
    assert len(assembled) == 3 and len(entries(folder)) == 3  # scalar, what Python calls, and vector
    assert folder.stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in entries(folder))
    compute(folder)
    assert len(assembled) == 3
    compute(folder, length=3.0)
    assert len(assembled) == 5  # what Python calls is the same for all kernels with blocks of these sizes
    compute(None)
    assert len(assembled) == 8 and len(entries(folder)) == 5


def test_the_key_depends_on_all_that_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {backend.entry_key(pendulum(), 4), backend.entry_key(pendulum(), 1), backend.entry_key(pendulum(3.0), 4)}
    keys |= {backend.entry_key(pendulum(), 4, "float"), backend.entry_key(pendulum(), 4, "double", blocked=True)}
    here = machine.host()
    for change in (
        {"cpu": "other"},
        {"features": "+other"},
        {"versions": "other"},
        {"triple": "other"},
        {"lanes": 1},
    ):
        import dataclasses

        other = dataclasses.replace(here, **change)
        monkeypatch.setattr(machine, "host", lambda other=other: other)
        keys.add(backend.entry_key(pendulum(), 4))
    monkeypatch.setattr(machine, "host", lambda: here)
    monkeypatch.setattr(backend, "VERSION", -1)
    keys.add(backend.entry_key(pendulum(), 4))
    assert len(keys) == 11


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "one bit": lambda data: data[:-20] + bytes([data[-20] ^ 1]) + data[-19:],
    "checksum": lambda data: data[:20] + bytes([data[20] ^ 1]) + data[21:],
    "other format": lambda data: b"x" + data[1:],
    "longer": lambda data: data + b"\0",
    "noise": lambda data: os.urandom(len(data)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_entries_are_made_anew(tmp_path: Path, assembled: list[str], damage: str) -> None:
    folder = tmp_path / "kernels"
    compute(folder)
    for path in entries(folder):
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    compute(folder)
    assert len(assembled) == 6
    compute(folder)
    assert len(assembled) == 6


def test_an_entry_under_another_key_is_not_taken(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    assert write_entry(folder, "a" * 64, b"content")
    assert read_entry(folder, "a" * 64) == b"content"
    os.rename(folder / ("a" * 64 + SUFFIX), folder / ("b" * 64 + SUFFIX))
    assert read_entry(folder, "b" * 64) is None


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o701, 0o755])
def test_a_directory_open_to_others_is_refused(tmp_path: Path, assembled: list[str], mode: int) -> None:
    folder = tmp_path / "kernels"
    compute(folder)
    folder.chmod(mode)
    before = len(assembled)
    compute(folder)
    compute(folder, length=5.0)
    assert len(assembled) == before + 6 and len(entries(folder)) == 3


def test_a_directory_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kernels"
    assert write_entry(folder, "a" * 64, b"content")
    monkeypatch.setattr(os, "getuid", lambda: 12345678)
    assert read_entry(folder, "a" * 64) is None
    assert not write_entry(folder, "b" * 64, b"content")


def test_links_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    assert write_entry(folder, "a" * 64, b"content")
    (tmp_path / "link").symlink_to(folder)
    assert read_entry(tmp_path / "link", "a" * 64) is None
    (folder / ("a" * 64 + SUFFIX)).rename(tmp_path / "elsewhere")
    (folder / ("a" * 64 + SUFFIX)).symlink_to(tmp_path / "elsewhere")
    assert read_entry(folder, "a" * 64) is None


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "below", Path("/proc/nothing"), tmp_path / ("x" * 300)):
        compute(folder)


def test_the_size_is_limited(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    for i in range(6):
        assert write_entry(folder, f"{i:064}", bytes(1000), limit=3500)
        path = folder / f"{i:064}{SUFFIX}"
        if path.exists():
            os.utime(path, (1000 + i, 1000 + i))
        if i == 2:
            assert read_entry(folder, "0" * 64) is not None  # used now, so that it stays
    kept = {path.name[63:64] for path in entries(folder)}
    assert kept == {"0", "4", "5"}
    assert not write_entry(folder, "9" * 64, bytes(5000), limit=3500)


def test_drafts_of_the_dead_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    assert write_entry(folder, "a" * 64, b"content")
    old, new = folder / "old.draft", folder / "new.draft"
    old.touch()
    new.touch()
    os.utime(old, (1000, 1000))
    assert write_entry(folder, "b" * 64, b"content", limit=100)  # a part of the limit that is always looked at
    assert not old.exists() and new.exists()


def test_a_full_directory_is_seldom_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As often as `LOOKS` while the limit is written, whatever the number of entries: each look is at all of them."""
    looks = []
    monkeypatch.setattr("sistel.kernels._cache._trim", lambda *_: looks.append(1))
    random.seed(1)
    for i in range(400):
        assert write_entry(tmp_path / "kernels", f"{i:064}", bytes(100), limit=40_000)
    assert LOOKS / 2 < len(looks) < 2 * LOOKS


def test_processes_may_share_the_cache(tmp_path: Path) -> None:
    code = textwrap.dedent("""
        import sys
        from pathlib import Path
        from sistel.expr import Graph, cos
        from sistel.kernels import compile_program
        for length in range(1, 8):
            graph = Graph()
            (q,) = graph.inputs("q", 1)
            kernel = compile_program(graph.program({"x": [cos(q) * float(length)]}), cache=Path(sys.argv[1]))
            assert kernel([0.0]).tolist() == [length]
    """)
    folder = tmp_path / "kernels"
    running = [subprocess.Popen([sys.executable, "-c", code, str(folder)]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert len(entries(folder)) == 7 + 1  # and what Python calls, for all of them
    assert all(read_entry(folder, path.name.removesuffix(SUFFIX)) for path in entries(folder))


def test_where_the_users_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert user_cache() == tmp_path / "sistel" / "kernels"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_cache() == tmp_path / ".cache" / "sistel" / "kernels"


# --- entries that are not one's own ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o622, 0o602, 0o666, 0o620])
def test_entries_that_others_can_write_to_are_refused(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "kernels"
    assert write_entry(folder, "a" * 64, b"content") and has_entry(folder, "a" * 64)
    (folder / ("a" * 64 + SUFFIX)).chmod(mode)
    assert read_entry(folder, "a" * 64) is None and not has_entry(folder, "a" * 64)
    assert write_entry(folder, "a" * 64, b"content") and read_entry(folder, "a" * 64) == b"content"


def test_entries_of_somebody_else_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kernels"
    assert write_entry(folder, "a" * 64, b"content")
    original = os.fstat

    def fstat(handle: int) -> os.stat_result:
        state = original(handle)
        return os.stat_result((*state[:4], state.st_uid + (not stat.S_ISDIR(state.st_mode)), *state[5:]))

    monkeypatch.setattr(os, "fstat", fstat)
    assert read_entry(folder, "a" * 64) is None
    monkeypatch.undo()
    assert read_entry(folder, "a" * 64) == b"content"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_an_entry_that_was_given_away_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    assert write_entry(folder, "a" * 64, b"content")
    os.chown(folder / ("a" * 64 + SUFFIX), 12345, 12345)
    assert read_entry(folder, "a" * 64) is None and not has_entry(folder, "a" * 64)


def test_pipes_and_folders_are_no_entries(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    os.mkfifo(folder / ("a" * 64 + SUFFIX), 0o600)
    (folder / ("b" * 64 + SUFFIX)).mkdir()
    for key in ("a" * 64, "b" * 64):
        assert read_entry(folder, key) is None and not has_entry(folder, key)


KILLED = """
import os, signal, sys
from pathlib import Path
from sistel.kernels import _cache
_cache._wrap = lambda key, content: os.kill(os.getpid(), signal.SIGKILL)
_cache.write_entry(Path(sys.argv[1]), "a" * 64, b"content")
"""


def test_drafts_of_killed_processes_go_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    assert subprocess.run([sys.executable, "-c", KILLED, str(folder)], check=False).returncode == -9
    (draft,) = entries(folder)
    assert draft.name.endswith(".draft")
    assert write_entry(folder, "b" * 64, b"content")
    assert [path.name for path in entries(folder)] == ["b" * 64 + SUFFIX]
