"""Behaviours, rule by rule: what SCXML 1.0 says of a chart, on charts small enough to follow by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.state_charts import Ticking

import sistel
from sistel.markup import write_document
from sistel.markup.formats.table import write_format
from sistel.model import to_document

BODY = '<body name="a" joint="prismatic" axis="x" mass="1"><motor name="a"/></body>'


def system(states: str, start: str, before: str = "", after: str = "", more: str = "") -> sistel.System:
    return sistel.parse(
        f'<system>{BODY}{more}<scheme name="s" period="10 ms"><input name="e"/><input name="f"/>{before}'
        f'<behaviour name="b" start="{start}">{states}</behaviour>{after}</scheme></system>'
    )


def ticking(states: str, start: str) -> Ticking:
    made = Ticking(system(states, start))
    assert made.go()
    return made


def test_inner_passages_come_before_outer_ones_and_earlier_before_later() -> None:
    chart = ticking(
        '<state name="out" start="in"><state name="in"><go to="x" event="e"/><go to="y" event="e"/></state>'
        '<go to="z" event="e"/><go to="z" event="f"/></state><state name="x"/><state name="y"/><state name="z"/>',
        "out",
    )
    assert chart.active() == {"out", "in"}
    chart.go(e=1.0)
    assert chart.active() == {"x"}
    other = ticking('<state name="o" start="i"><state name="i"/><go to="z" event="f"/></state><state name="z"/>', "o")
    other.go(f=1.0)
    assert other.active() == {"z"}


def test_exits_passage_and_entries_happen_in_this_order() -> None:
    digit = '<assign data="n" value="10*n + {}"/>'
    chart = ticking(
        '<data name="n" start="0"/><state name="p" start="c"><exit>' + digit.format(2) + "</exit>"
        '<state name="c"><exit>' + digit.format(1) + '</exit><go to="r" event="e">' + digit.format(3) + "</go></state>"
        '</state><state name="q" start="r"><enter>' + digit.format(4) + "</enter>"
        '<state name="r"><enter>' + digit.format(5) + "</enter></state></state>",
        "p",
    )
    chart.go(e=1.0)
    assert chart.value("b.n") == 12345


@pytest.mark.parametrize(("internal", "entered"), [("no", 2.0), ("yes", 1.0)])
def test_internal_passages_do_not_leave_their_state(internal: str, entered: float) -> None:
    chart = ticking(
        '<data name="n"/><state name="p" start="c"><enter><assign data="n" value="n + 1"/></enter>'
        f'<go to="d" event="e" internal="{internal}"/><state name="c"/><state name="d"/></state>',
        "p",
    )
    chart.go(e=1.0)
    assert chart.active() == {"p", "d"}
    assert chart.value("b.n") == entered


def test_passages_without_a_target_change_no_state() -> None:
    chart = ticking(
        '<data name="n"/><state name="c"><enter><assign data="n" value="100"/></enter>'
        '<go event="e"><assign data="n" value="n + 1"/></go></state>',
        "c",
    )
    chart.go(e=1.0)
    assert (chart.active(), chart.value("b.n")) == ({"c"}, 101.0)


REGIONS = (
    '<parallel name="p"><state name="A" start="a1"><state name="a1"><go to="a2" event="e"/></state>'
    '<state name="a2"><go to="a9" event="f"/></state><final name="a9"/></state>'
    '<state name="B" start="b1"><state name="b1"><go to="b9" event="e"/></state><final name="b9"/></state>'
    '<go to="over" event="done.p"/></parallel><state name="over"/>'
)


def test_parallel_states_are_active_together_and_done_together() -> None:
    chart = ticking(REGIONS, "p")
    assert chart.active() == {"p", "A", "a1", "B", "b1"}
    chart.go(e=1.0)
    assert chart.active() == {"p", "A", "a2", "B", "b9"}
    chart.go(f=1.0)
    assert chart.active() == {"over"}


@pytest.mark.parametrize(("deep", "back"), [("yes", "d"), ("no", "c")])
def test_histories_remember_what_was_active(deep: str, back: str) -> None:
    chart = ticking(
        f'<state name="p" start="q"><history name="h" deep="{deep}"/><state name="x"/><state name="q" start="c">'
        '<state name="c"><go to="d" event="e"/></state><state name="d"/></state><go to="away" event="f"/></state>'
        '<state name="away"><go to="h" event="f"/></state>',
        "p",
    )
    for event in ("e", "f", "f"):
        chart.go(**{event: 1.0})
    assert chart.active() == {"p", "q", back}


def test_raised_events_come_before_those_from_outside() -> None:
    chart = ticking(
        '<state name="a"><go to="c" event="e"><raise event="inner"/></go></state>'
        '<state name="c"><go to="right" event="inner"/><go to="wrong" event="f"/></state>'
        '<state name="right"/><state name="wrong"/>',
        "a",
    )
    chart.go(e=1.0, f=1.0)
    assert chart.active() == {"right"}


def test_a_tick_runs_to_completion_however_many_steps_that_takes() -> None:
    chart = ticking(
        '<data name="n"/><state name="c"><go to="c" when="n lt 37"><assign data="n" value="n + 1"/></go></state>', "c"
    )
    assert chart.value("b.n") == 37.0


def test_events_are_rising_edges_and_names_mean_all_that_begin_with_them() -> None:
    made = sistel.parse(
        f'<system>{BODY}<scheme name="s" period="10 ms"><signal name="late" value="t gt 0.035 s"/>'
        '<behaviour name="b" start="c"><data name="n"/><state name="c"><go event="late">'
        '<assign data="n" value="n + 1"/><raise event="x.y"/></go><go event="x"><assign data="n" value="n + 10"/></go>'
        "</state></behaviour></scheme></system>"
    )
    assert made.simulate(0.2).quantity("b.n", [0.03, 0.05, 0.2]).tolist() == [0.0, 11.0, 11.0]


def test_after_counts_ticks_and_time_in_a_state_is_a_signal() -> None:
    made = system(
        '<state name="c"><go to="d" after="0.3 s"/></state><state name="d"><go to="c" after="0.1 s"/></state>',
        "c",
        after='<signal name="held" value="b.c.time"/>',
    )
    run = made.simulate(1.0)
    # 0.3 s are 30 ticks, although 30 · 0.01 is not 0.3.
    assert run.quantity("b.c", [0.295, 0.305, 0.395, 0.405, 0.695, 0.705]).tolist() == [1, 0, 0, 1, 1, 0]
    assert run.quantity("held", [0.205, 0.305, 0.505]) == pytest.approx([0.2, 0.0, 0.1], abs=1e-12)


def test_outputs_are_those_of_the_innermost_state_that_gives_them() -> None:
    made = sistel.parse(
        f'<system>{BODY}<scheme name="s" period="10 ms"><behaviour name="b" start="p" F="1 N" lamp="0 gt 1">'
        '<state name="p" start="c" F="2 N"><state name="c"><go to="d" after="0.1 s"/></state>'
        '<state name="d" F="3 N" lamp="t gt 0"><go to="q" after="0.1 s"/></state></state><state name="q"/></behaviour>'
        '<output motor="a" from="b.F"/></scheme></system>'
    )
    run = made.simulate(0.5)
    assert run.quantity("b.F", [0.05, 0.15, 0.25]).tolist() == [2.0, 3.0, 1.0]
    assert run.quantity("b.lamp", [0.05, 0.15, 0.25]).tolist() == [0.0, 1.0, 0.0]
    # 2 N for 0.1 s, 3 N for 0.1 s, 1 N for 0.3 s, on 1 kg.
    assert run.v[-1][0] == pytest.approx(0.2 + 0.3 + 0.3, abs=1e-13)


def test_runs_go_on_where_they_ended() -> None:
    made = system(
        '<data name="n"/><state name="c"><go to="d" after="0.13 s"><assign data="n" value="n + 1"/></go></state>'
        '<state name="d"><go to="c" after="0.07 s"/></state>',
        "c",
    )
    whole = made.simulate(1.0)
    first = made.simulate(0.45)
    rest = made.simulate(1.0, resume=first)
    for name in ("b", "b.n"):
        assert rest.quantity(name)[-1] == whole.quantity(name)[-1]
    assert whole.quantity("b.n")[-1] == 5.0


def test_a_behaviour_is_written_as_it_was_read() -> None:
    made = system(REGIONS + '<state name="lost"/>', "p")
    again = sistel.parse(write_document(to_document(made.model)))
    assert again.fingerprint == made.fingerprint
    russian = sistel.parse(write_document(to_document(made.model), "ru"))
    assert russian.fingerprint == made.fingerprint


def test_scxml_and_back() -> None:
    made = system(
        '<data name="n" start="2"/>' + REGIONS + '<state name="lost"><go to="over" when="n gt 1"/></state>', "p"
    )
    again = sistel.parse(write_format(to_document(made.model), "b.scxml")[0])
    (first,), (second,) = ((scheme.behaviours for scheme in one.model.schemes) for one in (made, again))
    assert [(state.key, state.name, state.parent) for state in first[0].states] == [
        (state.key, state.name, state.parent) for state in second[0].states
    ]
    assert [len(state.goes) for state in first[0].states] == [len(state.goes) for state in second[0].states]


WRONG = {
    "unknown-state": '<state name="c"><go to="nowhere" event="e"/></state>',
    "no-start": '<state name="c"><state name="d"/></state>',
    "same-name": '<state name="c"/><state name="d"/><state name="d"/>',
    "not-a-condition": '<state name="c"><go to="c" when="3 m"/></state>',
    "wrong-dimension": '<data name="n" start="1 m"/><state name="c"><enter><assign data="n" value="1 s"/></enter></state>',
    "unknown-event": '<state name="c"><go to="c" event="nothing"/></state>',
    "endless": '<state name="c"><go to="d"/></state><state name="d"><go to="c"/></state>',
    "no-output": '<state name="c" u="1 N"><go to="d" event="e"/></state><state name="d"/>',
    "two-outputs": '<parallel name="c"><state name="x" u="1 N"/><state name="y" u="2 N"/></parallel>',
    "not-together": '<state name="c"><go to="d, g" event="e"/></state><state name="d"/><state name="g"/>',
    "unknown-name": '<state name="c"><enter><assign data="m" value="1"/></enter></state>',
}


@pytest.mark.parametrize("code", WRONG)
def test_what_is_wrong_is_told_at_its_place(code: str) -> None:
    with pytest.raises(sistel.SistelError) as caught:
        system(WRONG[code], "c", after='<signal name="uses" value="b.u"/>' if "output" in code else "")
    found = [each for each in caught.value.diagnostics if each.code == code]
    assert found
    assert found[0].span is not None
    assert found[0].render("ru") != found[0].render("en")


def test_states_that_nothing_leads_to_are_told() -> None:
    made = system('<state name="c"/><state name="lost"/>', "c")
    assert [each.code for each in made.diagnostics if each.severity == "warning"] == ["unreachable-state"]


def test_a_behaviour_that_never_settles_names_its_loop() -> None:
    made = system(
        '<state name="c"><go to="d" when="t gt 0.05 s"/></state><state name="d"><go to="c" when="t lt 0.2 s"/></state>',
        "c",
    )
    with pytest.raises(sistel.SistelError) as caught:
        made.simulate(1.0)
    assert caught.value.diagnostics[0].code == "endless"
    assert "d → c" in caught.value.diagnostics[0].message.en


def test_blocks_wait_for_a_behaviour_that_needs_a_tick_again() -> None:
    """Fifty steps in one tick take several passes; an integrator beside them counts the tick once."""
    made = system(
        '<data name="n"/><state name="c"><go to="c" when="n lt 50"><assign data="n" value="n + 1"/></go></state>',
        "c",
        before='<block name="gathered" kind="integrator" in="1"/>',
    )
    run = made.simulate(0.1)
    assert run.quantity("b.n")[-1] == 50.0
    assert run.quantity("gathered", np.array([0.055]))[0] == pytest.approx(0.05, abs=1e-15)


CHART = """<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="sistel" initial="A">
<state id="A"><transition event="e" cond="1 +" target="B"/></state><state id="B"/></scxml>"""


def told(folder: Path, inside: str, chart: str) -> list[tuple[str, str]]:
    """Codes and marked texts of what is wrong with a behaviour that names a file."""
    (folder / "go.scxml").write_text(chart, encoding="utf-8")
    text = f'<system>{BODY}<scheme name="s" period="10 ms"><input name="e"/>{inside}</scheme></system>'
    (folder / "model.xml").write_text(text, encoding="utf-8")
    try:
        found = sistel.load(folder / "model.xml").diagnostics
    except sistel.SistelError as problem:
        found = tuple(problem.diagnostics)
    return [(each.code, each.span.text) for each in found if each.span is not None]


def test_a_file_of_states(tmp_path: Path) -> None:
    """What a file cannot say is told with its place in that file; states come from one source."""
    losses = told(tmp_path, '<behaviour name="b" file="go.scxml"/>', CHART)
    assert [code for code, _ in losses] == ["not-carried-over"] and losses[0][1] == "1 +"
    both = told(tmp_path, '<behaviour name="b" file="go.scxml"><state name="C"/></behaviour>', CHART)
    assert ("two-sources", '<state name="C"/>') in both
    other = told(tmp_path, '<behaviour name="b" file="go.scxml"/>', "<system/>")
    assert other == [("no-behaviour", "go.scxml")]
