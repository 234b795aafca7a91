"""The page of Python: public names, their signatures and docstrings.

The English page is the docstrings themselves. They exist in one language, so the Russian page says each in one
sentence, from `api_ru.toml`, and leads to the English one for arguments.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import re
import textwrap
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_text import code, escape, table

import sistel
from sistel.errors import Language, Text
from sistel.kept import cached_property
from sistel.linear import Feedback, Linear, Reach, Variable
from sistel.simulation import Event, Run

WIDTH = 84
"""Lines up to this length show without scrolling [characters]."""
TITLE = Text("Python", "Python")
ABOUT = Text(
    "The public names of the package, with their docstrings. Numbers are in SI units (m, kg, s, rad, N, N·m); batch "
    "axes lead: one state has shape (nq,), many have (..., nq). Every error is a [`SistelError`](#sistelerror). "
    "Examples of use are in [the model](model.md), [dynamics](dynamics.md) and [simulation](simulation.md).",
    "Открытые имена пакета. Числа — в СИ (м, кг, с, рад, Н, Н·м); оси пакета данных идут первыми: одно состояние имеет "
    "размер (nq,), много — (..., nq). Каждая ошибка — [`SistelError`](#sistelerror). Примеры — на страницах "
    "[модель](model.md), [динамика](dynamics.md) и [моделирование](simulation.md); аргументы каждого имени описаны "
    "[по-английски](../python.md), теми же словами, что в `help()`.",
)
MORE = Text("arguments", "аргументы")
FIELD, TYPE, MEANING = Text("field", "поле"), Text("type", "тип"), Text("meaning", "смысл")
PROPERTIES = Text("property", "свойство")
SPECIAL = re.compile(r"[*<|]")
"""Signs that mean something in the middle of a docstring's sentence."""
SECTIONS = ("Args", "Returns", "Raises", "Example", "Examples", "Yields")
SECTION_NAMES = {"Returns": "Returns:", "Raises": "Raises:", "Example": "Example:", "Examples": "Examples:"}


@dataclass(frozen=True, slots=True)
class Group:
    """Names that belong together: members of a class, or functions."""

    title: Text
    owner: type | None
    names: tuple[str, ...]


SYSTEM = sistel.System
GROUPS = (
    Group(Text("Reading", "Чтение"), None, ("load", "parse")),
    Group(
        Text("System: what it is", "System: что это"),
        SYSTEM,
        (
            *("name", "planar", "nq", "nv", "structure_class", "bases", "bodies", "body", "base", "adjacent"),
            *(
                "automaton",
                "terminal",
                "structures",
                "structure",
                "transitions",
                "dof",
                "mobility",
                "model",
                "source",
                "diagnostics",
            ),
            *("losses", "fingerprint", "with_parameters", "with_motion", "to_xml", "save"),
        ),
    ),
    Group(
        Text("System: kinematics", "System: кинематика"),
        SYSTEM,
        (
            *("pose", "jacobian", "jacobian_rate", "compute", "centre_of_mass", "assemble", "constraint_errors"),
            *("constraint_jacobian", "constraint_bias", "inverse_kinematics", "workspace", "manipulability"),
            *("singularities", "capacity"),
        ),
    ),
    Group(
        Text("System: dynamics", "System: динамика"),
        SYSTEM,
        (
            *("mass_matrix", "bias_forces", "gravity_forces", "applied_forces", "inverse_dynamics", "forward_dynamics"),
            *("reactions", "static_forces", "equilibrium", "linearize", "impact", "energies", "momentum"),
            *("equations", "check"),
        ),
    ),
    Group(
        Text("System: motion", "System: движение"),
        SYSTEM,
        ("simulate", "held", "stepper", "ensemble", "cycle", "through", "along", "simulation", "tuned"),
    ),
    Group(
        Text("System: pictures", "System: рисунки"),
        SYSTEM,
        ("scheme", "wiring", "structure_graph", "widget", "lesson"),
    ),
    Group(
        Text("Run", "Run: расчёт"),
        Run,
        (
            *("t", "q", "v", "structure", "memory", "begin", "end", "final_structure", "steps", "method", "tolerance"),
            *(
                "events",
                "warnings",
                "segments",
                "states",
                "structure_at",
                "quantity",
                "step_response",
                "energies",
                "reactions",
                "rates",
            ),
            *("linearize", "resume", "save", "film", "load", "plot", "widget", "table"),
        ),
    ),
)
VALUES: tuple[type, ...] = (
    *(sistel.Body, sistel.Joint, sistel.Structure, sistel.Transition, Event, Linear, Variable, Reach, Feedback),
    *(sistel.Diagnostic, sistel.SistelError),
)
"""Classes that hold data: their fields are listed, and what they can do."""


def page(lang: Language) -> str:
    """The page in Markdown."""
    lines = [f"# {TITLE.say(lang)}", "", ABOUT.say(lang), ""]
    for group in GROUPS:
        lines += [f"## {group.title.say(lang)}", ""]
        for name in group.names:
            lines += _entry(group.owner, name, lang)
    lines += [f"## {Text('Values', 'Значения').say(lang)}", ""]
    for value in VALUES:
        lines += _value(value, lang)
    return "\n".join(lines).rstrip() + "\n"


def _entry(owner: type | None, name: str, lang: Language) -> Iterator[str]:
    """One name: signature, sentence and, in English, the rest of its docstring."""
    found = getattr(sistel, name) if owner is None else inspect.getattr_static(owner, name)
    full = name if owner is None else f"{owner.__name__}.{name}"
    yield f"### {full}"
    yield ""
    yield "```py"
    yield from _signature(full, found)
    yield "```"
    yield ""
    yield from _docstring(full, inspect.getdoc(_function(found)) or "", lang)


def _value(value: type, lang: Language) -> Iterator[str]:
    yield f"### {value.__name__}"
    yield ""
    yield from _docstring(value.__name__, inspect.getdoc(value) or "", lang)
    if dataclasses.is_dataclass(value):
        rows = [
            (f"`{name}`", code(annotation), escape(_said(f"{value.__name__}.{name}", doc, lang), SPECIAL))
            for name, (annotation, doc) in _fields(value).items()
        ]
        yield from table((FIELD.say(lang), TYPE.say(lang), MEANING.say(lang)), rows)
    for name, found in vars(value).items():
        if not name.startswith("_") and (inspect.isfunction(found) or isinstance(found, property)):
            yield "```py"
            yield from _signature(f"{value.__name__}.{name}", found)
            yield "```"
            yield ""
            # Names of values have no headings of their own.
            yield from _docstring(f"{value.__name__}.{name}", inspect.getdoc(found) or "", lang, value.__name__)


def _said(full: str, doc: str, lang: Language) -> str:
    """The sentence about a name in one language; what has none in English has none at all."""
    if lang == "en" or not doc:
        return " ".join(doc.split())
    try:
        return russian()[full]
    except KeyError:
        raise LookupError(f"{full} has no Russian sentence: add one to tools/pages/api_ru.toml") from None


@functools.cache
def russian() -> dict[str, str]:
    """Sentences about names, in Russian."""
    path = Path(__file__).with_name("api_ru.toml")
    return {key: str(value) for key, value in tomllib.loads(path.read_text(encoding="utf-8")).items()}


# Docstrings ----------------------------------------------------------------------------------------------------------


def _docstring(full: str, doc: str, lang: Language, heading: str = "") -> Iterator[str]:
    if lang == "ru":
        more = (
            f" [{MORE.ru}](../python.md#{_slug(heading or full)})" if re.search(r"^Args:$", doc, re.MULTILINE) else ""
        )
        yield escape(_said(full, doc, lang), SPECIAL) + more
        yield ""
        return
    section = ""
    for block in re.split(r"\n{2,}", doc):
        head, _, rest = block.partition("\n")
        if head.rstrip(":") in SECTIONS and head.endswith(":"):
            section, block = head[:-1], textwrap.dedent(rest)
            if section in SECTION_NAMES:
                yield SECTION_NAMES[section]
                yield ""
        if not block.strip():
            continue
        yield from _block(section, textwrap.dedent(block))
        yield ""


def _block(section: str, text: str) -> Iterator[str]:
    if text.lstrip().startswith(">>>"):
        # The doctests of the package run it; here it is shown.
        yield from ("```pycon", *text.splitlines(), "```")
    elif section in ("Args", "Raises"):
        for item in re.split(r"\n(?! )", text):
            name, _, about = item.partition(":")
            yield f"- `{name}`: {escape(' '.join(about.split()), SPECIAL)}"
    else:
        yield escape(" ".join(text.split()), SPECIAL)


def _fields(value: type) -> dict[str, tuple[str, str]]:
    """Annotation and docstring of the fields of a dataclass, from its source: Python itself forgets the second."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(value))).body
    assert isinstance(tree, ast.ClassDef)
    fields = {}
    for statement, follower in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            said = follower.value if isinstance(follower, ast.Expr) else None
            doc = said.value if isinstance(said, ast.Constant) and isinstance(said.value, str) else ""
            fields[statement.target.id] = (ast.unparse(statement.annotation), inspect.cleandoc(doc))
    return fields


# Signatures ----------------------------------------------------------------------------------------------------------


def _function(found: object) -> object:
    """What a property, a cached property or a class method was made of."""
    if isinstance(found, property):
        return found.fget
    if isinstance(found, cached_property):
        return found.make
    return found.__func__ if isinstance(found, classmethod | staticmethod) else found


def _signature(full: str, found: object) -> Iterator[str]:
    """A call as Python writes it, a line an argument where it is long."""
    signature = inspect.signature(_function(found))  # type: ignore[arg-type]
    back = "" if signature.return_annotation is signature.empty else f" -> {signature.return_annotation}"
    if isinstance(found, property | cached_property):
        yield f"{full}{back.replace(' ->', ':')}"
        return
    words: list[str] = []
    star = False
    for parameter in signature.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            star = True
            words.append("*")
        annotation = "" if parameter.annotation is parameter.empty else f": {parameter.annotation}"
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        star = star or parameter.kind is parameter.VAR_POSITIONAL
        words.append(f"{parameter}".split(":")[0].split("=")[0].strip() + annotation + default)
    line = f"{full}({', '.join(words)}){back}"
    if len(line) <= WIDTH:
        yield line
        return
    yield f"{full}("
    yield from (f"    {word}," for word in words)
    yield f"){back}"


def _slug(full: str) -> str:
    return full.lower().replace(".", "")
