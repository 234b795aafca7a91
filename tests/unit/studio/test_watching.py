"""What others do to the folder is told at once; several runs are one page; scripts show what they have."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.studio import Studio, studio

GALLERY = Path(__file__).resolve().parents[3] / "models"
PENDULUM = (GALLERY / "pendulum.xml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Studio, Path]]:
    folder = tmp_path_factory.mktemp("models")
    with studio(folder) as found:
        yield found, folder


def test_changes_on_the_disk_are_told(served: tuple[Studio, Path]) -> None:
    found, folder = served
    file = folder / "a.xml"
    file.write_text(PENDULUM, encoding="utf-8")
    with found.window() as window:
        stamp = window.call("files.read", path="a.xml")["stamp"]
        begin = time.monotonic()
        file.write_text(PENDULUM + "\n", encoding="utf-8")
        told = window.wait_told("file.changed", 5.0, path="a.xml")
        assert told["stamp"] != stamp and time.monotonic() - begin < 2.0
        # Written anew with the same content: no news.
        file.write_text(PENDULUM + "\n", encoding="utf-8")
        (folder / "b.xml").write_text(PENDULUM, encoding="utf-8")
        window.wait_told("files.changed", 10.0)
        assert not [each for each in window.told if each["told"] == "file.changed"]
        file.unlink()
        window.wait_told("file.gone", 5.0, path="a.xml")


def test_what_one_window_saves_the_other_is_told(served: tuple[Studio, Path]) -> None:
    found, folder = served
    (folder / "c.xml").write_text(PENDULUM, encoding="utf-8")
    with found.window() as one, found.window() as two:
        stamp = one.call("files.read", path="c.xml")["stamp"]
        assert two.call("files.read", path="c.xml")["stamp"] == stamp
        saved = one.call("files.save", path="c.xml", text=PENDULUM + " ", stamp=stamp)["stamp"]
        # The answer came before the news: the window that saved knows that it is its own.
        assert two.wait_told("file.changed", 5.0, path="c.xml")["stamp"] == saved
        assert two.fails("files.save", path="c.xml", text="other", stamp=stamp)["code"] == "conflict"
        assert (folder / "c.xml").read_text(encoding="utf-8") == PENDULUM + " "


def test_several_runs_are_one_page_and_scripts_show_them(served: tuple[Studio, Path]) -> None:
    found, _ = served
    with found.window() as window:
        runs = []
        for length in (1.0, 0.5):
            job = window.call("run.start", path="p.xml", text=PENDULUM, until=0.5, parameters={"L": length})["job"]
            runs.append(window.wait_told("job.ended", 60.0, job=job)["run"])
        page = window.call("runs.page", id=runs[0]["id"], compare=[runs[1]["id"], runs[0]["id"]])
        assert page["title"] == f"{runs[0]['name']} · {runs[1]['name']}"
        assert found.get(f"/{page['url']}")[0] == 200
        assert window.fails("runs.page", id=runs[0]["id"], compare=["nobody"])["code"] == "no-run"
        assert window.fails("runs.page", id=runs[0]["id"], compare=7)["code"] == "bad-parameter"
        with found.window() as other:
            other.call("hello")
            assert window.call("studio.show", run=runs[1]["id"]) == {"windows": 1}
            assert other.wait_told("shown")["run"] == runs[1]["id"]
            assert other.call("hello")["shown"]["run"] == runs[1]["id"]
