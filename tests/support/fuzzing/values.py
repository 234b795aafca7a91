"""Words that readers stumble over: numbers at the ends of their range, units, expressions, names that look alike."""

from __future__ import annotations

import random

NUMBERS = (
    *(
        "0",
        "-0",
        "1",
        "-1",
        "2",
        "0.5",
        "-0.0",
        "1e-9",
        "1e-15",
        "1e-30",
        "1e-150",
        "1e-200",
        "1e-308",
        "5e-324",
        "1e-400",
    ),
    *(
        "1e3",
        "1e9",
        "1e15",
        "1e30",
        "1e77",
        "1e150",
        "1e155",
        "1e200",
        "1e300",
        "1.7976931348623157e308",
        "1e309",
        "1e400",
    ),
    *("-1e-320", "-1e3", "-1e30", "-1e200", "-1e308", "nan", "NaN", "-nan", "inf", "-inf", "INF", "Infinity"),
    *(
        "1e99999999999",
        "1e-99999999999",
        "9" * 320,
        "9" * 5000,
        "0." + "0" * 400 + "1",
        "0x10",
        "1_000",
        "١٢",
        "1,5",
        "½",
    ),
    *("1e", "--1", "+1", "1.", ".5", ".", "1.2.3", "1 2", "", " ", "true", "2147483648", "-2147483649", "4294967295"),
    *(
        "18446744073709551616",
        "9007199254740993",
        "360",
        "90",
        "89.99999999999",
        "180",
        "-180",
        "3.141592653589793",
        "1e-7",
    ),
)
"""Values for one number."""
UNITS = (
    *(" mm", " m", " km", " deg", " rad", " kg", " s", " N", " N*m", " m/s", " mm/s^2", " kg*m^2", "%", " mm^0.5"),
    *(" мм", " м", " град", " рад", " кг", " с", " Н", " /s", " furlong", " m^1e9", " °", " µm"),
)
EXPRESSIONS = (
    *(
        "{0}/0",
        "({0})/({0}-({0}))",
        "sqrt(-1-abs({0}))",
        "ln(0*{0})",
        "({0})^1e9",
        "({0})^0.5",
        "({0})^({0})",
        "sin({0})",
    ),
    *(
        "{0}*t",
        "{0}+t",
        "{0}*t/(1 s)",
        "1e308*({0})*1e308",
        "{0}+q",
        "{0}+x(a)",
        "min({0}, 0)",
        "if(t > 0.1 s, {0}, 0)",
    ),
    *(
        "({0}",
        "{0})",
        "{0},{0}",
        "{0}, {0}, {0}",
        "{0};{0}",
        "-({0})",
        "pi*({0})",
        "tan(90 deg)*({0})",
        "acos(2)*({0})",
    ),
    *("{0}*1e-308", "{0}*1e-320", "abs({0})", "sign({0})", "exp(1000)*({0})", "atan2(0*({0}), 0)", "{0} mm", "{0} kg"),
    *(
        "{0} &lt; 0",
        "{0} = 0",
        "x(a) + {0}",
        "{0}*{0}*{0}*{0}",
        "floor({0})",
        "{0}%2",
        "reaction(a).n + {0}",
        "gap(floor)",
    ),
)
"""What a value can be wrapped into."""
DEEP = (
    "(" * 300 + "1" + ")" * 300,
    "-" * 3000 + "1",
    "1" + "+1" * 3000,
    "sin(" * 200 + "1" + ")" * 200,
    "1" + "^2" * 200,
)
LOOKALIKE = str.maketrans("ABCEHKMOPTXaceopxyАВСЕНКМОРТХасеорху", "АВСЕНКМОРТХасеорхуABCEHKMOPTXaceopxy")
NAMES = (
    *(
        "",
        " ",
        "a",
        "t",
        "pi",
        "q",
        "x",
        "g",
        "e",
        "мм",
        "mm",
        "ground",
        "земля",
        "world",
        "base",
        "начало",
        "start",
        "none",
    ),
    *(
        "a.b",
        "a b",
        "a/b",
        "../a",
        "a&amp;b",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "'",
        "&quot;",
        "\\",
        "%s",
        "{0}",
        "\u202e",
    ),
    *(
        "A" * 300,
        "я" * 3000,
        "тело",
        "body",
        "1",
        "-1",
        "0",
        "if",
        "and",
        "и",
        "sin",
        "counter(a)",
        "é",
        "e\u0301",
        "\ufeffa",
    ),
    *("𝕒", "a\tb", "a&#10;b", "&#0;", "&#xD800;", "__proto__", "constructor", "NaN", "null", "CON", "nan", "inf"),
)
"""Names that collide with words, break quotes, are long, or are not what they look like."""


def number(rng: random.Random) -> str:
    """A word for one number, mostly from the table, else any."""
    kind = rng.randrange(8)
    if kind < 5:
        return rng.choice(NUMBERS)
    if kind == 5:
        return repr(rng.uniform(-10.0, 10.0))
    if kind == 6:
        return f"{rng.uniform(-10, 10):.3g}e{rng.randrange(-320, 320)}"
    return str(rng.randrange(-5, 400))


def value(old: str, rng: random.Random) -> str:
    """Another value in the place of one."""
    kind = rng.randrange(12)
    if kind < 4:
        return number(rng)
    if kind == 4:
        return number(rng) + rng.choice(UNITS)
    if kind == 5:
        return ", ".join(number(rng) for _ in range(rng.randrange(1, 8)))
    if kind < 8:
        return rng.choice(EXPRESSIONS).replace("{0}", old or "1")
    if kind == 8:
        return rng.choice(NAMES)
    if kind == 9:
        return old.translate(LOOKALIKE)
    if kind == 10:
        return rng.choice(DEEP) if rng.randrange(4) == 0 else old + rng.choice(UNITS)
    return old * rng.choice((2, 3, 200)) if len(old) < 50 else old[: len(old) // 2]
