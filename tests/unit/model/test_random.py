"""Noise: published vectors of the generator, the same bits in every language, and the statistics of normal numbers."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path

import numpy as np
import pytest

from sistel.expr import Graph, call
from sistel.kernels import compile_program, to_js
from sistel.model.random import high, lower, noise, philox, uniform

# Random123, kat_vectors: philox4x32, 10 rounds.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("counter", "key", "wanted"), KNOWN)
def test_published_vectors(counter: tuple[int, ...], key: tuple[int, ...], wanted: str) -> None:
    words = np.zeros(4)
    philox(*counter, *key, words)
    assert " ".join(f"{int(word):08x}" for word in words) == wanted


def test_products_of_words() -> None:
    rng = np.random.default_rng(0)
    for a, b in rng.integers(0, 2**32, (200, 2)).tolist():
        assert (high(a, b), lower(a, b)) == divmod(a * b, 2**32)


def test_uniform_numbers_are_never_0_or_1() -> None:
    assert 0.0 < uniform(0.0, 0.0) == 2.0**-53
    assert uniform(2.0**32 - 1, 2.0**32 - 1) < 1.0


def test_every_language_has_the_same_numbers(tmp_path: Path) -> None:
    routine = noise("front", 5)
    graph = Graph()
    seed, tick = graph.inputs("given", 2)
    line = graph.program({"made": call(routine, [seed, tick])})
    asked = [[s, t] for s in (0, 7, 2**32 - 1) for t in (0, 1, 1000, 2**40)]
    wanted = np.array([routine.compute(each) for each in asked])
    compiled = np.asarray(compile_program(line)(np.array(asked, float)))
    (tmp_path / "n.mjs").write_text(
        to_js(line, "f") + f"\nconst y=new Float64Array(9);console.log(JSON.stringify({json.dumps(asked)}"
        ".map(x=>{f(x,y);return [...y]})))"
    )
    said = subprocess.run(["node", tmp_path / "n.mjs"], capture_output=True, text=True, check=True).stdout
    for found in (compiled, np.array(json.loads(said))):
        np.testing.assert_array_equal(found[:, 5:], wanted[:, 5:])  # words of the generator
        np.testing.assert_allclose(found[:, :5], wanted[:, :5], rtol=4e-15)  # sin, cos and log of each language


def test_noise_is_normal_and_independent() -> None:
    graph = Graph()
    seed, tick = graph.inputs("given", 2)
    line = graph.program({"made": call(noise("front", 2), [seed, tick])[:2] + call(noise("rear", 1), [seed, tick])[:1]})
    n = 200_000
    made = np.asarray(compile_program(line)(np.stack([np.full(n, 42.0), np.arange(n, dtype=float)], axis=1)))
    one = 1.0 / math.sqrt(n)
    assert np.abs(made.mean(axis=0)).max() < 4 * one
    assert np.abs(made.var(axis=0) - 1.0).max() < 4 * math.sqrt(2.0) * one
    # Kolmogorov and Smirnov, at a level of 10⁻⁴.
    for column in made.T:
        ordered = np.sort(column)
        normal = 0.5 * (1.0 + np.vectorize(math.erf)(ordered / math.sqrt(2.0)))
        distance = np.abs(normal - (np.arange(n) + 0.5) / n).max()
        assert distance * math.sqrt(n) < 2.23
    correlation = np.corrcoef(made.T)
    assert np.abs(correlation - np.eye(3)).max() < 4.5 * one
    for lag in (1, 2, 3, 10):
        assert abs(np.mean(made[lag:, 0] * made[:-lag, 0])) < 4.5 * one
    other = np.asarray(compile_program(line)(np.stack([np.full(n, 43.0), np.arange(n, dtype=float)], axis=1)))
    assert abs(np.mean(made[:, 0] * other[:, 0])) < 4.5 * one
