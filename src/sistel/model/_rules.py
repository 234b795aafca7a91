"""What transitions do besides changing the structure: strikes, counters, laws of impulses, bands of guards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sistel.errors import Diagnostics, Span, Text
from sistel.markup import Expression, Node, walk_expression
from sistel.markup import expressions as nodes
from sistel.model._assembly import MountedFile
from sistel.model._check import Checker, constant
from sistel.model._contact_elements import Blade, Contact
from sistel.model._control import Scheme
from sistel.model._elements import Closure, Coupling, Drive, Force, Formula, Lock, Motion
from sistel.model._formulas import one_formula, si_number
from sistel.model._links import links_of
from sistel.model._model import Counter, Impulse, Memory, Recount, Structure, Transition
from sistel.model._names import Names
from sistel.units import ANGLE, FORCE, LENGTH, MOMENT, PLAIN, TIME, Dimension, dimension_name

BOUNCING = ("newton", "poisson", "coulomb")
"""Impact rules in which contacts may come off again."""

Acting = tuple[Sequence[Force], Sequence[Drive]]
"""What acts by formulas: forces, and the limits of clutches."""

_AWAY = {">": 1.0, ">=": 1.0, "rises": 1.0, "<": -1.0, "<=": -1.0, "falls": -1.0}
"""On which side of its threshold a comparison holds."""


def counters(parts: list[MountedFile], names: Names) -> tuple[Counter, ...]:
    """All declared counters."""
    made = []
    for part, node in links_of(parts, "counter"):
        own = node.text("name")
        if own is not None and names.declare("counter", part.scope.full(own), node.at("name")):
            made.append(Counter(name=part.scope.full(own), start=part.values.one(node, "value"), span=node.span))
    return tuple(made)


# --- who strikes -----------------------------------------------------------------------------------------------------


def strikes(
    node: Node,
    named: tuple[str, ...],
    impact: str,
    condition: Expression,
    contacts: Mapping[str, Contact],
    new: Sequence[str],
    slides: Sequence[str],
    diagnostics: Diagnostics,
) -> tuple[str, ...]:
    """The contacts that strike in a transition by a rule of their own.

    A contact that slides afterwards strikes by Coulomb's law whatever the rule: friction has its part in the impulse.

    Args:
        node: The transition.
        named: Those that it names.
        impact: Its rule.
        condition: Its condition.
        contacts: Of the system.
        new: Links that begin to hold.
        slides: Contacts that slide in the structure that is entered.
        diagnostics: Takes the remarks.
    """
    if impact == "none":
        if named:
            diagnostics.error(
                "no-impact-rule",
                node.at("strikes"),
                Text(f'"{named[0]}" strikes without an impact rule', f"«{named[0]}» ударяет без правила удара"),
                expected=Text(
                    "impact: plastic, newton, poisson or coulomb", "удар: пластический, ньютон, пуассон, кулон"
                ),
            )
        return ()
    # Where links begin to hold, contacts that slide already take part in the impact as well.
    rubbing = tuple(name for name in slides if new and name in contacts and contacts[name].friction)
    if named or impact == "plastic":
        return tuple(dict.fromkeys((*named, *rubbing)))
    held = tuple(name for name in new if name in contacts)
    if held:
        return tuple(dict.fromkeys((*held, *rubbing)))
    asked = (one for one in walk_expression(condition) if isinstance(one, nodes.Call) and one.function == "gap")
    touched = (argument.name for call in asked for argument in call.arguments if isinstance(argument, nodes.Name))
    found = tuple(dict.fromkeys(name for name in touched if name in contacts))
    if not found and not new:
        diagnostics.warning(
            "nothing-strikes",
            node.at("impact"),
            Text(
                "an impact rule, but nothing strikes: no link begins to hold, and the condition asks for no gap",
                "правило удара есть, а ударять нечему: ни одна связь не начинает держать, зазоров в условии нет",
            ),
            expected=Text("strikes: the contacts that strike", "ударяют: контакты, которые ударяют"),
        )
    return found


def check_rebound(
    node: Node, impact: str, restitution: float, new: Sequence[str], target: Structure, diagnostics: Diagnostics
) -> None:
    """Warn that what holds afterwards cannot bounce."""
    if restitution and impact in BOUNCING and new and set(new) <= set(target.holds):
        diagnostics.warning(
            "no-rebound",
            node.at("restitution"),
            Text(
                f'"{new[0]}" holds in structure "{target.name}" and cannot bounce off: restitution does nothing here',
                f"«{new[0]}» держит в структуре «{target.name}» и не может отскочить: восстановление не действует",
            ),
            hint=Text(
                "lead to a structure in which it does not hold", "ведите в структуру, в которой эта связь не держит"
            ),
        )


def check_margins(expression: Expression, contacts: Mapping[str, Contact], diagnostics: Diagnostics) -> None:
    """Refuse the margin of a contact that has no friction cone."""
    for call in walk_expression(expression):
        if (
            not isinstance(call, nodes.Call)
            or call.function != "margin"
            or not isinstance(call.arguments[0], nodes.Name)
        ):
            continue
        contact = contacts.get(call.arguments[0].name)
        if contact is not None and contact.friction is None:
            diagnostics.error(
                "no-cone",
                call.span,
                Text(
                    f'contact "{contact.name}" sticks whatever the force: it has no friction cone',
                    f"контакт «{contact.name}» сцеплен при любой силе: конуса трения у него нет",
                ),
                expected=Text("a contact with a coefficient of friction", "контакт с коэффициентом трения"),
                related=[(contact.span, Text("it is declared here", "он описан здесь"))],
            )


# --- links that begin to hold ----------------------------------------------------------------------------------------

MEETING = (1e-7, 1e-7)
"""How far apart links may be that meet [m, rad]: what rounding and the tolerance of a run leave."""


def keeps_offsets(
    node: Node,
    new: Sequence[str],
    links: Mapping[str, Closure | Contact | Blade | Lock | Coupling],
    diagnostics: Diagnostics,
) -> bool:
    """Whether couplings that begin to hold keep the offset that they find."""
    if node.text("engage") != "found":
        return False
    if not any(isinstance(links.get(name), Coupling) for name in new):
        diagnostics.error(
            "nothing-engages",
            node.at("engage"),
            Text(
                "no coupling begins to hold in this transition: nothing can keep its offset",
                "в этом переходе ни одна передача не начинает держать: сохранять сдвиг нечему",
            ),
            expected=Text("a structure in which a coupling holds anew", "структура, в которой передача держит впервые"),
            hint=Text(
                "a lock holds two bodies as it finds them; within= pulls closures and contacts together",
                "замок держит два тела так, как застал их; допуск= стягивает замыкания и контакты",
            ),
        )
        return False
    return True


def within(
    node: Node,
    new: Sequence[str],
    links: Mapping[str, Closure | Contact | Blade | Lock | Coupling],
    part: MountedFile,
    diagnostics: Diagnostics,
) -> tuple[float, ...]:
    """How far apart links that begin to hold may be [m, rad]; empty where nothing is said of it."""
    attribute = node.attributes.get("within")
    if attribute is None:
        return ()
    assert isinstance(attribute.value, tuple)
    found = list(MEETING)
    for number, expression in enumerate(attribute.value):
        assert not isinstance(expression, str)
        value = constant(expression, part.scope, diagnostics)
        if value is None:
            return ()
        if value[0] < 0:
            part.values.negative(node, "within", value[0])
            return ()
        at = attribute.parts[number] if attribute.parts else attribute.span
        if value[1] not in (LENGTH, ANGLE):
            diagnostics.error(
                "wrong-dimension",
                at,
                Text(
                    f"links are apart by a length or an angle, not by this: {dimension_name(value[1])}",
                    f"связи расходятся на длину или угол, а это: {dimension_name(value[1], 'ru')}",
                ),
                expected=Text("a number with its unit, as 1 mm or 0.5 deg", "число с единицей: 1 мм, 0.5 град"),
            )
            return ()
        found[0 if value[1] == LENGTH else 1] = value[0]
    if not any(isinstance(links.get(name), (Closure, Contact, Coupling)) for name in new):
        diagnostics.warning(
            "nothing-engages",
            node.at("within"),
            Text(
                "no closure, contact or coupling begins to hold in this transition: within= does nothing",
                "в этом переходе ни замыкание, ни контакт, ни передача не начинают держать: допуск= не действует",
            ),
        )
    return tuple(found)


# --- counters and laws -----------------------------------------------------------------------------------------------


def recounts(
    node: Node, counted: Sequence[tuple[str, Span]], part: MountedFile, names: Names, diagnostics: Diagnostics
) -> tuple[Recount, ...]:
    """Counters that a transition changes: those that it counts, and those that it sets."""
    made = [Recount(counter=name, value=None, span=span) for name, span in counted]
    for item in node.of("set"):
        counter = set_counter(item, part, names)
        if counter is None:
            continue
        attribute = item.attributes.get("value")
        if "rate" in item.attributes or attribute is None:
            diagnostics.error(
                "wrong-counter",
                item.at("rate" if "rate" in item.attributes else "of"),
                Text("a counter has a value, and no rate", "у счётчика есть значение, а скорости нет"),
                expected=Text("value", "значение"),
            )
            continue
        assert isinstance(attribute.value, tuple)
        expression = attribute.value[0]
        assert not isinstance(expression, str)
        value = one_formula(expression, PLAIN, "", part, names, diagnostics)
        if value is not None:
            made.append(Recount(counter=counter, value=value, span=item.span))
    return tuple(made)


def set_counter(item: Node, part: MountedFile, names: Names) -> str | None:
    """The counter that a `set` means, if it means one; a coordinate of that name comes first."""
    given = item.names("of")
    if not given or part.scope.full(given[0]) in names.slots or part.scope.full(given[0]) in names.joint_bodies:
        return None
    found = names.find(("counter",), given[0], part.scope)
    return None if found is None else found[1]


def impulses(
    node: Node, part: MountedFile, names: Names, contacts: Mapping[str, Contact], diagnostics: Diagnostics
) -> tuple[Impulse, ...]:
    """Impulses that the laws of a transition give."""
    made = []
    for item in node.of("impulse"):
        given, attribute = item.names("of"), item.attributes.get("value")
        if not given or attribute is None:
            continue
        assert isinstance(attribute.value, tuple)
        expressions = [one for one in attribute.value if not isinstance(one, str)]
        contact = names.find(("contact",), given[0], part.scope)
        rate, dimension, unit = None, FORCE.times(TIME), "N*s"
        if contact is None:
            target = names.coordinate(given[0], part.scope, item.at("of"))
            if target is None:
                continue
            if len(target.rates) != 1 or target.place:
                diagnostics.error(
                    "wrong-coordinate",
                    item.at("of"),
                    Text("name one coordinate, such as trunk.x", "назовите одну координату, например корпус.x"),
                )
                continue
            rate = target.rates[0]
            if target.kinds[0] == "turn":
                dimension, unit = MOMENT.times(TIME), "N*m*s"
        if len(expressions) not in ((1, 2) if contact is not None else (1,)):
            diagnostics.error(
                "wrong-count",
                attribute.span,
                Text(f"{len(expressions)} numbers are too many", f"чисел слишком много: {len(expressions)}"),
                expected=Text("along the normal, and along the tangent", "вдоль нормали и вдоль касательной"),
            )
            continue
        values = [one_formula(one, dimension, unit, part, names, diagnostics) for one in expressions]
        if any(value is None for value in values):
            continue
        name = None if contact is None else contact[1]
        known = tuple(value for value in values if value is not None)
        made.append(Impulse(contact=name, rate=rate, values=known, span=item.span))
    return tuple(made)


# --- bands of guards -------------------------------------------------------------------------------------------------


def banded(condition: Expression, node: Node, part: MountedFile, names: Names, diagnostics: Diagnostics) -> Expression:
    """A condition whose comparisons must pass their thresholds by the hysteresis of a transition."""
    attribute = node.attributes.get("hysteresis")
    if attribute is None:
        return condition
    assert isinstance(attribute.value, tuple)
    bands: list[tuple[float, Dimension]] = []
    for expression in attribute.value:
        assert not isinstance(expression, str)
        found = constant(expression, part.scope, diagnostics)
        if found is None:
            return condition
        if found[0] < 0:
            part.values.negative(node, "hysteresis", found[0])
            return condition
        bands.append(found[:2])
    used: set[int] = set()
    checker = Checker(part.scope, diagnostics, names)
    whole = _Names(checker)

    def widen(one: Expression, sign: float) -> Expression:
        match one:
            case nodes.Not():
                return replace(one, operand=widen(one.operand, -sign))
            case nodes.Logic():
                return replace(one, operands=tuple(widen(operand, sign) for operand in one.operands))
            case nodes.Compare() | nodes.Crossing():
                return _widened(one, sign, bands, used, whole)
        return one

    made = widen(condition, 1.0)
    for index, (_, dimension) in enumerate(bands):
        if index not in used:
            diagnostics.error(
                "no-threshold",
                attribute.parts[index] if attribute.parts else attribute.span,
                Text(
                    f"no comparison of the condition has a side and this dimension: {dimension_name(dimension)}",
                    f"в условии нет сравнения с такой размерностью: {dimension_name(dimension, 'ru')}",
                ),
                expected=Text("a comparison with <, >, rises or falls", "сравнение с <, >, растёт или падает"),
            )
    return made


class _Names:
    """Dimensions of sides of a condition that was checked before: its names are full already."""

    def __init__(self, checker: Checker) -> None:
        self.prefix, self.checker = checker.scope.prefix, checker

    def dimension(self, node: Expression) -> Dimension | None:
        quiet = Checker(self.checker.scope, Diagnostics(), self.checker.names)
        typed = quiet.check(_local(node, self.prefix))
        return None if typed is None or typed.zero else typed.dimension


def _local(node: Expression, prefix: str) -> Expression:
    """An expression with the names that its own file uses."""
    if not prefix:
        return node
    match node:
        case nodes.Name() if node.name.startswith(prefix):
            return replace(node, name=node.name.removeprefix(prefix))
        case nodes.Call():
            return replace(node, arguments=tuple(_local(one, prefix) for one in node.arguments))
        case nodes.Binary():
            return replace(node, left=_local(node.left, prefix), right=_local(node.right, prefix))
        case nodes.Unary():
            return replace(node, operand=_local(node.operand, prefix))
        case nodes.Member():
            return replace(node, operand=_local(node.operand, prefix))
    return node


def _widened(
    node: nodes.Compare | nodes.Crossing,
    sign: float,
    bands: Sequence[tuple[float, Dimension]],
    used: set[int],
    names: _Names,
) -> Expression:
    operator: str = node.operator if isinstance(node, nodes.Compare) else node.direction
    way = sign * _AWAY.get(operator, 0.0)
    level = node.right if isinstance(node, nodes.Compare) else node.level
    dimension = names.dimension(node.left) or names.dimension(level)
    if not way or dimension is None:
        return node
    for index, (band, own) in enumerate(bands):
        if not (own == dimension or (own.fits(dimension) and not own.plain)):
            continue
        used.add(index)
        if not band:
            return node
        number = si_number(band, dimension, level.span)
        moved: Expression = nodes.Binary(span=level.span, operator="+" if way > 0 else "-", left=level, right=number)
        if isinstance(level, nodes.Number) and level.value == 0.0 and way > 0:
            moved = number
        if isinstance(node, nodes.Compare):
            return replace(node, right=moved)
        return replace(node, level=moved)
    return node


# --- memory ----------------------------------------------------------------------------------------------------------


def memory(
    declared: Sequence[Counter],
    structures: Sequence[Structure],
    start: tuple[str, float],
    acting: Acting,
    motions: Sequence[Motion],
    transitions: Sequence[Transition],
    schemes: Sequence[Scheme] = (),
) -> tuple[Memory, ...]:
    """What states have to remember: all counters, entries into structures and the time of the last one where asked for.

    A system without transitions has nothing to remember.
    """
    if not transitions:
        return ()
    made = [Memory(kind="counter", name=counter.name, start=counter.start) for counter in declared]
    known = {counter.name for counter in declared}
    calls = list(_calls(acting, motions, transitions, schemes))
    asked = [call.arguments[0] for call in calls if call.function == "counter"]
    entries = {argument.name for argument in asked if isinstance(argument, nodes.Name)} - known
    asked_for = (structure.name for structure in structures if structure.name in entries)
    made += [Memory(kind="entries", name=name, start=float(name == start[0])) for name in asked_for]
    if any(call.function == "elapsed" for call in calls) or any(motion.since_entry for motion in motions):
        made.append(Memory(kind="entered", name="", start=start[1]))
    return tuple(made)


def check_clocks(
    acting: Acting, motions: Sequence[Motion], schemes: Sequence[Scheme], span: Span, diagnostics: Diagnostics
) -> None:
    """Refuse the time since an entry where contacts make the structures by themselves."""
    asked = [call.span for call in _calls(acting, motions, (), schemes) if call.function in ("elapsed", "counter")]
    asked += [motion.span for motion in motions if motion.since_entry]
    if asked:
        diagnostics.error(
            "no-structures",
            asked[0],
            Text(
                "contacts make the structures here, and their entries are not counted",
                "структуры здесь образуют контакты, и вход в них не отсчитывается",
            ),
            expected=Text("written structures and transitions", "записанные структуры и переходы"),
            related=[(span, Text("the system has none", "в системе их нет"))],
        )


def _calls(
    acting: Acting, motions: Sequence[Motion], transitions: Sequence[Transition], schemes: Sequence[Scheme]
) -> Iterator[nodes.Call]:
    """Quantities that anything of the file asks for while it moves."""
    forces, drives = acting
    formulas: list[Formula] = [component for force in forces for component in force.components]
    formulas += [drive.limit for drive in drives if drive.limit is not None]
    formulas += [formula for motion in motions for formula in motion.formulas]
    for transition in transitions:
        for reset in transition.resets:
            formulas += [one for one in (reset.value, reset.velocity) if one is not None]
        formulas += [recount.value for recount in transition.recounts if recount.value is not None]
        formulas += [value for impulse in transition.impulses for value in impulse.values]
    roots = [formula.expression for formula in formulas] + [transition.condition for transition in transitions]
    for scheme in schemes:
        roots += [signal.value for signal in scheme.signals]
        roots += [store.following for store in scheme.stores]
        roots += [command.value.expression for command in scheme.commands]
    for root in roots:
        yield from (node for node in walk_expression(root) if isinstance(node, nodes.Call))
