"""The language of expressions: grammar, units, names, places, mistakes, and the two spellings of everything."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sistel.errors import Diagnostics, Fragment, Language, Source
from sistel.markup.expressions._parser import parse_expression, parse_list, translate_expression
from sistel.markup.expressions._syntax import (
    Binary,
    Call,
    Compare,
    Crossing,
    Logic,
    Member,
    Name,
    Node,
    Not,
    Number,
    Unary,
    children,
    dotted_name,
    print_expression,
    walk,
)
from sistel.markup.expressions._words import BARE_WORDS, COMPONENTS, CONSTANTS, FUNCTIONS, KEYWORDS, Entry, fold
from sistel.units import ANGLE, LENGTH, PLAIN, TIME, UNIT_BY_WORD, UNITS, Dimension

Shape = Any


def fragment(text: str) -> Fragment:
    return Fragment(text, Source("<text>", text), 0)


def parse(text: str) -> Node:
    diagnostics = Diagnostics()
    node = parse_expression(fragment(text), diagnostics)
    assert node is not None, "\n".join(d.render("en") for d in diagnostics)
    assert not len(diagnostics)
    return node


def items(text: str) -> tuple[Node, ...]:
    diagnostics = Diagnostics()
    nodes = parse_list(fragment(text), diagnostics)
    assert nodes is not None, "\n".join(d.render("en") for d in diagnostics)
    return nodes


def shape(node: Node) -> Shape:
    """The tree without its places."""
    match node:
        case Number():
            return ("number", node.value, tuple(node.dimension), node.unit)
        case Name():
            return node.name
        case Call():
            return (node.function + "()", *(shape(a) for a in node.arguments))
        case Member():
            return (".", shape(node.operand), node.member)
        case Unary():
            return ("neg", shape(node.operand))
        case Binary() | Compare():
            return (node.operator, shape(node.left), shape(node.right))
        case Crossing():
            return (node.direction, shape(node.left), shape(node.level))
        case Logic():
            return (node.operator, *(shape(o) for o in node.operands))
        case Not():
            return ("not", shape(node.operand))


def same(text: str, other: str) -> None:
    assert shape(parse(text)) == shape(parse(other))


# Grammar -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a + b*c", "a + (b*c)"),
        ("a - b - c", "(a - b) - c"),
        ("a/b*c", "(a/b)*c"),
        ("-x^2", "-(x^2)"),
        ("(-x)^2", "((-x)^2)"),
        ("2^-3", "2^(-3)"),
        ("a^b^c", "a^(b^c)"),
        ("2^-x^2*3", "(2^(-(x^2)))*3"),
        ("-a*b", "(-a)*b"),
        ("a*-b", "a*(-b)"),
        ("a--b", "a-(-b)"),
        ("+a - +b", "a - b"),
        ("a < b + c", "a < (b + c)"),
        ("not a < b", "not (a < b)"),
        ("not a and b", "(not a) and b"),
        ("a or b and c", "a or (b and c)"),
        ("not not a", "not (not a)"),
        ("x rises through y + 1 and z", "(x rises through (y + 1)) and z"),
        ("a and b and c", "a and b and c"),
        ("0 < x <= 1", "0 < x and x <= 1"),
        ("a×b·c÷d−e", "a*b*c/d-e"),
        ("a ** 2", "a^2"),
        ("l²/12 + x⁻¹", "l^2/12 + x^-1"),
        ("a == b", "a = b"),
        ("a ≤ b", "a <= b"),
        ("a ≥ b", "a >= b"),
        ("a ≠ b", "a != b"),
        ("max(a; b)", "max(a, b)"),
        ("sin (x)", "sin(x)"),
        ("time()", "t"),
    ],
)
def test_operators_bind_as_written(text: str, meant: str) -> None:
    same(text, meant)


def test_a_chain_shares_its_middle() -> None:
    chain = parse("0 < x < 1 and b")
    assert isinstance(chain, Logic)
    inner = chain.operands[0]
    assert isinstance(inner, Logic)
    first, second = inner.operands
    assert isinstance(first, Compare)
    assert isinstance(second, Compare)
    assert first.right is second.left
    assert shape(chain) == ("and", ("and", ("<", shape(parse("0")), "x"), ("<", "x", shape(parse("1")))), "b")


def test_brackets_keep_logic_apart() -> None:
    assert shape(parse("(a and b) and c")) == ("and", ("and", "a", "b"), "c")
    assert shape(parse("a and b and c")) == ("and", "a", "b", "c")


@pytest.mark.parametrize("literal", ["12", ".5", "1e-3", "1.5E+3", "0", "5.", "007", "0.1", "1e5"])
def test_numbers_are_read_as_python_reads_them(literal: str) -> None:
    node = parse(literal)
    assert isinstance(node, Number)
    assert node.value == float(literal)
    assert (node.dimension, node.unit, node.literal) == (PLAIN, None, literal)


# Python's grammar is the independent judge: for names, numbers and operators of ASCII it agrees with ours.

_BINARY: dict[type, tuple[str, Callable[[float, float], Any]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.Pow: ("^", operator.pow),
}
_COMPARE: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=", ast.NotEq: "!="}


def python_shape(node: ast.expr) -> Shape:
    match node:
        case ast.Constant():
            return ("number", float(node.value), tuple(PLAIN), None)  # type: ignore[arg-type]
        case ast.Name():
            return node.id
        case ast.Call(func=ast.Name(id=function)):
            return (function + "()", *(python_shape(a) for a in node.args))
        case ast.UnaryOp(op=ast.USub()):
            return ("neg", python_shape(node.operand))
        case ast.UnaryOp(op=ast.UAdd()):
            return python_shape(node.operand)
        case ast.UnaryOp(op=ast.Not()):
            return ("not", python_shape(node.operand))
        case ast.BinOp():
            return (_BINARY[type(node.op)][0], python_shape(node.left), python_shape(node.right))
        case ast.BoolOp():
            return ("and" if isinstance(node.op, ast.And) else "or", *(python_shape(v) for v in node.values))
        case ast.Compare():
            sides = [python_shape(side) for side in (node.left, *node.comparators)]
            links = [(_COMPARE[type(op)], a, b) for op, a, b in zip(node.ops, sides, sides[1:], strict=False)]
            return links[0] if len(links) == 1 else ("and", *links)
    raise AssertionError(ast.dump(node))


def python_value(node: ast.expr) -> Any:
    match node:
        case ast.Constant():
            return float(node.value)  # type: ignore[arg-type]
        case ast.UnaryOp(op=ast.USub()):
            return -python_value(node.operand)
        case ast.UnaryOp():
            return python_value(node.operand)
        case ast.BinOp():
            return _BINARY[type(node.op)][1](python_value(node.left), python_value(node.right))
    raise AssertionError(ast.dump(node))


def value(node: Node) -> Any:
    match node:
        case Number():
            return node.value
        case Unary():
            return -value(node.operand)
        case Binary():
            left, right = value(node.left), value(node.right)
            return next(f for sign, f in _BINARY.values() if sign == node.operator)(left, right)
    raise AssertionError(node)


def evaluated(evaluate: Callable[[], Any]) -> Any:
    try:
        result = evaluate()
    except (ZeroDivisionError, OverflowError) as error:
        return type(error)
    return "nan" if result != result else result


_arithmetic = st.recursive(
    st.sampled_from(["1", "2", "0.5", ".25", "1e-3", "3.", "10"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", " * ", "/", "^", "**", " - "]), inner).map("".join),
        inner.map("({})".format),
        inner.map("-{}".format),
        inner.map("+{}".format),
    ),
    max_leaves=12,
)
_conditions = st.recursive(
    st.one_of(_arithmetic, st.sampled_from(["a", "b", "sin(a)", "max(a, b, 1)"])),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([" < ", " <= ", "==", " != ", " and ", " or ", "+", "*"]), inner).map("".join),
        inner.map("({})".format),
        inner.map("not {}".format),
    ),
    max_leaves=10,
)


def as_python(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.replace("^", "**"), mode="eval").body
    except SyntaxError:
        return None


@given(_arithmetic)
def test_arithmetic_means_what_python_means(text: str) -> None:
    judge = as_python(text)
    assert judge is not None
    node = parse(text)
    assert shape(node) == python_shape(judge)
    assert evaluated(lambda: value(node)) == evaluated(lambda: python_value(judge))


@given(_conditions)
def test_conditions_mean_what_python_means(text: str) -> None:
    judge = as_python(text)
    diagnostics = Diagnostics()
    node = parse_expression(fragment(text), diagnostics)
    assert (node is None) == (judge is None)
    if node is not None and judge is not None:
        assert shape(node) == python_shape(judge)


# Units ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "si", "dimension", "unit"),
    [
        ("5 мм/с", 0.005, Dimension(1, 0, -1), "mm/s"),
        ("12 Н*м", 12, Dimension(2, 1, -2), "N*m"),
        ("12 Н·м", 12, Dimension(2, 1, -2), "N*m"),
        ("9.81 m/s^2", 9.81, Dimension(1, 0, -2), "m/s^2"),
        ("9.81 m/s**2", 9.81, Dimension(1, 0, -2), "m/s^2"),
        ("3 m/s²", 3, Dimension(1, 0, -2), "m/s^2"),
        ("3 m·s⁻²", 3, Dimension(1, 0, -2), "m/s^2"),
        ("0.001 Н*м*с/рад", 0.001, Dimension(2, 1, -1, -1), "N*m*s/rad"),
        ("0.0033 kg*m^2", 0.0033, Dimension(2, 1), "kg*m^2"),
        ("30 °", math.radians(30), ANGLE, "deg"),
        ("30°", math.radians(30), ANGLE, "deg"),
        ("90 deg/s", 90 * math.pi / 180, Dimension(0, 0, -1, 1), "deg/s"),
        ("36 km/h", 10, Dimension(1, 0, -1), "km/h"),
        ("1 1/s", 1, Dimension(0, 0, -1), "1/s"),
        ("7 1/с^2", 7, Dimension(0, 0, -2), "1/s^2"),
        ("7 s^-2", 7, Dimension(0, 0, -2), "1/s^2"),
        ("5 %", 0.05, PLAIN, "%"),
        ("5мм", 0.005, LENGTH, "mm"),
        ("333 мм", 0.333, LENGTH, "mm"),
        ("1e3\u00a0мкм", 1e-3, LENGTH, "um"),
        ("0 s", 0, TIME, "s"),
        ("60 об/мин", 2 * math.pi, Dimension(0, 0, -1, 1), "rpm"),
        ("60 rev/min", 2 * math.pi, Dimension(0, 0, -1, 1), "rpm"),
        ("60 rpm", 2 * math.pi, Dimension(0, 0, -1, 1), "rpm"),
        ("60 об/мин^2", 2 * math.pi / 60, Dimension(0, 0, -2, 1), "rev/min^2"),
        ("2 N/rpm", 2 * 60 / (2 * math.pi), Dimension(1, 1, -1, -1), "N/rev*min"),
        ("2 Ω", 2, Dimension(2, 1, -3, 0, -2), "Ohm"),
    ],
)
def test_a_unit_belongs_to_its_number(text: str, si: float, dimension: Dimension, unit: str) -> None:
    node = parse(text)
    assert isinstance(node, Number)
    assert node.value == pytest.approx(si, rel=1e-15)
    assert (node.dimension, node.unit) == (dimension, unit)
    assert node.span.text == text
    assert text.startswith(node.literal)


@pytest.mark.parametrize("word", [word for word in UNIT_BY_WORD if "/" not in word])
@given(literal=st.floats(0, 1e6).map(repr))
@settings(max_examples=5)
def test_a_single_unit_is_converted_by_the_table(word: str, literal: str) -> None:
    node = parse(f"{literal} {word}")
    assert isinstance(node, Number)
    assert node.value == UNIT_BY_WORD[word].to_si(float(literal))
    assert node.dimension == UNIT_BY_WORD[word].dimension


def test_conversion_rounds_like_one_division() -> None:
    for millimetres in range(2000):
        node = parse(f"{millimetres} мм/с")
        assert isinstance(node, Number)
        assert node.value == millimetres / 1000


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("2 m * m", "2 m * m"),
        ("2 m*m", "2 m*m"),
        ("2 мм*k", "2 mm * k"),
        ("2 m/k", "2 m / k"),
        ("2 m /s", "2 m / s"),
        ("2 m*2", "2 m * 2"),
        ("2 m*min(a, b)", "2 m * min(a, b)"),
        ("2 m*min (a, b)", "2 m * min(a, b)"),
        ("2 m*s.x", "2 m * s.x"),
        ("2*m", "2*m"),
        ("1/s", "1/s"),
        ("2 m-s", "2 m - s"),
        ("2 m^2*l^2", "2 m^2 * l^2"),
        ("(2 m)^2", "(2 m)^2"),
        ("5 J/2", "5 J / 2"),
        ("(1 m + 2 m)*s", "(1 m + 2 m)*s"),
    ],
)
def test_a_unit_ends_where_no_unit_follows(text: str, printed: str) -> None:
    assert print_expression(parse(text)) == printed
    same(text, printed)


def test_squared_metres_are_not_metres_times_m() -> None:
    assert isinstance(parse("2 m*m"), Number)
    product = parse("2 m * m")
    assert isinstance(product, Binary)
    assert shape(product.right) == "m"


# Names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("l", "l"),
        ("плечо_2", "плечо_2"),
        ("right foot", "right foot"),
        ("right   foot", "right foot"),
        ("leg 2", "leg 2"),
        ("leg 2a", "leg 2a"),
        ("leg 2 m", "leg 2 m"),
        ("m₁", "m₁"),
        ("'a-b.c/d'", "a-b.c/d"),
        ("«стопа и нога»", "стопа и нога"),
        ('"left foot"', "left foot"),
        ("'it''s'", "it's"),
        ("x", "x"),
        ("v", "v"),
        ("e", "e"),
        ("T", "T"),
        ("Energy", "Energy"),
        ("rises", "rises"),
        ("сустав 1", "сустав 1"),
        ("и\u0306о", "и\u0306о"),
        ("t", "t"),
        ("time", "t"),
        ("время", "t"),
        ("'time'", "time"),
        ("pi", "pi"),
        ("пи", "pi"),
        ("π", "pi"),
    ],
)
def test_names(text: str, name: str) -> None:
    node = parse(text)
    assert isinstance(node, Name)
    assert node.name == name
    assert node.span.text == text
    assert shape(parse(print_expression(node))) == name


@pytest.mark.parametrize(
    ("text", "dotted"),
    [
        ("arm.hand", "arm.hand"),
        ("left leg.right foot", "left leg.right foot"),
        ("leg 2.angle", "leg 2.angle"),
        ("a.b.normal", "a.b.normal"),
        ("a.'b-c'", "a.b-c"),
        ("time.x", "time.x"),
        ("foot", "foot"),
        ("reaction(L).n", None),
        ("a + b", None),
    ],
)
def test_dotted_names(text: str, dotted: str | None) -> None:
    assert dotted_name(parse(text)) == dotted


@pytest.mark.parametrize(
    ("text", "member"),
    [
        ("reaction(контакт_л).n", "n"),
        ("reaction(L).Normal", "n"),
        ("реакция(L).нормаль", "n"),
        ("реакция(L).касательная", "t"),
        ("reaction(L).mz", "mz"),
        ("reaction(L).other", "other"),
        ("reaction(L).'normal'", "normal"),
    ],
)
def test_components(text: str, member: str) -> None:
    node = parse(text)
    assert isinstance(node, Member)
    assert node.member == member
    same(print_expression(node, "ru"), text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TG(x)", ("tan()", "x")),
        ("корень(x)", ("sqrt()", "x")),
        ("Угловая скорость(стопа л)", ("rate()", "стопа л")),
        ("счетчик(N)", ("counter()", "N")),
        ("СЧЁТЧИК(N)", ("counter()", "N")),
        ("energy", ("energy()",)),
        ("энергия", ("energy()",)),
        ("энергия(тележка)", ("energy()", "тележка")),
        ("кинетическая энергия", ("kinetic()",)),
        ("unknown(x)", ("unknown()", "x")),
        ("two words(x)", ("two words()", "x")),
        # What a quantity is measured on is a name, whatever else the word may mean.
        ("q(energy)", ("q()", "energy")),
        ("x(time)", ("x()", "time")),
        ("distance(pi, t)", ("distance()", "pi", "t")),
        ("sin(time)", ("sin()", "t")),
    ],
)
def test_functions(text: str, expected: Shape) -> None:
    if text == "кинетическая энергия":
        assert shape(parse(text)) == text  # A name of two words; brackets make it the quantity.
        text += "()"
    assert shape(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a и b или не c", "a and b or not c"),
        ("a AND b", "a and b"),
        ("x растёт через 0", "x rises through 0"),
        ("x Растет Через 0", "x rises through 0"),
        ("x возрастает через 0", "x rises through 0"),
        ("x падает через 0", "x falls through 0"),
        ("x убывает  через 0", "x falls through 0"),
        ("x пересекает 0", "x crosses 0"),
        ("x проходит через 0", "x crosses 0"),
        ("x меньше 5", "x < 5"),
        ("x не больше 5 мм", "x <= 5 mm"),
        ("5 не меньше x", "5 >= x"),
        ("x больше 5", "x > 5"),
        ("x равно 5", "x = 5"),
        ("x не равно 5", "x != 5"),
        ("x lt 5 and y le 5", "x < 5 and y <= 5"),
        ("x gt 5 and y ge 5", "x > 5 and y >= 5"),
        ("x eq 5 or y ne 5", "x = 5 or y != 5"),
        ("не(a)и(b)", "not a and b"),
        ("right foot lt left foot", "right foot < left foot"),
    ],
)
def test_keywords_of_both_languages(text: str, meant: str) -> None:
    same(text, meant)


# Places --------------------------------------------------------------------------------------------------------------


def spans(node: Node) -> list[str]:
    return [n.span.text for n in walk(node)]


def test_every_node_knows_its_place() -> None:
    assert spans(parse("(длина + b)*sin(угол_1) - 5 мм")) == [
        "(длина + b)*sin(угол_1) - 5 мм",
        "(длина + b)*sin(угол_1)",
        "длина + b",
        "длина",
        "b",
        "sin(угол_1)",
        "угол_1",
        "5 мм",
    ]
    assert spans(parse("не зазор(Л) падает через -1 мм и a < b < c")) == [
        "не зазор(Л) падает через -1 мм и a < b < c",
        "не зазор(Л) падает через -1 мм",
        "зазор(Л) падает через -1 мм",
        "зазор(Л)",
        "Л",
        "-1 мм",
        "1 мм",
        "a < b < c",
        "a < b",
        "a",
        "b",
        "b < c",
        "b",
        "c",
    ]


def test_functions_and_members_have_their_own_places() -> None:
    node = parse("реакция(контакт л).нормаль")
    assert isinstance(node, Member)
    assert node.member_span.text == "нормаль"
    assert isinstance(node.operand, Call)
    assert node.operand.function_span.text == "реакция"
    assert node.operand.span.text == "реакция(контакт л)"


def xml_value(source: str) -> Fragment:
    """The value of the only attribute of a source, as the reader of XML makes it: entities become characters."""
    found = re.search(r'"(.*)"', source, re.DOTALL)
    assert found
    text, offsets = "", []
    for piece in re.finditer(r"&(lt|gt);|.", found.group(1), re.DOTALL):
        text += {"&lt;": "<", "&gt;": ">"}.get(piece.group(), piece.group())
        offsets.append(found.start(1) + piece.start())
    return Fragment(text, Source("f.xml", source), found.start(1), [*offsets, found.end(1)])


def test_places_survive_entities() -> None:
    value_ = xml_value('<переход\n  когда="x(а) &lt; 1 мм и б &gt; в"/>')
    node = parse_expression(value_, Diagnostics())
    assert node is not None
    assert spans(node) == [
        "x(а) &lt; 1 мм и б &gt; в", "x(а) &lt; 1 мм", "x(а)", "а", "1 мм", "б &gt; в", "б", "в",
    ]  # fmt: skip
    last = list(walk(node))[-1]
    assert (last.span.line, last.span.column) == (2, 34)
    diagnostics = Diagnostics()
    assert parse_expression(xml_value('<a когда="б &lt; 1 ммм"/>'), diagnostics) is None
    assert [str(d.span) for d in diagnostics] == ["f.xml:1:20"]


def test_number_lists_have_places_too() -> None:
    for text in ("1 -2,+3; −4.5", "1, -2, l, 4 mm"):
        source = f'<a b="{text}"/>'
        nodes = parse_list(xml_value(source), Diagnostics())
        plain = parse_list(Fragment(text, Source("f", source), 6), Diagnostics())
        assert nodes is not None
        assert plain is not None
        assert [n.span.text for n in nodes] == [n.span.text for n in plain]
        assert [str(m.span) for n in nodes for m in walk(n)] == [
            f"f.xml:1:{m.span.column}" for n in plain for m in walk(n)
        ]
    nodes = items("1 -2,+3; −4.5")
    assert [n.span.text for n in nodes] == ["1", "-2", "3", "−4.5"]
    assert isinstance(nodes[3], Unary)
    assert nodes[3].operand.span.text == "4.5"


# Lists ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("0, l/2", ["0", "l/2"]),
        ("0,500", ["0", "500"]),
        ("0;500", ["0", "500"]),
        ("0 500", ["0", "500"]),
        (" 0.5\t-5e-1\n.5 ", ["0.5", "-5e-1", ".5"]),
        ("0 -500", ["0", "-500"]),
        ("0 - 500", ["0 - 500"]),
        ("0-500", ["0 - 500"]),
        ("0,0 100,0 100,50", ["0", "0", "100", "0", "100", "50"]),
        ("+5", ["5"]),
        ("5", ["5"]),
        ("l", ["l"]),
        ("-1 мм; 2 мм", ["-1 mm", "2 mm"]),
        ("max(1, 2), 3", ["max(1, 2)", "3"]),
        ("sin(slope), cos(slope)", ["sin(slope)", "cos(slope)"]),
        ("1 1/s", ["1 1/s"]),
    ],
)
def test_lists(text: str, printed: list[str]) -> None:
    assert [print_expression(node) for node in items(text)] == printed


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False).map(repr), min_size=1), st.sampled_from([", ", " ", ";"])
)
def test_number_lists_agree_with_the_long_way(numbers: list[str], separator: str) -> None:
    quick = items(separator.join(numbers))
    long = items(", ".join(f"{number}" for number in numbers) + ", x")[:-1]
    assert [shape(node) for node in quick] == [shape(node) for node in long]
    assert [n.literal for node in quick for n in walk(node) if isinstance(n, Number)] == [
        number.lstrip("-") for number in numbers
    ]


def test_long_lists_of_numbers() -> None:
    assert len(items("0.5 " * 100_000)) == 100_000
    assert problem("0 " * 100_001, parse_list) == ("too-many-items", 200_001, 200_002)
    assert problem("0 " * 6_000 + "x, 0", parse_list) == ("too-long", 12_001, 12_002)
    assert problem("0 1e999", parse_list) == ("number-too-large", 3, 8)


# Mistakes ------------------------------------------------------------------------------------------------------------


def problem(text: str, read: Callable[[Fragment, Diagnostics], Any] = parse_expression) -> tuple[str, int, int]:
    """Code, first column and the column after the last, of the only problem of a text."""
    diagnostics = Diagnostics()
    assert read(fragment(text), diagnostics) is None
    (only,) = diagnostics
    assert only.span is not None
    assert only.severity == "error"
    for lang in ("en", "ru"):
        assert only.render(lang)
    return only.code, only.span.start + 1, only.span.end + 1


@pytest.mark.parametrize(
    ("text", "code", "first", "last", "hint"),
    [
        ("", "empty-expression", 1, 1, None),
        ("  ", "empty-expression", 1, 3, None),
        ("a +", "missing-value", 3, 4, None),
        ("a + * b", "missing-value", 5, 6, None),
        ("* b", "missing-value", 1, 2, None),
        ("a + )", "missing-value", 5, 6, None),
        ("()", "missing-value", 2, 3, None),
        ("max(a,)", "missing-value", 7, 8, None),
        ("max(,a)", "missing-value", 5, 6, None),
        ("a и", "missing-value", 3, 4, None),
        ("а < и", "missing-value", 5, 6, "'и'"),
        ("le*2", "missing-value", 1, 3, "'le'"),
        ("1 + not x", "missing-value", 5, 8, "(not …)"),
        ("²", "missing-value", 1, 2, None),
        ("(a", "unclosed-bracket", 1, 2, None),
        ("b*sin(a", "unclosed-bracket", 6, 7, None),
        ("sin(", "unclosed-bracket", 4, 5, None),
        ("a)", "unexpected-bracket", 2, 3, None),
        ("2 sin(x)", "missing-operator", 3, 6, "2*sin(x)"),
        ("2(x + 1)", "missing-operator", 2, 3, "2*(x + 1)"),
        ("l sin(x)", "missing-operator", 3, 6, "l*sin(x)"),
        ("2 m foot", "missing-operator", 5, 9, "2 m * foot"),
        ("2 min(a, b)", "missing-operator", 3, 6, "2*min(a, b)"),
        ("30°(x)", "missing-operator", 4, 5, "30° * (x)"),
        ("(a)(b)", "missing-operator", 4, 5, "(…)*(b)"),
        ("(a) b", "missing-operator", 5, 6, "(…)*b"),
        ("a 'b'", "missing-operator", 3, 6, "a*'b'"),
        ("'a'(b)", "missing-operator", 4, 5, "'a'*(b)"),
        ("leg 2 .5", "missing-operator", 7, 9, "leg 2*.5"),
        ("0 500", "missing-operator", 3, 6, "0*500"),
        ("max(1 2)", "missing-operator", 7, 8, "commas"),
        ("gap(R) rises 0", "missing-operator", 8, 15, '"rises through"'),
        ("зазор(R) падает 0", "missing-operator", 10, 18, '"падает через"'),
        ("a not b", "unexpected-word", 3, 6, None),
        ("5 .x", "unexpected-word", 3, 4, None),
        ("2 l", "unknown-unit", 3, 4, "2*l"),
        ("0.5x", "unknown-unit", 4, 5, "0.5*x"),
        ("5 ММ", "unknown-unit", 3, 5, '"мм"'),
        ("5 KG", "unknown-unit", 3, 5, '"kg"'),
        ("5 c", "unknown-unit", 3, 4, '"с" in Cyrillic letters'),
        ("5 мm", "unknown-unit", 3, 5, "letters"),
        ("5 mmm", "unknown-unit", 3, 6, '"mm"'),
        ("1e", "unknown-unit", 2, 3, "1*e"),
        ("2 m^k", "bad-unit-power", 3, 5, "(2 m)^2"),
        ("2 m^2.5", "bad-unit-power", 3, 5, "(2 m)^2"),
        ("2 m^0", "bad-unit-power", 3, 5, "(2 m)^2"),
        ("2 m^10", "bad-unit-power", 3, 5, "(2 m)^2"),
        ("2 m^99999999999999999999", "bad-unit-power", 3, 5, "(2 m)^2"),
        ("2 m ^ 2", "bad-unit-power", 3, 6, "(2 m)^2"),
        ("2 m²²²", "bad-unit-power", 3, 5, "(2 m)^2"),
        ("1 + 1.2.3", "bad-number", 5, 10, None),
        ("0x1F", "bad-number", 1, 5, None),
        ("1_000", "bad-number", 1, 6, None),
        ("5..2", "bad-number", 1, 5, None),
        ("1e999", "number-too-large", 1, 6, None),
        ("a + 1e308 km", "number-too-large", 5, 13, None),
        ("0,5", "decimal-comma", 1, 4, "0.5"),
        ("x*(0,5 + y)", "decimal-comma", 4, 7, "0.5"),
        ("a, b", "unexpected-comma", 2, 3, None),
        ("1; 2", "unexpected-comma", 2, 3, None),
        ("[a]", "wrong-bracket", 1, 2, "( and )"),
        ("x + {a}", "wrong-bracket", 5, 6, "( and )"),
        ("a && b", "unexpected-character", 3, 5, '"and"'),
        ("a || b", "unexpected-character", 3, 5, '"or"'),
        ("!a", "unexpected-character", 1, 2, '"not"'),
        ("a <> b", "unexpected-character", 3, 5, '"!="'),
        ("a => b", "unexpected-character", 3, 5, '">="'),
        ("a =< b", "unexpected-character", 3, 5, '"<="'),
        ("x % 3", "unexpected-character", 3, 4, "rem(a, b)"),
        ("√2", "unexpected-character", 1, 2, "sqrt(x)"),
        ("“a”", "unexpected-character", 1, 2, "'name'"),
        ("a\u200bb", "unexpected-character", 2, 3, "quotes"),
        ("½*x", "unexpected-character", 1, 2, None),
        ("'abc", "unclosed-quote", 1, 5, None),
        ("x + ''", "empty-name", 5, 7, None),
        ("a.", "missing-name", 2, 3, None),
        ("a.(b)", "missing-name", 2, 3, None),
        ("sin()", "wrong-argument-count", 1, 6, None),
        ("1 + sin(0,5)", "wrong-argument-count", 5, 13, "0.5"),
        ("max(a)", "wrong-argument-count", 1, 7, None),
        ("time(a)", "wrong-argument-count", 1, 8, None),
        ("x rises through 0 < 1", "mixed-comparison", 19, 20, '"and"'),
        ("0 < x rises through 1", "mixed-comparison", 7, 20, '"and"'),
        ("(" * 101 + "a" + ")" * 101, "too-deep", 101, 102, "parameter"),
        ("-" * 300 + "a", "too-deep", 201, 202, "parameter"),
        ("a^" * 300 + "a", "too-deep", 401, 402, "parameter"),
        ("a+" * 300 + "a", "too-deep", 1, 602, "parameter"),
        ("a" * 10_001, "too-long", 1, 10_002, None),
        ("+" * 6_000, "too-deep", 201, 202, "parameter"),
        ("a," * 3_000, "unexpected-comma", 2, 3, None),
        # The parser sees this mistake before the lexer's, which is further on.
        ("a b) + [", "unexpected-bracket", 4, 5, None),
    ],
)  # fmt: skip
def test_mistakes(text: str, code: str, first: int, last: int, hint: str | None) -> None:
    assert problem(text) == (code, first, last)
    diagnostics = Diagnostics()
    parse_expression(fragment(text), diagnostics)
    given_hint = diagnostics.items[0].hint
    if hint is not None:
        assert given_hint is not None
        assert hint in given_hint.en
        assert given_hint.ru


@pytest.mark.parametrize(
    ("text", "code", "first", "last", "hint"),
    [
        ("1,", "missing-value", 2, 3, None),
        (",1", "missing-value", 1, 2, None),
        ("1,,l", "missing-value", 3, 4, None),
        ("10 m 20 m", "missing-operator", 6, 10, "commas"),
        ("0 l/2", "unknown-unit", 3, 4, "commas"),
        ("", "empty-expression", 1, 1, None),
        ("1 2)", "missing-operator", 3, 4, "commas"),
        ("a," * 3_000, "too-many-tokens", 5_001, 6_001, None),
    ],
)
def test_mistakes_in_lists(text: str, code: str, first: int, last: int, hint: str | None) -> None:
    diagnostics = Diagnostics()
    assert problem(text, parse_list) == (code, first, last)
    parse_list(fragment(text), diagnostics)
    given_hint = diagnostics.items[0].hint
    assert hint is None or (given_hint is not None and hint in given_hint.en)


def test_deep_but_allowed() -> None:
    assert shape(parse("(" * 100 + "a" + ")" * 100)) == "a"
    assert sum(1 for _ in walk(parse("sin(" * 100 + "a" + ")" * 100))) == 101
    assert sum(1 for _ in walk(parse("+".join("a" * 200)))) == 399
    parse("(a+" * 98 + "a" + ")" * 98)
    # Flat lists of conditions are one node each, however long.
    assert len(children(parse(" and ".join("a" * 1_600)))) == 1_600


def test_the_deepest_trees_leave_room_on_the_stack() -> None:
    def at_depth(depth: int, action: Callable[[], None]) -> None:
        if depth:
            at_depth(depth - 1, action)
        else:
            action()

    def read_and_print() -> None:
        for opening, closing in (
            ("a or b and not c < d + e*-f^sin(", ")"),
            ("a+(", ")"), ("sin(", ")"), ("-", ""), ("not ", ""), ("a^", ""), ("a+", ""), ("a.", ""), ("((", "))"),
        ):  # fmt: skip

            def deep(count: int, opening: str = opening, closing: str = closing) -> str:
                return opening * count + "a" + closing * count

            allowed, refused = 1, 300
            while refused - allowed > 1:
                count = (allowed + refused) // 2
                fits = parse_expression(fragment(deep(count)), Diagnostics()) is not None
                allowed, refused = (count, refused) if fits else (allowed, count)
            same(print_expression(parse(deep(allowed))), deep(allowed))

    at_depth(250, read_and_print)


# Printing and translating --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "en", "ru"),
    [
        (
            "расстояние(гайка) < 1 мм и скорость(гайка) < 5 мм/с",
            "distance(гайка) < 1 mm and speed(гайка) < 5 mm/s",
            "расстояние(гайка) < 1 мм и скорость(гайка) < 5 мм/с",
        ),
        (
            "gap(R)  falls through 0 and x(right foot) > x(left foot)",
            "gap(R)  falls through 0 and x(right foot) > x(left foot)",
            "зазор(R)  падает через 0 и x(right foot) > x(left foot)",
        ),
        ("m*l^2/12", "m*l^2/12", "m*l^2/12"),
        ("0, l/2", "0, l/2", "0, l/2"),
        ("0 500", "0 500", "0 500"),
        ("30°; 5 мм", "30°; 5 mm", "30°; 5 мм"),
        ("5 об/мин", "5 rpm", "5 об/мин"),
        ("5 N/rpm^2", "5 N/rpm^2", "5 Н/об^2*мин^2"),
        ("5 rpm^2*N", "5 rpm^2*N", "5 об^2/мин^2*Н"),
        ("5 Н/об/мин", "5 N/rev/min", "5 Н/об/мин"),
        ("время > 2*пи и t < 1", "time > 2*pi and t < 1", "время > 2*пи и t < 1"),
        ("x(время) > time", "x(время) > time", "x(время) > время"),
        ("угловая скорость(a) не меньше 1", "rate(a) ge 1", "угловая скорость(a) не меньше 1"),
        ("tg(x) + tan(x)", "tan(x) + tan(x)", "tg(x) + tg(x)"),
        ("реакция(Л).нормаль Растет Через 0", "reaction(Л).n rises through 0", "реакция(Л).нормаль Растет Через 0"),
        ("арм.нормаль", "арм.нормаль", "арм.нормаль"),
        ("energy > 5 J", "energy > 5 J", "энергия > 5 Дж"),
        ("'и' или «sin»", "'и' or «sin»", "'и' или «sin»"),
        ("5и x", "5and x", "5и x"),
        ("not an expression at (all", "not an expression at (all", "not an expression at (all"),
        ("", "", ""),
        ("а" * 10_001, "а" * 10_001, "а" * 10_001),
    ],
)
def test_translation(text: str, en: str, ru: str) -> None:
    assert translate_expression(text, "en") == en
    assert translate_expression(text, "ru") == ru
    assert translate_expression(ru, "ru") == ru
    assert translate_expression(en, "en") == en


@pytest.mark.parametrize(
    ("text", "en", "ru"),
    [
        ("((a))+((b)*c)", "a + b*c", "a + b*c"),
        ("a-(b-c)", "a - (b - c)", "a - (b - c)"),
        ("a/(b*c)", "a/(b*c)", "a/(b*c)"),
        ("(a^b)^c", "(a^b)^c", "(a^b)^c"),
        ("(-a)^(-b)", "(-a)^-b", "(-a)^-b"),
        ("0<x<1", "0 < x and x < 1", "0 < x и x < 1"),
        ("не (a или b)", "not (a or b)", "не (a или b)"),
        ("(a < b) = (c < d)", "(a < b) = (c < d)", "(a < b) = (c < d)"),
        ("x растёт через 30 град", "x rises through 30 deg", "x растёт через 30 град"),
        ("tan(pi)*'and'", "tan(pi)*'and'", "tg(пи)*'and'"),
        ("energy", "energy()", "энергия()"),
        ("time", "time", "время"),
        ("q('left foot').x", "q(left foot).x", "q(left foot).x"),
        ("(a + b).x", "(a + b).x", "(a + b).x"),
        ("2*5 mm*3", "2*5 mm * 3", "2*5 мм * 3"),
        ("1.50e3 1/s", "1.50e3 1/s", "1.50e3 1/с"),
    ],
)
def test_printing(text: str, en: str, ru: str) -> None:
    node = parse(text)
    assert print_expression(node) == en
    assert print_expression(node, "ru") == ru


def test_numbers_made_by_programs_print() -> None:
    span = fragment("x").span()
    made = Number(-0.25, LENGTH, "mm", "axis", span)
    assert print_expression(Binary("^", made, made, span), "ru") == "(-0.25 м)^-0.25 м"
    assert print_expression(Number(1.0, PLAIN, None, "axis", span)) == "1.0"


_SPAN = fragment("").span()
_names = st.one_of(
    st.sampled_from(
        [
            "a",
            "right foot",
            "leg 2",
            "t",
            "pi",
            "time",
            "пи",
            "energy",
            "x",
            "и",
            "не",
            "le",
            "rises",
            "rises through",
            "a-b",
            "a.b",
            "it's",
            "«»",
            "2",
            "m",
            "мм",
            "sin",
            "T",
            "normal",
            "N",
            "стопа и нога",
            "min",
            "a  b",
            " a ",
        ]
    ),
    st.text(min_size=1).filter(lambda name: bool(name.strip())),
)
_factors = st.tuples(
    st.sampled_from([word for unit in UNITS for word in (*unit.en, *unit.ru) if "/" not in word]),
    st.sampled_from(["", "", "", "^2", "^-1", "²", "^3"]),
).map("".join)
_units = st.one_of(
    st.sampled_from(["", "", " об/мин", " 1/s", " 1/rpm"]),
    st.tuples(_factors, st.lists(st.tuples(st.sampled_from("*/·"), _factors), max_size=3)).map(
        lambda parts: " " + parts[0] + "".join(sign + factor for sign, factor in parts[1])
    ),
)
_numbers = st.tuples(st.sampled_from(["0", "1", "12.5", ".5", "1e-3", "5."]), _units).map("".join).map(parse)


def _call(key: str, least: int, most: int, inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.lists(inner, min_size=least, max_size=most).map(lambda a: Call(key, tuple(a), _SPAN, _SPAN))


_leaves: st.SearchStrategy[Node] = st.one_of(
    _numbers,
    _names.map(lambda name: Name(name, _SPAN)),
    *(_call(f.key, 0, 0, st.nothing()) for f in FUNCTIONS if f.arity[0] == 0 and f.key != "t"),
)


def _branches(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    pairs = st.tuples(inner, inner)
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    functions = [(f.key, f.arity[0], 4 if f.arity[1] is None else f.arity[1]) for f in FUNCTIONS if f.key != "t"] + [
        ("my own", 0, 2)
    ]
    return st.one_of(
        st.sampled_from(functions).flatmap(lambda f: _call(*f, inner)),
        st.tuples(inner, _names).map(lambda p: Member(p[0], p[1], _SPAN, _SPAN)),
        inner.map(lambda n: Unary("-", n, _SPAN)),
        inner.map(lambda n: Not(n, _SPAN)),
        st.tuples(st.sampled_from("+-*/^"), pairs).map(lambda p: Binary(p[0], *p[1], _SPAN)),  # type: ignore[arg-type]
        st.tuples(st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), pairs).map(
            lambda p: Compare(p[0], *p[1], _SPAN)  # type: ignore[arg-type]
        ),
        st.tuples(st.sampled_from(["rises", "falls", "crosses"]), pairs).map(
            lambda p: Crossing(p[0], *p[1], _SPAN)  # type: ignore[arg-type]
        ),
        st.tuples(st.sampled_from(["and", "or"]), several).map(lambda p: Logic(*p, _SPAN)),  # type: ignore[arg-type]
    )


_trees = st.recursive(_leaves, _branches, max_leaves=12)


@given(_trees, st.sampled_from(["en", "ru"]))
@settings(max_examples=300)
def test_what_is_printed_reads_back(tree: Node, lang: Language) -> None:
    text = print_expression(tree, lang)
    assert shape(parse(text)) == shape(tree)
    other: Language = "en" if lang == "ru" else "ru"
    translated = translate_expression(text, other)
    assert shape(parse(translated)) == shape(tree)
    assert translate_expression(translated, other) == translated


_PIECES = [
    "a", "right foot", "2", "0.5", "1e3", ".5", " ", "  ", "\u00a0", "(", ")", ",", ";", ".", "'", "«", "»", '"', "_",
    "+", "-", "*", "/", "^", "**", "<", "<=", "=", "!=", "≠", "−", "×", "²", "⁻", "&&", "|", "!", "[", "}", "°", "%",
    " мм", " m", "Н*м", "/с", "rpm", "об/мин", "1/s", " min", "sin(", "угол(", "max(", "energy", "время", "pi", "x(",
    " and ", " и ", " или ", "не ", "not ", " rises through ", " падает через ", " не меньше ", " lt ", "normal",
    "e", "0x1", "1_0", "\u200b", "\U0001f600", "ё", "\ud800", "\x00",
]  # fmt: skip
_soup = st.one_of(st.lists(st.sampled_from(_PIECES), max_size=25).map("".join), st.text())


@given(_soup)
@settings(max_examples=500)
def test_no_text_breaks_the_reader(text: str) -> None:
    for read in (parse_expression, parse_list):
        diagnostics = Diagnostics()
        result = read(fragment(text), diagnostics)
        assert (result is None) == diagnostics.failed
        assert len(diagnostics) == (result is None)
        for found in diagnostics:
            assert found.span is not None
            assert 0 <= found.span.start <= found.span.end <= len(text)
            found.render("en")
            found.render("ru")
    nodes = parse_list(fragment(text), Diagnostics())
    for lang in ("en", "ru"):
        translated = translate_expression(text, lang)
        assert translate_expression(translated, lang) == translated
        if nodes is None:
            assert translated == text
        else:
            assert [shape(node) for node in items(translated)] == [shape(node) for node in nodes]


# The table of words --------------------------------------------------------------------------------------------------


def test_words_are_unambiguous() -> None:
    spellings = [fold(word) for f in FUNCTIONS for word in {*f.en, *f.ru}]
    assert len(spellings) == len(set(spellings))
    keywords = [fold(word) for k in KEYWORDS for word in {*k.en, *k.ru}]
    assert len(keywords) == len(set(keywords))
    assert not set(keywords) & {fold(word) for word in UNIT_BY_WORD}
    assert not set(keywords) & set(spellings)
    assert len({f.key for f in FUNCTIONS}) == len(FUNCTIONS)


def test_every_spelling_is_understood() -> None:
    for function in FUNCTIONS:
        arguments = ", ".join("abc"[: function.arity[0]])
        for word in (*function.en, *function.ru):
            for written in {word, word.upper(), word.replace("_", " "), word.replace("ё", "е")}:
                node = parse(f"{written}({arguments})")
                assert (node.function if isinstance(node, Call) else "t") == function.key
    for component in COMPONENTS:
        for word in (*component.en, *component.ru):
            member = parse(f"reaction(L).{word}")
            assert isinstance(member, Member)
            assert member.member == component.key
    assert {word.key for word in CONSTANTS} <= {entry.key for entry in BARE_WORDS.values()}


def test_every_word_says_what_it_means_in_both_languages() -> None:
    entries: list[Entry] = [*FUNCTIONS, *CONSTANTS, *COMPONENTS, *KEYWORDS]
    for entry in entries:
        assert entry.en
        assert entry.ru
        assert entry.doc.en
        assert entry.doc.ru
