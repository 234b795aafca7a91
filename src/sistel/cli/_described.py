"""Options and examples of commands, written as text: what is typed, then what it means in both languages.

::

    --until TIME | ВРЕМЯ
        when to end
        когда закончить
    --lock -l JOINT | СОЧЛЕНЕНИЕ *
        a joint that does not move
        сочленение, которое не движется
    --theme THEME | ТЕМА = auto|light|dark
        colours of the picture
        цвета рисунка
    --base = free|fixed
        whether the root is free
        свободно ли корневое тело

    file: [FILE | ФАЙЛ] @file
        an argument, here one that may be left out and that shells complete with files
        аргумент: этот можно опустить, а оболочка предлагает для него файлы

A star marks what may be repeated. After = stands all that there is to choose from; where nothing else says what the
value is, the help shows the choices themselves. Texts that do not fit on a line go on below, further to the right.
"""

from __future__ import annotations

from sistel.cli._arguments import Argument, Option
from sistel.described import entries
from sistel.errors import Text


def arguments(table: str) -> tuple[Argument, ...]:
    """The arguments of a table."""
    return tuple(_argument(typed, Text(*texts)) for typed, texts in entries(table))


def options(table: str) -> tuple[Option, ...]:
    """The options of a table."""
    return tuple(_option(typed, Text(*texts)) for typed, texts in entries(table))


def examples(table: str) -> tuple[tuple[str, Text], ...]:
    """Calls that a user may copy, and what they do."""
    return tuple((typed, Text(*texts)) for typed, texts in entries(table))


def _argument(typed: str, said: Text) -> Argument:
    words = typed.removesuffix(" *")
    words, _, kind = words.partition(" @")
    key, _, name = words.partition(": ")
    english, _, russian = name.strip("[]").partition(" | ")
    return Argument(
        key=key,
        name=Text(english, russian or english),
        help=said,
        required=not name.startswith("["),
        completes="file" if kind == "file" else "template" if kind == "template" else "nothing",
        many=typed.endswith(" *"),
    )


def _option(typed: str, said: Text) -> Option:
    words = typed.removesuffix(" *")
    left, _, choices = words.partition(" = ")
    left, _, russian = left.partition(" | ")
    name, *rest = left.split()
    short = rest.pop(0) if rest and rest[0].startswith("-") else ""
    value = rest[0] if rest else choices
    return Option(
        name=name,
        short=short,
        value=Text(value, russian or value) if value else None,
        choices=tuple(choices.split("|")) if choices else (),
        many=typed != words,
        help=said,
    )
