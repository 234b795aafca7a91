"""Names that are given once; tables that are written as text: lines at the margin, and texts below that belong to them.

::

    --until TIME
        when to end
        когда закончить
    --every TIME
        time between two rows of a table; without it there is a row
            for every step
        время между строками таблицы
"""

from __future__ import annotations


def word_pairs(text: str) -> dict[str, tuple[str, str]]:
    """Words in both languages, by the English one: ``"name имя, place место"``."""
    pairs = (pair.split() for pair in text.split(","))
    return {en: (en, ru) for en, ru in pairs}


def given_once(wanted: str, taken: set[str]) -> str:
    """A name that nothing else has, which is taken then: the wanted one, or that with a number behind it."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    taken.add(name)
    return name


def entries(table: str) -> list[tuple[str, list[str]]]:
    """What stands at the margin of a table, each with the texts below it; a text may go on further to the right."""
    lines = [line for line in table.splitlines() if line.strip()]
    margin = len(lines[0]) - len(lines[0].lstrip())
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        depth, words = (len(line) - len(line.lstrip()) - margin) // 4, line.strip()
        if depth == 0:
            found.append((words, []))
        elif depth == 1:
            found[-1][1].append(words)
        else:
            found[-1][1][-1] += f" {words}"
    return found
