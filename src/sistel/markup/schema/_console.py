"""The operator's console of schemes, and where their blocks are drawn."""

from __future__ import annotations

from sistel.markup.schema._rows import element, row, rows

INPUT = element(
    """
    input | ввод
        A number that comes from outside: from a program, or from an operator, whose console shows it as its kind says.
        Число, которое приходит снаружи: от программы или от оператора; на его пульте оно выглядит, как сказано в `вид`.
        <input name="task" kind="slider" value="0 rad" min="-1 rad" max="1 rad"/>
        <ввод имя="задание" вид="ползунок" значение="0 рад" min="-1 рад" max="1 рад"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the input; the axes of a joystick are NAME.x and NAME.y.
            Имя ввода; оси джойстика — ИМЯ.x и ИМЯ.y.
        kind | вид (input kind)
            What the operator touches. Buttons and toggles are conditions, all others are numbers.
            За что берётся оператор. Кнопки и тумблер — условия, остальное — числа.
            = number | число
        value | значение (ratio)
            Its value until another one comes, with its unit.
            Значение, пока не придёт другое, с единицей.
            = 0; the first position of a rotary switch | 0; у переключателя — первое положение
        min | min (ratio)
            Least value.
            Наименьшее значение.
        max | max (ratio)
            Greatest value.
            Наибольшее значение.
        positions | положения (numbers)
            Values of a rotary switch, in their order.
            Значения переключателя по порядку.
        """
    ),
)

_NAME = row(
    """
    name | имя (new name) !
        Name, which others may use as that of a signal.
        Имя; другие могут пользоваться им как именем сигнала.
    """
)

LAMP = element(
    """
    lamp | лампа
        A lamp of the operator's console: it is lit while a condition holds.
        Лампа на пульте оператора: горит, пока выполнено условие.
        <lamp name="ready" from="abs(angle(arm)) lt 1 deg" colour="green"/>
        <лампа имя="готово" от="модуль(угол(рука)) меньше 1 град" цвет="green"/>
    """,
    attributes=(
        _NAME,
        *rows(
            """
            from | от (signals) !
                The condition.
                Условие.
            colour | цвет (colour)
                Colour of the light.
                Цвет огня.
                = that of the page | цвет страницы
            """
        ),
    ),
)

DIAL = element(
    """
    dial | шкала
        A dial with a pointer on the operator's console.
        Стрелочный прибор на пульте оператора.
        <dial name="speed" from="rate(arm)" min="-10 rad/s" max="10 rad/s"/>
        <шкала имя="скорость" от="вращение(рука)" min="-10 рад/с" max="10 рад/с"/>
    """,
    attributes=(
        _NAME,
        *rows(
            """
            from | от (signals) !
                What it shows.
                Что он показывает.
            min | min (ratio) !
                Where the scale begins.
                Начало шкалы.
            max | max (ratio) !
                Where the scale ends.
                Конец шкалы.
            """
        ),
    ),
)

INDICATOR = element(
    """
    indicator | табло
        Digits on the operator's console.
        Цифры на пульте оператора.
        <indicator name="turn" from="angle(arm)" digits="2"/>
        <табло имя="поворот" от="угол(рука)" цифр="2"/>
    """,
    attributes=(
        _NAME,
        *rows(
            """
            from | от (signals) !
                What it shows.
                Что оно показывает.
            digits | цифр (whole)
                Digits behind the point.
                Цифр после запятой.
                = 3 | 3
            """
        ),
    ),
)

PLACE = element(
    """
    place | место
        Where a block of a functional scheme is drawn: in which column, from the left, and in which row. It belongs into the
            `drawing` of the scheme; blocks that are not named find their own places.
        Где рисуется блок функциональной схемы: в каком столбце слева и в какой строке. Стоит в `рисунок` схемы; блоки,
            которых там нет, находят место сами.
        <place of="u" at="2, 0"/>
        <место чего="u" где="2, 0"/>
    """,
    attributes=rows(
        """
        of | чего (text) !
            A signal, block, input, lamp or the like by its name, or a motor that the scheme commands.
            Сигнал, блок, ввод, лампа и подобное по имени или привод, которым схема управляет.
        at | где (numbers) !
            Column, a whole number, and row, both from 0; what would overlap is moved apart.
            Столбец — целое число — и строка, оба от 0; что легло бы внахлёст, раздвигается.
        """
    ),
)
