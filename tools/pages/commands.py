"""The page of commands: what `sistel COMMAND --help` says, of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_text import code, escape, table

from sistel.cli._arguments import COMMON, Option
from sistel.cli._commands import COMMANDS, Command
from sistel.cli._help import wrapped_usage
from sistel.errors import Language, Text

WIDTH = 84
"""Lines up to this length show without scrolling [characters]."""
TITLE = Text("Commands", "Команды")
ABOUT = Text(
    "What the command `sistel` does. Every command tells this itself: `sistel COMMAND --help`. It exits with 0 when it "
    "is done, with 1 when the model or the run is wrong, with 2 when the call is wrong; data go to standard output, "
    "messages to standard error. [Common options](#common-options) belong to all commands.",
    "Что умеет команда `sistel`. То же говорит она сама: `sistel КОМАНДА --help`. Код завершения 0 — сделано, 1 — "
    "ошибка в модели или в расчёте, 2 — ошибка в вызове; данные идут в стандартный вывод, сообщения — в стандартный "
    "поток ошибок. [Общие ключи](#общие-ключи) есть у всех команд.",
)
COMMON_TITLE = Text("Common options", "Общие ключи")
ARGUMENT = Text("argument", "аргумент")
OPTION = Text("option", "ключ")
EXAMPLE = Text("example", "пример")
MEANING = Text("meaning", "смысл")


def page(lang: Language) -> str:
    """The page in Markdown."""
    lines = [f"# {TITLE.say(lang)}", "", ABOUT.say(lang), ""]
    rows = [(f"[`{command.name}`](#sistel-{command.name})", escape(command.help.say(lang))) for command in COMMANDS]
    lines += table((Text("command", "команда").say(lang), MEANING.say(lang)), rows)
    for command in COMMANDS:
        lines += _command(command, lang)
    lines += [f"## {COMMON_TITLE.say(lang)}", "", *_options(COMMON, lang)]
    return "\n".join(lines).rstrip() + "\n"


def _command(command: Command, lang: Language) -> Iterator[str]:
    usage = command.code.USAGE
    yield f"## sistel {command.name}"
    yield ""
    for paragraph in usage.about.say(lang).split("\n"):
        yield escape(paragraph)
        yield ""
    yield "```text"
    yield re.sub(r"^[^:]*: ", "", wrapped_usage(command, usage, lang, WIDTH))
    yield "```"
    yield ""
    if usage.arguments:
        rows = [(code(argument.name.say(lang)), escape(argument.help.say(lang))) for argument in usage.arguments]
        yield from table((ARGUMENT.say(lang), MEANING.say(lang)), rows)
    if usage.options:
        yield from _options(usage.options, lang)
    if usage.examples:
        rows = [(code(call), escape(about.say(lang))) for call, about in usage.examples]
        yield from table((EXAMPLE.say(lang), MEANING.say(lang)), rows)


def _options(options: Sequence[Option], lang: Language) -> Iterator[str]:
    rows = []
    for option in options:
        value = "" if option.value is None else f" {option.value.say(lang)}"
        short = f"{code(option.short)}, " if option.short else ""
        rows.append((short + code(option.name + value), escape(option.help.say(lang))))
    yield from table((OPTION.say(lang), MEANING.say(lang)), rows)
