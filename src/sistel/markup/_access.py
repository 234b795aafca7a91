"""Files that a file names: which of them may be read, and how. The only door through which they come in.

A description may be written by a stranger, and names other files: inclusions, meshes, their materials and buffers,
pictures and scenes, the robots of a cell. What it names is read only where it lies in the folder of the main file (or
below), or in a folder that the user named himself (``--allow DIR``, `sistel.load(path, allow=…)`). Links are followed
first, so that none leads outside. What lies outside is refused before anything of it is read, so that no message can
quote it. Only regular files are read, never pipes, devices or what a kernel makes up (``/proc``, ``/sys``), and never
more of them than asked for.

A source carries its folders with it (`Source.roots`), and an included file those of the file that includes it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from sistel.errors import Diagnostics, Source, Text, did_you_mean
from sistel.files import reason_of

PACKAGE = "package://"
PACKAGE_PATH = "ROS_PACKAGE_PATH"
"""Environment variable with the folders in which the user keeps packages."""
_MADE_UP = ("/proc", "/sys")
"""Where regular files are none: reading them may block, never end, or change something."""
_OPENED = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)
_MOST_TRIED = 6
"""Places that a message lists."""


_NAMED: ContextVar[dict[str, None] | None] = ContextVar("named", default=None)


@contextmanager
def files_named() -> Iterator[dict[str, None]]:
    """The paths at which files are looked for meanwhile because other files name them, there or not, in their order."""
    found: dict[str, None] = {}
    before = _NAMED.set(found)
    try:
        yield found
    finally:
        _NAMED.reset(before)


class AccessError(ValueError):
    """A file that is not there, or is not to be read."""

    def __init__(self, code: str, reason: Text, hint: Text | None = None, *, allow: str | None = None) -> None:
        """With a word for programs, the reason, and the folder that the user would have to allow."""
        super().__init__(reason.en)
        self.code, self.reason, self.allow = code, reason, allow
        self.hint = allow_hint([allow]) if allow is not None else hint


def allow_hint(folders: Sequence[str]) -> Text:
    """How a user allows folders."""
    words = " ".join(f"--allow {_quoted(folder)}" for folder in folders)
    listed = ", ".join(repr(folder) for folder in folders)
    return Text(
        f"if you trust the file: {words} (in Python: allow=[{listed}])",
        f"если файлу можно доверять: {words} (в Python: allow=[{listed}])",
    )


def _quoted(folder: str) -> str:
    return f'"{folder}"' if " " in folder else folder


def allowed_folders(folders: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """The folders that a user names, as absolute paths.

    Raises:
        SistelError: One of them is no folder.
    """
    if isinstance(folders, str | os.PathLike):
        folders = (folders,)
    found = []
    diagnostics = Diagnostics()
    for each in folders:
        folder = os.fspath(each)
        if not os.path.isdir(folder):
            message = Text(f'there is no folder "{folder}" to allow', f"нет папки «{folder}», которую разрешить")
            diagnostics.error("no-folder", None, message)
        found.append(os.path.abspath(folder))
    diagnostics.raise_if_failed()
    return tuple(found)


def roots_of(source: Source) -> tuple[str, ...]:
    """Folders in which the files that a source names may lie."""
    return source.roots if source.roots is not None else (folder_of(source),)


def folder_of(source: Source) -> str:
    """The folder of a source, as its path is written."""
    return os.path.dirname(source.path) or "."


def with_roots(source: Source, allow: Sequence[str]) -> Source:
    """The same source, which may read from some more folders; it is changed."""
    source.roots = (os.path.abspath(folder_of(source)), *allow)
    return source


def find_named(name: str, source: Source, folders: Sequence[str] | None = None) -> str:
    """The path of a file that a source names, which may be read.

    Args:
        name: As the source says it, relative to its folder.
        source: The text that names it.
        folders: Where to look, in the place of the folder of the source.

    Raises:
        AccessError: It is nowhere, or lies outside, or is no file.
    """
    places = [os.path.normpath(os.path.join(folder, name)) for folder in folders or (folder_of(source),)]
    return _first(places, roots_of(source), lambda path: os.path.dirname(os.path.realpath(path)) or ".")


def find_mesh(name: str, source: Source) -> str:
    """As `find_named`, for a mesh, which may be named by its package: ``package://arm_description/meshes/hand.stl``.

    Packages are looked for below and among the folders that the user allows, those of ROS_PACKAGE_PATH, and those above
    the description, as a package usually contains its description. Other names are relative to the file that says them,
    or else to the main file, as MJCF wants it.
    """
    if not name.startswith(PACKAGE):
        folders = [folder_of(source), roots_of(source)[0]]
        if os.path.realpath(folders[0]) == os.path.realpath(folders[1]):
            folders.pop()
        return find_named(name, source, folders)
    package, _, inside = name.removeprefix(PACKAGE).partition("/")
    if not package or package in (".", "..") or not inside:
        raise AccessError("no-file", Text("this names no file of a package", "это не имя файла пакета"))
    named = _package_folders()
    above = {str(folder): folder.name for folder in Path(os.path.realpath(folder_of(source))).parents}
    places: list[str] = []
    holders: dict[str, str] = {}
    for folder in dict.fromkeys((*roots_of(source), *named, folder_of(source), *above)):
        found = [os.path.join(folder, package)]
        if (above.get(folder) or os.path.basename(os.path.realpath(folder))) == package:
            found.insert(0, folder)
        for holder in found:
            place = os.path.normpath(os.path.join(holder, inside))
            holders[place] = holder
            places.append(place)
    return _first(places, mesh_roots(source), holders.__getitem__)


def mesh_roots(source: Source) -> tuple[str, ...]:
    """Folders in which the meshes that a source names may lie."""
    return (*roots_of(source), *_package_folders())


def _package_folders() -> list[str]:
    """Where the user says that packages are."""
    return [os.path.abspath(folder) for folder in os.environ.get(PACKAGE_PATH, "").split(os.pathsep) if folder]


def _first(places: Sequence[str], roots: Sequence[str], holder: Callable[[str], str]) -> str:
    """The first of some places that may be read."""
    real_roots = [os.path.realpath(root) for root in roots]
    outside: str | None = None
    named = _NAMED.get()
    for place in dict.fromkeys(places):
        if named is not None:
            named[place] = None
        if "\0" in place:
            raise AccessError("no-file", Text("this is no name of a file", "это не имя файла"))
        # Of several places most have nothing: following their links would take most of the time of a robot with meshes.
        if len(places) > 1 and not os.path.lexists(place):
            continue
        real = os.path.realpath(place)
        if not any(_inside(real, root) for root in real_roots):
            # Where there are several places, the one outside matters only if the file is there.
            if outside is None and (len(places) == 1 or os.path.isfile(real)):
                outside = place
            continue
        if any(_inside(real, made_up) for made_up in _MADE_UP):
            raise _not_regular()
        if os.path.isfile(real):
            return place
        if os.path.isdir(real):
            raise AccessError("no-file", Text("this is a folder", "это папка"))
        if os.path.lexists(real):
            raise _not_regular()
    if outside is not None:
        folder = os.path.realpath(holder(outside))
        raise AccessError(
            "file-outside",
            Text(
                "it lies outside the folder of the file, and is not read",
                "он лежит вне папки файла, и не читается",
            ),
            allow=folder,
        )
    tried = list(dict.fromkeys(places))
    shown = ", ".join(tried[:_MOST_TRIED]) + (" …" if len(tried) > _MOST_TRIED else "")
    raise AccessError(
        "no-file",
        Text(f"there is no such file; looked for: {shown}", f"такого файла нет; искали: {shown}"),
        _neighbour(tried[0]),
    )


def _neighbour(path: str) -> Text | None:
    folder, name = os.path.split(path)
    try:
        return did_you_mean(name, sorted(os.listdir(folder or "."))[:2000])
    except OSError:
        return Text(f'there is no folder "{folder}"', f"нет папки «{folder}»")


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _not_regular() -> AccessError:
    return AccessError(
        "no-regular-file",
        Text("it is a pipe, a device or the like, no file", "это канал, устройство и тому подобное, а не файл"),
    )


def read_named(path: str | os.PathLike[str], most: int, roots: Sequence[str]) -> bytes:
    """The bytes of a file that was found, at most `most` and one more, by which a caller sees that there are more.

    Args:
        path: The file.
        most: How much is of interest [bytes].
        roots: Folders in which it must lie: looked at again, as the disk may have changed since it was found.

    Raises:
        AccessError: It lies outside, is no regular file, or cannot be read.
    """
    real = os.path.realpath(path)
    if not any(_inside(real, os.path.realpath(root)) for root in roots):
        reason = Text("it lies outside the folder of the file", "он лежит вне папки файла")
        raise AccessError("file-outside", reason, allow=os.path.dirname(real))
    if any(_inside(real, made_up) for made_up in _MADE_UP):
        raise _not_regular()
    try:
        # Without waiting: a pipe that nobody writes to must not hold anyone up.
        handle = os.open(real, _OPENED)
    except (OSError, ValueError) as problem:
        raise AccessError("no-file", reason_of(problem)) from None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _not_regular()
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(most + 1)
    except OSError as problem:
        raise AccessError("no-file", reason_of(problem)) from None
    finally:
        os.close(handle)


__all__ = [
    "AccessError",
    "allow_hint",
    "allowed_folders",
    "files_named",
    "find_mesh",
    "find_named",
    "folder_of",
    "mesh_roots",
    "read_named",
    "roots_of",
    "with_roots",
]
