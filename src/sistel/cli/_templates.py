"""Templates for `sistel new`: a few models of the gallery, and a starting file that explains itself."""

from __future__ import annotations

from sistel.errors import Text

EMPTY = "empty"

TEMPLATES: dict[str, Text] = {
    EMPTY: Text("one body, and comments that say how to go on", "одно тело и комментарии о том, как продолжать"),
    "pendulum": Text("a pendulum", "маятник"),
    "cart_pendulum": Text("a pendulum on a cart, with a motor", "маятник на тележке, с приводом"),
    "four_bar": Text("a four-bar: a closed loop", "шарнирный четырёхзвенник: замкнутый контур"),
    "slider_crank": Text("a slider-crank", "кривошипно-ползунный механизм"),
    "walker": Text("a walker: contacts, structures, transitions", "шагающий: контакты, структуры, переходы"),
    "arm5": Text("a spatial arm", "пространственный манипулятор"),
}

STARTER = Text(
    en="""\
<?xml version="1.0" encoding="UTF-8"?>
<!-- A system of bodies. Lengths are in millimetres, angles in degrees, masses in kilograms, unless a number carries
     its unit. The plane: x to the right, y down, angles clockwise.
     See it: sistel show FILE. Check it: sistel check FILE. -->
<system name="my system">
  <!-- A parameter is a number with a name; expressions may use it. -->
  <parameter name="l" value="500 mm"/>

  <!-- A body hangs on its base by a joint: revolute, prismatic, prismatic2, free, fixed. Place: of the joint, in the
       axes of the base. -->
  <body name="arm" joint="revolute" place="0, 0" min="-170" max="170" mass="1" com="0, l/2" inertia="l^2 * 1 kg / 12">
    <!-- What to draw: SVG path data. -->
    <shape d="m-10,0h20v500h-20z"/>
    <!-- A named point, for links and conditions. -->
    <point name="tip" place="0, l"/>

    <!-- A body inside a body hangs on it. Take the comment away to get a second one:
    <body name="forearm" joint="revolute" place="0, l" mass="0.5" com="0, 200" inertia="0.007"/>
    -->
  </body>

  <!-- Links: closures make loops; contacts, structures and transitions make a system that changes. For example:
  <links>
    <contact name="touch" point="tip" surface="y = 600" friction="0.3"/>
    <structure name="free"/>
    <structure name="leaning" holds="touch"/>
    <transition from="free" to="leaning" when="gap(touch) falls through 0"/>
  </links>
  -->

  <!-- Where it starts. -->
  <start arm="45" arm.rate="0"/>
</system>
""",
    ru="""\
<?xml version="1.0" encoding="UTF-8"?>
<!-- Система тел. Длины в миллиметрах, углы в градусах, массы в килограммах, если у числа нет своей единицы.
     Плоскость: x вправо, y вниз, углы по часовой стрелке.
     Увидеть: sistel show ФАЙЛ. Проверить: sistel check ФАЙЛ. -->
<системаТел имя="моя система">
  <!-- Параметр — число с именем; им можно пользоваться в выражениях. -->
  <параметр имя="l" значение="500 мм"/>

  <!-- Тело держится на базе кинематической парой: ВКП, ПКП1, ПКП2, СКП, ЖКП. Место пары — в осях базы. -->
  <тело имя="рука" КП="ВКП" место="0, 0" min="-170" max="170" масса="1" ЦМ="0, l/2" инерция="l^2 * 1 кг / 12">
    <!-- Что рисовать: путь SVG. -->
    <форма d="m-10,0h20v500h-20z"/>
    <!-- Точка с именем, для связей и условий. -->
    <точка имя="конец" место="0, l"/>

    <!-- Тело внутри тела держится на нём. Уберите комментарий, и появится второе:
    <тело имя="предплечье" КП="ВКП" место="0, l" масса="0.5" ЦМ="0, 200" инерция="0.007"/>
    -->
  </тело>

  <!-- Связи: замыкания образуют контуры; контакты, структуры и переходы — систему, которая меняется. Например:
  <связи>
    <контакт имя="касание" точка="конец" поверхность="y = 600" трение="0.3"/>
    <структура имя="свободная"/>
    <структура имя="опёртая" держит="касание"/>
    <переход из="свободная" в="опёртая" когда="зазор(касание) падает через 0"/>
  </связи>
  -->

  <!-- С чего начинается движение. -->
  <начало рука="45" рука.скорость="0"/>
</системаТел>
""",
)
