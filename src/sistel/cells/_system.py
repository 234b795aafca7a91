"""Plan → a system of bodies in XsysTel: robots that move by program, parts that are locked to what carries them.

Every hand-over is a transition of structure: a part lies, is held by a gripper, rides on a pallet or sits on another
part; so its weight appears in the reactions of whoever carries it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from sistel.cells._plan import Move, Plan, world_pose
from sistel.pose import Rotation, roll_pitch_yaw

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.cells._cell import Part, Robot, Station
    from sistel.errors import Language


SAME = 1e-9
"""Times that are one [s]."""
_COLOURS = {
    "rack": "lightgray",
    "machine": "slategray",
    "booth": "lightskyblue",
    "table": "burlywood",
    "belt": "dimgray",
}


def cell_xml(plan: Plan, folder: str | os.PathLike[str] = ".", lang: Language = "en") -> str:
    """The system that does what a plan says, as a text in XsysTel.

    Args:
        plan: The plan.
        folder: Where the files of the robots are, seen from where the text will stand.
        lang: Language of the names that are not in the file of the cell.
    """
    return _Writer(plan, os.fspath(folder), lang).text()


class _Writer:
    def __init__(self, plan: Plan, folder: str, lang: Language) -> None:
        self.plan, self.cell, self.folder, self.lang = plan, plan.cell, folder, lang
        self.lines: list[str] = []

    def text(self) -> str:
        self.lines = ['<?xml version="1.0" encoding="UTF-8"?>']
        self.tag(0, "system", True, {"name": self.cell.name, "class": "changing tree", "space": "spatial"})
        for station in self.cell.stations:
            self.station(station)
        for robot in self.cell.robots:
            self.robot(robot)
        for part in self.cell.parts:
            self.part(part)
        self.links()
        self.lines.append("</system>")
        return "\n".join(self.lines) + "\n"

    def tag(
        self, depth: int, element: str, opens: bool = False, given: dict[str, str] | None = None, /, **more: str
    ) -> None:
        """Write a tag; attributes whose names are words of Python come in a dictionary."""
        said = "".join(f' {key}="{escape(value)}"' for key, value in {**(given or {}), **more}.items())
        self.lines.append(f"{'  ' * depth}<{element}{said}{'' if opens else '/'}>")

    # --- what stands there -------------------------------------------------------------------------------------------

    def station(self, station: Station) -> None:
        """Something to see under every slot; a belt has a pallet that moves."""
        colour = _COLOURS[station.kind]
        poses = [world_pose(slot) for slot in station.slots]
        thick = max((max(part.sizes) for part in self.cell.parts), default=0.04)
        for X in poses:
            x, y, z = (1e3 * float(each) for each in X[:3, 3])
            top = z - 500 * thick - 10
            if station.kind == "belt":
                continue
            wide = {"machine": 420.0, "booth": 500.0}.get(station.kind, 1000 * thick + 60)
            if top > 20:
                self.tag(1, "box", size=_row((wide, wide, top)), place=_row((x, y, top / 2)), colour=colour)
            if station.kind == "machine":
                # A back wall tells a machine from a rack.
                self.tag(
                    1,
                    "box",
                    size=_row((wide, 30, 500)),
                    place=_row((x, y + wide / 2, top + 250)),
                    colour="darkslategray",
                )
            if station.kind == "booth":
                self.tag(1, "box", size=_row((30, wide, 600)), place=_row((x + wide / 2, y, top + 200)), colour=colour)
        if station.kind != "belt":
            return
        first, last = poses[0][:3, 3], poses[1][:3, 3]
        way = last - first
        length = float(np.linalg.norm(way))
        axis = way / length
        middle = 500 * (first + last)
        drop = 500 * thick + 20
        turn = math.degrees(math.atan2(axis[1], axis[0]))
        self.tag(
            1,
            "box",
            size=_row((1e3 * length + 300, 220, 60)),
            place=_row((middle[0], middle[1], middle[2] - drop - 40)),
            turn=_row((0.0, 0.0, turn)),
            colour=colour,
        )
        self.tag(
            1,
            "body",
            True,
            name=_pallet(station),
            joint="prismatic",
            axis=_row(axis),
            place=_row(1e3 * first),
            mass="2",
            inertia="0.02",
        )
        self.tag(2, "box", size="200, 200, 20", place=_row((0.0, 0.0, -drop)), colour="peru")
        self.lines.append("  </body>")
        rows: list[tuple[float, Sequence[float]]] = [(0.0, (0.0,))]
        for ride in self.plan.rides:
            if ride.station == station.name:
                goal = 1e3 * length * ride.to
                rows += [(ride.begin, rows[-1][1]), (ride.end, (goal,))]
        self.motion([_pallet(station)], rows)

    def robot(self, robot: Robot) -> None:
        file = os.path.join(self.folder, robot.file)
        x, y, z = (1e3 * each for each in robot.place)
        self.tag(
            1,
            "include",
            file=file.replace(os.sep, "/"),
            prefix=_prefix(robot),
            place=_row((x, y, z)),
            turn=_row((0.0, 0.0, math.degrees(robot.turn))),
        )
        own = [move for move in self.plan.moves if move.robot == robot.name]
        names = [f"{_prefix(robot)}{name}" for name in robot.arm.model.coordinate_names]
        self.motion(names, _rows(robot, own))

    def motion(self, names: Sequence[str], rows: Sequence[tuple[float, Sequence[float]]]) -> None:
        """A table of motion; rows at one time are one."""
        self.tag(1, "motion", True, of=", ".join(names), interpolation="quintic")
        last = -1.0
        for time, values in rows:
            if time > last + SAME:
                self.tag(2, "row", time=f"{time:.12g}", values=_row(values))
                last = time
        self.lines.append("  </motion>")

    def part(self, part: Part) -> None:
        X = world_pose(self.cell.slots[part.slot])
        R: Rotation = tuple(tuple(float(each) for each in row) for row in X[:3, :3])  # type: ignore[assignment]
        a, b, c = part.sizes
        inertia = [part.mass / 12 * (p * p + q * q) for p, q in ((b, c), (a, c), (a, b))]
        self.tag(
            1,
            "body",
            True,
            name=part.name,
            joint="free",
            place=_row(1e3 * X[:3, 3]),
            turn=_row([math.degrees(each) for each in roll_pitch_yaw(R)]),
            mass=f"{part.mass:.12g}",
            inertia=_row(inertia),
        )
        self.tag(2, "box", size=_row([1e3 * each for each in part.sizes]), colour=part.colour)
        self.lines.append("  </body>")

    # --- who holds what ----------------------------------------------------------------------------------------------

    def links(self) -> None:
        """Locks, structures and the transitions between them, at the times of the plan."""
        holders = {part.name: "" for part in self.cell.parts}
        for part in self.cell.parts:
            station = self.cell.station_of(part.slot)
            if station.kind == "belt":
                holders[part.name] = station.name
        states = [dict(holders)]
        times: list[float] = []
        for each in self.plan.carried:
            if times and each.time < times[-1] + SAME:
                states[-1][each.part] = each.holder
                continue
            states.append({**states[-1], each.part: each.holder})
            times.append(each.time)
        names: dict[tuple[str, ...], str] = {}
        for state in states:
            names.setdefault(tuple(state.values()), self.said(state, names.values()))
        self.lines.append("  <links>")
        pairs = dict.fromkeys(pair for state in states for pair in state.items())
        for name, holder in pairs:
            self.tag(2, "lock", name=_lock(name, holder), body=name, to=self.carrier(holder), holds="no")
        for key, name in names.items():
            held = [_lock(part, holder) for part, holder in zip(holders, key, strict=True)]
            self.tag(2, "structure", name=name, holds=", ".join(held))
        for before, after, time in zip(states, states[1:], times, strict=False):
            a, b = names[tuple(before.values())], names[tuple(after.values())]
            if a != b:
                way = {"from": a, "to": b, "when": f"t rises through {time:.12g} s", "impact": "none"}
                self.tag(2, "transition", False, way)
        self.lines.append("  </links>")
        self.tag(1, "start", structure=names[tuple(states[0].values())])

    def said(self, state: dict[str, str], taken: object) -> str:
        """A name for who holds what."""
        robots = [robot.name for robot in self.cell.robots]
        held = [f"{holder}: {part}" for part, holder in state.items() if holder in robots]
        base = " + ".join(held) or ("всё лежит" if self.lang == "ru" else "all lie")
        known = set(taken)  # type: ignore[call-overload]
        number = 1
        while (name := base if number == 1 else f"{base} {number}") in known:
            number += 1
        return str(name)

    def carrier(self, holder: str) -> str:
        """The body that holds."""
        for robot in self.cell.robots:
            if robot.name == holder:
                return f"{_prefix(robot)}{robot.arm.bodies[-1].name}"
        for station in self.cell.stations:
            if station.name == holder:
                return _pallet(station)
        return holder or "0"


def _rows(robot: Robot, moves: Sequence[Move]) -> list[tuple[float, list[float]]]:
    """Rows of a table in mm and degrees."""
    kinds = [kind for body in robot.arm.model.bodies for _, kind in body.joint.type.coordinates]

    def shown(q: Array) -> list[float]:
        return [math.degrees(float(x)) if kind == "turn" else 1e3 * float(x) for x, kind in zip(q, kinds, strict=True)]

    if not moves:
        q = np.array(robot.arm.model.start.q, dtype=float)
        return [(0.0, shown(q)), (1.0, shown(q))]
    rows = [(0.0, shown(moves[0].start))]
    for move in moves:
        rows += [(move.begin, shown(move.start)), (move.end, shown(move.goal))]
    return rows


def _row(numbers: Sequence[float] | Array) -> str:
    return ", ".join(f"{round(float(each), 9) + 0.0:.12g}" for each in numbers)


def _prefix(robot: Robot) -> str:
    return f"{robot.name}_"


def _pallet(station: Station) -> str:
    return f"{station.name} pallet"


def _lock(part: str, holder: str) -> str:
    return f"{part} in {holder}" if holder else f"{part} lies"
