"""A behaviour of a canonical document → SCXML, and a list of what it cannot say."""

from __future__ import annotations

from collections.abc import Iterator

from sistel.errors import Language, Text
from sistel.markup._document import Node
from sistel.markup._losses import Losses
from sistel.markup.expressions import Node as Expression
from sistel.markup.expressions import Number, print_expression
from sistel.markup.formats._xml_text import XmlText
from sistel.markup.scxml._conditions import OWN
from sistel.markup.scxml._read import PREFIX

_TAGS = {"state": "state", "parallel": "parallel", "final": "final"}


def write_scxml(root: Node) -> tuple[str, Losses]:
    """The SCXML file of the first behaviour of a document, and what it cannot say."""
    losses = Losses()
    xml = XmlText()
    found = [child for scheme in root.of("scheme") for child in scheme.of("behaviour")]
    _leave_out(root, found, losses)
    _Writer(xml, losses).behaviour(found[0]) if found else xml.empty("scxml", xmlns=_SPACE, version="1.0")
    return xml.text(), losses


_SPACE = "http://www.w3.org/2005/07/scxml"
_OWN_SPACE = "urn:sistel"


def _leave_out(root: Node, found: list[Node], losses: Losses) -> None:
    if not found:
        losses.dropped(root.span, Text("there is no behaviour to write", "нет поведения, чтобы записать"))
    for other in found[1:]:
        name = other.text("name")
        losses.dropped(other.span, Text(f'behaviour "{name}": a file has one', f"поведение «{name}»: в файле одно"))
    kinds = sorted({child.key for child in root.children} - {"scheme"})
    if kinds:
        words = ", ".join(kinds)
        losses.dropped(root.span, Text(f"all but the behaviour: {words}", f"всё, кроме поведения: {words}"))
    for scheme in root.of("scheme"):
        for child in scheme.of("signal", "block", "output"):
            losses.dropped(child.span, Text("the scheme around the behaviour", "схема вокруг поведения"))


class _Writer:
    """Writes one behaviour."""

    def __init__(self, xml: XmlText, losses: Losses) -> None:
        self.xml, self.losses = xml, losses
        self.sent = 0

    def behaviour(self, node: Node) -> None:
        """The whole file."""
        xml = self.xml
        xml.open(
            "scxml",
            **{
                "xmlns": _SPACE,
                "xmlns:sistel": _OWN_SPACE if any(each.open for each in node.walk()) else None,
                "version": "1.0",
                "datamodel": OWN,
                "name": node.text("name"),
                "initial": " ".join(self._id(name) for name in node.names("start")) or None,
                **self._outputs(node),
            },
        )
        data = list(node.of("data"))
        if data:
            xml.open("datamodel")
            for each in data:
                xml.empty("data", id=each.text("name"), expr=self._value(each, "start") or "0")
            xml.close()
        self._children(node)
        xml.close()

    def _children(self, node: Node) -> None:
        for child in node.of("state", "parallel", "final", "history"):
            if child.key == "history":
                self._history(child)
            else:
                self._state(child)

    def _state(self, node: Node) -> None:
        xml, name = self.xml, self._id(node.text("name") or "")
        start = " ".join(self._id(each) for each in node.names("start")) if node.key == "state" else ""
        xml.open(_TAGS[node.key], id=name, initial=start or None, **self._outputs(node))
        timers = list(self._timers(node, name))
        self._group("onentry", [child for group in node.of("enter") for child in group.children], timers, name)
        self._group("onexit", [child for group in node.of("exit") for child in group.children], timers, name)
        waiting = iter(timers)
        for go in node.of("go"):
            self._go(go, next(waiting)[0] if "after" in go.attributes else None)
        self._children(node)
        xml.close()

    def _timers(self, node: Node, name: str) -> Iterator[tuple[str, str]]:
        """Events that stand for the time in a state, with their delays."""
        for go in node.of("go"):
            if "after" not in go.attributes:
                continue
            self.sent += 1
            value = go.get("after")
            assert isinstance(value, tuple)
            delay = value[0]
            known = isinstance(delay, Number) and delay.unit is not None
            if not known:
                self.losses.changed(
                    go.at("after"),
                    Text("a delay that is computed: it became 0 s", "вычисляемая задержка стала равна 0 с"),
                )
            if "when" in go.attributes or "event" in go.attributes:
                self.losses.changed(
                    go.at("after"),
                    Text(
                        "the condition is asked when the time is over, and not again",
                        "условие проверяется, когда время вышло, и больше не проверяется",
                    ),
                )
            yield f"after.{name}.{self.sent}", f"{delay.value!r}s" if isinstance(delay, Number) and known else "0s"

    def _group(self, tag: str, actions: list[Node], timers: list[tuple[str, str]], name: str) -> None:
        if not actions and not timers:
            return
        self.xml.open(tag)
        for event, delay in timers:
            if tag == "onentry":
                self.xml.empty("send", id=event, event=event, delay=delay)
            else:
                self.xml.empty("cancel", sendid=event)
        self._actions(actions)
        self.xml.close()

    def _history(self, node: Node) -> None:
        self.xml.open("history", id=self._id(node.text("name") or ""), type="deep" if node.get("deep") else "shallow")
        self.xml.empty("transition", target=" ".join(self._id(name) for name in node.names("to")))
        self.xml.close()

    def _go(self, node: Node, timer: str | None) -> None:
        events = [self._event(name) for name in node.names("event")]
        if timer is not None:
            events = [timer]
        self.xml.open(
            "transition",
            event=" ".join(events) or None,
            cond=self._value(node, "when"),
            target=" ".join(self._id(name) for name in node.names("to")) or None,
            type="internal" if node.get("internal") else None,
        )
        self._actions(node.children)
        self.xml.close()

    def _actions(self, actions: list[Node]) -> None:
        for action in actions:
            when = self._value(action, "when")
            if when is not None:
                self.xml.open("if", cond=when)
            if action.key == "raise":
                self.xml.empty("raise", event=self._event(action.text("event") or ""))
            else:
                self.xml.empty("assign", location=action.names("data")[0], expr=self._value(action, "value"))
            if when is not None:
                self.xml.close()

    def _outputs(self, node: Node) -> dict[str, str]:
        return {f"{PREFIX}{given.name}": print_expression(given.values[0]) for given in node.open}

    def _event(self, name: str) -> str:
        name = f"done.state.{self._id(name[5:])}" if name.startswith("done.") else name
        if " " in name:
            self.losses.changed(
                None, Text(f'the event "{name}" has _ for blanks', f"в событии «{name}» вместо пробелов _")
            )
        return name.replace(" ", "_")

    def _id(self, name: str) -> str:
        if " " in name:
            self.losses.changed(
                None, Text(f'the state "{name}" has _ for blanks', f"в состоянии «{name}» вместо пробелов _")
            )
        return name.replace(" ", "_")

    def _value(self, node: Node, key: str, lang: Language = "en") -> str | None:
        value = node.get(key)
        if not isinstance(value, tuple):
            return None
        found: list[Expression] = [each for each in value if not isinstance(each, str)]
        return print_expression(found[0], lang) if found else None
