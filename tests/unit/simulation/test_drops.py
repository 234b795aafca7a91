"""Bodies dropped on a floor: none of them fails, and an independent judge finds every run within the laws."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from support.thorough import cases

import sistel

ROOT = Path(__file__).resolve().parents[3]
DROPS = json.loads((Path(__file__).parent / "box_drops.json").read_text(encoding="utf-8"))
BOX = {"newton": (0.4, 0.2), "plastic": (0.4, 0.0), "poisson": (0.4, 0.2), "smooth": (0.0, 0.5)}
"""Friction and restitution by the law."""


@pytest.fixture(scope="module")
def drops() -> Iterator[ModuleType]:
    """The bodies and the judge of the benchmark."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import _drops

        yield _drops
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))


@functools.cache
def _box(drops: Any, law: str) -> tuple[Any, sistel.System]:
    """The box of the drops: 200 × 120 × 80 mm, of an even density."""
    sides = np.array([0.2, 0.12, 0.08])
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * sides
    shape = drops.Shape(name="box", corners=corners, inertia=((sides**2).sum() - sides**2) / 12.0)
    return shape, sistel.parse(drops.document(shape, law, BOX[law][0]))


FORMERLY = {"newton": [5, 8], "plastic": [20, 27], "poisson": [5, 19], "smooth": [0, 3, 9]}
"""Those that went through the floor, found no impulses, or took half a minute."""


@pytest.mark.slow
@pytest.mark.parametrize("law", BOX)
def test_boxes_that_failed_once(drops: Any, law: str) -> None:
    shape, system = _box(drops, law)
    for number in FORMERLY[law]:
        run = system.simulate(3.0, q=DROPS[number]["q"], v=DROPS[number]["v"])
        verdict = drops.judge(shape, BOX[law][0], run)
        assert verdict.wrong == [], number
        assert verdict.end == ("slides" if law == "smooth" else "rests"), number


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "body", "friction", "number"),
    [
        ("poisson", "box", 0.4, 61),  # hops that stay below the surface that they were watched from
        ("poisson", "hexagonal prism", 0.5, 16),
        ("poisson", "hexagonal prism", 0.5, 40),  # friction that contacts share without need
        ("poisson", "random 9", 0.8, 58),  # a hop while the motion turns stiff
        ("newton", "random 9", 1.0, 97),  # steps of some ulp before an event
    ],
)
def test_bodies_that_failed_once(drops: Any, law: str, body: str, friction: float, number: int) -> None:
    shape = drops.shapes()[body]
    system = sistel.parse(drops.document(shape, law, friction))
    q, v = drops.drop(shape, np.random.default_rng([1, number]))
    verdict = drops.judge(shape, friction, system.simulate(2.0, q=q, v=v))
    assert verdict.wrong == [] and verdict.end == "rests"


@pytest.mark.slow
@pytest.mark.parametrize("law", BOX)
def test_boxes_that_were_drawn_once(drops: Any, law: str) -> None:
    shape, system = _box(drops, law)
    for number, drop in enumerate(DROPS[: cases(10, 30)]):
        verdict = drops.judge(shape, BOX[law][0], system.simulate(3.0, q=drop["q"], v=drop["v"]))
        assert verdict.wrong == [], number


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "body", "friction"),
    [("newton", "tetrahedron", 0.8), ("plastic", "pyramid", 0.3), ("poisson", "prism", 0.3), ("smooth", "random 7", 0)],
)
def test_bodies_of_all_kinds(drops: Any, law: str, body: str, friction: float) -> None:
    shape = drops.shapes()[body]
    system = sistel.parse(drops.document(shape, law, friction))
    for number in range(cases(2, 4)):
        q, v = drops.drop(shape, np.random.default_rng([11, number]))
        verdict = drops.judge(shape, friction, system.simulate(1.5, q=q, v=v))
        assert verdict.wrong == [], number


def test_the_judge_sees_what_is_wrong(drops: Any) -> None:
    """A run of another body, of another friction, and one that is turned back in time."""
    shape, system = _box(drops, "newton")
    run = system.simulate(1.0, q=DROPS[0]["q"], v=DROPS[0]["v"])
    assert drops.judge(shape, 0.4, run).wrong == []
    assert any(said.startswith("cone") for said in drops.judge(shape, 0.05, run).wrong)
    heavier = drops.Shape(name="box", corners=shape.corners, inertia=2.0 * shape.inertia)
    assert any(said.startswith("momentum") for said in drops.judge(heavier, 0.4, run).wrong)
    larger = drops.Shape(name="box", corners=1.01 * shape.corners, inertia=shape.inertia)
    assert any(said.startswith("depth") for said in drops.judge(larger, 0.4, run).wrong)


def _table(feet: list[tuple[float, float]], friction: str) -> sistel.System:
    points = "".join(f'<point name="p{i}" place="{x} m, {y} m, -0.1 m"/>' for i, (x, y) in enumerate(feet))
    contacts = "".join(
        f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="{friction}"/>' for i in range(len(feet))
    )
    return sistel.parse(
        f'<system name="t" space="spatial"><body name="b" joint="free" mass="2" inertia="0.1, 0.1, 0.2">{points}'
        f'</body><links>{contacts}</links><start b.z="0.15 m"/></system>'
    )


@pytest.mark.slow
@pytest.mark.parametrize(("count", "friction"), [(4, "0"), (4, "0.5"), (12, "0")])
def test_legs_of_a_table_share_its_weight_evenly(count: int, friction: str) -> None:
    """Statics alone leaves one load of four, nine of twelve open: the shortest vector of loads has all alike."""
    angles = 2.0 * np.pi * np.arange(count) / count
    system = _table([(float(np.cos(a)), float(np.sin(a))) for a in angles], friction)
    run = system.simulate(0.5)
    blow = 2.0 * np.sqrt(2.0 * 9.81 * 0.05)
    (event,) = run.events
    assert len(event.impulses) == count
    for load in event.impulses.values():
        assert load[3:] == pytest.approx([0.0, 0.0, blow / count], abs=1e-12)
    (warning,) = [each for each in run.warnings if each.code == "shared-loads"]
    assert warning.time == pytest.approx(np.sqrt(2.0 * 0.05 / 9.81)) and warning.span is not None
    for text in (warning.message.en, warning.message.ru):
        assert all(f"c{i}" in text for i in range(count))


def test_three_legs_share_nothing() -> None:
    assert not _table([(1, 0), (-1, 1), (-1, -1)], "0.5").simulate(0.5).warnings


BALLS = '<system name="b">{0}<links>{1}</links><start {2}/></system>'


@pytest.mark.parametrize(
    ("heights", "limits"),
    [((120, 270), (3, 3)), ((120, 271), (3, 3)), ((120, 120), (3, 3)), ((270, 120, 480), (3, 3, 3))],
)
def test_a_limit_of_impacts_may_meet_another_impact(heights: tuple[int, ...], limits: tuple[int, ...]) -> None:
    """A ball that keeps half of its speed comes to rest after three times its fall; another strikes at that instant.

    3 √0.12 = 2 √0.27 = … : the limit of one is an impact of the next.
    """
    bodies = "".join(
        f'<body name="b{i}" joint="prismatic" axis="y" place="{200 * i}, 0" mass="1"><point name="c{i}"/></body>'
        for i in range(len(heights))
    )
    contacts = "".join(
        f'<contact name="f{i}" point="c{i}" surface="y = 0" restitution="0.5"/>' for i in range(len(heights))
    )
    starts = " ".join(f'b{i}="-{height}"' for i, height in enumerate(heights))
    run = sistel.parse(BALLS.format(bodies, contacts, starts)).simulate(1.5)
    assert np.abs(run.q[-1]).max() < 1e-12 and np.abs(run.v[-1]).max() < 1e-12
    for i, (height, times) in enumerate(zip(heights, limits, strict=True)):
        fall = np.sqrt(2.0 * height / 1000.0 / 9.81)
        rests = min(
            event.time for event in run.events if f"f{i} slides" in event.after or f"f{i} sticks" in event.after
        )
        # To a small part of the nanosecond at which hops are taken for a crowd.
        assert rests == pytest.approx(times * fall, abs=1e-9)


@pytest.mark.slow
def test_a_refusal_names_the_contacts_that_matter() -> None:
    """Of twelve contacts, those that touch; no more than four by name."""
    system = _table([(float(x), float(y)) for x in range(3) for y in range(4)], "0")
    simulation = system.simulation()
    simulation.run(simulation.start(system.structure())[0], system.structure().name, 0.01)
    contacts = simulation.contacts
    assert contacts is not None
    flat = np.array([1.0, 0, 0, 0, 0, 0, 0.1, *[0.0] * 5, -1.0, 0.2])
    with pytest.raises(sistel.SistelError, match=r'"c0", "c1", "c2", "c3" and 8 more') as problem:
        contacts._no_solution(range(12), flat, impact=True)
    assert "и ещё 8" in problem.value.diagnostics[0].message.ru
    turned = np.array([np.cos(0.1), np.sin(0.1), 0, 0, 0, 0, 0.5, *[0.0] * 6, 0.2])
    gaps = contacts._data(next(iter(contacts.overlays.values())), turned).gap
    turned[6] -= gaps.min()
    with pytest.raises(sistel.SistelError) as problem:
        contacts._no_solution(range(12), turned, impact=True)
    assert "more" not in problem.value.diagnostics[0].message.en
