"""Structures and transitions: what the system can become, and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sistel.errors import Diagnostics, Span, Text
from sistel.markup import Node
from sistel.model import _rules as rules
from sistel.model._assembly import MountedFile
from sistel.model._bodies import Roster
from sistel.model._check import Checker
from sistel.model._classes import Topology, classify
from sistel.model._contact_elements import Blade, Contact
from sistel.model._elements import Body, Closure, Coupling, Lock
from sistel.model._formulas import formulas
from sistel.model._links import default_impact, links_of
from sistel.model._model import Change, Reset, Structure, Transition
from sistel.model._names import Names
from sistel.model._parts import Placed, wrong_joint
from sistel.model._resistance import resists_turning
from sistel.model.joints import JointType

Link = Closure | Contact | Blade | Lock | Coupling

HOLDING = ("closure", "contact", "blade", "lock", "coupling")

ONLY = "only"
"""Name of the structure of a system that declares none."""


def structures(
    parts: list[MountedFile],
    bodies: Sequence[Body],
    links: Mapping[str, Link],
    names: Names,
    roster: Roster,
    places: dict[str, Placed],
    types: dict[str, JointType],
    planar: bool,
    why_not: tuple[Text, ...],
    diagnostics: Diagnostics,
) -> tuple[Structure, ...]:
    """All declared structures; one made of what always holds when there are none."""
    always = tuple(name for name, link in links.items() if not isinstance(link, Contact) and link.always)
    made = []
    for part, node in links_of(parts, "structure"):
        own = node.text("name")
        if own is None or not names.declare("structure", part.scope.full(own), node.at("name")):
            continue
        slides = _named(node, "slides", ("contact",), part, names)
        holds = list(dict.fromkeys((*always, *_named(node, "holds", HOLDING, part, names), *slides)))
        changes = _changes(node, part, roster, names, places, types, planar, diagnostics)
        topology = classify(bodies, [links[name] for name in holds if name in links], changes, planar, slides)
        declared = node.text("class")
        if declared is not None and declared != topology.structure_class:
            class_differs(node, declared, topology.structure_class, diagnostics)
        made.append(_structure(part.scope.full(own), holds, topology, why_not, node.span, slides, changes))
    if made:
        return tuple(made)
    # What rolls ideally is held like a joint where nobody says when it holds.
    always = tuple(name for name, link in links.items() if (link.rolls if isinstance(link, Contact) else link.always))
    topology = classify(bodies, [links[name] for name in always], (), planar)
    return (_structure(ONLY, always, topology, why_not, None),)


def _structure(
    name: str,
    holds: Sequence[str],
    topology: Topology,
    why_not: tuple[Text, ...],
    span: Span | None,
    slides: tuple[str, ...] = (),
    changes: tuple[Change, ...] = (),
) -> Structure:
    return Structure(
        name=name,
        holds=tuple(holds),
        slides=slides,
        changes=changes,
        structure_class=topology.structure_class,
        loops=topology.loops,
        dof=topology.dof,
        rolling=topology.rolling,
        why_not=why_not,
        span=span,
    )


def _named(node: Node, key: str, kinds: tuple[str, ...], part: MountedFile, names: Names) -> tuple[str, ...]:
    """Full names of the things that an attribute refers to, as far as they exist."""
    attribute = node.attributes.get(key)
    if attribute is None:
        return ()
    spans = attribute.parts or (attribute.span,) * len(node.names(key))
    found = (names.refer(kinds, name, part.scope, span) for name, span in zip(node.names(key), spans, strict=True))
    return tuple(thing[1] for thing in found if thing is not None)


def class_differs(node: Node, declared: str, computed: str, diagnostics: Diagnostics) -> None:
    """Warn that the author's class is not the computed one."""
    diagnostics.warning(
        "class-differs",
        node.at("class"),
        Text(
            f"the declared class is {declared}, the computed one {computed}",
            f"объявлен класс {declared}, а вычислен {computed}",
        ),
    )


def massless(bodies: Sequence[Body], planar: bool, linked: bool) -> tuple[tuple[Body, Text], ...]:
    """Joints whose motion moves no mass: such a coordinate has no equation of motion.

    Args:
        bodies: All of them, bases first.
        planar: Whether they move in planes.
        linked: Whether there are links besides the joints, which may forbid a turn that moves nothing.
    """
    mass = [0.0] * (len(bodies) + 1)
    """Beyond the joint of each body, itself included [kg]."""
    turned = [False] * (len(bodies) + 1)
    """Whether a turn of the joint moves any mass."""
    found: list[tuple[Body, Text]] = []
    rigid = _carries_rigidly(bodies, planar)
    carriers = {body.base for body in bodies}
    for body in reversed(bodies):
        own = float(body.mass)
        mass[body.number] += own
        inertia = float(body.I_BBcm_B[2]) if planar else max(map(float, body.I_BBcm_B[:3]))
        offset = own > 0 and any(map(float, body.p_BoBcm_B[:2] if planar else body.p_BoBcm_B))
        turned[body.number] |= inertia > 0 or offset
        kinds = {kind for _, kind in body.joint.type.rates}
        if kinds and mass[body.number] == 0 and not turned[body.number]:
            ends = Text(
                f'body "{body.name}" has no mass and ends a branch',
                f"тело «{body.name}» не имеет массы и заканчивает ветвь",
            )
            found.append((body, ends))
        elif "turn" in kinds and not (turned[body.number] and (inertia > 0 or offset or body.number in rigid)):
            spins = Text(
                f'the joint of body "{body.name}" turns a point mass about itself',
                f"сочленение тела «{body.name}» вращает точечную массу вокруг неё самой",
            )
            found.append((body, spins))
        elif "turn" in kinds and not linked and body.number not in carriers and not resists_turning(body, planar):
            spins = Text(
                f'the joint of body "{body.name}" can turn it about a line about which it has no inertia',
                f"сочленение может повернуть тело «{body.name}» вокруг прямой, относительно которой у него нет инерции",
            )
            found.append((body, spins))
        elif "slide" in kinds and mass[body.number] == 0:
            slides = Text(
                f'the joint of body "{body.name}" slides no mass',
                f"сочленение тела «{body.name}» не перемещает никакой массы",
            )
            found.append((body, slides))
        if body.base:
            mass[body.base] += mass[body.number]
            # A mass further out is turned by this joint too, unless it always sits exactly on the pole.
            carried = mass[body.number] > 0 and (any(map(float, body.p_PB)) or body.joint.type.nv > 0)
            turned[body.base] |= turned[body.number] or carried
    return tuple(reversed(found))


def _carries_rigidly(bodies: Sequence[Body], planar: bool) -> set[int]:
    """Bodies that carry another in such a way that their own turn moves it: not by a hinge at their pole."""
    idle = ("revolute", "free") if planar else ("spherical", "free")
    return {body.base for body in bodies if any(map(float, body.p_PB)) or body.joint.type.key not in idle}


def _changes(
    node: Node,
    part: MountedFile,
    roster: Roster,
    names: Names,
    places: dict[str, Placed],
    types: dict[str, JointType],
    planar: bool,
    diagnostics: Diagnostics,
) -> tuple[Change, ...]:
    made = []
    given = [node] if {"body", "joint"} & node.attributes.keys() else []
    for item in (*given, *node.of("change")):
        body, key = item.names("body"), item.text("joint")
        if not body or key is None:
            if item is node:
                diagnostics.error(
                    "missing-attribute",
                    item.span,
                    Text("a change of a joint needs both the body and the type", "для замены пары нужны и тело, и тип"),
                    expected=Text("body and joint", "тело и КП"),
                )
            continue
        draft = roster.refer(body[0], part, item.at("body"))
        if key not in types:
            wrong_joint(item, planar, diagnostics)
            continue
        about = item.names("about")
        place, name = (0.0, 0.0, 0.0), None
        if about:
            found = names.refer(("point", "frame"), about[0], part.scope, item.at("about"))
            if found is None or draft is None:
                continue
            # The point may be on any body: touching down with a foot makes the trunk turn about that foot.
            owner, position, _ = places[found[1]]
            name = found[1]
            place = position if owner is None else owner.here(position)
        if draft is not None:
            made.append(Change(body=draft.number, type=types[key], about=name, p_BP=place, span=item.span))
    return tuple(made)


def transitions(
    parts: list[MountedFile],
    made: Sequence[Structure],
    links: Mapping[str, Link],
    names: Names,
    diagnostics: Diagnostics,
) -> tuple[Transition, ...]:
    """All transitions, with their conditions resolved and checked."""
    by_name = {structure.name: structure for structure in made}
    contacts = {name: link for name, link in links.items() if isinstance(link, Contact)}
    found = []
    for part, node in links_of(parts, "transition"):
        sources = _named(node, "from", ("structure",), part, names)
        goal = node.names("to")
        target = names.refer(("structure",), goal[0], part.scope, node.at("to")) if goal else None
        condition = node.get("when")
        typed = None
        if condition is not None and not isinstance(condition, (str, int, bool, tuple)):
            typed = Checker(part.scope, diagnostics, names).truth(condition)
            if typed is not None and not typed.state:
                diagnostics.warning(
                    "constant-condition",
                    condition.span,
                    Text("the condition never changes", "условие никогда не меняется"),
                )
        if target is None or typed is None:
            continue
        does = node.children or {"counts", "strikes"} & node.attributes.keys() or node.text("impact") in rules.BOUNCING
        if len(sources) == 1 and sources[0] == target[1] and not does:
            diagnostics.warning(
                "idle-transition",
                node.span,
                Text(
                    "the transition leads back to where it starts and sets nothing",
                    "переход ведёт туда же, откуда начинается, и ничего не задаёт",
                ),
            )
        goal_structure = by_name[target[1]]
        adds = any(_adds(by_name[source], goal_structure) for source in sources or by_name)
        bounces = "restitution" in node.attributes
        impact = node.text("impact") or (default_impact(node) if adds or bounces else "none")
        held = [
            name for name in goal_structure.holds if any(name not in by_name[one].holds for one in sources or by_name)
        ]
        named = _named(node, "strikes", ("contact",), part, names)
        slides = goal_structure.slides
        striking = rules.strikes(node, named, impact, typed.expression, contacts, held, slides, diagnostics)
        restitution = part.values.fraction(node, "restitution")
        rules.check_rebound(node, impact, restitution, striking or held, goal_structure, diagnostics)
        rules.check_margins(typed.expression, contacts, diagnostics)
        counted = [(name, node.at("counts")) for name in _named(node, "counts", ("counter",), part, names)]
        found.append(
            Transition(
                name=node.text("name") or f"{' | '.join(sources) or '*'} → {target[1]}",
                sources=sources,
                target=target[1],
                condition=rules.banded(typed.expression, node, part, names, diagnostics),
                impact=impact,
                restitution=restitution,
                priority=part.values.one(node, "priority"),
                resets=_resets(node, part, names, diagnostics),
                strikes=striking,
                recounts=rules.recounts(node, counted, part, names, diagnostics),
                impulses=rules.impulses(node, part, names, contacts, diagnostics),
                keeps_offsets=rules.keeps_offsets(node, held, links, diagnostics),
                within=rules.within(node, held, links, part, diagnostics),
                span=node.span,
            )
        )
    return tuple(found)


def _adds(source: Structure, target: Structure) -> bool:
    """Whether something begins to hold in a passage: a link, or a joint of fewer freedoms."""
    return bool(set(target.holds) - set(source.holds)) or target.dof < source.dof


def _resets(node: Node, part: MountedFile, names: Names, diagnostics: Diagnostics) -> tuple[Reset, ...]:
    made = []
    for item in node.of("set"):
        if rules.set_counter(item, part, names) is not None:
            continue
        given = item.names("of")
        target = names.coordinate(given[0], part.scope, item.at("of")) if given else None
        if target is None:
            continue
        if len(target.rates) != 1:
            diagnostics.error(
                "wrong-coordinate",
                item.at("of"),
                Text("name one coordinate, such as trunk.x", "назовите одну координату, например корпус.x"),
            )
            continue
        value = formulas(item, "value", part, names, diagnostics, 1, target.kinds)
        velocity = formulas(item, "rate", part, names, diagnostics, 1, target.kinds)
        made.append(
            Reset(
                rate=target.rates[0],
                value=value[0] if value else None,
                velocity=velocity[0] if velocity else None,
                span=item.span,
            )
        )
    return tuple(made)


def whole_class(made: Sequence[Structure], planar: bool) -> str:
    """The class of the system: its only structure's, or ДСТ where the structure changes."""
    return made[0].structure_class if len(made) == 1 else ("ПДСТ" if planar else "ДСТ")
