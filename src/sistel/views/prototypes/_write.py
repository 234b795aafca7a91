"""The texts of the prototypes: X3D with the scripts inside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from math import cos, pi, sin
from xml.sax.saxutils import quoteattr

from sistel.errors import Language
from sistel.pose import Parameters
from sistel.views.prototypes._looks import PARTS
from sistel.views.prototypes._names import FIELDS, USES, Field, say
from sistel.views.prototypes._tables import DAMPER, declared, gripper_tables
from sistel.views.x3d._nodes import numbers, rows

ROUND = 32
"""Corners of a torus around its axis; half as many around its tube."""

_TAGS = {
    "Shapes": "Switch",
    "Clock": "TimeSensor",
    "Touch": "TouchSensor",
    "Slide": "PositionDamper",
    "Swing": "OrientationDamper",
}
"""Nodes that scripts have, where they are no Transforms."""


class Writer:
    """Prototypes in one language, with one set of tables."""

    def __init__(
        self,
        lang: Language,
        *,
        parameters: Parameters | None = None,
        scripts: Mapping[str, str] | None = None,
        smooth: str = "cubic",
        looks: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        """What `write_prototypes` takes."""
        self.lang = lang
        self.damped = smooth == DAMPER
        self.scripts = dict(scripts or {})
        self.tables = gripper_tables(lang, parameters or Parameters.standard(), self.scripts, smooth)
        self.looks = {**PARTS, **(looks or {})}

    def say(self, key: str) -> str:
        """A name in the language of the prototypes."""
        return say(key, self.lang)

    def node(self, key: str, name: str) -> str:
        """What a node within a prototype is called: no two prototypes have nodes of one name."""
        return f"{self.say(key)}_{self.say(name)}"

    # --- files -------------------------------------------------------------------------------------------------------

    def file(self, key: str) -> str:
        """A whole file with one prototype; those that it uses are in files beside it."""
        parts = [*map(self.external, self.used(key)), self.declaration(key)]
        return x3d_file(parts, title=self.say(key), components=self.components)

    @property
    def components(self) -> tuple[str, ...]:
        """Parts of X3D that they need beyond those of the profile."""
        return ("Followers",) if self.damped else ()

    def used(self, key: str) -> tuple[str, ...]:
        """The prototypes that one is made of."""
        return USES[key]

    def file_name(self, key: str) -> str:
        """Where a prototype lies."""
        return f"{self.say(key)}.x3d"

    def external(self, key: str, url: str | None = None) -> str:
        """What a scene says to use a prototype of another file; all fields have to be declared again."""
        fields = "".join(
            f"  <field accessType='inputOutput' type='{field.kind}' name='{self.say(field.key)}'/>\n"
            for field in FIELDS[key]
        )
        where = quoteattr(f'"{url or self.file_name(key)}"')
        return f"<ExternProtoDeclare name='{self.say(key)}' url={where}>\n{fields}</ExternProtoDeclare>"

    def declaration(self, key: str) -> str:
        """A prototype with its body."""
        bodies = {
            "body": self._body,
            "gripper": self._gripper,
            "operations": self._operations,
            "arm": self._arm,
            "walker": self._walker,
        }
        body = bodies[key]()
        interface = "\n".join(self._declared(field) for field in FIELDS[key])
        return f"""<ProtoDeclare name='{self.say(key)}'>
<ProtoInterface>
{interface}
</ProtoInterface>
<ProtoBody>
{body}
</ProtoBody>
</ProtoDeclare>"""

    def instance(
        self, key: str, fields: Mapping[str, str], name: str = "", nodes: Mapping[str, str] | None = None
    ) -> str:
        """An instance with values of some fields; `nodes` are those that hold nodes."""
        values = [f"<fieldValue name='{self.say(each)}' value='{value}'/>" for each, value in fields.items()]
        values += [f"<fieldValue name='{self.say(each)}'>{text}</fieldValue>" for each, text in (nodes or {}).items()]
        named = f" DEF='{name}'" if name else ""
        return f"<ProtoInstance{named} name='{self.say(key)}'>{''.join(values)}</ProtoInstance>"

    def _placed(self, node: str) -> str:
        """The beginning of a node that stands where the prototype is placed."""
        return f"""<Transform DEF='{node}'>
<IS>
<connect nodeField='translation' protoField='{self.say("place")}'/>
<connect nodeField='rotation' protoField='{self.say("orientation")}'/>
</IS>"""

    # --- bodies of prototypes ----------------------------------------------------------------------------------------

    def _body(self) -> str:
        script = self._script(
            "body",
            scripts=("codes.js", "body.js", "body_node.js", "body_fields.js"),
            is_fields=("code", "colour", "paint"),
            inputs={},
            nodes={"holder": "Body", "shapes": "Shapes"},
        )
        return f"""<Group>
<Transform DEF='{self.node("body", "Body")}'>
<IS><connect nodeField='scale' protoField='{self.say("scale")}'/></IS>
</Transform>
<Switch DEF='{self.node("body", "Shapes")}' whichChoice='-1'>
<Shape><Box size='1 1 1'/></Shape>
<Shape><Cylinder radius='0.5' height='1'/></Shape>
<Shape><Cone bottomRadius='0.5' height='1'/></Shape>
<Shape><Sphere radius='0.5'/></Shape>
<Shape>{torus()}</Shape>
</Switch>
{script}
</Group>"""

    def _gripper(self) -> str:
        s, n = self.say, partial(self.node, "gripper")
        inputs = {"tick": "SFTime", "click": "SFTime", "letter": "SFString", "action": "SFInt32", "shift": "SFBool"}
        nodes = {"hand": "Hand", "upper": "Upper", "lower": "Lower", "clock": "Clock", "touch": "Touch"}
        way, dampers, routes = "gripper_smooth.js", "", ""
        if self.damped:
            way, inputs["slid"], inputs["swung"] = "gripper_damped.js", "SFVec3f", "SFRotation"
            nodes |= {"slide": "Slide", "swing": "Swing"}
            # Order 3, so that it starts without a jerk; what it stops at is nearer than single precision shows.
            dampers = "".join(
                f"\n<{_TAGS[each]} DEF='{n(each)}' order='3' tolerance='0.000001'/>" for each in ("Slide", "Swing")
            )
            routes = "".join(
                f"\n{self._route('gripper', node, 'value_changed', heard)}"
                for node, heard in (("Slide", "slid"), ("Swing", "swung"))
            )
        script = self._script(
            "gripper",
            scripts=("codes.js", "attempt.js", "gripper_node.js", way, "gripper_fields.js"),
            is_fields=("place", "orientation", "position", "spread", "move", "turn", "transitions"),
            inputs=inputs,
            nodes=nodes,
        )
        finger = self.instance("body", {"code": numbers(self.looks["finger"])})
        hand = self.instance("body", {"code": numbers(self.looks["hand"])})
        return f"""<Group>
{self._placed(n("Hand"))}
<TouchSensor DEF='{n("Touch")}' enabled='false'/>
{hand}
<Transform DEF='{n("Upper")}'>{finger}</Transform>
<Transform DEF='{n("Lower")}'><Transform rotation='1 0 0 3.14159265359'>{finger}</Transform></Transform>
</Transform>
<TimeSensor DEF='{n("Clock")}' loop='true' enabled='false'/>{dampers}
<KeySensor DEF='{n("Keyboard")}' enabled='false'>
<IS><connect nodeField='enabled' protoField='{s("keys")}'/></IS>
</KeySensor>
{script}
{self._route("gripper", "Clock", "time", "tick")}
{self._route("gripper", "Touch", "touchTime", "click")}
{self._route("gripper", "Keyboard", "keyPress", "letter")}
{self._route("gripper", "Keyboard", "actionKeyPress", "action")}
{self._route("gripper", "Keyboard", "shiftKey", "shift")}{routes}
</Group>"""

    def _operations(self) -> str:
        n = partial(self.node, "operations")
        script = self._script(
            "operations",
            scripts=("codes.js", "operations.js", "operations_node.js", "operations_fields.js"),
            is_fields=("list", "loads", "grippers", "fitted", "held", "mode", "order", "time"),
            inputs={"tick": "SFTime", "click": "SFTime"},
            nodes={"flange": "Flange", "clock": "Clock"},
        )
        flange = self.instance("body", {"code": numbers(self.looks["flange"])})

        return f"""<Group>
<TouchSensor DEF='{n("Touch")}'/>
<Transform DEF='{n("Flange")}'>{flange}</Transform>
{self._held("loads")}
{self._held("grippers")}
<TimeSensor DEF='{n("Clock")}' loop='true' enabled='false'/>
{script}
{self._route("operations", "Clock", "time", "tick")}
{self._route("operations", "Touch", "touchTime", "click")}
</Group>"""

    def _arm(self) -> str:
        n = partial(self.node, "arm")
        places = {"root": "Base", "first": "First", "second": "Second", "third": "Third", "last": "Last"}
        script = self._script(
            "arm",
            scripts=("codes.js", "arm.js", "attempt.js", "arm_node.js", "arm_fields.js"),
            is_fields=(
                *("kind", "sizes", "joints", "wrist", "reach", "thickness"),
                *("position", "move", "transitions", "end"),
            ),
            inputs={"tick": "SFTime"},
            nodes={**places, "holding": "Holding", "clock": "Clock"},
        )
        link = self.instance("body", {})
        return f"""<Group>
{self._placed(n("Base"))}
{link}
<Transform DEF='{n("First")}'>
{link}
<Transform DEF='{n("Second")}'>
{link}
<Transform DEF='{n("Third")}'>
{link}
<Transform DEF='{n("Last")}'>
<Transform DEF='{n("Holding")}'>{self._held("tool")}</Transform>
</Transform>
</Transform>
</Transform>
</Transform>
</Transform>
<TimeSensor DEF='{n("Clock")}' loop='true' enabled='false'/>
{script}
{self._route("arm", "Clock", "time", "tick")}
</Group>"""

    def _walker(self) -> str:
        n = partial(self.node, "walker")
        script = self._script(
            "walker",
            scripts=("codes.js", "arm.js", "walker.js", "walker_node.js", "walker_fields.js"),
            is_fields=(
                *("place", "orientation", "sizes", "legs", "feet"),
                *("stride", "lift", "cycle", "walk", "time"),
            ),
            inputs={"tick": "SFTime"},
            nodes={"trunk": "Trunk", "clock": "Clock"},
        )
        return f"""<Group>
<Transform DEF='{n("Trunk")}'>
{self.instance("body", {})}
{self._held("legs")}
</Transform>
<TimeSensor DEF='{n("Clock")}' loop='true' enabled='false'/>
{script}
{self._route("walker", "Clock", "time", "tick")}
</Group>"""

    # --- pieces ------------------------------------------------------------------------------------------------------

    def _held(self, key: str) -> str:
        """Nodes that a field holds."""
        return f"<Group><IS><connect nodeField='children' protoField='{self.say(key)}'/></IS></Group>"

    def _declared(self, field: Field) -> str:
        value = f" value='{field.value}'" if field.value else ""
        about = quoteattr(field.about.ru if self.lang == "ru" else field.about.en)
        return (
            f"<field accessType='inputOutput' type='{field.kind}' name='{self.say(field.key)}'{value} appinfo={about}/>"
        )

    def _route(self, key: str, node: str, field: str, target: str) -> str:
        source, reader = self.node(key, node), self.node(key, "Reader")
        return f"<ROUTE fromNode='{source}' fromField='{field}' toNode='{reader}' toField='{self.say(target)}'/>"

    def _script(
        self,
        key: str,
        *,
        scripts: Iterable[str],
        is_fields: Sequence[str],
        inputs: Mapping[str, str],
        nodes: Mapping[str, str],
    ) -> str:
        kinds = {field.key: field for fields in FIELDS.values() for field in fields}
        own = {each: self.say(each) for each in is_fields}
        lines = [f"<field accessType='inputOutput' type='{kinds[each].kind}' name='{own[each]}'/>" for each in own]
        lines += [
            f"<field accessType='inputOnly' type='{kind}' name='{self.say(each)}'/>" for each, kind in inputs.items()
        ]
        for each, target in nodes.items():
            tag = _TAGS.get(target, "Transform")
            used = f"<{tag} USE='{self.node(key, target)}'/>"
            lines.append(f"<field accessType='initializeOnly' type='SFNode' name='{self.say(each)}'>{used}</field>")
        joined = "".join(f"<connect nodeField='{name}' protoField='{name}'/>" for name in own.values())
        source = self.source(scripts)
        fields = "\n".join(lines)
        return f"""<Script DEF='{self.node(key, "Reader")}' directOutput='true'>
{fields}
<IS>{joined}</IS>
<![CDATA[ecmascript:
{source.strip()}
]]>
</Script>"""

    def source(self, scripts: Iterable[str]) -> str:
        """The text of a script: tables, functions of one's own sets, files of this package."""
        own = "".join(f"  {key!r}: {text},\n" for key, text in self.scripts.items())
        return (
            declared("TABLES", self.tables)
            + (f"const OWN_SETS = {{\n{own}}};\n" if own else "")
            + "\n".join(re.sub(r"\$(\w+)\$", lambda match: self.say(match[1]), script_text(name)) for name in scripts)
        )


def script_text(name: str) -> str:
    """A file of the folder `js`."""
    return files("sistel.views.prototypes").joinpath("js", name).read_text(encoding="utf-8")


def x3d_file(parts: Iterable[str], *, title: str, components: Iterable[str] = ()) -> str:
    """A whole X3D file with these parts in its scene, and what it needs beyond its profile."""
    scene = "\n".join(parts)
    needed = "".join(f"<component name='{name}' level='1'/>\n" for name in components)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<X3D profile='Immersive' version='4.0' xmlns:xsd='http://www.w3.org/2001/XMLSchema-instance' xsd:noNamespaceSchemaLocation='https://www.web3d.org/specifications/x3d-4.0.xsd'>
<head>
{needed}<meta name='title' content={quoteattr(title)}/>
<meta name='generator' content='sistel'/>
</head>
<Scene>
<WorldInfo title={quoteattr(title)}/>
{scene}
</Scene>
</X3D>
"""


def torus() -> str:
    """A tube around y that fits a cube of edge 1: its tube is round where the height is a quarter of the width."""
    ring = [(0.375 * cos(a), 0.0, 0.375 * sin(a)) for a in (2 * pi * k / ROUND for k in range(ROUND + 1))]
    tube = [(0.125 * cos(a), -0.5 * sin(a)) for a in (2 * pi * k / (ROUND // 2) for k in range(ROUND // 2 + 1))]
    return (
        f"<Extrusion crossSection='{rows(tube)}' spine='{rows(ring)}' creaseAngle='3' "
        "beginCap='false' endCap='false' convex='true'/>"
    )
