"""Python beside the studio: what a script has is shown in windows that are open, and in those that open later."""

import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.studio import Studio, Window
from websockets.sync.client import connect

import sistel
from sistel.errors import SistelError
from sistel.studio import Shown, show

MODELS = Path(__file__).resolve().parents[3] / "models"


def window(shown: Shown) -> Window:
    parts = urlsplit(shown.url)
    served = Studio.__new__(Studio)
    served.port, served.cookie = parts.port or 0, ""
    _, headers, _ = served.get(f"{parts.path}?{parts.query}", cookie=None)
    return Window(
        connect(
            f"ws://{parts.netloc}{parts.path}socket",
            origin=f"http://{parts.netloc}",
            additional_headers={"Cookie": headers["set-cookie"].partition(";")[0]},
            compression=None,
        )
    )


def test_runs_are_shown_as_they_come(tmp_path: Path) -> None:
    system = sistel.load(MODELS / "pendulum.xml")
    with show(system.simulate(0.5), browser=False) as shown:
        folder = shown.folder
        assert (folder / "pendulum.xml").is_file()
        with window(shown) as seen:
            first = seen.call("hello")["shown"]  # a window that opens later has it too
            assert first["path"] == "pendulum.xml"
            other = system.with_parameters(L=0.5).simulate(0.5)
            threads = [threading.Thread(target=shown.update, args=(other, name)) for name in (None, "kept")]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            told = {seen.wait_told("shown")["run"] for _ in threads}
            listed = {each["id"]: each for each in seen.call("runs.list")}
            # The one without a name took the place of the first, which had none either.
            assert set(listed) == told and first["run"] not in listed
            assert {each["changed"]["L"] for each in listed.values()} == {0.5}
            for which in told:
                kept = sistel.simulation.Run.load(folder / ".sistel" / "runs" / which / "run.npz")
                assert (kept.q == other.q).all()
                assert seen.call("runs.page", id=which)["url"]
        with pytest.raises(SistelError, match="no file of"):
            shown.update(MODELS / "pendulum.xml")
        # A second one on the same folder is the same studio, and leaves it running.
        again = show(folder=folder, browser=False)
        again.close()
        shown.update(system)
    assert not folder.exists()
    with pytest.raises(SistelError, match="closed"):
        shown.update(system)


def test_a_file_is_shown_in_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "arm.xml"
    file.write_bytes((MODELS / "pendulum.xml").read_bytes())
    with show(file, browser=False) as shown, window(shown) as seen:
        assert shown.folder == tmp_path and seen.call("hello")["shown"]["path"] == "arm.xml"
    assert file.is_file() and not (tmp_path / ".sistel" / "server.json").exists()
