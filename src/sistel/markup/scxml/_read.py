"""SCXML → a behaviour of XsysTel, and a list of what did not carry over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sistel.errors import Diagnostics, Fragment, Span, Text
from sistel.markup._document import Document, Node, OpenAttribute, make_node, si
from sistel.markup._losses import Losses
from sistel.markup.expressions import Logic, Name, Not, parse_expression, walk
from sistel.markup.expressions import Node as Expression
from sistel.markup.formats._foreign import Foreign, Reading, drop_element, put
from sistel.markup.scxml._conditions import OWN, read_expression, seconds
from sistel.markup.xml._element import Element
from sistel.units import MASS, TIME

PERIOD = 0.01
"""Between ticks of the scheme around a behaviour that comes without one [s]."""
PREFIX = "sistel:"
"""Before the outputs of states, which SCXML does not have."""
_STATES = {"state": "state", "parallel": "parallel", "final": "final", "history": "history"}
_NO_DATA = Text("behaviours have numbers and truths", "у поведений есть числа и условия")


def read_scxml(root: Element, diagnostics: Diagnostics) -> tuple[Document | None, Losses]:
    """A system with nothing but the behaviour of an SCXML file, in a scheme with inputs for its events."""
    losses = Losses()
    reader = _Reader(Foreign(root, Reading(losses, diagnostics)))
    behaviour = reader.behaviour()
    span = root.span
    inputs = [make_node("input", span, name=name) for name in reader.outside()]
    scheme = make_node("scheme", span, *inputs, behaviour, name="scheme", period=si(PERIOD, TIME, span))
    losses.changed(
        root.name_span,
        Text(
            f"SCXML has no clock: the behaviour is in a scheme with a period of {1e3 * PERIOD:g} ms",
            f"в SCXML нет часов: поведение — в схеме с периодом {1e3 * PERIOD:g} мс",
        ),
    )
    losses.changed(
        root.name_span,
        Text("a system needs a body: one on a slide was added", "системе нужно тело: добавлено одно на направляющей"),
    )
    body = make_node("body", span, name="body", joint="prismatic", mass=si(1.0, MASS, span))
    return Document(make_node("system", span, body, scheme), root.source, "en"), losses


class _Reader:
    """Reads one file."""

    def __init__(self, root: Foreign) -> None:
        self.root, self.reading, self.losses = root, root.reading, root.reading.losses
        self.name = self.reading.fresh(root.word("name") or "behaviour", root.at("name"), "signal")
        self.own = root.word("datamodel") == OWN
        self.ids: dict[str, str] = {}
        """Names of states, by their ids."""
        self.data: list[Node] = []
        self.timers: dict[str, float] = {}
        """Delays of events that the entry of a state sends to itself [s]."""
        self.heard: dict[str, None] = {}
        self.raised: set[str] = set()
        self.count = 0

    def behaviour(self) -> Node:
        """The behaviour."""
        self._name_states(self.root.element)
        node = make_node("behaviour", self.root.span, name=self.name)
        self._outputs(self.root, node)
        children = self._states(self.root)
        self.root.ignore("version", "binding", "xmlns", "exmode")
        self._start(self.root, node, children)
        node.children += [*self.data, *children]
        self.root.report()
        return node

    def outside(self) -> list[str]:
        """Events that nothing in the file raises."""
        return [
            word
            for word in self.heard
            if word != "*"
            and not word.startswith("done")
            and not any(each == word or each.startswith(f"{word}.") for each in self.raised)
        ]

    # --- states ------------------------------------------------------------------------------------------------------

    def _name_states(self, element: Element) -> None:
        """Give all states their names, so that everything may mean everything."""
        for child in element.children:
            if child.name not in _STATES:
                continue
            given = child.attributes.get("id")
            if given is not None and given.text.strip():
                wanted, span = given.text.strip(), given.value.span()
            else:
                self.count += 1
                wanted, span = f"state {self.count}", child.name_span
            name = self.reading.fresh(wanted, span, "state")
            self.ids.setdefault(wanted, name)
            self.ids[f"#{id(child)}"] = name
            self._name_states(child)

    def _states(self, around: Foreign) -> list[Node]:
        for data in around.children("datamodel"):
            self._data(data)
        return [self._state(foreign) for foreign in around.children(*_STATES)]

    def _state(self, foreign: Foreign) -> Node:
        foreign.ignore("id")
        node = make_node(_STATES[foreign.tag], foreign.span, name=self.ids[f"#{id(foreign.element)}"])
        if foreign.tag == "history":
            self._history(foreign, node)
            return node
        self._outputs(foreign, node)
        sent = self._timers(foreign)
        for tag, key in (("onentry", "enter"), ("onexit", "exit")):
            actions = [each for group in foreign.children(tag) for each in self._actions(group, None, sent)]
            if actions:
                node.children.append(make_node(key, foreign.span, *actions))
        if foreign.tag != "final":
            node.children += [self._go(each, sent) for each in foreign.children("transition")]
            inside = self._states(foreign)
            if foreign.tag == "state":
                self._start(foreign, node, inside)
            node.children += inside
        foreign.report()
        return node

    def _start(self, foreign: Foreign, node: Node, inside: list[Node]) -> None:
        """Say where a state begins: by `initial`, by its element, or with the first state inside."""
        found = self._targets(foreign, "initial")
        for initial in foreign.children("initial"):
            for transition in initial.children("transition"):
                found = found or self._targets(transition, "target")
                for child in transition.element.children:
                    drop_element(
                        child,
                        self.losses,
                        Text(
                            "nothing is done on the way to the first state",
                            "на пути к первому состоянию ничего не делается",
                        ),
                        transition,
                    )
                transition.report()
            initial.report()
        first = next((child.text("name") for child in inside if child.key != "history"), None)
        if found or first is not None:
            put(node, "start", found or (first or "",), foreign.at("initial"))

    def _history(self, foreign: Foreign, node: Node) -> None:
        if foreign.word("type", "shallow", "deep") == "deep":
            put(node, "deep", True, foreign.at("type"))
        for transition in foreign.children("transition"):
            put(node, "to", self._targets(transition, "target") or None, transition.at("target"))
            transition.report()
        foreign.report()

    def _targets(self, foreign: Foreign, key: str) -> tuple[str, ...]:
        return tuple(self.ids.get(each, each) for each in (foreign.word(key) or "").split())

    def _outputs(self, foreign: Foreign, node: Node) -> None:
        for name, attribute in foreign.attributes.items():
            if name.startswith(PREFIX):
                foreign.ignore(name)
                value = parse_expression(attribute.value.strip(), self.reading.diagnostics)
                if value is not None:
                    given = OpenAttribute(
                        name[len(PREFIX) :], False, (value,), attribute.value.span(), attribute.name_span
                    )
                    node.open.append(given)

    def _data(self, group: Foreign) -> None:
        for datum in group.children("data"):
            name = datum.required_word("id")
            value = datum.fragment("expr")
            number = None if value is None else self._expression(value)
            if name is None:
                continue
            if value is not None and number is None:
                drop_element(datum.element, self.losses, _NO_DATA, group)
                continue
            start = None if number is None else (number,)
            self.data.append(make_node("data", datum.span, name=name, start=start))
            datum.report()
        group.report()

    # --- passages ----------------------------------------------------------------------------------------------------

    def _go(self, foreign: Foreign, sent: dict[str, float]) -> Node:
        words = (foreign.word("event") or "").split()
        after = sent.get(words[0]) if len(words) == 1 else None
        if after is not None:
            words = []
        node = make_node("go", foreign.span)
        put(node, "to", self._targets(foreign, "target") or None, foreign.at("target"))
        events = tuple(self._event(word) for word in words)
        self.heard |= dict.fromkeys(event.removesuffix(".*") for event in events)
        put(node, "event", events or None, foreign.at("event"))
        condition = foreign.fragment("cond")
        if condition is not None:
            put(node, "when", self._condition(condition, foreign), condition.span())
        if after is not None:
            put(node, "after", si(after, TIME, foreign.at("event")), foreign.at("event"))
        if foreign.word("type", "internal", "external") == "internal":
            put(node, "internal", True, foreign.at("type"))
        node.children += self._actions(foreign, None, {})
        foreign.report()
        return node

    def _event(self, word: str) -> str:
        """An event as XsysTel calls it: the end of a state has a shorter name."""
        found = word.removeprefix("done.state.")
        return f"done.{self.ids.get(found, found)}" if found != word else "done" if word == "done.state" else word

    def _condition(self, fragment: Fragment, foreign: Foreign) -> tuple[Expression, ...]:
        """A condition; one that cannot be said never holds, and that is reported."""
        found = self._expression(fragment)
        if found is not None:
            return (found,)
        self.losses.dropped(
            fragment.span(),
            Text(
                f'the condition "{fragment.text}" of {foreign.label}: it never holds now',
                f"условие «{fragment.text}» у {foreign.label}: теперь оно никогда не выполнено",
            ),
        )
        never = parse_expression(Fragment("1 < 0", foreign.element.source, fragment.span().start), Diagnostics())
        assert never is not None
        return (never,)

    def _expression(self, fragment: Fragment) -> Expression | None:
        return read_expression(fragment, self.name, self.own)

    # --- what is done ------------------------------------------------------------------------------------------------

    def _timers(self, state: Foreign) -> dict[str, float]:
        """Events that a state sends to itself with a delay when it is entered, and that it alone listens to."""
        found: dict[str, float] = {}
        goes = (child.attributes for child in state.element.children if child.name == "transition")
        heard = [given["event"].text.split() for given in goes if "event" in given]
        for group in state.element.children:
            for action in group.children if group.name == "onentry" else ():
                event, delay = (action.attributes.get(key) for key in ("event", "delay"))
                if action.name == "send" and event is not None and delay is not None and [event.text] in heard:
                    time = seconds(delay.text)
                    if time is not None:
                        found[event.text] = time
        return found

    def _actions(self, group: Foreign, when: Expression | None, sent: dict[str, float]) -> Iterator[Node]:
        condition = None if when is None else (when,)
        for action in group.children("raise", "assign", "if", "send", "cancel"):
            if action.tag == "raise":
                name = action.required_word("event")
                if name is not None:
                    self.raised.add(name)
                    yield make_node("raise", action.span, event=name, when=condition)
            elif action.tag == "assign":
                yield from self._assign(action, condition)
            elif action.tag == "if":
                yield from self._branches(action, when)
                continue
            elif action.tag == "send" and action.has("delay") and action.word("event") in sent:
                action.ignore("delay", "id")
            elif action.tag == "cancel" and group.tag == "onexit" and sent:
                action.ignore("sendid")
            else:
                drop_element(
                    action.element,
                    self.losses,
                    Text("a behaviour sends nothing to others", "поведение ничего не посылает другим"),
                    group,
                )
                continue
            action.report()

    def _assign(self, action: Foreign, when: tuple[Expression, ...] | None) -> Iterator[Node]:
        name, value = action.required_word("location"), action.fragment("expr")
        found = None if value is None else self._expression(value)
        if name is None:
            return
        if found is None:
            drop_element(action.element, self.losses, _NO_DATA, action)
            return
        yield make_node("assign", action.span, data=(name,), value=(found,), when=when)

    def _branches(self, action: Foreign, when: Expression | None) -> Iterator[Node]:
        """A choice between actions as actions with conditions, where no branch changes what the conditions read."""
        parts: list[tuple[Fragment | None, list[Element]]] = [(action.fragment("cond"), [])]
        for child in action.element.children:
            if child.name in ("elseif", "else"):
                condition = child.attributes.get("cond")
                parts.append((None if condition is None else condition.value.strip(), []))
            else:
                parts[-1][1].append(child)
        conditions = [None if text is None else self._expression(text) for text, _ in parts]
        unread = any(found is None and text is not None for found, (text, _) in zip(conditions, parts, strict=True))
        changed = {
            each.attributes["location"].text.strip()
            for _, group in parts
            for each in _all(group)
            if each.name == "assign" and "location" in each.attributes
        }
        read = {
            part.name for found in conditions if found is not None for part in walk(found) if isinstance(part, Name)
        }
        if unread or changed & read:
            drop_element(
                action.element,
                self.losses,
                Text(
                    "a choice whose conditions change while it is made, or cannot be said",
                    "выбор, чьи условия меняются по ходу или не выразимы",
                ),
                action,
            )
            return
        before: list[Expression] = [] if when is None else [when]
        for found, (_, group) in zip(conditions, parts, strict=True):
            held = [*before, *([] if found is None else [found])]
            inner = Element(
                "branch",
                action.element.source,
                action.element.start,
                action.element.end,
                action.element.name_start,
                {},
                group,
            )
            taken = Foreign(inner, self.reading)
            yield from self._actions(taken, _all_of(held, action.span), {})
            taken.report()
            if found is not None:
                before.append(Not(found, action.span))


def _all(elements: Iterable[Element]) -> Iterator[Element]:
    for each in elements:
        yield each
        yield from _all(each.children)


def _all_of(conditions: list[Expression], span: Span) -> Expression | None:
    if not conditions:
        return None
    return conditions[0] if len(conditions) == 1 else Logic("and", tuple(conditions), span)
