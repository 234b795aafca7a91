"""The scripts of a lesson: one module out of many, all words in two languages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter

import pytest

from sistel.views.page._bundle import bundle, modules

NODE = shutil.which("node")
FIRST = "lesson/app/main.js"
TOP = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let|var) ([A-Za-z_$][\w$]*)", re.M)


def test_one_module_without_names_that_meet() -> None:
    found = Counter(name for text in modules(FIRST).values() for name in TOP.findall(text))
    assert {name for name, count in found.items() if count > 1} == set()
    text = bundle(FIRST)
    assert not re.search(r"^(import|export) ", text, re.M)
    assert not re.search(r"\beval\(|new Function\(|innerHTML|outerHTML|document\.write|insertAdjacentHTML", text)
    assert "https://" not in text.replace("https://www.w3.org", "").replace("https://github.com", "")


@pytest.mark.skipif(NODE is None, reason="no node")
def test_every_word_is_there_in_both_languages() -> None:
    texts = modules(FIRST)
    words, own = texts["page/app/words.js"].replace("export ", ""), texts["lesson/app/lesson_words.js"]
    table_text = own[own.index("const LESSON_WORDS") : own.index("Object.assign(WORDS")]
    script = f"{words}\n{table_text}\nconsole.log(JSON.stringify([Object.keys(WORDS), LESSON_WORDS]));"
    done = subprocess.run([NODE or "node", "-e", script], capture_output=True, text=True, check=True, timeout=60)
    common, table = json.loads(done.stdout)
    # A word of every page must not change its meaning in this one.
    assert not set(common) & set(table)
    for key, said in table.items():
        assert set(said) == {"en", "ru"} and said["en"] and said["ru"], key
        assert sorted(re.findall(r"\{\w+\}", said["en"])) == sorted(re.findall(r"\{\w+\}", said["ru"])), key
        assert not re.search("[а-яё]", said["en"]), key
    rest = "\n".join(text for name, text in texts.items() if name != "lesson/app/lesson_words.js")
    asked = set(re.findall(r'word(?:Of|Node)\(page, [^"()]*(?:\([^()]*\)[^"()]*)?"(\w+)"', rest))
    asked |= set(re.findall(r'lessonButton\(page, "(\w+)"', rest)) | set(re.findall(r'\bword: "(\w+)"', rest))
    assert asked - set(table) - set(common) <= {"class"}
    assert {key for key in table if f'"{key}"' not in rest and f"WORDS.{key}" not in rest} <= {
        "torquesSlides",
        "torquesNetsSlides",
    }
