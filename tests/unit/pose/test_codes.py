"""Digital codes: every combination reads back, and a wrong number is named."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sistel.errors import SistelError
from sistel.pose import (
    CODES,
    Parameters,
    Pose,
    Primitive,
    TimedPose,
    axial_rotation,
    read_body,
    read_move,
    read_position,
    read_transitions,
    read_turn,
    write_body,
    write_move,
    write_position,
    write_transitions,
    write_turn,
)

HERE = Pose(place=np.array([0.3, 0.4, 0.5]), quaternion=np.array([0.5, -0.5, -0.5, 0.5]))  # code 36


@pytest.mark.parametrize("coordinates", range(5))
@pytest.mark.parametrize("orientation", range(6))
def test_all_thirty_combinations(coordinates: int, orientation: int) -> None:
    code = write_position(HERE, coordinates, orientation)
    assert code[:2] == (coordinates, orientation)
    (pose,) = read_position(code)
    assert np.abs(pose.matrix - HERE.matrix).max() < 4e-15


def test_angles_are_degrees() -> None:
    (pose,) = read_position([1, 1, 2, 90, 0.5, 90, 0, 0])
    assert pose.matrix == pytest.approx(
        np.array([[0, -1, 0, 0], [1, 0, 0, 2], [0, 0, 1, 0.5], [0, 0, 0, 1]]), abs=1e-15
    )


def test_what_is_missing_is_zero() -> None:
    for code in ([0, 0], [0], [], [0, 5], [3]):
        if code == [3]:
            continue
        (pose,) = read_position(code)
        assert (pose.matrix == np.eye(4)).all()
    (pose,) = read_position([0, 0, 0.1])
    assert pose.place.tolist() == [0.1, 0, 0]
    assert read_move([0]).tolist() == [0, 0, 0] and read_move([0, 1]).tolist() == [1, 0, 0]
    assert read_turn([0]).tolist() == [1, 0, 0, 0] and read_transitions([0]) == ()


def test_several_positions_in_one_code() -> None:
    code = [*write_position(HERE, 0, 5), *write_position(HERE, 2, 3), 0, 5, 0, 0, 0, 13]
    first, second, third = read_position(code)
    assert np.abs(first.matrix - second.matrix).max() < 4e-15 and (third.matrix == np.eye(4)).all()


def test_codes_of_orientations_are_their_matrices() -> None:
    for code in CODES:
        (pose,) = read_position([0, 5, 0, 0, 0, code])
        assert np.abs(pose.matrix[:3, :3] - axial_rotation(code)).max() < 1e-15


def test_timed_poses() -> None:
    found = read_transitions([0.5, 0, 5, 0, 0, 0, 13, 2, 0, 5, 1, 0, 0, 64])
    assert [each.time for each in found] == [0.5, 2.0] and found[1].pose.place.tolist() == [1, 0, 0]


def test_registered_sets_are_read_by_their_numbers() -> None:
    sets = Parameters.standard().with_rotation(
        "spin",
        lambda a: np.stack([np.cos(a[..., 0] / 2), 0 * a[..., 0], 0 * a[..., 0], np.sin(a[..., 0] / 2)], axis=-1),
        lambda q: 2 * np.arctan2(q[..., 3:], q[..., :1]),
        numbers=("angle",),
        angles=(0,),
    )
    (pose,) = read_position([0, 6, 0, 0, 0, 90], sets)
    assert np.abs(pose.matrix[:3, :3] - axial_rotation(32)).max() < 1e-15
    assert write_position(pose, 0, "spin", sets)[-1] == pytest.approx(90)
    with pytest.raises(SistelError, match="number 2, 6"):
        read_position([0, 6, 0, 0, 0, 90])


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ([7], "number 1, 7, is no kind of coordinates"),
        ([0, 9], "number 2, 9, is no kind of orientation"),
        ([0.5, 0], "number 1, 0.5"),
        ([0, 5, 1, 2, 3, 11], "numbers 6 to 6"),
        ([0, 3, 0, 0, 0, 1], "ends after 6 numbers"),
        ([0, 0, 0, 0, 0, 0, 0, 0, 90], "numbers 6 to 9"),
        (["a"], "row of numbers"),
        ([[0, 0]], "one row"),
        ([0, 0, math.nan], "number 3, nan"),
        ([0, 0, 0, 0, 0, 1, 0, 0, 0, 0], "ends after 10 numbers"),
    ],
)
def test_a_wrong_number_is_named(code: Any, words: str) -> None:
    with pytest.raises(SistelError, match=words) as caught:
        read_position(code)
    assert "положение" in caught.value.diagnostics[0].message.ru


def test_wrong_times_moves_and_turns() -> None:
    with pytest.raises(SistelError, match=r"number 8, 0\.5"):
        read_transitions([1, 0, 5, 0, 0, 0, 13, 0.5, 0, 5, 0, 0, 0, 13])
    with pytest.raises(SistelError, match="number 5, 9, is one too many"):
        read_move([0, 1, 2, 3, 9])
    with pytest.raises(SistelError, match="no number in codes"):
        write_position(HERE, "polar", 0)


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True) | st.integers(-2, 70), max_size=30))
def test_any_row_is_read_or_refused(code: list[float]) -> None:
    for read in (read_position, read_move, read_turn, read_transitions, read_body):
        try:
            read(code)
        except SistelError as problem:
            assert problem.diagnostics[0].message.ru


def test_a_body_of_two_primitives() -> None:
    box = [1, 0.5, 0.15, 0.15, 0, -0.25, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0.2]
    pin = [2, 0.1, 0.4, 0.1, 0, 0, 0.2, 0, 5, 32, 1, 0, 0, 0]
    first, second = read_body([*box, *pin, 0, 99])
    assert (first.kind, first.sizes, first.colour, first.transparency) == ("box", (0.5, 0.15, 0.15), (0, 0, 1), 0.2)
    assert second.kind == "cylinder" and np.abs(second.pose.matrix[:3, :3] - axial_rotation(32)).max() < 1e-15
    assert first.pose.place.tolist() == [-0.25, 0, 0]


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [(0, 6, "number 1, 6"), (1, -1, "number 2, -1, is no size"), (13, 2, "number 14, 2, is no share of colour")],
)
def test_a_wrong_number_of_a_body_is_named(place: int, value: float, words: str) -> None:
    code: list[float] = [1, 0.5, 0.15, 0.15, 0, -0.25, 0, 0, 0, 1, 0, 0, 0, 0.1, 0, 1, 0.2]
    code[place] = value
    with pytest.raises(SistelError, match=words):
        read_body(code)
    with pytest.raises(SistelError, match="red, green, blue"):
        read_body(code[:-1] if place == 13 else [1, 1, 1, 1, 0, 0, 0, 0, 5, 13, 1])


@pytest.mark.parametrize("coordinates", range(5))
@pytest.mark.parametrize("orientation", range(6))
def test_what_is_written_is_read_back(coordinates: int, orientation: int) -> None:
    """Moves, turns, timed poses and bodies, in all combinations."""
    near = {"abs": 4e-15}
    assert read_move(write_move(HERE.place, coordinates)) == pytest.approx(HERE.place, **near)
    assert np.abs(read_turn(write_turn(HERE.quaternion, orientation)) @ HERE.quaternion) == pytest.approx(1.0, **near)
    way = (TimedPose(time=1.0, pose=HERE), TimedPose(time=2.5, pose=HERE))
    found = read_transitions(write_transitions(way, coordinates, orientation))
    assert [each.time for each in found] == [1.0, 2.5]
    assert all(np.abs(each.pose.matrix - HERE.matrix).max() < 4e-15 for each in found)
    body = (Primitive(kind="cone", sizes=(0.1, 0.2, 0.3), pose=HERE, colour=(1.0, 0.5, 0.0), transparency=0.25),)
    (again,) = read_body(write_body(body, coordinates, orientation))
    assert (again.kind, again.sizes, again.colour, again.transparency) == (
        "cone",
        (0.1, 0.2, 0.3),
        (1.0, 0.5, 0.0),
        0.25,
    )
    assert np.abs(again.pose.matrix - HERE.matrix).max() < 4e-15
    assert write_transitions(()) == (0.0,)
