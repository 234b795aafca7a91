"""XML that is written line by line, numbers in it, and names that are not taken yet."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from sistel.described import given_once
from sistel.errors import Span, Text
from sistel.markup._losses import Losses


def shown(value: float) -> str:
    """The shortest digits that give the same number back."""
    text = repr(float(value) + 0.0)
    return text.removesuffix(".0")


def listed(values: tuple[float, ...] | list[float]) -> str:
    """Numbers separated by blanks."""
    return " ".join(shown(value) for value in values)


class XmlText:
    """XML being written, indented by two blanks; very deep trees are not indented further and further."""

    def __init__(self) -> None:
        self.lines: list[str] = ['<?xml version="1.0" encoding="utf-8"?>']
        self.stack: list[str] = []
        self.just_opened = False

    def open(self, tag: str, **attributes: str | None) -> None:
        """A start tag."""
        self._line(f"<{tag}{_attributes(attributes)}>")
        self.stack.append(tag)
        self.just_opened = True

    def close(self) -> None:
        """The end tag of the innermost open element; an element that stayed empty closes itself."""
        tag = self.stack.pop()
        if self.just_opened:
            self.lines[-1] = self.lines[-1][:-1] + "/>"
            self.just_opened = False
        else:
            self._line(f"</{tag}>")

    def empty(self, tag: str, **attributes: str | None) -> None:
        """An element without children."""
        self._line(f"<{tag}{_attributes(attributes)}/>")

    def _line(self, text: str) -> None:
        self.lines.append("  " * min(len(self.stack), 40) + text)
        self.just_opened = False

    def text(self) -> str:
        """The whole file."""
        return "\n".join(self.lines) + "\n"


def _attributes(attributes: dict[str, str | None]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items() if value is not None)


class Namer:
    """Keeps names apart in one space of names of the other format."""

    def __init__(self, losses: Losses) -> None:
        self.used: set[str] = set()
        self.losses = losses

    def __call__(self, wanted: str, span: Span | None, *, made_up: bool = False) -> str:
        """A name that nothing else has; a change of a name that the document gave is reported."""
        clean = "".join(character if character.isprintable() else "_" for character in wanted) or "_"
        name = given_once(clean, self.used)
        if name != wanted and not made_up:
            self.losses.changed(span, Text(f'the name "{wanted}" became "{name}"', f"имя «{wanted}» стало «{name}»"))
        return name
