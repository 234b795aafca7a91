"""`sistel run` on a terminal of its own: a line of progress, and Ctrl-C."""

from __future__ import annotations

import os
import select
import sys
import time
from pathlib import Path

import pytest

from sistel.simulation import Run

from .conftest import environment

pty = pytest.importorskip("pty")

LONG = """\
<system name="spinner"><gravity value="0"/>
  <body name="a" joint="free" mass="1" inertia="1"/>
  <spring name="s" body="a" at="100,0" to="0" at-to="300,0" stiffness="1 kN/m" length="50"/>
  <start a="0,0,0" a.rate="1 m/s, 1 m/s, 50 rad/s"/>
</system>
"""


def on_terminal(words: list[str], stop_at: bytes | None, **others: str) -> tuple[int, str]:
    """Run a command on a terminal; press Ctrl-C when it has shown something."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(
            sys.executable, [sys.executable, "-m", "sistel", *words], environment(COLUMNS="100", TERM="xterm", **others)
        )
    said, pressed, end = b"", False, time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:  # the other side is closed
                break
            if not data:
                break
            said += data
        if stop_at is not None and not pressed and stop_at in said:
            os.write(terminal, b"\x03")
            pressed = True
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode()


def test_progress_and_interrupt(tmp_path: Path) -> None:
    (tmp_path / "long.xml").write_text(LONG, encoding="utf-8")
    kept, drawn = tmp_path / "part.npz", tmp_path / "part.svg"
    words = ["run", str(tmp_path / "long.xml"), "--until", "1e5", "--lang", "en", "-o", str(kept), "--plot", str(drawn)]
    status, said = on_terminal(words, b" %")
    assert status == 130
    progress, _, page = said.partition("spinner")
    assert "\r\x1b[K" in progress and "/ 100000 s  only" in progress and "\n" not in progress.replace("^C", "")
    # The line is gone before the page begins.
    assert progress.replace("\x1b[1m", "").endswith("\r\x1b[K")
    assert "interrupted at" in page and "part.npz" in page and "Traceback" not in said
    run = Run.load(kept)
    assert run.stopped is not None and 0.0 < run.end < 1e5
    assert drawn.read_text(encoding="utf-8").endswith("</svg>\n")


def test_short_runs_show_no_progress(tmp_path: Path) -> None:
    (tmp_path / "short.xml").write_text(LONG, encoding="utf-8")
    status, said = on_terminal(["run", str(tmp_path / "short.xml"), "--until", "0.01", "--lang", "en"], None)
    assert status == 0 and " %" not in said and "until 0.01 s" in said


def test_what_is_long_in_the_making_says_so(tmp_path: Path) -> None:
    """A model that no cache knows; the line goes as all of progress does, and nothing is said of it elsewhere."""
    bodies = "".join(f'<body base="{i}" joint="revolute" place="0.1 m, 0" mass="1" com="50, 0"/>' for i in range(60))
    (tmp_path / "chain.xml").write_text(f"<system name='{tmp_path.name}'>{bodies}</system>", encoding="utf-8")
    words = ["run", str(tmp_path / "chain.xml"), "--until", "0.001", "--lang", "ru"]
    cache = tmp_path / "cache"
    cache.mkdir()
    status, said = on_terminal(words, None, XDG_CACHE_HOME=str(cache))
    assert status == 0 and "\r\x1b[Kкомпиляция …" in said
    assert "компиляция" not in said[said.rindex("\r\x1b[K") :]
