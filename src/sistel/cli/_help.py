"""Help, made from the tables of commands and options."""

from __future__ import annotations

import re
import textwrap

from sistel._version import __version__
from sistel.cli._arguments import COMMON, Argument, Option, Usage
from sistel.cli._commands import COMMANDS, Command
from sistel.described import word_pairs
from sistel.errors import Language, Text

TITLE = Text("systems of bodies from one file", "системы тел из одного файла")
_WORDS = word_pairs("usage вызов, commands команды, arguments аргументы, options ключи, examples примеры")
_USAGE, _COMMANDS, _ARGUMENTS, _OPTIONS, _EXAMPLES = (Text(en, ru) for en, ru in _WORDS.values())
_MORE = Text("More about a command: sistel COMMAND --help", "Подробнее о команде: sistel КОМАНДА --help")
_STATUS = Text(
    "Exit status: 0 done, 1 the model is wrong, 2 the call is wrong.",
    "Код завершения: 0 — сделано, 1 — ошибка в модели, 2 — ошибка в вызове.",
)

Row = tuple[str, str]


def program_help(lang: Language, width: int) -> str:
    """What `sistel --help` prints."""
    word = Text("COMMAND", "КОМАНДА").say(lang)
    lines = [
        f"sistel {__version__} — {TITLE.say(lang)}",
        "",
        f"{_USAGE.say(lang)}: sistel {word} […]",
        "",
        f"{_COMMANDS.say(lang)}:",
        *_rows([(command.name, command.help.say(lang)) for command in COMMANDS], width),
        "",
        *_section(_OPTIONS, [_option(option, lang) for option in COMMON], lang, width),
        *textwrap.wrap(_MORE.say(lang), width),
        *textwrap.wrap(_STATUS.say(lang), width),
    ]
    return "\n".join(lines) + "\n"


def command_help(command: Command, usage: Usage, lang: Language, width: int) -> str:
    """What `sistel COMMAND --help` prints."""
    lines = [wrapped_usage(command, usage, lang, width), ""]
    for paragraph in usage.about.say(lang).split("\n"):
        lines += [*textwrap.wrap(paragraph, width), ""]
    arguments = [(argument.name.say(lang), argument.help.say(lang)) for argument in usage.arguments]
    lines += _section(_ARGUMENTS, arguments, lang, width)
    lines += _section(_OPTIONS, [_option(option, lang) for option in (*usage.options, *COMMON)], lang, width)
    examples = [(call, about.say(lang)) for call, about in usage.examples]
    lines += _section(_EXAMPLES, examples, lang, width, longest=width - 34)
    return "\n".join(lines).rstrip("\n") + "\n"


def usage_line(command: Command, usage: Usage, lang: Language) -> str:
    """How a command is called, in one line."""
    words = [_bracketed(argument, lang) for argument in usage.arguments]
    words += [f"[{_head(option, lang)}]" + ("…" if option.many else "") for option in usage.options]
    return " ".join((f"{_USAGE.say(lang)}:", "sistel", command.name, *words))


def wrapped_usage(command: Command, usage: Usage, lang: Language, width: int) -> str:
    """As `usage_line`, for a page; what stands in brackets stays together."""
    line = usage_line(command, usage, lang)
    glued = re.sub(r"\[[^\[\]]*(?:\[[^\]]*\])?[^\[\]]*\]", lambda found: found.group().replace(" ", "\xa0"), line)
    return "\n".join(textwrap.wrap(glued, width, subsequent_indent="  ", break_on_hyphens=False)).replace("\xa0", " ")


def help_data(lang: Language) -> dict[str, object]:
    """The list of commands as plain data."""
    return {
        "version": __version__,
        "commands": [command_data(command, command.code.USAGE, lang) for command in COMMANDS],
        "options": [_option_data(option, lang) for option in COMMON],
    }


def command_data(command: Command, usage: Usage, lang: Language) -> dict[str, object]:
    """How one command is called, as plain data."""
    return {
        "name": command.name,
        "help": command.help.say(lang),
        "about": usage.about.say(lang),
        "arguments": [
            {
                "name": argument.name.say(lang),
                "help": argument.help.say(lang),
                "required": argument.required,
                "choices": list(argument.choices),
                "many": argument.many,
            }
            for argument in usage.arguments
        ],
        "options": [_option_data(option, lang) for option in usage.options],
    }


def _option_data(option: Option, lang: Language) -> dict[str, object]:
    return {
        "name": option.name,
        "value": None if option.value is None else option.value.say(lang),
        "help": option.help.say(lang),
        "choices": list(option.choices),
        "many": option.many,
    }


def _bracketed(argument: Argument, lang: Language) -> str:
    name = argument.name.say(lang) + ("…" if argument.many else "")
    return name if argument.required else f"[{name}]"


def _head(option: Option, lang: Language) -> str:
    return option.name if option.value is None else f"{option.name} {option.value.say(lang)}"


def _option(option: Option, lang: Language) -> Row:
    head = _head(option, lang)
    return f"{option.short}, {head}" if option.short else head, option.help.say(lang)


def _section(title: Text, rows: list[Row], lang: Language, width: int, longest: int = 26) -> list[str]:
    return [f"{title.say(lang)}:", *_rows(rows, width, longest), ""] if rows else []


def _rows(rows: list[Row], width: int, longest: int = 26) -> list[str]:
    """Two columns; a head that is too long gets a line of its own."""
    column = min(max(len(head) for head, _ in rows), max(longest, 10)) + 4
    lines = []
    for head, text in rows:
        wrapped = textwrap.wrap(text, max(20, width - column)) or [""]
        if len(head) + 4 > column:
            lines.append(f"  {head}")
        else:
            lines.append(f"  {head}".ljust(column) + wrapped.pop(0))
        lines += [" " * column + line for line in wrapped]
    return [line.rstrip() for line in lines]
