"""The systems of the motion races as MuJoCo reads them, with the parameters of the gallery.

The ground is level and gravity leans, as in the files of the gallery; MuJoCo's z is up, so their y changes its sign.
Point masses have the least inertia that MuJoCo takes, feet a radius far below the errors of the race.
"""

from __future__ import annotations

import math

RADIUS = 1e-8
"""Of feet [m]."""
POINT = 1e-10
"""Inertia of a point mass [kg·m²]."""
G = 9.81
SPOKES = 8
HINGE = '<joint type="hinge" axis="0 1 0"/>'
FRICTION = {"compass_walker": 0.5, "rimless_wheel": 1.0, "bouncing_ball": 0.0}
IMPEDANCE = "0.9999 0.9999 0.001"
"""dmin, dmax, width of MuJoCo's soft contacts: as hard as they come."""


def document(name: str) -> str:
    """MJCF of one of the systems, with a step of 1 ms."""
    return _SYSTEMS[name]()


def _frame(gravity: str, option: str, bodies: str, floor: str = "") -> str:
    return (
        '<mujoco><compiler angle="radian" inertiafromgeom="false"/>'
        f'<option timestep="0.001" gravity="{gravity}" {option}/>'
        f"<worldbody>{floor}{bodies}</worldbody></mujoco>"
    )


def _contact(name: str) -> str:
    return f'friction="{FRICTION[name]!r} 0 0" condim="3" solimp="{IMPEDANCE}"'


def _floor(name: str) -> str:
    return f'<geom type="plane" size="0 0 1" pos="0 0 {-RADIUS!r}" {_contact(name)}/>'


def _foot(name: str, place: str) -> str:
    # Feet do not touch each other: bit 1 is the foot's, and the floor takes it.
    return f'<geom type="sphere" size="{RADIUS!r}" pos="{place}" contype="1" conaffinity="0" {_contact(name)}/>'


def _mass(mass: float, place: str = "0 0 0", inertia: float = POINT) -> str:
    # Only the middle one matters in the plane; MuJoCo wants three that a body can have.
    return f'<inertial pos="{place}" mass="{mass!r}" diaginertia="{inertia!r} {inertia!r} {inertia!r}"/>'


def _hinged(inside: str, place: str = "0 0 0") -> str:
    """A body that turns as those of the gallery do: from x to their y, which is down."""
    return f'<body pos="{place}">{HINGE}{inside}</body>'


def _slides(*axes: str) -> str:
    return "".join(f'<joint type="slide" axis="{axis}"/>' for axis in axes)


def _leaning(slope: float) -> str:
    return f"{G * math.sin(slope)!r} 0 {-G * math.cos(slope)!r}"


def _cart_pole() -> str:
    pole = _hinged(_mass(0.1, "0 0 0.5", 0.1 / 12))
    cart = f"<body>{_slides('1 0 0')}{_mass(1.0)}{pole}</body>"
    return _frame(f"0 0 {-G!r}", 'integrator="RK4"', cart)


def _chain() -> str:
    rods = ""
    for number in range(5):
        rods = _hinged(_mass(1.0, "0 0 -0.1", 0.04 / 12) + rods, "0 0 -0.2" if number < 4 else "0 0 0")
    return _frame(f"0 0 {-G!r}", 'integrator="RK4"', rods)


def _compass() -> str:
    name = "compass_walker"
    leg = _hinged(_mass(5.0, "0 0 -0.5") + _foot(name, "0 0 -1"))
    hip = f"<body>{_slides('1 0 0', '0 0 1')}{_mass(10.0)}{leg}{leg}</body>"
    return _frame(_leaning(0.0525), 'integrator="implicitfast" cone="elliptic"', hip, _floor(name))


def _wheel() -> str:
    name = "rimless_wheel"
    turns = [2 * math.pi * number / SPOKES for number in range(SPOKES)]
    feet = "".join(_foot(name, f"{math.sin(turn)!r} 0 {-math.cos(turn)!r}") for turn in turns)
    hub = f"<body>{_slides('1 0 0', '0 0 1')}{HINGE}{_mass(1.0, inertia=0.25)}{feet}</body>"
    return _frame(_leaning(0.08), 'integrator="implicitfast" cone="elliptic"', hub, _floor(name))


def _ball() -> str:
    name = "bouncing_ball"
    ball = f"<body>{_slides('0 0 1')}{_mass(1.0)}{_foot(name, '0 0 0')}</body>"
    return _frame(f"0 0 {-G!r}", 'integrator="implicitfast" cone="elliptic"', ball, _floor(name))


_SYSTEMS = {
    "cart_pole": _cart_pole,
    "chain5": _chain,
    "compass_walker": _compass,
    "rimless_wheel": _wheel,
    "bouncing_ball": _ball,
}
