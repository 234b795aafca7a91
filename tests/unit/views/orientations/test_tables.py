"""Tables of orientations in text and HTML, and what subgroups are called."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from sistel.errors import SistelError
from sistel.pose import CODES, OCTANTS, axial_group, euler_parameters, icosahedral_group, multiply_codes
from sistel.views.orientations import (
    describe_subgroups,
    group_members,
    octants_text,
    products,
    products_html,
    products_text,
    say_kind,
)

PRINTED = {
    "Gx": ((13, 15, 14, 16), (15, 14, 16, 13), (14, 16, 13, 15), (16, 13, 15, 14)),
    "Gy": ((13, 63, 23, 53), (63, 23, 53, 13), (23, 53, 13, 63), (53, 13, 63, 23)),
    "Gz": ((13, 32, 24, 41), (32, 24, 41, 13), (24, 41, 13, 32), (41, 13, 32, 24)),
}
"""Tables 2, 6 and 7 of A. I. Telegin and others, 2025 (DOI 10.14529/ctcr250403)."""


@pytest.mark.parametrize("name", PRINTED)
def test_tables_of_the_axes_are_those_in_print(name: str) -> None:
    assert products(group_members(name)) == PRINTED[name]


def test_text_of_products() -> None:
    lines = products_text().splitlines()
    head = [int(word) for word in re.findall(r"\d+", lines[0])]
    assert head == list(CODES)
    for line in lines[2:]:
        first, *row = (int(word) for word in re.findall(r"\d+", line))
        assert row == [multiply_codes(first, second) for second in head]
    assert len(lines) == 26 and len({len(line) for line in lines}) == 1


def test_html_of_products() -> None:
    table = ElementTree.fromstring(products_html(group_members("H(15)"), "ru", title="H(15) <"))
    assert table.findtext("caption") == "H(15) <"
    cells = list(table.iter("td"))
    assert [int(each.text or "") for each in cells] == [code for row in PRINTED["Gx"] for code in row]
    assert cells[0].get("title") == "пальцы вправо, большой вверх"


@pytest.mark.parametrize(("name", "members"), [("gx", (13, 15, 14, 16)), (" Gy", (13, 63, 23, 53)),
                                               ("H(14)", (13, 14)), ("h16", (13, 16, 14, 15)),
                                               ("H( 35 )", (13, 35, 51))])  # fmt: skip
def test_names_of_groups(name: str, members: tuple[int, ...]) -> None:
    assert group_members(name) == members


@pytest.mark.parametrize("name", ["", "G", "Gw", "H", "H()", "H(11)", "H(155)", "Gxy", "H(٣٥)", "x" * 1000])
def test_other_groups_are_refused(name: str) -> None:
    with pytest.raises(SistelError) as problem:
        group_members(name)
    assert problem.value.diagnostics[0].code == "no-group"
    assert len(problem.value.diagnostics[0].message.en) < 100


@pytest.mark.parametrize("width", [40, 80, 128, 129, 200])
def test_octants_in_text(width: int) -> None:
    text = octants_text("en", width=width)
    lines = text.splitlines()
    assert [int(code) for code in re.findall(r"(?<![\d,])(\d\d)(?= +[→←↑↓⊙⊗])", text)] == (
        [code for row in OCTANTS for code in row] if width > 128 else [row[i] for i in range(8) for row in OCTANTS]
    )
    for code in CODES:
        *axis, angle = euler_parameters(code)
        assert f" {','.join(map(str, axis))},{angle}° " in text
    arrows = dict(zip("123456", "→←↑↓⊙⊗", strict=True))
    for code, fingers, thumb in re.findall(r"(\d\d) +([→←↑↓⊙⊗]) ([→←↑↓⊙⊗])", text):
        assert (arrows[code[0]], arrows[code[1]]) == (fingers, thumb)
    # A frame: its lines are equally long.
    assert len({len(line) for line in lines if "│" in line}) == 1
    assert max(map(len, lines[:-1])) <= max(width, 60)


def test_what_subgroups_are_called() -> None:
    found = describe_subgroups(axial_group())
    assert Counter((each.name, each.normal) for each in found) == {
        ("1", True): 1, ("C2", False): 9, ("C3", False): 4, ("C4", False): 3, ("V4", True): 1, ("V4", False): 3,
        ("S3", False): 4, ("D4", False): 3, ("A4", True): 1, ("S4", True): 1,
    }  # fmt: skip
    assert len({each.kind for each in found}) == 11
    group = axial_group()
    for each in found:
        assert group.generated(each.generators) == set(each.members)
        assert group.is_abelian(each.members) == (each.name in ("1", "C2", "C3", "C4", "V4"))
        # Normal: turned by any element it stays.
        moved = {frozenset(group.multiply(group.multiply(x, m), group.inverse(x)) for m in each.members)
                 for x in group.elements}  # fmt: skip
        assert (len(moved) == 1) == each.normal


def test_what_subgroups_of_the_icosahedron_are_called() -> None:
    found = describe_subgroups(icosahedral_group())
    assert Counter(each.name for each in found) == {
        "1": 1, "C2": 15, "C3": 10, "V4": 5, "C5": 6, "S3": 10, "D5": 6, "A4": 5, "A5": 1,
    }  # fmt: skip
    # It is simple: no normal subgroups but the least and the greatest.
    assert [each.order for each in found if each.normal] == [1, 60]


def test_kinds_of_turns_are_the_classes() -> None:
    said = {frozenset(say_kind(code, "en") for code in members) for members in axial_group().classes()}
    assert len(said) == 5 and all(len(kinds) == 1 for kinds in said)
