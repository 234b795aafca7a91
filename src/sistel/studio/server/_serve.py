"""Starting the server, and ending it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError, Text, refuse
from sistel.files import reason_of
from sistel.records import record
from sistel.studio.jobs import Limits
from sistel.studio.workspace import Files, Folder, Samples

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from sistel.studio.server._desk import Desk

HOST: Final = "127.0.0.1"
LARGEST: Final = 32 * 2**20
"""Of a message [bytes]."""
AGAIN: Final = 2.0
"""Between two looks at who has written down that he serves the folder [s]."""
NEEDED: Final = ("starlette", "uvicorn", "websockets")


@record
class Options:
    """How the studio is started."""

    folder: str
    opened: str | None = None
    """A file of the folder to begin with."""
    port: int = 0
    """0 for any that is free."""
    base: str = "/"
    """Path of its address."""
    origin: str = ""
    """Of a reverse proxy before it."""
    samples: Samples = Samples()
    limits: Limits = Limits()


def check_installed() -> None:
    """Whether what the server stands on is there.

    Raises:
        SistelError: The extra "studio" is not installed.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        listed = ", ".join(missing)
        refuse(
            "missing-package",
            Text(f"the studio needs {listed}, which is not installed", f"студии нужны пакеты: {listed}; их нет"),
            hint=Text('pip install "sistel[studio]"', 'pip install "sistel[studio]"'),
        )


def serve(
    options: Options, ready: Callable[[str], None] | None = None, there: Callable[[str], None] | None = None
) -> None:
    """Serve a folder until Ctrl-C.

    Args:
        options: How.
        ready: Called with the address as soon as it answers.
        there: Called instead with the address of a studio of this user that serves the folder already, where none of
            its own is asked for: two would not tell their windows what the other one runs.

    Raises:
        SistelError: The folder is not there, the port is in use, or the extra "studio" is not installed.
    """
    check_installed()
    folder = Folder(options.folder)
    from sistel.studio.server._again import before, running

    if there is not None and not (options.port or options.origin or options.base != "/"):
        known = running(folder.served())
        if known is not None:
            there(known)
            return
    token, listening = None, None
    killed = before(folder.served())
    if killed is not None and options.port in (0, killed[1]):
        with contextlib.suppress(SistelError):  # somebody else has the port by now
            token, listening = killed[0], _listen(killed[1])
    with contextlib.closing(listening or _listen(options.port)) as found:
        asyncio.run(_serve(options, folder, found, token if listening else None, ready))


async def _serve(
    options: Options,
    folder: Folder,
    listening: socket.socket,
    token: str | None,
    ready: Callable[[str], None] | None,
) -> None:
    from sistel.studio.server._again import may_announce, sealed
    from sistel.studio.server._app import make_app
    from sistel.studio.server._desk import Desk
    from sistel.studio.server._gate import Gate, new_token

    port = listening.getsockname()[1]
    gate = Gate(token or new_token(), port, options.base, options.origin)
    desk = Desk(Files(folder, options.samples), options.limits)
    desk.opened = options.opened
    address = f"{options.origin or f'http://{HOST}:{port}'}{options.base}?token={gate.token}"
    here = f"http://{HOST}:{port}{options.base}?token={gate.token}"

    said = sealed({"address": here, "cookie": gate.cookie, "pid": os.getpid()})

    def announce() -> None:
        found = folder.served()
        if found != said and may_announce(found):
            folder.announce(said)

    async def stay_announced() -> None:
        """The first of several servers of a folder is written down; when it has ended, another takes its place."""
        while True:
            await asyncio.sleep(AGAIN)
            announce()

    def begun() -> None:
        announce()
        if ready is not None:
            ready(address)

    staying = asyncio.create_task(stay_announced())
    try:
        await _until_stopped(make_app(gate, desk), desk, listening, begun)
    finally:
        staying.cancel()
        folder.withdraw(os.getpid())


async def _until_stopped(app: Starlette, desk: Desk, listening: socket.socket, ready: Callable[[], None]) -> None:
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        lifespan="off",
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=64 * 1024,
    )

    class Server(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield  # its own handlers would raise the signal once more at the end

    server = Server(config)
    stop = asyncio.Event()
    with _stopping(stop):
        running = asyncio.create_task(server.serve([listening]))
        while not server.started and not running.done():
            await asyncio.sleep(0.01)
        if not running.done():
            ready()
        ended = asyncio.create_task(stop.wait())
        watching = asyncio.create_task(desk.watch.go_on())
        await asyncio.wait({running, ended}, return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        watching.cancel()
        await desk.close("stopped")
        server.should_exit = True
        await running


@contextlib.contextmanager
def _stopping(stop: asyncio.Event) -> Iterator[None]:
    """Ctrl-C and the end of the session end the server in order."""
    loop = asyncio.get_running_loop()
    known = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {}
    for number in known:
        before[number] = signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _listen(port: int) -> socket.socket:
    """A socket of this machine alone.

    Raises:
        SistelError: The port is in use, or not allowed.
    """
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            made.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HOST, port))
        made.listen(64)
        made.setblocking(False)
    except OSError as problem:
        made.close()
        said = reason_of(problem)
        busy = problem.errno == errno.EADDRINUSE
        refuse(
            "port-in-use" if busy else "no-port",
            Text(f"port {port}: {said.en}", f"порт {port}: {said.ru}"),
            hint=Text(
                "another studio may run there; without --port any free one is taken",
                "возможно, там уже работает студия; без --port берётся любой свободный",
            )
            if busy
            else None,
        )
    return made
