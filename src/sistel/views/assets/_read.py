"""Reading what was gathered for pages."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from sistel.errors import Diagnostic, SistelError, Text


@cache
def asset(name: str) -> bytes:
    """One of the files that pages carry inside; the package lists them.

    Args:
        name: Such as `page.js`.

    Raises:
        SistelError: It is not installed.
    """
    try:
        return files("sistel.views.assets").joinpath("files", name).read_bytes()
    except OSError:
        raise SistelError([_missing(name)]) from None


@cache
def asset_letters(name: str) -> str | None:
    """The same as the letters of a block of a page, where `tools/assets` has packed it: large files take long."""
    try:
        return files("sistel.views.assets").joinpath("files", f"{name}.packed").read_text("ascii")
    except OSError:
        return None


def asset_text(name: str) -> str:
    """The same as text.

    Raises:
        SistelError: It is not installed.
    """
    return asset(name).decode("utf-8")


def _missing(name: str) -> Diagnostic:
    return Diagnostic(
        "missing-asset",
        "error",
        Text(
            f"{name}, which the page needs, is not installed",
            f"не установлен файл {name}, который нужен странице",
        ),
        hint=Text(
            "in a checkout run `make setup`; it needs npm and the network once",
            "в рабочей копии выполните `make setup`: один раз нужны npm и сеть",
        ),
    )
