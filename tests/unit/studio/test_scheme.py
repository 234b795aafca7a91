"""The scheme editor's service: graphs of texts whole and broken, and changes that leave everything else as it was."""

import random
from pathlib import Path
from typing import Any

import pytest

import sistel
from sistel.errors import Diagnostics, Source
from sistel.markup.schema import ELEMENT_BY_KEY
from sistel.markup.xml import read_xml
from sistel.model.blocks import BLOCKS
from sistel.studio.service import reply
from sistel.studio.service._scheme_palette import GROUPS

MODELS = Path(__file__).parents[3] / "models"
ARM = """<system name="one arm">
  <!-- a remark -->
  <body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="M"/></body>
  <scheme name="drive"   period="10 ms">   <!-- keep me -->
    <input name="task" kind="slider" min="-60 deg" max="60 deg"/>
    <signal name='aim' value='2*task'/> <!-- of the task -->
    <block name="u" kind="pd" in="aim - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="2 N*m*s/rad"/>
    <block name="s" kind="sum" in="aim, -u*1 rad/(1 N*m), 0.5 rad"/>
    <lamp name="near" from="abs(aim - angle(arm)) lt 1 deg"/>
    <output motor="M" from="u"/>
    <drawing><place of="u" at="3, 0.5"/></drawing>
  </scheme>
</system>
"""


def read(text: str, **more: object) -> dict[str, Any]:
    done = reply("scheme.read", {"path": "a.xml", "text": text, "lang": "en", **more})["done"]
    assert isinstance(done, dict)
    return done


def units(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after changes that count UTF-16 units, as the window makes them."""
    data = text.encode("utf-16-le")
    for each in sorted(edits, key=lambda edit: edit["from"])[::-1]:
        data = data[: 2 * each["from"]] + each["insert"].encode("utf-16-le") + data[2 * each["to"] :]
    return data.decode("utf-16-le")


def inverse(text: str, edits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The changes that an editor makes to undo others."""
    data, shift, back = text.encode("utf-16-le"), 0, []
    for each in sorted(edits, key=lambda edit: edit["from"]):
        start, size = each["from"] + shift, len(each["insert"].encode("utf-16-le")) // 2
        was = data[2 * each["from"] : 2 * each["to"]].decode("utf-16-le")
        back.append({"from": start, "to": start + size, "insert": was})
        shift += size - (each["to"] - each["from"])
    return back


def change(text: str, scheme: str | None = None, **what: object) -> str:
    answer = reply("scheme.edit", {"path": "a.xml", "text": text, "scheme": scheme, "change": what})
    assert "done" in answer, answer
    done = answer["done"]
    assert isinstance(done, dict)
    return units(text, done["edits"])


def refused(text: str, **what: object) -> str:
    failed = reply("scheme.edit", {"path": "a.xml", "text": text, "change": what})["failed"]
    assert isinstance(failed, dict) and failed["message"]["en"] != failed["message"]["ru"]
    return str(failed["code"])


def errors(text: str) -> list[str]:
    done = reply("text.check", {"path": "a.xml", "text": text})["done"]
    assert isinstance(done, dict)
    return [each["message"]["en"] for each in done["diagnostics"] if each["severity"] == "error"]


def test_the_palette_has_every_block_and_sensor_once_in_both_languages() -> None:
    done = reply("scheme.palette", {"path": "a.xml", "text": ARM})["done"]
    assert isinstance(done, dict)
    ids = [each["id"] for each in done["items"]]
    assert len(set(ids)) == len(ids)
    assert {each.partition(":")[2] for each in ids if each.startswith("block:")} == set(BLOCKS)
    for key in ("sensor", "input"):
        kinds = {each.key for each in ELEMENT_BY_KEY[key].by_key["kind"].kind.choices}  # type: ignore[union-attr]
        assert {each.partition(":")[2] for each in ids if each.startswith(f"{key}:")} == kinds
    assert {"signal", "output", "lamp", "dial", "indicator", "behaviour"} <= set(ids)
    assert all(each["label"]["ru"] and each["about"]["en"] != each["about"]["ru"] for each in done["items"])
    assert len({key for _, keys in GROUPS for key in keys}) == sum(len(keys) for _, keys in GROUPS)


def test_a_graph_has_wires_with_units_signs_and_places() -> None:
    assert errors(ARM) == []
    found = read(ARM)
    nodes = {each["id"]: each for each in found["nodes"]}
    assert nodes["block:u"]["at"] == [3.0, 0.5]
    assert nodes["block:u"]["outs"][0]["unit"] == "N·m"
    assert nodes["outside:angle(arm)"]["outs"][0]["unit"] == "rad"
    assert [each["id"] for each in nodes["block:s"]["ins"]] == ["in.0", "in.1", "in.2", "in.+"]
    wires = {(each["out"], each["target"], each["in"]): each for each in found["wires"]}
    assert set(wires) == {
        ("task", "signal:aim", "value"),
        ("aim", "block:u", "in"),
        ("angle(arm)", "block:u", "in"),
        ("rate(arm)", "block:u", "rate"),
        ("aim", "block:s", "in.0"),
        ("u", "block:s", "in.1"),
        ("aim", "lamp:near", "from"),
        ("angle(arm)", "lamp:near", "from"),
        ("u", "output:M", "from"),
    }
    assert wires["angle(arm)", "block:u", "in"]["negative"] and not wires["aim", "block:u", "in"]["negative"]


def test_a_broken_text_has_the_graph_of_what_is_left_of_it() -> None:
    broken = ARM.replace('from="u"/>', 'from="u', 1).replace("value='2*task'", "value='2*(task'")
    assert errors(broken)
    found = read(broken, sound=ARM)
    nodes = {each["id"]: each for each in found["nodes"]}
    assert {"input:task", "signal:aim", "block:u", "block:s", "lamp:near"} <= set(nodes)
    assert nodes["signal:aim"]["ins"][0]["value"] == "2*(task"
    assert nodes["block:u"]["outs"][0]["unit"] == "N·m"  # by the last text that was sound
    for end in range(0, len(ARM), 7):
        read(ARM[:end])


def test_sub_schemes_are_opened_with_the_signals_of_their_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """<system><body name="a" joint="revolute" mass="1" com="0,300" inertia="0.03"><motor name="A"/></body>
  <scheme name="axis" ports="target, angle"><signal name="e" value="target - angle"/>
    <block name="u" kind="p" in="e" kp="6 N*m/rad"/></scheme>
  <scheme name="drive" period="2 ms"><use name="left" scheme="axis" target="30 deg" angle="angle(a)"/>
    <output motor="A" from="left.u"/></scheme></system>"""
    assert errors(text) == []
    own = read(text)
    assert own["id"] == "drive"
    use = next(each for each in own["nodes"] if each["id"] == "use:left")
    assert use["opens"] == {"scheme": "axis", "use": "left"}
    assert [(each["id"], each["value"]) for each in use["ins"]] == [("target", "30 deg"), ("angle", "angle(a)")]
    inner = read(text, scheme="axis", use="left")
    assert inner["prefix"] == "left."
    outs = {out["id"]: out for each in inner["nodes"] for out in each["outs"]}
    assert outs["u"]["signal"] == "left.u" and outs["u"]["unit"] == "N·m"
    assert {each["kind"] for each in inner["nodes"] if each["name"] in ("target", "angle")} == {"port"}
    library = "<system>" + text[text.index('<scheme name="axis"') : text.index('<scheme name="drive"')] + "</system>"
    (tmp_path / "axis.xml").write_text(library, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    outer = '<system><include file="axis.xml"/>' + text[len("<system>") :].replace(library[8:-9], "")
    assert errors(outer) == []
    use = next(each for each in read(outer)["nodes"] if each["id"] == "use:left")
    assert use["opens"] == {"scheme": "axis", "use": "left", "file": "axis.xml"}
    assert "use:axis" in str(reply("scheme.palette", {"path": "a.xml", "text": outer}))


def test_whatever_is_put_into_a_scheme_has_a_place_that_its_model_keeps() -> None:
    """A sub-scheme and a behaviour too: dropped, moved, renamed, written by the model and read again."""
    text = """<system><body name="a" joint="revolute" mass="1"><motor name="A"/></body>
  <scheme name="axis" ports="e"><block name="u" kind="p" in="e" kp="6 N*m/rad"/></scheme>
  <scheme name="drive" period="2 ms"><use name="left" scheme="axis" e="1 rad"/><output motor="A" from="left.u"/></scheme>
</system>"""
    items = [each["id"] for each in reply("scheme.palette", {"path": "a.xml", "text": text})["done"]["items"]]  # type: ignore[index]
    assert {"use:axis", "behaviour", "block:sugeno"} <= set(items)
    for item in items:
        if item == "output":
            continue
        dropped = change(text, do="add", item=item, at=[2, 1])
        # What is not joined yet may be wrong; its place is not.
        done: Any = reply("text.check", {"path": "a.xml", "text": dropped})["done"]
        begin, end = dropped.index("<drawing>"), dropped.index("</drawing>")
        assert [each for each in done["diagnostics"] if begin <= each["from"] <= end] == [], item
    text = change(text, do="add", item="behaviour", at=[1, 2.5])
    text = change(text, do="move", places={"use:left": [3, 0.25], "behaviour:behaviour": [4, 1], "output:A": [5, 0]})
    text = change(text, do="rename", id="use:left", name="right & co")
    assert errors(text) == []
    for written in (text, sistel.parse(text).to_xml()):
        (scheme,) = sistel.parse(written).model.schemes
        places = [(each.name, each.column, each.row) for each in scheme.places]
        assert sorted(places) == [("A", 5, 0.0), ("behaviour", 4, 1.0), ("right & co", 3, 0.25)]


def test_a_scheme_is_built_from_nothing() -> None:
    text = ARM[: ARM.index("  <scheme")] + "</system>\n"
    text = change(text, do="create", period="5 ms")
    text = change(text, do="add", item="input:slider")
    text = change(text, do="add", item="sensor:joint")
    text = change(text, do="add", item="block:sum")
    text = change(text, do="add", item="block:pd", at=[2, 1])
    text = change(text, do="add", item="output")
    assert '<output motor="M"/>' in text  # there is one motor alone
    text = change(text, do="rename", id="input:slider", name="task")
    text = change(text, do="set", id="input:task", attribute="max", value="1 rad")
    text = change(text, do="set", id="input:task", attribute="min", value="-1 rad")
    text = change(text, do="wire", source="input:task", out="task", target="block:sum", **{"in": "in.+"})
    text = change(text, do="wire", source="sensor:joint", out="joint", target="block:sum", **{"in": "in.+"})
    text = change(text, do="set", id="block:sum", attribute="in.1", value="-joint")
    text = change(text, do="wire", source="block:sum", out="sum", target="block:pd", **{"in": "in"})
    missing = " ".join(errors(text))
    assert "kp" in missing and "kd" in missing
    text = change(text, do="set", id="block:pd", attribute="kp", value="20 N*m/rad")
    text = change(text, do="set", id="block:pd", attribute="kd", value="2 N*m*s/rad")
    text = change(text, do="wire", source="block:pd", out="pd", target="output:M", **{"in": "from"})
    assert errors(text) == []
    assert "<!-- a remark -->" in text and '<place of="pd" at="2, 1"/>' in text
    assert 'in="task, -joint"' in text
    text = change(text, do="move", places={"block:pd": [3, 0.26], "output:M": [4, 1]})
    assert '<place of="pd" at="3, 0.25"/>' in text and '<place of="M" at="4, 1"/>' in text
    assert errors(text) == [] and "<drawing" not in change(text, do="arrange")


def test_wires_go_without_what_else_stands_there() -> None:
    for what, before, after in (
        ({"target": "block:s", "in": "in.0", "out": "aim"}, 'in="aim, -u*1', 'in="-u*1'),
        ({"target": "block:u", "in": "in", "out": "angle(arm)"}, 'in="aim - angle(arm)"', 'in="aim"'),
        ({"target": "block:u", "in": "in", "out": "aim"}, 'in="aim - angle(arm)"', 'in="-angle(arm)"'),
        ({"target": "block:u", "in": "rate", "out": "rate(arm)"}, ' rate="-rate(arm)"', ""),
        ({"target": "output:M", "in": "from", "out": "u"}, ' from="u"', ""),
    ):
        assert change(ARM, do="unwire", **what) == ARM.replace(before, after, 1)
    assert refused(ARM, do="unwire", target="signal:aim", out="task", **{"in": "value"}) == "in-a-formula"
    assert refused(ARM, do="unwire", target="signal:aim", out="u", **{"in": "value"}) == "no-wire"


def test_what_cannot_be_is_refused() -> None:
    assert refused(ARM, do="dance") == "bad-parameter"
    assert refused(ARM, do="add", item="block:nonsense") == "no-block"
    assert refused(ARM, do="remove", ids=["block:nobody"]) == "no-block"
    assert refused(ARM, do="rename", id="block:u", name="aim") == "name-taken"
    assert refused(ARM, do="set", id="block:u", attribute="kp", value="20 N*(") != ""
    assert refused(ARM, do="set", id="block:u", attribute="kp", value="20 furlongs") != ""
    assert refused(ARM, do="set", id="block:u", attribute="nothing", value="1") == "no-attribute"
    assert refused(ARM, do="wire", source="block:u", out="u", target="block:u", **{"in": "nowhere"}) == "no-port"
    assert refused("", do="create") == "no-xml"


def steps(text: str, chance: random.Random) -> dict[str, object]:
    """A change that may be made of a text."""
    found = read(text)
    own = [each for each in found["nodes"] if not each["id"].startswith("outside:")]
    outs = [(each["id"], out["id"]) for each in found["nodes"] for out in each["outs"]]
    ins = [(each["id"], port["id"]) for each in own for port in each["ins"] if not port["fixed"]]
    items = reply("scheme.palette", {"path": "a.xml", "text": text})["done"]["items"]  # type: ignore[index]
    what = chance.choice(("add", "add", "add", "remove", "rename", "wire", "wire", "wire", "unwire", "set", "move"))
    if what == "add":
        at = {"at": [chance.randrange(6), chance.randrange(6)]} if chance.random() < 0.5 else {}
        return {"do": "add", "item": chance.choice(items)["id"], **at}
    if what == "wire" and outs and ins:
        (source, out), (target, port) = chance.choice(outs), chance.choice(ins)
        return {"do": "wire", "source": source, "out": out, "target": target, "in": port}
    if what == "unwire" and found["wires"]:
        wire = chance.choice(found["wires"])
        return {"do": "unwire", **{key: wire[key] for key in ("target", "in", "out")}}
    if what == "set" and ins:
        target, port = chance.choice(ins)
        return {
            "do": "set",
            "id": target,
            "attribute": port,
            "value": chance.choice(("2 rad", "t", "a < b", "1, 2", "")),
        }
    if what == "move" and own:
        return {"do": "move", "places": {chance.choice(own)["id"]: [chance.randrange(9), chance.randrange(9) / 4]}}
    thing = chance.choice(own)
    if what == "rename":
        return {"do": "rename", "id": thing["id"], "name": f"n{chance.randrange(99)} & co"[: chance.choice((3, 9))]}
    return {"do": "remove", "ids": [thing["id"]]}


@pytest.mark.parametrize("file", ["", "servo_arm.xml"])
def test_random_changes_and_their_undoing_give_the_same_bytes(file: str) -> None:
    """Each leaves XML that is whole, everything outside the scheme as it was, and errors alone that say what is missing."""
    first = text = (MODELS / file).read_text(encoding="utf-8") if file else ARM
    head = text[: text.index("<схема" if "<схема" in text else "<scheme")]
    chance = random.Random(f"scheme {file}")
    done: list[tuple[str, list[dict[str, Any]]]] = []
    for _ in range(60):
        what = steps(text, chance)
        answer = reply("scheme.edit", {"path": "a.xml", "text": text, "change": what})
        if "failed" in answer:
            continue
        edits = answer["done"]["edits"]  # type: ignore[index]
        after = units(text, edits)
        assert units(after, inverse(text, edits)) == text, what
        if what["do"] != "rename":
            assert after.startswith(head), what
        sound = Diagnostics()
        assert read_xml(Source("a.xml", after), sound) is not None and not list(sound), what
        if what["do"] == "add":
            kinds = [each["id"] for each in read(after)["nodes"]]
            assert len(kinds) > len([each["id"] for each in read(text)["nodes"]]), what
        if edits:
            done.append((text, edits))
        text = after
    assert len(done) > 20
    for before, edits in reversed(done):
        text = units(text, inverse(before, edits))
    assert text == first


def test_states_are_told_nested_with_their_passages() -> None:
    text = """<system><body name="car" joint="prismatic" mass="2"><motor name="car"/></body>
  <scheme name="drive" period="10 ms"><behaviour name="go" start="right"><data name="laps" start="0"/>
    <state name="right" start="slow" f="1 N"><state name="slow"><go to="fast" after="1 s"/></state><state name="fast"/>
      <go to="left" when="q(car) gt 1 m"/></state>
    <state name="left" f="-1 N"><go to="right" when="q(car) lt 0 m"/></state></behaviour>
    <output motor="car" from="go.f"/></scheme></system>"""
    assert errors(text) == []
    done = reply("scheme.chart", {"path": "a.xml", "text": text, "behaviour": "go"})["done"]
    assert isinstance(done, dict)
    assert [(each["id"], each["parent"], each["first"]) for each in done["states"]] == [
        ("right", None, True),
        ("slow", "right", True),
        ("fast", "right", False),
        ("left", None, False),
    ]
    assert [(each["source"], each["target"], each["when"]) for each in done["passages"]] == [
        ("right", "left", "q(car) gt 1 m"),
        ("slow", "fast", "⏱ 1 s"),
        ("left", "right", "q(car) lt 0 m"),
    ]
    node = next(each for each in read(text)["nodes"] if each["id"] == "behaviour:go")
    assert node["opens"] == {"behaviour": "go"} and {"go.f", "go"} <= {each["id"] for each in node["outs"]}


def test_every_attribute_is_described() -> None:
    done = reply("scheme.thing", {"path": "a.xml", "text": ARM, "id": "block:u", "lang": "en"})["done"]
    assert isinstance(done, dict)
    rows = {each["key"]: each for each in done["attributes"]}
    assert set(rows) >= {"name", "kind", "in", "kp", "kd", "rate", "limit"} and "Q" not in rows
    assert rows["kp"]["value"] == "20 N*m/rad" and rows["kp"]["needed"] and not rows["limit"]["needed"]
    assert "pid" in rows["kind"]["choices"]
    own = reply("scheme.thing", {"path": "a.xml", "text": ARM, "id": "", "lang": "ru"})["done"]
    assert isinstance(own, dict) and own["attributes"][1]["value"] == "10 ms"
