"""The scripts of a page: one module out of many, all words in two languages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter

import pytest

from sistel.views.page._bundle import bundle, modules
from sistel.views.page._packed import packed

NODE = shutil.which("node")
TOP = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|class|const|let|var) (?:\{([^}]*)\}|([A-Za-z_$][\w$]*))", re.M
)


def test_each_module_stands_after_those_it_needs() -> None:
    names = list(modules())
    assert names[-1] == "page/app/main.js"
    assert names.index("page/app/core.js") < names.index("page/app/view.js")
    for place, (name, text) in enumerate(modules().items()):
        for path in re.findall(r'^import .* from "(.*)";$', text, re.M):
            assert any(known.endswith(path.rsplit("/", 1)[-1]) for known in names[:place]), (name, path)


def test_top_level_names_are_unique() -> None:
    found = Counter(match[1] for text in modules().values() for match in TOP.findall(text))
    assert {name for name, count in found.items() if count > 1} == set()


def test_nothing_is_imported_or_evaluated() -> None:
    text = bundle()
    assert not re.search(r"^(import|export) ", text, re.M)
    assert not re.search(r"\beval\(|new Function\(|innerHTML|outerHTML|document\.write|insertAdjacentHTML", text)
    assert "https://" not in text.replace("https://www.w3.org", "").replace("https://github.com", "")


@pytest.mark.skipif(NODE is None, reason="no node")
def test_every_word_is_there_in_both_languages() -> None:
    words = modules()["page/app/words.js"].replace("export ", "")
    script = f"{words}\nconsole.log(JSON.stringify(WORDS));"
    done = subprocess.run([NODE or "node", "-e", script], capture_output=True, text=True, check=True, timeout=60)
    table = json.loads(done.stdout)
    assert len(table) > 80
    for key, said in table.items():
        assert set(said) == {"en", "ru"}, key
        assert said["en"] and said["ru"], key
        assert re.findall(r"\{\w+\}", said["en"]) == re.findall(r"\{\w+\}", said["ru"]), key
        assert not re.search("[а-яё]", said["en"]), key
    asked = set()
    for name, text in modules().items():
        if name.startswith("page/app/"):
            asked |= set(re.findall(r'wordOf\(\w+, "(\w+)"', text))
            asked |= set(re.findall(r'wordNode\(page, \w+, "(\w+)"', text))
    assert asked - set(table) == set()
    # A word that nothing says is a mistake as well; kinds of places come with the data.
    everything = "\n".join(text for name, text in modules().items() if name != "page/app/words.js")
    assert {key for key in table if f'"{key}"' not in everything and f"{key}:" not in everything} <= {"frame"}


def test_packed_blocks() -> None:
    block = packed('a"b', "</script><!-- \u2028 & я")
    assert re.fullmatch(r'<script type="text/plain" data-packed id="a&quot;b">[A-Za-z0-9+/=]+</script>', block)
    assert block == packed('a"b', "</script><!-- \u2028 & я")
