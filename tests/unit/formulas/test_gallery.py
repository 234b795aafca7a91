"""Every printer against the compiled kernels, on models of the gallery: today's parameters, and others."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.formulas import Reader, as_latex

import sistel
from sistel.engine import Engine
from sistel.expr import evaluate
from sistel.formulas import Equations
from sistel.formulas._latex import LatexSetter
from sistel.formulas._mathml import MathmlSetter, relation_math
from sistel.formulas._mathml import math as math_element
from sistel.formulas._sections import sections
from sistel.mechanics import Quantities, applied_forces, build_tree, inverse_dynamics, joint_loads
from sistel.model import GRAVITY, Model

SHORT = (
    *("pendulum", "cart_pendulum", "cart_pole", "double_pendulum", "compass_walker", "four_bar", "slider_crank"),
    *("woodpecker", "spinning_top", "free_body", "scara", "gyroscope", "paper_listing1"),
)
LONG = ("biped", "chain5", "puma560", "stanford")
TOLERANCE = 1e-13


@cache
def loaded(path: Path) -> tuple[sistel.System, Equations]:
    system = sistel.load(path)
    return system, system.equations()


def state(model: Model, rng: Any) -> tuple[Any, Any, Any]:
    q, v, a = rng.normal(size=model.nq), rng.normal(size=model.nv), rng.normal(size=model.nv)
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            part = slice(body.first_q, body.first_q + 4)
            q[part] /= np.linalg.norm(q[part])
    return q, v, a


def module(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(text, "equations", "exec"), names)
    return names


def assert_near(found: Any, expected: Any, tolerance: float = TOLERANCE) -> None:
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape
    # Rounding is in proportion to the largest of the numbers that were added up.
    assert np.abs(found - expected).max(initial=0.0) <= tolerance * max(1e-300, np.abs(expected).max(initial=0.0))


@pytest.mark.parametrize("name", [*SHORT, *LONG])
def test_python_is_what_kernels_compute(name: str, models_dir: Path, rng: Any) -> None:
    system, equations = loaded(models_dir / f"{name}.xml")
    assert bool(equations.lines) == (name in LONG)
    text = module(equations.to_python())
    q, v, a = state(system.model, rng)
    force = system.inverse_dynamics(q, v, a) - system.applied_forces(q, v)
    assert_near(text["inverse_dynamics"](q, v, a), force)
    assert_near(text["mass_matrix"](q), system.mass_matrix(q))
    together = np.add(text["coriolis_forces"](q, v), text["gravity_forces"](q))
    assert_near(together, system.bias_forces(q, v))
    assert_near(text["gravity_forces"](q), system.gravity_forces(q))
    # The potential of weight alone: springs are among the applied forces. A sum of many terms of either sign.
    assert_near(text["energies"](q, v), Engine.of(system.model).call("energies")(q, v)[:2], 1e-12)


@pytest.mark.parametrize("name", [*SHORT, *LONG])
def test_loads_are_those_of_newton(name: str, models_dir: Path, rng: Any) -> None:
    system, equations = loaded(models_dir / f"{name}.xml")
    model = system.model
    q, v, a = (x.tolist() for x in state(model, rng))
    found = module(equations.to_python())["reactions"](q, v, a)
    acting = applied_forces(Quantities(model, build_tree(model), q, v, 0.0))
    for body, load in zip(model.bodies, joint_loads(model, q, v, a, acting.outer)[1:], strict=True):
        expected = dict(zip(("Mx", "My", "Mz", "Fx", "Fy", "Fz"), (*load.moment, *load.force), strict=True))
        mine = found[body.name.replace('"', "'")]
        assert_near(list(mine.values()), [expected[key] for key in mine])


def rebuilt(system: sistel.System, values: dict[str, float]) -> Model:
    """The same description with other parameters, built anew: nothing symbolic in it."""
    return system._recipe.build(values)


@pytest.mark.parametrize("name", [*SHORT, *LONG])
def test_formulas_hold_for_other_parameters(name: str, models_dir: Path, rng: Any) -> None:
    system, equations = loaded(models_dir / f"{name}.xml")
    defined = {key for key, _ in equations.definitions}
    names = {symbol.key: symbol.text for symbol in equations.used() if symbol.key not in defined}
    given = {parameter.name: parameter for parameter in system.model.parameters}
    text = module(equations.to_python())
    values, changed = {}, dict(text["PARAMETERS"])
    for key, identifier in names.items():
        # Parameters come in the order of the file, gravity last.
        full = [*given, GRAVITY][key.place]
        values[full] = changed[identifier] * rng.uniform(0.9, 1.1)
        changed[identifier] = values[full]
    model = rebuilt(system, values)
    q, v, a = state(model, rng)
    tree = build_tree(model)
    applied = applied_forces(Quantities(model, tree, q.tolist(), v.tolist(), 0.0)).generalized
    expected = np.subtract(inverse_dynamics(tree, q.tolist(), v.tolist(), a.tolist()), applied)
    assert_near(text["inverse_dynamics"](q, v, a, parameters=changed), expected, 1e-12)
    # The straight line that becomes C, for the same parameters.
    vector = [symbol.value for key, symbol in equations.symbols.items() if key.block == "p"]
    for key, identifier in names.items():
        vector[key.place] = changed[identifier]
    if not defined:
        known = {"q": q.tolist(), "v": v.tolist(), "a": a.tolist(), "p": vector, "t": [0.0]}
        blocks = [known.get(block, [0.0] * count) for block, count in equations.program.inputs]
        motion = evaluate(equations.program, *blocks)[0]
        assert_near(np.subtract(motion, applied), expected, 1e-12)


def values_of(equations: Equations, setter: Any, q: Any, v: Any, a: Any) -> dict[str, float]:
    """The numbers behind the symbols, by what the symbols look like."""
    blocks = {"q": q, "v": v, "a": a}
    found = {}
    for key, symbol in equations.symbols.items():
        if key.block in blocks:
            found[setter(symbol)] = float(blocks[key.block][key.place])
        elif symbol.value is not None:
            found[setter(symbol)] = symbol.value
    return found


READABLE = (
    "pendulum",
    "cart_pole",
    "double_pendulum",
    "compass_walker",
    "four_bar",
    "scara",
    "spinning_top",
    "gyroscope",
)


@pytest.mark.parametrize("name", READABLE)
def test_latex_means_the_same(name: str, models_dir: Path, rng: Any) -> None:
    system, equations = loaded(models_dir / f"{name}.xml")
    setter = LatexSetter(equations.symbols)
    q, v, a = state(system.model, rng)
    values = values_of(equations, setter.symbol, q, v, a)
    for formula, expected in zip(equations.motion, system.inverse_dynamics(q, v, a), strict=True):
        assert Reader(setter.join(setter.row(formula)), values).read() == pytest.approx(expected, rel=1e-12, abs=1e-14)
    matrix = [[Reader(setter.join(setter.row(x)), values).read() for x in row] for row in equations.mass]
    assert_near(matrix, system.mass_matrix(q))


@pytest.mark.parametrize("name", READABLE)
def test_mathml_means_the_same(name: str, models_dir: Path, rng: Any) -> None:
    system, equations = loaded(models_dir / f"{name}.xml")
    setter = MathmlSetter(equations.symbols)

    def look(symbol: Any) -> str:
        return as_latex(ElementTree.fromstring(math_element(setter.symbol(symbol), False)))

    q, v, a = state(system.model, rng)
    values = values_of(equations, look, q, v, a)
    made, labels = sections(equations)
    printer = MathmlSetter({**equations.symbols, **labels})
    (motion,) = (section for section in made if section.key == "motion")
    for relation, expected in zip(motion.relations, system.inverse_dynamics(q, v, a), strict=True):
        # Whole relations, with their breaks into lines: left side = driving force.
        left, _, _ = as_latex(ElementTree.fromstring(relation_math(relation, printer))).partition("=")
        assert Reader(left, values).read() == pytest.approx(expected, rel=1e-12, abs=1e-14)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("name", ["cart_pole", "puma560"])
def test_c_computes_the_same(name: str, models_dir: Path, tmp_path: Path, rng: Any) -> None:
    system, equations = loaded(models_dir / f"{name}.xml")
    source, library = tmp_path / "equations.c", tmp_path / "equations.so"
    source.write_text(equations.to_c(), encoding="utf-8")
    command = ["cc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", str(library), str(source), "-lm"], check=True)
    q, v, a = state(system.model, rng)
    p = [symbol.value for key, symbol in equations.symbols.items() if key.block == "p"]
    line = equations.program
    blocks = {"q": q, "v": v, "a": a, "p": p, "t": [0.0]}
    inputs = [(ctypes.c_double * size)(*blocks[name]) for name, size in line.inputs]
    outputs = {name: (ctypes.c_double * size)() for name, size in line.outputs}
    ctypes.CDLL(str(library)).equations(*inputs, *outputs.values())
    assert_near(list(outputs["motion"]), system.inverse_dynamics(q, v, a))
    assert_near(list(outputs["mass_matrix"]), system.mass_matrix(q).ravel())
    assert_near(np.add(outputs["coriolis"], outputs["gravity"]), system.bias_forces(q, v))
    assert_near(list(outputs["applied"]), system.applied_forces(q, v))
    assert math.isfinite(sum(outputs["reactions"]))
