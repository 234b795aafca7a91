"""Sub-schemes: used several times they are what their blocks would be, and their mistakes name the use."""

from __future__ import annotations

from pathlib import Path

import pytest

import sistel
from sistel.markup import write_document
from sistel.model import to_document

AXIS = """
  <scheme name="axis" ports="target, angle, speed">
    <signal name="e" value="target - angle"/>
    <block name="sum" kind="integrator" in="e"/>
    <block name="u" kind="pd" in="e + 3*sum/1 s" rate="-speed" kp="k" kd="0.8 N*m*s/rad"/>
  </scheme>
"""
USES = """
  <use name="joint 1" scheme="axis" target="1 rad" angle="angle(a)" speed="rate(a)"/>
  <use name="joint 2" scheme="axis" target="0.2 rad" angle="angle(b)" speed="rate(b)"/>
  <output motor="a" from="joint 1.u"/><output motor="b" from="joint 2.u"/>
"""


def text(scheme: str, definitions: str = AXIS, period: str = 'period="10 ms"') -> str:
    return f"""<system name="two"><parameter name="k" value="20 N*m/rad"/>
  <body name="a" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="a" limit="k*1 rad"/>
    <body name="b" joint="revolute" place="0,500" mass="1" com="0,500" inertia="0"><motor name="b"/></body></body>
  {definitions}<scheme name="drive" {period}>{scheme}</scheme></system>"""


def flat(name: str, body: str, target: str) -> str:
    return (
        f'<signal name="{name} e" value="{target} - angle({body})"/>'
        f'<block name="{name} sum" kind="integrator" in="{name} e"/>'
        f'<block name="{name} u" kind="pd" in="{name} e + 3*{name} sum/1 s" rate="-rate({body})" kp="k" '
        f'kd="0.8 N*m*s/rad"/><output motor="{body}" from="{name} u"/>'
    )


@pytest.mark.parametrize("period", ['period="10 ms"', ""])
def test_uses_do_what_their_blocks_do(period: str) -> None:
    used = sistel.parse(text(USES, period=period)).simulate(1.0)
    same = sistel.parse(text(flat("x", "a", "1 rad") + flat("y", "b", "0.2 rad"), "", period)).simulate(1.0)
    assert used.q[-1] == pytest.approx(same.q[-1], abs=1e-15)
    assert used.quantity("joint 2.sum")[-1] == pytest.approx(same.quantity("y sum")[-1], abs=1e-15)


NESTED = """
  <scheme name="length" ports="v"><block name="n" kind="hypot" in="v"/></scheme>
  <scheme name="more" ports="p, q">
    <use name="deep" scheme="length" v="p"/>
    <use name="other" scheme="length" v="q, p.y"/>
    <block name="w" kind="sum" in="deep.n, other"/>
  </scheme>
"""


VECTOR = '<block name="x" kind="vector" in="5, 12" parts="x, y"/><use name="o" scheme="more" p="x" q="9"/>'


def test_sub_schemes_within_sub_schemes_and_vectors_through_ports() -> None:
    run = sistel.parse(text(VECTOR, NESTED)).simulate(0.1)
    values = {name: float(run.quantity(name)[-1]) for name in ("o.w", "o.deep.n", "o.p.x", "o.other.v.2")}
    assert values == pytest.approx({"o.w": 28.0, "o.deep.n": 13.0, "o.p.x": 5.0, "o.other.v.2": 12.0})


@pytest.mark.parametrize("scheme", [USES, VECTOR])
def test_round_trip_keeps_sub_schemes(scheme: str) -> None:
    made = sistel.parse(text(scheme, NESTED if "more" in scheme else AXIS))
    written = write_document(to_document(made.model), "ru")
    assert "<применить" in written and 'порты="' in written
    again = sistel.parse(written)
    assert again.fingerprint == made.fingerprint
    assert write_document(to_document(again.model), "ru") == written


def test_a_sub_scheme_of_another_file(tmp_path: Path) -> None:
    (tmp_path / "axis.xml").write_text(
        f'<system><parameter name="k" value="20 N*m/rad"/>{AXIS}</system>', encoding="utf-8"
    )
    uses = USES.replace('scheme="axis"', 'scheme="lib.axis"')
    whole = text(uses, '<include file="axis.xml" prefix="lib."/>')
    (tmp_path / "main.xml").write_text(whole, encoding="utf-8")
    made = sistel.load(tmp_path / "main.xml")
    assert made.simulate(0.5).q[-1] == pytest.approx(sistel.parse(text(USES)).simulate(0.5).q[-1], abs=1e-15)
    assert sistel.parse(write_document(to_document(made.model))).fingerprint == made.fingerprint


def test_loops_go_by_pairs_of_ports() -> None:
    """What comes out of one port may go back into another one that it does not depend on."""
    passes = '<scheme name="s" ports="p, q"><signal name="w" value="p + 1"/><signal name="d" value="2*q"/></scheme>'
    run = sistel.parse(text('<use name="j" scheme="s" p="j.d" q="3"/>', passes)).simulate(0.05)
    assert run.quantity("j.w")[-1] == 7.0
    with pytest.raises(
        sistel.SistelError, match=r"need each other at one instant: (j\.p → j\.w → j\.p|j\.w → j\.p → j\.w)"
    ):
        sistel.parse(text('<use name="j" scheme="s" p="j.w" q="3"/>', passes))


SAFE = 'angle="1 rad" speed="1 rad/s"'


@pytest.mark.parametrize(
    ("scheme", "definitions", "message", "line"),
    [
        ('<use name="j" scheme="axiss" target="1"/>', AXIS, 'no scheme with ports "axiss"', "<scheme name"),
        (f'<use name="j" scheme="axis" {SAFE}/>', AXIS, 'nothing is joined to the port "target"', "<scheme name"),
        (f'<use name="j" scheme="axis" target="1 rad" {SAFE} x="1"/>', AXIS, 'has no port "x"', "<scheme name"),
        (f'<use name="j" scheme="axis" target="1 m" {SAFE}/>', AXIS, "cannot be added", '<signal name="e"'),
        (
            '<use name="j" scheme="s" p="1"/>',
            '<scheme name="s" ports="p">\n<use name="k" scheme="s" p="p"/></scheme>',
            "inside itself: s → s",
            '<use name="k"',
        ),
        (
            '<use name="j" scheme="s" p="1"/>',
            '<scheme name="s" ports="p">\n<signal name="w" value="p + angle(a)"/></scheme>',
            'no body or joint "a"',
            '<signal name="w"',
        ),
        ("", '\n<scheme name="s" ports="p, name"/>', "not name or scheme", '<scheme name="s"'),
        ("", '\n<scheme name="s" ports="p" period="1 s"/>', "the clock of the scheme that uses it", '<scheme name="s"'),
        (
            '<use name="j" scheme="s" p="1"/>',
            '<scheme name="s" ports="p">\n<output motor="a" from="p"/></scheme>',
            "joined by its ports alone",
            "<output",
        ),
    ],
)
def test_mistakes_are_told_where_they_are(scheme: str, definitions: str, message: str, line: str) -> None:
    with pytest.raises(sistel.SistelError) as raised:
        sistel.parse(text(scheme, definitions))
    told = [each for each in raised.value.diagnostics if each.severity == "error"]
    assert message in f"{told[0].message.en} {told[0].expected.en if told[0].expected else ''}"
    assert line in told[0].span.source.text.splitlines()[told[0].span.line - 1]


def test_a_mistake_inside_names_the_use() -> None:
    with pytest.raises(sistel.SistelError) as raised:
        sistel.parse(text(f'<use name="elbow" scheme="axis" target="1 m" {SAFE}/>'))
    (told,) = raised.value.diagnostics
    assert [note.en for _, note in told.related] == ['it is used here, as "elbow"']


def test_what_nothing_uses_is_told() -> None:
    made = sistel.parse(text("", NESTED))
    assert [each.code for each in made.diagnostics].count("unused-scheme") == 2


def test_uses_that_double_at_every_level_are_refused() -> None:
    levels = ['<scheme name="s0" ports="p"><signal name="w" value="p"/></scheme>']
    for i in range(1, 30):
        inner = "".join(f'<use name="{name}" scheme="s{i - 1}" p="p"/>' for name in ("a", "b"))
        levels.append(f'<scheme name="s{i}" ports="p">{inner}</scheme>')
    with pytest.raises(sistel.SistelError, match="more than 1000 times"):
        sistel.parse(text('<use name="x" scheme="s29" p="1"/>', "".join(levels)))


SHUTTLE = """<parameter name="top" value="2 m"/>
<scheme name="shuttle" ports="body, eyes, force">
  <sensor name="at" kind="joint" of="body"/>
  <sensor name="front" kind="rangefinder" rays="eyes" range="9 m" against="wall" noise="1 mm"/>
  <block name="free" kind="min" in="front"/>
  <behaviour name="go" start="right" f="0 N">
    <data name="laps" start="0"/>
    <state name="right" f="force"><go to="left" when="free lt top/2"><assign data="laps" value="laps + 1"/></go></state>
    <state name="left" f="-force"><go to="right" when="at lt 0 m" after="0.1 s"/></state>
  </behaviour>
</scheme>
<scheme name="pair" ports="one, eye"><use name="in" scheme="shuttle" body="one" eyes="eye" force="2 N"/></scheme>"""
CARTS = """<system name="carts"><gravity value="0"/><world><box name="wall" place="3000,0" size="200,9000"/></world>
<body name="a" joint="prismatic" axis="x" mass="1"><motor name="A"/><frame name="a 1"/><frame name="a 2" place="0,9"/></body>
<body name="b" joint="prismatic" axis="x" mass="1" place="0,500"><motor name="B"/><frame name="eye b"/></body>"""
SHUTTLES = """<use name="p" scheme="shuttle" body="a" eyes="a 1, a 2" force="1 N"/>
  <use name="q" scheme="pair" one="b" eye="eye b"/>
  <signal name="long" value="p.go.left.time"/>
  <output motor="A" from="p.go.f"/><output motor="B" from="q.in.go.f"/>"""


def carts(scheme: str = SHUTTLES, definitions: str = SHUTTLE) -> str:
    return f'{CARTS}{definitions}<scheme name="drive" period="10 ms" seed="3">{scheme}</scheme></system>'


def test_sensors_and_behaviours_inside() -> None:
    """Names of things come in through ports; each use has its own noise, and its own state."""
    run = sistel.parse(carts()).simulate(6.0)
    times = [0.005 + 0.01 * k for k in range(130)]  # until the first of them is near
    off = {}
    for name in ("p.front.1", "p.front.2", "q.in.front.1"):
        off[name] = run.quantity(name, times) + run.quantity("p.at" if name[0] == "p" else "q.in.at", times) - 2.9
    assert all(0.0008 < float(noise.std()) < 0.0012 for noise in off.values())
    assert abs(float((off["p.front.1"] * off["q.in.front.1"]).mean())) < 3e-7
    assert run.quantity("p.go.laps")[-1] == run.quantity("q.in.go.laps")[-1] == 1.0
    left = run.quantity("p.go.left") > 0.5
    assert left.any() and float(run.quantity("long")[left].max()) > 1.0
    # the same as written out
    flat = SHUTTLE[SHUTTLE.index("<sensor") : SHUTTLE.index("</scheme>")]
    flat = (
        flat.replace('"body"', '"a"').replace('"eyes"', '"a 1, a 2"').replace("force", "1 N").replace("-1 N", "-1*1 N")
    )
    plain = flat.replace('noise="1 mm"', "") + '<output motor="A" from="go.f"/>'
    definitions = SHUTTLE.replace('noise="1 mm"', "")
    one, other = (
        sistel.parse(carts(plain, definitions)).simulate(6.0),
        sistel.parse(carts(definitions=definitions)).simulate(6.0),
    )
    assert one.q[-1][0] == other.q[-1][0]


def test_sensors_and_behaviours_inside_come_back(tmp_path: Path) -> None:
    made = sistel.parse(carts())
    for lang in ("en", "ru"):
        written = write_document(to_document(made.model), lang)
        again = sistel.parse(written)
        assert again.fingerprint == made.fingerprint
        assert write_document(to_document(again.model), lang) == written
    library = SHUTTLE.replace(' against="wall"', "")
    (tmp_path / "lib.xml").write_text(f"<system>{library}</system>", encoding="utf-8")
    whole = carts(SHUTTLES.replace('scheme="', 'scheme="lib.'), '<include file="lib.xml" prefix="lib."/>')
    (tmp_path / "main.xml").write_text(whole, encoding="utf-8")
    assert sistel.load(tmp_path / "main.xml").simulate(1.0).q[-1] == pytest.approx(made.simulate(1.0).q[-1], abs=1e-15)


@pytest.mark.parametrize(
    ("old", "new", "message", "at"),
    [
        ('body="a"', 'body="1 m"', "the name of a body", "1 m"),
        ('body="a"', 'body="nobody"', 'no body or joint "nobody"', "body"),
        ('against="wall"', 'against="hedge"', 'no shape "hedge"', "hedge"),
        ("laps + 1", "laps + 1 m", "cannot be added", "laps + 1 m"),
        ('<block name="free"', '<input name="in"/><block name="free"', "signals, blocks, sensors", "<input"),
    ],
)
def test_mistakes_of_sensors_and_behaviours_inside(old: str, new: str, message: str, at: str) -> None:
    with pytest.raises(sistel.SistelError) as raised:
        sistel.parse(carts().replace(old, new))
    told = raised.value.diagnostics[0]
    assert message in f"{told.message.en} {told.expected.en if told.expected else ''}"
    assert told.span is not None and told.span.text.startswith(at)
