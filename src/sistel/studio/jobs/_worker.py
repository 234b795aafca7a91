"""A process that does jobs, one after the other: what it compiled for one serves the next."""

from __future__ import annotations

import json
import os
import queue
import signal
import threading
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from sistel.studio.jobs._child import Start, begin, own_failure, trouble
from sistel.studio.jobs._live import Touch
from sistel.studio.jobs._orders import RunOrder, SweepOrder, WorkOrder

if TYPE_CHECKING:
    from sistel.studio.jobs._running import Shelf


class _Stops:
    """Interruptions, which reach the job that they are for and no other."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._open = False

    def ask(self) -> None:
        """Interrupt the job under way, as Ctrl-C does; called beside it."""
        import _thread

        with self._turn:
            if self._open:
                _thread.interrupt_main()

    def open(self) -> None:
        """From now on there is something to interrupt."""
        with self._turn:
            self._open = True

    def close(self) -> None:
        """From now on nothing is interrupted: what was computed is being kept, or there is no job."""
        with self._turn:
            self._open = False


def work(link: Connection, start: Start) -> None:
    """Do jobs as long as somebody orders them."""
    begin(start)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    orders: queue.SimpleQueue[RunOrder | SweepOrder | WorkOrder] = queue.SimpleQueue()
    touched: queue.SimpleQueue[Touch] = queue.SimpleQueue()
    stops = _Stops()

    def listen() -> None:
        while True:
            try:
                message = link.recv()
            except (EOFError, OSError):
                os._exit(1)  # the server is gone, and whoever wanted to know with it
            if message == "stop":
                stops.ask()
            elif isinstance(message, tuple):
                touched.put(message)
            else:
                orders.put(message)

    threading.Thread(target=listen, daemon=True).start()
    from sistel.studio.jobs._running import Shelf

    shelf = Shelf(touched)
    while True:
        with suppress(KeyboardInterrupt):
            order = orders.get()
            _do(order, shelf, link, stops)


def _do(order: RunOrder | SweepOrder | WorkOrder, shelf: Shelf, link: Connection, stops: _Stops) -> None:
    from sistel.studio.jobs._running import do_run
    from sistel.studio.jobs._sweeping import do_sweep
    from sistel.studio.jobs._working import do_work

    def say(message: Mapping[str, object]) -> None:
        if message.get("keeping"):
            stops.close()
        link.send_bytes(json.dumps(message, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace"))

    found: dict[str, object] = {}
    try:
        stops.open()
        if isinstance(order, SweepOrder):
            do_sweep(order, shelf, say)
        elif isinstance(order, WorkOrder):
            do_work(order, say)
        else:
            do_run(order, shelf, say)
        stops.close()
    except KeyboardInterrupt:
        found = {"interrupted": True}
    except MemoryError:
        found = own_failure("too-much-memory", "this takes more memory than a run may", _RU_MEMORY)
    except RecursionError:
        found = own_failure("too-deep", "this is nested too deep", "вложенность слишком велика")
    except OSError as problem:
        from sistel.files import reason_of

        said = reason_of(problem)
        found = own_failure("not-written", f"the run could not be kept: {said.en}", f"расчёт не сохранён: {said.ru}")
    except Exception as problem:
        found = trouble(problem)
    finally:
        with suppress(KeyboardInterrupt):
            stops.close()
    say({**found, "over": True})


_RU_MEMORY = "это занимает больше памяти, чем можно расчёту"
