"""Results as notebooks show them: short fragments of HTML without scripts, escaped, in the user's language."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Protocol

from sistel.errors import Language, user_language
from sistel.markup import print_expression
from sistel.views.notebook._moving import DrawnEnsemble, ensemble_image
from sistel.views.notebook._run_html import run_html
from sistel.views.notebook._summary_html import STYLE, show_html
from sistel.views.text._linear import linear_text
from sistel.views.text._numbers import clean, limits, short, unit, vector
from sistel.views.text._runs import push_of, strikes
from sistel.views.text._tables import LIMIT, freedom_words, freedoms, impact_words, joint_words, more

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sistel.arms import DHTable
    from sistel.arrays import Array
    from sistel.errors import Text
    from sistel.expr import Count
    from sistel.formulas import Equations
    from sistel.linear import Linear
    from sistel.mechanics import Mobility
    from sistel.model import Body, Joint, Structure, Transition
    from sistel.simulation import Cycle, Event
    from sistel.solve import Equilibrium

LONGEST = 400_000
"""Letters of equations that a notebook shows; longer ones are for files."""
Fact = tuple[str, str]
"""A word and a value."""


def notebook_html(thing: object, lang: Language | None = None) -> str:
    """A result of this library as a fragment of HTML.

    Args:
        thing: A model, body, joint, structure or transition, a run, its events, a cycle, an ensemble or its summary,
            mobility, equilibrium, equations, a count of operations, a diagnostic or a loss; of anything else, what
            `repr` says.
        lang: Language of the words; the user's unless told otherwise.
    """
    show = _SHOWN.get(type(thing).__name__)
    if show is None:
        return _fragment([f"<pre>{escape(clean(repr(thing)))}</pre>"], lang or user_language())
    return show(thing, lang or user_language())


def _fragment(parts: Iterable[str], lang: Language) -> str:
    return f'<div class="sistel" lang="{lang}"><style>{STYLE}</style>{"".join(parts)}</div>'


def _say(en: str, ru: str, lang: Language) -> str:
    return ru if lang == "ru" else en


def _head(kind: str, name: str) -> str:
    """A line with what it is and how it is called."""
    return f'<p><span class="dim">{escape(kind)}</span> <b>{escape(clean(name))}</b></p>'


def _facts(facts: Iterable[Fact]) -> str:
    """Words and values, one below the other; those without a value are left out."""
    rows = "".join(
        f'<tr><td class="dim">{escape(word)}</td><td class="wrap">{escape(clean(value))}</td></tr>'
        for word, value in facts
        if value
    )
    return f"<table><tbody>{rows}</tbody></table>" if rows else ""


def _table(
    titles: Sequence[str], right: Sequence[bool], rows: Sequence[Sequence[str]], total: int, lang: Language
) -> str:
    """A table without the columns in which nothing stands; where it is cut, it says by how much."""
    used = [i for i in range(len(titles)) if any(row[i] for row in rows)]
    align = {i: ' class="right"' if right[i] else "" for i in used}
    head = "".join(f"<th{align[i]}>{escape(titles[i])}</th>" for i in used)
    body = "".join(
        "<tr>" + "".join(f"<td{align[i]}>{escape(clean(row[i]))}</td>" for i in used) + "</tr>" for row in rows
    )
    rest = f'<p class="dim">{escape(more(total - len(rows), lang, ""))}</p>' if total > len(rows) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


# --- parts of a model ------------------------------------------------------------------------------------------------


def _body(body: Body, lang: Language) -> str:
    I = body.I_BBcm_B  # noqa: E741
    mm, kg = unit("mm", lang), unit("kg", lang)
    inertia = ", ".join(short(float(x)) for x in _numbers(I))
    facts = [
        (_say("number", "номер", lang), str(body.number)),
        (_say("base", "базовое тело", lang), str(body.base)),
        (_say("joint", "сочленение", lang), _joint_word(body.joint, lang)),
        (_say("place", "место", lang), f"{vector(body.p_PB)} {mm}"),
        (_say("mass", "масса", lang), f"{short(body.mass)} {kg}"),
        (_say("mass centre", "центр масс", lang), f"{vector(body.p_BoBcm_B)} {mm}"),
        (_say("inertia", "моменты инерции", lang), f"{inertia} {kg}·{unit('m', lang)}²"),
        *_limits(body.joint, lang),
    ]
    return _fragment([_head(_say("body", "тело", lang), body.name), _facts(facts)], lang)


def _numbers(values: Any) -> list[float]:
    """The numbers of something nested."""
    return [float(values)] if isinstance(values, float | int) else [x for each in values for x in _numbers(each)]


def _joint(joint: Joint, lang: Language) -> str:
    facts = [(_say("type", "вид", lang), _joint_word(joint, lang)), *_limits(joint, lang)]
    return _fragment([_head(_say("joint", "сочленение", lang), joint.name), _facts(facts)], lang)


def _joint_word(joint: Joint, lang: Language) -> str:
    turns = joint.type.key in ("revolute", "prismatic", "cylindrical", "universal", "planar")
    return joint_words(joint.type.key, joint.axis if turns else None, lang)


def _limits(joint: Joint, lang: Language) -> list[Fact]:
    """Ranges of the coordinates that have one; a quaternion has none."""
    kinds = [kind for _, kind in joint.type.coordinates]
    if joint.type.nq != joint.type.nv:
        return []
    found = [
        limits(low, high, kind, lang) for low, high, kind in zip(joint.minimum, joint.maximum, kinds, strict=False)
    ]
    return [(_say("limits", "пределы", lang), "; ".join(each for each in found if each))]


def _structure(structure: Structure, lang: Language) -> str:
    facts = [
        (_say("class", "класс", lang), structure.structure_class),
        (freedoms(lang), freedom_words([structure.dof], [structure.dof + structure.rolling], lang)),
        (_say("loops", "контуров", lang), str(structure.loops)),
        (_say("holds", "действует", lang), _list(structure.holds)),
        (_say("slides", "скользит", lang), _list(structure.slides)),
    ]
    reasons = [
        f'<p><span class="why">{_say("cannot be simulated:", "не моделируется:", lang)}</span> '
        f"{escape(clean(reason.say(lang)))}</p>"
        for reason in structure.why_not[:LIMIT]
    ]
    return _fragment([_head(_say("structure", "структура", lang), structure.name), _facts(facts), *reasons], lang)


def _transition(transition: Transition, lang: Language) -> str:
    sources = _list(transition.sources) or _say("any", "любая", lang)
    impact = "" if transition.impact == "none" else impact_words(transition.impact, transition.restitution, lang)
    facts = [
        (_say("when", "когда", lang), clean(print_expression(transition.condition, lang))),
        (_say("impact", "удар", lang), impact),
        (_say("strikes", "ударяет", lang), _list(transition.strikes)),
    ]
    name = f"{sources} → {clean(transition.target)}"
    return _fragment([_head(_say("transition", "переход", lang), name), _facts(facts)], lang)


def _list(names: Sequence[str]) -> str:
    """Names one after another, not more than a page holds."""
    shown = ", ".join(clean(name) for name in names[:LIMIT])
    return f"{shown}, …" if len(names) > LIMIT else shown


def _mobility(mobility: Mobility, lang: Language) -> str:
    facts = [
        (freedoms(lang), freedom_words([mobility.dof], [mobility.places], lang)),
        (_say("by Grübler's formula", "по формуле Чебышёва — Грюблера", lang), str(mobility.grubler)),
        (_say("independent constraints", "независимых связей", lang), f"{mobility.rank} / {len(mobility.rows)}"),
        (_say("redundant in", "избыточные в", lang), _list(mobility.redundant_links)),
    ]
    singular = _say("a singular posture", "особое положение", lang)
    return _fragment([_facts(facts), f'<p class="why">{singular}</p>' if mobility.singular else ""], lang)


# --- motions ---------------------------------------------------------------------------------------------------------


def _event(event: Event, lang: Language) -> str:
    return _events((event,), lang)


def _events(events: Sequence[Event], lang: Language) -> str:
    rows = []
    for event in events[:LIMIT]:
        name, size = push_of(event)
        struck = strikes(event)
        plain = event.transition in ("", f"{event.before} → {event.after}")
        rows.append(
            (
                short(event.time, 9),
                f"{clean(event.before)} → {clean(event.after)}",
                "" if plain else clean(event.transition),
                short(event.energy_loss) if struck else "",
                f"{clean(name)}: {short(size)}" if struck else "",
            )
        )
    titles = (
        ("время, с", "структуры", "переход", "потеря энергии, Дж", "импульс, Н·с")
        if lang == "ru"
        else ("time, s", "structures", "transition", "energy loss, J", "impulse, N·s")
    )
    if not rows:
        return _fragment([f'<p class="dim">{_say("no events", "событий нет", lang)}</p>'], lang)
    return _fragment([_table(titles, (True, False, False, True, False), rows, len(events), lang)], lang)


def _cycle(cycle: Cycle, lang: Language) -> str:
    found = clean(cycle.reason.say(lang))
    parts = [f'<p class="{"class" if cycle.success else "why"}">{escape(found)}</p>']
    sizes = [abs(each) for each in cycle.multipliers]
    stable = _say("stable", "устойчив", lang) if cycle.stable else _say("not stable", "неустойчив", lang)
    facts = [
        (_say("period", "период", lang), f"{short(cycle.period, 9)} {unit('s', lang)}"),
        (_say("begins in", "начинается в", lang), clean(cycle.structure)),
        (_say("just after", "сразу после", lang), clean(cycle.transition)),
        (_say("multipliers", "мультипликаторы", lang), ", ".join(_complex(each) for each in cycle.multipliers[:8])),
        (_say("the largest", "наибольший", lang), f"{short(max(sizes))}: {stable}" if sizes else ""),
        (
            _say("grows in a period", "за период растёт", lang),
            ", ".join(f"{clean(name)}: {short(value)}" for name, value in list(cycle.shift.items())[:LIMIT]),
        ),
        (_say("residual", "невязка", lang), short(cycle.residual, 3)),
        (_say("events in a period", "событий за период", lang), str(len(cycle.events))),
    ]
    return _fragment([*parts, _facts(facts)], lang)


def _complex(value: complex) -> str:
    if abs(value.imag) <= 1e-12 * max(1.0, abs(value)):
        return short(float(value.real), 5)
    return f"{short(float(value.real), 5)} {'+' if value.imag >= 0 else '-'} {short(abs(float(value.imag)), 5)}i"


def _equilibrium(found: Equilibrium, lang: Language) -> str:
    if not found.success:
        reason = clean(found.reason.say(lang)) if found.reason is not None else ""
        words = _say("no equilibrium was found", "равновесие не найдено", lang)
        return _fragment([f'<p class="why">{escape(f"{words}: {reason}" if reason else words)}</p>'], lang)
    stable = _say("stable", "устойчивое", lang) if found.stable else _say("not stable", "неустойчивое", lang)
    second = unit("s", lang)
    waves = [math.sqrt(float(k)) / (2 * math.pi) for k in found.stiffness if k > 0]
    facts = [
        ("q", _array(found.q)),
        (
            _say("frequencies", "частоты", lang),
            f"{', '.join(short(w, 4) for w in waves[:8])} 1/{second}" if waves else "",
        ),
        (_say("residual", "невязка", lang), short(found.residual, 3)),
    ]
    word = _say("equilibrium", "равновесие", lang)
    return _fragment([f'<p class="class">{word}: {stable}</p>', _facts(facts)], lang)


def _array(values: Sequence[float] | Array) -> str:
    shown = [short(float(x)) for x in list(values)[:24]]
    return "[" + ", ".join(shown) + (", …" if len(values) > 24 else "") + "]"


class _Outcomes(Protocol):
    """How the runs of an ensemble ended; ensembles are above views."""

    @property
    def structures(self) -> Mapping[str, int]: ...

    def words(self) -> Iterable[tuple[Text, int]]: ...


class _Ensemble(DrawnEnsemble, Protocol):
    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def summary(self) -> _Outcomes: ...


# --- ensembles -------------------------------------------------------------------------------------------------------


def _ensemble(ensemble: _Ensemble, lang: Language) -> str:
    shape = " × ".join(str(n) for n in ensemble.shape)
    names = _list([str(name) for name in ensemble.names])
    head = _say("ensemble of runs", "ансамбль расчётов", lang)
    facts = [(_say("size", "размер", lang), shape), (_say("varied", "меняется", lang), names)]
    picture = ensemble_image(ensemble, lang)
    return _fragment([f"<p><b>{head}</b></p>", _facts(facts), picture, *_outcomes(ensemble.summary, lang)], lang)


def _summary(summary: _Outcomes, lang: Language) -> str:
    return _fragment(_outcomes(summary, lang), lang)


def _outcomes(summary: _Outcomes, lang: Language) -> list[str]:
    words = [(clean(text.say(lang)), str(count)) for text, count in summary.words()]
    ends = sorted(summary.structures.items(), key=lambda item: (-item[1], item[0]))
    count = _say("runs", "расчётов", lang)
    made = [
        _table((_say("how it ended", "чем кончилось", lang), count), (False, True), words[:LIMIT], len(words), lang)
    ]
    if len(ends) > 1:
        rows = [(clean(name), str(number)) for name, number in ends[:LIMIT]]
        title = _say("last structure", "последняя структура", lang)
        made.append(_table((title, count), (False, True), rows, len(ends), lang))
    return made


# --- formulas, problems ----------------------------------------------------------------------------------------------


def _equations(equations: Equations, lang: Language) -> str:
    text = equations.to_mathml(lang=lang)
    if len(text) > LONGEST:
        hint = _say("too long for a notebook: to_html() is a page", "слишком длинно: to_html() даёт страницу", lang)
        return _fragment([f"<pre>{escape(clean(repr(equations)))}</pre>", f'<p class="dim">{escape(hint)}</p>'], lang)
    return _fragment([text], lang)


def _count(count: Count, lang: Language) -> str:
    facts = [
        (_say("multiplications, divisions", "умножений, делений", lang), str(count.multiplications)),
        (_say("additions, subtractions", "сложений, вычитаний", lang), str(count.additions)),
        (_say("sines with cosines", "синусов с косинусами", lang), str(count.sincos)),
        (_say("square roots", "квадратных корней", lang), str(count.roots) if count.roots else ""),
        (_say("others", "прочих", lang), str(count.other) if count.other else ""),
    ]
    return _fragment([_facts(facts)], lang)


def _linear(linear: Linear, lang: Language) -> str:
    lines = linear_text(linear, lang).splitlines()
    return _fragment([f"<pre>{escape(chr(10).join(lines))}</pre>"], lang)


def _rendered(thing: Any, lang: Language) -> str:
    """What says of itself what it is, in lines."""
    text = "\n".join(clean(line) for line in thing.render(lang).split("\n"))
    return _fragment([f"<pre>{escape(text)}</pre>"], lang)


def _dh(table: DHTable, lang: Language) -> str:
    """The table of an arm."""
    mm, kg = unit("mm", lang), unit("kg", lang)
    inertia = f"{kg}·{unit('m', lang)}²"
    titles = {
        "name": _say("name", "имя", lang),
        "joint": _say("joint", "пара", lang),
        "theta": "θ, °",
        "d": f"d, {mm}",
        "a": f"a, {mm}",
        "alpha": "α, °",
        "mass": _say("mass", "масса", lang) + f", {kg}",
        **{key: f"{key}, {mm}" for key in ("cx", "cy", "cz")},
        **{key: f"{key}, {inertia}" for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")},
    }
    heads, rows = table.columns()
    said = {"standard": ("standard", "стандартное"), "modified": ("modified", "модифицированное")}[table.convention]
    head = _head(_say("Denavit–Hartenberg", "Денавит — Хартенберг", lang), _say(*said, lang))
    right = [key not in ("name", "joint") for key in heads]
    return _fragment([head, _table([titles.get(key, key) for key in heads], right, rows, len(rows), lang)], lang)


_SHOWN: dict[str, Callable[[Any, Language], str]] = {
    "Body": _body,
    "Joint": _joint,
    "Structure": _structure,
    "Transition": _transition,
    "Model": show_html,
    "Run": run_html,
    "Mobility": _mobility,
    "Event": _event,
    "Events": _events,
    "Cycle": _cycle,
    "Equilibrium": _equilibrium,
    "Ensemble": _ensemble,
    "Summary": _summary,
    "Equations": _equations,
    "Count": _count,
    "Linear": _linear,
    "DHTable": _dh,
    "Diagnostic": _rendered,
    "SistelError": _rendered,
    "Loss": _rendered,
}
"""How results are shown, by the names of their classes: they come from below, and are not imported for this."""
