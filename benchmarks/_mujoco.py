"""MuJoCo's C library as an engine of the races, and the MJCF that it reads: one body a joint, as in Pinocchio."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from _coordinates import Coordinates, mujoco_coordinates
from _engine import Engine
from _robots import Pair, States, placement, skew_axis

AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


def mjcf(pair: Pair) -> str:
    """The robot without shapes, limits and friction; constraints are switched off."""
    model, lines = pair.model, []
    children: dict[int, list[int]] = {}
    for number in range(1, model.njoints):
        children.setdefault(model.parents[number], []).append(number)

    def body(number: int) -> None:
        inertia = model.inertias[number]
        I_C = np.asarray(inertia.inertia)
        moments = [I_C[0, 0], I_C[1, 1], I_C[2, 2], I_C[0, 1], I_C[0, 2], I_C[1, 2]]
        lines.append(f'<body name="b{number}" {place_text(model.jointPlacements[number])}>')
        lines.append(
            f'<inertial pos="{text_of(inertia.lever)}" mass="{inertia.mass!r}" fullinertia="{text_of(moments)}"/>'
        )
        lines.extend(joint_lines(model.joints[number]))
        if number == pair.tool[0]:
            lines.append(f'<site name="tool" {place_text(pair.tool[1])}/>')
        for child in children.get(number, ()):
            body(child)
        lines.append("</body>")

    for number in children[0]:
        body(number)
    return (
        '<mujoco><compiler angle="radian" inertiafromgeom="false"/>'
        f'<option gravity="{text_of(model.gravity.linear)}"><flag constraint="disable" contact="disable"/></option>'
        "<worldbody>" + "\n".join(lines) + "</worldbody></mujoco>"
    )


def joint_lines(joint: Any) -> list[str]:
    kind = joint.shortname().removeprefix("JointModel")
    if kind == "FreeFlyer":
        return ["<freejoint/>"]
    if kind == "Planar":
        slides = [f'<joint type="slide" axis="{text_of(AXES[axis])}"/>' for axis in "XY"]
        return [*slides, f'<joint type="hinge" axis="{text_of(AXES["Z"])}"/>']
    axis = skew_axis(joint) if kind.endswith("Unaligned") else AXES[kind[1]]
    return [f'<joint type="{"hinge" if kind[0] == "R" else "slide"}" axis="{text_of(axis)}"/>']


def place_text(X: Any) -> str:
    import pinocchio as pin

    R, p = placement(X)
    x, y, z, w = pin.Quaternion(np.array(R).reshape(3, 3)).coeffs()
    return f'pos="{text_of(p)}" quat="{text_of((w, x, y, z))}"'


def text_of(numbers: Any) -> str:
    return " ".join(repr(float(number)) for number in numbers)


class MuJoCo(Engine):
    """One robot in the loops of peers/mujoco_race.c."""

    tasks: ClassVar = {
        # The shortest sequence of functions, then the one call that people make.
        "RNEA": [["mj_rne"], ["mj_inverse"]],
        "CRBA": [["mj_makeM"]],
        "FD": [["mj_factorM, mj_solveM"], ["mj_forward"]],
        "FK+J": [["mj_jacSite"]],
    }
    solving = frozenset({"mj_factorM, mj_solveM", "mj_forward"})
    tolerance = 1e-13

    def __init__(self, pair: Pair, library: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "robot.xml")
            path.write_text(mjcf(pair), encoding="utf-8")
            super().__init__(pair, library, str(path))

    def convert(self, states: States) -> Coordinates:
        return mujoco_coordinates(self.pair, states)
