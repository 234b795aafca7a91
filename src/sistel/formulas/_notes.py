"""What a reader of equations should know: what they leave out, and what is a number in them."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.errors import Text
from sistel.formulas._holding import Links
from sistel.model import Lettered, Model, Structure


def notes_of(
    model: Model, folded: Sequence[str], traced: Lettered, numeric: bool, structure: Structure, links: Links | None
) -> tuple[Text, ...]:
    """All notes.

    Args:
        model: The system.
        folded: Names of the parameters that stay numbers.
        traced: The same with letters.
        numeric: Whether applied forces are written with numbers.
        structure: What holds.
        links: The same in detail; None for a tree.
    """
    notes: list[Text] = [*structure.why_not]
    left_out: list[tuple[str, str]] = []
    for things, en, ru in (
        (model.closures, "closures", "замыкания"),
        (model.contacts, "contacts", "контакты"),
        (model.blades, "blades", "полозья"),
        (model.locks, "locks", "замки"),
        (model.couplings, "couplings", "передачи"),
        (
            [drive for drive in model.drives if drive.rigid],
            "gears with play or losses",
            "зацепления с люфтом или потерями",
        ),
        ([drive for drive in model.drives if drive.brakes], "brakes", "тормоза"),
        (
            [drive for drive in model.drives if drive.limit is not None and not drive.brakes],
            "clutches that may slip",
            "муфты, которые могут проскользнуть",
        ),
    ):
        count = sum(thing.name not in structure.holds for thing in things)
        if count:
            left_out.append((f"{en} {count}", f"{ru} {count}"))
    if left_out:
        en, ru = ", ".join(pair[0] for pair in left_out), ", ".join(pair[1] for pair in left_out)
        if links is None:
            notes.append(Text(f"The tree of bodies only, without: {en}.", f"Только дерево тел, без учёта: {ru}."))
        else:
            notes.append(Text(f"Do not hold in this structure: {en}.", f"Не держат в этой структуре: {ru}."))
    if links is not None and links.redundant:
        which = ", ".join(f"{k + 1} ({links.rows[k][0]}, {links.rows[k][1]})" for k in sorted(links.redundant))
        notes.append(
            Text(
                f"Redundant constraints, which follow from the others: {which}. Rigid bodies do not determine their "
                "multipliers, which are taken as 0.",
                f"Избыточные связи, следующие из остальных: {which}. Твёрдые тела не определяют их множители, они "
                "приняты равными 0.",
            )
        )
    if folded:
        names = ", ".join(folded)
        notes.append(Text(f"These parameters are taken as numbers: {names}.", f"Взяты как числа параметры: {names}."))
    if numeric:
        notes.append(
            Text(
                "Applied forces are written with the numbers of the parameters.",
                "Приложенные силы записаны с числовыми значениями параметров.",
            )
        )
    if links is not None and links.numeric and traced.parameters:
        names = ", ".join(name for name in links.names if name in links.numeric)
        notes.append(
            Text(
                f"Constraints written with the numbers of the parameters: {names}.",
                f"Связи, записанные с числовыми значениями параметров: {names}.",
            )
        )
    return tuple(notes)
