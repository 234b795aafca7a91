"""Tables and drives → whole numbers: what is refused, and what rounding does."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import sistel
from sistel.drives import FAMILIES, emulate, parse_drives, plan_drives, write_program
from sistel.drives._profile import SetPoint, move_time
from sistel.errors import SistelError, Source
from sistel.motion.trajectories import locate_table, motion_table

DRIVES = Path(__file__).resolve().parents[3] / "models" / "drives"
MODEL = sistel.load(DRIVES / "arm.xml").model
PLAIN = '<drives><drive joint="elbow" node="1" ratio="66" speed="8000" acceleration="1500" {}/></drives>'
TABLE = "<table><tr><th>time</th><th>elbow [deg]</th></tr>{}</table>"
V2 = FAMILIES["faulhaber-v2"]


def drives(more: str = "") -> object:
    return parse_drives(Source("drives.xml", PLAIN.format(more)), MODEL)


def refused(rows: str, more: str = "", family: str = "faulhaber-v2", text: str = TABLE) -> list[tuple[str, str]]:
    with pytest.raises(SistelError) as caught:
        table, places = locate_table(text.format(rows), path="move.html")
        plan_drives(table, drives(more), FAMILIES[family], places)  # type: ignore[arg-type]
    return [(each.code, str(each.span)) for each in caught.value.diagnostics]


def row(time: float, angle: float) -> str:
    return f"<tr><td>{time}</td><td>{angle}</td></tr>"


def test_what_cannot_be_done_is_refused_at_its_cell() -> None:
    head = len(TABLE.partition("{}")[0])
    still = row(0, 0)
    place = head + len(still) + len("<tr><td>0.01</td><td>") + 1
    assert refused(still + row(0.01, 90)) == [("too-weak", f"move.html:1:{place}")]
    place = head + len(still) + len("<tr><td>1</td><td>") + 1
    assert refused(still + row(1, 90), 'max="45"') == [("out-of-range", f"move.html:1:{place}")]
    # All rows that are wrong are told together.
    assert [code for code, _ in refused(still + row(0.01, 90) + row(1, 200), 'max="180"')] == [
        "too-weak",
        "out-of-range",
    ]
    assert refused(row(-1, 0) + row(1, 0))[0][0] == "wrong-time"
    assert refused(still + row(0.0001, 0))[0][0] == "too-quick"
    assert refused(still)[0][0] == "wrong-shape"
    assert refused(row(1, 0) + row(1, 5))[0][0] == "wrong-time"
    other = TABLE.replace("elbow", "wrist")
    assert refused(still + row(1, 5), text=other)[0][0] == "no-drive"
    assert refused(still + row(1, 5), text=TABLE.replace("deg", "mm"))[0][0] == "wrong-unit"
    # A counter of 1.8 milliard ends somewhere.
    assert refused(still + row(1e6, 2e9), 'resolution="60000"')[0][0] == "out-of-range"


def test_every_family_checks_its_own_nodes_and_axes() -> None:
    table = motion_table([0, 1], [[0.0], [0.1]], names=["elbow"])
    many = parse_drives(Source("d", PLAIN.format("").replace('node="1"', 'node="200"')), MODEL)
    plan_drives(table, many, V2)
    with pytest.raises(SistelError, match="127"):
        plan_drives(table, many, FAMILIES["cia402"])
    text = "".join(f'<body name="b{i}" joint="revolute" mass="1" inertia="1"/>' for i in range(4))
    model = sistel.parse(f"<system>{text}</system>").model
    four = "".join(f'<drive joint="b{i}" node="{i + 1}" speed="9" acceleration="9"/>' for i in range(4))
    wide = motion_table([0, 1], [[0.0] * 4, [0.1] * 4], names=[f"b{i}" for i in range(4)])
    with pytest.raises(SistelError, match="3 axes"):
        plan_drives(wide, parse_drives(Source("d", f"<drives>{four}</drives>"), model), FAMILIES["grbl"])


def test_a_program_that_is_too_long_is_refused() -> None:
    count = 700
    table = motion_table([0.1 * i for i in range(count)], [[0.01 * (i % 3)] for i in range(count)], names=["elbow"])
    for family in ("faulhaber-v2", "faulhaber-v3"):
        plan = plan_drives(table, drives(), FAMILIES[family])  # type: ignore[arg-type]
        with pytest.raises(SistelError, match="bytes"):
            write_program(plan)
    # Nobody stores it elsewhere.
    write_program(plan_drives(table, drives(), FAMILIES["cia402"]))  # type: ignore[arg-type]


def test_rounding_is_reported_and_does_not_add_up() -> None:
    count = 50
    times = [0.1037 * i for i in range(count)]
    values = [[math.radians(9.0) * math.sin(0.7 * i)] for i in range(count)]
    plan = plan_drives(motion_table(times, values, names=["elbow"]), drives(), V2)  # type: ignore[arg-type]
    (axis,) = plan.axes
    for move, value in zip(axis.moves, values, strict=True):
        assert move.target == round(value[0] * 66 * 3000 / (2 * math.pi))
        assert move.made - value[0] == move.error and abs(move.error) <= math.pi / (66 * 3000) * (1 + 1e-9)
        assert -20.0 < move.shift <= 0.5
    assert abs(axis.moves[-1].shift) < 10.0


def test_the_way_to_the_first_row_comes_before_the_table() -> None:
    table = motion_table([0.5, 1.0], [[0.3], [0.5]], names=["elbow"])
    plan = plan_drives(table, drives('home="5"'), V2)  # type: ignore[arg-type]
    first, second = plan.axes[0].moves
    assert plan.lead > 0 and plan.lead % 10 == 0 and plan.notes
    assert first.arrival <= plan.lead and second.arrival <= plan.lead + 500
    assert first.target == round((0.3 - math.radians(5.0)) * plan.axes[0].scale)


def test_the_profile_keeps_its_closed_form_however_it_is_cut() -> None:
    """Time of a trapezoid and of a triangle, in one step and in ticks; a change on the way ends at the new target."""
    for way, speed, up, down in (
        (1000.0, 300.0, 2000.0, 1500.0),
        (10.0, 300.0, 2000.0, 500.0),
        (-7.0, 50.0, 900.0, 900.0),
    ):
        whole = move_time(way, speed, up, down)
        for step in (whole + 1.0, 1e-3, 7.7e-3):
            point, clock = SetPoint(), 0.0
            while True:
                left = point.advance(way, speed, up, down, step)
                clock += step
                if point.position == way and point.velocity == 0.0:
                    break
            assert clock - left == pytest.approx(whole, rel=1e-9, abs=2e-6)
    point = SetPoint()
    point.advance(1000.0, 300.0, 2000.0, 2000.0, 0.2)
    fast = point.velocity
    point.advance(-50.0, 100.0, 2000.0, 2000.0, 5.0)
    assert fast == pytest.approx(300.0) and point.position == -50.0 and point.velocity == 0.0


def test_a_third_for_each_ramp_stays_within_a_64th_of_the_cubic() -> None:
    """The trapezoid of a row against 3τ² − 2τ³: 1/64 of the way at most, at a quarter of the time [facts of the plan]."""
    speed, ramp = 1.5, 4.5
    point, worst = SetPoint(), 0.0
    for k in range(1, 10_001):
        point.advance(1.0, speed, ramp, ramp, 1e-4)
        u = 1e-4 * k
        worst = max(worst, abs(point.position - u * u * (3.0 - 2.0 * u)))
    assert worst == pytest.approx(1.0 / 64.0, rel=1e-6)


def test_homing_by_a_switch_comes_before_the_program() -> None:
    table = motion_table([0, 0.5], [[0.0], [0.3]], names=["elbow"])
    plan = plan_drives(table, drives('homing="switch" homing-speed="-600"'), V2)  # type: ignore[arg-type]
    program = write_program(plan)
    assert program.setup[-5:] == ("1SHA1", "1SHL1", "1HOSP-600", "1EN", "1GOHOSEQ")
    made = emulate(plan, program)
    assert not made.problems and made.counts[0, 0] == 0.0 and made.counts[-1, 0] == plan.axes[0].moves[-1].target


def test_a_table_that_begins_later_is_told() -> None:
    table = motion_table([5.0, 6.0], [[0.0], [0.3]], names=["elbow"])
    plan = plan_drives(table, drives(""), V2)
    assert plan.end <= 1000 and any("begins at 5 s" in note.en and "5 с" in note.ru for note in plan.notes)
    assert not plan_drives(motion_table([0.0, 1.0], [[0.0], [0.3]], names=["elbow"]), drives(""), V2).notes


def test_what_a_family_does_not_set_is_said() -> None:
    table = motion_table([0, 0.5], [[0.0], [0.3]], names=["elbow"])
    for family, words in (("faulhaber-v2", ()), ("cia402", ("current",)), ("dynamixel", ("homing", "limits"))):
        plan = plan_drives(table, drives('homing="here" current="2"'), FAMILIES[family])  # type: ignore[arg-type]
        said = " ".join(warning.en for warning in write_program(plan).warnings)
        assert ("does not set" in said) == bool(words) and all(word in said for word in words)
    fine = plan_drives(table, drives('resolution="70000"'), FAMILIES["cia402"])  # type: ignore[arg-type]
    write_program(fine)
    with pytest.raises(SistelError, match="ENCRES"):
        write_program(plan_drives(table, drives('resolution="70000"'), V2))  # type: ignore[arg-type]


@pytest.mark.parametrize("family", ["faulhaber-v2", "faulhaber-v3", "grbl", "dynamixel"])
def test_the_time_that_a_drive_needs_is_enough(family: str) -> None:
    """What is told of a row that is too quick: a little more than that works, whatever the family."""
    table = motion_table([0.0, 0.1], [[0.0], [1.3]], names=["elbow"], units=["deg"])
    with pytest.raises(SistelError) as caught:
        plan_drives(table, drives(), FAMILIES[family])  # type: ignore[arg-type]
    (said,) = caught.value.diagnostics
    needs = float(said.message.en.split("needs ")[1].split(" s")[0])
    assert needs > 0.1
    table = motion_table([0.0, math.ceil(1e3 * needs + 2.0) / 1e3], [[0.0], [1.3]], names=["elbow"], units=["deg"])
    plan = plan_drives(table, drives(), FAMILIES[family])  # type: ignore[arg-type]
    assert not emulate(plan, write_program(plan)).problems


def test_a_row_out_of_reach_is_told_once() -> None:
    rows = row(0, 0) + row(0.6, 1e300) + row(1.2, 10) + row(1.8, 20)
    assert [code for code, _ in refused(rows)] == ["out-of-range"]
