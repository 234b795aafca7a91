"""The states of a behaviour as the file has them: names and places first, so that everything may mean everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sistel.errors import Diagnostics, Span, Text, one_of, word_hint
from sistel.markup import Node
from sistel.records import entry, mutable

KINDS = ("state", "parallel", "final", "history")


@entry
class Written:
    """A state as it is written."""

    node: Node
    name: str
    parent: int
    children: list[int]
    histories: list[int]


@mutable
class Tree:
    """The states of a behaviour, in the order of the file."""

    states: list[Written]
    by_name: dict[str, int]

    def above(self, index: int) -> list[int]:
        """The states around a state, the nearest first."""
        made, at = [], self.states[index].parent
        while at >= 0:
            made.append(at)
            at = self.states[at].parent
        return made

    def path(self, index: int) -> list[int]:
        """A state and those around it, the outermost first."""
        return [*reversed(self.above(index)), index]


def written_tree(behaviour: Node) -> Tree:
    """The states of a behaviour; those without a name are left out, for that has been reported."""
    tree = Tree([Written(behaviour, "", -1, [], [])], {})

    def visit(node: Node, at: int) -> None:
        for child in node.of(*KINDS):
            name = child.text("name")
            if name is None:
                continue
            index = len(tree.states)
            tree.states.append(Written(child, name, at, [], []))
            tree.by_name.setdefault(name, index)
            (tree.states[at].histories if child.key == "history" else tree.states[at].children).append(index)
            visit(child, index)

    visit(behaviour, 0)
    return tree


class Targets:
    """Finds the states that `to` and `start` mean."""

    def __init__(self, tree: Tree, diagnostics: Diagnostics) -> None:
        self.tree, self.diagnostics = tree, diagnostics

    def named(self, node: Node, key: str) -> tuple[int, ...] | None:
        """The states that an attribute names; None after an error."""
        attribute = node.attributes.get(key)
        if attribute is None:
            return ()
        found: list[int] = []
        fine = True
        spans = attribute.parts or (attribute.span,) * len(node.names(key))
        for name, span in zip(node.names(key), spans, strict=True):
            index = self.tree.by_name.get(name)
            if index is None:
                fine = False
                self._unknown(name, span)
            else:
                found.append(index)
        if not fine:
            return None
        return tuple(found) if self._together(found, spans) else None

    def _unknown(self, name: str, span: Span) -> None:
        known = list(self.tree.by_name)
        self.diagnostics.error(
            "unknown-state",
            span,
            Text(f'the behaviour has no state "{name}"', f"у поведения нет состояния «{name}»"),
            expected=one_of(known) if known else None,
            hint=word_hint(name, known),
        )

    def _together(self, found: Sequence[int], spans: Sequence[Span]) -> bool:
        """Whether states may be active at once; an error where not."""
        for place, two in enumerate(found):
            for one in found[:place]:
                first, second = self.tree.path(one), self.tree.path(two)
                shared = [a for a, b in zip(first, second, strict=False) if a == b]
                if shared[-1] in (one, two) or self.tree.states[shared[-1]].node.key != "parallel":
                    names = self.tree.states[one].name, self.tree.states[two].name
                    self.diagnostics.error(
                        "not-together",
                        spans[place],
                        Text(
                            f'"{names[0]}" and "{names[1]}" are never active together',
                            f"«{names[0]}» и «{names[1]}» не бывают активны вместе",
                        ),
                        expected=Text(
                            "states in different parts of a parallel state", "состояния в разных частях параллельного"
                        ),
                    )
                    return False
        return True

    def start(self, index: int) -> tuple[int, ...] | None:
        """Where a state with states inside begins; None after an error."""
        written = self.tree.states[index]
        node = written.node
        if not written.children or node.key not in ("behaviour", "state"):
            if "start" in node.attributes:
                self.diagnostics.error(
                    "no-states",
                    node.at("start"),
                    Text("there are no states inside to begin with", "внутри нет состояний, с которых начинать"),
                )
                return None
            return ()
        if "start" not in node.attributes:
            if "start" not in node.failed:
                known = [self.tree.states[child].name for child in written.children]
                self.diagnostics.error(
                    "no-start",
                    node.span,
                    Text("it is not said which state comes first", "не сказано, какое состояние первое"),
                    expected=Text(f'start="{known[0]}"', f'начало="{known[0]}"'),
                )
            return None
        return self.within(index, self.named(node, "start"), node.at("start"))

    def within(self, around: int, found: tuple[int, ...] | None, span: Span) -> tuple[int, ...] | None:
        """States that have to be inside another one; None after an error."""
        if found is None or all(around in self.tree.above(each) for each in found):
            return found
        wrong = next(each for each in found if around not in self.tree.above(each))
        name = self.tree.states[wrong].name
        self.diagnostics.error(
            "not-inside",
            span,
            Text(f'"{name}" is not inside this state', f"«{name}» не внутри этого состояния"),
            expected=one_of([self.tree.states[child].name for child in self.tree.states[around].children]),
        )
        return None

    def history(self, index: int) -> tuple[int, ...] | None:
        """Where a history leads the first time; None after an error."""
        written = self.tree.states[index]
        home = self.tree.states[written.parent]
        if written.parent == 0 or not home.children:
            self.diagnostics.error(
                "no-states",
                written.node.span,
                Text(
                    "a history belongs into a state that has states inside",
                    "история — часть состояния с состояниями внутри",
                ),
            )
            return None
        if "to" in written.node.attributes:
            found = self.within(written.parent, self.named(written.node, "to"), written.node.at("to"))
            bad = next((each for each in found or () if self.tree.states[each].node.key == "history"), None)
            if bad is None:
                return found
            self.diagnostics.error(
                "not-inside",
                written.node.at("to"),
                Text("a history cannot lead to a history", "история не может вести в историю"),
            )
            return None
        if home.node.key == "parallel":
            return tuple(home.children)
        begins = tuple(self.tree.by_name[name] for name in home.node.names("start") if name in self.tree.by_name)
        return tuple(each for each in begins if self.tree.states[each].node.key != "history") or tuple(
            home.children[:1]
        )


def raised_names(tree: Tree) -> Iterator[str]:
    """The names of all events that a behaviour may raise."""
    for node in tree.states[0].node.walk():
        name = node.text("event") if node.key == "raise" else None
        if name is not None:
            yield name
    for written in tree.states:
        if written.parent >= 0 and (written.node.key == "parallel" or any(written.node.of("final"))):
            yield f"done.{written.name}"
