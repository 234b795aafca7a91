"""Python beside the studio: a script or a notebook shows what it has in its windows."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from sistel.errors import SistelError, Text, refuse
from sistel.files import drafted, reason_of

if TYPE_CHECKING:
    from types import TracebackType

    from sistel.model import Model
    from sistel.plain import JsonObject
    from sistel.simulation import Run
    from sistel.studio.workspace import Folder
    from sistel.system import System

PATIENCE: Final = 60.0
"""How long a studio may take to begin, or to answer [s]."""


class Shown:
    """A studio that shows what it is given; usable from several threads, and as a context manager.

    Attributes:
        url: Its address, with the token that opens it.
        folder: Whose files it has.
    """

    def __init__(self, folder: Path, *, temporary: bool) -> None:
        """Use `show`."""
        from sistel.studio.workspace import Folder

        self.folder = folder
        self._own = Folder(folder)
        self._temporary = temporary
        self._turn = threading.RLock()
        self._closed = False
        self._last: str | None = None
        self._process, said = _found_or_begun(self._own)
        self.url = str(said["address"])
        self._cookie = f"{said['cookie']}={self.url.partition('token=')[2]}"
        atexit.register(self.close)

    def open(self) -> None:
        """Open it in a browser."""
        import webbrowser

        with suppress(webbrowser.Error):
            webbrowser.open(self.url)

    def update(self, what: System | Run | str | os.PathLike[str], name: str | None = None) -> None:
        """Show something else in all windows.

        Args:
            what: A system, a run, or the path of a file in the folder.
            name: What the run is called; one without a name takes the place of the last one without.

        Raises:
            SistelError: It cannot be shown, or the studio is closed.
        """
        with self._turn:
            if self._closed:
                refuse("studio-closed", Text("this studio is closed", "эта студия закрыта"))
            self._call("studio.show", self._order(what, name))

    def close(self) -> None:
        """End the studio, if it was begun here; files and runs of a folder that was given stay."""
        with self._turn:
            if self._closed:
                return
            self._closed = True
            atexit.unregister(self.close)
            if self._process is not None:
                self._process.terminate()
                try:
                    self._process.wait(10.0)
                except subprocess.TimeoutExpired:
                    self._process.kill()
                    self._process.wait()
            if self._temporary:
                shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Shown:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<studio of {self.folder}, {'closed' if self._closed else self.url}>"

    def _order(self, what: System | Run | str | os.PathLike[str], name: str | None) -> JsonObject:
        from sistel.simulation import Run
        from sistel.system import System

        if isinstance(what, Run):
            shown: JsonObject = {"run": self._kept(what, name)}
            if self._temporary:  # else the folder has its own files
                shown["path"] = self._written(what.model)
            return shown
        if isinstance(what, System):
            return {"path": self._written(what.model)}
        place = Path(what).resolve()
        if not place.is_relative_to(self._own.root) or not place.is_file():
            refuse(
                "leads-out",
                Text(f"{what} is no file of {self.folder}", f"{what} — не файл папки {self.folder}"),
                hint=Text("name its folder: show(…, folder=…)", "назовите его папку: show(…, folder=…)"),
            )
        return {"path": place.relative_to(self._own.root).as_posix()}

    def _written(self, model: Model) -> str:
        """The file of a model, which is written where the folder has none, or another text."""
        source = Path(model.span.source.path)
        changed = model.recipe is not None and bool(model.recipe.values)
        if not changed and source.is_file() and source.resolve().is_relative_to(self._own.root):
            return source.resolve().relative_to(self._own.root).as_posix()
        path = f"{_stem(model.name)}.xml"
        text = _text_of(model)
        place = self._own.place(path)
        if not place.is_file() or place.read_text(encoding="utf-8", errors="replace") != text:
            with drafted(place, durable=True) as draft:
                draft.write_text(text, encoding="utf-8")
        return path

    def _kept(self, run: Run, name: str | None) -> str:
        from sistel.studio.jobs import described_run
        from sistel.studio.workspace import ARCHIVE, MODEL, Runs

        runs = Runs(self._own)
        made, draft = runs.begun()
        try:
            run.save(draft / ARCHIVE)
            (draft / MODEL).write_text(_text_of(run.model), encoding="utf-8")
            recipe = run.model.recipe
            entry = described_run(
                run, path=f"{_stem(run.model.name)}.xml", changed=dict(recipe.values) if recipe else {}
            )
            runs.kept(made, draft, entry, name)
        except OSError as problem:
            runs.dropped(draft)
            said = reason_of(problem)
            refuse("not-written", Text(f"the run: {said.en}", f"расчёт: {said.ru}"))
        if name is None:
            before, self._last = self._last, made
            if before is not None:
                with suppress(SistelError):  # somebody removed it in a window
                    runs.remove(before)
        return made

    def _call(self, name: str, params: JsonObject) -> JsonObject:
        """Ask the server.

        Raises:
            SistelError: It has gone, or refuses.
        """
        from websockets.exceptions import WebSocketException
        from websockets.sync.client import connect
        from websockets.typing import Origin

        parts = urlsplit(self.url)
        try:
            with connect(
                f"ws://{parts.netloc}{parts.path}socket",
                origin=Origin(f"http://{parts.netloc}"),
                additional_headers={"Cookie": self._cookie},
                compression=None,
                max_size=None,
                open_timeout=PATIENCE,
                proxy=None,
            ) as link:
                link.send(json.dumps({"id": 1, "call": name, "with": params}))
                while True:
                    found: JsonObject = json.loads(link.recv(timeout=PATIENCE))
                    if found.get("id") == 1:
                        break
        except (OSError, WebSocketException, TimeoutError) as problem:
            refuse("studio-gone", Text(f"the studio does not answer ({problem})", f"студия не отвечает ({problem})"))
        if "failed" in found:
            said = found["failed"]["message"]
            refuse(found["failed"]["code"], Text(said["en"], said["ru"]))
        done: JsonObject = found["done"]
        return done


def show(
    what: System | Run | str | os.PathLike[str] | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    name: str | None = None,
    browser: bool = True,
) -> Shown:
    """Show a system, a run or a file in the studio: begins one, or takes the one that serves the folder already.

    It needs the extra: pip install "sistel[studio]".

    Args:
        what: A system, a run, or the path of a file; nothing shows the folder.
        folder: The folder of the studio; that of the file, else one that goes with the studio.
        name: What the run is called.
        browser: Whether a browser is opened.

    Returns:
        The studio: `.update(what)` shows something else in its windows, `.url`, `.close()`. It ends with the script.

    Raises:
        SistelError: It cannot be begun, or what it is to show cannot be shown.
    """
    from sistel.studio.server import check_installed

    check_installed()
    temporary = False
    if folder is None and isinstance(what, str | os.PathLike):
        place = Path(what).resolve()
        folder, what = (place, None) if place.is_dir() else (place.parent, what)
    if folder is None:
        folder, temporary = tempfile.mkdtemp(prefix="sistel-"), True
    made = Shown(Path(folder).resolve(), temporary=temporary)
    try:
        if what is not None:
            made.update(what, name)
    except BaseException:
        made.close()
        raise
    if browser:
        made.open()
    return made


def _found_or_begun(folder: Folder) -> tuple[subprocess.Popen[bytes] | None, JsonObject]:
    """The studio that serves a folder, with its process if it was begun here."""
    from sistel.studio.server import answers

    said = folder.served()
    if answers(said):
        return None, said
    words = [sys.executable, "-m", "sistel", "studio", str(folder.root), "--no-browser", "--json"]
    with tempfile.TemporaryFile() as said_there:
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=said_there, stdin=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while not (said.get("pid") == process.pid and answers(said)):
            if process.poll() == 0 and answers(said):
                return None, said  # somebody else began one at the same time
            if time.monotonic() > end or process.poll() is not None:
                process.kill()
                process.wait()
                said_there.seek(0)
                told = (said_there.read().decode("utf-8", "replace").strip().splitlines() or [""])[-1]
                refuse("no-studio", Text(f"the studio did not begin: {told}", f"студия не началась: {told}"))
            time.sleep(0.02)
            said = folder.served()
    return process, said


def _text_of(model: Model) -> str:
    """The text of a model: as its file has it, else as it would be written."""
    from sistel.markup import write_document

    recipe = model.recipe
    if recipe is not None and recipe.change is None and not recipe.moves:
        return write_document(recipe.document.root, recipe.document.lang)
    from sistel.model import to_document

    return write_document(to_document(model), "en")


def _stem(name: str) -> str:
    kept = "".join(each if each.isalnum() or each in "_-" else "_" for each in name).strip("_")
    return kept[:60] or "model"
