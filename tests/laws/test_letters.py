"""Letters: every number that a file can give follows its parameter, or the parameter is refused; nothing in between.

The second way is to build the model anew with other values: formulas must give what building gives, number by number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from support.robots import gallery_files
from support.thorough import cases

from sistel.errors import SistelError
from sistel.expr import Traced
from sistel.markup import Call, Document, Name, Node, Number, walk_expression
from sistel.model import LiveModel, Model, Recipe, live_model
from sistel.model._letters import leaves
from sistel.model._scope import FUNCTIONS
from sistel.system import System, load, parse

OPEN = "*"
"""Stands for the attributes that are named after coordinates."""
STEPS = (1e-3, -0.2, 0.3, -1e-3)
"""By which parts of themselves numbers change."""
FILES = cases(1, 2)
"""In how many files of the gallery an attribute is tried."""
AWAY = ("parameters", "literal", "span", "diagnostics")
"""What is another in a file with more parameters."""


def numbers(node: Node) -> Iterator[str]:
    """Attributes of an element with numbers that were written."""
    for key, attribute in node.attributes.items():
        if isinstance(attribute.value, tuple):
            written = (one for item in attribute.value if not isinstance(item, str) for one in walk_expression(item))
            if any(isinstance(one, Number) and one.literal != "axis" for one in written):
                yield key
    if any(isinstance(one, Number) for given in node.open for item in given.values for one in walk_expression(item)):
        yield OPEN


@cache
def loaded(file: str) -> System:
    """A file of the gallery, which is not changed."""
    return load(file, allow=[gallery_files()[0].parent])


@cache
def places() -> dict[tuple[str, str], list[str]]:
    """Every attribute of the language that the gallery gives numbers to, and files with it."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in gallery_files():
        for node in loaded(str(path))._recipe.document.root.walk():
            for key in numbers(node) if node.key != "parameter" else ():
                files = found.setdefault((node.key, key), [])
                if str(path) not in files:
                    files.append(str(path))
    return found


def lettered(document: Document, element: str, key: str) -> tuple[Document, list[str]]:
    """The file with a parameter for every number of one attribute of one kind of element."""
    names: list[str] = []
    made: list[Node] = []
    template = next(node for node in parse(ONE)._recipe.document.root.of("parameter"))

    def letter(x: object) -> object:
        if isinstance(x, Number) and x.literal != "axis":
            names.append(f"#{len(names)}")
            name = replace(template.attributes["name"], value=names[-1])
            made.append(replace(template, attributes={"name": name, "value": replace(value_of, value=(x,))}))
            return Name(names[-1], x.span)
        changes = {}
        for field in ("operand", "left", "right"):
            if hasattr(x, field):
                changes[field] = letter(getattr(x, field))
        if isinstance(x, Call):
            changes["arguments"] = tuple(letter(each) for each in x.arguments)
        return replace(x, **changes) if changes else x  # type: ignore[type-var]

    value_of = template.attributes["value"]

    def copy(node: Node) -> Node:
        attributes = dict(node.attributes)
        if node.key == element and key in attributes:
            given = attributes[key]
            # A path without expressions is a text.
            assert isinstance(given.value, tuple) or (element, key) == ("shape", "d")
            if isinstance(given.value, tuple):
                attributes[key] = replace(given, value=tuple(letter(item) for item in given.value))
        opened = node.open
        if node.key == element and key == OPEN:
            opened = [replace(one, values=tuple(letter(item) for item in one.values)) for one in opened]
        return replace(node, attributes=attributes, open=opened, children=[copy(child) for child in node.children])

    root = copy(document.root)
    root.children[:0] = made
    return replace(document, root=root), names


ONE = """<system><parameter name="a" value="1"/><body name="x" joint="revolute" mass="a"/></system>"""


def same(live: LiveModel, values: list[float], built: Model) -> str | None:
    """Where formulas and a model that was built differ."""
    found = live.numbers(values)
    ours, theirs = list(leaves(live.model)), list(leaves(built))
    if len(ours) != len(theirs):
        return "it consists of other things"
    scale = max((abs(x) for _, x in theirs if isinstance(x, float) and math.isfinite(x)), default=1.0)
    for (path, mine), (other, expected) in zip(ours, theirs, strict=True):
        number = found[mine] if isinstance(mine, Traced) else mine
        if isinstance(number, float) and isinstance(expected, float):
            if number == expected or abs(number - expected) <= 1e-12 * max(abs(expected), min(1.0, 1e-3 * scale)):
                continue
            return f"{path}: {number} and {expected}"
        if path != other or number != expected:
            return f"{path}: {number} and {expected}"
    return None


def check(model: Model, names: list[str], steps: tuple[float, ...] = STEPS) -> int:
    """How many values were tried, of parameters one by one."""
    tried = 0
    assert model.recipe is not None
    for name in names:
        live = live_model(model, (name,))
        if live.refused:
            assert live.refused[name].en and live.refused[name].ru
            continue
        for step in steps:
            value = live.values[0] + step * (abs(live.values[0]) or 1.0)
            try:
                built = model.recipe.build({name: value})
            except SistelError:
                continue
            tried += 1
            assert same(live, [value], built) is None
    return tried


@pytest.mark.parametrize("part", range(4))
def test_every_number_follows_or_is_refused(part: int) -> None:
    """A parameter in the place of any number that the language knows, in a file of the gallery that gives it.

    It changes twice; in two files and four times where `SISTEL_THOROUGH=1` asks for it.
    """
    chosen = sorted(places())[part::4]
    for place, file in ((one, each) for one in chosen for each in places()[one][:FILES]):
        system = loaded(file)
        document, names = lettered(system._recipe.document, *place)
        try:
            model = Recipe(document).build()
        except SistelError as problem:
            # Some places take no parameters: they want a number that is written.
            assert all(each.message.en for each in problem.diagnostics)
            continue
        # What is written as a formula has the name of the parameter in it.
        plain = [
            (path, x)
            for path, x in leaves(system.model)
            if not path.startswith(("parameters", "schemes", "subschemes"))
        ]
        again = [(path, x) for path, x in leaves(model) if not path.startswith(("parameters", "schemes", "subschemes"))]
        assert [x for x in again if "expression" not in x[0]] == [x for x in plain if "expression" not in x[0]]
        check(model, names[:3], STEPS[: cases(2, 4)])


FORMULAS = {
    "tan": "tan(a)",
    "asin": "asin(a)/(1 rad)",
    "acos": "acos(a)/(1 rad)",
    "atan": "atan(a)/(1 rad)",
    "atan2": "atan2(a, 2)/(1 rad)",
    "hypot": "hypot(a, 0.3)",
    "min": "min(a, 5, 2)",
    "max": "max(a, -5, 0.1)",
    "clamp": "clamp(a, 0.1, 0.9)",
    "rem": "rem(10*a, 3)",
    "select": "select(a > 0.3, a, 2*a)",
    "sign": "sign(a)",
    "step": "step(a)",
    "floor": "floor(10*a)",
    "ceil": "ceil(10*a)",
    "log": "log(a)",
    "sqrt": "sqrt(a)",
    "abs": "abs(-a)",
}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_follows(name: str) -> None:
    """Functions of a parameter have the value of plain numbers, to the last bit, and a formula beside it."""
    text = FORMULAS.get(name, f"{name}(a)")
    written = """<system><parameter name="a" value="{a!r}"/><parameter name="f" value="{f}"/>
    <body name="x" joint="revolute" mass="3 + f" com="100, 20"/></system>"""
    model = parse(written.format(a=0.37, f=text)).model
    plain = parse(written.format(a=0.37, f=text.replace("a)", "0.37)").replace("(a", "(0.37").replace("*a", "*0.37")))
    assert model.bodies[0].mass == plain.model.bodies[0].mass
    assert check(model, ["a"]) >= 2


@pytest.mark.parametrize("exponent", ["2", "0.5", "-1", "3.7"])
def test_powers_follow(exponent: str) -> None:
    model = parse(
        f"""<system><parameter name="a" value="0.7"/><parameter name="n" value="{exponent}"/>
        <body name="x" joint="revolute" mass="1 + a^n" com="100, 20"/></system>"""
    ).model
    assert check(model, ["a", "n"]) == 8
    # An exponent of a negative number decides whether there is a value at all.
    model = parse(
        """<system><parameter name="a" value="-0.7"/><parameter name="n" value="2"/>
        <body name="x" joint="revolute" mass="1 + a^n" com="100, 20"/></system>"""
    ).model
    assert list(live_model(model).refused) == ["n"]
    check(model, ["a"])


def test_another_name_follows_alone() -> None:
    """A parameter that is given by another alone can have a value of its own."""
    system = parse(
        """<system><parameter name="a" value="0.4 m"/><parameter name="b" value="a"/>
        <body name="x" joint="revolute" mass="2" com="0, a"/><body name="y" base="x" joint="revolute" place="0, b"
        mass="1" com="0, b"/></system>"""
    )
    assert live_model(system.model).names == ("a",)
    live = live_model(system.model, ("b",))
    assert live.near([0.7]).bodies[1].p_PB == (0.0, 0.7, 0.0) and live.near([0.7]).bodies[0].p_BoBcm_B[1] == 0.4
    assert check(system.model, ["a", "b"]) == 8
    # Formulas have one letter for both.
    letters = [symbol.text for symbol in system.equations().used()]
    assert "a" in letters and "b" not in letters
