"""Puts a file and the files that it includes together, and evaluates their parameters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import field, replace

from sistel.errors import Diagnostics, Span, Text, did_you_mean
from sistel.markup import Document, Expression, Name, Node, Number, Numbers, walk_expression
from sistel.model._check import constant
from sistel.model._elements import Parameter
from sistel.model._letters import Letters
from sistel.model._repeat import Allowance, carried_out
from sistel.model._scope import Scope
from sistel.model._values import DECIMAL_POINT, Values
from sistel.pose import IDENTITY, Rotation, Vector3, compose, rotate
from sistel.records import mutable
from sistel.units import PLAIN, UNIT_BY_WORD, Dimension, dimension_name, unit_of

MOST_PARTS = 1000
DEEPEST_INCLUSION = 20

RESERVED = frozenset(("t", "time", "время", "pi", "пи", "π"))
"""Names that no parameter can have."""

Loader = Callable[[str, Span], Document | None]
"""Reads an included file; reports its own problems and returns None when there is nothing to use."""


@mutable
class MountedFile:
    """One file of the system, and where it is mounted."""

    document: Document
    """With its repetitions carried out."""
    written: Document
    """As it was read."""
    scope: Scope
    values: Values
    letters: Letters
    """What stands for parameters, in all files."""
    base: str | None
    """Full name of the body that carries it; None for the ground."""
    base_span: Span
    p_PG: Vector3
    """Its ground in the frame of the base [m]."""
    R_PG: Rotation
    included: bool
    path: tuple[str, ...] = field(default=())
    """Files from the main one to this one."""
    scenery: bool = False
    """Whether only its world is taken."""

    def of(self, *keys: str) -> list[Node]:
        """What stands in it, of these kinds."""
        return list(self.document.root.of(*keys))


def assemble(
    document: Document, loader: Loader, diagnostics: Diagnostics, planar: bool, letters: Letters
) -> list[MountedFile]:
    """The main file and everything that it includes, parameters evaluated."""
    scope = Scope("")
    values = Values(scope, diagnostics, planar)
    main = MountedFile(
        document,
        document,
        scope,
        values,
        letters,
        None,
        document.root.span,
        (0.0, 0.0, 0.0),
        IDENTITY,
        False,
        (document.source.path,),
    )
    _parameters(main, {}, diagnostics)
    allowance = Allowance()
    parts, waiting = [main], [main]
    while waiting:
        part = waiting.pop(0)
        part.document = carried_out(part.written, part.scope, diagnostics, allowance)
        _check_world(part, diagnostics)
        for node, scenery in _inclusions(part.document.root):
            made = _include(node, part, loader, diagnostics, planar, len(parts))
            if made is not None:
                made.scenery = scenery
                parts.append(made)
                waiting.append(made)
    return parts


def _inclusions(root: Node) -> Iterator[tuple[Node, bool]]:
    """What a file includes, and whether as a part of its world."""
    for child in root.of("include", "world"):
        if child.key == "include":
            yield child, False
        else:
            yield from ((node, True) for node in child.of("include"))


def _check_world(part: MountedFile, diagnostics: Diagnostics) -> None:
    """Refuse a world that would move, and what a file of obstacles has besides them."""
    root = part.document.root
    worlds = list(root.of("world"))
    if part.base is not None and worlds:
        diagnostics.error(
            "moving-world",
            part.base_span,
            Text(
                f'the world does not move, and its file is carried by "{part.base}"',
                f"мир неподвижен, а его файл несёт «{part.base}»",
            ),
            hint=Text(
                "include it without a base, or give the body shapes of its own",
                "включите его без базы или дайте фигуры самому телу",
            ),
            related=[(worlds[0].span, Text("the world is here", "мир здесь"))],
        )
    if not part.scenery:
        return
    part.base = None
    others = {child.key: child for child in reversed(root.children) if child.key not in ("parameter", "world")}
    for child in others.values():
        diagnostics.error(
            "not-of-the-world",
            child.span,
            Text(
                f'"{child.spec.en[0]}" is no part of a world, and only that is taken from this file',
                f"«{child.spec.ru[0]}» — не часть мира, а из этого файла берётся только мир",
            ),
            expected=Text("parameters and <world>", "параметры и <мир>"),
            hint=Text("to take all of the file, include it outside <world>", "весь файл включают вне <мир>"),
            related=[(part.base_span, Text("it is included here", "он включён здесь"))],
        )
    if not worlds and not others:
        diagnostics.error(
            "no-world",
            part.base_span,
            Text("the included file has no world", "во включаемом файле нет мира"),
            expected=Text("<world> with boxes and other shapes", "<мир> с препятствиями"),
        )
    # What was refused has been said, and is looked at no further.
    part.document = replace(part.document, root=replace(root, children=[*root.of("parameter", "world")]))


def _include(
    node: Node, part: MountedFile, loader: Loader, diagnostics: Diagnostics, planar: bool, count: int
) -> MountedFile | None:
    path = node.text("file")
    if path is None:
        return None
    if count >= MOST_PARTS or len(part.path) > DEEPEST_INCLUSION:
        diagnostics.error(
            "too-many-files",
            node.at("file"),
            Text(
                f"more than {MOST_PARTS} files, or {DEEPEST_INCLUSION} levels of inclusion",
                f"больше {MOST_PARTS} файлов или {DEEPEST_INCLUSION} уровней включения",
            ),
        )
        return None
    document = loader(path, node.at("file"))
    if document is None:
        return None
    if document.source.path in part.path:
        chain = " → ".join((*part.path[part.path.index(document.source.path) :], document.source.path))
        diagnostics.error(
            "inclusion-cycle",
            node.at("file"),
            Text(f"files include each other in a circle: {chain}", f"файлы включают друг друга по кругу: {chain}"),
        )
        return None
    if (document.root.text("space") or "planar") != ("planar" if planar else "spatial"):
        diagnostics.error(
            "mixed-space",
            node.at("file"),
            Text(
                "a planar file cannot include a spatial one, or the reverse",
                "плоский файл не может включать пространственный, и наоборот",
            ),
        )
        return None
    prefix = re.sub(r"\s+", " ", part.scope.prefix + (node.text("prefix") or "")).lstrip()
    scope = Scope(prefix)
    made = MountedFile(
        document,
        document,
        scope,
        Values(scope, diagnostics, planar),
        part.letters,
        None,
        node.at("base"),
        part.values.place(node),
        part.values.turn(node),
        True,
        (*part.path, document.source.path),
    )
    base = node.names("base")
    if base and base[0] != "0":
        made.base = part.scope.full(base[0])
    elif part.included:
        # A file included by an included file stands on what carries that one.
        made.base, made.p_PG, made.R_PG = part.base, _moved(part, made.p_PG), _turned(part, made.R_PG)
    _parameters(made, _overrides(node, part, diagnostics), diagnostics)
    return made


def _moved(part: MountedFile, p: Vector3) -> Vector3:
    x, y, z = rotate(part.R_PG, p)
    return (part.p_PG[0] + x, part.p_PG[1] + y, part.p_PG[2] + z)


def _turned(part: MountedFile, R: Rotation) -> Rotation:
    return compose(part.R_PG, R)


def _overrides(node: Node, part: MountedFile, diagnostics: Diagnostics) -> dict[str, Parameter]:
    overrides = {}
    for child in node.of("parameter"):
        made = _parameter(child, part.scope, diagnostics)
        if made is not None:
            overrides[made.name] = made
    return overrides


def _parameters(part: MountedFile, overrides: dict[str, Parameter], diagnostics: Diagnostics) -> None:
    """Evaluate the parameters of a file, in whatever order they depend on each other."""
    nodes: dict[str, Node] = {}
    for node in part.of("parameter"):
        name = node.text("name")
        if name is None or "value" not in node.attributes:
            continue
        if name in RESERVED:
            said = Text(f'"{name}" has a meaning of its own in expressions', f"«{name}» имеет в выражениях свой смысл")
            hint = Text("choose another name", "выберите другое имя")
            diagnostics.error("reserved-name", node.at("name"), said, hint=hint)
            continue
        if name in nodes:
            said = Text(f'there are two parameters "{name}"', f"два параметра «{name}»")
            first = nodes[name].at("name"), Text("the first is here", "первый здесь")
            diagnostics.error("same-name", node.at("name"), said, related=[first])
            continue
        nodes[name] = node
    for name, parameter in overrides.items():
        if name not in nodes:
            diagnostics.error(
                "unknown-name",
                parameter.span,
                Text(f'the included file has no parameter "{name}"', f"во включаемом файле нет параметра «{name}»"),
            )
    needs = {name: _needs(node) & nodes.keys() for name, node in nodes.items()}
    users: dict[str, list[str]] = {name: [] for name in nodes}
    for name, needed in needs.items():
        for other in needed:
            users[other].append(name)
    missing = {name: len(needed) for name, needed in needs.items()}
    ready = [name for name, count in missing.items() if count == 0]
    done = 0
    while done < len(ready):
        name = ready[done]
        done += 1
        made = _fitting(overrides.get(name), nodes[name], part.scope, diagnostics)
        made = (
            _parameter(nodes[name], part.scope, diagnostics) if made is None else replace(made, span=nodes[name].span)
        )
        if made is not None:
            made = replace(made, value=part.letters.letter(replace(made, name=part.scope.full(name))))
        # A parameter that failed has been reported; a stand-in keeps its users from reporting it again.
        part.scope.parameters[name] = made or Parameter(
            name=name, value=math.nan, dimension=PLAIN, span=nodes[name].span
        )
        for user in users[name]:
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    circle = [name for name in nodes if name not in part.scope.parameters]
    if circle:
        shown = ", ".join(circle[:6])
        diagnostics.error(
            "parameter-cycle",
            nodes[circle[0]].at("value"),
            Text(
                f"parameters depend on each other in a circle: {shown}",
                f"параметры зависят друг от друга по кругу: {shown}",
            ),
        )
    for name in circle:
        part.scope.parameters[name] = Parameter(name=name, value=math.nan, dimension=PLAIN, span=nodes[name].span)


def _fitting(override: Parameter | None, node: Node, scope: Scope, diagnostics: Diagnostics) -> Parameter | None:
    """The value that replaces a parameter's own, if it has the same dimension."""
    own = _parameter(node, scope, diagnostics) if override is not None else None
    if override is None or own is None or override.dimension.fits(own.dimension):
        return override
    diagnostics.error(
        "wrong-dimension",
        override.span,
        Text(
            f'this is {dimension_name(override.dimension)}, and "{own.name}" is {dimension_name(own.dimension)}',
            f"это {dimension_name(override.dimension, 'ru')}, а «{own.name}» — {dimension_name(own.dimension, 'ru')}",
        ),
        hint=Text("write its unit", "напишите единицу"),
    )
    return own


def _needs(node: Node) -> set[str]:
    names = set()
    for key in ("value", "min", "max"):
        value = node.get(key)
        for expression in value if isinstance(value, tuple) else ():
            if not isinstance(expression, (str, Number)):
                names |= {item.name for item in walk_expression(expression) if isinstance(item, Name)}
    return names


def _parameter(node: Node, scope: Scope, diagnostics: Diagnostics) -> Parameter | None:
    """The value and dimension of a parameter; `unit` turns plain numbers into quantities."""
    name = node.text("name")
    value = _quantity(node, "value", scope, diagnostics)
    if name is None or value is None:
        return None
    limits: dict[str, float | None] = {}
    for key in ("min", "max"):
        limit = _quantity(node, key, scope, diagnostics) if key in node.attributes else None
        if limit is not None and not limit[1].fits(value[1]):
            diagnostics.error(
                "wrong-dimension",
                node.at(key),
                Text(
                    f"the limit is {dimension_name(limit[1])}, the value {dimension_name(value[1])}",
                    f"предел: {dimension_name(limit[1], 'ru')}, значение: {dimension_name(value[1], 'ru')}",
                ),
            )
            limit = None
        limits[key] = None if limit is None else limit[0]
    return Parameter(
        name=name,
        value=value[0],
        dimension=value[1],
        minimum=limits["min"],
        maximum=limits["max"],
        about=node.text("about") or "",
        span=node.span,
    )


def _quantity(node: Node, key: str, scope: Scope, diagnostics: Diagnostics) -> tuple[float, Dimension] | None:
    attribute = node.attributes.get(key)
    if attribute is None:
        return None
    assert isinstance(attribute.spec.kind, Numbers) and isinstance(attribute.value, tuple)
    if len(attribute.value) != 1:
        diagnostics.error(
            "wrong-count",
            attribute.span,
            Text("a parameter is one number", "параметр — это одно число"),
            hint=DECIMAL_POINT,
        )
        return None
    expression = attribute.value[0]
    assert isinstance(expression, Expression)
    found = constant(expression, scope, diagnostics)
    if found is None:
        return None
    value, dimension, plain = found
    word = node.text("unit")
    if word is None:
        return value, dimension
    unit = unit_of(word)
    if unit is None:
        diagnostics.error(
            "unknown-unit",
            node.at("unit"),
            Text(f'unknown unit "{word}"', f"неизвестная единица «{word}»"),
            hint=did_you_mean(word, UNIT_BY_WORD),
        )
        return None
    if plain:
        return unit.to_si(value), unit.dimension
    if not dimension.fits(unit.dimension):
        diagnostics.error(
            "wrong-dimension",
            node.at("unit"),
            Text(
                f'the value is {dimension_name(dimension)}, the unit "{word}" is of {dimension_name(unit.dimension)}',
                f"значение: {dimension_name(dimension, 'ru')}, а «{word}»: {dimension_name(unit.dimension, 'ru')}",
            ),
        )
    return value, dimension


def only_one(root: Node, key: str, code: str, twice: Text, diagnostics: Diagnostics) -> Node | None:
    """The element of a file that may stand there once, or None; more of them are refused with `twice`."""
    nodes = list(root.of(key))
    for extra in nodes[1:]:
        again = [(nodes[0].span, Text("the first time is here", "первый раз здесь"))]
        diagnostics.error(code, extra.span, twice, related=again)
    return nodes[0] if nodes else None
