"""Work beside the server: processes that answer calls, and processes that do runs, with limits of time and memory."""

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home
from sistel.studio.jobs._child import DRAWING, SIGNALS, as_json, own_failure, trouble
from sistel.studio.jobs._jobs import Job, Jobs, failure_of
from sistel.studio.jobs._lanes import Lane, Limits
from sistel.studio.jobs._orders import SWEEP_TABLE, RunOrder, SweepOrder, Varied, WorkOrder

if TYPE_CHECKING:
    from sistel.studio.jobs._running import described_run

__getattr__ = names_at_home(__name__, {"described_run": "sistel.studio.jobs._running"})

__all__ = [
    "DRAWING",
    "SIGNALS",
    "SWEEP_TABLE",
    "Job",
    "Jobs",
    "Lane",
    "Limits",
    "RunOrder",
    "SweepOrder",
    "Varied",
    "WorkOrder",
    "as_json",
    "described_run",
    "failure_of",
    "own_failure",
    "trouble",
]
