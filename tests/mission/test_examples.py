"""Row A34 of the mission, through the command line alone: the papers' examples move, and as mechanics wants it."""

from __future__ import annotations

import csv
import json
import math
import re
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.commands import sistel_program

import sistel

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = {
    # The table's file, and by how much some of its coordinates change at least [m or rad].
    "cart-pendulum": ("cart_pendulum", {"тележка": 0.03, "стержень": 5.0}),
    "single-support": ("biped_single_support", {"корпус.y": 0.5, "бедро_л": 1.0, "голень_л": 1.5}),
    "double-support": ("biped_double_support", {"корпус.y": 0.5, "бедро_л": 0.5, "бедро_п": 1.0}),
    "flight": ("biped_flight", {"корпус.x": 0.5, "корпус.y": 0.5}),
    "wrench": ("wrench_nut", {"плечо": 0.3, "предплечье": 0.3, "ключ": 1.0}),
}


class Example:
    """What `sistel demo` wrote."""

    def __init__(self, name: str, folder: Path) -> None:
        done = subprocess.run(
            [sistel_program(), "demo", name, "-o", str(folder), "--json"],
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        self.said: dict[str, Any] = json.loads(done.stdout)
        self.stem, self.moved = EXAMPLES[name]
        stem = self.stem
        self.system = sistel.load(Path(__file__).parents[2] / "models" / f"{stem}.xml")
        with (folder / f"{stem}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.structure = [row.pop("structure") for row in rows]
        self.columns = {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}
        self.t = self.columns["t"]
        self.picture = ElementTree.parse(folder / f"{stem}.svg").getroot()

    @property
    def q(self) -> Any:
        return np.stack([self.columns[name] for name in self.system.model.coordinate_names], axis=1)

    def place(self, point: str) -> Any:
        """Of a point of the system, by its own forward kinematics [m]."""
        return self.system.pose(self.q, point)[:, :2, 3]


def drawn_curve(picture: ElementTree.Element, name: str) -> Any:
    """The first curve of that name in a picture: its points [px]."""
    line = next(
        path
        for path in picture.iter(f"{SVG}path")
        if path.get("class", "").startswith("line") and path.findtext(f"{SVG}title") == name
    )
    start, _, steps = line.get("d", "").removeprefix("M").partition("l")
    numbers = [[float(word) for word in re.findall(r"-?\d*\.?\d+", part)] for part in (start, steps)]
    return np.cumsum(np.reshape([*numbers[0], *numbers[1]], (-1, 2)), axis=0)


@pytest.fixture(scope="module", params=EXAMPLES)
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Example:
    return Example(request.param, tmp_path_factory.mktemp(request.param))


def test_A34(example: Example) -> None:
    """It moves, far; rates are those of the places; and the picture shows what the table holds."""
    assert len(example.t) == 1001 and all(np.isfinite(column).all() for column in example.columns.values())
    assert (np.diff(example.t) >= 0).all() and example.t[-1] >= 0.4
    for name, way in example.moved.items():
        column, rate = example.columns[name], example.columns[f"{name}'"]
        assert np.ptp(column) > way
        # The sums of rates are the places, at every time. Between rows the trapezium errs; where an impact falls
        # between two, by at most half a step times the jump.
        sums = np.concatenate([[0.0], np.cumsum(np.diff(example.t) * (rate[1:] + rate[:-1]) / 2)])
        assert np.abs(sums - (column - column[0])).max() < 0.02 * np.ptp(column)
        points = drawn_curve(example.picture, name)
        seconds = (points[:, 0] - points[0, 0]) / np.ptp(points[:, 0]) * example.t[-1]
        values = np.interp(seconds, example.t, column)
        scale, zero = np.polyfit(values, points[:, 1], 1)
        assert np.abs(scale * values + zero - points[:, 1]).max() < 1.0  # [px], the curve as the table has it
        assert scale < 0 and np.ptp(points[:, 1]) > 20  # upwards is more, and one sees it


def test_A34_mechanics(example: Example) -> None:
    """Each example obeys the law that its structure stands for."""
    stem, t, q, columns = example.stem, example.t, example.q, example.columns
    if stem == "cart_pendulum":
        # Energy goes where the friction of the hinge takes it.
        v = np.stack([columns["тележка'"], columns["стержень'"]], axis=1)
        energy = np.sum(example.system.energies(q, v), axis=0)
        power = 1e-3 * columns["стержень'"] ** 2
        lost = np.concatenate([[0.0], np.cumsum(np.diff(t) * (power[1:] + power[:-1]) / 2)])
        assert lost[-1] > 0.05
        assert np.abs(energy[0] - energy - lost).max() < 1e-3 * lost[-1]
    elif stem == "biped_flight":
        # All bodies fly together: parabolas, and nothing turns.
        assert columns["корпус.x"] == pytest.approx(0.5 + 1.5 * t, abs=1e-12)
        assert columns["корпус.y"] == pytest.approx(-1.3 - t + 9.81 * t**2 / 2, abs=1e-12)
        assert np.ptp(q[:, 2:], axis=0).max() < 1e-12
    elif stem.startswith("biped"):
        # The feet that stand stay, and the trunk comes down.
        standing = {"biped_single_support": ["подошва_л"], "biped_double_support": ["подошва_л", "подошва_п"]}[stem]
        for point in standing:
            assert np.ptp(example.place(point), axis=0).max() < 1e-9
    else:
        assert [row["class"] for row in example.said["structures"]] == ["ПСТОВ", "ПСТВ", "ПСТОВ"]
        found = [(event["before"], event["after"]) for event in example.said["events"]]
        assert found == [("подвод", "затяжка"), ("затяжка", "отвод")]
        # The wrench sits on the nut and turns it, up to the torque that the file asks for and not beyond.
        tight = np.array(example.structure) == "затяжка"
        torque, turned = columns["torque(привод_ключа)"][tight], np.sum(q[tight], axis=1)
        assert 11.5 < torque.max() <= 12.0 and torque.argmax() == len(torque) - 1
        assert np.ptp(example.place("зев")[tight], axis=0).max() < 1e-9
        assert np.abs(example.place("зев")[tight] - [0.6, -0.3]).max() < 1e-3
        assert turned[-1] - turned[0] > math.radians(30)
