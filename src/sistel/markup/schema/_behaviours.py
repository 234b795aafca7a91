"""Behaviours: state charts of a scheme, with the semantics of W3C SCXML 1.0."""

from __future__ import annotations

from sistel.markup.schema._rows import element, row, rows

_STATES = ("state", "parallel", "final", "history")
_ACTIONS = ("assign", "raise")

_NAME = row(
    """
    name | имя (new name) !
        Name of the state: a truth, BEHAVIOUR.NAME, while it is active.
        Имя состояния: условие ПОВЕДЕНИЕ.ИМЯ, пока оно активно.
    """
)

BEHAVIOUR = element(
    """
    behaviour: behaviour behavior | поведение
        A state chart: one state is active, or several that are nested or parallel. Other attributes are outputs,
            BEHAVIOUR.OUTPUT, given where a state that is active does not give them.
        Диаграмма состояний: активно одно состояние или несколько вложенных либо параллельных. Остальные атрибуты —
            выходы, ПОВЕДЕНИЕ.ВЫХОД, на случай, если активное состояние их не задаёт.
        <behaviour name="go" start="turn" L="0 V"><state name="turn" L="6 V"><go to="stop" after="2 s"/></state><final name="stop"/></behaviour>
        <поведение имя="ход" начало="поворот" L="0 В"><состояние имя="поворот" L="6 В"><перейти к="стоп" через="2 с"/></состояние><конец имя="стоп"/></поведение>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name of the behaviour.
            Имя поведения.
        start | начало (states)
            The state in which it begins.
            Состояние, с которого оно начинается.
        file | файл (file)
            An SCXML file that holds the states.
            Файл SCXML с состояниями.
        """
    ),
    children=("data", *_STATES, "repeat"),
    open="outputs",
)

STATE = element(
    """
    state | состояние
        A state; it may have states inside, of which one is active. Other attributes are outputs while it is active.
        Состояние; внутри могут быть состояния, из которых активно одно. Остальные атрибуты — выходы, пока оно активно.
        <state name="ahead" L="U1" R="U1"><go to="turn" when="near"/></state>
        <состояние имя="вперёд" L="U1" R="U1"><перейти к="поворот" когда="близко"/></состояние>
    """,
    attributes=(
        _NAME,
        *rows(
            """
            start | начало (states)
                The state inside with which it begins; needed where there are any.
                Состояние внутри, с которого оно начинается; нужно, если они есть.
            """
        ),
    ),
    children=("enter", "exit", "go", *_STATES, "repeat"),
    open="outputs",
)

PARALLEL = element(
    """
    parallel | параллельно
        A state with states inside that are all active together.
        Состояние, в котором все состояния внутри активны вместе.
        <parallel name="both"><state name="drive"/><state name="lamp"/></parallel>
        <параллельно имя="оба"><состояние имя="привод"/><состояние имя="лампа"/></параллельно>
    """,
    attributes=(_NAME,),
    children=("enter", "exit", "go", "state", "parallel", "history", "repeat"),
    open="outputs",
)

FINAL = element(
    """
    final | конец
        A state that nothing leaves by itself. When it is entered, the event done.STATE of the state around it happens.
        Состояние, из которого нет переходов. При входе в него происходит событие done.СОСТОЯНИЕ внешнего состояния.
        <final name="arrived"/>
        <конец имя="приехал"/>
    """,
    attributes=(_NAME,),
    children=("enter", "exit"),
    open="outputs",
)

HISTORY = element(
    """
    history | история
        A target that leads to what was active when the state around it was last left.
        Цель, ведущая в то, что было активно, когда внешнее состояние покинули в последний раз.
        <history name="last" to="turn"/>
        <история имя="прежнее" к="поворот"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Name by which transitions mean it.
            Имя, по которому её называют переходы.
        deep | глубокая (flag)
            Whether states inside states are remembered, too.
            Помнит ли она и состояния внутри состояний.
            = no | нет
        to | к (states)
            Where it leads the first time.
            Куда она ведёт в первый раз.
            = the start of the state around it | начало внешнего состояния
        """
    ),
)

GO = element(
    """
    go | перейти
        A passage from the state around it to another one; without `to`, what stands inside is done and no state changes.
        Переход из внешнего состояния в другое; без «к» выполняется то, что внутри, а состояния не меняются.
        <go to="turn" when="near" after="2 s"/>
        <перейти к="поворот" когда="близко" через="2 с"/>
    """,
    attributes=rows(
        """
        to | к (states)
            The state that is entered; several in different parallel states.
            Состояние, в которое входят; несколько — в разных параллельных.
            = no state changes | состояния не меняются
        when | когда (signals)
            A condition; states of this behaviour and its data are as they are at this step.
            Условие; состояния этого поведения и его данные — какие они на этом шаге.
            = always | всегда
        event | событие (events)
            The passage happens at such an event: a truth begins to hold, `raise` names it, or done.STATE. A name stands
                also for all that begin with it and a point.
            Переход происходит по такому событию: условие стало верным, его назвал «вызвать», или done.СОСТОЯНИЕ. Имя
                означает и все, что начинаются с него и точки.
            = no event is needed | событие не нужно
        after | через (signals)
            For how long the state has been active.
            Сколько времени состояние уже активно.
            = 0
        internal | внутри (flag)
            Whether a passage to a state inside stays in the state around it, without exit and entry.
            Остаётся ли переход в состояние внутри во внешнем состоянии, без выхода и входа.
            = no | нет
        """
    ),
    children=(*_ACTIONS, "repeat"),
)

ENTER = element(
    """
    enter | при-входе
        What is done when the state is entered.
        Что делается при входе в состояние.
        <enter><assign data="n" value="n + 1"/></enter>
        <при-входе><присвоить данное="n" значение="n + 1"/></при-входе>
    """,
    children=(*_ACTIONS, "repeat"),
)

EXIT = element(
    """
    exit | при-выходе
        What is done when the state is left.
        Что делается при выходе из состояния.
        <exit><raise event="left"/></exit>
        <при-выходе><вызвать событие="ушёл"/></при-выходе>
    """,
    children=(*_ACTIONS, "repeat"),
)

_WHEN = row(
    """
    when | когда (signals)
        Condition under which it is done.
        Условие, при котором это делается.
        = always | всегда
    """
)

ASSIGN = element(
    """
    assign | присвоить
        Gives a datum of the behaviour a new value.
        Даёт данному поведения новое значение.
        <assign data="n" value="n + 1"/>
        <присвоить данное="n" значение="n + 1"/>
    """,
    attributes=(
        *rows(
            """
            data | данное (datum) !
                The datum.
                Данное.
            value | значение (signals) !
                Its new value.
                Его новое значение.
            """
        ),
        _WHEN,
    ),
)

RAISE = element(
    """
    raise | вызвать
        Makes an event happen, after what happens now is over and before anything from outside.
        Вызывает событие: после того, что происходит сейчас, и до всего внешнего.
        <raise event="full"/>
        <вызвать событие="полно"/>
    """,
    attributes=(
        *rows(
            """
            event | событие (new name) !
                Its name.
                Его имя.
            """
        ),
        _WHEN,
    ),
)

DATA = element(
    """
    data | данное
        A number that a behaviour remembers, BEHAVIOUR.NAME; inside the behaviour its name will do.
        Число, которое помнит поведение, ПОВЕДЕНИЕ.ИМЯ; внутри поведения хватает имени.
        <data name="n" start="0"/>
        <данное имя="n" начало="0"/>
    """,
    attributes=rows(
        """
        name | имя (new name) !
            Its name.
            Его имя.
        start | начало (ratio)
            Its first value, with its unit.
            Первое значение, с единицей.
            = 0
        """
    ),
)
