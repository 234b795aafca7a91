"""Sweeps and maps: what each run gives is what Python gives; a killed server loses little of them."""

import csv
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from support.studio import Studio, Window, studio

import sistel

GALLERY = Path(__file__).resolve().parents[3] / "models"
PENDULUM = (GALLERY / "pendulum.xml").read_text(encoding="utf-8")
VARY = [{"name": "L", "from": 500, "to": 1500, "count": 5, "unit": "mm"}]
TEXT = PENDULUM.replace('name="L" value="1 m"', 'name="L" value="1000 mm"')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pendulum.xml").write_text(TEXT, encoding="utf-8")
    return tmp_path


def ended(window: Window, call: str, **order: Any) -> dict[str, Any]:
    job = window.call(call, **order)["job"]
    return window.wait_told("job.ended", 120.0, job=job)


def test_a_sweep_is_the_runs_that_python_makes(folder: Path) -> None:
    """Values of a parameter come in the unit of its author, and go out in SI."""
    assert 'value="1000 mm"' in TEXT
    with studio(folder) as served, served.window() as window:
        end = ended(
            window,
            "sweep.start",
            path="pendulum.xml",
            text=TEXT,
            until=1.0,
            vary=VARY,
            quantity="angle(rod)",
            of="least",
        )
        run = end["run"]
        assert (run["kind"], run["state"], run["done"], run["runs"]) == ("sweep", "done", 5, 5), end["failed"]
        window.call("runs.save", id=run["id"], path="swept.csv")
        url = window.call("runs.page", id=run["id"], lang="en")["url"]
        status, _, page = served.get(f"/{url}")
        assert status == 200 and b"<svg" in page and b"L 500 \xe2\x80\xa6 1500 mm (5)" in page
        with (folder / "swept.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        system = sistel.parse(TEXT)
        for row, length in zip(rows, (0.5, 0.75, 1.0, 1.25, 1.5), strict=True):
            assert float(row["L"]) == length and row["outcome"] == "reached its time"
            own = system.with_parameters(L=length).simulate(1.0).quantity("angle(rod)").min()
            assert float(row["angle(rod) (least)"]) == pytest.approx(own, rel=1e-12)
        # A wrong order leaves nothing behind, and says why.
        wrong = ended(window, "sweep.start", path="pendulum.xml", text=TEXT, vary=[{**VARY[0], "name": "nobody"}])
        assert wrong["failed"]["code"] == "unknown-name"
        assert [each["id"] for each in window.call("runs.list")] == [run["id"]]
        assert window.fails("sweep.resume", id=run["id"])["code"] == "nothing-to-resume"


def test_a_killed_server_goes_on_with_what_is_done(folder: Path) -> None:
    vary = [{"name": "L", "from": 500, "to": 1500, "count": 60}]
    with studio(folder) as served, served.window() as window:
        window.call("sweep.start", path="pendulum.xml", text=TEXT, until=1.0, vary=vary, quantity="angle(rod)")
        while window.wait_told("job.progress", 60.0)["share"] in (None, 0) or not _lines(folder):
            pass
        os.killpg(served.process.pid, signal.SIGKILL)
    before = _lines(folder)
    assert before
    with studio(folder) as served, served.window() as window:
        (run,) = window.call("runs.list")
        assert run["state"] == "unfinished" and run["kind"] == "sweep"
        end = ended(window, "sweep.resume", id=run["id"])
        assert end["run"]["state"] == "done", end["failed"]
    after = _lines(folder)
    assert after[: len(before)] == before  # nothing was done twice
    assert sum(len(json.loads(line)) for line in after) == 60


def test_a_parameter_that_is_tried_is_in_its_unit(folder: Path) -> None:
    with studio(folder) as served, served.window() as window:
        end = ended(window, "run.start", path="pendulum.xml", text=TEXT, until=0.5, parameters={"L": 800})
        assert end["run"]["changed"] == {"L": 0.8}
        _same(served, folder, end["run"]["id"])


def _same(served: Studio, folder: Path, which: str) -> None:
    kept = sistel.simulation.Run.load(folder / ".sistel" / "runs" / which / "run.npz")
    own = sistel.parse(TEXT).with_parameters(L=0.8).simulate(0.5)
    assert (kept.q == own.q).all()


def _lines(folder: Path) -> list[str]:
    """Whole lines of values, of the only sweep."""
    found = list((folder / ".sistel" / "runs").glob("*/values.jsonl"))
    return found[0].read_text(encoding="utf-8").splitlines() if found else []
