"""The scripts of a lesson: all words in two languages."""

from __future__ import annotations

import re

from support.javascript import call_module, sources


def test_every_word_is_there_in_both_languages() -> None:
    texts = {name: text for name, text in sources().items() if name.startswith(("page/", "lesson/"))}
    common = call_module("page/words.ts", "return Object.keys(WORDS);", None)
    table = call_module("lesson/words.ts", "return LESSON_WORDS;", None)
    # A word of every page must not change its meaning in this one.
    assert not set(common) & set(table)
    for key, said in table.items():
        assert set(said) == {"en", "ru"} and said["en"] and said["ru"], key
        assert sorted(re.findall(r"\{\w+\}", said["en"])) == sorted(re.findall(r"\{\w+\}", said["ru"])), key
        assert not re.search("[а-яё]", said["en"]), key
    rest = "\n".join(text for name, text in texts.items() if name != "lesson/words.ts")
    asked = set(re.findall(r'word(?:Of|Node)\(page, [^"()]*(?:\([^()]*\)[^"()]*)?"(\w+)"', rest))
    asked |= set(re.findall(r'lessonButton\(page, "(\w+)"', rest)) | set(re.findall(r'\bword: "(\w+)"', rest))
    assert asked - set(table) - set(common) <= {"class"}
    assert {key for key in table if f'"{key}"' not in rest and f"WORDS.{key}" not in rest} <= {
        "torquesSlides",
        "torquesNetsSlides",
    }
