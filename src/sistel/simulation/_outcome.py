"""Why compiled steps ended: one enumeration for all methods, whose members say in words what they mean."""

from __future__ import annotations

from enum import IntEnum

from sistel.errors import Text


class Outcome(IntEnum):
    """Why compiled steps ended. Compiled code reads and returns the numbers.

    Attributes:
        text: What it means, in a sentence without its point.
        code: Of the diagnostic, where it ends a run.
        expected: What would go on in its place, where that can be said for all models.
    """

    text: Text
    code: str
    expected: Text | None

    # Every member has words; the defaults are for type checkers, which take Outcome(3), a look-up, for a call of this.
    def __new__(
        cls, number: int, en: str = "", ru: str = "", code: str = "lost", expected: Text | None = None
    ) -> Outcome:
        """A number with its meaning."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.text, member.code, member.expected = Text(en, ru), code, expected
        return member

    END = 0, "the time is up", "время истекло"
    STEPS_FULL = 1, "there is no room for more steps", "нет места для новых шагов"
    EVENTS_FULL = 2, "there is no room for more events", "нет места для новых событий"
    LOST = 3, "the motion has no finite values", "движение не имеет конечных значений"
    STOPPED = 4, "the steps were asked to stop", "шаги остановлены по просьбе"
    SMALL = 5, "the step has become too small", "шаг стал слишком малым"
    UNKNOWN = 6, "the structure is not compiled yet", "структура ещё не скомпилирована"
    CHATTERS = 7, "transitions follow each other without end", "переходы сменяют друг друга без конца", "chattering"
    NO_PASSAGE = 8, "the passage has no solution", "переход не имеет решения", "no-passage"
    NEW_PASSAGE = 9, "the transition is not compiled yet", "переход ещё не скомпилирован"
    NARROWING = 10, "steps shrink towards a singular posture", "шаги уменьшаются к особому положению"
    SLIDES = (
        11,
        "the motion stays on the border of a comparison (as sign(v) at v = 0): neither side leads away from it",
        "движение остаётся на границе сравнения (как sign(v) при v = 0): ни одна сторона не уводит от неё",
        "sliding",
        Text(
            "friction that holds as a contact, a joint with friction or a structure of its own; or a smooth comparison",
            "трение покоя как контакт, шарнир с трением или отдельная структура; или гладкое сравнение",
        ),
    )
    EVENT = 12, "a watched function passes zero", "отслеживаемая функция проходит через нуль"
    LONG = 13, "the step is too long for this method", "шаг слишком велик для этого метода"
    CALM = 14, "nothing has happened for many steps", "много шагов подряд ничего не происходит"
    ASKED = 15, "a program is asked what motors do", "программу спрашивают, что делать приводам"
    NO_NUMBER = 16, "what a program says is no number", "программа сказала не число", "bad-law"
