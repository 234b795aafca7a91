"""Process lists: what fits is planned and done by the system of bodies, what does not is told with its row."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cells import Plan, cell_xml, plan_cell, read_cell, world_pose

MODELS = Path(__file__).parents[3] / "models"
HEAD = f"""<cell name="test">
  <robot name="R" model="{MODELS}/mr_cylindrical.xml" frame="схват" fingers="губка_1, губка_2"/>
  <station name="rack" kind="rack"><slot name="a" code="0, 5, 0.6, 0.5, 0.3, 46"/><slot name="b" code="0, 5, 0.6, 0.5, -0.3, 46"/></station>
  <station name="lathe" kind="machine"><slot name="m" code="0, 5, 0.75, 0.6, 0, 13"/></station>
  <station name="done" kind="table" out="yes"><slot name="c" code="0, 5, -0.6, 0.5, 0.3, 46"/></station>
  <station name="moon" kind="rack"><slot name="far" code="0, 5, 9, 0.5, 0, 13"/></station>
  <part name="one" slot="a" mass="2" size="60, 40, 40"/>
  <part name="two" slot="b"/>
"""


def planned(rows: str, tmp_path: Path, head: str = HEAD) -> Plan:
    path = tmp_path / "cell.xml"
    path.write_text(f"{head}<process>{rows}</process></cell>", encoding="utf-8")
    return plan_cell(read_cell(path, lambda file: sistel.load(file).model, allow=[MODELS]))


def row(doing: str, slot: str = "", part: str = "", **more: str) -> str:
    given = {"do": doing, "slot": slot, "part": part, **more}
    return "<row " + " ".join(f'{key}="{value}"' for key, value in given.items() if value) + "/>"


def problems(rows: str, tmp_path: Path, head: str = HEAD) -> list[str]:
    with pytest.raises(sistel.SistelError) as caught:
        planned(rows, tmp_path, head)
    for each in caught.value.diagnostics:
        assert each.span is not None and each.message.ru != each.message.en
    return [each.message.en for each in caught.value.diagnostics]


def test_a_machine_works_while_the_robot_goes_on(tmp_path: Path) -> None:
    rows = row("take", "a", "one") + row("put", "m") + row("work", "m", time="30")
    rows += row("take", "b", "two") + row("put", "c") + row("take", "m", "one") + row("put", "a")
    plan = planned(rows, tmp_path)
    bars = {(bar.row, bar.what): bar for bar in plan.bars}
    work = bars[3, "work"]
    assert work.end - work.begin == pytest.approx(30)
    assert bars[4, "take"].begin == bars[2, "put"].end  # meanwhile
    assert bars[5, "put"].end < work.end
    idle = bars[6, "idle"]
    assert idle.begin == bars[5, "put"].end and idle.end == bars[6, "take"].begin
    # The robot comes for the part just when it is ready: its gripper waits before the slot, not longer than needed.
    entered = [each.time for each in plan.carried if each.part == "one" and each.holder == "R"][1]
    assert work.end < entered < work.end + 2.0
    assert plan.finished == 1 and plan.places == {"one": "a", "two": "c"}
    assert 0.0 < plan.busy("R") < 1.0 and plan.end == max(bar.end for bar in plan.bars)


def test_speeds_of_joints_are_kept(tmp_path: Path) -> None:
    plan = planned(row("take", "a") + row("put", "c"), tmp_path)
    kinds = [body.joint.type.key for body in plan.cell.robots[0].arm.model.bodies]
    limits = np.array([math.radians(120) if kind == "revolute" else 0.8 for kind in kinds])
    fastest = max(
        (1.875 * np.abs(move.goal - move.start) / (move.end - move.begin) / limits).max() for move in plan.moves
    )
    assert fastest == pytest.approx(1.0, rel=1e-12)  # as fast as allowed, and not faster
    # Motions follow each other without gaps in place.
    for before, after in zip(plan.moves, plan.moves[1:], strict=False):
        assert (before.goal == after.start).all() and after.begin >= before.end - 1e-12


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (row("take", "b", "one"), 'row 1: "one" is not in "b", but in "a"'),
        (row("take", "c"), 'row 1: nothing lies in "c"'),
        (row("take", "a") + row("take", "b"), 'row 2: "R" holds "one" already'),
        (row("put", "c"), 'row 1: "R" holds nothing'),
        (row("take", "a") + row("put", "b"), 'row 2: "two" lies in "b" already'),
        (row("take", "a") + row("put", "c", "two"), 'row 2: "R" holds "one", not "two"'),
        (row("take", "a") + row("put", "far"), 'row 2: "R" cannot be at "far": this pose is out of reach'),
        (row("work", "m", time="5"), 'row 1: nothing lies in "m"'),
        (row("take", "a") + row("assemble", "c"), 'row 2: nothing lies in "c" to assemble with'),
        (row("transport", "m", time="3"), 'row 1: "lathe" is no belt'),
        (row("take", "a") + row("put", "m") + row("take", "a", "one"), 'row 3: "one" is not in "a", but in "m"'),
    ],
)
def test_wrong_rows_are_refused(rows: str, words: str, tmp_path: Path) -> None:
    found = problems(rows, tmp_path)
    assert len(found) == 1 and words in found[0]


def test_all_mistakes_of_a_file_at_once(tmp_path: Path) -> None:
    rows = row("tkae", "a") + row("take", "z") + row("work", "m") + row("wait", time="-1") + "<rwo/>"
    head = HEAD.replace('kind="machine"', 'kind="machin"').replace("0.75, 0.6, 0, 13", "0.75, 0.6, 0, 11")
    found = "\n".join(problems(rows, tmp_path, head))
    for words in (
        '"tkae" is nothing to do',
        'no slot "z"',
        '"time" is missing',
        "is no time",
        '"rwo" has no place here',
    ):
        assert words in found
    assert '"machin" is not known' in found and "fingers and thumb would lie along one line" in found


def test_a_row_with_a_time_of_its_own_clashes(tmp_path: Path) -> None:
    rows = row("take", "a") + row("put", "m") + row("work", "m", time="20") + row("take", "m", start="5")
    plan = planned(rows, tmp_path)
    (clash,) = plan.clashes
    assert (clash.row.number, clash.asked) == (4, 5.0) and clash.begins > 20.0
    later = planned(row("take", "a", start="7"), tmp_path)
    assert not later.clashes and later.bars[-1].begin == 7.0


def test_a_list_as_a_table(tmp_path: Path) -> None:
    cell = tmp_path / "cell.xml"
    cell.write_text(f"{HEAD}</cell>", encoding="utf-8")
    table = tmp_path / "list.csv"
    table.write_text("действие;гнездо;деталь;время\nвзять;a;one;\nположить;m;;\nобработать;m;;12\n", encoding="utf-8")
    plan = plan_cell(read_cell(cell, lambda file: sistel.load(file).model, table, [MODELS]))
    assert [bar.what for bar in plan.bars] == ["take", "put", "work"]
    table.write_text("do,slut\ntake,a\nhop,b\n", encoding="utf-8")
    with pytest.raises(sistel.SistelError) as caught:
        read_cell(cell, lambda file: sistel.load(file).model, table, [MODELS])
    said = str(caught.value)
    assert 'no column "slut"' in said and "list.csv:3" in said and "slot" in said


def test_the_weight_of_a_part_appears_in_the_reactions(tmp_path: Path) -> None:
    """The system of bodies does what the plan says, and every hand-over is a transition."""
    head = HEAD.replace('<part name="two" slot="b"/>', "")  # a smaller system is derived sooner
    plan = planned(row("take", "a") + row("put", "c"), tmp_path, head)
    path = tmp_path / "system.xml"
    path.write_text(cell_xml(plan), encoding="utf-8")
    system = sistel.load(path, allow=[MODELS])
    run = system.simulate(until=plan.end)
    assert [event.after for event in run.events] == ["R: one", "all lie"]
    assert [event.time for event in run.events] == pytest.approx([each.time for each in plan.carried], abs=1e-9)
    end = system.pose(run.q[-1], "one")
    assert np.abs(end - world_pose(plan.cell.slots["c"])).max() < 1e-9  # constraints are kept to 1e-10 a step
    # At rest before the hand-over and after it: the lift carries 2 kg more.
    take = plan.carried[0].time
    before, after = (run.reactions(take + dt)["R_подъём"][5] for dt in (-1e-9, 1e-9))
    assert after - before == pytest.approx(2 * 9.81, rel=1e-6)  # at the very end of a quintic: at rest but for its jerk
    # While it is held the part stays where it is in the gripper.
    times = np.linspace(plan.carried[0].time, plan.carried[1].time, 7)
    q = run(times)[0]
    seen = [np.linalg.inv(system.pose(one, "R_схват")) @ system.pose(one, "one") for one in q]
    assert np.abs(np.array(seen) - seen[0]).max() < 1e-9
