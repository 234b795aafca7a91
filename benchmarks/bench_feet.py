"""A robot that lands on its feet: ANYmal dropped from 20 mm, two seconds of it, against MuJoCo.

Feet are points with dry friction on a floor; springs with dampers hold the joints to a standing posture, the same in
both engines. It falls level, so that all feet strike at once and stick, or a little turned, so that they strike one
after another, slide and stick.

sistel's feet strike plastically and do not creep. MuJoCo's are made to creep as little as it can: elliptic cones and an
`impratio` of 1000, contacts as stiff as the step allows (a time constant of two steps). Its usual step is 2 ms; shorter
ones are more exact. Errors are the largest of coordinates and velocities at the end, against a run of sistel's at
1e-14 by series, which MuJoCo comes near to with short steps. At each of MuJoCo's steps sistel takes the loosest
tolerance that is no less exact. Processor's time of warm runs, turns in the same rounds, the least counts: MuJoCo keeps
nothing but the end and steps in a loop of its own, sistel's runs can be asked for any time.
"""

from __future__ import annotations

import math
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _bench import RESULTS, human, machine, parser, write
from _mujoco import joint_lines, place_text, text_of
from _native import Missing
from _race import measure_turns
from _robots import RACE, Pair, pair

import sistel

UNTIL = 2.0
"""How long it is followed [s]."""
HEIGHT = 0.02
"""Of the lowest foot above the floor, at the start [m]."""
FRICTION = 0.7
STIFFNESS, DAMPING = 400.0, 20.0
"""Of the joints [N·m/rad, N·m·s/rad]."""
LEGS = ("LF", "RF", "LH", "RH")
JOINTS = {"HIP": "HAA", "THIGH": "HFE", "SHANK": "KFE"}
"""Bodies of a leg, and what the file calls their joints."""
LANDINGS = {"level": (0.0, 0.0), "turned": (math.radians(3.0), math.radians(2.0))}
"""About x, then about y [rad]."""
EXACT = 1e-14
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-6, 1e-8, None)
"""Of sistel's runs; None is what a run has where nothing is said."""
STEPS = (2e-3, 1e-3, 5e-4, 1e-4)
"""Of MuJoCo's runs [s]."""
WARM = 40
"""Runs before the first that counts: machine code of long equations is made when it turns out to be used."""
RADIUS = 1e-6
"""Of MuJoCo's feet [m]."""

Turn = Callable[[int], float]


def posture(leg: str) -> dict[str, float]:
    """Angles of the joints of a standing leg [rad], by body."""
    out, fore = (-1.0 if leg[0] == "L" else 1.0), (1.0 if leg[1] == "F" else -1.0)
    return {"HIP": 0.1 * out, "THIGH": 0.7 * fore, "SHANK": -1.0 * fore}


def document() -> str:
    """ANYmal with feet and springs as sistel's file: what the package reads of the robot, without shapes and limits."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "anymal.xml")
        RACE["anymal"].load().save(path)
        text = path.read_text(encoding="utf-8")
    text = re.sub(r" *<(motor|sphere|box)[^>]*/>\n", "", text)
    text = re.sub(r' (min|max|speed)="[^"]*"', "", text).replace(' class="open tree"', "")
    motions = contacts = ""
    for leg in LEGS:
        text = re.sub(rf'(name="{leg}_FOOT"[^>]*)>', rf'\1><point name="{leg}" place="0,0,0"/>', text, count=1)
        contacts += f'<contact name="{leg} foot" point="{leg}" surface="z = 0" friction="{FRICTION}" impact="plastic"/>'
        for body, angle in posture(leg).items():
            motions += f'<motion of="{leg}_{body}" value="{angle!r} rad" kp="{STIFFNESS}" kd="{DAMPING}"/>'
    return text.replace("</system>", f'{motions}<links>{contacts}</links><start base.z="1 m"/></system>')


def mjcf(own: Pair) -> str:
    """The same for MuJoCo, with a step of 2 ms."""
    import pinocchio as pin

    model, lines = own.model, list[str]()
    children: dict[int, list[int]] = {}
    for number in range(1, model.njoints):
        children.setdefault(model.parents[number], []).append(number)
    angles = {f"{leg}_{JOINTS[body]}": angle for leg in LEGS for body, angle in posture(leg).items()}
    feet = {}
    for leg in LEGS:
        frame = model.frames[model.getFrameId(f"{leg}_FOOT", pin.FrameType.BODY)]
        feet[frame.parentJoint] = frame.placement.translation
    contact = f'friction="{FRICTION} 0 0" condim="3"'

    def body(number: int) -> None:
        inertia = model.inertias[number]
        I_C = np.asarray(inertia.inertia)
        moments = [I_C[0, 0], I_C[1, 1], I_C[2, 2], I_C[0, 1], I_C[0, 2], I_C[1, 2]]
        lines.append(f'<body name="b{number}" {place_text(model.jointPlacements[number])}>')
        lines.append(
            f'<inertial pos="{text_of(inertia.lever)}" mass="{inertia.mass!r}" fullinertia="{text_of(moments)}"/>'
        )
        spring = f' stiffness="{STIFFNESS}" damping="{DAMPING}" springref="{angles.get(model.names[number], 0.0)!r}"/>'
        for line in joint_lines(model.joints[number]):
            lines.append(line if "free" in line else line.replace("/>", spring))
        if number in feet:
            # Feet touch the floor, and not each other.
            place = text_of(feet[number])
            lines.append(f'<geom type="sphere" size="{RADIUS}" pos="{place}" contype="1" conaffinity="0" {contact}/>')
        for child in children.get(number, ()):
            body(child)
        lines.append("</body>")

    for number in children[0]:
        body(number)
    floor = f'<geom type="plane" size="0 0 1" pos="0 0 {-RADIUS}" contype="0" conaffinity="1" {contact}/>'
    return (
        '<mujoco><compiler angle="radian" inertiafromgeom="false"/>'
        f'<option timestep="0.002" cone="elliptic" impratio="1000" gravity="{text_of(model.gravity.linear)}"/>'
        f"<worldbody>{floor}{''.join(lines)}</worldbody></mujoco>"
    )


def quaternion(about_x: float, about_y: float) -> Any:
    """Of a turn about x, then about the new y."""
    a, b = 0.5 * about_x, 0.5 * about_y
    cosines, sines = (math.cos(a), math.cos(b)), (math.sin(a), math.sin(b))
    return np.array([cosines[0] * cosines[1], sines[0] * cosines[1], cosines[0] * sines[1], sines[0] * sines[1]])


class Landing:
    """One landing, in both engines."""

    def __init__(self, system: sistel.System, turned: tuple[float, float]) -> None:
        self.system = system
        self.q, self.v = np.zeros(system.nq), np.zeros(system.nv)
        self.q[:4] = quaternion(*turned)
        first = {body.name: body.first_q for body in system.bodies}
        for leg in LEGS:
            for body, angle in posture(leg).items():
                self.q[first[f"{leg}_{body}"]] = angle
        self.q[6] = HEIGHT - min(float(system.pose(self.q, f"{leg}_FOOT")[2, 3]) for leg in LEGS)
        self.exact = self.end(EXACT, "taylor")

    def run(self, tolerance: float | None, method: Any = "auto") -> sistel.Run:
        given = {} if tolerance is None else {"tolerance": tolerance}
        return self.system.simulate(UNTIL, q=self.q, v=self.v, method=method, **given)

    def end(self, tolerance: float | None, method: str = "auto") -> Any:
        run = self.run(tolerance, method)
        return np.concatenate([run.q[-1], run.v[-1]])

    def error(self, found: Any) -> float:
        return float(np.abs(found - self.exact).max())

    def ours(self, tolerance: float | None) -> tuple[float, Turn]:
        """The error of a run, and its turn."""
        for _ in range(WARM):
            self.run(tolerance)

        def turn(passes: int) -> float:
            start = time.process_time()
            for _ in range(passes):
                self.run(tolerance)
            return (time.process_time() - start) / passes

        return self.error(self.end(tolerance)), turn


class MuJoCo:
    """The robot in MuJoCo."""

    def __init__(self, own: Pair) -> None:
        try:
            import mujoco
        except ImportError:
            raise Missing("MuJoCo is missing (pip install mujoco)") from None
        self.mujoco, self.pair = mujoco, own
        self.version = mujoco.__version__
        self.model = mujoco.MjModel.from_xml_string(mjcf(own))
        self.data = mujoco.MjData(self.model)

    def turn(self, landing: Landing, step: float) -> tuple[float, Turn]:
        """The error of a run with some step, and its turn."""
        model, data, q = self.model, self.data, landing.q
        rows, rates = self.pair.q_order[7:], self.pair.order[6:]

        def move() -> None:
            model.opt.timestep = step
            model.geom_solref[:] = 2.0 * step, 1.0
            self.mujoco.mj_resetData(model, data)
            data.qpos[:3], data.qpos[3:7], data.qpos[7:] = q[4:7], q[:4], q[rows]
            self.mujoco.mj_step(model, data, round(UNTIL / step))

        def turn(passes: int) -> float:
            start = time.process_time()
            for _ in range(passes):
                move()
            return (time.process_time() - start) / passes

        move()
        found = np.zeros(len(q) + len(landing.v))
        end, v = found[: len(q)], found[len(q) :]
        end[4:7], end[:4], end[rows] = data.qpos[:3], data.qpos[3:7], data.qpos[7:]
        # MuJoCo has the velocity of the base in the world, its angular velocity in the body.
        R = np.zeros(9)
        self.mujoco.mju_quat2Mat(R, data.qpos[3:7])
        v[:3], v[3:6], v[rates] = data.qvel[3:6], R.reshape(3, 3).T @ data.qvel[:3], data.qvel[6:]
        return landing.error(found), turn


def race(name: str, landing: Landing, peer: MuJoCo | None, rounds: int) -> dict[str, Any]:
    """CPU seconds and errors of a landing at all settings, and both engines at equal errors."""
    turns: dict[Any, Turn] = {}
    errors: dict[Any, float] = {}
    for tolerance in TOLERANCES:
        errors["sistel", tolerance], turns["sistel", tolerance] = landing.ours(tolerance)
    for step in STEPS if peer is not None else ():
        assert peer is not None
        errors["MuJoCo", step], turns["MuJoCo", step] = peer.turn(landing, step)
    seconds = measure_turns(turns, rounds)
    events = len(landing.run(None).events)
    print(f"{name} landing, {events} events")
    for (engine, setting), spent in seconds.items():
        what = "default tolerance" if setting is None else f"{setting:g}"
        print(f"  {engine} {what:>18}: {human(spent):>8}, error {errors[engine, setting]:.1e}")
    rows = []
    for step in STEPS if peer is not None else ():
        meets = [each for each in TOLERANCES if errors["sistel", each] <= errors["MuJoCo", step]]
        best = min(meets, key=lambda each: seconds["sistel", each])
        ratio = seconds["MuJoCo", step] / seconds["sistel", best]
        rows.append({"step": step, "tolerance": best, "ratio": ratio})
        print(f"  at MuJoCo's error with steps of {1e3 * step:g} ms: sistel is {ratio:.2f}× as fast")
    runs = [
        {"engine": engine, "setting": setting, "seconds": spent, "error": errors[engine, setting]}
        for (engine, setting), spent in seconds.items()
    ]
    return {"landing": name, "events": events, "runs": runs, "equal": rows}


def main() -> int:
    options = parser(__doc__, rounds=10)
    options.add_argument("--only", choices=LANDINGS, help="one landing")
    given = options.parse_args()
    system = sistel.parse(document(), "anymal.xml")
    peer = None
    try:
        peer = MuJoCo(pair(RACE["anymal"]))
    except Missing as missing:
        print(f"without MuJoCo: {missing}")
    found = [
        race(name, Landing(system, turned), peer, given.rounds)
        for name, turned in LANDINGS.items()
        if given.only in (None, name)
    ]
    data = {"benchmark": "feet", "machine": machine(), "engine": None if peer is None else peer.version, "rows": found}
    write(data, given.json or RESULTS / "feet.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
