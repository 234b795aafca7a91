"""How a planar system is drawn: the window, the posture, and what a stylesheet cannot compute."""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup.schema._choices import DIMENSION_KINDS, DRAWN_LINES, DRAWN_MARKS, LABEL_KINDS, LABEL_SIDES
from sistel.markup.schema._kinds import ElementSpec, Numbers, Reference, SvgPath
from sistel.markup.schema._rows import LENGTHS, ONE_LENGTH, ORIGIN, ZERO, attribute, place
from sistel.units import ANGLE, LENGTH

_BODY = attribute(
    "of", "чего", Reference(to=("body",)), "The body; 0 is the ground.", "Тело; 0 — земля.", required=True
)

_TURN = attribute(
    "turn",
    "поворот",
    Numbers(dimension=ANGLE, unit="deg"),
    "Angle, clockwise.",
    "Угол по часовой стрелке.",
    default=ZERO,
)

DRAWING = ElementSpec(
    key="drawing",
    en=("drawing",),
    ru=("рисунок",),
    doc=Text(
        "How the scheme of a planar system is drawn: in which window, how large its symbols, and at which coordinates, given as in `start`. Whatever is left out is found. `sistel convert --canonical` writes everything, with `pose`, `line`, `mark` and `dimensions` for stylesheets.",
        "Как рисуется схема плоской системы: в каком окне, с какими по величине знаками и при каких координатах; они задаются как в `начало`. Чего нет, то находится. `sistel convert --canonical` пишет всё, с элементами `положение`, `линия`, `знак` и `размеры` для таблиц стилей.",
    ),
    attributes=(
        attribute(
            "frame",
            "рамка",
            Numbers(dimension=LENGTH, unit="mm", size="any"),
            "The window: x, y of its upper left corner, width, height.",
            "Окно: x, y левого верхнего угла, ширина, высота.",
            default=("all that is drawn", "всё, что нарисовано"),
        ),
        attribute(
            "size",
            "размер",
            ONE_LENGTH,
            "Size of the symbols: the diameter of a hinge.",
            "Размер знаков: диаметр шарнира.",
            default=("by the size of the system", "по размеру системы"),
        ),
    ),
    children=("coordinate", "pose", "line", "mark", "dimensions"),
    open="coordinates",
    example=Text(
        '<drawing frame="-300, -100, 600, 500" size="12"/>', '<рисунок рамка="-300, -100, 600, 500" размер="12"/>'
    ),
)

POSE = ElementSpec(
    key="pose",
    en=("pose",),
    ru=("положение",),
    doc=Text(
        "Where a body is drawn in the frame of its base. Written by `--canonical`; what a file says here is found anew.",
        "Где тело нарисовано в осях своей базы. Пишет `--canonical`; сказанное здесь в файле находится заново.",
    ),
    attributes=(
        _BODY,
        place("place", "место КПТ", "The pole in the frame of the base.", "Полюс в осях базы."),
        _TURN,
        attribute("com", "ЦМ", LENGTHS, "Centre of mass in the body frame.", "Центр масс в осях тела."),
        attribute(
            "label",
            "номер-у",
            LENGTHS,
            "Where the number of the body stands, in the ground's frame.",
            "Где стоит номер тела, в осях земли.",
        ),
        attribute(
            "side",
            "сторона",
            LABEL_SIDES,
            "Which end of the number stands there.",
            "Каким концом номер стоит там.",
            default=("middle", "середина"),
        ),
        attribute(
            "caption",
            "имя-у",
            LENGTHS,
            "Where the name of the body stands, in the ground's frame.",
            "Где стоит имя тела, в осях земли.",
        ),
        attribute(
            "caption-side",
            "сторона-имени",
            LABEL_SIDES,
            "Which end of the name stands there.",
            "Каким концом имя стоит там.",
            default=("middle", "середина"),
        ),
    ),
    example=Text('<pose of="rod" place="0,200" turn="30"/>', '<положение чего="стержень" место="0,200" поворот="30"/>'),
)

LINE = ElementSpec(
    key="line",
    en=("line",),
    ru=("линия",),
    doc=Text(
        "A line of the scheme that no shape declares: a link, a plate, a spring. Written by `--canonical`.",
        "Линия схемы, которой нет среди форм: звено, пластина, пружина. Пишет `--canonical`.",
    ),
    attributes=(
        _BODY,
        attribute("kind", "вид", DRAWN_LINES, "What it shows.", "Что она показывает.", required=True),
        attribute("d", "d", SvgPath(), "Path data in the body frame.", "Описание пути в осях тела.", required=True),
    ),
    example=Text('<line of="rod" kind="link" d="m0,0v500"/>', '<линия чего="стержень" вид="звено" d="m0,0v500"/>'),
)

MARK = ElementSpec(
    key="mark",
    en=("mark",),
    ru=("знак",),
    doc=Text(
        "A standard symbol of the scheme, such as a hinge. Written by `--canonical`.",
        "Стандартный знак схемы, например шарнир. Пишет `--canonical`.",
    ),
    attributes=(
        _BODY,
        attribute("kind", "вид", DRAWN_MARKS, "Which symbol.", "Какой знак.", required=True),
        attribute("at", "место", LENGTHS, "Place in the body frame.", "Место в осях тела.", default=ORIGIN),
        _TURN,
    ),
    example=Text('<mark of="rod" kind="hinge" at="0,500"/>', '<знак чего="стержень" вид="шарнир" место="0,500"/>'),
)

DIMENSIONS = ElementSpec(
    key="dimensions",
    en=("dimensions",),
    ru=("размеры",),
    doc=Text(
        "The dimension lines of the scheme. Written by `--canonical`, shown by `sistel draw --dimensions`; what a file says here is found anew.",
        "Размерные линии схемы. Пишет `--canonical`, показывает `sistel draw --dimensions`; сказанное здесь в файле находится заново.",
    ),
    attributes=(
        attribute(
            "labels",
            "надписи",
            LABEL_KINDS,
            "Beside which labels they find room.",
            "Рядом с какими надписями им есть место.",
            default=("numbers", "номера"),
        ),
        attribute(
            "frame",
            "рамка",
            Numbers(dimension=LENGTH, unit="mm", size="any"),
            "The window with all of them: x, y of its upper left corner, width, height.",
            "Окно со всеми ними: x, y левого верхнего угла, ширина, высота.",
            required=True,
        ),
    ),
    children=("dimension",),
    example=Text(
        '<dimensions labels="names" frame="-60, -90, 420, 180"><dimension length="300" offset="-40"/></dimensions>',
        '<размеры надписи="имена" рамка="-60, -90, 420, 180"><размер длина="300" отступ="-40"/></размеры>',
    ),
)

DIMENSION = ElementSpec(
    key="dimension",
    en=("dimension",),
    ru=("размер",),
    doc=Text(
        "A dimension line in axes of its own, x along what is measured. Written by `--canonical`.",
        "Размерная линия в своих осях, x — вдоль того, что измерено. Пишет `--canonical`.",
    ),
    attributes=(
        attribute("kind", "вид", DIMENSION_KINDS, "What is measured.", "Что измерено.", default=("length", "длина")),
        place(
            "place",
            "место",
            "The first point, or the centre of the circle, in the ground's frame.",
            "Первая точка или центр окружности, в осях земли.",
        ),
        _TURN,
        attribute("length", "длина", ONE_LENGTH, "The length, or the radius.", "Длина или радиус.", required=True),
        attribute(
            "offset",
            "отступ",
            ONE_LENGTH,
            "How far the dimension line lies from the first point, along y.",
            "На сколько размерная линия отстоит от первой точки, вдоль y.",
            default=ZERO,
        ),
        attribute(
            "rise",
            "уступ",
            ONE_LENGTH,
            "How far the second point lies from the first one, along y.",
            "На сколько вторая точка отстоит от первой вдоль y.",
            default=ZERO,
        ),
        attribute(
            "side",
            "сторона",
            LABEL_SIDES,
            "Whether the number stands over the middle, or beside one of the ends.",
            "Стоит ли число над серединой или у одного из концов.",
            default=("middle", "середина"),
        ),
    ),
    example=Text(
        '<dimension place="0,200" turn="30" length="300" offset="-40"/>',
        '<размер место="0,200" поворот="30" длина="300" отступ="-40"/>',
    ),
)
