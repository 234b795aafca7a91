"""What is asked about a text alone."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

from sistel.errors import Diagnostics, SistelError, Source
from sistel.studio.service import _params
from sistel.studio.service._calls import Method
from sistel.studio.service._told import told


def check(params: Mapping[str, object]) -> object:
    """What is wrong with a text, all of it, and how long it took [ms]."""
    from sistel.markup import read_any
    from sistel.model import Recipe

    path, given = _params.text(params, "path", "<text>"), _params.text(params, "text")
    begin = time.perf_counter()
    diagnostics = Diagnostics()
    try:
        document, _ = read_any(Source(path, given), diagnostics)
        diagnostics.raise_if_failed()
        assert document is not None
        found = Recipe(document, noted=tuple(diagnostics)).build(diagnostics=diagnostics).diagnostics
    except SistelError as problem:
        found = problem.diagnostics
    return {
        "diagnostics": [told(each, path) for each in found],
        "took": 1000.0 * (time.perf_counter() - begin),
    }


METHODS: Final[Mapping[str, Method]] = {"text.check": check}
