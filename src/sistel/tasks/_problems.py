"""The problems of a task, bound to a model: names found, numbers in SI."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sistel.errors import Diagnostics, Span, Text, one_of, word_hint
from sistel.markup import Node
from sistel.model import Model, values_of
from sistel.records import record
from sistel.tasks._mechanism import Mechanism, rate_place, simple_joints, values_at
from sistel.tasks._reports import Wanted, read_report
from sistel.tasks._results import Answer, Check, Curve, Grid, Solved

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Values
    from sistel.pose import Rotation

NAMES = {
    "kinematics": Text("kinematics", "кинематика"),
    "statics": Text("statics", "статика"),
    "dynamics": Text("dynamics", "динамика"),
    "control": Text("control", "управление"),
    "identification": Text("identification", "идентификация"),
    "synthesis": Text("synthesis", "синтез"),
}


@record
class State:
    """A state, with accelerations where they are given."""

    q: tuple[float, ...]
    """[m or rad]"""
    v: tuple[float, ...]
    a: tuple[float, ...]
    given: tuple[str, ...]
    """Keys of the attributes that say it."""


@record
class Load:
    """What hangs or pulls at a place."""

    at: str
    mass: float
    """[kg]"""
    force: tuple[float, ...]
    """In the axes of the ground, empty where there is none [N]."""


@record
class Problem:
    """One problem of a task: what its element says."""

    node: Node
    kind: str
    title: Text
    state: State
    frame: str | None
    place: tuple[float, float, float] | None
    """Where the frame should be [m]."""
    turn: Rotation | None
    """And how it should be turned, where that is asked."""
    velocity: tuple[float, ...] | None
    """[m/s]"""
    load: Load | None
    find: str
    until: float | None
    """[s]"""
    times: tuple[float, ...]
    """[s]"""
    report: tuple[Wanted, ...]
    structure: str | None
    system: Mechanism | None = None
    """The system with the schemes of another file, where the problem names one."""
    span: Span

    @property
    def runs(self) -> bool:
        """Whether it is about a run."""
        return self.until is not None

    def answers(self, values: Sequence[float], remark: Text | None = None) -> list[Answer]:
        """The values of what it wants, in the order of its report [SI]."""
        return [
            Answer(label=wanted.label, value=value, dimension=wanted.dimension, remark=remark)
            for wanted, value in zip(self.report, values, strict=True)
        ]

    def answers_in(self, model: Model, q: Array, v: Array, remark: Text | None = None) -> list[Answer]:
        """What it wants, in a state of a model."""
        if not self.report:
            return []
        asked = [wanted.expression for wanted in self.report]
        return self.answers(values_at(model, model.structure(self.structure), q.tolist(), v.tolist(), asked), remark)

    def solved(
        self,
        answers: Sequence[Answer],
        grids: Iterable[Grid | None],
        checks: Sequence[Check],
        *,
        curves: tuple[Curve, ...] = (),
        notes: Sequence[Text] = (),
        postures: Sequence[Sequence[float]] = (),
        drawn: Model | None = None,
    ) -> Solved:
        """Its solution."""
        return Solved(
            kind=self.kind,
            title=self.title,
            answers=tuple(answers),
            grids=tuple(grid for grid in grids if grid is not None),
            curves=curves,
            checks=tuple(checks),
            notes=tuple(notes),
            postures=tuple(tuple(posture) for posture in postures),
            drawn=drawn,
            span=self.span,
        )

    def unsolved(self, why: Text) -> Solved:
        """That it has no solution."""
        return Solved(kind=self.kind, title=self.title, failed=why, span=self.span)


def bind(node: Node, model: Model, diagnostics: Diagnostics) -> Problem:
    """A problem of a model; what is wrong goes to the diagnostics."""
    binder = _Binder(node, model, diagnostics)
    values = binder.values
    title = NAMES[node.key]
    name = node.text("name") if "name" in node.attributes else None
    until = None
    if "until" in node.attributes:
        until = binder.positive("until")
    problem = Problem(
        node=node,
        kind=node.key,
        title=Text(f"{title.en}: {name}", f"{title.ru}: {name}") if name else title,
        state=binder.state(),
        frame=binder.named("frame"),
        place=values.place(node) if "place" in node.attributes and node.key == "kinematics" else None,
        turn=values.turn(node) if "turn" in node.attributes else None,
        velocity=values.numbers(node, "velocity") if "velocity" in node.attributes else None,
        load=binder.load(),
        find=node.text("find") or "forces" if node.key == "statics" else "",
        until=until,
        times=(values.numbers(node, "times") or ()) if "times" in node.attributes else (),
        report=read_report(node, model, diagnostics, runs="until" in node.attributes or "motion" in node.attributes),
        structure=binder.structure(),
        span=node.span,
    )
    binder.together(problem)
    return problem


def tell_unknown(name: str, span: Span, known: list[str], what: Text, diagnostics: Diagnostics) -> None:
    """Say that a model has no such thing, in the genitive in Russian, and which it has."""
    diagnostics.error(
        "unknown-name",
        span,
        Text(f'the model has no {what.en} "{name}"', f"в модели нет {what.ru} «{name}»"),
        expected=one_of(known) if known else None,
        hint=word_hint(name, known),
    )


class _Binder:
    def __init__(self, node: Node, model: Model, diagnostics: Diagnostics) -> None:
        self.node, self.model, self.diagnostics = node, model, diagnostics
        self.values: Values = values_of(model, diagnostics)

    def state(self) -> State:
        """The posture of the model that is named, the coordinates that are given, or the start."""
        node, model = self.node, self.model
        given = tuple(key for key in ("posture", "joints", "rates", "accelerations") if key in node.attributes)
        q, v = model.start.q, model.start.v
        names = node.names("posture") if "posture" in given else ()
        if names:
            posture = next((each for each in model.postures if each.name == names[0]), None)
            if posture is None:
                self.unknown("posture", names[0], [each.name for each in model.postures], Text("posture", "позы"))
            else:
                q, v = posture.q, posture.v
        if given and not simple_joints(model):
            keys = [key for key in given if key != "posture"]
            if keys:
                self.diagnostics.error(
                    "no-coordinates",
                    node.at(keys[0]),
                    Text(
                        "joints that turn about a point have no coordinates to list: name a posture of the model",
                        "у шаровых и свободных пар нет координат для списка: назовите позу модели",
                    ),
                )
                return State(q=q, v=v, a=(0.0,) * model.nv, given=given)
        kinds = model.rate_kinds
        if "joints" in given:
            found = self.values.per_coordinate(node, "joints", kinds, 0.0)
            q = tuple(found)
        if "joints" in given or "posture" in given:
            v = (0.0,) * model.nv
        if "rates" in given:
            v = self.values.per_coordinate(node, "rates", kinds, 0.0)
        a = self.values.per_coordinate(node, "accelerations", kinds, 0.0)
        if "joints" in given:
            self.limits(q)
        return State(q=q, v=v, a=a, given=given)

    def limits(self, q: tuple[float, ...]) -> None:
        """Say once where coordinates lie outside the limits of their joints: they are taken as they are."""
        beyond = []
        for rate, name in enumerate(self.model.rate_names):
            body = next(each for each in self.model.bodies if each.first_v <= rate < each.first_v + each.joint.type.nv)
            place = rate - body.first_v
            value = q[rate_place(self.model, rate)]
            if not body.joint.minimum[place] - 1e-12 <= value <= body.joint.maximum[place] + 1e-12:
                beyond.append(name)
        if beyond:
            listed = ", ".join(beyond)
            self.diagnostics.warning(
                "beyond-limits",
                self.node.at("joints"),
                Text(f"beyond the limits of joints: {listed}", f"вне пределов сочленений: {listed}"),
            )

    def named(self, key: str) -> str | None:
        """The body, point or frame of an attribute."""
        names = self.node.names(key) if key in self.node.attributes else ()
        if not names:
            return None
        model = self.model
        name = names[0]
        known = [*(b.name for b in model.bodies), *(p.name for p in model.points), *(f.name for f in model.frames)]
        if name not in known and name.isdecimal() and 1 <= int(name) <= len(model.bodies):
            return model.bodies[int(name) - 1].name
        if name not in known:
            self.unknown(key, name, known, Text("body, point or frame", "тела, точки или репера"))
            return None
        return name

    def structure(self) -> str | None:
        names = self.node.names("structure") if "structure" in self.node.attributes else ()
        if not names:
            return None
        known = [each.name for each in self.model.structures]
        if names[0] not in known:
            self.unknown("structure", names[0], known, Text("structure", "структуры"))
            return None
        return names[0]

    def unknown(self, key: str, name: str, known: list[str], what: Text) -> None:
        tell_unknown(name, self.node.at(key), known, what, self.diagnostics)

    def positive(self, key: str) -> float | None:
        found = self.values.optional(self.node, key)
        if found is not None and not 0.0 < found <= 1e6:
            self.diagnostics.error(
                "out-of-range",
                self.node.at(key),
                Text(f"{found:g} s is no length of a run", f"{found:g} с — не длительность запуска"),
                expected=Text("more than 0, up to 1e6 s", "больше 0, до 1e6 с"),
            )
            return None
        return found

    def load(self) -> Load | None:
        node = self.node
        given = [key for key in ("load", "force") if key in node.attributes]
        at = self.named("at")
        if node.key not in ("statics", "dynamics"):
            return None
        if not given:
            if at is not None and not (node.key == "statics" and node.text("find") == "capacity"):
                self.diagnostics.error(
                    "no-load",
                    node.at("at"),
                    Text("nothing hangs or pulls there", "там ничего не висит и не тянет"),
                    expected=Text("load or force besides", "ещё груз или сила"),
                )
            return None if at is None else Load(at=at, mass=0.0, force=())
        if at is None:
            if "at" not in node.attributes:
                self.diagnostics.error(
                    "missing-attribute",
                    node.at(given[0]),
                    Text("it is not said where", "не сказано где"),
                    expected=Text('at="…": a body, point or frame', "где=«…»: тело, точка или репер"),
                )
            return None
        mass = self.values.positive(node, "load")
        force = self.values.numbers(node, "force") if "force" in node.attributes else ()
        return Load(at=at, mass=mass, force=force or ())

    def together(self, problem: Problem) -> None:
        """Attributes that do not go together, or need each other."""
        has = self.node.attributes
        self.alone("posture", ("joints",))
        if problem.kind == "kinematics":
            self.alone("place", ("rates", "accelerations"))
            for key in ("turn", "velocity"):
                self.needs(key, "place")
            self.needs("place", "frame")
            if "frame" not in has and "report" not in has:
                self.nothing(Text("frame or report", "репер или отчёт"))
        if problem.kind == "dynamics":
            self.alone("motion", ("until", "joints", "posture", "rates", "accelerations"))
            self.alone("until", ("accelerations",))
            until = problem.until
            outside = [t for t in problem.times if until is not None and not 0.0 <= t <= until]
            if outside:
                listed = ", ".join(f"{t:g}" for t in outside)
                self.diagnostics.error(
                    "out-of-range",
                    self.node.at("times"),
                    Text(f"outside of the run [s]: {listed}", f"вне расчёта [с]: {listed}"),
                    expected=Text(f"0 to {until:g} s", f"от 0 до {until:g} с"),
                )
            if not {"until", "motion", "accelerations"} & set(has):
                self.nothing(
                    Text("until (direct), motion or accelerations (inverse)", "до (прямая), движение или ускорения")
                )
        if problem.kind == "statics" and problem.find != "forces":
            for key in ("report",) if problem.find == "capacity" else ():
                if key in has:
                    self.useless(key)
        if problem.kind == "statics" and problem.find == "capacity":
            for key in ("load", "force"):
                if key in has:
                    self.useless(key)
            if problem.load is None and "at" not in has:
                self.nothing(Text('at="…": where the load hangs', "где=«…»: где висит груз"))

    def alone(self, key: str, others: Iterable[str]) -> None:
        for other in others:
            if key in self.node.attributes and other in self.node.attributes:
                first, second = (self.node.attributes[each].name_span.text for each in (key, other))
                self.diagnostics.error(
                    "not-together",
                    self.node.attributes[other].name_span,
                    Text(f'"{second}" does not go with "{first}"', f"«{second}» не бывает вместе с «{first}»"),
                )

    def needs(self, key: str, other: str) -> None:
        if key in self.node.attributes and other not in self.node.attributes:
            wanted = self.node.spec.by_key[other]
            self.diagnostics.error(
                "missing-attribute",
                self.node.attributes[key].name_span,
                Text(f'it needs "{wanted.en[0]}" besides', f"к нему нужно «{wanted.ru[0]}»"),
            )

    def useless(self, key: str) -> None:
        self.diagnostics.error(
            "useless-attribute",
            self.node.attributes[key].name_span,
            Text("this has no meaning here: the load is what is found", "здесь это не имеет смысла: груз и ищется"),
        )

    def nothing(self, expected: Text) -> None:
        self.diagnostics.error(
            "nothing-asked",
            self.node.span,
            Text("nothing is asked here", "здесь ничего не спрашивается"),
            expected=expected,
        )
