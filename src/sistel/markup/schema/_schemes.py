"""Functional schemes: signals, blocks, what comes from outside and what goes to motors."""

from __future__ import annotations

from sistel.markup.schema._rows import element, rows

SCHEME = element(
    """
    scheme | схема
        A functional scheme: signals and blocks joined by names. With a period it is computed at the ticks of its clock
            and its signals are held in between; without, it flows with the motion.
        Функциональная схема: сигналы и блоки, соединённые именами. С периодом она вычисляется в такты своих часов, а
            между ними сигналы держатся; без периода она непрерывна.
        <scheme name="drive" period="10 ms"><block name="u" kind="pd" in="1 rad - angle(arm)" kp="20 N*m/rad" kd="0.8 N*m*s/rad"/></scheme>
        <схема имя="привод" период="10 мс"><блок имя="u" вид="ПД" вход="1 рад - угол(рука)" kp="20 Н*м/рад" kd="0.8 Н*м*с/рад"/></схема>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the scheme.
            Имя схемы.
        period | период (time)
            Time between two ticks of its clock. It is kept as a fraction of a second: ticks are exact however many there
                are.
            Время между тактами часов. Хранится как дробь секунды: такты точны, сколько бы их ни было.
            = none: the scheme flows with the motion | нет: схема непрерывна
        offset | сдвиг (time)
            When the first tick is.
            Когда первый такт.
            = 0
        latency | запаздывание (time)
            How long after a tick its results act; at most one period.
            Через сколько после такта действуют его результаты; не больше периода.
            = 0
        ports | порты (text)
            Names of what is joined to it, separated by commas: it is then a sub-scheme, which others use.
            Имена того, что к ней присоединяют, через запятую: тогда это подсхема, которую применяют другие.
            = none: it works by itself | нет: она работает сама
        seed | зерно (ratio)
            Where the noise of its sensors begins, a whole number: the same seed, the same noise. A run may be given another
                one.
            Откуда начинается шум датчиков, целое число: то же зерно — тот же шум. Запуску можно дать другое.
            = 0
        """
    ),
    children=(
        "signal",
        "block",
        "use",
        "sensor",
        "input",
        "behaviour",
        "output",
        "lamp",
        "dial",
        "indicator",
        "drawing",
        "repeat",
    ),
)

SENSOR = element(
    """
    sensor | датчик
        What a scheme measures: a place, a turn, a force, a distance along rays. Its signals have its name, and those of a
            vector NAME.x, NAME.y, NAME.z, or NAME.1, NAME.2 and so on.
        Что измеряет схема: место, поворот, сила, расстояние вдоль лучей. Сигналы носят имя датчика, у вектора — ИМЯ.x,
            ИМЯ.y, ИМЯ.z или ИМЯ.1, ИМЯ.2 и так далее.
        <sensor name="front" kind="rangefinder" rays="front 1, front 2" range="5 m" noise="1 mm"/>
        <датчик имя="спереди" вид="дальномер" лучи="спереди 1, спереди 2" дальность="5 м" шум="1 мм"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the sensor, and of what it gives.
            Имя датчика и того, что он даёт.
        kind | вид (sensor kind) !
            What it measures.
            Что он измеряет.
        of | чего (sensed)
            The body, frame or point that it sits on; the coordinate of a joint; the contact or joint whose force it feels.
            Тело, репер или точка, где он стоит; координата сочленения; контакт или сочленение, силу которого он чувствует.
        point | точка (point or frame)
            Where on the body it sits.
            Где на теле он стоит.
            = the pole of the body | полюс тела
        rays | лучи (frames)
            Frames: a ray begins at the origin of each and goes along its x.
            Реперы: луч начинается в начале каждого и идёт вдоль его x.
        angles | углы (angle pair)
            First and last angle of a lidar, in the xy plane of its frame.
            Первый и последний угол лидара в плоскости xy его репера.
            = -180, 180
        count | число (ratio)
            Rays of a lidar.
            Лучей у лидара.
            = 1
        against | против (shapes)
            Named shapes that rays see.
            Фигуры с именами, которые видят лучи.
            = the obstacles of the world, and named shapes of other bodies | препятствия мира и именованные фигуры других тел
        as | как (sensor form)
            How an orientation is given.
            Как выражается ориентация.
            = angles | углы
        field | поле (numbers)
            The magnetic field in the axes of the ground.
            Магнитное поле в осях земли.
            = 1, 0, 0: to the north along x | 1, 0, 0: на север вдоль x
        range | дальность (signals)
            How far rays reach; where they meet nothing, it is what they give.
            Докуда достают лучи; где они ничего не встречают, дают её же.
        near | вблизи (signals)
            The least distance that rays can tell.
            Наименьшее различимое расстояние.
            = 0
        bias | смещение (signals)
            What is added to every reading; one value, or one for each component.
            Что прибавляется к каждому показанию; одно значение или по одному на составляющую.
            = 0
        scale | масштаб (signals)
            What the truth is multiplied by; one value, or one for each component.
            На что умножается истинное значение; одно число или по одному на составляющую.
            = 1
        misalignment | перекос (signals)
            How much of every component each component takes besides its own: a matrix, row by row.
            Сколько от каждой составляющей попадает в каждую сверх неё самой: матрица по строкам.
            = 0
        drift | дрейф (signals)
            Standard deviation of what a wandering bias gains in one second; it grows as the root of the time.
            Стандартное отклонение того, что блуждающее смещение набирает за секунду; растёт как корень из времени.
            = 0
        noise | шум (signals)
            Standard deviation of the noise of a reading.
            Стандартное отклонение шума показания.
            = 0
        relative | относительный-шум (signals)
            Part of the true value that is added to this deviation: far things are measured worse.
            Доля истинного значения, на которую это отклонение растёт: далёкое измеряется хуже.
            = 0
        limit | предел (signals)
            Greatest size of a reading.
            Наибольшая величина показания.
            = no limit | без предела
        step | шаг (signals)
            Readings are multiples of it.
            Показания кратны ему.
            = none | нет
        delay | задержка (signals)
            How old readings are: a time, or a number of ticks.
            Насколько стары показания: время или число тактов.
            = 0
        """
    ),
)

SIGNAL = element(
    """
    signal | сигнал
        A named value or condition, for other blocks, forces, motions and transitions.
        Именованная величина или условие для других блоков, сил, движений и переходов.
        <signal name="error" value="1 rad - angle(arm)"/>
        <сигнал имя="ошибка" значение="1 рад - угол(рука)"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the signal.
            Имя сигнала.
        value | значение (signals) !
            An expression of the state, the time, parameters and other signals, or a condition.
            Выражение от состояния, времени, параметров и других сигналов или условие.
        """
    ),
)

BLOCK = element(
    """
    block | блок
        A block: a regulator, an integrator, a trigger and the like. Its output has its name.
        Блок: регулятор, интегратор, триггер и подобное. Его выход носит его имя.
        <block name="u" kind="pd" in="1 rad - angle(arm)" kp="20 N*m/rad" kd="0.8 N*m*s/rad" limit="5 N*m"/>
        <блок имя="u" вид="ПД" вход="1 рад - угол(рука)" kp="20 Н*м/рад" kd="0.8 Н*м*с/рад" предел="5 Н*м"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the block, and of its output.
            Имя блока и его выхода.
        kind | вид (block kind) !
            What it does.
            Что он делает.
        in | вход (signals)
            Its input; several are separated by commas.
            Вход; несколько — через запятую.
        rate | скорость (signals)
            Rate of the input; of a rate limiter, the greatest rate.
            Скорость изменения входа; у ограничителя скорости — наибольшая.
            = the difference between ticks | разность между тактами
        kp | kp (signals)
            Proportional gain.
            Пропорциональный коэффициент.
        ki | ki (signals)
            Integral gain.
            Интегральный коэффициент.
        kd | kd (signals)
            Derivative gain.
            Дифференциальный коэффициент.
        speed | быстрота (signals)
            Greatest speed of a drive.
            Наибольшая скорость привода.
        acceleration | ускорение (signals)
            Greatest acceleration of a drive.
            Наибольшее ускорение привода.
        deceleration | торможение (signals)
            Greatest deceleration of a drive.
            Наибольшее замедление привода.
            = its acceleration | его ускорение
        back | возврат (signals)
            Gain with which the integral follows what a limit takes away.
            Коэффициент, с которым интеграл следует за тем, что срезал предел.
            = the integral waits while the output is cut | интеграл ждёт, пока выход срезан
        limit | предел (signals)
            Greatest size of the output.
            Наибольшая величина выхода.
            = no limit | без предела
        low | нижний (signals)
            Lower limit or threshold.
            Нижний предел или порог.
        high | верхний (signals)
            Upper limit or threshold.
            Верхний предел или порог.
        band | зона (signals)
            Half of the zone in which nothing comes out.
            Половина зоны нечувствительности.
        gain | коэффициент (signals)
            Factor.
            Множитель.
        time | время (signals)
            Time constant.
            Постоянная времени.
        damping | затухание (signals)
            Damping ratio.
            Относительное затухание.
        ticks | тактов (ratio)
            How many ticks.
            Сколько тактов.
            = 1
        start | начало (signals)
            What it remembers at first.
            Что помнит вначале.
            = 0
        reset | сброс (signals)
            Condition at which it starts anew.
            Условие, при котором он начинает заново.
        set | установка (signals)
            Condition at which a trigger is set.
            Условие, при котором триггер устанавливается.
        when | когда (signals)
            Condition that chooses.
            Условие выбора.
        on | вкл (signals)
            Output of a relay that is on.
            Выход включённого реле.
        off | выкл (signals)
            Output of a relay that is off.
            Выход выключенного реле.
        points | точки (signals)
            Inputs of a table, rising.
            Входы таблицы, по возрастанию.
        values | значения (signals)
            Outputs of a table; numbers of a matrix, row by row.
            Выходы таблицы; числа матрицы, по строкам.
        num | числитель (signals)
            Coefficients of the numerator, of falling powers of s.
            Коэффициенты числителя, по убыванию степеней s.
        den | знаменатель (signals)
            Coefficients of the denominator, of falling powers of s.
            Коэффициенты знаменателя, по убыванию степеней s.
        A | A (signals)
            Matrix of a state, row by row.
            Матрица состояния, по строкам.
        B | B (signals)
            Matrix of what is put in, row by row.
            Матрица входа, по строкам.
        C | C (signals)
            Matrix of what comes out, or is measured, row by row.
            Матрица выхода или измерений, по строкам.
        D | D (signals)
            Matrix of what goes straight through, row by row.
            Матрица прямой связи, по строкам.
            = 0
        Q | Q (signals)
            Covariance of what moves the state between two ticks, row by row.
            Ковариация того, что сбивает состояние за такт, по строкам.
        R | R (signals)
            Covariance of what is measured, row by row.
            Ковариация измерений, по строкам.
        covariance | ковариация (signals)
            Covariance of the start, row by row: the gain then changes from tick to tick.
            Ковариация начала, по строкам: тогда коэффициент меняется от такта к такту.
            = the settled one, whose gain is constant | установившаяся, с постоянным коэффициентом
        measured | измерено (signals)
            What is measured.
            Что измерено.
        motors | приводы (text)
            Motors, separated by commas.
            Приводы, через запятую.
        target | цель (signals)
            The last pose: x, y, z, and a quaternion w, x, y, z.
            Последнее положение: x, y, z и кватернион w, x, y, z.
        step | шаг (signals)
            Distance between two waypoints; one increment of the counter of a drive.
            Расстояние между промежуточными точками; у привода — один инкремент счётчика.
        stages | этапы (signals)
            Waypoints at which the angles about x and about y are there: k1, k2.
            Точки, на которых достигнуты углы вокруг x и вокруг y: k1, k2.
        of | чего (text)
            The frame, point or body that inverse kinematics moves.
            Репер, точка или тело, которое двигает обратная кинематика.
        base | основание (text)
            The body before its chain, in whose frame the target is.
            Тело перед цепью, в системе которого задана цель.
            = the ground | земля
        method | метод (chain method)
            How it searches.
            Как она ищет.
            = ccd | покоординатный-спуск
        within | точность (signals)
            When it is near enough: a distance and a part of a turn.
            Когда достаточно близко: расстояние и доля поворота.
            = 0.001 mm, 0.000001 | 0.001 мм, 0.000001
        iterations | итераций (signals)
            How many at most.
            Сколько самое большее.
            = 200, or 50 of Levenberg and Marquardt | 200, у Левенберга — Марквардта 50
        by | на (signals)
            Quaternion of a turn: w, x, y, z.
            Кватернион поворота: w, x, y, z.
        at | номер (signals)
            Which input is chosen, from 1.
            Какой вход выбран, от 1.
        parts | составляющие (text)
            Names for the components of a vector, separated by commas.
            Имена составляющих вектора, через запятую.
            = 1, 2, 3 …, or x, y, z in space | 1, 2, 3 …, в пространстве x, y, z
        """
    ),
    children=("variable", "rule", "rules", "repeat"),
)

VARIABLE = element(
    """
    variable | переменная
        A variable of a fuzzy block, with its terms. One without a value is an output.
        Переменная нечёткого блока с её термами. Без значения — это выход.
        <variable name="ahead" value="d front"><term name="near" points="0 m, 0 m, 0.3 m, 0.6 m"/></variable>
        <переменная имя="впереди" значение="d перед"><терм имя="близко" точки="0 м, 0 м, 0.3 м, 0.6 м"/></переменная>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the variable, for rules.
            Имя переменной для правил.
        value | значение (signals)
            What it is: an expression.
            Чему она равна: выражение.
            = none: it is an output | нет: это выход
        """
    ),
    children=("term", "repeat"),
)

TERM = element(
    """
    term | терм
        A word for values of a variable. Three points are a triangle, four a trapezoid; a doubled end point of an input is a
            shoulder, which goes on beyond. An output of Sugeno has a value instead.
        Слово для значений переменной. Три точки — треугольник, четыре — трапеция; удвоенная крайняя точка входа — плечо,
            которое продолжается дальше. У выхода Сугено вместо этого значение.
        <term name="near" points="0 m, 0 m, 0.3 m, 0.6 m"/>
        <терм имя="близко" точки="0 м, 0 м, 0.3 м, 0.6 м"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            The word.
            Слово.
        points | точки (signals)
            Where it begins, where it holds wholly, and where it ends.
            Где начинается, где верно полностью и где кончается.
        centre | центр (signals)
            Middle of a bell.
            Середина колокола.
        width | ширина (signals)
            Standard deviation of a bell.
            Среднеквадратичная ширина колокола.
        value | значение (signals)
            Value of the output; it may be an expression.
            Значение выхода; может быть выражением.
        """
    ),
)

RULE = element(
    """
    rule | правило
        A rule of a fuzzy block: conditions such as "ahead is near and not left is far", and what an output is then.
        Правило нечёткого блока: условия вида «впереди это близко и не слева это далеко» и каков тогда выход.
        <rule when="ahead is near and left is far" then="turn is left"/>
        <правило если="впереди это близко и слева это далеко" то="поворот это влево"/>
    """,
    attributes=rows(
        """
        when | если (text) !
            Variables and their terms, with is, and, or, not and brackets.
            Переменные и их термы; слова «это», «и», «или», «не» и скобки.
        then | то (text) !
            An output and its term.
            Выход и его терм.
        weight | вес (signals)
            How much the rule counts.
            Насколько правило важно.
            = 1
        """
    ),
)

RULES = element(
    """
    rules | правила
        A table of rules: a term of the output for every pair of terms of two variables, row by row.
        Таблица правил: терм выхода для каждой пары термов двух переменных, по строкам.
        <rules of="error, rate" for="force" terms="left, left, none; left, none, right; none, right, right"/>
        <правила от="ошибка, скорость" для="сила" термы="влево, влево, ноль; влево, ноль, вправо; ноль, вправо, вправо"/>
    """,
    attributes=rows(
        """
        of | от (text) !
            One variable, or two: rows, then columns.
            Одна переменная или две: строки, затем столбцы.
        for | для (text) !
            The output.
            Выход.
        terms | термы (text) !
            Its terms, separated by commas.
            Его термы, через запятую.
        """
    ),
)

USE = element(
    """
    use | применить
        A sub-scheme at work: attributes named after its ports join them. Its signals are NAME.signal.
        Подсхема в работе: к её портам присоединяют одноимённые атрибуты. Её сигналы — ИМЯ.сигнал.
        <use name="joint 1" scheme="axis" target="30 deg" angle="angle(shoulder)" speed="rate(shoulder)"/>
        <применить имя="сустав 1" схема="ось" цель="30 град" угол="угол(плечо)" скорость="угловая_скорость(плечо)"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the use: names of its signals begin with it.
            Имя применения: с него начинаются имена сигналов.
        scheme | схема (text) !
            The scheme with ports.
            Схема с портами.
        """
    ),
    open="ports",
)

OUTPUT = element(
    """
    output | вывод
        What a scheme asks of a motor: a force or moment, a voltage, a current, a speed or a position, as the unit of the
            signal says; or whether its brake is on.
        Что схема требует от привода: сила или момент, напряжение, ток, скорость или положение — по единице сигнала; или
            включён ли его тормоз.
        <output motor="arm" from="u"/>
        <вывод привод="рука" от="u"/>
    """,
    attributes=rows(
        """
        motor | привод (motor) !
            The motor.
            Привод.
        from | от (signals)
            A signal, or an expression of signals.
            Сигнал или выражение от сигналов.
        brake | тормоз (signals)
            A condition: while it is true, the brake of the motor is on. A plain number is the part of its force, 0 to 1.
            Условие: пока оно верно, тормоз привода включён. Просто число — доля его силы, от 0 до 1.
        """
    ),
)
