"""Files that appear whole or not at all; drafts of the dead go, those of the living stay; only files are opened."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sistel.files import LONGEST, draft_name, drafted, is_forsaken, open_regular, remove_forsaken

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are asked as POSIX does")


@pytest.fixture
def gone() -> int:
    """Number of a process that is gone."""
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def drafts(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(".draft"))


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "walk.csv"
    target.write_text("old")
    with drafted(target) as draft:
        draft.write_text("new")
        assert target.read_text() == "old" and draft.parent == tmp_path and not is_forsaken(draft.name)
    assert target.read_text() == "new" and not drafts(tmp_path)


def test_nothing_is_left_of_what_fails(tmp_path: Path) -> None:
    target = tmp_path / "walk.csv"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt), drafted(target, durable=True) as draft:
        draft.write_text("half")
        raise KeyboardInterrupt
    assert target.read_text() == "old" and [path.name for path in tmp_path.iterdir()] == ["walk.csv"]


def test_two_threads_write_the_same_file(tmp_path: Path) -> None:
    gate, target = threading.Barrier(4), tmp_path / "walk.csv"

    def write(letter: str) -> None:
        for _ in range(20):
            gate.wait()
            with drafted(target) as draft:
                draft.write_text(letter * 5000)

    threads = [threading.Thread(target=write, args=(letter,)) for letter in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    text = target.read_text()
    assert len(text) == 5000 and len(set(text)) == 1 and not drafts(tmp_path)


KILLED = """
import os, signal, sys
from sistel.files import drafted
with drafted(sys.argv[1]) as draft:
    draft.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_drafts_of_the_dead_go_with_the_next_save(tmp_path: Path) -> None:
    target = tmp_path / "walk.csv"
    assert subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False).returncode == -9
    assert len(drafts(tmp_path)) == 1 and not target.exists()
    with drafted(tmp_path / "another.csv") as draft:
        draft.write_text("whole")
    assert not drafts(tmp_path)


def test_drafts_of_earlier_versions_go_too(tmp_path: Path, gone: int) -> None:
    old, living = tmp_path / f".walk.csv.{gone}.draft", tmp_path / f".walk.csv.{os.getppid()}.draft"
    mine = tmp_path / f".walk.csv.{os.getpid()}.draft"  # a thread with another version: it may live
    for path in (old, living, mine):
        path.touch()
    remove_forsaken(tmp_path)
    assert drafts(tmp_path) == sorted([living.name, mine.name])


def test_drafts_of_the_living_and_of_other_machines_stay(tmp_path: Path, gone: int) -> None:
    name = draft_name(".walk.csv")
    machine = name.split(".")[3].split("-")[0]
    names = {
        f".walk.csv.{machine}-{os.getppid()}.01234567.draft": False,
        f".walk.csv.{'0' * 6 if machine != '0' * 6 else '1' * 6}-{gone}.01234567.draft": False,
        f".walk.csv.{machine}-{gone}.01234567.draft": True,
        # The number of this process, given to an earlier one: nobody here writes it.
        f".walk.csv.{machine}-{os.getpid()}.01234567.draft": True,
        ".walk.csv.draft": False,
        "walk.draft": False,
        f".walk.csv.{gone}.csv": False,
    }
    for each in names:
        (tmp_path / each).touch()
    remove_forsaken(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {each for each, goes in names.items() if not goes}


def test_names_of_drafts_have_an_end(tmp_path: Path) -> None:
    target = tmp_path / ("ы" * (LONGEST + 60) + ".csv")
    with drafted(target) as draft:
        draft.write_text("whole")
    assert target.read_text() == "whole"


def test_only_files_are_opened(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link, Path("/dev/zero"), Path("/dev/null")):
        with pytest.raises(OSError, match="not a regular file"):
            open_regular(path)
        with pytest.raises(OSError, match="not a regular file"), drafted(path):
            raise AssertionError("a pipe would be replaced")
    assert pipe.is_fifo()
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "nothing")
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "good").symlink_to(tmp_path / "file")
    with open_regular(tmp_path / "good") as file:
        assert file.read() == b"content"


@pytest.mark.skipif(not os.path.ismount("/proc"), reason="no kernel to be asked")
def test_questions_to_the_kernel_are_no_files() -> None:
    for path in ("/proc/self/mem", "/proc/self/environ", "/proc/cpuinfo"):
        with pytest.raises(OSError, match="not a regular file"):
            open_regular(path)
