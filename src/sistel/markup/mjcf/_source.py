"""MJCF as MuJoCo understands it before it looks at bodies: inclusions, compiler settings, defaults, orientations."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import field, replace

from sistel.errors import Diagnostics, Span, Text, did_you_mean, one_of
from sistel.markup._access import folder_of
from sistel.markup._files import read_named_source
from sistel.markup.formats._foreign import Foreign, Reading, drop_element
from sistel.markup.xml._reader import Attribute, Element, read_xml
from sistel.pose import (
    IDENTITY,
    Rotation,
    Vector3,
    compose,
    cross,
    exact_rotation,
    from_axis_angle,
    from_quaternion,
    norm,
)
from sistel.records import mutable

Loader = Callable[[str, Span], Element | None]
"""Reads an included file, named relative to the main one; reports its own problems."""

MOST_INCLUSIONS = 1000
MAIN = "main"

_APPLIED = ("joint", "geom", "site", "mesh", "material", "equality")
_ACTUATORS = (
    *("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion"),
    "dcmotor",
)
_AXES: dict[str, Vector3] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def file_loader(root: Element, diagnostics: Diagnostics) -> Loader:
    """Reads included files from the folder of the main file, or else from that of the file that names them."""

    def load(name: str, span: Span) -> Element | None:
        folders = list(dict.fromkeys((folder_of(root.source), folder_of(span.source))))
        source = read_named_source(name, span, diagnostics, folders)
        return None if source is None else read_xml(source, diagnostics)

    return load


def expand(root: Element, load: Loader, diagnostics: Diagnostics) -> Element:
    """The tree with every ``<include>`` replaced by the contents of the file that it names."""
    top = replace(root, children=list(root.children))
    stack: list[tuple[Element, tuple[str, ...]]] = [(top, ())]
    count = 0
    while stack:
        element, chain = stack.pop()
        queue = deque((child, chain) for child in element.children)
        element.children = []
        while queue:
            child, within = queue.popleft()
            if child.name != "include":
                child = replace(child, children=list(child.children))
                element.children.append(child)
                stack.append((child, within))
                continue
            file = child.attributes.get("file")
            name = "" if file is None else file.value.text.strip()
            span = child.name_span if file is None else file.value.span()
            count += 1
            if name in within or count > MOST_INCLUSIONS:
                diagnostics.error("include-cycle", span, Text("the file includes itself", "файл включает сам себя"))
                continue
            loaded = load(name, span)
            if loaded is not None:
                queue.extendleft((inner, (*within, name)) for inner in reversed(loaded.children))
    return top


@mutable
class Compiler:
    """The settings of ``<compiler>`` that change what numbers mean."""

    radian: bool = False
    eulerseq: str = "xyz"
    autolimits: bool = True
    inertiafromgeom: str = "auto"
    group_range: tuple[float, float] = (0, 5)
    boundmass: float = 0.0
    balanceinertia: bool = False
    settotalmass: float = -1.0
    meshdir: str = ""
    strippath: bool = False

    def angle(self, value: float) -> float:
        """An angle of the file [rad]."""
        return value if self.radian else math.radians(value)


@mutable
class Mjcf:
    """What reading any element needs to know."""

    reading: Reading
    compiler: Compiler = field(default_factory=Compiler)
    classes: dict[str, dict[str, dict[str, Attribute]]] = field(default_factory=dict)
    """Attributes by class and element."""
    colours: dict[str, str] = field(default_factory=dict)
    """By material."""
    meshes: dict[str, Foreign] = field(default_factory=dict)

    def foreign(self, element: Element, childclass: str = MAIN, *tags: str) -> Foreign:
        """An element with the defaults of its class filled in.

        Args:
            element: The element.
            childclass: Class that holds when the element names none.
            tags: Names under which its defaults stand, weakest first; its own name when empty.
        """
        given = element.attributes.get("class")
        name = childclass if given is None else given.value.text.strip()
        defaults = self.classes.get(name)
        if defaults is None:
            if name != MAIN:
                span = element.name_span if given is None else given.value.span()
                self.unknown_class(name, span)
            defaults = self.classes.get(MAIN, {})
        merged: dict[str, Attribute] = {}
        for tag in tags or (element.name,):
            merged.update(defaults.get(tag, {}))
        merged.update(element.attributes)
        foreign = Foreign(element, self.reading, merged)
        foreign.ignore("class")
        return foreign

    def unknown_class(self, name: str, span: Span) -> None:
        """An error for a class that no default defines."""
        if name not in self.classes and name != MAIN:
            known = list(self.classes)
            self.reading.diagnostics.error(
                "unknown-name",
                span,
                Text(f'there is no default class "{name}"', f"нет класса по умолчанию «{name}»"),
                expected=one_of(known) if known else None,
                hint=did_you_mean(name, known),
            )

    def flag(self, foreign: Foreign, name: str, default: bool) -> bool:
        """A ``true`` or ``false``."""
        word = foreign.word(name, "true", "false")
        return default if word is None else word == "true"

    def position(self, foreign: Foreign) -> Vector3:
        """The attribute `pos` [m]."""
        return foreign.vector("pos") or (0.0, 0.0, 0.0)

    def orientation(self, foreign: Foreign) -> Rotation:
        """One of the five ways in which MJCF writes an orientation, made exact where it nearly is."""
        ways = [way for way in ("quat", "axisangle", "euler", "xyaxes", "zaxis") if foreign.has(way)]
        own = [way for way in ways if foreign.attributes[way] is foreign.element.attributes.get(way)]
        foreign.ignore(*ways)
        ways = own or ways
        if len(ways) > 1:
            self.reading.diagnostics.error(
                "two-orientations",
                foreign.at(ways[1]),
                Text(
                    f"the orientation is given twice: {', '.join(ways)}", f"ориентация задана дважды: {', '.join(ways)}"
                ),
            )
        if not ways:
            return IDENTITY
        given = self._rotation(foreign, ways[0])
        if given is None:
            return IDENTITY
        exact = exact_rotation(given, self.reading.snap)
        change = max(abs(a - b) for new, old in zip(exact, given, strict=True) for a, b in zip(new, old, strict=True))
        if change > 1e-15:
            self.reading.losses.snapped(
                foreign.at(ways[0]),
                Text(f"orientation made exact, by {change:.1e}", f"ориентация сделана точной, сдвиг {change:.1e}"),
            )
        return exact

    def _rotation(self, foreign: Foreign, way: str) -> Rotation | None:
        counts = {"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}
        numbers = foreign.numbers(way, counts[way])
        if numbers is None:
            return None
        if way == "euler":
            R = IDENTITY
            for letter, value in zip(self.compiler.eulerseq, numbers, strict=True):
                step = from_axis_angle(_AXES[letter.lower()], self.compiler.angle(value))
                R = compose(R, step) if letter.islower() else compose(step, R)
            return R
        vector = numbers[:3] if way != "quat" else numbers
        if norm(vector) == 0 or (way == "xyaxes" and norm(cross(numbers[:3], numbers[3:])) == 0):
            self.reading.diagnostics.error(
                "zero-vector",
                foreign.at(way),
                Text(f'"{way}" gives no direction', f"«{way}» не задаёт направления"),
            )
            return None
        if way == "quat":
            return from_quaternion(numbers)
        if way == "axisangle":
            return from_axis_angle(numbers[:3], self.compiler.angle(numbers[3]))
        if way == "xyaxes":
            return _from_xy(numbers[:3], numbers[3:])
        return from_z(numbers)


def _from_xy(x: tuple[float, ...], y: tuple[float, ...]) -> Rotation:
    """Axes from x and a vector in the plane of x and y."""
    length = norm(x)
    a = tuple(component / length for component in x)
    along = sum(p * q for p, q in zip(a, y, strict=True))
    rest = tuple(q - along * p for p, q in zip(a, y, strict=True))
    length = norm(rest)
    b = tuple(component / length for component in rest)
    c = cross(a, b)
    return ((a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2]))


def from_z(z: tuple[float, ...]) -> Rotation:
    """The least rotation that brings z to a direction."""
    length = norm(z)
    x, y, c = (component / length for component in z)
    sine = math.hypot(x, y)
    if sine == 0:
        return IDENTITY if c > 0 else ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    return from_axis_angle((-y, x, 0.0), math.atan2(sine, c))


def read_compiler(root: Foreign, mjcf: Mjcf) -> None:
    """All ``<compiler>`` elements; the later one wins."""
    settings = mjcf.compiler
    for element in root.children("compiler"):
        unit = element.word("angle", "degree", "radian")
        settings.radian = settings.radian if unit is None else unit == "radian"
        sequence = element.word("eulerseq")
        if sequence is not None:
            if len(sequence) == 3 and set(sequence.lower()) <= set("xyz"):
                settings.eulerseq = sequence
            else:
                element.reading.diagnostics.error(
                    "unknown-word",
                    element.at("eulerseq"),
                    Text(
                        f'"{sequence}" is no sequence of three axes', f"«{sequence}» — не последовательность трёх осей"
                    ),
                    expected=Text("such as xyz or ZYX", "например xyz или ZYX"),
                )
        settings.autolimits = mjcf.flag(element, "autolimits", settings.autolimits)
        settings.strippath = mjcf.flag(element, "strippath", settings.strippath)
        settings.inertiafromgeom = element.word("inertiafromgeom", "true", "false", "auto") or settings.inertiafromgeom
        groups = element.numbers("inertiagrouprange", 2)
        settings.group_range = settings.group_range if groups is None else (groups[0], groups[1])
        settings.boundmass = element.number("boundmass") or settings.boundmass
        settings.balanceinertia = mjcf.flag(element, "balanceinertia", settings.balanceinertia)
        total = element.number("settotalmass")
        settings.settotalmass = settings.settotalmass if total is None else total
        settings.meshdir = element.word("assetdir") or settings.meshdir
        settings.meshdir = element.word("meshdir") or settings.meshdir
        if element.word("coordinate", "local", "global") == "global":
            element.reading.diagnostics.error(
                "global-coordinates",
                element.at("coordinate"),
                Text("global coordinates are no longer part of MJCF", "глобальные координаты больше не входят в MJCF"),
                hint=Text(
                    "convert the file with MuJoCo 2.3.3 or older", "преобразуйте файл с помощью MuJoCo 2.3.3 или старше"
                ),
            )
        # Where meshes and textures are compiled, and how, is the business of the simulator.
        element.ignore("texturedir", "discardvisual", "usethread", "saveinertial", "exactmeshinertia", "convexhull")
        if element.word("fusestatic") == "true":
            element.reading.losses.changed(
                element.at("fusestatic"),
                Text(
                    "bodies without joints are kept apart, fixed to their base",
                    "тела без сочленений не сливаются с базой, а закреплены на ней",
                ),
            )
        element.report()


def read_defaults(root: Foreign, mjcf: Mjcf) -> None:
    """The tree of default classes, flattened: each class with all that it inherits."""
    stack: list[tuple[Element, str | None]] = [(element.element, None) for element in root.children("default")]
    stack.reverse()
    while stack:
        element, base = stack.pop()
        given = element.attributes.get("class")
        name = given.value.text.strip() if given is not None else MAIN
        inherited = mjcf.classes.get(base, {}) if base is not None else {}
        merged = {tag: dict(attributes) for tag, attributes in inherited.items()}
        for tag, attributes in mjcf.classes.get(name, {}).items():
            merged.setdefault(tag, {}).update(attributes)
        inner = []
        for child in element.children:
            if child.name == "default":
                inner.append((child, name))
            elif child.name in _APPLIED or child.name in _ACTUATORS:
                merged.setdefault(child.name, {}).update(child.attributes)
            else:
                drop_element(child, mjcf.reading.losses)
        mjcf.classes[name] = merged
        if base is None and name != MAIN:
            mjcf.classes.setdefault(MAIN, merged)
        stack.extend(reversed(inner))
