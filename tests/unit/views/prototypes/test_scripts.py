"""What the scripts of prototypes compute, in node, against Python."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.prototypes import in_node

from sistel.errors import SistelError
from sistel.pose import (
    CODES,
    Articulated,
    Column,
    Parameters,
    angle_between,
    multiply,
    read_body,
    read_move,
    read_phrase,
    read_position,
    read_transitions,
    read_turn,
    say_code,
    turn,
    write_position,
)
from sistel.pose._codes import Pose
from sistel.views.prototypes import prototype, read_operations
from sistel.views.prototypes._page import library
from sistel.views.prototypes._scenes import BAYONET, LOADS
from sistel.views.prototypes._tables import gripper_tables
from sistel.views.prototypes._write import Writer, script_text

Node = Callable[..., Any]


@pytest.fixture
def node(tmp_path: Path) -> Node:
    """Runs an expression with `data`."""

    def run(calls: str, data: Any, source: str | None = None) -> Any:
        return in_node(source or library("en") + script_text("operations.js"), calls, data, tmp_path)

    return run


def unit(rng: np.random.Generator, count: int) -> np.ndarray:
    four = rng.normal(size=(count, 4))
    return four / np.linalg.norm(four, axis=1)[:, None]


def test_every_set_is_read_as_in_python(node: Node, rng: np.random.Generator) -> None:
    parameters = Parameters.standard()
    cases = []
    for kind, sets in (("rotations", parameters.rotations), ("positions", parameters.positions)):
        for number, each in enumerate(sets):
            values = unit(rng, 20) if kind == "rotations" else rng.uniform(-0.5, 0.5, (20, 3))
            if each.name == "axial":
                values = np.array([each.read(np.array([float(code)])) for code in CODES])
            if each.name == "polar":
                values[:, 2] = 0
            written = np.array(each.write(values))
            expected = np.array(each.read(written))
            angles = sorted(each.angles)
            written[:, angles] = np.degrees(written[:, angles])
            cases += [
                (kind, number, row.tolist(), right.tolist()) for row, right in zip(written, expected, strict=True)
            ]
    calls = "data.map(([kind, n, row]) => Poses.fromSet(TABLES[kind][n], row, kind === 'rotations'))"
    found = node(calls, [case[:3] for case in cases])
    assert len(cases) > 20 * 24 and len(found) == len(cases)
    for (kind, number, _, right), made in zip(cases, found, strict=True):
        # A rotation has two quaternions; where the first component is 0 but for rounding, either may come out.
        error = min(
            np.abs(np.subtract(made, right)).max(), np.abs(np.add(made, right)).max() if kind == "rotations" else 1
        )
        assert error < 1e-14, (kind, number)


def test_positions_of_all_kinds(node: Node, rng: np.random.Generator) -> None:
    cases = []
    for coordinates in range(5):
        for orientation in range(6):
            pose = Pose(place=rng.uniform(-0.5, 0.5, 3), quaternion=unit(rng, 1)[0])
            if orientation == 5:
                pose = Pose(place=pose.place, quaternion=read_turn([5, int(rng.choice(CODES))]))
            cases.append(write_position(pose, coordinates, orientation))
    joined = [number for case in cases for number in case]
    found = node("data.map(Poses.readPosition)", [*cases, joined, [0], [0, 0], [1, 5], [0, 0, 0.1]])
    assert [len(each) for each in found] == [*[1] * 30, 30, 1, 1, 1, 1]
    for case, made in zip([*cases, joined, [0], [0, 0], [1, 5], [0, 0, 0.1]], found, strict=True):
        for right, one in zip(read_position(case), made, strict=True):
            assert np.abs(np.subtract(one["place"], right.place)).max() < 1e-15
            assert angle_between(one["quaternion"], right.quaternion) < 1e-14


def test_moves_turns_and_bodies(node: Node, rng: np.random.Generator) -> None:
    moves = [[0], [0, 0.1], [1, 0.2, 30, 0.1], [2, 0.3, 40, 50], [3, 10, 20, 30], [4, 45, 0.1, 0.2]]
    turns = [[0], [5, 42], [3, 1, 2, 3, 4], [1, 10, 20, 30], [4, 0, 1, 0, -1, 0, 0], [0, 1, -1, 1, 120]]
    body = []
    for kind in range(1, 6):
        sizes, place, colour = rng.uniform(0.1, 1, 3), rng.uniform(-1, 1, 3), rng.uniform(0, 1, 4)
        body += [kind, *sizes, 0, *place, 1, *rng.uniform(-90, 90, 3), *colour]
    calls = "[data[0].map(Poses.readMove), data[1].map(Poses.readTurn), Bodies.readBody(data[2])]"
    made_moves, made_turns, made_body = node(calls, [moves, turns, [*body, 0, 77]])
    for code, made in zip(moves, made_moves, strict=True):
        assert np.abs(np.subtract(made, read_move(code))).max() < 1e-15
    for code, made in zip(turns, made_turns, strict=True):
        assert angle_between(made, read_turn(code)) < 1e-14
    for right, made in zip(read_body(body), made_body, strict=True):
        assert (made["sizes"], made["colour"], made["transparency"]) == (
            [*right.sizes],
            [*right.colour],
            right.transparency,
        )
        assert np.abs(np.subtract(made["place"], right.pose.place)).max() < 1e-15
        assert angle_between(made["quaternion"], right.pose.quaternion) < 1e-14


WRONG = [
    ("readPosition", [9, 0], 1),
    ("readPosition", [0, 6], 2),
    ("readPosition", [0.5, 0], 1),
    ("readPosition", [0, 5, 0, 0, 0, 77], 6),
    ("readPosition", [0, 5, 0, 0, 0, 13.5], 6),
    ("readPosition", [0, 0, 0, 0, 0, 0, 0, 0, 90], 6),
    ("readPosition", [0, 3, 0, 0, 0, 0, 0, 0, 0], 6),
    ("readPosition", [0, 4, 0, 0, 0, 1, 0, 0, 0.5, 0, 0], 6),
    ("readPosition", [0, 1, 0, 0, 0, 10, 20], None),
    ("readMove", [0, 1, 2, 3, 4], 5),
    ("readMove", [7], 1),
    ("readTurn", [5, 13, 1], 3),
    ("readTurn", [1, 10], None),
    ("readTransitions", [1, 0, 5, 0, 0, 0, 13, 1, 0, 5, 0, 0, 0, 32], 8),
    ("readTransitions", [-1, 0, 5, 0, 0, 0, 13], 1),
    ("readTransitions", [1, 0, 5, 0, 0, 0], None),
]
READERS: dict[str, Callable[..., Any]] = {
    "readPosition": read_position,
    "readMove": read_move,
    "readTurn": read_turn,
    "readTransitions": read_transitions,
}


def test_both_refuse_the_same_and_name_the_same_number(node: Node) -> None:
    calls = """data.map(([name, code]) => {
      try { return [true, Poses[name](code)]; } catch (problem) { return [problem instanceof Poses.CodeError, problem.message]; }
    })"""
    found = node(calls, [case[:2] for case in WRONG])
    for (name, code, place), (own, message) in zip(WRONG, found, strict=True):
        with pytest.raises(SistelError) as caught:
            READERS[name](code)
        said = caught.value.diagnostics[0].message.en
        assert own and isinstance(message, str), (name, code)
        if place is None:
            assert f"after {len(code)} numbers" in said and f"after {len(code)} numbers" in message
        else:
            words = f"number {place}, ", f"numbers {place} to "
            assert any(each in said for each in words) and any(each in message for each in words), (said, message)


def test_phrases_are_read_as_in_python(node: Node, rng: np.random.Generator) -> None:
    texts = [say_code(code, lang) for lang in ("en", "ru") for code in CODES]
    texts += ["выступ вверх, пальцы вправо", "вниз влево", "большой палец на зрителя, пальцы вверх", "fingers up", ""]
    texts += [
        "thumb away from the viewer and fingers left",
        "пальцы к нам большой вниз",
        "вверх большим, вправо пальцы",
    ]
    texts += [
        "fingers up, thumb down",
        "fingers up, fingers left",
        "ПАЛЬЦЫ   Вниз;  Большой  ОТ НАС",
        "пальцы x, большой y",
    ]
    for text in list(texts[:48]):
        for _ in range(8):
            letters = list(text)
            place = int(rng.integers(len(letters)))
            match int(rng.integers(3)):
                case 0:
                    del letters[place]
                case 1:
                    letters[place] = str(rng.choice(list("abжшоие ")))
                case _:
                    letters[place : place + 2] = letters[place : place + 2][::-1]
            texts.append("".join(letters))
    found = node("data.map(Phrases.read)", texts)
    understood = 0
    for text, made in zip(texts, found, strict=True):
        try:
            right = read_phrase(text)
        except SistelError:
            assert "problem" in made, text
        else:
            assert (made.get("code"), [*map(tuple, made["guesses"])]) == (right.code, [*right.guesses]), text
            understood += 1
    assert understood > 380
    said = node("data.map(([code, lang]) => Phrases.say(code, lang))", [(code, "ru") for code in CODES])
    assert said == [say_code(code, "ru") for code in CODES]


@pytest.mark.parametrize("order", [3, 4, 5])
def test_ways_start_and_end_at_rest(node: Node, order: int) -> None:
    shares = [k / 200 for k in range(-20, 221)]
    found = np.array(node(f"data.map((share) => Poses.smooth(share, {order}))", shares))
    inner = found[20:221]
    assert (found[:21] == 0).all() and (found[220:] == 1).all() and (np.diff(inner) > 0).all()
    # The polynomial of least degree with these values, speeds and (from degree 4 on) accelerations 0 at the ends.
    rows, right = [], []
    for derivative, end, value in ((0, 0, 0), (1, 0, 0), (0, 1, 1), (1, 1, 0), (2, 0, 0), (2, 1, 0))[: order + 1]:
        rows.append(
            [math.perm(k, derivative) * (end ** (k - derivative) if k >= derivative else 0) for k in range(order + 1)]
        )
        right.append(value)
    coefficients = np.linalg.solve(np.array(rows, float), np.array(right, float))
    assert np.abs(inner - np.polyval(coefficients[::-1], shares[20:221])).max() < 1e-14


def test_transitions_go_straight_and_turn_evenly(node: Node) -> None:
    code = [1, 0, 5, 0.1, 0.2, 0, 32, 2.5, 1, 1, 0.2, 120, 0.1, 30, 40, 50, 4, 0, 5, 0, 0, 0, 24]
    times = [k / 20 for k in range(100)]
    calls = """data[1].map((time) => {
      const pose = Poses.poseAt(Poses.readTransitions(data[0]), { place: [0, 0, 0], quaternion: [1, 0, 0, 0] }, time, 3);
      return [...pose.place, ...pose.quaternion];
    })"""
    found = np.array(node(calls, [code, times]))
    timed = read_transitions(code)
    knots = [
        (0.0, np.zeros(3), np.array([1.0, 0, 0, 0])),
        *((each.time, each.pose.place, each.pose.quaternion) for each in timed),
    ]
    for time, row in zip(times, found, strict=True):
        k = max(n for n, knot in enumerate(knots) if knot[0] <= time)
        (t0, p0, q0), (t1, p1, q1) = knots[k], knots[min(k + 1, len(knots) - 1)]
        share = (time - t0) / (t1 - t0) if t1 > t0 else 0.0
        s = 3 * share**2 - 2 * share**3
        assert np.abs(row[:3] - (p0 + s * (p1 - p0))).max() < 1e-15
        whole = float(angle_between(q0, q1))
        assert float(angle_between(q0, row[3:])) == pytest.approx(s * whole, abs=1e-14)
        assert float(angle_between(row[3:], q1)) == pytest.approx((1 - s) * whole, abs=1e-14)
    for each in timed:
        row = found[times.index(each.time)]
        assert np.array_equal(row[:3], each.pose.place) and float(angle_between(row[3:], each.pose.quaternion)) < 1e-15


STARTS = """{
  loads: [{ place: [-0.25, 0, 0], quaternion: [1, 0, 0, 0] }],
  grippers: [{ place: [0, 0.2, 0], quaternion: Poses.axial(41) }, { place: [0.12, -0.22, 0], quaternion: Poses.axial(15) }],
  fitted: 1, spread: 0,
}"""
PLAN = f"data.map((code) => {{ try {{ const records = Operations.readOperations(code); return Operations.plan(records, {STARTS}); }} catch (problem) {{ return problem.message; }} }})"


def test_operations_carry_loads(node: Node) -> None:
    (states,) = node(PLAN, [LOADS])
    records = read_operations(LOADS)
    assert len(states) == len(records) + 1
    take = next(n for n, each in enumerate(records) if each.action == "take")
    release = next(n for n, each in enumerate(records) if each.action == "release")
    q = multiply([records[take].pose.quaternion * [1, -1, -1, -1]], [[1, 0, 0, 0]])[0]
    for n, each in enumerate(records):
        state = states[n + 1]
        load = state["loads"][0]
        assert state["held"] == (1 if take <= n < release else 0)
        if n < take:
            assert load["place"] == [-0.25, 0, 0]
        elif n <= release:
            # Its middle is at the pole, and it has turned as much as the gripper since.
            assert np.abs(np.subtract(load["place"], each.pose.place)).max() < 1e-15
            assert float(angle_between(load["quaternion"], multiply(each.pose.quaternion, q))) < 1e-14
        else:
            assert load == states[release + 1]["loads"][0]


def test_lists_that_cannot_be_are_refused_with_their_row(node: Node) -> None:
    here = (0, 5, 0, 0.2, 0, 41)
    there = (0, 5, 0.1, 0.2, 0, 41)
    lists = {
        "operation 1: there is no load 2": [1, 1, 2, 0, *here],
        "operation 2: load 1 is held already": [1, 1, 1, 0, *here, 2, 1, 1, 0, *here],
        "operation 1: load 1 is not held": [1, 2, 1, 0, *here],
        "operation 1: gripper 2 is not fitted": [1, 3, 2, 0, *here],
        "operation 1: the flange moves while the lug turns": [1, 3, 1, 0, *there],
        "operation 2: no gripper is fitted": [1, 3, 1, 0, *here, 2, 1, 1, 0, *here],
        "operation 1: gripper 1 is fitted already": [1, 4, 2, 0, *here],
        "operation 2: gripper 2 is not at the flange": [1, 3, 1, 0, *here, 2, 4, 2, 0, *here],
        "number 2, 5, is no action": [1, 5, 1, 0, *here],
        "number 3, 0.5, is no number of a thing": [1, 1, 0.5, 0, *here],
        "number 4, -1, is no gap": [1, 1, 1, -1, *here],
    }
    assert node(PLAN, [*lists.values()]) == [*lists]
    for message, code in lists.items():
        if message.startswith("number"):
            with pytest.raises(SistelError, match=message.split(", is ")[0]):
                read_operations(code)
    assert isinstance(node(PLAN, [BAYONET])[0], list)


def test_sets_of_ones_own_and_other_arms(node: Node) -> None:
    """A user's function has the next number; angular and generalised coordinates know their arms."""
    parameters = Parameters.standard(Articulated(column=0.3, upper=0.5, fore=0.4), Column(height=0.2, reach=0.1))
    parameters = parameters.with_rotation(
        "klein", lambda v: v[..., [0, 3, 2, 1]], lambda q: q[..., [0, 3, 2, 1]], numbers=("a", "b", "c", "d")
    )
    with pytest.raises(SistelError, match="klein"):
        prototype("gripper", parameters=parameters)
    own = {"klein": "(v) => [v[0], v[3], v[2], v[1]]"}
    source = Writer("en", parameters=parameters, scripts=own).source(["codes.js"])
    codes = [[3, 6, 10, 20, 30, 1, 2, 3, 4], [4, 6, 40, 0.1, 0.2, 0, 0, 1, 0]]
    found = node("data.map(Poses.readPosition)", codes, source)
    for code, (made,) in zip(codes, found, strict=True):
        (right,) = read_position(code, parameters)
        assert np.abs(np.subtract(made["place"], right.place)).max() < 1e-15
        assert angle_between(made["quaternion"], right.quaternion) < 1e-14
    assert float(np.abs(turn(right.quaternion, [1.0, 0, 0]) - [-1, 0, 0]).max()) < 1e-15


def test_tables_hold_the_axial_codes() -> None:
    tables = gripper_tables("ru", Parameters.standard(), {}, "cubic")
    for code in CODES:
        four = np.array(tables["axial"][str(code)])
        assert float(angle_between(four / np.linalg.norm(four), read_turn([5, code]))) < 1e-15
    with pytest.raises(SistelError, match="sextic"):
        gripper_tables("ru", Parameters.standard(), {}, "sextic")
