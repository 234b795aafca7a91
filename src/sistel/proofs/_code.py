"""Machine code against the reference interpreter, which runs the same program line by line with Python's numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text
from sistel.expr import evaluate
from sistel.kernels import Kernel
from sistel.mechanics import moved
from sistel.proofs._claim import Claim, Farthest, Finding, Skip, apart
from sistel.proofs._subject import StructureSubject, Subject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sistel.arrays import Array

WAYS = (Text("machine code", "машинный код"), Text("interpreter", "интерпретатор"))
NEAR = 2.0**-20
"""How far coordinates are changed to see what depends on them [rad, or part of the length]."""
LARGE = Skip(
    Text(
        "the system is too large for straight-line code: recursion computes it",
        "система велика для линейного кода: считает рекурсия",
    )
)


def compare(
    kernels: Sequence[Kernel], inputs: dict[str, Array], units: Mapping[str, Array | float]
) -> tuple[dict[str, float], int]:
    """Largest difference of what kernels return from what their own programs do, and the number of states."""
    errors: dict[str, float] = {}
    count = 0
    for kernel in kernels:
        blocks = [inputs[name] for name, _ in kernel.inputs]
        count = max(len(block) for block in blocks)
        outputs = _outputs(kernel, inputs)
        one_by_one = [evaluate(kernel.program, *(block[i % len(block)] for block in blocks)) for i in range(count)]
        for number, ((name, size), output) in enumerate(zip(kernel.outputs, outputs, strict=True)):
            if size:
                expected = np.array([state[number] for state in one_by_one])
                errors[name] = max(errors.get(name, 0.0), apart(output, expected, units.get(name, 1.0)))
    return errors, count


def _outputs(kernel: Kernel, inputs: Mapping[str, Array]) -> tuple[Array, ...]:
    found = kernel(*(inputs[name] for name, _ in kernel.inputs))
    return found if isinstance(found, tuple) else (found,)


def tree_units(subject: Subject) -> dict[str, Array | float]:
    """A unit of every number that a kernel of the tree returns."""
    units, solved = subject.units, subject.why_not is None
    return {
        "inverse_dynamics": units.forces,
        "bias_forces": units.forces,
        "gravity_forces": units.forces,
        "applied_forces": units.forces,
        "mass_matrix": units.masses.ravel(),
        "forward_dynamics": units.rate**2 / subject.weights if solved else 1.0,
        "energies": np.array([units.energy] * 2 + [units.length] * 3),
        "momentum": units.impulse,
        "pose": units.pose.ravel(),
        "jacobian": units.jacobian.ravel(),
        "jacobian_rate": units.jacobian.ravel() * units.rate,
    }


def _inputs(subject: Subject) -> dict[str, Array]:
    tau = subject.tau
    return {"q": subject.q, "v": subject.v, "a": subject.a, "tau": tau, "t": subject.rng("t").uniform(size=(1, 1))}


def _tree_quantity(quantity: str) -> Callable[[Subject], Finding | Skip | None]:
    def find(subject: Subject) -> Finding | Skip | None:
        from sistel.mechanics import acts

        if subject.engine.large:
            return LARGE
        if quantity == "applied_forces" and not acts(subject.model):
            return None
        if quantity == "forward_dynamics" and subject.why_not is not None:
            return Skip(subject.why_not)
        subject.engine.call(quantity)
        kernels = [subject.engine.kernels[quantity,]]
        errors, count = compare(kernels, _inputs(subject), tree_units(subject))
        solved = quantity == "forward_dynamics"
        tolerance = subject.units.rounding * (subject.condition if solved else 1.0)
        return Finding(_largest(errors), tolerance, "n ε κ" if solved else "n ε", count)

    return find


def _largest(errors: Mapping[str, float]) -> float:
    return max(errors.values(), default=0.0)


def _places(subject: Subject) -> Finding | Skip | None:
    if subject.engine.large:
        return LARGE
    for name in subject.places:
        for quantity in ("pose", "jacobian", "jacobian_rate"):
            subject.engine.frame_call(quantity, *subject.model.place_of(name))
    wanted = ("pose", "jacobian", "jacobian_rate")
    kernels = [kernel for key, kernel in subject.engine.kernels.items() if key[0] in wanted]
    errors, count = compare(kernels, _inputs(subject), tree_units(subject))
    return Finding(_largest(errors), subject.units.rounding, "n ε", count * len(subject.places))


NAMES: dict[str, Text] = {
    "inverse_dynamics": Text("inverse dynamics", "силы по ускорениям"),
    "bias_forces": Text("bias forces", "силы при нулевых ускорениях"),
    "gravity_forces": Text("gravity forces", "силы против тяжести"),
    "mass_matrix": Text("mass matrix", "матрица масс"),
    "forward_dynamics": Text("forward dynamics", "ускорения по силам"),
    "applied_forces": Text("applied forces", "приложенные силы"),
    "energies": Text("energies, centre of mass", "энергии, центр масс"),
    "momentum": Text("momentum", "количество движения"),
}

TREE_CODE: tuple[Claim[Subject], ...] = (
    *(
        Claim(key=f"code-{key.replace('_', '-')}", what=name, ways=WAYS, find=_tree_quantity(key))
        for key, name in NAMES.items()
    ),
    Claim(
        key="code-places",
        what=Text("poses, Jacobians and rates", "положения и якобианы"),
        ways=WAYS,
        find=_places,
    ),
)


def structure_units(subject: StructureSubject) -> dict[str, Array | float]:
    """The same for the kernels of a structure."""
    units = subject.units
    made: dict[str, Array | float] = {"reactions": np.tile(units.wrench, len(subject.reactions))}
    if subject.free:
        return made
    rows = subject.row_units
    return made | {
        "forward_dynamics": units.rate**2 / subject.weights,
        "velocities": units.rate / subject.weights,
        "value": rows,
        "J": (rows[:, np.newaxis] / units.ways).ravel(),
        "bias": rows * units.rate**2,
        "drift": rows * units.rate,
        "impulses": np.tile(units.impulse, len(subject.impact(0.5)[1])),
    }


def _structure_code(
    quantity: str, work: Callable[[StructureSubject], object]
) -> Callable[[StructureSubject], Finding | Skip | None]:
    def find(subject: StructureSubject) -> Finding | Skip | None:
        if subject.whole.engine.large:
            return LARGE
        if subject.free and quantity != "reactions":
            return None
        work(subject)
        kernel = subject.whole.engine.kernels[quantity, subject.structure.name, subject.applied]
        inputs = {
            "q": subject.q,
            # An impact of velocities that the constraints let pass changes nothing, whatever its code computes.
            "v": subject.wild if quantity == "impact" else subject.v,
            "tau": subject.tau,
            "t": np.zeros((1, 1)),
            "restitution": np.full((1, 1), 0.5),
        }
        units = structure_units(subject)
        errors, count = compare([kernel], inputs, units)
        rounding = subject.units.rounding
        if quantity != "constraints":
            return Finding(_largest(errors), rounding * subject.condition, "n ε κ", count)
        worst = Farthest()
        grown = _sensitivities(kernel, inputs, units, subject)
        for name, error in errors.items():
            worst.take(error, rounding * grown[name])
        return Finding(worst.error, worst.bound, "n ε κ", count)

    return find


def _sensitivities(
    kernel: Kernel, inputs: dict[str, Array], units: Mapping[str, Array | float], subject: StructureSubject
) -> dict[str, float]:
    """How many times what a kernel returns changes more than the one coordinate that is changed, all in their units.

    Places are known to ε of the length of the system. The normal of a surface that bends within a small part of that
    turns by so much more: any two ways to compute it are as far apart.
    """
    model, grown = subject.model, dict.fromkeys((name for name, _ in kernel.outputs), 1.0)
    still = _outputs(kernel, inputs)
    for rate, size in enumerate(subject.units.ways):
        way = np.zeros(model.nv)
        way[rate] = NEAR * size
        sides = [
            _outputs(kernel, inputs | {"q": np.array([moved(model, q.tolist(), side.tolist()) for q in inputs["q"]])})
            for side in (-way, way)
        ]
        for (name, width), before, now, after in zip(kernel.outputs, sides[0], still, sides[1], strict=True):
            if width:
                unit = units.get(name, 1.0)
                change = float(np.abs((after - before) / unit).max()) / (2.0 * NEAR)
                grown[name] = max(grown[name], change / max(1.0, float(np.abs(now / unit).max())))
    return grown


def _claim(quantity: str, what: Text, work: Callable[[StructureSubject], object]) -> Claim[StructureSubject]:
    return Claim(key=f"code-{quantity.replace('_', '-')}", what=what, ways=WAYS, find=_structure_code(quantity, work))


STRUCTURE_CODE: tuple[Claim[StructureSubject], ...] = (
    _claim("constraints", Text("constraints", "связи"), lambda subject: subject.equations.constraints),
    _claim("forward_dynamics", Text("accelerations", "ускорения"), lambda subject: subject.a),
    _claim("reactions", Text("reactions", "реакции"), lambda subject: subject.reactions),
    _claim("impact", Text("impact", "удар"), lambda subject: subject.impact(0.5)),
)
