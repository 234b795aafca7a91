"""Conversions of rotations and positions in batches, every set of parameters in both directions, beside SciPy.

The aim: a million conversions a second and more on one core, and no conversion slower than that of
`scipy.spatial.transform.Rotation` where SciPy has it; the last line says what misses it. Both sides go from an array to
an array, SciPy through a Rotation, and take quaternions of any length. The last column is a conversion from quaternions
that are unit already: `ParameterSet.write` beside a Rotation that was made before. SciPy gets the order of components
that it likes, the real part last.

With --write the table goes into docs/benchmarks.md and its translation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from _bench import ROOT, Case, machine, measure, parser, report
from _tables import machine as said_machine
from _tables import ratio, table

from sistel.pose import CODES, ORDERS, Parameters, ParameterSet, angle_between

SETS = Parameters.standard()
EXACT = 4e-15
"""How far a rotation may be from itself after a round trip [rad]; of SciPy's ways too."""
PAGES = {"en": ROOT / "docs" / "benchmarks.md", "ru": ROOT / "docs" / "ru" / "benchmarks.md"}
HEADS = {
    "en": ("set", "read, 10⁶/s", "of SciPy's speed", "written, 10⁶/s", "of SciPy's speed", "from unit ones"),
    "ru": ("набор", "чтение, 10⁶/с", "от скорости SciPy", "запись, 10⁶/с", "от скорости SciPy", "из единичных"),
}
BLOCK = re.compile(r"(<!-- poses -->\n).*?(<!-- end -->)", re.DOTALL)

Array = Any
Pair = tuple[Callable[[Array], Any], Callable[[Any], Array]]


def scipy_pairs() -> dict[str, Pair]:
    """SciPy's ways to make a Rotation and to write it, by the names of our sets; none where SciPy is missing."""
    try:
        from scipy.spatial.transform import Rotation
    except ImportError:
        print('without SciPy there is nothing to compare with; it comes with: .venv/bin/pip install "scipy>=1.11"\n')
        return {}
    pairs: dict[str, Pair] = {
        "quaternion": (Rotation.from_quat, Rotation.as_quat),
        "rotation-vector": (Rotation.from_rotvec, Rotation.as_rotvec),
        "modified-rodrigues": (Rotation.from_mrp, Rotation.as_mrp),
        "matrix": (lambda nine: Rotation.from_matrix(nine.reshape(-1, 3, 3)), Rotation.as_matrix),
    }
    for order in ORDERS:
        pairs[order] = (
            lambda angles, order=order: Rotation.from_euler(order.upper(), angles),
            lambda rotation, order=order: rotation.as_euler(order.upper()),
        )
    return pairs


def last(q: Array) -> Array:
    """Quaternions with their real part last."""
    return np.ascontiguousarray(np.roll(q, -1, axis=-1))


def rotations(rows: int) -> Array:
    """Uniformly distributed."""
    q = np.random.default_rng(1).normal(size=(rows, 4))
    return SETS.convert_rotation(q, "quaternion", "quaternion")


def rotation_cases(each: ParameterSet, q: Array) -> Iterable[tuple[str, Case]]:
    """To and from unit quaternions."""
    if each.name == "axial":
        codes = np.random.default_rng(2).choice(CODES, size=(len(q), 1)).astype(float)
        q = SETS.convert_rotation(codes, "axial", "quaternion")
    values = SETS.convert_rotation(q, "quaternion", each.name)
    assert angle_between(q, SETS.convert_rotation(values, each.name, "quaternion")).max() < EXACT, each.name
    yield f"{each.name}, read", lambda: SETS.convert_rotation(values, each.name, "quaternion")
    yield f"{each.name}, written", lambda: SETS.convert_rotation(q, "quaternion", each.name)
    yield f"{each.name}, unit", lambda: each.write(q)


def scipy_cases(each: ParameterSet, pair: Pair, q: Array) -> Iterable[tuple[str, Case]]:
    """The same with SciPy, where it has the set."""
    make, write = pair
    make_quaternion, write_quaternion = scipy_pairs()["quaternion"]
    four = last(q)
    values = four if each.name == "quaternion" else SETS.convert_rotation(q, "quaternion", each.name)
    kept = make_quaternion(four)
    assert angle_between(q, np.roll(write_quaternion(make(values)), 1, axis=-1)).max() < EXACT, each.name
    theirs = write(kept).reshape(len(q), -1)
    theirs = np.roll(theirs, 1, axis=-1) if each.name == "quaternion" else theirs
    assert angle_between(q, SETS.convert_rotation(theirs, each.name, "quaternion")).max() < EXACT, each.name
    yield f"{each.name}, read, SciPy", lambda: write_quaternion(make(values))
    yield f"{each.name}, written, SciPy", lambda: write(make_quaternion(four))
    yield f"{each.name}, unit, SciPy", lambda: write(kept)


def position_cases(each: ParameterSet, rows: int) -> Iterable[tuple[str, Case]]:
    """To and from Cartesian coordinates, within reach of the arm."""
    p = np.random.default_rng(3).uniform(-1.0, 1.0, size=(rows, 3))
    if each.name == "polar":
        p[:, 2] = 0.0
    values = SETS.convert_position(p, "cartesian", each.name)
    assert np.abs(SETS.convert_position(values, each.name, "cartesian") - p).max() < EXACT, each.name
    yield f"{each.name}, read", lambda: SETS.convert_position(values, each.name, "cartesian")
    yield f"{each.name}, written", lambda: SETS.convert_position(p, "cartesian", each.name)


def lines(seconds: dict[str, float], rows: int) -> list[list[str]]:
    """Of the table: speeds, and how many times faster than SciPy."""

    def speed(case: str) -> str:
        return f"{rows / seconds[case] / 1e6:.3g}"

    def gain(case: str) -> str:
        theirs = seconds.get(f"{case}, SciPy")
        return "–" if theirs is None else f"**{ratio(theirs / seconds[case])}**"

    return [
        [
            f"`{name}`",
            speed(f"{name}, read"),
            gain(f"{name}, read"),
            speed(f"{name}, written"),
            gain(f"{name}, written"),
            gain(f"{name}, unit"),
        ]
        for name in (each.name for each in (*SETS.rotations, *SETS.positions))
    ]


def main() -> None:
    found = parser(__doc__, rounds=30)
    found.add_argument("--rows", type=int, default=100_000, help="of a batch (100000)")
    found.add_argument("--write", action="store_true", help="write the table of docs/")
    arguments = found.parse_args()
    rows = arguments.rows
    q, pairs, cases = rotations(rows), scipy_pairs(), dict[str, Case]()
    for each in SETS.rotations:
        cases.update(rotation_cases(each, q))
        if each.name in pairs:
            cases.update(scipy_cases(each, pairs[each.name], q))
    for each in SETS.positions:
        cases.update(position_cases(each, rows))
    timings = measure(cases, rounds=arguments.rounds, calls=1)
    report("poses", timings, arguments.json, {"rows": rows})
    seconds = {timing.name: timing.minimum for timing in timings}
    print()
    print(table([*HEADS["en"]], lines(seconds, rows)))
    if arguments.write:
        for lang, page in PAGES.items():
            where = said_machine({"machine": machine()}, lang)
            text = f"{where}\n\n{table([*HEADS[lang]], lines(seconds, rows))}"
            old = page.read_text(encoding="utf-8")
            page.write_text(BLOCK.sub(lambda match, text=text: f"{match[1]}\n{text}\n\n{match[2]}", old), "utf-8")
    wanted = [case for case in seconds if case.endswith((", read", ", written"))]
    slow = [case for case in wanted if rows / seconds[case] < 1e6]
    behind = [case for case in wanted if seconds.get(f"{case}, SciPy", np.inf) < seconds[case]]
    beside = ", ".join(behind) or "none" if pairs else "not compared"
    print(f"\nbelow a million a second: {', '.join(slow) or 'none'}; slower than SciPy: {beside}")


if __name__ == "__main__":
    main()
