"""Bodies, their points and frames, and the forces on them."""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup.schema._choices import FORCE_FRAMES, JOINTS
from sistel.markup.schema._kinds import (
    Axis,
    CoordinateNumbers,
    ElementSpec,
    Formula,
    NewName,
    Numbers,
    Reference,
    Whole,
)
from sistel.markup.schema._rows import (
    COLOUR,
    JOINT_FORCES,
    LENGTHS,
    ONE_LENGTH,
    ORIGIN,
    SIDES,
    ZERO,
    attribute,
    name,
    place,
    quaternion,
    turn,
)
from sistel.units import DAMPING, FORCE, INERTIA, MASS, MOMENT, STIFFNESS

_BODY_PARTS = (
    "body",
    "point",
    "frame",
    "shape",
    "box",
    "cylinder",
    "sphere",
    "cone",
    "capsule",
    "mesh",
    "force",
    "moment",
    "motor",
    "stop",
    "motion",
)

BODY = ElementSpec(
    key="body",
    en=("body",),
    ru=("тело",),
    doc=Text(
        "A body and the joint that connects it to its base: the body that it is nested in, or the ground.",
        "Тело и сочленение, которое связывает его с базой: телом, в которое оно вложено, или землёй.",
    ),
    attributes=(
        attribute(
            "number",
            "номер",
            Whole(),
            "Number of the body, from 1.",
            "Номер тела, начиная с 1.",
            default=("subsystem numbering: depth first", "подсистемная нумерация: в глубину"),
        ),
        attribute("name", "имя", NewName(), "Name of the body.", "Имя тела.", default=("its number", "его номер")),
        attribute(
            "base",
            "база",
            Reference(to=("body",)),
            "The base, by name or number, where the body is not nested in it (0 is the ground).",
            "База по имени или номеру, если тело в неё не вложено (0 — земля).",
        ),
        attribute(
            "joint",
            "КП",
            JOINTS,
            "Type of the joint with the base.",
            "Тип кинематической пары с базой.",
            default=("fixed; or given by a joint among the links", "жёсткая; или задана сочленением среди связей"),
        ),
        attribute(
            "joint-name",
            "имя-КП",
            NewName(),
            "Name of the joint.",
            "Имя сочленения.",
            default=("the name of the body", "имя тела"),
        ),
        attribute(
            "place",
            "КПТ место",
            LENGTHS,
            "Pole of the body (the origin of its frame, on the axis of the joint) in the frame of the base, at zero coordinates.",
            "Полюс тела (начало его осей, на оси сочленения) в осях базы при нулевых координатах.",
            default=ORIGIN,
        ),
        turn(),
        quaternion(),
        attribute(
            "axis",
            "ось",
            Axis(),
            "Axis of the joint in the frame of the body.",
            "Ось сочленения в осях тела.",
            default=("z for turns, x for slides", "z для поворотов, x для скольжений"),
        ),
        attribute(
            "axis2",
            "ось2",
            Axis(),
            "Second axis of a universal joint.",
            "Вторая ось универсальной пары.",
            default=("x", "x"),
        ),
        attribute(
            "min",
            "min мин",
            CoordinateNumbers(measure="position"),
            "Least values of the coordinates; for a free joint and ПКП2, of the place of the pole in the base.",
            "Наименьшие значения координат; для СКП и ПКП2 — места полюса в базе (КПТ).",
            en="min",
            default=("no limit", "без предела"),
        ),
        attribute(
            "max",
            "max макс",
            CoordinateNumbers(measure="position"),
            "Greatest values of the coordinates; for a free joint and ПКП2, of the place of the pole in the base.",
            "Наибольшие значения координат; для СКП и ПКП2 — места полюса в базе (КПТ).",
            en="max",
            default=("no limit", "без предела"),
        ),
        attribute(
            "speed",
            "скорость",
            CoordinateNumbers(measure="rate"),
            "Greatest speeds of the coordinates.",
            "Наибольшие скорости координат.",
            default=("no limit", "без предела"),
        ),
        attribute("mass", "масса", Numbers(dimension=MASS, unit="kg"), "Mass.", "Масса.", default=ZERO),
        attribute("com", "ЦМ", LENGTHS, "Centre of mass in the body frame.", "Центр масс в осях тела.", default=ORIGIN),
        attribute(
            "inertia",
            "инерция",
            Numbers(dimension=INERTIA, unit="kg*m^2", size="inertia"),
            "Moment of inertia about the centre of mass. Spatial: one number for a ball, three (Ixx, Iyy, Izz), or six with Ixy, Ixz, Iyz, in the body axes.",
            "Момент инерции относительно центра масс. В пространстве: одно число для шара, три (Ixx, Iyy, Izz) или шесть, с Ixy, Ixz, Iyz, в осях тела.",
            default=ZERO,
        ),
        *JOINT_FORCES,
    ),
    children=_BODY_PARTS,
    example=Text(
        '<body name="rod" joint="revolute" place="0,200" mass="2" com="0,250" inertia="0.04" min="-90" max="90"/>',
        '<тело имя="стержень" КП="ВКП" КПТ="0,200" масса="2" ЦМ="0,250" инерция="0.04" min="-90" max="90"/>',
    ),
)

POINT = ElementSpec(
    key="point",
    en=("point",),
    ru=("точка",),
    doc=Text("A named point fixed in the body.", "Именованная точка, закреплённая в теле."),
    attributes=(
        name(True, "point", "точки"),
        place("place", "место КПТ", "Place in the body frame.", "Место в осях тела."),
        COLOUR,
    ),
    example=Text('<point name="heel" place="-50,80"/>', '<точка имя="пятка" место="-50,80"/>'),
)

FRAME = ElementSpec(
    key="frame",
    en=("frame",),
    ru=("репер",),
    doc=Text(
        "A named frame fixed in the body: a point with axes, such as a tool or a sensor.",
        "Именованная система координат, закреплённая в теле: точка с осями, например инструмент или датчик.",
    ),
    attributes=(
        name(True, "frame", "репера"),
        place("place", "место КПТ", "Origin in the body frame.", "Начало в осях тела."),
        turn(),
        quaternion(),
    ),
    example=Text(
        '<frame name="tool" place="0,120" turn="90"/>', '<репер имя="инструмент" место="0,120" поворот="90"/>'
    ),
)

FORCE_ELEMENT = ElementSpec(
    key="force",
    en=("force",),
    ru=("сила",),
    doc=Text(
        "A force applied to the body; may depend on time, parameters and state.",
        "Сила, приложенная к телу; может зависеть от времени, параметров и состояния.",
    ),
    attributes=(
        attribute("name", "имя", NewName(), "Name of the force.", "Имя силы."),
        attribute(
            "value",
            "значение",
            Formula(dimension=FORCE, unit="N", size="place"),
            "Components.",
            "Проекции.",
            required=True,
        ),
        place("at", "место", "Place of application in the body frame.", "Точка приложения в осях тела."),
        attribute("in", "оси", FORCE_FRAMES, "Axes of the components.", "Оси проекций.", default=("world", "земля")),
    ),
    example=Text('<force value="0, 10*sin(t/1 s)" at="0,500"/>', '<сила значение="0, 10*sin(t/1 с)" место="0,500"/>'),
)

MOMENT_ELEMENT = ElementSpec(
    key="moment",
    en=("moment",),
    ru=("момент",),
    doc=Text(
        "A moment applied to the body; in the plane one number, clockwise.",
        "Момент, приложенный к телу; на плоскости одно число, по часовой стрелке.",
    ),
    attributes=(
        attribute("name", "имя", NewName(), "Name of the moment.", "Имя момента."),
        attribute(
            "value",
            "значение",
            Formula(dimension=MOMENT, unit="N*m", size="any"),
            "One number in the plane, three components in space.",
            "Одно число на плоскости, три проекции в пространстве.",
            required=True,
        ),
        attribute("in", "оси", FORCE_FRAMES, "Axes of the components.", "Оси проекций.", default=("world", "земля")),
    ),
    example=Text('<moment value="0.033"/>', '<момент значение="0.033"/>'),
)

SPRING = ElementSpec(
    key="spring",
    en=("spring",),
    ru=("пружина",),
    doc=Text("A spring with a damper between two points.", "Пружина с демпфером между двумя точками."),
    attributes=(
        attribute("name", "имя", NewName(), "Name of the spring.", "Имя пружины."),
        *SIDES,
        attribute(
            "stiffness",
            "жёсткость жесткость",
            Numbers(dimension=STIFFNESS, unit="N/m"),
            "Stiffness.",
            "Жёсткость.",
            default=ZERO,
        ),
        attribute(
            "damping",
            "вязкость",
            Numbers(dimension=DAMPING, unit="N*s/m"),
            "Damping along the line of the points.",
            "Вязкость вдоль линии точек.",
            default=ZERO,
        ),
        attribute(
            "length", "длина", ONE_LENGTH, "Length of the slack spring.", "Длина ненапряжённой пружины.", default=ZERO
        ),
    ),
    example=Text(
        '<spring body="rod" at="0,300" to="0" at-to="200,0" stiffness="500" length="150"/>',
        '<пружина тело="стержень" место="0,300" к="0" место-к="200,0" жёсткость="500" длина="150"/>',
    ),
)
