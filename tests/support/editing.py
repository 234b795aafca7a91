"""Calls of the studio about a text, and the text after what they change."""

from __future__ import annotations

from typing import Any

from sistel.studio.service import reply


def ask(method: str, text: str, **more: object) -> Any:
    """What a call gives."""
    answer = reply(method, {"path": "a.xml", "text": text, **more})
    assert "done" in answer, answer
    return answer["done"]


def refused(method: str, text: str, **more: object) -> dict[str, Any]:
    """Why a call has no answer, in both languages."""
    answer = reply(method, {"path": "a.xml", "text": text, **more})
    failed = answer.get("failed")
    assert isinstance(failed, dict), answer
    assert failed["message"]["en"] and failed["message"]["ru"] and failed["message"]["en"] != failed["message"]["ru"]
    return failed


def after(text: str, done: Any) -> str:
    """The text after the changes, whose places count UTF-16 units."""
    units = text.encode("utf-16-le")
    for each in sorted(done["edits"], key=lambda one: -one["from"]):
        units = units[: 2 * each["from"]] + each["insert"].encode("utf-16-le") + units[2 * each["to"] :]
    return units.decode("utf-16-le")
