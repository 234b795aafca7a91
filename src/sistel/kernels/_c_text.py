"""What C and the languages made of it share: names that they take, literals, and the form of every operation."""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from sistel.errors import Text, did_you_mean, one_of, refuse
from sistel.expr import Op, Program

if TYPE_CHECKING:
    from collections.abc import Sequence

Precision = Literal["float32", "float64"]

Blocks: TypeAlias = tuple[tuple[str, int], ...]
"""Names and sizes."""

Labels: TypeAlias = Mapping[str, Sequence[str]]
"""For a block, a few words about each of its numbers: ``{"q": ["shoulder [rad]", "elbow [rad]"]}``."""

SCALARS: dict[Precision, str] = {"float64": "double", "float32": "float"}
"""The type of a number."""

_KEYWORDS = """auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while main
_Bool _Complex _Imaginary and and_eq asm bitand bitor bool catch class compl const_cast delete dynamic_cast explicit
export false friend mutable namespace new not not_eq operator or or_eq private protected public reinterpret_cast
static_cast template this throw true try typeid typename using virtual wchar_t xor xor_eq constexpr nullptr
alignas alignof char8_t char16_t char32_t concept consteval constinit co_await co_return co_yield decltype noexcept
requires static_assert thread_local typeof linux unix"""
_MATHEMATICS = """acos asin atan atan2 cos sin tan cosh sinh tanh acosh asinh atanh exp exp2 expm1 frexp ilogb ldexp log
log10 log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma gamma ceil floor nearbyint
rint lrint llrint round lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin fma
sincos fpclassify isfinite isinf isnan isnormal signbit j0 j1 jn y0 y1 yn signgam drem significand"""
# Macros of math.h, and functions that compilers know by name even where no header declares them.
_LIBRARY = """HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO FP_FAST_FMA
FP_FAST_FMAF FP_FAST_FMAL FP_ILOGB0 FP_ILOGBNAN MATH_ERRNO MATH_ERREXCEPT math_errhandling isgreater isgreaterequal
isless islessequal islessgreater isunordered exp10 pow10 scalb finite abort abs alloca bcmp bcopy bzero calloc
exit ffs free index isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper
isxdigit labs llabs imaxabs malloc realloc memchr memcmp memcpy memmove mempcpy memset printf fprintf sprintf snprintf
vprintf vfprintf vsprintf vsnprintf scanf fscanf sscanf vscanf vfscanf vsscanf putchar puts fputc fputs fwrite rindex
stpcpy stpncpy strcasecmp strcat strchr strcmp strcpy strcspn strdup strfmon strftime strlen strncasecmp strncat strncmp
strncpy strndup strpbrk strrchr strspn strstr toascii tolower toupper execl execlp execle execv execvp execve fork
aligned_alloc gettext dgettext dcgettext conj cabs carg cimag creal cexp clog cpow cproj csin csinh csqrt ccos ccosh
ctan ctanh cacos cacosh casin casinh catan catanh errno assert offsetof"""
RESERVED = (
    frozenset(_KEYWORDS.split())
    | frozenset(_LIBRARY.split())
    | {name + end for name in _MATHEMATICS.split() for end in ("", "f", "l")}
)
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,62}\Z")
_OWN = re.compile(r"(v\d+|(in|out)\d*)\Z")

ARITHMETIC: Final[dict[int, str]] = {
    Op.ADD: "{0} + {1}",
    Op.SUBTRACT: "{0} - {1}",
    Op.MULTIPLY: "{0} * {1}",
    Op.DIVIDE: "{0} / {1}",
    Op.NEGATE: "-{0}",
}
"""What C and all that descends from it write alike."""

_FORMS: dict[int, str] = ARITHMETIC | {
    Op.SQRT: "sqrt{f}({0})",
    Op.SIN: "sin{f}({0})",
    Op.COS: "cos{f}({0})",
    Op.ATAN2: "atan2{f}({0}, {1})",
    # Not fmin and fmax, which drop a NaN.
    Op.MINIMUM: "({1} < {0} || {1} != {1}) ? {1} : {0}",
    Op.MAXIMUM: "({1} > {0} || {1} != {1}) ? {1} : {0}",
    Op.ABSOLUTE: "fabs{f}({0})",
    Op.LESS: "({0} < {1}) ? 1.0{f} : 0.0{f}",
    Op.LESS_EQUAL: "({0} <= {1}) ? 1.0{f} : 0.0{f}",
    Op.EQUAL: "({0} == {1}) ? 1.0{f} : 0.0{f}",
    Op.AND: "({0} != 0.0{f} && {1} != 0.0{f}) ? 1.0{f} : 0.0{f}",
    Op.OR: "({0} != 0.0{f} || {1} != 0.0{f}) ? 1.0{f} : 0.0{f}",
    Op.NOT: "({0} == 0.0{f}) ? 1.0{f} : 0.0{f}",
    Op.SELECT: "({0} != 0.0{f}) ? {1} : {2}",
    Op.EXP: "exp{f}({0})",
    Op.LOG: "log{f}({0})",
    Op.FLOOR: "floor{f}({0})",
}


def definition(index: int, op: int, places: Sequence[int], values: Sequence[str], dtype: Precision) -> str:
    """The line that computes a value: an operation on values before it, each of them a name or a literal."""
    operands = (values[place] for place in places if place >= 0)
    form = _FORMS[op].format(*operands, f="f" if dtype == "float32" else "")
    return f"    const {SCALARS[dtype]} v{index} = {form};"


def literal(number: float, dtype: Precision) -> str:
    """A number as it stands in an expression: the shortest digits that give it back, with an ``f`` for float32.

    Raises:
        SistelError: The number lies beyond the range of float32.
    """
    if dtype == "float64":
        text = repr(number)
    else:
        try:
            (rounded,) = struct.unpack("<f", struct.pack("<f", number))
        except OverflowError:
            refuse(
                "constant-range",
                Text(f"the constant {number!r} is too large for float32", f"константа {number!r} велика для float32"),
                hint=Text("scale the model, or use float64", "измените масштаб модели или возьмите float64"),
            )
        text = next(text for digits in range(1, 10) if _same_float(text := f"{rounded:.{digits}g}", rounded))
        text += ("f" if "." in text or "e" in text else ".0f") if "f" not in text else ""
    return f"({text})" if text.startswith("-") else text


def _same_float(text: str, rounded: float) -> bool:
    try:
        (value,) = struct.unpack("<f", struct.pack("<f", float(text)))
    except OverflowError:
        return False
    return bool(value == rounded)


def checked_precision(dtype: str) -> Precision:
    """The name of a precision.

    Raises:
        SistelError: There is no such precision.
    """
    if dtype not in ("float64", "float32"):
        refuse(
            "bad-precision",
            Text(f"numbers are float32 or float64, not {dtype!r}", f"числа бывают float32 или float64, а не {dtype!r}"),
        )
    return "float64" if dtype == "float64" else "float32"


def checked_routines(program: Program, language: str, dtype: Precision) -> None:
    """See that routines of a program can be said.

    Raises:
        SistelError: They cannot.
    """
    found = program.routines()
    if found and (language != "C" or dtype == "float32"):
        names = ", ".join(each.name for each in found)
        refuse(
            "no-routines",
            Text(
                f"{language} in {dtype} has no routines of schemes: {names}",
                f"в {language} при {dtype} нет подпрограмм схем: {names}",
            ),
            hint=Text("take C or JavaScript with float64", "возьмите C или JavaScript с float64"),
        )


def checked_name(name: str, language: str, reserved: Collection[str] = RESERVED) -> str:
    """The name of a function.

    Raises:
        SistelError: The language does not take it.
    """
    if not _IDENTIFIER.match(name) or name in reserved:
        refuse(
            "bad-name",
            Text(f"{name!r} cannot name a {language} function", f"{name!r} не может быть именем функции на {language}"),
            hint=Text(
                "Latin letters, digits and underscores; no word or mathematical function of the language",
                "латинские буквы, цифры и подчёркивания; не слово и не математическая функция языка",
            ),
        )
    return name


def parameters(
    function: str, inputs: Blocks, outputs: Blocks, reserved: Collection[str] = RESERVED
) -> tuple[list[str], list[str]]:
    """A name for every block of inputs and of outputs: its own, when the language and the function leave it free."""
    taken = {function}

    def named(blocks: Blocks, role: str) -> list[str]:
        names: list[str] = []
        for index, (block, _) in enumerate(blocks):
            # v1, in1 and out1 are kept for the lines of the function and for blocks whose own names do not do, and
            # names that go on from the function's for what else is printed beside it.
            free = _IDENTIFIER.match(block) and not _OWN.match(block) and not block.startswith(f"{function}_")
            spare = role if len(blocks) == 1 and role not in reserved else f"{role}{index}"
            names.append(block if free and block not in reserved and block not in taken else spare)
            taken.add(names[-1])
        return names

    return named(inputs, "in"), named(outputs, "out")


def comment(text: str) -> str:
    """Words as they may stand in a comment: nothing in them ends or opens one, or continues a line."""
    return "".join(letter if letter.isalnum() or letter in " _-.,()[]/°·^" else "_" for letter in text)[:80]


def remarks(
    names: Sequence[str],
    blocks: Blocks,
    labels: Labels,
    form: str,
    entry: str = "  {name}[{i}] {label}",
) -> list[str]:
    """One line a block, and one a number of it where the caller has labelled them."""
    lines: list[str] = []
    for name, (block, size) in zip(names, blocks, strict=True):
        lines.append(form.format(name=name, size=size) + ("" if name == block else f" (block {comment(block)})"))
        words = labels.get(block, ())
        lines += [entry.format(name=name, i=i, label=comment(label)) for i, label in enumerate(words)]
    return lines


def checked_labels(labels: Labels | None, blocks: Blocks) -> Labels:
    """What the caller says about the numbers of blocks.

    Raises:
        SistelError: A block that is not there, or with another size.
    """
    sizes = dict(blocks)
    for block, words in (labels or {}).items():
        if block not in sizes:
            known = list(sizes)
            refuse(
                "unknown-block",
                Text(f"labels for {block!r}, which is no block", f"подписи для {block!r}: такого блока нет"),
                hint=did_you_mean(block, known) or one_of(known),
            )
        if len(words) != sizes[block]:
            refuse(
                "bad-labels",
                Text(
                    f"{block} has {sizes[block]} numbers, and {len(words)} labels were given",
                    f"чисел в {block}: {sizes[block]}, а подписей дано: {len(words)}",
                ),
            )
    return labels or {}
