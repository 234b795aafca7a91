"""Tokens: letters that can be read, coordinates that every eye tells apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from sistel.look import AXES, COORDINATES, STRUCTURES, TOKENS, colour, mixed, parts

_CONES = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])


def _without(lacking: list[list[float]]) -> np.ndarray:
    """Of linear red, green and blue: Viénot, Brettel and Mollon (1999)."""
    return np.asarray(np.linalg.inv(_CONES) @ np.array(lacking) @ _CONES)


# Two models for each of the usual two. Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
# table of severity 1, on linear red, green and blue.
EYES = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
    "protanopia of 1999": _without([[0, 2.02344, -2.52581], [0, 1, 0], [0, 0, 1]]),
    "deuteranopia of 1999": _without([[1, 0, 0], [0.494207, 0, 1.24827], [0, 0, 1]]),
}
LEAST_APART = 12.0
"""Of any two coordinates, to any eye: distance in OKLab times 100."""


def linear(rgb: np.ndarray) -> np.ndarray:
    """Of sRGB (IEC 61966-2-1)."""
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def luminance(text: str) -> float:
    rgb = np.array([int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return float(linear(rgb) @ (0.2126, 0.7152, 0.0722))


def contrast(one: str, other: str) -> float:
    """WCAG 2.2, definition of contrast ratio."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def oklab(rgb: np.ndarray) -> np.ndarray:
    """Of linear red, green and blue: Ottosson (2020)."""
    to_cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    to_lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return np.asarray(to_lab @ np.cbrt(to_cones @ rgb))


def apart(dark: bool) -> list[tuple[float, str, str, str]]:
    """Distances of all pairs to all eyes, the least first."""
    found = []
    for eye, matrix in EYES.items():
        seen = {name: oklab(np.clip(matrix @ linear(np.array(parts(name, dark=dark))), 0, 1)) for name in COORDINATES}
        found += [(100 * float(np.linalg.norm(seen[a] - seen[b])), eye, a, b) for a, b in combinations(COORDINATES, 2)]
    return sorted(found)


def test_the_measures_are_those_of_the_standards() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=1e-3)
    assert oklab(np.ones(3)) == pytest.approx([1.0, 0.0, 0.0], abs=1e-4)
    assert oklab(linear(np.array([1.0, 0.0, 0.0]))) == pytest.approx([0.6280, 0.2249, 0.1258], abs=1e-4)
    # Whoever lacks cones sees greys as they are.
    for matrix in EYES.values():
        assert matrix @ np.ones(3) == pytest.approx(np.ones(3), abs=2e-3)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("name", "grounds", "least"),
    [
        ("ink", ("paper", "plate", "sunk", "soft", "solid", "soil", "warn-bg", "bad-bg", "good-bg"), 7.0),
        ("dim", ("paper", "plate", "sunk"), 4.5),
        ("accent", ("paper", "plate"), 4.5),
        ("accent", ("soft",), 4.5),
        ("on-accent", ("accent",), 4.5),
        ("warn", ("paper", "plate", "warn-bg"), 4.5),
        ("bad", ("paper", "plate", "bad-bg"), 4.5),
        ("good", ("paper", "plate", "good-bg"), 4.5),
        ("edge", ("paper", "plate"), 3.0),
        *((name, ("paper",), 3.1) for name in COORDINATES),
    ],
)
def test_contrasts(name: str, grounds: tuple[str, ...], least: float, dark: bool) -> None:
    for ground in grounds:
        found = contrast(colour(name, dark=dark), colour(ground, dark=dark))
        assert found >= least, f"{name} on {ground}: {found:.2f}"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_eye_tells_the_coordinates_apart(dark: bool) -> None:
    distance, eye, one, other = apart(dark)[0]
    assert distance >= LEAST_APART, f"{one} and {other} are {distance:.1f} apart to {eye}"


def test_all_names_are_tokens() -> None:
    assert len(COORDINATES) == len(STRUCTURES) == 8
    assert {*STRUCTURES} == {*COORDINATES} and {*AXES.values()} <= {*COORDINATES}
    for name, pair in TOKENS.items():
        assert all(text[0] == "#" and len(text) in (7, 9) for text in pair), name


def test_mixtures_lie_between() -> None:
    assert mixed("paper", "ink", 0.0) == colour("paper") and mixed("paper", "ink", 1.0) == colour("ink")
    assert mixed("on-accent", "paper", 0.5) == "#ffffff"
