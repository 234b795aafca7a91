"""Scenes that use the prototypes: one for each thing that they can do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from sistel.errors import Language, Text
from sistel.look import triple
from sistel.pose.conversions import from_matrix, to_euler_parameters
from sistel.views.prototypes._looks import (
    ALONG_X,
    BALL,
    BLUE,
    BOX,
    CYLINDER,
    DARK,
    ORANGE,
    STEEL,
    WHITE,
    Part,
    body_code,
)
from sistel.views.prototypes._names import found as found_prototype
from sistel.views.prototypes._names import prototype_names, say
from sistel.views.prototypes._operations import records
from sistel.views.prototypes._write import Writer, x3d_file
from sistel.views.x3d._nodes import numbers, rows

FLOOR = -0.3
"""Height of the ground in the scenes [m]."""
LIGHTS = (
    ("-0.5 -0.9 -0.55", 0.75, 0.8),
    ("0.85 -0.2 -0.5", 0.38, 0.0),
    ("0.2 0.25 0.9", 0.25, 0.0),
    ("0 1 -0.2", 0.2, 0.0),
)
"""Directions, intensities and ambient parts."""

SCENES: dict[str, Text] = {
    "body": Text("screw", "винт"),
    "gripper": Text("gripper_keys", "схват_клавиши"),
    "transitions": Text("gripper_transitions", "схват_переходы"),
    "clicks": Text("gripper_clicks", "схват_клики"),
    "loads": Text("gripper_loads", "схват_грузы"),
    "bayonet": Text("gripper_bayonet", "схват_байонет"),
    "heating": Text("heating", "нагрев"),
    "arms": Text("arms", "руки"),
    "walker": Text("walking_machine", "шагающая_машина"),
}
"""What the scenes are called."""
TITLES: dict[str, Text] = {
    "body": Text("A body by its code: a screw", "Тело по коду: винт"),
    "gripper": Text("A gripper that keys move", "Схват, которым управляют клавиши"),
    "transitions": Text("Timed transitions of a gripper", "Переходы схвата по времени"),
    "clicks": Text("A gripper that clicks lead on", "Схват, который ведут щелчки"),
    "loads": Text("A gripper takes a load and puts it down", "Схват берёт и кладёт груз"),
    "bayonet": Text("Grippers are changed by a bayonet", "Смена схвата байонетом"),
    "heating": Text("Colour and size of a body go with time", "Цвет и размеры тела меняются со временем"),
    "arms": Text("One way, four kinds of arms", "Один путь, четыре вида рук"),
    "walker": Text("A walking machine, its legs are arms", "Шагающая машина: её ноги — руки"),
}

SHOWN = {"body": "body", "gripper": "gripper", "operations": "loads", "arm": "arms", "walker": "walker"}
"""The scene that shows a prototype."""

SCREW = body_code(
    [
        Part(CYLINDER, (0.008, 0.05, 0.008), (0.0, 0.0, 0.0), STEEL),
        Part(3, (0.008, 0.01, 0.008), (0.0, -0.03, 0.0), STEEL, (1.0, 0.0, 0.0, 180.0)),
        Part(CYLINDER, (0.018, 0.006, 0.018), (0.0, 0.028, 0.0), BLUE),
        Part(BALL, (0.018, 0.008, 0.018), (0.0, 0.031, 0.0), BLUE),
        Part(BOX, (0.011, 0.002, 0.0022), (0.0, 0.0342, 0.0), DARK),
        *(Part(5, (0.0105, 0.0024, 0.0105), (0.0, 0.004 * k, 0.0), STEEL) for k in range(-6, 4)),
    ]
)
"""A body of many parts."""
CUBE = body_code(
    [
        Part(BOX, (0.04, 0.04, 0.04), (0.0, 0.0, 0.0), ORANGE),
        Part(BOX, (0.0404, 0.008, 0.0404), (0.0, 0.0, 0.0), WHITE),
    ]
)
"""A load of 40 mm."""
DOWN, DOWN_TURNED = 41, 45
LOADS = records(
    (0.0, 0, 0, 0.08, 0, 5, 0.0, 0.14, 0.0, DOWN),
    (1.5, 0, 0, 0.08, 0, 5, -0.25, 0.14, 0.0, DOWN),
    (2.5, 0, 0, 0.08, 0, 5, -0.25, 0.0, 0.0, DOWN),
    (3.0, 1, 1, 0.04, 0, 5, -0.25, 0.0, 0.0, DOWN),
    (4.0, 0, 0, 0.04, 0, 5, -0.25, 0.14, 0.0, DOWN),
    (6.0, 0, 0, 0.04, 0, 5, 0.25, 0.14, 0.05, DOWN_TURNED),
    (7.0, 0, 0, 0.04, 0, 5, 0.25, 0.0, 0.05, DOWN_TURNED),
    (7.5, 2, 1, 0.08, 0, 5, 0.25, 0.0, 0.05, DOWN_TURNED),
    (8.5, 0, 0, 0.08, 0, 5, 0.25, 0.14, 0.05, DOWN_TURNED),
    (10.0, 0, 0, 0.08, 0, 5, 0.0, 0.14, 0.0, DOWN),
)
"""From the left table to the right one, with a quarter of a turn."""
NEST, OTHER = (0.12, 0.02, 0.0), (0.12, -0.22, 0.0)
BAYONET = records(
    (0.0, 0, 0, 0.04, 0, 5, 0.0, 0.25, 0.0, 13),
    (1.5, 0, 0, 0.02, 0, 5, NEST[0], NEST[1] + 0.12, 0.0, 13),
    (2.5, 0, 0, 0.02, 0, 5, *NEST, 13),
    (3.5, 3, 1, 0.02, 0, 5, *NEST, 13),
    (4.5, 0, 0, 0.02, 0, 5, NEST[0] - 0.12, NEST[1], 0.0, 13),
    (5.5, 0, 0, 0.02, 0, 5, OTHER[0] - 0.12, OTHER[1], 0.0, 13),
    (6.5, 0, 0, 0.0, 0, 5, *OTHER, 13),
    (7.5, 4, 2, 0.0, 0, 5, *OTHER, 13),
    (8.5, 0, 0, 0.0, 0, 5, OTHER[0], OTHER[1] + 0.1, 0.0, 13),
    (10.0, 0, 0, 0.06, 0, 5, -0.05, 0.0, 0.15, 13),
)
"""The gripper goes into its nest, the lug turns, the flange fetches the other one."""
TRANSITIONS = records(
    (1.0, 0, 5, 0.12, 0.0, 0.0, 32),
    (2.5, 1, 1, 0.18, 120.0, 0.0, 30.0, 45.0, 60.0),
    (4.0, 2, 3, 0.2, 90.0, -60.0, 0.5, 0.5, -0.5, 0.5),
    (5.5, 0, 5, 0.0, 0.0, 0.0, 13),
)
"""Three kinds of coordinates and three kinds of orientation on one way."""
CLICKS = records((0, 5, 0, 0, 0, 13), (0, 5, 0.1, 0.05, 0, 32), (0, 5, 0, 0.1, 0, 42), (0, 5, -0.1, 0, 0, 53))
"""Four poses in a row."""


Point = tuple[float, float, float]


def surroundings(
    place: Point = (0.3, 0.22, 0.72),
    target: Point = (0.0, 0.0, 0.0),
    floor: tuple[float, float, float] = (0.6, 0.1, FLOOR),
) -> str:
    """Sky, lights, ground and who looks.

    Args:
        place: Of the eyes [m].
        target: What they look at, and what a hand turns the scene about [m].
        floor: Half the width of the ground, the step of its grid, its height [m].
    """
    lights = "".join(
        f"<DirectionalLight direction='{way}' intensity='{bright}' ambientIntensity='{soft}' global='true'/>\n"
        for way, bright, soft in LIGHTS
    )
    view = f"position='{numbers(place)}' orientation='{numbers(_looking(place, target))}'"
    # Small eyes: what is a hand's breadth away is still seen.
    return f"""<NavigationInfo type='"EXAMINE" "ANY"' headlight='false' avatarSize='0.02 1.6 0.75'/>
<Background skyColor='{triple("paper", "plate", "soft")}' skyAngle='1.2 1.6'/>
<Viewpoint {view} centerOfRotation='{numbers(target)}' fieldOfView='0.7'/>
{lights}{ground(*floor)}"""


def _looking(place: Point, target: Point) -> Sequence[float]:
    """Axis and angle [rad] of eyes that look at a target, upright."""
    back = np.subtract(place, target)
    back = back / np.linalg.norm(back)
    right = np.cross([0.0, 1.0, 0.0], back)
    right = right / np.linalg.norm(right)
    q = from_matrix(np.stack([right, np.cross(back, right), back], axis=-1))
    return [float(part) for part in to_euler_parameters(q)]


def ground(half: float = 0.6, step: float = 0.1, height: float = FLOOR) -> str:
    """A grid on the ground."""
    count = round(half / step)
    lines = []
    for k in range(-count, count + 1):
        at = k * step
        lines += [(at, height, -half), (at, height, half), (-half, height, at), (half, height, at)]
    ends = " ".join(["2"] * (len(lines) // 2))
    return f"""<Shape><Appearance><UnlitMaterial emissiveColor='{triple("line")}'/></Appearance>
<LineSet vertexCount='{ends}'><Coordinate point='{rows(lines)}'/></LineSet></Shape>"""


def draw_scene_of(name: str, writer: Writer, *, beside: str | None = None) -> str:
    """A scene.

    Args:
        name: One of `SCENES`.
        writer: Of the prototypes.
        beside: The folder of the prototypes as the file sees it; without, they are in the scene itself.
    """
    keys, parts = _MAKERS[name](writer)
    title = TITLES[name].ru if writer.lang == "ru" else TITLES[name].en
    if beside is None:
        declared = [writer.declaration(key) for key in keys]
    else:
        declared = [writer.external(key, f"{beside}/{writer.file_name(key)}") for key in keys]
    return x3d_file([*declared, *parts], title=title)


OPERATED = ("body", "gripper", "operations")
"""What scenes of operations are made of."""
Made = tuple[tuple[str, ...], list[str]]


def _body(w: Writer) -> Made:
    screw = w.instance("body", {"code": numbers(SCREW)}, name=w.say("Body"))
    turned = f"<Transform rotation='0 0 1 -0.5'>{screw}</Transform>"
    view = surroundings((0.06, 0.03, 0.12), (0.0, 0.0, 0.0))
    return ("body",), [view, turned]


def _gripper(w: Writer) -> Made:
    return _single(w, {"spread": "0.04", "keys": "true"})


def _transitions(w: Writer) -> Made:
    return _single(w, {"spread": "0.04", "transitions": numbers(TRANSITIONS)})


def _clicks(w: Writer) -> Made:
    return _single(w, {"spread": "0.04", "position": numbers(CLICKS)})


def _single(w: Writer, fields: Mapping[str, str]) -> Made:
    return ("body", "gripper"), [surroundings(), w.instance("gripper", fields, name=w.say("Hand"))]


def _loads(w: Writer) -> Made:
    cube = w.instance("body", {"code": numbers(CUBE)})
    load = f"<Transform DEF='{say_load(w.lang)}' translation='-0.25 0 0'>{cube}</Transform>"
    gripper = w.instance(
        "gripper", {"place": "0 0.14 0", "orientation": "0 0 1 4.71238898", "spread": "0.08"}, name=w.say("Hand")
    )
    table = body_code(
        [
            Part(BOX, (0.16, 0.02, 0.16), (0.0, -0.03, 0.0), WHITE),
            Part(CYLINDER, (0.03, 0.24, 0.03), (0.0, -0.16, 0.0), DARK),
            Part(CYLINDER, (0.12, 0.02, 0.12), (0.0, -0.29, 0.0), DARK),
        ]
    )
    tables = [
        f"<Transform translation='{at}'>{w.instance('body', {'code': numbers(table)})}</Transform>"
        for at in ("-0.25 0 0", "0.25 0 0.05")
    ]
    work = w.instance(
        "operations", {"list": numbers(LOADS)}, name=w.say("operations"), nodes={"loads": load, "grippers": gripper}
    )
    view = surroundings((0.4, 0.42, 1.3), (0.0, 0.1, 0.0))
    return OPERATED, [view, *tables, work]


def _bayonet(w: Writer) -> Made:
    first = w.instance("gripper", {"place": "0 0.25 0", "spread": "0.04"}, name=f"{w.say('Hand')}_1")
    second = w.instance(
        "gripper", {"place": numbers(OTHER), "orientation": "1 0 0 1.57079633"}, name=f"{w.say('Hand')}_2"
    )
    beam = [
        Part(BOX, (0.03, 0.5, 0.02), (-0.052, -0.08, -0.13), WHITE),
        Part(BOX, (0.16, 0.02, 0.16), (-0.052, -0.29, -0.1), DARK),
    ]
    nests = [part for _, y, _ in (NEST, OTHER) for part in _nest(y)]
    rack = w.instance("body", {"code": numbers(body_code([*beam, *nests]))})
    work = w.instance(
        "operations", {"list": numbers(BAYONET)}, name=w.say("operations"), nodes={"grippers": first + second}
    )
    view = surroundings((0.4, 0.3, 1.0), (-0.05, 0.0, 0.0))
    return OPERATED, [view, rack, work]


UPRIGHT = "1 0 0 -1.57079632679"
"""Of what has z upwards, in a scene where y is [rad]."""
GLOWING, SWOLLEN, SECONDS = "1 0.35 0.05", "1.25 1.25 1.25", 6
ARMS = {
    0: ("1.8 1.4 1", "0.5 0 -0.4"),
    1: ("0.4 0.35 1.1", "0 150 0.2"),
    2: ("0.7 0.35 0.9", "0 0 0.2"),
    3: ("0.5 0.6 0.5", "0 70 -110"),
}
"""Sizes of the four kinds of arms [m], and joints where they begin [m, deg]."""
ARM_REACH = 0.24
"""From the wrist of an arm to the pole of its gripper [m]."""
ARM_WAY = records(
    (1.5, 0, 5, 0.75, 0.3, 0.5, 13),
    (3.0, 1, 5, 0.8, -25.0, 0.45, 13),
    (4.5, 2, 5, 0.85, -25.0, 60.0, 13),
    (6.0, 0, 5, 0.65, 0.0, 0.75, 13),
)
"""The way of their poles, in three kinds of coordinates."""
LEG, HIPS = "0 0.25 0.3", ((0.3, 0.2), (0.3, -0.2), (-0.3, 0.2), (-0.3, -0.2))
"""Sizes of a leg, and where legs are on the trunk [m]."""


def _heating(w: Writer) -> Made:
    cube = w.instance("body", {"code": numbers(CUBE), "paint": "1"}, name=w.say("Body"))
    routes = "".join(
        f"\n<ROUTE fromNode='{node}' fromField='value_changed' toNode='{w.say('Body')}' toField='{w.say(field)}'/>"
        f"\n<ROUTE fromNode='{w.say('Clock')}' fromField='fraction_changed' toNode='{node}' toField='set_fraction'/>"
        for node, field in (("Glow", "colour"), ("Swell", "scale"))
    )
    animated = f"""{cube}
<TimeSensor DEF='{w.say("Clock")}' cycleInterval='{SECONDS}' loop='true'/>
<ColorInterpolator DEF='Glow' key='0 0.5 1' keyValue='0.3 0.22 0.18, {GLOWING}, 0.3 0.22 0.18'/>
<PositionInterpolator DEF='Swell' key='0 0.5 1' keyValue='1 1 1, {SWOLLEN}, 1 1 1'/>{routes}"""
    return ("body",), [surroundings((0.08, 0.07, 0.14), (0.0, 0.0, 0.0), (0.1, 0.02, -0.03)), animated]


def _arms(w: Writer) -> Made:
    stand = []
    for kind, (sizes, joints) in ARMS.items():
        tool = w.instance("gripper", {"spread": "0.04"})
        fields = {"kind": str(kind), "sizes": sizes, "joints": joints, "reach": numbers([ARM_REACH])}
        fields |= {"transitions": numbers(ARM_WAY), "thickness": "0.07" if kind == 0 else "0.09"}
        at = (
            ((-1.1, 1.1) if kind % 2 == 0 else (1.1, 1.1)) if kind < 2 else ((-1.1, -1.0) if kind == 2 else (1.1, -1.0))
        )
        name = f"{w.say('arm')}_{kind}"
        stand.append(w.instance("arm", {**fields, "place": numbers([*at, 0.0])}, name=name, nodes={"tool": tool}))
    turned = f"<Transform rotation='{UPRIGHT}'>{''.join(stand)}</Transform>"
    return ("body", "gripper", "arm"), [surroundings((1.7, 2.3, 4.3), (0.0, 0.4, 0.0), (2.5, 0.5, 0.0)), turned]


def _walking(w: Writer) -> Made:
    legs = "".join(
        w.instance(
            "arm",
            {
                "sizes": LEG,
                "place": f"{x} {y} 0",
                "orientation": f"0 0 1 {1.57079632679 if y > 0 else -1.57079632679}",
                "thickness": "0.045",
            },
        )
        for x, y in HIPS
    )
    machine = w.instance("walker", {"walk": "true"}, name=w.say("walker"), nodes={"legs": legs})
    view = surroundings((1.6, 1.1, 1.9), (0.3, 0.25, 0.0), (2.0, 0.25, 0.0))
    return ("body", "arm", "walker"), [view, f"<Transform rotation='{UPRIGHT}'>{machine}</Transform>"]


def _nest(height: float) -> list[Part]:
    """A fork that a wrist lies in."""
    x = NEST[0] - 0.172
    return [
        Part(BOX, (0.018, 0.012, 0.13), (x, height - 0.036, -0.055), BLUE),
        Part(BOX, (0.018, 0.05, 0.008), (x, height - 0.018, 0.034), BLUE),
        Part(BOX, (0.018, 0.05, 0.008), (x, height - 0.018, -0.034), BLUE),
        Part(CYLINDER, (0.03, 0.03, 0.03), (x, height - 0.036, -0.115), STEEL, ALONG_X),
    ]


def say_load(lang: Language) -> str:
    """What the load of the scene is called."""
    return "Груз_1" if lang == "ru" else "Load_1"


_MAKERS: dict[str, Callable[[Writer], Made]] = {
    "body": _body,
    "gripper": _gripper,
    "transitions": _transitions,
    "clicks": _clicks,
    "loads": _loads,
    "bayonet": _bayonet,
    "heating": _heating,
    "arms": _arms,
    "walker": _walking,
}

_EXTERNAL = re.compile(r"<ExternProtoDeclare\b([^>]*?)(?:/>|>.*?</ExternProtoDeclare>)", re.DOTALL)
_NAME = re.compile(r"""\bname\s*=\s*(["'])(.*?)\1""")


def whole_scene(text: str) -> str:
    """A scene with the prototypes of this package inside instead of in other files: for pages.

    Args:
        text: A whole X3D file; prototypes of other names stay where they are.
    """
    declared: set[str] = set()

    def inside(match: re.Match[str]) -> str:
        name = _NAME.search(match[1])
        own = None if name is None else own_declarations(name[2], declared)
        return match[0] if own is None else "\n".join(own.values())

    return _EXTERNAL.sub(inside, text)


def own_declarations(name: str, declared: set[str]) -> dict[str, str] | None:
    """The declaration of a prototype of this package, after those that it uses, by name; None where there is none.

    Args:
        name: In either language.
        declared: Prototypes that the scene has already, which are left out; what is new is added.
    """
    if name not in prototype_names():
        return None
    key, lang = found_prototype(name)
    writer = Writer(lang)
    needed = [each for each in (*writer.used(key), key) if say(each, lang) not in declared]
    declared.update(say(each, lang) for each in needed)
    return {say(each, lang): writer.declaration(each) for each in needed}


def scene_of(name: str) -> str:
    """The name of the scene that shows a prototype, in the language of its name.

    Raises:
        SistelError: There is no such prototype.
    """
    key, lang = found_prototype(name)
    words = SCENES[SHOWN[key]]
    return str(words.ru if lang == "ru" else words.en)


def scene_names(lang: Language) -> Sequence[str]:
    """The scenes by name."""
    return [words.ru if lang == "ru" else words.en for words in SCENES.values()]
