"""Bodies, their points and frames, and the forces on them."""

from __future__ import annotations

from sistel.markup.schema._rows import COLOUR, JOINT_FORCES, PLACED, SIDES, element, quaternion, rows, turn

_BODY_PARTS = (
    "body",
    *PLACED,
    "force",
    "moment",
    "motor",
    "stop",
    "motion",
    "repeat",
)

BODY = element(
    """
    body | тело
        A body and the joint that connects it to its base: the body that it is nested in, or the ground.
        Тело и сочленение, которое связывает его с базой: телом, в которое оно вложено, или землёй.
        <body name="rod" joint="revolute" place="0,200" mass="2" com="0,250" inertia="0.04" min="-90" max="90"/>
        <тело имя="стержень" КП="ВКП" КПТ="0,200" масса="2" ЦМ="0,250" инерция="0.04" min="-90" max="90"/>
    """,
    attributes=(
        *rows(
            """
            number | номер (whole)
                Number of the body, from 1.
                Номер тела, начиная с 1.
                = subsystem numbering: depth first | подсистемная нумерация: в глубину
            name | имя (new name)
                Name of the body.
                Имя тела.
                = its number | его номер
            base | база (body)
                The base, by name or number, where the body is not nested in it (0 is the ground).
                База по имени или номеру, если тело в неё не вложено (0 — земля).
            joint | КП (joint)
                Type of the joint with the base.
                Тип кинематической пары с базой.
                = fixed; or given by a joint among the links | жёсткая; или задана сочленением среди связей
            joint-name | имя-КП (new name)
                Name of the joint.
                Имя сочленения.
                = the name of the body | имя тела
            place | КПТ место (place)
                Pole of the body (the origin of its frame, on the axis of the joint) in the frame of the base, at zero
                    coordinates.
                Полюс тела (начало его осей, на оси сочленения) в осях базы при нулевых координатах.
                = the origin | начало координат
            """
        ),
        turn(),
        quaternion(),
        *rows(
            """
            axis | ось (axis)
                Axis of the joint in the frame of the body.
                Ось сочленения в осях тела.
                = z for turns, x for slides | z для поворотов, x для скольжений
            axis2 | ось2 (axis)
                Second axis of a universal joint.
                Вторая ось универсальной пары.
                = x
            min: min | min мин (position)
                Least values of the coordinates; for a free joint and ПКП2, of the place of the pole in the base.
                Наименьшие значения координат; для СКП и ПКП2 — места полюса в базе (КПТ).
                = no limit | без предела
            max: max | max макс (position)
                Greatest values of the coordinates; for a free joint and ПКП2, of the place of the pole in the base.
                Наибольшие значения координат; для СКП и ПКП2 — места полюса в базе (КПТ).
                = no limit | без предела
            speed | скорость (rate)
                Greatest speeds of the coordinates.
                Наибольшие скорости координат.
                = no limit | без предела
            mass | масса (mass)
                Mass.
                Масса.
                = 0
            com | ЦМ (place)
                Centre of mass in the body frame.
                Центр масс в осях тела.
                = the origin | начало координат
            inertia | инерция (inertia)
                Moment of inertia about the centre of mass. Spatial: one number for a ball, three (Ixx, Iyy, Izz), or
                    six with Ixy, Ixz, Iyz, in the body axes.
                Момент инерции относительно центра масс. В пространстве: одно число для шара, три (Ixx, Iyy, Izz) или
                    шесть, с Ixy, Ixz, Iyz, в осях тела.
                = 0
            """
        ),
        *JOINT_FORCES,
    ),
    children=_BODY_PARTS,
)

POINT = element(
    """
    point | точка
        A named point fixed in the body.
        Именованная точка, закреплённая в теле.
        <point name="heel" place="-50,80"/>
        <точка имя="пятка" место="-50,80"/>
    """,
    attributes=(
        *rows(
            """
            name | имя (new name) !
                Name of the point.
                Имя точки.
            place | место КПТ (place)
                Place in the body frame.
                Место в осях тела.
                = the origin | начало координат
            """
        ),
        COLOUR,
    ),
)

FRAME = element(
    """
    frame | репер
        A named frame fixed in the body: a point with axes, such as a tool or a sensor.
        Именованная система координат, закреплённая в теле: точка с осями, например инструмент или датчик.
        <frame name="tool" place="0,120" turn="90"/>
        <репер имя="инструмент" место="0,120" поворот="90"/>
    """,
    attributes=(
        *rows(
            """
            name | имя (new name) !
                Name of the frame.
                Имя репера.
            place | место КПТ (place)
                Origin in the body frame.
                Начало в осях тела.
                = the origin | начало координат
            """
        ),
        turn(),
        quaternion(),
    ),
)

FORCE_ELEMENT = element(
    """
    force | сила
        A force applied to the body; may depend on time, parameters and state.
        Сила, приложенная к телу; может зависеть от времени, параметров и состояния.
        <force value="0, 10*sin(t/1 s)" at="0,500"/>
        <сила значение="0, 10*sin(t/1 с)" место="0,500"/>
    """,
    attributes=rows(
        """
        name | имя (new name)
            Name of the force.
            Имя силы.
        value | значение (force) !
            Components.
            Проекции.
        at | место (place)
            Place of application in the body frame.
            Точка приложения в осях тела.
            = the origin | начало координат
        in | оси (force frame)
            Axes of the components.
            Оси проекций.
            = world | земля
        """
    ),
)

MOMENT_ELEMENT = element(
    """
    moment | момент
        A moment applied to the body; in the plane one number, clockwise.
        Момент, приложенный к телу; на плоскости одно число, по часовой стрелке.
        <moment value="0.033"/>
        <момент значение="0.033"/>
    """,
    attributes=rows(
        """
        name | имя (new name)
            Name of the moment.
            Имя момента.
        value | значение (moment) !
            One number in the plane, three components in space.
            Одно число на плоскости, три проекции в пространстве.
        in | оси (force frame)
            Axes of the components.
            Оси проекций.
            = world | земля
        """
    ),
)

SPRING = element(
    """
    spring | пружина
        A spring with a damper between two points.
        Пружина с демпфером между двумя точками.
        <spring body="rod" at="0,300" to="0" at-to="200,0" stiffness="500" length="150"/>
        <пружина тело="стержень" место="0,300" к="0" место-к="200,0" жёсткость="500" длина="150"/>
    """,
    attributes=(
        *rows(
            """
            name | имя (new name)
                Name of the spring.
                Имя пружины.
            """
        ),
        *SIDES,
        *rows(
            """
            stiffness | жёсткость жесткость (stiffness)
                Stiffness.
                Жёсткость.
                = 0
            damping | вязкость (damping)
                Damping along the line of the points.
                Вязкость вдоль линии точек.
                = 0
            length | длина (length)
                Length of the slack spring.
                Длина ненапряжённой пружины.
                = 0
            """
        ),
    ),
)
