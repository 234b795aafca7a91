"""Runs of the studio: begun from a window, told of, kept, interrupted, and there again after a restart."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.studio import Studio, Window, studio

import sistel
from sistel.simulation import Run

GALLERY = Path(__file__).resolve().parents[3] / "models"
PENDULUM = (GALLERY / "pendulum.xml").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pendulum.xml").write_text(PENDULUM, encoding="utf-8")
    return tmp_path


@pytest.fixture
def served(folder: Path) -> Iterator[Studio]:
    with studio(folder) as found:
        yield found


def ended(window: Window, text: str = PENDULUM, **order: Any) -> dict[str, Any]:
    job = window.call("run.start", path="pendulum.xml", text=text, **order)["job"]
    return window.wait_told("job.ended", 60.0, job=job)


def test_a_run_is_the_one_that_python_makes(served: Studio, folder: Path) -> None:
    with served.window() as window:
        end = ended(window, until=2.0)
        run = end["run"]
        assert end["failed"] is None and not end["interrupted"] and end["kind"] == "run"
        assert [each["id"] for each in window.call("runs.list")] == [run["id"]]
    own = sistel.parse(PENDULUM).simulate(2.0)
    kept = Run.load(folder / ".sistel" / "runs" / run["id"] / "run.npz")
    assert (kept.t == own.t).all() and (kept.q == own.q).all() and (kept.v == own.v).all()
    assert run["until"] == 2.0 and run["events"] == len(own.events) and run["path"] == "pendulum.xml"
    kinetic, potential = own.energies()
    whole = kinetic + potential
    scale = max(kinetic.max(), potential.max() - potential.min())
    assert run["drift"] == pytest.approx(abs(whole - whole[0]).max() / scale, rel=1e-6)
