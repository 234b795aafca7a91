"""The XML reader: the tree, its places, and one good diagnostic for each mistake."""

from __future__ import annotations

import time

import pytest

from sistel.errors import Diagnostic, Diagnostics, Source
from sistel.markup.xml._reader import Element, Limits, read_xml


def read(text: str, **limits: int) -> tuple[Element | None, list[Diagnostic]]:
    diagnostics = Diagnostics()
    root = read_xml(Source("f.xml", text), diagnostics, limits=Limits(**limits))
    for diagnostic in diagnostics:
        assert diagnostic.message.en != diagnostic.message.ru
        assert diagnostic.render("en")
        assert diagnostic.render("ru")
    return root, list(diagnostics.sorted())


def good(text: str) -> Element:
    root, problems = read(text)
    assert not problems, problems[0].render("en")
    assert root is not None
    return root


def only(text: str) -> Diagnostic:
    """The only problem of a text that has one mistake."""
    _, problems = read(text)
    assert len(problems) == 1, "\n".join(problem.render("en") for problem in problems)
    assert problems[0].severity == "error"
    return problems[0]


def place(problem: Diagnostic) -> tuple[int, int]:
    assert problem.span is not None
    return problem.span.line, problem.span.column


def shape(element: Element | None) -> object:
    """A tree as plain data: name, attributes, children."""
    if element is None:
        return None
    attributes = {name: attribute.value.text for name, attribute in element.attributes.items()}
    return element.name, attributes, [shape(child) for child in element.children]


def attributes(text: str) -> dict[str, str]:
    root, _ = read(text)
    assert root is not None
    return {name: attribute.value.text for name, attribute in root.attributes.items()}


class TestTree:
    def test_elements_and_attributes(self) -> None:
        root = good("""<a x="1" y='2'><b/><c z = "3" ><d></d ></c></a>""")
        assert shape(root) == ("a", {"x": "1", "y": "2"}, [("b", {}, []), ("c", {"z": "3"}, [("d", {}, [])])])

    def test_spans(self) -> None:
        text = "<Тело номер=\"1\"\n  имя = 'рука'><точка/>\n</Тело >"
        root = good(text)
        assert root.span.text == text[: text.index(">") + 1]
        assert root.name_span.text == "Тело"
        name = root.attributes["имя"]
        assert (name.name_span.text, str(name.name_span)) == ("имя", "f.xml:2:3")
        assert (name.value.span().text, str(name.value.span())) == ("рука", "f.xml:2:10")
        assert str(root.children[0].name_span) == "f.xml:2:17"
        assert root.children[0].end_name_span is None
        assert root.end_name_span is not None
        assert (root.end_name_span.text, str(root.end_name_span)) == ("Тело", "f.xml:3:3")

    def test_columns_count_characters_beyond_the_basic_plane_once(self) -> None:
        root = good('<робот имя="🦾🦿" ось="x"/>')
        assert str(root.attributes["ось"].name_span) == "f.xml:1:17"
        assert root.attributes["имя"].value.text == "🦾🦿"

    def test_windows_line_ends(self) -> None:
        root = good('<a\r\n  b="1"\r\n  c="2\r\n3">\r\n<d/>x\r\ny</a>\r\n')
        assert str(root.attributes["b"].name_span) == "f.xml:2:3"
        value = root.attributes["c"].value
        assert value.text == "2 3"
        assert (str(value.span(2)), value.span(2).text) == ("f.xml:4:1", "3")
        assert str(root.children[0].span) == "f.xml:5:1"
        assert [piece.text for piece in root.text] == ["x\ny"]
        assert str(root.text[0].span(2)) == "f.xml:6:1"

    def test_references_in_a_value_keep_their_places(self) -> None:
        value = good('<a when="1 &lt; x &#1046;&#x416;&amp;\ty"/>').attributes["when"].value
        assert value.text == "1 < x ЖЖ& y"
        pieces = [value.span(i, i + 1).text for i in (0, 2, 4, 6, 7, 8, 9)]
        assert pieces == ["1", "&lt;", "x", "&#1046;", "&#x416;", "&amp;", "\t"]
        assert value.span().text == "1 &lt; x &#1046;&#x416;&amp;\ty"
        assert value.part(4, 6).span().text == "x "

    def test_values_are_normalised_but_references_are_not(self) -> None:
        assert good('<a b="1\n2\t3&#10;4&#9;5"/>').attributes["b"].value.text == "1 2 3\n4\t5"

    def test_text(self) -> None:
        root = good("<a>\n one &amp; <!-- no -->two<b/> \n <c/>thr<![CDATA[<ee>&amp;]]></a>")
        assert [piece.text for piece in root.text] == ["\n one & two", "thr<ee>&amp;"]
        assert root.text[0].span(8).text == "two"
        assert root.text[1].span(3, 7).text == "<ee>"

    def test_names_keep_their_prefix(self) -> None:
        root = good('<x:a xmlns:x="u" x:b="1"/>')
        assert (root.name, list(root.attributes)) == ("x:a", ["xmlns:x", "x:b"])

    def test_prolog_and_epilog(self) -> None:
        root = good('\ufeff<?xml version="1.0" encoding="utf-8"?>\n<!-- a - b --><?style x?>\n<a/>\n<!----><?x?>')
        assert root.name == "a"

    def test_quotation_marks_inside_values_are_no_matter(self) -> None:
        assert good('<a b="the “big” one" c="5”" d=\'"\'/>').attributes["c"].value.text == "5”"

    def test_repr_is_short(self) -> None:
        root = good(f'<a b="{"x" * 9999}"/>')
        assert repr(root) == "<Element a at f.xml:1:1>"
        assert len(repr(root.attributes["b"])) < 100

    def test_another_xml_version_is_a_warning(self) -> None:
        _, problems = read('<?xml version="2.0"?><a/>')
        assert [(problem.code, problem.severity) for problem in problems] == [("xml-version", "warning")]


LISTING_002 = """\
<СистемаТел  класс="ПДСТ">
  <Тело  номер="1"  КП="3"  КПТ="0, 1000"  min="0, 0, -90"  max="5000, 3000, 90">
    <Тело  номер="2"  КП="1" КПТ="0, 0" min="-90" max="160">
      <Тело  номер="3"  КП="1”  КПТ="0, 500"  min="-160"  max="0">
        <Тело  номер="4"  КП="1”  КПТ="0, 500"  min="-90"  max="30"/>
      </Тело> </Тело>
    <Тело  номер="5"  КП="1" КПТ="0, 0" min="-90" max="160">
      <Тело  номер="6"  КП="1”  КПТ="0, 500"  min="-160"  max="0">
        <Тело  номер="7"  КП="1”  КПТ="0, 500"  min="-90"  max="30"/>
    </Тело> </Тело>
</СистемаТел>
"""

LISTING_000 = """\
<СистемаТел класс="ПДСТ">
  <Тело номер="1" КП="3" КПТ="0, 1000" min="0, 0, -90" max="5000, 3000, 90">
    <Тело номер="2" КП="1" КПТ="0, 0" min="-90" max="160">
      <Тело номер="3" КП="1" КПТ="0, 500" min="-160" max="0">
        <Тело номер="4" КП="1" КПТ="0, 500" min="-90" max="30"/>
      </Тело> </Тело>
    <Тело номер="5" КП="1" КПТ="0, 0" min="-90" max="160">
      <Тело номер="6" КП="1" КПТ="0, 500" min="-160" max="0">
        <Тело номер="7" КП="1" КПТ="0, 500" min="-90" max="30"/>
      </Тело> </Тело>
  </Тело> </Тело>
</СистемаТел>
"""


def numbers(element: Element) -> list[object]:
    """The nesting of bodies by their numbers."""
    name = element.attributes["номер"].value.text if "номер" in element.attributes else ""
    return [name, *(numbers(child) for child in element.children)]


class TestPapers:
    """The published listings that are not well formed: one error for each mistake, and the tree that was meant."""

    def test_curly_quotes_and_a_missing_end_tag(self) -> None:
        root, problems = read(LISTING_002)
        assert [(problem.code, *place(problem)) for problem in problems] == [
            ("not-closed", 2, 3),
            ("curly-quote", 4, 30),
            ("curly-quote", 5, 32),
            ("curly-quote", 8, 30),
            ("curly-quote", 9, 32),
        ]
        assert problems[0].message.en == '<Тело номер="1"> is not closed'
        assert [str(span) for span, _ in problems[0].related] == ["f.xml:11:1"]
        assert root is not None
        assert numbers(root) == ["", ["1", ["2", ["3", ["4"]]], ["5", ["6", ["7"]]]]]
        body = root.children[0].children[0].children[0]
        assert shape(body)[1] == {"номер": "3", "КП": "1", "КПТ": "0, 500", "min": "-160", "max": "0"}  # type: ignore[index]

    def test_a_surplus_end_tag(self) -> None:
        problem = only(LISTING_000)
        assert (problem.code, *place(problem)) == ("surplus-end-tag", 11, 11)
        root, _ = read(LISTING_000)
        assert root is not None
        assert numbers(root) == ["", ["1", ["2", ["3", ["4"]]], ["5", ["6", ["7"]]]]]

    def test_an_element_without_end_tag(self) -> None:
        problem = only("""<X3D version = "3.2"><WorldInfo title = 'груз'>\n<Scene> <Viewpoint/>\n</Scene>\n</X3D>""")
        assert (problem.code, *place(problem)) == ("not-closed", 1, 22)
        assert "WorldInfo" in problem.message.en

    def test_elements_that_overlap(self) -> None:
        problem = only('<a>\n<Transform> <ProtoInstance DEF="тело"></Transform>\n<fieldValue/> </ProtoInstance>\n</a>')
        assert (problem.code, *place(problem)) == ("crossed-elements", 2, 39)
        assert [str(span) for span, _ in problem.related] == ["f.xml:2:13", "f.xml:3:15"]

    def test_a_tag_without_its_end(self) -> None:
        text = '<p>\n<v name = "a" value = "0"/>\n<v name = "b" value = "0, 0"\n<v name = "c"/>\n</p>'
        problem = only(text)
        assert (problem.code, *place(problem)) == ("unclosed-tag", 3, 28)
        root, _ = read(text)
        assert root is not None
        assert [child.attributes["name"].value.text for child in root.children] == ["a", "b", "c"]

    def test_a_blank_missing_after_the_name(self) -> None:
        text = '<ProtoInterface>\n<fieldname = "место" type = "SFVec3f"/>\n<field name = "код"/>\n</ProtoInterface>'
        problem = only(text)
        assert (problem.code, *place(problem)) == ("missing-space", 2, 7)
        root, _ = read(text)
        assert shape(root.children[0] if root else None) == ("field", {"name": "место", "type": "SFVec3f"}, [])


class TestQuotationMarks:
    @pytest.mark.parametrize(
        "value",
        ['"1”', '"1“', "“1”", "„1“", "«1»", "‘1’", "“1“", "”1”", '“1"', "'1’", "‹1›", "„1”", "`1´", '"1»', "″1″"],
    )
    def test_typographic_marks(self, value: str) -> None:
        text = f'<Тело КП={value}  КПТ="0, 500" min="-90"/>'
        problem = only(text)
        assert problem.code == "curly-quote"
        assert problem.span is not None
        assert problem.span.text not in ('"', "'")
        assert problem.hint is not None
        assert "вместо" in problem.hint.ru
        assert attributes(text) == {"КП": "1", "КПТ": "0, 500", "min": "-90"}

    def test_at_the_end_of_a_tag(self) -> None:
        for end in ("/>", ">\n<b c='1'/></a>", " />"):
            assert attributes(f'<a b="x” {end}') == {"b": "x"}
            assert only(f'<a b="x”{end}').code == "curly-quote"

    def test_a_pair_is_one_mistake(self) -> None:
        problem = only("<a b=“x”/>")
        assert place(problem) == (1, 6)
        assert [str(span) for span, _ in problem.related] == ["f.xml:1:8"]

    def test_each_attribute_is_a_mistake(self) -> None:
        _, problems = read('<a b=“x” c=«y» d="z"/>')
        assert [problem.code for problem in problems] == ["curly-quote"] * 2

    def test_straight_marks_of_two_kinds(self) -> None:
        problem = only("""<a b="1' c="2"/>""")
        assert (problem.code, *place(problem)) == ("wrong-quote", 1, 8)
        assert attributes("""<a b="1' c="2"/>""") == {"b": "1", "c": "2"}

    def test_unclosed_before_the_next_attribute(self) -> None:
        for blank in (" ", "\n      "):
            text = f'<Тело номер="1{blank}КП="3" КПТ="0"/>'
            problem = only(text)
            assert (problem.code, *place(problem)) == ("unclosed-quote", 1, 13)
            assert attributes(text) == {"номер": "1", "КП": "3", "КПТ": "0"}

    @pytest.mark.parametrize("end", [">", "/>"])
    def test_unclosed_before_the_next_tag(self, end: str) -> None:
        closing = "</Тело>" if end == ">" else ""
        text = f'<С>\n<Тело номер="1{end}\n  <точка имя="a" место="0"/>\n{closing}<b c="1"/></С>'
        problem = only(text)
        assert (problem.code, *place(problem)) == ("unclosed-quote", 2, 13)
        root, _ = read(text)
        assert root is not None
        assert root.children[0].attributes["номер"].value.text == "1"
        assert root.children[-1].attributes["c"].value.text == "1"

    def test_unclosed_with_the_end_of_the_tag(self) -> None:
        assert only('<С>\n<Тело номер="1\n<точка имя="a"/>\n</С>').code == "unclosed-quote"

    def test_missing(self) -> None:
        text = "<Тело номер=1 КПТ=0, 500 имя=рука/>"
        _, problems = read(text)
        assert [problem.code for problem in problems] == ["missing-quotes"] * 3
        assert problems[1].expected is not None
        assert problems[1].expected.en == 'КПТ="0, 500"'
        assert attributes(text) == {"номер": "1", "КПТ": "0, 500", "имя": "рука"}

    def test_missing_opening_one(self) -> None:
        assert only('<a b=1" c="2"/>').code == "missing-quotes"
        assert attributes('<a b=1" c="2"/>') == {"b": "1", "c": "2"}

    def test_inside_a_value(self) -> None:
        problem = only('<a b="the "big" one" c="2"/>')
        assert (problem.code, *place(problem)) == ("raw-quote", 1, 11)
        assert attributes('<a b="the "big" one" c="2"/>') == {"b": 'the "big" one', "c": "2"}

    def test_one_too_many(self) -> None:
        assert only('<a b="1"" c="2"/>').code == "stray-characters"
        assert attributes('<a b="1"" c="2"/>') == {"b": "1", "c": "2"}


class TestTags:
    def test_missing_equals(self) -> None:
        for text in ('<a b"1" c="2"/>', '<a b "1" c="2"/>', '<a b:"1" c="2"/>'):
            assert only(text).code == "missing-equals"
            assert attributes(text) == {"b": "1", "c": "2"}

    def test_doubled_equals(self) -> None:
        assert only('<a b=="1" c="2"/>').code == "stray-characters"
        assert attributes('<a b=="1" c="2"/>') == {"b": "1", "c": "2"}

    @pytest.mark.parametrize("text", ['<a b c="2"/>', '<a b= c="2"/>', '<a c="2" b=/>', '<a c="2" b/>'])
    def test_missing_value(self, text: str) -> None:
        assert only(text).code == "missing-value"
        assert attributes(text) == {"c": "2"}

    def test_prose_in_a_tag_is_one_mistake(self) -> None:
        assert only("<a><see the figure below></see></a>").code == "missing-value"

    def test_missing_space(self) -> None:
        problem = only('<a b="1"c="2"/>')
        assert (problem.code, *place(problem)) == ("missing-space", 1, 9)
        assert attributes('<a b="1"c="2"/>') == {"b": "1", "c": "2"}

    def test_stray_characters(self) -> None:
        assert only('<a b="1", c="2"/>').code == "stray-characters"
        assert attributes('<a b="1", c="2"/>') == {"b": "1", "c": "2"}
        assert only('<a b="1" / c="2"/>').code == "stray-characters"
        assert only('<a b="1"/ >').code == "stray-characters"
        assert only('<a b="1"\\>').code == "stray-characters"

    def test_stray_characters_around_equals(self) -> None:
        for text in ('<a b="1" c"="2"/>', '<a b="1" c=№"2"/>'):
            assert only(text).code == "stray-characters"
            assert attributes(text) == {"b": "1", "c": "2"}

    def test_an_attribute_in_place_of_the_name(self) -> None:
        assert only('<s><имя="рука" масса="1"/></s>').code == "missing-space"

    def test_a_value_without_name(self) -> None:
        assert only('<a "1" b="2"/>').code == "stray-characters"
        assert attributes('<a "1" b="2"/>') == {"b": "2"}

    def test_a_bracket_inside_a_tag(self) -> None:
        assert only('<a b="1" <c="2"/>').code == "stray-characters"

    def test_no_break_space(self) -> None:
        problem = only('<a\u00a0b="1"\u00a0c="2"/>')
        assert (problem.code, *place(problem)) == ("odd-space", 1, 3)
        assert "U+00A0" in problem.message.en
        assert attributes('<a\u00a0b="1"\u00a0c="2"/>') == {"b": "1", "c": "2"}

    def test_duplicate_attribute(self) -> None:
        problem = only('<a b="1" c="2" b="3"/>')
        assert (problem.code, *place(problem)) == ("duplicate-attribute", 1, 16)
        assert [str(span) for span, _ in problem.related] == ["f.xml:1:4"]
        assert attributes('<a b="1" c="2" b="3"/>') == {"b": "1", "c": "2"}

    def test_space_after_the_bracket(self) -> None:
        assert only('<a>< b c="1"/></a>').code == "stray-characters"
        assert only("<a><b>< /b></a>").code == "bad-end-tag"
        assert only("<a><b></ b></a>").code == "bad-end-tag"
        assert only("<a><b><\\b></a>").code == "bad-end-tag"

    def test_name_that_begins_with_a_digit(self) -> None:
        problem = only('<a><3d x="1"></3d></a>')
        assert (problem.code, *place(problem)) == ("bad-name", 1, 5)

    def test_end_tag_with_attributes(self) -> None:
        assert only('<a><b c="1"></b c="1"></a>').code == "bad-end-tag"
        text = '<a></b c="1"/><d/></a>'
        assert only(text).code == "bad-end-tag"
        assert shape(read(text)[0]) == ("a", {}, [("b", {"c": "1"}, []), ("d", {}, [])])

    def test_end_tag_without_bracket(self) -> None:
        assert only("<a><b></b</a>").code == "unclosed-tag"
        assert only("<a><b></b\n</a>").code == "unclosed-tag"

    def test_file_that_ends_inside_a_tag(self) -> None:
        for text in ("<a><b><c", '<a><b><c d="1"', '<a><b><c d="1', "<a><b><c d=", "<a><b></b", "<a><b></"):
            only(text)


class TestText:
    @pytest.mark.parametrize("condition", ["gap < 0", "x<max", "1 <2 and y > 3", "a<=b"])
    def test_comparison_in_a_value(self, condition: str) -> None:
        text = f'<a when="{condition}" to="b"/>'
        problem = only(text)
        assert problem.code == "raw-less-than"
        assert problem.span is not None
        assert problem.span.text == "<"
        assert problem.hint is not None
        assert "&lt;" in problem.hint.en
        assert "меньше" in problem.hint.ru
        assert attributes(text) == {"when": condition, "to": "b"}

    def test_comparison_in_curly_quotes(self) -> None:
        _, problems = read("<a when=“gap < 0” to='b'/>")
        assert [problem.code for problem in problems] == ["curly-quote", "raw-less-than"]
        assert attributes("<a when=“gap < 0” to='b'/>") == {"when": "gap < 0", "to": "b"}

    @pytest.mark.parametrize("text", ["1 < 2", "1 <2", "a <b and c", "<", "a <- b", "<>"])
    def test_raw_bracket(self, text: str) -> None:
        problem = only(f"<a>{text}</a>")
        assert problem.code == "raw-less-than"
        root, _ = read(f"<a>{text}</a>")
        assert root is not None
        assert [piece.text for piece in root.text] == [text]

    def test_raw_ampersand(self) -> None:
        for text in ("fish & chips", "a&b", "a&b=c", "&", "&;", "&1;"):
            problem = only(f'<a b="{text}"/>')
            assert problem.code == "raw-ampersand"
            assert problem.span is not None
            assert problem.span.text == "&"
            assert attributes(f'<a b="{text}"/>') == {"b": text}
            assert only(f"<a>{text}</a>").code == "raw-ampersand"

    def test_missing_semicolon(self) -> None:
        assert only('<a b="x &lt 1"/>').code == "missing-semicolon"
        assert attributes('<a b="x &lt 1"/>') == {"b": "x < 1"}

    @pytest.mark.parametrize(
        ("name", "hint"), [("nbsp", "&#160;"), ("deg", "°"), ("LT", "&lt;"), ("ltt", "&lt;"), ("foo", "&amp;")]
    )
    def test_unknown_entity(self, name: str, hint: str) -> None:
        problem = only(f'<a b="1 &{name}; 2"/>')
        assert problem.code == "unknown-entity"
        assert problem.span is not None
        assert problem.span.text == f"&{name};"
        assert problem.hint is not None
        assert hint in problem.hint.en
        assert attributes(f'<a b="1 &{name}; 2"/>') == {"b": f"1 &{name}; 2"}

    @pytest.mark.parametrize(
        "number", ["0", "1", "x1F", "xD800", "xFFFE", "x110000", "9" * 10_000, "x" + "0" * 99 + "2"]
    )
    def test_reference_to_an_illegal_character(self, number: str) -> None:
        assert only(f'<a b="&#{number};"/>').code == "bad-reference"

    def test_long_references_are_legal(self) -> None:
        assert good(f'<a b="&#x{"0" * 999}41;"/>').attributes["b"].value.text == "A"

    def test_section_end_in_text(self) -> None:
        assert only("<a>x]]>y</a>").code == "section-end"
        assert good('<a b="]]>">]]]] ></a>').text

    def test_control_characters(self) -> None:
        problem = only('<a>\n<b c="\x01\x02"/>\x00</a>')
        assert (problem.code, *place(problem)) == ("control-character", 2, 7)
        assert "U+0001" in problem.message.en
        assert "2 more" in problem.message.en
        assert only("<a>\ud800</a>").code == "control-character"


class TestNesting:
    def test_indentation_shows_which_element_is_left_open(self) -> None:
        problem = only('<s>\n  <b n="1">\n    <b n="2">\n      <b n="3"/>\n  </b>\n</s>'.replace('n="', 'номер="'))
        assert (problem.code, *place(problem)) == ("not-closed", 3, 5)
        assert problem.message.en == '<b номер="2"> is not closed'
        assert [str(span) for span, _ in problem.related] == ["f.xml:5:3", "f.xml:6:1"]

    def test_indentation_shows_the_sibling_left_open(self) -> None:
        problem = only('<s>\n  <b n="1">\n    <b n="2">\n    <b n="3">\n    </b>\n  </b>\n</s>')
        assert place(problem) == (3, 5)

    def test_without_indentation_the_outermost_is_blamed(self) -> None:
        assert place(only("<s>\n<b>\n<b x='1'>\n</b>\n</s>")) == (2, 1)
        assert place(only("<s><b><b x='1'></b></s>")) == (1, 4)

    def test_odd_but_complete_layout_is_no_evidence(self) -> None:
        text = "<s>\n  <b>\n    <b>\n  </b>\n    </b>\n{}</s>"
        assert shape(good(text.format(""))) == ("s", {}, [("b", {}, [("b", {}, [])])])
        assert place(only(text.format("  <b x='1'>\n"))) == (6, 3)

    def test_inner_elements_of_other_names(self) -> None:
        _, problems = read("<s>\n  <b>\n    <c x='1'>\n    <d>\n  </b>\n</s>")
        assert [(problem.code, *place(problem)) for problem in problems] == [
            ("not-closed", 3, 5),
            ("not-closed", 4, 5),
        ]

    def test_two_independent_mistakes(self) -> None:
        _, problems = read("<s>\n  <b>\n    <c>\n  </b>\n  <d>\n    <e>\n  </d>\n</s>")
        assert [place(problem) for problem in problems] == [(3, 5), (6, 5)]

    def test_hint_for_an_element_without_content(self) -> None:
        hint = only("<s>\n  <b x='1'>\n</s>").hint
        assert hint is not None
        assert "/>" in hint.en

    def test_file_that_is_cut(self) -> None:
        problem = only('<s>\n  <b n="1">\n    <b n="2">\n      <c x="1"/>\n')
        assert (problem.code, *place(problem)) == ("not-closed", 3, 5)
        assert [str(span) for span, _ in problem.related] == ["f.xml:2:3", "f.xml:1:1", "f.xml:5:1"]

    def test_surplus(self) -> None:
        assert place(only("<s>\n  <b/>\n  </b>\n</s>")) == (3, 3)
        assert place(only("<s>\n  <b/>\n</b>\n</s>")) == (3, 1)
        assert place(only("<s/>\n</s>")) == (2, 1)
        assert place(only("<bodies>\n  <body/>\n    </body>\n</bodies>")) == (3, 5)

    def test_indentation_shows_which_end_tag_is_surplus(self) -> None:
        text = "<s>\n  <b>\n    <b>\n      <b>\n      </b>\n      </b>\n    </b>\n  </b>\n{}</s>"
        for more in ("", "  <b>\n    <b>\n  </b>\n    </b>\n"):
            problem = only(text.format(more))
            assert (problem.code, *place(problem)) == ("surplus-end-tag", 6, 7)
            assert [str(span) for span, _ in problem.related] == ["f.xml:8:3"]

    def test_misspelt(self) -> None:
        for text in ("<s>\n  <Тело>\n  </Тел>\n</s>", "<s><Тело><точка/></Тел></s>", "<Тело>x</Телло>"):
            problem = only(text)
            assert problem.code == "wrong-end-tag"
            assert problem.expected is not None
            assert problem.expected.en == "</Тело>"
            assert len(problem.related) == 1

    def test_capitals(self) -> None:
        problem = only("<s><Тело></тело></s>")
        assert problem.code == "wrong-end-tag"
        assert "capital" in problem.message.en
        assert "строчные" in problem.message.ru

    def test_letters_that_look_the_same(self) -> None:
        problem = only("<s><Тело></Teло></s>")
        assert problem.code == "wrong-end-tag"
        assert "look the same" in problem.message.en
        assert problem.hint is not None
        assert "Latin in the end tag" in problem.hint.en
        assert "кириллическая" in problem.hint.ru

    def test_another_name_at_the_right_place(self) -> None:
        problem = only("<s>\n  <точка>\n  </Звено>\n</s>")
        assert (problem.code, *place(problem)) == ("wrong-end-tag", 3, 5)
        problem = only("<Тело>\n  <точка>\n  </Тело>\n</Тело>")
        assert (problem.code, *place(problem)) == ("wrong-end-tag", 3, 5)

    def test_another_name_somewhere(self) -> None:
        problem = only("<s>\n  <точка>\n    <b/>\n      </Звено>\n</s>")
        assert problem.code == "wrong-end-tag"

    def test_replacement_characters_are_letters_like_others(self) -> None:
        assert only("<s><b\ufffd></b></s>").code == "wrong-end-tag"

    def test_misspelt_end_of_an_outer_element(self) -> None:
        _, problems = read("<система>\n  <b>\n    <c/>\n</система1>")
        assert [problem.code for problem in problems] == ["not-closed", "wrong-end-tag"]

    def test_end_tags_that_close_nothing_in_a_file_that_is_cut(self) -> None:
        _, problems = read("<s>\n  <b/>\n     </x>\n  <c>\n    <d/>\n      </y>\n")
        assert [(problem.code, *place(problem)) for problem in problems] == [
            ("surplus-end-tag", 3, 6),
            ("wrong-end-tag", 6, 9),
        ]

    def test_several_surplus_end_tags_in_one_element(self) -> None:
        _, problems = read("<s>\n  <b/>\n     </x>\n  <b/>\n     </y>\n  <b/>\n</s>")
        assert [problem.code for problem in problems] == ["surplus-end-tag"] * 2

    def test_elements_of_one_name_left_open_twice(self) -> None:
        _, problems = read("<s>\n  <b>\n    <c x='1'>\n  </b>\n  <b>\n    <c x='2'>\n  </b>\n</s>")
        assert [place(problem) for problem in problems] == [(3, 5), (6, 5)]

    def test_overlap_with_the_root(self) -> None:
        assert only("<s><b x='1'></s></b>").code == "crossed-elements"

    def test_end_tag_without_name(self) -> None:
        assert only("<s><b></></s>").code == "bad-end-tag"

    def test_forgotten_slash(self) -> None:
        for text in ('<s>\n  <b n="1">\n  <b>\n  <c/>\n</s>', '<s>\n  <b n="1">\n    <b n="2">\n    <b>\n  </b>\n</s>'):
            problem = only(text)
            assert problem.code == "missing-slash"
            assert problem.hint is not None
            assert "</b>" in problem.hint.en
        assert only('<s a="1">\n<b/>\n<s>').code == "missing-slash"

    def test_end_name_of_a_misspelt_tag(self) -> None:
        root, _ = read("<Тело></Тел>")
        assert root is not None
        assert root.end_name_span is not None
        assert root.end_name_span.text == "Тел"


class TestSections:
    def test_document_type_is_refused_whole(self) -> None:
        text = """<!DOCTYPE a [ <!ENTITY x "]>"> <!-- ]> ' --> <?p ]> ?> <!ELEMENT a ANY> ]><a b="&x;">&x;</a>"""
        problem = only(text)
        assert (problem.code, *place(problem)) == ("doctype", 1, 1)
        assert attributes(text) == {"b": "&x;"}
        for text in ("<!DOCTYPE html><a/>", '<!doctype a SYSTEM "x>y"><a/>', "<!DOCTYPE a [ <a/>", "<!DOCTYPE a><a/>"):
            assert only(text).code == "doctype"

    def test_entities_are_never_expanded(self) -> None:
        text = '<!DOCTYPE a [<!ENTITY x "yyyy"><!ENTITY z "&x;&x;">]><a>&z;&other;</a>'
        root, problems = read(text)
        assert [problem.code for problem in problems] == ["doctype", "unknown-entity"]
        assert root is not None
        assert root.text[0].text == "&z;&other;"

    def test_comment(self) -> None:
        problem = only("<a><!-- b -- c --></a>")
        assert (problem.code, *place(problem)) == ("comment-hyphens", 1, 11)
        assert only("<a><!-- b ---></a>").code == "comment-hyphens"
        hint = only("<a><!-- b\n<!-- c --></a>").hint
        assert hint is not None
        assert "another" in hint.en

    def test_unclosed(self) -> None:
        assert place(only("<a>\n <!-- b\n<c/></a>")) == (2, 2)
        assert only("<a><!-- b -- ><c/></a>").code == "unclosed-comment"
        assert only("<a><![CDATA[ b </a>").code == "unclosed-section"
        assert only("<a><?b c></a>").code == "unclosed-instruction"
        assert only("<a><?b c").code == "unclosed-instruction"

    def test_dashes_of_a_word_processor(self) -> None:
        assert only("<a><!– b –><c/></a>").code == "comment-dash"
        assert only("<a><!— b —><c/></a>").code == "comment-dash"

    def test_other_markup(self) -> None:
        assert only("<a><!ELEMENT b></a>").code == "bad-markup"
        expected = only("<a><![cdata[x]]></a>").expected
        assert expected is not None
        assert "CDATA" in expected.en

    def test_instruction(self) -> None:
        assert only("<a><? b?></a>").code == "bad-instruction"
        assert only("<a><?b+c?></a>").code == "bad-instruction"

    def test_declaration(self) -> None:
        for text in ('\n<?xml version="1.0"?><a/>', '<a/><?xml version="1.0"?>', 'x<?xml version="1.0"?><a/>'):
            problem = only(text)
            assert problem.code == "xml-declaration"
            assert "beginning" in problem.message.en
        for text in (
            '<?xml version="1.0"><a/>',
            "<?xml version=“1.0”?><a/>",
            '<?XML version="1.0"?><a/>',
            "<?xml?><a/>",
            '<?xml version="1.0" encoding="utf-8" standalone="maybe"?><a/>',
            '<?xml encoding="utf-8"?><a/>',
            "<?xml version=1.0?><a/>",
        ):
            assert only(text).code == "xml-declaration"


class TestRoot:
    def test_text_outside(self) -> None:
        for text in ("x <a/>", "<a/> x", "<a/>\n&#32;", "<a/><![CDATA[]]>", "<a/>\u00a0", "< <a/>", "<a/> 1 < 2"):
            assert only(text).code == "text-outside-root"

    def test_two_roots(self) -> None:
        problem = only("<a>\n</a>\n<a>\n<c/></a>\n<b/>")
        assert (problem.code, *place(problem)) == ("second-root", 3, 1)
        assert [str(span) for span, _ in problem.related] == ["f.xml:2:3"]

    def test_root_closed_too_early(self) -> None:
        text = "<s>\n  <b/>\n</s>\n  <c/>\n  <d/>\n</s>\n"
        assert only(text).code == "second-root"
        assert shape(read(text)[0]) == ("s", {}, [("b", {}, []), ("c", {}, []), ("d", {}, [])])

    @pytest.mark.parametrize("text", ["", " \n\t", "\ufeff\n"])
    def test_nothing(self, text: str) -> None:
        assert only(text).code == "empty-file"

    @pytest.mark.parametrize("text", ["hello", '{"a": [1, 2, "<b>"]}', "[1, 2]", "a: 1\nb: 2"])
    def test_something_else(self, text: str) -> None:
        assert only(text).code == "not-xml"

    @pytest.mark.parametrize("text", ["<!-- a -->", '<?xml version="1.0"?>', "1 < 2", "</"])
    def test_no_element(self, text: str) -> None:
        root, problems = read(text)
        assert root is None
        assert problems


class TestLimits:
    @pytest.mark.parametrize("count", [10_000, 1_000_000])
    def test_depth(self, count: int) -> None:
        for text in ("<a>" * count + "</a>" * count, "<a>" * count):
            start = time.perf_counter()
            problem = only(text)
            assert (problem.code, *place(problem)) == ("too-deep", 1, 3 * 256 + 1)
            assert problem.hint is not None
            assert "база" in problem.hint.ru
            assert time.perf_counter() - start < 20  # a second, but for machines that are busy

    def test_what_follows_a_deep_element_is_read(self) -> None:
        deep = "<b>" * 5 + "<!-- </b> --><c d='>'/>x</ b>" + "</b>" * 4
        root, problems = read(f"<a><a>{deep}</a><e/></a>", depth=2)
        assert [problem.code for problem in problems] == ["too-deep"]
        assert shape(root) == ("a", {}, [("a", {}, []), ("e", {}, [])])

    def test_elements(self) -> None:
        root, problems = read("<a>" + "<b/>" * 100, elements=10)
        assert [problem.code for problem in problems] == ["too-many-elements"]
        assert root is not None
        assert len(root.children) == 9

    def test_attributes(self) -> None:
        many = " ".join(f'a{number}="1"' for number in range(20))
        for tag in (f"<a {many}/>", f"<a {many} x=1/>"):
            root, problems = read(tag, attributes=10)
            assert [problem.code for problem in problems] == ["too-many-attributes"]
            assert root is not None
            assert len(root.attributes) == 10

    def test_pieces(self) -> None:
        _, problems = read("<a>" + '<b c="" d=""/>x' * 100, pieces=10)
        assert [problem.code for problem in problems] == ["too-many-elements"]

    def test_problems(self) -> None:
        diagnostics = Diagnostics()
        read_xml(Source("f.xml", "<a>" + "<b></c>" * 10_000), diagnostics)
        assert len(diagnostics) + diagnostics.dropped < 1100

    @pytest.mark.parametrize(
        "piece",
        [
            *("<", "< ", "<a", "<a ", "</", "</a>", "<a>\n ", "<a></b>", "<a><b></a></b>", "<!", "<!--", "<!-- -- >"),
            *("<!DOCTYPE", "<!DOCTYPE [", '<!DOCTYPE a "', "<!DOCTYPE a [<!--", "<?", "<?a>", "<![CDATA[", "]]>"),
            *('<a b="', "<a b='\"", "<a b=“", '<a b="1” c="2” d="3', '<a b="x < y" c=\'1" ', '\n<a b="1\n', "<a b=c "),
            *("&", "&foo;", "&lt", "&#", "\r", "\x01", "<5 ", "<\\", "<!–", '<a="1" ', "<a>\n  <a>\n</a>\n    </a>"),
        ],
    )
    @pytest.mark.parametrize("before", ["", "<a>", "<a ", '<a b="', "<a>&amp;"])
    def test_hostile_repetition_is_read_in_linear_time(self, before: str, piece: str) -> None:
        start = time.perf_counter()
        _, problems = read(before + piece * (40_000 // len(piece)))
        assert problems
        assert time.perf_counter() - start < 3  # quadratic time would be half a minute
