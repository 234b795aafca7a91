"""Imported once by the process that others are forked from."""

import sistel.studio.jobs._child
import sistel.studio.service._text
import sistel.system  # noqa: F401
from sistel.studio.jobs._preloaded import freeze

freeze()
