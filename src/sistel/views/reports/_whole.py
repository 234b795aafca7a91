"""The documents of a system, and of a run of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.errors import Language, Text
from sistel.views.reports._build import Builder
from sistel.views.reports._document import Report
from sistel.views.reports._equations import add_equations
from sistel.views.reports._model import add_model, model_facts
from sistel.views.reports._proofs import add_proofs
from sistel.views.text import short, unit

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.simulation import Run


def model_report(model: Model, lang: Language) -> Report:
    """What a system is, its equations, and its proofs."""
    builder = Builder(lang)
    add_model(model, builder)
    add_equations(model, builder)
    add_proofs(model, builder)
    return builder.report(
        Text("Report of a system", "Отчёт о системе"), model.name, model.about, list(model_facts(model, builder))
    )


def run_report(run: Run, lang: Language, quantities: Sequence[str] = (), every: float | None = None) -> Report:
    """What a system is, how it moved, its equations, and its proofs.

    Args:
        run: The run.
        lang: Language of the report.
        quantities: Expressions that are curves and columns too.
        every: Time between two rows of the table of values [s]; without, some twenty rows at round times.
    """
    from sistel.views.reports._run import add_run

    builder = Builder(lang)
    model = run.model
    add_model(model, builder)
    add_run(run, builder, tuple(quantities), every)
    add_equations(model, builder)
    add_proofs(model, builder)
    facts = [*model_facts(model, builder)]
    facts.append((builder.say("moved for", "двигалась"), f"{short(run.end - run.begin, 9)} {unit('s', lang)}"))
    return builder.report(Text("Report of a run", "Отчёт о расчёте"), model.name, model.about, facts)
