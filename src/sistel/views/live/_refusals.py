"""Why there is no live motion, or none beyond some transition, in words of mechanics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.automaton import CONTACT, STOP, STRAIGHT_LINE, elements_of
from sistel.errors import Text
from sistel.simulation import why_no_dynamics

if TYPE_CHECKING:
    from sistel.model import Model, Transition


def why_no_motion(model: Model) -> Text | None:
    """Why a page cannot integrate the motion of a system; None where it can."""
    kinds = {element.kind for element in elements_of(model)}
    if CONTACT in kinds:
        return Text(
            "which of its contacts hold, slide or let go is found by a complementarity problem at every event, and the "
            "page does not solve it; write the structures and transitions out to move it here",
            "какие контакты держат, скользят или отрываются, находится из задачи дополнительности на каждом событии; "
            "страница её не решает. Опишите структуры и переходы, и движение пойдёт здесь",
        )
    drives = [element.drive for element in elements_of(model) if element.drive is not None]
    if any(drive.brakes for drive in drives):
        return Text(
            "brakes hold or slip, and which is found by a complementarity problem that the page does not solve",
            "тормоза держат или скользят; что именно, находится из задачи дополнительности, которую страница не решает",
        )
    if drives:
        return Text(
            "gears and clutches give way, and what they do is found by a complementarity problem that the page does "
            "not solve",
            "зацепления и муфты уступают; что они делают, находится из задачи дополнительности, которую страница не "
            "решает",
        )
    if STOP in kinds:
        return Text(
            "joints strike rigid stops, and what follows is found by a complementarity problem that the page does not "
            "solve",
            "шарниры ударяются об упоры, и что следует дальше, находится из задачи дополнительности; страница её не "
            "решает",
        )
    if kinds:
        return Text(
            "joints have dry friction, and which of them stand still is found by a complementarity problem that the "
            "page does not solve",
            "в шарнирах сухое трение; какие из них стоят, находится из задачи дополнительности, которую страница не "
            "решает",
        )
    start = model.structure(model.start_structure)
    if start.why_not:
        return why_no_dynamics(model, start).reason
    if model.nv > STRAIGHT_LINE:
        return Text(
            f"the system is too large: {model.nv} velocities, a page computes up to {STRAIGHT_LINE}",
            f"система слишком велика: скоростей {model.nv}, страница считает до {STRAIGHT_LINE}",
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
