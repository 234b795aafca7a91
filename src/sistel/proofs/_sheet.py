"""The proof sheet as data: what was claimed, in which two ways it was computed, and how far apart they were."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from typing import Literal, NoReturn

from sistel.errors import Language, Text, refuse, user_language
from sistel.files import reason_of
from sistel.records import record

State = Literal["holds", "fails", "skipped"]
Form = Literal["text", "html"]


@record
class Proof:
    """One line of the sheet."""

    key: str
    """A stable word for programs."""
    what: Text
    """The quantity or law."""
    ways: tuple[Text, Text]
    """How it was computed, once and again."""
    error: float = 0.0
    """Largest relative difference between the two ways; for a proof with `least`, the smallest value that was found."""
    tolerance: float = 0.0
    """What rounding explains."""
    rule: str = ""
    """How the tolerance follows from n, ε, h and κ; see `RULES`."""
    least: bool = False
    """Whether `error` must lie above the tolerance instead of below."""
    states: int = 0
    """In how many states both ways were compared."""
    skipped: Text | None = None
    """Why there was nothing to compare."""
    note: Text | None = None
    """What else is worth knowing."""

    @property
    def state(self) -> State:
        """Whether the claim holds. A number that is none fails."""
        if self.skipped is not None:
            return "skipped"
        good = self.error > self.tolerance if self.least else self.error <= self.tolerance
        return "holds" if good else "fails"

    def to_json(self, lang: Language) -> dict[str, object]:
        """Plain data; numbers that are not finite are null."""
        return {
            "key": self.key,
            "what": self.what.say(lang),
            "ways": [way.say(lang) for way in self.ways],
            "state": self.state,
            "error": self.error if math.isfinite(self.error) and self.skipped is None else None,
            "tolerance": self.tolerance if self.skipped is None else None,
            "rule": self.rule,
            "at_least": self.least,
            "states": self.states,
            "skipped": None if self.skipped is None else self.skipped.say(lang),
            "note": None if self.note is None else self.note.say(lang),
        }


@record
class Section:
    """Proofs about one thing."""

    key: str
    """``tree``, or ``structure``."""
    structure: str | None
    """Name of the structure, None for the tree of bodies."""
    title: Text
    proofs: tuple[Proof, ...]
    remarks: tuple[Text, ...] = ()
    """What was found on the way: redundant constraints, or why nothing can be computed."""


RULES: dict[str, Text] = {
    "n ε": Text("rounding: n numbers added up", "округление: складывается n чисел"),
    "n ε κ": Text("rounding, times the condition κ of what is solved", "округление, умноженное на обусловленность κ"),
    "n ε/h": Text("differences over a step h", "разности с шагом h"),
    "n ε/h²": Text("second differences over a step h", "вторые разности с шагом h"),
    "n ε κ/h": Text("differences along a motion of condition κ", "разности вдоль движения с обусловленностью κ"),
    "n ε κ/h²": Text(
        "second differences along a motion of condition κ", "вторые разности вдоль движения с обусловленностью κ"
    ),
    "=": Text("a count, exactly", "счёт, точно"),
}
"""Where tolerances come from: ε = 2⁻⁵², n = 32 + 4 × (bodies + velocities), h = 1/64 of a radian or of the size."""


@record
class ProofSheet:
    """Every quantity of a system computed in two independent ways, and whether they agree."""

    name: str
    fingerprint: str
    """Of the model: the same for every spelling of the same content."""
    seed: int
    """Of the random states."""
    sections: tuple[Section, ...]
    draw: Callable[[ProofSheet, Form, Language], str] | None = None
    """Makes a page of the sheet."""

    @property
    def proofs(self) -> Iterator[Proof]:
        """All lines."""
        return (proof for section in self.sections for proof in section.proofs)

    @property
    def holds(self) -> bool:
        """Whether no proof failed."""
        return not self.failed

    @property
    def failed(self) -> tuple[Proof, ...]:
        """The proofs that failed."""
        return tuple(proof for proof in self.proofs if proof.state == "fails")

    def count(self, state: State) -> int:
        """How many lines came out in a way."""
        return sum(proof.state == state for proof in self.proofs)

    def to_json(self, lang: Language | None = None) -> dict[str, object]:
        """Plain data, in the user's language unless told otherwise."""
        lang = lang or user_language()
        return {
            "name": self.name,
            "fingerprint": self.fingerprint,
            "seed": self.seed,
            "holds": self.holds,
            "sections": [
                {
                    "key": section.key,
                    "structure": section.structure,
                    "title": section.title.say(lang),
                    "proofs": [proof.to_json(lang) for proof in section.proofs],
                    "remarks": [remark.say(lang) for remark in section.remarks],
                }
                for section in self.sections
            ],
        }

    def save(self, path: str | os.PathLike[str], lang: Language | None = None) -> None:
        """Write the sheet to a file: .html, .json or .txt.

        Raises:
            SistelError: The file cannot be written, or its name ends otherwise.
        """
        name = os.fspath(path)
        text = self._page(os.path.splitext(name)[1].lower(), lang or user_language())
        try:
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as problem:
            reason = reason_of(problem)
            _cannot(f'"{name}" cannot be written: {reason.en}', f"не удаётся записать «{name}»: {reason.ru}")

    def _page(self, suffix: str, lang: Language) -> str:
        if suffix == ".json":
            import json

            return json.dumps(self.to_json(lang), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        if suffix not in (".html", ".txt") or self.draw is None:
            _cannot(
                f'a proof sheet is saved as .html, .json or .txt, not as "{suffix}"',
                f"протокол сохраняется в .html, .json или .txt, а не в «{suffix}»",
            )
        return self.draw(self, "html" if suffix == ".html" else "text", lang)

    def __str__(self) -> str:
        if self.draw is None:
            return repr(self)
        return self.draw(self, "text", user_language())

    def __repr__(self) -> str:
        return (
            f"<ProofSheet {self.name!r}: {self.count('holds')} hold, {self.count('fails')} fail, "
            f"{self.count('skipped')} skipped>"
        )

    def _repr_html_(self) -> str | None:
        if self.draw is None:
            return None
        from html import escape

        # A page of its own: its styles must not reach the notebook.
        page = escape(self.draw(self, "html", user_language()))
        return f'<iframe srcdoc="{page}" style="width:100%;height:36rem;border:0"></iframe>'


def _cannot(en: str, ru: str) -> NoReturn:
    refuse("cannot-write", Text(en, ru))
