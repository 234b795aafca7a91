"""The lexer of expressions: names of several words, keywords of both languages, numbers that carry their unit.

It needs to know little of the grammar, only whether a value has just ended: after one, ``не меньше`` is a comparison.
A problem becomes a token too, so that an earlier mistake which only the parser can see is reported first.
"""

from __future__ import annotations

import math
import re
from typing import Literal, NamedTuple

from sistel.errors import Diagnostics, Fragment, Language, Text, nearest
from sistel.markup.expressions._words import KEYWORD_STARTS, Keyword, find_function, fold
from sistel.units import PLAIN, UNIT_BY_WORD, UNITS, Dimension, Unit

MAX_CHARACTERS = 10_000
MAX_TOKENS = 5_000
MAX_UNIT_POWER = 9

TokenKind = Literal["number", "name", "quoted", "operator", "keyword", "(", ")", ",", ".", "end", "problem"]

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
# "\w" also holds superscripts and fractions, and does not hold the accents of decomposed letters.
_START = r"[^\W\d⁰¹²³⁴-⁹¼-¾⅐-⅞]"
_LETTER = r"(?:[^\W⁰¹²³⁴-⁹¼-¾⅐-⅞]|[\u0300-\u036f])"
_WORD = _START + _LETTER + "*"
# A point that a letter follows belongs to a name: "leg 2.angle".
_DIGITS = r"(?:[0-9]+(?:\.(?![^\W\d])[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"

NUMBER = re.compile(_DIGITS)
_BLANKS = re.compile(r"\s*")
# A number right after a name is one of its components: "v.2".
_COMPONENT = re.compile(rf"\.([0-9]+)(?!{_LETTER})")
_NAME_WORD = re.compile(_WORD)
_NEXT_WORD = re.compile(rf"\s+({_LETTER}+)")
_NEXT_BRACES = re.compile(rf"\s*\{{[^{{}}]*\}}{_LETTER}*")
_SCAN = re.compile(
    rf"(?P<number>{_DIGITS})|(?P<word>{_WORD})"
    rf"|(?P<power>[⁻⁺]?[{_SUPERSCRIPTS}]+)"
    r"|(?P<foreign>&&?|\|\|?|<>|=<|=>|:=?|!(?!=)|[\[\]{}~%√∞?$@#\\№°½¼¾‘’“”„`])"
    r"|(?P<operator>\*\*|<=|>=|==|!=|[-+*/^<>=≤≥≠×·⋅∙÷−–])"
    r"|(?P<mark>[(),;.])|(?P<quote>['\"«])"
)
_FACTOR = re.compile(rf"(?P<word>°|%|{_WORD})(?P<power>(?:\^|\*\*)[-+−]?[0-9]+(?![\w.])|[⁻⁺]?[{_SUPERSCRIPTS}]+)?")
_WRONG_TAIL = re.compile(r"[xX][0-9a-fA-F]+\b|_\w*|\.[0-9.]*")
_POWER_SIGN = re.compile(rf"\s*(?:\^|\*\*|[⁻⁺]?[{_SUPERSCRIPTS}])")
_PLAIN_DIGITS = str.maketrans(_SUPERSCRIPTS + "⁻⁺−", "0123456789-+-")

_SYMBOLS = {"**": "^", "==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "÷": "/", "−": "-", "–": "-"} | dict.fromkeys(
    "×·⋅∙", "*"
)
_FOREIGN = {
    "&": Text('write "and"', "пишите «и»"),
    "|": Text('write "or"', "пишите «или»"),
    "!": Text('write "not"', "пишите «не»"),
    "~": Text('write "not"', "пишите «не»"),
    "<>": Text('write "!="', "пишите «!=»"),
    "=<": Text('write "<="', "пишите «<=»"),
    "=>": Text('write ">="', "пишите «>=»"),
    ":=": Text('write "="', "пишите «=»"),
    ":": Text('a division is written "/"', "деление пишется «/»"),
    "%": Text(
        "a remainder is written rem(a, b); a percentage follows a number: 5 %",
        "остаток пишется остаток(a, b); проценты пишутся после числа: 5 %",
    ),
    "√": Text("write sqrt(x)", "пишите корень(x)"),
    "?": Text("write select(condition, a, b)", "пишите выбор(условие, a, b)"),
    "°": Text("degrees follow a number: 30°", "градусы пишутся после числа: 30°"),
}
_MARKS: dict[str, TokenKind] = {"(": "(", ")": ")", ",": ",", ";": ",", ".": "."}
_CLOSING = {"'": "'", '"': '"', "«": "»"}

# Letters that look alike: a Russian text with one Latin letter is the mistake that nobody can see.
_TO_CYRILLIC = str.maketrans("acekmnopruxyABCEHKMOPTX", "асекмпоргихуАВСЕНКМОРТХ")
_TO_LATIN = str.maketrans("асекмпоргихуАВСЕНКМОРТХ", "acekmnopruxyABCEHKMOPTX")


class Problem(Exception):
    """A mistake in the text of an expression, at characters `start` to `end`; it never leaves this package."""

    def __init__(
        self, code: str, start: int, end: int, message: Text, *, expected: Text | None = None, hint: Text | None = None
    ) -> None:
        super().__init__(code)
        self.code, self.start, self.end, self.message, self.expected, self.hint = (
            code,
            start,
            end,
            message,
            expected,
            hint,
        )

    def report(self, fragment: Fragment, diagnostics: Diagnostics) -> None:
        """Note it as an error at its place in the source."""
        span = fragment.span(self.start, self.end)
        diagnostics.error(self.code, span, self.message, expected=self.expected, hint=self.hint)


class Factor(NamedTuple):
    """One unit in a unit expression, with the place of its word and the end of its written power."""

    unit: Unit
    exponent: int
    start: int
    end: int
    power_end: int


class Token(NamedTuple):
    """A piece of the text; `text` is the name, the operator in its plain form, or the digits of a number."""

    kind: TokenKind
    start: int
    end: int
    text: str
    value: float = 0.0
    """A number, in SI when it has a unit."""
    unit: tuple[Factor, ...] = ()
    keyword: Keyword | None = None
    problem: Problem | None = None


def tokenize(text: str, *, braces: bool = False) -> list[Token]:
    """All tokens of a text; the last one is ``end`` or ``problem``.

    With `braces`, names may have expressions in them, as those of repeated elements do: ``link {i - 1}``.
    """
    tokens: list[Token] = []
    at = 0
    try:
        while (at := _skip_blanks(text, at)) < len(text):
            if len(tokens) >= MAX_TOKENS:
                raise Problem(
                    "too-many-tokens",
                    at,
                    len(text),
                    Text(
                        f"the expression has more than {MAX_TOKENS} words and signs",
                        f"в выражении больше {MAX_TOKENS} слов и знаков",
                    ),
                )
            at = _next(text, at, tokens, braces)
    except Problem as problem:
        tokens.append(Token("problem", problem.start, problem.end, "", problem=problem))
    else:
        tokens.append(Token("end", len(text), len(text), ""))
    return tokens


def _skip_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _next(text: str, at: int, tokens: list[Token], braces: bool) -> int:
    """Read the token at `at`, append it, and say where it ends."""
    if tokens and tokens[-1].kind in ("name", "quoted") and tokens[-1].end == at:
        component = _COMPONENT.match(text, at)
        if component is not None:
            tokens.append(Token(".", at, at + 1, "."))
            tokens.append(Token("name", at + 1, component.end(), component.group(1)))
            return component.end()
    found = _SCAN.match(text, at)
    if found is None:
        raise _unexpected_character(text, at)
    kind, end, piece = found.lastgroup, found.end(), found.group()
    if kind == "number":
        tokens.append(_number(text, at, end))
    elif kind == "word":
        tokens.append(_word(text, at, end, after_value=bool(tokens) and ends_value(tokens[-1]), braces=braces))
    elif kind == "operator":
        tokens.append(Token("operator", at, end, _SYMBOLS.get(piece, piece)))
    elif kind == "mark":
        tokens.append(Token(_MARKS[piece], at, end, piece))
    elif kind == "quote":
        tokens.append(_quoted(text, at))
    elif kind == "power":
        plain = piece.translate(_PLAIN_DIGITS)
        tokens.append(Token("operator", at, at + 1, "^"))
        if plain[0] in "-+":
            tokens.append(Token("operator", at, at + 1, plain[0]))
        digits = plain.lstrip("-+")
        tokens.append(Token("number", end - len(digits), end, digits, _finite(digits, at, end)))
    else:
        raise _foreign(piece, at, end)
    return tokens[-1].end


def ends_value(token: Token) -> bool:
    """Whether an operator, not a value, has to follow this token."""
    return token.kind in ("number", "name", "quoted", ")")


def _word(text: str, at: int, end: int, *, after_value: bool, braces: bool) -> Token:
    found = keyword_at(text, at, after_value=after_value)
    if found is not None:
        keyword, end = found
        return Token("keyword", at, end, keyword.key, keyword=keyword)
    while (following := _part_of_name(text, end, braces)) is not None:
        end = following
    return Token("name", at, end, " ".join(text[at:end].split()))


def _part_of_name(text: str, at: int, braces: bool) -> int | None:
    """Where the next word of a name ends, or the next expression in it; None where the name is at its end."""
    following = _NEXT_WORD.match(text, at)
    if following is not None and keyword_at(text, following.start(1), after_value=True) is None:
        return following.end()
    inside = _NEXT_BRACES.match(text, at) if braces else None
    return None if inside is None else inside.end()


def keyword_at(text: str, at: int, *, after_value: bool) -> tuple[Keyword, int] | None:
    """The keyword whose first word stands at `at`, and its end."""
    first = _NAME_WORD.match(text, at)
    if first is None:
        return None
    for second, keyword in KEYWORD_STARTS.get(fold(first.group()), ()):
        if not second:
            return keyword, first.end()
        following = _NEXT_WORD.match(text, first.end())
        if following and fold(following.group(1)) == second and (after_value or keyword.kind != "compare"):
            return keyword, following.end()
    return None


def _quoted(text: str, at: int) -> Token:
    closing = _CLOSING[text[at]]
    end = at + 1
    while (end := text.find(closing, end)) >= 0:
        if text[end + 1 : end + 2] != closing:
            break
        end += 2
    if end < 0:
        message = Text("a quoted name is not closed", "имя в кавычках не закрыто")
        raise Problem("unclosed-quote", at, len(text), message, expected=Text(closing, closing))
    name = text[at + 1 : end].replace(closing * 2, closing)
    if not name.strip():
        raise Problem("empty-name", at, end + 1, Text("a name is empty", "имя пусто"))
    return Token("quoted", at, end + 1, name)


def _number(text: str, at: int, end: int) -> Token:
    literal = text[at:end]
    value = _finite(literal, at, end)
    if wrong := _WRONG_TAIL.match(text, end):
        said = Text(f'"{text[at : wrong.end()]}" is not a number', f"«{text[at : wrong.end()]}» не число")
        expected = Text("a decimal number such as 12, 0.5 or 1e-3", "десятичное число, например 12, 0.5 или 1e-3")
        raise Problem("bad-number", at, wrong.end(), said, expected=expected)
    unit_at = _skip_blanks(text, end)
    factors = read_unit(text, unit_at, apart=unit_at > end)
    if not factors:
        _refuse_unknown_unit(text, literal, unit_at)
        return Token("number", at, end, literal, value)
    end = factors[-1].power_end
    if power := _POWER_SIGN.match(text, end):
        written, unit = text[at:end], text[unit_at:end]
        raise Problem(
            "bad-unit-power",
            unit_at,
            power.end(),
            Text(f'the power of the unit "{unit}" cannot be read', f"степень единицы «{unit}» не читается"),
            expected=Text(
                f"a whole number from -{MAX_UNIT_POWER} to {MAX_UNIT_POWER}, without blanks",
                f"целое число от -{MAX_UNIT_POWER} до {MAX_UNIT_POWER}, без пробелов",
            ),
            hint=Text(
                f"to raise the whole value to a power, write ({written})^2",
                f"чтобы возвести в степень всё значение, пишите ({written})^2",
            ),
        )
    return Token("number", at, end, literal, _finite_value(to_si(value, factors), at, end), factors)


def _finite(literal: str, at: int, end: int) -> float:
    return _finite_value(float(literal), at, end)


def _finite_value(value: float, at: int, end: int) -> float:
    if math.isfinite(value):
        return value
    raise Problem(
        "number-too-large",
        at,
        end,
        Text("the number is too large", "число слишком велико"),
        expected=Text("a number below 1.8e308", "число меньше 1.8e308"),
    )


def _refuse_unknown_unit(text: str, literal: str, at: int) -> None:
    """Raise if a word that can only be meant as a unit stands at `at`."""
    found = _NAME_WORD.match(text, at)
    if found is None or keyword_at(text, at, after_value=True) or text.startswith("(", _skip_blanks(text, found.end())):
        return
    word = found.group()
    alike = next((w for w in (word.translate(_TO_CYRILLIC), word.translate(_TO_LATIN)) if w in UNIT_BY_WORD), None)
    case = next((w for w in UNIT_BY_WORD if w.casefold() == word.casefold()), None)
    near = alike or case or nearest(word, UNIT_BY_WORD)
    en = ru = ""
    if near is not None:
        letters = Text("", "")
        if alike is not None:
            letters = (
                Text(" in Latin letters", " латиницей")
                if near.isascii()
                else Text(" in Cyrillic letters", " кириллицей")
            )
        en, ru = f'did you mean "{near}"{letters.en}? ', f"возможно, имелось в виду «{near}»{letters.ru}? "
    raise Problem(
        "unknown-unit",
        at,
        found.end(),
        Text(f'unknown unit "{word}"', f"неизвестная единица «{word}»"),
        expected=Text("a unit such as mm, deg, kg, N*m, m/s^2", "единица, например мм, град, кг, Н*м, м/с^2"),
        hint=Text(
            f"{en}{'T' if en else 't'}o multiply by a name, write {literal}*{word}",
            f"{ru}{'Ч' if ru else 'ч'}тобы умножить на имя, пишите {literal}*{word}",
        ),
    )


def _foreign(piece: str, at: int, end: int) -> Problem:
    if piece in "[]{}":
        return Problem(
            "wrong-bracket",
            at,
            end,
            Text(f'the bracket "{piece}" is not used here', f"скобка «{piece}» здесь не используется"),
            hint=Text("use ( and )", "используйте ( и )"),
        )
    if piece in "‘’“”„`":
        return Problem(
            "unexpected-character",
            at,
            end,
            Text(f"the quote {piece} is not used here", f"кавычка {piece} здесь не используется"),
            hint=Text("quote a name as 'name' or «name»", "пишите имя в кавычках так: «имя» или 'имя'"),
        )
    hint = _FOREIGN.get(piece, _FOREIGN.get(piece[0]))
    message = Text(f'the sign "{piece}" is not used here', f"знак «{piece}» здесь не используется")
    return Problem("unexpected-character", at, end, message, hint=hint)


def _unexpected_character(text: str, at: int) -> Problem:
    character = text[at]
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    message = Text(f'the character "{shown}" is not used here', f"символ «{shown}» здесь не используется")
    hint = Text("put names with such characters in quotes: 'name'", "имена с такими символами пишут в кавычках: «имя»")
    return Problem("unexpected-character", at, at + 1, message, hint=hint)


# Unit expressions ----------------------------------------------------------------------------------------------------

# "об/мин" is one unit to people, but in "Н*м/об/мин" and "об/мин^2" its halves go apart: read it as its two halves.
_HALVES: dict[str, tuple[Unit, Unit]] = {
    unit.key: (UNIT_BY_WORD[word.split("/")[0]], UNIT_BY_WORD[word.split("/")[1]])
    for unit in UNITS
    for word in (*unit.en, *unit.ru)
    if "/" in word
}
_WHOLE = {(above.key, below.key): UNIT_BY_WORD[key] for key, (above, below) in _HALVES.items()}


def read_unit(text: str, at: int, *, apart: bool = True) -> tuple[Factor, ...]:
    """The longest unit expression at `at`, without inner blanks, such as ``Н*м*с/рад``; empty if there is none.

    `apart` says whether a blank stands before it: only then can it begin with ``1/``.
    """
    factors: list[Factor] = []
    sign = 1
    if apart and text.startswith("1/", at):
        sign, at = -1, at + 2
    while found := _FACTOR.match(text, at):
        unit = UNIT_BY_WORD.get(found.group("word"))
        if unit is None or _is_call(text, found.group("word"), found.end("word")):
            break
        exponent = 1
        if power := found.group("power"):
            exponent = int(power.translate(_PLAIN_DIGITS).lstrip("^*")[:8])
            if not 0 < abs(exponent) <= MAX_UNIT_POWER:
                exponent = 0
        end, power_end = found.end("word"), found.end() if exponent else found.end("word")
        factors.append(Factor(unit, sign * (exponent or 1), at, end, power_end))
        following = text[power_end : power_end + 1]
        if not following or following not in "*·⋅∙×/÷" or not exponent:
            break
        sign, at = -1 if following in "/÷" else 1, power_end + 1
    return tuple(factors)


def _is_call(text: str, word: str, end: int) -> bool:
    """Whether a word is a function, or a name with a member, for all that it spells a unit."""
    if not word[0].isalpha():
        return False
    following = text[end : end + 1]
    if following == ".":
        return _NAME_WORD.match(text, end + 1) is not None
    return following == "(" or (text.startswith("(", _skip_blanks(text, end)) and find_function(word) is not None)


def to_si(value: float, factors: tuple[Factor, ...]) -> float:
    """A value in a unit expression, in SI; rounded once by the product and once by the quotient."""
    if len(factors) == 1 and factors[0].exponent == 1:
        return factors[0].unit.to_si(value)
    above = below = 1.0
    for unit, exponent, *_ in factors:
        for _count in range(abs(exponent)):
            above *= unit.numerator if exponent > 0 else unit.denominator
            below *= unit.denominator if exponent > 0 else unit.numerator
    return value * above / below


def dimension_of(factors: tuple[Factor, ...]) -> Dimension:
    """The dimension of a unit expression."""
    if len(factors) == 1 and factors[0].exponent == 1:
        return factors[0].unit.dimension
    dimension = PLAIN
    for unit, exponent, *_ in factors:
        dimension = dimension.times(unit.dimension.power(exponent))
    return dimension


def spell_unit(factors: tuple[Factor, ...], lang: Language = "en") -> str:
    """A unit expression as one language writes it; in English this is also its canonical form."""
    parts: list[tuple[Unit, int]] = []
    for unit, exponent, *_ in factors:
        if unit.key in _HALVES:
            above, below = _HALVES[unit.key]
            parts += [(above, exponent), (below, -exponent)]
        else:
            parts.append((unit, exponent))
    text = ""
    skip = False
    for index, (unit, exponent) in enumerate(parts):
        if skip:
            skip = False
            continue
        following, following_exponent = parts[index + 1] if index + 1 < len(parts) else (unit, 0)
        whole = _WHOLE.get((unit.key, following.key))
        if whole is not None and exponent == 1 and following_exponent == -1:
            unit, skip = whole, True
        power = f"^{abs(exponent)}" if abs(exponent) != 1 else ""
        sign = "/" if exponent < 0 else "*" if text else ""
        text += ("1" if exponent < 0 and not text else "") + sign + (unit.ru if lang == "ru" else unit.en)[0] + power
    return text


def unit_edits(text: str, factors: tuple[Factor, ...], lang: Language) -> list[tuple[int, int, str]]:
    """Replacements (start, end, new text) that spell a written unit expression in a language."""
    edits: list[tuple[int, int, str]] = []
    done = 0
    for index, (unit, _, start, end, power_end) in enumerate(factors):
        known = unit.ru if lang == "ru" else unit.en
        if start < done or text[start:end] in known:
            continue
        divided = text[start - 1] in "/÷"
        following = factors[index + 1] if index + 1 < len(factors) else None
        whole = _WHOLE.get((unit.key, following.unit.key)) if following and power_end == end and not divided else None
        above, slash, below = known[0].partition("/")
        if (
            whole is not None
            and following is not None
            and (following.exponent, following.end) == (-1, following.power_end)
        ):
            done = following.end
            edits.append((start, done, (whole.ru if lang == "ru" else whole.en)[0]))
        elif slash:
            # One word becomes two: the power goes to both, and below a fraction bar the second half rises above it.
            edits.append((start, end, f"{above}{text[end:power_end]}{'*' if divided else '/'}{below}"))
        else:
            edits.append((start, end, known[0]))
    return edits
