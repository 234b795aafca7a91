"""Stylesheets of XSLT 1.0 where lxml is not installed: turned into functions once, then run on any document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sistel.views.trees._paths import (
    Attribute,
    Context,
    Expression,
    Fragment,
    Node,
    Root,
    Value,
    boolean,
    expression,
    string,
    written,
)
from sistel.views.trees._plain import Element, fromstring, tostring

XSL = "{http://www.w3.org/1999/XSL/Transform}"


class Stopped(Exception):
    """The stylesheet refuses the document, with a message."""


class Out:
    """Where results go: into an element, or as text alone."""

    def __init__(self, element: Element) -> None:
        self.element = element

    def write(self, text: str) -> None:
        """Put text after what is there."""
        if not text:
            return
        element = self.element
        if len(element):
            last = element[-1]
            last.tail = (last.tail or "") + text
        else:
            element.text = (element.text or "") + text


Act = Callable[[Context, Out], None]


class _Template(NamedTuple):
    matches: tuple[str, ...]
    """Names of elements; * for any, / for the root."""
    mode: str
    name: str
    body: Act
    params: tuple[tuple[str, Callable[[Context], Value]], ...]


class Sheet:
    """A stylesheet."""

    def __init__(self, text: str) -> None:
        """Read it.

        Raises:
            NotImplementedError: It uses what stylesheets of pictures do not.
        """
        top = fromstring(text)
        _strip(top)
        self._spaces = {prefix: address for prefix, address in top.namespaces.items() if address != XSL[1:-1]}
        self._templates: list[_Template] = []
        self._named: dict[str, _Template] = {}
        self._globals: list[tuple[str, bool, Callable[[Context], Value]]] = []
        self._keys: dict[str, tuple[tuple[str, ...], Expression, Expression]] = {}
        for each in top:
            kind = each.tag.removeprefix(XSL)
            if kind == "template":
                self._add_template(each)
            elif kind in ("param", "variable"):
                self._globals.append((each.get("name"), kind == "param", self._value(each)))
            elif kind == "key":
                match = each.get("match")
                names = tuple(part.partition("[")[0] for part in match.split("|"))
                self._keys[each.get("name")] = names, _matching(match), expression(each.get("use"))
            elif kind not in ("output", "strip-space"):
                raise NotImplementedError(f"xsl:{kind}")

    def _add_template(self, element: Element) -> None:
        inner = list(element)
        given = [each for each in inner if each.tag == XSL + "param"]
        params = tuple((each.get("name"), self._value(each)) for each in given)
        body = self._body(element, inner[len(given) :])
        match = element.get("match", "")
        if re.search(r"[\[@(]|[^/]/|/[^/]", match):
            raise NotImplementedError(f"match {match!r}")
        made = _Template(
            tuple(filter(None, match.split("|"))), element.get("mode", ""), element.get("name", ""), body, params
        )
        self._templates.append(made)
        if made.name:
            self._named[made.name] = made

    # --- what instructions do

    def _body(self, element: Element, inner: Sequence[Element] | None = None) -> Act:
        acts: list[Act] = []
        if element.text:
            acts.append(_writing(element.text))
        for each in list(element) if inner is None else inner:
            acts.append(self._act(each))
            if each.tail:
                acts.append(_writing(each.tail))
        if len(acts) == 1:
            return acts[0]

        def all_of(c: Context, out: Out) -> None:
            for act in acts:
                act(c, out)

        return all_of

    def _act(self, element: Element) -> Act:
        if not element.tag.startswith(XSL):
            return self._literal(element)
        kind = element.tag.removeprefix(XSL).replace("-", "_")
        make: Callable[[Element], Act] | None = getattr(self, f"_do_{kind}", None)
        if make is None:
            raise NotImplementedError(element.tag)
        return make(element)

    def _literal(self, element: Element) -> Act:
        attributes = [(name, _filled(value)) for name, value in element.attrib.items()]
        body, tag, spaces = self._body(element), element.tag, self._spaces

        def act(c: Context, out: Out) -> None:
            made = Element(tag, {name: value(c) for name, value in attributes}, spaces)
            out.element.append(made)
            body(c, Out(made))

        return act

    def _do_text(self, element: Element) -> Act:
        return _writing(element.text or "")

    def _do_value_of(self, element: Element) -> Act:
        value = expression(element.get("select"))
        return lambda c, out: out.write(string(value(c)))

    def _do_if(self, element: Element) -> Act:
        test, body = expression(element.get("test")), self._body(element)

        def act(c: Context, out: Out) -> None:
            if boolean(test(c)):
                body(c, out)

        return act

    def _do_choose(self, element: Element) -> Act:
        cases = [
            (expression(each.get("test")) if each.tag == XSL + "when" else (lambda c: True), self._body(each))
            for each in element
        ]

        def act(c: Context, out: Out) -> None:
            for test, body in cases:
                if boolean(test(c)):
                    body(c, out)
                    return

        return act

    def _do_for_each(self, element: Element) -> Act:
        select, body = expression(element.get("select")), self._body(element)

        def act(c: Context, out: Out) -> None:
            nodes = select(c)
            assert isinstance(nodes, list)
            for place, node in enumerate(nodes, 1):
                body(Context(node, place, len(nodes), dict(c.variables), c.sheet), out)

        return act

    def _do_variable(self, element: Element) -> Act:
        value, name = self._value(element), element.get("name")

        def act(c: Context, out: Out) -> None:
            c.variables[name] = value(c)

        return act

    def _value(self, element: Element) -> Callable[[Context], Value]:
        """What a variable or a parameter is filled with."""
        if element.get("select") is not None:
            return expression(element.get("select"))
        if not len(element) and not element.text:
            return lambda c: ""
        body = self._body(element)

        def value(c: Context) -> Value:
            made = Element("fragment")
            body(Context(c.node, c.position, c.size, dict(c.variables), c.sheet), Out(made))
            return Fragment("".join(made.itertext()))

        return value

    def _do_attribute(self, element: Element) -> Act:
        name, body = _filled(element.get("name")), self._body(element)

        def act(c: Context, out: Out) -> None:
            made = Element("attribute")
            body(c, Out(made))
            out.element.set(name(c), "".join(made.itertext()))

        return act

    def _do_message(self, element: Element) -> Act:
        body, stop = self._body(element), element.get("terminate") == "yes"

        def act(c: Context, out: Out) -> None:
            if stop:
                made = Element("message")
                body(c, Out(made))
                raise Stopped("".join(made.itertext()))

        return act

    def _do_number(self, element: Element) -> Act:
        if element.get("level") != "any":
            raise NotImplementedError("xsl:number")
        names = set(element.get("count").split("|"))

        def act(c: Context, out: Out) -> None:
            found = 0
            for each in c.sheet.root.top.iter():
                found += each.tag in names
                if each is c.node:
                    break
            out.write(written(float(found)))

        return act

    def _do_call_template(self, element: Element) -> Act:
        name, given = element.get("name"), self._given(element)

        def act(c: Context, out: Out) -> None:
            _applied(self._named[name], c, {key: value(c) for key, value in given}, out)

        return act

    def _do_apply_templates(self, element: Element) -> Act:
        given, mode = self._given(element), element.get("mode", "")
        select = None if element.get("select") is None else expression(element.get("select"))

        def act(c: Context, out: Out) -> None:
            values = {key: value(c) for key, value in given}
            if select is None:
                self._inside(c, mode, values, out)
                return
            nodes = select(c)
            assert isinstance(nodes, list)
            for place, node in enumerate(nodes, 1):
                self._apply(Context(node, place, len(nodes), {}, c.sheet), mode, values, out)

        return act

    def _given(self, element: Element) -> list[tuple[str, Callable[[Context], Value]]]:
        return [(each.get("name"), self._value(each)) for each in element if each.tag == XSL + "with-param"]

    def _inside(self, c: Context, mode: str, values: Mapping[str, Value], out: Out) -> None:
        inner = [c.node.top] if isinstance(c.node, Root) else list(c.node) if isinstance(c.node, Element) else []
        if isinstance(c.node, Element):
            out.write(c.node.text or "")
        for place, each in enumerate(inner, 1):
            self._apply(Context(each, place, len(inner), {}, c.sheet), mode, values, out)
            out.write(each.tail or "")

    def _apply(self, c: Context, mode: str, values: Mapping[str, Value], out: Out) -> None:
        name = "/" if isinstance(c.node, Root) else c.node.name if isinstance(c.node, Attribute) else c.node.tag
        exact = [each for each in self._templates if each.mode == mode and name in each.matches]
        found = exact or [each for each in self._templates if each.mode == mode and "*" in each.matches and name != "/"]
        if found:
            _applied(found[-1], c, values, out)
        else:
            self._inside(c, mode, {}, out)

    # --- a run

    def run(self, text: str, parameters: Mapping[str, str]) -> str:
        """What it makes of a document, as text with its head.

        Raises:
            Stopped: It refuses the document.
        """
        top = fromstring(text)
        _strip(top, everywhere=True)
        made, state = Element("result"), _State(Root(top), self)
        begin = Context(state.root, 1, 1, {}, state)
        state.globals = _Globals({name: value for name, _, value in self._globals}, begin)
        state.globals |= {name: parameters[name] for name, asked, _ in self._globals if asked and name in parameters}
        self._apply(begin, "", {}, Out(made))
        body = _inner(made)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}' + ("" if body.endswith("\n") else "\n")

    def keys_of(self, root: Root, state: _State, name: str) -> dict[str, list[Node]]:
        """The nodes of a key by its values."""
        names, matching, use = self._keys[name]
        found: dict[str, list[Node]] = {}
        for each in root.top.iter(*names):
            c = Context(each, 1, 1, {}, state)
            if not boolean(matching(c)):
                continue
            value = use(c)
            for one in value if isinstance(value, list) else [value]:
                text = string([one] if isinstance(one, (Element, Attribute, Root)) else one)
                found.setdefault(text, []).append(each)
        return found


class _Globals(dict[str, Value]):
    """What holds everywhere, each computed when it is first asked for: they may stand in any order."""

    def __init__(self, values: Mapping[str, Callable[[Context], Value]], begin: Context) -> None:
        super().__init__()
        self._values, self._begin = values, begin

    def __missing__(self, name: str) -> Value:
        self[name] = found = self._values[name](self._begin)
        return found


class _State:
    """A document that is being worked on."""

    def __init__(self, root: Root, sheet: Sheet) -> None:
        self.root, self.sheet = root, sheet
        self.order = {id(each): place for place, each in enumerate(root.top.iter())}
        self.globals: dict[str, Value] = {}
        self._keyed: dict[str, dict[str, list[Node]]] = {}

    def keyed(self, name: str, value: str) -> list[Node]:
        """The nodes whose key has a value."""
        if name not in self._keyed:
            self._keyed[name] = self.sheet.keys_of(self.root, self, name)
        return self._keyed[name].get(value, [])


def _inner(element: Element) -> str:
    """What an element holds, as text."""
    return (element.text or "") + "".join(tostring(each) + (each.tail or "") for each in element)


def _applied(template: _Template, c: Context, values: Mapping[str, Value], out: Out) -> None:
    inner = Context(c.node, c.position, c.size, {}, c.sheet)
    for name, otherwise in template.params:
        inner.variables[name] = values[name] if name in values else otherwise(inner)
    template.body(inner, out)


def _matching(pattern: str) -> Expression:
    """Whether a node that has one of the names of a pattern fulfils its conditions."""
    return expression("|".join(f"self::{part}" for part in pattern.split("|")))


def _writing(text: str) -> Act:
    return lambda c, out: out.write(text)


def _filled(text: str) -> Callable[[Context], str]:
    """An attribute with expressions between braces."""
    parts: list[str | Expression] = []
    for place, part in enumerate(re.split(r"\{([^{}]*)\}", text)):
        parts.append(expression(part) if place % 2 else part)
    if len(parts) == 1:
        return lambda c: text
    return lambda c: "".join(part if isinstance(part, str) else string(part(c)) for part in parts)


def _strip(top: Element, everywhere: bool = False) -> None:
    """Take away blanks between elements; of stylesheets, those inside xsl:text stay."""
    for each in top.iter():
        if each.text and not each.text.strip() and (everywhere or each.tag != XSL + "text"):
            each.text = None
        if each.tail and not each.tail.strip():
            each.tail = None
