"""Calls about the folder in the browser."""

from __future__ import annotations

import base64
import io
import time
import zipfile
from collections.abc import Callable, Mapping
from itertools import count
from typing import Final

from sistel._version import __version__
from sistel.errors import SistelError, Text, refuse
from sistel.studio.service import both, data_of, failure, flag, language, table, text, work
from sistel.studio.workspace import Files

Params = Mapping[str, object]
HINT: Final = Text(
    'install it where Python is, pip install "sistel[studio]", and start: sistel studio; '
    "the share link opens this model there",
    "установите её там, где есть Python: pip install «sistel[studio]», и запустите: sistel studio; "
    "ссылка «Поделиться» откроет эту модель там",
)
_numbers = count(1)


def hello(files: Files, params: Params) -> object:
    """What a window needs to begin."""
    return {
        "version": __version__,
        "folder": files.folder.root.name,
        **files.listed(),
        "recent": files.recent,
        "open": None,
        "alone": True,
    }


def save(files: Files, params: Params) -> object:
    return files.save(
        text(params, "path"), text(params, "text"), text(params, "stamp", "") or None, flag(params, "force")
    )


def draft(files: Files, params: Params) -> object:
    typed = None if params.get("text") is None else text(params, "text")
    files.draft(text(params, "path"), typed, text(params, "stamp", "") or None)
    return {}


def create(files: Files, params: Params) -> object:
    return files.create(text(params, "path"), text(params, "text", ""))


def put(files: Files, params: Params) -> object:
    """A new file with these bytes, under this name or, where that is taken, with a number: `{path}`."""
    return {"path": files.put(text(params, "path"), data_of(params))}


def bytes_of(files: Files, params: Params) -> object:
    """What stands in a file: `{name, base64}`."""
    path = text(params, "path")
    data = base64.b64encode(files.content(path)).decode("ascii")
    return {"name": path.rpartition("/")[2], "base64": data}


def start_work(files: Files, params: Params) -> object:
    """Do a work of the service at once: `{job, end}`; files that it makes are put into the folder `into`."""
    name, asked, into = text(params, "do", most=60), table(params, "with"), text(params, "into", "")
    if asked.get("run"):
        refuse("needs-server", Text("there are no runs without a server", "без сервера расчётов нет"), hint=HINT)
    begin, path = time.perf_counter(), asked.get("path")
    end: dict[str, object] = {
        "job": f"w{next(_numbers)}",
        "kind": name,
        "name": path if isinstance(path, str) else name,
    }
    try:
        result = work(name, asked)
        made = result.get("files") if isinstance(result, dict) else None
        if isinstance(result, dict) and isinstance(made, list):
            result["files"] = [_put(files, each, into) for each in made if isinstance(each, dict)]
        end["result"] = result
    except SistelError as problem:
        end["failed"] = failure(problem)
    return {"job": end["job"], "end": {**end, "run": None, "took": time.perf_counter() - begin}}


def _put(files: Files, made: Mapping[str, object], into: str) -> dict[str, object]:
    data, name = data_of(made), text(made, "name")
    return {"path": files.put(f"{into}/{name}" if into else name, data), "size": len(data)}


def export(files: Files, params: Params) -> object:
    """All files as one archive: `{bytes}` in base64."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for found in files.folder.listing().files:
            archive.write(files.folder.place(found.path), found.path)
    return {"bytes": base64.b64encode(made.getvalue()).decode("ascii")}


def templates(files: Files, params: Params) -> object:
    return [
        {"name": each.name, "title": both(each.title), "about": both(each.about), "text": each.text(language(params))}
        for each in files.samples.templates.values()
    ]


def gallery(files: Files, params: Params) -> object:
    return [
        {"name": each.name, "title": both(each.title), "group": each.group, "picture": None}
        for each in files.samples.models.values()
    ]


def sample(files: Files, params: Params) -> object:
    return {"text": files.beginning(sample=text(params, "name"), lang=language(params))}


METHODS: Final[Mapping[str, Callable[[Files, Params], object]]] = {
    "hello": hello,
    "files.list": lambda files, params: files.listed(),
    "files.read": lambda files, params: files.read(text(params, "path")),
    "files.save": save,
    "files.draft": draft,
    "files.create": create,
    "files.rename": lambda files, params: files.rename(text(params, "path"), text(params, "to")),
    "files.remove": lambda files, params: files.remove(text(params, "path")),
    "files.put": put,
    "files.bytes": bytes_of,
    "files.export": export,
    "work.start": start_work,
    "files.templates": templates,
    "files.gallery": gallery,
    "files.sample": sample,
}
