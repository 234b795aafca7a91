"""Kinematic schemes in SVG as descriptions: what is read, what is said, what is refused."""

from __future__ import annotations

import pytest

import sistel
from sistel import SistelError
from sistel.system import parse

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 400"><defs>
<marker id="earth"/><marker id="hinge"/><marker id="slider"/><marker id="gripper"/><marker id="weld"/>
<marker id="m7"><title>carriage</title></marker></defs>
"""


def drawing(inside: str) -> sistel.System:
    return parse(
        f'{HEAD}<g id="body_0" transform="translate(7,9)"><path d="m-50,0h100" marker-start="url(#earth)"/>{inside}</g></svg>',
        "a.svg",
    )


def test_all_kinds_of_joints() -> None:
    system = drawing(
        """<g transform="translate(100)"><title>cart</title><rect x="-20" y="-10" width="40" height="20" fill="red"/>
        <path d="m0,0h0" marker-start="url(#m7)" transform="rotate(90)"/>
          <g transform="matrix(0.8 0.6 -0.6 0.8 0 -30)"><title>arm</title><path d="M0 0 L 0 200" style="marker-start:url(#hinge); stroke: teal"/>
            <g transform="translate(0,200) rotate(10)"><title>plate</title><path d="m0,0h9" marker-start="url(#weld)"/>
            <circle cx="5" cy="6" r="2"/><path d="m30,40h0" marker-start="url(#gripper)"/></g></g></g>
        <g transform="translate(400,-50) rotate(5)"><title>stone</title><polygon points="0,0 10,0 10,10"/></g>"""
    )
    kinds = {body.name: body.joint.type.key for body in system.bodies}
    assert kinds == {"cart": "prismatic", "arm": "revolute", "plate": "fixed", "stone": "free"}
    cart, arm, plate, stone = system.bodies
    assert cart.joint.axis == pytest.approx((0, 1, 0)) and cart.p_PB == pytest.approx((0.1, 0, 0))
    assert (arm.base, plate.base, stone.base) == (1, 2, 0)
    shapes = {shape.body: shape for shape in system.model.shapes if shape.body}
    assert (shapes[1].colour, shapes[2].colour) == ("red", "teal")
    (frame,) = system.model.frames
    assert frame.name == "gripper" and frame.body == 3
    # What is drawn is the start: 0.8, 0.6 is an angle whose tangent is 3/4.
    drawn = system.scheme("start")
    assert "rotate(36.8699)" in str(drawn) and "rotate(5)" in str(drawn)


def test_loops_are_closed_where_bodies_end() -> None:
    """Three bars from the ground to the ground: the last hinge is a mark, on one body or on the line of the ground."""
    for last in (
        '<path d="m0,-300h0" marker-start="url(#hinge)"/>',
        '<path d="m0,-300v300" marker-start="url(#hinge)"/>',
    ):
        system = drawing(
            '<g><path d="m0,0v-300" marker-start="url(#hinge)"/><g transform="translate(0,-300)">'
            '<path d="m0,0h400" marker-start="url(#hinge)"/></g></g>'
            f'<g transform="translate(400)"><path d="m0,0v-300" marker-start="url(#hinge)"/>{last}</g>'
        )
        (closure,) = system.model.closures
        assert {closure.first.body, closure.second.body} == {2, 3} and closure.type.key == "revolute"
        assert system.mobility().dof == 1


def test_what_does_not_carry_over_is_said() -> None:
    system = drawing(
        '<g><path d="m0,0v9" marker-start="url(#hinge)" marker-end="url(#motor)"/><text>x</text><image href="a.png"/></g>'
        '<g><path d="m0,0v9" marker-mid="url(#star)"/></g>'
        '<g><path d="m0,0v9"/><g transform="rotate(9)"><path d="m0,0h9"/></g></g>'
    )
    told = [(loss.kind, loss.span and loss.span.line, loss.what.ru) for loss in system.losses]
    said = " | ".join(words for _, _, words in told)
    for words in (
        "массы, пределы",
        "<text>: в схемах такого нет",
        "<image>",
        "привод",
        "неизвестно",
        "принято, что жёстко",
        "принято, что на шарнире",
    ):
        assert words in said, words
    assert all(line for _, line, _ in told)


@pytest.mark.parametrize(
    ("inside", "code", "column"),
    [
        ('<g transform="scale(2)"/>', "bad-transform", 15),
        ('<g transform="rotate(1) skewX(4)"/>', "bad-transform", 24),
        ('<g transform="matrix(2 0 0 2 0 0)"/>', "bad-transform", 15),
        ('<g transform="translate(1,2"/>', "bad-transform", 15),
        ('<g transform="translate(1e300)"/>', "bad-transform", 15),
        ('<g><path d="m0,0k5"/></g>', "bad-path", 17),
        ('<g><rect width="a" height="2"/></g>', "not-a-number", 17),
        ('<g data-joint="ball"><path d="m0,0h5"/></g>', "unknown-value", 16),
        ('<g data-joint="prismatic" data-axis="up"><path d="m0,0h5"/></g>', "bad-axis", 38),
    ],
)
def test_wrong_drawings_are_refused_where_they_are_wrong(inside: str, code: str, column: int) -> None:
    with pytest.raises(SistelError) as caught:
        parse(f'{HEAD}<g id="body_0"><path d="m0,0h1" marker-start="url(#earth)"/>\n{inside}</g></svg>', "a.svg")
    found = caught.value.diagnostics[0]
    assert (found.code, found.span and found.span.line, found.span and found.span.column) == (code, 5, column)
    assert found.message.en != found.message.ru


def test_hostile_drawings_end_soon() -> None:
    entity = '<!DOCTYPE svg [<!ENTITY a "b">]>'
    deep = "<g>" * 100_000
    many = HEAD + "<g id='b_0'>" + 3000 * "<g><path d='m0,0h1' marker-start='url(#hinge)'/></g>" + "</g></svg>"
    for text in (
        f"{entity}<svg/>",
        "<svg/>",
        f"<svg>{deep}",
        f"{HEAD}</svg>",
        f"{HEAD}<g transform='{'rotate(1)' * 3}' /></svg>",
    ):
        with pytest.raises(SistelError):
            parse(text, "a.svg")
    assert len(parse(many, "a.svg").bodies) == 3000
