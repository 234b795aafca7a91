"""Which end tag closes which element, and which tag is to blame when they do not match.

Layout is the witness. Elements of one name stand inside each other here (a body in a body), so a missing end tag is
noticed far from its place: every later end tag closes the element next to the one that was meant. The indentation
of an end tag that stands first on its line tells which element its author meant.
"""

from __future__ import annotations

from collections.abc import Container

from sistel.errors import Text, nearest
from sistel.markup.xml._element import Element, shorten
from sistel.markup.xml._lexis import NAME, LazyPattern, Place, Problems, character_name, skeleton
from sistel.records import mutable

NO_INDENT = -1
"""Indentation of a tag that is not the first thing on its line."""

_NEXT_END_TAG = LazyPattern(rf"\s*+</({NAME})")


@mutable
class EndTag:
    """An end tag: all of it, the name in it, and its indentation [characters]."""

    start: int
    end: int
    name: str
    name_start: int
    indent: int
    damaged: bool = False
    """It was reported already, and its name may not be what was meant."""

    @property
    def place(self) -> tuple[int, int]:
        """Offsets of the name."""
        return self.name_start, self.name_start + len(self.name)


@mutable
class _Misfit:
    """An element closed by an end tag that stands at another indentation."""

    element: Element
    indent: int
    tag: EndTag


@mutable
class _Forced:
    """An element closed by the end tag of one around it; `parent` was open after that."""

    element: Element
    tag: EndTag
    parent: Element | None
    culprit: _Misfit | None


@mutable
class _Surplus:
    """An end tag with nothing to close, and the earlier one that is to blame for it by the layout."""

    tag: EndTag
    culprit: EndTag | None


class Nesting:
    """The elements that are open, and the judgement on end tags that do not match.

    An error about nesting is kept back until it is clear that no second tag belongs to the same mistake; `finish`
    reports what is left.
    """

    def __init__(self, problems: Problems, seen: Container[str]) -> None:
        self.stack: list[Element] = []
        self.indents: list[int] = []
        self.root_name: str | None = None
        self.root_closed_early = False
        """Content after the end of the root was reported: a second end tag of the root is no news."""
        self._problems = problems
        self._seen = seen
        """Names of the elements read so far: such a name in an end tag is hardly a misspelling of another."""
        self._text = problems.source.text
        self._misfits: list[_Misfit] = []
        self._marks: list[int] = []
        """How many misfits were known when each open element was opened."""
        self._on_line: _Misfit | None = None
        """A misfit whose line may still explain it: several end tags share a line, laid out by any one of them."""
        self._doubtful: set[int] = set()
        """Offsets of elements whose start tag was damaged, so that ``/>`` may have been meant."""
        self._forced: dict[str, _Forced] = {}
        """By name, the last element that was left open: its end tag may still come, in the wrong place."""
        self._surplus: dict[int, _Surplus] = {}
        """By the offset of the open element in which they stand, end tags of elements that are not open."""

    def open(self, element: Element, indent: int, *, doubtful: bool = False) -> None:
        """Note a start tag."""
        self.stack.append(element)
        self.indents.append(indent)
        self._marks.append(len(self._misfits))
        self._on_line = None
        if doubtful:
            self._doubtful.add(element.start)

    def close(self, tag: EndTag) -> None:
        """Note an end tag."""
        stack = self.stack
        if stack and stack[-1].name == tag.name:
            self._pop(tag)
        elif not stack:
            self._close_nothing(tag)
        elif any(element.name == tag.name for element in stack):
            if self._laid_out_for_top(tag):
                self._close_misnamed(tag)
            else:
                self._close_outer(tag)
        else:
            self._close_unknown(tag)

    def finish(self, *, quiet: bool) -> None:
        """The file has ended; `quiet` when it is known why elements are left open."""
        for forced in self._forced.values():
            self._report_forced(forced)
        unfinished = [] if quiet else [element for element in self.stack if element.start not in self._doubtful]
        if len(unfinished) > 1:
            unfinished = [element for element, _ in self._without_slash([(element, None) for element in unfinished])]
        surplus = self._surplus.pop(unfinished[-1].start, None) if unfinished else None
        if surplus is not None:
            self._report_wrong(surplus.tag, unfinished[-1])
        elif unfinished:
            self._report_unfinished(unfinished)
        for surplus in self._surplus.values():
            self._report_surplus(surplus)

    def _pop(self, tag: EndTag) -> None:
        """Close the innermost element, and note whether the layout agrees."""
        element = self.stack.pop()
        element.end_name = tag.place
        indent = self.indents.pop()
        mark = self._marks.pop()
        if self._surplus:
            surplus = self._surplus.pop(element.start, None)
            if surplus is not None:
                self._report_surplus(surplus)
        if tag.indent < 0 and self._on_line is not None and self._on_line.tag.indent == indent:
            self._misfits.pop()  # it is the last one: since then only end tags of this line were read
            self._on_line = None
        elif 0 <= tag.indent == indent:
            self._on_line = None
            del self._misfits[mark:]  # all inside is well closed, however it is laid out
        elif tag.indent >= 0 and indent >= 0:
            self._on_line = _Misfit(element, indent, tag)
            self._misfits.append(self._on_line)
        elif element.start in self._doubtful:
            self._on_line = None
            self._misfits.append(_Misfit(element, indent, tag))

    def _laid_out_for_top(self, tag: EndTag) -> bool:
        """Whether a tag named for an outer element stands as the end of the innermost one, and not of that."""
        top = self.stack[-1]
        if tag.indent < 0 or tag.indent != self.indents[-1]:
            return False
        if top.start in self._doubtful and not _alike(tag.name, top.name):
            return False
        index = max(number for number, element in enumerate(self.stack) if element.name == tag.name)
        return 0 <= self.indents[index] != tag.indent

    def _close_outer(self, tag: EndTag) -> None:
        """The tag closes an element further out: those inside it are not closed."""
        forced: list[tuple[Element, _Misfit | None]] = []
        while self.stack[-1].name != tag.name:
            element = self.stack.pop()
            self.indents.pop()
            culprit = self._culprit(element, self._marks.pop())
            surplus = self._surplus.pop(element.start, None)
            if element.start in self._doubtful:
                # The start tag lacks its ">", and "/>" was meant: what followed stands beside it, not in it.
                self.stack[-1].children.extend(element.children)
                element.children.clear()
            elif surplus is not None:
                self._report_wrong(surplus.tag, element)
            elif culprit is None or culprit.element.start not in self._doubtful:
                forced.append((element, culprit))
        self._pop(tag)
        parent = self.stack[-1] if self.stack else None
        if len(forced) > 1:
            forced = self._without_slash(forced)
        for element, culprit in forced:
            earlier = self._forced.pop(element.name, None)
            if earlier is not None:
                self._report_forced(earlier)
            self._forced[element.name] = _Forced(element, tag, parent, culprit)

    def _without_slash(self, forced: list[tuple[Element, _Misfit | None]]) -> list[tuple[Element, _Misfit | None]]:
        """Report a start tag that was meant as an end tag; the elements that are not closed for another reason.

        ``<тело>`` in place of ``</тело>`` leaves two elements open; it is known by its having no attributes.
        """
        blamed = [element if culprit is None else culprit.element for element, culprit in forced]
        for number, element in enumerate(blamed):
            others = [i for i, other in enumerate(blamed) if i != number and other.name == element.name]
            if others and not element.attributes:
                self._report_slash(element)
                return [pair for i, pair in enumerate(forced) if i not in (number, others[0])]
        return forced

    def _report_slash(self, element: Element) -> None:
        name = shorten(element.name)
        self._problems.error(
            "missing-slash",
            element.start,
            element.end,
            Text(
                f"<{name}> opens one more element, which nothing closes",
                f"<{name}> открывает ещё один элемент, но его ничто не закрывает",
            ),
            hint=Text(f"did you mean </{name}>?", f"возможно, имелось в виду </{name}>?"),
        )

    def _culprit(self, element: Element, mark: int) -> _Misfit | None:
        """The end tag by which the layout shows that an inner element of the same name is the one left open."""
        found = None
        for misfit in self._misfits[mark:]:
            inner = misfit.element
            if inner.name == element.name and (misfit.tag.indent < misfit.indent or inner.start in self._doubtful):
                found = misfit
                break
        del self._misfits[mark:]
        self._on_line = None
        return found

    def _close_nothing(self, tag: EndTag) -> None:
        forced = self._forced.get(tag.name)
        if forced is not None and forced.parent is None:
            self._report_crossed(forced, tag)
        elif not (self.root_closed_early and tag.name == self.root_name):
            self._report_surplus(self._blame(tag))

    def _close_unknown(self, tag: EndTag) -> None:
        """No element of this name is open: the name is misspelt, or the tag is surplus."""
        top = self.stack[-1]
        forced = self._forced.get(tag.name)
        if forced is not None and forced.parent is top:
            self._report_crossed(forced, tag)
            return
        if self._problems.exhausted:
            return
        if tag.damaged or self._meant_for_top(tag):
            self._close_misnamed(tag)
            return
        outer = {element.name for element in self.stack[-16:]} if tag.name not in self._seen else set()
        meant = nearest(tag.name, outer - {top.name})
        if meant is not None:
            index = max(i for i, element in enumerate(self.stack) if element.name == meant)
            self._report_wrong(tag, self.stack[index])
            self._close_outer(EndTag(tag.start, tag.end, meant, tag.name_start, tag.indent))
        elif top.start in self._surplus:
            self._report_surplus(self._blame(tag))
        else:
            self._surplus[top.start] = self._blame(tag)

    def _meant_for_top(self, tag: EndTag) -> bool:
        """Whether a tag named for nothing open was written to close the innermost element."""
        top = self.stack[-1]
        if skeleton(tag.name).casefold() == skeleton(top.name).casefold():
            return True
        following = _NEXT_END_TAG.match(self._text, tag.end)
        if following is not None and following[1] == top.name and [e.name for e in self.stack[-2:]].count(top.name) < 2:
            return False  # the innermost element has its own end tag, right behind this one
        if 0 <= tag.indent == self.indents[-1]:
            return True
        if tag.start - top.end < 500 and "\n" not in self._text[top.end : tag.start] and not top.children:
            return True
        return (tag.name not in self._seen or top.start in self._doubtful) and _alike(tag.name, top.name)

    def _close_misnamed(self, tag: EndTag) -> None:
        """The tag is meant for the innermost element."""
        top = self.stack[-1]
        self._report_wrong(tag, top)
        self._surplus.pop(top.start, None)
        self._pop(tag)

    def _blame(self, tag: EndTag) -> _Surplus:
        """Find the end tag that was one too many, when the layout shows that it was not this one.

        A surplus end tag closes the element around, so the next one closes the element around that, and so on: each
        stands deeper than the element that it closes, up to the first, which is the surplus one.
        """
        indent = tag.indent
        found = None
        while indent >= 0 and self._misfits:
            misfit = self._misfits[-1]
            if misfit.element.name != tag.name or misfit.indent != indent or misfit.tag.indent <= indent:
                break
            found = misfit.tag
            indent = found.indent
            self._misfits.pop()
        for number, mark in enumerate(self._marks):
            self._marks[number] = min(mark, len(self._misfits))
        self._on_line = None
        return _Surplus(tag, found)

    def _report_forced(self, forced: _Forced) -> None:
        element, tag = forced.element, forced.tag
        related: list[Place] = []
        if forced.culprit is not None:
            element = forced.culprit.element
            related.append(_layout(forced.culprit))
        words = Text(f"noticed here, at </{shorten(tag.name)}>", f"замечено здесь, на </{shorten(tag.name)}>")
        related.append((tag.start, tag.end, words))
        self._report_open(element, related)

    def _report_open(self, element: Element, related: list[Place]) -> None:
        name = shorten(element.name)
        hint = None
        if not element.children and not element.text:
            hint = Text(
                f'write </{name}> after it, or end its start tag with "/>"',
                f"напишите после него </{name}> или завершите его открывающий тег знаками «/>»",
            )
        self._problems.error(
            "not-closed",
            element.start,
            element.end,
            Text(f"{element.label} is not closed", f"элемент {element.label} не закрыт"),
            expected=Text(f"</{name}>", f"</{name}>"),
            hint=hint,
            related=related,
        )

    def _report_unfinished(self, unfinished: list[Element]) -> None:
        """One error for all elements that are open when the file ends: the file is cut, or its end is forgotten."""
        element = unfinished[-1]
        culprit = self._culprit(element, self._marks[self.stack.index(element)])
        related: list[Place] = []
        if culprit is not None:
            element = culprit.element
            related.append(_layout(culprit))
        for outer in unfinished[-2:-6:-1]:
            words = Text(f"{outer.label} is not closed either", f"{outer.label} тоже не закрыт")
            related.append((outer.start, outer.end, words))
        end = len(self._text)
        related.append((end, end, Text("the file ends here", "здесь файл кончается")))
        self._report_open(element, related)

    def _report_crossed(self, forced: _Forced, tag: EndTag) -> None:
        """Two elements that overlap: ``<a><b></a></b>``."""
        del self._forced[tag.name]
        outer, inner = shorten(forced.tag.name), forced.element.label
        self._problems.error(
            "crossed-elements",
            forced.tag.start,
            forced.tag.end,
            Text(
                f"</{outer}> stands before the end of {inner}, which was opened inside it",
                f"</{outer}> стоит раньше конца элемента {inner}, открытого внутри него",
            ),
            expected=Text(f"</{shorten(tag.name)}> first", f"сначала </{shorten(tag.name)}>"),
            related=[
                (forced.element.start, forced.element.end, Text("opened here", "открыт здесь")),
                (tag.start, tag.end, Text("closed here", "закрыт здесь")),
            ],
        )

    def _report_surplus(self, surplus: _Surplus) -> None:
        tag = surplus.tag
        related: list[Place] = []
        if surplus.culprit is not None:
            words = Text("after it nothing is left for this one to close", "из-за него этому тегу уже нечего закрывать")
            related.append((tag.start, tag.end, words))
            tag = surplus.culprit
        name = shorten(tag.name)
        self._problems.error(
            "surplus-end-tag",
            tag.start,
            tag.end,
            Text(
                f"</{name}> is one end tag too many: no <{name}> is open",
                f"</{name}> — лишний закрывающий тег: открытого <{name}> нет",
            ),
            hint=Text("delete it", "удалите его"),
            related=related,
        )

    def _report_wrong(self, tag: EndTag, element: Element) -> None:
        """An end tag whose name is not that of the element which it is meant to close."""
        if tag.damaged or element.start in self._doubtful:
            return  # that mistake was reported already
        if "\ufffd" in tag.name + element.name and self._problems.failed:
            return  # so it was, while decoding
        name, meant = shorten(tag.name), shorten(element.name)
        hint = None
        if skeleton(tag.name) == skeleton(element.name):
            hint = _lookalike_hint(tag.name, element.name)
            message = Text(
                f"</{name}> does not close <{meant}>: some letters only look the same",
                f"</{name}> не закрывает <{meant}>: некоторые буквы только выглядят одинаково",
            )
        elif tag.name.casefold() == element.name.casefold():
            message = Text(
                f"</{name}> does not close <{meant}>: capital and small letters differ",
                f"</{name}> не закрывает <{meant}>: прописные и строчные буквы различаются",
            )
        else:
            message = Text(
                f"</{name}> does not close {element.label}: the names differ",
                f"</{name}> не закрывает {element.label}: имена различаются",
            )
        self._problems.error(
            "wrong-end-tag",
            tag.name_start,
            tag.name_start + len(tag.name),
            message,
            expected=Text(f"</{meant}>", f"</{meant}>"),
            hint=hint,
            related=[(element.start, element.end, Text("opened here", "открыт здесь"))],
        )


def _layout(misfit: _Misfit) -> Place:
    label = misfit.element.label
    words = Text(
        f"by its indentation this end tag is not meant for {label}",
        f"судя по отступу, этот закрывающий тег относится не к {label}",
    )
    return misfit.tag.start, misfit.tag.end, words


def _alike(name: str, other: str) -> bool:
    """Whether one name may be a misspelling of the other, or a part of it."""
    return name.startswith(other) or other.startswith(name) or nearest(name, (other,)) is not None


def _lookalike_hint(name: str, other: str) -> Text:
    def alphabet(character: str) -> Text:
        return Text("Latin", "латинская") if character.isascii() else Text("Cyrillic", "кириллическая")

    for mine, its in zip(name, other, strict=True):
        if mine != its:
            first, second = alphabet(mine), alphabet(its)
            shown = character_name(mine)
            return Text(
                f'"{shown}" is {first.en} in the end tag and {second.en} in the start tag',
                f"буква «{shown}» в закрывающем теге {first.ru}, а в открывающем {second.ru}",
            )
    return Text("the names are the same", "имена одинаковы")
