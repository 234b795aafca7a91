"""Tables that are written as text: entries, texts that go on, and what options, attributes and words make of them."""

from __future__ import annotations

import pytest

from sistel.cli._described import arguments, examples, options
from sistel.described import entries
from sistel.errors import Text
from sistel.markup.schema._choices import choices
from sistel.markup.schema._rows import element, row


def test_texts_belong_to_the_line_above_and_may_go_on() -> None:
    table = """
        first
            one
            two that
                goes on
                and on

        second
    """
    assert entries(table) == [("first", ["one", "two that goes on and on"]), ("second", [])]


def test_options_say_their_value_choices_and_whether_they_may_be_repeated() -> None:
    until, lock, theme, base, every = options(
        """
        --until TIME | ВРЕМЯ
            when to end
            когда закончить
        --lock -l JOINT[=NUMBER] *
            a joint
            сочленение
        --theme THEME | ТЕМА = auto|light
            colours
            цвета
        --base = free|fixed
            the root
            корень
        --all
            everything
            всё
        """
    )
    assert (until.name, until.value, until.many, until.help) == (
        "--until",
        Text("TIME", "ВРЕМЯ"),
        False,
        Text("when to end", "когда закончить"),
    )
    assert (lock.short, lock.value, lock.many) == ("-l", Text("JOINT[=NUMBER]", "JOINT[=NUMBER]"), True)
    assert (theme.value, theme.choices) == (Text("THEME", "ТЕМА"), ("auto", "light"))
    assert (base.value, base.choices) == (Text("free|fixed", "free|fixed"), ("free", "fixed"))
    assert (every.value, every.choices, every.short) == (None, (), "")


def test_arguments_may_be_left_out_repeated_and_completed() -> None:
    file, more = arguments(
        """
        file: FILE | ФАЙЛ @file
            a file
            файл
        more: [WORD] *
            words
            слова
        """
    )
    assert (file.key, file.name, file.required, file.completes) == ("file", Text("FILE", "ФАЙЛ"), True, "file")
    assert (more.name, more.required, more.completes, more.many) == (Text("WORD", "WORD"), False, "nothing", True)


def test_examples_are_a_call_and_what_it_does() -> None:
    ((call, said),) = examples("sistel run a.xml | less\n    five seconds\n    пять секунд\n")
    assert (call, said) == ("sistel run a.xml | less", Text("five seconds", "пять секунд"))


def test_an_attribute_has_spellings_a_kind_and_a_default() -> None:
    colour = row("colour: colour color | цвет (colour) !\n    A colour.\n    Цвет.\n    = black | чёрный\n")
    assert (colour.key, colour.en, colour.ru) == ("colour", ("colour", "color"), ("цвет",))
    assert (colour.required, colour.default) == (True, Text("black", "чёрный"))
    assert row("min | мин (position)\n    Least.\n    Меньше.\n    = 0\n").default == Text("0", "0")
    with pytest.raises(KeyError):
        row("min | мин (no such kind)\n    Least.\n    Меньше.\n")


def test_elements_and_choices_have_spellings_of_both_languages() -> None:
    made = element("cut: closure cut | замыкание\n    A.\n    Б.\n    <cut/>\n    <замыкание/>\n", children=("row",))
    assert (made.key, made.en, made.ru, made.children) == ("cut", ("closure", "cut"), ("замыкание",), ("row",))
    assert made.example == Text("<cut/>", "<замыкание/>")
    (slide,) = choices("slide: slide, as it is | ПКП1, ход | 0\n    a slide\n    ход\n").choices
    assert (slide.en, slide.ru, slide.both) == (("slide", "as it is"), ("ПКП1", "ход"), ("0",))
