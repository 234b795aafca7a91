"""Blocks of schemes: each against its law in plain Python, tick by tick; and what a program is asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

import sistel
from sistel.markup import write_document
from sistel.model import asking, to_document
from sistel.model.blocks import BLOCKS

PERIOD = 0.1
TICKS = 12
BODY = '<body name="p" joint="prismatic" mass="1" com="0,0"/>'
Law = Callable[[Sequence[float]], float]
"""What a block gives, from its input at all ticks so far."""


def x(t: float) -> float:
    return math.sin(5.0 * t) + 0.3 * t


def system(block: str, period: str = 'period="100 ms"') -> sistel.System:
    signal = '<signal name="x" value="sin(5*t) + 0.3*t/1 s"/><signal name="up" value="x gt 0.2"/>'
    return sistel.parse(
        f'<system><gravity value="0"/>{BODY}<scheme name="s" {period}>{signal}{block}</scheme></system>'
    )


def given(block: str) -> list[float]:
    """The output of a block named y after every tick."""
    run = system(block).simulate(PERIOD * (TICKS - 1) + 0.05)
    return [float(value) for value in run.quantity("y", [PERIOD * (k + 0.3) for k in range(TICKS)])]


def integral(u: Sequence[float]) -> float:
    return PERIOD * sum(u[:-1])


def lagged(u: Sequence[float]) -> float:
    y = 0.0
    for each in u[:-1]:
        y = each + (y - each) * math.exp(-PERIOD / 0.3)
    return y


def limited(u: Sequence[float]) -> float:
    y = 0.0
    for each in u:
        y += min(max(each - y, -2 * PERIOD), 2 * PERIOD)
    return y


def switched(u: Sequence[float]) -> float:
    on = 0.0
    for each in u:
        on = 1.0 if each >= 0.6 else 0.0 if each <= -0.2 else on
    return on


def clamped(u: Sequence[float]) -> float:
    total, out = 0.0, 0.0
    for k, each in enumerate(u):
        slope = (each - u[k - 1]) / PERIOD if k else 0.0
        raw = 2 * each + 0.1 * slope + total
        out = min(max(raw, -1.5), 1.5)
        grows = 3 * each
        total += 0.0 if (raw > 1.5 and grows > 0) or (raw < -1.5 and grows < 0) else grows * PERIOD
    return out


def counted(u: Sequence[float]) -> float:
    return float(sum(b > 0.2 and (k == 0 or u[k - 1] <= 0.2) for k, b in enumerate(u)))


def held_for(u: Sequence[float]) -> float:
    if u[-1] <= 0.2:
        return 0.0
    length = 0
    while length < len(u) and u[-1 - length] > 0.2:
        length += 1
    return PERIOD * (length - 1)


def sampled(u: Sequence[float]) -> float:
    return next((each for each in reversed(u) if each > 0.2), 0.0)


def at(points: Sequence[float], values: Sequence[float], u: float) -> float:
    if u <= points[0]:
        return values[0]
    for (a, b), (c, d) in zip(pairwise(points), pairwise(values), strict=True):
        if u <= b:
            return c + (d - c) * (u - a) / (b - a)
    return values[-1]


LAWS: dict[str, tuple[str, Law]] = {
    "sum": ('in="x, 2*x, 1"', lambda u: 3 * u[-1] + 1),
    "product": ('in="x, x"', lambda u: u[-1] ** 2),
    "gain": ('in="x" gain="3"', lambda u: 3 * u[-1]),
    "min": ('in="x, 0.5"', lambda u: min(u[-1], 0.5)),
    "max": ('in="x, 0.5"', lambda u: max(u[-1], 0.5)),
    "hypot": ('in="x, 2"', lambda u: math.hypot(u[-1], 2)),
    "saturation": ('in="x" low="-0.5" high="0.7"', lambda u: min(max(u[-1], -0.5), 0.7)),
    "dead-zone": ('in="x" band="0.3"', lambda u: math.copysign(max(abs(u[-1]) - 0.3, 0.0), u[-1])),
    "table": ('in="x" points="-1, 0, 1" values="2, 0, 5"', lambda u: at((-1, 0, 1), (2, 0, 5), u[-1])),
    "and": ('in="up, x lt 0.8"', lambda u: float(0.2 < u[-1] < 0.8)),
    "or": ('in="up, x lt -0.8"', lambda u: float(u[-1] > 0.2 or u[-1] < -0.8)),
    "not": ('in="up"', lambda u: float(u[-1] <= 0.2)),
    "xor": ('in="up, x gt 0.8"', lambda u: float(0.2 < u[-1] <= 0.8)),
    "switch": ('when="up" in="x, 7"', lambda u: u[-1] if u[-1] > 0.2 else 7.0),
    "hysteresis": ('in="x" low="-0.2" high="0.6"', switched),
    "relay": ('in="x" low="-0.2" high="0.6" on="4" off="-4"', lambda u: 8 * switched(u) - 4),
    "trigger": ('set="x gt 0.6" reset="x lt -0.2"', switched),
    "sample": ('in="x" when="up"', sampled),
    "edge": ('in="up"', lambda u: float(u[-1] > 0.2 and (len(u) == 1 or u[-2] <= 0.2))),
    "counter": ('in="up"', counted),
    "timer": ('in="up"', held_for),
    "integrator": ('in="x"', integral),
    "derivative": ('in="x"', lambda u: (u[-1] - u[-2]) / PERIOD if len(u) > 1 else 0.0),
    "lag": ('in="x" time="0.3 s"', lagged),
    "delay": ('in="x" ticks="3"', lambda u: u[-4] if len(u) > 3 else 0.0),
    "rate-limiter": ('in="x" rate="2 1/s"', limited),
    "mean": ('in="x" ticks="3"', lambda u: sum([*([0.0] * 2), *u][-3:]) / 3),
    "p": ('in="x" kp="2" limit="1.5"', lambda u: min(max(2 * u[-1], -1.5), 1.5)),
    "pd": ('in="x" kp="2" kd="0.1 s"', lambda u: 2 * u[-1] + (0.1 * (u[-1] - u[-2]) / PERIOD if len(u) > 1 else 0.0)),
    "pi": ('in="x" kp="2" ki="3 1/s"', lambda u: 2 * u[-1] + 3 * integral(u)),
    "pid": ('in="x" kp="2" ki="3 1/s" kd="0.1 s" limit="1.5"', clamped),
}
LINEAR = {"transfer-function", "second-order", "notch", "state-space", "kalman", "complementary"}
"""In `test_linear_blocks.py`."""
FUZZY = {"sugeno", "mamdani"}
"""In `test_fuzzy_blocks.py`."""
CHAINS = {"ik", "waypoints", "computed-torque", "gravity"}
"""In `test_chain_blocks.py`."""
VECTORS = {"vector", "dot", "cross", "unit", "matrix", "rotate", "index"}
"""In `test_vector_blocks.py`."""
DRIVEN = {"drive"}
"""In `unit/drives/test_scheme.py`."""


@pytest.mark.parametrize("kind", LAWS)
def test_law_tick_by_tick(kind: str) -> None:
    attributes, law = LAWS[kind]
    found = given(f'<block name="y" kind="{kind}" {attributes}/>')
    inputs = [x(PERIOD * k) for k in range(TICKS)]
    assert found == pytest.approx([law(inputs[: k + 1]) for k in range(TICKS)], abs=1e-12)


def test_every_block_has_a_law_here() -> None:
    assert set(BLOCKS) == {*LAWS, *LINEAR, *VECTORS, *FUZZY, *CHAINS, *DRIVEN}


def test_flowing_blocks_meet_closed_forms() -> None:
    """A step into a lag, an oscillator and an integrator with a limit, without ticks."""
    run = system(
        '<block name="a" kind="lag" in="1" time="0.5 s"/>'
        '<block name="b" kind="second-order" in="1" time="0.5 s" damping="0"/>'
        '<block name="c" kind="integrator" in="1" gain="2 1/s" limit="1.5"/>',
        "",
    ).simulate(2.0)
    a, b, c = (float(run.quantity(name)[-1]) for name in "abc")
    assert (a, b, c) == pytest.approx((1 - math.exp(-4), 1 - math.cos(4), 1.5), abs=1e-12)


def test_canonical_text_reads_back() -> None:
    """All blocks, inputs, truths and clocks written out and read again make the same system."""
    blocks = "".join(f'<block name="y {kind}" kind="{kind}" {attributes}/>' for kind, (attributes, _) in LAWS.items())
    made = system(
        f'<input name="i" value="0.5 rad" min="0 rad" max="1 rad"/>{blocks}',
        'period="1/30" offset="1 ms" latency="2 ms"',
    )
    again = sistel.parse(write_document(to_document(made.model), "ru"))
    assert again.fingerprint == made.fingerprint


def test_a_program_is_asked_for_what_nothing_commands() -> None:
    body = BODY.replace("/>", '><motor name="m"/></body>')
    model = asking(sistel.parse(f"<system>{body}</system>").model, 0.01, 0.0)
    (scheme,) = model.schemes
    assert [each.name for each in scheme.inputs] == ["asked(m)"]
    assert scheme.clock is not None and (scheme.clock.period, scheme.clock.time(3)) == (0.01, 0.03)
    assert [each.asks for each in model.ticks] == [True]
