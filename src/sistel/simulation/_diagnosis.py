"""Why a motion cannot go on: the part of the file that has no value, links that depend on each other, or growth.

Looked for in plain numbers and only after a failure, where time does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import forced_at, split, with_memory
from sistel.errors import Span, Text
from sistel.markup import Binary, Call, Expression, Number, walk_expression
from sistel.mechanics import Quantities, around, constraint_rows, expression_value, narrow_place, narrow_words
from sistel.model import Blade, Closure, Contact, Coupling, Lock, Model, Structure
from sistel.records import entry
from sistel.simulation._compiled_structure import CompiledStructure

if TYPE_CHECKING:
    from sistel.arrays import Array


NEARLY = 1e-3
"""What is left of a divisor near its zero, in parts of what it was when the stay began."""
DEPENDENT = 1e-7
"""Independence of links, in parts of their size, below which rounding takes all digits of the forces between them."""
LYING = 1e-2
"""Sine of the angle between axis and normal below which a wheel counts as lying flat."""
HUGE = 1e6
"""Growth of a motion since the stay began that is called so."""


@entry
class Blame:
    """What stops a motion, and where it is written."""

    reason: Text
    span: Span


def whereabouts(model: Model, structure: Structure) -> Span:
    """A place in the file that stands for a structure: its own, that of a link it holds, or that of the system."""
    if structure.span is not None:
        return structure.span
    places = _places(model)
    return next((places[name] for name in structure.holds if name in places), model.span)


def _places(model: Model) -> dict[str, Span]:
    """Where every link is written."""
    kinds: tuple[tuple[Closure | Lock | Coupling | Contact | Blade, ...], ...]
    kinds = (model.closures, model.locks, model.couplings, model.contacts, model.blades)
    return {link.name: link.span for links in kinds for link in links}


def why_no_dynamics(model: Model, structure: Structure) -> Blame:
    """Why a structure has no equations, with the body that is the reason."""
    reason = structure.why_not[0]
    named = (body.span for body in model.bodies if f'"{body.name}"' in reason.en)
    return Blame(reason, next(named, whereabouts(model, structure)))


def blame(compiled: CompiledStructure, y: Array, earlier: Array) -> Blame | None:
    """What stops the motion of a structure in a state.

    Args:
        compiled: The structure.
        y: The last state that is valid.
        earlier: A state when all was well, such as the first of the stay.
    """
    engine, structure = compiled.engine.plain, compiled.structure
    with np.errstate(all="ignore"):
        return (
            _lying(compiled, y)
            or _narrow(compiled, y)
            or _condition(compiled, y, earlier)
            or _worst(list(_formulas(engine.model, structure)), compiled, y, earlier)
            or _links(compiled, y)
            or _growth(compiled, y, earlier)
        )


# --- formulas --------------------------------------------------------------------------------------------------------


def _formulas(model: Model, structure: Structure) -> Iterator[tuple[Text, Expression]]:
    """All formulas that the equations of a structure contain, and whose they are."""
    for force in model.forces:
        name = force.name or model.bodies[force.body - 1].name if force.body else force.name
        kind = Text("force", "сила") if force.kind == "force" else Text("moment", "момент")
        for part in force.components:
            yield Text(f'{kind.en} "{name}"', f"{kind.ru} «{name}»"), part.expression
    for motion in model.motions:
        if not motion.structures or structure.name in motion.structures:
            for part in motion.formulas:
                yield Text(f'motion "{motion.name}"', f"движение «{motion.name}»"), part.expression
    for contact in model.contacts:
        yield Text(f'contact "{contact.name}"', f"контакт «{contact.name}»"), contact.gap.expression


def _condition(compiled: CompiledStructure, y: Array, earlier: Array) -> Blame | None:
    """A condition that has no value."""
    taylor = compiled.taylor
    leaves = [(each.transition, leaf) for each in compiled.equations.exits for leaf in each.condition.leaves]
    if not leaves or not np.isfinite(y).all():
        return None
    rows = taylor(y, compiled.parameters(y)[: taylor.parameters])[1]
    for (transition, leaf), row in zip(leaves, rows, strict=False):
        if math.isfinite(row[0]):
            continue
        whose = Text(f'the condition of transition "{transition.name}"', f"условие перехода «{transition.name}»")
        inside = _worst([(whose, leaf.left), (whose, leaf.right)], compiled, y, earlier)
        return inside or Blame(Text(f"{whose.en} has no value", f"{whose.ru} не имеет значения"), transition.span)
    return None


@entry
class _Weak:
    """A part of a formula that has no value, or no derivative, where something in it is zero or negative."""

    node: Expression
    what: Expression
    """That something; for an arc sine or cosine, what must stay between -1 and 1."""
    kind: str


def _weak_parts(expression: Expression) -> Iterator[_Weak]:
    for node in walk_expression(expression):
        if isinstance(node, Binary) and node.operator == "/":
            yield _Weak(node, node.right, "divides")
        elif isinstance(node, Binary) and node.operator == "^":
            power = node.right.value if isinstance(node.right, Number) else 0.5
            if power != int(power) or power < 0:
                yield _Weak(node, node.left, "root" if power != int(power) else "divides")
        elif isinstance(node, Call) and node.function in ("sqrt", "ln", "log", "log10", "asin", "acos"):
            kind = "root" if node.function == "sqrt" else "arc" if node.function[0] == "a" else "log"
            yield _Weak(node, node.arguments[0], kind)


_REASONS = {
    "divides": Text("divides by zero", "делит на нуль"),
    "root": Text("takes the root of a negative number", "берёт корень из отрицательного числа"),
    "log": Text("takes the logarithm of no positive number", "берёт логарифм не положительного числа"),
    "arc": Text("takes an angle whose sine or cosine is beyond 1", "берёт угол с синусом или косинусом больше 1"),
}


def _worst(
    formulas: list[tuple[Text, Expression]], compiled: CompiledStructure, y: Array, earlier: Array
) -> Blame | None:
    """The part of some formulas that is nearest to where it has no value."""
    least, found = NEARLY, None
    for whose, expression in formulas:
        for part in _weak_parts(expression):
            now, before = (_value(part.what, compiled, state) for state in (y, earlier))
            if now is None or before is None:
                continue
            if part.kind == "arc":
                now, before = 1.0 - abs(now), 1.0 - abs(before)
            here = abs(now) / max(abs(before), 1e-300) if math.isfinite(now) else 0.0
            if now == 0.0 or (now < 0.0 and part.kind != "divides"):
                here = -1.0
            if here < least:
                least, found = here, (whose, part)
    if found is None:
        return None
    whose, part = found
    reason = _REASONS[part.kind]
    return Blame(Text(f"{whose.en} {reason.en}", f"{whose.ru} {reason.ru}"), part.node.span)


def _value(expression: Expression, compiled: CompiledStructure, y: Array) -> float | None:
    """The value of an expression in a state; None where that takes forces of links, nan where there is none."""
    engine = compiled.engine.plain
    model = with_memory(engine.model, y.tolist())
    q, v, t = split(model, y.tolist())
    state = Quantities(model, engine.tree, q, v, t)
    try:
        found = expression_value(expression, state.names, state)
        return float(found) if isinstance(found, (int, float)) else None
    except ArithmeticError:
        return math.nan
    except (ValueError, TypeError, AssertionError, KeyError):
        return None


# --- links, and growth -----------------------------------------------------------------------------------------------


def _state(compiled: CompiledStructure, y: Array) -> Quantities | None:
    """What follows from a state; None where it is not finite."""
    engine = compiled.engine.plain
    if not np.isfinite(y).all():
        return None
    q, v, t = split(engine.model, y.tolist())
    return Quantities(engine.model, engine.tree, q, v, t)


def _lying(compiled: CompiledStructure, y: Array) -> Blame | None:
    """A wheel that has fallen flat on its surface."""
    state = _state(compiled, y)
    if state is None:
        return None
    for contact in state.model.contacts:
        if contact.round is None or contact.round.axis is None:
            continue
        tilt = state.wheel_tilt(contact)
        if isinstance(tilt, (int, float)) and tilt < LYING:
            return Blame(
                Text(
                    f'the wheel of contact "{contact.name}" lies down flat, and no place of its rim touches first',
                    f"колесо контакта «{contact.name}» ложится плашмя, и ни одно место обода не касается первым",
                ),
                contact.span,
            )
    return None


def _narrow(compiled: CompiledStructure, y: Array) -> Blame | None:
    """Ground that is too narrow for what rolls on it."""
    state = _state(compiled, y)
    if state is None:
        return None
    for contact in state.model.contacts:
        if contact.height is not None:
            narrow = narrow_place(state.model, contact, around(contact, state.from_surface(contact)[1]))
            if narrow is not None:
                return Blame(narrow_words(contact, narrow), contact.span)
    return None


def _links(compiled: CompiledStructure, y: Array) -> Blame | None:
    """Links that depend on each other in a posture, where the mechanism could go more than one way."""
    engine, structure = compiled.engine.plain, compiled.structure
    if not np.isfinite(y).all():
        return None
    q, v, t = split(engine.model, y.tolist())
    setting = engine.setting(structure)
    rows = setting.kept(constraint_rows(engine.model, engine.tree, structure, q, v, t=t))
    forced = forced_at(engine.model, engine.tree, structure, q, v, t)
    J = np.array([row.J for row in [*rows, *forced]], dtype=float)
    if not rows or not np.isfinite(J).all():
        return None
    left, sizes, _ = np.linalg.svd(J, full_matrices=True)
    if len(J) <= J.shape[1] and sizes[-1] > DEPENDENT * sizes[0]:
        return None
    name = rows[int(np.abs(left[: len(rows), -1]).argmax())].link
    span = _places(engine.model).get(name, whereabouts(engine.model, structure))
    return Blame(
        Text(
            f'link "{name}" depends on others in this posture: it is singular, and the motion beyond it is not unique',
            f"связь «{name}» в этом положении зависит от других: оно особое, и движение за ним не единственно",
        ),
        span,
    )


def _growth(compiled: CompiledStructure, y: Array, earlier: Array) -> Blame | None:
    """A motion that becomes larger and larger."""
    now, before = (float(np.abs(state[:-1]).max(initial=0.0)) for state in (y, earlier))
    if math.isfinite(now) and now <= HUGE * max(1.0, before):
        return None
    model = compiled.engine.plain.model
    return Blame(
        Text("it grows beyond all bounds", "оно растёт без предела"),
        whereabouts(model, compiled.structure),
    )


def stopped(compiled: CompiledStructure, y: Array, earlier: Array, reason: Text) -> tuple[Text, Span]:
    """What is said of a motion that cannot go on, and where in the file the cause is."""
    name, found = compiled.structure.name, blame(compiled, y, earlier)
    if found is None:
        span = whereabouts(compiled.engine.plain.model, compiled.structure)
        return Text(
            f'{reason.en} at {y[-1]:.9g} s, structure "{name}"',
            f"{reason.ru} в момент {y[-1]:.9g} с, структура «{name}»",
        ), span
    return Text(
        f'the motion cannot go on at {y[-1]:.9g} s, structure "{name}": {found.reason.en}',
        f"движение не может продолжаться в момент {y[-1]:.9g} с, структура «{name}»: {found.reason.ru}",
    ), found.span
