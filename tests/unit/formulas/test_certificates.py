"""Formulas minus what others derive is zero, symbolically: Maxima with textbook forms, SymPy with Lagrange's method."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.lagrange import lagrange

import sistel

MAXIMA = shutil.which("maxima")

TEXTBOOK = {
    "cart_pendulum": """
        textbook: [(1 + m)*a1 - m*(l/2)*(a2*cos(q2) - v2^2*sin(q2)),
                   (m*l^2/12 + m*(l/2)^2)*a2 - m*(l/2)*a1*cos(q2) + m*g*(l/2)*sin(q2)]$""",
    "cart_pole": """
        textbook: [(M + m)*a1 + m*(l/2)*(a2*cos(q2) - v2^2*sin(q2)),
                   (m*l^2/12 + m*(l/2)^2)*a2 + m*(l/2)*a1*cos(q2) - m*g*(l/2)*sin(q2)]$""",
    # With the absolute angles q1 and q1 + q2, as in most books.
    "double_pendulum": """
        b: q1 + q2$ w: v1 + v2$ e: a1 + a2$
        two: [2*m*L^2*a1 + m*L^2*cos(q1 - b)*e + m*L^2*sin(q1 - b)*w^2 + 2*m*g*L*sin(q1),
              m*L^2*cos(q1 - b)*a1 + m*L^2*e - m*L^2*sin(q1 - b)*v1^2 + m*g*L*sin(b)]$
        textbook: [two[1] + two[2], two[2]]$""",
}
"""Equations of books, written by hand: for the double pendulum each rod has its own equation with absolute angles, and
the moment at the upper hinge is the sum of both."""


def maxima(text: str, folder: Path) -> str:
    file = folder / "equations.mac"
    file.write_text(text, encoding="utf-8")
    command = [str(MAXIMA), "--very-quiet", "--batch-string", f'batchload("{file.as_posix()}");']
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
    assert "error" not in done.stdout.lower(), done.stdout
    return done.stdout


@pytest.mark.skipif(MAXIMA is None, reason="Maxima is not installed")
@pytest.mark.parametrize("name", list(TEXTBOOK))
def test_maxima_finds_no_difference_from_the_textbook(name: str, models_dir: Path, tmp_path: Path) -> None:
    text = sistel.load(models_dir / f"{name}.xml").equations().to_maxima()
    check = 'print("difference:", ratsimp(trigsimp(trigexpand(motion - textbook))))$'
    wrong = 'print("wrong:", ratsimp(trigsimp(trigexpand(motion - 2*textbook))))$'
    found = maxima(f"{text}\n{TEXTBOOK[name]}\n{check}\n{wrong}\n", tmp_path)
    assert "residual: [0, 0]" in found
    assert "difference: [0, 0]" in found
    assert "wrong: [0, 0]" not in found  # the certificate can fail


@pytest.mark.skipif(MAXIMA is None, reason="Maxima is not installed")
@pytest.mark.parametrize("name", ["scara", "compass_walker", "four_bar", "chain5"])
def test_every_file_carries_its_certificate(name: str, models_dir: Path, tmp_path: Path) -> None:
    system = sistel.load(models_dir / f"{name}.xml")
    equations = system.equations()
    found = maxima(equations.to_maxima(lang="ru"), tmp_path)
    # Where intermediate variables have names there is nothing to differentiate.
    zeros = f"residual: [{', '.join('0' * system.nv)}]"
    assert (zeros in found) == (not equations.lines)


@pytest.mark.skipif(MAXIMA is None, reason="Maxima is not installed")
def test_reactions_balance_the_weight_and_the_motion(models_dir: Path, tmp_path: Path) -> None:
    # Momentum of the whole cart-pole: the force of the rail is what accelerates the common centre of mass.
    text = sistel.load(models_dir / "cart_pole.xml").equations().to_maxima()
    check = """
        x: M*q1 + m*(q1 + (l/2)*sin(q2))$ y: -m*(l/2)*cos(q2)$
        rate(f) := diff(f, q1)*v1 + diff(f, q2)*v2$
        twice(f) := diff(rate(f), q1)*v1 + diff(rate(f), q2)*v2 + diff(rate(f), v1)*a1 + diff(rate(f), v2)*a2$
        balance: [twice(x) - rhs(reaction_1[1]), twice(y) - (M + m)*g - rhs(reaction_1[2])]$
        print("balance:", ratsimp(trigsimp(balance)))$"""
    assert "balance: [0, 0]" in maxima(text + check, tmp_path)


@pytest.mark.parametrize("name", ["cart_pole", "double_pendulum", "compass_walker"])
def test_sympy_derives_the_same(name: str, models_dir: Path) -> None:
    import sympy

    system = sistel.load(models_dir / f"{name}.xml")
    names: dict[str, Any] = {}
    # The printed module with SymPy in the place of `math`: its formulas become expressions.
    text = system.equations().to_python().replace("import math\n", "import sympy as math\n")
    exec(compile(text, "equations", "exec"), names)
    half = sympy.Rational(1, 2)
    M, m, mH, length, L, along, slope, g = sympy.symbols("M m mH l L a slope g")
    leg = {"mass": m, "place": (0, 0), "com": (0, length - along), "inertia": 0}
    bob = {"mass": m, "com": (0, L), "inertia": 0}
    numbers: dict[str, Any] = {
        "cart_pole": {
            "down": (0, g),
            "cart": {"mass": M, "place": (0, 0), "com": (0, 0), "inertia": 0},
            "pole": {"mass": m, "place": (0, 0), "com": (0, -half * length), "inertia": m * length**2 / 12},
        },
        "double_pendulum": {"down": (0, g), "upper": {**bob, "place": (0, 0)}, "lower": {**bob, "place": (0, L)}},
        "compass_walker": {
            "down": (g * sympy.sin(slope), g * sympy.cos(slope)),
            "hip": {"mass": mH, "place": (0, 0), "com": (0, 0), "inertia": 0},
            "left_leg": leg,
            "right_leg": leg,
        },
    }[name]
    state = [sympy.symbols(f"{letter}1:{system.nv + 1}") for letter in "qva"]
    symbols = {key: sympy.Symbol(key) for key in names["PARAMETERS"]}
    found = names["inverse_dynamics"](*state, parameters=symbols)
    for mine, theirs in zip(found, lagrange(system.model, sympy, numbers), strict=True):
        assert sympy.simplify(sympy.expand(sympy.expand_trig(mine - theirs))) == 0


@pytest.mark.skipif(MAXIMA is None, reason="Maxima is not installed")
@pytest.mark.parametrize(
    ("name", "structure"),
    [("slider_crank", None), ("breaking_pendulum", None), ("peaucellier", None), ("walker", "на левой")],
)
def test_maxima_differentiates_the_constraints(
    name: str, structure: str | None, models_dir: Path, tmp_path: Path
) -> None:
    equations = sistel.load(models_dir / f"{name}.xml").equations(structure)
    text = equations.to_maxima()
    # The same check of a Jacobian that is wrong in one entry: the certificate can fail.
    wrong = text.replace(
        "speeds: makelist", "constraint_jacobian[1][1]: constraint_jacobian[1][1] + 1$\nspeeds: makelist"
    )
    zeros = ", ".join("0" * len(equations.constraints))
    found = maxima(text, tmp_path)
    assert f"velocity residual: [{zeros}]" in found and f"acceleration residual: [{zeros}]" in found
    assert f"velocity residual: [{zeros}]" not in maxima(wrong, tmp_path)


@pytest.mark.skipif(MAXIMA is None, reason="Maxima is not installed")
def test_maxima_finds_the_slider_crank_of_books(models_dir: Path, tmp_path: Path) -> None:
    # Where the loop is closed, the piston is at r cos q1 + sqrt(l² − r² sin² q1).
    text = sistel.load(models_dir / "slider_crank.xml").equations().to_maxima()
    check = """
        closed: subst([sin(q1 + q2) = -r*sin(q1)/l, cos(q1 + q2) = sqrt(l^2 - r^2*sin(q1)^2)/l], constraints)$
        print("piston:", ratsimp(subst(q3 = r*cos(q1) + sqrt(l^2 - r^2*sin(q1)^2), closed)))$"""
    assert "piston: [0, 0]" in maxima(text + check, tmp_path)
