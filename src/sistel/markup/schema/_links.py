"""What the tree of bodies does not say: links, structures and transitions."""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup.schema._choices import CLASSES, ENGAGEMENTS, FRICTIONS, JOINTS
from sistel.markup.schema._kinds import (
    Condition,
    CoordinateNumbers,
    ElementSpec,
    Formula,
    Friction,
    NewName,
    Numbers,
    Reference,
    Surface,
)
from sistel.markup.schema._rows import (
    HOLDS,
    IMPACT,
    JOINT_FORCES,
    RATIO,
    RESTITUTION,
    SIDES,
    SPATIAL_SIDES,
    ZERO,
    attribute,
    name,
)
from sistel.units import FORCE, PLAIN, TIME

LINKS = ElementSpec(
    key="links",
    en=("links",),
    ru=("связи",),
    doc=Text(
        "What the tree of bodies does not say: cut joints, contacts, locks, the structures of the system and the transitions between them.",
        "То, чего не говорит дерево тел: разорванные сочленения, контакты, замки, структуры системы и переходы между ними.",
    ),
    attributes=(),
    children=("joint", "closure", "contact", "lock", "coupling", "counter", "structure", "transition"),
    example=Text(
        '<links><closure name="B" joint="revolute" body="coupler" at="500,0" to="rocker" at-to="300,0"/></links>',
        '<связи><замыкание имя="B" КП="ВКП" тело="шатун" место="500,0" к="коромысло" место-к="300,0"/></связи>',
    ),
)

JOINT = ElementSpec(
    key="joint",
    en=("joint",),
    ru=("сочленение",),
    doc=Text(
        "A joint of two bodies in a description without nesting. Where such joints form loops, sistel finds them and cuts them itself.",
        "Сочленение двух тел в описании без вложенности. Если такие сочленения образуют циклы, система находит и разрывает их сама.",
    ),
    attributes=(
        name(True, "joint", "сочленения"),
        attribute("joint", "КП", JOINTS, "Type.", "Тип.", default=("revolute", "ВКП")),
        *SIDES,
        *SPATIAL_SIDES,
        attribute(
            "min",
            "min мин",
            CoordinateNumbers(measure="position"),
            "Least values of the coordinates.",
            "Наименьшие значения координат.",
        ),
        attribute(
            "max",
            "max макс",
            CoordinateNumbers(measure="position"),
            "Greatest values of the coordinates.",
            "Наибольшие значения координат.",
        ),
        *JOINT_FORCES,
    ),
    example=Text(
        '<joint name="A" body="crank" at="200,0" to="coupler" at-to="0,0"/>',
        '<сочленение имя="A" тело="кривошип" место="200,0" к="шатун" место-к="0,0"/>',
    ),
)

CLOSURE = ElementSpec(
    key="closure",
    en=("closure", "cut"),
    ru=("замыкание", "разрыв"),
    doc=Text("A cut joint, which closes a loop of the tree.", "Разорванное сочленение, замыкающее цикл дерева."),
    attributes=(
        name(True, "closure", "замыкания"),
        attribute(
            "joint", "КП", JOINTS, "Type of the cut joint.", "Тип разорванного сочленения.", default=("revolute", "ВКП")
        ),
        *SIDES,
        *SPATIAL_SIDES,
        HOLDS,
    ),
    example=Text(
        '<closure name="B" joint="revolute" body="coupler" at="500,0" to="rocker" at-to="300,0"/>',
        '<замыкание имя="B" КП="ВКП" тело="шатун" место="500,0" к="коромысло" место-к="300,0"/>',
    ),
)

CONTACT = ElementSpec(
    key="contact",
    en=("contact",),
    ru=("контакт",),
    doc=Text(
        "A point that may rest on a surface. The gap is the difference of the two sides of the equation, the distance to the surface where it is a line or plane with a unit normal; it is positive on the free side: the side that an inequality names, or the side away from gravity for an equation.",
        "Точка, которая может опираться на поверхность. Зазор — разность сторон уравнения (для прямой или плоскости с единичной нормалью — расстояние до неё), положительная со свободной стороны: её называет неравенство, а для уравнения это сторона против тяжести.",
    ),
    attributes=(
        name(True, "contact", "контакта"),
        attribute("point", "точка", Reference(to=("point", "frame")), "The point.", "Точка.", required=True),
        attribute(
            "surface",
            "поверхность",
            Surface(),
            "Equation or inequality in x, y (and z); lengths in mm unless units are written.",
            "Уравнение или неравенство в x, y (и z); длины в мм, если единицы не указаны.",
            required=True,
        ),
        attribute(
            "on",
            "на",
            Reference(to=("body",)),
            "Body whose frame the surface is in.",
            "Тело, в осях которого задана поверхность.",
            default=("the ground", "земля"),
        ),
        attribute(
            "friction",
            "трение",
            Friction(words=FRICTIONS),
            "stick, none, or a coefficient.",
            "сцепление, нет или коэффициент.",
            default=("stick", "сцепление"),
        ),
        IMPACT,
        RESTITUTION,
    ),
    example=Text(
        '<contact name="L" point="left foot" surface="y = 0" friction="0.8"/>',
        '<контакт имя="Л" точка="стопа_л" поверхность="y = 0" трение="0.8"/>',
    ),
)

LOCK = ElementSpec(
    key="lock",
    en=("lock",),
    ru=("замок",),
    doc=Text(
        "Holds a joint still, or holds two bodies together as they are when the lock closes.",
        "Держит сочленение неподвижным или держит два тела вместе так, как застал их.",
    ),
    attributes=(
        name(True, "lock", "замка"),
        attribute(
            "of",
            "чего",
            Reference(to=("coordinate",), many=True),
            "Coordinates that are held.",
            "Координаты, которые держит.",
        ),
        attribute("body", "тело", Reference(to=("body",)), "A body held to `to`.", "Тело, которое держится за `к`."),
        attribute(
            "to",
            "к",
            Reference(to=("body",)),
            "The body that holds it; 0 is the ground.",
            "Тело, которое его держит; 0 — земля.",
        ),
        HOLDS,
    ),
    example=Text('<lock name="grip" body="load" to="hand"/>', '<замок имя="хват" тело="груз" к="кисть"/>'),
)

COUPLING = ElementSpec(
    key="coupling",
    en=("coupling",),
    ru=("передача",),
    doc=Text(
        "A gear between two coordinates: of = ratio · to + offset.",
        "Передача между двумя координатами: чего = отношение · к + сдвиг.",
    ),
    attributes=(
        name(True, "coupling", "передачи"),
        attribute(
            "of", "чего", Reference(to=("coordinate",)), "The driven coordinate.", "Ведомая координата.", required=True
        ),
        attribute(
            "to", "к", Reference(to=("coordinate",)), "The driving coordinate.", "Ведущая координата.", required=True
        ),
        attribute(
            "ratio",
            "отношение",
            Numbers(dimension=PLAIN, unit="", size="any"),
            "Ratio. Where one coordinate slides and the other turns, a plain number is in m per rad, or rad per m. Further numbers are the factors of the square, the cube … of the driving coordinate.",
            "Отношение. Если одна координата — скольжение, а другая — поворот, просто число считается в м на рад или рад на м. Следующие числа — множители при квадрате, кубе … ведущей координаты.",
            default=("1", "1"),
        ),
        attribute("offset", "сдвиг", CoordinateNumbers(measure="position"), "Offset.", "Сдвиг.", default=ZERO),
        HOLDS,
    ),
    example=Text(
        '<coupling name="fingers" of="right finger" to="left finger" ratio="-1"/>',
        '<передача имя="пальцы" чего="правый палец" к="левый палец" отношение="-1"/>',
    ),
)

COUNTER = ElementSpec(
    key="counter",
    en=("counter",),
    ru=("счётчик", "счетчик"),
    doc=Text(
        "A number that only transitions change; conditions, forces and motions read it as counter(name).",
        "Число, которое меняют только переходы; условия, силы и движения читают его как счётчик(имя).",
    ),
    attributes=(
        name(True, "counter", "счётчика"),
        attribute("value", "значение", RATIO, "Its value at the start.", "Значение в начале.", default=ZERO),
    ),
    example=Text('<counter name="steps"/>', '<счётчик имя="шаги"/>'),
)

STRUCTURE = ElementSpec(
    key="structure",
    en=("structure",),
    ru=("структура",),
    doc=Text(
        "A structure that the system can take: which links hold in it, which joints change their type.",
        "Структура, которую может принять система: какие связи в ней держат, какие сочленения меняют тип.",
    ),
    attributes=(
        name(True, "structure", "структуры"),
        attribute(
            "holds",
            "держит",
            Reference(to=("closure", "contact", "lock", "coupling"), many=True),
            "Links that hold, besides those that always do.",
            "Связи, которые держат, кроме тех, что держат всегда.",
        ),
        attribute(
            "slides",
            "скользит",
            Reference(to=("contact",), many=True),
            "Contacts that hold and slide: the point stays on the surface, and friction acts against its motion.",
            "Контакты, которые держат и скользят: точка остаётся на поверхности, трение действует против движения.",
        ),
        attribute(
            "body",
            "тело",
            Reference(to=("body",)),
            "A body whose joint has another type here.",
            "Тело, сочленение которого здесь имеет другой тип.",
        ),
        attribute("joint", "КП", JOINTS, "That type.", "Этот тип."),
        attribute(
            "about",
            "вокруг",
            Reference(to=("point", "frame")),
            "Point at which that joint sits.",
            "Точка, в которой находится это сочленение.",
            default=("the pole of the body", "полюс тела"),
        ),
        attribute("class", "класс", CLASSES, "Class as the author sees it.", "Класс по мнению автора."),
    ),
    children=("change",),
    example=Text('<structure name="on the left" holds="L"/>', '<структура имя="на левой" держит="Л"/>'),
)

CHANGE = ElementSpec(
    key="change",
    en=("change",),
    ru=("замена",),
    doc=Text("A further change of a joint's type in a structure.", "Ещё одна замена типа сочленения в структуре."),
    attributes=(
        attribute("body", "тело", Reference(to=("body",)), "The body.", "Тело.", required=True),
        attribute("joint", "КП", JOINTS, "The type.", "Тип.", required=True),
        attribute(
            "about",
            "вокруг",
            Reference(to=("point", "frame")),
            "Point at which the joint sits.",
            "Точка, в которой находится сочленение.",
            default=("the pole of the body", "полюс тела"),
        ),
    ),
    example=Text(
        '<change body="trunk" joint="revolute" about="heel"/>', '<замена тело="корпус" КП="ВКП" вокруг="пятка"/>'
    ),
)

TRANSITION = ElementSpec(
    key="transition",
    en=("transition",),
    ru=("переход",),
    doc=Text(
        "A passage from one structure to another on a condition. Where several conditions come true at once, the greatest priority wins, then the first in the file.",
        "Переход от одной структуры к другой по условию. Если одновременно выполняется несколько условий, побеждает больший приоритет, затем первый в файле.",
    ),
    attributes=(
        attribute("name", "имя", NewName(), "Name of the transition.", "Имя перехода."),
        attribute(
            "from",
            "из",
            Reference(to=("structure",), many=True),
            "Structures that it leaves.",
            "Структуры, из которых выходит.",
            default=("any", "любая"),
        ),
        attribute(
            "to",
            "в",
            Reference(to=("structure",)),
            "Structure that it enters.",
            "Структура, в которую входит.",
            required=True,
        ),
        attribute("when", "когда", Condition(), "The condition.", "Условие.", required=True),
        attribute(
            "hysteresis",
            "гистерезис",
            Numbers(dimension=PLAIN, unit="", size="any"),
            "How far a comparison must pass its threshold to count, with its unit; several numbers for comparisons of several dimensions. Two opposite transitions with one threshold then have a band between them.",
            "Насколько сравнение должно превысить свой порог, с единицей; несколько чисел — для сравнений разной размерности. Между двумя встречными переходами с одним порогом тогда лежит полоса.",
        ),
        IMPACT,
        RESTITUTION,
        attribute(
            "strikes",
            "ударяют",
            Reference(to=("contact",), many=True),
            "Contacts that strike in the transition. Those that do not hold afterwards may bounce off.",
            "Контакты, ударяющие при переходе. Те, что потом не держат, могут отскочить.",
            default=(
                "those that begin to hold; where none does, those whose gap the condition asks for",
                "те, что начинают держать; если таких нет — те, чей зазор назван в условии",
            ),
        ),
        attribute(
            "engage",
            "сцепить",
            ENGAGEMENTS,
            "How links begin to hold: closed, where they must meet, or as it is, where couplings keep the offset they find (a clutch).",
            "Как связи начинают держать: сомкнутыми, тогда они должны сойтись, или как есть: передачи сохраняют сдвиг, который застали (муфта).",
            default=("closed", "сомкнутыми"),
        ),
        attribute(
            "within",
            "допуск",
            Numbers(dimension=PLAIN, unit="", size="any"),
            "How far apart links that begin to hold may be, with its unit: they are then pulled together, and the run says so. A length, an angle, or both.",
            "Насколько могут расходиться связи, которые начинают держать, с единицей: тогда они стягиваются, и расчёт сообщает об этом. Длина, угол или оба.",
            default=("0.0001 mm, 0.000006 deg", "0.0001 мм, 0.000006 град"),
        ),
        attribute(
            "counts",
            "считает",
            Reference(to=("counter",), many=True),
            "Counters that grow by one.",
            "Счётчики, которые растут на единицу.",
        ),
        attribute("priority", "приоритет", RATIO, "The greater goes first.", "Больший идёт первым.", default=ZERO),
    ),
    children=("set", "impulse"),
    example=Text(
        '<transition from="flight" to="stance" when="gap(L) falls through 0" impact="plastic"/>',
        '<переход из="полёт" в="опора" когда="зазор(Л) падает через 0" удар="пластический"/>',
    ),
)

SET = ElementSpec(
    key="set",
    en=("set",),
    ru=("задать",),
    doc=Text(
        "Gives a coordinate or a counter a new value when the transition happens: coordinates before the impact, velocities after it. Formulas see the state before the transition.",
        "Даёт координате или счётчику новое значение при переходе: координате до удара, скорости после него. Формулы видят состояние до перехода.",
    ),
    attributes=(
        attribute(
            "of",
            "чего",
            Reference(to=("coordinate", "counter")),
            "The coordinate or counter.",
            "Координата или счётчик.",
            required=True,
        ),
        attribute("value", "значение", Formula(measure="position"), "Its new value.", "Её новое значение."),
        attribute("rate", "скорость", Formula(measure="rate"), "Its new velocity.", "Её новая скорость."),
    ),
    example=Text(
        '<set of="wheel" value="angle(wheel) - 45 deg"/>', '<задать чего="колесо" значение="угол(колесо) - 45 град"/>'
    ),
)

IMPULSE = ElementSpec(
    key="impulse",
    en=("impulse",),
    ru=("импульс",),
    doc=Text(
        "An impulse of a law of one's own that acts in the transition, after coordinates are set and before the impact rule. Links that hold afterwards keep holding. Formulas see the state before the transition.",
        "Импульс по собственному закону, действующий при переходе: после задания координат и до правила удара. Связи, которые держат потом, держат и при нём. Формулы видят состояние до перехода.",
    ),
    attributes=(
        attribute(
            "of",
            "чего",
            Reference(to=("contact", "coordinate")),
            "The contact or coordinate on which it acts.",
            "Контакт или координата, на которые он действует.",
            required=True,
        ),
        attribute(
            "value",
            "значение",
            Formula(dimension=FORCE.times(TIME), unit="N*s", size="any"),
            "Of a contact: along its normal, and along its tangent in the sense of `slip` (in space along the slip). Of a coordinate that turns it is in N·m·s.",
            "Для контакта: вдоль нормали и вдоль касательной в направлении `скольжение` (в пространстве — вдоль скольжения). Для угловой координаты — в Н·м·с.",
            required=True,
        ),
    ),
    example=Text(
        '<impulse of="floor" value="(1 + e)*m*approach(floor)"/>',
        '<импульс чего="пол" значение="(1 + e)*m*сближение(пол)"/>',
    ),
)
