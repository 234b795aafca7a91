"""Runs the code blocks of a page of documentation, in order, in one folder and one Python namespace.

| block | what happens |
|---|---|
| ```` ```python ```` | executed; with `>>>` prompts, checked as a doctest |
| ```` ```console ```` | lines that start with `$ ` run; output that follows in the block has to be the real one |
| ```` ```xml ```` | loaded with `sistel.load`, when it has a root element |
| ```` ```xml fragment ```` | only shown |
| ```` ```xml broken ```` | loading has to raise `SistelError` |
| ```` ```xml file=NAME ```` | kept under that name too, for the blocks after it |
| ```` ```csv file=NAME ```` | the table of an arm: loaded and kept likewise |

In expected output `…` stands for anything: alone on a line for any number of lines, inside a line for any characters.
A command that should fail says so at its end: `# exits 1`.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import traceback
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from support.commands import write_sistel

RUNS = ("sistel", "python")
ONLY_SHOWN = ("make", "git", "cd", "pip", "open", "xdg-open")
EXITS = re.compile(r"\s*#\s*exits (\d+)\s*$")
ROOT_ELEMENT = re.compile(r"(?:\s|<\?.*?\?>|<!--.*?-->)*<[^\W\d]", re.DOTALL)
TIMEOUT = 120.0
"""The longest that one command of the documentation may take [s]."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of Markdown."""

    language: str
    words: tuple[str, ...]
    """The words after the language."""
    text: str
    line: int
    """Line of the page on which the text starts, counted from 1."""

    @property
    def file(self) -> str | None:
        """The name under which the block is kept for those after it."""
        return next((word.removeprefix("file=") for word in self.words if word.startswith("file=")), None)


@dataclass(frozen=True, slots=True)
class Command:
    """A line of a console block with what should come of it."""

    text: str
    status: int
    output: str
    """Expected output; empty when the block does not show any."""
    line: int


class BlockError(AssertionError):
    """A block does not do what the page says."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def read_blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, also those inside lists and quotations."""
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "fence" and token.info.strip():
            assert token.map is not None
            language, *words = token.info.split()
            yield Block(language, tuple(words), token.content, token.map[0] + 2)


def read_commands(block: Block) -> Iterator[Command]:
    """The commands of a console block. A `\\` at the end continues a command; lines before the first are nobody's."""
    lines = block.text.splitlines()
    starts = [index for index, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        text = lines[start].removeprefix("$ ")
        rest = start + 1
        while text.endswith("\\") and rest < end:
            text = text[:-1].rstrip() + " " + lines[rest].removeprefix("> ").strip()
            rest += 1
        status = 0
        if match := EXITS.search(text):
            text, status = text[: match.start()], int(match[1])
        elif rest < end and (match := EXITS.fullmatch(lines[rest])):
            status = int(match[1])
            rest += 1
        yield Command(text.strip(), status, "\n".join(lines[rest:end]).strip("\n"), block.line + start)


def matches(expected: str, actual: str) -> bool:
    """Whether output is as a page shows it; blanks at the ends of lines and empty lines at the end do not count."""
    parts = []
    for line in tidy(expected).split("\n"):
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(r"[^\n]*?".join(re.escape(piece) for piece in line.split("…")) + r"\n")
    return re.fullmatch("".join(parts), tidy(actual) + "\n") is not None


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip("\n")


class PageRunner:
    """One page: a namespace for its Python, a folder for its files."""

    def __init__(self, page: Path, folder: Path, lang: str, address: Path | None = None) -> None:
        self.page = page
        self.folder = folder
        self.module = types.ModuleType(f"page_{page.stem}")
        self.environment = environment(folder, lang, address)

    def run(self, block: Block) -> None:
        """Does what the page does; raises `BlockError` where the page is wrong."""
        if block.language == "python":
            (self.doctest if block.text.lstrip().startswith(">>>") else self.python)(block)
        elif block.language in ("console", "shell-session"):
            for command in read_commands(block):
                self.command(command)
        elif block.language == "xml" or (block.language == "csv" and block.file):
            self.description(block)

    def python(self, block: Block) -> None:
        # Empty lines in front make a traceback name the line of the page.
        code = "\n" * (block.line - 1) + block.text
        with self.at_home():
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(code, str(self.page), "exec"), self.module.__dict__)
            except Exception as error:
                places = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(self.page)]
                line = places[-1] if places and places[-1] else block.line
                message = "".join(traceback.format_exception_only(error)).strip()
                raise BlockError(line, message) from error

    def doctest(self, block: Block) -> None:
        examples = doctest.DocTestParser().get_doctest(
            block.text, self.module.__dict__, self.page.name, str(self.page), block.line - 1
        )
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
        report = io.StringIO()
        with self.at_home():
            runner.run(examples, out=report.write, clear_globs=False)
        self.module.__dict__.update(examples.globs)
        if runner.failures:
            raise BlockError(block.line, report.getvalue().strip())

    def command(self, command: Command) -> None:
        words = [word for word in command.text.split() if not re.match(r"\w+=", word)]
        program = words[0].removeprefix(".venv/bin/") if words else ""
        if program in ONLY_SHOWN:
            return
        if program not in RUNS:
            known = ", ".join((*RUNS, *ONLY_SHOWN))
            raise BlockError(command.line, f"`{program}` is none of the commands a page may show: {known}")
        done = subprocess.run(
            ["bash", "-c", command.text.replace(".venv/bin/", "")],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT,
            check=False,
        )
        output = done.stdout.decode("utf-8", errors="replace")
        if done.returncode != command.status:
            raise BlockError(
                command.line,
                f"`{command.text}` exits {done.returncode}, the page says {command.status}\n{output.strip()}",
            )
        if command.output and not matches(command.output, output):
            raise BlockError(
                command.line,
                f"`{command.text}` prints something else.\n"
                f"--- the page\n{tidy(command.output)}\n--- the program\n{tidy(output)}",
            )

    def description(self, block: Block) -> None:
        import sistel

        path = self.folder / (block.file or f"block-{block.line}.xml")
        path.write_text(block.text, encoding="utf-8")
        if "fragment" in block.words or (block.language == "xml" and not ROOT_ELEMENT.match(block.text)):
            return
        with self.at_home():
            try:
                sistel.load(path)
            except sistel.SistelError as error:
                if "broken" not in block.words:
                    raise BlockError(block.line, str(error)) from error
            else:
                if "broken" in block.words:
                    raise BlockError(block.line, "the block is marked `broken`, but it loads")

    @contextlib.contextmanager
    def at_home(self) -> Iterator[None]:
        """In the page's folder, with its namespace known as a module (dataclasses look theirs up)."""
        sys.modules[self.module.__name__] = self.module
        try:
            with contextlib.chdir(self.folder):
                yield
        finally:
            del sys.modules[self.module.__name__]


def environment(folder: Path, lang: str, address: Path | None = None) -> dict[str, str]:
    """A plain terminal of 100 columns in the language of the page, where `sistel` is the one under test."""
    commands = folder / ".bin"
    commands.mkdir()
    if address is None:
        call = "import sys; from sistel.cli import main; sys.argv[0] = 'sistel'; sys.exit(main())"
        write_script(commands / "sistel", f'"{sys.executable}" -c "{call}"')
    else:
        write_sistel(commands / "sistel", address)
    write_script(commands / "python", f'"{sys.executable}"')
    env = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LC_MESSAGES", "LANGUAGE")}
    return env | {
        "PATH": f"{commands}{os.pathsep}{env.get('PATH', os.defpath)}",
        "LANG": "ru_RU.UTF-8" if lang == "ru" else "C.UTF-8",
        "PYTHONUTF8": "1",
        "PYTHONUNBUFFERED": "1",  # keeps messages and data in the order in which they were written
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "TERM": "dumb",
    }


def write_script(path: Path, command: str) -> None:
    path.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    path.chmod(0o755)
