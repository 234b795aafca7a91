"""MJCF against MuJoCo: the files that it writes itself, files made at random, and the files that sistel writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np
import pytest
from lxml import etree
from support.foreign import canonical, good, mjcf
from support.kinematics import assert_same_pose, bodies, inertia_of, poses, quaternion_matrix
from support.robots import gallery_files, robot_files

import sistel
from sistel.markup._document import Document
from sistel.markup.mjcf._write import write_mjcf
from sistel.model import to_document

if TYPE_CHECKING:
    import numpy as np

pytestmark = pytest.mark.peer

FREE, BALL = 0, 1


def random_state(model: Any, rng: np.random.Generator) -> Any:
    """MuJoCo's data at random coordinates, with all poses computed."""
    data = mujoco.MjData(model)
    for joint in range(model.njnt):
        at, kind = model.jnt_qposadr[joint], model.jnt_type[joint]
        if kind == FREE:
            data.qpos[at : at + 3] = rng.uniform(-1, 1, 3)
            at += 3
        if kind in (FREE, BALL):
            data.qpos[at : at + 4] = unit(rng.normal(size=4))
        else:
            data.qpos[at] = rng.uniform(-np.pi, np.pi)
    mujoco.mj_kinematics(model, data)
    return data


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def our_coordinates(model: Any, data: Any, document: Document) -> dict[str, list[float]]:
    """The same coordinates by body: MuJoCo's joints are those of the document, in the order of the document."""
    moving = [node for node in document.root.walk() if node.key == "body" and node.text("joint") != "fixed"]
    assert len(moving) == model.njnt
    q: dict[str, list[float]] = {}
    for joint, body in enumerate(moving):
        at, kind = model.jnt_qposadr[joint], model.jnt_type[joint]
        name = body.text("name") or ""
        if kind == FREE:
            q[name] = [*data.qpos[at + 3 : at + 7], *data.qpos[at : at + 3]]
        else:
            q[name] = [*data.qpos[at : at + (4 if kind == BALL else 1)]]
    return q


def compare(model: Any, document: Document, rng: np.random.Generator) -> None:
    """Poses of all bodies and sites, masses, centres of mass and inertia, all in world axes."""
    data = random_state(model, rng)
    ours = poses(document, our_coordinates(model, data, document))
    by_name = bodies(document)
    for number in range(1, model.nbody):
        name = model.body(number).name or f"body{number}"
        theirs = np.eye(4)
        theirs[:3, :3], theirs[:3, 3] = data.xmat[number].reshape(3, 3), data.xpos[number]
        assert_same_pose(ours[name], theirs, name)
        carrier = name if name in by_name else f"{name}__pole"
        inertia, X_WB = inertia_of(by_name[carrier]), ours[carrier]
        assert inertia.mass == pytest.approx(model.body_mass[number], rel=1e-12)
        if not inertia.mass:
            continue
        com = X_WB[:3, :3] @ inertia.com + X_WB[:3, 3]
        assert com == pytest.approx(theirs[:3, :3] @ model.body_ipos[number] + theirs[:3, 3], abs=1e-12)
        turn = theirs[:3, :3] @ quaternion_matrix(model.body_iquat[number])
        expected = turn @ np.diag(model.body_inertia[number]) @ turn.T
        assert X_WB[:3, :3] @ inertia.tensor @ X_WB[:3, :3].T == pytest.approx(expected, abs=1e-11 * expected.max())
    for number in range(model.nsite):
        theirs = np.eye(4)
        theirs[:3, :3], theirs[:3, 3] = data.site_xmat[number].reshape(3, 3), data.site_xpos[number]
        assert_same_pose(ours[model.site(number).name], theirs, model.site(number).name)


def weighed(link: Any) -> None:
    """Mass for a link of a URDF file that has none, or none that could be: MuJoCo moves only bodies with mass."""
    inertial = link.find("inertial")
    if inertial is None:
        inertial = etree.SubElement(link, "inertial")
    mass, inertia = (
        found if (found := inertial.find(tag)) is not None else etree.SubElement(inertial, tag)
        for tag in ("mass", "inertia")
    )
    keys = ("ixx", "ixy", "ixz", "ixy", "iyy", "iyz", "ixz", "iyz", "izz")
    tensor = np.reshape([float(inertia.get(key, "0")) for key in keys], (3, 3))
    if float(mass.get("value", "0")) < 1e-6 or np.linalg.eigvalsh(tensor).min() < 1e-9:
        mass.set("value", "0.01")
        for key in keys:
            inertia.set(key, "1e-5" if key in ("ixx", "iyy", "izz") else "0")


def saved_by_mujoco(path: Path, folder: Path) -> str:
    """A URDF file as MuJoCo writes it, without geometry, every link with mass; skips what MuJoCo cannot load."""
    root = etree.parse(str(path)).getroot()
    for element in list(root.iter("visual", "collision", "mujoco")):
        element.getparent().remove(element)
    for link in root.iter("link"):
        weighed(link)
    compiler = etree.SubElement(etree.SubElement(root, "mujoco"), "compiler")
    compiler.attrib.update({"fusestatic": "false", "balanceinertia": "true"})
    try:
        model = mujoco.MjModel.from_xml_string(etree.tostring(root).decode())
    except ValueError as error:
        pytest.skip(f"MuJoCo: {str(error).splitlines()[0]}")
    file = folder / "saved.xml"
    mujoco.mj_saveLastXML(str(file), model)
    # MuJoCo rounds what it writes, and then refuses moments of inertia that no longer fit together.
    return file.read_text().replace("<compiler ", '<compiler balanceinertia="true" ')


@pytest.mark.parametrize(
    "path", [path for path in robot_files() if b"<robot" in path.read_bytes()], ids=lambda path: path.stem
)
def test_robots_that_mujoco_writes(path: Path, tmp_path: Path, rng: np.random.Generator) -> None:
    text = saved_by_mujoco(path, tmp_path)
    model = mujoco.MjModel.from_xml_string(text)
    if model.nbody == 1:
        pytest.skip("no bodies")
    compare(model, good(mjcf(text, snap=0.0)), rng)


class RandomModel:
    """A model with everything that changes where bodies are and what they weigh."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.count = 0
        self.radian = bool(rng.integers(2))
        self.sequence = "".join(str(letter) for letter in rng.choice(list("xyzXYZ"), 3))

    def numbers(self, count: int, size: float = 1.0) -> str:
        return " ".join(repr(float(value)) for value in self.rng.uniform(-size, size, count))

    def angles(self, count: int) -> str:
        return self.numbers(count, 3.0 if self.radian else 170.0)

    def orientation(self) -> str:
        return str(
            self.rng.choice(
                [
                    "",
                    f'quat="{self.numbers(4)}"',
                    f'axisangle="{self.numbers(3)} {self.angles(1)}"',
                    f'euler="{self.angles(3)}"',
                    f'xyaxes="{self.numbers(6)}"',
                    f'zaxis="{self.numbers(3)}"',
                ]
            )
        )

    def name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def joints(self) -> str:
        kinds = [str(kind) for kind in self.rng.choice(["hinge", "slide"], self.rng.integers(0, 4))]
        if "hinge" not in kinds and self.rng.integers(2):
            kinds.append("ball")  # MuJoCo allows no turn beside a ball
        return "".join(map(self.joint, kinds))

    def joint(self, kind: str) -> str:
        anchor = f'pos="{self.numbers(3)}"' if self.rng.integers(2) else ""
        ref = f'ref="{self.angles(1)}"' if self.rng.integers(2) and kind != "ball" else ""
        own_class = 'class="special"' if self.rng.integers(2) else ""
        return f'<joint name="{self.name("j")}" {own_class} type="{kind}" axis="{self.numbers(3)}" {anchor} {ref}/>'

    def geom(self) -> str:
        kind = str(self.rng.choice(["sphere", "capsule", "cylinder", "box", "ellipsoid"]))
        sizes = " ".join(repr(float(value)) for value in self.rng.uniform(0.1, 0.5, 3))
        mass = f'mass="{self.rng.uniform(0.1, 3)!r}"' if self.rng.integers(2) else ""
        own_class = 'class="special"' if self.rng.integers(2) else ""
        if kind != "sphere" and self.rng.integers(2):
            place = f'fromto="{self.numbers(6)}"'
        else:
            place = f'pos="{self.numbers(3)}" {self.orientation()}'
        return f'<geom {own_class} type="{kind}" size="{sizes}" {place} {mass}/>'

    def inertial(self) -> str:
        if self.rng.integers(2):
            return ""
        turn = self.orientation()
        base = self.rng.uniform(0.5, 1, 3)
        kind = f'diaginertia="{" ".join(map(repr, map(float, base)))}" {turn}'
        if self.rng.integers(2):
            products = self.rng.uniform(-0.05, 0.05, 3)
            kind = f'fullinertia="{" ".join(map(repr, map(float, [*base, *products])))}"'
        return f'<inertial pos="{self.numbers(3)}" mass="{self.rng.uniform(0.1, 3)!r}" {kind}/>'

    def body(self, depth: int) -> str:
        joints = self.joints()
        if depth == 0 and self.rng.integers(3) == 0:
            joints = "<freejoint/>"
        site = f'<site name="{self.name("s")}" pos="{self.numbers(3)}" {self.orientation()}/>'
        site += f'<site name="{self.name("s")}" type="capsule" size="0.1" fromto="{self.numbers(6)}"/>'
        inside = "".join(self.body(depth + 1) for _ in range(self.rng.integers(0, 3))) if depth < 3 else ""
        geoms = "".join(self.geom() for _ in range(self.rng.integers(1, 3)))
        child_class = 'childclass="heavy"' if self.rng.integers(3) == 0 else ""
        content = f"{self.inertial()}{geoms}{site}{inside}"
        if self.rng.integers(2):
            content = (
                f'<frame pos="{self.numbers(3)}" {self.orientation()}>{geoms}{site}{inside}</frame>{self.inertial()}'
            )
        place = f'pos="{self.numbers(3)}" {self.orientation()}'
        return f'<body name="{self.name("b")}" {place} {child_class}>{joints}{content}</body>'

    def text(self) -> str:
        unit_word = "radian" if self.radian else "degree"
        return f"""<mujoco model="random">
          <compiler angle="{unit_word}" eulerseq="{self.sequence}"/>
          <default>
            <geom density="700"/>
            <default class="heavy"><geom density="5000"/></default>
            <default class="special"><geom density="123"/><joint pos="0.3 0.2 0.1" damping="0.5"/></default>
          </default>
          <worldbody>{"".join(self.body(0) for _ in range(3))}</worldbody>
        </mujoco>"""


@pytest.mark.parametrize("number", range(25))
def test_random_models(number: int, rng: np.random.Generator) -> None:
    text = RandomModel(rng).text()
    compare(mujoco.MjModel.from_xml_string(text), good(mjcf(text, snap=0.0)), rng)
    compare(mujoco.MjModel.from_xml_string(text), good(mjcf(text)), rng)


LINKED = """<mujoco><compiler angle="radian"/><worldbody>
  <body name="a" pos="0.1 0 0" euler="0.1 0.2 0.3">
    <joint name="ja" ref="0.3"/><geom size="0.1"/><site name="sa" pos="0 0 0.3"/>
    <body name="b" pos="0.5 0.1 0" euler="1 0.2 0"><joint name="jb" pos="0.1 0.2 0" axis="0 1 0"/>
      <geom size="0.1"/></body>
  </body>
  <body name="c" pos="0.3 0.6 0" euler="0 0 0.7">
    <joint name="jc" axis="1 1 0" ref="-0.2"/><geom size="0.1"/><site name="sc" pos="0.1 0 0"/></body>
  </worldbody><equality>
  <connect name="k1" body1="b" body2="c" anchor="0.1 0.2 0.3"/> <connect name="k2" site1="sa" site2="sc"/>
  <weld name="w1" body1="b" body2="c"/> <weld name="w2" body1="b" relpose="1 2 3 0.5 0.5 0.5 0.5"/>
  <joint name="g" joint1="ja" joint2="jc" polycoef="0.1 0.2 0.3 0.4 0.5"/> </equality></mujoco>"""


def test_equalities(rng: np.random.Generator) -> None:
    """The residual that MuJoCo computes for each constraint, from our description of it."""
    model = mujoco.MjModel.from_xml_string(LINKED)
    document = good(mjcf(LINKED, snap=0.0))
    data = random_state(model, rng)
    mujoco.mj_forward(model, data)
    ours = poses(document, our_coordinates(model, data, document))
    residuals = {model.eq(number).name: data.efc_pos[data.efc_id == number] for number in range(model.neq)}
    (links,) = document.root.of("links")
    by_name = {node.text("name"): node for node in links.children}
    for name in ("k1", "k2", "w1", "w2"):
        ends = []
        for body_key, place_key, turn_key in (("body", "at", "turn"), ("to", "at-to", "turn-to")):
            (body,) = by_name[name].names(body_key)
            ends.append((np.eye(4) if body == "0" else ours[body]) @ side_pose(by_name[name], place_key, turn_key))
        gap = ends[0][:3, 3] - ends[1][:3, 3]
        if name.startswith("k"):
            assert gap == pytest.approx(residuals[name], abs=1e-12)
        else:
            assert np.linalg.norm(gap) == pytest.approx(np.linalg.norm(residuals[name][:3]), abs=1e-12)
    coupling = by_name["g"]
    ratio = [number.value for number in coupling.get("ratio")]
    offset = coupling.get("offset")[0].value
    x, y = data.qpos[model.joint("jc").qposadr[0]], data.qpos[model.joint("ja").qposadr[0]]
    value = offset + sum(factor * x ** (power + 1) for power, factor in enumerate(ratio))
    assert y - value == pytest.approx(residuals["g"][0], abs=1e-12)


def side_pose(node: Any, place_key: str, turn_key: str) -> np.ndarray:
    from support.kinematics import pose_of

    return pose_of(node, place_key, turn_key)


GALLERY_LIKE = """<system name="s" space="spatial">
  <gravity value="3.7 m/s^2"/>
  <body name="a" joint="revolute" axis="0,1,0" place="100,0,0" turn="0,0,30"
        mass="1" com="0,0,-200" inertia="0.1,0.2,0.15,0.01,0,0"
        stiffness="2" rest="20" damping="0.3" min="-90" max="90">
    <motor limit="5 N*m" ratio="10" inertia="1e-4"/>
    <frame name="tool" place="0,0,-400" turn="10,20,30"/>
    <body name="b" joint="universal" axis="1,0,0" axis2="0,1,0" place="0,0,-400" mass="1" inertia="0.1">
      <body name="c" joint="spherical" place="0,0,-100" mass="1" inertia="0.1"/>
    </body>
  </body>
  <body name="d" joint="cylindrical" axis="0,0,1" place="300,0,0" mass="1" inertia="0.1">
    <body name="e" joint="free" place="10,0,0" mass="1" inertia="0.1"/>
    <body name="rod" joint="revolute" axis="0,1,0"/>
  </body>
  <body name="f" joint="free" mass="1" inertia="0.1"/>
  <links>
    <closure name="loop" joint="revolute" axis="0,1,0" body="c" at="0,0,-50" to="d" at-to="0,0,-100"/>
    <closure name="ball" joint="spherical" body="f" to="e"/>
    <closure name="glue" joint="fixed" body="f" to="0" at-to="0,0,500" turn-to="0,0,45"/>
  </links>
</system>"""


def test_what_sistel_writes_is_what_mujoco_reads(rng: np.random.Generator) -> None:
    document = canonical(GALLERY_LIKE)
    text, _ = write_mjcf(document.root)
    model = mujoco.MjModel.from_xml_string(text)
    assert list(model.opt.gravity) == [0, 0, -3.7]
    again = good(mjcf(text, snap=0.0))
    compare(model, again, rng)
    # Joints in the order of the file; coordinates of one body may be several joints of MuJoCo.
    data = random_state(model, rng)
    theirs = poses(again, our_coordinates(model, data, again))
    q: dict[str, list[float]] = {}
    for name in ("a", "c"):
        at = model.joint(name).qposadr[0]
        q[name] = [*data.qpos[at : at + (4 if name == "c" else 1)]]
    q["b"] = [data.qpos[model.joint(f"b__{part}").qposadr[0]] for part in ("first", "second")]
    q["d"] = [data.qpos[model.joint(f"d__{part}").qposadr[0]] for part in ("angle", "slide")]
    at = model.joint("e").qposadr[0]
    q["e"] = [*data.qpos[at : at + 4], *(data.qpos[model.joint(f"e__{axis}").qposadr[0]] for axis in "xyz")]
    at = model.joint("f").qposadr[0]
    q["f"] = [*data.qpos[at + 3 : at + 7], *data.qpos[at : at + 3]]
    q["rod"] = [data.qpos[model.joint("rod").qposadr[0]]]
    ours = poses(document, q)
    for name in (*bodies(document), "tool"):
        assert_same_pose(ours[name], theirs[name], name)
    joint = model.joint("a")
    assert (joint.stiffness[0], joint.damping[0], joint.armature[0]) == pytest.approx((2, 0.3, 0.01))
    assert list(joint.range) == pytest.approx([-np.pi / 2, np.pi / 2])
    assert list(model.actuator("a").forcerange) == pytest.approx([-0.5, 0.5])
    assert model.neq == 4


CLOSED = """<system space="spatial">
  <body name="a" joint="revolute" mass="1" inertia="1"/>
  <body name="f" joint="free" mass="1" inertia="0.1"/>
  <links>
    <closure name="c" joint="{joint}" axis="1,2,3" body="f" at="100,200,300" turn="10,20,30" to="a" at-to="50,60,70"
      turn-to="40,50,60"/>
  </links>
</system>"""


@pytest.mark.parametrize("joint", ["revolute", "spherical", "fixed"])
def test_closures_hold_in_mujoco_where_they_should(joint: str, rng: np.random.Generator) -> None:
    """The sides are put together with the motion that the joint allows: MuJoCo finds no error then, and one elsewhere."""
    from support.kinematics import pose_of, rotation

    document = canonical(CLOSED.format(joint=joint))
    (links,) = document.root.of("links")
    (closure,) = links.children
    first, second = pose_of(closure, "at", "turn"), pose_of(closure, "at-to", "turn-to")
    angle = rng.uniform(-np.pi, np.pi)
    allowed = {
        "revolute": rotation(first[:3, :3].T @ [1, 2, 3], angle),
        "spherical": quaternion_matrix(rng.normal(size=4)),
        "fixed": np.eye(3),
    }[joint]
    motion = np.eye(4)
    motion[:3, :3] = allowed
    carrier = poses(document, {"a": [0.7]})["a"]
    X_WF = carrier @ second @ motion @ np.linalg.inv(first)
    model = mujoco.MjModel.from_xml_string(write_mjcf(document.root)[0])
    data = mujoco.MjData(model)
    data.qpos[0] = 0.7
    data.qpos[1:4] = X_WF[:3, 3]
    mujoco.mju_mat2Quat(data.qpos[4:8], X_WF[:3, :3].flatten())
    mujoco.mj_forward(model, data)
    assert data.nefc == {"revolute": 6, "spherical": 3, "fixed": 6}[joint]
    assert np.abs(data.efc_pos).max() < 1e-12
    data.qpos[4:8] = unit(rng.normal(size=4))
    mujoco.mj_forward(model, data)
    assert np.abs(data.efc_pos).max() > 1e-3


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_the_gallery_in_mujoco(path: Path, rng: np.random.Generator) -> None:
    text, _ = write_mjcf(to_document(sistel.load(path).model))
    compare(mujoco.MjModel.from_xml_string(text), good(mjcf(text, snap=0.0)), rng)
