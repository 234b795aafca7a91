"""The words of expressions in both languages: functions, quantities, constants, components and keywords.

One table. The parser, the printer, the translator, the reference pages and the editor's completions all read it.
A word's first spelling in a language is the one that is written; every spelling of either language is understood.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Literal

from sistel.described import entries
from sistel.errors import Language, Text
from sistel.records import entry

FunctionKind = Literal["mathematics", "quantity", "report"]
KeywordKind = Literal["and", "or", "not", "compare", "cross"]
Spellings = tuple[str, ...]
"""The first is written."""


@entry
class Function:
    """A function of mathematics, a quantity of a thing of the system, or what a task asks of a quantity along a run."""

    key: str
    en: Spellings
    ru: Spellings
    """Spellings; an underscore may also be written as a blank."""
    arity: tuple[int, int | None]
    """Fewest and most arguments; None where any number will do."""
    kind: FunctionKind
    doc: Text


@entry
class Word:
    """A constant, or a component of a vector quantity (what follows the point in ``reaction(L).n``)."""

    key: str
    en: Spellings
    ru: Spellings
    doc: Text


@entry
class Keyword:
    """A word that stands for an operator, of one or two words; `key` is the operator as the tree names it."""

    kind: KeywordKind
    key: str
    en: Spellings
    ru: Spellings
    doc: Text


Entry = Function | Word | Keyword


def _functions(kind: FunctionKind, table: str) -> Iterator[Function]:
    """Functions: key and spellings, and how many arguments; then what it is.

    English spellings stand behind the key where there are others than the key itself.
    """
    for typed, texts in entries(table):
        spellings, _, count = typed.removesuffix(")").partition(" (")
        names, _, russian = spellings.partition(" | ")
        key, _, english = names.partition(": ")
        least, dots, most = count.partition("…")
        arity = int(least), (int(most) if most else None) if dots else int(least)
        yield Function(key, tuple((english or key).split()), tuple(russian.split()), arity, kind, Text(*texts))


FUNCTIONS: tuple[Function, ...] = (
    *_functions(
        "mathematics",
        """
        sin | sin (1)
            Sine of an angle.
            Синус угла.
        cos | cos (1)
            Cosine of an angle.
            Косинус угла.
        tan | tg (1)
            Tangent of an angle.
            Тангенс угла.
        asin: asin arcsin | arcsin (1)
            Angle whose sine is given.
            Угол по его синусу.
        acos: acos arccos | arccos (1)
            Angle whose cosine is given.
            Угол по его косинусу.
        atan: atan arctan | arctg (1)
            Angle whose tangent is given.
            Угол по его тангенсу.
        atan2 | arctg2 (2)
            atan2(y, x): angle of the vector (x, y) from the x axis, from -pi to pi.
            arctg2(y, x): угол вектора (x, y) с осью x, от -пи до пи.
        sqrt | корень (1)
            Square root.
            Квадратный корень.
        abs | модуль (1)
            Absolute value.
            Абсолютная величина.
        min | min наименьшее (2…)
            The least of the values.
            Наименьшее из значений.
        max | max наибольшее (2…)
            The greatest of the values.
            Наибольшее из значений.
        sign | знак (1)
            -1, 0 or 1, as the sign is.
            -1, 0 или 1 по знаку значения.
        exp | exp (1)
            Exponential function.
            Экспонента.
        log | ln (1)
            Natural logarithm.
            Натуральный логарифм.
        floor | округление_вниз целая_часть (1)
            The greatest whole number that is not above the value.
            Наибольшее целое, не большее значения.
        ceil | округление_вверх (1)
            The least whole number that is not below the value.
            Наименьшее целое, не меньшее значения.
        hypot | гипотенуза (2…3)
            Length of the vector with these components.
            Длина вектора с такими компонентами.
        select: select if | выбор если (3)
            select(condition, a, b): a where the condition holds, else b.
            выбор(условие, a, b): a, если условие выполнено, иначе b.
        clamp | ограничить (3)
            clamp(value, low, high): the value kept between two bounds.
            ограничить(значение, низ, верх): значение, не выходящее за границы.
        step | ступень (1)
            0 below zero, 1 from zero on.
            0 до нуля, 1 начиная с нуля.
        rem: rem mod | остаток (2)
            rem(a, b): remainder of a/b, with the sign of b.
            остаток(a, b): остаток от деления a на b, со знаком b.
        """,
    ),
    *_functions(
        "quantity",
        """
        x | x (1)
            Coordinate x of a point or of a body.
            Координата x точки или тела.
        y | y (1)
            Coordinate y of a point or of a body.
            Координата y точки или тела.
        z | z (1)
            Coordinate z of a point or of a body.
            Координата z точки или тела.
        vx | vx (1)
            Velocity of a point along x.
            Скорость точки вдоль x.
        vy | vy (1)
            Velocity of a point along y.
            Скорость точки вдоль y.
        vz | vz (1)
            Velocity of a point along z.
            Скорость точки вдоль z.
        angle | угол (1)
            Angle of a joint or of a body.
            Угол сочленения или тела.
        rate | угловая_скорость вращение (1)
            Rate of an angle of a joint or of a body.
            Угловая скорость сочленения или тела.
        q | q (1)
            Generalized coordinate, by name.
            Обобщённая координата по имени.
        v | v (1)
            Generalized velocity, by name.
            Обобщённая скорость по имени.
        acceleration | ускорение (1)
            Rate of a generalized velocity, by name.
            Производная обобщённой скорости по имени.
        gap | зазор (1)
            Distance left in a contact, or between the two shapes of one that stands for several.
            Расстояние, оставшееся до контакта, или между двумя фигурами, если он означает несколько.
        slip | скольжение (1)
            Velocity of slip in a contact.
            Скорость скольжения в контакте.
        approach | сближение (1)
            Speed at which the point of a contact comes nearer to its surface, along the normal.
            Скорость, с которой точка контакта приближается к поверхности, вдоль нормали.
        force | сила (1)
            Force in a joint, a closure or a contact.
            Сила в сочленении, замыкании или контакте.
        moment | момент (1)
            Moment in a joint, a closure or a contact; of a gear or a clutch, what it does to the driven coordinate.
            Момент в сочленении, замыкании или контакте; у зацепления и муфты — то, чем они движут ведомую координату.
        normal | нормаль (1)
            Normal reaction of a contact.
            Нормальная реакция контакта.
        tangent | касательная (1)
            Tangential reaction of a contact.
            Касательная реакция контакта.
        margin | запас (1)
            Margin of a contact to the edge of its friction cone: friction times normal, less tangential reaction.
            Запас контакта до края конуса трения: трение, умноженное на нормальную реакцию, минус касательная.
        reaction | реакция (1)
            Reaction of a joint, a closure or a contact; a component follows a point: reaction(L).n.
            Реакция сочленения, замыкания или контакта; компонента пишется через точку: реакция(Л).n.
        torque | усилие (1)
            Force or moment of a motor.
            Сила или момент привода.
        power | мощность (1)
            Power of a motor.
            Мощность привода.
        current | ток (1)
            Current of an electric motor, positive where it drives the joint forwards.
            Ток электродвигателя, положительный там, где он движет сочленение вперёд.
        voltage | напряжение (1)
            Voltage that the drive applies to an electric motor.
            Напряжение, которое подано на электродвигатель.
        energy | энергия (0…1)
            Mechanical energy of a body, or of the system with its springs and rotors.
            Механическая энергия тела или всей системы с её пружинами и роторами.
        kinetic: kinetic kinetic_energy | кинетическая кинетическая_энергия (0…1)
            Kinetic energy of a body, or of the system with its rotors.
            Кинетическая энергия тела или всей системы с её роторами.
        potential: potential potential_energy | потенциальная потенциальная_энергия (0…1)
            Potential energy of a body, or of the system with its springs.
            Потенциальная энергия тела или всей системы с её пружинами.
        range | дальность (2)
            Distance along the x axis of a frame to a named shape: a circle, a sphere, a box or a convex polygon; 10⁹ m
                where it is missed.
            Расстояние вдоль оси x репера до фигуры с именем: круга, шара, коробки или выпуклого многоугольника; 10⁹ м,
                если луч её не встречает.
        distance | расстояние (1…2)
            Distance between two points, or left in a closure.
            Расстояние между двумя точками или до замыкания.
        speed | скорость (1…2)
            Relative speed of two points, or of the ends of a closure.
            Относительная скорость двух точек или концов замыкания.
        counter | счётчик (1)
            Value of a counter; or how often a structure was entered, the start included.
            Значение счётчика; или сколько раз система входила в структуру, считая начало.
        elapsed | прошло (0)
            Time since the present structure was entered.
            Время с входа в нынешнюю структуру.
        t: time t | время t (0)
            Time.
            Время.
        """,
    ),
    *_functions(
        "report",
        """
        at | при (2)
            at(quantity, time): its value at a time. Only in reports of tasks, as all words of this list.
            при(величина, время): её значение в момент времени. Только в отчётах задач, как и все слова этого списка.
        lowest | минимум (1)
            The least value along a run.
            Наименьшее значение за запуск.
        highest | максимум (1)
            The greatest value along a run.
            Наибольшее значение за запуск.
        mean | среднее (1)
            The mean over the time of a run.
            Среднее по времени запуска.
        rms | действующее (1)
            The root of the mean square over the time of a run.
            Корень из среднего квадрата по времени запуска.
        overshoot | перерегулирование (1…2)
            overshoot(quantity, target): how far it goes beyond, as a part of the step. Without a target: its value at
                the end.
            перерегулирование(величина, цель): насколько она заходит дальше, в долях скачка. Без цели — значение в
                конце.
        settling | время_регулирования (1…3)
            settling(quantity, target, band): after which time it stays within a band of the step, 2 % unless given.
            время_регулирования(величина, цель, полоса): после какого времени она остаётся в полосе, 2 % от скачка.
        rise | время_нарастания (1…2)
            rise(quantity, target): time from 10 % to 90 % of the step.
            время_нарастания(величина, цель): время от 10 % до 90 % скачка.
        steady_error | установившаяся_ошибка (2)
            steady_error(quantity, target): what is left at the end.
            установившаяся_ошибка(величина, цель): что остаётся в конце.
        reached | достигнуто (2…3)
            reached(quantity, target, within): 1 where it is there at the end, else 0; within 2 % of the way unless
                given.
            достигнуто(величина, цель, в пределах): 1, если в конце она там, иначе 0; по умолчанию 2 % пути.
        """,
    ),
)

CONSTANTS: tuple[Word, ...] = (Word("pi", ("pi", "π"), ("пи", "π"), Text("3.14159…", "3,14159…")),)

COMPONENTS: tuple[Word, ...] = (
    Word("n", ("n", "normal"), ("n", "нормаль"), Text("Along the normal of a surface.", "Вдоль нормали поверхности.")),
    Word("t", ("t", "tangent"), ("t", "касательная"), Text("Along the surface.", "Вдоль поверхности.")),
    Word("x", ("x",), ("x",), Text("Force along x.", "Сила вдоль x.")),
    Word("y", ("y",), ("y",), Text("Force along y.", "Сила вдоль y.")),
    Word("z", ("z",), ("z",), Text("Force along z.", "Сила вдоль z.")),
    Word("mx", ("mx",), ("mx",), Text("Moment about x.", "Момент вокруг x.")),
    Word("my", ("my",), ("my",), Text("Moment about y.", "Момент вокруг y.")),
    Word("mz", ("mz",), ("mz",), Text("Moment about z.", "Момент вокруг z.")),
)

KEYWORDS: tuple[Keyword, ...] = (
    Keyword("and", "and", ("and",), ("и",), Text("Both hold.", "Верно и то, и другое.")),
    Keyword("or", "or", ("or",), ("или",), Text("At least one holds.", "Верно хотя бы одно.")),
    Keyword("not", "not", ("not",), ("не",), Text("Does not hold.", "Неверно.")),
    Keyword("compare", "<", ("lt",), ("меньше",), Text("Less; the same as <.", "Меньше; то же, что <.")),
    Keyword("compare", "<=", ("le",), ("не больше",), Text("At most; the same as <=.", "Не больше; то же, что <=.")),
    Keyword("compare", ">", ("gt",), ("больше",), Text("Greater; the same as >.", "Больше; то же, что >.")),
    Keyword("compare", ">=", ("ge",), ("не меньше",), Text("At least; the same as >=.", "Не меньше; то же, что >=.")),
    Keyword("compare", "=", ("eq",), ("равно",), Text("Equal; the same as =.", "Равно; то же, что =.")),
    Keyword("compare", "!=", ("ne",), ("не равно",), Text("Not equal; the same as !=.", "Не равно; то же, что !=.")),
    Keyword(
        "cross",
        "rises",
        ("rises through",),
        ("растёт через", "возрастает через"),
        Text("Passes a level upwards.", "Проходит уровень снизу вверх."),
    ),
    Keyword(
        "cross",
        "falls",
        ("falls through",),
        ("падает через", "убывает через"),
        Text("Passes a level downwards.", "Проходит уровень сверху вниз."),
    ),
    Keyword(
        "cross",
        "crosses",
        ("crosses",),
        ("пересекает", "проходит через"),
        Text("Passes a level either way.", "Проходит уровень в любую сторону."),
    ),
)


def fold(word: str) -> str:
    """The form in which words are compared: neither case, nor ``ё``, nor the kind of blank tells two words apart."""
    if word.isascii():
        folded = word.lower()
    else:
        folded = unicodedata.normalize("NFC", word).casefold().replace("ё", "е")
    return " ".join(folded.split())


def spelling(entry: Entry, lang: Language) -> str:
    """The spelling that is written in a language."""
    return (entry.ru if lang == "ru" else entry.en)[0]


def respell(written: str, entry: Entry, lang: Language) -> str:
    """What a written word becomes in a language: itself, where that language knows it, else the first spelling."""
    known = entry.ru if lang == "ru" else entry.en
    folded = fold(written).replace(" ", "_")
    return written if any(fold(word).replace(" ", "_") == folded for word in known) else known[0]


FUNCTION_BY_KEY: dict[str, Function] = {function.key: function for function in FUNCTIONS}

_FUNCTION_BY_WORD: dict[str, Function] = {
    fold(w): function for function in FUNCTIONS for w in (*function.en, *function.ru)
}
_COMPONENT_BY_WORD: dict[str, Word] = {fold(w): word for word in COMPONENTS for w in (*word.en, *word.ru)}

BARE_WORDS: dict[str, Function | Word] = {
    **{w: word for word in CONSTANTS for w in (*word.en, *word.ru)},
    **{w: function for function in FUNCTIONS if function.arity[0] == 0 for w in (*function.en, *function.ru)},
}
"""Words that mean something without brackets. Here case matters, because T is a period and t is the time."""


def _keyword_starts() -> dict[str, tuple[tuple[str, Keyword], ...]]:
    starts: dict[str, list[tuple[str, Keyword]]] = {}
    for keyword in KEYWORDS:
        for word in (*keyword.en, *keyword.ru):
            first, _, second = fold(word).partition(" ")
            starts.setdefault(first, []).append((second, keyword))
    # Pairs of words come before single words: "не меньше" is one keyword.
    return {first: tuple(sorted(found, key=lambda item: not item[0])) for first, found in starts.items()}


KEYWORD_STARTS: dict[str, tuple[tuple[str, Keyword], ...]] = _keyword_starts()
"""Folded first words of keywords, each with the second words that may follow ("" for none)."""


def find_function(name: str) -> Function | None:
    """The function with this spelling, in either language, in any case."""
    return _FUNCTION_BY_WORD.get(fold(name).replace(" ", "_"))


def find_component(name: str) -> Word | None:
    """The component with this spelling, in either language, in any case."""
    return _COMPONENT_BY_WORD.get(fold(name))


def is_report(key: str) -> bool:
    """Whether a function is asked of a whole run, in reports of tasks."""
    found = FUNCTION_BY_KEY.get(key)
    return found is not None and found.kind == "report"
