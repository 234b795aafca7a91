"""Drives as a functional scheme of the system itself: what a file of drives says, as blocks that move its joints."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from sistel.drives._load import motor_name, motored
from sistel.errors import Text, refuse
from sistel.markup import write_document
from sistel.model import to_document

if TYPE_CHECKING:
    from sistel.drives._plan import Axis, Move, Plan
    from sistel.model import Model

SCHEME = "drives"
"""Its name."""
MOST_MOVES = 2000
"""Of a drive, in a scheme that follows a table."""


def scheme_text(model: Model, plan: Plan, inertias: Sequence[float], holding: Sequence[float], led: bool) -> str:
    """The description of a system with its drives: motors, and a scheme with a block for each.

    Args:
        model: The system; what moves these joints already is refused.
        plan: What the drives do.
        inertias: What each joint has where the drives stand, with its rotor [kg or kg·m²].
        holding: Forces with which the drives hold the system there [N or N·m].
        led: Whether the goals are those of the plan; sliders otherwise.

    Raises:
        SistelError: The joints are moved already, or drives of this family have no position loop.
    """
    if plan.family.axes <= len("XYZ"):
        title = plan.family.title
        refuse(
            "no-position-loop",
            Text(f"{title.en} has no position loop", f"у {title.ru} нет контура положения"),
            hint=Text("--for another family", "--for другое семейство"),
        )
    long = next((axis for axis in plan.axes if led and len(axis.moves) > MOST_MOVES), None)
    if long is not None:
        joint = long.drive.joint
        refuse(
            "too-many-rows",
            Text(
                f'a scheme follows {MOST_MOVES} rows at most, and "{joint}" has {len(long.moves)}',
                f"схема следует не больше чем {MOST_MOVES} строкам, а у «{joint}» их {len(long.moves)}",
            ),
        )
    homes = {axis.drive.coordinate: axis.drive.home for axis in plan.axes}
    q = tuple(homes.get(i, value) for i, value in enumerate(model.start.q))
    start = replace(model.start, q=q, given_q=model.start.given_q | homes.keys())
    moved = replace(motored(model, plan), start=start)
    text = write_document(to_document(moved), "en")
    head, end, _ = text.rpartition("</")
    blocks = [
        line
        for axis, inertia, held in zip(plan.axes, inertias, holding, strict=True)
        for line in _drive(axis, plan, inertia, held, led)
    ]
    scheme = "\n".join(f"    {line}" for line in blocks)
    name = _free(SCHEME, {each.name for each in model.schemes})
    return f'{head}  <scheme name="{name}" period="1 ms">\n{scheme}\n  </scheme>\n{end}system>\n'


def _free(name: str, taken: set[str]) -> str:
    return name if name not in taken else _free(f"{name}'", taken)


def _drive(axis: Axis, plan: Plan, inertia: float, held: float, led: bool) -> Iterator[str]:
    """The signals and the block of one drive."""
    drive, own = axis.drive, motor_name(axis)
    words = _Words(drive.slides)
    goal = f"goal {drive.node}"
    per_turn = abs(drive.turns) * 2.0 * math.pi
    limits = [words.rate(drive.speed / per_turn), words.push(drive.acceleration / per_turn)]
    if led:
        moves = [move for move in axis.moves if move.way]
        before = [(0, drive.home)] if not moves or moves[0].start else []
        yield _signal(goal, _chosen([*before, *((move.start, move.made) for move in moves)], words.place))
        profiles = [_profile(axis, plan, move) for move in moves]
        starts = [move.start for move in moves]
        for i, (word, tell) in enumerate((("speed", words.rate), ("acceleration", words.push))):
            if profiles:
                limits[i] = f"{word} {drive.node}"
                told = [(start, found[i]) for start, found in zip(starts, profiles, strict=True)]
                yield _signal(limits[i], _chosen(told, tell))
    else:
        least, most = (
            each if math.isfinite(each) else drive.home + math.copysign(words.usual, each)
            for each in (drive.minimum, drive.maximum)
        )
        yield (
            f'<input name="{goal}" kind="slider" value="{words.place(min(max(drive.home, least), most))}" '
            f'min="{words.place(least)}" max="{words.place(most)}"/>'
        )
    w = drive.bandwidth
    given = {
        "in": f"{goal} - {words.place(drive.home)}" if drive.home else goal,
        "measured": f"q({drive.joint}) - {words.place(drive.home)}" if drive.home else f"q({drive.joint})",
        "step": words.step(axis),
        "speed": limits[0],
        "acceleration": limits[1],
        "kp": f"{3.0 * inertia * w * w:.12g} {words.force}/{words.si}",
        "kd": f"{3.0 * inertia * w:.12g} {words.force}*s/{words.si}",
        "ki": f"{inertia * w**3:.12g} {words.force}/{words.si}/s",
        "start": f"{held:.12g} {words.force}",
        "limit": None if drive.force is None else f"{drive.force:.12g} {words.force}",
        "low": words.place(drive.minimum - drive.home) if math.isfinite(drive.minimum) else None,
        "high": words.place(drive.maximum - drive.home) if math.isfinite(drive.maximum) else None,
        "band": words.place(20.0 / abs(axis.scale)),
    }
    words_given = " ".join(f"{key}={quoteattr(value)}" for key, value in given.items() if value is not None)
    yield f'<block name="{own}" kind="drive" {words_given}/>'
    yield f'<output motor="{own}" from="{own}.force"/>'


class _Words:
    """Numbers with units, of turns or of slides."""

    def __init__(self, slides: bool) -> None:
        self.unit, self.si, self.force = ("mm", "m", "N") if slides else ("deg", "rad", "N*m")
        self.factor, self.usual = (1e3, 1.0) if slides else (180.0 / math.pi, math.pi)

    def place(self, value: float) -> str:
        return f"{self.factor * value:.13g} {self.unit}"

    def rate(self, value: float) -> str:
        return f"{self.factor * value:.16g} {self.unit}/s"

    def push(self, value: float) -> str:
        return f"{self.factor * value:.16g} {self.unit}/s^2"

    def step(self, axis: Axis) -> str:
        """An increment of the counter, as a part of a turn or of the lead."""
        turn = f"{1e3 * axis.drive.lead:.13g} mm" if axis.drive.slides else "360 deg"
        return f"{turn}/({axis.drive.ratio:.16g}*{axis.resolution})"


def _profile(axis: Axis, plan: Plan, move: Move) -> tuple[float, float]:
    """Speed and acceleration of a move, of the joint."""
    if plan.family.timed:
        top = abs(move.way) / (1e-3 * (move.speed - move.acceleration))
        speed, acceleration = top, top / (1e-3 * move.acceleration)
    else:
        speed, acceleration = move.speed * axis.speed_unit, move.acceleration * axis.acceleration_unit
    return speed / abs(axis.scale), acceleration / abs(axis.scale)


def _signal(name: str, value: str) -> str:
    return f'<signal name="{name}" value="{value}"/>'


def _chosen(told: Sequence[tuple[int, float]], tell: Callable[[float], str]) -> str:
    """A value that changes at times [ms]: as many questions in a row as halvings."""
    if all(value == told[0][1] for _, value in told):
        return tell(told[0][1])
    middle = len(told) // 2
    before, after = _chosen(told[:middle], tell), _chosen(told[middle:], tell)
    return f"select(t lt {told[middle][0] / 1e3!r} s, {before}, {after})"
