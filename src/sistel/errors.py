"""Diagnostics: what is wrong, where, what was expected, and a hint, in Russian and English.

A `Diagnostic` is data. The terminal, the studio and the tests render it; nothing here prints. Code that checks
something collects diagnostics in a `Diagnostics` and raises once, so that a user sees all problems of a file together.
"""

from __future__ import annotations

import contextlib
import difflib
import itertools
import os
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Literal, NamedTuple, NoReturn

from sistel.records import entry, mutable
from sistel.shown import NotebookShown

Language = Literal["en", "ru"]
Severity = Literal["error", "warning", "note"]

EXCERPT_WIDTH = 160
"""Source lines longer than this are cut around the place that a caret points at [characters]."""

MOST_CANDIDATES = 2000
"""How many words a mistyped one is compared with: a file of 10,000 bodies must not wait for a hint."""


class Text(NamedTuple):
    """One sentence for people, in both languages."""

    en: str
    ru: str

    def say(self, lang: Language) -> str:
        """The sentence in one language."""
        return self.ru if lang == "ru" else self.en


def user_language() -> Language:
    """The language of the user's locale: Russian where the environment says so, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        value = os.environ.get(variable, "")
        if value:
            return "ru" if value.lower().startswith("ru") else "en"
    return "en"


@mutable
class Source:
    """A text and the name people know it by (a path, or something like ``<text>``)."""

    path: str
    text: str
    _line_starts: list[int] | None = field(default=None, repr=False)
    roots: tuple[str, ...] | None = None
    """Folders in which the files that this text names may lie, that of the main file first; None for its own."""

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both counted from 1; a tab counts as one column."""
        starts = self._lines()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of one line, counted from 1, without its end."""
        starts = self._lines()
        start = starts[number - 1]
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def _lines(self) -> list[int]:
        if self._line_starts is None:
            # "\r\n", "\n" and a lone "\r" end a line, as in the XML specification, section 2.11.
            starts = [0, *(found.end() for found in re.finditer(r"\r\n?|\n", self.text))]
            self._line_starts = starts
        return self._line_starts


@entry
class Span:
    """A stretch of a source, `start` inclusive to `end` exclusive [characters]."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        """The stretch itself."""
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.path}:{line}:{column}"

    def to(self, other: Span) -> Span:
        """From the start of this stretch to the end of a later one."""
        return Span(self.source, self.start, max(self.end, other.end))


@entry
class CopySpan(Span):
    """A stretch of a text that is repeated, as it stands in one of the copies."""

    copy: tuple[tuple[str, int], ...]
    """The name and the value of the index, for all repetitions that it stands in, the outermost first.

    Empty where the text is the same in every copy.
    """

    def told(self) -> Text:
        """Which of the copies it is."""
        if not self.copy:
            return Text("in every copy", "в каждой копии")
        shown = ", ".join(f"{name} = {value}" for name, value in self.copy)
        return Text(f"in copy {shown}", f"в копии {shown}")


@entry
class CellSpan(Span):
    """A cell of a spreadsheet; its source is the text of its sheet, a row a line."""

    sheet: str
    row: int
    """From 1."""
    place: int
    """Of its column, from 1."""

    @property
    def line(self) -> int:
        """The row."""
        return self.row

    @property
    def column(self) -> int:
        """The number of the column."""
        return self.place

    @property
    def cell(self) -> str:
        """Its name, such as B7."""
        letters, left = "", self.place
        while left > 0:
            left, letter = divmod(left - 1, 26)
            letters = chr(ord("A") + letter) + letters
        return f"{letters}{self.row}"

    def __str__(self) -> str:
        plain = self.sheet.replace("_", "a").isalnum()
        sheet = self.sheet if plain else "'" + self.sheet.replace("'", "''") + "'"
        return f"{self.source.path}:{sheet}!{self.cell}"

    def to(self, other: Span) -> Span:
        """The same cell, with what is marked up to the end of a later one."""
        return CellSpan(self.source, self.start, max(self.end, other.end), self.sheet, self.row, self.place)


@entry
class Fragment:
    """A text taken out of a source, that still knows where each character came from.

    XML replaces ``&lt;`` by one character, so positions inside the value are not positions inside the file:
    `offsets` holds, when that happened, the source offset of every character and one more for the end.
    """

    text: str
    source: Source
    start: int
    offsets: Sequence[int] | None = None

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """The place in the source of the characters from `start` to `end`."""
        end = len(self.text) if end is None else end
        if self.offsets is None:
            return Span(self.source, self.start + start, self.start + end)
        return Span(self.source, self.offsets[start], self.offsets[end])

    def part(self, start: int, end: int) -> Fragment:
        """A piece of this fragment."""
        offsets = None if self.offsets is None else self.offsets[start : end + 1]
        first = self.start + start if self.offsets is None else self.offsets[start]
        return Fragment(self.text[start:end], self.source, first, offsets)

    def strip(self) -> Fragment:
        """Without blanks at either end."""
        left = len(self.text) - len(self.text.lstrip())
        return self.part(min(left, len(self.text)), max(left, len(self.text.rstrip())))


@entry
class Diagnostic(NotebookShown):
    """One problem of the user's input."""

    code: str
    """A stable word for programs and tests, such as ``unknown-element``."""
    severity: Severity
    message: Text
    span: Span | None = None
    expected: Text | None = None
    hint: Text | None = None
    related: tuple[tuple[Span, Text], ...] = ()
    """Other places that belong to the problem, each with a few words."""

    def render(self, lang: Language | None = None) -> str:
        """The whole diagnostic as text for a terminal, without colours."""
        lang = lang or user_language()
        word = SEVERITY_WORDS[self.severity].say(lang)
        where = f"{self.span}: " if self.span is not None else ""
        lines = [f"{where}{word}: {self.message.say(lang)}"]
        if self.span is not None:
            lines += excerpt(self.span)
        if self.expected is not None:
            lines.append(f"  {'ожидалось' if lang == 'ru' else 'expected'}: {self.expected.say(lang)}")
        if self.hint is not None:
            lines.append(f"  {'подсказка' if lang == 'ru' else 'hint'}: {self.hint.say(lang)}")
        for span, text in self.related:
            lines.append(f"  {span}: {text.say(lang)}")
        return "\n".join(lines)

    def to_json(self, lang: Language | None = None) -> dict[str, object]:
        """The same as plain data."""
        lang = lang or user_language()
        data: dict[str, object] = {
            "code": self.code,
            "severity": self.severity,
            "message": self.message.say(lang),
        }
        if self.span is not None:
            data |= {"file": self.span.source.path, "line": self.span.line, "column": self.span.column}
            if isinstance(self.span, CellSpan):
                data |= {"sheet": self.span.sheet, "cell": self.span.cell}
        if self.expected is not None:
            data["expected"] = self.expected.say(lang)
        if self.hint is not None:
            data["hint"] = self.hint.say(lang)
        if self.related:
            data["related"] = [{"place": str(span), "message": text.say(lang)} for span, text in self.related]
        return data

    def __str__(self) -> str:
        return self.render()


SEVERITY_WORDS: dict[Severity, Text] = {
    "error": Text("error", "ошибка"),
    "warning": Text("warning", "предупреждение"),
    "note": Text("note", "замечание"),
}


def excerpt(span: Span) -> list[str]:
    """The source line of a span and a line of carets below it."""
    number, column = span.source.position(span.start)
    line = span.source.line(number)
    if not line.strip():
        return []
    first = column - 1
    width = max(1, min(span.end - span.start, len(line) - first))
    if len(line) > EXCERPT_WIDTH:
        cut = max(0, min(first - EXCERPT_WIDTH // 3, len(line) - EXCERPT_WIDTH))
        line = ("…" if cut else "") + line[cut : cut + EXCERPT_WIDTH]
        first = first - cut + (1 if cut else 0)
        width = max(1, min(width, len(line) - first))
    shown = "".join(" " if not character.isprintable() else character for character in line)
    return [f"  | {shown}", f"  | {' ' * first}{'^' * width}"]


class SistelError(Exception):
    """Something the user gave cannot be used; `diagnostics` says what, where and why."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def render(self, lang: Language | None = None) -> str:
        """All diagnostics as text."""
        return "\n".join(diagnostic.render(lang) for diagnostic in self.diagnostics)

    def __str__(self) -> str:
        return self.render()


def refuse(
    code: str,
    message: Text,
    *,
    span: Span | None = None,
    expected: Text | None = None,
    hint: Text | None = None,
    related: Iterable[tuple[Span, Text]] = (),
) -> NoReturn:
    """Raise `SistelError` with one error: what is wrong with a call or a file, or what cannot be done.

    Args:
        code: A stable word for programs and tests.
        message: What is wrong.
        span: Where, if it stands in a text.
        expected: What could have stood there.
        hint: What to do about it.
        related: Other places that belong to the problem, each with a few words.
    """
    raise SistelError([Diagnostic(code, "error", message, span, expected, hint, tuple(related))])


class Diagnostics:
    """Collects the problems of one reading, in the order in which they were found.

    Past `limit` problems only the count goes on: a damaged file of megabytes must not fill the memory. What is wrong in
    the same way in many copies of a repeated text is said once.
    """

    def __init__(self, limit: int = 200) -> None:
        self.limit = limit
        self.items: list[Diagnostic] = []
        self.dropped = 0
        self.failed = False
        self._copies: dict[tuple[str, str, int, int], _Repeated] = {}
        """Problems of repeated texts, by what they are and where they stand."""
        self._said: set[tuple[str, str, int, int, str]] = set()
        """What was said of which place: an expression that stands for several is checked several times."""

    def error(
        self,
        code: str,
        span: Span | None,
        message: Text,
        *,
        expected: Text | None = None,
        hint: Text | None = None,
        related: Iterable[tuple[Span, Text]] = (),
    ) -> None:
        """Note an error."""
        self.failed = True
        self.add(Diagnostic(code, "error", message, span, expected, hint, tuple(related)))

    def warning(
        self,
        code: str,
        span: Span | None,
        message: Text,
        *,
        expected: Text | None = None,
        hint: Text | None = None,
        related: Iterable[tuple[Span, Text]] = (),
    ) -> None:
        """Note a warning."""
        self.add(Diagnostic(code, "warning", message, span, expected, hint, tuple(related)))

    def note(self, code: str, span: Span | None, message: Text, *, hint: Text | None = None) -> None:
        """Note a remark that needs no action."""
        self.add(Diagnostic(code, "note", message, span, None, hint))

    def add(self, diagnostic: Diagnostic) -> None:
        """Note a diagnostic made elsewhere."""
        self.failed |= diagnostic.severity == "error"
        span = diagnostic.span
        if isinstance(span, CopySpan):
            if self._again(diagnostic.code, span, diagnostic.message):
                return
            diagnostic = _of_copy(diagnostic, span)
        elif span is not None:
            key = diagnostic.code, span.source.path, span.start, span.end, diagnostic.message.en
            if key in self._said:
                return
            if len(self._said) < self.limit:
                self._said.add(key)
        if len(self.items) < self.limit:
            self.items.append(diagnostic)
        else:
            self.dropped += 1

    def again(self, code: str, span: Span) -> bool:
        """Whether an error need not be worked out, as it was said of another copy of the same text; it is counted."""
        if not isinstance(span, CopySpan) or not self._again(code, span, None):
            return False
        self.failed = True
        return True

    def _again(self, code: str, span: CopySpan, message: Text | None) -> bool:
        key = code, span.source.path, span.start, span.end
        known = self._copies.get(key)
        if known is None:
            if message is not None and len(self.items) < self.limit:
                self._copies[key] = _Repeated(span.copy, message, len(self.items))
            return False
        if not span.copy:
            return True
        if known.copy == span.copy:
            # One element may have several problems of a kind; the same one, found twice, is one.
            return known.message == message
        if span.copy != known.last:
            known.others, known.last = known.others + 1, span.copy
        return True

    def sorted(self) -> tuple[Diagnostic, ...]:
        """All diagnostics by their place in the file, errors without a place first."""

        def key(diagnostic: Diagnostic) -> tuple[str, int]:
            span = diagnostic.span
            return ("", -1) if span is None else (span.source.path, span.start)

        told = list(self.items)
        for known in self._copies.values():
            if known.others:
                told[known.place] = _with_others(told[known.place], known.others)
        items = tuple(sorted(told, key=key))
        if not self.dropped:
            return items
        more = Text(f"{self.dropped} more problems are not shown", f"ещё проблем: {self.dropped}; они не показаны")
        return (*items, Diagnostic("more-problems", "note", more))

    def raise_if_failed(self) -> None:
        """Raise `SistelError` with everything collected, if there is an error among it."""
        if self.failed:
            raise SistelError(self.sorted())

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@mutable
class _Repeated:
    """A problem of a repeated text."""

    copy: tuple[tuple[str, int], ...]
    """Where it was found first."""
    message: Text
    place: int
    """Among the items."""
    others: int = 0
    """How many other copies have it."""
    last: tuple[tuple[str, int], ...] = ()


def _of_copy(diagnostic: Diagnostic, span: CopySpan) -> Diagnostic:
    """The diagnostic with the name of the copy in its sentence, and in those of other places that are of copies."""
    related = tuple(
        (where, _in_brackets(text, where.told()) if isinstance(where, CopySpan) else text)
        for where, text in diagnostic.related
    )
    return replace(diagnostic, message=_in_brackets(diagnostic.message, span.told()), related=related)


def _with_others(diagnostic: Diagnostic, others: int) -> Diagnostic:
    en, ru = diagnostic.message
    return replace(diagnostic, message=Text(f"{en[:-1]}, and in {others} more)", f"{ru[:-1]}, и ещё в {others})"))


def _in_brackets(text: Text, remark: Text) -> Text:
    return Text(f"{text.en} ({remark.en})", f"{text.ru} ({remark.ru})")


@contextlib.contextmanager
def placed(span: Span) -> Iterator[None]:
    """Gives errors that know no place this one: what is derived of a file still belongs to it."""
    try:
        yield
    except SistelError as error:
        error.diagnostics = tuple(replace(item, span=span) if item.span is None else item for item in error.diagnostics)
        raise


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that a mistyped word most likely meant, or None."""
    typed = word.casefold()[:60]
    most = len(typed) // 3
    best: tuple[int, str] | None = None
    words = list(itertools.islice(candidates, MOST_CANDIDATES))
    for candidate in words:
        other = candidate.casefold()[:60]
        if abs(len(other) - len(typed)) > most:
            continue
        distance = _typing_errors(typed, other)
        if distance <= most and (best is None or distance < best[0]):
            best = distance, candidate
    if best is not None:
        return best[1]
    # No slip of the fingers: perhaps a part of a longer word, as "win-1251" of "windows-1251".
    folded = {candidate.casefold(): candidate for candidate in words}
    found = difflib.get_close_matches(typed, list(folded), n=1, cutoff=0.7)
    return folded[found[0]] if found else None


def _typing_errors(a: str, b: str) -> int:
    """How many letters were left out, added, replaced, or exchanged with their neighbour."""
    before, row = [0] * (len(b) + 1), list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        above, before, row = before, row, [i] + [0] * len(b)
        for j, other in enumerate(b, 1):
            row[j] = min(row[j - 1] + 1, before[j] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                row[j] = min(row[j], above[j - 2] + 1)
    return row[-1]


def did_you_mean(word: str, candidates: Iterable[str]) -> Text | None:
    """A hint with the nearest valid word, or None when nothing is near."""
    found = nearest(word, candidates)
    if found is None:
        return None
    return Text(f'did you mean "{found}"?', f"возможно, имелось в виду «{found}»?")


def refuse_name(what: Text, name: str, known: Sequence[str]) -> NoReturn:
    """Refuse a name that is not known.

    Args:
        what: What is called so; in Russian in the genitive.
        name: The name.
        known: Those that are.
    """
    refuse(
        "unknown-name",
        Text(f'there is no {what.en} "{name}"', f"нет {what.ru} «{name}»"),
        expected=one_of(known),
        hint=did_you_mean(str(name), known),
    )


# Letters that look the same in the two alphabets: a word typed in the wrong keyboard layout looks right.
_LOOKALIKE = str.maketrans("ABCEHKMOPTXYaceopxyk", "АВСЕНКМОРТХУасеорхук")


def word_hint(word: str, candidates: Collection[str]) -> Text | None:
    """A hint for a mistyped word: letters of the wrong alphabet first, then the nearest word."""
    folded = word.translate(_LOOKALIKE).casefold()
    for candidate in candidates:
        if candidate.translate(_LOOKALIKE).casefold() == folded:
            return Text(
                f'a letter of the word belongs to the other alphabet, Latin or Cyrillic; write "{candidate}"',
                f"буква слова — из другой раскладки, латинской или русской; напишите «{candidate}»",
            )
    return did_you_mean(word, candidates)


def one_of(words: Sequence[str], limit: int = 12) -> Text:
    """A list of what was possible, cut when long."""
    shown = ", ".join(words[:limit])
    if len(words) <= limit:
        return Text(f"one of {shown}" if len(words) > 1 else shown, f"одно из: {shown}" if len(words) > 1 else shown)
    return Text(f"one of {shown} … ({len(words)} in all)", f"одно из: {shown} … (всего {len(words)})")
