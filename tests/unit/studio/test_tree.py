"""The tree of a text: what is added, copied, moved and removed is a change of the text, and nothing else changes."""

from pathlib import Path
from typing import Any

import pytest
from support.editing import after, ask, refused

from sistel import load

MODELS = Path(__file__).resolve().parents[3] / "models"
WALKER = (MODELS / "walker.xml").read_text(encoding="utf-8")
ARM = """<system name="arm">
  <!-- of two links -->
  <body name="upper" joint="revolute" mass="1" com="0, 250">
    <point name="elbow" place="0,500"/> <!-- where the next one sits -->
  </body>
  <start upper="30 deg"/>
</system>
"""


def place(text: str, of: str) -> int:
    return len(text[: text.index(of)].encode("utf-16-le")) // 2


def test_a_tree_has_every_element_with_its_word_in_both_languages() -> None:
    (root,) = ask("tree.read", WALKER)["roots"]
    assert (root["kind"], root["name"]) == ("system", "шагающий аппарат")
    trunk = next(each for each in root["children"] if each["kind"] == "body")
    assert trunk["word"] == {"en": "body", "ru": "тело"}
    assert [each["name"] for each in trunk["children"] if each["kind"] == "body"] == ["бедро_л", "бедро_п"]


def test_the_form_of_an_element_says_what_the_language_says() -> None:
    form = ask("tree.words", ARM, at=place(ARM, "<body") + 2)
    rows = {each["name"]: each for each in form["attributes"]}
    assert (form["name"], form["kind"], form["root"]) == ("upper", "body", False)
    assert rows["mass"]["value"] == "1" and rows["mass"]["unit"] == {"en": "kg", "ru": "кг"}
    assert "revolute" in rows["joint"]["choices"] and rows["inertia"]["value"] is None
    assert rows["base"]["names"] == ["upper"] and rows["mass"]["about"]["ru"] == "Масса."
    assert ask("tree.words", "") is None


def test_an_attribute_is_set_in_its_place_and_taken_away_with_its_blank() -> None:
    at = place(ARM, "<body")
    assert after(ARM, ask("tree.set", ARM, at=at, attribute="mass", value='2 "<')) == ARM.replace(
        'mass="1"', 'mass="2 &quot;&lt;"'
    )
    assert after(ARM, ask("tree.set", ARM, at=at, attribute="mass", value=None)) == ARM.replace(' mass="1"', "")
    longer = after(ARM, ask("tree.set", ARM, at=at, attribute="inertia", value="0.1"))
    assert longer == ARM.replace('com="0, 250">', 'com="0, 250" inertia="0.1">')
    assert refused("tree.set", ARM, at=at, attribute="mas", value="1")["code"] == "no-such-attribute"


@pytest.mark.parametrize("space", ["", ' space="spatial"'])
def test_what_is_added_has_what_it_needs(space: str) -> None:
    """All that may be added to a body or a system loads at once, but what cannot be meant here: its error says why."""
    text = ARM.replace('name="arm"', 'name="arm"' + space)
    if space:
        text = text.replace("0, 250", "0, 0, 250").replace("0,500", "0,0,500")
    load_text(text)
    refusing = {"stop", "include", "mesh", "joint", "scheme", "repeat", "track"}
    for parent in ("<system", "<body"):
        at = place(text, parent)
        for each in ask("tree.words", text, at=at + 1)["addable"]:
            done = ask("tree.add", text, parent=at, what=each["name"])
            written = after(text, done)
            chosen = written[done["select"]["from"] : done["select"]["to"]]
            assert chosen.startswith(f"<{each['word']['en']}") and chosen.endswith(">"), chosen
            wrong = [one for one in ask("text.check", written)["diagnostics"] if one["severity"] == "error"]
            assert not wrong or each["name"] in refusing, (chosen, wrong)
            assert "<!-- where the next one sits -->" in written
    assert refused("tree.add", text, parent=0, what="motor")["code"] == "cannot-stand-here"


def load_text(text: str) -> None:
    assert not [each for each in ask("text.check", text)["diagnostics"] if each["severity"] == "error"]


def test_a_new_body_sits_where_its_base_ends() -> None:
    done = ask("tree.add", ARM, parent=place(ARM, "<body"), what="body")
    written = after(ARM, done)
    line = '\n    <body name="body1" joint="revolute" place="0, 500" mass="2" com="0,250" inertia="0.04"/>'
    assert written == ARM.replace("<!-- where the next one sits -->", "<!-- where the next one sits -->" + line)


def test_a_copy_has_names_of_its_own_and_knows_its_own_parts(tmp_path: Path) -> None:
    at = place(WALKER, '<Тело имя="бедро_л"')
    written = after(WALKER, ask("tree.duplicate", WALKER, at=at))
    (tmp_path / "a.xml").write_text(written, encoding="utf-8")
    names = [body.name for body in load(tmp_path / "a.xml").model.bodies]
    assert len(names) == len(set(names)) == 10 and "голень_л2" in names


def test_who_names_what_is_removed_is_told() -> None:
    done = ask("tree.remove", ARM, at=place(ARM, "<body"))
    assert [(each["name"], each["line"]) for each in done["left"]] == [("upper", 6)]
    assert after(ARM, done).count("\n") == ARM.count("\n") - 3 and "of two links" in after(ARM, done)
    assert refused("tree.remove", ARM, at=0)["code"] == "the-whole"


def test_a_move_keeps_every_letter() -> None:
    at = place(WALKER, '<Тело имя="бедро_п"')
    written = after(WALKER, ask("tree.move", WALKER, at=at, by=-1))
    assert written.index("бедро_п") < written.index("бедро_л") and sorted(written) == sorted(WALKER)
    back: Any = ask("tree.move", written, at=place(written, '<Тело имя="бедро_п"'), by=1)
    assert after(written, back) == WALKER
    inside = ask("tree.move", WALKER, at=place(WALKER, '<Тело имя="стопа_л"'), into=place(WALKER, '<Тело имя="корпус"'))
    moved = after(WALKER, inside)
    assert "".join(sorted(moved.split())) == "".join(sorted(WALKER.split()))
    assert refused("tree.move", WALKER, at=at, into=place(WALKER, '<Тело имя="стопа_п"'))["code"] == "into-itself"
