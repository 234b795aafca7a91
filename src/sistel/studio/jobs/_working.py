"""A work of the service, in a process of its own: it tells how far it is, and its pages lie where pages are."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from sistel.errors import SistelError, Text
from sistel.studio.jobs._orders import WorkOrder

Say = Callable[[Mapping[str, object]], None]

OFTEN: Final = 0.1
"""Between two words about how far it is [s]."""
PAGES: Final = ("page", "sender")
"""What of a result is a page, which is put into the folder of pages and told by its name."""


def do_work(order: WorkOrder, say: Say) -> None:
    """Work, and tell what came of it."""
    from sistel.studio.jobs._drawing import kept_run
    from sistel.studio.service import RUN, failure, work
    from sistel.studio.workspace import write_page

    when, what = float("-inf"), ""

    def progress(share: float | None, note: Text | None) -> None:
        nonlocal when, what
        now, said = time.monotonic(), "" if note is None else note.en
        if said == what and now - when < OFTEN:
            return
        when, what = now, said
        say({"share": share, "note": None if note is None else {"en": note.en, "ru": note.ru}})

    params = {key: value for key, value in order.params.items() if key != RUN}
    try:
        if order.run is not None:
            params[RUN] = kept_run(order.run)
        found = work(order.name, params, progress)
    except SistelError as problem:
        path = params.get("path")
        say({"failed": failure(problem, path if isinstance(path, str) else None)})
        return
    if isinstance(found, dict):
        for key in PAGES:
            if isinstance(found.get(key), str):
                found[key] = write_page(Path(order.pages), found[key])
    say({"keeping": True})
    say({"kept": found})
