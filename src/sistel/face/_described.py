"""What a system is, and what computes for it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MethodType
from typing import TYPE_CHECKING, Any, Literal, Self, cast

from sistel.engine import Engine, StructureEngine
from sistel.errors import Diagnostic, Diagnostics, Source, Text
from sistel.face._refusals import only_in_the_main_interpreter, refuse, unknown
from sistel.markup import Document, Loss, include
from sistel.model import Body, Model, Structure, Transition, build, check_limits, parameter_values
from sistel.pose import Rotation, Vector3

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from sistel.automaton import Automaton
    from sistel.model import Live, Parameter
    from sistel.simulation import Simulation

    Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

Precision = Literal["float64", "float32"]
"""What numbers are computed in."""


class Described:
    """What a system is: its bodies, structures and names, and what computes for it."""

    __slots__ = (
        "__dict__",
        "_calls",
        "_document",
        "_engine",
        "_frames",
        "_losses",
        "_model",
        "_nv",
        "_simulations",
        "_source",
        "_values",
    )

    def __init__(
        self,
        model: Model,
        source: Source,
        document: Document,
        losses: tuple[Loss, ...] = (),
        values: Mapping[str, float] | None = None,
    ) -> None:
        """Use `sistel.load` or `sistel.parse`; `values` are those of parameters that are not the file's."""
        only_in_the_main_interpreter()
        self._model = model
        self._source = source
        self._document = document
        self._losses = losses
        self._engine = Engine.of(model)
        self._engine.rebuild = partial(self._rebuild, renumber=False)
        self._nv = model.nv
        self._values = dict(values or {})
        self._simulations: dict[tuple[object, str, float | None], Simulation] = {}
        self._live: dict[tuple[tuple[str, ...], object, str, float | None], Simulation | None] = {}
        self._calls: dict[str, Callable[..., Array]] = {}
        self._frames: dict[tuple[str, str | int], Callable[..., Array]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """For copies and other processes: what was read, without the machine code that was made since."""
        return type(self), (self._model, self._source, self._document, self._losses, self._values)

    @property
    def model(self) -> Model:
        """Everything that the file says, in SI."""
        return self._model

    @property
    def automaton(self) -> Automaton:
        """The hybrid automaton: state, parameters, outputs, a mode for every structure, an edge for every transition.

        Its graphs are derived when they are first asked for; `print` shows it.
        """
        return self._engine.automaton

    @property
    def rebuild(self) -> Callable[[Live], Model] | None:
        """Builds the model again, asking what stands for each parameter: what views need to follow them."""
        return self._engine.rebuild

    @property
    def source(self) -> Source:
        """The text that the system was read from."""
        return self._source

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What a foreign format said that did not carry over; empty for XsysTel."""
        return self._losses

    @property
    def name(self) -> str:
        """The name of the system."""
        return self._model.name

    @property
    def planar(self) -> bool:
        """Whether the bodies move in parallel planes."""
        return self._model.planar

    @property
    def structure_class(self) -> str:
        """Structural class: СТОВ, СТВ, ДСТОВ, ДСТВ, ДСТ, with П in front for planar systems."""
        return self._model.structure_class

    @property
    def bases(self) -> tuple[int, ...]:
        """СНБТ, the list of base numbers: element i is the base of body i + 1; 0 is the ground."""
        return self._model.bases

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All bodies by number."""
        return self._model.bodies

    @property
    def structures(self) -> tuple[Structure, ...]:
        """The structures that the system can take; the first is the initial one unless the file says otherwise."""
        return self._model.structures

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The passages between structures."""
        return self._model.transitions

    @property
    def nq(self) -> int:
        """How many coordinates."""
        return self._model.nq

    @property
    def nv(self) -> int:
        """How many velocities; a spatial rotation has four coordinates and three velocities."""
        return self._model.nv

    @property
    def fingerprint(self) -> str:
        """A hash of the content, whatever language, spelling or layout says it."""
        return self._model.fingerprint

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Warnings and notes of the reading."""
        return self._model.diagnostics

    def with_parameters(self, changes: Mapping[str, float | str] | None = None, /, **values: float | str) -> Self:
        """The same system with other values of its parameters; everything that depends on them follows.

        Args:
            changes: Values by name, for names that are no words of Python.
            values: Values by name: numbers in SI, or texts of the language such as "800 mm" or "2*r".

        Raises:
            SistelError: A name is unknown, a value is beyond its limits, or the file makes no sense with it.
        """
        given = {**self._values, **parameter_values(self._model, {**(changes or {}), **values})}
        names = [body.name for body in self._model.bodies]
        model = self._rebuild(lambda p: p.value, False, given)
        if [body.name for body in model.bodies] != names:
            model = self._rebuild(lambda p: p.value, True, given)
        check_limits(model, given)
        return type(self)(model, self._source, self._document, self._losses, given)

    def body(self, body: str | int) -> Body:
        """A body by name or number."""
        return self._model.bodies[self._number(body) - 1]

    def base(self, body: str | int) -> int:
        """Number of a body's base; 0 is the ground."""
        return self.body(body).base

    def adjacent(self, body: str | int) -> tuple[int, ...]:
        """Numbers of the bodies whose base is the given one; 0 stands for the ground."""
        return self._model.adjacent(0 if body == 0 or body == "0" else self._number(body))

    @property
    def terminal(self) -> tuple[int, ...]:
        """Numbers of the bodies that end branches."""
        return self._model.terminal

    def structure(self, name: str | None = None) -> Structure:
        """A structure by name; the initial one without a name."""
        names = [structure.name for structure in self._model.structures]
        if name is not None and name not in names:
            unknown("structure", "структуры", name, names)
        return self._model.structure(name)

    def dof(self, structure: str | None = None) -> int:
        """Degrees of freedom of a structure by Grübler's formula."""
        return self.structure(structure).dof

    def _rebuild(self, live: Live, renumber: bool, values: Mapping[str, float] | None = None) -> Model:
        """The model anew from the document, with other things in the places of its parameters."""
        chosen = self._values if values is None else values
        found = Diagnostics()

        def value(parameter: Parameter) -> float:
            return live(replace(parameter, value=chosen.get(parameter.name, parameter.value)))

        return build(self._document, found, lambda a, b: include(a, b, found), renumber=renumber, live=value)

    def _number(self, body: str | int) -> int:
        numbers = {known.name: known.number for known in self._model.bodies}
        if isinstance(body, str) and body in numbers:
            return numbers[body]
        number = _whole(body)
        if number is not None and 1 <= number <= len(numbers):
            return number
        unknown("body", "тела", str(body), list(numbers))
        raise AssertionError

    def _one_state(self, q: ArrayLike) -> Array:
        """Coordinates of one posture, checked."""
        import numpy as np

        from sistel.kernels import as_rows

        rows = as_rows([("q", self.nq)], [("q", self.nq)], (q,), None)
        if rows.count != 1 or not np.isfinite(rows.inputs[0]).all():
            reason = Text(f"q must be {self.nq} finite numbers", f"q — это {self.nq} конечных чисел")
            refuse("bad-array", Text("one posture is needed", "нужна одна поза"), (reason,))
        return cast("Array", rows.inputs[0][0])

    def _structure(self, name: str | None, applied: bool) -> StructureEngine:
        """The equations of a structure; refused where its motion does not follow from mechanics."""
        chosen = self.structure(name)
        if chosen.why_not:
            refuse("no-dynamics", Text("the motion cannot be computed", "движение нельзя вычислить"), chosen.why_not)
        return self._engine.structure(chosen, applied)

    def _call(self, quantity: str) -> Callable[..., Array]:
        """What computes a quantity of the tree of bodies."""
        if quantity not in self._calls:
            self._calls[quantity] = self._engine.call(quantity)
        return self._calls[quantity]

    def _quick_call(self, quantity: str) -> Callable[..., Array]:
        """As `_call`; from now on the method of that name is machine code, which leaves what is unusual to this one."""
        call = self._call(quantity)
        quick = self._engine.quick(quantity, MethodType(getattr(type(self), quantity), self))
        if quick is not None:
            self.__dict__[quantity] = quick
        return call

    def _single(self, quantity: str, dtype: str, blocks: tuple[ArrayLike, ...], out: Array | None) -> Array:
        """A quantity in single precision."""
        if dtype != "float32":
            reason = Text(f'"float64" or "float32", not {dtype!r}', f"«float64» или «float32», а не {dtype!r}")
            refuse("bad-dtype", Text("dtype is wrong", "неверный dtype"), (reason,))
        call = self._engine.single_call(quantity)
        return call(*blocks) if out is None else call(*blocks, out=out)

    def _frame(self, quantity: str, name: str | int) -> Callable[..., Array]:
        """What computes a quantity of a body, frame or point."""
        self._frames[quantity, name] = self._engine.frame_call(quantity, *self._place_of(name))
        return self._frames[quantity, name]

    def _place_of(self, name: str | int) -> tuple[int, Vector3, Rotation]:
        """Body, place and axes of a body, frame or point; bodies by their numbers, too."""
        model = self._model
        try:
            return model.place_of(name if isinstance(name, str) else "")
        except KeyError:
            number = _whole(name)
            if number is not None and 1 <= number <= len(model.bodies):
                return model.place_of(model.bodies[number - 1].name)
            known = [thing.name for things in (model.bodies, model.frames, model.points) for thing in things]
            unknown("body, frame or point", "тела, репера или точки", str(name), known)
        raise AssertionError


def _whole(name: object) -> int | None:
    """The number that a body is asked for by: any whole number, NumPy's too, or its digits; else None."""
    if isinstance(name, str):
        return int(name) if name.isascii() and name.isdigit() and len(name) < 10 else None
    if isinstance(name, bool):
        return None
    try:
        return operator.index(name)  # type: ignore[arg-type]
    except TypeError:
        return None
