"""Blocks of vectors: they are lists of signals, and give lists, or numbers."""

from __future__ import annotations

from sistel.errors import Text
from sistel.model.blocks._law import Block, Given, Law, all_of, joined

SPACE = ("x", "y", "z")


def _vector(given: Given) -> Law:
    names = given.shape(given.counts["in"])
    return Law("", parts={name: f"in_{i}" for i, name in enumerate(names)})


def _named(given: Given, count: int) -> tuple[str, Text] | None:
    """Whether the names of components are as many as these, and differ."""
    names = given.shapes.get("parts", ())
    if not names or (len(set(names)) == len(names) == count and all(name and "." not in name for name in names)):
        return None
    return "parts", Text(f"{count} different names", f"разных имён: {count}")


def _counted(*counts: int) -> Text:
    shown = [str(count) for count in counts]
    return Text(f"{' or '.join(shown)} values", f"значений: {' или '.join(shown)}")


def _pairs(given: Given) -> tuple[str, Text] | None:
    """Two vectors of one length."""
    count = given.counts["in"]
    return ("in", Text("two vectors of one length", "два вектора одной длины")) if count % 2 else None


def _dot(given: Given) -> Law:
    half = given.counts["in"] // 2
    return Law(joined("+", [f"(in_{i}) * (in_{half + i})" for i in range(half)]))


def _cross(given: Given) -> Law:
    """In the plane, of two vectors of two components, it is a number: the moment about z."""
    if given.counts["in"] == 4:
        return Law("(in_0) * (in_3) - (in_1) * (in_2)")
    parts = {}
    for i, name in enumerate(given.shape(3, SPACE)):
        j, k = (i + 1) % 3, (i + 2) % 3
        parts[name] = f"(in_{j}) * (in_{k + 3}) - (in_{k}) * (in_{j + 3})"
    return Law("", parts=parts)


def _cross_parts(given: Given) -> tuple[str, ...]:
    return given.shape(3, SPACE) if given.counts.get("in") == 6 else ()


def _cross_wrong(given: Given) -> tuple[str, Text] | None:
    if given.counts["in"] not in (4, 6):
        return "in", Text("two vectors of 2 or of 3 components", "два вектора по 2 или по 3 составляющие")
    return _named(given, 3)


def _length(given: Given) -> str:
    return all_of("hypot", [f"in_{i}" for i in range(given.counts["in"])])


def _unit_parts(given: Given) -> tuple[str, ...]:
    return given.shape(given.counts.get("in", 0), given.shapes.get("in", ()))


def _unit(given: Given) -> Law:
    """Nothing comes of a vector without length: it has no direction."""
    length = _length(given)
    parts = {name: f"select({length} > 0, (in_{i}) / {length}, 0)" for i, name in enumerate(_unit_parts(given))}
    return Law("", parts=parts)


def _rows(given: Given) -> int:
    return given.counts.get("values", 0) // max(given.counts.get("in", 1), 1)


def _matrix(given: Given) -> Law:
    count = given.counts["in"]
    parts = {}
    for i, name in enumerate(given.shape(_rows(given))):
        parts[name] = joined("+", [f"(values_{i * count + j}) * (in_{j})" for j in range(count)])
    return Law("", parts=parts)


def _matrix_wrong(given: Given) -> tuple[str, Text] | None:
    count = given.counts["in"]
    if given.counts["values"] % count:
        return "values", Text(
            f"rows of {count} numbers, one for every input", f"строки по {count}: число на каждый вход"
        )
    return _named(given, _rows(given))


def _rotate(given: Given) -> Law:
    """The vector turned by a unit quaternion w, x, y, z: p + 2 w (u × p) + 2 u × (u × p); `inverse` turns it back."""
    w = "(by_0)"
    u = [f"(by_{i + 1})" for i in range(3)]
    p = [f"(in_{i})" for i in range(3)]

    def cross(a: list[str], b: list[str], i: int) -> str:
        j, k = (i + 1) % 3, (i + 2) % 3
        return f"({a[j]} * {b[k]} - {a[k]} * {b[j]})"

    inner = [cross(u, p, i) for i in range(3)]
    parts = {
        name: f"{p[i]} + 2 * ({w} * {inner[i]} + {cross(u, inner, i)})" for i, name in enumerate(given.shape(3, SPACE))
    }
    return Law("", parts=parts)


def _rotate_wrong(given: Given) -> tuple[str, Text] | None:
    if given.counts["in"] != 3:
        return "in", _counted(3)
    if given.counts["by"] != 4:
        return "by", Text("a quaternion: w, x, y, z", "кватернион: w, x, y, z")
    return _named(given, 3)


def _index(given: Given) -> Law:
    """The component with the number `at`, from 1; beyond the ends the first or the last."""
    count = given.counts["in"]
    value = f"in_{count - 1}"
    for i in reversed(range(count - 1)):
        value = f"select(at < {i + 1.5}, in_{i}, {value})"
    return Law(value)


BLOCKS = (
    Block(
        key="vector",
        needs=("in",),
        takes=("parts",),
        law=_vector,
        parts=lambda given: given.shape(given.counts.get("in", 0)),
        wrong=lambda given: _named(given, given.counts["in"]),
    ),
    Block(key="dot", needs=("in",), law=_dot, wrong=_pairs),
    Block(key="cross", needs=("in",), takes=("parts",), law=_cross, parts=_cross_parts, wrong=_cross_wrong),
    Block(
        key="unit",
        needs=("in",),
        takes=("parts",),
        law=_unit,
        parts=_unit_parts,
        wrong=lambda given: _named(given, given.counts["in"]),
    ),
    Block(
        key="matrix",
        needs=("values", "in"),
        takes=("parts",),
        law=_matrix,
        parts=lambda given: given.shape(_rows(given)),
        wrong=_matrix_wrong,
    ),
    Block(
        key="rotate",
        needs=("in", "by"),
        takes=("parts",),
        law=_rotate,
        parts=lambda given: given.shape(3, SPACE),
        wrong=_rotate_wrong,
    ),
    Block(key="index", needs=("in", "at"), law=_index),
)
