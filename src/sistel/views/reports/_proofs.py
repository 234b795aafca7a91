"""The proof sheet on paper: every quantity of a system in two ways, and how far they are apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sistel.errors import Text
from sistel.proofs import prove
from sistel.views._proofs import MARKS, UNITS, failures, legend, number, verdict
from sistel.views.reports._build import Builder
from sistel.views.reports._document import ReportColumn
from sistel.views.reports._model import file_name

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.proofs import Proof, ProofSheet

MOST_WORK: Final = 4000
"""Structures times the square of the velocities up to which everything is proved: some seconds."""


def add_proofs(model: Model, builder: Builder) -> None:
    """The section of the proofs: of all structures, or where that takes long of the initial one."""
    builder.heading(Text("Computed in two ways", "Вычислено двумя способами"))
    structures = len(model.structures)
    if model.nv**2 > MOST_WORK:
        builder.paragraph(
            Text(
                f"The proofs of a system of this size take minutes: sistel check {file_name(model) or 'FILE'}",
                f"Проверка системы такого размера занимает минуты: sistel check {file_name(model) or 'ФАЙЛ'}",
            ),
            "note",
        )
        return
    one = structures * model.nv**2 > MOST_WORK or structures > 8
    sheet = prove(model, structure=model.structure().name if one else None)
    builder.paragraph(
        Text(
            "Every quantity is computed in two independent ways, in random states; the largest difference is below "
            "what rounding explains.",
            "Каждая величина вычислена двумя независимыми способами в случайных состояниях; наибольшее расхождение "
            "меньше того, что объясняет округление.",
        )
        if sheet.holds
        else Text(
            "Every quantity is computed in two independent ways, in random states.",
            "Каждая величина вычислена двумя независимыми способами в случайных состояниях.",
        )
    )
    if one:
        builder.paragraph(
            Text(
                f"Of {structures} structures the initial one is looked at here.",
                f"Из {structures} структур здесь проверена начальная.",
            ),
            "dim",
        )
    _sheet(sheet, builder)


def _sheet(sheet: ProofSheet, builder: Builder) -> None:
    lang = builder.lang
    found = verdict(sheet)
    mark = MARKS["holds" if sheet.holds else "fails"]
    capital = Text(*(f"{mark} {said[:1].upper()}{said[1:]}." for said in (found.en, found.ru)))
    builder.paragraph(capital, "good" if sheet.holds else "bad")
    for line in failures(sheet):
        builder.paragraph(line, "bad")
    columns = [
        ReportColumn(title="", keep=True),
        ReportColumn(title=builder.say("What", "Что")),
        ReportColumn(title=builder.say("In which two ways", "Какими двумя способами")),
        ReportColumn(title=builder.say("Difference", "Расхождение"), kind="numbers"),
        ReportColumn(title=builder.say("Bound", "Предел"), kind="numbers"),
        ReportColumn(title=builder.say("States", "Состояний"), kind="numbers"),
    ]
    for section in sheet.sections:
        builder.rows(section.title.say(lang), columns, [_row(proof, builder) for proof in section.proofs], keys=2)
        for remark in section.remarks:
            builder.paragraph(remark, "note")
    rules = "; ".join(f"{rule} — {text.say(lang)}" for rule, text in legend(sheet))
    builder.paragraph(f"{rules}. {UNITS.say(lang)}." if rules else "", "dim")


def _row(proof: Proof, builder: Builder) -> tuple[str, ...]:
    lang = builder.lang
    ways = f"{proof.ways[0].say(lang)} ↔ {proof.ways[1].say(lang)}"
    extra = proof.skipped or proof.note
    if extra is not None:
        ways += f" · {extra.say(lang)}"
    if proof.state == "skipped":
        return (MARKS["skipped"], proof.what.say(lang), ways, "", "", "")
    bound = f"{'> ' if proof.least else ''}{number(proof.tolerance)}"
    return (MARKS[proof.state], proof.what.say(lang), ways, number(proof.error), bound, str(proof.states))
