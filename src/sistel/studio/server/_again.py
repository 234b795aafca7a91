"""A server that was killed is there again under its old address: windows that are still open find it by themselves.

What it has written down is sealed with a key of the user's own: a folder that comes from elsewhere may bring such a
file too, with a token that somebody knows.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from sistel.kernels import user_cache

if TYPE_CHECKING:
    from sistel.plain import JsonObject

KEY: Final = "studio.key"
LONG: Final = 32
"""Bytes of the key."""


def sealed(said: JsonObject) -> JsonObject:
    """What a server writes down, with a seal where this user has a place for a key."""
    key = _key()
    return said if key is None else {**said, "seal": _seal(said, key)}


def before(said: JsonObject) -> tuple[str, int] | None:
    """Token and port of a server of this user that was killed; None where none was, or it still runs."""
    if not _is_own(said) or _lives(said["pid"]):
        return None
    parts = urlsplit(str(said.get("address")))
    token = parts.query.removeprefix("token=")
    return (token, parts.port) if token and parts.port else None


def running(said: JsonObject) -> str | None:
    """The address of a server of this user that runs and answers; None where none does."""
    return str(said["address"]) if _is_own(said) and _lives(said["pid"]) and answers(said) else None


def answers(said: JsonObject) -> bool:
    """Whether a studio of this machine is at an address, and knows its token."""
    parts = urlsplit(str(said.get("address", "")))
    if parts.scheme != "http" or parts.hostname != "127.0.0.1" or not parts.port or not said.get("cookie"):
        return False
    line = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=5.0)
    try:
        line.request("GET", parts.path, headers={"Cookie": f"{said['cookie']}={parts.query.partition('token=')[2]}"})
        return line.getresponse().status == 200
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        line.close()


def may_announce(said: JsonObject) -> bool:
    """Whether nobody who still runs has written down that he serves a folder."""
    pid = said.get("pid")
    return not isinstance(pid, int) or pid == os.getpid() or not _lives(pid) or not _is_own(said)


def _is_own(said: JsonObject) -> bool:
    """Whether a server of this user has written this down."""
    key = _key()
    seal, pid = said.get("seal"), said.get("pid")
    if key is None or not isinstance(seal, str) or not isinstance(pid, int):
        return False
    return hmac.compare_digest(seal, _seal({name: said[name] for name in said if name != "seal"}, key))


def _seal(said: JsonObject, key: bytes) -> str:
    return hmac.new(key, json.dumps(said, sort_keys=True).encode(), hashlib.sha256).hexdigest()


def _key() -> bytes | None:
    """The key of this user, made when it is first needed; None where nobody can keep one to himself."""
    if os.name != "posix":
        return None
    place = user_cache().parent / KEY
    with suppress(OSError):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(LONG))
        return _read(place)
    return None


def _read(place: Path) -> bytes | None:
    handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        if state.st_uid != os.getuid() or state.st_mode & 0o077:
            return None
        key = file.read(LONG)
    return key if len(key) == LONG else None


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return pid > 0
