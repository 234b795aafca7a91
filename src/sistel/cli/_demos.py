"""The examples that `sistel demo` shows: which file, how long, and what to look at."""

from __future__ import annotations

from sistel.described import entries
from sistel.errors import Text
from sistel.records import record

PRESSED, FREED = 0.5, 0.8
"""When the button of an example is pressed and let go [s]."""


@record
class Demo:
    """An example."""

    name: Text
    """How it is called, in both languages."""
    model: str
    """The file of the gallery, without its suffix."""
    until: float
    """[s]"""
    about: Text
    look: Text
    """What to look at in the picture."""
    quantities: tuple[str, ...] = ()
    """What is followed besides coordinates, velocities and energies."""
    button: str = ""
    """An input that is pressed at `PRESSED` and let go at `FREED`: then there is a page of the run too."""
    ways: tuple[str, ...] = ()
    """Points whose ways a floor plan shows; none for an example without one."""

    @property
    def inputs(self) -> dict[str, list[tuple[float, float]]]:
        """What the operator does, by input: times [s] and values."""
        return {self.button: [(0.0, 0.0), (PRESSED, 1.0), (FREED, 0.0)]} if self.button else {}

    @property
    def names(self) -> tuple[str, str]:
        """Both names."""
        return self.name.en, self.name.ru


def _demo(typed: str, texts: list[str]) -> Demo:
    name, _, rest = typed.partition(": ")
    model, until, *others = rest.split(", ")
    said = [each.split(" ", 1) for each in others if each.startswith(("press ", "way "))]
    return Demo(
        name=Text(*name.split(" | ")),
        model=model,
        until=float(until.removesuffix(" s")),
        about=Text(*texts[:2]),
        look=Text(*texts[2:]),
        quantities=tuple(each for each in others if not each.startswith(("press ", "way "))),
        button=next((name for word, name in said if word == "press"), ""),
        ways=tuple(name for word, name in said if word == "way"),
    )


_TABLE = """
    cart-pendulum | тележка-маятник: cart_pendulum, 10 s
        a pendulum on a cart that rolls freely
        маятник на свободной тележке
        nothing acts from the side, so the centre of mass keeps its x while cart and rod swing against each other; the
            viscous hinge takes the total energy, slowly
        сбоку ничего не действует: x центра масс не меняется, а тележка и стержень качаются навстречу друг другу;
            вязкость шарнира понемногу отнимает полную энергию
    flight | полёт: biped_flight, 0.5 s
        the biped in flight: an open tree of seven bodies
        двуногий аппарат в полёте: дерево из семи тел
        the trunk falls along a parabola; no joint carries anything, for all bodies fall together
        корпус падает по параболе; сочленения ничего не несут: все тела падают вместе
    single-support | одна-опора: biped_single_support, 0.4 s, reaction(опора_л).y
        the biped on its left foot, motors off
        двуногий аппарат на левой стопе, приводы выключены
        the foot is held to the ground and does not move; without motors the legs give way and the machine sinks;
            reaction(опора_л).y is what the ground carries, upward negative
        стопа закреплена на земле и не движется; без приводов ноги подгибаются, аппарат оседает; реакция(опора_л).y —
            сколько несёт земля, вверх — минус
    double-support | две-опоры: biped_double_support, 0.4 s
        the biped on both feet: a loop closes through the ground
        двуногий аппарат на двух стопах: контур замкнут через землю
        of nine coordinates only three are free; all of them move, and the loop stays closed
        из девяти координат свободны только три; движутся все, а контур остаётся замкнутым
    wrench | ключ: wrench_nut, 6 s, torque(привод_ключа)
        an arm tightens a nut: the open chain closes and opens again (СТОВ → СТВ → СТОВ)
        рука затягивает гайку: открытая ветвь замыкается и снова открывается (СТОВ → СТВ → СТОВ)
        the class of the structure changes when the jaws reach the nut, and again when the motor of the wrench reaches
            its torque
        класс структуры меняется, когда зев садится на гайку, и ещё раз, когда привод ключа доходит до момента затяжки
    walker | ходок: walker, 10 s
        the biped walks
        двуногий аппарат идёт
        it drops from the air, finds its gait and keeps it: left, right, left, with an impact at every touchdown;
            between them the total energy changes, because the motors work
        он падает из воздуха, находит походку и держит её: левая, правая, левая, на каждом шаге удар; между ударами
            полная энергия меняется: работают приводы
    compass | циркуль: compass_walker, 5 s
        two stiff legs walk down a slope by themselves
        две жёсткие ноги сами идут под уклон
        every step is like the one before; what gravity gives, the impact takes, so the total energy is a stair with
            equal steps
        каждый шаг как предыдущий; что даёт тяжесть, забирает удар, и полная энергия — лестница с равными ступенями
    ball | мяч: bouncing_ball, 5 s
        a ball bounces ever faster, and comes to rest
        мяч прыгает всё чаще и останавливается
        infinitely many bounces end before 4.0637 s; then the ball rests and nothing happens any more
        бесконечно много отскоков кончаются до 4.0637 с; потом мяч лежит, и больше ничего не происходит
    stick-slip | смычок: stick_slip, 5 s
        a block on a running belt sticks and slips
        груз на бегущей ленте прилипает и срывается
        the block goes with the belt until the spring is stronger than friction at rest (a condition on a force), and
            slips until sliding stops (a condition on a velocity)
        груз едет с лентой, пока пружина не пересилит трение покоя (условие на силу), и скользит, пока скольжение не
            прекратится (условие на скорость)
    break | обрыв: breaking_pendulum, 1.5 s, force(pin)
        a pendulum whose pin breaks
        маятник, у которого ломается ось
        the force of the pin grows to 20 N; there the pin breaks, and the rod flies on, turning evenly
        сила в оси растёт до 20 Н; тут ось ломается, и стержень летит дальше, равномерно вращаясь
    ramp | трамплин: block_ramp, 1.5 s
        a block leaves a rounded ramp
        груз срывается с закруглённой горки
        the normal force passes zero on the convex part of the ramp; there the contact lets go, the block flies
        нормальная сила проходит через ноль на выпуклой части горки: там контакт отпускает, и груз летит
    four-bar | четырёхзвенник: four_bar, 5 s
        a four-bar, a closed chain
        четырёхзвенник, замкнутая цепь
        three angles and one degree of freedom; the loop stays closed to the last digits
        три угла и одна степень свободы; контур остаётся замкнутым до последних знаков
    woodpecker | дятел: woodpecker, 1.28 s
        a toy woodpecker rattles down its pole
        игрушечный дятел спускается по стержню
        the sleeve jams and frees itself, the beak strikes: the same order of events again and again
        втулка заклинивает и освобождается, клюв стучит: один и тот же порядок событий снова и снова
    geneva | мальтийский-крест: geneva, 5 s
        a Geneva drive: it turns and it locks
        мальтийский крест: поворот и остановка
        the wheel turns only while the pin is in its slot; in between the drive holds it
        крест поворачивается, только пока палец в пазу; остальное время его держит привод
    mf4 | мф-4: mf4, 65 s, D front, squeeze, T.z, press task, way front, way middle
        a tracked robot drives round barrels, takes a container and puts it into a bin
        гусеничный робот объезжает бочки, берёт контейнер и опускает его в урну
        after the press of a button at 0.5 s nobody helps: the hull turns away from a barrel when D front falls
            to 0.25 m, goes along it and on to the stand; the force of the jaws grows to 60 N, which is the grasp;
            the container leaves the stand with the tool, and at the end it lies in the bin. The page shows the run
            and the console with its button; the floor plan shows the ways of the front of the hull and of the
            container
        кнопка нажата в 0,5 с, дальше никто не помогает: корпус отворачивает от бочки, когда D front падает до 0,25 м,
            идёт вдоль неё и дальше к подставке; сила губок растёт до 60 Н — это захват; контейнер уходит с подставки
            вместе с захватом и в конце лежит в урне. На странице — весь расчёт и пульт с кнопкой, на плане — пути
            передней точки корпуса и контейнера
"""
"""Names, model, how long, what is followed besides, what is pressed, whose way is drawn; then what it is
and what to look at, in both languages."""

DEMOS = tuple(_demo(*entry) for entry in entries(_TABLE))
