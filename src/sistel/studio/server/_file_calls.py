"""Calls about the folder."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from sistel._version import __version__
from sistel.studio.service import both, flag, language, text

if TYPE_CHECKING:
    from sistel.studio.server._desk import Desk, Here


async def hello(desk: Desk, params: Mapping[str, object]) -> object:
    """What a window needs to begin."""
    listing = await asyncio.to_thread(desk.files.listed)
    return {
        "version": __version__,
        "folder": desk.files.folder.root.name,
        "files": listing["files"],
        "left_out": listing["left_out"],
        "cut": listing["cut"],
        "recent": desk.files.recent,
        "open": desk.opened,
        "shown": desk.shown,
        "examples": [
            {"name": each.name, "title": both(each.title), "group": each.group}
            for each in desk.files.samples.models.values()
        ],
        "python": True,
    }


async def list_files(desk: Desk, params: Mapping[str, object]) -> object:
    return await asyncio.to_thread(desk.files.listed)


async def read(desk: Desk, params: Mapping[str, object]) -> object:
    path = text(params, "path")
    async with desk.watch.turn:
        found = await asyncio.to_thread(desk.files.read, path)
        desk.watch.seen(path, str(found["stamp"]))
    return found


async def save(desk: Desk, params: Mapping[str, object]) -> object:
    path, stamp = text(params, "path"), text(params, "stamp", "") or None
    async with desk.watch.turn:
        found = await asyncio.to_thread(desk.files.save, path, text(params, "text"), stamp, flag(params, "force"))
        desk.watch.seen(path, str(found["stamp"]))
    # After the answer: the window that saved knows it then, and the others read it.
    now = {"path": path, "stamp": found["stamp"]}
    asyncio.get_running_loop().call_soon(desk.tell, "file.changed", now, f"changed {path}")
    return found


async def draft(desk: Desk, params: Mapping[str, object]) -> object:
    given = None if params.get("text") is None else text(params, "text")
    await asyncio.to_thread(desk.files.draft, text(params, "path"), given, text(params, "stamp", "") or None)
    return {}


async def create(desk: Desk, params: Mapping[str, object]) -> object:
    path = text(params, "path")
    if params.get("text") is None and (params.get("template") is not None or params.get("sample") is not None):
        lang = language(params)
        template = None if params.get("template") is None else text(params, "template")
        sample = None if template is not None else text(params, "sample")
        given = await asyncio.to_thread(lambda: desk.files.beginning(template=template, sample=sample, lang=lang))
    else:
        given = text(params, "text", "")
    found = await asyncio.to_thread(desk.files.create, path, given)
    desk.tell("files.changed", {}, "files")
    return found


async def rename(desk: Desk, params: Mapping[str, object]) -> object:
    path = text(params, "path")
    async with desk.watch.turn:
        found = await asyncio.to_thread(desk.files.rename, path, text(params, "to"))
        desk.watch.forget(path)
    _gone(desk, path)
    return found


async def remove(desk: Desk, params: Mapping[str, object]) -> object:
    path = text(params, "path")
    async with desk.watch.turn:
        found = await asyncio.to_thread(desk.files.remove, path)
        desk.watch.forget(path)
    _gone(desk, path)
    return found


def _gone(desk: Desk, path: str) -> None:
    """Tell the windows that a name leads nowhere any more."""
    desk.tell("file.gone", {"path": path}, f"gone {path}")
    desk.tell("files.changed", {}, "files")


async def templates(desk: Desk, params: Mapping[str, object]) -> object:
    lang = language(params)
    return await asyncio.to_thread(
        lambda: [
            {"name": each.name, "title": both(each.title), "about": both(each.about), "text": each.text(lang)}
            for each in desk.files.samples.templates.values()
        ]
    )


async def gallery(desk: Desk, params: Mapping[str, object]) -> object:
    return [
        {"name": each.name, "title": both(each.title), "group": each.group, "picture": None}
        for each in desk.files.samples.models.values()
    ]


async def sample(desk: Desk, params: Mapping[str, object]) -> object:
    lang = language(params)
    name = text(params, "name")
    return {"text": await asyncio.to_thread(lambda: desk.files.beginning(sample=name, lang=lang))}


METHODS: Final[Mapping[str, Here]] = {
    "hello": hello,
    "files.list": list_files,
    "files.read": read,
    "files.save": save,
    "files.draft": draft,
    "files.create": create,
    "files.rename": rename,
    "files.remove": remove,
    "files.templates": templates,
    "files.gallery": gallery,
    "files.sample": sample,
}
