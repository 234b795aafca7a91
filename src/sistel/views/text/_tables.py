"""Summary → tables of words: the one form that the terminal and the notebook print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from sistel.errors import Language, Text
from sistel.markup.schema import FRICTIONS, IMPACTS, JOINTS
from sistel.records import record
from sistel.units import ACCELERATION, CURRENT, FORCE, INDUCTANCE, INERTIA, MOMENT, RESISTANCE, VOLTAGE
from sistel.views.text._numbers import (
    coordinate,
    degrees,
    direction,
    limits,
    quantity,
    rate,
    short,
    symbol,
    unit,
    vector,
)
from sistel.views.text._rows import BodyRow, LinkRow, MotorRow, ParameterRow, SchemeRow, StructureRow, Summary

LIMIT = 60
"""More rows than this are shown only to those who ask for all."""


@record
class Column:
    """A column of a table."""

    title: str
    align: Literal["left", "right"] = "left"
    keep: bool = False
    """Whether its cells stay on one line where others wrap: names and numbers are read as a whole."""


@record
class Table:
    """A titled table; columns in which nothing stands are already gone."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    """How many rows there are in all, shown or not."""

    @property
    def hidden(self) -> int:
        """How many rows are not shown."""
        return self.total - len(self.rows)


def joint_words(joint: str, axis: Sequence[float] | None, lang: Language) -> str:
    """A joint as ``ВКП z``."""
    word = JOINTS.choice(joint).written(lang)
    return word if axis is None else f"{word} {direction(axis)}"


def facts(summary: Summary, lang: Language) -> tuple[tuple[str, str], ...]:
    """The numbers that describe the whole system: a word and a value each."""
    dof = freedom_words(
        [structure.dof for structure in summary.structures],
        [structure.places for structure in summary.structures],
        lang,
    )
    if summary.nq == summary.nv:
        sizes = [("nq = nv =", str(summary.nq))]
    else:
        sizes = [("nq =", str(summary.nq)), ("nv =", str(summary.nv))]
    # The name of a planar class says so itself.
    space = [] if summary.planar else [("", _say("spatial", "пространственная", lang))]
    gravity = f"{', '.join(map(short, summary.gravity))} {symbol(ACCELERATION, lang)}"
    return (
        *space,
        (_say("bodies", "тел", lang), str(len(summary.bodies))),
        *sizes,
        (freedoms(lang), dof),
        (_say("mass", "масса", lang), f"{short(summary.mass)} {unit('kg', lang)}"),
        (_say("gravity", "тяжесть", lang), gravity),
    )


def freedoms(lang: Language) -> str:
    """What precedes the number of degrees of freedom."""
    return _say("degrees of freedom", "степеней свободы", lang)


def freedom_words(dofs: Sequence[int], places: Sequence[int], lang: Language) -> str:
    """Degrees of freedom of structures: of velocities, and of coordinates where these have more."""

    def spread(numbers: Sequence[int]) -> str:
        few, many = min(numbers), max(numbers)
        return str(few) if few == many else f"{few} … {many}"

    if list(dofs) == list(places):
        return spread(dofs)
    return _say(
        f"{spread(dofs)} in velocities, {spread(places)} in positions",
        f"{spread(dofs)} по скоростям, {spread(places)} по положениям",
        lang,
    )


def body_tables(summary: Summary, lang: Language, limit: int | None = LIMIT) -> tuple[Table, Table, Table]:
    """The table of bodies: whole, and its geometrical and its inertial half for narrow pages."""
    shown = summary.bodies[:limit]
    head = (Column(title="№", align="right", keep=True), Column(title=_say("Name", "Имя", lang), keep=True))
    heads = [(str(body.number), body.name) for body in shown]
    mm, kg = unit("mm", lang), unit("kg", lang)
    geometry = (
        Column(title=_say("Base", "База", lang), keep=True),
        Column(title=_say("Joint", "КП", lang), keep=True),
        Column(title=f"{_say('Place', 'Место', lang)}, {mm}", keep=True),
        Column(title=f"{_say('Turn', 'Поворот', lang)}, °", keep=True),
        Column(title=_say("Limits", "Пределы", lang)),
    )
    masses = (
        Column(title=f"{_say('Mass', 'Масса', lang)}, {kg}", align="right", keep=True),
        Column(title=f"{_say('Centre of mass', 'ЦМ', lang)}, {mm}", keep=True),
        Column(title=f"{_say('Inertia', 'Инерция', lang)}, {symbol(INERTIA, lang)}"),
    )
    first = [_geometry(body, lang) for body in shown]
    second = [_masses(body) for body in shown]

    def table(title: str, columns: tuple[Column, ...], rows: list[tuple[str, ...]]) -> Table:
        return _table(title, columns, rows, len(summary.bodies))

    whole = [(*a, *b, *c) for a, b, c in zip(heads, first, second, strict=True)]
    return (
        table(_say("Bodies", "Тела", lang), (*head, *geometry, *masses), whole),
        table(_say("Bodies: geometry", "Тела: геометрия", lang), (*head, *geometry), _beside(heads, first)),
        table(_say("Bodies: masses", "Тела: массы", lang), (*head, *masses), _beside(heads, second)),
    )


def link_table(summary: Summary, links: Sequence[LinkRow], lang: Language, limit: int | None = LIMIT) -> Table:
    """Closures, contacts, locks and couplings."""
    columns = (
        Column(title=_say("Name", "Имя", lang), keep=True),
        Column(title=_say("Kind", "Вид", lang), keep=True),
        Column(title=_say("What it ties", "Что связывает", lang)),
        Column(title=_say("How", "Как", lang)),
        Column(title=_say("Holds", "Держит", lang)),
    )
    rows = [_link(summary, link, lang) for link in links[:limit]]
    return _table(_say("Links", "Связи", lang), columns, rows, len(links))


def structure_table(structures: Sequence[StructureRow], lang: Language, limit: int | None = LIMIT) -> Table:
    """The structures."""
    columns = (
        Column(title=_say("Structure", "Структура", lang), keep=True),
        Column(title=_say("Class", "Класс", lang), keep=True),
        Column(title=_say("Freedoms", "Степени свободы", lang), align="right"),
        Column(title=_say("Loops", "Контуры", lang), align="right"),
        Column(title=_say("What holds", "Что держит", lang)),
        Column(title=_say("Joints that change", "Замены КП", lang)),
        Column(title=_say("Why not simulated", "Почему не моделируется", lang)),
    )
    rows = [
        (
            f"{structure.name} ◂" if structure.initial and len(structures) > 1 else structure.name,
            structure.structure_class,
            freedom_words([structure.dof], [structure.places], lang),
            str(structure.loops),
            ", ".join(structure.holds),
            "; ".join(change_words(change, lang) for change in structure.changes),
            "; ".join(structure.why_not),
        )
        for structure in structures[:limit]
    ]
    return _table(_say("Structures", "Структуры", lang), columns, rows, len(structures))


def motor_table(motors: Sequence[MotorRow], lang: Language, limit: int | None = LIMIT) -> Table:
    """The motors."""
    columns = (
        Column(title=_say("Name", "Имя", lang), keep=True),
        Column(title=_say("Coordinate", "Координата", lang), keep=True),
        Column(title=_say("Limit", "Предел", lang), align="right", keep=True),
        Column(title=_say("Speed", "Скорость", lang), align="right", keep=True),
        Column(title=_say("Ratio", "Передаточное число", lang), align="right"),
        Column(title=f"{_say('Rotor', 'Ротор', lang)}, {symbol(INERTIA, lang)}", align="right", keep=True),
        Column(title=_say("Efficiency", "КПД", lang), align="right"),
        Column(title=_say("Winding", "Обмотка", lang)),
    )
    # A motor without a name of its own is called as its coordinate.
    named = any(motor.name != motor.coordinate for motor in motors)
    rows = [
        (
            motor.name,
            motor.coordinate if named else "",
            _finite(motor.limit, f"{short(motor.limit)} {symbol(MOMENT if motor.kind == 'turn' else FORCE, lang)}"),
            _finite(motor.speed, rate(motor.speed, motor.kind, lang)),
            "" if motor.ratio == 1 else short(motor.ratio),
            short(motor.inertia, 4) if motor.inertia else "",
            "" if motor.efficiency == 1 else short(motor.efficiency),
            _winding(motor, lang),
        )
        for motor in motors[:limit]
    ]
    return _table(_say("Motors", "Приводы", lang), columns, rows, len(motors))


def scheme_tables(schemes: Sequence[SchemeRow], lang: Language, limit: int | None = LIMIT) -> Iterator[Table]:
    """A table for every functional scheme: its signals, then what it asks of motors."""
    for scheme in schemes:
        word = _say("Scheme", "Схема", lang)
        if scheme.period is None:
            when = _say("continuous", "непрерывная", lang)
        else:
            times = [(_say("period", "период", lang), scheme.period)]
            times += [(_say("offset", "сдвиг", lang), scheme.offset)] if scheme.offset else []
            times += [(_say("latency", "запаздывание", lang), scheme.latency)] if scheme.latency else []
            when = ", ".join(f"{name} {short(value, 9)} {unit('s', lang)}" for name, value in times)
        columns = (
            Column(title=_say("Signal", "Сигнал", lang), keep=True),
            Column(title=_say("Block", "Блок", lang)),
            Column(title=_say("Law", "Закон", lang), keep=True),
            Column(title=_say("Unit", "Единица", lang)),
        )
        rows = [(row.name, row.kind, row.law, row.unit) for row in scheme.signals]
        rows += [(f"→ {motor}", _say("motor", "привод", lang), law, "") for motor, law in scheme.outputs]
        yield _table(f"{word} {scheme.name}: {when}", columns, rows[:limit], len(rows))


def _winding(motor: MotorRow, lang: Language) -> str:
    """The numbers of an electric motor that it has."""
    numbers = (
        (motor.voltage, symbol(VOLTAGE, lang)),
        (motor.current, symbol(CURRENT, lang)),
        (motor.resistance, symbol(RESISTANCE, lang)),
        (motor.inductance or None, symbol(INDUCTANCE, lang)),
        (motor.constant, f"{unit('V', lang)}·{unit('s', lang)}/{unit('rad', lang)}"),
    )
    return ", ".join(f"{short(value, 4)} {sign}" for value, sign in numbers if value is not None)


def parameter_table(parameters: Sequence[ParameterRow], lang: Language, limit: int | None = LIMIT) -> Table:
    """The parameters."""
    columns = (
        Column(title=_say("Name", "Имя", lang), keep=True),
        Column(title=_say("Value", "Значение", lang), align="right", keep=True),
        Column(title=_say("Range", "Диапазон", lang), keep=True),
        Column(title=_say("What it is", "Что это", lang)),
    )
    rows = [
        (row.name, quantity(row.value, row.dimension, lang), _range(row, lang), row.about) for row in parameters[:limit]
    ]
    return _table(_say("Parameters", "Параметры", lang), columns, rows, len(parameters))


def start_table(summary: Summary, lang: Language, limit: int | None = LIMIT) -> Table:
    """The initial coordinates that the file gives."""
    columns = (
        Column(title=_say("Coordinate", "Координата", lang), keep=True),
        Column(title=_say("Value", "Значение", lang), align="right", keep=True),
        Column(title=_say("Rate", "Скорость", lang), align="right", keep=True),
    )
    rows = [
        (
            row.coordinate,
            "" if row.value is None else coordinate(row.value, row.kind, lang),
            "" if row.rate is None else rate(row.rate, row.kind, lang),
        )
        for row in summary.start[:limit]
    ]
    return _table(_say("Start", "Начало", lang), columns, rows, len(summary.start))


COUNT_WORDS: dict[str, Text] = {
    "points": Text("points", "точки"),
    "frames": Text("frames", "реперы"),
    "shapes": Text("shapes", "фигуры"),
    "forces": Text("forces", "силы"),
    "springs": Text("springs", "пружины"),
    "tracks": Text("tracks", "гусеницы"),
    "stops": Text("stops", "упоры"),
    "motions": Text("motions", "движения"),
    "postures": Text("postures", "позы"),
    "groups": Text("groups", "группы"),
}

LINK_WORDS: dict[str, Text] = {
    "closure": Text("closure", "замыкание"),
    "contact": Text("contact", "контакт"),
    "blade": Text("blade", "полоз"),
    "lock": Text("lock", "замок"),
    "coupling": Text("coupling", "передача"),
    "gear": Text("gear", "зацепление"),
    "clutch": Text("clutch", "муфта"),
    "brake": Text("brake", "тормоз"),
    "differential": Text("differential", "дифференциал"),
}


def others(summary: Summary, lang: Language) -> str:
    """How many there are of the things that have no table."""
    return " · ".join(f"{COUNT_WORDS[key].say(lang)} {count}" for key, count in summary.counts)


def base_list(summary: Summary, limit: int | None = LIMIT) -> str:
    """СНБТ in the form of the papers."""
    bases = summary.bases[:limit]
    rest = len(summary.bases) - len(bases)
    return f"({', '.join(map(str, bases))}{', …' if rest else ''})"


def more(hidden: int, lang: Language, how: str = "--all") -> str:
    """What to say of rows that are not shown."""
    end = f" ({how})" if how else ""
    return f"… ещё {hidden}{end}" if lang == "ru" else f"… and {hidden} more{end}"


def ground(lang: Language) -> str:
    """The word for the ground."""
    return _say("ground", "земля", lang)


def impact_words(impact: str, restitution: float, lang: Language) -> str:
    """An impact rule, with its coefficient where it has one."""
    word = IMPACTS.choice(impact).written(lang)
    return f"{word} {short(restitution)}" if restitution else word


def _say(en: str, ru: str, lang: Language) -> str:
    return ru if lang == "ru" else en


def _finite(value: float, text: str) -> str:
    return "" if value in (float("inf"), -float("inf")) else text


def _beside(left: Sequence[tuple[str, ...]], right: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [(*a, *b) for a, b in zip(left, right, strict=True)]


def _table(title: str, columns: tuple[Column, ...], rows: Sequence[tuple[str, ...]], total: int) -> Table:
    used = [index for index in range(len(columns)) if any(row[index] for row in rows)]
    return Table(
        title=title,
        columns=tuple(columns[index] for index in used),
        rows=tuple(tuple(row[index] for index in used) for row in rows),
        total=total,
    )


def _geometry(body: BodyRow, lang: Language) -> tuple[str, ...]:
    several = len(body.coordinates) > 1
    ranges = []
    for row in body.coordinates:
        text = limits(row.minimum, row.maximum, row.kind, lang)
        if text:
            ranges.append(f"{row.name} {text}" if several else text)
    turn = ", ".join(map(degrees, body.turn))
    return (
        str(body.base),
        joint_words(body.joint, body.axis, lang),
        vector(body.place),
        turn if turn.strip("0, ") else "",
        "; ".join(ranges),
    )


def _masses(body: BodyRow) -> tuple[str, ...]:
    inertia = ", ".join(short(value, 4) for value in body.inertia[:3])
    products = ", ".join(short(value, 4) for value in body.inertia[3:])
    return (
        short(body.mass) if body.mass else "",
        vector(body.com) if any(body.com) else "",
        (f"{inertia}; {products}" if any(body.inertia[3:]) else inertia) if any(body.inertia) else "",
    )


def _link(summary: Summary, link: LinkRow, lang: Language) -> tuple[str, ...]:
    kind = LINK_WORDS[link.kind].say(lang)
    how = ""
    if link.kind == "closure":
        what = " — ".join(
            f"{_body(summary, body, lang)} ({vector(place)})"
            for body, place in zip(link.bodies, link.places, strict=True)
        )
        assert link.joint is not None
        kind = f"{kind} · {joint_words(link.joint, link.axis, lang)}"
        how = _say("cut by sistel", "разорвано программой", lang) if link.found else ""
    elif link.kind == "contact":
        what = f"{link.point} ({_body(summary, link.bodies[0], lang)}) — {_body(summary, link.bodies[1], lang)}"
        friction = (
            FRICTIONS.choice("stick").written(lang)
            if link.friction == "stick"
            else f"μ = {short(float(link.friction or 0))}"
        )
        words = [f"{_say('gap', 'зазор', lang)} = {link.gap}"]
        if link.radius is not None:
            # The gap of a round shape is its distance; its surface is told by its equation.
            surface = f"{_say('surface', 'поверхность', lang)} {link.gap} = 0"
            words = [surface, f"r = {short(1e3 * link.radius)} {unit('mm', lang)}"]
        if link.shape is not None:
            other = _say("world", "мир", lang) if link.shape == "world" else link.shape
            what = f"{link.point} ({_body(summary, link.bodies[0], lang)}) — {other}"
            what += "" if link.shape == "world" else f" ({_body(summary, link.bodies[1], lang)})"
            words = [_say(f"{link.contacts} contacts", f"контактов {link.contacts}", lang)]
        if link.rolls:
            words.append(_say("rolls ideally", "катится идеально", lang))
        if not link.rolls or link.friction != "stick":
            words.append(friction)
        if link.speed is not None:
            words.append(f"{_say('speed', 'скорость', lang)} {link.speed}")
        if link.impact is not None:
            words.append(f"{_say('impact', 'удар', lang)} {impact_words(link.impact, link.restitution or 0.0, lang)}")
        how = " · ".join(words)
    elif link.kind == "blade":
        what = f"{link.point} ({_body(summary, link.bodies[0], lang)}) — {_body(summary, link.bodies[1], lang)}"
        how = f"{_say('across', 'поперёк', lang)} {direction(link.axis or ())}"
    elif link.kind == "lock":
        bodies = " — ".join(_body(summary, body, lang) for body in link.bodies)
        what = bodies or ", ".join(link.coordinates)
    else:
        what, how = _coupling(link, lang), _gives_way(link, lang)
    return (link.name, kind, what, how, _holds(summary, link, lang))


def _holds(summary: Summary, link: LinkRow, lang: Language) -> str:
    """In which structures a link holds."""
    where = [structure.name for structure in summary.structures if link.name in structure.holds]
    if link.always or (where and len(where) == len(summary.structures)):
        return _say("always", "всегда", lang)
    if not where:
        return _say("never", "нигде", lang)
    if len(where) <= 3:
        return ", ".join(where)
    return _say(f"in {len(where)} of {len(summary.structures)}", f"в {len(where)} из {len(summary.structures)}", lang)


def _body(summary: Summary, number: int, lang: Language) -> str:
    return summary.body_name(number) or ground(lang)


def _coupling(link: LinkRow, lang: Language) -> str:
    """``finger2 = -1·finger1 + 30°``; higher powers of the driver come after."""
    assert link.ratio is not None and link.offset is not None
    driven, driver, *other = link.coordinates
    driver = f"({driver} + {other[0]})/2" if other else driver
    terms = [
        f"{short(ratio)}·{driver}{f'^{power}' if power > 1 else ''}"
        for power, ratio in enumerate(link.ratio, 1)
        if ratio
    ]
    if link.offset:
        terms.append(coordinate(link.offset, link.kinds[0], lang))
    return f"{driven} = {' + '.join(terms) or '0'}".replace("+ -", "- ")


def _gives_way(link: LinkRow, lang: Language) -> str:
    """How a gear or a clutch gives way."""
    words = []
    if link.limit is not None:
        words.append(f"{_say('limit', 'предел', lang)} {link.limit}")
    if link.backlash is not None:
        words.append(f"{_say('backlash', 'люфт', lang)} {coordinate(link.backlash, link.kinds[0], lang)}")
    if link.stiffness is not None:
        measure = unit("N*m/rad" if link.kinds[0] == "turn" else "N/m", lang)
        words.append(f"k = {short(link.stiffness)} {measure}")
    if link.efficiency is not None:
        words.append("η = " + " / ".join(short(each) for each in link.efficiency))
    if link.restitution:
        words.append(f"e = {short(link.restitution)}")
    return " · ".join(words)


def change_words(change: tuple[str, str, str | None], lang: Language) -> str:
    """A joint that a structure changes."""
    body, joint, about = change
    word = f"{body} → {joint_words(joint, None, lang)}"
    return word if about is None else f"{word} {_say('about', 'вокруг', lang)} {about}"


def _range(row: ParameterRow, lang: Language) -> str:
    low = None if row.minimum is None else quantity(row.minimum, row.dimension, lang)
    high = None if row.maximum is None else quantity(row.maximum, row.dimension, lang)
    if low is not None and high is not None:
        return f"{low} … {high}"
    return f"≥ {low}" if low is not None else f"≤ {high}" if high is not None else ""
