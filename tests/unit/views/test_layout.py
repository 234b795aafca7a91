from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sistel.views.text._paper import GAP, Paper, cut, fit, width_of, wrap
from sistel.views.text._tables import Column, Table

WORDS = st.text(alphabet="abcЖя漢 e\u0301—", max_size=60)


def table(*rows: tuple[str, ...], keep: tuple[bool, ...]) -> Table:
    columns = tuple(Column(title=f"C{index}", keep=kept) for index, kept in enumerate(keep))
    return Table(title="", columns=columns, rows=rows, total=len(rows))


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("abc", 3), ("тело", 4), ("漢字", 4), ("e\u0301", 1), ("a\u200bb", 2), ("└─ 1", 4), ("…°", 2)],
)
def test_width(text: str, width: int):
    assert width_of(text) == width


@given(WORDS, st.integers(2, 30))
def test_wrapped_lines_fit_and_nothing_is_lost(text: str, width: int):
    lines = wrap(text, width)
    assert all(width_of(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@given(WORDS, st.integers(1, 30))
def test_cut_texts_fit(text: str, width: int):
    shown = cut(text, width)
    assert width_of(shown) <= width
    assert shown == text or shown.endswith("…")


@given(
    st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=4),
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
    st.integers(40, 120),
)
def test_tables_fit(rows: list[tuple[str, ...]], keep: tuple[bool, ...], width: int):
    made = table(*rows, keep=keep)
    assert sum(fit(made, width)) + GAP * 2 <= width
    paper = Paper(width, colour=False)
    paper.table(made)
    assert all(width_of(line) <= width for line in paper.lines)


@given(st.lists(WORDS, max_size=6), st.integers(40, 60), st.integers(0, 8))
def test_written_lines_fit(pieces: list[str], width: int, indent: int):
    paper = Paper(width, colour=False)
    paper.write(*pieces, indent=indent)
    assert all(width_of(line.rstrip()) <= width for line in paper.lines)
    assert "".join(paper.lines).replace(" ", "") == "".join(pieces).replace(" ", "")


def test_a_word_wider_than_the_page_is_broken():
    paper = Paper(40, colour=False)
    paper.write("when ", "x" * 100, indent=5)
    assert paper.lines == ["when " + "x" * 35, "     " + "x" * 35, "     " + "x" * 30]


def test_colours_do_not_take_room():
    plain, coloured = Paper(60, colour=False), Paper(60, colour=True)
    for paper in (plain, coloured):
        paper.write(("word " * 30, "bold"), ("end", "title"), indent=4)
        paper.line(("a" * 70, "dim"), ("never seen", "bold"))
        paper.table(table(("name", "x" * 100), keep=(True, False)))
    import re

    assert "\x1b[1m" in coloured.text()
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured.text()) == plain.text()
    assert "never" not in plain.text()


def test_columns_that_wrap_give_way_first():
    made = table(("n" * 20, "word " * 40), keep=(True, False))
    assert fit(made, 60) == [20, 38]
