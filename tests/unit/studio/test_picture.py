"""Pictures with handles: every handle of the gallery is dragged, and is found there when the file is read again."""

import math
import re
from pathlib import Path
from typing import Any

import pytest
from support.editing import after, ask, refused
from support.thorough import cases

from sistel import load
from sistel.studio.service import reply

MODELS = Path(__file__).resolve().parents[3] / "models"
GALLERY = sorted(MODELS.glob("*.xml"))
GRAIN = 0.8
"""What a pixel is [mm]."""
REASONS = {"given-by-formula", "not-closed", "no-attribute", "tried-elsewhere"}
"""Why a handle may stay."""


def moved(path: Path, text: str, handle: dict[str, Any], by: tuple[float, float], **more: Any) -> dict[str, Any]:
    to = [handle["at"][0] + by[0], handle["at"][1] + by[1]]
    return reply(
        "picture.move", {"path": str(path), "text": text, "handle": handle["id"], "to": to, "grain": GRAIN, **more}
    )


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_what_is_dragged_is_there_when_the_file_is_read_again(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    first = ask("picture.scheme", text, path=str(path))
    size = max(first["window"][2:])
    handles = [each for each in first["handles"] if not each.get("fixed")]
    for handle in handles[:: max(1, len(handles) // cases(5, len(handles) or 1))]:
        found = moved(path, text, handle, (0.011 * size, -0.007 * size))
        if "failed" in found:
            problem: Any = found["failed"]
            # What the file itself refuses names the place; all else is one of a few reasons.
            assert problem["code"] in REASONS or any(each["line"] for each in problem["diagnostics"]), (handle, problem)
            assert problem["message"]["en"] != problem["message"]["ru"]
            continue
        done: Any = found["done"]
        written = after(text, done)
        assert re.findall(r"<!--.*?-->", written, re.S) == re.findall(r"<!--.*?-->", text, re.S)
        again = ask("picture.scheme", written, path=str(path))
        there = next(each["at"] for each in again["handles"] if each["id"] == handle["id"])
        assert math.dist(there, done["at"]) < 1e-9 * size, handle
        assert again["svg"] == done["svg"]
        assert done["edits"] or done["notes"] or math.dist(there, handle["at"]) < 1e-9 * size
