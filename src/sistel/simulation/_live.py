"""Simulations whose parameters are live: other values need no new derivation and no compilation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from sistel.engine import LiveEngine
from sistel.errors import Diagnostics, SistelError, Text
from sistel.mechanics import assemble, constraint_rows, mobility
from sistel.model import LiveModel, Model, Structure
from sistel.simulation._simulate import Simulation
from sistel.simulation.contact._contacts import contacts_decide
from sistel.simulation.run._run import RunError

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.engine import Engine
    from sistel.simulation._compiled_structure import CompiledStructure
    from sistel.simulation._tolerance import Given
    from sistel.simulation.implicit._scheme import Scheme
    from sistel.simulation.run._run import Run
    from sistel.simulation.run._warnings import RunWarning


def live_simulation(
    live: LiveModel,
    tolerance: Given,
    scheme: Scheme | None = None,
    watchful: bool = False,
    explicit: Scheme | None = None,
) -> Simulation:
    """A simulation that takes other values of its parameters by `Simulation.follow`, or as `Tuned`.

    Args:
        live: The model.
        tolerance: As for `Simulation`.
        scheme: As for `Simulation`.
        watchful: As for `Simulation`.
        explicit: As for `Simulation`.

    Raises:
        SistelError: The parameters cannot be live, and why.
    """
    reasons = dict(live.refused)
    if scheme is not None and scheme.kind == "gauss":
        reason = Text('the method "gauss" is compiled for numbers', "метод gauss компилируется для чисел")
        reasons |= dict.fromkeys(live.names, reason)
    made = None if reasons else Simulation(LiveEngine(live), tolerance, scheme, watchful, explicit)
    fault = None if made is None else why_not_live(made.engine)
    if fault is not None:
        reasons = dict.fromkeys(live.names, fault)
    if made is None or reasons:
        diagnostics = Diagnostics()
        for name, reason in reasons.items():
            diagnostics.error(
                "not-live",
                next((parameter.span for parameter in live.model.parameters if parameter.name == name), None),
                Text(
                    f'equations cannot follow parameter "{name}": {reason.en}',
                    f"уравнения не могут следовать за параметром «{name}»: {reason.ru}",
                ),
            )
        raise SistelError(diagnostics.sorted())
    return made


def why_not_live(engine: Engine) -> Text | None:
    """Why other values need other equations, whichever they are; None where they do not."""
    assert isinstance(engine, LiveEngine)
    if contacts_decide(engine):
        return Text(
            "contacts without written structures are compiled for numbers",
            "контакты без описанных структур компилируются для чисел",
        )
    for structure in engine.model.structures:
        redundant = engine.setting(structure).redundant
        # Constraints that follow from others are left out: they have to follow for all values.
        if redundant and any(_redundant(model, structure.name) != redundant for model in _others(engine.live)):
            return Text(
                f'in structure "{structure.name}" it decides which constraints are independent',
                f"в структуре «{structure.name}» от него зависит, какие связи независимы",
            )
    return None


RANK = 1e-9
"""Singular value of constraints, each of length 1, below which they are looked at more closely."""


def still_fits(simulation: Simulation) -> bool:
    """Whether the equations are those of the values that the parameters have now.

    A length of zero may make constraints depend on each other that do not otherwise, and a mass of zero may leave
    nothing to move: the equations of such values are others.
    """
    engine = simulation.engine
    assert isinstance(engine, LiveEngine)
    model = engine.plain.model
    for structure in engine.model.structures:
        own = model.structure(structure.name)
        if bool(own.why_not) != bool(engine.fixed.model.structure(structure.name).why_not):
            return False
        if own.why_not or not (own.holds or own.changes):
            continue
        redundant = engine.setting(structure).redundant
        q = assemble(model, own, list(model.start.q), tree=engine.plain.tree).q
        rows = constraint_rows(model, engine.plain.tree, own, list(q), [0.0] * model.nv)
        J = np.array([row.J for row in rows], dtype=float).reshape(len(rows), model.nv)
        lengths = np.linalg.norm(J, axis=1, keepdims=True)
        J /= np.where(lengths > RANK * lengths.max(initial=0.0), lengths, np.inf)
        kept = [index for index in range(len(rows)) if index not in redundant]
        same = _rank(J[kept]) == len(kept) and (not redundant or _rank(J) == len(kept))
        # A posture may be singular by itself; to know is a matter of many postures.
        if not same and _redundant(model, structure.name) != redundant:
            return False
    return True


def _rank(J: Array) -> int:
    return int((np.linalg.svd(J, compute_uv=False) > RANK).sum()) if J.size else 0


def _redundant(model: Model, name: str) -> frozenset[int]:
    return frozenset(mobility(model, model.structure(name)).redundant)


def _others(live: LiveModel) -> Iterator[Model]:
    """Models near by, each with all parameters changed by different parts of themselves."""
    for step in (0.03, -0.02):
        changed = [value * (1 + step * (1 + place % 7 / 10)) for place, value in enumerate(live.values)]
        with suppress(SistelError):
            yield live.near(changed)


class Tuned(Simulation):
    """A live simulation with its parameters at some values: what its runs go on with, whatever was simulated since."""

    def __init__(self, whole: Simulation, values: Sequence[float]) -> None:
        """Nothing is computed yet.

        Args:
            whole: The live simulation.
            values: Of its parameters, in the order of their names [SI].
        """
        self.whole, self.values = whole, tuple(values)
        self.order, self.tolerance, self.weights = whole.order, whole.tolerance, whole.weights
        self.scheme, self.watchful, self.explicit = whole.scheme, whole.watchful, whole.explicit
        self.variations, self.surfaces = whole.variations, whole.surfaces
        self.contacts = whole.contacts

    @property
    def engine(self) -> LiveEngine:  # type: ignore[override]
        """With these values."""
        assert isinstance(self.whole.engine, LiveEngine)
        if self.whole.engine.values != self.values:
            self.whole.follow(self.values)
        return self.whole.engine

    def compiled(self, name: str) -> CompiledStructure:
        """As of a simulation."""
        assert self.engine is self.whole.engine
        return self.whole.compiled(name)

    def start(self, structure: Structure) -> tuple[Array, Sequence[RunWarning]]:
        """As of a simulation."""
        assert self.engine is self.whole.engine
        return self.whole.start(structure)

    def run(self, *state: object, **options: object) -> Run:
        """As of a simulation."""
        assert self.engine is self.whole.engine
        try:
            return self.whole.run(*state, **options)
        except RunError as problem:
            raise RunError(problem.diagnostics, problem.run.kept_by(self, problem.run.longest)) from None
