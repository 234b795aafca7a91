"""Rows of constraints: every kind of link, against geometry of its own and differences along exact motions.

Joints are moved with constant velocities (`moved`), along which J v of every row changes by its bias alone. Differences
are of the eighth order with a step of 1e-2: the error of the formula is 1e-16/630 of a ninth derivative, which turns at
unit speed keep below 1e3, and rounding is worth ε / step = 2e-14, so 1e-11 of the size leaves a wide margin.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.structures import at, joint_motion, parsed, poses, random_q, rigid, slope, touching, tree_of

import sistel
from sistel.expr import Graph
from sistel.mechanics import Kinematics, Row, anchors, build_tree, constraint_rows, moved
from sistel.mechanics._frames import shareable_runs
from sistel.mechanics._rows import common_link
from sistel.model import Contact, Model, Structure

BODIES = {
    "space": """
      <body name="stand" joint="cylindrical" axis="1,2,2" place="300,100,-50" turn="40,10,-20" mass="1"/>
      <body name="trunk" joint="free" place="100,0,300" turn="20,30,40" mass="2">
        <body name="upper" joint="revolute" axis="1,2,2" place="200,50,0" turn="10,50,70" mass="1">
          <body name="slide" joint="prismatic" axis="0,3,4" place="10,20,30" turn="0,90,0" mass="1">
            <point name="tip" place="40,-70,110"/>
          </body>
        </body>
        <body name="ball" joint="spherical" place="90,80,70" turn="5,60,7" mass="1">
          <body name="hand" joint="universal" axis="1,1,0" axis2="1,-1,1" place="10,120,70" mass="1">
            <point name="finger" place="-20,90,50"/>
          </body>
        </body>
      </body>""",
    "plane": """
      <body name="stand" joint="revolute" place="300,100" turn="40" mass="1"/>
      <body name="trunk" joint="free" place="100,300" turn="20" mass="2">
        <body name="upper" joint="revolute" place="200,50" turn="10" mass="1">
          <body name="slide" joint="prismatic" axis="3,4" place="10,20" turn="90" mass="1">
            <point name="tip" place="40,-70"/>
          </body>
        </body>
        <body name="ball" joint="revolute" place="90,80" turn="5" mass="1">
          <body name="hand" joint="prismatic2" place="10,120" turn="-30" mass="1"><point name="finger" place="-20,90"/></body>
        </body>
      </body>""",
}

AXES = {"space": 'axis="2,-1,2"', "plane": 'axis="3,4"'}
SIDES = {
    "space": 'at="10,20,30" turn="15,-25,35" at-to="5,-40,20" turn-to="-50,10,80"',
    "plane": 'at="10,20" turn="15" at-to="5,-40" turn-to="-50"',
}
TYPES = {
    "space": ("revolute", "spherical", "universal", "fixed", "prismatic", "cylindrical", "planar"),
    "plane": ("revolute", "fixed", "prismatic", "prismatic2"),
}
PAIRS = (("slide", "hand"), ("slide", "0"), ("0", "hand"), ("upper", "slide"), ("stand", "ball"))
"""Bodies with a common link above them, with the ground on either side, on one branch, on two trees."""


def text(space: str, links: str, structure: str) -> str:
    kind = ' space="spatial"' if space == "space" else ""
    return f'<system{kind}>{BODIES[space]}<links>{links}<structure name="s" {structure}/></links></system>'


def rows_of(model: Model, structure: Structure, q: Any, v: Any, t: float = 0.0, found: Any = None) -> list[Row]:
    return constraint_rows(model, tree_of(model), structure, list(q), list(v), t=t, found=found)


def values(rows: list[Row]) -> Any:
    return np.array([row.value for row in rows], float)


def speeds(rows: list[Row], v: Any) -> Any:
    """J v, with what surfaces do by themselves."""
    return np.array([np.dot(row.J, v) + row.drift for row in rows], float)


def closure_model(space: str, key: str, first: str, second: str, rng: Any) -> tuple[Model, Structure, list[float]]:
    """A closure that is met at random coordinates: its second side is put where the joint lets it be."""
    axes = AXES[space] + (' axis2="1,2,0"' if key == "universal" else "")
    if (space, key) in (
        ("plane", "revolute"),
        ("plane", "fixed"),
        ("plane", "prismatic2"),
        ("space", "fixed"),
        ("space", "spherical"),
    ):
        axes = ""
    links = f'<closure name="c" joint="{key}" {axes}'
    links += f' body="{first}" to="{second}" {SIDES[space]} holds="no"/>'
    system = parsed(text(space, links, 'holds="c"'))
    model = system.model
    (closure,) = model.closures
    q = random_q(model, rng)
    X = poses(model, q)
    axis = (0, 0, 1) if space == "plane" and key == "revolute" else closure.axis
    own = rng.uniform(-1, 1, closure.type.nq)
    if key == "spherical":
        own /= np.linalg.norm(own)
    there = X[closure.first.body] @ rigid(closure.first.R_BS, closure.first.p_BS)
    there = there @ joint_motion(key, model.planar, axis, closure.axis2, own)
    local = np.linalg.inv(X[closure.second.body]) @ there
    turn = tuple(tuple(float(x) for x in row) for row in local[:3, :3])
    side = replace(closure.second, p_BS=tuple(float(x) for x in local[:3, 3]), R_BS=turn)
    model = replace(model, closures=(replace(closure, second=side),))
    return model, system.structure("s"), q


CLOSURES = [
    pytest.param(space, key, *pair, id=f"{space}-{key}-{pair[0]}-{pair[1]}")
    for space, keys in TYPES.items()
    for key in keys
    for pair in PAIRS
]


@pytest.mark.parametrize(("space", "key", "first", "second"), CLOSURES)
def test_closures(space: str, key: str, first: str, second: str, rng: np.random.Generator) -> None:
    model, structure, q = closure_model(space, key, first, second, rng)
    v = rng.normal(size=model.nv)
    v = list(v / np.linalg.norm(v))
    rows = rows_of(model, structure, q, v)
    freedoms = model.closures[0].type.nv
    assert len(rows) == (3 if model.planar else 6) - freedoms == len({id(row) for row in rows})
    assert np.abs(values(rows)).max() < 1e-14
    rate = slope(lambda h: values(rows_of(model, structure, moved(model, q, v, h), v)))
    assert speeds(rows, v) == pytest.approx(rate, abs=1e-11)
    gain = slope(lambda h: speeds(rows_of(model, structure, moved(model, q, v, h), v), v))
    assert [row.bias for row in rows] == pytest.approx(gain, abs=1e-11)
    wrenches_do_the_work_of_their_rows(model, rows, q)
    # Off the constraint places are still exact.
    q = random_q(model, rng)
    here = rows_of(model, structure, q, v)
    rate = slope(lambda h: values(rows_of(model, structure, moved(model, q, v, h), v)))
    gain = slope(lambda h: speeds(rows_of(model, structure, moved(model, q, v, h), v), v))
    places = [i for i, row in enumerate(here) if row.part != "turn"]
    assert speeds(here, v)[places] == pytest.approx(rate[places], abs=1e-11)
    assert [row.bias for row in here] == pytest.approx(gain, abs=1e-11)


def wrenches_do_the_work_of_their_rows(model: Model, rows: list[Row], q: Any) -> None:
    """Moments and forces on the bodies for a unit multiplier, through the Jacobians of their points, are the row."""
    kinematics = Kinematics(tree_of(model), list(q))
    for row in rows:
        for wrenches, expected in ((row.wrenches, row.J), (row.dragged, row.drag)):
            if expected is None:
                continue
            total = np.zeros(model.nv)
            for wrench in wrenches:
                J = np.array(kinematics.jacobian(wrench.body, wrench.p), float)
                total += J.T @ np.array([*wrench.moment, *wrench.force], float)
            assert total == pytest.approx(np.array(expected, float), abs=1e-13)


def test_places_of_closures_are_where_geometry_says(rng: np.random.Generator) -> None:
    for space in BODIES:
        model, structure, _ = closure_model(space, "revolute", "0", "hand", rng)
        q = random_q(model, rng)
        X, (closure,) = poses(model, q), model.closures
        apart = at(X[closure.second.body], closure.second.p_BS) - at(X[0], closure.first.p_BS)
        found = [row.value for row in rows_of(model, structure, q, [0.0] * model.nv) if row.part in "xyz"]
        assert found == pytest.approx(apart[: len(found)], abs=1e-14)


# --- contacts ----------------------------------------------------------------------------------------------------------

SURFACES = {
    "plane": {
        "flat": ("y &lt;= 0", lambda x, y, z, t: -y),
        "sloped": ("y &lt;= 0.3*x", lambda x, y, z, t: 0.3 * x - y),
        "curved": ("hypot(x, y) &gt;= 150", lambda x, y, z, t: np.sqrt(x * x + y * y) - 0.15),
        "wavy": ("y &lt;= 50 mm*sin(x/(200 mm))", lambda x, y, z, t: 0.05 * np.sin(x / 0.2) - y),
        "moving": (
            "y &lt;= 50 mm*sin(x/(200 mm) - 3 rad/s*t)",
            lambda x, y, z, t: 0.05 * np.sin(x / 0.2 - 3 * t) - y,
        ),
    },
    "space": {
        "flat": ("z &gt;= 0", lambda x, y, z, t: z),
        "sloped": ("x + 2*y &lt;= 0.3*z", lambda x, y, z, t: 0.3 * z - x - 2 * y),
        "curved": ("hypot(x, y, z) &gt;= 150", lambda x, y, z, t: np.sqrt(x * x + y * y + z * z) - 0.15),
        "moving": (
            "z &gt;= x*y/(1 m)*cos(2 rad/s*t)",
            lambda x, y, z, t: z - x * y * np.cos(2 * t),
        ),
    },
}
CONTACTS = [
    pytest.param(space, name, friction, on, id=f"{space}-{name}-{friction}-{on}")
    for space, surfaces in SURFACES.items()
    for name in surfaces
    for friction in ("none", "0.4")
    for on in ("0", "slide", "trunk")
]


def local_place(model: Model, contact: Contact, q: Any) -> Any:
    X = poses(model, q)
    return at(np.linalg.inv(X[contact.on]), at(X[contact.body], contact.p_BP))


def gradient(gap: Any, place: Any, t: float) -> Any:
    """Slopes of a surface by complex steps, exact to rounding."""
    return np.array([gap(*(place + 1e-30j * unit), t).imag / 1e-30 for unit in np.eye(3)])


@pytest.mark.parametrize(("space", "name", "friction", "on"), CONTACTS)
def test_sliding_contacts(space: str, name: str, friction: str, on: str, rng: np.random.Generator) -> None:
    surface, gap = SURFACES[space][name]
    place = "" if on == "0" else f'on="{on}"'
    links = f'<contact name="c" point="finger" {place} surface="{surface}" friction="{friction}"/>'
    slides = "" if friction == "none" else ' slides="c"'
    system = parsed(text(space, links, f'holds="c"{slides}'))
    model, structure = system.model, system.structure("s")
    (contact,) = model.contacts
    q, v, now = random_q(model, rng), rng.normal(size=model.nv), 0.7
    v = list(v / np.linalg.norm(v))
    (row,) = rows_of(model, structure, q, v, now)

    def distance(h: float) -> float:
        """The gap by geometry alone."""
        return float(gap(*local_place(model, contact, moved(model, q, v, h)), now + h))

    normal = gradient(gap, local_place(model, contact, q), now)
    steep = float(np.linalg.norm(normal))
    assert row.value * steep == pytest.approx(distance(0.0), abs=1e-14)
    # Waves of 0.2 m are passed at about unit speed: every derivative is worth 5 of the one before, hence the small step.
    assert (np.dot(row.J, v) + row.drift) * steep == pytest.approx(float(slope(distance, 2e-3)), abs=1e-11)

    def closing(h: float) -> float:
        (moving,) = rows_of(model, structure, moved(model, q, v, h), v, now + h)
        there = gradient(gap, local_place(model, contact, moved(model, q, v, h)), now + h)
        return float((np.dot(moving.J, v) + moving.drift) * np.linalg.norm(there))

    assert row.bias * steep == pytest.approx(float(slope(closing, 2e-3)), abs=1e-10)
    wrenches_do_the_work_of_their_rows(model, [row], q)
    slip = np.array(slope(lambda h: local_place(model, contact, moved(model, q, v, h)), 2e-3))
    slip -= (slip @ normal) * normal / steep**2
    if friction == "none":
        assert row.drag is None and not row.dragged
        return
    # Friction takes power from what slides, μ times the speed for a unit normal force, and acts against it.
    assert row.drag is not None
    assert np.dot(row.drag, v) == pytest.approx(-0.4 * np.linalg.norm(slip), abs=1e-11)
    R = poses(model, q)[contact.on][:3, :3]
    against = -0.4 * R @ slip / np.linalg.norm(slip)
    assert row.dragged[0].body == contact.body == row.wrenches[0].body
    assert np.array(row.dragged[0].force, float) == pytest.approx(against, abs=1e-10)
    assert np.array(row.wrenches[0].force, float) == pytest.approx(R @ normal / steep, abs=1e-14)


def test_a_contact_that_moves_with_time_also_by_itself() -> None:
    """A lift: y = −h sin(ωt). At rest at t its floor runs away from the point at h ω cos(ωt)."""
    system = parsed(
        '<system><body name="box" joint="prismatic2" mass="2"><point name="p"/></body><links>'
        '<contact name="floor" point="p" surface="y &lt;= -100 mm*sin(3 rad/s*t)" friction="none"/>'
        '<structure name="s" holds="floor"/></links></system>'
    )
    t = np.linspace(0, 2, 7)
    q = np.stack([0 * t, -0.1 * np.sin(3 * t)], axis=-1)
    v = np.stack([0 * t + 0.5, -0.3 * np.cos(3 * t)], axis=-1)
    a = system.forward_dynamics(q, v, np.zeros(2), t=t)
    assert a == pytest.approx(np.stack([0 * t, 0.9 * np.sin(3 * t)], axis=-1), abs=1e-14)
    push = system.reactions(q, v, np.zeros(2), t=t)["floor"]
    assert push[:, 4] == pytest.approx(2 * (0.9 * np.sin(3 * t) - 9.81), abs=1e-13)
    # A plastic impact leaves the velocity of the floor; an elastic one turns the relative velocity round.
    after, _ = system.impact(q, np.zeros(2), t=t)
    assert after[:, 1] == pytest.approx(v[:, 1], abs=1e-15)
    after, _ = system.impact(q, np.zeros(2), t=t, restitution=1.0)
    assert after[:, 1] == pytest.approx(2 * v[:, 1], abs=1e-15)


# --- what rolls --------------------------------------------------------------------------------------------------------

ROUND = {
    "plane": {"circle": '<circle name="r" place="30,-20" radius="70"/>'},
    "space": {
        "sphere": '<sphere name="r" place="30,-20,10" radius="70"/>',
        "wheel": '<wheel name="r" place="30,-20,10" axis="1,2,-2" radius="70"/>',
        "round wheel": '<wheel name="r" place="30,-20,10" axis="1,2,-2" radius="70" tread="20"/>',
    },
}
FLAT = {
    "plane": ("y &lt;= 0", "y &lt;= 0.3*x - 40 mm*sin(3 rad/s*t)"),
    "space": ("z &gt;= 0", "x + 2*y &lt;= 0.3*z + 40 mm*sin(3 rad/s*t)"),
}
ROLLS = [
    pytest.param(space, shape, surface, friction, on, id=f"{space}-{shape}-{i}-{friction}-{on}")
    for space, shapes in ROUND.items()
    for shape in shapes
    for i, surface in enumerate(FLAT[space])
    for friction in ("none", "0.4", "stick")
    for on in ("0", "slide", "trunk")
]


def round_text(space: str, shape: str, links: str, structure: str) -> str:
    finger = '<point name="finger"'
    return text(space, links, structure).replace(finger, ROUND[space][shape] + finger)


@pytest.mark.parametrize(("space", "shape", "surface", "friction", "on"), ROLLS)
def test_round_shapes(space: str, shape: str, surface: str, friction: str, on: str, rng: np.random.Generator) -> None:
    """The gap is the distance of the lowest point, which a search finds; slips are of the material that is there."""
    place = "" if on == "0" else f'on="{on}"'
    links = f'<contact name="c" of="r" {place} surface="{surface}" friction="{friction}"/>'
    slides = ' slides="c"' if friction == "0.4" else ""
    system = parsed(round_text(space, shape, links, f'holds="c"{slides}'))
    model, structure = system.model, system.structure("s")
    (contact,) = model.contacts
    q, v, now = random_q(model, rng), rng.normal(size=model.nv), 0.7
    v = list(v / np.linalg.norm(v))
    rows = rows_of(model, structure, q, v, now)
    assert [row.holds_place for row in rows] == [True, *[False] * (len(rows) - 1)]
    assert len(rows) == (1 if friction != "stick" else 2 if model.planar else 3)
    flat = {"plane": (0.3, -1.0, 0.0), "space": (-1.0, -2.0, 0.3)}[space] if "sin" in surface else None
    local = np.array(flat if flat is not None else {"plane": (0, -1, 0), "space": (0, 0, 1)}[space], float)
    steep = float(np.linalg.norm(local))
    shift = 0.0 if flat is None else 0.04 * (-1 if space == "plane" else 1)

    def distance(h: float) -> float:
        """From the surface, by geometry alone."""
        X = poses(model, moved(model, q, v, h))
        there = touching(contact, X[contact.on][:3, :3] @ local, X)
        away = np.linalg.inv(X[contact.on]) @ np.array([*there, 1.0])
        return float((local @ away[:3] + shift * np.sin(3 * (now + h))) / steep)

    assert rows[0].value == pytest.approx(distance(0.0), abs=1e-13)
    assert speeds(rows, v)[0] == pytest.approx(float(slope(distance, 2e-3)), abs=1e-10)

    # Rows of a wheel that does not slip turn with its heading: their biases are those of a wheel that does not.
    going, held = v, rows
    if friction == "stick" and contact.round is not None and contact.round.axis is not None and not model.planar:
        J = np.array([row.J for row in rows[1:]], float)
        going = list(v - np.linalg.pinv(J) @ (J @ v))
        held = rows_of(model, structure, q, going, now)

    def at_h(h: float) -> Any:
        return speeds(rows_of(model, structure, moved(model, q, going, h), going, now + h), going)

    assert [row.bias for row in held] == pytest.approx(np.array(slope(at_h, 2e-3)), abs=1e-9)
    wrenches_do_the_work_of_their_rows(model, rows, q)
    X = poses(model, q)
    there = touching(contact, X[contact.on][:3, :3] @ local, X)
    # The material that touches: a point of the body, and the place of the surface under it.
    own, under = (np.linalg.inv(X[body]) @ np.array([*there, 1.0]) for body in (contact.body, contact.on))

    def material(h: float) -> Any:
        Y = poses(model, moved(model, q, v, h))
        return (Y[contact.body] @ own - Y[contact.on] @ under)[:3]

    n = X[contact.on][:3, :3] @ local / steep
    slip = np.array(slope(material, 2e-3))
    slip -= (slip @ n) * n
    told = sum((np.dot(row.J, v) * np.array(row.wrenches[0].force, float) for row in rows[1:]), np.zeros(3))
    if friction == "stick":
        assert told == pytest.approx(slip, abs=1e-11)
    elif friction == "0.4":
        assert rows[0].drag is not None
        assert np.dot(rows[0].drag, v) == pytest.approx(-0.4 * np.linalg.norm(slip), abs=1e-11)
    # Loads are told where it touches: there a force has no moment.
    for row in rows:
        assert row.shown is not None and not any(row.shown[0])
        assert len(row.wrenches) == 2 and row.wrenches[0].body == contact.body


@pytest.mark.parametrize("on", ["0", "slide", "trunk"])
@pytest.mark.parametrize("space", list(BODIES))
def test_blades(space: str, on: str, rng: np.random.Generator) -> None:
    place, across = "" if on == "0" else f'on="{on}"', "3, 4" if space == "plane" else "2, -1, 2"
    system = parsed(text(space, f'<blade name="c" point="finger" {place} across="{across}"/>', ""))
    model, structure = system.model, system.structure("s")
    (blade,) = model.blades
    q, v = random_q(model, rng), rng.normal(size=model.nv)
    v = list(v / np.linalg.norm(v))
    (row,) = rows_of(model, structure, q, v)
    assert not row.holds_place and row.value == 0.0
    X = poses(model, q)
    own = np.array([*blade.p_BP, 1.0])
    under = np.linalg.inv(X[blade.on]) @ X[blade.body] @ own

    def material(h: float) -> Any:
        Y = poses(model, moved(model, q, v, h))
        return (Y[blade.body] @ own - Y[blade.on] @ under)[:3]

    n = X[blade.body][:3, :3] @ np.array(blade.across)
    assert np.dot(row.J, v) == pytest.approx(float(n @ np.array(slope(material))), abs=1e-11)
    gain = slope(lambda h: speeds(rows_of(model, structure, moved(model, q, v, h), v), v))
    assert [row.bias] == pytest.approx(np.array(gain), abs=1e-11)
    wrenches_do_the_work_of_their_rows(model, [row], q)


def test_a_wheel_that_lies_flat_has_no_lowest_point() -> None:
    system = parsed(
        '<system space="spatial"><body name="w" joint="free" mass="1" inertia="1"><wheel name="r" radius="100"/></body>'
        '<links><contact name="c" of="r" surface="z = 0" rolls="ideal"/></links></system>'
    )
    with pytest.raises(sistel.SistelError) as caught:
        system.mobility()
    (told,) = caught.value.diagnostics
    assert told.code == "wheel-lies" and told.span is not None and '"c"' in told.message.en


# --- links that hold what they find ------------------------------------------------------------------------------------

HELD = {
    "stick on the ground": ("both", '<contact name="c" point="finger" surface="y &lt;= 0"/>', 'holds="c"'),
    "stick on a body": ("both", '<contact name="c" point="finger" on="slide" surface="y &lt;= 0"/>', 'holds="c"'),
    "lock of coordinates": ("both", '<lock name="c" of="upper, slide" holds="no"/>', 'holds="c"'),
    "lock of a free body": ("both", '<lock name="c" of="trunk" holds="no"/>', 'holds="c"'),
    "lock of two bodies": ("both", '<lock name="c" body="hand" to="slide" holds="no"/>', 'holds="c"'),
    "lock to the ground": ("both", '<lock name="c" body="hand" to="0" holds="no"/>', 'holds="c"'),
    "pinned": ("plane", "", 'body="trunk" joint="revolute" about="tip"'),
    "guided": ("plane", "", 'body="trunk" joint="prismatic"'),
    "sliding without turning": ("plane", "", 'body="trunk" joint="prismatic2"'),
    "welded": ("both", "", 'body="trunk" joint="fixed"'),
    "welded at a point": ("both", "", 'body="trunk" joint="fixed" about="tip"'),
    "welded wrist": ("both", "", 'body="hand" joint="fixed"'),
    "ball at the tip": ("space", "", 'body="trunk" joint="spherical" about="tip"'),
    "hinge at the tip": ("space", "", 'body="trunk" joint="revolute" about="tip"'),
    "shaft at the tip": ("space", "", 'body="trunk" joint="cylindrical" about="tip"'),
    "on a plane": ("space", "", 'body="trunk" joint="planar"'),
    "stiff ball": ("space", "", 'body="ball" joint="fixed"'),
}
CASES = [
    pytest.param(space, links, structure, id=f"{space}-{name}")
    for name, (where, links, structure) in HELD.items()
    for space in BODIES
    if where in (space, "both")
]


@pytest.mark.parametrize(("space", "links", "structure"), CASES)
def test_links_that_hold_what_they_find(space: str, links: str, structure: str, rng: np.random.Generator) -> None:
    system = parsed(text(space, links, structure))
    model, chosen = system.model, system.structure("s")
    q, v = random_q(model, rng), rng.normal(size=model.nv)
    v = list(v / np.linalg.norm(v))
    found = anchors(model, tree_of(model), chosen, q)
    assert len(found) == 1
    rows = rows_of(model, chosen, q, v, found=found)
    assert values(rows) == pytest.approx(np.zeros(len(rows)), abs=1e-15)
    rate = slope(lambda h: values(rows_of(model, chosen, moved(model, q, v, h), v, found=found)))
    # Velocities of a quaternion are no rates of coordinates: a lock of them has no value to compare with.
    told = [i for i, row in enumerate(rows) if row.rate is None or not quaternion_rate(model, row.rate)]
    assert speeds(rows, v)[told] == pytest.approx(rate[told], abs=1e-11)
    if model.contacts and not model.planar and model.contacts[0].on == 0:
        # Feet of a free system are held in its own axes: what is zero is their acceleration, whatever the axes do.
        gain = slope(lambda h: in_world(speeds, rows_of(model, chosen, moved(model, q, v, h), v, found=found), v))
        assert in_world(lambda rows, _: [row.bias for row in rows], rows, v) == pytest.approx(gain, abs=1e-11)
    else:
        gain = slope(lambda h: speeds(rows_of(model, chosen, moved(model, q, v, h), v, found=found), v))
        assert [row.bias for row in rows] == pytest.approx(gain, abs=1e-11)
    if rows[0].rate is None:
        wrenches_do_the_work_of_their_rows(model, rows, q)
        first = rows[0].wrenches[0].body
        assert first != 0, "reactions are those on the body that is held"
    # Without anchors every such link is where it should be.
    assert values(rows_of(model, chosen, q, v)) == pytest.approx(np.zeros(len(rows)), abs=1e-15)


def in_world(values_of: Any, rows: list[Row], v: Any) -> Any:
    """Numbers of the rows of a place as a vector, along the directions in which its forces are."""
    directions = np.array([row.wrenches[0].force for row in rows], float)
    return directions.T @ np.array(values_of(rows, v), float)


def quaternion_rate(model: Model, rate: int) -> bool:
    return any(
        body.first_v <= rate < body.first_v + body.joint.type.nv and body.joint.type.has_quaternion
        for body in model.bodies
    )


def test_values_away_from_the_anchor(rng: np.random.Generator) -> None:
    """A sticking foot that went astray: the value is the way it went, in the axes of what carries the surface."""
    for space, body in (("plane", "slide"), ("space", "slide"), ("space", "0")):
        place = "" if body == "0" else f'on="{body}"'
        system = parsed(text(space, f'<contact name="c" point="finger" {place} surface="y &lt;= 0"/>', 'holds="c"'))
        model, structure = system.model, system.structure("s")
        first, then = random_q(model, rng), random_q(model, rng)
        found = anchors(model, tree_of(model), structure, first)
        way = local_place(model, model.contacts[0], then) - local_place(model, model.contacts[0], first)
        rows = rows_of(model, structure, then, [0.0] * model.nv, found=found)
        if body == "0":
            assert in_world(lambda rows, _: values(rows), rows, None) == pytest.approx(way, abs=1e-14)
        else:
            assert values(rows) == pytest.approx(way[: len(rows)], abs=1e-14)


def test_locked_rates_carry_what_their_joint_does(rng: np.random.Generator) -> None:
    """A unit force of a lock is a unit moment about the axis of the hinge, or a unit force along the slide."""
    links = '<lock name="c" of="upper, slide" holds="no"/>'
    for space in BODIES:
        system = parsed(text(space, links, 'holds="c"'))
        model, q = system.model, random_q(system.model, rng)
        X = poses(model, q)
        hinge, slide = rows_of(model, system.structure("s"), q, [0.0] * model.nv)
        assert hinge.shown is not None and slide.shown is not None
        upper, moving = (next(body for body in model.bodies if body.name == name) for name in ("upper", "slide"))
        axis = (0.0, 0.0, 1.0) if model.planar else upper.joint.axis
        assert np.array(hinge.shown[0], float) == pytest.approx(X[upper.number][:3, :3] @ axis, abs=1e-14)
        assert np.array(slide.shown[1], float) == pytest.approx(X[moving.number][:3, :3] @ moving.joint.axis, abs=1e-14)
        assert (*hinge.shown[1], *slide.shown[0]) == (0.0,) * 6


@pytest.mark.parametrize("ratio", ["-2.5", "0.3, 0.2, -0.1", "0, 0, 0, 1.5"])
def test_couplings(ratio: str, rng: np.random.Generator) -> None:
    links = f'<coupling name="c" of="upper" to="stand" ratio="{ratio}" offset="20 deg"/>'
    system = parsed(text("plane", links, 'holds=""'))
    model, structure = system.model, system.structure("s")
    factors = [float(x) for x in ratio.split(",")]
    driver, driven = (next(b for b in model.bodies if b.name == name).first_q for name in ("stand", "upper"))
    q, v = random_q(model, rng), list(rng.normal(size=model.nv))

    def follow(x: float) -> float:
        return math.radians(20) + sum(factor * x ** (k + 1) for k, factor in enumerate(factors))

    (row,) = rows_of(model, structure, q, v)
    assert row.value == pytest.approx(q[driven] - follow(q[driver]), abs=1e-15)
    way = slope(lambda h: q[driven] + h * v[driven] - follow(q[driver] + h * v[driver]))
    assert np.dot(row.J, v) == pytest.approx(float(way), abs=1e-12)
    gain = slope(lambda h: speeds(rows_of(model, structure, moved(model, q, v, h), v), v))
    assert row.bias == pytest.approx(float(gain[0]), abs=1e-11)
    assert sum(1 for entry in row.J if entry) == 2 and row.J[driven] == 1.0 and row.rate == driven


# --- how rows are derived ----------------------------------------------------------------------------------------------


def test_shared_axes_change_no_row_space(rng: np.random.Generator) -> None:
    """Rows in the axes of a view may be turned with it; what they demand is the same."""
    text_ = """<system><body name="trunk" joint="free" mass="1">
      <body name="a" joint="revolute" place="100,0" turn="20" mass="1"><body name="b" joint="revolute" place="200,0" turn="30" mass="1"/></body>
      <body name="c" joint="revolute" place="0,100" turn="50" mass="1"><body name="d" joint="revolute" place="0,250" turn="-70" mass="1"/></body>
    </body><links><closure name="c1" joint="revolute" body="b" at="150,10" to="d" at-to="20,130" holds="no"/>
      <lock name="l" body="d" to="a" holds="no"/><structure name="s" holds="c1"/><structure name="r" holds="l"/></links></system>"""
    system = parsed(text_)
    model, tree = system.model, tree_of(system.model)
    q, v = random_q(model, rng), list(rng.normal(size=model.nv))
    runs = shareable_runs(tree)
    assert runs
    for structure in system.structures:
        plain = constraint_rows(model, tree, structure, q, v)
        J, bias = np.array([row.J for row in plain], float), np.array([row.bias for row in plain], float)
        a = -np.linalg.lstsq(J, bias, rcond=None)[0]
        for shared in (*runs, frozenset().union(*runs)):
            rows = constraint_rows(model, tree, structure, q, v, shared=shared)
            K, other = np.array([row.J for row in rows], float), np.array([row.bias for row in rows], float)
            assert np.linalg.matrix_rank(np.vstack([J, K]), tol=1e-10) == len(J)
            assert K @ a + other == pytest.approx(np.zeros(len(other)), abs=1e-13)


def test_links_are_seen_from_the_last_link_that_carries_both() -> None:
    """The coordinates of the trunk take no part in what its limbs do to each other: not small numbers, but zeros."""
    system = parsed(text("space", '<closure name="c" joint="revolute" body="slide" to="hand"/>', 'holds="c"'))
    model, tree = system.model, tree_of(system.model)
    graph = Graph()
    rows = constraint_rows(
        model, tree, system.structure("s"), list(graph.inputs("q", model.nq)), list(graph.inputs("v", model.nv))
    )
    trunk = next(body for body in model.bodies if body.name == "trunk")
    for row in rows:
        assert [row.J[trunk.first_v + i] for i in range(6)] == [0.0] * 6
    hand, slide, stand = (next(b for b in model.bodies if b.name == name).number for name in ("hand", "slide", "stand"))
    assert common_link(tree, (hand, slide)) == tree.places[trunk.number][0]
    assert common_link(tree, (hand, stand)) == common_link(tree, (0, hand)) == -1
    assert common_link(tree, (hand, hand)) == tree.places[hand][0]


def test_rows_are_in_the_order_of_the_structure() -> None:
    links = (
        '<lock name="l" of="upper" holds="no"/><closure name="c" joint="revolute" body="slide" to="hand" holds="no"/>'
        '<contact name="k" point="tip" surface="y &lt;= 0"/><coupling name="g" of="ball" to="upper" holds="no"/>'
    )
    system = parsed(text("plane", links, 'holds="k, g, c, l" body="stand" joint="fixed"'))
    rows = constraint_rows(
        system.model, build_tree(system.model), system.structure("s"), [0.1] * system.nq, [0.0] * system.nv
    )
    assert [row.link for row in rows] == ["k", "k", "g", "c", "c", "l", "stand"]
    assert system.constraint_jacobian([0.1] * system.nq, structure="s").shape == (7, system.nv)


@pytest.mark.parametrize("surface", ["hypot(x, y) &gt;= 100", "y*y &gt;= 0"])
def test_a_surface_without_a_normal_is_named(surface: str) -> None:
    system = sistel.parse(
        f'<system><body name="a" joint="prismatic2" mass="1"><point name="p"/></body><links>'
        f'<contact name="edge" point="p" surface="{surface}" friction="0.3"/>'
        f'<structure name="s" holds="edge" slides="edge"/></links></system>'
    )
    for ask in (
        lambda: system.forward_dynamics([0.0, 0.0], [1.0, 0.0], [0.0, 0.0]),
        lambda: system.reactions([0.0, 0.0], [1.0, 0.0], [0.0, 0.0]),
        lambda: system.mobility(),
    ):
        with pytest.raises(sistel.SistelError, match='"edge" has no normal') as refusal:
            ask()
        assert refusal.value.diagnostics[0].span is not None
