"""The outcome of the races as tables of the documentation, in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from _bench import human
from _robots import ALL

Data = Mapping[str, Any]

WORDS = {
    "robot": ("robot", "робот"),
    "quantity": ("quantity", "величина"),
    "operations": ("operations", "операции"),
    "single": ("sistel, one state", "sistel, одно состояние"),
    "rows": ("rows", "строки"),
    "blocked": ("blocks", "блоки"),
    "frame": ("FK+J, the frame alone", "FK+J, только репер"),
    "bodies": ("bodies", "тел"),
    "body": ("sistel, a body", "sistel, на тело"),
    "first": ("first call", "первый вызов"),
    "state": ("cache", "кэш"),
    "cold": ("empty", "пуст"),
    "warm": ("filled", "заполнен"),
    "numpy": ("of `import numpy`", "от `import numpy`"),
    "loading": ("loading the file", "чтение файла"),
    "out": ("sistel, `out=`", "sistel, `out=`"),
    "none": ("not measured here", "здесь не измерено"),
}
UNITS = {"ns": "нс", "µs": "мкс", "ms": "мс", "s": "с"}
BLOCK = re.compile(r"(<!-- races: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def fill(page: str, data: Data, lang: str) -> str:
    """A page with all its tables written anew; a part that was not measured says so."""

    def write(match: re.Match[str]) -> str:
        table = TABLES[match[2]]
        text = table(data, lang) if match[2] in data or match[2] == "machine" else _word("none", lang)
        return f"{match[1]}\n{text}\n\n{match[3]}"

    return BLOCK.sub(write, page)


def machine(data: Data, lang: str) -> str:
    """Where and when."""
    found = data["machine"]
    commit = found["commit"] or "–"
    date, commit = found["time"][:10], commit[:10] + ("+" if commit.endswith("+") else "")  # plus: with changes
    if lang == "ru":
        return f"{date}, {found['cpu']} ({found['cores']} ядра), {found['system']}, {found['python']}, коммит {commit}."
    return f"{date}, {found['cpu']} ({found['cores']} cores), {found['system']}, {found['python']}, commit {commit}."


def kernels(name: str, data: Data, lang: str) -> str:
    """sistel's kernels against another engine in native code."""
    part = data[name]
    ways = [
        way
        for way in ("single", "rows", "blocked")
        if any(way in row["seconds"] for robot in part["robots"].values() for row in robot.values())
    ]
    head = [_word("robot", lang), _word("quantity", lang), part["engine"], *(_word(way, lang) for way in ways)]
    lines = []
    for key, robot in part["robots"].items():
        for quantity, row in robot.items():
            seconds = row["seconds"]
            for place, best in enumerate(row["best"]):
                title = f"{quantity} (`{best}`)" if name == "mujoco" else quantity
                if name == "pinocchio" and place:
                    title = _word("frame", lang)
                theirs = seconds[best]
                ours = [f"{time(seconds[way], lang)}, **{ratio(theirs / seconds[way])}**" for way in ways]
                lines.append([_robot(key, lang), title, time(theirs, lang), *ours])
    return table([*head], lines)


def calls(data: Data, lang: str) -> str:
    """One state a call from Python."""
    part = data["calls"]
    engines = [engine for engine in ENGINES if engine in part["versions"]]
    others = [engine for engine in engines if engine != "sistel"]
    titles = [f"{ENGINES[engine]} {part['versions'][engine]}" for engine in others]
    lines = []
    for key, robot in part["robots"].items():
        ours = robot["seconds"]["sistel"]
        for quantity in (case for case in ours if "," not in case):
            into = ours.get(f"{quantity}, out=")
            cells = [time(ours[quantity], lang), time(into, lang) if into is not None else "–"]
            for engine in others:
                theirs = robot["seconds"].get(engine, {}).get(quantity)
                cells.append("–" if theirs is None else f"{time(theirs, lang)}, {ratio(theirs / ours[quantity])}")
            lines.append([_robot(key, lang), quantity, *cells])
    return table([_word("robot", lang), _word("quantity", lang), "sistel", _word("out", lang), *titles], lines)


def compile_times(data: Data, lang: str) -> str:
    """Deriving and compiling."""
    part = data["compile"]
    lines = []
    for key, states in part["robots"].items():
        for state, seconds in states.items():
            share = ratio(seconds["first"] / part["numpy"])
            cells = [time(seconds["first"], lang), share, time(seconds["load"], lang)]
            lines.append([_robot(key, lang), _word(state, lang), *cells])
    return table([_word(word, lang) for word in ("robot", "state", "first", "numpy", "loading")], lines)


def chains(data: Data, lang: str) -> str:
    """Long chains, per body."""
    part = data["chains"]
    lines = []
    for row in part["chains"]:
        seconds, bodies = row["seconds"], row["bodies"]
        peers = [found for name, found in seconds.items() if name != "sistel"]
        cells = [time(seconds["sistel"] / bodies, lang), time(min(peers) / bodies, lang) if peers else "–"]
        lines.append([str(bodies), *cells, time(row["first"], lang)])
    return table([_word("bodies", lang), _word("body", lang), part["engine"] or "–", _word("first", lang)], lines)


ENGINES = {"sistel": "sistel", "pinocchio": "Pinocchio", "mujoco": "MuJoCo", "drake": "Drake", "rtb": "RTB"}
TABLES: Mapping[str, Callable[[Data, str], str]] = {
    "machine": machine,
    "pinocchio": lambda data, lang: kernels("pinocchio", data, lang),
    "mujoco": lambda data, lang: kernels("mujoco", data, lang),
    "calls": calls,
    "compile": compile_times,
    "chains": chains,
}


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Markdown; what repeats the line above in the first column is left out."""
    rows, above = [], None
    for line in lines:
        rows.append(["" if line[0] == above else line[0], *line[1:]])
        above = line[0]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))


def ratio(number: float) -> str:
    """How many times."""
    return f"{number:.0f}×" if number >= 20 else f"{number:.1f}×"


def time(seconds: float, lang: str) -> str:
    """Three digits and a unit, a whole number of small units."""
    number, unit = human(seconds).split(" ")
    return f"{float(number):g} {UNITS[unit] if lang == 'ru' else unit}"


def _word(word: str, lang: str) -> str:
    return WORDS[word][lang == "ru"]


def _robot(key: str, lang: str) -> str:
    return ALL[key].title_ru if lang == "ru" else ALL[key].title
