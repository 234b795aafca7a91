"""Fuzzy blocks: rules in words against plain NumPy, centroids against fine grids, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

import sistel
from sistel.markup import write_document
from sistel.model import to_document
from sistel.model.blocks import centroid_of

BODY = '<body name="p" joint="prismatic" mass="1" com="0,0"/>'
TICKS = 20
AT = [0.1 * k + 0.05 for k in range(TICKS)]
X = np.array([math.sin(0.5 * k) for k in range(TICKS)])
R = 0.3 * X + 0.1
INPUTS = """
  <variable name="e" value="x">
    <term name="neg" points="-1, -1, -0.5, 0"/><term name="zero" points="-0.5, 0, 0.5"/><term name="pos" points="0, 0.5, 0.8, 0.8"/>
  </variable>
  <variable name="r" value="0.3*x + 0.1"><term name="small" centre="0" width="0.2"/><term name="big" points="0.1, 0.5, 0.5"/></variable>
"""
RULES = """
  <rule when="e is neg and r is small" then="u is left"/>
  <rule when="e is zero or r is not big" then="u is still"/>
  <rule when="not e is neg and (r is big or r is small)" then="u is far right" weight="0.8"/>
"""
VALUES = '<variable name="u"><term name="left" value="-2 N"/><term name="still" value="x*1 N"/><term name="far right" value="3 N"/></variable>'
SHAPES = """<variable name="u"><term name="left" points="-3 N, -2 N, -1 N"/><term name="still" points="-1.5 N, 0 N, 1.5 N"/>
  <term name="far right" points="0 N, 2 N, 3 N, 3 N"/></variable>"""


def system(kind: str, inside: str, period: str = 'period="100 ms"') -> sistel.System:
    return sistel.parse(
        f'<system><gravity value="0"/>{BODY}<scheme name="c" {period}><signal name="x" value="sin(5*t)"/>'
        f'<block name="u" kind="{kind}">{inside}</block></scheme></system>'
    )


def degrees() -> dict[str, np.ndarray]:
    return {
        "neg": np.clip(-X / 0.5, 0, 1),
        "zero": np.clip(np.minimum((X + 0.5) / 0.5, (0.5 - X) / 0.5), 0, 1),
        "pos": np.clip(X / 0.5, 0, 1),
        "small": np.exp(-0.5 * (R / 0.2) ** 2),
        "big": np.clip((R - 0.1) / 0.4, 0, 1),
    }


def test_sugeno_is_the_weighted_mean() -> None:
    d = degrees()
    weights = [
        d["neg"] * d["small"],
        np.maximum(d["zero"], 1 - d["big"]),
        0.8 * (1 - d["neg"]) * np.maximum(d["big"], d["small"]),
    ]
    expected = (-2 * weights[0] + X * weights[1] + 3 * weights[2]) / sum(weights)
    for period in ('period="100 ms"', ""):
        run = system("sugeno", INPUTS + VALUES + RULES, period).simulate(2.0)
        found = run.quantity("u", AT if period else [0.1 * k for k in range(TICKS)])
        assert found == pytest.approx(expected, abs=1e-13)


def cut(terms: Sequence[Sequence[float]], heights: Sequence[float], count: int = 400_001) -> float:
    """The centroid on a fine grid: its error falls with the square of the distance of two points."""
    low, high = min(term[0] for term in terms), max(term[-1] for term in terms)
    y = np.linspace(low, high, count)
    greatest = np.zeros(count)
    for term, height in zip(terms, heights, strict=True):
        a, b, c, d = (*term[:2], *term[-2:]) if len(term) == 4 else (term[0], term[1], term[1], term[2])
        rise = np.where(y >= b, 1.0, (y - a) / (b - a) if b > a else 0.0)
        fall = np.where(y <= c, 1.0, (d - y) / (d - c) if d > c else 0.0)
        shape = np.clip(np.minimum(rise, fall), 0, 1) * (y >= a) * (y <= d)
        greatest = np.maximum(greatest, np.minimum(shape, height))
    return float(np.trapezoid(y * greatest, y) / np.trapezoid(greatest, y))


def test_mamdani_is_the_centroid() -> None:
    d = degrees()
    heights = [
        np.minimum(d["neg"], d["small"]),
        np.maximum(d["zero"], 1 - d["big"]),
        0.8 * np.minimum(1 - d["neg"], np.maximum(d["big"], d["small"])),
    ]
    terms = [(-3.0, -2.0, -1.0), (-1.5, 0.0, 1.5), (0.0, 2.0, 3.0, 3.0)]
    run = system("mamdani", INPUTS + SHAPES + RULES).simulate(2.0)
    expected = [cut(terms, [each[k] for each in heights]) for k in range(TICKS)]
    # The grid is at 1.5e-5 of a newton: half of that where a term ends upright.
    assert run.quantity("u", AT) == pytest.approx(expected, abs=1e-5)


def test_centroids_are_exact() -> None:
    """A trapezoid that is cut, by its formula; and many terms that cross, on finer and finer grids."""
    routine = centroid_of([(0.0, 1.0, 1.0, 4.0)], 0.0)
    for h in (1.0, 0.6, 0.01):
        rise, top, fall = h * 1.0, (4.0 - 3 * h) - h, 3 * h
        areas = np.array([h * rise / 2, h * top, h * fall / 2])
        places = np.array([2 * rise / 3, rise + top / 2, 4.0 - 2 * fall / 3])
        expected = areas @ places / areas.sum()
        assert routine.compute([h])[:2] == pytest.approx([expected, areas.sum()], abs=1e-15)
    rng = np.random.default_rng(2)
    for _ in range(20):
        terms = [tuple(np.sort(rng.uniform(-2, 2, size=4)).tolist()) for _ in range(6)]
        heights = rng.uniform(0, 1, size=6).tolist()
        found = centroid_of(terms, 0.0).compute(heights)[0]
        coarse, fine = (cut(terms, heights, n) for n in (20_001, 400_001))
        assert abs(found - fine) < 1e-8 and abs(found - fine) <= abs(found - coarse) + 1e-12
    assert centroid_of(terms, 7.0).compute([0.0] * 6)[0] == 7.0


def test_terms_that_are_cut_at_one_height() -> None:
    """Where two of them meet level, the one that stays level counts on."""
    terms = [(-1.0, -0.5, -0.5, 0.0), (-0.5, 0.0, 0.0, 0.5), (0.5, 1.0, 1.0, 1.5), (-1.5, -1.0, -1.0, -0.5)]
    for heights in ([0.3192935, 0.3192935, 0.6807065, 0.0], [0.107345, 0.0, 0.8926549, 0.107345], [1.0, 1.0, 1.0, 1.0]):
        found = centroid_of(terms, 0.0).compute(heights)[0]
        assert found == pytest.approx(cut([each[:2] + each[2:] for each in terms], heights), abs=1e-9)
    rng = np.random.default_rng(3)
    for _ in range(50):
        some = [tuple(np.sort(rng.integers(-4, 5, size=4)).astype(float).tolist()) for _ in range(6)]
        heights = (rng.integers(1, 4, size=6) / 3).tolist()
        made = centroid_of(some, 0.0).compute(heights)
        if made[1] > 0.5:
            assert made[0] == pytest.approx(
                cut(some, heights), abs=2e-5
            )  # the grid's own error where a term ends upright


def table(count: int) -> str:
    """Terms that overlap by half, of two variables, and a full table of rules."""
    terms = "".join(
        f'<term name="t{i}" points="{(i - 1) / (count - 1) * 2 - 1}, {i / (count - 1) * 2 - 1}, {(i + 1) / (count - 1) * 2 - 1}"/>'
        for i in range(count)
    )
    outputs = "".join(f'<term name="z{i}" value="{i / 7}"/>' for i in range(count))
    cells = "; ".join(", ".join(f"z{(i * j) % count}" for j in range(count)) for i in range(count))
    return (
        f'<variable name="a" value="x">{terms}</variable><variable name="b" value="x^2 - 0.5">{terms}</variable>'
        f'<variable name="u">{outputs}</variable><rules of="a, b" for="u" terms="{cells}"/>'
    )


def test_a_table_of_49_rules_is_bilinear() -> None:
    """Triangles that sum to 1: the block interpolates its table, as SciPy does."""
    from scipy.interpolate import RegularGridInterpolator

    run = system("sugeno", table(7)).simulate(2.0)
    grid = np.linspace(-1, 1, 7)
    values = np.array([[((i * j) % 7) / 7 for j in range(7)] for i in range(7)])
    expected = RegularGridInterpolator((grid, grid), values)(np.stack([X, X**2 - 0.5], axis=1))
    assert run.quantity("u", AT) == pytest.approx(expected, abs=1e-14)


def test_several_outputs_are_a_vector() -> None:
    two = VALUES.replace('name="u"', 'name="w"') + VALUES + RULES + '<rule when="e is pos" then="w is left"/>'
    run = system("sugeno", INPUTS + two).simulate(0.5)
    assert run.quantity("u.w", [0.15])[0] == -2.0 and run.quantity("u.u", [0.15])[0] != -2.0
    assert run.quantity("u.w", [0.05])[0] == 0.0  # no rule holds


@pytest.mark.parametrize(("kind", "output"), [("sugeno", VALUES), ("mamdani", SHAPES)])
def test_round_trip_and_russian_words(kind: str, output: str) -> None:
    made = system(kind, INPUTS + output + RULES)
    text = write_document(to_document(made.model), "ru")
    assert sistel.parse(text).fingerprint == made.fingerprint
    said = text.replace("e is neg and r is small", "e это neg и r есть small").replace("not e is", "не e это")
    assert sistel.parse(said).fingerprint == made.fingerprint


WHOLE = INPUTS + VALUES + RULES


@pytest.mark.parametrize(
    ("was", "written", "message", "at"),
    [
        ("e is neg and", "e is nega and", 'no "nega" here', "e is nega"),
        ("e is neg and", "f is neg and", 'no "f" here', "f is neg"),
        ("e is zero or", "e zero or", "cannot be read", "e zero or"),
        ("(r is big or r is small)", "(r is big", "cannot be read", "not e is"),
        ("u is left", "u left", "cannot be read", "u left"),
        ("u is left", "u is right", 'no "right" here', "u is right"),
        ('points="-0.5, 0, 0.5"', 'points="0.5, 0, 1"', "make no shape", "0.5, 0, 1"),
        ('points="-0.5, 0, 0.5"', 'points="x, 0, 1"', "no parameter", "x, 0, 1"),
        ('points="-0.5, 0, 0.5"', 'value="3"', "no shape that fits", "<term"),
        ('name="r" value="0.3*x + 0.1"', 'name="e" value="x"', "there already", 'e" value'),
        (RULES, "", "needs an output and rules", "<block"),
        (RULES, '<rules of="e, r" for="u" terms="left, still"/>', "2 terms where 6 are needed", "left, still"),
    ],
)
def test_what_is_refused_and_where(was: str, written: str, message: str, at: str) -> None:
    with pytest.raises(sistel.SistelError) as raised:
        system("sugeno", WHOLE.replace(was, written))
    told = next(each for each in raised.value.diagnostics if message in each.message.en)
    assert told.span.source.text[told.span.start :].startswith(at)


def test_other_blocks_have_nothing_inside() -> None:
    with pytest.raises(sistel.SistelError, match="has nothing inside"):
        sistel.parse(
            f'<system>{BODY}<scheme name="c"><block name="y" kind="sum" in="1, 2">{VALUES}</block></scheme></system>'
        )
