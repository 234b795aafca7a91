"""The graph of structures: read from a text, and written into it."""

from pathlib import Path

from support.editing import after, ask, refused

MODELS = Path(__file__).resolve().parents[3] / "models"
WALKER = (MODELS / "walker.xml").read_text(encoding="utf-8")
PLAIN = (
    '<system name="x">\n  <body name="a" joint="revolute" mass="1"/>\n  <!-- kept -->\n  <start a="30"/>\n</system>\n'
)


def edited(text: str, **change: object) -> str:
    return after(text, ask("structures.edit", text, change=change))


def names(text: str) -> list[str]:
    return [each["name"] for each in ask("structures.graph", text)["nodes"]]


def lines(text: str) -> list[tuple[str, str, str]]:
    return [(each["source"], each["target"], each["when"]) for each in ask("structures.graph", text)["edges"]]


def test_a_graph_has_the_structures_and_the_conditions_of_the_file() -> None:
    graph = ask("structures.graph", WALKER)
    assert [each["name"] for each in graph["nodes"] if each["first"]] == ["полёт"]
    assert len(graph["edges"]) == 8
    assert ("на двух", "на левой", "реакция(правая).n < 0") in lines(WALKER)
    assert ask("structures.graph", PLAIN) == {"nodes": [], "edges": []}


def test_structures_come_go_and_change_their_names() -> None:
    one = edited(PLAIN, do="add", name="first")
    two = edited(one, do="add", name="second")
    assert names(two) == ["first", "second"] and "<!-- kept -->" in two
    assert two.index("<links>") < two.index("<start")
    joined = edited(two, do="connect", source="first", target="second", when="t > 1 s")
    assert lines(joined) == [("first", "second", "t > 1 s")]
    renamed = edited(joined, do="rename", id="second", name="last")
    assert lines(renamed) == [("first", "last", "t > 1 s")]
    other = edited(renamed, do="when", edge="0:first", when="t > 2 s and angle(a) < 3 deg")
    assert lines(other) == [("first", "last", "t > 2 s and angle(a) < 3 deg")]
    assert edited(edited(other, do="disconnect", edge="0:first"), do="remove", id="last") == one
    assert refused("structures.edit", one, change={"do": "add", "name": "first"})["code"] == "name-taken"


def test_a_structure_goes_with_its_transitions_and_who_else_names_it_is_told() -> None:
    done = ask("structures.edit", WALKER, change={"do": "remove", "id": "на двух"})
    written = after(WALKER, done)
    assert "на двух" not in {name for line in lines(written) for name in line[:2]}
    assert [each["line"] for each in done["left"]] == [89, 91, 93]
    assert "<!-- опора действует на корпус вверх" in written


def test_a_line_of_several_leaves_the_others() -> None:
    text = edited(edited(edited(PLAIN, do="add", name="p"), do="add", name="q"), do="add", name="r")
    text = edited(text, do="connect", source="p", target="r", when="t > 1 s").replace('from="p"', 'from="p, q"')
    assert [line[:2] for line in lines(text)] == [("p", "r"), ("q", "r")]
    assert [line[:2] for line in lines(edited(text, do="disconnect", edge="0:p"))] == [("q", "r")]
    assert lines(edited(text, do="disconnect", edge="0:p").replace(' from="q"', ""))[0][:2] == ("p", "r")


def test_a_condition_is_checked_while_it_is_written() -> None:
    change = {"do": "connect", "source": "полёт", "target": "на двух", "when": "t > 1 кг"}
    (problem,) = ask("structures.check", WALKER, change=change)["problems"]
    assert problem["code"] == "wrong-dimension" and "кг" in problem["message"]["ru"]
    assert refused("structures.edit", WALKER, change=change)["code"] == "wrong-dimension"
    assert ask("structures.check", WALKER, change={**change, "when": "t > 1 с"}) == {"problems": []}
    assert refused("structures.edit", WALKER, change={"do": "turn"})["code"] == "bad-parameter"
