"""Drawings of functional schemes: nothing overlaps, wires are orthogonal and lead where they should, and stay so."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from support.wiring import faults, many_blocks, unjoined

import sistel
from sistel.views.page import draw_page
from sistel.views.page._signals import plotted_signals
from sistel.views.wiring import Layout, draw_wiring, lay_out, net_of, scheme_strips

SMALL = """<system><body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="arm"/></body>
  <scheme name="flow"><signal name="speed" value="rate(arm)"/></scheme>
  <scheme name="drive" period="10 ms">
    <input name="task" kind="slider" min="-1 rad" max="1 rad"/>
    <block name="before" kind="delay" in="u" start="0 N*m"/>
    <block name="u" kind="pd" in="task - angle(arm)" rate="-speed" kp="20 N*m/rad" kd="1 N*m*s/rad" limit="9 N*m"/>
    <lamp name="idle" from="abs(before) lt 1 N*m"/>
    <output motor="arm" from="u + 0.5*before"/>
    {more}
  </scheme></system>"""


def layout_of(text: str, lang: str = "en", scheme: int = -1) -> Layout:
    model = sistel.parse(text).model
    return lay_out(net_of(model, model.schemes[scheme], lang))  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [1, 3, 12, 40, 100])
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_overlaps(count: int, seed: int) -> None:
    layout = layout_of(many_blocks(count, seed))
    assert faults(layout) == []
    assert unjoined(layout) == []


def test_faults_are_found() -> None:
    """The looking itself: a box moved upon its neighbour, a wire moved through a box, a wire cut."""
    layout = layout_of(many_blocks(12))
    first, second, *rest = layout.boxes
    moved = [first, replace(second, x=first.x + 3, y=first.y + 3), *rest]
    assert any("overlap" in fault for fault in faults(replace(layout, boxes=moved)))
    path, *others = layout.paths
    box = next(each for i, each in enumerate(layout.boxes) if i != path.source)
    through = (box.x - 9, box.y + box.height / 2), (box.x + box.width + 9, box.y + box.height / 2)
    crossed = replace(layout, paths=[replace(path, lines=[*path.lines, through]), *others])
    assert any("through" in fault for fault in faults(crossed))
    cut = replace(layout, paths=[replace(path, lines=path.lines[:-1]), *others])
    assert unjoined(cut)


def test_wires_say_what_the_scheme_does() -> None:
    """Samples where the clock reads what flows, a hold at the motor, signs at sums, one wire that feeds back."""
    model = sistel.parse(SMALL.format(more="")).model
    net = net_of(model, model.schemes[1], "en")
    names = [box.title or box.sort for box in net.boxes]
    wires = {(names[w.source], names[w.target]): w.mark for w in net.wires}
    assert wires["angle(arm)", "sum"] == wires["task", "sum"] == "sample"
    assert wires["speed", "u"] == "sample"  # of a scheme that flows
    assert wires["sum", "u"] == wires["u", "before"] == ""
    assert wires["sum", "arm"] == "hold"
    straight = sistel.parse(SMALL.format(more="").replace('from="u + 0.5*before"', 'from="task*1 N*m/rad"')).model
    assert [wire.mark for wire in net_of(straight, straight.schemes[1], "en").wires][-1:] == [""]  # past the clock
    (pd,) = (box for box in net.boxes if box.title == "u")
    assert (pd.ports, pd.signs) == (["", "rate"], ["", "−"])
    assert pd.lines == ["pd", "kp = 20 N*m/rad", "kd = 1 N*m*s/rad", "limit = 9 N*m"]
    assert [box.signs for box in net.boxes if box.sort == "sum"] == [["", "−"], ["", ""]]
    layout = lay_out(net)
    x = {box.box.title: box.x for box in layout.boxes}
    assert x["task"] < x["u"] < x["arm"] == max(each.x for each in layout.boxes)
    assert x["before"] > x["u"]


def test_places_of_the_file_are_kept() -> None:
    more = '<drawing><place of="u" at="5, 2"/><place of="task" at="0, 3"/><place of="before" at="1, 0"/></drawing>'
    layout = layout_of(SMALL.format(more=more))
    assert faults(layout) == [] == unjoined(layout)
    at = {each.box.title: each for each in layout.boxes}
    assert at["task"].x < at["before"].x < at["u"].x
    middle = {name: each.y + each.height / 2 for name, each in at.items()}
    assert middle["u"] - middle["before"] == pytest.approx(2 * 84.0, abs=2)
    assert middle["task"] - middle["before"] == pytest.approx(3 * 84.0, abs=2)


def test_wrong_places_are_refused() -> None:
    for more, words in (
        ('<drawing><place of="v" at="1, 1"/></drawing>', 'no block "v"'),
        ('<drawing><place of="u" at="1.5, 1"/></drawing>', "whole column"),
        ('<drawing><place of="u" at="1"/></drawing>', "whole column"),
        ('<drawing><place of="u" at="1, 1"/><place of="u" at="1, 2"/></drawing>', "given twice"),
        ('<drawing size="12"/>', "places of blocks alone"),
    ):
        with pytest.raises(sistel.SistelError, match=words):
            sistel.parse(SMALL.format(more=more))
    with pytest.raises(sistel.SistelError, match="belong to a scheme"):
        sistel.parse('<system><body joint="revolute" mass="1"/><drawing><place of="u" at="1, 1"/></drawing></system>')


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_pictures_are_the_same_every_time(lang: str) -> None:
    """And are XML, with everything in the words of the language."""
    text = SMALL.format(more="")
    first, second = (draw_wiring(sistel.parse(text).model, lang=lang) for _ in range(2))  # type: ignore[arg-type]
    assert first == second
    words = {node.text for node in ElementTree.fromstring(first).iter() if node.text}
    assert ({"ПД", "лампа", "Н·м", "ползунок"} if lang == "ru" else {"pd", "lamp", "N·m", "slider"}) <= words
    assert re.search(r'class="value n0"', first)


def test_large_schemes_are_laid_out_at_once() -> None:
    """100 blocks within a second of processor time; about 0.05 s here, and 0.02, 0.05, 0.15 s for 50, 100, 200."""
    model = sistel.parse(many_blocks(100)).model
    began = time.process_time()
    lay_out(net_of(model, model.schemes[0], "en"))
    assert time.process_time() - began < 1.0


def test_everything_of_a_scheme_is_drawn() -> None:
    """Sensors, vectors, schemes that are used and behaviours: boxes with the parts that others ask for."""
    text = """<system><body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="arm"/></body>
      <scheme name="own" ports="e, k"><block name="p" kind="gain" in="e" gain="k"/></scheme>
      <scheme name="drive" period="10 ms">
        <input name="go" kind="button"/><input name="stick" kind="joystick" min="-1" max="1"/>
        <sensor name="eye" kind="joint" of="arm"/>
        <block name="v" kind="vector" in="eye, rate(arm)*1 s, stick.y*1 rad"/>
        <block name="n" kind="dot" in="v, v"/>
        <use name="left" scheme="own" e="1 rad - eye" k="3 N*m/rad"/>
        <behaviour name="b" start="a" L="0 N*m">
          <state name="a"><go to="c" when="go and n gt 1 rad^2"/></state><state name="c" L="left.p"/></behaviour>
        <output motor="arm" from="b.L"/></scheme></system>"""
    layout = layout_of(text)
    assert faults(layout) == [] == unjoined(layout)
    boxes = {each.box.title: each.box for each in layout.boxes if each.box.title}
    wires = {(layout.boxes[wire.source].box.title, layout.boxes[wire.target].box.title) for wire in layout.net.wires}
    assert {("eye", "v"), ("v", "n"), ("go", "b"), ("n", "b"), ("left", "b"), ("b", "arm")} <= wires
    assert (boxes["stick"].outs, boxes["left"].outs, boxes["b"].outs) == (["stick.y"], ["left.p"], ["b", "b.L"])
    assert boxes["v"].outs == [""]  # it leaves as one wire
    assert boxes["eye"].lines == ["joint", "arm"]
    assert boxes["left"].lines[0] == "own" and boxes["b"].lines[0] == "behaviour"


@pytest.mark.slow
def test_pages_of_many_blocks_stay_small() -> None:
    """300 kB for 200 blocks; of their signals 40 are plotted, and the page says so."""
    system = sistel.parse(many_blocks(200))
    page = draw_page(system.model, system.simulate(1.0))
    assert len(page.encode()) < 350_000
    chosen = plotted_signals(system.model)
    assert len(chosen) == 40 and chosen[0].name == "task"
    assert "s198" in {each.name for each in chosen}  # what the motor gets


@pytest.mark.parametrize("count", [12, 100])
def test_parts_of_a_wide_scheme(count: int) -> None:
    """Every box is whole in one part alone, and every wire that is cut is named on both sides of the cut."""
    model = sistel.parse(many_blocks(count)).model
    layout = lay_out(net_of(model, model.schemes[-1], "en"))
    drawn = [ElementTree.fromstring(svg) for svg in scheme_strips(model, model.schemes[-1], "en", 1100.0)]
    assert len(drawn) >= layout.width / 1100.0 > 1.0
    assert len({svg.get("width") for svg in drawn}) == 1 and float(str(drawn[0].get("width"))) <= 1100.0
    svg = "{http://www.w3.org/2000/svg}"
    boxes = [each for part in drawn for each in part.iter() if each.get("class") == "box"]
    assert len(boxes) == len(layout.boxes)
    for part in drawn:
        inside = next(each for each in part.iter(f"{svg}g") if "translate" in str(each.get("transform")))
        moved = float(re.split(r"[( ]", str(inside.get("transform")))[1])
        for box in inside.iter(f"{svg}rect"):
            if box.get("class") == "box":
                left = moved + float(str(box.get("x")))
                assert left >= 80.0 and left + float(str(box.get("width"))) <= float(str(part.get("width"))) - 80.0

    def named(part: ElementTree.Element, anchor: str) -> list[tuple[str, str | None]]:
        """Texts beside a cut, with their heights."""
        found = [each for each in part.iter(f"{svg}text") if each.get("class") == "small"]
        return sorted((str(each.get("y")), each.text) for each in found if each.get("text-anchor") == anchor)

    for before, after in pairwise(drawn):
        assert named(before, "start") == named(after, "end") != []
