"""Simulations whose parameters are live against systems built anew with the same values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.structures import gallery, parsed

import sistel
from sistel.engine import LiveEngine
from sistel.errors import SistelError
from sistel.model import live_model
from sistel.simulation import follow_cycles
from sistel.simulation._live import Tuned, live_simulation

RUNS: tuple[tuple[str, float, dict[str, float], float], ...] = (
    ("compass_walker", 3.0, {"slope": 0.0535, "m": 5.1, "l": 1.002, "a": 0.49}, 1e-11),
    ("rimless_wheel", 3.0, {"slope": 0.083, "I": 0.21, "a": 0.4, "l": 0.9}, 1e-11),
    ("cart_pole", 3.0, {"M": 1.3, "m": 0.2, "l": 0.45}, 1e-10),
    ("stick_slip", 3.0, {"k": 90.0, "mu": 0.2, "u": 0.3}, 1e-11),
    ("spinning_top", 0.5, {"l": 0.06, "lean": 0.3}, 1e-10),
    ("hopper", 0.7, {"k": 3500.0, "gain": 0.02}, 1e-9),
)
"""A file, how long it runs, other values, and how near the ends of the two runs are: last digits grow on the way."""


@pytest.mark.parametrize(("name", "until", "values", "bound"), RUNS, ids=[run[0] for run in RUNS])
def test_live_runs_are_those_of_systems_built_anew(
    name: str, until: float, values: dict[str, float], bound: float
) -> None:
    system = gallery(name)
    assert isinstance(system.tuned(values), Tuned)
    run = system.simulate(until, parameters=values)
    other = system.with_parameters(values).simulate(until)
    assert [(event.transition, event.after) for event in run.events] == [
        (event.transition, event.after) for event in other.events
    ]
    for one, two in zip(run.events, other.events, strict=True):
        assert abs(one.time - two.time) <= bound
        assert abs(one.energy_loss - two.energy_loss) <= bound * (1 + abs(two.energy_loss))
    for one, two in ((run.q[-1], other.q[-1]), (run.v[-1], other.v[-1])):
        assert np.abs(one - two).max() <= bound * (1 + np.abs(two).max())
    assert run.model.fingerprint == other.model.fingerprint
    for one, two in zip(run.energies(run.t[-1:]), other.energies(other.t[-1:]), strict=True):
        assert np.allclose(one, two, rtol=10 * bound, atol=10 * bound)


@pytest.mark.parametrize(
    "values",
    [
        {"k": 4900.927392651871, "l": 0.7345948341411731, "h": 0.14424948367294316},
        {"k": 4099.18737534612, "l": 0.6760539326024421, "h": 0.13722987873743192},
    ],
)
def test_rounding_makes_no_events(values: dict[str, float]) -> None:
    """A foot that leaves the ground has no rate but what rounding gives it, and its motor presses it down at first.

    That is no landing: the hopper does not land and leave again at one instant, in last digits that differ between
    equations that are live and those that are not.
    """
    system = gallery("hopper")
    run, other = system.simulate(1.45, parameters=values), system.with_parameters(values).simulate(1.45)
    times = [event.time for event in run.events]
    assert all(later > earlier for earlier, later in zip(times, times[2:], strict=False))
    assert [event.after for event in run.events] == [event.after for event in other.events]
    assert np.abs(np.array(times) - [event.time for event in other.events]).max() <= 1e-12
    assert np.abs(run.last - other.last).max() <= 1e-11


def test_what_never_comes_off_again_ends_the_run() -> None:
    """A body that does not bounce and is to fly on cannot: whatever rounding makes of its rate, the run says so."""
    for e, friction in ((0.0, "none"), (1e-8, "stick"), (1e-3, "0.3")):
        # On a guide there is nothing for friction to do, whichever it is.
        system = parsed(
            '<system><body name="ball" joint="prismatic" axis="-y" mass="1"><point name="low"/></body><links><contact '
            f'name="floor" point="low" surface="y = 0" friction="{friction}"/><structure name="flight"/><transition from="flight" '
            f'to="flight" when="gap(floor) falls through 0" impact="newton" restitution="{e}"/></links>'
            '<start ball="0.7 m"/></system>'
        )
        with pytest.raises(SistelError) as caught:
            system.simulate(1.0)
        assert caught.value.diagnostics[0].code == "chattering", e


def test_other_values_compile_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """After one run, no equation is derived and nothing compiled for other values."""
    system = sistel.load(gallery("compass_walker").source.path)
    first = system.simulate(2.0, parameters={"slope": 0.05})

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("compiled")

    monkeypatch.setattr("sistel.simulation._compiled_structure.compile_taylor", refuse)
    monkeypatch.setattr("sistel.simulation._programs.compile_program", refuse)
    monkeypatch.setattr("sistel.simulation._compiled_structure.native", refuse)
    monkeypatch.setattr("sistel.automaton.Mode.flow", refuse)
    monkeypatch.setattr("sistel.face._motions.live_model", refuse)
    second = system.simulate(2.0, parameters={"slope": 0.055})
    again = system.simulate(2.0, parameters={"slope": 0.05})
    assert np.array_equal(first.q, again.q) and np.array_equal(first.v, again.v)
    assert abs(second.q[-1] - first.q[-1]).max() > 1e-3


def test_runs_go_on_with_their_own_values() -> None:
    """A run that is resumed after others have used the same equations keeps its values."""
    system = gallery("compass_walker")
    whole = system.simulate(2.0, parameters={"slope": 0.05})
    part = system.simulate(1.0, parameters={"slope": 0.05})
    system.simulate(1.0, parameters={"slope": 0.06})
    longer = part.resume(2.0)
    assert np.abs(longer.q[-1] - whole.q[-1]).max() <= 1e-13
    assert longer.model.parameters[0].value == 0.05


def test_cycles_are_followed_without_compiling() -> None:
    """The gaits of the compass walker on several slopes, against systems built anew."""
    system = gallery("compass_walker")
    mirror = {"left_leg": "right_leg"}
    values = (0.0525, 0.054)
    found = follow_cycles(system, "slope", values, mirror=mirror)
    assert len(found) == 2 and all(cycle.success for cycle in found)
    before = None
    for value, cycle in zip(values, found, strict=True):
        near = {} if before is None else {"q": before.q, "v": before.v, "structure": before.structure}
        # A branch keeps to one section; a search of its own takes the first that repeats.
        alone = system.with_parameters(slope=value).cycle(cycle.transition, mirror=mirror, **near)
        before = cycle
        assert abs(alone.period - cycle.period) <= 1e-12
        # The place along the slope is free.
        assert np.abs(alone.state - cycle.state)[1:].max() <= 1e-11
        assert np.abs(alone.multipliers - cycle.multipliers).max() <= 1e-9


def test_stiff_methods_follow_parameters() -> None:
    """Radau's method and its projection read the same numbers."""
    system = gallery("four_bar")
    values = {"a": 0.105, "d": 0.41}
    run = system.simulate(0.3, parameters=values, method="radau", tolerance=1e-9)
    other = system.with_parameters(values).simulate(0.3, method="radau", tolerance=1e-9)
    assert np.abs(run.q[-1] - other.q[-1]).max() <= 1e-10


def test_flat_postures_are_jumped_over() -> None:
    """A parallelogram passes through its flat posture, with other lengths too."""
    system = gallery("four_bar_iftomm")
    run = system.simulate(2.0, parameters={"L": 1.1, "m": 0.9})
    other = system.with_parameters(L=1.1, m=0.9).simulate(2.0)
    # The jump is good to some ten digits: rounding grows in its series.
    assert np.abs(run.q[-1] - other.q[-1]).max() <= 1e-7


def test_many_sets_of_values_at_once() -> None:
    system = gallery("compass_walker")
    live = live_model(system.model, ("slope", "m", "l"))
    simulation = live_simulation(live, 1e-9)
    engine = simulation.engine
    assert isinstance(engine, LiveEngine)
    for name in ("on the left", "on the right"):
        simulation.compiled(name).taylor  # noqa: B018
    sets = np.array(live.values) * np.linspace(0.8, 1.2, 7)[:, None]
    rows = engine.hoisted_rows(sets)
    assert rows.shape == (7, engine.block_size)
    for values, row in zip(sets, rows, strict=True):
        engine.follow(values)
        assert np.allclose(engine.hoisted, row, rtol=1e-14, atol=0.0)


def test_no_run_with_a_mass_below_zero() -> None:
    """The mass m² − 1/4 is one for values at both ends, and none between: the equations alone would not mind."""
    system = parsed(
        '<system><parameter name="m" value="1 kg"/><body name="a" joint="revolute" mass="m^2/(1 kg) - 0.25 kg" '
        'com="0, 500"/><start a="0.5 rad"/></system>'
    )
    values = np.array([-1.0, -0.4, 0.0, 0.4, 1.0])
    runs = system.ensemble(0.5, parameters={"m": values})
    assert runs.failed.tolist() == [False, True, True, True, False]
    for value in values[1:4]:
        with pytest.raises(SistelError):
            system.simulate(0.5, parameters={"m": float(value)})
    alone = system.with_parameters(m=1.0).simulate(0.5).last
    assert np.abs(runs.state[[0, 4]] - alone).max() <= 1e-12


def test_start_follows_parameters() -> None:
    """The state to begin with is that of the file with the new values, closed loops closed."""
    for name, values in (("four_bar", {"a": 0.12, "c": 0.31}), ("compass_walker", {"alpha": 0.25, "l": 0.9})):
        system = gallery(name)
        simulation = system.tuned(values)
        plain = simulation.engine.plain.model
        begin = simulation.start(plain.structure())[0]
        other = system.with_parameters(values)
        expected = other.simulation().start(other.model.structure())[0]
        assert np.array_equal(begin, expected)


def test_what_cannot_be_live_is_built_anew() -> None:
    """Contacts without structures, symplectic steps, and parameters that decide what the system is."""
    ball = gallery("bouncing_ball")
    assert not isinstance(ball.tuned({"h": 2.0}), Tuned)
    run = ball.simulate(1.0, parameters={"h": 2.0})
    other = ball.with_parameters(h=2.0).simulate(1.0)
    assert np.array_equal(run.q, other.q)
    pole = gallery("cart_pole")
    assert not isinstance(pole.tuned({"m": 0.2}, method="gauss", step=0.01), Tuned)
    live = live_model(ball.model, ("h",))
    with pytest.raises(SistelError) as caught:
        live_simulation(live, 1e-9)
    (item,) = caught.value.diagnostics
    assert item.code == "not-live" and '"h"' in item.message.en and "«h»" in item.message.ru


def test_values_are_checked() -> None:
    system = gallery("compass_walker")
    for values, code in (
        ({"slope": 0.5}, "beyond-limits"),
        ({"slopes": 0.05}, "unknown-name"),
        ({"slope": "1 kg"}, "wrong-dimension"),
    ):
        with pytest.raises(SistelError) as caught:
            system.simulate(1.0, parameters=values)
        assert caught.value.diagnostics[0].code == code
    near = system.simulate(0.1, parameters={"slope": "3 deg"})
    assert near.model.parameters[0].value == pytest.approx(np.pi / 60, rel=1e-15)


CRANKS = """<system><parameter name="l" value="1 m"/><parameter name="m" value="1 kg"/>
<body name="a" joint="revolute" mass="m" com="0, 500">
  <body name="p" joint="revolute" place="0, 1 m" mass="m" com="1 m, 0" inertia="0.3"/></body>
<body name="b" joint="revolute" place="1 m, 0" mass="m" com="0, 500"/>
<body name="c" joint="revolute" place="2 m, 0" mass="m" com="0, 500"/>
<links><closure name="x" joint="revolute" body="p" at="1 m, 0" to="b" at-to="0, 1 m"/>
  <closure name="y" joint="revolute" body="p" at="2 m, 0" to="c" at-to="0, l"/></links>
<start a="0.4 rad" p="-0.4 rad" b="0.4 rad" c="0.4 rad"/></system>"""


def test_constraints_that_repeat_others_must_do_so_for_all_values() -> None:
    """A third crank repeats two others only while it is as long as they are; how heavy it is does not matter."""
    system = parsed(CRANKS)
    assert isinstance(system.tuned({"m": 1.2}), Tuned)
    assert not isinstance(system.tuned({"l": 1.0}), Tuned)


@pytest.mark.parametrize(
    ("name", "values"),
    [("delta", {"wide": 0.0}), ("geneva", {"d": 0.0}), ("universal_shaft", {"run": 0.0}), ("walker", {"H": 0.0})],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_values_with_other_equations_are_built_anew(name: str, values: dict[str, float]) -> None:
    """Where a length of zero makes constraints repeat each other, or leaves nothing to turn: today's equations differ."""
    system = gallery(name)
    assert not isinstance(system.tuned(values), Tuned)
    assert isinstance(system.tuned({key: value + 0.01 for key, value in values.items()}), Tuned)
    said = []
    for run in (
        lambda: system.simulate(0.1, parameters=values),
        lambda: system.with_parameters(values).simulate(0.1),
    ):
        try:
            said.append(run().last.tolist())
        except SistelError as problem:
            said.append([item.message for item in problem.diagnostics])
    assert said[0] == said[1]


ROD = """<system><parameter name="mu" value="0.3"/><parameter name="e" value="0.5"/><parameter name="m" value="1 kg"/>
<parameter name="u" value="1 m/s"/>
<body name="rod" joint="free" mass="m" inertia="0.1"><point name="tip" place="300, 100"/></body>
<links><contact name="floor" point="tip" surface="y = 0" friction="mu"/><structure name="flight"/>
<transition from="flight" to="flight" when="gap(floor) falls through 0" impact="{rule}" restitution="e"/></links>
<start rod="0, -0.5 m, 0.2 rad" rod.rate="u, 0, 0.5"/></system>"""
SPHERE = """<system space="spatial"><parameter name="mu" value="0.3"/><parameter name="e" value="0.5"/>
<body name="ball" joint="free" mass="0.7" inertia="0.0007, 0.0007, 0.0007"><point name="low" place="0, 0, -50"/></body>
<links><contact name="floor" point="low" surface="z = 0" friction="mu"/><structure name="flight"/>
<transition from="flight" to="flight" when="gap(floor) falls through 0" impact="newton" restitution="e"/></links>
<start><coordinate of="ball" place="0, 0, 500" rate="0, 0, 0, 1 m/s, 0.3 m/s, 0"/></start></system>"""


@pytest.mark.parametrize("text", [ROD.format(rule="poisson"), ROD.format(rule="newton"), SPHERE])
def test_impacts_follow_friction_and_restitution(text: str) -> None:
    """Laws of impact that are compiled, and those that are searched for: sticking, sliding, plastic, elastic."""
    system = parsed(text)
    for values in ({"mu": 0.2, "e": 0.7}, {"mu": 1.5, "e": 0.4}, {"mu": 0.4, "e": 1.0}):
        assert isinstance(system.tuned(values), Tuned)
        run, other = system.simulate(0.5, parameters=values), system.with_parameters(values).simulate(0.5)
        assert run.events and len(run.events) == len(other.events)
        assert np.abs(run.last - other.last).max() <= 1e-12
        assert abs(run.events[0].energy_loss - other.events[0].energy_loss) <= 1e-12
