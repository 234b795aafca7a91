"""Names of the structures and events that contacts, stops and dry friction make.

In a run they are neutral: they are made of the names in the file and of English words, the same whatever language is
shown, so that runs can be compared and read back. `structure_text` and `event_text` say them in words of both
languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sistel.automaton._elements import CONTACT, GRIP, PATCH, STOP, Element, elements_of, makes_structures
from sistel.automaton._statuses import FREE, MINUS, PLUS, STICK, WAYS, Status, Statuses
from sistel.errors import Text
from sistel.mechanics import DirectedStructure, Mesh, Turning
from sistel.model import Blade, Closure, Contact, Coupling, Lock, Model, Structure, classify
from sistel.units import si_symbol

GIVEN: Final = "input: "
"""What the name of an event begins with at which an input of a scheme takes another value."""
LIMIT: Final = "limit: "
"""How events begin at which a joint passes a limit; the name of the coordinate follows."""
OPENED: Final = "open"
"""Where nothing else is to be said of contacts of shapes."""
OPEN: Final[Status] = (False, FREE)
WORDS: Final = {FREE: "slides", STICK: "sticks", PLUS: "slides +", MINUS: "slides -"}
SHOWN: Final = {
    "open": "открыт",
    "lifted": "поднят",
    "slides": "скользит",
    "sticks": "держит",
    "rolls": "катится",
    "slides +": "скользит +",
    "slides -": "скользит -",
    "strikes": "ударяет",
    "lets go": "отпускает",
    "slips": "срывается",
    "stops sliding": "перестаёт скользить",
    "begins": "начинается",
    "stops": "прекращается",
}
"""Words of statuses and of what ends them, in Russian."""


def part_name(element: Element, status: Status, planar: bool) -> str:
    """What a structure's name says of an element; nothing of stops that are open and of joints that move.

    Of the many contacts of two shapes those that are open go without saying, too.
    """
    closed, grip = status
    if element.kind == CONTACT:
        if not closed and element.contact is not None and element.contact.pair is not None:
            return ""
        word = WORDS[FREE if not planar and grip in WAYS else grip] if closed else "open"
        if word == "sticks" and element.contact is not None and element.contact.round is not None:
            word = "rolls"
        return f"{element.name} {word}"
    if element.kind == STOP:
        said = element.label if closed else ""
        return f"{said} {WORDS[grip]}" if said and element.tangents else said
    if element.drive is not None:
        return f"{element.name} {WORDS[grip]}"
    if element.kind == PATCH and not closed:
        return f"{element.name} lifted"
    return f"{element.name} sticks" if grip == STICK else ""


def part_text(element: Element, status: Status, planar: bool) -> Text:
    """The same for people; empty where nothing is said."""
    name = part_name(element, status, planar)
    return Text(name, _russian_part(element, name) if name else "")


def structure_name(model: Model, base: Structure, elements: Sequence[Element], statuses: Sequence[Status]) -> str:
    """The neutral name of a structure."""
    parts = [part_name(element, status, model.planar) for element, status in zip(elements, statuses, strict=True)]
    said = ", ".join(part for part in parts if part)
    if makes_structures(model):
        return said or OPENED
    return f"{base.name}: {said}" if said else base.name


def read_structure_name(model: Model, name: str) -> tuple[Structure, Statuses]:
    """The structure of the file and the statuses that a neutral name means; KeyError where it means nothing.

    Of a joint with dry friction that moves, the name does not say which way.
    """
    rest, base = name, model.structure()
    if not makes_structures(model):
        named = [each for each in model.structures if name == each.name or name.startswith(f"{each.name}: ")]
        if not named:
            raise KeyError(name)
        base = max(named, key=lambda each: len(each.name))
        rest = name[len(base.name) + 2 :]
    rest = "" if rest == OPENED else rest
    statuses: list[Status] = []
    for element in elements_of(model):
        options: list[Status] = [(False, FREE), (True, FREE)]
        if element.kind == CONTACT:
            grips = (FREE, STICK, PLUS, MINUS) if model.planar else (PLUS if element.tangents else FREE, STICK)
            options = [OPEN, *((True, grip) for grip in grips)]
        elif element.drive is not None:
            ways = (STICK, PLUS, MINUS)
            options = [(False, grip) for grip in ways] if element.kind != STOP else [OPEN, (True, FREE)]
            options += [(True, grip) for grip in ways] if element.tangents and element.kind == STOP else []
        elif element.kind == PATCH:
            options = [(True, PLUS), (True, STICK), OPEN]
        elif element.kind != STOP:
            options = [(False, PLUS), (False, STICK)]
        found = [
            (len(said), status)
            for status in options
            if (said := part_name(element, status, model.planar)) and (rest == said or rest.startswith(f"{said}, "))
        ]
        if not found:
            if element.kind == CONTACT and (element.contact is None or element.contact.pair is None):
                raise KeyError(name)
            statuses.append(options[0])
            continue
        length, status = max(found)
        statuses.append(status)
        rest = rest[length + 2 :]
    if rest:
        raise KeyError(name)
    return base, tuple(statuses)


def structure_text(model: Model, name: str) -> Text:
    """A structure's name for people: that of the file, or what its contacts, stops and joints do."""
    if any(structure.name == name for structure in model.structures):
        return Text(name, name)
    try:
        base, statuses = read_structure_name(model, name)
    except KeyError:
        return Text(name, name)
    parts = []
    for element, status in zip(elements_of(model), statuses, strict=True):
        said = part_name(element, status, model.planar)
        if said:
            parts.append(_russian_part(element, said))
    head = "" if makes_structures(model) else f"{base.name}: "
    return Text(name, head + (", ".join(parts) or SHOWN[OPENED]))


def event_text(model: Model, transition: str) -> Text:
    """A transition's name for people."""
    if transition.startswith(LIMIT):
        return Text(transition, f"предел: {transition.removeprefix(LIMIT)}")
    if transition.startswith(GIVEN):
        return _given(model, transition.removeprefix(GIVEN))
    for element in elements_of(model):
        word = transition.removeprefix(f"{element.label} ")
        if word != transition and word in SHOWN:
            return Text(transition, f"{_russian_label(element)}: {SHOWN[word]}")
    return Text(transition, transition)


def _given(model: Model, said: str) -> Text:
    """That an operator, or a program, changed an input."""
    name, _, value = said.rpartition(" = ")
    own = next((each for scheme in model.schemes for each in scheme.inputs if each.name == name), None)
    number = float(value)
    if own is not None and own.truth:
        pressed = own.face == "button"
        en, ru = ("pressed", "нажато") if pressed else ("on", "включено")
        if not number:
            en, ru = ("let go", "отпущено") if pressed else ("off", "выключено")
        return Text(f"{name}: {en}", f"{name}: {ru}")
    units = (
        ["", ""] if own is None or own.dimension.plain else [f" {si_symbol(own.dimension, x)}" for x in ("en", "ru")]
    )
    return Text(f"{name} = {number:.6g}{units[0]}", f"{name} = {number:.6g}{units[1]}")


def _russian_part(element: Element, said: str) -> str:
    if element.rolls is not None:
        return f"{_russian_label(element)} {SHOWN[said[len(element.name) + 1 :]]}"
    if element.kind != STOP:
        return _russian(element.name, said)
    label = _russian_label(element)
    return f"{label} {SHOWN[said[len(element.label) + 1 :]]}" if said != element.label else label


def _russian_label(element: Element) -> str:
    if element.rolls is not None:
        return f"{element.rolls.name} {'верчение' if element.spins else 'качение'}"
    if element.kind != STOP:
        return element.name
    if element.drive is not None:
        return f"{element.name} сторона {'+' if element.outward > 0 else '-'}"
    return f"{element.name} на {'верхнем' if element.outward > 0 else 'нижнем'} упоре"


def _russian(name: str, said: str) -> str:
    return f"{name} {SHOWN[said[len(name) + 1 :]]}"


def structure_of(
    model: Model, base: Structure, statuses: Sequence[Status], elements: Sequence[Element] | None = None
) -> Structure:
    """The structure in which every element has its status."""
    pairs = list(zip(elements_of(model) if elements is None else elements, statuses, strict=True))
    contacts = [(element.contact, status) for element, status in pairs if element.contact is not None]
    closed = [contact for contact, status in contacts if status[0]]
    # Of points of one rigid body that stick to another, the first holds along its tangent for all.
    leaders: dict[tuple[int, int], str] = {}
    for contact, (pushes, grip) in contacts:
        if pushes and grip == STICK:
            leaders.setdefault(contact.between, contact.name)
    ways: dict[str, float] = {}
    if model.planar:
        ways = {contact.name: WAYS[grip] for contact, (pushes, grip) in contacts if pushes and grip in WAYS}
        ways |= {
            contact.name: 0.0
            for contact, (pushes, grip) in contacts
            if pushes and grip == STICK and leaders[contact.between] != contact.name
        }
    slides = tuple(
        contact.name
        for contact, (pushes, grip) in contacts
        if pushes and (grip == FREE or grip in WAYS or contact.name in ways)
    )
    links: list[Closure | Contact | Blade | Lock | Coupling] = [
        *model.closures,
        *model.blades,
        *model.locks,
        *model.couplings,
    ]
    held = [*(link for link in links if link.name in base.holds), *closed]
    held += [contact for contact in model.contacts if contact.name in base.holds and contact not in held]
    topology = classify(model.bodies, held, base.changes, model.planar, (*base.slides, *slides))
    still = {
        element.rate
        for element, (pushes, grip) in pairs
        if element.single and (pushes or (grip == STICK and element.kind != STOP))
    }
    meshes = tuple(_meshes(pairs))
    patches = [(element.name, status) for element, status in pairs if element.kind == PATCH]
    return DirectedStructure(
        name=structure_name(model, base, [element for element, _ in pairs], statuses),
        holds=(*base.holds, *(contact.name for contact in closed)),
        slides=(*base.slides, *slides),
        changes=base.changes,
        structure_class=topology.structure_class,
        loops=topology.loops,
        dof=topology.dof - len(still) - len(meshes) - sum(mesh.way == 0.0 for mesh in meshes),
        rolling=topology.rolling,
        why_not=base.why_not,
        span=closed[0].span if closed else base.span,
        ways=ways,
        still=tuple(sorted(still)),
        meshes=meshes,
        grips=frozenset(name for name, status in patches if status == (True, STICK)),
        lifted=frozenset(name for name, (pressed, _) in patches if not pressed),
        turning=tuple(
            Turning(element.rolls.name, element.spins, WAYS.get(grip, 0.0))
            for element, (_, grip) in pairs
            if element.rolls is not None and grip != FREE
        ),
    )


def _meshes(pairs: Sequence[tuple[Element, Status]]) -> Iterator[Mesh]:
    """What gears and clutches hold; of two flanks that push at once, as without play, the first."""
    held: set[str] = set()
    for element, (pushes, grip) in pairs:
        if element.drive is None or element.name in held or not (pushes or (element.kind == GRIP and grip == STICK)):
            continue
        held.add(element.name)
        way = None if not element.tangents or element.kind == GRIP else WAYS.get(grip, 0.0)
        yield Mesh(element.name, element.outward, way, element.pull(way) if way else 0.0)
