"""What goes where: closed outputs, full disks, pipes that break, Ctrl-C, terminals with and without colours."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import environment

ANSI = re.compile(rb"\x1b\[[0-9;]*m")


def in_shell(command: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    text = command.replace("sistel", f"{sys.executable} -m sistel")
    return subprocess.run(
        ["bash", "-c", text], cwd=cwd, env=environment(), capture_output=True, check=False, timeout=60
    )


def test_a_reader_that_leaves_early(files: Path):
    # A system large enough to fill the pipe after its reader has left.
    rows = "".join(f'<body name="b{i}" base="0" mass="1" com="1,0"/>' for i in range(2000))
    (files / "wide.xml").write_text(f"<system>{rows}</system>")
    done = in_shell("sistel show wide.xml --all | head -1; echo ${PIPESTATUS[0]}", files)
    assert done.stdout.decode() == "wide\n141\n"
    assert done.stderr == b""


@pytest.mark.parametrize(
    "call", ["show changing.xml", "--help", "schema", "show changing.xml --json", "check changing.xml"]
)
def test_closed_output(files: Path, call: str):
    done = in_shell(f"sistel {call} >&-", files)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: ") and b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("call", ["show changing.xml", "schema", "show changing.xml --json", "new empty -"])
def test_full_disk(files: Path, call: str):
    done = in_shell(f"sistel {call} > /dev/full", files)
    assert done.returncode == 1
    assert b"No space left" in done.stderr and b"Traceback" not in done.stderr


def test_closed_messages(files: Path):
    done = in_shell("sistel show broken.xml 2>&-", files)
    assert (done.returncode, done.stdout) == (1, b"")


def test_interruption_is_quiet(files: Path):
    process = subprocess.Popen(
        [sys.executable, "-m", "sistel", "show", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    time.sleep(1.0)  # it is waiting for its input by now
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_data_and_messages_keep_apart(process, files: Path):
    done = process("convert", "two.urdf", "-", cwd=files)
    assert done.stdout.startswith(b"<?xml") and done.returncode == 0
    assert b"carried over" in done.stderr or b"not the same" in done.stderr


def test_old_encodings_do_not_matter(process, files: Path):
    done = process(
        "show", "spatial.xml", "--lang", "ru", cwd=files, env=environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    )
    assert done.returncode == 0
    assert "колонна" in done.stdout.decode("utf-8")


def in_terminal(*words: str, cwd: Path, columns: int = 80, **more: str) -> bytes:
    """What a person sees: both streams on one terminal."""
    controller, terminal = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "sistel", *words],
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
        cwd=cwd,
        env=environment(**({"TERM": "xterm"} | more)),
    )
    os.close(terminal)
    seen = b""
    while select.select([controller], [], [], 30)[0]:
        try:
            data = os.read(controller, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    process.wait(timeout=30)
    os.close(controller)
    return seen


def test_terminals_get_colours_unless_asked_not_to(files: Path):
    coloured = in_terminal("show", "changing.xml", cwd=files)
    plain = in_terminal("show", "changing.xml", cwd=files, NO_COLOR="1")
    assert ANSI.search(coloured) and b"\x1b" not in plain
    assert ANSI.sub(b"", coloured) == plain
    assert b"\x1b" not in in_terminal("show", "changing.xml", cwd=files, TERM="dumb")


def test_diagnostics_have_colours_too(files: Path):
    seen = in_terminal("check", "broken.xml", cwd=files).decode()
    assert "\x1b[1m\x1b[31merror:\x1b[0m" in seen
    assert "\x1b[1mbroken.xml:2:" in seen
    assert "\x1b[36m  hint:\x1b[0m" in seen
    assert "\x1b[31m✗\x1b[0m" in seen
    assert "\x1b" not in in_terminal("check", "broken.xml", cwd=files, NO_COLOR="1").decode()


def test_the_width_is_the_terminal_s(files: Path, process):
    def widest(text: bytes) -> int:
        return max(map(len, ANSI.sub(b"", text).decode().replace("\r", "").split("\n")))

    assert widest(in_terminal("show", "changing.xml", cwd=files, columns=80)) <= 80
    assert 80 < widest(in_terminal("show", "changing.xml", cwd=files, columns=120)) <= 120
    assert 80 < widest(process("show", "changing.xml", cwd=files).stdout) <= 100
