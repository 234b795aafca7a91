"""Work beside the server: processes that answer calls, and processes that do runs, with limits of time and memory."""

from sistel.studio.jobs._child import DRAWING, SIGNALS, as_json, own_failure, trouble
from sistel.studio.jobs._jobs import Job, Jobs
from sistel.studio.jobs._lanes import Lane, Limits
from sistel.studio.jobs._orders import RunOrder

__all__ = ["DRAWING", "SIGNALS", "Job", "Jobs", "Lane", "Limits", "RunOrder", "as_json", "own_failure", "trouble"]
