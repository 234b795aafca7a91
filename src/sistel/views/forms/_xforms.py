"""A file as a form of XForms 1.1 in XHTML: its text is the instance, its numbers are bound, and saving writes it anew.

No browser runs XForms by itself; processors of it do. XHTML has a prefix here, so that the words of the file, which are
in no namespace, stay as they are.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from decimal import Decimal
from html import escape
from pathlib import PurePath
from urllib.parse import quote
from xml.parsers import expat

from sistel.errors import Language, Text, refuse
from sistel.records import record
from sistel.views.forms._fields import Field, Form, Group
from sistel.views.text._numbers import clean

_MARK = re.compile("\ue000(f[0-9]+)\ue001")
_LANGUAGES: tuple[Language, Language] = ("en", "ru")
GROUPS: dict[Group, Text] = {
    "parameters": Text("Parameters", "Параметры"),
    "gravity": Text("Gravity", "Тяжесть"),
    "start": Text("Initial data", "Начальные данные"),
}
_WORDS: dict[str, Text] = {
    "title": Text("Initial data and parameters", "Начальные данные и параметры"),
    "lang": Text("Language", "Язык"),
    "save": Text("Save the file", "Сохранить файл"),
    "reset": Text("As in the file", "Как в файле"),
    "saved": Text("The file is saved.", "Файл сохранён."),
    "wrong": Text("Nothing was saved: some values are wrong.", "Файл не сохранён: есть неверные значения."),
    "formula": Text("follows from parameters", "вычисляется из параметров"),
    **dict(GROUPS.items()),
}


@record
class _Attribute:
    """An attribute with fields: where it is, and what its value is put together from."""

    path: str
    pieces: tuple[str, ...]
    """Texts and keys of fields in turn, texts first and last."""


def draw_xforms(form: Form, lang: Language) -> str:
    """The page, as XML.

    Args:
        form: Of a file.
        lang: Language in which it opens; it has both.

    Raises:
        SistelError: The text of the file cannot stand inside another.
    """
    instance = _instance(form, {field.key: field.written for field in form.fields})
    attributes, added = _bound(form)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<h:html xmlns:h="http://www.w3.org/1999/xhtml" xmlns:xf="http://www.w3.org/2002/xforms"',
        '        xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:ev="http://www.w3.org/2001/xml-events"',
        f'        xml:lang="{lang}">',
        "<h:head>",
        f"<h:title>{_safe(_title(form).say(lang))}</h:title>",
        f"<h:style>{_STYLE}</h:style>",
        '<xf:model id="model">',
        '<xf:instance id="system">',
        instance,
        "</xf:instance>",
        '<xf:instance id="form"><form>',
        *(f"<{field.key}>{_safe(_spelt(field))}</{field.key}>" for field in form.fields if not field.formula),
        "</form></xf:instance>",
        f'<xf:instance id="page"><page><lang>{lang}</lang><said/></page></xf:instance>',
        '<xf:instance id="words"><words>',
        *_words(form),
        "</words></xf:instance>",
        *_binds(form, attributes, added),
        *_submission(quote(form.file)),
        "</xf:model>",
        "</h:head>",
        "<h:body>",
        f"<h:h1>{_output('title')}</h:h1>",
        *_language(),
        *_groups(form),
        *(f"<h:p>{_output(f'left{i}')}</h:p>" for i in range(len(form.left))),
        f'<xf:submit submission="save"><xf:label ref="{_word("save")}"/></xf:submit>',
        f'<xf:trigger><xf:label ref="{_word("reset")}"/><xf:reset model="model" ev:event="DOMActivate"/></xf:trigger>',
        "<h:p><xf:output value=\"instance('page')/said\"/></h:p>",
        "</h:body>",
        "</h:html>",
        "",
    ]
    text = "\n".join(lines)
    # What is no XML is refused above; a mistake of ours is not handed out.
    ElementTree.fromstring(text)
    return text


_STYLE = (
    "body { font: 15px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; } "
    "label { display: inline-block; min-width: 14rem; }"
)


def _title(form: Form) -> Text:
    name = clean(form.document.root.text("name") or PurePath(form.document.source.path).stem)
    return Text(f"{name}: {_WORDS['title'].en.lower()}", f"{name}: {_WORDS['title'].ru.lower()}")


def _spelt(field: Field) -> str:
    """What is written, as XPath 1.0 reads numbers: without a plus and without powers of ten."""
    plain = field.written.replace("−", "-").replace(" ", "")
    return _decimal(plain) if re.search(r"[+eE]", plain) else plain


def _decimal(number: float | str) -> str:
    return format(Decimal(str(number)), "f")


def _safe(text: str) -> str:
    return _quotable(clean(text))


def _quotable(text: str) -> str:
    """For attributes in double quotes, and for texts."""
    return escape(text, quote=False).replace('"', "&quot;")


def _instance(form: Form, values: dict[str, str]) -> str:
    """The element of the file, with everything that it might gain; what stands before and behind it is left out."""
    text = form.filled(values, whole=True)
    data = text.encode()
    parser = expat.ParserCreate("utf-8")
    depth, first, last = 0, 0, 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, first
        first = first if depth else parser.CurrentByteIndex
        depth += 1

    def end(name: str) -> None:
        nonlocal depth, last
        depth -= 1
        last = last if depth else parser.CurrentByteIndex

    def declare(*given: object) -> None:
        raise expat.ExpatError("<!ENTITY")

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = begin, end, declare
    try:
        parser.Parse(data, True)
    except expat.ExpatError as problem:
        path = form.document.source.path
        refuse(
            "no-form",
            Text(
                f'the text of "{path}" cannot stand inside another document: {problem}',
                f"текст «{path}» нельзя вложить в другой документ: {problem}",
            ),
            hint=Text(
                "write it anew: sistel convert FILE NEW.xml", "запишите его заново: sistel convert ФАЙЛ НОВЫЙ.xml"
            ),
        )
    return data[first : data.index(b">", last) + 1].decode().replace("\r\n", "\n")


def _bound(form: Form) -> tuple[list[_Attribute], list[tuple[str, list[str]]]]:
    """Attributes with fields, and elements that the file would gain, with the keys of the fields below them."""
    marked = {field.key: f"\ue000{field.key}\ue001" for field in form.fields if not field.formula}
    blank = {field.key for field in form.fields if field.slot is not None}
    attributes: list[_Attribute] = []
    added: list[tuple[str, list[str]]] = []
    # Remarks are something that a file has already.
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    root = ElementTree.fromstring(_instance(form, marked), parser)
    _walk(root, "/system", blank, attributes, added)
    return attributes, added


def _walk(
    element: ElementTree.Element,
    path: str,
    blank: set[str],
    attributes: list[_Attribute],
    added: list[tuple[str, list[str]]],
) -> tuple[list[str], bool]:
    """Keys in an element, and whether it holds something that the file has already."""
    keys: list[str] = []
    others = False
    for name, value in element.attrib.items():
        pieces = tuple(_MARK.split(value))
        if len(pieces) > 1:
            attributes.append(_Attribute(path=f"{path}/@{name}", pieces=pieces))
            keys += pieces[1::2]
        elif name not in ("of", "чего"):
            others = True
    seen: dict[str, int] = {}
    for child in element:
        if not isinstance(child.tag, str):
            others = True
            continue
        seen[child.tag] = seen.get(child.tag, 0) + 1
        below, more = _walk(child, f"{path}/{_step(child.tag)}[{seen[child.tag]}]", blank, attributes, added)
        keys += below
        others = others or more
    if not keys or not blank.issuperset(keys):
        return keys, True
    if not others:
        added.append((path, keys))
    return keys, others


def _step(tag: str) -> str:
    """A step to an element, whatever namespace its file declares."""
    space, _, name = tag.rpartition("}")
    return f"*[local-name() = '{name}']" if space else name


# --- the model -------------------------------------------------------------------------------------------------------


def _at(key: str) -> str:
    return f"instance('form')/{key}"


def _quoted(text: str) -> str:
    """A text in an expression of XPath 1.0, which has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    return f'"{text}"' if '"' not in text else "concat(" + ', "\'", '.join(f"'{p}'" for p in text.split("'")) + ")"


def _binds(form: Form, attributes: Sequence[_Attribute], added: Sequence[tuple[str, list[str]]]) -> Iterator[str]:
    for field in form.fields:
        if field.formula:
            continue
        # What is no number is not equal to itself.
        tests = ["number(.) = number(.)"]
        low, high = field.range
        tests += [f"number(.) &gt;= {_decimal(low)}"] if low is not None else []
        tests += [f"number(.) &lt;= {_decimal(high)}"] if high is not None else []
        constraint = " and ".join(tests)
        if not field.required:
            constraint = f"string-length(.) = 0 or ({constraint})"
        # A type of XForms also lets a value be empty, where one of XML Schema does not.
        kind = "xsd:decimal" if field.required else "xf:decimal"
        must = ' required="true()"' if field.required else ""
        yield f'<xf:bind nodeset="{_at(field.key)}" type="{kind}"{must} constraint="{constraint}"/>'
    blank = {field.key for field in form.fields if field.slot is not None}
    for attribute in attributes:
        parts = [_quoted(piece) if i % 2 == 0 else _at(piece) for i, piece in enumerate(attribute.pieces)]
        parts = [part for part in parts if part != "''"]
        value = parts[0] if len(parts) == 1 else f"concat({', '.join(parts)})"
        # What is left empty is not in the file that is saved.
        own = [key for key in attribute.pieces[1::2] if key in blank]
        there = f' relevant="string-length({_at(own[0])}) &gt; 0"' if own else ""
        yield f'<xf:bind nodeset="{_node(attribute.path)}" calculate="{_quotable(value)}"{there}/>'
    for path, keys in added:
        there = " or ".join(f"string-length({_at(key)}) &gt; 0" for key in keys)
        yield f'<xf:bind nodeset="{_node(path)}" relevant="{there}"/>'


def _node(path: str) -> str:
    """A path from the first instance, whose context is its root element."""
    inside = path.split("/", 2)[2]
    return f"instance('system')/{inside}"


def _submission(file: str) -> Iterator[str]:
    yield (
        f'<xf:submission id="save" ref="instance(\'system\')" resource="{_safe(file)}" method="put" '
        'replace="none" mediatype="application/xml" encoding="UTF-8" indent="false" includenamespaceprefixes="">'
    )
    for event, word in (("xforms-submit-done", "saved"), ("xforms-submit-error", "wrong")):
        yield (f'<xf:setvalue ev:event="{event}" ref="instance(\'page\')/said" value="{_word(word)}"/>')
    yield "</xf:submission>"


# --- what people see -------------------------------------------------------------------------------------------------


def _words(form: Form) -> Iterator[str]:
    """Every text in both languages."""
    texts = dict(_WORDS)
    for field in form.fields:
        texts[field.key] = field.name
        texts[f"{field.key}hint"] = _hint(field)
        texts[f"{field.key}alert"] = _alert(field)
        texts[f"{field.key}unit"] = field.shown_unit
    for i, left in enumerate(form.left):
        texts[f"left{i}"] = left
    for key, text in texts.items():
        said = "".join(f'<w xml:lang="{code}">{_safe(text.say(code))}</w>' for code in _LANGUAGES)
        yield f'<t id="{key}">{said}</t>'


def _hint(field: Field) -> Text:
    if field.formula:
        return Text(f"{field.written}: {_WORDS['formula'].en}", f"{field.written}: {_WORDS['formula'].ru}")
    unit = field.shown_unit
    blank = Text("", "") if field.required else Text("; may be empty", "; можно не заполнять")
    about = field.about
    return Text(
        f"{about.en}{', ' if about.en and unit.en else ''}{unit.en}{blank.en}",
        f"{about.ru}{', ' if about.ru and unit.ru else ''}{unit.ru}{blank.ru}",
    )


def _alert(field: Field) -> Text:
    low, high = field.range
    unit = field.shown_unit
    en, ru = "a number", "число"
    if low is not None:
        en, ru = f"{en} from {low:g}", f"{ru} от {low:g}"
    if high is not None:
        en, ru = f"{en} up to {high:g}", f"{ru} до {high:g}"
    return Text(f"{en}, {unit.en}".rstrip(", "), f"{ru}, {unit.ru}".rstrip(", "))


def _word(key: str) -> str:
    return f"instance('words')/t[@id = '{key}']/w[lang(instance('page')/lang)]"


def _output(key: str) -> str:
    return f'<xf:output value="{_word(key)}"/>'


def _language() -> Iterator[str]:
    yield '<h:p><xf:select1 ref="instance(\'page\')/lang" appearance="full" incremental="true">'
    yield f'<xf:label ref="{_word("lang")}"/>'
    for code, name in (("en", "English"), ("ru", "Русский")):
        yield f"<xf:item><xf:label>{name}</xf:label><xf:value>{code}</xf:value></xf:item>"
    yield "</xf:select1></h:p>"


def _groups(form: Form) -> Iterator[str]:
    for group in GROUPS:
        fields = [field for field in form.fields if field.group == group]
        if not fields:
            continue
        yield f'<xf:group><xf:label ref="{_word(group)}"/>'
        for field in fields:
            label = f'<xf:label ref="{_word(field.key)}"/>'
            hint = f'<xf:hint ref="{_word(f"{field.key}hint")}"/>'
            if field.formula:
                shown = _quoted(clean(field.written))
                yield f'<h:p><xf:output value="{_quotable(shown)}">{label}{hint}</xf:output></h:p>'
                continue
            alert = f'<xf:alert ref="{_word(f"{field.key}alert")}"/>'
            unit = f" {_output(f'{field.key}unit')}" if field.unit else ""
            control = f'<xf:input ref="{_at(field.key)}" incremental="true">{label}{hint}{alert}</xf:input>'
            yield f"<h:p>{control}{unit}</h:p>"
        yield "</xf:group>"
