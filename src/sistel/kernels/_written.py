"""What was written of derived programs, for people or for pages, kept on disk: it takes half of the time of a page.

As in `_programs`, an entry belongs to a description of what was written and to the very source files that wrote it.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

from sistel.kernels._cache import USER, read_entry, write_entry
from sistel.kernels._sources import writing

if TYPE_CHECKING:
    from sistel.plain import Json


def recall_written(*what: object) -> Json:
    """What `keep_written` kept; None where there is nothing, or it is not whole.

    Args:
        what: Everything that it depends on.
    """
    stored = read_entry(USER, _key(what))
    if stored is not None:
        with suppress(ValueError, zlib.error):
            return json.loads(zlib.decompress(stored))
    return None


def keep_written(made: object, *what: object) -> Json:
    """Keep plain data for `recall_written`, and give them back as they will come from there."""
    text = json.dumps(made).encode()
    write_entry(USER, _key(what), zlib.compress(text))
    return json.loads(text)


def _key(what: tuple[object, ...]) -> str:
    return hashlib.sha256(repr(("written", writing(), *what)).encode("utf-8", "replace")).hexdigest()
