"""The entry: finds the command, runs it, and turns whatever happens into messages and an exit status."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from sistel._version import __version__
from sistel.cli._arguments import Call, CallError, parse, parse_common, peek
from sistel.cli._commands import COMMANDS, Command, find
from sistel.cli._console import Console, prepare, silence
from sistel.errors import Diagnostic, SistelError, Text

DONE, WRONG_MODEL, WRONG_CALL = 0, 1, 2
OWN_ERROR = 70
"""The program itself failed (EX_SOFTWARE of sysexits.h)."""
INTERRUPTED = 130
"""Ctrl-C: 128 and the number of the signal, as shells say it."""
BROKEN_PIPE = 141
"""Whoever read our output has left: what a program that the signal ends shows."""


COLLECTED = (200_000, 50, 50)
"""After how many new things Python looks for garbage, and how much of it."""


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit status."""
    words = sys.argv[1:] if words is None else words
    call = peek(words)
    # Matrices are small here, and threads of BLAS would wait for each other: training networks took ten times as long.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    before = gc.get_threshold()
    try:
        # A large description is a million small things that all stay: looking through them for garbage again and
        # again took a third of the time.
        gc.set_threshold(*COLLECTED)
        prepare()
        return _guarded(list(words), call)
    except BrokenPipeError:
        silence(sys.stdout)
        return BROKEN_PIPE
    except KeyboardInterrupt:
        silence(sys.stdout)
        return INTERRUPTED
    finally:
        gc.set_threshold(*before)


def _guarded(words: list[str], peeked: Call) -> int:
    console = Console(peeked.lang, peeked.json)
    try:
        status = _run(words, console)
        console.flush()
        return status
    except CallError as problem:
        return _fail(problem.diagnostics, console, WRONG_CALL, _usage(words, console))
    except SistelError as problem:
        return _fail(problem.diagnostics, console, WRONG_MODEL)
    except BrokenPipeError:
        raise
    except (OSError, UnicodeError) as problem:
        # Files that vanish or fill the disk while being used; whatever is expected has its own message already.
        reason = Text(str(problem), str(problem))
        return _fail((Diagnostic("system", "error", reason),), console, WRONG_MODEL)
    except Exception as problem:
        if peeked.given("debug"):
            import traceback

            traceback.print_exc()
        return _fail((_own_error(problem),), console, OWN_ERROR)


def _run(words: list[str], console: Console) -> int:
    call, rest = parse_common(words, [command.name for command in COMMANDS])
    command = None if call.command is None else find(call.command)
    if command is None:
        return _program(call, console)
    code = command.code
    if not call.given("help"):
        parse(call, rest, code.USAGE)
    if call.given("help"):
        from sistel.cli._help import command_data, command_help

        if console.json:
            console.document(command_data(command, code.USAGE, console.lang))
        else:
            console.write(command_help(command, code.USAGE, console.lang, console.width))
        return DONE
    if call.given("version"):
        return _version(console)
    return code.run(call, console)


def _program(call: Call, console: Console) -> int:
    if call.given("version"):
        return _version(console)
    from sistel.cli._help import help_data, program_help

    if console.json:
        console.document(help_data(console.lang))
    else:
        console.write(program_help(console.lang, console.width))
    return DONE


def _version(console: Console) -> int:
    if console.json:
        console.document({"version": __version__})
    else:
        console.write(f"sistel {__version__}\n")
    return DONE


def _fail(diagnostics: Sequence[Diagnostic], console: Console, status: int, usage: str = "") -> int:
    console.diagnostics(diagnostics)
    if usage:
        console.message(Text(usage, usage))
    if console.json:
        try:
            console.document({"diagnostics": [diagnostic.to_json(console.lang) for diagnostic in diagnostics]})
            console.flush()
        except SistelError:
            return status
    return status


def _usage(words: Sequence[str], console: Console) -> str:
    """The usage line of the command that a wrong call meant."""
    command: Command | None = next((found for word in words if (found := find(word)) is not None), None)
    if command is None:
        return ""
    from sistel.cli._help import wrapped_usage

    return wrapped_usage(command, command.code.USAGE, console.lang, console.width)


def _own_error(problem: Exception) -> Diagnostic:
    name = type(problem).__name__
    return Diagnostic(
        "own-error",
        "error",
        Text(
            f"sistel itself failed ({name}: {problem}); your file need not be wrong",
            f"отказала сама программа ({name}: {problem}); файл может быть верен",
        ),
        hint=Text(
            "the option --debug shows where; please report it together with the file",
            "ключ --debug покажет место; пожалуйста, сообщите о нём вместе с файлом",
        ),
    )
