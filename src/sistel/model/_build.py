"""Document → Model: puts the steps of building in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sistel.errors import Diagnostics, Span, Text
from sistel.expr import Traced
from sistel.markup import SCHEMA_VERSION, Document, Node, include_motion
from sistel.model._assembly import Loader, MountedFile, assemble, only_one
from sistel.model._behaviour_files import with_behaviours
from sistel.model._bodies import Draft, Roster, collect, connect, name_bodies, order
from sistel.model._brakes import brakes
from sistel.model._contact_elements import Contact
from sistel.model._crowds import check_boxes, check_number
from sistel.model._drives import read_couplings, read_limits
from sistel.model._elements import Body, Frame, Parameter, Point
from sistel.model._graph import Edge, attach
from sistel.model._letters import GRAVITY, Lettered, Letters, in_numbers
from sistel.model._links import LinkReader
from sistel.model._model import Group, Model, Posture, Structure
from sistel.model._motion_files import MotionLoader
from sistel.model._motors import check_motors, currents, motors
from sistel.model._names import Names, Slot
from sistel.model._parts import (
    build_body,
    build_joint,
    forces,
    joint_type,
    named_places,
    points_and_frames,
    shapes,
    stops,
)
from sistel.model._reaching import Places
from sistel.model._rules import check_clocks, counters, memory
from sistel.model._schemes import SchemeReader
from sistel.model._seen import with_rays
from sistel.model._state import motions, picture, postures, start
from sistel.model._static import check_structures
from sistel.model._structures import Link, class_differs, massless, structures, transitions, whole_class
from sistel.model._ticks import scheme_memory, scheme_transitions
from sistel.model._tracks import read_tracks, shears, track_blades
from sistel.model._unused import check_parameters
from sistel.model.joints import joint_types
from sistel.pose import IDENTITY, Rotation, Vector3
from sistel.records import entry
from sistel.units import ACCELERATION

STANDARD_GRAVITY = 9.81
"""[m/s²]"""


def build(
    document: Document,
    diagnostics: Diagnostics,
    loader: Loader,
    motion_loader: MotionLoader | None = None,
    *,
    moves: Sequence[Node] = (),
    renumber: bool = False,
    values: Mapping[str, float] | None = None,
    checks: bool = True,
) -> Model:
    """The model of a document, which knows itself with letters too (`Model.lettered`).

    Args:
        document: The main file.
        diagnostics: What its reading has found so far; takes the problems of building too.
        loader: Reads the files that it includes.
        motion_loader: Reads the tables of motion that it names; without, they are read from the disk.
        moves: More motions, to which those of the files give way.
        renumber: Whether to number the bodies anew, whatever numbers the file gives.
        values: Of parameters, other than those that the files give.
        checks: Whether to look for what is strange in the files, besides what is wrong.

    Raises:
        SistelError: With everything that is wrong.
    """
    letters = Letters(values or {})

    def read_motion(path: str, sheet: str | None, span: Span) -> Document | None:
        return include_motion(path, sheet, span, diagnostics)

    moved = motion_loader or read_motion, moves
    model, parts, lacking = _read(document, diagnostics, loader, renumber, letters, moved)
    diagnostics.raise_if_failed()
    lettered = Lettered(model, letters.trace, tuple(letters.parameters), letters.definitions)
    plain = in_numbers(lettered)
    _remarks(plain, lacking, diagnostics)
    check_number(plain, diagnostics)
    check_boxes(plain, diagnostics)
    diagnostics.raise_if_failed()
    if checks:
        check_structures(plain, parts, diagnostics)
        check_parameters(parts, diagnostics)
    object.__setattr__(plain, "diagnostics", diagnostics.sorted())
    object.__setattr__(plain, "lettered", lettered)
    return plain


def _read(
    document: Document,
    diagnostics: Diagnostics,
    loader: Loader,
    renumber: bool,
    letters: Letters,
    moved: tuple[MotionLoader, Sequence[Node]],
) -> tuple[Model, list[MountedFile], tuple[tuple[Body, Text], ...]]:
    """The model with letters, the files that it consists of, and bodies whose mass is too little to move."""
    document = with_behaviours(document, loader, diagnostics)

    def loaded(path: str, span: Span) -> Document | None:
        found = loader(path, span)
        return None if found is None else with_behaviours(found, loader, diagnostics)

    root = document.root
    planar = (root.text("space") or "planar") == "planar"
    _version(root, diagnostics)
    parts = assemble(document, loaded, diagnostics, planar, letters)
    gravity = _gravity(parts[0], diagnostics)
    tree = _tree(parts, planar, renumber, gravity, diagnostics)
    drafts, bodies, names, roster, reader = tree.drafts, tree.bodies, tree.names, tree.roster, tree.links
    points, frames = points_and_frames(reader.places, tree.nodes)
    closures = reader.closures(parts, tree.leftover)
    all_shapes = shapes(drafts, parts, bodies, roster, reader.surfaces)
    contacts = reader.contacts(parts, all_shapes)
    tracks = read_tracks(parts, bodies, names, roster, diagnostics)
    blades = (*reader.blades(parts), *track_blades(tracks))
    locks = reader.locks(parts)
    couplings, asked = read_couplings(reader, parts)
    springs = reader.springs(parts)
    everything: list[Link] = [*closures, *contacts, *blades, *locks, *couplings]
    links = {link.name: link for link in everything}
    all_counters = counters(parts, names)
    all_motors = motors(drafts, bodies, names, diagnostics)
    lacking = massless(bodies, planar, bool(links))
    why_not = tuple(text for _, text in lacking)
    all_structures = structures(
        parts, bodies, links, names, roster, reader.places, reader.types, planar, why_not, diagnostics
    )
    first, start_node, main = start(parts, bodies, names, diagnostics)
    start_structure, start_time = _start_of(start_node, main, all_structures[0].name, names)
    schemes = SchemeReader(
        [(part, node) for part in parts for node in part.of("scheme")],
        names,
        Places(bodies, _spots(bodies, points, frames), planar, all_motors),
        diagnostics,
    )
    drives = read_limits(reader, asked)
    all_forces = forces(drafts, names, diagnostics, planar)
    all_motions = motions(parts, drafts, names, diagnostics, *moved, start_time)
    all_schemes = schemes.schemes(all_motors)
    placed = {body.name: (body.number, (0.0, 0.0, 0.0), IDENTITY) for body in bodies}
    placed |= {point.name: (point.body, point.p_BP, IDENTITY) for point in points}
    placed |= {frame.name: (frame.body, frame.p_BF, frame.R_BF) for frame in frames}
    all_schemes = with_rays(all_schemes, all_shapes, placed, planar, diagnostics)
    check_motors(drafts, bodies, all_motors, all_motions, schemes.commanded, all_schemes, diagnostics)
    drives = (*drives, *brakes(all_schemes, all_motors, bodies))
    all_transitions = transitions(parts, all_structures, links, names, diagnostics)
    _only_by_contacts(contacts, all_structures[0].span, diagnostics)
    shapes_and_structures(contacts, all_structures, diagnostics)
    if any(not contact.rolls for contact in contacts) and all_structures[0].span is None:
        check_clocks((all_forces, drives), all_motions, all_schemes, root.span, diagnostics)
    declared, computed = root.text("class"), whole_class(all_structures, planar)
    if declared is not None and declared != computed:
        class_differs(root, declared, computed, diagnostics)
    model = Model(
        name=(root.text("name") or "").strip() or _stem(document.source.path),
        planar=planar,
        about=root.text("about") or "",
        gravity=gravity,
        parameters=_parameters(parts, diagnostics),
        bodies=bodies,
        points=points,
        frames=frames,
        shapes=all_shapes,
        forces=all_forces,
        motors=all_motors,
        stops=stops(drafts, bodies, diagnostics),
        springs=springs,
        motions=all_motions,
        closures=closures,
        contacts=contacts,
        blades=blades,
        tracks=tracks,
        locks=locks,
        couplings=couplings,
        drives=drives,
        structures=all_structures,
        transitions=all_transitions,
        start=first,
        start_structure=start_structure,
        start_time=start_time,
        postures=postures(parts, bodies, names, diagnostics),
        groups=_groups(parts, roster, diagnostics),
        picture=picture(parts, bodies, names, diagnostics),
        structure_class=computed,
        declared_class=declared,
        counters=all_counters,
        memory=(
            *memory(
                all_counters,
                all_structures,
                (start_structure, start_time),
                (all_forces, drives),
                all_motions,
                all_transitions,
                all_schemes,
            ),
            *currents(bodies, all_motors, all_motions, schemes.commanded),
            *shears(tracks),
            *scheme_memory(all_schemes),
        ),
        schemes=all_schemes,
        subschemes=schemes.subschemes(),
        ticks=tuple(scheme_transitions(all_schemes)),
        span=root.span,
    )
    return model, parts, lacking


def _only_by_contacts(contacts: Sequence[Contact], written: Span | None, diagnostics: Diagnostics) -> None:
    """Say what contacts have that goes with structures which they make themselves alone."""
    for contact in contacts if written is not None else ():
        if contact.belt is not None:
            code, message = (
                "bad-surface",
                Text(
                    "a surface that moves along itself does so where contacts make the structures",
                    "поверхность движется вдоль себя там, где структуры образуют контакты",
                ),
            )
        elif contact.resistance or contact.spinning:
            code, message = (
                "contradiction",
                Text(
                    "rolling and spin are resisted where contacts make the structures",
                    "качению и верчению сопротивляются там, где структуры образуют контакты",
                ),
            )
        else:
            continue
        related = [] if written is None else [(written, Text("here one is written", "здесь одна записана"))]
        diagnostics.error(code, contact.span, message, related=related)
        return


def shapes_and_structures(
    contacts: Sequence[Contact], structures: Sequence[Structure], diagnostics: Diagnostics
) -> None:
    """Say which shapes that touch no written structure names: they would go through each other."""
    span = structures[0].span
    pairs: dict[str, list[Contact]] = {}
    for contact in contacts if span is not None else ():
        if contact.outline is not None and contact.pair is not None:
            pairs.setdefault(contact.pair.name, []).append(contact)
    held = {name for structure in structures for name in structure.holds}
    for pair in pairs.values():
        if span is None or any(contact.name in held for contact in pair):
            continue
        shown = ", ".join(contact.name for contact in pair[:4]) + (" …" if len(pair) > 4 else "")
        diagnostics.error(
            "contradiction",
            pair[0].span,
            Text(
                "shapes that touch make their structures themselves, and this file writes some, none of which holds "
                "this contact",
                "касающиеся фигуры сами образуют структуры, а в этом файле они описаны, и ни одна не держит этого "
                "контакта",
            ),
            hint=Text(
                f"name what holds in structures ({shown}), or leave all structures to the shapes",
                f"назовите в структурах, что держит ({shown}), или предоставьте все структуры фигурам",
            ),
            related=[(span, Text("the first structure is here", "первая структура здесь"))],
        )


def _start_of(node: Node | None, main: MountedFile, first: str, names: Names) -> tuple[str, float]:
    """The structure and the time in which a system starts: what the file says, or its first structure at 0."""
    if node is None:
        return first, 0.0
    time = main.values.one(node, "time")
    given = node.names("structure")
    found = names.refer(("structure",), given[0], main.scope, node.at("structure")) if given else None
    return first if found is None else found[1], time


@entry
class _Tree:
    """The bodies, and what reading the rest needs to know of them."""

    drafts: list[Draft]
    bodies: tuple[Body, ...]
    names: Names
    roster: Roster
    links: LinkReader
    nodes: list[tuple[Node, str]]
    """Points and frames."""
    leftover: list[Edge]
    """Joints that close loops."""


def _tree(parts: list[MountedFile], planar: bool, renumber: bool, gravity: Vector3, diagnostics: Diagnostics) -> _Tree:
    """Bodies as a numbered tree, with their joints and masses."""
    types = joint_types(planar)
    names = Names(diagnostics)
    drafts = collect(parts)
    if not drafts and not diagnostics.failed:
        root = parts[0].document.root
        aside = Text("a world alone is for <include> in another <world>", "один мир — для <включить> в другом <мир>")
        diagnostics.error(
            "no-bodies",
            root.span,
            Text("the system has no bodies", "в системе нет тел"),
            expected=Text("at least one body", "хотя бы одно тело"),
            hint=aside if any(root.of("world")) else None,
        )
    name_bodies(drafts, names, diagnostics)
    roster = Roster(drafts, names)
    connect(drafts, parts, roster, diagnostics)
    places, nodes = named_places(drafts, parts, names, roster)
    links = LinkReader(roster, names, places, types, planar, gravity, diagnostics)
    leftover = attach(drafts, links.edges(parts), diagnostics)
    for draft in drafts:
        if draft.base is not None and any(draft.base.shift) and not draft.loose:
            draft.p_PB = draft.base.here(draft.p_PB)
    ordered = order(drafts, diagnostics, renumber)
    bodies, first_q, first_v = [], 0, 0
    for draft in ordered:
        kind = joint_type(draft, types, planar, diagnostics)
        joint = build_joint(draft, kind, diagnostics, planar)
        bodies.append(build_body(draft, joint, first_q, first_v, diagnostics, planar))
        names.slots[draft.name] = Slot(draft.name, kind, first_q, first_v)
        assert draft.joint_node is not None
        if joint.name != draft.name and names.declare(
            "joint", joint.name, draft.joint_node.at("joint-name" if draft.joint_node is draft.node else "name")
        ):
            names.joint_bodies[joint.name] = draft.name
        first_q, first_v = first_q + kind.nq, first_v + kind.nv
    return _Tree(ordered, tuple(bodies), names, roster, links, nodes, leftover)


def _version(root: Node, diagnostics: Diagnostics) -> None:
    version = root.get("version")
    if isinstance(version, int) and not 1 <= version <= SCHEMA_VERSION:
        diagnostics.error(
            "newer-language",
            root.at("version"),
            Text(
                f"the file is written in version {version} of the language", f"файл написан на версии языка {version}"
            ),
            expected=Text(
                f"1 to {SCHEMA_VERSION}; a newer sistel reads newer files",
                f"от 1 до {SCHEMA_VERSION}; новые файлы читает более новая версия программы",
            ),
        )


def _gravity(main: MountedFile, diagnostics: Diagnostics) -> Vector3:
    """The acceleration of free fall [m/s²]; only the main file's counts."""
    down: Vector3 = (0.0, 1.0, 0.0) if main.values.planar else (0.0, 0.0, -1.0)
    value = STANDARD_GRAVITY
    twice = Text("gravity is given twice", "тяжесть задана дважды")
    node = only_one(main.document.root, "gravity", "two-gravities", twice, diagnostics)
    if node is not None:
        value = main.values.one(node, "value", value)
        down = main.values.direction(node, "along", down)
    if not isinstance(value, Traced):
        span = main.document.root.span if node is None else node.span
        value = main.letters.letter(Parameter(name=GRAVITY, value=value, dimension=ACCELERATION, span=span))
    x, y, z = (component * value + 0.0 for component in down)
    return (x, y, z)


def _parameters(parts: Sequence[MountedFile], diagnostics: Diagnostics) -> tuple[Parameter, ...]:
    found: dict[str, Parameter] = {}
    for part in parts:
        for parameter in part.scope.parameters.values():
            name = part.scope.full(parameter.name)
            if name in found:
                # Within a file this has been told; files that are included have prefixes to keep them apart.
                diagnostics.error(
                    "same-name",
                    parameter.span,
                    Text(
                        f'there are two parameters "{name}": in a file and an included one, or in one included twice',
                        f"два параметра «{name}»: в файле и во включаемом, или файл включён дважды",
                    ),
                    hint=Text("give the inclusion a prefix", "дайте включению приставку"),
                    related=[(found[name].span, Text("the first is here", "первый здесь"))],
                )
                continue
            found[name] = replace(parameter, name=name)
    return tuple(found.values())


def _groups(parts: list[MountedFile], roster: Roster, diagnostics: Diagnostics) -> tuple[Group, ...]:
    made = []
    for part in parts:
        for node in part.of("group"):
            own, numbers = node.text("name"), []
            for index, name in enumerate(node.names("of")):
                attribute = node.attributes["of"]
                found = roster.refer(name, part, attribute.parts[index] if attribute.parts else attribute.span)
                numbers += [found.number] if found is not None else []
            if own is not None:
                made.append(Group(name=part.scope.full(own), bodies=tuple(numbers), span=node.span))
    return tuple(made)


def _remarks(model: Model, lacking: Sequence[tuple[Body, Text]], diagnostics: Diagnostics) -> None:
    """Warn of what will stop the dynamics later, while there is nothing wrong with the kinematics."""
    if not model.bodies:
        return
    for posture in (model.start, *model.postures):
        _within_limits(model, posture, diagnostics)
    _idle_links(model, diagnostics)
    for body in model.bodies:
        if not body.joint.has_potential:
            diagnostics.note(
                "no-potential",
                body.span,
                Text(
                    f'the springs of joint "{body.joint.name}" have no potential: energies are without what they store',
                    f"у пружин сочленения «{body.joint.name}» нет потенциала: их запас в энергии не входит",
                ),
                hint=Text(
                    "a ball has one where its stiffness is the same about all axes and its rest is 0",
                    "у шаровой пары он есть, если жёсткость вокруг всех осей одна и покой в 0",
                ),
            )
    for structure in model.structures:
        if structure.dof < 0:
            diagnostics.warning(
                "over-constrained",
                structure.span or model.span,
                Text(
                    f"{structure.dof} degrees of freedom by Grübler: links repeat each other, or nothing can move",
                    f"степеней свободы по Грюблеру {structure.dof}: связи повторяют друг друга или всё заклинено",
                ),
            )
    if all(body.mass == 0 for body in model.bodies):
        diagnostics.note(
            "no-mass",
            model.span,
            Text(
                "no body has a mass: the file describes kinematics only",
                "ни у одного тела нет массы: файл описывает только кинематику",
            ),
        )
        return
    for body, reason in lacking:
        hint = Text("kinematics works; dynamics will be refused", "кинематика работает; в динамике будет отказано")
        diagnostics.warning("massless-end", body.span, reason, hint=hint)


def _idle_links(model: Model, diagnostics: Diagnostics) -> None:
    """Warn of links that hold in no structure."""
    held = {name for structure in model.structures for name in structure.holds}
    links: list[Link] = [*model.closures, *model.blades, *model.locks, *model.couplings]
    for link in links:
        if link.name not in held:
            diagnostics.warning(
                "never-holds",
                link.span,
                Text(f'"{link.name}" holds in no structure', f"«{link.name}» не держит ни в одной структуре"),
                hint=Text(
                    f'name it in a structure: holds="{link.name}"', f'назовите её в структуре: держит="{link.name}"'
                ),
            )


def _within_limits(model: Model, posture: Posture, diagnostics: Diagnostics) -> None:
    """Warn of given coordinates that lie beyond the limits of their joints."""
    for body in model.bodies:
        joint = body.joint
        if joint.type.has_quaternion or posture.span is None:
            continue
        for index in range(joint.type.nq):
            at, low, high = body.first_q + index, joint.minimum[index], joint.maximum[index]
            # A limit that is met exactly may be missed by the last digit of a conversion.
            slack = 1e-9 * max(1.0, abs(posture.q[at]))
            from_pole = body.p_PB[index] if joint.type.limits_place(index) else 0.0
            if at in posture.given_q and not low - slack <= posture.q[at] + from_pole <= high + slack:
                name = model.coordinate_names[at]
                diagnostics.warning(
                    "beyond-limits",
                    posture.span,
                    Text(f'coordinate "{name}" is beyond its limits', f"координата «{name}» вне своих пределов"),
                )


def _stem(path: str) -> str:
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    return name.rsplit(".", 1)[0] if "." in name[1:] else name


def _spots(
    bodies: Sequence[Body], points: Sequence[Point], frames: Sequence[Frame]
) -> dict[str, tuple[int, Vector3, Rotation]]:
    """Body, place and axes of everything with a name that stands on a body."""
    made: dict[str, tuple[int, Vector3, Rotation]] = {
        body.name: (body.number, (0.0, 0.0, 0.0), IDENTITY) for body in bodies
    }
    made |= {point.name: (point.body, point.p_BP, IDENTITY) for point in points}
    return made | {frame.name: (frame.body, frame.p_BF, frame.R_BF) for frame in frames}
