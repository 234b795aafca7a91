"""The language as an XSD 1.0, made from the schema table: for editors, which complete words and underline wrong ones.

What an XSD can say about XsysTel is less than the reader checks: it knows words, not names, units or dimensions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sistel.errors import Text
from sistel.markup._colours import _CSS, RUSSIAN
from sistel.markup._patterns import LONGEST_NAME
from sistel.markup._reader import _FLAGS
from sistel.markup.schema import _choices
from sistel.markup.schema._kinds import (
    AttributeSpec,
    Axis,
    Colour,
    ElementSpec,
    Flag,
    FreeText,
    Friction,
    Keyword,
    Kind,
    NewName,
    Prefix,
    Reference,
    UnitWord,
    Whole,
)
from sistel.markup.schema._reference import plain_unit
from sistel.markup.schema._table import ELEMENT_BY_KEY, ELEMENTS, VERSION
from sistel.units import UNITS

_HEAD = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!--
  XsysTel, version {VERSION}: systems of bodies. Written by `sistel schema > xsystel.xsd`; do not edit.

  Tell your editor about it in the root element of a file:

    <system xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="xsystel.xsd">

  (the same with системаТел); sistel itself ignores these two attributes.

  Every word has its spellings in English and in Russian, and they may be mixed. The other spellings of an element are
  in the substitution group of the first. XSD compares letters exactly, so elements are listed with a small and with a
  capital first letter; sistel takes any case.

  No attribute is required here, even if sistel demands it: XSD 1.0 cannot demand "name or имя". Such attributes have
  "Required." in their remark. Numbers are texts here, because each may be an expression with parameters and units.
  The elements start and posture take further attributes, named after the joints of your system.
-->
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" version="{VERSION}">
"""

_XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
_KEYWORDS: tuple[tuple[str, Keyword], ...] = (
    ("joint-word", _choices.JOINTS),
    ("space-word", _choices.SPACES),
    ("class-word", _choices.CLASSES),
    ("impact-word", _choices.IMPACTS),
    ("friction-word", _choices.FRICTIONS),
    ("rolling-word", _choices.ROLLINGS),
    ("free-side-word", _choices.FREE_SIDES),
    ("stop-word", _choices.STOP_SIDES),
    ("block-word", _choices.BLOCK_KINDS),
    ("chain-method-word", _choices.CHAIN_METHODS),
    ("input-word", _choices.INPUT_KINDS),
    ("sensor-word", _choices.SENSOR_KINDS),
    ("sensor-form-word", _choices.SENSOR_FORMS),
    ("force-frame-word", _choices.FORCE_FRAMES),
    ("interpolation-word", _choices.INTERPOLATIONS),
    ("engagement-word", _choices.ENGAGEMENTS),
    ("clock-word", _choices.CLOCKS),
    ("line-word", _choices.DRAWN_LINES),
    ("mark-word", _choices.DRAWN_MARKS),
    ("side-word", _choices.LABEL_SIDES),
    ("dimension-word", _choices.DIMENSION_KINDS),
    ("label-word", _choices.LABEL_KINDS),
    ("statics-word", _choices.STATICS),
)


def schema_xsd() -> str:
    """The XSD of XsysTel, both languages in one, with remarks in both.

    >>> schema_xsd().splitlines()[0]
    '<?xml version="1.0" encoding="UTF-8"?>'
    """
    lines = [_HEAD.rstrip("\n")]
    lines += _simple_types()
    for element in ELEMENTS:
        lines.append("")
        lines += _complex_type(element)
        lines += _declarations(element)
    lines.append("</xs:schema>")
    return "\n".join(lines) + "\n"


def _simple_types() -> Iterator[str]:
    yield "  <!-- What attributes hold. A list of words comes first, for completion; then the same in any case. -->"
    yield from _restriction("text", "xs:string")
    yield from _restriction("value", "xs:token", '<xs:minLength value="1"/>')
    # In repeated elements, expressions in braces may stand in names.
    braces = r"\{[^{}]*\}"
    yield from _restriction(
        "name",
        "xs:token",
        rf'<xs:pattern value="([^,;()&apos;&quot;«»&lt;&gt;=]|{braces}){{1,{LONGEST_NAME}}}"/>',
    )
    yield from _restriction(
        "reference", "xs:token", rf'<xs:pattern value="([^;()&apos;&quot;«»&lt;&gt;=]|{braces})*"/>'
    )
    yield from _restriction("whole", "xs:token", '<xs:pattern value="[0-9]{1,9}"/>')
    yield from _words("flag", ((word, None) for word in _FLAGS))
    for name, keyword in _KEYWORDS:
        yield from _words(
            name,
            ((word, choice.doc) for choice in keyword.choices for word in (*choice.en, *choice.ru, *choice.both)),
        )
    yield from _words("friction", (), "friction-word", "value")
    yield from _words("axis", ((sign + letter, None) for sign in ("", "-") for letter in "xyz"), "value")
    yield from _words("unit", ((word, None) for unit in UNITS for word in (*unit.en, *unit.ru)), "value")
    yield from _restriction(
        "colour-number", "xs:token", '<xs:pattern value="#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})"/>'
    )
    yield from _words("colour", ((word, None) for word in (*sorted(_CSS), *RUSSIAN)), "colour-number")


def _restriction(name: str, base: str, facet: str = "") -> Iterator[str]:
    inside = f">{facet}</xs:restriction>" if facet else "/>"
    yield f'  <xs:simpleType name="{name}"><xs:restriction base="{base}"{inside}</xs:simpleType>'


def _words(name: str, words: Iterable[tuple[str, Text | None]], *members: str) -> Iterator[str]:
    """A type whose values are words, the same words in any case, and what other types allow."""
    known = dict(words)
    together = f' memberTypes="{" ".join(members)}"' if members else ""
    yield f'  <xs:simpleType name="{name}"><xs:union{together}>'
    if known:
        yield '    <xs:simpleType><xs:restriction base="xs:token">'
        for word, doc in known.items():
            remark = "/>" if doc is None else f">{_remark(doc)}</xs:enumeration>"
            yield f'      <xs:enumeration value="{_escape(word)}"{remark}'
        yield "    </xs:restriction></xs:simpleType>"
    any_case = sorted({_any_case(word) for word in known if word.lower() != word.upper()})
    if any_case and "value" not in members:
        yield '    <xs:simpleType><xs:restriction base="xs:token">'
        yield f'      <xs:pattern value="{_escape("|".join(any_case))}"/>'
        yield "    </xs:restriction></xs:simpleType>"
    yield "  </xs:union></xs:simpleType>"


def _any_case(word: str) -> str:
    """A pattern that matches a word in capital and small letters; words hold nothing that patterns treat specially."""
    return "".join(
        letter if letter.lower() == letter.upper() else f"[{letter.lower()}{letter.upper()}]" for letter in word
    )


def _complex_type(element: ElementSpec) -> Iterator[str]:
    yield f'  <xs:complexType name="{element.key}-type">'
    if element.children:
        yield '    <xs:choice minOccurs="0" maxOccurs="unbounded">'
        for key in element.children:
            yield f'      <xs:element ref="{ELEMENT_BY_KEY[key].en[0]}"/>'
        yield "    </xs:choice>"
    for attribute in element.attributes:
        remark = _remark(_meaning(attribute))
        for word in _attribute_words(attribute):
            yield f'    <xs:attribute name="{word}" type="{_type(attribute.kind)}">{remark}</xs:attribute>'
    # Coordinates in <start>; elsewhere only xml:lang and its kin.
    namespace = "##any" if element.open else _XML_NAMESPACE
    yield f'    <xs:anyAttribute namespace="{namespace}" processContents="skip"/>'
    yield "  </xs:complexType>"


def _declarations(element: ElementSpec) -> Iterator[str]:
    remark = _remark(element.doc)
    head = element.en[0]
    for word in dict.fromkeys(case for spelling in (*element.en, *element.ru) for case in _first_letter(spelling)):
        group = "" if word == head else f' substitutionGroup="{head}"'
        yield f'  <xs:element name="{word}" type="{element.key}-type"{group}>{remark}</xs:element>'


def _first_letter(word: str) -> tuple[str, str]:
    return word, (word[0].lower() if word[0].isupper() else word[0].upper()) + word[1:]


def _attribute_words(attribute: AttributeSpec) -> tuple[str, ...]:
    return tuple(dict.fromkeys(case for word in (*attribute.en, *attribute.ru) for case in (word, word.lower())))


def _type(kind: Kind) -> str:
    if isinstance(kind, Keyword):
        return next(name for name, keyword in _KEYWORDS if keyword is kind)
    if isinstance(kind, Reference):
        return "reference" if kind.many else "name"
    return _TYPES.get(type(kind), "value")


_TYPES: dict[type[Kind], str] = {
    FreeText: "text",
    Prefix: "text",
    NewName: "name",
    Whole: "whole",
    Flag: "flag",
    Friction: "friction",
    Axis: "axis",
    Colour: "colour",
    UnitWord: "unit",
}


def _meaning(attribute: AttributeSpec) -> Text:
    """The remark of an attribute: what it means, the unit of plain numbers, what holds without it."""
    en, ru = [attribute.doc.en], [attribute.doc.ru]
    unit = plain_unit(attribute.kind)
    if unit is not None:
        en.append(f"Plain numbers: {unit.en}.")
        ru.append(f"Просто числа: {unit.ru}.")
    if attribute.required:
        en.append("Required.")
        ru.append("Обязателен.")
    if attribute.default is not None:
        en.append(f"Default: {attribute.default.en}.")
        ru.append(f"По умолчанию: {attribute.default.ru}.")
    return Text(" ".join(en), " ".join(ru))


def _remark(text: Text) -> str:
    both = "".join(
        f'<xs:documentation xml:lang="{lang}">{_escape(text.say(lang))}</xs:documentation>' for lang in ("en", "ru")
    )
    return f"<xs:annotation>{both}</xs:annotation>"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
