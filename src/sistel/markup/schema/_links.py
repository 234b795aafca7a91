"""What the tree of bodies does not say: links, structures and transitions."""

from __future__ import annotations

from sistel.markup.schema._rows import (
    HOLDS,
    IMPACT,
    JOINT_FORCES,
    RESTITUTION,
    SIDES,
    SPATIAL_SIDES,
    TIES,
    element,
    rows,
)

LINKS = element(
    """
    links | связи
        What the tree of bodies does not say: cut joints, contacts, locks, the structures of the system and the
            transitions between them.
        То, чего не говорит дерево тел: разорванные сочленения, контакты, замки, структуры системы и переходы между
            ними.
        <links><closure name="B" joint="revolute" body="coupler" at="500,0" to="rocker" at-to="300,0"/></links>
        <связи><замыкание имя="B" КП="ВКП" тело="шатун" место="500,0" к="коромысло" место-к="300,0"/></связи>
    """,
    children=(*TIES, "transition", "repeat"),
)

JOINT = element(
    """
    joint | сочленение
        A joint of two bodies in a description without nesting. Where such joints form loops, sistel finds them and
            cuts them itself.
        Сочленение двух тел в описании без вложенности. Если такие сочленения образуют циклы, система находит и
            разрывает их сама.
        <joint name="A" body="crank" at="200,0" to="coupler" at-to="0,0"/>
        <сочленение имя="A" тело="кривошип" место="200,0" к="шатун" место-к="0,0"/>
    """,
    attributes=(
        *rows(
            """
            name | имя (new name) !
                Name of the joint.
                Имя сочленения.
            joint | КП (joint)
                Type.
                Тип.
                = revolute | ВКП
            """
        ),
        *SIDES,
        *SPATIAL_SIDES,
        *rows(
            """
            min | min мин (position)
                Least values of the coordinates.
                Наименьшие значения координат.
            max | max макс (position)
                Greatest values of the coordinates.
                Наибольшие значения координат.
            """
        ),
        *JOINT_FORCES,
    ),
)

CLOSURE = element(
    """
    closure: closure cut | замыкание разрыв
        A cut joint, which closes a loop of the tree.
        Разорванное сочленение, замыкающее цикл дерева.
        <closure name="B" joint="revolute" body="coupler" at="500,0" to="rocker" at-to="300,0"/>
        <замыкание имя="B" КП="ВКП" тело="шатун" место="500,0" к="коромысло" место-к="300,0"/>
    """,
    attributes=(
        *rows(
            """
            name | имя (new name) !
                Name of the closure.
                Имя замыкания.
            joint | КП (joint)
                Type of the cut joint.
                Тип разорванного сочленения.
                = revolute | ВКП
            """
        ),
        *SIDES,
        *SPATIAL_SIDES,
        HOLDS,
    ),
)

CONTACT = element(
    """
    contact | контакт
        A point or a round shape that may rest on a surface. The gap is the difference of the two sides of the equation, the distance to
            the surface where it is a line or plane with a unit normal; it is positive on the free side: the side that
            an inequality names, or the side away from gravity for an equation. The gap of a round shape is its distance
            from the surface; the place where it touches moves on it as it rolls.
        Точка или круглая фигура, которая может опираться на поверхность. Зазор — разность сторон уравнения (для прямой или плоскости с
            единичной нормалью — расстояние до неё), положительная со свободной стороны: её называет неравенство, а для
            уравнения это сторона против тяжести. Зазор круглой фигуры — её расстояние до поверхности; место
            касания перемещается по ней при качении.
        <contact name="L" point="left foot" surface="y = 0" friction="0.8"/>
        <контакт имя="Л" точка="стопа_л" поверхность="y = 0" трение="0.8"/>
    """,
    attributes=(
        *rows(
            """
            name | имя (new name) !
                Name of the contact.
                Имя контакта.
            point | точка (point or frame)
                The point.
                Точка.
            of | чего (shape)
                A named sphere, circle or wheel instead of `point`, a wheel on flat surfaces; with `to` also a polygon or a box.
                Именованный шар, круг или колесо вместо `точка`, колесо на плоских поверхностях; с `к` также многоугольник или коробка.
            to | к (shape)
                Instead of `surface`: the shape of the world or of another body that it may touch, or `world` for all obstacles.
                Вместо `поверхность`: фигура мира или другого тела, которой она может касаться, или `мир` — все препятствия.
            surface | поверхность (surface)
                Equation or inequality in x, y (and z); lengths in mm unless units are written.
                Уравнение или неравенство в x, y (и z); длины в мм, если единицы не указаны.
            on | на (body)
                Body whose frame the surface is in.
                Тело, в осях которого задана поверхность.
                = the ground | земля
            friction | трение (friction)
                stick, none, or a coefficient.
                сцепление, нет или коэффициент.
                = stick | сцепление
            rolls | катится (rolling)
                ideal: the shape never slips and never comes off; a coefficient of friction then serves `margin` alone.
                идеально: фигура не проскальзывает и не отрывается; коэффициент трения тогда нужен только для `запас`.
                = stick and slip by friction | сцепление и скольжение по трению
            rolling | качение (length)
                Resistance to rolling, of a circle, a wheel or a sphere: the greatest moment for a unit normal force. Below it what is at rest
                    stays there.
                Сопротивление качению круга, колеса или шара: наибольший момент на единицу нормальной силы. Пока момент меньше,
                    покоящееся остаётся на месте.
                = 0
            spinning | верчение (length)
                Friction of spin, of a sphere or a wheel: the greatest moment about the normal for a unit normal force.
                Трение верчения шара или колеса: наибольший момент вокруг нормали на единицу нормальной силы.
                = 0
            speed | скорость (formula of a speed)
                Speed of the surface along itself, as of a belt, in the plane: to the right as seen from the free side above; may depend
                    on the time. What sticks goes with it.
                Скорость поверхности вдоль себя, как у ленты, на плоскости: вправо, если свободная сторона сверху; может
                    зависеть от времени. Что держится, едет с ней.
                = 0
            """
        ),
        IMPACT,
        RESTITUTION,
    ),
)

BLADE = element(
    """
    blade | полоз
        A blade, a skate or the keel of a sledge: its point does not move across it, and is free along it. It holds
            velocities, not places.
        Полоз, лезвие конька или киль саней: точка не движется поперёк него и свободна вдоль. Держит скорости, а не
            места.
        <blade name="runner" point="heel" across="y"/>
        <полоз имя="лезвие" точка="пятка" поперёк="y"/>
    """,
    attributes=(
        *rows(
            """
            name | имя (new name) !
                Name of the blade.
                Имя полоза.
            point | точка (point or frame) !
                The point.
                Точка.
            across | поперёк поперек (axis)
                Direction in which the point does not move, in the frame of its body.
                Направление, вдоль которого точка не движется, в осях её тела.
                = y
            on | на (body)
                Body that it cuts into.
                Тело, в которое он врезается.
                = the ground | земля
            """
        ),
        HOLDS,
    ),
)

TRACK = element(
    """
    track | гусеница
        A track under a hull that moves in a plane: patches in a row, each pressed by its part of the load, with friction
            against the ground, firm or soft; or an ideal one. Slip is the velocity of the hull there less that of the belt.
        Гусеница под корпусом, который движется в плоскости: ряд участков, каждый прижат своей долей нагрузки и трётся о
            землю, твёрдую или мягкую; или идеальная. Скольжение — скорость корпуса в этом месте без скорости ленты.
        <track name="left" of="hull" rear="-300, 250, 0" front="300, 250, 0" drive="left sprocket" radius="90" friction="0.6"/>
        <гусеница имя="левая" чего="корпус" зад="-300, 250, 0" перёд="300, 250, 0" ведёт="левая звёздочка" радиус="90"
            трение="0.6"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the track; its patches are called after it, `left 1` being the rearmost.
            Имя гусеницы; участки называются по ней, `левая 1` — самый задний.
        of | чего (body) !
            The hull: a body with a planar joint on the ground.
            Корпус: тело с парой ПлКП на земле.
        rear | зад (place) !
            Where the part on the ground begins, in the hull.
            Где начинается опорная часть, в осях корпуса.
        front | перёд перед (place) !
            Where it ends; forwards is from the rear to here.
            Где она кончается; вперёд — от зада сюда.
        patches | участки (whole)
            How many equal parts it is made of; each touches in its middle.
            Из скольких равных участков она состоит; каждый касается серединой.
            = 6
        drive | ведёт ведет (coordinate) !
            The sprocket: a body on the hull that turns about an axis across the track.
            Звёздочка: тело на корпусе, вращающееся вокруг оси поперёк гусеницы.
        radius | радиус (length) !
            Radius on which the sprocket moves the belt.
            Радиус, на котором звёздочка ведёт ленту.
        friction | трение (ratio)
            Coefficient of friction on the ground.
            Коэффициент трения о землю.
        shear | сдвиг (length)
            Of soft ground: its shear modulus K. After a shear by j, friction has come to the part 1 - exp(-j/K) of what
                it is at most (Janosi and Hanamoto).
            У мягкой земли: модуль сдвига K. После сдвига на j трение достигает доли 1 - exp(-j/K) наибольшего (Яноши и
                Ханамото).
        rolls | катится (rolling)
            ideal: the hull turns about fixed centres, whatever the forces, and nothing rubs.
            идеально: корпус поворачивает вокруг постоянных центров при любых силах, и ничто не трётся.
        widening | уширение (ratio)
            Of an ideal track: how many times as far from the middle of the hull as the track its centre of rotation is,
                often written as χ.
            У идеальной гусеницы: во сколько раз центр её поворота дальше от середины корпуса, чем она сама; часто χ.
            = 1
        """
    ),
)

LOCK = element(
    """
    lock | замок
        Holds a joint still, or holds two bodies together as they are when the lock closes.
        Держит сочленение неподвижным или держит два тела вместе так, как застал их.
        <lock name="grip" body="load" to="hand"/>
        <замок имя="хват" тело="груз" к="кисть"/>
    """,
    attributes=(
        *rows(
            """
            name | имя (new name) !
                Name of the lock.
                Имя замка.
            of | чего (coordinates)
                Coordinates that are held.
                Координаты, которые держит.
            body | тело (body)
                A body held to `to`.
                Тело, которое держится за `к`.
            to | к (body)
                The body that holds it; 0 is the ground.
                Тело, которое его держит; 0 — земля.
            """
        ),
        HOLDS,
    ),
)

COUNTER = element(
    """
    counter | счётчик счетчик
        A number that only transitions change; conditions, forces and motions read it as counter(name).
        Число, которое меняют только переходы; условия, силы и движения читают его как счётчик(имя).
        <counter name="steps"/>
        <счётчик имя="шаги"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the counter.
            Имя счётчика.
        value | значение (ratio)
            Its value at the start.
            Значение в начале.
            = 0
        """
    ),
)

STRUCTURE = element(
    """
    structure | структура
        A structure that the system can take: which links hold in it, which joints change their type.
        Структура, которую может принять система: какие связи в ней держат, какие сочленения меняют тип.
        <structure name="on the left" holds="L"/>
        <структура имя="на левой" держит="Л"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the structure.
            Имя структуры.
        holds | держит (links)
            Links that hold, besides those that always do.
            Связи, которые держат, кроме тех, что держат всегда.
        slides | скользит (contacts)
            Contacts that hold and slide: the point stays on the surface, and friction acts against its motion.
            Контакты, которые держат и скользят: точка остаётся на поверхности, трение действует против движения.
        body | тело (body)
            A body whose joint has another type here.
            Тело, сочленение которого здесь имеет другой тип.
        joint | КП (joint)
            That type.
            Этот тип.
        about | вокруг (point or frame)
            Point at which that joint sits.
            Точка, в которой находится это сочленение.
            = the pole of the body | полюс тела
        class | класс (class)
            Class as the author sees it.
            Класс по мнению автора.
        """
    ),
    children=("change", "repeat"),
)

CHANGE = element(
    """
    change | замена
        A further change of a joint's type in a structure.
        Ещё одна замена типа сочленения в структуре.
        <change body="trunk" joint="revolute" about="heel"/>
        <замена тело="корпус" КП="ВКП" вокруг="пятка"/>
    """,
    attributes=rows(
        """
        body | тело (body) !
            The body.
            Тело.
        joint | КП (joint) !
            The type.
            Тип.
        about | вокруг (point or frame)
            Point at which the joint sits.
            Точка, в которой находится сочленение.
            = the pole of the body | полюс тела
        """
    ),
)

TRANSITION = element(
    """
    transition | переход
        A passage from one structure to another on a condition. Where several conditions come true at once, the
            greatest priority wins, then the first in the file.
        Переход от одной структуры к другой по условию. Если одновременно выполняется несколько условий, побеждает
            больший приоритет, затем первый в файле.
        <transition from="flight" to="stance" when="gap(L) falls through 0" impact="plastic"/>
        <переход из="полёт" в="опора" когда="зазор(Л) падает через 0" удар="пластический"/>
    """,
    attributes=(
        *rows(
            """
            name | имя (new name)
                Name of the transition.
                Имя перехода.
            from | из (structures)
                Structures that it leaves.
                Структуры, из которых выходит.
                = any | любая
            to | в (structure) !
                Structure that it enters.
                Структура, в которую входит.
            when | когда (condition) !
                The condition.
                Условие.
            hysteresis | гистерезис (numbers)
                How far a comparison must pass its threshold to count, with its unit; several numbers for comparisons
                    of several dimensions. Two opposite transitions with one threshold then have a band between them.
                Насколько сравнение должно превысить свой порог, с единицей; несколько чисел — для сравнений разной
                    размерности. Между двумя встречными переходами с одним порогом тогда лежит полоса.
            """
        ),
        IMPACT,
        RESTITUTION,
        *rows(
            """
            strikes | ударяют (contacts)
                Contacts that strike in the transition. Those that do not hold afterwards may bounce off.
                Контакты, ударяющие при переходе. Те, что потом не держат, могут отскочить.
                = those that begin to hold; where none does, those whose gap the condition asks for | те, что начинают
                    держать; если таких нет — те, чей зазор назван в условии
            engage | сцепить (engagement)
                How links begin to hold: closed, where they must meet, or as it is, where couplings keep the offset
                    they find (a clutch).
                Как связи начинают держать: сомкнутыми, тогда они должны сойтись, или как есть: передачи сохраняют
                    сдвиг, который застали (муфта).
                = closed | сомкнутыми
            within | допуск (numbers)
                How far apart links that begin to hold may be, with its unit: they are then pulled together, and the
                    run says so. A length, an angle, or both.
                Насколько могут расходиться связи, которые начинают держать, с единицей: тогда они стягиваются, и
                    расчёт сообщает об этом. Длина, угол или оба.
                = 0.0001 mm, 0.000006 deg | 0.0001 мм, 0.000006 град
            counts | считает (counters)
                Counters that grow by one.
                Счётчики, которые растут на единицу.
            priority | приоритет (ratio)
                The greater goes first.
                Больший идёт первым.
                = 0
            """
        ),
    ),
    children=("set", "impulse", "repeat"),
)

SET = element(
    """
    set | задать
        Gives a coordinate or a counter a new value when the transition happens: coordinates before the impact,
            velocities after it. Formulas see the state before the transition.
        Даёт координате или счётчику новое значение при переходе: координате до удара, скорости после него. Формулы
            видят состояние до перехода.
        <set of="wheel" value="angle(wheel) - 45 deg"/>
        <задать чего="колесо" значение="угол(колесо) - 45 град"/>
    """,
    attributes=rows(
        """
        of | чего (coordinate or counter) !
            The coordinate or counter.
            Координата или счётчик.
        value | значение (formula of a position)
            Its new value.
            Её новое значение.
        rate | скорость (formula of a rate)
            Its new velocity.
            Её новая скорость.
        """
    ),
)

IMPULSE = element(
    """
    impulse | импульс
        An impulse of a law of one's own that acts in the transition, after coordinates are set and before the impact
            rule. Links that hold afterwards keep holding. Formulas see the state before the transition.
        Импульс по собственному закону, действующий при переходе: после задания координат и до правила удара. Связи,
            которые держат потом, держат и при нём. Формулы видят состояние до перехода.
        <impulse of="floor" value="(1 + e)*m*approach(floor)"/>
        <импульс чего="пол" значение="(1 + e)*m*сближение(пол)"/>
    """,
    attributes=rows(
        """
        of | чего (contact or coordinate) !
            The contact or coordinate on which it acts.
            Контакт или координата, на которые он действует.
        value | значение (impulse) !
            Of a contact: along its normal, and along its tangent in the sense of `slip` (in space along the slip). Of
                a coordinate that turns it is in N·m·s.
            Для контакта: вдоль нормали и вдоль касательной в направлении `скольжение` (в пространстве — вдоль
                скольжения). Для угловой координаты — в Н·м·с.
        """
    ),
)
