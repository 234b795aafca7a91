"""Calls about the folder in the browser."""

from __future__ import annotations

import base64
import binascii
import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Final

from sistel._version import __version__
from sistel.errors import Language, Text, refuse
from sistel.files import drafted
from sistel.studio.service import flag, text
from sistel.studio.workspace import Files

Params = Mapping[str, object]


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
    """A file of any kind, from outside: `bytes` in base64; what is there already stays, under a name beside it."""
    path = text(params, "path")
    try:
        data = base64.b64decode(text(params, "bytes", most=64 * 2**20), validate=True)
    except binascii.Error:
        refuse("bad-bytes", Text("these are no bytes", "это не байты"))
    place, number = files.folder.place(path), 1
    stem, dot, suffix = path.rpartition(".")
    while place.exists() and place.read_bytes() != data:
        number += 1
        path = f"{stem}_{number}.{suffix}" if dot else f"{suffix}_{number}"
        place = files.folder.place(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    with drafted(place) as fresh:
        fresh.write_bytes(data)
    return {"path": path}


def export(files: Files, params: Params) -> object:
    """All files as one archive: `{bytes}` in base64."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for found in files.folder.listing().files:
            archive.write(files.folder.place(found.path), found.path)
    return {"bytes": base64.b64encode(made.getvalue()).decode("ascii")}


def templates(files: Files, params: Params) -> object:
    return [
        {"name": each.name, "title": _both(each.title), "about": _both(each.about), "text": each.text(_lang(params))}
        for each in files.samples.templates.values()
    ]


def gallery(files: Files, params: Params) -> object:
    return [
        {"name": each.name, "title": _both(each.title), "group": each.group, "picture": None}
        for each in files.samples.models.values()
    ]


def sample(files: Files, params: Params) -> object:
    return {"text": files.beginning(sample=text(params, "name"), lang=_lang(params))}


def _both(said: Text) -> dict[str, str]:
    return {"en": said.en, "ru": said.ru}


def _lang(params: Params) -> Language:
    return "ru" if params.get("lang") == "ru" else "en"


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
    "files.export": export,
    "files.templates": templates,
    "files.gallery": gallery,
    "files.sample": sample,
}
