"""Model → plain data: the rows that the terminal, JSON and the notebook show, in SI."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

from sistel.errors import Language, user_language
from sistel.markup import Expression, print_expression
from sistel.markup.schema import BLOCK_KINDS, CLASSES, ELEMENT_BY_KEY, INPUT_KINDS, SENSOR_KINDS
from sistel.model import (
    ONLY,
    Blade,
    Closure,
    Contact,
    Coupling,
    Drive,
    Formula,
    Item,
    Lock,
    Model,
    Pair,
    Posture,
    Structure,
    Transition,
    written_truths,
)
from sistel.model.charts import Chart
from sistel.model.joints import COORDINATE_WORDS
from sistel.pose import Rotation, roll_pitch_yaw
from sistel.units import si_symbol
from sistel.views.text._numbers import clean
from sistel.views.text._rows import (
    BodyRow,
    CoordinateRow,
    LinkRow,
    MotorRow,
    ParameterRow,
    SchemeRow,
    SignalRow,
    StateRow,
    StructureRow,
    Summary,
    TransitionRow,
)

_RUSSIAN_COORDINATES = {word: russian for russian, word in COORDINATE_WORDS.items() if word not in ("x", "y")}


def summarize(model: Model, lang: Language | None = None) -> Summary:
    """The rows of a model; conditions and reasons are in the words of `lang`."""
    lang = lang or user_language()
    size = 2 if model.planar else 3
    rates = _rate_names(model, lang)
    return Summary(
        name=clean(model.name),
        about=clean(model.about),
        file=clean(model.span.source.path),
        planar=model.planar,
        structure_class=model.structure_class,
        class_words=class_words(model.structure_class, lang),
        nq=model.nq,
        nv=model.nv,
        mass=math.fsum(body.mass for body in model.bodies),
        gravity=model.gravity[:size],
        bodies=tuple(_bodies(model, size, lang)),
        bases=model.bases,
        links=tuple(_links(model, size, rates, lang)),
        structures=tuple(_structure(model, structure, lang) for structure in model.structures),
        declared=[structure.name for structure in model.structures] != [ONLY] or model.structures[0].span is not None,
        transitions=tuple(_transition(transition, rates, lang) for transition in model.transitions),
        motors=tuple(_motors(model, rates)),
        schemes=tuple(_schemes(model, lang)),
        parameters=tuple(
            ParameterRow(
                name=clean(parameter.name),
                value=parameter.value,
                unit="" if parameter.dimension.plain else si_symbol(parameter.dimension, lang),
                minimum=parameter.minimum,
                maximum=parameter.maximum,
                about=clean(parameter.about),
                dimension=parameter.dimension,
            )
            for parameter in model.parameters
        ),
        start=tuple(_start(model, model.start, lang)),
        counts=tuple((key, len(getattr(model, key))) for key in COUNTED if getattr(model, key)),
    )


COUNTED = ("points", "frames", "shapes", "forces", "springs", "tracks", "stops", "motions", "postures", "groups")


def class_words(structure_class: str, lang: Language) -> str:
    """The words of a class's abbreviation."""
    return CLASSES.choice(structure_class).doc.say(lang)


def _bodies(model: Model, size: int, lang: Language) -> Iterable[BodyRow]:
    for body in model.bodies:
        joint = body.joint
        yield BodyRow(
            number=body.number,
            name=clean(body.name),
            base=body.base,
            joint=joint.type.key,
            joint_name=clean(joint.name),
            axis=joint.axis if joint.type.uses_axis else None,
            place=body.p_PB[:size],
            turn=_turn(body.R_PB, model.planar),
            coordinates=tuple(
                CoordinateRow(name=coordinate_word(name, lang), kind=kind, minimum=low, maximum=high)
                for (name, kind), low, high in zip(joint.type.rates, joint.minimum, joint.maximum, strict=True)
            ),
            mass=body.mass,
            com=body.p_BoBcm_B[:size],
            inertia=body.I_BBcm_B[2:3] if model.planar else body.I_BBcm_B,
        )


def _turn(turn: Rotation, planar: bool) -> tuple[float, ...]:
    if planar:
        return (math.atan2(turn[1][0], turn[0][0]),)
    return roll_pitch_yaw(turn)


def coordinate_word(name: str, lang: Language) -> str:
    """The word of a coordinate in a language."""
    return _RUSSIAN_COORDINATES.get(name, name) if lang == "ru" else name


def _rate_names(model: Model, lang: Language) -> list[str]:
    """A name for every number of v."""
    return [
        clean(f"{body.name}.{coordinate_word(name, lang)}" if name else body.name)
        for body in model.bodies
        for name, _ in body.joint.type.rates
    ]


def _links(model: Model, size: int, rates: list[str], lang: Language) -> Iterable[LinkRow]:
    for closure in model.closures:
        yield _closure(closure, size)
    pairs: set[str] = set()
    for contact in model.contacts:
        if contact.pair is None:
            yield _contact(contact, size, lang)
        elif contact.pair.name not in pairs:
            pairs.add(contact.pair.name)
            yield _pair(contact, contact.pair, model, lang) if contact.pair.to else _several(contact, size, lang)
    for blade in model.blades:
        yield _blade(blade, size)
    for lock in model.locks:
        yield _lock(lock, rates, model)
    for coupling in model.couplings:
        yield _coupling(coupling, model)
    for drive in model.drives:
        yield _drive(drive, model, lang)


def _closure(closure: Closure, size: int) -> LinkRow:
    sides = (closure.first, closure.second)
    return LinkRow(
        kind="closure",
        name=clean(closure.name),
        always=closure.always,
        joint=closure.type.key,
        axis=closure.axis if closure.type.uses_axis else None,
        bodies=tuple(side.body for side in sides),
        places=tuple(side.p_BS[:size] for side in sides),
        found=closure.found,
    )


def _contact(contact: Contact, size: int, lang: Language) -> LinkRow:
    return LinkRow(
        kind="contact",
        name=clean(contact.name),
        always=False,
        bodies=(contact.body, contact.on),
        places=(contact.p_BP[:size],),
        point=clean(contact.point),
        gap=clean(_formula(contact.gap, lang)),
        friction="stick" if contact.friction is None else contact.friction,
        impact=None if contact.rolls else contact.impact,
        restitution=None if contact.rolls else contact.restitution,
        radius=None if contact.round is None else contact.round.radius,
        rolls=contact.rolls or None,
        speed=None if contact.belt is None else clean(_formula(contact.belt, lang)),
    )


def _several(contact: Contact, size: int, lang: Language) -> LinkRow:
    """A shape that touches a surface with its corners, ends or rims."""
    assert contact.pair is not None
    return replace(_contact(contact, size, lang), name=clean(contact.pair.name), places=(), radius=None)


def _pair(contact: Contact, pair: Pair, model: Model, lang: Language) -> LinkRow:
    bodies = (contact.body, contact.on)
    own = [shape.body for shape in model.shapes if shape.name == pair.of and not pair.is_point]
    return LinkRow(
        kind="contact",
        name=clean(pair.name),
        always=False,
        bodies=bodies[::-1] if own and own[0] != contact.body else bodies,
        point=clean(pair.of),
        shape=clean(pair.to),
        contacts=sum(each.pair is not None and each.pair.name == pair.name for each in model.contacts),
        friction="stick" if contact.friction is None else contact.friction,
        impact=contact.impact,
        restitution=contact.restitution,
        speed=None if contact.belt is None else clean(_formula(contact.belt, lang)),
    )


def _blade(blade: Blade, size: int) -> LinkRow:
    return LinkRow(
        kind="blade",
        name=clean(blade.name),
        always=blade.always,
        axis=blade.across,
        bodies=(blade.body, blade.on),
        places=(blade.p_BP[:size],),
        point=clean(blade.point),
    )


def _lock(lock: Lock, rates: list[str], model: Model) -> LinkRow:
    return LinkRow(
        kind="lock",
        name=clean(lock.name),
        always=lock.always,
        bodies=() if lock.first is None else (lock.first, lock.second or 0),
        coordinates=tuple(rates[index] for index in lock.rates) if lock.first is None else (),
        kinds=tuple(model.rate_kinds[index] for index in lock.rates) if lock.first is None else (),
    )


def _coupling(coupling: Coupling, model: Model) -> LinkRow:
    kinds = [kind for body in model.bodies for _, kind in body.joint.type.coordinates]
    ends = [coupling.driven, coupling.driver] + ([] if coupling.second is None else [coupling.second])
    return LinkRow(
        kind="coupling" if coupling.second is None else "differential",
        name=clean(coupling.name),
        always=coupling.always,
        coordinates=tuple(clean(model.coordinate_names[index]) for index in ends),
        kinds=tuple(kinds[index] for index in ends),
        ratio=coupling.ratio,
        offset=coupling.offset,
    )


def _drive(drive: Drive, model: Model, lang: Language) -> LinkRow:
    return replace(
        _coupling(drive.coupling, model),
        kind="gear" if drive.limit is None else "brake" if drive.brakes else "clutch",
        limit=None if drive.limit is None else clean(_formula(drive.limit, lang)),
        backlash=drive.backlash or None,
        stiffness=drive.stiffness,
        efficiency=(drive.efficiency, drive.backward) if drive.loses else None,
        restitution=drive.restitution if drive.rigid and drive.backlash else None,
    )


def _formula(formula: Formula, lang: Language) -> str:
    return print_expression(formula.expression, lang)


def _structure(model: Model, structure: Structure, lang: Language) -> StructureRow:
    return StructureRow(
        name=clean(structure.name),
        initial=structure.name == model.start_structure,
        structure_class=structure.structure_class,
        dof=structure.dof,
        places=structure.dof + structure.rolling,
        loops=structure.loops,
        holds=tuple(map(clean, structure.holds)),
        changes=tuple(
            (
                clean(model.bodies[change.body - 1].name),
                change.type.key,
                None if change.about is None else clean(change.about),
            )
            for change in structure.changes
        ),
        why_not=tuple(clean(text.say(lang)) for text in structure.why_not),
    )


def _transition(transition: Transition, rates: list[str], lang: Language) -> TransitionRow:
    resets = []
    for reset in transition.resets:
        if reset.value is not None:
            resets.append(f"{rates[reset.rate]} := {_formula(reset.value, lang)}")
        if reset.velocity is not None:
            word = "скорость" if lang == "ru" else "rate"
            resets.append(f"{rates[reset.rate]}.{word} := {_formula(reset.velocity, lang)}")
    for recount in transition.recounts:
        new = f"{recount.counter} + 1" if recount.value is None else _formula(recount.value, lang)
        resets.append(f"{recount.counter} := {new}")
    for impulse in transition.impulses:
        word = "импульс" if lang == "ru" else "impulse"
        of = impulse.contact if impulse.rate is None else rates[impulse.rate]
        resets.append(f"{word}({of}) := {', '.join(_formula(value, lang) for value in impulse.values)}")
    return TransitionRow(
        name=clean(transition.name),
        sources=tuple(map(clean, transition.sources)),
        target=clean(transition.target),
        condition=clean(print_expression(transition.condition, lang)),
        impact=transition.impact,
        restitution=transition.restitution,
        priority=transition.priority,
        resets=tuple(map(clean, resets)),
    )


def _motors(model: Model, rates: list[str]) -> Iterable[MotorRow]:
    for motor in model.motors:
        body = model.bodies[motor.body - 1]
        index = body.first_v + motor.coordinate
        yield MotorRow(
            name=clean(motor.name),
            body=motor.body,
            coordinate=rates[index],
            kind=body.joint.type.rates[motor.coordinate][1],
            limit=motor.limit,
            speed=motor.speed,
            ratio=motor.ratio,
            inertia=motor.inertia,
            efficiency=motor.efficiency,
            voltage=motor.voltage,
            current=motor.current,
            resistance=motor.resistance,
            inductance=motor.inductance,
            constant=motor.constant,
        )


def _schemes(model: Model, lang: Language) -> Iterable[SchemeRow]:
    truths = {each.name for scheme in model.schemes for each in scheme.signals if each.truth}
    truths |= {each.name for scheme in model.schemes for each in scheme.inputs if each.truth}

    def text(expression: Expression) -> str:
        return clean(print_expression(written_truths(expression, truths), lang))

    for scheme in model.schemes:
        clock = scheme.clock
        rows = []
        for item in scheme.items:
            things = [(key, ", ".join(map(clean, names))) for key, names in (*item.names, *_words(item))]
            values = [(key, ", ".join(text(value) for value in values)) for key, values in item.given]
            given = ", ".join(
                (f"{_spec(item, key, lang)} = " if item.kind else "") + words for key, words in (*things, *values)
            )
            word = _item_word(item, lang)
            first = dict(scheme.vectors).get(item.name, (item.name,))[0]
            dimension = scheme.dimensions.get(first)
            unit = "" if dimension is None or dimension.plain else si_symbol(dimension, lang)
            rows.append(SignalRow(name=clean(item.name), kind=word, law=given, unit=unit))
        rows += [row for chart in scheme.behaviours for row in _behaviour(chart, text, lang)]
        yield SchemeRow(
            name=clean(scheme.name),
            period=None if clock is None else clock.period,
            offset=0.0 if clock is None else clock.time(0),
            latency=0.0 if clock is None else clock.latency / clock.parts,
            signals=tuple(rows),
            outputs=tuple((clean(each.label), text(each.value.expression)) for each in scheme.commands),
        )


def _words(item: Item) -> list[tuple[str, tuple[str, ...]]]:
    """Attributes that are texts."""
    return [(key, (word,)) for key, word in item.words]


def _item_word(item: Item, lang: Language) -> str:
    """What a thing of a scheme is; a signal needs no word."""
    if item.key == "use":
        return clean(item.kind)
    if item.kind:
        kinds = {"input": INPUT_KINDS, "sensor": SENSOR_KINDS}.get(item.key, BLOCK_KINDS)
        return kinds.choice(item.kind).written(lang)
    if item.key in ("signal", "input"):
        return "" if item.key == "signal" else "→"
    return ELEMENT_BY_KEY[item.key].written(lang)


def _behaviour(chart: Chart, text: Callable[[Expression], str], lang: Language) -> Iterable[SignalRow]:
    """The states of a behaviour, with what they give and where they lead."""
    for index, state in enumerate(chart.states):
        word = ELEMENT_BY_KEY[state.key].written(lang)
        says = [f"{name} = {text(value)}" for name, value in state.gives]
        for go in state.goes:
            to = ", ".join(chart.states[each].name for each in go.targets)
            when = [*go.events, *(text(each) for each in (go.when,) if each is not None)]
            after = ELEMENT_BY_KEY["go"].by_key["after"].written(lang)
            when += [f"{after} {text(go.after)}"] if go.after is not None else []
            says.append(f"→ {to}" + (f": {'; '.join(when)}" if when else ""))
        name = clean(chart.full(index) if index else chart.name)
        yield SignalRow(name=name, kind=word, law=clean(", ".join(says)), unit="")


def _spec(item: Item, key: str, lang: Language) -> str:
    return clean(key) if item.key == "use" else ELEMENT_BY_KEY[item.key].by_key[key].written(lang)


def _start(model: Model, posture: Posture, lang: Language) -> Iterable[StateRow]:
    """The coordinates that the file gives; those of a quaternion one by one, as q has them."""
    for body in model.bodies:
        kind = body.joint.type
        same = kind.nq == kind.nv
        for index, (name, what) in enumerate(kind.coordinates):
            q, v = body.first_q + index, body.first_v + index
            value = posture.q[q] if q in posture.given_q else None
            rate = posture.v[v] if same and v in posture.given_v else None
            if value is not None or rate is not None:
                full = f"{body.name}.{coordinate_word(name, lang)}" if name else body.name
                yield StateRow(coordinate=clean(full), kind=what, value=value, rate=rate)
