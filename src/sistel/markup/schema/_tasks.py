"""Tasks: what is asked of a model whose file stays as it is."""

from __future__ import annotations

from sistel.markup.schema._rows import element, rows, turn

_NAME = rows(
    """
    name | имя (text)
        What the problem is called in results.
        Как задача называется в ответах.
    """
)

_REPORT = rows(
    """
    report | отчёт отчет (report)
        Wanted quantities, with commas between them: expressions of the language, and in runs the words of reports.
        Искомые величины через запятую: выражения языка, а для запусков и слова отчётов.
    structure | структура (structure)
        The structure in which it is asked.
        Структура, в которой спрашивается.
        = the initial one | начальная
    """
)

_STATE = rows(
    """
    posture | поза (posture)
        A posture of the model.
        Поза модели.
        = the start of the model | начало модели
    joints | сочленения (position)
        Coordinates in the order of the model, instead of a posture.
        Координаты в порядке модели вместо позы.
    """
)

_RATES = rows(
    """
    rates | скорости (rate)
        Velocities of the coordinates, in the same order.
        Скорости координат в том же порядке.
        = 0
    accelerations | ускорения (joint acceleration)
        Their accelerations.
        Их ускорения.
        = 0
    """
)

_LOAD = rows(
    """
    load | груз (mass)
        A mass that is carried, as a point.
        Переносимая масса, точечная.
        = 0
    force | сила (constant force)
        A force that acts besides, in the axes of the ground.
        Ещё одна сила, в осях земли.
        = 0
    at | где (body, point or frame)
        Where the load hangs and the force acts.
        Где висит груз и действует сила.
    """
)

TASK = element(
    """
    task | задача
        A task: the root of a file. It names a model and says what is wanted of it; the file of the model stays as it is.
        Задача: корень файла. Называет модель и говорит, что о ней нужно узнать; файл модели остаётся прежним.
        <task name="reach" model="arm.xml"><kinematics frame="hand" joints="30, 45"/></task>
        <задача имя="досягаемость" модель="arm.xml"><кинематика репер="hand" сочленения="30, 45"/></задача>
    """,
    attributes=rows(
        """
        name | имя (text)
            Name of the task.
            Имя задачи.
            = the name of the file | имя файла
        model | модель (file) !
            File of the model, in the folder of the task or below.
            Файл модели в папке задачи или ниже.
        about | описание (text)
            A sentence for people.
            Предложение для людей.
        question | условие (text)
            The text of a sheet. Braces hold values: {l} is a parameter that is varied, with its unit.
            Текст листа. В скобках значения: {l} — варьируемый параметр с единицей.
        """
    ),
    children=("vary", "kinematics", "statics", "dynamics", "control", "identification", "synthesis"),
)

VARY = element(
    """
    vary | варьировать
        A parameter of the model that differs from variant to variant of a task sheet.
        Параметр модели, который меняется от варианта к варианту листа задач.
        <vary parameter="l" from="300 mm" to="800 mm" step="50 mm"/>
        <варьировать параметр="l" от="300 мм" до="800 мм" шаг="50 мм"/>
    """,
    attributes=rows(
        """
        parameter | параметр (parameter) !
            Its name.
            Его имя.
        from | от (ratio) !
            Least value, with its unit.
            Наименьшее значение с единицей.
        to | до (ratio) !
            Greatest value.
            Наибольшее значение.
        step | шаг (ratio) !
            Between neighbouring values.
            Между соседними значениями.
        """
    ),
)

KINEMATICS = element(
    """
    kinematics | кинематика
        Direct: where a frame is for given joints, how it moves and accelerates. Inverse, with `place`: which joints
            bring it there, in all branches.
        Прямая: где репер при данных координатах, его скорость и ускорение. Обратная, с `место`: при каких координатах
            он там, по всем ветвям.
        <kinematics frame="hand" joints="30, 45" rates="10, 0" report="distance(hand)"/>
        <кинематика репер="рука" сочленения="30, 45" скорости="10, 0" отчёт="расстояние(рука)"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            frame | репер (body, point or frame)
                What is asked about.
                О чём спрашивается.
            """
        ),
        *_STATE,
        *_RATES,
        *rows(
            """
            place | место (place)
                Where the frame should be: the inverse problem.
                Где должен быть репер: обратная задача.
            """
        ),
        turn(),
        *rows(
            """
            velocity | движение (velocity)
                Velocity that the frame should have there; the rates of the joints are found.
                Скорость, которую репер должен там иметь; находятся скорости сочленений.
            """
        ),
        *_REPORT,
    ),
)

_TIMES = rows(
    """
    times | моменты (times)
        When quantities are told.
        Когда сообщать величины.
        = the end | конец
    """
)

STATICS = element(
    """
    statics | статика
        Forces that hold a posture under weight and loads, an equilibrium, or the largest load that motors hold.
        Силы, которые держат позу под весом и грузом, равновесие или наибольший груз, который держат приводы.
        <statics joints="30, 45" load="0.5 kg" at="hand"/>
        <статика сочленения="30, 45" груз="0.5 кг" где="рука"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            find | найти (statics)
                What is wanted.
                Что нужно найти.
                = forces | силы
            """
        ),
        *_STATE,
        *_LOAD,
        *_REPORT,
    ),
)

DYNAMICS = element(
    """
    dynamics | динамика
        Direct, with `until`: a run, quantities at times, extrema, events. Inverse: forces, powers and reactions along
            a `motion`, or in a state with given `accelerations`.
        Прямая, с `до`: запуск, величины в моменты времени, экстремумы, события. Обратная: силы, мощности и реакции
            вдоль `движения` или в состоянии с данными `ускорениями`.
        <dynamics until="2 s" report="angle(rod), highest(speed(P1))"/>
        <динамика до="2 с" отчёт="угол(стержень), максимум(скорость(P1))"/>
    """,
    attributes=(
        *_NAME,
        *_STATE,
        *_RATES,
        *rows(
            """
            motion | движение (file)
                A table of motion, an HTML file.
                Таблица движения, файл HTML.
            until | до (time)
                How long a run lasts.
                Сколько длится запуск.
            """
        ),
        *_TIMES,
        *_LOAD,
        *_REPORT,
    ),
)

CONTROL = element(
    """
    control | управление
        A controlled run, and how well quantities follow: overshoot, settling, rise, steady error.
        Управляемый запуск и его качество: перерегулирование, время регулирования и нарастания, ошибка.
        <control until="2 s" report="overshoot(angle(arm), 30 deg)"/>
        <управление до="2 с" отчёт="перерегулирование(угол(рука), 30 град)"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            scheme | схема (file)
                A file whose schemes are added to the model.
                Файл, схемы которого добавляются к модели.
                = the schemes of the model | схемы модели
            until | до (time) !
                How long the run lasts.
                Сколько длится запуск.
            """
        ),
        *_STATE,
        *_TIMES,
        *_REPORT,
    ),
)

IDENTIFICATION = element(
    """
    identification | идентификация
        Parameters of the model from measured data: those with which a run comes nearest to them.
        Параметры модели по измерениям: те, при которых запуск к ним ближе всего.
        <identification data="swing.csv" parameters="L, c"/>
        <идентификация данные="swing.csv" параметры="L, c"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            data | данные (file) !
                A CSV table: a column with the time, and columns headed by expressions of the language, with units in
                    square brackets: `t [s], angle(rod) [deg]`.
                Таблица CSV: столбец времени и столбцы, озаглавленные выражениями языка с единицами в квадратных
                    скобках: `t [с], угол(стержень) [град]`.
            parameters | параметры (parameters) !
                Names of the parameters that are wanted; the search begins at the values of the model.
                Имена искомых параметров; поиск начинается со значений модели.
            confidence | доверие (ratio)
                Probability of the intervals.
                Вероятность интервалов.
                = 0.95
            """
        ),
    ),
)

SYNTHESIS = element(
    """
    synthesis | синтез
        An arm for a purpose: reach, payload and time of a cycle in, link lengths and motors out.
        Манипулятор под задачу: по досягаемости, грузу и времени цикла — длины звеньев и приводы.
        <synthesis frame="hand" parameters="l1, l2" reach="0.8 m" payload="2 kg" cycle="1.5 s" motors="motors.xml"/>
        <синтез репер="рука" параметры="l1, l2" досягаемость="0.8 м" груз="2 кг" цикл="1.5 с" приводы="motors.xml"/>
    """,
    attributes=(
        *_NAME,
        *rows(
            """
            frame | репер (body, point or frame) !
                The tool.
                Инструмент.
            parameters | параметры (parameters) !
                Parameters of the model that are lengths of links, between their least and greatest values.
                Параметры модели — длины звеньев, между их наименьшими и наибольшими значениями.
            reach | досягаемость (length) !
                How far from the shoulder the tool has to come.
                Как далеко от плеча должен доставать инструмент.
            payload | груз (mass)
                What it carries.
                Что он несёт.
                = 0
            cycle | цикл (time) !
                Time of a cycle: there and back between two postures.
                Время цикла: туда и обратно между двумя позами.
            between | между (postures)
                The two postures of the cycle.
                Две позы цикла.
                = the first two postures of the model | первые две позы модели
            motors | приводы (file) !
                A table of motors, an XML file, the most welcome first.
                Таблица приводов, файл XML, начиная с самого желанного.
            """
        ),
    ),
)

MOTORS = element(
    """
    motors | приводы
        A table of motors: the root of a file. The first that does is taken.
        Таблица приводов: корень файла. Берётся первый подходящий.
        <motors><motor name="EC 45" limit="12 N*m" speed="180 deg/s"/></motors>
        <приводы><привод имя="EC 45" предел="12 Н*м" скорость="180 град/с"/></приводы>
    """,
    children=("motor",),
)
