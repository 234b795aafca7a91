"""Files of drives: XML with words in Russian or English. All mistakes are told at once, with their places."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from sistel.drives._drive import Drive, DriveSet, Homing
from sistel.drives._words import AXES, DIRECTIONS, DRIVE, DRIVE_WORDS, HOMINGS, ROOT, ROOT_WORDS, choice_of, word_of
from sistel.errors import Diagnostics, Source, Text, one_of, word_hint
from sistel.markup import allowed_folders, open_source
from sistel.markup.xml import Element, read_xml
from sistel.units import (
    ANGLE,
    ANGULAR_ACCELERATION,
    ANGULAR_SPEED,
    CURRENT,
    INERTIA,
    LENGTH,
    MOMENT,
    PLAIN,
    Dimension,
    Unit,
    unit_of,
)

if TYPE_CHECKING:
    from sistel.drives._words import AttributeWord
    from sistel.errors import Fragment, Span
    from sistel.model import Model

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
MOST_NODE = 255
MOST_DRIVES = 255
MOST_BANDWIDTH = 50.0
"""Of a loop on ticks of 1 ms [Hz]: with the rate from differences of a counter it is unstable from 67 Hz on."""
WHOLE = {"node": (1, MOST_NODE), "resolution": (1, 1 << 24), "encoder-zero": (-1_044_479, 1_044_479)}
"""Ranges of whole numbers; [K] the homing offset of DYNAMIXEL ends at 1,044,479."""
IGNORED = ("xmlns", "xsi:", "xml:")
LONGEST_TEXT = 40


def _unit(word: str) -> Unit:
    found = unit_of(word)
    assert found is not None
    return found


PLAIN_NUMBER = Unit("", ("",), ("",), PLAIN)
UNITS: dict[str, Unit] = {
    "number": PLAIN_NUMBER,
    "rate": _unit("rpm"),
    "acceleration": _unit("rev/s^2"),
    "current": _unit("A"),
    "constant": _unit("N*m/A"),
    "lead": _unit("mm"),
    "inertia": _unit("kg*m^2"),
    "frequency": _unit("Hz"),
}
"""Of plain numbers, by the kind of value; positions are in mm or degrees."""
DIMENSIONS: dict[str, Dimension] = {
    "number": PLAIN,
    "rate": ANGULAR_SPEED,
    "acceleration": ANGULAR_ACCELERATION,
    "current": CURRENT,
    "constant": MOMENT.over(CURRENT),
    "lead": LENGTH,
    "inertia": INERTIA,
    "frequency": _unit("Hz").dimension,
}


def read_drives(path: str | os.PathLike[str], model: Model, allow: Sequence[str | os.PathLike[str]] = ()) -> DriveSet:
    """Read a file of drives for a model.

    Raises:
        SistelError: The file is wrong; all its mistakes, with their places.
    """
    return parse_drives(open_source(os.fspath(path), Diagnostics(), allowed_folders(allow)), model)


def parse_drives(source: Source, model: Model) -> DriveSet:
    """The same of a text."""
    diagnostics = Diagnostics()
    tree = read_xml(source, diagnostics)
    diagnostics.raise_if_failed()
    if tree is None or tree.name.casefold() not in ROOT:
        name = "" if tree is None else tree.name
        diagnostics.error(
            "wrong-root",
            None if tree is None else tree.name_span,
            Text(f'the root element is "{name}"', f"корневой элемент — «{name}»"),
            expected=Text(*ROOT),
        )
        diagnostics.raise_if_failed()
    assert tree is not None
    made = _Reader(diagnostics, model).drives(tree)
    diagnostics.raise_if_failed()
    return made


class _Reader:
    def __init__(self, diagnostics: Diagnostics, model: Model) -> None:
        self.diagnostics = diagnostics
        self.places: dict[str, int] = {}
        self.kinds: dict[str, str] = {}
        self.limits: dict[str, tuple[float, float]] = {}
        for body in model.bodies:
            kinds, first = body.joint.type.coordinates, body.first_q
            for offset, (part, kind) in enumerate(kinds):
                name = f"{body.name}.{part}" if part else body.name
                self.places[name], self.kinds[name] = first + offset, kind
                if len(kinds) == 1:  # of joints with several coordinates limits may be those of a place
                    self.limits[name] = body.joint.minimum[0], body.joint.maximum[0]

    def drives(self, root: Element) -> DriveSet:
        found = self.attributes(root, ROOT_WORDS)
        self.no_text(root)
        drives: list[Drive] = []
        for child in root.children:
            if child.name.casefold() not in DRIVE:
                message = Text(f'"{child.name}" has no place here', f"«{child.name}» здесь не место")
                self.unknown("unknown-element", child.name_span, message, child.name, list(DRIVE))
                continue
            drive = self.drive(child, len(drives))
            if drive is not None:
                drives.append(drive)
        if not root.children:
            message = Text("there are no drives here", "здесь нет приводов")
            self.diagnostics.error("no-drives", root.span, message)
        if len(drives) > MOST_DRIVES:
            message = Text(f"more than {MOST_DRIVES} drives", f"больше {MOST_DRIVES} приводов")
            self.diagnostics.error("too-many-drives", drives[MOST_DRIVES].span, message)
        self.apart(drives)
        name = found["name"].text.strip() if "name" in found else ""
        return DriveSet(name=name, drives=tuple(drives), span=root.span)

    def unknown(self, code: str, span: Span, message: Text, word: str, known: list[str], most: int = 12) -> None:
        expected = one_of(known, most) if known else None
        self.diagnostics.error(code, span, message, expected=expected, hint=word_hint(word, known))

    def no_text(self, element: Element) -> None:
        for text in element.text:
            shown = text.strip().text[:LONGEST_TEXT]
            message = Text(f'"{shown}" stands between tags', f"«{shown}» стоит между тегами")
            self.diagnostics.error("stray-text", text.strip().span(), message)

    def apart(self, drives: Sequence[Drive]) -> None:
        """Joints, nodes and axes are each used once."""
        for key, noun in (
            ("joint", Text("joint", "сочленение")),
            ("node", Text("node", "узел")),
            ("axis", Text("axis", "ось")),
        ):
            seen: dict[object, Drive] = {}
            for drive in drives:
                value = getattr(drive, key)
                if value == "":
                    continue
                if value in seen:
                    self.diagnostics.error(
                        "same-name",
                        drive.place(key),
                        Text(f'{noun.en} "{value}" has a drive already', f"{noun.ru} «{value}»: привод уже есть"),
                        related=[(seen[value].place(key), Text("here", "здесь"))],
                    )
                seen[value] = drive

    def attributes(self, element: Element, table: dict[str, AttributeWord]) -> dict[str, Fragment]:
        found: dict[str, Fragment] = {}
        for name, attribute in element.attributes.items():
            if name.startswith(IGNORED):
                continue
            row = word_of(name, table)
            if row is None:
                known = [word for each in table.values() for word in (*each.en, *each.ru)]
                message = Text(f'"{element.name}" has no "{name}"', f"у «{element.name}» нет «{name}»")
                self.unknown("unknown-attribute", attribute.name_span, message, name, known, 40)
            elif row.key in found:
                message = Text(f'"{row.en[0]}" is given twice', f"«{row.ru[0]}» задано дважды")
                self.diagnostics.error("same-attribute", attribute.name_span, message)
            elif not attribute.text.strip() and row.kind != "text":
                message = Text(f'"{name}" is empty', f"«{name}» пусто")
                self.diagnostics.error("empty-value", attribute.name_span, message, expected=row.doc)
            else:
                found[row.key] = attribute.value.strip()
        given = {row.key for name in element.attributes if (row := word_of(name, table)) is not None}
        for row in table.values():
            if row.required and row.key not in given:
                message = Text(f'"{row.en[0]}" is missing', f"не хватает «{row.ru[0]}»")
                self.diagnostics.error("missing-attribute", element.name_span, message, expected=row.doc)
        return found

    def drive(self, element: Element, number: int) -> Drive | None:
        before = len(self.diagnostics)
        found = self.attributes(element, DRIVE_WORDS)
        self.no_text(element)
        for child in element.children:
            message = Text(f'"{child.name}" has no place here', f"«{child.name}» здесь не место")
            self.diagnostics.error("unknown-element", child.name_span, message)
        joint, slides = self.joint(found.get("joint"))
        position = _unit("mm") if slides else _unit("deg")
        whole = {key: self.whole(key, found.get(key)) for key in ("node", "resolution", "encoder-zero")}
        values: dict[str, float | None] = {}
        for key, row in DRIVE_WORDS.items():
            if key not in found:
                values[key] = None
            elif row.kind == "position":
                values[key] = self.number(found[key], position, LENGTH if slides else ANGLE) if joint else None
            elif row.kind in UNITS:
                values[key] = self.number(found[key], UNITS[row.kind], DIMENSIONS[row.kind])
        sign = self.choice(found.get("direction"), DIRECTIONS, "forward")
        homing = self.choice(found.get("homing"), HOMINGS, "none")
        axis = self.choice(found.get("axis"), AXES, "XYZ"[number] if number < 3 else "")
        self.signs(found, values)
        if slides and "lead" not in found:
            message = Text("a sliding joint needs the lead of its screw", "поступательному сочленению нужен шаг винта")
            self.diagnostics.error("missing-attribute", element.name_span, message, expected=DRIVE_WORDS["lead"].doc)
        if joint and not slides and "lead" in found:
            message = Text(f'"{joint}" turns: it has no lead', f"«{joint}» вращается: шага у него нет")
            self.diagnostics.error("wrong-value", found["lead"].span(), message)
        if len(self.diagnostics) > before:
            return None
        speed = cast(float, values["speed"])
        given = {key: value for key, value in values.items() if value is not None}
        low, high = self.limits.get(joint, (-math.inf, math.inf))
        low, high = max(low, given.get("min", -math.inf)), min(high, given.get("max", math.inf))
        home = given.get("home", 0.0)
        if homing == "here" and not low - 1e-9 <= home <= high + 1e-9:
            shown, unit = (1e3, ("mm", "мм")) if slides else (180.0 / math.pi, ("°", "°"))
            self.diagnostics.error(
                "out-of-range",
                found["home" if "home" in found else "homing"].span(),
                Text(
                    f'"{joint}" cannot stand at its home, {shown * home:.6g} {unit[0]}',
                    f"«{joint}» не может стоять в своём нуле, {shown * home:.6g} {unit[1]}",
                ),
                expected=Text(
                    f"{shown * low:.6g} … {shown * high:.6g} {unit[0]}",
                    f"{shown * low:.6g} … {shown * high:.6g} {unit[1]}",
                ),
            )
            return None
        return Drive(
            joint=joint,
            coordinate=self.places[joint],
            slides=slides,
            node=cast(int, whole["node"]),
            ratio=given.get("ratio", 1.0),
            lead=given.get("lead", 0.0),
            resolution=whole["resolution"],
            sign=1 if sign == "forward" else -1,
            speed=speed,
            acceleration=given["acceleration"],
            minimum=low,
            maximum=high,
            current=given.get("current", math.inf),
            constant=values["constant"],
            efficiency=given.get("efficiency", 1.0),
            home=home,
            homing=cast(Homing, homing),
            homing_speed=given.get("homing-speed", -speed / 20.0),
            encoder_zero=whole["encoder-zero"],
            axis=axis,
            rotor=given.get("rotor", 0.0),
            bandwidth=2.0 * math.pi * given.get("bandwidth", 15.0),
            span=element.span,
            places={key: fragment.span() for key, fragment in found.items()},
        )

    def joint(self, fragment: Fragment | None) -> tuple[str, bool]:
        if fragment is None:
            return "", False
        kind = self.kinds.get(fragment.text)
        if kind not in ("turn", "slide"):
            known = [name for name, each in self.kinds.items() if each in ("turn", "slide")]
            message = Text(f'there is no coordinate "{fragment.text}"', f"нет координаты «{fragment.text}»")
            self.unknown("unknown-name", fragment.span(), message, fragment.text, known)
            return "", False
        return fragment.text, kind == "slide"

    def signs(self, found: dict[str, Fragment], values: dict[str, float | None]) -> None:
        """What must be above 0, and what must not cross."""
        for key in (
            "ratio",
            "lead",
            "speed",
            "acceleration",
            "current",
            "constant",
            "efficiency",
            "rotor",
            "bandwidth",
        ):
            value = values.get(key)
            if value is not None and not (0.0 < value <= (1.0 if key == "efficiency" else math.inf)):
                expected = (
                    Text("above 0, at most 1", "больше 0, не больше 1")
                    if key == "efficiency"
                    else Text("a number above 0", "число больше 0")
                )
                row = DRIVE_WORDS[key]
                message = Text(f'"{row.en[0]}" is out of its range', f"«{row.ru[0]}» вне допустимого")
                self.diagnostics.error("wrong-value", found[key].span(), message, expected=expected)
        bandwidth = values.get("bandwidth")
        if bandwidth is not None and bandwidth > MOST_BANDWIDTH:
            message = Text(
                "a loop that looks once in a millisecond would shake", "контур с тактом в миллисекунду раскачается"
            )
            expected = Text(f"{MOST_BANDWIDTH:g} Hz at most", f"не больше {MOST_BANDWIDTH:g} Гц")
            self.diagnostics.error("wrong-value", found["bandwidth"].span(), message, expected=expected)
        low, high = values.get("min"), values.get("max")
        if low is not None and high is not None and low >= high:
            message = Text("the least position is not below the greatest", "наименьшее положение не меньше наибольшего")
            self.diagnostics.error("wrong-value", found["min"].span().to(found["max"].span()), message)
        if values.get("homing-speed") == 0.0:
            message = Text("a homing speed of 0 finds nothing", "со скоростью 0 ничего не найти")
            self.diagnostics.error("wrong-value", found["homing-speed"].span(), message)

    # --- values ------------------------------------------------------------------------------------------------------

    def whole(self, key: str, fragment: Fragment | None) -> int | None:
        if fragment is None:
            return None
        least, most = WHOLE[key]
        text = fragment.text.replace("\N{MINUS SIGN}", "-")
        plain = text.removeprefix("-") if least < 0 else text
        if not (plain.isascii() and plain.isdecimal() and len(plain) < 10 and least <= int(text) <= most):
            shown = text[:LONGEST_TEXT]
            self.diagnostics.error(
                "not-whole",
                fragment.span(),
                Text(
                    f'"{shown}" is no whole number from {least} to {most}', f"«{shown}» — не целое от {least} до {most}"
                ),
                expected=DRIVE_WORDS[key].doc,
            )
            return None
        return int(text)

    def number(self, fragment: Fragment, unit: Unit, dimension: Dimension) -> float | None:
        """A value in SI."""
        text = fragment.text.replace("\N{MINUS SIGN}", "-")
        found = NUMBER.match(text) if len(text) < 100 else None
        if found is not None:
            own = text[found.end() :].strip()
            used = unit if not own else unit_of(own)
            if used is not None and used.dimension == dimension:
                value = used.to_si(float(found[0].replace(",", ".")))
                if math.isfinite(value):
                    return value
        shown = fragment.text[:LONGEST_TEXT]
        self.diagnostics.error(
            "bad-number",
            fragment.span(),
            Text(f'"{shown}" is not such a number', f"«{shown}» — не такое число"),
            expected=Text(f"a number [{unit.en[0]}]", f"число [{unit.ru[0]}]")
            if unit.key
            else Text("a number", "число"),
        )
        return None

    def choice(self, fragment: Fragment | None, table: dict[str, tuple[str, ...]], usual: str) -> str:
        if fragment is None:
            return usual
        key = choice_of(fragment.text, table)
        if key is None:
            known = [word for words in table.values() for word in words]
            shown = fragment.text[:LONGEST_TEXT]
            message = Text(f'"{shown}" is not known here', f"«{shown}» здесь неизвестно")
            self.unknown("unknown-word", fragment.span(), message, fragment.text, known)
        return key or usual
