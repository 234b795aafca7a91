"""Calls about sweeps and maps: begun, and gone on with after an interruption or a kill."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from sistel.errors import Text, refuse
from sistel.studio.jobs import Job, SweepOrder, Varied
from sistel.studio.server._run_calls import model_of, progress_of, tell_end, values_of
from sistel.studio.service import number, table, text, whole
from sistel.studio.workspace import MODEL

if TYPE_CHECKING:
    from sistel.plain import JsonObject
    from sistel.studio.server._desk import Desk, Here

MOST_VALUES: Final = 10_000
"""Along an axis."""
MOST_RUNS: Final = 1_000_000
"""Of a sweep."""
OF: Final = ("last", "least", "greatest")
"""What is told of a quantity."""


async def start(desk: Desk, params: Mapping[str, object]) -> object:
    """Begin a sweep of a text along one parameter, or a map along two: `{job, id}`."""
    path, source = model_of(desk, params)
    varied = _varied(params)
    changed, tried = values_of(params)
    of = text(params, "of", "last")
    if of not in OF:
        refuse("bad-parameter", Text(f'"{of[:40]}" is told of nothing', f"«{of[:40]}» ни о чём не говорит"))
    until = None if params.get("until") is None else number(params, "until")
    quantity = (text(params, "quantity", "", most=1000) or "").strip()
    called = None if params.get("name") is None else text(params, "name", most=1000)
    described: JsonObject = {
        "kind": "sweep",
        "model": called or path.rpartition("/")[2].removesuffix(".xml"),
        "path": path,
        "changed": changed,
        "tried": tried,
        "until": until,
        "vary": [each.described() for each in varied],
        "quantity": quantity,
        "of": of,
        "made": time.time(),
        "runs": len(varied[0].values()) * (len(varied[1].values()) if len(varied) > 1 else 1),
        "done": 0,
        "state": "unfinished",
        "events": 0,
        "warnings": 0,
        "drift": None,
        "took": 0.0,
        "said": [],
    }
    _refuse_full(desk)
    made, draft = await asyncio.to_thread(desk.runs.begun)
    (draft / MODEL).write_text(source, encoding="utf-8")
    # It is there from the beginning: whatever ends the server, it can be gone on with.
    entry = await asyncio.to_thread(desk.runs.kept, made, draft, described, called)
    desk.tell("runs.changed", {}, "runs")
    return {"job": _begin(desk, entry, source), "id": made}


async def resume(desk: Desk, params: Mapping[str, object]) -> object:
    """Go on with a sweep that was interrupted or killed: `{job, id}`."""
    entry = await asyncio.to_thread(desk.runs.entry, text(params, "id"))
    if entry.get("kind") != "sweep" or entry.get("state") == "done":
        refuse("nothing-to-resume", Text("there is nothing to go on with", "продолжать нечего"))
    if any(getattr(job.order, "id", None) == entry["id"] for job in desk.jobs.all.values()):
        refuse("under-way", Text("it is under way already", "это уже вычисляется"))
    _refuse_full(desk)
    source = await asyncio.to_thread(desk.runs.place(entry["id"], MODEL).read_text, encoding="utf-8")
    return {"job": _begin(desk, entry, source), "id": entry["id"]}


def _begin(desk: Desk, entry: JsonObject, source: str) -> str:
    order = SweepOrder(
        id=entry["id"],
        path=entry["path"],
        text=source,
        until=entry["until"],
        changed=entry["changed"],
        tried=entry["tried"],
        vary=tuple(Varied(**each) for each in entry["vary"]),
        quantity=entry["quantity"],
        of=entry["of"],
        folder=str(desk.runs.place(entry["id"], "").resolve()),
    )
    said: JsonObject = {}
    refused: list[bool] = []

    def heard(job: Job, message: JsonObject) -> None:
        if "share" in message:
            desk.tell("job.progress", progress_of(job), f"progress {job.number}")
        if "kept" in message:
            said.update(message["kept"])
        if "failed" in message:
            refused.append(True)

    def ended(job: Job) -> None:
        now = None
        if refused and not said and not entry["done"]:  # the order was wrong: there is nothing to go on with
            desk.runs.remove(entry["id"])
            desk.tell("runs.changed", {}, "runs")
        elif desk.runs.has(entry["id"]):  # it may have been removed meanwhile
            took = float(entry.get("took") or 0.0) + job.took
            now = desk.runs.update(entry["id"], {**said, "took": took})
        tell_end(desk, job, now)

    job = Job(
        number=desk.jobs.new_number(),
        kind="sweep",
        name=entry["name"],
        key=(entry["path"], source),
        order=order,
        heard=heard,
        ended=ended,
        made=time.time(),
    )
    desk.jobs.start(job)
    return job.number


def _refuse_full(desk: Desk) -> None:
    if desk.jobs.full:
        refuse("too-many-jobs", Text("too many runs are waiting already", "слишком много расчётов уже ждёт"))


def _varied(params: Mapping[str, object]) -> list[Varied]:
    """What changes, and how."""
    given = params.get("vary")
    if not isinstance(given, list) or not 1 <= len(given) <= 2:
        refuse(
            "bad-parameter",
            Text('the parameter "vary" of this call is wrong', "параметр «vary» этого вызова неверен"),
            expected=Text("one or two things that change", "одно или два, что меняется"),
        )
    found = []
    for each in given:
        one = table({"vary": each}, "vary")
        count = whole(one, "count")
        if not 2 <= count <= MOST_VALUES:
            refuse(
                "bad-values",
                Text(f"{count} values cannot be gone through", f"{count} значений не перебрать"),
                expected=Text(f"2 to {MOST_VALUES}", f"от 2 до {MOST_VALUES}"),
            )
        found.append(
            Varied(
                name=text(one, "name", most=1000),
                begin=number(one, "from"),
                end=number(one, "to"),
                count=count,
                unit=text(one, "unit", "", most=40),
            )
        )
    if len({each.name for each in found}) < len(found):
        refuse("twice", Text("both change the same", "оба меняют одно и то же"))
    count = found[0].count * (found[1].count if len(found) > 1 else 1)
    if count > MOST_RUNS:
        refuse("too-many-runs", Text(f"{count} runs are too many", f"{count} расчётов — слишком много"))
    return found


METHODS: Final[Mapping[str, Here]] = {"sweep.start": start, "sweep.resume": resume}
