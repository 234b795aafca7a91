"""How a gripper looks: its parts as codes of bodies, in metres, about the pole between the pads of its fingers.

Fingers point along x, the thumb along y; at the tail is the lug of the bayonet, above as the thumb.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sistel.look import AXES as FRAME
from sistel.look import parts

WIDEST = 0.1
"""The widest gap between the fingers [m]."""

Colour = tuple[float, float, float]
STEEL: Colour = (0.72, 0.75, 0.79)
WHITE: Colour = (0.9, 0.92, 0.94)
BLUE: Colour = (0.1, 0.33, 0.62)
DARK: Colour = (0.15, 0.17, 0.2)
ORANGE: Colour = (0.95, 0.45, 0.08)
ALONG_X = (0.0, 0.0, 1.0, 90.0)
ALONG_Y = (1.0, 0.0, 0.0, 0.0)
ALONG_Z = (1.0, 0.0, 0.0, 90.0)
BOX, CYLINDER, CONE, BALL, TORUS = 1, 2, 3, 4, 5


@dataclass(frozen=True, slots=True)
class Part:
    """One primitive."""

    kind: int
    sizes: tuple[float, float, float]
    at: tuple[float, float, float]
    colour: Colour
    way: tuple[float, float, float, float] = ALONG_Y
    """Axis and angle [deg]."""
    transparency: float = 0.0


def body_code(parts: Iterable[Part]) -> tuple[float, ...]:
    """The code of a body with these parts: Cartesian coordinates, Euler parameters."""
    code: list[float] = []
    for part in parts:
        code += [part.kind, *part.sizes, 0, *part.at, 0, *part.way, *part.colour, part.transparency]
    return (*code, 0.0)


def rod(length: float, width: float, at: tuple[float, float, float], colour: Colour) -> Part:
    """A cylinder along x."""
    return Part(CYLINDER, (width, length, width), at, colour, ALONG_X)


FINGER = (
    Part(BOX, (0.048, 0.006, 0.026), (0.0, 0.003, 0.0), DARK),
    Part(BOX, (0.086, 0.013, 0.022), (-0.02, 0.0125, 0.0), STEEL),
    Part(CYLINDER, (0.013, 0.022, 0.013), (0.023, 0.0125, 0.0), STEEL, ALONG_Z),
    Part(CYLINDER, (0.03, 0.028, 0.03), (-0.062, 0.015, 0.0), BLUE, ALONG_Z),
    Part(CYLINDER, (0.012, 0.031, 0.012), (-0.062, 0.015, 0.0), STEEL, ALONG_Z),
    Part(BOX, (0.026, 0.024, 0.034), (-0.075, 0.018, 0.0), WHITE),
)
"""The upper one: its pad ends at y = 0."""
HAND = (
    Part(BOX, (0.024, 0.15, 0.046), (-0.097, 0.0, 0.0), BLUE),
    Part(CYLINDER, (0.046, 0.024, 0.046), (-0.097, 0.075, 0.0), BLUE, ALONG_X),
    Part(CYLINDER, (0.046, 0.024, 0.046), (-0.097, -0.075, 0.0), BLUE, ALONG_X),
    Part(BOX, (0.004, 0.14, 0.02), (-0.084, 0.0, 0.0), DARK),
    Part(BOX, (0.052, 0.044, 0.056), (-0.135, 0.0, 0.0), WHITE),
    rod(0.052, 0.056, (-0.135, 0.022, 0.0), WHITE),
    rod(0.052, 0.056, (-0.135, -0.022, 0.0), WHITE),
    Part(BOX, (0.03, 0.008, 0.0575), (-0.135, 0.0, 0.0), BLUE),
    rod(0.026, 0.05, (-0.172, 0.0, 0.0), DARK),
    Part(TORUS, (0.062, 0.0155, 0.062), (-0.187, 0.0, 0.0), STEEL, ALONG_X),
    rod(0.05, 0.034, (-0.21, 0.0, 0.0), STEEL),
    Part(BALL, (0.02, 0.034, 0.034), (-0.235, 0.0, 0.0), STEEL),
    # thumb
    Part(TORUS, (0.036, 0.01, 0.036), (-0.097, 0.1, 0.0), STEEL),
    Part(CYLINDER, (0.026, 0.042, 0.026), (-0.097, 0.117, 0.0), ORANGE),
    Part(BALL, (0.026, 0.026, 0.026), (-0.097, 0.138, 0.0), ORANGE),
    # lug
    Part(BOX, (0.016, 0.034, 0.014), (-0.218, 0.027, 0.0), ORANGE),
)
FLANGE = (
    rod(0.034, 0.056, (-0.222, 0.0, 0.0), DARK),
    Part(TORUS, (0.064, 0.012, 0.064), (-0.236, 0.0, 0.0), STEEL, ALONG_X),
    rod(0.07, 0.05, (-0.272, 0.0, 0.0), WHITE),
    Part(BALL, (0.074, 0.074, 0.074), (-0.32, 0.0, 0.0), BLUE),
    # the slot: closed above, where a fitted lug stands; open in front, where it goes in and out
    Part(BOX, (0.02, 0.004, 0.004), (-0.222, 0.0285, 0.01), STEEL),
    Part(BOX, (0.02, 0.004, 0.004), (-0.222, 0.0285, -0.01), STEEL),
    Part(BOX, (0.02, 0.004, 0.02), (-0.222, 0.0, 0.0275), ORANGE, (1.0, 0.0, 0.0, 90.0)),
)
"""What carries a gripper: in its frame while one is fitted."""

AXES = tuple(
    part
    for way, along, colour in (
        ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0, -90.0), parts(FRAME["x"])),
        ((0.0, 1.0, 0.0), ALONG_Y, parts(FRAME["y"])),
        ((0.0, 0.0, 1.0), ALONG_Z, parts(FRAME["z"])),
    )
    for part in (
        Part(CYLINDER, (0.004, 0.09, 0.004), (0.045 * way[0], 0.045 * way[1], 0.045 * way[2]), colour, along),
        Part(CONE, (0.012, 0.022, 0.012), (0.1 * way[0], 0.1 * way[1], 0.1 * way[2]), colour, along),
    )
)
"""Arrows along x, y and z of a gripper, from its pole, in the colours of axes."""

PARTS: Mapping[str, tuple[float, ...]] = {
    "hand": body_code(HAND),
    "finger": body_code(FINGER),
    "flange": body_code(FLANGE),
}
"""Codes of the bodies of a gripper; `write_prototypes` takes others instead."""
