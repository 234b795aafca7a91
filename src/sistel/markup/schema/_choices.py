"""The words that attributes choose from: joint types, impact rules and the like, in both languages."""

from __future__ import annotations

from sistel.described import entries
from sistel.errors import Text
from sistel.markup.schema._kinds import Choice, Keyword


def choices(table: str) -> Keyword:
    """Words to choose from: key and spellings, those of both languages last; then what the word means.

    English spellings stand behind the key where there are others than the key itself.
    """
    return Keyword(choices=tuple(_choice(typed, texts) for typed, texts in entries(table)))


def _choice(typed: str, texts: list[str]) -> Choice:
    names, russian, *both = typed.split(" | ")
    key, _, english = names.partition(": ")
    return Choice(
        key=key,
        en=tuple((english or key).split(", ")),
        ru=tuple(russian.split(", ")),
        both=tuple(word for words in both for word in words.split(", ")),
        doc=Text(*texts),
    )


JOINTS = choices(
    """
    prismatic: prismatic, slide, slider | ПКП1, ПКП, поступательная | 0
        one slide along the axis (1 coordinate)
        одно скольжение вдоль оси (1 координата)
    revolute: revolute, hinge | ВКП, вращательная, шарнир | 1
        one turn about the axis (1 coordinate)
        один поворот вокруг оси (1 координата)
    prismatic2: prismatic2, slide2 | ПКП2 | 2
        planar systems: slides along x and y without turning (2 coordinates)
        плоские системы: скольжения вдоль x и y без поворота (2 координаты)
    free | СКП, свободная | 3
        no mechanical contact: x, y, angle in the plane (3 coordinates); a quaternion and x, y, z in space (7
            coordinates, 6 velocities)
        без механического контакта: x, y, угол на плоскости (3 координаты); кватернион и x, y, z в пространстве (7
            координат, 6 скоростей)
    fixed: fixed, weld | ЖКП, жёсткая, жесткая
        no relative motion (0 coordinates)
        нет относительного движения (0 координат)
    cylindrical | ЦКП, цилиндрическая
        spatial systems: a turn about and a slide along one axis (2 coordinates: angle, slide)
        пространственные системы: поворот вокруг оси и скольжение вдоль неё (2 координаты: угол, ход)
    universal: universal, cardan | УКП, универсальная, карданная
        spatial systems: a turn about `axis`, then a turn about the moved `axis2` (2 coordinates)
        пространственные системы: поворот вокруг `ось`, затем вокруг повёрнутой `ось2` (2 координаты)
    spherical: spherical, ball | ШКП, сферическая, шаровая
        spatial systems: any rotation about a point (4 coordinates, a quaternion; 3 velocities)
        пространственные системы: любой поворот вокруг точки (4 координаты, кватернион; 3 скорости)
    planar | ПлКП, плоскостная
        spatial systems: two slides in the plane normal to the axis and a turn about it (3 coordinates). The first
            slide is along the body's x projected on that plane (its y where x is the axis), the second at a right
            angle to it
        пространственные системы: два скольжения в плоскости, нормальной к оси, и поворот вокруг неё (3 координаты).
            Первое скольжение — вдоль проекции оси x тела на эту плоскость (оси y, если ось — x), второе под прямым
            углом к нему
    """
)

SPACES = choices(
    """
    planar: planar, 2D | плоская, 2Д
        bodies move in parallel planes
        тела движутся в параллельных плоскостях
    spatial: spatial, 3D | пространственная, 3Д
        bodies move in space
        тела движутся в пространстве
    """
)

CLASSES = Keyword(
    choices=(
        *(
            Choice(key=planar + key, en=(word + en,), ru=(planar + key,), doc=Text(word + en, слово + ru))
            for planar, word, слово in (("", "", ""), ("П", "planar ", "плоская "))
            for key, en, ru in (
                ("СТОВ", "open chain", "система тел с одной открытой ветвью"),
                ("СТВ", "closed chain", "система тел с одной замкнутой ветвью"),
                ("ДСТОВ", "open tree", "древовидная система тел с открытыми ветвями"),
                ("ДСТВ", "closed tree", "древовидная система тел с замкнутыми ветвями"),
                ("ДСТ", "changing tree", "система тел с изменяющейся структурой"),
            )
        ),
    )
)

IMPACTS = choices(
    """
    plastic | пластический, неупругий
        the velocities that the new links forbid vanish
        скорости, запрещённые новыми связями, гаснут
    newton: newton, elastic | ньютон, упругий
        normal velocity is reversed times `restitution`; friction acts within its cone
        нормальная скорость меняет знак и умножается на `восстановление`; трение действует в пределах конуса
    poisson | пуассон
        normal impulse of compression is returned times `restitution`; friction acts within its cone
        нормальный импульс сжатия возвращается, умноженный на `восстановление`; трение действует в пределах конуса
    coulomb: coulomb, frictional | кулон, фрикционный
        as newton, for contacts with a coefficient: the impulse stays inside the friction cone, and the point sticks or
            slides
        как ньютон, для контактов с коэффициентом: импульс не выходит из конуса трения, точка сцепляется или скользит
    none: none, smooth | нет, плавный
        velocities do not jump
        скорости не меняются скачком
    """
)

FRICTIONS = choices(
    """
    stick | сцепление, залипание
        the point does not slide while the contact holds
        точка не скользит, пока контакт держит
    none: none, smooth | нет, гладко
        no friction: the point slides freely
        трения нет: точка скользит свободно
    """
)

ROLLINGS = choices(
    """
    ideal | идеально
        it never slips and never comes off: where it touches, the shape has the velocity of the surface
        не проскальзывает и не отрывается: в месте касания скорость фигуры равна скорости поверхности
    """
)

FREE_SIDES = choices(
    """
    left | слева
        the side on the left of who goes along it, as a picture shows it
        сторона слева от идущего вдоль неё, как на рисунке
    right | справа
        the side on the right
        сторона справа
    """
)

STOP_SIDES = choices(
    """
    min | мин
        at the lower limit
        у нижнего предела
    max | макс
        at the upper limit
        у верхнего предела
    both | оба
        at both limits
        у обоих пределов
    """
)

FORCE_FRAMES = choices(
    """
    world | земля, мир
        axes of the ground
        оси земли
    body | тело
        axes of the body
        оси тела
    """
)

INTERPOLATIONS = choices(
    """
    cubic | кубическая
        cubic pieces with zero speed at every row
        кубические куски с нулевой скоростью в каждой строке
    quintic | пятой степени
        zero speed and acceleration at every row
        нулевые скорость и ускорение в каждой строке
    linear | линейная
        straight pieces
        отрезки прямых
    spline | сплайн
        a cubic spline through the rows, at rest at both ends
        кубический сплайн через строки, покой на концах
    parabolic | параболическая
        constant acceleration from row to row and no jumps of the speed, from rest at the first row
        постоянное ускорение от строки к строке без скачков скорости, в первой строке покой
    """
)

ENGAGEMENTS = choices(
    """
    closed | сомкнутыми
        links must meet when they begin to hold
        связи должны сойтись, когда начинают держать
    found: as it is, as found | как есть
        a coupling keeps the offset at which it begins to hold, as a clutch does
        передача сохраняет сдвиг, при котором начинает держать, как муфта
    """
)

CLOCKS = choices(
    """
    zero | ноль
        the time itself
        само время
    entry | вход
        since the structure was entered
        с входа в структуру
    """
)


INPUT_KINDS = choices(
    """
    number | число
        a field for a number, or a slider where it has limits
        поле для числа или, если есть пределы, ползунок
    button | кнопка
        holds while it is pressed
        выполнено, пока нажата
    latching | кнопка-с-фиксацией
        every press changes it
        каждое нажатие меняет
    toggle | тумблер
        a switch with two positions
        переключатель на два положения
    rotary | переключатель
        a switch with several `positions`
        переключатель на несколько `положения`
    slider | ползунок
        any value from `min` to `max`
        любое значение от `min` до `max`
    joystick | джойстик
        two axes from `min` to `max`, back at `value` when it is let go
        две оси от `min` до `max`; отпущенный возвращается в `значение`
    """
)

SENSOR_KINDS = choices(
    """
    position | положение
        where a point is, in the axes of the ground: x, y, z
        где точка, в осях земли: x, y, z
    orientation | ориентация
        how a body is turned, see `as`; in the plane, its angle
        как повёрнуто тело, см. `как`; на плоскости — угол
    joint | сочленение
        a coordinate of a joint
        координата сочленения
    rate | скорость-сочленения
        the velocity of a coordinate of a joint
        скорость координаты сочленения
    velocity | скорость
        the velocity of a point, in the axes of the ground: x, y, z
        скорость точки в осях земли: x, y, z
    gyroscope: gyroscope, gyro | гироскоп
        the angular velocity, in the axes of the sensor: x, y, z; in the plane, a number
        угловая скорость в осях датчика: x, y, z; на плоскости — число
    accelerometer | акселерометр
        the acceleration less gravity, in the axes of the sensor: x, y, z
        ускорение за вычетом тяжести в осях датчика: x, y, z
    magnetometer | магнитометр
        the magnetic field, in the axes of the sensor: x, y, z
        магнитное поле в осях датчика: x, y, z
    compass | компас
        the angle from the magnetic north to the x of the sensor, seen from above
        угол от магнитного севера до оси x датчика при виде сверху
    force | сила
        the force that a joint or a link carries, in the axes of the ground: x, y, z
        сила, которую несёт сочленение или связь, в осях земли: x, y, z
    torque | момент
        the moment that a joint or a link carries, in the axes of the ground: x, y, z; in the plane, a number
        момент, который несёт сочленение или связь, в осях земли: x, y, z; на плоскости — число
    touch | касание
        whether a contact is closed: its gap is `limit` or less
        замкнут ли контакт: его зазор не больше `предел`
    rangefinder | дальномер
        the distance along each ray to what it meets first
        расстояние вдоль каждого луча до первого встреченного
    lidar | лидар
        the same for rays that are spread over angles
        то же для лучей, разложенных по углам
    """
)

SENSOR_FORMS = choices(
    """
    angles | углы
        roll, pitch, heading: about x, then y, then z of the ground
        крен, тангаж, курс: вокруг x, затем y, затем z земли
    quaternion | кватернион
        w, x, y, z
        w, x, y, z
    axes | оси
        the axes of the sensor in those of the ground: xx, xy, xz, yx, …
        оси датчика в осях земли: xx, xy, xz, yx, …
    """
)

BLOCK_KINDS = choices(
    """
    sum | сумма
        the sum of the inputs
        сумма входов
    product | произведение
        the product of the inputs
        произведение входов
    gain | усилитель
        the input times `gain`
        вход, умноженный на `коэффициент`
    min | минимум
        the least of the inputs
        наименьший из входов
    max | максимум
        the greatest of the inputs
        наибольший из входов
    hypot | модуль
        the root of the sum of squares
        корень из суммы квадратов
    vector | вектор
        a vector of the inputs: signals NAME.1, NAME.2 …, or as `parts` names them
        вектор из входов: сигналы ИМЯ.1, ИМЯ.2 … или по именам из `составляющие`
    dot | скалярное-произведение
        the scalar product of two vectors
        скалярное произведение двух векторов
    cross | векторное-произведение
        the vector product of two vectors, with the components x, y, z; of two vectors in the plane, a number
        векторное произведение двух векторов с составляющими x, y, z; для двух векторов на плоскости — число
    unit | орт
        the vector of length 1 along the input; 0 where that has no length
        вектор длины 1 вдоль входа; 0, если длины у входа нет
    matrix | матрица
        the matrix of `values`, row by row, times the input
        матрица из `значения`, по строкам, умноженная на вход
    rotate | поворот
        the vector turned by the quaternion `by`: w, x, y, z, of length 1
        вектор, повёрнутый кватернионом `на`: w, x, y, z, длины 1
    index | выбор
        the input with the number `at`, from 1; beyond the ends the first or the last
        вход с номером `номер`, от 1; за концами первый или последний
    saturation | насыщение
        the input cut by `limit`, or by `low` and `high`
        вход, срезанный по `предел` или по `нижний` и `верхний`
    dead-zone | нечувствительность
        0 within ± `band`, and what goes beyond it
        0 в пределах ± `зона`, иначе то, что за неё выходит
    table | таблица
        straight lines through `points` and `values`; beyond the ends the values stay
        отрезки прямых через `точки` и `значения`; за концами значения постоянны
    and | и
        whether all inputs hold
        верны ли все входы
    or | или
        whether an input holds
        верен ли хотя бы один вход
    not | не
        whether the input does not hold
        неверен ли вход
    xor | исключающее-или
        whether just one of two inputs holds
        верен ли ровно один из двух входов
    switch | переключатель
        the first input where `when` holds, else the second
        первый вход, если верно `когда`, иначе второй
    hysteresis | гистерезис
        true once the input has risen to `high`, false once it has fallen to `low`
        верно, когда вход поднялся до `верхний`, неверно, когда опустился до `нижний`
    relay | реле
        as hysteresis, with the values `on` and `off`
        как гистерезис, со значениями `вкл` и `выкл`
    trigger | триггер
        true once `set` has held, until `reset` does; `reset` comes first
        верно с тех пор, как было верно `установка`, до `сброс`; `сброс` важнее
    sample | выборка
        the input of the last tick at which `when` held
        вход на последнем такте, когда было верно `когда`
    edge | фронт
        true at the tick at which the input begins to hold
        верно на том такте, на котором вход стал верным
    counter | счётчик, счетчик
        how often the input has begun to hold
        сколько раз вход становился верным
    timer | таймер
        for how long the input has held
        сколько времени вход верен
    integrator | интегратор
        the integral of the input, up to the tick before it
        интеграл входа до этого такта
    derivative | производная
        the change of the input since the last tick, by time
        изменение входа с прошлого такта за единицу времени
    lag | инерция
        first order: time · y' = in − y
        первый порядок: время · y' = вход − y
    second-order | колебательное
        second order: time² · y'' + 2 · damping · time · y' = in − y
        второй порядок: время² · y'' + 2 · затухание · время · y' = вход − y
    delay | задержка
        the input of so many ticks before
        вход на столько тактов раньше
    rate-limiter | ограничитель-скорости
        follows the input no quicker than `rate`
        следует за входом не быстрее `скорость`
    mean | среднее
        mean of the inputs of the last `ticks` ticks
        среднее входа за последние `тактов` тактов
    transfer-function | передаточная-функция
        the transfer function `num` / `den`, polynomials of s, highest powers first, in seconds
        передаточная функция `числитель` / `знаменатель`, многочлены от s, старшие степени первыми, в секундах
    notch | режекторный
        takes away oscillations of the period 2π · `time`: (time² s² + 1) / (time² s² + 2 damping time s + 1)
        убирает колебания с периодом 2π · `время`: (время² s² + 1) / (время² s² + 2 затухание время s + 1)
    state-space | пространство-состояний
        x' = A x + B in, and gives C x + D in, times `gain`; all numbers in SI
        x' = A x + B вход; даёт C x + D вход, умноженное на `коэффициент`; все числа в СИ
    kalman | Калман
        estimates x of x⁺ = A x + B in, with noise Q, from `measured` = C x with noise R; numbers in SI
        оценивает x системы x⁺ = A x + B вход с шумом Q по `измерено` = C x с шумом R; числа в СИ
    complementary | комплементарный
        the integral of `rate`, drawn to the angle `in` with the time constant `time`
        интеграл `скорость`, приближаемый к углу `вход` с постоянной времени `время`
    ik | обратная-кинематика
        coordinates of a chain of joints that bring the frame `of` to the place and orientation `in`, as NAME.body; how
            far it is left, NAME.miss, and how askew, NAME.askew
        координаты цепи сочленений, приводящие репер `чего` в положение и ориентацию `вход`: ИМЯ.тело; сколько осталось,
            ИМЯ.miss, и насколько повёрнуто, ИМЯ.askew
    waypoints | промежуточные-точки
        the pose on the straight line from where a tool was to `target` that it is to reach next, with orientations in
            stages: NAME.place, NAME.turn, NAME.number of NAME.count, NAME.reached, NAME.done
        положение на прямой от начального к `цель`, которого рабочий орган достигает следующим, с поэтапной ориентацией:
            ИМЯ.place, ИМЯ.turn, ИМЯ.number из ИМЯ.count, ИМЯ.reached, ИМЯ.done
    drive | привод
        a drive that goes to `in` on trapezoids of speed and holds its joint there: NAME.force for its motor, NAME.position
            and NAME.rate of its set point, NAME.counter, NAME.error, NAME.reached
        привод, который по трапециям скорости идёт к `вход` и держит там своё сочленение: ИМЯ.force для двигателя,
            ИМЯ.position и ИМЯ.rate уставки, ИМЯ.counter, ИМЯ.error, ИМЯ.reached
    computed-torque | вычисленный-момент
        what `motors` have to do so that their joints have the accelerations `in`: NAME.motor
        что должны делать `приводы`, чтобы у их сочленений были ускорения `вход`: ИМЯ.привод
    gravity | компенсация-веса
        what `motors` have to do so that everything stays at rest: NAME.motor
        что должны делать `приводы`, чтобы всё оставалось в покое: ИМЯ.привод
    sugeno | Сугено
        fuzzy rules: the mean of the values of the terms of the output, weighted by how much their rules hold
        нечёткие правила: среднее значений термов выхода с весами, насколько верны их правила
    mamdani | Мамдани
        fuzzy rules: the centroid of the terms of the output, cut by how much their rules hold
        нечёткие правила: центр тяжести термов выхода, срезанных по тому, насколько верны их правила
    p | П
        kp · in
        kp · вход
    pd | ПД
        kp · in + kd · rate
        kp · вход + kd · скорость
    pi | ПИ
        kp · in + integral of ki · in
        kp · вход + интеграл ki · вход
    pid | ПИД
        kp · in + kd · rate + integral of ki · in
        kp · вход + kd · скорость + интеграл ki · вход
    """
)

DRAWN_LINES = choices(
    """
    link | звено
        a bar
        стержень
    plate | пластина
        a link with three or more hinges
        звено с тремя и более шарнирами
    rail | рельс
        what a carriage runs on
        то, по чему ходит каретка
    ground | земля
        the ground, hatched on its right-hand side
        земля, заштрихована справа по ходу
    profile | профиль
        curved ground of the world
        кривая земля мира
    hatch | штриховка
        hatching of a ground that the file draws
        штриховка земли, нарисованной в файле
    spring | пружина
        a spring between two bodies
        пружина между двумя телами
    """
)

DRAWN_MARKS = choices(
    """
    hinge | шарнир
        a hinge
        шарнир
    support | стойка
        a hinge on the ground
        шарнир на земле
    earth | земля
        a tie to the ground
        связь с землёй
    carriage | каретка
        a carriage on a rail
        каретка на рельсе
    guide | направляющая
        a sleeve on a bar
        втулка на стержне
    gripper | схват
        a gripper
        схват
    weld | жёстко
        a rigid tie
        жёсткая связь
    motor | привод
        a motor at the joint
        привод в сочленении
    coil | пружина
        a spring at the joint
        пружина в сочленении
    contact | контакт
        a point that may touch
        точка, которая может коснуться
    """
)

LABEL_SIDES = choices(
    """
    start | начало
        its beginning
        началом
    middle | середина
        its middle
        серединой
    end | конец
        its end
        концом
    """
)

DIMENSION_KINDS = choices(
    """
    length | длина
        a distance of two points
        расстояние между двумя точками
    radius | радиус
        a radius of a circle
        радиус окружности
    """
)

LABEL_KINDS = choices(
    """
    numbers | номера
        numbers of bodies
        номера тел
    names | имена
        names of bodies
        имена тел
    """
)

CHAIN_METHODS = choices(
    """
    ccd | покоординатный-спуск
        one joint after the other, from the tip to the base
        одно сочленение за другим, от конца к основанию
    lm | Левенберг-Марквардт
        all joints at once, Levenberg and Marquardt's method
        все сочленения сразу, метод Левенберга — Марквардта
    """
)

STATICS = choices(
    """
    forces | силы
        driving forces that hold the posture
        движущие силы, которые держат позу
    equilibrium | равновесие
        a posture in which everything balances by itself, near the given one
        поза, в которой всё уравновешено само, вблизи данной
    capacity | грузоподъёмность, грузоподъемность
        the largest mass that the motors hold
        наибольшая масса, которую держат приводы
    """
)

ALL = (
    JOINTS, SPACES, CLASSES, IMPACTS, FRICTIONS, ROLLINGS, FREE_SIDES, STOP_SIDES, FORCE_FRAMES, INTERPOLATIONS, ENGAGEMENTS, CLOCKS,
    DRAWN_LINES, DRAWN_MARKS, LABEL_SIDES, DIMENSION_KINDS, LABEL_KINDS, BLOCK_KINDS, CHAIN_METHODS, INPUT_KINDS, SENSOR_KINDS, SENSOR_FORMS,
    STATICS,
)  # fmt: skip
