"""Dask distributed, which carries chunks to other machines: an optional package, asked for when it is needed."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from sistel.errors import Text, refuse

PORT = 8786
"""Where schedulers of Dask listen unless told otherwise."""
_ADDRESS = re.compile(r"(?:[a-z]+://)?(?:\[[0-9a-fA-F:.%]+\]|[^\s:/\[\]]+):[0-9]{1,5}")
_LOUD = ("distributed", "distributed.client", "distributed.gc", "tornado", "tornado.application", "asyncio")
"""Loggers that Dask speaks through."""


def dask() -> Any:
    """The package.

    Raises:
        SistelError: It is not installed.
    """
    try:
        return import_module("distributed")
    except ImportError:
        refuse(
            "no-dask",
            Text("clusters need the package distributed", "для кластеров нужен пакет distributed"),
            hint=Text("pip install 'sistel[cluster]'", "pip install 'sistel[cluster]'"),
        )


def whole_address(address: str) -> str:
    """An address with its protocol.

    Raises:
        SistelError: It is none.
    """
    found = address.strip()
    if not _ADDRESS.fullmatch(found):
        refuse(
            "bad-address",
            Text(f'"{address}" is no address of a cluster', f"«{address}» — не адрес кластера"),
            expected=Text(
                f"protocol, machine and port: tcp://192.168.0.5:{PORT}",
                f"протокол, машина и порт: tcp://192.168.0.5:{PORT}",
            ),
            hint=Text("`sistel cluster` prints it when it starts", "его печатает при запуске `sistel cluster`"),
        )
    return found if "://" in found else f"tcp://{found}"


@contextmanager
def quiet() -> Iterator[None]:
    """Let Dask write nothing: what has happened is said by us, in the user's language and without tracebacks."""
    loggers = [logging.getLogger(name) for name in _LOUD]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


async def find_scheduler(engine: Any, address: str, within: float, role: str) -> None:
    """See whether a scheduler is at an address.

    Args:
        engine: Dask.
        address: With its protocol.
        within: How long it may take to answer [s].
        role: Whose certificates to show where the connection is encrypted: those of a "client" or of a "worker".

    Raises:
        OSError: Nobody is, or somebody who says nothing in time.
        ValueError: Something else is.
    """
    import asyncio  # which takes longer than all the rest here

    async def ask() -> object:
        certified = engine.Security().get_connection_args(role)
        async with engine.rpc(address, timeout=within, connection_args=certified) as found:
            return (await found.identity())["type"]

    kind = await asyncio.wait_for(ask(), within)
    if kind != "Scheduler":
        raise ValueError(kind)
