"""Systems that move in node, as they do in a page."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.javascript import module_text
from support.live import Drive, Job


@pytest.fixture(scope="session")
def drive(tmp_path_factory: pytest.TempPathFactory) -> Drive:
    """Does jobs in one process of node; what came of every step of each."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    folder = tmp_path_factory.mktemp("live")
    script = folder / "page.mjs"
    harness = Path(__file__).with_name("drive.js").read_text(encoding="utf-8")
    script.write_text(module_text("live/live.ts", "live/swings.ts") + "\n" + harness, encoding="utf-8")

    def done(jobs: Sequence[Job]) -> list[list[Any]]:
        (folder / "jobs.json").write_text(json.dumps(list(jobs)), encoding="utf-8")
        found = subprocess.run(
            [node, str(script), str(folder / "jobs.json")], capture_output=True, text=True, timeout=120, check=False
        )
        assert found.returncode == 0, found.stderr[-2000:]
        made: list[list[Any]] = json.loads(found.stdout)
        return made

    return done
