"""What is wrong with the graph of structures and transitions, found before anything moves.

All remarks are warnings or notes: such a file can be read, drawn and simulated, but it will hardly do what was meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sistel.errors import Diagnostics, Span, Text
from sistel.markup import Call, Name, Node, print_expression, walk_expression
from sistel.model._assembly import MountedFile
from sistel.model._contact_elements import Contact
from sistel.model._elements import Closure, Coupling
from sistel.model._links import links_of
from sistel.model._model import Model, Structure, Transition
from sistel.model._static_truth import PLACES, RATES, Judge
from sistel.model._structures import Link, _adds

MOST_PAIRS = 100_000
"""Arrows of the graph, and pairs of an entering and a leaving transition, that are looked at: reading a generated file
must stay quick."""


def check_structures(model: Model, parts: list[MountedFile], diagnostics: Diagnostics) -> None:
    """Warn of structures and transitions that cannot do what they are for."""
    if not model.transitions:
        return
    if sum(len(one.sources) or len(model.structures) for one in model.transitions) > MOST_PAIRS:
        return
    nodes = {id(node.span): node for _, node in links_of(parts, "transition")}
    graph = _Graph(model)
    _unreachable(graph, diagnostics)
    _dead_ends(graph, diagnostics)
    _missing_impacts(graph, nodes, diagnostics)
    _apart(graph, diagnostics)
    _same_conditions(graph, diagnostics)
    links: list[Link] = [*model.closures, *model.contacts, *model.blades, *model.locks, *model.couplings]
    judge = Judge(model, {link.name: link for link in links})
    _decided(graph, judge, diagnostics)


class _Graph:
    """Which transitions leave and enter every structure."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.structures = {structure.name: structure for structure in model.structures}
        self.leaving: dict[str, list[Transition]] = {name: [] for name in self.structures}
        self.entering: dict[str, list[Transition]] = {name: [] for name in self.structures}
        for transition in model.transitions:
            self.entering[transition.target].append(transition)
            for source in self.sources(transition):
                self.leaving[source].append(transition)

    def sources(self, transition: Transition) -> Sequence[str]:
        """Where a transition starts. One from any structure is not meant to lead from its target to itself."""
        if transition.sources:
            return tuple(dict.fromkeys(transition.sources))
        return [name for name in self.structures if name != transition.target]

    def after(self, names: Iterable[str]) -> set[str]:
        """Structures that some transitions lead to from the given ones."""
        found: set[str] = set()
        todo = list(names)
        while todo:
            for transition in self.leaving[todo.pop()]:
                if transition.target not in found:
                    found.add(transition.target)
                    todo.append(transition.target)
        return found


def _unreachable(graph: _Graph, diagnostics: Diagnostics) -> None:
    model, start = graph.model, graph.model.start_structure
    if all(set(graph.sources(one)) <= {one.target} for one in model.transitions):
        return  # nothing leads anywhere: the structures are variants to start with
    reached = {start} | graph.after([start])
    for structure in model.structures:
        if structure.name not in reached:
            diagnostics.warning(
                "unreachable-structure",
                structure.span,
                Text(
                    f'no transition leads from "{start}" to structure "{structure.name}"',
                    f"из структуры «{start}» нет пути в структуру «{structure.name}»",
                ),
                hint=Text(
                    "add a transition to it, or start with it", "добавьте переход в неё или начните движение с неё"
                ),
                related=[
                    (motion.span, Text("this acts only where nothing leads", "это действует только там, куда нет пути"))
                    for motion in model.motions
                    if structure.name in motion.structures and not reached & set(motion.structures)
                ],
            )


def _dead_ends(graph: _Graph, diagnostics: Diagnostics) -> None:
    """Remark on structures that are never left, where others come and go.

    Work without a cycle has to end somewhere, and what all others lead to is meant as an end.
    """
    start = graph.model.start_structure
    reached = graph.after([start])
    ends = [structure for structure in graph.model.structures if not graph.leaving[structure.name]]
    meant = {transition.target for transition in graph.model.transitions if not transition.sources}
    ends = [structure for structure in ends if structure.name in reached - meant]
    if not ends or not _has_cycle(graph, {start} | reached):
        return
    for structure in ends:
        diagnostics.note(
            "no-exit",
            structure.span,
            Text(
                f'no transition leaves structure "{structure.name}": once entered, it stays',
                f"из структуры «{structure.name}» нет переходов: войдя в неё, система в ней останется",
            ),
        )


def _has_cycle(graph: _Graph, names: set[str]) -> bool:
    """Whether some structures can be entered again and again (Kahn's algorithm leaves them over)."""
    entries = dict.fromkeys(names, 0)
    for name in names:
        for transition in graph.leaving[name]:
            entries[transition.target] += 1
    todo = [name for name, count in entries.items() if not count]
    done = 0
    while todo:
        done += 1
        for transition in graph.leaving[todo.pop()]:
            entries[transition.target] -= 1
            if not entries[transition.target]:
                todo.append(transition.target)
    return done < len(names)


def _missing_impacts(graph: _Graph, nodes: Mapping[int, Node], diagnostics: Diagnostics) -> None:
    for transition in graph.model.transitions:
        if transition.impact != "none" or _minds_velocities(transition):
            continue
        target = graph.structures[transition.target]
        source = next((one for one in graph.sources(transition) if _adds(graph.structures[one], target)), None)
        if source is None:
            continue
        new = [name for name in target.holds if name not in graph.structures[source].holds]
        what = Text(
            f'"{new[0]}" begins to hold' if new else "a joint loses freedoms",
            f"«{new[0]}» начинает держать" if new else "пара теряет свободы",
        )
        node = nodes.get(id(transition.span))
        diagnostics.warning(
            "missing-impact",
            transition.span if node is None else node.at("impact"),
            Text(
                f"{what.en} without an impact, and nothing makes the velocities fit",
                f"{what.ru} без удара, а скорости ничто к этому не готовит",
            ),
            expected=Text(
                "an impact rule such as plastic, a condition on the speed, or <set> with a rate",
                "правило удара, например «пластический», условие на скорость или <задать> со скоростью",
            ),
        )


def _apart(graph: _Graph, diagnostics: Diagnostics) -> None:
    """Warn of links that begin to hold on a condition that says nothing of where they are."""
    model = graph.model
    links: list[Closure | Contact | Coupling] = [*model.closures, *model.contacts, *model.couplings]
    meeting = {link.name for link in links}
    for transition in model.transitions:
        asked = {node.function for node in walk_expression(transition.condition) if isinstance(node, Call)}
        if asked & PLACES or transition.within or any(reset.value for reset in transition.resets):
            continue
        held = graph.structures[transition.target].holds
        sources = [graph.structures[name] for name in graph.sources(transition)]
        new = [name for name in held if name in meeting and any(name not in source.holds for source in sources)]
        new = [name for name in new if not (transition.keeps_offsets and name in model.offset_couplings)]
        if new:
            diagnostics.warning(
                "may-be-apart",
                transition.condition.span,
                Text(
                    f'"{new[0]}" begins to hold here, and the condition says nothing of where it is: a run ends here '
                    "if it is apart",
                    f"«{new[0]}» начинает здесь держать, а условие ничего не говорит о положении: если связь не "
                    "сошлась, расчёт на этом закончится",
                ),
                expected=Text(
                    "a gap, distance or coordinate in the condition, or within= with a length",
                    "зазор, расстояние или координата в условии либо допуск= с длиной",
                ),
            )


def _minds_velocities(transition: Transition) -> bool:
    """Whether the author thought of velocities: the condition asks for one, or the transition sets one."""
    asked = (node.function for node in walk_expression(transition.condition) if isinstance(node, Call))
    return any(function in RATES for function in asked) or any(reset.velocity for reset in transition.resets)


def _same_conditions(graph: _Graph, diagnostics: Diagnostics) -> None:
    first: dict[tuple[str, float, str], Transition] = {}
    for transition in graph.model.transitions:
        text = print_expression(transition.condition)
        earlier = None
        for source in graph.sources(transition):
            found = first.setdefault((source, transition.priority, text), transition)
            if found is not transition and earlier is None:
                earlier = found, source
        if earlier is not None:
            diagnostics.warning(
                "same-condition",
                transition.condition.span,
                Text(
                    f'another transition leaves structure "{earlier[1]}" on the same condition, and comes first',
                    f"структуру «{earlier[1]}» по тому же условию покидает другой переход, и он стоит раньше",
                ),
                hint=Text("give one of them a priority", "дайте одному из них приоритет"),
                related=[(earlier[0].condition.span, Text("it is here", "он здесь"))],
            )


def _decided(graph: _Graph, judge: Judge, diagnostics: Diagnostics) -> None:
    """Warn of conditions that need no motion to be decided."""
    pairs = 0
    for transition in graph.model.transitions:
        sources = [graph.structures[name] for name in graph.sources(transition)]
        answers = [judge.decide(transition.condition, source, {}) for source in sources]
        causes = [judge.causes(transition.condition, source) for source in sources]
        if sources and not any(answer is not False for answer in answers):
            if causes[0]:
                _never(sources[0], causes[0][0], diagnostics)
            continue
        always = next((i for i, answer in enumerate(answers) if answer and causes[i]), None)
        if always is not None:
            _true_on_entry(transition, sources[always], None, diagnostics)
            continue
        for source in sources:
            entering = [one for one in graph.entering[source.name] if one is not transition]
            pairs += len(entering)
            if pairs > MOST_PAIRS:
                return
            found = next((one for one in entering if _follows(graph, judge, one, transition, source)), None)
            if found is not None:
                _true_on_entry(transition, source, found.span, diagnostics)
                break


def _follows(graph: _Graph, judge: Judge, entry: Transition, leaving: Transition, structure: Structure) -> bool:
    """Whether a transition that enters a structure makes the condition of one that leaves it true."""
    before = [graph.structures[name] for name in graph.sources(entry)]
    new = {name for one in before for name in structure.holds if name not in one.holds}
    # Closures and couplings pull their ends together when they begin to hold; other links hold what they find.
    pulled = any(isinstance(judge.links.get(name), Closure | Coupling) for name in new)
    ways = judge.entered(
        entry.condition,
        still=not entry.resets and not pulled,
        continuous=not entry.resets and entry.impact == "none",
    )
    return bool(ways) and all(judge.decide(leaving.condition, structure, facts) is True for facts in ways)


def _never(structure: Structure, cause: tuple[Call, bool], diagnostics: Diagnostics) -> None:
    call, holds = cause
    name = call.arguments[0]
    assert isinstance(name, Name)
    if holds:
        reason = Text(
            f'"{name.name}" holds in structure "{structure.name}" and keeps this at zero',
            f"«{name.name}» держит в структуре «{structure.name}», и здесь всегда ноль",
        )
    else:
        reason = Text(
            f'"{name.name}" does not hold in structure "{structure.name}" and carries nothing there',
            f"«{name.name}» не держит в структуре «{structure.name}» и ничего там не несёт",
        )
    diagnostics.warning(
        "never-true",
        call.span,
        Text(f"{reason.en}: the condition never comes true", f"{reason.ru}: условие никогда не выполнится"),
    )


def _true_on_entry(transition: Transition, structure: Structure, entry: Span | None, diagnostics: Diagnostics) -> None:
    diagnostics.warning(
        "true-on-entry",
        transition.condition.span,
        Text(
            f'the condition already holds when structure "{structure.name}" is entered, which is left at once',
            f"условие выполнено уже при входе в структуру «{structure.name}», и она сразу покидается",
        ),
        related=[] if entry is None else [(entry, Text("it is entered here", "вход в неё здесь"))],
    )
