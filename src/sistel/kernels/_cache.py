"""Compiled objects kept on disk between runs.

What is stored is native code that will be executed, so a directory is used only when it belongs to the user and nobody
else can enter it; otherwise nothing is stored and nothing is read. So it is with entries: a file of somebody else's,
one that others can write to, and what is no file at all counts as missing. Entries appear whole (written aside, then
renamed) and carry a checksum of their key and content: a damaged or foreign one counts as missing.
"""

from __future__ import annotations

import hashlib
import os
import random
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from sistel.files import draft_name, is_forsaken

SIZE_LIMIT = 256 * 2**20
"""All entries together [bytes]; past it the ones not used for longest go."""

LOOKS = 64
"""How often all entries are looked at while as much as the limit is written: in a full directory a look at tens of
thousands of files takes longer than making an entry. Chance decides when, so that no count has to be kept."""

MAGIC = b"sistel object 1\n"
SUFFIX = ".object"
_STALE = 3600.0
"""A file left by a process that died while writing is removed when it is this old [s]."""


USER: Final = Path("the user's cache")
"""Stands for `user_cache`, wherever that is when something is read or written."""


def user_cache() -> Path:
    """The user's own cache directory for compiled kernels (it need not exist)."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(home) if home and Path(home).is_absolute() else Path("~/.cache").expanduser()
    return base / "sistel" / "kernels"


def read_entry(directory: Path, key: str) -> bytes | None:
    """The object stored under a key, or None: not stored, damaged, or a directory not to be trusted."""
    with suppress(OSError), _private(directory) as folder:
        # Without waiting: in the place of an entry there may be a pipe.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        handle = os.open(key + SUFFIX, flags, dir_fd=folder)
        with os.fdopen(handle, "rb") as file:
            if not _is_own(os.fstat(handle)):
                return None
            data = file.read(SIZE_LIMIT + 1)
            content = _unwrap(key, data)
            if content is not None:
                with suppress(OSError):
                    os.utime(file.fileno())  # used now: the last to be removed
        return content
    return None


def has_entry(directory: Path, key: str) -> bool:
    """Whether something is stored under a key."""
    with suppress(OSError), _private(directory) as folder:
        return _is_own(os.stat(key + SUFFIX, dir_fd=folder, follow_symlinks=False))
    return False


def write_entry(directory: Path, key: str, content: bytes, limit: int = SIZE_LIMIT) -> bool:
    """Store an object; returns whether it was stored. A full disk or a refused directory is no error."""
    if len(content) > limit:
        return False
    with suppress(OSError):
        place = user_cache() if directory is USER else directory
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _private(place) as folder:
            _sweep(folder, str(place))
            draft = draft_name(key)
            _drafts.add(draft)
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_wrap(key, content))
                os.rename(draft, key + SUFFIX, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(OSError):
                    os.unlink(draft, dir_fd=folder)
                raise
            finally:
                _drafts.discard(draft)
            if random.random() * limit < LOOKS * len(content):
                _trim(folder, limit, key + SUFFIX)
            return True
    return False


def _is_own(state: os.stat_result) -> bool:
    """Whether an entry is a file of the user's that nobody else can write to."""
    return stat.S_ISREG(state.st_mode) and state.st_uid == os.getuid() and not stat.S_IMODE(state.st_mode) & 0o022


_drafts: set[str] = set()
"""Those that this process is writing."""
_swept: set[tuple[int, str]] = set()
"""Directories in which a process has looked for drafts of the dead: that takes long where there are many names."""


def _sweep(folder: int, directory: str) -> None:
    """Remove drafts whose processes are gone, once."""
    known = os.getpid(), directory
    if known in _swept:
        return
    _swept.add(known)
    for name in os.listdir(folder):
        if name.endswith(".draft") and name not in _drafts and is_forsaken(name):
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)


def _digest(key: str, content: bytes) -> bytes:
    return hashlib.sha256(MAGIC + key.encode() + b"\n" + content).digest()


def _wrap(key: str, content: bytes) -> bytes:
    return MAGIC + _digest(key, content) + content


def _unwrap(key: str, data: bytes) -> bytes | None:
    start = len(MAGIC)
    digest, content = data[start : start + 32], data[start + 32 :]
    return content if data.startswith(MAGIC) and digest == _digest(key, content) else None


@contextmanager
def _private(directory: Path) -> Iterator[int]:
    """An open directory of the user's that is closed to everybody else.

    Names are resolved relative to it afterwards, so that it cannot be exchanged between the check and the use.

    Raises:
        OSError: It is not there, or not private, or the platform cannot tell.
    """
    if os.open not in os.supports_dir_fd or not hasattr(os, "getuid"):
        raise OSError("this platform cannot tell whether a directory is private")
    place = user_cache() if directory is USER else directory
    folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        state = os.fstat(folder)
        if state.st_uid != os.getuid() or stat.S_IMODE(state.st_mode) & 0o077:
            raise PermissionError(f"{place} is not private to the user")
        yield folder
    finally:
        os.close(folder)


def _trim(folder: int, limit: int, newest: str) -> None:
    """Remove the entries that were not used for longest until the rest fits; never the one just written."""
    entries: list[tuple[float, int, str]] = []
    for name in os.listdir(folder):
        with suppress(OSError):  # another process may remove it first
            state = os.stat(name, dir_fd=folder, follow_symlinks=False)
            entries.append((state.st_mtime, state.st_size, name))
    now = max((used for used, _, name in entries if name == newest), default=0.0)
    total = sum(size for _, size, name in entries if name.endswith(SUFFIX))
    for used, size, name in sorted(entries):
        old = name.endswith(".draft") and used < now - _STALE
        over = name.endswith(SUFFIX) and name != newest and total > limit
        if old or over:
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
            total -= size if over else 0
