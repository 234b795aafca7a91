"""Links that begin to hold: how far apart they are then, and what is said where that is too much.

A closure, a contact or a coupling that begins to hold while apart would move bodies through space in no time. A passage
therefore has no state after it where they do not meet; a transition may let couplings keep their offset
(`keeps_offsets`), or let links be pulled together from some distance (`within`). Locks and changed joints hold whatever
they find.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.errors import Text
from sistel.expr import less_equal, logical_and
from sistel.mechanics import Scalar, Tree, constraint_rows, contact_rows, is_zero
from sistel.model import MEETING, Closure, Contact, Coupling, Model, Structure, Transition
from sistel.records import record

if TYPE_CHECKING:
    from sistel.errors import Span

Link = Closure | Contact | Coupling


@record
class Distance:
    """How far apart a link is."""

    link: Link
    square: Scalar
    """Of the distance [m² or rad²]."""
    turns: bool
    """Whether it is an angle."""

    def text(self) -> Text:
        """The distance in words, where it is a number."""
        size = math.sqrt(float(self.square))  # type: ignore[arg-type]
        if self.turns:
            return Text(f"{math.degrees(size):.6g} deg", f"{math.degrees(size):.6g}°")
        return Text(f"{1e3 * size:.6g} mm", f"{1e3 * size:.6g} мм")


def beginning(model: Model, transition: Transition, source: Structure, target: Structure) -> tuple[Link, ...]:
    """Links that begin to hold in a transition, and have to meet."""
    new = set(target.holds) - set(source.holds)
    links: tuple[Link, ...] = (*model.closures, *model.contacts, *model.couplings)
    free = model.offset_couplings if transition.keeps_offsets else frozenset()
    return tuple(link for link in links if link.name in new and link.name not in free)


def distances(model: Model, tree: Tree, links: Sequence[Link], q: Sequence[Scalar], t: Scalar) -> list[Distance]:
    """How far apart some links are, over any scalar: lengths and angles of a closure apart from each other."""
    still: list[Scalar] = [0.0] * model.nv
    made: list[Distance] = []
    for link in links:
        if isinstance(link, Contact):
            gap = contact_rows(model, tree, link, q, still, t)[0].value
            made.append(Distance(link=link, square=gap * gap, turns=False))
            continue
        alone = replace(model.structure(), holds=(link.name,), slides=(), changes=())
        squares: list[Scalar] = [0.0, 0.0]
        for row in constraint_rows(model, tree, alone, q, still, t=t):
            turns = row.part == "turn" if row.rate is None else model.rate_kinds[row.rate] == "turn"
            squares[turns] = squares[turns] + row.value * row.value
        made += [
            Distance(link=link, square=square, turns=bool(turns))
            for turns, square in enumerate(squares)
            if not is_zero(square)
        ]
    return made


def allowed(transition: Transition, distance: Distance) -> float:
    """How far apart a link may be that begins to hold in a transition [m or rad]."""
    return (transition.within or MEETING)[distance.turns]


def meet(transition: Transition, found: Sequence[Distance]) -> Scalar:
    """Whether links are as near as a transition allows; 1.0 where there is nothing to ask."""
    fits: Scalar = 1.0
    for distance in found:
        bound = allowed(transition, distance)
        near = less_equal(distance.square, bound * bound)
        fits = near if fits == 1.0 else logical_and(fits, near)
    return fits


def farthest(transition: Transition, found: Sequence[Distance]) -> Distance | None:
    """The link that is farthest beyond what a transition allows; None where all are within it."""
    beyond = [(float(each.square) / allowed(transition, each) ** 2, each) for each in found]  # type: ignore[arg-type]
    worst = max(beyond, key=lambda pair: pair[0], default=None)
    return None if worst is None or worst[0] <= 1.0 else worst[1]


def apart(transition: Transition, distance: Distance, time: float) -> tuple[Text, Span, Text, Text]:
    """What to say where a link begins to hold while apart: what, where, what was expected, a hint."""
    link, size = distance.link, distance.text()
    kind = {Closure: ("closure", "замыкание"), Contact: ("contact", "контакт"), Coupling: ("coupling", "передача")}
    en, ru = kind[type(link)]
    message = Text(
        f'{en} "{link.name}" begins to hold at {time:.9g} s while it is {size.en} apart',
        f"{ru} «{link.name}» начинает держать в момент {time:.9g} с, когда расхождение равно {size.ru}",
    )
    if isinstance(link, Contact):
        expected = Text(
            f"a condition that holds where the point touches, as: gap({link.name}) falls through 0",
            f"условие, верное при касании, например: зазор({link.name}) падает через 0",
        )
        hint = Text(
            "within= with a length lets it be pulled onto the surface, and says so",
            "допуск= с длиной позволяет притянуть точку к поверхности и сообщает об этом",
        )
        return message, transition.span, expected, hint
    expected = Text("a condition that holds where the link meets", "условие, верное там, где связь сходится")
    pulls = Text(
        "within= with a length or an angle lets it be pulled together, and says so",
        "допуск= с длиной или углом позволяет стянуть связь и сообщает об этом",
    )
    if isinstance(link, Closure):
        return message, transition.span, expected, pulls
    hint = Text(
        f'engage="as it is" keeps the offset, as a clutch does; {pulls.en}',
        f"сцепить=«как есть» сохраняет сдвиг, как муфта; {pulls.ru}",
    )
    return message, transition.span, expected, hint
