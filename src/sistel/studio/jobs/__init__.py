"""Work beside the server: processes that answer calls, and processes that do runs, with limits of time and memory."""

from sistel.studio.jobs._child import as_json, own_failure, trouble
from sistel.studio.jobs._lanes import Lane, Limits

__all__ = ["Lane", "Limits", "as_json", "own_failure", "trouble"]
