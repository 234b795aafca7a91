"""How bodies look."""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup.schema._kinds import ElementSpec, FilePath, Numbers, SvgPath
from sistel.markup.schema._rows import COLOUR, ONE_LENGTH, attribute, place, quaternion, turn
from sistel.units import LENGTH, PLAIN

_PRIMITIVE = (
    place("place", "место КПТ", "Centre of the shape in the body frame.", "Центр фигуры в осях тела."),
    turn(),
    quaternion(),
    COLOUR,
)

_ROUND = (
    attribute("radius", "радиус", ONE_LENGTH, "Radius.", "Радиус.", required=True),
    attribute("length", "длина", ONE_LENGTH, "Length along z.", "Длина вдоль оси z.", required=True),
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
        attribute("d", "d", SvgPath(), "Path data.", "Описание пути.", required=True),
        place("place", "место КПТ", "Where the origin of the path sits.", "Где находится начало пути."),
        turn(),
        COLOUR,
    ),
    example=Text('<shape d="m-100,-50h200v100h-200z"/>', '<форма d="m-100,-50h200v100h-200z"/>'),
)

BOX = ElementSpec(
    key="box",
    en=("box",),
    ru=("коробка", "параллелепипед"),
    doc=Text("A box.", "Прямоугольный параллелепипед."),
    attributes=(
        attribute(
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
    attributes=(attribute("radius", "радиус", ONE_LENGTH, "Radius.", "Радиус.", required=True), *_PRIMITIVE),
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
    doc=Text(
        "A surface from a file (STL, OBJ, DAE, glTF). Outside of bodies it belongs to the ground: so a whole scene "
        "surrounds the system. Files that say which way is up are read z up.",
        "Поверхность из файла (STL, OBJ, DAE, glTF). Вне тел она принадлежит основанию: так систему окружает целая "
        "сцена. Файлы, в которых сказано, где верх, читаются осью z вверх.",
    ),
    attributes=(
        attribute(
            "file", "файл", FilePath(), "The file, relative to this one.", "Файл относительно этого.", required=True
        ),
        attribute(
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
