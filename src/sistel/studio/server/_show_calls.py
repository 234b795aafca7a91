"""What scripts beside the studio ask: that its windows show something."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from sistel.studio.service import text
from sistel.studio.workspace import check_name

if TYPE_CHECKING:
    from sistel.studio.server._desk import Desk, Here


async def show(desk: Desk, params: Mapping[str, object]) -> object:
    """Show a run that is kept, or a file, in all windows and in those that open later: `{windows}`."""
    shown: dict[str, object] = {}
    if params.get("run") is not None:
        entry = await asyncio.to_thread(desk.runs.entry, text(params, "run"))
        shown |= {"run": entry["id"], "title": entry["name"]}
    if params.get("path") is not None:
        path = check_name(text(params, "path"))
        await asyncio.to_thread(desk.files.folder.place, path)
        shown |= {"path": path, "title": shown.get("title", path)}
    desk.shown = shown or None
    if shown:
        desk.tell("shown", shown, "shown")
    return {"windows": len(desk.windows) - 1}


METHODS: Final[Mapping[str, Here]] = {"studio.show": show}
