"""A law of control in Python: what it is shown at a tick, and what becomes of its answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from sistel.errors import Diagnostics, SistelError, Text, one_of, word_hint
from sistel.model import asked_name
from sistel.simulation.implicit._kernels import LONG
from sistel.simulation.run._expressions import read_expression

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.engine import Engine
    from sistel.kernels import Kernel
    from sistel.model import Structure


class StateView:
    """The time, the coordinates and the velocities of a state that a law of control reads."""

    __slots__ = ("_law", "_y")
    _law: AskedLaw
    _y: Array

    @property
    def t(self) -> float:
        """The time [s]."""
        return float(self._y[-1])

    @property
    def q(self) -> Array:
        """Coordinates [m or rad], shape (nq,)."""
        return self._y[: self._law.engine.model.nq].copy()

    @property
    def v(self) -> Array:
        """Velocities [m/s or rad/s], shape (nv,)."""
        model = self._law.engine.model
        return self._y[model.nq : model.nq + model.nv].copy()


class Reading(StateView):
    """A state as a law of control sees it: `.t`, `.q`, `.v`, `.structure`, and `reading["angle(arm)"]`.

    Any expression of the language can be asked for, in SI; the state is that just before the tick.
    """

    __slots__ = ("_structure",)

    def __init__(self, law: AskedLaw, y: Array, structure: Structure) -> None:
        """Of a state in a structure."""
        self._law, self._y, self._structure = law, y, structure

    @property
    def structure(self) -> str:
        """The structure that the system is in."""
        return self._structure.name

    def __getitem__(self, expression: str) -> float:
        """The value of an expression of the language [SI]."""
        return self._law.value(expression, self._structure, self._y)

    def __repr__(self) -> str:
        return f"<Reading at {self.t:g} s>"


Answer = Mapping[str, float] | float | None
Law = Callable[[float, Reading], object]
"""Takes the time and a reading; gives numbers by the names of motors and inputs, or one number where there is one."""


class AskedLaw:
    """Asks a law, and puts its answer into states."""

    GAVE = Text("the law of control gave", "закон управления дал")
    """Before what is wrong with an answer."""

    def __init__(self, engine: Engine, law: Law) -> None:
        """Nothing is asked yet."""
        self.engine, self.law = engine, law
        model = engine.model
        first = model.nq + model.nv
        places = {each.name: first + i for i, each in enumerate(model.memory) if each.kind == "input"}
        motors = {motor.name: asked_name(motor.name) for motor in model.motors}
        self.places = {name: places[own] for name, own in motors.items() if own in places}
        self.places |= {name: place for name, place in places.items() if name not in motors.values()}
        self._kernels: dict[tuple[object, ...], Kernel] = {}

    def value(self, expression: str, structure: Structure, y: Array) -> float:
        """An expression at a state."""
        return float(self.values((expression,), structure, y)[0])

    def values(self, expressions: tuple[str, ...], structure: Structure, y: Array) -> Array:
        """Several expressions at a state, by one call of one function."""
        found: Array = np.asarray(self.compiled(expressions, structure)(y[np.newaxis])).reshape(-1)
        return found

    def compiled(self, expressions: tuple[str, ...], structure: Structure) -> Kernel:
        """What gives the values of expressions in a structure, compiled when it is first asked for."""
        plain = self.engine.plain
        key = expressions, structure.name, self.engine.values
        made = self._kernels.get(key)
        if made is None:
            from sistel.simulation._programs import EVERY_STEP, kernel

            own = structure if plain is self.engine else plain.model.structure(structure.name)
            asked = [read_expression(plain, each) for each in expressions]
            most = LONG if len(asked) == 1 else EVERY_STEP
            made = kernel(plain.automaton.mode(own).quantities(asked), "quantity", most)
            self._kernels[key] = made
        return made

    def told(self, y: Array, structure: Structure) -> Array:
        """A state with what the law says.

        Raises:
            SistelError: The law fails, or says what no motor can do.
        """
        time = float(y[-1])
        try:
            answer = self.law(time, Reading(self, y, structure))
        except SistelError:
            raise
        except Exception as problem:
            said = f"{type(problem).__name__}: {problem}"
            _fail(time, Text(f"the law of control failed: {said}", f"закон управления отказал: {said}"))
        made = y.copy()
        for name, value in self.read(answer, time).items():
            made[self.places[name]] = value
        return made

    def read(self, answer: object, time: float) -> dict[str, float]:
        """The numbers of an answer, by names.

        Raises:
            SistelError: Some of them are none, or are for nothing that there is.
        """
        if answer is None:
            return {}
        if isinstance(answer, Mapping):
            given = {str(name): value for name, value in answer.items()}
        else:
            numbers = np.asarray(answer, dtype=object).reshape(-1).tolist()
            if len(numbers) != len(self.places):
                _fail(
                    time,
                    Text(
                        f"{self.GAVE.en} {len(numbers)} numbers for {len(self.places)} motors and inputs",
                        f"{self.GAVE.ru} чисел: {len(numbers)}, а приводов и вводов: {len(self.places)}",
                    ),
                    one_of(list(self.places)) if self.places else None,
                )
            given = dict(zip(self.places, numbers, strict=True))
        for name, value in given.items():
            if name not in self.places:
                _fail(
                    time,
                    Text(f'there is no motor or input "{name}"', f"нет привода или ввода «{name}»"),
                    one_of(list(self.places)) if self.places else None,
                    word_hint(name, list(self.places)),
                )
            if not isinstance(value, Real) or not math.isfinite(float(value)):
                _fail(
                    time,
                    Text(
                        f'{self.GAVE.en} {value!r} for "{name}"',
                        f"{self.GAVE.ru} {value!r} для «{name}»",
                    ),
                    Text("a finite number", "конечное число"),
                )
        return {name: float(value) for name, value in given.items()}


def _fail(time: float, message: Text, expected: Text | None = None, hint: Text | None = None) -> NoReturn:
    diagnostics = Diagnostics()
    at = Text(f"at {time:.9g} s {message.en}", f"в момент {time:.9g} с {message.ru}")
    diagnostics.error("bad-law", None, at, expected=expected, hint=hint)
    raise SistelError(diagnostics.sorted())
