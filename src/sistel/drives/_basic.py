"""The part of FAULHABER's BASIC that written programs use, executed on ticks of 1 ms.

Statements: labels, ``SETOBJ``, assignments (``GETOBJ`` too), ``GOSUB`` and ``RETURN``, ``DO … LOOP [UNTIL]``,
``IF … THEN … END IF``, ``DELAY`` and ``END``. Numbers are whole and have 32 bits; ``$`` marks hexadecimal ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field

from sistel.records import mutable

UNEXPECTED, DIVISION, JUMP, BAD_OBJECT = 3, 11, 16, 17
"""Codes of errors (object 0x3001.09)."""
IDLE, RUNNING, HALTED = 0, 4, 5
"""States (object 0x3001.04)."""
DEEPEST = 15
"""Calls inside each other."""
MOST_STATEMENTS = 2000
"""Within one tick."""
SIZE = 8192
"""Of a script [bytes]."""

TOKEN = re.compile(r"\s*(\$[0-9A-F]+|[0-9]+|[A-Z]\b|<>|<=|>=|[-+*/()=<>&|])", re.IGNORECASE)
OBJECT = re.compile(r"\$([0-9A-F]{1,4})\.\$([0-9A-F]{1,2})", re.IGNORECASE)

Read = Callable[[int, int], int]
Write = Callable[[int, int, int], None]


class ScriptError(Exception):
    """A script that cannot go on; `code` says why."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(str(code))


@mutable
class Script:
    """A script and where it stands."""

    lines: list[str]
    read: Read
    write: Write
    """Both raise LookupError for objects that cannot be used."""
    state: int = IDLE
    error: int = 0
    at: int = 0
    delay: int = 0
    variables: dict[str, int] = field(default_factory=dict)
    calls: list[int] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)

    def start(self) -> None:
        """Begin with the first line."""
        self.labels = {line[1:].upper(): i for i, line in enumerate(self.lines) if line.startswith(":")}
        self.at, self.delay, self.calls, self.error, self.state = 0, 0, [], 0, RUNNING

    def tick(self) -> None:
        """Go on until something waits."""
        if self.state != RUNNING:
            return
        if self.delay:
            self.delay -= 1
            if self.delay:
                return
        try:
            for _ in range(MOST_STATEMENTS):
                if self.at >= len(self.lines):
                    self.state = IDLE
                    return
                line = self.lines[self.at]
                self.at += 1
                if self._statement(line):
                    return
        except ScriptError as problem:
            self.error, self.state = problem.code, HALTED
        except LookupError:
            self.error, self.state = BAD_OBJECT, HALTED

    def _statement(self, line: str) -> bool:
        """Do one statement; whether the tick ends with it."""
        word, _, rest = line.partition(" ")
        upper = word.upper()
        if line.startswith(":") or upper in ("", "DO") or line.upper() == "END IF":
            return False
        if upper == "END":
            self.state = IDLE
            return True
        if upper == "DELAY":
            self.delay = max(0, self.value(rest))
            return self.delay > 0
        if upper == "GOSUB":
            self._call(rest.strip())
        elif upper == "RETURN":
            if not self.calls:
                raise ScriptError(JUMP)
            self.at = self.calls.pop()
        elif upper == "LOOP":
            return self._loop(rest)
        elif upper == "IF":
            self._if(rest)
        elif upper == "SETOBJ":
            place, _, value = rest.partition("=")
            index, sub = _object(place)
            self.write(index, sub, self.value(value))
        else:
            self._assign(line)
        return False

    def _call(self, name: str) -> None:
        if len(self.calls) >= DEEPEST or name.upper() not in self.labels:
            raise ScriptError(JUMP)
        self.calls.append(self.at)
        self.at = self.labels[name.upper()]

    def _loop(self, rest: str) -> bool:
        word, _, condition = rest.strip().partition(" ")
        if word.upper() == "UNTIL" and self.value(condition):
            return False
        if word.upper() not in ("", "UNTIL"):
            raise ScriptError(UNEXPECTED)
        depth = 0
        for i in range(self.at - 1, -1, -1):
            first = self.lines[i].split(" ")[0].upper()
            depth += (first == "LOOP") - (first == "DO")
            if depth == 0:
                self.at = i
                return True  # a turn of a loop takes a tick
        raise ScriptError(JUMP)

    def _if(self, rest: str) -> None:
        condition = re.sub(r"\s*THEN\s*$", "", rest, flags=re.IGNORECASE)
        if self.value(condition):
            return
        depth = 1
        while self.at < len(self.lines):
            line = self.lines[self.at].upper()
            self.at += 1
            depth += line.startswith("IF ") - (line == "END IF")
            if depth == 0:
                return
        raise ScriptError(JUMP)

    def _assign(self, line: str) -> None:
        name, equals, value = line.partition("=")
        key = name.strip().lower()
        if not equals or len(key) != 1 or not key.isalpha():
            raise ScriptError(UNEXPECTED)
        text = value.strip()
        if text.upper().startswith("GETOBJ"):
            self.variables[key] = self.read(*_object(text[6:]))
        else:
            self.variables[key] = self.value(text)

    # --- expressions -------------------------------------------------------------------------------------------------

    def value(self, text: str) -> int:
        """The value of an expression; comparisons give 1 or 0."""
        tokens: list[str] = []
        at, text = 0, text.strip()
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise ScriptError(UNEXPECTED)
            tokens.append(found[1])
            at = found.end()
        value, rest = self._level(tokens, 0, 0)
        if rest != len(tokens):
            raise ScriptError(UNEXPECTED)
        return _whole(value)

    def _level(self, tokens: list[str], at: int, level: int) -> tuple[int, int]:
        if level == len(LEVELS):
            return self._factor(tokens, at)
        left, at = self._level(tokens, at, level + 1)
        while at < len(tokens) and tokens[at] in LEVELS[level]:
            right, after = self._level(tokens, at + 1, level + 1)
            if tokens[at] == "/" and right == 0:
                raise ScriptError(DIVISION)
            left, at = OPERATIONS[tokens[at]](left, right), after
        return left, at

    def _factor(self, tokens: list[str], at: int) -> tuple[int, int]:
        if at >= len(tokens) or len(tokens) > 200:
            raise ScriptError(UNEXPECTED)
        token = tokens[at]
        if token == "-":
            value, at = self._factor(tokens, at + 1)
            return -value, at
        if token == "(":
            value, at = self._level(tokens, at + 1, 0)
            if at >= len(tokens) or tokens[at] != ")":
                raise ScriptError(UNEXPECTED)
            return value, at + 1
        if token.startswith("$"):
            return int(token[1:], 16), at + 1
        if token.isdecimal():
            return int(token), at + 1
        if token.isalpha():
            return self.variables.get(token.lower(), 0), at + 1
        raise ScriptError(UNEXPECTED)


LEVELS = (("=", "<>", "<", ">", "<=", ">="), ("|",), ("&",), ("+", "-"), ("*", "/"))
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "=": lambda a, b: int(a == b),
    "<>": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "|": lambda a, b: a | b,
    "&": lambda a, b: a & b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
}


def _whole(value: int) -> int:
    """As 32 bits hold it."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def _object(text: str) -> tuple[int, int]:
    found = OBJECT.fullmatch(text.strip())
    if found is None:
        raise ScriptError(BAD_OBJECT)
    return int(found[1], 16), int(found[2], 16)
