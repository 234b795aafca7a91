"""Documents become models: numbers in SI, the tree, numbering, inclusions, graphs, states and motions."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import pytest

import sistel
from sistel.model import Model

ROD = 'joint="revolute" mass="1" com="0,100" inertia="0.01"'


KEPT = """<system name="kept" space="planar">
  <body name="cart" joint="prismatic" axis="1,0" mass="2" inertia="0.1" place="0,-20"><point name="P" place="50,20"/></body>
  <body name="pole" base="cart" joint="revolute" mass="1" inertia="0.02" com="0,-300" damping="0.01">
    <force name="F" at="0,-500" value="2*sin(t),0"/></body>
  <spring name="s" body="cart" at="0,0" to="0" at-to="200,0" stiffness="300" length="150"/>
  <links><contact name="c" point="P" surface="y = 100" friction="0.3"/><structure name="only"/></links>
  <scheme name="law" period="10 ms"><block name="u" kind="gain" in="angle(pole)" gain="3"/></scheme>
</system>"""


def model(inside: str, root: str = "<system>") -> Model:
    return sistel.parse(f"{root}{inside}</system>").model


def codes(text: str) -> list[str]:
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(text)
    return [item.code for item in caught.value.diagnostics]


class TestNumbers:
    @pytest.mark.parametrize(
        ("written", "metres"),
        [
            ("250", 0.25),
            ("0.25 m", 0.25),
            ("0.25 м", 0.25),
            ("25 см", 0.25),
            ("l/2", 0.25),
            ("2*l - 750 mm", 0.25),
            ("n*125", 0.25),
            ("sqrt(l^2)/2", 0.25),
            ("333", 0.333),
            ("l*cos(60 deg)", 0.5 * math.cos(math.radians(60))),
        ],
    )
    def test_lengths(self, written: str, metres: float) -> None:
        built = model(
            f'<parameter name="l" value="500 mm"/><parameter name="n" value="2"/><body place="{written},0" {ROD}/>'
        )
        assert built.bodies[0].p_PB[0] == metres

    def test_a_plain_number_takes_the_unit_of_the_joint(self) -> None:
        built = model(
            f'<body min="-90" max="pi/2" speed="180" {ROD}/><body joint="0" mass="1" min="-100" max="0.1 m"/>'
        )
        hinge, slide = (body.joint for body in built.bodies)
        assert (hinge.minimum, hinge.maximum, hinge.speed) == ((-math.pi / 2,), (math.pi / 2,), (math.pi,))
        assert (slide.minimum, slide.maximum) == ((-0.1,), (0.1,))

    def test_parameters_in_any_order(self) -> None:
        built = model(
            f'<parameter name="b" value="2*a"/><parameter name="a" value="1" unit="м"/><body place="b,0" {ROD}/>'
        )
        assert built.bodies[0].p_PB[0] == 2.0
        assert [parameter.name for parameter in built.parameters] == ["a", "b"]

    def test_friction_in_units_of_damping_is_damping(self) -> None:
        joint = model(f'<body friction="0.001 Н*м*с/рад" damping="0.002" {ROD}/>').bodies[0].joint
        assert joint.damping == (0.003,) and joint.friction == (0.0,)
        joint = model(f'<body friction="0.5" {ROD}/>').bodies[0].joint
        assert joint.damping == (0.0,) and joint.friction == (0.5,)

    def test_one_number_serves_all_coordinates_where_that_is_clear(self) -> None:
        joint = model('<body joint="free" mass="1" inertia="1" damping="2"/>').bodies[0].joint
        assert joint.damping == (2.0, 2.0, 2.0)

    def test_failed_parameter_is_reported_once(self) -> None:
        assert codes(f'<system><parameter name="a" value="1/0"/><body place="a,a" {ROD}/></system>') == ["no-value"]


class TestTree:
    def test_flat_is_the_same_as_nested(self) -> None:
        nested = model(f'<body name="a" {ROD}><body name="b" place="0,200" {ROD}/></body>')
        flat = model(f'<body name="b" base="a" place="0,200" {ROD}/><body name="a" {ROD}/>')
        assert nested.fingerprint == flat.fingerprint

    def test_the_files_numbers_are_kept(self) -> None:
        built = model(f'<body number="2" {ROD}/><body number="1" {ROD}><body number="3" {ROD}/></body>')
        assert [body.name for body in built.bodies] == ["1", "2", "3"]
        assert built.bases == (0, 0, 1)

    def test_numbers_on_request(self) -> None:
        text = f'<system><body number="2" {ROD}/><body number="1" {ROD}><body number="3" {ROD}/></body></system>'
        assert sistel.parse(text).bases == (0, 0, 1)
        renumbered = sistel.parse(text, renumber=True)
        assert renumbered.bases == (0, 0, 2)
        assert [body.name for body in renumbered.bodies] == ["2", "1", "3"]

    def test_unnumbered_bodies_take_the_free_numbers(self) -> None:
        built = model(f'<body number="1" name="a" {ROD}><body name="b" {ROD}/></body>')
        assert [(body.number, body.name) for body in built.bodies] == [(1, "a"), (2, "b")]

    def test_numbers_can_be_references(self) -> None:
        built = model(f'<body number="1" {ROD}/><body number="2" base="1" {ROD}/>')
        assert built.bases == (0, 1)

    def test_subsystem_numbering_goes_to_an_end_first(self) -> None:
        built = model(
            f'<body name="a" {ROD}><body name="b" {ROD}><body name="c" {ROD}/></body><body name="d" {ROD}/></body>'
            f'<body name="e" {ROD}/>'
        )
        assert [body.name for body in built.bodies] == ["a", "b", "c", "d", "e"]
        assert built.bases == (0, 1, 2, 1, 0)
        assert built.terminal == (3, 4, 5)
        assert built.adjacent(0) == (1, 5) and built.adjacent("a") == (2, 4)
        with pytest.raises(KeyError):
            built.number(6)

    def test_unnamed_bodies_are_called_by_their_number(self) -> None:
        assert [body.name for body in model(f"<body {ROD}><body {ROD}/></body><body {ROD}/>").bodies] == ["1", "2", "3"]


FOUR_BAR = """
<body name="crank" mass="1" com="100,0" inertia="0.0033"/>
<body name="coupler" mass="2" com="250,0" inertia="0.042"><point name="B" place="500,0"/></body>
<body name="rocker" mass="1" com="150,0" inertia="0.011"/>
<links>
  <joint name="O" body="crank" to="0"/>
  <joint name="A" body="crank" at="200,0" to="coupler"/>
  <joint name="K" point="B" to="rocker" at-to="300,0"/>
  <joint name="C" body="rocker" to="0" at-to="400,0"/>
</links>
"""


class TestGraph:
    def test_the_loop_is_found_and_cut_in_its_middle(self) -> None:
        built = model(FOUR_BAR)
        assert built.bases == (0, 1, 0)
        (closure,) = built.closures
        assert closure.found and closure.name == "K"
        assert built.structures[0].dof == 1 and built.structure_class == "ПСТВ"
        assert [body.joint.name for body in built.bodies] == ["O", "A", "C"]

    def test_the_pole_moves_onto_the_joint(self) -> None:
        built = model(
            '<body name="a" mass="1" com="30,0" inertia="1"><point name="p" place="10,0"/><shape d="m0,0h9"/>'
            '<body name="b" joint="revolute" place="50,0" mass="1" com="1,1"/></body>'
            '<links><joint name="k" body="a" at="10,0" to="0" at-to="0,70"/></links>'
        )
        a, b = built.bodies
        assert a.p_PB == (0.0, 0.07, 0.0)
        assert a.p_BoBcm_B == (0.03 - 0.01, 0.0, 0.0)
        assert built.points[0].p_BP == (0.0, 0.0, 0.0)
        assert built.shapes[0].p_BS == (-0.01, 0.0, 0.0)
        assert b.p_PB == (0.05 - 0.01, 0.0, 0.0)

    def test_turned_ends(self) -> None:
        built = model(
            '<body name="a" mass="1" com="30,0" inertia="1"/><links><joint name="k" body="a" turn-to="90" to="0"/></links>'
        )
        # At zero coordinates the frames of the two ends coincide.
        assert built.bodies[0].R_PB == ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))

    def test_axes_go_along_with_the_bodies(self) -> None:
        text = (
            '<body name="a" mass="1" inertia="1" com="1,0,0"/><links><joint name="k" {ends} axis="x" {turns}/></links>'
        )
        forward = model(text.format(ends='body="0" to="a"', turns='turn="0,0,90"'), '<system space="spatial">')
        backward = model(text.format(ends='body="a" to="0"', turns='turn-to="0,0,90"'), '<system space="spatial">')
        assert forward.bodies[0].joint.axis == pytest.approx((0, -1, 0), abs=1e-15)
        assert backward.bodies[0].joint.axis == (1.0, 0.0, 0.0)


class TestInclusion:
    LEG = (
        '<system><parameter name="l" value="400 mm"/><body name="thigh" joint="revolute" mass="7" com="0,l/2" inertia="0.1">'
        '<body name="shank" joint="revolute" place="0,l" mass="4" com="0,200" inertia="0.05"><point name="foot" place="0,400"/></body></body>'
        '<links><contact name="sole" point="foot" surface="y = 0"/></links><start shank="10"/></system>'
    )

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "leg.xml").write_text(self.LEG, encoding="utf-8")
        return tmp_path

    def load(self, folder: Path, text: str) -> Model:
        (folder / "main.xml").write_text(text, encoding="utf-8")
        return sistel.load(folder / "main.xml").model

    def test_two_legs(self, folder: Path) -> None:
        built = self.load(
            folder,
            '<system><body name="trunk" joint="free" mass="30" inertia="1"/>'
            '<include file="leg.xml" prefix="left " base="trunk" place="10,20"/>'
            '<include file="leg.xml" prefix="right " base="trunk" turn="90"><parameter name="l" value="0.5 m"/></include>'
            '<links><structure name="s" holds="left sole"/><structure name="w"/>'
            '<transition from="s" to="w" when="x(right foot) > x(left foot)"/></links><start left-thigh="1"/></system>'.replace(
                ' left-thigh="1"', ""
            ),
        )
        assert [body.name for body in built.bodies] == [
            "trunk",
            "left thigh",
            "left shank",
            "right thigh",
            "right shank",
        ]
        assert built.bases == (0, 1, 2, 1, 4)
        assert built.bodies[1].p_PB == (0.01, 0.02, 0.0)
        assert built.bodies[2].p_PB == (0.0, 0.4, 0.0)
        assert built.bodies[4].p_PB == (0.0, 0.5, 0.0)
        assert built.bodies[3].R_PB == ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
        assert built.start.q[built.bodies[2].first_q] == math.radians(10)
        assert {contact.name for contact in built.contacts} == {"left sole", "right sole"}
        assert {parameter.name: parameter.value for parameter in built.parameters} == {"left l": 0.4, "right l": 0.5}

    def test_built_again_from_what_was_read(self, folder: Path) -> None:
        """With other values, or on a machine that has no such files."""
        text = (
            '<system><include file="leg.xml" prefix="a "/><include file="leg.xml" prefix="b "/>'
            '<parameter name="unused" value="1"/></system>'
        )
        built = self.load(folder, text)
        recipe = pickle.loads(pickle.dumps(built.recipe))
        for file in folder.iterdir():
            file.unlink()
        assert recipe.build().fingerprint == built.fingerprint
        other = recipe.build({"b l": 0.7})
        assert other.bodies[3].p_PB == (0.0, 0.7, 0.0) and other.bodies[1].p_PB == built.bodies[1].p_PB

    def test_inclusion_of_inclusions(self, folder: Path) -> None:
        (folder / "middle.xml").write_text(
            '<system><include file="leg.xml" prefix="in " place="0,100"/></system>', encoding="utf-8"
        )
        built = self.load(folder, '<system><include file="middle.xml" prefix="out " place="50,0" turn="90"/></system>')
        assert [body.name for body in built.bodies] == ["out in thigh", "out in shank"]
        assert built.bodies[0].p_PB == pytest.approx((0.05 - 0.1, 0.0, 0.0), abs=1e-16)

    @pytest.mark.parametrize(
        ("text", "code", "place"),
        [
            ('<system><include file="lag.xml"/></system>', "no-file", "lag.xml"),
            ('<system><include file="main.xml"/></system>', "inclusion-cycle", "main.xml"),
            ('<system space="spatial"><include file="leg.xml"/></system>', "mixed-space", "leg.xml"),
            ('<system><include file="leg.xml"/><include file="leg.xml"/></system>', "same-name", "thigh"),
            ('<system><include file="leg.xml" base="k"/></system>', "unknown-name", "k"),
            (
                '<system><include file="leg.xml"><parameter name="k" value="1"/></include></system>',
                "unknown-name",
                None,
            ),
        ],
    )
    def test_mistakes(self, folder: Path, text: str, code: str, place: str | None) -> None:
        with pytest.raises(sistel.SistelError) as caught:
            self.load(folder, text)
        assert caught.value.diagnostics[0].code == code
        places = [each.span.text for each in caught.value.diagnostics if each.code == code and each.span is not None]
        assert place is None or place in places

    def test_the_ground_of_an_included_file_is_where_it_is_mounted(self, folder: Path) -> None:
        (folder / "arm.xml").write_text(
            '<system><point name="root" place="10,0"/><shape d="m0,0h1"/><body name="a" joint="revolute" mass="1" com="0,1"/>'
            '<body name="b" base="a" joint="revolute" mass="1" com="0,1"/><spring body="b" stiffness="1"/>'
            '<links><closure name="k" joint="prismatic" body="b" to="0" at-to="20,0"/></links></system>',
            encoding="utf-8",
        )
        built = self.load(
            folder,
            '<system><body name="t" joint="free" mass="1" inertia="1"/><include file="arm.xml" base="t" place="0,100" turn="90"/></system>',
        )
        assert built.bases == (0, 1, 2)
        assert (built.points[0].body, built.points[0].p_BP) == (1, (0.0, 0.11, 0.0))
        assert (built.shapes[0].body, built.shapes[0].p_BS) == (1, (0.0, 0.1, 0.0))
        assert (built.closures[0].second.body, built.closures[0].second.p_BS) == (1, (0.0, 0.1 + 0.02, 0.0))
        assert built.springs[0].second.body == 1

    def test_the_main_file_overrides_the_start_of_an_included_one(self, folder: Path) -> None:
        built = self.load(folder, '<system><include file="leg.xml"/><start shank="20"/></system>')
        assert built.start.q == (0.0, math.radians(20))

    def test_parameters_of_two_files_need_different_names(self, folder: Path) -> None:
        (folder / "arm.xml").write_text(
            '<system><parameter name="l" value="1 m"/><body name="a" joint="revolute" mass="1" com="0, l/2"/></system>',
            encoding="utf-8",
        )
        own = '<parameter name="l" value="2 m"/>'
        with pytest.raises(sistel.SistelError, match="two parameters"):
            self.load(
                folder, f'<system>{own}<include file="arm.xml"><parameter name="l" value="l"/></include></system>'
            )
        built = self.load(
            folder,
            f'<system>{own}<include file="arm.xml" prefix="p_"><parameter name="l" value="l"/></include></system>',
        )
        assert {each.name: each.value for each in built.parameters} == {"l": 2.0, "p_l": 2.0}

    def test_hint_for_a_missing_file(self, folder: Path) -> None:
        with pytest.raises(sistel.SistelError) as caught:
            sistel.load(folder / "lge.xml")
        hint = caught.value.diagnostics[0].hint
        assert hint is not None and "leg.xml" in hint.en
        with pytest.raises(sistel.SistelError, match="folder"):
            sistel.load(folder)
        with pytest.raises(sistel.SistelError, match="no folder"):
            sistel.load(folder / "nowhere" / "leg.xml")
        with pytest.raises(sistel.SistelError, match="cannot be read"):
            sistel.load("bad\0name.xml")

    def test_too_many_files(self, folder: Path) -> None:
        many = "".join(f'<include file="leg.xml" prefix="p{i} "/>' for i in range(1000))
        with pytest.raises(sistel.SistelError) as caught:
            self.load(folder, f"<system>{many}</system>")
        assert [item.code for item in caught.value.diagnostics] == ["too-many-files"]


class TestState:
    def test_start_of_a_planar_system(self) -> None:
        built = model(
            f'<body name="t" joint="free" mass="1" inertia="1"/><body name="a" {ROD}/>'
            '<start t.x="100" t.угол="90" t.y.rate="-1 m/s" a="10 deg" a.скорость="2 rad/s" time="3"/>'
        )
        assert built.start.q == (0.1, 0.0, math.pi / 2, math.radians(10))
        assert built.start.v == (0.0, -1.0, 0.0, 2.0)
        assert built.start.given_q == {0, 2, 3} and built.start.given_v == {1, 3}
        assert built.start_time == 3.0

    def test_start_of_a_spatial_system(self) -> None:
        built = model(
            '<body name="b" joint="free" mass="1" inertia="1"/><body name="s" joint="spherical" mass="1" inertia="1"/>'
            '<start b.x="7" b.wz.rate="3 rad/s"><coordinate of="s" turn="0,0,2,90" spin="0,0,180"/></start>',
            '<system space="spatial">',
        )
        half = math.sqrt(0.5)
        assert built.start.q == pytest.approx((1, 0, 0, 0, 0.007, 0, 0, half, 0, 0, half), abs=1e-15)
        assert built.start.v == pytest.approx((0, 0, 3, 0, 0, 0, 0, 0, math.pi))
        placed = model(
            '<body name="b" joint="free" mass="1" inertia="1"/><start><coordinate of="b" place="1,2,3" quaternion="0,2,0,0" velocity="1000,0,0"/></start>',
            '<system space="spatial">',
        )
        assert placed.start.q == (0.0, 1.0, 0.0, 0.0, 0.001, 0.002, 0.003)
        assert placed.start.v == (0.0, 0.0, 0.0, 1.0, 0.0, 0.0)

    def test_motions(self) -> None:
        built = model(
            f'<body name="a" {ROD}><motion value="30*sin(2*t)" kp="100" kd="10"/><body name="b" {ROD}/></body>'
            '<motion name="m" of="a, b" interpolation="quintic" repeat="yes" kp="1"><row time="0" values="0,0"/><row time="500 ms" values="30, -0.5 rad"/></motion>'
            '<links><structure name="s"/></links><motion of="b" value="-45 deg" structure="s"/>'
        )
        table, constant, formula = sorted(built.motions, key=lambda motion: motion.name != "m")
        assert table.times == (0.0, 0.5) and table.rows == ((0.0, 0.0), (math.radians(30), -0.5))
        assert table.repeat and table.interpolation == "quintic" and table.kp == (1.0, 1.0)
        by_gain = {motion.kp for motion in (constant, formula)}
        assert by_gain == {(100.0,), None}
        follow = constant if constant.kp else formula
        assert follow.formulas[0].scale == math.radians(1) and follow.kd == (10.0,)
        fixed = formula if constant.kp else constant
        assert fixed.structures == ("s",)

    def test_postures_and_groups(self) -> None:
        built = model(f'<body name="a" {ROD}/><posture name="up" a="180"/><group name="g" of="a"/>')
        assert built.postures[0].q == (math.pi,)
        assert built.groups[0].bodies == (1,)


class TestLinks:
    def test_the_free_side_of_a_surface(self) -> None:
        def gap(surface: str, root: str = "<system>", extra: str = "") -> str:
            from sistel.markup import print_expression

            place = "0,0" if "spatial" not in root else "0,0,0"
            text = f'{extra}<body joint="free" mass="1" inertia="1"><point name="p" place="{place}"/></body><links><contact name="c" point="p" surface="{surface}"/></links>'
            return print_expression(model(text, root).contacts[0].gap.expression)

        # y points down, so what is free lies at smaller y.
        assert gap("y = 0") == "-y"
        assert gap("y = 100") == "100 mm - y"
        assert gap("0 = y") == "-y"
        assert gap("y &lt;= 0.1*x + 50 mm") == "0.1*x + 50 mm - y"
        assert gap("x >= 0") == "x"
        assert gap("z = 0", '<system space="spatial">') == "z"
        assert gap("y = k*x", extra='<parameter name="k" value="0.1"/>') == "k*x - y"

    def test_contacts(self) -> None:
        built = model(
            '<body name="a" joint="free" mass="1" inertia="1"/><body name="b" joint="free" mass="1" inertia="1"><point name="p"/></body>'
            '<links><contact name="c" point="p" surface="y = 0" on="a" friction="0.3" impact="newton" restitution="0.8"/>'
            '<contact name="d" point="p" surface="y = 0" friction="none"/><contact name="e" point="p" surface="y = 0"/></links>'
        )
        c, d, e = built.contacts
        assert (c.on, c.body, c.friction, c.impact, c.restitution) == (1, 2, 0.3, "newton", 0.8)
        assert d.friction == 0.0 and e.friction is None

    def test_locks_couplings_springs(self) -> None:
        built = model(
            f'<body name="a" {ROD}/><body name="b" {ROD}/><body name="c" joint="free" mass="1" inertia="1"/>'
            '<spring body="a" at="0,100" to="b" at-to="0,200" stiffness="500" damping="2" length="150"/>'
            '<links><lock name="k" of="a, c.x" holds="no"/><lock name="l" body="c" to="b" holds="no"/>'
            '<coupling name="m" of="a" to="b" ratio="-2" offset="90"/><structure name="s" holds="k"/><structure name="w" holds="l"/></links>'
        )
        first, second = built.locks
        assert first.rates == (0, 2) and (second.first, second.second) == (3, 2)
        assert built.couplings[0].ratio == (-2.0,) and built.couplings[0].offset == math.pi / 2
        geared = model(
            f'<body name="a" {ROD}><motor ratio="50"/></body><body name="s" joint="0" mass="1"><motor ratio="400 rad/m"/></body>'
            '<links><coupling name="k" of="s" to="a" ratio="20 mm/rad"/></links>'
        )
        assert geared.couplings[0].ratio == (0.02,) and [motor.ratio for motor in geared.motors] == [50.0, 400.0]
        spring = built.springs[0]
        assert (spring.stiffness, spring.damping, spring.length) == (500.0, 2.0, 0.15)
        assert [(structure.name, structure.dof) for structure in built.structures] == [("s", 2), ("w", 1)]

    def test_effort_of_a_motor_has_the_dimension_of_its_joint(self) -> None:
        text = (
            '<body name="a" joint="0" mass="1"><motor name="m"/></body><links><structure name="s"/><structure name="w"/>'
            '<transition from="s" to="w" when="torque(m) > {}"/></links>'
        )
        assert model(text.format("5 N")).transitions
        with pytest.raises(sistel.SistelError, match="cannot be compared"):
            model(text.format("5 N*m"))

    def test_a_sliding_contact_forbids_one_motion(self) -> None:
        built = model(
            '<body name="a" joint="free" mass="1" inertia="1"><point name="p"/></body><links><contact name="c" point="p" surface="y = 0" friction="0.5"/>'
            '<structure name="sticks" holds="c"/><structure name="slips" slides="c"/></links>'
        )
        assert [(structure.holds, structure.dof) for structure in built.structures] == [(("c",), 1), (("c",), 2)]

    def test_changes_and_resets(self) -> None:
        built = model(
            '<body name="a" joint="free" mass="1" inertia="1"><point name="p" place="0,100"/></body>'
            '<links><contact name="c" point="p" surface="y = 0"/><structure name="air"/>'
            '<structure name="foot" body="a" joint="revolute" about="p"/>'
            '<structure name="both"><change body="a" joint="revolute" about="p"/></structure>'
            '<transition from="air" to="foot" when="gap(c) falls through 0" priority="2"><set of="a.angle" value="angle(a) - 10 deg" rate="0"/></transition>'
            '<transition to="air" when="t > 3 s or not (vy(p) > 0 and 0 &lt; q(a.x) &lt; 1 m)"/></links>'
        )
        air, foot, both = built.structures
        assert (air.dof, foot.dof, both.dof) == (3, 1, 1)
        assert foot.changes[0].about == "p" and foot.changes[0].p_BP == (0.0, 0.1, 0.0)
        first, second = built.transitions
        assert first.priority == 2.0 and first.resets[0].rate == 2
        assert first.resets[0].velocity is not None and first.resets[0].value is not None
        assert second.sources == () and second.impact == "none"


class TestSpatial:
    def test_axes_and_coordinates(self) -> None:
        built = model(
            '<body name="a" joint="cylindrical" axis="0,3,4" mass="1" inertia="1,2,2.5,0.1,0,0" com="1,0,0" min="-90,-10" max="90,10">'
            '<body name="b" joint="universal" axis="x" axis2="y" mass="1" inertia="1" place="0,0,100" turn="10,20,30">'
            '<body name="c" joint="planar" mass="1" inertia="1,1,1"/></body></body>',
            '<system space="spatial">',
        )
        a, b, _ = built.bodies
        assert a.joint.axis == (0.0, 0.6, 0.8)
        assert a.I_BBcm_B == (1.0, 2.0, 2.5, 0.1, 0.0, 0.0)
        assert a.joint.minimum == (-math.pi / 2, -0.01)
        assert b.joint.axis2 == (0.0, 1.0, 0.0)
        assert built.coordinate_names == ("a.angle", "a.slide", "b.first", "b.second", "c.x", "c.y", "c.angle")
        assert built.rate_kinds == ("turn", "slide", "turn", "turn", "slide", "slide", "turn")
        assert built.gravity == (0.0, 0.0, -9.81)

    def test_shapes_and_frames(self) -> None:
        built = model(
            '<body joint="free" mass="1" inertia="1"><box size="1,2,3" colour="красный"/><cylinder radius="1" length="2"/><sphere radius="3"/>'
            '<mesh file="package://x/y.stl" scale="0.001"/><frame name="tool" place="0,0,50" quaternion="0,0,0,1"/></body>',
            '<system space="spatial">',
        )
        assert [shape.sizes for shape in built.shapes] == [(0.001, 0.002, 0.003), (0.001, 0.002), (0.003,), (0.001,)]
        assert built.shapes[0].colour == "red"
        assert built.frames[0].R_BF == ((-1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0))

    def test_motors_and_stops(self) -> None:
        built = model(
            f'<body name="a" min="-10" max="20" {ROD}><motor name="m" ratio="100" limit="5" speed="90" inertia="1e-6" efficiency="0.8" '
            'voltage="24" resistance="2" inductance="1 mH" constant="0.05"/><stop restitution="0.3"/><stop at="max" stiffness="1000" damping="1"/></body>'
            '<body name="t" joint="free" mass="1" inertia="1"><motor of="t.x" limit="3"/></body>'
        )
        first, second = built.motors
        assert (first.ratio, first.limit, first.speed, first.efficiency) == (100.0, 5.0, math.pi / 2, 0.8)
        assert (first.voltage, first.resistance, first.inductance, first.constant) == (24.0, 2.0, 0.001, 0.05)
        assert second.coordinate == 0 and second.name == "t"
        rigid, elastic = built.stops
        assert rigid.at_min and rigid.at_max and rigid.stiffness is None and rigid.restitution == 0.3
        assert not elastic.at_min and elastic.stiffness == (1000.0,)


def test_motions_of_included_files_give_way(tmp_path: Path) -> None:
    """Where the file that includes it moves all coordinates of a motion, that motion is left out; others stay."""
    arm = (
        '<system><body name="a" joint="revolute" mass="1"><body name="b" joint="revolute" place="100,0" mass="1"/></body>'
        '<motion of="a, b" value="1, 2"/></system>'
    )
    (tmp_path / "arm.xml").write_text(arm)
    (tmp_path / "middle.xml").write_text('<system><include file="arm.xml"/></system>')

    def motions(text: str) -> list[list[str]]:
        (tmp_path / "whole.xml").write_text(f"<system>{text}</system>")
        model = sistel.load(tmp_path / "whole.xml").model
        return [[model.rate_names[rate] for rate in motion.rates] for motion in model.motions]

    for file in ("arm.xml", "middle.xml"):
        assert motions(f'<include file="{file}"/>') == [["a", "b"]]
        assert motions(f'<include file="{file}"/><motion of="b, a" value="3, 4"/>') == [["b", "a"]]
        with pytest.raises(sistel.SistelError, match="another motion forces too"):
            motions(f'<include file="{file}"/><motion of="b" value="3"/>')
    # Two files beside each other, of which one is moved here.
    two = (
        '<include file="arm.xml" prefix="l_"/><include file="arm.xml" prefix="r_"/><motion of="l_a, l_b" value="3, 4"/>'
    )
    assert motions(two) == [["l_a", "l_b"], ["r_a", "r_b"]]


def test_fingerprints_stay_what_they_were() -> None:
    """Runs that are kept can be read as long as they do; a word that is new in the language goes to `_LATER`."""
    assert sistel.parse(KEPT).fingerprint == "66f87c6ff40d3346b54e84d2814a6a1fea800f7431c7dd79be15506b5ba53a4f"
