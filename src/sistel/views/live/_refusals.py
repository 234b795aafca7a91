"""Why there is no live motion, or none beyond some transition, in words of mechanics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.automaton import PATCH, STRAIGHT_LINE, elements_of
from sistel.errors import Text
from sistel.simulation import why_no_dynamics

if TYPE_CHECKING:
    from sistel.model import Model, Transition

MOST_ELEMENTS = 60
"""Elements that a page decides about: it is given the responses of all of them to each other."""


def why_no_motion(model: Model) -> Text | None:
    """Why a page cannot integrate the motion of a system; None where it can."""
    undecided = why_undecided(model)
    if undecided is not None:
        return undecided
    start = model.structure(model.start_structure)
    if start.why_not:
        return why_no_dynamics(model, start).reason
    if model.nv > STRAIGHT_LINE:
        return Text(
            f"the system is too large: {model.nv} velocities, a page computes up to {STRAIGHT_LINE}",
            f"система слишком велика: скоростей {model.nv}, страница считает до {STRAIGHT_LINE}",
        )
    return None


def moved_by_contacts(model: Model) -> bool:
    """Whether contacts, stops and dry friction make structures of a system."""
    return bool(elements_of(model))


def why_undecided(model: Model) -> Text | None:
    """Why a page cannot decide what the elements of a system do; None where it can, or where there are none."""
    elements = elements_of(model)
    if any(each.kind == PATCH for each in elements):
        return Text(
            "which patches of its tracks press the ground, hold or slip is a problem that the page does not solve",
            "какие участки гусениц давят на грунт, держат или скользят — задача, которую страница не решает",
        )
    if any(each.tangents == 2 for each in elements):
        return Text(
            "contacts with friction in space may slide in any direction; where to is a problem of cones that the page "
            "does not solve, as it does those of the plane",
            "контакты с трением в пространстве скользят в любую сторону; куда — задача с конусами, которую страница, в "
            "отличие от плоской, не решает",
        )
    if any(each.host for each in elements):
        return Text(
            "contacts resist rolling, which the page does not decide about",
            "контакты сопротивляются качению; этого страница не решает",
        )
    if len(elements) > MOST_ELEMENTS:
        return Text(
            f"{len(elements)} contacts of corners may close, a page decides about {MOST_ELEMENTS} at most",
            f"могут замкнуться контакты углов числом {len(elements)}, страница решает не больше чем о {MOST_ELEMENTS}",
        )
    return None


def too_long(size: int, most: int) -> Text:
    """That the equations are too long for a page [bytes]."""
    return Text(
        f"the equations of motion are too long for a page: {size // 1000} kB packed, {most // 1000} are allowed",
        f"уравнения движения слишком длинны для страницы: {size // 1000} кБ в сжатом виде, допустимо {most // 1000}",
    )


def no_passage_here(transition: Transition) -> Text:
    """That the impact of a transition has to be searched for."""
    return Text(
        f'the impact of the passage to "{transition.target}" (several contacts at once, or friction in space) is found '
        "by a search that the page does not do",
        f"удар при переходе в «{transition.target}» (несколько контактов сразу или трение в пространстве) находится "
        "поиском, которого страница не делает",
    )


def no_pulling_here(transition: Transition) -> Text:
    """That a point is pulled onto its surface in a transition."""
    return Text(
        f'the passage to "{transition.target}" pulls a point onto its surface, which the page does not do',
        f"переход в «{transition.target}» притягивает точку к поверхности, чего страница не делает",
    )
