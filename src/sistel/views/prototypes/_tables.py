"""What the scripts of prototypes know, out of the Python tables: so that the two never disagree."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Diagnostics, Language, SistelError, Text
from sistel.pose import CODES, ORDERS, Articulated, Column, Parameters, ParameterSet, axial_rotation, phrases, say_code
from sistel.pose.codes import PRIMITIVES
from sistel.pose.conversions import from_angles, from_matrix
from sistel.views.prototypes._looks import WIDEST

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.plain import JsonObject

ORDER = {"cubic": 3, "quartic": 4, "quintic": 5}
"""Polynomials of the way from rest to rest."""
DAMPER = "damper"
"""The other way to be smooth: dampers of X3D."""
CONSTANTS = 12
"""Of time [s] of a damper in the time of a way. One of order 3 has e⁻¹²(1 + 12 + 12²/2) = 5e-4 of it left then."""
SECONDS = {"travel": 1.0, "key": 0.35}
"""How long a gripper goes to a target of `move` or `turn`, or to the next pose, and after a key [s]."""
STEPS = {"place": 0.05, "spread": 0.01}
"""What a key moves, and by how much it opens the fingers [m]."""
WAYS = {20: (1, 0, 0), 19: (-1, 0, 0), 17: (0, 1, 0), 18: (0, -1, 0), 15: (0, 0, -1), 16: (0, 0, 1)}
"""Arrows right, left, up and down, page up (away) and page down (nearer), by their numbers in X3D."""
HOME = 13
"""The key that leads to the centre."""
QUARTERS = {"x": "x", "y": "y", "z": "z", "ч": "x", "н": "y", "я": "z"}
"""Letters that turn by a quarter, on both keyboards."""
_ARM, _COLUMN = "angular", "generalised"
_SAMPLE = np.array([0.37, 0.91, -0.53])


def gripper_tables(
    lang: Language, parameters: Parameters, scripts: Mapping[str, str], smooth: str, whole: bool = False
) -> JsonObject:
    """Plain data for the scripts.

    Args:
        lang: Of messages.
        parameters: The sets that codes know.
        scripts: JavaScript functions of sets of one's own, by name.
        smooth: Kind of polynomial, or `DAMPER`.
        whole: Whether sets without a number are there too.

    Raises:
        SistelError: A set has no JavaScript, or the polynomial is not known.
    """
    return {
        "lang": lang,
        "positions": _sets(parameters.positions, scripts, whole),
        "rotations": _sets(parameters.rotations, scripts, whole),
        "axial": {str(code): _quaternion(code) for code in CODES},
        "primitives": list(PRIMITIVES),
        **({"constants": CONSTANTS} if smooth == DAMPER else {"order": _order(smooth)}),
        "seconds": SECONDS,
        "steps": STEPS,
        "ways": {str(key): list(way) for key, way in WAYS.items()},
        "home": HOME,
        "quarters": QUARTERS,
        "widest": WIDEST,
    }


def _order(smooth: str) -> int:
    if smooth not in ORDER:
        diagnostics = Diagnostics()
        message = Text(f'there is no polynomial "{smooth}"', f"нет полинома «{smooth}»")
        known = ", ".join((*ORDER, DAMPER))
        diagnostics.error("no-polynomial", None, message, expected=Text(known, known))
        raise SistelError(diagnostics.sorted())
    return ORDER[smooth]


def _sets(sets: tuple[ParameterSet, ...], scripts: Mapping[str, str], whole: bool) -> list[JsonObject]:
    kept = [each for each in sets if whole or each.code is not None]
    return [
        {
            "code": each.code,
            "name": each.name,
            "size": each.size,
            "angles": sorted(each.angles),
            **({} if each.name in scripts else _reader(each)),
            **({"said": {"en": each.said.en, "ru": each.said.ru}, "numbers": each.numbers} if whole else {}),
        }
        for each in kept
    ]


_PLAIN = (
    *("euler-parameters", "quaternion", "two-points", "axial", "cayley-klein", "rotation-vector", "rodrigues"),
    *("modified-rodrigues", "matrix", "cartesian", "polar", "cylindrical", "spherical"),
)


def _reader(chosen: ParameterSet) -> JsonObject:
    """Which function of the script reads a set, and with what."""
    if chosen.name in _PLAIN:
        return {"reader": chosen.name}
    owner = getattr(chosen.read, "__self__", None)
    if chosen.name == _ARM and isinstance(owner, Articulated):
        return {"reader": _ARM, "with": {"column": owner.column, "upper": owner.upper, "fore": owner.fore}}
    if chosen.name == _COLUMN and isinstance(owner, Column):
        return {"reader": _COLUMN, "with": {"height": owner.height, "reach": owner.reach}}
    order = _angles(chosen)
    if order is None:
        diagnostics = Diagnostics()
        message = Text(
            f'prototypes need a JavaScript function for "{chosen.name}"',
            f"прототипам нужна функция JavaScript для «{chosen.name}»",
        )
        hint = Text(
            f'scripts={{"{chosen.name}": "(v) => …"}}: from the numbers of the set to w, x, y, z or to x, y, z',
            f'scripts={{"{chosen.name}": "(v) => …"}}: от чисел набора к w, x, y, z или к x, y, z',
        )
        diagnostics.error("no-script", None, message, hint=hint)
        raise SistelError(diagnostics.sorted())
    return {"reader": "angles", "with": order}


def _angles(chosen: ParameterSet) -> str | None:
    """The order of turns of a set of three angles: found by what it does."""
    if chosen.size != 3 or chosen.angles != frozenset(range(3)):
        return None
    made = np.asarray(chosen.read(_SAMPLE))
    fits = [order for order in ORDERS if made.shape == (4,) and np.array_equal(from_angles(_SAMPLE, order), made)]
    return fits[0] if fits else None


def _quaternion(code: int) -> list[float]:
    """Of an axial orientation, not of length 1: so its numbers are whole."""
    q: Array = from_matrix(np.array(axial_rotation(code)))
    return [float(part) for part in np.sign(np.where(np.abs(q) < 0.1, 0.0, q)) + 0.0]


def phrase_tables() -> JsonObject:
    """Words, directions and patterns of the reader of phrases."""
    return {
        "words": [[word, meaning] for word, meaning in phrases.WORDS.items()],
        "mistyped": [[words, way] for words, way in phrases.MISTYPED.items()],
        "idle": sorted(phrases.IDLE),
        "towards": _pattern(phrases.TOWARDS),
        "away": _pattern(phrases.AWAY),
        "longest": phrases.LONGEST,
        "said": {lang: {str(code): say_code(code, lang) for code in CODES} for lang in _LANGUAGES},
    }


_LANGUAGES: tuple[Language, ...] = ("en", "ru")
_LETTER = r"[\p{L}\p{N}_]"


def _pattern(pattern: re.Pattern[str]) -> str:
    r"""A pattern for JavaScript, whose own `\b` knows Latin letters alone."""
    begun = re.sub(r"(^|\|)\\b", lambda match: f"{match[1]}(?<!{_LETTER})", pattern.pattern)
    return begun.replace(r"\b", f"(?!{_LETTER})")


def declared(name: str, value: object) -> str:
    """A constant of a script."""
    return f"const {name} = {json.dumps(value, ensure_ascii=False)};\n"
