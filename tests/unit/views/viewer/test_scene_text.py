"""What files say of scenes: what is wrong has its place, what does not come along is said."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from lxml import etree

from sistel import SistelError
from sistel.errors import Diagnostics, Source
from sistel.markup import Losses
from sistel.views.page._packed import unpacked
from sistel.views.viewer import view_scene
from sistel.views.viewer._embedding import Embedding, read_scene
from sistel.views.viewer._scene_text import read_scene_text
from sistel.views.x3d import node_fields

MODELS = Path(__file__).resolve().parents[4] / "models"
X_ITE = Path(__file__).resolve().parents[4] / "web" / "node_modules" / "x_ite" / "dist"
SCENE = '<X3D profile="Immersive" version="4.0"><Scene>{}</Scene></X3D>'
PAGE = """<!doctype html>
<html><head><script src="x3dom.js"></script><script src="own.js"></script></head><body>
<x3d width="800px"><scene>
<transform DEF="схват" translation="0.275, 0.3, 0"><shape><box SIZE="1 2 3"></box>
<appearance><material diffusecolor="0 0 1"></material></appearance></shape></transform>
<orientationchaser def='поворот' initialdestination='1, 0, -1, 3.1415'></orientationchaser>
<route fromnode='поворот' fromfield='value_changed' tonode='схват' tofield='set_rotation'></route>
</scene></x3d><x3d><scene></scene></x3d></body></html>"""
WRONG = """<X3D version="4.0"><Scene>
<Transfrom/><Shape><Box sise="1 1 1"/></Shape>
<Transform translation="0 0 x" scale="1 1"/><Transform USE="nobody"/>
<ROUTE fromNode="a" fromField="b" toNode="c" toField="d"/>
<ProtoInstance name="проСхвот"/>
<ProtoInstance name="проСхват"><fieldValue name="мест" value="1 1 1"/></ProtoInstance>
<Material DEF="m" diffuseColor="1 0 0"/><ROUTE fromNode="m" fromField="diffuseColor" toNode="m" toField="transparency"/>
</Scene><Group/></X3D>"""


def warned(text: str, **how: object) -> list[tuple[str, int, int, str | None]]:
    told = Diagnostics()
    view_scene(Source("a.x3d", text), told=told, losses=Losses(), **how)  # type: ignore[arg-type]
    found = told.sorted()
    assert all(each.message.en != each.message.ru and each.severity == "warning" for each in found)
    return [(each.code, each.span.line, each.span.column, each.hint and each.hint.en) for each in found if each.span]


def test_what_viewers_make_no_sense_of_has_its_place() -> None:
    assert warned(WRONG) == [
        ("unknown-node", 2, 2, 'did you mean "Transform"?'),
        ("unknown-field", 2, 25, 'did you mean "size"?'),
        ("bad-value", 3, 29, None),
        ("bad-value", 3, 39, None),
        ("no-node", 3, 61, None),
        ("no-node", 4, 18, None),
        ("no-node", 4, 43, None),
        ("no-prototype", 5, 22, 'did you mean "проСхват"?'),
        ("unknown-field", 6, 50, 'did you mean "место"?'),
        ("other-type", 7, 41, None),
        ("outside-scene", 8, 9, None),
    ]


def test_a_scene_out_of_a_page_of_html() -> None:
    """Capitals come back, everything keeps its place, and what stays behind is said."""
    losses = Losses()
    assert warned(PAGE) == []
    page = view_scene(Source("a.html", PAGE), losses=losses)
    assert [(str(each.span), each.what.en) for each in losses.sorted()] == [
        ("a.html:2:45", "a script of the page"),
        ("a.html:8:15", "the second scene of the page"),
    ]
    scene = read_scene_text(Source("a.html", PAGE))
    names = [str(each.tag) for each in scene.root.iter("*")]
    assert names == [
        "X3D",
        "Scene",
        "Transform",
        "Shape",
        "Box",
        "Appearance",
        "Material",
        "OrientationChaser",
        "ROUTE",
    ]
    assert scene.root.find(".//Box[@size='1 2 3']") is not None
    assert scene.root.find(".//Material[@diffuseColor]") is not None
    assert "<html" not in scene.text and page.startswith("<!doctype html>")
    (wrong,) = warned(PAGE.replace('diffusecolor="0 0 1"', 'diffusecolor="0 0 blue"'))
    assert wrong[:3] == ("bad-value", 5, 41)
    with pytest.raises(SistelError) as caught:
        view_scene(Source("a.html", PAGE.replace("</box>", "", 1)))
    assert str(caught.value.diagnostics[0].span).startswith("a.html:4:59")


def test_pieces_without_a_frame() -> None:
    """Prototypes of the package need no declaration; interfaces that papers print get their body."""
    instance = "<!-- a gripper -->\n<ProtoInstance DEF='a' name='проСхват'>\n<fieldValue name='место' value='0, 0'/></ProtoInstance>"
    assert warned(instance) == [("bad-value", 3, 33, None)]
    declared = (
        "<ProtoDeclare name='проСхват'><ProtoInterface>\n<field name='место' type='SFVec3f' accessType='inputOutput' "
        "value='0, 0, 0'/></ProtoInterface><ProtoBody><!-- body --></ProtoBody></ProtoDeclare>"
    )
    for text in (instance, declared, declared + instance):
        losses = Losses()
        page = view_scene(text, losses=losses)
        (loss,) = losses.items
        assert loss.kind == "changed" and "sistel" in loss.what.ru and loss.span is not None
        assert loss.span.line == (2 if text == instance else 1)
        assert "part-Scripting" in page  # the body came in
    # One's own prototype of that name stays one's own.
    own = declared.replace("<!-- body -->", "<Group/>")
    losses = Losses()
    view_scene(own + instance, losses=losses)
    assert not losses.items


def test_prototypes_and_scripts_of_other_files(tmp_path: Path) -> None:
    """They come into the page; fields that a scene does not repeat are those of the file."""
    (tmp_path / "тело.x3d").write_text(
        SCENE.format(
            "<ProtoDeclare name='другое'><ProtoBody><Group/></ProtoBody></ProtoDeclare><ProtoDeclare name='тело'>"
            "<ProtoInterface><field accessType='inputOutput' type='SFVec3f' name='место' value='0 0 0'/></ProtoInterface>"
            "<ProtoBody><Transform/></ProtoBody></ProtoDeclare>"
        )
    )
    (tmp_path / "a.js").write_text("function initialize() { print('да'); }")
    text = SCENE.format(
        "<ExternProtoDeclare name='тело' url='\"тело.x3d#тело\"'/>\n<ProtoInstance name='тело'/><Script url='a.js'/>"
        "\n<Script url='absent.js'/><Script url='тело.x3d'/><ExternProtoDeclare name='нет' url='absent.x3d'/>"
        "\n<ExternProtoDeclare name='прототипТела' url='absent.x3d'/>"
        "<ExternProtoDeclare name='проСхват' url='absent.x3d'><field name='цвет' type='SFColor' accessType='inputOutput'/>"
        "</ExternProtoDeclare>"
    )
    losses = Losses()
    page = view_scene(Source("a.x3d", text), base=tmp_path, losses=losses)
    told = [(loss.kind, str(loss.span), loss.what.en) for loss in losses.sorted()]
    assert [each[:2] for each in told] == [
        ("dropped", "a.x3d:3:1"),
        ("dropped", "a.x3d:3:26"),
        ("dropped", "a.x3d:3:50"),
        ("changed", "a.x3d:4:1"),
        # Another interface: not the prototype that the package has.
        ("dropped", "a.x3d:4:59"),
    ]
    assert "there is no such file" in told[0][2] and "expected a file .js" in told[1][2]
    import base64

    (packed,) = re.findall(r'data-packed="scene">([^<]*)<', page)
    root = etree.fromstring(unpacked(packed))
    outer = root.find(".//ExternProtoDeclare[@name='тело']")
    assert outer is not None and [each.get("name") for each in outer] == ["место"]
    address = outer.get("url", "").strip('"')
    assert address.endswith("#prototype")
    inner = etree.fromstring(base64.b64decode(address.partition("base64,")[2].partition("#")[0]))
    assert [each.get("name") for each in inner.iter("ProtoDeclare")] == ["другое", "prototype"]
    scripts = [unquote(each.get("url", "")) for each in root.iter("Script")]
    assert any(each.startswith('"data:text/javascript,') and "print('да')" in each for each in scripts)


def test_what_X3DOM_does_not_have() -> None:
    losses = Losses()
    view_scene(Source("a.x3d", SCENE.format("<Script/>\n<Script/><Group/><KeySensor/>")), viewer="x3dom", losses=losses)
    assert [loss.what.en.split(":")[0] for loss in losses.sorted()] == ["Script × 2", "KeySensor"]


@pytest.mark.parametrize("piece", ["<!--", "<a '", "<?", "<x3d ", "<![CDATA[", "<!-- --> "])
def test_damaged_pages_end_soon(piece: str) -> None:
    for text in ("<html>" + 100_000 * piece, "<html><x3d>" + 100_000 * piece + "</x3d>", 100_000 * piece):
        with pytest.raises(SistelError):
            view_scene(text)


def test_the_table_of_nodes_is_that_of_the_viewer() -> None:
    if not X_ITE.is_dir():
        pytest.skip("X_ITE is not there")
    made: dict[str, dict[str, str]] = {}
    field = re.compile(
        r'FieldDefinition[^(]*(?:\(\))?[^(]*\(.{0,90}?\.(?:inputOutput|inputOnly|outputOnly|initializeOnly),\s*"(\w+)",'
        r"\s*new .{0,80}?\.((?:SF|MF)\w+)"
    )
    for path in (X_ITE / "x_ite.js", *sorted((X_ITE / "assets" / "components").glob("*Component.js"))):
        parts = re.split(r'getStaticProperties \("(\w+)"', path.read_text(encoding="utf-8"))
        for name, body in zip(parts[1::2], parts[2::2], strict=True):
            made.setdefault(name, dict(field.findall(body)))
    there = {name: fields for name, fields in made.items() if not name.startswith("X3D")}
    assert {name: {key: kind for key, (kind, _) in rows.items()} for name, rows in node_fields().items()} == there


@pytest.mark.parametrize("name", ["руки", "arms", "шагающая_машина", "walking_machine", "винт"])
def test_supplied_prototypes_stand_behind_those_that_they_use(name: str) -> None:
    """Scenes of the gallery without their folder of prototypes: each that is supplied is declared before it is used."""
    root = read_scene((MODELS / "scenes" / f"{name}.x3d").read_text(encoding="utf-8"))
    losses = Losses()
    Embedding(MODELS / "scenes", losses).fill(root)
    declared: set[str] = set()
    for element in root.iter("ProtoDeclare", "ExternProtoDeclare", "ProtoInstance"):
        name = str(element.get("name"))
        if element.tag == "ProtoInstance":
            assert name in declared
        elif element.getparent().tag == "Scene":  # type: ignore[union-attr]
            assert name not in declared
            used = {str(each.get("name")) for each in element.iter("ProtoInstance")}
            assert used <= declared, (name, used - declared)
            declared.add(name)
    assert declared
