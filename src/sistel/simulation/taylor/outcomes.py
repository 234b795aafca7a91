"""Why compiled steps end, as compiled code reads it; `Outcome` says it in words."""

from __future__ import annotations

from typing import Final

from sistel.simulation._outcome import Outcome

END: Final = int(Outcome.END)
STEPS_FULL: Final = int(Outcome.STEPS_FULL)
EVENTS_FULL: Final = int(Outcome.EVENTS_FULL)
LOST: Final = int(Outcome.LOST)
STOPPED: Final = int(Outcome.STOPPED)
SMALL: Final = int(Outcome.SMALL)
UNKNOWN: Final = int(Outcome.UNKNOWN)
CHATTERS: Final = int(Outcome.CHATTERS)
NO_PASSAGE: Final = int(Outcome.NO_PASSAGE)
NEW_PASSAGE: Final = int(Outcome.NEW_PASSAGE)
NARROWING: Final = int(Outcome.NARROWING)
SLIDES: Final = int(Outcome.SLIDES)
EVENT: Final = int(Outcome.EVENT)
LONG: Final = int(Outcome.LONG)
CALM: Final = int(Outcome.CALM)
ASKED: Final = int(Outcome.ASKED)
NO_NUMBER: Final = int(Outcome.NO_NUMBER)
