"""Where the tests find robots: the packages example-robot-data and rtb-data, and the gallery."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import Any

import pytest

SITE = Path(sysconfig.get_path("purelib"))
FOLDERS = (SITE / "cmeel.prefix" / "share" / "example-robot-data" / "robots", SITE / "rtbdata")


def robot_files(suffix: str = ".urdf") -> list[Path]:
    """All files with a suffix, sorted; empty where the packages are not installed."""
    return [path for folder in FOLDERS for path in sorted(folder.rglob(f"*{suffix}"))]


def gallery_sampled() -> list[Any]:
    """The systems of the gallery as parameters of a test, of which coverage measures every fifth.

    Coverage doubles the time, and learns nothing from most of them that the others have not shown.
    """
    return [
        pytest.param(path, id=path.stem, marks=() if number % 5 == 0 else pytest.mark.no_cover)
        for number, path in enumerate(gallery_files())
    ]


def gallery_files() -> list[Path]:
    """The systems of the gallery."""
    return sorted((Path(__file__).resolve().parents[2] / "models").glob("*.xml"))
