"""Motors, programmed motions and states."""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup.schema._choices import CLOCKS, INTERPOLATIONS, STOP_SIDES
from sistel.markup.schema._kinds import CoordinateNumbers, ElementSpec, Flag, Formula, NewName, Numbers, Reference
from sistel.markup.schema._rows import RATIO, RESTITUTION, ZERO, attribute, name, place, quaternion, turn
from sistel.units import ANGULAR_SPEED, CURRENT, INDUCTANCE, INERTIA, RESISTANCE, SPEED, TIME, VOLTAGE

_COORDINATE_VALUES = (
    attribute(
        "of",
        "чего",
        Reference(to=("coordinate",)),
        "Body whose joint is meant, or one coordinate of it: `trunk.x`.",
        "Тело, о сочленении которого речь, или одна его координата: `корпус.x`.",
        required=True,
    ),
    attribute(
        "value",
        "значение",
        CoordinateNumbers(measure="position"),
        "Coordinates of the joint.",
        "Координаты сочленения.",
    ),
    attribute(
        "rate", "скорость", CoordinateNumbers(measure="rate"), "Velocities of the coordinates.", "Скорости координат."
    ),
    place("place", "место", "Spatial free joint: place of the body.", "Пространственная свободная пара: место тела."),
    turn(),
    quaternion(),
    attribute(
        "velocity",
        "движение",
        Numbers(dimension=SPEED, unit="mm/s", size="size3"),
        "Spatial free joint: velocity in the body frame.",
        "Пространственная свободная пара: скорость в осях тела.",
        default=ZERO,
    ),
    attribute(
        "spin",
        "вращение",
        Numbers(dimension=ANGULAR_SPEED, unit="deg/s", size="size3"),
        "Spatial free or spherical joint: angular velocity in the body frame.",
        "Пространственная свободная или шаровая пара: угловая скорость в осях тела.",
        default=ZERO,
    ),
)

MOTOR = ElementSpec(
    key="motor",
    en=("motor",),
    ru=("привод",),
    doc=Text("A motor that drives the joint of the body.", "Привод сочленения тела."),
    attributes=(
        attribute("name", "имя", NewName(), "Name of the motor.", "Имя привода."),
        attribute(
            "of",
            "чего",
            Reference(to=("coordinate",)),
            "Which coordinate, where the joint has several.",
            "Какая координата, если их у сочленения несколько.",
        ),
        attribute(
            "ratio",
            "передача",
            RATIO,
            "Turns of the motor per turn of the joint; for a slide, radians of the motor per metre.",
            "Оборотов двигателя на оборот сочленения; для скольжения — радиан двигателя на метр.",
            default=("1", "1"),
        ),
        attribute(
            "limit",
            "предел",
            CoordinateNumbers(measure="force"),
            "Greatest force or moment at the joint.",
            "Наибольшая сила или момент в сочленении.",
            default=("no limit", "без предела"),
        ),
        attribute(
            "speed",
            "скорость",
            CoordinateNumbers(measure="rate"),
            "Greatest speed of the joint.",
            "Наибольшая скорость сочленения.",
            default=("no limit", "без предела"),
        ),
        attribute(
            "inertia",
            "инерция",
            Numbers(dimension=INERTIA, unit="kg*m^2"),
            "Moment of inertia of the rotor, before the gear.",
            "Момент инерции ротора, до передачи.",
            default=ZERO,
        ),
        attribute(
            "efficiency",
            "КПД",
            RATIO,
            "Efficiency of the gear, 0 to 1.",
            "КПД передачи, от 0 до 1.",
            default=("1", "1"),
        ),
        attribute(
            "voltage",
            "напряжение",
            Numbers(dimension=VOLTAGE, unit="V"),
            "Greatest voltage of an electric motor.",
            "Наибольшее напряжение электродвигателя.",
        ),
        attribute(
            "resistance",
            "сопротивление",
            Numbers(dimension=RESISTANCE, unit="Ohm"),
            "Resistance of the winding.",
            "Сопротивление обмотки.",
        ),
        attribute(
            "inductance",
            "индуктивность",
            Numbers(dimension=INDUCTANCE, unit="H"),
            "Inductance of the winding.",
            "Индуктивность обмотки.",
            default=ZERO,
        ),
        attribute(
            "constant",
            "постоянная",
            Numbers(dimension=VOLTAGE.over(ANGULAR_SPEED), unit="V*s/rad"),
            "Motor constant: moment per current, voltage per speed.",
            "Постоянная двигателя: момент на ток, напряжение на скорость.",
        ),
        attribute(
            "current",
            "ток",
            Numbers(dimension=CURRENT, unit="A"),
            "Greatest current of an electric motor.",
            "Наибольший ток электродвигателя.",
            default=("no limit", "без предела"),
        ),
    ),
    example=Text(
        '<motor name="hip" ratio="100" limit="80 N*m"/>', '<привод имя="бедро" передача="100" предел="80 Н*м"/>'
    ),
)

STOP = ElementSpec(
    key="stop",
    en=("stop",),
    ru=("упор",),
    doc=Text(
        "Makes a limit of the joint a mechanical stop. With a stiffness it is elastic, else rigid.",
        "Делает предел сочленения механическим упором. С жёсткостью — упругим, без неё — жёстким.",
    ),
    attributes=(
        attribute("at", "где", STOP_SIDES, "Which limit.", "Какой предел.", default=("both", "оба")),
        attribute(
            "stiffness", "жёсткость жесткость", CoordinateNumbers(measure="stiffness"), "Stiffness.", "Жёсткость."
        ),
        attribute("damping", "вязкость", CoordinateNumbers(measure="damping"), "Damping.", "Вязкость.", default=ZERO),
        RESTITUTION,
    ),
    example=Text('<stop at="max" restitution="0.3"/>', '<упор где="макс" восстановление="0.3"/>'),
)

MOTION = ElementSpec(
    key="motion",
    en=("motion",),
    ru=("движение",),
    doc=Text(
        "A programmed motion of joint coordinates: a formula, or a table of rows. With gains a motor follows it; without, the joint is forced to.",
        "Программное движение координат: формула или таблица строк. С коэффициентами его отслеживает привод; без них сочленение движется точно так.",
    ),
    attributes=(
        attribute("name", "имя", NewName(), "Name of the motion.", "Имя движения."),
        attribute(
            "of",
            "чего",
            Reference(to=("coordinate",), many=True),
            "Coordinates that move.",
            "Координаты, которые движутся.",
            default=("the joint of the body that it stands in", "сочленение тела, в котором стоит"),
        ),
        attribute(
            "value",
            "значение",
            Formula(measure="position", size="any"),
            "Coordinates as expressions of time, parameters and state.",
            "Координаты как выражения времени, параметров и состояния.",
        ),
        attribute(
            "kp",
            "kp",
            CoordinateNumbers(measure="stiffness"),
            "Gain on the error of position.",
            "Коэффициент при ошибке положения.",
        ),
        attribute(
            "kd",
            "kd",
            CoordinateNumbers(measure="damping"),
            "Gain on the error of speed.",
            "Коэффициент при ошибке скорости.",
        ),
        attribute(
            "structure",
            "структура",
            Reference(to=("structure",), many=True),
            "Structures in which it acts.",
            "Структуры, в которых действует.",
            default=("all", "все"),
        ),
        attribute(
            "interpolation",
            "интерполяция",
            INTERPOLATIONS,
            "How the rows are joined.",
            "Как соединяются строки.",
            default=("cubic", "кубическая"),
        ),
        attribute(
            "repeat",
            "повтор",
            Flag(),
            "Whether the table starts again after its last row.",
            "Начинается ли таблица снова после последней строки.",
            default=("no", "нет"),
        ),
        attribute(
            "since",
            "отсчёт",
            CLOCKS,
            "From when the times of the rows count.",
            "Откуда отсчитывается время строк.",
            default=("zero", "ноль"),
        ),
    ),
    children=("row",),
    example=Text(
        '<motion of="hip, knee"><row time="0" values="0, 0"/><row time="1" values="30, -20"/></motion>',
        '<движение чего="бедро, колено"><строка время="0" значения="0, 0"/><строка время="1" значения="30, -20"/></движение>',
    ),
)

ROW = ElementSpec(
    key="row",
    en=("row",),
    ru=("строка",),
    doc=Text("A row of a table of motion.", "Строка таблицы движения."),
    attributes=(
        attribute("time", "время", Numbers(dimension=TIME, unit="s"), "Time.", "Время.", required=True),
        attribute(
            "values",
            "значения",
            CoordinateNumbers(measure="position"),
            "Coordinates, in the order of `of`.",
            "Координаты в порядке `чего`.",
            required=True,
        ),
    ),
    example=Text('<row time="0.5" values="30, -20"/>', '<строка время="0.5" значения="30, -20"/>'),
)

START = ElementSpec(
    key="start",
    en=("start",),
    ru=("начало",),
    doc=Text(
        'The initial state. Coordinates are attributes named after bodies (`crank="60 deg"`, `crank.rate="90 deg/s"`, `trunk.x="0"`) or `coordinate` elements. The coordinates that it leaves out are 0, and are moved as little as possible where closures demand it.',
        'Начальное состояние. Координаты — атрибуты с именами тел (`кривошип="60 град"`, `кривошип.скорость="90 град/с"`, `корпус.x="0"`) или элементы `координата`. Неназванные координаты равны 0 и сдвигаются как можно меньше, если этого требуют замыкания.',
    ),
    attributes=(
        attribute(
            "structure",
            "структура",
            Reference(to=("structure",)),
            "The structure at the start.",
            "Структура в начале.",
            default=("the first one declared", "первая из объявленных"),
        ),
        attribute(
            "time",
            "время",
            Numbers(dimension=TIME, unit="s"),
            "Time at the start.",
            "Начальный момент времени.",
            default=ZERO,
        ),
    ),
    children=("coordinate",),
    open="coordinates",
    example=Text(
        '<start crank="60 deg" crank.rate="90 deg/s"/>', '<начало кривошип="60 град" кривошип.скорость="90 град/с"/>'
    ),
)

COORDINATE = ElementSpec(
    key="coordinate",
    en=("coordinate",),
    ru=("координата",),
    doc=Text(
        "The state of one joint, where its name cannot be an attribute.",
        "Состояние одного сочленения, если его имя не может быть атрибутом.",
    ),
    attributes=_COORDINATE_VALUES,
    example=Text('<coordinate of="left leg" value="12 deg"/>', '<координата чего="левая нога" значение="12 град"/>'),
)

POSTURE = ElementSpec(
    key="posture",
    en=("posture",),
    ru=("поза",),
    doc=Text("A named set of coordinates.", "Именованный набор координат."),
    attributes=(name(True, "posture", "позы"),),
    children=("coordinate",),
    open="coordinates",
    example=Text('<posture name="home" shoulder="0" elbow="90"/>', '<поза имя="дом" плечо="0" локоть="90"/>'),
)

GROUP = ElementSpec(
    key="group",
    en=("group",),
    ru=("группа",),
    doc=Text("A named group of bodies, such as an arm.", "Именованная группа тел, например рука."),
    attributes=(
        name(True, "group", "группы"),
        attribute("of", "чего", Reference(to=("body",), many=True), "The bodies.", "Тела.", required=True),
    ),
    example=Text('<group name="arm" of="shoulder, elbow, wrist"/>', '<группа имя="рука" чего="плечо, локоть, кисть"/>'),
)
