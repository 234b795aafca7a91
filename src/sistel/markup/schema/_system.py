"""Elements of the whole file."""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup.schema._choices import CLASSES, SPACES
from sistel.markup.schema._kinds import ElementSpec, FilePath, FreeText, Numbers, Prefix, Reference, UnitWord, Whole
from sistel.markup.schema._rows import attribute, name, place, quaternion, turn
from sistel.units import ACCELERATION, PLAIN

SYSTEM = ElementSpec(
    key="system",
    en=("system",),
    ru=("системаТел",),
    doc=Text("The whole system of bodies: the root of a file.", "Вся система тел: корень файла."),
    attributes=(
        attribute(
            "name",
            "имя",
            FreeText(),
            "Name of the system.",
            "Имя системы.",
            default=("the name of the file", "имя файла"),
        ),
        attribute(
            "class",
            "класс",
            CLASSES,
            "Structural class as the author sees it; a different computed class is a warning.",
            "Структурный класс по мнению автора; если вычисленный другой, выдаётся предупреждение.",
        ),
        attribute(
            "space",
            "вид",
            SPACES,
            "Whether bodies move in a plane or in space.",
            "Движутся ли тела на плоскости или в пространстве.",
            default=("planar", "плоская"),
        ),
        attribute(
            "version",
            "версия",
            Whole(),
            "Version of the language that the file is written in.",
            "Версия языка, на котором написан файл.",
            default=("1", "1"),
        ),
        attribute("about", "описание", FreeText(), "A sentence for people.", "Предложение для людей."),
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
        "drawing",
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
        name(True, "parameter", "параметра"),
        attribute(
            "value",
            "значение",
            Numbers(dimension=PLAIN, unit=""),
            "A number, with its unit if it has one; may use earlier parameters.",
            "Число, если нужно — с единицей; может использовать другие параметры.",
            required=True,
        ),
        attribute(
            "unit", "ед единица", UnitWord(), "Unit of a plain `value`.", "Единица, если `значение` — просто число."
        ),
        attribute(
            "min",
            "min",
            Numbers(dimension=PLAIN, unit=""),
            "Least value a slider should offer.",
            "Наименьшее значение для ползунка.",
        ),
        attribute(
            "max",
            "max",
            Numbers(dimension=PLAIN, unit=""),
            "Greatest value a slider should offer.",
            "Наибольшее значение для ползунка.",
        ),
        attribute("about", "описание", FreeText(), "A sentence for people.", "Предложение для людей."),
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
        attribute(
            "value",
            "значение",
            Numbers(dimension=ACCELERATION, unit="m/s^2"),
            "Acceleration of free fall.",
            "Ускорение свободного падения.",
            default=("9.81 m/s^2", "9.81 м/с^2"),
        ),
        attribute(
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

INCLUDE = ElementSpec(
    key="include",
    en=("include",),
    ru=("включить",),
    doc=Text(
        "Another file as a sub-assembly. What it calls its ground (0, and the points and shapes outside its bodies) becomes the given place of the base; the surfaces of its contacts stay on the real ground. Its start and its motions hold where this file says nothing else.",
        "Другой файл как подсборка. То, что в нём названо землёй (0, точки и формы вне тел), становится заданным местом базы; поверхности его контактов остаются на настоящей земле. Его начальное состояние и движения действуют, если этот файл не говорит иного.",
    ),
    attributes=(
        attribute(
            "file", "файл", FilePath(), "The file, relative to this one.", "Файл относительно этого.", required=True
        ),
        attribute(
            "prefix",
            "приставка",
            Prefix(),
            "Put before every name of the sub-assembly.",
            "Ставится перед каждым именем подсборки.",
        ),
        attribute(
            "base",
            "база",
            Reference(to=("body",)),
            "Body that carries it.",
            "Тело, которое её несёт.",
            default=("the ground", "земля"),
        ),
        place(
            "place",
            "КПТ место",
            "Where its ground sits in the frame of the base.",
            "Где находится её земля в осях базы.",
        ),
        turn(),
        quaternion(),
    ),
    children=("parameter",),
    example=Text(
        '<include file="leg.xml" prefix="left " base="trunk"/>',
        '<включить файл="нога.xml" приставка="левая " база="корпус"/>',
    ),
)
