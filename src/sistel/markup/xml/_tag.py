"""Start tags that are not well formed: what was meant, and what to say about it.

Only tags that the grammar has refused come here, so this part is free to be slow and patient. It looks for the
reading of the tag with one mistake in each place, reports that mistake, and hands on the attributes as they were
most likely meant.
"""

from __future__ import annotations

from dataclasses import field

from sistel.errors import Text
from sistel.markup.xml._element import Attribute, shorten
from sistel.markup.xml._lexis import (
    NAME,
    NAME_PATTERN,
    NAME_START,
    LazyPattern,
    Problems,
    S,
    character_name,
    value_fragment,
)
from sistel.markup.xml._value import AFTER_VALUE, ODD_SPACES, QUOTES, SPACE, Complaints, ValueRepair
from sistel.records import mutable

_TAG_NAMES = LazyPattern(rf"<({NAME})")
_GOES_ON = LazyPattern(rf"<(?:{S}*+/?>|{S}*+[={QUOTES}]|{S}*+{NAME}{S}*+=)")
"""A ``<`` that begins no tag, for what follows belongs to the tag around."""
_QUOTE_BEFORE_EQUALS = LazyPattern(rf"[{QUOTES}]{S}*+=")
_STRAY = LazyPattern(rf"[^ \t\r\n<>/\\{QUOTES}{NAME_START}]*+")


@mutable
class Tag:
    """A start tag as it was understood."""

    name: str
    name_start: int
    end: int
    """Offset after the tag [characters]."""
    attributes: dict[str, Attribute] = field(default_factory=dict)
    empty: bool = False
    """It ends with ``/>``."""
    doubtful: bool = False
    """Its end is missing, so that ``/>`` may have been meant."""
    cut: bool = False
    """The file ends inside it."""


def add_attribute(problems: Problems, limit: int, attributes: dict[str, Attribute], attribute: Attribute) -> bool:
    """Put an attribute into an element, once; False when no more are wanted: there are `limit`, or too many errors."""
    name, name_start = attribute.name, attribute.name_start
    earlier = attributes.get(name)
    if earlier is not None:
        first = earlier.name_start
        problems.error(
            "duplicate-attribute",
            name_start,
            name_start + len(name),
            Text(f'the attribute "{shorten(name)}" is given twice', f"атрибут «{shorten(name)}» задан дважды"),
            related=[(first, first + len(name), Text("it is given here already", "он уже задан здесь"))],
        )
        return not problems.exhausted
    if len(attributes) >= limit:
        problems.error(
            "too-many-attributes",
            name_start,
            name_start + len(name),
            Text(f"more than {limit} attributes of one element", f"больше {limit} атрибутов у одного элемента"),
        )
        return False
    attributes[name] = attribute
    return True


class TagRepair:
    """Reads damaged start tags of one source."""

    def __init__(self, problems: Problems, limit: int) -> None:
        self._problems = problems
        self._text = problems.source.text
        self._limit = limit
        """Attributes of one element."""
        self._complaints = Complaints(problems)
        self._values = ValueRepair(self._complaints)
        self._names: frozenset[str] | None = None
        """All names after ``<`` in the source, looked up when a blank seems to be missing after one."""
        self._at = 0
        self._tag = Tag("", 0, 0)
        self._odd_space = False

    def read(self, name: str, name_start: int) -> Tag:
        """Understand a tag whose name ends at ``name_start + len(name)``."""
        tag = self._tag = Tag(name, name_start, 0)
        self._complaints.start()
        self._odd_space = False
        self._at = name_start + len(name)
        more = True
        while more and not self._problems.exhausted:
            before = self._at
            self._skip_space()
            more = self._step(self._text[self._at : self._at + 1], before)
        tag.end = self._at
        tag.doubtful |= self._complaints.doubtful
        return tag

    def _step(self, character: str, before: int) -> bool:
        """Read one thing inside the tag, which ended at `before` so far; False when the tag ends."""
        at, tag = self._at, self._tag
        if character == ">":
            self._at += 1
            return False
        if character == "<" and _GOES_ON.match(self._text, at):
            self._at += 1
            self._stray(at, at + 1, Text('"<" inside a tag', "«<» внутри тега"))
            return True
        if character == "" or character == "<":
            self._unended(before)
            return False
        if character in "/\\":
            return self._slash(character)
        match = NAME_PATTERN.match(self._text, at)
        if match is not None:
            return self._attribute(match[0], spaced=at > before)
        if character == "=" and before == tag.name_start + len(tag.name):
            return self._glued_name()
        if character in QUOTES:
            self._stray_quote()
        else:
            self._stray_characters()
        return True

    def _skip_space(self) -> None:
        space = SPACE.match(self._text, self._at)
        at = self._at = space.end() if space is not None else self._at
        odd = ODD_SPACES.match(self._text, at)
        if odd is None:
            return
        self._at = odd.end()
        if not self._odd_space:
            self._odd_space = True
            number = f"U+{ord(self._text[at]):04X}"
            said = Text(f"the blank {number} is not a space for XML", f"пробел {number} не считается в XML пробелом")
            hint = Text("write an ordinary space", "поставьте обычный пробел")
            self._complaints.say("odd-space", at, at + 1, said, hint=hint)

    def _stray(self, start: int, end: int, message: Text, *, vague: bool = True) -> None:
        self._complaints.say("stray-characters", start, end, message, vague=vague)

    def _stray_characters(self) -> None:
        text, at = self._text, self._at
        stray = _STRAY.match(text, at + 1)
        end = self._at = stray.end() if stray is not None else at + 1
        shown = shorten(text[at:end], 20) if text[at:end].isprintable() else character_name(text[at])
        self._stray(at, end, Text(f'unexpected "{shown}" inside a tag', f"«{shown}» внутри тега не ожидается"))

    def _stray_quote(self) -> None:
        at, text = self._at, self._text
        self._at = at + 1
        shown = text[at]
        if not AFTER_VALUE.match(text, at + 1):
            close = text.find(shown, at + 1, self._values.next_bracket(at))
            self._at = close + 1 if close >= 0 else at + 1
        if self._at > at + 1:
            message = Text("a value without the name of an attribute", "значение без имени атрибута")
        else:
            message = Text(f"a quotation mark too many: {shown}", f"лишняя кавычка: {shown}")
        self._stray(at, self._at, message)

    def _unended(self, last: int) -> None:
        """The tag runs into the next one, or into the end of the file."""
        tag, at = self._tag, self._at
        tag.doubtful = True
        tag.cut = at >= len(self._text)
        where = Text("the file ends here", "здесь файл кончается")
        if not tag.cut:
            where = Text("the next tag begins here", "здесь начинается следующий тег")
        name = shorten(tag.name)
        self._complaints.say(
            "unclosed-tag",
            last - 1,
            last,
            Text(f'the tag <{name} has no ">" at its end', f"у тега <{name} нет «>» в конце"),
            expected=Text('">" or "/>" here', "здесь «>» или «/>»"),
            related=[(at, at + 1, where)],
        )

    def _slash(self, character: str) -> bool:
        at, text = self._at, self._text
        space = SPACE.match(text, at + 1)
        end = space.end() if space is not None else at + 1
        if text[end : end + 1] != ">":
            self._at = at + 1
            message = Text(
                f'"{character}" may only stand right before ">"', f"«{character}» может стоять только прямо перед «>»"
            )
            self._stray(at, at + 1, message)
            return True
        if character == "\\" or end > at + 1:
            self._complaints.say(
                "stray-characters",
                at,
                end + 1,
                Text('this tag must end with "/>"', "этот тег должен завершаться знаками «/>»"),
                expected=Text("/>", "/>"),
            )
        self._tag.empty = True
        self._at = end + 1
        return False

    def _attribute(self, name: str, *, spaced: bool) -> bool:
        start, text = self._at, self._text
        after = self._at = start + len(name)
        self._skip_space()
        following = text[self._at : self._at + 1]
        if following == "=":
            self._at += 1
        elif (stray := _QUOTE_BEFORE_EQUALS.match(text, self._at)) is not None:
            message = Text(f"a quotation mark too many: {following}", f"лишняя кавычка: {following}")
            self._stray(self._at, self._at + 1, message, vague=False)
            self._at = stray.end()
        elif following and following in QUOTES:
            name = self._missing_equals(name, start)
        else:
            self._at = after
            self._values.report_missing(name, start, after)
            return True
        if not spaced:
            shown = shorten(name)
            message = Text(
                f'a space is missing before the attribute "{shown}"', f"перед атрибутом «{shown}» нет пробела"
            )
            self._complaints.say("missing-space", start, after, message)
        self._skip_space()
        if text[self._at : self._at + 1] == "=":
            self._stray(self._at, self._at + 1, Text('"=" is written twice', "«=» написано дважды"), vague=False)
            self._at += 1
            self._skip_space()
        value = self._values.read(name, self._at)
        self._at = self._values.at
        if value is None:
            return True
        source = self._problems.source
        if self._complaints.silent:
            attribute = Attribute(name, source, start, value[0], text[slice(*value)])
        else:
            fragment = value_fragment(self._problems, *value)
            attribute = Attribute(name, source, start, fragment.start, fragment.text, fragment.offsets)
        if add_attribute(self._problems, self._limit, self._tag.attributes, attribute):
            return not self._problems.exhausted
        return self._skip_rest()

    def _skip_rest(self) -> bool:
        """Too many attributes: on to the end of the tag, without a look at the rest."""
        end = self._text.find(">", self._at)
        self._at = len(self._text) if end < 0 else end + 1
        self._tag.empty = end < 0 or self._text[end - 1] == "/"
        return False

    def _missing_equals(self, name: str, start: int) -> str:
        """``номер"1"`` or ``номер:"1"``; the name without the colon."""
        colon = name.endswith(":") and len(name) > 1
        shown = shorten(name)
        self._complaints.say(
            "missing-equals",
            start,
            start + len(name),
            Text(f'"=" is missing between "{shown}" and its value', f"между «{shown}» и значением нет знака «=»"),
            vague=AFTER_VALUE.match(self._text, self._at + 1)
            is not None,  # a mark that closes: it is the name that is lost
            hint=Text('write "=" instead of ":"', "напишите «=» вместо «:»") if colon else None,
        )
        return name[:-1] if colon else name

    def _glued_name(self) -> bool:
        """``<fieldname = "…"``: the blank between the name of the element and its first attribute is missing."""
        tag = self._tag
        if self._names is None:
            self._names = frozenset(_TAG_NAMES.findall(self._text))
        name = tag.name[:200]
        for length in range(len(name) - 1, 0, -1):
            if name[:length] in self._names and NAME_PATTERN.match(name, length):
                rest = tag.name[length:]
                tag.name = tag.name[:length]
                self._at = tag.name_start + length
                return self._attribute(rest, spaced=False)
        shown = shorten(name)
        self._complaints.say(
            "missing-space",
            tag.name_start,
            tag.name_start + len(tag.name),
            Text(
                f'"{shown}" stands where the name of the element must be, but has a value',
                f"«{shown}» стоит на месте имени элемента, но имеет значение",
            ),
            vague=True,
            expected=Text(f'<name {shown}="…"', f'<имя {shown}="…"'),
        )
        self._at += 1
        self._skip_space()
        self._values.read(tag.name, self._at)
        self._at = self._values.at
        return True
