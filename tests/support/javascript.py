"""Modules of pages in node: functions of theirs are called from tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest


def call_module(path: Path, script: str, arguments: Sequence[Any]) -> Any:
    """Run a script after a module, and give back what it returns.

    Args:
        path: The module, which imports nothing.
        script: The body of a function of `given`, the list of arguments.
        arguments: What JSON can hold.
    """
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    source = (
        path.read_text(encoding="utf-8")
        + f"\nconst result = ((given) => {{ {script} }})({json.dumps(arguments)});"
        + "\nprocess.stdout.write(JSON.stringify(result));\n"
    )
    done = subprocess.run(
        [node, "--input-type=module", "-"], input=source, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
