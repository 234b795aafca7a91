"""Parameters from measurements: exact ones to the last digits, noisy ones within their intervals."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.errors import SistelError, Source
from sistel.tasks import Result, read_task, solve_task
from sistel.tasks._identification import solve_identification
from sistel.tasks._student import student_quantile

TASKS = Path(__file__).parents[3] / "models" / "tasks"
TRUE = {"L": 0.73, "c": 0.045, "a": math.radians(37)}


@pytest.fixture(scope="module")
def swing() -> tuple[np.ndarray, np.ndarray]:
    """A swing of the true pendulum: times and angles [s, rad]."""
    t = np.arange(0.0, 4.01, 0.1)
    run = sistel.load(TASKS / "pendulum.xml").simulate(4.0, parameters=TRUE)
    return t, run.quantity("angle(rod)", np.minimum(t, 4.0))


def identified(folder: Path, table: str, parameters: str = "L, c, a", more: str = "") -> Result:
    """The parameters that a table of measurements gives."""
    (folder / "pendulum.xml").write_text((TASKS / "pendulum.xml").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "data.csv").write_text(table, encoding="utf-8")
    path = folder / "task.xml"
    path.write_text(
        f'<task model="pendulum.xml"><identification data="data.csv" parameters="{parameters}" {more}/></task>',
        encoding="utf-8",
    )
    return solve_task(read_task(path, sistel.load))


def test_exact_measurements_give_exact_parameters(tmp_path: Path, swing: tuple[np.ndarray, np.ndarray]) -> None:
    t, q = swing
    table = "t [ms],angle(rod) [deg],x(bob) [mm]\n" + "".join(
        f"{1000 * a!r},{math.degrees(b)!r},{'' if i % 3 else repr(-1000 * 0.73 * math.sin(b))}\n"
        for i, (a, b) in enumerate(zip(t.tolist(), q.tolist(), strict=True))
    )
    result = identified(tmp_path, table)
    assert result.good
    for answer, wanted in zip(result.answers, TRUE.values(), strict=True):
        assert answer.value == pytest.approx(wanted, rel=1e-8)


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say(tmp_path: Path, swing: tuple[np.ndarray, np.ndarray]) -> None:
    """20 noisy measurements, intervals of 90 %: the truth is inside about 18 times, of each parameter."""
    t, q = swing
    (tmp_path / "pendulum.xml").write_text((TASKS / "pendulum.xml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "data.csv").write_text("t [s]\n", encoding="utf-8")
    path = tmp_path / "task.xml"
    inside = '<identification data="data.csv" parameters="L, a" confidence="0.9"/>'
    path.write_text(f'<task model="pendulum.xml">{inside}</task>', encoding="utf-8")
    task = read_task(path, sistel.load, parameters={"c": TRUE["c"]})
    rng = np.random.default_rng(7)
    errors = []
    for _ in range(20):
        noisy = (q + rng.normal(0.0, 0.01, len(q))).tolist()
        table = "t [s],angle(rod) [rad]\n" + "".join(f"{a!r},{b!r}\n" for a, b in zip(t.tolist(), noisy, strict=True))
        solved = solve_identification(task.problems[0], task.system, Source("data.csv", table))
        assert solved.good
        deviations = [_number(str(row[3].en)) for row in solved.grids[0].rows if not isinstance(row[3], float)]
        found = [(answer.value - TRUE[answer.label.en]) for answer in solved.answers]
        errors.append([found[0] / (1e-3 * deviations[0]), found[1] / math.radians(deviations[1])])
    scaled = np.array(errors)
    quantile = student_quantile(0.9, len(t) - 2)
    # The chance of fewer than 14 of 20 is below 0.3 %; of a mean square beyond these bounds below 1 %.
    assert ((np.abs(scaled) < quantile).sum(axis=0) >= 14).all()
    assert ((scaled**2).mean(axis=0) > 0.35).all() and ((scaled**2).mean(axis=0) < 2.1).all()


def _number(text: str) -> float:
    return float(text.rstrip("°").split()[0])


def test_what_cannot_be_told_is_said(tmp_path: Path, swing: tuple[np.ndarray, np.ndarray]) -> None:
    t, q = swing
    rows = list(zip(t.tolist(), q.tolist(), strict=True))
    table = "t [s],angle(rod) [rad]\n" + "".join(f"{a!r},{b!r}\n" for a, b in rows)
    model = (TASKS / "pendulum.xml").read_text(encoding="utf-8")
    heavy = model.replace('mass="1"', 'mass="m"').replace(
        '<parameter name="L"', '<parameter name="m" value="1 kg"/><parameter name="L"'
    )
    (tmp_path / "pendulum.xml").write_text(heavy.replace('damping="c"', ""), encoding="utf-8")
    (tmp_path / "data.csv").write_text(table, encoding="utf-8")
    path = tmp_path / "task.xml"
    path.write_text(
        '<task model="pendulum.xml"><identification data="data.csv" parameters="L, m"/></task>', encoding="utf-8"
    )
    result = solve_task(read_task(path, sistel.load))
    # Without friction, a pendulum swings alike whatever its mass.
    assert result.problems[0].failed is not None
    assert "do not depend on: m" in result.problems[0].failed.en


@pytest.mark.parametrize(
    ("table", "place", "code"),
    [
        ("t [s],angle(rd) [deg]\n0,1\n", "1:13", "unknown-name"),
        ("t [s],angle(rod) [mm]\n0,1\n", "1:7", "wrong-unit"),
        ("t [s],angle(rod)\n0,1\n", "1:7", "wrong-unit"),
        ("t [s],angle(rod) [furlong]\n0,1\n", "1:7", "unknown-unit"),
        ("t [s],angle(rod) [deg]\n0,1\n0.1,two\n", "3:5", "not-a-number"),
        ("t [s],angle(rod) [deg]\n0.1,1\n0,2\n", "3:1", "bad-time"),
        ("t [s],angle(rod) [deg]\n0,1\n0.5,2,5\n", "3:7", "wrong-shape"),
        ("angle(rod) [deg],x(bob) [mm]\n1,1\n", "1:1", "no-time"),
        ("t [s]\n1\n", "1:1", "no-table"),
    ],
)
def test_wrong_tables(tmp_path: Path, table: str, place: str, code: str) -> None:
    with pytest.raises(SistelError) as caught:
        identified(tmp_path, table)
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.span is not None and found.span.source.path.endswith("data.csv")
    assert f"{found.span.line}:{found.span.column}" == place


def test_quantiles_of_student() -> None:
    from scipy.stats import t as student

    for freedom in (1, 2, 5, 30, 1000):
        for probability in (0.5, 0.9, 0.95, 0.999):
            wanted = float(student.ppf(0.5 + probability / 2, freedom))
            assert student_quantile(probability, freedom) == pytest.approx(wanted, rel=1e-9)
