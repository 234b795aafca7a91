"""The studio: a place in the browser to write a system, to see it, to run it and to compare what it does.

`show` opens it from a script or a notebook, and shows there what the script has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home

if TYPE_CHECKING:
    from sistel.studio._showing import Shown, show

__getattr__ = names_at_home(__name__, dict.fromkeys(("Shown", "show"), "sistel.studio._showing"))

__all__ = ["Shown", "show"]
