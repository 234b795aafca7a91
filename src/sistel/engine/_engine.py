"""Everything that the equations of an automaton compute, compiled when it is first asked for: their one owner."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from sistel.automaton import STRAIGHT_LINE, Automaton, LiveAutomaton
from sistel.engine._structure import StructureEngine
from sistel.engine._together import INPUTS, Together
from sistel.errors import Text, placed, refuse
from sistel.model import LiveModel, Model, Structure
from sistel.once import COMPILING, once_property
from sistel.pose import Rotation, Vector3

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.engine._types import Call, Derived, Part, Rows, Scalars
    from sistel.expr import Program
    from sistel.kernels import Kernel, Loops
    from sistel.mechanics import Setting, Tree


class Engine:
    """Computes the quantities of a model that belong to its tree of bodies."""

    def __init__(self, automaton: Automaton) -> None:
        """Nothing is compiled yet."""
        self.automaton = automaton
        self.model = automaton.model
        self._calls: dict[str, Call] = {}
        self._kernels: dict[str, Kernel] = {}
        self._frames: dict[tuple[str, int, Vector3, Rotation], Call] = {}
        self._frame_kernels: dict[tuple[str, int, Vector3, Rotation], Kernel] = {}
        self._named: dict[tuple[str, str | int], Call] = {}
        self._structures: dict[tuple[str, bool], StructureEngine] = {}
        self._seldom: dict[object, tuple[Kernel, tuple[str, ...]]] = {}

    @classmethod
    def of(cls, model: Model) -> Engine:
        """Of a model in plain numbers."""
        return Engine(Automaton(model))

    @property
    def tree(self) -> Tree:
        """The links of the bodies."""
        return self.automaton.tree

    @property
    def large(self) -> bool:
        """Whether the system is too large for straight-line code."""
        return self.automaton.large

    @property
    def values(self) -> tuple[float, ...]:
        """Of live parameters: there are none."""
        return ()

    @property
    def plain(self) -> Engine:
        """The engine of the same system in plain numbers: this one, unless parameters are live."""
        return self

    @property
    def hoisted(self) -> Array | None:
        """That block for today's values of the live parameters; None where there are none."""
        return None

    def structure(self, structure: Structure, applied: bool) -> StructureEngine:
        """The equations of a structure, with or without what the file lets act beside weight."""
        # Of threads that come here at once, all go on with the engine of the first.
        key = structure.name, applied
        found = self._structures.get(key)
        return found or self._structures.setdefault(key, StructureEngine(self, self.automaton.mode(structure, applied)))

    def setting(self, structure: Structure) -> Setting:
        """A structure as mechanics sees it, with what the file lets act."""
        return self.structure(structure, True).setting

    def call(self, quantity: str) -> Call:
        """What computes a quantity of the tree: (q), (q, v), (q, v, a) or (q, v, tau), and `out`."""
        found = self._calls.get(quantity)
        if found is not None:
            return found
        with COMPILING:
            if quantity not in self._calls:
                # Every quantity is one block of outputs, which a kernel returns as one array.
                if self.large and quantity == "applied_forces":
                    self._calls[quantity] = self._large_applied_forces
                elif self.large and quantity == "elastic":
                    self._calls[quantity] = self._large_elastic
                elif self.large:
                    self._calls[quantity] = self.loops.kernel(quantity).call
                else:
                    kernel = self.compile([quantity], lambda: (self.automaton.quantity(quantity), ()))[0]
                    self._kernels[quantity] = kernel
                    self._calls[quantity] = kernel.call
            return self._calls[quantity]

    def single_call(self, quantity: str) -> Call:
        """As `call`, in single precision: for batches, at half the memory and twice the pace."""
        key = f"{quantity} in single precision"
        with COMPILING:
            if key not in self._calls:
                if self.large:
                    _no_single()
                from sistel.kernels import USER, compile_program

                program, _ = self.derived([quantity], lambda: (self.automaton.quantity(quantity), ()))
                self._calls[key] = compile_program(program, name=quantity, cache=USER, dtype="float32").call
            return self._calls[key]

    def quick(self, quantity: str, general: Call) -> Call | None:
        """A function that computes plain vectors of one state at once and leaves every other call to `general`.

        There is one for quantities that were compiled.
        """
        return self._kernels[quantity].quick(general) if quantity in self._kernels else None

    def matrix_method(self, quantity: str, general: Call) -> Call | None:
        """As `quick`, for a quantity that is a square matrix."""
        size = self.model.nv
        kernel = self._kernels.get(quantity)
        return None if kernel is None else kernel.method(general, [(size, size)])

    def frame_method(self, quantity: str, place: tuple[int, Vector3, Rotation], name: str | int, general: Call) -> Call:
        """What answers a method of that quantity for this very name, and leaves every other call to `general`."""
        kernel = self._frame_kernels.get((quantity, *place))
        shape = (4, 4) if quantity == "pose" else (6, self.model.nv)
        return general if kernel is None else kernel.method(general, [shape], fixed=(name,))

    def together(self, parts: Sequence[Part]) -> Together:
        """What computes several quantities in one call.

        Args:
            parts: Each the name of a quantity, and body, place and axes where it is one of a frame.
        """
        nv = self.model.nv
        known = {"mass_matrix": (nv, nv), "momentum": (6,), "pose": (4, 4)}
        known |= dict.fromkeys(("jacobian", "jacobian_rate"), (6, nv))
        shapes = tuple(known.get(name, (nv,)) for name, _ in parts)
        if self.large:
            calls = [self.frame_call(name, *place) if place else self.call(name) for name, place in parts]
            inputs = [INPUTS[name] for name, _ in parts]
            return Together(shapes, None, list(zip(calls, inputs, strict=True)))
        with COMPILING:
            kernel, _ = self.compile(["together", *parts], lambda: (self._derive_together(parts), ()))
        return Together(shapes, kernel, [])

    def _derive_together(self, parts: Sequence[Part]) -> Program:
        automaton = self.automaton
        return automaton.together(
            [automaton.frame_quantity(name, *place) if place else automaton.quantity(name) for name, place in parts]
        )

    def frame_call(self, quantity: str, body: int, p: Vector3, R: Rotation) -> Call:
        """What computes the pose, the Jacobian or its rate of a frame fixed in a body."""
        key = quantity, body, p, R
        found = self._frames.get(key)
        if found is None:
            with COMPILING:
                if key not in self._frames:
                    self._frames[key] = self._frame_call(quantity, body, p, R)
                found = self._frames[key]
        return found

    def named_call(self, quantity: str, name: str | int) -> Call | None:
        """As `frame_call`, of what has been named once; None before."""
        return self._named.get((quantity, name))

    def name_call(self, quantity: str, name: str | int, body: int, p: Vector3, R: Rotation) -> Call:
        """As `frame_call`; from now on it is found by its name, too."""
        found = self._named[quantity, name] = self.frame_call(quantity, body, p, R)
        return found

    def compile(self, what: Sequence[object], derive: Callable[[], Derived]) -> tuple[Kernel, tuple[str, ...]]:
        """A derived program as machine code, and the names that go with it; both are kept on disk.

        Args:
            what: Everything beside the model that the program depends on.
            derive: Makes the program, where it is not known yet.
        """
        from sistel.kernels import USER, compile_program

        program, names = self.derived(what, derive)
        return compile_program(program, name=program.outputs[0][0], cache=USER), names

    def derived(self, what: Sequence[object], derive: Callable[[], Derived]) -> Derived:
        """A derived program and the names that go with it, which are kept on disk; as for `compile`."""
        with placed(self.model.span):
            return self.recalled(*what) or self.keep(derive(), *what)

    def recalled(self, *what: object) -> Derived | None:
        """A program of this model that was derived before, and its names; None where it is not known.

        Args:
            what: Everything beside the model that the program depends on.
        """
        from sistel.kernels import USER, recall_program

        return recall_program(USER, self._described(what))

    def keep(self, made: Derived, *what: object) -> Derived:
        """Keep a program that was derived for `recalled`, and give it back."""
        from sistel.kernels import USER, keep_program

        return keep_program(USER, self._described(what), made)

    def _described(self, what: tuple[object, ...]) -> list[str]:
        return [self.model.fingerprint, *(repr(part) for part in what)]

    def compile_seldom(self, what: tuple[object, ...], derive: Callable[[], Derived]) -> tuple[Kernel, tuple[str, ...]]:
        """As `compile`, remembered; of large systems a table is read, which takes no compiling."""
        from sistel.kernels import USER, compile_program

        with COMPILING:
            if what not in self._seldom and self.large:
                program, names = derive()
                self._seldom[what] = compile_program(program, name=str(what[0]), cache=USER, backend="table"), names
            elif what not in self._seldom:
                self._seldom[what] = self.compile(what, derive)
            return self._seldom[what]

    @once_property
    def loops(self) -> Loops:
        """The looped kernels of a large system."""
        from sistel.kernels import USER, Loops

        return Loops(self.model, cache=USER)

    def _large_applied_forces(self, *blocks: ArrayLike, out: Array | None = None) -> Array:
        """What the file lets act on a large system, one state after another, without compiling."""
        from sistel import mechanics

        def compute(q: list[float], v: list[float], t: list[float]) -> Scalars:
            return mechanics.applied_forces(mechanics.Quantities(self.model, self.tree, q, v, t[0])).generalized

        return self.by_rows(("q", "v", "t"), [("applied_forces", self.model.nv)], compute, blocks, out)[0]

    def _large_elastic(self, *blocks: ArrayLike, out: Array | None = None) -> Array:
        """What the springs of a large system store, one state after another, without compiling."""
        from sistel import mechanics

        def compute(q: list[float]) -> Scalars:
            return [mechanics.elastic_energy(mechanics.Kinematics(self.tree, q), self.model, q)]

        return self.by_rows(("q",), [("elastic", 1)], compute, blocks, out)[0]

    def energies(self, q: ArrayLike, v: ArrayLike) -> tuple[Array, Array]:
        """Kinetic and potential energy of the system, springs included, of the shape of the batch [J]."""
        from sistel import mechanics

        found = self.call("energies")(q, v)
        if not mechanics.stores(self.model):
            return found[..., 0], found[..., 1]
        return found[..., 0], found[..., 1] + self.call("elastic")(q)[..., 0]

    def _frame_call(self, quantity: str, body: int, p: Vector3, R: Rotation) -> Call:
        if self.large:
            return self.loops.frame_kernel(quantity, body, p, R).call
        made = self.compile((quantity, body, p, R), lambda: (self.automaton.frame_quantity(quantity, body, p, R), ()))
        self._frame_kernels[quantity, body, p, R] = made[0]
        return made[0].call

    def by_rows(
        self,
        inputs: Sequence[str],
        outputs: Sequence[tuple[str, int]],
        compute: Rows,
        blocks: Sequence[ArrayLike],
        out: Array | None = None,
    ) -> list[Array]:
        """Results computed by a function of numbers, state by state; checked as a kernel checks its arguments."""
        from sistel.kernels import as_rows

        sizes = {"q": self.model.nq, "t": 1, "restitution": 1}
        rows = as_rows([(name, sizes.get(name, self.model.nv)) for name in inputs], list(outputs), blocks, out)
        for row in range(rows.count):
            state = (array[row if len(array) > 1 else 0].tolist() for array in rows.inputs)
            values, start = list(compute(*state)), 0
            for output in rows.outputs:
                width = output.shape[1]
                output[row] = values[start : start + width]
                start += width
        return rows.results


class _Now(threading.local):
    """What the live parameters of an engine are in one thread, and what follows from that."""

    def __init__(self, values: tuple[float, ...], plain: Engine) -> None:
        """In every thread: the values of the file."""
        self.values = values
        self.hoisted: Array | None = None
        self.plain: Engine | None = plain


class LiveEngine(Engine):
    """As `Engine`, for a model whose numbers follow live parameters."""

    automaton: LiveAutomaton

    def __init__(self, live: LiveModel) -> None:
        """Nothing is compiled yet."""
        automaton = LiveAutomaton.of(live)
        super().__init__(automaton)
        self.live = live
        assert automaton.fixed is not None
        self.fixed = Engine(automaton.fixed)
        """Of the same in plain numbers, on which choices are made."""
        self._line: Program | None = None
        self._now = _Now(tuple(live.values), self.fixed)

    @property
    def values(self) -> tuple[float, ...]:
        """The values that the parameters have now in this thread, in the order of `live.names`."""
        return self._now.values

    def follow(self, values: Sequence[float]) -> None:
        """Give the parameters other values, in this thread: equations are shared, what they are computed for is not."""
        given = tuple(float(value) for value in values)
        if given != self._now.values:
            self._now.values, self._now.hoisted, self._now.plain = given, None, None

    @property
    def plain(self) -> Engine:
        """The engine of the system in plain numbers, for the values that the parameters have now."""
        if self._now.plain is None:
            self._now.plain = Engine.of(self.live.at(self._now.values))
        return self._now.plain

    @property
    def block_size(self) -> int:
        """How many numbers the block `hoisted` has by now."""
        return self.automaton.block_size

    @property
    def line(self) -> Program:
        """What computes the block `hoisted` from the parameters; it grows with every program that is derived."""
        with COMPILING:
            if self._line is None or self._line.outputs[0][1] != self.block_size:
                self._line = self.automaton.line()
            return self._line

    @property
    def hoisted(self) -> Array:
        """What programs of this engine read, for the values that the parameters have now."""
        found = self._now.hoisted
        if found is None or len(found) != self.block_size:
            import numpy as np

            found = self.hoisted_rows([self._now.values])[0]
            if not np.isfinite(found).all():
                self.live.refuse(self._now.values)
            self._now.hoisted = found
        return found

    def hoisted_rows(self, values: ArrayLike) -> Array:
        """The block `hoisted` for many sets of values at once, shape (sets, parameters) → (sets, numbers).

        Each number comes from operations of its own, whatever else is computed: it stays the same when the block grows.
        """
        import numpy as np

        from sistel.kernels import compile_program

        if not self.block_size:
            return np.zeros((len(np.atleast_2d(np.asarray(values))), 0))
        found: Array = compile_program(self.line, name="hoisted", backend="numpy").call(values)
        sizes = self.live.sizes
        if sizes is not None:
            # Equations of a body that weighs less than nothing have values; a file with such a body has none.
            amounts: Array = compile_program(sizes, name="sizes", backend="numpy").call(values)
            found[~(amounts >= 0.0).all(axis=1)] = np.nan
        return found

    def compile(self, what: Sequence[object], derive: Callable[[], Derived]) -> tuple[Kernel, tuple[str, ...]]:
        """As of an engine; the block of the parameters is one more argument."""
        from sistel.kernels import USER, compile_program

        with placed(self.fixed.model.span):
            known = self.fixed.recalled(self.live.names, *what)
            program, names = known or self.fixed.keep(derive(), self.live.names, *what)
        return compile_program(program, name=program.outputs[0][0], cache=USER), names


def _no_single() -> NoReturn:
    """Say that large systems have no kernels in single precision."""
    refuse(
        "no-single",
        Text(
            f"beyond {STRAIGHT_LINE} velocities there is no single precision",
            f"свыше {STRAIGHT_LINE} скоростей одинарной точности нет",
        ),
    )
