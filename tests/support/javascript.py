"""Modules of pages in node: functions of theirs are called from tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

WEB = Path(__file__).resolve().parents[2] / "web"
SOURCES = WEB / "src"


def sources() -> dict[str, str]:
    """The texts of all modules by their names in web/src; tests that stand beside them are in no page."""
    return {
        path.relative_to(SOURCES).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(SOURCES.rglob("*.ts"))
        if not path.name.endswith(".test.ts")
    }


@cache
def module_text(*names: str) -> str:
    """Modules of web/src and all that they import as one, in JavaScript; their exports keep their names."""
    node, esbuild = shutil.which("node"), WEB / "node_modules" / "esbuild" / "bin" / "esbuild"
    if node is None or not esbuild.is_file():
        pytest.skip("node, or what tools/assets fetches, is not installed")
    whole = "".join(f'export * from "./{name.removesuffix(".ts")}";\n' for name in names)
    done = subprocess.run(
        [node, str(esbuild), "--bundle", "--format=esm", "--target=es2022", "--loader=ts", "--log-level=warning"],
        input=whole,
        cwd=SOURCES,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_node(source: str, *arguments: str) -> str:
    """What a module prints."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [node, "--input-type=module", "-", *arguments],
        input=source,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def call_module(name: str, script: str, arguments: Any) -> Any:
    """Run a script after a module, and give back what it returns.

    Args:
        name: The module in web/src.
        script: The body of a function of `given`, the arguments.
        arguments: What JSON can hold.
    """
    source = (
        module_text(name)
        + f"\nconst result = ((given) => {{ {script} }})({json.dumps(arguments)});"
        + "\nprocess.stdout.write(JSON.stringify(result));\n"
    )
    return json.loads(run_node(source))
