"""Repetitions: a file with `<repeat>` is the same system as the one that is written out, with places and live parameters."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.errors import CopySpan, Diagnostics, SistelError, Span
from sistel.markup import translate
from sistel.model import live_model
from sistel.model._letters import leaves

ROD = 'joint="revolute" mass="1" com="0, l/2" inertia="0.01"'
HEAD = '<parameter name="n" value="4"/><parameter name="l" value="200 mm"/>'


def system(inside: str, **attributes: str) -> sistel.System:
    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return sistel.parse(f"<system{given}>{HEAD}{inside}</system>")


def out(pattern: str, numbers: range = range(1, 5)) -> str:
    """A text with numbers in the places of #, so many times."""
    return "".join(pattern.replace("#", str(number)) for number in numbers)


def nested(pattern: str, numbers: range = range(1, 5)) -> str:
    """Texts that stand in each other: @ marks the place of the next."""
    text = "@"
    for number in numbers:
        text = text.replace("@", pattern.replace("#", str(number)))
    return text.replace("@", "")


BALL = (
    '<body name="ball #" joint="prismatic2" mass="#" place="#*100, 0"><point name="bottom #" place="0, #*1 mm"/></body>'
)
CASES: dict[str, tuple[str, str]] = {
    "a row of pendulums": (
        f'<repeat count="n"><body name="rod {{i}}" place="i*100, 0" {ROD}/></repeat>',
        out(f'<body name="rod #" place="#*100, 0" {ROD}/>'),
    ),
    "a rope": (
        f'<repeat count="n" nested="yes"><body name="rod {{i}}" place="0, select(i gt 1, l, 0)" {ROD}>'
        '<point name="end {i}" place="0, l"/></body></repeat>',
        nested(f'<body name="rod #" place="0, select(# gt 1, l, 0)" {ROD}><point name="end #" place="0, l"/>@</body>'),
    ),
    "a rope whose first link is another": (
        f'<body name="rod 0" {ROD}/><repeat count="n"><body name="rod {{i}}" base="rod {{i - 1}}" {ROD}/></repeat>',
        f'<body name="rod 0" {ROD}/>'
        + "".join(f'<body name="rod {i}" base="rod {i - 1}" {ROD}/>' for i in range(1, 5)),
    ),
    "a chain inside a body": (
        f'<body name="hub" {ROD}><repeat count="2" index="leg"><repeat count="2" index="k" nested="yes">'
        f'<body name="{{leg}}.{{k}}" place="leg*100, 0" {ROD}/></repeat></repeat></body>',
        f'<body name="hub" {ROD}>'
        + out(f'<body name="#.1" place="#*100, 0" {ROD}><body name="#.2" place="#*100, 0" {ROD}/></body>', range(1, 3))
        + "</body>",
    ),
    "an index from below zero": (
        f'<repeat count="3" from="-1"><body name="rod {{i}}" place="i*100, -i^2" {ROD}/></repeat>',
        out(f'<body name="rod #" place="#*100, -(#)^2" {ROD}/>', range(-1, 2)),
    ),
    "nothing": (
        f'<body name="a" {ROD}/><repeat count="n - 4"><body name="rod {{i}}" {ROD}/></repeat>',
        f'<body name="a" {ROD}/>',
    ),
    "a triangle": (
        f'<repeat count="3" index="j"><repeat count="j"><body name="{{j}} {{i}}" place="i, j" {ROD}/></repeat></repeat>',
        "".join(f'<body name="{j} {i}" place="{i}, {j}" {ROD}/>' for j in range(1, 4) for i in range(1, j + 1)),
    ),
    "a ring": (
        '<repeat count="n"><body name="link {i}" joint="free" mass="1" inertia="1" place="i*50, 0"/>'
        '<links><closure name="pin {i}" body="link {i}" at="50, 0" to="link {rem(i, n) + 1}"/></links></repeat>',
        out('<body name="link #" joint="free" mass="1" inertia="1" place="#*50, 0"/>')
        + "<links>"
        + "".join(f'<closure name="pin {i}" body="link {i}" at="50, 0" to="link {i % 4 + 1}"/>' for i in range(1, 5))
        + "</links>",
    ),
    "contacts, springs and couplings": (
        '<repeat count="n"><body name="ball {i}" joint="prismatic2" mass="i" place="i*100, 0">'
        '<point name="bottom {i}" place="0, i*1 mm"/></body><spring body="ball {i}" to="0" stiffness="100*i" length="i*10 mm"/></repeat>'
        '<links><repeat count="n"><contact name="floor {i}" point="bottom {i}" surface="y = i*1 m" friction="0.1*i"/>'
        '</repeat><repeat count="n - 1"><coupling name="c {i}" of="ball {i}.x" to="ball {i + 1}.x" ratio="i"/></repeat></links>',
        out(f'{BALL}<spring body="ball #" to="0" stiffness="100*#" length="#*10 mm"/>')
        + "<links>"
        + out('<contact name="floor #" point="bottom #" surface="y = #*1 m" friction="0.1*#"/>')
        + "".join(f'<coupling name="c {i}" of="ball {i}.x" to="ball {i + 1}.x" ratio="{i}"/>' for i in range(1, 4))
        + "</links>",
    ),
    "structures and transitions": (
        f'<repeat count="2"><body name="rod {{i}}" {ROD}/></repeat><links><structure name="free 0"/><repeat count="2">'
        '<lock name="stop {i}" of="rod {i}" holds="no"/><structure name="free {i}" holds="stop {i}"/>'
        '<transition from="free {i - 1}" to="free {i}" when="angle(rod {i}) rises through i*10 deg"/></repeat></links>',
        out(f'<body name="rod #" {ROD}/>', range(1, 3))
        + '<links><structure name="free 0"/>'
        + "".join(
            f'<lock name="stop {i}" of="rod {i}" holds="no"/><structure name="free {i}" holds="stop {i}"/>'
            f'<transition from="free {i - 1}" to="free {i}" when="angle(rod {i}) rises through {i}*10 deg"/>'
            for i in range(1, 3)
        )
        + "</links>",
    ),
    "motions, tables, starts, postures and groups": (
        f'<repeat count="n"><body name="rod {{i}}" {ROD}><motion value="i*t*1 deg/s" kp="i"/>'
        "<force value=\"0, i*vy('rod {i}')*1 N*s/m\"/></body>"
        '<posture name="p {i}"><repeat count="i" index="k"><coordinate of="rod {k}" value="k*i deg"/></repeat></posture>'
        '<group name="g {i}" of="rod {i}, rod {rem(i, n) + 1}"/></repeat>'.replace("k*i deg", "k*i*1 deg")
        + '<motion of="rod 1" kp="2"><repeat count="3" from="0"><row time="i*0.1" values="i*5"/></repeat></motion>'
        '<start><repeat count="n"><coordinate of="rod {i}" value="i*2 deg" rate="i*1 deg/s"/></repeat></start>',
        "".join(
            f'<body name="rod {i}" {ROD}><motion value="{i}*t*1 deg/s" kp="{i}"/>'
            f'<force value="0, {i}*vy(rod {i})*1 N*s/m"/></body><posture name="p {i}">'
            + "".join(f'<coordinate of="rod {k}" value="{k}*{i}*1 deg"/>' for k in range(1, i + 1))
            + f'</posture><group name="g {i}" of="rod {i}, rod {i % 4 + 1}"/>'
            for i in range(1, 5)
        )
        + '<motion of="rod 1" kp="2">'
        + out('<row time="#*0.1" values="#*5"/>', range(3))
        + "</motion><start>"
        + out('<coordinate of="rod #" value="#*2 deg" rate="#*1 deg/s"/>')
        + "</start>",
    ),
    "a scheme": (
        f'<repeat count="3"><body name="rod {{i}}" {ROD}><motor name="M{{i}}"/><frame name="eye {{i}}"/></body></repeat>'
        '<world><box name="wall" place="3000,0" size="200,9000"/></world><scheme name="pd" ports="e">'
        '<repeat count="2"><signal name="g{i}" value="i*e"/></repeat></scheme><scheme name="drive" period="10 ms">'
        '<repeat count="3"><input name="task {i}" kind="slider" min="-1 rad" max="i*1 rad"/>'
        '<sensor name="q{i}" kind="joint" of="rod {i}" noise="i*1e-3 rad"/>'
        '<sensor name="r{i}" kind="rangefinder" rays="eye {i}" range="5 m" against="wall"/>'
        '<block name="u{i}" kind="p" in="p{i}.g2 - q{i}" kp="20 N*m/rad"/></repeat>'
        '<repeat count="3"><use name="p{i}" scheme="pd" e="task {i}"/></repeat>'
        '<repeat count="3"><output motor="M{i}" from="u{i}"/></repeat></scheme>',
        out(f'<body name="rod #" {ROD}><motor name="M#"/><frame name="eye #"/></body>', range(1, 4))
        + '<world><box name="wall" place="3000,0" size="200,9000"/></world><scheme name="pd" ports="e">'
        + out('<signal name="g#" value="#*e"/>', range(1, 3))
        + '</scheme><scheme name="drive" period="10 ms">'
        + out(
            '<input name="task #" kind="slider" min="-1 rad" max="#*1 rad"/>'
            '<sensor name="q#" kind="joint" of="rod #" noise="#*1e-3 rad"/>'
            '<sensor name="r#" kind="rangefinder" rays="eye #" range="5 m" against="wall"/>'
            '<block name="u#" kind="p" in="p#.g2 - q#" kp="20 N*m/rad"/>',
            range(1, 4),
        )
        + out('<use name="p#" scheme="pd" e="task #"/>', range(1, 4))
        + out('<output motor="M#" from="u#"/>', range(1, 4))
        + "</scheme>",
    ),
    "fuzzy rules and the states of a behaviour": (
        f'<body name="rod" {ROD}><motor name="M"/></body><scheme name="drive" period="10 ms">'
        '<block name="f" kind="sugeno"><variable name="x" value="angle(rod)"><repeat count="n - 1">'
        '<term name="t{i}" centre="(i - 2)*0.5 rad" width="0.3 rad"/></repeat></variable>'
        '<variable name="y"><repeat count="3"><term name="t{i}" value="i*1 N*m"/></repeat></variable>'
        '<repeat count="3"><rule when="x is t{i}" then="y is t{n - i}"/></repeat></block>'
        '<behaviour name="c" start="state 1"><repeat count="3"><data name="n{i}" start="i"/></repeat>'
        '<repeat count="3"><state name="state {i}" s="i/3">'
        '<go to="state {i + 1}" when="c.state {i} and angle(rod) lt i*0.01 rad" after="0.1 s">'
        '<assign data="n{i}" value="n{i} + 1"/></go></state></repeat><state name="state 4" s="1"/></behaviour>'
        '<output motor="M" from="f*c.s"/></scheme>',
        f'<body name="rod" {ROD}><motor name="M"/></body><scheme name="drive" period="10 ms">'
        '<block name="f" kind="sugeno"><variable name="x" value="angle(rod)">'
        + out('<term name="t#" centre="(# - 2)*0.5 rad" width="0.3 rad"/>', range(1, 4))
        + '</variable><variable name="y">'
        + out('<term name="t#" value="#*1 N*m"/>', range(1, 4))
        + "</variable>"
        + "".join(f'<rule when="x is t{i}" then="y is t{4 - i}"/>' for i in range(1, 4))
        + '</block><behaviour name="c" start="state 1">'
        + out('<data name="n#" start="#"/>', range(1, 4))
        + "".join(
            f'<state name="state {i}" s="{i}/3"><go to="state {i + 1}" when="c.state {i} and angle(rod) lt {i}*0.01 rad" '
            f'after="0.1 s"><assign data="n{i}" value="n{i} + 1"/></go></state>'
            for i in range(1, 4)
        )
        + '<state name="state 4" s="1"/></behaviour><output motor="M" from="f*c.s"/></scheme>',
    ),
}


def numbers(made: sistel.System) -> list[tuple[str, object]]:
    """Everything in a model but places in the text."""
    return [(path, leaf) for path, leaf in leaves(made.model) if not isinstance(leaf, Span)]


@pytest.mark.parametrize("name", CASES)
def test_the_same_as_written_out(name: str) -> None:
    repeated, written = (system(text) for text in CASES[name])
    assert repeated.fingerprint == written.fingerprint
    assert [body.name for body in repeated.bodies] == [body.name for body in written.bodies]
    assert numbers(repeated) == numbers(written), "every number, to the bit"
    assert repeated.to_xml() == written.to_xml()


@pytest.mark.parametrize("name", ["a rope", "a row of pendulums", "structures and transitions"])
def test_runs_are_the_same_to_the_bit(name: str) -> None:
    start = '<start><coordinate of="rod 1" value="30 deg" rate="1 rad/s"/></start>'
    one, two = (system(text + start).simulate(0.3) for text in CASES[name])
    assert np.array_equal(one.t, two.t) and np.array_equal(one.q, two.q) and np.array_equal(one.v, two.v)


@pytest.mark.parametrize("name", CASES)
def test_translation_keeps_the_repetition(name: str) -> None:
    made = system(CASES[name][0])
    russian = translate(made.source, "ru", Diagnostics())
    assert "<повторить раз=" in russian and "repeat" not in russian and "rem(" not in russian
    assert sistel.parse(russian).fingerprint == made.fingerprint
    assert translate(sistel.parse(russian).source, "en", Diagnostics()) == made.source.text


def test_parameters_inside_stay_live_and_those_that_count_do_not() -> None:
    made = system(
        '<parameter name="m" value="2 kg"/>'
        '<repeat count="n" nested="yes"><body name="rod {i}" joint="revolute" place="0, l" mass="m*i" com="0, l">'
        "<force value=\"0, i*vy('rod {i}')*m/1 s\"/></body></repeat>"
    )
    live = live_model(made.model, ["l", "m", "n"])
    assert set(live.names) == {"l", "m"}
    assert set(live.refused) == {"n"}
    other = made.with_parameters(n=6, m=3.0)
    assert [body.mass for body in other.bodies] == [3.0 * i for i in range(1, 7)]
    with pytest.raises(SistelError, match="not a whole number"):
        made.with_parameters(n=2.5)


def test_parameters_that_only_count_are_used() -> None:
    made = system(f'<repeat count="n - 2"><body name="rod {{n + i}}" {ROD}/></repeat>')
    assert made.diagnostics == ()
    assert [body.name for body in made.bodies] == ["rod 5", "rod 6"]


def test_included_files_repeat_and_are_repeated(tmp_path: Path) -> None:
    (tmp_path / "finger.xml").write_text(
        '<system><parameter name="k" value="2"/><repeat count="k" nested="yes"><body name="bone {i}" joint="revolute" '
        'mass="1" com="0, 20" place="0, 40"/></repeat></system>',
        encoding="utf-8",
    )
    path = tmp_path / "hand.xml"
    path.write_text(
        '<system><parameter name="n" value="3"/><body name="palm" joint="revolute" mass="1" com="0, 10"/>'
        '<repeat count="n"><include file="finger.xml" prefix="{i}: " base="palm" place="i*30, 0">'
        '<parameter name="k" value="i"/></include></repeat></system>',
        encoding="utf-8",
    )
    hand = sistel.load(path)
    expected = ["palm", *(f"{finger}: bone {bone}" for finger in (1, 2, 3) for bone in range(1, finger + 1))]
    assert [body.name for body in hand.bodies] == expected
    # Built again with other numbers, also where the files are no longer there, it is built of what was read.
    (tmp_path / "finger.xml").unlink()
    assert [len(hand.with_parameters(n=count).bodies) for count in (2, 5, 0)] == [4, 16, 1]


def test_files_are_named_by_the_index(tmp_path: Path) -> None:
    for number, name in enumerate(("left", "right"), 1):
        (tmp_path / f"leg{number}.xml").write_text(
            f'<system><body name="{name}" joint="revolute" mass="1" com="0, 10"/></system>', encoding="utf-8"
        )
    path = tmp_path / "legs.xml"
    path.write_text(
        '<system><repeat count="2"><include file="leg{i}.xml"/></repeat><body name="a" joint="fixed" mass="1">'
        '<repeat count="2"><mesh file="part{i}.stl"/></repeat></body></system>',
        encoding="utf-8",
    )
    legs = sistel.load(path)
    assert [body.name for body in legs.bodies] == ["a", "left", "right"]
    (warning,) = (item for item in legs.diagnostics if item.code == "no-mesh-file")
    assert 'mesh "part1.stl"' in warning.message.en and "(and 1 more)" in warning.message.en
    assert warning.span is not None and warning.span.text == "part{i}.stl"


def test_names_with_braces_outside_repetitions_stay_names() -> None:
    made = system(f'<body name="set {{i}}" {ROD}/><body name="b" base="set {{i}}" {ROD}/>')
    assert [body.name for body in made.bodies] == ["set {i}", "b"]


def test_texts_keep_braces_without_an_index() -> None:
    made = system(
        '<repeat count="2"><body name="b {i}" joint="prismatic2" mass="1"><point name="p {i}"/></body></repeat>',
        about="{i} stays",
    )
    assert made.model.about == "{i} stays"


def problems(text: str) -> list[sistel.errors.Diagnostic]:
    with pytest.raises(SistelError) as caught:
        system(text)
    return list(caught.value.diagnostics)


def test_an_error_of_many_copies_is_said_once() -> None:
    text = '<repeat count="1000"><body name="rod {i}" base="rod {i - 1}" joint="revolute" mass="mm" com="0, 1/(i - 3)"/></repeat>'
    unknown, missing, zero = problems(text)
    assert unknown.code == "unknown-name" and unknown.message.en == 'there is no body "rod 0" (in copy i = 1)'
    assert unknown.message.ru.endswith("(в копии i = 1)")
    assert missing.message.en == 'there is no parameter "mm" (in every copy)'
    assert zero.message.en == "division by zero (in copy i = 3)"
    assert [item.span.text for item in (unknown, missing, zero) if item.span] == ["rod {i - 1}", "mm", "i - 3"]


def test_errors_in_repeated_schemes_point_into_the_text() -> None:
    scheme = (
        f'<body name="rod" {ROD}/><scheme name="s" period="10 ms"><repeat count="3">'
        '<signal name="a{i}" value="i*angle(rod)"/><block name="u{i}" kind="sum" in="a{i}, 1 N*i"/></repeat></scheme>'
    )
    with pytest.raises(SistelError) as raised:
        system(scheme)
    (told,) = raised.value.diagnostics
    assert told.message.en.endswith("(in copy i = 1, and in 2 more)")
    assert told.span is not None and told.span.text.startswith('<block name="u{i}"')


def test_how_many_copies_have_it() -> None:
    (same,) = problems(f'<repeat count="2" index="j"><repeat count="10"><body name="rod" {ROD}/></repeat></repeat>')
    assert same.message.en.endswith("(in copy j = 1, i = 2, and in 18 more)")
    assert same.message.ru.endswith("(в копии j = 1, i = 2, и ещё в 18)")
    assert same.related[0][1].en == "it was given here (in copy j = 1, i = 1)"


def test_several_errors_of_one_copy_are_all_said() -> None:
    found = problems(
        f'<repeat count="3"><body name="rod {{i}}" {ROD}/></repeat>'
        '<repeat count="3"><group name="g {i}" of="a {i}, b {i}, rod {i}"/></repeat>'
    )
    assert [item.message.en.split(" (")[0] for item in found] == ['there is no body "a 1"', 'there is no body "b 1"']


def test_warnings_know_their_copy() -> None:
    made = system(
        f'<repeat count="n - 1"><body name="rod {{i}}" {ROD}/></repeat><links><repeat count="3" from="5">'
        '<lock name="k {i}" of="rod {i - 4}" holds="no"/></repeat></links>'
    )
    (warning,) = made.diagnostics
    assert (warning.code, warning.severity) == ("never-holds", "warning")
    assert warning.message.en == '"k 5" holds in no structure (in copy i = 5, and in 2 more)'


def test_places_are_those_of_the_file_and_travel() -> None:
    made = system(f'\n<repeat count="n">\n  <body name="rod {{i}}" {ROD}/></repeat>')
    again = pickle.loads(pickle.dumps(made.model))
    for model in (made.model, again):
        spans: list[Span] = [body.span for body in model.bodies]
        assert [(span.line, span.column) for span in spans] == [(3, 3)] * 4
        assert [span.copy for span in spans if isinstance(span, CopySpan)] == [(("i", k),) for k in range(1, 5)]


def test_a_long_rope_is_written_and_read_again() -> None:
    made = system(f'<repeat count="1500" nested="yes"><body name="rod {{i}}" place="0, l" {ROD}/></repeat>')
    assert made.bases == tuple(range(1500))
    again = sistel.parse(made.to_xml("ru"))
    assert again.fingerprint == made.fingerprint


def test_both_languages_and_spellings() -> None:
    english = system(f'<repeat count="n" index="k" from="0" nested="no"><body name="b {{k}}" {ROD}/></repeat>')
    russian = system(f'<повторить раз="n" индекс="k" от="0" вложенно="нет"><тело имя="b {{k}}" {ROD}/></повторить>')
    assert english.fingerprint == russian.fingerprint


@pytest.mark.parametrize("name", ["rod {i + 1}", "'rod {i + 1}'", "«rod  {i+1}»", "rod {  i+1 }"])
def test_expressions_name_things_with_braces(name: str) -> None:
    text = f'<repeat count="n"><body name="rod {{i}}" {ROD}>@</body></repeat><body name="rod 5" {ROD}/>'
    made = system(text.replace("@", f'<force value="0, 2*y({name})*1 N/m"/>'))
    expected = "".join(
        f'<body name="rod {i}" {ROD}><force value="0, 2*y(rod {i + 1})*1 N/m"/></body>' for i in range(1, 5)
    )
    written = system(expected + f'<body name="rod 5" {ROD}/>')
    assert made.fingerprint == written.fingerprint


def test_parameters_may_be_chosen_by_the_index() -> None:
    made = system(
        '<parameter name="m 1" value="2 kg"/><parameter name="m 2" value="3 kg"/>'
        '<repeat count="n - 2"><body name="rod {i}" joint="revolute" mass="m {i}/2" com="0, l"/></repeat>'
    )
    assert [body.mass for body in made.bodies] == [1.0, 1.5]
    assert made.diagnostics == ()


def test_braces_in_expressions_are_wrong_elsewhere() -> None:
    (problem,) = problems(f'<body name="rod {{i}}" {ROD}><force value="0, 1 N/m*x(rod {{i}})"/></body>')
    assert problem.code == "wrong-bracket"
