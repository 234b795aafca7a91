"""Why compiled steps ended: every reason says what it means."""

from __future__ import annotations

from sistel.simulation._outcome import Outcome
from sistel.simulation.taylor import outcomes, tables


def test_every_outcome_explains_itself_in_both_languages() -> None:
    assert len({each.text.en for each in Outcome}) == len({each.text.ru for each in Outcome}) == len(Outcome) == 17
    for each in Outcome:
        assert each.text.en.isascii() and each.text.en[0].islower() and not each.text.en.endswith(".")
        assert any("а" <= letter <= "я" for letter in each.text.ru) and not each.text.ru.endswith(".")
        assert Outcome(int(each)) is each


def test_compiled_code_reads_the_same_numbers() -> None:
    """As plain ints: the subset folds nothing else in."""
    for each in Outcome:
        number = getattr(outcomes, each.name)
        assert type(number) is int and number == each
    assert tables.GO_ON not in list(Outcome)
