"""Complementarity problems: Lemke's pivots against trying everything, impacts against closed forms and published digits.

The woodpecker toy is the linearised model of Glocker (1995) and of Leine, Glocker and van Campen (DETC2001/VIB-21608):
one period from its lowest point, every event decided by the problems that simulations solve. The digits were recomputed
with 15 digits from the data of the paper (whose printed period, 0.1452 s, does not follow from them).
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from sistel.automaton import FREE, MINUS, PLUS, STICK, WAYS
from sistel.simulation.contact import _complementarity as module
from sistel.simulation.contact._complementarity import ContactProblem, impact_impulses, lemke, solve_contacts

Array = np.ndarray[Any, np.dtype[np.float64]]


def every_solution(M: Array, q: Array) -> list[Array]:
    """All solutions of a linear complementarity problem, by trying every basis."""
    n, found = len(q), []
    for basis in product((False, True), repeat=n):
        on = np.flatnonzero(basis)
        z = np.zeros(n)
        if len(on):
            try:
                z[on] = np.linalg.solve(M[np.ix_(on, on)], -q[on])
            except np.linalg.LinAlgError:
                continue
        if (z >= -1e-12).all() and (M @ z + q >= -1e-9).all():
            found.append(z)
    return found


def test_lemke_finds_the_only_solution(rng: np.random.Generator) -> None:
    for n in range(1, 8):
        for _ in range(20):
            A, skew = rng.normal(size=(n, n)), rng.normal(size=(n, n))
            M = A @ A.T + 0.1 * np.eye(n) + (skew - skew.T)  # positive definite, not symmetric: one solution
            q = rng.normal(size=n)
            (wanted,) = every_solution(M, q)
            found = lemke(M, q)
            assert found is not None
            assert np.abs(found - wanted).max() < 1e-10 * (1 + np.abs(wanted).max()) * np.linalg.cond(M)


def test_lemke_says_where_nothing_solves(rng: np.random.Generator) -> None:
    missing = 0
    for _ in range(60):
        a = rng.normal(size=(3, 2))
        M, q = a @ a.T, rng.normal(size=3)  # of rank 2: a ray means that there is no solution
        solutions = every_solution(M, q)
        found = lemke(M, q)
        assert (found is None) == (not solutions)
        missing += found is None
        if found is not None:
            w = M @ found + q
            assert (w >= -1e-9).all() and abs(w @ found) < 1e-9
    assert 0 < missing < 60


def random_problem(rng: np.random.Generator, k: int, expansion: bool) -> ContactProblem:
    """Contacts of a system with more freedoms than contacts, so that none is redundant; weak friction."""
    J = rng.normal(size=(2 * k, 2 * k + 1))
    return ContactProblem(
        G=J @ J.T,
        b=rng.normal(size=2 * k),
        friction=tuple(float(x) for x in rng.choice([0.0, 0.05, 0.1], size=k)),
        ways=tuple(float(x) for x in rng.choice([-1.0, 0.0, 0.0, 1.0], size=k)),
        pressed=tuple(float(x) for x in (rng.uniform(0, 1, k) if expansion else np.zeros(k))),
    )


def keeps_the_law(problem: ContactProblem, x: Array) -> bool:
    """Signorini's and Coulomb's laws, written without statuses."""
    k, near = len(problem.friction), 1e-7
    w = problem.G @ x + problem.b
    for i in range(k):
        mu, way = problem.friction[i], problem.ways[i]
        assert mu is not None
        push, pull = x[i] + problem.pressed[i], x[k + i]
        if x[i] < -near or w[i] < -near or abs(x[i] * w[i]) > near:
            return False
        if abs(pull) > mu * push + near:
            return False
        slip = way or w[k + i]
        if (way or abs(slip) > near) and abs(pull + math.copysign(mu * push, slip)) > near:
            return False
    return True


@pytest.mark.parametrize("expansion", [False, True])
def test_pivots_and_trials_agree(rng: np.random.Generator, expansion: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for k in (1, 2, 3):
        for _ in range(25):
            problem = random_problem(rng, k, expansion)
            monkeypatch.setattr(module, "TRIALS", 5000)
            tried = solve_contacts(problem)
            monkeypatch.setattr(module, "TRIALS", 0)
            pivoted = solve_contacts(problem)
            assert tried is not None and pivoted is not None
            assert keeps_the_law(problem, tried.x) and keeps_the_law(problem, pivoted.x)
            # With friction this weak the solution is unique.
            assert np.abs(tried.x - pivoted.x).max() < 1e-8 * (1 + np.abs(tried.x).max())


def test_preferred_statuses_come_first() -> None:
    """Painlevé's indeterminate case: the contact may open, or be pushed harder and harder."""
    problem = ContactProblem(
        G=np.array([[1.0, 3.0], [3.0, 10.0]]), b=np.array([1.0, 0.0]), friction=(0.5,), ways=(1.0,), pressed=(0.0,)
    )
    opened, pushed = solve_contacts(problem, [(False, FREE)]), solve_contacts(problem, [(True, PLUS)])
    assert opened is not None and pushed is not None
    assert opened.statuses == ((False, FREE),) and pushed.statuses == ((True, PLUS),)
    assert pushed.x == pytest.approx([2.0, -1.0])
    # Statuses that the known slip excludes are not offered, only what the law allows.
    assert all(keeps_the_law(problem, found.x) for found in (opened, pushed))


def test_the_inconsistent_case_has_no_solution() -> None:
    problem = ContactProblem(
        G=np.array([[1.0, 3.0], [3.0, 10.0]]), b=np.array([-1.0, 0.0]), friction=(0.5,), ways=(1.0,), pressed=(0.0,)
    )
    assert solve_contacts(problem) is None


def test_a_contact_that_cannot_slide() -> None:
    problem = ContactProblem(G=np.eye(2), b=np.array([-1.0, 40.0]), friction=(None,), ways=(0.0,), pressed=(0.0,))
    found = solve_contacts(problem)
    assert found is not None
    assert found.statuses == ((True, STICK),)
    assert found.x == pytest.approx([1.0, -40.0])


@pytest.mark.parametrize(("newton", "poisson"), [([0.6], [0.0]), ([0.0], [0.6])])
def test_a_particle_that_bounces(newton: list[float], poisson: list[float]) -> None:
    """Without coupling both rules are the same: u returns times e, friction takes mu (1 + e) u of the slip."""
    slips = impact_impulses(np.eye(2), np.array([-2.0, 5.0]), [0.25], newton, poisson)
    assert slips == pytest.approx([3.2, -0.8])
    sticks = impact_impulses(np.eye(2), np.array([-2.0, 0.3]), [0.25], newton, poisson)
    assert sticks == pytest.approx([3.2, -0.3])


class Woodpecker:
    """The linearised toy: constant masses and directions, so that every structure is a linear flow of (q, u, 1)."""

    def __init__(self) -> None:
        mM, JM, mS, JS, g = 0.0003, 5e-9, 0.0045, 7e-7, 9.81
        r0, rM, hM, lM, lG, hS, lS, spring = 0.0025, 0.0031, 0.0058, 0.01, 0.015, 0.02, 0.0201, 0.0056
        self.mu = 0.3
        self.M = np.array(
            [
                [mS + mM, mS * lM, mS * lG],
                [mS * lM, JM + mS * lM**2, mS * lM * lG],
                [mS * lG, mS * lM * lG, JS + mS * lG**2],
            ]
        )
        self.stiff = spring * np.array([[0, 0, 0], [0, 1, -1], [0, -1, 1.0]])
        self.weight = -g * np.array([mS + mM, mS * lM, mS * lG])
        self.rows = np.array([[0, 0, -hS], [0, hM, 0], [0, -hM, 0], [1, lM, lG - lS], [1, rM, 0], [1, rM, 0]])
        self.gap0 = np.array([lM + lG - lS - r0, rM - r0, rM - r0])
        self.G = self.rows @ np.linalg.solve(self.M, self.rows.T)

    def flow(self, statuses: dict[int, int]) -> tuple[Array, list[tuple[str, int, Array]]]:
        """Rates of (q, u, 1) as a matrix, and what is watched as rows; statuses of the contacts that push."""
        hold = list(statuses) + [3 + i for i, grip in statuses.items() if grip == STICK]
        push = self.rows[hold].T.copy()
        for place, (i, grip) in enumerate(statuses.items()):
            if grip in WAYS:
                push[:, place] -= WAYS[grip] * self.mu * self.rows[3 + i]
        free = np.zeros((3, 7))  # M a = free · (q, u, 1) + push · force
        free[:, :3], free[:, 6] = -self.stiff, self.weight
        inverse = np.linalg.inv(self.M)
        J = self.rows[hold]
        force = -np.linalg.solve(J @ inverse @ push, J @ inverse @ free) if hold else np.zeros((0, 7))
        A = np.zeros((7, 7))
        A[:3, 3:6], A[3:6] = np.eye(3), inverse @ (free + push @ force)
        watched: list[tuple[str, int, Array]] = []
        for i in range(3):
            if i not in statuses:
                watched.append(("impact", i, np.array([*self.rows[i], 0, 0, 0, self.gap0[i]])))
                continue
            normal = force[hold.index(i)]
            watched.append(("detach", i, normal))
            if statuses[i] == STICK:
                along = force[hold.index(3 + i)]
                watched += [("slip -", i, self.mu * normal - along), ("slip +", i, self.mu * normal + along)]
            else:
                watched.append(("vt0", i, np.array([0, 0, 0, *(WAYS[statuses[i]] * self.rows[3 + i]), 0])))
        return A, watched

    def decide(self, x: Array, touching: list[int], moves: set[int]) -> dict[int, int]:
        """Statuses of contacts that touch, by accelerations; those of `moves` slide as they do."""
        if not touching:
            return {}
        u = self.rows @ x[3:6]
        a = self.rows @ np.linalg.solve(self.M, self.weight - self.stiff @ x[:3])
        places = [*touching, *(3 + i for i in touching)]
        problem = ContactProblem(
            G=self.G[np.ix_(places, places)],
            b=a[places],
            friction=(self.mu,) * len(touching),
            ways=tuple(float(np.sign(u[3 + i])) if i in moves else 0.0 for i in touching),
            pressed=(0.0,) * len(touching),
        )
        found = solve_contacts(problem)
        assert found is not None
        return {i: grip for i, (closed, grip) in zip(touching, found.statuses, strict=True) if closed}

    def strike(self, x: Array, i: int, statuses: dict[int, int]) -> tuple[Array, dict[int, int]]:
        """An impact, and what follows."""
        closed = sorted({i, *statuses})
        places = [*closed, *(3 + j for j in closed)]
        u = self.rows @ x[3:6]
        given = impact_impulses(
            self.G[np.ix_(places, places)],
            u[places],
            [self.mu] * len(closed),
            newton=[0.0] * len(closed),
            poisson=[(0.5, 0.0, 0.0)[j] for j in closed],
        )
        assert given is not None
        x = x.copy()
        x[3:6] += np.linalg.solve(self.M, self.rows[places].T @ given)
        u = self.rows @ x[3:6]
        touching = [j for j in closed if abs(u[j]) < 1e-12]
        return x, self.decide(x, touching, {j for j in touching if abs(u[3 + j]) > 1e-12})


def moved(A: Array, x: Array, h: float) -> Array:
    """Exp(A h) x by its series; steps are short."""
    total, term = x.copy(), x.copy()
    for k in range(1, 30):
        term = A @ term * (h / k)
        total += term
    return total


def test_a_period_of_the_woodpecker() -> None:
    toy, step = Woodpecker(), 1e-4
    x = np.array([0.0, -0.6 / 5.8, -0.5294719671108511, 0.0, 0.0, 0.0, 1.0])
    statuses: dict[int, int] = {1: STICK}
    time, log = 0.0, list[tuple[float, str, int, dict[int, int]]]()
    fresh: set[tuple[str, int]] = set()
    while time < 0.1459:
        A, watched = toy.flow(statuses)
        after = moved(A, x, step)
        h, event = step, None
        for word, i, row in watched:
            if (word, i) not in fresh and row @ x > 0.0 and row @ after < 0.0:
                low, high = 0.0, h
                for _ in range(60):
                    middle = 0.5 * (low + high)
                    low, high = (middle, high) if row @ moved(A, x, middle) > 0.0 else (low, middle)
                if high < h:
                    h, event = high, (word, i)
        x, time = moved(A, x, h), time + h
        if event is None:
            fresh = set()
            continue
        word, i = event
        fresh = {event}
        if word == "impact":
            x, statuses = toy.strike(x, i, statuses)
        elif word == "detach":
            statuses = {j: grip for j, grip in statuses.items() if j != i}
        elif word == "vt0":
            statuses = toy.decide(x, list(statuses), set(statuses) - {i})
        else:
            statuses = {**statuses, i: MINUS if word == "slip -" else PLUS}
        log.append((time, word.split()[0], i + 1, dict(statuses)))
    wanted = [
        (0.0284101605781026804, "slip", 2, {1: MINUS}),
        (0.0342309178129124827, "detach", 2, {}),
        (0.0451199858587461838, "impact", 3, {}),
        (0.0482213395177391131, "impact", 1, {}),
        (0.0488008610560913468, "impact", 3, {2: PLUS}),
        (0.0506555518501354571, "detach", 3, {}),
        (0.0859439625382608939, "impact", 2, {}),
        (0.0886726965695235674, "impact", 2, {1: MINUS}),
        (0.134792818722392565, "vt0", 2, {1: STICK}),
    ]
    assert [each[1:] for each in log] == [each[1:] for each in wanted]
    assert [each[0] for each in log] == pytest.approx([each[0] for each in wanted], abs=1e-11)
    # The lowest point is where the bird turns: the same posture again, further down the pole.
    A, _ = toy.flow(statuses)
    for _ in range(4):
        h = -x[5] / float((A @ x)[5])
        x, time = moved(A, x, h), time + h
    assert time == pytest.approx(0.1459760651437518, abs=1e-11)
    assert x[2] == pytest.approx(-0.5294719671108511, abs=1e-11)
    assert x[0] == pytest.approx(-0.01944537928471653, abs=1e-12)
