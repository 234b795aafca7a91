"""Cell files: XML with words in Russian or English, and process lists as tables. All mistakes are told at once."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from sistel.cells._arms import arm_of
from sistel.cells._cell import Cell, Doing, Part, Robot, Row, Slot, Station
from sistel.cells._words import ATTRIBUTES, DOINGS, ELEMENTS, FLAGS, INSIDE, KINDS, REQUIRED, all_words, key_of
from sistel.errors import Diagnostics, SistelError, Source, Span, Text, one_of, word_hint
from sistel.files import unguarded
from sistel.markup import AccessError, allowed_folders, find_named, open_source, read_source
from sistel.markup.xml import Element, read_xml
from sistel.model import Model
from sistel.pose import read_position

Load = Callable[[str], Model]
"""What reads the description of an arm."""

MOST_ROWS = 10_000
LONGEST = 86_400.0
"""Of one row [s]."""


def read_cell(
    path: str | os.PathLike[str],
    load: Load,
    process: str | os.PathLike[str] | None = None,
    allow: Sequence[str | os.PathLike[str]] = (),
) -> Cell:
    """Read a cell.

    Args:
        path: The file.
        load: What reads the description of an arm.
        process: A process list as a CSV table, in the place of the file's own.
        allow: Folders in which the descriptions of arms may lie, besides that of the file.

    Raises:
        SistelError: The files are wrong; all their mistakes, with their places.
    """
    diagnostics = Diagnostics()
    source = open_source(os.fspath(path), diagnostics, allowed_folders(allow))
    return parse_cell(source, load, process, diagnostics)


def parse_cell(
    source: Source,
    load: Load,
    process: str | os.PathLike[str] | None = None,
    diagnostics: Diagnostics | None = None,
) -> Cell:
    """The same of a text.

    Raises:
        SistelError: The files are wrong; all their mistakes, with their places.
    """
    diagnostics = Diagnostics() if diagnostics is None else diagnostics
    tree = read_xml(source, diagnostics)
    diagnostics.raise_if_failed()
    if tree is None or key_of(tree.name, ELEMENTS) != "cell":
        name = "" if tree is None else tree.name
        diagnostics.error(
            "wrong-root",
            None if tree is None else tree.name_span,
            Text(f'the root element is "{name}"', f"корневой элемент — «{name}»"),
            expected=Text("cell", "ячейка"),
        )
        diagnostics.raise_if_failed()
    assert tree is not None
    made = _Reader(diagnostics, load).cell(tree)
    if process is not None:
        made = replace(made, rows=_table(process, made, diagnostics))
    diagnostics.raise_if_failed()
    return made


class _Reader:
    def __init__(self, diagnostics: Diagnostics, load: Load) -> None:
        self.diagnostics, self.load = diagnostics, load
        self.names: dict[tuple[str, str], Span] = {}

    def cell(self, root: Element) -> Cell:
        found = self.known(root, "cell")
        children = self.children(root, "cell")
        stations = tuple(self.station(each) for each in children["station"])
        slots = [slot.name for station in stations for slot in station.slots]
        parts = [part for each in children["part"] if (part := self.part(each, slots)) is not None]
        taken: dict[str, str] = {}
        for part in parts:
            if part.slot in taken:
                self.error(
                    "slot-taken",
                    part.span,
                    Text(
                        f'"{taken[part.slot]}" lies in "{part.slot}" already',
                        f"в гнезде «{part.slot}» уже лежит «{taken[part.slot]}»",
                    ),
                )
            taken[part.slot] = part.name
        robots = [robot for each in children["robot"] if (robot := self.robot(each)) is not None]
        rows: list[Row] = []
        cell = Cell(
            name=found.get("name", ("", root.span))[0] or "cell",
            robots=tuple(robots),
            stations=stations,
            parts=tuple(parts),
            rows=(),
            span=root.span,
        )
        for process in children["process"]:
            self.known(process, "process")
            for element in self.children(process, "process")["row"]:
                values = self.known(element, "row")
                row = read_row(values, len(rows) + 1, element.span, cell, self.diagnostics)
                if row is not None:
                    rows.append(row)
        return replace(cell, rows=tuple(rows))

    def children(self, element: Element, key: str) -> dict[str, list[Element]]:
        made: dict[str, list[Element]] = {each: [] for each in INSIDE.get(key, ())}
        for child in element.children:
            word = key_of(child.name, ELEMENTS)
            if word in made:
                made[word].append(child)
                continue
            known = [name for each in made for name in ELEMENTS[each]]
            self.error(
                "unknown-element",
                child.name_span,
                Text(f'"{child.name}" has no place here', f"«{child.name}» здесь не место"),
                one_of(known) if known else None,
                word_hint(child.name, known),
            )
        return made

    def known(self, element: Element, key: str) -> dict[str, tuple[str, Span]]:
        """Values of the attributes by their keys."""
        words = ATTRIBUTES[key]
        found: dict[str, tuple[str, Span]] = {}
        for name, attribute in element.attributes.items():
            word = key_of(name, words)
            if word is None:
                known = all_words(words)
                self.error(
                    "unknown-attribute",
                    attribute.name_span,
                    Text(f'"{element.name}" has no "{name}"', f"у «{element.name}» нет «{name}»"),
                    one_of(known),
                    word_hint(name, known),
                )
            else:
                found[word] = attribute.text.strip(), attribute.value.span(0, None)
        for word in REQUIRED.get(key, ()):
            if not found.get(word, ("", None))[0]:
                self.error(
                    "missing-attribute",
                    element.span,
                    Text(f'"{words[word][0]}" is missing', f"не хватает «{words[word][1]}»"),
                )
        if "name" in found and key != "cell":
            self.new_name(key, *found["name"])
        return found

    def new_name(self, key: str, name: str, span: Span) -> None:
        if (key, name) in self.names:
            message = Text(f'"{name}" is taken already', f"имя «{name}» уже занято")
            self.error("same-name", span, message)
        self.names[key, name] = span

    def station(self, element: Element) -> Station:
        found = self.known(element, "station")
        name, span = found.get("name", ("", element.span))
        kind = self.choice(found.get("kind"), KINDS, "rack")
        slots = [slot for each in self.children(element, "station")["slot"] if (slot := self.slot(each, name))]
        if kind == "belt" and len(slots) != 2:
            message = Text("a belt carries between two slots", "конвейер везёт между двумя гнёздами")
            self.error("belt-slots", element.span, message)
        out = self.choice(found.get("out"), {"yes": ("yes", "да"), "no": ("no", "нет")}, "no")
        return Station(name=name, kind=kind, slots=tuple(slots), out=FLAGS[out], span=span)

    def slot(self, element: Element, station: str) -> Slot | None:
        found = self.known(element, "slot")
        if "code" not in found or "name" not in found:
            return None
        numbers = self.numbers(*found["code"])
        if numbers is None:
            return None
        try:
            poses = read_position(numbers)
        except SistelError as problem:
            self.error("wrong-code", found["code"][1], problem.diagnostics[0].message, problem.diagnostics[0].expected)
            return None
        if len(poses) != 1:
            self.error("wrong-code", found["code"][1], Text("a slot has one pose", "у гнезда одно положение"))
        return Slot(name=found["name"][0], station=station, pose=poses[0], span=element.span)

    def part(self, element: Element, slots: Sequence[str]) -> Part | None:
        found = self.known(element, "part")
        if "name" not in found or "slot" not in found:
            return None
        slot, span = found["slot"]
        if slot not in slots:
            self.unknown("slot", slot, span, slots)
            return None
        mass = self.one(found.get("mass"), 1.0)
        sizes = self.numbers(*found["size"]) if "size" in found else [40.0, 40.0, 40.0]
        if sizes is not None and (len(sizes) != 3 or min(sizes) <= 0.0):
            message = Text("three sizes above 0 are needed [mm]", "нужны три размера больше 0 [мм]")
            self.error("wrong-size", found["size"][1], message)
            sizes = None
        if mass <= 0.0:
            self.error("wrong-mass", found["mass"][1], Text("a part has a mass above 0", "масса детали больше 0"))
        a, b, c = (1e-3 * size for size in sizes or [40.0, 40.0, 40.0])
        colour = found.get("colour", ("goldenrod", span))[0]
        return Part(name=found["name"][0], slot=slot, mass=mass, sizes=(a, b, c), colour=colour, span=element.span)

    def robot(self, element: Element) -> Robot | None:
        found = self.known(element, "robot")
        if any(word not in found for word in REQUIRED["robot"]):
            return None
        file, span = found["model"]
        try:
            model = self.load(find_named(file, span.source))
            arm = arm_of(model, found["frame"][0])
        except AccessError as problem:
            message = Text(f'"{file}": {problem.reason.en}', f"«{file}»: {problem.reason.ru}")
            self.error(problem.code, span, message, None, problem.hint)
            return None
        except SistelError as problem:
            first = problem.diagnostics[0]
            self.error("wrong-robot", span, first.message, first.expected)
            return None
        place = self.numbers(*found["place"]) if "place" in found else [0.0, 0.0, 0.0]
        if place is None or len(place) != 3:
            self.error("wrong-place", found["place"][1], Text("three numbers are needed [mm]", "нужны три числа [мм]"))
            return None
        fingers = tuple(each.strip() for each in found["fingers"][0].split(",")) if "fingers" in found else ()
        for name in fingers:
            if name not in model.coordinate_names:
                self.unknown("coordinate", name, found["fingers"][1], model.coordinate_names)
        x, y, z = (1e-3 * each for each in place)
        return Robot(
            name=found["name"][0],
            file=file,
            arm=arm,
            place=(x, y, z),
            turn=math.radians(self.one(found.get("turn"), 0.0)),
            fingers=fingers,
            wide=1e-3 * self.one(found.get("open"), 40.0),
            approach=1e-3 * self.one(found.get("approach"), 100.0),
            span=element.span,
        )

    # --- values ------------------------------------------------------------------------------------------------------

    def choice(self, given: tuple[str, Span] | None, table: Mapping[str, tuple[str, str]], usual: str) -> Any:
        if given is None or not given[0]:
            return usual
        word = key_of(given[0], dict(table))
        if word is None:
            known = all_words(dict(table))
            self.error(
                "unknown-word",
                given[1],
                Text(f'"{given[0]}" is not known here', f"«{given[0]}» здесь неизвестно"),
                one_of(known),
                word_hint(given[0], known),
            )
        return word or usual

    def one(self, given: tuple[str, Span] | None, usual: float) -> float:
        if given is None:
            return usual
        numbers = self.numbers(*given)
        if numbers is None:
            return usual
        if len(numbers) != 1:
            self.error("one-number", given[1], Text("one number is needed", "нужно одно число"))
            return usual
        return numbers[0]

    def numbers(self, text: str, span: Span) -> list[float] | None:
        made = numbers_of(text)
        if made is None:
            self.error("no-numbers", span, Text(f'"{text[:60]}" is no row of numbers', f"«{text[:60]}» — не ряд чисел"))
        return made

    def unknown(self, what: str, name: str, span: Span, known: Sequence[str]) -> None:
        tell_unknown(what, name, span, known, self.diagnostics)

    def error(
        self, code: str, span: Span, message: Text, expected: Text | None = None, hint: Text | None = None
    ) -> None:
        self.diagnostics.error(code, span, message, expected=expected, hint=hint)


_NOUNS = {
    "slot": Text("slot", "гнезда"),
    "part": Text("part", "детали"),
    "robot": Text("robot", "робота"),
    "coordinate": Text("coordinate", "координаты"),
}


def tell_unknown(what: str, name: str, span: Span, known: Sequence[str], diagnostics: Diagnostics) -> None:
    """Say that there is no such thing, and which there are."""
    noun = _NOUNS[what]
    diagnostics.error(
        "unknown-name",
        span,
        Text(f'there is no {noun.en} "{name}"', f"нет {noun.ru} «{name}»"),
        expected=one_of(list(known)) if known else None,
        hint=word_hint(name, list(known)),
    )


def _tell_word(
    code: str, span: Span, message: Text, word: str, table: dict[str, tuple[str, str]], diagnostics: Diagnostics
) -> None:
    known = all_words(table)
    diagnostics.error(code, span, message, expected=one_of(known), hint=word_hint(word, known))


def numbers_of(text: str) -> list[float] | None:
    """Numbers with commas or blanks between them; None where something else stands there."""
    try:
        made = [float(each) for each in text.replace(",", " ").split()]
    except ValueError:
        return None
    return made if made and all(map(math.isfinite, made)) else None


def read_row(
    values: Mapping[str, tuple[str, Span]], number: int, span: Span, cell: Cell, diagnostics: Diagnostics
) -> Row | None:
    """One row of a process list; None where it cannot be used."""
    before = len(list(diagnostics))
    text, place = values.get("do", ("", span))
    doing = cast("Doing | None", key_of(text, DOINGS))
    if doing is None:
        message = Text(f'row {number}: "{text}" is nothing to do', f"строка {number}: «{text}» — не действие")
        _tell_word("unknown-word", place, message, text, DOINGS, diagnostics)
        return None
    needs = {
        "take": ("part", "slot"),
        "put": ("slot",),
        "work": ("slot", "time"),
        "paint": ("slot", "time"),
        "assemble": ("slot",),
        "transport": ("slot", "time"),
        "go": ("slot",),
        "wait": ("time",),
    }[doing]
    for word in needs:
        if not values.get(word, ("", span))[0] and not (word == "part" and doing == "take"):
            en, ru = ATTRIBUTES["row"][word]
            diagnostics.error(
                "missing-attribute",
                span,
                Text(f'row {number}: "{en}" is missing', f"строка {number}: не хватает «{ru}»"),
            )
    robots = [each.name for each in cell.robots]
    lists = {"robot": robots, "part": [each.name for each in cell.parts], "slot": list(cell.slots)}
    names: dict[str, str] = {}
    for word, known in lists.items():
        name, place = values.get(word, ("", span))
        if name and name not in known:
            tell_unknown(word, name, place, known, diagnostics)
        names[word] = name
    acts = doing in ("take", "put", "paint", "assemble", "go")
    if acts and not names["robot"]:
        if len(robots) == 1:
            names["robot"] = robots[0]
        else:
            diagnostics.error(
                "missing-attribute",
                span,
                Text(f"row {number}: which robot?", f"строка {number}: какой робот?"),
                expected=one_of(robots) if robots else None,
            )
    times: dict[str, float | None] = {"time": None, "start": None}
    for word in times:
        text, place = values.get(word, ("", span))
        if not text:
            continue
        found = numbers_of(text)
        if found is None or len(found) != 1 or not 0.0 <= found[0] <= LONGEST:
            diagnostics.error(
                "wrong-time",
                place,
                Text(f'row {number}: "{text[:40]}" is no time', f"строка {number}: «{text[:40]}» — не время"),
                expected=Text(f"0 … {LONGEST:g} s", f"0 … {LONGEST:g} с"),
            )
        else:
            times[word] = found[0]
    if len(list(diagnostics)) > before:
        return None
    return Row(number=number, doing=doing, **names, time=times["time"], start=times["start"], span=span)


def _table(path: str | os.PathLike[str], cell: Cell, diagnostics: Diagnostics) -> tuple[Row, ...]:
    """A process list from a CSV table; its first line names the columns, in either language."""
    source = read_source(os.fspath(path), diagnostics)
    if source is None:
        return ()
    lines = source.text.splitlines(keepends=True)
    delimiter = ";" if lines and ";" in lines[0] else ","
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def span(line: int) -> Span:
        return Span(source, starts[line - 1], starts[line - 1] + len(lines[line - 1].rstrip("\r\n")))

    reader = csv.reader(io.StringIO(source.text), delimiter=delimiter)
    rows: list[Row] = []
    columns: list[str | None] = []
    try:
        for number, cells in enumerate(reader):
            here = span(min(reader.line_num, len(lines)))
            if number == 0:
                columns = _columns(cells, here, diagnostics)
            elif number > MOST_ROWS:
                message = Text(f"more than {MOST_ROWS} rows", f"больше {MOST_ROWS} строк")
                diagnostics.error("too-many-rows", here, message)
                break
            elif any(each.strip() for each in cells):
                values = {
                    column: (unguarded(value.strip()), here)
                    for column, value in zip(columns, cells, strict=False)
                    if column is not None
                }
                row = read_row(values, number, here, cell, diagnostics)
                if row is not None:
                    rows.append(row)
    except csv.Error:
        message = Text("this is no table with commas or semicolons", "это не таблица с запятыми или точками с запятой")
        diagnostics.error("no-table", _start(source), message)
    if not columns:
        diagnostics.error("no-table", _start(source), Text("the table is empty", "таблица пуста"))
    return tuple(rows)


def _columns(cells: Sequence[str], span: Span, diagnostics: Diagnostics) -> list[str | None]:
    words = ATTRIBUTES["row"]
    columns = [key_of(cell, words) for cell in cells]
    for cell, column in zip(cells, columns, strict=True):
        if column is None and cell.strip():
            message = Text(f'there is no column "{cell.strip()}"', f"нет столбца «{cell.strip()}»")
            _tell_word("unknown-column", span, message, cell.strip(), words, diagnostics)
    if "do" not in columns:
        diagnostics.error("missing-column", span, Text('the column "do" is missing', "не хватает столбца «действие»"))
    return columns


def _start(source: Source) -> Span:
    return Span(source, 0, min(1, len(source.text)))
