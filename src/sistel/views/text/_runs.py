"""Runs as people read them: tables of structures, events and the final state, for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sistel.errors import Language, Text
from sistel.model import Model
from sistel.model.joints import CoordinateKind
from sistel.views.text._numbers import clean, coordinate, rate, short, unit
from sistel.views.text._tables import LIMIT, Column, Table

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation import Event, Run


DUST = 1e-12
"""Impulse that counts as none [N·s or N·m·s]."""


def run_tables(run: Run, lang: Language, limit: int | None = LIMIT) -> list[Table]:
    """Structures that the run passed, its events, and its final state."""
    made = [_structures(run, lang), _events(run, lang, limit), _final(run, lang)]
    return [table for table in made if table.rows]


def warning_table(run: Run, lang: Language) -> Table:
    """What a user must know of a run."""
    rows = [
        (
            short(warning.time, 6),
            clean(warning.message.say(lang)),
            "" if warning.count == 1 else str(warning.count),
            clean(warning.place),
        )
        for warning in run.warnings
    ]
    titles = ("время, с", "что", "раз", "где") if lang == "ru" else ("time, s", "what", "times", "where")
    return _table("Предупреждения" if lang == "ru" else "Warnings", titles, (1, 0, 1, 0), rows, None)


def asked_tables(asked: Mapping[str, Array], lang: Language) -> list[Table]:
    """What expressions were along a run [SI]; no table where nothing was asked."""
    rows = [(clean(text), *(short(float(x), 9) for x in (v[0], v[-1], v.min(), v.max()))) for text, v in asked.items()]
    titles = (
        ("величина", "в начале", "в конце", "наименьшая", "наибольшая")
        if lang == "ru"
        else ("quantity", "first", "last", "least", "most")
    )
    title = "Величины на шагах [СИ]" if lang == "ru" else "Quantities at the steps [SI]"
    return [_table(title, titles, (0, 1, 1, 1, 1), rows, None)] if rows else []


def run_heading(run: Run, lang: Language) -> str:
    """What the run is, in a line."""
    ru = lang == "ru"
    steps, events = ("шагов", "событий") if ru else ("steps", "events")
    until = "до момента" if ru else "until"
    return f"{until} {short(run.end, 9)} {unit('s', lang)} · {steps} {run.steps} · {events} {len(run.events)}"


def structure_text(model: Model, name: str) -> Text:
    """A structure's name for people: those that contacts make are words of a language."""
    from sistel import automaton

    return automaton.structure_text(model, name)


def passage_text(run: Run, event: Event) -> Text | None:
    """What led from one structure to another; None where their names say it all."""
    from sistel import automaton

    plain = event.transition in ("", f"{event.before} → {event.after}")
    return None if plain else automaton.event_text(run.model, event.transition)


def structure_said(run: Run, name: str, lang: Language) -> str:
    """The same in one of the languages."""
    return clean(structure_text(run.model, name).say(lang))


def _transition_said(run: Run, event: Event, lang: Language) -> str:
    text = passage_text(run, event)
    return "" if text is None else clean(text.say(lang))


def passed(run: Run) -> list[tuple[str, int, float]]:
    """Structures in the order of their first appearance: how often they were entered, and how long they lasted [s]."""
    stays: dict[str, list[float]] = {}
    happened, before = {event.time for event in run.events}, ""
    for segment in run.segments:
        lengths = stays.setdefault(segment.structure, [])
        # Ticks of clocks divide segments, and no stay.
        if not lengths or segment.structure != before or segment.begin in happened:
            lengths.append(0.0)
        lengths[-1] += segment.end - segment.begin
        before = segment.structure
    stays.setdefault(run.final_structure, [])
    return [(name, len(lengths), sum(lengths)) for name, lengths in stays.items()]


def push_of(event: Event) -> tuple[str, float]:
    """The link whose impulse is the largest, and its size [N·s]; nothing without a name."""
    sizes = {name: sum(float(x) ** 2 for x in impulse[3:]) ** 0.5 for name, impulse in event.impulses.items()}
    return max(sizes.items(), key=lambda item: item[1]) if sizes else ("", 0.0)


def strikes(event: Event) -> bool:
    """Whether something strikes at an event: rounding leaves a dust of impulse where nothing does."""
    return any(abs(float(x)) > DUST for impulse in event.impulses.values() for x in impulse)


def _structures(run: Run, lang: Language) -> Table:
    classes = {structure.name: structure.structure_class for structure in run.model.structures}
    stays = passed(run)
    # The class says something where it changes.
    differ = len({classes.get(name, "") for name, _, _ in stays}) > 1
    rows = [
        (structure_said(run, name, lang), classes.get(name, "") if differ else "", str(count), short(length, 9))
        for name, count, length in stays
    ]
    titles = ("структура", "класс", "раз", "время, с") if lang == "ru" else ("structure", "class", "stays", "time, s")
    if not _changes(run):
        rows = []
    return _table("Структуры" if lang == "ru" else "Structures", titles, (0, 0, 1, 1), rows, None)


def _changes(run: Run) -> bool:
    """Whether the names of structures say something."""
    return len(run.model.structures) > 1 or run.final_structure != run.model.structures[0].name


def _events(run: Run, lang: Language, limit: int | None) -> Table:
    rows = []
    for event in run.events[:limit]:
        name, size = push_of(event)
        struck = strikes(event)
        impulse = f"{clean(name)}: {short(size)}" if struck else ""
        way = f"{structure_said(run, event.before, lang)} → {structure_said(run, event.after, lang)}"
        own = _transition_said(run, event, lang)
        loss = short(event.energy_loss) if struck else ""
        rows.append((short(event.time, 9), way, own, loss, impulse))
    titles = (
        ("время, с", "структуры", "переход", "потеря энергии, Дж", "импульс, Н·с")
        if lang == "ru"
        else ("time, s", "structures", "transition", "energy loss, J", "impulse, N·s")
    )
    return _table("События" if lang == "ru" else "Events", titles, (1, 0, 0, 1, 0), rows, len(run.events))


def _final(run: Run, lang: Language) -> Table:
    rows = [
        (
            clean(name),
            "" if value is None else coordinate(value, kind, lang),
            "" if speed is None else rate(speed, kind, lang),
        )
        for name, kind, value, speed in final_rows(run.model, run.last.tolist())
    ]
    title = f"{'В момент' if lang == 'ru' else 'At'} {short(run.end, 9)} {unit('s', lang)}"
    if _changes(run):
        where = structure_said(run, run.final_structure, lang)
        title += f", структура «{where}»" if lang == "ru" else f', structure "{where}"'
    titles = ("координата", "значение", "скорость") if lang == "ru" else ("coordinate", "value", "rate")
    return _table(title, titles, (0, 1, 1), rows, None)


def final_rows(model: Model, state: list[float]) -> list[tuple[str, CoordinateKind, float | None, float | None]]:
    """Names and kinds, values of the coordinates and of the velocities [SI]; those of rotations have other names."""
    kinds = {
        name: kind
        for names, all_kinds in (
            (model.rate_names, model.rate_kinds),
            (model.coordinate_names, coordinate_kinds(model)),
        )
        for name, kind in zip(names, all_kinds, strict=True)
    }
    values = dict(zip(model.coordinate_names, state, strict=False))
    rates = dict(zip(model.rate_names, state[model.nq :], strict=False))
    names = dict.fromkeys((*model.coordinate_names, *model.rate_names))
    return [(name, kinds[name], values.get(name), rates.get(name)) for name in names]


def coordinate_kinds(model: Model) -> list[CoordinateKind]:
    """What the coordinates are: turns, slides or others."""
    return [kind for body in model.bodies for _, kind in body.joint.type.coordinates]


def _table(
    title: str, titles: tuple[str, ...], right: tuple[int, ...], rows: Sequence[tuple[str, ...]], total: int | None
) -> Table:
    """A table without the columns in which nothing stands."""
    used = [i for i in range(len(titles)) if any(row[i] for row in rows)]
    columns = tuple(Column(title=titles[i], align="right" if right[i] else "left", keep=True) for i in used)
    cells = tuple(tuple(row[i] for i in used) for row in rows)
    return Table(title=title, columns=columns, rows=cells, total=len(rows) if total is None else total)
