"""Round shapes, ideal rolling and blades in the model: what is read, what follows, what is written back."""

from __future__ import annotations

import pytest

import sistel
from sistel.model import Model
from sistel.model._flat import is_flat

CAR = """<system name="car" space="spatial">
  <parameter name="r" value="200 mm"/>
  <body name="hull" joint="free" place="0,0,200" mass="20" inertia="1">
    <point name="keel" place="0,0,-200"/>
    <body name="left" joint="revolute" axis="-y" place="0,300,0" mass="1" inertia="0.01"><wheel name="L" radius="r" tread="20"/></body>
    <body name="right" joint="revolute" axis="y" place="0,-300,0" mass="1" inertia="0.01">
      <wheel name="R" radius="r" place="0,10,0" axis="0,3,4" colour="red"/>
    </body>
    <body name="castor" joint="spherical" place="500,0,-100" mass="1" inertia="0.01"><sphere name="S" radius="100"/></body>
  </body>
  <links>
    <contact name="cL" of="L" surface="z = 0" friction="0.8" rolls="ideal"/>
    <contact name="cR" of="R" surface="z &gt;= 0.1*x" friction="0.5"/>
    <contact name="cS" of="S" surface="z = 10 mm*sin(2 rad/s*t)" friction="none" restitution="0.3"/>
    <blade name="b" point="keel" across="0,3,4" holds="no"/>
    {structures}
  </links>
</system>"""
STRUCTURES = """<structure name="goes" holds="cL"/><structure name="slides" holds="b" slides="cR"/>
<transition from="goes" to="slides" when="gap(cR) falls through 0"/>"""


def model(text: str = CAR.format(structures="")) -> Model:
    return sistel.parse(text).model


def test_shapes_are_read_in_the_axes_of_their_bodies() -> None:
    found = {contact.name: contact for contact in model().contacts}
    left, right, castor = (found[name].round for name in ("cL", "cR", "cS"))
    assert left is not None and right is not None and castor is not None
    assert (left.radius, left.tread, left.axis) == (0.2, 0.02, (0.0, -1.0, 0.0)), "the axis is that of the joint"
    assert (right.radius, right.tread) == (0.2, 0.0)
    assert right.axis == pytest.approx((0.0, 0.6, 0.8), abs=1e-15) and found["cR"].p_BP == (0.0, 0.01, 0.0)
    assert (castor.radius, castor.axis) == (0.1, None)
    assert found["cL"].rolls and not found["cR"].rolls and found["cL"].friction == 0.8
    assert found["cS"].restitution == 0.3 and not found["cS"].grips
    (blade,) = model().blades
    assert blade.across == pytest.approx((0.0, 0.6, 0.8), abs=1e-15) and not blade.always


def test_ideal_rolling_is_held_where_nobody_writes_structures() -> None:
    only = model().structure()
    assert only.holds == ("cL",) and (only.dof, only.rolling) == (6 + 1 + 1 + 3 - 3, 2)
    written = model(CAR.format(structures=STRUCTURES))
    goes, slides = written.structures
    assert goes.holds == ("cL",) and (goes.dof, goes.rolling) == (8, 2)
    assert slides.holds == ("b", "cR") and (slides.dof, slides.rolling) == (9, 1)


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("structures", ["", STRUCTURES], ids=["without structures", "with structures"])
def test_it_is_written_back(lang: str, structures: str) -> None:
    system = sistel.parse(CAR.format(structures=structures))
    text = system.to_xml(lang)  # type: ignore[arg-type]
    again = sistel.parse(text)
    assert again.fingerprint == system.fingerprint
    assert again.to_xml(lang) == text  # type: ignore[arg-type]
    assert "no-rebound" not in {d.code for d in again.diagnostics}
    word = "<wheel" if lang == "en" else "<колесо"
    assert text.count(word) == 2


def test_fingerprints_tell_what_rolls_apart() -> None:
    text = CAR.format(structures="")
    changes = [
        ('tread="20"', 'tread="10"'),
        (' rolls="ideal"', ""),
        ('axis="0,3,4" colour', 'axis="0,4,3" colour'),
        ('across="0,3,4"', 'across="0,4,3"'),
    ]
    known = {sistel.parse(text).fingerprint}
    known |= {sistel.parse(text.replace(a, b)).fingerprint for a, b in changes}
    assert len(known) == 1 + len(changes)


def test_names_of_included_shapes_have_their_prefix(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "wheel.xml").write_text(
        '<system><body name="w" joint="free" mass="1" inertia="1"><circle name="rim" radius="50"/></body>'
        '<links><contact name="c" of="rim" surface="y = 0"/></links></system>',
        encoding="utf-8",
    )
    (folder / "two.xml").write_text(
        '<system><include file="wheel.xml" prefix="a "/><include file="wheel.xml" prefix="b "/>'
        '<links><contact name="d" of="b rim" surface="y = 100"/></links></system>',
        encoding="utf-8",
    )
    found = sistel.load(folder / "two.xml").model
    assert [(contact.name, contact.point, contact.body) for contact in found.contacts] == [
        ("d", "b rim", 2),
        ("a c", "a rim", 1),
        ("b c", "b rim", 2),
    ]


@pytest.mark.parametrize(
    ("surface", "flat"),
    [
        ("y = 0", True),
        ("y = 2*x/3 - 4 mm", True),
        ("-(y - 3 mm) = (x + y)*0.5", True),
        ("y = 10 mm*sin(t/(1 s))", True),
        ("y = a*x + a*t/(1 s)*10 mm", True),
        ("y = x*sin(t/(1 s))", False),
        ("y = x*x/(1 m)", False),
        ("y = 1 m*sin(x/(1 m))", False),
        ("1 m*1 m/y = 3 m", False),
        ("y = max(x, 0)", False),
    ],
)
def test_flat_surfaces(surface: str, flat: bool) -> None:
    system = sistel.parse(
        f"""<system><parameter name="a" value="0.3"/><body name="b" joint="free" mass="1" inertia="1"><point name="p"/></body>
        <links><contact name="c" point="p" surface="{surface}"/></links></system>"""
    )
    assert is_flat(system.model.contacts[0].gap.expression) == flat


def test_a_run_says_where_an_ideal_wheel_would_have_slipped_or_come_off() -> None:
    """Rolling down 60° without slip takes tan 60°/3 of the normal force; here friction gives half of it."""
    text = """<system><body name="w" joint="free" mass="1" inertia="0.005"><circle name="r" radius="100"/></body>
    <links><contact name="slope" of="r" surface="y = tan(60 deg)*x" {} rolls="ideal"/></links>
    <start w="{}, {}, 0"/></system>"""
    x, y = 100 * 3**0.5 / 2, -100 / 2
    slips = sistel.parse(text.format('friction="0.29"', x, y)).simulate(0.1)
    assert [warning.code for warning in slips.warnings] == ["contact-grips"]
    holds = sistel.parse(text.format('friction="0.6"', x, y)).simulate(0.1)
    assert holds.warnings == ()
    assert sistel.parse(text.format("", x, y)).simulate(0.1).warnings == ()
