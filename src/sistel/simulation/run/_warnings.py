"""What a user must know of a run: when it was seen first, where it stands in the file, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

from sistel.errors import Diagnostic, Language, Span, Text, user_language


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RunWarning:
    """One thing that a user must know of a run; the same thing seen again is counted."""

    code: str
    """A stable word for programs and tests, such as ``passed-limit``."""
    time: float
    """When it was seen first [s]."""
    message: Text
    """One sentence, in both languages."""
    span: Span | None = None
    """The place in the file that it is about."""
    hint: Text | None = None
    count: int = 1
    """How often it was seen."""
    same: str = ""
    """What it is about, where the sentence alone does not tell it from others."""

    @property
    def text(self) -> str:
        """The sentence in the user's language."""
        return self.message.say(user_language())

    @property
    def place(self) -> str:
        """File, line and column, as ``walker.xml:12:5``; empty where the file says nothing of it."""
        return "" if self.span is None else str(self.span)

    def diagnostic(self) -> Diagnostic:
        """The same as a diagnostic, which terminals and pages can show."""
        return Diagnostic(self.code, "warning", Text(self.line("en"), self.line("ru")), self.span, None, self.hint)

    def line(self, lang: Language | None = None) -> str:
        """One line: the time, the sentence, and how often."""
        lang = lang or user_language()
        time = f"{self.time:.6g} {'с' if lang == 'ru' else 's'}"
        often = "" if self.count == 1 else f" (×{self.count})"
        return f"{time}: {self.message.say(lang)}{often}"

    def to_json(self, lang: Language | None = None) -> dict[str, object]:
        """The same as plain data."""
        data: dict[str, object] = {"code": self.code, "time": self.time, "count": self.count}
        data["message"] = self.message.say(lang or user_language())
        if self.span is not None:
            data |= {"file": self.span.source.path, "line": self.span.line, "column": self.span.column}
        if self.hint is not None:
            data["hint"] = self.hint.say(lang or user_language())
        return data

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.line()}"

    def __repr__(self) -> str:
        return f"<{self}>"


class Warnings(Sequence[RunWarning]):
    """The warnings of one run, in the order in which they were seen first; none is there twice."""

    def __init__(self, known: Sequence[RunWarning] = ()) -> None:
        """As those of a run that goes on, or none."""
        self._items: list[RunWarning] = []
        self._numbers: dict[tuple[str, str | Text], int] = {}
        self._times: list[list[float]] = []
        if known:  # seldom: runs begin without
            self._items += known
            self._numbers |= {(item.code, item.same or item.message): i for i, item in enumerate(self._items)}
            self._times += (
                map(list, known._times) if isinstance(known, Warnings) else [[item.time] * item.count for item in known]
            )

    def add(
        self,
        code: str,
        time: float,
        message: Text,
        span: Span | None = None,
        *,
        hint: Text | None = None,
        same: str = "",
    ) -> None:
        """Note something; the same again is counted.

        Args:
            code: A stable word.
            time: When it was seen [s].
            message: One sentence.
            span: The place in the file.
            hint: What to do.
            same: What it is about, where the sentence has numbers that change; without, the sentence itself tells.
        """
        number = self._numbers.setdefault((code, same or message), len(self._items))
        if number == len(self._items):
            made = RunWarning(code=code, time=float(time), message=message, span=span, hint=hint, same=same)
            self._items.append(made)
            self._times.append([float(time)])
            return
        self._times[number].append(float(time))
        self._items[number] = replace(self._items[number], count=len(self._times[number]))

    def seen(self) -> Iterator[tuple[RunWarning, Sequence[float]]]:
        """All of them, each with the times at which it was seen [s]."""
        return zip(self._items, self._times, strict=True)

    def until(self, time: float) -> Warnings:
        """What was seen until a time [s], as a run that is taken up again there has seen it."""
        kept = Warnings()
        for item, times in zip(self._items, self._times, strict=True):
            for one in times:
                if one <= time:
                    kept.add(item.code, one, item.message, item.span, hint=item.hint, same=item.same)
        return kept

    def followed_by(self, more: Warnings) -> Warnings:
        """These, and then others."""
        joined = Warnings(self)
        for item, times in zip(more._items, more._times, strict=True):
            for one in times:
                joined.add(item.code, one, item.message, item.span, hint=item.hint, same=item.same)
        return joined

    @overload
    def __getitem__(self, index: int) -> RunWarning: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[RunWarning, ...]: ...

    def __getitem__(self, index: int | slice) -> RunWarning | tuple[RunWarning, ...]:
        return tuple(self._items[index]) if isinstance(index, slice) else self._items[index]

    def __iter__(self) -> Iterator[RunWarning]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return "\n".join(str(item) for item in self._items) or "<no warnings>"
