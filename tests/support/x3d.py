"""A small reader of X3D texts: where every named Transform is at a time, in the axes of the scene.

Written for the tests alone, from the rules of X3D: nested Transforms, interpolators, routes. It knows nothing of how the
scenes are made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

Array = NDArray[np.float64]


@cache
def schema_problems(shared: Path) -> Callable[[str], list[str]]:
    """What says what the official schema finds wrong in a text; the test is skipped where the schema is not at hand."""
    from lxml import etree

    path = shared / "reference" / "x3d" / "x3d-4.0.xsd"
    if not path.is_file():
        pytest.skip("the schema of X3D is not at hand")
    rules = etree.XMLSchema(etree.parse(str(path)))

    def problems(text: str) -> list[str]:
        rules.validate(etree.fromstring(text.encode(), etree.XMLParser(huge_tree=True)))
        return [str(problem) for problem in rules.error_log]

    return problems


class Scene:
    """The nodes, routes and poses of a scene without prototypes."""

    def __init__(self, text: str) -> None:
        self.root = ElementTree.fromstring(text)
        self.nodes = {each.get("DEF", ""): each for each in self.root.iter() if each.get("DEF")}
        self.routes = [
            tuple(each.get(key, "") for key in ("fromNode", "fromField", "toNode", "toField"))
            for each in self.root.iter("ROUTE")
        ]
        clock = self.root.find(".//TimeSensor")
        self.length = float(clock.get("cycleInterval", "1")) if clock is not None else 0.0
        """Of the motion [s]."""

    def keys(self) -> list[float]:
        """Times of the keys of the first interpolator, from the beginning [s]."""
        for node in self.root.iter():
            if node.tag.endswith("Interpolator"):
                return [self.length * key for key in _numbers(node.get("key", ""))]
        return []

    def pose(self, name: str, time: float) -> Array:
        """Of the Transform of that name, 4×4, at a time from the beginning of the motion [m]."""
        X = np.eye(4)
        for node in self._way(name):
            X = X @ self._transform(node, time)
        return X

    def _way(self, name: str) -> list[ElementTree.Element]:
        parents = {child: parent for parent in self.root.iter() for child in parent}
        at: ElementTree.Element | None = self.nodes[name]
        way = []
        while at is not None:
            if at.tag == "Transform":
                way.append(at)
            at = parents.get(at)
        return way[::-1]

    def _transform(self, node: ElementTree.Element, time: float) -> Array:
        X = np.eye(4)
        place = self._driven(node, "translation", time) or _numbers(node.get("translation", "0 0 0"))
        turn = self._driven(node, "rotation", time) or _numbers(node.get("rotation", "0 0 1 0"))
        X[:3, :3] = _matrix(turn)
        X[:3, 3] = place
        scale = self._driven(node, "scale", time) or _numbers(node.get("scale", "1 1 1"))
        return X @ np.diag([*scale, 1.0])

    def _driven(self, node: ElementTree.Element, field: str, time: float) -> list[float]:
        for source, out, target, into in self.routes:
            if target == node.get("DEF") and into in (field, f"set_{field}"):
                assert out == "value_changed"
                return _interpolated(self.nodes[source], time / self.length)
        return []


def _interpolated(node: ElementTree.Element, fraction: float) -> list[float]:
    keys = _numbers(node.get("key", ""))
    size = 3 if node.tag == "PositionInterpolator" else 4
    values = _numbers(node.get("keyValue", ""))
    rows = [values[i : i + size] for i in range(0, len(values), size)]
    if fraction <= keys[0]:
        return rows[0]
    for i in range(1, len(keys)):
        if fraction < keys[i]:
            share = (fraction - keys[i - 1]) / (keys[i] - keys[i - 1])
            a, b = rows[i - 1], rows[i]
            return _slerp(a, b, share) if size == 4 else [x + share * (y - x) for x, y in zip(a, b, strict=True)]
    return rows[-1]


def _slerp(a: list[float], b: list[float], share: float) -> list[float]:
    """From one turn to another by a turn about a constant axis, the short way; axis and angle."""
    step = _matrix(a).T @ _matrix(b)
    cosine = (np.trace(step) - 1) / 2
    axis = np.array([step[2, 1] - step[1, 2], step[0, 2] - step[2, 0], step[1, 0] - step[0, 1]]) / 2
    sine = float(np.linalg.norm(axis))
    if sine < 1e-12:
        return a
    part = _matrix([*(axis / sine), share * math.atan2(sine, cosine)])
    return _axis_angle(_matrix(a) @ part)


def _axis_angle(R: Array) -> list[float]:
    values, vectors = np.linalg.eig(R)
    axis = np.real(vectors[:, np.argmin(np.abs(values - 1))])
    axis /= np.linalg.norm(axis)
    other = np.eye(3)[int(np.argmin(np.abs(axis)))]
    u = np.cross(axis, other)
    u /= np.linalg.norm(u)
    turned = R @ u
    return [*axis, math.atan2(float(np.cross(u, turned) @ axis), float(u @ turned))]


def _matrix(turn: list[float]) -> Array:
    x, y, z, angle = turn
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * (K @ K))


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.replace(",", " ").split()]


def elements(text: str, tag: str) -> Iterator[ElementTree.Element]:
    """All elements of a kind."""
    yield from ElementTree.fromstring(text).iter(tag)
