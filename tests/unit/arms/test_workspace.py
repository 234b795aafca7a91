"""What arms reach, against areas and volumes that geometry gives."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.arms.workspaces._chain import Chain
from sistel.arms.workspaces._plane import read_plane
from sistel.arms.workspaces._section import into_plane

MODELS = Path(__file__).parents[3] / "models"
A, B = 0.4, 0.25
"""Lengths of two links [m]."""


def planar(limits: tuple[str, str] = ("", "")) -> sistel.System:
    """Two links in a plane."""
    return sistel.parse(
        f"""<system name="two links" class="planar open chain">
  <body name="upper" joint="revolute" mass="1" com="{500 * A}, 0" inertia="0.01" {limits[0]}>
    <motor limit="30 N*m"/>
    <body name="lower" joint="revolute" place="{1e3 * A}, 0" mass="0.5" com="{500 * B}, 0" inertia="0.01" {limits[1]}>
      <motor limit="9 N*m"/>
      <point name="end" place="{1e3 * B}, 0"/>
    </body>
  </body>
</system>"""
    )


def turret(offset: float = 0.0, height: float = 0.3, limits: str = "") -> sistel.System:
    """The two links, upright, on a column; its axis is at a distance from the shoulder [m]."""
    return sistel.parse(
        f"""<system name="turret" space="spatial">
  <body name="column" joint="revolute" mass="1" inertia="0.01, 0.01, 0.01" {limits}>
    <body name="upper" joint="revolute" place="{1e3 * offset}, 0, {1e3 * height}" turn="90, 0, 0" mass="1"
          inertia="0.01, 0.01, 0.01">
      <body name="lower" joint="revolute" place="{1e3 * A}, 0, 0" mass="1" inertia="0.01, 0.01, 0.01">
        <frame name="hand" place="{1e3 * B}, 0, 0"/>
      </body>
    </body>
  </body>
</system>"""
    )


def test_two_links_reach_a_ring() -> None:
    found = planar().workspace("end", resolution=60, samples=20_000)
    radii = sorted(float(np.linalg.norm(line, axis=1).mean()) for line in found.boundary)
    assert len(found.boundary) == 2
    for line in found.boundary:
        far = np.linalg.norm(line, axis=1)
        wanted = A - B if far.mean() < A else A + B
        assert np.abs(far - wanted).max() < 1.01 * found.tolerance
    assert radii[0] < radii[1] and found.volume == 0.0
    exact = math.pi * ((A + B) ** 2 - (A - B) ** 2)
    assert abs(found.area - exact) < found.area_error < 1e-3 * exact
    assert abs(found.reach - (A + B)) < 1e-12 and abs(found.near - (A - B)) < 1e-12
    assert np.abs(found.high[:2] - (A + B)).max() < 1e-12 and np.abs(found.low[:2] + A + B).max() < 1e-12
    # The line around is anticlockwise, that around the hole clockwise.
    turns = [
        float(np.sum(line[:, 0] * np.roll(line[:, 1], -1) - np.roll(line[:, 0], -1) * line[:, 1]))
        for line in found.boundary
    ]
    assert min(turns) < 0 < max(turns)


def test_nodes_are_reached_exactly_within_limits() -> None:
    system = planar(('min="-80" max="100"', 'min="20" max="140"'))
    found = system.workspace("end", resolution=50, samples=20_000)
    q = found.q[found.inside]
    y, x = np.meshgrid(found.y, found.x, indexing="ij")
    p = system.pose(q, "end")[:, :2, 3]
    assert np.abs(p - np.stack([x[found.inside], y[found.inside]], axis=1)).max() <= found.tolerance
    low, high = np.radians([-80, 20]), np.radians([100, 140])
    assert (q >= low).all() and (q <= high).all()
    # With the elbow on one side the map is one to one: the area is the integral of a b sin q2.
    exact = A * B * math.radians(180) * (math.cos(math.radians(20)) - math.cos(math.radians(140)))
    assert abs(found.area - exact) < 2.0 * found.area_error < 2e-3 * exact
    middle = found.plane.into(system.pose([0.2, 1.0], "end")[:3, 3])
    assert found.contains(middle) and not found.contains([[0.0, 0.0]])[0]


def test_a_turret_reaches_a_shell() -> None:
    found = turret().workspace("hand", resolution=60, samples=20_000)
    exact = 4 / 3 * math.pi * ((A + B) ** 3 - (A - B) ** 3)
    assert abs(found.volume - exact) < found.volume_error < 2e-3 * exact
    assert np.abs(found.centre - [0, 0, 0.3]).max() < 1e-15
    assert abs(found.reach - (A + B)) < 1e-9 and abs(found.near - (A - B)) < 1e-9
    ring = math.pi * ((A + B) ** 2 - (A - B) ** 2)
    assert abs(found.area - ring) < found.area_error
    # Across the axis, at another height, and by any plane.
    for plane, through in (("xy", (0, 0, 0.4)), (((0.1, 0, 0.3), (1.0, 0.3, 0.2)), None)):
        cut = turret().workspace("hand", plane=plane, through=through, resolution=60, samples=20_000, volume=False)
        far = float(abs((np.array([0, 0, 0.3]) - cut.plane.point) @ cut.plane.normal))
        ring = math.pi * ((A + B) ** 2 - (A - B) ** 2)
        assert abs(cut.area - ring) < cut.area_error < 2e-3 * ring, far  # both circles lose the same


def test_a_turret_with_an_offset_reaches_a_ring_of_rings() -> None:
    found = turret(offset=1.0).workspace("hand", resolution=90, samples=30_000)
    ring = math.pi * ((A + B) ** 2 - (A - B) ** 2)
    assert len(found.boundary) == 4 and abs(found.area - 2 * ring) < found.area_error
    assert abs(found.volume - 2 * math.pi * 1.0 * ring) < found.volume_error < 2e-3 * found.volume  # Pappus
    for line in found.boundary:
        far = np.hypot(np.abs(line[:, 0]) - 1.0, line[:, 1] - 0.3)
        assert np.minimum(np.abs(far - A - B), np.abs(far - A + B)).max() < 1.01 * found.tolerance


def test_scara_in_its_limits() -> None:
    system = sistel.load(MODELS / "scara.xml")
    found = system.workspace("инструмент", plane="xy", resolution=80, samples=40_000)
    a, b, turn, bend = 0.325, 0.275, math.radians(105), math.radians(150)
    r = np.linspace(math.sqrt(a * a + b * b + 2 * a * b * math.cos(bend)), a + b, 400_001)
    # Both elbows reach a radius; the arcs that they reach it on begin and end 2 ψ apart.
    psi = np.arccos(np.clip((a * a + r * r - b * b) / (2 * a * r), -1, 1))
    arc = np.minimum(2 * math.pi, 2 * turn + 2 * psi)
    area = float(np.sum(0.5 * (r[1:] * arc[1:] + r[:-1] * arc[:-1]) * np.diff(r)))
    assert abs(found.area - area) < found.area_error < 1e-3 * area
    assert abs(found.volume - 0.21 * area) < found.volume_error < 1e-2 * found.volume
    assert np.abs(found.high - [a + b, a + b, 0.307]).max() < 1e-9 and abs(found.low[2] - 0.097) < 1e-9
    side = system.workspace("инструмент", resolution=60, samples=20_000, volume=False)
    assert abs(side.area - 0.21 * (r[-1] - r[0])) < side.area_error + 1e-9


def test_puma_without_limits() -> None:
    text = re.sub(r'\s(min|max)="[-0-9]+"', " ", (MODELS / "puma560.xml").read_text(encoding="utf-8"))
    found = sistel.parse(text).workspace("tool", resolution=100, samples=40_000)
    a2, a3, d3, d4 = 0.4318, 0.0203, 0.15005, 0.4318
    outer, inner = a2 + math.hypot(a3, d4), abs(a2 - math.hypot(a3, d4))
    assert abs(found.reach - math.hypot(outer, d3)) < 1e-9
    assert abs(found.near - math.hypot(inner, d3)) < 1e-9
    # At a distance r from the axis the arm is √(r² − d3²) long, and r dr = s ds: the volume of a shell.
    exact = 4 / 3 * math.pi * (outer**3 - inner**3)
    assert abs(found.volume - exact) < found.volume_error < 2e-3 * exact


def test_postures_come_into_a_plane_without_search() -> None:
    system = sistel.load(MODELS / "stanford.xml")
    frame = system.model.frames[-1].name
    chain = Chain(system._engine, system._place_of(frame), frame)
    plane = read_plane(chain, ((0.1, 0.05, 0.4), (0.3, 1.0, -0.2)), None)
    q, points = into_plane(chain, plane, chain.spread(3000))
    assert len(q) > 1000
    assert np.abs(chain.at(q) - plane.out(points)).max() < 1e-13  # a closed form, and lengths of about 1 m
    x = q[:, chain.places]
    assert (x >= chain.low).all() and (x <= chain.high).all()


def test_second_derivatives_of_places() -> None:
    system = sistel.load(MODELS / "stanford.xml")
    frame = system.model.frames[-1].name
    chain = Chain(system._engine, system._place_of(frame), frame)
    q = chain.spread(5)
    u = np.random.default_rng(1).normal(size=(5, 3))
    H, step = chain.curvature(chain.columns(q), u), 1e-5
    for j, place in enumerate(chain.places):
        move = np.zeros(chain.model.nq)
        move[place] = step
        slopes = [np.einsum("rk,rkj->rj", u, chain.columns(q + sign * move).v) for sign in (1, -1)]
        assert np.abs((slopes[0] - slopes[1]) / (2 * step) - H[:, j]).max() < 1e-8  # central differences


def test_what_cannot_be_mapped() -> None:
    system = planar()
    four_bar, cart = (sistel.load(MODELS / f"{name}.xml") for name in ("four_bar", "cart_pole"))
    for call, said in (
        (lambda: system.workspace("ennd"), "ennd"),
        (lambda: system.workspace("end", plane="xw"), "plane is"),
        (lambda: system.workspace("end", plane=((0, 0, 0), (0, 0, 0))), "plane is"),
        (lambda: system.workspace("end", plane=((0, 0), (0, 0, 1))), "plane is"),
        (lambda: system.workspace("end", resolution=2), "resolution"),
        (lambda: system.workspace("end", samples=True), "samples"),
        (lambda: four_bar.workspace(four_bar.bodies[-1].name), "links"),
        (lambda: cart.workspace(cart.bodies[-1].name), "without limits"),
    ):
        with pytest.raises(sistel.SistelError, match=said):
            call()


def test_work_can_be_interrupted() -> None:
    seen: list[float] = []

    def progress(part: float) -> None:
        seen.append(part)
        if part > 0.2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        turret().workspace("hand", resolution=30, samples=5000, progress=progress)
    assert seen == sorted(seen) and 0.2 < seen[-1] < 1.0


def test_frames_that_stay_have_no_map(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "pendulum.xml")
    with pytest.raises(sistel.SistelError) as caught:
        arm.workspace("rod", resolution=20)
    said = caught.value.diagnostics[0].message
    assert "does not move" in said.en and "не движется" in said.ru
