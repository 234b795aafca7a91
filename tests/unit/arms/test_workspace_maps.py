"""Manipulability, singularities and maps over sections, against closed forms."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.arms.workspaces._chain import Chain
from sistel.arms.workspaces._rank import rates_of

MODELS = Path(__file__).parents[3] / "models"
A, B = 0.4, 0.25
TWO = f"""<system name="two links" class="planar open chain">
  <body name="upper" joint="revolute" mass="1" com="{500 * A}, 0" inertia="0.01">
    <motor limit="30 N*m"/>
    <body name="lower" joint="revolute" place="{1e3 * A}, 0" mass="0.5" com="{500 * B}, 0" inertia="0.01" min="-160"
          max="160">
      <motor limit="9 N*m"/>
      <point name="end" place="{1e3 * B}, 0"/>
    </body>
  </body>
</system>"""


@pytest.fixture(scope="module")
def two() -> sistel.System:
    return sistel.parse(TWO)


@pytest.fixture(scope="module")
def puma() -> sistel.System:
    return sistel.load(MODELS / "puma560.xml")


@pytest.fixture(scope="module")
def ring(two: sistel.System) -> sistel.arms.Workspace:
    return two.workspace("end", resolution=40, samples=10_000)


def test_manipulability_of_two_links(two: sistel.System) -> None:
    q = np.random.default_rng(1).uniform(-3, 3, (4, 50, 2))
    found = two.manipulability(q, "end")
    assert found.shape == (4, 50)
    assert np.abs(found - A * B * np.abs(np.sin(q[..., 1]))).max() < 1e-16  # a product of two rounded numbers
    J = two.jacobian(q, "end")[..., 3:5, :]
    values = np.linalg.svd(J, compute_uv=False)
    assert np.abs(two.manipulability(q, "end", "smallest") - values[..., 1]).max() < 1e-15
    assert np.abs(two.manipulability(q, "end", "inverse condition") - values[..., 1] / values[..., 0]).max() < 1e-14
    assert two.manipulability([0.1, 0.0], "end").shape == () and two.manipulability([0.1, 0.0], "end") < 1e-16
    # Turning alone: both joints turn about one axis, so J is (1, 1), of length √2.
    assert np.abs(two.manipulability(q, "end", task="turning") - math.sqrt(2)).max() < 1e-15


def test_manipulability_of_six_joints(puma: sistel.System) -> None:
    q = np.random.default_rng(2).uniform(-2, 2, (40, 6))
    J = puma.jacobian(q, "tool")
    assert np.abs(puma.manipulability(q, "tool", task="pose") - np.abs(np.linalg.det(J))).max() < 1e-15
    square = J[:, 3:] @ J[:, 3:].transpose(0, 2, 1)
    found = puma.manipulability(q, "tool")
    assert np.abs(found - np.sqrt(np.linalg.det(square))).max() < 1e-8  # a root of rounding
    assert np.abs(found - np.linalg.svd(J[:, 3:], compute_uv=False).prod(axis=1)).max() < 1e-15
    for wrong in ({"kind": "kinetic"}, {"task": "places"}):
        with pytest.raises(sistel.SistelError, match="manipulability"):
            puma.manipulability(q[0], "tool", **wrong)
    with pytest.raises(sistel.SistelError, match="not finite"):
        puma.manipulability([math.nan] * 6, "tool")


def test_derivatives_of_jacobians(puma: sistel.System) -> None:
    chain = Chain(puma._engine, puma._place_of("flange"), "flange")
    q, step = chain.spread(4), 1e-5
    D = rates_of(chain.columns(q), 1.0)
    for i in range(6):
        move = step * np.eye(6)[i]
        ends = [np.concatenate(chain.columns(q + sign * move)[1:], axis=1) for sign in (1, -1)]
        assert np.abs((ends[0] - ends[1]) / (2 * step) - D[:, :, i]).max() < 1e-9  # central differences


def test_singular_postures_of_puma(puma: sistel.System) -> None:
    shoulder, elbow, wrist = puma.singularities("tool")
    a2, a3, d4 = 0.4318, 0.0203, 0.4318
    assert [kind.name.en for kind in (shoulder, elbow, wrist)] == ["shoulder", "elbow", "wrist"]
    assert wrist.depends == ("hand",) and abs(wrist.fixed["hand"]) < 1e-9
    assert elbow.depends == ("forearm",) and abs(elbow.fixed["forearm"] + math.atan2(d4, a3)) < 1e-9
    assert shoulder.depends == ("upper_arm", "forearm") and not shoulder.fixed
    # The wrist is over the axis of the column, but for the offset of the arm.
    q2, q3 = shoulder.q[:, 1], shoulder.q[:, 2]
    assert np.abs(a2 * np.cos(q2) + a3 * np.cos(q2 + q3) - d4 * np.sin(q2 + q3)).max() < 1e-9
    for kind in (shoulder, elbow, wrist):
        values = np.linalg.svd(puma.jacobian(kind.q, "tool"), compute_uv=False)
        assert values[:, -1].max() < 1e-9 and kind.codimension == 1
        assert repr(kind).startswith(f"Singularity({kind.name.en}: ")
    assert "forearm = -87.3084°" in repr(elbow) and "между" in shoulder.words.ru


def test_singular_postures_of_others() -> None:
    scara = sistel.load(MODELS / "scara.xml")
    (only,) = scara.singularities("инструмент")
    assert abs(only.fixed["предплечье"]) < 1e-9  # the other, a half turn, is beyond the limits
    stanford = sistel.load(MODELS / "stanford.xml")
    found = stanford.singularities(stanford.model.frames[-1].name)
    assert [sorted(kind.fixed) for kind in found] == [["shoulder"], ["fork"]]
    arm = sistel.load(MODELS / "arm5.xml")
    # Fewer joints than directions: some motion of the joints moves nothing.
    for kind in arm.singularities("инструмент"):
        assert np.linalg.svd(arm.jacobian(kind.q, "инструмент"), compute_uv=False)[:, -1].max() < 1e-8
    with pytest.raises(sistel.SistelError, match="task"):
        arm.singularities("инструмент", task="places")


def test_curves_of_two_links(ring: sistel.arms.Workspace, two: sistel.System) -> None:
    curves = ring.singularities()
    assert len(curves) == 1  # the inner one is beyond the limits of the elbow
    (outer,) = curves
    assert np.abs(np.linalg.norm(outer.points, axis=1) - A - B).max() < 1e-9
    assert abs(outer.fixed["lower"]) < 1e-9 and outer.words.en == "lower = 0°"
    # Without a gap, all around.
    angles = np.sort(np.arctan2(outer.points[:, 1], outer.points[:, 0]))
    assert np.diff(np.r_[angles, angles[0] + 2 * math.pi]).max() * (A + B) < 3 * ring.step
    assert np.abs(two.pose(outer.q, "end")[:, :2, 3] - outer.points).max() < 1e-12


def test_curves_of_puma(puma: sistel.System) -> None:
    found = puma.workspace("tool", resolution=60, samples=20_000, volume=False)
    a2, a3, d1, d3, d4 = 0.4318, 0.0203, 0.67183, 0.15005, 0.4318
    kinds = set()
    for curve in found.singularities():
        x, z = curve.points.T
        long = np.sqrt(np.maximum(x**2 - d3**2, 0.0) + (z - d1) ** 2)
        elbow = np.abs(long - a2 - math.hypot(a3, d4)).max()
        shoulder = np.abs(np.abs(x) - d3).max()
        assert min(elbow, shoulder) < 1e-8
        kinds.add(curve.words.en.split(",")[0])
        assert ("elbow" in curve.words.en) == (elbow < shoulder)
        assert np.linalg.svd(puma.jacobian(curve.q, "tool")[:, 3:], compute_uv=False)[:, -1].max() < 1e-9
    assert kinds == {"elbow", "shoulder"}


def test_a_map_of_manipulability(ring: sistel.arms.Workspace) -> None:
    found = ring.manipulability()
    y, x = np.meshgrid(ring.y, ring.x, indexing="ij")
    cosine = (x**2 + y**2 - A * A - B * B) / (2 * A * B)
    exact = A * B * np.sqrt(np.clip(1.0 - cosine**2, 0.0, None))
    assert found.unit == "m²" and (np.isfinite(found.values) == ring.inside).all()
    off = np.abs(found.values - exact)[ring.inside]
    # Points are met to the tolerance, which near the outline is a root of it in the angle.
    assert off.max() < 3.0 * math.sqrt(ring.tolerance * A) * B and np.median(off) < 1e-6
    assert abs(found.best - exact[ring.inside].max()) < 1e-6
    small = ring.manipulability("inverse condition")
    assert small.unit == "" and np.nanmin(small.values) >= 0.0 and small.best <= 1.0


def test_a_map_of_capacity(ring: sistel.arms.Workspace, two: sistel.System) -> None:
    found = ring.capacity()
    rows = np.argwhere(ring.inside)[::7]
    for i, j in rows:
        x, y = ring.x[j], ring.y[i]
        cosine = (x * x + y * y - A * A - B * B) / (2 * A * B)
        if abs(cosine) > 0.999:
            continue  # straight: the point is met to a root of the tolerance
        postures = []
        for bend in (math.acos(cosine), -math.acos(cosine)):
            q1 = math.atan2(y, x) - math.atan2(B * math.sin(bend), A + B * math.cos(bend))
            postures.append([math.remainder(q1, 2 * math.pi), bend])
        held = two.capacity(postures, "end").mass
        assert abs(found.values[i, j] - np.nanmax(held)) < 2e-4 * np.nanmax(held), (x, y)  # of a point to 1e-6
    with pytest.raises(sistel.SistelError, match="upperr"):
        ring.capacity(forces={"upperr": 3.0})


def test_pictures_and_files(ring: sistel.arms.Workspace, tmp_path: Path) -> None:
    of = ring.manipulability()
    for kind, lang in ((None, "en"), (of, "ru")):
        svg = ring.draw(kind, lang=lang)
        root = ET.fromstring(svg)
        words = " ".join(text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text"))
        assert ("манипулятивность" in words) == (kind is not None) and ("м²" in words) == (lang == "ru")
        assert ("data:image/png" in svg) == (kind is not None)
    assert "prefers-color-scheme" in ring.draw() and "prefers-color-scheme" not in ring.draw(theme="dark")
    for at in ([1.0], "x", [math.nan, 0.0]):
        with pytest.raises(sistel.SistelError, match="posture of 2"):
            ring.draw(at=at, singular=False)
    for name in ("a.svg", "a.html", "a.csv", "a.npz"):
        ring.save(tmp_path / name, of)
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<title>two links: end</title>" in page and "Content-Security-Policy" in page and "<svg" in page
    rows = np.genfromtxt(tmp_path / "a.csv", delimiter=",", skip_header=1)
    assert rows.shape == (ring.inside.sum(), 3 + 1 + 2)
    data = np.load(tmp_path / "a.npz")
    assert (data["values"][ring.inside] == of.values[ring.inside]).all() and data["area"] == ring.area
    with pytest.raises(sistel.SistelError, match="format"):
        ring.save(tmp_path / "a.gif")
    with pytest.raises(sistel.SistelError, match="written"):
        ring.save(tmp_path / "none" / "a.svg")
