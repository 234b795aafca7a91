"""Models whose numbers follow parameters: which can, which cannot and why, and that formulas give what building does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.robots import gallery_sampled
from support.structures import gallery, parsed

import sistel
from sistel.errors import SistelError
from sistel.expr import LIVE, Traced, evaluate
from sistel.model import LiveModel, live_model
from sistel.model._letters import leaves
from sistel.system import System


def live_of(system: System, names: Sequence[str] | None = None) -> LiveModel:
    return live_model(system.model, names)


@pytest.mark.parametrize("path", gallery_sampled())
def test_every_parameter_of_the_gallery_is_live(path: Path) -> None:
    """All parameters that the files give as numbers can be followed, all at once."""
    system = gallery(path.stem)
    live = live_of(system)
    assert not live.refused
    given = {parameter.name: parameter.value for parameter in system.model.parameters}
    assert [given[each] for each in live.names] == list(live.values)
    # Those that are missing are formulas of these.
    followed = {parameter.name for parameter in live.model.parameters if isinstance(parameter.value, Traced)}
    assert set(live.names) <= followed == (set(given) if live.names else set())


def test_numbers_are_formulas_of_the_block_live() -> None:
    live = live_of(gallery("compass_walker"), ("l", "a"))
    x, y, _ = live.model.bodies[1].p_BoBcm_B
    assert x == 0.0 and isinstance(y, Traced)
    line = y.node.graph.program({"y": [y.node]})
    assert line.inputs == ((LIVE, 2),)
    assert evaluate(line, [1.5, 0.25]) == [[1.25]]
    assert live.at([1.5, 0.25]).bodies[1].p_BoBcm_B[1] == 1.25
    assert not isinstance(live.model.bodies[0].mass, Traced)


def test_parameters_given_by_others_can_be_followed_alone() -> None:
    """A parameter that is a formula in the file is a number of its own when it is asked for."""
    system = parsed(
        """<system><parameter name="a" value="1 m"/><parameter name="b" value="2*a"/>
        <body name="x" joint="revolute" mass="1" com="a, b"/></system>"""
    )
    assert live_of(system).names == ("a",)
    both = live_of(system, ("b", "a"))
    assert both.names == ("b", "a") and both.values == (2.0, 1.0)
    assert both.at([5.0, 1.0]).bodies[0].p_BoBcm_B == (1.0, 5.0, 0.0)


AXIS = """<system space="spatial"><parameter name="a" value="30 deg"/>
  <body name="x" joint="revolute" axis="sin(a), 0, cos(a)" mass="1" inertia="1"/></system>"""


def test_axes_of_hinges_do_not_follow() -> None:
    live = live_of(parsed(AXIS))
    assert live.names == () and list(live.refused) == ["a"]
    assert "axis" in live.refused["a"].en and "ось" in live.refused["a"].ru


def test_what_decides_the_system_is_refused() -> None:
    """A massless end has no dynamics: a mass that is 0 decides whether there are equations at all."""
    system = parsed(
        """<system><parameter name="m" value="0 kg"/><parameter name="l" value="1 m"/>
        <body name="x" joint="revolute" mass="1" com="0, l">
          <body name="y" joint="revolute" place="0, l" mass="m" com="0, l"/></body></system>"""
    )
    live = live_of(system)
    assert live.names == ("l",) and list(live.refused) == ["m"]
    assert "structures[0]" in live.refused["m"].en and "устройство" in live.refused["m"].ru


def test_values_that_make_another_system_are_refused() -> None:
    """Friction of exactly 0 is a contact that never sticks: other equations."""
    system = parsed(
        """<system><parameter name="mu" value="0.5"/>
        <body name="x" joint="free" mass="1" inertia="1"><point name="p" place="0, 100"/></body>
        <links><contact name="c" point="p" surface="y = 0" friction="mu"/></links></system>"""
    )
    live = live_of(system)
    assert live.names == ("mu",)
    assert live.at([0.25]).contacts[0].friction == 0.25
    with pytest.raises(SistelError) as caught:
        live.at([0.0])
    assert caught.value.diagnostics[0].code == "no-live"
    assert "mu = 0" in caught.value.diagnostics[0].message.en


def test_values_without_a_model_are_refused() -> None:
    """Building says what is wrong, as with `with_parameters`."""
    live = live_of(gallery("cart_pole"))
    with pytest.raises(SistelError) as caught:
        live.at([-1.0] * len(live.names))
    assert caught.value.diagnostics[0].code == "negative"


SHAPES = {
    "polyline": '<polyline name="s" points="-1 m, 0; 0, 0; 0, -h; 1 m, -h; 1 m, -2*h; 3 m, -2*h"/>',
    "comes back": '<polyline name="s" points="-1 m, 0; 1 m, 0; 1 m, h; -1 m, h; -1 m, 2*h; 1.5 m, 2*h" free="left"/>',
    "polygon": '<polygon name="s" points="0, 0; 300, 0; 200, h; 0, h/2"/>',
    "box": '<box name="s" size="2*h, 3*h"/>',
    "slanted": '<box name="s" size="400, h" turn="20"/>',
    "circle": '<circle name="s" radius="h"/>',
}


@pytest.mark.parametrize("kind", SHAPES)
def test_obstacles_follow_their_parameters(kind: str) -> None:
    # Places, ends and depths of sides as formulas tell them are those of the file that is read with other values.
    text = f"""<system name="s"><parameter name="h" value="140 mm"/><world>{SHAPES[kind]}</world>
        <body name="b" joint="free" place="0, -2 m" mass="1" inertia="1"><box name="c" size="90, 60"/>
          <circle name="d" radius="40" place="200, 0"/></body>
        <links><contact name="k" of="c" to="s" friction="0.5"/><contact name="l" of="d" to="s" friction="0.5"/></links>
        </system>"""
    model = sistel.parse(text).model
    live = live_model(model)
    assert live.names == ("h",)
    depths = []
    for h in (0.11, 0.14, 0.18):
        followed, again = live.near([h]), sistel.parse(text.replace("140 mm", f"{h!r} m")).model
        for (where, one), (place, other) in zip(leaves(followed.contacts), leaves(again.contacts), strict=True):
            assert where == place
            assert one == pytest.approx(other, rel=1e-12, abs=1e-14) if isinstance(one, float) else True, where
        depths.append([value for where, value in leaves(followed.contacts) if where.endswith("depth")])
    if kind not in ("circle", "polyline"):
        assert depths[0] != depths[2]  # they do depend on it


def test_an_obstacle_that_becomes_another_is_read_again() -> None:
    # A ditch that becomes so narrow that a wheel touches both walls at once has other contacts: this is not followed.
    text = """<system name="s"><parameter name="d" value="210 mm"/><world>
        <polyline name="ditch" points="-1 m, 0; 0, 0; 0, 500; d, 500; d, 0; 2 m, 0"/></world>
        <body name="b" joint="free" place="0, -2 m" mass="1" inertia="1"><circle name="c" radius="100"/></body>
        <links><contact name="k" of="c" to="ditch" friction="0.5"/></links></system>"""
    live = live_model(sistel.parse(text).model)
    assert live.names == () and "d" in live.refused
    wide = live_model(sistel.parse(text.replace("210 mm", "900 mm")).model)
    assert wide.names == ("d",)
