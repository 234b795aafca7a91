"""What prototypes and their fields are called, in Russian as in the paper, and in English."""

from __future__ import annotations

from dataclasses import dataclass

from sistel.errors import Diagnostics, Language, SistelError, Text, one_of

PROTOTYPES = ("body", "gripper", "operations", "arm", "walker")
"""All of them; each may use those before it."""
USES: dict[str, tuple[str, ...]] = {
    "body": (),
    "gripper": ("body",),
    "operations": ("body",),
    "arm": ("body",),
    "walker": ("body", "arm"),
}
"""The prototypes that one is made of."""

NAMES: dict[str, Text] = {
    # the prototypes
    "body": Text("body", "прототипТела"),
    "gripper": Text("gripper", "проСхват"),
    "operations": Text("operations", "проОперации"),
    "arm": Text("arm", "проМР"),
    "walker": Text("walker", "проШМ"),
    # their fields
    "code": Text("code", "код"),
    "place": Text("place", "место"),
    "orientation": Text("orientation", "ориентация"),
    "position": Text("position", "положение"),
    "spread": Text("fingerSpread", "разводПальцев"),
    "keys": Text("pressKeys", "жатьКлавиши"),
    "move": Text("move", "перенос"),
    "turn": Text("turn", "поворот"),
    "transitions": Text("transitions", "переходы"),
    "list": Text("list", "операции"),
    "loads": Text("loads", "грузы"),
    "grippers": Text("grippers", "схваты"),
    "fitted": Text("fitted", "надет"),
    "held": Text("held", "держит"),
    "mode": Text("mode", "режим"),
    "order": Text("order", "порядок"),
    "time": Text("time", "момент"),
    "colour": Text("colour", "цвет"),
    "paint": Text("paint", "окраска"),
    "scale": Text("scale", "деформация"),
    "kind": Text("coordinates", "координаты"),
    "sizes": Text("sizes", "размеры"),
    "joints": Text("joints", "сочленения"),
    "wrist": Text("wrist", "кисть"),
    "reach": Text("reach", "вылет"),
    "thickness": Text("thickness", "толщина"),
    "tool": Text("tool", "инструмент"),
    "end": Text("end", "конец"),
    "legs": Text("legs", "ноги"),
    "feet": Text("feet", "стопы"),
    "stride": Text("stride", "шаг"),
    "lift": Text("lift", "подъём"),
    "cycle": Text("cycle", "цикл"),
    "walk": Text("walk", "шагать"),
    # nodes within
    "Body": Text("Body", "Тело"),
    "Hand": Text("Hand", "Схват"),
    "Upper": Text("UpperFinger", "ВерхнийПалец"),
    "Lower": Text("LowerFinger", "НижнийПалец"),
    "Flange": Text("Flange", "Фланец"),
    "Clock": Text("Clock", "Часы"),
    "Keyboard": Text("Keyboard", "Клавиатура"),
    "Touch": Text("Touch", "Касание"),
    "Reader": Text("Interpreter", "Интерпретатор"),
    "Shapes": Text("Shapes", "Примитивы"),
    "Slide": Text("Slide", "ПлавныйПеренос"),
    "Swing": Text("Swing", "ПлавныйПоворот"),
    "Base": Text("Base", "Основание"),
    "First": Text("First", "Первое"),
    "Second": Text("Second", "Второе"),
    "Third": Text("Third", "Третье"),
    "Last": Text("Wrist", "Кисть"),
    "Holding": Text("Tool", "Инструмент"),
    "Trunk": Text("Trunk", "Корпус"),
    # what the scripts hear
    "tick": Text("onTick", "тик"),
    "click": Text("onClick", "клик"),
    "letter": Text("onLetter", "клавиша"),
    "action": Text("onAction", "действие"),
    "shift": Text("onShift", "сдвиг"),
    "hand": Text("hand", "узелСхвата"),
    "upper": Text("upper", "верхний"),
    "lower": Text("lower", "нижний"),
    "clock": Text("clock", "часы"),
    "touch": Text("touch", "касание"),
    "shapes": Text("shapes", "примитивы"),
    "holder": Text("holder", "узелТела"),
    "flange": Text("flange", "фланец"),
    "slide": Text("slide", "плавныйПеренос"),
    "swing": Text("swing", "плавныйПоворот"),
    "slid": Text("onSlide", "перенесён"),
    "swung": Text("onSwing", "повёрнут"),
    "root": Text("baseNode", "узелОснования"),
    "first": Text("firstNode", "первыйУзел"),
    "second": Text("secondNode", "второйУзел"),
    "third": Text("thirdNode", "третийУзел"),
    "last": Text("wristNode", "узелКисти"),
    "holding": Text("toolNode", "узелИнструмента"),
    "trunk": Text("trunkNode", "узелКорпуса"),
}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a prototype."""

    key: str
    kind: str
    value: str
    """As X3D writes it; empty for none."""
    about: Text
    """What it does, for those who open the file."""


_MOVE = Field(
    "move",
    "MFFloat",
    "0",
    Text(
        "target of the pole: kind of coordinates, coordinates [m, deg]; reached in a second",
        "цель полюса: тип координат, координаты [м, °]; достигается за секунду",
    ),
)
_CODE_EN = "kind of coordinates, kind of orientation, coordinates, parameters [m, deg]"
_CODE_RU = "тип координат, тип ориентации, координаты, параметры [м, °]"

FIELDS: dict[str, tuple[Field, ...]] = {
    "body": (
        Field(
            "code",
            "MFFloat",
            "0",
            Text(
                "for every primitive: kind (1 box, 2 cylinder, 3 cone, 4 sphere, 5 torus), three sizes [m], kind of "
                "coordinates, coordinates, kind of orientation, parameters, red, green, blue, transparency; 0 ends it",
                "для каждого примитива: вид (1 параллелепипед, 2 цилиндр, 3 конус, 4 шар, 5 тор), три размера [м], тип "
                "координат, координаты, тип ориентации, параметры, красный, зелёный, синий, прозрачность; 0 — конец",
            ),
        ),
        Field("colour", "SFColor", "1 1 1", Text("what covers the colours of the code", "чем покрыты цвета кода")),
        Field(
            "paint",
            "SFFloat",
            "0",
            Text(
                "how much of that colour: 0 none, the colours are those of the code, 1 nothing else",
                "сколько этого цвета: 0 — нисколько, цвета как в коде, 1 — только он",
            ),
        ),
        Field("scale", "SFVec3f", "1 1 1", Text("of the whole body along x, y, z", "всего тела вдоль x, y, z")),
    ),
    # The eight of Listing 5 (A. I. Telegin and others, 2025), in its order and with its defaults.
    "gripper": (
        Field("place", "SFVec3f", "0 0 0", Text("of the pole [m]", "декартовы координаты полюса [м]")),
        Field(
            "orientation", "SFRotation", "1 0 0 0", Text("axis and angle [rad]", "параметры Эйлера: ось, угол [рад]")
        ),
        Field(
            "position",
            "MFFloat",
            "0",
            Text(
                f"{_CODE_EN}; taken at once; clicks lead through several of them",
                f"{_CODE_RU}; занимается сразу; через несколько положений ведут щелчки",
            ),
        ),
        Field("spread", "SFFloat", "0", Text("gap between the fingers [m]", "расстояние между пальцами [м]")),
        Field(
            "keys",
            "SFBool",
            "false",
            Text(
                "arrows and page up, down move; x, y, z turn by a quarter, with shift back; two digits are a code; "
                "+ and - open and close; home leads to the centre; space is a click",
                "стрелки, page up и down двигают; x, y, z (ч, н, я) поворачивают на четверть, с shift обратно; "
                "две цифры — код; + и - разводят и сводят пальцы; home — в центр; пробел — щелчок",
            ),
        ),
        _MOVE,
        Field(
            "turn",
            "MFFloat",
            "0",
            Text(
                "target orientation: kind of orientation, parameters [deg]; reached in a second",
                "целевая ориентация: тип ориентации, параметры [°]; достигается за секунду",
            ),
        ),
        Field(
            "transitions",
            "MFFloat",
            "0",
            Text(f"for every pose: time [s], {_CODE_EN}", f"для каждого положения: время [с], {_CODE_RU}"),
        ),
    ),
    "operations": (
        Field(
            "list",
            "MFFloat",
            "0",
            Text(
                "for every operation: time [s], action (0 move, 1 take, 2 release, 3 leave the gripper, 4 fit one), "
                f"number of the load or gripper, gap of the fingers [m], {_CODE_EN}",
                "для каждой операции: время [с], действие (0 перейти, 1 взять, 2 отдать, 3 снять схват, 4 надеть), "
                f"номер груза или схвата, развод пальцев [м], {_CODE_RU}",
            ),
        ),
        Field("loads", "MFNode", "", Text("Transforms, numbered from 1", "узлы Transform, номера с 1")),
        Field(
            "grippers", "MFNode", "", Text("instances of gripper, numbered from 1", "экземпляры проСхват, номера с 1")
        ),
        Field(
            "fitted", "SFInt32", "1", Text("number of the gripper at the flange, or 0", "номер надетого схвата или 0")
        ),
        Field("held", "SFInt32", "0", Text("number of the load in the gripper, or 0", "номер груза в схвате или 0")),
        Field(
            "mode",
            "SFInt32",
            "0",
            Text(
                "0 by the clock, 1 by clicks, 2 computed for the field time",
                "0 — тик: по часам, 1 — клик: по щелчкам, 2 — вычисляемая: для поля момент",
            ),
        ),
        Field(
            "order", "SFInt32", "3", Text("of the polynomial of ways: 3, 4, 5", "степень полинома переходов: 3, 4, 5")
        ),
        Field("time", "SFFloat", "0", Text("since the list began [s]", "от начала списка [с]")),
    ),
    "arm": (
        Field(
            "kind",
            "SFInt32",
            "3",
            Text(
                "0 Cartesian, 1 cylindrical, 2 spherical, 3 angular",
                "0 декартовы, 1 цилиндрические, 2 сферические, 3 ангулярные",
            ),
        ),
        Field(
            "sizes",
            "SFVec3d",
            "0.5 0.6 0.5",
            Text(
                "[m] Cartesian: width, depth, height of the rail; cylindrical: height of the arm that is let down, "
                "length of the arm that is drawn in, height of the column; spherical: height of the shoulder, length "
                "drawn in, length of the beam; angular: height of the shoulder, upper arm, forearm",
                "[м] декартовы: ширина, глубина, высота балки; цилиндрические: высота опущенной руки, длина втянутой, "
                "высота колонны; сферические: высота плеча, длина втянутой, длина балки; ангулярные: высота плеча, "
                "плечо, предплечье",
            ),
        ),
        Field("joints", "SFVec3d", "0 70 -110", Text("three joints [m, deg]", "три сочленения [м, °]")),
        Field(
            "wrist",
            "SFRotation",
            "1 0 0 0",
            Text("turn of the hand from the last link [rad]", "поворот кисти от последнего звена [рад]"),
        ),
        Field("reach", "SFFloat", "0", Text("from the wrist to the pole of the tool [m]", "от кисти до полюса [м]")),
        Field(
            "position",
            "MFFloat",
            "0",
            Text(
                f"of the pole in the frame of the arm, z up: {_CODE_EN}; taken at once",
                f"полюса в системе координат руки, z вверх: {_CODE_RU}; занимается сразу",
            ),
        ),
        _MOVE,
        Field(
            "transitions",
            "MFFloat",
            "0",
            Text(f"for every pose: time [s], {_CODE_EN}", f"для каждого положения: время [с], {_CODE_RU}"),
        ),
        Field("place", "SFVec3f", "0 0 0", Text("of the base [m]", "декартовы координаты основания [м]")),
        Field(
            "orientation",
            "SFRotation",
            "1 0 0 0",
            Text("of the base: axis and angle [rad]", "основания: ось, угол [рад]"),
        ),
        Field("thickness", "SFFloat", "0.09", Text("of the links [m]", "звеньев [м]")),
        Field("tool", "MFNode", "", Text("what the pole carries: an instance of gripper", "что в полюсе: проСхват")),
        Field(
            "end",
            "SFVec3d",
            "0 0 0",
            Text("where the pole is, in the frame of the arm [m]", "где полюс, в системе координат руки [м]"),
        ),
    ),
    "walker": (
        Field(
            "place", "SFVec3f", "0 0 0.4", Text("of the trunk at time 0, z up [m]", "корпуса в момент 0, z вверх [м]")
        ),
        Field(
            "orientation",
            "SFRotation",
            "1 0 0 0",
            Text("of the trunk: axis and angle [rad]", "корпуса: ось, угол [рад]"),
        ),
        Field("sizes", "SFVec3d", "0.7 0.34 0.12", Text("of the trunk [m]", "корпуса [м]")),
        Field(
            "legs",
            "MFNode",
            "",
            Text(
                "instances of arm, angular, placed on the trunk: left and right by turns from the front",
                "экземпляры проМР в ангулярных координатах с местом на корпусе: левая, правая, от передних к задним",
            ),
        ),
        Field(
            "feet",
            "MFVec3d",
            "",
            Text(
                "where feet stand at time 0; by default below [m]", "где стоят стопы в момент 0; иначе — под ногами [м]"
            ),
        ),
        Field("stride", "SFFloat", "0.15", Text("way of the trunk in a cycle [m]", "путь корпуса за цикл [м]")),
        Field("lift", "SFFloat", "0.06", Text("of a foot [m]", "стопы [м]")),
        Field("cycle", "SFFloat", "2", Text("time of a cycle [s]", "время цикла [с]")),
        Field("walk", "SFBool", "false", Text("whether the clock goes on", "идут ли часы")),
        Field("time", "SFFloat", "0", Text("of the gait [s]", "походки [с]")),
    ),
}
"""Interfaces; all fields can be written and read at any time."""


def prototype_names(lang: Language | None = None) -> tuple[str, ...]:
    """What prototypes are called, in one language or in all."""
    wanted: tuple[Language, ...] = (lang,) if lang else ("ru", "en")
    return tuple(say(key, each) for each in wanted for key in PROTOTYPES)


def say(key: str, lang: Language) -> str:
    """A name in a language."""
    return str(NAMES[key].ru if lang == "ru" else NAMES[key].en)


def found(name: str) -> tuple[str, Language]:
    """Which prototype a name means, and in which language its fields are.

    Raises:
        SistelError: There is none of that name.
    """
    for key in PROTOTYPES:
        if name == NAMES[key].ru:
            return key, "ru"
        if name == NAMES[key].en:
            return key, "en"
    diagnostics = Diagnostics()
    message = Text(f'there is no prototype "{name}"', f"нет прототипа «{name}»")
    diagnostics.error("no-prototype", None, message, expected=one_of(list(prototype_names())))
    raise SistelError(diagnostics.sorted())


def prototype_fields() -> dict[str, dict[str, tuple[str, str]]]:
    """The interfaces of all prototypes, by their names in both languages: type and access of every field."""
    languages: tuple[Language, ...] = ("ru", "en")
    return {
        say(key, lang): {say(field.key, lang): (field.kind, "both") for field in FIELDS[key]}
        for lang in languages
        for key in PROTOTYPES
    }
