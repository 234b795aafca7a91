"""Tables of motion: in HTML and in models, and back without a changed bit."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sistel
from sistel.errors import SistelError
from sistel.motion.trajectories import Limits, fastest_move, load_table, motion_table, polynomial_move, read_table

PAGE = """<!DOCTYPE html>
<html><head><title>Table 1</title><style>td {color: red}</style><script>var t = "<table><tr><td>x";</script></head>
<body><table><tr><td>menu</td></tr></table>
<h1>Motion</h1>
<table class="motion">
  <thead><tr><th>Time, s</th><th>hip [deg]</th><th>slide (mm)</th></tr></thead>
  <tr><td>0</td><td>0</td><td>0</td>
  <tr><td>0,5<td><b>30</b><td>&minus;12.5
  <tr><td>1 s</td><td>0.5 rad</td><td>2&nbsp;cm</td></tr>
</table></body></html>"""

numbers = st.floats(-1e6, 1e6, allow_subnormal=False)


def test_what_people_write_is_read() -> None:
    table = read_table(PAGE)
    assert table.names == ("hip", "slide") and table.units == ("deg", "mm")
    assert table.times.tolist() == [0.0, 0.5, 1.0]
    assert table.values.tolist() == [[0.0, 0.0], [math.pi * 30 / 180, -0.0125], [0.5, 0.02]]
    # Written again it shows what people wrote.
    again = table.html(lang="en")
    assert "<td>0.5</td><td>30</td><td>-12.5</td>" in again and "hip [deg]" in again


@settings(max_examples=60)
@given(
    rows=st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=12),
    steps=st.lists(st.floats(1e-6, 10.0), min_size=12, max_size=12),
    lang=st.sampled_from(["en", "ru"]),
)
def test_no_number_changes_through_html(rows, steps, lang) -> None:
    times = np.cumsum(steps)[: len(rows)]
    table = motion_table(times, rows, names=["плечо", "a<b & c", "slide"], units=["deg", "rad", "mm"])
    again = read_table(table.html(lang=lang, caption="a < b"))
    assert again.names == table.names
    assert again.times.tolist() == table.times.tolist() and again.values.tolist() == table.values.tolist()
    assert read_table(again.html(lang=lang)).html(lang=lang) == again.html(lang=lang)


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("interpolation", ["linear", "cubic", "quintic", "spline"])
def test_a_model_moves_as_the_table_says(lang: str, interpolation: str) -> None:
    move = fastest_move([0.1, 0.0], [0.9, 0.07], Limits(1.0, 3.0, 30.0), names=["arm", "slide"])
    table = move.table(0.21, units={"arm": "deg", "slide": "mm"})
    element = table.motion(lang=lang, interpolation=interpolation)
    if lang == "ru":
        assert "<движение" in element and "<строка" in element
    text = (
        '<system><body name="arm" joint="revolute" mass="1" inertia="1">'
        f'<body name="slide" joint="prismatic" mass="1"/></body>{element}</system>'
    )
    if lang == "ru":
        text = text.replace("system>", "системаТел>").replace("<body", "<тело").replace("</body", "</тело")
        text = text.replace("name=", "имя=").replace("joint=", "КП=").replace("revolute", "ВКП")
        text = text.replace("prismatic", "ПКП").replace("mass=", "масса=").replace("inertia=", "инерция=")
    system = sistel.parse(text)
    (motion,) = system.model.motions
    assert list(motion.times) == table.times.tolist()
    assert [list(row) for row in motion.rows] == table.values.tolist()
    # The motion of the model against that of the table, made each in its own way.
    made = table.trajectory(interpolation)
    from sistel.motion._reference import pieces_of

    t = np.linspace(0.0, table.times[-1], 57)[:-1]
    q = made(t)[0]
    for axis in range(2):
        pieces = pieces_of(interpolation, motion.times, [row[axis] for row in motion.rows])
        index = np.searchsorted(motion.times, t, side="right") - 1
        expected = [
            sum(c * (x - motion.times[i]) ** k for k, c in enumerate(pieces[i])) for x, i in zip(t, index, strict=True)
        ]
        assert np.abs(q[:, axis] - expected).max() < 1e-13


def test_rows_of_a_table_end_where_the_motion_ends() -> None:
    move = polynomial_move([0.0, 1.0], [1.0, 0.0], 1.0, names=["a", "b"])
    assert len(move.table(0.1).times) == 11 and len(move.table(0.3).times) == 5
    table = move.table(0.3)
    assert table.times[-1] == 1.0 and (table.values[-1] == [1.0, 0.0]).all()
    assert np.abs(table.trajectory("spline")(0.3)[0] - move(0.3)[0]).max() < 1e-15
    assert len(polynomial_move(0.0, 1.0, 0.7).table(0.1).times) == 8
    one = motion_table([1.0], [[2.0]])
    assert one.trajectory()(5.0)[0].tolist() == [2.0]


@pytest.mark.parametrize(
    ("html", "code", "place"),
    [
        ("", "no-table", None),
        ("<p>nothing", "no-table", None),
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "no-table", None),
        ("<table><tr><th>time<th>a</table>", "no-table", None),
        ("<table>\n<tr><th>time<th>a [m]\n<tr><td>0<td>x</table>", "bad-numbers", (3, 14)),
        ("<table>\n<tr><th>time<th>a [m]\n<tr><td>0<td>1e999</table>", "bad-numbers", (3, 14)),
        ("<table>\n<tr><th>time<th>a [m]\n<tr><td>0<td>nan</table>", "bad-numbers", (3, 14)),
        ("<table>\n<tr><th>time<th>a [m]\n<tr><td>0<td></table>", "empty-cell", (3, 10)),
        ("<table>\n<tr><th>time<th>a [deg]\n<tr><td>0<td>3 kg</table>", "bad-numbers", (3, 14)),
        ("<table>\n<tr><th>time<th>a [bushel]\n<tr><td>0<td>3</table>", "unknown-unit", (2, 17)),
        ("<table>\n<tr><th>time [mm]<th>a [m]\n<tr><td>0<td>3</table>", "unknown-unit", (2, 9)),
        ("<table>\n<tr><th>time<th>a [m]<th>a [m]\n<tr><td>0<td>3<td>3</table>", "wrong-names", (2, 26)),
        ("<table>\n<tr><th>time<th>a [m]\n<tr><td>0<td>3<td>4</table>", "wrong-shape", (3, 19)),
        ("<table>\n<tr><th>t<th>a [m]\n<tr><td>0<td>3\n<tr><td>0<td>3</table>", "wrong-time", (4, 9)),
        ('<table>\n<tr><th>t<th>a [m]\n<tr><td colspan="2">0</table>', "joined-cells", (3, 21)),
    ],
)
def test_wrong_tables_are_told_with_their_place(html: str, code: str, place: tuple[int, int] | None) -> None:
    with pytest.raises(SistelError) as caught:
        read_table(html, path="motion.html")
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.code == code and diagnostic.message.en != diagnostic.message.ru
    if place is not None:
        assert diagnostic.span is not None and (diagnostic.span.line, diagnostic.span.column) == place
    assert "motion.html" in caught.value.render("ru")


@settings(max_examples=150)
@given(st.text(alphabet="<>/tabledhr 0123456789.,;&#x\"'=!-[]\n", max_size=200))
def test_any_text_is_a_table_or_a_message(text: str) -> None:
    for page in (text, "<table><tr><th>t<th>a<tr><td>0<td>1" + text):
        try:
            read_table(page)
        except SistelError as error:
            assert error.render("en") and error.render("ru")


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "motion.html"
    file.write_text(PAGE, encoding="utf-8-sig")
    assert load_table(file).names == ("hip", "slide")
    file.write_bytes(PAGE.replace("hip", "бедро").encode("cp1251"))
    guessed = load_table(file)
    assert guessed.names == ("бедро", "slide") and [each.code for each in guessed.remarks] == ["guessed-encoding"]
    file.write_bytes(b"\x89PNG\0\1\2\xff")
    for wrong in (file, tmp_path / "none.html", tmp_path):
        with pytest.raises(SistelError) as caught:
            load_table(wrong)
        assert caught.value.diagnostics[0].code == "unreadable"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: motion_table([0.0, 0.0], [[1.0], [2.0]]), "wrong-time"),
        (lambda: motion_table([0.0, 1.0], [[1.0]]), "wrong-shape"),
        (lambda: motion_table([0.0], [[np.nan]]), "bad-numbers"),
        (lambda: motion_table([0.0], [[1.0, 2.0]], units=["rad"]), "wrong-shape"),
        (lambda: motion_table([0.0], [[1.0]], units={"b": "rad"}), "unknown-word"),
        (lambda: motion_table([0.0], [[1.0]]).motion(), "wrong-shape"),
        (lambda: motion_table([0.0, 1.0], [[1.0], [2.0]], units="kg").motion(), "wrong-unit"),
        (lambda: motion_table([0.0, 1.0], [[1.0], [2.0]]).trajectory("wavy"), "unknown-word"),
    ],
)
def test_wrong_calls_are_told_in_both_languages(call, code: str) -> None:
    with pytest.raises(SistelError) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code and diagnostic.message.en != diagnostic.message.ru


def test_every_column_of_a_wrong_unit_is_told(tmp_path: Path) -> None:
    """Both at once, at their first cells."""
    (tmp_path / "m.xml").write_text(
        '<system><body name="a" joint="revolute" mass="1" inertia="1"><body name="b" joint="revolute" mass="1" inertia="1"/>'
        '</body><motion file="m.csv"/></system>',
        encoding="utf-8",
    )
    (tmp_path / "m.csv").write_text("time [s],a [mm],b [kg]\n0,1,2\n1,3,4\n", encoding="utf-8")
    with pytest.raises(SistelError) as caught:
        sistel.load(tmp_path / "m.xml")
    told = [(each.code, str(each.span).rpartition("/")[2]) for each in caught.value.diagnostics]
    assert told == [("wrong-dimension", "m.csv:2:3"), ("wrong-dimension", "m.csv:2:5")]
