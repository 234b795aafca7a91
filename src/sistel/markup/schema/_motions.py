"""Motors, programmed motions and states."""

from __future__ import annotations

from sistel.markup.schema._rows import RESTITUTION, element, quaternion, rows, turn

_COORDINATE_VALUES = (
    *rows(
        """
        of | чего (coordinate) !
            Body whose joint is meant, or one coordinate of it: `trunk.x`.
            Тело, о сочленении которого речь, или одна его координата: `корпус.x`.
        value | значение (position)
            Coordinates of the joint.
            Координаты сочленения.
        rate | скорость (rate)
            Velocities of the coordinates.
            Скорости координат.
        place | место (place)
            Spatial free joint: place of the body.
            Пространственная свободная пара: место тела.
            = the origin | начало координат
        """
    ),
    turn(),
    quaternion(),
    *rows(
        """
        velocity | движение (velocity)
            Spatial free joint: velocity in the body frame.
            Пространственная свободная пара: скорость в осях тела.
            = 0
        spin | вращение (angular velocity)
            Spatial free or spherical joint: angular velocity in the body frame.
            Пространственная свободная или шаровая пара: угловая скорость в осях тела.
            = 0
        """
    ),
)

MOTOR = element(
    """
    motor | привод
        A motor that drives the joint of the body.
        Привод сочленения тела.
        <motor name="hip" ratio="100" limit="80 N*m"/>
        <привод имя="бедро" передача="100" предел="80 Н*м"/>
    """,
    attributes=rows(
        """
        name | имя (new name)
            Name of the motor.
            Имя привода.
        of | чего (coordinate)
            Which coordinate, where the joint has several.
            Какая координата, если их у сочленения несколько.
        ratio | передача (ratio)
            Turns of the motor per turn of the joint; for a slide, radians of the motor per metre.
            Оборотов двигателя на оборот сочленения; для скольжения — радиан двигателя на метр.
            = 1
        limit | предел (driving force)
            Greatest force or moment at the joint.
            Наибольшая сила или момент в сочленении.
            = no limit | без предела
        speed | скорость (rate)
            Greatest speed of the joint.
            Наибольшая скорость сочленения.
            = no limit | без предела
        inertia | инерция (moment of inertia)
            Moment of inertia of the rotor, before the gear.
            Момент инерции ротора, до передачи.
            = 0
        efficiency | КПД (ratio)
            Efficiency of the gear, 0 to 1.
            КПД передачи, от 0 до 1.
            = 1
        voltage | напряжение (voltage)
            Greatest voltage of an electric motor.
            Наибольшее напряжение электродвигателя.
        resistance | сопротивление (resistance)
            Resistance of the winding.
            Сопротивление обмотки.
        inductance | индуктивность (inductance)
            Inductance of the winding.
            Индуктивность обмотки.
            = 0
        constant | постоянная (motor constant)
            Motor constant: moment per current, voltage per speed.
            Постоянная двигателя: момент на ток, напряжение на скорость.
        current | ток (current)
            Greatest current of an electric motor.
            Наибольший ток электродвигателя.
            = no limit | без предела
        kp | kp (joint stiffness)
            Gain on the error of position, where a scheme commands a position.
            Коэффициент при ошибке положения, если схема задаёт положение.
        kd | kd (joint damping)
            Gain on the error of speed, where a scheme commands a speed or a position.
            Коэффициент при ошибке скорости, если схема задаёт скорость или положение.
        brake | тормоз (driving force)
            Greatest force or moment of its brake at the joint; a scheme puts it on.
            Наибольшая сила или момент его тормоза в сочленении; включает его схема.
            = no brake | тормоза нет
        """
    ),
)

STOP = element(
    """
    stop | упор
        Makes a limit of the joint a mechanical stop. With a stiffness it is elastic, else rigid.
        Делает предел сочленения механическим упором. С жёсткостью — упругим, без неё — жёстким.
        <stop at="max" restitution="0.3"/>
        <упор где="макс" восстановление="0.3"/>
    """,
    attributes=(
        *rows(
            """
            at | где (stop side)
                Which limit.
                Какой предел.
                = both | оба
            stiffness | жёсткость жесткость (joint stiffness)
                Stiffness.
                Жёсткость.
            damping | вязкость (joint damping)
                Damping.
                Вязкость.
                = 0
            """
        ),
        RESTITUTION,
    ),
)

MOTION = element(
    """
    motion | движение
        A programmed motion of joint coordinates: a formula, or a table of rows, here or in a file. With gains a motor
            follows it; without, the joint is forced to.
        Программное движение координат: формула или таблица строк, здесь или в файле. С коэффициентами его отслеживает
            привод; без них сочленение движется точно так.
        <motion of="hip, knee"><row time="0" values="0, 0"/><row time="1" values="30, -20"/></motion>
        <движение чего="бедро, колено"><строка время="0" значения="0, 0"/><строка время="1" значения="30,
            -20"/></движение>
    """,
    attributes=rows(
        """
        name | имя (new name)
            Name of the motion.
            Имя движения.
        of | чего (coordinates)
            Coordinates that move.
            Координаты, которые движутся.
            = the joint of the body that it stands in; all columns of the file | сочленение тела, в котором стоит; все столбцы файла
        value | значение (formulas of positions)
            Coordinates as expressions of time, parameters and state.
            Координаты как выражения времени, параметров и состояния.
        file | файл (file)
            A table in HTML, CSV, ODS or XLSX: a column is the time, the others are named as the coordinates, with units.
            Таблица HTML, CSV, ODS или XLSX: один столбец — время, другие названы как координаты, с единицами.
        sheet | лист (text)
            The sheet of the file, or the caption or id of a table in HTML.
            Лист файла; у таблицы в HTML — её подпись или id.
            = the first with a table of motion | первый, где есть таблица движения
        columns | столбцы (text)
            Columns of the file for the coordinates of `of`, in their order, where they have other names.
            Столбцы файла для координат из `чего`, по порядку, если названы иначе.
        kp | kp (joint stiffness)
            Gain on the error of position.
            Коэффициент при ошибке положения.
        kd | kd (joint damping)
            Gain on the error of speed.
            Коэффициент при ошибке скорости.
        structure | структура (structures)
            Structures in which it acts.
            Структуры, в которых действует.
            = all | все
        interpolation | интерполяция (interpolation)
            How the rows are joined.
            Как соединяются строки.
            = cubic | кубическая
        repeat | повтор (flag)
            Whether the table starts again after its last row.
            Начинается ли таблица снова после последней строки.
            = no | нет
        since | отсчёт (clock)
            From when the times of the rows count.
            Откуда отсчитывается время строк.
            = zero | ноль
        """
    ),
    children=("row", "repeat"),
)

ROW = element(
    """
    row | строка
        A row of a table of motion.
        Строка таблицы движения.
        <row time="0.5" values="30, -20"/>
        <строка время="0.5" значения="30, -20"/>
    """,
    attributes=rows(
        """
        time | время (time) !
            Time.
            Время.
        values | значения (position) !
            Coordinates, in the order of `of`.
            Координаты в порядке `чего`.
        """
    ),
)

START = element(
    """
    start | начало
        The initial state. Coordinates are attributes named after bodies (`crank="60 deg"`, `crank.rate="90 deg/s"`,
            `trunk.x="0"`) or `coordinate` elements. The coordinates that it leaves out are 0, and are moved as little
            as possible where closures demand it.
        Начальное состояние. Координаты — атрибуты с именами тел (`кривошип="60 град"`, `кривошип.скорость="90
            град/с"`, `корпус.x="0"`) или элементы `координата`. Неназванные координаты равны 0 и сдвигаются как можно
            меньше, если этого требуют замыкания.
        <start crank="60 deg" crank.rate="90 deg/s"/>
        <начало кривошип="60 град" кривошип.скорость="90 град/с"/>
    """,
    attributes=rows(
        """
        structure | структура (structure)
            The structure at the start.
            Структура в начале.
            = the first one declared | первая из объявленных
        time | время (time)
            Time at the start.
            Начальный момент времени.
            = 0
        """
    ),
    children=("coordinate", "repeat"),
    open="coordinates",
)

COORDINATE = element(
    """
    coordinate | координата
        The state of one joint, where its name cannot be an attribute.
        Состояние одного сочленения, если его имя не может быть атрибутом.
        <coordinate of="left leg" value="12 deg"/>
        <координата чего="левая нога" значение="12 град"/>
    """,
    attributes=_COORDINATE_VALUES,
)

POSTURE = element(
    """
    posture | поза
        A named set of coordinates.
        Именованный набор координат.
        <posture name="home" shoulder="0" elbow="90"/>
        <поза имя="дом" плечо="0" локоть="90"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the posture.
            Имя позы.
        """
    ),
    children=("coordinate", "repeat"),
    open="coordinates",
)

GROUP = element(
    """
    group | группа
        A named group of bodies, such as an arm.
        Именованная группа тел, например рука.
        <group name="arm" of="shoulder, elbow, wrist"/>
        <группа имя="рука" чего="плечо, локоть, кисть"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the group.
            Имя группы.
        of | чего (bodies) !
            The bodies.
            Тела.
        """
    ),
)
