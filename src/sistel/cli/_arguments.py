"""The words of a call → its options and arguments.

An own reader rather than argparse: every word that it says is in the user's language and the same in all versions of
Python, a mistake is answered with the nearest valid word, options common to all commands may stand anywhere, and the
tables that it reads also make the help and the completions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Literal, NoReturn

from sistel.errors import Diagnostic, Language, SistelError, Text, did_you_mean, one_of, user_language
from sistel.records import mutable, record


@record
class Argument:
    """A word that stands by itself."""

    key: str
    name: Text
    """What it stands for, in the usage line."""
    help: Text
    required: bool = True
    choices: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    """Words that completion offers where others are allowed too."""
    completes: Literal["file", "template", "nothing"] = "nothing"
    many: bool = False
    """Whether it stands for all words that follow; the last argument only."""


@record
class Option:
    """A word that starts with hyphens."""

    name: str
    help: Text
    value: Text | None = None
    """What its value stands for; None for a switch."""
    choices: tuple[str, ...] = ()
    many: bool = False
    """Whether it may be given several times."""
    short: str = ""

    @property
    def key(self) -> str:
        """The name without hyphens."""
        return self.name.lstrip("-")


@record
class Usage:
    """How a command is called."""

    about: Text
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    examples: tuple[tuple[str, Text], ...] = ()
    exclusive: tuple[tuple[str, ...], ...] = ()
    """Names of options of which only one makes sense."""


COMMON: tuple[Option, ...] = (
    Option(
        name="--json",
        help=Text("one JSON document on standard output", "один документ JSON в стандартном выводе"),
    ),
    Option(
        name="--lang",
        value=Text("ru|en", "ru|en"),
        choices=("ru", "en"),
        help=Text("language, instead of the locale's", "язык вместо языка локали"),
    ),
    Option(
        name="--debug",
        help=Text("if the program itself fails, show where", "если откажет сама программа, показать, в каком месте"),
    ),
    Option(name="--help", short="-h", help=Text("this text", "этот текст")),
    Option(name="--version", short="-V", help=Text("the version", "версия")),
)


@mutable
class Call:
    """What was asked for."""

    command: str | None = None
    values: dict[str, list[str]] = field(default_factory=dict)
    """By key; a switch has an empty list."""

    def given(self, key: str) -> bool:
        """Whether a switch, an option or an argument was given."""
        return key in self.values

    def value(self, key: str) -> str | None:
        """The value of an option or argument, if it was given; the last one if there are several."""
        values = self.values.get(key)
        return values[-1] if values else None

    def all(self, key: str) -> tuple[str, ...]:
        """All values of an option."""
        return tuple(self.values.get(key, ()))

    def required(self, key: str) -> str:
        """The value of a required argument."""
        return self.values[key][-1]

    @property
    def asked_lang(self) -> Language | None:
        """The language that was asked for by an option."""
        lang = self.value("lang")
        return None if lang is None else ("ru" if lang == "ru" else "en")

    @property
    def lang(self) -> Language:
        """The language of this call."""
        return self.asked_lang or user_language()

    @property
    def json(self) -> bool:
        """Whether standard output is to be a JSON document."""
        return self.given("json")


class CallError(SistelError):
    """The call is wrong, not the model."""


def wrong_call(code: str, message: Text, *, expected: Text | None = None, hint: Text | None = None) -> NoReturn:
    """Refuse a call."""
    raise CallError([Diagnostic(code, "error", message, None, expected, hint)])


def peek(words: Sequence[str]) -> Call:
    """The common options of a call that may be wrong elsewhere: in which language and form to say so."""
    call = Call()
    for index, word in enumerate(words):
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if word in ("--json", "--debug"):
            call.values[word[2:]] = []
        elif name == "--lang":
            given = value if equals else words[index + 1] if index + 1 < len(words) else ""
            if given in ("ru", "en"):
                call.values["lang"] = [given]
    return call


def parse_common(words: Sequence[str], commands: Iterable[str]) -> tuple[Call, list[str]]:
    """The options before the command, the command, and the words after it."""
    call, rest = Call(), list(words)
    commands = list(commands)
    if any("\0" in word for word in words):
        wrong_call("bad-word", Text("a word holds the character U+0000", "в слове есть символ U+0000"))
    while rest:
        word = rest[0]
        if word.startswith("-") and word not in ("-", "--"):
            hint = Text("the options of a command come after its name", "ключи команды стоят после её имени")
            _option(call, rest, COMMON, hint)
            continue
        if word not in commands:
            wrong_call(
                "unknown-command",
                Text(f'there is no command "{word}"', f"нет команды «{word}»"),
                expected=one_of(commands),
                hint=_instead_of(word, commands),
            )
        call.command = word
        return call, rest[1:]
    return call, []


def _instead_of(word: str, commands: Sequence[str]) -> Text | None:
    """What a word that is no command may have meant."""
    if word == "help":
        return Text("sistel --help lists the commands", "список команд: sistel --help")
    if "." not in word and "/" not in word:
        return did_you_mean(word, commands)
    return Text(f"to see a file: sistel show {word}", f"чтобы увидеть файл: sistel show {word}")


def parse(call: Call, words: Sequence[str], usage: Usage) -> None:
    """Add the words after the command to a call."""
    rest, free = list(words), []
    options = (*usage.options, *COMMON)
    while rest:
        word = rest[0]
        if word == "--":
            free += rest[1:]
            break
        if word.startswith("-") and word != "-":
            _option(call, rest, options, None)
        else:
            free.append(rest.pop(0))
    if call.given("help") or call.given("version"):
        return
    for names in usage.exclusive:
        both = [name for name in names if call.given(name.lstrip("-"))]
        if len(both) > 1:
            wrong_call(
                "exclusive-options",
                Text(f"{both[0]} and {both[1]} exclude each other", f"{both[0]} и {both[1]} исключают друг друга"),
            )
    _arguments(call, free, usage)


def _arguments(call: Call, free: list[str], usage: Usage) -> None:
    for argument, word in zip(usage.arguments, free, strict=False):
        _choose(argument.name, word, argument.choices)
        call.values[argument.key] = [word]
    surplus = free[len(usage.arguments) :]
    last = usage.arguments[-1] if usage.arguments else None
    if surplus and last is not None and last.many:
        call.values[last.key] += surplus
    elif surplus:
        wrong_call(
            "surplus-argument",
            Text(f'"{surplus[0]}" is one word too many', f"лишнее слово «{surplus[0]}»"),
            hint=Text("a name with blanks goes in quotes", "имя с пробелами пишется в кавычках"),
        )
    missing = [argument for argument in usage.arguments[len(free) :] if argument.required]
    if missing:
        refuse_missing(missing[0])


def refuse_missing(argument: Argument) -> NoReturn:
    """Say which word a call lacks."""
    wrong_call(
        "missing-argument",
        Text(
            f"{argument.name.en} is missing: {argument.help.en}",
            f"не хватает слова {argument.name.ru}: {argument.help.ru}",
        ),
        expected=one_of(argument.choices) if argument.choices else None,
    )


def _option(call: Call, rest: list[str], options: Sequence[Option], hint: Text | None) -> None:
    """Take one option, and its value, from the front of the words."""
    word = rest.pop(0)
    name, equals, value = word.partition("=")
    option = next((option for option in options if name in (option.name, option.short)), None)
    if option is None:
        names = [option.name for option in options]
        wrong_call(
            "unknown-option",
            Text(f'there is no option "{name}"', f"нет ключа «{name}»"),
            expected=one_of(names),
            hint=did_you_mean(name, names) or hint,
        )
    if option.value is None:
        if equals:
            wrong_call(
                "surplus-value",
                Text(f"{option.name} takes no value", f"у ключа {option.name} не бывает значения"),
            )
        call.values[option.key] = []
        return
    if not equals:
        if not rest or (rest[0].startswith("--") and len(rest[0]) > 2):
            wrong_call(
                "missing-value",
                Text(f"{option.name} needs a value", f"ключу {option.name} нужно значение"),
                expected=one_of(option.choices) if option.choices else option.value,
            )
        value = rest.pop(0)
    _choose(Text(option.name, option.name), value, option.choices)
    if option.many:
        call.values.setdefault(option.key, []).append(value)
    else:
        call.values[option.key] = [value]


def _choose(what: Text, word: str, choices: tuple[str, ...]) -> None:
    if choices and word not in choices:
        wrong_call(
            "unknown-choice",
            Text(f'{what.en} cannot be "{word}"', f"{what.ru} не может быть «{word}»"),
            expected=one_of(choices),
            hint=did_you_mean(word, choices),
        )
