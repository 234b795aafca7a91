"""The printed JavaScript, run by node, computes what the NumPy reference computes."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import sistel
from sistel import SistelError, expr
from sistel.expr import Expr, Graph, Program
from sistel.kernels import compile_program, to_js
from sistel.mechanics import build_tree, derive

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="no node")

Array = NDArray[np.float64]

# Takes the rows from a file, block after block, and leaves the results in another: JSON knows no NaN.
HARNESS = """
import fs from "node:fs";
import {{ {name} }} from "./{name}.mjs";
const bytes = fs.readFileSync("{name}.in");
const given = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
const sizes = {sizes}, inputs = {inputs}, count = {count};
const blocks = sizes.map((size) => {kind});
const outputs = sizes.slice(inputs).reduce((a, b) => a + b, 0);
const results = new Float64Array(outputs * count);
let from = 0, to = 0;
for (let row = 0; row < count; row++) {{
  for (const block of blocks.slice(0, inputs)) for (let i = 0; i < block.length; i++) block[i] = given[from++];
  {name}(...blocks);
  for (const block of blocks.slice(inputs)) for (let i = 0; i < block.length; i++) results[to++] = block[i];
}}
fs.writeFileSync("{name}.out", results);
"""


def run(
    folder: Path,
    compiled: Program,
    rows: Sequence[Array],
    *,
    part: int = 1000,
    kind: str = "new Float64Array(size)",
    compact: bool = False,
) -> list[Array]:
    """The outputs of every row, shape (rows, size)."""
    count = len(rows[0]) if rows else 1
    (folder / "f.mjs").write_text(to_js(compiled, "f", part=part, compact=compact), encoding="utf-8")
    np.concatenate([np.ravel(row) for state in zip(*rows, strict=True) for row in state] or [np.empty(0)]).tofile(
        folder / "f.in"
    )
    sizes = [size for _, size in (*compiled.inputs, *compiled.outputs)]
    text = HARNESS.format(name="f", sizes=sizes, inputs=len(compiled.inputs), count=count, kind=kind)
    (folder / "use.mjs").write_text(text, encoding="utf-8")
    assert NODE is not None
    done = subprocess.run([NODE, "use.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    table = np.fromfile(folder / "f.out").reshape(count, -1)
    ends = np.cumsum([size for _, size in compiled.outputs])
    return np.split(table, ends[:-1], axis=1)


def reference(compiled: Program, rows: Sequence[Array]) -> list[Array]:
    results = compile_program(compiled, backend="numpy")(*rows)
    return list(results) if isinstance(results, tuple) else [results]


def exact(a: Expr, b: Expr, c: Expr) -> list[Expr]:
    """Operations with one right answer."""
    return [
        a + b,
        a - b,
        a * b,
        a / b,
        -a,
        a * 0.1 - 2.5,
        a - -1e-300,
        expr.sqrt(a),
        expr.floor(a),
        expr.absolute(a),
        expr.minimum(a, b),
        expr.maximum(a, b),
        expr.less(a, b),
        expr.less_equal(a, b),
        expr.equal(a, b),
        expr.logical_and(a, b),
        expr.logical_or(a, b),
        expr.logical_not(a),
        expr.select(a, b, c),
        expr.select(expr.less(a, b), a, c),
    ]


SPECIAL = (0.0, -0.0, 1.0, -2.5, 0.1, 1e308, -5e-324, math.inf, -math.inf, math.nan)


@needs_node
@pytest.mark.parametrize("compact", [False, True])
def test_every_exact_operation(tmp_path: Path, compact: bool) -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    (c,) = graph.inputs("скорость", 1)
    graph.inputs("unused", 3)
    compiled = graph.program({"x": exact(a, b, c), "*/ let": [c, 1.5, -0.25], "none": []})
    pairs = np.array([(x, y) for x in SPECIAL for y in SPECIAL])
    rows = [pairs, pairs[:, ::-1][:, :1].copy(), np.zeros((len(pairs), 3))]
    for got, expected in zip(run(tmp_path, compiled, rows, compact=compact), reference(compiled, rows), strict=True):
        # Bit for bit, the sign of a zero included; one NaN is as good as another.
        nan = np.isnan(expected)
        assert np.array_equal(np.isnan(got), nan)
        assert np.array_equal(got[~nan].view(np.int64), expected[~nan].view(np.int64))


@needs_node
def test_every_rounded_operation(tmp_path: Path, rng: np.random.Generator) -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    compiled = graph.program(
        {"x": [expr.sin(a), expr.cos(a), expr.atan2(a, b), expr.exp(a), expr.log(expr.absolute(a)), expr.sin(b)]}
    )
    rows = [np.vstack([rng.uniform(-30.0, 30.0, (400, 2)), rng.uniform(-1e6, 1e6, (50, 2)) * [1e-4, 1.0], np.eye(2)])]
    (got,), (expected,) = run(tmp_path, compiled, rows), reference(compiled, rows)
    # V8 has fdlibm's functions, NumPy its own or the C library's: each of them within 1 ulp of the truth.
    np.testing.assert_array_max_ulp(got, expected, maxulp=2)
    special = [np.array([(x, y) for x in SPECIAL for y in SPECIAL])]
    (got,), (expected,) = run(tmp_path, compiled, special), reference(compiled, special)
    assert np.array_equal(np.isnan(got), np.isnan(expected))
    np.testing.assert_allclose(got, expected, rtol=4e-16, atol=0)


@needs_node
@pytest.mark.parametrize("part", [1000, 100, 7])
@pytest.mark.parametrize(("model", "quantity"), [("panda_like", "inverse_dynamics"), ("cart_pole", "forward_dynamics")])
def test_equations_of_motion(
    tmp_path: Path, models_dir: Path, rng: np.random.Generator, model: str, quantity: str, part: int
) -> None:
    compiled = derive(build_tree(sistel.load(models_dir / f"{model}.xml").model), quantity)
    rows = [rng.uniform(-2.0, 2.0, (50, size)) for _, size in compiled.inputs]
    (got,), (expected,) = run(tmp_path, compiled, rows, part=part), reference(compiled, rows)
    # A last digit of a sine goes through some hundred operations.
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-14 * np.abs(expected).max())


@needs_node
def test_plain_arrays_do_too(tmp_path: Path, models_dir: Path, rng: np.random.Generator) -> None:
    compiled = derive(build_tree(sistel.load(models_dir / "cart_pole.xml").model), "forward_dynamics")
    rows = [rng.uniform(-2.0, 2.0, (5, size)) for _, size in compiled.inputs]
    typed = run(tmp_path, compiled, rows)
    plain = run(tmp_path, compiled, rows, kind="new Array(size).fill(0)")
    assert np.array_equal(typed[0], plain[0])


@st.composite
def polynomials(draw: st.DrawFn) -> Program:
    """Programs of exact operations, long enough for several seams."""
    graph = Graph()
    pool: list[Expr] = [*graph.inputs("q", 3), *graph.inputs("v", 2)]
    for _ in range(draw(st.integers(1, 60))):
        a, b = draw(st.sampled_from(pool)), draw(st.sampled_from(pool))
        try:
            possible = exact(a, b, pool[0])[:12]
        except (ArithmeticError, ValueError):
            continue  # constants that have no quotient or no root
        pool.append(draw(st.sampled_from(possible)))
    return graph.program({"x": pool[-8:], "y": [draw(st.sampled_from(pool)), 1.0]})


@needs_node
@settings(max_examples=8)
@given(polynomials(), st.integers(1, 9))
def test_seams_change_nothing(tmp_path_factory: pytest.TempPathFactory, compiled: Program, part: int) -> None:
    rng = np.random.default_rng(1)
    rows = [rng.normal(size=(4, size)) for _, size in compiled.inputs]
    folder = tmp_path_factory.mktemp("js")
    for compact in (False, True):
        results = run(folder, compiled, rows, part=part, compact=compact)
        for got, expected in zip(results, reference(compiled, rows), strict=True):
            np.testing.assert_array_equal(got, expected)


@needs_node
@pytest.mark.parametrize("part", [1000, 100])
def test_few_characters_compute_the_same_bits(
    tmp_path: Path, models_dir: Path, rng: np.random.Generator, part: int
) -> None:
    compiled = derive(build_tree(sistel.load(models_dir / "panda_like.xml").model), "forward_dynamics")
    rows = [rng.uniform(-2.0, 2.0, (20, size)) for _, size in compiled.inputs]
    plain, short = (run(tmp_path, compiled, rows, part=part, compact=compact) for compact in (False, True))
    assert np.array_equal(plain[0], short[0])
    text = to_js(compiled, "f", part=part, compact=True)
    assert len(text) < 0.4 * len(to_js(compiled, "f", part=part)) and "/*" not in text


@needs_node
def test_signs_do_not_run_together(tmp_path: Path) -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    outputs = [a - (-b) * 2.0, -(-a * b) - b, a - expr.sin(b) * -3.0, (a - b) - (b - a * -1.5), a / -b, -(a - -2.0 * b)]
    compiled = graph.program({"x": outputs})
    rows = [np.array([[0.3, -1.7], [2.0, 5.0]])]
    assert np.array_equal(run(tmp_path, compiled, rows, compact=True)[0], run(tmp_path, compiled, rows)[0])


def test_places_at_the_seams_are_used_again() -> None:
    graph = Graph()
    (x,) = graph.inputs("x", 1)
    for _ in range(200):
        x = expr.sin(x) * 1.5
    text = to_js(graph.program({"y": [x]}), "f", part=10)
    assert text.count("function f_part") == 40
    assert "new Float64Array(2)" in text  # a value that a part reads and the one that it leaves


@needs_node
def test_without_export_it_is_a_script(tmp_path: Path) -> None:
    graph = Graph()
    (a,) = graph.inputs("a", 1)
    for part in (1, 100):
        text = to_js(graph.program({"b": [expr.sin(a) + 1.0]}), "f", module=False, part=part)
        assert "export" not in text
        (tmp_path / "f.cjs").write_text(text + "const b = [0]; f([0], b); console.log(b[0]);", encoding="utf-8")
        assert NODE is not None
        done = subprocess.run([NODE, "f.cjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout == "1\n"


@needs_node
def test_a_program_without_inputs(tmp_path: Path) -> None:
    compiled = Graph().program({"x": [1.0, 0.1]})
    assert run(tmp_path, compiled, [])[0].tolist() == [[1.0, 0.1]]
    assert "function nothing()" in to_js(Graph().program({}), "nothing")


@needs_node
def test_blocks_may_be_called_anything(tmp_path: Path) -> None:
    graph = Graph()
    names = "x v v0 in in0 out f f_seam f_part1 seam let await Math arguments рука a/b"
    blocks = [graph.inputs(name, 1)[0] for name in (*names.split(), "")]
    total = blocks[0]
    for block in blocks[1:]:
        total = total + block
    compiled = graph.program({"f": [total], "x": [total * 2.0], "f_seam": [total * 3.0]})
    results = run(tmp_path, compiled, [np.ones((1, 1))] * len(blocks), part=3)
    assert [float(result[0, 0]) for result in results] == [17.0, 34.0, 51.0]


def test_the_comment_tells_sizes_names_and_labels() -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    (c,) = graph.inputs("await", 1)
    text = to_js(graph.program({"f": [a + b + c]}), "f", labels={"q": ["shoulder [rad]", "*/ </script>"]})
    assert "export function f(q, in1, out) {" in text
    assert "@param {Float64Array|number[]} q in, size 2" in text
    assert "(block await)" in text and "(block f)" in text
    assert "[0] shoulder [rad]" in text
    assert text.count("*/") == 1 and "<" not in text


@pytest.mark.parametrize("name", ["", "1a", "a-b", "await", "let", "arguments", "рука", "a b", "Math"])
def test_names_that_javascript_does_not_take(name: str) -> None:
    with pytest.raises(SistelError, match="JavaScript"):
        to_js(Graph().program({}), name)


def test_labels_that_do_not_fit() -> None:
    graph = Graph()
    (a,) = graph.inputs("q", 1)
    compiled = graph.program({"x": [a]})
    with pytest.raises(SistelError, match="q has 1 numbers, and 2 labels"):
        to_js(compiled, "f", labels={"q": ["a", "b"]})
    with pytest.raises(SistelError) as caught:
        to_js(compiled, "f", labels={"qq": ["a"]})
    assert caught.value.diagnostics[0].code == "unknown-block"
    assert "такого блока нет" in caught.value.render("ru")
