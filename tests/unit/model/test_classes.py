"""Structural classes and degrees of freedom against hand counts."""

from __future__ import annotations

import pytest

import sistel

R = 'joint="revolute" mass="1" com="0,100" inertia="0.01"'
CHAIN = f'<body name="a" {R}><body name="b" place="0,200" {R}><body name="c" place="0,200" {R}/></body></body>'
TREE = f'<body name="a" {R}><body name="b" {R}/><body name="c" {R}/></body>'
FLOATING = TREE.replace('joint="revolute"', 'joint="free"', 1)


@pytest.mark.parametrize(
    ("inside", "expected", "dof"),
    [
        (CHAIN, "ПСТОВ", 3),
        (TREE, "ПДСТОВ", 3),
        (f'<body name="a" {R}/><body name="b" {R}/>', "ПДСТОВ", 2),
        (f'{CHAIN}<links><closure name="k" body="c" to="0" at-to="100,0"/></links>', "ПСТВ", 1),
        (f'{CHAIN}<links><closure name="k" joint="prismatic" body="c" to="0"/></links>', "ПСТВ", 1),
        (f'{CHAIN}<links><closure name="k" joint="fixed" body="c" to="0"/></links>', "ПСТВ", 0),
        # A ring that does not pass through the ground hangs on a body with two neighbours.
        (f'{TREE}<links><closure name="k" body="b" to="c"/></links>', "ПДСТВ", 1),
        (f'{CHAIN}<body name="d" {R}/><links><closure name="k" body="c" to="d"/></links>', "ПСТВ", 2),
        (f'{CHAIN}<body name="d" {R}/><links><closure name="k" body="b" to="d"/></links>', "ПДСТВ", 2),
        # A body that is fixed to another is a part of it.
        (f'<body name="f"><body name="a" {R}><body name="w" mass="1"/><body name="b" {R}/></body></body>', "ПСТОВ", 2),
        (
            f'<body name="f"/><body name="a" {R}><body name="b" {R}/></body><links><closure name="k" joint="prismatic" body="b" to="f"/></links>',
            "ПСТВ",
            0,
        ),
        (FLOATING, "ПДСТОВ", 5),
        # One foot on the ground: the free joint is no contact, so there is no loop.
        (f'{FLOATING}<links><closure name="k" body="b" to="0"/></links>', "ПДСТОВ", 3),
        (
            f'{FLOATING}<links><closure name="k" body="b" to="0"/><closure name="l" body="c" to="0"/></links>',
            "ПДСТВ",
            1,
        ),
        (f'{CHAIN}<links><structure name="s"/><structure name="w"/></links>', "ПДСТ", 3),
    ],
)
def test_planar_classes(inside: str, expected: str, dof: int) -> None:
    system = sistel.parse(f"<system>{inside}</system>")
    assert (system.structure_class, system.dof()) == (expected, dof)


def test_spatial_dof_of_the_stewart_platform_by_hand() -> None:
    """Six legs of universal, prismatic and spherical joints: 6·13 − 5·(6 − 3)·1 − … = 6 (Grübler–Kutzbach)."""
    leg = '<body name="lower {i}" joint="universal" mass="1" inertia="1"><body name="upper {i}" joint="prismatic" axis="z" mass="1" inertia="1">{top}</body></body>'
    platform = '<body name="platform" joint="spherical" mass="1" inertia="1"/>'
    legs = "".join(leg.format(i=i, top=platform if i == 0 else "") for i in range(6))
    closures = "".join(f'<closure name="k{i}" joint="spherical" body="upper {i}" to="platform"/>' for i in range(1, 6))
    system = sistel.parse(f'<system space="spatial">{legs}<links>{closures}</links></system>')
    assert system.dof() == 6
    assert system.structure_class == "ДСТВ"
    assert system.structure().loops == 5


def test_frictionless_contact_forbids_one_motion() -> None:
    text = (
        '<system><body name="a" joint="free" mass="1" inertia="1"><point name="p"/></body><links>'
        '<contact name="c" point="p" surface="y = 0" friction="{}"/><structure name="s" holds="c"/></links></system>'
    )
    assert sistel.parse(text.format("none")).dof() == 2
    assert sistel.parse(text.format("stick")).dof() == 1
    assert sistel.parse(text.format("0.5")).dof() == 1


def test_why_not_in_words() -> None:
    system = sistel.parse(f'<system><body name="a" {R}><body name="rod" joint="revolute"/></body></system>')
    (reason,) = system.structure().why_not
    assert reason.en == 'body "rod" has no mass and ends a branch'
    assert reason.ru == "тело «rod» не имеет массы и заканчивает ветвь"
