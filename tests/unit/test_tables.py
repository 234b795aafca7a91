"""Tables with commas hold texts of users: no spreadsheet computes them, and our own readers give them back."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sistel
from sistel.files import cell, guarded, unguarded

SIGNS = "=+-@\t\r\n"


@given(st.text(alphabet=st.sampled_from("=+-@\t\r\n'\"a1, ;"), max_size=6))
def test_what_is_guarded_comes_back(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert not guarded(text).startswith(tuple(SIGNS))
    assert guarded(text) == text or text.lstrip("'").startswith(tuple(SIGNS))
    (row,) = csv.reader([cell(text)]) if "\n" not in text and "\r" not in text and text else ([guarded(text)],)
    assert unguarded(row[0]) == text


@pytest.mark.parametrize("text", ["", "a", "arm", "1", "'", "'a", "d'", "a=b", " =1", "x - y"])
def test_plain_texts_stay(text: str) -> None:
    assert guarded(text) == text == unguarded(text)


ARM = """<system name='=HYPERLINK("http://a","b")' space="spatial">
  <body name="-a" joint="revolute" axis="z" mass="1" com="500, 0, 0" inertia="0.1, 0.1, 0.1">
    <body name="-b" joint="revolute" axis="z" place="500, 0, 0" mass="1" com="200, 0, 0" inertia="0.1, 0.1, 0.1">
      <frame name="-tool" place="300, 0, 0"/>
    </body>
  </body>
</system>"""


def heads(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert all(not word.startswith(tuple("=+@\t\r")) for row in rows for word in row)
    assert all(float(word) is not None for row in rows[1:] for word in row if word.startswith("-"))  # a number
    return rows[0]


def test_runs(tmp_path: Path) -> None:
    run = sistel.parse(ARM).simulate(0.1)
    run.save(tmp_path / "run.csv", quantities=["-2*angle('-a')", "+1.0"])
    words = heads(tmp_path / "run.csv")
    assert words[:4] == ["t", "structure", "'-a", "'-b"]
    assert [unguarded(word) for word in words] == ["t", "structure", "-a", "-b", "-a'", "-b'", "-2*angle('-a')", "+1.0"]


def test_tables_of_arms_are_read_back(tmp_path: Path) -> None:
    arm = sistel.parse(ARM)
    arm.save(tmp_path / "arm.csv")
    with (tmp_path / "arm.csv").open(encoding="utf-8", newline="") as file:
        cells = [word for row in csv.reader(file) for word in row]
    assert "'-a" in cells and "-a" not in cells and not any(word.startswith("=") for word in cells)
    again = sistel.load(tmp_path / "arm.csv")
    assert [body.name for body in again.bodies][:2] == ["-a", "-b"]
    assert [frame.name for frame in again.model.frames] == ["-tool"]
    assert again.name == "=HYPERLINK('http://a','b')"  # tables of arms have no quotation marks within texts


def test_travels_and_workspaces(tmp_path: Path) -> None:
    import numpy as np

    from sistel.motion import trajectories as tr

    arm = sistel.parse(ARM)
    way = tr.polynomial_move(np.array([0.1, 0.2]), np.array([0.3, 0.4]), 1.0)
    arm.along(way, "-tool", times=[0.0, 0.5, 1.0]).save(tmp_path / "travel.csv")
    assert "q -a [rad]" in heads(tmp_path / "travel.csv")
    arm.workspace("-tool", plane="xy", samples=500, resolution=12, volume=False).save(tmp_path / "reach.csv")
    assert heads(tmp_path / "reach.csv")[-2:] == ["'-a", "'-b"]
