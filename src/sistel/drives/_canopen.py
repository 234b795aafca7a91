"""CiA 402 over CANopen: emulated drives on a virtual bus, led by the master of the library `canopen`.

The clock is the master's: it passes ticks to the drives while it waits, so a run is the same every time, however busy
the machine is. Frames really go over a bus of `python-can`, and may be lost there.
"""

from __future__ import annotations

import logging
import random
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sistel.drives import _objects402 as objects
from sistel.drives._axis402 import LONGEST_HOMING, Axis402, ObjectError, not_homed, powered_on, reason_of
from sistel.drives._cia402 import Step, steps_of
from sistel.drives._emulation import AFTER, Emulation, check_length, emulation
from sistel.drives._load import AFTER_LOAD, Load
from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from sistel.drives._plan import Plan
    from sistel.drives._program import Program

PATIENCE = 200
"""How long an emulated drive waits for a word of its master [ms]."""
LIFE = 50
"""Time between two signs of life of the master [ms]."""
RETRIES = 3
RESPONSE = 0.05
"""How long the master waits for an answer [s]."""
HEARTBEAT = 0x77F
"""Identifier of the signs of life of the master, node 127."""

_TYPES = {(8, False): 5, (16, False): 6, (32, False): 7, (8, True): 2, (16, True): 3, (32, True): 4}
"""Numbers of CANopen for whole numbers, by bits and sign."""


@contextmanager
def quiet() -> Iterator[None]:
    """The library warns at every object that no process data carries: here all of them go as service data."""
    log = logging.getLogger("canopen")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def _library() -> tuple[Any, Any]:
    try:
        import can
        import canopen
    except ImportError:
        refuse(
            "not-installed",
            Text(
                "emulated CiA 402 drives need canopen and python-can", "эмуляторам CiA 402 нужны canopen и python-can"
            ),
            hint=Text("pip install 'sistel[drives]'", "pip install 'sistel[drives]'"),
        )
    return can, canopen


def object_dictionary() -> Any:
    """The objects of emulated drives, for the library."""
    _, canopen = _library()
    from canopen.objectdictionary import ODRecord, ODVariable

    made = canopen.ObjectDictionary()
    for word in objects.OBJECTS.values():
        variable = ODVariable(word.name, word.index, word.sub)
        variable.data_type = _TYPES[word.bits, word.signed]
        variable.access_type = word.access
        if word.sub == 0:
            made.add_object(variable)
            continue
        if word.index not in made:
            record = ODRecord(f"object {word.index:04X}", word.index)
            count = ODVariable("number of entries", word.index, 0)
            count.data_type, count.access_type, count.default = _TYPES[8, False], "ro", 2
            record.add_member(count)
            made.add_object(record)
        made[word.index].add_member(variable)
    return made


class Line:
    """Emulated drives and their master on one virtual bus."""

    def __init__(
        self,
        plan: Plan,
        *,
        load: Load | None = None,
        loss: float = 0.0,
        seed: int = 1,
        on_tick: Callable[[Line], None] | None = None,
    ):
        """Everything is off.

        Args:
            plan: What will be done.
            load: What the shafts carry once all drives are on.
            loss: Share of the frames that do not arrive.
            seed: Of the loss.
            on_tick: Called after every tick: tests cut wires and hold shafts there.
        """
        can, canopen = _library()
        from canopen.profiles.p402 import BaseNode402
        from canopen.sdo.exceptions import SdoAbortedError

        master_node: Any = BaseNode402
        self.plan, self.load, self.loss, self.on_tick = plan, load, loss, on_tick
        self.loaded = False
        self.cut = False
        """Whether the wire is cut."""
        self.dice = random.Random(seed)
        self.clock = 0
        self.axes = [powered_on(axis, PATIENCE) for axis in plan.axes]
        self.counts: list[list[float]] = [[axis.actual for axis in self.axes]]
        channel = f"sistel-{id(self)}"
        self._buses = [can.Bus(channel, interface="virtual") for _ in range(2)]
        for bus in self._buses:
            self._lossy(bus)
        self._networks = [canopen.Network(bus) for bus in self._buses]
        for network in self._networks:
            network.connect()
        drives, master = self._networks
        self.nodes: dict[int, Any] = {}
        self._locals = []
        for axis, model in zip(plan.axes, self.axes, strict=True):
            number = axis.drive.node
            local = canopen.LocalNode(number, object_dictionary())
            _serve(local, model, SdoAbortedError)
            drives.add_node(local)
            self._locals.append(local)
            node = master_node(number, object_dictionary())
            master.add_node(node)
            node.sdo.RESPONSE_TIMEOUT = RESPONSE
            node.sdo.MAX_RETRIES = RETRIES
            self.nodes[number] = node
        drives.subscribe(HEARTBEAT, self._heard)

    def _heard(self, *_: object) -> None:
        for axis in self.axes:
            axis.heard()

    def _arrives(self) -> bool:
        """Whether the next frame does."""
        return not self.cut and (self.loss == 0.0 or self.dice.random() >= self.loss)

    def _lossy(self, bus: Any) -> None:
        send = bus.send

        def lose(message: Any, timeout: float | None = None) -> None:
            if self._arrives():
                send(message, timeout)

        bus.send = lose

    def tick(self, count: int) -> None:
        """Pass some milliseconds; the master gives its signs of life meanwhile."""
        for _ in range(count):
            self.clock += 1
            if self.clock % LIFE == 0 and self._arrives():
                self._networks[1].send_message(HEARTBEAT, b"\x05")
                self._heard()
            if self.load is not None and self.loaded:
                self.load.move(self.axes)
            for axis in self.axes:
                axis.tick()
            self.counts.append([axis.actual for axis in self.axes])
            if self.on_tick is not None:
                self.on_tick(self)

    def close(self) -> None:
        """Leave the bus."""
        for network in self._networks:
            network.disconnect()

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _serve(local: Any, axis: Axis402, refused: type[Exception]) -> None:
    """Connect the objects of a node of the library with those of a drive."""

    def read(index: int, subindex: int, od: Any) -> int | None:
        if (index, subindex) not in objects.OBJECTS:
            return None
        axis.heard()
        return axis.read(index, subindex)

    def write(index: int, subindex: int, od: Any, data: bytes) -> None:
        axis.heard()
        word = objects.OBJECTS[index, subindex]
        try:
            axis.write(index, subindex, word.decode(data))
        except ObjectError as problem:
            raise refused(problem.code) from None

    local.add_read_callback(read)
    local.add_write_callback(write)


def emulate_cia402(plan: Plan, program: Program, load: Load | None = None) -> Emulation:
    """Lead emulated drives along a plan with the master of the library."""
    check_length(plan)
    with quiet(), Line(plan, load=load) as line:
        return lead(line, steps_of(plan))


def lead(line: Line, steps: Sequence[Step]) -> Emulation:
    """Do all steps at their times; where one fails, stop the drives and say so."""
    from canopen.sdo.exceptions import SdoError

    plan = line.plan
    problems: list[Text] = []
    try:
        if not _prepare(line, steps, problems):
            steps = ()
        # The clock of the program begins when all drives are on.
        start = line.clock
        if line.load is not None:
            line.load.attach(line.axes)
            line.loaded = True
        line.counts = [[axis.actual for axis in line.axes]]
        for axis in line.axes:
            axis.time = 0
        for step in steps:
            if step.stage != "move":
                continue
            line.tick(step.time - (line.clock - start))
            _check(line, problems)
            if problems:
                break
            _write(line, step)
        if not problems and steps:
            after = AFTER if line.load is None else AFTER_LOAD
            line.tick(plan.end + after - (line.clock - start))
            _check(line, problems)
    except (SdoError, RuntimeError, ValueError) as problem:
        said = _said(problem)
        problems.append(Text(f"the master gives up: {said.en}", f"ведущий прекращает работу: {said.ru}"))
    if problems:
        _stop(line, problems)
    else:
        with _forgiven():
            for node in line.nodes.values():
                node.state = "READY TO SWITCH ON"
    return emulation(plan, line.counts, [axis.arrivals for axis in line.axes], problems)


def _said(problem: Exception) -> Text:
    """What the library says, in both languages where it is known."""
    from canopen.sdo.exceptions import SdoAbortedError, SdoCommunicationError

    if isinstance(problem, SdoAbortedError):
        return Text(f"a drive refuses, {problem.code:08X}", f"привод отказал, {problem.code:08X}")
    if isinstance(problem, SdoCommunicationError):
        return Text("no answer", "нет ответа")
    return Text(str(problem), str(problem))


def _prepare(line: Line, steps: Sequence[Step], problems: list[Text]) -> bool:
    """Settings, zeros, and power; whether the drives may begin."""
    for step in steps:
        if step.stage in ("setup", "home"):
            _write(line, step)
    if not _find_zeros(line, {step.node for step in steps if step.stage == "home"}, problems):
        return False
    for node in line.nodes.values():
        node.op_mode = "PROFILED POSITION"
        node.state = "OPERATION ENABLED"
    return True


def _find_zeros(line: Line, nodes: set[int], problems: list[Text]) -> bool:
    """Wait until all drives that look for their zeros have found them; whether they have."""
    for _ in range(LONGEST_HOMING // LIFE):
        states = {each: line.nodes[each].sdo[0x6041].raw for each in nodes}
        nodes = {each for each, status in states.items() if not status & objects.ACKNOWLEDGED}
        if not nodes:
            return True
        if any(states[each] & 0x6F != 0x27 for each in nodes):
            _check(line, problems, objects.HOMING)
            return False
        if any(states[each] & objects.FOLLOWING for each in nodes):
            break
        line.tick(LIFE)
    problems.append(not_homed(sorted(nodes)))
    return False


def _write(line: Line, step: Step) -> None:
    node = line.nodes[step.node]
    if step.index == 0x6040:
        node.controlword = step.value
        return
    word = objects.OBJECTS[step.index, step.sub]
    node.sdo.download(step.index, step.sub, word.encode(step.value))


def _check(line: Line, problems: list[Text], wanted: int = objects.PROFILE_POSITION) -> None:
    """Ask every drive for its state, and for its mode."""
    for number, node in line.nodes.items():
        status = node.sdo[0x6041].raw
        if status & 0x6F == 0x27:
            if status & objects.LIMITED:
                problems.append(
                    Text(f"drive {number} was sent beyond its limits", f"привод {number} послан за свои пределы")
                )
            mode = node.sdo[0x6061].raw
            if wanted != objects.HOMING and mode != wanted:
                problems.append(
                    Text(
                        f"drive {number} has stopped: somebody has given it the mode {mode}",
                        f"привод {number} остановился: ему задан режим {mode}",
                    )
                )
            continue
        reason = reason_of(node.sdo[0x603F].raw, status)
        problems.append(
            Text(
                f"drive {number} has stopped: {reason.en}, statusword {status:04X}",
                f"привод {number} остановился: {reason.ru}, слово состояния {status:04X}",
            )
        )


@contextmanager
def _forgiven() -> Iterator[None]:
    """What cannot be told any more is forgiven: drives that hear nothing stop by themselves."""
    from canopen.sdo.exceptions import SdoError

    try:
        yield
    except (SdoError, RuntimeError, ValueError, struct.error):
        return


def _stop(line: Line, problems: list[Text]) -> None:
    """Quick stop for all, then watch them stand."""
    for node in line.nodes.values():
        with _forgiven():
            node.controlword = 0x02
    for _ in range(20 * PATIENCE):
        if all(axis.point.velocity == 0.0 and not axis.moving for axis in line.axes):
            break
        line.tick(1)
    moving = [str(axis.drive.node) for axis, each in zip(line.plan.axes, line.axes, strict=True) if each.moving]
    if moving:
        names = ", ".join(moving)
        problems.append(Text(f"still moving: {names}", f"всё ещё движутся: {names}"))
    else:
        problems.append(Text("all drives stand", "все приводы стоят"))
