"""The letters of XML: names, blanks, quotation marks, references; and the errors made with them."""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterable, Iterator

from sistel.errors import Diagnostics, Fragment, Source, Span, Text, nearest
from sistel.markup.xml._element import shorten


class LazyPattern:
    """A regular expression that is compiled when it is first used.

    Classes of XML names take milliseconds to compile, and most patterns here serve damaged files only: a sound file
    must not wait for them.
    """

    __slots__ = ("_compiled", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._compiled: re.Pattern[str] | None = None

    def compiled(self) -> re.Pattern[str]:
        """The compiled form."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern)
        return self._compiled

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        return self.compiled().match(text, start, end)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        return self.compiled().search(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        return self.compiled().finditer(text, start, end)

    def findall(self, text: str, start: int = 0, end: int = sys.maxsize) -> list[str]:
        """As `re.Pattern.findall`, for patterns of one group."""
        return self.compiled().findall(text, start, end)


NAME_START = (
    r":A-Z_a-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F\u2C00-\u2FEF"
    r"\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
NAME_CHARACTERS = NAME_START + r"\-.0-9\xB7\u0300-\u036F\u203F\u2040"
"""XML 1.0, fifth edition, section 2.3, as the inside of a character class."""
NAME = rf"[{NAME_START}][{NAME_CHARACTERS}]*+"
S = r"[ \t\r\n]"
"""White space of XML; Python's ``\\s`` would let a no-break space pass."""

NAME_PATTERN = LazyPattern(NAME)
ILLEGAL = re.compile(r"[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\U00010000-\U0010FFFF]")
"""Characters that no XML 1.0 file may hold, not even as a reference."""

CURLY = "“”„‟«»‹›‘’‚‛`´′″＂＇"
"""What word processors and keyboards put in place of straight quotation marks."""

PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}

_LOOKALIKES = str.maketrans("AaBCcEeHKMOoPpTXxYy", "АаВСсЕеНКМОоРрТХхУу")

Place = tuple[int, int, Text]
"""Start, end and a few words about a place that belongs to a problem."""


class Problems:
    """Reports errors of one source by offsets, and knows when there were enough of them."""

    def __init__(self, source: Source, diagnostics: Diagnostics, limit: int) -> None:
        self.source = source
        self.exhausted = False
        """Reading may stop: nobody will read more errors."""
        self.declared_entities: set[str] = set()
        """Entities of a document type declaration, which was refused already: their uses are no further mistakes."""
        self._diagnostics = diagnostics
        self._left = limit

    def error(
        self,
        code: str,
        start: int,
        end: int,
        message: Text,
        *,
        expected: Text | None = None,
        hint: Text | None = None,
        related: Iterable[Place] = (),
    ) -> None:
        """Note an error at the characters from `start` to `end`."""
        self._left -= 1
        self.exhausted = self._left <= 0
        self._diagnostics.error(
            code,
            Span(self.source, start, end),
            message,
            expected=expected,
            hint=hint,
            related=[(Span(self.source, first, last), text) for first, last, text in related],
        )

    @property
    def failed(self) -> bool:
        """Whether there was an error, here or while decoding."""
        return self._diagnostics.failed

    def warning(self, code: str, start: int, end: int, message: Text) -> None:
        """Note a warning at the characters from `start` to `end`."""
        self._diagnostics.warning(code, Span(self.source, start, end), message)


def skeleton(name: str) -> str:
    """A name with Latin letters replaced by the Cyrillic ones that look the same."""
    return name.translate(_LOOKALIKES)


def character_name(character: str) -> str:
    """A character as people may quote it: itself when it can be seen, else its number."""
    return character if character.isprintable() and not character.isspace() else f"U+{ord(character):04X}"


def report_illegal(problems: Problems) -> None:
    """One error for all characters that XML does not allow; NUL and other control characters are the usual ones."""
    matches = ILLEGAL.finditer(problems.source.text)
    first = next(matches, None)
    if first is None:
        return
    others = [match.start() for _, match in zip(range(3), matches, strict=False)]
    more = len(others) + sum(1 for _ in matches)
    name = f"U+{ord(first[0]):04X}"
    problems.error(
        "control-character",
        first.start(),
        first.end(),
        Text(
            f"the character {name} is not allowed in XML" + (f" ({more} more such characters follow)" if more else ""),
            f"символ {name} не допускается в XML" + (f" (дальше таких символов: {more})" if more else ""),
        ),
        hint=Text("delete it; it cannot be seen in most editors", "удалите его; в большинстве редакторов он не виден"),
        related=[(at, at + 1, Text("here too", "и здесь")) for at in others],
    )


_TOKEN = LazyPattern(rf"&(?:#x([0-9a-fA-F]+)|#([0-9]+)|({NAME}))?(;?)|\r\n?|[\t\n]|\]\]>")
_SPECIAL_IN_VALUE = re.compile(r"[&\t\n\r]")
_SPECIAL_IN_TEXT = re.compile(r"[&\r]|\]\]>")


def value_fragment(problems: Problems, start: int, end: int) -> Fragment:
    """An attribute value, normalised as in XML 1.0 section 3.3.3."""
    source = problems.source
    if _SPECIAL_IN_VALUE.search(source.text, start, end) is None:
        return Fragment(source.text[start:end], source, start)
    parts, offsets = _replace(problems, start, end, in_value=True)
    return _fragment(source, start, end, parts, offsets)


def text_fragment(problems: Problems, pieces: list[tuple[int, int, bool]]) -> Fragment:
    """Character data put together from pieces: start, end, and whether it is literal (CDATA)."""
    source = problems.source
    text = source.text
    if len(pieces) == 1:
        start, end, literal = pieces[0]
        if _SPECIAL_IN_TEXT.search(text, start, end) is None or (literal and text.find("\r", start, end) < 0):
            return Fragment(text[start:end], source, start)
    parts: list[str] = []
    offsets = array("i")
    for start, end, literal in pieces:
        more, places = _replace(problems, start, end, in_value=False, literal=literal)
        parts += more
        offsets += places
    return _fragment(source, pieces[0][0], pieces[-1][1], parts, offsets)


def _fragment(source: Source, start: int, end: int, parts: list[str], offsets: array[int]) -> Fragment:
    text = "".join(parts)
    if len(text) == end - start:  # nothing moved: a tab became a blank at most
        return Fragment(text, source, start)
    offsets.append(end)
    return Fragment(text, source, start, offsets)


def _replace(
    problems: Problems, start: int, end: int, *, in_value: bool, literal: bool = False
) -> tuple[list[str], array[int]]:
    """The characters that a stretch of the source stands for, and the offset of each."""
    text = problems.source.text
    parts: list[str] = []
    offsets = array("i")
    at = start
    for match in _TOKEN.finditer(text, start, end):
        if problems.exhausted:
            break
        first = match.start()
        token = match[0]
        if token[0] == "&":
            if literal:
                continue
            new = _reference(problems, match)
        elif token == "]]>":
            if not in_value and not literal:
                _report_section_end(problems, first)
            continue
        elif in_value:
            new = " "
        elif token[0] == "\r":
            new = "\n"
        else:
            continue
        parts += (text[at:first], new)
        offsets.extend(range(at, first))
        # A reference that was left as it stands keeps one offset a character.
        offsets.extend(range(first, first + len(new)) if len(new) > 1 else (first,))
        at = match.end()
    parts.append(text[at:end])
    offsets.extend(range(at, end))
    return parts, offsets


def _report_section_end(problems: Problems, at: int) -> None:
    problems.error(
        "section-end",
        at,
        at + 3,
        Text('"]]>" may not stand in text', "«]]>» не может стоять в тексте"),
        hint=Text('write "]]&gt;"', "напишите «]]&gt;»"),
    )


def _reference(problems: Problems, match: re.Match[str]) -> str:
    """The character of a reference, or its own text when it stands for none."""
    start, end, token = match.start(), match.end(), match[0]
    hexadecimal, decimal, name, semicolon = match.groups()
    if name is not None:
        found = PREDEFINED.get(name)
    elif hexadecimal is not None or decimal is not None:
        found = _numbered(hexadecimal, decimal)
        if found is None:
            problems.error(
                "bad-reference",
                start,
                end,
                Text(
                    f'"{shorten(token)}" is not the number of a character that XML allows',
                    f"«{shorten(token)}» не является номером символа, допустимого в XML",
                ),
            )
            return "\ufffd"
    else:
        found = None
    if found is not None and semicolon:
        return found
    if found is not None:
        problems.error(
            "missing-semicolon",
            start,
            end,
            Text(f'";" is missing after "{token}"', f"после «{token}» нет «;»"),
            hint=Text(f'write "{token};"', f"напишите «{token};»"),
        )
        return found
    if name is not None and semicolon:
        if name not in problems.declared_entities:
            _report_entity(problems, start, end, name)
        return token
    said = Text('"&" begins a reference, but none follows', "«&» начинает ссылку, но её здесь нет")
    hint = Text('write "&amp;" for the character "&"', "чтобы получить символ «&», напишите «&amp;»")
    problems.error("raw-ampersand", start, start + 1, said, hint=hint)
    return token


def _numbered(hexadecimal: str | None, decimal: str | None) -> str | None:
    digits = (hexadecimal or decimal or "").lstrip("0") or "0"
    if len(digits) > 7:  # beyond U+10FFFF; a million digits must not be converted
        return None
    number = int(digits, 16 if hexadecimal else 10)
    if number > 0x10FFFF or ILLEGAL.match(chr(number)):
        return None
    return chr(number)


def _report_entity(problems: Problems, start: int, end: int, name: str) -> None:
    from html.entities import html5  # a large table that a correct file never needs

    meant = nearest(name, PREDEFINED)
    character = html5.get(f"{name};")
    if character is not None and character not in PREDEFINED.values() and len(character) == 1:
        number = f"&#{ord(character)};"
        seen = character_name(character)
        hint = Text(
            f'write "{number}"' + (f' or "{seen}" itself' if seen == character else ""),
            f"напишите «{number}»" + (f" или сам символ «{seen}»" if seen == character else ""),
        )
    elif meant is not None:
        hint = Text(f'did you mean "&{meant};"?', f"возможно, имелось в виду «&{meant};»?")
    else:
        hint = Text('write "&amp;" for the character "&"', "чтобы получить символ «&», напишите «&amp;»")
    problems.error(
        "unknown-entity",
        start,
        end,
        Text(f'the entity "&{shorten(name)};" is not known', f"сущность «&{shorten(name)};» неизвестна"),
        expected=Text("one of &lt; &gt; &amp; &quot; &apos;", "одна из &lt; &gt; &amp; &quot; &apos;"),
        hint=hint,
    )
