"""Elements of the whole file."""

from __future__ import annotations

from sistel.markup.schema._rows import PLACED, TIES, element, quaternion, rows, turn

SYSTEM = element(
    """
    system | системаТел
        The whole system of bodies: the root of a file.
        Вся система тел: корень файла.
        <system name="pendulum"><body joint="revolute" mass="1" com="0,500"/></system>
        <системаТел имя="маятник"><тело КП="ВКП" масса="1" ЦМ="0,500"/></системаТел>
    """,
    attributes=rows(
        """
        name | имя (text)
            Name of the system.
            Имя системы.
            = the name of the file | имя файла
        class | класс (class)
            Structural class as the author sees it; a different computed class is a warning.
            Структурный класс по мнению автора; если вычисленный другой, выдаётся предупреждение.
        space | вид (space)
            Whether bodies move in a plane or in space.
            Движутся ли тела на плоскости или в пространстве.
            = planar | плоская
        version | версия (whole)
            Version of the language that the file is written in.
            Версия языка, на котором написан файл.
            = 1
        about | описание (text)
            A sentence for people.
            Предложение для людей.
        """
    ),
    children=(
        "parameter",
        "gravity",
        "body",
        "include",
        "world",
        *PLACED,
        "spring",
        "track",
        "motion",
        "links",
        "scheme",
        "start",
        "posture",
        "group",
        "drawing",
        "repeat",
    ),
)

PARAMETER = element(
    """
    parameter | параметр
        A named number that expressions may use.
        Именованное число, которое можно использовать в выражениях.
        <parameter name="l" value="500 mm"/>
        <параметр имя="l" значение="0.5" ед="м"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the parameter.
            Имя параметра.
        value | значение (ratio) !
            A number, with its unit if it has one; may use earlier parameters.
            Число, если нужно — с единицей; может использовать другие параметры.
        unit | ед единица (unit)
            Unit of a plain `value`.
            Единица, если `значение` — просто число.
        min | min (ratio)
            Least value a slider should offer.
            Наименьшее значение для ползунка.
        max | max (ratio)
            Greatest value a slider should offer.
            Наибольшее значение для ползунка.
        about | описание (text)
            A sentence for people.
            Предложение для людей.
        """
    ),
)

GRAVITY = element(
    """
    gravity | тяжесть
        The field of gravity. Without this element it is 9.81 m/s², along +y in the plane and -z in space.
        Поле тяжести. Без этого элемента: 9.81 м/с², вдоль +y на плоскости и −z в пространстве.
        <gravity value="1.62 m/s^2"/>
        <тяжесть значение="1.62 м/с^2"/>
    """,
    attributes=rows(
        """
        value | значение (acceleration)
            Acceleration of free fall.
            Ускорение свободного падения.
            = 9.81 m/s^2 | 9.81 м/с^2
        along | вдоль (direction)
            Direction; its length does not matter.
            Направление; длина вектора не важна.
            = 0,1 in the plane; 0,0,-1 in space | 0,1 на плоскости; 0,0,-1 в пространстве
        """
    ),
)

INCLUDE = element(
    """
    include | включить
        Another file as a sub-assembly. What it calls its ground (0, and the points and shapes outside its bodies)
            becomes the given place of the base; the surfaces of its contacts stay on the real ground. Its start and
            its motions hold where this file says nothing else.
        Другой файл как подсборка. То, что в нём названо землёй (0, точки и формы вне тел), становится заданным местом
            базы; поверхности его контактов остаются на настоящей земле. Его начальное состояние и движения действуют,
            если этот файл не говорит иного.
        <include file="leg.xml" prefix="left " base="trunk"/>
        <включить файл="нога.xml" приставка="левая " база="корпус"/>
    """,
    attributes=(
        *rows(
            """
            file | файл (file) !
                The file, relative to this one.
                Файл относительно этого.
            prefix | приставка (prefix)
                Put before every name of the sub-assembly.
                Ставится перед каждым именем подсборки.
            base | база (body)
                Body that carries it.
                Тело, которое её несёт.
                = the ground | земля
            place | КПТ место (place)
                Where its ground sits in the frame of the base.
                Где находится её земля в осях базы.
                = the origin | начало координат
            """
        ),
        turn(),
        quaternion(),
    ),
    children=("parameter",),
)

REPEAT = element(
    """
    repeat | повторить
        What stands inside, so many times: a rope, a track, a row of pendulums. In expressions the index is a whole
            number, another one in each copy; in names and references, an expression of it stands in braces:
            `link {i}`, `link {i - 1}`.
        То, что внутри, столько-то раз: верёвка, гусеница, ряд маятников. В выражениях индекс — целое число, в каждой
            копии своё; в именах и ссылках выражение с ним стоит в фигурных скобках: `звено {i}`, `звено {i - 1}`.
        <repeat count="20" index="i" nested="yes"><body name="link {i}" joint="revolute" place="0,50" mass="0.1" com="0,25"/></repeat>
        <повторить раз="20" индекс="i" вложенно="да"><тело имя="звено {i}" КП="ВКП" КПТ="0,50" масса="0.1" ЦМ="0,25"/></повторить>
    """,
    attributes=rows(
        """
        count | раз (ratio) !
            How many copies: a whole number, which may be an expression of parameters and of outer indices.
            Сколько копий: целое число; может быть выражением от параметров и внешних индексов.
        index | индекс (new name)
            What expressions inside call the number of the copy.
            Как выражения внутри называют номер копии.
            = i
        from | от (ratio)
            Index of the first copy; each further one has one more.
            Индекс первой копии; у каждой следующей он на единицу больше.
            = 1
        nested | вложенно (flag)
            Whether each copy stands inside the body of the copy before it, as the links of a chain do; then there is one
                body directly inside.
            Стоит ли каждая копия внутри тела предыдущей, как звенья цепи; тогда непосредственно внутри одно тело.
            = no | нет
        """
    ),
    children=(
        *("body", "include", "repeat", *PLACED, "force", "moment", "spring", "track", "motor", "stop", "motion", "row"),
        *("links", *TIES, "change", "transition", "scheme", "signal", "block", "variable", "term", "rule", "rules"),
        *("use", "sensor", "input", "behaviour", "output"),
        *("data", "state", "parallel", "final", "history", "go", "enter", "exit", "assign", "raise"),
        *("lamp", "dial", "indicator"),
        *("set", "impulse", "coordinate", "posture", "group", "pose", "line", "mark", "place"),
    ),
)
