"""A tolerant reader of XML 1.0: one pass, precise places, every problem of a file at once.

A parser that follows the specification stops at the first error and knows the place of a tag at best. People who
write a mechanism by hand need the place of a character in an attribute, and all their mistakes together. Correct tags
go through one regular expression; what it refuses is understood by `TagRepair`, `Sections` and `Nesting`, which
report the mistake and go on. The grammar is that of XML 1.0 without document types: no entities are ever expanded,
nothing outside the text is read. Time and memory are linear in the size of the text, and nothing is recursive.
"""

from __future__ import annotations

import re

from sistel.errors import Diagnostics, Source, Text
from sistel.markup.xml._decode import decode, report_not_xml
from sistel.markup.xml._element import LIMITS, Attribute, Element, Limits, shorten
from sistel.markup.xml._lexis import (
    NAME,
    NAME_CHARACTERS,
    NAME_PATTERN,
    LazyPattern,
    Problems,
    S,
    character_name,
    report_illegal,
    text_fragment,
    value_fragment,
)
from sistel.markup.xml._nesting import NO_INDENT, EndTag, Nesting
from sistel.markup.xml._sections import Sections
from sistel.markup.xml._tag import TagRepair, add_attribute

__all__ = ["LIMITS", "Attribute", "Element", "Limits", "decode", "read_xml"]

_START_TAG = re.compile(
    rf"<({NAME})((?:{S}++{NAME}{S}*+={S}*+(?:\"[^\"<]*+\"|'[^'<]*+'))*){S}*+(/?)>",
)
_ATTRIBUTE = re.compile(rf"{S}++({NAME}){S}*+={S}*+(?:\"([^\"]*+)\"|'([^']*+)')")
_SPECIAL = re.compile(r"[&\t\n\r]")
_END_TAG = re.compile(rf"</({NAME}){S}*+>")
_DAMAGED_NAME = LazyPattern(rf"<[ \t]*+([{NAME_CHARACTERS}]++)")
_LIKE_A_TAG = LazyPattern(rf"<[ \t]*+(?:{NAME}|[0-9][{NAME_CHARACTERS}]*+)(?:{S}++{NAME}{S}*+=|{S}*+/?>)")
_DAMAGED_END = LazyPattern(rf"<[ \t]*+([/\\]){S}*+([{NAME_CHARACTERS}]*+)")
_END_REST = re.compile(r"[^<>]*+")
# Inside elements that are too deep only the nesting is counted. Sections may end with the file, see `Sections`.
_DEEP = LazyPattern(
    r"<!--(?s:.*?)(?:-->|\Z)|<!\[CDATA\[(?s:.*?)(?:\]\]>|\Z)|<\?(?s:.*?)(?:\?>|\Z)"
    r"""|(</)|(<[^\s<>/!?](?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*>)|(<[^\s<>/!?])"""
)


def read_xml(source: Source, diagnostics: Diagnostics, *, limits: Limits = LIMITS) -> Element | None:
    """Read a text as XML.

    Every problem goes to `diagnostics`, one for a mistake where that can be told, and reading goes on with what was
    most likely meant. Without an error among them the text is well formed, and the tree is exactly what it says.

    Returns:
        The root element; None only when there is none.
    """
    return _Reader(source, Problems(source, diagnostics, limits.problems), limits).read()


class _Reader:
    def __init__(self, source: Source, problems: Problems, limits: Limits) -> None:
        self.source = source
        self.text = source.text
        self.problems = problems
        self.limits = limits
        self.root: Element | None = None
        self.element_names: dict[str, str] = {}
        """Each name once: files repeat a few names many times."""
        self.attribute_names: dict[str, str] = {}
        self.nesting = Nesting(problems, self.element_names)
        self.sections = Sections(problems)
        self.repair = TagRepair(problems, limits.attributes)
        self.pending: list[tuple[int, int, bool]] = []
        """Character data since the last tag: start, end, whether it is literal (CDATA)."""
        self.elements = 0
        self.pieces = 0
        self.stopped = False
        """A limit was passed: nothing more is read."""
        self.too_deep = False
        self.outside: tuple[int, int] | None = None
        """The first text outside the root element."""
        self.outside_brackets = 0

    def read(self) -> Element | None:
        text = self.text
        if report_not_xml(self.source, self.problems):
            return None
        report_illegal(self.problems)
        find, start_tag, end_tag = text.find, _START_TAG.match, _END_TAG.match
        stack, nesting = self.nesting.stack, self.nesting
        at = 1 if text.startswith("\ufeff") else 0
        while not (self.stopped or self.problems.exhausted):
            bracket = find("<", at)
            if bracket < 0:
                break
            run = text[at:bracket]
            newline = run.rfind("\n")
            tail = run[newline + 1 :]
            indent = len(tail) if (newline >= 0 or at == 0) and (not tail or tail.isspace()) else NO_INDENT
            if run and (self.pending or not run.isspace() or (not stack and run.strip(" \t\r\n"))):
                self.pending.append((at, bracket, False))
                at = bracket
            match = end_tag(text, bracket)
            if match is not None:
                if self.pending:
                    self._flush()
                nesting.close(EndTag(bracket, match.end(), match[1], bracket + 2, indent))
                at = match.end()
                continue
            match = start_tag(text, bracket)
            if match is None:
                if at < bracket:
                    self.pending.append((at, bracket, False))
                at = self._other(bracket, indent)
                continue
            if self.pending:
                self._flush()
            at = match.end()
            name = match[1]
            attributes = self._attributes(match) if match[2] else {}
            name = self.element_names.setdefault(name, name)
            element = Element(name, self.source, bracket, at, bracket + 1, attributes)
            at = self._enter(element, indent, empty=bool(match[3]), doubtful=False)
        self._finish(at)
        return self.root

    def _attributes(self, match: re.Match[str]) -> dict[str, Attribute]:
        """The attributes of a well-formed start tag."""
        start, end = match.span(2)
        source, names, limit = self.source, self.attribute_names, self.limits.attributes
        plain = _SPECIAL.search(self.text, start, end) is None
        attributes: dict[str, Attribute] = {}
        for found in _ATTRIBUTE.finditer(self.text, start, end):
            name = found[1]
            group = found.lastindex or 2
            name = names.setdefault(name, name)
            if plain:
                attribute = Attribute(name, source, found.start(1), found.start(group), found[group])
            else:
                value = value_fragment(self.problems, *found.span(group))
                attribute = Attribute(name, source, found.start(1), value.start, value.text, value.offsets)
            if name not in attributes and len(attributes) < limit:
                attributes[name] = attribute
            elif not add_attribute(self.problems, limit, attributes, attribute):
                break
        return attributes

    def _enter(self, element: Element, indent: int, *, empty: bool, doubtful: bool) -> int:
        """Put an element into the tree; the offset where reading goes on."""
        stack, limits = self.nesting.stack, self.limits
        self.elements += 1
        self.pieces += len(element.attributes)
        if self.elements > limits.elements or self.pieces > limits.pieces:
            self._stop(element)
            return element.end
        if len(stack) >= limits.depth:
            return self._skip_deep(element, empty=empty)
        if stack:
            stack[-1].children.append(element)
        elif self.root is None:
            self.root = element
            self.nesting.root_name = element.name
        else:
            self._enter_second_root(element, self.root)
        if not empty:
            self.nesting.open(element, indent, doubtful=doubtful)
        return element.end

    def _enter_second_root(self, element: Element, root: Element) -> None:
        if element.name != root.name:
            root.children.append(element)  # most likely the root was closed too early
        if self.nesting.root_closed_early:
            return
        self.nesting.root_closed_early = True
        ended = root.end_name or (root.start, root.end)
        self.problems.error(
            "second-root",
            element.start,
            element.end,
            Text(
                f"{element.label} stands after the end of the root element {root.label}",
                f"{element.label} стоит после конца корневого элемента {root.label}",
            ),
            hint=Text(
                "a file holds one root element, and all others inside it",
                "в файле один корневой элемент, все остальные внутри него",
            ),
            related=[(*ended, Text("the root element ends here", "здесь корневой элемент кончается"))],
        )

    def _stop(self, element: Element) -> None:
        self.stopped = True
        limit = self.limits.elements if self.elements > self.limits.elements else self.limits.pieces
        what = Text("elements", "элементов")
        if self.elements <= self.limits.elements:
            what = Text("attributes and pieces of text", "атрибутов и отрезков текста")
        self.problems.error(
            "too-many-elements",
            element.start,
            element.end,
            Text(f"more than {limit} {what.en} in a file", f"больше {limit} {what.ru} в одном файле"),
        )

    def _skip_deep(self, element: Element, *, empty: bool) -> int:
        """Report, once, an element that is nested too deeply; the offset after its end."""
        if not self.too_deep:
            self.too_deep = True
            limit = self.limits.depth
            self.problems.error(
                "too-deep",
                element.start,
                element.end,
                Text(
                    f"{element.label} is nested more than {limit} elements deep",
                    f"{element.label} вложен глубже, чем на {limit} элементов",
                ),
                hint=Text(
                    'put the bodies side by side, and name the base of each in its attribute "base"',
                    "поместите тела рядом и назовите базу каждого в его атрибуте «база»",
                ),
            )
        if empty:
            return element.end
        depth, text = 1, self.text
        for match in _DEEP.finditer(text, element.end):
            kind = match.lastindex
            if kind == 1:
                depth -= 1
                if depth == 0:
                    rest = _END_REST.match(text, match.end())
                    end = rest.end() if rest is not None else match.end()
                    return end + 1 if text[end : end + 1] == ">" else end
            elif kind == 3 or (kind == 2 and text[match.end() - 2] != "/"):
                depth += 1
        self.sections.cut = True
        return len(text)

    def _flush(self) -> None:
        """Hand the character data since the last tag to the element around it."""
        pieces, self.pending = self.pending, []
        stack = self.nesting.stack
        if not stack:
            for start, end, _ in pieces:
                self._outside(start, end)
            return
        fragment = text_fragment(self.problems, pieces)
        if fragment.text and not fragment.text.isspace():
            self.pieces += 1
            stack[-1].text.append(fragment)

    def _outside(self, start: int, end: int) -> None:
        """Note text outside the root element; the first one is reported, when there is a root at all."""
        blank = len(self.text[start:end]) - len(self.text[start:end].lstrip(" \t\r\n"))
        start += blank
        if start < end and self.outside is None:
            line = self.text[start : min(end, start + 60)].splitlines()[0]
            self.outside = (start, start + max(1, len(line)))

    def _other(self, start: int, indent: int) -> int:
        """Read what is no well-formed tag; the offset after it."""
        text, sections = self.text, self.sections
        following = text[start + 1 : start + 2]
        if following == "!":
            if text.startswith("<!--", start):
                return sections.comment(start)
            if not text.startswith("<![CDATA[", start):
                return sections.declaration(start)
            end = sections.character_data(start)
            if self.nesting.stack:
                self.pending.append((start + 9, end if sections.cut else end - 3, True))
            else:
                self._outside(start, end)
            return end
        if following == "?":
            return sections.instruction(start, first=start == 0 or (start == 1 and text[0] == "\ufeff"))
        damaged = _DAMAGED_END.match(text, start)
        if damaged is not None:
            return self._damaged_end(damaged, indent)
        return self._damaged_start(start, indent)

    def _damaged_start(self, start: int, indent: int) -> int:
        text = self.text
        match = _DAMAGED_NAME.match(text, start)
        if match is None or not (self._tag_follows(match) or _LIKE_A_TAG.match(text, start)):
            return self._raw_bracket(start)
        if self.pending:
            self._flush()
        name, name_start = match[1], match.start(1)
        if name_start > start + 1:
            self.problems.error(
                "stray-characters",
                start,
                name_start,
                Text('no space may stand behind "<"', "после «<» не должно быть пробела"),
            )
        elif NAME_PATTERN.match(name) is None:
            shown = character_name(name[0])
            self.problems.error(
                "bad-name",
                name_start,
                name_start + len(name),
                Text(f'a name may not begin with "{shown}"', f"имя не может начинаться с «{shown}»"),
            )
        return self._start(start, name, name_start, indent)

    def _start(self, start: int, name: str, name_start: int, indent: int) -> int:
        """A start tag that is read with patience."""
        tag = self.repair.read(name, name_start)
        self.sections.cut |= tag.cut
        element = Element(
            self.element_names.setdefault(tag.name, tag.name), self.source, start, tag.end, name_start, tag.attributes
        )
        return self._enter(element, indent, empty=tag.empty, doubtful=tag.doubtful)

    def _tag_follows(self, match: re.Match[str]) -> bool:
        """Whether ``<`` and a name begin a tag, and do not stand in prose, as in ``if a <b then``."""
        if match.start(1) != match.start() + 1 or NAME_PATTERN.match(match[1]) is None:
            return False
        rest = _END_REST.match(self.text, match.end())
        end = rest.end() if rest is not None else match.end()
        words = self.text[match.end() : end]
        return self.text[end : end + 1] == ">" or not words.strip() or any(mark in words for mark in "=\"'")

    def _raw_bracket(self, start: int) -> int:
        """A ``<`` that begins nothing: it is taken as a character."""
        if not self.nesting.stack:
            self._outside(start, start + 1)
            self.outside_brackets += 1
            self.stopped = self.outside_brackets > self.limits.problems
            return start + 1
        self.pending.append((start, start + 1, True))
        self.problems.error(
            "raw-less-than",
            start,
            start + 1,
            Text('"<" begins a tag, but none follows', "«<» начинает тег, но его здесь нет"),
            hint=Text('write "&lt;" for the character "<"', "чтобы получить символ «<», напишите «&lt;»"),
        )
        return start + 1

    def _damaged_end(self, match: re.Match[str], indent: int) -> int:
        """An end tag that is not well formed."""
        text = self.text
        if self.pending:
            self._flush()
        start, name, name_start = match.start(), match[2], match.start(2)
        if _ATTRIBUTE.match(text, match.end()) and not (self.nesting.stack and self.nesting.stack[-1].name == name):
            self.problems.error(
                "bad-end-tag",
                start,
                name_start,
                Text(
                    "a tag with attributes is a start tag, but it begins as an end tag",
                    "тег с атрибутами — открывающий, но начинается он как закрывающий",
                ),
                expected=Text(f"<{shorten(name)}", f"<{shorten(name)}"),
            )
            return self._start(start, name, name_start, indent)
        rest = _END_REST.match(text, match.end())
        end = rest.end() if rest is not None else match.end()
        shown = shorten(name)
        expected = Text(f"</{shown}>", f"</{shown}>") if name else None
        if text[end : end + 1] != ">":
            end = match.end()
            damaged = True
            self.sections.cut |= end >= len(text)
            self.problems.error(
                "unclosed-tag",
                start,
                end,
                Text(f'the end tag </{shown} has no ">"', f"у закрывающего тега </{shown} нет «>»"),
                expected=expected,
            )
        else:
            end += 1
            damaged = not name or bool(text[match.end() : end - 1].strip(" \t\r\n"))
            if not name or match[1] != "/" or name_start != start + 2:
                self.problems.error(
                    "bad-end-tag",
                    start,
                    end,
                    Text(
                        'an end tag begins with "</" and the name, without spaces',
                        "закрывающий тег начинается с «</» и имени, без пробелов",
                    ),
                    expected=expected,
                )
            elif damaged:
                self.problems.error(
                    "bad-end-tag",
                    match.end(),
                    end - 1,
                    Text("an end tag holds nothing but the name", "в закрывающем теге стоит только имя"),
                    expected=expected,
                )
        self.nesting.close(EndTag(start, end, name, name_start, indent, damaged))
        return end

    def _finish(self, at: int) -> None:
        quiet = self.stopped or self.problems.exhausted
        if not quiet:
            if self.text[at:].strip(" \t\r\n"):
                self.pending.append((at, len(self.text), False))
            if self.pending:
                self._flush()
        quiet |= self.sections.cut
        if self.root is None and not self.sections.cut:
            start, end = self.outside or (at, at)
            self.problems.error(
                "no-root",
                start,
                end,
                Text("there is no element in this file", "в этом файле нет ни одного элемента"),
                expected=Text("<system> … </system>", "<системаТел> … </системаТел>"),
            )
        elif self.outside is not None and self.outside[0] >= self.sections.misplaced:
            start, end = self.outside
            self.problems.error(
                "text-outside-root",
                start,
                end,
                Text("text stands outside the root element", "текст стоит вне корневого элемента"),
                hint=Text("delete it, or make it a comment", "удалите его или сделайте комментарием"),
            )
        self.nesting.finish(quiet=quiet)
