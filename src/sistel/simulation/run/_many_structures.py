"""Runs through so many structures that equations of each cannot be derived while somebody waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from sistel.arrays import AnyArray

MOST: Final = 300
"""Structures whose equations are derived for one answer: a second each, where many contacts are closed."""


def refuse_many(names: AnyArray) -> None:
    """Refuse what needs the equations of so many structures, given by times, and say what can be asked instead."""
    count = len(set(np.ravel(names).tolist()))  # of one time it is a word
    if count <= MOST:
        return
    refuse(
        "many-structures",
        Text(
            f"the run has {count} structures at these times, and what they carry needs equations of each; they are "
            f"derived for {MOST} at most",
            f"в эти моменты у расчёта {count} структур, и для нагрузок нужны уравнения каждой; их выводят "
            f"не больше чем для {MOST}",
        ),
        hint=Text(
            "ask for some times: run.reactions([0.1, 0.2]); impulses of events are known without it: "
            "run.events[i].impulses",
            "спросите для нескольких моментов: run.reactions([0.1, 0.2]); ударные импульсы известны и так: "
            "run.events[i].impulses",
        ),
    )
