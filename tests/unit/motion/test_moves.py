"""Moves from place to place: end conditions, limits, and that none is faster."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sistel.errors import SistelError
from sistel.motion.trajectories import Limits, Trajectory, fastest_move, polynomial_move

KINDS = {"cubic": 2, "quintic": 3, "septic": 4}
ends = st.one_of(st.just(0.0), st.floats(-5.0, -1e-3), st.floats(1e-3, 5.0))
positive = st.floats(1e-2, 1e2)


def jumps(move: Trajectory, order: int) -> float:
    """The largest difference between the two sides of a knot, in parts of what the pieces there add up.

    Knots are rounded times: what the value changes within the rounding is no difference.
    """
    report = move.limits_report()
    rates = [report.velocity, report.acceleration, report.jerk]
    late = 8.0 * np.spacing(np.abs(move.knots).max()) * rates[order].peak if order < 3 else 0.0
    worst = 0.0
    for i in range(1, len(move.knots) - 1):
        sides, sizes = [], []
        for piece in (i - 1, i):
            tau = move.knots[i] - move.origins[piece]
            c = move.coefficients[piece]
            total, size = np.zeros_like(tau), np.zeros_like(tau)
            for power in range(order, c.shape[0]):
                factor = np.prod(np.arange(power - order + 1, power + 1), dtype=float)
                term = factor * c[power] * tau ** (power - order)
                total, size = total + term, size + np.abs(term)
            sides.append(total)
            sizes.append(size)
        worst = max(worst, float(((np.abs(sides[0] - sides[1]) - late) / (np.maximum(*sizes) + 1e-300)).max()))
    return worst


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60)
@given(data=st.data())
def test_polynomials_meet_all_their_ends(kind: str, data: st.DataObject) -> None:
    count = KINDS[kind]
    rows = data.draw(st.lists(st.tuples(ends, ends, ends), min_size=2 * count, max_size=2 * count))
    first, last = np.array(rows[:count]), np.array(rows[count:])
    duration, t0 = data.draw(st.floats(0.1, 20.0)), data.draw(st.floats(-3.0, 3.0))
    words = ("velocities", "accelerations", "jerks")[: count - 1]
    move = polynomial_move(
        first[0],
        last[0],
        duration,
        kind=kind,
        t0=t0,
        **{word: (first[i + 1], last[i + 1]) for i, word in enumerate(words)},
    )
    for t, wanted in ((move.t0, first), (move.t1, last)):
        found = (*move(t), move.jerk(t))[:count]
        assert np.abs(np.array(found) - wanted).max() < 1e-12
    # The two halves are told from the two ends. They are one polynomial of the least degree, hence the only one that
    # meets these ends, if all derivatives agree in the middle.
    for order in range(2 * count):
        assert jumps(move, order) < 1e-10


@pytest.mark.parametrize("kind", KINDS)
def test_polynomials_of_the_shortest_duration_touch_a_limit(kind: str) -> None:
    for limits in (Limits(1.0, 100.0, 1e4), Limits([9.0, 9.0], 2.0, 1e3), Limits(50.0, 50.0, 3.0)):
        report = polynomial_move([0.0, 1.0], [2.0, 0.5], kind=kind, limits=limits).limits_report()
        assert report.kept
        velocity, acceleration, _, jerk = limits.over(2)
        used = (report.velocity.peak / velocity, report.acceleration.peak / acceleration, report.jerk.peak / jerk)
        assert np.max(used) == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=150)
@given(data=st.data())
def test_fastest_moves_keep_limits_and_end_together(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 4))
    row = st.lists(positive, min_size=n, max_size=n)
    place = st.lists(
        st.one_of(st.just(0.0), ends, st.floats(1e-100, 1e-6), st.floats(-1e-6, -1e-100)), min_size=n, max_size=n
    )
    q0, q1 = np.array(data.draw(place)), np.array(data.draw(place))
    jerk = data.draw(st.one_of(st.none(), row))
    limits = Limits(data.draw(row), data.draw(row), jerk, data.draw(st.one_of(st.none(), row)))
    together = data.draw(st.sampled_from(["time", "line"]))
    # From 1.5 s on, no time can be told that is shorter than its rounding.
    t0 = 1.5 if np.abs(q1 - q0).max() > 1e-9 else 0.0
    move = fastest_move(q0, q1, limits, together=together, t0=t0)
    report = move.limits_report()
    assert report.kept, report.say("en")
    velocity, rising, falling, most = limits.over(n)
    t = np.linspace(move.t0, move.t1, 2001)
    q, v, a = move(t)
    j = move.jerk(t)
    above = 1.0 + 1e-11  # rounding; and of times, within which speeds and accelerations change
    late = 4.0 * np.spacing(move.t1)
    assert (np.abs(v) <= velocity * above + late * np.maximum(rising, falling)).all()
    assert (np.abs(j) <= most * above).all()
    # What speeds up and what slows down have limits of their own.
    power, late = np.sign(v) * a, 0.0 if jerk is None else late * most
    assert (power <= rising * above + late).all() and (-power <= falling * above + late).all()
    assert (report.velocity.peak >= np.abs(v).max(axis=0) * (1.0 - 1e-12)).all()
    # Every axis begins and ends with the others, where it should and at rest.
    assert (q[0] == q0).all() and (q[-1] == q1).all() and not v[0].any() and not v[-1].any()
    if jerk is not None:
        assert not a[0].any() and not a[-1].any()
    if move.duration > 1e-3:
        moving = q0 != q1
        before, after = move(move.t0 + 0.02 * move.duration)[0], move(move.t1 - 0.02 * move.duration)[0]
        assert (before != q0)[moving & (np.abs(q1 - q0) > 1e-3)].all()
        assert (after != q1)[moving & (np.abs(q1 - q0) > 1e-3)].all()
    for order in range(3 if jerk is not None else 2):
        assert jumps(move, order) < 1e-12
    if together == "line":
        part = (q - q0) @ (q1 - q0)
        size = (q1 - q0) @ (q1 - q0)
        assert size == 0.0 or np.abs(q - q0 - (part / size)[:, None] * (q1 - q0)).max() < 1e-12


def farthest(velocity: int, rising: int, falling: int, steps: int) -> list[float]:
    """How far any sequence of jerks −1, 0, 1, each for 1 s, leads from rest to rest in so many seconds, by trying all.

    On the grid of states that they reach: accelerations are whole, speeds multiples of 1/2.
    """
    nothing = -np.inf
    best = np.full((rising + falling + 1, 2 * velocity + 1), nothing)
    best[falling, 0] = 0.0
    found = [0.0]
    for _ in range(steps):
        then = np.full_like(best, nothing)
        for row in range(best.shape[0]):
            a = row - falling
            for j in (-1, 0, 1):
                if not 0 <= row + j < best.shape[0]:
                    continue
                # Twice the speed grows by 2 a + j; the way is v + a/2 + j/6.
                gain = 2 * a + j
                speeds = np.arange(2 * velocity + 1)
                fits = (speeds + gain >= 0) & (speeds + gain <= 2 * velocity)
                reached = speeds[fits] + gain
                way = best[row, fits] + 0.5 * speeds[fits] + a / 2 + j / 6
                then[row + j, reached] = np.maximum(then[row + j, reached], way)
        best = then
        found.append(float(best[falling, 0]))
    return found


@pytest.mark.parametrize(
    ("velocity", "rising", "falling"),
    [(40, 5, 5), (144, 12, 12), (400, 40, 40), (120, 15, 6), (90, 4, 20), (600, 11, 30)],
)
def test_nothing_is_faster(velocity: int, rising: int, falling: int) -> None:
    limits = Limits(velocity, rising, 1.0, falling)
    ways = farthest(velocity, rising, falling, 140)
    for seconds in (4, 7, 20, 41, 99, 120, 140):
        move = fastest_move(0.0, ways[seconds], limits)
        # Never slower than what was found by trying all; as fast, up to the grid of whole seconds.
        assert move.duration <= seconds * (1.0 + 1e-12)
        if seconds >= 120:
            assert move.duration > 0.999 * seconds


def test_the_cases_of_short_moves() -> None:
    limits = Limits(1.0, 2.0, 8.0)
    # Cruise: rise 1/2 + 2/8 each, and the rest at 1 m/s.
    assert fastest_move(0.0, 3.0, limits).duration == pytest.approx(0.75 + 3.0, rel=1e-15)
    # No steady acceleration: four equal parts of cbrt(d / 2 J).
    assert fastest_move(0.0, 0.01, limits).duration == pytest.approx(4 * (0.01 / 16) ** (1 / 3), rel=1e-14)
    # Without a limit of jerk: a triangle, and a trapezoid.
    assert fastest_move(0.0, 0.1, Limits(1.0, 2.0)).duration == pytest.approx(2 * 0.05**0.5, rel=1e-15)
    assert fastest_move(0.0, 3.0, Limits(np.inf, 3.0, deceleration=1.5)).duration == pytest.approx(6**0.5, rel=1e-15)
    still = fastest_move([1.0, 2.0], [1.0, 2.0], limits)
    assert still.duration == 0.0 and still(5.0)[0].tolist() == [1.0, 2.0] and not still(0.0)[1].any()
    assert still.limits_report().kept and still.table(0.1).values.tolist() == [[1.0, 2.0]]
    slow = fastest_move(0.0, 3.0, limits, duration=10.0)
    assert slow.t1 == 10.0 and slow(10.0)[0][0] == 3.0 and slow.limits_report().velocity.peak[0] < 1.0


def test_before_and_after_it_stays() -> None:
    move = polynomial_move([0.0], [1.0], 2.0, velocities=([1.0], [1.0]))
    q, v, a = move([[-1.0, 0.0], [2.0, 3.0]])
    assert q[..., 0].tolist() == [[0.0, 0.0], [1.0, 1.0]] and v[..., 0].tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert q.shape == (2, 2, 1) and a.shape == q.shape


@settings(max_examples=40)
@given(
    rows=st.lists(st.tuples(ends, ends), min_size=8, max_size=8),
    duration=st.floats(0.2, 5.0),
    bound=st.floats(0.1, 20.0),
)
def test_reports_find_the_true_extremes_and_first_crossings(
    rows: list[tuple[float, float]], duration: float, bound: float
) -> None:
    p = np.array(rows)
    move = polynomial_move(
        p[0], p[1], duration, kind="septic", velocities=(p[2], p[3]), accelerations=(p[4], p[5]), jerks=(p[6], p[7])
    )
    limits = Limits(bound, bound, bound, lower=-4.0, upper=4.0)
    report = move.limits_report(limits)
    t = np.linspace(move.t0, move.t1, 4001)
    sampled = (*move(t), move.jerk(t))
    step = t[1] - t[0]
    for order, (quantity, extreme) in enumerate(
        (name, getattr(report, name)) for name in ("position", "velocity", "acceleration", "jerk")
    ):
        values = sampled[order]
        slack = 1e-9 * (1.0 + np.abs(values).max())
        # A smooth extreme is nearer to a sample than the curvature times half a step squared allows.
        bend = np.abs(np.diff(values, 2, axis=0)).max() + slack
        assert (extreme.highest >= values.max(axis=0) - slack).all()
        assert (extreme.highest <= values.max(axis=0) + bend).all()
        assert (extreme.lowest <= values.min(axis=0) + slack).all()
        assert (extreme.lowest >= values.min(axis=0) - bend).all()
        for axis, name in enumerate(report.names):
            most = 4.0 if order == 0 else bound
            beyond = np.flatnonzero(np.abs(values[:, axis]) > most + bend)
            said = [each for each in report.crossings if each.name == name and each.quantity == quantity]
            if beyond.size:
                assert said and min(each.time for each in said) <= t[beyond[0]] + step
                assert np.abs(np.interp(said[0].time, t, values[:, axis])) >= most - bend
    assert report.kept == (not report.crossings)
    assert "velocity" in report.say("en") and "скорость" in report.say("ru")


def test_a_speed_that_starts_on_its_limit_crosses_it_at_once() -> None:
    move = polynomial_move(0.0, 1.0, 1.0, velocities=(2.0, 0.0), accelerations=(3.0, 0.0))
    (crossing,) = move.limits_report(Limits(2.0, 1e3)).crossings
    assert crossing.time == 0.0 and crossing.worst > 2.0 and crossing.quantity == "velocity"
    # Within what it then reaches, it crosses later, where the speed says.
    (later,) = move.limits_report(Limits(0.5 * (2.0 + crossing.worst), 1e3)).crossings
    assert 0.0 < later.time < later.worst_at == crossing.worst_at
    assert move(later.time)[1][0] == pytest.approx(later.limit, rel=1e-12)
    assert "скорость" in later.say("ru") and "velocity" in later.say("en")


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: Limits(0.0, 1.0), "bad-limit"),
        (lambda: Limits(1.0, -1.0), "bad-limit"),
        (lambda: Limits(1.0, 1.0, 0.0), "bad-limit"),
        (lambda: Limits(1.0, np.inf), "bad-limit"),
        (lambda: Limits(np.nan, 1.0), "bad-numbers"),
        (lambda: Limits("fast", 1.0), "bad-numbers"),
        (lambda: Limits([[1.0]], 1.0), "bad-numbers"),
        (lambda: Limits(1.0, 1.0, lower=2.0, upper=1.0), "bad-limit"),
        (lambda: Limits(1.0, 1.0, lower=[0.0, 0.0], upper=[1.0, 1.0, 1.0]), "wrong-shape"),
        (lambda: fastest_move([0.0], [1.0], None), "bad-limit"),
        (lambda: polynomial_move([0.0], [1.0], limits=3.0), "bad-limit"),
        (lambda: polynomial_move([0.0], [1.0], 1.0).limits_report((1.0, 2.0)), "bad-limit"),
        (lambda: fastest_move([0.0, 0.0], [1.0], Limits(1.0, 1.0)), "wrong-shape"),
        (lambda: fastest_move([0.0], [np.nan], Limits(1.0, 1.0)), "bad-numbers"),
        (lambda: fastest_move([[0.0]], [[1.0]], Limits(1.0, 1.0)), "wrong-shape"),
        (lambda: fastest_move([0.0, 0.0], [1.0, 1.0], Limits([1.0] * 3, 1.0)), "wrong-shape"),
        (lambda: fastest_move(0.0, 1.0, Limits(1.0, 1.0), duration=0.5), "too-fast"),
        (lambda: fastest_move(0.0, 1.0, Limits(1.0, 1.0), together="never"), "unknown-word"),
        (lambda: fastest_move(0.0, 1.0, Limits(1.0, 1.0), names=["a", "b"]), "wrong-names"),
        (lambda: fastest_move(0.0, 1e300, Limits(1e200, 1e200, 1e200)), "bad-numbers"),
        (lambda: fastest_move(0.0, 1e300, Limits(1e-200, 1e-200)), "bad-numbers"),
        (lambda: polynomial_move(0.0, 1.0), "no-duration"),
        (lambda: polynomial_move(0.0, 1.0, 0.0), "not-positive"),
        (lambda: polynomial_move(0.0, 1.0, -1.0), "not-positive"),
        (lambda: polynomial_move(0.0, 1.0, np.nan), "bad-numbers"),
        (lambda: polynomial_move(0.0, 1.0, 1.0, t0=1e30), "wrong-time"),
        (lambda: polynomial_move(0.0, 1.0, 1.0, kind="sextic"), "unknown-word"),
        (lambda: polynomial_move(0.0, 1.0, 1.0, kind="cubic", accelerations=(0.0, 1.0)), "too-many-conditions"),
        (lambda: polynomial_move(0.0, 1.0, 1.0, velocities=3.0), "wrong-shape"),
        (lambda: polynomial_move(0.0, 1.0, velocities=(1.0, 0.0), limits=Limits(1.0, 1.0)), "no-duration"),
        (lambda: polynomial_move(0.0, 1.0, 1e-150), "bad-numbers"),
        (lambda: polynomial_move(0.0, 1.0, 1.0)(np.nan), "bad-numbers"),
        (lambda: polynomial_move(0.0, 1.0, 1.0).table(0.0), "not-positive"),
        (lambda: polynomial_move(0.0, 1.0, 1.0).table(1e-9), "too-many-rows"),
        (lambda: polynomial_move(0.0, 1.0, 1.0).table(0.1, units="parsec"), "unknown-unit"),
    ],
)
def test_wrong_calls_are_told_in_both_languages(call, code: str) -> None:
    with pytest.raises(SistelError) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code
    assert diagnostic.message.en != diagnostic.message.ru
    assert any("а" <= letter <= "я" for letter in diagnostic.message.ru)


def test_where_coordinates_turn_round():
    # t − t³ turns at 1/√3, and 2t − 3t² + 2t³ nowhere.
    move = polynomial_move([0.0, 0.0], [0.0, 1.0], 1.0, kind="cubic", velocities=([1.0, 2.0], [-2.0, 2.0]))
    times = np.unique(move.turning_times())
    assert times[~np.isin(times, move.knots)] == pytest.approx([3.0**-0.5], rel=1e-15)
