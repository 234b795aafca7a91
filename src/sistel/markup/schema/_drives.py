"""Rows of the table: gears, clutches and differentials, which join coordinates."""

from __future__ import annotations

from sistel.markup.schema._kinds import AttributeSpec
from sistel.markup.schema._rows import HOLDS, RESTITUTION, element, rows


def ends(own: str, russian: str) -> tuple[AttributeSpec, ...]:
    """The name of what joins coordinates, and the coordinates."""
    return rows(
        f"""
        name | имя (new name) !
            Name of the {own}.
            Имя {russian}.
        of | чего (coordinate) !
            The driven coordinate.
            Ведомая координата.
        to | к (coordinate) !
            The driving coordinate.
            Ведущая координата.
        """
    )


RATIO = """
        ratio | отношение (numbers)
            Ratio. Where one coordinate slides and the other turns, a plain number is in m per rad, or rad per m.
                Further numbers are the factors of the square, the cube … of the driving coordinate.
            Отношение. Если одна координата — скольжение, а другая — поворот, просто число считается в м на рад или
                рад на м. Следующие числа — множители при квадрате, кубе … ведущей координаты.
            = 1
        offset | сдвиг (position)
            Offset.
            Сдвиг.
            = 0
"""

COUPLING = element(
    """
    coupling | передача
        A gear between two coordinates: of = ratio · to + offset.
        Передача между двумя координатами: чего = отношение · к + сдвиг.
        <coupling name="fingers" of="right finger" to="left finger" ratio="-1"/>
        <передача имя="пальцы" чего="правый палец" к="левый палец" отношение="-1"/>
    """,
    attributes=(*ends("coupling", "передачи"), *rows(RATIO), HOLDS),
)

GEAR = element(
    """
    gear | зацепление
        A gear, a belt, or a rack with its pinion, that has play, losses or teeth that bend: of = ratio · to + offset, less the
            play. It acts always. Without all of these it is a coupling.
        Зубчатая пара, ремень или рейка с шестернёй с люфтом, потерями или податливыми зубьями: чего = отношение · к +
            сдвиг с точностью до люфта. Действует всегда. Без них это передача.
        <gear name="mesh" of="motor" to="wheel" ratio="3" backlash="0.02 rad"/>
        <зацепление имя="пара" чего="мотор" к="колесо" отношение="3" люфт="0.02 рад"/>
    """,
    attributes=(
        *ends("gear", "зацепления"),
        *rows(RATIO),
        *rows(
            """
            backlash | люфт (position)
                Play: how far the driven coordinate can go from one flank to the other.
                Люфт: насколько ведомая координата может уйти от одной стороны зуба до другой.
                = 0
            stiffness | жёсткость жесткость (joint stiffness)
                Stiffness of the teeth, at the driven coordinate; they push and never pull.
                Жёсткость зубьев, на ведомой координате; они толкают и никогда не тянут.
                = rigid | абсолютно жёсткие
            damping | вязкость (joint damping)
                Damping of the teeth that have a stiffness.
                Вязкость зубьев, у которых есть жёсткость.
                = 0
            efficiency | КПД (numbers)
                Efficiency of rigid teeth where the driving coordinate drives; a second number is that of the way back, 0 for a
                    gear that locks itself. The second is 2 − 1/efficiency unless said, or 0 where that is negative.
                КПД жёстких зубьев, когда ведёт ведущая координата; второе число — КПД обратного хода, 0 у самотормозящейся
                    передачи. Если второе не задано, оно равно 2 − 1/КПД или 0, если это отрицательно.
                = 1
            """
        ),
        RESTITUTION,
    ),
)

CLUTCH = element(
    """
    clutch | муфта
        A friction clutch or a brake between two coordinates: it holds their speeds together as far as its moment allows,
            and slips with that moment beyond. It acts always; an engaging clutch has a limit that grows.
        Фрикционная муфта или тормоз между двумя координатами: держит их скорости вместе, пока хватает её момента, а
            дальше проскальзывает с этим моментом. Действует всегда; у включаемой муфты предел растёт.
        <clutch name="clutch" of="shaft" to="engine" limit="20"/>
        <муфта имя="муфта" чего="вал" к="двигатель" предел="20"/>
    """,
    attributes=(
        *ends("clutch", "муфты"),
        *rows(
            """
            ratio | отношение (numbers)
                Speed of the driven coordinate for a unit speed of the driving one, where it does not slip.
                Скорость ведомой координаты при единичной скорости ведущей, когда муфта не скользит.
                = 1
            limit | предел (formula of a force) !
                Greatest force or moment on the driven coordinate; may depend on the time and on counters.
                Наибольшая сила или момент на ведомой координате; может зависеть от времени и счётчиков.
            """
        ),
    ),
)

DIFFERENTIAL = element(
    """
    differential | дифференциал
        A differential: of = ratio · (left + right)/2 + offset; both outputs get the same moment.
        Дифференциал: чего = отношение · (левый + правый)/2 + сдвиг; моменты на обоих выходах равны.
        <differential name="axle" of="shaft" to="left wheel, right wheel" ratio="4"/>
        <дифференциал имя="мост" чего="вал" к="левое колесо, правое колесо" отношение="4"/>
    """,
    attributes=(
        *rows(
            """
            name | имя (new name) !
                Name of the differential.
                Имя дифференциала.
            of | чего (coordinate) !
                The input.
                Вход.
            to | к (coordinates) !
                The two outputs.
                Два выхода.
            ratio | отношение (numbers)
                Ratio of the input to the mean of the outputs.
                Отношение входа к среднему двух выходов.
                = 1
            offset | сдвиг (position)
                Offset.
                Сдвиг.
                = 0
            """
        ),
        HOLDS,
    ),
)
