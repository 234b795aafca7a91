"""Changes the words of a file from one language to the other; layout, comments, names and numbers stay.

Works on the text itself: every word's place is known, so each is replaced where it stands.
"""

from __future__ import annotations

import re

from sistel.errors import Diagnostics, Language, Source
from sistel.markup._patterns import pattern_edits
from sistel.markup._reader import RATE_ENDINGS
from sistel.markup._writer import _ESCAPED, _ESCAPES
from sistel.markup.expressions._parser import expression_edits
from sistel.markup.schema import _kinds as kinds
from sistel.markup.schema._table import ELEMENT_BY_WORD
from sistel.markup.xml._reader import Attribute, Element, read_xml
from sistel.units import spell_unit

_WITH_EXPRESSIONS = (
    kinds.Numbers,
    kinds.CoordinateNumbers,
    kinds.Formula,
    kinds.Condition,
    kinds.Surface,
    kinds.Friction,
)
_FLAG_WORDS = {"да": "yes", "нет": "no", "yes": "да", "no": "нет"}
_ENCODING = re.compile(r"""(<\?xml[^>]*?\sencoding\s*=\s*["'])([^"']*)""")


def translate(source: Source, lang: Language, diagnostics: Diagnostics) -> str:
    """The text with its words in `lang`; the file must have been read without errors."""
    root = read_xml(source, diagnostics)
    text = source.text
    if root is None:
        return text
    edits: list[tuple[int, int, str]] = []
    stack = [(root, False)]
    while stack:
        element, repeated = stack.pop()
        spec = ELEMENT_BY_WORD.get(element.name.casefold())
        if spec is not None:
            _element(element, spec, lang, edits, repeated)
        inside = repeated or (spec is not None and spec.key == "repeat")
        stack.extend((child, inside) for child in element.children)
    pieces, at = [], 0
    for start, end, word in sorted(edits):
        pieces += [text[at:start], word]
        at = end
    pieces.append(text[at:])
    # The result is written as UTF-8, which holds the words of both languages.
    return _ENCODING.sub(lambda found: found.group(1) + "UTF-8", "".join(pieces), count=1)


def _element(
    element: Element, spec: kinds.ElementSpec, lang: Language, edits: list[tuple[int, int, str]], repeated: bool
) -> None:
    word = spec.written(lang)
    edits += [
        (span.start, span.end, word)
        for span in (element.name_span, element.end_name_span)
        if span is not None and not _in_language(span.text, spec.en, spec.ru, lang)
    ]
    for attribute in element.attributes.values():
        known = spec.by_word.get(attribute.name.casefold())
        if known is not None:
            if not _in_language(attribute.name, known.en, known.ru, lang):
                edits.append((attribute.name_span.start, attribute.name_span.end, known.written(lang)))
            if repeated and isinstance(known.kind, (kinds.NewName, kinds.Reference, kinds.Prefix)):
                _replace_parts(attribute, pattern_edits(attribute.value.text, lang), edits)
            else:
                _value(attribute, known, lang, edits, repeated)
        elif spec.open:
            _open(attribute, lang, edits, repeated)


def _in_language(word: str, en: tuple[str, ...], ru: tuple[str, ...], lang: Language) -> bool:
    return word.casefold() in {spelling.casefold() for spelling in (ru if lang == "ru" else en)}


def _open(attribute: Attribute, lang: Language, edits: list[tuple[int, int, str]], repeated: bool) -> None:
    for ending in RATE_ENDINGS:
        if attribute.name.casefold().endswith(ending):
            wanted = ".скорость" if lang == "ru" else ".rate"
            edits.append((attribute.name_span.end - len(ending), attribute.name_span.end, wanted))
    _replace_parts(attribute, expression_edits(attribute.value.text, lang, braces=repeated), edits)


def _value(
    attribute: Attribute, spec: kinds.AttributeSpec, lang: Language, edits: list[tuple[int, int, str]], repeated: bool
) -> None:
    kind, text = spec.kind, attribute.value.text
    if isinstance(kind, kinds.Keyword):
        choice = kind.by_word.get(" ".join(text.split()).casefold())
        if choice is not None and not _in_language(text, (*choice.en, *choice.both), (*choice.ru, *choice.both), lang):
            _replace(attribute, choice.written(lang), edits)
    elif isinstance(kind, kinds.Flag):
        word = _FLAG_WORDS.get(text.strip().casefold())
        if word is not None and (lang == "ru") == (word in ("да", "нет")):
            _replace(attribute, word, edits)
    elif isinstance(kind, kinds.Friction) and text.strip().casefold() in kind.words.by_word:
        choice = kind.words.by_word[text.strip().casefold()]
        if not _in_language(text.strip(), choice.en, choice.ru, lang):
            _replace(attribute, choice.written(lang), edits)
    elif isinstance(kind, kinds.SvgPath):
        _replace_parts(attribute, pattern_edits(text, lang), edits)
    elif isinstance(kind, kinds.UnitWord):
        _replace(attribute, spell_unit(text, lang), edits)
    elif isinstance(kind, _WITH_EXPRESSIONS) or (isinstance(kind, kinds.Axis) and "," in text):
        _replace_parts(attribute, expression_edits(text, lang, braces=repeated), edits)


def _replace(attribute: Attribute, text: str, edits: list[tuple[int, int, str]]) -> None:
    if text != attribute.value.text:
        _replace_parts(attribute, [(0, len(attribute.value.text), text)], edits)


def _replace_parts(attribute: Attribute, parts: list[tuple[int, int, str]], edits: list[tuple[int, int, str]]) -> None:
    """Other words in the place of some letters of a value; the rest stays to the letter, line breaks too."""
    if not parts:
        return
    whole = attribute.value.span()
    quote = whole.source.text[whole.start - 1]
    for start, end, word in parts:
        span = attribute.value.span(start, end)
        escaped = _ESCAPED.sub(lambda found: _ESCAPES[found.group()], word)
        edits.append((span.start, span.end, escaped.replace("'", "&apos;") if quote == "'" else escaped))
