"""Reports in files, by their suffixes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Final

from sistel.markup import write_bytes
from sistel.views.reports._document import Report


def _pdf(report: Report) -> bytes:
    from sistel.views.reports._typst import pdf

    return pdf(report)


def _fo(report: Report) -> bytes:
    from sistel.views.reports._fo import fo_text

    return fo_text(report).encode()


def _html(report: Report) -> bytes:
    from sistel.views.reports._html import print_page

    return print_page(report).encode()


_WRITERS: Final[Mapping[str, Callable[[Report], bytes]]] = {".pdf": _pdf, ".fo": _fo, ".print.html": _html}
SUFFIXES: Final = tuple(_WRITERS)
"""Of the files of reports."""


def report_suffix(path: str | os.PathLike[str]) -> str | None:
    """The suffix of a file of a report; None where it is another file."""
    name = os.path.basename(os.fspath(path))
    return next((suffix for suffix in SUFFIXES if name.endswith(suffix) and name != suffix), None)


def require_suffix(suffix: str) -> None:
    """Say what is missing for a format, before anything is computed.

    Raises:
        SistelError: A PDF is wanted, and Typst is not installed.
    """
    if suffix == ".pdf":
        from sistel.views.reports._typst import require_typst

        require_typst()


def report_bytes(report: Report, suffix: str) -> bytes:
    """A report in the format of a suffix.

    Raises:
        SistelError: A PDF is wanted, and Typst is not installed.
    """
    return _WRITERS[suffix](report)


def save_report(report: Report, path: str | os.PathLike[str]) -> None:
    """Write a report whole or not at all.

    Args:
        report: The report.
        path: The file: .pdf, .fo or .print.html.

    Raises:
        SistelError: The file cannot be written, or Typst is not installed.
    """
    suffix = report_suffix(path)
    assert suffix is not None
    write_bytes(os.fspath(path), report_bytes(report, suffix))
