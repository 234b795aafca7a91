"""How a planar system is drawn: the window, the posture, and what a stylesheet cannot compute."""

from __future__ import annotations

from sistel.markup.schema._rows import element, row, rows

_BODY = row(
    """
    of | чего (body) !
        The body; 0 is the ground.
        Тело; 0 — земля.
    """
)

_TURN = row(
    """
    turn | поворот (angle)
        Angle, clockwise.
        Угол по часовой стрелке.
        = 0
    """
)

DRAWING = element(
    """
    drawing | рисунок
        How the scheme of a planar system is drawn: in which window, how large its symbols, and at which coordinates,
            given as in `start`. Whatever is left out is found. `sistel convert --canonical` writes everything, with
            `pose`, `line`, `mark` and `dimensions` for stylesheets. Inside `scheme` it has a `place` for blocks instead.
        Как рисуется схема плоской системы: в каком окне, с какими по величине знаками и при каких координатах; они
            задаются как в `начало`. Чего нет, то находится. `sistel convert --canonical` пишет всё, с элементами
            `положение`, `линия`, `знак` и `размеры` для таблиц стилей. Внутри `схема` в нём вместо этого `место` блоков.
        <drawing frame="-300, -100, 600, 500" size="12"/>
        <рисунок рамка="-300, -100, 600, 500" размер="12"/>
    """,
    attributes=rows(
        """
        frame | рамка (lengths)
            The window: x, y of its upper left corner, width, height.
            Окно: x, y левого верхнего угла, ширина, высота.
            = all that is drawn | всё, что нарисовано
        size | размер (length)
            Size of the symbols: the diameter of a hinge.
            Размер знаков: диаметр шарнира.
            = by the size of the system | по размеру системы
        """
    ),
    children=("coordinate", "pose", "line", "mark", "dimensions", "place", "repeat"),
    open="coordinates",
)

POSE = element(
    """
    pose | положение
        Where a body is drawn in the frame of its base. Written by `--canonical`; what a file says here is found anew.
        Где тело нарисовано в осях своей базы. Пишет `--canonical`; сказанное здесь в файле находится заново.
        <pose of="rod" place="0,200" turn="30"/>
        <положение чего="стержень" место="0,200" поворот="30"/>
    """,
    attributes=(
        _BODY,
        *rows(
            """
            place | место КПТ (place)
                The pole in the frame of the base.
                Полюс в осях базы.
                = the origin | начало координат
            """
        ),
        _TURN,
        *rows(
            """
            com | ЦМ (place)
                Centre of mass in the body frame.
                Центр масс в осях тела.
            label | номер-у (place)
                Where the number of the body stands, in the ground's frame.
                Где стоит номер тела, в осях земли.
            side | сторона (label side)
                Which end of the number stands there.
                Каким концом номер стоит там.
                = middle | середина
            caption | имя-у (place)
                Where the name of the body stands, in the ground's frame.
                Где стоит имя тела, в осях земли.
            caption-side | сторона-имени (label side)
                Which end of the name stands there.
                Каким концом имя стоит там.
                = middle | середина
            """
        ),
    ),
)

LINE = element(
    """
    line | линия
        A line of the scheme that no shape declares: a link, a plate, a spring. Written by `--canonical`.
        Линия схемы, которой нет среди форм: звено, пластина, пружина. Пишет `--canonical`.
        <line of="rod" kind="link" d="m0,0v500"/>
        <линия чего="стержень" вид="звено" d="m0,0v500"/>
    """,
    attributes=(
        _BODY,
        *rows(
            """
            kind | вид (drawn line) !
                What it shows.
                Что она показывает.
            d | d (SVG path) !
                Path data in the body frame.
                Описание пути в осях тела.
            """
        ),
    ),
)

MARK = element(
    """
    mark | знак
        A standard symbol of the scheme, such as a hinge. Written by `--canonical`.
        Стандартный знак схемы, например шарнир. Пишет `--canonical`.
        <mark of="rod" kind="hinge" at="0,500"/>
        <знак чего="стержень" вид="шарнир" место="0,500"/>
    """,
    attributes=(
        _BODY,
        *rows(
            """
            kind | вид (drawn mark) !
                Which symbol.
                Какой знак.
            at | место (place)
                Place in the body frame.
                Место в осях тела.
                = the origin | начало координат
            """
        ),
        _TURN,
    ),
)

DIMENSIONS = element(
    """
    dimensions | размеры
        The dimension lines of the scheme. Written by `--canonical`, shown by `sistel draw --dimensions`; what a file
            says here is found anew.
        Размерные линии схемы. Пишет `--canonical`, показывает `sistel draw --dimensions`; сказанное здесь в файле
            находится заново.
        <dimensions labels="names" frame="-60, -90, 420, 180"><dimension length="300" offset="-40"/></dimensions>
        <размеры надписи="имена" рамка="-60, -90, 420, 180"><размер длина="300" отступ="-40"/></размеры>
    """,
    attributes=rows(
        """
        labels | надписи (label kind)
            Beside which labels they find room.
            Рядом с какими надписями им есть место.
            = numbers | номера
        frame | рамка (lengths) !
            The window with all of them: x, y of its upper left corner, width, height.
            Окно со всеми ними: x, y левого верхнего угла, ширина, высота.
        """
    ),
    children=("dimension",),
)

DIMENSION = element(
    """
    dimension | размер
        A dimension line in axes of its own, x along what is measured. Written by `--canonical`.
        Размерная линия в своих осях, x — вдоль того, что измерено. Пишет `--canonical`.
        <dimension place="0,200" turn="30" length="300" offset="-40"/>
        <размер место="0,200" поворот="30" длина="300" отступ="-40"/>
    """,
    attributes=(
        *rows(
            """
            kind | вид (dimension kind)
                What is measured.
                Что измерено.
                = length | длина
            place | место (place)
                The first point, or the centre of the circle, in the ground's frame.
                Первая точка или центр окружности, в осях земли.
                = the origin | начало координат
            """
        ),
        _TURN,
        *rows(
            """
            length | длина (length) !
                The length, or the radius.
                Длина или радиус.
            offset | отступ (length)
                How far the dimension line lies from the first point, along y.
                На сколько размерная линия отстоит от первой точки, вдоль y.
                = 0
            rise | уступ (length)
                How far the second point lies from the first one, along y.
                На сколько вторая точка отстоит от первой вдоль y.
                = 0
            side | сторона (label side)
                Whether the number stands over the middle, or beside one of the ends.
                Стоит ли число над серединой или у одного из концов.
                = middle | середина
            """
        ),
    ),
)
