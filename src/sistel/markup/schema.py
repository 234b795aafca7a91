"""The one table of XsysTel: every element and attribute, in both languages, with its unit, default and meaning.

The reader, the writer, the translator, the XSD, the reference page and the editor completions all come from here.
To add a word to the language, add a row.
"""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup._choices import CLASSES, FORCE_FRAMES, FRICTIONS, IMPACTS, INTERPOLATIONS, JOINTS, SPACES, STOP_SIDES
from sistel.markup._kinds import (
    AttributeSpec,
    Axis,
    Colour,
    Condition,
    CoordinateNumbers,
    ElementSpec,
    FilePath,
    Flag,
    Formula,
    FreeText,
    Friction,
    Kind,
    NewName,
    Numbers,
    Reference,
    Surface,
    SvgPath,
    UnitWord,
    Whole,
)
from sistel.units import (
    ACCELERATION,
    ANGLE,
    ANGULAR_SPEED,
    DAMPING,
    FORCE,
    INDUCTANCE,
    INERTIA,
    LENGTH,
    MASS,
    MOMENT,
    PLAIN,
    RESISTANCE,
    SPEED,
    STIFFNESS,
    TIME,
    VOLTAGE,
)

VERSION = 1
"""Version of the language; files of an older version keep loading."""


def _attribute(
    key: str,
    ru: str,
    kind: Kind,
    doc_en: str,
    doc_ru: str,
    *,
    en: str = "",
    required: bool = False,
    default: tuple[str, str] | None = None,
) -> AttributeSpec:
    """A row of the table; spellings are separated by blanks, the first is the one that is written."""
    return AttributeSpec(
        key=key,
        en=tuple((en or key).split()),
        ru=tuple(ru.split()),
        kind=kind,
        doc=Text(doc_en, doc_ru),
        required=required,
        default=Text(*default) if default else None,
    )


_LENGTHS = Numbers(dimension=LENGTH, unit="mm", size="place")
_ONE_LENGTH = Numbers(dimension=LENGTH, unit="mm")
_RATIO = Numbers(dimension=PLAIN, unit="")
_ZERO = ("0", "0")
_ORIGIN = ("the origin", "начало координат")


def _place(key: str, ru: str, doc_en: str, doc_ru: str, en: str = "") -> AttributeSpec:
    return _attribute(key, ru, _LENGTHS, doc_en, doc_ru, en=en, default=_ORIGIN)


def _turn(key: str = "turn", ru: str = "поворот") -> AttributeSpec:
    return _attribute(
        key,
        ru,
        Numbers(dimension=ANGLE, unit="deg", size="turn"),
        "Orientation of the axes. Planar: one angle, clockwise. Spatial: three angles about the fixed x, then y, then z "
        "(roll, pitch, yaw); or an axis of any length and an angle about it: x, y, z, angle; or the nine numbers of the matrix, row by row.",
        "Ориентация осей. На плоскости: один угол по часовой стрелке. В пространстве: три угла вокруг неподвижных "
        "осей x, затем y, затем z; или ось любой длины и угол поворота вокруг неё: x, y, z, угол; или девять чисел матрицы по строкам.",
        default=_ZERO,
    )


def _quaternion() -> AttributeSpec:
    return _attribute(
        "quaternion",
        "кватернион",
        Numbers(dimension=PLAIN, unit="", size="quaternion"),
        "Orientation as w, x, y, z instead of `turn`; spatial systems only. It is normalised.",
        "Ориентация как w, x, y, z вместо `поворот`; только для пространственных систем. Нормируется.",
    )


def _name(required: bool, what_en: str, what_ru: str) -> AttributeSpec:
    return _attribute("name", "имя", NewName(), f"Name of the {what_en}.", f"Имя {what_ru}.", required=required)


_COLOUR = _attribute(
    "colour",
    "цвет",
    Colour(),
    "A CSS colour word or #rrggbb.",
    "Цвет: слово CSS или #rrggbb.",
    en="colour color",
    default=("by the style of the picture", "по стилю рисунка"),
)

_PRIMITIVE = (
    _place("place", "место КПТ", "Centre of the shape in the body frame.", "Центр фигуры в осях тела."),
    _turn(),
    _quaternion(),
    _COLOUR,
)

_ROUND = (
    _attribute("radius", "радиус", _ONE_LENGTH, "Radius.", "Радиус.", required=True),
    _attribute("length", "длина", _ONE_LENGTH, "Length along z.", "Длина вдоль оси z.", required=True),
)

_IMPACT = _attribute(
    "impact",
    "удар",
    IMPACTS,
    "What happens to velocities when a link begins to hold.",
    "Что происходит со скоростями, когда связь начинает держать.",
    default=(
        "plastic where links are added, none where they are only released",
        "пластический, если связи добавляются; нет, если только снимаются",
    ),
)
_RESTITUTION = _attribute(
    "restitution",
    "восстановление",
    _RATIO,
    "Coefficient of restitution, 0 to 1.",
    "Коэффициент восстановления, от 0 до 1.",
    default=_ZERO,
)

_SIDES = (
    _attribute("body", "тело", Reference(to=("body",)), "First body.", "Первое тело."),
    _place("at", "место", "Place of the link in the first body's frame.", "Место связи в осях первого тела."),
    _attribute(
        "point",
        "точка",
        Reference(to=("point", "frame")),
        "A named point or frame instead of `body` and `at`.",
        "Именованная точка или репер вместо `тело` и `место`.",
    ),
    _attribute(
        "to",
        "к",
        Reference(to=("body",)),
        "Second body; 0 is the ground.",
        "Второе тело; 0 — земля.",
        default=("the ground", "земля"),
    ),
    _place("at-to", "место-к", "Place of the link in the second body's frame.", "Место связи в осях второго тела."),
    _attribute(
        "point-to",
        "точка-к",
        Reference(to=("point", "frame")),
        "A named point or frame instead of `to` and `at-to`.",
        "Именованная точка или репер вместо `к` и `место-к`.",
    ),
)

_SPATIAL_SIDES = (
    _attribute(
        "axis",
        "ось",
        Axis(),
        "Axis of the joint in the first body's frame.",
        "Ось пары в осях первого тела.",
        default=("z; x for slides", "z; для скольжений x"),
    ),
    _attribute(
        "axis2",
        "ось2",
        Axis(),
        "Second axis of a universal joint, in the second body's frame; the angle that the two axes make when the frames of the ends coincide is kept.",
        "Вторая ось универсальной пары в осях второго тела; угол, который оси образуют при совпадении осей концов, сохраняется.",
        default=("x", "x"),
    ),
    _turn("turn", "поворот"),
    _turn("turn-to", "поворот-к"),
)

_HOLDS = _attribute(
    "holds",
    "держит",
    Flag(),
    "Whether it holds in every structure; `no` means only in the structures that name it.",
    "Держит ли во всех структурах; `нет` — только в структурах, которые её называют.",
)

_JOINT_FORCES = (
    _attribute(
        "stiffness",
        "жёсткость жесткость",
        CoordinateNumbers(measure="stiffness"),
        "Spring at the joint.",
        "Пружина в сочленении.",
        default=_ZERO,
    ),
    _attribute(
        "rest",
        "покой",
        CoordinateNumbers(measure="position"),
        "Coordinate at which the spring at the joint is slack.",
        "Координата, при которой пружина в сочленении не напряжена.",
        default=_ZERO,
    ),
    _attribute(
        "damping",
        "вязкость",
        CoordinateNumbers(measure="damping"),
        "Viscous friction at the joint.",
        "Вязкое трение в сочленении.",
        default=_ZERO,
    ),
    _attribute(
        "friction",
        "трение",
        CoordinateNumbers(measure="force"),
        "Dry friction at the joint (force or moment while sliding). A value in units of damping counts as `damping`.",
        "Сухое трение в сочленении (сила или момент при скольжении). Значение в единицах вязкости считается вязкостью.",
        default=_ZERO,
    ),
)

_COORDINATE_VALUES = (
    _attribute(
        "of",
        "чего",
        Reference(to=("coordinate",)),
        "Body whose joint is meant, or one coordinate of it: `trunk.x`.",
        "Тело, о сочленении которого речь, или одна его координата: `корпус.x`.",
        required=True,
    ),
    _attribute(
        "value",
        "значение",
        CoordinateNumbers(measure="position"),
        "Coordinates of the joint.",
        "Координаты сочленения.",
    ),
    _attribute(
        "rate", "скорость", CoordinateNumbers(measure="rate"), "Velocities of the coordinates.", "Скорости координат."
    ),
    _place("place", "место", "Spatial free joint: place of the body.", "Пространственная свободная пара: место тела."),
    _turn(),
    _quaternion(),
    _attribute(
        "velocity",
        "движение",
        Numbers(dimension=SPEED, unit="mm/s", size="size3"),
        "Spatial free joint: velocity in the body frame.",
        "Пространственная свободная пара: скорость в осях тела.",
        default=_ZERO,
    ),
    _attribute(
        "spin",
        "вращение",
        Numbers(dimension=ANGULAR_SPEED, unit="deg/s", size="size3"),
        "Spatial free or spherical joint: angular velocity in the body frame.",
        "Пространственная свободная или шаровая пара: угловая скорость в осях тела.",
        default=_ZERO,
    ),
)

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

SYSTEM = ElementSpec(
    key="system",
    en=("system",),
    ru=("системаТел",),
    doc=Text("The whole system of bodies: the root of a file.", "Вся система тел: корень файла."),
    attributes=(
        _attribute(
            "name",
            "имя",
            FreeText(),
            "Name of the system.",
            "Имя системы.",
            default=("the name of the file", "имя файла"),
        ),
        _attribute(
            "class",
            "класс",
            CLASSES,
            "Structural class as the author sees it; a different computed class is a warning.",
            "Структурный класс по мнению автора; если вычисленный другой, выдаётся предупреждение.",
        ),
        _attribute(
            "space",
            "вид",
            SPACES,
            "Whether bodies move in a plane or in space.",
            "Движутся ли тела на плоскости или в пространстве.",
            default=("planar", "плоская"),
        ),
        _attribute(
            "version",
            "версия",
            Whole(),
            "Version of the language that the file is written in.",
            "Версия языка, на котором написан файл.",
            default=("1", "1"),
        ),
        _attribute("about", "описание", FreeText(), "A sentence for people.", "Предложение для людей."),
    ),
    children=(
        "parameter",
        "gravity",
        "body",
        "include",
        "point",
        "frame",
        "shape",
        "box",
        "cylinder",
        "sphere",
        "cone",
        "capsule",
        "mesh",
        "spring",
        "motion",
        "links",
        "start",
        "posture",
        "group",
    ),
    example=Text(
        '<system name="pendulum"><body joint="revolute" mass="1" com="0,500"/></system>',
        '<системаТел имя="маятник"><тело КП="ВКП" масса="1" ЦМ="0,500"/></системаТел>',
    ),
)

PARAMETER = ElementSpec(
    key="parameter",
    en=("parameter",),
    ru=("параметр",),
    doc=Text("A named number that expressions may use.", "Именованное число, которое можно использовать в выражениях."),
    attributes=(
        _name(True, "parameter", "параметра"),
        _attribute(
            "value",
            "значение",
            Numbers(dimension=PLAIN, unit=""),
            "A number, with its unit if it has one; may use earlier parameters.",
            "Число, если нужно — с единицей; может использовать другие параметры.",
            required=True,
        ),
        _attribute(
            "unit", "ед единица", UnitWord(), "Unit of a plain `value`.", "Единица, если `значение` — просто число."
        ),
        _attribute(
            "min",
            "min",
            Numbers(dimension=PLAIN, unit=""),
            "Least value a slider should offer.",
            "Наименьшее значение для ползунка.",
        ),
        _attribute(
            "max",
            "max",
            Numbers(dimension=PLAIN, unit=""),
            "Greatest value a slider should offer.",
            "Наибольшее значение для ползунка.",
        ),
        _attribute("about", "описание", FreeText(), "A sentence for people.", "Предложение для людей."),
    ),
    example=Text('<parameter name="l" value="500 mm"/>', '<параметр имя="l" значение="0.5" ед="м"/>'),
)

GRAVITY = ElementSpec(
    key="gravity",
    en=("gravity",),
    ru=("тяжесть",),
    doc=Text(
        "The field of gravity. Without this element it is 9.81 m/s², along +y in the plane and -z in space.",
        "Поле тяжести. Без этого элемента: 9.81 м/с², вдоль +y на плоскости и −z в пространстве.",
    ),
    attributes=(
        _attribute(
            "value",
            "значение",
            Numbers(dimension=ACCELERATION, unit="m/s^2"),
            "Acceleration of free fall.",
            "Ускорение свободного падения.",
            default=("9.81 m/s^2", "9.81 м/с^2"),
        ),
        _attribute(
            "along",
            "вдоль",
            Numbers(dimension=PLAIN, unit="", size="direction"),
            "Direction; its length does not matter.",
            "Направление; длина вектора не важна.",
            default=("0,1 in the plane; 0,0,-1 in space", "0,1 на плоскости; 0,0,-1 в пространстве"),
        ),
    ),
    example=Text('<gravity value="1.62 m/s^2"/>', '<тяжесть значение="1.62 м/с^2"/>'),
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
        _attribute(
            "number",
            "номер",
            Whole(),
            "Number of the body, from 1.",
            "Номер тела, начиная с 1.",
            default=("subsystem numbering: depth first", "подсистемная нумерация: в глубину"),
        ),
        _attribute("name", "имя", NewName(), "Name of the body.", "Имя тела.", default=("its number", "его номер")),
        _attribute(
            "base",
            "база",
            Reference(to=("body",)),
            "The base, by name or number, where the body is not nested in it (0 is the ground).",
            "База по имени или номеру, если тело в неё не вложено (0 — земля).",
        ),
        _attribute(
            "joint",
            "КП",
            JOINTS,
            "Type of the joint with the base.",
            "Тип кинематической пары с базой.",
            default=("fixed; or given by a joint among the links", "жёсткая; или задана сочленением среди связей"),
        ),
        _attribute(
            "joint-name",
            "имя-КП",
            NewName(),
            "Name of the joint.",
            "Имя сочленения.",
            default=("the name of the body", "имя тела"),
        ),
        _attribute(
            "place",
            "КПТ место",
            _LENGTHS,
            "Pole of the body (the origin of its frame, on the axis of the joint) in the frame of the base, at zero coordinates.",
            "Полюс тела (начало его осей, на оси сочленения) в осях базы при нулевых координатах.",
            default=_ORIGIN,
        ),
        _turn(),
        _quaternion(),
        _attribute(
            "axis",
            "ось",
            Axis(),
            "Axis of the joint in the frame of the body.",
            "Ось сочленения в осях тела.",
            default=("z for turns, x for slides", "z для поворотов, x для скольжений"),
        ),
        _attribute(
            "axis2",
            "ось2",
            Axis(),
            "Second axis of a universal joint.",
            "Вторая ось универсальной пары.",
            default=("x", "x"),
        ),
        _attribute(
            "min",
            "min мин",
            CoordinateNumbers(measure="position"),
            "Least values of the coordinates; for a free joint and ПКП2, of the place of the pole in the base.",
            "Наименьшие значения координат; для СКП и ПКП2 — места полюса в базе (КПТ).",
            en="min",
            default=("no limit", "без предела"),
        ),
        _attribute(
            "max",
            "max макс",
            CoordinateNumbers(measure="position"),
            "Greatest values of the coordinates; for a free joint and ПКП2, of the place of the pole in the base.",
            "Наибольшие значения координат; для СКП и ПКП2 — места полюса в базе (КПТ).",
            en="max",
            default=("no limit", "без предела"),
        ),
        _attribute(
            "speed",
            "скорость",
            CoordinateNumbers(measure="rate"),
            "Greatest speeds of the coordinates.",
            "Наибольшие скорости координат.",
            default=("no limit", "без предела"),
        ),
        _attribute("mass", "масса", Numbers(dimension=MASS, unit="kg"), "Mass.", "Масса.", default=_ZERO),
        _attribute(
            "com", "ЦМ", _LENGTHS, "Centre of mass in the body frame.", "Центр масс в осях тела.", default=_ORIGIN
        ),
        _attribute(
            "inertia",
            "инерция",
            Numbers(dimension=INERTIA, unit="kg*m^2", size="inertia"),
            "Moment of inertia about the centre of mass. Spatial: one number for a ball, three (Ixx, Iyy, Izz), or six with Ixy, Ixz, Iyz, in the body axes.",
            "Момент инерции относительно центра масс. В пространстве: одно число для шара, три (Ixx, Iyy, Izz) или шесть, с Ixy, Ixz, Iyz, в осях тела.",
            default=_ZERO,
        ),
        *_JOINT_FORCES,
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
        _name(True, "point", "точки"),
        _place("place", "место КПТ", "Place in the body frame.", "Место в осях тела."),
        _COLOUR,
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
        _name(True, "frame", "репера"),
        _place("place", "место КПТ", "Origin in the body frame.", "Начало в осях тела."),
        _turn(),
        _quaternion(),
    ),
    example=Text(
        '<frame name="tool" place="0,120" turn="90"/>', '<репер имя="инструмент" место="0,120" поворот="90"/>'
    ),
)

SHAPE = ElementSpec(
    key="shape",
    en=("shape",),
    ru=("форма",),
    doc=Text(
        "How a planar body looks: an SVG path in the body frame, in millimetres.",
        "Как выглядит плоское тело: путь SVG в осях тела, в миллиметрах.",
    ),
    attributes=(
        _attribute("d", "d", SvgPath(), "Path data.", "Описание пути.", required=True),
        _place("place", "место КПТ", "Where the origin of the path sits.", "Где находится начало пути."),
        _turn(),
        _COLOUR,
    ),
    example=Text('<shape d="m-100,-50h200v100h-200z"/>', '<форма d="m-100,-50h200v100h-200z"/>'),
)

BOX = ElementSpec(
    key="box",
    en=("box",),
    ru=("коробка", "параллелепипед"),
    doc=Text("A box.", "Прямоугольный параллелепипед."),
    attributes=(
        _attribute(
            "size",
            "размеры размер",
            Numbers(dimension=LENGTH, unit="mm", size="size3"),
            "Lengths of the edges along x, y, z.",
            "Длины рёбер вдоль x, y, z.",
            required=True,
        ),
        *_PRIMITIVE,
    ),
    example=Text('<box size="100, 60, 20"/>', '<коробка размеры="100, 60, 20"/>'),
)
CYLINDER = ElementSpec(
    key="cylinder",
    en=("cylinder",),
    ru=("цилиндр",),
    doc=Text("A cylinder along z, its centre at `place`.", "Цилиндр вдоль z с центром в `место`."),
    attributes=(*_ROUND, *_PRIMITIVE),
    example=Text('<cylinder radius="40" length="300"/>', '<цилиндр радиус="40" длина="300"/>'),
)
SPHERE = ElementSpec(
    key="sphere",
    en=("sphere",),
    ru=("шар", "сфера"),
    doc=Text("A ball.", "Шар."),
    attributes=(_attribute("radius", "радиус", _ONE_LENGTH, "Radius.", "Радиус.", required=True), *_PRIMITIVE),
    example=Text('<sphere radius="30"/>', '<шар радиус="30"/>'),
)
CONE = ElementSpec(
    key="cone",
    en=("cone",),
    ru=("конус",),
    doc=Text(
        "A cone along z, apex up, its middle height at `place`.",
        "Конус вдоль z вершиной вверх, середина высоты в `место`.",
    ),
    attributes=(*_ROUND, *_PRIMITIVE),
    example=Text('<cone radius="30" length="80"/>', '<конус радиус="30" длина="80"/>'),
)
CAPSULE = ElementSpec(
    key="capsule",
    en=("capsule",),
    ru=("капсула",),
    doc=Text(
        "A cylinder along z with round ends; `length` is that of the cylinder.",
        "Цилиндр вдоль z с полушариями на концах; `длина` — длина цилиндра.",
    ),
    attributes=(*_ROUND, *_PRIMITIVE),
    example=Text('<capsule radius="30" length="80"/>', '<капсула радиус="30" длина="80"/>'),
)
MESH = ElementSpec(
    key="mesh",
    en=("mesh",),
    ru=("сетка",),
    doc=Text("A surface from a file (STL, OBJ, DAE, glTF).", "Поверхность из файла (STL, OBJ, DAE, glTF)."),
    attributes=(
        _attribute(
            "file", "файл", FilePath(), "The file, relative to this one.", "Файл относительно этого.", required=True
        ),
        _attribute(
            "scale",
            "масштаб",
            Numbers(dimension=PLAIN, unit="", size="any"),
            "Factors along x, y, z; the file is in metres.",
            "Множители вдоль x, y, z; файл в метрах.",
            default=("1", "1"),
        ),
        *_PRIMITIVE,
    ),
    example=Text('<mesh file="hand.stl" scale="0.001"/>', '<сетка файл="кисть.stl" масштаб="0.001"/>'),
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
        _attribute("name", "имя", NewName(), "Name of the force.", "Имя силы."),
        _attribute(
            "value",
            "значение",
            Formula(dimension=FORCE, unit="N", size="place"),
            "Components.",
            "Проекции.",
            required=True,
        ),
        _place("at", "место", "Place of application in the body frame.", "Точка приложения в осях тела."),
        _attribute("in", "оси", FORCE_FRAMES, "Axes of the components.", "Оси проекций.", default=("world", "земля")),
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
        _attribute("name", "имя", NewName(), "Name of the moment.", "Имя момента."),
        _attribute(
            "value",
            "значение",
            Formula(dimension=MOMENT, unit="N*m", size="any"),
            "One number in the plane, three components in space.",
            "Одно число на плоскости, три проекции в пространстве.",
            required=True,
        ),
        _attribute("in", "оси", FORCE_FRAMES, "Axes of the components.", "Оси проекций.", default=("world", "земля")),
    ),
    example=Text('<moment value="0.033"/>', '<момент значение="0.033"/>'),
)
SPRING = ElementSpec(
    key="spring",
    en=("spring",),
    ru=("пружина",),
    doc=Text("A spring with a damper between two points.", "Пружина с демпфером между двумя точками."),
    attributes=(
        _attribute("name", "имя", NewName(), "Name of the spring.", "Имя пружины."),
        *_SIDES,
        _attribute(
            "stiffness",
            "жёсткость жесткость",
            Numbers(dimension=STIFFNESS, unit="N/m"),
            "Stiffness.",
            "Жёсткость.",
            default=_ZERO,
        ),
        _attribute(
            "damping",
            "вязкость",
            Numbers(dimension=DAMPING, unit="N*s/m"),
            "Damping along the line of the points.",
            "Вязкость вдоль линии точек.",
            default=_ZERO,
        ),
        _attribute(
            "length", "длина", _ONE_LENGTH, "Length of the slack spring.", "Длина ненапряжённой пружины.", default=_ZERO
        ),
    ),
    example=Text(
        '<spring body="rod" at="0,300" to="0" at-to="200,0" stiffness="500" length="150"/>',
        '<пружина тело="стержень" место="0,300" к="0" место-к="200,0" жёсткость="500" длина="150"/>',
    ),
)
MOTOR = ElementSpec(
    key="motor",
    en=("motor",),
    ru=("привод",),
    doc=Text("A motor that drives the joint of the body.", "Привод сочленения тела."),
    attributes=(
        _attribute("name", "имя", NewName(), "Name of the motor.", "Имя привода."),
        _attribute(
            "of",
            "чего",
            Reference(to=("coordinate",)),
            "Which coordinate, where the joint has several.",
            "Какая координата, если их у сочленения несколько.",
        ),
        _attribute(
            "ratio",
            "передача",
            _RATIO,
            "Turns of the motor per turn of the joint; for a slide, radians of the motor per metre.",
            "Оборотов двигателя на оборот сочленения; для скольжения — радиан двигателя на метр.",
            default=("1", "1"),
        ),
        _attribute(
            "limit",
            "предел",
            CoordinateNumbers(measure="force"),
            "Greatest force or moment at the joint.",
            "Наибольшая сила или момент в сочленении.",
            default=("no limit", "без предела"),
        ),
        _attribute(
            "speed",
            "скорость",
            CoordinateNumbers(measure="rate"),
            "Greatest speed of the joint.",
            "Наибольшая скорость сочленения.",
            default=("no limit", "без предела"),
        ),
        _attribute(
            "inertia",
            "инерция",
            Numbers(dimension=INERTIA, unit="kg*m^2"),
            "Moment of inertia of the rotor, before the gear.",
            "Момент инерции ротора, до передачи.",
            default=_ZERO,
        ),
        _attribute(
            "efficiency",
            "КПД",
            _RATIO,
            "Efficiency of the gear, 0 to 1.",
            "КПД передачи, от 0 до 1.",
            default=("1", "1"),
        ),
        _attribute(
            "voltage",
            "напряжение",
            Numbers(dimension=VOLTAGE, unit="V"),
            "Greatest voltage of an electric motor.",
            "Наибольшее напряжение электродвигателя.",
        ),
        _attribute(
            "resistance",
            "сопротивление",
            Numbers(dimension=RESISTANCE, unit="Ohm"),
            "Resistance of the winding.",
            "Сопротивление обмотки.",
        ),
        _attribute(
            "inductance",
            "индуктивность",
            Numbers(dimension=INDUCTANCE, unit="H"),
            "Inductance of the winding.",
            "Индуктивность обмотки.",
            default=_ZERO,
        ),
        _attribute(
            "constant",
            "постоянная",
            Numbers(dimension=VOLTAGE.over(ANGULAR_SPEED), unit="V*s/rad"),
            "Motor constant: moment per current, voltage per speed.",
            "Постоянная двигателя: момент на ток, напряжение на скорость.",
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
        _attribute("at", "где", STOP_SIDES, "Which limit.", "Какой предел.", default=("both", "оба")),
        _attribute(
            "stiffness", "жёсткость жесткость", CoordinateNumbers(measure="stiffness"), "Stiffness.", "Жёсткость."
        ),
        _attribute("damping", "вязкость", CoordinateNumbers(measure="damping"), "Damping.", "Вязкость.", default=_ZERO),
        _RESTITUTION,
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
        _attribute("name", "имя", NewName(), "Name of the motion.", "Имя движения."),
        _attribute(
            "of",
            "чего",
            Reference(to=("coordinate",), many=True),
            "Coordinates that move.",
            "Координаты, которые движутся.",
            default=("the joint of the body that it stands in", "сочленение тела, в котором стоит"),
        ),
        _attribute(
            "value",
            "значение",
            Formula(measure="position", size="any"),
            "Coordinates as expressions of time, parameters and state.",
            "Координаты как выражения времени, параметров и состояния.",
        ),
        _attribute(
            "kp",
            "kp",
            CoordinateNumbers(measure="stiffness"),
            "Gain on the error of position.",
            "Коэффициент при ошибке положения.",
        ),
        _attribute(
            "kd",
            "kd",
            CoordinateNumbers(measure="damping"),
            "Gain on the error of speed.",
            "Коэффициент при ошибке скорости.",
        ),
        _attribute(
            "structure",
            "структура",
            Reference(to=("structure",), many=True),
            "Structures in which it acts.",
            "Структуры, в которых действует.",
            default=("all", "все"),
        ),
        _attribute(
            "interpolation",
            "интерполяция",
            INTERPOLATIONS,
            "How the rows are joined.",
            "Как соединяются строки.",
            default=("cubic", "кубическая"),
        ),
        _attribute(
            "repeat",
            "повтор",
            Flag(),
            "Whether the table starts again after its last row.",
            "Начинается ли таблица снова после последней строки.",
            default=("no", "нет"),
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
        _attribute("time", "время", Numbers(dimension=TIME, unit="s"), "Time.", "Время.", required=True),
        _attribute(
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
        _attribute(
            "structure",
            "структура",
            Reference(to=("structure",)),
            "The structure at the start.",
            "Структура в начале.",
            default=("the first one declared", "первая из объявленных"),
        ),
        _attribute(
            "time",
            "время",
            Numbers(dimension=TIME, unit="s"),
            "Time at the start.",
            "Начальный момент времени.",
            default=_ZERO,
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
    attributes=(_name(True, "posture", "позы"),),
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
        _name(True, "group", "группы"),
        _attribute("of", "чего", Reference(to=("body",), many=True), "The bodies.", "Тела.", required=True),
    ),
    example=Text('<group name="arm" of="shoulder, elbow, wrist"/>', '<группа имя="рука" чего="плечо, локоть, кисть"/>'),
)
INCLUDE = ElementSpec(
    key="include",
    en=("include",),
    ru=("включить",),
    doc=Text(
        "Another file as a sub-assembly. What it calls its ground (0, and the points and shapes outside its bodies) becomes the given place of the base; the surfaces of its contacts stay on the real ground. Its start holds where this file says nothing else.",
        "Другой файл как подсборка. То, что в нём названо землёй (0, точки и формы вне тел), становится заданным местом базы; поверхности его контактов остаются на настоящей земле. Его начальное состояние действует, если этот файл не говорит иного.",
    ),
    attributes=(
        _attribute(
            "file", "файл", FilePath(), "The file, relative to this one.", "Файл относительно этого.", required=True
        ),
        _attribute(
            "prefix",
            "приставка",
            FreeText(),
            "Put before every name of the sub-assembly.",
            "Ставится перед каждым именем подсборки.",
        ),
        _attribute(
            "base",
            "база",
            Reference(to=("body",)),
            "Body that carries it.",
            "Тело, которое её несёт.",
            default=("the ground", "земля"),
        ),
        _place(
            "place",
            "КПТ место",
            "Where its ground sits in the frame of the base.",
            "Где находится её земля в осях базы.",
        ),
        _turn(),
        _quaternion(),
    ),
    children=("parameter",),
    example=Text(
        '<include file="leg.xml" prefix="left " base="trunk"/>',
        '<включить файл="нога.xml" приставка="левая " база="корпус"/>',
    ),
)
LINKS = ElementSpec(
    key="links",
    en=("links",),
    ru=("связи",),
    doc=Text(
        "What the tree of bodies does not say: cut joints, contacts, locks, the structures of the system and the transitions between them.",
        "То, чего не говорит дерево тел: разорванные сочленения, контакты, замки, структуры системы и переходы между ними.",
    ),
    attributes=(),
    children=("joint", "closure", "contact", "lock", "coupling", "structure", "transition"),
    example=Text(
        '<links><closure name="B" joint="revolute" body="coupler" at="500,0" to="rocker" at-to="300,0"/></links>',
        '<связи><замыкание имя="B" КП="ВКП" тело="шатун" место="500,0" к="коромысло" место-к="300,0"/></связи>',
    ),
)
JOINT = ElementSpec(
    key="joint",
    en=("joint",),
    ru=("сочленение",),
    doc=Text(
        "A joint of two bodies in a description without nesting. Where such joints form loops, sistel finds them and cuts them itself.",
        "Сочленение двух тел в описании без вложенности. Если такие сочленения образуют циклы, система находит и разрывает их сама.",
    ),
    attributes=(
        _name(True, "joint", "сочленения"),
        _attribute("joint", "КП", JOINTS, "Type.", "Тип.", default=("revolute", "ВКП")),
        *_SIDES,
        *_SPATIAL_SIDES,
        _attribute(
            "min",
            "min мин",
            CoordinateNumbers(measure="position"),
            "Least values of the coordinates.",
            "Наименьшие значения координат.",
        ),
        _attribute(
            "max",
            "max макс",
            CoordinateNumbers(measure="position"),
            "Greatest values of the coordinates.",
            "Наибольшие значения координат.",
        ),
        *_JOINT_FORCES,
    ),
    example=Text(
        '<joint name="A" body="crank" at="200,0" to="coupler" at-to="0,0"/>',
        '<сочленение имя="A" тело="кривошип" место="200,0" к="шатун" место-к="0,0"/>',
    ),
)
CLOSURE = ElementSpec(
    key="closure",
    en=("closure", "cut"),
    ru=("замыкание", "разрыв"),
    doc=Text("A cut joint, which closes a loop of the tree.", "Разорванное сочленение, замыкающее цикл дерева."),
    attributes=(
        _name(True, "closure", "замыкания"),
        _attribute(
            "joint", "КП", JOINTS, "Type of the cut joint.", "Тип разорванного сочленения.", default=("revolute", "ВКП")
        ),
        *_SIDES,
        *_SPATIAL_SIDES,
        _HOLDS,
    ),
    example=Text(
        '<closure name="B" joint="revolute" body="coupler" at="500,0" to="rocker" at-to="300,0"/>',
        '<замыкание имя="B" КП="ВКП" тело="шатун" место="500,0" к="коромысло" место-к="300,0"/>',
    ),
)
CONTACT = ElementSpec(
    key="contact",
    en=("contact",),
    ru=("контакт",),
    doc=Text(
        "A point that may rest on a surface. The gap is the difference of the two sides of the equation, the distance to the surface where it is a line or plane with a unit normal; it is positive on the free side: the side that an inequality names, or the side away from gravity for an equation.",
        "Точка, которая может опираться на поверхность. Зазор — разность сторон уравнения (для прямой или плоскости с единичной нормалью — расстояние до неё), положительная со свободной стороны: её называет неравенство, а для уравнения это сторона против тяжести.",
    ),
    attributes=(
        _name(True, "contact", "контакта"),
        _attribute("point", "точка", Reference(to=("point", "frame")), "The point.", "Точка.", required=True),
        _attribute(
            "surface",
            "поверхность",
            Surface(),
            "Equation or inequality in x, y (and z); lengths in mm unless units are written.",
            "Уравнение или неравенство в x, y (и z); длины в мм, если единицы не указаны.",
            required=True,
        ),
        _attribute(
            "on",
            "на",
            Reference(to=("body",)),
            "Body whose frame the surface is in.",
            "Тело, в осях которого задана поверхность.",
            default=("the ground", "земля"),
        ),
        _attribute(
            "friction",
            "трение",
            Friction(words=FRICTIONS),
            "stick, none, or a coefficient.",
            "сцепление, нет или коэффициент.",
            default=("stick", "сцепление"),
        ),
        _IMPACT,
        _RESTITUTION,
    ),
    example=Text(
        '<contact name="L" point="left foot" surface="y = 0" friction="0.8"/>',
        '<контакт имя="Л" точка="стопа_л" поверхность="y = 0" трение="0.8"/>',
    ),
)
LOCK = ElementSpec(
    key="lock",
    en=("lock",),
    ru=("замок",),
    doc=Text(
        "Holds a joint still, or holds two bodies together as they are when the lock closes.",
        "Держит сочленение неподвижным или держит два тела вместе так, как застал их.",
    ),
    attributes=(
        _name(True, "lock", "замка"),
        _attribute(
            "of",
            "чего",
            Reference(to=("coordinate",), many=True),
            "Coordinates that are held.",
            "Координаты, которые держит.",
        ),
        _attribute("body", "тело", Reference(to=("body",)), "A body held to `to`.", "Тело, которое держится за `к`."),
        _attribute(
            "to",
            "к",
            Reference(to=("body",)),
            "The body that holds it; 0 is the ground.",
            "Тело, которое его держит; 0 — земля.",
        ),
        _HOLDS,
    ),
    example=Text('<lock name="grip" body="load" to="hand"/>', '<замок имя="хват" тело="груз" к="кисть"/>'),
)
COUPLING = ElementSpec(
    key="coupling",
    en=("coupling",),
    ru=("передача",),
    doc=Text(
        "A gear between two coordinates: of = ratio · to + offset.",
        "Передача между двумя координатами: чего = отношение · к + сдвиг.",
    ),
    attributes=(
        _name(True, "coupling", "передачи"),
        _attribute(
            "of", "чего", Reference(to=("coordinate",)), "The driven coordinate.", "Ведомая координата.", required=True
        ),
        _attribute(
            "to", "к", Reference(to=("coordinate",)), "The driving coordinate.", "Ведущая координата.", required=True
        ),
        _attribute(
            "ratio",
            "отношение",
            Numbers(dimension=PLAIN, unit="", size="any"),
            "Ratio. Where one coordinate slides and the other turns, a plain number is in m per rad, or rad per m. Further numbers are the factors of the square, the cube … of the driving coordinate.",
            "Отношение. Если одна координата — скольжение, а другая — поворот, просто число считается в м на рад или рад на м. Следующие числа — множители при квадрате, кубе … ведущей координаты.",
            default=("1", "1"),
        ),
        _attribute("offset", "сдвиг", CoordinateNumbers(measure="position"), "Offset.", "Сдвиг.", default=_ZERO),
        _HOLDS,
    ),
    example=Text(
        '<coupling name="fingers" of="right finger" to="left finger" ratio="-1"/>',
        '<передача имя="пальцы" чего="правый палец" к="левый палец" отношение="-1"/>',
    ),
)
STRUCTURE = ElementSpec(
    key="structure",
    en=("structure",),
    ru=("структура",),
    doc=Text(
        "A structure that the system can take: which links hold in it, which joints change their type.",
        "Структура, которую может принять система: какие связи в ней держат, какие сочленения меняют тип.",
    ),
    attributes=(
        _name(True, "structure", "структуры"),
        _attribute(
            "holds",
            "держит",
            Reference(to=("closure", "contact", "lock", "coupling"), many=True),
            "Links that hold, besides those that always do.",
            "Связи, которые держат, кроме тех, что держат всегда.",
        ),
        _attribute(
            "slides",
            "скользит",
            Reference(to=("contact",), many=True),
            "Contacts that hold and slide: the point stays on the surface, and friction acts against its motion.",
            "Контакты, которые держат и скользят: точка остаётся на поверхности, трение действует против движения.",
        ),
        _attribute(
            "body",
            "тело",
            Reference(to=("body",)),
            "A body whose joint has another type here.",
            "Тело, сочленение которого здесь имеет другой тип.",
        ),
        _attribute("joint", "КП", JOINTS, "That type.", "Этот тип."),
        _attribute(
            "about",
            "вокруг",
            Reference(to=("point", "frame")),
            "Point at which that joint sits.",
            "Точка, в которой находится это сочленение.",
            default=("the pole of the body", "полюс тела"),
        ),
        _attribute("class", "класс", CLASSES, "Class as the author sees it.", "Класс по мнению автора."),
    ),
    children=("change",),
    example=Text('<structure name="on the left" holds="L"/>', '<структура имя="на левой" держит="Л"/>'),
)
CHANGE = ElementSpec(
    key="change",
    en=("change",),
    ru=("замена",),
    doc=Text("A further change of a joint's type in a structure.", "Ещё одна замена типа сочленения в структуре."),
    attributes=(
        _attribute("body", "тело", Reference(to=("body",)), "The body.", "Тело.", required=True),
        _attribute("joint", "КП", JOINTS, "The type.", "Тип.", required=True),
        _attribute(
            "about",
            "вокруг",
            Reference(to=("point", "frame")),
            "Point at which the joint sits.",
            "Точка, в которой находится сочленение.",
            default=("the pole of the body", "полюс тела"),
        ),
    ),
    example=Text(
        '<change body="trunk" joint="revolute" about="heel"/>', '<замена тело="корпус" КП="ВКП" вокруг="пятка"/>'
    ),
)
TRANSITION = ElementSpec(
    key="transition",
    en=("transition",),
    ru=("переход",),
    doc=Text(
        "A passage from one structure to another on a condition. Where several conditions come true at once, the greatest priority wins, then the first in the file.",
        "Переход от одной структуры к другой по условию. Если одновременно выполняется несколько условий, побеждает больший приоритет, затем первый в файле.",
    ),
    attributes=(
        _attribute("name", "имя", NewName(), "Name of the transition.", "Имя перехода."),
        _attribute(
            "from",
            "из",
            Reference(to=("structure",), many=True),
            "Structures that it leaves.",
            "Структуры, из которых выходит.",
            default=("any", "любая"),
        ),
        _attribute(
            "to",
            "в",
            Reference(to=("structure",)),
            "Structure that it enters.",
            "Структура, в которую входит.",
            required=True,
        ),
        _attribute("when", "когда", Condition(), "The condition.", "Условие.", required=True),
        _IMPACT,
        _RESTITUTION,
        _attribute("priority", "приоритет", _RATIO, "The greater goes first.", "Больший идёт первым.", default=_ZERO),
    ),
    children=("set",),
    example=Text(
        '<transition from="flight" to="stance" when="gap(L) falls through 0" impact="plastic"/>',
        '<переход из="полёт" в="опора" когда="зазор(Л) падает через 0" удар="пластический"/>',
    ),
)
SET = ElementSpec(
    key="set",
    en=("set",),
    ru=("задать",),
    doc=Text(
        "Gives a coordinate a new value when the transition happens, before the impact.",
        "Даёт координате новое значение при переходе, до удара.",
    ),
    attributes=(
        _attribute("of", "чего", Reference(to=("coordinate",)), "The coordinate.", "Координата.", required=True),
        _attribute("value", "значение", Formula(measure="position"), "Its new value.", "Её новое значение."),
        _attribute("rate", "скорость", Formula(measure="rate"), "Its new velocity.", "Её новая скорость."),
    ),
    example=Text(
        '<set of="wheel" value="angle(wheel) - 45 deg"/>', '<задать чего="колесо" значение="угол(колесо) - 45 град"/>'
    ),
)

ELEMENTS: tuple[ElementSpec, ...] = (
    SYSTEM, PARAMETER, GRAVITY, BODY, POINT, FRAME, SHAPE, BOX, CYLINDER, SPHERE, CONE, CAPSULE, MESH, FORCE_ELEMENT, MOMENT_ELEMENT,
    SPRING, MOTOR, STOP, MOTION, ROW, START, COORDINATE, POSTURE, GROUP, INCLUDE, LINKS, JOINT, CLOSURE, CONTACT, LOCK, COUPLING,
    STRUCTURE, CHANGE, TRANSITION, SET,
)  # fmt: skip

ELEMENT_BY_KEY: dict[str, ElementSpec] = {element.key: element for element in ELEMENTS}
ELEMENT_BY_WORD: dict[str, ElementSpec] = {
    word.casefold(): element for element in ELEMENTS for word in (*element.en, *element.ru)
}
