"""What answers calls: those about the folder here, all others in processes beside the server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from sistel.errors import SistelError
from sistel.studio.jobs import DRAWING, SIGNALS, Jobs, Lane, Limits, as_json, trouble
from sistel.studio.server import _curve_calls, _file_calls, _run_calls, _show_calls, _sweep_calls, _work_calls
from sistel.studio.server._pages import OWN_PAGES
from sistel.studio.server._watching import Watch
from sistel.studio.service import failure
from sistel.studio.workspace import Files, Pages, Runs, check_name

if TYPE_CHECKING:
    from sistel.studio.server._socket import Call, Connection

Here = Callable[["Desk", Mapping[str, object]], Awaitable[object]]

_QUICK: Final = ("text",)
_SEEN: Final = ("picture", "tree", "structures", "scheme", "parameters")


class Desk:
    """Everything that the windows of one folder share."""

    def __init__(self, files: Files, limits: Limits) -> None:
        """Of the files of a folder."""
        self.files = files
        self.limits = limits
        self.windows: set[Connection] = set()
        self.opened: str | None = None
        """The file that the studio was started with."""
        self.shown: Mapping[str, object] | None = None
        """What a script showed last, for windows that open later."""
        self.watch = Watch(self)
        where = str(files.folder.root)
        self.lanes = {name: Lane(name, where, limits) for name in ("text", "picture", "slow")}
        self.drawing = Lane("drawing", where, limits, DRAWING)
        self.signals = Lane("signals", where, limits, SIGNALS)
        self.jobs = Jobs(where, limits)
        self.runs = Runs(files.folder)
        self.pages = Pages(files.folder)
        self.drawn: dict[str, str] = {}
        """Pages of runs, by their names."""
        self.coming: dict[str, asyncio.Future[None]] = {}
        """Runs whose pages are being drawn."""
        self.finishing: set[asyncio.Task[None]] = set()
        """Works whose files are being put into the folder."""
        self.methods: dict[str, Here] = {
            **_file_calls.METHODS,
            **_run_calls.METHODS,
            **_show_calls.METHODS,
            **_sweep_calls.METHODS,
            **_work_calls.METHODS,
            **_curve_calls.METHODS,
        }
        files.tidy()
        self.runs.tidy()
        self.pages.tidy()

    @property
    def title(self) -> str:
        """Of the window."""
        return f"{self.files.folder.root.name} · sistel"

    async def answer(self, call: Call) -> bytes:
        """The answer to a call: `done` or `failed`, as JSON."""
        method = self.methods.get(call.name)
        try:
            if method is not None:
                call.begin()
                return as_json({"done": await method(self, call.params)})
            for key in ("path", "file"):
                path = call.params.get(key)
                if isinstance(path, str) and path:
                    check_name(path)  # texts that name others read them from the folder of this one
                    await asyncio.to_thread(self.files.folder.place, path)
            async with self.lane_of(call.name).turn() as lane:
                call.begin()
                return await lane.ask(call.name, call.params)
        except _run_calls.Refused as problem:
            return as_json({"failed": problem.failed})
        except SistelError as problem:
            return as_json({"failed": failure(problem)})
        except asyncio.CancelledError:
            raise
        except Exception as problem:
            return as_json(trouble(problem))

    def lane_of(self, name: str) -> Lane:
        """Which process answers a call."""
        theme = name.partition(".")[0]
        return self.lanes["text" if theme in _QUICK else "picture" if theme in _SEEN else "slow"]

    async def page(self, path: str) -> Response | None:
        """A page of a run, or of a model."""
        data = await asyncio.to_thread(self.pages.read, path)
        if data is None:
            return None
        return Response(data, 200, {"Content-Security-Policy": OWN_PAGES}, "text/html")

    def tell(self, kind: str, params: Mapping[str, object], key: str | None = None) -> None:
        """Tell all windows."""
        for window in self.windows:
            window.tell(kind, params, key)

    async def close(self, why: str) -> None:
        """Say goodbye, and end the processes."""
        await asyncio.gather(*(window.say_goodbye(why) for window in tuple(self.windows)), return_exceptions=True)
        self.jobs.close()
        for lane in (*self.lanes.values(), self.drawing, self.signals):
            lane.close()
