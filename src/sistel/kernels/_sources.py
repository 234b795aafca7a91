"""Digests of the files that derive and emit: another state of them never meets what an earlier one has stored.

To read all of them takes longer than to simulate: their names, sizes, inodes and times tell whether they are the same
files as before, and what they came to then is kept in the cache. No change of a file leaves its times as they were:
that of its last change of state can be set by nobody.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from sistel._version import __version__
from sistel.kernels._cache import read_entry, user_cache, write_entry
from sistel.once import once

EMITTING: Final = ("expr", "kernels")
"""Packages that make machine code of a program."""
ABOVE: Final = frozenset(
    ("cells", "cli", "drives", "ensembles", "face", "formulas", "proofs", "studio", "views", "__pycache__")
)
"""Packages that have no part in deriving programs: they use what is derived. All others may have."""
PACKAGE: Final = Path(__file__).parent.parent


@once
def emitting() -> str:
    """A digest of what makes machine code of programs."""
    return digest(EMITTING)


@once
def deriving() -> str:
    """A digest of what derives programs, and of what makes machine code of them."""
    with os.scandir(PACKAGE) as entries:
        names = [entry.name for entry in entries if entry.name not in ABOVE and entry.name not in EMITTING]
    return emitting() + digest(sorted(name for name in names if name.endswith(".py") or "." not in name))


@once
def writing() -> str:
    """A digest of what writes equations for people, and of what derives them."""
    return deriving() + digest(("formulas", "views"))


def digest(names: list[str] | tuple[str, ...], package: Path = PACKAGE, cache: Path | None = None) -> str:
    """Of the content of files and folders of a package.

    Args:
        names: Of files and folders.
        package: Where they are.
        cache: Where it is kept what files have come to.
    """
    files = [each for name in names for each in sorted(_files(str(package), name))]
    key = hashlib.sha256(repr(("sources", __version__, str(package), files)).encode()).hexdigest()
    folder = user_cache() if cache is None else cache
    stored = read_entry(folder, key)
    if stored is not None and len(stored) == 64:
        return stored.decode()
    content = hashlib.sha256(__version__.encode())
    for name, *_ in files:
        content.update(name.encode() + b"\n" + (package / name).read_bytes())
    write_entry(folder, key, content.hexdigest().encode())
    return content.hexdigest()


def _files(package: str, name: str) -> list[tuple[str, int, int, int, int]]:
    """Names of sources, with their sizes, times and inodes; quick, for it is done in every process."""
    place = os.path.join(package, name)
    if name.endswith((".py", ".pyc")):
        return [(name, *_state(os.stat(place)))]
    found: list[tuple[str, int, int, int, int]] = []
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                inner = f"{name}/{entry.name}"
                if entry.name.endswith((".py", ".pyc")):
                    found.append((inner, *_state(entry.stat())))
                elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                    found += _files(package, inner)
    except NotADirectoryError:
        pass
    return found


def _state(state: os.stat_result) -> tuple[int, int, int, int]:
    return state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino
