"""Completion scripts, in the shells themselves where they are installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from sistel.cli._commands import COMMANDS
from sistel.errors import Language

NAMES = [command.name for command in COMMANDS]


def in_bash(script: str, *words: str, cwd: Path) -> list[str]:
    """What bash would offer for the last of the words."""
    quoted = " ".join(f"'{word}'" for word in words)
    code = f"""
{script}
COMP_WORDS=({quoted}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=()
_sistel
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(
        ["bash", "--norc", "-c", code], cwd=cwd, capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sistel", ""], NAMES),
        (["sistel", "sh"], ["show"]),
        (["sistel", "--l"], ["--lang"]),
        (["sistel", "--lang", ""], ["ru", "en"]),
        (["sistel", "--lang", "=", "r"], ["ru"]),
        (["sistel", "--lang", "ru", "ch"], ["check"]),
        (["sistel", "show", "cha"], ["changing.xml"]),
        (["sistel", "show", "changing.xml", ""], []),
        (["sistel", "show", "--g"], ["--graph"]),
        (["sistel", "show", "--base", ""], ["free", "fixed"]),
        (["sistel", "show", "--structure", ""], []),
        (["sistel", "--lang", "=", "ru", "new", "emp"], ["empty"]),
        (["sistel", "new", "empty", "odd"], ["odd name.xml"]),
        (["sistel", "convert", "changing.xml", "sp"], ["spatial.xml"]),
        (["sistel", "convert", "--to", "u"], ["urdf"]),
        (["sistel", "completion", "z"], ["zsh"]),
        (
            ["sistel", "schema", "--"],
            ["--xsd", "--reference", "--completions", "--json", "--lang", "--debug", "--help", "--version"],
        ),
    ],
)
def test_bash(run, files: Path, words: list[str], offered: list[str]):
    (files / "odd name.xml").touch()
    assert in_bash(run("completion", "bash").out, *words, cwd=files) == offered


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_syntax(run, files: Path, shell: str, lang: Language):
    script = run("completion", shell, "--lang", lang).out
    assert all(name in script for name in NAMES)
    assert run("completion", shell, "--lang", lang, "--json").data == {"shell": shell, "script": script}
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    (files / "script").write_text(script, encoding="utf-8")
    done = subprocess.run([shell, "-n", "script"], cwd=files, capture_output=True, check=False, timeout=30)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish here")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("sistel ", NAMES),
        ("sistel new emp", ["empty"]),
        ("sistel show --ba", ["--base"]),
        ("sistel show --base f", ["free", "fixed"]),
        ("sistel show cha", ["changing.xml"]),
        ("sistel models ", []),
    ],
)
def test_fish(run, files: Path, line: str, offered: list[str]):
    (files / "script").write_text(run("completion", "fish").out, encoding="utf-8")
    code = f'source script; complete -C "{line}"'
    done = subprocess.run(
        ["fish", "--no-config", "-c", code], cwd=files, capture_output=True, text=True, check=True, timeout=30
    )
    assert sorted(row.split("\t")[0] for row in done.stdout.splitlines()) == sorted(offered)
