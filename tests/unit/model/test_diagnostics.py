"""Every message of the reader and the model: its code, its place to the character, and that it comes alone.

In the cases ⟦…⟧ marks the stretch that the caret must stand under. A case is one mistake, and one mistake must give one
message: a second one is noise, and fails the test.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import sistel
from sistel.errors import Diagnostic

SOURCE = Path(sistel.__file__).parent

ROD = 'joint="revolute" mass="1" com="0,100" inertia="0.01"'
TWO = f'<body name="a" {ROD}><point name="p" place="0,200"/><body name="b" {ROD}><point name="r"/></body></body>'
FREE = '<body name="a" joint="free" mass="1" inertia="1"><point name="p" place="0,200"/></body>'
SPEEDY = FREE.replace("</body>", '<circle name="w" radius="10"/></body>')
CONTACT = '<contact name="c" point="p" surface="y = 0"/>'
STRUCTURES = '<structure name="s"/><structure name="w" holds="c"/>'


def planar(inside: str) -> str:
    return f"<system>{inside}</system>"


def spatial(inside: str) -> str:
    return f'<system space="spatial">{inside}</system>'


def solids(contact: str, shapes: str, world: str = '<box name="f" size="9,9,9"/>') -> str:
    return spatial(
        f'<world>{world}</world><body joint="free" mass="1" inertia="1">{shapes}</body>'
        f'<links><contact name="k" {contact}/></links>'
    )


def links(inside: str, bodies: str = TWO) -> str:
    return planar(f"{bodies}<links>{inside}</links>")


def rolls(contact: str, shape: str = '<circle name="r" radius="3"/>') -> str:
    """A body with a point c and a round shape r, and a contact."""
    return links(
        f'<contact name="k" {contact}/>',
        f'<body name="w" joint="free" mass="1" inertia="1">{shape}<point name="c"/></body>',
    )


def touches(contact: str, shape: str = '<box name="r" size="20, 10"/>', world: str = "") -> str:
    """A body with a shape r, a world with a floor f, and a contact."""
    floor = '<polyline name="f" points="-100,50; 100,50"/>'
    return planar(
        f'<world>{floor}{world}</world><body name="w" joint="free" mass="1" inertia="1">{shape}<point name="c"/></body>'
        f'<links><contact name="k" {contact}/></links>'
    )


def tracked(second: bool = True, **given: str | None) -> str:
    """A hull with two tracks, or one, of which the first has other attributes."""
    usual = {
        "name": "l",
        "of": "h",
        "rear": "-1, 1, 0",
        "front": "1, 1, 0",
        "drive": "w",
        "radius": "9",
        "friction": "1",
    }
    first = " ".join(f'{key}="{value}"' for key, value in (usual | given).items() if value is not None)
    other = " ".join(f'{key}="{value}"' for key, value in usual.items()).replace('"l"', '"r"').replace("1, 1", "1, -1")
    inside = f"<track {first}/><track {other}/>" if second else f"⟦<track {first}/>⟧"
    inside = inside.replace("<track", "⟦<track", 1).replace("/>", "/>⟧", 1) if "friction" in given else inside
    turns = '<body name="w" joint="revolute" axis="y" mass="1" inertia="1, 1, 1"/>'
    return spatial(f'<body name="h" joint="planar" mass="1" inertia="1, 1, 1">{turns}</body>{inside}')


GROOVE = spatial(
    '<body name="w" joint="free" mass="1" inertia="1"><sphere name="r" radius="3"/></body><links>'
    '<contact name="k" of="r" surface="z = y" friction="0.3"/>⟦<contact name="l" of="r" surface="z = -y"/>⟧'
    '<contact name="m" of="r" surface="x >= 0" friction="none"/></links>'
)
THREE = f'{CONTACT}<closure name="k" body="a" to="0" holds="no"/>{STRUCTURES}<structure name="u" holds="k"/>'


def graph(transitions: str) -> str:
    """Structures s (free), w (on the contact c) and u (in the closure k), and transitions between them."""
    return links(THREE + transitions, FREE)


WINDING = 'resistance="2 Ohm" constant="0.05 V*s/rad"'
SERVO = '<motion value="0" kp="1" kd="1"/>'


def motor(attributes: str, rest: str = SERVO) -> str:
    """A rod with a motor."""
    return planar(f'<body name="a" {ROD}><motor {attributes}/>{rest}</body>')


def when(condition: str, rest: str = "") -> str:
    inside = f'{CONTACT}{STRUCTURES}<transition from="s" to="w" when="{condition}"/>{rest}'
    return links(inside, FREE)


def when_with(condition: str, rest: str, target: str, inside: str = "") -> str:
    """A transition with further attributes and elements, and one that leads back."""
    back = '<transition from="w" to="s" when="normal(c) &lt; 0"/>' if target == "w" else ""
    counter = '<counter name="n"/>'
    there = '<structure name="w" holds="c"/>' if target == "w" else ""
    return links(
        f'{CONTACT}{counter}<structure name="s"/>{there}<transition from="s" to="{target}" when="{condition}" {rest}>'
        f"{inside}</transition>{back}",
        FREE,
    )


def scheme(inside: str, attributes: str = 'period="1 ms"', motor: str = "") -> str:
    """A rod with a motor and a scheme."""
    return planar(
        f'<body name="a" {ROD}><motor name="m" {motor}/></body><scheme name="s" {attributes}>{inside}</scheme>'
    )


ERRORS: list[tuple[str, str]] = [
    # schemes
    ("misplaced", planar('<drawing>⟦<place of="u" at="1, 0"/>⟧</drawing>' + TWO)),
    ("misplaced", scheme('<signal name="u" value="1"/><drawing>⟦<pose of="a"/>⟧</drawing>', "")),
    ("misplaced", scheme('<signal name="u" value="1"/><drawing ⟦width⟧="100"/>', "")),
    ("not-positive", scheme("", 'period="⟦0 s⟧"')),
    ("not-positive", scheme("", 'period="1 s" offset="⟦-1 s⟧"')),
    ("no-clock", scheme("", 'latency="⟦1 ms⟧"')),
    ("long-latency", scheme("", 'period="1 ms" latency="⟦2 ms⟧"')),
    ("algebraic-loop", scheme('<signal name="⟦x⟧" value="y"/><signal name="y" value="x + 1"/>')),
    ("algebraic-loop", scheme('<block name="⟦k⟧" kind="delay" in="k + 1"/>')),
    ("wrong-block", scheme('<block name="k" kind="⟦delay⟧" in="1"/>', "")),
    ("unknown-word", scheme('<block name="k" kind="⟦pdd⟧" in="1"/>')),
    ("missing-attribute", scheme('⟦<block name="k" kind="gain" in="1"/>⟧')),
    ("missing-attribute", scheme('⟦<block name="k" kind="pd" in="1" kp="1" kd="1 s"/>⟧', "")),
    ("unknown-attribute", scheme('<block name="k" kind="gain" in="1" gain="2" ⟦limit⟧="3"/>')),
    ("wrong-count", scheme('<block name="k" kind="delay" in="1" ticks="⟦0.5⟧"/>')),
    ("wrong-count", scheme('<block name="k" kind="not" in="⟦t gt 1 s, t gt 2 s⟧"/>')),
    ("wrong-count", scheme('<signal name="k" value="⟦1, 2⟧"/>')),
    ("wrong-dimension", scheme('<signal name="k" value="⟦angle(a) + 1 m⟧"/>')),
    ("wrong-dimension", scheme('⟦<block name="k" kind="integrator" in="angle(a)" start="1 m"/>⟧')),
    ("same-name", scheme('<signal name="k" value="1"/><signal name="⟦k⟧" value="2"/>')),
    ("same-name", planar('<parameter name="k" value="1"/>' + scheme('<signal name="⟦k⟧" value="k"/>')[8:-9])),
    ("unknown-name", scheme('<output motor="⟦n⟧" from="1 N*m"/>')),
    ("wrong-dimension", scheme('<output motor="m" from="⟦1 m⟧"/>')),
    ("incomplete-motor", scheme('<output motor="m" from="⟦1 V⟧"/>')),
    ("wrong-count", scheme('<output motor="m" from="⟦1 N*m, 2 N*m⟧"/>')),
    ("two-commands", scheme('<output motor="m" from="1 N*m"/><output motor="⟦m⟧" from="1 N*m"/>')),
    ("state-in-constant", scheme('<input name="i" value="⟦t⟧"/>')),
    # impact rules, counters, bands
    ("no-impact-rule", when_with("t > 1 s", 'impact="none" strikes="⟦c⟧"', "s", '<set of="a.x" value="1"/>')),
    ("no-cone", when_with("⟦margin(c)⟧ &lt; 0", "", "w")),
    ("wrong-counter", when_with("t > 1 s", "", "s", '<set of="n" rate="⟦1⟧"/>')),
    ("wrong-counter", when_with("t > 1 s", "", "s", '<set of="⟦n⟧"/>')),
    ("wrong-dimension", when_with("t > 1 s", "", "s", '<set of="n" value="⟦x(p)⟧"/>')),
    ("unknown-name", when_with("t > 1 s", 'counts="⟦m⟧"', "s")),
    ("constant-crossing", when_with("⟦counter(n)⟧ rises through 3", 'counts="n"', "s")),
    ("same-name", links(f'{CONTACT}<counter name="n"/><counter name="⟦n⟧"/>', FREE)),
    ("no-threshold", when_with("gap(c) falls through 0", 'hysteresis="⟦1 kg⟧"', "w")),
    ("no-threshold", when_with("gap(c) crosses 0", 'hysteresis="⟦1 mm⟧"', "w")),
    ("negative", when_with("gap(c) falls through 0", 'hysteresis="⟦-1 mm⟧"', "w")),
    ("negative", when_with("gap(c) falls through 0", 'within="⟦-1 mm⟧"', "w")),
    ("wrong-dimension", when_with("gap(c) falls through 0", 'within="⟦1 mm, 1 kg⟧"', "w")),
    ("nothing-engages", when_with("gap(c) falls through 0", 'engage="⟦as it is⟧"', "w")),
    ("wrong-coordinate", when_with("t > 1 s", "", "s", '<impulse of="⟦a⟧" value="1"/>')),
    ("wrong-count", when_with("t > 1 s", "", "s", '<impulse of="c" value="⟦1, 2, 3⟧"/>')),
    ("wrong-dimension", when_with("t > 1 s", "", "s", '<impulse of="c" value="⟦5*gap(c)⟧"/>')),
    (
        "no-structures",
        links(CONTACT, FREE.replace("</body>", '<force value="0, 1 N/s*⟦elapsed⟧"/></body>')),
    ),
    # repetitions
    ("misplaced-element", planar(f'{TWO}<repeat count="2"><⟦parameter⟧ name="k" value="1"/></repeat>')),
    ("misplaced-element", planar(f'{TWO}<start><repeat count="2"><⟦body⟧ name="c {{i}}"/></repeat></start>')),
    ("missing-attribute", planar(f"{TWO}<⟦repeat⟧/>")),
    ("not-whole", planar(f'{TWO}<repeat count="⟦5/2⟧"><body name="c {{i}}" {ROD}/></repeat>')),
    ("not-whole", planar(f'{TWO}<repeat count="2"><body name="c {{⟦i/2⟧}}" {ROD}/></repeat>')),
    ("wrong-dimension", planar(f'{TWO}<repeat count="⟦5 mm⟧"><body name="c {{i}}" {ROD}/></repeat>')),
    ("wrong-count", planar(f'{TWO}<repeat count="⟦1, 2⟧"><body name="c {{i}}" {ROD}/></repeat>')),
    ("negative", planar(f'{TWO}<repeat count="⟦-1⟧"><body name="c {{i}}" {ROD}/></repeat>')),
    ("out-of-range", planar(f'{TWO}<repeat count="2" from="⟦1e10⟧"><body name="c {{i}}" {ROD}/></repeat>')),
    ("unknown-name", planar(f'{TWO}<repeat count="⟦n⟧"><body name="c {{i}}" {ROD}/></repeat>')),
    ("too-many-copies", planar(f'{TWO}<repeat count="⟦1e6⟧"><body name="c {{i}}" {ROD}/></repeat>')),
    (
        "too-deep",
        planar(
            TWO
            + "".join(f'<repeat count="1" index="a{k}">' for k in range(10))
            + '⟦<repeat count="1" index="b">⟧'
            + "</repeat>" * 11
        ),
    ),
    ("bad-name", planar(f"{TWO}<repeat count='2'><point name='c {{i}}' place='⟦{'x' * 200}{{i}}⟧, 0'/></repeat>")),
    ("cannot-nest", planar(f'{TWO}<repeat count="2" nested="⟦yes⟧"><point name="c {{i}}"/></repeat>')),
    ("cannot-nest", links('<repeat count="2" nested="⟦yes⟧"><counter name="n {i}"/></repeat>')),
    ("same-name", planar(f'{TWO}<repeat count="2"><repeat count="2" index="⟦i⟧"><body {ROD}/></repeat></repeat>')),
    ("same-name", planar(f'<parameter name="k" value="1"/>{TWO}<repeat count="k" index="⟦k⟧"><body {ROD}/></repeat>')),
    ("reserved-name", planar(f'{TWO}<repeat count="2" index="⟦x⟧"><body {ROD}/></repeat>')),
    ("reserved-name", planar(f'{TWO}<repeat count="2" index="⟦и⟧"><body {ROD}/></repeat>')),
    ("bad-name", planar(f'{TWO}<repeat count="2"><body name="c ⟦{{⟧i" {ROD}/></repeat>')),
    ("bad-name", planar(f'{TWO}<repeat count="2" from="1000"><body name="⟦{"x" * 197}{{i}}⟧" {ROD}/></repeat>')),
    ("unknown-name", planar(f'{TWO}<repeat count="9"><body name="c {{i}}" base="⟦c {{i - 1}}⟧" {ROD}/></repeat>')),
    ("missing-value", planar(f'{TWO}<repeat count="2"><body name="c {{i ⟦+⟧}}" {ROD}/></repeat>')),
    ("no-value", planar(f'{TWO}<repeat count="5"><point name="c {{i}}" place="⟦sqrt(2 - i)⟧, 0"/></repeat>')),
    # words
    ("wrong-root", "<⟦sistem⟧/>"),
    ("unknown-element", planar(f'{TWO}<⟦bdy⟧ name="c"/>')),
    ("unknown-element", planar(f'{TWO}<⟦Teло⟧ name="c"/>')),
    ("misplaced-element", planar(f'{TWO}<⟦transition⟧ to="s" when="t > 1 s"/>')),
    ("unknown-attribute", planar(f'<body name="a" ⟦mas⟧="1" {ROD}/>')),
    ("same-attribute", planar(f'<body ⟦имя⟧="a" name="b" {ROD}/>').replace('⟦имя⟧="a" name="b"', 'name="b" ⟦имя⟧="a"')),
    ("missing-attribute", planar(f'{TWO}<⟦parameter⟧ name="k"/>')),
    ("stray-text", planar(f"{TWO}⟦hello⟧")),
    ("empty-value", planar(f'<body name="a" ⟦place⟧="" {ROD}/>')),
    ("unknown-word", planar('<body name="a" joint="⟦revolut⟧" mass="1" com="0,1"/>')),
    ("unknown-word", links('<closure name="k" body="b" to="0" holds="⟦perhaps⟧"/>')),
    ("not-whole", planar(f'<body number="⟦1.5⟧" {ROD}/>')),
    ("bad-name", planar(f'<body name="a⟦(⟧b" {ROD}/>')),
    ("bad-name", planar(f'<body name="⟦{"x" * 201}⟧" {ROD}/>')),
    ("bad-colour", planar(f'<body {ROD}><shape d="m0,0h1" colour="⟦rad⟧"/></body>')),
    ("bad-path", planar(f'<body {ROD}><shape d="m0,0⟦x⟧1"/></body>')),
    ("bad-path", planar(f'<body {ROD}><shape d="m0,0a40,⟦4e201⟧,0,1,0,80,0"/></body>')),
    ("bad-path", planar(f'<body {ROD}><shape d="m0,0a40,⟦1e-200⟧,0,1,0,80,0"/></body>')),
    ("bad-path", planar(f'<body {ROD}><shape d="m0,0h⟦1e999⟧"/></body>')),
    ("bad-path", planar(f'<body {ROD}><shape d="m0,0h⟦v⟧1"/></body>')),
    ("bad-path", planar(f'<body {ROD}><shape d="⟦l⟧0,0"/></body>')),
    ("bad-path", planar(f'<body {ROD}><shape d="m0,0z⟦ 5⟧"/></body>')),
    ("bad-path", planar(f'<body {ROD}><shape d="m0,0⟦#⟧"/></body>')),
    ("bad-path", planar(f'<body {ROD}><shape d="m⟦0⟧"/></body>')),
    ("remote-file", spatial('<body joint="free" mass="1" inertia="1"><mesh file="⟦http://x/y.stl⟧"/></body>')),
    ("newer-language", f'<system version="⟦99⟧">{TWO}</system>'),
    # numbers
    ("negative", planar('<body joint="revolute" mass="⟦-1⟧" com="0,1" inertia="1"/>')),
    ("negative", planar(f'<body {ROD} damping="⟦-1⟧"/>')),
    ("negative", planar(f'<body {ROD}><motor limit="⟦-1⟧"/></body>')),
    ("negative", planar('<body joint="revolute" mass="1" inertia="⟦-1⟧"/>')),
    ("negative", spatial('<body joint="free" mass="1" inertia="1"><sphere radius="⟦-1⟧"/></body>')),
    ("negative", planar(f'<body name="a" {ROD}><motion value="1" kp="⟦-1⟧"/></body>')),
    ("out-of-range", links('<contact name="k" point="p" surface="y = 0" restitution="⟦1.5⟧"/>')),
    ("wrong-count", planar(f'<body place="⟦1,2,3⟧" {ROD}/>')),
    ("wrong-count", planar('<body joint="revolute" com="0,1" mass="⟦0,5⟧"/>')),
    ("wrong-count", planar(f'<body min="⟦1, 2⟧" {ROD}/>')),
    ("wrong-count", planar(f'<parameter name="k" value="⟦1, 2⟧"/>{TWO}')),
    ("wrong-count", planar(f'<body {ROD}><force value="⟦1⟧"/></body>')),
    ("wrong-count", spatial('<body joint="free" turn="⟦1,2⟧" mass="1" inertia="1"/>')),
    ("wrong-count", planar('<body joint="prismatic" mass="1" axis="⟦1,0,0⟧"/>')),
    ("wrong-count", planar(f'<body quaternion="⟦1,0,0,0⟧" {ROD}/>')),
    ("wrong-dimension", planar('<body joint="revolute" com="0,1" mass="⟦1 m⟧"/>')),
    ("wrong-dimension", planar(f'<parameter name="k" value="⟦1 m + 2 kg⟧"/>{TWO}')),
    ("wrong-dimension", planar(f'<parameter name="l" value="1 m"/><body place="⟦l + 100⟧, 0" {ROD}/>')),
    ("wrong-dimension", planar(f'<parameter name="k" value="2^(⟦1 m⟧)"/>{TWO}')),
    ("wrong-dimension", planar(f'<parameter name="k" value="(1 m)^⟦0.3⟧"/>{TWO}')),
    ("wrong-dimension", planar(f'<parameter name="k" value="sin(⟦1 m⟧)"/>{TWO}')),
    ("wrong-dimension", planar(f'<parameter name="k" value="⟦min(1 m, 2 kg)⟧"/>{TWO}')),
    ("wrong-dimension", planar(f'<parameter name="k" value="⟦atan2(1 m, 2 kg)⟧"/>{TWO}')),
    ("wrong-dimension", planar(f'<parameter name="k" value="1 m" unit="⟦kg⟧"/>{TWO}')),
    ("wrong-dimension", planar(f'<parameter name="k" value="1 m" min="⟦1 kg⟧"/>{TWO}')),
    ("wrong-dimension", planar(f'<body {ROD}><force value="0, ⟦1 m*sin(t)⟧"/></body>')),
    ("wrong-dimension", when("⟦gap(c) &lt; 5⟧")),
    ("wrong-dimension", links('<contact name="k" point="p" surface="⟦y = 1 kg⟧"/>')),
    ("unknown-unit", planar(f'<parameter name="k" value="1" unit="⟦mn⟧"/>{TWO}')),
    ("not-finite", planar('<body joint="revolute" com="0,1" mass="⟦1e300⟧"/>')),
    ("not-finite", planar(f'<parameter name="k" value="⟦exp(1000)⟧"/>{TWO}')),
    ("no-value", planar(f'<parameter name="k" value="1/⟦0⟧"/>{TWO}')),
    ("no-value", planar(f'<parameter name="k" value="⟦sqrt(-1)⟧"/>{TWO}')),
    ("no-value", planar(f'<parameter name="k" value="⟦(-1)^0.5⟧"/>{TWO}')),
    ("zero-vector", planar('<body joint="prismatic" mass="1" axis="⟦0, 0⟧"/>')),
    ("zero-vector", planar(f'<gravity along="⟦0,0⟧"/>{TWO}')),
    ("zero-vector", spatial('<body joint="free" quaternion="⟦0,0,0,0⟧" mass="1" inertia="1"/>')),
    ("zero-vector", spatial('<body joint="free" turn="⟦0,0,0,90⟧" mass="1" inertia="1"/>')),
    ("two-orientations", spatial('<body joint="free" turn="1,2,3" quaternion="⟦1,0,0,0⟧" mass="1" inertia="1"/>')),
    ("no-rotation", spatial('<body joint="free" turn="⟦1,0,0, 0,1,0, 0,0,2⟧" mass="1" inertia="1"/>')),
    ("no-rotation", spatial('<body joint="free" turn="⟦1,0,0, 0,1,0, 0,0,-1⟧" mass="1" inertia="1"/>')),
    ("wrong-axis", planar('<body joint="prismatic" mass="1" axis="⟦z⟧"/>')),
    ("limits-crossed", planar(f'<body min="⟦30⟧" max="-30" {ROD}/>')),
    ("negative", spatial('<body joint="free" mass="1" inertia="⟦-1, 1, 1⟧"/>')),
    ("parallel-axes", spatial('<body joint="universal" axis="y" axis2="⟦-y⟧" mass="1" inertia="1"/>')),
    (
        "wrong-coordinate",
        spatial(
            '<body name="a" joint="spherical" mass="1" inertia="1"/><start><coordinate of="a" place="⟦1,2,3⟧"/></start>'
        ),
    ),
    ("wrong-coordinate", spatial('<body name="a" joint="free" mass="1" inertia="1"/><start a.x.rate="⟦1⟧"/>')),
    ("unknown-name", spatial('<body name="a" joint="free" mass="1" inertia="1"/><start ⟦a.k⟧="1"/>')),
    ("not-positive", motor(f'voltage="⟦-12 V⟧" {WINDING}')),
    ("not-positive", motor(f'efficiency="⟦0⟧" voltage="12 V" {WINDING}')),
    ("not-positive", motor('voltage="12 V" resistance="⟦0⟧" constant="0.05 V*s/rad"')),
    ("incomplete-motor", motor('voltage="⟦12 V⟧" resistance="2 Ohm"')),
    ("incomplete-motor", motor('inductance="⟦1 mH⟧"')),
    ("incomplete-motor", motor('constant="⟦0.05 V*s/rad⟧" current="1 A"')),
    ("two-motors", motor(f'name="m" voltage="12 V" {WINDING}', f'{SERVO}⟦<motor name="n" limit="1"/>⟧')),
    ("zero-ratio", planar(f'<body {ROD}><motor ratio="⟦0⟧"/></body>')),
    # names and the tree
    ("no-bodies", "⟦<system>⟧</system>"),
    ("same-name", planar(f'<body name="a" {ROD}/><body name="⟦a⟧" {ROD}/>')),
    ("same-name", planar(f'<parameter name="k" value="1"/><parameter name="⟦k⟧" value="2"/>{TWO}')),
    ("same-name", planar(f'<posture name="k" a="1"/><posture name="⟦k⟧" a="2"/>{TWO}')),
    ("same-number", planar(f'<body number="1" name="a" {ROD}/><body number="⟦1⟧" name="b" {ROD}/>')),
    ("ground-number", planar(f'<body number="⟦0⟧" {ROD}/>')),
    ("ground-number", planar(f'<body name="⟦0⟧" {ROD}/>')),
    ("unknown-name", planar(f'<body name="a" {ROD}/><body name="b" base="⟦aa⟧" {ROD}/>')),
    ("unknown-name", planar(f'<body place="0, ⟦l⟧" {ROD}/>')),
    ("unknown-name", planar(f'{TWO}<start ⟦c⟧="1"/>')),
    ("unknown-name", planar(f'{TWO}<start ⟦a.x⟧="1"/>')),
    ("unknown-name", links('<structure name="s" holds="⟦k⟧"/>')),
    ("unknown-name", when("gap(⟦k⟧) &lt; 0")),
    ("unknown-name", when("x(⟦k⟧) &lt; 0")),
    ("unknown-name", planar(f'{TWO}<group name="g" of="a, ⟦k⟧"/>')),
    ("base-cycle", planar(f'<body name="a" base="⟦b⟧" {ROD}/><body name="b" base="a" {ROD}/>')),
    ("two-bases", planar(f'<body name="a" {ROD}><body name="b" base="⟦0⟧" {ROD}/></body>')),
    (
        "not-connected",
        planar(
            '⟦<body name="a" mass="1"/>⟧<body name="b" mass="1"/><links><joint name="k" body="a" to="b"/></links>'
        ).replace('<body name="b" mass="1"/>', '<body name="b" base="a" joint="revolute" com="0,1" mass="1"/>'),
    ),
    ("parameter-cycle", planar(f'<parameter name="k" value="⟦l⟧"/><parameter name="l" value="k"/>{TWO}')),
    ("wrong-joint", planar('<body joint="⟦spherical⟧" mass="1"/>')),
    ("wrong-joint", spatial('<body joint="⟦prismatic2⟧" mass="1"/>')),
    ("wrong-joint", links('<closure name="k" joint="⟦universal⟧" body="b" to="0"/>')),
    ("wrong-joint", links('<joint name="k" joint="⟦universal⟧" body="b" to="0"/>')),
    ("wrong-joint", links('<structure name="s" body="a" joint="⟦universal⟧"/>')),
    ("two-gravities", planar(f'{TWO}<gravity value="1"/>⟦<gravity value="2"/>⟧')),
    ("two-starts", planar(f'{TWO}<start a="1"/>⟦<start b="2"/>⟧')),
    ("two-drawings", planar(f'{TWO}<drawing a="1"/>⟦<drawing/>⟧')),
    ("bad-frame", planar(f'{TWO}<drawing frame="⟦0, 0, 100⟧"/>')),
    ("given-twice", planar(f'{TWO}<start a="1"><coordinate of="a" value="⟦2⟧"/></start>')),
    # what joints carry
    ("wrong-coordinate", planar(f"{FREE.replace('</body>', '⟦<motor/>⟧</body>')}")),
    ("wrong-coordinate", planar(f'<body name="a" {ROD}><body name="b" {ROD}><motor of="⟦a⟧"/></body></body>')),
    ("wrong-coordinate", planar(f'{TWO}<start><coordinate of="a" place="⟦1,2⟧"/></start>')),
    ("wrong-coordinate", spatial('<body name="a" joint="free" mass="1" inertia="1"/><start a="⟦1,2,3⟧"/>')),
    ("wrong-coordinate", when("angle(⟦a⟧) > 1 deg").replace(FREE, FREE.replace("free", "prismatic2"))),
    ("wrong-coordinate", when("q(⟦a⟧) > 1 mm")),
    ("wrong-coordinate", links('⟦<coupling name="k" of="a" to="a.x"/>⟧', FREE)),
    # belts
    ("bad-surface", links('<contact name="k" point="p" surface="y = 0" speed="⟦1 mm/s*q(a.x)/1 mm⟧"/>', SPEEDY)),
    ("bad-surface", links('<contact name="k" of="w" surface="y = 0" rolls="ideal" speed="⟦1⟧"/>', SPEEDY)),
    # gears and clutches
    ("unused-law", links('<gear name="k" of="a" to="b" damping="⟦1⟧"/>', TWO)),
    ("unused-law", links('<gear name="k" of="a" to="b" stiffness="1" efficiency="⟦0.5⟧"/>', TWO)),
    ("unused-law", links('<gear name="k" of="a" to="b" restitution="⟦0.5⟧"/>', TWO)),
    ("out-of-range", links('<gear name="k" of="a" to="b" efficiency="⟦0⟧"/>', TWO)),
    ("out-of-range", links('<gear name="k" of="a" to="b" efficiency="⟦0.5, 1.5⟧"/>', TWO)),
    ("out-of-range", links('<gear name="k" of="a" to="b" stiffness="⟦0⟧"/>', TWO)),
    ("negative", links('<gear name="k" of="a" to="b" backlash="⟦-1⟧"/>', TWO)),
    ("wrong-count", links('<gear name="k" of="a" to="b" ratio="⟦1, 2⟧" backlash="1"/>', TWO)),
    ("wrong-count", links('<differential name="k" of="a" to="⟦b⟧"/>', TWO)),
    ("same-body", links('<clutch name="k" of="a" to="⟦a⟧" limit="1"/>', TWO)),
    ("wrong-dimension", links('<clutch name="k" of="a" to="b" limit="⟦2 s*t⟧"/>', TWO)),
    (
        "wrong-coordinate",
        links(f'{STRUCTURES}{CONTACT}<transition to="s" when="t > 1 s"><set of="⟦a⟧" value="1"/></transition>', FREE),
    ),
    (
        "wrong-coordinate",
        spatial(
            '<body name="a" joint="free" mass="1" inertia="1"/>⟦<motion of="a">⟧<row time="0" values="1"/><row time="1" values="1"/></motion>'
        ),
    ),
    ("stop-without-limit", planar(f"<body {ROD}>⟦<stop/>⟧</body>")),
    ("stop-without-limit", planar(f'<body max="1" {ROD}>⟦<stop at="min"/>⟧</body>')),
    (
        "no-stop",
        spatial(
            '<body name="a" joint="spherical" max="1 1 1" mass="1" inertia="1">⟦<stop at="max" stiffness="1"/>⟧</body>'
        ),
    ),
    (
        "no-stop",
        spatial('<body name="a" joint="free" min="-1 -1 -1 -1 -1 -1" mass="1" inertia="1">⟦<stop at="min"/>⟧</body>'),
    ),
    ("bad-motion", planar(f'{TWO}⟦<motion of="a"/>⟧')),
    ("bad-motion", planar(f'{TWO}<motion of="a">⟦<row time="0" values="1"/>⟧</motion>')),
    ("missing-attribute", planar(f'{TWO}⟦<motion value="1"/>⟧')),
    (
        "rows-out-of-order",
        planar(f'{TWO}<motion of="a"><row time="1" values="1"/><row time="⟦1⟧" values="2"/></motion>'),
    ),
    ("moved-twice", planar(f'{TWO}<motion of="a" value="t*1 deg/1 s"/>⟦<motion of="a" value="0"/>⟧')),
    ("reserved-name", planar(f'<parameter name="⟦t⟧" value="1"/>{TWO}')),
    # links
    ("missing-attribute", links('⟦<closure name="k" to="a"/>⟧')),
    ("missing-attribute", links('⟦<structure name="s" body="a"/>⟧')),
    ("same-body", links('⟦<closure name="k" body="a" to="a"/>⟧')),
    ("same-body", links('<contact name="k" point="⟦p⟧" on="a" surface="y = 0"/>')),
    ("two-places", links('<closure name="k" point="p" body="⟦a⟧" to="b"/>')),
    ("closes-nothing", links('<closure name="k" joint="⟦free⟧" body="b" to="0"/>')),
    ("bad-surface", links('<contact name="k" point="p" surface="⟦y⟧"/>')),
    ("bad-surface", links('<contact name="k" point="p" surface="⟦1 = 2⟧"/>')),
    ("bad-surface", links('<contact name="k" point="p" surface="y = ⟦x(p)⟧"/>')),
    ("no-free-side", links('<contact name="k" point="p" surface="⟦x = 0⟧"/>')),
    ("bad-friction", links('<contact name="k" point="p" surface="y = 0" friction="⟦0,5⟧"/>')),
    ("unknown-name", links('<contact name="k" point="p" surface="⟦у⟧ = 0"/>')),
    ("no-component", when("reaction(c).⟦х⟧ > 0")),
    ("bad-friction", links('<contact name="k" point="p" surface="y = 0" friction="⟦-1⟧"/>')),
    ("bad-lock", links('⟦<lock name="k"/>⟧')),
    # what rolls
    ("missing-attribute", links('⟦<contact name="k" surface="y = 0"/>⟧')),
    ("two-places", rolls('of="⟦r⟧" point="c" surface="y = 0"')),
    ("unknown-name", rolls('of="⟦rim⟧" surface="y = 0"')),
    ("unknown-name", rolls('of="⟦c⟧" surface="y = 0"')),
    ("same-body", rolls('of="⟦r⟧" on="w" surface="y = 0"')),
    ("same-name", planar('<body name="w" joint="free" mass="1" inertia="1"><circle name="⟦w⟧" radius="1"/></body>')),
    ("curved-surface", rolls('of="r" surface="⟦x*y >= 1 m^2⟧"')),
    ("curved-surface", rolls('of="r" surface="⟦y = x*t/(1 s)⟧"')),
    ("curved-surface", rolls('of="r" surface="⟦y = x^2/(1 m) + 1 mm/s*t⟧"')),
    ("curved-surface", rolls('of="r" surface="⟦y = abs(x)⟧"')),
    ("no-radius", rolls('of="r" surface="y = 0"', '⟦<circle name="r" radius="0"/>⟧')),
    ("negative", rolls('of="r" surface="y = 0"', '<circle name="r" radius="⟦-3⟧"/>')),
    ("missing-attribute", rolls('of="r" surface="y = 0"', '<⟦circle⟧ name="r"/>')),
    ("wrong-shape", rolls('of="r" surface="y = 0"', '⟦<wheel name="r" radius="3"/>⟧')),
    ("wrong-shape", spatial('<body joint="free" mass="1" inertia="1">⟦<circle radius="3"/>⟧</body>')),
    ("wrong-shape", rolls('point="c" surface="y = 0" rolls="⟦ideal⟧"')),
    ("contradiction", rolls('of="r" surface="y = 0" friction="0" rolls="⟦ideal⟧"')),
    ("contradiction", rolls('of="r" surface="y = 0" friction="none" rolls="⟦ideal⟧"')),
    # shapes that touch each other
    ("missing-attribute", rolls('of="r"').replace("<contact", "⟦<contact").replace("/></links>", "/>⟧</links>")),
    ("unknown-name", touches('of="r" to="⟦g⟧"')),
    ("contradiction", touches('of="r" to="f" surface="⟦y = 0⟧"')),
    ("contradiction", touches('of="r" to="f" rolls="⟦ideal⟧"')),
    ("same-body", touches('of="r" to="⟦s⟧"', '<box name="r" size="2, 1"/><circle name="s" radius="3"/>')),
    ("wrong-shape", touches('of="⟦r⟧" to="f"', '<sphere name="r" radius="3"/>')),
    ("wrong-shape", touches('of="⟦f⟧" to="r"')),
    (
        "no-world",
        planar(
            '<body joint="free" mass="1" inertia="1"><box name="r" size="2, 1"/></body>'
            '<links><contact name="k" of="r" to="⟦world⟧"/></links>'
        ),
    ),
    ("wrong-shape", solids('of="r" to="⟦f⟧"', '<cylinder name="r" radius="9" length="9"/>')),
    ("wrong-shape", solids('of="⟦r⟧" to="f"', '<wheel name="r" radius="9"/>')),
    ("wrong-shape", solids('of="r" to="⟦world⟧"', '<box name="r" size="9,9,9"/>', '<cylinder radius="9" length="9"/>')),
    ("no-size", solids('of="r" to="f"', '⟦<box name="r" size="9,0,9"/>⟧')),
    (
        "boxes-not-alone",
        spatial(
            '<world><box name="f" size="9,9,9"/></world><body joint="revolute" mass="1" inertia="1"><box name="r" '
            'size="9,9,9"/></body><links>⟦<contact name="k" of="r" to="f"/>⟧</links>'
        ),
    ),
    (
        "boxes-not-alone",
        spatial(
            '<world><box name="f" size="9,9,9"/></world><body name="b" joint="free" mass="1" inertia="1"><box name="r" '
            'size="9,9,9"/><point name="p"/></body><spring point="p" stiffness="1"/>'
            '<links>⟦<contact name="k" of="r" to="f"/>⟧</links>'
        ),
    ),
    ("same-body", solids('of="r" to="⟦s⟧"', '<box name="r" size="2,1,1"/><sphere name="s" radius="3"/>')),
    ("no-size", solids('of="r" to="f"', '⟦<sphere name="r" radius="0"/>⟧')),
    ("no-size", solids('of="r" to="f"', '⟦<capsule name="r" radius="3" length="0"/>⟧')),
    ("no-size", solids('of="r" surface="z = 0"', '⟦<box name="r" size="3,0,1"/>⟧')),
    ("wrong-shape", solids('of="r" surface="z = 0" rolls="⟦ideal⟧"', '<box name="r" size="3,2,1"/>')),
    ("curved-surface", solids('of="r" surface="⟦x*z >= 1 m^2⟧"', '<wheel name="r" radius="9"/>')),
    ("curved-surface", solids('of="r" surface="⟦z = abs(x)⟧"', '<capsule name="r" radius="3" length="9"/>')),
    (
        "curved-surface",
        solids('of="r" surface="⟦z = x^2/(1 m)*t/(1 s)⟧"', '<cylinder name="r" radius="3" length="9"/>'),
    ),
    ("wrong-shape", spatial('<body joint="free" mass="1" inertia="1">⟦<polygon points="0,0; 1,0; 0,1"/>⟧</body>')),
    ("no-size", touches('of="r" to="f"', '⟦<box name="r" size="2, 0"/>⟧')),
    ("no-size", touches('of="r" to="f"', '⟦<circle name="r" radius="0"/>⟧')),
    ("few-corners", touches('of="r" to="f"', '⟦<polygon name="r" points="0,0; 9,9"/>⟧')),
    ("same-corner", touches('of="r" to="f"', '⟦<polygon name="r" points="0,0; 9,0; 9,9; 0,0"/>⟧')),
    ("no-area", touches('of="r" to="f"', '⟦<polygon name="r" points="0,0; 9,9; 5,5"/>⟧')),
    ("not-convex", touches('of="r" to="f"', '⟦<polygon name="r" points="0,0; 9,0; 3,3; 0,9"/>⟧')),
    ("not-convex", touches('of="r" to="f"', '⟦<polygon name="r" points="0,-9; 5,7; -9,-3; 9,-3; -5,7"/>⟧')),
    ("wrong-count", touches('of="r" to="f"', '<polygon name="r" points="⟦0,0; 9,0; 9⟧"/>')),
    ("no-free-side", touches('of="r" to="g"', world='⟦<polyline name="g" points="50,0; 50,90"/>⟧')),
    ("turns-back", touches('of="r" to="g"', world='⟦<polyline name="g" points="50,9; 90,9; 70,9"/>⟧')),
    (
        "many-contacts",
        touches(
            'of="r" to="world"',
            world="".join(f'<box name="b{i}" place="{300 * i}, 900" size="9, 9"/>' for i in range(26)),
        )
        .replace("<contact", "⟦<contact")
        .replace("/></links>", "/>⟧</links>"),
    ),
    (
        "contradiction",
        touches('of="r" to="f"')
        .replace("<contact", "⟦<contact")
        .replace("/></links>", '/>⟧<structure name="u"/></links>'),
    ),
    ("bad-tread", spatial('<body joint="free" mass="1" inertia="1"><wheel radius="3" tread="⟦4⟧"/></body>')),
    ("no-hull", tracked(of="⟦w⟧")),
    ("no-track", tracked(front="⟦-1, 1, 0⟧")),
    ("no-sprocket", tracked(drive="⟦h.x⟧")),
    ("not-positive", tracked(radius="⟦0⟧")),
    ("bad-count", tracked(patches="⟦25⟧")),
    ("not-positive", tracked(shear="⟦0⟧")),
    ("contradiction", tracked(widening="⟦2⟧")),
    ("missing-attribute", tracked(friction=None)),
    ("no-stance", tracked(False)),
    ("same-body", links('<blade name="k" point="⟦p⟧" on="a"/>')),
    ("unknown-name", links('<blade name="k" point="⟦q⟧"/>')),
    ("zero-vector", links('<blade name="k" point="p" across="⟦0, 0⟧"/>')),
    # conditions
    ("state-in-constant", planar(f'<parameter name="k" value="⟦t⟧"/>{TWO}')),
    ("state-in-constant", planar(f'<parameter name="k" value="⟦x⟧(p)"/>{TWO}')),
    ("state-in-constant", planar(f'<parameter name="k" value="⟦reaction⟧(p).n"/>{TWO}')),
    ("not-a-condition", when("⟦gap(c)⟧")),
    ("not-a-number", when("⟦(gap(c) > 0)⟧ + 1 > 0").replace("⟦(gap(c) > 0)⟧", "(⟦gap(c) > 0⟧)")),
    ("not-a-name", when("x(⟦1 + 2⟧) > 0")),
    ("unknown-function", when("⟦gapp⟧(c) > 0")),
    ("only-in-reports", when("⟦highest⟧(gap(c)) > 0")),
    ("constant-crossing", when("⟦1 m⟧ rises through 0")),
    ("no-component", when("⟦reaction(c)⟧ > 0")),
    ("no-component", when("reaction(c).⟦w⟧ > 0")),
    ("no-component", when("gap(c).⟦n⟧ > 0")),
]


def crowd(count: int, shape: str = "sphere", first: str = "free") -> str:
    """So many balls, each of which may touch each other one; the 65th contact is marked."""
    bodies = "".join(
        f'<body name="b{i}" joint="{"free" if i else first}" mass="1" inertia="1"><{shape} name="s{i}" radius="5"/></body>'
        for i in range(count)
    )
    pairs = [(i, j) for i in range(count) for j in range(i)]
    contacts = [f'<contact name="c{i}-{j}" of="s{i}" to="s{j}" friction="none"/>' for i, j in pairs]
    contacts[64] = f"⟦{contacts[64]}⟧"
    return (spatial if shape == "sphere" else planar)(f"{bodies}<links>{''.join(contacts)}</links>")


WARNINGS: list[tuple[str, str]] = [
    ("corners-alone", solids('of="r" surface="⟦z = x^2/(1 m)⟧"', '<box name="r" size="3,2,1"/>')),
    ("slow-contacts", crowd(12)),
    ("slow-contacts", crowd(12, "circle", "revolute")),  # one loop has all contacts of free bodies in the plane
    ("may-be-apart", when_with("⟦t > 1 s⟧", "", "w")),
    # impact rules
    ("nothing-strikes", when_with("t > 1 s", 'impact="⟦newton⟧" restitution="0.5"', "s")),
    ("no-rebound", links('<contact name="k" point="p" surface="y = 0" impact="plastic" restitution="⟦0.5⟧"/>')),
    ("no-rebound", rolls('of="r" surface="y = 0" rolls="ideal" restitution="⟦0.5⟧"')),
    ("squeezed-shape", GROOVE),
    ("no-rebound", rolls('of="r" surface="y = 0" rolls="ideal" impact="⟦newton⟧"')),
    ("no-rebound", when_with("gap(c) falls through 0", 'impact="newton" restitution="⟦0.5⟧"', "w")),
    ("idle-motor", planar(f'<body {ROD}>⟦<motor voltage="12 V" {WINDING}/>⟧</body>')),
    ("idle-motor", planar(f'<body {ROD}>⟦<motor voltage="12 V" {WINDING}/>⟧<motion value="t/1 s"/></body>')),
    ("no-effect", motor('efficiency="⟦0.8⟧"')),
    ("no-effect", planar(f"<body {ROD}>⟦<motor {WINDING}/>⟧{SERVO}</body>")),
    ("quick-winding", motor(f'voltage="12 V" inductance="⟦1e-9 H⟧" {WINDING}')),
    (
        "no-potential",
        spatial('⟦<body joint="spherical" mass="1" inertia="1,1,1,0,0,0" stiffness="1,2,3"/>⟧'),
    ),
    ("unused-parameter", planar(f'<parameter name="⟦l⟧" value="1 m"/><body {ROD}/>')),
    ("never-holds", links('⟦<closure name="k" body="b" to="0" holds="no"/>⟧')),
    (
        "over-constrained",
        links(
            '⟦<structure name="s" holds="k, l"/>⟧<closure name="k" body="b" to="0" at-to="1,1" holds="no"/><closure name="l" body="a" at="0,1" to="0" at-to="1,0" holds="no"/>'
        ),
    ),
    ("exact-equality", when("⟦slip(c) = 0⟧")),
    ("massless-end", planar(f'⟦<body name="a" joint="free" mass="1">⟧<body name="b" {ROD}/></body>')),
    ("impossible-inertia", spatial('<body joint="free" mass="1" inertia="⟦1, 1, 3⟧"/>')),
    ("impossible-inertia", spatial('<body joint="free" mass="1" inertia="⟦1, 1, 1, 2, 0, 0⟧"/>')),
    ("unused-axis", spatial('<body joint="spherical" axis="⟦x⟧" mass="1" inertia="1"/>')),
    ("unused-axis", spatial('<body joint="revolute" axis2="⟦x⟧" mass="1" inertia="1"/>')),
    ("unused-axis", links('<closure name="k" axis2="⟦x⟧" body="b" to="0"/>')),
    ("unused-axis", links('<closure name="k" axis="⟦x⟧" body="b" to="0"/>')),
    ("too-small", planar('<body name="a" joint="revolute" mass="1" com="0, 10" inertia="⟦1e-320⟧"/>')),
    ("beyond-limits", planar(f'<body name="a" max="10" {ROD}/>⟦<start a="20"/>⟧')),
    ("beyond-limits", planar(f'<body name="a" min="10" {ROD}/>⟦<posture name="k" a="5"/>⟧')),
    (
        "class-differs",
        f'<system class="⟦ПДСТВ⟧">{TWO}</system>',
    ),
    ("class-differs", links('<structure name="s" class="⟦ПДСТВ⟧"/>')),
    ("massless-end", planar(f'<body name="a" {ROD}>⟦<body name="b" joint="revolute" place="0,1"/>⟧</body>')),
    (
        "massless-end",
        planar('<body name="a" joint="prismatic" mass="1">⟦<body name="b" joint="revolute" mass="1"/>⟧</body>'),
    ),
    ("massless-end", planar(f'<body name="a" {ROD}>⟦<body name="b" joint="prismatic" inertia="1"/>⟧</body>')),
    ("renumbered", planar(f'<body number="⟦7⟧" name="a" {ROD}/>')),
    ("renumbered", planar(f'<body number="2" name="a" {ROD}><body number="⟦1⟧" name="b" {ROD}/></body>')),
    ("unused-axis", planar(f'<body axis="⟦x⟧" {ROD}/>')),
    ("constant-condition", when("⟦1 &lt; 2⟧")),
    (
        "idle-transition",
        links('<structure name="s"/><structure name="w"/>⟦<transition from="s" to="s" when="t > 1 s"/>⟧'),
    ),
    ("no-mass", '⟦<system>⟧<body joint="revolute"/></system>'),
    # the graph of structures
    (
        "unreachable-structure",
        links(f'{CONTACT}{STRUCTURES}⟦<structure name="u"/>⟧<transition from="u, s" to="w" when="t > 1 s"/>', FREE),
    ),
    (
        "no-exit",
        links(
            f'{CONTACT}{STRUCTURES}⟦<structure name="end"/>⟧<transition from="s" to="w" when="gap(c) falls through 0"/>'
            '<transition from="w" to="s" when="normal(c) &lt; 0"/><transition from="w" to="end" when="t > 1 s"/>',
            FREE,
        ),
    ),
    (
        "missing-impact",
        links(
            f'{CONTACT}{STRUCTURES}<transition from="s" to="w" when="gap(c) falls through 0" impact="⟦none⟧"/>', FREE
        ),
    ),
    (
        "missing-impact",
        links(
            '<structure name="s"/><structure name="w" body="a" joint="revolute"/>'
            '<transition from="s" to="w" when="t > 1 s" impact="⟦none⟧"/>',
            FREE,
        ),
    ),
    (
        "same-condition",
        graph(
            '<transition from="s" to="w" when="x(p) rises through 1 m"/>'
            '<transition from="s, w" to="u" when="⟦x(p)  rises  through (1 m)⟧"/>'
        ),
    ),
    ("never-true", when("⟦normal(c)⟧ &lt; 0")),
    ("never-true", when("y(p) > 1 m and -⟦reaction(c)⟧.n > 5 N")),
    ("never-true", when("max(⟦force(c)⟧, normal(c)) rises through 5 N")),
    ("never-true", when("t > 1 s", '<transition from="w" to="s" when="⟦gap(c)⟧ rises through 0"/>')),
    ("never-true", when("t > 1 s", '<transition from="w" to="s" when="⟦gap(c)⟧ > 1 mm"/>')),
    ("never-true", when("t > 1 s", '<transition from="w" to="s" when="abs(⟦slip(c)⟧) > 1 mm/s"/>')),
    ("true-on-entry", when("⟦normal(c) &lt; 5 N⟧")),
    ("true-on-entry", when("t > 1 s", '<transition from="w" to="s" when="⟦gap(c) &lt; 1 mm⟧"/>')),
    ("true-on-entry", when("t > 2 s", '<transition from="w" to="s" when="⟦t > 1 s⟧"/>')),
    (
        "true-on-entry",
        graph('<transition from="s" to="u" when="t > 2 s"/><transition from="u" to="w" when="⟦2 s &lt; t⟧"/>'),
    ),
    (
        "true-on-entry",
        when("x(p) > 2 m and t > 1 s", '<transition from="w" to="s" when="⟦1 m &lt; x(p) and t > 0⟧"/>'),
    ),
    (
        "true-on-entry",
        graph(
            '<transition from="s" to="w" when="t > 1 s"/><transition from="w" to="s" when="x(p) rises through 1 m"/>'
            '<transition from="s" to="u" when="⟦x(p) > 1 m or vx(p) > 2 m/s⟧"/>'
            '<transition from="u" to="s" when="force(k) > 5 N"/>'
        ),
    ),
    (
        "true-on-entry",
        graph(
            '<transition from="s" to="w" when="x(p) > 3 m or not x(p) &lt; 2 m"/>'
            '<transition from="w" to="u" when="⟦x(p) > 1 m⟧"/>'
        ),
    ),
]

QUIET = [
    # hysteresis
    when("x(p) > 2 m", '<transition from="w" to="s" when="x(p) &lt; 1 m"/>'),
    # an impact or a new value may change the way in which a quantity was going
    graph('<transition from="s" to="w" when="x(p) > 1 m"/><transition from="w" to="u" when="x(p) > 1 m"/>'),
    when("vx(p) > 2 m/s", '<transition from="w" to="s" when="vx(p) > 1 m/s"/>'),
    graph(
        '<transition from="s" to="w" when="t > 1 s"/>'
        '<transition from="w" to="s" when="x(p) > 2 m"><set of="a.x" value="0"/></transition>'
        '<transition from="s" to="u" when="x(p) > 1 m"/><transition from="u" to="s" when="force(k) > 5 N"/>'
    ),
    # a closure pulls its ends together
    graph('<transition from="s" to="u" when="x(p) > 1001 mm"/><transition from="u" to="w" when="x(p) > 1 m"/>'),
    # one of two ways in does not make it true
    when("x(p) > 2 m or x(p) &lt; 0", '<transition from="w" to="s" when="x(p) > 1 m"/>'),
    # a link that holds in one of the sources
    graph(
        '<transition from="s" to="w" when="t > 1 s"/><transition from="s, w" to="u" when="normal(c) &lt; 0"/>'
        '<transition to="s" when="force(k) > 5 N"/>'
    ),
    # at equality round-off would decide
    when("normal(c) &lt;= 0"),
    # velocities are thought of
    links(
        f'{CONTACT}{STRUCTURES}<transition from="s" to="w" when="gap(c) &lt; 1 mm and vy(p) &lt; 1 mm/s" impact="none"/>',
        FREE,
    ),
    links(
        f'{CONTACT}{STRUCTURES}<transition from="s" to="w" when="gap(c) falls through 0" impact="none">'
        '<set of="a.y" rate="0"/></transition>',
        FREE,
    ),
    # a priority decides; another structure is another matter
    graph(
        '<transition from="s" to="w" when="t > 1 s"/><transition from="s" to="u" when="t > 1 s" priority="1"/>'
        '<transition from="w" to="u" when="t > 5 s"/>'
    ),
    # work that ends, whatever the cycle before it; variants to start with; a loop that sets something
    when("gap(c) falls through 0"),
    graph(
        '<transition from="s" to="w" when="gap(c) falls through 0"/><transition from="w" to="s" when="normal(c) &lt; 0"/>'
        '<transition to="u" when="t > 5 s"/>'
    ),
    links(f'{CONTACT}{STRUCTURES}<structure name="u"/>', FREE),
    links(
        f'{CONTACT}{STRUCTURES}<transition from="s" to="s" when="t > 1 s"><set of="a.x" value="0"/></transition>', FREE
    ),
]


def unmark(text: str) -> tuple[str, int, int]:
    start, end = text.index("⟦"), text.index("⟧") - 1
    return text.replace("⟦", "").replace("⟧", ""), start, end


def check_place(diagnostic: Diagnostic, code: str, start: int, end: int) -> None:
    assert diagnostic.span is not None
    assert (diagnostic.code, diagnostic.span.start, diagnostic.span.end) == (code, start, end), diagnostic.render("en")
    for text in (diagnostic.message, diagnostic.expected, diagnostic.hint):
        assert text is None or (text.en.strip() and text.ru.strip())
    assert re.search("[а-яё]", diagnostic.message.ru)
    assert not re.search("[а-яё]", re.sub('["«].*?["»]', "", diagnostic.message.en))


@pytest.mark.parametrize(("code", "marked"), ERRORS)
def test_error(code: str, marked: str) -> None:
    text, start, end = unmark(marked)
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(text, "file.xml")
    found = [item for item in caught.value.diagnostics if item.severity == "error"]
    assert len(found) == 1, caught.value.render("en")
    check_place(found[0], code, start, end)


def minding(code: str, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Without the remark that a condition says nothing of places: these conditions are about something else."""
    return [each for each in diagnostics if each.code == code or each.code != "may-be-apart"]


@pytest.mark.parametrize(("code", "marked"), WARNINGS)
def test_warning(code: str, marked: str) -> None:
    text, start, end = unmark(marked)
    diagnostics = minding(code, sistel.parse(text, "file.xml").diagnostics)
    assert len(diagnostics) == 1, [str(item) for item in diagnostics]
    check_place(diagnostics[0], code, start, end)


@pytest.mark.parametrize("text", QUIET)
def test_no_false_alarm(text: str) -> None:
    assert [str(item) for item in minding("", sistel.parse(text, "file.xml").diagnostics)] == []


def test_reading_a_generated_graph_stays_quick() -> None:
    """A thousand structures, each left by three conditions, and one that all leave: what is compared is bounded."""
    count = 1000
    structures = "".join(f'<structure name="s{i}"/>' for i in range(count))
    transitions = "".join(
        f'<transition from="s{i}" to="s{(i * 7 + k) % count}" when="x(p) > {i * 3 + k} m"/>'
        for i in range(count)
        for k in (1, 2, 3)
    )
    transitions += '<transition to="s0" when="t > 1 s"/>'
    diagnostics = sistel.parse(links(structures + transitions, FREE)).diagnostics
    assert {item.code for item in diagnostics} <= {
        "true-on-entry",
        "idle-transition",
        "unreachable-structure",
        "more-problems",
    }


IN_OTHER_TESTS = {
    "crosses-itself",
    "rows-before-start",
    "two-sources",
    "no-column",
    "no-table",
    "gives-way",
    "no-behaviour",
    "not-carried-over",
    "too-small",
    "several-bodies",
    "unseen-mesh",
    "untouched-mesh",
    "cannot-write",
    "inclusion-cycle",
    "mixed-space",
    "no-file",
    "no-live",
    "too-many-files",
    "moving-world",
    "not-of-the-world",
    "vector-as-number",
    "bad-port",
    "no-chain",
    "bad-rule",
    "too-many-uses",
    "unused-scheme",
}


def test_every_code_has_a_case() -> None:
    """A message that no test has seen is a message that nobody has read."""
    pattern = re.compile(r'\.(?:error|warning|note)\(\s*"([a-z-]+)"')
    files = [*(SOURCE / "model").glob("*.py"), *(SOURCE / "markup" / name for name in ("_reader.py", "_files.py"))]
    codes = {code for file in files for code in pattern.findall(file.read_text(encoding="utf-8"))}
    tested = {code for code, _ in (*ERRORS, *WARNINGS)} | IN_OTHER_TESTS
    assert codes - tested == set()


def test_all_problems_come_at_once() -> None:
    text = """<system>
      <parameter name="l" value="1 m + 1 kg"/>
      <body name="a" joint="revolut" mass="-1" com="0,100"/>
      <bdy/>
      <links><structure name="s" holds="nothing"/></links>
    </system>"""
    with pytest.raises(sistel.SistelError) as caught:
        sistel.parse(text)
    assert [item.code for item in caught.value.diagnostics] == [
        "wrong-dimension",
        "unknown-word",
        "negative",
        "unknown-element",
        "unknown-name",
    ]
