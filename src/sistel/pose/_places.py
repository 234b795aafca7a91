"""Descriptions of a position: to and from Cartesian coordinates, in batches.

Lengths in metres, angles in radians. The axis of cylindrical and spherical coordinates is z, as in handbooks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text
from sistel.pose._columns import refuse_some

if TYPE_CHECKING:
    from sistel.arrays import Array


REACH = 1e-9
"""How far beyond its reach an arm is still taken to be stretched out, in parts of the reach."""


def from_polar(values: Array) -> Array:
    """x, y, 0 of a distance and an angle from x: ρ, φ."""
    rho, phi = values[..., 0], values[..., 1]
    return np.stack([rho * np.cos(phi), rho * np.sin(phi), np.zeros_like(rho)], axis=-1)


def to_polar(p: Array) -> Array:
    """Distance and angle in the plane z = 0."""
    off = np.abs(p[..., 2]) > 1e-12 * np.maximum(1.0, np.abs(p).max(axis=-1))
    if off.any():
        refuse_some(
            "off-plane",
            Text("polar coordinates are of points with z = 0", "полярные координаты есть у точек с z = 0"),
            off,
        )
    return np.stack([np.hypot(p[..., 0], p[..., 1]), np.arctan2(p[..., 1], p[..., 0])], axis=-1)


def from_cylindrical(values: Array) -> Array:
    """x, y, z of ρ, φ, z."""
    rho, phi, z = values[..., 0], values[..., 1], values[..., 2]
    return np.stack([rho * np.cos(phi), rho * np.sin(phi), z], axis=-1)


def to_cylindrical(p: Array) -> Array:
    """Distance from the axis z, angle from x about it, height."""
    return np.stack([np.hypot(p[..., 0], p[..., 1]), np.arctan2(p[..., 1], p[..., 0]), p[..., 2]], axis=-1)


def from_spherical(values: Array) -> Array:
    """x, y, z of r, θ (from z), φ (from x about z)."""
    r, theta, phi = values[..., 0], values[..., 1], values[..., 2]
    across = r * np.sin(theta)
    return np.stack([across * np.cos(phi), across * np.sin(phi), r * np.cos(theta)], axis=-1)


def to_spherical(p: Array) -> Array:
    """Distance from the origin, angle from z, angle from x about z."""
    across = np.hypot(p[..., 0], p[..., 1])
    return np.stack(
        [np.hypot(across, p[..., 2]), np.arctan2(across, p[..., 2]), np.arctan2(p[..., 1], p[..., 0])], axis=-1
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Articulated:
    """An arm of three hinges, whose angles are angular coordinates: a turning column, a shoulder and an elbow.

    The column turns about z by the first angle. The shoulder is at its top; the upper arm stands at the second angle
    above the horizontal, the forearm at the third one from the direction of the upper arm.
    """

    column: float = 0.0
    """Height of the shoulder [m]."""
    upper: float = 1.0
    """[m]"""
    fore: float = 1.0
    """[m]"""

    def to_cartesian(self, values: Array) -> Array:
        """Where the end of the forearm is, for three angles [rad]."""
        turned, shoulder, elbow = values[..., 0], values[..., 1], values[..., 2]
        ahead = self.upper * np.cos(shoulder) + self.fore * np.cos(shoulder + elbow)
        height = self.column + self.upper * np.sin(shoulder) + self.fore * np.sin(shoulder + elbow)
        return np.stack([ahead * np.cos(turned), ahead * np.sin(turned), height], axis=-1)

    def from_cartesian(self, p: Array) -> Array:
        """Three angles [rad]: the arm faces the point, its elbow above the line from the shoulder to the end."""
        ahead, up = np.hypot(p[..., 0], p[..., 1]), p[..., 2] - self.column
        square = ahead * ahead + up * up
        far, near = self.upper + self.fore, abs(self.upper - self.fore)
        distance = np.sqrt(square)
        out = (distance > far * (1.0 + REACH)) | (distance < near - REACH * far)
        if out.any():
            worst = float(distance[out].flat[0]) if distance.ndim else float(distance)
            refuse_some(
                "out-of-reach",
                Text(
                    f"this point is {worst:g} m from the shoulder; the arm reaches from {near:g} m to {far:g} m",
                    f"до этой точки от плеча {worst:g} м; рука достаёт от {near:g} м до {far:g} м",
                ),
                out,
            )
        # Half the angle of the elbow by its tangent: no digits are lost where the arm is stretched or folded.
        stretch = np.maximum((far - distance) * (far + distance), 0.0)
        fold = np.maximum((distance - near) * (distance + near), 0.0)
        elbow = -2.0 * np.arctan2(np.sqrt(stretch), np.sqrt(fold))
        bent, along = self.fore * np.sin(elbow), self.upper + self.fore * np.cos(elbow)
        shoulder = np.arctan2(up, ahead) - np.arctan2(bent, along)
        return np.stack([np.arctan2(p[..., 1], p[..., 0]), shoulder, elbow], axis=-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """An arm on a turning column, whose generalised coordinates are a turn about z, a lift along it and a reach."""

    height: float = 0.0
    """Of the arm above the ground where the lift is 0 [m]."""
    reach: float = 0.0
    """Of the arm where it is drawn in [m]."""

    def to_cartesian(self, values: Array) -> Array:
        """Where the end of the arm is, for turn [rad], lift and reach [m]."""
        turned, lift, reach = values[..., 0], values[..., 1], values[..., 2] + self.reach
        return np.stack([reach * np.cos(turned), reach * np.sin(turned), self.height + lift], axis=-1)

    def from_cartesian(self, p: Array) -> Array:
        """Turn [rad], lift and reach [m]: the arm faces the point."""
        far = np.hypot(p[..., 0], p[..., 1])
        return np.stack([np.arctan2(p[..., 1], p[..., 0]), p[..., 2] - self.height, far - self.reach], axis=-1)
