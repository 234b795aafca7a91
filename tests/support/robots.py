"""The URDF files of the packages example-robot-data and rtb-data."""

from __future__ import annotations

import sysconfig
from pathlib import Path

SITE = Path(sysconfig.get_path("purelib"))
FOLDERS = (SITE / "cmeel.prefix" / "share" / "example-robot-data" / "robots", SITE / "rtbdata")


def robot_files(suffix: str = ".urdf") -> list[Path]:
    """All files with a suffix, sorted; empty where the packages are not installed."""
    return [path for folder in FOLDERS for path in sorted(folder.rglob(f"*{suffix}"))]
