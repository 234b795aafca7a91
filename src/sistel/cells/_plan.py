"""Process list → plan: when every robot moves where, what machines do meanwhile, and what does not fit.

Rows are done in their order, each as early as its robot, its part and its station allow. Machines and belts work while
the robots go on. Nothing is moved that is not there, and no gripper holds two parts: such rows are refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.cells._cell import Cell, Robot, Row, Slot
from sistel.errors import Diagnostics, SistelError, Text
from sistel.records import mutable, record

if TYPE_CHECKING:
    from sistel.arrays import Array


TURNS, SLIDES = math.radians(120.0), 0.8
"""Greatest speeds of joints whose motors name none [rad/s and m/s]."""
QUINTIC = 1.875
"""Greatest speed of a quintic from rest to rest, in parts of its mean speed."""
SHORTEST = 0.2
"""Of a motion [s]."""
GRIP = 0.4
"""What opening or closing the fingers takes [s]."""


@record
class Move:
    """A motion of a robot from rest to rest, quintic in every joint."""

    robot: str
    begin: float
    """[s]"""
    end: float
    start: Array
    """All coordinates of the arm's system [m or rad]."""
    goal: Array


@record
class Carried:
    """A part changes hands."""

    time: float
    """[s]"""
    part: str
    robot: str
    """Who takes or lets go; empty for a belt."""
    holder: str
    """Who holds it from now on: a robot, a belt, another part, or empty where it lies."""
    slot: str


@record
class Ride:
    """A belt carries its pallet from one end to the other."""

    station: str
    begin: float
    end: float
    """[s]"""
    to: Literal[0, 1]
    """The slot where it arrives."""


@record
class Bar:
    """A bar of the chart: who does what, and when."""

    who: str
    what: str
    """The doing, or "idle"."""
    part: str
    row: int
    begin: float
    """[s]"""
    end: float


@record
class Clash:
    """A row that was to begin when something was busy; it begins later."""

    row: Row
    asked: float
    """[s]"""
    begins: float
    busy: str


@record
class Plan:
    """What a cell does, and when.

    The motions of its robots, where parts are meanwhile, and the bars of the chart that shows it.
    """

    cell: Cell
    moves: tuple[Move, ...]
    carried: tuple[Carried, ...]
    rides: tuple[Ride, ...]
    bars: tuple[Bar, ...]
    clashes: tuple[Clash, ...]
    end: float
    """Time of the whole cycle [s]."""
    finished: int
    """Parts that lie in the stations for finished ones at the end."""
    places: dict[str, str]
    """Where every part is at the end: a slot, or who holds it."""

    def busy(self, who: str) -> float:
        """Part of the cycle in which a robot or a station does something."""
        total = sum(bar.end - bar.begin for bar in self.bars if bar.who == who and bar.what != "idle")
        return total / self.end if self.end else 0.0


def plan_cell(cell: Cell) -> Plan:
    """The plan of a cell.

    Raises:
        SistelError: Rows cannot be done: which, and why.
    """
    planner = _Planner(cell)
    for row in cell.rows:
        planner.do(row)
    planner.diagnostics.raise_if_failed()
    return planner.plan()


@mutable
class _Hand:
    """A robot while the plan is made."""

    robot: Robot
    q: Array
    free: float = 0.0
    holds: str = ""
    slot: str = ""
    """Where it stands before, so that it need not go there again."""


@mutable
class _Planner:
    cell: Cell
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    hands: dict[str, _Hand] = field(default_factory=dict)
    where: dict[str, str] = field(default_factory=dict)
    """Slots of the parts that lie."""
    on: dict[str, str] = field(default_factory=dict)
    """Parts that were put onto others."""
    since: dict[str, float] = field(default_factory=dict)
    """When parts, slots and stations are free."""
    ends: dict[str, Literal[0, 1]] = field(default_factory=dict)
    """Where the pallets of the belts are."""
    moves: list[Move] = field(default_factory=list)
    carried: list[Carried] = field(default_factory=list)
    rides: list[Ride] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    clashes: list[Clash] = field(default_factory=list)

    def __post_init__(self) -> None:
        for robot in self.cell.robots:
            q = np.array(robot.arm.model.start.q, dtype=float)
            self.hands[robot.name] = _Hand(robot, _with_fingers(robot, q, robot.wide))
        self.where = {part.name: part.slot for part in self.cell.parts}
        self.ends = {station.name: 0 for station in self.cell.stations if station.kind == "belt"}

    # --- rows --------------------------------------------------------------------------------------------------------

    def do(self, row: Row) -> None:
        """Do one row; what is wrong is told, and the list goes on as if it had been done."""
        {
            "take": self._take,
            "put": self._put,
            "assemble": self._assemble,
            "work": self._work,
            "paint": self._paint,
            "transport": self._transport,
            "go": self._go,
            "wait": self._wait,
        }[row.doing](row)

    def _take(self, row: Row) -> None:
        hand, slot = self.hands[row.robot], self.cell.slots[row.slot]
        part = row.part or self._lying(row.slot)
        if hand.holds:
            self._wrong(
                row, Text(f'"{row.robot}" holds "{hand.holds}" already', f"«{row.robot}» уже держит «{hand.holds}»")
            )
            return
        if not part or self.where.get(part) != row.slot:
            self._not_there(row, part)
            return
        if not self._can_use(row, slot):
            return
        busy = [part, slot.name, self.cell.station_of(slot.name).name]
        self._visit(row, hand, slot, part, busy, takes=True)
        hand.holds = part
        self.where.pop(part)

    def _put(self, row: Row) -> None:
        hand, slot = self.hands[row.robot], self.cell.slots[row.slot]
        part, there = self._held(row, hand), self._lying(row.slot)
        if not part:
            return
        if there:
            self._wrong(
                row, Text(f'"{there}" lies in "{row.slot}" already', f"в гнезде «{row.slot}» уже лежит «{there}»")
            )
            return
        if not self._can_use(row, slot):
            return
        self._visit(row, hand, slot, part, [slot.name, self.cell.station_of(slot.name).name], takes=False)
        hand.holds = ""
        self.where[part] = row.slot

    def _assemble(self, row: Row) -> None:
        hand, slot = self.hands[row.robot], self.cell.slots[row.slot]
        part = self._held(row, hand)
        if not part:
            return
        base = self._lying(row.slot)
        if not base:
            self._wrong(
                row, Text(f'nothing lies in "{row.slot}" to assemble with', f"в гнезде «{row.slot}» не с чем собирать")
            )
            return
        busy = [slot.name, base, self.cell.station_of(slot.name).name]
        self._visit(row, hand, slot, part, busy, takes=False, onto=base)
        hand.holds = ""
        self.on[part] = base

    def _work(self, row: Row) -> None:
        station = self.cell.station_of(row.slot)
        part = self._lying(row.slot)
        if not part or (row.part and part != row.part):
            self._not_there(row, row.part)
            return
        begin = self._begin(row, [part, row.slot, station.name])
        end = begin + (row.time or 0.0)
        self.bars.append(Bar(who=station.name, what="work", part=part, row=row.number, begin=begin, end=end))
        self._until(end, part, row.slot, station.name)

    def _paint(self, row: Row) -> None:
        """The robot holds a part into a booth and turns it there."""
        hand, slot = self.hands[row.robot], self.cell.slots[row.slot]
        part = self._held(row, hand)
        if not part:
            return
        station = self.cell.station_of(row.slot).name
        begin = self._begin(row, [slot.name, station], hand)
        goal = self._reach(row, hand, slot, 0.0)
        if goal is None:
            return
        time = self._move(hand, begin, goal)
        half = 0.5 * (row.time or 0.0)
        roll = hand.robot.arm.bodies[-1]
        turned = goal.copy()
        swing = min(math.pi / 2, max(roll.joint.maximum[0] - goal[roll.first_q], 0.0))
        turned[roll.first_q] += swing
        for target in (turned, goal):
            time = self._move(hand, time, target, half)
        self._bar(row, hand, "paint", part, begin, time)
        self.bars.append(Bar(who=station, what="paint", part=part, row=row.number, begin=begin, end=time))
        hand.free, hand.slot = time, ""
        self._until(time, slot.name, station)

    def _transport(self, row: Row) -> None:
        station = self.cell.station_of(row.slot)
        if station.kind != "belt":
            self._wrong(row, Text(f'"{station.name}" is no belt', f"«{station.name}» — не конвейер"))
            return
        names = [slot.name for slot in station.slots]
        to: Literal[0, 1] = 0 if row.slot == names[0] else 1
        part = self._lying(names[1 - to])
        if row.part and part != row.part:
            self._not_there(row, row.part)
            return
        if self._lying(row.slot):
            self._wrong(row, Text(f'"{row.slot}" is not free', f"гнездо «{row.slot}» занято"))
            return
        if self.ends[station.name] == to:
            self._wrong(row, Text(f'the pallet is at "{row.slot}" already', f"поддон уже у гнезда «{row.slot}»"))
            return
        begin = self._begin(row, [*names, station.name, *([part] if part else [])])
        end = begin + max(row.time or 0.0, SHORTEST)
        self.rides.append(Ride(station=station.name, begin=begin, end=end, to=to))
        self.bars.append(Bar(who=station.name, what="transport", part=part, row=row.number, begin=begin, end=end))
        self.ends[station.name] = to
        if part:
            self.where[part] = row.slot
        self._until(end, *names, station.name, *([part] if part else []))

    def _go(self, row: Row) -> None:
        hand, slot = self.hands[row.robot], self.cell.slots[row.slot]
        begin = self._begin(row, [], hand)
        goal = self._reach(row, hand, slot, hand.robot.approach)
        if goal is not None:
            hand.free, hand.slot = self._move(hand, begin, goal), slot.name
            self._bar(row, hand, "go", hand.holds, begin, hand.free)

    def _wait(self, row: Row) -> None:
        if row.robot:
            hand = self.hands[row.robot]
            begin = self._begin(row, [], hand)
            hand.free = begin + (row.time or 0.0)
            self._bar(row, hand, "wait", hand.holds, begin, hand.free)
            return
        end = max([hand.free for hand in self.hands.values()] + list(self.since.values()), default=0.0)
        for hand in self.hands.values():
            hand.free = end + (row.time or 0.0)

    # --- what rows have in common ------------------------------------------------------------------------------------

    def _visit(
        self, row: Row, hand: _Hand, slot: Slot, part: str, busy: Sequence[str], *, takes: bool, onto: str = ""
    ) -> None:
        """Go before a slot, into it, open or close the fingers, and come back."""
        robot = hand.robot
        size = next(each for each in self.cell.parts if each.name == part).sizes[1]
        lift = 0.0
        if onto:
            # On top of what lies there, against the fingers.
            lift = next(each for each in self.cell.parts if each.name == onto).sizes[0]
        before = self._reach(row, hand, slot, robot.approach + lift)
        inside = None if before is None else self._reach(row, hand, slot, lift, before)
        if before is None or inside is None:
            return
        ready = hand.free
        moving = self._duration(hand, before)
        begin = self._begin(row, busy, hand, moving)
        if begin > ready:
            self.bars.append(Bar(who=robot.name, what="idle", part=hand.holds, row=row.number, begin=ready, end=begin))
        time = self._move(hand, begin, before)
        time = self._move(hand, time, inside)
        fingers = 0.5 * size if takes else robot.wide
        # A part is held from the moment in which the fingers have closed, and free when they begin to open.
        if not takes:
            self._hand_over(time, part, robot.name, onto or self._belt(slot.name), slot.name)
        time = self._move(hand, time, _with_fingers(robot, inside, fingers), GRIP)
        if takes:
            self._hand_over(time, part, robot.name, robot.name, slot.name)
        time = self._move(hand, time, _with_fingers(robot, before, fingers))
        self._bar(row, hand, row.doing, part, begin, time)
        hand.free, hand.slot = time, slot.name
        self._until(time, *busy, part)

    def _hand_over(self, time: float, part: str, robot: str, holder: str, slot: str) -> None:
        self.carried.append(Carried(time=time, part=part, robot=robot, holder=holder, slot=slot))

    def _belt(self, slot: str) -> str:
        station = self.cell.station_of(slot)
        return station.name if station.kind == "belt" else ""

    def _can_use(self, row: Row, slot: Slot) -> bool:
        """Whether the pallet of a belt is where the row wants it."""
        station = self.cell.station_of(slot.name)
        if station.kind != "belt" or station.slots[self.ends[station.name]].name == slot.name:
            return True
        self._wrong(row, Text(f'the pallet is not at "{slot.name}"', f"поддона нет у гнезда «{slot.name}»"))
        return False

    def _begin(self, row: Row, busy: Sequence[str], hand: _Hand | None = None, moving: float = 0.0) -> float:
        """When a row can begin: all that it needs is free, or becomes free while the robot is on its way."""
        own = hand.free if hand is not None else 0.0
        latest, who = max(((self.since.get(each, 0.0) - moving, each) for each in busy), default=(0.0, ""))
        begin = max(own, latest)
        if row.start is not None:
            if begin > row.start + 1e-9:
                name = who if latest >= own else row.robot
                self.clashes.append(Clash(row=row, asked=row.start, begins=begin, busy=name))
            begin = max(begin, row.start)
        return begin

    def _until(self, time: float, *names: str) -> None:
        for name in names:
            self.since[name] = max(time, self.since.get(name, 0.0))

    def _reach(self, row: Row, hand: _Hand, slot: Slot, back: float, near: Array | None = None) -> Array | None:
        """Coordinates with the gripper in a slot, or drawn back along its fingers."""
        target = into_robot(hand.robot) @ world_pose(slot)
        target = target @ _along_fingers(-back)
        try:
            return hand.robot.arm.inverse(target, hand.q if near is None else near).q
        except SistelError as problem:
            reason = problem.diagnostics[0].message
            self._wrong(
                row,
                Text(
                    f'"{hand.robot.name}" cannot be at "{slot.name}": {reason.en}',
                    f"«{hand.robot.name}» не встанет у гнезда «{slot.name}»: {reason.ru}",
                ),
            )
            return None

    def _duration(self, hand: _Hand, goal: Array) -> float:
        longest = 0.0
        for body in hand.robot.arm.model.bodies:
            if not body.joint.type.nq:
                continue
            limit = TURNS if body.joint.type.key == "revolute" else SLIDES
            given = [motor.speed for motor in hand.robot.arm.model.motors if motor.body == body.number]
            speed = min([limit, *(each for each in given if math.isfinite(each) and each > 0.0)])
            way = abs(float(goal[body.first_q] - hand.q[body.first_q]))
            longest = max(longest, QUINTIC * way / speed)
        return max(longest, SHORTEST)

    def _move(self, hand: _Hand, begin: float, goal: Array, least: float = 0.0) -> float:
        """A motion that begins at a time; when it ends [s]."""
        end = begin + max(self._duration(hand, goal), least)
        self.moves.append(Move(robot=hand.robot.name, begin=begin, end=end, start=hand.q.copy(), goal=goal.copy()))
        hand.q = goal.copy()
        return end

    def _bar(self, row: Row, hand: _Hand, what: str, part: str, begin: float, end: float) -> None:
        self.bars.append(Bar(who=hand.robot.name, what=what, part=part, row=row.number, begin=begin, end=end))

    def _lying(self, slot: str) -> str:
        return next((part for part, place in self.where.items() if place == slot), "")

    def _held(self, row: Row, hand: _Hand) -> str:
        if not hand.holds:
            self._wrong(row, Text(f'"{row.robot}" holds nothing', f"«{row.robot}» ничего не держит"))
            return ""
        if row.part and row.part != hand.holds:
            self._wrong(
                row,
                Text(
                    f'"{row.robot}" holds "{hand.holds}", not "{row.part}"',
                    f"«{row.robot}» держит «{hand.holds}», а не «{row.part}»",
                ),
            )
            return ""
        return hand.holds

    def _not_there(self, row: Row, part: str) -> None:
        if not part:
            self._wrong(row, Text(f'nothing lies in "{row.slot}"', f"в гнезде «{row.slot}» ничего нет"))
            return
        holder = next((hand.robot.name for hand in self.hands.values() if hand.holds == part), "")
        place = self.where.get(part) or holder or self.on.get(part, "")
        self._wrong(
            row,
            Text(
                f'"{part}" is not in "{row.slot}", but in "{place}"',
                f"«{part}» не в гнезде «{row.slot}», а в «{place}»",
            ),
        )

    def _wrong(self, row: Row, reason: Text) -> None:
        self.diagnostics.error(
            "wrong-row", row.span, Text(f"row {row.number}: {reason.en}", f"строка {row.number}: {reason.ru}")
        )

    def plan(self) -> Plan:
        """What was planned."""
        ends = [bar.end for bar in self.bars]
        holders = {hand.holds: hand.robot.name for hand in self.hands.values() if hand.holds}
        out = {slot.name for station in self.cell.stations if station.out for slot in station.slots}
        return Plan(
            cell=self.cell,
            moves=tuple(sorted(self.moves, key=lambda move: move.begin)),
            carried=tuple(sorted(self.carried, key=lambda each: each.time)),
            rides=tuple(sorted(self.rides, key=lambda ride: ride.begin)),
            bars=tuple(sorted(self.bars, key=lambda bar: (bar.begin, bar.row))),
            clashes=tuple(self.clashes),
            end=max(ends, default=0.0),
            finished=sum(place in out for place in self.where.values()),
            places={**self.where, **holders, **self.on},
        )


def _with_fingers(robot: Robot, q: Array, wide: float) -> Array:
    """The same coordinates with the fingers somewhere else [m]."""
    made = q.copy()
    names = robot.arm.model.coordinate_names
    for name in robot.fingers:
        made[names.index(name)] = wide
    return made


def _along_fingers(way: float) -> Array:
    X = np.eye(4)
    X[0, 3] = way
    return X


def world_pose(slot: Slot) -> Array:
    """The pose of a slot in the world, whose z is up: the scene has y up, shape (4, 4)."""
    X = np.eye(4)
    X[:3, :3] = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
    return np.asarray(X @ slot.pose.matrix)


def into_robot(robot: Robot) -> Array:
    """From the world to the ground of a robot, shape (4, 4)."""
    c, s = math.cos(robot.turn), math.sin(robot.turn)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R.T, -R.T @ np.array(robot.place)
    return X
