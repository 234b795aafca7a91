"""Damaged files of every format on the whole way, from bytes to runs, archives and pages. `tools/fuzz --pipeline` runs more.

Each file is tried in a child process with limits of time and memory; a death, an exception that is no `SistelError`, a number
that is none, an error in one language or without its place: all of them are faults. See `support/fuzzing/`.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.thorough import cases

COUNT, SEED = cases(120, 500), cases(452, 1)
"""How many files, and which: of a hundred and twenty, those of this seed have all formats. More where `SISTEL_THOROUGH=1` asks."""
PROCESSOR = 60.0
"""What all of them may take [s of the processor]."""
KINDS = (
    *(
        "xsystel",
        "urdf",
        "mjcf",
        "srdf",
        "dh table",
        "dh xml",
        "screws",
        "motion",
        "cell",
        "process",
        "stl",
        "stl text",
    ),
    *("obj", "dae", "gltf", "glb", "networks", "run", "x3d", "part", "manifest"),
)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")
def test_damaged_files_of_every_format(root_dir: Path, tmp_path: Path) -> None:
    call = ["--pipeline", "--count", str(COUNT), "--seed", str(SEED), "--depth", "3", "--shrink", "0", "--json"]
    done = subprocess.run(
        [sys.executable, str(root_dir / "tools" / "fuzz"), *call],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONUTF8": "1"},
        timeout=1800,
        check=False,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    assert not report["faults"], json.dumps(report["faults"], indent=1, ensure_ascii=False)
    assert done.returncode == 0 and report["count"] == COUNT and report["deaths"] == 0
    assert report["processor"] < PROCESSOR
    # Enough of them must come far, and all formats must be there, or the damage is too heavy to test anything.
    came: dict[str, int] = {}
    for name, count in report["stages"].items():
        stage = name.partition(": ")[2]
        came[stage] = came.get(stage, 0) + count
    assert {name.partition(": ")[0] for name in report["stages"]} == set(KINDS)
    assert (
        came["write and read"] > 0.16 * COUNT
        and came["simulate"] > 0.03 * COUNT
        and came["reload"] > 0.03 * COUNT
        and came["page"] > 0.016 * COUNT
        and came["plan"] > 0
    ), came
    assert report["features"] > min(100, COUNT // 2)


def test_the_same_seed_gives_the_same_damage() -> None:
    from support.fuzzing import damage
    from support.fuzzing.specimens import SMALL, URDF

    files = [text.encode() for text in (*SMALL, URDF)]
    made = [
        [damage.damaged(files[i % 5], files, damage.xml, random.Random(f"7:{i}")) for i in range(200)] for _ in range(2)
    ]
    assert made[0] == made[1]
    assert len(set(made[0])) > 180
