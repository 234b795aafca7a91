"""Constraints as text against what kernels compute: positions, Jacobian, biases, multipliers, reactions."""

from __future__ import annotations

import ctypes
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
from sistel.formulas import Equations
from sistel.formulas._formula import Sym
from sistel.formulas._latex import LatexSetter
from sistel.formulas._mathml import MathmlSetter, relation_math
from sistel.formulas._mathml import math as math_element
from sistel.formulas._sections import sections
from sistel.mechanics import build_tree, constraint_rows

SHORT = (
    *("four_bar", "slider_crank", "breaking_pendulum", "compass_walker:on the right", "five_bar", "gripper"),
    *("gripper_load:held", "vending_lift:едет", "stick_slip", "slider_crank_spatial"),
)
LONG = ("walker:на левой", "walker:на двух", "biped_single_support", "bricard", "cam:lift", "andrews_squeezer")
SLEDGE = """<system name="sledge">
  <parameter name="m" value="2 kg"/><parameter name="b" value="300 mm"/><parameter name="mu" value="0.3"/>
  <body name="board" joint="free" mass="m" com="b/4, 0" inertia="m*b^2/12"><point name="nose" place="b, 0"/>
    <body name="arm" joint="revolute" place="b/2, 0" mass="0.4" com="0, -100" inertia="0.002"/>
  </body>
  <links>
    <contact name="hill" point="nose" surface="y &lt;= 0.2*x + 0.3 m/s*t" friction="mu"/>
    <structure name="s" holds="hill" slides="hill"/>
  </links>
  <start board="0.2, 0.1, 0.3"/>
</system>"""
"""A point that slides with friction over a plane that moves: everything that a row can have."""
HILL = SLEDGE.replace("0.3 m/s*t", "x^2/(10 m) + 0.3 m/s*t")
PARSED = {"sledge": SLEDGE, "hill": HILL}
PARTS = {"Mx": 0, "My": 1, "Mz": 2, "Fx": 3, "Fy": 4, "Fz": 5}


@cache
def loaded(folder: Path, name: str) -> tuple[sistel.System, str, Equations]:
    model, _, structure = name.partition(":")
    system = sistel.parse(PARSED[model]) if model in PARSED else sistel.load(folder / f"{model}.xml")
    chosen = system.structure(structure or None).name
    return system, chosen, system.equations(chosen)


def module(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(text, "equations", "exec"), names)
    return names


def near(found: Any, expected: Any, tolerance: float, scale: float | None = None) -> None:
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    assert found.shape == expected.shape
    size = np.abs(expected).max(initial=0.0) if scale is None else scale
    assert np.abs(found - expected).max(initial=0.0) <= tolerance * size


def posture(system: sistel.System, structure: str, rng: Any) -> tuple[Any, Any]:
    """Coordinates that meet the constraints, and velocities that they allow."""
    q = system.assemble(structure=structure)
    J = system.constraint_jacobian(q, structure=structure)
    v = rng.normal(size=system.nv)
    return q, v - np.linalg.pinv(J) @ (J @ v)


@pytest.mark.parametrize("name", [*SHORT, *LONG, "sledge", "hill"])
def test_python_is_what_kernels_compute(name: str, models_dir: Path, rng: Any) -> None:
    system, structure, equations = loaded(models_dir, name)
    assert bool(equations.lines) == (name in (*LONG, "hill"))
    text = module(equations.to_python())
    q, v = posture(system, structure, rng)
    J = system.constraint_jacobian(q, structure=structure)
    near(text["constraint_jacobian"](q), J, 1e-14)
    # Biases are sums of terms that may cancel altogether; they are as large as J times squares of velocities.
    near(
        text["constraint_bias"](q, v), system.constraint_bias(q, v, structure=structure), 1e-13, np.abs(J).max() * v @ v
    )
    anchors = [text["anchors"](q)] if "anchors" in text else []
    near(text["constraint_errors"](q, *anchors), system.constraint_errors(q, structure=structure), 1e-14, 1.0)
    tau = rng.normal(size=system.nv)
    a, multipliers = text["forward_dynamics"](q, v, tau)
    # The mass matrix of a walker has a condition of some thousands, and its accelerations lose as many digits.
    near(a, system.forward_dynamics(q, v, tau, structure=structure, applied=True), 2e-12)
    near(text["inverse_dynamics"](q, v, a, multipliers), tau, 1e-12)
    loads = system.reactions(q, v, tau, structure=structure, applied=True)
    largest = max(np.abs(load).max() for load in loads.values())
    links, joints = text["link_reactions"](q, v, multipliers), text["reactions"](q, v, a, multipliers)
    assert set(links) == {one.link for one in equations.constraints}
    for body in system.bodies:
        if body.joint.name in links:  # changed by the structure: reported is what it holds now
            continue
        mine = joints[body.name]
        near(list(mine.values()), [loads[body.joint.name][PARTS[part]] for part in mine], 1e-12, largest)
    for link, mine in links.items():
        near(list(mine.values()), [loads[link][PARTS[part]] for part in mine], 1e-12, largest)


@pytest.mark.parametrize("name", [*SHORT, "walker:на двух", "biped_single_support", "sledge", "cam:lift"])
def test_derivatives_of_positions(name: str, models_dir: Path, rng: Any) -> None:
    """Φ differenced by hand, in a posture that need not meet it."""
    system, _, equations = loaded(models_dir, name)
    text = module(equations.to_python())
    q, v = rng.normal(size=system.nv), rng.normal(size=system.nv)
    exact = [k for k, one in enumerate(equations.constraints) if one.exact]
    assert exact
    h = 1e-4
    timed = "t" in text["constraint_errors"].__code__.co_varnames
    anchors = {"anchors": [0.1] * len(equations.anchors)} if equations.anchors else {}

    def positions(step: float) -> Any:
        time = {"t": step} if timed else {}
        return np.array(text["constraint_errors"](q + step * v, **anchors, **time))[exact]

    ahead, here, behind = positions(h), positions(0.0), positions(-h)
    J = np.array(text["constraint_jacobian"](q))[exact]
    drift = np.array(text["constraint_drift"](q))[exact] if "constraint_drift" in text else 0.0
    bias = np.array(text["constraint_bias"](q, v))[exact]
    # The third derivative times h²/6, and rounding over h², are both below 1e-6 of the size of the mechanism.
    assert np.abs((ahead - behind) / (2 * h) - (J @ v + drift)).max() < 1e-6 * (1 + v @ v) ** 1.5
    assert np.abs((ahead - 2 * here + behind) / h**2 - bias).max() < 1e-6 * (1 + v @ v) ** 2


def test_turns_say_that_they_hold_on_the_constraint_only(models_dir: Path) -> None:
    _, _, equations = loaded(models_dir, "biped_single_support")
    assert [one.exact for one in equations.constraints] == [True, True, False]
    assert "where Φ = 0 (numbers 3)" in equations.to_mathml()


@pytest.mark.parametrize("name", ["slider_crank", "four_bar", "compass_walker:on the left", "walker:на левой"])
def test_formulas_hold_for_other_parameters(name: str, models_dir: Path, rng: Any) -> None:
    system, structure, equations = loaded(models_dir, name)
    text = module(equations.to_python())
    names = {parameter.name for parameter in system.model.parameters}
    changed = {key: value * rng.uniform(0.9, 1.1) for key, value in text["PARAMETERS"].items()}
    values = {key: value for key, value in changed.items() if key in names}
    assert values
    model = system._recipe.build(values)
    q, v = rng.normal(size=system.nv), rng.normal(size=system.nv)
    rows = constraint_rows(model, build_tree(model), model.structure(structure), q.tolist(), v.tolist())
    near(text["constraint_jacobian"](q, parameters=changed), [row.J for row in rows], 1e-14)
    near(text["constraint_bias"](q, v, parameters=changed), [row.bias for row in rows], 1e-13)


def test_letters_for_plain_numbers(models_dir: Path, rng: Any) -> None:
    system = sistel.load(models_dir / "andrews_squeezer.xml")
    equations = system.equations(symbols=True)
    text = module(equations.to_python())
    assert {"l2", "m1"} <= set(text["PARAMETERS"])
    q, v = posture(system, "only", rng)
    near(text["constraint_jacobian"](q), system.constraint_jacobian(q), 1e-13)
    tau = rng.normal(size=system.nv)
    near(
        text["forward_dynamics"](q, v, tau)[0],
        system.forward_dynamics(q, v, tau, applied=True, structure="only"),
        1e-11,
    )


def written(equations: Equations, formulas: Any) -> list[str]:
    setter = LatexSetter(equations.symbols)
    return [setter.join(setter.row(formula)) for formula in formulas]


def test_the_slider_crank_is_a_textbook_one(models_dir: Path) -> None:
    _, _, equations = loaded(models_dir, "slider_crank")
    first, second = equations.constraints
    assert written(equations, (first.position, second.position)) == [
        r"q_{3} - r \cos q_{1} - l \cos (q_{1} + q_{2})",
        r"- r \sin q_{1} - l \sin (q_{1} + q_{2})",
    ]
    assert written(equations, first.jacobian) == [
        r"r \sin q_{1} + l \sin (q_{1} + q_{2})",
        r"l \sin (q_{1} + q_{2})",
        "1",
    ]
    assert written(equations, (first.bias,)) == [
        r"r \dot{q}_{1}^{2} \cos q_{1} + l (\dot{q}_{1} + \dot{q}_{2})^{2} \cos (q_{1} + q_{2})"
    ]
    assert written(equations, equations.constraint_forces())[1:] == [
        r"l \lambda_{1} \sin (q_{1} + q_{2}) - l \lambda_{2} \cos (q_{1} + q_{2})",
        r"\lambda_{1}",
    ]
    (pin,) = equations.links
    assert written(equations, dict(pin.components).values()) == [r"- \lambda_{1}", r"- \lambda_{2}", "0"]
    assert (pin.about.en, pin.about.ru) == ("on rod from piston", "на «rod» со стороны «piston»")
    assert equations.symbols[Sym("lambda", 0)].about.en == "pin: force on piston from rod along x"
    assert equations.dof == 1


def test_a_walker_stands_on_the_point_that_it_found(models_dir: Path) -> None:
    _, _, equations = loaded(models_dir, "walker:на левой")
    leg = r"l \sin (q_{3} + q_{4}) - l \sin (q_{3} + q_{4} + q_{5}) - 0.1 \sin (q_{3} + q_{4} + q_{5} + q_{6})"
    assert written(equations, (equations.constraints[0].position,)) == [rf"q_{{1}} - x_{{0}} - {leg}"]
    assert written(equations, [formula for _, formula in equations.anchors])[0] == f"q_{{1}} - {leg}"
    page = equations.to_html(lang="ru")
    assert "корпус: сила на «стопа_л» со стороны земли вдоль x" in page and "на левой" in page


def test_redundant_constraints_are_named(models_dir: Path) -> None:
    _, _, equations = loaded(models_dir, "bricard")
    assert [one.redundant for one in equations.constraints] == [False] * 4 + [True]
    assert any("5 (hinge 6, turn)" in note.en and "5 (hinge 6, turn)" in note.ru for note in equations.notes)
    assert equations.dof == 1
    assert "lambda5" not in equations.to_maxima().split("multipliers:")[1].split("$", 1)[1]


def test_a_tree_has_none_of_this(models_dir: Path) -> None:
    equations = sistel.load(models_dir / "pendulum.xml").equations()
    assert equations.constraints == () and equations.links == ()
    for text in (equations.to_latex(), equations.to_html(lang="en"), equations.to_maxima(), equations.to_python()):
        assert "lambda" not in text and "λ" not in text and "constraint" not in text.lower()
    assert [name for name, _ in equations.program.inputs] == ["q", "v", "a", "p", "t"]


def values_of(equations: Equations, look: Any, q: Any, v: Any) -> dict[str, float]:
    found = {}
    for key, symbol in equations.symbols.items():
        if key.block in ("q", "v", "h", "lambda"):
            values = {"q": q, "v": v}.get(key.block)
            found[look(symbol)] = float(values[key.place]) if values is not None else 0.1 + key.place
        elif symbol.value is not None:
            found[look(symbol)] = symbol.value
    return found


@pytest.mark.parametrize("language", ["latex", "mathml"])
@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "compass_walker:on the left", "walker:на левой"])
def test_printed_sections_mean_the_same(name: str, language: str, models_dir: Path, rng: Any) -> None:
    system, structure, equations = loaded(models_dir, name)
    made, labels = sections(equations)
    every = {**equations.symbols, **labels}
    latex, mathml = LatexSetter(every), MathmlSetter(every)

    def look(symbol: Any) -> str:
        if language == "latex":
            return latex.symbol(symbol)
        return as_latex(ElementTree.fromstring(math_element(mathml.symbol(symbol), False)))

    def read(formula: Any, values: dict[str, float]) -> float:
        if language == "latex":
            return Reader(latex.join(latex.row(formula)), values).read()
        return Reader(
            as_latex(ElementTree.fromstring(math_element(mathml.join(mathml.row(formula)), False))), values
        ).read()

    q, v = rng.normal(size=system.nv), rng.normal(size=system.nv)
    values = values_of(equations, look, q, v)
    by_key = {section.key: section for section in made}
    J = system.constraint_jacobian(q, structure=structure)
    if by_key["jacobian"].relations[0].matrix:
        matrix = [[read(entry, values) for entry in row] for row in by_key["jacobian"].relations[0].matrix]
    else:
        matrix = np.zeros_like(J)
        for relation in by_key["jacobian"].relations:
            at = divmod(relation.left.place, system.nv)
            matrix[at] = values[look(every[relation.left])] = read(relation.right, values)
    near(matrix, J, 1e-14)
    gammas = [read(relation.right, values) for relation in by_key["gamma"].relations]
    near(gammas, system.constraint_bias(q, v, structure=structure), 1e-13)
    if language == "mathml":
        text = as_latex(ElementTree.fromstring(relation_math(by_key["constraints"].relations[0], mathml)))
        assert text.endswith("=0") and "Φ" in text


def test_a_minus_before_a_sum_keeps_its_brackets(models_dir: Path) -> None:
    # Formulas with named parts take a common minus out of a sum.
    from fractions import Fraction

    from sistel.formulas._formula import Product, Sum

    equations = sistel.load(models_dir / "double_pendulum.xml").equations()
    formula = Product(Fraction(-1), (Sum((Sym("q", 0), Sym("q", 1))),))
    assert written(equations, (formula,)) == ["- (q_{1} + q_{2})"]


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("name", ["slider_crank", "walker:на левой", "hill"])
def test_c_computes_the_same(name: str, models_dir: Path, tmp_path: Path, rng: Any) -> None:
    system, structure, equations = loaded(models_dir, name)
    source, library = tmp_path / "equations.c", tmp_path / "equations.so"
    source.write_text(equations.to_c(), encoding="utf-8")
    command = ["cc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", str(library), str(source), "-lm"], check=True)
    code = ctypes.CDLL(str(library))
    q, v = posture(system, structure, rng)
    p = [symbol.value for key, symbol in equations.symbols.items() if key.block == "p"]
    tau = rng.normal(size=system.nv)
    text = module(equations.to_python())
    a, multipliers = text["forward_dynamics"](q, v, tau)
    anchors = text["anchors"](q) if equations.anchors else []
    blocks = {"q": q, "v": v, "a": a, "p": p, "t": [0.0], "lambda": multipliers, "h": anchors}

    def call(function: str, line: Any) -> dict[str, Any]:
        inputs = [(ctypes.c_double * size)(*blocks[block]) for block, size in line.inputs]
        outputs = {block: (ctypes.c_double * size)() for block, size in line.outputs}
        getattr(code, function)(*inputs, *outputs.values())
        return {block: np.array(list(values)) for block, values in outputs.items()}

    alone = {part: call(f"equations_{part}", line)[part] for part, line in equations.programs.items()}
    J = system.constraint_jacobian(q, structure=structure)
    near(alone["jacobian"].reshape(J.shape), J, 1e-14)
    near(alone["constraint_bias"], system.constraint_bias(q, v, structure=structure), 1e-13)
    near(alone["constraints"], np.zeros(len(J)), 1e-14, 1.0)
    every = call("equations", equations.program)
    assert all(np.array_equal(every[part], values) for part, values in alone.items())
    shares = every["jacobian"] + every.get("friction", 0.0)
    forces = shares.reshape(J.shape).T @ multipliers
    near(every["motion"] - every["applied"] - forces, tau, 1e-12)


CLUTCH = """<system name="clutch"><gravity value="0"/>
<body name="motor" joint="revolute" mass="1" inertia="0.2"/><body name="shaft" joint="revolute" place="300, 0" mass="1" inertia="0.1"/>
<links><coupling name="clutch" of="shaft" to="motor" ratio="2" holds="no"/>
<structure name="idle"/><structure name="loaded" holds="clutch"/>
<transition from="idle" to="loaded" when="t gt 0.1 s" engage="as it is"/></links><start motor.rate="30 rad/s"/></system>"""


def test_a_coupling_that_engages_as_it_is_has_its_offset_in_the_formulas() -> None:
    system = sistel.parse(CLUTCH)
    equations = system.equations("loaded")
    made: dict[str, Any] = {}
    exec(equations.to_python(), made)  # our own text
    run = system.simulate(0.3)
    q = run.q[-1].tolist()
    # The offset of the run is what the formula finds at its end, and there the constraint is met; the motor ran alone for
    # 0.1 s at 30 rad/s, and turned by 3 rad: shaft - 2 motor = -6.
    assert made["anchors"](q) == pytest.approx([-6.0], rel=1e-12)
    assert made["constraint_errors"](q, [-6.0]) == pytest.approx([0.0], abs=1e-12)
    assert made["constraint_errors"](q, [0.0]) == pytest.approx([-6.0], rel=1e-12)
    assert "took hold" in equations.to_python()
