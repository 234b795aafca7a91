"""The face: a system of bodies, loaded from a file or a text."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, NoReturn, cast

from sistel.errors import Diagnostic, Diagnostics, SistelError, Source, Text, did_you_mean, one_of
from sistel.markup import Document, Loss, include, read_any, read_source
from sistel.model import Body, Model, Structure, Transition, build
from sistel.pose import IDENTITY, Rotation, Vector3

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from sistel.kernels import Kernel

    Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def load(
    path: str | os.PathLike[str],
    *,
    base: Literal["fixed", "free"] = "fixed",
    lock: Collection[str] | Mapping[str, float] = (),
    srdf: str | os.PathLike[str] | None = None,
    renumber: bool = False,
) -> System:
    """Read a file: XsysTel, URDF or MJCF, recognised by its content.

    Args:
        path: The file.
        base: For URDF: whether the root body is fixed to the ground or free.
        lock: Names of joints that do not move: at 0, or at the given values [m or rad].
        srdf: For URDF: a file with groups of bodies and named postures.
        renumber: Whether to number the bodies anew, depth first, whatever numbers the file gives.

    Raises:
        SistelError: The file cannot be read or used; it carries all diagnostics, with their places.
    """
    diagnostics = Diagnostics()
    source = read_source(os.fspath(path), diagnostics)
    diagnostics.raise_if_failed()
    assert source is not None
    return _system(source, diagnostics, base, lock, None if srdf is None else os.fspath(srdf), renumber)


def parse(
    text: str,
    name: str = "<text>",
    *,
    base: Literal["fixed", "free"] = "fixed",
    lock: Collection[str] | Mapping[str, float] = (),
    srdf: str | None = None,
    renumber: bool = False,
) -> System:
    """As `load`, for a text; `name` stands for the file in messages, and inclusions are looked for in its folder."""
    return _system(Source(name, text), Diagnostics(), base, lock, srdf, renumber)


def _system(
    source: Source,
    diagnostics: Diagnostics,
    base: Literal["fixed", "free"],
    lock: Collection[str] | Mapping[str, float],
    srdf: str | None,
    renumber: bool,
) -> System:
    document, losses = read_any(source, diagnostics, base=base, lock=lock, srdf=srdf)
    if document is None:
        diagnostics.raise_if_failed()
        raise AssertionError("nothing was read, and nothing was said about it")
    model = build(document, diagnostics, lambda path, span: include(path, span, diagnostics), renumber=renumber)
    return System(model, source, document, losses)


STRAIGHT_LINE = 60
"""Velocities up to which equations become straight-line machine code; beyond, its length and compile time explode."""


class System:
    """A system of bodies. Frozen: its methods compute and remember nothing that a caller could see."""

    __slots__ = ("_calls", "_document", "_kernels", "_losses", "_model", "_source")

    def __init__(self, model: Model, source: Source, document: Document, losses: tuple[Loss, ...] = ()) -> None:
        """Use `sistel.load` or `sistel.parse`."""
        self._model = model
        self._source = source
        self._document = document
        self._losses = losses
        self._kernels: dict[tuple[str, ...], Kernel] = {}
        self._calls: dict[str, Callable[..., Array]] = {}

    @property
    def model(self) -> Model:
        """Everything that the file says, in SI."""
        return self._model

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
            _unknown("structure", "структуры", name, names)
        return self._model.structure(name)

    def dof(self, structure: str | None = None) -> int:
        """Degrees of freedom of a structure by Grübler's formula."""
        return self.structure(structure).dof

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: Array | None = None) -> Array:
        """Generalized forces that give the tree of bodies its accelerations, weight included.

        Closures, contacts and the springs and friction of joints are not part of it: they are forces of their own.

        Args:
            q: Coordinates, shape (..., nq) [m, rad, or numbers of a unit quaternion].
            v: Velocities, shape (..., nv) [m/s or rad/s].
            a: Accelerations, shape (..., nv) [m/s² or rad/s²].
            out: Where to put the result.

        Returns:
            tau, shape (..., nv) [N or N·m].
        """
        call = self._calls.get("inverse_dynamics") or self._call("inverse_dynamics")
        return call(q, v, a) if out is None else call(q, v, a, out=out)

    def bias_forces(self, q: ArrayLike, v: ArrayLike, *, out: Array | None = None) -> Array:
        """Generalized forces of inverse dynamics at zero acceleration: weight, centrifugal and gyroscopic forces.

        Returns:
            Shape (..., nv) [N or N·m].
        """
        call = self._calls.get("bias_forces") or self._call("bias_forces")
        return call(q, v) if out is None else call(q, v, out=out)

    def gravity_forces(self, q: ArrayLike, *, out: Array | None = None) -> Array:
        """Generalized forces that hold the system still, shape (..., nv) [N or N·m]."""
        call = self._calls.get("gravity_forces") or self._call("gravity_forces")
        return call(q) if out is None else call(q, out=out)

    def mass_matrix(self, q: ArrayLike) -> Array:
        """The mass matrix of the tree of bodies, shape (..., nv, nv) [kg, kg·m or kg·m²]."""
        entries = self._call("mass_matrix")(q)
        return entries.reshape(*entries.shape[:-1], self.nv, self.nv)

    def forward_dynamics(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, structure: str | None = None, out: Array | None = None
    ) -> Array:
        """Accelerations that generalized forces give, weight included.

        Args:
            q: Coordinates, shape (..., nq).
            v: Velocities, shape (..., nv).
            tau: Everything else that acts on the coordinates, shape (..., nv) [N or N·m]: motors, and the springs,
                friction and applied forces of the file, which are not added here.
            structure: The structure, by default the initial one; it must be a tree without holding links.
            out: Where to put the result.

        Returns:
            a, shape (..., nv) [m/s² or rad/s²].

        Raises:
            SistelError: The structure has links that hold, or some coordinate moves no mass.
        """
        self._open_tree(structure)
        call = self._calls.get("forward_dynamics") or self._call("forward_dynamics")
        return call(q, v, tau) if out is None else call(q, v, tau, out=out)

    def reactions(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, structure: str | None = None
    ) -> dict[str, Array]:
        """What every joint carries while driving forces act: reactions and driving forces together.

        Args:
            q: Coordinates, shape (..., nq).
            v: Velocities, shape (..., nv).
            tau: As for `forward_dynamics`; what acts on single bodies apart from their joints is not included.
            structure: As for `forward_dynamics`.

        Returns:
            For the name of every joint, shape (..., 6): moment, then force, on the body from its base, in world axes,
            about the pole of the body [N·m and N].
        """
        self._open_tree(structure)
        loads = self._call("reactions")(q, v, tau)
        return {body.joint.name: loads[..., 6 * index : 6 * index + 6] for index, body in enumerate(self._model.bodies)}

    def energies(self, q: ArrayLike, v: ArrayLike) -> tuple[Array, Array]:
        """Kinetic and potential energy of all bodies, each of the shape of the batch [J]."""
        found = self._call("energies")(q, v)
        return found[..., 0], found[..., 1]

    def centre_of_mass(self, q: ArrayLike) -> Array:
        """Centre of mass of the whole system in the world, shape (..., 3) [m]."""
        import numpy as np

        coordinates = np.asarray(q, dtype=float)
        still = np.zeros((*coordinates.shape[:-1], self.nv))
        return self._call("energies")(coordinates, still)[..., 2:5]

    def pose(self, q: ArrayLike, name: str) -> Array:
        """Pose of a body, frame or point in the world, shape (..., 4, 4) [m]."""
        entries = self._compute_frame("pose", name, q)
        return entries.reshape(*entries.shape[:-1], 4, 4)

    def jacobian(self, q: ArrayLike, name: str) -> Array:
        """Angular velocity, then velocity of the origin, of a body, frame or point per unit of v, in the world.

        Returns:
            Shape (..., 6, nv): (ω, velocity) = J · v [rad/s and m/s].
        """
        entries = self._compute_frame("jacobian", name, q)
        return entries.reshape(*entries.shape[:-1], 6, self.nv)

    def _open_tree(self, structure: str | None) -> None:
        """Refuse structures whose motion does not follow from the tree of bodies alone."""
        chosen = self.structure(structure)
        if chosen.why_not:
            _refuse("no-dynamics", Text("the motion cannot be computed", "движение нельзя вычислить"), chosen.why_not)
        if chosen.holds or chosen.changes:
            reason = Text(
                f'structure "{chosen.name}" has links that hold: {", ".join(chosen.holds)}',
                f"в структуре «{chosen.name}» держат связи: {', '.join(chosen.holds)}",
            )
            _refuse("not-a-tree", Text("only open trees are solved", "решаются только открытые деревья"), (reason,))

    def _call(self, quantity: str) -> Callable[..., Array]:
        """What computes a quantity: compiled when it is first asked for, a recursion where the system is large."""
        if quantity not in self._calls:
            large = self.nv > STRAIGHT_LINE
            # Every quantity is one block of outputs, which a kernel returns as one array.
            self._calls[quantity] = partial(self._recur, quantity) if large else self._kernel(quantity).call
        return self._calls[quantity]

    def _recur(self, quantity: str, *blocks: ArrayLike, out: Array | None = None) -> Array:
        """A quantity of a large system, one state after another, without compiling."""
        from sistel.kernels import as_rows
        from sistel.mechanics import QUANTITIES, build_tree, recur

        names = {"reactions": ("q", "v", "tau"), "energies": ("q", "v")}.get(quantity) or QUANTITIES[quantity][0]
        widths = {"mass_matrix": self.nv * self.nv, "reactions": 6 * len(self.bodies), "energies": 5}
        inputs = [(name, self.nq if name == "q" else self.nv) for name in names]
        rows = as_rows(inputs, [(quantity, widths.get(quantity, self.nv))], blocks, out)
        tree = build_tree(self._model)
        for row in range(rows.count):
            state = (array[row if len(array) > 1 else 0].tolist() for array in rows.inputs)
            rows.outputs[0][row] = recur(self._model, tree, quantity, *state)
        return rows.results[0]

    def _kernel(self, quantity: str) -> Kernel:
        """The compiled form of a quantity."""
        from sistel.kernels import compile_program, user_cache
        from sistel.mechanics import build_tree, derive, derive_energies, derive_reactions

        tree = build_tree(self._model)
        if quantity == "reactions":
            program = derive_reactions(self._model, tree)
        else:
            program = derive_energies(self._model, tree) if quantity == "energies" else derive(tree, quantity)
        return compile_program(program, name=quantity, cache=user_cache())

    def _compute_frame(self, quantity: str, name: str, q: ArrayLike) -> Array:
        if self.nv <= STRAIGHT_LINE:
            return cast("Array", self._frame_kernel(quantity, name)(q))
        from sistel.kernels import as_rows
        from sistel.mechanics import build_tree, recur_frame

        place = self._place_of(name)
        rows = as_rows([("q", self.nq)], [(quantity, 16 if quantity == "pose" else 6 * self.nv)], (q,), None)
        tree = build_tree(self._model)
        for row in range(rows.count):
            rows.outputs[0][row] = recur_frame(tree, quantity, *place, rows.inputs[0][row].tolist())
        return rows.results[0]

    def _frame_kernel(self, quantity: str, name: str) -> Kernel:
        if (quantity, name) not in self._kernels:
            from sistel.kernels import compile_program, user_cache
            from sistel.mechanics import build_tree, derive_frame

            body, p, R = self._place_of(name)
            for key, program in zip(
                ("pose", "jacobian"), derive_frame(build_tree(self._model), body, p, R), strict=True
            ):
                self._kernels[(key, name)] = compile_program(program, name=key, cache=user_cache())
        return self._kernels[(quantity, name)]

    def _place_of(self, name: str) -> tuple[int, Vector3, Rotation]:
        """Body, place and axes of a body, frame or point."""
        model = self._model
        for body in model.bodies:
            if body.name == name:
                return body.number, (0.0, 0.0, 0.0), IDENTITY
        for frame in model.frames:
            if frame.name == name:
                return frame.body, frame.p_BF, frame.R_BF
        for point in model.points:
            if point.name == name:
                return point.body, point.p_BP, IDENTITY
        known = [thing.name for things in (model.bodies, model.frames, model.points) for thing in things]
        _unknown("body, frame or point", "тела, репера или точки", name, known)
        raise AssertionError

    def to_xml(self, lang: Literal["en", "ru"] = "en") -> str:
        """The system in canonical XsysTel: one spelling, expressions evaluated, inclusions resolved."""
        from sistel.markup import write_document
        from sistel.model import to_document

        return write_document(to_document(self._model), lang)

    def save(self, path: str | os.PathLike[str], lang: Literal["en", "ru"] = "en") -> tuple[Loss, ...]:
        """Write the system to a file: .xml, .urdf or .mjcf; returns what did not carry over."""
        from sistel.markup import write_any
        from sistel.model import to_document

        return write_any(to_document(self._model), os.fspath(path), lang)

    def _number(self, body: str | int) -> int:
        numbers = {known.name: known.number for known in self._model.bodies}
        if isinstance(body, str) and body in numbers:
            return numbers[body]
        if isinstance(body, str) and body.isdigit():
            body = int(body)
        if isinstance(body, int) and 1 <= body <= len(numbers):
            return body
        _unknown("body", "тела", str(body), list(numbers))
        raise AssertionError

    def __repr__(self) -> str:
        bodies = len(self._model.bodies)
        return f"<System {self.name!r}: {bodies} bodies, {self.structure_class}, nq={self.nq}, nv={self.nv}>"

    def _repr_html_(self) -> str:
        from sistel.views import show_html

        return show_html(self._model)


def _refuse(code: str, message: Text, reasons: Sequence[Text]) -> NoReturn:
    """Say why something cannot be computed."""
    diagnostics = Diagnostics()
    en, ru = "; ".join(reason.en for reason in reasons), "; ".join(reason.ru for reason in reasons)
    diagnostics.error(code, None, Text(f"{message.en}: {en}", f"{message.ru}: {ru}"))
    raise SistelError(diagnostics.sorted())


def _unknown(en: str, ru: str, name: str, known: list[str]) -> None:
    diagnostics = Diagnostics()
    diagnostics.error(
        "unknown-name",
        None,
        Text(f'there is no {en} "{name}"', f"нет {ru} «{name}»"),
        expected=one_of(known),
        hint=did_you_mean(name, known),
    )
    diagnostics.raise_if_failed()
