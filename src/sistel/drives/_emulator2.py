"""An emulated FAULHABER V2.5 drive: commands in, answers out, a trapezoidal profile on ticks of 1 ms."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field

from sistel.drives import _faulhaber2_words as words
from sistel.drives._shaft import Shaft
from sistel.records import mutable

COMMAND = re.compile(r"([A-Z]+)([+-]?[0-9]{1,12})?")
SPENT = re.compile(r"[ \t]+")
TICK = 1e-3
MOST_COMMANDS = 200
"""Of a stored program within one tick: an endless loop of jumps must not stop the clock."""


@mutable
class Faulhaber2(Shaft):
    """One drive. Time passes in `tick` alone; what it sends by itself gathers in `sent`."""

    node: int = 0
    registers: dict[str, int] = field(default_factory=lambda: {k: w.usual for k, w in words.REGISTERS.items()})
    enabled: bool = False
    mode: str = "off"
    """What the profile does: off, position, velocity, homing."""
    loaded: int = 0
    target: int = 0
    velocity: int = 0
    """Asked for in velocity mode [rpm]."""
    reached: bool = True
    limits: list[int] = field(default_factory=lambda: [-words.POSITION, words.POSITION])
    notify: int | str | None = None
    """Armed by NP: "target", or a position."""
    notify_speed: int | None = None
    program: list[str] = field(default_factory=list)
    draft: list[str] | None = None
    running: bool = False
    counter: int = 0
    hold: str = ""
    """Why the program waits: delay or notify."""
    delay: int = 0
    timeout: int = 0
    """Of the next wait [ms]; 0 for none."""
    caller: int | None = None
    writes: int = 0
    """How often the flash memory was written."""
    sent: list[str] = field(default_factory=list)
    temperature: int = 30
    voltage_high: bool = False
    deviating: int = 0
    """For how long the speed differs [ms]."""
    deviation: bool = False
    switches: dict[int, float] = field(default_factory=dict)
    """Places of switches, by the bits of their inputs [increments]."""
    sides: dict[int, int] = field(default_factory=dict)
    """On which side of its place an input is high: 1 above, -1 below, as it is unless said."""
    inputs: int = 0
    fired: int = 0

    # --- what comes over the line ------------------------------------------------------------------------------------

    def command(self, text: str) -> str:
        """Do one command, without its node; the answer, or nothing."""
        plain = SPENT.sub("", text).upper()
        if not plain:
            return ""
        if self.draft is not None:
            return self._store(plain)
        return self._do(plain, stored=False)

    def _store(self, plain: str) -> str:
        assert self.draft is not None
        if plain == "END":
            # The flash memory is written at once: no SAVE is needed.
            self.program, self.draft = self.draft, None
            self.writes += 1
            return words.DEFECT if self.writes > words.WRITES else self._ok()
        problem = _problem(plain)
        if problem:
            return problem
        if sum(len(line) + 1 for line in (*self.draft, plain)) > words.MEMORY:
            return words.NOT_AVAILABLE
        self.draft.append(plain)
        return self._ok()

    def _ok(self) -> str:
        return "OK" if self.registers["ANSW"] in (2, 3, 6, 7) else ""

    def _do(self, plain: str, stored: bool) -> str:
        problem = _problem(plain)
        if problem:
            return problem
        found = COMMAND.fullmatch(plain)
        assert found is not None
        name, argument = found[1], None if found[2] is None else int(found[2])
        if name in words.PROGRAM_ONLY and not stored:
            return words.NOT_AVAILABLE
        if name in words.QUERIES:
            return self._answer(name, argument)
        if name in words.REGISTERS:
            assert argument is not None
            return self._register(name, argument)
        doing: Callable[[int | None], str | None] = getattr(self, f"_{name.lower()}")
        said = doing(argument)
        return self._ok() if said is None else said

    def _register(self, name: str, value: int) -> str:
        if name == "BAUD" and value not in words.BAUDS:
            return words.INVALID
        if name == "NODEADR":
            self.node = value
        self.registers[name] = value
        return self._ok()

    # --- commands ----------------------------------------------------------------------------------------------------

    def _en(self, _: int | None) -> str | None:
        if self.temperature >= words.HOT:
            return words.TOO_HOT
        self.enabled, self.deviation, self.deviating = True, False, 0
        return None

    def _di(self, _: int | None) -> None:
        self.enabled, self.mode = False, "off"
        self.point.velocity = 0.0

    def _la(self, argument: int | None) -> str | None:
        assert argument is not None
        if self.registers["APL"] and not self.limits[0] <= argument <= self.limits[1]:
            return words.INVALID
        self.loaded = argument
        return None

    def _lr(self, argument: int | None) -> str | None:
        assert argument is not None
        return self._la(self.target + argument)

    def _m(self, _: int | None) -> str | None:
        if not self.enabled:
            return None  # nothing moves without power
        if self.mode == "off":
            self.point.position, self.point.velocity = self.actual, 0.0
        self.target, self.mode, self.reached = self.loaded, "position", False
        return None

    def _v(self, argument: int | None) -> None:
        assert argument is not None
        if self.enabled:
            self.velocity, self.mode, self.reached = argument, "velocity", False

    def _np(self, argument: int | None) -> None:
        self.notify = "target" if argument is None else argument

    def _npoff(self, _: int | None) -> None:
        self.notify = None

    def _nv(self, argument: int | None) -> None:
        self.notify_speed = argument

    def _nvoff(self, _: int | None) -> None:
        self.notify_speed = None

    def _ho(self, argument: int | None) -> None:
        self._set_position(argument or 0)

    def _set_position(self, value: int) -> None:
        shift = value - self.actual
        self.switches = {bit: place + shift for bit, place in self.switches.items()}
        self.actual = self.point.position = float(value)
        self.point.velocity = 0.0
        self.target = self.loaded = value
        self.reached = True

    def _ll(self, argument: int | None) -> None:
        assert argument is not None
        self.limits[1 if argument > 0 else 0] = argument

    def _gohoseq(self, _: int | None) -> str | None:
        if not self.enabled:
            return words.NOT_AVAILABLE
        self.mode, self.reached = "homing", False
        return None

    def _contmod(self, _: int | None) -> None:
        return None

    def _save(self, _: int | None) -> str:
        self.writes += 1
        return words.DEFECT if self.writes > words.WRITES else words.SAVED

    _eepsav = _save

    def _reset(self, _: int | None) -> None:
        self._di(None)
        self._diprog(None)

    def _progseq(self, _: int | None) -> None:
        self.draft = []
        self.running = False

    def _end(self, _: int | None) -> str:
        return words.NOT_AVAILABLE

    def _enprog(self, _: int | None) -> None:
        self.running, self.counter, self.hold, self.caller = True, 0, "", None

    def _diprog(self, _: int | None) -> None:
        self.running = False

    def _resume(self, _: int | None) -> None:
        self.running = self.counter < len(self.program)

    # commands of stored programs

    def _delay(self, argument: int | None) -> None:
        assert argument is not None
        if argument:
            self.hold, self.delay = "delay", 10 * argument

    def _timeout(self, argument: int | None) -> None:
        assert argument is not None
        self.timeout = 10 * argument

    def _a(self, _: int | None) -> None:
        return None

    def _jmp(self, argument: int | None) -> str | None:
        label = f"A{argument}"
        if label not in self.program:
            return words.INVALID
        self.counter = self.program.index(label)
        return None

    def _call(self, argument: int | None) -> str | None:
        if self.caller is not None:
            return words.NOT_AVAILABLE  # one level
        back = self.counter
        said = self._jmp(argument)
        self.caller = back if said is None else None
        return said

    def _ret(self, _: int | None) -> str | None:
        if self.caller is None:
            return words.NOT_AVAILABLE
        self.counter, self.caller = self.caller, None
        return None

    def _jump_if(self, bit: int, argument: int | None) -> str | None:
        return self._jmp(argument) if self.inputs >> bit & 1 else None

    def _jph(self, argument: int | None) -> str | None:
        return self._jump_if(0, argument)

    def _jpf(self, argument: int | None) -> str | None:
        return self._jump_if(1, argument)

    def _jpt(self, argument: int | None) -> str | None:
        return self._jump_if(2, argument)

    # --- queries -----------------------------------------------------------------------------------------------------

    def _answer(self, name: str, argument: int | None) -> str:
        answers: dict[str, Callable[[], object]] = {
            "POS": lambda: round(self.actual),
            "TPOS": lambda: self.target,
            "GV": lambda: self.velocity if self.mode == "velocity" else round(self._rpm(self.point.velocity)),
            "GN": lambda: 0 if self.blocked else round(self._rpm(self.point.velocity)),
            "GCL": lambda: self.registers["LPC"],
            "GRC": lambda: self.registers["LPC"] if self.blocked and self.point.velocity else 0,
            "GRU": lambda: 32767 if self.blocked and self.point.velocity else 0,
            "TEM": lambda: self.temperature,
            "VER": lambda: "Version 650.50A (sistel)",
            "GTYP": lambda: "MCBL 3006 S RS (sistel)",
            "GSER": lambda: "0",
            "GADV": lambda: 0,
            "OST": lambda: self.status,
            "GST": self._gst,
            "GFS": self._gfs,
            "SWS": lambda: self.fired,
            "MEM": lambda: (words.MEMORY - sum(len(line) + 1 for line in self.program)) // 2,
            "GPROGSEQ": lambda: self._listing(argument == 1),
        }
        return str(answers[name]())

    @property
    def status(self) -> int:
        """The bits of OST."""
        return (
            (self.mode == "homing") << 0
            | self.running << 1
            | (self.running and self.hold == "delay") << 2
            | (self.running and self.hold == "notify") << 3
            | (self.blocked and self.point.velocity != 0.0) << 4
            | self.deviation << 5
            | self.voltage_high << 6
            | (self.temperature >= words.HOT) << 7
            | (self.inputs & 31) << 8
            | self.reached << 16
        )

    def _gst(self) -> str:
        bits = (
            self.mode == "position", False, False, self.enabled, self.reached, bool(self.registers["HP"] & 1),
            bool(self.registers["HP"] & 1),
        )  # fmt: skip
        return "".join("1" if bit else "0" for bit in bits)

    def _gfs(self) -> str:
        bits = (self.temperature >= words.HOT, self.blocked and self.point.velocity != 0.0, False, self.voltage_high)
        return "".join("1" if bit else "0" for bit in bits)

    def _listing(self, marked: bool) -> str:
        lines = [("PC--" if marked and i == self.counter else "") + line.lower() for i, line in enumerate(self.program)]
        size = sum(len(line) + 1 for line in self.program)
        return "".join(line + "\r" for line in [*lines, f"end:{size}"]).removesuffix("\r")

    # --- time --------------------------------------------------------------------------------------------------------

    @property
    def resolution(self) -> int:
        """Increments of one turn."""
        return self.registers["ENCRES"] or words.HALL

    def _rpm(self, speed: float) -> float:
        return 60.0 * speed / self.resolution

    def tick(self) -> None:
        """One millisecond: the program, then the profile, then the shaft and the switches."""
        if self.running:
            self._program()
        self.time += 1
        if self.temperature >= words.HOT and self.enabled:
            self._di(None)
            self._say("r" if self.registers["NE"] else "")
        before = self.point.position
        if self.enabled and self.mode != "off":
            self._profile()
        self.follow()
        self._watch(before)
        self._switches()

    def _profile(self) -> None:
        registers, turn = self.registers, self.resolution
        up, down = max(registers["AC"], 1) * turn, max(registers["DEC"], 1) * turn
        top = registers["SP"] * turn / 60.0
        if self._held_by_switch():
            self.point.velocity = 0.0
        elif self.mode == "position":
            if top > 0.0:
                self.point.advance(self.target, top, up, down, TICK)
            there = self.point.position == self.target and self.point.velocity == 0.0
            if not self.reached and there and abs(self.place - self.target) <= registers["CORRIDOR"]:
                self._arrive()
        else:
            rpm = self.velocity if self.mode == "velocity" else registers["HOSP"]
            wanted = max(-top, min(top, rpm * turn / 60.0))
            v = self.point.velocity
            step = (up if abs(wanted) > abs(v) else down) * TICK
            new = wanted if abs(wanted - v) <= step else v + (step if wanted > v else -step)
            self.point.position += 0.5 * (v + new) * TICK
            self.point.velocity = new
            if self.notify_speed is not None and abs(self._rpm(new)) >= abs(self.notify_speed):
                self.notify_speed = None
                self._say("v")

    @property
    def powered(self) -> bool:
        """Whether the motor holds the shaft."""
        return self.enabled

    def _arrive(self) -> None:
        self.reached = True
        self.arrivals.append((self.time, self.target))
        if self.notify == "target":
            self._notified()

    def _notified(self) -> None:
        self.notify = None
        self._say("p")
        if self.hold == "notify":
            self.hold, self.timeout = "", 0

    def _watch(self, before: float) -> None:
        now = self.point.position
        if isinstance(self.notify, int) and min(before, now) <= self.notify <= max(before, now) and before != now:
            self._notified()
        differs = self.blocked and abs(self._rpm(self.point.velocity)) > min(self.registers["DEV"], 30)
        if self.loose:
            differs = abs(self._rpm(self.point.velocity - self.speed)) > self.registers["DEV"]
        self.deviating = self.deviating + 1 if differs else 0
        if self.deviating > words.LATE and not self.deviation:
            self.deviation = True
            self._say("r" if self.registers["NE"] else "")

    def _held_by_switch(self) -> bool:
        """Whether a blocked switch allows motion only the other way: speed stays 0."""
        hard = self.inputs & self.registers["HB"]
        if not hard:
            return False
        forward = (self.target > self.actual) if self.mode == "position" else self.velocity > 0
        clockwise = self.registers["HD"]
        return any(hard >> bit & 1 and bool(clockwise >> bit & 1) == forward for bit in range(5))

    def _switches(self) -> None:
        sides = self.sides
        high = sum(1 << bit for bit, at in self.switches.items() if sides.get(bit, -1) * (self.actual - at) >= 0.0)
        polarity = self.registers["HP"]
        edges = ((high & ~self.inputs) & polarity) | ((~high & self.inputs) & ~polarity & 31)
        self.inputs = high
        if not edges:
            return
        homing = self.mode == "homing"
        prefix = "SH" if homing else "H"
        if edges & self.registers[prefix + "N"]:
            self._say(INPUTS[(edges & self.registers[prefix + "N"]).bit_length() - 1])
        if edges & self.registers[prefix + "L"]:
            self.point.velocity = 0.0
            self.mode = "position"
        if edges & self.registers[prefix + "A"]:
            self._set_position(0)
        elif edges & self.registers[prefix + "L"]:
            self.target = self.loaded = round(self.actual)
            self.point.position, self.reached = float(self.target), True
        self.fired |= edges

    def _say(self, letter: str) -> None:
        if letter and self.registers["ANSW"] not in (0, 4):
            self.sent.append(letter)

    def _program(self) -> None:
        if self.hold == "delay":
            self.delay -= 1
            if self.delay > 0:
                return
            self.hold = ""
        elif self.hold == "notify":
            if self.timeout:
                self.timeout -= 1
                if not self.timeout:
                    self.hold = ""
                    self._say("o")
            if self.hold:
                return
        for _ in range(MOST_COMMANDS):
            if self.counter >= len(self.program):
                self.running = False
                return
            line = self.program[self.counter]
            self.counter += 1
            said = self._do(line, stored=True)
            if said in (words.UNKNOWN, words.INVALID, words.NOT_AVAILABLE, words.TOO_HOT):
                self.sent.append(said)
                self.running = False
                return
            if line in ("M", "GOHOSEQ") and self.notify is not None and not self.reached:
                # An armed notification holds the program at the start of the move until the event.
                self.hold = "notify"
            if self.hold:
                return


INPUTS = words.INPUT_LETTERS


def _problem(plain: str) -> str:
    """What is wrong with a command, or nothing."""
    found = COMMAND.fullmatch(plain)
    if found is None:
        return words.INVALID if re.match("[A-Z]+", plain) else words.UNKNOWN
    name, argument = found[1], found[2]
    known = words.REGISTERS.get(name)
    limits = (known.least, known.most) if known is not None else words.ARGUMENTS.get(name)
    if limits is None:
        if name not in words.PLAIN and name not in words.QUERIES:
            return words.UNKNOWN
        return words.INVALID if argument is not None else ""
    if argument is None:
        return "" if name in words.MAY_LACK else words.INVALID
    return "" if limits[0] <= int(argument) <= limits[1] else words.INVALID


@mutable
class Bus2:
    """Drives on one line: a command with a node is for one of them, one without is for all, and nobody answers."""

    drives: list[Faulhaber2]

    def command(self, line: str) -> str:
        """Pass a line on; the answer, if there is one."""
        plain = SPENT.sub("", line)
        found = re.match("[0-9]+", plain)
        if found is None:
            for drive in self.drives:
                drive.command(plain)
            return ""
        for drive in self.drives:
            if drive.node == int(found[0][:9]):
                return drive.command(plain[found.end() :])
        return ""

    def tick(self) -> None:
        """One millisecond for all."""
        for drive in self.drives:
            drive.tick()

    def messages(self) -> list[str]:
        """What drives have sent by themselves since the last call."""
        found = [text for drive in self.drives for text in drive.sent]
        for drive in self.drives:
            drive.sent.clear()
        return found
