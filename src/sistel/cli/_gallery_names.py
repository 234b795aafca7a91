"""Names of the models of the gallery in both languages: their files have one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sistel.errors import Text

_TABLE = """
andrews_squeezer: Andrews' squeezing mechanism | механизм Эндрюса
arm5: five-axis arm | манипулятор с пятью степенями свободы
arm_control: arm under control | рука под управлением
backlash: gears with backlash | зацепление с люфтом
balanced_cart: balanced cart | тележка, которая держит стержень
ball_on_stairs: ball on stairs | мяч на лестнице
ball_slips_and_rolls: ball that slips and rolls | мяч скользит и катится
balls_in_a_box: balls in a box | шары в коробке
bicycle: bicycle | велосипед
biped_double_support: biped on both feet | аппарат на двух опорах
biped_flight: biped in flight | аппарат в полёте
biped_single_support: biped on one foot | аппарат на одной опоре
block_ramp: block on a ramp | груз на горке
bouncing_ball: bouncing ball | мяч прыгает
bowl: ball in a bowl | шарик в чаше
boxes_on_boxes: boxes on boxes | ящики на ящиках
breaking_pendulum: breaking pendulum | маятник обрывается
bricard: Bricard's mechanism | механизм Брикара
cam: cam and follower | кулачок с толкателем
car: car | автомобиль
cart_pendulum: pendulum on a cart | маятник на тележке
cart_pole: cart-pole | тележка с шестом
chain5: chain of five rods | цепь из пяти стержней
compass_walker: compass walker | ходок-циркуль
conveyor: conveyor | транспортёр
crate_on_stairs: crate on stairs | ящик на лестнице
crawler: crawler | гусеничная машина с рычагами
delta: delta robot | дельта-робот
differential: differential | дифференциал
differential_drive: two-wheeled robot | двухколёсный робот
dominoes: dominoes | домино
double_pendulum: double pendulum | двойной маятник
five_bar: five-bar | пятизвенник
flyball_governor: flyball governor | центробежный регулятор
four_bar: four-bar | четырёхзвенник
four_bar_graph: four-bar as a graph | четырёхзвенник графом
four_bar_iftomm: coupled four-bars | связанные четырёхзвенники
free_body: free body | свободное тело
fuzzy_scout: fuzzy scout | нечёткий разведчик
geneva: Geneva drive | мальтийский крест
gripper: gripper | схват
gripper_load: gripper with a load | схват с грузом
gyroscope: gyroscope | гироскоп
hexapod: hexapod | шестиногий робот
hills: ball on hills | мяч на холмах
hopper: hopper | прыгун
hover: hover | аппарат на воздушной подушке
lidar_rover: lidar rover | тележка с лидаром
line_follower: line follower | робот едет по линии
marble_run: marble run | спуск шарика
mf4: mission of a tracked robot | задание гусеничного робота
mr_angular: robot in angular coordinates | робот в ангулярных координатах
mr_cartesian: robot in Cartesian coordinates | робот в декартовых координатах
mr_cylindrical: robot in cylindrical coordinates | робот в цилиндрических координатах
mr_reach: robot that takes from above | робот берёт сверху
mr_spherical: robot in spherical coordinates | робот в сферических координатах
n_pendulum: pendulum of ten rods | маятник из десяти стержней
newtons_cradle: Newton's cradle | колыбель Ньютона
painleve_rod: Painlevé's rod | стержень Пенлеве
panda_like: Panda-like arm | рука вроде Panda
pantograph: pantograph | пантограф
paper_listing1: first listing of the article | первый листинг статьи
paper_listing2: second listing of the article | второй листинг статьи
parallel_gripper: parallel gripper | схват с параллельными губками
peaucellier: Peaucellier inversor | инверсор Поселье
pendulum: pendulum | маятник
pendulum_wave: pendulum wave | волна маятников
planar_biped: planar biped | плоский двуногий робот
puma560: Puma 560 | Пума-560
quadrotor: quadrotor | квадрокоптер
quadruped: quadruped | четвероногий робот
rimless_wheel: rimless wheel | колесо без обода
rolling_disk: rolling disk | катящийся диск
rope: rope | верёвка
scara: SCARA | СКАРА
scout: scout | разведчик
servo_arm: servo arm | рука с сервоприводами
shm_biped: two-legged machine | двуногая машина
shm_hexapod: six-legged machine | шестиногая машина
shm_quadruped: four-legged machine | четырёхногая машина
simplest_walker: simplest walker | простейший ходок
simplest_walker_basin: simplest walker that may fall | простейший ходок, который может упасть
slider_crank: slider-crank | кривошип с ползуном
slider_crank_spatial: spatial slider-crank | пространственный кривошип с ползуном
spinning_top: spinning top | волчок
stanford: Stanford arm | стэнфордская рука
stephenson: Stephenson six-bar | шестизвенник Стефенсона
stewart: Stewart platform | платформа Стюарта
stick_slip: stick and slip | груз на ленте прилипает и срывается
swing_up: swing-up | раскачка до верха
telescope: telescope | телескоп
tippe_top: tippe top | волчок-перевёртыш
tracked_vehicle: tracked vehicle | гусеничная машина
two_legs: two legs | две ноги
universal_shaft: universal joint shaft | карданный вал
ur5_like: UR5-like arm | рука вроде UR5
vending_lift: lift of a vending machine | подъёмник торгового автомата
vending_machine: vending machine | торговый автомат
vending_pusher: pusher of a vending machine | толкатель торгового автомата
walker: walker | шагающий аппарат
walker_control: walk under control | походка под управлением
watt: Watt six-bar | шестизвенник Уатта
woodpecker: woodpecker toy | дятел
wrench_nut: arm with a wrench | манипулятор с гаечным ключом
"""

NAMES: Final[Mapping[str, Text]] = {
    name: Text(*both.split(" | ")) for name, both in (row.split(": ", 1) for row in _TABLE.strip().splitlines())
}
"""By the names of the files."""
WALKING: Final = frozenset({"quadruped", "shm_biped", "shm_hexapod", "shm_quadruped"})
"""Machines that walk by a gait that is composed for them, as `sistel walk` does it."""
PARTS: Final = frozenset({"biped", "hexapod_leg", "leg", "mr_arm", "mr_hand", "shm_foot"})
"""Files that are there to be included by others, and are no models to look at."""
