"""Calls about runs, their pages, and jobs under way."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sistel.errors import Diagnostic, SistelError, Text, refuse
from sistel.files import drafted
from sistel.studio.jobs import SWEEP_TABLE, Job, Lane, RunOrder
from sistel.studio.service import flag, language, number, table, text
from sistel.studio.workspace import MODEL, check_name

if TYPE_CHECKING:
    from sistel.plain import JsonObject
    from sistel.studio.server._desk import Desk, Here

LATE: Final = 60.0
"""How long a page that is being drawn is waited for [s]."""


async def start_run(desk: Desk, params: Mapping[str, object]) -> object:
    """Begin a run of a text: `{job}`; what becomes of it is told."""
    path, source = model_of(desk, params)
    changed, tried = values_of(params)
    until = None if params.get("until") is None else number(params, "until")
    called = None if params.get("name") is None else text(params, "name", most=1000)
    if desk.jobs.full:
        refuse("too-many-jobs", Text("too many runs are waiting already", "слишком много расчётов уже ждёт"))
    inputs, record = await asyncio.to_thread(_inputs, desk, params)
    made, draft = await asyncio.to_thread(desk.runs.begun)
    order = RunOrder(
        path=path,
        text=source,
        until=until,
        changed=changed,
        tried=tried,
        draft=str(draft),
        pages=str(desk.pages.place),
        lang=language(params),
        memory=min(2**31, int(0.6 * desk.limits.memory)),
        stop=text(params, "stop", "", most=10_000).strip(),
        live=flag(params, "live"),
        watched=_watched(params),
        inputs=inputs,
        record=record,
    )
    found: JsonObject = {}

    def heard(job: Job, message: JsonObject) -> None:
        if "live" in message:
            desk.tell("run.live", {"job": job.number, **message["live"]}, f"live {job.number}")
        if "share" in message:
            desk.tell("job.progress", progress_of(job), f"progress {job.number}")
        if "kept" in message:
            found["run"] = desk.runs.kept(made, draft, message["kept"], called)
            desk.coming[made] = asyncio.get_running_loop().create_future()
        if message.get("page"):
            desk.drawn[made] = message["page"]
            desk.pages.made(message["page"])
        if "page" in message or message.get("over"):
            _arrived(desk, made)

    def ended(job: Job) -> None:
        run = found.get("run")
        if run is None:
            desk.runs.dropped(draft)
        tell_end(desk, job, run)

    job = Job(
        number=desk.jobs.new_number(),
        kind="live" if order.live else "run",
        name=called or path.rpartition("/")[2],
        key=(path, source),
        order=order,
        heard=heard,
        ended=ended,
        made=time.time(),
    )
    desk.jobs.start(job)
    return {"job": job.number}


def _inputs(desk: Desk, params: Mapping[str, object]) -> tuple[dict[str, str], tuple[str, str]]:
    """What inputs are given: lines by their names; and a table of the folder, its name and what stands in it."""
    given, path = table(params, "inputs"), text(params, "table", "")
    lines = {name: text(given, name, most=100_000) for name in given}
    if not path and not any(each.strip() for each in lines.values()):
        return {}, ("", "")
    if flag(params, "live"):
        refuse(
            "bad-parameter",
            Text(
                "a motion that keeps pace with the clock takes its inputs from the operator's console",
                "движение по часам берёт вводы с пульта оператора",
            ),
        )
    if not path:
        return lines, ("", "")
    try:
        return lines, (path, desk.files.content(check_name(path)).decode("utf-8"))
    except UnicodeDecodeError:
        refuse("bad-input", Text(f"{path} is no table: it is not UTF-8", f"{path} — не таблица: это не UTF-8"))


def tell_end(desk: Desk, job: Job, run: JsonObject | None, result: object = None) -> None:
    """Tell all windows how a job ended."""
    stopped = bool(run and any(each["code"] == "stopped" for each in run["said"]))
    if run is not None:
        desk.tell("runs.changed", {}, "runs")
    desk.tell(
        "job.ended",
        {
            "job": job.number,
            "kind": job.kind,
            "name": job.name if run is None else run["name"],
            "run": run,
            "result": result,
            "failed": job.failed,
            "interrupted": job.interrupted or stopped,
            "took": job.took,
        },
    )


def progress_of(job: Job) -> dict[str, object]:
    return {"job": job.number, "share": job.share, "note": job.note}


def _arrived(desk: Desk, made: str) -> None:
    """A page is there, or will not come: whoever waits goes on."""
    coming = desk.coming.pop(made, None)
    if coming is not None and not coming.done():
        coming.set_result(None)


def model_of(desk: Desk, params: Mapping[str, object]) -> tuple[str, str]:
    """Path and text of a call."""
    path = check_name(text(params, "path"))
    desk.files.folder.place(path)
    return path, text(params, "text")


def values_of(params: Mapping[str, object]) -> tuple[dict[str, float | str], dict[str, float]]:
    """Values of parameters that are not those of the text.

    Returns:
        `changed`: numbers in SI, or texts with units; and `parameters`: numbers in the units of their authors.
    """
    given, tried = table(params, "changed"), table(params, "parameters")
    changed = {
        name: text(given, name, most=1000) if isinstance(given[name], str) else number(given, name) for name in given
    }
    return changed, {name: number(tried, name) for name in tried}


async def interrupt(desk: Desk, params: Mapping[str, object]) -> object:
    """End a job with what it has until now; one that is over already is no mistake.

    A motion that keeps pace with the clock ends where it is, and its run is made; then it can be interrupted again.
    """
    job = desk.jobs.all.get(text(params, "job"))
    if job is not None and job.kind == "live" and not job.ending and job.begun is not None:
        job.ending = desk.jobs.touch(job.number, "", 0.0)
        if job.ending:
            return {"interrupted": True}
    return {"interrupted": desk.jobs.interrupt(text(params, "job"))}


async def touch(desk: Desk, params: Mapping[str, object]) -> object:
    """An operator gives an input of a motion under way another value [SI]: `{done}`."""
    value = params.get("value")
    given = float(value) if isinstance(value, bool) else number(params, "value")
    return {"done": desk.jobs.touch(text(params, "job"), text(params, "input", most=1000), given)}


def _watched(params: Mapping[str, object]) -> tuple[str, ...]:
    """Signals that a window wants to see while a motion is under way."""
    found = params.get("watched")
    if found is None:
        return ()
    if not isinstance(found, list) or len(found) > 400:
        refuse("bad-parameter", Text('"watched" is a list of signals', "«watched» — список сигналов"))
    return tuple(text({"watched": each}, "watched", most=1000) for each in found)


async def jobs(desk: Desk, params: Mapping[str, object]) -> object:
    """What is under way, and what waits."""
    return [job.told() for job in desk.jobs.all.values()]


async def runs(desk: Desk, params: Mapping[str, object]) -> object:
    """The runs of the folder, the last one first."""
    return await asyncio.to_thread(desk.runs.listed)


async def rename(desk: Desk, params: Mapping[str, object]) -> object:
    found = await asyncio.to_thread(desk.runs.rename, text(params, "id"), text(params, "name", most=1000))
    desk.tell("runs.changed", {}, "runs")
    return found


async def remove(desk: Desk, params: Mapping[str, object]) -> object:
    which = text(params, "id")
    await asyncio.to_thread(desk.runs.remove, which)
    desk.drawn.pop(which, None)
    desk.tell("runs.changed", {}, "runs")
    return {}


async def page_of_model(desk: Desk, params: Mapping[str, object]) -> object:
    """The page of a text, or of a run: `{url}`."""
    if params.get("run") is not None:
        return await page_of_run(desk, {**params, "id": params["run"]})
    path, source = model_of(desk, params)
    changed, tried = values_of(params)
    asked = {"path": path, "text": source, "changed": changed, "tried": tried, **_how(desk, params)}
    done = await asked_of(desk.drawing, "model", asked)
    return {"url": desk.pages.made(done["page"]), "title": done["title"]}


async def page_of_run(desk: Desk, params: Mapping[str, object]) -> object:
    """The page of a run that is kept: `{url}`."""
    which = text(params, "id")
    entry = await asyncio.to_thread(desk.runs.entry, which)
    others = compared(params, which)
    if others:
        return await _page_of_several(desk, params, entry, others)
    coming = desk.coming.get(which)
    if coming is not None:
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(coming), LATE)
    name = desk.drawn.get(which)
    if name is None or not desk.pages.has(name):
        kept = {"run": kept_place(desk, entry), "path": entry["path"]}
        kind = "sweep" if entry.get("kind") == "sweep" else "run"
        name = (await asked_of(desk.drawing, kind, {**kept, **_how(desk, params)}))["page"]
        if kind == "run":  # a sweep under way has another page later
            desk.drawn[which] = name
    return {"url": desk.pages.made(name), "title": entry["name"]}


def compared(params: Mapping[str, object], which: str) -> list[str]:
    """The runs that are to be shown over one: of `compare`, a name or a list of them."""
    given = params.get("compare")
    found = [given] if isinstance(given, str) else ([] if given is None else given)
    if not isinstance(found, list) or len(found) > 16:
        refuse(
            "bad-parameter",
            Text('the parameter "compare" of this call is wrong', "параметр «compare» этого вызова неверен"),
            expected=Text("names of runs", "имена расчётов"),
        )
    return [name for name in dict.fromkeys(text({"compare": each}, "compare") for each in found) if name != which]


async def _page_of_several(desk: Desk, params: Mapping[str, object], entry: JsonObject, others: list[str]) -> object:
    entries = [entry, *[await asyncio.to_thread(desk.runs.entry, each) for each in others]]
    key = "+".join(f"{each['id']} {each['name']}" for each in entries)  # names are in the page
    name = desk.drawn.get(key)
    if name is None or not desk.pages.has(name):
        asked = {"runs": [{**kept_place(desk, each), "name": each["name"]} for each in entries], "path": entry["path"]}
        name = (await asked_of(desk.drawing, "several", {**asked, **_how(desk, params)}))["page"]
        desk.drawn[key] = name
    return {"url": desk.pages.made(name), "title": " · ".join(str(each["name"]) for each in entries)}


async def save_run(desk: Desk, params: Mapping[str, object]) -> object:
    """Write a run to a file of the folder, by its suffix: `{path}`."""
    entry = await asyncio.to_thread(desk.runs.entry, text(params, "id"))
    path = text(params, "path")
    target = desk.files.folder.place(path)
    if target.exists():
        refuse("file-exists", Text(f"{path} is there already", f"{path} уже есть"))
    target.parent.mkdir(parents=True, exist_ok=True)
    if entry.get("kind") == "sweep":
        await asyncio.to_thread(_save_sweep, desk, entry["id"], target)
        desk.tell("files.changed", {}, "files")
        return {"path": path}
    asked = {"run": kept_place(desk, entry), "path": entry["path"], "target": str(target), **_how(desk, params)}
    await asked_of(desk.drawing, "save", asked)
    desk.tell("files.changed", {}, "files")
    return {"path": path}


def _save_sweep(desk: Desk, which: str, target: Path) -> None:
    """Write the table of a sweep to a file.

    Raises:
        SistelError: It has none yet, or the file is no table.
    """
    if target.suffix != ".csv":
        refuse(
            "unknown-format",
            Text(f'"{target.suffix}" is no format of a sweep', f"«{target.suffix}» — не формат перебора"),
            expected=Text(".csv", ".csv"),
        )
    try:
        data = desk.runs.place(which, SWEEP_TABLE).read_bytes()
    except OSError:
        refuse("no-file", Text("it has no table yet", "таблицы ещё нет"), hint=Text("go on with it", "продолжите его"))
    with drafted(target) as draft:
        draft.write_bytes(data)


def kept_place(desk: Desk, entry: JsonObject) -> dict[str, object]:
    """Where a run lies, for the processes that read it."""
    which = entry["id"]
    return {
        "archive": str(desk.runs.place(which)),
        "model": str(desk.runs.place(which, MODEL)),
        "path": entry["path"],
        "changed": entry.get("changed") or {},
    }


def _how(desk: Desk, params: Mapping[str, object]) -> dict[str, object]:
    return {"pages": str(desk.pages.place), "lang": language(params)}


async def asked_of(lane: Lane, name: str, params: Mapping[str, object]) -> JsonObject:
    """What a process beside the server gives, when it is its turn.

    Raises:
        SistelError: It cannot.
    """
    async with lane.turn():
        found = json.loads(await lane.ask(name, params))
    if "failed" in found:
        raise Refused(found["failed"])
    done: JsonObject = found["done"]
    return done


class Refused(SistelError):
    """What another process said of why it cannot, as the window is told of it."""

    def __init__(self, failed: JsonObject) -> None:
        """With its failure as it came."""
        said = failed["message"]
        super().__init__([Diagnostic(failed["code"], "error", Text(said["en"], said["ru"]))])
        self.failed = failed


METHODS: Final[Mapping[str, Here]] = {
    "run.start": start_run,
    "run.interrupt": interrupt,
    "run.touch": touch,
    "jobs.list": jobs,
    "jobs.cancel": interrupt,
    "runs.list": runs,
    "runs.rename": rename,
    "runs.remove": remove,
    "runs.page": page_of_run,
    "runs.save": save_run,
    "page.make": page_of_model,
}
