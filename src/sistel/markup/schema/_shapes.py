"""How bodies look, and what of them touches."""

from __future__ import annotations

from sistel.markup.schema._rows import COLOUR, element, quaternion, rows, turn

_NAME = rows(
    """
    name | имя (new name)
        A name, by which contacts refer to it.
        Имя, по которому на фигуру ссылаются контакты.
    """
)

_PRIMITIVE = (
    *rows(
        """
        place | место КПТ (place)
            Centre of the shape in the body frame.
            Центр фигуры в осях тела.
            = the origin | начало координат
        """
    ),
    turn(),
    quaternion(),
    COLOUR,
)

_ROUND = rows(
    """
    radius | радиус (length) !
        Radius.
        Радиус.
    length | длина (length) !
        Length along z.
        Длина вдоль оси z.
    """
)

SHAPE = element(
    """
    shape | форма
        How a planar body looks: an SVG path in the body frame, in millimetres. Lengths may be expressions in braces.
        Как выглядит плоское тело: путь SVG в осях тела, в миллиметрах. Длины могут быть выражениями в фигурных скобках.
        <shape d="m-100,-50h200v{2*30 mm}h-200z"/>
        <форма d="m-100,-50h200v{2*30 мм}h-200z"/>
    """,
    attributes=(
        *rows(
            """
            d | d (SVG path) !
                Path data.
                Описание пути.
            place | место КПТ (place)
                Where the origin of the path sits.
                Где находится начало пути.
                = the origin | начало координат
            """
        ),
        turn(),
        COLOUR,
    ),
)

BOX = element(
    """
    box | коробка параллелепипед
        A box; in the plane a rectangle. With a name, a contact may let it touch.
        Прямоугольный параллелепипед; на плоскости прямоугольник. Если есть имя, может касаться.
        <box size="100, 60, 20"/>
        <коробка размеры="100, 60, 20"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            size | размеры размер (size) !
                Lengths of the edges along x, y, z.
                Длины рёбер вдоль x, y, z.
            """
        ),
        *_PRIMITIVE,
    ),
)

_CORNERED = (
    *rows(
        """
        points | точки (points) !
            Corners, x and y of each, in order.
            Углы по порядку, x и y каждого.
        place | место КПТ (place)
            Where the origin of the points sits.
            Где находится начало отсчёта точек.
            = the origin | начало координат
        """
    ),
    turn(),
    COLOUR,
)

POLYGON = element(
    """
    polygon | многоугольник
        A convex polygon of the plane. With a name, a contact may let it touch: `of` instead of `point`, or `to`.
        Выпуклый многоугольник плоскости. Если есть имя, может касаться: в контакте `чего` вместо `точка` или `к`.
        <polygon name="sides" points="-100,-60; 100,-60; 0,80"/>
        <многоугольник имя="бока" точки="-100,-60; 100,-60; 0,80"/>
    """,
    attributes=(*_NAME, *_CORNERED),
)

POLYLINE = element(
    """
    polyline | ломаная
        A line that shapes may touch from one side: ground, stairs, a wall. Behind it everything is solid.
        Линия, которой фигуры касаются с одной стороны: земля, лестница, стена. За ней всё сплошное.
        <polyline name="stairs" points="0,0; 800,0; 800,150; 1600,150"/>
        <ломаная имя="лестница" точки="0,0; 800,0; 800,150; 1600,150"/>
    """,
    attributes=(
        *_NAME,
        *_CORNERED,
        *rows(
            """
            free | свободно (free side)
                Which side is free.
                Какая сторона свободна.
                = the side away from gravity | сторона против тяжести
            """
        ),
    ),
)

PROFILE = element(
    """
    profile | профиль
        Curved ground: a smooth height over the place, which points, circles and spheres may touch. It has no end; `shown`
            says what of it pictures show.
        Кривая земля: гладкая высота над местом, которой могут касаться точки, круги и шары. Конца у неё нет; `показано`
            говорит, какую её часть рисовать.
        <profile name="hill" surface="y = -(200 mm)*cos(x/(300 mm))" shown="-500, 500"/>
        <профиль имя="холм" поверхность="y = -(200 мм)*cos(x/(300 мм))" показано="-500, 500"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            surface | поверхность (surface) !
                Equation y = f(x), in space z = f(x, y), or an inequality that holds on the free side.
                Уравнение y = f(x), в пространстве z = f(x, y), или неравенство, верное со свободной стороны.
            shown | показано (lengths)
                From where to where along x it is drawn, in space along x and along y.
                От и до какого x она рисуется, в пространстве — вдоль x и вдоль y.
                = -1000, 1000
            """
        ),
        COLOUR,
    ),
)

WORLD = element(
    """
    world | мир
        What stands around the bodies and does not move: obstacles that shapes of bodies may touch. A contact with
            `to="world"` means all of them. An `include` inside takes the world of another file.
        Неподвижное окружение тел: препятствия, которых могут касаться фигуры тел. Контакт с `к="мир"` означает все
            сразу. `включить` внутри берёт мир другого файла.
        <world><box name="step" place="600,-75" size="400,150"/></world>
        <мир><коробка имя="ступень" место="600,-75" размеры="400,150"/></мир>
    """,
    children=(
        *("box", "polygon", "polyline", "profile", "circle", "sphere", "capsule", "cylinder", "mesh"),
        *("include", "repeat"),
    ),
)

CYLINDER = element(
    """
    cylinder | цилиндр
        A cylinder along z, its centre at `place`. With a name, a contact may let it touch.
        Цилиндр вдоль z с центром в `место`. Если есть имя, может касаться.
        <cylinder radius="40" length="300"/>
        <цилиндр радиус="40" длина="300"/>
    """,
    attributes=(*_NAME, *_ROUND, *_PRIMITIVE),
)

SPHERE = element(
    """
    sphere | шар сфера
        A ball. With a name, a contact may let it touch: `of` instead of `point`.
        Шар. Если у него есть имя, он может касаться: в контакте `чего` вместо `точка`.
        <sphere name="ball" radius="30"/>
        <шар имя="мяч" радиус="30"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            radius | радиус (length) !
                Radius.
                Радиус.
            """
        ),
        *_PRIMITIVE,
    ),
)

CIRCLE = element(
    """
    circle | круг окружность
        A disk of a planar body. With a name, a contact may let it touch and roll: `of` instead of `point`.
        Круг плоского тела. Если у него есть имя, он может касаться и катиться: в контакте `чего` вместо `точка`.
        <circle name="tyre" radius="300"/>
        <круг имя="шина" радиус="300"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            radius | радиус (length) !
                Radius.
                Радиус.
            place | место КПТ (place)
                Centre in the body frame.
                Центр в осях тела.
                = the origin | начало координат
            """
        ),
        turn(),
        COLOUR,
    ),
)

WHEEL = element(
    """
    wheel | колесо
        A thin wheel of a spatial body: a circle with its centre and axis, which touches with its lowest point and
            rolls. With a name, a contact may let it touch: `of` instead of `point`.
        Тонкое колесо пространственного тела: окружность с центром и осью; касается нижней точкой и катится. Если у
            него есть имя, оно может касаться: в контакте `чего` вместо `точка`.
        <wheel name="rim" radius="300" axis="y"/>
        <колесо имя="обод" радиус="300" ось="y"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            radius | радиус (length) !
                Radius, that of the tread included.
                Радиус вместе с закруглением обода.
            place | место КПТ (place)
                Centre in the body frame.
                Центр в осях тела.
                = the origin | начало координат
            axis | ось (axis)
                Axis in the body frame.
                Ось в осях тела.
                = the axis of the joint, z where it has none | ось сочленения; z, если у него оси нет
            tread | закругление (length)
                Radius of the rounded tread; 0 is a sharp rim.
                Радиус закругления обода; 0 — острый обод.
                = 0
            """
        ),
        COLOUR,
    ),
)

CONE = element(
    """
    cone | конус
        A cone along z, apex up, its middle height at `place`.
        Конус вдоль z вершиной вверх, середина высоты в `место`.
        <cone radius="30" length="80"/>
        <конус радиус="30" длина="80"/>
    """,
    attributes=(*_ROUND, *_PRIMITIVE),
)

CAPSULE = element(
    """
    capsule | капсула
        A cylinder along z with round ends; `length` is that of the cylinder. With a name, a contact may let it touch.
        Цилиндр вдоль z с полушариями на концах; `длина` — длина цилиндра. Если есть имя, может касаться.
        <capsule radius="30" length="80"/>
        <капсула радиус="30" длина="80"/>
    """,
    attributes=(*_NAME, *_ROUND, *_PRIMITIVE),
)

MESH = element(
    """
    mesh | сетка
        A surface from a file (STL, OBJ, DAE, glTF). Outside of bodies it belongs to the ground: so a whole scene
            surrounds the system. Files that say which way is up are read z up. With a name, or in the world, rays of sensors
            see it; nothing touches it.
        Поверхность из файла (STL, OBJ, DAE, glTF). Вне тел она принадлежит основанию: так систему окружает целая
            сцена. Файлы, в которых сказано, где верх, читаются осью z вверх. С именем или в мире её видят лучи датчиков;
            касаться её нельзя.
        <mesh file="hand.stl" scale="0.001"/>
        <сетка файл="кисть.stl" масштаб="0.001"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            file | файл (file) !
                The file, relative to this one.
                Файл относительно этого.
            scale | масштаб (numbers)
                Factors along x, y, z; the file is in metres.
                Множители вдоль x, y, z; файл в метрах.
                = 1
            """
        ),
        *_PRIMITIVE,
    ),
)
