"""`sistel check`: whether a description is right, and the proof sheet of what is computed from it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from sistel.cli._arguments import Call, wrong_call
from sistel.cli._console import Console, takes_colour
from sistel.cli._described import examples, options
from sistel.cli._reading import ALLOW, BASE, LOCK, SRDF, base, locks, of_file, read_text
from sistel.cli._values import read_whole
from sistel.errors import Diagnostic, Diagnostics, SistelError, Text, did_you_mean, one_of
from sistel.files import reason_of
from sistel.records import record

if TYPE_CHECKING:
    from sistel.markup import Document
    from sistel.model import Model
    from sistel.proofs import ProofSheet
    from sistel.views import ReadingRow

USAGE = of_file(
    about=Text(
        "Reads a file, reports everything that is wrong with it, and lists what was verified. Then every quantity is "
        "computed in two independent ways, in random states of the tree of bodies and of each structure, and compared; "
        "tolerances are what rounding explains. The exit status is 1 if there are errors or a proof fails.",
        "Читает файл, сообщает обо всём, что в нём неверно, и перечисляет, что проверено. Затем каждая величина "
        "вычисляется двумя независимыми способами в случайных состояниях дерева тел и каждой структуры, и результаты "
        "сравниваются; допуски — то, что объясняет округление. Код завершения 1, если есть ошибки или проверка не "
        "сошлась.",
    ),
    options=(
        *options(
            """
            --html FILE | ФАЙЛ
                write the sheet as a page, too
                записать протокол ещё и страницей
            --reading
                only read, prove nothing
                только чтение, без доказательств
            --structure NAME | ИМЯ
                only this structure, and the tree of bodies
                только эта структура и дерево тел
            --states NUMBER | ЧИСЛО
                random states of the tree of bodies (6); structures get half as many
                случайных состояний дерева тел (6); у структур вдвое меньше
            --seed NUMBER | ЧИСЛО
                other random states (1)
                другие случайные состояния (1)
            """
        ),
        BASE,
        LOCK,
        ALLOW,
        SRDF,
    ),
    examples=examples(
        """
        sistel check walker.xml
            before sending it to a colleague
            прежде чем послать коллеге
        sistel check walker.xml --html proofs.html
            the same as a page
            то же страницей
        """
    ),
    exclusive=(("--reading", "--structure"), ("--reading", "--states"), ("--reading", "--seed")),
)

MOST_STATES = 1000
"""More random states than this prove nothing new."""

State = Literal["passed", "warned", "failed", "skipped"]


@record
class Check:
    """A thing that is verified. To verify more, add a row and say which codes of diagnostics speak of it."""

    key: str
    name: Text
    codes: frozenset[str] = frozenset()


@record
class Verdict:
    """What came of a check."""

    check: Check
    state: State
    what: Text
    """What was looked at."""


FILE_CHECK = Check(key="file", name=Text("file", "файл"))
XML = Check(key="xml", name=Text("XML", "XML"))
WORDS = Check(key="words", name=Text("words", "слова"))
NAMES = Check(
    key="names",
    name=Text("names", "имена"),
    codes=frozenset(
        [
            "unknown-name",
            "same-name",
            "same-number",
            "ground-number",
            "wrong-coordinate",
            "no-component",
            "unknown-function",
            "not-a-name",
        ]
    ),
)
DIMENSIONS = Check(
    key="dimensions",
    name=Text("dimensions", "размерности"),
    codes=frozenset(
        ["wrong-dimension", "unknown-unit", "wrong-count", "not-a-number", "not-a-condition", "argument-count"]
    ),
)
TREE = Check(
    key="tree",
    name=Text("tree", "дерево"),
    codes=frozenset(
        ["no-bodies", "base-cycle", "two-bases", "not-connected", "wrong-joint", "inclusion-cycle", "mixed-space"]
    ),
)
MASSES = Check(
    key="masses",
    name=Text("masses", "массы"),
    codes=frozenset(["impossible-inertia", "negative", "not-positive", "massless-end", "no-mass"]),
)
CLASSES = Check(key="classes", name=Text("classes", "классы"), codes=frozenset(["class-differs"]))
REST = Check(key="values", name=Text("values", "значения"))
"""Whatever the rows above do not claim: links, conditions, limits."""

BUILDING = (NAMES, DIMENSIONS, TREE, MASSES, REST, CLASSES)


def run(call: Call, console: Console) -> int:
    """Read the file as far as it goes, and tell how far that was; then prove what it computes."""
    states, seed = read_whole(call, "states", 1, MOST_STATES), read_whole(call, "seed", 0, 2**32 - 1)
    diagnostics = Diagnostics()
    verdicts, model = _examine(call, diagnostics)
    if model is not None and not diagnostics.failed and any(contact.pair is not None for contact in model.contacts):
        from sistel.simulation import note_overlaps

        note_overlaps(model, diagnostics)
    found = diagnostics.sorted()
    errors = sum(item.severity == "error" for item in found)
    sheet = None
    if model is not None and not errors and not call.given("reading"):
        sheet = _prove(model, _structure(call, model), states, 1 if seed is None else seed, console)
    status = 1 if errors or (sheet is not None and not sheet.holds) else 0
    _save(call, console, sheet, verdicts, found)
    if console.json:
        console.document(
            {
                "file": call.required("file"),
                "right": not errors,
                "checks": [
                    {"key": verdict.check.key, "state": verdict.state, "what": verdict.what.say(console.lang)}
                    for verdict in verdicts
                ],
                "fingerprint": None if model is None else model.fingerprint,
                "proofs": None if sheet is None else sheet.to_json(console.lang),
                "diagnostics": [item.to_json(console.lang) for item in found],
            }
        )
        return status
    from sistel.views import proofs_text, reading_text

    console.diagnostics(found)
    console.write(reading_text(_rows(verdicts), console.lang, colour=console.colour))
    warnings = sum(item.severity == "warning" for item in found)
    counts = Text(f"errors {errors}, warnings {warnings}", f"ошибок {errors}, предупреждений {warnings}")
    console.write(f"{counts.say(console.lang)}\n")
    if sheet is not None:
        console.write(proofs_text(sheet, console.lang, width=console.width, colour=console.colour))
    return status


def _structure(call: Call, model: Model) -> str | None:
    name = call.value("structure")
    names = [structure.name for structure in model.structures]
    if name is not None and name not in names:
        wrong_call(
            "unknown-name",
            Text(f'there is no structure "{name}"', f"нет структуры «{name}»"),
            expected=one_of(names),
            hint=did_you_mean(name, names),
        )
    return name


def _prove(model: Model, structure: str | None, states: int | None, seed: int, console: Console) -> ProofSheet:
    from sistel.proofs import prove

    bar = Progress(console)
    try:
        return prove(model, structure=structure, states=states, seed=seed, progress=bar)
    finally:
        bar.clear()


class Progress:
    """One line on a terminal that says how far the work is, and is gone when it ends."""

    WAIT = 0.4
    """What takes less than this needs no progress [s]."""

    def __init__(self, console: Console) -> None:
        self.lang = console.lang
        self.begin = time.monotonic()
        self.shown = False
        self.able = not console.json and takes_colour(sys.stderr)

    def __call__(self, done: int, total: int, what: Text) -> None:
        """Show what comes next."""
        if not self.able or time.monotonic() - self.begin < self.WAIT:
            return
        filled = round(20 * done / total)
        bar = "━" * filled + "╌" * (20 - filled)
        self._emit(f"\r\x1b[K\x1b[32m{bar}\x1b[0m {done}/{total}  {what.say(self.lang)}")
        self.shown = True

    def clear(self) -> None:
        """Leave no trace."""
        if self.shown:
            self._emit("\r\x1b[K")
            self.shown = False

    @staticmethod
    def _emit(text: str) -> None:
        if sys.stderr is not None:
            with suppress(OSError, ValueError):
                sys.stderr.write(text)
                sys.stderr.flush()


_SHOWN: dict[State, Literal["holds", "warned", "fails", "skipped"]] = {
    "passed": "holds",
    "warned": "warned",
    "failed": "fails",
    "skipped": "skipped",
}


def _rows(verdicts: Sequence[Verdict]) -> list[ReadingRow]:
    from sistel.views import ReadingRow

    return [ReadingRow(state=_SHOWN[verdict.state], name=verdict.check.name, what=verdict.what) for verdict in verdicts]


def _save(
    call: Call,
    console: Console,
    sheet: ProofSheet | None,
    verdicts: Sequence[Verdict],
    found: Sequence[Diagnostic],
) -> None:
    path = call.value("html")
    if path is None:
        return
    from sistel.views import proofs_html

    page = proofs_html(
        sheet, console.lang, name=os.path.basename(call.required("file")), reading=_rows(verdicts), diagnostics=found
    )
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
    except OSError as problem:
        reason = reason_of(problem)
        message = Text(f'"{path}" cannot be written: {reason.en}', f"не удаётся записать «{path}»: {reason.ru}")
        raise SistelError([*found, Diagnostic("cannot-write", "error", message)]) from None


def _examine(call: Call, diagnostics: Diagnostics) -> tuple[list[Verdict], Model | None]:
    from sistel.markup import include, read_from_tree, read_plain, read_tree
    from sistel.model import build

    stage = _Stage(diagnostics)
    source = read_text(call, diagnostics)
    if source is None:
        return stage.end(FILE_CHECK, Text("cannot be read", "не читается"), (XML, WORDS, *BUILDING)), None
    stage.done(FILE_CHECK, Text(f"{len(source.text)} characters", f"символов {len(source.text)}"))
    plain = read_plain(source, diagnostics, base=base(call), lock=locks(call))
    if plain is not None:
        document = plain[0]
        table = Text("not needed: this is a table", "не нужен: это таблица")
        stage.verdicts.append(Verdict(check=XML, state="skipped", what=table))
    else:
        tree = read_tree(source, diagnostics)
        if tree is None:
            return stage.end(XML, Text("is not well-formed", "построен неправильно"), (WORDS, *BUILDING)), None
        stage.done(XML, Text("well-formed", "построен правильно"))
        srdf = call.value("srdf")
        document, _ = read_from_tree(tree, source, diagnostics, base=base(call), lock=locks(call), srdf=srdf)
    if document is None:
        return stage.end(WORDS, Text("are not those of a system", "не из описания системы"), BUILDING), None
    elements, attributes = _count(document)
    stage.done(
        WORDS,
        Text(f"{elements} elements, {attributes} attributes", f"элементов {elements}, атрибутов {attributes}"),
    )
    before = len(diagnostics)
    model = None
    try:
        model = build(document, diagnostics, lambda path, span: include(path, span, diagnostics))
    except SistelError:
        assert diagnostics.failed
    if model is not None and any(shape.kind == "mesh" for shape in model.shapes):
        from sistel.views.x3d import examine_meshes

        examine_meshes(model, diagnostics)
    told = diagnostics.items[before:]
    for check in BUILDING:
        stage.verdicts.append(_verdict(check, told, model))
    return stage.verdicts, model


class _Stage:
    """Steps that come one after the other: a step is as good as the diagnostics that it added."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self.seen = 0
        self.verdicts: list[Verdict] = []

    def done(self, check: Check, what: Text) -> None:
        """A step that went through, perhaps with errors that did not stop the reading."""
        told = self.diagnostics.items[self.seen :]
        self.seen = len(self.diagnostics)
        self.verdicts.append(Verdict(check=check, state=_state(told), what=what))

    def end(self, check: Check, what: Text, after: Sequence[Check]) -> list[Verdict]:
        """A step that cannot be passed, and those that are not reached."""
        self.verdicts.append(Verdict(check=check, state="failed", what=what))
        nothing = Text("not reached", "не дошло")
        self.verdicts += [Verdict(check=skipped, state="skipped", what=nothing) for skipped in after]
        return self.verdicts


def _state(told: Sequence[Diagnostic]) -> State:
    severities = {item.severity for item in told}
    return "failed" if "error" in severities else "warned" if "warning" in severities else "passed"


def _verdict(check: Check, told: Sequence[Diagnostic], model: Model | None) -> Verdict:
    claimed = frozenset().union(*(other.codes for other in BUILDING))
    own = [item for item in told if (item.code in check.codes if check.codes else item.code not in claimed)]
    state = _state(own)
    if model is None and state != "failed":
        # Other errors may have hidden what this check would have seen.
        return Verdict(check=check, state="skipped", what=Text("not decided", "не решено"))
    return Verdict(check=check, state=state, what=Text("", "") if model is None else _looked_at(check, model))


def _looked_at(check: Check, model: Model) -> Text:
    bodies = len(model.bodies)
    if check is TREE:
        return Text(f"{bodies} bodies, all reach the ground", f"тел {bodies}, все связаны с землёй")
    if check is MASSES:
        heavy = sum(body.mass > 0 for body in model.bodies)
        return Text(f"{heavy} of {bodies} bodies have a mass", f"тел с массой {heavy} из {bodies}")
    if check is CLASSES:
        from sistel.markup.schema import CLASSES as CLASS_WORDS

        found = dict.fromkeys(structure.structure_class for structure in model.structures)
        words, declared = ", ".join(found), model.declared_class
        meant = ", ".join(f"{name} ({CLASS_WORDS.choice(name).doc.en})" for name in found)
        if declared is None:
            return Text(f"{meant}; none is declared", f"{words}; класс не объявлен")
        return Text(f"{meant}; {declared} is declared", f"{words}; объявлен {declared}")
    if check is NAMES:
        named = bodies + sum(map(len, (model.points, model.frames, model.parameters, model.structures, model.motors)))
        return Text(f"{named} names", f"имён {named}")
    if check is DIMENSIONS:
        conditions = len(model.transitions)
        return Text(
            f"{len(model.parameters)} parameters, {conditions} conditions",
            f"параметров {len(model.parameters)}, условий {conditions}",
        )
    return Text("limits, links, conditions, start", "пределы, связи, условия, начало")


def _count(document: Document) -> tuple[int, int]:
    elements = attributes = 0
    for node in document.root.walk():
        elements += 1
        attributes += len(node.attributes) + len(node.open)
    return elements, attributes
