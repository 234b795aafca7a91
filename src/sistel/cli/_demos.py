"""The examples that `sistel demo` shows: which file, how long, and what to look at."""

from __future__ import annotations

from sistel.described import entries
from sistel.errors import Text
from sistel.records import record


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

    @property
    def names(self) -> tuple[str, str]:
        """Both names."""
        return self.name.en, self.name.ru


def _demo(typed: str, texts: list[str]) -> Demo:
    name, _, rest = typed.partition(": ")
    model, until, *quantities = rest.split(", ")
    return Demo(
        name=Text(*name.split(" | ")),
        model=model,
        until=float(until.removesuffix(" s")),
        about=Text(*texts[:2]),
        look=Text(*texts[2:]),
        quantities=tuple(quantities),
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
    woodpecker | дятел: woodpecker, 2 s
        a toy woodpecker rattles down its pole
        игрушечный дятел спускается по стержню
        the sleeve jams and frees itself, the beak strikes: the same order of events again and again
        втулка заклинивает и освобождается, клюв стучит: один и тот же порядок событий снова и снова
    geneva | мальтийский-крест: geneva, 5 s
        a Geneva drive: it turns and it locks
        мальтийский крест: поворот и остановка
        the wheel turns only while the pin is in its slot; in between the drive holds it
        крест поворачивается, только пока палец в пазу; остальное время его держит привод
"""
"""Names, model, how long, and what is followed besides; then what it is and what to look at, in both languages."""

DEMOS = tuple(_demo(*entry) for entry in entries(_TABLE))
