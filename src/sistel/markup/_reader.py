"""XML elements → a Document of XsysTel, checked word by word against the schema table."""

from __future__ import annotations

import re
from collections.abc import Callable

from sistel.errors import Diagnostics, Fragment, Language, Source, Text, one_of, word_hint
from sistel.markup._colours import read_colour
from sistel.markup._document import Attribute, Document, Node, OpenAttribute, Value
from sistel.markup._patterns import (
    DEFAULT_INDEX,
    LONGEST_NAME,
    Pattern,
    has_braces,
    read_pattern,
    split_outside,
    without_expressions,
)
from sistel.markup._svgpath import read_path
from sistel.markup.expressions._parser import parse_expression, parse_list
from sistel.markup.expressions._syntax import Compare, Number
from sistel.markup.schema import ELEMENT_BY_KEY, ELEMENT_BY_WORD, SYSTEM
from sistel.markup.schema import _kinds as kinds
from sistel.markup.xml._reader import Attribute as XmlAttribute
from sistel.markup.xml._reader import Element
from sistel.units import PLAIN

_IGNORED_PREFIXES = ("xmlns", "xsi:", "xml:")
_FORBIDDEN_IN_NAMES = re.compile(r"[,;()'\"«»<>=\x00-\x1f]")
_FORBIDDEN_OR_BRACES = re.compile(r"[,;()'\"«»<>={}\x00-\x1f]")
_WITH_BRACES = (kinds.FreeText, kinds.Prefix, kinds.NewName, kinds.FilePath)
"""What may have expressions in braces where it is repeated; references may too."""
RATE_ENDINGS = (".rate", ".скорость")
_FLAGS = {"yes": True, "да": True, "true": True, "1": True, "no": False, "нет": False, "false": False, "0": False}
_CYRILLIC = re.compile("[а-яёА-ЯЁ]")


def read_document(root: Element, source: Source, diagnostics: Diagnostics, key: str = "system") -> Document | None:
    """The document of an XML tree, or None when its root is another than that of `key`: a system of bodies, a task.

    Problems go to `diagnostics`; a node keeps what could be read.
    """
    lang = language_of(root)
    spec = ELEMENT_BY_WORD.get(root.name.casefold())
    if spec is None or spec.key != key:
        if key != "system":
            wanted = ELEMENT_BY_KEY[key]
            diagnostics.error(
                "wrong-root",
                root.name_span,
                Text(f'the root element is "{root.name}"', f"корневой элемент — «{root.name}»"),
                expected=Text(wanted.en[0], wanted.ru[0]),
                hint=word_hint(root.name, (*wanted.en, *wanted.ru)),
            )
            return None
        if spec is not None and spec.key == "task":
            hint: Text | None = Text("a task is solved: sistel solve FILE", "задачу решает команда sistel solve ФАЙЛ")
        else:
            hint = word_hint(root.name, (*SYSTEM.en, *SYSTEM.ru))
        diagnostics.error(
            "wrong-root",
            root.name_span,
            Text(f'the root element is "{root.name}"', f"корневой элемент — «{root.name}»"),
            expected=Text(
                "system (or robot for URDF, mujoco for MJCF, svg for drawings)",
                "системаТел (robot для URDF, mujoco для MJCF, svg для рисунка)",
            ),
            hint=hint,
        )
        return None
    node = _Reader(diagnostics, lang).read(root, spec)
    return Document(node, source, lang)


def language_of(root: Element) -> Language:
    """The language that most of a file's words are in."""
    russian = total = 0
    stack = [root]
    while stack and total < 1000:
        element = stack.pop()
        for word in (element.name, *element.attributes):
            total += 1
            russian += bool(_CYRILLIC.search(word))
        stack.extend(element.children)
    return "ru" if 2 * russian >= total else "en"


class _Reader:
    def __init__(self, diagnostics: Diagnostics, lang: Language) -> None:
        self.diagnostics = diagnostics
        self.lang = lang
        self.indices: tuple[str, ...] = ()
        """Of the repetitions that the element stands in: there, names may have expressions in braces."""

    def read(self, root: Element, spec: kinds.ElementSpec) -> Node:
        top = Node(spec, root.span)
        stack: list[tuple[Element, Node, kinds.ElementSpec, tuple[str, ...]]] = [(root, top, spec, ())]
        while stack:
            element, node, home, self.indices = stack.pop()
            self._attributes(element, node)
            for text in element.text:
                self.diagnostics.error(
                    "stray-text",
                    text.strip().span(),
                    Text(
                        f'"{_short(text.text)}" stands between the tags of "{element.name}", which holds no text',
                        f"«{_short(text.text)}» стоит между тегами «{element.name}», а этот элемент текста не содержит",
                    ),
                    hint=Text("put remarks into <!-- comments -->", "пишите заметки в <!-- комментариях -->"),
                )
            repeats = node.key == "repeat"
            inside = (*self.indices, node.text("index") or DEFAULT_INDEX) if repeats else self.indices
            # What is repeated stands where the repetition does.
            possible = tuple(key for key in home.children if key in node.spec.children) if repeats else home.children
            for child in element.children:
                child_spec = self._child(child, element, possible)
                if child_spec is not None:
                    child_node = Node(child_spec, child.span)
                    node.children.append(child_node)
                    stack.append((child, child_node, home if child_spec.key == "repeat" else child_spec, inside))
        return top

    def _child(self, child: Element, parent: Element, possible: tuple[str, ...]) -> kinds.ElementSpec | None:
        found = ELEMENT_BY_WORD.get(child.name.casefold())
        if found is not None and found.key in possible:
            return found
        allowed = [ELEMENT_BY_KEY[key].written(self.lang) for key in possible]
        if found is None:
            candidates = [word for key in possible for word in (*ELEMENT_BY_KEY[key].en, *ELEMENT_BY_KEY[key].ru)]
            message = Text(f'unknown element "{child.name}"', f"неизвестный элемент «{child.name}»")
            hint = word_hint(child.name, candidates or ELEMENT_BY_WORD)
            code = "unknown-element"
        else:
            message = Text(
                f'element "{child.name}" cannot stand inside "{parent.name}"',
                f"элемент «{child.name}» не может стоять внутри «{parent.name}»",
            )
            homes = [
                element.written(self.lang)
                for element in ELEMENT_BY_KEY.values()
                if found.key in element.children and element.key != "repeat"
            ]
            hint = (
                Text(f"it belongs inside {', '.join(homes)}", f"его место внутри: {', '.join(homes)}")
                if homes
                else None
            )
            code = "misplaced-element"
        expected = one_of(allowed, 20) if allowed else Text("no elements inside", "ничего внутри")
        self.diagnostics.error(code, child.name_span, message, expected=expected, hint=hint)
        return None

    def _attributes(self, element: Element, node: Node) -> None:
        spec = node.spec
        for attribute in element.attributes.values():
            if attribute.name.startswith(_IGNORED_PREFIXES):
                continue
            known = spec.by_word.get(attribute.name.casefold())
            if known is None:
                if spec.open and self._open(attribute, node):
                    continue
                self._unknown_attribute(attribute, element, spec)
                continue
            earlier = node.attributes.get(known.key)
            if earlier is not None:
                self.diagnostics.error(
                    "same-attribute",
                    attribute.name_span,
                    Text(
                        f'"{attribute.name}" and "{earlier.name_span.text}" are the same attribute',
                        f"«{attribute.name}» и «{earlier.name_span.text}» — один и тот же атрибут",
                    ),
                    related=[(earlier.name_span, Text("it is given here already", "он уже задан здесь"))],
                )
                continue
            made = self._attribute(known, attribute)
            if made is None:
                node.failed.add(known.key)
            else:
                node.attributes[known.key] = made
        for required in spec.attributes:
            if required.required and required.key not in node.attributes:
                if required.key in node.failed:
                    continue
                word = required.written(self.lang)
                self.diagnostics.error(
                    "missing-attribute",
                    element.name_span,
                    Text(
                        f'element "{element.name}" lacks the attribute "{word}"',
                        f"у элемента «{element.name}» нет атрибута «{word}»",
                    ),
                    hint=Text(f"for example {spec.example.en}", f"например {spec.example.ru}"),
                )

    def _open(self, attribute: XmlAttribute, node: Node) -> bool:
        name, rate = attribute.name, False
        for ending in RATE_ENDINGS:
            if name.casefold().endswith(ending):
                name, rate = name[: -len(ending)], True
        values = parse_list(attribute.value, self.diagnostics, braces=bool(self.indices))
        if values is not None:
            node.open.append(OpenAttribute(name, rate, values, attribute.value.span(), attribute.name_span))
        return True

    def _unknown_attribute(self, attribute: XmlAttribute, element: Element, spec: kinds.ElementSpec) -> None:
        words = [word for known in spec.attributes for word in (*known.en, *known.ru)]
        self.diagnostics.error(
            "unknown-attribute",
            attribute.name_span,
            Text(
                f'element "{element.name}" has no attribute "{attribute.name}"',
                f"у элемента «{element.name}» нет атрибута «{attribute.name}»",
            ),
            expected=one_of([known.written(self.lang) for known in spec.attributes], 24) if words else None,
            hint=word_hint(attribute.name, words),
        )

    def _attribute(self, spec: kinds.AttributeSpec, attribute: XmlAttribute) -> Attribute | None:
        fragment = attribute.value.strip()
        if not fragment.text and not isinstance(spec.kind, (kinds.FreeText, kinds.Prefix)):
            if isinstance(spec.kind, kinds.Reference) and spec.kind.many:
                return Attribute(spec, (), attribute.value.span(), attribute.name_span)
            self.diagnostics.error(
                "empty-value",
                attribute.name_span,
                Text(f'attribute "{attribute.name}" is empty', f"атрибут «{attribute.name}» пуст"),
                expected=Text(spec.doc.en, spec.doc.ru),
            )
            return None
        if isinstance(spec.kind, kinds.Reference):
            return self._references(spec, attribute, fragment)
        if isinstance(spec.kind, kinds.Prefix) and self._bad_letter(attribute.value):
            return None
        if isinstance(spec.kind, (kinds.FreeText, kinds.Prefix)):
            value: Value | None = attribute.value.text
        else:
            value = _VALUES[type(spec.kind)](self, spec.kind, fragment)
        patterns: tuple[Pattern | None, ...] = ()
        if self.indices and isinstance(value, str) and has_braces(value) and isinstance(spec.kind, _WITH_BRACES):
            text = attribute.value if isinstance(spec.kind, (kinds.FreeText, kinds.Prefix)) else fragment
            pattern = read_pattern(
                text, self.diagnostics, self.indices if isinstance(spec.kind, kinds.FreeText) else None
            )
            if pattern is None:
                return None
            patterns = (pattern,)
        if value is None:
            return None
        return Attribute(spec, value, attribute.value.span(), attribute.name_span, (), patterns)

    def _references(self, spec: kinds.AttributeSpec, attribute: XmlAttribute, fragment: Fragment) -> Attribute | None:
        assert isinstance(spec.kind, kinds.Reference)
        names, parts, at = [], [], 0
        patterns: list[Pattern | None] = []
        split = split_outside if self.indices else _split
        for piece in split(fragment.text) if spec.kind.many else [fragment.text]:
            part = fragment.part(at, at + len(piece)).strip()
            at += len(piece) + 1
            name = self._name(spec.kind, part)
            if name is None:
                return None
            names.append(name)
            parts.append(part.span())
            pattern = None
            if self.indices and has_braces(part.text):
                pattern = read_pattern(part, self.diagnostics)
                if pattern is None:
                    return None
            patterns.append(pattern)
        given = tuple(patterns) if any(pattern is not None for pattern in patterns) else ()
        return Attribute(spec, tuple(names), attribute.value.span(), attribute.name_span, tuple(parts), given)

    def _unit(self, kind: kinds.Kind, fragment: Fragment) -> Value:
        return fragment.text

    def _name(self, kind: kinds.Kind, fragment: Fragment) -> str | None:
        name = " ".join(fragment.text.split())
        if self._bad_letter(fragment):
            return None
        if len(name) > LONGEST_NAME or not name:
            said = Text(f"a name of {len(name)} characters", f"имя из {len(name)} символов")
            expected = Text(f"1 to {LONGEST_NAME} characters", f"от 1 до {LONGEST_NAME} символов")
            self.diagnostics.error("bad-name", fragment.span(), said, expected=expected)
            return None
        return name

    def _bad_letter(self, fragment: Fragment) -> bool:
        # In a repeated element, expressions in braces are not part of the name.
        text = without_expressions(fragment.text) if self.indices else fragment.text
        bad = (_FORBIDDEN_OR_BRACES if self.indices else _FORBIDDEN_IN_NAMES).search(text)
        if bad is None:
            return False
        self.diagnostics.error(
            "bad-name",
            fragment.span(bad.start(), bad.end()),
            Text(f'a name cannot contain "{bad.group()}"', f"имя не может содержать «{bad.group()}»"),
            expected=Text("letters, digits, blanks and - _ . /", "буквы, цифры, пробелы и - _ . /"),
        )
        return True

    def _keyword(self, kind: kinds.Kind, fragment: Fragment) -> str | None:
        assert isinstance(kind, kinds.Keyword)
        choice = kind.by_word.get(" ".join(fragment.text.split()).casefold())
        if choice is not None:
            return choice.key
        words = [word for choice in kind.choices for word in (*choice.both, *choice.en, *choice.ru)]
        self.diagnostics.error(
            "unknown-word",
            fragment.span(),
            Text(
                f'"{_short(fragment.text)}" is not one of the words possible here',
                f"«{_short(fragment.text)}» — не из слов, возможных здесь",
            ),
            expected=one_of([choice.written(self.lang) for choice in kind.choices], 20),
            hint=word_hint(fragment.text, words),
        )
        return None

    def _whole(self, kind: kinds.Kind, fragment: Fragment) -> int | None:
        if re.fullmatch(r"[0-9]{1,9}", fragment.text):
            return int(fragment.text)
        told = _short(fragment.text)
        said = Text(f'"{told}" is not a whole number', f"«{told}» — не целое число")
        expected = Text("a whole number such as 1", "целое число, например 1")
        self.diagnostics.error("not-whole", fragment.span(), said, expected=expected)
        return None

    def _flag(self, kind: kinds.Kind, fragment: Fragment) -> bool | None:
        value = _FLAGS.get(fragment.text.casefold())
        if value is None:
            told = _short(fragment.text)
            said = Text(f'"{told}" is neither yes nor no', f"«{told}» — ни да, ни нет")
            self.diagnostics.error("unknown-word", fragment.span(), said, expected=Text("yes or no", "да или нет"))
        return value

    def _numbers(self, kind: kinds.Kind, fragment: Fragment) -> Value | None:
        return parse_list(fragment, self.diagnostics, braces=bool(self.indices))

    def _expression(self, kind: kinds.Kind, fragment: Fragment) -> Value | None:
        return parse_expression(fragment, self.diagnostics, braces=bool(self.indices))

    def _surface(self, kind: kinds.Kind, fragment: Fragment) -> Value | None:
        expression = parse_expression(fragment, self.diagnostics, braces=bool(self.indices))
        if expression is not None and not isinstance(expression, Compare):
            said = Text("a surface is an equation or an inequality", "поверхность — это уравнение или неравенство")
            expected = Text('for example "y = 0" or "y <= 100"', "например «y = 0» или «y <= 100»")
            self.diagnostics.error("bad-surface", fragment.span(), said, expected=expected)
            return None
        return expression

    def _friction(self, kind: kinds.Kind, fragment: Fragment) -> Value | None:
        assert isinstance(kind, kinds.Friction)
        if fragment.text[0].isdigit() or fragment.text[0] in ".+-":
            return parse_list(fragment, self.diagnostics, braces=bool(self.indices))
        choice = kind.words.by_word.get(fragment.text.casefold())
        return choice.key if choice is not None else parse_list(fragment, self.diagnostics, braces=bool(self.indices))

    def _axis(self, kind: kinds.Kind, fragment: Fragment) -> Value | None:
        found = re.fullmatch(r"([+\-−]?)([xyzхузXYZ])", fragment.text)
        if not found:
            return parse_list(fragment, self.diagnostics, braces=bool(self.indices))
        sign = -1.0 if found.group(1) in ("-", "−") else 1.0
        # The Cyrillic letters that look like x and y are what a Russian keyboard gives here.
        index = "xyzхуз".index(found.group(2).lower()) % 3
        span = fragment.span()
        unit = [sign if i == index else 0.0 for i in range(3)]
        return tuple(Number(span=span, value=v, dimension=PLAIN, unit=None, literal="axis") for v in unit)

    def _path(self, kind: kinds.Kind, fragment: Fragment) -> Value | None:
        return read_path(fragment, self.diagnostics, indices=bool(self.indices))

    def _file(self, kind: kinds.Kind, fragment: Fragment) -> Value | None:
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", fragment.text) and not fragment.text.startswith("package://"):
            said = Text("files are read from this computer only", "файлы читаются только с этого компьютера")
            expected = Text("a path relative to this file", "путь относительно этого файла")
            self.diagnostics.error("remote-file", fragment.span(), said, expected=expected)
            return None
        return fragment.text

    def _colour(self, kind: kinds.Kind, fragment: Fragment) -> Value | None:
        return read_colour(fragment, self.diagnostics)


_VALUES: dict[type[kinds.Kind], Callable[[_Reader, kinds.Kind, Fragment], Value | None]] = {
    kinds.UnitWord: _Reader._unit,
    kinds.NewName: _Reader._name,
    kinds.Keyword: _Reader._keyword,
    kinds.Whole: _Reader._whole,
    kinds.Flag: _Reader._flag,
    kinds.Numbers: _Reader._numbers,
    kinds.CoordinateNumbers: _Reader._numbers,
    kinds.Formula: _Reader._numbers,
    kinds.Condition: _Reader._expression,
    kinds.Surface: _Reader._surface,
    kinds.Friction: _Reader._friction,
    kinds.Axis: _Reader._axis,
    kinds.SvgPath: _Reader._path,
    kinds.FilePath: _Reader._file,
    kinds.Colour: _Reader._colour,
}


def _split(text: str) -> list[str]:
    return text.split(",")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:39] + "…"
