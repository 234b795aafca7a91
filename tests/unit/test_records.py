"""Classes that hold data: what they show is what data classes of the library show."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass, replace
from typing import Any

from sistel.records import entry, mutable, record


@record
class Inner:
    size: float
    names: tuple[str, ...] = ()


@mutable
class Ring:
    other: Any = None
    secret: int = field(default=1, repr=False)


@entry
class Own:
    size: float

    def __repr__(self) -> str:
        return "own"


def test_the_text_is_that_of_a_data_class() -> None:
    made = Inner(size=0.1, names=("a", "б"))
    plain = make_dataclass("Inner", ["size", "names"])
    assert repr(made) == repr(plain(0.1, ("a", "б"))) == "Inner(size=0.1, names=('a', 'б'))"
    assert repr(replace(made, names=())) == "Inner(size=0.1, names=())"
    assert repr(Own(1.0)) == "own"


def test_what_is_within_itself_ends_somewhere() -> None:
    @dataclass
    class Plain:
        other: Any = None

    plain, ring = Plain(), Ring()
    plain.other, ring.other = [plain], [ring]
    assert repr(ring) == repr(plain).replace(Plain.__qualname__, "Ring") == "Ring(other=[...])"
