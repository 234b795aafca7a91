"""The names of a system: who is called what, and whom a reference means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field

from sistel.errors import Diagnostics, Span, Text, one_of, word_hint
from sistel.markup import LONGEST_NAME
from sistel.markup.schema import THINGS
from sistel.model._scope import Scope
from sistel.model.joints import COORDINATE_WORDS, CoordinateKind, JointType
from sistel.records import entry, mutable
from sistel.units import Dimension

PLACES = ("x", "y", "z")

KIND_NAMES: dict[str, Text] = THINGS | {
    "joint": Text("joint", "сочленение"),
    "spring": Text("spring", "пружина"),
    "parameter": Text("parameter", "параметр"),
    "pair": Text("pair of shapes", "пара фигур"),
    "drive": Text("gear or clutch", "зацепление или муфта"),
    "track": Text("track", "гусеница"),
    "patch": Text("patch of a track", "участок гусеницы"),
    "scheme": Text("scheme", "схема"),
    "signal": Text("signal", "сигнал"),
}

# Things in one space must have different names, because expressions and references tell them apart by name alone.
_SPACES: dict[str, str] = {
    "body": "geometry",
    "point": "geometry",
    "frame": "geometry",
    "shape": "geometry",
    "closure": "links",
    "contact": "links",
    "pair": "links",
    "blade": "links",
    "track": "links",
    "patch": "links",
    "lock": "links",
    "coupling": "links",
    "drive": "links",
}


@entry
class Slot:
    """Where the coordinates of a body's joint are."""

    body: str
    type: JointType
    first_q: int
    first_v: int


@entry
class CoordinateRef:
    """A coordinate, or all coordinates of a joint, that a reference means."""

    name: str
    """As the model spells it: ``body`` or ``body.x``."""
    slot: Slot
    index: int | None
    """Which velocity of the joint; None for all of them."""
    place: bool = False
    """Whether it is x, y or z of a spatial free joint, whose velocities are not the rates of these."""

    @property
    def kinds(self) -> tuple[CoordinateKind, ...]:
        """Kinds of the velocities that are meant."""
        rates = self.slot.type.rates
        return tuple(kind for _, kind in rates) if self.index is None else (rates[self.index][1],)

    @property
    def rates(self) -> tuple[int, ...]:
        """Indices in v."""
        first, count = self.slot.first_v, self.slot.type.nv
        return tuple(range(first, first + count)) if self.index is None else (first + self.index,)


SINGLE = {"turn": "angle", "slide": "slide", "quaternion": ""}
"""What the only coordinate of a joint may be called, by its kind."""
SPEED_WORDS = ("velocity", "speed", "rate", "скорость", "dot", "v")


@mutable
class Names:
    """Tables of names by kind."""

    diagnostics: Diagnostics
    tables: dict[str, dict[str, Span]] = field(default_factory=lambda: {kind: {} for kind in KIND_NAMES})
    slots: dict[str, Slot] = field(default_factory=dict)
    """By body name."""
    motor_kinds: dict[str, CoordinateKind] = field(default_factory=dict)
    """Whether a motor, a gear or a clutch drives a slide or a turn."""
    joint_bodies: dict[str, str] = field(default_factory=dict)
    """Body of a named joint."""
    signals: dict[str, tuple[Dimension, bool] | None] = field(default_factory=dict)
    """Dimensions of signals, and whether they are truths; None where that could not be read."""
    vectors: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Full names of the components of vectors, by the full names of these."""
    typing: Callable[[str], None] | None = None
    """Reads a signal, so that its dimension is known."""

    def declare(self, kind: str, name: str, span: Span) -> bool:
        """Enter a name; an error when it is taken, or made too long by prefixes."""
        if len(name) > LONGEST_NAME:
            self.diagnostics.error(
                "bad-name",
                span,
                Text(
                    f"the name has {len(name)} characters with its prefixes",
                    f"с приставками в имени {len(name)} символов",
                ),
                expected=Text(f"at most {LONGEST_NAME}", f"не больше {LONGEST_NAME}"),
            )
            return False
        space = _SPACES.get(kind)
        for other, table in self.tables.items():
            taken = table.get(name)
            if taken is not None and (other == kind or (space is not None and _SPACES.get(other) == space)):
                what = KIND_NAMES[other]
                self.diagnostics.error(
                    "same-name",
                    span,
                    Text(f'the name "{name}" is taken by another {what.en}', f"имя «{name}» уже занято: {what.ru}"),
                    related=[(taken, Text("it was given here", "оно дано здесь"))],
                    hint=Text("give each its own name", "дайте каждому своё имя"),
                )
                return False
        self.tables[kind][name] = span
        return True

    def signal(self, name: str) -> tuple[Dimension, bool] | None:
        """Dimension of a signal, and whether it is a truth; None where its law is wrong, which was reported."""
        if name not in self.signals and self.typing is not None:
            self.typing(name)
        return self.signals[name]

    def find(self, kinds: Sequence[str], name: str, scope: Scope) -> tuple[str, str] | None:
        """Kind and full name of what a file calls `name`, or None."""
        for kind in kinds:
            if scope.full(name) in self.tables[kind]:
                return kind, scope.full(name)
        return None

    def refer(self, kinds: Sequence[str], name: str, scope: Scope, span: Span) -> tuple[str, str] | None:
        """As `find`, with an error when there is none."""
        found = self.find(kinds, name, scope)
        if found is None:
            self.unknown(kinds, name, scope, span)
        return found

    def unknown(self, kinds: Sequence[str], name: str, scope: Scope, span: Span, extra: Iterable[str] = ()) -> None:
        """Say that a name means nothing."""
        if self.diagnostics.again("unknown-name", span):
            return  # looking for a similar name takes its time
        known = [
            full[len(scope.prefix) :] for kind in kinds for full in self.tables[kind] if full.startswith(scope.prefix)
        ]
        known += extra
        en = " or ".join(KIND_NAMES[kind].en for kind in kinds)
        ru = " или ".join(KIND_NAMES[kind].ru for kind in kinds)
        other = [kind for kind in self.tables if kind not in kinds and scope.full(name) in self.tables[kind]]
        if other:
            what = KIND_NAMES[other[0]]
            hint: Text | None = Text(f'"{name}" is a {what.en}', f"«{name}» — это {what.ru}")
        else:
            hint = word_hint(name, known)
        self.diagnostics.error(
            "unknown-name",
            span,
            Text(f'there is no {en} "{name}"', f"нет такого: {ru} «{name}»"),
            expected=one_of(known) if known else None,
            hint=hint,
        )

    def coordinate(self, name: str, scope: Scope, span: Span) -> CoordinateRef | None:
        """The coordinate that `trunk`, `trunk.x` or the name of a joint means; an error when there is none."""
        full = scope.full(name)
        body = full if full in self.slots else self.joint_bodies.get(full)
        if body is not None:
            return CoordinateRef(body, self.slots[body], 0 if self.slots[body].type.nq == 1 else None)
        owner, dot, part = name.rpartition(".")
        full = scope.full(owner)
        body = full if full in self.slots else self.joint_bodies.get(full)
        if dot and body is not None:
            slot = self.slots[body]
            word = COORDINATE_WORDS.get(part.casefold(), part)
            names = [spelling for spelling, _ in slot.type.rates]
            if slot.type.nq == 7 and word in PLACES:
                return CoordinateRef(f"{body}.{word}", slot, 3 + PLACES.index(word), place=True)
            if word in names and word:
                return CoordinateRef(f"{body}.{word}", slot, names.index(word))
            if slot.type.nq == 1 and word == SINGLE[slot.type.rates[0][1]]:
                # The one coordinate of a hinge or a slide has no name of its own; people call it by what it is.
                return CoordinateRef(body, slot, 0)
            places = list(PLACES) if slot.type.nq == 7 else []
            possible = [f"{owner}.{spelling}" for spelling in (*places, *names) if spelling] or [owner]
            self.diagnostics.error(
                "unknown-name",
                span,
                Text(
                    f'the joint of "{owner}" has no coordinate "{part}"',
                    f"у сочленения «{owner}» нет координаты «{part}»",
                ),
                expected=one_of(possible),
                hint=_speed_hint(owner, part),
            )
            return None
        self.unknown(("body", "joint"), name, scope, span)
        return None


def _speed_hint(owner: str, part: str) -> Text | None:
    """How the velocity of a coordinate is written, for those who call it otherwise."""
    if part.casefold() not in SPEED_WORDS:
        return None
    return Text(
        f"its velocity is {owner}.rate in <start>, and v({owner}) in expressions",
        f"её скорость — {owner}.скорость в <начало> и v({owner}) в выражениях",
    )
