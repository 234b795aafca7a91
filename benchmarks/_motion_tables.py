"""The outcome of the motion races as tables of the documentation, in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from _bench import ROOT
from _motions import MOTIONS
from _tables import machine, ratio, table, time

Data = Mapping[str, Any]

PAGES = {"en": ROOT / "docs" / "benchmarks.md", "ru": ROOT / "docs" / "ru" / "benchmarks.md"}
BLOCK = re.compile(r"(<!-- simulation: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
PEERS = {
    "mujoco": ("MuJoCo", "MuJoCo"),
    "mujoco, one step": ("MuJoCo, one-step restitution", "MuJoCo, отскок за один шаг"),
    "drake": ("Drake", "Drake"),
    "heyoka": ("heyoka", "heyoka"),
    "heyoka, dense": ("heyoka, dense output kept", "heyoka, с плотной выдачей"),
    "hand": ("by hand", "вручную"),
}
WORDS = {
    "motion": ("motion", "движение"),
    "error": ("error", "погрешность"),
    "peer": ("other", "соперник"),
    "time": ("its time", "его время"),
    "ratio": ("times faster", "во сколько раз быстрее"),
    "what": ("what", "что"),
    "spent": ("processor's time", "время процессора"),
    "numba": ("of `import numba`", "от `import numba`"),
    "sistel run, empty cache": (
        "`sistel run models/cart_pole.xml`, empty cache",
        "`sistel run models/cart_pole.xml`, кэш пуст",
    ),
    "sistel run, filled cache": ("the same, filled cache", "то же, кэш заполнен"),
    "import numpy": ("`import numpy`", "`import numpy`"),
    "import numba": ("`import numba`", "`import numba`"),
    "empty cache": ("first `simulate` of the {}, empty cache", "первый `simulate`: {}, кэш пуст"),
    "another's cache": ("the same, cache of another system", "то же, кэш другой системы"),
    "filled cache": ("the same, filled cache", "то же, кэш заполнен"),
    "heyoka": ("heyoka's compilation of the same", "компиляция того же в heyoka"),
    "call": ("warm `simulate` of one step, {}", "прогретый `simulate` одного шага: {}"),
    "none": ("not measured here", "здесь не измерено"),
    "cart_pole": ("cart-pole", "тележка с маятником"),
    "compass_walker": ("compass walker", "шагающий циркуль"),
}


def fill(page: str, data: Data, lang: str) -> str:
    """A page with all its tables written anew."""
    return BLOCK.sub(lambda match: f"{match[1]}\n{TABLES[match[2]](data, lang)}\n\n{match[3]}", page)


def races(data: Data, lang: str) -> str:
    """Motions at equal error."""
    lines = []
    for row in data["races"]:
        motion = MOTIONS[row["motion"]]
        ours, theirs = row["seconds"]
        version = "" if row["peer"] == "hand" else " " + row["version"]
        peer, *rest = PEERS[row["peer"]][lang == "ru"].split(",", 1)
        lines.append(
            [
                motion.title_ru if lang == "ru" else motion.title,
                f"{row['target']:g}",
                time(ours, lang),
                peer + version + "".join("," + part for part in rest),
                time(theirs, lang),
                f"**{_times(row['ratio'])}**",
            ]
        )
    head = [_word("motion", lang), _word("error", lang), "sistel"]
    return table([*head, *(_word(word, lang) for word in ("peer", "time", "ratio"))], lines)


def starts(data: Data, lang: str) -> str:
    """What comes before the motion."""
    found = data.get("starts")
    if found is None:
        return _word("none", lang)
    base, lines = found["process"].get("import numba"), []
    for name, took in found["process"].items():
        lines.append([_word(name, lang), time(took, lang), ratio(took / base) if base else "–"])
    for name, row in found["compile"].items():
        for word, took in row.items():
            lines.append([_word(word, lang).format(_word(name, lang)), time(took, lang), "–"])
    for name, took in found["call"].items():
        lines.append([_word("call", lang).format(_word(name, lang)), time(took, lang), "–"])
    return table([_word(word, lang) for word in ("what", "spent", "numba")], lines)


TABLES: Mapping[str, Callable[[Data, str], str]] = {"machine": machine, "races": races, "starts": starts}


def _times(number: float) -> str:
    """How many times, three digits at most."""
    return f"{float(f'{number:.2g}'):.0f}×" if number >= 100 else ratio(number) if number >= 2 else f"{number:.2f}×"


def _word(word: str, lang: str) -> str:
    return WORDS[word][lang == "ru"]
