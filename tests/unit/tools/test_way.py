"""tools/way: the way from a file to its page is as straight as it was; a bar that is only ever lowered."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MOST_ARROWS = 300
"""From one function of a package to one of another, of `sistel run models/walker.xml -o page.html`."""


@pytest.mark.slow
@pytest.mark.no_cover  # it looks at every call itself
def test_the_way_to_a_page_is_straight() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "way")], capture_output=True, text=True, timeout=300, check=True
    )
    told = {word: int(number) for word, number in re.findall(r"^([a-z ]+): (\d+)", done.stdout, re.MULTILINE)}
    assert told["builds of a model"] == 1
    assert told["backwards"] == 0, done.stdout
    assert 100 < told["arrows between packages"] <= MOST_ARROWS, done.stdout
