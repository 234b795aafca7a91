"""A process that does runs for a cluster: ``python -m sistel.ensembles._worker ADDRESS HOST``.

`sistel cluster` starts some. Importing this imports sistel, so that the first chunk need not. One line on standard
output says that it is ready; when standard input ends, whoever started it has gone, and it goes too.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import warnings
from contextlib import suppress
from typing import Any

from sistel.ensembles._dask import dask, quiet

JOINING = 30.0
"""How long it looks for the scheduler [s]."""
LOST = 3
"""Exit status: the scheduler is not there, or not any more."""


def main(words: list[str]) -> int:
    """Work until the scheduler goes."""
    address, host = words
    threading.Thread(target=_watch, name="parent", daemon=True).start()
    engine = dask()
    with quiet(), warnings.catch_warnings(), suppress(OSError):
        warnings.simplefilter("ignore")
        asyncio.run(_work(engine, address, host))
    return LOST


def _watch() -> None:
    """End with the process that has started this one, even if that was killed."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(0)


async def _work(engine: Any, address: str, host: str) -> None:
    worker = engine.Worker(
        address,
        nthreads=1,
        host=host,
        protocol=address.partition("://")[0] + "://",
        dashboard_address=f"{host}:0",
        death_timeout=JOINING,
    )
    async with worker:
        print("ready", flush=True)
        await worker.finished()


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))  # threads of Dask, and one that reads, need not be waited for
