"""Systems that move by themselves, as they do in a page: jobs for ``drive.js``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sistel
from sistel.views.live import LiveKit, live_kit

Steps = Sequence[Sequence[Any]]
Job = dict[str, Any]
Drive = Callable[[Sequence[Job]], list[list[Any]]]


def kit_of(system: sistel.System) -> LiveKit:
    """With live parameters, as pages have them."""
    return live_kit(system.model)


def job(system: sistel.System, steps: Steps, **options: Any) -> Job:
    """What to do with a system, one thing after another; see ``drive.js``."""
    kit = kit_of(system)
    return {"source": kit.source, "table": kit.table, "steps": list(steps), "options": options}
