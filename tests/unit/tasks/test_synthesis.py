"""Lengths of more than two links: the smallest hole around the shoulder, compared with many other proportions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sistel.cli import main

LIMITS = (100.0, 60.0)
"""Of the second and third joint, to both sides [deg]."""


def arm(second: float, third: float) -> str:
    link = 'mass="1" com="{0}/2, 0" inertia="0.01"'
    parameters = "".join(
        f'<parameter name="l{i}" value="{v} mm" min="50 mm" max="700 mm"/>' for i, v in ((1, 200), (2, 300), (3, 400))
    )
    motor = '<motor name="m{0}" limit="60 N*m" speed="180 deg/s"/>'
    return (
        f'<system name="three links">{parameters}'
        f'<body name="a" joint="revolute" {link.format("l1")} min="-170" max="170">{motor.format(1)}'
        f'<body name="b" joint="revolute" place="l1, 0" {link.format("l2")} min="{-second}" max="{second}">{motor.format(2)}'
        f'<body name="c" joint="revolute" place="l2, 0" {link.format("l3")} min="{-third}" max="{third}">{motor.format(3)}'
        '<point name="hand" place="l3, 0"/></body></body></body>'
        '<posture name="p"><coordinate of="a" value="0"/></posture><posture name="r"><coordinate of="b" value="40"/></posture></system>'
    )  # fmt: skip


def hole(lengths: np.ndarray, second: float, third: float) -> float:
    """The least distance of the hand from the shoulder, of many postures."""
    q2, q3 = np.meshgrid(*(np.radians(np.linspace(-each, each, 241)) for each in (second, third)))
    x = lengths[0] + lengths[1] * np.cos(q2) + lengths[2] * np.cos(q2 + q3)
    y = lengths[1] * np.sin(q2) + lengths[2] * np.sin(q2 + q3)
    return float(np.hypot(x, y).min())


@pytest.mark.slow
@pytest.mark.parametrize("limits", [LIMITS, (180.0, 180.0)])
def test_three_lengths_leave_the_smallest_hole(
    limits: tuple[float, float], tmp_path: Path, capsys: pytest.CaptureFixture[str], rng: np.random.Generator
) -> None:
    (tmp_path / "arm.xml").write_text(arm(*limits))
    (tmp_path / "motors.xml").write_text(
        '<motors><motor name="M" limit="200 N*m" speed="900 deg/s" ratio="1"/></motors>'
    )
    (tmp_path / "task.xml").write_text(
        '<task name="t" model="arm.xml"><synthesis frame="hand" parameters="l1, l2, l3" reach="0.9 m" payload="0.5 kg" '
        'cycle="2 s" between="p, r" motors="motors.xml"/></task>'
    )
    assert main(["solve", str(tmp_path / "task.xml"), "--json", "--lang", "en"]) == 0
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    got = {answer["wanted"]: answer["value"] for answer in problem["answers"]}
    lengths = np.array([got[f"l{i}"] for i in (1, 2, 3)])
    assert 0.9 - 1e-9 <= lengths.sum() <= 0.903
    if limits == LIMITS:
        shares = rng.dirichlet([1.5, 1.5, 1.5], size=300)
        others = [
            hole(0.9 * each, *limits) for each in shares if (0.9 * each > 0.05).all() and (0.9 * each < 0.7).all()
        ]
        # A look from link to link may end a little beside the least; three millimetres are the rounding up.
        assert hole(lengths, *limits) < min(others) + 0.006
        assert hole(lengths, *limits) < 0.7 * hole(np.array([0.2, 0.3, 0.4]), *limits)
    else:
        # Where many proportions leave no hole, the most even ones are taken.
        assert lengths == pytest.approx([0.3, 0.3, 0.3], abs=1e-9)
