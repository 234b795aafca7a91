"""What may come of a damaged file, and what may not."""

from __future__ import annotations

import json
import math
import re
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sistel.errors import SistelError
from sistel.views.page._packed import unpacked

if TYPE_CHECKING:
    from sistel.simulation import Run

T = TypeVar("T")

_SOURCES = str(Path(__file__).resolve().parents[3] / "src")
_VARYING = re.compile(r"\"[^\"]*\"|«[^»]*»|/[^\s:]+|[-+]?\d[\w.+]*|<[^>]*>")
"""Parts of messages that differ from file to file."""
_PACKED = re.compile(r'<script type="text/plain" data-packed="([^"]*)">([^<]*)</script>')
OF_CALLS = frozenset({"too-long"})
"""Codes of errors about what was asked for, not about a file."""


@dataclass(slots=True)
class Fault:
    """Something that must not be."""

    kind: str
    """crash, hang, memory, killed, warning, not-finite, silent, one-language, placeless, changed, own-error."""
    key: str
    """The same for the same cause: type and place of an exception, say."""
    stage: str
    detail: str


@dataclass(slots=True)
class Outcome:
    """What came of one file."""

    stages: list[str] = field(default_factory=list)
    features: set[str] = field(default_factory=set)
    """What tells it from others: codes and words of its diagnostics, and how far it came."""
    faults: list[Fault] = field(default_factory=list)
    refused: str = ""
    """The stage that refused it; empty where none did."""
    seconds: float = 0.0
    """Of the processor."""


class Judge:
    """Watches one file on its way."""

    def __init__(self, tell: Callable[[str], None], name: str = "mutant") -> None:
        """Tells `tell` every stage that begins; files have `name` in their names."""
        self.outcome, self.name = Outcome(), name
        self._tell = tell

    def attempt(self, stage: str, action: Callable[[], T]) -> T | None:
        """Do a stage; None where it was refused, rightly or not."""
        self.outcome.stages.append(stage)
        self._tell(stage)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                return action()
            except SistelError as error:
                self.outcome.refused = stage
                self.refusal(error)
                partial = getattr(error, "run", None)
                if partial is not None:
                    self.run(partial)
            except MemoryError as problem:
                self.outcome.refused = stage
                self.fault("memory", _place(problem), "".join(traceback.format_exception(problem)[-6:]))
            except Exception as problem:
                self.outcome.refused = stage
                self.fault("crash", _place(problem), "".join(traceback.format_exception(problem)[-14:]))
            finally:
                for each in caught:
                    where = each.filename.removeprefix(_SOURCES)
                    self.fault("warning", f"{each.category.__name__} {where}:{each.lineno}", str(each.message))
        return None

    def fault(self, kind: str, key: str, detail: str) -> None:
        """Note a fault of the present stage."""
        self.outcome.faults.append(Fault(kind, f"{kind}: {key}", self.outcome.stages[-1], detail[-6000:]))

    def refusal(self, error: SistelError) -> None:
        """An error is for people: in both languages, with the place where there is a file."""
        if not any(item.severity == "error" for item in error.diagnostics):
            self.fault("silent", f"{type(error).__name__} without an error", repr(error.diagnostics))
        for item in error.diagnostics:
            shape = _VARYING.sub("_", item.message.en)[:120]
            self.outcome.features.add(f"{self.outcome.stages[-1]} {item.code} {shape}")
            if not item.message.en.strip() or not item.message.ru.strip():
                self.fault("one-language", item.code, f"{item.message!r}")
            elif re.search(r"[А-Яа-яЁё]", _VARYING.sub("", item.message.ru)) is None and len(shape) > 12:
                self.fault("one-language", f"{item.code} {shape}", f"{item.message!r}")
            # A file that is none of its kind has no place in it; it is named then.
            about_file = item.code not in OF_CALLS and self.name not in item.message.en
            if item.severity == "error" and item.span is None and about_file:
                self.fault("placeless", f"{self.outcome.stages[-1]} {item.code} {shape}", item.render("en"))
        for lang in ("en", "ru"):
            if not error.render(lang).strip():
                self.fault("silent", "nothing said", lang)

    def run(self, run: Run) -> None:
        """Everything in a run is a number."""
        wrong = [name for name in ("t", "q", "v", "last") if not np.isfinite(getattr(run, name)).all()]
        for event in run.events:
            given = [event.time, event.energy_loss, *(x for i in event.impulses.values() for x in np.ravel(i).tolist())]
            if not all(math.isfinite(x) for x in given):
                wrong.append(f"event {event.transition}")
        if wrong:
            self.fault("not-finite", f"run: {wrong[0][:20]}", f"{wrong}: {run.t[-1:]} {run.q[-1:]} {run.v[-1:]}")

    def numbers(self, what: str, *arrays: Any) -> None:
        """As `run`, for arrays."""
        if not all(np.isfinite(array).all() for array in arrays):
            self.fault("not-finite", what, "\n".join(map(repr, arrays)))

    def page(self, text: str) -> None:
        """What a page carries is JSON that browsers read."""
        for name, letters in _PACKED.findall(text):
            inside = unpacked(letters)
            if inside[:1] in (b"{", b"["):
                try:
                    json.loads(inside, parse_constant=_refused)
                except ValueError as problem:
                    self.fault("not-finite", f"page: block {name}", str(problem))

    def scene(self, text: str) -> None:
        """A scene is one by the rules of X3D, and has numbers in it."""
        from sistel.views.x3d import check_scene

        for line in check_scene(text)[:3]:
            self.fault("changed", f"scene: {_VARYING.sub('_', line)[:60]}", line)
        # Names are the user's, and may be any word.
        found = re.search(r'(?<!\btitle)(?<!\bcontent)(?<!\bDEF)(?<!\bUSE)="[^"a-zA-Z]*\b(?:nan|inf)\b[^"]*"', text)
        if found is not None:
            self.fault("not-finite", "scene", found[0][:300])


def _refused(word: str) -> float:
    raise ValueError(f"{word} is no JSON")


def _place(problem: BaseException) -> str:
    """Type and innermost place in the package: the same for the same mistake."""
    frames = traceback.extract_tb(problem.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(_SOURCES)]
    # Numbers of lines move; but two mistakes of one function are two.
    where = f"{own[-1].filename.removeprefix(_SOURCES)}:{own[-1].lineno} {own[-1].name}" if own else "outside"
    return f"{type(problem).__name__} {where}"
