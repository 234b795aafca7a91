"""What the studio asks about a text: plain functions, JSON in and JSON out, with no socket, no thread and no clock.

The server calls them for a browser, and a page without a server calls them by itself.
"""

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home
from sistel.studio.service._calls import THEMES, Failure, call, failure, replied, reply, work
from sistel.studio.service._made import RUN, data_of
from sistel.studio.service._params import flag, language, number, numbers, table, text, whole
from sistel.studio.service._told import both, told

if TYPE_CHECKING:
    from sistel.studio.service._asked import instant, parts, placed, span_of, told_value
    from sistel.studio.service._courses import Given
    from sistel.studio.service._parameters import in_si, tried_values

_ASKED = ("instant", "parts", "placed", "span_of", "told_value")
__getattr__ = names_at_home(
    __name__,
    {
        "Given": "sistel.studio.service._courses",
        **dict.fromkeys(("in_si", "tried_values"), "sistel.studio.service._parameters"),
        **dict.fromkeys(_ASKED, "sistel.studio.service._asked"),
    },
)

__all__ = [
    "RUN",
    "THEMES",
    "Failure",
    "Given",
    "both",
    "call",
    "data_of",
    "failure",
    "flag",
    "in_si",
    "instant",
    "language",
    "number",
    "numbers",
    "parts",
    "placed",
    "replied",
    "reply",
    "span_of",
    "table",
    "text",
    "told",
    "told_value",
    "tried_values",
    "whole",
    "work",
]
