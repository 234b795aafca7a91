"""Vectors in schemes: blocks with several outputs against NumPy, names of components, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.markup import write_document
from sistel.model import to_document

BODY = '<body name="p" joint="prismatic" mass="1" com="0,0"/>'
AT = 0.31
"""Between the tick at 0.3 s and the next [s]."""
A = np.array([math.sin(1.5), 2.0, 3.0])
B = np.array([1.0, -2.0, 0.3])
SIGNALS = """
  <signal name="s" value="sin(5*t)"/>
  <block name="a" kind="vector" in="s, 2, 3"/>
  <block name="b" kind="vector" in="1, -2, t/1 s" parts="x, y, z"/>
  <block name="length" kind="vector" in="30 mm, 40 mm" parts="x, y"/>
"""


def system(blocks: str, period: str = 'period="100 ms"') -> sistel.System:
    return sistel.parse(
        f'<system><gravity value="0"/>{BODY}<scheme name="c" {period}>{SIGNALS}{blocks}</scheme></system>'
    )


def turned(p: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    """Rodrigues' formula: another way than that of the block."""
    return p * math.cos(angle) + np.cross(axis, p) * math.sin(angle) + axis * (axis @ p) * (1 - math.cos(angle))


def test_blocks_of_vectors_meet_numpy() -> None:
    matrix = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 4.0]])
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    half = 0.7
    quaternion = ", ".join(repr(float(each)) for each in (math.cos(half), *(math.sin(half) * axis)))
    found = system(f"""
      <block name="dot" kind="dot" in="a, b"/>
      <block name="cross" kind="cross" in="a, b"/>
      <block name="flat" kind="cross" in="a.1, a.2, b.x, b.y"/>
      <block name="unit" kind="unit" in="a"/>
      <block name="nothing" kind="unit" in="0, 0"/>
      <block name="norm" kind="hypot" in="a, b"/>
      <block name="least" kind="min" in="a, b"/>
      <block name="all" kind="sum" in="a, b"/>
      <block name="matrix" kind="matrix" values="1, 2, 3; 0.5, -1, 4" in="a" parts="u, w"/>
      <block name="turned" kind="rotate" in="a" by="{quaternion}"/>
      <block name="chosen" kind="index" in="a, b" at="s + 3.1"/>
      <block name="first" kind="index" in="b" at="-7"/>
      <block name="last" kind="index" in="b" at="9"/>
    """).simulate(0.4)

    def value(name: str) -> float:
        return float(found.quantity(name, [AT])[0])

    expected = {
        "dot": A @ B,
        **dict(zip(("cross.x", "cross.y", "cross.z"), np.cross(A, B), strict=True)),
        "flat": A[0] * B[1] - A[1] * B[0],
        **{f"unit.{i + 1}": A[i] / np.linalg.norm(A) for i in range(3)},
        "nothing.1": 0.0,
        "norm": np.linalg.norm([*A, *B]),
        "least": -2.0,
        "all": A.sum() + B.sum(),
        **dict(zip(("matrix.u", "matrix.w"), matrix @ A, strict=True)),
        **dict(zip(("turned.x", "turned.y", "turned.z"), turned(A, axis, 2 * half), strict=True)),
        "chosen": B[0],
        "first": B[0],
        "last": B[2],
    }
    assert {name: value(name) for name in expected} == pytest.approx(expected, abs=1e-14)


def test_components_keep_their_units() -> None:
    run = system('<block name="area" kind="cross" in="length, 1 m, 2 m"/><block name="e" kind="unit" in="length"/>')
    assert run.model.signal("area").dimension.length == 2
    assert run.model.signal("e.y").dimension.plain
    assert float(run.simulate(0.1).quantity("e.y", [0.05])[0]) == pytest.approx(0.8, abs=1e-15)


def test_an_output_needs_only_what_it_is_made_of() -> None:
    """The second component needs the first of the same block: no loop of signals."""
    run = system('<block name="v" kind="vector" in="s, 2*v.1, v.2 + v.1"/>').simulate(0.4)
    assert run.quantity("v.3", [AT])[0] == pytest.approx(3 * A[0], abs=1e-15)


def test_a_vector_flows_too() -> None:
    run = system('<block name="v" kind="cross" in="a, b"/>', "").simulate(0.4)
    assert run.quantity("v.z", [0.3])[0] == pytest.approx(np.cross(A, B)[2], abs=1e-14)


def test_many_inputs() -> None:
    """Sums and the like of hundreds: trees stay low."""
    names = ", ".join(f"{i} + s" for i in range(300))
    found = system(f"""<block name="v" kind="vector" in="{names}"/><block name="sum" kind="sum" in="v"/>
      <block name="max" kind="max" in="v"/><block name="norm" kind="hypot" in="v"/>""").simulate(0.4)
    values = np.arange(300) + A[0]
    made = [float(found.quantity(name, [AT])[0]) for name in ("sum", "max", "norm")]
    assert made == pytest.approx([values.sum(), values.max(), np.linalg.norm(values)], rel=1e-14)


def test_round_trip_keeps_vectors() -> None:
    made = system('<block name="c" kind="cross" in="a, b" parts="u, v, w"/><signal name="e" value="c.w + a.1"/>')
    text = write_document(to_document(made.model), "ru")
    assert 'составляющие="u, v, w"' in text and 'вход="a, b"' in text
    assert sistel.parse(text).fingerprint == made.fingerprint


@pytest.mark.parametrize(
    ("written", "message", "at"),
    [
        ('<signal name="e" value="a + 1"/>', '"a" is a vector', "a + 1"),
        ('<signal name="e" value="b.w"/>', 'has no component "w"', 'w"/>'),
        ('<signal name="e" value="s.5"/>', "only a reaction or a vector", '5"/>'),
        ('<block name="e" kind="cross" in="a"/>', "another number of values", 'a"/>'),
        ('<block name="e" kind="dot" in="a"/>', "another number of values", 'a"/>'),
        ('<block name="e" kind="gain" in="a" gain="2"/>', "another number of values", 'a" gain'),
        ('<block name="e" kind="vector" in="a" parts="x, x, y"/>', "another number of values", "x, x, y"),
        ('<block name="e" kind="rotate" in="a" by="1, 0"/>', "another number of values", "1, 0"),
        ('<block name="e" kind="matrix" values="1, 2" in="a"/>', "another number of values", "1, 2"),
        ('<block name="e" kind="unit" in="f"/><block name="f" kind="unit" in="e"/>', "sizes of these vectors", 'e"'),
        ('<block name="e" kind="dot" in="length, 1 m, 1"/>', "cannot be added to", "<block"),
        ('<block name="v" kind="vector" in="v.2, v.1"/>', "need each other at one instant: v.1 → v.2 → v.1", 'v"'),
    ],
)
def test_what_is_refused_and_where(written: str, message: str, at: str) -> None:
    with pytest.raises(sistel.SistelError) as raised:
        system(written)
    first = raised.value.diagnostics[0]
    assert message in first.message.en
    assert first.span.source.text[first.span.start :].startswith(at)


def test_a_run_says_that_a_vector_has_components() -> None:
    run = system("").simulate(0.1)
    with pytest.raises(sistel.SistelError, match='"a" is a vector'):
        run.quantity("a", [0.0])


def test_a_long_chain_that_is_written_backwards() -> None:
    blocks = [f'<block name="s{i + 1}" kind="gain" in="s{i}" gain="1.01"/>' for i in range(600)]
    made = system('<signal name="s0" value="s"/>' + "".join(reversed(blocks)))
    names = [signal.name for signal in made.model.schemes[0].signals]
    assert [name for name in names if name[0] == "s" and name != "s"] == [f"s{i}" for i in range(601)]
