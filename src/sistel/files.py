"""Files that appear whole or not at all, and that are opened only where they are files.

They are written as drafts beside their places, then put there in one step. The name of a draft tells the machine and
the process that write it, as in ``.walk.npz.1f3a9c-4711.5d0e2b71.draft``. A process that is killed leaves its draft
behind; whoever saves to that folder next removes it. Drafts of processes that live, here or on other machines that
share the folder, are never touched.
"""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO, Final

from sistel.errors import Text

LONGEST = 50
"""Letters of the name of a file in that of its draft: names have at most 255 bytes."""

REASONS: Final = {
    errno.ENOENT: "такого файла или папки нет",
    errno.EACCES: "доступа нет",
    errno.EPERM: "это не разрешено",
    errno.EROFS: "диск только для чтения",
    errno.ENOSPC: "на диске нет места",
    errno.EDQUOT: "исчерпана квота места на диске",
    errno.EFBIG: "файл слишком велик",
    errno.EISDIR: "это папка",
    errno.ENOTDIR: "часть пути — не папка",
    errno.EEXIST: "такой файл уже есть",
    errno.ENAMETOOLONG: "имя слишком длинное",
    errno.ELOOP: "ссылки ведут по кругу",
    errno.EMFILE: "открыто слишком много файлов",
    errno.ENFILE: "открыто слишком много файлов",
    errno.ETXTBSY: "файл занят",
    errno.EBUSY: "устройство или файл заняты",
    errno.EIO: "ошибка ввода-вывода",
    errno.EINVAL: "так нельзя",
    errno.ENXIO: "такого устройства нет",
    errno.EADDRINUSE: "адрес занят",
    errno.EADDRNOTAVAIL: "такого адреса здесь нет",
    errno.ECONNREFUSED: "соединение отклонено",
}
"""What goes wrong with files, in Russian; the system says it in English."""

_NAME = re.compile(r"\.(?:(?P<machine>[0-9a-f]{6})-)?(?P<process>[0-9]{1,10})(?:\.[0-9a-f]{8})?\.draft$")
"""Drafts of earlier versions name the process alone."""

_own: set[str] = set()
"""Names of the drafts that this process is writing."""


def reason_of(problem: BaseException) -> Text:
    """Why a file could not be read or written, in both languages."""
    said = str(getattr(problem, "strerror", None) or problem)
    return Text(said, REASONS.get(getattr(problem, "errno", None) or 0, said))


@contextmanager
def drafted(target: str | os.PathLike[str], *, durable: bool = False, clean: bool = True) -> Iterator[Path]:
    """A file to write to, which takes the place of another when all has gone well, and goes when it has not.

    Args:
        target: The file that is to be there whole, or as it was.
        durable: Whether it is there even when the power goes.
        clean: Whether drafts in its folder whose processes are gone are removed, which looks at all names there.

    Raises:
        OSError: It cannot be written.
    """
    place = Path(target)
    if place.exists() and not place.is_file() and not place.is_dir():
        # A pipe or a device would be replaced by a file, as far as the user may do that.
        raise OSError(errno.EINVAL, "not a regular file", str(place))
    if clean:
        remove_forsaken(place.parent)
    draft = place.with_name(draft_name("." + place.name[:LONGEST]))
    _own.add(draft.name)
    try:
        yield draft
        if durable:
            with draft.open("rb") as file:
                os.fsync(file.fileno())
        os.replace(draft, place)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        _own.discard(draft.name)


def draft_name(name: str) -> str:
    """The name of a draft that nobody else has."""
    return f"{name}.{_machine()}-{os.getpid()}.{secrets.token_hex(4)}.draft"


def is_forsaken(name: str) -> bool:
    """Whether a name is that of a draft of this machine whose process is gone."""
    found = _NAME.search(name)
    if found is None or os.name != "posix" or found["machine"] not in (None, _machine()):
        return False
    process = int(found["process"])
    if process == os.getpid():
        # A number is given again: in containers the same program has the same one every time.
        return found["machine"] is not None and name not in _own
    return not _lives(process)


def remove_forsaken(folder: Path) -> None:
    """Remove the drafts in a folder whose processes are gone; what cannot be removed stays."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if name.endswith(".draft") and is_forsaken(name):
                with suppress(OSError):
                    os.unlink(folder / name)


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading, and nothing else: pipes, devices and what a kernel makes up are not even touched.

    Raises:
        OSError: There is no such file, or it is none.
    """
    place = os.fspath(path)
    _check(os.stat(place), place)
    # Between the two it may have been exchanged: then opening does not wait, and the second look refuses.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(place, flags | getattr(os, "O_NOCTTY", 0))
    try:
        _check(os.fstat(handle), place)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _check(state: os.stat_result, place: str) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), place)
    if not stat.S_ISREG(state.st_mode) or state.st_dev in _made_up():
        raise OSError(errno.EINVAL, "not a regular file", place)


@cache
def _made_up() -> frozenset[int]:
    """File systems whose files are questions to the kernel."""
    return frozenset(os.stat(place).st_dev for place in ("/proc", "/sys") if os.path.ismount(place))


# --- cells of tables with commas -------------------------------------------------------------------------------------

_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
"""How a cell begins that spreadsheets take for something to compute, or which was guarded against that."""


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula: names are the user's, and what they compute is not asked for.

    An apostrophe before it says that it is a text; `unguarded` takes it away again.
    """
    return "'" + text if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """What `guarded` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def cell(text: str) -> str:
    """A text as a cell of a table with commas: guarded, and in quotation marks where it needs them."""
    safe = guarded(text)
    return '"' + safe.replace('"', '""') + '"' if any(sign in safe for sign in ',"\r\n\t') else safe


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)  # asks, and sends nothing
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


@cache
def _machine() -> str:
    """A few letters for this machine."""
    return hashlib.sha256(platform.node().encode()).hexdigest()[:6]
