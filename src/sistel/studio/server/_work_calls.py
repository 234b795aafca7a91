"""Calls about works: they are done beside the server, and what they make becomes files and pages of the folder."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError, Text, refuse
from sistel.studio.jobs import Job, WorkOrder, failure_of, trouble
from sistel.studio.server._run_calls import kept_place, tell_end
from sistel.studio.service import data_of, failure, table, text
from sistel.studio.workspace import check_name

if TYPE_CHECKING:
    from sistel.plain import JsonObject
    from sistel.studio.server._desk import Desk, Here

PAGES: Final = ("page", "sender")
"""What of a result is a page."""
NAMES: Final = ("path", "drives", "table", "answers")
"""Parameters that name files of the folder."""


async def start(desk: Desk, params: Mapping[str, object]) -> object:
    """Begin a work: `{job}`; its result comes with `job.ended`. Files that it makes are put into the folder `into`."""
    name, asked = text(params, "do", most=60), table(params, "with")
    for key in NAMES:
        if isinstance(asked.get(key), str) and asked[key]:
            desk.files.folder.place(check_name(text(asked, key)))
    into = text(params, "into", "")
    if into:
        desk.files.folder.place(check_name(into))
    if desk.jobs.full:
        refuse("too-many-jobs", Text("too many jobs are waiting already", "слишком много работ уже ждёт"))
    run = None
    if asked.get("run"):
        run = kept_place(desk, await asyncio.to_thread(desk.runs.entry, text(asked, "run")))
    found: dict[str, JsonObject] = {}

    def heard(job: Job, message: JsonObject) -> None:
        if "share" in message:
            told = {"job": job.number, "share": job.share, "note": job.note}
            desk.tell("job.progress", told, f"progress {job.number}")
        if "kept" in message:
            found["result"] = message["kept"]

    def ended(job: Job) -> None:
        task = asyncio.ensure_future(_finish(desk, job, found.get("result"), into))
        desk.finishing.add(task)
        task.add_done_callback(desk.finishing.discard)

    path = asked.get("path")
    job = Job(
        number=desk.jobs.new_number(),
        kind=name,
        name=path.rpartition("/")[2] if isinstance(path, str) else name,
        key=(path, asked.get("text")),
        order=WorkOrder(name=name, params=asked, run=run, pages=str(desk.pages.place)),
        heard=heard,
        ended=ended,
        made=time.time(),
    )
    desk.jobs.start(job)
    return {"job": job.number}


async def _finish(desk: Desk, job: Job, result: JsonObject | None, into: str) -> None:
    """Put files where they belong, and tell the windows."""
    try:
        if isinstance(result, dict):
            for key in PAGES:
                if result.get(key):
                    result[key] = desk.pages.made(result[key])
            if result.get("files"):
                result["files"] = await asyncio.to_thread(_put, desk, result["files"], into)
                desk.tell("files.changed", {}, "files")
    except SistelError as problem:
        job.failed = {**failure(problem)}
    except Exception as problem:  # told, as failures of works themselves are
        job.failed = failure_of(trouble(problem))
    tell_end(desk, job, None, result)


def _put(desk: Desk, files: list[JsonObject], into: str) -> list[dict[str, object]]:
    made: list[dict[str, object]] = []
    for each in files:
        data = data_of(each)
        path = desk.files.put(f"{into}/{each['name']}" if into else each["name"], data)
        made.append({"path": path, "size": len(data)})
    return made


async def bytes_of(desk: Desk, params: Mapping[str, object]) -> object:
    """What stands in a file of the folder: `{name, base64}`."""
    path = text(params, "path")
    data = await asyncio.to_thread(desk.files.content, path)
    return {"name": path.rpartition("/")[2], "base64": base64.b64encode(data).decode("ascii")}


async def put(desk: Desk, params: Mapping[str, object]) -> object:
    """A new file of the folder, under this name or, where that is taken, with a number: `{path}`."""
    made = await asyncio.to_thread(desk.files.put, text(params, "path"), text(params, "text").encode("utf-8"))
    desk.tell("files.changed", {}, "files")
    return {"path": made}


METHODS: Final[Mapping[str, Here]] = {"work.start": start, "files.bytes": bytes_of, "files.put": put}
