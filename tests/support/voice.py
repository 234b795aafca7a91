"""Small readers of SRGS 1.0 and VoiceXML 2.1, written from the recommendations and strict about what they know.

`Grammar` enumerates the phrases of a rule with what they mean; `Dialogue` goes through a form as its interpretation
algorithm says. Expressions are the few that mean the same in ECMAScript and in Python.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from lxml import etree

SRGS, VXML = "{http://www.w3.org/2001/06/grammar}", "{http://www.w3.org/2001/vxml}"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

GRAMMAR: dict[str, tuple[set[str], set[str], set[str]]] = {
    # Children, attributes, and those of them that there must be.
    "grammar": ({"rule"}, {"version", XML_LANG, "mode", "root", "tag-format", "src", "type"}, {"version", XML_LANG}),
    "rule": ({"one-of", "item", "ruleref", "tag"}, {"id", "scope"}, {"id"}),
    "one-of": ({"item"}, set(), set()),
    "item": ({"one-of", "item", "ruleref", "tag"}, {"repeat", "weight"}, set()),
    "ruleref": (set(), {"uri"}, {"uri"}),
    "tag": (set(), set(), set()),
}
_SAID = {"prompt", "reprompt", "exit", "assign", "if", "clear", "value"}
DIALOGUE: dict[str, tuple[set[str], set[str], set[str]]] = {
    "vxml": ({"meta", "var", "script", "link", "catch", "form"}, {"version", XML_LANG}, {"version", XML_LANG}),
    "meta": (set(), {"name", "content"}, {"name", "content"}),
    "var": (set(), {"name", "expr"}, {"name"}),
    "script": (set(), set(), set()),
    "link": ({"grammar"}, {"event"}, {"event"}),
    "form": ({"field"}, {"id"}, set()),
    "field": ({"prompt", "grammar", "help", "noinput", "nomatch", "filled"}, {"name"}, {"name"}),
    "catch": (_SAID, {"event"}, {"event"}),
    "help": (_SAID, {"count"}, set()),
    "noinput": (_SAID, {"count"}, set()),
    "nomatch": (_SAID, {"count"}, set()),
    "filled": (_SAID, set(), set()),
    "prompt": ({"value"}, set(), set()),
    "value": (set(), {"expr"}, {"expr"}),
    "assign": (set(), {"name", "expr"}, {"name", "expr"}),
    "clear": (set(), {"namelist"}, set()),
    "if": (_SAID | {"else"}, {"cond"}, {"cond"}),
    "else": (set(), set(), set()),
    "exit": (set(), set(), set()),
    "reprompt": (set(), set(), set()),
}
TEXTS = {"rule", "item", "tag", "prompt", "script"}


def check(element: Any, space: str, table: dict[str, tuple[set[str], set[str], set[str]]]) -> None:
    """Fail where an element is not as the tables have it; other namespaces are not known at all."""
    name = element.tag.removeprefix(space)
    children, attributes, needed = table[name]
    assert set(element.attrib) <= attributes and needed <= set(element.attrib), (name, dict(element.attrib))
    assert name in TEXTS or not (element.text or "").strip(), name
    for child in element:
        assert child.tag.removeprefix(space) in children, (name, child.tag)
        assert name in TEXTS or not (child.tail or "").strip() or name in _SAID, name
        check(child, space, table)


class Grammar:
    """A grammar, checked: ids and references fit, rules do not run in circles, nothing is said twice with two meanings."""

    def __init__(self, root: Any, space: str = SRGS) -> None:
        if isinstance(root, str):
            root = etree.fromstring(root.encode())
        check(root, space, GRAMMAR)
        self.root, self.space = root, space
        assert root.get("version") == "1.0" and root.get("mode") == "voice"
        assert root.get("tag-format") == "semantics/1.0"
        self.rules = {rule.get("id"): rule for rule in root}
        assert len(self.rules) == len(root) and root.get("root") in self.rules
        for name, rule in self.rules.items():
            # Names of rules are names in the expressions of tags.
            assert re.fullmatch(r"[A-Za-z_]\w*", name) and rule.get("scope", "private") in ("public", "private")

    def phrases(self, rule: str) -> dict[str, Any]:
        """Everything that a rule accepts, and what each means."""
        found: dict[str, Any] = {}
        for words, meaning in self._rule(rule, ()):
            said = " ".join(words)
            assert said not in found, f"{said} is said twice"
            found[said] = meaning
        return found

    def _rule(self, name: str, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
        assert name not in above, "rules refer to each other in a circle"
        for words, steps in self._inside(self.rules[name], (*above, name)):
            scope: dict[str, Any] = {"out": SimpleNamespace(), "rules": SimpleNamespace()}
            for kind, value in steps:
                if kind == "tag":
                    for statement in filter(None, map(str.strip, value.split(";"))):
                        exec(statement, {"__builtins__": {}}, scope)
                else:
                    setattr(scope["rules"], kind, value)
            yield words, scope["out"]

    def _inside(self, element: Any, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], list[tuple[str, Any]]]]:
        """Words, and what happens in their order: rules that were met, and tags."""
        parts: list[list[tuple[tuple[str, ...], list[tuple[str, Any]]]]] = [[(tuple((element.text or "").split()), [])]]
        for child in element:
            name = child.tag.removeprefix(self.space)
            if name == "tag":
                parts.append([((), [("tag", child.text)])])
            elif name == "ruleref":
                target = child.get("uri").removeprefix("#")
                parts.append([(words, [(target, meaning)]) for words, meaning in self._rule(target, above)])
            elif name == "one-of":
                parts.append([way for item in child for way in self._inside(item, above)])
            else:
                ways = list(self._inside(child, above))
                parts.append([((), []), *ways] if child.get("repeat") == "0-1" else ways)
            parts.append([(tuple((child.tail or "").split()), [])])
        for chosen in itertools.product(*parts):
            yield (
                tuple(itertools.chain(*(words for words, _ in chosen))),
                list(itertools.chain(*(s for _, s in chosen))),
            )


class Dialogue:
    """A document with one form of one field, being talked through."""

    def __init__(self, text: str) -> None:
        self.root = etree.fromstring(text.encode())
        grammars = {f"{VXML}{name}" for name in GRAMMAR}
        outside = etree.fromstring(text.encode())
        for grammar in list(outside.iter(f"{VXML}grammar")):
            for inner in list(grammar):
                grammar.remove(inner)
            grammar.text = None
        check(outside, VXML, DIALOGUE | {"grammar": (set(), *GRAMMAR["grammar"][1:])})
        assert grammars and self.root.get("version") == "2.1"
        self.scope: dict[str, Any] = {}
        for script in self.root.iter(f"{VXML}script"):
            for name, table in re.findall(r"var (\w+) = (\{.*?\});\n", script.text):
                self.scope[name] = {int(key): value for key, value in json.loads(table).items()}
        for var in self.root.findall(f"{VXML}var"):
            self.scope[var.get("name")] = self.value(var.get("expr"))
        self.field = self.root.find(f"{VXML}form/{VXML}field")
        self.phrases = Grammar(self.field.find(f"{VXML}grammar"), VXML).phrases("command")
        self.links = {
            phrase: link.get("event")
            for link in self.root.findall(f"{VXML}link")
            for phrase in Grammar(link[0], VXML).phrases(link[0].get("root"))
        }
        assert not self.links.keys() & self.phrases.keys()
        self.counts: dict[str, int] = {}
        self.ended = False
        self.heard = [self._prompt(prompt) for prompt in self.field.findall(f"{VXML}prompt")]

    def value(self, expression: str) -> Any:
        return eval(expression, {"__builtins__": {}}, self.scope)  # noqa: S307  of a document that this project wrote

    def say(self, phrase: str | None) -> list[str]:
        """Say something, or nothing at all; what is answered before the next turn."""
        assert not self.ended
        self.heard = []
        if phrase in self.phrases:
            self.scope[self.field.get("name")] = self.phrases[phrase]
            self.counts = {}
            self._run(self.field.find(f"{VXML}filled"))
            assert self.scope.get(self.field.get("name")) is None, "the field is asked for no more"
        else:
            self._event("noinput" if phrase is None else self.links.get(phrase, "nomatch"))
        return self.heard

    def _event(self, event: str) -> None:
        count = self.counts[event] = self.counts.get(event, 0) + 1
        handlers = [*self.field.findall(f"{VXML}{event}")]
        handlers += [each for each in self.root.findall(f"{VXML}catch") if each.get("event") == event]
        fit = [each for each in handlers if int(each.get("count", "1")) <= count]
        self._run(max(fit, key=lambda each: int(each.get("count", "1"))))

    def _prompt(self, element: Any) -> str:
        text = element.text or ""
        for child in element:
            text += str(self.value(child.get("expr"))) + (child.tail or "")
        return " ".join(text.split())

    def _run(self, element: Any) -> None:
        children = list(element)
        if element.tag == f"{VXML}if":
            (place,) = [i for i, child in enumerate(children) if child.tag == f"{VXML}else"] or [len(children)]
            children = children[:place] if self.value(element.get("cond")) else children[place + 1 :]
        for child in children:
            match child.tag.removeprefix(VXML):
                case "prompt":
                    self.heard.append(self._prompt(child))
                case "assign":
                    assert child.get("name") in self.scope
                    self.scope[child.get("name")] = self.value(child.get("expr"))
                case "clear":
                    self.scope[child.get("namelist")] = None
                case "if":
                    self._run(child)
                case "exit":
                    self.ended = True
                case "reprompt":
                    pass
                case other:
                    raise AssertionError(other)
