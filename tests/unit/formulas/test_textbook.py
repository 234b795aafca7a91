"""Small systems look as in a textbook, letter by letter; angles are clockwise, x points right and y down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sistel
from sistel.formulas import Equations
from sistel.formulas._formula import ZERO, Formula
from sistel.formulas._latex import LatexSetter

TWO_RODS = """<system name="two rods">
  <parameter name="m1" value="2 kg"/><parameter name="m2" value="3 kg"/>
  <parameter name="l1" value="400 mm"/><parameter name="l2" value="300 mm"/>
  <parameter name="I2" value="0.1 kg*m^2"/>
  <body name="upper" joint="revolute" mass="m1" com="0, l1">
    <body name="lower" joint="revolute" place="0, l1" mass="m2" com="0, l2" inertia="I2"/>
  </body>
</system>"""


def written(equations: Equations, formula: Formula) -> str:
    setter = LatexSetter(equations.symbols)
    return setter.join(setter.row(formula))


def all_written(equations: Equations, formulas: tuple[Formula, ...]) -> list[str]:
    return [written(equations, formula) for formula in formulas]


def test_pendulum(models_dir: Path) -> None:
    equations = sistel.load(models_dir / "pendulum.xml").equations()
    assert all_written(equations, equations.motion) == [r"m L^{2} \ddot{q}_{1} + m g L \sin q_{1}"]
    assert written(equations, equations.kinetic) == r"\tfrac{1}{2} m L^{2} \dot{q}_{1}^{2}"
    assert written(equations, equations.potential) == r"- m g L \cos q_{1}"


def test_cart_pole(models_dir: Path) -> None:
    equations = sistel.load(models_dir / "cart_pole.xml").equations()
    assert all_written(equations, equations.motion) == [
        r"(M + m) \ddot{q}_{1} + \tfrac{1}{2} m l \ddot{q}_{2} \cos q_{2} - \tfrac{1}{2} m l \dot{q}_{2}^{2} \sin q_{2}",
        r"\tfrac{1}{2} m l \ddot{q}_{1} \cos q_{2} + \tfrac{1}{3} m l^{2} \ddot{q}_{2} - \tfrac{1}{2} m g l \sin q_{2}",
    ]
    assert [all_written(equations, row) for row in equations.mass] == [
        ["M + m", r"\tfrac{1}{2} m l \cos q_{2}"],
        [r"\tfrac{1}{2} m l \cos q_{2}", r"\tfrac{1}{3} m l^{2}"],
    ]
    assert equations.coriolis[1] == equations.gravity[0] == ZERO
    cart, pole = (dict(load.components) for load in equations.loads)
    assert written(equations, pole["Fx"]) == (
        r"m (\ddot{q}_{1} + \tfrac{1}{2} l \ddot{q}_{2} \cos q_{2} - \tfrac{1}{2} l \dot{q}_{2}^{2} \sin q_{2})"
    )
    assert written(equations, cart["Fy"]) == (
        r"\tfrac{1}{2} m l \ddot{q}_{2} \sin q_{2} + \tfrac{1}{2} m l \dot{q}_{2}^{2} \cos q_{2} - (M + m) g"
    )


def test_double_pendulum_of_the_gallery(models_dir: Path) -> None:
    equations = sistel.load(models_dir / "double_pendulum.xml").equations()
    assert all_written(equations, equations.motion) == [
        r"m L^{2} (3 + 2 \cos q_{2}) \ddot{q}_{1} + m L^{2} (1 + \cos q_{2}) \ddot{q}_{2}"
        r" - m L^{2} \dot{q}_{2} (2 \dot{q}_{1} + \dot{q}_{2}) \sin q_{2} + m g L (2 \sin q_{1} + \sin (q_{1} + q_{2}))",
        r"m L^{2} (1 + \cos q_{2}) \ddot{q}_{1} + m L^{2} \ddot{q}_{2} + m L^{2} \dot{q}_{1}^{2} \sin q_{2}"
        r" + m g L \sin (q_{1} + q_{2})",
    ]


def test_masses_are_added_and_squares_are_found() -> None:
    equations = sistel.parse(TWO_RODS).equations()
    assert written(equations, equations.mass[0][0]) == (
        r"I_{2} + (m_{1} + m_{2}) l_{1}^{2} + m_{2} l_{2}^{2} + 2 m_{2} l_{1} l_{2} \cos q_{2}"
    )
    assert written(equations, equations.gravity[0]) == (
        r"g ((m_{1} + m_{2}) l_{1} \sin q_{1} + m_{2} l_{2} \sin (q_{1} + q_{2}))"
    )
    assert r"(\dot{q}_{1} + \dot{q}_{2})^{2}" in written(equations, equations.kinetic)


def test_products_of_sines_where_axes_cross() -> None:
    # A spherical pendulum: longitude and colatitude. Textbooks have sin² θ, not cos 2θ.
    equations = sistel.parse(
        """<system space="spatial"><parameter name="m" value="1 kg"/><parameter name="l" value="1 m"/>
        <body name="fork" joint="revolute" axis="z">
          <body name="rod" joint="revolute" axis="y" mass="m" com="0, 0, -l"/></body></system>"""
    ).equations()
    assert written(equations, equations.mass[0][0]) == r"m l^{2} \sin^{2} q_{2}"
    assert written(equations, equations.kinetic) == (
        r"\tfrac{1}{2} m l^{2} (\dot{q}_{2}^{2} + \dot{q}_{1}^{2} \sin^{2} q_{2})"
    )
    assert written(equations, equations.coriolis[1]) == r"- \tfrac{1}{2} m l^{2} \dot{q}_{1}^{2} \sin 2 q_{2}"


def test_free_body_obeys_euler(models_dir: Path) -> None:
    equations = sistel.load(models_dir / "free_body.xml").equations()
    assert written(equations, equations.motion[0]) == (
        r"\tfrac{1}{12} m (b^{2} + c^{2}) \dot{\omega}_{1x} + \tfrac{1}{12} m (b^{2} - c^{2}) \omega_{1y} \omega_{1z}"
    )


def test_inclined_plane_keeps_its_angle() -> None:
    equations = sistel.parse(
        """<system><parameter name="m" value="1 kg"/><parameter name="alpha" value="0 rad"/>
        <body name="block" joint="prismatic" axis="x" turn="alpha" mass="m"/></system>"""
    ).equations()
    # Zero today, and still there: nothing may vanish because of a value.
    assert written(equations, equations.motion[0]) == r"m \ddot{q}_{1} - m g \sin \alpha"


def test_parameters_that_others_determine_are_defined(models_dir: Path) -> None:
    equations = sistel.parse(
        """<system><parameter name="m" value="1 kg"/><parameter name="l" value="1 m"/>
        <parameter name="J" value="m*l^2/12"/>
        <body name="rod" joint="revolute" mass="m" com="0, l/2" inertia="J"/></system>"""
    ).equations()
    assert written(equations, equations.mass[0][0]) == r"J + \tfrac{1}{4} m l^{2}"
    ((key, formula),) = equations.definitions
    assert (equations.symbols[key].base, written(equations, formula)) == ("J", r"\tfrac{1}{12} m l^{2}")


def test_springs_friction_and_forces_stand_on_the_right(models_dir: Path) -> None:
    equations = sistel.parse(
        """<system><parameter name="k" value="5 N/m"/><parameter name="c" value="2 N*s/m"/>
        <parameter name="m" value="1 kg"/><gravity value="0"/>
        <body name="x" joint="prismatic" axis="x" mass="m" stiffness="k" damping="c" friction="3"/></system>"""
    ).equations()
    assert written(equations, equations.applied[0]) == r"- c \dot{x} - k x - 3 \operatorname{sign} (\dot{x})"
    assert written(equations, equations.motion[0]) == r"m \ddot{x}"


def test_numbers_stay_numbers_where_the_file_has_numbers() -> None:
    equations = sistel.parse(
        '<system><body name="rod" joint="revolute" mass="1.2" com="0, 250" inertia="0.013"/></system>'
    ).equations()
    assert written(equations, equations.motion[0]) == r"0.088 \ddot{q}_{1} + 0.3 g \sin q_{1}"


def test_letters_for_plain_numbers_on_request() -> None:
    system = sistel.parse(
        """<system><body name="cart" joint="prismatic" axis="x" mass="2">
        <body name="rod" joint="revolute" mass="1.2" com="0, -250" inertia="0.013"/></body></system>"""
    )
    equations = system.equations(symbols=True)
    assert [all_written(equations, row) for row in equations.mass] == [
        ["m_{1} + m_{2}", r"m_{2} c_{2} \cos q_{2}"],
        [r"m_{2} c_{2} \cos q_{2}", "J_{2} + m_{2} c_{2}^{2}"],
    ]
    assert written(equations, equations.gravity[1]) == r"- m_{2} g c_{2} \sin q_{2}"
    names: dict[str, Any] = {}
    exec(compile(equations.to_python(), "x", "exec"), names)
    state = ([0.1, 0.2], [0.3, 0.4], [0.5, 0.6])
    assert names["inverse_dynamics"](*state) == pytest.approx(list(system.inverse_dynamics(*state)), rel=1e-14)
    assert names["PARAMETERS"] == {"m1": 2.0, "m2": 1.2, "c2": 0.25, "J2": 0.013, "g": 9.81}


def test_what_cannot_be_followed_is_said(models_dir: Path) -> None:
    # An exponent decides on dimensions while the file is read, so it cannot stay a letter.
    equations = sistel.parse(
        """<system><parameter name="n" value="2"/><parameter name="l" value="1 m"/>
        <body name="rod" joint="revolute" mass="1" com="0, l" inertia="1 kg*l^n"/></system>"""
    ).equations()
    assert any("taken as numbers: n" in note.en for note in equations.notes)
    assert written(equations, equations.mass[0][0]) == "2 l^{2}"


def test_too_large_systems_are_refused() -> None:
    bodies = "".join(
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" place="100,0" mass="1" com="50,0"/>'
        for i in range(61)
    )
    with pytest.raises(sistel.SistelError, match="61"):
        sistel.parse(f"<system>{bodies}</system>").equations()


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_where_nothing_moves_there_is_no_mass_matrix(space: str) -> None:
    equations = sistel.parse(f'<system name="s" space="{space}"><body name="rod" mass="2"/></system>').equations()
    for text in (equations.to_latex(), equations.to_mathml(), equations.to_html()):
        assert text and "Mass matrix" not in text
