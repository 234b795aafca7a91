"""Statically stable gaits of walking machines.

The trunk goes straight on, level, and begins and ends at rest. A foot stands still on the ground for its part of the
cycle (the duty) and swings forward in the rest of it. At every instant the centre of mass must be above the polygon of
the feet that stand; by how much is the margin.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.cells._legs import Leg, Machine, machine_of
from sistel.errors import SistelError, Text, one_of, refuse
from sistel.model import Model
from sistel.pose import part_of_way
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array, Flags


GAITS: dict[str, dict[int, tuple[float, tuple[float, ...]]]] = {
    # Legs are numbered L1, R1, L2, R2 … from front to back: duty, and when in the cycle each begins to swing.
    "step": {2: (0.8, (0.15, 0.65))},
    "crawl": {4: (0.8, (0.25, 0.75, 0.05, 0.55))},
    "tripod": {6: (0.55, (0.0, 0.5, 0.5, 0.0, 0.0, 0.5))},
    "wave": {4: (0.85, (0.275, 0.775, 0.075, 0.575)), 6: (5 / 6, (2 / 6, 5 / 6, 1 / 6, 4 / 6, 0.0, 3 / 6))},
}
"""Gaits by name and number of legs."""
BESIDE = 1e-7
"""How near to a switch the rows on both sides of it are, in parts of a cycle."""
WITHIN = 1e-9
"""How far beyond its limit a joint may be [rad]."""
ROOM = math.radians(1.0)
"""What a sway that is chosen leaves to the limits of joints, which are looked at row by row [rad]."""


@record
class Course:
    """The numbers of a walk."""

    stride: float
    """Way of the trunk in a cycle [m]."""
    cycle: float
    """[s]"""
    cycles: int
    lift: float
    """[m]"""
    height: float
    """Of the columns above the ground [m]."""
    sway: float
    """[m]"""
    duty: float
    phases: tuple[float, ...]
    homes: Array
    """Where the feet are below the trunk in the middle of standing, shape (legs, 3) [m]."""

    @property
    def length(self) -> float:
        """Of the whole walk [s]: it begins and ends with half a cycle of way in a whole cycle of time."""
        return (self.cycles + 1) * self.cycle

    def ahead(self, leg: int) -> float:
        """Strides from the home of a foot to where it stands at first."""
        return self.phases[leg] - 0.5 * self.duty


@record
class Walk:
    """A programmed walk."""

    machine: Machine
    course: Course
    times: Array
    """Shape (n,) [s]."""
    q: Array
    """All coordinates, shape (n, nq) [m or rad]."""
    stands: Flags
    """Which feet stand, shape (n, legs)."""
    feet: Array
    """Where the feet are in the world, shape (n, legs, 3) [m]."""
    margin: Array
    """Distance of the centre of mass inside the polygon of the standing feet, shape (n,) [m]; below 0 it tips over."""
    switches: tuple[tuple[float, tuple[bool, ...]], ...]
    """When feet come down and go up, and which stand from then on [s]."""


def plan_walk(
    model: Model,
    gait: str,
    *,
    stride: float,
    cycle: float = 2.0,
    cycles: int = 3,
    lift: float = 0.05,
    height: float | None = None,
    reach: float | None = None,
    sway: float | None = None,
    rows: int = 24,
) -> Walk:
    """A walk by program.

    Args:
        model: The machine.
        gait: "step", "crawl", "tripod" or "wave".
        stride: How far the trunk goes in a cycle [m].
        cycle: How long a cycle takes at full speed [s].
        cycles: How many of them; the first and the last half begin and end at rest.
        lift: Of a swinging foot [m].
        height: Of the columns above the ground [m]; about half a leg unless told otherwise, or nine tenths where legs
            hang down.
        reach: Of the feet beside the columns [m]; about half a leg unless told otherwise. Legs that hang have none.
        sway: How far the trunk goes to the side of the standing feet [m]; with two legs, and four that hang, as far as
            gives the greatest margin unless told otherwise, with four others a tenth of the width between the feet,
            with six none.
        rows: Of the table, in a cycle.

    Raises:
        SistelError: There is no such gait, a foot is out of reach, or the machine would tip over: when and how far.
    """
    machine = machine_of(model)
    count = len(machine.legs)
    known = {name: each[count] for name, each in GAITS.items() if count in each}
    if gait not in known:
        message = Text(f'no gait "{gait}" for {count} legs', f"нет походки «{gait}» для {count} ног")
        refuse("no-gait", message, expected=one_of(list(known)))
    duty, phases = known[gait]
    hangs = all(each.hangs for each in machine.legs)
    leg = min(sum(each.lengths) for each in machine.legs)
    usual = 0.9 * leg + max(each.ankle for each in machine.legs) if hangs else 0.55 * leg
    up = usual if height is None else height
    out = 0.55 * leg if reach is None else reach
    homes = np.array([each.home + out * each.outward for each in machine.legs])
    homes[:, 2] = 0.0
    wide = float(np.ptp(homes[:, 1]))
    aside = (0.1 * wide if count == 4 else 0.0) if sway is None else sway
    course = Course(
        stride=stride,
        cycle=cycle,
        cycles=cycles,
        lift=lift,
        height=up,
        sway=aside,
        duty=duty,
        phases=phases,
        homes=homes,
    )
    times = _rows(course, rows)
    if sway is None and (count == 2 or (count == 4 and hangs)):
        course = _best_sway(machine, course, times, wide)
    q, feet, stands = postures(machine, course, times)
    margin = margins(machine, q, feet, stands)
    worst = int(margin.argmin())
    if margin[worst] <= 0.0:
        refuse(
            "tips-over",
            Text(
                f"at {times[worst]:g} s the centre of mass is {-1e3 * margin[worst]:.3g} mm outside the standing feet",
                f"в {times[worst]:g} с центр масс на {-1e3 * margin[worst]:.3g} мм вне опорного многоугольника",
            ),
            expected=Text("a longer duty, a shorter stride or wider feet", "дольше опора, короче шаг или шире ноги"),
        )
    return Walk(
        machine=machine,
        course=course,
        times=times,
        q=q,
        switches=_switches(course),
        stands=stands,
        feet=feet,
        margin=margin,
    )


def _rows(course: Course, rows: int) -> Array:
    """Times of a table: even ones, and those just before and after every switch, where margins are least."""
    even = np.linspace(0.0, course.length, rows * (course.cycles + 1) + 1)
    moments = np.array([time for time, _ in _switches(course) if time > 0.0])
    near = BESIDE * course.cycle
    apart = np.abs(even[:, None] - moments[None, :]).min(axis=1, initial=np.inf) > 2.0 * near
    return np.sort(np.concatenate([even[apart], moments - near, moments + near]))


def _best_sway(machine: Machine, course: Course, times: Array, wide: float) -> Course:
    """The course with the sway that has the greatest least margin, of those within reach."""
    best, found = -math.inf, course
    for part in np.linspace(0.1, 0.9, 41):
        tried = replace(course, sway=float(part) * wide)
        try:
            least = float(margins(machine, *postures(machine, tried, times, ROOM)).min())
        except SistelError:
            continue
        if least > best:
            best, found = least, tried
    return found


def margins(machine: Machine, q: Array, feet: Array, stands: Flags) -> Array:
    """How far inside the polygon of what stands the centre of mass is, at every row [m]."""
    from sistel.engine import Engine

    centre = Engine.of(machine.model).call("energies")(q, np.zeros((len(q), machine.model.nv)))[..., 2:5]
    made = []
    for i, here in enumerate(centre):
        under = [feet[i, n] + leg.spread for n, leg in enumerate(machine.legs) if stands[i, n]]
        made.append(_margin(here[:2], np.concatenate(under)[:, :2]) if under else -math.inf)
    return np.array(made)


def postures(machine: Machine, course: Course, times: Array, room: float = 0.0) -> tuple[Array, Array, Flags]:
    """Coordinates, places of the feet in the world, and which of them stand, at some times.

    Args:
        machine: The machine.
        course: The numbers of its walk.
        times: [s].
        room: How far from their limits the joints stay [rad].

    Raises:
        SistelError: A foot is out of reach, or a joint beyond its limits.
    """
    progress = np.array([_progress(t, course.cycle, course.cycles) for t in times])
    feet, stands = _feet(progress, course)
    trunk = np.zeros((len(times), 3))
    # Left feet swing in the first half of a cycle.
    trunk[:, 0], trunk[:, 1] = course.stride * progress, -course.sway * np.sin(2.0 * np.pi * progress)
    trunk[:, 2] = course.height
    q = np.tile(np.array(machine.model.start.q, dtype=float), (len(times), 1))
    first = machine.trunk.first_q
    q[:, first : first + 4] = [1.0, 0.0, 0.0, 0.0]
    q[:, first + 4 : first + 7] = trunk - np.array(machine.trunk.p_PB)
    for number, leg in enumerate(machine.legs):
        for row, t in enumerate(times):
            found = leg.angles(feet[row, number] - trunk[row])
            if found is None:
                refuse(
                    "out-of-reach",
                    Text(f'"{leg.name}" is out of reach at {t:g} s', f"«{leg.name}» вне досягаемости в {t:g} с"),
                    expected=Text("a shorter stride or other heights", "шаг короче или другая высота"),
                )
            q[row, [body.first_q for body in leg.bodies]] = found
        _check_limits(leg, q, times, room)
    return q, feet, stands


def _check_limits(leg: Leg, q: Array, times: Array, room: float) -> None:
    """Refuse what a joint of a leg does not do: which, when, and how far."""
    for body in leg.bodies:
        angle, low, high = q[:, body.first_q], body.joint.minimum[0], body.joint.maximum[0]
        beyond = np.maximum(low - angle, angle - high)
        row = int(beyond.argmax())
        if beyond[row] > WITHIN - room:
            at, lowest, highest, t = (*(math.degrees(each) for each in (angle[row], low, high)), times[row])
            refuse(
                "beyond-limit",
                Text(
                    f'"{body.name}" would be at {at:.4g}° at {t:g} s, its limits are {lowest:g}° and {highest:g}°',
                    f"«{body.name}» в {t:g} с был бы на {at:.4g}°, его пределы {lowest:g}° и {highest:g}°",
                ),
                expected=Text("a shorter stride or other heights", "шаг короче или другая высота"),
            )


def _progress(t: float, cycle: float, cycles: int) -> float:
    """Cycles gone until a time: they begin and end at rest, and run evenly between."""

    def begun(part: float) -> float:
        """The integral of a smooth start of the speed, from 0 to 1 in one cycle: half a cycle of way."""
        # Speed is the quintic from 0 to 1: 10τ³ − 15τ⁴ + 6τ⁵.
        return part**4 * (2.5 + part * (-3.0 + part))

    total = cycles + 1.0
    tau = min(max(t / cycle, 0.0), total)
    if tau <= 1.0:
        return begun(tau)
    if tau >= total - 1.0:
        return cycles - begun(total - tau)
    return 0.5 + (tau - 1.0)


def _time_of(progress: float, cycle: float, cycles: int) -> float:
    """When so many cycles are gone [s]."""
    low, high = 0.0, (cycles + 1.0) * cycle
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _progress(middle, cycle, cycles) < progress else (low, middle)
    return 0.5 * (low + high)


def _feet(progress: Array, course: Course) -> tuple[Array, Flags]:
    """Where the feet are in the world, and which stand."""
    feet = np.zeros((len(progress), len(course.homes), 3))
    stands = np.ones((len(progress), len(course.homes)), dtype=bool)
    for number, (home, phase) in enumerate(zip(course.homes, course.phases, strict=True)):
        gone = progress - phase
        whole = np.floor(gone)
        part = np.minimum((gone - whole) / (1.0 - course.duty), 1.0)
        swings = (part < 1.0) & (gone >= 0.0)
        way = part_of_way(part, "quintic")[0]
        before = np.where(gone < 0.0, 0.0, whole + way)
        feet[:, number] = home
        feet[:, number, 0] += course.stride * (before + course.ahead(number))
        feet[:, number, 2] = np.where(swings, course.lift * (4.0 * part * (1.0 - part)) ** 3, 0.0)
        stands[:, number] = ~swings
    return feet, stands


def _switches(course: Course) -> tuple[tuple[float, tuple[bool, ...]], ...]:
    """When feet go up and come down, before the walk ends."""
    moments: list[tuple[float, int, bool]] = []
    for number, phase in enumerate(course.phases):
        for k in range(course.cycles + 1):
            for at, stands in ((phase + k, False), (phase + k + 1.0 - course.duty, True)):
                if at < course.cycles:
                    moments.append((round(at, 12), number, stands))
    state = [True] * len(course.phases)
    made: list[tuple[float, tuple[bool, ...]]] = []
    for at, number, stands in sorted(moments, key=lambda each: (each[0], not each[2])):
        state[number] = stands
        time = _time_of(at, course.cycle, course.cycles) if at > 0.0 else 0.0
        if made and abs(made[-1][0] - time) < 1e-9:
            made[-1] = time, tuple(state)
        else:
            made.append((time, tuple(state)))
    return tuple(made)


def _margin(point: Array, feet: Array) -> float:
    """How far inside the convex hull of some points another one is; negative outside [m]."""
    corners = _hull(feet)
    if len(corners) < 3:
        return -math.inf
    least = math.inf
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        edge = b - a
        across = float(edge[0] * (point[1] - a[1]) - edge[1] * (point[0] - a[0]))
        least = min(least, across / float(np.hypot(*edge)))
    return least


def _hull(points: Array) -> Array:
    """Corners of the convex hull, counter-clockwise: its lower chain, then its upper one."""
    order = sorted({(float(x), float(y)) for x, y in points})

    def chain(way: list[tuple[float, float]]) -> list[tuple[float, float]]:
        made: list[tuple[float, float]] = []
        for x, y in way:
            while len(made) > 1 and (
                (made[-1][0] - made[-2][0]) * (y - made[-2][1]) <= (made[-1][1] - made[-2][1]) * (x - made[-2][0])
            ):
                made.pop()
            made.append((x, y))
        return made[:-1]

    return np.array(chain(order) + chain(order[::-1]))
