"""What `sistel orient` tells of orientations and turns: plain data, and the same in lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.errors import Language, Text
from sistel.pose import (
    CODES,
    OCTANTS,
    Rotation,
    axial_group,
    axial_rotation,
    euler_between,
    euler_parameters,
    multiply_codes,
    quarter_turns,
    quaternion,
    rotate,
    say_code,
    turn_between,
)

if TYPE_CHECKING:
    from sistel.plain import JsonObject
    from sistel.pose import Group, Phrase

Row = tuple[Text, str | Sequence[str]]
"""A word, and what stands behind it, in one line or in several."""

_TURNS = {"x+": 15, "x-": 16, "y+": 63, "y-": 53, "z+": 32, "z-": 41}


def shown(number: float) -> str:
    """A number as people read it."""
    text = f"{number:.6g}"
    return "0" if text == "-0" else text


def lines(rows: Sequence[Row], lang: Language) -> str:
    """Rows of words and values below each other."""
    width = max(len(word.say(lang)) for word, _ in rows)
    made = []
    for word, value in rows:
        for place, line in enumerate([value] if isinstance(value, str) else value):
            made.append(f"{'' if place else word.say(lang):{width}}  {line}".rstrip())
    return "\n".join(made) + "\n"


def matrix_lines(R: Rotation) -> list[str]:
    """Three rows, their columns below each other."""
    cells = [[shown(entry) for entry in row] for row in R]
    width = max(len(cell) for row in cells for cell in row)
    return ["  ".join(f"{cell:>{width}}" for cell in row) for row in cells]


def axis_words(parameters: Sequence[int], lang: Language) -> str:
    """Axis and angle."""
    *axis, angle = parameters
    word = Text("axis", "ось").say(lang), Text("angle", "угол").say(lang)
    return f"{word[0]} ({', '.join(map(str, axis))}), {word[1]} {angle}°"


def _turn_data(code: int) -> JsonObject:
    """The numbers of a turn from 13."""
    *axis, angle = euler_parameters(code)
    R = axial_rotation(code)
    return {
        "axis": axis,
        "degrees": angle,
        "quaternion": [part + 0.0 for part in quaternion(R)],
        "matrix": [[entry + 0.0 for entry in row] for row in R],
    }


def step_data(start: int, steps: Sequence[str]) -> list[JsonObject]:
    """Quarter turns one by one, with the code after each."""
    made: list[JsonObject] = []
    for name in steps:
        start = multiply_codes(start, _TURNS[name])
        made.append({"axis": name[0], "degrees": 90 if name[1] == "+" else -90, "code": start})
    return made


def step_lines(steps: Sequence[JsonObject], lang: Language) -> list[str]:
    """Quarter turns in words."""
    if not steps:
        return [Text("none: it is the same", "не нужны: это одно и то же").say(lang)]
    about = Text("about its", "вокруг своей оси").say(lang)
    return [f"{step['degrees']:+d}° {about} {step['axis']} → {step['code']}" for step in steps]


# --- one code --------------------------------------------------------------------------------------------------------


def code_data(code: int, lang: Language) -> JsonObject:
    """Everything about one code."""
    group = axial_group()
    octant, row = next((j, i) for i, codes in enumerate(OCTANTS) for j, each in enumerate(codes) if each == code)
    kin = next(each for each in group.classes() if code in each)
    return {
        "code": code,
        "phrase": say_code(code, lang),
        **_turn_data(code),
        "order": group.order(code),
        "powers": list(group.powers(code)),
        "inverse": group.inverse(code),
        "class": list(kin),
        "octant": octant + 1,
        "row": row + 1,
        "quarter_turns": step_data(13, quarter_turns(13, code)),
    }


def code_text(data: JsonObject, lang: Language) -> str:
    """The same for people."""
    from sistel.views.orientations import say_kind

    code = data["code"]
    back = Text("that many such turns lead back", "столько таких поворотов возвращают назад").say(lang)
    row = Text("row", "строка").say(lang)
    rows: list[Row] = [
        (Text("code", "код"), f"{code} — {data['phrase']}"),
        (Text("Euler parameters", "параметры Эйлера"), axis_words(euler_parameters(code), lang)),
        (Text("quaternion", "кватернион"), ", ".join(map(shown, data["quaternion"]))),
        (Text("matrix", "матрица"), matrix_lines(axial_rotation(code))),
        (Text("order", "порядок"), f"{data['order']} — {back}"),
        (Text("inverse", "обратный"), str(data["inverse"])),
        (Text("powers", "степени"), " → ".join(map(str, data["powers"]))),
        (Text("class", "класс"), f"{say_kind(code, lang)}: {', '.join(map(str, data['class']))}"),
        (Text("octant", "октант"), f"{data['octant']}, {row} {data['row']}"),
        (Text("quarter turns from 13", "четверти оборота из 13"), step_lines(data["quarter_turns"], lang)),
    ]
    return lines(rows, lang)


# --- two codes -------------------------------------------------------------------------------------------------------


def between_data(start: int, end: int, lang: Language) -> JsonObject:
    """The turn from one code to another."""
    code = turn_between(start, end)
    turn = _turn_data(code)
    in_scene = rotate(axial_rotation(start), [float(c) for c in turn["axis"]])
    return {
        "from": {"code": start, "phrase": say_code(start, lang)},
        "to": {"code": end, "phrase": say_code(end, lang)},
        "code": code,
        **turn,
        "axis_in_scene": [int(c) for c in in_scene],
        "quarter_turns": step_data(start, quarter_turns(start, end)),
    }


def between_text(data: JsonObject, lang: Language) -> str:
    """The same for people."""
    start, end = data["from"], data["to"]
    parameters = euler_between(start["code"], end["code"])
    scene = f"({', '.join(map(str, data['axis_in_scene']))})"
    rows: list[Row] = [
        (Text("from", "из"), f"{start['code']} — {start['phrase']}"),
        (Text("to", "в"), f"{end['code']} — {end['phrase']}"),
        (Text("turn", "поворот"), str(data["code"])),
        (Text("Euler parameters", "параметры Эйлера"), axis_words(parameters, lang)),
    ]
    if data["axis_in_scene"] != data["axis"]:
        rows.append((Text("axis in the scene", "ось в сцене"), scene))
    rows += [
        (Text("quaternion", "кватернион"), ", ".join(map(shown, data["quaternion"]))),
        (Text("matrix", "матрица"), matrix_lines(axial_rotation(data["code"]))),
        (Text("quarter turns", "четверти оборота"), step_lines(data["quarter_turns"], lang)),
    ]
    return lines(rows, lang)


def guess_data(phrase: Phrase) -> list[JsonObject]:
    """What was taken for what."""
    return [{"word": word, "taken_for": taken} for word, taken in phrase.guesses]


# --- the table of octants, products ----------------------------------------------------------------------------------


def table_data(lang: Language) -> JsonObject:
    """All 24 codes by octants."""
    return {
        "octants": [
            [
                {
                    "code": code,
                    "phrase": say_code(code, lang),
                    "axis": list(euler_parameters(code)[:3]),
                    "degrees": euler_parameters(code)[3],
                }
                for code in (row[column] for row in OCTANTS)
            ]
            for column in range(len(OCTANTS[0]))
        ]
    }


def product_data(members: Sequence[int] = CODES) -> JsonObject:
    """A table of products."""
    from sistel.views.orientations import products

    return {"elements": list(members), "products": [list(row) for row in products(members)]}


# --- groups ----------------------------------------------------------------------------------------------------------


def group_data(group: Group[int]) -> JsonObject:
    """Orders, classes and subgroups."""
    from sistel.views.orientations import describe_subgroups

    orders = Counter(group.order(each) for each in group.elements)
    return {
        "size": len(group),
        "unit": group.unit,
        "orders": {str(order): count for order, count in sorted(orders.items())},
        "classes": [
            {"order": group.order(members[0]), "members": list(members)}
            for members in sorted(group.classes(), key=lambda members: (group.order(members[0]), len(members)))
        ],
        "subgroups": [
            {
                "name": each.name,
                "order": each.order,
                "class": each.kind + 1,
                "normal": each.normal,
                "generators": list(each.generators),
                "members": list(each.members),
            }
            for each in describe_subgroups(group)
        ],
    }


def group_text(data: JsonObject, lang: Language, width: int) -> str:
    """The same for people."""
    import textwrap

    def say(en: str, ru: str) -> str:
        return ru if lang == "ru" else en

    orders = ", ".join(f"{count} × {order}" for order, count in data["orders"].items())
    made = [
        say(f"{data['size']} elements, unit {data['unit']}", f"элементов {data['size']}, единица {data['unit']}"),
        say(f"orders: {orders} (how many × order)", f"порядки: {orders} (сколько × порядок)"),
        "",
        say("Classes of conjugate elements", "Классы сопряжённых элементов"),
    ]
    for each in data["classes"]:
        head = f"  {say('order', 'порядок')} {each['order']}, {len(each['members']):2d}: "
        made += textwrap.wrap(
            head + " ".join(map(str, each["members"])), width, subsequent_indent=" " * len(head), drop_whitespace=True
        )
    kinds: dict[int, list[JsonObject]] = {}
    for each in data["subgroups"]:
        kinds.setdefault(each["class"], []).append(each)
    made += ["", say(f"{len(data['subgroups'])} subgroups", f"Подгруппы, всего {len(data['subgroups'])}")]
    normal, order = say("normal", "нормальная"), say("order", "порядок")
    for mine in sorted(kinds.values(), key=lambda mine: mine[0]["order"]):
        first = mine[0]
        head = f"  {len(mine):2d} × {first['name']:3} {order} {first['order']:2d}: "
        made_by = " ".join(f"⟨{','.join(map(str, each['generators']))}⟩" for each in mine)
        tail = f" — {normal}" if first["normal"] else ""
        made += textwrap.wrap(
            head + made_by + tail, max(width, 40), subsequent_indent=" " * len(head), break_long_words=False
        )
    made += ["", say("⟨…⟩: what makes a subgroup", "⟨…⟩: образующие подгруппы")]
    return "\n".join(made) + "\n"
