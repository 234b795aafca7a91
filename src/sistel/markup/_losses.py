"""What did not survive a conversion: every conversion between formats comes with such a list, even an empty one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from sistel import shown
from sistel.errors import Language, Span, Text, excerpt, user_language
from sistel.records import entry

LossKind = Literal["dropped", "changed", "snapped"]

LOSS_WORDS: dict[LossKind, Text] = {
    "dropped": Text("dropped", "не перенесено"),
    "changed": Text("changed", "изменено"),
    "snapped": Text("snapped", "уточнено"),
}


@entry
class Loss:
    """One thing that is not the same after a conversion."""

    what: Text
    span: Span | None
    kind: LossKind
    """`dropped`: it is gone; `changed`: it is there in another form; `snapped`: a number was made exact."""

    def render(self, lang: Language | None = None) -> str:
        """The loss as text for a terminal, in the form of a diagnostic."""
        lang = lang or user_language()
        where = f"{self.span}: " if self.span is not None else ""
        lines = [f"{where}{LOSS_WORDS[self.kind].say(lang)}: {self.what.say(lang)}"]
        if self.span is not None:
            lines += excerpt(self.span)
        return "\n".join(lines)

    def to_json(self, lang: Language | None = None) -> dict[str, object]:
        """The same as plain data."""
        data: dict[str, object] = {"kind": self.kind, "what": self.what.say(lang or user_language())}
        if self.span is not None:
            data |= {"file": self.span.source.path, "line": self.span.line, "column": self.span.column}
        return data

    def __str__(self) -> str:
        return self.render()

    def _repr_html_(self) -> str:
        return shown.html(self)


class Losses:
    """Collects the losses of one conversion.

    A place is named once for one reason: a default that a hundred elements inherit is still one thing that was lost.
    """

    def __init__(self, limit: int = 20_000) -> None:
        """Past `limit` losses only the count goes on, as with diagnostics."""
        self.limit = limit
        self.more = 0
        self.items: list[Loss] = []
        self._seen: set[tuple[object, ...]] = set()

    def dropped(self, span: Span | None, what: Text) -> None:
        """Note something that is gone."""
        self.add(Loss(what, span, "dropped"))

    def changed(self, span: Span | None, what: Text) -> None:
        """Note something that has another form now."""
        self.add(Loss(what, span, "changed"))

    def snapped(self, span: Span | None, what: Text) -> None:
        """Note a number that was made exact."""
        self.add(Loss(what, span, "snapped"))

    def add(self, loss: Loss) -> None:
        """Note a loss made elsewhere."""
        place = (None,) if loss.span is None else (loss.span.source.path, loss.span.start, loss.span.end)
        key = (loss.kind, loss.what.en, *place)
        if key in self._seen:
            return
        if len(self.items) >= self.limit:
            self.more += 1
            return
        self._seen.add(key)
        self.items.append(loss)

    def render(self, lang: Language | None = None) -> str:
        """All losses as text, by their place in the file."""
        return "\n".join(loss.render(lang) for loss in self.sorted())

    def sorted(self) -> tuple[Loss, ...]:
        """All losses by their place in the file, those without a place first."""

        def key(loss: Loss) -> tuple[str, int]:
            return ("", -1) if loss.span is None else (loss.span.source.path, loss.span.start)

        items = tuple(sorted(self.items, key=key))
        if not self.more:
            return items
        more = Text(f"{self.more} more losses are not listed", f"ещё потерь: {self.more}; они не перечислены")
        return (*items, Loss(more, None, "dropped"))

    def __iter__(self) -> Iterator[Loss]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)
