"""Keys of the cache cover the code that fills it: any change of a source is another key, however it is hidden."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from sistel.kernels import _sources
from sistel.kernels._sources import digest


@pytest.fixture
def package(tmp_path: Path) -> Path:
    made = tmp_path / "package"
    shutil.copytree(_sources.PACKAGE / "expr", made / "expr", ignore=shutil.ignore_patterns("__pycache__"))
    (made / "expr" / "inner").mkdir()
    (made / "expr" / "inner" / "_deep.py").write_text("x = 1\n")
    (made / "engine.py").write_text("y = 2\n")
    return made


NAMES = ("expr", "engine.py")


def test_the_same_content_is_the_same_anywhere(package: Path, tmp_path: Path) -> None:
    """Another copy, with other times, shares what is stored."""
    first = digest(NAMES, package, tmp_path / "cache")
    shutil.copytree(package, tmp_path / "other")
    assert digest(NAMES, tmp_path / "other", tmp_path / "cache") == first
    assert digest(NAMES, package, tmp_path / "nowhere" / "cache") == first
    (package / "expr" / "notes.txt").write_text("no source")
    assert digest(NAMES, package, tmp_path / "cache") == first


@pytest.mark.parametrize("name", ["expr/_graph.py", "expr/inner/_deep.py", "engine.py"])
def test_a_change_that_hides_is_seen(package: Path, tmp_path: Path, name: str) -> None:
    """The same size, the same time of change, one letter."""
    path = package / name
    before, state = digest(NAMES, package, tmp_path / "cache"), path.stat()
    data = path.read_bytes()
    with path.open("r+b") as file:  # the same inode
        file.write(bytes([data[0] ^ 1]))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (state.st_size, state.st_mtime_ns)
    assert digest(NAMES, package, tmp_path / "cache") != before
    path.write_bytes(data)
    assert digest(NAMES, package, tmp_path / "cache") == before


def test_files_that_come_and_go_are_seen(package: Path, tmp_path: Path) -> None:
    before = digest(NAMES, package, tmp_path / "cache")
    (package / "expr" / "_new.py").write_text("")
    after = digest(NAMES, package, tmp_path / "cache")
    assert after != before
    (package / "expr" / "_new.py").rename(package / "expr" / "_newer.py")
    assert len({before, after, digest(NAMES, package, tmp_path / "cache")}) == 3
    (package / "expr" / "_newer.py").unlink()
    assert digest(NAMES, package, tmp_path / "cache") == before


def test_everything_that_derives_and_emits_is_covered() -> None:
    """A package that is not said to stand above has a part in the key."""
    folders = {path.name for path in _sources.PACKAGE.iterdir() if path.is_dir()}
    assert folders - _sources.ABOVE >= {
        "expr",
        "kernels",
        "markup",
        "mechanics",
        "model",
        "motion",
        "pose",
        "simulation",
    }
    assert _sources.deriving().startswith(_sources.emitting())


def test_it_is_quick(package: Path) -> None:
    """What every process does: names and times, no contents."""
    _sources.deriving()
    opened: list[object] = []
    reading = Path.read_bytes
    try:
        Path.read_bytes = lambda self: opened.append(self) or reading(self)  # type: ignore[func-returns-value,method-assign]
        _sources.emitting.forget()
        _sources.deriving.forget()
        _sources.deriving()
    finally:
        Path.read_bytes = reading  # type: ignore[method-assign]
    assert not opened
