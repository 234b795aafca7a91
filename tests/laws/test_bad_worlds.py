"""Worlds that make no sense are refused with what is wrong, in both languages; what merely touches is none of them."""

from __future__ import annotations

import pytest

import sistel

PLANE = """<system name="s"><world>{obstacle}</world><body name="b" joint="free" place="{place}" mass="1" inertia="0.01">
    {shape}</body><links><contact name="k" of="c" to="o" friction="0.3"/></links></system>"""
SPACE = """<system name="s" space="spatial"><world>{obstacle}</world><body name="b" joint="free" place="{place}" mass="1"
    inertia="0.01, 0.01, 0.01">{shape}</body><links><contact name="k" of="c" {on} friction="0.3"/></links></system>"""
FLOOR = '<box name="o" size="2000, 100" place="0, 50"/>'
SLAB = '<box name="o" size="2000, 2000, 100" place="0, 0, -50"/>'
BOX, BALL, DISK = '<box name="c" size="100, 100"/>', '<sphere name="c" radius="50"/>', '<circle name="c" radius="50"/>'


def plane(shape: str, place: str = "0, -100", obstacle: str = FLOOR) -> str:
    return PLANE.format(shape=shape, place=place, obstacle=obstacle)


def space(shape: str, place: str = "0, 0, 100", obstacle: str = SLAB, on: str = 'to="o"') -> str:
    return SPACE.format(shape=shape, place=place, obstacle=obstacle, on=on)


LOOP = '<polyline name="o" points="-500,0; 500,0; 0,-300; 0,300"/>'
LONG = f'<polyline name="o" points="{"; ".join(f"{i},0" for i in range(1200))}"/>'
CURVED = 'surface="z = 0.2*x^2/(1 m)"'


@pytest.mark.parametrize(
    ("text", "code", "en", "ru"),
    [
        (plane(BOX, "0, 50"), "overlap", "by 0.1 m", "на 0.1 м"),  # its sides are those of the floor
        (plane(BOX, "1 m, 50"), "overlap", "by 0.05 m", "на 0.05 м"),  # half of it
        (plane('<box name="c" size="100, 60"/>', "0, 50"), "overlap", "overlap at the start", "в начале перекрываются"),
        (
            plane('<box name="c" size="3000, 50"/>', "0, 50"),
            "overlap",
            "overlap at the start",
            "в начале перекрываются",
        ),
        (plane(DISK, "0, 0", '<circle name="o" radius="500"/>'), "overlap", "by 0.55 m", "на 0.55 м"),
        (plane('<polygon name="c" points="0,0; 99,0; 50,0"/>'), "no-area", "on one line", "на прямой"),
        (plane('<polygon name="c" points="0,0; 9,9; 9,0; 0,9"/>'), "not-convex", "cross each other", "пересекаются"),
        (plane('<polygon name="c" points="0,0; 9,0; 9,9; 5,2; 0,9"/>'), "not-convex", "edges 3–4 and 4–5", "3–4 и 4–5"),
        (plane('<polygon name="c" points="0,0; 9,0"/>'), "few-corners", "2 corners", "углов 2"),
        (plane('<polygon name="c" points="0,0; 0,0; 9,0; 0,9"/>'), "same-corner", "points 1 and 2", "точки 1 и 2"),
        (plane(BOX, "-300, -700", LOOP), "crosses-itself", "the sides 1–2 and 3–4", "звеньями 1–2 и 3–4"),
        (plane(BOX, "-300, -700", LONG), "wrong-count", "2400 numbers", "чисел: 2400"),
        (plane('<circle name="c" radius="0"/>'), "no-size", "has a size", "есть размер"),
        (plane('<circle name="c" radius="-5"/>'), "negative", "is negative", "отрицательно"),
        (plane('<box name="c" size="0, 5"/>'), "no-size", "has a size", "есть размер"),
        (space(BALL, "0, 0, -50"), "overlap", "by 0.1 m", "на 0.1 м"),
        (space(BALL, "0, 0, 0", '<sphere name="o" radius="500"/>'), "overlap", "by 0.55 m", "на 0.55 м"),
        (space('<capsule name="c" radius="0" length="9"/>'), "no-size", "has a size", "есть размер"),
        (space('<wheel name="c" radius="0"/>', on=CURVED), "no-radius", "has a radius", "есть радиус"),
        (space('<wheel name="c" radius="50" axis="z"/>', on=CURVED), "wheel-lies", "lies flat", "лежит плашмя"),
        (space('<wheel name="c" radius="50" axis="y"/>', "0, 0, -100", on=CURVED), "inside", "0.15 m", "0.15 м"),
        (space('<box name="c" size="20, 30, 40"/>', "0, 0, -100", on=CURVED), "inside", "0.12 m", "0.12 м"),
    ],
)
def test_refused(text: str, code: str, en: str, ru: str) -> None:
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(text).simulate(0.1)
    found = caught.value.diagnostics[0]
    assert (found.code, en in found.message.en, ru in found.message.ru) == (code, True, True)
    assert found.span is not None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (plane('<circle name="c" radius="nan"/>'), "unknown-name"),
        (plane('<circle name="c" radius="1/0"/>'), "no-value"),
        (plane('<circle name="c" radius="1e999"/>'), "number-too-large"),
        (plane('<circle name="c"/>'), "missing-attribute"),
        (plane('<box name="c" size="nan, 5"/>'), "unknown-name"),
        (plane('<box name="c" size="-5, 5"/>'), "negative"),
        (plane('<box name="c" size="5"/>'), "wrong-count"),
        (plane('<polygon name="c" points="5,5; nan,6; 7,7"/>'), "unknown-name"),
        (plane('<polygon name="c" points="5,5; 6; 7,7"/>'), "wrong-count"),
        (plane('<polygon name="c" points=""/>'), "empty-value"),
        (space('<sphere name="c" radius="nan"/>'), "unknown-name"),
        (space('<capsule name="c" radius="5" length="-9"/>'), "negative"),
    ],
)
def test_a_size_that_is_no_number_is_said_once(text: str, code: str) -> None:
    """Not a second time as a shape that has no size."""
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(text)
    (found,) = caught.value.diagnostics
    assert found.code == code and found.span is not None
    assert found.message.en and found.message.ru != found.message.en


@pytest.mark.parametrize(
    "text",
    [
        plane(BOX, "0, -50"),
        plane(DISK, "0, -50"),
        space(BALL, "0, 0, 50"),
        space('<wheel name="c" radius="50" axis="y"/>', "0, 0, 50", on=CURVED),
    ],
)
def test_what_touches_at_the_start_rests(text: str) -> None:
    run = sistel.parse(text).simulate(0.5)
    assert not run.events
    assert abs(run.v[-1]).max() < 1e-14
