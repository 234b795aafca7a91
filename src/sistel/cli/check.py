"""`sistel check`: whether a description is right, and what was verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sistel.cli._arguments import Call, Usage
from sistel.cli._console import Console
from sistel.cli._reading import BASE, FILE, LOCK, SRDF, base, locks, read_text
from sistel.errors import Diagnostic, Diagnostics, Language, SistelError, Text

if TYPE_CHECKING:
    from sistel.markup import Document
    from sistel.model import Model

USAGE = Usage(
    about=Text(
        "Reads a file, reports everything that is wrong with it, and lists what was verified. "
        "The exit status is 1 if there are errors.",
        "Читает файл, сообщает обо всём, что в нём неверно, и перечисляет, что проверено. "
        "Код завершения 1, если есть ошибки.",
    ),
    arguments=(FILE,),
    options=(BASE, LOCK, SRDF),
    examples=(("sistel check walker.xml", Text("before sending it to a colleague", "прежде чем послать коллеге")),),
)

State = Literal["passed", "warned", "failed", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Check:
    """A thing that is verified. To verify more, add a row and say which codes of diagnostics speak of it."""

    key: str
    name: Text
    codes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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
_MARKS: dict[State, str] = {"passed": "✓", "warned": "!", "failed": "✗", "skipped": "·"}
_STYLES: dict[State, str] = {"passed": "\x1b[32m", "warned": "\x1b[33m", "failed": "\x1b[31m", "skipped": "\x1b[2m"}


def run(call: Call, console: Console) -> int:
    """Read the file as far as it goes, and tell how far that was."""
    diagnostics = Diagnostics()
    verdicts = _examine(call, diagnostics)
    found = diagnostics.sorted()
    errors = sum(item.severity == "error" for item in found)
    warnings = sum(item.severity == "warning" for item in found)
    if console.json:
        console.document(
            {
                "file": call.required("file"),
                "right": not errors,
                "checks": [
                    {"key": verdict.check.key, "state": verdict.state, "what": verdict.what.say(console.lang)}
                    for verdict in verdicts
                ],
                "diagnostics": [item.to_json(console.lang) for item in found],
            }
        )
        return 1 if errors else 0
    console.diagnostics(found)
    console.write(_table(verdicts, console.lang, console.colour))
    counts = Text(f"errors {errors}, warnings {warnings}", f"ошибок {errors}, предупреждений {warnings}")
    console.write(f"{counts.say(console.lang)}\n")
    return 1 if errors else 0


def _examine(call: Call, diagnostics: Diagnostics) -> list[Verdict]:
    from sistel.markup import include, read_from_tree, read_tree
    from sistel.model import build

    stage = _Stage(diagnostics)
    source = read_text(call.required("file"), diagnostics)
    if source is None:
        return stage.end(FILE_CHECK, Text("cannot be read", "не читается"), (XML, WORDS, *BUILDING))
    stage.done(FILE_CHECK, Text(f"{len(source.text)} characters", f"символов {len(source.text)}"))
    tree = read_tree(source, diagnostics)
    if tree is None:
        return stage.end(XML, Text("is not well-formed", "построен неправильно"), (WORDS, *BUILDING))
    stage.done(XML, Text("well-formed", "построен правильно"))
    srdf = call.value("srdf")
    document, _ = read_from_tree(tree, source, diagnostics, base=base(call), lock=locks(call), srdf=srdf)
    if document is None:
        return stage.end(WORDS, Text("are not those of a system", "не из описания системы"), BUILDING)
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
    told = diagnostics.items[before:]
    for check in BUILDING:
        stage.verdicts.append(_verdict(check, told, model))
    return stage.verdicts


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
        words = ", ".join(dict.fromkeys(structure.structure_class for structure in model.structures))
        declared = model.declared_class
        if declared is None:
            return Text(f"{words}; none is declared", f"{words}; класс не объявлен")
        return Text(f"{words}; {declared} is declared", f"{words}; объявлен {declared}")
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


def _table(verdicts: Sequence[Verdict], lang: Language, colour: bool) -> str:
    width = max(len(verdict.check.name.say(lang)) for verdict in verdicts)
    lines = []
    for verdict in verdicts:
        mark = _MARKS[verdict.state]
        if colour:
            mark = f"{_STYLES[verdict.state]}{mark}\x1b[0m"
        lines.append(f"{mark} {verdict.check.name.say(lang):{width}}  {verdict.what.say(lang)}".rstrip() + "\n")
    return "".join(lines)
