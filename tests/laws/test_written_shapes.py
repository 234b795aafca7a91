"""Structures that a file writes hold contacts of shapes by name: corners of polygons, circles; by closed forms."""

from __future__ import annotations

import math

import pytest

import sistel
from sistel.cli import main

CRATE = """<system name="s"><world><box name="floor" size="4000, 100" place="0, 50"/></world>
    <body name="b" joint="free" place="0, -100" mass="2" inertia="0.04"><box name="c" size="400, 200"/></body>
    <links><contact name="k" of="c" to="floor" friction="0.5"/>
      <structure name="slides" holds="k C, k D" slides="k C, k D"/><structure name="stands" holds="k C, k D"/>
      <transition from="slides" to="stands" when="v(b.x) falls through 0" impact="none"/></links>
    <start structure="slides"><coordinate of="b.x" rate="2 m/s"/></start></system>"""

DISK = """<system name="s"><world><box name="hill" size="9000, 100" turn="20"/></world>
    <body name="b" joint="free" place="0, -400" mass="2" inertia="0.01"><circle name="c" radius="100"/></body>
    <links><contact name="k" of="c" to="hill" friction="1"/>
      <structure name="falls"/><structure name="rolls" holds="k"/>
      <transition from="falls" to="rolls" when="gap(k) falls through 0" impact="plastic"/></links>
    <start structure="falls"/></system>"""


def test_corners_of_a_crate() -> None:
    run = sistel.parse(CRATE).simulate(1.0)
    assert [event.time for event in run.events] == pytest.approx([2 / (0.5 * 9.81)], rel=1e-13)
    assert run.structure[-1] == "stands"
    assert run.q[-1][0] == pytest.approx(2 / 9.81 * 2, rel=1e-13)  # v² / (2 μ g)
    # Braking loads the corner ahead: N (½ ± μ h / w), h = 0.1 above the floor and 0.4 between the corners.
    loads = sorted(float(run.quantity(f"normal(k {letter})", [0.2])[0]) for letter in "CD")
    assert loads == pytest.approx([2 * 9.81 * (0.5 - 0.125), 2 * 9.81 * (0.5 + 0.125)], rel=1e-12)


def test_a_circle() -> None:
    # From its fall it rolls at once: about the place where it touches nothing changes but what the impact takes.
    run = sistel.parse(DISK).simulate(1.0)
    (event,) = run.events
    slope = math.radians(20)
    fall = 0.4 - (0.05 + 0.1) / math.cos(slope)
    assert event.time == pytest.approx(math.sqrt(2 * fall / 9.81), rel=1e-12)
    share = 1 + 0.01 / (2 * 0.1**2)
    along = 9.81 * event.time * math.sin(slope) / share
    speed = along + 9.81 * math.sin(slope) / share * (1.0 - event.time)
    assert run.v[-1][2] == pytest.approx(speed / 0.1, rel=1e-11)


def test_shapes_that_no_structure_names() -> None:
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(CRATE.replace(' holds="k C, k D"', "").replace(' slides="k C, k D"', ""))
    (found,) = [each for each in caught.value.diagnostics if each.code == "contradiction"]
    assert found.hint is not None and "k A" in found.hint.en and "k A" in found.hint.ru


@pytest.mark.parametrize(
    ("shape", "surface", "freedoms"),
    [
        ('<wheel name="c" radius="300" axis="y"/>', "z = 0.1*x^2/(1 m)", "3 in velocities, 5 in positions"),
        ('<sphere name="c" radius="300"/>', "z = 0.1*x^2/(1 m)", "3 in velocities, 5 in positions"),
        ('<sphere name="c" radius="300"/>', "z = 0", "3 in velocities, 5 in positions"),
    ],
)
def test_freedoms_are_told(
    shape: str,
    surface: str,
    freedoms: str,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path_factory.mktemp("rolls") / "s.xml"
    path.write_text(f"""<system name="s" space="spatial"><body name="b" joint="free" place="0, 0, 300" mass="2"
        inertia="0.04, 0.04, 0.04">{shape}</body>
        <links><contact name="k" of="c" surface="{surface}" rolls="ideal"/></links></system>""")
    assert main(["show", str(path), "--lang", "en"]) == 0
    assert freedoms in " ".join(capsys.readouterr().out.split())
