"""Live parameters: the model with numbers that follow them.

A parameter that decides what the system consists of, or turns the axis of a hinge, cannot be followed: other values
need other equations. What was compared while the description was read tells which these are (`expr.Watched`): values,
some near and some far, must make the same system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from sistel.errors import SistelError, Text, refuse
from sistel.expr import Expr, Program, Traced, evaluate
from sistel.kept import cached_property
from sistel.model._elements import Closure, Joint
from sistel.model._letters import Lettered, leaves
from sistel.model._model import Model
from sistel.model._structures import massless

_STEPS: Final = (1e-3, -1e-3, 0.3, -0.2)
"""By which part of themselves parameters are changed in the check."""


@dataclass(frozen=True, eq=False)
class LiveModel:
    """A model whose numbers follow parameters.

    Attributes:
        model: The model; its numbers have today's values and know their formulas.
        names: The parameters that are followed, in the order of the block of inputs `expr.LIVE`.
        values: Their values today [SI].
        refused: Why other parameters that were asked for cannot be followed.
        plain: The model in plain numbers, today's.
    """

    model: Model
    names: tuple[str, ...]
    values: tuple[float, ...]
    refused: Mapping[str, Text]
    plain: Model

    @cached_property
    def _numbers(self) -> tuple[dict[Traced, int], Program | None]:
        """All different numbers that follow parameters, and what computes them."""
        found: dict[Traced, int] = {}
        for _, value in leaves(self.model):
            if isinstance(value, Traced):
                found.setdefault(value, len(found))
        if not found:
            return found, None
        return found, next(iter(found)).node.graph.program({"numbers": [number.node for number in found]})

    @cached_property
    def sizes(self) -> Program | None:
        """What computes the masses and moments of inertia that follow parameters; no system has them below zero."""
        found = [
            number
            for body in self.model.bodies
            for number in (body.mass, *body.I_BBcm_B[:3])
            if isinstance(number, Traced)
        ]
        return found[0].node.graph.program({"sizes": [number.node for number in found]}) if found else None

    def numbers(self, values: Sequence[float]) -> dict[Traced, float]:
        """What the numbers of the model are for other values of the parameters."""
        places, line = self._numbers
        if line is None:
            return {}
        try:
            computed = evaluate(line, list(values))[0]
        except (ArithmeticError, ValueError):
            self.refuse(values)
        return dict(zip(places, computed, strict=True))

    def at(self, values: Sequence[float]) -> Model:
        """The model in plain numbers for other values of the parameters, built with them.

        Raises:
            SistelError: The file makes no sense with them, or the system is another one: friction vanishes.
        """
        if tuple(values) == self.values:
            return self.plain
        assert self.plain.recipe is not None
        made = self.plain.recipe.build(dict(zip(self.names, values, strict=True)))
        for own, other in zip(self.model.contacts, made.contacts, strict=True):
            if isinstance(own.friction, Traced) and other.friction == 0.0:
                self.refuse(values)  # such a contact never sticks
        return made

    def near(self, values: Sequence[float]) -> Model:
        """The model in plain numbers for other values of the parameters, as its formulas tell: nothing is checked."""
        lettered = self.plain.lettered
        assert lettered is not None
        try:
            return lettered.at(lettered.values_with(dict(zip(self.names, values, strict=True))))
        except (ArithmeticError, ValueError):
            self.refuse(values)

    def refuse(self, values: Sequence[float]) -> NoReturn:
        """Say that the equations do not hold for some values."""
        shown = ", ".join(f"{name} = {value:g}" for name, value in zip(self.names, values, strict=True))
        refuse(
            "no-live",
            Text(f"the equations do not hold for {shown}", f"уравнения не годятся для {shown}"),
            span=self.model.span,
        )


def live_model(model: Model, names: Sequence[str] | None = None) -> LiveModel:
    """A model whose numbers follow parameters.

    Args:
        model: In plain numbers, as it was built.
        names: The parameters to follow; by default all that the file gives as plain numbers and that can be followed.
    """
    lettered = model.lettered
    if lettered is None:
        message = Text("the system has no description any more", "описания системы больше нет")
        refuse("no-live", message, span=model.span)
    free = [
        parameter.name
        for place, parameter in enumerate(lettered.parameters)
        if place not in lettered.definitions and not parameter.name.startswith("<")
    ]
    chosen = tuple(free) if names is None else tuple(names)
    refused: dict[str, Text] = {}
    if _fault(model, lettered, chosen) is not None:
        for name in chosen:
            alone = _fault(model, lettered, (name,))
            if alone is not None:
                refused[name] = alone
        chosen = tuple(name for name in chosen if name not in refused)
        together = _fault(model, lettered, chosen)
        if together is not None:
            refused |= dict.fromkeys(chosen, together)
            chosen = ()
    followed, values = lettered.following(chosen)
    return LiveModel(followed, chosen, values, refused, model)


def _fault(model: Model, lettered: Lettered, names: Sequence[str]) -> Text | None:
    """Why some parameters cannot be followed together; None where they can."""
    if not names:
        return None
    whole, values = lettered.model, lettered.values_of(names)
    joints, closures = lettered.part_following((tuple(body.joint for body in whole.bodies), whole.closures), names)
    turning = _turning_axis(joints, closures)
    if turning is not None:
        return turning
    checked, reasons = False, model.structures[0].why_not
    for step in _STEPS:
        other = [
            value + step * (1 + place % 7 / 10) * (abs(value) or 1.0) for place, value in enumerate(values)
        ]  # steps differ, or a change in one could hide that in another
        try:
            letters = lettered.values_with(dict(zip(names, other, strict=True)))
            same = lettered.trace.holds(letters)
            numbers = lettered.numbers_at(letters)
        except (ArithmeticError, ValueError):
            continue  # the file makes no sense with these values
        checked = True
        if not same or not _as_built(model, lettered, numbers, dict(zip(names, other, strict=True))):
            return Text("it decides what the system is", "от него зависит устройство системы")
        bodies = lettered.put(whole.bodies, numbers)
        if tuple(text for _, text in massless(bodies, whole.planar, _linked(whole))) != reasons:
            return Text(
                "it decides what the system is: structures[0].why_not",
                "от него зависит устройство системы: structures[0].why_not",
            )
    if not checked:
        return Text("the file can be read with its own value only", "файл читается только с его значением")
    return None


def _as_built(model: Model, lettered: Lettered, numbers: Mapping[Expr, float], changes: Mapping[str, float]) -> bool:
    """Whether outlines that follow parameters are those that the file makes with them.

    Which of their parts may be touched at once, and how far behind a side nothing is free, is decided by values.
    """
    if model.recipe is None or not any(contact.outline is not None for contact in model.contacts):
        return True
    try:
        again = model.recipe.build(changes)
    except SistelError:
        return True  # the file makes no sense with these values
    made = [leaves(each) for each in (lettered.put(lettered.model.contacts, numbers), again.contacts)]
    if len(made[0]) != len(made[1]):
        return False
    return all(
        one[0] == other[0] and (one[1] == other[1] or _alike(one[1], other[1]))
        for one, other in zip(*made, strict=True)
    )


def _alike(one: object, other: object) -> bool:
    if not isinstance(one, float) or not isinstance(other, float):
        return type(one) is type(other) and not isinstance(one, (int, str))
    return abs(one - other) <= 1e-9 * (1.0 + abs(one))


def _linked(model: Model) -> bool:
    return bool(model.closures or model.contacts or model.blades or model.locks or model.couplings)


def _turning_axis(joints: Sequence[Joint], closures: Sequence[Closure]) -> Text | None:
    """Axes of hinges decide the form of the equations: they do not follow."""
    for joint in joints:
        if joint.type.key != "prismatic" and any(isinstance(x, Traced) for x in (*joint.axis, *joint.axis2)):
            name = joint.name
            return Text(f'the axis of joint "{name}" turns with it', f"ось сочленения «{name}» поворачивается с ним")
    for closure in closures:
        if any(isinstance(x, Traced) for x in (*closure.axis, *closure.axis2)):
            name = closure.name
            return Text(f'the axis of closure "{name}" turns with it', f"ось замыкания «{name}» поворачивается с ним")
    return None
