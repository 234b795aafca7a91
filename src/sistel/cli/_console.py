"""Where a command writes: data to standard output, messages to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NoReturn, TextIO

from sistel.errors import SEVERITY_WORDS, Diagnostic, Language, Text, refuse
from sistel.files import reason_of

if TYPE_CHECKING:
    from sistel.simulation import RunWarning

WIDTH = 100
"""Columns of a page that goes to a file or a pipe."""

_BOLD, _RED, _YELLOW, _CYAN, _PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[36m", "\x1b[0m"
_COLOURS = {"error": _RED, "warning": _YELLOW, "note": _CYAN}


class Console:
    """The two streams of one call."""

    def __init__(self, lang: Language, json: bool) -> None:
        self.lang = lang
        self.json = json

    @property
    def width(self) -> int:
        """Columns to lay a page out for."""
        columns = os.environ.get("COLUMNS", "")
        if columns.isdecimal() and int(columns) > 0:
            return int(columns)
        try:
            return os.get_terminal_size(sys.stdout.fileno()).columns or WIDTH
        except (AttributeError, OSError, ValueError):
            return WIDTH

    @property
    def colour(self) -> bool:
        """Whether standard output may have colours."""
        return takes_colour(sys.stdout)

    def write(self, text: str) -> None:
        """Write data."""
        out = sys.stdout
        if out is None:
            _cannot_write("standard output is closed", "стандартный вывод закрыт")
        try:
            out.write(text)
        except BrokenPipeError:
            raise
        except OSError as problem:
            _cannot_write(*reason_of(problem))

    def flush(self) -> None:
        """Make sure that all data has left."""
        if sys.stdout is None:
            return
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as problem:
            silence(sys.stdout)
            _cannot_write(*reason_of(problem))

    def document(self, data: Mapping[str, object]) -> None:
        """Write the JSON document of this call."""
        import json

        self.write(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n")

    def message(self, text: Text) -> None:
        """Say something to the person; not to those who asked for JSON."""
        if not self.json:
            _emit(_tame(text.say(self.lang)))

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Show what is wrong."""
        colour = takes_colour(sys.stderr)
        for diagnostic in diagnostics:
            _emit(coloured(diagnostic, self.lang) if colour else _tame(diagnostic.render(self.lang)))

    def written(self, path: object) -> None:
        """Say that a file was written."""
        self.message(Text(f"written: {path}", f"записано: {path}"))

    def warnings(self, warnings: Iterable[RunWarning]) -> None:
        """Show what a user must know of a run, a line each; not to those who asked for JSON."""
        if self.json:
            return
        colour = takes_colour(sys.stderr)
        word = SEVERITY_WORDS["warning"].say(self.lang)
        for warning in warnings:
            where, said = _tame(f"{warning.place}: " if warning.place else ""), _tame(warning.line(self.lang))
            _emit(f"{_BOLD}{where}{_YELLOW}{word}:{_PLAIN} {said}" if colour else f"{where}{word}: {said}")


def takes_colour(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that shows colours, and its owner wants them (https://no-color.org)."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    try:
        return stream.isatty()
    except ValueError:
        return False


def _emit(text: str) -> None:
    """Write a message; there is nobody to tell when that fails."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        silence(sys.stderr)


def coloured(diagnostic: Diagnostic, lang: Language) -> str:
    """A diagnostic with the colours of a terminal."""
    colour = _COLOURS[diagnostic.severity]
    first, *rest = _tame(diagnostic.render(lang)).split("\n")
    word = f"{SEVERITY_WORDS[diagnostic.severity].say(lang)}:"
    where, _, message = first.partition(word)
    lines = [f"{_BOLD}{where}{_PLAIN}{_BOLD}{colour}{word}{_PLAIN}{_BOLD}{message}{_PLAIN}"]
    for line in rest:
        if line.startswith("  | ") and not line.strip(" |^"):
            lines.append(f"  | {colour}{line[4:]}{_PLAIN}")
        elif line.startswith(("  hint:", "  подсказка:")):
            label, _, text = line.partition(":")
            lines.append(f"{_CYAN}{label}:{_PLAIN}{text}")
        else:
            lines.append(line)
    return "\n".join(lines)


def _tame(text: str) -> str:
    """A message without characters by which names of files and things could command the terminal."""
    return "".join(
        character if character.isprintable() or character == "\n" else "\N{REPLACEMENT CHARACTER}" for character in text
    )


def prepare() -> None:
    """Make the streams able to write everything: files hold UTF-8, terminals show what they can."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            terminal = stream.isatty()
            reconfigure(encoding=None if terminal else "utf-8", errors="backslashreplace")


def silence(stream: TextIO | None) -> None:
    """Send what is still buffered to nowhere: its reader is gone, and the interpreter would complain at its end."""
    try:
        assert stream is not None
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (AssertionError, OSError, ValueError):
        return


def _cannot_write(en: str, ru: str) -> NoReturn:
    message = Text(f"the output cannot be written: {en}", f"не удаётся вывести данные: {ru}")
    refuse("cannot-write", message)
