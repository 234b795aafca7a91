"""Calls of the service: answers, and what is said where there is none."""

from sistel.studio.service import reply
from sistel.studio.service._told import character, utf16


def test_a_text_is_checked_with_places_as_a_browser_counts_them() -> None:
    text = '<system name="\U0001f9be"><body name="a" joint="revolutee"/></system>'
    done = reply("text.check", {"path": "a.xml", "text": text})["done"]
    assert isinstance(done, dict)
    first = done["diagnostics"][0]
    units = text.encode("utf-16-le")
    assert units[2 * first["from"] : 2 * first["to"]].decode("utf-16-le") == "revolutee"
    assert first["file"] is None and first["message"]["en"] and first["message"]["ru"]


def test_offsets_of_both_kinds_agree() -> None:
    text = "a\U0001f9beб\U0001f9be!"
    assert [utf16(text, at) for at in range(len(text) + 1)] == [0, 1, 3, 4, 6, 7]
    assert [character(text, units) for units in (0, 1, 3, 4, 6, 7)] == list(range(len(text) + 1))


def test_what_is_not_there_or_wrong_is_said_in_both_languages() -> None:
    for name, params, code in (
        ("text.chek", {}, "unknown-method"),
        ("files.read", {}, "unknown-method"),
        ("text.check", {"text": 7}, "bad-parameter"),
    ):
        failed = reply(name, params)["failed"]
        assert isinstance(failed, dict) and failed["code"] == code
        assert failed["message"]["en"] != failed["message"]["ru"]
