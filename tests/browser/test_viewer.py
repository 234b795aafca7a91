"""Pages with scenes, in a real browser: X3D files in both viewers, and the scene of a system that a page moves."""

from __future__ import annotations

import base64
import io
import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab
from support.javascript import module_text
from support.kinematics import poses, random_coordinates

import sistel
from sistel.model import to_document
from sistel.views.assets import asset
from sistel.views.page._packed import packed
from sistel.views.viewer import PageScene, scene_for_page, view_scene

WORDS = """<X3D profile="Immersive" version="4.0"><Scene><Background skyColor="1 1 1"/><Viewpoint position="0 0 9"/>{}
</Scene></X3D>"""
DASHES = """<Shape><Appearance><Material emissiveColor="0 0 0"/><LineProperties linetype="2" linewidthScaleFactor="4"/></Appearance>
<LineSet vertexCount="2"><Coordinate point="-3 -3.2 0, 3 -3.2 0"/></LineSet></Shape>"""
WORD = """<Transform translation="0 {} 0"><Shape DEF="{}"><Appearance><Material diffuseColor="0 0 0"/></Appearance>
<Text string='"Fox" "Жук"'><FontStyle family='"{}"' style="BOLD" justify='"MIDDLE" "MIDDLE"'/></Text></Shape></Transform>"""
EVIL = """<X3D profile="Immersive" version="4.0"><Scene><WorldInfo title="&lt;img src=x onerror='hacked=1'&gt;"/>
<img src="x" onerror="window.hacked = 1"/><iframe srcdoc="&lt;script&gt;parent.hacked = 1&lt;/script&gt;"/>
<script>window.hacked = 1</script><Script>window.hacked = 1</Script>
<Transform onclick="window.hacked = 1" onmouseover="window.hacked = 1" DEF="тело">
<Shape><Box onload="window.hacked = 1"/></Shape></Transform></Scene></X3D>"""


def dark_share(picture: bytes) -> float:
    """How much of a picture is nearly black."""
    from PIL import Image as image

    histogram = image.open(io.BytesIO(picture)).convert("L").histogram()
    return sum(histogram[:60]) / sum(histogram)


def another(tab: Tab, before: bytes) -> bytes:
    """The first picture that is not the one before; that one where nothing happens for long."""
    for _ in range(100):
        if (picture := tab.picture()) != before:
            return picture
    return before


def settled(tab: Tab) -> None:
    tab.run("async () => { for (let i = 0; i < 6; i++) await new Promise(requestAnimationFrame); }")


def test_letters_and_dashes_come_out_of_the_page(chromium: Chromium) -> None:
    """Latin and Cyrillic letters of all families, also bold ones, and dashed lines, without anything from outside."""
    families = ("SERIF", "SANS", "TYPEWRITER")
    words = (WORD.format(2.2 - 2.2 * n, name, name) for n, name in enumerate(families))
    scene = WORDS.format(DASHES + "".join(words))
    with chromium.tab(size=(400, 300), webgl=True) as tab:
        tab.open(view_scene(scene, lang="en"))
        tab.wait("window.sistelViewer")
        width = """(family) => {
            const { geometry } = sistelViewer.browser.currentScene.getNamedNode(family);
            return [...geometry.lineBounds].map((bounds) => bounds.x);
        }"""
        # Letters come after the scene.
        tab.wait(f"{list(families)}.every((family) => ({width})(family).length === 2)")
        settled(tab)
        found = [tab.run(width, family) for family in families]
        picture = tab.picture()
    assert all(0.5 < each < 4.0 for pair in found for each in pair)
    assert len({tuple(pair) for pair in found}) == 3
    assert found[2][0] == pytest.approx(found[2][1], rel=0.15)  # letters of a typewriter are equally wide
    assert dark_share(picture) > 0.01


@pytest.mark.parametrize("viewer", ["x_ite", "x3dom"])
def test_the_page_speaks_two_languages_and_fits_a_phone(viewer: Any, chromium: Chromium, models_dir: Path) -> None:
    text = (models_dir / "scenes" / "gripper_turn.x3d").read_text(encoding="utf-8")
    with chromium.tab(size=(360, 640), webgl=True, phone=True, dark=True) as tab:
        tab.open(view_scene(text, viewer=viewer, lang="ru"))
        tab.wait("window.sistelViewer")
        names = "() => [...document.querySelectorAll('button')].map((b) => b.getAttribute('aria-label'))"
        assert tab.run(names)[:3] == ["Предыдущий вид", "Следующий вид", "Сначала"]
        label = "() => document.querySelector('[role=img]').getAttribute('aria-label')"
        assert "Сцена" in tab.run(label)
        tab.page.click("[data-id=language]")
        assert tab.run(names)[:3] == ["Previous view", "Next view", "Again from the start"]
        assert "Scene" in tab.run(label) and tab.run("() => document.documentElement.lang") == "en"
        assert tab.run("() => document.documentElement.scrollWidth") <= 360
        before = tab.picture()
        tab.page.get_by_label("Next view").click()
        assert another(tab, before) != before
        tab.page.get_by_label("Again from the start").click()


@pytest.mark.parametrize("viewer", ["x_ite", "x3dom"])
def test_scenes_run_nothing_of_the_page(viewer: Any, chromium: Chromium) -> None:
    """What HTML would run stays a text; scripts of X3D run only within X_ITE, by its own rules, which are no HTML."""
    with chromium.tab(size=(300, 200), webgl=True, strict=False) as tab:
        tab.open(view_scene(EVIL if viewer == "x3dom" else EVIL.replace("Script>", "Group>"), viewer=viewer, lang="en"))
        tab.wait("window.sistelViewer || document.querySelector('[role=alert]')")
        tab.page.mouse.move(150, 120)
        tab.page.mouse.click(150, 120)
        assert tab.run("() => window.hacked === undefined")
        assert tab.run("() => document.querySelectorAll('main img, main iframe, main script').length") == 0
        assert tab.run("() => document.querySelector('h1').textContent").startswith("<img src=x")
        assert tab.outside == []


def test_scenes_of_several_files_become_one(chromium: Chromium, tmp_path: Path) -> None:
    """A prototype with a Cyrillic name from another file, a scene from a third, and a script of the scene's own."""
    shape = "<Shape><Appearance><Material diffuseColor='1 0 0'/></Appearance><Box size='{}'/></Shape>"
    scene = '<X3D profile="Immersive" version="4.0"><Scene>{}</Scene></X3D>'
    field = "<field name='место' type='SFVec3f' accessType='inputOutput' {}/>"
    value = "value='0 0 0'"
    (tmp_path / "тело.x3d").write_text(
        scene.format(
            f"<ProtoDeclare name='проТело'><ProtoInterface>{field.format(value)}</ProtoInterface><ProtoBody>"
            "<Transform><IS><connect nodeField='translation' protoField='место'/></IS>"
            f"{shape.format('1 1 1')}</Transform></ProtoBody></ProtoDeclare>"
        ),
        encoding="utf-8",
    )
    (tmp_path / "other.x3d").write_text(scene.format(shape.format("3 0.1 0.1")))
    text = scene.format(
        "<Inline DEF='other' url='\"other.x3d\"'/>"
        f"<ExternProtoDeclare name='проТело' url='\"тело.x3d\"'>{field.format('')}</ExternProtoDeclare>"
        "<ProtoInstance DEF='тело' name='проТело'/>"
        "<Script DEF='сценарий'><field name='куда' type='SFVec3f' accessType='outputOnly'/>"
        "<![CDATA[ecmascript: function initialize() { куда = new SFVec3f(0.5, 1, 0); }]]></Script>"
        "<ROUTE fromNode='сценарий' fromField='куда' toNode='тело' toField='место'/>"
    )
    with chromium.tab(size=(300, 200), webgl=True) as tab:
        tab.open(view_scene(text, lang="ru", base=tmp_path))
        tab.wait("window.sistelViewer")
        tab.wait("sistelViewer.field('тело', 'место')[1] === 1")
        tab.wait(
            "sistelViewer.browser.currentScene.getNamedNode('other').getValue().getInternalScene().rootNodes.length === 1"
        )
        assert tab.run("() => sistelViewer.field('тело', 'место')") == [0.5, 1, 0]


def page_of(part: PageScene) -> str:
    """A page with nothing but the scene of a system."""
    data = {"lang": "en", "scene": {"id": "scene", "x_ite": "x_ite", "style": "style", **part.table}}
    script = module_text("page/core.ts", "page/scene.ts")
    blocks = {"scene": part.text, "x_ite": asset("x_ite.mjs"), "style": asset("x_ite.css")}
    return f"""<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>scene</title>
<style>body {{ margin: 0 }} #place {{ width: 500px; height: 400px }} :root {{ --paper: #ffffff; --plate: #f3f5f8; --line: #c9ced6 }}
@media (prefers-color-scheme: dark) {{ :root {{ --paper: #101418; --plate: #1c222a; --line: #3a434e }} }}</style><div id="place"></div>
{"".join(packed(name, block) for name, block in blocks.items())}
<script type="module">{script}
const page = new Page({json.dumps(data)}, document.body);
window.page = page;
window.view = await mountScene(document.getElementById("place"), page);</script>"""


def matrix(turn: Any) -> Any:
    x, y, z, angle = turn
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def test_a_page_moves_a_system(chromium: Chromium, models_dir: Path, rng: Any) -> None:
    """The fields of X_ITE, multiplied along the chain, are the poses that the page was given; and it is seen."""
    model = sistel.load(models_dir / "puma560.xml").model
    part = scene_for_page(model, lang="en")
    document: Any = SimpleNamespace(root=to_document(model))
    pictures = set()
    with chromium.tab(size=(500, 400), webgl=True) as tab:
        tab.open(page_of(part))
        tab.wait("window.view")
        for _ in range(2):
            states = poses(document, random_coordinates(document, rng))
            rows = [np.eye(4), *(states[body.name] for body in model.bodies)]
            tab.run("(poses) => view.show(poses)", [float(x) for X in rows for x in X[:3].ravel()])
            found = [np.eye(4)]
            for body, name, place in zip(model.bodies, part.table["transforms"], part.table["places"], strict=True):
                fields = tab.run("(name) => view.fields(name)", name)
                joint, X = np.eye(4), np.eye(4)
                joint[:3] = np.reshape(place, (3, 4))
                X[:3, :3], X[:3, 3] = matrix(fields["rotation"]), fields["translation"]
                found.append(found[body.base] @ joint @ X)
                # X_ITE keeps doubles.
                np.testing.assert_allclose(found[-1], states[body.name], atol=1e-13)
            settled(tab)
            pictures.add(tab.picture())
        trail = np.column_stack([np.linspace(-1, 1, 50), np.zeros(50), np.full(50, 0.5)])
        tab.run("(paths) => view.trails(paths, ['#ff0000', 'var(--line)'])", [trail.tolist(), (-trail).tolist()])
        settled(tab)
        pictures.add(trails := tab.picture())
        tab.page.mouse.move(100, 300)
        tab.page.mouse.down()
        tab.page.mouse.move(180, 320, steps=4)
        tab.page.mouse.up()
        pictures.add(another(tab, trails))  # a mouse turns the scene
        tab.run("() => { view.trail([]); view.highlight(2); }")
        settled(tab)
        pictures.add(tab.picture())
        tab.run("() => page.emit('highlight', null)")
        tab.page.get_by_role("button", name="Above").click()
        # The way there takes a second.
        tab.wait("(globalThis.turnedAt ??= performance.now()) + 1200 < performance.now()")
        pictures.add(tab.picture())
        tab.page.emulate_media(color_scheme="dark")
        settled(tab)
        pictures.add(dark := tab.picture())
        assert len(pictures) == 7
        assert dark_share(dark) > 0.3
        tab.run("() => page.setLang('ru')")
        assert tab.page.get_by_role("button", name="Сверху").count() == 1


def test_the_camera_goes_along(chromium: Chromium, models_dir: Path) -> None:
    """A body that leaves the view is followed over the floor, not up; within the view the camera rests."""
    model = sistel.load(models_dir / "free_body.xml").model
    part = scene_for_page(model, lang="en")
    room = part.table["follow"]["room"]
    at = """([x, y, z]) => {
        view.show([1,0,0,0, 0,1,0,0, 0,0,1,0, 1,0,0,x, 0,1,0,y, 0,0,1,z]);
        const camera = view.browser.currentScene.getNamedNode("Camera").translation;
        return [camera.x, camera.y, camera.z];
    }"""
    with chromium.tab(size=(500, 400), webgl=True) as tab:
        tab.open(page_of(part))
        tab.wait("window.view")
        assert tab.run(at, [0, 0, 0]) == [0, 0, 0]
        assert tab.run(at, [0.9 * room, 0, 0]) == [0, 0, 0]
        assert tab.run(at, [3 * room, 0, 5 * room]) == pytest.approx([2 * room, 0, 0])
        # y of the system is away from who looks: -z of X3D.
        assert tab.run(at, [0, 11 * room, 0]) == pytest.approx([0, 0, -10 * room])
        assert tab.run(at, [0, 0, 0]) == [0, 0, 0]


def test_without_WebGL_the_page_says_so(chromium: Chromium, models_dir: Path) -> None:
    part = scene_for_page(sistel.load(models_dir / "free_body.xml").model, lang="en")
    with chromium.tab(size=(500, 400), webgl=True) as tab:
        tab.page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
        tab.open(page_of(part))
        tab.wait("window.view")
        assert "no WebGL 2" in tab.run("() => document.querySelector('#place').textContent")
        tab.run("() => { view.show([]); view.trail([]); page.setLang('ru'); }")
        assert "нет WebGL 2" in tab.run("() => document.querySelector('#place').textContent")
        tab.open(view_scene("<X3D><Scene/></X3D>", lang="ru"))
        tab.wait("document.querySelector('[role=alert]')")
        assert "нет WebGL 2" in tab.run("() => document.querySelector('main').textContent")


def test_formulas_look_as_with_the_whole_font(chromium: Chromium, root_dir: Path) -> None:
    """Fractions, roots, growing brackets, sums, dots over letters: the part of the font draws the same pixels."""
    whole = root_dir / "web" / "node_modules" / "@fontsource" / "stix-two-math" / "files"
    fonts = [asset("math.woff2"), (whole / "stix-two-math-latin-400-normal.woff2").read_bytes()]
    pictures = []
    with chromium.tab(size=(700, 460)) as tab:
        for font in fonts:
            tab.open(FORMULAS)
            tab.run(
                """async (letters) => {
                    const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
                    document.fonts.add(await new FontFace("formulas", bytes.buffer).load());
                }""",
                base64.b64encode(font).decode(),
            )
            pictures.append(tab.picture())
        tall, short = tab.run(
            "() => ['tall', 'short'].map((id) => document.getElementById(id).getBoundingClientRect().height)"
        )
    assert pictures[0] == pictures[1]
    assert tall > 3 * short


FORMULAS = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>formulas</title>
<style>math { font: 26px formulas } p { margin: 12px }</style>
<p><math display="block"><mover accent="true"><mi>q</mi><mo>¨</mo></mover><mo>=</mo><mfrac><mrow><mi>m</mi><mi>g</mi><mi>l</mi>
<mi>sin</mi><mo id="short" stretchy="false">(</mo><mi>φ</mi><mo stretchy="false">)</mo></mrow><mrow><msup><mi>l</mi><mn>2</mn></msup><mo>+</mo>
<msub><mi>J</mi><mi>ц</mi></msub></mrow></mfrac><mo>,</mo><mover accent="true"><mi>φ</mi><mo>˙</mo></mover><mo>−</mo>
<mover accent="true"><mi>x</mi><mo>→</mo></mover><mo>+</mo><mover accent="true"><mi>y</mi><mo>^</mo></mover></math></p>
<p><math display="block"><mrow><mo id="tall">(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mfrac><mi>b</mi><mi>c</mi></mfrac></mtd></mtr>
<mtr><mtd><mi>α</mi></mtd><mtd><mi mathvariant="normal">β</mi></mtd></mtr><mtr><mtd><mi>𝐌</mi></mtd><mtd><mi>𝒒</mi></mtd></mtr></mtable><mo>)</mo></mrow>
<mrow><mo>[</mo><mtable><mtr><mtd><msub><mi>q</mi><mn>1</mn></msub></mtd></mtr><mtr><mtd><mo>⋮</mo></mtd></mtr>
<mtr><mtd><msub><mi>q</mi><mi>n</mi></msub></mtd></mtr></mtable><mo>]</mo></mrow><mo>=</mo><mrow><mo>{</mo><mtable><mtr><mtd><mn>0</mn></mtd></mtr>
<mtr><mtd><mi>λ</mi><mo>≥</mo><mn>1</mn></mtd></mtr></mtable></mrow></math></p>
<p><math display="block"><msqrt><mfrac><mrow><mi>x</mi><mo>+</mo><msqrt><mfrac><mn>1</mn><mn>2</mn></mfrac></msqrt></mrow><mi>y</mi></mfrac></msqrt>
<mo>⋅</mo><mroot><mi>z</mi><mn>3</mn></mroot><mo>+</mo><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>
<msub><mi>m</mi><mi>i</mi></msub><mo>+</mo><msubsup><mo>∫</mo><mn>0</mn><mi>T</mi></msubsup><mi>F</mi><mi>d</mi><mi>t</mi><mo>×</mo><mi>Ω</mi><mo>≠</mo>
<mi>∂</mi><mi>Ψ</mi></math></p><p><math display="block"><msub><mi>φ</mi><mtext>голень</mtext></msub><mo>=</mo>
<mover><mrow><mi>a</mi><mo>+</mo><mi>b</mi><mo>+</mo><mi>c</mi></mrow><mo>⏞</mo></mover></math></p>"""
