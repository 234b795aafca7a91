"""The Python of the studio, asked for the first time in a process: by one thread, and by two at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CALLS: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("text.check", "tasks/reach.xml", {}),
    ("text.check", "mf4/mission.xml", {}),
    ("text.complete", "walker.xml", {"at": 400}),
    ("text.complete-line", "four_bar.xml", {"line": "angle(", "at": 6}),
    ("text.outline", "walker.xml", {}),
    ("parameters.list", "walker.xml", {}),
    ("picture.scheme", "four_bar.xml", {"lang": "ru"}),
    ("tree.read", "walker.xml", {}),
    ("structures.graph", "walker.xml", {}),
    ("scheme.read", "servo_arm.xml", {}),
    ("scheme.console", "mf4/mission.xml", {}),
    ("tasks.look", "tasks/reach.xml", {}),
)

WORK = """
import json, sys, threading
from pathlib import Path

calls, root, threads = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3])
begun = threading.Barrier(threads)
found = [[] for _ in range(threads)]

def plain(answer):
    # How long a check took is no part of it.
    answer.get("done", {}).pop("took", None) if isinstance(answer.get("done"), dict) else None
    return json.dumps(answer, sort_keys=True)

def ask(number):
    begun.wait()
    from sistel.studio.service import reply
    # Each thread begins elsewhere in the row: both meet what the other has begun.
    order = calls if number % 2 == 0 else calls[::-1]
    for name, path, more in order:
        text = Path(root, path).read_text(encoding="utf-8")
        answer = reply(name, {"path": str(Path(root, path)), "text": text, **more})
        found[number].append((name, path, plain(answer)))

working = [threading.Thread(target=ask, args=(number,)) for number in range(threads)]
for each in working: each.start()
for each in working: each.join()
told = [sorted(each) for each in found]
assert all(len(each) == len(calls) for each in told), [len(each) for each in told]
assert all(each == told[0] for each in told)
failed = [each[:2] for each in told[0] if '"failed"' in each[2][:12]]
assert not failed, failed
print(json.dumps(told[0]))
"""


def asked(models: Path, cache: Path, threads: int, calls: object = CALLS) -> str:
    """What a new process finds, with an empty cache."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    words = [sys.executable, "-W", "error", "-c", WORK, json.dumps(calls), str(models), str(threads)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_two_threads_that_ask_first_find_what_one_finds(models_dir: Path, tmp_path: Path) -> None:
    alone = asked(models_dir, tmp_path / "one", 1)
    for turn in range(2):
        assert asked(models_dir, tmp_path / f"two{turn}", 2) == alone


def test_asking_for_the_studio_is_light() -> None:
    """Neither the server nor numbers are imported before they are needed; checks of systems need no NumPy."""
    work = """
import sys
import sistel.studio
assert not {"numpy", "starlette", "uvicorn", "websockets", "llvmlite"} & set(sys.modules), "studio"
from sistel.studio.service import call
text = '<system><body name="rod" mass="1" joint="revolute"/></system>'
assert call("text.check", {"path": "a.xml", "text": text})["kind"] == "system"
assert call("text.complete-line", {"path": "a.xml", "text": text, "line": "", "at": 0})["items"]
assert not {"numpy", "llvmlite"} & set(sys.modules), "check"
import sistel.tasks
assert "numpy" not in sys.modules, "tasks"
"""
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
