"""Files that works make, as plain data: whoever called puts them where files are."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from sistel.records import record

RUN = "held run"
"""The run that a call is about: whoever keeps runs puts it among the parameters, and no window can."""


@record
class Made:
    """A file that a work has made."""

    name: str
    data: str | bytes

    def told(self) -> dict[str, str]:
        """`{name, text}`, or `{name, base64}` where it is no text."""
        if isinstance(self.data, str):
            return {"name": self.name, "text": self.data}
        return {"name": self.name, "base64": base64.b64encode(self.data).decode("ascii")}


def data_of(made: Mapping[str, object]) -> bytes:
    """The bytes of a file as `told` gives it."""
    text = made.get("text")
    if isinstance(text, str):
        return text.encode("utf-8")
    return base64.b64decode(str(made["base64"]))
