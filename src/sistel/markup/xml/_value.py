"""Attribute values in damaged start tags: where they end, and what is wrong with their quotation marks."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from sistel.errors import Text
from sistel.markup.xml._element import shorten
from sistel.markup.xml._lexis import CURLY, NAME, NAME_CHARACTERS, LazyPattern, Place, Problems, S

WINDOW = 2000
"""How far a value that holds a raw ``<`` is followed [characters]."""

STRAIGHT = "\"'"
QUOTES = STRAIGHT + CURLY
ODD_SPACES = re.compile(r"[\s\u200b\u2060\ufeff]++")
"""Blanks of all kinds; XML knows four of them only."""
AFTER_VALUE = LazyPattern(rf"(?:{ODD_SPACES.pattern})?(?:[/\\]?>|{NAME}{S}*+=|\Z)")
"""What follows a closing quotation mark; the blank before the next attribute may be forgotten."""
SPACE = re.compile(rf"{S}*+")

_QUOTE = re.compile(f"\"++|'++|[{CURLY}]")
"""Straight marks in a row are met together: only behind the last of them a tag goes on as it should."""
_NEXT_ATTRIBUTE = LazyPattern(rf"(?<![ \t\r\n]){S}++{NAME}{S}*+={S}*+[{QUOTES}]")
_ATTRIBUTE_AHEAD = LazyPattern(rf"{NAME}{S}*+=")
_AFTER_WORD = LazyPattern(rf"{S}++(?:{NAME}{S}*+=|[/\\]?>|<|\Z)|[/\\]?>|<|\Z")
_WORD = re.compile(rf"[^ \t\r\n<>={QUOTES}]++")
_ENDS_AS_ATTRIBUTE = LazyPattern(rf"[{NAME_CHARACTERS}]{S}*+=\Z")
_TAG_END = re.compile(r"[/\\]?>")


class Complaints:
    """Errors of one tag, less those that only follow from another.

    After a *vague* error nobody can say what the next characters were meant to be: until an attribute is read that
    is well formed, nothing more is reported.
    """

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.silent = False
        self.doubtful = False
        """There was a vague error."""

    def start(self) -> None:
        """A new tag begins."""
        self.silent = self.doubtful = False

    def say(
        self,
        code: str,
        start: int,
        end: int,
        message: Text,
        *,
        vague: bool = False,
        expected: Text | None = None,
        hint: Text | None = None,
        related: Iterable[Place] = (),
    ) -> None:
        """Note an error, unless it follows from the one before."""
        if not self.silent:
            self.problems.error(code, start, end, message, expected=expected, hint=hint, related=related)
        if vague:
            self.silent = self.doubtful = True


class ValueRepair:
    """Finds the values of attributes in damaged tags."""

    def __init__(self, complaints: Complaints) -> None:
        self.at = 0
        """Offset after the value that was read last [characters]."""
        self._complaints = complaints
        self._text = complaints.problems.source.text
        self._bracket = -1

    def read(self, name: str, at: int) -> tuple[int, int] | None:
        """Start and end of the value of an attribute, without its quotation marks; None when there is none."""
        text = self.at_text(at)
        self.at = at
        if text and text in STRAIGHT:
            return self._quoted(name, at)
        if text and text in CURLY:
            return self._curly(at)
        if _AFTER_WORD.match(self._text, at) or _ATTRIBUTE_AHEAD.match(self._text, at):
            self.report_missing(name, at - 1, at)
            return None
        word = _WORD.match(self._text, at)
        if word is None:
            self.report_missing(name, at - 1, at)
            return None
        return self._junk_before_quote(name, at, word.end()) or self._unquoted(name, at)

    def at_text(self, at: int) -> str:
        """The character at an offset; empty after the last one."""
        return self._text[at : at + 1]

    def next_bracket(self, at: int) -> int:
        """Offset of the next ``<``: what comes there is no longer this tag, unless it is inside a value."""
        if self._bracket < at:
            found = self._text.find("<", at)
            self._bracket = found if found >= 0 else len(self._text)
        return self._bracket

    def report_missing(self, name: str, start: int, end: int) -> None:
        """An attribute without a value."""
        shown = shorten(name)
        self._complaints.say(
            "missing-value",
            start,
            end,
            Text(f'the attribute "{shown}" has no value', f"у атрибута «{shown}» нет значения"),
            vague=True,
            expected=Text(f'{shown}="…"', f'{shown}="…"'),
        )

    def _quoted(self, name: str, opening: int) -> tuple[int, int]:
        """A value that begins with a straight quotation mark."""
        text = self._text
        mark, start = text[opening], opening + 1
        bracket = self.next_bracket(start)
        close = text.find(mark, start, bracket)
        if close >= 0 and AFTER_VALUE.match(text, close + 1):
            self._complaints.silent = False
            return self._ends(start, close)
        following = _NEXT_ATTRIBUTE.search(text, start, bracket)
        limit = following.start() if following is not None else bracket
        if close >= 0 and not _ENDS_AS_ATTRIBUTE.search(text, max(start, close - 200), close):
            return self._quote_inside(start, close, self._closing_mark(close + 1, limit, mark))
        wrong = self._closing_mark(start, limit, QUOTES.replace(mark, ""))
        if wrong >= 0:
            self._report_mark(wrong, opening)
            return self._ends(start, wrong)
        if following is not None:
            return self._unclosed(name, opening, limit)
        compared = self._compared(start, bracket, mark)
        if compared >= 0:
            return self._ends(start, compared)
        end = _TAG_END.search(text, start, bracket)
        return self._unclosed(name, opening, end.start() if end is not None else bracket)

    def _ends(self, start: int, close: int) -> tuple[int, int]:
        self.at = close + 1
        return start, close

    def _quote_inside(self, start: int, inner: int, close: int) -> tuple[int, int]:
        """``имя="рука "левая""``; without a further mark to close it, something else must follow the value."""
        if close <= inner + 1 or self.at_text(inner + 1) in " \t\r\n/":
            return self._ends(start, inner)
        self._complaints.say(
            "raw-quote",
            inner,
            inner + 1,
            Text("a quotation mark inside the value ends it", "кавычка внутри значения завершает его"),
            hint=Text(
                "write &quot; for it, or put the value into the other quotation marks",
                "напишите вместо неё &quot; или возьмите всё значение в другие кавычки",
            ),
        )
        return self._ends(start, close)

    def _closing_mark(self, start: int, end: int, marks: Container[str]) -> int:
        """The first of some quotation marks behind which the tag goes on as it should, or -1."""
        for match in _QUOTE.finditer(self._text, start, end):
            if match[0][-1] in marks and AFTER_VALUE.match(self._text, match.end()):
                return match.end() - 1
        return -1

    def _compared(self, start: int, bracket: int, marks: str) -> int:
        """The end of a value that holds a raw ``<``, as in ``when="gap < 0"``, or -1 when a tag was swallowed."""
        text = self._text
        line = text.find("\n", start, start + WINDOW)
        end = line if line >= 0 else min(len(text), start + WINDOW)
        close = self._closing_mark(bracket, end, marks) if bracket < end else -1
        if close < 0 or _ENDS_AS_ATTRIBUTE.search(text, max(start, close - 200), close):
            return -1
        said = Text('"<" may not stand in a value', "«<» не может стоять в значении")
        hint = Text('write "&lt;" or the word "lt"', "напишите «&lt;» или слово «меньше»")
        self._complaints.say("raw-less-than", bracket, bracket + 1, said, hint=hint)
        return close

    def _curly(self, opening: int) -> tuple[int, int]:
        """A value that begins with a typographic quotation mark."""
        text, start = self._text, opening + 1
        bracket = self.next_bracket(start)
        close = self._closing_mark(start, bracket, QUOTES)
        if close < 0 and bracket < len(text):
            close = self._compared(start, bracket, QUOTES)
        if close >= 0:
            self._report_mark(opening, close)
            return self._ends(start, close)
        following = _NEXT_ATTRIBUTE.search(text, start, bracket) or _TAG_END.search(text, start, bracket)
        self.at = following.start() if following is not None else bracket
        self._report_mark(opening, None)
        return start, self._trim(start, self.at)

    def _report_mark(self, at: int, other: int | None) -> None:
        """A quotation mark that XML does not know, or that does not match the other one of the pair."""
        text = self._text
        shown = text[at]
        related: list[Place] = []
        if other is not None and (text[other] in CURLY or shown in STRAIGHT):
            related.append((other, other + 1, Text("the other one of the pair", "вторая кавычка этой пары")))
        if shown in STRAIGHT and other is not None:
            self._complaints.say(
                "wrong-quote",
                at,
                at + 1,
                Text(
                    f"the value begins with {text[other]} and ends with {shown}",
                    f"значение начинается знаком {text[other]}, а завершается знаком {shown}",
                ),
                expected=Text(text[other], text[other]),
                related=related,
            )
            return
        self._complaints.say(
            "curly-quote",
            at,
            at + 1,
            Text(f"the quotation mark {shown} is not a straight one", f"кавычка {shown} — не прямая"),
            expected=Text('a straight quotation mark (")', 'прямая кавычка (")'),
            hint=Text(f'write " instead of {shown}', f'напишите " вместо {shown}'),
            related=related,
        )

    def _unclosed(self, name: str, opening: int, end: int) -> tuple[int, int]:
        shown, mark = shorten(name), self._text[opening]
        self.at = end
        last = self._trim(opening + 1, end)
        self._complaints.say(
            "unclosed-quote",
            opening,
            max(last, opening + 1),
            Text(
                f'the value of "{shown}" has no closing quotation mark',
                f"у значения «{shown}» нет закрывающей кавычки",
            ),
            vague=end == self._bracket,  # the end of the tag is lost with the end of the value
            expected=Text(f"{mark} at its end", f"{mark} в конце"),
        )
        return opening + 1, last

    def _trim(self, start: int, end: int) -> int:
        return start + len(self._text[start:end].rstrip())

    def _junk_before_quote(self, name: str, start: int, quote: int) -> tuple[int, int] | None:
        """``номер=№"1"``: something stands between ``=`` and a quotation mark that opens."""
        character = self.at_text(quote)
        if not character or character not in STRAIGHT or AFTER_VALUE.match(self._text, quote + 1):
            return None
        shown = shorten(self._text[start:quote], 20)
        self._complaints.say(
            "stray-characters",
            start,
            quote,
            Text(f'unexpected "{shown}" before the value', f"«{shown}» перед значением не ожидается"),
        )
        return self._quoted(name, quote)

    def _unquoted(self, name: str, start: int) -> tuple[int, int]:
        """``номер=1``: the value runs on to the next attribute, for there are lists such as ``КПТ=0, 500``."""
        text = self._text
        end = at = start
        while (word := _WORD.match(text, at)) is not None:
            end = at = word.end()
            if text[end - 1] in "/\\" and self.at_text(end) == ">":
                end -= 1
                break
            if _AFTER_WORD.match(text, at):
                break
            space = SPACE.match(text, at)
            if space is None or space.end() == at:
                break
            at = space.end()
        self.at = end
        mark = self.at_text(end)
        closed = bool(mark) and mark in QUOTES
        if closed:
            self.at = end + 1
        shown, value = shorten(name), shorten(text[start:end], 40)
        self._complaints.say(
            "missing-quotes",
            start,
            self.at,
            Text(
                f'the value of "{shown}" has no ' + ("opening quotation mark" if closed else "quotation marks"),
                f"у значения «{shown}» нет " + ("открывающей кавычки" if closed else "кавычек"),
            ),
            expected=Text(f'{shown}="{value}"', f'{shown}="{value}"'),
        )
        return start, end
